//! System `waypoints`: one remote body, z up, that catches up with its reports.

use crate::{Drive, Fields, ScriptPose, System, line};
use serde::Serialize;

/// What the header of `waypoints` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaypointHeader {
    /// The rule is `seed` rather than `client`.
    pub seed: bool,
    /// Where the body starts; `None` for the origin.
    pub start: Option<ScriptPose>,
}

/// An event of `waypoints`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WaypointEvent {
    /// A reported pose.
    Enqueue {
        /// Where the body was.
        pose: ScriptPose,
        /// The body keeps its heading while it walks there.
        keep_heading: bool,
        /// The distance from which on the body does not walk there.
        blip: f64,
    },
    /// A velocity node.
    Velocity([f64; 3]),
    /// A stop node.
    Stop,
    /// One quantum, above 0 and finite.
    Tick(WaypointTickEvent),
    /// Stop interpolating.
    StopAll,
    /// Nothing happens: the state is printed.
    Read,
}

/// One quantum of `waypoints`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaypointTickEvent {
    /// Seconds.
    pub dt: f64,
    /// The body's own top speed.
    pub max_speed: f64,
    /// Whether it stands on something.
    pub contact: bool,
    /// Whether something holds it.
    pub sticky: bool,
    /// What the body really did instead of the offset's translation.
    pub moved: Option<[f64; 3]>,
    /// Whether a placement is accepted.
    pub accepts: bool,
}

/// A body's place and orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaypointBody {
    /// Where it is.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
}

/// What a quantum did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaypointHappened {
    /// The translation and the turn that were written; `None` if nothing was.
    pub step: Option<([f64; 3], [f32; 4])>,
    /// Where the body was put.
    pub placed: Option<WaypointBody>,
    /// The velocity that was set.
    pub velocity: Option<[f64; 3]>,
}

/// The state after an event of `waypoints`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaypointState {
    /// What the event did, if it was a quantum.
    pub happened: WaypointHappened,
    /// The body.
    pub body: WaypointBody,
    /// Nodes in the queue.
    pub depth: usize,
    /// Failed windows.
    pub failures: u32,
    /// Ticks in the window.
    pub frames: u32,
    /// The distance that the window measures from.
    pub baseline: f64,
}

/// How many numbers this script's poses have.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Three,
    Seven,
}

const EVENTS: [&str; 5] = ["enqueue", "enqueue_velocity", "enqueue_stop", "tick", "stop"];

#[derive(Serialize)]
struct Output {
    offset: Option<[f64; 3]>,
    turn: Option<[f32; 4]>,
    position: Vec<f64>,
    depth: usize,
    failures: u32,
    frames: u32,
    baseline: f64,
    placed: Option<Vec<f64>>,
    velocity: Option<[f64; 3]>,
}

struct Reader {
    max_speed: f64,
    blip: f64,
    shape: Option<Shape>,
}

impl Reader {
    /// A pose of the script, which must have as many numbers as the poses before it.
    fn agree(&mut self, key: &str, pose: ScriptPose) -> Result<ScriptPose, String> {
        let shape = if pose.rotation.is_some() { Shape::Seven } else { Shape::Three };
        if *self.shape.get_or_insert(shape) != shape {
            return Err(format!("{key} mixes pose lengths: a script uses 3 or 7 numbers throughout"));
        }
        Ok(pose)
    }

    fn enqueue(&mut self, mut event: Fields) -> Result<WaypointEvent, String> {
        let target = event.pose("enqueue")?.expect("the kind is a key of the event");
        let keep_heading = event.flag("keep_heading")?.unwrap_or(false);
        let blip = event.not_negative("blip")?.unwrap_or(self.blip);
        event.finish()?;
        Ok(WaypointEvent::Enqueue { pose: self.agree("enqueue", target)?, keep_heading, blip })
    }

    fn tick(&self, mut event: Fields) -> Result<WaypointEvent, String> {
        let dt = event.time("tick")?.expect("the kind is a key of the event");
        let tick = WaypointTickEvent {
            dt,
            max_speed: event.not_negative("max_speed")?.unwrap_or(self.max_speed),
            contact: event.flag("contact")?.unwrap_or(true),
            sticky: event.flag("sticky")?.unwrap_or(false),
            moved: event.vector("moved")?,
            accepts: event.flag("place")?.unwrap_or(true),
        };
        event.finish()?;
        // Other times are those that a real loop can produce: a pure read.
        Ok(if dt > 0.0 && dt.is_finite() { WaypointEvent::Tick(tick) } else { WaypointEvent::Read })
    }

    fn read(&mut self, mut event: Fields) -> Result<WaypointEvent, String> {
        match event.kind(&EVENTS)? {
            "enqueue" => self.enqueue(event),
            "tick" => self.tick(event),
            "enqueue_velocity" => {
                let velocity = event.vector("enqueue_velocity")?.expect("the kind is a key of the event");
                event.finish()?;
                Ok(WaypointEvent::Velocity(velocity))
            }
            "enqueue_stop" => bare(event, "enqueue_stop").map(|()| WaypointEvent::Stop),
            _ => bare(event, "stop").map(|()| WaypointEvent::StopAll),
        }
    }
}

/// Events that say nothing but that they happen are written as `true`.
fn bare(mut event: Fields, kind: &str) -> Result<(), String> {
    match event.flag(kind)? {
        Some(true) => event.finish(),
        _ => Err(format!("{kind} must be true")),
    }
}

struct Waypoints<D> {
    reader: Reader,
    driver: D,
}

pub(crate) fn begin<D>(mut header: Fields) -> Result<Box<dyn System>, String>
where
    D: Drive<WaypointHeader, WaypointEvent, WaypointState> + 'static,
{
    let seed = match header.text("rule")?.as_deref() {
        None | Some("client") => false,
        Some("seed") => true,
        Some(other) => return Err(format!("unknown rule {other:?}: give client or seed")),
    };
    let mut reader = Reader {
        max_speed: header.not_negative("max_speed")?.unwrap_or(4.0),
        blip: header.not_negative("blip")?.unwrap_or(100.0),
        shape: None,
    };
    let start = header.pose("start")?.map(|pose| reader.agree("start", pose)).transpose()?;
    header.finish()?;
    Ok(Box::new(Waypoints { reader, driver: D::begin(WaypointHeader { seed, start })? }))
}

impl<D: Drive<WaypointHeader, WaypointEvent, WaypointState>> System for Waypoints<D> {
    fn event(&mut self, event: Fields) -> Result<String, String> {
        let WaypointState { happened, body, depth, failures, frames, baseline } =
            self.driver.event(self.reader.read(event)?)?;
        // What has been printed without rotations cannot grow them later.
        let seven = *self.reader.shape.get_or_insert(Shape::Three) == Shape::Seven;
        let numbers = |body: WaypointBody| {
            let mut numbers = body.position.to_vec();
            numbers.extend(body.rotation.map(f64::from).iter().filter(|_| seven));
            numbers
        };
        Ok(line(&Output {
            offset: happened.step.map(|(offset, _)| offset),
            turn: happened.step.filter(|_| seven).map(|(_, turn)| turn),
            position: numbers(body),
            depth,
            failures,
            frames,
            baseline,
            placed: happened.placed.map(numbers),
            velocity: happened.velocity,
        }))
    }
}
