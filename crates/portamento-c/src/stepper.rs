//! Steppers: when does the simulation run, and which moment is drawn?

use crate::camera::no_such;
use crate::pointers::{Sized32, make, settings, write};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::portamento_moment;
use portamento::Moment;
use portamento::exchange::SimulationTime;
use portamento::step::{
    FixedSettings, Frame, GateRule, GateSettings, LostReason, Snapping, Stepper, StepperCounts, Tick, Ticks,
};
use portamento_status::PORTAMENTO_NOTHING;

/// Decides when ticks run. Make it with `portamento_stepper_fixed` or `portamento_stepper_gated`, free it with
/// `portamento_stepper_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_stepper {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// How measured frame times are evened: the constants below.
pub type portamento_snapping = u32;
/// Not at all.
pub const PORTAMENTO_SNAPPING_OFF: portamento_snapping = 0;
/// To multiples of the step.
pub const PORTAMENTO_SNAPPING_TO_STEP: portamento_snapping = 1;
/// To multiples of the display's frame, `display_hz`.
pub const PORTAMENTO_SNAPPING_TO_DISPLAY: portamento_snapping = 2;

/// How a quantum gate runs its ticks and draws them: the constants below.
pub type portamento_gate_rule = u32;
/// All pending time at once, drawn evenly.
pub const PORTAMENTO_GATE_RULE_EVEN: portamento_gate_rule = 0;
/// All pending time at once.
pub const PORTAMENTO_GATE_RULE_ALL_AT_ONCE: portamento_gate_rule = 1;
/// At most one tick per frame.
pub const PORTAMENTO_GATE_RULE_ONE_AT_A_TIME: portamento_gate_rule = 2;

/// Why time of a frame was not simulated: the constants below.
pub type portamento_lost_reason = u32;
/// Nothing was lost.
pub const PORTAMENTO_LOST_REASON_NONE: portamento_lost_reason = 0;
/// The frame was longer than `max_frame`.
pub const PORTAMENTO_LOST_REASON_LONG_FRAME: portamento_lost_reason = 1;
/// More than `max_ticks` ticks were due.
pub const PORTAMENTO_LOST_REASON_TICK_LIMIT: portamento_lost_reason = 2;
/// A gate's pending time was beyond `huge`: thrown away.
pub const PORTAMENTO_LOST_REASON_STALE: portamento_lost_reason = 3;
/// The frame was too short to count.
pub const PORTAMENTO_LOST_REASON_TINY: portamento_lost_reason = 4;

/// Settings of a fixed step. Fill it with `portamento_fixed_settings_at_hz`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_fixed_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// The most ticks in one frame; 0 is no limit.
    pub max_ticks: u32,
    /// Ticks per second.
    pub hz: f64,
    /// The most seconds that one frame takes in; the rest is dropped and reported.
    pub max_frame: f64,
    /// How many ticks to draw ahead of the newest one at most; 0 draws between ticks.
    pub extrapolate: f64,
    /// The display's frames per second, for `PORTAMENTO_SNAPPING_TO_DISPLAY`.
    pub display_hz: f64,
    /// How measured frame times are evened.
    pub snapping: portamento_snapping,
    /// 1 pays back what snapping adds or takes away.
    pub carry_drift: u32,
    /// 1 stops snapping by itself when the display turns out to be another one.
    pub watch_display: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

impl Sized32 for portamento_fixed_settings {}

/// Settings of a quantum gate. Fill it with `portamento_gate_settings_with_rule`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_gate_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// How it runs its ticks and draws them.
    pub rule: portamento_gate_rule,
    /// The shortest tick in seconds.
    pub min: f64,
    /// The longest tick in seconds.
    pub max: f64,
    /// Pending time beyond this is stale and thrown away.
    pub huge: f64,
}

impl Sized32 for portamento_gate_settings {}

/// What a frame is to do: run its ticks (`portamento_stepper_tick`), then draw `moment`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_frame {
    /// What to draw once the ticks have run.
    pub moment: portamento_moment,
    /// How many ticks are due.
    pub ticks: u64,
    /// Seconds of this frame that will never be simulated.
    pub lost: f64,
    /// Why.
    pub lost_reason: portamento_lost_reason,
    /// Reserved: zero.
    pub reserved: u32,
}

