//! `portamento frames`.

use super::{Outcome, limit, print, say};
use crate::text::one_line;
use crate::traces::{FrameFormat, read_frames_of};
use clap::Args;
use serde_json::json;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

/// Analyse a recording of frame times: pacing, hitches and animation error.
///
/// Reads the CSV files of PresentMon 1.x and 2.x, OCAT and CapFrameX as they are, or a single column
/// display_interval_ms. Animation error is PresentMon's: how far the content moved between two displayed
/// frames, minus how much later the second was shown. A capture of several programs or swap chains is told apart: the one
/// with most frames is analysed, and named. Where a file has no such column it is computed from the
/// presents and display changes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  portamento frames capture.csv
  portamento frames capture.csv --max-interval 50     a check for CI
  portamento frames capture.csv --process game.exe    one of several programs
  portamento lab --frames capture.csv --open          drawn at these frame times

Exit status: 0 fine, 1 a limit was exceeded, 2 bad input.")]
pub(crate) struct Frames {
    /// The recording
    file: PathBuf,
    /// Of a capture of several programs, the one with this name, process id or swap chain;
    /// otherwise the one with most frames
    #[arg(long, value_name = "WHICH")]
    process: Option<String>,
    /// Found something (exit 1) if a frame stays longer than this many milliseconds
    #[arg(long, value_name = "MS", value_parser = limit, allow_negative_numbers = true)]
    max_interval: Option<f64>,
    /// Found something (exit 1) if the animation error exceeds this many milliseconds (root mean square)
    #[arg(long, value_name = "MS", value_parser = limit, allow_negative_numbers = true)]
    max_animation_error: Option<f64>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

impl Frames {
    pub fn run(self) -> Result<Outcome, Box<dyn Error>> {
        let frames = read_frames_of(&self.file, self.process.as_deref())?;
        let pacing = frames.pacing();
        let tool = match frames.format {
            FrameFormat::PresentMon1 => "PresentMon 1.x, OCAT or CapFrameX",
            FrameFormat::PresentMon2 => "PresentMon 2.x",
            FrameFormat::Intervals => "plain intervals",
        };
        let mut found = Vec::new();
        if let Some(limit) = self.max_interval
            && pacing.longest * 1e3 > limit
        {
            found.push(format!("a frame stayed for {:.1} ms, the limit is {limit} ms", pacing.longest * 1e3));
        }
        if let Some(limit) = self.max_animation_error {
            let animation = pacing.animation.ok_or_else(|| {
                format!(
                    "{}: has no present or animation times (without them leave --max-animation-error out)",
                    self.file.display()
                )
            })?;
            if animation.rms * 1e3 > limit {
                let rms = animation.rms * 1e3;
                found.push(format!("the animation error is {rms:.3} ms, the limit is {limit} ms"));
            }
        }
        if self.json {
            let mut value = json!(pacing);
            value["format"] = json!(tool);
            value["source"] = json!(frames.source);
            value["others"] = json!(frames.others);
            value["rows"] = json!(frames.rows);
            value["displayed"] = json!(frames.intervals.len());
            value["dropped"] = json!(frames.dropped);
            value["found"] = json!(found);
            print(&format!("{value:#}\n"))?;
        } else {
            let mut out = String::new();
            let ms = |seconds: f64| seconds * 1e3;
            writeln!(out, "{} ({tool})", one_line(&self.file.to_string_lossy()))?;
            if let Some(source) = &frames.source
                && !frames.others.is_empty()
            {
                writeln!(out, "  of {}; left out (choose with --process):", one_line(&source.to_string()))?;
                for (other, rows) in frames.others.iter().take(5) {
                    writeln!(out, "    {} ({rows} rows)", one_line(&other.to_string()))?;
                }
                if frames.others.len() > 5 {
                    writeln!(out, "    and {} more", frames.others.len() - 5)?;
                }
            }
            writeln!(out, "  displayed         {:>10}", frames.intervals.len())?;
            writeln!(out, "  never displayed   {:>10}", frames.dropped)?;
            writeln!(
                out,
                "  rate              {:>10.1} frames/s, slowest hundredth {:.1}",
                pacing.rate, pacing.low
            )?;
            writeln!(out, "  interval p50      {:>10.3} ms", ms(pacing.p50))?;
            writeln!(out, "  interval p95      {:>10.3} ms", ms(pacing.p95))?;
            writeln!(
                out,
                "  interval p99      {:>10.3} ms, longest {:.1}",
                ms(pacing.p99),
                ms(pacing.longest)
            )?;
            writeln!(out, "  hitches           {:>10} (twice the median and 8 ms more)", pacing.hitches)?;
            match pacing.animation {
                Some(a) => {
                    let (rms, p99) = (ms(a.rms), ms(a.p99));
                    writeln!(
                        out,
                        "  animation error   {rms:>10.3} ms rms, p99 {p99:.3} ms, {:.1} ms per second",
                        ms(a.per_second)
                    )?;
                }
                None => writeln!(
                    out,
                    "  animation error            – (the file has no present or animation times)"
                )?,
            }
            print(&out)?;
        }
        for what in &found {
            say(&format!("found: {what}"));
        }
        Ok(if found.is_empty() { Outcome::Fine } else { Outcome::Found })
    }
}
