//! Laws 3 and 5 for cameras over other clocks: a camera advances by what its body's picture advances by, and hears of
//! every cut, whoever drew the body.

use portamento::blend::Pose;
use portamento::camera::{ChaseCamera, ChaseSettings, Shot};
use portamento::exchange::{self, Shape};
use portamento::playhead::{Playhead, PlayheadSettings, Timeline};
use portamento::remote::{Peer, Report, Snapshots};
use portamento::{Drawn, IntoPresented, Presented};

const HZ: f64 = 20.0;
const FAR: f64 = 1000.0;
/// When the body teleports, in ticks.
const JUMP: u32 = 60;

/// What a frame gives a camera: its moment, the body, and the seconds on the wall since the frame before.
type Seen = (Presented, Drawn<Pose>, f64);

/// A body that runs along x at 10 m/s and, with `jump`, teleports; behind it, the number of its cuts.
fn runner(tick: u32, jump: bool) -> (Pose, u32) {
    let jumped = jump && tick >= JUMP;
    let x = 10.0 * f64::from(tick) / HZ + if jumped { FAR } else { 0.0 };
    (Pose::at([x as f32, 0.0, 0.0]), u32::from(jumped))
}

/// Uneven frames at about 144 Hz, and the ticks that come in before each.
fn frames(mut each: impl FnMut(f64, f64, std::ops::Range<u32>)) {
    let (mut now, mut ticks) = (0.0, 0);
    for frame in 0..900 {
        let elapsed = [0.004, 0.009, 0.007, 0.0078][frame % 4];
        now += elapsed;
        let due = (now * HZ) as u32;
        each(now, elapsed, ticks..due);
        ticks = due;
    }
}

fn over_snapshots(jump: bool) -> Vec<Seen> {
    let (mut server, mut thing) = (Peer::at_hz(HZ).unwrap(), Snapshots::<Pose>::new());
    let mut seen = Vec::new();
    frames(|now, elapsed, ticks| {
        for tick in ticks {
            let (pose, epoch) = runner(tick, jump);
            let sent = 70.0 + f64::from(tick) / HZ;
            thing.insert(server.receive(sent, now), Report::new(pose).with_epoch(epoch));
        }
        let Some(frame) = server.frame(now) else { return };
        let Some(body) = thing.draw(&frame).here() else { return };
        seen.push(((&frame).into_presented(), body, elapsed));
    });
    seen
}

fn over_the_exchange(jump: bool) -> Vec<Seen> {
    let (mut writer, mut reader) = exchange::pair(Shape::entities(4), HZ).unwrap();
    let mut seen = Vec::new();
    frames(|now, elapsed, ticks| {
        for tick in ticks {
            let (pose, _) = runner(tick, jump);
            match jump && tick == JUMP {
                true => writer.cut(7, pose).unwrap(),
                false => writer.set(7, pose).unwrap(),
            }
            writer.publish(now, f64::from(tick) / HZ).unwrap();
        }
        let Some(world) = reader.frame(now) else { return };
        let Some(drawn) = world.draw(7) else { return };
        seen.push(((&world).into_presented(), drawn, elapsed));
    });
    seen
}

fn over_a_timeline(jump: bool) -> Vec<Seen> {
    over_a_late_timeline(Playhead::at_hz(HZ).unwrap(), 0, jump)
}

/// The same, where everything from the teleport on comes in `late` ticks late.
fn over_a_late_timeline(mut playhead: Playhead, late: u32, jump: bool) -> Vec<Seen> {
    let mut body = Timeline::<Pose>::new();
    let (mut seen, mut next) = (Vec::new(), 0);
    frames(|now, elapsed, ticks| {
        let due = if ticks.end > JUMP { JUMP.max(ticks.end - late) } else { ticks.end };
        for tick in next..due {
            let ((pose, _), sim) = (runner(tick, jump), f64::from(tick) / HZ);
            playhead.observe(now, sim);
            if jump && tick == JUMP {
                body.cut(sim, pose)
            } else {
                body.push(sim, pose)
            };
        }
        next = due;
        let Some(shown) = playhead.advance(now) else { return };
        let Some(drawn) = body.draw(shown) else { return };
        seen.push((shown.into_presented(), drawn, elapsed));
    });
    seen
}

fn shots(seen: &[Seen], change: impl Fn(&Seen) -> (Presented, Drawn<Pose>)) -> Vec<Shot> {
    let mut camera = ChaseCamera::new(ChaseSettings::y_up()).unwrap();
    seen.iter().map(change).map(|(moment, body)| camera.update(moment, body)).collect()
}

fn as_drawn(&(moment, body, _): &Seen) -> (Presented, Drawn<Pose>) {
    (moment, body)
}

