//! Interpolates up to a hundred thousand poses at once, with SIMD, straight into your buffer.
//!
//! The same as a track, for a hundred thousand entities? A [`Batch`] holds the last ticks of many poses and draws them at the speed of memory: blended sixteen at a
//! time, straight into your buffer, and only what moved.
//!
//! ```
//! use portamento::{Moment, batch::{Batch, OutputForm}, blend::{Pose, Rotation}};
//!
//! let mut crowd = Batch::<Pose>::new();
//! let walker = crowd.insert(Pose::at([0.0, 0.0, 0.0]));
//! let statue = crowd.insert(Pose::at([5.0, 0.0, 0.0]));
//!
//! // The first frame shows everything; from then on, frames are about what moved.
//! assert_eq!(crowd.frame(Moment::at(0.0, 0.0)).moved().len(), 2);
//!
//! crowd.tick();
//! crowd.push(walker, Pose::at([1.0, 0.0, 0.0]))?;
//! // The statue was not pushed, so it stays where it is.
//!
//! let frame = crowd.frame(Moment::at(0.25, 0.0));
//! assert_eq!(frame.moved(), [walker]);
//! let mut instances = [0.0; 12];
//! frame.write(OutputForm::Matrices3x4, &mut instances)?;
//! assert_eq!(instances[3], 0.25); // the translation's x
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Order in memory
//!
//! ```text
//!   slots    0 ............ moving ........ drawn ..................... len
//!            |    moving    |   settling    |          at rest          |
//!            ends differ     ends equal,     ends equal, shown: costs
//!            blended in      shown once      nothing, is not touched,
//!            every frame     more            is not reported
//! ```
//! A pose that starts or stops moving changes places with the one at the border of its zone: O(1), and the handles do
//! not notice. So a frame is one run over the front of memory, however the moving poses were scattered. The list of
//! what moved is the front of the list of handles. Once a pose has been shown a last time, it is enough to move a
//! border.
//!
//! # Cost of a tick
//!
//! A tick copies nothing. The ticks lie in as many buffers as the batch keeps ends. [`Batch::tick`] turns the ring of buffers by one: what was
//! newest is now the one before, and the oldest buffer waits to be overwritten by [`push`](Batch::push). Only poses
//! that moved in an earlier tick and are not pushed in this one cost something: they get their last pose again, and
//! after that they rest.
//!
//! If every entity gets a pose in every tick, use [`Batch::push_all`]: it takes a third to a half of the time of single
//! pushes. It also checks the poses, so that frames need not.
//!
//! # Corrections and rollback
//!
//! [`Batch::reconcile`] takes a server's correction of one pose: the truth jumps, the picture glides, as in a
//! [`PredictedTrack`](crate::track::PredictedTrack). [`Batch::save`] and [`Batch::restore`] take all of the truth back for
//! ticks to be simulated again; with [`BatchSettings::glide_after_restore`] what comes out otherwise glides. Only poses
//! that glide cost more than others.
//!
//! # Agreement with tracks
//!
//! A batch draws the very bits that a [`Track`](crate::Track) of the same poses draws, on every kernel and on any
//! number of threads. Corrected poses have the bits of a [`PredictedTrack`](crate::track::PredictedTrack) with as many
//! ends, if the batch remembers views or the ends reach back to the last frame. Rotations stay within 1.1e-5 rad of
//! true slerp up to 90 degrees per tick and within 5.2e-4 up to 180; the README of `benchmarks/` has the table.
//!
//! # Moments
//!
//! By default the last two ticks are kept. That is enough for every [`Stepper`](crate::step::Stepper) except the `even`
//! gate, which draws a constant distance in the past and needs older ticks: set
//! [`BatchSettings::ends`] to what `Stepper::ends_needed` returns. A moment older than every kept tick shows the oldest
//! one. A moment beyond the newest tick is extrapolated as by a track, pose by pose, which is slower.

mod dispatch;
mod error;
mod frame;
mod glide;
mod handle;
mod kernel;
#[cfg(feature = "rayon")]
mod parallel;
mod rollback;
#[cfg(feature = "serde")]
mod saved;
mod settings;
mod store;
mod tick;
mod tile;

pub use error::BatchError;
pub use frame::{BatchFrame, OutputForm};
pub use handle::BatchHandle;
pub use rollback::BatchTruth;
pub use settings::BatchSettings;
pub use store::Batch;
pub use tile::BatchPose;

// Benchmarks and parity tests compare kernels and read tiles; no one else needs either.
#[doc(hidden)]
pub mod internals {
    pub use super::dispatch::Kernel;
    pub use super::tile::{Tile, WIDTH};
}
#[allow(unused_imports)] // by tests and docs
use internals::{Kernel, WIDTH};

#[cfg(doc)]
use crate::step::Moment;

#[cfg(test)]
mod tests;
