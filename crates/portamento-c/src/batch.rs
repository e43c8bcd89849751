//! Batches: the last ticks of thousands of entities, drawn by one call.

use crate::pointers::{Sized32, Strided, make, read, settings, write, write_if_wanted};
use crate::predicted::portamento_reconcile_settings;
use crate::saves::Saves;
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{finite, portamento_drawn, portamento_moment, portamento_pose};
use core::slice;
use portamento::Moment;
use portamento::batch::internals::WIDTH;
use portamento::batch::{Batch, BatchError, BatchFrame, BatchHandle, BatchSettings, BatchTruth, OutputForm};
use portamento::blend::{Pose, Pose64};
use portamento::step::MomentParts;
use portamento_status::{
    PORTAMENTO_BAD_SETTING, PORTAMENTO_BAD_VALUE, PORTAMENTO_FULL, PORTAMENTO_NOTHING, PORTAMENTO_TOO_SHORT,
    PORTAMENTO_UNKNOWN_HANDLE,
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
pub struct portamento_batch_handle {
    /// Place in your arrays.
    pub index: u32,
    /// Which of the successive owners of that place.
    pub generation: u32,
}

/// What `portamento_batch_frame` writes for each entity: one of the constants below.
pub type portamento_output_form = u32;
/// Position and rotation: 7 floats.
pub const PORTAMENTO_OUTPUT_FORM_POSES: portamento_output_form = 0;
/// Position: 3 floats.
pub const PORTAMENTO_OUTPUT_FORM_POSITIONS: portamento_output_form = 1;
/// A 3x4 matrix, row after row: 12 floats.
pub const PORTAMENTO_OUTPUT_FORM_MATRICES_3X4: portamento_output_form = 2;
/// A 4x4 matrix, column after column: 16 floats.
pub const PORTAMENTO_OUTPUT_FORM_MATRICES_4X4: portamento_output_form = 3;

/// How a batch is built. Fill it with `portamento_batch_settings_default`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_batch_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// How many ticks are kept: 2 for a fixed step, for a gate as many as `ends_needed` of
    /// `portamento_stepper_get_counts`, 16 at most.
    pub ends: u32,
    /// 1: also keep what was drawn in the frame before, for `portamento_batch_drawn`. It costs two more buffers of memory,
    /// and one more to be written in every frame.
    pub remember_views: u32,
    /// 1: after `portamento_batch_restore`, what differs from before glides. For hundreds of entities, not for a hundred
    /// thousand.
    pub glide_after_restore: u32,
    /// How `portamento_batch_reconcile` hides corrections.
    pub reconcile: portamento_reconcile_settings,
}

impl Sized32 for portamento_batch_settings {}

struct Crowd {
    batch: Batch<Pose>,
    /// The living, by index.
    rows: Vec<Option<BatchHandle>>,
    saves: Saves<BatchTruth<Pose>>,
    /// Of the last frame, with a number; `None` once anything has changed since.
    drawn: Option<Moment>,
    /// Numbers frames whose moments have none.
    frames: u32,
}

impl Crowd {
    fn new(settings: BatchSettings) -> Result<Self, Failure> {
        let batch = Batch::with_settings(settings)?;
        Ok(Self { batch, rows: Vec::new(), saves: Saves::default(), drawn: None, frames: 0 })
    }

    /// The batch, to be changed.
    fn change(&mut self) -> &mut Batch<Pose> {
        self.drawn = None;
        &mut self.batch
    }

    fn handle(&self, row: portamento_batch_handle) -> Result<BatchHandle, Failure> {
        let found = self.rows.get(row.index as usize).copied().flatten();
        found.filter(|&handle| generation(handle) == row.generation).ok_or_else(|| removed(row))
    }

    /// Draws a frame, and remembers which one it was.
    fn frame(&mut self, moment: Moment) -> BatchFrame<'_, Pose> {
        let numbered = if MomentParts::from(moment).frame.is_some() {
            moment
        } else {
            // Numbers that no stepper reaches, so that this frame is never taken for one of a stepper's.
            self.frames = self.frames.wrapping_add(1) | 1 << 31;
            moment.in_frame(self.frames.into())
        };
        self.drawn = Some(numbered);
        self.batch.frame(numbered)
    }
}

