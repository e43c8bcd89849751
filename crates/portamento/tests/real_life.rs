//! What players live with: trains, laptops that sleep, loading screens, servers that send some entities seldom.
//!
//! Everything here is measured in seconds of the entity's own way, so that a walker in metres and an aircraft in
//! millimetres are held to the same bounds.

use portamento::remote::{Peer, PeerSettings, Report, SnapshotStatistics, Snapshots};

const FRAME: f64 = 1.0 / 60.0;
/// The way through the network.
const WAY: f64 = 0.04;

/// A small generator, so that a failing test fails again.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
}

/// A message: stamped, arrived, whether it speaks of the entity.
#[derive(Clone, Copy, Debug)]
struct Message {
    sent: f64,
    arrived: f64,
    speaks: bool,
}

/// A frame: when, and what was drawn in seconds of the entity's way.
#[derive(Clone, Copy, Debug)]
struct Picture {
    now: f64,
    at: f64,
    shown: f64,
    cut: bool,
}

/// An entity that runs straight ahead.
#[derive(Clone, Copy, Debug)]
struct Scene {
    hz: f64,
    /// Units per second.
    pace: f64,
    seconds: f64,
    /// The jitter of the way, seconds.
    jitter: f64,
}

const PACES: [f64; 6] = [1.4, 30.0, 250.0, 1400.0, 30e3, 250e3]; // walk, car, aircraft; metres and millimetres
const RATES: [f64; 5] = [5.0, 10.0, 20.0, 30.0, 60.0];

fn scenes(seconds: f64) -> impl Iterator<Item = Scene> {
    RATES.into_iter().flat_map(move |hz| {
        PACES
            .into_iter()
            .flat_map(move |pace| [0.0, 0.012].map(|jitter| Scene { hz, pace, seconds, jitter }).into_iter())
    })
}

impl Scene {
    /// The messages of an undisturbed link.
    fn messages(&self) -> Vec<Message> {
        let mut dice = Dice(7 + self.hz as u64);
        (0..((self.seconds + 2.0) * self.hz) as u32)
            .map(|k| {
                let sent = f64::from(k) / self.hz;
                Message { sent, arrived: sent + WAY + self.jitter * dice.roll(), speaks: true }
            })
            .collect()
    }

    fn frames(&self) -> Vec<f64> {
        (0..(self.seconds / FRAME) as u32).map(|k| f64::from(k) * FRAME).collect()
    }

    /// Reads what has arrived, then draws, frame by frame.
    fn play(&self, messages: &[Message], frames: &[f64]) -> (Vec<Picture>, SnapshotStatistics) {
        let (mut peer, mut entity) = (Peer::at_hz(self.hz).unwrap(), Snapshots::<[f64; 3]>::new());
        let mut messages = messages.to_vec();
        messages.sort_by(|a, b| a.arrived.total_cmp(&b.arrived));
        let mut waiting = messages.iter().peekable();
        let mut pictures = Vec::new();
        for &now in frames {
            while let Some(message) = waiting.next_if(|message| message.arrived <= now) {
                let stamp = peer.receive(message.sent, message.arrived);
                if message.speaks {
                    let _ = entity.insert(stamp, Report::new([message.sent * self.pace, 0.0, 0.0]));
                }
            }
            let Some(frame) = peer.frame(now) else { continue };
            let Some(drawn) = entity.draw(&frame).here() else { continue };
            assert_eq!(drawn.now[1..], [0.0, 0.0], "it left its line");
            let shown = frame.shown - entity.statistics().extra_delay;
            pictures.push(Picture { now, at: drawn.now[0] / self.pace, shown, cut: drawn.cut });
        }
        (pictures, entity.statistics())
    }
}

/// How late the picture usually is, from the second before `until`.
fn usual_delay(pictures: &[Picture], until: f64) -> f64 {
    let late: Vec<f64> =
        pictures.iter().filter(|p| p.now < until && p.now > until - 1.0).map(|p| p.now - p.at).collect();
    late.iter().sum::<f64>() / late.len() as f64
}

/// Steps of the picture, in usual steps, with the time and whether it is cut.
fn steps(pictures: &[Picture]) -> impl Iterator<Item = (f64, f64, bool)> {
    pictures.windows(2).map(|w| (w[1].now, (w[1].at - w[0].at) / FRAME, w[1].cut))
}

