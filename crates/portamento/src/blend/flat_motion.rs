//! Turns and poses in the plane that come with velocities: the arithmetic of rotations about z, without its zeros.
//!
//! To the bit what [`Rotation`](super::Rotation) and [`Pose`](super::Pose) do with the same turn in space, at a third of
//! the numbers; the tests hold them against each other. Only here the axis is known, so that even a way of whole turns
//! exactly has its direction from the velocities' sign.

use super::flat::{Pose2, Turn, Velocity2};
use super::hermite::{Cubic, weights};
use super::turning::{angle_by_sine, half_sinc_and_cosine, to_unit};
use super::{Blend, Hermite};
use crate::math;

/// The way from one turn to another, ready to be looked up: see [`Hermite::Curve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnCurve {
    from: Turn,
    to: Turn,
    /// From one to the other, radians, whole turns included.
    way: f64,
    /// The velocities times the span.
    leaving: f32,
    arriving: f32,
}

/// The way from one pose to another, ready to be looked up: see [`Hermite::Curve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose2Curve {
    position: [Cubic<f32>; 2],
    turn: TurnCurve,
}

/// `first`, then a turn by radians; `None` where that is no turn.
#[inline]
fn turned(first: Turn, radians: f64) -> Option<Turn> {
    let (k, cosine) = half_sinc_and_cosine(0.25 * (radians * radians));
    let sine = radians * k;
    let (z, w) = (f64::from(first.z), f64::from(first.w));
    let (z, w) = (cosine * z + sine * w, cosine * w - sine * z);
    let k = to_unit(z * z + w * w)?;
    Some(Turn { z: (z * k) as f32, w: (w * k) as f32 })
}

/// Radians from one turn to another, the short way.
#[inline]
fn short_way(from: Turn, to: Turn) -> f64 {
    let [az, aw, bz, bw] = [to.z, to.w, from.z, from.w].map(f64::from);
    let (sine, cosine) = (az * bw - aw * bz, az * bz + aw * bw);
    sine * angle_by_sine(sine * sine, cosine)
}

/// Radians from one turn to another, with the whole turns that `expected` suggests.
#[inline]
fn whole_way(from: Turn, to: Turn, expected: f64) -> f64 {
    const TURN: f64 = 2.0 * core::f64::consts::PI;
    let short = short_way(from, to);
    // As for rotations: below a quarter turn no velocity is needed to decide.
    if expected.is_finite() && expected.abs() >= core::f64::consts::FRAC_PI_2 {
        short + math::round((expected - short) / TURN) * TURN
    } else {
        short
    }
}

impl Hermite for Turn {
    /// Radians per second, counter-clockwise.
    type Velocity = f32;
    type Curve = TurnCurve;

    #[inline]
    fn curve(from: &Self, leaving: &f32, to: &Self, arriving: &f32, span: f64) -> TurnCurve {
        let over = |velocity: f32| (f64::from(velocity) * span) as f32;
        let (leaving, arriving) = (over(*leaving), over(*arriving));
        // Between equal turns even the short way is some rounding, and rest is exact.
        let way = if from == to && leaving == 0.0 && arriving == 0.0 {
            0.0
        } else {
            whole_way(*from, *to, (f64::from(leaving) + f64::from(arriving)) * 0.5)
        };
        TurnCurve { from: *from, to: *to, way, leaving, arriving }
    }

    #[inline]
    fn on(curve: &TurnCurve, alpha: f64) -> Self {
        let TurnCurve { from, to, way, leaving, arriving } = *curve;
        if !(alpha > 0.0) {
            return from;
        }
        if alpha >= 1.0 {
            return to;
        }
        let [w1, w2, w3] = weights(alpha);
        let at = way * w1 + (f64::from(leaving) * w2 + f64::from(arriving) * w3);
        if at == 0.0 {
            return from; // with its own bits
        }
        turned(from, at).unwrap_or_else(|| from.blend(&to, alpha))
    }

    #[inline]
    fn velocity(from: &Self, to: &Self, span: f64) -> f32 {
        if from == to {
            return 0.0;
        }
        let v = (short_way(*from, *to) * (1.0 / span)) as f32;
        if span > 0.0 && v.is_finite() { v } else { 0.0 }
    }

    #[inline]
    fn advance(&self, velocity: &f32, seconds: f64) -> Self {
        if *velocity == 0.0 {
            return *self;
        }
        turned(*self, f64::from(*velocity) * seconds).unwrap_or(*self)
    }
}

impl Hermite for Pose2 {
    type Velocity = Velocity2;
    type Curve = Pose2Curve;

