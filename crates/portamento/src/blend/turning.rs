//! Rotations that come with velocities: the cubic between two of them, and a steady turn.
//!
//! A turn is a rotation vector (axis times angle), in which speeds add up. Getting there and back (the logarithm and the
//! exponential of a quaternion) is what costs; both are short polynomials wherever a turn is short, and a curve
//! needs the logarithm only once.

use super::{Hermite, Rotation};
use crate::math;

/// The way from one rotation to another, ready to be looked up: see [`Hermite::Curve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationCurve {
    from: Rotation,
    to: Rotation,
    /// From one to the other, radians.
    turn: [f64; 3],
    /// The velocities times the span.
    leaving: [f32; 3],
    arriving: [f32; 3],
}

/// `c[0] + c[1] x + ...` in pairs of pairs: a third of the waiting of term by term.
#[inline]
fn polynomial(c: &[f64; TERMS], x: f64) -> f64 {
    let x2 = x * x;
    let low = (c[0] + c[1] * x) + (c[2] + c[3] * x) * x2;
    let high = (c[4] + c[5] * x) + (c[6] + c[7] * x) * x2;
    low + high * (x2 * x2)
}

const TERMS: usize = 8;

/// Series whose next coefficient follows from the one before.
const fn series(mut term: f64, ratio: [f64; 2]) -> [f64; TERMS] {
    let mut c = [0.0; TERMS];
    let mut n = 0;
    while n < TERMS {
        c[n] = term;
        let at = 2.0 * n as f64;
        term /= -(at + ratio[0]) * (at + ratio[1]);
        n += 1;
    }
    c
}

/// `cos x` and half of `sin x / x`, by powers of the square of x.
const COSINE: [f64; TERMS] = series(1.0, [1.0, 2.0]);
const HALF_SINC: [f64; TERMS] = series(0.5, [2.0, 3.0]);

/// Twice `atan x / x`, by powers of the square of x.
const TWICE_ARC: [f64; TERMS] = {
    let mut c = [0.0; TERMS];
    let mut n = 0;
    while n < TERMS {
        c[n] = if n % 2 == 0 { 2.0 } else { -2.0 } / (2 * n + 1) as f64;
        n += 1;
    }
    c
};

/// What a rotation vector is multiplied by to be a quaternion's `x y z`, and its `w`, by the square of half its angle.
/// Up to half a turn and a little more the series is good to 1e-10.
#[inline]
pub(super) fn half_sinc_and_cosine(half2: f64) -> (f64, f64) {
    const SHORT: f64 = 2.5; // (pi / 2)^2 and a little
    if half2 <= SHORT {
        (polynomial(&HALF_SINC, half2), polynomial(&COSINE, half2))
    } else {
        let angle = 2.0 * math::sqrt(half2);
        let (s, c) = math::sin_cos(0.5 * angle);
        (s / angle, c)
    }
}

/// What brings a quaternion to unit length, by the square of the length it has; `None` where it is no rotation.
#[inline]
pub(super) fn to_unit(length2: f64) -> Option<f64> {
    let off = length2 - 1.0;
    if off.abs() < 1e-4 {
        Some(1.0 - 0.5 * off) // one step of Newton's from 1: the next is below 4e-9
    } else if length2 > 0.0 && length2 < f64::INFINITY {
        Some(1.0 / math::sqrt(length2))
    } else {
        None
    }
}

/// What a quaternion's `x y z`, of which `s2` is the square, is multiplied by to be its rotation vector, the short way.
#[inline]
pub(super) fn angle_by_sine(s2: f64, w: f64) -> f64 {
    /// Where the series of the arc tangent is good to 1e-10: turns up to 30 degrees.
    const SHORT: f64 = 14.0;
    let w2 = w * w;
    // The sign of w makes it the short way.
    if SHORT * s2 <= w2 {
        if w == 0.0 { 0.0 } else { polynomial(&TWICE_ARC, s2 / w2) / w }
    } else {
        let s = math::sqrt(s2);
        let angle = 2.0 * math::atan2(s, w.abs());
        if w < 0.0 { -angle / s } else { angle / s }
    }
}

/// The quaternion `x y z w` of a rotation vector.
#[inline]
fn quaternion(turn: [f64; 3]) -> [f64; 4] {
    let half2 = 0.25 * ((turn[0] * turn[0] + turn[1] * turn[1]) + turn[2] * turn[2]);
    let (k, w) = half_sinc_and_cosine(half2);
    [turn[0] * k, turn[1] * k, turn[2] * k, w]
}