/// What must hold after a gap; `first` is when the first message after it came, `leap` how far the sender's clock
/// leapt against ours.
fn recovers(what: &str, scene: &Scene, pictures: &[Picture], from: f64, first: f64, leap: f64, jumps: usize) {
    let what = format!("{what}, {scene:?}");
    let delay = usual_delay(pictures, from);
    assert!(pictures.windows(2).all(|w| w[0].shown <= w[1].shown), "{what}: time ran backwards");
    for p in pictures.iter().filter(|p| p.now > first + 0.5) {
        let off = p.at - (p.now - delay + leap);
        assert!(
            off.abs() < 0.08,
            "{what}: {off:.3} s of its way off at {:.3}, {:.3} after",
            p.now,
            p.now - first
        );
    }
    let mut seen = 0;
    let (mut back, mut backest) = (0.0, 0.0f64);
    for (now, step, cut) in steps(pictures).filter(|s| s.0 > from) {
        seen += usize::from(cut || step.abs() > 8.0);
        if step < 0.0 {
            back -= step * FRAME;
            backest = backest.min(step);
        }
        if now > first + 0.6 {
            assert!(
                (step - 1.0).abs() < 0.2,
                "{what}: speed {step:.2} at {now:.3}, {:.3} after",
                now - first
            );
        }
    }
    assert!(seen <= jumps, "{what}: {seen} jumps, {jumps} at most");
    assert!(back < 0.15, "{what}: {back:.3} s of its way back");
}

#[test]
fn after_an_outage_the_picture_is_where_it_belongs_within_half_a_second() {
    for gap in [0.4, 0.7, 1.0, 1.5, 2.0, 5.0, 30.0, 300.0] {
        for scene in scenes(8.0 + gap) {
            let (from, to) = (4.0, 4.0 + gap);
            let mut messages = scene.messages();
            messages.retain(|m| m.sent < from || m.sent >= to);
            let first = messages.iter().filter(|m| m.sent >= to).map(|m| m.arrived).fold(f64::MAX, f64::min);
            let (pictures, _) = scene.play(&messages, &scene.frames());
            recovers(
                &format!("{gap} s without messages"),
                &scene,
                &pictures,
                from,
                first,
                0.0,
                usize::from(gap > 1.0),
            );
        }
    }
}

#[test]
fn after_a_sleep_the_picture_is_where_it_belongs_within_half_a_second() {
    for gap in [0.4, 1.0, 5.0, 30.0, 300.0] {
        for scene in scenes(8.0 + gap) {
            let (from, to) = (4.0, 4.0 + gap);
            let mut messages = scene.messages();
            messages.retain(|m| m.arrived < from || m.sent >= to);
            let first = messages.iter().filter(|m| m.sent >= to).map(|m| m.arrived).fold(f64::MAX, f64::min);
            // Our clock runs on while the machine sleeps.
            let mut frames = scene.frames();
            frames.retain(|now| *now < from || *now >= to);
            let (pictures, _) = scene.play(&messages, &frames);
            recovers(&format!("{gap} s asleep"), &scene, &pictures, from, first, 0.0, 2);
            // It stops.
            for message in messages.iter_mut().filter(|m| m.sent >= to) {
                message.arrived -= gap;
            }
            let frames: Vec<f64> =
                frames.iter().map(|now| if *now >= to { now - gap } else { *now }).collect();
            let (pictures, _) = scene.play(&messages, &frames);
            recovers(&format!("{gap} s asleep, clock too"), &scene, &pictures, from, first - gap, gap, 2);
        }
    }
}

#[test]
fn after_a_hitch_with_all_messages_waiting_the_picture_is_right_at_once() {
    for gap in [0.3, 1.0, 1.5, 2.0, 3.0] {
        for scene in scenes(8.0 + gap) {
            for stamped_by_socket in [false, true] {
                let (from, to) = (4.0, 4.0 + gap);
                let mut frames = scene.frames();
                frames.retain(|now| *now < from || *now >= to);
                let next = frames.iter().copied().find(|now| *now >= to).unwrap();
                let mut messages = scene.messages();
                if !stamped_by_socket {
                    for message in messages.iter_mut().filter(|m| m.arrived > from && m.arrived < next) {
                        message.arrived = next;
                    }
                }
                let (pictures, _) = scene.play(&messages, &frames);
                let delay = usual_delay(&pictures, from);
                for p in pictures.iter().filter(|p| p.now > next + 0.4) {
                    let off = p.at - (p.now - delay);
                    assert!(
                        off.abs() < 0.06,
                        "{gap} s, {scene:?}, {stamped_by_socket}: {off:.3} at {:.3} after",
                        p.now - next
                    );
                }
            }
        }
    }
}

