//! Blending values that the caller keeps: for state of your own that no track holds.

use crate::pointers::{read, write};
use crate::status::{Failure, answer, portamento_status};
use crate::types::{finite, portamento_pose64};
use portamento::blend::{Blend, Pose64, Rotation};
use portamento_status::PORTAMENTO_BAD_VALUE;

/// Blends `count` plain numbers: `out[i]` lies `alpha` of the way from `from[i]` to `to[i]`. Equal numbers keep their
/// bits; `alpha` 0 and 1 give the ends exactly. `out` may be `from` or `to`.
///
/// # Safety
/// `from` and `to` point to `count` numbers, `out` to a place for as many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_blend_numbers(
    from: *const f64,
    to: *const f64,
    count: usize,
    alpha: f64,
    out: *mut f64,
) -> portamento_status {
    answer(|| {
        for (pointer, what) in [(from, "from"), (to, "to"), (out.cast_const(), "out")] {
            if pointer.is_null() && count > 0 {
                return Err(Failure::null(what));
            }
        }
        for i in 0..count {
            // SAFETY: `i` is below the `count` that the caller promises; both are read before anything is written.
            unsafe {
                let (from, to) = (from.add(i).read_unaligned(), to.add(i).read_unaligned());
                out.add(i).write_unaligned(from.blend(&to, alpha));
            }
        }
        Ok(())
    })
}

/// Writes the pose `alpha` of the way from `from` to `to`, as tracks and batches draw it.
///
/// # Safety
/// `from` and `to` point to poses, `out` to a place for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_blend_poses(
    from: *const portamento_pose64,
    to: *const portamento_pose64,
    alpha: f64,
    out: *mut portamento_pose64,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { blend(from, to, out, |from, to| from.blend(&to, alpha)) })
}

/// The same with true slerp for the rotation: constant angular speed. The fast approximation of
/// `portamento_blend_poses` is within 1.1e-5 radians of it up to 90 degrees, within 5.2e-4 up to 180.
///
/// # Safety
/// `from` and `to` point to poses, `out` to a place for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_slerp_poses(
    from: *const portamento_pose64,
    to: *const portamento_pose64,
    alpha: f64,
    out: *mut portamento_pose64,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { blend(from, to, out, |from, to| slerp(&from, &to, alpha)) })
}

pub(crate) fn slerp(from: &Pose64, to: &Pose64, alpha: f64) -> Pose64 {
    Pose64 {
        position: from.position.blend(&to.position, alpha),
        rotation: from.rotation.slerp(to.rotation, alpha),
    }
}

/// # Safety
/// As the functions above promise.
unsafe fn blend(
    from: *const portamento_pose64,
    to: *const portamento_pose64,
    out: *mut portamento_pose64,
    between: impl FnOnce(Pose64, Pose64) -> Pose64,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let (from, to) = unsafe { (read(from, "from")?, read(to, "to")?) };
    // SAFETY: as above.
    unsafe { write(out, between(from.try_into()?, to.try_into()?).into(), "out") }
}

/// Brings a quaternion x, y, z, w of any length but zero to unit length. `out` may be `rotation`.
///
/// # Safety
/// `rotation` points to four numbers, `out` to a place for four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_normalize(rotation: *const f32, out: *mut f32) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let given = unsafe { read(rotation.cast::<[f32; 4]>(), "rotation") }?;
        finite(given.map(f64::from), "the quaternion")?;
        let made = Rotation::from_xyzw(given).ok_or_else(|| {
            Failure::new(PORTAMENTO_BAD_VALUE, "the quaternion is zero: give one of another length")
        })?;
        // SAFETY: as above.
        unsafe { write(out.cast::<[f32; 4]>(), made.to_array(), "out") }
    })
}
