//! How far apart are two values, and how is a picture drawn beside its truth?

use super::{Angle, Angle64, Hermite, Pose, Pose2, Pose64, Rotation, Scaled, Turn, Velocity, Velocity2};
use crate::math;
use core::fmt;

/// The size of a displacement: a length in the user's unit, and an angle in radians. A type that only moves has no
/// angle, one that only turns no length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OffsetSize {
    /// In the user's unit.
    pub length: f64,
    /// In radians.
    pub angle: f64,
}

impl OffsetSize {
    /// The same length and angle.
    pub(crate) const fn both(value: f64) -> Self {
        OffsetSize { length: value, angle: value }
    }

    pub(crate) fn map(self, f: impl Fn(f64) -> f64) -> Self {
        OffsetSize { length: f(self.length), angle: f(self.angle) }
    }

    pub(crate) fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        OffsetSize { length: f(self.length, other.length), angle: f(self.angle, other.angle) }
    }

    pub(crate) fn is_finite(self) -> bool {
        self.length.is_finite() && self.angle.is_finite()
    }

    pub(crate) fn is_zero(self) -> bool {
        self.length == 0.0 && self.angle == 0.0
    }
}

/// A value that can be drawn beside its truth, at a measured distance: what visual offsets and snapshot buffers need.
///
/// A displacement is the velocity that would bridge it in one second, so every [`Hermite`] type has one already;
/// this trait measures and scales it. Numbers and arrays of numbers have a length, [`Angle`], [`Turn`] and [`Rotation`]
/// an angle, [`Pose`], [`Pose2`] and [`Pose64`] both; a [`Scaled`] pose is measured by its pose alone.
///
/// ```
/// use portamento::blend::{Displace, Hermite, Pose};
///
/// let (predicted, corrected) = (Pose::at([1.0, 2.0, 3.0]), Pose::at([1.0, 5.0, 7.0]));
/// assert_eq!(Pose::size(&Pose::velocity(&predicted, &corrected, 1.0)).length, 5.0);
/// ```
///
/// A struct of your own derives it, with [`Blend`](crate::blend::Blend) and [`Hermite`]; the derive macro's page lists
/// the attributes of fields. (To write it by hand, see the trait's source: it also describes what only the macro and the
/// library call.)
#[cfg_attr(feature = "derive", doc = "```")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// use portamento::blend::{Blend, Displace, Hermite};
/// use portamento::remote::{Report, Peer, Snapshots};
///
/// #[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
/// struct Tank {
///     position: [f32; 2],
///     #[blend(angle)]
///     turret: f32,
///     #[blend(gauge)]
///     fuel: f32, // not a place: it is drawn, but neither measured nor extrapolated
///     #[blend(snap)]
///     ammo: u32,
/// }
///
/// let mut server = Peer::at_hz(20.0)?;
/// let mut enemy = Snapshots::<Tank>::new();
/// for frame in 0..120 {
///     let now = f64::from(frame) / 60.0;
///     if frame % 3 == 0 {
///         // Two metres a second along x, one radian a second, and a shot every second.
///         let stamp = server.receive(now, now + 0.04);
///         let turret = (now + 3.0 + 3.14159) % 6.28318 - 3.14159;
///         let (turret, fuel) = (turret as f32, 60.0 - now as f32);
///         let tank = Tank { position: [2.0 * now as f32, 0.0], turret, fuel, ammo: 9 - now as u32 };
///         enemy.insert(stamp, Report::new(tank));
///     }
///     if now > 1.5 && let Some(frame) = server.frame(now + 0.04) {
///         let drawn = enemy.draw(&frame).here().expect("it has appeared").now;
///         assert!((f64::from(drawn.position[0]) - 2.0 * frame.shown).abs() < 0.01);
///         assert!((f64::from(drawn.turret) - (frame.shown + 3.0 - 6.28318)).abs() < 0.01); // over the half turn
///         assert!((f64::from(drawn.fuel) - (60.0 - frame.shown)).abs() < 0.01);
///         assert_eq!(drawn.ammo, 8);
///     }
/// }
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be displaced: how far apart two values are is not known",
    label = "has no `Displace`",
    note = "a field that is not a place takes `#[blend(gauge)]` (straight from one value to the next), `#[blend(snap)]`, \
            or `#[blend(with = path)]` for a function of your own",
    note = "a type of your own can `#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]`"
)]
pub trait Displace: Hermite<Velocity: Copy + PartialEq + fmt::Debug, Curve: fmt::Debug> + PartialEq {
    /// Returns the inner product of two displacements, lengths and angles apart.
    #[doc(hidden)] // bookkeeping: the derive macro implements it, offsets and snapshots call it
    #[must_use]
    fn inner(a: &Self::Velocity, b: &Self::Velocity) -> OffsetSize;

    /// Returns a displacement with its length and its angle scaled.
    #[doc(hidden)] // as `inner`
    #[must_use]
    fn scaled(by: &Self::Velocity, factor: OffsetSize) -> Self::Velocity;

