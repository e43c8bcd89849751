//! Steppers and tracks.

use crate::border::{Numbers, done, keep, made};
use crate::values::{give_drawn, give_pose, moment, pose, shift};
use portamento::blend::Pose64;
use portamento::step::{
    FixedSettings, Frame, GateRule, GateSettings, Lost, LostReason, MomentParts, Snapping, Stepper, Tick,
    Ticks,
};
use portamento::{Moment, Track};

/// Numbers that a gate remembers: enough for quanta that differ by a factor of four thousand, as in `portamento replay`.
const MEMORY: usize = 4096;

enum Kind {
    Fixed(Stepper),
    Gated(Stepper<MEMORY>),
}

/// A stepper and what is left of its last frame's ticks.
pub struct Clock {
    kind: Kind,
    ticks: Option<Ticks>,
    /// For its moments: a track that is drawn twice in a frame returns the same.
    frames: u64,
}

macro_rules! of {
    ($clock:expr, $stepper:ident => $call:expr) => {
        match $clock.kind {
            Kind::Fixed(ref mut $stepper) => $call,
            Kind::Gated(ref mut $stepper) => $call,
        }
    };
}

fn clock(kind: Kind) -> Clock {
    Clock { kind, ticks: None, frames: 0 }
}

fn give_moment(to: &mut Numbers, moment: Moment, frames: u64) {
    let MomentParts { alpha, back, beyond, presented, ticks, .. } = moment.into();
    let tick = ticks.map_or(0.0, |ticks| ticks as f64 + 1.0);
    to.give_all([alpha, beyond, presented, f64::from(back), tick]);
    to.give(frames as f64 + 1.0);
}

fn snapping(from: &mut Numbers) -> Snapping {
    let [kind, hz] = from.take_all();
    match kind as u32 {
        0 => Snapping::Off,
        1 => Snapping::ToStep,
        _ => Snapping::ToDisplay { hz },
    }
}

/// Writes the defaults of a fixed step: max_frame, max_ticks (-1: no limit), extrapolate, snapping (kind, hz),
/// carry_drift, watch_display.
#[unsafe(no_mangle)]
extern "C" fn fixed_defaults() {
    let defaults = FixedSettings::at_hz(1.0);
    let to = &mut Numbers::from_the_start();
    to.give_all([defaults.max_frame, -1.0, defaults.extrapolate, 0.0, 0.0]);
    to.give_flag(defaults.carry_drift);
    to.give_flag(defaults.watch_display);
}

/// Takes the settings in the order of `fixed_defaults`.
#[unsafe(no_mangle)]
extern "C" fn stepper_fixed(hz: f64) -> *mut Clock {
    let from = &mut Numbers::from_the_start();
    let [max_frame, max_ticks, extrapolate] = from.take_all();
    let settings = FixedSettings {
        hz,
        max_frame,
        max_ticks: (max_ticks >= 0.0).then_some(max_ticks as u32),
        extrapolate,
        snapping: snapping(from),
        carry_drift: from.take_flag(),
        watch_display: from.take_flag(),
    };
    made(Stepper::new(settings).map(|stepper| clock(Kind::Fixed(stepper))))
}

fn gate_rule(rule: u32) -> GateRule {
    match rule {
        0 => GateRule::Even,
        1 => GateRule::AllAtOnce,
        _ => GateRule::OneAtATime,
    }
}

/// Writes min, max and huge of a gate with this rule.
#[unsafe(no_mangle)]
extern "C" fn gate_defaults(rule: u32) {
    let GateSettings { min, max, huge, .. } = GateSettings::from(gate_rule(rule));
    Numbers::from_the_start().give_all([min, max, huge]);
}

/// Takes min, max and huge.
#[unsafe(no_mangle)]
extern "C" fn stepper_gated(rule: u32) -> *mut Clock {
    let [min, max, huge] = Numbers::from_the_start().take_all();
    let settings = GateSettings { rule: gate_rule(rule), min, max, huge };
    made(Stepper::with_gate(settings).map(|stepper| clock(Kind::Gated(stepper))))
}

/// Writes a frame: how many ticks, seconds lost, why, and the moment.
fn take(clock: &mut Clock, frame: Frame) {
    let Frame { ticks, moment, lost } = frame;
    let to = &mut Numbers::from_the_start();
    to.give_all([ticks.size_hint().0 as f64, lost.seconds, reason(&lost)]);
    give_moment(to, moment, clock.frames);
    clock.ticks = Some(ticks);
}

fn reason(lost: &Lost) -> f64 {
    match lost.reason {
        None => 0.0,
        Some(LostReason::LongFrame) => 1.0,
        Some(LostReason::TickLimit) => 2.0,
        Some(LostReason::Stale) => 3.0,
        Some(_) => 4.0,
    }
}

