//! How far may a body stray from its last report?

use super::report;
use super::settings::{WaypointRules, WorldSpace, length};
use crate::blend::Pose64;

/// A leash: from its start on it slows a body down, at its end it holds it.
///
/// It counts the way *travelled*, not the distance: walking in circles uses it up too. A new report is a new leash.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Leash {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::position"))]
    anchor: [f64; 3],
    indoors: bool,
    /// `None`: the distance is to be measured before the next step that counts.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::report::saved::maybe_distance"))]
    travelled: Option<f64>,
}

impl Leash {
    pub(super) fn at(anchor: [f64; 3], indoors: bool) -> Self {
        Self { anchor, indoors, travelled: None }
    }

    /// The body went where its reports say: the way there does not count, only where it is then.
    pub(super) fn measure_anew(&mut self) {
        self.travelled = None;
    }

    pub(super) fn travelled<S: WorldSpace>(&self, rules: &WaypointRules<S>, body: [f64; 3]) -> f64 {
        // What is infinitely far away is held.
        self.travelled.unwrap_or_else(|| rules.distance(self.anchor, body).min(f64::MAX))
    }

    /// What is left of a step, which counts as travelled. In the air nothing holds a body, but its way counts.
    pub(super) fn hold<S: WorldSpace>(
        &mut self,
        rules: &WaypointRules<S>,
        body: [f64; 3],
        offset: [f64; 3],
        contact: bool,
    ) -> [f64; 3] {
        let [start, end] = self.lengths(rules);
        let travelled = self.travelled(rules, body);
        let share = if !contact || travelled <= start {
            1.0
        } else if travelled < end {
            (end - travelled) / (end - start)
        } else {
            0.0
        };
        self.travelled = Some(report::sum(travelled, length(offset) * share));
        offset.map(|c| c * share)
    }

    fn lengths<S: WorldSpace>(&self, rules: &WaypointRules<S>) -> [f64; 2] {
        let k = rules.settings();
        if self.indoors { k.leash_indoors } else { k.leash_outdoors }
    }

    pub(super) fn is_full<S: WorldSpace>(&self, rules: &WaypointRules<S>, body: [f64; 3]) -> bool {
        self.travelled(rules, body) > rules.settings().leash_full * self.lengths(rules)[1]
    }

    pub(super) fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        let mut pose = Pose64::at(self.anchor);
        report::rebase(&mut pose, shift);
        self.anchor = pose.position;
    }
}
