//! `portamento lab`.

use super::{Outcome, limit, print, progress_bar, say};
use crate::files;
use crate::lab::{self, Case, Kind, Options, Scenario};
use crate::report;
use crate::text::one_line;
use crate::traces::{
    LONGEST_MOTION, TraceError, read_frames_of, read_motion_up_to, read_network, recording_name, recordings,
};
use clap::Args;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Draw motion in every way, measure how smooth it is, and show it.
///
/// Runs the built-in scenarios, or your own recordings, with every strategy: no smoothing, what you would
/// otherwise pick, and this library, beside the floors that no method can beat. Prints a table and writes one
/// self-contained page with plots and a playback at the recorded frame times.
///
/// Latency is how far in the past the picture is; judder is how unevenly it moves, as a share of its speed.
/// Below 0.05 we call it smooth: a working threshold, not a limit of the eye. Compare strategies by both.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Columns:
  judder, late(ncy)    as above
  frz (freeze), jump, back
                       share of moving frames that hardly move, move more than
                       twice as far as they should, or move backwards
  off (path)           how far from the true path (99 % of frames are nearer)
  slide                time per cut in which the picture was on neither side
  in wall              how deep it went into the wall
Rows named `client rule` and `seed rule` are the library's two older rules; the
seed of --seed has nothing to do with them.

Files:
  motion   columns t,x,y,z,cut (places) or t,qx,qy,qz,qw,cut (rotations);
           t in seconds, cut is 1 where it jumped from the row before
  network  columns sent,arrived in seconds
  frames   CSV of PresentMon 1.x/2.x, OCAT or CapFrameX as it is, or one column
           display_interval_ms

Examples:
  portamento lab --scenario links,teleports --open
  portamento lab --tick-rate 30 --frame-rate 165
  portamento lab --frames capture.csv --scenario loop,gate
  portamento lab --motion player.csv --network lte.csv --tick-rate 20
  portamento lab --json --no-report --strategy portamento > figures.json

Exit status: 0 fine, 1 one of ours exceeds --max-judder, 2 bad input.")]
pub(crate) struct Lab {
    /// Scenarios to run; all built-in ones if left out, or only `recorded` when motion or network files are given
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME")]
    scenario: Vec<Scenario>,
    /// Only strategies whose name contains one of these (the floors always stay)
    #[arg(long, value_delimiter = ',', value_name = "PART")]
    strategy: Vec<String>,
    /// Ticks or messages per second, instead of each scenario's own
    #[arg(long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true)]
    tick_rate: Option<f64>,
    /// Frames per second, instead of each scenario's own
    #[arg(long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true, conflicts_with = "frames")]
    frame_rate: Option<f64>,
    /// Recorded frame times to draw at (PresentMon, OCAT, CapFrameX, or display_interval_ms)
    #[arg(long, value_name = "FILE")]
    frames: Option<PathBuf>,
    /// Of a capture of several programs, the one with this name, process id or swap chain;
    /// otherwise the one with most frames
    #[arg(long, value_name = "WHICH", requires = "frames")]
    process: Option<String>,
    /// A recorded motion; may be given more than once
    #[arg(long, value_name = "FILE")]
    motion: Vec<PathBuf>,
    /// A recorded link; may be given more than once
    #[arg(long, value_name = "FILE")]
    network: Vec<PathBuf>,
    /// The longest motion to take, in seconds: time and memory grow with it
    #[arg(long, value_name = "S", default_value_t = LONGEST_MOTION, value_parser = limit)]
    max_motion: f64,
    /// A directory with motion-*.csv, network-*.csv and frames-*.csv: every motion over every link
    #[arg(long, value_name = "DIR", conflicts_with_all = ["motion", "network"])]
    data: Option<PathBuf>,
    /// Where all randomness comes from: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// Length of each built-in case, in seconds
    #[arg(long, default_value_t = 30.0, value_name = "S", value_parser = length, allow_negative_numbers = true)]
    seconds: f64,
    /// Cases of 8 s: a quick look, with rougher figures
    #[arg(long, conflicts_with = "seconds")]
    quick: bool,
    /// Where the page goes
    #[arg(long, default_value = "report.html", value_name = "FILE")]
    out: PathBuf,
    /// Write no page
    #[arg(long, conflicts_with = "open")]
    no_report: bool,
    /// Open the page in your browser
    #[arg(long)]
    open: bool,
    /// Print every case with every strategy, not only one screen
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    all: bool,
    /// Print the figures as JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Print one line per case as a Markdown table: judder and latency as it comes, of the best rival, of ours
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Found something (exit 1) if one of this library's strategies has more judder than this
    #[arg(long, value_name = "J", value_parser = limit, allow_negative_numbers = true)]
    max_judder: Option<f64>,
}

pub(super) fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(hz) if (1.0..=2000.0).contains(&hz) => Ok(hz),
        _ => Err("give a rate between 1 and 2000 per second".to_owned()),
    }
}

fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a whole number, 0 or more".to_owned())
}

fn length(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (6.0..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("give a length between 6 and 600 seconds".to_owned()),
    }
}

impl Lab {
    pub fn run(self) -> Result<Outcome, Box<dyn Error>> {
        let options = self.options()?;
        let recorded = !options.motions.is_empty() || !options.networks.is_empty();
        let scenarios: Vec<Scenario> = match self.scenario.as_slice() {
            [] if recorded => vec![Scenario::Recorded],
            [] => Scenario::built_in().collect(),
            chosen => {
                let mut chosen = chosen.to_vec();
                chosen.sort();
                chosen.dedup();
                chosen
            }
        };
        let jobs: Vec<_> = scenarios.iter().flat_map(|s| s.jobs(&options)).collect();
        let bar = progress_bar(jobs.len());
        let mut cases = lab::run(&jobs, &options, |name| {
            bar.set_message(one_line(name).into_owned());
            bar.inc(1);
        });
        bar.finish_and_clear();
        self.keep_wanted(&mut cases)?;
        if self.json {
            print(&format!("{:#}\n", lab::json::render(&cases, &options)))?;
        } else if self.markdown {
            print(&lab::table::markdown(&cases))?;
        } else {
            let text = if self.all {
                lab::table::render(&cases)
            } else {
                lab::table::summary(&cases, lab::table::ONE_SCREEN)
            };
            print(&text)?;
        }
        if !self.no_report {
            files::write(&self.out, report::render(&cases, &options).as_bytes()).map_err(|e| {
                format!("{}: cannot be written: {e} (choose another place with --out)", self.out.display())
            })?;
            let path = std::path::absolute(&self.out).unwrap_or_else(|_| self.out.clone());
            say(&format!("report: {}", path.display()));
            if self.open {
                open_in_browser(&path)?;
            }
        }
        let limit = self.max_judder.unwrap_or(f64::INFINITY);
        let mut outcome = Outcome::Fine;
        for case in &cases {
            for row in case.rows.iter().filter(|r| r.kind == Kind::Ours && r.figures.judder > limit) {
                say(&format!(
                    "found: {}: {} has judder {:.4}, the limit is {limit}",
                    case.name, row.name, row.figures.judder
                ));
                outcome = Outcome::Found;
            }
        }
        Ok(outcome)
    }

    /// Leaves out the strategies that were not asked for; floors always stay.
    fn keep_wanted(&self, cases: &mut [Case]) -> Result<(), String> {
        let parts: Vec<String> = self.strategy.iter().map(|part| part.to_lowercase()).collect();
        if parts.is_empty() {
            return Ok(());
        }
        let mut names: Vec<String> = Vec::new();
        let mut found = false;
        for case in cases {
            case.rows.retain(|row| {
                let name = row.name.to_lowercase();
                let wanted = parts.iter().any(|part| name.contains(part));
                found |= wanted && row.kind != Kind::Floor;
                if !names.contains(&row.name) {
                    names.push(row.name.clone());
                }
                wanted || row.kind == Kind::Floor
            });
        }
        match found {
            true => Ok(()),
            false => {
                Err(format!("no strategy is called `{}`; there are: {}", parts.join(","), names.join("; ")))
            }
        }
    }

    fn options(&self) -> Result<Options, Box<dyn Error>> {
        let (mut motions, mut networks, mut frames) =
            (self.motion.clone(), self.network.clone(), self.frames.clone());
        if let Some(dir) = &self.data {
            motions = recordings(dir, "motion")?;
            networks = recordings(dir, "network")?;
            let recorded = recordings(dir, "frames")?.into_iter().next();
            frames = frames.or(recorded.filter(|_| self.frame_rate.is_none()));
            if motions.is_empty() && networks.is_empty() {
                return Err(format!("{}: no motion-*.csv or network-*.csv in it", dir.display()).into());
            }
        }
        let motions =
            motions.iter().map(|path| Ok((recording_name(path), read_motion_up_to(path, self.max_motion)?)));
        let networks = networks.iter().map(|path| Ok((recording_name(path), read_network(path)?)));
        let intervals = frames
            .map(|path| read_frames_of(&path, self.process.as_deref()))
            .transpose()?
            .map(|frames| frames.intervals);
        Ok(Options {
            seed: self.seed,
            seconds: if self.quick { 8.0 } else { self.seconds },
            tick_rate: self.tick_rate,
            frame_rate: self.frame_rate,
            intervals,
            motions: motions.collect::<Result<_, TraceError>>()?,
            networks: networks.collect::<Result<_, TraceError>>()?,
        })
    }
}

fn open_in_browser(path: &Path) -> Result<(), Box<dyn Error>> {
    let (program, leading): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let started =
        Command::new(program).args(leading).arg(path).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    started
        .map(drop)
        .map_err(|e| format!("{program} cannot be started: {e} (open {} yourself)", path.display()).into())
}
