//! A remote body as a whole, from its reports to its picture.

use super::leash::Leash;
use super::queue::{Enqueued, Waypoints};
use super::report::{self, Known, Route, WaypointError, WaypointReport, route};
use super::settings::{WaypointRules, WorldSpace};
use super::state::WaypointState;
use super::sticky::Sticky;
use super::tick::{Placement, WaypointOutcome, WaypointStep, WaypointTick};
use crate::blend::Pose64;
use crate::step::Moment;
use crate::{Drawn, Track};

/// The body of another player: reports go in, it walks in the ticks of the simulation, and one call a frame draws it.
///
/// ```
/// use portamento::blend::Pose64;
/// use portamento::remote::waypoints::{RemoteBody, Route, WaypointReport, WaypointRules, WaypointStep, WaypointTick};
/// use portamento::step::{Frame, Stepper};
///
/// let rules = WaypointRules::y_up();
/// let mut stepper = Stepper::fixed(60.0)?;
/// let mut other = RemoteBody::new();
///
/// let report = |x: f64| WaypointReport::new(7, Pose64::at([x, 0.0, 0.0]));
/// assert_eq!(other.report(&rules, &report(5.0), 30.0), Ok(Route::Cut)); // it appears
/// assert_eq!(other.report(&rules, &report(7.0), 30.0), Ok(Route::Enqueue));
///
/// for frame_time in [1.0 / 144.0; 144] {
///     let Frame { ticks, moment, .. } = stepper.frame(frame_time);
///     other.frame(&rules, frame_time, 30.0); // optional: too far from the viewer, it is not simulated
///     for tick in ticks {
///         let tick = WaypointTick::new(tick.dt, 4.0);
///         let Some(step) = other.step(&rules, &tick, WaypointStep::NONE)? else { continue };
///         let there = step.apply(other.truth().unwrap()); // your physics: move, collide
///         if let Some(placement) = other.moved(&rules, &there)?.place {
///             other.accept(&placement); // or refuse it: there is no room
///         }
///     }
///     let _drawn = other.draw(moment);
/// }
/// assert_eq!(other.truth().unwrap().position, [7.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The parts of a body move only together, so that a placement cannot leave the picture behind:
///
/// ```compile_fail,E0616
/// # use portamento::remote::waypoints::RemoteBody;
/// let mut other: RemoteBody = RemoteBody::new();
/// other.queue.stop(); // private: `stop` of the body
/// ```
///
/// # The leash
///
/// Each report also puts the body on a leash: root motion and targets ([`stick_to`](RemoteBody::stick_to)) carry it no
/// farther from its last report than the settings allow, outdoors 50 units by default. The way to the reports
/// themselves is not limited.
///
/// `P` is the payload of a report, `N` the most waypoints it holds, `ENDS` the ticks that its track remembers. With
/// `RemoteBody<(), 8, 2>` a body takes little more than a third of the memory; two ends are enough for a fixed step.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RemoteBody<P: Copy = (), const N: usize = 32, const ENDS: usize = 8> {
    queue: Waypoints<P, N>,
    sticky: Option<Sticky>,
    leash: Option<Leash>,
    known: Option<Known>,
    activity: Activity,
    /// The length of the tick that has begun with `step` and not ended with `moved`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::maybe_seconds"))]
    ticking: Option<f64>,
    track: Track<Pose64, ENDS>,
}

impl<P: Copy, const N: usize, const ENDS: usize> Default for RemoteBody<P, N, ENDS> {
    fn default() -> Self {
        Self {
            queue: Waypoints::default(),
            sticky: None,
            leash: None,
            known: None,
            activity: Activity::default(),
            ticking: None,
            track: Track::with_ends(Pose64::default()),
        }
    }
}

