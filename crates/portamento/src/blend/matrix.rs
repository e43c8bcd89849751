//! What is a pose as a matrix?
//!
//! The very numbers that a [`Batch`](crate::batch::Batch) writes, for the one pose that is in no batch: a weapon, a
//! camera, a single door.

use super::{Pose, Pose2, Scaled};

/// The nine numbers of a unit quaternion's rotation matrix, row by row. Batches compute theirs with it too.
#[inline(always)]
pub(crate) fn rotation_matrix([x, y, z, w]: [f32; 4]) -> [f32; 9] {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        1.0 - (yy + zz),
        xy - wz,
        xz + wy, //
        xy + wz,
        1.0 - (xx + zz),
        yz - wx, //
        xz - wy,
        yz + wx,
        1.0 - (xx + yy),
    ]
}

fn with_position(m: [f32; 9], position: [f32; 3]) -> [[f32; 4]; 3] {
    core::array::from_fn(|row| [m[row * 3], m[row * 3 + 1], m[row * 3 + 2], position[row]])
}

fn columns(rows: [[f32; 4]; 3]) -> [[f32; 4]; 4] {
    core::array::from_fn(|i| [rows[0][i], rows[1][i], rows[2][i], if i == 3 { 1.0 } else { 0.0 }])
}

macro_rules! matrices {
    ($pose:ty, $rows:expr, $(#[$example:meta])*) => {
        impl $pose {
            /// A matrix of three rows, the position in the last column.
            #[must_use]
            pub(crate) fn matrix_rows(&self) -> [[f32; 4]; 3] {
                $rows(self)
            }

            /// Returns a matrix of four columns, the layout of most shading languages, with the position in the last
            /// one. The same bits as
            #[cfg_attr(feature = "alloc", doc = "[`OutputForm::Matrices4x4`](crate::batch::OutputForm::Matrices4x4).")]
            #[cfg_attr(not(feature = "alloc"), doc = "`OutputForm::Matrices4x4` of a batch.")]
            $(#[$example])*
            #[must_use]
            pub fn to_matrix_4x4(&self) -> [[f32; 4]; 4] {
                columns(self.matrix_rows())
            }
        }
    };
}

matrices!(
    Pose,
    |pose: &Pose| with_position(rotation_matrix(pose.rotation.to_array()), pose.position),
    /// ```
    /// use portamento::blend::{Pose, Rotation};
    /// let half_turn = Rotation { x: 0.0, y: 0.0, z: 1.0, w: 0.0 };
    /// let pose = Pose::new([5.0, 6.0, 7.0], half_turn);
    /// let [right, up, back, position] = pose.to_matrix_4x4();
    /// assert_eq!([right, up], [[-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0]]);
    /// assert_eq!([back, position], [[0.0, 0.0, 1.0, 0.0], [5.0, 6.0, 7.0, 1.0]]);
    /// ```
);

matrices!(Scaled<Pose>, |scaled: &Self| {
    let m = rotation_matrix(scaled.pose.rotation.to_array());
    with_position(core::array::from_fn(|i| m[i] * scaled.scale[i % 3]), scaled.pose.position)
},);

matrices!(Pose2, |pose: &Pose2| {
    let ([cos, sin], [x, y]) = (pose.turn.direction(), pose.position);
    [[cos, -sin, 0.0, x], [sin, cos, 0.0, y], [0.0, 0.0, 1.0, 0.0]]
},);
