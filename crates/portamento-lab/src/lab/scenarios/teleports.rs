//! Remote players that are put somewhere else now and then.

use super::Scenario;
use super::links::drawn_by_all;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::rivals::FixedDelay;
use crate::strategy::{Arrival, Feed, play};
use crate::synthetic::{Link, runner};
use crate::yardstick::Rules;

pub(super) fn jobs() -> Vec<Job> {
    let job =
        |(name, lossy): (&'static str, bool)| Job::new(name, move |name, options| case(name, lossy, options));
    [("teleports, steady link", false), ("teleports, every fifth message lost", true)].map(job).into()
}

fn case(name: &str, lossy: bool, options: &Options) -> Case {
    let rate = options.tick_rate(20.0);
    let motion = runner(options.seconds, Some(1.0), &mut options.random("teleporting runner"));
    let link = if lossy { Link { loss: 0.2, ..Link::lossy() } } else { Link::steady() };
    let feed = link.send(&motion, rate, &mut options.random(name));
    let frames = options.frames(60.0, 0.5, options.seconds);
    let cuts = motion.cuts().len();
    let setting = format!("{rate} messages a second, {cuts} teleports; {}.", options.frames_name(60.0));
    let mut case = Case::new(
        Scenario::Teleports,
        name,
        setting,
        motion.clone(),
        Rules { from: 3.0, ..Rules::default() },
    );
    for (kind, name, drawn) in drawn_by_all(&motion, &feed, &frames) {
        case.add(kind, name, drawn);
    }
    // What a buffer does that is not told: it blends straight through the jump.
    let untold =
        Feed { arrivals: feed.arrivals.iter().map(|a| Arrival { epoch: 0, ..*a }).collect(), ..feed };
    let mut careless = FixedDelay::linear(untold.delay_percentile(0.05), 0.1);
    case.add(Kind::Rival, "fixed 100 ms, not told of cuts", play(&mut careless, &untold, &frames));
    case
}
