//! The camera behind a body.

use super::Value;
use crate::Source;
use crate::laws::finite;
use crate::saves::through_a_save;
use portamento::blend::{Pose64, Rotation};
use portamento::camera::{ChaseCamera, ChaseRule, ChaseSettings, Shot};
use portamento::{Drawn, Moment};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += 1;
        let Ok(mut camera) = ChaseCamera::new(settings(source)) else { continue };
        for _ in 0..48 {
            step(&mut camera, source);
            calls += 1;
        }
        if let Some(mut again) = through_a_save(&camera, source) {
            for _ in 0..12 {
                step(&mut again, source);
                calls += 1;
            }
        }
    }
    calls
}

fn settings(source: &mut Source) -> ChaseSettings {
    let usual = if source.flag() { ChaseSettings::y_up() } else { ChaseSettings::z_up() };
    let axis = |usual: [f64; 3], source: &mut Source| {
        if source.one_in(12) { [source.number(), source.number(), source.number()] } else { usual }
    };
    ChaseSettings {
        rule: source.of(&[ChaseRule::Smooth, ChaseRule::PerFrame]),
        rate: source.mostly(usual.rate),
        look_rate: source.mostly(usual.look_rate),
        up: axis(usual.up, source),
        ahead: axis(usual.ahead, source),
        lift: source.mostly(usual.lift),
        distance: source.mostly(usual.distance),
        pitch: source.mostly(usual.pitch),
        orbit: source.mostly(usual.orbit),
        fade: [source.mostly(usual.fade[0]), source.mostly(usual.fade[1])],
        height_hold: if source.flag() { None } else { Some(source.mostly(1.0)) },
        settle: source.mostly(usual.settle),
    }
}

fn target(source: &mut Source) -> Pose64 {
    if source.one_in(12) {
        let [x, y, z, w] = core::array::from_fn(|_| source.number() as f32);
        Pose64::new([source.number(), source.number(), source.number()], Rotation { x, y, z, w })
    } else {
        Pose64::any(source)
    }
}

fn step(camera: &mut ChaseCamera, source: &mut Source) {
    let presented = source.mostly(1.0 / 60.0);
    let shot = match source.below(20) {
        0 => {
            camera.cut();
            camera.shot()
        }
        1 => {
            let by = source.number();
            camera.rebase(|place| place[0] += by);
            camera.shot()
        }
        2 => {
            camera.release_height();
            camera.shot()
        }
        3 => {
            camera.set_look(source.number(), source.number());
            camera.shot()
        }
        4 => {
            let _ = camera.set_settings(settings(source));
            camera.shot()
        }
        5 => {
            let body = Pose64::any(source);
            let mut fresh = ChaseCamera::new(*camera.settings()).expect("settings in force");
            fresh.update(Moment::newest(0.0), body)
        }
        6..=8 => {
            let body = target(source);
            let wall = [source.number(), source.number(), source.number()];
            let open = source.flag();
            camera.update_with(Moment::newest(presented), body, |_, wanted| if open { wanted } else { wall })
        }
        _ => {
            let now = target(source);
            camera.update(Moment::newest(presented), Drawn { now, before: now, cut: source.one_in(10) })
        }
    };
    sane(&shot);
}

fn sane(shot: &Shot) {
    finite(&[shot.eye, shot.pivot, shot.forward]);
    finite(&shot.rotation);
    let length: f64 = shot.forward.iter().map(|c| c * c).sum();
    assert!((length - 1.0).abs() < 1e-3, "it looks nowhere: {shot:?}");
    let length2: f32 = shot.rotation.to_array().iter().map(|c| c * c).sum();
    assert!((length2 - 1.0).abs() < 1e-3, "{shot:?}");
    assert!((0.0..=1.0).contains(&shot.body_opacity), "{shot:?}");
}