    #[inline]
    fn curve(from: &Self, leaving: &Velocity2, to: &Self, arriving: &Velocity2, span: f64) -> Pose2Curve {
        let (out, back) = (&leaving.linear, &arriving.linear);
        Pose2Curve {
            position: Hermite::curve(&from.position, out, &to.position, back, span),
            turn: Turn::curve(&from.turn, &leaving.angular, &to.turn, &arriving.angular, span),
        }
    }

    #[inline]
    fn on(curve: &Pose2Curve, alpha: f64) -> Self {
        Self { position: Hermite::on(&curve.position, alpha), turn: Turn::on(&curve.turn, alpha) }
    }

    #[inline]
    fn velocity(from: &Self, to: &Self, span: f64) -> Velocity2 {
        Velocity2 {
            linear: Hermite::velocity(&from.position, &to.position, span),
            angular: Turn::velocity(&from.turn, &to.turn, span),
        }
    }

    #[inline]
    fn advance(&self, velocity: &Velocity2, seconds: f64) -> Self {
        Self {
            position: self.position.advance(&velocity.linear, seconds),
            turn: self.turn.advance(&velocity.angular, seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blend::{Moving, Pose, Velocity};
    use core::f64::consts::{PI, TAU};
    use proptest::prelude::*;

    fn in_space(flat: Pose2) -> Pose {
        let [x, y] = flat.position;
        Pose::new([x, y, 0.0], flat.turn.into())
    }

    fn velocity_in_space(flat: Velocity2) -> Velocity {
        let [x, y] = flat.linear;
        Velocity { linear: [x, y, 0.0], angular: [0.0, 0.0, flat.angular] }
    }

    /// The same numbers; NaN is the same as NaN, and one zero as the other.
    fn same(a: f32, b: f32) -> bool {
        a == b || (a.is_nan() && b.is_nan())
    }

    fn same_pose(flat: Pose2, solid: Pose) -> bool {
        let lifted = in_space(flat);
        let places = lifted.position.into_iter().zip(solid.position);
        let turns = lifted.rotation.to_array().into_iter().zip(solid.rotation.to_array());
        places.chain(turns).all(|(a, b)| same(a, b))
    }

    fn any_number() -> impl Strategy<Value = f32> {
        prop_oneof![8 => -20f32..20.0, 1 => Just(0.0), 1 => any::<f32>()]
    }

    fn any_pose() -> impl Strategy<Value = Pose2> {
        let odd = (any_number(), any_number()).prop_map(|(z, w)| Turn { z, w });
        let turn = prop_oneof![9 => (-20f32..20.0).prop_map(Turn::from_angle), 1 => odd];
        ([any_number(), any_number()], turn).prop_map(|(position, turn)| Pose2::new(position, turn))
    }

    fn any_velocity() -> impl Strategy<Value = Velocity2> {
        ([any_number(), any_number()], any_number())
            .prop_map(|(linear, angular)| Velocity2 { linear, angular })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_flat_pose_moves_to_the_bit_like_the_pose_in_space_that_it_is(
            (from, to) in (any_pose(), any_pose()), (leaving, arriving) in (any_velocity(), any_velocity()),
            span in 0.01f64..3.0, alpha in -0.1f64..1.1,
        ) {
            let (a, b) = (in_space(from), in_space(to));
            let between = Pose2::velocity(&from, &to, span);
            let solid = Pose::velocity(&a, &b, span);
            let lifted = velocity_in_space(between);
            prop_assert!(lifted == solid, "{between:?} {solid:?}");
            let (later, solid) = (from.advance(&leaving, span), a.advance(&velocity_in_space(leaving), span));
            prop_assert!(same_pose(later, solid), "{later:?} {solid:?}");

            // Exactly between two counts of whole turns either is as good, of more turns than a number can tell apart any
            // count is, and without a way space has no axis.
            let curve = Turn::curve(&from.turn, &leaving.angular, &to.turn, &arriving.angular, span);
            let short = short_way(from.turn, to.turn);
            let turns = ((f64::from(curve.leaving) + f64::from(curve.arriving)) * 0.5 - short) / TAU;
            let counted = turns.abs() < 1e6 && ((turns - turns.floor()) - 0.5).abs() > 1e-6;
            let still = short == 0.0 && leaving.angular == 0.0 && arriving.angular == 0.0;
            if turns.is_finite() && !counted || !(short.abs() > 1e-6 || still) {
                return Ok(());
            }
            let (u, v) = (velocity_in_space(leaving), velocity_in_space(arriving));
            let flat = Pose2::hermite(&from, &leaving, &to, &arriving, span, alpha);
            let solid = Pose::hermite(&a, &u, &b, &v, span, alpha);
            prop_assert!(same_pose(flat, solid), "{flat:?} {solid:?}");
        }

        #[test]
        fn a_turn_goes_there_and_back(start in -9f32..9.0, way in -3.1f32..3.1, span in 0.01f64..3.0) {
            let from = Turn::from_angle(start);
            let to = from.advance(&way, 1.0);
            let velocity = Turn::velocity(&from, &to, span);
            prop_assert!((f64::from(velocity) * span - f64::from(way)).abs() < 1e-6, "{velocity}");
            prop_assert!(short_way(from.advance(&velocity, span), to).abs() < 1e-6);
        }
    }

    #[test]
    fn a_turn_goes_the_short_way() {
        let (from, to) = (Turn::from_angle(3.0), Turn::from_angle(-3.0));
        let velocity = Turn::velocity(&from, &to, 0.5);
        assert!((f64::from(velocity) - 2.0 * (TAU - 6.0)).abs() < 1e-5, "{velocity}");
        let middle = Turn::hermite(&from, &velocity, &to, &velocity, 0.5, 0.5);
        assert!((f64::from(middle.angle().abs()) - PI).abs() < 1e-6);
        // The other of the two ways to write a turn is no way.
        let other = Turn { z: -from.z, w: -from.w };
        assert!(Turn::velocity(&from, &other, 1.0).abs() < 1e-6);
        assert!(short_way(Turn::hermite(&from, &0.0, &other, &0.0, 1.0, 0.3), from).abs() < 1e-6);
    }

    #[test]
    fn a_wheel_turns_as_often_as_its_velocity_says() {
        for whole_turns in [-3, -1, 1, 2] {
            for rest in [-2.0, 0.0, 1.0] {
                let way = f64::from(whole_turns) * TAU + rest;
                let (from, to) = (Turn::from_angle(0.4), Turn::from_angle((0.4 + way) as f32));
                let velocity = (way / 0.1) as f32;
                for k in 0..=10 {
                    let alpha = f64::from(k) / 10.0;
                    let drawn = Turn::hermite(&from, &velocity, &to, &velocity, 0.1, alpha);
                    let apart = math::wrap_angle(f64::from(drawn.angle()) - (0.4 + way * alpha));
                    assert!(apart.abs() < 5e-6, "{way} at {alpha}: off by {apart}");
                }
            }
        }
    }

    #[test]
    fn what_stands_keeps_its_bits() {
        for k in 0..1000 {
            let pose = Pose2::new([k as f32 * 0.1, -0.0], Turn::from_angle(k as f32 * 0.3));
            let still = Moving { value: pose, velocity: Velocity2::default(), step: 0.1 };
            let drawn = still.blend(&still, f64::from(k) / 1000.0).value;
            let bits = |p: Pose2| [p.position[0], p.position[1], p.turn.z, p.turn.w].map(f32::to_bits);
            assert_eq!(bits(drawn), bits(pose));
            assert_eq!(Pose2::velocity(&pose, &pose, 0.1), Velocity2::default());
            assert_eq!(bits(pose.advance(&Velocity2::default(), 9.0)), bits(pose));
        }
    }

    #[test]
    fn what_is_no_turn_or_no_number_does_no_harm() {
        let (none, one) = (Turn { z: 0.0, w: 0.0 }, Turn::IDENTITY);
        assert_eq!(Turn::velocity(&none, &one, 1.0), 0.0);
        assert_eq!(Turn::velocity(&one, &Turn { z: f32::NAN, w: 1.0 }, 1.0), 0.0);
        let to = Turn::from_angle(1.0);
        for span in [0.0, -1.0, f64::NAN] {
            assert_eq!(Turn::velocity(&one, &to, span), 0.0, "over {span} s");
        }
        assert_eq!(none.advance(&1.0, 1.0), none);
        for velocity in [f32::INFINITY, f32::NAN] {
            assert_eq!(one.advance(&velocity, 1.0), one);
            let drawn = Turn::hermite(&one, &velocity, &to, &0.0, 1.0, 0.5);
            assert!(drawn.z.is_finite() && drawn.w.is_finite(), "{drawn:?}");
        }
        assert_eq!(Turn::hermite(&one, &3.0, &to, &3.0, 1.0, f64::NAN), one);
        let drawn = Turn::hermite(&one, &f32::MAX, &one, &-f32::MAX, 1e3, 0.5);
        assert!(drawn.z.is_finite() && drawn.w.is_finite(), "{drawn:?}");
    }
}
