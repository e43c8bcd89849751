//! What can a camera follow?

use crate::Drawn;
use crate::blend::{Pose, Pose2, Pose64};

/// What a camera can follow: a pose or place, best as a [`Drawn`].
///
/// | camera | `P` | follows |
/// |---|---|---|
/// | [`ChaseCamera`](super::ChaseCamera) | `Pose64` | [`Pose`], [`Pose64`] |
/// | [`FollowCamera`](super::FollowCamera) | `[f64; 2]` | `[f32; 2]`, `[f64; 2]`, [`Pose2`] |
///
/// Give the [`Drawn`] that `draw` returned, of a track, batch, timeline, snapshot buffer or the exchange: it reports
/// cuts, and the camera jumps with the body. A bare pose (what `view` returns) reports no cuts: the camera would fly
/// through a teleport, unless you call its `cut` method yourself. One `Drawn` may be given to several cameras.
///
/// For a type of your own, use [`Drawn::map`]:
///
/// ```
/// use portamento::blend::{Blend, Pose};
/// use portamento::camera::{ChaseCamera, ChaseSettings};
/// use portamento::{Moment, Track};
///
/// #[derive(Clone, PartialEq, Blend)]
/// struct Tank {
///     hull: Pose,
///     fuel: f32,
/// }
///
/// # let mut camera = ChaseCamera::new(ChaseSettings::y_up())?;
/// # let moment = Moment::newest(0.0);
/// let mut tank = Track::new(Tank { hull: Pose::at([0.0; 3]), fuel: 1.0 });
/// camera.update(moment, tank.draw(moment).map(|tank| tank.hull));
/// # Ok::<(), portamento::SettingError>(())
/// ```
///
/// Or implement `IntoSubject` for it. A type that a camera cannot follow is a compile error that names both cures:
///
/// ```compile_fail,E0277
/// # use portamento::camera::{ChaseCamera, ChaseSettings};
/// # use portamento::{Moment, Track};
/// # let mut camera = ChaseCamera::new(ChaseSettings::y_up()).unwrap();
/// # let moment = Moment::newest(0.0);
/// let mut body = Track::new([0.0f32; 3]);
/// camera.update(moment, body.draw(moment)); // a position has no heading to be behind of
/// ```
#[diagnostic::on_unimplemented(
    message = "a camera cannot follow `{Self}`: it does not implement `IntoSubject<{P}>`",
    label = "neither a pose or place that this camera follows, nor a `Drawn` of one",
    note = "`ChaseCamera` follows a `Pose` or `Pose64`; `FollowCamera` follows `[f32; 2]`, `[f64; 2]` or `Pose2`",
    note = "of your own type, give that part with `map`: `camera.update(moment, drawn.map(|body| body.pose))`; a bare position becomes a pose by `map(Pose::at)`",
    note = "or implement `portamento::camera::IntoSubject` for your type"
)]
pub trait IntoSubject<P> {
    /// Returns the pose or place as drawn, and whether a cut lies before it.
    fn into_subject(self) -> Drawn<P>;
}

impl<P, T: IntoSubject<P>> IntoSubject<P> for Drawn<T> {
    fn into_subject(self) -> Drawn<P> {
        let now = self.now.into_subject();
        Drawn { now: now.now, before: self.before.into_subject().now, cut: self.cut || now.cut }
    }
}

/// A view that reports no cut.
fn uncut<P: Copy>(now: P) -> Drawn<P> {
    Drawn { now, before: now, cut: false }
}

impl IntoSubject<Pose64> for Pose64 {
    fn into_subject(self) -> Drawn<Pose64> {
        uncut(self)
    }
}

impl IntoSubject<Pose64> for Pose {
    fn into_subject(self) -> Drawn<Pose64> {
        uncut(Pose64::new(self.position.map(f64::from), self.rotation))
    }
}

impl IntoSubject<[f64; 2]> for [f64; 2] {
    fn into_subject(self) -> Drawn<[f64; 2]> {
        uncut(self)
    }
}

impl IntoSubject<[f64; 2]> for [f32; 2] {
    fn into_subject(self) -> Drawn<[f64; 2]> {
        uncut(self.map(f64::from))
    }
}

impl IntoSubject<[f64; 2]> for Pose2 {
    fn into_subject(self) -> Drawn<[f64; 2]> {
        self.position.into_subject()
    }
}
