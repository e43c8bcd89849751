//! Every job of CI and of a developer is a subcommand of this small tool.
//!
//! It has no dependencies, so that it builds in seconds on a fresh machine.

mod job;
mod mutants;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <job>

  test             everything that CI checks; stops at the first failure
  quick            what a developer runs between edits: format, clippy, tests of the core
  mutants [WORD]   break each law once and see its test turn red (those whose name holds WORD)

A job names each command before it runs it, so that you can run it yourself.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test"] => test::everything(),
        ["quick"] => test::quick(),
        ["mutants", rest @ ..] if rest.len() <= 1 => mutants::run(rest.first().copied().unwrap_or("")),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("\nxtask: {why}");
            ExitCode::FAILURE
        }
    }
}
