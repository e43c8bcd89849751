//! Frame times as people record them: PresentMon 1.x and 2.x, OCAT, CapFrameX, or plain intervals.
//!
//! Read in one pass. A frame that was dropped is never displayed: it adds no display time, but the simulation
//! has moved on by it. The animation error is PresentMon's: how far the content moved between two displayed
//! frames, minus how much later the second was shown.

use super::TraceError;
use super::csv::Rows;
use crate::yardstick::AnimationError;
use crate::yardstick::statistics::{mean, percentile};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Which tool's columns a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFormat {
    /// `MsBetweenPresents` and `MsBetweenDisplayChange` (PresentMon 1.x, OCAT, CapFrameX).
    PresentMon1,
    /// `DisplayedTime` or `MsAnimationError` (PresentMon 2.x).
    PresentMon2,
    /// One column, `display_interval_ms`.
    Intervals,
}

/// Which program, and which of its swap chains, a capture's rows are about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FrameSource {
    /// The program's name.
    pub process: String,
    /// Its process id, as written.
    pub id: String,
    /// The swap chain's address, as written.
    pub swap_chain: String,
}

impl FrameSource {
    /// Whether this is what a user names: by its name, with or without `.exe`, its process id or its swap chain.
    fn is_called(&self, wanted: &str) -> bool {
        let stem = |name: &str| name.to_lowercase().trim_end_matches(".exe").to_owned();
        (!wanted.is_empty() && (self.id == wanted || self.swap_chain == wanted))
            || stem(&self.process) == stem(wanted)
    }
}

impl fmt::Display for FrameSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.process.is_empty() { "a program without a name" } else { &self.process };
        write!(f, "{name}")?;
        if !self.id.is_empty() {
            write!(f, ", process {}", self.id)?;
        }
        if !self.swap_chain.is_empty() {
            write!(f, ", swap chain {}", self.swap_chain)?;
        }
        Ok(())
    }
}

/// A recording of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTimes {
    /// Whose frames these are, where the file has a column for it.
    pub source: Option<FrameSource>,
    /// The other programs and swap chains in the file, with their rows, most rows first.
    pub others: Vec<(FrameSource, usize)>,
    /// Whose columns these are.
    pub format: FrameFormat,
    /// Seconds from each displayed frame to the next (or from the one before, as the tool has it), in order.
    pub intervals: Vec<f64>,
    /// Animation error of each displayed frame that has one, in seconds.
    pub animation_errors: Vec<f64>,
    /// Frames that were never displayed.
    pub dropped: usize,
    /// Rows read.
    pub rows: usize,
}

/// What a recording says about pacing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pacing {
    /// Displayed frames per second.
    pub rate: f64,
    /// Median interval, seconds.
    pub p50: f64,
    /// 95th percentile of the intervals, seconds.
    pub p95: f64,
    /// 99th percentile of the intervals, seconds.
    pub p99: f64,
    /// Longest interval, seconds.
    pub longest: f64,
    /// The rate over the slowest hundredth of the frames: "1 % low".
    pub low: f64,
    /// Intervals of more than twice the median and 8 ms above it.
    pub hitches: usize,
    /// Animation error, where the file allows one.
    #[serde(rename = "animation_error")]
    pub animation: Option<AnimationError>,
}

impl FrameTimes {
    fn new(format: FrameFormat) -> Self {
        Self {
            source: None,
            others: Vec::new(),
            format,
            intervals: Vec::new(),
            animation_errors: Vec::new(),
            dropped: 0,
            rows: 0,
        }
    }

    /// The figures of this recording.
    pub fn pacing(&self) -> Pacing {
        let at = |share| percentile(self.intervals.clone(), share).unwrap_or(0.0);
        let shown: f64 = self.intervals.iter().sum();
        let median = at(0.5);
        let slow_from = at(0.99);
        let slowest: Vec<f64> = self.intervals.iter().copied().filter(|&i| i >= slow_from).collect();
        Pacing {
            rate: if shown > 0.0 { self.intervals.len() as f64 / shown } else { 0.0 },
            p50: median,
            p95: at(0.95),
            p99: slow_from,
            longest: self.intervals.iter().copied().fold(0.0, f64::max),
            low: mean(&slowest).map_or(0.0, |m| 1.0 / m),
            hitches: self.intervals.iter().filter(|&&i| i > 2.0 * median && i > median + 0.008).count(),
            animation: AnimationError::from_errors(self.animation_errors.clone(), shown),
        }
    }
}

