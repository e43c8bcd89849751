//! Waypoints: remote bodies that walk from report to report, with collision, and are placed when they cannot get there.

use crate::border::{Numbers, keep, made};
use crate::values::{give_drawn, give_pose, moment, pose, shift};
use portamento::blend::Pose64;
use portamento::blend::Rotation;
use portamento::remote::waypoints::{
    Enqueued, Placement, RemoteBody, Route, WaypointCounts, WaypointError, WaypointOutcome, WaypointReport,
    WaypointRule, WaypointRules, WaypointSettings, WaypointStep, WaypointTick, Waypoints,
};

/// Writes the settings in their order.
#[unsafe(no_mangle)]
extern "C" fn rules_defaults(z_up: bool) {
    let s = if z_up { WaypointSettings::z_up() } else { WaypointSettings::y_up() };
    let to = &mut Numbers::from_the_start();
    to.give_flag(s.rule == WaypointRule::ByTime);
    to.give_all(s.up);
    to.give_all(s.ahead);
    to.give_all([s.there, s.close, f64::from(s.window), s.least_progress, s.ample_progress, s.share]);
    to.give_all([s.unmeasured, f64::from(s.patience), s.catch_up, s.least_speed, s.fallback_speed]);
    to.give_all([f64::from(s.crowd), s.blip_outdoors, s.blip_indoors]);
    to.give_all([s.sticky_lease, s.sticky_gap, s.sticky_speed, s.sticky_fallback_speed]);
    to.give_all(s.leash_outdoors);
    to.give_all(s.leash_indoors);
    to.give_all([s.leash_full, s.active_radius]);
}

/// Takes the settings in their order.
#[unsafe(no_mangle)]
extern "C" fn rules_new() -> *mut WaypointRules {
    let from = &mut Numbers::from_the_start();
    made(WaypointRules::new(WaypointSettings {
        rule: if from.take_flag() { WaypointRule::ByTime } else { WaypointRule::BySpeed },
        up: from.take_all(),
        ahead: from.take_all(),
        there: from.take(),
        close: from.take(),
        window: from.take() as u32,
        least_progress: from.take(),
        ample_progress: from.take(),
        share: from.take(),
        unmeasured: from.take(),
        patience: from.take() as u32,
        catch_up: from.take(),
        least_speed: from.take(),
        fallback_speed: from.take(),
        crowd: from.take() as u32,
        blip_outdoors: from.take(),
        blip_indoors: from.take(),
        sticky_lease: from.take(),
        sticky_gap: from.take(),
        sticky_speed: from.take(),
        sticky_fallback_speed: from.take(),
        leash_outdoors: from.take_all(),
        leash_indoors: from.take_all(),
        leash_full: from.take(),
        active_radius: from.take(),
    }))
}

/// What the body last asked for, so that JavaScript can answer any number of ticks later.
#[derive(Default)]
struct Asked {
    placement: Option<Placement<f64>>,
    /// Counts the requests that differ.
    number: u32,
    /// Answers to requests that something newer had replaced.
    late: u32,
}

impl Asked {
    /// The request's number; 0 for none.
    fn note(&mut self, placement: Option<Placement<f64>>) -> u32 {
        let Some(placement) = placement else { return 0 };
        if self.placement != Some(placement) {
            self.placement = Some(placement);
            self.number += 1;
        }
        self.number
    }

    fn answered(&mut self, number: u32) -> Option<Placement<f64>> {
        let placement = self.placement.filter(|_| number == self.number);
        if placement.is_none() {
            self.late += 1;
        }
        placement
    }
}

pub struct Queue {
    queue: Waypoints<f64>,
    asked: Asked,
}

pub struct Remote {
    body: RemoteBody<f64>,
    asked: Asked,
}

/// An input that cannot be used: its number, for JavaScript to put into words, which are written.
const REFUSED: u32 = 100;
/// The same for a pose.
const BAD_POSE: u32 = 99;

