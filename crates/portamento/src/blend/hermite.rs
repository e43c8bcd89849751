//! Values that come with velocities: a curve that leaves and arrives at the right speed.

use super::{Blend, Pose, Pose64, Rotation, Velocity};
use crate::math;

/// A value whose velocity is known (or estimated), blended on a cubic that honours it at both ends.
///
/// `span` is the time from one value to the other in seconds: true spacing, so uneven samples are right.
/// A rotation's velocity also tells how many whole turns lie between the two, so a wheel may spin more than
/// half a turn per tick.
///
/// ```
/// use portamento::blend::Hermite;
/// // A ball thrown up at 10 m/s, sampled at 0 and 1 s under 10 m/s^2: the cubic is the exact parabola.
/// let height = f64::hermite(&0.0, &10.0, &5.0, &0.0, 1.0, 0.5);
/// assert_eq!(height, 3.75);
/// ```
pub trait Hermite: Blend {
    /// Change per second.
    type Velocity: Blend;

    /// The value at `alpha` (0..=1; NaN counts as 0) of the `span` seconds from `from` to `to`. Exact at both ends.
    #[must_use]
    fn hermite(
        from: &Self,
        leaving: &Self::Velocity,
        to: &Self,
        arriving: &Self::Velocity,
        span: f64,
        alpha: f64,
    ) -> Self;

    /// The mean velocity between two values `span` seconds apart; zero where `span` is not positive.
    #[must_use]
    fn velocity(from: &Self, to: &Self, span: f64) -> Self::Velocity;

    /// The value `seconds` later, at a steady velocity. What would not be finite stays where it is.
    #[must_use]
    fn advance(&self, velocity: &Self::Velocity, seconds: f64) -> Self;
}

/// The cubic's weights for (from, to, leaving * span, arriving * span).
#[inline]
fn weights(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, 3.0 * t2 - 2.0 * t3, t3 - 2.0 * t2 + t, t3 - t2]
}

/// The cubic as a deviation from the straight line, so that rest is exact: equal ends and no velocity give
/// the value's own bits.
#[inline]
fn cubic(from: f64, leaving: f64, to: f64, arriving: f64, span: f64, t: f64) -> f64 {
    let [_, w1, w2, w3] = weights(t);
    from + ((to - from) * w1 + (leaving * w2 + arriving * w3) * span)
}

macro_rules! hermite_for {
    ($float:ty) => {
        impl Hermite for $float {
            type Velocity = $float;

            #[inline]
            fn hermite(
                from: &Self,
                leaving: &Self,
                to: &Self,
                arriving: &Self,
                span: f64,
                alpha: f64,
            ) -> Self {
                if !(alpha > 0.0) {
                    return *from;
                }
                if alpha >= 1.0 {
                    return *to;
                }
                let out =
                    cubic(*from as f64, *leaving as f64, *to as f64, *arriving as f64, span, alpha) as $float;
                // A velocity that is off the scale must not carry the value there.
                if out.is_finite() { out } else { from.blend(to, alpha) }
            }

            #[inline]
            fn velocity(from: &Self, to: &Self, span: f64) -> Self {
                let v = ((*to as f64 - *from as f64) / span) as $float;
                if span > 0.0 && v.is_finite() { v } else { 0.0 }
            }

            #[inline]
            fn advance(&self, velocity: &Self, seconds: f64) -> Self {
                let out = (*self as f64 + *velocity as f64 * seconds) as $float;
                if out.is_finite() { out } else { *self }
            }
        }
    };
}

hermite_for!(f32);
hermite_for!(f64);

impl<T: Hermite, const N: usize> Hermite for [T; N] {
    type Velocity = [T::Velocity; N];

    #[inline]
    fn hermite(
        from: &Self,
        leaving: &Self::Velocity,
        to: &Self,
        arriving: &Self::Velocity,
        span: f64,
        alpha: f64,
    ) -> Self {
        core::array::from_fn(|i| T::hermite(&from[i], &leaving[i], &to[i], &arriving[i], span, alpha))
    }

    #[inline]
    fn velocity(from: &Self, to: &Self, span: f64) -> Self::Velocity {
        core::array::from_fn(|i| T::velocity(&from[i], &to[i], span))
    }

    #[inline]
    fn advance(&self, velocity: &Self::Velocity, seconds: f64) -> Self {
        core::array::from_fn(|i| self[i].advance(&velocity[i], seconds))
    }
}

/// The rotation vector from one rotation to another, with the whole turns that `angular * span` suggests.
fn turn_between(from: Rotation, to: Rotation, expected: [f64; 3]) -> [f64; 3] {
    const TURN: f64 = 2.0 * core::f64::consts::PI;
    let short = to.mul(from.inverse()).to_rotation_vector();
    let angle = math::length(short);
    let expected_angle = math::length(expected);
    // Half a turn is the most that the short way can be; below it no velocity is needed to decide.
    if !expected_angle.is_finite() || expected_angle < core::f64::consts::FRAC_PI_2 {
        return short;
    }
    if angle > 1e-6 {
        let axis = short.map(|c| c / angle);
        let along = axis[0] * expected[0] + axis[1] * expected[1] + axis[2] * expected[2];
        let turns = math::round((along - angle) / TURN);
        axis.map(|c| c * (angle + turns * TURN))
    } else {
        // Whole turns exactly: only the velocity knows the axis.
        let turns = math::round(expected_angle / TURN);
        let axis = expected.map(|c| c / expected_angle);
        core::array::from_fn(|i| short[i] + axis[i] * turns * TURN)
    }
}

