//! Other players over a network: peers, snapshots of their entities, and your own player after a correction.

use crate::border::{Numbers, done, keep, made};
use crate::values::{give_drawn, give_pose, moment, pose, shift};
use portamento::SettingError;
use portamento::blend::{OffsetSize, Pose64, Rotation, Velocity};
use portamento::remote::{
    Inserted, MessageStamp, Peer, PeerFrame, PeerSettings, Report, Seen, SnapshotState, Snapshots, TickClock,
};
use portamento::track::{Absorbed, OffsetFading, PredictedTrack, ReconcileSettings, VisualOffset};

/// A peer, its last message and its last frame.
pub struct Sender {
    peer: Peer,
    stamp: Option<MessageStamp>,
    frame: Option<PeerFrame>,
}

/// Writes the settings of a peer: interval, extrapolate, margin, fade, glide, jump, forget.
#[unsafe(no_mangle)]
extern "C" fn peer_defaults(preset: u32, hz: f64) {
    let PeerSettings { playhead, fade, glide, jump, forget } = settings(preset, hz);
    let to = &mut Numbers::from_the_start();
    to.give_all([playhead.interval, playhead.extrapolate, playhead.margin_ticks, fade, glide, jump, forget]);
}

fn settings(preset: u32, hz: f64) -> PeerSettings {
    match preset {
        0 => PeerSettings::at_hz(hz),
        1 => PeerSettings::action(hz),
        2 => PeerSettings::racing(hz),
        _ => PeerSettings::strategy(hz),
    }
}

/// Takes the settings. With `check_rate`, a rate that makes no sense is named as such.
#[unsafe(no_mangle)]
extern "C" fn peer_new(preset: u32, hz: f64, check_rate: bool) -> *mut Sender {
    let [interval, extrapolate, margin, fade, glide, jump, forget] = Numbers::from_the_start().take_all();
    let made_of = || -> Result<Sender, SettingError> {
        if check_rate {
            Peer::at_hz(hz)?;
        }
        let mut chosen = PeerSettings { fade, glide, jump, forget, ..settings(preset, hz) };
        chosen.playhead.interval = interval;
        chosen.playhead.margin_ticks = margin;
        chosen.playhead.extrapolate = extrapolate;
        Ok(Sender { peer: Peer::new(chosen)?, stamp: None, frame: None })
    };
    made(made_of())
}

#[unsafe(no_mangle)]
extern "C" fn peer_receive(sender: &mut Sender, sent: f64, arrived: f64) {
    sender.stamp = Some(sender.peer.receive(sent, arrived));
}

#[unsafe(no_mangle)]
extern "C" fn peer_restart(sender: &mut Sender) {
    sender.peer.restart();
}

#[unsafe(no_mangle)]
extern "C" fn peer_set_hz(sender: &mut Sender, hz: f64) -> bool {
    done(sender.peer.set_hz(hz))
}

/// Writes shown, delay, presented, elapsed and life. False before the first message.
#[unsafe(no_mangle)]
extern "C" fn peer_frame(sender: &mut Sender, now: f64) -> bool {
    sender.frame = sender.peer.frame(now);
    let Some(frame) = &sender.frame else { return false };
    let to = &mut Numbers::from_the_start();
    to.give_all([frame.shown, frame.delay, frame.presented, frame.elapsed, f64::from(frame.life)]);
    true
}

/// Writes the statistics in their order.
#[unsafe(no_mangle)]
extern "C" fn peer_statistics(sender: &mut Sender) {
    let s = sender.peer.statistics();
    let to = &mut Numbers::from_the_start();
    to.give_all([s.delay, s.jitter, s.received as f64, s.lost as f64, s.late as f64, s.duplicates as f64]);
    to.give_all([s.unusable as f64, s.extrapolated, s.relocks as f64, s.restarts as f64, s.loss]);
}

/// As many snapshots as `portamento replay` keeps.
const KEPT: usize = 32;

