//! Playheads and timelines: poses with timestamps of another clock, drawn by yours.

use crate::blend::slerp;
use crate::camera::no_such;
use crate::pointers::{Sized32, make, read, settings, write, write_found, write_if_wanted};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{moved_by, portamento_drawn, portamento_pose64};
use portamento::blend::{Blend, Pose64};
use portamento::playhead::{
    Lateness, Playhead, PlayheadRule, PlayheadSettings, Shown, Timeline, TimelinePlace,
};
use portamento::remote::PeerSettings;
use portamento_status::{PORTAMENTO_BAD_VALUE, PORTAMENTO_NOTHING};

/// Chooses which moment of another clock is drawn. Make it with `portamento_playhead_new`, free it with
/// `portamento_playhead_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_playhead {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// The last poses of one entity, each with its simulation time. Make it with `portamento_timeline_new`, free it with
/// `portamento_timeline_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_timeline {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// How a playhead finds the moment to draw: the constants below.
pub type portamento_playhead_rule = u32;
/// Estimates the writer's clock and stays a margin behind it.
pub const PORTAMENTO_PLAYHEAD_RULE_LOCKED: portamento_playhead_rule = 0;
/// From the arrival of the newest tick on, one interval takes the picture from the tick before to it.
pub const PORTAMENTO_PLAYHEAD_RULE_SINCE_ARRIVAL: portamento_playhead_rule = 1;

/// Which lateness of ticks a playhead's margin covers: the constants below.
pub type portamento_lateness = u32;
/// The worst of the last seconds.
pub const PORTAMENTO_LATENESS_WORST: portamento_lateness = 0;
/// The median of the last ticks.
pub const PORTAMENTO_LATENESS_MEDIAN: portamento_lateness = 1;

/// What a tick was to a playhead: the constants below.
pub type portamento_observed = u32;
/// It moved the newest moment on.
pub const PORTAMENTO_OBSERVED_NEWEST: portamento_observed = 0;
/// Not newer than the newest one: ignored.
pub const PORTAMENTO_OBSERVED_OLD: portamento_observed = 1;
/// A time is NaN or infinite: ignored.
pub const PORTAMENTO_OBSERVED_UNUSABLE: portamento_observed = 2;

/// Settings of a playhead. Fill it with `portamento_playhead_settings_at_hz` or `_network`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_playhead_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// How it finds the moment to draw.
    pub rule: portamento_playhead_rule,
    /// The nominal time from tick to tick, in seconds of the writer's clock.
    pub interval: f64,
    /// Which lateness the margin covers.
    pub lateness: portamento_lateness,
    /// Reserved: zero.
    pub reserved: u32,
    /// For how many seconds the worst lateness is remembered.
    pub margin_memory: f64,
    /// The least lateness assumed, in seconds.
    pub margin_floor: f64,
    /// Tick lengths kept besides.
    pub margin_ticks: f64,
    /// How many seconds to extrapolate past the newest tick at most; 0 to stay at it.
    pub extrapolate: f64,
    /// How strongly the drawn speed answers a playhead that is not where it should be, per second.
    pub pull: f64,
    /// The same for a playhead that is ahead by the whole margin, per second.
    pub brake: f64,
    /// The most that the drawn speed is changed, as a share of it.
    pub bend: f64,
    /// An error beyond this many seconds is corrected at once, by a jump.
    pub relock: f64,
    /// The writer's seconds per second of ours lie between 1 / (1 + this) and 1 + this.
    pub rate_within: f64,
    /// What share of a surprise moves the estimated offset.
    pub offset_gain: f64,
    /// What share of a surprise, in ticks, moves the estimated rate when it has long been known.
    pub rate_gain: f64,
    /// Arrivals later than this many times the usual spread count for less than half.
    pub late_scale: f64,
}

impl Sized32 for portamento_playhead_settings {}

/// The moment of another clock that a frame draws. Timelines and exchange readers take it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct portamento_shown {
    /// The moment, in seconds of the writer's clock.
    pub at: f64,
    /// How many seconds the picture advanced in this frame: a camera's dt.
    pub presented: f64,
    /// How far past the newest tick, in seconds; 0 without extrapolation.
    pub beyond: f64,
    /// How much was skipped in this frame because the playhead was too far behind, in seconds.
    pub skipped: f64,
}

