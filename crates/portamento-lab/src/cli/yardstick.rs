//! `portamento yardstick`: the reference strategies on recorded traces, as one table.

use super::{Outcome, print};
use crate::contest::Case;
use crate::traces::{read_frames, read_motion, read_network};
use crate::yardstick::Figures;
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
  portamento yardstick --data traces --motion player.csv --network lte.csv")]
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
        let motion = read_motion(&self.data.join(&self.motion))?;
        let network = read_network(&self.data.join(&self.network))?;
        let intervals = read_frames(&self.data.join(&self.frames))?.intervals;
        let score = Case::recorded(String::new(), &motion, &network, self.rate, &intervals).score();
        let mut out = String::from(
            "strategy              latency ms       J      J2  freeze %  jump %  reverse %  off path p99  frames\n",
        );
        row(&mut out, "oracle, 100 ms", &score.oracle);
        row(&mut out, "oracle-blend, 100 ms", &score.floor);
        for (name, figures) in &score.rivals {
            row(&mut out, name, figures);
        }
        row(&mut out, "portamento", &score.ours);
        print(&out)?;
        Ok(Outcome::Fine)
    }
}

fn row(out: &mut String, name: &str, f: &Figures) {
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
}
