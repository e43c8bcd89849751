//! The camera over a flat world.

use crate::Source;
use crate::laws::finite;
use crate::saves::through_a_save;
use portamento::camera::{FollowCamera, FollowRule, FollowSettings, Framing, Rect, ScreenY, ShakeSettings};
use portamento::{Drawn, Moment, Presented};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += 1;
        let Ok(mut camera) = FollowCamera::new(settings(source)) else { continue };
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

fn rect(source: &mut Source) -> Option<Rect> {
    let (a, b) = ([source.place(), source.place()], [source.place(), source.place()]);
    let max = [b[0] + 100.0, b[1] + 100.0];
    (0..2).all(|i| a[i] <= max[i]).then_some(Rect { min: a, max })
}

fn settings(source: &mut Source) -> FollowSettings {
    let usual = FollowSettings::new([source.mostly(640.0), source.mostly(360.0)]);
    let rule = if source.flag() {
        FollowRule::Smooth { rate: [source.mostly(8.0), source.mostly(8.0)] }
    } else {
        FollowRule::Exponential { smoothing: source.mostly(0.9), speed: source.mostly(1.0) }
    };
    FollowSettings {
        rule,
        origin: [source.mostly(0.0), source.mostly(0.0)],
        zoom: source.mostly(1.0),
        bounds: if source.flag() { rect(source) } else { None },
        dead_zone: [source.mostly(20.0), source.mostly(0.0)],
        look_ahead: [source.mostly(0.3), source.mostly(0.0)],
        fit_margin: source.mostly(48.0),
        ease_rate: source.mostly(3.0),
        y: source.of(&[ScreenY::Up, ScreenY::Down]),
        shake: ShakeSettings {
            reach: source.mostly(16.0),
            seconds: source.mostly(0.6),
            hz: source.mostly(20.0),
            seed: source.bits(),
            own_time: source.flag(),
        },
        settle: source.mostly(usual.settle),
        ..usual
    }
}

fn target(source: &mut Source) -> [f64; 2] {
    if source.one_in(12) { [source.number(), source.number()] } else { [source.place(), source.place()] }
}

fn about(source: &mut Source) -> Option<[f64; 2]> {
    source.flag().then(|| [source.mostly(100.0), source.mostly(50.0)])
}

fn step(camera: &mut FollowCamera, source: &mut Source) {
    let presented = source.mostly(1.0 / 60.0);
    let framing = match source.below(24) {
        0 => camera.update_free(Presented::from_seconds(presented)),
        1 | 2 => {
            let targets: Vec<_> = (0..source.below(5)).map(|_| target(source)).collect();
            camera.update_all(Moment::newest(presented), targets)
        }
        3 => camera.advance_shake(presented),
        4 => {
            camera.shake(source.mostly(0.5));
            camera.framing()
        }
        5 => {
            camera.zoom_to(source.mostly(2.0), about(source));
            camera.framing()
        }
        6 => {
            camera.zoom_by(source.mostly(1.1), about(source));
            camera.framing()
        }
        7 => {
            camera.zoom_to(camera.settings().zoom * source.mostly(2.0), about(source));
            camera.framing()
        }
        8 => {
            camera.pan(target(source));
            camera.framing()
        }
        9 => {
            camera.set_centre(target(source));
            camera.framing()
        }
        10 => {
            camera.recentre();
            camera.framing()
        }
        11 => {
            camera.cut();
            camera.framing()
        }
        12 => {
            let by = target(source);
            camera.rebase(|place| {
                place[0] += by[0];
                place[1] += by[1];
            });
            camera.framing()
        }
        13 => {
            let _ = camera.set_settings(settings(source));
            camera.framing()
        }
        _ => {
            let now = target(source);
            camera.update(Moment::newest(presented), Drawn { now, before: now, cut: source.one_in(10) })
        }
    };
    sane(&framing);
}

fn sane(framing: &Framing) {
    finite(&framing.centre);
    finite(&framing.to_world(framing.origin));
    assert!(framing.zoom > 0.0 && framing.zoom.is_finite(), "{framing:?}");
    let Rect { min, max } = framing.visible();
    finite(&[min, max]);
    assert!(min[0] <= max[0] && min[1] <= max[1], "{framing:?}");
}
