//! What does a report say, can it be used, and what is done with it?

use super::settings::{WaypointRules, WorldSpace};
use crate::blend::{Pose64, Rotation};
use core::fmt;

/// A report of where a body is, as it came from the network.
///
/// ```
/// use portamento::blend::Pose64;
/// use portamento::remote::waypoints::WaypointReport;
///
/// let pose = Pose64::at([5.0, 0.0, 2.0]);
/// let indoors = WaypointReport { sequence: Some(812), indoors: true, ..WaypointReport::new(3, pose) };
/// let in_cell_40 = indoors.with_payload(40u32);
/// assert_eq!(in_cell_40.payload, 40);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaypointReport<P = ()> {
    /// The server's count of the body's teleports. It wraps around; up to half the circle ahead is newer.
    pub teleport: u16,
    /// The server's count of the body's reports, if your transport can reorder them: a report that is not newer than
    /// the newest known one is refused. It wraps around like `teleport`.
    pub sequence: Option<u16>,
    /// The server's count of the positions it forced upon its receiver's own player; see
    /// [`OwnPlayer`](super::OwnPlayer). Reports of others leave it at 0.
    pub forced: u16,
    /// Where the body is.
    pub pose: Pose64,
    /// Whether it stood on something there.
    pub contact: bool,
    /// Whether to walk there without turning.
    pub keep_heading: bool,
    /// Whether it is indoors, where distances and leashes are shorter.
    pub indoors: bool,
    /// The farthest distance to walk, in units; beyond it the body is placed. `None`: by the settings.
    pub blip: Option<f64>,
    /// What comes back with the [`Placement`](super::Placement) if the body is placed here, such as a cell id.
    pub payload: P,
}

impl WaypointReport {
    /// Creates a report of a body that stands at `pose` outdoors and has teleported `teleport` times.
    #[must_use]
    pub const fn new(teleport: u16, pose: Pose64) -> Self {
        Self {
            teleport,
            sequence: None,
            forced: 0,
            pose,
            contact: true,
            keep_heading: false,
            indoors: false,
            blip: None,
            payload: (),
        }
    }

    /// Adds a payload.
    #[must_use]
    pub fn with_payload<P>(self, payload: P) -> WaypointReport<P> {
        let Self { teleport, sequence, forced, pose, contact, keep_heading, indoors, blip, payload: () } =
            self;
        WaypointReport { teleport, sequence, forced, pose, contact, keep_heading, indoors, blip, payload }
    }
}

/// What was done with a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Route {
    /// It is older than what is known already: refused, and counted.
    Stale,
    /// The body teleported, or appears: it is there at once, and nothing in between is drawn.
    Cut,
    /// The body goes on as it does, on a new leash. A remote body is in the air: it lands where its next report says. Your
    /// own player never walks toward where it was.
    Ignore,
    /// The body is there at once. A remote body is too far from the viewer to be seen walking; upon your own player the
    /// server forced the position.
    Place,
    /// The body walks there.
    Enqueue,
}

/// How a stamp that wraps around compares with the newest one known.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Age {
    Older,
    Same,
    Newer,
}

impl Age {
    /// Up to half the circle ahead is newer. Exactly half counts as newer, because missing a teleport is worse than
    /// seeing one twice.
    pub(super) fn of(stamp: u16, known: u16) -> Self {
        match stamp.wrapping_sub(known) {
            0 => Self::Same,
            1..=0x8000 => Self::Newer,
            _ => Self::Older,
        }
    }
}

/// The stamps of the newest report of a body in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Known {
    pub(super) teleport: u16,
    pub(super) forced: u16,
    sequence: Option<u16>,
}

impl Known {
    pub(super) fn by<P>(report: &WaypointReport<P>) -> Self {
        Self { teleport: report.teleport, forced: report.forced, sequence: report.sequence }
    }

    /// After a report of the same teleport. One without a number leaves the newest number known.
    pub(super) fn after<P>(self, report: &WaypointReport<P>) -> Self {
        Self { sequence: report.sequence.or(self.sequence), ..Self::by(report) }
    }

    /// Whether a report of the same teleport was sent before the newest, or is the same once more.
    pub(super) fn overtaken<P>(&self, report: &WaypointReport<P>) -> bool {
        match (report.sequence, self.sequence) {
            (Some(sequence), Some(known)) => Age::of(sequence, known) != Age::Newer,
            _ => false,
        }
    }
}

/// What to do with a report of a body that is `from_viewer` units from the viewer.
pub(super) fn route<P, S: WorldSpace>(
    rules: &WaypointRules<S>,
    known: Option<&Known>,
    report: &WaypointReport<P>,
    from_viewer: f64,
) -> Result<Route, WaypointError> {
    let age = known.map(|known| Age::of(report.teleport, known.teleport));
    if age == Some(Age::Newer) {
        return Ok(Route::Cut); // wherever the viewer is
    }
    distance(from_viewer)?;
    Ok(match known {
        None => Route::Cut,
        Some(_) if age == Some(Age::Older) => Route::Stale,
        Some(known) if known.overtaken(report) => Route::Stale,
        Some(_) if !report.contact => Route::Ignore,
        Some(_) if from_viewer >= rules.settings().active_radius => Route::Place,
        Some(_) => Route::Enqueue,
    })
}

