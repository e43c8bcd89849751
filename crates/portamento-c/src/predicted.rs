//! Client-side prediction: the truth is corrected or rolled back, and the picture glides.

use crate::pointers::{Sized32, make, read, settings, write, write_if_wanted};
use crate::saves::Saves;
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{moved_by, portamento_drawn, portamento_moment, portamento_pose64};
use portamento::blend::{OffsetSize, Pose64};
use portamento::track::{Absorbed, OffsetFading, PredictedTrack, ReconcileSettings, TrackEnds, VisualOffset};
use portamento_status::PORTAMENTO_BAD_SETTING;

/// An entity that is predicted here, and corrected by a server or rolled back. Make it with `portamento_predicted_track_new`,
/// free it with `portamento_predicted_track_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_predicted_track {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// The distance from a truth of your own to its picture, fading. Make it with `portamento_visual_offset_new`, free it with
/// `portamento_visual_offset_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_visual_offset {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// How far a picture is from its truth.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct portamento_offset_size {
    /// In your unit.
    pub length: f64,
    /// In radians.
    pub angle: f64,
}

/// What became of a jump that a visual offset was given: the constants below.
pub type portamento_absorbed = u32;
/// All of it is in the offset: nothing is seen.
pub const PORTAMENTO_ABSORBED_KEPT: portamento_absorbed = 0;
/// A part of it is seen.
pub const PORTAMENTO_ABSORBED_PARTLY: portamento_absorbed = 1;
/// It was too far: all of it is seen.
pub const PORTAMENTO_ABSORBED_SNAPPED: portamento_absorbed = 2;

/// How a visual offset fades. Fill it with `portamento_offset_fading_correction`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_offset_fading {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Reserved: zero.
    pub reserved: u32,
    /// How fast a small offset fades, per second.
    pub slow: f64,
    /// How fast a large offset fades, per second.
    pub fast: f64,
    /// Up to this an offset is small. (Not named `small`: windows.h has a macro of that name.)
    pub small_up_to: portamento_offset_size,
    /// From this on it is large; between the two the rate changes evenly.
    pub large_from: portamento_offset_size,
    /// The fastest that the picture moves because of it, per second.
    pub top_speed: portamento_offset_size,
    /// An offset below this counts as zero.
    pub gone: portamento_offset_size,
}

impl Sized32 for portamento_offset_fading {}

/// How a correction is hidden. Fill it with `portamento_reconcile_settings_default`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_reconcile_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Reserved: zero.
    pub reserved: u32,
    /// How the offset fades.
    pub fading: portamento_offset_fading,
    /// The farthest that the picture may be from the truth: beyond it, a correction is a cut.
    pub limit: portamento_offset_size,
    /// How fast the picture may catch up, as a multiple of the entity's own speed.
    pub pace: f64,
}

impl Sized32 for portamento_reconcile_settings {}

struct Predicted {
    track: PredictedTrack<Pose64>,
    saves: Saves<TrackEnds<Pose64>>,
}

static PREDICTED: Table<Box<Predicted>> = Table::new(12);
static OFFSETS: Table<VisualOffset<Pose64>> = Table::new(13);

impl From<OffsetSize> for portamento_offset_size {
    fn from(OffsetSize { length, angle }: OffsetSize) -> Self {
        Self { length, angle }
    }
}

impl From<portamento_offset_size> for OffsetSize {
    fn from(portamento_offset_size { length, angle }: portamento_offset_size) -> Self {
        Self { length, angle }
    }
}

impl From<OffsetFading> for portamento_offset_fading {
    fn from(fading: OffsetFading) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            reserved: 0,
            slow: fading.slow,
            fast: fading.fast,
            small_up_to: fading.small.into(),
            large_from: fading.large.into(),
            top_speed: fading.top_speed.into(),
            gone: fading.gone.into(),
        }
    }
}

