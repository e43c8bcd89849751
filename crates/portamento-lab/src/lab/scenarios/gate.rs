//! Physics in accepted portions of time, drawn by the original rules and by the even one.

use super::Scenario;
use crate::lab::own_loop::OwnLoop;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::oracle::{OracleBlend, oracle};
use crate::strategy::{Feed, play};
use crate::synthetic::{eight, jittered_frames};
use crate::yardstick::Rules;
use portamento::step::{GateRule, Stepper};

const RATES: [f64; 4] = [60.0, 90.0, 144.0, 240.0];

pub(super) fn jobs(options: &Options) -> Vec<Job> {
    let mut rates = RATES.map(|rate| options.frame_rate.unwrap_or(rate)).to_vec();
    if options.intervals.is_some() {
        rates.truncate(1);
    }
    rates.dedup();
    let job = |rate: f64| {
        let name = format!("gate, {}", options.frames_name(rate));
        Job::new(Scenario::Gate, name.clone(), move |options| case(&name, rate, options))
    };
    rates.into_iter().map(job).collect()
}

fn case(name: &str, rate: f64, options: &Options) -> Case {
    let motion = eight(options.seconds);
    let display = match &options.intervals {
        Some(_) => options.frames(rate, 0.0, options.seconds),
        None => jittered_frames(rate, 0.001, 0.0, options.seconds, &mut options.random(name)),
    };
    let jitter = if options.intervals.is_some() { "" } else { ", intervals that vary by 0.1 %" };
    let setting = format!("Quanta of at least 1/30 s; {}{jitter}.", options.frames_name(rate));
    let mut case = Case::new(Scenario::Gate, name, setting, motion.clone(), Rules::default());
    let own = OwnLoop { motion: &motion, display: &display, readings: &display };
    case.add(Kind::Floor, "oracle", oracle(&motion, &display, 1.0 / 30.0));
    let known = Feed::instant(&motion, 30.0);
    case.add(
        Kind::Floor,
        "oracle-blend",
        play(&mut OracleBlend::linear(&known, 1.0 / 30.0), &known, &display),
    );
    case.add(Kind::Raw, "newest quantum drawn", own.raw(Stepper::gated(GateRule::Client)));
    case.add(Kind::Rival, "seed rule", own.smooth(Stepper::gated(GateRule::Seed)));
    case.add(Kind::Rival, "client rule", own.smooth(Stepper::gated(GateRule::Client)));
    case.add(Kind::Ours, "portamento, even rule", own.smooth(Stepper::gated(GateRule::Even)));
    case
}
