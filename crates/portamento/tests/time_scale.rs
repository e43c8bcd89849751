//! Slow motion and pauses of a simulation on another clock: the picture follows what the writer announces at once.

use std::time::{Duration, Instant};

use portamento::blend::Pose;
use portamento::exchange::{self, Shape};
use portamento::playhead::Playhead;
use portamento::step::Stepper;

/// A frame as it was drawn: when, how long it took, how far the picture moved in simulated seconds.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    at: f64,
    took: f64,
    moved: f64,
}

/// The speed of the simulation from each of these moments on.
type Schedule = [(f64, f64)];

fn speed_at(schedule: &Schedule, at: f64) -> f64 {
    schedule.iter().take_while(|(from, _)| *from <= at).last().map_or(1.0, |(_, speed)| *speed)
}

/// What is wrong with the frames, by the sentences of the promise: a quarter of a second after a change the drawn speed is
/// within 10 % of the true one; before that no frame freezes and none bursts.
fn complaints(frames: &[Drawn], schedule: &Schedule) -> Vec<String> {
    let mut found = Vec::new();
    for pair in frames.iter().filter(|frame| frame.at > 0.5) {
        let speed = pair.moved / pair.took;
        let (now, before) = (speed_at(schedule, pair.at), speed_at(schedule, pair.at - 0.25));
        let (least, most) = (now.min(before), now.max(before));
        if speed > 1.1 * most + 1e-9 {
            found.push(format!("burst: {speed:.3} of {most} at {:.3}", pair.at));
        }
        if speed < 0.9 * least - 1e-9 {
            found.push(format!("frozen: {speed:.3} of {least} at {:.3}", pair.at));
        }
    }
    found
}

const SLOW_AND_BACK: &Schedule = &[(2.0, 0.2), (4.0, 1.0)];
const PAUSED_AND_BACK: &Schedule = &[(2.0, 0.0), (3.0, 1.0)];
const MANY: &Schedule = &[(2.0, 0.5), (2.5, 0.05), (4.5, 0.0), (5.0, 0.3), (6.0, 1.0)];

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 * limit
    }
}

/// A loop with a stepper that turns every 2 ms or a bit later, and a renderer, both in made-up time. Between them a block
/// that keeps so many `ticks`.
fn through_the_exchange(
    schedule: &Schedule,
    hz: f64,
    jitter: f64,
    ticks: usize,
    announced: bool,
) -> Vec<Drawn> {
    let (mut writer, mut reader) = exchange::pair(Shape { ticks, ..Shape::entities(1) }, 60.0).unwrap();
    let mut stepper = Stepper::fixed(60.0).unwrap();
    let mut dice = Dice(1);
    let (mut turn, mut frames, mut last): (f64, Vec<Drawn>, f64) = (0.0, Vec::new(), 0.0);
    for frame in 1..(hz * 8.0) as u32 {
        let now = f64::from(frame) / hz;
        while turn <= now {
            let scale = speed_at(schedule, turn);
            stepper.set_time_scale(scale).unwrap();
            for _ in stepper.frame_at(turn).ticks {}
            writer.set(1, Pose::at([stepper.counts().simulated as f32, 0.0, 0.0])).unwrap();
            if announced {
                writer.publish(turn, &stepper).unwrap();
            } else {
                writer.publish(turn, stepper.counts().simulated).unwrap();
            }
            turn += 0.002 + dice.below(jitter);
        }
        let Some(world) = reader.frame(now) else { continue };
        frames.push(Drawn { at: now, took: now - last, moved: world.shown.presented });
        last = now;
    }
    frames
}

#[test]
fn slow_motion_and_pause_are_followed_at_once() {
    for (ticks, schedule) in [
        (4, SLOW_AND_BACK),
        (4, PAUSED_AND_BACK),
        (4, MANY),
        (4, TWICE_AND_BACK),
        (8, SLOW_AND_BACK),
        (8, PAUSED_AND_BACK),
        (8, MANY),
        (8, FAST_AND_BACK),
        (16, FROM_FAST_TO_ALL),
        (32, FROM_FAST_TO_ALL),
    ] {
        for hz in [30.0, 60.0, 144.0] {
            for jitter in [0.0, 0.004] {
                let frames = through_the_exchange(schedule, hz, jitter, ticks, true);
                let found = complaints(&frames, schedule);
                assert!(
                    found.is_empty(),
                    "{ticks} ticks, {hz} frames/s, jitter {jitter}, {schedule:?}: {found:#?}"
                );
            }
        }
    }
}