/// The library's fadings are written by its own code; here they come from outside.
fn fading(from: portamento_offset_fading) -> Result<OffsetFading, Failure> {
    let positive = |what: &str, value: f64| {
        if value > 0.0 {
            return Ok(());
        }
        Err(Failure::new(PORTAMENTO_BAD_SETTING, format_args!("{what} is {value}: give a number above 0")))
    };
    positive("slow", from.slow)?;
    positive("fast", from.fast)?;
    for (what, size) in [
        ("small_up_to", from.small_up_to),
        ("large_from", from.large_from),
        ("top_speed", from.top_speed),
        ("gone", from.gone),
    ] {
        positive(what, size.length)?;
        positive(what, size.angle)?;
    }
    for (small, large) in
        [(from.small_up_to.length, from.large_from.length), (from.small_up_to.angle, from.large_from.angle)]
    {
        if small > large {
            let words = format_args!(
                "small_up_to is {small} and large_from is {large}: give one that is not larger than the other"
            );
            return Err(Failure::new(PORTAMENTO_BAD_SETTING, words));
        }
    }
    Ok(OffsetFading {
        slow: from.slow,
        fast: from.fast,
        small: from.small_up_to.into(),
        large: from.large_from.into(),
        top_speed: from.top_speed.into(),
        gone: from.gone.into(),
    })
}

fn limit(from: portamento_offset_size) -> Result<OffsetSize, Failure> {
    if from.length >= 0.0 && from.angle >= 0.0 {
        return Ok(from.into());
    }
    let portamento_offset_size { length, angle } = from;
    let words = format_args!("the limit is {length} and {angle} radians: give numbers of 0 or more");
    Err(Failure::new(PORTAMENTO_BAD_SETTING, words))
}

impl From<ReconcileSettings> for portamento_reconcile_settings {
    fn from(ReconcileSettings { fading, limit, pace }: ReconcileSettings) -> Self {
        let size = size_of::<Self>() as u32;
        Self { size, reserved: 0, fading: fading.into(), limit: limit.into(), pace }
    }
}

impl TryFrom<portamento_reconcile_settings> for ReconcileSettings {
    type Error = Failure;

    fn try_from(given: portamento_reconcile_settings) -> Result<Self, Failure> {
        // SAFETY: a struct of our own. It has a size of its own to be checked.
        let fading = fading(unsafe { settings(&raw const given.fading, "settings.fading") }?)?;
        if !(given.pace > 0.0) {
            let words = format_args!("pace is {}: give a number above 0", given.pace);
            return Err(Failure::new(PORTAMENTO_BAD_SETTING, words));
        }
        Ok(Self { fading, limit: limit(given.limit)?, pace: given.pace })
    }
}

/// Fills `fading` with the defaults: what hides a correction of a predicted entity that is a metre or so off.
///
/// # Safety
/// `fading` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_offset_fading_correction(
    fading: *mut portamento_offset_fading,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(fading, OffsetFading::CORRECTION.into(), "fading") })
}

/// Fills `settings` with the defaults, for lengths in metres.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_reconcile_settings_default(
    settings: *mut portamento_reconcile_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, ReconcileSettings::default().into(), "settings") })
}

/// Makes a predicted entity that appears at `start`. `settings` may be null for the defaults.
///
/// # Safety
/// `start` points to a pose, `settings` to settings or nothing, `predicted` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_predicted_track_new(
    start: *const portamento_pose64,
    settings: *const portamento_reconcile_settings,
    predicted: *mut portamento_predicted_track,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let start: Pose64 = unsafe { read(start, "start") }?.try_into()?;
        let chosen = if settings.is_null() {
            ReconcileSettings::default()
        } else {
            // SAFETY: not null, and the caller's promise.
            unsafe { self::settings(settings, "settings") }?.try_into()?
        };
        let track = PredictedTrack::with_settings(start, chosen);
        let made = Predicted { track, saves: Saves::default() };
        let new = || Ok(portamento_predicted_track { id: PREDICTED.insert(Box::new(made))? });
        // SAFETY: as above.
        unsafe { make(predicted, "predicted", new) }
    })
}

/// Frees a predicted entity.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_predicted_track_free(
    predicted: portamento_predicted_track,
) -> portamento_status {
    answer(|| Ok(PREDICTED.free(predicted.id)?))
}

/// # Safety
/// `pose` is null, or points to a pose.
unsafe fn with_pose(
    predicted: portamento_predicted_track,
    pose: *const portamento_pose64,
    call: impl FnOnce(&mut PredictedTrack<Pose64>, Pose64),
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose, "pose") }?.try_into()?;
        Ok(PREDICTED.with(predicted.id, |predicted| call(&mut predicted.track, pose))?)
    })
}

