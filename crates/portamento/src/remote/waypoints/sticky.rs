//! How does a body stay beside another?

use super::error::{self, WaypointError};
use super::quantum::{Quantum, WaypointStep, turn};
use super::rules::WaypointRules;
use super::space::{self, WorldSpace};
use crate::blend::{Pose64, Rotation};
use crate::math;

/// Keeps a body beside a target, facing it, for a short lease: fights, conversations, escorts.
///
/// Distances are level (up is left out): standing on a step does not push two fighters apart.
///
/// ```
/// use portamento::blend::Pose64;
/// use portamento::remote::waypoints::{Quantum, WaypointRules, Sticky};
///
/// let rules = WaypointRules::client();
/// let body = Pose64::at([0.0; 3]);
/// let sticky = Sticky::to(&rules, [0.0, 3.0, 0.0], 0.5 + 0.5, 100.0)?;
/// let quantum = Quantum { dt: 0.05, max_speed: 4.0, contact: true, sticky: true };
/// let step = sticky.adjust(&rules, &body, &quantum)?;
/// assert_eq!(step.offset, [0.0, 1.0, 0.0]); // 5 x 4 units/s for 0.05 s, of the 1.7 between them
/// assert!(sticky.holds(101.0) && !sticky.holds(101.001));
/// # Ok::<(), portamento::remote::waypoints::WaypointError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sticky {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::position"))]
    target: [f64; 3],
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::distance"))]
    radii: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::seconds"))]
    deadline: f64,
}

impl Sticky {
    /// Stick to `target` from `now` (seconds, any clock) on. `radii` is the sum of both bodies' radii.
    pub fn to<S: WorldSpace>(
        rules: &WaypointRules<S>,
        target: [f64; 3],
        radii: f64,
        now: f64,
    ) -> Result<Self, WaypointError> {
        error::position(target)?;
        error::distance(radii)?;
        if !now.is_finite() {
            return Err(WaypointError::Time(now));
        }
        Ok(Self { target, radii, deadline: now + rules.constants().sticky_lease })
    }

    /// The target moved. The lease goes on as it was.
    pub fn follow(&mut self, target: [f64; 3]) -> Result<(), WaypointError> {
        error::position(target)?;
        self.target = target;
        Ok(())
    }

    /// Whether the lease still runs: up to and including its last moment.
    #[must_use]
    pub fn holds(&self, now: f64) -> bool {
        now <= self.deadline
    }

    /// The step toward the target, or away from it when too close, and the turn to face it.
    pub fn adjust<S: WorldSpace>(
        &self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        quantum: &Quantum,
    ) -> Result<WaypointStep, WaypointError> {
        error::time(quantum.dt)?;
        error::speed(quantum.max_speed)?;
        error::pose(body)?;
        let k = rules.constants();
        let up = rules.space().up(body.position);
        let way = space::level(rules.space().way(body.position, self.target), up);
        let centres = space::length(way);
        error::distance(centres)?;
        if centres < k.least_progress {
            return Ok(WaypointStep::NONE); // one inside the other: no direction to face or to back off in
        }
        let gap = centres - self.radii - k.sticky_gap;
        let speed = rules.speed(k.sticky_speed, quantum.max_speed, k.sticky_fallback_speed);
        let step = (speed * quantum.dt).min(gap.abs());
        let offset = space::along(way, centres, if gap < 0.0 { -step } else { step });
        let turn = face(body.rotation, k.forward, way, up);
        Ok(WaypointStep { offset, turn })
    }

    pub(super) fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        let mut pose = Pose64::at(self.target);
        shift(&mut pose);
        self.target = pose.position;
    }
}

/// The turn about `up`, relative to the body, after which its `forward` points along the level vector `way`.
fn face(body: Rotation, forward: [f32; 3], way: [f64; 3], up: [f32; 3]) -> Rotation {
    let ahead = space::level(body.rotate(forward).map(f64::from), up);
    let cross = [
        ahead[1] * way[2] - ahead[2] * way[1],
        ahead[2] * way[0] - ahead[0] * way[2],
        ahead[0] * way[1] - ahead[1] * way[0],
    ];
    let sine = cross[0] * f64::from(up[0]) + cross[1] * f64::from(up[1]) + cross[2] * f64::from(up[2]);
    let cosine = ahead[0] * way[0] + ahead[1] * way[1] + ahead[2] * way[2];
    let angle = math::atan2(sine, cosine);
    if angle == 0.0 {
        return Rotation::IDENTITY; // facing it already, or looking straight up
    }
    turn(body, Rotation::from_axis_angle(up, angle as f32).mul(body))
}