/// At five times the speed and 30 frames per second, most ticks are overwritten before anyone looks.
#[test]
fn fast_forward_needs_no_more_ticks_than_are_kept() {
    for (ticks, hz) in [(4, 30.0), (4, 60.0), (8, 30.0)] {
        let frames = through_the_exchange(FAST_AND_BACK, hz, 0.0, ticks, true);
        let found = complaints(&frames, FAST_AND_BACK);
        assert!(found.is_empty(), "{ticks} ticks, {hz} frames/s: {found:#?}");
    }
}

#[test]
fn what_is_not_announced_is_not_followed_at_once() {
    let found = complaints(&through_the_exchange(SLOW_AND_BACK, 144.0, 0.0, 8, false), SLOW_AND_BACK);
    assert!(found.len() > 20, "the checks can fail: {}", found.len());
}

/// A simulation that makes its ticks shorter in slow motion instead of making fewer.
#[test]
fn shorter_ticks_are_followed_too() {
    for schedule in [SLOW_AND_BACK, PAUSED_AND_BACK] {
        let mut playhead = Playhead::at_hz(60.0).unwrap();
        let (mut tick, mut sim, mut frames, mut last) = (0_u32, 0.0, Vec::new(), 0.0);
        let mut dice = Dice(7);
        for frame in 1..1000 {
            let now = f64::from(frame) / 144.0;
            while f64::from(tick) / 60.0 <= now {
                let due = f64::from(tick) / 60.0;
                let scale = speed_at(schedule, due);
                let late = dice.below(0.002);
                if scale > 0.0 || tick == 0 {
                    sim += scale / 60.0;
                    playhead.observe(due + late, sim);
                }
                playhead.set_time_scale(due + late, scale);
                tick += 1;
            }
            let Some(shown) = playhead.advance(now) else { continue };
            frames.push(Drawn { at: now, took: now - last, moved: shown.presented });
            last = now;
        }
        let found = complaints(&frames, schedule);
        assert!(found.is_empty(), "{schedule:?}: {found:#?}");
    }
}

const FAST_AND_BACK: &Schedule = &[(2.0, 5.0), (4.0, 1.0)];
const TWICE_AND_BACK: &Schedule = &[(2.0, 2.0), (4.0, 1.0)];
const FROM_FAST_TO_ALL: &Schedule = &[(2.0, 5.0), (3.5, 0.2), (5.0, 3.0), (6.5, 0.0), (7.5, 4.0), (9.0, 1.0)];

/// A simulation that ticks `hz` times per simulated second, or per real one with longer ticks when it runs faster.
fn fast_forward(schedule: &Schedule, hz: f64, longer_ticks: bool, frames_hz: f64, jitter: f64) -> Vec<Drawn> {
    let mut playhead = Playhead::at_hz(hz).unwrap();
    let mut dice = Dice(3);
    let (mut due, mut sim, mut frames, mut last) = (0.0, 0.0, Vec::new(), 0.0);
    for frame in 1..(11.0 * frames_hz) as u32 {
        let now = f64::from(frame) / frames_hz;
        while due <= now {
            let scale = speed_at(schedule, due);
            let arrival = due + dice.below(jitter);
            playhead.observe(arrival, sim);
            playhead.set_time_scale(arrival, scale);
            // A change, of which the schedule has one every half second, comes with a tick.
            let next = (due + 1e-9).div_euclid(0.5) * 0.5 + 0.5;
            let took = if scale == 0.0 {
                next - due
            } else {
                (if longer_ticks { 1.0 / hz } else { 1.0 / hz / scale }).min(next - due)
            };
            sim += took * scale;
            due += took;
        }
        let Some(shown) = playhead.advance(now) else { continue };
        assert_eq!(
            shown.skipped, 0.0,
            "a jump at {now} ({hz} Hz, longer ticks: {longer_ticks}, {schedule:?})"
        );
        frames.push(Drawn { at: now, took: now - last, moved: shown.presented });
        last = now;
    }
    frames
}

