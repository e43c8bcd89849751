//! With which numbers does a body follow its reports, and what does "toward" mean in its world?

use crate::SettingError;
use crate::blend::{Pose64, Rotation};
use crate::math;

/// How a stuck body is recognised. [`older_rules`](crate::older_rules) says where the two rules come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum WaypointRule {
    /// Progress is compared with the body's expected speed: a body that only slides along a wall is stuck and is
    /// placed.
    #[default]
    BySpeed,
    /// Progress is compared with the length of a tick: a millimetre of sliding counts as walking. For worlds that
    /// were tuned with this rule.
    ByTime,
}

/// All numbers of the rule. Lengths are in world units (metres in the defaults), times in seconds.
///
/// [`y_up`](WaypointSettings::y_up) and [`z_up`](WaypointSettings::z_up) name the axis that is up, like those of
/// [`ChaseSettings`](crate::camera::ChaseSettings).
///
/// ```
/// use portamento::remote::waypoints::{WaypointRules, WaypointSettings};
///
/// let ships = WaypointSettings {
///     there: 5.0,             // metres: a ship's length is near enough
///     close: 20.0,
///     fallback_speed: 750.0,  // metres per second
///     blip_outdoors: 50_000.0,
///     active_radius: 20_000.0,
///     ..WaypointSettings::y_up()
/// };
/// let rules = WaypointRules::new(ships)?;
/// # let _ = rules;
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaypointSettings {
    /// How a stuck body is recognised. Default `BySpeed`.
    pub rule: WaypointRule,
    /// Up, a unit vector: headings are turns about it. Default `[0.0, 1.0, 0.0]` with `y_up`.
    pub up: [f64; 3],
    /// The body's own forward axis, a unit vector across up. It turns to face what the body sticks to. Default
    /// `[0.0, 0.0, -1.0]` with `y_up`.
    pub ahead: [f64; 3],
    /// A body this near to a waypoint has reached it; two waypoints this near to each other are one. Default `0.05`.
    pub there: f64,
    /// `BySpeed`: a stuck body this near to its waypoint counts as arrived. Default `0.2`.
    pub close: f64,
    /// The number of ticks after which progress is checked. Default `5`.
    pub window: u32,
    /// Less progress than this in a window counts as none. Default `0.0002`.
    pub least_progress: f64,
    /// `ByTime`: this much progress in a window is always enough. Default `0.2`.
    pub ample_progress: f64,
    /// The smallest share of progress: of the expected speed with `BySpeed` (no unit), of the tick with `ByTime`
    /// (units per second squared). Default `0.3`.
    pub share: f64,
    /// The distance that the first window measures progress from. Default `999999.0`.
    #[doc(hidden)] // state of a replay
    pub unmeasured: f64,
    /// The number of tolerated failures; after one more the body is placed. Default `3`.
    pub patience: u32,
    /// The body walks at this many times its own top speed. Default `2.0`.
    pub catch_up: f64,
    /// A speed below this counts as none, in units per second. Default `0.0002`.
    pub least_speed: f64,
    /// The walking speed of a body without a top speed, in units per second. Default `7.5`.
    pub fallback_speed: f64,
    /// With this many waypoints or more, a new position drops the oldest. Default `20`.
    pub crowd: u32,
    /// A report farther than this from the one before (or from the body) is not walked to. Default `100.0`.
    pub blip_outdoors: f64,
    /// The same indoors. Default `20.0`.
    pub blip_indoors: f64,
    /// How long a body sticks to a target that is not renewed, in seconds. Default `1.0`.
    pub sticky_lease: f64,
    /// The distance that a sticking body keeps between the two hulls. Default `0.3`.
    pub sticky_gap: f64,
    /// A sticking body moves at this many times its own top speed. Default `5.0`.
    pub sticky_speed: f64,
    /// The speed of a sticking body without a top speed, in units per second. Default `15.0`.
    pub sticky_fallback_speed: f64,
    /// Outdoors, how far from its last report a body begins to slow down, and where it stops. Default
    /// `[10.0, 50.0]`.
    pub leash_outdoors: [f64; 2],
    /// The same indoors. Default `[5.0, 20.0]`.
    pub leash_indoors: [f64; 2],
    /// Beyond this share of its leash a body counts as held. Default `0.9`.
    pub leash_full: f64,
    /// Reports this far from the viewer or farther are placed, not walked to; bodies farther away are not
    /// simulated. Default `96.0`.
    pub active_radius: f64,
}

