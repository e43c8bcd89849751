//! Ten years of play at 60 Hz, in accelerated time: the last minute is as smooth as the first.
//!
//! A minute is played, ten years pass (long frames, days of silence with a few seconds of play in each, counters and
//! epochs that go on as they would), and the same minute is played again. Its judder is the largest change of the drawn
//! speed from frame to frame, as a share of the speed. `cargo test -p portamento-soak --test ten_years -- --nocapture`
//! prints the figures.

use portamento::blend::{Pose, Pose64};
use portamento::camera::{ChaseCamera, ChaseSettings, FollowCamera, FollowSettings};
use portamento::exchange::{Shape, pair};
use portamento::playhead::{Playhead, Timeline};
use portamento::remote::{Peer, Report, Snapshots, TickClock};
use portamento::step::{FixedSettings, Frame, GateSettings, GatedStepper, Snapping, Stepper};
use portamento::{Moment, Track};

const DAY: f64 = 86_400.0;
const DAYS: u32 = 3_652;
const TEN_YEARS: f64 = DAY * DAYS as f64;

/// Frame times of a display that is not quite even, the same in every minute.
fn frame_times() -> impl Iterator<Item = f64> {
    (0..3600u32).map(|frame| 1.0 / 60.0 + f64::from(frame * 7919 % 101) * 1e-6)
}

/// The largest change of a row of steps, as a share of the mean step.
fn judder(steps: &[f64]) -> f64 {
    let mean = steps.iter().sum::<f64>() / steps.len() as f64;
    steps.windows(2).map(|pair| (pair[1] - pair[0]).abs() / mean).fold(0.0, f64::max)
}

#[track_caller]
fn as_smooth(what: &str, first: f64, last: f64, rounding: f64) {
    println!("{what:<34} first minute {first:.6}, last minute {last:.6}");
    assert!(first > 0.0 && last <= first * 1.01 + rounding, "{what}: {first} became {last}");
}

/// Where something that walks one unit a second is at a tick's end. It walks in circles of an hour: what is tested is the
/// library's clock, not how many digits a coordinate has.
fn walks(time: f64) -> f64 {
    time % 3600.0
}

/// The steps of the drawn walker in a minute of frames.
fn minute<const MEMORY: usize>(stepper: &mut Stepper<MEMORY>, walker: &mut Track<f64, 64>) -> Vec<f64> {
    let mut steps = Vec::new();
    let mut last = None;
    let mut time = walks(stepper.counts().simulated);
    walker.cut(time);
    for dt in frame_times() {
        let Frame { ticks, moment, .. } = stepper.frame(dt);
        for tick in ticks {
            time += tick.dt;
            walker.push(time);
        }
        let drawn = walker.draw(moment).now;
        if let Some(last) = last.replace(drawn) {
            steps.push(drawn - last);
        }
    }
    // Two seconds for the gate to find its distance.
    steps.split_off(120)
}

#[test]
fn a_fixed_step() {
    for (what, snapping, carry_drift) in [
        ("fixed step", Snapping::Off, false),
        ("fixed step, snapped to the display", Snapping::ToDisplay { hz: 60.0 }, true),
    ] {
        let settings =
            FixedSettings { max_frame: 1000.0, snapping, carry_drift, ..FixedSettings::at_hz(60.0) };
        let mut stepper = Stepper::new(settings).unwrap();
        let mut walker = Track::with_ends(0.0);
        let first = judder(&minute(&mut stepper, &mut walker));
        let before = stepper.counts().ticks;
        for _ in 0..(TEN_YEARS / 1000.0) as u32 {
            let _ = stepper.frame(1000.0);
        }
        let ticks = stepper.counts().ticks - before;
        assert!(ticks.abs_diff((TEN_YEARS / 1000.0) as u64 * 60_000) <= 2, "{ticks} ticks in ten years");
        let last = judder(&minute(&mut stepper, &mut walker));
        as_smooth(what, first, last, 1e-5);
        assert!(stepper.counts().simulated > TEN_YEARS - 1000.0);
    }
}

