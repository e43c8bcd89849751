//! Physics in accepted portions of time, drawn by the two older rules and by the even one.

use super::Scenario;
use super::own_loop::accumulator;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::Feed;
use crate::strategy::ours::OwnLoop;
use crate::strategy::rivals::Curve;
use crate::synthetic::eight;
use crate::yardstick::Rules;
use portamento::step::{GateRule, GateSettings, GatedStepper, Stepper};

pub(super) fn jobs(options: &Options) -> Vec<Job> {
    let mut rates = [60.0, 90.0, 144.0, 240.0].map(|rate| options.frame_rate(rate)).to_vec();
    rates.dedup();
    let job = |rate: f64| {
        let name = format!("gate, {}", options.frames_name(rate));
        Job::new(name, move |name, options| case(name, rate, options))
    };
    rates.into_iter().map(job).collect()
}

fn gate(rule: GateRule) -> GatedStepper {
    GatedStepper::with_gate(GateSettings::from(rule)).expect("the lengths of every rule can work")
}

fn case(name: &str, rate: f64, options: &Options) -> Case {
    let motion = eight(options.seconds);
    let display = options.jittered_frames(rate, 0.001, name);
    let jitter = if options.intervals.is_some() { "" } else { ", intervals that vary by 0.1 %" };
    let setting = format!("Quanta of at least 1/30 s; {}{jitter}.", options.frames_name(rate));
    let mut case = Case::new(Scenario::Gate, name, setting, motion.clone(), Rules::default());
    case.add_floors(&Feed::instant(&motion, 30.0), &display, 1.0 / 30.0, Curve::Linear);
    let own = OwnLoop { truth: &|t| motion.at(t), display: &display, readings: &display };
    case.add(Kind::Raw, "newest quantum drawn", own.raw(gate(GateRule::AllAtOnce)));
    // Without a gate, users take a fixed step of its shortest quantum.
    case.add(Kind::Rival, "no gate, fixed 30 Hz", accumulator(&own, 1.0 / 30.0));
    case.add(Kind::Older, "seed rule", own.smooth(gate(GateRule::OneAtATime)));
    case.add(Kind::Older, "client rule", own.smooth(gate(GateRule::AllAtOnce)));
    case.add(Kind::Ours, "portamento, even rule", own.smooth(Stepper::gated()));
    case
}
