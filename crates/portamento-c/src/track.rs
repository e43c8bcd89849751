//! Tracks: the last ticks of one entity, drawn between them.

use crate::pointers::{read, write};
use crate::status::{answer, portamento_status};
use crate::table::Table;
use crate::types::{portamento_drawn, portamento_moment, portamento_pose64};
use portamento::Track;
use portamento::blend::Pose64;

/// One entity's last ticks. Make it with `portamento_track_new`, free it with `portamento_track_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_track {
    /// The handle; 0 names nothing.
    pub id: u64,
}

static TRACKS: Table<Track<Pose64>> = Table::new(2);

/// Makes a track for an entity that appears at `start`. Its first frame shows exactly `start`.
///
/// One thread at a time may use a track; different tracks may be used by different threads. The same holds for every
/// function below.
///
/// # Safety
/// `start` points to a pose, `track` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_new(
    start: *const portamento_pose64,
    track: *mut portamento_track,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let start = unsafe { read(start, "start") }?.try_into()?;
        // SAFETY: as above.
        unsafe { write(track, portamento_track { id: TRACKS.insert(Track::new(start))? }, "track") }
    })
}

/// Frees a track.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_track_free(track: portamento_track) -> portamento_status {
    answer(|| Ok(TRACKS.free(track.id)?))
}

/// The simulation ran a tick, and `pose` is its result after collision. Call it in every tick, also when the entity did
/// not move: that is how the view comes to rest.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_push(
    track: portamento_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        Ok(TRACKS.with(track.id, |track| track.push(pose))?)
    })
}

/// A spawn, teleport or respawn: no place between is ever drawn. Call it instead of `portamento_track_push` in its tick,
/// or after it.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_cut(
    track: portamento_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        Ok(TRACKS.with(track.id, |track| track.cut(pose))?)
    })
}

/// The simulation corrects its newest pose within a tick (a collision after the move): the picture glides there.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_correct(
    track: portamento_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        Ok(TRACKS.with(track.id, |track| track.correct(pose))?)
    })
}

/// The world's origin moves: `shift` is added to everything that is remembered, and nothing is seen of it.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_rebase(
    track: portamento_track,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let shift = unsafe { read(shift.cast::<[f64; 3]>(), "shift") }?;
        let moved = |pose: &mut Pose64| pose.position = core::array::from_fn(|i| pose.position[i] + shift[i]);
        Ok(TRACKS.with(track.id, |track| track.rebase(moved))?)
    })
}

/// Writes what the simulation says now: the newest pose pushed.
///
/// # Safety
/// `pose` points to a place for a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_truth(
    track: portamento_track,
    pose: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        let truth = TRACKS.with(track.id, |track| *track.truth())?;
        // SAFETY: the caller's promise.
        unsafe { write(pose, truth.into(), "pose") }
    })
}

/// Writes the view at `moment`, without remembering it.
///
/// # Safety
/// `moment` points to a moment, `view` to a place for a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_view(
    track: portamento_track,
    moment: *const portamento_moment,
    view: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moment = unsafe { read(moment, "moment") }?.into();
        let drawn = TRACKS.with(track.id, |track| track.view(moment))?;
        // SAFETY: as above.
        unsafe { write(view, drawn.into(), "view") }
    })
}

/// Writes the view at `moment` with the view of the frame before and whether a cut lies between: what cameras and motion
/// vectors need. Call it once per frame.
///
/// # Safety
/// `moment` points to a moment, `drawn` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_draw(
    track: portamento_track,
    moment: *const portamento_moment,
    drawn: *mut portamento_drawn,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moment = unsafe { read(moment, "moment") }?.into();
        let result = TRACKS.with(track.id, |track| track.draw(moment))?;
        // SAFETY: as above.
        unsafe { write(drawn, result.into(), "drawn") }
    })
}

/// Writes 1 if the view at `moment` is the truth's own bits and stays so until the next change, otherwise 0.
///
/// # Safety
/// `moment` points to a moment, `rests` to a place for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_at_rest(
    track: portamento_track,
    moment: *const portamento_moment,
    rests: *mut u32,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moment = unsafe { read(moment, "moment") }?.into();
        let at_rest = TRACKS.with(track.id, |track| track.at_rest(moment))?;
        // SAFETY: as above.
        unsafe { write(rests, at_rest.into(), "rests") }
    })
}