fn refuse(error: WaypointError) -> u32 {
    let to = &mut Numbers::from_the_start();
    let (kind, values) = match error {
        WaypointError::Position(p) => (0, p),
        WaypointError::Rotation([x, y, z, w]) => {
            to.give_all([x, y, z, w].map(f64::from));
            return REFUSED + 1;
        }
        WaypointError::Velocity(v) => (2, v),
        WaypointError::Offset(o) => (3, o),
        WaypointError::Distance(d) => (4, [d; 3]),
        WaypointError::Speed(s) => (5, [s; 3]),
        WaypointError::Time(dt) => (6, [dt; 3]),
        WaypointError::NoStep(p) => (7, p),
        _ => (8, [0.0; 3]),
    };
    to.give_all(values);
    REFUSED + kind
}

#[unsafe(no_mangle)]
extern "C" fn queue_new() -> *mut Queue {
    keep(Queue { queue: Waypoints::new(), asked: Asked::default() })
}

/// Takes teleport, sequence (-1: none), forced, contact, keep_heading, indoors, blip (NaN: none), payload, after the pose.
fn report(from: &mut Numbers) -> Option<WaypointReport<f64>> {
    let pose = pose(from)?;
    let teleport = from.take() as u16;
    let sequence = from.take();
    let report = WaypointReport {
        sequence: (sequence >= 0.0).then_some(sequence as u16),
        forced: from.take() as u16,
        contact: from.take_flag(),
        keep_heading: from.take_flag(),
        indoors: from.take_flag(),
        blip: Some(from.take()).filter(|blip| !blip.is_nan()),
        ..WaypointReport::new(teleport, pose)
    };
    Some(report.with_payload(from.take()))
}

/// Takes the body's pose and a report. 0 queued, 1 far, 2 already there, 3 already there with a heading, which is
/// written.
#[unsafe(no_mangle)]
extern "C" fn queue_enqueue(queue: &mut Queue, rules: &WaypointRules) -> u32 {
    let from = &mut Numbers::from_the_start();
    let (Some(body), Some(report)) = (pose(from), report(from)) else { return BAD_POSE };
    match queue.queue.enqueue(rules, &body, &report) {
        Ok(Enqueued::Queued) => 0,
        Ok(Enqueued::Far) => 1,
        Ok(Enqueued::AlreadyThere { heading: None }) => 2,
        Ok(Enqueued::AlreadyThere { heading: Some(heading) }) => {
            Numbers::from_the_start().give_all(heading.to_array().map(f64::from));
            3
        }
        Err(error) => refuse(error),
    }
}

/// Takes three numbers.
#[unsafe(no_mangle)]
extern "C" fn queue_enqueue_velocity(queue: &mut Queue) -> u32 {
    let velocity = Numbers::from_the_start().take_all();
    queue.queue.enqueue_velocity(velocity).map_or_else(refuse, |()| 0)
}

#[unsafe(no_mangle)]
extern "C" fn queue_enqueue_stop(queue: &mut Queue) {
    queue.queue.enqueue_stop();
}

#[unsafe(no_mangle)]
extern "C" fn queue_stop(queue: &mut Queue) {
    queue.queue.stop();
}

fn tick(from: &mut Numbers) -> WaypointTick {
    let (dt, max_speed) = (from.take(), from.take());
    WaypointTick { dt, max_speed, contact: from.take_flag(), sticky: from.take_flag() }
}

fn give_step(step: Option<WaypointStep>) -> u32 {
    let Some(step) = step else { return 0 };
    let to = &mut Numbers::from_the_start();
    to.give_all(step.offset);
    to.give_all(step.turn.to_array().map(f64::from));
    1
}

/// Takes the body's pose and a tick. 0: no step; 1: one is written.
#[unsafe(no_mangle)]
extern "C" fn queue_step(queue: &mut Queue, rules: &WaypointRules) -> u32 {
    let from = &mut Numbers::from_the_start();
    let Some(body) = pose(from) else { return BAD_POSE };
    queue.queue.step(rules, &body, &tick(from)).map_or_else(refuse, give_step)
}

/// Takes a pose and a step, and writes the pose after it.
#[unsafe(no_mangle)]
extern "C" fn step_apply() -> bool {
    let from = &mut Numbers::from_the_start();
    let Some(body) = pose(from) else { return false };
    let offset = from.take_all();
    let [x, y, z, w] = from.take_all::<4>().map(|c| c as f32);
    let after = WaypointStep { offset, turn: Rotation { x, y, z, w } }.apply(&body);
    give_pose(&mut Numbers::from_the_start(), &after);
    true
}