impl WaypointSettings {
    /// Creates the defaults where y is up and bodies face -z: OpenGL, glTF, Bevy.
    #[must_use]
    pub const fn y_up() -> Self {
        Self {
            rule: WaypointRule::BySpeed,
            up: [0.0, 1.0, 0.0],
            ahead: [0.0, 0.0, -1.0],
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
            sticky_lease: 1.0,
            sticky_gap: 0.3,
            sticky_speed: 5.0,
            sticky_fallback_speed: 15.0,
            leash_outdoors: [10.0, 50.0],
            leash_indoors: [5.0, 20.0],
            leash_full: 0.9,
            active_radius: 96.0,
        }
    }

    /// Creates the defaults where z is up and bodies face +y.
    #[must_use]
    pub const fn z_up() -> Self {
        Self { up: [0.0, 0.0, 1.0], ahead: [0.0, 1.0, 0.0], ..Self::y_up() }
    }

    fn check(&self) -> Result<(), SettingError> {
        let above_zero: [(&'static str, f64); 14] = [
            ("there", self.there),
            ("close", self.close),
            ("least_progress", self.least_progress),
            ("ample_progress", self.ample_progress),
            ("share", self.share),
            ("unmeasured", self.unmeasured),
            ("catch_up", self.catch_up),
            ("least_speed", self.least_speed),
            ("fallback_speed", self.fallback_speed),
            ("sticky_lease", self.sticky_lease),
            ("sticky_speed", self.sticky_speed),
            ("sticky_fallback_speed", self.sticky_fallback_speed),
            ("leash_full", self.leash_full),
            ("active_radius", self.active_radius),
        ];
        for (name, value) in above_zero {
            if !(value > 0.0 && value.is_finite()) {
                return Err(SettingError::new(name, value, "a finite number above 0"));
            }
        }
        let not_negative: [(&'static str, f64); 5] = [
            ("blip_outdoors", self.blip_outdoors),
            ("blip_indoors", self.blip_indoors),
            ("sticky_gap", self.sticky_gap),
            ("leash_outdoors[0]", self.leash_outdoors[0]),
            ("leash_indoors[0]", self.leash_indoors[0]),
        ];
        for (name, value) in not_negative {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(SettingError::new(name, value, "a finite number, 0 or more"));
            }
        }
        for (name, [start, end]) in
            [("leash_outdoors[1]", self.leash_outdoors), ("leash_indoors[1]", self.leash_indoors)]
        {
            if !(end > start && end.is_finite()) {
                return Err(SettingError::new(name, end, "a finite length above its start"));
            }
        }
        for (name, count) in [("window", self.window), ("crowd", self.crowd)] {
            if count == 0 {
                return Err(SettingError::new(name, 0.0, "1 or more"));
            }
        }
        if self.patience == u32::MAX {
            return Err(SettingError::new("patience", self.patience.into(), "less than 2^32 - 1"));
        }
        for (name, axis) in [("up (its length)", self.up), ("ahead (its length)", self.ahead)] {
            let length = math::length(axis);
            if !((length - 1.0).abs() < 1e-3) {
                return Err(SettingError::new(name, length, "a unit vector"));
            }
        }
        let rise = self.up[0] * self.ahead[0] + self.up[1] * self.ahead[1] + self.up[2] * self.ahead[2];
        if !(rise.abs() < 0.999) {
            return Err(SettingError::new("ahead (its part along up)", rise, "a unit vector across up"));
        }
        Ok(())
    }
}

/// What all bodies of a world share: checked settings, and the world's shape. It is passed to every call, so that
/// bodies need not store it.
#[derive(Clone, Debug, PartialEq)]
pub struct WaypointRules<S: WorldSpace = ()> {
    settings: WaypointSettings,
    space: S,
}

impl WaypointRules {
    /// Creates the rules of a flat world with the default settings: y is up and bodies face -z.
    #[must_use]
    pub const fn y_up() -> Self {
        Self { settings: WaypointSettings::y_up(), space: () }
    }

