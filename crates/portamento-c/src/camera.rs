//! Cameras: one behind a body in 3D, one over a flat world.

use crate::pointers::{Sized32, Strided, make, read, settings, write};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{finite, moved_by, portamento_drawn};
use core::ffi::c_void;
use portamento::blend::Pose64;
use portamento::camera::{
    CameraCounts, ChaseCamera, ChaseRule, ChaseSettings, FollowCamera, FollowRule, FollowSettings, Framing,
    Rect, ScreenY, ShakeSettings, Shot,
};
use portamento::{Drawn, Presented};
use portamento_status::{PORTAMENTO_BAD_VALUE, PORTAMENTO_OK};

/// A camera behind and above a body. Make it with `portamento_chase_camera_new`, free it with `portamento_chase_camera_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_chase_camera {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// How a chase camera moves: the constants below.
pub type portamento_chase_rule = u32;
/// Solved exactly: the same lag at every frame rate.
pub const PORTAMENTO_CHASE_RULE_SMOOTH: portamento_chase_rule = 0;
/// `rate * dt` of the way in each frame.
pub const PORTAMENTO_CHASE_RULE_PER_FRAME: portamento_chase_rule = 1;

/// Settings of a chase camera. Fill it with `portamento_chase_settings_y_up` or `_z_up`, then change
/// what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_chase_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// How it moves.
    pub rule: portamento_chase_rule,
    /// How fast the position closes its distance, per second; infinite is rigid.
    pub rate: f64,
    /// The same for heading and pitch; infinite for mouse look.
    pub look_rate: f64,
    /// Which way is up.
    pub up: [f64; 3],
    /// Which way a body faces before any rotation.
    pub ahead: [f64; 3],
    /// Height of the look-at point above the body's position.
    pub lift: f64,
    /// From that point to the eye; 0 for first person.
    pub distance: f64,
    /// Radians that the camera looks down.
    pub pitch: f64,
    /// Angle in radians between the camera and straight behind, counterclockwise seen from above.
    pub orbit: f64,
    /// Two distances from the eye: up to the first the body is invisible, from the second on fully visible.
    pub fade: [f64; 2],
    /// While the body rises, the camera keeps its height until the body is this much higher; negative: it follows both
    /// ways.
    pub height_hold: f64,
    /// The last of the way is taken in one step when no more than this is left and the target stands still.
    pub settle: f64,
}

impl Sized32 for portamento_chase_settings {}

/// Where a chase camera is in one frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_shot {
    /// Where the eye is, after collision.
    pub eye: [f64; 3],
    /// The direction it looks in, a unit vector.
    pub forward: [f64; 3],
    /// The point of the body that it follows.
    pub pivot: [f64; 3],
    /// The direction as a unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// How much of the body to show: 0 (the eye is in it) to 1.
    pub body_opacity: f32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// What a camera was given and could not use. The counts never shrink.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_camera_counts {
    /// Targets with a number that is not finite, or farther out than 1e150: the camera stayed as it was.
    pub targets: u64,
    /// Frames whose time was NaN, infinite or negative: nothing moved.
    pub times: u64,
    /// Places from the collision callback that were not finite, or farther out: the camera went where it wanted to.
    pub places: u64,
    /// Requests (a shake, a zoom, a rebase) with a number that is not finite, or that lead farther out.
    pub requests: u64,
}

impl From<CameraCounts> for portamento_camera_counts {
    fn from(CameraCounts { targets, times, places, requests }: CameraCounts) -> Self {
        Self { targets, times, places, requests }
    }
}

/// Keeps the eye out of walls: `eye` holds the place that the camera wants to be at; change it to the place allowed.
/// `pivot` is the look-at point. The camera is not in use while this function runs, so it may leave by `longjmp` or an
/// exception: the camera then stays as it was.
pub type portamento_collide =
    Option<unsafe extern "C-unwind" fn(user: *mut c_void, pivot: *const f64, eye: *mut f64)>;

static CHASES: Table<ChaseCamera> = Table::new(4);

impl From<Shot> for portamento_shot {
    fn from(shot: Shot) -> Self {
        let Shot { eye, forward, rotation, pivot, body_opacity, .. } = shot;
        Self { eye, forward, pivot, rotation: rotation.to_array(), body_opacity, reserved: 0 }
    }
}