/// Writes the request's number (0: none), its pose, whether it has a velocity, the velocity, the payload; whether a
/// velocity is to be set, the velocity; stopped; released.
fn give_outcome(asked: &mut Asked, outcome: &WaypointOutcome<f64>) -> u32 {
    let to = &mut Numbers::from_the_start();
    let number = asked.note(outcome.place);
    to.give(f64::from(number));
    let (pose, velocity, payload) = outcome
        .place
        .map_or((Pose64::default(), None, 0.0), |place| (place.pose, place.velocity, place.payload));
    give_pose(to, &pose);
    for velocity in [velocity, outcome.velocity] {
        to.give_flag(velocity.is_some());
        to.give_all(velocity.unwrap_or_default());
    }
    to.give_flag(outcome.stopped);
    to.give_flag(outcome.released);
    to.give(payload);
    0
}

/// Takes the body's pose.
#[unsafe(no_mangle)]
extern "C" fn queue_end_tick(queue: &mut Queue, rules: &WaypointRules, dt: f64) -> u32 {
    let Some(body) = pose(&mut Numbers::from_the_start()) else { return BAD_POSE };
    let outcome = queue.queue.end_tick(rules, &body, dt);
    outcome.map_or_else(refuse, |outcome| give_outcome(&mut queue.asked, &outcome))
}

#[unsafe(no_mangle)]
extern "C" fn queue_answer(queue: &mut Queue, number: u32, accept: bool) -> bool {
    let Some(placement) = queue.asked.answered(number) else { return false };
    if accept { queue.queue.accept(&placement) } else { queue.queue.refuse(&placement) }
}

/// Takes three numbers.
#[unsafe(no_mangle)]
extern "C" fn queue_rebase(queue: &mut Queue) {
    queue.queue.rebase(shift(&mut Numbers::from_the_start()));
}

fn give_state(queue: &Waypoints<f64>, late: u32) {
    let to = &mut Numbers::from_the_start();
    to.give_all([queue.len() as f64, f64::from(queue.failures()), f64::from(queue.frames())]);
    to.give(queue.baseline().unwrap_or(f64::NAN));
    to.give_flag(queue.keeps_heading());
    let c: WaypointCounts = queue.counts();
    let counts = [c.evicted, c.replaced, c.failed, c.placed, c.refused, c.late + late, c.unusable, c.stale];
    to.give_all(counts.map(f64::from));
}

/// Writes length, failures, frames, baseline (NaN: none), keeps_heading, and the counts.
#[unsafe(no_mangle)]
extern "C" fn queue_state(queue: &mut Queue) {
    give_state(&queue.queue, queue.asked.late);
}

#[unsafe(no_mangle)]
extern "C" fn body_new() -> *mut Remote {
    keep(Remote { body: RemoteBody::new(), asked: Asked::default() })
}

/// Takes a report. 0 stale, 1 cut, 2 ignore, 3 place, 4 enqueue.
#[unsafe(no_mangle)]
extern "C" fn body_report(body: &mut Remote, rules: &WaypointRules, from_viewer: f64) -> u32 {
    let Some(report) = report(&mut Numbers::from_the_start()) else { return BAD_POSE };
    match body.body.report(rules, &report, from_viewer) {
        Ok(Route::Stale) => 0,
        Ok(Route::Cut) => 1,
        Ok(Route::Ignore) => 2,
        Ok(Route::Place) => 3,
        Ok(Route::Enqueue) => 4,
        Err(error) => refuse(error),
    }
}

/// Takes three numbers.
#[unsafe(no_mangle)]
extern "C" fn body_enqueue_velocity(body: &mut Remote) -> u32 {
    let velocity = Numbers::from_the_start().take_all();
    body.body.enqueue_velocity(velocity).map_or_else(refuse, |()| 0)
}

