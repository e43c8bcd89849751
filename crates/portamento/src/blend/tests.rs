use super::*;
use core::f64::consts::PI;
use proptest::prelude::*;

fn any_rotation() -> impl Strategy<Value = Rotation> {
    [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0]
        .prop_filter_map("zero", |q| (q.iter().any(|c| c.abs() > 0.1)).then(|| Rotation::from_xyzw(q))?)
}

fn about(axis: [f32; 3], degrees: f64) -> Rotation {
    Rotation::from_axis_angle(axis, degrees.to_radians() as f32)
}

/// The definition, in f64, as a second implementation.
fn slerp_by_definition(a: Rotation, b: Rotation, t: f64) -> [f64; 4] {
    let a = a.to_array().map(f64::from);
    let mut b = b.to_array().map(f64::from);
    let mut dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    if dot < 0.0 {
        b = b.map(|c| -c);
        dot = -dot;
    }
    let angle = dot.min(1.0).acos();
    if angle < 1e-4 {
        return core::array::from_fn(|i| a[i] + (b[i] - a[i]) * t);
    }
    let (u, v) = (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin());
    core::array::from_fn(|i| a[i] * u + b[i] * v)
}

/// Angle between two rotations, in f64 and safe for tiny angles.
fn angle_between(a: [f64; 4], b: [f64; 4]) -> f64 {
    let minus: f64 = (0..4).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
    let plus: f64 = (0..4).map(|i| (a[i] + b[i]).powi(2)).sum::<f64>().sqrt();
    4.0 * minus.min(plus).atan2(minus.max(plus))
}

#[test]
fn the_fast_approximation_stays_close_to_slerp() {
    let mut up_to_90: f64 = 0.0;
    let mut up_to_180: f64 = 0.0;
    for tenth in 0..=1800 {
        let degrees = tenth as f64 / 10.0;
        let to = about([0.3, -0.5, 0.8], degrees);
        for k in 0..=100 {
            let t = k as f64 / 100.0;
            let fast = Rotation::IDENTITY.nlerp(to, t).to_array().map(f64::from);
            let error = angle_between(fast, slerp_by_definition(Rotation::IDENTITY, to, t));
            up_to_180 = up_to_180.max(error);
            if degrees <= 90.0 {
                up_to_90 = up_to_90.max(error);
            }
        }
    }
    assert!(up_to_90 < 1.1e-5, "{up_to_90}");
    assert!(up_to_180 < 5.2e-4, "{up_to_180}");
}

#[test]
fn slerp_is_right_for_tiny_and_for_opposite_angles() {
    for degrees in [1e-5, 1e-3, 0.1, 45.0, 120.0, 179.9, 180.0] {
        let to = about([0.0, 0.0, 1.0], degrees);
        for sign in [1.0, -1.0] {
            let to = Rotation { x: to.x * sign, y: to.y * sign, z: to.z * sign, w: to.w * sign };
            for t in [0.25, 0.5, 0.75] {
                let got = Rotation::IDENTITY.slerp(to, t);
                let off = got.angle_to(about([0.0, 0.0, 1.0], degrees * t));
                // Half a turn may go either way round.
                let other = got.angle_to(about([0.0, 0.0, -1.0], degrees * t));
                assert!(
                    off.min(if degrees == 180.0 { other } else { f32::MAX }) < 4e-7,
                    "{degrees} {t}: {off}"
                );
            }
        }
    }
}

#[test]
fn extreme_numbers_stay_finite() {
    for (a, b) in [(2e38f32, -2e38), (f32::MAX, -f32::MAX), (f32::MIN_POSITIVE, -1e-45), (1e-45, 2e-45)] {
        for k in 0..=64 {
            let v = lerp_f32(a, b, k as f64 / 64.0);
            assert!(v.is_finite() && v >= a.min(b) && v <= a.max(b), "{a} {b} {k}: {v}");
        }
        assert!(a.extrapolate(&b, 1.0).is_finite());
    }
    assert!(lerp_f64(1.7e308, -1.7e308, 0.5).is_finite());
    assert!(f32::hermite(&1e38, &3e38, &-1e38, &-3e38, 1e3, 0.5).is_finite());
    let odd = Rotation { x: 2e38, y: 0.0, z: 0.0, w: 1.0 };
    let mixed = odd.nlerp(Rotation::IDENTITY, 0.5);
    assert!(mixed.to_array().iter().all(|c| c.is_finite()));
    let zero = Rotation { x: 0.0, y: 0.0, z: 0.0, w: 0.0 };
    assert!(zero.nlerp(zero, 0.5).to_array().iter().all(|c| c.is_finite()));
    assert!(zero.nlerp(Rotation::IDENTITY, 0.3).to_array().iter().all(|c| c.is_finite()));
    assert!(zero.slerp(zero, 0.3).to_array().iter().all(|c| c.is_finite()));
}