impl<P: Copy> RemoteBody<P> {
    /// Creates a body that is not in the world yet: its first report puts it there.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<P: Copy, const N: usize, const ENDS: usize> RemoteBody<P, N, ENDS> {
    /// Takes in a report of the body, which it puts `from_viewer` units from the viewer. Returns what was done.
    pub fn report<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        report: &WaypointReport<P>,
        from_viewer: f64,
    ) -> Result<Route, WaypointError> {
        let routed = report::pose(&report.pose)
            .and_then(|pose| Ok((pose, route(rules, self.known.as_ref(), report, from_viewer)?)));
        let (pose, route) = self.queue.counted(routed)?;
        match route {
            Route::Stale => {
                self.queue.count_stale();
                return Ok(route);
            }
            Route::Ignore => {}
            Route::Cut | Route::Place => {
                self.queue.stop();
                self.cut(pose);
            }
            Route::Enqueue => {
                let truth = *self.track.truth();
                let enqueued = self.queue.enqueue(rules, &truth, report)?;
                if let Enqueued::AlreadyThere { heading: Some(rotation) } = enqueued {
                    self.track.correct(Pose64 { rotation, ..truth });
                }
            }
        }
        self.known = Some(match self.known {
            Some(known) if route != Route::Cut => known.after(report),
            _ => Known::by(report),
        });
        self.leash = Some(Leash::at(pose.position, report.indoors));
        Ok(route)
    }

    /// Adds a velocity, in units per second, that the body is to have when it has reached everything reported.
    pub fn enqueue_velocity(&mut self, velocity: [f64; 3]) -> Result<(), WaypointError> {
        self.queue.enqueue_velocity(velocity)
    }

    /// Adds a stop: the body is to stand when it has reached everything reported.
    pub fn enqueue_stop(&mut self) {
        self.queue.enqueue_stop();
    }

    /// Forgets all waypoints: the body stays where it is.
    pub fn stop(&mut self) {
        self.queue.stop();
    }

    /// Keeps the body beside `target`, facing it, for fights, conversations and escorts. `radii` is the sum of both
    /// bodies' radii.
    ///
    /// It ends by itself after a second of simulated time ([`WaypointOutcome::released`]); call it again in time to
    /// renew it.
    ///
    /// ```
    /// use portamento::blend::Pose64;
    /// use portamento::remote::waypoints::{RemoteBody, WaypointReport, WaypointRules, WaypointTick};
    ///
    /// let rules = WaypointRules::y_up();
    /// let mut fighter = RemoteBody::new();
    /// let _ = fighter.report(&rules, &WaypointReport::new(1, Pose64::at([0.0; 3])), 10.0)?;
    /// fighter.stick_to(&rules, [3.0, 0.0, 0.0], 0.5 + 0.5)?;
    /// let _ = fighter.walk(&rules, &WaypointTick::new(0.05, 4.0))?;
    /// assert_eq!(fighter.truth().unwrap().position, [1.0, 0.0, 0.0]); // 5 x 4 units/s for 0.05 s
    /// # Ok::<(), portamento::remote::waypoints::WaypointError>(())
    /// ```
    pub fn stick_to<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        target: [f64; 3],
        radii: f64,
    ) -> Result<(), WaypointError> {
        let sticky = self.queue.counted(Sticky::new(rules, target, radii))?;
        self.sticky = Some(sticky);
        Ok(())
    }

    /// Moves the target that the body sticks to, if there is one. This does not renew it.
    pub fn follow(&mut self, target: [f64; 3]) -> Result<(), WaypointError> {
        let followed = self.sticky.as_mut().map_or(Ok(()), |sticky| sticky.follow(target));
        self.queue.counted(followed)
    }

    /// Releases the body from its target.
    pub fn release(&mut self) {
        self.sticky = None;
    }

    /// Begins a frame of `dt` seconds, with the body `from_viewer` units from the viewer. Call it before the frame's
    /// ticks, or never.
    ///
    /// A body beyond the settings' `active_radius` is not simulated. Its time is lost, not saved up: when it comes
    /// back, its first tick is no longer than the time since then. A body whose distance is never given is always
    /// simulated.
    pub fn frame<S: WorldSpace>(&mut self, rules: &WaypointRules<S>, dt: f64, from_viewer: f64) {
        let was_simulated = self.activity.is_simulated();
        self.activity.frame(rules, dt, from_viewer);
        if was_simulated != self.activity.is_simulated() {
            // What it did before is not what it does next: no glide from one to the other.
            self.track.cut(*self.track.truth());
        }
    }

    /// Runs one tick of a world without obstacles: [`step`](RemoteBody::step), the whole step,
    /// [`moved`](RemoteBody::moved), and every placement accepted. `place` in the outcome is where the body was put;
    /// it needs no answer.
    pub fn walk<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        tick: &WaypointTick,
    ) -> Result<WaypointOutcome<P>, WaypointError> {
        let Some(step) = self.step(rules, tick, WaypointStep::NONE)? else {
            return Ok(WaypointOutcome::NOTHING);
        };
        let there = step.apply(self.track.truth());
        let outcome = self.moved(rules, &there)?;
        if let Some(placement) = &outcome.place {
            self.accept(placement);
        }
        Ok(outcome)
    }

    /// Begins a tick, and returns the step for your physics to take and to collide. `root` is the animation's own
    /// motion in this tick: waypoints and targets replace it, the leash shortens it.
    ///
    /// `None`: the body is not in the world, or too far from the viewer to be simulated. Otherwise call
    /// [`moved`](RemoteBody::moved) in the same tick.
    pub fn step<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        tick: &WaypointTick,
        root: WaypointStep,
    ) -> Result<Option<WaypointStep>, WaypointError> {
        let usable = report::time(tick.dt)
            .and_then(|()| report::speed(tick.max_speed))
            .and_then(|()| report::offset(root.offset));
        self.queue.counted(usable)?;
        if self.known.is_none() {
            return Ok(None);
        }
        let truth = *self.track.truth();
        let Some(lived) = self.activity.lived(tick.dt) else {
            self.activity.ticked();
            self.sticky.iter_mut().for_each(|sticky| sticky.spend(tick.dt));
            self.ticking = None;
            self.track.push(truth);
            return Ok(None);
        };
        let sticky = self.sticky.filter(Sticky::holds);
        let lives = WaypointTick { dt: lived, sticky: tick.sticky || sticky.is_some(), ..*tick };
        // First the one that may refuse and changes nothing.
        let beside = sticky.map(|sticky| sticky.step(rules, &truth, &lives)).transpose();
        let beside = self.queue.counted(beside)?;
        let walked = self.queue.step(rules, &truth, &lives)?;
        self.activity.ticked();
        self.ticking = Some(lived);
        let mut step = match (beside, walked) {
            (None, Some(step)) => {
                self.leash.iter_mut().for_each(Leash::measure_anew);
                return Ok(Some(step));
            }
            (Some(step), _) => step,
            (None, None) if lived < tick.dt => {
                WaypointStep { offset: root.offset.map(|c| c * (lived / tick.dt)), ..root }
            }
            (None, None) => root,
        };
        if let Some(leash) = &mut self.leash {
            step.offset = leash.hold(rules, truth.position, step.offset, tick.contact);
        }
        Ok(Some(step))
    }

    /// Ends a tick with the body at `truth`, after collision. A `truth` that cannot be used is refused, and the body
    /// stands still in this tick.
    pub fn moved<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        truth: &Pose64,
    ) -> Result<WaypointOutcome<P>, WaypointError> {
        let usable = report::pose(truth)
            .and_then(|pose| Ok((pose, self.ticking.ok_or(WaypointError::NoStep(pose.position))?)));
        let usable = self.queue.counted(usable);
        if usable.is_err() && self.ticking.take().is_some() {
            self.track.push(*self.track.truth()); // a track has a value of every tick
        }
        let (truth, dt) = usable?;
        self.ticking = None;
        self.track.push(truth);
        let outcome = self.queue.end_tick(rules, &truth, dt)?;
        self.sticky.iter_mut().for_each(|sticky| sticky.spend(dt));
        let released = self.sticky.take_if(|sticky| !sticky.holds()).is_some();
        Ok(WaypointOutcome { released, ..outcome })
    }

    /// Confirms that the body was put where `placement` says, now or any number of ticks later.
    ///
    /// The body is there from now on, and the picture cuts: a body that is put behind a wall is not drawn sliding
    /// through it. Returns `false`, and changes nothing, if a newer report, a stop or a teleport has replaced the
    /// request.
    pub fn accept(&mut self, placement: &Placement<P>) -> bool {
        let current = self.queue.accept(placement);
        if current {
            self.cut(placement.pose);
            self.leash.iter_mut().for_each(Leash::measure_anew);
        }
        current
    }

    /// Declines `placement`, for example because another body stands there. Everything is kept, and the request repeated in
    /// the next tick. Returns `false` if something newer has replaced the request.
    pub fn refuse(&mut self, placement: &Placement<P>) -> bool {
        self.queue.refuse(placement)
    }

    /// Puts body and picture elsewhere. A tick that has begun does not end there.
    fn cut(&mut self, pose: Pose64) {
        self.ticking = None;
        self.track.cut(pose);
    }

    /// Returns where the body is in the simulation; `None` before its first report.
    #[must_use]
    pub fn truth(&self) -> Option<&Pose64> {
        self.known.map(|_| self.track.truth())
    }

    /// Returns where to draw the body, without remembering it; `None` before its first report.
    #[must_use]
    pub fn view(&self, moment: Moment) -> Option<Pose64> {
        self.known.map(|_| self.track.view(moment))
    }

    /// Draws the body, once a frame; `None` before its first report.
    pub fn draw(&mut self, moment: Moment) -> Option<Drawn<Pose64>> {
        self.known.map(|_| self.track.draw(moment))
    }

    /// Returns how the body is at the moment: its waypoints, leash and target, and what was counted.
    #[must_use]
    pub fn state<S: WorldSpace>(&self, rules: &WaypointRules<S>) -> WaypointState {
        let at = self.track.truth().position;
        WaypointState {
            strayed: self.leash.map(|leash| leash.travelled(rules, at)),
            is_held: self.leash.is_some_and(|leash| leash.is_full(rules, at)),
            is_sticking: self.sticky.is_some_and(|sticky| sticky.holds()),
            is_simulated: self.activity.is_simulated(),
            seconds_skipped: self.activity.skipped,
            waypoints: self.queue.len() as u32,
            failures: self.queue.failures(),
            counts: self.queue.counts(),
        }
    }

    /// Returns the body's queue.
    #[doc(hidden)] // for tests, which look at each waypoint
    #[must_use]
    pub fn waypoints(&self) -> &Waypoints<P, N> {
        &self.queue
    }

    /// Moves everything remembered with the world's origin, so that nothing moves on the screen.
    pub fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        self.queue.rebase(&shift);
        self.sticky.iter_mut().for_each(|sticky| sticky.rebase(&shift));
        self.leash.iter_mut().for_each(|leash| leash.rebase(&shift));
        self.track.rebase(|pose| report::rebase(pose, &shift));
    }
}

