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

/// A recording of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTimes {
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
            count: header.len(),
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

/// Reads a frame-time file; the header says which tool wrote it.
pub fn read_frames(path: &Path) -> Result<FrameTimes, TraceError> {
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
    let mut frames =
        FrameTimes { format, intervals: Vec::new(), animation_errors: Vec::new(), dropped: 0, rows: 0 };
    let mut content = Content::default();
    while let Some(line) = rows.next_line()? {
        let parsed = parse(line, &columns);
        let row =
            parsed.map_err(|what| rows.error(what, "repair or remove the row; is the file cut short?"))?;
        frames.rows += 1;
        take_in(&mut frames, &mut content, &row);
    }
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
    /// When the last displayed frame's content stood, where the tool says so.
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
