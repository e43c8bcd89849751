//! Recorded motions over recorded links.

use super::Scenario;
use super::links::{Entry, drawn_by_all};
use crate::lab::{Case, Job, Options};
use crate::strategy::Drawn;
use crate::strategy::ours::Drawable;
use crate::synthetic::{Link, runner};
use crate::traces::{AnyMotion, Network};
use crate::yardstick::{Motion, Rules, Sample, Turn, measure};
use std::sync::Arc;

pub(super) fn jobs(options: &Options) -> Vec<Job> {
    let motions: Vec<(String, Option<Arc<AnyMotion>>)> = match options.motions.as_slice() {
        [] => vec![("built-in runner".to_owned(), None)],
        files => files.iter().map(|(name, motion)| (name.clone(), Some(Arc::new(motion.clone())))).collect(),
    };
    let networks: Vec<(String, Option<Arc<Network>>)> = match options.networks.as_slice() {
        [] => vec![("built-in bursty link".to_owned(), None)],
        files => {
            files.iter().map(|(name, network)| (name.clone(), Some(Arc::new(network.clone())))).collect()
        }
    };
    let mut jobs = Vec::new();
    for (motion_name, motion) in &motions {
        for (network_name, network) in &networks {
            let name = format!("{motion_name}, {network_name}");
            let (motion, network) = (motion.clone(), network.clone());
            jobs.push(Job::new(name, move |name, options| {
                case(name, motion.as_deref(), network.as_deref(), options)
            }));
        }
    }
    jobs
}

fn case(name: &str, motion: Option<&AnyMotion>, network: Option<&Network>, options: &Options) -> Case {
    match motion {
        None => {
            places(name, &runner(options.seconds, Some(8.0), &mut options.random("runner")), network, options)
        }
        Some(AnyMotion::Places(motion)) => places(name, motion, network, options),
        Some(AnyMotion::Turns(motion)) => turns(name, motion, network, options),
    }
}

fn draw<P: Drawable + 'static>(
    name: &str,
    motion: &Motion<P>,
    network: Option<&Network>,
    options: &Options,
) -> (Vec<Entry<P>>, Rules, String) {
    let rate = options.tick_rate(20.0);
    let feed = match network {
        Some(network) => network.send(motion, 1.0 / rate),
        None => Link::bursts().send(motion, rate, &mut options.random(name)),
    };
    // Settled after 5 s, or a quarter of a short recording.
    let from = motion.start() + 5.0_f64.min((motion.end() - motion.start()) / 4.0);
    let frames = options.frames(60.0, from, motion.end());
    let cuts = motion.cuts().len();
    let cuts = if cuts == 1 { "one cut".to_owned() } else { format!("{cuts} cuts") };
    let setting = format!("{rate} messages a second, {cuts}; {}.", options.frames_name(60.0));
    (drawn_by_all(motion, &feed, &frames), Rules::recorded(from), setting)
}

fn places(name: &str, motion: &Motion<[f64; 3]>, network: Option<&Network>, options: &Options) -> Case {
    let (all, rules, setting) = draw(name, motion, network, options);
    let mut case = Case::new(Scenario::Recorded, name, setting, motion.clone(), rules);
    for (kind, name, drawn) in all {
        case.add(kind, name, drawn);
    }
    case
}

/// Figures are taken of the turns themselves; plots show where the nose points.
fn turns(name: &str, motion: &Motion<Turn>, network: Option<&Network>, options: &Options) -> Case {
    let (all, rules, setting) = draw(name, motion, network, options);
    let samples = motion.samples().iter();
    let noses = samples.map(|s| Sample { time: s.time, place: nose(s.place), cut: s.cut }).collect();
    let mut case = Case::new(Scenario::Recorded, name, setting, Motion::new(noses), rules.clone());
    case.turning = true;
    for (kind, name, drawn) in all {
        let figures = measure(motion, &drawn, &rules);
        let places = drawn.places.iter().map(|&turn| nose(turn)).collect();
        case.add_measured(kind, name, Drawn { places, times: drawn.times, content: drawn.content }, figures);
    }
    case
}

/// Where +x points after a turn.
fn nose(turn: Turn) -> [f64; 3] {
    let [x, y, z, w] = turn.0;
    [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)]
}
