//! Remote players over good and bad links: this library's buffer against everything users would pick.

use super::Scenario;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::oracle::floors;
use crate::strategy::ours::{Drawable, SnapshotBuffer};
use crate::strategy::rivals::{Curve, reference};
use crate::strategy::{Drawn, Feed, play};
use crate::synthetic::{Link, runner};
use crate::yardstick::{Motion, Rules};

type MakeLink = fn() -> Link;

const LINKS: [(&str, MakeLink, &str); 5] = [
    ("steady link", Link::steady, "20 ms, 1 ms of jitter"),
    ("lossy link", Link::lossy, "30 ms, 8 ms of jitter, 5 % of messages lost"),
    (
        "bursty link",
        Link::bursts,
        "35 ms; twice a second nothing comes for about 80 ms, then everything at once",
    ),
    ("link with outages", Link::outage, "30 ms, 6 ms of jitter; nothing for 1.2 s in every ten"),
    ("drifting clock", Link::drift, "20 ms, 3 ms of jitter; the sender's clock runs 0.2 % fast"),
];

pub(super) fn jobs() -> Vec<Job> {
    let job = |(name, make, how): (&'static str, MakeLink, &'static str)| {
        Job::new(name, move |name, options| case(name, &make(), how, options))
    };
    LINKS.map(job).into()
}

fn case(name: &str, link: &Link, how: &str, options: &Options) -> Case {
    let rate = options.tick_rate(20.0);
    let motion = runner(options.seconds, None, &mut options.random("runner"));
    let feed = link.send(&motion, rate, &mut options.random(name));
    let frames = options.frames(60.0, 0.5, options.seconds);
    let setting = format!("{rate} messages a second; {how}; {}.", options.frames_name(60.0));
    let mut case =
        Case::new(Scenario::Links, name, setting, motion.clone(), Rules { from: 3.0, ..Rules::default() });
    for (kind, name, drawn) in drawn_by_all(&motion, &feed, &frames) {
        case.add(kind, name, drawn);
    }
    case
}

/// A strategy's kind, its name and what it drew.
pub(super) type Entry<P> = (Kind, String, Drawn<P>);

/// Every strategy for remote entities on one feed: floors, raw, rivals, ours.
pub(super) fn drawn_by_all<P: Drawable + 'static>(
    motion: &Motion<P>,
    feed: &Feed<P>,
    frames: &[f64],
) -> Vec<Entry<P>> {
    let floors = floors(motion, feed, frames, 0.1, Curve::Hermite);
    let mut drawn: Vec<Entry<P>> =
        floors.into_iter().map(|(name, drawn)| (Kind::Floor, name.to_owned(), drawn)).collect();
    for (name, mut strategy) in reference(feed) {
        let kind = match name.as_str() {
            "fixed 0 ms" => continue, // holds the newest as well
            "newest held" => Kind::Raw,
            _ => Kind::Rival,
        };
        drawn.push((kind, name, play(strategy.as_mut(), feed, frames)));
    }
    let mut ours = SnapshotBuffer::new(feed.interval);
    drawn.push((Kind::Ours, "portamento".to_owned(), play(&mut ours, feed, frames)));
    drawn
}
