//! Random poses blended at random alphas, and what every stepping policy makes of jittery frames.

use super::Hash;
use super::input::{Noise, jittery_frames, steppers};
use portamento::blend::{Angle, Angle64, Blend, Hermite, Pose, Rotation, Turn};
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

/// Angles on curves, most of them a turn or more apart.
pub fn angles() -> u64 {
    let mut hash = Hash::new();
    let mut noise = Noise(11);
    for _ in 0..10_000 {
        let [a, b, u, v] = core::array::from_fn(|_| 20.0 * noise.next());
        let (span, alpha) = (1.0 + 0.9 * noise.next(), 0.5 + 0.5 * noise.next());
        let (from, to) = (Angle64(a), Angle64(b));
        hash.numbers([
            Angle64::hermite(&from, &u, &to, &v, span, alpha).0,
            Angle64::velocity(&from, &to, span),
            from.advance(&u, span).0,
        ]);
        let (from, to) = (Angle(a as f32), Angle(b as f32));
        let (u, v) = (u as f32, v as f32);
        let single = [
            Angle::hermite(&from, &u, &to, &v, span, alpha).0,
            Angle::velocity(&from, &to, span),
            from.advance(&u, span).0,
        ];
        hash.numbers(single.map(f64::from));
    }
    hash.0
}

/// Turns in the plane on curves, most of them with a whole turn or more between.
pub fn turns() -> u64 {
    let mut hash = Hash::new();
    let mut noise = Noise(12);
    for _ in 0..10_000 {
        let [a, b, u, v] = core::array::from_fn(|_| (20.0 * noise.next()) as f32);
        let (span, alpha) = (1.0 + 0.9 * noise.next(), 0.5 + 0.5 * noise.next());
        let (from, to) = (Turn::from_angle(a), Turn::from_angle(b));
        for Turn { z, w } in [Turn::hermite(&from, &u, &to, &v, span, alpha), from.advance(&u, span)] {
            hash.numbers([z, w].map(f64::from));
        }
        hash.numbers([f64::from(Turn::velocity(&from, &to, span))]);
    }
    hash.0
}