#[test]
fn a_gate() {
    let settings = GateSettings { max: 1.0, huge: 1e6, ..GateSettings::default() };
    let mut gate = GatedStepper::with_gate(settings).unwrap();
    let mut walker = Track::with_ends(0.0);
    let first = judder(&minute(&mut gate, &mut walker));
    for _ in 0..(TEN_YEARS / 100_000.0) as u32 {
        let _ = gate.frame(100_000.0);
    }
    // The picture's distance shrinks by 2 % of the time that passes.
    for _ in 0..60 {
        let _ = minute(&mut gate, &mut walker);
    }
    as_smooth("gate", first, judder(&minute(&mut gate, &mut walker)), 1e-4);
    assert!(gate.counts().simulated > TEN_YEARS - 100_000.0);
}

#[test]
fn the_numbers_of_frames_come_round_unseen() {
    // 2^32 frames at 60 Hz are 828 days: a save is where they are nearly used up.
    let mut stepper = Stepper::fixed(30.0).unwrap();
    let _ = stepper.frame(1.0 / 30.0);
    let mut saved = serde_json::to_value(&stepper).unwrap();
    saved["frames"] = (u32::MAX - 40).into();
    let mut stepper: Stepper = serde_json::from_value(saved).unwrap();
    let mut walker = Track::<f64>::new(0.0);
    walker.push(1.0);
    let mut last = f64::NEG_INFINITY;
    let mut x = 1.0;
    for frame in 0..400 {
        let Frame { ticks, moment, .. } = stepper.frame(1.0 / 240.0);
        for _ in ticks {
            x += 1.0;
            walker.push(x);
        }
        let drawn = walker.draw(moment);
        assert_eq!(drawn, walker.draw(moment), "twice in a frame is once");
        assert!(drawn.now > last, "frame {frame} shows {} after {last}", drawn.now);
        last = drawn.now;
    }
}

/// Messages or ticks that are late by up to 12 ms, the same in every minute.
fn late(tick: u32) -> f64 {
    f64::from(tick.wrapping_mul(2_654_435_761) >> 20) / 4096.0 * 0.012
}

#[test]
fn a_playhead_and_its_timeline() {
    let mut playhead = Playhead::at_hz(60.0).unwrap();
    let mut timeline = Timeline::<f64, 16>::default();
    let mut play = |start: f64, seconds: u32| {
        let mut steps = Vec::new();
        let (mut last, mut arrived) = (None::<(f64, f64)>, 0);
        for frame in 0..60 * seconds {
            let now = start + f64::from(frame) / 60.0 + 0.007;
            while arrived <= frame && start + f64::from(arrived) / 60.0 + late(arrived) <= now {
                let sim = start + f64::from(arrived) / 60.0;
                playhead.observe(sim + late(arrived), sim);
                timeline.push(sim, f64::from(arrived) / 60.0);
                arrived += 1;
            }
            let Some(shown) = playhead.advance(now) else { continue };
            let drawn = timeline.draw(shown).expect("there is a tick").now;
            if let Some((before, _)) = last.replace((drawn, now)) {
                steps.push(drawn - before);
            }
        }
        steps
    };
    let first = judder(&play(0.0, 60)[600..]);
    for day in 1..DAYS {
        play(f64::from(day) * DAY, 5);
    }
    let last = judder(&play(TEN_YEARS, 60)[600..]);
    as_smooth("playhead and timeline", first, last, 1e-4);
}

#[test]
fn a_writer_and_a_reader_beyond_the_numbers_of_ticks() {
    let (mut writer, mut reader) = pair(Shape::entities(1), 60.0).unwrap();
    let mut tick = 0u32;
    let mut play = |start: f64, seconds: u32| {
        let mut steps = Vec::new();
        let mut last = None;
        for frame in 0..60 * seconds {
            let now = start + f64::from(frame) / 60.0;
            writer.set(1, Pose::at([frame as f32 / 60.0, 0.0, 0.0])).unwrap();
            writer.publish(now + late(frame), now).unwrap();
            tick += 1;
            let Some(world) = reader.frame(now + 0.013) else { continue };
            let drawn = f64::from(world.draw(1).expect("it lives").now.position[0]);
            if let Some(before) = last.replace(drawn) {
                steps.push(drawn - before);
            }
        }
        (steps, tick)
    };
    let first = judder(&play(0.0, 60).0[600..]);
    // A directory has room for 24 bits of a tick's number: it comes round, in an optimised build for real.
    let seconds = if cfg!(debug_assertions) { 5 } else { 80 };
    for day in 1..DAYS {
        play(f64::from(day) * DAY, seconds);
    }
    let (steps, ticks) = play(TEN_YEARS, 60);
    assert!(cfg!(debug_assertions) || ticks > 1 << 24, "{ticks} ticks");
    as_smooth("exchange", first, judder(&steps[600..]), 1e-3);
}