/// One step of the simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_tick {
    /// Counted from 0 over the stepper's life.
    pub number: u64,
    /// Length in seconds.
    pub dt: f64,
    /// Simulated seconds at its end.
    pub time: f64,
}

/// What a stepper has counted.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_stepper_counts {
    /// Ticks run.
    pub ticks: u64,
    /// Frame times that no clock should give: NaN, infinite, zero, negative.
    pub unusable: u64,
    /// Seconds lost, for whatever reason.
    pub lost: f64,
    /// Seconds that snapping has added, or taken away if negative.
    pub drift: f64,
    /// Simulated seconds: the sum of all ticks.
    pub simulated: f64,
    /// Simulated seconds per real second now; 0 while paused.
    pub time_scale: f64,
    /// How many ticks a track or batch must keep to draw every moment.
    pub ends_needed: u32,
    /// 1 while frame times are snapped.
    pub snapping: u32,
}

struct Clock {
    kind: Kind,
    /// The ticks of the last frame that were not asked for yet.
    due: Option<Ticks>,
}

enum Kind {
    Fixed(Stepper),
    /// With room for quanta that differ by a factor of four thousand.
    Gated(Box<Stepper<4096>>),
}

/// The same call for both kinds.
macro_rules! of {
    ($kind:expr, $stepper:ident => $call:expr) => {
        match $kind {
            Kind::Fixed($stepper) => $call,
            Kind::Gated($stepper) => $call,
        }
    };
}

static STEPPERS: Table<Clock> = Table::new(1);

/// Where the stepper's simulation stands, and how fast its time runs.
pub(crate) fn simulation_time(stepper: portamento_stepper) -> Result<SimulationTime, Failure> {
    let now = STEPPERS.with(stepper.id, |clock| of!(&clock.kind, stepper => stepper.counts()))?;
    Ok(SimulationTime { simulated: now.simulated, scale: now.time_scale })
}

impl Clock {
    fn new(kind: Kind) -> Self {
        Self { kind, due: None }
    }

    fn take(&mut self, frame: Frame) -> portamento_frame {
        let result = portamento_frame {
            moment: frame.moment.into(),
            ticks: frame.ticks.len() as u64,
            lost: frame.lost.seconds,
            lost_reason: match frame.lost.reason {
                None => PORTAMENTO_LOST_REASON_NONE,
                Some(LostReason::LongFrame) => PORTAMENTO_LOST_REASON_LONG_FRAME,
                Some(LostReason::TickLimit) => PORTAMENTO_LOST_REASON_TICK_LIMIT,
                Some(LostReason::Stale) => PORTAMENTO_LOST_REASON_STALE,
                Some(_) => PORTAMENTO_LOST_REASON_TINY,
            },
            reserved: 0,
        };
        self.due = Some(frame.ticks);
        result
    }
}

/// Fills `settings` with the defaults for `hz` ticks per second.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_fixed_settings_at_hz(
    hz: f64,
    settings: *mut portamento_fixed_settings,
) -> portamento_status {
    answer(|| {
        let defaults = FixedSettings::at_hz(hz);
        let made = portamento_fixed_settings {
            size: size_of::<portamento_fixed_settings>() as u32,
            max_ticks: defaults.max_ticks.unwrap_or(0),
            hz,
            max_frame: defaults.max_frame,
            extrapolate: defaults.extrapolate,
            display_hz: 0.0,
            snapping: PORTAMENTO_SNAPPING_OFF,
            carry_drift: defaults.carry_drift.into(),
            watch_display: defaults.watch_display.into(),
            reserved: 0,
        };
        // SAFETY: the caller's promise.
        unsafe { write(settings, made, "settings") }
    })
}

/// Makes a stepper with a fixed step.
///
/// # Safety
/// `settings` points to settings, `stepper` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_stepper_fixed(
    settings: *const portamento_fixed_settings,
    stepper: *mut portamento_stepper,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let given = unsafe { self::settings(settings, "settings") }?;
        let made = Stepper::new(FixedSettings {
            hz: given.hz,
            max_frame: given.max_frame,
            max_ticks: (given.max_ticks > 0).then_some(given.max_ticks),
            extrapolate: given.extrapolate,
            snapping: snapping(given.snapping, given.display_hz)?,
            carry_drift: given.carry_drift != 0,
            watch_display: given.watch_display != 0,
        })?;
        let new = || Ok(portamento_stepper { id: STEPPERS.insert(Clock::new(Kind::Fixed(made)))? });
        // SAFETY: as above.
        unsafe { make(stepper, "stepper", new) }
    })
}

