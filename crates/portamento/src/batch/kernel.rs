//! What lies between two tiles, and what is it as a matrix?
//!
//! The arithmetic of [`lerp_f32`](crate::blend::lerp_f32) and of `Rotation::nlerp_on`, operation for operation,
//! written as loops over the sixteen poses of a tile without a branch in them, so that the compiler turns them
//! into vectors of whatever width it is compiling for. IEEE arithmetic gives a number the same bits in a vector
//! of four, eight or sixteen as alone, and nothing is ever fused or reordered.
//!
//! What would need a branch (a difference that overflows, a quaternion that is none, a mirrored scale) is only
//! noticed here; the caller then redoes that tile pose by pose. One bad pose costs its tile some time and never
//! touches its neighbours' numbers.

// A lane is an index into many arrays at once; iterators would hide that, and what the compiler sees.
#![allow(clippy::needless_range_loop)]

use super::{
    dispatch::Shuffle,
    tile::{MatrixRows, Tile, WIDTH},
};
use crate::{blend::RotationCurve, math::sqrt_f32};

/// What a frame's alpha comes to, computed once for all tiles.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Share of the way for what moves on a straight line.
    pub line: f32,
    /// The same for rotations.
    pub curve: RotationCurve,
}

/// Blends a tile whose rows are `POSITION` numbers that move on a line, then `ROTATION` (4: a quaternion, 2: the
/// `z` and `w` of one that turns about z), then `SCALE`. False when some pose needs the careful way.
#[inline(always)]
pub(super) fn blend<const N: usize, const POSITION: usize, const ROTATION: usize, const SCALE: usize>(
    from: &Tile<N>,
    to: &Tile<N>,
    out: &mut Tile<N>,
    weights: &Weights,
) -> bool {
    let t = weights.line;
    let c = weights.curve.coefficients;

    // Two loops, with the squared lengths between them: a square root and a division take so long that, in one
    // loop, the processor runs out of room to look ahead while it waits for them.
    let mut length2 = [0.0f32; WIDTH];
    for lane in 0..WIDTH {
        let a: [f32; ROTATION] = core::array::from_fn(|i| from.0[POSITION + i][lane]);
        let b: [f32; ROTATION] = core::array::from_fn(|i| to.0[POSITION + i][lane]);
        let dot = in_pairs(&a, &b);
        // The short way: turn `b` to `a`'s side of the sphere by its sign bit.
        let side = dot.to_bits() & SIGN;
        let d = f32::from_bits(dot.to_bits() ^ side);
        let u = c[0] + d * (c[1] + d * (c[2] + d * c[3]));
        let way: [f32; ROTATION] = core::array::from_fn(|i| a[i] - f32::from_bits(b[i].to_bits() ^ side));
        let mixed: [f32; ROTATION] = core::array::from_fn(|i| a[i] - way[i] * u);
        // Equal ends keep their bits: they mix to themselves, and a length of 1 leaves them alone. Unless they are
        // so long that their product is infinite: then the 1 becomes NaN.
        let apart = way.iter().fold(0, |bits, way| bits | way.to_bits()) << 1;
        length2[lane] = if apart == 0 { 1.0 + d * 0.0 } else { in_pairs(&mixed, &mixed) };
        for i in 0..ROTATION {
            out.0[POSITION + i][lane] = mixed[i];
        }
    }

    let mut odd = 0u32;
    for lane in 0..WIDTH {
        let k = 1.0 / sqrt_f32(length2[lane]);
        for i in 0..ROTATION {
            out.0[POSITION + i][lane] *= k;
        }
        // The sum of all ways, times zero, is zero; unless one of them overflowed or is NaN.
        let mut ways = -0.0; // what adds nothing, also to a zero
        for i in (0..POSITION).chain(POSITION + ROTATION..POSITION + ROTATION + SCALE) {
            let (a, b) = (from.0[i][lane], to.0[i][lane]);
            let way = a - b;
            ways += way;
            out.0[i][lane] = a - way * t;
        }
        for i in POSITION + ROTATION..POSITION + ROTATION + SCALE {
            odd |= u32::from(from.0[i][lane] * to.0[i][lane] < 0.0);
        }
        let probe = length2[lane] + ways * 0.0;
        odd |= u32::from(!(probe > 0.25)) | u32::from(!(probe < 4.0));
    }
    odd == 0
}

const SIGN: u32 = 0x8000_0000;

