//! What does it cost to hand 10 000 poses to another thread, and do readers slow the writer down?
//!
//! `cargo bench -p portamento-bench --bench exchange` (`-- SECONDS` for longer runs). One thread publishes at 60 Hz,
//! one reads at 144 Hz, and at every tick and frame each rival does the same work, in turns. On Linux each of the two
//! threads stays on a core of its own: where the system puts them decides more than what they do.
//!
//! The yardstick is a plain copy within each thread, always to the same place. The last row is a plain copy from thread
//! to thread, over as many places as the exchange has: the ticks that it keeps, one that is being written, and the
//! reader's two. It shows how much of the difference is distance: what was written nine ticks ago is in no near cache,
//! however it is copied. (Each place is in a `Mutex` that no one else holds: some 20 ns.)

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

use portamento::blend::{Blend, Pose, Rotation};
use portamento::exchange::{Exchange, Reader, Shape, Writer};
use portamento::playhead::{Playhead, Shown};
use portamento_bench::{machine, quantile, table};

const ROWS: usize = 10_000;

fn simulate(poses: &mut [Pose], tick: u64) {
    for (row, pose) in poses.iter_mut().enumerate() {
        let x = (tick % 1000) as f32 + row as f32;
        let turn = Rotation { x: 0.0, y: 0.0, z: 0.6, w: if tick.is_multiple_of(2) { 0.8 } else { -0.8 } };
        *pose = Pose { position: [x, x * 0.5, -x], rotation: turn };
    }
}

/// Calls `work(n)` at `rate` per second until `over`.
fn paced(rate: f64, over: &AtomicBool, mut work: impl FnMut(u64)) {
    let began = Instant::now();
    for n in 0.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let due = Duration::from_secs_f64(n as f64 / rate);
        if let Some(wait) = due.checked_sub(began.elapsed()) {
            std::thread::sleep(wait);
        }
        work(n);
    }
}

/// Microseconds of each call, by rival.
#[derive(Clone, Default)]
struct Samples(Vec<f64>);

impl Samples {
    fn time(&mut self, work: impl FnOnce()) {
        let began = Instant::now();
        work();
        self.0.push(began.elapsed().as_secs_f64() * 1e6);
    }

    fn quantile(&self, share: f64) -> f64 {
        quantile(&self.0, share)
    }
}

fn writer(exchange: &Exchange) -> Writer {
    let mut writer = exchange.writer().expect("the only writer");
    for row in 0..ROWS {
        writer.set(row as u64, Pose::default()).expect("room for all");
    }
    writer
}

fn reader(exchange: &Exchange) -> Reader {
    exchange.reader(Playhead::at_hz(60.0).expect("a rate")).expect("a seat")
}

const RIVALS: [&str; 5] =
    ["plain copy", "exchange", "Mutex<Vec>", "triple_buffer", "plain copy, as many places"];

/// Keeps the calling thread on one core, where that can be done.
fn stay_on(core: usize) {
    #[cfg(target_os = "linux")]
    {
        use nix::sched::{CpuSet, sched_setaffinity};
        let mut cores = CpuSet::new();
        let set = cores.set(core).and_then(|()| sched_setaffinity(nix::unistd::Pid::from_raw(0), &cores));
        if let Err(error) = set {
            println!("(A thread could not be kept on core {core}: {error}. Expect other figures each time.)");
        }
    }
    let _ = core;
}