/// What a playhead has counted.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_playhead_counts {
    /// Ticks that moved the newest moment on.
    pub ticks: u64,
    /// Ticks that did not: duplicates, or overtaken by newer ones.
    pub old: u64,
    /// Ticks that came when the playhead had run out of them.
    pub late: u64,
    /// Frames that had no tick to move towards.
    pub held: u64,
    /// Times that were NaN or infinite.
    pub unusable: u64,
    /// Times that ran backwards.
    pub backward: u64,
    /// How often the writer's clock was estimated anew.
    pub relocks: u64,
    /// Frames in which time was skipped.
    pub jumps: u64,
    /// Lives of the writer after the first.
    pub restarts: u64,
    /// Seconds skipped in all.
    pub skipped: f64,
}

/// Settings of a timeline. Fill it with `portamento_timeline_settings_default`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_timeline_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// How many ticks are kept, 2 to 1024. They should span a quarter of a second.
    pub ticks: u32,
    /// 1: rotations by true slerp. 0: by its fast approximation, as tracks and batches draw them.
    pub slerp: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

impl Sized32 for portamento_timeline_settings {}

/// Where a moment lies among the ticks of a timeline: the constants below.
pub type portamento_timeline_place = u32;
/// Before the oldest tick that is kept, which is drawn: more ticks must be kept.
pub const PORTAMENTO_TIMELINE_PLACE_FORGOTTEN: portamento_timeline_place = 0;
/// Between two ticks.
pub const PORTAMENTO_TIMELINE_PLACE_BETWEEN: portamento_timeline_place = 1;
/// At the newest tick.
pub const PORTAMENTO_TIMELINE_PLACE_NEWEST: portamento_timeline_place = 2;
/// Past the newest tick.
pub const PORTAMENTO_TIMELINE_PLACE_BEYOND: portamento_timeline_place = 3;

/// A pose, and how its rotation is blended.
#[derive(Clone, Copy, Debug)]
struct Posed {
    pose: Pose64,
    slerp: bool,
}

impl Blend for Posed {
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        let pose =
            if to.slerp { slerp(&self.pose, &to.pose, alpha) } else { self.pose.blend(&to.pose, alpha) };
        Self { pose, ..*to }
    }

    fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
        Self { pose: self.pose.extrapolate(&to.pose, beyond), ..*to }
    }
}

enum Kept {
    Few(Box<Timeline<Posed, 16>>),
    Many(Box<Timeline<Posed, 128>>),
    Most(Box<Timeline<Posed, 1024>>),
}

/// The same call for all.
macro_rules! of {
    ($kept:expr, $timeline:ident => $call:expr) => {
        match $kept {
            Kept::Few($timeline) => $call,
            Kept::Many($timeline) => $call,
            Kept::Most($timeline) => $call,
        }
    };
}

struct Line {
    kept: Kept,
    slerp: bool,
}

static PLAYHEADS: Table<Box<Playhead>> = Table::new(10);
static TIMELINES: Table<Line> = Table::new(11);

impl From<Shown> for portamento_shown {
    fn from(Shown { at, presented, beyond, skipped }: Shown) -> Self {
        Self { at, presented, beyond, skipped }
    }
}

impl From<portamento_shown> for Shown {
    fn from(portamento_shown { at, presented, beyond, skipped }: portamento_shown) -> Self {
        Self { at, presented, beyond, skipped }
    }
}

impl From<PlayheadSettings> for portamento_playhead_settings {
    fn from(settings: PlayheadSettings) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            rule: u32::from(settings.rule == PlayheadRule::SinceArrival),
            interval: settings.interval,
            lateness: u32::from(settings.lateness == Lateness::Median),
            reserved: 0,
            margin_memory: settings.margin_memory,
            margin_floor: settings.margin_floor,
            margin_ticks: settings.margin_ticks,
            extrapolate: settings.extrapolate,
            pull: settings.pull,
            brake: settings.brake,
            bend: settings.bend,
            relock: settings.relock,
            rate_within: settings.rate_within,
            offset_gain: settings.offset_gain,
            rate_gain: settings.rate_gain,
            late_scale: settings.late_scale,
        }
    }
}

impl TryFrom<portamento_playhead_settings> for PlayheadSettings {
    type Error = Failure;

