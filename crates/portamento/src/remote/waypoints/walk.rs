//! Where does a body go in this quantum, and when does it give up?

use super::error::{self, WaypointError};
use super::nodes::{Nodes, WaypointNode};
use super::placement::{Acknowledged, Placement, PlacementAnswer, PlacementVersion, QuantumEnd, Settled};
use super::quantum::{Quantum, WaypointStep, turn};
use super::rules::{WaypointRule, WaypointRules};
use super::space::{self, WorldSpace};
use crate::blend::{Pose64, Rotation};

/// The reports a body still has to walk to, and how it fares.
///
/// The body itself is yours: every call is told where it is. All constants are in [`WaypointRules`], shared by all bodies.
/// `N` is the most nodes it ever holds (32 in the original); a `Waypoints<8>` is a third of the
/// size, for crowds that report seldom.
///
/// ```
/// use portamento::blend::Pose64;
/// use portamento::remote::waypoints::{Quantum, WaypointRules, Waypoints};
///
/// let rules = WaypointRules::client();
/// let mut queue = Waypoints::new();
/// let mut body = Pose64::at([0.0; 3]);
///
/// let report = Pose64::at([1.0, 0.0, 0.0]);
/// let _ = queue.enqueue(&rules, &body, &report, false, 100.0)?;
/// while !queue.is_empty() {
///     let quantum = Quantum { dt: 1.0 / 30.0, max_speed: 4.0, contact: true, sticky: false };
///     if let Some(step) = queue.adjust(&rules, &body, &quantum)? {
///         body = step.apply(&body); // your physics: move, collide
///     }
///     queue.settle(&rules, &mut body, quantum.dt)?;
/// }
/// assert_eq!(body.position, [1.0, 0.0, 0.0]);
/// # Ok::<(), portamento::remote::waypoints::WaypointError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)] // what every quantum reads, then the nodes, then what is seldom read
pub struct Waypoints<const N: usize = 32> {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::seconds"))]
    sum_dt: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::maybe_distance"))]
    baseline: Option<f64>,
    frames: u32,
    failures: u32,
    version: u32,
    keep_heading: bool,
    nodes: Nodes<N>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::maybe_pose"))]
    blip_to: Option<Pose64>,
    counts: WaypointCounts,
}

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Enqueued {
    /// It is walked to.
    Queued,
    /// It is too far to walk: the body will be placed there.
    Far,
    /// The body is there already; everything else was forgotten. Turn it to this heading, if there is one.
    AlreadyThere {
        /// The turn about up alone; none when the body keeps its heading.
        heading: Option<Rotation>,
    },
}

/// What went other than straight, counted over the queue's life (saturating).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaypointCounts {
    /// Oldest nodes dropped because there were too many.
    pub evicted: u32,
    /// Newest nodes replaced by a report of the same place.
    pub replaced: u32,
    /// Nodes given up after a stall window without progress.
    pub failed: u32,
    /// Placements done.
    pub placed: u32,
    /// Placements refused.
    pub refused: u32,
    /// Answers to placements that a newer report had overtaken.
    pub late: u32,
    /// Calls refused for a number that cannot be used.
    pub unusable: u32,
}

fn count(counter: &mut u32) {
    *counter = counter.saturating_add(1);
}

