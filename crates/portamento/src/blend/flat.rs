//! Poses in the plane: where an entity is in two dimensions, and how it is turned.

use super::{Blend, Rotation};
use crate::math::{atan2, sin_cos};

/// A turn in the plane, as the two numbers of a quaternion that turns about z: the sine and cosine of *half* the
/// angle.
///
/// Half the angle, because then opposite directions are as well defined as any others, a turn blends by the
/// very arithmetic of [`Rotation`], and neither blending nor matrices need a sine.
///
/// ```
/// use portamento::blend::{Blend, Turn};
/// let from = Turn::from_angle(3.0);
/// let to = Turn::from_angle(-3.0); // 0.28 rad further, not 6 rad back
/// assert!((from.blend(&to, 0.5).angle().abs() - core::f32::consts::PI).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub struct Turn {
    /// Sine of half the angle.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub z: f32,
    /// Cosine of half the angle.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub w: f32,
}

/// Position and turn in the plane: 16 bytes, four plain numbers in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub struct Pose2 {
    /// Position.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub position: [f32; 2],
    /// Orientation.
    pub turn: Turn,
}

/// How a pose in the plane moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub struct Velocity2 {
    /// Units per second.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub linear: [f32; 2],
    /// Radians per second, counter-clockwise.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub angular: f32,
}

impl Default for Turn {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Turn {
    /// No turn.
    pub const IDENTITY: Self = Self { z: 0.0, w: 1.0 };

    /// Creates a turn by `angle` radians, counter-clockwise. An angle that is not finite gives no turn.
    #[must_use]
    pub fn from_angle(angle: f32) -> Self {
        let (sin, cos) = sin_cos(angle as f64 / 2.0);
        Self { z: sin as f32, w: cos as f32 }
    }

    /// Returns the angle in radians, within -pi..=pi.
    #[must_use]
    pub fn angle(self) -> f32 {
        let sign = if self.w < 0.0 { -1.0 } else { 1.0 };
        (2.0 * atan2(self.z as f64 * sign, self.w as f64 * sign)) as f32
    }

    /// Returns the direction that the x axis is turned to: cosine and sine of the whole angle.
    #[inline(always)] // into a batch's loops over vectors
    #[must_use]
    pub fn direction(self) -> [f32; 2] {
        [1.0 - 2.0 * (self.z * self.z), 2.0 * (self.w * self.z)]
    }
}

impl From<Turn> for Rotation {
    /// The same turn in space, about z.
    #[inline]
    fn from(turn: Turn) -> Self {
        Self { x: 0.0, y: 0.0, z: turn.z, w: turn.w }
    }
}

impl From<Rotation> for Turn {
    /// What is left of a rotation without its x and y: meant for rotations about z.
    #[inline]
    fn from(rotation: Rotation) -> Self {
        Self { z: rotation.z, w: rotation.w }
    }
}

impl Blend for Turn {
    #[inline]
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        Rotation::from(*self).nlerp((*to).into(), alpha).into()
    }

    #[inline]
    fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
        Rotation::from(*self).extrapolate(&(*to).into(), beyond).into()
    }

    #[inline]
    fn rests(&self, to: &Self) -> bool {
        Rotation::from(*self).rests(&(*to).into())
    }
}

impl Pose2 {
    /// Creates a pose at `position`, turned by `turn`.
    #[inline]
    #[must_use]
    pub const fn new(position: [f32; 2], turn: Turn) -> Self {
        Self { position, turn }
    }

    /// Creates a pose at `position`, not turned.
    #[inline]
    #[must_use]
    pub const fn at(position: [f32; 2]) -> Self {
        Self { position, turn: Turn::IDENTITY }
    }
}

impl Blend for Pose2 {
    #[inline]
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        Self { position: self.position.blend(&to.position, alpha), turn: self.turn.blend(&to.turn, alpha) }
    }

    #[inline]
    fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
        Self {
            position: self.position.extrapolate(&to.position, beyond),
            turn: self.turn.extrapolate(&to.turn, beyond),
        }
    }

    #[inline]
    fn rests(&self, to: &Self) -> bool {
        self.position.rests(&to.position) && self.turn.rests(&to.turn)
    }
}

impl Blend for Velocity2 {
    #[inline]
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        Self { linear: self.linear.blend(&to.linear, alpha), angular: self.angular.blend(&to.angular, alpha) }
    }

    #[inline]
    fn rests(&self, to: &Self) -> bool {
        self.linear.rests(&to.linear) && self.angular.rests(&to.angular)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angle_goes_there_and_back() {
        for degrees in -180i32..=180 {
            let angle = (degrees as f32).to_radians();
            let turn = Turn::from_angle(angle);
            assert!((turn.angle() - angle).abs() < 3e-7 || degrees.abs() == 180, "{degrees}");
            let direction = turn.direction();
            assert!((direction[0] - angle.cos()).abs() < 2e-7 && (direction[1] - angle.sin()).abs() < 2e-7);
        }
    }

    #[test]
    fn a_turn_blends_like_the_rotation_it_is() {
        for k in 0..100 {
            let (a, b) = (Turn::from_angle(k as f32 * 0.7), Turn::from_angle(k as f32 * -1.3));
            let flat = a.blend(&b, 0.3);
            let solid = Rotation::from(a).blend(&b.into(), 0.3);
            assert_eq!(Rotation::from(flat), solid);
        }
    }
}
