//! Batches for large worlds: positions in double precision, drawn relative to a camera.
//!
//! The vectors of a batch work on f32, so here every entity has ends of its own, as in a track: several times the cost of a
//! batch per entity. What is drawn is what a track draws, to the bit.

use crate::batch::{
    MovedList, PORTAMENTO_OUTPUT_FORM_MATRICES_3X4, PORTAMENTO_OUTPUT_FORM_MATRICES_4X4,
    PORTAMENTO_OUTPUT_FORM_POSES, PORTAMENTO_OUTPUT_FORM_POSITIONS, enough, not_too_many,
    portamento_batch_handle, portamento_output_form, removed,
};
use crate::camera::no_such;
use crate::pointers::{Strided, make, read, write};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{finite, moved_by, portamento_moment, portamento_pose, portamento_pose64};
use core::array;
use portamento::Moment;
use portamento::blend::{Blend, Pose, Pose64};
use portamento::step::MomentParts;
use portamento::track::TrackEnds;
use portamento_status::PORTAMENTO_BAD_SETTING;

/// Many entities of a large world. Make it with `portamento_batch64_new`, free it with `portamento_batch64_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_batch64 {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// Position in double precision and rotation, a `portamento_pose64`: only for `portamento_batch64_frame`, which then does
/// not subtract the origin.
pub const PORTAMENTO_OUTPUT_FORM_POSES64: portamento_output_form = 4;

struct Entity<const ENDS: usize> {
    ends: TrackEnds<Pose64, ENDS>,
    /// Its last view was drawn, and it has not changed since.
    drawn: bool,
}

struct Crowd<const ENDS: usize> {
    /// By row; those without an entity are free.
    entities: Vec<Option<Entity<ENDS>>>,
    generations: Vec<u32>,
    free: Vec<u32>,
    /// Of the last frame.
    moved: Vec<u32>,
    /// Moment and origin of the last frame; `None` if anything changed since.
    last: Option<(Moment, [f64; 3])>,
    origin: [f64; 3],
}

enum Kept {
    Two(Crowd<2>),
    Sixteen(Crowd<16>),
}

/// The same call for both.
macro_rules! of {
    ($kept:expr, $crowd:ident => $call:expr) => {
        match $kept {
            Kept::Two($crowd) => $call,
            Kept::Sixteen($crowd) => $call,
        }
    };
}

static BATCHES: Table<Kept> = Table::new(17);

impl<const ENDS: usize> Crowd<ENDS> {
    fn new() -> Self {
        Self {
            entities: Vec::new(),
            generations: Vec::new(),
            free: Vec::new(),
            moved: Vec::new(),
            last: None,
            origin: [0.0; 3],
        }
    }

    fn reserve(&mut self, more: usize) {
        let further = more.saturating_sub(self.free.len());
        self.entities.reserve(further);
        self.generations.reserve(further);
        let rows = self.entities.len() + further;
        self.free.reserve(rows - self.free.len());
        self.moved.reserve(rows);
    }

    fn add(&mut self, pose: Pose64) -> portamento_batch_handle {
        self.last = None;
        let entity = Some(Entity { ends: TrackEnds::new(pose), drawn: false });
        if let Some(index) = self.free.pop() {
            self.entities[index as usize] = entity;
            return portamento_batch_handle { index, generation: self.generations[index as usize] };
        }
        self.reserve(1);
        self.entities.push(entity);
        self.generations.push(0);
        portamento_batch_handle { index: self.entities.len() as u32 - 1, generation: 0 }
    }

    fn get(&mut self, row: portamento_batch_handle) -> Result<&mut Entity<ENDS>, Failure> {
        let portamento_batch_handle { index, generation } = row;
        let found = self.generations.get(index as usize).is_some_and(|&is| is == generation);
        let entity = if found { self.entities[index as usize].as_mut() } else { None };
        entity.ok_or_else(|| removed(row))
    }

