//! Values that come with velocities: a curve that leaves and arrives at the right speed.

use super::turning::RotationCurve;
use super::{Blend, Pose, Pose64, Rotation, Velocity};

/// A value whose velocity is known (or estimated), blended on a cubic that has this velocity at both ends.
///
/// `span` is the true time from one value to the other in seconds, so unevenly spaced samples are drawn right. A
/// rotation's velocity also shows how many whole turns lie between the two, so a wheel may spin more than half a turn
/// per tick.
///
/// ```
/// use portamento::blend::Hermite;
/// // A ball thrown up at 10 m/s, sampled at 0 and 1 s under 10 m/s^2: the cubic is the exact parabola.
/// let height = f64::hermite(&0.0, &10.0, &5.0, &0.0, 1.0, 0.5);
/// assert_eq!(height, 3.75);
/// ```
///
/// Derive it for your own types, beside [`Blend`]: the velocity is then the tuple of the moving fields' velocities. (To
/// write it by hand, see the trait's source: it also describes what only the macro and the library call.)
#[cfg_attr(feature = "derive", doc = "```")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// use portamento::blend::{Blend, Hermite};
///
/// #[derive(Clone, Blend, Hermite)]
/// struct Crane {
///     hook: [f64; 3],
///     #[blend(angle)]
///     arm: f32,
///     #[blend(snap)]
///     load: &'static str,
/// }
///
/// let from = Crane { hook: [0.0; 3], arm: 3.0, load: "none" };
/// let to = Crane { hook: [0.0, 4.0, 0.0], arm: -3.0, load: "steel" };
/// let velocity = Crane::velocity(&from, &to, 2.0);
/// assert_eq!(velocity.0, [0.0, 2.0, 0.0]);
/// assert!((velocity.1 - 0.1416).abs() < 1e-4); // the short way around
/// assert_eq!(to.advance(&velocity, 1.0).hook, [0.0, 6.0, 0.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no velocity: how it moves from one value to another is not known",
    label = "has no `Hermite`",
    note = "a field that does not move takes `#[blend(snap)]`; `#[blend(gauge)]` draws it straight from one value to \
            the next, `#[blend(with = path)]` by your own function",
    note = "a type of your own can `#[derive(Clone, Blend, Hermite)]`"
)]
pub trait Hermite: Blend {
    /// Change per second. For a number it is a number, for an [`Angle`](super::Angle) or [`Turn`](super::Turn) radians,
    /// for a [`Rotation`] axis times radians. For a [`Pose`] it is a [`Velocity`], for a [`Pose2`](super::Pose2) a
    /// [`Velocity2`](super::Velocity2), for a [`Scaled`](super::Scaled) pose that of the pose.
    type Velocity: Blend + PartialEq;

    /// What is the same at every alpha between two values. Code that draws many frames between them computes it once.
    #[doc(hidden)] // the derive macro implements it; snapshots and the Bevy plugin keep one between two values
    type Curve: Clone;

    /// Returns the way of `span` seconds from one value to another.
    #[doc(hidden)] // as `Curve`
    #[must_use]
    fn curve(
        from: &Self,
        leaving: &Self::Velocity,
        to: &Self,
        arriving: &Self::Velocity,
        span: f64,
    ) -> Self::Curve;

    /// Returns the value at `alpha` (0..=1; NaN counts as 0) of a way. Exact at both ends.
    #[doc(hidden)] // as `Curve`
    #[must_use]
    fn on(curve: &Self::Curve, alpha: f64) -> Self;

    /// Returns the value at `alpha` (0..=1; NaN counts as 0) of the way of `span` seconds from `from` to `to`. Exact at both
    /// ends.
    #[inline]
    #[must_use]
    fn hermite(
        from: &Self,
        leaving: &Self::Velocity,
        to: &Self,
        arriving: &Self::Velocity,
        span: f64,
        alpha: f64,
    ) -> Self {
        Self::on(&Self::curve(from, leaving, to, arriving, span), alpha)
    }

    /// Returns the mean velocity between two values `span` seconds apart; exactly zero between equal ones and where
    /// `span` is not positive.
    #[must_use]
    fn velocity(from: &Self, to: &Self, span: f64) -> Self::Velocity;

    /// Returns the value `seconds` later, at a steady velocity. What would not be finite stays where it is.
    #[must_use]
    fn advance(&self, velocity: &Self::Velocity, seconds: f64) -> Self;
}

/// The way from one number to another, ready to be looked up: see [`Hermite::Curve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic<F> {
    from: F,
    to: F,
    /// The velocities times the span.
    leaving: F,
    arriving: F,
}

