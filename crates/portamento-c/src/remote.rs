//! Other players over a network: the peer that sends, and the snapshots of each of its entities.

use crate::history::portamento_claim;
use crate::playhead::portamento_playhead_settings;
use crate::pointers::{Sized32, make, read, settings, write, write_found, write_if_wanted};
use crate::predicted::portamento_offset_size;
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{finite, moved_by, portamento_drawn, portamento_pose64};
use portamento::Drawn;
use portamento::blend::{Displace, Pose64, Velocity};
use portamento::remote::{
    Inserted, MessageStamp, Peer, PeerFrame, PeerSettings, Report, Seen, SnapshotState, Snapshots, TickClock,
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

/// Turns the wrapping tick counter of a sender into seconds of its clock. Make it with `portamento_tick_clock_at_hz`, free
/// it with `portamento_tick_clock_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_tick_clock {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// Settings of a peer. Fill it with `portamento_peer_settings_at_hz`, `_action`, `_racing` or `_strategy`, then change what
/// you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_peer_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Reserved: zero.
    pub reserved: u32,
    /// Which moment is drawn: delay, extrapolation, re-locking. Its `interval` is the time from message to message.
    pub playhead: portamento_playhead_settings,
    /// How fast a large visual offset fades, per second: after `1 / fade` seconds 37 % of it are left. The offset hides a
    /// gap, a late message or a wrong extrapolation: the picture stays where it was and glides.
    pub fade: f64,
    /// The farthest that a picture glides, in seconds of the entity's own way at its top speed. Beyond it the picture is
    /// cut.
    pub glide: f64,
    /// A step from one report to the next is a teleport, and drawn as a cut, if it is this many times longer than the
    /// entity's usual pace and its reported velocities explain. `DBL_MAX` for never.
    pub jump: f64,
    /// An entity that does not rest, and that the peer has not mentioned for this many seconds while it reported others,
    /// is gone. `DBL_MAX` for never.
    pub forget: f64,
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
    /// Real seconds since the frame before.
    pub elapsed: f64,
    /// Which life of the peer it is: goes up with every `portamento_peer_restart`.
    pub life: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// How good the connection to a peer is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_peer_statistics {
    /// The peer's clock, as its messages show it, minus the drawn moment in the last frame, seconds. The picture is later
    /// than that by the usual way through the network.
    pub delay: f64,
    /// How much the way through the network varies from message to message, a mean over the last sixteen or so, seconds.
    /// Near 1, or a delay that makes no sense: a time that was given is not in seconds.
    pub jitter: f64,
    /// The share of messages that were lost, 0 to 1.
    pub loss: f64,
    /// Messages received, each once, however many packets it came in.
    pub received: u64,
    /// Messages that should have come between others and did not, by the send interval.
    pub lost: u64,
    /// Messages older than what was drawn already.
    pub late: u64,
    /// Packets with a stamp that was there already: further parts of a message, or copies.
    pub duplicates: u64,
    /// Times that were NaN or infinite.
    pub unusable: u64,
    /// Seconds in which the picture was ahead of everything received.
    pub extrapolated: f64,
    /// Times that the drawn moment had to be taken elsewhere: outages, a peer's clock that was set.
    pub relocks: u64,
    /// Lives of the peer that ended.
    pub restarts: u64,
}

/// What did not go as planned with one remote entity.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_snapshot_counts {
    /// Reports that were there already.
    pub duplicates: u32,
    /// Reports whose time had passed on the screen, or whose life of the peer was over.
    pub late: u32,
    /// Reports with a NaN or infinite number.
    pub unusable: u32,
    /// Reports dropped because 32 were kept already, before the picture had passed them: the delay is too long for the
    /// rate, or no frame was drawn for long.
    pub evicted: u32,
    /// Reports that took the place of one stamped at almost the same time.
    pub crowded: u32,
    /// Undeclared cuts: after a long outage, or because a step was far too long for the entity's pace.
    pub snaps: u32,
    /// How often it disappeared because its peer had not mentioned it for long.
    pub unheard: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// What a message says of one entity.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_report {
    /// Where it is.
    pub pose: portamento_pose64,
    /// How fast it moves, if `has_velocity` is 1: units per second.
    pub linear: [f32; 3],
    /// How fast it turns, if `has_velocity` is 1: radians per second about each axis.
    pub angular: [f32; 3],
    /// Counts its teleports: another number than in the report before is a cut.
    pub epoch: u32,
    /// 1 if the velocities are given.
    pub has_velocity: u32,
    /// 1 if the entity stays there until the next report, which may come much later.
    pub rests: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// What a message says of an entity of which only positions are reported.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_point_report {
    /// Where it is.
    pub position: [f64; 3],
    /// How fast it moves, if `has_velocity` is 1: units per second.
    pub velocity: [f64; 3],
    /// Counts its teleports: another number than in the report before is a cut.
    pub epoch: u32,
    /// 1 if the velocity is given.
    pub has_velocity: u32,
    /// 1 if the entity stays there until the next report, which may come much later.
    pub rests: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// What became of a report: the constants below.
