//! The replay format: a script drives one part of the library, and every event prints what it did.
//!
//! A script is JSON Lines: a header that names the system, then one event a line. One line comes out for each
//! event, flushed as it goes, so that a pipe can be driven step by step. A bad line ends the run with its number
//! and what is wrong; what was printed before it stays.
//!
//! One file per system reads its lines into plain values and prints plain results. What happens between is a
//! [`Backend`]: [`Native`] calls the library itself, other languages' borders call it their own way, and both print the
//! same numbers.

mod fields;
mod gate;
mod native;
mod snapshots;
mod steps;
mod text;
mod timed;
mod waypoints;

pub use fields::{Fields, ScriptPose};
pub use gate::{GateHeader, GateOutput, GateScriptRule};
pub use native::Native;
pub use snapshots::{
    SnapshotEvent, SnapshotFrame, SnapshotHeader, SnapshotOutput, SnapshotPreset, SnapshotReport,
    SnapshotVelocity,
};
pub use steps::{BodyEvent, StepsHeader, StepsOutput, check_ticks};
pub use text::one_line;
pub use timed::{TimedEvent, TimedFrame, TimedHeader};
pub use waypoints::{
    WaypointBody, WaypointEvent, WaypointHappened, WaypointHeader, WaypointState, WaypointTickEvent,
};

use std::io::{self, BufRead, Write};

/// One way to reach the library: a driver for each system.
pub trait Backend {
    /// System `steps`.
    type Steps: Drive<StepsHeader, BodyEvent, StepsOutput> + 'static;
    /// System `gate`.
    type Gate: Drive<GateHeader, BodyEvent, GateOutput> + 'static;
    /// System `timed`. The answer to a frame; `None` for other events, and before the first tick.
    type Timed: Drive<TimedHeader, TimedEvent, Option<TimedFrame>> + 'static;
    /// System `waypoints`.
    type Waypoints: Drive<WaypointHeader, WaypointEvent, WaypointState> + 'static;
    /// System `snapshots`.
    type Snapshots: Drive<SnapshotHeader, SnapshotEvent, SnapshotOutput> + 'static;
}

/// Drives one system of the library. An error is reported as what is wrong with the line.
pub trait Drive<Header, Event, Output>: Sized {
    /// Makes the objects that the header describes.
    ///
    /// # Errors
    /// When the library refuses the settings.
    fn begin(header: Header) -> Result<Self, String>;

    /// Handles one event and returns the state after it.
    ///
    /// # Errors
    /// When the library refuses a value.
    fn event(&mut self, event: Event) -> Result<Output, String>;
}

/// A header and events that were read, driven by someone: gives each event's output line.
trait System {
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
fn system<B: Backend>(mut header: Fields) -> Result<Box<dyn System>, String> {
    match header.take("replay") {
        Some(version) if version.as_f64() == Some(1.0) => {}
        Some(version) => return Err(format!("replay format {version} is not known here: give \"replay\":1")),
        None => return Err("not a header: the first line must have \"replay\":1".into()),
    }
    let name = header.text("system")?.ok_or("the header names no \"system\"")?;
    match name.as_str() {
        "steps" => steps::begin::<B::Steps>(header),
        "gate" => gate::begin::<B::Gate>(header),
        "waypoints" => waypoints::begin::<B::Waypoints>(header),
        "timed" => timed::begin::<B::Timed>(header),
        "snapshots" => snapshots::begin::<B::Snapshots>(header),
        _ => Err(format!("unknown system {name:?}: give steps, gate, timed, waypoints or snapshots")),
    }
}

/// Replays the script `input` by the library itself, one line of `output` an event.
///
/// # Errors
/// At the first line that is wrong, and when `input` or `output` fails.
pub fn run(input: impl BufRead, output: impl Write) -> Result<(), Failure> {
    run_by::<Native>(input, output)
}

/// Replays the script `input` by a backend of your choice.
///
/// # Errors
/// As [`run`].
pub fn run_by<B: Backend>(mut input: impl BufRead, mut output: impl Write) -> Result<(), Failure> {
    let mut current: Option<Box<dyn System>> = None;
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(Failure::Read)? == 0 {
            break;
        }
        number += 1;
        // What is wrong may hold a piece of the script, and that may hold what a terminal obeys.
        let wrong = |what: String| Failure::Line { number, what: one_line(&what).into_owned() };
        if line.trim_ascii().is_empty() {
            continue;
        }
        let fields = Fields::parse(&line).map_err(wrong)?;
        match &mut current {
            None => current = Some(system::<B>(fields).map_err(wrong)?),
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
