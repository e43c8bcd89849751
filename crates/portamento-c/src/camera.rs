//! Cameras: one behind a body in 3D, one over a flat world.

use crate::pointers::{Sized32, make, read, settings, write};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{finite, portamento_drawn};
use core::ffi::c_void;
use portamento::blend::Pose64;
use portamento::camera::{
    ChaseCamera, ChaseRule, ChaseSettings, FollowCamera, FollowRule, FollowSettings, Framing, Rect, ScreenY,
    Shot,
};
use portamento::{Drawn, Presented};
use portamento_status::{PORTAMENTO_BAD_VALUE, PORTAMENTO_OK};

/// A camera behind and above a body. Make it with `portamento_chase_new`, free it with `portamento_chase_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_chase {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// Settings of a chase camera. Fill it with `portamento_chase_settings_default`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_chase_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// 0: solved exactly, the same lag at every frame rate. 1: `rate * dt` of the way in each frame.
    pub rule: u32,
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
            rule: u32::from(settings.rule == ChaseRule::PerFrame),
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
                0 => ChaseRule::Smooth,
                1 => ChaseRule::PerFrame,
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

/// Fills `settings` with the defaults: `z_up` 0 for a world where y is up and bodies face -z, 1 for one where z is up and
/// bodies face +y.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_settings_default(
    z_up: u32,
    settings: *mut portamento_chase_settings,
) -> portamento_status {
    let defaults = if z_up == 0 { ChaseSettings::y_up() } else { ChaseSettings::z_up() };
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, defaults.into(), "settings") })
}

/// Makes a chase camera. Its first update puts it in place.
///
/// # Safety
/// `settings` points to settings, `camera` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_new(
    settings: *const portamento_chase_settings,
    camera: *mut portamento_chase,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let made = ChaseCamera::new(unsafe { self::settings(settings, "settings") }?.try_into()?)?;
        // SAFETY: as above.
        unsafe { make(camera, "camera", || Ok(portamento_chase { id: CHASES.insert(made)? })) }
    })
}

/// Frees a chase camera.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_chase_free(camera: portamento_chase) -> portamento_status {
    answer(|| Ok(CHASES.free(camera.id)?))
}

/// Replaces the settings; the camera goes on from where it is.
///
/// # Safety
/// `settings` points to settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_chase_set(
    camera: portamento_chase,
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
pub extern "C" fn portamento_chase_look(
    camera: portamento_chase,
    orbit: f64,
    pitch: f64,
) -> portamento_status {
    answer(|| Ok(CHASES.with(camera.id, |camera| camera.set_look(orbit, pitch))?))
}

/// Starts anew at the target in the next update.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_chase_cut(camera: portamento_chase) -> portamento_status {
    answer(|| Ok(CHASES.with(camera.id, ChaseCamera::cut)?))
}

/// Follows `body` through a frame in which the picture advanced by `seconds`: `presented` of the frame's moment.
/// `collide` may be null; otherwise it keeps the eye out of walls and is handed `user`.
///
/// # Safety
/// `body` points to what was drawn, `shot` to a place for the result; `collide` can be called with `user`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn portamento_chase_update(
    camera: portamento_chase,
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

/// A camera over a flat world. Make it with `portamento_follow_new`, free it with `portamento_follow_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_follow {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// Settings of a follow camera. Fill it with `portamento_follow_settings_default`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_follow_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// 1 if the world's y runs up on the screen, 0 if down.
    pub y_up: u32,
    /// How fast the centre closes its distance, per second, along each axis; infinite is rigid.
    pub rate: [f64; 2],
    /// Width and height of the viewport in pixels.
    pub viewport: [f64; 2],
    /// The viewport's upper left corner in the window, for a split screen.
    pub origin: [f64; 2],
    /// Pixels per unit of the world.
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
    /// 1 if nothing beyond the bounds may show.
    pub bounded: u32,
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
        let Rect { min, max, .. } = framing.visible();
        Self {
            centre: framing.centre,
            offset: framing.offset(),
            visible_min: min,
            visible_max: max,
            zoom: framing.zoom,
        }
    }
}

