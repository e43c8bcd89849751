//! The visual offset, alone.

use super::Value;
use crate::Source;
use crate::laws::{Finite, finite};
use crate::saves::through_a_save;
use portamento::blend::{Displace, OffsetSize, Pose, Pose2, Pose64};
use portamento::track::{OffsetFading, VisualOffset};
use serde::{Serialize, de::DeserializeOwned};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += match source.below(4) {
            0 => offset::<[f64; 2]>(source),
            1 => offset::<Pose>(source),
            2 => offset::<Pose64>(source),
            _ => offset::<Pose2>(source),
        };
    }
    calls
}

fn size(source: &mut Source) -> OffsetSize {
    let number =
        |source: &mut Source| if source.one_in(8) { source.finite().abs() } else { source.unit() * 5.0 };
    OffsetSize { length: number(source), angle: number(source) }
}

/// A fading whose numbers make sense, however odd they are.
fn fading(source: &mut Source) -> OffsetFading {
    if source.flag() {
        return OffsetFading::CORRECTION.with_unit(source.mostly(1.0).abs().clamp(1e-9, 1e9));
    }
    let (a, b) = (size(source), size(source));
    let ordered = |pick: fn(f64, f64) -> f64| OffsetSize {
        length: pick(a.length, b.length),
        angle: pick(a.angle, b.angle),
    };
    OffsetFading {
        slow: source.unit() * 10.0 + 1e-3,
        fast: source.unit() * 10.0 + 1e-3,
        small: ordered(f64::min),
        large: ordered(f64::max),
        top_speed: if source.flag() {
            OffsetSize { length: f64::MAX, angle: f64::MAX }
        } else {
            size(source)
        },
        gone: size(source),
    }
}

fn offset<T: Value + Displace>(source: &mut Source) -> u64
where
    T::Velocity: Serialize + DeserializeOwned + std::fmt::Debug + PartialEq,
{
    let mut offset = VisualOffset::<T>::default();
    let mut truth = T::any(source);
    let mut calls = 1;
    for _ in 0..24 {
        calls += 1;
        match source.below(8) {
            0..=2 => {
                let to = T::any(source);
                let limit = if source.flag() {
                    OffsetSize { length: f64::INFINITY, angle: f64::INFINITY }
                } else {
                    size(source)
                };
                let _ = offset.absorb(&truth, &to, limit);
                truth = to;
            }
            3 => offset = VisualOffset::default(),
            4 if source.one_in(4) => {
                let Some(again) = through_a_save(&offset, source) else { continue };
                // An edited one may be longer than anything that calls lead to.
                if again.size().finite() && again.drawn(&truth).finite() {
                    offset = again;
                }
            }
            _ => {
                let fading = fading(source);
                let before = offset.size();
                let seconds = source.mostly(1.0 / 60.0);
                offset.fade(seconds, &fading);
                let after = offset.size();
                assert!(
                    after.length <= before.length * (1.0 + 1e-6)
                        && after.angle <= before.angle * (1.0 + 1e-6),
                    "an offset grew from {before:?} to {after:?} in {seconds} s by {fading:?}"
                );
            }
        }
        finite(&offset.size());
        finite(&offset.drawn(&truth));
        if offset == VisualOffset::default() {
            assert!(offset.drawn(&truth) == truth, "rest is exact");
        }
    }
    calls
}
