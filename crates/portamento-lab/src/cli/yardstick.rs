//! `portamento yardstick`: the reference strategies on recorded traces, as one table.

use super::{Outcome, WIDTH, print};
use crate::contest::Case;
use crate::lab::table::{Column, write_rows};
use crate::traces::{read_frames, read_motion, read_network};
use crate::yardstick::Figures;
use clap::Args;
use std::error::Error;
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
        let mut rows = vec![
            ("oracle, 100 ms".to_owned(), &score.oracle),
            ("oracle-blend, 100 ms".to_owned(), &score.floor),
        ];
        rows.extend(score.rivals.iter().map(|(name, figures)| (name.clone(), figures)));
        rows.push(("portamento".to_owned(), &score.ours));
        let mut out = String::new();
        write_rows(&mut out, WIDTH, &COLUMNS, &rows);
        print(&out)?;
        Ok(Outcome::Fine)
    }
}

const COLUMNS: [Column<Figures>; 8] = [
    Column::new(["latency", "ms"], 9, |f| format!("{:.1}", f.latency * 1e3)),
    Column::new(["J", ""], 8, |f| format!("{:.3}", f.judder)),
    Column::new(["J2", ""], 10, |f| format!("{:.2}", f.judder2)),
    Column::new(["freeze", "%"], 8, |f| format!("{:.1}", f.freeze * 1e2)),
    Column::new(["jump", "%"], 7, |f| format!("{:.1}", f.jump * 1e2)),
    Column::new(["reverse", "%"], 9, |f| format!("{:.1}", f.reverse * 1e2)),
    Column::new(["off path", "p99"], 10, |f| format!("{:.2}", f.off_path_p99)),
    Column::new(["frames", ""], 8, |f| f.frames.to_string()),
];
