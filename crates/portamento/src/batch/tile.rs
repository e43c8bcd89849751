//! How do sixteen poses lie in memory?
//!
//! ```text
//!   tile 0                                     tile 1
//!   x0 x1 … x15 | y0 y1 … y15 | … | qw0 … qw15 | x16 x17 …
//!   one cache line per row                      next sixteen poses
//! ```
//! A kernel reads whole rows, as from separate arrays. But the seven rows of a tile are neighbours, so a pass
//! over a million poses runs along two streams of memory instead of fourteen, which is what prefetchers and
//! address translation can follow.

use super::{
    dispatch::Instructions,
    kernel::{self, Apart, Survey, Weights},
};
use crate::blend::{Displace, Pose, Pose2, Rotation, Scaled, Turn};

/// Poses in a tile: one cache line of f32, one AVX-512 vector.
pub const WIDTH: usize = 16;

/// `N` numbers each of [`WIDTH`] poses, a row per number.
///
/// The rows of a [`Pose`] are `x y z`, then the quaternion's `x y z w`; of a [`Scaled<Pose>`] the scale follows;
/// of a [`Pose2`] they are `x y`, then the turn's `z w`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tile<const N: usize>(
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))] pub [[f32; WIDTH]; N],
);

impl<const N: usize> Tile<N> {
    /// All zeros.
    pub const BLANK: Self = Self([[0.0; WIDTH]; N]);

    /// The numbers of one pose.
    #[inline(always)]
    #[must_use]
    pub fn lane(&self, lane: usize) -> [f32; N] {
        core::array::from_fn(|i| self.0[i][lane])
    }

    #[inline(always)]
    fn set_lane(&mut self, lane: usize, numbers: [f32; N]) {
        for (row, number) in self.0.iter_mut().zip(numbers) {
            row[lane] = number;
        }
    }
}

/// Compared number by number, because `==` on arrays of bits becomes a call that compares memory, and takes as
/// long as all the rest of a push.
#[inline(always)]
fn same_bits<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
    a.iter().zip(b).fold(0, |bits, (a, b)| bits | a.to_bits() ^ b.to_bits()) == 0
}

/// The nine numbers of a rotation matrix, of all poses of a tile.
pub(super) type Turned = [[f32; WIDTH]; 9];

/// What a [`Batch`](super::Batch) can hold: [`Pose`], [`Scaled<Pose>`] and [`Pose2`].
pub trait BatchPose: sealed::Tiled {}

pub(super) mod sealed {
    use super::*;

    /// How a kind of pose fills a tile.
    pub trait Tiled:
        Displace<Velocity: Send + Sync> + Copy + core::fmt::Debug + Send + Sync + 'static
    {
        /// Sixteen of them.
        type Tile: Copy + core::fmt::Debug + Send + Sync + 'static;
        /// A tile of zeros.
        const BLANK: Self::Tile;
        /// Numbers in a pose.
        const FLOATS: usize;
        /// Numbers in a position.
        const AXES: usize;

        /// Pose number `lane`.
        fn take(tile: &Self::Tile, lane: usize) -> Self;
        /// Makes `self` pose number `lane`.
        fn put(&self, tile: &mut Self::Tile, lane: usize);
        /// Whether pose number `lane` has the same bits.
        fn is_at(&self, tile: &Self::Tile, lane: usize) -> bool;
        /// Whether both tiles hold the same bits there.
        fn same(a: &Self::Tile, b: &Self::Tile, lane: usize) -> bool;
        /// Copies the pose's bits.
        fn copy(from: &Self::Tile, to: &mut Self::Tile, lane: usize);
        /// Exchanges two poses of one buffer.
        fn swap(tiles: &mut [Self::Tile], a: usize, b: usize);
        /// See [`kernel::survey`].
        fn survey(from: &Self::Tile, to: &Self::Tile) -> Survey;
        /// See [`kernel::measure`].
        fn measure(from: &Self::Tile, to: &Self::Tile, weights: &Weights, apart: &mut Apart);
        /// See [`kernel::mix`].
        fn mix<const LOOK: bool>(
            from: &Self::Tile,
            to: &Self::Tile,
            out: &mut Self::Tile,
            apart: &Apart,
            length2: &mut [f32; WIDTH],
        );
        /// See [`kernel::finish`].
        fn finish<const LOOK: bool>(
            from: &Self::Tile,
            to: &Self::Tile,
            out: &mut Self::Tile,
            weights: &Weights,
            length2: &[f32; WIDTH],
        ) -> bool;
        /// See [`kernel::blend_positions`].
        fn blend_positions(
            from: &Self::Tile,
            to: &Self::Tile,
            out: &mut Self::Tile,
            weights: &Weights,
        ) -> bool;
        /// The matrices of all poses, see [`kernel::matrices_of_poses`].
        fn matrices<'a>(tile: &'a Self::Tile, turned: &'a mut Turned) -> [&'a [f32; WIDTH]; 12];
        /// Pose after pose, [`Tiled::FLOATS`] numbers each.
        fn poses<I: Instructions>(tile: &Self::Tile, out: &mut [f32]);
        /// Position after position, [`Tiled::AXES`] numbers each.
        fn positions<I: Instructions>(tile: &Self::Tile, out: &mut [f32]);
    }
}

