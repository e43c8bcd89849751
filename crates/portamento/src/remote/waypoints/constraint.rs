//! How far may a body stray from where it was last confirmed?

use super::error::{self, WaypointError};
use super::rules::{Leash, Surroundings, WaypointRules};
use super::space::{self, WorldSpace};

/// A leash: from its start on it slows a body down, at its end it holds it.
///
/// It counts the way *travelled*, not the distance: walking in circles uses it up too. A new confirmation is a
/// new leash.
///
/// ```
/// use portamento::remote::waypoints::{Constraint, WaypointRules, Surroundings};
///
/// let rules = WaypointRules::client();
/// let mut leash = Constraint::new(&rules, [0.0; 3], [30.0, 0.0, 0.0], Surroundings::Outdoors)?;
/// // 30 of 50 used, slowing down since 10: half of every step is left.
/// assert_eq!(leash.adjust([1.0, 0.0, 0.0], true), [0.5, 0.0, 0.0]);
/// assert_eq!(leash.travelled(), 30.5);
/// # Ok::<(), portamento::remote::waypoints::WaypointError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Constraint {
    leash: Leash,
    full: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::distance"))]
    travelled: f64,
}

impl Constraint {
    /// A leash from `anchor` to the body, which is at `body` now.
    pub fn new<S: WorldSpace>(
        rules: &WaypointRules<S>,
        anchor: [f64; 3],
        body: [f64; 3],
        surroundings: Surroundings,
    ) -> Result<Self, WaypointError> {
        error::position(anchor)?;
        error::position(body)?;
        let travelled = rules.distance(anchor, body);
        error::distance(travelled)?;
        Ok(Self { leash: rules.leash(surroundings), full: rules.constants().leash_full, travelled })
    }

    /// What is left of a step (world axes), which counts as travelled. In the air nothing holds a body, but its
    /// way counts all the same.
    pub fn adjust(&mut self, offset: [f64; 3], contact: bool) -> [f64; 3] {
        let Leash { start, max } = self.leash;
        let share = if !contact || self.travelled <= start {
            1.0
        } else if self.travelled < max {
            (max - self.travelled) / (max - start)
        } else {
            0.0
        };
        let length = space::length(offset) * share;
        if !length.is_finite() {
            return [0.0; 3]; // no body travels that way
        }
        self.travelled += length;
        offset.map(|c| c * share)
    }

    /// How much of the leash is used, in units.
    #[must_use]
    pub fn travelled(&self) -> f64 {
        self.travelled
    }

    /// Nearly or wholly used up: the body should wait for its next confirmation.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.travelled > self.full * self.leash.max
    }
}