    fn try_from(settings: portamento_playhead_settings) -> Result<Self, Failure> {
        Ok(Self {
            interval: settings.interval,
            rule: match settings.rule {
                PORTAMENTO_PLAYHEAD_RULE_LOCKED => PlayheadRule::Locked,
                PORTAMENTO_PLAYHEAD_RULE_SINCE_ARRIVAL => PlayheadRule::SinceArrival,
                other => return Err(no_such("rule", other, "0 or 1")),
            },
            lateness: match settings.lateness {
                PORTAMENTO_LATENESS_WORST => Lateness::Worst,
                PORTAMENTO_LATENESS_MEDIAN => Lateness::Median,
                other => return Err(no_such("lateness", other, "0 or 1")),
            },
            margin_memory: settings.margin_memory,
            margin_floor: settings.margin_floor,
            margin_ticks: settings.margin_ticks,
            extrapolate: settings.extrapolate,
            pull: settings.pull,
            brake: settings.brake,
            bend: settings.bend,
            relock: settings.relock,
            rate_within: settings.rate_within,
            offset_gain: settings.offset_gain,
            rate_gain: settings.rate_gain,
            late_scale: settings.late_scale,
        })
    }
}

/// Fills `settings` with the defaults for a writer on this machine that ticks `hz` times per second.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_playhead_settings_at_hz(
    hz: f64,
    settings: *mut portamento_playhead_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, PlayheadSettings::at_hz(hz).into(), "settings") })
}

/// Fills `settings` with the defaults for a writer behind a network that ticks `hz` times per second.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_playhead_settings_network(
    hz: f64,
    settings: *mut portamento_playhead_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, PeerSettings::at_hz(hz).playhead.into(), "settings") })
}

/// Makes a playhead.
///
/// # Safety
/// `settings` points to settings, `playhead` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_playhead_new(
    settings: *const portamento_playhead_settings,
    playhead: *mut portamento_playhead,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let made = Playhead::new(unsafe { self::settings(settings, "settings") }?.try_into()?)?;
        let new = || Ok(portamento_playhead { id: PLAYHEADS.insert(Box::new(made))? });
        // SAFETY: as above.
        unsafe { make(playhead, "playhead", new) }
    })
}

/// Frees a playhead.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_playhead_free(playhead: portamento_playhead) -> portamento_status {
    answer(|| Ok(PLAYHEADS.free(playhead.id)?))
}

/// Takes the arrival of a tick: it stands for `simulated` seconds of the writer's clock, and came at `arrival` by ours.
/// `observed` may be null; otherwise it receives what the tick was.
///
/// # Safety
/// `observed` points to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_playhead_observe(
    playhead: portamento_playhead,
    arrival: f64,
    simulated: f64,
    observed: *mut portamento_observed,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { observe(playhead, [arrival, simulated], observed, Playhead::observe) })
}

/// The same for a tick in which everything was cut (a level loaded): nothing between it and the tick before is drawn.
///
/// # Safety
/// `observed` points to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_playhead_observe_cut(
    playhead: portamento_playhead,
    arrival: f64,
    simulated: f64,
    observed: *mut portamento_observed,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { observe(playhead, [arrival, simulated], observed, Playhead::observe_cut) })
}

/// # Safety
/// `observed` is null, or points to a place for a number.
unsafe fn observe(
    playhead: portamento_playhead,
    [arrival, simulated]: [f64; 2],
    observed: *mut portamento_observed,
    call: impl FnOnce(&mut Playhead, f64, f64) -> bool,
) -> Result<(), Failure> {
    let number = if PLAYHEADS.with(playhead.id, |playhead| call(playhead, arrival, simulated))? {
        PORTAMENTO_OBSERVED_NEWEST
    } else if arrival.is_finite() && simulated.is_finite() {
        PORTAMENTO_OBSERVED_OLD
    } else {
        PORTAMENTO_OBSERVED_UNUSABLE
    };
    // SAFETY: the caller's promise.
    unsafe { write_if_wanted(observed, number) };
    Ok(())
}

/// Takes in a frame at `now` by our clock. `PORTAMENTO_NOTHING` before the first tick. Call it once per frame.
///
/// # Safety
/// `shown` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_playhead_advance(
    playhead: portamento_playhead,
    now: f64,
    shown: *mut portamento_shown,
) -> portamento_status {
    answer(|| {
        let advance = || {
            let made = PLAYHEADS.with(playhead.id, |playhead| playhead.advance(now))?;
            made.map(Into::into).ok_or(Failure(PORTAMENTO_NOTHING))
        };
        // SAFETY: the caller's promise.
        unsafe { make(shown, "shown", advance) }
    })
}

