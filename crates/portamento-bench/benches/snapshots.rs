//! Ten thousand remote entities, 30 messages a second, 144 frames a second: how long does a frame take, how many bytes is
//! an entity, and does twice the crowd take twice the time?
//!
//! `cargo bench -p portamento-bench --bench snapshots`. Every message speaks of every entity, and comes as late as it
//! likes within 15 ms. Half of the entities run and turn, half rest. Frames right after a message are dearer, because the
//! curves are worked out anew; they have a column of their own. Growth is the dearest frame per entity over the
//! cheapest among the crowds that live in one level of the memory hierarchy: 1.00 is perfectly linear.

use portamento::blend::{Pose, Rotation};
use portamento::remote::{MessageStamp, Peer, PeerFrame, Report, Snapshots};
use portamento_bench::growth::Levels;
use portamento_bench::{machine, quantile, table};
use std::hint::black_box;
use std::time::Instant;

const INTERVAL: f64 = 1.0 / 30.0;
const FRAME: f64 = 1.0 / 144.0;
const SECONDS: f64 = 4.0;

/// How many entities are timed at a stretch: long enough for the clock, short enough to fit between two interruptions by
/// whatever else the machine does.
const STRETCH: usize = 500;

enum Event {
    Message(MessageStamp, f64),
    PeerFrame(Box<PeerFrame>),
}

/// What happens to one sender, frame by frame.
fn events() -> Vec<Event> {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).expect("30 messages a second are a rate");
    let (mut events, mut next) = (Vec::new(), 0u32);
    for k in 0..(SECONDS / FRAME) as u32 {
        let now = f64::from(k) * FRAME;
        let sent = f64::from(next) * INTERVAL;
        if sent + 0.03 + 0.015 * f64::from(next * 7 % 10) / 10.0 <= now {
            events.push(Event::Message(sender.receive(sent, now), sent));
            next += 1;
        }
        events.extend(sender.frame(now).map(|frame| Event::PeerFrame(Box::new(frame))));
    }
    events
}

fn pose(thing: usize, sent: f64) -> Pose {
    let t = if thing.is_multiple_of(2) { sent as f32 } else { 0.0 };
    let lane = thing as f32;
    let half = 0.4 * t;
    // Cheap and smooth; the entities' paths are not what is measured.
    let turn = Rotation {
        x: 0.0,
        y: half / (1.0 + half * half).sqrt(),
        z: 0.0,
        w: 1.0 / (1.0 + half * half).sqrt(),
    };
    Pose::new([4.0 * t, lane, t * t], turn)
}

#[derive(Clone, Copy)]
struct Times {
    frame: f64,
    /// A frame that is the first after a message.
    fresh: f64,
    message: f64,
}

/// Seconds that a frame and a message take for a crowd of `n`: the sums over its stretches of the median event.
fn measure<const N: usize>(n: usize) -> Times {
    let events = events();
    let mut entities: Vec<Snapshots<Pose, N>> = (0..n).map(|_| Snapshots::default()).collect();
    let mut frames = vec![Vec::new(); n.div_ceil(STRETCH)];
    let (mut fresh_frames, mut messages) = (frames.clone(), frames.clone());
    let mut fresh = false;
    for event in &events {
        for (k, stretch) in entities.chunks_mut(STRETCH).enumerate() {
            let start = Instant::now();
            match event {
                Event::Message(stamp, sent) => {
                    for (i, thing) in stretch.iter_mut().enumerate() {
                        black_box(thing.insert(*stamp, Report::new(pose(k * STRETCH + i, *sent))));
                    }
                    messages[k].push(start.elapsed().as_secs_f64());
                }
                Event::PeerFrame(frame) => {
                    for thing in stretch {
                        let _ = black_box(thing.draw(frame));
                    }
                    let times = if fresh { &mut fresh_frames } else { &mut frames };
                    times[k].push(start.elapsed().as_secs_f64());
                }
            }
        }
        fresh = matches!(event, Event::Message(..));
    }
    let sum = |times: Vec<Vec<f64>>| times.iter().map(|times| quantile(times, 0.5)).sum();
    Times { frame: sum(frames), fresh: sum(fresh_frames), message: sum(messages) }
}

fn rows<const N: usize>(rows: &mut Vec<Vec<String>>, growths: &mut Vec<Vec<String>>) {
    let levels = Levels::of_this_machine();
    let bytes = size_of::<Snapshots<Pose, N>>();
    let name = format!("Snapshots<Pose, {N}>");
    let crowds = [10, 20, 100, 200, 400, 800, 2_500, 5_000, 10_000, 20_000, 40_000];
    let times: Vec<(usize, Times)> = crowds.into_iter().map(|n| (n, measure::<N>(n))).collect();
    for (n, times) in times.iter().filter(|(n, _)| [100, 10_000, 40_000].contains(n)) {
        rows.push(vec![
            name.clone(),
            bytes.to_string(),
            n.to_string(),
            format!("{:.3}", times.frame * 1e3),
            format!("{:.1}", times.frame * 1e9 / *n as f64),
            format!("{:.1}", times.fresh * 1e9 / *n as f64),
            format!("{:.3}", times.message * 1e3),
            levels.name(n * bytes),
        ]);
    }
    let frames: Vec<(usize, f64)> = times.iter().map(|(n, times)| (*n, times.frame)).collect();
    growths.extend(levels.growth(&name, bytes, &frames));
}

fn main() {
    let (mut table_rows, mut growths) = (Vec::new(), Vec::new());
    rows::<16>(&mut table_rows, &mut growths);
    rows::<8>(&mut table_rows, &mut growths);
    println!("{}\n", machine());
    let head = [
        "what",
        "bytes",
        "entities",
        "ms a frame",
        "ns an entity",
        "after a message",
        "ms a message",
        "lives in",
    ];
    println!("{}", table(&head, &table_rows));
    println!("{}", table(&["what", "level", "crowds", "ns an entity", "growth"], &growths));
}