    fn remove(&mut self, row: portamento_batch_handle) -> Result<(), Failure> {
        self.get(row)?;
        let index = row.index as usize;
        self.entities[index] = None;
        self.generations[index] = self.generations[index].wrapping_add(1);
        self.free.push(row.index);
        self.last = None;
        Ok(())
    }

    fn push_all(&mut self, poses: Strided<portamento_pose64>) {
        self.last = None;
        for (row, entity) in self.entities.iter_mut().enumerate() {
            let Some(entity) = entity else { continue };
            // SAFETY: there is a pose for every row.
            let given = unsafe { poses.get(row) };
            let pose = Pose64::new(given.position, given.rotation.into());
            entity.drawn &= pose == *entity.ends.truth() && entity.ends.truth().rests(&pose);
            entity.ends.push(pose);
        }
    }

    fn change(
        &mut self,
        row: portamento_batch_handle,
        change: impl FnOnce(&mut TrackEnds<Pose64, ENDS>),
    ) -> Result<(), Failure> {
        let entity = self.get(row)?;
        change(&mut entity.ends);
        entity.drawn = false;
        self.last = None;
        Ok(())
    }

    fn redraw(&mut self) {
        self.entities.iter_mut().flatten().for_each(|entity| entity.drawn = false);
        self.last = None;
    }

    fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        self.redraw();
        self.entities.iter_mut().flatten().for_each(|entity| entity.ends.rebase(&shift));
    }

    /// Finds what moved, and gives `put` each row with its view.
    fn frame(&mut self, moment: Moment, origin: [f64; 3], mut put: impl FnMut(usize, &Pose64)) {
        self.moved.clear();
        let place = |m: &Moment| {
            let MomentParts { back, alpha, beyond, .. } = (*m).into();
            (back, alpha, beyond)
        };
        if self.last.as_ref().is_some_and(|(last, from)| place(last) == place(&moment) && *from == origin) {
            return;
        }
        let all = origin != self.origin;
        for (row, entity) in self.entities.iter_mut().enumerate() {
            let Some(entity) = entity else { continue };
            let rests = entity.ends.at_rest(moment);
            if entity.drawn && rests && !all {
                continue;
            }
            entity.drawn = rests;
            self.moved.push(row as u32);
            put(row, &entity.ends.view(moment));
        }
        (self.last, self.origin) = (Some((moment, origin)), origin);
    }

    fn rows_moved(&self) -> impl ExactSizeIterator<Item = portamento_batch_handle> {
        let generations = &self.generations;
        self.moved
            .iter()
            .map(|&index| portamento_batch_handle { index, generation: generations[index as usize] })
    }
}

/// Makes an empty batch that keeps `ends` ticks: 2 for a fixed step, for a gate as many as `ends_needed` of
/// `portamento_stepper_get_counts`, 16 at most.
///
/// # Safety
/// `batch` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch64_new(
    ends: u32,
    batch: *mut portamento_batch64,
) -> portamento_status {
    answer(|| {
        let made = match ends {
            2 => Kept::Two(Crowd::new()),
            3..=16 => Kept::Sixteen(Crowd::new()),
            other => {
                let words = format_args!("ends is {other}: give a number from 2 to 16");
                return Err(Failure::new(PORTAMENTO_BAD_SETTING, words));
            }
        };
        // SAFETY: the caller's promise.
        unsafe { make(batch, "batch", || Ok(portamento_batch64 { id: BATCHES.insert(made)? })) }
    })
}

/// Frees a batch with all its entities.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch64_free(batch: portamento_batch64) -> portamento_status {
    answer(|| Ok(BATCHES.free(batch.id)?))
}

/// Reserves memory for `more` entities, so that adding them does not allocate.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch64_reserve(batch: portamento_batch64, more: u32) -> portamento_status {
    answer(|| {
        not_too_many(more)?;
        Ok(BATCHES.with(batch.id, |kept| of!(kept, crowd => crowd.reserve(more as usize)))?)
    })
}