/// Sets how fast the writer's clock runs from `at` (by our clock) on, in simulated seconds per real second: below 1 in
/// slow motion, 0 while paused. A number that cannot be used is counted and ignored.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_playhead_set_time_scale(
    playhead: portamento_playhead,
    at: f64,
    scale: f64,
) -> portamento_status {
    answer(|| Ok(PLAYHEADS.with(playhead.id, |playhead| playhead.set_time_scale(at, scale))?))
}

/// Forgets the writer's clock: call it when the writer began a new life.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_playhead_restart(playhead: portamento_playhead) -> portamento_status {
    answer(|| Ok(PLAYHEADS.with(playhead.id, |playhead| playhead.restart())?))
}

/// Writes the place between the last two ticks that `PORTAMENTO_PLAYHEAD_RULE_SINCE_ARRIVAL` draws; `PORTAMENTO_NOTHING`
/// with the other rule, and before the first tick.
///
/// # Safety
/// `alpha` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_playhead_alpha_since_arrival(
    playhead: portamento_playhead,
    alpha: *mut f64,
) -> portamento_status {
    answer(|| {
        let now = PLAYHEADS.with(playhead.id, |playhead| playhead.alpha_since_arrival())?;
        // SAFETY: the caller's promise.
        unsafe { write_found(alpha, now, "alpha") }
    })
}

/// Writes what was counted.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_playhead_get_counts(
    playhead: portamento_playhead,
    counts: *mut portamento_playhead_counts,
) -> portamento_status {
    answer(|| {
        let now = PLAYHEADS.with(playhead.id, |playhead| playhead.statistics())?;
        let made = portamento_playhead_counts {
            ticks: now.ticks,
            old: now.old,
            late: now.late,
            held: now.held,
            unusable: now.unusable,
            backward: now.backward,
            relocks: now.relocks,
            jumps: now.jumps,
            restarts: now.restarts,
            skipped: now.skipped,
        };
        // SAFETY: the caller's promise.
        unsafe { write(counts, made, "counts") }
    })
}

/// Fills `settings` with the defaults: 16 ticks, the fast approximation of slerp.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_timeline_settings_default(
    settings: *mut portamento_timeline_settings,
) -> portamento_status {
    let size = size_of::<portamento_timeline_settings>() as u32;
    let defaults = portamento_timeline_settings { size, ticks: 16, slerp: 0, reserved: 0 };
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, defaults, "settings") })
}

/// Makes an empty timeline.
///
/// # Safety
/// `settings` points to settings, `timeline` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_timeline_new(
    settings: *const portamento_timeline_settings,
    timeline: *mut portamento_timeline,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let given = unsafe { self::settings(settings, "settings") }?;
        let kept = match given.ticks {
            2..=16 => Kept::Few(Box::default()),
            17..=128 => Kept::Many(Box::default()),
            129..=1024 => Kept::Most(Box::default()),
            other => return Err(no_such("ticks", other, "a number from 2 to 1024")),
        };
        let line = Line { kept, slerp: given.slerp != 0 };
        // SAFETY: as above.
        unsafe { make(timeline, "timeline", || Ok(portamento_timeline { id: TIMELINES.insert(line)? })) }
    })
}

/// Frees a timeline.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_timeline_free(timeline: portamento_timeline) -> portamento_status {
    answer(|| Ok(TIMELINES.free(timeline.id)?))
}

/// Takes in the pose of a tick that stands for `simulated` seconds. A time before the newest one counts as that one.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_timeline_push(
    timeline: portamento_timeline,
    simulated: f64,
    pose: *const portamento_pose64,
) -> portamento_status {
    let call = |line: &mut Line, pose| of!(&mut line.kept, kept => kept.push(simulated, pose));
    // SAFETY: the caller's promise.
    answer(|| unsafe { take(timeline, simulated, pose, call) })
}

/// Takes in a teleport at `simulated` seconds: `pose` is drawn from its own time on, and the pose before it until then.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_timeline_cut(
    timeline: portamento_timeline,
    simulated: f64,
    pose: *const portamento_pose64,
) -> portamento_status {
    let call = |line: &mut Line, pose| of!(&mut line.kept, kept => kept.cut(simulated, pose));
    // SAFETY: the caller's promise.
    answer(|| unsafe { take(timeline, simulated, pose, call) })
}