/// How many eyes stand neither where the body was before its teleport nor where it is after it.
fn between(shots: &[Shot]) -> usize {
    let before = 10.0 * f64::from(JUMP) / HZ;
    shots.iter().filter(|shot| shot.eye[0] > before && shot.eye[0] < before + FAR - 5.0).count()
}

fn a_teleport_is_a_cut_for_the_camera(seen: &[Seen]) {
    assert_eq!(seen.iter().filter(|(_, body, _)| body.cut).count(), 2, "it appeared, it teleported");
    let cuts = shots(seen, as_drawn);
    assert!(cuts[0].eye[0] < 5.0 && cuts[cuts.len() - 1].eye[0] > FAR);
    assert_eq!(between(&cuts), 0);
    let uncut = shots(seen, |&(moment, body, _)| (moment, Drawn { cut: false, ..body }));
    assert!(between(&uncut) > 30, "the test can tell: {}", between(&uncut));
}

#[test]
fn over_snapshots_a_teleport_is_a_cut_for_the_camera() {
    a_teleport_is_a_cut_for_the_camera(&over_snapshots(true));
}

#[test]
fn over_the_exchange_a_teleport_is_a_cut_for_the_camera() {
    a_teleport_is_a_cut_for_the_camera(&over_the_exchange(true));
}

#[test]
fn over_a_timeline_a_teleport_is_a_cut_for_the_camera() {
    a_teleport_is_a_cut_for_the_camera(&over_a_timeline(true));
}

#[test]
fn a_teleport_that_comes_in_after_its_moment_was_shown_is_a_cut_for_the_camera() {
    let playhead =
        Playhead::new(PlayheadSettings { extrapolate: 0.1, ..PlayheadSettings::at_hz(HZ) }).unwrap();
    let seen = over_a_late_timeline(playhead, 4, true);
    let before = seen.iter().map(|(_, body, _)| f64::from(body.now.position[0])).filter(|x| *x < FAR);
    let farthest = before.fold(0.0, f64::max);
    assert!(farthest > 10.0 * f64::from(JUMP) / HZ, "drawn past the teleport's moment: {farthest}");
    a_teleport_is_a_cut_for_the_camera(&seen);
}

/// How far the body moves on the screen once the camera has settled into its lag.
fn shake(shots: &[Shot]) -> f64 {
    let places = shots[450..].iter().map(|shot| shot.pivot[0] - shot.eye[0]);
    let (least, most) = places.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    most - least
}

#[test]
fn camera_and_body_share_one_moment_over_every_clock() {
    for (name, seen) in [
        ("snapshots", over_snapshots(false)),
        ("exchange", over_the_exchange(false)),
        ("timeline", over_a_timeline(false)),
    ] {
        let shared = shake(&shots(&seen, as_drawn));
        assert!(shared < 0.002, "{name}: {shared}");
        let still = shots(&seen, |&(_, body, _)| (Presented::from_seconds(1.0 / 138.0), body));
        assert!(shake(&still) > 0.02, "{name}: with another time the body shakes: {}", shake(&still));
    }
}

#[test]
fn what_is_skipped_behind_a_visual_offset_does_not_pull_the_camera() {
    let (mut server, mut thing) = (Peer::at_hz(HZ).unwrap(), Snapshots::<Pose>::new());
    let mut camera = ChaseCamera::new(ChaseSettings::y_up()).unwrap();
    let (mut waiting, mut shown, mut lag, mut skips) = (Vec::new(), 0.0, 0.0, 0);
    frames(|now, elapsed, ticks| {
        waiting.extend(ticks);
        // The link holds everything up for a while, and then lets it through at once.
        if !(3.0..3.4).contains(&now) {
            for tick in waiting.drain(..) {
                let report = Report::new(runner(tick, false).0);
                thing.insert(server.receive(f64::from(tick) / HZ, now), report);
            }
        }
        let Some(frame) = server.frame(now) else { return };
        let Some(body) = thing.draw(&frame).here() else { return };
        let uncut = !body.cut;
        let (before, by_shown) = (camera.clone(), Presented::from_seconds(frame.shown - shown));
        let shot = camera.update(&frame, body);
        let [steady, pulled] = [shot, before.clone().update(by_shown, body)].map(|s| s.pivot[0] - s.eye[0]);
        if uncut && frame.shown - shown > elapsed + 0.1 {
            skips += 1;
            assert!(
                (steady - lag).abs() < 0.1,
                "the picture goes on, and so does the camera: {lag} {steady}"
            );
            assert!((pulled - lag).abs() > 0.3, "the test can tell: {lag} {pulled}");
        }
        (shown, lag) = (frame.shown, steady);
    });
    assert!(skips == 1 && lag > 1.5, "{skips} {lag}");
}
