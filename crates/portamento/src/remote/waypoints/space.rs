//! What does "toward" mean in this world?

use crate::math;

/// The shape of the world: the only two things that walking from report to report asks of it.
///
/// [`FlatSpace`] is the ordinary answer. Positions are always three f64, and what they mean is yours: a world of
/// cells keeps them exact to a billionth (`cell * size + local`), a round or a closed world changes the way.
///
/// ```
/// use portamento::remote::waypoints::{WaypointSettings, WaypointRules, WorldSpace};
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
///     fn up(&self, _at: [f64; 3]) -> [f32; 3] {
///         [0.0, 0.0, 1.0]
///     }
/// }
///
/// let rules = WaypointRules::with(WaypointSettings::client(), Torus { size: 1000.0 })?;
/// assert_eq!(rules.distance([999.0, 0.0, 0.0], [2.0, 0.0, 0.0]), 3.0);
/// # Ok::<(), portamento::SettingError>(())
/// ```
pub trait WorldSpace {
    /// The way from `from` to `to`: its direction is where a body sets out, its length is the distance.
    ///
    /// Where no way leads, answer with a longer one than any blip distance: the body is then placed. What is not
    /// finite is refused.
    fn way(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3];

    /// Up at a place, as a unit vector: headings are turns about it.
    fn up(&self, at: [f64; 3]) -> [f32; 3];
}

/// A flat world: straight lines, one up.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FlatSpace {
    /// Up, a unit vector.
    pub up: [f32; 3],
}

impl FlatSpace {
    /// z is up.
    pub const Z_UP: Self = Self { up: [0.0, 0.0, 1.0] };
    /// y is up.
    pub const Y_UP: Self = Self { up: [0.0, 1.0, 0.0] };
}

impl Default for FlatSpace {
    fn default() -> Self {
        Self::Z_UP
    }
}

impl WorldSpace for FlatSpace {
    #[inline]
    fn way(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
    }

    #[inline]
    fn up(&self, _at: [f64; 3]) -> [f32; 3] {
        self.up
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
    // Below the normal numbers a share has hardly any digits left, and the vector could come out too long.
    if share.abs() < f64::MIN_POSITIVE { [0.0; 3] } else { way.map(|c| c * share) }
}

/// The part of `v` at right angles to the unit vector `up`.
pub(super) fn level(v: [f64; 3], up: [f32; 3]) -> [f64; 3] {
    let up = up.map(f64::from);
    let rise = v[0] * up[0] + v[1] * up[1] + v[2] * up[2];
    [v[0] - rise * up[0], v[1] - rise * up[1], v[2] - rise * up[2]]
}
