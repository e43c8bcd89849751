//! Physics in a worker, drawn by someone else: displays of 60, 120 and 240 Hz, a processor four times slower, 500
//! bodies, a still camera and one that follows. Every line with its judder, for the original rule and for ours.
//!
//! `cargo run --release -p portamento-lab --example worker_physics`
//!
//! The worker's timer waits a tick after the work is done, so that its simulation runs slow and unevenly, and the
//! bodies of a tick reach the reader together. Judder is the RMS error of the drawn speed as a share of the speed;
//! below 0.05 we call it smooth.

use portamento::Moment;
use portamento::camera::{FollowCamera, FollowSettings};
use portamento::playhead::{Playhead, PlayheadRule, PlayheadSettings, Timeline};
use portamento_lab::strategy::{Clock, Drawn};
use portamento_lab::synthetic::{Random, even_frames};
use portamento_lab::yardstick::{Figures, Motion, Rules, measure};
use std::error::Error;

const TICK: f64 = 1.0 / 60.0;
const SECONDS: f64 = 12.0;
const BODIES: usize = 500;
/// Bodies whose judder is measured; all are drawn.
const MEASURED: usize = 20;

/// Pixels per unit of the world.
const ZOOM: f64 = 20.0;

/// A body goes round in its own circle, at its own pace.
fn body(i: usize, sim: f64) -> [f64; 2] {
    let (radius, turns) = (1.0 + 0.01 * i as f64, 0.1 + 0.0005 * i as f64);
    let angle = std::f64::consts::TAU * (turns * sim + 0.37 * i as f64);
    [radius * angle.cos(), radius * angle.sin()]
}

/// When the worker publishes tick 0, 1, 2...: `work` seconds of physics in each, and a timer that waits afterwards.
fn worker(work: f64, random: &mut Random) -> Vec<f64> {
    let mut now = 0.0;
    let mut published = Vec::new();
    while now < SECONDS {
        let hiccup = if random.chance(0.02) { random.between(0.004, 0.012) } else { 0.0 };
        now += TICK + random.normal(work, 0.15 * work).abs() + hiccup;
        published.push(now);
    }
    published
}

struct Row {
    still: f64,
    worst: f64,
    following: f64,
    latency: f64,
}

fn draw(rule: PlayheadRule, published: &[f64], rate: f64) -> Result<Row, Box<dyn Error>> {
    let clock = Clock::fitted(published.iter().enumerate().map(|(n, &at)| (at, n as f64 * TICK)));
    let frames = even_frames(rate, 0.5, SECONDS - 0.5);

    // What a program does: one playhead, a timeline for each body, a camera that takes the frame's own moment.
    let mut playhead = Playhead::new(PlayheadSettings { rule, ..PlayheadSettings::at_hz(1.0 / TICK) })?;
    let mut bodies = vec![Timeline::<[f64; 2], 32>::default(); BODIES];
    let mut camera = FollowCamera::new(FollowSettings { zoom: ZOOM, ..FollowSettings::new([800.0, 600.0]) })?;
    let mut drawn: Vec<Drawn<[f64; 3]>> = (0..MEASURED).map(|_| Drawn::new()).collect();
    let mut on_screen = Vec::new();
    let mut arrivals = published.iter().enumerate().peekable();
    for &now in &frames {
        while let Some((n, &at)) = arrivals.next_if(|arrival| *arrival.1 <= now) {
            let sim = n as f64 * TICK;
            playhead.observe(at, sim);
            for (i, timeline) in bodies.iter_mut().enumerate() {
                timeline.push(sim, body(i, sim));
            }
        }
        let Some(shown) = playhead.advance(now) else { continue };
        for (i, timeline) in bodies.iter().enumerate() {
            let Some([x, y]) = timeline.view(shown) else { continue };
            if let Some(drawn) = drawn.get_mut(i) {
                drawn.push(now, [x, y, 0.0], Some(shown.at));
            }
            if i == 0 {
                on_screen.push((now, camera.update(shown, [x, y]).to_screen([x, y])));
            }
        }
    }

    let mut all = Vec::new();
    for (i, drawn) in drawn.into_iter().enumerate() {
        let motion = Motion::sampled(SECONDS, 1000.0, |sim| {
            let [x, y] = body(i, sim);
            [x, y, 0.0]
        });
        let rules = Rules { from: 2.5, latencies: (-0.05, 0.25), ..Rules::default() };
        all.push(measure(&motion, &drawn.on_clock(&clock), &rules));
    }
    let mean = all.iter().map(|figures| figures.judder).sum::<f64>() / all.len() as f64;
    let worst = all.iter().map(|figures| figures.judder).fold(0.0, f64::max);
    let following = shake(&on_screen, &all[0], &clock)?;
    Ok(Row { still: mean, worst, following, latency: all[0].latency / clock.rate })
}

/// The followed body's place on the screen against that of the same camera over a perfectly even body.
fn shake(on_screen: &[(f64, [f64; 2])], figures: &Figures, clock: &Clock) -> Result<f64, Box<dyn Error>> {
    let mut camera = FollowCamera::new(FollowSettings { zoom: ZOOM, ..FollowSettings::new([800.0, 600.0]) })?;
    let (mut squares, mut count) = (0.0, 0.0);
    let mut last: Option<(f64, [f64; 2])> = None;
    for &(now, [x, y]) in on_screen {
        let sim = clock.read(now) - figures.latency;
        let target = body(0, sim);
        let passed = last.map_or(0.0, |(before, _)| clock.rate * (now - before));
        let even = camera.update(Moment::newest(passed), target).to_screen(target);
        let error = [(x - even[0]) / ZOOM, (y - even[1]) / ZOOM];
        if let Some((before, [a, b])) = last
            && clock.read(now) > 2.5
        {
            let seconds = clock.rate * (now - before);
            squares += ((error[0] - a).powi(2) + (error[1] - b).powi(2)) / (seconds * seconds);
            count += 1.0;
        }
        last = Some((now, error));
    }
    Ok((squares / count).sqrt() / figures.ideal_speed)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{BODIES} bodies, judder over {MEASURED} of them; 'follow' is the followed body on the screen.\n"
    );
    println!("display  writer     rule     still  (worst)  follow  behind");
    for (name, work) in [("usual", 0.002), ("4x slower", 0.008)] {
        let published = worker(work, &mut Random::new(7));
        for rate in [60.0, 120.0, 240.0] {
            for (rule_name, rule) in [("seed", PlayheadRule::SinceArrival), ("locked", PlayheadRule::Locked)]
            {
                let Row { still, worst, following, latency } = draw(rule, &published, rate)?;
                println!(
                    "{rate:4} Hz  {name:9}  {rule_name:6}  {still:.4}  {worst:.4}   {following:.4}  {:4.1} ms",
                    1e3 * latency
                );
            }
        }
    }
    Ok(())
}