impl From<ChaseSettings> for portamento_chase_settings {
    fn from(settings: ChaseSettings) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            rule: match settings.rule {
                ChaseRule::PerFrame => PORTAMENTO_CHASE_RULE_PER_FRAME,
                _ => PORTAMENTO_CHASE_RULE_SMOOTH,
            },
            rate: settings.rate,
            look_rate: settings.look_rate,
            up: settings.up,
            ahead: settings.ahead,
            lift: settings.lift,
            distance: settings.distance,
            pitch: settings.pitch,
            orbit: settings.orbit,
            fade: settings.fade,
            height_hold: settings.height_hold.unwrap_or(-1.0),
            settle: settings.settle,
        }
    }
}

impl TryFrom<portamento_chase_settings> for ChaseSettings {
    type Error = Failure;

    fn try_from(settings: portamento_chase_settings) -> Result<Self, Failure> {
        Ok(Self {
            rule: match settings.rule {
                PORTAMENTO_CHASE_RULE_SMOOTH => ChaseRule::Smooth,
                PORTAMENTO_CHASE_RULE_PER_FRAME => ChaseRule::PerFrame,
                other => return Err(no_such("rule", other, "0 or 1")),
            },
            rate: settings.rate,
            look_rate: settings.look_rate,
            up: settings.up,
            ahead: settings.ahead,
            lift: settings.lift,
            distance: settings.distance,
            pitch: settings.pitch,
            orbit: settings.orbit,
            fade: settings.fade,
            height_hold: (settings.height_hold >= 0.0).then_some(settings.height_hold),
            settle: settings.settle,
        })
    }
}

pub(crate) fn no_such(what: &str, given: u32, allowed: &str) -> Failure {
    Failure::new(PORTAMENTO_BAD_VALUE, format_args!("{what} is {given}: give {allowed}"))
}

/// Fills `settings` with the defaults for a world where y is up and bodies face -z.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_settings_y_up(
    settings: *mut portamento_chase_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, ChaseSettings::y_up().into(), "settings") })
}

/// Fills `settings` with the defaults for a world where z is up and bodies face +y.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_settings_z_up(
    settings: *mut portamento_chase_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, ChaseSettings::z_up().into(), "settings") })
}

/// Makes a chase camera. Its first update puts it in place.
///
/// # Safety
/// `settings` points to settings, `camera` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_camera_new(
    settings: *const portamento_chase_settings,
    camera: *mut portamento_chase_camera,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let made = ChaseCamera::new(unsafe { self::settings(settings, "settings") }?.try_into()?)?;
        // SAFETY: as above.
        unsafe { make(camera, "camera", || Ok(portamento_chase_camera { id: CHASES.insert(made)? })) }
    })
}

/// Frees a chase camera.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_chase_camera_free(camera: portamento_chase_camera) -> portamento_status {
    answer(|| Ok(CHASES.free(camera.id)?))
}

/// Replaces the settings; the camera goes on from where it is.
///
/// # Safety
/// `settings` points to settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_camera_set_settings(
    camera: portamento_chase_camera,
    settings: *const portamento_chase_settings,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let settings = unsafe { self::settings(settings, "settings") }?.try_into()?;
        Ok(CHASES.with(camera.id, |camera| camera.set_settings(settings))??)
    })
}

/// Turns the camera: `orbit` and `pitch` in radians, as the mouse says. With an infinite `look_rate` it shows at once.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_chase_camera_set_look(
    camera: portamento_chase_camera,
    orbit: f64,
    pitch: f64,
) -> portamento_status {
    answer(|| Ok(CHASES.with(camera.id, |camera| camera.set_look(orbit, pitch))?))
}

/// Starts anew at the target in the next update.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_chase_camera_cut(camera: portamento_chase_camera) -> portamento_status {
    answer(|| Ok(CHASES.with(camera.id, ChaseCamera::cut)?))
}

/// Moves the world's origin: adds `shift` to everything remembered. Give the same shift to every track.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_camera_rebase(
    camera: portamento_chase_camera,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moved = unsafe { moved_by::<3>(shift) }?;
        Ok(CHASES.with(camera.id, |camera| camera.rebase(moved))?)
    })
}

