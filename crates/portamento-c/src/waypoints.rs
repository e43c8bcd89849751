//! Waypoints: remote bodies that walk from report to report, with collision, and are placed when they cannot get there.

use crate::camera::no_such;
use crate::pointers::{Sized32, make, read, settings, write, write_found};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{finite, moved_by, portamento_drawn, portamento_moment, portamento_pose64, rotation};
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    Enqueued, Placement, RemoteBody, Route, WaypointCounts, WaypointError, WaypointOutcome, WaypointReport,
    WaypointRule, WaypointRules, WaypointSettings, WaypointStep, WaypointTick, Waypoints,
};
use portamento_status::{PORTAMENTO_BAD_VALUE, PORTAMENTO_NOTHING};

/// A queue of waypoints for a body that lives elsewhere. Make it with `portamento_waypoints_new`, free it with
/// `portamento_waypoints_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_waypoints {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// Another player's body: queue, routing of reports, leash and drawing in one. Make it with
/// `portamento_remote_body_new`, free it with `portamento_remote_body_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_remote_body {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// How a stuck body is recognised: the constants below.
pub type portamento_waypoint_rule = u32;
/// By its share of the expected speed.
pub const PORTAMENTO_WAYPOINT_RULE_BY_SPEED: portamento_waypoint_rule = 0;
/// By an older rule, with `ample_progress`.
pub const PORTAMENTO_WAYPOINT_RULE_BY_TIME: portamento_waypoint_rule = 1;

/// What was done with a report: the constants below.
pub type portamento_route = u32;
/// Refused: a newer one had overtaken it.
pub const PORTAMENTO_ROUTE_STALE: portamento_route = 0;
/// The body was cut there.
pub const PORTAMENTO_ROUTE_CUT: portamento_route = 1;
/// Ignored: the body is in the air.
pub const PORTAMENTO_ROUTE_IGNORE: portamento_route = 2;
/// The body was placed there.
pub const PORTAMENTO_ROUTE_PLACE: portamento_route = 3;
/// The body walks there.
pub const PORTAMENTO_ROUTE_ENQUEUE: portamento_route = 4;

/// Settings of waypoints. Fill it with `portamento_waypoint_settings_y_up` or `_z_up`, then change what you
/// like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_waypoint_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// How a stuck body is recognised.
    pub rule: portamento_waypoint_rule,
    /// Which way is up: a unit vector.
    pub up: [f64; 3],
    /// Which way a body faces before any rotation: a unit vector.
    pub ahead: [f64; 3],
    /// A body this near to a waypoint has reached it; two waypoints this near to each other are one.
    pub there: f64,
    /// `BY_SPEED`: a stuck body this near to its waypoint counts as arrived.
    pub close: f64,
    /// Less progress than this in a window counts as none.
    pub least_progress: f64,
    /// `BY_TIME`: this much progress in a window is always enough.
    pub ample_progress: f64,
    /// The smallest share of progress: of the expected speed with `BY_SPEED`, of the tick with `BY_TIME`.
    pub share: f64,
    /// The distance that the first window measures progress from.
    pub unmeasured: f64,
    /// The body walks at this many times its own top speed.
    pub catch_up: f64,
    /// A speed below this counts as none, in units per second.
    pub least_speed: f64,
    /// The walking speed of a body without a top speed, in units per second.
    pub fallback_speed: f64,
    /// A report farther than this outdoors is not walked to.
    pub blip_outdoors: f64,
    /// The same indoors.
    pub blip_indoors: f64,
    /// How long a body sticks to a target that is not renewed, in seconds.
    pub sticky_lease: f64,
    /// The distance that a sticking body keeps between the two hulls.
    pub sticky_gap: f64,
    /// A sticking body moves at this many times its own top speed.
    pub sticky_speed: f64,
    /// The speed of a sticking body without a top speed, in units per second.
    pub sticky_fallback_speed: f64,
    /// Outdoors, how far from its last report a body begins to slow down, and where it stops.
    pub leash_outdoors: [f64; 2],
    /// The same indoors.
    pub leash_indoors: [f64; 2],
    /// Beyond this share of its leash a body counts as held.
    pub leash_full: f64,
    /// Bodies farther than this from the viewer are not simulated.
    pub active_radius: f64,
    /// The number of ticks after which progress is checked.
    pub window: u32,
    /// The number of tolerated failures; after one more the body is placed.
    pub patience: u32,
    /// With this many waypoints or more, a new position drops the oldest.
    pub crowd: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

