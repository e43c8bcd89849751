//! How far apart are two values, and how is a picture drawn beside its truth?

use crate::blend::{Hermite, Pose, Pose64, Rotation, Velocity};
use crate::math;
use core::fmt;

/// What a value measures itself by: a way in the user's unit, a turn in radians. A type that only moves has no
/// angle, one that only turns no length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Size {
    /// In the user's unit.
    pub length: f64,
    /// In radians.
    pub angle: f64,
}

impl Size {
    /// The same in everything.
    pub const fn both(value: f64) -> Self {
        Size { length: value, angle: value }
    }

    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Size { length: f(self.length), angle: f(self.angle) }
    }

    pub(super) fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Size { length: f(self.length, other.length), angle: f(self.angle, other.angle) }
    }

    /// Whether both are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.length.is_finite() && self.angle.is_finite()
    }

    pub(super) fn is_zero(self) -> bool {
        self.length == 0.0 && self.angle == 0.0
    }
}

/// A value whose picture can stand beside its truth: what a visual offset and a snapshot buffer ask of a type.
///
/// A displacement is the velocity that would bridge it in one second, so every [`Hermite`] type has one already;
/// this trait measures and scales it. Numbers and arrays of numbers have a length, [`Rotation`] an angle, [`Pose`] and
/// [`Pose64`] both.
///
/// ```
/// use portamento::remote::{Displace, Size};
///
/// let by = [3.0f32, 4.0, 0.0];
/// assert_eq!(<[f32; 3]>::size(&by).length, 5.0);
/// assert_eq!(<[f32; 3]>::scaled(&by, Size::both(0.5)), [1.5, 2.0, 0.0]);
/// ```
pub trait Displace: Hermite<Velocity: Copy + PartialEq + fmt::Debug, Curve: fmt::Debug> + PartialEq {
    /// The inner product of two displacements, ways and turns apart.
    #[must_use]
    fn inner(a: &Self::Velocity, b: &Self::Velocity) -> Size;

    /// A displacement with its way and its turn scaled.
    #[must_use]
    fn scaled(by: &Self::Velocity, factor: Size) -> Self::Velocity;

    /// Whether every number in it is finite.
    #[must_use]
    fn is_finite(&self) -> bool;

    /// How far a displacement goes.
    #[must_use]
    fn size(by: &Self::Velocity) -> Size {
        Self::inner(by, by).map(math::sqrt)
    }
}

macro_rules! displace_for {
    ($float:ty) => {
        impl Displace for $float {
            #[inline]
            fn inner(a: &Self, b: &Self) -> Size {
                Size { length: *a as f64 * *b as f64, angle: 0.0 }
            }

            #[inline]
            fn scaled(by: &Self, factor: Size) -> Self {
                (*by as f64 * factor.length) as $float
            }

            #[inline]
            fn is_finite(&self) -> bool {
                <$float>::is_finite(*self)
            }
        }
    };
}

displace_for!(f32);
displace_for!(f64);

impl<T: Displace, const N: usize> Displace for [T; N] {
    #[inline]
    fn inner(a: &Self::Velocity, b: &Self::Velocity) -> Size {
        let mut sum = Size::default();
        for i in 0..N {
            sum = sum.zip(T::inner(&a[i], &b[i]), |x, y| x + y);
        }
        sum
    }

    #[inline]
    fn scaled(by: &Self::Velocity, factor: Size) -> Self::Velocity {
        core::array::from_fn(|i| T::scaled(&by[i], factor))
    }

    #[inline]
    fn is_finite(&self) -> bool {
        self.iter().all(T::is_finite)
    }
}

impl Displace for Rotation {
    #[inline]
    fn inner(a: &[f32; 3], b: &[f32; 3]) -> Size {
        Size { length: 0.0, angle: <[f32; 3]>::inner(a, b).length }
    }

    #[inline]
    fn scaled(by: &[f32; 3], factor: Size) -> [f32; 3] {
        <[f32; 3]>::scaled(by, Size::both(factor.angle))
    }

    #[inline]
    fn is_finite(&self) -> bool {
        self.to_array().is_finite()
    }
}

macro_rules! displace_for_pose {
    ($name:ident) => {
        impl Displace for $name {
            #[inline]
            fn inner(a: &Velocity, b: &Velocity) -> Size {
                let length = <[f32; 3]>::inner(&a.linear, &b.linear).length;
                Size { length, ..Rotation::inner(&a.angular, &b.angular) }
            }

            #[inline]
            fn scaled(by: &Velocity, factor: Size) -> Velocity {
                Velocity {
                    linear: <[f32; 3]>::scaled(&by.linear, factor),
                    angular: Rotation::scaled(&by.angular, factor),
                }
            }

            #[inline]
            fn is_finite(&self) -> bool {
                self.position.is_finite() && self.rotation.is_finite()
            }
        }
    };
}

displace_for_pose!(Pose);
displace_for_pose!(Pose64);
