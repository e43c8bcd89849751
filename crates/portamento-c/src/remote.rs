//! Other players over a network: the peer that sends, and the snapshots of each of its entities.

use crate::camera::no_such;
use crate::history::portamento_claim;
use crate::playhead::beyond;
use crate::pointers::{Sized32, make, read, settings, write, write_if_wanted};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{finite, portamento_drawn, portamento_pose64};
use portamento::Drawn;
use portamento::blend::{Displace, Pose64, Velocity};
use portamento::remote::{
    Inserted, MessageStamp, Peer, PeerFrame, PeerSettings, Report, Seen, SnapshotState, Snapshots,
};
use portamento_status::{PORTAMENTO_BAD_VALUE, PORTAMENTO_NOTHING};

/// A sender: a server, or another player. Make it with `portamento_peer_new`, free it with
/// `portamento_peer_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_peer {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// One remote entity. Make it with `portamento_snapshots_new`, free it with `portamento_snapshots_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_snapshots {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// Settings of a peer. Fill it with `portamento_peer_settings_default`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_peer_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// 0 the defaults, 1 for people who run and shoot, 2 for vehicles, 3 for units seen from above.
    pub preset: u32,
    /// Messages per second.
    pub hz: f64,
    /// Seconds from message to message, where the rate is not exact enough; 0 for 1 / `hz`.
    pub interval: f64,
    /// How many seconds to extrapolate at most; negative for the preset's own, 0 for none.
    pub extrapolate: f64,
    /// How fast what is left of a correction fades, per second; 0 for the preset's own.
    pub fade: f64,
    /// After a gap, the way of this many seconds is glided back and not jumped; negative for the preset's own.
    pub glide: f64,
    /// A step of this many times the usual way is a teleport; 0 for the preset's own.
    pub jump: f64,
}

impl Sized32 for portamento_peer_settings {}

/// What a frame shows of one peer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_peer_frame {
    /// The moment of the peer's clock that is drawn, seconds.
    pub shown: f64,
    /// The peer's clock now, as estimated, minus `shown`.
    pub delay: f64,
    /// How many seconds the picture advanced in this frame: a camera's dt.
    pub presented: f64,
    /// Which life of the peer it is: goes up with every `portamento_peer_restart`.
    pub life: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// What a message says of one entity.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_snapshot {
    /// Where it is.
    pub pose: portamento_pose64,
    /// How fast it moves, if `has_velocity` is 1: units per second.
    pub linear: [f32; 3],
    /// How fast it turns, if `has_velocity` is 1: radians per second about each axis.
    pub angular: [f32; 3],
    /// Counts its teleports: another number than in the snapshot before is a cut.
    pub epoch: u32,
    /// 1 if the velocities are given.
    pub has_velocity: u32,
}

/// What a message says of an entity of which only positions are reported.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_point_snapshot {
    /// Where it is.
    pub position: [f64; 3],
    /// How fast it moves, if `has_velocity` is 1: units per second.
    pub velocity: [f64; 3],
    /// Counts its teleports: another number than in the snapshot before is a cut.
    pub epoch: u32,
    /// 1 if the velocity is given.
    pub has_velocity: u32,
}

/// What became of a snapshot: 0 it was taken, 1 it was there already, 2 it came too late, 3 a number was unusable.
pub type portamento_inserted = u32;

/// What is drawn of a remote entity: the constants below.
pub type portamento_snapshot_state = u32;
/// Nothing: the entity has not appeared yet.
pub const PORTAMENTO_SNAPSHOT_NOT_YET: portamento_snapshot_state = 0;
/// Nothing: the entity vanished.
pub const PORTAMENTO_SNAPSHOT_GONE: portamento_snapshot_state = 1;
/// A place between two snapshots.
pub const PORTAMENTO_SNAPSHOT_BLENDING: portamento_snapshot_state = 2;
/// A place past the newest snapshot.
pub const PORTAMENTO_SNAPSHOT_EXTRAPOLATING: portamento_snapshot_state = 3;
/// A snapshot itself.
pub const PORTAMENTO_SNAPSHOT_HOLDING: portamento_snapshot_state = 4;

struct Sender {
    peer: Peer,
    /// Of the last message.
    stamp: Option<MessageStamp>,
    frame: Option<PeerFrame>,
}

static PEERS: Table<Sender> = Table::new(8);
static SNAPSHOTS: Table<Entity> = Table::new(9);

enum Entity {
    Poses(Box<Snapshots<Pose64, 32>>),
    Points(Box<Snapshots<[f64; 3], 32>>),
}