impl Sized32 for portamento_waypoint_settings {}

/// A reported pose. Fill it with `portamento_waypoint_report_new`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_waypoint_report {
    /// Where the body is.
    pub pose: portamento_pose64,
    /// A number of yours that comes back when the body is placed at this report, such as a cell id.
    pub payload: u64,
    /// This report's own limit for walking; negative for the one of the settings.
    pub blip: f64,
    /// Counts the body's teleports; wraps around.
    pub teleport: u16,
    /// Counts the reports, wraps around; used if `has_sequence` is 1.
    pub sequence: u16,
    /// 1 if `sequence` is given.
    pub has_sequence: u8,
    /// 1 if the body stands on something.
    pub contact: u8,
    /// 1 if the body keeps its heading while it walks there.
    pub keep_heading: u8,
    /// 1 if the body is indoors.
    pub indoors: u8,
    /// Counts the positions that the server forced upon its receiver's own player (`portamento_own_player_echo`); 0 for
    /// others. Wraps around.
    pub forced: u16,
    /// Reserved: zeros.
    pub reserved: [u16; 3],
}

/// One tick, as a body meets it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_waypoint_tick {
    /// Seconds.
    pub dt: f64,
    /// The body's own top speed.
    pub max_speed: f64,
    /// 1 if the body stands on something.
    pub contact: u32,
    /// 1 while something holds the body, so that standing still does not count as stuck.
    pub sticky: u32,
}

/// How a body is to move in a tick.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_waypoint_step {
    /// The translation in world axes.
    pub offset: [f64; 3],
    /// The turn relative to the body, a unit quaternion x, y, z, w: rotation after = rotation before x turn.
    pub turn: [f32; 4],
}

/// What the end of a tick brought.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_waypoint_outcome {
    /// Where the body asks to be put, if `place` is 1.
    pub pose: portamento_pose64,
    /// The velocity to have from now on, if `has_velocity` is 1.
    pub velocity: [f64; 3],
    /// The payload of the report that the body is placed at.
    pub payload: u64,
    /// 1 if the body asks to be placed: put it there and accept, or refuse.
    pub place: u32,
    /// 1 if `velocity` is given.
    pub has_velocity: u32,
    /// 1 if a stop node's turn came.
    pub stopped: u32,
    /// 1 if the body no longer sticks to its target.
    pub released: u32,
}

/// The state of a queue, for debugging and replays.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_waypoints_state {
    /// The distance that the stall window measures from; `unmeasured` of the settings before it has one.
    pub baseline: f64,
    /// Nodes in the queue.
    pub depth: u32,
    /// Failed windows.
    pub failures: u32,
    /// Ticks in the window.
    pub frames: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// What was dropped, given up or refused, over a whole life.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_waypoint_counts {
    /// Oldest nodes dropped because there were too many.
    pub evicted: u32,
    /// Newest nodes replaced by a report of the same place.
    pub replaced: u32,
    /// Waypoints given up after a window without progress.
    pub failed: u32,
    /// Placements accepted.
    pub placed: u32,
    /// Placements refused.
    pub refused: u32,
    /// Answers to placements that something newer had replaced.
    pub late: u32,
    /// Calls refused for an input that cannot be used.
    pub unusable: u32,
    /// Reports refused because a newer one had overtaken them.
    pub stale: u32,
}

/// How a remote body is at the moment.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_remote_body_state {
    /// How much of its leash it has used, in units; negative without a leash.
    pub strayed: f64,
    /// Seconds of frames in which it was too far from the viewer to be simulated.
    pub seconds_skipped: f64,
    /// 1 if it is simulated in this frame.
    pub is_simulated: u32,
    /// 1 if it sticks to a target.
    pub is_sticking: u32,
    /// Nodes in its queue.
    pub depth: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

