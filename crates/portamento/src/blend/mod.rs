//! Interpolates between two values: numbers, rotations, poses, your own types.
//!
//! What lies between two values? [`Blend`] is the trait. It is implemented for numbers, arrays, tuples, [`Angle`], [`Rotation`], [`Pose`] and similar
//! types, and you can derive it for your own. [`Hermite`] is for values that come with velocities.
//!
//! ```
//! use portamento::blend::{Blend, Pose, Rotation};
//!
//! assert_eq!(2.0f32.blend(&4.0, 0.25), 2.5);
//! assert_eq!([0.0, 10.0].blend(&[1.0, 20.0], 0.5), [0.5, 15.0]);
//!
//! let quarter_turn = Rotation::from_axis_angle([0.0, 0.0, 1.0], 90f32.to_radians());
//! let from = Pose::new([0.0; 3], Rotation::IDENTITY);
//! let to = Pose::new([2.0, 0.0, 0.0], quarter_turn);
//! let half = from.blend(&to, 0.5);
//! assert_eq!(half.position, [1.0, 0.0, 0.0]);
//! assert!((half.rotation.angle_to(Rotation::IDENTITY).to_degrees() - 45.0).abs() < 0.01);
//! ```
//!
//! Three promises hold for every implementation here, and should for yours: the ends are exact (alpha 0 gives
//! the first value's own bits, alpha 1 the second's), equal values give themselves at every alpha, and finite
//! values never become infinite.

mod angle;
mod displace;
mod flat;
mod flat_motion;
mod glam;
mod glam_displace;
mod hermite;
mod matrix;
#[cfg(feature = "mint")]
mod mint;
mod pose;
mod rotation;
mod scaled;
mod turning;

pub(crate) use angle::angle_f64;
pub use angle::{Angle, Angle64};
pub use displace::{Displace, OffsetSize};
pub use flat::{Pose2, Turn, Velocity2};
pub use hermite::{Hermite, Moving};
#[cfg(feature = "alloc")]
pub(crate) use matrix::rotation_matrix;
pub use pose::{Pose, Pose64, Velocity};
// The Bevy plugin blends four rotations at a time by these weights.
#[doc(hidden)]
pub use rotation::NlerpWeights;
pub use rotation::Rotation;
pub use scaled::Scaled;

#[cfg(feature = "derive")]
pub use portamento_derive::{Blend, Displace, Hermite};

/// A value that can be drawn between two ticks.
///
/// Derive it for your own types (feature `derive`, on by default); the derive macro's page lists the attributes, which
/// [`Hermite`](trait@Hermite) and [`Displace`](trait@Displace) read too.
#[cfg_attr(feature = "derive", doc = "```")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// use portamento::{Track, blend::Blend};
///
/// #[derive(Clone, PartialEq, Blend)]
/// struct Turret {
///     position: [f32; 3],
///     #[blend(angle)]
///     yaw: f32,
///     #[blend(snap)]
///     ammo: u32,
/// }
///
/// let from = Turret { position: [0.0; 3], yaw: 3.0, ammo: 9 };
/// let to = Turret { position: [1.0, 0.0, 0.0], yaw: -3.0, ammo: 8 };
/// let view = from.blend(&to, 0.5);
/// assert_eq!(view.position, [0.5, 0.0, 0.0]);
/// assert!(view.yaw.abs() > 3.0); // across the half turn, not back through zero
/// assert_eq!(view.ammo, 9); // until the drawn moment reaches the newer tick
///
/// let mut turret = Track::new(from);
/// turret.push(to);
/// ```
///
/// Integers, strings and the like have nothing in between: without its `#[blend(snap)]`, `ammo` does not compile, and
/// the error says what to write.
#[cfg_attr(feature = "derive", doc = "```compile_fail,E0277")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// # use portamento::blend::Blend;
/// #[derive(Clone, Blend)]
/// struct Turret {
///     position: [f32; 3],
///     ammo: u32,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be blended: what lies between two values is not known",
    label = "has no `Blend`",
    note = "a field with nothing in between (a name, a state, a count) takes `#[blend(snap)]`: the older value until \
            the newer one is reached",
    note = "`#[blend(with = path)]` blends a field by your own function; a type of your own can \
            `#[derive(Clone, PartialEq, Blend)]`"
)]
pub trait Blend: Clone {
    /// Returns the value at `alpha` on the way from `self` to `to`.
    ///
    /// `alpha` outside 0..=1 counts as the nearer end; NaN counts as 0.
    #[must_use]
    fn blend(&self, to: &Self, alpha: f64) -> Self;