fn snapping(snapping: portamento_snapping, display_hz: f64) -> Result<Snapping, Failure> {
    match snapping {
        PORTAMENTO_SNAPPING_OFF => Ok(Snapping::Off),
        PORTAMENTO_SNAPPING_TO_STEP => Ok(Snapping::ToStep),
        PORTAMENTO_SNAPPING_TO_DISPLAY => Ok(Snapping::ToDisplay { hz: display_hz }),
        other => Err(no_such("snapping", other, "0, 1 or 2")),
    }
}

/// Fills `settings` with the defaults of a quantum gate with this `rule`: ticks of 1/30 to 0.2 s, for
/// `PORTAMENTO_GATE_RULE_EVEN` drawn evenly.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_gate_settings_with_rule(
    rule: portamento_gate_rule,
    settings: *mut portamento_gate_settings,
) -> portamento_status {
    answer(|| {
        let GateSettings { min, max, huge, .. } = GateSettings::from(gate_rule(rule)?);
        let size = size_of::<portamento_gate_settings>() as u32;
        // SAFETY: the caller's promise.
        unsafe { write(settings, portamento_gate_settings { size, rule, min, max, huge }, "settings") }
    })
}

fn gate_rule(rule: portamento_gate_rule) -> Result<GateRule, Failure> {
    match rule {
        PORTAMENTO_GATE_RULE_EVEN => Ok(GateRule::Even),
        PORTAMENTO_GATE_RULE_ALL_AT_ONCE => Ok(GateRule::AllAtOnce),
        PORTAMENTO_GATE_RULE_ONE_AT_A_TIME => Ok(GateRule::OneAtATime),
        other => Err(no_such("rule", other, "0, 1 or 2")),
    }
}

/// Makes a stepper with a quantum gate.
///
/// # Safety
/// `settings` points to settings, `stepper` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_stepper_gated(
    settings: *const portamento_gate_settings,
    stepper: *mut portamento_stepper,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let portamento_gate_settings { rule, min, max, huge, .. } =
            unsafe { self::settings(settings, "settings") }?;
        let made = Stepper::<4096>::with_gate(GateSettings { rule: gate_rule(rule)?, min, max, huge })?;
        let new = || Ok(portamento_stepper { id: STEPPERS.insert(Clock::new(Kind::Gated(Box::new(made))))? });
        // SAFETY: as above.
        unsafe { make(stepper, "stepper", new) }
    })
}

/// Frees a stepper.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_stepper_free(stepper: portamento_stepper) -> portamento_status {
    answer(|| Ok(STEPPERS.free(stepper.id)?))
}

/// Takes in a frame of `seconds` seconds. Run its ticks with `portamento_stepper_tick` until it returns
/// `PORTAMENTO_NOTHING`, then draw `frame->moment`.
///
/// # Safety
/// `frame` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_stepper_frame(
    stepper: portamento_stepper,
    seconds: f64,
    frame: *mut portamento_frame,
) -> portamento_status {
    answer(|| {
        let take = |clock: &mut Clock| {
            let taken = of!(&mut clock.kind, stepper => stepper.frame(seconds));
            clock.take(taken)
        };
        // SAFETY: the caller's promise.
        unsafe { make(frame, "frame", || Ok(STEPPERS.with(stepper.id, take)?)) }
    })
}

/// Takes in a frame at `now`, a reading of your clock in seconds: the time since the reading before is the frame's. The
/// first reading starts the clock.
///
/// # Safety
/// `frame` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_stepper_frame_at(
    stepper: portamento_stepper,
    now: f64,
    frame: *mut portamento_frame,
) -> portamento_status {
    answer(|| {
        let take = |clock: &mut Clock| {
            let taken = of!(&mut clock.kind, stepper => stepper.frame_at(now));
            clock.take(taken)
        };
        // SAFETY: the caller's promise.
        unsafe { make(frame, "frame", || Ok(STEPPERS.with(stepper.id, take)?)) }
    })
}

/// Steps a paused game by one tick.
///
/// # Safety
/// `frame` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_stepper_step_once(
    stepper: portamento_stepper,
    frame: *mut portamento_frame,
) -> portamento_status {
    answer(|| {
        let take = |clock: &mut Clock| {
            let taken = of!(&mut clock.kind, stepper => stepper.step_once());
            clock.take(taken)
        };
        // SAFETY: the caller's promise.
        unsafe { make(frame, "frame", || Ok(STEPPERS.with(stepper.id, take)?)) }
    })
}

