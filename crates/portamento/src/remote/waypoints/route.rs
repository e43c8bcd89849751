//! What is to be done with a report, and is its body near enough to matter?

use super::error::{self, WaypointError};
use super::rules::{Surroundings, WaypointRules};
use super::space::WorldSpace;
use crate::blend::Pose64;

/// WaypointCounts a body's teleports on the server, in 16 bits that wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TeleportStamp(pub u16);

impl TeleportStamp {
    /// Whether this stamp is newer than `other`: up to half the circle ahead of it. Exactly half counts as newer, as
    /// missing a teleport is worse than seeing one twice.
    #[must_use]
    pub fn is_newer_than(self, other: Self) -> bool {
        (1..=0x8000).contains(&self.0.wrapping_sub(other.0))
    }
}

/// A report of a body, as it came from the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaypointReport {
    /// The body's teleport stamp.
    pub stamp: TeleportStamp,
    /// Where it is.
    pub pose: Pose64,
    /// It stood on something there.
    pub contact: bool,
    /// Walk there without turning.
    pub keep_heading: bool,
    /// Where that is: it decides how far is too far to walk, and how long a leash is.
    pub surroundings: Surroundings,
}

impl WaypointReport {
    /// Somebody who stands at `pose`, turned as it says, under the sky.
    #[must_use]
    pub const fn new(stamp: TeleportStamp, pose: Pose64) -> Self {
        Self { stamp, pose, contact: true, keep_heading: false, surroundings: Surroundings::Outdoors }
    }
}

/// What to do with a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Route {
    /// It is from before the last teleport: forget it.
    Stale,
    /// The body teleported, or appears: put it there, draw nothing between.
    Cut,
    /// The body is in the air: it lands where its next report says.
    Ignore,
    /// Too far away for anybody to see it walk: stop, and put it there.
    Place,
    /// Walk there.
    Enqueue,
}

/// What to do with a report of a body that is `from_viewer` units from the viewer. `known` is the stamp of the
/// body's last teleport; `None` for one that is not yet in the world.
///
/// ```
/// use portamento::remote::waypoints::{Route, WaypointRules, TeleportStamp, route};
///
/// let rules = WaypointRules::client();
/// let known = Some(TeleportStamp(65535));
/// assert_eq!(route(&rules, known, TeleportStamp(65535), true, 95.999), Ok(Route::Enqueue));
/// assert_eq!(route(&rules, known, TeleportStamp(65535), true, 96.0), Ok(Route::Place));
/// assert_eq!(route(&rules, known, TeleportStamp(0), true, 10.0), Ok(Route::Cut)); // 65535 + 1
/// assert_eq!(route(&rules, known, TeleportStamp(65534), true, 10.0), Ok(Route::Stale));
/// ```
pub fn route<S: WorldSpace>(
    rules: &WaypointRules<S>,
    known: Option<TeleportStamp>,
    stamp: TeleportStamp,
    contact: bool,
    from_viewer: f64,
) -> Result<Route, WaypointError> {
    error::distance(from_viewer)?;
    Ok(match known {
        Some(known) if known != stamp && !stamp.is_newer_than(known) => Route::Stale,
        Some(known) if known == stamp => {
            if !contact {
                Route::Ignore
            } else if from_viewer >= rules.constants().active_radius {
                Route::Place
            } else {
                Route::Enqueue
            }
        }
        _ => Route::Cut,
    })
}

/// Whether a body is near enough to the viewer to be simulated.
///
/// A body that is too far away loses its time: what passed meanwhile is consumed, never saved up. Coming back, it
/// starts with nothing pending, so its first quantum is no longer than the time since it came back.
///
/// ```
/// use portamento::remote::waypoints::{Activity, WaypointRules};
///
/// let rules = WaypointRules::client();
/// let mut activity = Activity::default();
/// activity.frame(&rules, 1.0, 96.001); // a frame of one second, too far away
/// assert_eq!(activity.quantum(0.2), None);
/// activity.frame(&rules, 0.01, 96.0); // back again
/// assert_eq!(activity.quantum(0.04), Some(0.01));
/// assert_eq!(activity.quantum(0.04), Some(0.04));
/// assert_eq!(activity.consumed(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Activity {
    state: State,
    consumed: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum State {
    #[default]
    Asleep,
    /// Came back this long ago, and has not run since.
    Woken(f64),
    Awake,
}

impl Activity {
    /// A frame of `dt` seconds passed, with the body `from_viewer` units away. Call it before the frame's quanta.
    /// A distance that is NaN counts as too far; a time that no clock should give as none.
    pub fn frame<S: WorldSpace>(&mut self, rules: &WaypointRules<S>, dt: f64, from_viewer: f64) {
        let dt = if dt.is_finite() && dt > 0.0 { dt } else { 0.0 };
        if from_viewer <= rules.constants().active_radius {
            match &mut self.state {
                State::Awake => {}
                State::Woken(lived) => *lived += dt,
                State::Asleep => self.state = State::Woken(dt),
            }
        } else {
            self.state = State::Asleep;
            self.consumed += dt;
        }
    }

    /// The world ran a quantum of `dt` seconds: how much of it this body lives. `None`: it is not simulated, or the
    /// time is one that no clock should give.
    #[must_use]
    pub fn quantum(&mut self, dt: f64) -> Option<f64> {
        error::time(dt).ok()?;
        match self.state {
            State::Asleep => None,
            State::Awake => Some(dt),
            State::Woken(lived) => {
                self.state = State::Awake;
                (lived > 0.0).then_some(if dt < lived { dt } else { lived })
            }
        }
    }

    /// Whether the body is simulated.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.state != State::Asleep
    }

    /// Seconds that passed without it, over its life.
    #[must_use]
    pub fn consumed(&self) -> f64 {
        self.consumed
    }
}
