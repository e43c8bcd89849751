//! Batches: the last ticks of thousands of entities, drawn by one call.

use crate::pointers::{Strided, read, write};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{portamento_moment, portamento_pose};
use core::slice;
use portamento::batch::{
    Batch, BatchHandle, BatchSettings, BufferTooShort, OutputForm, OutputOrder, PushError,
};
use portamento::blend::Pose;
use portamento_status::{PORTAMENTO_BAD_VALUE, PORTAMENTO_TOO_SHORT, PORTAMENTO_UNKNOWN_HANDLE};

/// Many entities. Make it with `portamento_batch_new`, free it with `portamento_batch_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_batch {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// One entity of a batch. `index` is its row in your arrays while it lives; it is given to another entity later, which
/// then has another generation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_row {
    /// Place in your arrays.
    pub index: u32,
    /// Which of the successive owners of that place.
    pub generation: u32,
}

/// What `portamento_batch_frame` writes for each entity: one of the constants below.
pub type portamento_form = u32;
/// Position and rotation: 7 floats.
pub const PORTAMENTO_POSES: portamento_form = 0;
/// Position: 3 floats.
pub const PORTAMENTO_POSITIONS: portamento_form = 1;
/// A 3x4 matrix, row after row: 12 floats.
pub const PORTAMENTO_MATRICES_3X4: portamento_form = 2;
/// A 4x4 matrix, column after column: 16 floats.
pub const PORTAMENTO_MATRICES_4X4: portamento_form = 3;

struct Crowd {
    batch: Batch<Pose>,
    /// The living, by index.
    rows: Vec<Option<BatchHandle>>,
}

impl Crowd {
    fn handle(&self, row: portamento_row) -> Result<BatchHandle, Failure> {
        let found = self.rows.get(row.index as usize).copied().flatten();
        found.filter(|handle| handle.generation() == row.generation).ok_or_else(|| {
            let portamento_row { index, generation } = row;
            let words = format_args!("row {index}, generation {generation} names no entity: it was removed");
            Failure::new(PORTAMENTO_UNKNOWN_HANDLE, words)
        })
    }
}

static BATCHES: Table<Crowd> = Table::new(3);

impl From<BufferTooShort> for Failure {
    fn from(error: BufferTooShort) -> Self {
        Self::new(PORTAMENTO_TOO_SHORT, error)
    }
}

impl From<PushError> for Failure {
    fn from(error: PushError) -> Self {
        Self::new(PORTAMENTO_BAD_VALUE, error)
    }
}

/// Makes an empty batch that keeps `ends` ticks: 2 for a fixed step, as many as `portamento_stepper_ends_needed` says
/// for a gate, 16 at most.
///
/// One thread at a time may use a batch. The same holds for every function below.
///
/// # Safety
/// `batch` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_new(ends: u32, batch: *mut portamento_batch) -> portamento_status {
    answer(|| {
        let made = Batch::with_settings(BatchSettings { ends: ends as usize, ..BatchSettings::default() })?;
        let id = BATCHES.insert(Crowd { batch: made, rows: Vec::new() })?;
        // SAFETY: the caller's promise.
        unsafe { write(batch, portamento_batch { id }, "batch") }
    })
}

/// Frees a batch with all its entities.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_free(batch: portamento_batch) -> portamento_status {
    answer(|| Ok(BATCHES.free(batch.id)?))
}

/// Makes room for `more` entities, so that adding them does not allocate.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_reserve(batch: portamento_batch, more: u32) -> portamento_status {
    answer(|| {
        BATCHES.with(batch.id, |crowd| {
            crowd.batch.reserve(more as usize);
            crowd.rows.reserve(more as usize);
        })?;
        Ok(())
    })
}

/// Adds an entity that appears at `pose`.
///
/// # Safety
/// `pose` points to a pose, `row` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_add(
    batch: portamento_batch,
    pose: *const portamento_pose,
    row: *mut portamento_row,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        if row.is_null() {
            return Err(Failure::null("row"));
        }
        let handle = BATCHES.with(batch.id, |crowd| {
            let handle = crowd.batch.insert(pose);
            if crowd.rows.len() <= handle.index() {
                crowd.rows.resize(handle.index() + 1, None);
            }
            crowd.rows[handle.index()] = Some(handle);
            handle
        })?;
        let added = portamento_row { index: handle.index() as u32, generation: handle.generation() };
        // SAFETY: as above.
        unsafe { write(row, added, "row") }
    })
}

/// Removes an entity.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_remove(batch: portamento_batch, row: portamento_row) -> portamento_status {
    answer(|| {
        BATCHES.with(batch.id, |crowd| {
            let handle = crowd.handle(row)?;
            crowd.rows[handle.index()] = None;
            // The handle is of this batch and lives.
            let _ = crowd.batch.remove(handle);
            Ok(())
        })?
    })
}

