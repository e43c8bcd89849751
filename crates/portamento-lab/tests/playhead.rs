//! How much smoother is the locked playhead than the original rule, on the same ticks and frames?

use portamento::playhead::{PlayheadRule, PlayheadSettings};
use portamento_lab::strategy::ours::ByPlayhead;
use portamento_lab::strategy::rivals::FixedDelay;
use portamento_lab::strategy::{Drawn, Feed, play};
use portamento_lab::synthetic::{Random, Worker, circle, even_frames, runner, uniform};
use portamento_lab::yardstick::{Figures, Motion, Rules, measure};

const TICK: f64 = 1.0 / 60.0;
const SECONDS: f64 = 30.0;
const RATES: [f64; 4] = [60.0, 75.0, 144.0, 240.0];

fn draw(feed: &Feed<[f64; 3]>, frames: &[f64], rule: PlayheadRule) -> Drawn<[f64; 3]> {
    let mut strategy = ByPlayhead::new(PlayheadSettings { rule, ..PlayheadSettings::at_hz(1.0 / TICK) });
    play(&mut strategy, feed, frames)
}

fn figures(motion: &Motion<[f64; 3]>, feed: &Feed<[f64; 3]>, drawn: Drawn<[f64; 3]>) -> Figures {
    let rules = Rules { from: 2.0, latencies: (-0.05, 0.2), ..Rules::default() };
    measure(motion, &drawn.on_clock(&feed.clock), &rules)
}

/// Judder of `locked` over that of `seed`, and how much later it is, one pair for each of `seeds` writers.
fn against_seed(worker: Worker, motion: &Motion<[f64; 3]>, rate: f64, seeds: u64) -> Vec<(f64, f64)> {
    (0..seeds).map(|seed| beside_seed(&published(worker, motion, seed), motion, rate).1).collect()
}

fn published(worker: Worker, motion: &Motion<[f64; 3]>, seed: u64) -> Feed<[f64; 3]> {
    worker.publish(motion, 60.0, &mut Random::new(seed))
}

/// The judder of `seed`, and that of `locked` over it with how much later it is.
fn beside_seed(feed: &Feed<[f64; 3]>, motion: &Motion<[f64; 3]>, rate: f64) -> (f64, (f64, f64)) {
    let frames = even_frames(rate, 0.1, SECONDS - 1.0);
    let locked = draw(feed, &frames, PlayheadRule::Locked);
    let backwards = locked.content.windows(2).filter(|pair| pair[1] < pair[0]).count();
    assert_eq!(backwards, 0, "drawn time goes back in {backwards} frames");
    let locked = figures(motion, feed, locked);
    let original = figures(motion, feed, draw(feed, &frames, PlayheadRule::SinceArrival));
    (original.judder, (locked.judder / original.judder, locked.latency - original.latency))
}

/// The judder of a picture by someone who knows what the writer's clock will read, and draws its mean over a second
/// either way. On a curve it is not zero: the clock itself leaves its straight line, and the picture with it.
fn judder_of_the_wandering(feed: &Feed<[f64; 3]>, motion: &Motion<[f64; 3]>, rate: f64) -> f64 {
    let ticks = &feed.arrivals;
    let ahead = |now: f64| {
        let now = now.clamp(ticks[0].arrived, ticks[ticks.len() - 1].arrived);
        let next = ticks.partition_point(|tick| tick.arrived <= now).clamp(1, ticks.len() - 1);
        let (from, to) = (&ticks[next - 1], &ticks[next]);
        let alpha = (now - from.arrived) / (to.arrived - from.arrived);
        from.sent + alpha * (to.sent - from.sent) - feed.clock.read(now)
    };
    let mut truth = motion.reader();
    let mut drawn = Drawn::new();
    for now in even_frames(rate, 0.1, SECONDS - 1.0) {
        let mean = (-25..=25).map(|k| ahead(now + 0.04 * f64::from(k))).sum::<f64>() / 51.0;
        let at = feed.clock.read(now) + mean - TICK;
        drawn.push(now, truth.at(at), Some(at));
    }
    figures(motion, feed, drawn).judder
}

