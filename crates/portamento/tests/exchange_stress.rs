//! Are 10 000 poses ever torn, between threads and between processes, as fast as both sides can?
//!
//! `cargo test -p portamento --features process --test exchange_stress`: a second per case with 10 000 poses, or as many
//! as `PORTAMENTO_STRESS_SECONDS` says, and a hundred thousand readings per case with 20 poses, or as many as
//! `PORTAMENTO_STRESS_READINGS` says. Only readings of ticks that were not read before count. A writer that ignores claims,
//! made from nothing but the documented layout, goes through the same reader and must be caught, within a minute.

mod exchange_support;

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use exchange_support::{Marker, Part, Place, attach, marked, soon, torn};
use portamento::exchange::{Exchange, Reader, Shape, machine_seconds};
use portamento::playhead::Shown;

const ROWS: usize = 10_000;

fn shape(rows: usize) -> Shape {
    Shape { ticks: 4, readers: 2, ..Shape::entities(rows) }
}

#[derive(Debug, Default)]
struct Tally {
    /// Of ticks that this reader had not read yet.
    readings: u64,
    newest: u64,
    torn_rows: u64,
    torn_readings: u64,
    given_up: u64,
}

/// When a case is over.
#[derive(Clone, Copy)]
enum Until {
    Seconds(f64),
    Readings(u64),
    /// Or after a minute.
    Torn,
}

/// Reads whatever is there, in turn the newest tick and one in the middle, and checks every row of it. By two readers,
/// because each copies a tick only once.
fn read(readers: &mut [Reader; 2], until: Until) -> Tally {
    let mut tally = Tally::default();
    let began = Instant::now();
    let mut last = [u64::MAX; 2];
    let mut turn = 0;
    loop {
        let over = match until {
            Until::Seconds(seconds) => began.elapsed().as_secs_f64() > seconds,
            Until::Readings(readings) => tally.readings >= readings,
            Until::Torn => tally.torn_readings >= 10 || began.elapsed().as_secs() >= 60,
        };
        if over {
            break;
        }
        turn = 1 - turn;
        let moment = if turn == 1 { tally.newest as f64 - 1.0 } else { f64::MAX };
        let Some(world) = readers[turn].at(Shown::still(moment)) else { continue };
        let tick = if world.alpha < 1.0 { world.from.tick } else { world.to.tick };
        if (world.alpha == 0.0 || world.alpha == 1.0) && last[turn] != tick {
            last[turn] = tick;
            let wrong = torn(&world) as u64;
            tally.readings += 1;
            tally.torn_rows += wrong;
            tally.torn_readings += u64::from(wrong > 0);
            tally.newest = tally.newest.max(world.to.tick);
        }
    }
    tally.given_up = readers.iter().map(|reader| reader.counts().overtaken).sum();
    tally
}

fn between_threads(rows: usize, until: Until) -> Tally {
    let exchange = Exchange::new(shape(rows)).expect("a shape that works");
    let mut marker = Marker::new(exchange.writer().expect("the first writer"), rows);
    let mut readers = [attach(&exchange), attach(&exchange)];
    marker.publish(0.0);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                marker.publish(0.0);
            }
        });
        let tally = read(&mut readers, until);
        over.store(true, Ordering::Relaxed);
        tally
    })
}

fn between_processes(part: &str, rows: usize, until: Until) -> Tally {
    let place = Place::new(part);
    let exchange = Exchange::create_file(&place.0, shape(rows)).expect("a block");
    let mut readers = [attach(&exchange), attach(&exchange)];
    let mut writer = Part::play(part, &place);
    soon("first tick", || readers[0].latest().is_some().then_some(()));
    let tally = read(&mut readers, until);
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
    let exchange = Exchange::open_file(path).expect("the block");
    let rows = exchange.shape().entities;
    let mut marker = Marker::new(exchange.writer().expect("no other writer"), rows);
    loop {
        marker.publish(machine_seconds());
    }
}

/// Follows the layout to the byte, but writes tick after tick into one slot without regard to claims: right after a tick is
/// published, and piece by piece, so that readers meet it there however fast the machine is.
fn publish_without_looking(path: &Path) {
    let file = OpenOptions::new().write(true).open(path).expect("the block");
    let (ticks, readers) = (4, 2);
    let pad = |bytes: usize| bytes.div_ceil(64) * 64;
    let slots = 128 + pad(4 * ticks) + 64 * readers;
    let column = |number: usize| 64 + number * pad(4 * ROWS);
    let write = |offset: usize, bytes: &[u8]| file.write_all_at(bytes, offset as u64).expect("written");
    let numbers = |tick| -> Vec<u8> {
        let rows = (0..ROWS).flat_map(|row| {
            let pose = marked(tick, row);
            let turn = pose.rotation;
            let [x, y, z] = pose.position;
            [x, y, z, turn.x, turn.y, turn.z, turn.w].into_iter().flat_map(f32::to_le_bytes)
        });
        rows.collect()
    };
    let mut poses = numbers(0);
    for tick in 0_u64.. {
        let sequence = tick as u32 + 1;
        let at = slots;
        let time = (tick as f64).to_le_bytes();
        if tick < 2 {
            write(at + column(0), &(0..ROWS as u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>());
            write(at + column(2), &1_u32.to_le_bytes().repeat(ROWS));
        }
        write(at + column(4), &(tick as u32).to_le_bytes().repeat(ROWS));
        let piece = poses.len() / 8;
        for (number, bytes) in poses.chunks(piece).enumerate() {
            write(at + column(5) + number * piece, bytes);
            std::thread::sleep(std::time::Duration::from_micros(100));
        }
        poses = numbers(tick + 1);
        write(at, &sequence.to_le_bytes());
        write(at + 4, &(ROWS as u32).to_le_bytes());
        write(at + 8, &1_u64.to_le_bytes());
        write(at + 16, &tick.to_le_bytes());
        write(at + 24, &time);
        write(at + 32, &time);
        write(at + 40, &1_f64.to_le_bytes());
        write(at + 48, &tick.to_le_bytes());
        let word = (sequence & 0xFF_FFFF) << 8 | 1;
        write(128 + 4 * (sequence as usize % ticks), &word.to_le_bytes());
        write(80, &sequence.to_le_bytes());
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
    let number = |name: &str, default: f64| {
        std::env::var(name)
            .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} as a number")))
    };
    let seconds = Until::Seconds(number("PORTAMENTO_STRESS_SECONDS", 1.0));
    let readings = Until::Readings(number("PORTAMENTO_STRESS_READINGS", 1e5) as u64);
    println!("poses a tick and a second each, or as many readings as asked for, as fast as both sides can");
    println!("{:<36}{:>10}{:>12}{:>10}{:>10}", "", "readings", "ticks", "torn", "given up");
    let mut good = true;
    let cases: [(&str, Tally, bool); 5] = [
        ("two threads, 10 000 poses", between_threads(ROWS, seconds), false),
        ("two processes, 10 000 poses", between_processes("honest", ROWS, seconds), false),
        ("two threads, 20 poses", between_threads(20, readings), false),
        ("two processes, 20 poses", between_processes("honest", 20, readings), false),
        ("a writer that ignores claims", between_processes("broken", ROWS, Until::Torn), true),
    ];
    for (name, tally, broken) in cases {
        println!(
            "{name:<36}{:>10}{:>12}{:>10}{:>10}",
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
