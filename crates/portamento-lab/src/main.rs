//! The binary `portamento`.

use portamento_lab::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    Cli::parse_arguments().run()
}
