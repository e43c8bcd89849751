//! What does a track's view of a pose cost beside the lerp and slerp that people write by hand?
//!
//! Both over the same thousand things, in turns, best of many rounds in one run. The bound is 1.2.

use glam::{Quat, Vec3};
use portamento::blend::{Pose, Rotation};
use portamento::{Moment, Track};
use std::hint::black_box;
use std::time::Instant;

const THINGS: usize = 1000;
const ROUNDS: usize = 2000;

fn nanoseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9 / THINGS as f64
}

fn main() {
    let turned = |i: usize, by: f32| Quat::from_rotation_y(i as f32 * 0.1 + by) * Quat::from_rotation_x(0.3);
    let pairs: Vec<[(Vec3, Quat); 2]> = (0..THINGS)
        .map(|i| [(Vec3::splat(i as f32), turned(i, 0.0)), (Vec3::splat(i as f32 + 1.0), turned(i, 0.3))])
        .collect();
    let pose = |(position, rotation): (Vec3, Quat)| {
        let [x, y, z, w] = rotation.to_array();
        Pose::new(position.to_array(), Rotation { x, y, z, w })
    };
    let tracks: Vec<Track<Pose, 2>> = pairs
        .iter()
        .map(|[from, to]| {
            let mut track = Track::new(pose(*from));
            track.push(pose(*to));
            track
        })
        .collect();

    let (mut track, mut by_hand) = (f64::MAX, f64::MAX);
    let mut views = vec![Pose::default(); THINGS];
    let mut mixed = vec![(Vec3::ZERO, Quat::IDENTITY); THINGS];
    for round in 0..ROUNDS {
        let alpha = black_box((round % 97) as f64 / 97.0 + 0.005);
        let moment = Moment::at(alpha);
        track = track.min(nanoseconds(|| {
            for (view, track) in views.iter_mut().zip(&tracks) {
                *view = track.view(&moment);
            }
            black_box(&mut views);
        }));
        by_hand = by_hand.min(nanoseconds(|| {
            for (out, [from, to]) in mixed.iter_mut().zip(&pairs) {
                *out = (from.0.lerp(to.0, alpha as f32), from.1.slerp(to.1, alpha as f32));
            }
            black_box(&mut mixed);
        }));
    }
    println!("a pose, best of {ROUNDS} rounds over {THINGS}:");
    println!("  Track::view           {track:6.2} ns");
    println!("  lerp + slerp by hand  {by_hand:6.2} ns");
    println!("  ratio                 {:6.2} (at most 1.2)", track / by_hand);
}