#[unsafe(no_mangle)]
extern "C" fn stepper_frame(clock: &mut Clock, seconds: f64) {
    clock.frames += 1;
    let frame = of!(clock, stepper => stepper.frame(seconds));
    take(clock, frame);
}

#[unsafe(no_mangle)]
extern "C" fn stepper_frame_at(clock: &mut Clock, now: f64) {
    clock.frames += 1;
    let frame = of!(clock, stepper => stepper.frame_at(now));
    take(clock, frame);
}

#[unsafe(no_mangle)]
extern "C" fn stepper_step_once(clock: &mut Clock) {
    clock.frames += 1;
    let frame = of!(clock, stepper => stepper.step_once());
    take(clock, frame);
}

/// Writes the next tick of the last frame: number, dt, time. False when all have been given.
#[unsafe(no_mangle)]
extern "C" fn stepper_tick(clock: &mut Clock) -> bool {
    let Some(Tick { number, dt, time }) = clock.ticks.as_mut().and_then(Iterator::next) else { return false };
    Numbers::from_the_start().give_all([number as f64, dt, time]);
    true
}

/// Writes the moment drawn now.
#[unsafe(no_mangle)]
extern "C" fn stepper_moment(clock: &mut Clock) {
    let moment = of!(clock, stepper => stepper.moment());
    give_moment(&mut Numbers::from_the_start(), moment, clock.frames);
}

#[unsafe(no_mangle)]
extern "C" fn stepper_cut(clock: &mut Clock) {
    of!(clock, stepper => stepper.cut());
}

#[unsafe(no_mangle)]
extern "C" fn stepper_pause(clock: &mut Clock, pause: bool) {
    of!(clock, stepper => if pause { stepper.pause() } else { stepper.resume() });
}

#[unsafe(no_mangle)]
extern "C" fn stepper_set_time_scale(clock: &mut Clock, scale: f64) -> bool {
    done(of!(clock, stepper => stepper.set_time_scale(scale)))
}

#[unsafe(no_mangle)]
extern "C" fn stepper_set_rate(clock: &mut Clock, hz: f64) -> bool {
    done(of!(clock, stepper => stepper.set_hz(hz)))
}

/// Takes the kind and the display's rate.
#[unsafe(no_mangle)]
extern "C" fn stepper_set_snapping(clock: &mut Clock) -> bool {
    let snapping = snapping(&mut Numbers::from_the_start());
    done(of!(clock, stepper => stepper.set_snapping(snapping)))
}

/// Writes everything countable.
#[unsafe(no_mangle)]
extern "C" fn stepper_counts(clock: &mut Clock) {
    let to = &mut Numbers::from_the_start();
    of!(clock, stepper => {
        to.give_all([stepper.counts().ticks as f64, stepper.counts().unusable as f64, stepper.counts().lost, stepper.counts().drift]);
        to.give_all([stepper.ends_needed() as f64, stepper.counts().simulated, stepper.counts().time_scale]);
        to.give_flag(stepper.counts().snapping);
        to.give_flag(stepper.counts().paused);
    });
}

/// A track with the ends that every gate with its default lengths needs.
pub type Body = Track<Pose64>;

/// Takes a pose. Null if it cannot be used.
#[unsafe(no_mangle)]
extern "C" fn track_new() -> *mut Body {
    pose(&mut Numbers::from_the_start()).map_or(core::ptr::null_mut(), |start| keep(Track::new(start)))
}

/// Takes a pose: 0 push, 1 correct, 2 cut. False if it cannot be used.
#[unsafe(no_mangle)]
extern "C" fn track_put(track: &mut Body, how: u32) -> bool {
    let Some(pose) = pose(&mut Numbers::from_the_start()) else { return false };
    match how {
        0 => track.push(pose),
        1 => track.correct(pose),
        _ => track.cut(pose),
    }
    true
}

/// Takes three numbers.
#[unsafe(no_mangle)]
extern "C" fn track_rebase(track: &mut Body) {
    track.rebase(shift(&mut Numbers::from_the_start()));
}

#[unsafe(no_mangle)]
extern "C" fn track_truth(track: &mut Body) {
    give_pose(&mut Numbers::from_the_start(), track.truth());
}

/// Takes a moment.
#[unsafe(no_mangle)]
extern "C" fn track_view(track: &mut Body) {
    let view = track.view(moment(&mut Numbers::from_the_start()));
    give_pose(&mut Numbers::from_the_start(), &view);
}

/// Takes a moment.
#[unsafe(no_mangle)]
extern "C" fn track_draw(track: &mut Body) {
    give_drawn(&track.draw(moment(&mut Numbers::from_the_start())));
}

/// Takes a moment.
#[unsafe(no_mangle)]
extern "C" fn track_at_rest(track: &mut Body) -> bool {
    track.ends().at_rest(moment(&mut Numbers::from_the_start()))
}