/// Reports that the body has landed: with `height_hold` of the settings, the camera may come up to it now.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_chase_camera_release_height(
    camera: portamento_chase_camera,
) -> portamento_status {
    answer(|| Ok(CHASES.with(camera.id, ChaseCamera::release_height)?))
}

/// Writes the settings in force: `orbit` and `pitch` are where looking has brought them.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_camera_settings(
    camera: portamento_chase_camera,
    settings: *mut portamento_chase_settings,
) -> portamento_status {
    answer(|| {
        let now = CHASES.with(camera.id, |camera| *camera.settings())?;
        // SAFETY: the caller's promise.
        unsafe { write(settings, now.into(), "settings") }
    })
}

/// Writes what could not be used.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_camera_get_counts(
    camera: portamento_chase_camera,
    counts: *mut portamento_camera_counts,
) -> portamento_status {
    answer(|| {
        let now = CHASES.with(camera.id, |camera| camera.counts())?;
        // SAFETY: the caller's promise.
        unsafe { write(counts, now.into(), "counts") }
    })
}

/// Follows `body` through a frame in which the picture advanced by `seconds`: `presented` of the frame's moment.
/// `collide` may be null; otherwise it keeps the eye out of walls and is handed `user`.
///
/// # Safety
/// `body` points to what was drawn, `shot` to a place for the result; `collide` can be called with `user`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn portamento_chase_camera_update(
    camera: portamento_chase_camera,
    seconds: f64,
    body: *const portamento_drawn,
    collide: portamento_collide,
    user: *mut c_void,
    shot: *mut portamento_shot,
) -> portamento_status {
    let mut allowed = None;
    if let Some(collide) = collide {
        // Where it wants to be is tried on a copy, so that the camera is free while the callback runs.
        let mut wanted = ([0.0; 3], [0.0; 3]);
        let tried = answer(|| {
            // SAFETY: the caller's promise.
            let body: Drawn<Pose64> = unsafe { read(body, "body") }?.try_into()?;
            let mut copy = CHASES.with(camera.id, |camera| camera.clone())?;
            copy.update_with(Presented::from_seconds(seconds), body, |pivot, eye| {
                wanted = (pivot, eye);
                eye
            });
            Ok(())
        });
        if tried != PORTAMENTO_OK {
            return tried;
        }
        // SAFETY: the caller's promise. Nothing here needs to be dropped, so it may also leave another way.
        unsafe { collide(user, wanted.0.as_ptr(), wanted.1.as_mut_ptr()) };
        allowed = Some(wanted.1);
    }
    answer(|| {
        // SAFETY: the caller's promise.
        let body: Drawn<Pose64> = unsafe { read(body, "body") }?.try_into()?;
        if shot.is_null() {
            return Err(Failure::null("shot"));
        }
        let result = CHASES.with(camera.id, |camera| {
            camera.update_with(Presented::from_seconds(seconds), body, |_, eye| allowed.unwrap_or(eye))
        })?;
        // SAFETY: as above.
        unsafe { write(shot, result.into(), "shot") }
    })
}

/// A camera over a flat world. Make it with `portamento_follow_camera_new`, free it with `portamento_follow_camera_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_follow_camera {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// How a follow camera moves: the constants below.
pub type portamento_follow_rule = u32;
/// Solved exactly, with `rate`: the same lag at every frame rate.
pub const PORTAMENTO_FOLLOW_RULE_SMOOTH: portamento_follow_rule = 0;
/// The usual rule, with `smoothing` and `speed`: a share of the way in each frame.
pub const PORTAMENTO_FOLLOW_RULE_EXPONENTIAL: portamento_follow_rule = 1;

/// Which way the world's y runs on the screen: the constants below.
pub type portamento_screen_y = u32;
/// Down, as pixels do.
pub const PORTAMENTO_SCREEN_Y_DOWN: portamento_screen_y = 0;
/// Up.
pub const PORTAMENTO_SCREEN_Y_UP: portamento_screen_y = 1;