/// Where the columns are that we know; the names' first letters may be small.
#[derive(Debug, Default)]
struct Columns {
    between_presents: Option<usize>,
    between_displays: Option<usize>,
    displayed: Option<usize>,
    dropped: Option<usize>,
    animation_error: Option<usize>,
    animation_time: Option<usize>,
    interval: Option<usize>,
    process: Option<usize>,
    process_id: Option<usize>,
    swap_chain: Option<usize>,
    count: usize,
}

impl Columns {
    fn find(header: &[String]) -> Self {
        let find =
            |names: &[&str]| header.iter().position(|h| names.iter().any(|n| h.eq_ignore_ascii_case(n)));
        Self {
            between_presents: find(&["MsBetweenPresents", "FrameTime", "MsBetweenAppStart"]),
            between_displays: find(&["MsBetweenDisplayChange"]),
            displayed: find(&["DisplayedTime"]),
            dropped: find(&["Dropped", "WasDropped"]),
            animation_error: find(&["MsAnimationError", "AnimationError"]),
            animation_time: find(&["AnimationTime"]),
            interval: find(&["display_interval_ms"]),
            process: find(&["Application", "ProcessName"]),
            process_id: find(&["ProcessID"]),
            swap_chain: find(&["SwapChainAddress", "SwapChain"]),
            count: header.len(),
        }
    }

    /// Whose frame a row is about.
    fn source(&self, line: &str) -> FrameSource {
        let field = |place: Option<usize>| {
            let field = place.and_then(|place| line.split(',').nth(place)).unwrap_or_default();
            field.trim().trim_matches('"').to_owned()
        };
        FrameSource {
            process: field(self.process),
            id: field(self.process_id),
            swap_chain: field(self.swap_chain),
        }
    }

    fn format(&self) -> Option<FrameFormat> {
        if self.interval.is_some() {
            Some(FrameFormat::Intervals)
        } else if self.displayed.is_some() || self.animation_error.is_some() {
            Some(FrameFormat::PresentMon2)
        } else if self.between_displays.is_some() || self.between_presents.is_some() {
            Some(FrameFormat::PresentMon1)
        } else {
            None
        }
    }
}

/// One row's fields by column. Missing ones (`NA`, empty) are `None`.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    between_presents: Option<f64>,
    between_displays: Option<f64>,
    displayed: Option<f64>,
    dropped: bool,
    animation_error: Option<f64>,
    animation_time: Option<f64>,
}

/// Reads a frame-time file; the header says which tool wrote it. Of a capture of several programs or swap chains, the
/// one with most displayed frames.
pub fn read_frames(path: &Path) -> Result<FrameTimes, TraceError> {
    read_frames_of(path, None)
}

/// Reads a frame-time file: the program with this name or process id, and of its swap chains the one with most displayed
/// frames.
pub fn read_frames_of(path: &Path, process: Option<&str>) -> Result<FrameTimes, TraceError> {
    const EXPECTED: &str = "a PresentMon, OCAT or CapFrameX CSV with MsBetweenPresents, MsBetweenDisplayChange or \
                            DisplayedTime, or one column display_interval_ms";
    let mut rows = Rows::open(path)?;
    let header = rows.header(EXPECTED)?;
    let columns = Columns::find(&header);
    let Some(format) = columns.format() else {
        let names: String = header.join(",").chars().take(120).collect();
        return Err(
            rows.error(format!("no column of frame times among `{names}`"), &format!("give {EXPECTED}"))
        );
    };
    // Rows of different programs are mixed in the order of time; each program has its own frames.
    let mut found: BTreeMap<FrameSource, (FrameTimes, Content)> = BTreeMap::new();
    while let Some(line) = rows.next_line()? {
        let parsed = parse(line, &columns);
        let source = columns.source(line);
        let row =
            parsed.map_err(|what| rows.error(what, "repair or remove the row; is the file cut short?"))?;
        let (frames, content) =
            found.entry(source).or_insert_with(|| (FrameTimes::new(format), Content::default()));
        frames.rows += 1;
        take_in(frames, content, &row);
    }
    let mut all: Vec<(FrameSource, FrameTimes)> =
        found.into_iter().map(|(source, (frames, _))| (source, frames)).collect();
    if let Some(wanted) = process {
        let (chosen, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(source, _)| source.is_called(wanted));
        if chosen.is_empty() {
            let names: Vec<String> = others.iter().take(5).map(|(source, _)| source.to_string()).collect();
            let what = format!("has no frames of `{wanted}`");
            return Err(rows.file_error(what, &format!("there are: {}", names.join("; "))));
        }
        all = chosen;
    }
    all.sort_by_key(|(_, frames)| std::cmp::Reverse((frames.intervals.len(), frames.rows)));
    let mut all = all.into_iter();
    let (source, mut frames) = all.next().unwrap_or_else(|| (columns.source(""), FrameTimes::new(format)));
    frames.others = all.map(|(source, frames)| (source, frames.rows)).collect();
    frames.source = columns.process.or(columns.process_id).or(columns.swap_chain).map(|_| source);
    if frames.intervals.len() < 2 {
        let what = format!("has {} displayed frames in {} rows", frames.intervals.len(), frames.rows);
        return Err(rows.file_error(what, "at least two are needed: record for longer"));
    }
    Ok(frames)
}

