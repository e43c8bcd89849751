//! What does a call cost in Rust, without the border? `cargo xtask c --cost` prints it beside C, C++ and C#.

use portamento::blend::{Pose64, Rotation};
use portamento::{Moment, Track};
use std::hint::black_box;
use std::time::Instant;

const CALLS: u32 = 20_000;
const RUNS: u32 = 300;

fn best(name: &str, mut call: impl FnMut(Moment)) {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        for i in 0..CALLS {
            call(black_box(Moment::at(f64::from(i) / f64::from(CALLS), 0.01)));
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(CALLS));
    }
    println!("  {name:<28} {:>7.1} ns", best * 1e9);
}

fn main() {
    let mut track = Track::<Pose64>::new(Pose64::at([1.0, 2.0, 3.0]));
    let turned = Rotation::from_xyzw([0.6, 0.0, 0.0, 0.8]).expect("a unit quaternion");
    let pose = Pose64::new([2.0, 3.0, 4.0], turned);
    track.push(pose);
    best("a track's view", |moment| {
        let _ = black_box(track.view(moment));
    });
    best("a track's draw", |moment| {
        let _ = black_box(track.draw(moment));
    });
    best("a track's push", |_| track.push(black_box(pose)));
}