/// How a picture shakes. The same seed, requests and times give the same shake.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_shake_settings {
    /// Screen pixels at full strength, along each axis.
    pub reach: f64,
    /// Seconds in which full strength fades to nothing.
    pub seconds: f64,
    /// Changes of direction per second, about.
    pub hz: f64,
    /// Another seed gives another shake.
    pub seed: u64,
    /// 1: the shake advances by `portamento_follow_camera_advance_shake`, so that it goes on while the game is paused.
    pub own_time: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// Settings of a follow camera. Fill it with `portamento_follow_settings_new`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_follow_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// How it moves.
    pub rule: portamento_follow_rule,
    /// `SMOOTH`: how fast the centre closes its distance, per second, along each axis; infinite is rigid.
    pub rate: [f64; 2],
    /// `EXPONENTIAL`: what is left of the way after a 60th of a second at speed 1, 0 to below 1.
    pub smoothing: f64,
    /// `EXPONENTIAL`: how many times as fast.
    pub speed: f64,
    /// Width and height of the viewport in pixels.
    pub viewport: [f64; 2],
    /// The viewport's upper left corner in the window, for a split screen.
    pub origin: [f64; 2],
    /// Pixels per unit of the world; while several targets are framed, the most.
    pub zoom: f64,
    /// The least and the most that zooming reaches.
    pub zoom_within: [f64; 2],
    /// The lower corner of the world, if `bounded` is 1.
    pub bounds_min: [f64; 2],
    /// The upper corner.
    pub bounds_max: [f64; 2],
    /// Width and height in pixels around the centre in which the target moves without moving the picture.
    pub dead_zone: [f64; 2],
    /// Seconds of its motion to look ahead of a moving target, along each axis.
    pub look_ahead: [f64; 2],
    /// Pixels kept free around several targets.
    pub fit_margin: f64,
    /// How fast everything else glides, per second: the look-ahead, the zoom back in when several targets come closer, the
    /// scroll to new bounds.
    pub ease_rate: f64,
    /// The last of the way is taken in one step when the target stands still and no more pixels than this are left.
    pub settle: f64,
    /// How the picture shakes.
    pub shake: portamento_shake_settings,
    /// 1 if nothing beyond the bounds may show.
    pub bounded: u32,
    /// Which way the world's y runs on the screen.
    pub y: portamento_screen_y,
}

/// One of several targets of a follow camera.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_follow_target {
    /// Where it was drawn: x, y.
    pub place: [f64; 2],
    /// 1 if it jumped.
    pub cut: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

impl Sized32 for portamento_follow_settings {}

/// One frame's picture of a flat world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_framing {
    /// The place of the world in the middle of the picture.
    pub centre: [f64; 2],
    /// The place of the world in the picture's corner: what to subtract when drawing.
    pub offset: [f64; 2],
    /// The lower corner of what is visible.
    pub visible_min: [f64; 2],
    /// The upper corner of what is visible.
    pub visible_max: [f64; 2],
    /// Pixels per unit of the world.
    pub zoom: f64,
}

static FOLLOWS: Table<FollowCamera> = Table::new(5);

impl From<Framing> for portamento_framing {
    fn from(framing: Framing) -> Self {
        let Rect { min, max } = framing.visible();
        let upper = if framing.y == ScreenY::Up { max[1] } else { min[1] };
        Self {
            centre: framing.centre,
            offset: [min[0], upper],
            visible_min: min,
            visible_max: max,
            zoom: framing.zoom,
        }
    }
}

