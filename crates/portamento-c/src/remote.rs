//! Other players over a network: the peer that sends, and the snapshots of each of its entities.

use crate::camera::no_such;
use crate::pointers::{Sized32, read, settings, write};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{portamento_drawn, portamento_pose64};
use portamento::blend::{Pose64, Velocity};
use portamento::playhead::Beyond;
use portamento::remote::{
    Inserted, MessageStamp, Peer, PeerFrame, PeerSettings, Report, Seen, SnapshotState, Snapshots,
};
use portamento_status::PORTAMENTO_NOTHING;

/// Somebody who sends: a server, or another player. Make it with `portamento_peer_new`, free it with
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
    /// How many seconds to extrapolate at most; negative for the preset's own, 0 for none.
    pub extrapolate: f64,
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
static SNAPSHOTS: Table<Box<Snapshots<Pose64, 32>>> = Table::new(9);

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
            write(settings, portamento_peer_settings { size, preset: 0, hz, extrapolate: -1.0 }, "settings")
        }
    })
}

/// Makes a peer.
///
/// One thread at a time may use a peer, and one at a time each of its entities. The same holds for every function below.
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
        if given.extrapolate >= 0.0 {
            let limit = given.extrapolate;
            chosen.playhead.beyond = if limit > 0.0 { Beyond::Extrapolate { limit } } else { Beyond::Hold };
        }
        let id = PEERS.insert(Sender { peer: Peer::new(chosen)?, stamp: None, frame: None })?;
        // SAFETY: as above.
        unsafe { write(peer, portamento_peer { id }, "peer") }
    })
}

/// Frees a peer.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_peer_free(peer: portamento_peer) -> portamento_status {
    answer(|| Ok(PEERS.free(peer.id)?))
}

/// A message stamped `sent` by the peer's clock arrived at `arrived` by ours, in seconds. Call it once per message, then
/// `portamento_snapshots_insert` for each entity in it.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_peer_receive(
    peer: portamento_peer,
    sent: f64,
    arrived: f64,
) -> portamento_status {
    answer(|| Ok(PEERS.with(peer.id, |sender| sender.stamp = Some(sender.peer.receive(sent, arrived)))?))
}

/// The peer began a new life: its clock starts over. Call it when the run number in its messages changes.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_peer_restart(peer: portamento_peer) -> portamento_status {
    answer(|| Ok(PEERS.with(peer.id, |sender| sender.peer.restart())?))
}

/// A frame is drawn at `now` by our clock. `PORTAMENTO_NOTHING` before the first message. Then draw its entities with
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
        let made = PEERS.with(peer.id, |sender| {
            sender.frame = sender.peer.frame(now);
            sender.frame
        })?;
        let Some(made) = made else { return Err(Failure(PORTAMENTO_NOTHING)) };
        let result =
            portamento_peer_frame { shown: made.shown, delay: made.delay, presented: made.presented };
        // SAFETY: the caller's promise.
        unsafe { write(frame, result, "frame") }
    })
}

/// Makes an entity of which nothing is known yet.
///
/// # Safety
/// `snapshots` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_new(snapshots: *mut portamento_snapshots) -> portamento_status {
    answer(|| {
        let id = SNAPSHOTS.insert(Box::default())?;
        // SAFETY: the caller's promise.
        unsafe { write(snapshots, portamento_snapshots { id }, "snapshots") }
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

/// The peer's last message says this of the entity. `result` may be null; otherwise it receives what became of it.
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
        let taken = SNAPSHOTS.with(snapshots.id, |snapshots| snapshots.insert(stamp, report))?;
        if result.is_null() {
            return Ok(());
        }
        // SAFETY: not null, and the caller's promise.
        unsafe { write(result, inserted(taken), "result") }
    })
}

/// The entity is not there from the moment of the peer's last message on.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_snapshots_vanish(
    snapshots: portamento_snapshots,
    peer: portamento_peer,
) -> portamento_status {
    answer(|| {
        let stamp = stamp(peer)?;
        SNAPSHOTS.with(snapshots.id, |snapshots| snapshots.vanish(stamp))?;
        Ok(())
    })
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
            Some(frame) => SNAPSHOTS.with(snapshots.id, |snapshots| match snapshots.draw(&frame) {
                Seen::Here(drawn) => {
                    let state = match snapshots.state() {
                        Some(SnapshotState::Blending) => PORTAMENTO_SNAPSHOT_BLENDING,
                        Some(SnapshotState::Extrapolating) => PORTAMENTO_SNAPSHOT_EXTRAPOLATING,
                        _ => PORTAMENTO_SNAPSHOT_HOLDING,
                    };
                    (Some(drawn), state)
                }
                Seen::NotYet => (None, PORTAMENTO_SNAPSHOT_NOT_YET),
                Seen::Gone => (None, PORTAMENTO_SNAPSHOT_GONE),
            })?,
        };
        if !state.is_null() {
            // SAFETY: not null, and the caller's promise.
            unsafe { write(state, from, "state") }?;
        }
        let Some(seen) = seen else { return Err(Failure(PORTAMENTO_NOTHING)) };
        // SAFETY: as above.
        unsafe { write(drawn, seen.into(), "drawn") }
    })
}
