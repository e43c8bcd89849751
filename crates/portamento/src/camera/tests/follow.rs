use super::{extreme, jittered, spread};
use crate::blend::Pose2;
use crate::camera::{
    FollowCamera, FollowRule, FollowSettings, Framing, IntoSubject, Rect, ScreenY, ShakeSettings,
};
use crate::step::{Frame, Stepper};
use crate::{Drawn, Moment, Track};
use proptest::prelude::*;

fn settings() -> FollowSettings {
    FollowSettings::new([800.0, 600.0])
}

fn camera(settings: FollowSettings) -> FollowCamera {
    FollowCamera::new(settings).unwrap()
}

fn frame(camera: &mut FollowCamera, seconds: f64, target: impl IntoSubject<[f64; 2]>) -> Framing {
    camera.update(Moment::newest(seconds), target)
}

fn bounds(min: [f64; 2], max: [f64; 2]) -> Option<Rect> {
    Some(Rect { min, max })
}

/// The exponential rule that closes 8 of the way per second.
fn eight_per_second() -> FollowRule {
    FollowRule::Exponential { smoothing: (-8.0f64 / 60.0).exp(), speed: 1.0 }
}

/// How far the centre stays behind a target at 10 units per second.
fn lag(settings: FollowSettings, frames_per_second: f64) -> f64 {
    let mut camera = camera(settings);
    let mut x = 0.0;
    frame(&mut camera, 0.0, [0.0, 0.0]);
    for _ in 0..(6.0 * frames_per_second) as usize {
        x += 10.0 / frames_per_second;
        frame(&mut camera, 1.0 / frames_per_second, [x, 0.0]);
    }
    x - camera.centre()[0]
}

#[test]
fn the_smooth_rule_lags_the_same_at_every_frame_rate_and_the_usual_one_does_not() {
    for frames_per_second in [30.0, 60.0, 144.0, 240.0] {
        assert!((lag(settings(), frames_per_second) - 1.25).abs() < 1e-4);
    }
    let usual = FollowSettings { rule: eight_per_second(), ..settings() };
    for (frames_per_second, behind) in [(30.0, 1.09), (144.0, 1.22)] {
        assert!((lag(usual, frames_per_second) - behind).abs() < 0.005, "{}", lag(usual, frames_per_second));
    }
}

#[test]
fn the_exponential_rule_is_its_formula() {
    for (smoothing, speed) in [(0.9, 1.0), (0.5, 2.0), (0.999, 0.3), (0.0, 1.0), (1e-9, 7.0)] {
        for dt in [1e-4, 1.0 / 144.0, 1.0 / 60.0, 0.1, 1.0] {
            let mut camera = camera(FollowSettings {
                rule: FollowRule::Exponential { smoothing, speed },
                settle: 0.0,
                ..settings()
            });
            frame(&mut camera, 0.0, [0.0, 0.0]);
            let x = frame(&mut camera, dt, [100.0, 0.0]).centre[0];
            let want = 100.0 * (1.0 - f64::powf(smoothing, dt * 60.0 * speed));
            assert!((x - want).abs() < 1e-10, "{smoothing} {speed} {dt}: {x} {want}");
        }
    }
}

/// How far a target at 10 units per second moves on the screen when frames are uneven.
fn shake_on_screen(rule: FollowRule) -> f64 {
    let mut camera = camera(FollowSettings { rule, ..settings() });
    let mut stepper = Stepper::fixed(60.0).unwrap();
    let mut body = Track::<[f32; 2]>::new([0.0; 2]);
    let mut seen = Vec::new();
    for (i, dt) in jittered(1.0 / 60.0, 0.3, 600).enumerate() {
        let Frame { ticks, moment, .. } = stepper.frame(dt);
        for tick in ticks {
            body.push([(10.0 * tick.time) as f32, 0.0]);
        }
        let body = body.draw(moment);
        let framing = camera.update(moment, body);
        if i > 300 {
            seen.push(framing.to_screen(body.now.map(f64::from)));
        }
    }
    spread(&seen)
}

#[test]
fn uneven_frames_do_not_shake_the_target() {
    let smooth = shake_on_screen(FollowRule::default());
    assert!(smooth < 1e-4, "{smooth}");
    let usual = shake_on_screen(eight_per_second());
    assert!(usual > 0.015, "the test can tell: {usual}");
}

#[test]
fn the_picture_comes_to_rest_on_the_exact_place_and_keeps_its_bits() {
    let target = [0.1 + 0.2, -7.7];
    let mut camera = camera(settings());
    frame(&mut camera, 0.0, [300.0, 20.0]);
    for dt in jittered(1.0 / 60.0, 0.3, 200) {
        frame(&mut camera, dt, target);
    }
    for dt in jittered(1.0 / 60.0, 0.3, 10_000) {
        assert_eq!(frame(&mut camera, dt, target).centre.map(f64::to_bits), target.map(f64::to_bits));
    }
}

#[test]
fn the_offset_is_the_centre_less_half_the_picture_at_every_zoom() {
    for (zoom, offset) in [(1.0, [-300.0, -250.0]), (2.0, [-100.0, -100.0]), (0.5, [-700.0, -550.0])] {
        let mut camera = camera(FollowSettings { zoom, ..settings() });
        assert_eq!(frame(&mut camera, 0.0, [100.0, 50.0]).visible().min, offset);
    }
}

