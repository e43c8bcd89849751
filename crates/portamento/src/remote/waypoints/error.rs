//! Which numbers cannot be used, and what to do about them?

use crate::blend::{Pose64, Rotation};
use core::fmt;

/// A number that no world contains. What it came with was refused as a whole, and counted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum WaypointError {
    /// A position with a part that is NaN or infinite.
    Position([f64; 3]),
    /// A rotation that is NaN, infinite or far from unit length, `x y z w`.
    Rotation([f32; 4]),
    /// A velocity with a part that is NaN or infinite.
    Velocity([f64; 3]),
    /// A distance that is NaN, infinite or negative.
    Distance(f64),
    /// A top speed that is NaN or infinite.
    Speed(f64),
    /// A quantum that is NaN, infinite, zero or negative: the whole quantum is a pure read.
    Time(f64),
}

impl fmt::Display for WaypointError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Position(p) => {
                write!(f, "position {p:?} is not finite: check the report before decoding it")
            }
            Self::Rotation(r) => write!(f, "rotation {r:?} is no unit quaternion: normalise it first"),
            Self::Velocity(v) => {
                write!(f, "velocity {v:?} is not finite: check the report before decoding it")
            }
            Self::Distance(d) => write!(f, "distance {d} must be finite and not negative"),
            Self::Speed(s) => write!(f, "top speed {s} must be finite; 0 asks for the preset's own speed"),
            Self::Time(dt) => {
                write!(f, "a quantum of {dt} s must be finite and above 0; nothing was advanced")
            }
        }
    }
}

impl core::error::Error for WaypointError {}

pub(super) fn position(position: [f64; 3]) -> Result<(), WaypointError> {
    if position.iter().all(|c| c.is_finite()) { Ok(()) } else { Err(WaypointError::Position(position)) }
}

pub(super) fn velocity(velocity: [f64; 3]) -> Result<(), WaypointError> {
    if velocity.iter().all(|c| c.is_finite()) { Ok(()) } else { Err(WaypointError::Velocity(velocity)) }
}

pub(super) fn distance(distance: f64) -> Result<(), WaypointError> {
    if distance.is_finite() && distance >= 0.0 { Ok(()) } else { Err(WaypointError::Distance(distance)) }
}

pub(super) fn time(dt: f64) -> Result<(), WaypointError> {
    if dt.is_finite() && dt > 0.0 { Ok(()) } else { Err(WaypointError::Time(dt)) }
}

pub(super) fn speed(speed: f64) -> Result<(), WaypointError> {
    if speed.is_finite() { Ok(()) } else { Err(WaypointError::Speed(speed)) }
}

/// The pose with its rotation at unit length. What is at unit length already keeps its bits.
pub(super) fn pose(pose: &Pose64) -> Result<Pose64, WaypointError> {
    position(pose.position)?;
    let length2 = pose.rotation.dot(pose.rotation);
    let rotation = if (length2 - 1.0).abs() <= 1e-6 {
        Some(pose.rotation)
    } else if length2 > 0.25 && length2 < 4.0 {
        Rotation::from_xyzw(pose.rotation.to_array())
    } else {
        None
    };
    match rotation {
        Some(rotation) => Ok(Pose64 { rotation, ..*pose }),
        None => Err(WaypointError::Rotation(pose.rotation.to_array())),
    }
}
