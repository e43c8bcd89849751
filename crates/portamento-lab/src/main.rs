//! The binary `portamento`.

use clap::Parser;
use portamento_lab::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    Cli::parse().run()
}