struct Queue {
    rules: WaypointRules,
    queue: Waypoints<u64>,
    /// What was asked for last.
    asked: Option<Placement<u64>>,
}

struct Body {
    rules: WaypointRules,
    body: Box<RemoteBody<u64>>,
    asked: Option<Placement<u64>>,
}

static QUEUES: Table<Queue> = Table::new(6);
static BODIES: Table<Body> = Table::new(7);

impl From<WaypointError> for Failure {
    fn from(error: WaypointError) -> Self {
        Self::new(PORTAMENTO_BAD_VALUE, error)
    }
}

pub(crate) fn rules(from: portamento_waypoint_settings) -> Result<WaypointRules, Failure> {
    let rule = match from.rule {
        PORTAMENTO_WAYPOINT_RULE_BY_SPEED => WaypointRule::BySpeed,
        PORTAMENTO_WAYPOINT_RULE_BY_TIME => WaypointRule::ByTime,
        other => return Err(no_such("rule", other, "0 or 1")),
    };
    Ok(WaypointRules::new(WaypointSettings {
        rule,
        up: from.up,
        ahead: from.ahead,
        there: from.there,
        close: from.close,
        least_progress: from.least_progress,
        ample_progress: from.ample_progress,
        share: from.share,
        unmeasured: from.unmeasured,
        catch_up: from.catch_up,
        least_speed: from.least_speed,
        fallback_speed: from.fallback_speed,
        blip_outdoors: from.blip_outdoors,
        blip_indoors: from.blip_indoors,
        sticky_lease: from.sticky_lease,
        sticky_gap: from.sticky_gap,
        sticky_speed: from.sticky_speed,
        sticky_fallback_speed: from.sticky_fallback_speed,
        leash_outdoors: from.leash_outdoors,
        leash_indoors: from.leash_indoors,
        leash_full: from.leash_full,
        active_radius: from.active_radius,
        window: from.window,
        patience: from.patience,
        crowd: from.crowd,
    })?)
}

impl From<WaypointCounts> for portamento_waypoint_counts {
    fn from(counts: WaypointCounts) -> Self {
        let WaypointCounts { evicted, replaced, failed, placed, refused, late, unusable, stale } = counts;
        Self { evicted, replaced, failed, placed, refused, late, unusable, stale }
    }
}

impl TryFrom<portamento_waypoint_report> for WaypointReport<u64> {
    type Error = Failure;

    fn try_from(report: portamento_waypoint_report) -> Result<Self, Failure> {
        let pose: Pose64 = report.pose.try_into()?;
        Ok(WaypointReport {
            sequence: (report.has_sequence != 0).then_some(report.sequence),
            forced: report.forced,
            contact: report.contact != 0,
            keep_heading: report.keep_heading != 0,
            indoors: report.indoors != 0,
            blip: (report.blip >= 0.0).then_some(report.blip),
            ..WaypointReport::new(report.teleport, pose)
        }
        .with_payload(report.payload))
    }
}

impl From<portamento_waypoint_tick> for WaypointTick {
    fn from(tick: portamento_waypoint_tick) -> Self {
        let portamento_waypoint_tick { dt, max_speed, contact, sticky } = tick;
        Self { dt, max_speed, contact: contact != 0, sticky: sticky != 0 }
    }
}

impl TryFrom<portamento_waypoint_step> for WaypointStep {
    type Error = Failure;

    fn try_from(step: portamento_waypoint_step) -> Result<Self, Failure> {
        finite(step.offset, "a step")?;
        Ok(Self { offset: step.offset, turn: rotation(step.turn)? })
    }
}

impl From<WaypointStep> for portamento_waypoint_step {
    fn from(step: WaypointStep) -> Self {
        Self { offset: step.offset, turn: step.turn.to_array() }
    }
}

/// An answer to a placement that something newer has replaced is nothing.
fn answered(taken: bool) -> Result<(), Failure> {
    if taken { Ok(()) } else { Err(Failure(PORTAMENTO_NOTHING)) }
}

