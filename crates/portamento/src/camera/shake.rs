//! Shaking the picture without touching what it follows.

use crate::error::{SettingError, within};
use crate::math::floor;

/// How the picture shakes. The same seed, requests and presented times give the same shake; at any frame rate it is the
/// same curve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShakeSettings {
    /// Screen pixels at full strength, along each axis. Default `16.0`.
    pub reach: f64,
    /// Seconds in which full strength fades to nothing. The strength is the square of the share of time that is left.
    /// Default `0.6`.
    pub seconds: f64,
    /// Changes of direction per second, about. Default `20.0`.
    pub hz: f64,
    /// Another seed gives another shake. Default `1`.
    pub seed: u64,
    /// The shake does not advance with presented time but by
    /// [`FollowCamera::advance_shake`](super::FollowCamera::advance_shake), so that it goes on while the game is paused
    /// or in slow motion. Default `false`.
    pub own_time: bool,
}

impl Default for ShakeSettings {
    fn default() -> Self {
        Self { reach: 16.0, seconds: 0.6, hz: 20.0, seed: 1, own_time: false }
    }
}

impl ShakeSettings {
    pub(super) fn check(&self) -> Result<(), SettingError> {
        within("shake.reach", self.reach, 0.0, 1e9)?;
        within("shake.seconds", self.seconds, f64::MIN_POSITIVE, 1e9)?;
        within("shake.hz", self.hz, f64::MIN_POSITIVE, 1e6)?;
        Ok(())
    }
}

/// What is left of all shakes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Shaking {
    /// 0..=1. Falls in a straight line, so that a frame in two parts leaves the same.
    strength: f64,
    /// Seconds of shaking: every shake continues the curve where the last one left it.
    clock: f64,
}

impl Shaking {
    /// Whether shakes can have led here.
    #[cfg(feature = "serde")]
    pub(super) fn check(&self) -> Result<(), SettingError> {
        within("saved shake", self.strength, 0.0, 1.0)?;
        within("saved shake clock", self.clock, 0.0, f64::MAX).map(|_| ())
    }

    pub(super) fn add(&mut self, strength: f64) {
        self.strength = (self.strength + strength).min(1.0);
    }

    pub(super) fn advance(&mut self, seconds: f64, shake: &ShakeSettings) {
        if self.strength > 0.0 {
            self.strength = (self.strength - seconds / shake.seconds).max(0.0);
            // No frame shakes for longer than a whole shake: a huge one must not wear out the clock.
            self.clock += seconds.min(shake.seconds);
        }
    }

    /// Screen pixels that the picture is off by; `None` at rest.
    pub(super) fn pixels(&self, shake: &ShakeSettings) -> Option<[f64; 2]> {
        if self.strength == 0.0 || shake.reach == 0.0 {
            return None;
        }
        let size = shake.reach * self.strength * self.strength;
        let at = self.clock * shake.hz;
        // Axes far apart on one curve are as good as two curves.
        Some([noise(shake.seed, at) * size, noise(shake.seed ^ 0x5851_f42d_4c95_7f2d, at) * size])
    }
}

/// A smooth random curve through one random value at each whole number, within -1..=1.
fn noise(seed: u64, at: f64) -> f64 {
    // Beyond this a number has no fraction left; no clock gets there but one from a broken save.
    let at = if at.abs() < 1e15 { at } else { 0.0 };
    let whole = floor(at);
    let t = at - whole;
    let (a, b) = (value(seed, whole as u64), value(seed, (whole as u64).wrapping_add(1)));
    a + (b - a) * (t * t * (3.0 - 2.0 * t))
}

/// -1..=1 from a hash (the finaliser of splitmix64).
fn value(seed: u64, index: u64) -> f64 {
    let mut z = seed.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    // 53 bits fill an f64 exactly.
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_smooth_bounded_and_uses_its_range() {
        let (mut least, mut most) = (0.0f64, 0.0f64);
        for i in 0..100_000 {
            let (a, b) = (noise(7, i as f64 * 0.01), noise(7, (i + 1) as f64 * 0.01));
            assert!((a - b).abs() < 0.031, "a jump at {i}");
            (least, most) = (least.min(a), most.max(a));
        }
        assert!((-1.0..-0.9).contains(&least) && (0.9..=1.0).contains(&most), "{least} {most}");
    }

    #[test]
    fn a_shake_ends_exactly_and_in_its_time() {
        let shake = ShakeSettings::default();
        let mut shaking = Shaking::default();
        assert_eq!(shaking.pixels(&shake), None);
        shaking.add(0.7);
        shaking.add(0.7); // more than full strength counts as full
        for _ in 0..35 {
            assert!(shaking.pixels(&shake).is_some());
            shaking.advance(shake.seconds / 35.5, &shake);
        }
        shaking.advance(shake.seconds / 35.5, &shake);
        assert_eq!(shaking.pixels(&shake), None);
    }
}
