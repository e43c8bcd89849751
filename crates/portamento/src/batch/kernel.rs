//! What lies between two tiles, and what is it as a matrix?
//!
//! The arithmetic of [`lerp_f32`](crate::blend::lerp_f32) and of `Rotation::nlerp_on`, operation for operation,
//! written as loops over the sixteen poses of a tile without a branch in them, so that the compiler turns them
//! into vectors of whatever width it is compiling for. IEEE arithmetic gives a number the same bits in a vector
//! of four, eight or sixteen as alone, and nothing is ever fused or reordered.
//!
//! What would need a branch (a difference that overflows, a quaternion that is no rotation, a mirrored scale) is only
//! noticed here; the caller then redoes that tile pose by pose. One bad pose costs its tile some time and never
//! touches its neighbours' numbers. Where a [`survey`] has said beforehand that there is nothing to notice, the steps do
//! not look (`LOOK` is false): a sixth of their time, in every frame.

// A lane is an index into many arrays at once; iterators would hide that, and what the compiler sees.
#![allow(clippy::needless_range_loop)]

use super::{
    dispatch::Instructions,
    tile::{Tile, Turned, WIDTH},
};
use crate::{
    blend::{NlerpWeights, Turn, rotation_matrix},
    math::sqrt_f32,
};

/// What a frame's alpha comes to, computed once for all tiles.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Share of the way for what moves on a straight line.
    pub line: f32,
    /// The same for rotations.
    pub curve: NlerpWeights,
}

/// The first step of a blend: how far apart the rotations are, and what share of their way is to be gone. The rows of
/// a tile are `POSITION` numbers that move on a line, then `ROTATION` (4: a quaternion, 2: the `z` and `w` of one that
/// turns about z), then whatever.
///
/// Three steps, each for several tiles before the next begins: one after the other for a single pose they are a chain
/// of ninety cycles in which every operation waits for the one before, and a processor looks ahead no farther than
/// over two vectors of such chains.
#[inline(always)]
pub(super) fn measure<const N: usize, const POSITION: usize, const ROTATION: usize>(
    from: &Tile<N>,
    to: &Tile<N>,
    weights: &Weights,
    apart: &mut Apart,
) {
    for lane in 0..WIDTH {
        let a: [f32; ROTATION] = core::array::from_fn(|i| from.0[POSITION + i][lane]);
        let b: [f32; ROTATION] = core::array::from_fn(|i| to.0[POSITION + i][lane]);
        let dot = in_pairs(&a, &b);
        let d = f32::from_bits(dot.to_bits() & !SIGN);
        apart.side[lane] = dot.to_bits() & SIGN;
        apart.share[lane] = weights.curve.share(d);
    }
}

/// What [`measure`] finds. Rows begin with a cache line, here as in a tile: a vector that crosses two takes longer, and
/// where a stack begins is another place in every run of a program (1.9 ns a pose in some, 1.3 in most).
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Apart {
    /// The sign bit of the scalar product: the short way leads to the opposite quaternion where it is set.
    side: [u32; WIDTH],
    /// The share of the way.
    share: [f32; WIDTH],
}

impl Apart {
    pub const NONE: Self = Self { side: [0; WIDTH], share: [0.0; WIDTH] };
}

/// The second step: mixes the rotations and notes the squared length of each.
#[inline(always)]
pub(super) fn mix<const N: usize, const POSITION: usize, const ROTATION: usize, const LOOK: bool>(
    from: &Tile<N>,
    to: &Tile<N>,
    out: &mut Tile<N>,
    apart: &Apart,
    length2: &mut [f32; WIDTH],
) {
    for lane in 0..WIDTH {
        let a: [f32; ROTATION] = core::array::from_fn(|i| from.0[POSITION + i][lane]);
        let b: [f32; ROTATION] = core::array::from_fn(|i| to.0[POSITION + i][lane]);
        let (side, u) = (apart.side[lane], apart.share[lane]);
        let way: [f32; ROTATION] = core::array::from_fn(|i| a[i] - f32::from_bits(b[i].to_bits() ^ side));
        let mixed: [f32; ROTATION] = core::array::from_fn(|i| a[i] - way[i] * u);
        // Equal ends keep their bits: they mix to themselves, and a length of 1 leaves them alone. Unless they are
        // so long that their share is infinite: then the 1 becomes NaN.
        let differ = way.iter().fold(0, |bits, way| bits | way.to_bits()) << 1;
        length2[lane] = if LOOK && differ == 0 { 1.0 + u * 0.0 } else { in_pairs(&mixed, &mixed) };
        for i in 0..ROTATION {
            out.0[POSITION + i][lane] = mixed[i];
        }
    }
}

