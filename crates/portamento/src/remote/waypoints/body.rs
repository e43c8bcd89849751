//! All of it together: a remote body, from its reports to its picture.

use super::error::{self, WaypointError};
use super::placement::{Acknowledged, Placement, PlacementAnswer, QuantumEnd, Settled};
use super::quantum::{Quantum, WaypointStep};
use super::route::{Activity, Route, TeleportStamp, WaypointReport, route};
use super::rules::WaypointRules;
use super::space::WorldSpace;
use super::steering::Steering;
use super::walk::Enqueued;
use crate::blend::Pose64;
use crate::step::Moment;
use crate::{Drawn, Track};

/// Somebody else's body: reports go in, it walks in the quanta of the simulation, and one call a frame gives the
/// view.
///
/// ```
/// use portamento::blend::Pose64;
/// use portamento::remote::waypoints::{Quantum, RemoteBody, WaypointReport, Route, WaypointRules, TeleportStamp};
/// use portamento::step::{Frame, GateRule, Stepper};
///
/// let rules = WaypointRules::client();
/// let mut stepper = Stepper::gated(GateRule::Even);
/// let mut other = RemoteBody::new();
///
/// let report = |x: f64| WaypointReport::new(TeleportStamp(7), Pose64::at([x, 0.0, 0.0]));
/// assert_eq!(other.report(&rules, &report(5.0), 30.0), Ok(Route::Cut)); // it appears
/// assert_eq!(other.report(&rules, &report(7.0), 30.0), Ok(Route::Enqueue));
///
/// for frame_time in [1.0 / 144.0; 144] {
///     let Frame { ticks, moment, .. } = stepper.frame(frame_time);
///     other.frame(&rules, frame_time, 30.0); // 30 units from the viewer
///     for tick in ticks {
///         let quantum = Quantum { dt: tick.dt, max_speed: 4.0, contact: true, sticky: false };
///         other.walk(&rules, &quantum, tick.time)?;
///     }
///     let _draw_here = other.view(moment);
/// }
/// assert_eq!(other.truth().position, [7.0, 0.0, 0.0]);
/// # Ok::<(), portamento::remote::waypoints::WaypointError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RemoteBody<const N: usize = 32, const ENDS: usize = 8> {
    /// What moves the body besides its animation.
    pub steering: Steering<N>,
    stamp: Option<TeleportStamp>,
    activity: Activity,
    track: Track<Pose64, ENDS>,
}

impl<const N: usize, const ENDS: usize> Default for RemoteBody<N, ENDS> {
    fn default() -> Self {
        Self {
            steering: Steering::default(),
            stamp: None,
            activity: Activity::default(),
            track: Track::with_ends(Pose64::default()),
        }
    }
}

