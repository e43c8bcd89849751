//! Recordings of motions, networks and frames, read from files.
//!
//! Every refusal names the file, the line, what is wrong there and what would cure it.

mod csv;
mod frames;
mod motion;
mod network;

pub use frames::{FrameFormat, FrameSource, FrameTimes, Pacing, read_frames, read_frames_of};
pub use motion::{AnyMotion, LONGEST_MOTION, read_motion, read_motion_up_to};
pub use network::{Network, read_network};

use crate::text::one_line;
use std::fmt;
use std::path::{Path, PathBuf};

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
        write!(f, "{}", one_line(&self.file.to_string_lossy()))?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {} ({})", one_line(&self.what), one_line(&self.cure))
    }
}

impl std::error::Error for TraceError {}

/// The recordings of a kind (`motion`, `network` or `frames`) in a directory, in order: all `KIND-*.csv`.
pub fn recordings(directory: &Path, kind: &str) -> Result<Vec<PathBuf>, TraceError> {
    let entries = std::fs::read_dir(directory).map_err(|error| TraceError {
        file: directory.to_owned(),
        line: None,
        what: format!("cannot be read: {error}"),
        cure: "name a directory".to_owned(),
    })?;
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|path| {
        let name = path.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
        name.strip_prefix(kind).is_some_and(|rest| rest.starts_with('-') && rest.ends_with(".csv"))
    });
    files.sort();
    Ok(files)
}

/// Returns what a recording is called: `lte` for `network-lte.csv` as for `lte.csv`. Safe to print: a file may be called
/// anything.
pub fn recording_name(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let kinds = ["motion-", "network-"];
    let name = kinds.iter().find_map(|kind| stem.strip_prefix(kind)).unwrap_or(&stem).to_owned();
    one_line(&name).into_owned()
}