/// Times of publishing and of reading, by rival.
fn race(seconds: f64) -> [Vec<Samples>; 2] {
    let exchange = Exchange::new(Shape::entities(ROWS)).expect("a shape that works");
    let mut writing = writer(&exchange);
    let mut reading = reader(&exchange);
    let blank = vec![Pose::default(); ROWS];
    let places = exchange.shape().ticks + 1;
    let kept: Arc<Vec<_>> = Arc::new((0..places).map(|_| Mutex::new(blank.clone())).collect());
    let locked = Arc::new(Mutex::new(blank.clone()));
    let (mut input, mut output) = triple_buffer::triple_buffer(&blank);
    let over = Arc::new(AtomicBool::new(false));
    let published = Arc::new(AtomicU64::new(0));

    let writer = {
        let (kept, locked) = (Arc::clone(&kept), Arc::clone(&locked));
        let (over, published) = (Arc::clone(&over), Arc::clone(&published));
        let (mut copy, mut truth) = (blank.clone(), blank.clone());
        std::thread::spawn(move || {
            stay_on(0);
            let mut samples = vec![Samples::default(); RIVALS.len()];
            paced(60.0, &over, |tick| {
                for turn in 0..RIVALS.len() {
                    let rival = (turn + tick as usize) % RIVALS.len();
                    // Each starts from poses that the simulation has just written.
                    let truth = if rival == 1 { writing.poses_mut() } else { &mut truth[..] };
                    simulate(truth, tick);
                    match rival {
                        0 => samples[rival].time(|| black_box(&mut copy).copy_from_slice(truth)),
                        1 => samples[rival].time(|| {
                            let time = tick as f64 / 60.0;
                            writing.publish(time, time).expect("time goes forward");
                        }),
                        2 => samples[rival].time(|| locked.lock().expect("no panic").copy_from_slice(truth)),
                        3 => samples[rival].time(|| {
                            input.input_buffer_mut().copy_from_slice(truth);
                            input.publish();
                        }),
                        _ => samples[rival].time(|| {
                            kept[tick as usize % places].lock().expect("no panic").copy_from_slice(truth);
                        }),
                    }
                }
                published.store(tick + 1, Ordering::Release);
            });
            samples
        })
    };
    let reader = {
        let over = Arc::clone(&over);
        // Each has a place of its own to copy to, or those that share one would find it warm.
        let mut outs = vec![blank.clone(); RIVALS.len()];
        let mut two = vec![blank.clone(); 2];
        std::thread::spawn(move || {
            stay_on(1);
            let mut samples = vec![Samples::default(); RIVALS.len()];
            let mut seen = None;
            let mut read = 0;
            paced(144.0, &over, |frame| {
                // Only frames with a new tick: without one the exchange copies nothing.
                let newest = published.load(Ordering::Acquire);
                if newest == 0 || seen.replace(newest) == Some(newest) {
                    return;
                }
                read += 1;
                for turn in 0..RIVALS.len() {
                    let rival = (turn + frame as usize) % RIVALS.len();
                    let out = black_box(&mut outs[rival]);
                    match rival {
                        0 => samples[rival].time(|| out.copy_from_slice(black_box(&blank))),
                        1 => samples[rival].time(|| {
                            black_box(reading.latest().map(|world| world.truth()[0]));
                        }),
                        2 => samples[rival].time(|| out.copy_from_slice(&locked.lock().expect("no panic"))),
                        3 => samples[rival].time(|| out.copy_from_slice(output.read())),
                        _ => samples[rival].time(|| {
                            let place = kept[(newest - 1) as usize % places].lock().expect("no panic");
                            black_box(&mut two[read % 2]).copy_from_slice(&place);
                        }),
                    }
                }
            });
            samples
        })
    };
    std::thread::sleep(Duration::from_secs_f64(seconds));
    over.store(true, Ordering::Relaxed);
    [writer.join().expect("no panic"), reader.join().expect("no panic")]
}

/// In how many pieces the time is spent, each with memory of its own: where that lies in the caches is luck.
const ROUNDS: usize = 6;
/// So many ticks have been to each place at least once.
const FIRST: usize = 20;

fn against_rivals(seconds: f64) {
    let mut samples = [(); 2].map(|()| vec![Samples::default(); RIVALS.len()]);
    for _ in 0..ROUNDS {
        let round = race(seconds / ROUNDS as f64);
        for (all, one) in samples.iter_mut().flatten().zip(round.iter().flatten()) {
            // Those before have had to wait for their memory to be made.
            all.0.extend(one.0.iter().skip(FIRST));
        }
    }
    let rows: Vec<_> = RIVALS
        .iter()
        .enumerate()
        .map(|(rival, name)| {
            let mut row = vec![(*name).to_owned()];
            for samples in &samples {
                let (median, plain) = (samples[rival].quantile(0.5), samples[0].quantile(0.5));
                row.push(format!("{median:.1}"));
                row.push(format!("{:.2}", median / plain));
                row.push(format!("{:.1}", samples[rival].quantile(0.99)));
            }
            row
        })
        .collect();
    println!("\n{ROWS} poses, published at 60 Hz and read at 144 Hz for {seconds} s; microseconds:\n");
    let head = ["", "publish median", "x plain", "p99", "read median", "x plain", "p99"];
    println!("{}", table(&head, &rows));
}