/// Takes the result of a tick. Call it in every tick.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_predicted_track_push(
    predicted: portamento_predicted_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(predicted, pose, PredictedTrack::push) }
}

/// Jumps to `pose` (spawn, teleport, respawn): no place between is ever drawn.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_predicted_track_cut(
    predicted: portamento_predicted_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(predicted, pose, PredictedTrack::cut) }
}

/// Corrects the newest pose within its tick (a collision after the move).
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_predicted_track_correct(
    predicted: portamento_predicted_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(predicted, pose, PredictedTrack::correct) }
}

/// Replaces the newest pose by the server's (reconciliation without rollback): the truth jumps to `pose`, the picture
/// glides.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_predicted_track_reconcile(
    predicted: portamento_predicted_track,
    pose: *const portamento_pose64,
) -> portamento_status {
    // SAFETY: the caller's promise.
    unsafe { with_pose(predicted, pose, PredictedTrack::reconcile) }
}

/// Makes room for the saves of the last `count` ticks, 0 to 1024. Earlier saves are forgotten. It allocates.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_predicted_track_reserve_saves(
    predicted: portamento_predicted_track,
    count: u32,
) -> portamento_status {
    answer(|| {
        PREDICTED.with(predicted.id, |predicted| {
            predicted.saves = Saves::with_room(count, || predicted.track.ends().clone())?;
            Ok(())
        })?
    })
}

/// Saves the truth after tick number `tick`, for rollback. As many of the newest saves are kept as
/// `portamento_predicted_track_reserve_saves` made room for: without room it is `PORTAMENTO_FULL`.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_predicted_track_save(
    predicted: portamento_predicted_track,
    tick: u64,
) -> portamento_status {
    answer(|| {
        PREDICTED.with(predicted.id, |predicted| {
            let Predicted { track, saves } = &mut **predicted;
            saves.save(tick, |save| save.clone_from(track.ends()))
        })?
    })
}

/// Puts the truth back to what it was when `tick` was saved. Simulate the ticks since then with
/// `portamento_predicted_track_push` before the next frame; what differs from before glides. `PORTAMENTO_NOTHING` if
/// that tick was not saved, or is too long ago.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_predicted_track_restore(
    predicted: portamento_predicted_track,
    tick: u64,
) -> portamento_status {
    answer(|| {
        PREDICTED.with(predicted.id, |predicted| {
            predicted.track.restore(predicted.saves.get(tick)?.clone());
            Ok(())
        })?
    })
}

/// Moves the world's origin: adds `shift` to everything remembered, saves too, so that nothing moves on the
/// screen.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_predicted_track_rebase(
    predicted: portamento_predicted_track,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moved = unsafe { moved_by::<3>(shift) }?;
        let moved = |pose: &mut Pose64| moved(&mut pose.position);
        PREDICTED.with(predicted.id, |predicted| {
            predicted.track.rebase(moved);
            predicted.saves.change(|ends| ends.rebase(moved));
        })?;
        Ok(())
    })
}

/// Writes the truth: the newest pose pushed.
///
/// # Safety
/// `pose` points to a place for a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_predicted_track_truth(
    predicted: portamento_predicted_track,
    pose: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        let truth = PREDICTED.with(predicted.id, |predicted| *predicted.track.truth())?;
        // SAFETY: the caller's promise.
        unsafe { write(pose, truth.into(), "pose") }
    })
}

/// Writes the view at `moment` with the view of the frame before and whether a cut lies between. Call it once per frame.
///
/// # Safety
/// `moment` points to a moment, `drawn` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_predicted_track_draw(
    predicted: portamento_predicted_track,
    moment: *const portamento_moment,
    drawn: *mut portamento_drawn,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moment = unsafe { read(moment, "moment") }?.into();
        let draw = |predicted: &mut Box<Predicted>| predicted.track.draw(moment).into();
        // SAFETY: as above.
        unsafe { make(drawn, "drawn", || Ok(PREDICTED.with(predicted.id, draw)?)) }
    })
}