/// The same call for both.
macro_rules! of {
    ($entity:expr, $snapshots:ident => $call:expr) => {
        match $entity {
            Entity::Poses($snapshots) => $call,
            Entity::Points($snapshots) => $call,
        }
    };
}

pub(crate) fn wrong_kind(is: &str, cure: &str) -> Failure {
    Failure::new(PORTAMENTO_BAD_VALUE, format_args!("it holds {is}: use {cure}"))
}

/// Fills `settings` with the defaults for a peer that sends `hz` messages per second.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_peer_settings_default(
    hz: f64,
    settings: *mut portamento_peer_settings,
) -> portamento_status {
    answer(|| {
        let size = size_of::<portamento_peer_settings>() as u32;
        // SAFETY: the caller's promise.
        unsafe {
            let made = portamento_peer_settings {
                size,
                preset: 0,
                hz,
                interval: 0.0,
                extrapolate: -1.0,
                fade: 0.0,
                glide: -1.0,
                jump: 0.0,
            };
            write(settings, made, "settings")
        }
    })
}

/// Makes a peer.
///
/// # Safety
/// `settings` points to settings, `peer` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_peer_new(
    settings: *const portamento_peer_settings,
    peer: *mut portamento_peer,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let given = unsafe { self::settings(settings, "settings") }?;
        let mut chosen = match given.preset {
            0 => PeerSettings::at_hz(given.hz),
            1 => PeerSettings::action(given.hz),
            2 => PeerSettings::racing(given.hz),
            3 => PeerSettings::strategy(given.hz),
            other => return Err(no_such("preset", other, "0 to 3")),
        };
        if given.interval != 0.0 {
            chosen.playhead.interval = given.interval;
        }
        if !(given.extrapolate < 0.0) {
            chosen.playhead.beyond = beyond(given.extrapolate);
        }
        if given.fade != 0.0 {
            chosen.fade = given.fade;
        }
        if !(given.glide < 0.0) {
            chosen.glide = given.glide;
        }
        if given.jump != 0.0 {
            chosen.jump = given.jump;
        }
        let sender = Sender { peer: Peer::new(chosen)?, stamp: None, frame: None };
        // SAFETY: as above.
        unsafe { make(peer, "peer", || Ok(portamento_peer { id: PEERS.insert(sender)? })) }
    })
}

/// Frees a peer.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_peer_free(peer: portamento_peer) -> portamento_status {
    answer(|| Ok(PEERS.free(peer.id)?))
}

/// Takes the arrival of a message: `sent` is its stamp by the peer's clock, `arrived` when it came by ours, in seconds.
/// Call it once per message, then `portamento_snapshots_insert` for each entity in it.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_peer_receive(
    peer: portamento_peer,
    sent: f64,
    arrived: f64,
) -> portamento_status {
    answer(|| Ok(PEERS.with(peer.id, |sender| sender.stamp = Some(sender.peer.receive(sent, arrived)))?))
}

/// Starts a new life of the peer: its clock starts over. Call it when the run number in its messages changes.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_peer_restart(peer: portamento_peer) -> portamento_status {
    answer(|| Ok(PEERS.with(peer.id, |sender| sender.peer.restart())?))
}

/// Takes in a frame at `now` by our clock. `PORTAMENTO_NOTHING` before the first message. Then draw its entities with
/// `portamento_snapshots_draw`.
///
/// # Safety
/// `frame` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_peer_draw(
    peer: portamento_peer,
    now: f64,
    frame: *mut portamento_peer_frame,
) -> portamento_status {
    answer(|| {
        let draw = || {
            let made = PEERS.with(peer.id, |sender| {
                sender.frame = sender.peer.frame(now);
                sender.frame
            })?;
            let Some(made) = made else { return Err(Failure(PORTAMENTO_NOTHING)) };
            Ok(portamento_peer_frame {
                shown: made.shown,
                delay: made.delay,
                presented: made.presented,
                life: made.life(),
                reserved: 0,
            })
        };
        // SAFETY: the caller's promise.
        unsafe { make(frame, "frame", draw) }
    })
}

/// Makes an entity of which nothing is known yet.
///
/// # Safety
/// `snapshots` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_new(snapshots: *mut portamento_snapshots) -> portamento_status {
    answer(|| {
        let new = || Ok(portamento_snapshots { id: SNAPSHOTS.insert(Entity::Poses(Box::default()))? });
        // SAFETY: the caller's promise.
        unsafe { make(snapshots, "snapshots", new) }
    })
}

