//! `portamento replay`: a script drives one part of the library, and every event prints what it did.
//!
//! A script is JSON Lines: a header that names the system, then one event a line. One line comes out for each
//! event, flushed as it goes, so that a pipe can be driven step by step. A bad line ends the run with its number
//! and what is wrong; what was printed before it stays.
//!
//! One file per system; each is an adapter of a few dozen lines, so that what is replayed is the library itself.

mod fields;
mod gate;
mod snapshots;
mod steps;
mod timed;
mod waypoints;

pub use fields::Fields;

use std::io::{self, BufRead, Write};

/// One part of the library, driven by events.
pub trait System {
    /// Handles one event and gives its output line. An error says what is wrong with the line.
    fn event(&mut self, event: Fields) -> Result<String, String>;
}

/// Why a replay ended early.
#[derive(Debug)]
pub enum Failure {
    /// A line of the script is wrong.
    Line {
        /// Counted from 1, which is the header.
        number: usize,
        /// What is wrong, in words.
        what: String,
    },
    /// The script cannot be read.
    Read(io::Error),
    /// The output cannot be written.
    Write(io::Error),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Line { number, what } => write!(f, "line {number}: {what}"),
            Self::Read(error) => write!(f, "the script cannot be read: {error}"),
            Self::Write(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}

/// Builds the system that a header names.
fn system(mut header: Fields) -> Result<Box<dyn System>, String> {
    match header.take("replay") {
        Some(version) if version.as_f64() == Some(1.0) => {}
        Some(version) => return Err(format!("replay format {version} is not known here: give \"replay\":1")),
        None => return Err("not a header: the first line must have \"replay\":1".into()),
    }
    let name = header.text("system")?.ok_or("the header names no \"system\"")?;
    let system: Box<dyn System> = match name.as_str() {
        "steps" => Box::new(steps::Steps::new(&mut header)?),
        "gate" => Box::new(gate::Gate::new(&mut header)?),
        "waypoints" => Box::new(waypoints::Waypoints::new(&mut header)?),
        "timed" => Box::new(timed::Timed::new(&mut header)?),
        "snapshots" => Box::new(snapshots::SnapshotBuffer::new(&mut header)?),
        _ => {
            return Err(format!("unknown system {name:?}: give steps, gate, timed, waypoints or snapshots"));
        }
    };
    header.finish()?;
    Ok(system)
}

/// Replays the script `input`, one line of `output` an event.
pub fn run(mut input: impl BufRead, mut output: impl Write) -> Result<(), Failure> {
    let mut current: Option<Box<dyn System>> = None;
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(Failure::Read)? == 0 {
            break;
        }
        number += 1;
        let wrong = |what| Failure::Line { number, what };
        if line.trim_ascii().is_empty() {
            continue;
        }
        let fields = Fields::parse(&line).map_err(wrong)?;
        match &mut current {
            None => current = Some(system(fields).map_err(wrong)?),
            Some(system) => {
                let answer = system.event(fields).map_err(wrong)?;
                writeln!(output, "{answer}").and_then(|()| output.flush()).map_err(Failure::Write)?;
            }
        }
    }
    match current {
        Some(_) => Ok(()),
        None => {
            Err(Failure::Line { number: 1, what: "the script is empty: it must begin with a header".into() })
        }
    }
}

/// An output line. Serde writes floats in their shortest form that reads back exactly.
fn line(output: &impl serde::Serialize) -> String {
    serde_json::to_string(output).expect("plain data with string keys always serialises")
}
