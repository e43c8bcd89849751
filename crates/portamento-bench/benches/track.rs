//! What does a track's view of a pose cost beside the lerp and slerp that people write by hand?
//!
//! Both over the same thousand entities, in turns, best of many rounds in one run. The bound is 1.2.

use glam::{Quat, Vec3};
use portamento::blend::{Pose, Rotation};
use portamento::{Moment, Track};
use portamento_bench::{machine, race, runner};
use std::hint::black_box;
use std::time::Duration;

const THINGS: usize = 1000;

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
            let mut track = Track::with_ends(pose(*from));
            track.push(pose(*to));
            track
        })
        .collect();

    // Another place between the two ticks in every pass, the same ones for both.
    let alphas = || (0u32..).map(|pass| f64::from(pass % 97) / 97.0 + 0.005);
    let (mut of_tracks, mut of_pairs) = (alphas(), alphas());
    let mut views = vec![Pose::default(); THINGS];
    let mut mixed = vec![(Vec3::ZERO, Quat::IDENTITY); THINGS];
    let track = || {
        let moment = Moment::at(black_box(of_tracks.next().expect("there is no end")), 0.0);
        for (view, track) in views.iter_mut().zip(&tracks) {
            *view = track.view(moment);
        }
        black_box(&mut views);
    };
    let by_hand = || {
        let alpha = black_box(of_pairs.next().expect("there is no end")) as f32;
        for (out, [from, to]) in mixed.iter_mut().zip(&pairs) {
            *out = (from.0.lerp(to.0, alpha), from.1.slerp(to.1, alpha));
        }
        black_box(&mut mixed);
    };
    let runners = vec![runner("Track::view", track), runner("lerp + slerp by hand", by_hand)];
    let times = race(400, Duration::from_millis(1), runners);
    println!("{}. A pose, best of many rounds over {THINGS}:", machine());
    for time in &times {
        println!("  {:<20}  {:6.2} ns", time.name, time.seconds * 1e9 / THINGS as f64);
    }
    println!("  {:<20}  {:6.2} (at most 1.2)", "ratio", times[0].over(&times[1]));
}