/// Writes how many rows your arrays need: one more than the highest index in use.
///
/// # Safety
/// `rows` points to a place for the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_rows(batch: portamento_batch, rows: *mut u32) -> portamento_status {
    answer(|| {
        let count = BATCHES.with(batch.id, |crowd| crowd.batch.rows() as u32)?;
        // SAFETY: the caller's promise.
        unsafe { write(rows, count, "rows") }
    })
}

/// The simulation ran a tick: `poses[i]` is the result of the entity in row i, after collision. `count` is the number of
/// poses in the array, at least `portamento_batch_rows`; `stride` is the distance from one to the next in bytes, 0 for an
/// array without gaps. Rows without an entity are not read.
///
/// The poses are taken as they are: a quaternion must have unit length.
///
/// # Safety
/// `poses` points to `count` poses, `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_push_all(
    batch: portamento_batch,
    poses: *const portamento_pose,
    stride: usize,
    count: usize,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let poses = unsafe { Strided::new(poses, stride, count, "poses") }?;
        BATCHES.with(batch.id, |crowd| {
            let needed = crowd.batch.rows();
            if count < needed {
                let words = format_args!("{count} poses for {needed} rows: give one for each row");
                return Err(Failure::new(PORTAMENTO_TOO_SHORT, words));
            }
            crowd.batch.tick();
            crowd.batch.push_all(|handle, _| {
                // SAFETY: every index is below `rows()`, and so below `count`.
                let portamento_pose { position, rotation: [x, y, z, w] } =
                    unsafe { poses.get(handle.index()) };
                Pose { position, rotation: portamento::blend::Rotation { x, y, z, w } }
            })?;
            Ok(())
        })?
    })
}

/// A spawn, teleport or respawn of one entity: no place between is ever drawn.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_cut(
    batch: portamento_batch,
    row: portamento_row,
    pose: *const portamento_pose,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        BATCHES.with(batch.id, |crowd| {
            let handle = crowd.handle(row)?;
            // The handle is of this batch and lives.
            let _ = crowd.batch.cut(handle, pose);
            Ok(())
        })?
    })
}

/// The world's origin moves: `shift` is added to everything that is remembered, and nothing is seen of it.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_rebase(
    batch: portamento_batch,
    shift: *const f32,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let shift = unsafe { read(shift.cast::<[f32; 3]>(), "shift") }?;
        let moved = |pose: &mut Pose| pose.position = core::array::from_fn(|i| pose.position[i] + shift[i]);
        Ok(BATCHES.with(batch.id, |crowd| crowd.batch.rebase(moved))?)
    })
}

/// Counts everything as moved in the next frame: for a buffer that is new or was lost.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_redraw(batch: portamento_batch) -> portamento_status {
    answer(|| Ok(BATCHES.with(batch.id, |crowd| crowd.batch.redraw())?))
}

/// Draws a frame: writes what moved since the last frame into `out`, each entity at its own row, and leaves the other
/// rows alone. `floats` is the length of `out`, at least `portamento_batch_rows` times the floats of the form.
///
/// `moved` may be null; otherwise it has room for `capacity` rows and receives which entities moved, as many as fit.
/// `written` may be null; otherwise it receives how many moved.
///
/// # Safety
/// `moment` points to a moment, `out` to `floats` floats, `moved` to `capacity` rows or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_frame(
    batch: portamento_batch,
    moment: *const portamento_moment,
    form: portamento_form,
    out: *mut f32,
    floats: usize,
    moved: *mut portamento_row,
    capacity: usize,
    written: *mut usize,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moment = unsafe { read(moment, "moment") }?.into();
        if out.is_null() {
            return Err(Failure::null("out"));
        }
        let form = match form {
            PORTAMENTO_POSES => OutputForm::Poses,
            PORTAMENTO_POSITIONS => OutputForm::Positions,
            PORTAMENTO_MATRICES_3X4 => OutputForm::Matrices3x4,
            PORTAMENTO_MATRICES_4X4 => OutputForm::Matrices4x4,
            other => {
                let words =
                    format_args!("there is no form {other}: give PORTAMENTO_POSES or its like, 0 to 3");
                return Err(Failure::new(PORTAMENTO_BAD_VALUE, words));
            }
        };
        // SAFETY: the caller's promise; nobody else writes there during the call.
        let out = unsafe { slice::from_raw_parts_mut(out, floats) };
        let count = BATCHES.with(batch.id, |crowd| {
            let frame = crowd.batch.frame(moment);
            let count = frame.write(form, OutputOrder::Index, out)?;
            if !moved.is_null() {
                for (i, handle) in frame.moved().iter().take(capacity).enumerate() {
                    let row =
                        portamento_row { index: handle.index() as u32, generation: handle.generation() };
                    // SAFETY: not null, and `i` is below the `capacity` that the caller promises.
                    unsafe { moved.add(i).write_unaligned(row) };
                }
            }
            Ok::<usize, Failure>(count)
        })??;
        if written.is_null() {
            return Ok(());
        }
        // SAFETY: not null, and the caller's promise.
        unsafe { write(written, count, "written") }
    })
}
