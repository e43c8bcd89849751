//! Angles: the shortest way around, whatever the numbers say.

use super::Blend;
use crate::math::wrap_angle;

/// An angle in radians that blends the shortest way around the circle.
///
/// ```
/// use portamento::blend::{Angle, Blend};
/// let almost_half = Angle(3.0);
/// let just_past = Angle(-3.0); // 0.28 rad further, not 6 rad back
/// assert!((almost_half.blend(&just_past, 0.5).0.abs() - core::f32::consts::PI).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(transparent)]
pub struct Angle(
    /// Radians; any number of turns.
    pub f32,
);

macro_rules! angle {
    ($name:ident, $float:ty) => {
        /// Radians, the shortest way around. The ends keep their own bits, so a result may differ from `b` by
        /// whole turns until it arrives. Exactly opposite angles turn the way their numbers say.
        #[inline]
        #[must_use]
        pub fn $name(a: $float, b: $float, alpha: f64) -> $float {
            if alpha >= 1.0 {
                return b;
            }
            if !(alpha > 0.0) || a == b {
                return a;
            }
            let way = wrap_angle(b as f64 - a as f64);
            wrap_angle(a as f64 + way * alpha) as $float
        }
    };
}

angle!(angle_f32, f32);
angle!(angle_f64, f64);

impl Blend for Angle {
    #[inline]
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        Angle(angle_f32(self.0, to.0, alpha))
    }

    #[inline]
    fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
        if self == to {
            return *to; // at rest it keeps its bits, whole turns included
        }
        let way = wrap_angle(to.0 as f64 - self.0 as f64);
        let out = wrap_angle(to.0 as f64 + way * beyond) as f32;
        if out.is_finite() { out.into() } else { *to }
    }
}

impl From<f32> for Angle {
    fn from(radians: f32) -> Self {
        Angle(radians)
    }
}
