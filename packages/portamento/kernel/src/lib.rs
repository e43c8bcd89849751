//! Interpolates the poses of two ticks and writes instance matrices: the reader's loop in single precision, which JavaScript
//! has to round for after every operation.
//!
//! Everything lies in the memory of this module, where the reader keeps its copies of ticks: see `src/copies.js`.

#![no_std]

use portamento::blend::{Blend, NlerpWeights, Pose};

/// One of the two ticks: the first row of its columns.
#[repr(C)]
pub struct Tick {
    poses: *const Pose,
    generations: *const u32,
    epochs: *const u32,
    rows: u32,
}

/// Writes a matrix of four columns for each row of `shown`, at `alpha` of the way to `other`; zeros where no one is.
///
/// # Safety
/// The columns of both ticks must have as many rows as they say, and `out` room for 16 numbers per row of `shown`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn matrices(
    shown: &Tick,
    other: &Tick,
    same: bool,
    alpha: &f64,
    out: *mut [[f32; 4]; 4],
) {
    // By reference: JavaScript would allocate the argument.
    let alpha = *alpha;
    let weights = NlerpWeights::new(alpha);
    for row in 0..shown.rows as usize {
        // SAFETY: as the caller promises.
        let (out, generation) = unsafe { (&mut *out.add(row), *shown.generations.add(row)) };
        if generation & 1 == 0 {
            *out = [[0.0; 4]; 4];
            continue;
        }
        // SAFETY: as above; the other tick is only asked for rows that it has.
        let (from, to) = unsafe {
            let same = same
                || row < other.rows as usize
                    && *other.generations.add(row) == generation
                    && *other.epochs.add(row) == *shown.epochs.add(row);
            (&*shown.poses.add(row), same.then(|| &*other.poses.add(row)))
        };
        *out = match to {
            Some(to) => {
                let position = from.position.blend(&to.position, alpha);
                Pose { position, rotation: from.rotation.nlerp_on(to.rotation, &weights) }.to_matrix_4x4()
            }
            None => from.to_matrix_4x4(),
        };
    }
}