/// An entity with a rotation, or only a place: a place has its velocity in double precision.
#[allow(clippy::large_enum_variant)] // both are large
pub enum Entity {
    Place(Snapshots<[f64; 3], KEPT>),
    Pose(Snapshots<Pose64, KEPT>),
}

macro_rules! either {
    ($entity:expr, $snapshots:ident => $call:expr) => {
        match $entity {
            Entity::Place($snapshots) => $call,
            Entity::Pose($snapshots) => $call,
        }
    };
}

#[unsafe(no_mangle)]
extern "C" fn snapshots_new(rotations: bool) -> *mut Entity {
    keep(if rotations { Entity::Pose(Snapshots::default()) } else { Entity::Place(Snapshots::default()) })
}

/// The message that the peer received last.
fn stamp(sender: &Sender) -> MessageStamp {
    // JavaScript checks that there was one.
    sender.stamp.unwrap_or_else(|| unreachable!())
}

fn inserted(what: Inserted) -> u32 {
    match what {
        Inserted::In => 0,
        Inserted::Duplicate => 1,
        Inserted::TooLate => 2,
        _ => 3,
    }
}

/// Takes a pose, whether a velocity is given, the velocity (linear and angular), epoch, rests.
/// 4 if the pose cannot be used.
#[unsafe(no_mangle)]
extern "C" fn snapshots_insert(entity: &mut Entity, sender: &mut Sender) -> u32 {
    let from = &mut Numbers::from_the_start();
    let Some(pose) = pose(from) else { return 4 };
    let has_velocity = from.take_flag();
    let (linear, angular) = (from.take_all::<3>(), from.take_all::<3>());
    let epoch = from.take() as u32;
    let rests = from.take_flag();
    let stamp = stamp(sender);
    inserted(match entity {
        Entity::Place(snapshots) => {
            let velocity = has_velocity.then_some(linear);
            snapshots.insert(stamp, Report { value: pose.position, velocity, epoch, rests })
        }
        Entity::Pose(snapshots) => {
            let [linear, angular] = [linear, angular].map(|v| v.map(|c| c as f32));
            let velocity = has_velocity.then_some(Velocity { linear, angular });
            snapshots.insert(stamp, Report { value: pose, velocity, epoch, rests })
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn snapshots_vanish(entity: &mut Entity, sender: &mut Sender) -> u32 {
    let stamp = stamp(sender);
    inserted(either!(entity, snapshots => snapshots.vanish(stamp)))
}

#[unsafe(no_mangle)]
extern "C" fn snapshots_hand_over(entity: &mut Entity) {
    either!(entity, snapshots => snapshots.hand_over());
}

/// Takes three numbers.
#[unsafe(no_mangle)]
extern "C" fn snapshots_rebase(entity: &mut Entity) {
    let from = &mut Numbers::from_the_start();
    match entity {
        Entity::Place(snapshots) => {
            let shift = shift(from);
            snapshots.rebase(|place| {
                let mut pose = Pose64::at(*place);
                shift(&mut pose);
                *place = pose.position;
            });
        }
        Entity::Pose(snapshots) => snapshots.rebase(shift(from)),
    }
}

/// 0 not yet, 1 gone, else what is drawn, written with the state (2 blending, 3 extrapolating, 4 holding): now, before,
/// cut, moved, extra delay.
#[unsafe(no_mangle)]
extern "C" fn snapshots_draw(entity: &mut Entity, sender: &mut Sender) -> u32 {
    let Some(frame) = &sender.frame else { return 0 };
    let seen = match entity {
        Entity::Place(snapshots) => match snapshots.draw(frame) {
            Seen::Here(drawn) => Seen::Here(drawn.map(Pose64::at)),
            Seen::NotYet => Seen::NotYet,
            Seen::Gone => Seen::Gone,
        },
        Entity::Pose(snapshots) => snapshots.draw(frame),
    };
    match seen {
        Seen::NotYet => 0,
        Seen::Gone => 1,
        Seen::Here(drawn) => {
            let to = &mut Numbers::from_the_start();
            give_pose(to, &drawn.now);
            give_pose(to, &drawn.before);
            to.give_flag(drawn.cut);
            either!(entity, snapshots => {
                to.give_flag(snapshots.statistics().moved);
                to.give(snapshots.statistics().extra_delay);
                match snapshots.statistics().state {
                    Some(SnapshotState::Blending) => 2,
                    Some(SnapshotState::Extrapolating) => 3,
                    _ => 4,
                }
            })
        }
    }
}

/// Writes the twelve bytes of what the last frame drew. False if that has no claim.
#[unsafe(no_mangle)]
extern "C" fn snapshots_claim(entity: &mut Entity, sender: &mut Sender) -> bool {
    let Some(frame) = &sender.frame else { return false };
    let claim = either!(entity, snapshots => snapshots.claim(frame));
    claim.inspect(|claim| Numbers::from_the_start().give_all(claim.to_bytes().map(f64::from))).is_some()
}

/// Writes the counts in their order.
#[unsafe(no_mangle)]
extern "C" fn snapshots_counts(entity: &mut Entity) {
    let c = either!(entity, snapshots => snapshots.statistics());
    let counts = [c.duplicates, c.late, c.unusable, c.evicted, c.crowded, c.snaps, c.unheard];
    Numbers::from_the_start().give_all(counts.map(f64::from));
}

pub type Predicted = PredictedTrack<Pose64>;

/// Writes limit (length, angle), pace, slow, fast, small, large, gone (each length, angle).
#[unsafe(no_mangle)]
extern "C" fn predicted_defaults() {
    let ReconcileSettings { fading, limit, pace } = ReconcileSettings::default();
    let to = &mut Numbers::from_the_start();
    to.give_all([limit.length, limit.angle, pace, fading.slow, fading.fast]);
    for size in [fading.small, fading.large, fading.gone] {
        to.give_all([size.length, size.angle]);
    }
}

fn size(from: &mut Numbers) -> OffsetSize {
    OffsetSize { length: from.take(), angle: from.take() }
}

fn reconcile_settings(from: &mut Numbers) -> ReconcileSettings {
    let (limit, pace) = (size(from), from.take());
    let (slow, fast) = (from.take(), from.take());
    let (small, large, gone) = (size(from), size(from), size(from));
    ReconcileSettings {
        fading: OffsetFading { slow, fast, small, large, gone, ..OffsetFading::CORRECTION },
        limit,
        pace,
    }
}

/// Takes a pose, then the settings. Null if the pose cannot be used.
#[unsafe(no_mangle)]
extern "C" fn predicted_new() -> *mut Predicted {
    let from = &mut Numbers::from_the_start();
    match pose(from) {
        Some(start) => keep(PredictedTrack::with_settings(start, reconcile_settings(from))),
        None => core::ptr::null_mut(),
    }
}

/// Takes a pose: 0 push, 1 correct, 2 cut, 3 reconcile. False if it cannot be used.
#[unsafe(no_mangle)]
extern "C" fn predicted_put(track: &mut Predicted, how: u32) -> bool {
    let Some(pose) = pose(&mut Numbers::from_the_start()) else { return false };
    match how {
        0 => track.push(pose),
        1 => track.correct(pose),
        2 => track.cut(pose),
        _ => track.reconcile(pose),
    }
    true
}

/// Takes three numbers.
#[unsafe(no_mangle)]
extern "C" fn predicted_rebase(track: &mut Predicted) {
    track.rebase(shift(&mut Numbers::from_the_start()));
}

#[unsafe(no_mangle)]
extern "C" fn predicted_truth(track: &mut Predicted) {
    give_pose(&mut Numbers::from_the_start(), track.truth());
}

/// Takes a moment.
#[unsafe(no_mangle)]
extern "C" fn predicted_view(track: &mut Predicted) {
    let view = track.view(moment(&mut Numbers::from_the_start()));
    give_pose(&mut Numbers::from_the_start(), &view);
}

/// Takes a moment.
#[unsafe(no_mangle)]
extern "C" fn predicted_draw(track: &mut Predicted) {
    give_drawn(&track.draw(moment(&mut Numbers::from_the_start())));
}

/// Takes a moment.
#[unsafe(no_mangle)]
extern "C" fn predicted_at_rest(track: &mut Predicted) -> bool {
    let size = track.offset();
    size.length == 0.0 && size.angle == 0.0 && track.ends().at_rest(moment(&mut Numbers::from_the_start()))
}

/// Writes how far the picture stands from the truth: length and angle.
#[unsafe(no_mangle)]
extern "C" fn predicted_offset(track: &mut Predicted) {
    let size = track.offset();
    Numbers::from_the_start().give_all([size.length, size.angle]);
}

/// The offset of one entity, and how it fades.
pub struct Fading {
    offset: VisualOffset<Pose64>,
    settings: ReconcileSettings,
}

/// Takes the settings of `predicted_defaults`.
#[unsafe(no_mangle)]
extern "C" fn offset_new() -> *mut Fading {
    let settings = reconcile_settings(&mut Numbers::from_the_start());
    keep(Fading { offset: VisualOffset::default(), settings })
}

/// Takes two poses. 0 kept, 1 partly, 2 snapped, 3 if a pose cannot be used.
#[unsafe(no_mangle)]
extern "C" fn offset_absorb(fading: &mut Fading) -> u32 {
    let from = &mut Numbers::from_the_start();
    let (Some(old), Some(new)) = (pose(from), pose(from)) else { return 3 };
    match fading.offset.absorb(&old, &new, fading.settings.limit) {
        Absorbed::Kept => 0,
        Absorbed::Partly => 1,
        Absorbed::Snapped => 2,
    }
}

#[unsafe(no_mangle)]
extern "C" fn offset_fade(fading: &mut Fading, seconds: f64) {
    fading.offset.fade(seconds, &fading.settings.fading);
}

#[unsafe(no_mangle)]
extern "C" fn offset_clear(fading: &mut Fading) {
    fading.offset = VisualOffset::default();
}

/// Takes the truth's pose and writes what to draw for it. False if it cannot be used.
#[unsafe(no_mangle)]
extern "C" fn offset_drawn(fading: &mut Fading) -> bool {
    let Some(truth) = pose(&mut Numbers::from_the_start()) else { return false };
    give_pose(&mut Numbers::from_the_start(), &fading.offset.drawn(&truth));
    true
}

/// Writes length and angle.
#[unsafe(no_mangle)]
extern "C" fn offset_size(fading: &mut Fading) {
    let size = fading.offset.size();
    Numbers::from_the_start().give_all([size.length, size.angle]);
}

#[unsafe(no_mangle)]
extern "C" fn stamps_new(hz: f64, bits: u32) -> *mut TickClock {
    made(TickClock::at_hz(hz, bits))
}

/// NaN when `arrived` is no time.
#[unsafe(no_mangle)]
extern "C" fn stamps_seconds(stamps: &mut TickClock, counter: u32, arrived: f64) -> f64 {
    stamps.seconds(counter, arrived).unwrap_or(f64::NAN)
}

#[unsafe(no_mangle)]
extern "C" fn stamps_restart(stamps: &mut TickClock) {
    stamps.restart();
}

/// Takes two quaternions and writes the one between them, by true slerp.
#[unsafe(no_mangle)]
extern "C" fn rotation_slerp(alpha: f64) {
    let from = &mut Numbers::from_the_start();
    let mut rotation = || {
        let [x, y, z, w] = from.take_all::<4>().map(|c| c as f32);
        Rotation { x, y, z, w }
    };
    let (a, b) = (rotation(), rotation());
    Numbers::from_the_start().give_all(a.slerp(b, alpha).to_array().map(f64::from));
}
