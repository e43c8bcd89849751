//! What do reports of one's own body do?

use super::constraint::Constraint;
use super::error::{self, WaypointError};
use super::quantum::WaypointStep;
use super::route::{TeleportStamp, WaypointReport};
use super::rules::WaypointRules;
use super::space::WorldSpace;
use crate::blend::Pose64;

/// The player at this machine, as the server's echoes concern them.
///
/// An echo says where the player *was*. Walking toward it means walking backwards, so there is no queue here and
/// no way to enqueue one: an echo only puts the player on a leash, and a teleport cuts.
///
/// ```
/// use portamento::blend::Pose64;
/// use portamento::remote::waypoints::{Echo, OwnPlayer, WaypointReport, WaypointRules, TeleportStamp, WaypointStep};
///
/// let rules = WaypointRules::client();
/// let mut me = OwnPlayer::new();
/// let mut body = Pose64::at([0.0; 3]);
/// let echo = |x: f64| WaypointReport::new(TeleportStamp(1), Pose64::at([x, 0.0, 0.0]));
/// let here = Pose64::at([40.0, 0.0, 0.0]);
/// assert_eq!(me.echo(&rules, &echo(40.0), &body), Ok(Echo::Cut(here))); // into the world
/// body = Pose64::at([41.0, 0.0, 0.0]);
/// assert_eq!(me.echo(&rules, &echo(40.5), &body), Ok(Echo::Leashed));
/// let step = WaypointStep { offset: [0.3, 0.0, 0.0], ..WaypointStep::NONE };
/// assert_eq!(me.adjust(step, true).offset, [0.3, 0.0, 0.0]); // half a unit astray: the leash is slack
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OwnPlayer {
    stamp: Option<TeleportStamp>,
    leash: Option<Constraint>,
    unusable: u32,
}

/// What an echo did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Echo {
    /// It is from before the last teleport: forgotten.
    Stale,
    /// The server moved the player here: put the body there, and cut its track.
    Cut(Pose64),
    /// The player walks on, on a new leash.
    Leashed,
}

impl OwnPlayer {
    /// A player who is not in the world yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An echo of one's own movement arrived, with the body at `body` by now.
    pub fn echo<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        report: &WaypointReport,
        body: &Pose64,
    ) -> Result<Echo, WaypointError> {
        let leashed = error::pose(&report.pose).and_then(|pose| {
            Ok((pose, Constraint::new(rules, pose.position, body.position, report.surroundings)?))
        });
        let (pose, leash) = leashed.inspect_err(|_| self.unusable = self.unusable.saturating_add(1))?;
        match self.stamp {
            Some(known) if known == report.stamp => {
                self.leash = Some(leash);
                Ok(Echo::Leashed)
            }
            Some(known) if !report.stamp.is_newer_than(known) => Ok(Echo::Stale),
            _ => {
                self.stamp = Some(report.stamp);
                self.leash = None;
                Ok(Echo::Cut(pose))
            }
        }
    }

    /// What the leash leaves of the player's own step.
    pub fn adjust(&mut self, step: WaypointStep, contact: bool) -> WaypointStep {
        match &mut self.leash {
            Some(leash) => WaypointStep { offset: leash.adjust(step.offset, contact), ..step },
            None => step,
        }
    }

    /// The leash, once an echo has laid one.
    #[must_use]
    pub fn leash(&self) -> Option<&Constraint> {
        self.leash.as_ref()
    }

    /// Echoes refused for a number that cannot be used.
    #[must_use]
    pub fn unusable(&self) -> u32 {
        self.unusable
    }
}