#[test]
fn a_nan_in_one_field_stays_there() {
    let from = Pose::new([0.0, f32::NAN, 0.0], Rotation::IDENTITY);
    let to = Pose::new([1.0, 1.0, 1.0], Rotation::IDENTITY);
    let view = from.blend(&to, 0.5);
    assert_eq!((view.position[0], view.position[2]), (0.5, 0.5));
    assert_eq!(view.rotation, Rotation::IDENTITY);
    assert_eq!(from.blend(&to, f64::NAN).position[0], 0.0);
}

#[test]
fn a_value_that_stays_keeps_even_the_sign_of_its_zero() {
    for zero in [0.0f32, -0.0] {
        assert_eq!(zero.blend(&zero, 0.3).to_bits(), zero.to_bits());
        assert_eq!((zero as f64).blend(&(zero as f64), 0.3).to_bits(), (zero as f64).to_bits());
        let q = Rotation { x: zero, y: 1.0, z: zero, w: zero };
        assert_eq!(q.blend(&q, 0.3).to_array().map(f32::to_bits), q.to_array().map(f32::to_bits));
    }
}

#[test]
fn a_pose_arrives_as_a_whole() {
    let from = Pose::new([0.0; 3], about([0.0, 0.0, 1.0], 10.0));
    let to = Pose::new([1.0; 3], about([0.0, 1.0, 0.0], 80.0));
    for short_of_one in [0.0, 1e-9, 1e-8, 2e-8, 3e-8, 6e-8, 1e-7] {
        let view = from.blend(&to, 1.0 - short_of_one);
        assert_eq!(view.position == to.position, view.rotation == to.rotation, "{short_of_one}");
        let mirrored = Scaled { pose: from, scale: [1.0; 3] };
        let image = Scaled { pose: to, scale: [-1.0, 1.0, 1.0] };
        let snapped = mirrored.blend(&image, 1.0 - short_of_one);
        assert_eq!(snapped == image, view == to, "{short_of_one}");
    }
}

#[test]
fn angles_take_the_short_way() {
    for (a, b, half) in
        [(3.0f32, -3.0, PI as f32), (0.1, 6.2, 0.008407), (-1.0, 1.0, 0.0), (0.0, 7.0, 0.358407)]
    {
        let v = super::angle::angle_f32(a, b, 0.5);
        let off = crate::math::wrap_angle(v as f64 - half as f64).abs();
        assert!(off < 1e-5, "{a} {b}: {v}");
    }
    assert_eq!(super::angle::angle_f32(0.5, 9.0, 1.0), 9.0);
    assert_eq!(angle_f64(0.5, 0.5, 0.3), 0.5);
}

#[test]
fn a_resting_angle_keeps_its_bits_on_a_curve() {
    let (once, again) = (Angle(7.5), Angle(7.5)); // more than a turn
    let still = Angle::curve(&once, &0.0, &again, &0.0, 1.0);
    assert_eq!(Angle::on(&still, 0.3), once);
    assert_eq!(Angle::velocity(&once, &again, 1.0), 0.0);
    assert_eq!(once.advance(&0.0, 1.0), once);
    assert_eq!(once.advance(&f32::INFINITY, 1.0), once);
    let off = Angle::curve(&once, &f32::MAX, &Angle(8.0), &-f32::MAX, 1e9);
    assert!(Angle::on(&off, 0.5).0.is_finite());
}

#[test]
fn hermite_is_exact_on_cubics_with_uneven_spacing() {
    let p = |t: f64| 1.0 + 2.0 * t - 3.0 * t * t + 0.5 * t * t * t;
    let v = |t: f64| 2.0 - 6.0 * t + 1.5 * t * t;
    let mut t0: f64 = 0.0;
    for span in [0.1, 0.03, 0.7] {
        for k in 0..=10 {
            let alpha = k as f64 / 10.0;
            let got = f64::hermite(&p(t0), &v(t0), &p(t0 + span), &v(t0 + span), span, alpha);
            assert!((got - p(t0 + span * alpha)).abs() < 1e-12);
        }
        t0 += span;
    }
}