/// Writes the next tick of the last frame; `PORTAMENTO_NOTHING` when all have been given.
///
/// # Safety
/// `tick` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_stepper_tick(
    stepper: portamento_stepper,
    tick: *mut portamento_tick,
) -> portamento_status {
    answer(|| {
        let next = || {
            let next = STEPPERS.with(stepper.id, |clock| clock.due.as_mut().and_then(Iterator::next))?;
            let Some(Tick { number, dt, time }) = next else { return Err(Failure(PORTAMENTO_NOTHING)) };
            Ok(portamento_tick { number, dt, time })
        };
        // SAFETY: the caller's promise.
        unsafe { make(tick, "tick", next) }
    })
}

/// Writes the moment drawn now, without moving it.
///
/// # Safety
/// `moment` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_stepper_moment(
    stepper: portamento_stepper,
    moment: *mut portamento_moment,
) -> portamento_status {
    answer(|| {
        let now: Moment = STEPPERS.with(stepper.id, |clock| of!(&clock.kind, stepper => stepper.moment()))?;
        // SAFETY: the caller's promise.
        unsafe { write(moment, now.into(), "moment") }
    })
}

/// Stops time. The picture keeps its place between two ticks.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_stepper_pause(stepper: portamento_stepper) -> portamento_status {
    answer(|| Ok(STEPPERS.with(stepper.id, |clock| of!(&mut clock.kind, stepper => stepper.pause()))?))
}

/// Lets time go on.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_stepper_resume(stepper: portamento_stepper) -> portamento_status {
    answer(|| Ok(STEPPERS.with(stepper.id, |clock| of!(&mut clock.kind, stepper => stepper.resume()))?))
}

/// Sets how many seconds are simulated per real second: 0.5 is slow motion.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_stepper_set_time_scale(
    stepper: portamento_stepper,
    scale: f64,
) -> portamento_status {
    answer(|| {
        let set = |clock: &mut Clock| of!(&mut clock.kind, stepper => stepper.set_time_scale(scale));
        Ok(STEPPERS.with(stepper.id, set)??)
    })
}

/// Sets another tick rate from the next tick on. An error for a gate, which has no rate.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_stepper_set_hz(stepper: portamento_stepper, hz: f64) -> portamento_status {
    answer(|| {
        let set = |clock: &mut Clock| of!(&mut clock.kind, stepper => stepper.set_hz(hz));
        Ok(STEPPERS.with(stepper.id, set)??)
    })
}

/// Changes how measured frame times are evened, as `snapping` and `display_hz` of the settings say: for a window that
/// moves to another display. An error for a gate, which has no snapping.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_stepper_set_snapping(
    stepper: portamento_stepper,
    snapping: portamento_snapping,
    display_hz: f64,
) -> portamento_status {
    answer(|| {
        let snapping = self::snapping(snapping, display_hz)?;
        let set = |clock: &mut Clock| of!(&mut clock.kind, stepper => stepper.set_snapping(snapping));
        Ok(STEPPERS.with(stepper.id, set)??)
    })
}

/// Reports that the world itself was cut: a level loaded, the player activated. Cut every track too.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_stepper_cut(stepper: portamento_stepper) -> portamento_status {
    answer(|| Ok(STEPPERS.with(stepper.id, |clock| of!(&mut clock.kind, stepper => stepper.cut()))?))
}

/// Writes what was counted.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_stepper_get_counts(
    stepper: portamento_stepper,
    counts: *mut portamento_stepper_counts,
) -> portamento_status {
    answer(|| {
        let now = STEPPERS.with(
            stepper.id,
            |clock| of!(&clock.kind, stepper => (stepper.counts(), stepper.ends_needed() as u32)),
        )?;
        let (
            StepperCounts { ticks, simulated, lost, unusable, drift, snapping, time_scale, .. },
            ends_needed,
        ) = now;
        let snapping = snapping.into();
        let now = portamento_stepper_counts {
            ticks,
            unusable,
            lost,
            drift,
            simulated,
            time_scale,
            ends_needed,
            snapping,
        };
        // SAFETY: the caller's promise.
        unsafe { write(counts, now, "counts") }
    })
}
