//! Who is looking?
//!
//! Cameras that follow what is *drawn*. Both take the target's view and the frame's [`Moment`](crate::Moment), so
//! that camera and target advance by the same time; with two clocks the body shakes on the screen.
//!
//! | | |
//! |---|---|
//! | [`ChaseCamera`] | behind and above a body in three dimensions, kept out of walls by your hook |
//! | [`FollowCamera`] | over a flat world: bounds, zoom, dead zone, shake, screen to world and back |
//! | [`Glide`] | the damping of both, for whatever else follows something |
//!
//! ```
//! use portamento::blend::Pose;
//! use portamento::camera::{ChaseCamera, ChaseSettings};
//! use portamento::step::{Frame, Stepper};
//! use portamento::Track;
//!
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! let mut stepper = Stepper::fixed(60.0)?;
//! let mut runner = Track::new(Pose::at([0.0; 3]));
//! let mut camera = ChaseCamera::new(ChaseSettings::default())?; // y up, bodies face -z
//!
//! for _ in 0..288 {
//!     let Frame { ticks, moment, lost: _ } = stepper.frame(1.0 / 144.0);
//!     for tick in ticks {
//!         let mut pose = *runner.truth();
//!         pose.position[2] -= 10.0 * tick.dt as f32; // your simulation: 10 m/s
//!         runner.push(pose);
//!     }
//!     let body = runner.draw(moment); // knows of cuts, and the camera learns of them from it
//!     let shot = camera.update(moment, body);
//!     let _view_matrix_from = shot.pose();
//! }
//! # Ok(())
//! # }
//! ```

mod chase;
mod damping;
mod follow;
mod framing;
mod shake;
#[cfg(test)]
mod tests;

pub use chase::{ChaseCamera, ChaseRule, ChaseSettings, Fade, IntoSubject, Shot, Subject};
pub use damping::Glide;
pub use follow::{FollowCamera, FollowRule, FollowSettings, IntoSubject2, Subject2};
pub use framing::{Framing, Rect, ScreenY};
pub use shake::Shake;

/// What a camera was given and could not use. The counts never shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ignored {
    /// Targets with a number that is not finite: the camera stayed as it was.
    pub targets: u64,
    /// Frames whose presented time was infinite: nothing moved.
    pub times: u64,
    /// Places from the collision hook that were not finite: the camera went where it wanted to.
    pub places: u64,
    /// Requests (a shake, a zoom) with a number that is not finite or makes no sense.
    pub requests: u64,
}

/// Time that a frame can advance by. Zero is a frame in which nothing moved; NaN and negatives cannot leave a
/// moment, and are refused all the same.
fn usable(seconds: f64) -> bool {
    seconds >= 0.0 && seconds.is_finite()
}