#[test]
fn a_wheel_may_turn_more_than_half_around_per_tick() {
    let span = 1.0 / 60.0;
    for turns_per_tick in [0.1, 0.4, 0.6, 1.0, 1.3, -2.7, 5.0] {
        let omega = turns_per_tick * 2.0 * PI / span;
        let angular = [0.0, 0.0, omega as f32];
        let from = about([1.0, 0.0, 0.0], 20.0);
        let to = about([0.0, 0.0, 1.0], turns_per_tick * 360.0).mul(from);
        for k in 1..10 {
            let alpha = k as f64 / 10.0;
            let got = Rotation::hermite(&from, &angular, &to, &angular, span, alpha);
            let want = about([0.0, 0.0, 1.0], turns_per_tick * 360.0 * alpha).mul(from);
            assert!(got.angle_to(want) < 2e-5, "{turns_per_tick} {alpha}: {}", got.angle_to(want));
        }
    }
}

#[test]
fn a_mirrored_scale_snaps() {
    let from = Scaled { pose: Pose::at([0.0; 3]), scale: [1.0, 1.0, 1.0] };
    let to = Scaled { pose: Pose::at([1.0; 3]), scale: [-1.0, 1.0, 1.0] };
    assert_eq!(from.blend(&to, 0.99), from);
    assert_eq!(from.blend(&to, 1.0), to);
    let grown = Scaled { scale: [3.0, 1.0, 1.0], ..from };
    assert_eq!(from.blend(&grown, 0.5).scale, [2.0, 1.0, 1.0]);
}

#[test]
fn tiny_mirrored_scales_snap_too() {
    let from = Scaled { pose: Pose::at([0.0; 3]), scale: [1e-30; 3] };
    let to = Scaled { pose: Pose::at([1.0; 3]), scale: [-1e-30, 1e-30, 1e-30] };
    assert_eq!(from.blend(&to, 0.5), from);
}

#[test]
fn a_pendulum_swings_out_between_two_equal_rotations() {
    // A position with such velocities arcs out and back; so does a rotation.
    let at = about([0.0, 0.0, 1.0], 30.0);
    let out = Rotation::hermite(&at, &[0.0, 0.0, 2.0], &at, &[0.0, 0.0, -2.0], 0.1, 0.5);
    let want = 30.0 + f64::hermite(&0.0, &2.0, &0.0, &-2.0, 0.1, 0.5).to_degrees();
    assert!(out.angle_to(about([0.0, 0.0, 1.0], want)) < 1e-6);
}

#[test]
fn what_rests_keeps_its_bits_when_extrapolated() {
    for k in 0..200 {
        let r = about([1.0, 2.0, 3.0], 0.1 + k as f64);
        assert_eq!(r.extrapolate(&r, 0.7).to_array().map(f32::to_bits), r.to_array().map(f32::to_bits));
        let angle = Angle(0.37 * k as f32);
        assert_eq!(angle.extrapolate(&angle, 0.7).0.to_bits(), angle.0.to_bits());
    }
}

#[test]
fn heading_is_the_turn_about_up() {
    let up = [0.0, 0.0, 1.0];
    let heading = about(up, 70.0);
    let leaning = heading.mul(about([1.0, 0.0, 0.0], 25.0));
    assert!(leaning.twist(up).angle_to(heading) < 1e-6);
    assert_eq!(about([1.0, 0.0, 0.0], 180.0).twist(up), Rotation::IDENTITY);
}

#[test]
fn an_angle_that_cannot_go_on_stays() {
    for beyond in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300] {
        let (single, double) = (Angle(1.0), Angle64(1.0));
        let to = (Angle(1.5), Angle64(1.5));
        assert_eq!((single.extrapolate(&to.0, beyond), double.extrapolate(&to.1, beyond)), to, "{beyond}");
    }
    assert!((Angle64(3.0).extrapolate(&Angle64(3.1), 1.0).0 - (3.2 - 2.0 * PI)).abs() < 1e-12);
}

