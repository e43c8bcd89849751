//! Decides when ticks run and which moment a frame draws: a fixed timestep, or a gate for ticks of variable length.
//!
//! When does the simulation run? A [`Stepper`] takes each frame's time, and returns the ticks that are due and the [`Moment`] that the frame draws.
//! Two policies:
//!
//! | | [`Stepper::fixed`] | [`Stepper::gated`] |
//! |---|---|---|
//! | ticks | all of one length; every one that is due runs | portions of time between a shortest and a longest length |
//! | a very long frame | is cut off, the rest reported | is thrown away as stale, and reported |
//! | one frame simulates at most | 0.25 s, whatever the time scale | 2 s |
//! | for | physics, lockstep, anything new | worlds whose physics was made for variable portions of time |
//!
//! Settings are plain structs: [`FixedSettings`] for [`Stepper::new`], [`GateSettings`] for
//! [`GatedStepper::with_gate`](Stepper::with_gate).
//!
//! ```
//! use portamento::step::{Frame, Stepper};
//! use portamento::Track;
//!
//! # fn main() -> Result<(), portamento::SettingError> {
//! let mut stepper = Stepper::fixed(60.0)?;
//! let mut ball = Track::new(0.0);
//!
//! for frame_time in [1.0 / 144.0; 144] {
//!     let Frame { ticks, moment, lost } = stepper.frame(frame_time);
//!     for tick in ticks {
//!         let moved = ball.truth() + 3.0 * tick.dt; // your simulation: 3 m/s
//!         ball.push(moved);
//!     }
//!     if let Some(why) = lost.reason {
//!         eprintln!("{} s were not simulated: {why}", lost.seconds);
//!     }
//!     let _draw_here = ball.view(moment);
//! }
//! assert_eq!(stepper.counts().ticks, 60);
//! # Ok(())
//! # }
//! ```
//!
//! Times are f64 seconds. With a frame time that no clock should give (NaN, infinite, zero, negative) nothing advances,
//! and [`StepperCounts::unusable`] counts it.
//!
//! To pause a game and step through it, tick by tick:
//!
//! ```
//! # use portamento::step::Stepper;
//! # fn main() -> Result<(), portamento::SettingError> {
//! # let mut stepper = Stepper::fixed(60.0)?;
//! stepper.pause();
//! assert_eq!(stepper.frame(0.1).ticks.len(), 0);
//! assert_eq!(stepper.step_once().ticks.len(), 1);
//! stepper.resume();
//! # Ok(())
//! # }
//! ```

mod checks;
mod even;
mod fixed;
mod frame_clock;
mod gate;
mod moment;
#[cfg(feature = "serde")]
mod saved;
mod stepper;

pub use fixed::{FixedSettings, Snapping};
pub use gate::{GateRule, GateSettings};
pub use moment::Moment;
#[doc(hidden)]
pub use moment::MomentParts;
pub use stepper::{Frame, GatedStepper, Lost, LostReason, Stepper, StepperCounts, Tick, Ticks};
