//! Poses: where an entity is and how it is turned.

use super::{Blend, Rotation};

/// Position and rotation in single precision: 28 bytes, seven plain numbers in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub struct Pose {
    /// Position.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub position: [f32; 3],
    /// Orientation.
    pub rotation: Rotation,
}

/// A pose in a world too large for single precision. [`Pose64::relative_to`] gives the f32 pose to draw.
///
/// ```
/// use portamento::blend::{Blend, Pose64, Rotation};
/// let from = Pose64::new([6_371_000.000, 0.0, 0.0], Rotation::IDENTITY);
/// let to = Pose64::new([6_371_000.002, 0.0, 0.0], Rotation::IDENTITY);
/// let camera = [6_371_000.0, 0.0, 0.0];
/// let drawn = from.blend(&to, 0.5).relative_to(camera);
/// assert!((drawn.position[0] - 0.001).abs() < 1e-6); // f32 alone steps by half a metre out here
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub struct Pose64 {
    /// Position.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub position: [f64; 3],
    /// Orientation.
    pub rotation: Rotation,
}

/// How a pose moves: units and radians per second, in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub struct Velocity {
    /// Units per second.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub linear: [f32; 3],
    /// Axis times radians per second.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub angular: [f32; 3],
}

macro_rules! pose {
    ($name:ident, $float:ty) => {
        impl $name {
            /// Creates a pose at `position`, turned by `rotation`.
            #[inline]
            #[must_use]
            pub const fn new(position: [$float; 3], rotation: Rotation) -> Self {
                Self { position, rotation }
            }

            /// Creates a pose at `position`, not turned.
            #[inline]
            #[must_use]
            pub const fn at(position: [$float; 3]) -> Self {
                Self { position, rotation: Rotation::IDENTITY }
            }
        }

        impl Blend for $name {
            #[inline]
            fn blend(&self, to: &Self, alpha: f64) -> Self {
                Self {
                    position: self.position.blend(&to.position, alpha),
                    rotation: self.rotation.nlerp(to.rotation, alpha),
                }
            }

            #[inline]
            fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
                Self {
                    position: self.position.extrapolate(&to.position, beyond),
                    rotation: self.rotation.extrapolate(&to.rotation, beyond),
                }
            }

            #[inline]
            fn rests(&self, to: &Self) -> bool {
                self.position.rests(&to.position) && self.rotation.rests(&to.rotation)
            }
        }
    };
}

pose!(Pose, f32);
pose!(Pose64, f64);

impl Pose64 {
    /// Returns the pose relative to `origin` (the camera, usually), small enough for single precision.
    #[inline]
    #[must_use]
    pub fn relative_to(&self, origin: [f64; 3]) -> Pose {
        Pose {
            position: core::array::from_fn(|i| (self.position[i] - origin[i]) as f32),
            rotation: self.rotation,
        }
    }
}

impl Blend for Velocity {
    #[inline]
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        Self { linear: self.linear.blend(&to.linear, alpha), angular: self.angular.blend(&to.angular, alpha) }
    }

    #[inline]
    fn rests(&self, to: &Self) -> bool {
        self.linear.rests(&to.linear) && self.angular.rests(&to.angular)
    }
}
