use super::{jittered, spread};
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
    Some(Rect::new(min, max).unwrap())
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
        assert_eq!(frame(&mut camera, 0.0, [100.0, 50.0]).offset(), offset);
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
    assert_eq!(framing.visible(), Rect::new([0.0, 0.0], [1600.0, 1200.0]).unwrap());
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
fn zooming_about_a_point_keeps_what_is_under_it() {
    for y in [ScreenY::Down, ScreenY::Up] {
        let mut camera = camera(FollowSettings { y, ..settings() });
        frame(&mut camera, 0.0, [100.0, 50.0]);
        camera.shake(1.0); // the pointer is over the shaken picture
        let mut drawn = frame(&mut camera, 0.01, [100.0, 50.0]);
        let pointer = [700.0, 20.0];
        for factor in [1.5, 2.0, 0.25, 1.1] {
            let under = drawn.to_world(pointer);
            camera.zoom_by(factor, Some(pointer));
            // No time passes: the follow, which pulls back to the target, does not act.
            drawn = frame(&mut camera, 0.0, [100.0, 50.0]);
            let now = drawn.to_world(pointer);
            assert!(
                (now[0] - under[0]).abs() < 1e-9 && (now[1] - under[1]).abs() < 1e-9,
                "{under:?} {now:?}"
            );
        }
    }
}

#[test]
fn after_a_zoom_the_picture_only_moves_towards_its_target() {
    // The wish of the frame before, made at another zoom, must not pull at the picture.
    let world = FollowSettings { bounds: bounds([0.0, 0.0], [4000.0, 1000.0]), ..settings() };
    let mut camera = camera(FollowSettings { dead_zone: [80.0, 40.0], ..world });
    let target = [100.0, 500.0];
    frame(&mut camera, 0.01, target);
    camera.zoom_to(2.0, Some([10.0, 20.0]));
    let mut before = camera.centre();
    for _ in 0..100 {
        let now = frame(&mut camera, 0.01, target).centre;
        assert!(now[0] <= before[0] && now[1] >= before[1], "{before:?} {now:?}");
        before = now;
    }
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
    let levels = [0.25, 1.0, 1.5, 3.0];
    assert_eq!(after(&|c| c.zoom_steps(&levels, 1, None)), 1.0);
    assert_eq!(after(&|c| c.zoom_steps(&levels, 2, None)), 3.0);
    assert_eq!(after(&|c| c.zoom_steps(&levels, 1, None)), 3.0);
    assert_eq!(after(&|c| c.zoom_to(1.2, None)), 1.2);
    assert_eq!(after(&|c| c.zoom_steps(&levels, -1, None)), 1.0);
    assert_eq!(after(&|c| c.zoom_steps(&levels, -1, None)), 0.5, "the limit holds against a level");
    assert_eq!(after(&|c| c.zoom_steps(&[], 1, None)), 0.5);
    assert_eq!(after(&|c| c.zoom_steps(&levels, i32::MIN, None)), 0.5);
    assert_eq!(after(&|c| c.zoom_steps(&levels, i32::MAX, None)), 3.0);
    for zoom in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        assert_eq!(after(&|c| c.zoom_to(zoom, None)), 3.0);
    }
    assert_eq!(camera.counts().requests, 4);
}

#[test]
fn what_is_visible_is_seen() {
    let framing = Framing { centre: [0.0, 0.0], zoom: 2.0, viewport: [800.0, 600.0], y: ScreenY::Up };
    let rect = |min, max| Rect::new(min, max).unwrap();
    assert_eq!(framing.visible(), rect([-200.0, -150.0], [200.0, 150.0]));
    assert_eq!(framing.offset(), [-200.0, 150.0], "upper left, with y up");
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
        assert_eq!(camera.advance(seconds, IntoSubject::<[f64; 2]>::into_subject([900.0, 0.0])), before);
    }
    camera.set_centre([f64::NAN; 2]);
    camera.rebase([f64::INFINITY, 0.0]);
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
            moved.rebase(shift);
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
        (FollowSettings { rule: FollowRule::Smooth { rate: -8.0 }, ..s }, "rate", "-8"),
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
    assert!(Rect::new([0.0; 2], [-1.0, 0.0]).is_err());
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
    ) {
        let zoom = zoom_log.exp2();
        let y = if up { ScreenY::Up } else { ScreenY::Down };
        let mut camera = camera(FollowSettings { zoom, y, ..settings() });
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
        let framing = Framing { centre, zoom, viewport: [800.0, 600.0], y };
        let on_screen = (0.0..=800.0).contains(&point[0]) && (0.0..=600.0).contains(&point[1]);
        prop_assert_eq!(framing.visible().contains(framing.to_world(point)), on_screen);
    }

    #[test]
    fn any_use_gives_a_usable_picture(
        uses in prop::collection::vec((0..7u8, any::<f64>(), any::<[f64; 2]>(), any::<bool>()), 1..60),
        bounded in any::<bool>(),
    ) {
        let bounds = if bounded { bounds([-100.0, -50.0], [3000.0, 2000.0]) } else { None };
        let mut camera = camera(FollowSettings { bounds, dead_zone: [40.0, 40.0], ..settings() });
        for (what, number, place, cut) in uses {
            match what {
                0 => camera.zoom_to(number, Some(place)),
                1 => camera.zoom_by(number, None),
                2 => camera.shake(number),
                3 => camera.set_centre(place),
                4 => camera.zoom_steps(&[0.5, 1.0, number], number as i32, Some(place)),
                _ => {}
            }
            let framing = camera.advance(number, Drawn { now: place, before: place, cut });
            prop_assert!(framing.centre.iter().all(|c| c.is_finite()), "{framing:?}");
            prop_assert!((1.0 / 64.0..=64.0).contains(&framing.zoom));
            if bounded {
                prop_assert!(framing.centre.iter().all(|c| c.abs() < 1e5), "{framing:?}");
            }
        }
    }
}
