//! Does anybody notice when the other side is killed, at any moment?
//!
//! `cargo test -p portamento --features process --test exchange_kills`: 200 writers and 200 readers die by
//! SIGKILL (or as many as `PORTAMENTO_KILLS` says), at moments that no destructor sees: while they create the
//! block, attach, write a tick, hold a claim. After each the survivor reads, or publishes, on.

mod exchange_support;

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use exchange_support::{Dice, Marker, Part, Place, attach, soon, torn};
use portamento::exchange::{Exchange, Reader, Shape, machine_seconds};
use portamento::playhead::Shown;

const ROWS: usize = 2_000;

fn shape() -> Shape {
    // One seat for the one that checks, one for all the others, one after the other: a seat whose owner died
    // must be free for the next.
    Shape { readers: 2, ..Shape::entities(ROWS) }
}

fn publish_until_killed(path: &Path) {
    let exchange = Exchange::create_file(path, shape()).expect("the block");
    let mut marker = Marker::new(exchange.writer().expect("the one before is dead"), ROWS);
    loop {
        marker.publish(machine_seconds());
    }
}

fn subscribe_until_killed(path: &Path) {
    let exchange = Exchange::open_file(path).expect("the block");
    let mut reader = attach(&exchange);
    println!("attached");
    std::io::stdout().flush().expect("an open pipe");
    loop {
        // Copying under both claims for most of the time, so that most die with them.
        let newest = reader.latest().map_or(0.0, |world| world.to.simulated);
        std::hint::black_box(reader.at(Shown::still(newest - 0.5)).map(|world| world.rows));
    }
}

/// Reads what is there now and checks every row of it.
fn newest(reader: &mut Reader) -> Option<(u64, u64)> {
    let reading = reader.latest()?;
    assert_eq!(torn(&reading), 0, "of run {} tick {}", reading.to.run, reading.to.tick);
    Some((reading.to.run, reading.to.tick))
}

/// Kills writers; the reader reads on.
fn kill_writers(kills: u64) {
    let place = Place::new("kill-writer");
    let mut dice = Dice(1);
    let mut reader: Option<Reader> = None;
    let (mut run, mut while_creating, mut slowest) = (0, 0, Duration::ZERO);
    for kill in 0..kills {
        let writer = Part::play("publish", &place);
        // A quarter dies at a random moment of its start, the others while they publish.
        if kill % 4 == 0 {
            std::thread::sleep(Duration::from_micros(dice.below(4_000)));
            while_creating += 1;
        } else {
            let began = Instant::now();
            if reader.is_none() {
                let exchange = soon("block", || Exchange::open_file(&place.0).ok());
                reader = Some(attach(&exchange));
            }
            let reader = reader.as_mut().expect("just attached");
            let (new, _) = soon("new run", || newest(reader).filter(|(new, _)| *new > run));
            run = new;
            slowest = slowest.max(began.elapsed());
            std::thread::sleep(Duration::from_micros(dice.below(3_000)));
        }
        writer.kill();
        if let Some(reader) = &mut reader {
            let (_, tick) = newest(reader).expect("the last complete tick stays readable");
            assert_eq!(newest(reader).map(|(_, tick)| tick), Some(tick), "nobody writes any more");
            assert_eq!(reader.counts().nonsense, 0);
            let age = reader.latest().expect("as before").to.age(machine_seconds());
            assert!(age > 0.0 && age < 60.0, "it can tell how old its data is: {age:?}");
        }
    }
    println!(
        "{kills} writers killed ({while_creating} while starting): read on after each; slowest pick-up {slowest:?}"
    );
}

/// Kills readers; the writer publishes on and another reader reads on.
fn kill_readers(kills: u64) {
    let place = Place::new("kill-reader");
    let exchange = Exchange::create_file(&place.0, shape()).expect("a block");
    let mut marker = Marker::new(exchange.writer().expect("the first writer"), ROWS);
    let mut witness = attach(&exchange);
    marker.publish(machine_seconds());
    let mut dice = Dice(2);
    let published = AtomicU64::new(0);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                marker.publish(machine_seconds());
                published.store(marker.tick, Ordering::Relaxed);
            }
            assert_eq!(marker.writer.foreign_claims(), 0);
        });
        // Also when a check fails: the scope waits for the writer.
        let end = EndOnDrop(&over);
        for _ in 0..kills {
            let mut reader = Part::play("subscribe", &place);
            assert_eq!(reader.line(), "attached", "the seat of the dead one is free");
            std::thread::sleep(Duration::from_micros(dice.below(2_000)));
            reader.kill();
            let before = published.load(Ordering::Relaxed);
            // Far more than there are slots: dead claims do not stop the writer.
            soon("further ticks", || (published.load(Ordering::Relaxed) > before + 10).then_some(()));
            assert!(newest(&mut witness).is_some_and(|(_, tick)| tick > before));
        }
        drop(end);
    });
    println!("{kills} readers killed: {} ticks published and read on meanwhile", marker.tick);
}

struct EndOnDrop<'a>(&'a AtomicBool);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn main() {
    match Part::of_this_process() {
        Some((part, path)) if part == "publish" => publish_until_killed(&path),
        Some((part, path)) if part == "subscribe" => subscribe_until_killed(&path),
        Some((part, _)) => panic!("no such part: {part}"),
        None => {
            let kills = std::env::var("PORTAMENTO_KILLS").ok();
            let kills = kills.map_or(200, |text| text.parse().expect("PORTAMENTO_KILLS as a number"));
            kill_writers(kills);
            kill_readers(kills);
        }
    }
}
