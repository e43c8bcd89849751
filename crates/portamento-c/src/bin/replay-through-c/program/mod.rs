//! The program itself.
#![allow(unsafe_code)] // it calls a C interface

mod border;
mod own_loop;
mod snapshots;
mod timed;
mod waypoints;

use portamento_replay::{Backend, Failure, run_by};
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::process::ExitCode;

struct ThroughC;

impl Backend for ThroughC {
    type Steps = own_loop::Steps;
    type Gate = own_loop::Gate;
    type Timed = timed::Timed;
    type Waypoints = waypoints::Body;
    type Snapshots = snapshots::Entity;
}

const USAGE: &str = "usage: replay-through-c FILE (a script of `portamento replay`; - is standard input)";

pub(crate) fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [file] = arguments.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if file == "--help" || file == "-h" {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let output = std::io::stdout().lock();
    let outcome = if file == "-" {
        run_by::<ThroughC>(std::io::stdin().lock(), output)
    } else {
        match File::open(file) {
            Ok(file) => run_by::<ThroughC>(BufReader::new(file), output),
            Err(error) => Err(Failure::Read(error)),
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output has closed it.
        Err(Failure::Write(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}
