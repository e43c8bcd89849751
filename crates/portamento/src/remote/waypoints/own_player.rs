//! What do reports of your own body do?

use super::leash::Leash;
use super::queue::WaypointCounts;
use super::report::{self, Age, Known, Route, WaypointError, WaypointReport};
use super::settings::{WaypointRules, WorldSpace};
use super::state::WaypointState;
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
/// use portamento::remote::waypoints::{OwnPlayer, Route, WaypointReport, WaypointRules, WaypointStep};
///
/// let rules = WaypointRules::y_up();
/// let mut me = OwnPlayer::new();
/// let mut body = Pose64::at([0.0; 3]);
/// let echo = |x: f64| WaypointReport::new(1, Pose64::at([x, 0.0, 0.0]));
/// assert_eq!(me.echo(&echo(40.0), &mut body), Ok(Route::Cut)); // into the world
/// assert_eq!(body.position, [40.0, 0.0, 0.0]);
/// body = Pose64::at([41.0, 0.0, 0.0]);
/// assert_eq!(me.echo(&echo(40.5), &mut body), Ok(Route::Ignore)); // where it was is no place to go to
/// let step = WaypointStep { offset: [0.3, 0.0, 0.0], ..WaypointStep::NONE };
/// assert_eq!(me.limit(&rules, &body, step, true), Ok(step)); // half a unit astray: the leash is slack
///
/// let forced = WaypointReport { forced: 1, ..echo(12.0) }; // the server puts the player back
/// assert_eq!(me.echo(&forced, &mut body), Ok(Route::Place));
/// assert_eq!(body.position, [12.0, 0.0, 0.0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OwnPlayer {
    known: Option<Known>,
    leash: Option<Leash>,
    counts: WaypointCounts,
}

impl OwnPlayer {
    /// Creates a player who is not in the world yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in an echo of your own movement. Returns what was done with it:
    ///
    /// * [`Route::Cut`]: the server teleported the player, or put it into the world. `body` is there now: cut its track.
    /// * [`Route::Place`]: the server forced this position upon the player. `body` is there now: cut its track.
    /// * [`Route::Ignore`]: the player walks on, on a new leash.
    /// * [`Route::Stale`]: the echo is older than what is known already: refused, and counted.
    pub fn echo<P>(&mut self, report: &WaypointReport<P>, body: &mut Pose64) -> Result<Route, WaypointError> {
        let pose = report::pose(&report.pose).inspect_err(|_| count(&mut self.counts.unusable))?;
        let Some(known) = self.known.filter(|k| Age::of(report.teleport, k.teleport) != Age::Newer) else {
            self.known = Some(Known::by(report));
            self.leash = None;
            *body = pose;
            return Ok(Route::Cut);
        };
        let forced = Age::of(report.forced, known.forced);
        let older = Age::of(report.teleport, known.teleport) == Age::Older || forced == Age::Older;
        if older || forced == Age::Same && known.overtaken(report) {
            count(&mut self.counts.stale);
            return Ok(Route::Stale);
        }
        self.known = Some(known.after(report));
        self.leash = Some(Leash::at(pose.position, report.indoors));
        if forced != Age::Newer {
            return Ok(Route::Ignore);
        }
        *body = pose;
        Ok(Route::Place)
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

    /// Returns how the player at `body` is at the moment: how far it has strayed, whether it is held, and what was
    /// refused (`stale` echoes, and calls with `unusable` numbers).
    #[must_use]
    pub fn state<S: WorldSpace>(&self, rules: &WaypointRules<S>, body: &Pose64) -> WaypointState {
        WaypointState {
            strayed: self.leash.map(|leash| leash.travelled(rules, body.position)),
            is_held: self.leash.is_some_and(|leash| leash.is_full(rules, body.position)),
            is_simulated: true,
            counts: self.counts,
            ..WaypointState::default()
        }
    }

    /// Moves everything remembered with the world's origin.
    pub fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        self.leash.iter_mut().for_each(|leash| leash.rebase(&shift));
    }
}
