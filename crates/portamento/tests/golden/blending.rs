//! Random poses blended at random alphas, and what every stepping policy makes of jittery frames.

use super::Hash;
use super::input::{Noise, jittery_frames, steppers};
use portamento::blend::{Blend, Pose, Rotation};
use portamento::step::Frame;

pub fn hash() -> u64 {
    let mut hash = Hash::new();
    let mut noise = Noise(1);
    for _ in 0..20_000 {
        let mut pose = || {
            let q = [noise.next(), noise.next(), noise.next(), noise.next() + 1e-3].map(|c| c as f32);
            let p = [noise.next(), noise.next(), noise.next()].map(|c| (c * 1e3) as f32);
            Pose::new(p, Rotation::from_xyzw(q).unwrap())
        };
        let (a, b) = (pose(), pose());
        let alpha = noise.next().abs();
        hash.pose(&a.blend(&b, alpha));
        let exact = a.rotation.slerp(b.rotation, alpha).to_array();
        exact.into_iter().for_each(|c| hash.eat(c.to_bits().into()));
    }
    for (_, mut stepper) in steppers() {
        for frame in jittery_frames(75.0, 2) {
            let Frame { ticks, moment, .. } = stepper.frame(frame);
            ticks.for_each(|tick| hash.eat(tick.time.to_bits()));
            hash.eat(moment.alpha().to_bits());
        }
    }
    hash.0
}