#[test]
fn nothing_beyond_the_bounds_shows() {
    let mut camera = camera(FollowSettings { bounds: bounds([0.0, 0.0], [2000.0, 5000.0]), ..settings() });
    for (target, centre) in [
        ([0.0, 0.0], [400.0, 300.0]),
        ([1000.0, 299.0], [1000.0, 300.0]),
        ([1999.0, 9e9], [1600.0, 4700.0]),
        ([1600.0, 300.0], [1600.0, 300.0]),
    ] {
        camera.cut();
        assert_eq!(frame(&mut camera, 0.0, target).centre, centre);
    }
}

#[test]
fn a_world_smaller_than_the_picture_is_in_its_middle() {
    let mut camera = camera(FollowSettings { bounds: bounds([-10.0, 0.0], [90.0, 5000.0]), ..settings() });
    for x in [-500.0, 0.0, 77.0] {
        assert_eq!(frame(&mut camera, 0.02, [x, 1000.0]).centre[0], 40.0);
    }
}

#[test]
fn zooming_out_at_an_edge_keeps_the_picture_in_the_world() {
    let mut camera = camera(FollowSettings { bounds: bounds([0.0, 0.0], [2000.0, 2000.0]), ..settings() });
    frame(&mut camera, 0.0, [0.0, 0.0]);
    camera.zoom_to(0.5, None);
    let framing = frame(&mut camera, 1.0 / 60.0, [0.0, 0.0]);
    assert_eq!(framing.visible(), Rect { min: [0.0, 0.0], max: [1600.0, 1200.0] });
}

#[test]
fn within_the_dead_zone_nothing_moves() {
    let mut camera = camera(FollowSettings { dead_zone: [100.0, 60.0], zoom: 2.0, ..settings() });
    let rest = frame(&mut camera, 0.0, [0.0, 0.0]);
    for target in [[25.0, 15.0], [-25.0, -15.0], [0.1, 0.2], [24.9, -15.0]] {
        assert_eq!(frame(&mut camera, 0.05, target), rest);
    }
    assert!(frame(&mut camera, 0.05, [26.0, 0.0]).centre[0] > 0.0);
    for _ in 0..200 {
        frame(&mut camera, 0.05, [35.0, 0.0]);
    }
    assert_eq!(camera.centre(), [10.0, 0.0], "no farther than the zone's edge asks");
}

#[test]
fn a_dead_zone_adds_its_half_to_the_lag_at_every_frame_rate() {
    let zone = FollowSettings { dead_zone: [6.0, 6.0], ..settings() };
    for frames_per_second in [30.0, 60.0, 144.0, 240.0] {
        let lag = lag(zone, frames_per_second);
        assert!((lag - 4.25).abs() < 1e-4, "{lag}");
    }
}

#[test]
fn setting_the_centre_forgets_the_motion_before() {
    let mut moving = camera(settings());
    frame(&mut moving, 0.0, [0.0, 0.0]);
    for i in 1..60 {
        frame(&mut moving, 1.0 / 60.0, [i as f64 * 50.0, 0.0]);
    }
    let mut fresh = camera(settings());
    for camera in [&mut moving, &mut fresh] {
        camera.set_centre([500.0, 500.0]);
    }
    for _ in 0..10 {
        let target = [510.0, 500.0];
        assert_eq!(frame(&mut moving, 0.01, target), frame(&mut fresh, 0.01, target));
    }
}

#[test]
fn a_cut_is_followed_at_once() {
    let mut body = Track::<[f64; 2]>::new([0.0; 2]);
    let mut camera = camera(settings());
    let moment = Moment::at(0.5, 1.0 / 60.0);
    let _ = camera.update(moment, body.draw(moment));
    body.cut([900.0, -40.0]);
    assert_eq!(camera.update(moment, body.draw(moment)).centre, [900.0, -40.0]);
}

