//! Cameras: one behind a body in 3D, one over a flat world.

use crate::border::{Numbers, done, made};
use crate::values::pose;
use portamento::camera::{
    ChaseCamera, ChaseRule, ChaseSettings, FollowCamera, FollowRule, FollowSettings, Framing, Rect, ScreenY,
    ShakeSettings, Shot,
};
use portamento::{Drawn, Presented, SettingError};

/// Writes the settings in their order: rule, rate, look_rate, up, ahead, lift, distance, pitch, orbit, fade,
/// height_hold (-1: none), settle.
#[unsafe(no_mangle)]
extern "C" fn chase_defaults(z_up: bool) {
    let settings = if z_up { ChaseSettings::z_up() } else { ChaseSettings::y_up() };
    let to = &mut Numbers::from_the_start();
    to.give_flag(settings.rule == ChaseRule::PerFrame);
    to.give_all([settings.rate, settings.look_rate]);
    to.give_all(settings.up);
    to.give_all(settings.ahead);
    to.give_all([settings.lift, settings.distance, settings.pitch, settings.orbit]);
    to.give_all(settings.fade);
    to.give_all([settings.height_hold.unwrap_or(-1.0), settings.settle]);
}

fn chase_settings() -> ChaseSettings {
    let from = &mut Numbers::from_the_start();
    ChaseSettings {
        rule: if from.take_flag() { ChaseRule::PerFrame } else { ChaseRule::Smooth },
        rate: from.take(),
        look_rate: from.take(),
        up: from.take_all(),
        ahead: from.take_all(),
        lift: from.take(),
        distance: from.take(),
        pitch: from.take(),
        orbit: from.take(),
        fade: from.take_all(),
        height_hold: Some(from.take()).filter(|&height| height != -1.0),
        settle: from.take(),
    }
}

#[unsafe(no_mangle)]
extern "C" fn chase_new() -> *mut ChaseCamera {
    made(ChaseCamera::new(chase_settings()))
}

#[unsafe(no_mangle)]
extern "C" fn chase_set(camera: &mut ChaseCamera) -> bool {
    done(camera.set_settings(chase_settings()))
}

#[unsafe(no_mangle)]
extern "C" fn chase_look(camera: &mut ChaseCamera, orbit: f64, pitch: f64) {
    camera.set_look(orbit, pitch);
}

/// 0 cut, 1 release the height, 2 rebase by three numbers.
#[unsafe(no_mangle)]
extern "C" fn chase_tell(camera: &mut ChaseCamera, what: u32) {
    match what {
        0 => camera.cut(),
        1 => camera.release_height(),
        _ => {
            let by = Numbers::from_the_start().take_all::<3>();
            camera.rebase(|place| *place = core::array::from_fn(|i| place[i] + by[i]));
        }
    }
}

fn give_shot(shot: &Shot) {
    let to = &mut Numbers::from_the_start();
    to.give_all(shot.eye);
    to.give_all(shot.forward);
    to.give_all(shot.rotation.to_array().map(f64::from));
    to.give_all(shot.pivot);
    to.give(f64::from(shot.body_opacity));
}

/// Takes what was drawn, then the eye's allowed place. 0: nothing is in its way. 1: writes where it wants to be, pivot
/// and eye, and leaves the camera unchanged. 2: the eye is put to the allowed place. False if a pose cannot be used.
#[unsafe(no_mangle)]
extern "C" fn chase_update(camera: &mut ChaseCamera, seconds: f64, step: u32) -> bool {
    let from = &mut Numbers::from_the_start();
    let (Some(now), Some(before)) = (pose(from), pose(from)) else { return false };
    let body = Drawn { now, before, cut: from.take_flag() };
    let allowed = from.take_all::<3>();
    let presented = Presented::from_seconds(seconds);
    if step == 1 {
        let mut wanted = ([0.0; 3], [0.0; 3]);
        let _ = camera.clone().update_with(presented, body, |pivot, eye| {
            wanted = (pivot, eye);
            eye
        });
        let to = &mut Numbers::from_the_start();
        to.give_all(wanted.0);
        to.give_all(wanted.1);
    } else {
        give_shot(&camera.update_with(presented, body, |_, eye| if step == 2 { allowed } else { eye }));
    }
    true
}

#[unsafe(no_mangle)]
extern "C" fn chase_shot(camera: &mut ChaseCamera) {
    give_shot(&camera.shot());
}

