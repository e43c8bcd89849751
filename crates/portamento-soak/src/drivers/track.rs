//! Tracks: what one entity did in its last ticks.

use super::Value;
use crate::Source;
use crate::laws::finite;
use crate::saves::through_a_save;
use portamento::blend::{Angle, Blend, Pose, Pose2, Pose64};
use portamento::step::MomentParts;
use portamento::{Moment, Track};
use serde::{Serialize, de::DeserializeOwned};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += match source.below(6) {
            0 => track::<f32, 2>(source),
            1 => track::<[f64; 3], 3>(source),
            2 => track::<Pose, 8>(source),
            3 => track::<Pose64, 64>(source),
            4 => track::<Pose2, 5>(source),
            _ => track::<Angle, 8>(source),
        };
    }
    calls
}

/// A moment that a track of `ends` ends can draw, within what extrapolation is for.
pub(super) fn moment(source: &mut Source, ends: usize) -> Moment {
    let presented = source.mostly(1.0 / 60.0);
    let alpha = if source.one_in(8) { source.number() } else { source.unit() };
    let moment = match source.below(10) {
        0 => Moment::newest(presented),
        1 => {
            let back = source.below(ends - 1) as u32;
            MomentParts { back, ..Moment::at(alpha, presented).into() }.into()
        }
        _ => Moment::at(alpha, presented),
    };
    if source.flag() { moment.in_frame(u64::from(source.byte())) } else { moment }
}

fn track<T: Value + Blend + Serialize + DeserializeOwned, const ENDS: usize>(source: &mut Source) -> u64 {
    let mut track = Track::<T, ENDS>::with_ends(T::any(source));
    let mut saved = track.ends().clone();
    let mut calls = 1;
    for _ in 0..48 {
        calls += 1;
        match source.below(16) {
            0 => track.cut(T::any(source)),
            1 => track.correct(T::any(source)),
            2 => {
                let by = source.place();
                track.rebase(|value| {
                    let mut moved = *value;
                    moved.shift(by);
                    if moved.finite() {
                        *value = moved;
                    }
                });
            }
            3 => saved = track.ends().clone(),
            4 => track.restore(saved.clone()),
            5 => {
                let same = *track.truth();
                track.push(same);
            }
            6..=10 => track.push(T::any(source)),
            11 if source.one_in(20) => {
                if let Some(again) = through_a_save(&track, source) {
                    track = again;
                    if !track.truth().finite() || !track.view(Moment::at(0.5, 0.0)).finite() {
                        // A value of the user's own may be anything.
                        return calls;
                    }
                    // So may the older ones.
                    track.cut(*track.truth());
                    for _ in 0..ENDS {
                        track.push(T::any(source));
                    }
                    saved = track.ends().clone();
                    let _ = track.draw(Moment::newest(0.0));
                    let _ = track.draw(Moment::newest(0.0));
                }
            }
            _ => {
                let moment = moment(source, ENDS);
                let before = track.view(moment);
                let drawn = track.draw(moment);
                finite(&drawn.now);
                finite(&drawn.before);
                finite(&before);
                if track.ends().at_rest(moment) {
                    assert!(track.view(moment) == *track.truth(), "rest is exact");
                }
            }
        }
    }
    calls
}
