//! A simulation on its own thread, drawn at 144 frames per second.
//!
//! `cargo run --release -p portamento --example two_threads`
//!
//! The simulation means to tick 60 times per second, but it computes for real, its timer is late now and then, and
//! every two seconds something holds it up for 60 ms. The renderer draws the same ticks in two ways: the newest one
//! unchanged, and the moment that a playhead chooses, blended. All bodies move at 10 m/s, so every frame should move
//! them by 10 m/s times the frame's length; the difference is judder.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use portamento::blend::Pose;
use portamento::exchange::{self, Reader, Shape, Writer};

const BODIES: usize = 500;
const TICK: f64 = 1.0 / 60.0;
const FRAME: f64 = 1.0 / 144.0;
const SPEED: f64 = 10.0;
const SECONDS: f64 = 8.0;

type Anything = Result<(), Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Anything {
    let (writer, reader) = exchange::pair(Shape::entities(BODIES), 1.0 / TICK)?;
    let start = Instant::now(); // the clock that both sides share
    let over = AtomicBool::new(false);
    println!("{BODIES} bodies, ticks at 60 Hz with a load and late timers, frames at 144 Hz\n");
    std::thread::scope(|scope| {
        let simulation = scope.spawn(|| simulate(writer, start, &over));
        let drawn = draw(reader, start);
        over.store(true, Ordering::Relaxed);
        simulation.join().expect("the simulation does not panic")?;
        drawn
    })
}

fn simulate(mut writer: Writer, start: Instant, over: &AtomicBool) -> Anything {
    for tick in 0_u32.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let simulated = f64::from(tick) * TICK;
        for lane in 0..BODIES {
            writer.set(lane as u64, Pose::at([(simulated * SPEED) as f32, lane as f32, 0.0]))?;
        }
        work(Duration::from_millis(2 + u64::from(tick * 7 % 5)));
        writer.publish(start.elapsed().as_secs_f64(), simulated)?;

        let late = if tick % 120 == 119 { 0.060 } else { f64::from(tick * 31 % 7) * 0.0006 };
        let due = f64::from(tick + 1) * TICK + late;
        std::thread::sleep(Duration::from_secs_f64((due - start.elapsed().as_secs_f64()).max(0.0)));
    }
    Ok(())
}

/// Keeps a core busy, as physics does.
fn work(time: Duration) {
    let began = Instant::now();
    let mut number = 1_u64;
    while began.elapsed() < time {
        number = black_box(number.wrapping_mul(6_364_136_223_846_793_005) + 1);
    }
}

fn draw(mut reader: Reader, start: Instant) -> Anything {
    let (mut newest, mut smooth) = (Judder::default(), Judder::default());
    println!("   s   newest tick         playhead            behind  too old");
    println!("       judder  frozen      judder  frozen      ms");
    let (mut second, mut too_old) = (1.0, 0);
    for frame in 0_u32.. {
        let due = f64::from(frame) * FRAME;
        std::thread::sleep(Duration::from_secs_f64((due - start.elapsed().as_secs_f64()).max(0.0)));
        let now = start.elapsed().as_secs_f64();
        if now > SECONDS {
            break;
        }
        let Some(truth) = reader.latest().map(|world| world.truth()[0].position[0]) else { continue };
        // One world for everything in the frame: all bodies at the same moment.
        let Some(world) = reader.frame(now) else { continue };
        let view = world.entity(0).expect("the first body lives for ever");
        assert!(world.entities().all(|other| other.pose.position[0] == view.pose.position[0]));

        newest.frame(now, f64::from(truth));
        smooth.frame(now, f64::from(view.pose.position[0]));
        if now >= second {
            let behind = (truth as f64 - f64::from(view.pose.position[0])) / SPEED * 1000.0;
            println!(
                "{second:>4}   {newest}      {smooth}      {behind:>6.1}  {}",
                reader.counts().behind - too_old
            );
            (newest, smooth) = (newest.start_over(), smooth.start_over());
            too_old = reader.counts().behind;
            second += 1.0;
        }
    }
    println!("\njudder: how far the drawn speed is off, on average, in percent of the true one.");
    println!("Every second line has the 60 ms hold-up in it. The playhead keeps a margin for");
    println!("late ticks; one that is later stops it (frozen), and the margin grows.");
    Ok(())
}

/// Compares how far something moved in each frame with how far it should have.
#[derive(Default)]
struct Judder {
    last: Option<(f64, f64)>,
    frames: f64,
    frozen: f64,
    off: f64,
}

impl Judder {
    fn frame(&mut self, now: f64, x: f64) {
        if let Some((before, was)) = self.last.replace((now, x)) {
            let speed = (x - was) / (now - before);
            self.frames += 1.0;
            self.frozen += f64::from(u8::from(speed < SPEED * 0.1));
            self.off += (speed / SPEED - 1.0).abs();
        }
    }

    fn start_over(&self) -> Self {
        Self { last: self.last, ..Self::default() }
    }
}

impl std::fmt::Display for Judder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = 100.0 / self.frames.max(1.0);
        write!(f, "{:>5.1}%  {:>5.1}%", self.off * percent, self.frozen * percent)
    }
}
