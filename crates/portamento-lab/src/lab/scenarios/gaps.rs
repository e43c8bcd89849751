//! Real life: a laptop that slept, a hitch, a loading screen.

use super::Scenario;
use super::links::drawn_by_all;
use crate::lab::{Case, Job, Options};
use crate::synthetic::{Link, runner};
use crate::yardstick::Rules;

/// What interrupts the game, for how many seconds.
#[derive(Clone, Copy)]
enum Gap {
    /// No frames, and what was sent meanwhile is lost. Our clock runs on.
    Sleep,
    /// No frames; messages wait in the socket and are all read in the first frame after it.
    Hitch,
    /// Messages come in from the start, the first frame is drawn later.
    Loading,
}

const CASES: [(&str, Gap, f64, &str); 3] = [
    (
        "asleep for 30 s",
        Gap::Sleep,
        30.0,
        "no frames and no messages for 30 s; measured from 0.5 s after waking on",
    ),
    ("hitch of 1.5 s", Gap::Hitch, 1.5, "no frames for 1.5 s, then all messages at once"),
    (
        "loading screen of 5 s",
        Gap::Loading,
        5.0,
        "messages for 5 s before the first frame; measured from there",
    ),
];

pub(super) fn jobs() -> Vec<Job> {
    let job = |(name, gap, length, how): (&'static str, Gap, f64, &'static str)| {
        Job::new(name, move |name, options| case(name, gap, length, how, options))
    };
    CASES.map(job).into()
}

fn case(name: &str, gap: Gap, length: f64, how: &str, options: &Options) -> Case {
    let rate = options.tick_rate(20.0);
    let seconds = options.seconds + length;
    let motion = runner(seconds, None, &mut options.random("runner"));
    let mut feed = Link { jitter: 0.003, ..Link::steady() }.send(&motion, rate, &mut options.random(name));
    let start = match gap {
        Gap::Sleep | Gap::Hitch => options.seconds / 2.0,
        Gap::Loading => 0.0,
    };
    let end = start + length;
    let dark = |time: f64| (start..end).contains(&time);
    match gap {
        Gap::Sleep => feed.arrivals.retain(|arrival| !dark(arrival.arrived)),
        Gap::Hitch | Gap::Loading => {}
    }
    if let Gap::Hitch = gap {
        for arrival in feed.arrivals.iter_mut().filter(|arrival| dark(arrival.arrived)) {
            arrival.arrived = end;
        }
    }
    let mut frames = options.frames(60.0, 0.5, seconds);
    frames.retain(|&time| !dark(time));
    let from = match gap {
        // One jump is right then, and said to be one; what counts is where everything is afterwards.
        Gap::Sleep => end + 0.5,
        Gap::Hitch => start - 1.0,
        Gap::Loading => end,
    };
    let setting = format!("{rate} messages a second; {how}; {}.", options.frames_name(60.0));
    let rules = Rules { from, ..Rules::default() };
    let mut case = Case::new(Scenario::Gaps, name, setting, motion.clone(), rules);
    case.play_from = matches!(gap, Gap::Sleep).then_some(end);
    for (kind, name, drawn) in drawn_by_all(&motion, &feed, &frames) {
        case.add(kind, name, drawn);
    }
    case
}