    /// Returns whether every number in it is finite.
    #[doc(hidden)] // as `inner`
    #[must_use]
    fn is_finite(&self) -> bool;

    /// Returns whether everything that moves is in the same place in both values. The default compares the whole
    /// values. A type that also holds what does not move must compare only the rest, or a changed count would count as
    /// motion.
    #[doc(hidden)] // as `inner`
    #[must_use]
    fn same_place(&self, other: &Self) -> bool {
        self == other
    }

    /// Returns a checksum of the bits of what moves: equal for equal bits, almost surely different for others. A
    /// [`Claim`](crate::remote::Claim) carries it, so that a server notices when a client means other snapshots than
    /// the server has. A type that leaves it at 0 is not checked.
    #[doc(hidden)] // as `inner`
    #[must_use]
    fn checksum(&self) -> u64 {
        0
    }

    /// Returns the size of a displacement.
    ///
    /// A displacement is the [`velocity`](Hermite::velocity) over one second: `T::size(&T::velocity(&a, &b, 1.0))` is how
    /// far apart `a` and `b` are.
    #[must_use]
    fn size(by: &Self::Velocity) -> OffsetSize {
        Self::inner(by, by).map(math::sqrt)
    }
}

/// Spreads the bits of a number over 64.
pub(super) fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (bits ^ bits >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) ^ bits >> 32
}

/// Joins two checksums; their order counts.
pub(super) fn joined(a: u64, b: u64) -> u64 {
    a.rotate_left(23).wrapping_add(b)
}

macro_rules! displace_for {
    ($float:ty) => {
        impl Displace for $float {
            #[inline]
            fn inner(a: &Self, b: &Self) -> OffsetSize {
                OffsetSize { length: *a as f64 * *b as f64, angle: 0.0 }
            }

            #[inline]
            fn scaled(by: &Self, factor: OffsetSize) -> Self {
                (*by as f64 * factor.length) as $float
            }

            #[inline]
            fn is_finite(&self) -> bool {
                <$float>::is_finite(*self)
            }

            #[inline]
            fn checksum(&self) -> u64 {
                mixed(self.to_bits().into())
            }
        }
    };
}

displace_for!(f32);
displace_for!(f64);

impl<T: Displace, const N: usize> Displace for [T; N] {
    #[inline]
    fn inner(a: &Self::Velocity, b: &Self::Velocity) -> OffsetSize {
        let mut sum = OffsetSize::default();
        for i in 0..N {
            sum = sum.zip(T::inner(&a[i], &b[i]), |x, y| x + y);
        }
        sum
    }

    #[inline]
    fn scaled(by: &Self::Velocity, factor: OffsetSize) -> Self::Velocity {
        core::array::from_fn(|i| T::scaled(&by[i], factor))
    }

    #[inline]
    fn is_finite(&self) -> bool {
        self.iter().all(T::is_finite)
    }

    fn checksum(&self) -> u64 {
        self.iter().fold(N as u64, |sum, part| joined(sum, part.checksum()))
    }

    #[inline]
    fn same_place(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| a.same_place(b))
    }
}

macro_rules! displace_for_angle {
    ($name:ident, $float:ty) => {
        impl Displace for $name {
            #[inline]
            fn inner(a: &$float, b: &$float) -> OffsetSize {
                OffsetSize { length: 0.0, angle: *a as f64 * *b as f64 }
            }

            #[inline]
            fn scaled(by: &$float, factor: OffsetSize) -> $float {
                (*by as f64 * factor.angle) as $float
            }

            #[inline]
            fn is_finite(&self) -> bool {
                self.0.is_finite()
            }

            #[inline]
            fn checksum(&self) -> u64 {
                self.0.checksum()
            }
        }
    };
}

displace_for_angle!(Angle, f32);
displace_for_angle!(Angle64, f64);

impl Displace for Rotation {
    #[inline]
    fn inner(a: &[f32; 3], b: &[f32; 3]) -> OffsetSize {
        OffsetSize { length: 0.0, angle: <[f32; 3]>::inner(a, b).length }
    }

    #[inline]
    fn scaled(by: &[f32; 3], factor: OffsetSize) -> [f32; 3] {
        <[f32; 3]>::scaled(by, OffsetSize::both(factor.angle))
    }

    #[inline]
    fn is_finite(&self) -> bool {
        self.to_array().is_finite()
    }

    fn checksum(&self) -> u64 {
        self.to_array().checksum()
    }
}

macro_rules! displace_for_pose {
    ($name:ident) => {
        impl Displace for $name {
            #[inline]
            fn inner(a: &Velocity, b: &Velocity) -> OffsetSize {
                let length = <[f32; 3]>::inner(&a.linear, &b.linear).length;
                OffsetSize { length, ..Rotation::inner(&a.angular, &b.angular) }
            }

            #[inline]
            fn scaled(by: &Velocity, factor: OffsetSize) -> Velocity {
                Velocity {
                    linear: <[f32; 3]>::scaled(&by.linear, factor),
                    angular: Rotation::scaled(&by.angular, factor),
                }
            }

            #[inline]
            fn is_finite(&self) -> bool {
                self.position.is_finite() && self.rotation.is_finite()
            }

            fn checksum(&self) -> u64 {
                joined(self.position.checksum(), self.rotation.checksum())
            }
        }
    };
}

