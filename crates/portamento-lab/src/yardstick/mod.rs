//! How smooth is what was drawn?
//!
//! [`measure`] compares a drawn motion with the true one and gives every figure at once. The picture is
//! first shifted in time by the latency that fits best, so that "late" and "uneven" become two separate
//! figures: being late is the price of a method, unevenness is what the eye complains about. Compare methods
//! by both, as points of a front.
//!
//! ```
//! use portamento_lab::strategy::oracle::oracle;
//! use portamento_lab::yardstick::{Motion, Rules, measure};
//!
//! let motion = Motion::sampled(10.0, 100.0, |t| [5.0 * t, 0.0, 0.0]);
//! let frames: Vec<f64> = (60..600).map(|k| k as f64 / 60.0).collect();
//! let drawn = oracle(&motion, &frames, 0.080);
//! let figures = measure(&motion, &drawn, &Rules::default());
//! assert_eq!(figures.latency, 0.080);
//! assert!(figures.judder < 1e-9);
//! ```

pub mod animation;
mod cuts;
mod figures;
pub mod motion;
pub mod place;
pub mod spectrum;
pub mod statistics;

pub use animation::AnimationError;
pub use cuts::Slide;
pub use figures::{Figures, Rules, Wall, judder_error, measure};
pub use motion::{Motion, Sample};
pub use place::{Place, Turn, Vector};