fn outcome(from: &WaypointOutcome<u64>) -> portamento_waypoint_outcome {
    let velocity = from.place.as_ref().map_or(from.velocity, |place| place.velocity);
    portamento_waypoint_outcome {
        pose: from.place.as_ref().map_or(portamento_pose64::default(), |place| place.pose.into()),
        velocity: velocity.unwrap_or_default(),
        payload: from.place.as_ref().map_or(0, |place| place.payload),
        place: from.place.is_some().into(),
        has_velocity: velocity.is_some().into(),
        stopped: from.stopped.into(),
        released: from.released.into(),
    }
}

impl From<WaypointSettings> for portamento_waypoint_settings {
    fn from(settings: WaypointSettings) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            rule: match settings.rule {
                WaypointRule::ByTime => PORTAMENTO_WAYPOINT_RULE_BY_TIME,
                _ => PORTAMENTO_WAYPOINT_RULE_BY_SPEED,
            },
            up: settings.up,
            ahead: settings.ahead,
            there: settings.there,
            close: settings.close,
            least_progress: settings.least_progress,
            ample_progress: settings.ample_progress,
            share: settings.share,
            unmeasured: settings.unmeasured,
            catch_up: settings.catch_up,
            least_speed: settings.least_speed,
            fallback_speed: settings.fallback_speed,
            blip_outdoors: settings.blip_outdoors,
            blip_indoors: settings.blip_indoors,
            sticky_lease: settings.sticky_lease,
            sticky_gap: settings.sticky_gap,
            sticky_speed: settings.sticky_speed,
            sticky_fallback_speed: settings.sticky_fallback_speed,
            leash_outdoors: settings.leash_outdoors,
            leash_indoors: settings.leash_indoors,
            leash_full: settings.leash_full,
            active_radius: settings.active_radius,
            window: settings.window,
            patience: settings.patience,
            crowd: settings.crowd,
            reserved: 0,
        }
    }
}

/// Fills `settings` with the defaults for a world where y is up and bodies face -z.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoint_settings_y_up(
    settings: *mut portamento_waypoint_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, WaypointSettings::y_up().into(), "settings") })
}

/// Fills `settings` with the defaults for a world where z is up and bodies face +y.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoint_settings_z_up(
    settings: *mut portamento_waypoint_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, WaypointSettings::z_up().into(), "settings") })
}

/// Fills `report` with one of a body that stands at `pose` outdoors and has teleported `teleport` times.
///
/// # Safety
/// `pose` points to a pose, `report` to a place for the report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoint_report_new(
    teleport: u16,
    pose: *const portamento_pose64,
    report: *mut portamento_waypoint_report,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?;
        let made = portamento_waypoint_report {
            pose,
            payload: 0,
            blip: -1.0,
            teleport,
            sequence: 0,
            has_sequence: 0,
            contact: 1,
            keep_heading: 0,
            indoors: 0,
            forced: 0,
            reserved: [0; 3],
        };
        // SAFETY: as above.
        unsafe { write(report, made, "report") }
    })
}

/// Makes an empty queue.
///
/// # Safety
/// `settings` points to settings, `waypoints` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoints_new(
    settings: *const portamento_waypoint_settings,
    waypoints: *mut portamento_waypoints,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let rules = rules(unsafe { self::settings(settings, "settings") }?)?;
        let queue = Queue { rules, queue: Waypoints::new(), asked: None };
        // SAFETY: as above.
        unsafe { make(waypoints, "waypoints", || Ok(portamento_waypoints { id: QUEUES.insert(queue)? })) }
    })
}

/// Frees a queue.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_waypoints_free(waypoints: portamento_waypoints) -> portamento_status {
    answer(|| Ok(QUEUES.free(waypoints.id)?))
}