/// Adds an entity that appears at `pose`.
///
/// # Safety
/// `pose` points to a pose, `row` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch64_insert(
    batch: portamento_batch64,
    pose: *const portamento_pose64,
    row: *mut portamento_batch_handle,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        let add = || Ok(BATCHES.with(batch.id, |kept| of!(kept, crowd => crowd.add(pose)))?);
        // SAFETY: as above.
        unsafe { make(row, "row", add) }
    })
}

/// Removes an entity.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch64_remove(
    batch: portamento_batch64,
    row: portamento_batch_handle,
) -> portamento_status {
    answer(|| BATCHES.with(batch.id, |kept| of!(kept, crowd => crowd.remove(row)))?)
}

/// Writes how many rows your arrays need: one more than the highest index in use.
///
/// # Safety
/// `rows` points to a place for the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch64_rows(
    batch: portamento_batch64,
    rows: *mut u32,
) -> portamento_status {
    answer(|| {
        let count = BATCHES.with(batch.id, |kept| of!(kept, crowd => crowd.entities.len() as u32))?;
        // SAFETY: the caller's promise.
        unsafe { write(rows, count, "rows") }
    })
}

/// The simulation ran a tick: `poses[i]` is the result of the entity in row i, after collision. `count` is the number of
/// poses in the array, at least `portamento_batch64_rows`; `stride` is the distance from one to the next in bytes, 0 for
/// an array without gaps. Rows without an entity are not read. The poses are taken as they are.
///
/// # Safety
/// `poses` points to `count` poses, `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch64_push_all(
    batch: portamento_batch64,
    poses: *const portamento_pose64,
    stride: usize,
    count: usize,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let poses = unsafe { Strided::new(poses, stride, count, "poses") }?;
        BATCHES.with(batch.id, |kept| {
            of!(kept, crowd => {
                enough("poses", count, crowd.entities.len())?;
                crowd.push_all(poses);
                Ok(())
            })
        })?
    })
}

/// # Safety
/// `pose` is null, or points to a pose.
unsafe fn with_pose(
    batch: portamento_batch64,
    pose: *const portamento_pose64,
    call: impl FnOnce(&mut Kept, Pose64) -> Result<(), Failure>,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        BATCHES.with(batch.id, |kept| call(kept, pose))?
    })
}

/// Jumps to `pose` with one entity (spawn, teleport, respawn): no place between is ever drawn.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch64_cut(
    batch: portamento_batch64,
    row: portamento_batch_handle,
    pose: *const portamento_pose64,
) -> portamento_status {
    let call = |kept: &mut Kept, pose| of!(kept, crowd => crowd.change(row, |ends| ends.cut(pose)));
    // SAFETY: the caller's promise.
    unsafe { with_pose(batch, pose, call) }
}

/// Corrects the newest pose of one entity within its tick (a collision after the move): the picture glides there.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch64_correct(
    batch: portamento_batch64,
    row: portamento_batch_handle,
    pose: *const portamento_pose64,
) -> portamento_status {
    let call = |kept: &mut Kept, pose| of!(kept, crowd => crowd.change(row, |ends| ends.correct(pose)));
    // SAFETY: the caller's promise.
    unsafe { with_pose(batch, pose, call) }
}

/// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch64_rebase(
    batch: portamento_batch64,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moved = unsafe { moved_by::<3>(shift) }?;
        let moved = |pose: &mut Pose64| moved(&mut pose.position);
        Ok(BATCHES.with(batch.id, |kept| of!(kept, crowd => crowd.rebase(moved)))?)
    })
}

/// Counts everything as moved in the next frame: for a buffer that is new or was lost.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_batch64_redraw(batch: portamento_batch64) -> portamento_status {
    answer(|| Ok(BATCHES.with(batch.id, |kept| of!(kept, crowd => crowd.redraw()))?))
}

