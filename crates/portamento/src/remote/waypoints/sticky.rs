//! How does a body stay beside another?

use super::report::{self, WaypointError};
use super::settings::{WaypointRules, WorldSpace, along, length, level};
use super::tick::{WaypointStep, WaypointTick, turn};
use crate::blend::{Pose64, Rotation};
use crate::math;

/// Keeps a body beside a target, facing it, until its lease runs out.
///
/// Distances are level (up is left out): standing on a step does not push two fighters apart.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Sticky {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::position"))]
    target: [f64; 3],
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::distance"))]
    radii: f64,
    /// Simulated seconds until it ends; below 0 it has ended.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::seconds"))]
    lease: f64,
}

impl Sticky {
    pub(super) fn new<S: WorldSpace>(
        rules: &WaypointRules<S>,
        target: [f64; 3],
        radii: f64,
    ) -> Result<Self, WaypointError> {
        report::position(target)?;
        report::distance(radii)?;
        Ok(Self { target, radii, lease: rules.settings().sticky_lease })
    }

    /// The target moved. The lease goes on as it was.
    pub(super) fn follow(&mut self, target: [f64; 3]) -> Result<(), WaypointError> {
        report::position(target)?;
        self.target = target;
        Ok(())
    }

    pub(super) fn spend(&mut self, dt: f64) {
        self.lease = (self.lease - dt).max(-f64::MAX);
    }

    /// Whether the lease still runs: up to and including its last moment.
    pub(super) fn holds(&self) -> bool {
        self.lease >= 0.0
    }

    /// The step toward the target, or away from it when too close, and the turn to face it.
    pub(super) fn step<S: WorldSpace>(
        &self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        tick: &WaypointTick,
    ) -> Result<WaypointStep, WaypointError> {
        let k = rules.settings();
        let up = rules.up(body.position);
        let way = level(rules.way(body.position, self.target), up);
        let centres = length(way);
        report::distance(centres)?;
        if centres < k.least_progress {
            return Ok(WaypointStep::NONE); // one inside the other: no direction to face or to back off in
        }
        let gap = centres - self.radii - k.sticky_gap;
        let speed = rules.speed(k.sticky_speed, tick.max_speed, k.sticky_fallback_speed);
        let step = (speed * tick.dt).min(gap.abs()).min(f64::MAX);
        let offset = along(way, centres, if gap < 0.0 { -step } else { step });
        Ok(WaypointStep { offset, turn: face(body.rotation, k.ahead, way, up) })
    }

    pub(super) fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        let mut pose = Pose64::at(self.target);
        report::rebase(&mut pose, shift);
        self.target = pose.position;
    }
}

/// The turn about `up`, relative to the body, after which its own axis `ahead` points along the level vector `way`.
fn face(body: Rotation, ahead: [f64; 3], way: [f64; 3], up: [f64; 3]) -> Rotation {
    let ahead = level(body.rotate(ahead.map(|c| c as f32)).map(f64::from), up);
    let cross = [
        ahead[1] * way[2] - ahead[2] * way[1],
        ahead[2] * way[0] - ahead[0] * way[2],
        ahead[0] * way[1] - ahead[1] * way[0],
    ];
    let sine = cross[0] * up[0] + cross[1] * up[1] + cross[2] * up[2];
    let cosine = ahead[0] * way[0] + ahead[1] * way[1] + ahead[2] * way[2];
    let angle = math::atan2(sine, cosine);
    if angle == 0.0 {
        return Rotation::IDENTITY; // facing it already, or looking straight up
    }
    turn(body, Rotation::from_axis_angle(up.map(|c| c as f32), angle as f32).mul(body))
}