fn parse(line: &str, columns: &Columns) -> Result<Row, String> {
    let mut row = Row::default();
    let mut seen = 0;
    for (i, field) in line.split(',').enumerate() {
        seen = i + 1;
        let place = Some(i);
        let slot = if place == columns.between_presents {
            &mut row.between_presents
        } else if place == columns.between_displays {
            &mut row.between_displays
        } else if place == columns.displayed || place == columns.interval {
            &mut row.displayed
        } else if place == columns.animation_error {
            &mut row.animation_error
        } else if place == columns.animation_time {
            &mut row.animation_time
        } else if place == columns.dropped {
            row.dropped = !matches!(field.trim(), "0" | "" | "NA");
            continue;
        } else {
            continue;
        };
        let field = field.trim().trim_matches('"');
        if field.is_empty() || field == "NA" {
            continue;
        }
        match field.parse::<f64>() {
            Ok(value) if value.is_finite() => *slot = Some(value),
            _ => return Err(format!("field {} is `{field}`, neither a number nor NA", i + 1)),
        }
    }
    if seen != columns.count {
        return Err(format!("has {seen} of {} fields", columns.count));
    }
    Ok(row)
}

/// What the simulation did since the frame that was displayed last.
#[derive(Debug, Default)]
struct Content {
    /// Milliseconds between the starts of the last displayed frame and of the coming one.
    advanced: Option<f64>,
    /// When the last displayed frame's content stood, where the tool records it.
    animation_time: Option<f64>,
    /// How long the last displayed frame was on the screen, in milliseconds.
    on_screen: Option<f64>,
}

fn take_in(frames: &mut FrameTimes, content: &mut Content, row: &Row) {
    let on_screen = match frames.format {
        FrameFormat::PresentMon1 => row.between_displays.or(row.between_presents),
        FrameFormat::PresentMon2 => row.displayed.or(if row.dropped { None } else { row.between_displays }),
        FrameFormat::Intervals => row.displayed,
    };
    let shown = on_screen.filter(|&ms| ms > 0.0 && !row.dropped);
    let Some(ms) = shown else {
        frames.dropped += 1;
        content.advanced = add(content.advanced, row.between_presents);
        return;
    };
    frames.intervals.push(ms / 1000.0);
    // PresentMon 1.x gives the time since the display change before; 2.x how long this frame stays.
    let since_last = match (frames.format, row.between_displays) {
        (FrameFormat::PresentMon1, Some(change)) => Some(change),
        (FrameFormat::PresentMon2, _) => content.on_screen,
        _ => None,
    };
    let moved = match (row.animation_time, content.animation_time) {
        (Some(now), Some(before)) => Some(now - before),
        _ => content.advanced,
    };
    let error = row.animation_error.or_else(|| Some(moved? - since_last?));
    frames.animation_errors.extend(error.map(|ms| ms / 1000.0));
    // The next frame's simulation starts when this one has been handed over.
    content.advanced = row.between_presents;
    content.animation_time = row.animation_time.or(content.animation_time);
    content.on_screen = Some(ms);
}

fn add(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a? + b?)
}