/// The scalar product, summed in pairs, as [`Rotation::dot`](crate::blend::Rotation::dot) has it.
#[inline(always)]
fn in_pairs<const R: usize>(a: &[f32; R], b: &[f32; R]) -> f32 {
    if R == 4 {
        (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
    } else {
        // The sum of the two products that are zero, which decides the sign of a zero result.
        0.0 + (a[0] * b[0] + a[1] * b[1])
    }
}

/// The nine numbers of a unit quaternion's rotation matrix, row by row.
#[inline(always)]
fn rotation_matrix([x, y, z, w]: [f32; 4]) -> [f32; 9] {
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

#[inline(always)]
pub(super) fn matrices_of_poses(rows: &[[f32; WIDTH]; 7], out: &mut MatrixRows) {
    for lane in 0..WIDTH {
        let m = rotation_matrix([rows[3][lane], rows[4][lane], rows[5][lane], rows[6][lane]]);
        for row in 0..3 {
            for column in 0..3 {
                out[row * 4 + column][lane] = m[row * 3 + column];
            }
            out[row * 4 + 3][lane] = rows[row][lane];
        }
    }
}

#[inline(always)]
pub(super) fn matrices_of_scaled(rows: &[[f32; WIDTH]; 10], out: &mut MatrixRows) {
    for lane in 0..WIDTH {
        let m = rotation_matrix([rows[3][lane], rows[4][lane], rows[5][lane], rows[6][lane]]);
        for row in 0..3 {
            for column in 0..3 {
                out[row * 4 + column][lane] = m[row * 3 + column] * rows[7 + column][lane];
            }
            out[row * 4 + 3][lane] = rows[row][lane];
        }
    }
}

#[inline(always)]
pub(super) fn matrices_in_the_plane(rows: &[[f32; WIDTH]; 4], out: &mut MatrixRows) {
    *out = [[0.0; WIDTH]; 12];
    out[10] = [1.0; WIDTH];
    for lane in 0..WIDTH {
        let (z, w) = (rows[2][lane], rows[3][lane]);
        let (cos, sin) = (1.0 - 2.0 * (z * z), 2.0 * (w * z));
        out[0][lane] = cos;
        out[1][lane] = -sin;
        out[4][lane] = sin;
        out[5][lane] = cos;
        out[3][lane] = rows[0][lane];
        out[7][lane] = rows[1][lane];
    }
}

/// A column-major 4x4 matrix out of a row-major 3x4 one: which row of the tile goes where, `None` for the
/// constant last row.
const COLUMN_MAJOR: [Option<usize>; 16] = {
    let mut order = [None; 16];
    let mut i = 0;
    while i < 16 {
        let (column, row) = (i / 4, i % 4);
        order[i] = if row < 3 { Some(row * 4 + column) } else { None };
        i += 1;
    }
    order
};

/// Sixteen 4x4 matrices, column after column, the layout of most shading languages.
#[inline(always)]
pub(super) fn interleave_4x4<S: Shuffle>(rows: &MatrixRows, out: &mut [f32]) {
    let mut square = [[0.0; WIDTH]; 16];
    for (i, source) in COLUMN_MAJOR.iter().enumerate() {
        square[i] = match source {
            Some(row) => rows[*row],
            None => [if i == 15 { 1.0 } else { 0.0 }; WIDTH],
        };
    }
    interleave::<S, 16>(&square, out);
}

/// From a row per number to pose after pose: `out` is `R` numbers for each of the sixteen.
#[inline(always)]
pub(super) fn interleave<S: Shuffle, const R: usize>(rows: &[[f32; WIDTH]; R], out: &mut [f32]) {
    let (out, _) = out.as_chunks_mut::<R>();
    let out: &mut [[f32; R]; WIDTH] = out.first_chunk_mut().expect("room for a whole tile");
    for quad in 0..R / 4 {
        for lane in (0..WIDTH).step_by(8) {
            let block = core::array::from_fn(|i| {
                *rows[quad * 4 + i][lane..].first_chunk().expect("sixteen are two times eight")
            });
            for (k, [low, high]) in S::columns(block).iter().enumerate() {
                out[lane + k][quad * 4..quad * 4 + 4].copy_from_slice(low);
                out[lane + k + 4][quad * 4..quad * 4 + 4].copy_from_slice(high);
            }
        }
    }
    for i in R / 4 * 4..R {
        for lane in 0..WIDTH {
            out[lane][i] = rows[i][lane];
        }
    }
}