/// Takes in a report of the body, which is at `body` now. `turned` receives 1 if the body is there already and must turn
/// to `heading`, a quaternion x, y, z, w; otherwise 0. Both may be null.
///
/// # Safety
/// `body` and `report` point to what their types say, `heading` and `turned` to places for results or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoints_enqueue(
    waypoints: portamento_waypoints,
    body: *const portamento_pose64,
    report: *const portamento_waypoint_report,
    heading: *mut f32,
    turned: *mut u32,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let body: Pose64 = unsafe { read(body, "body") }?.try_into()?;
        // SAFETY: as above.
        let report = unsafe { read(report, "report") }?.try_into()?;
        let enqueued =
            QUEUES.with(waypoints.id, |queue| queue.queue.enqueue(&queue.rules, &body, &report))??;
        let turn: Option<Rotation> = match enqueued {
            Enqueued::AlreadyThere { heading } => heading,
            Enqueued::Queued | Enqueued::Far => None,
        };
        if let Some(turn) = turn
            && !heading.is_null()
        {
            // SAFETY: not null, and the caller's promise.
            unsafe { write(heading.cast::<[f32; 4]>(), turn.to_array(), "heading") }?;
        }
        if !turned.is_null() {
            // SAFETY: as above.
            unsafe { write(turned, turn.is_some().into(), "turned") }?;
        }
        Ok(())
    })
}

/// Adds a node that sets the velocity when its turn comes.
///
/// # Safety
/// `velocity` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoints_enqueue_velocity(
    waypoints: portamento_waypoints,
    velocity: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let velocity = unsafe { read(velocity.cast::<[f64; 3]>(), "velocity") }?;
        Ok(QUEUES.with(waypoints.id, |queue| queue.queue.enqueue_velocity(velocity))??)
    })
}

/// Adds a node that stops the body when its turn comes.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_waypoints_enqueue_stop(waypoints: portamento_waypoints) -> portamento_status {
    answer(|| Ok(QUEUES.with(waypoints.id, |queue| queue.queue.enqueue_stop())?))
}

/// Forgets all nodes.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_waypoints_stop(waypoints: portamento_waypoints) -> portamento_status {
    answer(|| Ok(QUEUES.with(waypoints.id, |queue| queue.queue.stop())?))
}

/// Writes the step for this tick, before collision; `PORTAMENTO_NOTHING` if the queue asks for nothing: then use the
/// animation's own motion.
///
/// # Safety
/// `body` and `tick` point to what their types say, `step` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoints_step(
    waypoints: portamento_waypoints,
    body: *const portamento_pose64,
    tick: *const portamento_waypoint_tick,
    step: *mut portamento_waypoint_step,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let body: Pose64 = unsafe { read(body, "body") }?.try_into()?;
        // SAFETY: as above.
        let tick = unsafe { read(tick, "tick") }?.into();
        let next = || {
            let made = QUEUES.with(waypoints.id, |queue| queue.queue.step(&queue.rules, &body, &tick))??;
            made.map(Into::into).ok_or(Failure(PORTAMENTO_NOTHING))
        };
        // SAFETY: as above.
        unsafe { make(step, "step", next) }
    })
}

/// Writes where `body` is after `step` if nothing is in its way. `after` may be `body`.
///
/// # Safety
/// `step` and `body` point to what their types say, `after` to a place for a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoint_step_apply(
    step: *const portamento_waypoint_step,
    body: *const portamento_pose64,
    after: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let step: WaypointStep = unsafe { read(step, "step") }?.try_into()?;
        // SAFETY: as above.
        let body: Pose64 = unsafe { read(body, "body") }?.try_into()?;
        // SAFETY: as above.
        unsafe { write(after, step.apply(&body).into(), "after") }
    })
}

/// Ends a tick of `dt` seconds, with the body at `body` after collision. If it asks to be placed, answer with
/// `portamento_waypoints_accept` or `portamento_waypoints_refuse`; it asks again in every tick until then.
///
/// # Safety
/// `body` points to a pose, `outcome` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoints_end_tick(
    waypoints: portamento_waypoints,
    body: *const portamento_pose64,
    dt: f64,
    outcome: *mut portamento_waypoint_outcome,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let body: Pose64 = unsafe { read(body, "body") }?.try_into()?;
        let end = |queue: &mut Queue| {
            let ended = queue.queue.end_tick(&queue.rules, &body, dt)?;
            queue.asked = ended.place;
            Ok::<_, WaypointError>(self::outcome(&ended))
        };
        // SAFETY: as above.
        unsafe { make(outcome, "outcome", || Ok(QUEUES.with(waypoints.id, end)??)) }
    })
}