/// The third step: the mixed rotations become unit quaternions, and what moves on a line moves. False when some pose
/// needs the careful way.
#[inline(always)]
pub(super) fn finish<const N: usize, const POSITION: usize, const ROTATION: usize, const LOOK: bool>(
    from: &Tile<N>,
    to: &Tile<N>,
    out: &mut Tile<N>,
    weights: &Weights,
    length2: &[f32; WIDTH],
) -> bool {
    let mut odd = 0;
    let t = weights.line;
    for lane in 0..WIDTH {
        let k = 1.0 / sqrt_f32(length2[lane]);
        for i in POSITION..POSITION + ROTATION {
            out.0[i][lane] *= k;
        }
        // One range after the other: a loop over both, chained together, stays scalar on x86-64 and on wasm.
        let (mut position, mut scale) = (-0.0, -0.0); // what adds nothing, also to a zero
        for i in 0..POSITION {
            out.0[i][lane] = on_a_line(from.0[i][lane], to.0[i][lane], t, &mut position);
        }
        for i in POSITION + ROTATION..N {
            out.0[i][lane] = on_a_line(from.0[i][lane], to.0[i][lane], t, &mut scale);
        }
        if LOOK {
            let probe = length2[lane] + (position * 0.0 + scale * 0.0);
            odd |= u32::from(!(probe > 0.25)) | u32::from(!(probe < 4.0));
            odd |= mirrored::<N, POSITION, ROTATION>(from, to, lane);
        }
    }
    odd == 0
}

/// What a tick did to the sixteen of a tile.
#[derive(Clone, Copy)]
pub struct Survey {
    /// A bit for each pose that has other bits than before.
    pub moved: u16,
    /// All have turned, by a unit quaternion, and nothing overflows on the way or is mirrored.
    pub plain: bool,
}

/// Looks at a tick once, so that its frames need not. When the tick before was plain too, the steps have nothing to
/// notice between the two, whatever the alpha: two unit quaternions mix to no less than 0.67 and no more than 1.05.
#[inline(always)]
pub(super) fn survey<const N: usize, const POSITION: usize, const ROTATION: usize>(
    from: &Tile<N>,
    to: &Tile<N>,
) -> Survey {
    let mut moved = [0; WIDTH];
    let mut odd = 0;
    for lane in 0..WIDTH {
        let (mut turns, mut moves) = (0, 0);
        for i in POSITION..POSITION + ROTATION {
            turns |= from.0[i][lane].to_bits() ^ to.0[i][lane].to_bits();
        }
        let (mut position, mut scale) = (-0.0, -0.0);
        for i in 0..POSITION {
            moves |= from.0[i][lane].to_bits() ^ to.0[i][lane].to_bits();
            position += from.0[i][lane] - to.0[i][lane];
        }
        for i in POSITION + ROTATION..N {
            moves |= from.0[i][lane].to_bits() ^ to.0[i][lane].to_bits();
            scale += from.0[i][lane] - to.0[i][lane];
        }
        moved[lane] = turns | moves;
        let q: [f32; ROTATION] = core::array::from_fn(|i| to.0[POSITION + i][lane]);
        let too_long = f32::from_bits((in_pairs(&q, &q) - 1.0).to_bits() & !SIGN);
        let off = too_long + (position * 0.0 + scale * 0.0);
        // The opposite quaternion, all signs changed, is the same rotation.
        odd |= u32::from(turns << 1 == 0) | u32::from(!(off < 0.1));
        odd |= mirrored::<N, POSITION, ROTATION>(from, to, lane);
    }
    let moved = moved.iter().enumerate().fold(0, |mask, (lane, &bits)| mask | u16::from(bits != 0) << lane);
    Survey { moved, plain: odd == 0 }
}