pub type portamento_inserted = u32;
/// It was taken.
pub const PORTAMENTO_INSERTED_IN: portamento_inserted = 0;
/// It was there already.
pub const PORTAMENTO_INSERTED_DUPLICATE: portamento_inserted = 1;
/// Its time has passed on the screen.
pub const PORTAMENTO_INSERTED_TOO_LATE: portamento_inserted = 2;
/// A number in it is NaN or infinite.
pub const PORTAMENTO_INSERTED_UNUSABLE: portamento_inserted = 3;

/// What is drawn of a remote entity: the constants below.
pub type portamento_snapshot_state = u32;
/// Nothing: the entity has not appeared yet.
pub const PORTAMENTO_SNAPSHOT_STATE_NOT_YET: portamento_snapshot_state = 0;
/// Nothing: the entity vanished.
pub const PORTAMENTO_SNAPSHOT_STATE_GONE: portamento_snapshot_state = 1;
/// A place between two snapshots.
pub const PORTAMENTO_SNAPSHOT_STATE_BLENDING: portamento_snapshot_state = 2;
/// A place past the newest snapshot.
pub const PORTAMENTO_SNAPSHOT_STATE_EXTRAPOLATING: portamento_snapshot_state = 3;
/// A snapshot itself.
pub const PORTAMENTO_SNAPSHOT_STATE_HOLDING: portamento_snapshot_state = 4;

struct Sender {
    peer: Peer,
    /// Of the last message.
    stamp: Option<MessageStamp>,
    frame: Option<PeerFrame>,
}

static PEERS: Table<Sender> = Table::new(8);
static SNAPSHOTS: Table<Entity> = Table::new(9);
static TICK_CLOCKS: Table<TickClock> = Table::new(20);

/// As many reports as the program that replays scripts keeps: what is drawn depends on it when frames stop for long.
const KEPT: usize = 32;

enum Entity {
    Poses(Box<Snapshots<Pose64, KEPT>>),
    Points(Box<Snapshots<[f64; 3], KEPT>>),
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

impl From<PeerSettings> for portamento_peer_settings {
    fn from(settings: PeerSettings) -> Self {
        let PeerSettings { playhead, fade, glide, jump, forget } = settings;
        let size = size_of::<Self>() as u32;
        Self { size, reserved: 0, playhead: playhead.into(), fade, glide, jump, forget }
    }
}

impl TryFrom<portamento_peer_settings> for PeerSettings {
    type Error = Failure;

    fn try_from(settings: portamento_peer_settings) -> Result<Self, Failure> {
        let portamento_peer_settings { playhead, fade, glide, jump, forget, .. } = settings;
        // SAFETY: a struct of our own. It has a size of its own to be checked.
        let playhead = unsafe { self::settings(&raw const playhead, "settings.playhead") }?.try_into()?;
        Ok(Self { playhead, fade, glide, jump, forget })
    }
}

/// Fills `settings` with the defaults for a peer that sends `hz` messages per second.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_peer_settings_at_hz(
    hz: f64,
    settings: *mut portamento_peer_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, PeerSettings::at_hz(hz).into(), "settings") })
}

/// Fills `settings` with the settings for people who run and shoot: `hz` messages per second.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_peer_settings_action(
    hz: f64,
    settings: *mut portamento_peer_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, PeerSettings::action(hz).into(), "settings") })
}

/// Fills `settings` with the settings for vehicles: `hz` messages per second.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_peer_settings_racing(
    hz: f64,
    settings: *mut portamento_peer_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, PeerSettings::racing(hz).into(), "settings") })
}

/// Fills `settings` with the settings for units seen from above: `hz` messages per second.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_peer_settings_strategy(
    hz: f64,
    settings: *mut portamento_peer_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, PeerSettings::strategy(hz).into(), "settings") })
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
        let settings = unsafe { self::settings(settings, "settings") }?.try_into()?;
        let sender = Sender { peer: Peer::new(settings)?, stamp: None, frame: None };
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
pub unsafe extern "C" fn portamento_peer_frame_at(
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
                elapsed: made.elapsed,
                life: made.life,
                reserved: 0,
            })
        };
        // SAFETY: the caller's promise.
        unsafe { make(frame, "frame", draw) }
    })
}