#[test]
fn a_peer_and_its_snapshots() {
    let mut peer = Peer::at_hz(20.0).unwrap();
    let mut entity = Snapshots::<[f64; 2]>::new();
    let mut stamps = TickClock::at_hz(20.0, 16).unwrap();
    let mut play = |start: f64, seconds: u32, epoch: u32| {
        let mut steps = Vec::new();
        let (mut last, mut arrived) = (None, 0);
        let begin = (start * 20.0).round() as u64;
        for frame in 0..60 * seconds {
            let now = start + f64::from(frame) / 60.0 + 0.031;
            while start + f64::from(arrived) / 20.0 + late(arrived) + 0.03 <= now {
                let at = start + f64::from(arrived) / 20.0 + late(arrived) + 0.03;
                // The message has 16 bits of the tick's number.
                let counter = ((begin + u64::from(arrived)) % 65_536) as u32;
                let sent = stamps.seconds(counter, at).expect("a time");
                let stamp = peer.receive(sent, at);
                let place = f64::from(arrived) / 20.0;
                entity.insert(stamp, Report::new([place, 1.0]).with_velocity([1.0, 0.0]).with_epoch(epoch));
                arrived += 1;
            }
            let Some(frame) = peer.frame(now) else { continue };
            let Some(drawn) = entity.draw(&frame).here() else { continue };
            if let Some(before) = last.replace(drawn.now[0]) {
                steps.push(drawn.now[0] - before);
            }
        }
        steps
    };
    let first = judder(&play(0.0, 60, 0)[600..]);
    for day in 1..DAYS {
        // Teleports are counted by something that comes round much sooner than ten years.
        play(f64::from(day) * DAY, 5, day.wrapping_mul(1_234_567));
    }
    let last = judder(&play(TEN_YEARS, 60, 7)[600..]);
    as_smooth("peer and snapshots", first, last, 1e-4);
    let shown = peer.frame(TEN_YEARS + 60.1).unwrap();
    assert!(shown.delay < 0.2, "{} s behind after ten years", shown.delay);
    // Lives: a server that is restarted every hour of ten years.
    for _ in 0..DAYS * 24 {
        peer.restart();
    }
    assert_eq!(peer.statistics().restarts, u64::from(DAYS) * 24);
    assert!(peer.frame(TEN_YEARS + 61.0).is_none(), "a new life has not spoken yet");
}

/// A minute of frames behind something that walks: the judder of both cameras.
fn filmed(follow: &mut FollowCamera, chase: &mut ChaseCamera) -> (f64, f64) {
    let (mut flat, mut deep) = (Vec::new(), Vec::new());
    let (mut last, mut x) = (None, 0.0);
    follow.cut();
    chase.cut();
    for dt in frame_times() {
        x += dt;
        let centre = follow.update(Moment::newest(dt), [x, 0.0]).centre[0];
        let eye = chase.update(Moment::newest(dt), Pose64::at([x, 0.0, 0.0])).eye[0];
        if let Some((a, b)) = last.replace((centre, eye)) {
            flat.push(centre - a);
            deep.push(eye - b);
        }
    }
    (judder(&flat[1200..]), judder(&deep[1200..]))
}

#[test]
fn cameras() {
    let mut follow = FollowCamera::new(FollowSettings::new([640.0, 360.0])).unwrap();
    let mut chase = ChaseCamera::new(ChaseSettings::y_up()).unwrap();
    let first = filmed(&mut follow, &mut chase);
    // A frame of a day, every day, and a shake in each.
    for day in 0..DAYS {
        follow.shake(1.0);
        follow.update(Moment::newest(DAY), [f64::from(day), 0.0]);
        chase.update(Moment::newest(DAY), Pose64::at([f64::from(day), 0.0, 0.0]));
        for _ in 0..60 {
            follow.update(Moment::newest(1.0 / 60.0), [f64::from(day), 0.0]);
            chase.update(Moment::newest(1.0 / 60.0), Pose64::at([f64::from(day), 0.0, 0.0]));
        }
    }
    let last = filmed(&mut follow, &mut chase);
    as_smooth("follow camera", first.0, last.0, 1e-6);
    as_smooth("chase camera", first.1, last.1, 1e-6);
}
