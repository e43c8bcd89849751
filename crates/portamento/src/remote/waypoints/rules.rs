//! With which constants does a body follow its reports?

use super::space::{self, FlatSpace, WorldSpace};
use crate::SettingError;
use crate::blend::{Pose64, Rotation};

/// Which of two readings of the original program decides where they differ; the
/// [front page](crate#two-older-rules) says which program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum WaypointRule {
    /// What the original program does. A body that only slides along a wall counts as stuck and is placed.
    #[default]
    Client,
    /// The first published reading, to the letter. Its stall test divides by the quantum instead of the speed, so
    /// that a millimetre of sliding counts as moving; for worlds that were tuned against it.
    Seed,
}

/// Where a body is, as far as the distances of a preset are concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Surroundings {
    /// Under the sky: long distances.
    #[default]
    Outdoors,
    /// Between walls: short ones.
    Indoors,
}

/// Lengths of a [`Constraint`](super::Constraint), in units.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Leash {
    /// Up to here the body moves freely.
    pub start: f64,
    /// Here it stands still.
    pub max: f64,
}

/// Every constant, with its unit: lengths in world units (metres in the presets), times in seconds.
///
/// [`WaypointSettings::client`] and [`WaypointSettings::seed`] are the original's. Make your own from either: a spaceship does
/// not walk at 7.5 m/s.
///
/// ```
/// use portamento::remote::waypoints::{WaypointSettings, FlatSpace, WaypointRules};
///
/// let ships = WaypointSettings {
///     there: 5.0,             // metres: a ship's length is near enough
///     close: 20.0,
///     fallback_speed: 750.0,  // metres per second
///     blip_outdoors: 50_000.0,
///     active_radius: 20_000.0,
///     ..WaypointSettings::client()
/// };
/// let rules = WaypointRules::with(ships, FlatSpace::Y_UP)?;
/// # let _ = rules;
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaypointSettings {
    /// Which reading decides where the two differ. Default `Client`.
    pub rule: WaypointRule,
    /// A body this near to a node has reached it; two nodes this near to each other are one. Units. Default `0.05`.
    pub there: f64,
    /// `client`: a stalled body this near to its node counts as arrived. Units. Default `0.2`.
    pub close: f64,
    /// Quanta in a stall window. Default `5`.
    pub window: u32,
    /// Less progress than this in a window is none. Units. Default `0.0002`.
    pub least_progress: f64,
    /// `seed`: this much progress in a window is enough whatever it took. Units. Default `0.2`.
    pub ample_progress: f64,
    /// The least share of progress: of the expected speed under `client` (no unit), of the quantum under `seed`
    /// (units per second squared, which is the misreading). Default `0.3`.
    pub share: f64,
    /// What a stall window measures from before it has a distance of its own. Units. Default `999999.0`.
    pub unmeasured: f64,
    /// Failed nodes that are borne; one more and the body is placed. Default `3`.
    pub patience: u32,
    /// The queue walks at this many times the body's own top speed. Default `2.0`.
    pub catch_up: f64,
    /// A speed below this is none. Units per second. Default `0.0002`.
    pub least_speed: f64,
    /// The queue's speed when the body has none of its own. Units per second. Default `7.5`.
    pub fallback_speed: f64,
    /// With this many nodes or more, a new position drops the oldest. Default `20`.
    pub crowd: u32,
    /// A report farther than this from the one before (or the body) is not walked to. Units. Default `100.0`.
    pub blip_outdoors: f64,
    /// The same between walls. Units. Default `20.0`.
    pub blip_indoors: f64,
    /// The same between walls for one's own player. Units. Default `25.0`.
    pub blip_indoors_own: f64,
    /// How long a [`Sticky`](super::Sticky) holds without being renewed. Seconds. Default `1.0`.
    pub sticky_lease: f64,
    /// The distance a sticky body keeps between the two hulls. Units. Default `0.3`.
    pub sticky_gap: f64,
    /// A sticky body moves at this many times its own top speed. Default `5.0`.
    pub sticky_speed: f64,
    /// Its speed when the body has none of its own. Units per second. Default `15.0`.
    pub sticky_fallback_speed: f64,
    /// The body's own forward axis, which turns to face what it sticks to: a unit vector across up. Default `[0.0,
    /// 1.0, 0.0]`.
    pub forward: [f32; 3],
    /// The leash of a constraint under the sky. Default `Leash { start: 10.0, max: 50.0 }`.
    pub leash_outdoors: Leash,
    /// The leash of a constraint between walls. Default `Leash { start: 5.0, max: 20.0 }`.
    pub leash_indoors: Leash,
    /// Beyond this share of the leash a body counts as fully constrained. Default `0.9`.
    pub leash_full: f64,
    /// Reports this far from the viewer or farther are placed, not walked to; bodies farther than it are not
    /// simulated. Units. Default `96.0`.
    pub active_radius: f64,
}

impl WaypointSettings {
    /// The original program's numbers and rule.
    #[must_use]
    pub const fn client() -> Self {
        Self {
            rule: WaypointRule::Client,
            there: 0.05,
            close: 0.20,
            window: 5,
            least_progress: 0.0002,
            ample_progress: 0.20,
            share: 0.30,
            unmeasured: 999_999.0,
            patience: 3,
            catch_up: 2.0,
            least_speed: 0.0002,
            fallback_speed: 7.5,
            crowd: 20,
            blip_outdoors: 100.0,
            blip_indoors: 20.0,
            blip_indoors_own: 25.0,
            sticky_lease: 1.0,
            sticky_gap: 0.3,
            sticky_speed: 5.0,
            sticky_fallback_speed: 15.0,
            forward: [0.0, 1.0, 0.0],
            leash_outdoors: Leash { start: 10.0, max: 50.0 },
            leash_indoors: Leash { start: 5.0, max: 20.0 },
            leash_full: 0.9,
            active_radius: 96.0,
        }
    }