static BATCHES: Table<Crowd> = Table::new(3);

/// Converts without a check: a batch does not check its poses one by one.
#[inline]
fn plain(pose: portamento_pose) -> Pose {
    Pose::new(pose.position, pose.rotation.into())
}

pub(crate) fn removed(row: portamento_batch_handle) -> Failure {
    let portamento_batch_handle { index, generation } = row;
    let words = format_args!("row {index}, generation {generation} names no entity: it was removed");
    Failure::new(PORTAMENTO_UNKNOWN_HANDLE, words)
}

/// Refuses an array that is shorter than the batch.
pub(crate) fn enough(what: &str, given: usize, rows: usize) -> Result<(), Failure> {
    if given >= rows {
        return Ok(());
    }
    let words = format_args!("{what} has {given} rows, the batch {rows}: give as many at least");
    Err(Failure::new(PORTAMENTO_TOO_SHORT, words))
}

pub(crate) fn output_form(form: portamento_output_form) -> Result<OutputForm, Failure> {
    match form {
        PORTAMENTO_OUTPUT_FORM_POSES => Ok(OutputForm::Poses),
        PORTAMENTO_OUTPUT_FORM_POSITIONS => Ok(OutputForm::Positions),
        PORTAMENTO_OUTPUT_FORM_MATRICES_3X4 => Ok(OutputForm::Matrices3x4),
        PORTAMENTO_OUTPUT_FORM_MATRICES_4X4 => Ok(OutputForm::Matrices4x4),
        other => {
            let words = format_args!(
                "there is no form {other}: give PORTAMENTO_OUTPUT_FORM_POSES or its like, 0 to 3"
            );
            Err(Failure::new(PORTAMENTO_BAD_VALUE, words))
        }
    }
}

/// Where the caller wants to have the entities that moved.
#[derive(Clone, Copy)]
pub(crate) struct MovedList {
    pub(crate) moved: *mut portamento_batch_handle,
    pub(crate) capacity: usize,
    pub(crate) written: *mut usize,
}

impl MovedList {
    /// Writes as many as fit, and how many there are.
    ///
    /// # Safety
    /// `moved` is null or has room for `capacity` rows, `written` is null or has room for the number.
    pub(crate) unsafe fn fill(self, rows: impl ExactSizeIterator<Item = portamento_batch_handle>) {
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

/// How often the handle's index had been used before.
fn generation(handle: BatchHandle) -> u32 {
    (u64::from(handle) >> 32) as u32
}

impl From<BatchHandle> for portamento_batch_handle {
    fn from(handle: BatchHandle) -> Self {
        Self { index: handle.index() as u32, generation: generation(handle) }
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
        let crowd = Crowd::new(BatchSettings { ends: ends as usize, ..BatchSettings::default() })?;
        // SAFETY: the caller's promise.
        unsafe { make(batch, "batch", || Ok(portamento_batch { id: BATCHES.insert(crowd)? })) }
    })
}

/// Fills `settings` with the defaults: those of `portamento_batch_new` with 2 ticks.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_settings_default(
    settings: *mut portamento_batch_settings,
) -> portamento_status {
    answer(|| {
        let BatchSettings { ends, remember_views, glide_after_restore, reconcile, .. } =
            BatchSettings::default();
        let made = portamento_batch_settings {
            size: size_of::<portamento_batch_settings>() as u32,
            ends: ends as u32,
            remember_views: remember_views.into(),
            glide_after_restore: glide_after_restore.into(),
            reconcile: reconcile.into(),
        };
        // SAFETY: the caller's promise.
        unsafe { write(settings, made, "settings") }
    })
}

