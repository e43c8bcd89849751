//! Remote players over good and bad links: this library's buffer against everything users would pick.

use super::Scenario;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::oracle::{OracleBlend, oracle};
use crate::strategy::rivals::{Exponential, FixedDelay, MirrorLike, Newest};
use crate::strategy::{Drawn, Feed, Strategy, play};
use crate::synthetic::{Link, runner};
use crate::yardstick::{Motion, Place, Rules};

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
        Job::new(Scenario::Links, name, move |options| case(name, &make(), how, options))
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

/// Every strategy for remote things on one feed: floors, raw, rivals, ours.
pub(super) fn drawn_by_all<P: Place>(motion: &Motion<P>, feed: &Feed<P>, frames: &[f64]) -> Vec<Entry<P>> {
    let clock = feed.delay_percentile(0.05);
    let mut all: Vec<(Kind, String, Box<dyn Strategy<P>>)> = vec![
        (Kind::Floor, "oracle-blend".to_owned(), Box::new(OracleBlend::new(feed, 0.1))),
        (Kind::Raw, "newest held".to_owned(), Box::new(Newest::new())),
    ];
    for ms in [50, 75, 100, 150, 200, 300] {
        let fixed = FixedDelay::linear(clock, f64::from(ms) / 1000.0);
        all.push((Kind::Rival, format!("fixed {ms} ms"), Box::new(fixed)));
    }
    all.push((Kind::Rival, "Source-like".to_owned(), Box::new(FixedDelay::source_like(clock, 0.1))));
    all.push((
        Kind::Rival,
        "3 intervals".to_owned(),
        Box::new(FixedDelay::linear(clock, 3.0 * feed.interval)),
    ));
    all.push((Kind::Rival, "Mirror-like".to_owned(), Box::new(MirrorLike::new(feed.interval))));
    all.push((Kind::Rival, "exponential 20/s".to_owned(), Box::new(Exponential::new(20.0))));
    let mut drawn = vec![(Kind::Floor, "oracle".to_owned(), oracle(motion, frames, 0.1))];
    drawn.extend(
        all.into_iter().map(|(kind, name, mut strategy)| (kind, name, play(strategy.as_mut(), feed, frames))),
    );
    drawn
}