impl<const N: usize> Default for Waypoints<N> {
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

impl Waypoints {
    /// Nothing to walk to, and room for 32; `Waypoints::<8>::default()` is smaller.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<const N: usize> Waypoints<N> {
    /// The body is reported at `target`. With `keep_heading` it walks there without turning. A report farther
    /// than `blip` ([`WaypointRules::blip`]) from the one before is not walked to.
    pub fn enqueue<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        target: &Pose64,
        keep_heading: bool,
        blip: f64,
    ) -> Result<Enqueued, WaypointError> {
        let checked = self.checked_report(rules, body, target, blip);
        let (mut target, from_reference, from_body) = self.counted(checked)?;
        let k = rules.constants();
        if from_reference > blip {
            let keeps = match k.rule {
                WaypointRule::Client => self.keep_heading,
                WaypointRule::Seed => keep_heading,
            };
            if keeps {
                target.rotation = rules.heading(body);
            }
            self.append(WaypointNode::Position(target));
            self.failures = k.patience + 1;
            return Ok(Enqueued::Far);
        }
        if from_body <= k.there {
            self.stop();
            return Ok(Enqueued::AlreadyThere { heading: (!keep_heading).then(|| rules.heading(&target)) });
        }
        while let Some(WaypointNode::Position(newest)) = self.nodes.newest() {
            let apart = rules.distance(newest.position, target.position);
            let same = match k.rule {
                WaypointRule::Client => apart < k.there,
                WaypointRule::Seed => apart <= k.there,
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
            if k.rule == WaypointRule::Seed {
                break;
            }
        }
        self.keep_heading = keep_heading;
        self.append(WaypointNode::Position(target));
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
        let target = error::pose(target)?;
        error::pose(body)?;
        error::distance(blip)?;
        let from_body = rules.distance(body.position, target.position);
        error::distance(from_body)?;
        let from_reference = match self.nodes.newest() {
            Some(WaypointNode::Position(newest)) => rules.distance(newest.position, target.position),
            _ => from_body,
        };
        error::distance(from_reference)?;
        Ok((target, from_reference, from_body))
    }

    /// When everything before it has been reached, the body is to move with `velocity` (units per second).
    pub fn enqueue_velocity(&mut self, velocity: [f64; 3]) -> Result<(), WaypointError> {
        self.counted(error::velocity(velocity))?;
        self.append(WaypointNode::Velocity(velocity));
        Ok(())
    }

    /// When everything before it has been reached, the body is to stand.
    pub fn enqueue_stop(&mut self) {
        self.append(WaypointNode::Stop);
    }

    fn append(&mut self, node: WaypointNode) {
        if self.nodes.push(node) {
            count(&mut self.counts.evicted);
        }
        self.version = self.version.wrapping_add(1);
    }

    /// The step for this quantum, before anything collides; `None`: the queue has no say, the animation's own
    /// root motion stands.
    pub fn adjust<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        quantum: &Quantum,
    ) -> Result<Option<WaypointStep>, WaypointError> {
        let usable = error::time(quantum.dt).and_then(|()| error::speed(quantum.max_speed));
        self.counted(usable)?;
        let Some(WaypointNode::Position(node)) = self.nodes.first() else { return Ok(None) };
        if !quantum.contact {
            return Ok(None);
        }
        let way = rules.space().way(body.position, node.position);
        let d = space::length(way);
        self.counted(error::pose(body).and_then(|_| error::distance(d)))?;
        let k = rules.constants();
        let reached = match k.rule {
            WaypointRule::Client => d < k.there,
            WaypointRule::Seed => d <= k.there,
        };
        if reached {
            self.complete(rules, body, true);
            return Ok(None);
        }
        let speed = rules.speed(k.catch_up, quantum.max_speed, k.fallback_speed);
        self.sum_dt += quantum.dt;
        self.frames = self.frames.saturating_add(1);
        if self.frames >= k.window {
            if quantum.sticky || self.progressed(rules, d, speed, quantum.dt) {
                self.frames = 0;
                self.sum_dt = 0.0;
                self.baseline = Some(d);
            } else {
                let close = k.rule == WaypointRule::Client && d < k.close;
                if !close {
                    self.failures = self.failures.saturating_add(1);
                    count(&mut self.counts.failed);
                }
                self.complete(rules, body, close);
                return Ok(None);
            }
        }
        let turn = if self.keep_heading { Rotation::IDENTITY } else { turn(body.rotation, node.rotation) };
        // Only `client` comes here at exactly this distance: it completes the node and still takes the step.
        if d <= k.there {
            self.complete(rules, body, true);
        }
        // The whole way is a share of exactly 1: the body lands on the node's own bits, or a rounding beside them.
        Ok(Some(WaypointStep { offset: space::along(way, d, (speed * quantum.dt).min(d)), turn }))
    }

