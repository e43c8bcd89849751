//! System `timed`: poses with timestamps, drawn by another clock.

use crate::{Drive, Fields, ScriptPose, System, line};
use serde::Serialize;

/// What the header of `timed` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedHeader {
    /// The rule is `seed` rather than `locked`.
    pub seed: bool,
    /// The nominal tick length in seconds, above 0.
    pub interval: f64,
}

/// An event of `timed`. All times are finite, and times of the reader's clock do not run back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimedEvent {
    /// A pose was published.
    Tick {
        /// When it reached the reader.
        at: f64,
        /// The simulation time it stands for.
        sim: f64,
        /// Simulated seconds per real second from here on, above 0.
        scale: f64,
        /// The pose.
        pose: ScriptPose,
        /// It is a teleport.
        cut: bool,
    },
    /// A frame is drawn at this time of the reader's clock.
    Frame(f64),
}

/// What a frame shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TimedFrame {
    /// Place between the two ticks around the moment.
    pub alpha: Option<f64>,
    /// The moment of the simulation's clock.
    pub shown: Option<f64>,
    /// The pose drawn, with as many numbers as the script's.
    pub view: Option<Vec<f64>>,
}

struct Timed<D> {
    driver: D,
    interval: f64,
    /// How many the script's poses have.
    numbers: Option<usize>,
    /// How many ticks and cuts there were.
    count: u32,
    /// The newest time of the reader's clock.
    newest: f64,
    last: TimedFrame,
}

pub(crate) fn begin<D>(mut header: Fields) -> Result<Box<dyn System>, String>
where
    D: Drive<TimedHeader, TimedEvent, Option<TimedFrame>> + 'static,
{
    let seed = match header.text("rule")?.as_deref() {
        None | Some("locked") => false,
        Some("seed") => true,
        Some(other) => return Err(format!("unknown rule {other:?}: give locked or seed")),
    };
    let interval =
        header.positive("interval")?.ok_or("the header has no \"interval\": give seconds a tick")?;
    header.finish()?;
    let driver = D::begin(TimedHeader { seed, interval })?;
    let (newest, last) = (f64::NEG_INFINITY, TimedFrame::default());
    Ok(Box::new(Timed { driver, interval, numbers: None, count: 0, newest, last }))
}

impl<D: Drive<TimedHeader, TimedEvent, Option<TimedFrame>>> System for Timed<D> {
    fn event(&mut self, mut event: Fields) -> Result<String, String> {
        let kind = event.kind(&["tick", "cut", "frame"])?;
        let time = event.time(kind)?.expect("the kind is a key of the event");
        if kind == "frame" {
            event.finish()?;
            if time.is_finite() {
                self.newest = self.newest.max(time);
                if let Some(frame) = self.driver.event(TimedEvent::Frame(self.newest))? {
                    self.last = frame;
                }
            }
            return Ok(line(&self.last));
        }
        let sim = event.time("sim")?;
        let scale = event.positive("scale")?.unwrap_or(1.0);
        let pose = event.pose("pose")?.ok_or_else(|| format!("a {kind} has no \"pose\""))?;
        event.finish()?;
        // All poses of a script have one length; the first decides, also that of a tick at no time.
        let (is, was) = (pose.len(), *self.numbers.get_or_insert(pose.len()));
        if is != was {
            return Err(format!("a pose of {is} numbers after poses of {was}"));
        }
        let sim = sim.unwrap_or(f64::from(self.count) * self.interval);
        if time.is_finite() && sim.is_finite() {
            self.count += 1;
            self.newest = self.newest.max(time);
            let cut = kind == "cut";
            self.driver.event(TimedEvent::Tick { at: self.newest, sim, scale, pose, cut })?;
        }
        Ok("{}".into())
    }
}
