//! A batch, beside one track for each of its poses: the same bits, or one of the two is wrong.

use super::Value;
use super::track::moment;
use crate::Source;
use crate::laws::finite;
use crate::saves::{come_back, edited};
use portamento::batch::{Batch, BatchHandle, BatchPose, BatchSettings, BatchTruth, OutputForm};
use portamento::blend::{Blend, OffsetSize, Pose, Pose2};
use portamento::track::{PredictedTrack, ReconcileSettings, TrackEnds};
use portamento::{Moment, Track};
use serde::{Serialize, de::DeserializeOwned};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += match source.below(4) {
            0 => batch::<Pose>(source),
            1 => batch::<Pose2>(source),
            2 => corrected::<Pose>(source),
            _ => corrected::<Pose2>(source),
        };
    }
    calls
}

/// No batch of the driver is larger.
const MOST: usize = 40;
const ENDS: usize = 4;

fn batch<P>(source: &mut Source) -> u64
where
    P: Value + BatchPose + Blend,
    P::Tile: Serialize + DeserializeOwned,
    Batch<P>: Serialize + DeserializeOwned,
{
    let settings = BatchSettings { ends: ENDS, remember_views: source.flag(), ..BatchSettings::default() };
    let mut batch = Batch::<P>::with_settings(settings).expect("four ends can work");
    let mut tracks: Vec<(BatchHandle, Track<P, ENDS>)> = Vec::new();
    let mut stale: Option<BatchHandle> = None;
    let mut bytes = 0;
    let mut calls = 1;
    for round in 0..60 {
        calls += 1;
        match source.below(16) {
            0..=3 if tracks.len() < MOST => {
                let pose = P::any(source);
                tracks.push((batch.insert(pose), Track::with_ends(pose)));
            }
            4 if !tracks.is_empty() => {
                let (handle, track) = tracks.swap_remove(source.below(tracks.len()));
                assert!(batch.remove(handle) == Ok(*track.truth()));
                stale = Some(handle);
            }
            5 if !tracks.is_empty() => {
                let at = source.below(tracks.len());
                let (handle, track) = &mut tracks[at];
                let pose = P::any(source);
                batch.cut(*handle, pose).expect("it lives");
                track.cut(pose);
            }
            6 if !tracks.is_empty() => {
                let at = source.below(tracks.len());
                let (handle, track) = &mut tracks[at];
                let pose = P::any(source);
                batch.correct(*handle, pose).expect("it lives");
                track.correct(pose);
            }
            7 => {
                let by = source.unit() * 8.0;
                let shift = |pose: &mut P| {
                    let mut moved = *pose;
                    moved.shift(by);
                    if moved.finite() {
                        *pose = moved;
                    }
                };
                batch.rebase(shift);
                tracks.iter_mut().for_each(|(_, track)| track.rebase(shift));
            }
            8 if source.one_in(4) => {
                let (_, again) = come_back(&batch);
                batch = again;
                // What is read is drawn anew; from there on it is the same.
                let (text, again) = come_back(&batch);
                assert!(text == come_back(&again).0, "another save: {text}");
                if source.flag()
                    && let Some(other) = edited(&text, source)
                {
                    calls += use_up::<P>(other, source);
                }
            }
            8..=11 => {
                batch.tick();
                for (handle, track) in &mut tracks {
                    let pose = if source.one_in(3) { *track.truth() } else { P::any(source) };
                    batch.push(*handle, pose).expect("it lives, in a tick");
                    track.push(pose);
                    calls += 1;
                }
            }
            _ => {
                let moment = moment(source, ENDS);
                let rows = batch.rows();
                let frame = batch.frame(moment);
                for (handle, track) in &tracks {
                    let view = frame.view(*handle).expect("it lives");
                    finite(&view);
                    let other = track.view(moment);
                    assert!(view == other, "batch {view:?}, track {other:?} at {moment:?}");
                    calls += 1;
                }
                let form = source.of(&[OutputForm::Poses, OutputForm::Positions, OutputForm::Matrices4x4]);
                let mut out = vec![0.0; form.floats::<P>() * rows];
                frame.write_rows(form, &mut out).expect("room for all");
                if let Some(stale) = stale {
                    assert!(frame.view(stale).is_err(), "a handle of what is gone");
                }
            }
        }
        assert_eq!(batch.handles().len(), tracks.len());
        if round == 30 {
            bytes = batch.bytes();
        }
    }
    assert!(bytes == 0 || batch.bytes() <= 8 * bytes + 1_000_000, "{} bytes from {bytes}", batch.bytes());
    calls
}

/// A kind of pose of which odd ones are known.
trait Turned: Value + Default {
    fn is_unit(&self) -> bool;

    /// Without odd rotations: their bits change when they are blended, and a predicted track lets that glide, without
    /// a correction.
    fn usual(source: &mut Source) -> Self {
        let pose = Self::any(source);
        if pose.is_unit() { pose } else { Self::default() }
    }
}