/// Makes an empty batch with these settings.
///
/// # Safety
/// `settings` points to settings, `batch` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_with_settings(
    settings: *const portamento_batch_settings,
    batch: *mut portamento_batch,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let given = unsafe { self::settings(settings, "settings") }?;
        // SAFETY: a struct of our own. It has a size of its own to be checked.
        let reconcile = unsafe { self::settings(&raw const given.reconcile, "settings.reconcile") }?;
        let crowd = Crowd::new(BatchSettings {
            ends: given.ends as usize,
            remember_views: given.remember_views != 0,
            glide_after_restore: given.glide_after_restore != 0,
            reconcile: reconcile.try_into()?,
            ..BatchSettings::default()
        })?;
        // SAFETY: as above.
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
pub unsafe extern "C" fn portamento_batch_insert(
    batch: portamento_batch,
    pose: *const portamento_pose,
    row: *mut portamento_batch_handle,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        if row.is_null() {
            return Err(Failure::null("row"));
        }
        let handle = BATCHES.with(batch.id, |crowd| {
            let handle = crowd.change().insert(pose);
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
pub extern "C" fn portamento_batch_remove(
    batch: portamento_batch,
    row: portamento_batch_handle,
) -> portamento_status {
    answer(|| {
        BATCHES.with(batch.id, |crowd| {
            let handle = crowd.handle(row)?;
            crowd.rows[handle.index()] = None;
            // The handle is of this batch and lives.
            let _ = crowd.change().remove(handle);
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
            crowd.change().tick();
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
    rows: *const portamento_batch_handle,
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
            crowd.change().tick();
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

/// # Safety
/// `pose` is null, or points to a pose.
unsafe fn with_pose(
    batch: portamento_batch,
    row: portamento_batch_handle,
    pose: *const portamento_pose,
    call: impl FnOnce(&mut Batch<Pose>, BatchHandle, Pose) -> Result<(), BatchError>,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        BATCHES.with(batch.id, |crowd| {
            let handle = crowd.handle(row)?;
            // The handle is of this batch and lives.
            let _ = call(crowd.change(), handle, pose);
            Ok(())
        })?
    })
}

/// Corrects the newest pose of one entity within its tick (a collision after the move): the picture glides there.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_correct(
    batch: portamento_batch,
    row: portamento_batch_handle,
    pose: *const portamento_pose,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(batch, row, pose, Batch::correct) }
}

/// Jumps to `pose` with one entity (spawn, teleport, respawn): no place between is ever drawn.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_cut(
    batch: portamento_batch,
    row: portamento_batch_handle,
    pose: *const portamento_pose,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(batch, row, pose, Batch::cut) }
}

/// Replaces the newest pose of one entity by the server's (reconciliation without rollback): the truth jumps to `pose`, the
/// picture glides, as `reconcile` of the settings says.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_reconcile(
    batch: portamento_batch,
    row: portamento_batch_handle,
    pose: *const portamento_pose,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(batch, row, pose, Batch::reconcile) }
}

/// Makes room for the saves of the last `count` ticks, 0 to 1024. Earlier saves are forgotten. It allocates `count` times
/// the memory of the batch.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_reserve_saves(batch: portamento_batch, count: u32) -> portamento_status {
    answer(|| {
        BATCHES.with(batch.id, |crowd| {
            crowd.saves = Saves::with_room(count, || {
                let mut save = BatchTruth::default();
                crowd.batch.save(&mut save);
                save
            })?;
            Ok(())
        })?
    })
}

/// Saves the truth of all entities after tick number `tick`, for rollback. As many of the newest saves are kept as
/// `portamento_batch_reserve_saves` made room for: without room it is `PORTAMENTO_FULL`. It allocates only when the batch
/// has grown since then.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_save(batch: portamento_batch, tick: u64) -> portamento_status {
    answer(|| {
        BATCHES.with(batch.id, |crowd| {
            let Crowd { batch, saves, .. } = crowd;
            saves.save(tick, |save| batch.save(save))
        })?
    })
}