impl Hermite for Rotation {
    type Velocity = [f32; 3];

    fn hermite(
        from: &Self,
        leaving: &[f32; 3],
        to: &Self,
        arriving: &[f32; 3],
        span: f64,
        alpha: f64,
    ) -> Self {
        if !(alpha > 0.0) {
            return *from;
        }
        if alpha >= 1.0 {
            return *to;
        }
        let (leaving, arriving) = (leaving.map(f64::from), arriving.map(f64::from));
        if from == to && leaving == [0.0; 3] && arriving == [0.0; 3] {
            return *to;
        }
        let mean = core::array::from_fn(|i| (leaving[i] + arriving[i]) * 0.5 * span);
        let turn = turn_between(*from, *to, mean);
        let at: [f64; 3] =
            core::array::from_fn(|i| cubic(0.0, leaving[i], turn[i], arriving[i], span, alpha));
        if at.iter().any(|c| !c.is_finite()) {
            return from.nlerp(*to, alpha);
        }
        Self::from_xyzw(Self::from_rotation_vector(at).mul(*from).to_array()).unwrap_or(*to)
    }

    fn velocity(from: &Self, to: &Self, span: f64) -> [f32; 3] {
        let turn = to.mul(from.inverse()).to_rotation_vector();
        let v = turn.map(|c| (c / span) as f32);
        if span > 0.0 && v.iter().all(|c| c.is_finite()) { v } else { [0.0; 3] }
    }

    fn advance(&self, velocity: &[f32; 3], seconds: f64) -> Self {
        if *velocity == [0.0; 3] {
            return *self;
        }
        let turn = Self::from_rotation_vector(velocity.map(|c| c as f64 * seconds));
        Self::from_xyzw(turn.mul(*self).to_array()).unwrap_or(*self)
    }
}

macro_rules! hermite_for_pose {
    ($name:ident, $float:ty) => {
        impl Hermite for $name {
            type Velocity = Velocity;

            fn hermite(
                from: &Self,
                leaving: &Velocity,
                to: &Self,
                arriving: &Velocity,
                span: f64,
                alpha: f64,
            ) -> Self {
                Self {
                    position: Hermite::hermite(
                        &from.position,
                        &leaving.linear.map(<$float>::from),
                        &to.position,
                        &arriving.linear.map(<$float>::from),
                        span,
                        alpha,
                    ),
                    rotation: Rotation::hermite(
                        &from.rotation,
                        &leaving.angular,
                        &to.rotation,
                        &arriving.angular,
                        span,
                        alpha,
                    ),
                }
            }

            fn velocity(from: &Self, to: &Self, span: f64) -> Velocity {
                Velocity {
                    linear: Hermite::velocity(&from.position, &to.position, span).map(|c| c as f32),
                    angular: Rotation::velocity(&from.rotation, &to.rotation, span),
                }
            }

            fn advance(&self, velocity: &Velocity, seconds: f64) -> Self {
                Self {
                    position: self.position.advance(&velocity.linear.map(<$float>::from), seconds),
                    rotation: self.rotation.advance(&velocity.angular, seconds),
                }
            }
        }
    };
}

hermite_for_pose!(Pose, f32);
hermite_for_pose!(Pose64, f64);

/// A value that carries its velocity, so that a [`Track`](crate::track::Track) draws it on the cubic.
///
/// The one exception to "equal values give themselves": between two equal values with a velocity lies a swing (or,
/// for a wheel, a whole turn). Say zero when a thing stands.
///
/// ```
/// use portamento::blend::{Blend, Moving};
/// // One tick of 0.1 s: from rest to 10 m/s.
/// let from = Moving { value: 0.0f32, velocity: 0.0, step: 0.1 };
/// let to = Moving { value: 0.5, velocity: 10.0, step: 0.1 };
/// assert!((from.blend(&to, 0.5).value - 0.125).abs() < 1e-6); // s = a t^2 / 2
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moving<T: Hermite> {
    /// The value at the end of its tick.
    pub value: T,
    /// Its velocity there, per second.
    pub velocity: T::Velocity,
    /// Length of the tick that led here, in seconds; ticks may differ.
    pub step: f64,
}

impl<T: Hermite> Blend for Moving<T> {
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        if alpha >= 1.0 {
            return to.clone();
        }
        if !(alpha > 0.0) {
            return self.clone();
        }
        Self {
            value: T::hermite(&self.value, &self.velocity, &to.value, &to.velocity, to.step, alpha),
            velocity: self.velocity.blend(&to.velocity, alpha),
            step: to.step,
        }
    }

    fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
        Self { value: to.value.advance(&to.velocity, beyond * to.step), ..to.clone() }
    }
}