/// The writer's times with no one reading and with four readers, and those of a plain copy, in turns.
fn with_readers(seconds: f64) {
    let exchange = Exchange::new(Shape::entities(ROWS)).expect("a shape that works");
    let mut writing = writer(&exchange);
    let mut copy = vec![Pose::default(); ROWS];
    let mut times = [(); 3].map(|()| Samples::default());
    let mut tick = 0;
    stay_on(0);
    for turn in 0..15 {
        let readers = if turn % 3 == 1 { 4 } else { 0 };
        let over = Arc::new(AtomicBool::new(false));
        let ready = Arc::new(Barrier::new(readers + 1));
        let threads: Vec<_> = (0..readers)
            .map(|_| {
                let (over, ready) = (Arc::clone(&over), Arc::clone(&ready));
                let mut reading = reader(&exchange);
                std::thread::spawn(move || {
                    stay_on(1);
                    // The memory of its copies is made at the first looks: what counts is how it goes on.
                    (0..5).for_each(|_| look(&mut reading));
                    ready.wait();
                    paced(144.0, &over, |_| look(&mut reading));
                })
            })
            .collect();
        ready.wait();
        let began = Instant::now();
        while began.elapsed().as_secs_f64() < seconds / 10.0 {
            simulate(writing.poses_mut(), tick);
            tick += 1;
            times[turn % 3].time(|| match turn % 3 {
                2 => black_box(&mut copy).copy_from_slice(writing.poses_mut()),
                _ => _ = writing.publish(tick as f64, tick as f64).expect("time goes forward"),
            });
            std::thread::sleep(Duration::from_micros(500));
        }
        over.store(true, Ordering::Relaxed);
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    }
    let names = ["no readers", "4 readers at 144 Hz", "a plain copy instead"];
    let rows = names.iter().zip(&times).map(|(name, samples)| {
        let mut row = vec![(*name).to_owned(), samples.0.len().to_string()];
        for q in [0.5, 0.99] {
            row.push(format!("{:.1}", samples.quantile(q)));
            row.push(format!("{:.2}", samples.quantile(q) / times[0].quantile(q)));
        }
        row
    });
    println!("(The aim for both ratios of the exchange: at most 1.30.)\n");
    println!("The writer's side alone, half a millisecond of sleep between ticks; microseconds:\n");
    println!("{}", table(&["publish", "ticks", "median", "x", "p99", "x"], &rows.collect::<Vec<_>>()));
    println!("(The aim for p99 with readers: at most twice that without.)\n");
}

/// A frame of a reader as it draws: blended views of everything.
fn look(reader: &mut Reader) {
    let newest = reader.latest().map_or(0.0, |world| world.to.simulated);
    if let Some(world) = reader.at(Shown::still(newest - 1.3)) {
        world.entities().for_each(|view| _ = black_box(view.pose));
    }
}

/// Blending everything out of the block, beside copying it.
fn blending() {
    let exchange = Exchange::new(Shape::entities(ROWS)).expect("a shape that works");
    let mut writing = writer(&exchange);
    let mut reading = reader(&exchange);
    for tick in 0..4 {
        simulate(writing.poses_mut(), tick);
        writing.publish(tick as f64, tick as f64).expect("time goes forward");
    }
    let mut out = vec![Pose::default(); ROWS];
    let [mut from, mut to] = [0, 1].map(|_| vec![Pose::default(); ROWS]);
    simulate(&mut from, 1);
    simulate(&mut to, 2);
    let mut times = [const { Samples(Vec::new()) }; 3];
    for _ in 0..500 {
        let world = reading.at(Shown::still(1.7)).expect("ticks are there");
        times[0].time(|| black_box(&mut out).copy_from_slice(world.truth()));
        times[1].time(|| {
            black_box(&from)
                .iter()
                .zip(black_box(&to))
                .for_each(|(from, to)| _ = black_box(from.blend(to, 0.7)));
        });
        times[2].time(|| world.entities().for_each(|view| _ = black_box(view.pose)));
    }
    let rows = ["copy the poses", "blend two Vec<Pose>", "blended views"].iter().zip(&times).map(
        |(name, samples)| {
            let best = samples.quantile(0.0);
            vec![(*name).to_owned(), format!("{best:.1}"), format!("{:.2}", best * 1e3 / ROWS as f64)]
        },
    );
    println!("Reading {ROWS} entities, warm:\n");
    println!("{}", table(&["read", "microseconds", "ns per entity"], &rows.collect::<Vec<_>>()));
}

fn main() {
    let seconds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(5.0);
    println!("{}", machine());
    against_rivals(seconds);
    with_readers(seconds);
    blending();
}