/// Whether a body is near enough to the viewer to be simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Activity {
    state: State,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::distance"))]
    skipped: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum State {
    /// No frame has said how far away it is.
    #[default]
    New,
    Asleep,
    /// Came near this long ago, and has not run since.
    Woken(#[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::distance"))] f64),
    Awake,
}

impl Activity {
    /// A frame of `dt` seconds. A distance that is NaN counts as too far; an unusable time as none.
    fn frame<S: WorldSpace>(&mut self, rules: &WaypointRules<S>, dt: f64, from_viewer: f64) {
        let dt = if dt.is_finite() && dt > 0.0 { dt } else { 0.0 };
        if from_viewer <= rules.settings().active_radius {
            match &mut self.state {
                State::Awake => {}
                State::Woken(lived) => *lived = report::sum(*lived, dt),
                State::New | State::Asleep => self.state = State::Woken(dt),
            }
        } else {
            self.state = State::Asleep;
            self.skipped = report::sum(self.skipped, dt);
        }
    }

    /// How much of a tick of `dt` seconds the body lives; `None`: nothing.
    fn lived(&self, dt: f64) -> Option<f64> {
        match self.state {
            State::Asleep => None,
            State::New | State::Awake => Some(dt),
            State::Woken(lived) => (lived > 0.0).then_some(if dt < lived { dt } else { lived }),
        }
    }

    /// That tick was run.
    fn ticked(&mut self) {
        if let State::Woken(_) = self.state {
            self.state = State::Awake;
        }
    }

    fn is_simulated(&self) -> bool {
        self.state != State::Asleep
    }
}