/// 0 enqueue a stop, 1 stop, 2 release, 3 rebase by three numbers.
#[unsafe(no_mangle)]
extern "C" fn body_tell(body: &mut Remote, what: u32) {
    match what {
        0 => body.body.enqueue_stop(),
        1 => body.body.stop(),
        2 => body.body.release(),
        _ => body.body.rebase(shift(&mut Numbers::from_the_start())),
    }
}

/// Takes a place; with `radii` below 0 the target only moves.
#[unsafe(no_mangle)]
extern "C" fn body_stick_to(body: &mut Remote, rules: &WaypointRules, follow: bool, radii: f64) -> u32 {
    let target = Numbers::from_the_start().take_all();
    let stuck = if follow { body.body.follow(target) } else { body.body.stick_to(rules, target, radii) };
    stuck.map_or_else(refuse, |()| 0)
}

#[unsafe(no_mangle)]
extern "C" fn body_frame(body: &mut Remote, rules: &WaypointRules, dt: f64, from_viewer: f64) {
    body.body.frame(rules, dt, from_viewer);
}

/// Takes a tick, and the animation's own motion. 0: no step; 1: one is written.
#[unsafe(no_mangle)]
extern "C" fn body_step(body: &mut Remote, rules: &WaypointRules) -> u32 {
    let from = &mut Numbers::from_the_start();
    let tick = tick(from);
    let offset = from.take_all();
    let [x, y, z, w] = from.take_all::<4>().map(|c| c as f32);
    let root = WaypointStep { offset, turn: Rotation { x, y, z, w } };
    body.body.step(rules, &tick, root).map_or_else(refuse, give_step)
}

/// Takes the body's pose after collision.
#[unsafe(no_mangle)]
extern "C" fn body_moved(body: &mut Remote, rules: &WaypointRules) -> u32 {
    let Some(truth) = pose(&mut Numbers::from_the_start()) else { return BAD_POSE };
    let outcome = body.body.moved(rules, &truth);
    outcome.map_or_else(refuse, |outcome| give_outcome(&mut body.asked, &outcome))
}

/// Takes a tick.
#[unsafe(no_mangle)]
extern "C" fn body_walk(body: &mut Remote, rules: &WaypointRules) -> u32 {
    let outcome = body.body.walk(rules, &tick(&mut Numbers::from_the_start()));
    outcome.map_or_else(refuse, |outcome| give_outcome(&mut body.asked, &outcome))
}

#[unsafe(no_mangle)]
extern "C" fn body_answer(body: &mut Remote, number: u32, accept: bool) -> bool {
    let Some(placement) = body.asked.answered(number) else { return false };
    if accept { body.body.accept(&placement) } else { body.body.refuse(&placement) }
}

/// False before the first report; else the pose is written.
#[unsafe(no_mangle)]
extern "C" fn body_truth(body: &mut Remote) -> bool {
    let truth = body.body.truth();
    truth.inspect(|pose| give_pose(&mut Numbers::from_the_start(), pose)).is_some()
}

/// Takes a moment. False before the first report; else the pose is written.
#[unsafe(no_mangle)]
extern "C" fn body_view(body: &mut Remote) -> bool {
    let view = body.body.view(moment(&mut Numbers::from_the_start()));
    view.inspect(|pose| give_pose(&mut Numbers::from_the_start(), pose)).is_some()
}

/// Takes a moment. False before the first report; else what is drawn is written.
#[unsafe(no_mangle)]
extern "C" fn body_draw(body: &mut Remote) -> bool {
    body.body.draw(moment(&mut Numbers::from_the_start())).inspect(give_drawn).is_some()
}

/// Writes the queue's state, then strayed (NaN: unknown), seconds_skipped, is_simulated, is_sticking.
#[unsafe(no_mangle)]
extern "C" fn body_state(body: &mut Remote, rules: &WaypointRules) {
    give_state(body.body.waypoints(), body.asked.late);
    let to = &mut Numbers::from_the_start();
    to.take_all::<13>();
    let state = body.body.state(rules);
    to.give_all([state.strayed.unwrap_or(f64::NAN), state.seconds_skipped]);
    to.give_flag(state.is_simulated);
    to.give_flag(state.is_sticking);
}