/// Sets how many messages per second the peer sends from now on. Call it before the first message at the new rate. A rate
/// that changes without this call is noticed after eight messages; until then what seems to be missing counts as lost.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_peer_set_hz(peer: portamento_peer, hz: f64) -> portamento_status {
    answer(|| Ok(PEERS.with(peer.id, |sender| sender.peer.set_hz(hz))??))
}

/// Writes how good the connection to the peer is.
///
/// # Safety
/// `statistics` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_peer_get_statistics(
    peer: portamento_peer,
    statistics: *mut portamento_peer_statistics,
) -> portamento_status {
    answer(|| {
        let now = PEERS.with(peer.id, |sender| sender.peer.statistics())?;
        let made = portamento_peer_statistics {
            delay: now.delay,
            jitter: now.jitter,
            loss: now.loss,
            received: now.received,
            lost: now.lost,
            late: now.late,
            duplicates: now.duplicates,
            unusable: now.unusable,
            extrapolated: now.extrapolated,
            relocks: now.relocks,
            restarts: now.restarts,
        };
        // SAFETY: the caller's promise.
        unsafe { write(statistics, made, "statistics") }
    })
}

/// Makes an entity of which nothing is known yet. It keeps its last 32 reports: enough for a second and a half at 20
/// messages per second.
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
        Inserted::In => PORTAMENTO_INSERTED_IN,
        Inserted::Duplicate => PORTAMENTO_INSERTED_DUPLICATE,
        Inserted::TooLate => PORTAMENTO_INSERTED_TOO_LATE,
        _ => PORTAMENTO_INSERTED_UNUSABLE,
    }
}

impl TryFrom<portamento_report> for Report<Pose64> {
    type Error = Failure;

    fn try_from(from: portamento_report) -> Result<Self, Failure> {
        let pose: Pose64 = from.pose.try_into()?;
        let report = Report { epoch: from.epoch, rests: from.rests != 0, ..Report::new(pose) };
        let velocity = Velocity { linear: from.linear, angular: from.angular };
        Ok(if from.has_velocity != 0 { report.with_velocity(velocity) } else { report })
    }
}

impl TryFrom<portamento_point_report> for Report<[f64; 3]> {
    type Error = Failure;

    fn try_from(from: portamento_point_report) -> Result<Self, Failure> {
        finite(from.position, "a position")?;
        let report = Report { epoch: from.epoch, rests: from.rests != 0, ..Report::new(from.position) };
        Ok(if from.has_velocity != 0 { report.with_velocity(from.velocity) } else { report })
    }
}

/// Adds what the peer's last message reports of the entity. `result` may be null; otherwise it receives what became of
/// it.
///
/// # Safety
/// `report` points to a report, `result` to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_insert(
    snapshots: portamento_snapshots,
    peer: portamento_peer,
    report: *const portamento_report,
    result: *mut portamento_inserted,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let report = unsafe { read(report, "report") }?.try_into()?;
        let stamp = stamp(peer)?;
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
/// `report` points to a report, `result` to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_insert_point(
    snapshots: portamento_snapshots,
    peer: portamento_peer,
    report: *const portamento_point_report,
    result: *mut portamento_inserted,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let report = unsafe { read(report, "report") }?.try_into()?;
        let stamp = stamp(peer)?;
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

pub(crate) fn snapshot_state(from: SnapshotState) -> portamento_snapshot_state {
    match from {
        SnapshotState::Blending => PORTAMENTO_SNAPSHOT_STATE_BLENDING,
        SnapshotState::Extrapolating => PORTAMENTO_SNAPSHOT_STATE_EXTRAPOLATING,
        SnapshotState::Holding => PORTAMENTO_SNAPSHOT_STATE_HOLDING,
    }
}

fn draw<T: Displace>(
    snapshots: &mut Snapshots<T, KEPT>,
    frame: &PeerFrame,
    pose: impl FnMut(T) -> Pose64,
) -> (Option<Drawn<Pose64>>, portamento_snapshot_state) {
    match snapshots.draw(frame) {
        Seen::Here(drawn) => {
            let state =
                snapshots.statistics().state.map_or(PORTAMENTO_SNAPSHOT_STATE_HOLDING, snapshot_state);
            (Some(drawn.map(pose)), state)
        }
        Seen::NotYet => (None, PORTAMENTO_SNAPSHOT_STATE_NOT_YET),
        Seen::Gone => (None, PORTAMENTO_SNAPSHOT_STATE_GONE),
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
            None => (None, PORTAMENTO_SNAPSHOT_STATE_NOT_YET),
            Some(frame) => SNAPSHOTS.with(snapshots.id, |entity| match entity {
                Entity::Poses(snapshots) => draw(snapshots, &frame, |pose| pose),
                Entity::Points(snapshots) => draw(snapshots, &frame, Pose64::at),
            })?,
        };
        // SAFETY: the caller's promise.
        unsafe { write_if_wanted(state, from) };
        // SAFETY: as above.
        unsafe { write_found(drawn, seen.map(Into::into), "drawn") }
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
        let delay = SNAPSHOTS
            .with(snapshots.id, |entity| of!(entity, snapshots => snapshots.statistics().extra_delay))?;
        // SAFETY: the caller's promise.
        unsafe { write(seconds, delay, "seconds") }
    })
}

