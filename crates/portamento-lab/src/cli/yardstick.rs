//! `portamento yardstick`: the reference strategies on recorded traces.

use super::Outcome;
use crate::strategy::oracle::{OracleBlend, oracle};
use crate::strategy::rivals::{Exponential, FixedDelay, MirrorLike, Newest};
use crate::strategy::{Feed, Strategy, play};
use crate::synthetic::frames_from_intervals;
use crate::traces::{AnyMotion, read_intervals, read_motion, read_network};
use crate::yardstick::{Figures, Motion, Place, Rules, measure};
use clap::Args;
use std::error::Error;
use std::path::PathBuf;

/// Measure the reference strategies on recorded motion, network and frame times.
#[derive(Debug, Args)]
pub(crate) struct Yardstick {
    /// Directory with motion-*.csv, network-*.csv and frames-*.csv.
    #[arg(long)]
    data: PathBuf,
    /// Motion file, relative to the directory.
    #[arg(long, default_value = "motion-quake-duel.csv")]
    motion: PathBuf,
    /// Network file, relative to the directory.
    #[arg(long, default_value = "network-lte-driving.csv")]
    network: PathBuf,
    /// File of frame intervals, relative to the directory.
    #[arg(long, default_value = "frames-farcry.csv")]
    frames: PathBuf,
    /// Messages per second.
    #[arg(long, default_value_t = 20.0)]
    rate: f64,
}

impl Yardstick {
    pub fn run(self) -> Result<Outcome, Box<dyn Error>> {
        let network = read_network(&self.data.join(&self.network))?;
        let intervals = read_intervals(&self.data.join(&self.frames))?;
        match read_motion(&self.data.join(&self.motion))? {
            AnyMotion::Places(motion) => table(&motion, &network.send(&motion, 1.0 / self.rate), &intervals),
            AnyMotion::Turns(motion) => table(&motion, &network.send(&motion, 1.0 / self.rate), &intervals),
        }
        Ok(Outcome::Fine)
    }
}

fn table<P: Place>(motion: &Motion<P>, feed: &Feed<P>, intervals: &[f64]) {
    let from = motion.start() + 5.0;
    let frames = frames_from_intervals(intervals, from, motion.end());
    let rules = Rules { from, after_cut: 1.2, add_latency: false, path: 1.5, ..Rules::default() };
    let row = |name: &str, f: Figures| {
        println!(
            "{name:<28} {:>7.1} {:>7.3} {:>7.2} {:>6.1} {:>6.1} {:>6.1} {:>7.2} {:>5}",
            f.latency * 1e3,
            f.judder,
            f.judder2,
            f.freeze * 100.0,
            f.jump * 100.0,
            f.reverse * 100.0,
            f.off_path_p99,
            f.frames
        );
    };
    let clock = feed.delay_percentile(0.05);
    row("ORACLE", measure(motion, &oracle(motion, &frames, 0.1), &rules));
    let run = |name: &str, mut strategy: Box<dyn Strategy<P>>| {
        row(name, measure(motion, &play(strategy.as_mut(), feed, &frames), &rules));
    };
    run("ORACLE-BLEND", Box::new(OracleBlend::new(feed, 0.1)));
    run("newest held", Box::new(Newest::new()));
    for ms in [0, 50, 75, 100, 150, 200, 300] {
        run(&format!("fixed lerp {ms} ms"), Box::new(FixedDelay::linear(clock, f64::from(ms) / 1e3)));
    }
    run("source", Box::new(FixedDelay::source_like(clock, 0.1)));
    run("3-interval", Box::new(FixedDelay::linear(clock, 3.0 * feed.interval)));
    run("mirror", Box::new(MirrorLike::new(feed.interval)));
    run("exponential", Box::new(Exponential::new(20.0)));
}
