//! The longest that a call of a frame can take, in instructions: whatever it is given, no loop runs away.
//!
//! A call runs in a child process that is single-stepped by its parent, which counts. `cargo test --release -p
//! portamento-soak --test bounded_work -- --nocapture` prints the table of `docs/notes/hardening.md`.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(unsafe_code)] // fork and ptrace

use portamento::batch::Batch;
use portamento::blend::{Pose, Pose64};
use portamento::camera::{ChaseCamera, ChaseSettings, FollowCamera, FollowSettings};
use portamento::exchange::{Shape, pair};
use portamento::playhead::{Cues, Playhead, Shown, Timeline};
use portamento::remote::waypoints::{
    RemoteBody, WaypointReport, WaypointRules, WaypointSettings, WaypointTick,
};
use portamento::remote::{Claim, History, Peer, PeerSettings, Report, Snapshots, TickClock};
use portamento::step::{FixedSettings, GatedStepper, Snapping, Stepper};
use portamento::track::{PredictedTrack, VisualOffset};
use portamento::{Moment, Track};
use std::hint::black_box;

mod stepping {
    const TRACE_ME: u32 = 0;
    const SINGLE_STEP: u32 = 9;
    const STOP: i32 = 19;
    const TRAP: i32 = 5;

    unsafe extern "C" {
        fn fork() -> i32;
        fn raise(signal: i32) -> i32;
        fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
        fn ptrace(request: u32, pid: i32, address: usize, data: usize) -> i64;
        fn _exit(status: i32) -> !;
    }

    /// How many instructions the call takes. What it changes, it changes in a child process only.
    pub fn count(call: &mut dyn FnMut()) -> u64 {
        // SAFETY: the child runs the call, which neither locks nor waits for other threads, and ends.
        unsafe {
            let child = fork();
            assert!(child >= 0, "no child");
            if child == 0 {
                ptrace(TRACE_ME, 0, 0, 0);
                raise(STOP);
                call();
                raise(STOP);
                _exit(0);
            }
            let (mut status, mut steps) = (0, 0);
            let mut stops = 0;
            loop {
                assert_eq!(waitpid(child, &mut status, 0), child);
                assert!(status & 0x7f == 0x7f, "the child ended with {status:#x}: did the call panic?");
                match status >> 8 & 0xff {
                    TRAP => steps += 1,
                    STOP if stops == 0 => stops = 1,
                    STOP => break,
                    signal => panic!("signal {signal}"),
                }
                assert!(ptrace(SINGLE_STEP, child, 0, 0) >= 0, "single-stepping is not allowed here");
            }
            ptrace(8, child, 0, 0); // kill
            waitpid(child, &mut status, 0);
            steps
        }
    }
}

/// Numbers that break careless arithmetic, and a few that do not.
const NUMBERS: [f64; 9] = [1.0 / 60.0, 0.0, 2.0, 1e9, -1e9, 5e-324, f64::MAX, f64::INFINITY, f64::NAN];

struct Table {
    /// What starting and stopping a call takes.
    nothing: u64,
}

impl Table {
    fn new() -> Self {
        Table { nothing: stepping::count(&mut || ()) }
    }

    /// Counts the call with each number; the most must be within `bound` in any profile.
    fn row(&self, what: &str, bounded_by: &str, bound: u64, mut call: impl FnMut(f64)) {
        let counts = NUMBERS
            .map(|number| stepping::count(&mut || call(black_box(number))).saturating_sub(self.nothing));
        let most = counts.iter().max().expect("there are numbers");
        println!("| {what} | {bounded_by} | {} | {most} | {bound} |", counts[0]);
        assert!(*most <= bound, "{what}: {most} instructions");
    }
}

#[test]
fn steppers() {
    let table = Table::new();
    let mut fixed = Stepper::new(FixedSettings {
        snapping: Snapping::ToDisplay { hz: 60.0 },
        carry_drift: true,
        ..FixedSettings::at_hz(60.0)
    })
    .unwrap();
    for _ in 0..100 {
        let _ = fixed.frame(0.0167);
    }
    table.row("`Stepper::frame`, fixed", "no loop", 5_000, |dt| {
        let _ = black_box(fixed.frame(dt));
    });
    let mut gate = GatedStepper::gated();
    for _ in 0..100 {
        let _ = gate.frame(0.0167);
    }
    table.row("`Stepper::frame`, gate", "`huge / max` quanta, 10", 20_000, |dt| {
        let _ = black_box(gate.frame(dt));
    });
}