/// An input that cannot be used. The whole call was refused and counted, and nothing changed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum WaypointError {
    /// A position with a part that is NaN or infinite.
    Position([f64; 3]),
    /// A rotation that is NaN, infinite or far from unit length, `x y z w`.
    Rotation([f32; 4]),
    /// A velocity with a part that is NaN or infinite.
    Velocity([f64; 3]),
    /// A step with a part that is NaN or infinite.
    Offset([f64; 3]),
    /// A distance that is NaN, infinite or negative.
    Distance(f64),
    /// A top speed that is NaN or infinite.
    Speed(f64),
    /// A tick that is NaN, infinite, zero or negative seconds long.
    Time(f64),
    /// [`RemoteBody::moved`](super::RemoteBody::moved) to this position without a
    /// [`step`](super::RemoteBody::step) before it.
    NoStep([f64; 3]),
}

impl fmt::Display for WaypointError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Position(p) => {
                write!(f, "position {p:?} is not finite: check the report before decoding it")
            }
            Self::Rotation(r) => write!(f, "rotation {r:?} is not a unit quaternion: normalise it first"),
            Self::Velocity(v) => {
                write!(f, "velocity {v:?} is not finite: check the report before decoding it")
            }
            Self::Offset(o) => write!(f, "step {o:?} is not finite: check the animation's root motion"),
            Self::Distance(d) => write!(f, "distance {d} must be finite and not negative"),
            Self::Speed(s) => write!(f, "top speed {s} must be finite; 0 asks for the settings' own speed"),
            Self::Time(dt) => {
                write!(f, "a tick of {dt} s must be finite and above 0; nothing was advanced")
            }
            Self::NoStep(p) => write!(
                f,
                "moved to {p:?} without a step: call `step` first, once in each tick; a teleport or a placement in \
                 between ends the tick"
            ),
        }
    }
}

impl core::error::Error for WaypointError {}

fn finite(v: [f64; 3]) -> bool {
    v.iter().all(|c| c.is_finite())
}

pub(super) fn position(position: [f64; 3]) -> Result<(), WaypointError> {
    if finite(position) { Ok(()) } else { Err(WaypointError::Position(position)) }
}

pub(super) fn velocity(velocity: [f64; 3]) -> Result<(), WaypointError> {
    if finite(velocity) { Ok(()) } else { Err(WaypointError::Velocity(velocity)) }
}

pub(super) fn offset(offset: [f64; 3]) -> Result<(), WaypointError> {
    if finite(offset) { Ok(()) } else { Err(WaypointError::Offset(offset)) }
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

/// The pose with its rotation at unit length. A rotation at unit length keeps its bits.
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

/// A sum of lengths or times, which never becomes infinite.
pub(super) fn sum(a: f64, b: f64) -> f64 {
    (a + b).min(f64::MAX)
}

/// Moves a place with the world's origin. A place beyond all numbers stays at the last one.
pub(super) fn rebase(pose: &mut Pose64, shift: impl Fn(&mut Pose64)) {
    let before = *pose;
    shift(pose);
    for (now, before) in pose.position.iter_mut().zip(before.position) {
        *now = if now.is_nan() { before } else { now.clamp(-f64::MAX, f64::MAX) };
    }
}

/// Numbers in a save that a report could not have brought.
#[cfg(feature = "serde")]
pub(super) mod saved {
    use super::WaypointError;
    use crate::blend::Pose64;
    use crate::saved::checked;
    use serde::{Deserialize, Deserializer};

    pub(in super::super) fn position<'de, D: Deserializer<'de>>(from: D) -> Result<[f64; 3], D::Error> {
        checked(from, |&at| super::position(at))
    }

    pub(in super::super) fn distance<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        checked(from, |&distance| super::distance(distance))
    }

    pub(in super::super) fn maybe_distance<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<f64>, D::Error> {
        checked(from, |distance: &Option<f64>| distance.map_or(Ok(()), super::distance))
    }

    pub(in super::super) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        checked(
            from,
            |&seconds| {
                if f64::is_finite(seconds) { Ok(()) } else { Err(WaypointError::Time(seconds)) }
            },
        )
    }

    pub(in super::super) fn maybe_seconds<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<f64>, D::Error> {
        checked(from, |seconds: &Option<f64>| seconds.map_or(Ok(()), super::time))
    }

    pub(in super::super) fn maybe_place<'de, D: Deserializer<'de>, P: Deserialize<'de>>(
        from: D,
    ) -> Result<Option<(Pose64, P)>, D::Error> {
        checked(from, |place: &Option<(Pose64, P)>| match place {
            Some((pose, _)) => super::pose(pose).map(drop),
            None => Ok(()),
        })
    }
}
