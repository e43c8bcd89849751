//! `portamento yardstick`: the reference strategies on recorded traces, as one table.

use super::{Outcome, print};
use crate::strategy::oracle::{OracleBlend, oracle};
use crate::strategy::ours::{Drawable, SnapshotBuffer};
use crate::strategy::rivals::reference;
use crate::strategy::{Drawn, Feed, play};
use crate::synthetic::frames_from_intervals;
use crate::traces::{AnyMotion, read_frames, read_motion, read_network};
use crate::yardstick::{Motion, Rules, measure};
use clap::Args;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

/// Measure the reference strategies on recorded traces: the yardstick's own check.
///
/// Every strategy here is published with its figures on known traces; a yardstick or a strategy that has
/// drifted shows at once. Frames begin 5 s into the motion, those from 50 ms before to 1.2 s after a cut do
/// not count, off path is the distance to the true path of the last 1.5 s.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  portamento yardstick --data traces --motion player.csv --network lte.csv --frames capture.csv --rate 20")]
pub(crate) struct Yardstick {
    /// Directory of the files
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Motion file in it
    #[arg(long, default_value = "motion-quake-duel.csv", value_name = "FILE")]
    motion: PathBuf,
    /// Network file in it
    #[arg(long, default_value = "network-lte-driving.csv", value_name = "FILE")]
    network: PathBuf,
    /// Frame-time file in it
    #[arg(long, default_value = "frames-farcry.csv", value_name = "FILE")]
    frames: PathBuf,
    /// Messages per second
    #[arg(long, default_value_t = 20.0, value_name = "HZ", value_parser = super::lab::rate)]
    rate: f64,
}

impl Yardstick {
    pub fn run(self) -> Result<Outcome, Box<dyn Error>> {
        let network = read_network(&self.data.join(&self.network))?;
        let intervals = read_frames(&self.data.join(&self.frames))?.intervals;
        let interval = 1.0 / self.rate;
        let table = match read_motion(&self.data.join(&self.motion))? {
            AnyMotion::Places(motion) => table(&motion, &network.send(&motion, interval), &intervals),
            AnyMotion::Turns(motion) => table(&motion, &network.send(&motion, interval), &intervals),
        };
        print(&table)?;
        Ok(Outcome::Fine)
    }
}

fn table<P: Drawable + 'static>(motion: &Motion<P>, feed: &Feed<P>, intervals: &[f64]) -> String {
    let from = motion.start() + 5.0;
    let frames = frames_from_intervals(intervals, from, motion.end());
    let rules = Rules { from, after_cut: 1.2, add_latency: false, path: 1.5, ..Rules::default() };
    let mut out = String::from(
        "strategy              latency ms       J      J2  freeze %  jump %  reverse %  off path p99  frames\n",
    );
    let mut row = |name: &str, drawn: &Drawn<P>| {
        let f = measure(motion, drawn, &rules);
        let _ = writeln!(
            out,
            "{name:<20}  {:>10.1}  {:>6.3}  {:>6.2}  {:>8.1}  {:>6.1}  {:>9.1}  {:>12.2}  {:>6}",
            f.latency * 1e3,
            f.judder,
            f.judder2,
            f.freeze * 1e2,
            f.jump * 1e2,
            f.reverse * 1e2,
            f.off_path_p99,
            f.frames
        );
    };
    row("oracle, 100 ms", &oracle(motion, &frames, 0.1));
    row("oracle-blend, 100 ms", &play(&mut OracleBlend::new(feed, 0.1), feed, &frames));
    for (name, mut strategy) in reference(feed) {
        row(&name, &play(strategy.as_mut(), feed, &frames));
    }
    row("portamento", &play(&mut SnapshotBuffer::new(feed.interval), feed, &frames));
    out
}