impl RemoteBody {
    /// Somebody who is not in the world yet: the first report puts them there. Up to 32 waypoints, and the ends that
    /// every gate needs; `RemoteBody::<8, 2>::default()` takes little more than a third of the memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<const N: usize, const ENDS: usize> RemoteBody<N, ENDS> {
    /// A report arrived, of a body that it puts `from_viewer` units from the viewer. Says what was done with it.
    pub fn report<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        report: &WaypointReport,
        from_viewer: f64,
    ) -> Result<Route, WaypointError> {
        let routed = error::pose(&report.pose).and_then(|pose| {
            Ok((pose, route(rules, self.stamp, report.stamp, report.contact, from_viewer)?))
        });
        let (pose, route) = self.steering.queue.counted(routed)?;
        match route {
            Route::Stale | Route::Ignore => {}
            Route::Cut | Route::Place => {
                self.stamp = Some(report.stamp);
                self.steering.queue.stop();
                self.track.cut(pose);
            }
            Route::Enqueue => {
                let truth = *self.track.truth();
                let blip = rules.blip(report.surroundings, false);
                let enqueued =
                    self.steering.queue.enqueue(rules, &truth, &pose, report.keep_heading, blip)?;
                if let Enqueued::AlreadyThere { heading: Some(rotation) } = enqueued {
                    self.track.correct(Pose64 { rotation, ..truth });
                }
            }
        }
        Ok(route)
    }

    /// A frame of `dt` seconds begins, with the body `from_viewer` units away. Too far, and it is not simulated:
    /// its time is consumed, and it comes back with nothing pending. Call it before the frame's quanta.
    pub fn frame<S: WorldSpace>(&mut self, rules: &WaypointRules<S>, dt: f64, from_viewer: f64) {
        let was_awake = self.activity.is_awake();
        self.activity.frame(rules, dt, from_viewer);
        if was_awake != self.activity.is_awake() {
            // What it did before it fell asleep is not what it does next: no glide from one to the other.
            self.track.cut(*self.track.truth());
        }
    }

    /// One quantum of a world without obstacles: [`adjust`](RemoteBody::adjust), the whole step,
    /// [`moved`](RemoteBody::moved), and every placement accepted. `now` is the clock of sticky leases.
    pub fn walk<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        quantum: &Quantum,
        now: f64,
    ) -> Result<Settled, WaypointError> {
        self.steering.queue.counted(error::time(quantum.dt))?;
        let Some(lived) = self.activity.quantum(quantum.dt) else { return Ok(Settled::default()) };
        let quantum = Quantum { dt: lived, ..*quantum };
        let step = self.adjust(rules, &quantum, WaypointStep::NONE)?;
        let there = step.apply(self.track.truth());
        Ok(match self.moved(rules, &there, lived, now)? {
            QuantumEnd::Nothing | QuantumEnd::Stopped => Settled::default(),
            QuantumEnd::Velocity(velocity) => Settled { placed: None, velocity: Some(velocity) },
            QuantumEnd::Place(placement) => {
                self.acknowledge(&placement, PlacementAnswer::Placed);
                Settled { placed: Some(placement.pose), velocity: placement.velocity }
            }
        })
    }

    /// How much of a quantum of `dt` seconds this body lives; `None` when it is too far away to be simulated. Ask
    /// once for each quantum, before [`adjust`](RemoteBody::adjust).
    #[must_use]
    pub fn lives(&mut self, dt: f64) -> Option<f64> {
        self.activity.quantum(dt)
    }

    /// The step of this quantum, for your physics to take and to collide. `root` is the animation's own.
    pub fn adjust<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        quantum: &Quantum,
        root: WaypointStep,
    ) -> Result<WaypointStep, WaypointError> {
        self.steering.adjust(rules, self.track.truth(), quantum, root)
    }

    /// The quantum of `dt` seconds ends with the body at `truth`, after collision. A placement is asked for until
    /// it is [acknowledged](RemoteBody::acknowledge).
    pub fn moved<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        truth: &Pose64,
        dt: f64,
        now: f64,
    ) -> Result<QuantumEnd, WaypointError> {
        let usable = error::time(dt).and_then(|()| error::pose(truth));
        let truth = self.steering.queue.counted(usable)?;
        self.track.push(truth);
        self.steering.use_time(rules, &truth, dt, now)
    }

    /// The answer to a placement. If it was done and nothing newer came in between, the body is there from now on,
    /// and the picture cuts: a body that is put behind a wall is not drawn sliding through it.
    pub fn acknowledge(&mut self, placement: &Placement, answer: PlacementAnswer) -> Acknowledged {
        let acknowledged = self.steering.queue.acknowledge(placement.version, answer);
        if acknowledged == Acknowledged::Stopped {
            self.track.cut(placement.pose);
        }
        acknowledged
    }

    /// Where the body is in the simulation.
    #[must_use]
    pub fn truth(&self) -> &Pose64 {
        self.track.truth()
    }

    /// Where to draw the body: one call a frame.
    #[must_use]
    pub fn view(&self, moment: Moment) -> Pose64 {
        self.track.view(moment)
    }

    /// The same, with what motion vectors need of the frame before.
    pub fn draw(&mut self, moment: Moment) -> Drawn<Pose64> {
        self.track.draw(moment)
    }

    /// Whether a report has put the body into the world.
    #[must_use]
    pub fn is_in_world(&self) -> bool {
        self.stamp.is_some()
    }

    /// Whether the body is near enough to be simulated, and how long it was not.
    #[must_use]
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// The world's origin moves: the same change to everything remembered, so that nothing is seen.
    pub fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        self.steering.rebase(&shift);
        self.track.rebase(shift);
    }
}