macro_rules! body {
    ($body:ty, $floats:literal = $position:literal + $rotation:literal $(+ $scale:literal)?,
     $from:expr, $into:expr, $matrices:path) => {
        impl BatchPose for $body {}

        impl sealed::Tiled for $body {
            type Tile = Tile<$floats>;
            const BLANK: Self::Tile = Tile::BLANK;
            const FLOATS: usize = $floats;
            const AXES: usize = $position;

            #[inline(always)]
            fn take(tile: &Self::Tile, lane: usize) -> Self {
                $from(tile.lane(lane))
            }

            #[inline(always)]
            fn put(&self, tile: &mut Self::Tile, lane: usize) {
                tile.set_lane(lane, $into(self));
            }

            #[inline(always)]
            fn is_at(&self, tile: &Self::Tile, lane: usize) -> bool {
                same_bits(tile.lane(lane), $into(self))
            }

            #[inline(always)]
            fn same(a: &Self::Tile, b: &Self::Tile, lane: usize) -> bool {
                same_bits(a.lane(lane), b.lane(lane))
            }

            #[inline(always)]
            fn copy(from: &Self::Tile, to: &mut Self::Tile, lane: usize) {
                to.set_lane(lane, from.lane(lane));
            }

            #[inline(always)]
            fn swap(tiles: &mut [Self::Tile], a: usize, b: usize) {
                let old = tiles[a / WIDTH].lane(a % WIDTH);
                let new = tiles[b / WIDTH].lane(b % WIDTH);
                tiles[a / WIDTH].set_lane(a % WIDTH, new);
                tiles[b / WIDTH].set_lane(b % WIDTH, old);
            }

            #[inline(always)]
            fn survey(from: &Self::Tile, to: &Self::Tile) -> Survey {
                kernel::survey::<$floats, $position, $rotation>(from, to)
            }

            #[inline(always)]
            fn measure(from: &Self::Tile, to: &Self::Tile, weights: &Weights, apart: &mut Apart) {
                kernel::measure::<$floats, $position, $rotation>(from, to, weights, apart);
            }

            #[inline(always)]
            fn mix<const LOOK: bool>(
                from: &Self::Tile,
                to: &Self::Tile,
                out: &mut Self::Tile,
                apart: &Apart,
                length2: &mut [f32; WIDTH],
            ) {
                kernel::mix::<$floats, $position, $rotation, LOOK>(from, to, out, apart, length2);
            }

            #[inline(always)]
            fn finish<const LOOK: bool>(
                from: &Self::Tile,
                to: &Self::Tile,
                out: &mut Self::Tile,
                weights: &Weights,
                length2: &[f32; WIDTH],
            ) -> bool {
                kernel::finish::<$floats, $position, $rotation, LOOK>(from, to, out, weights, length2)
            }

            #[inline(always)]
            fn blend_positions(
                from: &Self::Tile,
                to: &Self::Tile,
                out: &mut Self::Tile,
                weights: &Weights,
            ) -> bool {
                kernel::blend_positions::<$floats, $position, $rotation>(from, to, out, weights)
            }

            #[inline(always)]
            fn matrices<'a>(tile: &'a Self::Tile, turned: &'a mut Turned) -> [&'a [f32; WIDTH]; 12] {
                $matrices(&tile.0, turned)
            }

            #[inline(always)]
            fn poses<I: Instructions>(tile: &Self::Tile, out: &mut [f32]) {
                kernel::interleave::<I, _>(tile.0.each_ref(), out);
            }

            #[inline(always)]
            fn positions<I: Instructions>(tile: &Self::Tile, out: &mut [f32]) {
                let rows: &[[f32; WIDTH]; $position] = tile.0.first_chunk().expect("positions come first");
                kernel::interleave::<I, _>(rows.each_ref(), out);
            }
        }
    };
}

body!(
    Pose,
    7 = 3 + 4,
    |[px, py, pz, x, y, z, w]: [f32; 7]| Pose::new([px, py, pz], Rotation { x, y, z, w }),
    |pose: &Pose| {
        let (p, q) = (pose.position, pose.rotation);
        [p[0], p[1], p[2], q.x, q.y, q.z, q.w]
    },
    kernel::matrices_of_poses
);

body!(
    Scaled<Pose>,
    10 = 3 + 4 + 3,
    |[px, py, pz, x, y, z, w, sx, sy, sz]: [f32; 10]| Scaled {
        pose: Pose::new([px, py, pz], Rotation { x, y, z, w }),
        scale: [sx, sy, sz],
    },
    |scaled: &Scaled<Pose>| {
        let (p, q, s) = (scaled.pose.position, scaled.pose.rotation, scaled.scale);
        [p[0], p[1], p[2], q.x, q.y, q.z, q.w, s[0], s[1], s[2]]
    },
    kernel::matrices_of_scaled
);

body!(
    Pose2,
    4 = 2 + 2,
    |[x, y, z, w]: [f32; 4]| Pose2::new([x, y], Turn { z, w }),
    |pose: &Pose2| [pose.position[0], pose.position[1], pose.turn.z, pose.turn.w],
    kernel::matrices_in_the_plane
);