/// Confirms that the body was put where the last outcome asked. `PORTAMENTO_NOTHING` if something newer has replaced the
/// request: then leave the body where it is.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_waypoints_accept(waypoints: portamento_waypoints) -> portamento_status {
    answer(|| {
        answered(QUEUES.with(waypoints.id, |queue| {
            queue.asked.take().is_some_and(|placement| queue.queue.accept(&placement))
        })?)
    })
}

/// Declines the placement of the last outcome. Everything is kept, and the request repeated in the next tick.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_waypoints_refuse(waypoints: portamento_waypoints) -> portamento_status {
    answer(|| {
        answered(QUEUES.with(waypoints.id, |queue| {
            queue.asked.take().is_some_and(|placement| queue.queue.refuse(&placement))
        })?)
    })
}

/// Writes the state of the queue.
///
/// # Safety
/// `state` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoints_get_state(
    waypoints: portamento_waypoints,
    state: *mut portamento_waypoints_state,
) -> portamento_status {
    answer(|| {
        let now = QUEUES.with(waypoints.id, |Queue { rules, queue, .. }| portamento_waypoints_state {
            baseline: queue.baseline().unwrap_or(rules.settings().unmeasured),
            depth: queue.len() as u32,
            failures: queue.failures(),
            frames: queue.frames(),
            reserved: 0,
        })?;
        // SAFETY: the caller's promise.
        unsafe { write(state, now, "state") }
    })
}

/// Moves the world's origin: adds `shift` to everything remembered.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoints_rebase(
    waypoints: portamento_waypoints,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moved = unsafe { moved_by::<3>(shift) }?;
        Ok(QUEUES.with(waypoints.id, |queue| {
            queue.queue.rebase(|pose| moved(&mut pose.position));
            queue.asked.iter_mut().for_each(|asked| moved(&mut asked.pose.position));
        })?)
    })
}

/// Writes what was counted.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_waypoints_get_counts(
    waypoints: portamento_waypoints,
    counts: *mut portamento_waypoint_counts,
) -> portamento_status {
    answer(|| {
        let now = QUEUES.with(waypoints.id, |queue| queue.queue.counts())?;
        // SAFETY: the caller's promise.
        unsafe { write(counts, now.into(), "counts") }
    })
}

/// Makes a body that is not in the world yet: its first report puts it there.
///
/// # Safety
/// `settings` points to settings, `body` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_new(
    settings: *const portamento_waypoint_settings,
    body: *mut portamento_remote_body,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let rules = rules(unsafe { self::settings(settings, "settings") }?)?;
        let made = Body { rules, body: Box::default(), asked: None };
        // SAFETY: as above.
        unsafe { make(body, "body", || Ok(portamento_remote_body { id: BODIES.insert(made)? })) }
    })
}

/// Frees a body.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_remote_body_free(body: portamento_remote_body) -> portamento_status {
    answer(|| Ok(BODIES.free(body.id)?))
}

/// Takes in a report of the body, which it puts `from_viewer` units from the viewer. `route` may be null; otherwise it
/// receives what was done.
///
/// # Safety
/// `report` points to a report, `route` to a place for the result or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_report(
    body: portamento_remote_body,
    report: *const portamento_waypoint_report,
    from_viewer: f64,
    route: *mut portamento_route,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let report = unsafe { read(report, "report") }?.try_into()?;
        let done = BODIES.with(body.id, |body| body.body.report(&body.rules, &report, from_viewer))??;
        if route.is_null() {
            return Ok(());
        }
        let number = match done {
            Route::Stale => PORTAMENTO_ROUTE_STALE,
            Route::Cut => PORTAMENTO_ROUTE_CUT,
            Route::Ignore => PORTAMENTO_ROUTE_IGNORE,
            Route::Place => PORTAMENTO_ROUTE_PLACE,
            Route::Enqueue => PORTAMENTO_ROUTE_ENQUEUE,
        };
        // SAFETY: not null, and the caller's promise.
        unsafe { write(route, number, "route") }
    })
}

