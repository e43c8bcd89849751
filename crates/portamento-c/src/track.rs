//! Tracks: the last ticks of one entity, drawn between them.

use crate::pointers::{make, read, write};
use crate::saves::Saves;
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{moved_by, portamento_drawn, portamento_moment, portamento_pose64};
use portamento::Track;
use portamento::blend::Pose64;
use portamento::track::TrackEnds;
use portamento_status::PORTAMENTO_BAD_VALUE;

/// One entity's last ticks. Make it with `portamento_track_new`, free it with `portamento_track_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_track {
    /// The handle; 0 names nothing.
    pub id: u64,
}

struct Entity<const ENDS: usize> {
    track: Track<Pose64, ENDS>,
    saves: Saves<TrackEnds<Pose64, ENDS>>,
}

#[allow(clippy::large_enum_variant)] // nearly all are the large one, which stays in its slot
enum Kept {
    /// What every gate with its default lengths needs.
    Eight(Entity<8>),
    Most(Box<Entity<64>>),
}

/// The same call for both.
macro_rules! of {
    ($kept:expr, $entity:ident => $call:expr) => {
        match $kept {
            Kept::Eight($entity) => $call,
            Kept::Most($entity) => $call,
        }
    };
}

impl<const ENDS: usize> Entity<ENDS> {
    fn new(track: Track<Pose64, ENDS>) -> Self {
        Self { track, saves: Saves::default() }
    }
}

static TRACKS: Table<Kept> = Table::new(2);

fn insert(kept: Kept) -> Result<portamento_track, Failure> {
    Ok(portamento_track { id: TRACKS.insert(kept)? })
}

/// Makes a track for an entity that appears at `start`. Its first frame shows exactly `start`.
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
        let start: Pose64 = unsafe { read(start, "start") }?.try_into()?;
        // SAFETY: as above.
        unsafe { make(track, "track", || insert(Kept::Eight(Entity::new(Track::new(start))))) }
    })
}

/// Makes a track that keeps `ends` ticks, 2 to 64, for a gate whose `ends_needed` (`portamento_stepper_get_counts`) is
/// more than 8.
///
/// # Safety
/// `start` points to a pose, `track` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_with_ends(
    start: *const portamento_pose64,
    ends: u32,
    track: *mut portamento_track,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let start: Pose64 = unsafe { read(start, "start") }?.try_into()?;
        let made = match ends {
            2..=8 => Kept::Eight(Entity::new(Track::new(start))),
            9..=64 => Kept::Most(Box::new(Entity::new(Track::with_ends(start)))),
            other => {
                let words = format_args!("ends is {other}: give a number from 2 to 64");
                return Err(Failure::new(PORTAMENTO_BAD_VALUE, words));
            }
        };
        // SAFETY: as above.
        unsafe { make(track, "track", || insert(made)) }
    })
}

/// Frees a track.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_track_free(track: portamento_track) -> portamento_status {
    answer(|| Ok(TRACKS.free(track.id)?))
}

/// # Safety
/// `pose` is null, or points to a pose.
#[inline]
unsafe fn with_pose(
    track: portamento_track,
    pose: *const portamento_pose64,
    call: impl FnOnce(&mut Kept, Pose64),
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        Ok(TRACKS.with(track.id, |kept| call(kept, pose))?)
    })
}

/// Takes the result of a tick, after collision. Call it in every tick, also when the entity did not move: that is how
/// the view comes to rest.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_push(
    track: portamento_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(track, pose, |kept, pose| of!(kept, entity => entity.track.push(pose))) }
}

/// Jumps to `pose` (spawn, teleport, respawn): no place between is ever drawn. Call it instead of
/// `portamento_track_push` in its tick, or after it.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_cut(
    track: portamento_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(track, pose, |kept, pose| of!(kept, entity => entity.track.cut(pose))) }
}

/// Corrects the newest pose within its tick (a collision after the move): the picture glides there.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_correct(
    track: portamento_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(track, pose, |kept, pose| of!(kept, entity => entity.track.correct(pose))) }
}

/// Makes room for the saves of the last `count` ticks, 0 to 1024. Earlier saves are forgotten. It allocates.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_track_reserve_saves(track: portamento_track, count: u32) -> portamento_status {
    answer(|| {
        TRACKS.with(track.id, |kept| {
            of!(kept, entity => {
                entity.saves = Saves::with_room(count, || entity.track.ends().clone())?;
                Ok(())
            })
        })?
    })
}

/// Saves the truth after tick number `tick`, for rollback. As many of the newest saves are kept as
/// `portamento_track_reserve_saves` made room for: without room it is `PORTAMENTO_FULL`.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_track_save(track: portamento_track, tick: u64) -> portamento_status {
    answer(|| {
        TRACKS.with(
            track.id,
            |kept| of!(kept, entity => entity.saves.save(tick, |save| save.clone_from(entity.track.ends()))),
        )?
    })
}

/// Puts the truth back to what it was when `tick` was saved. Simulate the ticks since then with `portamento_track_push`
/// before the next frame. What differs from before is drawn at once; a `portamento_predicted_track` lets it glide. A cut
/// that has been reported is not reported again. `PORTAMENTO_NOTHING` if that tick was not saved, or is too long ago.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_track_restore(track: portamento_track, tick: u64) -> portamento_status {
    answer(|| {
        TRACKS.with(track.id, |kept| {
            of!(kept, entity => {
                entity.track.restore(entity.saves.get(tick)?.clone());
                Ok(())
            })
        })?
    })
}

/// Moves the world's origin: adds `shift` to everything remembered, saves too, so that nothing moves on the
/// screen.
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
        let moved = unsafe { moved_by::<3>(shift) }?;
        let moved = |pose: &mut Pose64| moved(&mut pose.position);
        let rebase = |kept: &mut Kept| {
            of!(kept, entity => {
                entity.track.rebase(moved);
                entity.saves.change(|ends| ends.rebase(moved));
            })
        };
        Ok(TRACKS.with(track.id, rebase)?)
    })
}

/// Writes the truth: the newest pose pushed.
///
/// # Safety
/// `pose` points to a place for a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_track_truth(
    track: portamento_track,
    pose: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        let truth = TRACKS.with(track.id, |kept| of!(kept, entity => *entity.track.truth()))?;
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
        let drawn = TRACKS.with(track.id, |kept| of!(kept, entity => entity.track.view(moment)))?;
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
        let draw = |kept: &mut Kept| of!(kept, entity => entity.track.draw(moment)).into();
        // SAFETY: as above.
        unsafe { make(drawn, "drawn", || Ok(TRACKS.with(track.id, draw)?)) }
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
        let at_rest =
            TRACKS.with(track.id, |kept| of!(kept, entity => entity.track.ends().at_rest(moment)))?;
        // SAFETY: as above.
        unsafe { write(rests, at_rest.into(), "rests") }
    })
}