/// How many bytes a row of this form takes.
fn bytes(form: portamento_output_form) -> Result<usize, Failure> {
    Ok(match form {
        PORTAMENTO_OUTPUT_FORM_POSES => size_of::<portamento_pose>(),
        PORTAMENTO_OUTPUT_FORM_POSITIONS => 12,
        PORTAMENTO_OUTPUT_FORM_MATRICES_3X4 => 48,
        PORTAMENTO_OUTPUT_FORM_MATRICES_4X4 => 64,
        PORTAMENTO_OUTPUT_FORM_POSES64 => size_of::<portamento_pose64>(),
        other => return Err(no_such("form", other, "PORTAMENTO_OUTPUT_FORM_POSES or its like, 0 to 4")),
    })
}

/// The rows of the pose's matrix, without the last.
fn rows(pose: &Pose) -> [[f32; 4]; 3] {
    let columns = pose.to_matrix_4x4();
    array::from_fn(|row| columns.map(|column| column[row]))
}

/// # Safety
/// `place` has room for a row of this form.
unsafe fn put(form: portamento_output_form, view: &Pose64, origin: [f64; 3], place: *mut u8) {
    let near = view.relative_to(origin);
    // SAFETY: the caller's promise.
    unsafe {
        match form {
            PORTAMENTO_OUTPUT_FORM_POSES => place.cast::<portamento_pose>().write_unaligned(near.into()),
            PORTAMENTO_OUTPUT_FORM_POSITIONS => place.cast::<[f32; 3]>().write_unaligned(near.position),
            PORTAMENTO_OUTPUT_FORM_MATRICES_3X4 => place.cast::<[[f32; 4]; 3]>().write_unaligned(rows(&near)),
            PORTAMENTO_OUTPUT_FORM_MATRICES_4X4 => {
                place.cast::<[[f32; 4]; 4]>().write_unaligned(near.to_matrix_4x4())
            }
            _ => place.cast::<portamento_pose64>().write_unaligned((*view).into()),
        }
    }
}

/// Draws a frame: writes what moved since the last frame, each entity at its own row, as seen from `origin` (three
/// numbers: the camera's position; null is the world's origin). When the origin is another one than in the frame before,
/// everything moved. `out` points to row 0, `stride` is the distance from one row to the next in bytes (0 for an array
/// without gaps), and `rows` is how many there are, at least `portamento_batch64_rows`. `moved`, `capacity` and `written`
/// as for `portamento_batch_frame`.
///
/// # Safety
/// `moment` points to a moment, `origin` to three numbers or nothing, `out` to `rows` rows of the form, `stride` bytes
/// apart, `moved` to `capacity` rows or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_batch64_frame(
    batch: portamento_batch64,
    moment: *const portamento_moment,
    origin: *const f64,
    form: portamento_output_form,
    out: *mut core::ffi::c_void,
    stride: usize,
    rows: usize,
    moved: *mut portamento_batch_handle,
    capacity: usize,
    written: *mut usize,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moment: Moment = unsafe { read(moment, "moment") }?.into();
        let bytes = bytes(form)?;
        let stride = if stride == 0 { bytes } else { stride };
        let origin = if origin.is_null() {
            [0.0; 3]
        } else {
            // SAFETY: not null, and the caller's promise.
            unsafe { read(origin.cast::<[f64; 3]>(), "origin") }?
        };
        finite(origin, "the origin")?;
        if out.is_null() {
            return Err(Failure::null("out"));
        }
        let list = MovedList { moved, capacity, written };
        BATCHES.with(batch.id, |kept| {
            of!(kept, crowd => {
                enough("out", rows, crowd.entities.len())?;
                crowd.frame(moment, origin, |row, view| {
                    // SAFETY: `row` is below `rows`, and the caller promises that `out` has as many.
                    unsafe { put(form, view, origin, out.cast::<u8>().add(row * stride)) };
                });
                // SAFETY: the caller's promise.
                unsafe { list.fill(crowd.rows_moved()) };
                Ok(())
            })
        })?
    })
}