/// Begins a frame of `dt` seconds with the body `from_viewer` units from the viewer. Far bodies are not simulated; their
/// time is lost, not saved up.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_remote_body_frame(
    body: portamento_remote_body,
    dt: f64,
    from_viewer: f64,
) -> portamento_status {
    answer(|| Ok(BODIES.with(body.id, |body| body.body.frame(&body.rules, dt, from_viewer))?))
}

/// Begins a tick and writes the step for your physics to take and to collide. `root` is the animation's own motion, or
/// null for none. `PORTAMENTO_NOTHING`: the body is not in the world, or too far to be simulated.
///
/// # Safety
/// `tick` points to a tick, `root` to a step or nothing, `step` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_step(
    body: portamento_remote_body,
    tick: *const portamento_waypoint_tick,
    root: *const portamento_waypoint_step,
    step: *mut portamento_waypoint_step,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let tick = unsafe { read(tick, "tick") }?.into();
        let root = if root.is_null() {
            WaypointStep::NONE
        } else {
            // SAFETY: not null, and the caller's promise.
            let given = unsafe { read(root, "root") }?;
            given.try_into()?
        };
        let next = || {
            let made = BODIES.with(body.id, |body| body.body.step(&body.rules, &tick, root))??;
            made.map(Into::into).ok_or(Failure(PORTAMENTO_NOTHING))
        };
        // SAFETY: the caller's promise.
        unsafe { make(step, "step", next) }
    })
}

/// Ends a tick with the body at `truth` after collision.
///
/// # Safety
/// `truth` points to a pose, `outcome` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_moved(
    body: portamento_remote_body,
    truth: *const portamento_pose64,
    outcome: *mut portamento_waypoint_outcome,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let truth: Pose64 = unsafe { read(truth, "truth") }?.try_into()?;
        let end = |body: &mut Body| {
            let ended = body.body.moved(&body.rules, &truth)?;
            body.asked = ended.place;
            Ok::<_, WaypointError>(self::outcome(&ended))
        };
        // SAFETY: as above.
        unsafe { make(outcome, "outcome", || Ok(BODIES.with(body.id, end)??)) }
    })
}

/// Runs one tick of a world without obstacles: the step, the whole of it, and every placement accepted. `place` of the
/// outcome says where the body was put; it needs no answer.
///
/// # Safety
/// `tick` points to a tick, `outcome` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_walk(
    body: portamento_remote_body,
    tick: *const portamento_waypoint_tick,
    outcome: *mut portamento_waypoint_outcome,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let tick = unsafe { read(tick, "tick") }?.into();
        let walk = |body: &mut Body| {
            body.asked = None;
            body.body.walk(&body.rules, &tick).map(|ended| self::outcome(&ended))
        };
        // SAFETY: as above.
        unsafe { make(outcome, "outcome", || Ok(BODIES.with(body.id, walk)??)) }
    })
}

/// Confirms that the body was put where the last outcome asked: the picture cuts there. `PORTAMENTO_NOTHING` if something
/// newer has replaced the request.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_remote_body_accept(body: portamento_remote_body) -> portamento_status {
    answer(|| {
        answered(
            BODIES.with(body.id, |body| {
                body.asked.take().is_some_and(|placement| body.body.accept(&placement))
            })?,
        )
    })
}

/// Declines the placement of the last outcome. Everything is kept, and the request repeated in the next tick.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_remote_body_refuse(body: portamento_remote_body) -> portamento_status {
    answer(|| {
        answered(
            BODIES.with(body.id, |body| {
                body.asked.take().is_some_and(|placement| body.body.refuse(&placement))
            })?,
        )
    })
}

/// Keeps the body beside a target at `target`, until the lease of a second is not renewed. `radii` is the sum of both
/// radii.
///
/// # Safety
/// `target` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_stick_to(
    body: portamento_remote_body,
    target: *const f64,
    radii: f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let target = unsafe { read(target.cast::<[f64; 3]>(), "target") }?;
        Ok(BODIES.with(body.id, |body| body.body.stick_to(&body.rules, target, radii))??)
    })
}