/// Writes the settings in their order: rule, its two numbers, viewport, origin, zoom, zoom_within, bounded, bounds,
/// dead_zone, look_ahead, fit_margin, ease_rate, y up, shake (reach, seconds, hz, seed, own_time), settle.
#[unsafe(no_mangle)]
extern "C" fn follow_defaults(width: f64, height: f64) {
    let settings = FollowSettings::new([width, height]);
    let rate = if let FollowRule::Smooth { rate } = settings.rule { rate } else { [8.0; 2] };
    let to = &mut Numbers::from_the_start();
    to.give(0.0);
    to.give_all(rate);
    to.give_all(settings.viewport);
    to.give_all(settings.origin);
    to.give(settings.zoom);
    to.give_all(settings.zoom_within);
    to.give_all([0.0; 5]);
    to.give_all(settings.dead_zone);
    to.give_all(settings.look_ahead);
    to.give_all([settings.fit_margin, settings.ease_rate]);
    to.give_flag(settings.y == ScreenY::Up);
    let shake = settings.shake;
    to.give_all([shake.reach, shake.seconds, shake.hz, shake.seed as f64]);
    to.give_flag(shake.own_time);
    to.give(settings.settle);
}

fn follow_settings() -> Result<FollowSettings, SettingError> {
    let from = &mut Numbers::from_the_start();
    let [rule, a, b] = from.take_all();
    let (viewport, origin) = (from.take_all(), from.take_all());
    let (zoom, zoom_within) = (from.take(), from.take_all());
    let bounded = from.take_flag();
    let (min, max) = (from.take_all(), from.take_all());
    Ok(FollowSettings {
        rule: match rule {
            0.0 => FollowRule::Smooth { rate: [a, b] },
            _ => FollowRule::Exponential { smoothing: a, speed: b },
        },
        viewport,
        origin,
        zoom,
        zoom_within,
        bounds: bounded.then_some(Rect { min, max }),
        dead_zone: from.take_all(),
        look_ahead: from.take_all(),
        fit_margin: from.take(),
        ease_rate: from.take(),
        y: if from.take_flag() { ScreenY::Up } else { ScreenY::Down },
        shake: ShakeSettings {
            reach: from.take(),
            seconds: from.take(),
            hz: from.take(),
            seed: from.take() as u64,
            own_time: from.take_flag(),
        },
        settle: from.take(),
    })
}

#[unsafe(no_mangle)]
extern "C" fn follow_new() -> *mut FollowCamera {
    made(follow_settings().and_then(FollowCamera::new))
}

#[unsafe(no_mangle)]
extern "C" fn follow_set(camera: &mut FollowCamera) -> bool {
    done(follow_settings().and_then(|settings| camera.set_settings(settings)))
}

fn give_framing(framing: &Framing) {
    Numbers::from_the_start().give_all([framing.centre[0], framing.centre[1], framing.zoom]);
}

/// Takes `targets` targets: now, before, and whether a cut lies between. With `all`, what shows them all.
#[unsafe(no_mangle)]
extern "C" fn follow_update(camera: &mut FollowCamera, seconds: f64, targets: u32, all: bool) {
    let presented = Presented::from_seconds(seconds);
    let mut from = Numbers::from_the_start();
    let mut target = || Drawn { now: from.take_all(), before: from.take_all(), cut: from.take_flag() };
    let framing = if targets == 0 {
        camera.update_free(presented)
    } else if all {
        camera.update_all(presented, (0..targets).map(|_| target()))
    } else {
        camera.update(presented, target())
    };
    give_framing(&framing);
}

/// 0 cut, 1 recentre, 2 rebase, 3 set_centre, 4 pan: the last three by two numbers.
#[unsafe(no_mangle)]
extern "C" fn follow_tell(camera: &mut FollowCamera, what: u32, x: f64, y: f64) {
    match what {
        0 => camera.cut(),
        1 => camera.recentre(),
        2 => camera.rebase(|place| *place = [place[0] + x, place[1] + y]),
        3 => camera.set_centre([x, y]),
        _ => camera.pan([x, y]),
    }
}

/// 0 zoom_to, 1 zoom_by; about a place on the screen if `about`.
#[unsafe(no_mangle)]
extern "C" fn follow_zoom(camera: &mut FollowCamera, by: bool, zoom: f64, about: bool, x: f64, y: f64) {
    let about = about.then_some([x, y]);
    if by { camera.zoom_by(zoom, about) } else { camera.zoom_to(zoom, about) }
}

#[unsafe(no_mangle)]
extern "C" fn follow_shake(camera: &mut FollowCamera, strength: f64) {
    camera.shake(strength);
}

#[unsafe(no_mangle)]
extern "C" fn follow_advance_shake(camera: &mut FollowCamera, seconds: f64) {
    give_framing(&camera.advance_shake(seconds));
}

#[unsafe(no_mangle)]
extern "C" fn follow_framing(camera: &mut FollowCamera) {
    give_framing(&camera.framing());
}
