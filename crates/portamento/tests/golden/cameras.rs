//! A ride with everything in it: both rules of both cameras, cuts, shakes and zooms, at uneven frames.

use super::Hash;
use super::input::Noise;
use portamento::Moment;
use portamento::blend::{Pose64, Rotation};
use portamento::camera::{ChaseCamera, ChaseRule, ChaseSettings, FollowCamera, FollowRule, FollowSettings};

pub fn hash() -> u64 {
    let mut hash = Hash::new();
    let flat_client = FollowRule::Exponential { smoothing: 0.9, speed: 1.3 };
    let flat_smooth = FollowRule::Smooth { rate: [6.0; 2] };
    for (rule, flat_rule) in [(ChaseRule::PerFrame, flat_client), (ChaseRule::Smooth, flat_smooth)] {
        let mut chase =
            ChaseCamera::new(ChaseSettings { rule, height_hold: Some(0.5), ..ChaseSettings::y_up() })
                .unwrap();
        let flat =
            FollowSettings { rule: flat_rule, dead_zone: [20.0, 9.0], ..FollowSettings::new([640.0, 360.0]) };
        let mut follow = FollowCamera::new(flat).unwrap();
        let (mut x, mut turn) = (0.0, 0.0f32);
        let mut noise = Noise(1);
        for i in 0..3000 {
            let dt = (1.0 / 90.0) * (1.0 + 0.5 * noise.next());
            x += dt * (i % 200) as f64 * 0.1;
            turn += dt as f32 * (i % 300) as f32 * 0.01;
            let rotation = Rotation::from_axis_angle([0.1, 1.0, 0.0], turn);
            let moment = Moment::newest(dt);
            if i % 500 == 499 {
                chase.cut();
                follow.shake(0.7);
                follow.zoom_by(1.1, Some([100.0, 50.0]));
            }
            let shot = chase.update(moment, Pose64::new([x, (i % 70) as f64 * 0.02, -x * 0.5], rotation));
            hash.numbers(shot.eye.into_iter().chain(shot.forward));
            hash.numbers(shot.rotation.to_array().map(f64::from));
            hash.numbers(follow.update(moment, [x * 8.0, -x]).centre);
        }
    }
    hash.0
}
