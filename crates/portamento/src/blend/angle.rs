//! Angles: the shortest way around, whatever the numbers say.

use super::hermite::weights;
use super::{Blend, Hermite};
use crate::math::{round, wrap_angle};

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
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub f32,
);

/// [`Angle`] in double precision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(transparent)]
pub struct Angle64(
    /// Radians; any number of turns.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub f64,
);

macro_rules! angle {
    ($name:ident, $float:ty) => {
        /// Radians, the shortest way around. The ends keep their own bits, so a result may differ from `b` by
        /// whole turns until it arrives. Exactly opposite angles turn the way their numbers say.
        #[inline]
        #[must_use]
        pub(crate) fn $name(a: $float, b: $float, alpha: f64) -> $float {
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

/// The way from one angle to another, ready to be looked up: see [`Hermite::Curve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleCurve<F> {
    from: F,
    to: F,
    /// From one to the other, whole turns included.
    way: f64,
    /// The velocities times the span.
    leaving: F,
    arriving: F,
}

/// Radians. From here on neighbouring numbers lie a radian apart, and an angle is noise.
const FARTHEST: f64 = (1u64 << 52) as f64;

macro_rules! angle_type {
    ($name:ident, $float:ty, $blend:ident) => {
        impl Blend for $name {
            #[inline]
            fn blend(&self, to: &Self, alpha: f64) -> Self {
                $name($blend(self.0, to.0, alpha))
            }

            #[inline]
            fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
                if self == to {
                    return *to; // at rest it keeps its bits, whole turns included
                }
                let way = wrap_angle(to.0 as f64 - self.0 as f64);
                let out = to.0 as f64 + way * beyond;
                // Looked at before it is wrapped: what cannot be, `wrap_angle` calls 0.
                if out.abs() <= FARTHEST { $name(wrap_angle(out) as $float) } else { *to }
            }

            #[inline]
            fn rests(&self, to: &Self) -> bool {
                self.0.rests(&to.0)
            }
        }

        impl Hermite for $name {
            type Velocity = $float;
            type Curve = AngleCurve<$float>;

            #[inline]
            fn curve(
                from: &Self,
                leaving: &$float,
                to: &Self,
                arriving: &$float,
                span: f64,
            ) -> AngleCurve<$float> {
                const TURN: f64 = 2.0 * core::f64::consts::PI;
                let over = |velocity: $float| (velocity as f64 * span) as $float;
                let (leaving, arriving) = (over(*leaving), over(*arriving));
                let short = wrap_angle(to.0 as f64 - from.0 as f64);
                // As for rotations: below a quarter turn no velocity is needed to decide.
                let expected = (leaving as f64 + arriving as f64) * 0.5;
                let way = if expected.is_finite() && expected.abs() >= core::f64::consts::FRAC_PI_2 {
                    short + round((expected - short) / TURN) * TURN
                } else {
                    short
                };
                AngleCurve { from: from.0, to: to.0, way, leaving, arriving }
            }

            #[inline]
            fn on(curve: &AngleCurve<$float>, alpha: f64) -> Self {
                let AngleCurve { from, to, way, leaving, arriving } = *curve;
                if !(alpha > 0.0) {
                    return $name(from);
                }
                if alpha >= 1.0 {
                    return $name(to);
                }
                let [w1, w2, w3] = weights(alpha);
                let at = way * w1 + (leaving as f64 * w2 + arriving as f64 * w3);
                if at == 0.0 {
                    return $name(from); // with its own bits
                }
                if at.is_finite() {
                    $name(wrap_angle(from as f64 + at) as $float)
                } else {
                    $name($blend(from, to, alpha))
                }
            }

            #[inline]
            fn velocity(from: &Self, to: &Self, span: f64) -> $float {
                if from == to {
                    return 0.0;
                }
                let v = (wrap_angle(to.0 as f64 - from.0 as f64) * (1.0 / span)) as $float;
                if span > 0.0 && v.is_finite() { v } else { 0.0 }
            }

            #[inline]
            fn advance(&self, velocity: &$float, seconds: f64) -> Self {
                let way = *velocity as f64 * seconds;
                if way == 0.0 || !way.is_finite() {
                    return *self;
                }
                $name(wrap_angle(self.0 as f64 + way) as $float)
            }
        }

        impl From<$float> for $name {
            fn from(radians: $float) -> Self {
                $name(radians)
            }
        }
    };
}

angle_type!(Angle, f32, angle_f32);
angle_type!(Angle64, f64, angle_f64);
