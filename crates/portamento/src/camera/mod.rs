//! Follows what is drawn with a camera that does not shake, in three dimensions or over a flat world.
//!
//! How does a camera follow what is drawn? Both cameras take the target as *drawn*, not its truth, and the frame's time ([`Moment`](crate::Moment),
//! [`Shown`](crate::playhead::Shown), [`&PeerFrame`](crate::remote::PeerFrame) or `&WorldFrame` of the exchange), so
//! that camera and target advance by the same time. With two clocks the body shakes on the screen.
//!
//! | | |
//! |---|---|
//! | [`ChaseCamera`] | behind and above a body in three dimensions, or in its head; kept out of walls by your hook |
//! | [`FollowCamera`] | over a flat world: bounds, zoom, dead zone, look-ahead, several targets, shake, screen to world and back |
//!
//! ```
//! use portamento::blend::Pose;
//! use portamento::camera::{ChaseCamera, ChaseSettings};
//! use portamento::step::{Frame, Stepper};
//! use portamento::Track;
//!
//! # fn main() -> Result<(), portamento::SettingError> {
//! let mut stepper = Stepper::fixed(60.0)?;
//! let mut runner = Track::new(Pose::at([0.0; 3]));
//! let mut camera = ChaseCamera::new(ChaseSettings::y_up())?; // bodies face -z
//!
//! for _ in 0..288 {
//!     let Frame { ticks, moment, .. } = stepper.frame(1.0 / 144.0);
//!     for tick in ticks {
//!         let mut pose = *runner.truth();
//!         pose.position[2] -= 10.0 * tick.dt as f32; // your simulation: 10 m/s
//!         runner.push(pose);
//!     }
//!     let body = runner.draw(moment); // reports cuts to every camera that is given it
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
mod subject;
#[cfg(test)]
mod tests;

pub use chase::{ChaseCamera, ChaseRule, ChaseSettings, Shot};
pub use follow::{FollowCamera, FollowRule, FollowSettings};
pub use framing::{Framing, Rect, ScreenY};
pub use shake::ShakeSettings;
pub use subject::IntoSubject;

/// What a camera was given and could not use. The counts never shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CameraCounts {
    /// Targets with a number that is not finite, or farther out than 1e150: the camera stayed as it was.
    pub targets: u64,
    /// Frames whose presented time was infinite: nothing moved.
    pub times: u64,
    /// Places from the collision hook that were not finite, or farther out: the camera went where it wanted to.
    pub places: u64,
    /// Requests (a shake, a zoom, a rebase) with a number that is not finite, or that lead farther out.
    pub requests: u64,
}

/// Time that a frame can advance by. Zero is a frame in which nothing moved; NaN and negatives cannot leave a
/// moment, and are refused all the same.
fn usable(seconds: f64) -> bool {
    seconds >= 0.0 && seconds.is_finite()
}

/// Whether a camera can be there, or follow something there: finite, and near enough that no arithmetic on places
/// leads out of the numbers.
fn is_place<const N: usize>(place: [f64; N]) -> bool {
    place.into_iter().all(|c| c.abs() <= 1e150)
}