/// Makes an entity of which only positions are reported, with `portamento_snapshots_insert_point`.
///
/// # Safety
/// `snapshots` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_new_points(
    snapshots: *mut portamento_snapshots,
) -> portamento_status {
    answer(|| {
        let new = || Ok(portamento_snapshots { id: SNAPSHOTS.insert(Entity::Points(Box::default()))? });
        // SAFETY: the caller's promise.
        unsafe { make(snapshots, "snapshots", new) }
    })
}

/// Frees an entity.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_snapshots_free(snapshots: portamento_snapshots) -> portamento_status {
    answer(|| Ok(SNAPSHOTS.free(snapshots.id)?))
}

fn stamp(peer: portamento_peer) -> Result<MessageStamp, Failure> {
    let stamp = PEERS.with(peer.id, |sender| sender.stamp)?;
    stamp.ok_or_else(|| {
        Failure::new(PORTAMENTO_NOTHING, "no message was received: call portamento_peer_receive first")
    })
}

fn inserted(from: Inserted) -> portamento_inserted {
    match from {
        Inserted::In => 0,
        Inserted::Duplicate => 1,
        Inserted::TooLate => 2,
        _ => 3,
    }
}

/// Adds what the peer's last message reports of the entity. `result` may be null; otherwise it receives what became of
/// it.
///
/// # Safety
/// `snapshot` points to a snapshot, `result` to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_insert(
    snapshots: portamento_snapshots,
    peer: portamento_peer,
    snapshot: *const portamento_snapshot,
    result: *mut portamento_inserted,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let given = unsafe { read(snapshot, "snapshot") }?;
        let pose: Pose64 = given.pose.try_into()?;
        let stamp = stamp(peer)?;
        let mut report = Report::new(pose).with_epoch(given.epoch);
        if given.has_velocity != 0 {
            report = report.with_velocity(Velocity { linear: given.linear, angular: given.angular });
        }
        let taken = SNAPSHOTS.with(snapshots.id, |entity| match entity {
            Entity::Poses(snapshots) => Ok(snapshots.insert(stamp, report)),
            Entity::Points(_) => Err(wrong_kind("positions", "portamento_snapshots_insert_point")),
        })??;
        // SAFETY: the caller's promise.
        unsafe { write_if_wanted(result, inserted(taken)) };
        Ok(())
    })
}

/// The same for an entity that was made with `portamento_snapshots_new_points`.
///
/// # Safety
/// `snapshot` points to a snapshot, `result` to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_insert_point(
    snapshots: portamento_snapshots,
    peer: portamento_peer,
    snapshot: *const portamento_point_snapshot,
    result: *mut portamento_inserted,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let given = unsafe { read(snapshot, "snapshot") }?;
        finite(given.position, "a position")?;
        let stamp = stamp(peer)?;
        let mut report = Report::new(given.position).with_epoch(given.epoch);
        if given.has_velocity != 0 {
            report = report.with_velocity(given.velocity);
        }
        let taken = SNAPSHOTS.with(snapshots.id, |entity| match entity {
            Entity::Points(snapshots) => Ok(snapshots.insert(stamp, report)),
            Entity::Poses(_) => Err(wrong_kind("poses", "portamento_snapshots_insert")),
        })??;
        // SAFETY: the caller's promise.
        unsafe { write_if_wanted(result, inserted(taken)) };
        Ok(())
    })
}

/// Removes the entity from the moment of the peer's last message on.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_snapshots_vanish(
    snapshots: portamento_snapshots,
    peer: portamento_peer,
) -> portamento_status {
    answer(|| {
        let stamp = stamp(peer)?;
        SNAPSHOTS.with(snapshots.id, |entity| _ = of!(entity, snapshots => snapshots.vanish(stamp)))?;
        Ok(())
    })
}

fn draw<T: Displace>(
    snapshots: &mut Snapshots<T, 32>,
    frame: &PeerFrame,
    pose: impl FnMut(T) -> Pose64,
) -> (Option<Drawn<Pose64>>, portamento_snapshot_state) {
    match snapshots.draw(frame) {
        Seen::Here(drawn) => {
            let state = match snapshots.state() {
                Some(SnapshotState::Blending) => PORTAMENTO_SNAPSHOT_BLENDING,
                Some(SnapshotState::Extrapolating) => PORTAMENTO_SNAPSHOT_EXTRAPOLATING,
                _ => PORTAMENTO_SNAPSHOT_HOLDING,
            };
            (Some(drawn.map(pose)), state)
        }
        Seen::NotYet => (None, PORTAMENTO_SNAPSHOT_NOT_YET),
        Seen::Gone => (None, PORTAMENTO_SNAPSHOT_GONE),
    }
}

