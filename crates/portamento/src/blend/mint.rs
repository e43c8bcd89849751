//! `mint`, the common tongue of Rust's math libraries. Vectors need nothing: mint turns them into arrays.

use super::{Pose, Pose2, Pose64, Rotation, Turn};

impl From<mint::Quaternion<f32>> for Rotation {
    fn from(q: mint::Quaternion<f32>) -> Self {
        Self { x: q.v.x, y: q.v.y, z: q.v.z, w: q.s }
    }
}

impl From<Rotation> for mint::Quaternion<f32> {
    fn from(r: Rotation) -> Self {
        Self { v: mint::Vector3 { x: r.x, y: r.y, z: r.z }, s: r.w }
    }
}

macro_rules! pose {
    ($pose:ident, $float:ty) => {
        impl $pose {
            /// Creates a pose from mint's point (or vector) and quaternion, or anything that converts into them.
            pub fn from_mint(
                position: impl Into<mint::Point3<$float>>,
                rotation: impl Into<mint::Quaternion<f32>>,
            ) -> Self {
                Self { position: position.into().into(), rotation: rotation.into().into() }
            }

            /// Returns position and rotation as mint's types.
            #[must_use]
            pub fn to_mint(&self) -> (mint::Point3<$float>, mint::Quaternion<f32>) {
                (self.position.into(), self.rotation.into())
            }
        }
    };
}

pose!(Pose, f32);
pose!(Pose64, f64);

impl Pose2 {
    /// Creates a pose from mint's point (or vector), and the turn's angle in radians.
    pub fn from_mint(position: impl Into<mint::Point2<f32>>, angle: f32) -> Self {
        Self { position: position.into().into(), turn: Turn::from_angle(angle) }
    }

    /// Returns the position as mint's point, and the turn's angle in radians, within -pi..=pi.
    #[must_use]
    pub fn to_mint(&self) -> (mint::Point2<f32>, f32) {
        (self.position.into(), self.turn.angle())
    }
}

#[test]
fn a_flat_pose_goes_there_and_back() {
    let (position, angle) = Pose2::from_mint([1.0, 2.0], -0.7).to_mint();
    assert_eq!(<[f32; 2]>::from(position), [1.0, 2.0]);
    assert!((angle + 0.7).abs() < 1e-6);
}