#[test]
fn own_loop() {
    let table = Table::new();
    let mut track = Track::<Pose, 64>::with_ends(Pose::default());
    let mut predicted = PredictedTrack::<Pose>::new(Pose::default());
    let mut batch = Batch::<Pose>::new();
    let handles: Vec<_> = (0..32).map(|k| batch.insert(Pose::at([k as f32; 3]))).collect();
    for k in 0..100 {
        track.push(Pose::at([k as f32; 3]));
        predicted.push(Pose::at([k as f32; 3]));
    }
    batch.tick();
    for handle in &handles {
        batch.push(*handle, Pose::at([5.0; 3])).unwrap();
    }
    let _ = predicted.draw(Moment::newest(0.01));
    predicted.reconcile(Pose::at([3.0; 3]));
    table.row("`Track::draw`", "no loop", 5_000, |x| {
        let _ = black_box(track.draw(Moment::at(x, x)));
    });
    table.row("`PredictedTrack::draw`", "no loop", 20_000, |x| {
        let _ = black_box(predicted.draw(Moment::at(x, x)));
    });
    table.row("`Batch::frame` and `view`s of 32", "poses that moved", 100_000, |x| {
        let frame = batch.frame(Moment::at(x, x));
        for handle in &handles {
            black_box(frame.view(*handle).is_ok());
        }
    });
    let mut offset = VisualOffset::<Pose>::default();
    let _ = offset.absorb(
        &Pose::at([3.0; 3]),
        &Pose::default(),
        portamento::blend::OffsetSize { length: 9.0, angle: 9.0 },
    );
    table.row("`VisualOffset::fade`", "no loop", 10_000, |x| {
        offset.fade(x, &portamento::track::OffsetFading::CORRECTION);
    });
}

#[test]
fn clocks() {
    let table = Table::new();
    for (name, settings) in [
        ("of a thread", portamento::playhead::PlayheadSettings::at_hz(60.0)),
        ("of a network", portamento::remote::PeerSettings::at_hz(60.0).playhead),
    ] {
        let mut playhead = Playhead::new(settings).unwrap();
        for tick in 0..200 {
            let now = f64::from(tick) / 60.0;
            playhead.observe(now, now + 1e-4 * f64::from(tick % 7));
            playhead.advance(now);
        }
        table.row(&format!("`Playhead::observe` {name}"), "16 pieces of memory, 13 points", 20_000, |x| {
            playhead.observe(3.34 + x, 3.34 + x);
        });
        table.row(&format!("`Playhead::advance` {name}"), "a median of 31", 60_000, |x| {
            playhead.advance(3.34 + x);
        });
    }
    let mut timeline = Timeline::<Pose, 64>::default();
    let mut cues = Cues::<u32, 64>::default();
    for tick in 0..64 {
        timeline.push(f64::from(tick), Pose::at([tick as f32; 3]));
    }
    for _ in 0..63 {
        let _ = cues.add(1.0, 1);
    }
    table.row("`Timeline::draw`", "`K` values, 64", 100_000, |x| {
        let _ = black_box(timeline.draw(Shown::still(x)));
    });
    table.row("`Cues::add` and `next`", "`N` cues, 64", 100_000, |x| {
        let _ = cues.add(x, 1);
        black_box(cues.next(Shown::still(x)));
    });
}

