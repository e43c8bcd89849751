//! Does anybody notice when the other side is killed, at any moment?
//!
//! `cargo test -p portamento --features process --test exchange_kills`: 200 publishers and 200 subscribers die by
//! SIGKILL (or as many as `PORTAMENTO_KILLS` says), at moments that no destructor sees: while they create the
//! block, attach, write a tick, hold a claim. After each the survivor reads, or publishes, on.

mod exchange_support;

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use exchange_support::{Dice, Marker, Part, Place, soon, torn};
use portamento::exchange::{Exchange, Shape, Subscriber, machine_seconds};
use portamento::playhead::Shown;

const ROWS: usize = 2_000;

fn shape() -> Shape {
    // One seat for the one that checks, one for all the others, one after the other: a seat whose owner died
    // must be free for the next.
    Shape::new(ROWS).subscribers(2)
}

fn publish_until_killed(path: &Path) {
    let exchange = Exchange::create_file(path, shape()).expect("the block");
    let mut marker = Marker::new(exchange.publisher().expect("the one before is dead"), ROWS);
    loop {
        marker.publish(machine_seconds());
    }
}

fn subscribe_until_killed(path: &Path) {
    let exchange = Exchange::open_file(path).expect("the block");
    let mut subscriber = exchange.subscriber().expect("the seat of the one before");
    println!("attached");
    std::io::stdout().flush().expect("an open pipe");
    loop {
        let older = subscriber.stamps().iter().nth_back(1).map(|stamp| stamp.simulated);
        if let Some(reading) = older.and_then(|older| subscriber.around(Shown::still(older)).ok()) {
            // Holding both claims for most of the time, so that most die with them.
            std::hint::black_box(torn(&reading));
        }
    }
}

/// Reads what is there now and checks every row of it.
fn newest(subscriber: &mut Subscriber) -> Option<(u64, u64)> {
    let reading = subscriber.latest().ok()?;
    assert_eq!(torn(&reading), 0, "of run {} tick {}", reading.to().run, reading.to().tick);
    Some((reading.to().run, reading.to().tick))
}

/// Kills publishers; the subscriber reads on.
fn kill_publishers(kills: u64) {
    let place = Place::new("kill-publisher");
    let mut dice = Dice(1);
    let mut subscriber: Option<Subscriber> = None;
    let (mut run, mut while_creating, mut slowest) = (0, 0, Duration::ZERO);
    for kill in 0..kills {
        let publisher = Part::play("publish", &place);
        // A quarter dies at a random moment of its start, the others while they publish.
        if kill % 4 == 0 {
            std::thread::sleep(Duration::from_micros(dice.below(4_000)));
            while_creating += 1;
        } else {
            let began = Instant::now();
            if subscriber.is_none() {
                let exchange = soon("block", || Exchange::open_file(&place.0).ok());
                subscriber = Some(exchange.subscriber().expect("a seat"));
            }
            let subscriber = subscriber.as_mut().expect("just attached");
            let (new, _) = soon("new run", || newest(subscriber).filter(|(new, _)| *new > run));
            run = new;
            slowest = slowest.max(began.elapsed());
            std::thread::sleep(Duration::from_micros(dice.below(3_000)));
        }
        publisher.kill();
        if let Some(subscriber) = &mut subscriber {
            let (_, tick) = newest(subscriber).expect("the last complete tick stays readable");
            assert_eq!(newest(subscriber).map(|(_, tick)| tick), Some(tick), "nobody writes any more");
            let stamps = subscriber.stamps();
            assert_eq!(subscriber.counts().nonsense, 0);
            let age = stamps.last().map(|stamp| stamp.age(machine_seconds()));
            assert!(
                age.is_some_and(|age| age > 0.0 && age < 60.0),
                "it can tell how old its data is: {age:?}"
            );
        }
    }
    println!(
        "{kills} publishers killed ({while_creating} while starting): read on after each; slowest pick-up {slowest:?}"
    );
}

/// Kills subscribers; the publisher publishes on and another subscriber reads on.
fn kill_subscribers(kills: u64) {
    let place = Place::new("kill-subscriber");
    let exchange = Exchange::create_file(&place.0, shape()).expect("a block");
    let mut marker = Marker::new(exchange.publisher().expect("the first publisher"), ROWS);
    let mut witness = exchange.subscriber().expect("a seat");
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
            assert_eq!(marker.publisher.nonsense_claims(), 0);
        });
        // Also when a check fails: the scope waits for the publisher.
        let end = EndOnDrop(&over);
        for _ in 0..kills {
            let mut subscriber = Part::play("subscribe", &place);
            assert_eq!(subscriber.line(), "attached", "the seat of the dead one is free");
            std::thread::sleep(Duration::from_micros(dice.below(2_000)));
            subscriber.kill();
            let before = published.load(Ordering::Relaxed);
            // Far more than there are slots: dead claims do not stop the writer.
            soon("further ticks", || (published.load(Ordering::Relaxed) > before + 10).then_some(()));
            assert!(newest(&mut witness).is_some_and(|(_, tick)| tick > before));
        }
        drop(end);
    });
    println!("{kills} subscribers killed: {} ticks published and read on meanwhile", marker.tick);
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
            kill_publishers(kills);
            kill_subscribers(kills);
        }
    }
}
