//! What do reports of your own body do?

use super::leash::Leash;
use super::queue::WaypointCounts;
use super::report::{self, Age, Known, WaypointError, WaypointReport};
use super::settings::{WaypointRules, WorldSpace};
use super::tick::WaypointStep;
use crate::blend::Pose64;
use crate::count::count;

/// The player at this machine, and what the server's reports of it (its echoes) do.
///
/// An echo says where the player *was*. Walking toward it would mean walking backwards, so there is no queue here: an
/// echo only puts the player on a leash, and teleports and forced positions cut.
///
/// ```
/// use portamento::blend::Pose64;
/// use portamento::remote::waypoints::{Echo, OwnPlayer, WaypointReport, WaypointRules, WaypointStep};
///
/// let rules = WaypointRules::y_up();
/// let mut me = OwnPlayer::new();
/// let mut body = Pose64::at([0.0; 3]);
/// let echo = |x: f64| WaypointReport::new(1, Pose64::at([x, 0.0, 0.0]));
/// let here = Pose64::at([40.0, 0.0, 0.0]);
/// assert_eq!(me.echo(&echo(40.0)), Ok(Echo::Cut(here))); // into the world
/// body = Pose64::at([41.0, 0.0, 0.0]);
/// assert_eq!(me.echo(&echo(40.5)), Ok(Echo::Leashed));
/// let step = WaypointStep { offset: [0.3, 0.0, 0.0], ..WaypointStep::NONE };
/// assert_eq!(me.limit(&rules, &body, step, true), Ok(step)); // half a unit astray: the leash is slack
///
/// let forced = WaypointReport { forced: 1, ..echo(12.0) }; // the server puts the player back
/// assert_eq!(me.echo(&forced), Ok(Echo::Forced(Pose64::at([12.0, 0.0, 0.0]))));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OwnPlayer {
    known: Option<Known>,
    leash: Option<Leash>,
    counts: WaypointCounts,
}

/// What an echo did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Echo {
    /// It is older than what is known already: refused, and counted.
    Stale,
    /// The server teleported the player here, or put it into the world: put the body there, and cut its track.
    Cut(Pose64),
    /// The server forced this position upon the player: put the body there, and cut its track.
    Forced(Pose64),
    /// The player walks on, on a new leash.
    Leashed,
}

impl OwnPlayer {
    /// Creates a player who is not in the world yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in an echo of your own movement.
    pub fn echo<P>(&mut self, report: &WaypointReport<P>) -> Result<Echo, WaypointError> {
        let pose = report::pose(&report.pose).inspect_err(|_| count(&mut self.counts.unusable))?;
        let Some(known) = self.known.filter(|k| Age::of(report.teleport, k.teleport) != Age::Newer) else {
            self.known = Some(Known::by(report));
            self.leash = None;
            return Ok(Echo::Cut(pose));
        };
        let forced = Age::of(report.forced, known.forced);
        let older = Age::of(report.teleport, known.teleport) == Age::Older || forced == Age::Older;
        if older || forced == Age::Same && known.overtaken(report) {
            count(&mut self.counts.stale);
            return Ok(Echo::Stale);
        }
        self.known = Some(known.after(report));
        self.leash = Some(Leash::at(pose.position, report.indoors));
        Ok(if forced == Age::Newer { Echo::Forced(pose) } else { Echo::Leashed })
    }

    /// Returns what the leash leaves of the player's own step from `body`. A step that is not finite is refused.
    pub fn limit<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        step: WaypointStep,
        contact: bool,
    ) -> Result<WaypointStep, WaypointError> {
        let usable = report::position(body.position).and_then(|()| report::offset(step.offset));
        usable.inspect_err(|_| count(&mut self.counts.unusable))?;
        Ok(match &mut self.leash {
            Some(leash) => {
                WaypointStep { offset: leash.hold(rules, body.position, step.offset, contact), ..step }
            }
            None => step,
        })
    }

    /// Returns how much of the leash the player at `body` has used, in units; `None` without a leash.
    #[must_use]
    pub fn strayed<S: WorldSpace>(&self, rules: &WaypointRules<S>, body: &Pose64) -> Option<f64> {
        self.leash.map(|leash| leash.travelled(rules, body.position))
    }

    /// Returns whether the leash is nearly or wholly used up: the player should wait for the next echo.
    #[must_use]
    pub fn is_held<S: WorldSpace>(&self, rules: &WaypointRules<S>, body: &Pose64) -> bool {
        self.leash.is_some_and(|leash| leash.is_full(rules, body.position))
    }

    /// Returns what was refused: `stale` echoes, and calls with `unusable` numbers.
    #[must_use]
    pub fn counts(&self) -> WaypointCounts {
        self.counts
    }

    /// Moves everything remembered with the world's origin.
    pub fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        self.leash.iter_mut().for_each(|leash| leash.rebase(&shift));
    }
}
