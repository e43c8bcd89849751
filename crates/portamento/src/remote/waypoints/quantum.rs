//! What does a quantum of time bring a body, and what step does it get?

use crate::blend::{Pose64, Rotation};

/// One portion of simulated time, as a body meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantum {
    /// Its length, seconds.
    pub dt: f64,
    /// The body's own top speed, units per second; 0 for one that has none.
    pub max_speed: f64,
    /// The body stands on something. In the air nobody walks.
    pub contact: bool,
    /// The body sticks to a target: standing still is then no failure.
    pub sticky: bool,
}

/// How a body is to move in a quantum. It replaces the animation's own root motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a step that is not applied leaves the body where it is, and it will count as stuck"]
pub struct WaypointStep {
    /// World axes, units; never longer than speed times quantum.
    pub offset: [f64; 3],
    /// Relative to the body: its rotation after is its rotation before times this.
    pub turn: Rotation,
}

impl WaypointStep {
    /// No motion.
    pub const NONE: Self = Self { offset: [0.0; 3], turn: Rotation::IDENTITY };

    /// The body after the step, if nothing is in its way.
    #[must_use]
    pub fn apply(&self, body: &Pose64) -> Pose64 {
        let p = body.position;
        Pose64::new(
            [p[0] + self.offset[0], p[1] + self.offset[1], p[2] + self.offset[2]],
            self.turned(body.rotation),
        )
    }

    /// The rotation after the step. A product of unit quaternions drifts, so it is brought back to length.
    fn turned(&self, rotation: Rotation) -> Rotation {
        if self.turn == Rotation::IDENTITY {
            return rotation;
        }
        Rotation::from_xyzw(rotation.mul(self.turn).to_array()).unwrap_or(rotation)
    }
}

/// The whole turn from one rotation to another, relative to the first. Rotations that differ by rounding alone are
/// equal, or a body that walks straight on would tremble in its last bits and never be at rest.
pub(super) fn turn(from: Rotation, to: Rotation) -> Rotation {
    const ROUNDING: f32 = 1e-6;
    let sign = if from.dot(to) < 0.0 { -1.0 } else { 1.0 };
    let (a, b) = (from.to_array(), to.to_array());
    if (0..4).all(|i| (a[i] - sign * b[i]).abs() <= ROUNDING) {
        return Rotation::IDENTITY;
    }
    Rotation::from_xyzw(from.inverse().mul(to).to_array()).unwrap_or(Rotation::IDENTITY)
}
