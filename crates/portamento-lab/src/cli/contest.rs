//! `portamento contest`: the snapshot buffer against everything users would pick instead.

use super::{Outcome, print, progress_bar};
use crate::contest::{median_judder_left, recorded, synthetic};
use crate::parallel;
use clap::Args;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

/// Play the snapshot buffer against the reference strategies, on links of every kind.
///
/// One row per case: ours, the smoothest reference strategy that is no later, how much of its judder above the floor
/// is left, and how far off the path ours is drawn. Fails when a reference strategy is better in both latency and
/// judder, or ours is farther off the path than allowed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  portamento contest                  the built-in links
  portamento contest --data traces    and every motion over every link in there

Exit status: 0 fine, 1 a reference strategy is better, 2 bad input.")]
pub(crate) struct Contest {
    /// Directory with motion-*.csv, network-*.csv and a frames-*.csv
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Contest {
    pub fn run(self) -> Result<Outcome, Box<dyn Error>> {
        let mut cases = synthetic();
        if let Some(directory) = &self.data {
            cases.extend(recorded(directory)?);
        }
        let bar = progress_bar(cases.len());
        let scores = parallel::map(&cases, |case| {
            let score = case.score();
            bar.set_message(case.name.clone());
            bar.inc(1);
            score
        });
        bar.finish_and_clear();
        let mut table = format!(
            "{:<40} {:>6} {:>6} {:>6}   {:<16} {:>6} {:>6} {:>6}  {:>8} {:>8} {:>6}\n",
            "case", "ms", "J", "floor", "nearest", "ms", "J", "left", "off path", "allowed", "back %"
        );
        let mut lost = 0;
        for score in &scores {
            let (name, latency, judder) =
                score.nearest().map_or(("", 0.0, 0.0), |(n, f)| (n.as_str(), f.latency, f.judder));
            writeln!(
                table,
                "{:<40} {:>6.1} {:>6.3} {:>6.3}   {name:<16} {:>6.1} {judder:>6.3} {:>6.2}  {:>8.3} {:>8.3} {:>6.2}",
                score.name,
                score.ours.latency * 1e3,
                score.ours.judder,
                score.floor.judder,
                latency * 1e3,
                score.judder_left().unwrap_or(0.0),
                score.ours.off_path_p99,
                score.off_path_allowed(),
                score.ours.reverse * 100.0,
            )?;
            for (name, figures) in score.better_in_both() {
                lost += 1;
                writeln!(
                    table,
                    "    better in both: {name}, {:.1} ms, J {:.3}",
                    figures.latency * 1e3,
                    figures.judder
                )?;
            }
            if score.ours.off_path_p99 > score.off_path_allowed() {
                lost += 1;
                writeln!(table, "    too far off the path")?;
            }
        }
        let median = median_judder_left(&scores).unwrap_or(0.0);
        writeln!(table, "{} cases, {lost} lost, median of judder left {median:.3}", scores.len())?;
        print(&table)?;
        Ok(if lost > 0 { Outcome::Found } else { Outcome::Fine })
    }
}
