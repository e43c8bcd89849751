//! `mint`, the common tongue of Rust's math libraries. Vectors need nothing: mint turns them into arrays.

use super::{Pose, Pose64, Rotation};

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
            /// From mint's point (or vector) and quaternion; anything that converts into them will do.
            pub fn from_mint(
                position: impl Into<mint::Point3<$float>>,
                rotation: impl Into<mint::Quaternion<f32>>,
            ) -> Self {
                Self { position: position.into().into(), rotation: rotation.into().into() }
            }

            /// Position and rotation as mint's types.
            #[must_use]
            pub fn to_mint(&self) -> (mint::Point3<$float>, mint::Quaternion<f32>) {
                (self.position.into(), self.rotation.into())
            }
        }
    };
}

pose!(Pose, f32);
pose!(Pose64, f64);