/// Puts the truth of all entities back to what it was when `tick` was saved. Simulate the ticks since then before the next
/// frame. What differs from before is drawn at once, or glides with `glide_after_restore` of the settings. Entities that
/// were inserted since are gone; inserted again in the same order, they get the same rows and generations.
/// `PORTAMENTO_NOTHING` if that tick was not saved, or is too long ago. It allocates only the first time, and for what was
/// inserted since the save.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_restore(batch: portamento_batch, tick: u64) -> portamento_status {
    answer(|| {
        BATCHES.with(batch.id, |crowd| {
            let Crowd { batch, rows, saves, drawn, .. } = crowd;
            batch.restore(saves.get(tick)?);
            *drawn = None;
            rows.clear();
            rows.resize(batch.rows(), None);
            batch.handles().iter().for_each(|handle| rows[handle.index()] = Some(*handle));
            Ok(())
        })?
    })
}

/// Writes what the last frame drew of one entity with the frame before, for a camera that follows it or for motion
/// vectors. It needs `remember_views` of the settings. `PORTAMENTO_NOTHING` if the batch has changed since its last frame:
/// call it after `portamento_batch_frame` or its like, before the next tick.
///
/// # Safety
/// `drawn` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_drawn(
    batch: portamento_batch,
    row: portamento_batch_handle,
    drawn: *mut portamento_drawn,
) -> portamento_status {
    answer(|| {
        let found = BATCHES.with(batch.id, |crowd| {
            let handle = crowd.handle(row)?;
            let moment = crowd.drawn.ok_or(Failure(PORTAMENTO_NOTHING))?;
            // The same frame again: it gives the same.
            crowd.batch.frame(moment).drawn(handle).ok().flatten().ok_or_else(|| {
                let words = "the batch remembers no views: set remember_views of its settings to 1";
                Failure::new(PORTAMENTO_BAD_SETTING, words)
            })
        })??;
        let wide = |pose: Pose| Pose64::new(pose.position.map(f64::from), pose.rotation);
        // SAFETY: the caller's promise.
        unsafe { write(drawn, found.map(wide).into(), "drawn") }
    })
}

/// Writes what the simulation says of one entity: the newest pose pushed.
///
/// # Safety
/// `pose` points to a place for a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch_truth(
    batch: portamento_batch,
    row: portamento_batch_handle,
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

/// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen. Saves are
/// forgotten.
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
        Ok(BATCHES.with(batch.id, |crowd| {
            crowd.change().rebase(moved);
            crowd.saves.forget();
        })?)
    })
}

/// Counts everything as moved in the next frame: for a buffer that is new or was lost.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch_redraw(batch: portamento_batch) -> portamento_status {
    answer(|| Ok(BATCHES.with(batch.id, |crowd| crowd.change().redraw())?))
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
    form: portamento_output_form,
    out: *mut f32,
    floats: usize,
    moved: *mut portamento_batch_handle,
    capacity: usize,
    written: *mut usize,
) -> portamento_status {
    let list = MovedList { moved, capacity, written };
    // SAFETY: the caller's promise.
    answer(|| unsafe { frame(batch, moment, form, true, out, floats, list) })
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
    form: portamento_output_form,
    out: *mut f32,
    floats: usize,
    moved: *mut portamento_batch_handle,
    capacity: usize,
    written: *mut usize,
) -> portamento_status {
    let list = MovedList { moved, capacity, written };
    // SAFETY: the caller's promise.
    answer(|| unsafe { frame(batch, moment, form, false, out, floats, list) })
}

/// # Safety
/// As the two functions above promise.
unsafe fn frame(
    batch: portamento_batch,
    moment: *const portamento_moment,
    form: portamento_output_form,
    by_row: bool,
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
        let frame = crowd.frame(moment);
        if by_row {
            frame.write_rows(form, out)?;
        } else {
            frame.write(form, out)?;
        }
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
    form: portamento_output_form,
    out: *mut f32,
    stride: usize,
    rows: usize,
    moved: *mut portamento_batch_handle,
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
            let frame = crowd.frame(moment);
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