#[test]
fn extrapolation_goes_on_at_the_same_rate() {
    assert_eq!(1.0f32.extrapolate(&2.0, 0.5), 2.5);
    let r = Rotation::IDENTITY.extrapolate(&about([0.0, 1.0, 0.0], 30.0), 1.0);
    assert!(r.angle_to(about([0.0, 1.0, 0.0], 60.0)) < 1e-6);
}

proptest! {
    #[test]
    fn a_line_is_monotone_and_never_passes_its_end(
        a in proptest::num::f32::NORMAL | proptest::num::f32::ZERO | proptest::num::f32::SUBNORMAL,
        b in proptest::num::f32::NORMAL | proptest::num::f32::ZERO | proptest::num::f32::SUBNORMAL,
        mut ts in proptest::collection::vec(0.0f64..=1.0, 1..8),
        near in 0u32..4,
    ) {
        ts.push(1.0 - f64::from(near) * f64::from(f32::EPSILON) / 2.0);
        ts.sort_by(f64::total_cmp);
        let (lo, hi) = (a.min(b), a.max(b));
        let mut last = a;
        for t in ts {
            let v = lerp_f32(a, b, t);
            prop_assert!(v >= lo && v <= hi, "{} {} {}: {}", a, b, t, v);
            let forward = if b >= a { v >= last } else { v <= last };
            prop_assert!((b - a).is_infinite() || forward);
            last = v;
        }
        prop_assert_eq!(lerp_f32(a, b, 1.0).to_bits(), b.to_bits());
        prop_assert_eq!(lerp_f32(a, b, 0.0).to_bits(), a.to_bits());
        prop_assert_eq!(lerp_f32(a, a, 0.3).to_bits(), a.to_bits());
    }

    #[test]
    fn a_blended_rotation_has_unit_length_and_exact_ends(a in any_rotation(), b in any_rotation(), t in 0.0f64..=1.0) {
        let r = a.nlerp(b, t);
        let length: f64 = r.to_array().iter().map(|c| f64::from(*c).powi(2)).sum::<f64>().sqrt();
        prop_assert!((length - 1.0).abs() < 1e-6);
        prop_assert_eq!(a.nlerp(b, 0.0), a);
        prop_assert_eq!(a.nlerp(b, 1.0), b);
        prop_assert_eq!(a.nlerp(a, t), a);
        let exact = slerp_by_definition(a, b, t);
        prop_assert!(angle_between(r.to_array().map(f64::from), exact) < 5.5e-4);
        prop_assert!(angle_between(a.slerp(b, t).to_array().map(f64::from), exact) < 1e-6);
    }

    #[test]
    fn an_angle_moves_like_a_rotation_about_one_axis(
        from in -3.0f64..3.0, way in -3.0f64..3.0, u in -12f64..12.0, v in -12f64..12.0, t in 0.0f64..=1.0,
    ) {
        // Where whole turns are a matter of rounding either count is as good.
        let turns = ((u + v) / 2.0 - way) / (2.0 * PI);
        prop_assume!((turns.fract().abs() - 0.5).abs() > 1e-3 && ((u + v).abs() - PI).abs() > 1e-3);
        let (a, b) = (Angle64(from), Angle64(from + way));
        let (u32, v32) = ([0.0, 0.0, u as f32], [0.0, 0.0, v as f32]);
        let [solid, solid_to] = [a, b].map(|at| Rotation::from_rotation_vector([0.0, 0.0, at.0]));
        let drawn = Angle64::hermite(&a, &u, &b, &v, 1.0, t).0;
        let solid = Rotation::hermite(&solid, &u32, &solid_to, &v32, 1.0, t);
        prop_assert!(Rotation::from_rotation_vector([0.0, 0.0, drawn]).angle_to(solid) < 4e-6);
        let single = Angle::hermite(&Angle(a.0 as f32), &(u as f32), &Angle(b.0 as f32), &(v as f32), 1.0, t);
        prop_assert!(crate::math::wrap_angle(f64::from(single.0) - drawn).abs() < 4e-6);
        prop_assert!((Angle64::velocity(&a, &b, 0.5) - 2.0 * way).abs() < 1e-12);
    }

    #[test]
    fn rotation_vectors_go_there_and_back(a in any_rotation()) {
        let back = Rotation::from_rotation_vector(a.to_rotation_vector());
        prop_assert!(back.angle_to(a) < 1e-6);
    }
}
