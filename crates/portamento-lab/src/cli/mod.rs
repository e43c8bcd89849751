//! The commands of the binary `portamento`, one module each.

mod lab;
mod replay;
mod yardstick;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Measures how smooth motion is drawn.
#[derive(Debug, Parser)]
#[command(name = "portamento", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Lab(lab::Lab),
    Yardstick(yardstick::Yardstick),
    Replay(replay::Replay),
}

/// What a command ends with: success, something found, or bad input. The exit codes 0, 1 and 2.
#[derive(Debug)]
pub(crate) enum Outcome {
    Fine,
}

impl Cli {
    /// Runs the chosen command.
    pub fn run(self) -> ExitCode {
        let outcome = match self.command.unwrap_or(Command::Lab(lab::Lab::default())) {
            Command::Lab(command) => command.run(),
            Command::Yardstick(command) => command.run(),
            Command::Replay(command) => return command.run(),
        };
        match outcome {
            Ok(Outcome::Fine) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(2)
            }
        }
    }
}