/// # Safety
/// `pose` is null, or points to a pose.
unsafe fn take(
    timeline: portamento_timeline,
    simulated: f64,
    pose: *const portamento_pose64,
    call: impl FnOnce(&mut Line, Posed) -> bool,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let pose: Pose64 = unsafe { read(pose, "pose") }?.try_into()?;
    let taken = TIMELINES.with(timeline.id, |line| {
        let posed = Posed { pose, slerp: line.slerp };
        call(line, posed)
    })?;
    if taken {
        return Ok(());
    }
    let words = format_args!("a tick for {simulated} s: give a finite number of seconds");
    Err(Failure::new(PORTAMENTO_BAD_VALUE, words))
}

/// Writes the view at `shown`, and where that lies: `place` and `alpha`, each of which may be null. `alpha` is the place
/// between the two ticks, 0 to 1. `PORTAMENTO_NOTHING` before the first tick. Nothing is remembered.
///
/// # Safety
/// `shown` points to what its type says, `view` to a place for a pose, `place` and `alpha` to places for a number or
/// nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_timeline_view(
    timeline: portamento_timeline,
    shown: *const portamento_shown,
    view: *mut portamento_pose64,
    place: *mut portamento_timeline_place,
    alpha: *mut f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let shown: Shown = unsafe { read(shown, "shown") }?.into();
        let found = TIMELINES
            .with(timeline.id, |line| of!(&line.kept, kept => kept.view(shown).zip(kept.place(shown))))?;
        let Some((posed, at)) = found else { return Err(Failure(PORTAMENTO_NOTHING)) };
        // SAFETY: as above.
        unsafe { write(view, posed.pose.into(), "view") }?;
        let number = match at {
            TimelinePlace::Forgotten => PORTAMENTO_TIMELINE_PLACE_FORGOTTEN,
            TimelinePlace::Between { .. } => PORTAMENTO_TIMELINE_PLACE_BETWEEN,
            TimelinePlace::Newest => PORTAMENTO_TIMELINE_PLACE_NEWEST,
            TimelinePlace::Beyond { .. } => PORTAMENTO_TIMELINE_PLACE_BEYOND,
        };
        // SAFETY: as above.
        unsafe {
            write_if_wanted(place, number);
            write_if_wanted(alpha, at.alpha());
        }
        Ok(())
    })
}

/// Writes the view at `shown` with the view of the frame before and whether a cut lies between. `PORTAMENTO_NOTHING`
/// before the first tick. Call it once per frame.
///
/// # Safety
/// `shown` points to what its type says, `drawn` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_timeline_draw(
    timeline: portamento_timeline,
    shown: *const portamento_shown,
    drawn: *mut portamento_drawn,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let shown: Shown = unsafe { read(shown, "shown") }?.into();
        let draw = || {
            let result = TIMELINES.with(timeline.id, |line| of!(&mut line.kept, kept => kept.draw(shown)))?;
            result.map(|drawn| drawn.map(|posed| posed.pose).into()).ok_or(Failure(PORTAMENTO_NOTHING))
        };
        // SAFETY: as above.
        unsafe { make(drawn, "drawn", draw) }
    })
}

/// Writes the newest pose: what the simulation computed last. `PORTAMENTO_NOTHING` before the first tick.
///
/// # Safety
/// `pose` points to a place for a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_timeline_truth(
    timeline: portamento_timeline,
    pose: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        let truth = TIMELINES.with(timeline.id, |line| of!(&line.kept, kept => kept.truth().copied()))?;
        // SAFETY: the caller's promise.
        unsafe { write_found(pose, truth.map(|truth| truth.pose.into()), "pose") }
    })
}

/// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_timeline_rebase(
    timeline: portamento_timeline,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moved = unsafe { moved_by::<3>(shift) }?;
        let moved = |posed: &mut Posed| moved(&mut posed.pose.position);
        Ok(TIMELINES.with(timeline.id, |line| of!(&mut line.kept, kept => kept.rebase(moved)))?)
    })
}

/// Forgets everything: call it when the writer began a new life.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_timeline_clear(timeline: portamento_timeline) -> portamento_status {
    answer(|| Ok(TIMELINES.with(timeline.id, |line| of!(&mut line.kept, kept => kept.clear()))?))
}