    /// Whether the window that ends now saw the body come nearer.
    fn progressed<S: WorldSpace>(&self, rules: &WaypointRules<S>, d: f64, speed: f64, dt: f64) -> bool {
        let k = rules.constants();
        let progress = self.baseline.unwrap_or(k.unmeasured) - d;
        match k.rule {
            WaypointRule::Client => progress >= k.least_progress && progress / self.sum_dt / speed >= k.share,
            WaypointRule::Seed => {
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
        if let Some(WaypointNode::Position(next)) = next {
            let d = rules.distance(body.position, next.position);
            self.baseline = d.is_finite().then_some(d);
            return;
        }
        if !success && let Some(WaypointNode::Position(pose)) = removed {
            self.blip_to = Some(pose);
        }
        if next.is_none() {
            self.baseline = None;
            if success {
                self.stop();
            }
        }
    }

    /// Forget everything: the body stays where it is.
    pub fn stop(&mut self) {
        self.nodes.clear();
        self.frames = 0;
        self.sum_dt = 0.0;
        self.failures = 0;
        self.blip_to = None;
        self.baseline = None;
        self.version = self.version.wrapping_add(1);
    }

    /// The end of a quantum of `dt` seconds, after the body moved.
    pub fn use_time<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        dt: f64,
    ) -> Result<QuantumEnd, WaypointError> {
        self.counted(error::time(dt))?;
        let first = self.nodes.first();
        if self.failures > rules.constants().patience || first.is_none() && self.failures > 0 {
            return Ok(match self.way_out() {
                Some((pose, velocity)) => {
                    QuantumEnd::Place(Placement { version: PlacementVersion(self.version), pose, velocity })
                }
                None => {
                    self.failures = 0;
                    QuantumEnd::Nothing
                }
            });
        }
        let end = match first {
            Some(WaypointNode::Velocity(velocity)) => QuantumEnd::Velocity(velocity),
            Some(WaypointNode::Stop) => QuantumEnd::Stopped,
            _ => return Ok(QuantumEnd::Nothing),
        };
        self.complete(rules, body, true);
        Ok(end)
    }

    /// Where to place a body that does not get there on foot, and the velocity to give it.
    fn way_out(&self) -> Option<(Pose64, Option<[f64; 3]>)> {
        let velocity = match self.nodes.newest() {
            Some(WaypointNode::Position(pose)) => return Some((pose, None)),
            Some(WaypointNode::Velocity(velocity)) => velocity,
            Some(WaypointNode::Stop) => [0.0; 3],
            None => return self.blip_to.map(|pose| (pose, None)),
        };
        match self.nodes.newest_position() {
            Some(pose) => Some((pose, Some(velocity))),
            None => self.blip_to.map(|pose| (pose, None)),
        }
    }

    /// The answer to a [`Placement`], now or any number of quanta later. An answer to one that a newer report (or
    /// a stop) has overtaken changes nothing.
    pub fn acknowledge(&mut self, version: PlacementVersion, answer: PlacementAnswer) -> Acknowledged {
        if version != PlacementVersion(self.version) {
            count(&mut self.counts.late);
            return Acknowledged::Late;
        }
        match answer {
            PlacementAnswer::Placed => {
                count(&mut self.counts.placed);
                self.stop();
                Acknowledged::Stopped
            }
            PlacementAnswer::Refused => {
                count(&mut self.counts.refused);
                Acknowledged::Kept
            }
        }
    }

    /// [`use_time`](Waypoints::use_time) and the answer at once, for bodies that can be placed anywhere.
    pub fn settle<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &mut Pose64,
        dt: f64,
    ) -> Result<Settled, WaypointError> {
        Ok(match self.use_time(rules, body, dt)? {
            QuantumEnd::Nothing | QuantumEnd::Stopped => Settled::default(),
            QuantumEnd::Velocity(velocity) => Settled { placed: None, velocity: Some(velocity) },
            QuantumEnd::Place(Placement { version, pose, velocity }) => {
                *body = pose;
                self.acknowledge(version, PlacementAnswer::Placed);
                Settled { placed: Some(pose), velocity }
            }
        })
    }

    /// The world's origin moves: the same change to every place remembered. Placements asked for before are void.
    pub fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        self.nodes.rebase(&shift);
        self.blip_to.iter_mut().for_each(shift);
        self.version = self.version.wrapping_add(1);
    }

    pub(super) fn counted<T>(&mut self, checked: Result<T, WaypointError>) -> Result<T, WaypointError> {
        if checked.is_err() {
            count(&mut self.counts.unusable);
        }
        checked
    }

    /// The nodes, oldest first.
    #[must_use]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = WaypointNode> + ExactSizeIterator + '_ {
        self.nodes.iter()
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing to walk to.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Failed nodes since the last stop. More than the preset's patience, or any with nothing left to walk to: the
    /// body is placed.
    #[must_use]
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Quanta in the present stall window.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// The distance that the stall window measures from, once it has one.
    #[must_use]
    pub fn baseline(&self) -> Option<f64> {
        self.baseline
    }

    /// Whether the body walks without turning.
    #[must_use]
    pub fn keeps_heading(&self) -> bool {
        self.keep_heading
    }

    /// What went other than straight.
    #[must_use]
    pub fn counts(&self) -> WaypointCounts {
        self.counts
    }
}
