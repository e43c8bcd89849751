//! Is the snapshot buffer better than what users would pick instead?
//!
//! A [`Case`] is one motion over one link at one rate; [`Case::score`] plays ours and every reference strategy on it.

use crate::strategy::oracle::OracleBlend;
use crate::strategy::ours::{Drawable, SnapshotBuffer};
use crate::strategy::rivals::{Exponential, FixedDelay, MirrorLike, Newest};
use crate::strategy::{Clock, Feed, Strategy, play};
use crate::synthetic::{Link, Random, frames_from_intervals, jittered_frames, runner};
use crate::traces::{AnyMotion, Network, read_frames, read_motion, read_network};
use crate::yardstick::statistics::percentile;
use crate::yardstick::{Figures, Motion, Rules, measure};
use portamento::remote::Settings;
use std::error::Error;
use std::path::{Path, PathBuf};

/// One motion over one link, drawn at these times.
#[derive(Clone, Debug)]
pub struct Case<P> {
    /// What it is called in a table.
    pub name: String,
    /// What really happened.
    pub motion: Motion<P>,
    /// What arrived of it.
    pub feed: Feed<P>,
    /// When frames are drawn.
    pub frames: Vec<f64>,
    /// What counts.
    pub rules: Rules,
}

/// A method and its figures.
pub type Row = (String, Figures);

/// How everybody did on one case.
#[derive(Clone, Debug)]
pub struct Score {
    /// The case.
    pub name: String,
    /// The floor: all messages known.
    pub floor: Figures,
    /// The reference strategies.
    pub rivals: Vec<Row>,
    /// The snapshot buffer.
    pub ours: Figures,
}

impl<P: Drawable> Case<P> {
    fn measure(&self, strategy: &mut dyn Strategy<P>) -> Figures {
        measure(&self.motion, &play(strategy, &self.feed, &self.frames), &self.rules)
    }

    /// Plays ours with these settings.
    pub fn ours(&self, settings: Settings) -> Figures {
        self.measure(&mut SnapshotBuffer::with(settings))
    }

    /// Plays everybody, ours with its defaults.
    pub fn score(&self) -> Score {
        let clock = self.feed.delay_percentile(0.05);
        let mut rivals = vec![("newest held".to_owned(), self.measure(&mut Newest::new()))];
        for ms in [0, 50, 75, 100, 150, 200, 300] {
            let fixed = self.measure(&mut FixedDelay::linear(clock, f64::from(ms) / 1e3));
            rivals.push((format!("fixed {ms} ms"), fixed));
        }
        rivals.push(("source-like".to_owned(), self.measure(&mut FixedDelay::source_like(clock, 0.1))));
        let three = self.measure(&mut FixedDelay::linear(clock, 3.0 * self.feed.interval));
        rivals.push(("3 intervals".to_owned(), three));
        rivals.push(("mirror-like".to_owned(), self.measure(&mut MirrorLike::new(self.feed.interval))));
        rivals.push(("exponential".to_owned(), self.measure(&mut Exponential::new(20.0))));
        Score {
            name: self.name.clone(),
            floor: self.measure(&mut OracleBlend::new(&self.feed, 0.1)),
            rivals,
            ours: self.ours(Settings::new(self.feed.interval)),
        }
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
        off("source-like").max(1.5 * off("exponential"))
    }
}

/// The built-in cases: a runner over a steady, a lossy, a bursty, an interrupted and a drifting link, 20 and 30
/// messages a second.
pub fn synthetic() -> Vec<Case<[f64; 3]>> {
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
            cases.push(Case {
                name: format!("runner, {name}, {rate} Hz"),
                motion: motion.clone(),
                feed: link.send(&motion, rate, &mut Random::new(2)),
                frames: jittered_frames(60.0, 0.1, 1.0, SECONDS, &mut Random::new(3)),
                rules: Rules { from: 3.0, ..Rules::default() },
            });
        }
    }
    cases
}

/// Scores of every `motion-*.csv` over every `network-*.csv` of a directory at 20 and 30 messages a second, drawn at
/// the times of its first `frames-*.csv`.
pub fn recorded(directory: &Path) -> Result<Vec<Score>, Box<dyn Error>> {
    let files = |prefix: &str| -> Result<Vec<PathBuf>, Box<dyn Error>> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
            .map_err(|e| format!("{}: cannot be read: {e}", directory.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
                name.starts_with(prefix) && name.ends_with(".csv")
            })
            .collect();
        files.sort();
        if files.is_empty() {
            return Err(format!("{}: has no {prefix}*.csv", directory.display()).into());
        }
        Ok(files)
    };
    let intervals = read_frames(&files("frames-")?[0])?.intervals;
    let mut scores = Vec::new();
    for motion_file in files("motion-")? {
        let motion = read_motion(&motion_file)?;
        for network_file in files("network-")? {
            let network = read_network(&network_file)?;
            for rate in [20.0, 30.0] {
                let name = format!("{}, {}, {rate} Hz", stem(&motion_file), stem(&network_file));
                scores.push(match &motion {
                    AnyMotion::Places(motion) => on_record(name, motion, &network, rate, &intervals).score(),
                    AnyMotion::Turns(motion) => on_record(name, motion, &network, rate, &intervals).score(),
                });
            }
        }
    }
    Ok(scores)
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    stem.split_once('-').map_or(stem, |(_, name)| name).to_owned()
}

fn on_record<P: Drawable>(
    name: String,
    motion: &Motion<P>,
    network: &Network,
    rate: f64,
    intervals: &[f64],
) -> Case<P> {
    let from = motion.start() + 5.0;
    Case {
        name,
        motion: motion.clone(),
        feed: network.send(motion, 1.0 / rate),
        frames: frames_from_intervals(intervals, from, motion.end()),
        rules: Rules { from, after_cut: 1.2, add_latency: false, path: 1.5, ..Rules::default() },
    }
}

/// The median of what is left of the rivals' judder, over cases.
pub fn median_judder_left(scores: &[Score]) -> Option<f64> {
    percentile(scores.iter().filter_map(Score::judder_left).collect(), 0.5)
}
