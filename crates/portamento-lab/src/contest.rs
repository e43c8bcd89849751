//! Is the snapshot buffer better than what users would pick instead?
//!
//! A [`Case`] is one motion over one link at one rate; [`Case::score`] plays ours and every reference strategy on it.

use crate::strategy::oracle::OracleBlend;
use crate::strategy::ours::{Drawable, SnapshotBuffer};
use crate::strategy::rivals::{Exponential, FixedDelay, MirrorLike, Newest};
use crate::strategy::{Feed, Strategy, play};
use crate::yardstick::{Figures, Motion, Rules, measure};
use portamento::remote::Settings;

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