#[test]
fn network() {
    let table = Table::new();
    let mut peer = Peer::new(PeerSettings::at_hz(20.0)).unwrap();
    let mut entity = Snapshots::<Pose>::new();
    let mut history = History::<Pose>::at_hz(20.0).unwrap();
    for message in 0..100 {
        let sent = f64::from(message) * 0.05;
        let report = Report::new(Pose::at([message as f32; 3]));
        history.record(sent, report);
        entity.insert(peer.receive(sent, sent), report);
        let _ = entity.draw(&peer.frame(sent + 0.01).unwrap());
    }
    let frame = peer.frame(4.97).unwrap();
    let _ = entity.draw(&frame);
    table.row("`Peer::receive`", "32 stamps", 100_000, |x| {
        let _ = black_box(peer.receive(5.0 + x, 5.0 + x));
    });
    table.row("`Peer::frame`", "a median of 31", 100_000, |x| {
        let _ = black_box(peer.frame(5.0 + x));
    });
    table.row("`Peer::receive` and `Snapshots::insert`", "`N` snapshots, 16", 100_000, |x| {
        let stamp = peer.receive(5.0 + x, 5.0);
        entity.insert(stamp, Report::new(Pose::at([x as f32; 3])));
    });
    table.row("`Peer::frame` and `Snapshots::draw`", "`N` snapshots, 16", 100_000, |x| {
        if let Some(frame) = peer.frame(5.0 + x) {
            let _ = black_box(entity.draw(&frame));
        }
    });
    table.row("`History::rewind`, 2 claims", "1024 tries, of all that is remembered", 5_000_000, |x| {
        for k in 0..64 {
            let bytes = [k, (x as i64) as u8, 4 + k, k, k, 9, 9, 0, 0, 0, 0, 0];
            if let Some(claim) = Claim::from_bytes(bytes) {
                black_box(history.rewind(claim, 5.0 + x).is_ok());
            }
        }
    });
}

#[test]
fn waypoints() {
    let table = Table::new();
    let mut stamps = TickClock::at_hz(64.0, 16).unwrap();
    stamps.seconds(1, 1.0);
    table.row("`TickClock::seconds`", "no loop", 100_000, |x| {
        let _ = black_box(stamps.seconds(9, x));
    });
    let rules = WaypointRules::new(WaypointSettings::z_up()).unwrap();
    let mut body = RemoteBody::<u8>::default();
    let report = |x: f64| WaypointReport {
        teleport: 0,
        sequence: None,
        forced: 0,
        pose: Pose64::at([x, 0.0, 0.0]),
        contact: true,
        keep_heading: false,
        indoors: false,
        blip: None,
        payload: 1,
    };
    for k in 0..40 {
        let _ = body.report(&rules, &report(f64::from(k)), 1.0);
    }
    table.row("`RemoteBody::walk`", "32 nodes", 100_000, |x| {
        let _ = body.walk(&rules, &WaypointTick { dt: x, max_speed: x, contact: true, sticky: false });
    });
    table.row("`RemoteBody::report`", "32 nodes", 100_000, |x| {
        let _ = black_box(body.report(&rules, &report(x), 1.0));
    });
}

#[test]
fn cameras() {
    let table = Table::new();
    let mut follow = FollowCamera::new(FollowSettings::new([640.0, 360.0])).unwrap();
    let mut chase = ChaseCamera::new(ChaseSettings::y_up()).unwrap();
    for k in 0..10 {
        follow.update(Moment::newest(0.01), [f64::from(k), 0.0]);
        chase.update(Moment::newest(0.01), Pose::at([k as f32; 3]));
    }
    table.row("`FollowCamera::update`", "no loop", 100_000, |x| {
        let _ = black_box(follow.update(Moment::newest(x), [x, 1.0]));
    });
    table.row("`FollowCamera::update_all` of 8", "targets", 100_000, |x| {
        follow.update_all(Moment::newest(x), [[x, 0.0]; 8]);
    });
    table.row("`ChaseCamera::update`", "no loop", 100_000, |x| {
        chase.update(Moment::newest(x), Pose64::at([x, 1.0, 2.0]));
    });
}

#[test]
fn exchange() {
    let table = Table::new();
    let (mut writer, mut reader) = pair(Shape { ticks: 32, ..Shape::entities(8) }, 60.0).unwrap();
    for tick in 0..64 {
        for id in 0..8 {
            writer.set(id, Pose::at([tick as f32; 3])).unwrap();
        }
        writer.publish(f64::from(tick) / 60.0, f64::from(tick) / 60.0).unwrap();
        let _ = reader.frame(f64::from(tick) / 60.0).is_some();
    }
    table.row("`Writer::publish`, 8 entities", "one copy, readers' claims", 100_000, |x| {
        let _ = writer.publish(x, 2.0);
    });
    table.row("`Reader::frame`, 8 entities", "32 ticks, two copies, 8 attempts", 100_000, |x| {
        black_box(reader.frame(1.1 + x).map(|world| world.rows));
    });
}
