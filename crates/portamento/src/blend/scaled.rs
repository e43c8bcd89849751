//! Poses with a size: what lies between two of them, and how they move.

use super::{ARRIVED, Blend, Hermite};

/// A pose with a scale per axis. A scale that changes sign is a mirror image, which nothing lies between:
/// the whole pose then snaps.
///
/// The velocity is that of the pose. A scale has no velocity: it goes straight from one value to the next, and is not
/// extrapolated, because it could pass through zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Scaled<P> {
    /// Position and orientation.
    pub pose: P,
    /// Size along each of its own axes.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub scale: [f32; 3],
}

fn mirrors(from: &[f32; 3], to: &[f32; 3]) -> bool {
    // Not by the product, which is zero for two tiny scales.
    from.iter().zip(to).any(|(&from, &to)| (from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0))
}

impl<P: Blend> Blend for Scaled<P> {
    #[inline]
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        if mirrors(&self.scale, &to.scale) {
            // Arrives when everything else does.
            return if alpha as f32 >= ARRIVED { to.clone() } else { self.clone() };
        }
        Self { pose: self.pose.blend(&to.pose, alpha), scale: self.scale.blend(&to.scale, alpha) }
    }

    #[inline]
    fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
        if mirrors(&self.scale, &to.scale) {
            return to.clone();
        }
        Self { pose: self.pose.extrapolate(&to.pose, beyond), scale: to.scale }
    }

    #[inline]
    fn rests(&self, to: &Self) -> bool {
        self.pose.rests(&to.pose) && self.scale.rests(&to.scale)
    }
}

/// The way from one scaled pose to another, ready to be looked up: see [`Hermite::Curve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaledCurve<C> {
    pose: C,
    from: [f32; 3],
    to: [f32; 3],
}

impl<P: Hermite> Hermite for Scaled<P> {
    type Velocity = P::Velocity;
    type Curve = ScaledCurve<P::Curve>;

    #[inline]
    fn curve(
        from: &Self,
        leaving: &P::Velocity,
        to: &Self,
        arriving: &P::Velocity,
        span: f64,
    ) -> Self::Curve {
        let pose = P::curve(&from.pose, leaving, &to.pose, arriving, span);
        ScaledCurve { pose, from: from.scale, to: to.scale }
    }

    #[inline]
    fn on(curve: &Self::Curve, alpha: f64) -> Self {
        let ScaledCurve { pose, from, to } = curve;
        // The ends of the pose's curve are its exact ends.
        let alpha = if mirrors(from, to) && !(alpha >= 1.0) { 0.0 } else { alpha };
        Self { pose: P::on(pose, alpha), scale: from.blend(to, alpha) }
    }

    #[inline]
    fn velocity(from: &Self, to: &Self, span: f64) -> P::Velocity {
        P::velocity(&from.pose, &to.pose, span)
    }

    #[inline]
    fn advance(&self, velocity: &P::Velocity, seconds: f64) -> Self {
        Self { pose: self.pose.advance(velocity, seconds), scale: self.scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blend::{Moving, Pose, Velocity};

    const RUNNING: Velocity = Velocity { linear: [4.0, 0.0, 0.0], angular: [0.0, 0.0, 9.0] };

    fn at(x: f32, scale: f32) -> Scaled<Pose> {
        Scaled { pose: Pose::at([x, 0.0, 0.0]), scale: [scale, 1.0, 1.0] }
    }

    #[test]
    fn a_scaled_pose_moves_like_its_pose_and_grows_in_a_straight_line() {
        let (from, to) = (at(0.0, 1.0), at(1.0, 3.0));
        let standing = Velocity::default();
        for alpha in [0.0, 0.25, 0.5, 1.0, f64::NAN] {
            let drawn = Scaled::hermite(&from, &RUNNING, &to, &standing, 0.5, alpha);
            assert_eq!(drawn.pose, Pose::hermite(&from.pose, &RUNNING, &to.pose, &standing, 0.5, alpha));
            let straight = if alpha.is_nan() { 1.0 } else { 1.0 + 2.0 * alpha as f32 };
            assert_eq!(drawn.scale, [straight, 1.0, 1.0]);
        }
        assert_eq!(Scaled::velocity(&from, &to, 0.5), Pose::velocity(&from.pose, &to.pose, 0.5));
        let later = to.advance(&RUNNING, 2.0);
        assert_eq!(later, Scaled { pose: to.pose.advance(&RUNNING, 2.0), scale: to.scale });
    }

    #[test]
    fn a_mirrored_pose_snaps_as_a_whole_on_a_curve_too() {
        let (from, to) = (at(0.0, 1.0), at(1.0, -1.0));
        for (alpha, drawn) in [(0.0, from), (0.5, from), (0.999, from), (1.0, to), (f64::NAN, from)] {
            assert_eq!(Scaled::hermite(&from, &RUNNING, &to, &RUNNING, 0.1, alpha), drawn);
        }
    }

    #[test]
    fn a_moving_scaled_pose_rests_exactly() {
        let at = Moving { value: at(0.1, 0.3), velocity: Velocity::default(), step: 0.1 };
        assert_eq!(at.blend(&at, 0.37), at);
    }
}