/// `first`, then a turn; `None` where that is no rotation.
#[inline]
fn turned(first: Rotation, turn: [f64; 3]) -> Option<Rotation> {
    let a = quaternion(turn);
    let b = first.to_array().map(f64::from);
    let q = [
        (a[3] * b[0] + a[0] * b[3]) + (a[1] * b[2] - a[2] * b[1]),
        (a[3] * b[1] + a[1] * b[3]) + (a[2] * b[0] - a[0] * b[2]),
        (a[3] * b[2] + a[2] * b[3]) + (a[0] * b[1] - a[1] * b[0]),
        (a[3] * b[3] - a[0] * b[0]) - (a[1] * b[1] + a[2] * b[2]),
    ];
    let length2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    let k = to_unit(length2)?;
    let [x, y, z, w] = q.map(|c| (c * k) as f32);
    Some(Rotation { x, y, z, w })
}

/// The rotation vector from one rotation to another, the short way.
#[inline]
fn short_turn(from: Rotation, to: Rotation) -> [f64; 3] {
    let a = to.to_array().map(f64::from);
    let b = from.to_array().map(f64::from);
    let v = [
        (a[0] * b[3] - a[3] * b[0]) + (a[2] * b[1] - a[1] * b[2]),
        (a[1] * b[3] - a[3] * b[1]) + (a[0] * b[2] - a[2] * b[0]),
        (a[2] * b[3] - a[3] * b[2]) + (a[1] * b[0] - a[0] * b[1]),
    ];
    let w = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
    let k = angle_by_sine((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2], w);
    v.map(|c| c * k)
}

