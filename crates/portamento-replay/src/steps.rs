//! System `steps`: a fixed step and one body that moves at a steady velocity.

use crate::{Drive, Fields, System, line};
use serde::Serialize;

/// What the header of `steps` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepsHeader {
    /// Ticks per second.
    pub hz: f64,
    /// The longest frame time taken in; `None` for the library's default.
    pub max_frame: Option<f64>,
    /// The display's rate. One that makes no sense is an error, also where nothing is snapped to it.
    pub display_hz: Option<f64>,
    /// Whether frame times are snapped.
    pub snap: bool,
    /// Whether a display that is not the one named is noticed.
    pub watch: bool,
    /// Where the body starts.
    pub start: [f64; 3],
    /// Its velocity.
    pub velocity: [f64; 3],
}

/// An event of `steps` and `gate`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyEvent {
    /// A frame took this many seconds.
    Frame(f64),
    /// The body has this velocity from now on.
    Velocity([f64; 3]),
    /// A teleport.
    Cut([f64; 3]),
    /// The newest position becomes this.
    Correct([f64; 3]),
    /// This is added to everything.
    Rebase([f64; 3]),
}

const EVENTS: [&str; 5] = ["frame", "velocity", "cut", "correct", "rebase"];

impl BodyEvent {
    pub(crate) fn read(mut event: Fields) -> Result<Self, String> {
        let kind = event.kind(&EVENTS)?;
        let expected = "the kind is a key of the event";
        let read = if kind == "frame" {
            Self::Frame(event.time(kind)?.expect(expected))
        } else {
            let value = event.vector(kind)?.expect(expected);
            match kind {
                "velocity" => Self::Velocity(value),
                "cut" => Self::Cut(value),
                "correct" => Self::Correct(value),
                _ => Self::Rebase(value),
            }
        };
        event.finish()?;
        Ok(read)
    }
}

/// An error for more ticks in one frame than anybody waits for: a script from elsewhere must not keep the program busy
/// for years. Everything that a game would want is far below.
pub fn check_ticks(ticks: u64) -> Result<(), String> {
    const MOST: u64 = 10_000_000;
    if ticks <= MOST {
        return Ok(());
    }
    Err(format!("{ticks} ticks are due in this frame, more than {MOST}: give a smaller hz or max_frame"))
}

/// An error for a body that has left all numbers: JSON has none for where it is then.
pub(crate) fn check_place(position: &[f64; 3]) -> Result<(), String> {
    if position.iter().all(|n| n.is_finite()) {
        return Ok(());
    }
    Err(format!("the body's position becomes {position:?}: give smaller places and velocities"))
}

/// The state after an event of `steps`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StepsOutput {
    /// Ticks that ran in this event.
    pub ticks: u64,
    /// Place between the two ticks.
    pub alpha: f64,
    /// Seconds that were dropped in this event.
    pub dropped: f64,
    /// The truth.
    pub position: [f64; 3],
    /// What is drawn.
    pub view: [f64; 3],
}

struct Steps<D>(D);

pub(crate) fn begin<D>(mut header: Fields) -> Result<Box<dyn System>, String>
where
    D: Drive<StepsHeader, BodyEvent, StepsOutput> + 'static,
{
    let hz = match (header.number("hz")?, header.number("step")?) {
        (Some(_), Some(_)) => return Err("give hz or step, not both".into()),
        (Some(hz), None) => hz,
        (None, Some(step)) if step > 0.0 => 1.0 / step,
        (None, Some(step)) => return Err(format!("step is {step}: it must be above 0")),
        (None, None) => 60.0,
    };
    // A null display rate is the documented way to say that it is unknown.
    let display_hz = match header.take("display_hz") {
        None | Some(serde_json::Value::Null) => None,
        Some(value) => Some(
            value
                .as_f64()
                .ok_or_else(|| format!("display_hz is {value}: it must be a number above 0, or null"))?,
        ),
    };
    let read = StepsHeader {
        hz,
        max_frame: header.number("max_frame")?,
        display_hz,
        snap: header.flag("snap")?.unwrap_or(false),
        watch: header.flag("watch")?.unwrap_or(false),
        start: header.vector("start")?.unwrap_or_default(),
        velocity: header.vector("velocity")?.unwrap_or_default(),
    };
    header.finish()?;
    Ok(Box::new(Steps(D::begin(read)?)))
}

impl<D: Drive<StepsHeader, BodyEvent, StepsOutput>> System for Steps<D> {
    fn event(&mut self, event: Fields) -> Result<String, String> {
        let output = self.0.event(BodyEvent::read(event)?)?;
        check_place(&output.position)?;
        Ok(line(&output))
    }
}