/// Writes how far the picture is from what the snapshots give: the visual offset that fades.
///
/// # Safety
/// `size` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_offset(
    snapshots: portamento_snapshots,
    size: *mut portamento_offset_size,
) -> portamento_status {
    answer(|| {
        let offset =
            SNAPSHOTS.with(snapshots.id, |entity| of!(entity, snapshots => snapshots.statistics().offset))?;
        // SAFETY: the caller's promise.
        unsafe { write(size, offset.into(), "size") }
    })
}

/// Writes what did not go as planned with this entity.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_snapshots_get_counts(
    snapshots: portamento_snapshots,
    counts: *mut portamento_snapshot_counts,
) -> portamento_status {
    answer(|| {
        let now = SNAPSHOTS.with(snapshots.id, |entity| of!(entity, snapshots => snapshots.statistics()))?;
        let made = portamento_snapshot_counts {
            duplicates: now.duplicates,
            late: now.late,
            unusable: now.unusable,
            evicted: now.evicted,
            crowded: now.crowded,
            snaps: now.snaps,
            unheard: now.unheard,
            reserved: 0,
        };
        // SAFETY: the caller's promise.
        unsafe { write(counts, made, "counts") }
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
        // SAFETY: the caller's promise.
        unsafe { write_found(claim, made.map(|made| portamento_claim { bytes: made.to_bytes() }), "claim") }
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
        let moved = unsafe { moved_by::<3>(shift) }?;
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
        // SAFETY: the caller's promise.
        unsafe { write_found(pose, found.map(Into::into), "pose") }
    })
}

/// Makes the clock of a counter of `bits` bits (1 to 32) that counts `hz` ticks per second. Use it where messages carry
/// such a counter and no time: it gives the seconds that `portamento_peer_receive` takes.
///
/// # Safety
/// `clock` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_tick_clock_at_hz(
    hz: f64,
    bits: u32,
    clock: *mut portamento_tick_clock,
) -> portamento_status {
    answer(|| {
        let made = TickClock::at_hz(hz, bits)?;
        // SAFETY: the caller's promise.
        unsafe { make(clock, "clock", || Ok(portamento_tick_clock { id: TICK_CLOCKS.insert(made)? })) }
    })
}

/// Frees the clock of a counter.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_tick_clock_free(clock: portamento_tick_clock) -> portamento_status {
    answer(|| Ok(TICK_CLOCKS.free(clock.id)?))
}

/// Writes the sender's time, in seconds, that `counter` stands for in a message that arrived at `arrived` by our clock.
/// Bits above the agreed ones are ignored. `PORTAMENTO_BAD_VALUE` if a time is not finite or lies beyond 9e15 ticks.
///
/// # Safety
/// `seconds` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_tick_clock_seconds(
    clock: portamento_tick_clock,
    counter: u32,
    arrived: f64,
    seconds: *mut f64,
) -> portamento_status {
    answer(|| {
        let read = || {
            let sent = TICK_CLOCKS.with(clock.id, |clock| clock.seconds(counter, arrived))?;
            sent.ok_or_else(|| {
                let words = format_args!("a message that arrived at {arrived}: give finite seconds");
                Failure::new(PORTAMENTO_BAD_VALUE, words)
            })
        };
        // SAFETY: the caller's promise.
        unsafe { make(seconds, "seconds", read) }
    })
}

/// Sets how far the sender has counted in all: its whole tick in a message that arrived at `arrived` by our clock. A
/// client that joins late needs it for claims (`portamento_snapshots_claim`), which name the server's own stamps. A time
/// that is not finite and anything beyond 9e15 ticks is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_tick_clock_set_tick(
    clock: portamento_tick_clock,
    tick: u64,
    arrived: f64,
) -> portamento_status {
    answer(|| Ok(TICK_CLOCKS.with(clock.id, |clock| clock.set_tick(tick, arrived))?))
}

/// Starts anew, after the sender and its counter did.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_tick_clock_restart(clock: portamento_tick_clock) -> portamento_status {
    answer(|| Ok(TICK_CLOCKS.with(clock.id, |clock| clock.restart())?))
}
