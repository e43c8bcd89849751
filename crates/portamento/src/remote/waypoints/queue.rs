//! Where does a body go in this tick, and when does it give up?

use super::nodes::{Nodes, WaypointNode};
use super::report::{self, WaypointError, WaypointReport};
use super::settings::{WaypointRule, WaypointRules, WorldSpace, along, length};
use super::tick::{Placement, WaypointOutcome, WaypointStep, WaypointTick, turn};
use crate::blend::{Pose64, Rotation};
use crate::count::count;

/// The catch-up queue alone: the reports a body still has to walk to.
///
/// Hidden from the documentation: in Rust, [`RemoteBody`](super::RemoteBody) is its owner. The replay contract drives it
/// call by call, and the C and JavaScript interfaces offer it.
///
/// The body itself is yours, and every call is given its pose. [`RemoteBody`](super::RemoteBody) adds routing, drawing
/// and the leash. `P` is the payload of a report, `N` the most waypoints it holds: a `Waypoints<(), 8>` takes a third of
/// the memory, for crowds that report seldom.
///
/// ```
/// use portamento::blend::Pose64;
/// use portamento::remote::waypoints::{WaypointReport, WaypointRules, WaypointTick, Waypoints};
///
/// let rules = WaypointRules::y_up();
/// let mut queue = Waypoints::new();
/// let mut body = Pose64::at([0.0; 3]);
///
/// let _ = queue.enqueue(&rules, &body, &WaypointReport::new(0, Pose64::at([1.0, 0.0, 0.0])))?;
/// while !queue.is_empty() {
///     let tick = WaypointTick::new(1.0 / 30.0, 4.0);
///     if let Some(step) = queue.step(&rules, &body, &tick)? {
///         body = step.apply(&body); // your physics: move, collide
///     }
///     let _ = queue.settle(&rules, &mut body, tick.dt)?;
/// }
/// assert_eq!(body.position, [1.0, 0.0, 0.0]);
/// # Ok::<(), portamento::remote::waypoints::WaypointError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)] // what every tick reads, then the nodes, then what is seldom read
pub struct Waypoints<P: Copy = (), const N: usize = 32> {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::seconds"))]
    sum_dt: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::maybe_distance"))]
    baseline: Option<f64>,
    frames: u32,
    failures: u32,
    version: u32,
    keep_heading: bool,
    nodes: Nodes<P, N>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::maybe_place"))]
    blip_to: Option<(Pose64, P)>,
    counts: WaypointCounts,
}

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Enqueued {
    /// The body walks there.
    Queued,
    /// It is too far to walk: the body will be placed there.
    Far,
    /// The body is there already, and the queue is empty. Turn the body to this heading, if there is one.
    AlreadyThere {
        /// The turn about up alone; `None` when the body keeps its heading.
        heading: Option<Rotation>,
    },
}

/// What was dropped, given up or refused, counted over a whole life. The counters stop at their largest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaypointCounts {
    /// Oldest nodes dropped because there were too many.
    pub evicted: u32,
    /// Newest nodes replaced by a report of the same place.
    pub replaced: u32,
    /// Waypoints given up after a window without progress.
    pub failed: u32,
    /// Placements accepted.
    pub placed: u32,
    /// Placements refused.
    pub refused: u32,
    /// Answers to placements that something newer had replaced.
    pub late: u32,
    /// Calls refused for an input that cannot be used.
    pub unusable: u32,
    /// Reports refused because a newer one had overtaken them.
    pub stale: u32,
}

impl<P: Copy, const N: usize> Default for Waypoints<P, N> {
    fn default() -> Self {
        Self {
            sum_dt: 0.0,
            baseline: None,
            frames: 0,
            failures: 0,
            version: 0,
            keep_heading: false,
            nodes: Nodes::new(),
            blip_to: None,
            counts: WaypointCounts::default(),
        }
    }
}

