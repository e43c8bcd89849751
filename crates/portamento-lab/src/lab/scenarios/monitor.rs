//! A window that is dragged to a monitor with another refresh rate.

use super::Scenario;
use super::own_loop::accumulator;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::Feed;
use crate::strategy::ours::OwnLoop;
use crate::strategy::rivals::Curve;
use crate::synthetic::{eight, even_frames};
use crate::yardstick::Rules;
use portamento::step::{FixedSettings, Snapping, Stepper};

const TICK_RATE: f64 = 60.0;

pub(super) fn jobs() -> Vec<Job> {
    [75.0, 144.0]
        .map(|second: f64| {
            let name = format!("from a 60 Hz to a {second} Hz display");
            Job::new(name, move |name, options| case(name, second, options))
        })
        .into()
}

fn case(name: &str, second: f64, options: &Options) -> Case {
    const NOISE: f64 = 0.0002;
    let half = options.seconds / 2.0;
    // A game that runs fast needs more of it.
    let motion = eight(2.0 * options.seconds);
    let mut display = even_frames(60.0, 0.0, half);
    let last = display.last().copied().unwrap_or(0.0);
    display.extend(even_frames(second, last + 1.0 / second, options.seconds));
    let mut random = options.random(name);
    let mut newest: f64 = 0.0;
    let readings: Vec<f64> = display
        .iter()
        .map(|time| {
            newest = newest.max(time + random.normal(0.0, NOISE));
            newest
        })
        .collect();
    let setting = format!(
        "Ticks at {TICK_RATE} Hz. Frame times are snapped to a display of 60 Hz; after {half} s the window is on one of \
         {second} Hz. Measured from 2 s before that."
    );
    let rules = Rules { from: (half - 2.0).max(0.5), ..Rules::default() };
    let mut case = Case::new(Scenario::Monitor, name, setting, motion.clone(), rules);
    case.add_floors(&Feed::instant(&motion, TICK_RATE), &display, 1.0 / TICK_RATE, Curve::Linear);
    let own = OwnLoop { truth: &|t| motion.at(t), display: &display, readings: &readings };
    let plain = Stepper::fixed(TICK_RATE).expect("a rate above zero");
    case.add(Kind::Raw, "newest tick drawn", own.raw(plain));
    case.add(Kind::Rival, "accumulator, f64 seconds", accumulator(&own, 1.0 / TICK_RATE));
    let snapping = Snapping::ToDisplay { hz: 60.0 };
    let snapped = Stepper::new(FixedSettings { snapping, ..FixedSettings::at_hz(TICK_RATE) });
    let snapped = snapped.expect("a rate above zero");
    case.add(Kind::Ours, "portamento, snapping set to 60 Hz", own.smooth(snapped));
    case
}
