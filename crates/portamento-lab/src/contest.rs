//! Is the snapshot buffer better than what users would pick instead?
//!
//! A [`Case`] is one motion over one link at one rate; its [`Score`] is how ours and every reference strategy did on it.

use crate::strategy::oracle::floors;
use crate::strategy::ours::{Drawable, SnapshotBuffer};
use crate::strategy::rivals::{Curve, reference};
use crate::strategy::{Clock, Drawn, Feed, play};
use crate::synthetic::{Link, Random, bird, dancer, frames_from_intervals, jittered_frames, runner, vehicle};
use crate::traces::{AnyMotion, Network, read_frames, read_motion, read_network, recording_name, recordings};
use crate::yardstick::statistics::percentile;
use crate::yardstick::{Figures, Motion, Rules, measure};
use std::error::Error;
use std::path::{Path, PathBuf};

/// One motion over one link, ready to be drawn by everybody.
pub struct Case {
    /// What it is called in a table.
    pub name: String,
    play: Box<dyn Fn(&str) -> Score + Send + Sync>,
}

impl Case {
    fn new<P: Drawable + Send + Sync + 'static>(
        name: String,
        motion: Motion<P>,
        feed: Feed<P>,
        frames: Vec<f64>,
        rules: Rules,
    ) -> Self {
        Self { name, play: Box::new(move |name| score(name, &motion, &feed, &frames, &rules)) }
    }

    /// A recorded motion over a recorded link at `rate` messages a second, drawn at recorded frame times from 5 s on.
    pub fn recorded(
        name: String,
        motion: &AnyMotion,
        network: &Network,
        rate: f64,
        intervals: &[f64],
    ) -> Self {
        fn case<P: Drawable + Send + Sync + 'static>(
            name: String,
            motion: &Motion<P>,
            feed: Feed<P>,
            intervals: &[f64],
        ) -> Case {
            let from = motion.start() + 5.0;
            let frames = frames_from_intervals(intervals, from, motion.end());
            Case::new(name, motion.clone(), feed, frames, Rules::recorded(from))
        }
        match motion {
            AnyMotion::Places(motion) => case(name, motion, network.send(motion, 1.0 / rate), intervals),
            AnyMotion::Turns(motion) => case(name, motion, network.send(motion, 1.0 / rate), intervals),
        }
    }

    /// Plays everybody.
    pub fn score(&self) -> Score {
        (self.play)(&self.name)
    }
}

/// A method and its figures.
pub type Row = (String, Figures);

/// How everybody did on one case.
#[derive(Clone, Debug)]
pub struct Score {
    /// The case.
    pub name: String,
    /// The truth itself, 100 ms late.
    pub oracle: Figures,
    /// The floor: all messages known.
    pub floor: Figures,
    /// The reference strategies.
    pub rivals: Vec<Row>,
    /// The snapshot buffer.
    pub ours: Figures,
}

fn score<P: Drawable + 'static>(
    name: &str,
    motion: &Motion<P>,
    feed: &Feed<P>,
    frames: &[f64],
    rules: &Rules,
) -> Score {
    let figures = |drawn: &Drawn<P>| measure(motion, drawn, rules);
    let [oracle, floor] = floors(motion, feed, frames, 0.1, Curve::Hermite).map(|(_, drawn)| figures(&drawn));
    let rivals = reference(feed).into_iter();
    Score {
        name: name.to_owned(),
        oracle,
        floor,
        rivals: rivals
            .map(|(name, mut rival)| (name, figures(&play(rival.as_mut(), feed, frames))))
            .collect(),
        ours: figures(&play(&mut SnapshotBuffer::new(feed.interval), feed, frames)),
    }
}

impl Score {
    /// Reference strategies that are better in both latency (by more than 2 ms) and judder (by more than 3 %).
    pub fn better_in_both(&self) -> Vec<&Row> {
        let better =
            |f: &Figures| f.latency < self.ours.latency - 0.002 && f.judder < self.ours.judder * 0.97;
        self.rivals.iter().filter(|(_, f)| better(f)).collect()
    }

    /// The smoothest reference strategy of no more latency than ours and 5 ms.
    pub fn nearest(&self) -> Option<&Row> {
        let eligible = self.rivals.iter().filter(|(_, f)| f.latency <= self.ours.latency + 0.005);
        eligible.min_by(|a, b| a.1.judder.total_cmp(&b.1.judder))
    }

    /// Our judder above the floor as a share of that strategy's.
    pub fn judder_left(&self) -> Option<f64> {
        let (_, nearest) = self.nearest()?;
        Some((self.ours.judder - self.floor.judder) / (nearest.judder - self.floor.judder))
    }

    /// How far off the path is allowed: as far as the Source-like strategy, or 1.5 times the exponential one.
    pub fn off_path_allowed(&self) -> f64 {
        let off =
            |name: &str| self.rivals.iter().find(|(n, _)| n == name).map_or(0.0, |(_, f)| f.off_path_p99);
        off("Source-like").max(1.5 * off("exponential 20/s"))
    }
}

