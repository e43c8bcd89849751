//! How much smoother is the locked playhead than the original rule, on the same ticks and frames?

use portamento::playhead::{Rule, Settings};
use portamento_lab::strategy::playhead::ByPlayhead;
use portamento_lab::strategy::{Drawn, Feed, play};
use portamento_lab::synthetic::{Random, Worker, circle, even_frames, runner, uniform};
use portamento_lab::yardstick::{Figures, Motion, Rules, measure};

const TICK: f64 = 1.0 / 60.0;
const SECONDS: f64 = 30.0;
const SEEDS: u64 = 8;

fn draw(feed: &Feed<[f64; 3]>, frames: &[f64], rule: Rule) -> Drawn<[f64; 3]> {
    let mut strategy = ByPlayhead::new(Settings::new(TICK).with_rule(rule)).unwrap();
    play(&mut strategy, feed, frames)
}

fn figures(motion: &Motion<[f64; 3]>, feed: &Feed<[f64; 3]>, drawn: Drawn<[f64; 3]>) -> Figures {
    let rules = Rules { from: 2.0, latencies: (-0.05, 0.2), ..Rules::default() };
    measure(motion, &drawn.on_clock(&feed.clock), &rules)
}

/// Judder of `locked` over that of `seed`, and how much later it is, one pair for each seed.
fn against_seed(worker: Worker, motion: &Motion<[f64; 3]>, rate: f64) -> Vec<(f64, f64)> {
    let mut pairs = Vec::new();
    for seed in 0..SEEDS {
        let feed = worker.publish(motion, 60.0, &mut Random::new(seed));
        let frames = even_frames(rate, 0.1, SECONDS - 1.0);
        let locked = draw(&feed, &frames, Rule::Locked);
        let backwards = locked.content.windows(2).filter(|pair| pair[1] < pair[0]).count();
        assert_eq!(backwards, 0, "drawn time goes back in {backwards} frames");
        let locked = figures(motion, &feed, locked);
        let seed = figures(motion, &feed, draw(&feed, &frames, Rule::Seed));
        pairs.push((locked.judder / seed.judder, locked.latency - seed.latency));
    }
    pairs
}

fn row(name: &str, rate: f64, pairs: &[(f64, f64)]) -> (f64, f64, f64) {
    let mean = pairs.iter().map(|p| p.0).sum::<f64>() / pairs.len() as f64;
    let worst = pairs.iter().map(|p| p.0).fold(0.0, f64::max);
    let later = pairs.iter().map(|p| p.1).fold(f64::MIN, f64::max);
    println!(
        "{name:24} {rate:3} frames/s: judder {mean:.3} of seed's (worst {worst:.3}), at most {:.1} ms later",
        later * 1e3
    );
    (mean, worst, later)
}

#[test]
fn a_jittery_publisher_is_drawn_with_a_tenth_of_the_judder() {
    let motions = [("uniform", uniform(5.0, SECONDS)), ("circle", circle(3.0, 4.0, SECONDS))];
    for (name, motion) in &motions {
        for rate in [60.0, 75.0, 144.0, 240.0] {
            let pairs = against_seed(Worker::Jittery, motion, rate);
            let (_, worst, later) = row(&format!("jittery, {name}"), rate, &pairs);
            assert!(worst <= 0.10, "{worst}");
            assert!(later <= TICK, "{later}");
        }
    }
}

#[test]
fn a_drifting_timer_is_drawn_with_a_third_of_the_judder() {
    let motions = [("uniform", uniform(5.0, SECONDS)), ("circle", circle(3.0, 4.0, SECONDS))];
    for (name, motion) in &motions {
        for rate in [60.0, 75.0, 144.0, 240.0] {
            let pairs = against_seed(Worker::Drifting, motion, rate);
            let (mean, _, later) = row(&format!("drifting, {name}"), rate, &pairs);
            assert!(mean <= 1.0 / 3.0, "{mean}");
            assert!(later <= TICK, "{later}");
        }
    }
}

#[test]
fn a_running_player_too() {
    for seed in 0..3 {
        let motion = runner(SECONDS, Some(6.0), &mut Random::new(seed));
        for rate in [60.0, 144.0] {
            let pairs = against_seed(Worker::Jittery, &motion, rate);
            row("jittery, runner", rate, &pairs);
            let pairs = against_seed(Worker::Drifting, &motion, rate);
            row("drifting, runner", rate, &pairs);
        }
    }
}