    /// The same numbers under the first published reading.
    #[must_use]
    pub const fn seed() -> Self {
        Self { rule: WaypointRule::Seed, ..Self::client() }
    }
}

impl Default for WaypointSettings {
    fn default() -> Self {
        Self::client()
    }
}

/// What all bodies of a world share: the constants, checked, and the world's shape. Bodies hold none of it.
#[derive(Clone, Debug, PartialEq)]
pub struct WaypointRules<S: WorldSpace = FlatSpace> {
    constants: WaypointSettings,
    space: S,
}

impl WaypointRules {
    /// The original program's rule in a flat world, z up.
    #[must_use]
    pub const fn client() -> Self {
        Self { constants: WaypointSettings::client(), space: FlatSpace::Z_UP }
    }

    /// The first published reading in a flat world, z up.
    #[must_use]
    pub const fn seed() -> Self {
        Self { constants: WaypointSettings::seed(), space: FlatSpace::Z_UP }
    }
}

impl Default for WaypointRules {
    fn default() -> Self {
        Self::client()
    }
}

impl<S: WorldSpace> WaypointRules<S> {
    /// Your own constants in your own world.
    pub fn with(constants: WaypointSettings, space: S) -> Result<Self, SettingError> {
        let k = &constants;
        let above_zero: [(&'static str, f64); 14] = [
            ("there", k.there),
            ("close", k.close),
            ("least_progress", k.least_progress),
            ("ample_progress", k.ample_progress),
            ("share", k.share),
            ("unmeasured", k.unmeasured),
            ("catch_up", k.catch_up),
            ("least_speed", k.least_speed),
            ("fallback_speed", k.fallback_speed),
            ("sticky_lease", k.sticky_lease),
            ("sticky_speed", k.sticky_speed),
            ("sticky_fallback_speed", k.sticky_fallback_speed),
            ("leash_full", k.leash_full),
            ("active_radius", k.active_radius),
        ];
        for (name, value) in above_zero {
            if !(value > 0.0 && value.is_finite()) {
                return Err(SettingError::new(name, value, "a finite number above 0"));
            }
        }
        let not_negative: [(&'static str, f64); 6] = [
            ("blip_outdoors", k.blip_outdoors),
            ("blip_indoors", k.blip_indoors),
            ("blip_indoors_own", k.blip_indoors_own),
            ("sticky_gap", k.sticky_gap),
            ("leash_outdoors.start", k.leash_outdoors.start),
            ("leash_indoors.start", k.leash_indoors.start),
        ];
        for (name, value) in not_negative {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(SettingError::new(name, value, "a finite number, 0 or more"));
            }
        }
        for (name, leash) in
            [("leash_outdoors.max", k.leash_outdoors), ("leash_indoors.max", k.leash_indoors)]
        {
            if !(leash.max > leash.start && leash.max.is_finite()) {
                return Err(SettingError::new(name, leash.max, "a finite length above its start"));
            }
        }
        for (name, count) in [("window", k.window), ("crowd", k.crowd)] {
            if count == 0 {
                return Err(SettingError::new(name, 0.0, "1 or more"));
            }
        }
        if k.patience == u32::MAX {
            return Err(SettingError::new("patience", k.patience.into(), "less than 2^32 - 1"));
        }
        let forward2 = k.forward.iter().fold(0.0, |sum, c| sum + c * c);
        if !((forward2 - 1.0).abs() < 1e-3) {
            return Err(SettingError::new("forward (its length squared)", forward2.into(), "a unit vector"));
        }
        Ok(Self { constants, space })
    }

    /// The constants.
    #[must_use]
    pub fn constants(&self) -> &WaypointSettings {
        &self.constants
    }

    /// The world's shape.
    #[must_use]
    pub fn space(&self) -> &S {
        &self.space
    }

    /// The distance from one place to another, by the world's own measure.
    #[must_use]
    #[inline]
    pub fn distance(&self, from: [f64; 3], to: [f64; 3]) -> f64 {
        space::length(self.space.way(from, to))
    }

    /// The turn about up alone of something at `pose`.
    #[must_use]
    pub fn heading(&self, pose: &Pose64) -> Rotation {
        pose.rotation.twist(self.space.up(pose.position))
    }

    /// How far a report may lie from the one before and still be walked to.
    #[must_use]
    pub fn blip(&self, surroundings: Surroundings, own_player: bool) -> f64 {
        match (surroundings, own_player) {
            (Surroundings::Outdoors, _) => self.constants.blip_outdoors,
            (Surroundings::Indoors, false) => self.constants.blip_indoors,
            (Surroundings::Indoors, true) => self.constants.blip_indoors_own,
        }
    }

    /// The lengths of a leash.
    #[must_use]
    pub fn leash(&self, surroundings: Surroundings) -> Leash {
        match surroundings {
            Surroundings::Outdoors => self.constants.leash_outdoors,
            Surroundings::Indoors => self.constants.leash_indoors,
        }
    }

    /// A body's top speed times `factor`, or `fallback` for one that has none.
    pub(super) fn speed(&self, factor: f64, max_speed: f64, fallback: f64) -> f64 {
        let speed = factor * max_speed;
        if speed < self.constants.least_speed { fallback } else { speed }
    }
}