impl From<FollowSettings> for portamento_follow_settings {
    fn from(from: FollowSettings) -> Self {
        let ShakeSettings { reach, seconds, hz, seed, own_time } = from.shake;
        let bounds = from.bounds.map_or([[0.0; 2]; 2], |bounds| [bounds.min, bounds.max]);
        let (rule, rate, smoothing, speed) = match from.rule {
            FollowRule::Exponential { smoothing, speed } => {
                (PORTAMENTO_FOLLOW_RULE_EXPONENTIAL, [8.0; 2], smoothing, speed)
            }
            FollowRule::Smooth { rate } => (PORTAMENTO_FOLLOW_RULE_SMOOTH, rate, 0.9, 1.0),
            _ => (PORTAMENTO_FOLLOW_RULE_SMOOTH, [8.0; 2], 0.9, 1.0),
        };
        Self {
            size: size_of::<Self>() as u32,
            rule,
            rate,
            smoothing,
            speed,
            viewport: from.viewport,
            origin: from.origin,
            zoom: from.zoom,
            zoom_within: from.zoom_within,
            bounds_min: bounds[0],
            bounds_max: bounds[1],
            dead_zone: from.dead_zone,
            look_ahead: from.look_ahead,
            fit_margin: from.fit_margin,
            ease_rate: from.ease_rate,
            settle: from.settle,
            shake: portamento_shake_settings {
                reach,
                seconds,
                hz,
                seed,
                own_time: own_time.into(),
                reserved: 0,
            },
            bounded: from.bounds.is_some().into(),
            y: if from.y == ScreenY::Up { PORTAMENTO_SCREEN_Y_UP } else { PORTAMENTO_SCREEN_Y_DOWN },
        }
    }
}

impl TryFrom<portamento_follow_settings> for FollowSettings {
    type Error = Failure;

    fn try_from(from: portamento_follow_settings) -> Result<Self, Failure> {
        let portamento_shake_settings { reach, seconds, hz, seed, own_time, .. } = from.shake;
        let bounds = match from.bounded {
            0 => None,
            _ => Some(Rect { min: from.bounds_min, max: from.bounds_max }),
        };
        Ok(Self {
            rule: match from.rule {
                PORTAMENTO_FOLLOW_RULE_SMOOTH => FollowRule::Smooth { rate: from.rate },
                PORTAMENTO_FOLLOW_RULE_EXPONENTIAL => {
                    FollowRule::Exponential { smoothing: from.smoothing, speed: from.speed }
                }
                other => return Err(no_such("rule", other, "0 or 1")),
            },
            viewport: from.viewport,
            origin: from.origin,
            zoom: from.zoom,
            zoom_within: from.zoom_within,
            bounds,
            dead_zone: from.dead_zone,
            look_ahead: from.look_ahead,
            fit_margin: from.fit_margin,
            ease_rate: from.ease_rate,
            y: match from.y {
                PORTAMENTO_SCREEN_Y_DOWN => ScreenY::Down,
                PORTAMENTO_SCREEN_Y_UP => ScreenY::Up,
                other => return Err(no_such("y", other, "0 or 1")),
            },
            shake: ShakeSettings { reach, seconds, hz, seed, own_time: own_time != 0 },
            settle: from.settle,
        })
    }
}

/// Fills `settings` with the defaults for a screen of `width` by `height` pixels.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_settings_new(
    width: f64,
    height: f64,
    settings: *mut portamento_follow_settings,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, FollowSettings::new([width, height]).into(), "settings") })
}

/// Makes a follow camera. Its first update puts it over the target.
///
/// # Safety
/// `settings` points to settings, `camera` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_new(
    settings: *const portamento_follow_settings,
    camera: *mut portamento_follow_camera,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let made = FollowCamera::new(unsafe { self::settings(settings, "settings") }?.try_into()?)?;
        // SAFETY: as above.
        unsafe { make(camera, "camera", || Ok(portamento_follow_camera { id: FOLLOWS.insert(made)? })) }
    })
}

/// Frees a follow camera.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_follow_camera_free(camera: portamento_follow_camera) -> portamento_status {
    answer(|| Ok(FOLLOWS.free(camera.id)?))
}

/// Replaces the settings; the camera goes on from where it is.
///
/// # Safety
/// `settings` points to settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_set_settings(
    camera: portamento_follow_camera,
    settings: *const portamento_follow_settings,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let settings = unsafe { self::settings(settings, "settings") }?.try_into()?;
        Ok(FOLLOWS.with(camera.id, |camera| camera.set_settings(settings))??)
    })
}

/// Follows a target drawn at `place` through a frame in which the picture advanced by `seconds`: `presented` of the
/// frame's moment. `cut` is 1 if the target jumped.
///
/// # Safety
/// `place` points to two numbers, `framing` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_update(
    camera: portamento_follow_camera,
    seconds: f64,
    place: *const f64,
    cut: u32,
    framing: *mut portamento_framing,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let place = unsafe { read(place.cast::<[f64; 2]>(), "place") }?;
        let body = Drawn { now: place, before: place, cut: cut != 0 };
        finite(place, "the target's place")?;
        let update = |camera: &mut FollowCamera| camera.update(Presented::from_seconds(seconds), body).into();
        // SAFETY: as above.
        unsafe { make(framing, "framing", || Ok(FOLLOWS.with(camera.id, update)?)) }
    })
}