impl Turned for Pose {
    fn is_unit(&self) -> bool {
        (self.rotation.to_array().iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-3
    }
}

impl Turned for Pose2 {
    fn is_unit(&self) -> bool {
        (self.turn.z * self.turn.z + self.turn.w * self.turn.w - 1.0).abs() < 1e-3
    }
}

/// Poses that are predicted, corrected and rolled back: the picture, its motion and its cuts are those of a predicted
/// track for each.
fn corrected<P>(source: &mut Source) -> u64
where
    P: Turned + BatchPose,
    Batch<P>: Serialize + DeserializeOwned,
{
    let limit = OffsetSize { length: source.unit() * 50.0, angle: source.unit() * 3.0 };
    let reconcile = ReconcileSettings { limit, ..ReconcileSettings::default() };
    let settings =
        BatchSettings { ends: ENDS, reconcile, glide_after_restore: true, ..BatchSettings::default() };
    let mut batch = Batch::<P>::with_settings(settings).expect("four ends can work");
    let mut tracks: Vec<(BatchHandle, PredictedTrack<P, ENDS>)> = Vec::new();
    let mut save: Option<(BatchTruth<P>, Vec<TrackEnds<P, ENDS>>, usize)> = None;
    let (mut calls, mut frames) = (1, 0);
    for _ in 0..60 {
        calls += 1;
        match source.below(16) {
            0..=2 if tracks.len() < MOST => {
                let pose = P::usual(source);
                tracks.push((batch.insert(pose), PredictedTrack::with_settings(pose, reconcile)));
                let _ = batch.frame(Moment::newest(0.0));
                save = None;
                for (_, track) in &mut tracks {
                    let _ = track.draw(Moment::newest(0.0));
                }
            }
            3 if !tracks.is_empty() => {
                let (handle, track) = tracks.swap_remove(source.below(tracks.len()));
                assert!(batch.remove(handle) == Ok(*track.truth()));
                assert!(batch.reconcile(handle, *track.truth()).is_err());
                save = None;
            }
            4 if !tracks.is_empty() => {
                let at = source.below(tracks.len());
                let (handle, track) = &mut tracks[at];
                let pose = P::usual(source);
                batch.cut(*handle, pose).expect("it lives");
                track.cut(pose);
            }
            5 | 6 => {
                let mut truth = BatchTruth::default();
                batch.save(&mut truth);
                save = Some((truth, tracks.iter().map(|(_, track)| track.ends().clone()).collect(), 0));
            }
            7 => {
                let Some((truth, ends, ticks)) = save.take() else { continue };
                batch.restore(&truth);
                tracks.iter_mut().zip(ends).for_each(|((_, track), ends)| track.restore(ends));
                for _ in 0..source.below(ticks + 1) {
                    calls += tick(&mut batch, &mut tracks, source);
                }
            }
            8..=11 => {
                calls += tick(&mut batch, &mut tracks, source);
                save.iter_mut().for_each(|(.., ticks)| *ticks += 1);
            }
            _ => {
                frames += 1;
                let moment = moment(source, ENDS).in_frame(frames);
                let rows = batch.rows();
                let frame = batch.frame(moment);
                let mut out = vec![0.0; OutputForm::Poses.floats::<P>() * rows];
                frame.write_rows(OutputForm::Poses, &mut out).expect("room for all");
                for (handle, track) in &mut tracks {
                    let drawn = track.draw(moment);
                    let view = frame.drawn(*handle).expect("it lives").expect("views are remembered");
                    finite(&view.now);
                    assert!(view == drawn, "batch {view:?}, track {drawn:?} at {moment:?}");
                    calls += 1;
                }
                if source.one_in(16) {
                    (batch, save) = (come_back(&batch).1, None);
                }
            }
        }
    }
    calls
}

/// A tick in which all are pushed, and some are corrected.
fn tick<P: Turned + BatchPose>(
    batch: &mut Batch<P>,
    tracks: &mut [(BatchHandle, PredictedTrack<P, ENDS>)],
    source: &mut Source,
) -> u64 {
    batch.tick();
    for (handle, track) in tracks.iter_mut() {
        let pose = if source.one_in(3) { *track.truth() } else { P::usual(source) };
        batch.push(*handle, pose).expect("it lives, in a tick");
        track.push(pose);
        if source.one_in(6) {
            let pose = P::usual(source);
            batch.reconcile(*handle, pose).expect("it lives");
            track.reconcile(pose);
            assert!(batch.truth(*handle) == Ok(pose) && *track.truth() == pose);
        }
    }
    tracks.len() as u64
}

/// A batch from a save that someone has edited: any calls are harmless.
fn use_up<P: Value + BatchPose + Blend>(mut batch: Batch<P>, source: &mut Source) -> u64 {
    for _ in 0..6 {
        batch.tick();
        for handle in batch.handles().to_vec() {
            let _ = batch.push(handle, P::any(source));
        }
        let last = batch.handles().first().copied();
        if let Some(handle) = last {
            let _ = batch.cut(handle, P::any(source));
            let _ = batch.correct(handle, P::any(source));
            let _ = batch.reconcile(handle, P::any(source));
        }
        let frame = batch.frame(Moment::at(source.unit(), 0.01));
        let _ = frame.moved().len();
        if let Some(handle) = last {
            let _ = (frame.view(handle).is_ok(), frame.drawn(handle).is_ok());
            let _ = batch.remove(handle);
        }
        batch.insert(P::any(source));
    }
    40
}
