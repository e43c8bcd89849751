mod chase;
mod follow;

use super::{ChaseCamera, ChaseRule, ChaseSettings, FollowCamera, FollowRule, FollowSettings};
use crate::Moment;
use crate::blend::{Pose64, Rotation};

/// Law 7: one number over a ride with everything in it. It changes when the arithmetic does, on whatever machine
/// that happens first.
#[test]
fn the_same_ride_gives_the_same_bits() {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut eat = |number: f64| hash = (hash ^ number.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
    for rule in [ChaseRule::Client, ChaseRule::Smooth] {
        let mut chase =
            ChaseCamera::new(ChaseSettings { rule, height_hold: Some(0.5), ..ChaseSettings::y_up() })
                .unwrap();
        let rule = match rule {
            ChaseRule::Client => FollowRule::Exponential { smoothing: 0.9, speed: 1.3 },
            ChaseRule::Smooth => FollowRule::Smooth { rate: 6.0 },
        };
        let flat = FollowSettings { rule, dead_zone: [20.0, 9.0], ..FollowSettings::new([640.0, 360.0]) };
        let mut follow = FollowCamera::new(flat).unwrap();
        let (mut x, mut turn) = (0.0, 0.0f32);
        for (i, dt) in jittered(1.0 / 90.0, 0.5, 3000).enumerate() {
            x += dt * (i % 200) as f64 * 0.1;
            turn += dt as f32 * (i % 300) as f32 * 0.01;
            let rotation = Rotation::from_axis_angle([0.1, 1.0, 0.0], turn);
            let moment = Moment::NEWEST.presenting(dt);
            if i % 500 == 499 {
                chase.cut();
                follow.shake(0.7);
                follow.zoom_by(1.1, Some([100.0, 50.0]));
            }
            let shot = chase.update(&moment, Pose64::new([x, (i % 70) as f64 * 0.02, -x * 0.5], rotation));
            shot.eye.into_iter().chain(shot.forward).for_each(&mut eat);
            shot.rotation.to_array().into_iter().for_each(|c| eat(c.into()));
            follow.update(&moment, [x * 8.0, -x]).centre.into_iter().for_each(&mut eat);
        }
    }
    assert_eq!(format!("{hash:016x}"), "e31a51fb215ff3cf");
}

/// Uneven frame times around `mean`, the same in every run.
fn jittered(mean: f64, by: f64, count: usize) -> impl Iterator<Item = f64> {
    let mut seed = 1u64;
    (0..count).map(move |_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let unit = (seed >> 11) as f64 / (1u64 << 53) as f64;
        mean * (1.0 + by * (2.0 * unit - 1.0))
    })
}

/// How far the values reach from least to most, largest over the components.
fn spread<const N: usize>(values: &[[f64; N]]) -> f64 {
    (0..N)
        .map(|i| {
            let of = |pick: fn(f64, f64) -> f64| values.iter().map(|v| v[i]).reduce(pick).unwrap_or(0.0);
            of(f64::max) - of(f64::min)
        })
        .fold(0.0, f64::max)
}
