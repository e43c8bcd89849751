//! Are 10 000 poses ever torn, between threads and between processes, as fast as both sides can?
//!
//! `cargo test -p portamento --features process --test exchange_stress`: a second per case, or as many as
//! `PORTAMENTO_STRESS_SECONDS` says. A writer that ignores claims, made from nothing but the documented layout, goes
//! through the same reader and must be caught.

mod exchange_support;

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use exchange_support::{Marker, Part, Place, marked, soon, torn};
use portamento::exchange::{Exchange, NoTick, Shape, Subscriber, machine_seconds};
use portamento::playhead::Shown;

const ROWS: usize = 10_000;

fn shape() -> Shape {
    Shape::new(ROWS).ticks(4).subscribers(2)
}

#[derive(Debug, Default)]
struct Tally {
    readings: u64,
    newest: u64,
    torn_rows: u64,
    torn_readings: u64,
    given_up: u64,
}

/// Reads whatever is there, in turn the newest tick and one in the middle, and checks every row of it.
fn read(subscriber: &mut Subscriber, time: Duration) -> Tally {
    let mut tally = Tally::default();
    let began = Instant::now();
    while began.elapsed() < time {
        let older = subscriber.stamps().iter().nth_back(2).map(|stamp| stamp.simulated);
        let reading = match older {
            Some(older) if tally.readings % 2 == 1 => subscriber.around(Shown::still(older)),
            _ => subscriber.latest(),
        };
        match reading {
            Ok(reading) if reading.alpha() == 0.0 || reading.alpha() == 1.0 => {
                let wrong = torn(&reading) as u64;
                tally.readings += 1;
                tally.torn_rows += wrong;
                tally.torn_readings += u64::from(wrong > 0);
                tally.newest = tally.newest.max(reading.to().tick);
            }
            // The tick asked for was replaced meanwhile, and the moment lies before or between others.
            Ok(_) => {}
            Err(NoTick::Overtaken { .. } | NoTick::Empty) => tally.given_up += 1,
            Err(error) => panic!("{error}"),
        }
    }
    tally
}

fn between_threads(time: Duration) -> Tally {
    let exchange = Exchange::new(shape()).expect("a shape that works");
    let mut marker = Marker::new(exchange.publisher().expect("the first publisher"), ROWS);
    let mut subscriber = exchange.subscriber().expect("a seat");
    marker.publish(0.0);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                marker.publish(0.0);
            }
        });
        let tally = read(&mut subscriber, time);
        over.store(true, Ordering::Relaxed);
        tally
    })
}

fn between_processes(part: &str, time: Duration) -> Tally {
    let place = Place::new(part);
    let exchange = Exchange::create_file(&place.0, shape()).expect("a block");
    let mut subscriber = exchange.subscriber().expect("a seat");
    let mut writer = Part::play(part, &place);
    soon("first tick", || subscriber.latest().is_ok().then_some(()));
    let tally = read(&mut subscriber, time);
    writer.end();
    tally
}

/// Ends this process when the one that started it closes our input.
fn end_with_parent() {
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_line(&mut String::new());
        std::process::exit(0);
    });
}

fn publish_honestly(path: &Path) {
    let exchange = Exchange::create_file(path, shape()).expect("the same block");
    let mut marker = Marker::new(exchange.publisher().expect("no other publisher"), ROWS);
    loop {
        marker.publish(machine_seconds());
    }
}

/// Follows the layout to the byte, but writes tick after tick into the same two slots without a look at claims.
fn publish_without_looking(path: &Path) {
    let file = OpenOptions::new().write(true).open(path).expect("the block");
    let (ticks, subscribers) = (4, 2);
    let pad = |bytes: usize| bytes.div_ceil(64) * 64;
    let slots = 128 + pad(8 * ticks) + 64 * subscribers;
    let ids = 64;
    let generations = ids + pad(8 * ROWS);
    let epochs = generations + pad(4 * ROWS);
    let flags = epochs + pad(4 * ROWS);
    let poses = flags + pad(4 * ROWS);
    let slot_bytes = poses + pad(28 * ROWS);
    let write = |offset: usize, bytes: &[u8]| file.write_all_at(bytes, offset as u64).expect("written");
    for tick in 0_u64.. {
        let sequence = tick + 1;
        let slot = (sequence % 2) as usize;
        let at = slots + slot * slot_bytes;
        let time = (tick as f64).to_le_bytes();
        for (offset, word) in
            [(0, sequence.to_le_bytes()), (8, 1_u64.to_le_bytes()), (16, tick.to_le_bytes())]
        {
            write(at + offset, &word);
        }
        write(at + 24, &time);
        write(at + 32, &time);
        write(at + 40, &(ROWS as u64).to_le_bytes());
        if tick < 2 {
            write(at + ids, &(0..ROWS as u64).flat_map(u64::to_le_bytes).collect::<Vec<_>>());
            write(at + generations, &1_u32.to_le_bytes().repeat(ROWS));
            write(at + epochs, &0_u32.to_le_bytes().repeat(ROWS));
        }
        write(at + flags, &(tick as u32).to_le_bytes().repeat(ROWS));
        let numbers = (0..ROWS).flat_map(|row| {
            let pose = marked(tick, row);
            let turn = pose.rotation;
            let [x, y, z] = pose.position;
            [x, y, z, turn.x, turn.y, turn.z, turn.w].into_iter().flat_map(f32::to_le_bytes)
        });
        write(at + poses, &numbers.collect::<Vec<_>>());
        write(128 + 8 * (sequence as usize % ticks), &(sequence << 8 | slot as u64).to_le_bytes());
    }
}

fn main() -> ExitCode {
    if let Some((part, path)) = Part::of_this_process() {
        end_with_parent();
        match part.as_str() {
            "honest" => publish_honestly(&path),
            "broken" => publish_without_looking(&path),
            other => panic!("no such part: {other}"),
        }
    }
    let seconds = std::env::var("PORTAMENTO_STRESS_SECONDS").ok();
    let seconds = seconds.map_or(1.0, |text| text.parse().expect("PORTAMENTO_STRESS_SECONDS in seconds"));
    let time = Duration::from_secs_f64(seconds);
    println!("{ROWS} poses a tick, {seconds} s each, as fast as both sides can");
    println!("{:<32}{:>10}{:>12}{:>10}{:>10}", "", "readings", "ticks", "torn", "given up");
    let mut good = true;
    let cases: [(&str, Tally, bool); 3] = [
        ("two threads", between_threads(time), false),
        ("two processes", between_processes("honest", time), false),
        ("a writer that ignores claims", between_processes("broken", time), true),
    ];
    for (name, tally, broken) in cases {
        println!(
            "{name:<32}{:>10}{:>12}{:>10}{:>10}",
            tally.readings, tally.newest, tally.torn_readings, tally.given_up
        );
        if tally.readings == 0 || (tally.torn_readings > 0) != broken {
            println!(
                "  ^ wrong: {} torn rows, expected {}",
                tally.torn_rows,
                if broken { "some" } else { "none" }
            );
            good = false;
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
