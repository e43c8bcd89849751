//! In which order do queue, target and leash move a body?

use super::constraint::Constraint;
use super::error::WaypointError;
use super::placement::QuantumEnd;
use super::quantum::{Quantum, WaypointStep};
use super::rules::WaypointRules;
use super::space::WorldSpace;
use super::sticky::Sticky;
use super::walk::Waypoints;
use crate::blend::Pose64;

/// The three things that move a body besides its own animation, and their order in each quantum: first the queue,
/// then what the body sticks to, then its leash, each having the last word over the one before.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Steering<const N: usize = 32> {
    /// The reports to walk to.
    pub queue: Waypoints<N>,
    /// What the body stays beside. While it is set, the queue does not count the body as stuck.
    pub sticky: Option<Sticky>,
    /// How far the body may still go.
    pub constraint: Option<Constraint>,
}

impl<const N: usize> Steering<N> {
    /// The step for this quantum. `root` is what the animation alone would do: the queue and the target replace it,
    /// the leash shortens it. A quantum of unusable length touches nothing.
    pub fn adjust<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        quantum: &Quantum,
        root: WaypointStep,
    ) -> Result<WaypointStep, WaypointError> {
        let quantum = Quantum { sticky: quantum.sticky || self.sticky.is_some(), ..*quantum };
        // Asked first, because it changes nothing and may refuse; its answer still comes after the queue's.
        let beside = self.sticky.map(|sticky| sticky.adjust(rules, body, &quantum)).transpose();
        let beside = self.queue.counted(beside)?;
        let walked = self.queue.adjust(rules, body, &quantum)?;
        let mut step = beside.or(walked).unwrap_or(root);
        if let Some(constraint) = &mut self.constraint {
            step.offset = constraint.adjust(step.offset, quantum.contact);
        }
        Ok(step)
    }

    /// The end of a quantum of `dt` seconds that ended at `now` (the clock of the sticky lease), after the body
    /// moved: the queue, then the leash (whose time is its way, so it has nothing to do), then the lease.
    pub fn use_time<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: &Pose64,
        dt: f64,
        now: f64,
    ) -> Result<QuantumEnd, WaypointError> {
        let end = self.queue.use_time(rules, body, dt)?;
        self.sticky = self.sticky.filter(|sticky| sticky.holds(now));
        Ok(end)
    }

    /// The world's origin moves: the same change to every place remembered.
    pub fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        self.queue.rebase(&shift);
        self.sticky.iter_mut().for_each(|sticky| sticky.rebase(&shift));
    }
}