#[test]
fn fast_forward_is_followed_without_a_stop_or_a_jump() {
    for schedule in [FAST_AND_BACK, TWICE_AND_BACK, FROM_FAST_TO_ALL] {
        for hz in [10.0, 20.0, 60.0] {
            for longer_ticks in [false, true] {
                for (frames_hz, jitter) in [(60.0, 0.0), (144.0, 0.0), (144.0, 0.004)] {
                    let frames = fast_forward(schedule, hz, longer_ticks, frames_hz, jitter);
                    let found = complaints(&frames, schedule);
                    assert!(
                        found.is_empty(),
                        "{hz} ticks/s, longer ticks: {longer_ticks}, {frames_hz} frames/s, jitter {jitter}, \
                         {schedule:?}: {found:#?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_single_step_in_a_pause_is_played() {
    let mut playhead = Playhead::at_hz(60.0).unwrap();
    for tick in 0..120 {
        playhead.observe(f64::from(tick) / 60.0, f64::from(tick) / 60.0);
        playhead.advance(f64::from(tick) / 60.0);
    }
    playhead.set_time_scale(2.0, 0.0);
    let stood = playhead.advance(2.01).unwrap().at;
    for frame in 0..60 {
        assert_eq!(playhead.advance(2.02 + f64::from(frame) / 60.0).unwrap().at, stood, "it stands");
    }
    playhead.observe(3.5, 2.0 + 1.0 / 60.0);
    playhead.set_time_scale(3.5, 0.0);
    let stepped = playhead.advance(3.6).unwrap().at;
    assert!((stepped - stood - 2.0 / 60.0).abs() < 1e-6, "{}", stepped - stood);
    assert_eq!(playhead.advance(3.7).unwrap().at, stepped);
}

#[test]
fn scales_that_mean_nothing_are_counted_and_change_nothing() {
    let mut playhead = Playhead::at_hz(60.0).unwrap();
    playhead.set_time_scale(0.0, 0.5);
    playhead.observe(0.0, 0.0);
    let before = playhead.clone();
    for (at, scale) in [(0.0, -1.0), (0.0, f64::NAN), (0.0, f64::INFINITY), (f64::NAN, 0.5), (0.0, 2e6)] {
        playhead.set_time_scale(at, scale);
    }
    assert_eq!(playhead.statistics().unusable, 5);
    playhead.set_time_scale(0.0, 1.0);
    assert_eq!(playhead.advance(1.0), before.clone().advance(1.0));
}

/// The same in real threads. A busy machine may stop either for a while, so a few frames may complain: those around
/// which neither thread was stopped may not.
#[test]
fn a_real_thread_in_slow_motion_is_followed() {
    let schedule: &'static Schedule = &[(1.5, 0.2), (2.5, 1.0), (3.5, 0.0), (4.0, 1.0)];
    let (mut writer, mut reader) = exchange::pair(Shape::entities(1), 60.0).unwrap();
    let start = Instant::now();
    let simulation = std::thread::spawn(move || {
        let mut stepper = Stepper::fixed(60.0).unwrap();
        let (mut stops, mut last) = (Vec::new(), 0.0);
        loop {
            let now = start.elapsed().as_secs_f64();
            if now > 5.0 {
                return stops;
            }
            if now - last > 0.010 {
                stops.push((last, now));
            }
            last = now;
            let scale = speed_at(schedule, now);
            stepper.set_time_scale(scale).unwrap();
            for _ in stepper.frame_at(now).ticks {}
            writer.set(1, Pose::at([stepper.counts().simulated as f32, 0.0, 0.0])).unwrap();
            writer.publish(now, &stepper).unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let (mut frames, mut last) = (Vec::new(), 0.0);
    while last < 5.0 {
        std::thread::sleep(Duration::from_micros(6900));
        let now = start.elapsed().as_secs_f64();
        let Some(world) = reader.frame(now) else { continue };
        frames.push(Drawn { at: now, took: now - last, moved: world.shown.presented });
        last = now;
    }
    let stops = simulation.join().unwrap();
    let total = frames.len();
    let quiet = |frame: &Drawn| {
        frame.took < 0.02
            && !stops.iter().any(|(from, to)| frame.at > *from - 0.02 && frame.at - frame.took < to + 0.5)
    };
    frames.retain(quiet);
    // A change reaches the writer up to a turn of its loop late.
    let found = complaints(&frames, schedule);
    println!("{total} frames, {} of them undisturbed, {} complaints: {found:#?}", frames.len(), found.len());
    assert!(found.len() <= frames.len() / 100, "{found:#?}");
}

/// A simulation that keeps to another's clock changes its speed by a little with each tick.
struct Trimmed {
    told_hz: f64,
    real_hz: f64,
    trim: f64,
    /// How far simulated time leaps ahead after three seconds.
    leap: f64,
}

/// The frames of 20 seconds, and how far behind the newest tick the picture is in each.
fn trimmed(Trimmed { told_hz, real_hz, trim, leap }: Trimmed) -> (Vec<Drawn>, Vec<f64>, Playhead) {
    let mut playhead = Playhead::at_hz(told_hz).unwrap();
    let mut dice = Dice(5);
    let (mut tick, mut sim, mut scale) = (0_u32, 0.0, 1.0);
    let (mut frames, mut behind) = (Vec::new(), Vec::new());
    for frame in 1..20 * 144 {
        let now = f64::from(frame) / 144.0;
        while f64::from(tick) / real_hz <= now {
            let due = f64::from(tick) / real_hz;
            if tick > 0 {
                let leaps = due >= 3.0 && due - 1.0 / real_hz < 3.0;
                sim += scale / real_hz + if leaps { leap } else { 0.0 };
            }
            scale = 1.0 + trim * (dice.below(2.0) - 1.0);
            let arrival = due + dice.below(0.002);
            playhead.observe(arrival, sim);
            playhead.set_time_scale(arrival, scale);
            tick += 1;
        }
        let shown = playhead.advance(now).unwrap();
        frames.push(Drawn { at: now, took: 1.0 / 144.0, moved: shown.presented });
        behind.push(sim - shown.at);
    }
    (frames, behind, playhead)
}

#[test]
fn a_speed_that_is_trimmed_with_each_tick_is_drawn_as_evenly_as_a_steady_one() {
    for trim in [0.001, 0.01, 0.02] {
        let (frames, _, playhead) = trimmed(Trimmed { told_hz: 60.0, real_hz: 60.0, trim, leap: 0.0 });
        assert_eq!(playhead.statistics().jumps, 0);
        for Drawn { at, took, moved } in frames.into_iter().filter(|frame| frame.at > 1.0) {
            assert!((moved / took - 1.0).abs() < 0.015 + 1.1 * trim, "±{trim}: {} at {at:.3}", moved / took);
        }
    }
}

#[test]
fn a_leap_is_taken_at_once_whatever_the_speed_does() {
    for trim in [0.0, 0.001, 0.01, 0.05, 0.2] {
        for leap in [0.5, 5.0] {
            let (frames, behind, playhead) = trimmed(Trimmed { told_hz: 60.0, real_hz: 60.0, trim, leap });
            let there = frames.iter().zip(&behind).find(|(frame, behind)| frame.at > 3.02 && **behind < 0.1);
            let late = there.map_or(f64::INFINITY, |(frame, _)| frame.at - 3.0);
            assert!(late < 0.1, "±{trim}: {leap} s are caught up with after {late:.3} s");
            assert_eq!(playhead.statistics().jumps, 1, "±{trim}, {leap} s");
        }
    }
}

#[test]
fn the_tick_rate_is_measured_whatever_the_speed_does() {
    for trim in [0.0, 0.001, 0.02] {
        for (told_hz, real_hz) in [(60.0, 20.0), (60.0, 30.0), (20.0, 60.0)] {
            let (frames, behind, playhead) = trimmed(Trimmed { told_hz, real_hz, trim, leap: 0.0 });
            let spacing = playhead.statistics().spacing.unwrap() * real_hz;
            assert!((spacing - 1.0).abs() < 0.03, "±{trim}, {told_hz} for {real_hz}: {spacing} of a tick");
            let late = |(frame, _): &(&Drawn, &f64)| frame.at > 5.0;
            for (frame, behind) in frames.iter().zip(&behind).filter(late) {
                let speed = frame.moved / frame.took;
                assert!(
                    (speed - 1.0).abs() < 0.1,
                    "±{trim}, {told_hz} for {real_hz}: {speed} at {}",
                    frame.at
                );
                assert!(*behind < 1.0 / real_hz + 0.02, "±{trim}, {told_hz} for {real_hz}: {behind} behind");
            }
        }
    }
}