    /// Creates the rules of a flat world with the default settings: z is up and bodies face +y.
    #[must_use]
    pub const fn z_up() -> Self {
        Self { settings: WaypointSettings::z_up(), space: () }
    }

    /// Creates the rules of a flat world with settings of your own.
    pub fn new(settings: WaypointSettings) -> Result<Self, SettingError> {
        Self::in_space(settings, ())
    }
}

impl<S: WorldSpace> WaypointRules<S> {
    /// Creates the rules of a world of your own shape.
    pub fn in_space(settings: WaypointSettings, space: S) -> Result<Self, SettingError> {
        settings.check()?;
        Ok(Self { settings, space })
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &WaypointSettings {
        &self.settings
    }

    /// Returns the distance between two places in this world.
    #[must_use]
    #[inline]
    pub fn distance(&self, from: [f64; 3], to: [f64; 3]) -> f64 {
        length(self.space.way(from, to))
    }

    /// The turn about up alone of a body at `pose`.
    pub(super) fn heading(&self, pose: &Pose64) -> Rotation {
        pose.rotation.twist(self.up(pose.position).map(|c| c as f32))
    }

    #[inline]
    pub(super) fn way(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        self.space.way(from, to)
    }

    pub(super) fn up(&self, at: [f64; 3]) -> [f64; 3] {
        self.space.up(at).unwrap_or(self.settings.up)
    }

    /// A body's top speed times `factor`, or `fallback` for a body that has none.
    pub(super) fn speed(&self, factor: f64, max_speed: f64, fallback: f64) -> f64 {
        let speed = factor * max_speed;
        if speed < self.settings.least_speed { fallback } else { speed }
    }
}

/// The shape of a world: the way between two places, and where up is.
///
/// Most worlds are flat: that is the default, `()`. Positions are always three f64, and their meaning is yours: a world of cells keeps
/// them exact to a billionth (`cell * size + local`), a round or a closed world changes the way.
///
/// ```
/// use portamento::remote::waypoints::{WaypointRules, WaypointSettings, WorldSpace};
///
/// /// A map that repeats every `size` units: leaving it in the east is entering it in the west.
/// struct Torus {
///     size: f64,
/// }
///
/// impl WorldSpace for Torus {
///     fn way(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
///         let shortest = |d: f64| d - (d / self.size).round() * self.size;
///         [shortest(to[0] - from[0]), shortest(to[1] - from[1]), to[2] - from[2]]
///     }
/// }
///
/// let rules = WaypointRules::in_space(WaypointSettings::z_up(), Torus { size: 1000.0 })?;
/// assert_eq!(rules.distance([999.0, 0.0, 0.0], [2.0, 0.0, 0.0]), 3.0);
/// # Ok::<(), portamento::SettingError>(())
/// ```
pub trait WorldSpace {
    /// Returns the way from `from` to `to`: its direction is where a body sets out, its length is the distance.
    ///
    /// Where no way leads, return one longer than any blip distance: the body is then placed. A way that is not
    /// finite is refused.
    fn way(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3];

    /// Returns up at a place as a unit vector, where it is not the settings' up.
    fn up(&self, _at: [f64; 3]) -> Option<[f64; 3]> {
        None
    }
}

/// A flat world: straight ways, and one up.
impl WorldSpace for () {
    #[inline]
    fn way(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
    }
}

#[inline]
pub(super) fn length(way: [f64; 3]) -> f64 {
    math::length(way)
}

/// A vector along `way`, whose length is `d`, of another length.
#[inline]
pub(super) fn along(way: [f64; 3], d: f64, length: f64) -> [f64; 3] {
    let share = length / d;
    if share.abs() < f64::MIN_POSITIVE {
        // Below the normal numbers a share has hardly any digits left, and the vector could come out too long.
        [0.0; 3]
    } else if share.abs() > 1e100 {
        // The share alone may be infinite where the vector is not.
        way.map(|c| (c / d).clamp(-1.0, 1.0) * length)
    } else {
        way.map(|c| c * share)
    }
}

/// The part of `v` at right angles to the unit vector `up`.
pub(super) fn level(v: [f64; 3], up: [f64; 3]) -> [f64; 3] {
    let rise = v[0] * up[0] + v[1] * up[1] + v[2] * up[2];
    [v[0] - rise * up[0], v[1] - rise * up[1], v[2] - rise * up[2]]
}