/// Moves the target that the body sticks to, if there is one. This does not renew the lease.
///
/// # Safety
/// `target` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_follow(
    body: portamento_remote_body,
    target: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let target = unsafe { read(target.cast::<[f64; 3]>(), "target") }?;
        Ok(BODIES.with(body.id, |body| body.body.follow(target))??)
    })
}

/// Releases the body from its target.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_remote_body_release(body: portamento_remote_body) -> portamento_status {
    answer(|| Ok(BODIES.with(body.id, |body| body.body.release())?))
}

/// Adds a velocity, in units per second, that the body is to have when it has reached everything reported.
///
/// # Safety
/// `velocity` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_enqueue_velocity(
    body: portamento_remote_body,
    velocity: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let velocity = unsafe { read(velocity.cast::<[f64; 3]>(), "velocity") }?;
        Ok(BODIES.with(body.id, |body| body.body.enqueue_velocity(velocity))??)
    })
}

/// Adds a stop: the body is to stand when it has reached everything reported.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_remote_body_enqueue_stop(body: portamento_remote_body) -> portamento_status {
    answer(|| Ok(BODIES.with(body.id, |body| body.body.enqueue_stop())?))
}

/// Forgets all waypoints: the body stays where it is.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_remote_body_stop(body: portamento_remote_body) -> portamento_status {
    answer(|| Ok(BODIES.with(body.id, |body| body.body.stop())?))
}

/// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_rebase(
    body: portamento_remote_body,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moved = unsafe { moved_by::<3>(shift) }?;
        Ok(BODIES.with(body.id, |body| {
            body.body.rebase(|pose| moved(&mut pose.position));
            body.asked.iter_mut().for_each(|asked| moved(&mut asked.pose.position));
        })?)
    })
}

/// Writes how the body is at the moment.
///
/// # Safety
/// `state` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_get_state(
    body: portamento_remote_body,
    state: *mut portamento_remote_body_state,
) -> portamento_status {
    answer(|| {
        let now = BODIES.with(body.id, |body| body.body.state(&body.rules))?;
        let now = portamento_remote_body_state {
            strayed: now.strayed.unwrap_or(-1.0),
            seconds_skipped: now.seconds_skipped,
            is_simulated: now.is_simulated.into(),
            is_sticking: now.is_sticking.into(),
            depth: now.waypoints,
            reserved: 0,
        };
        // SAFETY: the caller's promise.
        unsafe { write(state, now, "state") }
    })
}

/// Writes what was counted.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_get_counts(
    body: portamento_remote_body,
    counts: *mut portamento_waypoint_counts,
) -> portamento_status {
    answer(|| {
        let now = BODIES.with(body.id, |body| body.body.state(&body.rules).counts)?;
        // SAFETY: the caller's promise.
        unsafe { write(counts, now.into(), "counts") }
    })
}

/// Writes where the body is; `PORTAMENTO_NOTHING` before its first report.
///
/// # Safety
/// `truth` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_truth(
    body: portamento_remote_body,
    truth: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        let now = BODIES.with(body.id, |body| body.body.truth().copied())?;
        // SAFETY: the caller's promise.
        unsafe { write_found(truth, now.map(Into::into), "truth") }
    })
}

/// Writes what to draw at `moment`; `PORTAMENTO_NOTHING` before the first report. Call it once per frame.
///
/// # Safety
/// `moment` points to a moment, `drawn` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_remote_body_draw(
    body: portamento_remote_body,
    moment: *const portamento_moment,
    drawn: *mut portamento_drawn,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moment = unsafe { read(moment, "moment") }?.into();
        let draw = || {
            let now = BODIES.with(body.id, |body| body.body.draw(moment))?;
            now.map(Into::into).ok_or(Failure(PORTAMENTO_NOTHING))
        };
        // SAFETY: as above.
        unsafe { make(drawn, "drawn", draw) }
    })
}
