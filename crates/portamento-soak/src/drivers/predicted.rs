//! Predicted tracks: corrections and rollback.

use super::Value;
use super::track::moment;
use crate::Source;
use crate::laws::finite;
use crate::saves::through_a_save;
use portamento::Moment;
use portamento::blend::{Blend, Displace, OffsetSize, Pose, Pose2, Pose64};
use portamento::track::{PredictedTrack, ReconcileSettings};
use serde::{Serialize, de::DeserializeOwned};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += match source.below(4) {
            0 => predicted::<[f32; 3], 8>(source),
            1 => predicted::<Pose, 8>(source),
            2 => predicted::<Pose64, 4>(source),
            _ => predicted::<Pose2, 16>(source),
        };
    }
    calls
}

fn predicted<T, const ENDS: usize>(source: &mut Source) -> u64
where
    T: Value + Blend + Displace + Serialize + DeserializeOwned,
    T::Velocity: Serialize + DeserializeOwned + std::fmt::Debug + PartialEq,
{
    let usual = ReconcileSettings::default();
    let settings = if source.flag() {
        usual
    } else {
        let limit = OffsetSize { length: source.unit() * 50.0, angle: source.unit() * 3.0 };
        ReconcileSettings { limit, pace: source.unit() * 4.0, ..usual }
    };
    let mut track = PredictedTrack::<T, ENDS>::with_settings(T::any(source), settings);
    let mut saved = track.ends().clone();
    let mut calls = 1;
    for _ in 0..48 {
        calls += 1;
        match source.below(16) {
            0 => track.cut(T::any(source)),
            1 | 2 => track.reconcile(T::any(source)),
            3 => {
                let by = source.unit() * 1000.0;
                track.rebase(|value| {
                    let mut moved = *value;
                    moved.shift(by);
                    if moved.finite() {
                        *value = moved;
                    }
                });
            }
            4 => saved = track.ends().clone(),
            5 => track.restore(saved.clone()),
            6..=9 => track.push(T::any(source)),
            10 if source.one_in(20) => {
                let Some(again) = through_a_save(&track, source) else { continue };
                track = again;
                if !track.truth().finite() {
                    return calls;
                }
                track.cut(*track.truth());
                for _ in 0..ENDS {
                    track.push(T::any(source));
                }
                saved = track.ends().clone();
                let _ = track.draw(Moment::newest(0.0));
                let _ = track.draw(Moment::newest(0.0));
            }
            _ => {
                let moment = moment(source, ENDS);
                let drawn = track.draw(moment);
                finite(&drawn.now);
                finite(&drawn.before);
                finite(&track.offset());
                if track.ends().at_rest(moment) && track.offset() == OffsetSize::default() {
                    assert!(track.view(moment) == *track.truth(), "rest is exact");
                }
            }
        }
    }
    calls
}
