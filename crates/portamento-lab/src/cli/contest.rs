//! `portamento contest`: the snapshot buffer against everything users would pick instead.

use super::{Outcome, WIDTH, print, progress_bar};
use crate::contest::{Case, Score, median_judder_left, others, recorded, synthetic};
use crate::lab::table::{Column, write_rows};
use crate::parallel;
use crate::text::one_line;
use crate::yardstick::Figures;
use clap::Args;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

/// Play the snapshot buffer against the reference strategies, on links of every kind.
///
/// One row per case: ours, the smoothest reference strategy that is no later, how much of its judder above the floor
/// is left, how far off the path ours is drawn as a share of what is allowed, and how many of its frames step back.
/// Fails when a reference strategy is better in both latency and judder, or ours is farther off the path than allowed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  portamento contest                  the built-in links
  portamento contest --data traces    and every motion over every link in there
  portamento contest --others         three other motions, and other links
  portamento contest --others --seed 7

Exit status: 0 fine, 1 a reference strategy is better, 2 bad input.")]
pub(crate) struct Contest {
    /// Directory with motion-*.csv, network-*.csv and a frames-*.csv
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Play a vehicle, a bird and a dancer over other links instead
    #[arg(long, conflicts_with = "data")]
    others: bool,
    /// Other trips over other bad moments: with --others
    #[arg(long, value_name = "N", default_value_t = 0, requires = "others")]
    seed: u64,
}

impl Contest {
    pub fn run(self) -> Result<Outcome, Box<dyn Error>> {
        let mut cases: Vec<Case> = if self.others { others(self.seed) } else { synthetic() };
        if let Some(directory) = &self.data {
            cases.extend(recorded(directory)?);
        }
        let bar = progress_bar(cases.len());
        let scores = parallel::map(&cases, |case| {
            let score = case.score();
            bar.set_message(one_line(&case.name).into_owned());
            bar.inc(1);
            score
        });
        bar.finish_and_clear();
        let mut out = table(&scores);
        let mut lost = 0;
        for score in &scores {
            for (name, figures) in score.better_in_both() {
                lost += 1;
                let (latency, judder) = (figures.latency * 1e3, figures.judder);
                writeln!(
                    out,
                    "{}: {name} is better in both: {latency:.1} ms, judder {judder:.3}",
                    score.name
                )?;
            }
            if off_path(score) > 1.0 {
                lost += 1;
                writeln!(out, "{}: too far off the path", score.name)?;
            }
        }
        let median = median_judder_left(&scores).unwrap_or(0.0);
        writeln!(out, "{} cases, {lost} lost, median of judder left {median:.3}", scores.len())?;
        print(&out)?;
        Ok(if lost > 0 { Outcome::Found } else { Outcome::Fine })
    }
}

/// How far off the path ours is drawn, as a share of what is allowed.
fn off_path(score: &Score) -> f64 {
    score.ours.off_path_p99 / score.off_path_allowed()
}

fn table(scores: &[Score]) -> String {
    let columns: [Column<Score>; 9] = [
        Column::new(["late", "ms"], 6, |s| format!("{:.1}", s.ours.latency * 1e3)),
        Column::new(["judder", ""], 7, |s| format!("{:.3}", s.ours.judder)),
        Column::new(["floor", ""], 7, |s| format!("{:.3}", s.floor.judder)),
        Column::new(["nearest", "rival"], 17, |s| nearest(s, |name, _| name.to_owned())),
        Column::new(["late", "ms"], 6, |s| nearest(s, |_, f| format!("{:.1}", f.latency * 1e3))),
        Column::new(["judder", ""], 7, |s| nearest(s, |_, f| format!("{:.3}", f.judder))),
        Column::new(["left", ""], 6, |s| s.judder_left().map_or("–".into(), |left| format!("{left:.2}"))),
        Column::new(["off", "path"], 6, |s| format!("{:.2}", off_path(s))),
        Column::new(["back", "%"], 5, |s| format!("{:.1}", s.ours.reverse * 1e2)),
    ];
    let rows: Vec<_> = scores.iter().map(|score| (score.name.clone(), score)).collect();
    let mut out = String::new();
    write_rows(&mut out, WIDTH, &columns, &rows);
    out
}

fn nearest(score: &Score, cell: impl Fn(&str, &Figures) -> String) -> String {
    score.nearest().map_or("–".into(), |(name, figures)| cell(name, figures))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_columns_are_enough() {
        let mut score = synthetic()[0].score();
        score.ours.latency = 1.2345;
        score.name = "a recording with a very long name, over a link with a very long name too, 30 Hz".into();
        let text = table(&[score.clone(), Score { name: "short".into(), ..score }]);
        assert!(text.contains("a recording with a very long nam…"), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{}: {line}", line.chars().count());
        }
    }
}