/// Follows the middle of all `targets`, and zooms out from `zoom` of the settings as far as needed to show them all with
/// `fit_margin` around them. The picture jumps when all of them have jumped. `stride` is the distance from one to the next
/// in bytes, 0 for an array without gaps. Without a target the picture stays where it is.
///
/// # Safety
/// `targets` points to `count` targets, `stride` bytes apart, `framing` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_update_all(
    camera: portamento_follow_camera,
    seconds: f64,
    targets: *const portamento_follow_target,
    stride: usize,
    count: usize,
    framing: *mut portamento_framing,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let targets = unsafe { Strided::new(targets, stride, count, "targets") }?;
        let all = (0..count).map(|i| {
            // SAFETY: `i` is below `count`.
            let portamento_follow_target { place, cut, .. } = unsafe { targets.get(i) };
            Drawn { now: place, before: place, cut: cut != 0 }
        });
        for target in all.clone() {
            finite(target.now, "a target's place")?;
        }
        let update = |camera: &mut FollowCamera| camera.update_all(Presented::from_seconds(seconds), all);
        // SAFETY: as above.
        unsafe { make(framing, "framing", || Ok(FOLLOWS.with(camera.id, update)?.into())) }
    })
}

/// Follows nothing in this frame: the picture stays where it is, or where `portamento_follow_camera_pan` and
/// `portamento_follow_camera_set_centre` move it.
///
/// # Safety
/// `framing` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_update_free(
    camera: portamento_follow_camera,
    seconds: f64,
    framing: *mut portamento_framing,
) -> portamento_status {
    answer(|| {
        let update = |camera: &mut FollowCamera| camera.update_free(Presented::from_seconds(seconds)).into();
        // SAFETY: the caller's promise.
        unsafe { make(framing, "framing", || Ok(FOLLOWS.with(camera.id, update)?)) }
    })
}

/// Writes the picture last drawn.
///
/// # Safety
/// `framing` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_framing(
    camera: portamento_follow_camera,
    framing: *mut portamento_framing,
) -> portamento_status {
    answer(|| {
        let now = FOLLOWS.with(camera.id, |camera| camera.framing())?;
        // SAFETY: the caller's promise.
        unsafe { write(framing, now.into(), "framing") }
    })
}

/// Moves the middle of the picture to `centre`, x and y, at once, and forgets the motion before: the next frame starts
/// here.
///
/// # Safety
/// `centre` points to two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_set_centre(
    camera: portamento_follow_camera,
    centre: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let centre = unsafe { read(centre.cast::<[f64; 2]>(), "centre") }?;
        Ok(FOLLOWS.with(camera.id, |camera| camera.set_centre(centre))?)
    })
}

/// Moves the picture at once by these screen pixels, x and y, as a mouse drags it: what was under the pointer stays under
/// it. While a target is followed, the picture stays that far beside it until `portamento_follow_camera_recentre`.
///
/// # Safety
/// `pixels` points to two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_pan(
    camera: portamento_follow_camera,
    pixels: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pixels = unsafe { read(pixels.cast::<[f64; 2]>(), "pixels") }?;
        Ok(FOLLOWS.with(camera.id, |camera| camera.pan(pixels))?)
    })
}

/// Lets the picture glide back over its target after panning, and after zooming about a point.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_follow_camera_recentre(camera: portamento_follow_camera) -> portamento_status {
    answer(|| Ok(FOLLOWS.with(camera.id, FollowCamera::recentre)?))
}

/// Moves the world's origin: adds `shift`, x and y, to everything remembered, the bounds too. Give the same shift to every
/// track.
///
/// # Safety
/// `shift` points to two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_rebase(
    camera: portamento_follow_camera,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moved = unsafe { moved_by::<2>(shift) }?;
        Ok(FOLLOWS.with(camera.id, |camera| camera.rebase(moved))?)
    })
}