#[test]
fn the_first_frame_after_a_loading_screen_shows_the_present() {
    for scene in scenes(10.0) {
        for late in [0.0, 0.06, 0.2] {
            let mut messages = scene.messages();
            // The last message before the first frame was late.
            if let Some(last) = messages.iter_mut().rev().find(|m| m.arrived <= 5.0) {
                last.arrived = (last.arrived + late).min(5.0);
            }
            messages.retain(|m| m.arrived > 0.0);
            let frames: Vec<f64> = scene.frames().into_iter().filter(|now| *now >= 5.0).collect();
            let (pictures, _) = scene.play(&messages, &frames);
            let delay = usual_delay(&pictures, 9.9);
            for p in &pictures {
                let off = p.at - (p.now - delay);
                let bound = if p.now < 5.5 { 1.0 / scene.hz + 0.06 } else { 0.08 };
                assert!(off.abs() < bound, "{scene:?}, {late}: {off:.3} at {:.3}", p.now);
            }
            assert!(pictures[1..].iter().all(|p| !p.cut), "{scene:?}");
        }
    }
}

/// The deviation of the drawn speed from the true one.
fn deviation(pictures: &[Picture], from: f64, to: f64) -> f64 {
    let squares: Vec<f64> =
        steps(pictures).filter(|s| s.0 > from && s.0 < to).map(|s| (s.1 - 1.0) * (s.1 - 1.0)).collect();
    (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
}

#[test]
fn an_entity_in_every_second_or_fourth_message_moves_evenly() {
    for scene in scenes(20.0) {
        for (every, bound) in [(2, 0.10), (4, 0.15)] {
            let mut messages = scene.messages();
            for (k, message) in messages.iter_mut().enumerate() {
                message.speaks = k % every == 0;
            }
            let (pictures, _) = scene.play(&messages, &scene.frames());
            let own = every as f64 / scene.hz;
            let off = deviation(&pictures, 3.0 + 2.0 * own, 19.0);
            assert!(off < bound, "{scene:?}, every {every}: {off:.3}");
            let delay = usual_delay(&pictures, 19.0) - WAY - scene.jitter;
            assert!(delay < own + 0.06, "{scene:?}, every {every}: {delay:.3}");
        }
    }
}

#[test]
fn a_new_entity_moves_at_its_speed_a_quarter_of_a_second_after_its_first_message() {
    for scene in scenes(12.0) {
        for every in [1, 2] {
            if f64::from(every) / scene.hz > 0.2 {
                continue;
            }
            let mut messages = scene.messages();
            for (k, message) in messages.iter_mut().enumerate() {
                message.speaks = message.sent >= 5.0 && (k as u32).is_multiple_of(every);
            }
            let first = messages.iter().find(|m| m.speaks).unwrap().arrived;
            let (pictures, _) = scene.play(&messages, &scene.frames());
            for (now, step, cut) in steps(&pictures).filter(|s| s.0 > first + 0.25) {
                assert!(
                    (step - 1.0).abs() < 0.2 && !cut,
                    "{scene:?}, every {every}: {step:.2} at {:.3}",
                    now - first
                );
            }
        }
    }
}

#[test]
fn the_first_entity_of_a_new_peer_moves_evenly_from_the_start() {
    for scene in scenes(6.0) {
        let messages = scene.messages();
        let (pictures, _) = scene.play(&messages, &scene.frames());
        // It stands until its way is known and as long ago as the delay, and then never waits for a message again.
        let sets_off = messages[0].arrived + 1.0 / scene.hz + scene.jitter + 2.0 * FRAME;
        for (now, step, _) in steps(&pictures).filter(|s| s.0 > sets_off.max(messages[0].arrived + 0.25)) {
            assert!((step - 1.0).abs() < 0.2, "{scene:?}: {step:.2} at {now:.3}");
        }
    }
}

#[test]
fn an_outage_is_not_taken_for_the_interval_of_an_entity_that_is_in_every_fourth_message() {
    for hz in [10.0, 15.0, 20.0, 30.0] {
        for (every, outage) in [(2, 0.4), (4, 0.3), (4, 0.45), (4, 0.6), (4, 0.8)] {
            for phase in 0..4 {
                let scene = Scene { hz, pace: 6.0, seconds: 9.0, jitter: 0.0 };
                let mut messages = scene.messages();
                for (k, message) in messages.iter_mut().enumerate() {
                    message.speaks = k % every == 0;
                }
                let began = 5.0 + f64::from(phase) / hz;
                messages.retain(|m| m.sent < began || m.sent >= began + outage);
                let first = messages.iter().find(|m| m.sent >= began && m.speaks).unwrap().arrived;
                let (pictures, _) = scene.play(&messages, &scene.frames());
                let usual = usual_delay(&pictures, 5.0);
                for p in pictures.iter().filter(|p| p.now > first + 0.6) {
                    let late = p.now - p.at - usual;
                    assert!(
                        late.abs() < 0.08,
                        "{hz} Hz, every {every}, {outage} s: {late:.3} s later at {:.3}",
                        p.now
                    );
                }
                for (now, step, _) in steps(&pictures).filter(|s| s.0 > first + 0.6) {
                    assert!(
                        (step - 1.0).abs() < 0.2,
                        "{hz} Hz, every {every}, {outage} s: {step:.2} at {now:.3}"
                    );
                }
            }
        }
    }
}

/// What was learned of the rate in a few seconds is not exact. Over a minute of silence that is more than the jitter.
#[test]
fn a_long_sleep_does_not_make_the_picture_wait_seconds_later() {
    for hz in [5.0, 10.0, 20.0] {
        for asleep in [30.0, 60.0, 100.0] {
            for seed in 0..8 {
                let mut dice = Dice(seed);
                let scene = Scene { hz, pace: 6.0, seconds: 5.0 + asleep + 8.0, jitter: 0.0 };
                let mut messages = scene.messages();
                for message in &mut messages {
                    // Mostly punctual, now and then later.
                    message.arrived -= 0.004 * (1.0 - dice.roll()).ln();
                }
                let wakes = 5.0 + asleep;
                messages.retain(|m| m.arrived < 5.0 || m.arrived >= wakes);
                let first = messages.iter().find(|m| m.arrived >= wakes).unwrap().arrived;
                let mut frames = scene.frames();
                frames.retain(|&now| now < 5.0 || now >= wakes);
                let (pictures, _) = scene.play(&messages, &frames);
                for (now, step, _) in steps(&pictures).filter(|s| s.0 > first + 0.6) {
                    let what = format!("{hz} Hz, {asleep} s, seed {seed}");
                    assert!((step - 1.0).abs() < 0.2, "{what}: {step:.2}, {:.3} s after", now - first);
                }
            }
        }
    }
}

/// Draws a runner at 6 m/s, 20 messages a second, whose reports `place` says; the pictures, cuts and counts.
fn runner(settings: PeerSettings, place: impl Fn(f64) -> f64) -> (Vec<(f64, f64, bool)>, SnapshotStatistics) {
    let (mut peer, mut entity) = (Peer::new(settings).unwrap(), Snapshots::<f64>::new());
    let mut drawn = Vec::new();
    for k in 0..600u32 {
        let now = f64::from(k) * FRAME;
        if k % 3 == 0 {
            let stamp = peer.receive(now, now + WAY);
            let _ = entity.insert(stamp, Report::new(place(now)));
        }
        let Some(frame) = peer.frame(now + WAY) else { continue };
        drawn.extend(entity.draw(&frame).here().map(|drawn| (now, drawn.now, drawn.cut)));
    }
    (drawn, entity.statistics())
}

#[test]
fn a_teleport_that_nobody_declared_is_a_cut_and_a_dash_is_not() {
    let settings = PeerSettings::at_hz(20.0);
    let teleports = |now: f64| 6.0 * now + if now > 5.0 { 70.0 } else { 0.0 };
    let (drawn, counts) = runner(settings, teleports);
    for pair in drawn.windows(2) {
        let step = pair[1].1 - pair[0].1;
        assert_eq!(pair[1].2, step > 60.0, "{pair:?}");
        assert!(step > 60.0 || (-0.01..0.3).contains(&step), "no streak, no overshoot: {pair:?}");
    }
    assert_eq!(counts.snaps, 1);
    // Five times the pace for 0.2 s.
    let dashes = |now: f64| 6.0 * now + 24.0 * (now - 5.0).clamp(0.0, 0.2);
    let (drawn, counts) = runner(settings, dashes);
    assert!(drawn[1..].iter().all(|d| !d.2) && counts.snaps == 0);
    // Switched off, it is a way like any other.
    let (drawn, _) = runner(PeerSettings { jump: f64::MAX, glide: 1e9, ..settings }, teleports);
    assert!(
        drawn[1..].iter().all(|d| !d.2)
            && drawn.iter().any(|d| (40.0..90.0).contains(&(d.1 - 6.0 * d.0 + 6.0)))
    );
}

#[test]
fn stamps_much_closer_than_the_interval_leave_the_picture_on_its_path() {
    for apart in [1e-4, 1e-5, 1e-6] {
        let (mut peer, mut entity) = (Peer::at_hz(20.0).unwrap(), Snapshots::<f64>::new());
        for k in 0..200u32 {
            let tick = f64::from(k) * 0.05;
            // Of every ten ticks, one is flushed with the next, and stamped by the wall clock.
            let late = k % 10 == 5;
            let sent = if late { tick + 0.05 - apart } else { tick };
            let stamp = peer.receive(sent, sent + WAY);
            let _ = entity.insert(stamp, Report::new(6.0 * tick));
            for part in 0..3 {
                let now = sent + WAY + f64::from(part) * FRAME;
                if late && part > 0 {
                    continue;
                }
                let Some(drawn) = peer.frame(now).and_then(|frame| entity.draw(&frame).here()) else {
                    continue;
                };
                let off = drawn.now - 6.0 * (now - WAY - 0.05);
                assert!(now < 1.0 || off.abs() < 0.6, "{apart}: {off} at {now}");
            }
        }
        assert!(entity.statistics().crowded > 10, "and it is counted");
    }
}

/// A sender whose clock is set back after five seconds: the largest step in usual ones, how far from the truth the
/// picture is from 0.85 s later on (seconds of its way), and restarts.
fn set_back(hz: f64, back: f64, jitter: f64) -> (f64, f64, u64) {
    let (mut peer, mut entity) = (Peer::at_hz(hz).unwrap(), Snapshots::<f64>::new());
    let mut dice = Dice(11);
    let (mut last, mut largest, mut farthest): (Option<f64>, f64, f64) = (None, 0.0, 0.0);
    let mut next = 0u32;
    let mut arrives = WAY;
    for k in 0..600u32 {
        let now = f64::from(k) * FRAME;
        while arrives <= now {
            let at = f64::from(next) / hz;
            let sent = if at < 5.0 { at } else { at - back };
            let _ = entity.insert(peer.receive(sent, arrives), Report::new(6.0 * at));
            next += 1;
            arrives = arrives.max(f64::from(next) / hz + WAY + jitter * dice.roll());
        }
        let Some(frame) = peer.frame(now) else { continue };
        let Some(drawn) = entity.draw(&frame).here() else { continue };
        assert_eq!(drawn.cut, last.is_none(), "{hz} Hz, {back} s back, at {now}");
        largest = largest.max(last.map_or(0.0, |last| (drawn.now - last).abs() / (6.0 * FRAME)));
        if now > 5.85 {
            farthest = farthest.max((drawn.now / 6.0 - now).abs());
        }
        last = Some(drawn.now);
    }
    (largest, farthest, peer.statistics().restarts)
}

#[test]
fn a_sender_whose_clock_is_set_back_is_followed_without_a_step() {
    // A multiple of the interval, too: its stamps are repeats, as are those of messages that came twice.
    for hz in [5.0, 10.0, 20.0, 30.0, 60.0] {
        for back in [0.2, 0.25, 0.3, 0.4, 0.5, 0.51, 0.75, 1.0, 1.01, 2.0] {
            for jitter in [0.0, 0.012] {
                let (largest, farthest, restarts) = set_back(hz, back, jitter);
                let what = format!("{hz} Hz, {back} s back, jitter {jitter}: {largest} steps, {farthest} s");
                println!("{what}, {restarts} restarts");
                assert!(largest < 10.0, "{what}"); // not noticed, if it is so little
                if back > (3.5 / hz).min(0.35) && back * hz > 2.2 {
                    assert!(restarts == 1 && largest < 8.0, "{what}");
                }
                // So little passes as messages that came late.
                if hz > 5.0 || restarts > 0 {
                    assert!(farthest < WAY + 1.0 / hz + 0.02 + 0.5 * jitter, "{what}");
                }
            }
        }
    }
}

#[test]
fn copies_of_messages_are_no_new_life() {
    for hz in [5.0, 10.0, 20.0, 60.0] {
        for behind in [0.12, 0.3, 0.45, 0.9] {
            // A second way that is slower, alone for a while; or everything resent after an outage, at once.
            for resent in [false, true] {
                let mut messages = Vec::new();
                for k in 0..(20.0 * hz) as u32 {
                    let sent = f64::from(k) / hz;
                    let pause = (10.0..10.8).contains(&sent);
                    let (first, copy) = (sent + WAY, sent + WAY + behind);
                    if !resent {
                        messages.push((copy, sent));
                    } else if (9.0..10.8).contains(&sent) {
                        messages.push((10.8 + WAY, sent));
                    }
                    if !pause {
                        messages.push((first, sent));
                    }
                }
                messages.sort_by(|a, b| a.partial_cmp(b).unwrap());
                let mut peer = Peer::at_hz(hz).unwrap();
                for (arrived, sent) in messages {
                    let _ = peer.receive(sent, arrived);
                    let _ = peer.frame(arrived);
                }
                let (restarts, duplicates) = (peer.statistics().restarts, peer.statistics().duplicates);
                assert!(
                    restarts == 0 && duplicates > 4,
                    "{hz} Hz, {behind} s behind, resent {resent}: {restarts}"
                );
            }
        }
    }
}

#[test]
fn a_rebase_while_held_is_reported_as_moved() {
    let (mut peer, mut entity) = (Peer::at_hz(20.0).unwrap(), Snapshots::<f64>::new());
    for k in 0..40u32 {
        let now = f64::from(k) * 0.05;
        let _ = entity.insert(peer.receive(now, now), Report::new(3.0));
        let _ = entity.draw(&peer.frame(now).unwrap());
    }
    peer.restart();
    let _ = peer.receive(0.0, 2.1);
    for (now, shift) in [(2.1, 0.0), (2.15, 0.0), (2.2, 100.0), (2.25, 0.0)] {
        if shift != 0.0 {
            entity.rebase(|value| *value += shift);
        }
        let drawn = entity.draw(&peer.frame(now).unwrap()).here().unwrap();
        assert_eq!(entity.statistics().moved, shift != 0.0, "at {now}: {drawn:?}");
        assert!(!drawn.cut);
    }
}

#[test]
fn before_a_declared_cut_the_old_side_stands_for_one_interval_at_most() {
    for every in [1, 2, 4, 8] {
        let (mut peer, mut entity) = (Peer::at_hz(20.0).unwrap(), Snapshots::<f64>::new());
        let (mut stood, mut longest, mut last) = (0, 0, f64::NAN);
        for k in 0..900u32 {
            let now = f64::from(k) * FRAME;
            if k % 3 == 0 {
                let stamp = peer.receive(now, now + WAY);
                if (k / 3) % every == 0 {
                    let epoch = u32::from(now > 8.0);
                    let _ = entity
                        .insert(stamp, Report::new(6.0 * now + 500.0 * f64::from(epoch)).with_epoch(epoch));
                }
            }
            let Some(frame) = peer.frame(now + WAY) else { continue };
            let Some(drawn) = entity.draw(&frame).here() else { continue };
            stood = if drawn.now == last { stood + 1 } else { 0 };
            if now > 6.0 && drawn.now < 450.0 {
                longest = longest.max(stood);
            }
            last = drawn.now;
        }
        assert!(longest <= 4, "in every {every}. message: it stood for {longest} frames");
    }
}