/// The cubic's weights for (to - from, leaving * span, arriving * span): a deviation from `from`, so that rest is
/// exact. Equal ends and no velocity give the value's own bits.
#[inline]
pub(super) fn weights(t: f64) -> [f64; 3] {
    let (t2, t3) = (t * t, t * t * t);
    [3.0 * t2 - 2.0 * t3, t3 - 2.0 * t2 + t, t3 - t2]
}

macro_rules! hermite_for {
    ($float:ty) => {
        impl Hermite for $float {
            type Velocity = $float;
            type Curve = Cubic<$float>;

            #[inline]
            fn curve(from: &Self, leaving: &Self, to: &Self, arriving: &Self, span: f64) -> Cubic<Self> {
                let over = |velocity: $float| (velocity as f64 * span) as $float;
                Cubic { from: *from, to: *to, leaving: over(*leaving), arriving: over(*arriving) }
            }

            #[inline]
            fn on(curve: &Cubic<Self>, alpha: f64) -> Self {
                let Cubic { from, to, leaving, arriving } = *curve;
                if !(alpha > 0.0) {
                    return from;
                }
                if alpha >= 1.0 {
                    return to;
                }
                let [w1, w2, w3] = weights(alpha);
                // Taken off, not added: so a zero that stays keeps its sign.
                let back = (from as f64 - to as f64) * w1 - (leaving as f64 * w2 + arriving as f64 * w3);
                let out = (from as f64 - back) as $float;
                // A velocity that is off the scale must not carry the value there.
                if out.is_finite() { out } else { from.blend(&to, alpha) }
            }

            #[inline]
            fn velocity(from: &Self, to: &Self, span: f64) -> Self {
                // By the reciprocal, which the numbers of an array share.
                let v = ((*to as f64 - *from as f64) * (1.0 / span)) as $float;
                if span > 0.0 && v.is_finite() { v } else { 0.0 }
            }

            #[inline]
            fn advance(&self, velocity: &Self, seconds: f64) -> Self {
                let way = *velocity as f64 * seconds;
                let out = (*self as f64 + way) as $float;
                // No way at all keeps the sign of a zero too.
                if out.is_finite() && way != 0.0 { out } else { *self }
            }
        }
    };
}

hermite_for!(f32);
hermite_for!(f64);

impl<T: Hermite, const N: usize> Hermite for [T; N] {
    type Velocity = [T::Velocity; N];
    type Curve = [T::Curve; N];

    #[inline]
    fn curve(
        from: &Self,
        leaving: &Self::Velocity,
        to: &Self,
        arriving: &Self::Velocity,
        span: f64,
    ) -> Self::Curve {
        core::array::from_fn(|i| T::curve(&from[i], &leaving[i], &to[i], &arriving[i], span))
    }

    #[inline]
    fn on(curve: &Self::Curve, alpha: f64) -> Self {
        core::array::from_fn(|i| T::on(&curve[i], alpha))
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

/// The way from one pose to another, ready to be looked up: see [`Hermite::Curve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseCurve<F> {
    position: [Cubic<F>; 3],
    rotation: RotationCurve,
}

macro_rules! hermite_for_pose {
    ($name:ident, $float:ty) => {
        impl Hermite for $name {
            type Velocity = Velocity;
            type Curve = PoseCurve<$float>;

            #[inline]
            fn curve(
                from: &Self,
                leaving: &Velocity,
                to: &Self,
                arriving: &Velocity,
                span: f64,
            ) -> PoseCurve<$float> {
                let (out, back) = (leaving.linear.map(<$float>::from), arriving.linear.map(<$float>::from));
                PoseCurve {
                    position: Hermite::curve(&from.position, &out, &to.position, &back, span),
                    rotation: Rotation::curve(
                        &from.rotation,
                        &leaving.angular,
                        &to.rotation,
                        &arriving.angular,
                        span,
                    ),
                }
            }

            #[inline]
            fn on(curve: &PoseCurve<$float>, alpha: f64) -> Self {
                Self {
                    position: Hermite::on(&curve.position, alpha),
                    rotation: Rotation::on(&curve.rotation, alpha),
                }
            }

            #[inline]
            fn velocity(from: &Self, to: &Self, span: f64) -> Velocity {
                Velocity {
                    linear: Hermite::velocity(&from.position, &to.position, span).map(|c| c as f32),
                    angular: Rotation::velocity(&from.rotation, &to.rotation, span),
                }
            }

            #[inline]
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
/// The one exception to "equal values give themselves": between two equal values with a velocity lies a swing (or, for
/// a wheel, a whole turn). Give a velocity of zero when the entity stands still.
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
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
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

    fn rests(&self, to: &Self) -> bool {
        // Between equal values the mean velocity is zero, to the bit.
        to.velocity == T::velocity(&to.value, &to.value, to.step) && self.value.rests(&to.value)
    }
}