/// Prints a row and gives the mean and worst share of judder, and the most that it is later.
fn row(name: &str, rate: f64, pairs: &[(f64, f64)]) -> (f64, f64, f64) {
    let mean = pairs.iter().map(|p| p.0).sum::<f64>() / pairs.len() as f64;
    let worst = pairs.iter().map(|p| p.0).fold(0.0, f64::max);
    let later = pairs.iter().map(|p| p.1).fold(f64::MIN, f64::max);
    println!(
        "{name:18} {rate:3} frames/s: judder {mean:.3} of seed's (worst {worst:.3}), at most {:.1} ms later",
        later * 1e3
    );
    (mean, worst, later)
}

#[test]
fn a_jittery_publisher_is_drawn_with_a_twentieth_of_the_judder() {
    for (name, motion, seeds) in
        [("uniform", uniform(5.0, SECONDS), 5), ("circle", circle(3.0, 4.0, SECONDS), 2)]
    {
        for rate in RATES {
            let pairs = against_seed(Worker::Jittery, &motion, rate, seeds);
            let (_, worst, later) = row(&format!("jittery, {name}"), rate, &pairs);
            assert!(worst <= 0.05, "{worst}");
            assert!(later <= TICK, "{later}");
        }
    }
}

#[test]
fn a_drifting_timer_is_drawn_with_a_third_of_the_judder() {
    let motion = uniform(5.0, SECONDS);
    for rate in RATES {
        let pairs = against_seed(Worker::Drifting, &motion, rate, 5);
        let (_, worst, later) = row("drifting, uniform", rate, &pairs);
        assert!(worst <= 0.26, "{worst}");
        assert!(later <= TICK, "{later}");
    }
}

/// On a curve the timer's own wandering counts as judder, for every rule that follows the timer: in half a minute it
/// leaves a straight line by 10 to 20 ms, more than a tick of delay can hide.
#[test]
fn on_a_curve_a_drifting_timer_adds_little_but_its_own_wandering() {
    let motion = circle(3.0, 4.0, SECONDS);
    for (rate, seeds) in RATES.into_iter().zip([10, 3, 3, 3]) {
        let mut pairs = Vec::new();
        let (mut wandering, mut added) = (0.0_f64, 0.0_f64);
        for seed in 0..seeds {
            let feed = published(Worker::Drifting, &motion, seed);
            let (original, (share, later)) = beside_seed(&feed, &motion, rate);
            let alone = judder_of_the_wandering(&feed, &motion, rate) / original;
            pairs.push((share, later));
            wandering = wandering.max(alone);
            added = added.max((share * share - alone * alone).max(0.0).sqrt());
        }
        let (mean, worst, later) = row("drifting, circle", rate, &pairs);
        println!("{:30} the wandering alone at most {wandering:.3}, the rest at most {added:.3}", "");
        assert!(mean <= 0.30 && added <= 0.25, "{mean} {added}");
        assert!(worst <= if rate == 60.0 { 0.40 } else { 1.0 / 3.0 }, "{worst}");
        assert!(later <= TICK, "{later}");
    }
}

#[test]
fn a_jittery_publisher_is_drawn_as_if_its_clock_were_known() {
    // A running player with teleports: what is left is the straight lines between ticks, nothing of the clock.
    let motion = runner(SECONDS, Some(6.0), &mut Random::new(1));
    let feed = Worker::Jittery.publish(&motion, 60.0, &mut Random::new(1));
    let frames = even_frames(144.0, 0.1, SECONDS - 1.0);
    let known = figures(&motion, &feed, play(&mut FixedDelay::linear(0.0, 0.05), &feed, &frames));
    let locked = figures(&motion, &feed, draw(&feed, &frames, PlayheadRule::Locked));
    let (floor, ours) = (known.judder, locked.judder);
    println!("jittery, runner: judder {ours:.4} with the clock estimated, {floor:.4} with the clock known");
    assert!(ours <= 1.15 * floor, "{ours} {floor}");
    assert_eq!(locked.slide.time, 0.0, "a teleport shows as a slide");
    assert_eq!(locked.reverse, 0.0);
}