    /// Returns the value `beyond` ticks after `to`, going on as from `self` to `to`.
    ///
    /// Called only where a user asked for extrapolation. What cannot be continued stays at `to`, which is also the
    /// default.
    #[must_use]
    fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
        let _ = beyond;
        to.clone()
    }

    /// Returns whether every view between and beyond `self` and `to`, which are equal, has the bits of `to`. A
    /// [`Track`](crate::Track) then counts as being at rest.
    ///
    /// The default is true. It is false for the numbers 0 and -0, and for a type that holds a velocity while that is
    /// not zero. A type made of such parts asks its parts; the derive macro does so.
    #[must_use]
    fn rests(&self, to: &Self) -> bool {
        let _ = to;
        true
    }

    // Several at once: for numbers the checks of all of them are one.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn blend_all<const N: usize>(from: &[Self; N], to: &[Self; N], alpha: f64) -> [Self; N] {
        core::array::from_fn(|i| from[i].blend(&to[i], alpha))
    }
}

/// From this share of the way on, a blend in f32 is its far end. Positions and rotations agree on it, so that a
/// pose arrives as a whole.
pub(crate) const ARRIVED: f32 = 1.0 - f32::EPSILON / 2.0;

/// `a - (a - b) * t` is monotone in `t`, and for `t` below `LAST` it never passes `b`: a difference that is
/// exact cannot, and one that was rounded is off by at most half a unit in its last place, which a `t` below
/// `LAST` takes away again. So nothing needs clamping, and the one remaining `t` counts as 1. Written as
/// `a + (b - a) * t` it would give the same numbers but lose the sign of a zero that stays.
macro_rules! lerp {
    ($name:ident, $careful:ident, $extrapolate:ident, $float:ty) => {
        /// Straight line from `a` to `b`: exact at both ends, monotone, never infinite between finite values.
        #[inline]
        #[must_use]
        pub(crate) fn $name(a: $float, b: $float, alpha: f64) -> $float {
            const LAST: $float = 1.0 - <$float>::EPSILON / 2.0;
            let t = alpha as $float;
            if !(t > 0.0) {
                return a;
            }
            if t >= LAST {
                return b;
            }
            let way = a - b;
            if way.is_finite() {
                a - way * t
            } else {
                // The difference overflows, the weighted sum cannot.
                a * (1.0 - t) + b * t
            }
        }

        /// One by one, for what overflows.
        #[cold]
        #[inline(never)]
        fn $careful<const N: usize>(from: &[$float; N], to: &[$float; N], alpha: f64) -> [$float; N] {
            core::array::from_fn(|i| $name(from[i], to[i], alpha))
        }

        #[inline]
        pub(crate) fn $extrapolate(a: $float, b: $float, beyond: f64) -> $float {
            let out = b - (a - b) * beyond as $float;
            if out.is_finite() { out } else { b }
        }

        impl Blend for $float {
            #[inline]
            fn blend(&self, to: &Self, alpha: f64) -> Self {
                $name(*self, *to, alpha)
            }

            #[inline]
            fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
                $extrapolate(*self, *to, beyond)
            }

            #[inline]
            fn rests(&self, to: &Self) -> bool {
                self.to_bits() == to.to_bits()
            }

            #[inline]
            fn blend_all<const N: usize>(from: &[Self; N], to: &[Self; N], alpha: f64) -> [Self; N] {
                const LAST: $float = 1.0 - <$float>::EPSILON / 2.0;
                let t = alpha as $float;
                if !(t > 0.0) {
                    return *from;
                }
                if t >= LAST {
                    return *to;
                }
                // A way that overflows leads to infinity. Not a branch for each but one for all, and of the results: so
                // compilers keep the numbers together in a vector.
                let out: [$float; N] = core::array::from_fn(|i| from[i] - (from[i] - to[i]) * t);
                if out.iter().fold(true, |fit, out| fit & (out.abs() <= <$float>::MAX)) {
                    out
                } else {
                    $careful(from, to, alpha)
                }
            }
        }
    };
}

lerp!(lerp_f32, lerp_carefully_f32, extrapolate_f32, f32);
lerp!(lerp_f64, lerp_carefully_f64, extrapolate_f64, f64);

impl<T: Blend, const N: usize> Blend for [T; N] {
    #[inline]
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        T::blend_all(self, to, alpha)
    }

    #[inline]
    fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
        core::array::from_fn(|i| self[i].extrapolate(&to[i], beyond))
    }

    #[inline]
    fn rests(&self, to: &Self) -> bool {
        self.iter().zip(to).all(|(this, to)| this.rests(to))
    }
}

impl Blend for () {
    fn blend(&self, (): &Self, _: f64) -> Self {}
}

macro_rules! tuples {
    ($($name:ident $i:tt),+) => {
        impl<$($name: Blend),+> Blend for ($($name,)+) {
            #[inline]
            fn blend(&self, to: &Self, alpha: f64) -> Self {
                ($(self.$i.blend(&to.$i, alpha),)+)
            }

            #[inline]
            fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
                ($(self.$i.extrapolate(&to.$i, beyond),)+)
            }

            #[inline]
            fn rests(&self, to: &Self) -> bool {
                $(self.$i.rests(&to.$i))&&+
            }
        }
    };
}

tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

#[cfg(test)]
mod tests;
