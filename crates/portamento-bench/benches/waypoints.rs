//! A hundred thousand remote bodies, a fifth of them with a new report in every tick: how long does a tick take, how
//! many bytes is a body, and does twice the crowd take twice the time?
//!
//! `cargo bench -p portamento-bench --bench waypoints`. Bodies walk at 4 units/s, there are 30 ticks a second, each
//! body is reported in every fifth. Growth is the dearest tick per body over the cheapest among the crowds that live
//! in one level of the memory hierarchy: 1.00 is perfectly linear.

use portamento::Moment;
use portamento::blend::Pose64;
use portamento::remote::waypoints::{RemoteBody, WaypointReport, WaypointRules, WaypointTick, Waypoints};
use portamento_bench::growth::Levels;
use portamento_bench::{machine, table};
use std::hint::black_box;
use std::time::Instant;

const DT: f64 = 1.0 / 30.0;
const TICK: WaypointTick = WaypointTick::new(DT, 4.0);

/// Someone who can be ticked.
trait Walker {
    fn appear(lane: usize) -> Self;
    fn tick(&mut self, rules: &WaypointRules, report: Option<Pose64>);
}

/// The queue and the body, as a game with its own physics keeps them.
struct Bare<const N: usize>(Pose64, Waypoints<(), N>);

impl<const N: usize> Walker for Bare<N> {
    fn appear(lane: usize) -> Self {
        Self(start(lane), Waypoints::default())
    }

    #[inline]
    fn tick(&mut self, rules: &WaypointRules, report: Option<Pose64>) {
        let Self(body, queue) = self;
        if let Some(pose) = report {
            let _ = queue.enqueue(rules, body, &reported(pose));
        }
        if let Ok(Some(step)) = queue.step(rules, body, &TICK) {
            *body = step.apply(body);
        }
        let _ = queue.settle(rules, body, DT);
    }
}

/// Everything: routing, target, leash, track; and the view once a tick.
struct Whole<const N: usize, const ENDS: usize>(RemoteBody<(), N, ENDS>);

impl<const N: usize, const ENDS: usize> Walker for Whole<N, ENDS> {
    fn appear(lane: usize) -> Self {
        let mut body = RemoteBody::default();
        let _ = body.report(&WaypointRules::y_up(), &reported(start(lane)), 50.0);
        Self(body)
    }

    #[inline]
    fn tick(&mut self, rules: &WaypointRules, report: Option<Pose64>) {
        if let Some(pose) = report {
            let _ = self.0.report(rules, &reported(pose), 50.0);
        }
        self.0.frame(rules, DT, 50.0);
        let _ = self.0.walk(rules, &TICK);
        black_box(self.0.view(Moment::at(0.5, 0.0)));
    }
}

fn start(lane: usize) -> Pose64 {
    Pose64::at([0.0, lane as f64, 0.0])
}

fn reported(pose: Pose64) -> WaypointReport {
    WaypointReport::new(1, pose)
}

/// How many bodies are timed at a stretch: long enough for the clock, short enough to fit between two interruptions
/// by whatever else the machine does.
const STRETCH: usize = 1000;

/// Seconds that a crowd of `n` takes for a tick: the sum of the best times of its stretches.
fn tick<W: Walker>(n: usize) -> f64 {
    let rules = WaypointRules::y_up();
    let mut walkers: Vec<W> = (0..n).map(W::appear).collect();
    let repeats = (STRETCH / n).max(1);
    let mut best = vec![f64::INFINITY; n.div_ceil(STRETCH)];
    let mut now = 0;
    for round in 0..20 {
        let begun = now;
        for (k, stretch) in walkers.chunks_mut(STRETCH).enumerate() {
            let start = Instant::now();
            now = begun;
            for _ in 0..repeats {
                now += 1;
                step(stretch, k * STRETCH, now, &rules);
            }
            let seconds = start.elapsed().as_secs_f64() / repeats as f64;
            // The first rounds meet cold memory and bodies that have yet to set out.
            if round >= 6 {
                best[k] = best[k].min(seconds);
            }
        }
    }
    best.iter().sum()
}

/// The `tick`-th tick of bodies that walk along x, each in its lane from `first` on: a fifth of them is reported.
fn step<W: Walker>(walkers: &mut [W], first: usize, tick: usize, rules: &WaypointRules) {
    let x = tick as f64 * (4.0 * DT);
    for (lane, walker) in (first..).zip(walkers) {
        let due = (lane + tick).is_multiple_of(5);
        walker.tick(rules, due.then(|| Pose64::at([x, lane as f64, 0.0])));
    }
}

fn measure<W: Walker>(name: &str, rows: &mut Vec<Vec<String>>, growths: &mut Vec<Vec<String>>) {
    let levels = Levels::of_this_machine();
    let bytes = size_of::<W>();
    let doubling = (0..).map(|k| 10 << k).take_while(|&n| n < 100_000);
    let mut best: Vec<(usize, f64)> =
        doubling.chain([100_000, 200_000, 300_000]).map(|n| (n, f64::INFINITY)).collect();
    // In turns: a machine that is slower for a while is so for all of them.
    for _ in 0..5 {
        for (n, seconds) in &mut best {
            *seconds = seconds.min(tick::<W>(*n));
        }
    }
    for &(n, seconds) in best.iter().filter(|(n, _)| [160, 10_240, 100_000, 200_000].contains(n)) {
        rows.push(vec![
            name.into(),
            bytes.to_string(),
            n.to_string(),
            format!("{:.3}", seconds * 1e3),
            format!("{:.1}", seconds * 1e9 / n as f64),
            levels.name(n * bytes),
        ]);
    }
    growths.extend(levels.growth(name, bytes, &best));
}

fn main() {
    let (mut rows, mut growths) = (Vec::new(), Vec::new());
    measure::<Bare<32>>("queue of 32 and body", &mut rows, &mut growths);
    measure::<Bare<8>>("queue of 8 and body", &mut rows, &mut growths);
    measure::<Whole<32, 8>>("RemoteBody", &mut rows, &mut growths);
    measure::<Whole<8, 2>>("RemoteBody<(), 8, 2>", &mut rows, &mut growths);
    println!("{}\n", machine());
    println!("{}", table(&["what", "bytes", "bodies", "ms a tick", "ns a body", "lives in"], &rows));
    println!("{}", table(&["what", "level", "crowds", "ns a body", "growth"], &growths));
}