/// Writes the settings in force: `zoom` is where zooming has brought it.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_settings(
    camera: portamento_follow_camera,
    settings: *mut portamento_follow_settings,
) -> portamento_status {
    answer(|| {
        let now = FOLLOWS.with(camera.id, |camera| *camera.settings())?;
        // SAFETY: the caller's promise.
        unsafe { write(settings, now.into(), "settings") }
    })
}

/// Writes what could not be used.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_get_counts(
    camera: portamento_follow_camera,
    counts: *mut portamento_camera_counts,
) -> portamento_status {
    answer(|| {
        let now = FOLLOWS.with(camera.id, |camera| camera.counts())?;
        // SAFETY: the caller's promise.
        unsafe { write(counts, now.into(), "counts") }
    })
}

/// Zooms to `zoom` pixels per unit. The place of the world under `about`, a point of the screen, stays there; null is the
/// middle.
///
/// # Safety
/// `about` points to two numbers or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_zoom_to(
    camera: portamento_follow_camera,
    zoom: f64,
    about: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let about = unsafe { self::about(about) };
        Ok(FOLLOWS.with(camera.id, |camera| camera.zoom_to(zoom, about))?)
    })
}

/// Zooms in by `factor`, below 1 out. Otherwise as `portamento_follow_camera_zoom_to`.
///
/// # Safety
/// `about` points to two numbers or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_zoom_by(
    camera: portamento_follow_camera,
    factor: f64,
    about: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let about = unsafe { self::about(about) };
        Ok(FOLLOWS.with(camera.id, |camera| camera.zoom_by(factor, about))?)
    })
}

/// # Safety
/// `about` is null, or points to two numbers.
unsafe fn about(about: *const f64) -> Option<[f64; 2]> {
    // SAFETY: the caller's promise.
    (!about.is_null()).then(|| unsafe { about.cast::<[f64; 2]>().read_unaligned() })
}

/// Shakes the picture: `strength` from 0 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_follow_camera_shake(
    camera: portamento_follow_camera,
    strength: f64,
) -> portamento_status {
    answer(|| Ok(FOLLOWS.with(camera.id, |camera| camera.shake(strength))?))
}

/// Advances the shake by `seconds` of a clock of your own, and writes the picture. Call it once per frame, with `own_time`
/// of the shake's settings; without that it is refused and counted.
///
/// # Safety
/// `framing` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_advance_shake(
    camera: portamento_follow_camera,
    seconds: f64,
    framing: *mut portamento_framing,
) -> portamento_status {
    answer(|| {
        let advance = |camera: &mut FollowCamera| camera.advance_shake(seconds).into();
        // SAFETY: the caller's promise.
        unsafe { make(framing, "framing", || Ok(FOLLOWS.with(camera.id, advance)?)) }
    })
}

/// Starts anew over the target in the next update.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_follow_camera_cut(camera: portamento_follow_camera) -> portamento_status {
    answer(|| Ok(FOLLOWS.with(camera.id, FollowCamera::cut)?))
}

/// Converts a point of the screen into a place of the world, by the picture last drawn: what a click means.
///
/// # Safety
/// `screen` points to two numbers, `world` to a place for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_to_world(
    camera: portamento_follow_camera,
    screen: *const f64,
    world: *mut f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let screen = unsafe { read(screen.cast::<[f64; 2]>(), "screen") }?;
        let place = FOLLOWS.with(camera.id, |camera| camera.framing().to_world(screen))?;
        // SAFETY: as above.
        unsafe { write(world.cast::<[f64; 2]>(), place, "world") }
    })
}

/// Converts a place of the world into a point of the screen, by the picture last drawn: for labels and health bars.
///
/// # Safety
/// `world` points to two numbers, `screen` to a place for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_camera_to_screen(
    camera: portamento_follow_camera,
    world: *const f64,
    screen: *mut f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let world = unsafe { read(world.cast::<[f64; 2]>(), "world") }?;
        let point = FOLLOWS.with(camera.id, |camera| camera.framing().to_screen(world))?;
        // SAFETY: as above.
        unsafe { write(screen.cast::<[f64; 2]>(), point, "screen") }
    })
}
