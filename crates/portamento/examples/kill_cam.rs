//! The past again: a kill-cam or a demo from recorded messages, in slow motion, at double speed, and backwards.
//!
//! ```text
//! cargo run -p portamento --example kill_cam
//! ```
//!
//! Keep what came in: stamp, arrival and report of each message. There are two ways to show it again.
//!
//! * **The same frames.** A new [`Peer`] and new [`Snapshots`], fed with the same messages at the same frame times, draw
//!   the same bits: what the player saw, lag and all. Advance `now` more slowly for slow motion.
//! * **Any moment, in any order.** A [`History`] with the recorded messages returns where everything was at any moment:
//!   forwards, backwards, at any speed, paused. It knows what came later, so nothing is late or guessed.

use portamento::remote::{History, HistorySettings, Peer, Report, Snapshots};

const HZ: f64 = 20.0;
const FRAME: f64 = 1.0 / 60.0;

/// One recorded message.
struct Recorded {
    sent: f64,
    arrived: f64,
    report: Report<[f64; 2]>,
}

/// The runner who will be shot: a circle of 5 m, 6 m/s.
fn runner(t: f64) -> [f64; 2] {
    [5.0 * (1.2 * t).cos(), 5.0 * (1.2 * t).sin()]
}

/// What a player sees: one picture for each frame, at these times of the player's clock.
fn watch(messages: &[Recorded], frames: impl Iterator<Item = f64>) -> Vec<(f64, [f64; 2])> {
    let mut server = Peer::at_hz(HZ).expect("a rate");
    let mut enemy = Snapshots::<[f64; 2]>::new();
    let mut coming = messages.iter().peekable();
    let mut pictures = Vec::new();
    for now in frames {
        while let Some(message) = coming.next_if(|message| message.arrived <= now) {
            let stamp = server.receive(message.sent, message.arrived);
            enemy.insert(stamp, message.report);
        }
        let Some(frame) = server.frame(now) else { continue };
        pictures.extend(enemy.draw(&frame).here().map(|drawn| (frame.shown, drawn.now)));
    }
    pictures
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Ten seconds of a game; every eleventh message is lost, every third is 40 ms late.
    let messages: Vec<_> = (0..200)
        .filter(|k| k % 11 != 7)
        .map(|k| {
            let sent = f64::from(k) / HZ;
            let late = if k % 3 == 0 { 0.04 } else { 0.0 };
            Recorded { sent, arrived: sent + 0.03 + late, report: Report::new(runner(sent)) }
        })
        .collect();
    let mut messages = messages;
    messages.sort_by(|a, b| a.arrived.total_cmp(&b.arrived));

    // 1. The same frames, again: equal to the bit.
    let frames = || (0..600).map(|k| f64::from(k) * FRAME);
    let live = watch(&messages, frames());
    assert_eq!(watch(&messages, frames()), live);
    println!("{} frames, drawn again from the recorded messages: equal to the bit", live.len());

    // 2. Slow motion: a quarter of the speed, four frames for each of the first run. Every fourth shows the same moment.
    let slow = watch(&messages, (0..2400).map(|k| f64::from(k) * FRAME / 4.0));
    let step = |pictures: &[(f64, [f64; 2])]| {
        let steps = pictures.windows(2).skip(pictures.len() / 2).map(|two| distance(two[0].1, two[1].1));
        steps.fold(0.0, f64::max)
    };
    println!("largest step of a frame: {:.3} m live, {:.3} m in slow motion", step(&live), step(&slow));
    assert!(step(&slow) < 0.3 * step(&live));

    // 3. Any moment: the last five seconds backwards at double speed, then forwards at a tenth.
    let mut demo = History::new(HistorySettings { back: 60.0, ..HistorySettings::at_hz(HZ) })?;
    messages.sort_by(|a, b| a.sent.total_cmp(&b.sent));
    for message in &messages {
        demo.record(message.sent, message.report);
    }
    let backwards = (0..150).map(|k| 9.9 - 2.0 * f64::from(k) * FRAME);
    let forwards = (0..600).map(|k| 5.0 + 0.1 * f64::from(k) * FRAME);
    let (mut off, mut largest, mut last) = (0.0f64, 0.0f64, None);
    for moment in backwards.chain(forwards) {
        let there = demo.at(moment).ok_or("recorded")?;
        off = off.max(distance(there, runner(moment)));
        let before = last.replace((moment, there));
        let speed = before.map_or(0.0, |(at, place)| distance(place, there) / f64::abs(moment - at));
        largest = largest.max(speed);
    }
    println!(
        "backwards and in slow motion: {:.1} mm off the path at most, never faster than {largest:.2} m/s",
        1e3 * off
    );
    assert!(off < 0.02 && largest < 6.5);

    // What the player saw live at that moment was late by its offset only.
    let beside = live.iter().skip(120).map(|&(shown, seen)| distance(demo.at(shown).unwrap_or(seen), seen));
    println!("the live picture stood at most {:.2} m beside it", beside.fold(0.0, f64::max));
    Ok(())
}
