//! Batches: the last ticks of thousands of entities, drawn by one call.

use crate::pointers::{Strided, make, read, write, write_if_wanted};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{finite, portamento_moment, portamento_pose};
use core::slice;
use portamento::batch::internals::WIDTH;
use portamento::batch::{Batch, BatchError, BatchHandle, BatchSettings, OutputForm, OutputOrder};
use portamento::blend::Pose;
use portamento_status::{
    PORTAMENTO_BAD_VALUE, PORTAMENTO_FULL, PORTAMENTO_TOO_SHORT, PORTAMENTO_UNKNOWN_HANDLE,
};

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

/// Converts without a check: a batch does not check its poses one by one.
#[inline]
fn plain(pose: portamento_pose) -> Pose {
    Pose::new(pose.position, pose.rotation.into())
}

/// Refuses an array that is shorter than the batch.
pub(crate) fn enough(what: &str, given: usize, rows: usize) -> Result<(), Failure> {
    if given >= rows {
        return Ok(());
    }
    let words = format_args!("{what} has {given} rows, the batch {rows}: give as many at least");
    Err(Failure::new(PORTAMENTO_TOO_SHORT, words))
}

pub(crate) fn output_form(form: portamento_form) -> Result<OutputForm, Failure> {
    match form {
        PORTAMENTO_POSES => Ok(OutputForm::Poses),
        PORTAMENTO_POSITIONS => Ok(OutputForm::Positions),
        PORTAMENTO_MATRICES_3X4 => Ok(OutputForm::Matrices3x4),
        PORTAMENTO_MATRICES_4X4 => Ok(OutputForm::Matrices4x4),
        other => {
            let words = format_args!("there is no form {other}: give PORTAMENTO_POSES or its like, 0 to 3");
            Err(Failure::new(PORTAMENTO_BAD_VALUE, words))
        }
    }
}

/// Where the caller wants to have the entities that moved.
#[derive(Clone, Copy)]
pub(crate) struct MovedList {
    pub(crate) moved: *mut portamento_row,
    pub(crate) capacity: usize,
    pub(crate) written: *mut usize,
}

impl MovedList {
    /// Writes as many as fit, and how many there are.
    ///
    /// # Safety
    /// `moved` is null or has room for `capacity` rows, `written` is null or has room for the number.
    pub(crate) unsafe fn fill(self, rows: impl ExactSizeIterator<Item = portamento_row>) {
        // SAFETY: the caller's promise.
        unsafe { write_if_wanted(self.written, rows.len()) };
        if self.moved.is_null() {
            return;
        }
        for (i, row) in rows.take(self.capacity).enumerate() {
            // SAFETY: not null, and `i` is below the `capacity` that the caller promises.
            unsafe { self.moved.add(i).write_unaligned(row) };
        }
    }
}

impl From<BatchHandle> for portamento_row {
    fn from(handle: BatchHandle) -> Self {
        Self { index: handle.index() as u32, generation: handle.generation() }
    }
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        let short = matches!(error, BatchError::BufferTooShort { .. });
        Self::new(if short { PORTAMENTO_TOO_SHORT } else { PORTAMENTO_BAD_VALUE }, error)
    }
}

/// Makes an empty batch that keeps `ends` ticks: 2 for a fixed step, for a gate as many as `ends_needed` of
/// `portamento_stepper_get_counts`, 16 at most.
///
/// # Safety
/// `batch` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_new(ends: u32, batch: *mut portamento_batch) -> portamento_status {
    answer(|| {
        let made = Batch::with_settings(BatchSettings { ends: ends as usize, ..BatchSettings::default() })?;
        let crowd = Crowd { batch: made, rows: Vec::new() };
        // SAFETY: the caller's promise.
        unsafe { make(batch, "batch", || Ok(portamento_batch { id: BATCHES.insert(crowd)? })) }
    })
}

/// Frees a batch with all its entities.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_free(batch: portamento_batch) -> portamento_status {
    answer(|| Ok(BATCHES.free(batch.id)?))
}

/// The most entities that memory is reserved for at once. More is a mistake, which must not end the program for want of
/// memory.
pub(crate) const MOST: u32 = 1 << 24;

pub(crate) fn not_too_many(more: u32) -> Result<(), Failure> {
    if more <= MOST {
        return Ok(());
    }
    Err(Failure::new(PORTAMENTO_FULL, format_args!("room for {more} more entities: ask for {MOST} at most")))
}

/// Reserves memory for `more` entities, so that adding them does not allocate.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_reserve(batch: portamento_batch, more: u32) -> portamento_status {
    answer(|| {
        not_too_many(more)?;
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
        // SAFETY: as above.
        unsafe { write(row, handle.into(), "row") }
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
            enough("poses", count, crowd.batch.rows())?;
            crowd.batch.tick();
            crowd.batch.push_all(|handle, _| {
                // SAFETY: every index is below `rows()`, and so below `count`.
                plain(unsafe { poses.get(handle.index()) })
            })?;
            Ok(())
        })?
    })
}

/// The simulation ran a tick in which only these entities moved: `rows[i]` went to `poses[i]`. All others stay where they
/// are. Each stride is the distance from one to the next in bytes, 0 for an array without gaps. A row that names no entity
/// ends the call with a status; those before it have moved.
///
/// # Safety
/// `rows` and `poses` point to `count` rows and poses, their strides apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_push_some(
    batch: portamento_batch,
    rows: *const portamento_row,
    row_stride: usize,
    poses: *const portamento_pose,
    pose_stride: usize,
    count: usize,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let rows = unsafe { Strided::new(rows, row_stride, count, "rows") }?;
        // SAFETY: as above.
        let poses = unsafe { Strided::new(poses, pose_stride, count, "poses") }?;
        BATCHES.with(batch.id, |crowd| {
            crowd.batch.tick();
            for i in 0..count {
                // SAFETY: `i` is below `count`.
                let (row, pose) = unsafe { (rows.get(i), poses.get(i)) };
                let handle = crowd.handle(row)?;
                crowd.batch.push(handle, plain(pose))?;
            }
            Ok(())
        })?
    })
}

