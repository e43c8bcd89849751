//! Recordings of motions, networks and frames, read from files.
//!
//! Every refusal names the file, the line, what is wrong there and what would cure it.

mod csv;
mod frames;
mod motion;
mod network;

pub use frames::{FrameFormat, FrameTimes, Pacing, read_frames};
pub use motion::{AnyMotion, read_motion};
pub use network::{Network, read_network};

use std::fmt;
use std::path::PathBuf;

/// Why a file could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// The file.
    pub file: PathBuf,
    /// The line (the first is 1); `None` when it concerns the whole file.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// What would cure it.
    pub cure: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {} ({})", self.what, self.cure)
    }
}

impl std::error::Error for TraceError {}