/// Writes how far the picture is from the truth.
///
/// # Safety
/// `size` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_predicted_track_offset(
    predicted: portamento_predicted_track,
    size: *mut portamento_offset_size,
) -> portamento_status {
    answer(|| {
        let offset = PREDICTED.with(predicted.id, |predicted| predicted.track.offset())?;
        // SAFETY: the caller's promise.
        unsafe { write(size, offset.into(), "size") }
    })
}

/// Makes a visual offset of zero, for jumps of a truth that you draw yourself.
///
/// # Safety
/// `offset` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_visual_offset_new(
    offset: *mut portamento_visual_offset,
) -> portamento_status {
    let new = || Ok(portamento_visual_offset { id: OFFSETS.insert(VisualOffset::default())? });
    // SAFETY: the caller's promise.
    answer(|| unsafe { make(offset, "offset", new) })
}

/// Frees a visual offset.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_visual_offset_free(offset: portamento_visual_offset) -> portamento_status {
    answer(|| Ok(OFFSETS.free(offset.id)?))
}

/// Hides a jump of the truth from `from` to `to`: the picture stays where it is, at most `limit` from the truth.
/// `absorbed` may be null; otherwise it receives what became of the jump.
///
/// # Safety
/// `from`, `to` and `limit` point to what their types say, `absorbed` to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_visual_offset_absorb(
    offset: portamento_visual_offset,
    from: *const portamento_pose64,
    to: *const portamento_pose64,
    limit: *const portamento_offset_size,
    absorbed: *mut portamento_absorbed,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let (from, to) = unsafe { (read(from, "from")?, read(to, "to")?) };
        let (from, to): (Pose64, Pose64) = (from.try_into()?, to.try_into()?);
        // SAFETY: as above.
        let limit = self::limit(unsafe { read(limit, "limit") }?)?;
        let became = OFFSETS.with(offset.id, |offset| offset.absorb(&from, &to, limit))?;
        let number = match became {
            Absorbed::Kept => PORTAMENTO_ABSORBED_KEPT,
            Absorbed::Partly => PORTAMENTO_ABSORBED_PARTLY,
            Absorbed::Snapped => PORTAMENTO_ABSORBED_SNAPPED,
        };
        // SAFETY: as above.
        unsafe { write_if_wanted(absorbed, number) };
        Ok(())
    })
}

/// Lets `seconds` pass: once per frame, `presented` of the frame's moment. `fading` may be null for the defaults.
///
/// # Safety
/// `fading` points to settings or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_visual_offset_fade(
    offset: portamento_visual_offset,
    seconds: f64,
    fading: *const portamento_offset_fading,
) -> portamento_status {
    answer(|| {
        let mut chosen = OffsetFading::CORRECTION;
        if !fading.is_null() {
            // SAFETY: not null, and the caller's promise.
            chosen = self::fading(unsafe { settings(fading, "fading") }?)?;
        }
        Ok(OFFSETS.with(offset.id, |offset| offset.fade(seconds, &chosen))?)
    })
}

/// Writes what is drawn for `truth`. `view` may be `truth`.
///
/// # Safety
/// `truth` points to a pose, `view` to a place for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_visual_offset_drawn(
    offset: portamento_visual_offset,
    truth: *const portamento_pose64,
    view: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let truth: Pose64 = unsafe { read(truth, "truth") }?.try_into()?;
        let drawn = OFFSETS.with(offset.id, |offset| offset.drawn(&truth))?;
        // SAFETY: as above.
        unsafe { write(view, drawn.into(), "view") }
    })
}

/// Puts the picture on the truth at once: after a cut.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_visual_offset_clear(offset: portamento_visual_offset) -> portamento_status {
    answer(|| Ok(OFFSETS.with(offset.id, |offset| *offset = VisualOffset::default())?))
}

/// Writes how far the picture is from the truth; zeros when it is exactly on it.
///
/// # Safety
/// `size` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_visual_offset_size(
    offset: portamento_visual_offset,
    size: *mut portamento_offset_size,
) -> portamento_status {
    answer(|| {
        let now = OFFSETS.with(offset.id, |offset| offset.size())?;
        // SAFETY: the caller's promise.
        unsafe { write(size, now.into(), "size") }
    })
}
