//! Interest management: an entity that is only in every second or fourth message of a good link.

use super::Scenario;
use super::links::drawn_by_all;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::{Drawn, Feed};
use crate::synthetic::{Link, runner};
use crate::yardstick::Rules;
use portamento::remote::{Peer, Report, Snapshots};

pub(super) fn jobs() -> Vec<Job> {
    let job = |(name, every): (&'static str, usize)| {
        Job::new(name, move |name, options| case(name, every, options))
    };
    [("in every second message", 2), ("in every fourth message", 4)].map(job).into()
}

fn case(name: &str, every: usize, options: &Options) -> Case {
    let rate = options.tick_rate(20.0);
    let motion = runner(options.seconds, None, &mut options.random("runner"));
    let all = Link::steady().send(&motion, rate, &mut options.random(name));
    let arrivals = all.arrivals.iter().step_by(every).copied().collect();
    // The rivals are told the entity's own interval: whoever uses them would find it by trial.
    let of_entity = Feed { arrivals, interval: all.interval * every as f64, ..all };
    let frames = options.frames(60.0, 0.5, options.seconds);
    let setting = format!(
        "{rate} messages a second on a good link, the entity in one of {every}; {}.",
        options.frames_name(60.0)
    );
    let rules = Rules { from: 3.0, ..Rules::default() };
    let mut case = Case::new(Scenario::Interest, name, setting, motion.clone(), rules);
    for (kind, name, drawn) in drawn_by_all(&motion, &of_entity, &frames) {
        let drawn = if kind == Kind::Ours { ours(&all, every, rate, &frames) } else { drawn };
        case.add(kind, name, drawn);
    }
    case
}

/// As a game would: one peer that hears every message, and one entity that is in some of them.
fn ours(feed: &Feed<[f64; 3]>, every: usize, rate: f64, frames: &[f64]) -> Drawn<[f64; 3]> {
    let mut peer = Peer::at_hz(rate).expect("the command line refuses rates that make no sense");
    let mut entity: Snapshots<[f64; 3]> = Snapshots::new();
    let mut messages = feed.arrivals.iter().enumerate().peekable();
    let mut drawn = Drawn::new();
    for &now in frames {
        while let Some((k, message)) = messages.next_if(|(_, message)| message.arrived <= now) {
            let stamp = peer.receive(message.sent, message.arrived);
            if k % every == 0 {
                entity.insert(stamp, Report::new(message.place).with_epoch(message.epoch));
            }
        }
        let Some(frame) = peer.frame(now) else { continue };
        if let Some(seen) = entity.draw(&frame).here() {
            drawn.push(now, seen.now, Some(feed.clock.true_time(frame.shown)));
        }
    }
    drawn
}