/// The simulation corrects the newest pose of one entity within a tick (a collision after the move): the picture glides
/// there.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_correct(
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
            let _ = crowd.batch.correct(handle, pose);
            Ok(())
        })?
    })
}

/// Writes what the simulation says of one entity: the newest pose pushed.
///
/// # Safety
/// `pose` points to a place for a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_truth(
    batch: portamento_batch,
    row: portamento_row,
    pose: *mut portamento_pose,
) -> portamento_status {
    answer(|| {
        let truth = BATCHES.with(batch.id, |crowd| {
            let handle = crowd.handle(row)?;
            Ok::<_, Failure>(crowd.batch.truth(handle).unwrap_or_default())
        })??;
        // SAFETY: the caller's promise.
        unsafe { write(pose, truth.into(), "pose") }
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

/// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen.
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
        finite(shift.map(f64::from), "the shift")?;
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
    let list = MovedList { moved, capacity, written };
    // SAFETY: the caller's promise.
    answer(|| unsafe { frame(batch, moment, form, OutputOrder::Index, out, floats, list) })
}

/// Draws a frame: writes what moved since the last frame into `out`, one after the other without gaps, in the order of
/// `moved`: a list to upload. `floats` is the length of `out`, at least `portamento_batch_rows` times the floats of the
/// form; `moved`, `capacity` and `written` as for `portamento_batch_frame`.
///
/// # Safety
/// `moment` points to a moment, `out` to `floats` floats, `moved` to `capacity` rows or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_frame_moved(
    batch: portamento_batch,
    moment: *const portamento_moment,
    form: portamento_form,
    out: *mut f32,
    floats: usize,
    moved: *mut portamento_row,
    capacity: usize,
    written: *mut usize,
) -> portamento_status {
    let list = MovedList { moved, capacity, written };
    // SAFETY: the caller's promise.
    answer(|| unsafe { frame(batch, moment, form, OutputOrder::Moved, out, floats, list) })
}

/// # Safety
/// As the two functions above promise.
unsafe fn frame(
    batch: portamento_batch,
    moment: *const portamento_moment,
    form: portamento_form,
    order: OutputOrder,
    out: *mut f32,
    floats: usize,
    list: MovedList,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let moment = unsafe { read(moment, "moment") }?.into();
    let form = output_form(form)?;
    if out.is_null() {
        return Err(Failure::null("out"));
    }
    // SAFETY: the caller's promise; no one else writes there during the call.
    let out = unsafe { slice::from_raw_parts_mut(out, floats) };
    BATCHES.with(batch.id, |crowd| {
        // Before anything is drawn: a frame reports once what moved.
        let needed = crowd.batch.rows() * form.floats::<Pose>();
        if floats < needed {
            return Err(BatchError::BufferTooShort { needed, given: floats }.into());
        }
        let frame = crowd.batch.frame(moment);
        frame.write(form, order, out)?;
        // SAFETY: the caller's promise.
        unsafe { list.fill(frame.moved().iter().map(|&handle| handle.into())) };
        Ok(())
    })?
}

/// Poses that are written together where rows have gaps.
const TOGETHER: usize = 64;

/// Draws a frame into structs of yours: as `portamento_batch_frame`, with `stride` bytes from the floats of one row to
/// those of the next. `out` points to those of row 0, and `rows` is how many rows there are, at least
/// `portamento_batch_rows`. A stride of 0 is that of an array without gaps.
///
/// # Safety
/// `moment` points to a moment, `out` to `rows` times the floats of the form, `stride` bytes apart, `moved` to `capacity`
/// rows or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_frame_strided(
    batch: portamento_batch,
    moment: *const portamento_moment,
    form: portamento_form,
    out: *mut f32,
    stride: usize,
    rows: usize,
    moved: *mut portamento_row,
    capacity: usize,
    written: *mut usize,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moment = unsafe { read(moment, "moment") }?.into();
        let form = output_form(form)?;
        if out.is_null() {
            return Err(Failure::null("out"));
        }
        let floats = form.floats::<Pose>();
        let stride = if stride == 0 { floats * size_of::<f32>() } else { stride };
        BATCHES.with(batch.id, |crowd| {
            enough("out", rows, crowd.batch.rows())?;
            let frame = crowd.batch.frame(moment);
            let mut numbers = [0.0f32; TOGETHER * 16];
            for (part, handles) in frame.moved().chunks(TOGETHER).enumerate() {
                let numbers = &mut numbers[..handles.len() * floats];
                frame.write_tiles(form, part * (TOGETHER / WIDTH), numbers);
                for (row, handle) in numbers.chunks_exact(floats).zip(handles) {
                    // SAFETY: every index is below `rows()`, and so below `rows`.
                    unsafe {
                        let place = out.cast::<u8>().add(handle.index() * stride);
                        place.copy_from_nonoverlapping(row.as_ptr().cast(), size_of_val(row));
                    }
                }
            }
            let list = MovedList { moved, capacity, written };
            // SAFETY: the caller's promise.
            unsafe { list.fill(frame.moved().iter().map(|&handle| handle.into())) };
            Ok(())
        })?
    })
}
