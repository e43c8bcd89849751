//! System `waypoints`.

use crate::{
    Drive, ScriptPose, WaypointBody, WaypointEvent, WaypointHappened, WaypointHeader, WaypointState,
    WaypointTickEvent,
};
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    Enqueued, WaypointReport, WaypointRule, WaypointRules, WaypointSettings, WaypointStep, WaypointTick,
    Waypoints,
};

pub struct Body {
    rules: WaypointRules,
    queue: Waypoints,
    body: Pose64,
}

fn pose(pose: ScriptPose) -> Pose64 {
    let rotation = pose.rotation.and_then(|q| Rotation::from_xyzw(q.map(|c| c as f32)));
    Pose64::new(pose.position, rotation.unwrap_or_default())
}

fn plain(pose: Pose64) -> WaypointBody {
    WaypointBody { position: pose.position, rotation: pose.rotation.to_array() }
}

impl Drive<WaypointHeader, WaypointEvent, WaypointState> for Body {
    fn begin(WaypointHeader { seed, start }: WaypointHeader) -> Result<Self, String> {
        let rule = if seed { WaypointRule::ByTime } else { WaypointRule::BySpeed };
        let rules = WaypointRules::new(WaypointSettings { rule, ..WaypointSettings::z_up() });
        let rules = rules.map_err(|e| e.to_string())?;
        Ok(Self { rules, queue: Waypoints::new(), body: start.map(pose).unwrap_or_default() })
    }

    fn event(&mut self, event: WaypointEvent) -> Result<WaypointState, String> {
        let mut happened = WaypointHappened::default();
        match event {
            WaypointEvent::Enqueue { pose: target, keep_heading, blip } => {
                self.enqueue(pose(target), keep_heading, blip)?;
            }
            WaypointEvent::Velocity(velocity) => {
                self.queue.enqueue_velocity(velocity).map_err(|e| e.to_string())?;
            }
            WaypointEvent::Stop => self.queue.enqueue_stop(),
            WaypointEvent::StopAll => self.queue.stop(),
            WaypointEvent::Tick(tick) => happened = self.tick(tick)?,
            WaypointEvent::Read => {}
        }
        Ok(WaypointState {
            happened,
            body: plain(self.body),
            depth: self.queue.len(),
            failures: self.queue.failures(),
            frames: self.queue.frames(),
            baseline: self.queue.baseline().unwrap_or(self.rules.settings().unmeasured),
        })
    }
}

impl Body {
    fn enqueue(&mut self, pose: Pose64, keep_heading: bool, blip: f64) -> Result<(), String> {
        let report = WaypointReport { keep_heading, blip: Some(blip), ..WaypointReport::new(0, pose) };
        let enqueued = self.queue.enqueue(&self.rules, &self.body, &report).map_err(|e| e.to_string())?;
        if let Enqueued::AlreadyThere { heading: Some(heading) } = enqueued {
            self.body.rotation = heading;
        }
        Ok(())
    }

    fn tick(&mut self, event: WaypointTickEvent) -> Result<WaypointHappened, String> {
        let WaypointTickEvent { dt, max_speed, contact, sticky, moved, accepts } = event;
        let tick = WaypointTick { dt, max_speed, contact, sticky };
        let step = self.queue.step(&self.rules, &self.body, &tick).map_err(|e| e.to_string())?;
        let taken = step.unwrap_or(WaypointStep::NONE);
        self.body = WaypointStep { offset: moved.unwrap_or(taken.offset), ..taken }.apply(&self.body);
        let outcome = self.queue.end_tick(&self.rules, &self.body, dt).map_err(|e| e.to_string())?;
        let mut happened = WaypointHappened {
            step: step.map(|step| (step.offset, step.turn.to_array())),
            placed: None,
            velocity: outcome.velocity,
        };
        if let Some(placement) = outcome.place {
            if !accepts {
                self.queue.refuse(&placement);
            } else if self.queue.accept(&placement) {
                self.body = placement.pose;
                happened.placed = Some(plain(placement.pose));
                happened.velocity = placement.velocity;
            }
        }
        Ok(happened)
    }
}