/// The rotation vector from one rotation to another, with the whole turns that `expected` suggests.
fn whole_turn(from: Rotation, to: Rotation, expected: [f64; 3]) -> [f64; 3] {
    const TURN: f64 = 2.0 * core::f64::consts::PI;
    let short = short_turn(from, to);
    let expected_angle = math::length(expected);
    // Half a turn is the most that the short way can be; below it no velocity is needed to decide.
    if !expected_angle.is_finite() || expected_angle < core::f64::consts::FRAC_PI_2 {
        return short;
    }
    let angle = math::length(short);
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
    type Curve = RotationCurve;

    #[inline]
    fn curve(from: &Self, leaving: &[f32; 3], to: &Self, arriving: &[f32; 3], span: f64) -> RotationCurve {
        let over = |velocity: &[f32; 3]| velocity.map(|c| (f64::from(c) * span) as f32);
        let (leaving, arriving) = (over(leaving), over(arriving));
        // Between equal rotations even the short way is some rounding, and rest is exact.
        let turn = if from == to && leaving == [0.0; 3] && arriving == [0.0; 3] {
            [0.0; 3]
        } else {
            let mean = core::array::from_fn(|i| (f64::from(leaving[i]) + f64::from(arriving[i])) * 0.5);
            whole_turn(*from, *to, mean)
        };
        RotationCurve { from: *from, to: *to, turn, leaving, arriving }
    }

    #[inline]
    fn on(curve: &RotationCurve, alpha: f64) -> Self {
        let RotationCurve { from, to, turn, leaving, arriving } = curve;
        if !(alpha > 0.0) {
            return *from;
        }
        if alpha >= 1.0 {
            return *to;
        }
        let [w1, w2, w3] = super::hermite::weights(alpha);
        let at: [f64; 3] = core::array::from_fn(|i| {
            turn[i] * w1 + (f64::from(leaving[i]) * w2 + f64::from(arriving[i]) * w3)
        });
        if at == [0.0; 3] {
            return *from;
        }
        turned(*from, at).unwrap_or_else(|| from.nlerp(*to, alpha))
    }

    #[inline]
    fn velocity(from: &Self, to: &Self, span: f64) -> [f32; 3] {
        if from == to {
            return [0.0; 3]; // to the bit: the product of a rotation and its inverse is some rounding
        }
        let rate = 1.0 / span;
        let v = short_turn(*from, *to).map(|c| (c * rate) as f32);
        if span > 0.0 && v.iter().all(|c| c.is_finite()) { v } else { [0.0; 3] }
    }

    #[inline]
    fn advance(&self, velocity: &[f32; 3], seconds: f64) -> Self {
        if *velocity == [0.0; 3] {
            return *self;
        }
        turned(*self, velocity.map(|c| f64::from(c) * seconds)).unwrap_or(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition: logarithm and exponential by arc tangent, sine and cosine, every time.
    fn by_definition(curve: &RotationCurve, alpha: f64) -> Rotation {
        let RotationCurve { from, to, leaving, arriving, .. } = *curve;
        let short = to.mul(from.inverse()).to_rotation_vector();
        let mean: [f64; 3] = core::array::from_fn(|i| f64::from(leaving[i] + arriving[i]) * 0.5);
        let angle = math::length(short);
        let along = (0..3).map(|i| short[i] / angle * mean[i]).sum::<f64>();
        let turns = if math::length(mean) < core::f64::consts::FRAC_PI_2 {
            0.0
        } else {
            math::round((along - angle) / core::f64::consts::TAU)
        };
        let [w1, w2, w3] = crate::blend::hermite::weights(alpha);
        let at = core::array::from_fn(|i| {
            let turn = short[i] / angle * (angle + turns * core::f64::consts::TAU);
            turn * w1 + (f64::from(leaving[i]) * w2 + f64::from(arriving[i]) * w3)
        });
        Rotation::from_xyzw(Rotation::from_rotation_vector(at).mul(from).to_array()).unwrap()
    }

    fn any_turn(most: f64) -> impl Strategy<Value = [f64; 3]> {
        let part = move || -most..most;
        (part(), part(), part()).prop_map(|(x, y, z)| [x, y, z])
    }

    proptest! {
        #[test]
        fn the_curve_is_the_one_by_definition(
            start in any_turn(3.0), way in any_turn(1.8),
            leaving in any_turn(3.0), arriving in any_turn(3.0), alpha in 0.0f64..=1.0,
        ) {
            let from = Rotation::from_rotation_vector(start);
            let to = Rotation::from_rotation_vector(way).mul(from);
            // Where the turn is nearly half a turn either way is as short, and at none no one knows the axis.
            let angle = math::length(way);
            prop_assume!(angle > 1e-3 && (angle - core::f64::consts::PI).abs() > 1e-3);
            let narrow = |v: [f64; 3]| v.map(|c| c as f32);
            let curve = Rotation::curve(&from, &narrow(leaving), &to, &narrow(arriving), 1.0);
            let (now, then) = (Rotation::on(&curve, alpha), by_definition(&curve, alpha));
            prop_assert!(now.angle_to(then) < 2e-6, "{now:?} {then:?}");
            let length2 = now.dot(now);
            prop_assert!((length2 - 1.0).abs() < 3e-7, "{length2}");
        }

        #[test]
        fn a_turn_goes_there_and_back(start in any_turn(3.0), way in any_turn(1.8)) {
            prop_assume!((math::length(way) - core::f64::consts::PI).abs() > 1e-3);
            let from = Rotation::from_rotation_vector(start);
            let to = from.advance(&way.map(|c| c as f32), 1.0);
            let back = Rotation::velocity(&from, &to, 1.0);
            let by_definition = to.mul(from.inverse()).to_rotation_vector();
            for i in 0..3 {
                prop_assert!((f64::from(back[i]) - by_definition[i]).abs() < 2e-6, "{back:?} {by_definition:?}");
            }
            prop_assert!(from.advance(&back, 1.0).angle_to(to) < 1e-6);
        }
    }

    #[test]
    fn both_series_meet_their_functions_where_they_end() {
        // Half a turn is where the quaternion changes over, 30 degrees where the logarithm does.
        for angle in [1e-9, 1e-3, 0.52, 0.53, 0.54, 3.1, 3.16, 3.163, 3.2, 40.0] {
            let [x, _, _, w] = quaternion([angle, 0.0, 0.0]);
            let (s, c) = math::sin_cos(angle / 2.0);
            assert!((x - s).abs() < 1e-10 && (w - c).abs() < 1e-10, "{angle}: {x} {s}, {w} {c}");
            let to = Rotation::from_rotation_vector([angle, 0.0, 0.0]);
            let short = math::wrap_angle(angle);
            let turn = short_turn(Rotation::IDENTITY, to)[0];
            assert!((turn - short).abs() < 2e-7, "{angle}: {turn}");
        }
    }

    #[test]
    fn what_is_no_rotation_does_no_harm() {
        let nothing = Rotation { x: 0.0, y: 0.0, z: 0.0, w: 0.0 };
        let one = Rotation::IDENTITY;
        assert_eq!(Rotation::velocity(&nothing, &one, 1.0), [0.0; 3]);
        assert_eq!(nothing.advance(&[1.0, 0.0, 0.0], 1.0), nothing);
        assert_eq!(one.advance(&[f32::INFINITY, 0.0, 0.0], 1.0), one);
        assert_eq!(one.advance(&[f32::NAN, 0.0, 0.0], 1.0), one);
        let long = Rotation { w: 2.0, ..nothing };
        assert_eq!(long.advance(&[1e-30, 0.0, 0.0], 1.0).w, 1.0);
        let curve = Rotation::curve(&one, &[f32::MAX; 3], &one, &[-f32::MAX; 3], 1e3);
        assert!(Rotation::on(&curve, 0.5).to_array().iter().all(|c| c.is_finite()));
    }
}