displace_for_pose!(Pose);
displace_for_pose!(Pose64);

impl Displace for Turn {
    #[inline]
    fn inner(a: &f32, b: &f32) -> OffsetSize {
        Angle::inner(a, b)
    }

    #[inline]
    fn scaled(by: &f32, factor: OffsetSize) -> f32 {
        Angle::scaled(by, factor)
    }

    #[inline]
    fn is_finite(&self) -> bool {
        self.z.is_finite() && self.w.is_finite()
    }

    fn checksum(&self) -> u64 {
        [self.z, self.w].checksum()
    }
}

impl Displace for Pose2 {
    #[inline]
    fn inner(a: &Velocity2, b: &Velocity2) -> OffsetSize {
        let length = <[f32; 2]>::inner(&a.linear, &b.linear).length;
        OffsetSize { length, ..Turn::inner(&a.angular, &b.angular) }
    }

    #[inline]
    fn scaled(by: &Velocity2, factor: OffsetSize) -> Velocity2 {
        Velocity2 {
            linear: <[f32; 2]>::scaled(&by.linear, factor),
            angular: Turn::scaled(&by.angular, factor),
        }
    }

    #[inline]
    fn is_finite(&self) -> bool {
        self.position.is_finite() && self.turn.is_finite()
    }

    fn checksum(&self) -> u64 {
        joined(self.position.checksum(), self.turn.checksum())
    }
}

impl<P: Displace> Displace for Scaled<P> {
    #[inline]
    fn inner(a: &P::Velocity, b: &P::Velocity) -> OffsetSize {
        P::inner(a, b)
    }

    #[inline]
    fn scaled(by: &P::Velocity, factor: OffsetSize) -> P::Velocity {
        P::scaled(by, factor)
    }

    #[inline]
    fn is_finite(&self) -> bool {
        self.pose.is_finite() && self.scale.is_finite()
    }

    fn checksum(&self) -> u64 {
        joined(self.pose.checksum(), self.scale.checksum())
    }

    #[inline]
    fn same_place(&self, other: &Self) -> bool {
        self.pose.same_place(&other.pose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_flat_pose_is_measured_like_the_pose_in_space_that_it_is(
            a in prop::array::uniform3(-9f32..9.0), b in prop::array::uniform3(-9f32..9.0),
            length in 0f64..2.0, angle in 0f64..2.0,
        ) {
            let flat = |[x, y, turn]: [f32; 3]| Velocity2 { linear: [x, y], angular: turn };
            let solid = |[x, y, turn]: [f32; 3]| Velocity { linear: [x, y, 0.0], angular: [0.0, 0.0, turn] };
            prop_assert_eq!(Pose2::inner(&flat(a), &flat(b)), Pose::inner(&solid(a), &solid(b)));
            prop_assert_eq!(Pose2::size(&flat(a)), Pose::size(&solid(a)));
            let (flat, solid) = (
                Pose2::scaled(&flat(a), OffsetSize { length, angle }),
                Pose::scaled(&solid(a), OffsetSize { length, angle }),
            );
            prop_assert_eq!([flat.linear[0], flat.linear[1], 0.0], solid.linear);
            prop_assert_eq!([0.0, 0.0, flat.angular], solid.angular);
        }
    }

    #[test]
    fn a_scaled_pose_is_measured_by_its_pose_and_refused_for_either() {
        type Sprite = Scaled<Pose2>;
        let one = Sprite { pose: Pose2::at([1.0, 2.0]), scale: [1.0; 3] };
        let grown = Sprite { scale: [2.0; 3], ..one };
        assert!(one.same_place(&grown), "what grows stays where it is");
        assert_eq!(Sprite::size(&Sprite::velocity(&one, &grown, 1.0)), OffsetSize::default());
        let beside = Sprite { pose: Pose2::at([4.0, 6.0]), ..one };
        assert!(!one.same_place(&beside));
        let by = Sprite::velocity(&one, &beside, 1.0);
        assert_eq!(Sprite::size(&by), OffsetSize { length: 5.0, angle: 0.0 });
        assert_eq!(one.advance(&Sprite::scaled(&by, OffsetSize::both(0.5)), 1.0).pose, Pose2::at([2.5, 4.0]));

        let no_turn = Turn { z: f32::NAN, w: 1.0 };
        assert!(one.is_finite() && !no_turn.is_finite());
        assert!(!Pose2::new([0.0; 2], no_turn).is_finite() && !Pose2::at([0.0, f32::INFINITY]).is_finite());
        assert!(!Sprite { scale: [1.0, f32::NAN, 1.0], ..one }.is_finite());
        assert!(!Sprite { pose: Pose2::at([f32::NAN, 0.0]), ..one }.is_finite());
    }
}
