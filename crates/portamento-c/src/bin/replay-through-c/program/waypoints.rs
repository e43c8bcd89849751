//! System `waypoints`: a queue, and the body that it moves.

use super::border::{NO_POSE, done, found, normalized, result};
use portamento_c::*;
use portamento_replay::{
    Drive, WaypointBody, WaypointEvent, WaypointHappened, WaypointHeader, WaypointState, WaypointTickEvent,
};

pub struct Body {
    queue: portamento_waypoints,
    body: portamento_pose64,
}

impl Drop for Body {
    fn drop(&mut self) {
        let _ = portamento_waypoints_free(self.queue);
    }
}

const NO_STEP: portamento_waypoint_step =
    portamento_waypoint_step { offset: [0.0; 3], turn: [0.0, 0.0, 0.0, 1.0] };

fn plain(pose: portamento_pose64) -> WaypointBody {
    WaypointBody { position: pose.position, rotation: pose.rotation }
}

impl Drive<WaypointHeader, WaypointEvent, WaypointState> for Body {
    fn begin(WaypointHeader { seed, start }: WaypointHeader) -> Result<Self, String> {
        // SAFETY: all zeros are numbers.
        let mut settings: portamento_waypoint_settings = unsafe { std::mem::zeroed() };
        // SAFETY: a place for the settings.
        done(unsafe { portamento_waypoint_settings_z_up(&mut settings) })?;
        settings.rule =
            if seed { PORTAMENTO_WAYPOINT_RULE_BY_TIME } else { PORTAMENTO_WAYPOINT_RULE_BY_SPEED };
        let none = portamento_waypoints { id: 0 };
        // SAFETY: settings, and a place for the handle.
        let queue = result(none, |queue| unsafe { portamento_waypoints_new(&settings, queue) })?;
        Ok(Self { queue, body: start.map_or(Ok(NO_POSE), normalized)? })
    }

    fn event(&mut self, event: WaypointEvent) -> Result<WaypointState, String> {
        let mut happened = WaypointHappened::default();
        match event {
            WaypointEvent::Enqueue { pose, keep_heading, blip } => {
                self.enqueue(normalized(pose)?, keep_heading, blip)?;
            }
            WaypointEvent::Velocity(velocity) => {
                // SAFETY: three numbers.
                done(unsafe { portamento_waypoints_enqueue_velocity(self.queue, velocity.as_ptr()) })?;
            }
            WaypointEvent::Stop => done(portamento_waypoints_enqueue_stop(self.queue))?,
            WaypointEvent::StopAll => done(portamento_waypoints_stop(self.queue))?,
            WaypointEvent::Tick(tick) => happened = self.tick(tick)?,
            WaypointEvent::Read => {}
        }
        let blank =
            portamento_waypoints_state { baseline: 0.0, depth: 0, failures: 0, frames: 0, reserved: 0 };
        // SAFETY: a place for the state.
        let state = result(blank, |state| unsafe { portamento_waypoints_get_state(self.queue, state) })?;
        Ok(WaypointState {
            happened,
            body: plain(self.body),
            depth: state.depth as usize,
            failures: state.failures,
            frames: state.frames,
            baseline: state.baseline,
        })
    }
}

impl Body {
    fn enqueue(&mut self, pose: portamento_pose64, keep_heading: bool, blip: f64) -> Result<(), String> {
        // SAFETY: all zeros are numbers.
        let mut report: portamento_waypoint_report = unsafe { std::mem::zeroed() };
        report.pose = pose;
        report.blip = blip;
        report.contact = 1;
        report.keep_heading = keep_heading.into();
        let (mut heading, mut turned) = ([0.0; 4], 0);
        // SAFETY: a pose, a report, and places for what is asked.
        done(unsafe {
            portamento_waypoints_enqueue(self.queue, &self.body, &report, heading.as_mut_ptr(), &mut turned)
        })?;
        if turned != 0 {
            self.body.rotation = heading;
        }
        Ok(())
    }

    fn tick(&mut self, event: WaypointTickEvent) -> Result<WaypointHappened, String> {
        let WaypointTickEvent { dt, max_speed, contact, sticky, moved, accepts } = event;
        let tick = portamento_waypoint_tick { dt, max_speed, contact: contact.into(), sticky: sticky.into() };
        let mut step = NO_STEP;
        // SAFETY: a pose, a tick, and a place for the step.
        let written = found(unsafe { portamento_waypoints_step(self.queue, &self.body, &tick, &mut step) })?;
        let mut happened = WaypointHappened {
            step: written.then_some((step.offset, step.turn)),
            ..WaypointHappened::default()
        };
        step.offset = moved.unwrap_or(step.offset);
        let before = self.body;
        // SAFETY: a step, a pose, and a place for one.
        done(unsafe { portamento_waypoint_step_apply(&step, &before, &mut self.body) })?;
        // SAFETY: all zeros are numbers.
        let blank: portamento_waypoint_outcome = unsafe { std::mem::zeroed() };
        // SAFETY: a pose, and a place for the outcome.
        let outcome = result(blank, |outcome| unsafe {
            portamento_waypoints_end_tick(self.queue, &self.body, dt, outcome)
        })?;
        let velocity = (outcome.has_velocity != 0).then_some(outcome.velocity);
        if outcome.place == 0 {
            happened.velocity = velocity;
        } else if !accepts {
            found(portamento_waypoints_refuse(self.queue))?;
        } else if found(portamento_waypoints_accept(self.queue))? {
            self.body = outcome.pose;
            happened.placed = Some(plain(outcome.pose));
            happened.velocity = velocity;
        }
        Ok(happened)
    }
}
