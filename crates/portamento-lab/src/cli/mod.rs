//! The commands of the binary `portamento`, one module each.

mod completions;
mod contest;
mod frames;
mod lab;
mod replay;
mod yardstick;

use crate::text::one_line;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::error::Error;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

/// What a table of the commands takes at the most; the lab's own takes eighty columns.
const WIDTH: usize = 100;

/// Measures how smooth motion is drawn, and shows it.
///
/// Without a command it runs the lab: every built-in scenario, drawn by every strategy, as a table here and as
/// a page with plots and a playback in report.html. It takes the lab's options: see `portamento lab --help`.
#[derive(Debug, Parser)]
#[command(name = "portamento", version, args_conflicts_with_subcommands = true)]
#[command(override_usage = "portamento [OPTIONS OF LAB]\n       portamento <COMMAND>")]
#[command(after_help = "\
Examples:
  portamento                         the built-in tour: table and report.html
  portamento --open                  the same, and opens the page
  portamento lab --scenario links    one scenario
  portamento frames capture.csv      what a PresentMon or CapFrameX file shows
  portamento replay bug.jsonl        what the library does with these events

Exit status: 0 fine, 1 something was found (a limit was exceeded), 2 bad input.")]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    tour: lab::Lab,
}

#[derive(Debug, Subcommand)]
enum Command {
    Lab(lab::Lab),
    Frames(frames::Frames),
    Replay(replay::Replay),
    Contest(contest::Contest),
    Yardstick(yardstick::Yardstick),
    Completions(completions::Completions),
}

/// What a command that ran ends with.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Exit status 0.
    Fine,
    /// A limit the user set was exceeded: exit status 1.
    Found,
}

impl Cli {
    /// What the user typed. Ends the program where that makes no sense, or is a call for help.
    ///
    /// The lab's options stand in the lab's own help; here they would bury the commands.
    pub fn parse_arguments() -> Self {
        let matches = Self::command().mut_args(|argument| argument.hide(true)).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// Runs the chosen command.
    pub fn run(self) -> ExitCode {
        let outcome = match self.command.unwrap_or(Command::Lab(self.tour)) {
            Command::Lab(command) => command.run(),
            Command::Frames(command) => command.run(),
            Command::Yardstick(command) => command.run(),
            Command::Contest(command) => command.run(),
            Command::Replay(command) => return command.run(),
            Command::Completions(command) => command.run(),
        };
        match outcome {
            Ok(Outcome::Fine) => ExitCode::SUCCESS,
            Ok(Outcome::Found) => ExitCode::from(1),
            Err(error) => {
                say(&format!("error: {error}"));
                ExitCode::from(2)
            }
        }
    }
}

/// Writes to standard output; a reader that has seen enough is no error.
fn print(text: &str) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(cannot_print(&error).into()),
        _ => Ok(()),
    }
}

/// A progress bar on standard error, if that is a terminal.
fn progress_bar(length: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30.cyan/dim} {pos}/{len} {msg}")
        .expect("the template is a constant")
        .progress_chars("━╸─");
    ProgressBar::new(length as u64).with_style(style)
}

fn cannot_print(error: &io::Error) -> String {
    format!("standard output cannot be written: {error}")
}

/// Writes a line to standard error, safe for a terminal whatever names are in it. Does nothing if standard error is closed.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{}", one_line(line));
}

/// A limit that can be exceeded: NaN would pass everything.
fn limit(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(limit) if limit >= 0.0 && limit.is_finite() => Ok(limit),
        _ => Err("give a number, 0 or more".to_owned()),
    }
}