impl<P: Copy> Waypoints<P> {
    /// Creates an empty queue for up to 32 waypoints; `default()` has the capacity that the type says.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<P: Copy, const N: usize> Waypoints<P, N> {
    /// Takes in a report of the body, which is at `body` now.
    ///
    /// Stamps, `contact` and the viewer do not matter here: [`RemoteBody::report`](super::RemoteBody::report) checks
    /// those before.
    pub fn enqueue<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        report: &WaypointReport<P>,
    ) -> Result<Enqueued, WaypointError> {
        let k = rules.settings();
        let blip = report.blip.unwrap_or(if report.indoors { k.blip_indoors } else { k.blip_outdoors });
        let checked = self.checked_report(rules, body, &report.pose, blip);
        let (mut target, from_reference, from_body) = self.counted(checked)?;
        let WaypointReport { keep_heading, payload, .. } = *report;
        if from_reference > blip {
            let keeps = match k.rule {
                WaypointRule::BySpeed => self.keep_heading,
                WaypointRule::ByTime => keep_heading,
            };
            if keeps {
                target.rotation = rules.heading(body);
            }
            self.append(WaypointNode::Position(target, payload));
            self.failures = k.patience + 1;
            return Ok(Enqueued::Far);
        }
        if from_body <= k.there {
            self.stop();
            return Ok(Enqueued::AlreadyThere { heading: (!keep_heading).then(|| rules.heading(&target)) });
        }
        while let Some(WaypointNode::Position(newest, _)) = self.nodes.newest() {
            let apart = rules.distance(newest.position, target.position);
            let same = match k.rule {
                WaypointRule::BySpeed => apart < k.there,
                WaypointRule::ByTime => apart <= k.there,
            };
            if !same {
                break;
            }
            self.nodes.remove_newest();
            count(&mut self.counts.replaced);
        }
        while self.nodes.len() >= k.crowd as usize {
            self.nodes.remove_first();
            count(&mut self.counts.evicted);
            if k.rule == WaypointRule::ByTime {
                break;
            }
        }
        self.keep_heading = keep_heading;
        self.append(WaypointNode::Position(target, payload));
        Ok(Enqueued::Queued)
    }

    /// The target, and its distance from the report before it and from the body.
    fn checked_report<S: WorldSpace>(
        &self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        target: &Pose64,
        blip: f64,
    ) -> Result<(Pose64, f64, f64), WaypointError> {
        let target = report::pose(target)?;
        report::pose(body)?;
        report::distance(blip)?;
        let from_body = rules.distance(body.position, target.position);
        report::distance(from_body)?;
        let from_reference = match self.nodes.newest() {
            Some(WaypointNode::Position(newest, _)) => rules.distance(newest.position, target.position),
            _ => from_body,
        };
        report::distance(from_reference)?;
        Ok((target, from_reference, from_body))
    }

    /// Adds a velocity, in units per second, that the body is to have when it has reached everything before it.
    pub fn enqueue_velocity(&mut self, velocity: [f64; 3]) -> Result<(), WaypointError> {
        self.counted(report::velocity(velocity))?;
        self.append(WaypointNode::Velocity(velocity));
        Ok(())
    }

    /// Adds a stop: the body is to stand when it has reached everything before it.
    pub fn enqueue_stop(&mut self) {
        self.append(WaypointNode::Stop);
    }

    fn append(&mut self, node: WaypointNode<P>) {
        if self.nodes.push(node) {
            count(&mut self.counts.evicted);
        }
        self.version = self.version.wrapping_add(1);
    }

    /// Returns the step for this tick, before collision. `None`: there is nothing to walk to; use the animation's root
    /// motion.
    pub fn step<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        tick: &WaypointTick,
    ) -> Result<Option<WaypointStep>, WaypointError> {
        let usable = report::time(tick.dt).and_then(|()| report::speed(tick.max_speed));
        self.counted(usable)?;
        let Some(WaypointNode::Position(node, _)) = self.nodes.first() else { return Ok(None) };
        if !tick.contact {
            return Ok(None);
        }
        let way = rules.way(body.position, node.position);
        let d = length(way);
        self.counted(report::pose(body).and_then(|_| report::distance(d)))?;
        let k = rules.settings();
        let reached = match k.rule {
            WaypointRule::BySpeed => d < k.there,
            WaypointRule::ByTime => d <= k.there,
        };
        if reached {
            self.complete(rules, body, true);
            return Ok(None);
        }
        let speed = rules.speed(k.catch_up, tick.max_speed, k.fallback_speed);
        self.sum_dt = report::sum(self.sum_dt, tick.dt);
        self.frames = self.frames.saturating_add(1);
        if self.frames >= k.window {
            if tick.sticky || self.progressed(rules, d, speed, tick.dt) {
                self.frames = 0;
                self.sum_dt = 0.0;
                self.baseline = Some(d);
            } else {
                let close = k.rule == WaypointRule::BySpeed && d < k.close;
                if !close {
                    self.failures = self.failures.saturating_add(1);
                    count(&mut self.counts.failed);
                }
                self.complete(rules, body, close);
                return Ok(None);
            }
        }
        let turn = if self.keep_heading { Rotation::IDENTITY } else { turn(body.rotation, node.rotation) };
        // Only `BySpeed` comes here at exactly this distance: it completes the node and still takes the step.
        if d <= k.there {
            self.complete(rules, body, true);
        }
        // The whole way is a share of exactly 1: the body lands on the node's own bits, or a rounding beside them.
        Ok(Some(WaypointStep { offset: along(way, d, (speed * tick.dt).min(d)), turn }))
    }

    /// Whether the window that ends now saw the body come nearer.
    fn progressed<S: WorldSpace>(&self, rules: &WaypointRules<S>, d: f64, speed: f64, dt: f64) -> bool {
        let k = rules.settings();
        let progress = self.baseline.unwrap_or(k.unmeasured) - d;
        match k.rule {
            WaypointRule::BySpeed => {
                progress >= k.least_progress && progress / self.sum_dt / speed >= k.share
            }
            WaypointRule::ByTime => {
                progress >= k.ample_progress
                    || progress > k.least_progress && progress / self.sum_dt / dt >= k.share
            }
        }
    }

    /// The first node is done with.
    fn complete<S: WorldSpace>(&mut self, rules: &WaypointRules<S>, body: &Pose64, success: bool) {
        let removed = self.nodes.first();
        self.nodes.remove_first();
        self.frames = 0;
        self.sum_dt = 0.0;
        let next = self.nodes.first();
        if let Some(WaypointNode::Position(next, _)) = next {
            let d = rules.distance(body.position, next.position);
            self.baseline = d.is_finite().then_some(d);
            return;
        }
        if !success && let Some(WaypointNode::Position(pose, payload)) = removed {
            self.blip_to = Some((pose, payload));
        }
        if next.is_none() {
            self.baseline = None;
            if success {
                self.stop();
            }
        }
    }

    /// Forgets all waypoints: the body stays where it is.
    pub fn stop(&mut self) {
        self.nodes.clear();
        self.frames = 0;
        self.sum_dt = 0.0;
        self.failures = 0;
        self.blip_to = None;
        self.baseline = None;
        self.version = self.version.wrapping_add(1);
    }

    /// Ends a tick of `dt` seconds, after the body moved.
    pub fn end_tick<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        dt: f64,
    ) -> Result<WaypointOutcome<P>, WaypointError> {
        self.counted(report::time(dt))?;
        let nothing = WaypointOutcome::NOTHING;
        let first = self.nodes.first();
        if self.failures > rules.settings().patience || first.is_none() && self.failures > 0 {
            let place = self.placement();
            if place.is_none() {
                self.failures = 0;
            }
            return Ok(WaypointOutcome { place, ..nothing });
        }
        let outcome = match first {
            Some(WaypointNode::Velocity(velocity)) => WaypointOutcome { velocity: Some(velocity), ..nothing },
            Some(WaypointNode::Stop) => WaypointOutcome { stopped: true, ..nothing },
            _ => return Ok(nothing),
        };
        self.complete(rules, body, true);
        Ok(outcome)
    }

    /// Where to place a body that cannot walk there, and the velocity to give it.
    fn placement(&self) -> Option<Placement<P>> {
        let at = |place: Option<(Pose64, P)>, velocity| {
            place.map(|(pose, payload)| Placement { pose, velocity, payload, version: self.version })
        };
        let velocity = match self.nodes.newest() {
            Some(WaypointNode::Position(pose, payload)) => return at(Some((pose, payload)), None),
            Some(WaypointNode::Velocity(velocity)) => velocity,
            Some(WaypointNode::Stop) => [0.0; 3],
            None => return at(self.blip_to, None),
        };
        at(self.nodes.newest_position(), Some(velocity)).or_else(|| at(self.blip_to, None))
    }

    /// Confirms that the body was put where `placement` says, now or any number of ticks later. Everything before it
    /// is forgotten. Returns `false`, and changes nothing, if something newer has replaced the request: then leave
    /// the body where it is.
    #[must_use = "a placement that was replaced must not move the body"]
    pub fn accept(&mut self, placement: &Placement<P>) -> bool {
        let current = self.is_current(placement);
        if current {
            count(&mut self.counts.placed);
            self.stop();
        }
        current
    }

    /// Declines `placement`, for example because another body stands there. Everything is kept, and the request repeated in
    /// the next tick. Returns `false` if something newer has replaced the request.
    pub fn refuse(&mut self, placement: &Placement<P>) -> bool {
        let current = self.is_current(placement);
        if current {
            count(&mut self.counts.refused);
        }
        current
    }

    /// Whether the request still stands, and is one of this queue's.
    fn is_current(&mut self, placement: &Placement<P>) -> bool {
        let current = placement.version == self.version
            && self.placement().is_some_and(|asked| asked.pose == placement.pose);
        if !current {
            count(&mut self.counts.late);
        }
        current
    }

    /// Ends a tick and accepts any placement at once, for bodies that can be placed anywhere. `place` in the outcome
    /// is where the body was put; it needs no answer.
    pub fn settle<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &mut Pose64,
        dt: f64,
    ) -> Result<WaypointOutcome<P>, WaypointError> {
        let outcome = self.end_tick(rules, body, dt)?;
        if let Some(placement) = &outcome.place
            && self.accept(placement)
        {
            *body = placement.pose;
        }
        Ok(outcome)
    }

    /// Moves everything remembered with the world's origin. Placements asked for before are void.
    pub fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        self.nodes.rebase(&shift);
        self.blip_to.iter_mut().for_each(|(pose, _)| report::rebase(pose, &shift));
        self.version = self.version.wrapping_add(1);
    }

    pub(super) fn counted<T>(&mut self, checked: Result<T, WaypointError>) -> Result<T, WaypointError> {
        if checked.is_err() {
            count(&mut self.counts.unusable);
        }
        checked
    }

    pub(super) fn count_stale(&mut self) {
        count(&mut self.counts.stale);
    }

    /// Returns the waypoints, oldest first.
    #[must_use]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = WaypointNode<P>> + ExactSizeIterator + '_ {
        self.nodes.iter()
    }

    /// Returns the number of waypoints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there is nothing to walk to.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of waypoints given up since the queue was last empty. With more than the settings'
    /// `patience`, or any and nothing left to walk to, the body asks to be placed.
    #[must_use]
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Returns the number of ticks in the present window.
    #[doc(hidden)] // state of a replay
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Returns the distance that the present window measures progress from, once it has one.
    #[doc(hidden)] // state of a replay
    #[must_use]
    pub fn baseline(&self) -> Option<f64> {
        self.baseline
    }

    /// Returns whether the body walks without turning.
    #[doc(hidden)] // state of a replay
    #[must_use]
    pub fn keeps_heading(&self) -> bool {
        self.keep_heading
    }

    /// Returns what was dropped, given up or refused.
    #[must_use]
    pub fn counts(&self) -> WaypointCounts {
        self.counts
    }
}
