//! `portamento replay`.

use super::{cannot_print, say};
use crate::replay::{Failure, run};
use clap::Args;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Drive one part of the library from a script and print what it did.
///
/// A script is JSON Lines: first a header such as {"replay":1,"system":"steps","hz":60},
/// then one event a line such as {"frame":0.0069}. Exactly one line of JSON comes out for each event, flushed
/// at once, so that a pipe can drive it step by step. Systems: steps, gate, timed, waypoints, snapshots.
///
/// It is how a bug report becomes a test, and how another language's binding proves that it agrees.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  portamento replay bug.jsonl
  echo '{\"replay\":1,\"system\":\"steps\",\"velocity\":[60,0,0]}
  {\"frame\":0.02}' | portamento replay -

Exit status: 0 fine, 2 a bad line (standard error has its number and why).")]
pub struct Replay {
    /// The script; - is standard input
    file: PathBuf,
}

impl Replay {
    pub(super) fn run(self) -> ExitCode {
        let output = io::stdout().lock();
        let outcome = if self.file == Path::new("-") {
            run(io::stdin().lock(), output)
        } else {
            match File::open(&self.file) {
                Ok(file) => run(BufReader::new(file), output),
                Err(error) => Err(Failure::Read(error)),
            }
        };
        match outcome {
            Ok(()) => ExitCode::SUCCESS,
            // The reader of our output has closed it.
            Err(Failure::Write(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(failure) => {
                say(&match failure {
                    Failure::Line { .. } => failure.to_string(),
                    Failure::Read(error) => {
                        let cure = "name a script, or - for standard input";
                        format!("error: {}: cannot be read: {error} ({cure})", self.file.display())
                    }
                    Failure::Write(error) => format!("error: {}", cannot_print(&error)),
                });
                ExitCode::from(2)
            }
        }
    }
}
