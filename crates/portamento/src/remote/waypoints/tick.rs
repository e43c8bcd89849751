//! What does a tick bring a body, what step does it get, and what is asked for at its end?

use crate::blend::{Pose64, Rotation};

/// One tick of the simulation, as a body meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaypointTick {
    /// The length of the tick, in seconds.
    pub dt: f64,
    /// The body's own top speed, in units per second; 0 for a body that has none.
    pub max_speed: f64,
    /// Whether the body stands on something. In the air it does not walk.
    pub contact: bool,
    /// Whether your own code holds the body beside a target, so that standing still does not count as stuck.
    /// [`RemoteBody::stick_to`](super::RemoteBody::stick_to) sets it by itself.
    pub sticky: bool,
}

impl WaypointTick {
    /// Creates a tick of `dt` seconds for a body on the ground with this top speed.
    #[must_use]
    pub const fn new(dt: f64, max_speed: f64) -> Self {
        Self { dt, max_speed, contact: true, sticky: false }
    }
}

/// How a body is to move in a tick. It replaces the animation's own root motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a step that is not applied leaves the body where it is, and it will count as stuck"]
pub struct WaypointStep {
    /// The translation in world axes; never longer than speed times tick.
    pub offset: [f64; 3],
    /// The turn relative to the body: rotation after = rotation before x turn.
    pub turn: Rotation,
}

impl WaypointStep {
    /// No motion.
    pub const NONE: Self = Self { offset: [0.0; 3], turn: Rotation::IDENTITY };

    /// Returns the body after the step if nothing is in its way.
    #[must_use]
    pub fn apply(&self, body: &Pose64) -> Pose64 {
        let place = |i: usize| (body.position[i] + self.offset[i]).clamp(-f64::MAX, f64::MAX);
        Pose64::new([place(0), place(1), place(2)], self.turned(body.rotation))
    }

    /// The rotation after the step. A product of unit quaternions drifts, so it is normalised.
    fn turned(&self, rotation: Rotation) -> Rotation {
        if self.turn == Rotation::IDENTITY {
            return rotation;
        }
        Rotation::from_xyzw(rotation.mul(self.turn).to_array()).unwrap_or(rotation)
    }
}

/// The whole turn from one rotation to another, relative to the first. Rotations that differ only by rounding are
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

/// A request to put a body somewhere, because it cannot walk there.
///
/// It is repeated in every tick until you accept it or something newer replaces it. Another body may stand there, or
/// the place is still being loaded: then refuse it, or answer any number of ticks later. An answer to a request that a
/// newer report has replaced changes nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a stuck body stays stuck until it is placed"]
pub struct Placement<P = ()> {
    /// Where to put the body.
    pub pose: Pose64,
    /// The velocity to have from then on, in units per second; `None`: leave it alone.
    pub velocity: Option<[f64; 3]>,
    /// The payload of the report that the body is placed at, such as a cell id.
    pub payload: P,
    pub(super) version: u32,
}

/// What the end of a tick brought.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct WaypointOutcome<P = ()> {
    /// The body asks to be placed: put it there and accept, or refuse.
    pub place: Option<Placement<P>>,
    /// The velocity to have from now on, in units per second: that of a velocity node whose turn came.
    pub velocity: Option<[f64; 3]>,
    /// A stop node's turn came.
    pub stopped: bool,
    /// The body's target was not renewed in time: it no longer sticks to it.
    pub released: bool,
}

impl<P> WaypointOutcome<P> {
    pub(super) const NOTHING: Self = Self { place: None, velocity: None, stopped: false, released: false };
}