/// Writes what to draw of the entity in the peer's last frame, and from what (`state`, which may be null).
/// `PORTAMENTO_NOTHING` if there is nothing to draw: `state` says whether it has not appeared yet or is gone for good.
///
/// # Safety
/// `drawn` points to a place for the result, `state` to one for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_draw(
    snapshots: portamento_snapshots,
    peer: portamento_peer,
    drawn: *mut portamento_drawn,
    state: *mut portamento_snapshot_state,
) -> portamento_status {
    answer(|| {
        let frame = PEERS.with(peer.id, |sender| sender.frame)?;
        if drawn.is_null() {
            return Err(Failure::null("drawn"));
        }
        let (seen, from) = match frame {
            None => (None, PORTAMENTO_SNAPSHOT_NOT_YET),
            Some(frame) => SNAPSHOTS.with(snapshots.id, |entity| match entity {
                Entity::Poses(snapshots) => draw(snapshots, &frame, |pose| pose),
                Entity::Points(snapshots) => draw(snapshots, &frame, Pose64::at),
            })?,
        };
        // SAFETY: the caller's promise.
        unsafe { write_if_wanted(state, from) };
        let Some(seen) = seen else { return Err(Failure(PORTAMENTO_NOTHING)) };
        // SAFETY: as above.
        unsafe { write(drawn, seen.into(), "drawn") }
    })
}

/// Writes how many seconds farther back than its peer's frame the entity is drawn, because it is rarely in a message.
///
/// # Safety
/// `seconds` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_extra_delay(
    snapshots: portamento_snapshots,
    seconds: *mut f64,
) -> portamento_status {
    answer(|| {
        let delay =
            SNAPSHOTS.with(snapshots.id, |entity| of!(entity, snapshots => snapshots.extra_delay()))?;
        // SAFETY: the caller's promise.
        unsafe { write(seconds, delay, "seconds") }
    })
}

/// Writes what the last frame drew of the entity, in twelve bytes for the server: `portamento_history_rewind` finds it
/// again. `PORTAMENTO_NOTHING` when nothing is drawn.
///
/// # Safety
/// `claim` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_claim(
    snapshots: portamento_snapshots,
    peer: portamento_peer,
    claim: *mut portamento_claim,
) -> portamento_status {
    answer(|| {
        let frame = PEERS.with(peer.id, |sender| sender.frame)?;
        let made = SNAPSHOTS.with(snapshots.id, |entity| {
            let frame = frame?;
            of!(entity, snapshots => snapshots.claim(&frame))
        })?;
        let Some(made) = made else { return Err(Failure(PORTAMENTO_NOTHING)) };
        // SAFETY: the caller's promise.
        unsafe { write(claim, portamento_claim { bytes: made.to_bytes() }, "claim") }
    })
}

/// Hands the entity over to another peer: its picture goes on without a jump when the clocks of the two differ.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_snapshots_hand_over(snapshots: portamento_snapshots) -> portamento_status {
    answer(|| Ok(SNAPSHOTS.with(snapshots.id, |entity| of!(entity, snapshots => snapshots.hand_over()))?))
}

/// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen. Snapshots that
/// come from now on are relative to the new origin.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_rebase(
    snapshots: portamento_snapshots,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let shift = unsafe { read(shift.cast::<[f64; 3]>(), "shift") }?;
        finite(shift, "the shift")?;
        let moved = |place: &mut [f64; 3]| *place = core::array::from_fn(|i| place[i] + shift[i]);
        SNAPSHOTS.with(snapshots.id, |entity| match entity {
            Entity::Poses(snapshots) => snapshots.rebase(|pose| moved(&mut pose.position)),
            Entity::Points(snapshots) => snapshots.rebase(moved),
        })?;
        Ok(())
    })
}

/// Writes where the snapshots had the entity in the last frame, without the visual offset: what a claim names and the
/// server finds. `PORTAMENTO_NOTHING` if nothing was drawn.
///
/// # Safety
/// `pose` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_blended(
    snapshots: portamento_snapshots,
    pose: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        let found = SNAPSHOTS.with(snapshots.id, |entity| match entity {
            Entity::Poses(snapshots) => snapshots.blended().copied(),
            Entity::Points(snapshots) => snapshots.blended().copied().map(Pose64::at),
        })?;
        let Some(found) = found else { return Err(Failure(PORTAMENTO_NOTHING)) };
        // SAFETY: the caller's promise.
        unsafe { write(pose, found.into(), "pose") }
    })
}