#[test]
fn a_shake_does_not_disturb_what_is_followed() {
    let (mut calm, mut shaken) = (camera(settings()), camera(settings()));
    let mut seen = 0;
    for i in 0..240 {
        if i == 30 || i == 60 {
            shaken.shake(0.8);
        }
        let target = [i as f64, (i as f64 * 0.1).sin() * 30.0];
        let (a, b) = (frame(&mut calm, 1.0 / 60.0, target), frame(&mut shaken, 1.0 / 60.0, target));
        assert_eq!(calm.centre().map(f64::to_bits), shaken.centre().map(f64::to_bits));
        seen += usize::from(a != b);
        if !(30..120).contains(&i) {
            assert_eq!(a, b, "a shake ends exactly");
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn a_shake_is_the_same_curve_at_every_frame_rate_and_in_every_run() {
    let at_a_tenth = |frames: usize, seed: u64| {
        let mut camera = camera(FollowSettings {
            shake: ShakeSettings { seed, ..ShakeSettings::default() },
            ..settings()
        });
        frame(&mut camera, 0.0, [0.0, 0.0]);
        camera.shake(1.0);
        for _ in 0..frames {
            frame(&mut camera, 0.1 / frames as f64, [0.0, 0.0]);
        }
        camera.framing().centre
    };
    let want = at_a_tenth(3, 1);
    assert!(want[0].abs() > 0.1 && want[0] != want[1]);
    for frames in [6, 14, 24] {
        let got = at_a_tenth(frames, 1);
        assert!((got[0] - want[0]).abs() < 1e-9 && (got[1] - want[1]).abs() < 1e-9, "{got:?} {want:?}");
    }
    assert_eq!(at_a_tenth(6, 1), at_a_tenth(6, 1));
    assert_ne!(at_a_tenth(6, 1), at_a_tenth(6, 2));
}

#[test]
fn zooming_about_a_point_keeps_what_is_under_it_at_every_frame_rate() {
    let plain = settings();
    let zone = FollowSettings { dead_zone: [90.0, 40.0], ..plain };
    let split = FollowSettings { origin: [640.0, 100.0], y: ScreenY::Up, ..plain };
    // At its left edge, where the target is not in the middle.
    let edge = FollowSettings { bounds: bounds([0.0, -9e3], [9e3, 9e3]), ..plain };
    for settings in [plain, zone, split, edge] {
        for frames_per_second in [20.0, 60.0, 144.0] {
            let dt = 1.0 / frames_per_second;
            let mut camera = camera(settings);
            let target = [100.0, 50.0];
            let mut drawn = frame(&mut camera, 0.0, [60.0, 40.0]);
            for _ in 0..2000 {
                drawn = frame(&mut camera, dt, target);
            }
            for (pointer, factor) in [([700.0, 20.0], 1.5), ([10.0, 0.0], 2.0), ([700.0, 500.0], 1.0 / 3.0)] {
                if factor < 1.0 && settings.bounds.is_some() {
                    continue; // farther out, it would show what is beyond the edge
                }
                let under = drawn.to_world(pointer);
                camera.zoom_by(factor, Some(pointer));
                for _ in 0..50 {
                    drawn = frame(&mut camera, dt, target);
                    let now = drawn.to_screen(under);
                    let off = (now[0] - pointer[0]).hypot(now[1] - pointer[1]);
                    assert!(off < 1e-6, "{off} pixels off, of {settings:?}");
                }
            }
            // And when the player wants it back, it glides back.
            let beside = drawn.centre;
            camera.recentre();
            let next = frame(&mut camera, dt, target).centre;
            assert!((next[0] - beside[0]).abs() < 0.5 * (target[0] - beside[0]).abs() + 1e-9);
        }
    }
}

#[test]
fn a_zoom_about_a_point_of_a_shaken_picture_keeps_it_too() {
    for y in [ScreenY::Down, ScreenY::Up] {
        let mut camera = camera(FollowSettings { y, ..settings() });
        frame(&mut camera, 0.0, [100.0, 50.0]);
        camera.shake(1.0); // the pointer is over the shaken picture
        let mut drawn = frame(&mut camera, 0.01, [100.0, 50.0]);
        let pointer = [700.0, 20.0];
        for factor in [1.5, 2.0, 0.25, 1.1] {
            let under = drawn.to_world(pointer);
            camera.zoom_by(factor, Some(pointer));
            // No time passes: the shake does not go on.
            drawn = frame(&mut camera, 0.0, [100.0, 50.0]);
            let now = drawn.to_world(pointer);
            let off = (now[0] - under[0]).abs().max((now[1] - under[1]).abs());
            assert!(off < 1e-9, "{under:?} {now:?}");
        }
    }
}

#[test]
fn zooming_in_and_out_about_one_point_leads_back() {
    let mut camera = camera(FollowSettings { dead_zone: [50.0, 50.0], ..settings() });
    frame(&mut camera, 0.0, [0.0, 0.0]);
    let before = frame(&mut camera, 0.01, [20.0, 7.0]);
    for factor in [1.7, 1.1, 1.0 / 1.1, 1.0 / 1.7] {
        camera.zoom_by(factor, Some([3.0, 555.0]));
        frame(&mut camera, 0.01, [20.0, 7.0]);
    }
    let after = camera.framing();
    assert!((0..2).all(|i| (after.centre[i] - before.centre[i]).abs() < 1e-9), "{before:?} {after:?}");
}

#[test]
fn after_a_zoom_about_a_point_the_target_is_followed_as_before() {
    let mut camera = camera(settings());
    let mut x = 0.0;
    let mut lag = 0.0;
    for i in 0..1200 {
        x += 5.0;
        let framing = frame(&mut camera, 1.0 / 60.0, [x, 0.0]);
        if i == 600 {
            lag = framing.to_screen([x, 0.0])[0];
            camera.zoom_by(2.0, Some([700.0, 300.0]));
        }
        // Off the pointer by no more than zooming leaves of the lag to make up for.
        if i > 900 {
            let shift = framing.to_screen([x, 0.0])[0] - lag;
            assert!((shift - camera.framing().to_screen([x, 0.0])[0] + lag).abs() < 1e-9);
        }
    }
    let standing = camera.framing().to_screen([x, 0.0]);
    let _ = frame(&mut camera, 1.0 / 60.0, [x + 5.0, 0.0]);
    let later = camera.framing().to_screen([x + 5.0, 0.0]);
    assert!((standing[0] - later[0]).abs() < 1e-6, "a constant place on the screen");
}

#[test]
fn a_change_of_bounds_scrolls() {
    let left = FollowSettings { bounds: bounds([0.0, 0.0], [1200.0, 2000.0]), ..settings() };
    for rule in [FollowRule::default(), FollowRule::Smooth { rate: [f64::INFINITY; 2] }, eight_per_second()] {
        let room = |settings| FollowSettings { rule, ..settings };
        let right = FollowSettings { bounds: bounds([0.0, 0.0], [2000.0, 2000.0]), ..settings() };
        let mut camera = camera(room(right));
        let target = [1900.0, 1000.0];
        let mut before = frame(&mut camera, 0.0, target).centre;
        assert_eq!(before, [1600.0, 1000.0]);
        camera.set_settings(room(left)).unwrap();
        for _ in 0..400 {
            let now = frame(&mut camera, 1.0 / 60.0, target).centre;
            assert!(now[0] <= before[0] && before[0] - now[0] < 800.0 * 0.06, "{before:?} {now:?}");
            before = now;
        }
        assert_eq!(before, [800.0, 1000.0]);
        // With a cut it jumps.
        camera.set_settings(room(right)).unwrap();
        camera.cut();
        assert_eq!(frame(&mut camera, 1.0 / 60.0, target).centre, [1600.0, 1000.0]);
        // Another size of the window is not another room.
        let half = FollowSettings { viewport: [400.0, 300.0], ..room(right) };
        camera.set_settings(half).unwrap();
        camera.set_settings(room(right)).unwrap();
        assert_eq!(frame(&mut camera, 0.0, target).visible().max[0], 2000.0);
    }
}

#[test]
fn each_axis_has_its_own_rate() {
    let rule = FollowRule::Smooth { rate: [8.0, 2.0] };
    for frames_per_second in [30.0, 60.0, 144.0] {
        let mut camera = camera(FollowSettings { rule, ..settings() });
        let mut t = 0.0;
        frame(&mut camera, 0.0, [0.0, 0.0]);
        for _ in 0..(12.0 * frames_per_second) as usize {
            t += 10.0 / frames_per_second;
            frame(&mut camera, 1.0 / frames_per_second, [t, t]);
        }
        let [x, y] = camera.centre();
        assert!((t - x - 10.0 / 8.0).abs() < 1e-4 && (t - y - 10.0 / 2.0).abs() < 1e-4, "{x} {y} {t}");
    }
}

/// How far behind its target the centre is, once everything has settled.
fn lag_with(settings: FollowSettings, speed: f64, frames: impl Iterator<Item = f64>) -> f64 {
    let mut camera = camera(settings);
    let mut x = 0.0;
    frame(&mut camera, 0.0, [0.0, 0.0]);
    for dt in frames {
        x += speed * dt;
        frame(&mut camera, dt, [x, 0.0]);
    }
    x - camera.centre()[0]
}

#[test]
fn the_picture_looks_ahead_of_a_moving_target() {
    let looks = |seconds| FollowSettings { look_ahead: [seconds, 0.0], ..settings() };
    for frames_per_second in [30.0, 60.0, 144.0] {
        let frames = || jittered(1.0 / frames_per_second, 0.3, (8.0 * frames_per_second) as usize);
        // 100 units a second: 12.5 behind, less 100 a second looked ahead.
        for seconds in [0.0, 0.125, 0.5] {
            let lag = lag_with(looks(seconds), 100.0, frames());
            assert!((lag - (12.5 - 100.0 * seconds)).abs() < 1e-3, "{seconds}: {lag}");
        }
        // However fast: no farther than a quarter of the viewport.
        let lag = lag_with(looks(9.0), 100.0, frames());
        assert!((lag - (12.5 - 200.0)).abs() < 1e-3, "{lag}");
    }
    // It comes back when the target stops, and rests on its exact place.
    let mut camera = camera(looks(0.5));
    for i in 0..300 {
        frame(&mut camera, 1.0 / 60.0, [f64::from(i) * 2.0, 0.0]);
    }
    let mut before = camera.centre()[0];
    assert!(before > 598.0 + 40.0);
    for _ in 0..600 {
        let now = frame(&mut camera, 1.0 / 60.0, [598.0, 0.0]).centre[0];
        assert!((now - before).abs() < 6.0, "it glides: {before} {now}");
        before = now;
    }
    assert_eq!(camera.centre(), [598.0, 0.0]);
    // A cut is no motion to look ahead of.
    let body = Drawn { now: [9000.0, 0.0], before: [598.0, 0.0], cut: true };
    assert_eq!(frame(&mut camera, 1.0 / 60.0, body).centre, [9000.0, 0.0]);
    assert_eq!(frame(&mut camera, 1.0 / 60.0, [9000.0, 0.0]).centre, [9000.0, 0.0]);
}

#[test]
fn several_targets_are_all_in_the_picture() {
    let mut camera = camera(settings());
    let moment = Moment::newest(1.0 / 60.0);
    let seen = |framing: Framing, margin: f64, places: &[[f64; 2]]| {
        places.iter().all(|&place| framing.sees(&Rect { min: place, max: place }, -margin / framing.zoom))
    };
    // Close together: in the middle, at the zoom of the settings.
    let framing = camera.update_all(moment, [[0.0, 0.0], [100.0, 60.0]]);
    assert_eq!((framing.centre, framing.zoom), ([50.0, 30.0], 1.0));
    // They run apart at 300 units a second each: all of the time both are seen.
    let (mut apart, mut zoom) = (100.0, 1.0);
    for _ in 0..300 {
        apart += 300.0 / 60.0;
        let places = [[50.0 - apart, 30.0], [50.0 + apart, 30.0]];
        let framing = camera.update_all(moment, places);
        assert!(seen(framing, 0.0, &places) && framing.zoom <= zoom, "{framing:?} {places:?}");
        zoom = framing.zoom;
    }
    // They stand: exactly fitted, with the margin, and at rest.
    let places = [[50.0 - apart, 30.0], [50.0 + apart, 30.0], [0.0, 33.0]];
    for _ in 0..600 {
        camera.update_all(moment, places);
    }
    let framing = camera.framing();
    assert!(seen(framing, 48.0 - 1e-6, &places) && !seen(framing, 48.1, &places), "{framing:?}");
    assert_eq!(camera.update_all(moment, places), framing);
    // What is under the mouse is found at this zoom too.
    let back = framing.to_screen(framing.to_world([123.0, 456.0]));
    assert!((back[0] - 123.0).abs() < 1e-9 && (back[1] - 456.0).abs() < 1e-9);
    // One leaves, and the picture glides; one target alone, and it is as ever.
    let alone = [50.0 + apart, 30.0];
    let mut before = framing;
    for _ in 0..900 {
        let now = camera.update(moment, alone);
        assert!(now.zoom >= before.zoom && now.zoom < before.zoom * 1.1, "{before:?} {now:?}");
        before = now;
    }
    assert_eq!((before.centre, before.zoom), (alone, 1.0));
    // No zoom below the least.
    let far = camera.update_all(moment, [[-1e149, 0.0], [1e149, 0.0]]);
    assert!(far.zoom >= 1.0 / 64.0 && far.centre.iter().all(|c| c.is_finite()));
}

#[test]
fn several_targets_jump_together_or_not_at_all() {
    let mut camera = camera(settings());
    let moment = Moment::newest(1.0 / 60.0);
    let target = |x: f64, cut| Drawn { now: [x, 0.0], before: [x, 0.0], cut };
    camera.update_all(moment, [target(0.0, true), target(100.0, true)]);
    let one = camera.update_all(moment, [target(0.0, false), target(500.0, true)]).centre[0];
    assert!(one > 50.0 && one < 100.0, "one of two jumps: {one}");
    let both = camera.update_all(moment, [target(9000.0, true), target(9100.0, true)]);
    assert_eq!(both.centre, [9050.0, 0.0]);
    let bad = camera.update_all(moment, [[f64::NAN, 0.0], [9050.0, 0.0]]);
    assert!(bad.centre[0] == 9050.0 && camera.counts().targets == 1);
}

#[test]
fn a_free_camera_stays_and_is_moved_by_hand() {
    let mut camera = camera(FollowSettings { zoom: 2.0, ..settings() });
    let moment = Moment::newest(1.0 / 60.0);
    frame(&mut camera, 0.0, [500.0, 0.0]);
    let fixed = camera.framing();
    for _ in 0..100 {
        assert_eq!(camera.update_free(moment), fixed, "fixed");
    }
    // A drag: what the pointer has hold of goes with it.
    let grip = fixed.to_world([400.0, 300.0]);
    camera.pan([60.0, -20.0]);
    let free = camera.update_free(moment);
    assert_eq!(free.to_screen(grip), [460.0, 280.0]);
    assert_eq!(camera.update_free(moment), free);
    // Someone to follow again: it glides there.
    let next = frame(&mut camera, 1.0 / 60.0, [500.0, 0.0]).centre[0];
    assert!(next > free.centre[0] && next < 480.0, "{next}");
    for _ in 0..300 {
        frame(&mut camera, 1.0 / 60.0, [500.0, 0.0]);
    }
    assert_eq!(camera.framing(), fixed);
    // Panned while following, it stays beside its target.
    camera.pan([60.0, 0.0]);
    for _ in 0..100 {
        assert_eq!(frame(&mut camera, 1.0 / 60.0, [500.0, 0.0]).to_screen([500.0, 0.0]), [460.0, 300.0]);
    }
    // A camera that has followed nothing yet.
    let mut fresh = self::camera(settings());
    assert_eq!(fresh.update_free(moment).centre, [0.0, 0.0]);
    fresh.set_centre([7.0, 8.0]);
    assert_eq!(fresh.update_free(moment).centre, [7.0, 8.0]);
}

#[test]
fn the_two_halves_of_a_split_screen_know_where_they_are() {
    let half = FollowSettings::new([400.0, 600.0]);
    let mut left = camera(half);
    let mut right = camera(FollowSettings { origin: [400.0, 0.0], ..half });
    let mut body = Track::<[f64; 2]>::new([10.0, 20.0]);
    let moment = Moment::newest(1.0 / 60.0);
    let drawn = body.draw(moment); // once, for both
    let (a, b) = (left.update(moment, drawn), right.update(moment, drawn));
    assert_eq!(a.to_screen([10.0, 20.0]), [200.0, 300.0]);
    assert_eq!(b.to_screen([10.0, 20.0]), [600.0, 300.0]);
    assert_eq!(b.to_world([600.0, 300.0]), [10.0, 20.0]);
    assert_eq!(a.visible(), b.visible());
    assert_eq!(b.to_pixel([10.0, 20.0]), [600, 300]);
}

#[test]
fn a_shake_on_its_own_time_goes_on_while_the_game_is_paused() {
    let shake = ShakeSettings { own_time: true, ..ShakeSettings::default() };
    let mut camera = camera(FollowSettings { shake, ..settings() });
    frame(&mut camera, 0.0, [0.0, 0.0]);
    camera.shake(1.0);
    let mut seen = Vec::new();
    for _ in 0..60 {
        frame(&mut camera, 0.0, [0.0, 0.0]); // paused
        seen.push(camera.advance_shake(1.0 / 60.0).centre);
        assert_eq!(camera.centre(), [0.0, 0.0]);
    }
    assert!(seen.windows(2).take(30).all(|pair| pair[0] != pair[1]), "it shakes");
    assert_eq!(seen[59], [0.0, 0.0], "and ends");
    // The same curve as one that goes by presented time.
    let mut other = self::camera(settings());
    frame(&mut other, 0.0, [0.0, 0.0]);
    other.shake(1.0);
    assert_eq!(other.advance_shake(1.0), other.framing(), "not without `own_time`");
    assert_eq!(other.counts().requests, 1);
    for place in seen {
        assert_eq!(frame(&mut other, 1.0 / 60.0, [0.0, 0.0]).centre, place);
    }
}

#[test]
fn a_frame_of_any_length_leaves_the_shake_alive() {
    for seconds in [1e6, 1e300, 1e307, f64::MAX] {
        let mut camera = camera(settings());
        frame(&mut camera, 0.0, [0.0, 0.0]);
        camera.shake(1.0);
        assert_eq!(frame(&mut camera, seconds, [0.0, 0.0]).centre, [0.0, 0.0]);
        camera.shake(1.0);
        let centre = frame(&mut camera, 0.01, [0.0, 0.0]).centre;
        assert!(centre.iter().all(|c| c.is_finite() && *c != 0.0), "{seconds}: {centre:?}");
    }
}

#[test]
fn a_rebase_beyond_all_numbers_is_refused_and_counted() {
    let mut camera = camera(FollowSettings { bounds: bounds([0.0, 0.0], [5000.0, 5000.0]), ..settings() });
    let before = frame(&mut camera, 0.0, [900.0, 900.0]);
    camera.rebase(|place| *place = place.map(|c| c + f64::MAX));
    camera.rebase(|place| *place = place.map(|c| (c + f64::MAX) * 2.0));
    assert_eq!((camera.framing(), camera.centre()), (before, before.centre));
    assert_eq!(frame(&mut camera, 0.1, [900.0, 900.0]), before);
    assert_eq!(camera.counts().requests, 2);
}

#[test]
fn a_followed_sprite_stays_on_its_pixel() {
    // A sprite at 90 pixels a second, with uneven frames. Rounded each by itself, sprite and camera flicker.
    for (zoom, dead_zone) in [(1.0, 0.0), (3.0, 0.0), (2.5, 0.0), (1.0, 81.0), (2.0, 33.0)] {
        let mut camera = camera(FollowSettings { zoom, dead_zone: [dead_zone; 2], ..settings() });
        let (mut x, mut together, mut apart) = (0.0, Vec::new(), Vec::new());
        let mut tiles = 0;
        for (i, dt) in jittered(1.0 / 60.0, 0.3, 900).enumerate() {
            x += 90.0 / zoom * dt;
            let framing = frame(&mut camera, dt, [x, 5.0]);
            if i > 600 {
                together.push(framing.to_pixel([x, 5.0])[0]);
                apart.push(((x * zoom).round() - (framing.centre[0] * zoom).round()) as i32);
                // Tiles of 16 units: each next to the other, without seams, where that is whole pixels.
                let edges: Vec<i32> =
                    (0..60).map(|k| framing.to_pixel([f64::from(k) * 16.0, 0.0])[0]).collect();
                tiles +=
                    usize::from(edges.windows(2).any(|pair| f64::from(pair[1] - pair[0]) != 16.0 * zoom));
            }
        }
        let flickers = |pixels: &[i32]| pixels.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!((flickers(&together), tiles), (0, 0), "zoom {zoom}, dead zone {dead_zone}");
        let apart = flickers(&apart);
        assert!(apart > 20 || 90.0 / 8.0 % 1.0 == 0.0, "the test can tell: {apart}");
    }
}

#[test]
fn a_pose_is_followed_like_its_place() {
    let mut camera = camera(settings());
    let mut body = Track::new(Pose2::at([3.0, 4.0]));
    let moment = Moment::newest(0.0);
    assert_eq!(camera.update(moment, body.draw(moment)).centre, [3.0, 4.0]);
    body.cut(Pose2::at([900.0, 4.0]));
    assert_eq!(camera.update(moment, body.draw(moment)).centre, [900.0, 4.0]);
}

#[test]
fn zoom_keeps_to_its_limits_and_levels() {
    let mut camera = camera(FollowSettings { zoom_within: [0.5, 4.0], ..settings() });
    let mut after = |act: &dyn Fn(&mut FollowCamera)| {
        act(&mut camera);
        camera.settings().zoom
    };
    assert_eq!(after(&|c| c.zoom_to(100.0, None)), 4.0);
    assert_eq!(after(&|c| c.zoom_to(0.001, None)), 0.5);
    assert_eq!(after(&|c| c.zoom_to(1.2, None)), 1.2);
    assert_eq!(after(&|c| c.zoom_by(2.5, None)), 3.0);
    assert_eq!(after(&|c| c.zoom_by(2.0, None)), 4.0, "the limit holds");
    assert_eq!(after(&|c| c.zoom_by(0.1, None)), 0.5);
    for zoom in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        assert_eq!(after(&|c| c.zoom_to(zoom, None)), 0.5);
    }
    assert_eq!(camera.counts().requests, 4);
}

#[test]
fn what_is_visible_is_seen() {
    let framing =
        Framing { centre: [0.0, 0.0], zoom: 2.0, origin: [0.0; 2], viewport: [800.0, 600.0], y: ScreenY::Up };
    let rect = |min, max| Rect { min, max };
    assert_eq!(framing.visible(), rect([-200.0, -150.0], [200.0, 150.0]));
    assert_eq!(framing.to_world([0.0; 2]), [-200.0, 150.0], "upper left, with y up");
    for (what, margin, seen) in [
        (rect([-1.0, -1.0], [1.0, 1.0]), 0.0, true),
        (rect([-900.0, -900.0], [900.0, 900.0]), 0.0, true),
        (rect([200.0, 0.0], [210.0, 10.0]), 0.0, true),
        (rect([201.0, 0.0], [210.0, 10.0]), 0.0, false),
        (rect([201.0, 0.0], [210.0, 10.0]), 2.0, true),
        (rect([0.0, 190.0], [1.0, 195.0]), 30.0, false),
        (rect([190.0, 140.0], [195.0, 145.0]), -20.0, false),
    ] {
        assert_eq!(framing.sees(&what, margin), seen, "{what:?} {margin}");
    }
}

#[test]
fn what_is_not_finite_is_ignored_and_counted() {
    let mut camera = camera(settings());
    let before = frame(&mut camera, 0.0, [5.0, 5.0]);
    for target in [[f64::NAN, 0.0], [0.0, f64::INFINITY]] {
        assert_eq!(frame(&mut camera, 0.02, target), before);
    }
    for seconds in [f64::NAN, f64::INFINITY, -1.0] {
        assert_eq!(camera.advance(seconds, [[900.0, 0.0].into_subject()], true), before);
    }
    camera.set_centre([f64::NAN; 2]);
    camera.rebase(|place| place[0] = f64::INFINITY);
    camera.shake(f64::NAN);
    camera.zoom_by(2.0, Some([f64::NAN, 0.0]));
    let ignored = camera.counts();
    assert_eq!((ignored.targets, ignored.times, ignored.requests), (2, 3, 4));
    assert_eq!(frame(&mut camera, 0.02, [5.0, 5.0]), before, "nothing of it left a trace");
}

#[test]
fn a_rebase_is_not_seen() {
    let world = FollowSettings { bounds: bounds([0.0, 0.0], [5000.0, 5000.0]), ..settings() };
    let (mut still, mut moved) = (camera(world), camera(world));
    for i in 0..100 {
        let target = [i as f64 * 20.0, 900.0];
        let shift = if i < 50 { [0.0, 0.0] } else { [-1024.0, 512.0] };
        if i == 50 {
            moved.rebase(|place| *place = [place[0] + shift[0], place[1] + shift[1]]);
        }
        let there = [target[0] + shift[0], target[1] + shift[1]];
        let a = frame(&mut still, 0.016, target).to_screen(target);
        let b = frame(&mut moved, 0.016, there).to_screen(there);
        assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9);
    }
}

#[test]
fn what_can_never_work_is_refused_with_its_number() {
    let s = settings();
    let exponential = |smoothing, speed| FollowRule::Exponential { smoothing, speed };
    let bad: [(FollowSettings, &str, &str); 14] = [
        (FollowSettings { viewport: [0.0, 600.0], ..s }, "viewport", "0"),
        (FollowSettings { viewport: [800.0, f64::NAN], ..s }, "viewport", "NaN"),
        (FollowSettings { zoom: 0.0, ..s }, "zoom", "0"),
        (FollowSettings { zoom: -2.0, ..s }, "zoom", "-2"),
        (FollowSettings { zoom: 99.0, ..s }, "zoom", "99"),
        (FollowSettings { zoom_within: [0.0, 2.0], ..s }, "least zoom", "0"),
        (FollowSettings { zoom_within: [2.0, 1.0], ..s }, "most zoom", "1"),
        (FollowSettings { dead_zone: [-1.0, 0.0], ..s }, "dead zone", "-1"),
        (FollowSettings { rule: FollowRule::Smooth { rate: [8.0, -8.0] }, ..s }, "rate", "-8"),
        (FollowSettings { rule: exponential(1.0, 1.0), ..s }, "smoothing", "1"),
        (FollowSettings { rule: exponential(0.9, 0.0), ..s }, "speed", "0"),
        (
            FollowSettings { shake: ShakeSettings { hz: 0.0, ..ShakeSettings::default() }, ..s },
            "shake.hz",
            "0",
        ),
        (FollowSettings { settle: f64::NAN, ..s }, "settle", "NaN"),
        (FollowSettings { bounds: Some(Rect { min: [0.0, 9.0], max: [1.0, 3.5] }), ..s }, "max[1]", "3.5"),
    ];
    for (settings, what, number) in bad {
        let text = FollowCamera::new(settings).unwrap_err().to_string();
        assert!(text.contains(what) && text.contains(&format!("is {number}: give")), "{text}");
        assert!(camera(s).set_settings(settings).is_err());
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_camera_can_be_saved() {
    let mut camera = camera(FollowSettings { bounds: bounds([0.0, 0.0], [5000.0, 5000.0]), ..settings() });
    frame(&mut camera, 0.0, [5.0, 5.0]);
    camera.shake(0.5);
    frame(&mut camera, 0.1, [50.0, 5.0]);
    let text = serde_json::to_string(&camera).unwrap();
    assert_eq!(serde_json::from_str::<FollowCamera>(&text).unwrap(), camera);
}

proptest! {
    #[test]
    fn screen_and_world_round_trip_at_every_zoom(
        centre in prop::array::uniform2(-1e6..1e6f64), zoom_log in -6.0..6.0f64,
        point in prop::array::uniform2(-5000.0..5000.0f64), up in any::<bool>(), shake in 0.01..1.0f64,
        origin in prop::array::uniform2(-2000.0..2000.0f64),
    ) {
        let zoom = zoom_log.exp2();
        let y = if up { ScreenY::Up } else { ScreenY::Down };
        let mut camera = camera(FollowSettings { zoom, y, origin, ..settings() });
        frame(&mut camera, 0.0, centre);
        camera.shake(shake);
        let framing = frame(&mut camera, 0.01, centre);
        // The f64 of a place a million units away ends at 1e-10.
        let back = framing.to_screen(framing.to_world(point));
        let allowed = 1e-9 * zoom.max(1.0) + 1e-9;
        prop_assert!((0..2).all(|i| (back[i] - point[i]).abs() < allowed), "{point:?} {back:?}");
        let world = framing.to_world(framing.to_screen(centre));
        prop_assert!((0..2).all(|i| (world[i] - centre[i]).abs() < 1e-9), "{centre:?} {world:?}");
    }

    #[test]
    fn the_visible_rectangle_is_what_the_screen_maps_to(
        centre in prop::array::uniform2(-1e3..1e3f64), zoom in 0.1..10.0f64,
        point in prop::array::uniform2(-200.0..1000.0f64), up in any::<bool>(),
    ) {
        let y = if up { ScreenY::Up } else { ScreenY::Down };
        let framing = Framing { centre, zoom, origin: [0.0; 2], viewport: [800.0, 600.0], y };
        let on_screen = (0.0..=800.0).contains(&point[0]) && (0.0..=600.0).contains(&point[1]);
        let place = framing.to_world(point);
        prop_assert_eq!(framing.sees(&Rect { min: place, max: place }, 0.0), on_screen);
    }

    #[test]
    fn any_use_gives_a_usable_picture(
        uses in prop::collection::vec((0..14u8, extreme(), [extreme(), extreme()], any::<bool>()), 1..60),
        bounded in any::<bool>(), look_ahead in prop_oneof![Just(0.0), Just(0.3), Just(1e9)],
        own_time in any::<bool>(),
    ) {
        let bounds = if bounded { bounds([-100.0, -50.0], [3000.0, 2000.0]) } else { None };
        let shake = ShakeSettings { own_time, ..ShakeSettings::default() };
        let settings = FollowSettings { bounds, dead_zone: [40.0; 2], look_ahead: [look_ahead, 0.0], shake, ..settings() };
        let mut camera = camera(settings);
        let mut before = camera.counts();
        for (what, number, place, cut) in uses {
            let moment = Moment::newest(number);
            match what {
                0 => camera.zoom_to(number, Some(place)),
                1 => camera.zoom_by(number, None),
                2 => camera.shake(number),
                3 => camera.set_centre(place),
                4 => camera.zoom_to(number, Some(place)),
                5 => camera.pan(place),
                6 => camera.rebase(|p| *p = [p[0] + place[0], p[1] + place[1]]),
                7 => { camera.update_free(moment); }
                8 => { camera.update_all(moment, [[0.0, 0.0], place, [number, 7.0]]); }
                9 => { camera.advance_shake(number); }
                10 => camera.recentre(),
                11 => {
                    let other = FollowSettings { viewport: place, bounds: None, ..*camera.settings() };
                    let _ = camera.set_settings(other);
                }
                _ => {}
            }
            let framing = camera.advance(number, [Drawn { now: place, before: place, cut }], true);
            prop_assert!(framing.centre.iter().all(|c| c.is_finite()), "{framing:?}");
            prop_assert!(camera.centre().iter().all(|c| c.is_finite()), "{camera:?}");
            prop_assert!((1.0 / 64.0..=64.0).contains(&framing.zoom));
            let counts = camera.counts();
            prop_assert!(counts.targets >= before.targets && counts.times >= before.times);
            prop_assert!(counts.requests >= before.requests);
            before = counts;
            #[cfg(feature = "serde")]
            {
                let text = serde_json::to_string(&camera).unwrap();
                prop_assert_eq!(&serde_json::from_str::<FollowCamera>(&text).unwrap(), &camera);
            }
        }
        // And it can be used again: back over a target like any other, with a finite shake.
        camera.cut();
        let _ = frame(&mut camera, 0.0, [5.0, 5.0]);
        camera.shake(1.0);
        let framing = frame(&mut camera, 0.01, [5.0, 5.0]);
        prop_assert!(camera.settings().bounds.is_some() || camera.centre() == [5.0, 5.0], "{camera:?}");
        prop_assert!(framing.centre.iter().all(|c| c.is_finite()));
    }
}
