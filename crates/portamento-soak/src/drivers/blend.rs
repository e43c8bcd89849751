//! What lies between two values, past them, and on the curve that their velocities make.

use super::Value;
use crate::Source;
use crate::laws::{Finite, finite};
use portamento::blend::{Angle, Angle64, Blend, Displace, Pose, Pose2, Pose64};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += match source.below(7) {
            0 => between::<f32>(source),
            1 => between::<[f64; 3]>(source),
            2 => between::<Pose>(source),
            3 => between::<Pose64>(source),
            4 => between::<Pose2>(source),
            5 => between::<Angle>(source),
            _ => between::<Angle64>(source),
        };
    }
    calls
}

fn between<T: Value + Blend + Displace>(source: &mut Source) -> u64 {
    let (a, b) = (T::any(source), T::any(source));
    let alpha = source.unit();
    for alpha in [0.0, alpha, 1.0] {
        finite(&a.blend(&b, alpha));
    }
    let seconds = source.unit() + 0.001;
    let velocity = T::velocity(&a, &b, seconds);
    if T::size(&velocity).finite() {
        let there = a.advance(&velocity, seconds * alpha);
        finite(&there);
        finite(&T::hermite(&a, &velocity, &b, &velocity, seconds, alpha));
    }
    let _ = (a.rests(&b), a.same_place(&b));
    7
}