/// A blend of nothing but positions: the same numbers as the three steps write there. False when some
/// pose needs the careful way.
#[inline(always)]
pub(super) fn blend_positions<const N: usize, const POSITION: usize, const ROTATION: usize>(
    from: &Tile<N>,
    to: &Tile<N>,
    out: &mut Tile<N>,
    weights: &Weights,
) -> bool {
    let mut odd = 0;
    for lane in 0..WIDTH {
        let mut ways = -0.0;
        for i in 0..POSITION {
            out.0[i][lane] = on_a_line(from.0[i][lane], to.0[i][lane], weights.line, &mut ways);
        }
        odd |= u32::from(!(ways * 0.0 == 0.0)) | mirrored::<N, POSITION, ROTATION>(from, to, lane);
    }
    odd == 0
}

/// A number that moves on a line. The `ways` gone are summed up: times zero they are zero, unless one of them overflowed
/// or is NaN.
#[inline(always)]
fn on_a_line(from: f32, to: f32, t: f32, ways: &mut f32) -> f32 {
    let way = from - to;
    *ways += way;
    from - way * t
}

/// 1 when a scale, which is what follows the rotation, has another sign at the other end.
#[inline(always)]
fn mirrored<const N: usize, const POSITION: usize, const ROTATION: usize>(
    from: &Tile<N>,
    to: &Tile<N>,
    lane: usize,
) -> u32 {
    (POSITION + ROTATION..N).fold(0, |odd, i| {
        let (a, b) = (from.0[i][lane], to.0[i][lane]);
        odd | u32::from((a < 0.0) & (b > 0.0)) | u32::from((a > 0.0) & (b < 0.0))
    })
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

/// The rows of 3x4 matrices, row after row; `turned` is where those live that have to be computed.
#[inline(always)]
pub(super) fn matrices_of_poses<'a>(
    rows: &'a [[f32; WIDTH]; 7],
    turned: &'a mut Turned,
) -> [&'a [f32; WIDTH]; 12] {
    for lane in 0..WIDTH {
        let m = rotation_matrix([rows[3][lane], rows[4][lane], rows[5][lane], rows[6][lane]]);
        for i in 0..9 {
            turned[i][lane] = m[i];
        }
    }
    with_positions(rows, turned)
}

#[inline(always)]
pub(super) fn matrices_of_scaled<'a>(
    rows: &'a [[f32; WIDTH]; 10],
    turned: &'a mut Turned,
) -> [&'a [f32; WIDTH]; 12] {
    for lane in 0..WIDTH {
        let m = rotation_matrix([rows[3][lane], rows[4][lane], rows[5][lane], rows[6][lane]]);
        for i in 0..9 {
            turned[i][lane] = m[i] * rows[7 + i % 3][lane];
        }
    }
    with_positions(rows, turned)
}

#[inline(always)]
fn with_positions<'a, const N: usize>(
    rows: &'a [[f32; WIDTH]; N],
    turned: &'a Turned,
) -> [&'a [f32; WIDTH]; 12] {
    core::array::from_fn(|i| {
        let (row, column) = (i / 4, i % 4);
        if column < 3 { &turned[row * 3 + column] } else { &rows[row] }
    })
}

const ZEROS: [f32; WIDTH] = [0.0; WIDTH];
const ONES: [f32; WIDTH] = [1.0; WIDTH];

#[inline(always)]
pub(super) fn matrices_in_the_plane<'a>(
    rows: &'a [[f32; WIDTH]; 4],
    turned: &'a mut Turned,
) -> [&'a [f32; WIDTH]; 12] {
    let [right, up, down, ..] = turned;
    for lane in 0..WIDTH {
        let (z, w) = (rows[2][lane], rows[3][lane]);
        let [cos, sin] = Turn { z, w }.direction();
        right[lane] = cos;
        up[lane] = sin;
        down[lane] = -sin;
    }
    [
        right, down, &ZEROS, &rows[0], //
        up, right, &ZEROS, &rows[1], //
        &ZEROS, &ZEROS, &ONES, &ZEROS,
    ]
}

