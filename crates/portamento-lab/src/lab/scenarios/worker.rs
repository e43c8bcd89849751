//! Physics on another thread or in a web worker, on a timer that is never quite on time.

use super::Scenario;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::oracle::{OracleBlend, oracle};
use crate::strategy::ours::ByPlayhead;
use crate::strategy::rivals::{Curve, Exponential, FixedDelay, Newest};
use crate::strategy::{Strategy, play};
use crate::synthetic::{Worker, eight};
use crate::yardstick::Rules;
use portamento::playhead::{PlayheadRule, PlayheadSettings};

const CASES: [(Worker, f64); 4] =
    [(Worker::Jittery, 60.0), (Worker::Jittery, 144.0), (Worker::Drifting, 60.0), (Worker::Drifting, 144.0)];

pub(super) fn jobs(options: &Options) -> Vec<Job> {
    let mut cases = CASES.map(|(worker, rate)| (worker, options.frame_rate(rate))).to_vec();
    cases.dedup();
    let job = |(worker, rate): (Worker, f64)| {
        let kind = match worker {
            Worker::Jittery => "jittery worker",
            Worker::Drifting => "drifting worker",
        };
        let name = format!("{kind}, {}", options.frames_name(rate));
        Job::new(name, move |name, options| case(name, worker, rate, options))
    };
    cases.into_iter().map(job).collect()
}

fn case(name: &str, worker: Worker, rate: f64, options: &Options) -> Case {
    let ticks = options.tick_rate(60.0);
    let motion = eight(options.seconds);
    let feed = worker.publish(&motion, ticks, &mut options.random(name));
    let last = feed.arrivals.last().map_or(0.0, |a| a.arrived);
    // A millisecond after a tick is due: where display and timer are in step, this is where it hurts.
    let frames = options.frames(rate, 0.001, last);
    let how = match worker {
        Worker::Jittery => "published late by about 1 ms, 2 % of them by 4 to 12 ms",
        Worker::Drifting => "each period 1 to 3 ms too long, 2 % of them by 4 to 12 ms more",
    };
    let setting = format!("Ticks at {ticks} Hz, {how}; {}.", options.frames_name(rate));
    let rules = Rules { from: 2.0, ..Rules::default() };
    let mut case = Case::new(Scenario::Worker, name, setting, motion.clone(), rules);
    // A late timer makes the simulation itself slow; that is not the view's fault.
    let on_its_clock: Vec<f64> = frames.iter().map(|&t| feed.clock.read(t)).collect();
    case.add(Kind::Floor, "oracle", oracle(&motion, &on_its_clock, feed.interval));
    let mut draw = |kind, name: &str, strategy: &mut dyn Strategy<[f64; 3]>| {
        case.add(kind, name, play(strategy, &feed, &frames).on_clock(&feed.clock));
    };
    draw(Kind::Floor, "oracle-blend", &mut OracleBlend::new(&feed, feed.interval, Curve::Linear));
    draw(Kind::Raw, "newest tick drawn", &mut Newest::new());
    let by_rule =
        |rule| ByPlayhead::new(PlayheadSettings { rule, ..PlayheadSettings::at_hz(1.0 / feed.interval) });
    draw(Kind::Older, "seed rule", &mut by_rule(PlayheadRule::SinceArrival));
    draw(Kind::Rival, "exponential 20/s", &mut Exponential::new(20.0));
    if worker == Worker::Jittery {
        let mut fixed = FixedDelay::linear(feed.delay_percentile(0.05), 2.0 * feed.interval);
        draw(Kind::Rival, "fixed delay, 2 ticks", &mut fixed);
    }
    draw(Kind::Ours, "portamento, locked playhead", &mut by_rule(PlayheadRule::Locked));
    case
}
