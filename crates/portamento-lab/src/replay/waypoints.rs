//! System `waypoints`: one remote body, z up, that catches up with its reports.

use super::fields::ScriptPose;
use super::{Fields, System, line};
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    Enqueued, WaypointReport, WaypointRule, WaypointRules, WaypointSettings, WaypointStep, WaypointTick,
    Waypoints as Queue,
};
use serde::Serialize;

pub(super) struct Waypoints {
    rules: WaypointRules,
    queue: Queue,
    body: Pose64,
    max_speed: f64,
    blip: f64,
    shape: Option<Shape>,
}

/// How many numbers this script's poses have.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Three,
    Seven,
}

const EVENTS: [&str; 5] = ["enqueue", "enqueue_velocity", "enqueue_stop", "tick", "stop"];

#[derive(Default)]
struct Happened {
    step: Option<WaypointStep>,
    placed: Option<Pose64>,
    velocity: Option<[f64; 3]>,
}

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

impl Waypoints {
    pub(super) fn new(header: &mut Fields) -> Result<Self, String> {
        let rule = match header.text("rule")?.as_deref() {
            None | Some("client") => WaypointRule::BySpeed,
            Some("seed") => WaypointRule::ByTime,
            Some(other) => return Err(format!("unknown rule {other:?}: give client or seed")),
        };
        let mut system = Self {
            rules: WaypointRules::new(WaypointSettings { rule, ..WaypointSettings::z_up() })
                .map_err(|e| e.to_string())?,
            queue: Queue::new(),
            body: Pose64::default(),
            max_speed: header.not_negative("max_speed")?.unwrap_or(4.0),
            blip: header.not_negative("blip")?.unwrap_or(100.0),
            shape: None,
        };
        if let Some(start) = header.pose("start")? {
            system.body = system.pose("start", start)?;
        }
        Ok(system)
    }

    /// A pose of the script, which must have as many numbers as the poses before it.
    fn pose(&mut self, key: &str, pose: ScriptPose) -> Result<Pose64, String> {
        let shape = if pose.rotation.is_some() { Shape::Seven } else { Shape::Three };
        if *self.shape.get_or_insert(shape) != shape {
            return Err(format!("{key} mixes pose lengths: a script uses 3 or 7 numbers throughout"));
        }
        let rotation = pose.rotation.and_then(|q| Rotation::from_xyzw(q.map(|c| c as f32)));
        Ok(Pose64::new(pose.position, rotation.unwrap_or_default()))
    }

    fn enqueue(&mut self, mut event: Fields) -> Result<(), String> {
        let target = event.pose("enqueue")?.expect("the kind is a key of the event");
        let keep_heading = event.flag("keep_heading")?.unwrap_or(false);
        let blip = event.not_negative("blip")?.unwrap_or(self.blip);
        event.finish()?;
        let pose = self.pose("enqueue", target)?;
        let report = WaypointReport { keep_heading, blip: Some(blip), ..WaypointReport::new(0, pose) };
        let enqueued = self.queue.enqueue(&self.rules, &self.body, &report).map_err(|e| e.to_string())?;
        if let Enqueued::AlreadyThere { heading: Some(heading) } = enqueued {
            self.body.rotation = heading;
        }
        Ok(())
    }

    fn tick(&mut self, mut event: Fields) -> Result<Happened, String> {
        let dt = event.time("tick")?.expect("the kind is a key of the event");
        let tick = WaypointTick {
            dt,
            max_speed: event.not_negative("max_speed")?.unwrap_or(self.max_speed),
            contact: event.flag("contact")?.unwrap_or(true),
            sticky: event.flag("sticky")?.unwrap_or(false),
        };
        let moved = event.vector("moved")?;
        let accepts = event.flag("place")?.unwrap_or(true);
        event.finish()?;
        let mut happened = Happened::default();
        if !(dt > 0.0 && dt.is_finite()) {
            return Ok(happened); // a time that a real loop can produce: a pure read
        }
        let step = self.queue.step(&self.rules, &self.body, &tick).map_err(|e| e.to_string())?;
        let taken = step.unwrap_or(WaypointStep::NONE);
        self.body = WaypointStep { offset: moved.unwrap_or(taken.offset), ..taken }.apply(&self.body);
        happened.step = step;
        let outcome = self.queue.end_tick(&self.rules, &self.body, dt).map_err(|e| e.to_string())?;
        happened.velocity = outcome.velocity;
        if let Some(placement) = outcome.place {
            if !accepts {
                self.queue.refuse(&placement);
            } else if self.queue.accept(&placement) {
                self.body = placement.pose;
                happened.placed = Some(placement.pose);
                happened.velocity = placement.velocity;
            }
        }
        Ok(happened)
    }

    /// A pose with as many numbers as the script's own.
    fn numbers(&self, pose: &Pose64) -> Vec<f64> {
        let mut numbers = pose.position.to_vec();
        if self.shape == Some(Shape::Seven) {
            numbers.extend(pose.rotation.to_array().map(f64::from));
        }
        numbers
    }
}

/// Events that say nothing but that they happen are written as `true`.
fn bare(mut event: Fields, kind: &str) -> Result<(), String> {
    match event.flag(kind)? {
        Some(true) => event.finish(),
        _ => Err(format!("{kind} must be true")),
    }
}

impl System for Waypoints {
    fn event(&mut self, mut event: Fields) -> Result<String, String> {
        let mut happened = Happened::default();
        match event.kind(&EVENTS)? {
            "enqueue" => self.enqueue(event)?,
            "enqueue_velocity" => {
                let velocity = event.vector("enqueue_velocity")?.expect("the kind is a key of the event");
                event.finish()?;
                self.queue.enqueue_velocity(velocity).map_err(|e| e.to_string())?;
            }
            "tick" => happened = self.tick(event)?,
            "enqueue_stop" => {
                bare(event, "enqueue_stop")?;
                self.queue.enqueue_stop();
            }
            _ => {
                bare(event, "stop")?;
                self.queue.stop();
            }
        }
        // What has been printed without rotations cannot grow them later.
        let shape = *self.shape.get_or_insert(Shape::Three);
        Ok(line(&Output {
            offset: happened.step.map(|step| step.offset),
            turn: happened.step.filter(|_| shape == Shape::Seven).map(|step| step.turn.to_array()),
            position: self.numbers(&self.body),
            depth: self.queue.len(),
            failures: self.queue.failures(),
            frames: self.queue.frames(),
            baseline: self.queue.baseline().unwrap_or(self.rules.settings().unmeasured),
            placed: happened.placed.map(|pose| self.numbers(&pose)),
            velocity: happened.velocity,
        }))
    }
}