fn follow_settings(from: portamento_follow_settings) -> Result<FollowSettings, Failure> {
    let bounds = match from.bounded {
        0 => None,
        _ => Some(Rect::new(from.bounds_min, from.bounds_max)?),
    };
    Ok(FollowSettings {
        rule: FollowRule::Smooth { rate: from.rate },
        origin: from.origin,
        zoom: from.zoom,
        zoom_within: from.zoom_within,
        bounds,
        dead_zone: from.dead_zone,
        look_ahead: from.look_ahead,
        y: if from.y_up == 0 { ScreenY::Down } else { ScreenY::Up },
        ..FollowSettings::new(from.viewport)
    })
}

/// Fills `settings` with the defaults for a screen of `width` by `height` pixels.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_settings_default(
    width: f64,
    height: f64,
    settings: *mut portamento_follow_settings,
) -> portamento_status {
    answer(|| {
        let defaults = FollowSettings::new([width, height]);
        let made = portamento_follow_settings {
            size: size_of::<portamento_follow_settings>() as u32,
            y_up: 0,
            rate: [8.0; 2],
            viewport: defaults.viewport,
            origin: defaults.origin,
            zoom: defaults.zoom,
            zoom_within: defaults.zoom_within,
            bounds_min: [0.0; 2],
            bounds_max: [0.0; 2],
            dead_zone: defaults.dead_zone,
            look_ahead: defaults.look_ahead,
            bounded: 0,
            reserved: 0,
        };
        // SAFETY: the caller's promise.
        unsafe { write(settings, made, "settings") }
    })
}

/// Makes a follow camera. Its first update puts it over the target.
///
/// # Safety
/// `settings` points to settings, `camera` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_new(
    settings: *const portamento_follow_settings,
    camera: *mut portamento_follow,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let made = FollowCamera::new(follow_settings(unsafe { self::settings(settings, "settings") }?)?)?;
        // SAFETY: as above.
        unsafe { make(camera, "camera", || Ok(portamento_follow { id: FOLLOWS.insert(made)? })) }
    })
}

/// Frees a follow camera.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_follow_free(camera: portamento_follow) -> portamento_status {
    answer(|| Ok(FOLLOWS.free(camera.id)?))
}

/// Replaces the settings; the camera goes on from where it is.
///
/// # Safety
/// `settings` points to settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_set(
    camera: portamento_follow,
    settings: *const portamento_follow_settings,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let settings = follow_settings(unsafe { self::settings(settings, "settings") }?)?;
        Ok(FOLLOWS.with(camera.id, |camera| camera.set_settings(settings))??)
    })
}

/// Follows a target drawn at `place` through a frame in which the picture advanced by `seconds`: `presented` of the
/// frame's moment. `cut` is 1 if the target jumped.
///
/// # Safety
/// `place` points to two numbers, `framing` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_update(
    camera: portamento_follow,
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

/// Zooms to `zoom` pixels per unit. The place of the world under `about`, a point of the screen, stays there; null is the
/// middle.
///
/// # Safety
/// `about` points to two numbers or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_zoom_to(
    camera: portamento_follow,
    zoom: f64,
    about: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let about =
            if about.is_null() { None } else { Some(unsafe { read(about.cast::<[f64; 2]>(), "about") }?) };
        Ok(FOLLOWS.with(camera.id, |camera| camera.zoom_to(zoom, about))?)
    })
}

/// Shakes the picture: `strength` from 0 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_follow_shake(camera: portamento_follow, strength: f64) -> portamento_status {
    answer(|| Ok(FOLLOWS.with(camera.id, |camera| camera.shake(strength))?))
}

/// Starts anew over the target in the next update.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_follow_cut(camera: portamento_follow) -> portamento_status {
    answer(|| Ok(FOLLOWS.with(camera.id, FollowCamera::cut)?))
}

/// Converts a point of the screen into a place of the world, by the picture last drawn: what a click means.
///
/// # Safety
/// `screen` points to two numbers, `world` to a place for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_follow_to_world(
    camera: portamento_follow,
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