/// The built-in cases: a runner over a steady, a lossy, a bursty, an interrupted and a drifting link, 20 and 30
/// messages a second.
pub fn synthetic() -> Vec<Case> {
    const SECONDS: f64 = 40.0;
    let bare = Link::outage();
    let links = [
        ("steady", Some(8.0), Link::steady()),
        ("5 % loss", Some(8.0), Link { loss: 0.05, ..Link::lossy() }),
        ("bursts", Some(8.0), Link::bursts()),
        // No cut in the dark: it would be seen when it is over, by everybody, and say nothing.
        ("2 s outage", None, Link { outage: Some((6.0, 8.0, 12.0)), ..bare }),
        ("500 ppm drift", Some(8.0), Link { clock: Clock { rate: 1.0005, offset: 1000.0 }, ..Link::drift() }),
    ];
    let mut cases = Vec::new();
    for (name, teleport_every, link) in links {
        let motion = runner(SECONDS, teleport_every, &mut Random::new(1));
        for rate in [20.0, 30.0] {
            cases.push(Case::new(
                format!("runner, {name}, {rate} Hz"),
                motion.clone(),
                link.send(&motion, rate, &mut Random::new(2)),
                jittered_frames(60.0, 0.1, 1.0, SECONDS, &mut Random::new(3)),
                Rules { from: 3.0, ..Rules::default() },
            ));
        }
    }
    cases
}

/// Other motions and links than the [built-in cases](synthetic): a vehicle, a bird and a dancer, over links of other kinds, 15
/// and 40 messages a second. With another seed it is another trip over other bad moments: one that no rule was chosen on.
pub fn others(seed: u64) -> Vec<Case> {
    const SECONDS: f64 = 40.0;
    type Make = fn(f64, &mut Random) -> Motion<[f64; 3]>;
    let motions: [(&str, Make); 3] = [("vehicle", vehicle), ("bird", bird), ("dancer", dancer)];
    let base = Link::steady();
    let links = [
        ("crowded wireless", Link { delay: 0.012, jitter: 0.015, loss: 0.02, ..base.clone() }),
        ("satellite", Link { delay: 0.290, jitter: 0.005, loss: 0.01, ..base.clone() }),
        // One stream: what is lost is sent again, and what follows waits for it.
        (
            "stream with loss",
            Link {
                delay: 0.040,
                jitter: 0.002,
                stalls_per_second: 0.6,
                stall: 0.16,
                in_order: true,
                ..base.clone()
            },
        ),
        ("handovers", Link { delay: 0.045, jitter: 0.008, outage: Some((3.0, 3.35, 4.0)), ..base.clone() }),
        (
            "far away, slow clock",
            Link { delay: 0.110, jitter: 0.004, clock: Clock { rate: 0.9993, offset: 5.0 }, ..base },
        ),
    ];
    let random = |number: u64| number.wrapping_add(seed.wrapping_mul(1_000_003));
    let mut cases = Vec::new();
    for (m, (motion_name, motion)) in (11..).zip(motions) {
        let motion = motion(SECONDS, &mut Random::new(random(m)));
        for (l, (link_name, link)) in (31..).zip(&links) {
            for rate in [15.0, 40.0] {
                cases.push(Case::new(
                    format!("{motion_name}, {link_name}, {rate} Hz"),
                    motion.clone(),
                    link.send(&motion, rate, &mut Random::new(random(m * l))),
                    jittered_frames(60.0, 0.1, 1.0, SECONDS, &mut Random::new(random(m + l))),
                    Rules { from: 3.0, ..Rules::default() },
                ));
            }
        }
    }
    cases
}

/// Every `motion-*.csv` over every `network-*.csv` of a directory at 20 and 30 messages a second, drawn at the times of
/// its first `frames-*.csv`.
pub fn recorded(directory: &Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let files = |kind: &str| -> Result<Vec<PathBuf>, Box<dyn Error>> {
        match recordings(directory, kind)? {
            none if none.is_empty() => Err(format!("{}: no {kind}-*.csv in it", directory.display()).into()),
            files => Ok(files),
        }
    };
    let intervals = read_frames(&files("frames")?[0])?.intervals;
    let mut cases = Vec::new();
    for motion_file in files("motion")? {
        let motion = read_motion(&motion_file)?;
        for network_file in files("network")? {
            let network = read_network(&network_file)?;
            for rate in [20.0, 30.0] {
                let name =
                    format!("{}, {}, {rate} Hz", recording_name(&motion_file), recording_name(&network_file));
                cases.push(Case::recorded(name, &motion, &network, rate, &intervals));
            }
        }
    }
    Ok(cases)
}

/// The median of what is left of the rivals' judder, over cases.
pub fn median_judder_left(scores: &[Score]) -> Option<f64> {
    percentile(scores.iter().filter_map(Score::judder_left).collect(), 0.5)
}
