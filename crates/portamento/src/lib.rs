//! Motion that looks smooth between the ticks of a simulation and the frames of a screen.
//!
//! A simulation ticks at its own rate; a screen draws at another. Drawn naively, motion stutters, and each obvious cure
//! brings a problem of its own: teleports that slide, cameras that shake, physics that depends on what was drawn. This
//! library has four goals, in this order:
//!
//! 1. **The simulation does not change.** Ticks, truth and messages are the same bits, drawn smoothly or not.
//! 2. **What is drawn is right**: even, never ahead in time, never between the two sides of a teleport, exactly at
//!    rest when the simulation is.
//! 3. **It costs next to nothing**: no allocation, lock or system call in a frame.
//! 4. **It fits what you have**: no engine, no clock, no thread, no std; your own math types.
//!
//! ```
//! use portamento::step::{Frame, Stepper};
//! use portamento::Track;
//!
//! # fn main() -> Result<(), portamento::SettingError> {
//! let mut stepper = Stepper::fixed(60.0)?;         // when do ticks run?
//! let mut ball = Track::new([0.0f32; 3]);          // what did one entity do in its last ticks?
//!
//! # for frame_time in [0.0069; 10] {
//! // In each frame:
//! let Frame { ticks, moment, lost } = stepper.frame(frame_time);
//! for tick in ticks {
//!     let [x, y, z] = *ball.truth();
//!     ball.push([x + 5.0 * tick.dt as f32, y, z]); // your simulation
//! }
//! let drawn = ball.view(moment);                   // draw this (`draw` if a camera follows); the truth does not change
//! # let _ = (drawn, lost);
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! # Which module?
//!
//! | your question | the module | begin with |
//! |---|---|---|
//! | When does the simulation run? | [`step`] | [`Stepper::fixed`](step::Stepper::fixed) |
//! | What lies between two values? | [`blend`] | `#[derive(Blend)]`, [`Pose`](blend::Pose) |
//! | What did one entity do in its last ticks? | [`track`] | [`Track`] |
//! | The same for a hundred thousand entities? | [`batch`] | [`Batch`][crowd] |
//! | How does a camera follow? | [`camera`] | [`ChaseCamera`](camera::ChaseCamera), [`FollowCamera`](camera::FollowCamera) |
//! | My simulation runs in another thread or process | [`exchange`] | [`exchange`]'s first example |
//! | Which moment of another clock is drawn? | [`playhead`] | [`Playhead`](playhead::Playhead) |
//! | What are others doing, over a network? | [`remote`] | its table: waypoints or snapshots |
//!
//! Three kinds of time are three types, and the compiler keeps them apart. A [`Moment`] lies between your own ticks:
//! a stepper returns it, tracks and batches take it. A [`Shown`](playhead::Shown) is a moment of another clock, for
//! timelines and the exchange. A [`PeerFrame`](remote::PeerFrame) is a moment of a peer's clock, for snapshots. Cameras
//! take any of them. Everything drawn in a frame takes the same one, so that nothing drifts apart.
//!
//! Times are f64 seconds. A time that makes no sense (NaN, negative) changes nothing and is counted.
//!
//! # Recipes
//!
//! [`recipes`] has short programs for common tasks: loops with winit, macroquad and SDL, pause and slow motion, split screen,
//! client-side prediction, rollback, debugging and others.
//!
//! # Older rules
//!
//! Some types offer older rules beside their default, for games that were built on them. [`older_rules`] explains them.
//!
//! # Features
//!
//! | feature | default | what it brings |
//! |---|---|---|
//! | `std` | yes | run-time choice of SIMD kernels; brings `alloc` |
//! | `alloc` | yes | the modules [`batch`] and [`exchange`] |
//! | `derive` | yes | `#[derive(Blend, Hermite, Displace)]` |
//! | `mint`, `glam_0_30`, `glam_0_32`, `glam_0_34` | | conversions and `Blend` for your math types |
//! | `serde`, `bytemuck` | | saves, buffers |
//! | `rayon` | | frames of a batch on the threads of a pool |
//! | `process` | | the exchange between processes, in a memory-mapped file (Linux) |
//!
//! A restored object continues bit for bit if the format keeps every bit of an f64: `serde_json` needs its feature
//! `float_roundtrip` for that (the example `save` shows the whole way). JSON has neither
//! NaN nor infinities. Poses, rotations, angles and batches therefore write them as `"NaN"`, `"inf"` and `"-inf"` in
//! every human-readable format, and read them back (a NaN as some NaN). Plain numbers and types of your own are written
//! as the format writes them: the NaN of a `Track<[f32; 3]>` becomes a `null` in JSON, and reading that is an error.
//!
// Links to modules that this build does not have lead to the table of features instead.
#![cfg_attr(feature = "alloc", doc = "[crowd]: batch::Batch")]
#![cfg_attr(not(feature = "alloc"), doc = "[`batch`]: #features\n[crowd]: #features")]
#![cfg_attr(
    not(all(feature = "alloc", target_has_atomic = "64", target_endian = "little")),
    doc = "[`exchange`]: #features"
)]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
// On docs.rs, each item says which feature it needs. No one but our tests builds with `loom`.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(docsrs, doc(auto_cfg(hide(loom))))]
#![warn(missing_docs)]

// So that the derive macro's paths also work in our own tests and docs.
extern crate self as portamento;

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
pub mod batch;
pub mod blend;
pub mod camera;
mod count;
mod drawn;
mod error;
#[cfg(all(feature = "alloc", target_has_atomic = "64", target_endian = "little"))]
pub mod exchange;
mod math;
pub mod older_rules;
pub mod playhead;
pub mod recipes;
pub mod remote;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "serde")]
mod serde_array;
#[cfg(feature = "serde")]
mod serde_number;
pub mod step;
pub mod track;

pub use drawn::{Drawn, IntoPresented, Presented};
pub use error::SettingError;
pub use step::Moment;
pub use track::Track;

/// The README's examples are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