/// Which rows sixteen 4x4 matrices consist of, column after column, the layout of most shading languages.
#[inline(always)]
pub(super) fn columns_of_4x4(rows: [&[f32; WIDTH]; 12]) -> [&[f32; WIDTH]; 16] {
    core::array::from_fn(|i| match (i / 4, i % 4) {
        (3, 3) => &ONES,
        (_, 3) => &ZEROS,
        (column, row) => rows[row * 4 + column],
    })
}

/// From a row per number to pose after pose: `out` is `R` numbers for each of the sixteen.
#[inline(always)]
pub(super) fn interleave<I: Instructions, const R: usize>(rows: [&[f32; WIDTH]; R], out: &mut [f32]) {
    let out: &mut [[f32; R]; WIDTH] =
        out.as_chunks_mut::<R>().0.first_chunk_mut().expect("room for a whole tile");
    if R < 4 {
        few_numbers::<I, R>(&rows, out.as_flattened_mut());
    } else if R.is_multiple_of(4) && I::EIGHT_AT_ONCE {
        pairs_of_fours::<I, R>(&rows, out.as_flattened_mut());
    } else {
        // Written out, because a loop that stays a loop has to look up its rows. Where the numbers are not made of
        // fours the last four overlap the ones before: that writes a number twice and costs less than writing one alone.
        let start = |four: usize| (four * 4).min(R - 4);
        four_numbers::<I, R>(&rows, out, start(0));
        if R > 4 {
            four_numbers::<I, R>(&rows, out, start(1));
        }
        if R > 8 {
            four_numbers::<I, R>(&rows, out, start(2));
        }
        if R > 12 {
            four_numbers::<I, R>(&rows, out, start(3));
        }
    }
}

#[inline(always)]
fn four_numbers<I: Instructions, const R: usize>(
    rows: &[&[f32; WIDTH]; R],
    out: &mut [[f32; R]; WIDTH],
    first: usize,
) {
    for lane in [0, 8] {
        for (k, column) in I::columns(eight(rows, first, lane)).iter().enumerate() {
            out[lane + k][first..first + 4].copy_from_slice(&column[..4]);
            out[lane + k + 4][first..first + 4].copy_from_slice(&column[4..]);
        }
    }
}

/// [`interleave`] for vectors of eight, where the numbers of a pose are made of fours: those of four poses follow one
/// another, and two and two of them are written together.
#[inline(always)]
fn pairs_of_fours<I: Instructions, const R: usize>(rows: &[&[f32; WIDTH]; R], out: &mut [f32]) {
    let fours = R / 4;
    let (out, _) = out.as_chunks_mut::<8>();
    for half in 0..2 {
        let mut columns = [[[0.0; 8]; 4]; 4];
        for (i, columns) in columns.iter_mut().enumerate().take(fours) {
            *columns = I::columns(eight(rows, i * 4, half * 8));
        }
        let nth = |n: usize| &columns[n % fours][n / fours];
        for pair in 0..2 * fours {
            let [first, second] = I::side_by_side(nth(2 * pair), nth(2 * pair + 1));
            out[half * R + pair] = first;
            out[half * R + 2 * fours + pair] = second;
        }
    }
}

/// [`interleave`] for fewer than four numbers: each pose but the last writes four all the same, and the next one
/// writes over what was too much.
#[inline(always)]
fn few_numbers<I: Instructions, const R: usize>(rows: &[&[f32; WIDTH]; R], out: &mut [f32]) {
    let rows: [&[f32; WIDTH]; 4] = core::array::from_fn(|i| rows[i.min(R - 1)]);
    for lane in [0, 8] {
        let columns = I::columns(eight(&rows, 0, lane));
        for k in 0..8 {
            let column = &columns[k % 4][k / 4 * 4..][..4];
            let numbers = if lane + k == WIDTH - 1 { R } else { 4 };
            out[(lane + k) * R..][..numbers].copy_from_slice(&column[..numbers]);
        }
    }
}

/// Four rows of eight poses.
#[inline(always)]
fn eight<'a, const R: usize>(rows: &[&'a [f32; WIDTH]; R], first: usize, lane: usize) -> [&'a [f32; 8]; 4] {
    core::array::from_fn(|i| rows[first + i][lane..].first_chunk().expect("lanes come in eights"))
}
