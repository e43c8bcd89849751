use super::{extreme, jittered, spread};
use crate::blend::{Pose, Pose64, Rotation};
use crate::camera::{ChaseCamera, ChaseRule, ChaseSettings, IntoSubject, Shot};
use crate::step::{Frame, GateRule, GateSettings, Stepper};
use crate::{Drawn, Moment, Track};
use core::f64::consts::{FRAC_PI_2, PI};
use proptest::prelude::*;

const PER_FRAME: ChaseSettings = ChaseSettings { rule: ChaseRule::PerFrame, ..ChaseSettings::z_up() };
const SMOOTH: ChaseSettings = ChaseSettings::z_up();

fn camera(settings: ChaseSettings) -> ChaseCamera {
    ChaseCamera::new(settings).unwrap()
}

fn at(position: [f64; 3]) -> Pose64 {
    Pose64::at(position)
}

/// A body turned by `angle` about +z.
fn turned(angle: f64) -> Pose64 {
    Pose64::new([0.0; 3], Rotation::from_axis_angle([0.0, 0.0, 1.0], angle as f32))
}

fn frame(camera: &mut ChaseCamera, seconds: f64, target: impl IntoSubject<Pose64>) -> Shot {
    camera.update(Moment::newest(seconds), target)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    crate::math::length([a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}

/// From the eye to the followed point: what a viewer sees shake.
fn on_screen(shot: Shot) -> [f64; 3] {
    core::array::from_fn(|i| shot.pivot[i] - shot.eye[i])
}

/// How far the eye stays behind its ideal place behind a body at 10 m/s.
fn lag(settings: ChaseSettings, frames_per_second: f64) -> f64 {
    let mut camera = camera(settings);
    let dt = 1.0 / frames_per_second;
    let mut y = 0.0;
    frame(&mut camera, 0.0, at([0.0; 3]));
    for _ in 0..(8.0 * frames_per_second) as usize {
        y += 10.0 * dt;
        frame(&mut camera, dt, at([0.0, y, 0.0]));
    }
    distance(camera.shot().eye, camera.ideal(at([0.0, y, 0.0])).eye)
}

/// How far from its ideal place the eye stays when the body has moved by a metre and stands.
fn parks(settings: ChaseSettings, frames_per_second: f64) -> f64 {
    let mut camera = camera(settings);
    frame(&mut camera, 0.0, at([0.0; 3]));
    let body = at([0.0, 1.0, 0.0]);
    for _ in 0..(10.0 * frames_per_second) as usize {
        frame(&mut camera, 1.0 / frames_per_second, body);
    }
    distance(camera.shot().eye, camera.ideal(body).eye)
}

#[test]
fn the_per_frame_rule_lags_and_parks_as_it_always_did() {
    for (frames_per_second, metres_behind, millimetres_short) in [(30.0, 1.89, 3.0), (240.0, 2.18, 21.0)] {
        assert!((lag(PER_FRAME, frames_per_second) - metres_behind).abs() < 0.005);
        // It stops at the first frame whose step would be below 0.4 mm, wherever within that step it is then.
        let share = 4.5 / frames_per_second;
        let at_most = 0.0004 / share;
        assert_eq!((at_most * 1000.0).round(), millimetres_short);
        let short = parks(PER_FRAME, frames_per_second);
        assert!(short < at_most && short > at_most * (1.0 - share), "{short}");
    }
}

/// The older rule as its description has it, written a second time.
struct PerFrameModel {
    eye: [f64; 3],
    forward: [f64; 3],
}

impl PerFrameModel {
    fn update(&mut self, seconds: f64, goal: Shot) {
        let a = (0.45 * 10.0 * seconds).clamp(0.0, 1.0);
        let moves = |from: [f64; 3], to: [f64; 3]| a * distance(from, to);
        if moves(self.eye, goal.eye) < 0.0004 && moves(self.forward, goal.forward) < 0.0002 {
            return;
        }
        let toward = |from: [f64; 3], to: [f64; 3]| -> [f64; 3] {
            core::array::from_fn(|i| if a == 1.0 { to[i] } else { from[i] - (from[i] - to[i]) * a })
        };
        self.eye = toward(self.eye, goal.eye);
        let forward = toward(self.forward, goal.forward);
        self.forward = forward.map(|c| c / distance(forward, [0.0; 3]));
    }
}

#[test]
fn the_per_frame_rule_is_its_description_bit_for_bit() {
    let mut camera = camera(PER_FRAME);
    let first = frame(&mut camera, 0.0, at([0.0; 3]));
    let mut model = PerFrameModel { eye: first.eye, forward: first.forward };
    let mut body = Pose64::default();
    for (i, dt) in jittered(1.0 / 70.0, 0.9, 5000).enumerate() {
        if i % 500 < 250 {
            body.position = core::array::from_fn(|k| body.position[k] + dt * [3.0, -1.0, 0.3][k]);
            body.rotation = turned(i as f64 * 0.01).rotation;
        }
        let shot = frame(&mut camera, dt, body);
        model.update(dt, camera.ideal(body));
        assert_eq!(shot.eye.map(f64::to_bits), model.eye.map(f64::to_bits), "{i}");
        assert_eq!(shot.forward.map(f64::to_bits), model.forward.map(f64::to_bits), "{i}");
    }
}

#[test]
fn the_smooth_rule_lags_the_same_at_every_frame_rate() {
    for frames_per_second in [24.0, 30.0, 60.0, 144.0, 240.0, 1000.0] {
        let lag = lag(SMOOTH, frames_per_second);
        assert!((lag - 10.0 / 4.5).abs() < 1e-4, "{frames_per_second}: {lag}");
    }
}

#[test]
fn the_smooth_rule_comes_to_rest_on_the_exact_place_and_keeps_its_bits() {
    let mut camera = camera(SMOOTH);
    let body = Pose64::new([0.1, -7.3, 2.9], Rotation::from_axis_angle([0.1, 0.0, 1.0], 2.5));
    frame(&mut camera, 0.0, at([3.0, 1.0, 0.0]));
    for dt in jittered(1.0 / 60.0, 0.3, 300) {
        frame(&mut camera, dt, body);
    }
    let rest = camera.ideal(body);
    for dt in jittered(1.0 / 144.0, 0.9, 10_000) {
        let shot = frame(&mut camera, dt, body);
        assert_eq!(shot.eye.map(f64::to_bits), rest.eye.map(f64::to_bits));
        assert_eq!(shot.forward.map(f64::to_bits), rest.forward.map(f64::to_bits));
        assert_eq!(shot.rotation.to_array().map(f32::to_bits), rest.rotation.to_array().map(f32::to_bits));
    }
}

#[test]
fn the_step_that_settles_is_never_larger_than_its_bound() {
    let mut camera = camera(SMOOTH);
    let body = at([1.0, 0.0, 0.0]);
    let mut before = frame(&mut camera, 0.0, at([0.0; 3])).eye;
    let goal = camera.ideal(body).eye;
    for _ in 0..2400 {
        let eye = frame(&mut camera, 1.0 / 240.0, body).eye;
        if eye == goal && before != goal {
            // What a frame of damping leaves of the bound, plus the damping itself.
            assert!(distance(before, eye) < SMOOTH.settle * 1.03);
        }
        before = eye;
    }
    assert_eq!(before, goal);
}

#[test]
fn a_body_that_creeps_is_not_mistaken_for_one_at_rest() {
    // It moves, or it turns: the eye depends on both, so each by itself.
    for (moves, turns) in [(1.0, 0.0), (0.0, 1.0)] {
        let mut camera = camera(SMOOTH);
        let mut x = 0.0;
        frame(&mut camera, 0.0, at([0.0; 3]));
        for _ in 0..4000 {
            x += 1e-6; // a millimetre in a thousand frames
            let creeps = Pose64::new([x * moves, 0.0, 0.0], turned(x * turns).rotation);
            let shot = frame(&mut camera, 1e-3, creeps);
            let ideal = camera.ideal(creeps);
            assert!(shot.eye != ideal.eye, "it lags, and does not jump");
            assert!(turns == 0.0 || shot.forward != ideal.forward);
        }
    }
}

/// Runs a body at 10 m/s through `stepper` at about 60 frames/s. Gives, once the camera has settled into its lag,
/// how far the body moves on the screen. `other` replaces the presented time.
fn shake_on_screen(
    mut stepper: Stepper,
    rule: ChaseRule,
    jitter: f64,
    other: impl Fn(f64, Moment) -> Moment,
) -> f64 {
    let mut body = Track::<Pose>::new(Pose::at([0.0; 3]));
    let mut camera = camera(ChaseSettings { rule, ..SMOOTH });
    let mut seen = Vec::new();
    for (i, dt) in jittered(1.0 / 60.0, jitter, 600).enumerate() {
        let Frame { ticks, moment, .. } = stepper.frame(dt);
        for tick in ticks {
            body.push(Pose::at([0.0, (10.0 * tick.time) as f32, 0.0]));
        }
        let shot = camera.update(other(dt, moment), body.draw(moment));
        if i > 300 {
            seen.push(on_screen(shot));
        }
    }
    spread(&seen)
}

#[test]
fn uneven_frames_do_not_shake_the_body() {
    let same = |_, moment: Moment| moment;
    let smooth = shake_on_screen(Stepper::fixed(60.0).unwrap(), ChaseRule::Smooth, 0.3, same);
    assert!(smooth < 1e-4, "{smooth}");
    let client = shake_on_screen(Stepper::fixed(60.0).unwrap(), ChaseRule::PerFrame, 0.3, same);
    assert!(client > 0.02, "the test can tell: {client}");
}

#[test]
fn camera_and_body_share_one_moment() {
    // At 60 frames/s the original gate draws now nothing, now two frames' worth: the body stutters, and a camera on
    // the same moment stutters with it, so that nothing moves on the screen.
    let gate = || Stepper::<0>::with_gate(GateSettings::from(GateRule::AllAtOnce)).unwrap();
    let shared = shake_on_screen(gate(), ChaseRule::Smooth, 0.001, |_, moment| moment);
    assert!(shared < 1e-4, "{shared}");
    let wall_time = shake_on_screen(gate(), ChaseRule::Smooth, 0.001, |dt, moment| moment.presenting(dt));
    assert!(wall_time > 0.03, "with another time the body shakes: {wall_time}");
}

#[test]
fn the_first_update_snaps() {
    let mut camera = camera(SMOOTH);
    let body = at([5.0, 6.0, 7.0]);
    assert_eq!(frame(&mut camera, 0.0, body), camera.ideal(body));
    let shot = camera.shot();
    assert!((distance(shot.eye, shot.pivot) - 2.61).abs() < 1e-12);
    assert_eq!(shot.pivot, [5.0, 6.0, 8.5]);
    assert!((shot.eye[2] - (8.5 + 2.61 * 0.291f64.sin())).abs() < 1e-12);
    assert!((shot.eye[1] - (6.0 - 2.61 * 0.291f64.cos())).abs() < 1e-12);
}

#[test]
fn a_cut_is_a_cut() {
    let mut body = Track::<Pose>::new(Pose::at([0.0; 3]));
    let mut camera = camera(SMOOTH);
    let moment = Moment::newest(1.0 / 60.0);
    let _ = camera.update(moment, body.draw(moment));
    let there = Pose::new([1000.0, 0.0, 0.0], turned(2.0).rotation);
    body.cut(there);
    for _ in 0..60 {
        assert_eq!(camera.update(moment, body.draw(moment)), camera.ideal(there), "at once, and it stays");
    }
}

#[test]
fn under_the_per_frame_rule_a_cut_starts_at_the_body_and_draws_back() {
    let mut body = Track::<Pose>::new(Pose::at([0.0; 3]));
    let mut camera = camera(PER_FRAME);
    let moment = Moment::newest(1.0 / 60.0);
    assert_eq!(camera.update(moment, body.draw(moment)).body_opacity, 1.0);
    body.cut(Pose::at([1000.0, 0.0, 0.0]));
    let shot = camera.update(moment, body.draw(moment));
    assert_eq!(shot.eye, [1000.0, 0.0, 1.5]);
    assert_eq!(shot.body_opacity, 0.0);
    let mut far = 0.0;
    for _ in 0..60 {
        let shot = camera.update(moment, body.draw(moment));
        let now = distance(shot.eye, shot.pivot);
        assert!(now > far && now <= 2.61);
        far = now;
    }
    assert!(far > 2.5);
    assert_eq!(camera.shot().body_opacity, 1.0);
}

#[test]
fn a_cut_reported_by_hand_is_the_same() {
    let mut camera = camera(SMOOTH);
    frame(&mut camera, 0.0, at([0.0; 3]));
    camera.cut();
    // The time of the frame does not matter to a cut.
    let shot = camera.advance(f64::NAN, at([9.0, 0.0, 0.0]).into_subject(), |_, eye| eye);
    assert_eq!(shot, camera.ideal(at([9.0, 0.0, 0.0])));
}

#[test]
fn movement_starts_from_the_eye_that_collision_allowed() {
    for settings in [SMOOTH, PER_FRAME] {
        let mut camera = camera(settings);
        let moment = Moment::newest(1.0 / 60.0);
        let wall = |_: [f64; 3], eye: [f64; 3]| [eye[0], eye[1].max(-1.0), eye[2]];
        for _ in 0..100 {
            assert!(camera.update_with(moment, at([0.0; 3]), wall).eye[1] >= -1.0);
        }
        // The wall is gone: out from where it stood, not a jump to where it wanted to be all along.
        let eye = camera.update(moment, at([0.0; 3])).eye;
        let wanted = camera.ideal(at([0.0; 3])).eye;
        let share = if settings.rule == ChaseRule::PerFrame { 0.075 } else { 1.0 - (-0.075f64).exp() };
        assert!((eye[1] - (-1.0 + share * (wanted[1] + 1.0))).abs() < 1e-12, "{}", eye[1]);
    }
}

#[test]
fn a_place_from_the_hook_that_is_none_is_not_taken() {
    let mut camera = camera(SMOOTH);
    let shot = camera.update_with(Moment::newest(0.0), at([0.0; 3]), |_, _| [f64::NAN; 3]);
    assert_eq!(shot.eye, camera.ideal(at([0.0; 3])).eye);
    assert_eq!(camera.counts().places, 1);
}

#[test]
fn the_body_fades_as_the_eye_comes_close() {
    let mut camera = camera(SMOOTH);
    for (metres, opacity) in [(2.0, 1.0), (0.45, 1.0), (0.325, 0.5), (0.20, 0.0), (0.1, 0.0), (0.0, 0.0)] {
        let shot = camera.update_with(Moment::newest(0.0), at([0.0; 3]), |pivot, _| {
            [pivot[0], pivot[1] - metres, pivot[2]]
        });
        assert!((shot.body_opacity - opacity).abs() < 1e-6, "{metres}: {}", shot.body_opacity);
    }
}

#[test]
fn the_height_is_held_while_the_body_rises_and_followed_when_it_falls() {
    let rigid = ChaseSettings { rate: f64::INFINITY, ..SMOOTH };
    let mut camera = camera(ChaseSettings { height_hold: Some(3.0), ..rigid });
    let up = camera.ideal(at([0.0; 3])).eye[2];
    // A jump, a climb beyond the slack, a fall below the start, a rise from there.
    for (body, held) in
        [(0.0, 0.0), (1.0, 0.0), (2.5, 0.0), (1.0, 0.0), (4.0, 1.0), (0.5, 0.5), (-2.0, -2.0), (0.0, -2.0)]
    {
        let shot = frame(&mut camera, 0.01, at([0.0, 0.0, body]));
        assert!((shot.eye[2] - up - held).abs() < 1e-12, "{body}: {}", shot.eye[2] - up);
        assert_eq!(shot.pivot[2], body + 1.5, "the pivot stays on the body");
    }
    camera.release_height();
    assert_eq!(frame(&mut camera, 0.01, at([0.0; 3])).eye[2], up);
}

/// The angle between where the camera looks and where the body's pivot is.
fn degrees_off(shot: Shot) -> f64 {
    let to = on_screen(shot);
    let cosine: f64 = (0..3).map(|i| to[i] * shot.forward[i]).sum::<f64>() / distance(to, [0.0; 3]);
    cosine.min(1.0).acos().to_degrees()
}

#[test]
fn while_the_height_is_held_the_camera_looks_at_the_body() {
    for settings in [SMOOTH, PER_FRAME] {
        let mut camera = camera(ChaseSettings { height_hold: Some(f64::INFINITY), ..settings });
        frame(&mut camera, 0.0, at([0.0; 3]));
        let floor = camera.shot().eye[2];
        let mut worst = 0.0f64;
        for i in 0..600 {
            let z = 2.0 * (f64::from(i) / 20.0).min(1.0); // up by 2 m in a third of a second, and there it stays
            let shot = frame(&mut camera, 1.0 / 60.0, at([0.0, 0.0, z]));
            assert!((shot.eye[2] - floor).abs() < 0.02, "held: {} {floor}", shot.eye[2]);
            worst = worst.max(degrees_off(shot));
        }
        let rests = degrees_off(camera.shot());
        assert!(rests < 0.2, "{:?}: {rests}", settings.rule);
        if settings.rule == ChaseRule::Smooth {
            assert!(worst < 1e-5, "all the way up: {worst}");
            // And when the camera may come up: all the way, and then it looks down as ever.
            let body = at([0.0, 0.0, 2.0]);
            for _ in 0..600 {
                camera.release_height();
                assert!(degrees_off(frame(&mut camera, 1.0 / 60.0, body)) < 1e-5);
            }
            assert_eq!(camera.shot(), camera.ideal(body));
        }
    }
}

/// The turn about up that a shot looks along.
fn heading(shot: Shot) -> f64 {
    (-shot.forward[0]).atan2(shot.forward[1])
}

#[test]
fn mouse_look_is_instant_while_the_position_is_damped() {
    let mouse = ChaseSettings { look_rate: f64::INFINITY, ..SMOOTH };
    let mut camera = camera(mouse);
    frame(&mut camera, 0.0, turned(0.0));
    let mut y = 0.0;
    for _ in 0..600 {
        y += 10.0 / 60.0;
        frame(&mut camera, 1.0 / 60.0, at([0.0, y, 0.0]));
    }
    let lag = |camera: &ChaseCamera, body| distance(camera.shot().eye, camera.ideal(body).eye);
    assert!((lag(&camera, at([0.0, y, 0.0])) - 10.0 / 4.5).abs() < 1e-4);
    // The body turns by 1 rad in a frame; then the mouse by another, also while the game is paused.
    let body = Pose64::new([0.0, y + 10.0 / 60.0, 0.0], turned(1.0).rotation);
    assert!((heading(frame(&mut camera, 1.0 / 60.0, body)) - 1.0).abs() < 1e-6);
    assert!((lag(&camera, body) - 10.0 / 4.5).abs() < 1e-4, "the position is where it was");
    camera.set_look(1.0, 0.5);
    let shot = frame(&mut camera, 0.0, body);
    assert!((heading(shot) - 2.0).abs() < 1e-6 && (shot.forward[2] + 0.5f64.sin()).abs() < 1e-12);
    assert!((lag(&camera, body) - 10.0 / 4.5).abs() < 1e-4);
    // With one rate for both, the same turn shows this much of itself in the next frame.
    let mut damped = self::camera(SMOOTH);
    frame(&mut damped, 0.0, turned(0.0));
    assert!((heading(frame(&mut damped, 1.0 / 60.0, turned(1.0))) - 0.037).abs() < 0.001);
}

#[test]
fn a_turn_leaves_a_standing_body_in_the_middle_of_the_screen() {
    for look_rate in [2.0, 4.5, 20.0, f64::INFINITY] {
        let mut camera = camera(ChaseSettings { look_rate, ..SMOOTH });
        frame(&mut camera, 0.0, turned(0.0));
        for i in 0..200 {
            let shot = frame(&mut camera, 1.0 / 60.0, turned(f64::from(i) * 0.1));
            assert!(degrees_off(shot) < 1e-5 && (distance(shot.eye, shot.pivot) - 2.61).abs() < 1e-9);
        }
    }
}

#[test]
fn a_camera_that_turns_at_a_wall_stays_as_near_as_the_wall_made_it() {
    let mut camera = camera(ChaseSettings { look_rate: f64::INFINITY, pitch: 0.0, ..SMOOTH });
    let moment = Moment::newest(1.0 / 60.0);
    let wall = |_: [f64; 3], eye: [f64; 3]| [eye[0], eye[1].max(-1.0), eye[2]];
    for _ in 0..100 {
        camera.update_with(moment, turned(0.0), wall);
    }
    // About: the free space is on the other side now. From a metre off it draws back, and does not come from beyond.
    let mut far = distance(camera.shot().eye, camera.shot().pivot);
    assert!((far - 1.0).abs() < 1e-9);
    for _ in 0..300 {
        let shot = camera.update_with(moment, turned(PI), wall);
        let now = distance(shot.eye, shot.pivot);
        assert!(now >= far && now <= 2.61 + 1e-12 && degrees_off(shot) < 1e-3, "{far} {now}");
        far = now;
    }
    assert_eq!(camera.shot(), camera.ideal(turned(PI)), "and it comes to rest");
}

#[test]
fn in_first_person_the_eye_is_in_the_head() {
    let rigid = ChaseSettings { rate: f64::INFINITY, look_rate: f64::INFINITY, ..SMOOTH };
    let mut camera = camera(ChaseSettings { distance: 0.0, pitch: 0.0, lift: 1.7, ..rigid });
    for i in 0..100 {
        let body = Pose64::new([f64::from(i), 2.0, 3.0], turned(f64::from(i) * 0.05).rotation);
        let shot = frame(&mut camera, 1.0 / 60.0, body);
        assert_eq!(shot.eye, [f64::from(i), 2.0, 4.7]);
        assert_eq!(shot, camera.ideal(body));
        assert_eq!(shot.body_opacity, 0.0);
    }
    // Damped, its look settles on the exact angle too.
    let mut damped = self::camera(ChaseSettings { distance: 0.0, ..SMOOTH });
    frame(&mut damped, 0.0, turned(0.0));
    let one = heading(frame(&mut damped, 1.0 / 60.0, turned(1.0)));
    assert!(one < 0.1, "it does not jump: {one}");
    for _ in 0..600 {
        frame(&mut damped, 1.0 / 60.0, turned(1.0));
    }
    assert_eq!(damped.shot(), damped.ideal(turned(1.0)));
}

#[test]
fn heading_and_position_lag_by_their_own_rates_at_every_frame_rate() {
    let settings = ChaseSettings { rate: 4.0, look_rate: 12.0, distance: 5.0, ..SMOOTH };
    for frames_per_second in [30.0, 60.0, 144.0, 240.0] {
        let mut camera = camera(settings);
        let (dt, mut y, mut angle) = (1.0 / frames_per_second, 0.0, 0.0);
        frame(&mut camera, 0.0, at([0.0; 3]));
        for _ in 0..(6.0 * frames_per_second) as usize {
            (y, angle) = (y + 10.0 * dt, angle + 2.0 * dt);
            frame(&mut camera, dt, Pose64::new([0.0, y, 0.0], turned(angle).rotation));
        }
        let shot = camera.shot();
        assert!((wrap(angle - heading(shot)) - 2.0 / 12.0).abs() < 1e-5, "{}", wrap(angle - heading(shot)));
        let end: [f64; 3] = core::array::from_fn(|i| shot.eye[i] + 5.0 * shot.forward[i]);
        assert!((distance(end, shot.pivot) - 10.0 / 4.0).abs() < 1e-5, "{}", distance(end, shot.pivot));
    }
}

fn wrap(angle: f64) -> f64 {
    crate::math::wrap_angle(angle)
}

#[test]
fn another_distance_is_glided_to() {
    let mut camera = camera(SMOOTH);
    frame(&mut camera, 0.0, at([0.0; 3]));
    camera.set_settings(ChaseSettings { distance: 10.0, ..SMOOTH }).unwrap();
    let mut far = 2.61;
    for _ in 0..600 {
        let shot = frame(&mut camera, 1.0 / 60.0, at([0.0; 3]));
        let now = distance(shot.eye, shot.pivot);
        assert!(now - far < 0.6 && now >= far, "{far} {now}");
        far = now;
    }
    assert_eq!(camera.shot(), camera.ideal(at([0.0; 3])));
}

#[test]
fn a_rebase_beyond_all_numbers_is_refused_and_counted() {
    let mut camera = camera(SMOOTH);
    frame(&mut camera, 0.0, at([1e149; 3]));
    let before = camera.shot();
    camera.rebase(|place| *place = place.map(|c| c + f64::MAX));
    camera.rebase(|place| *place = place.map(|c| c + f64::MAX));
    camera.rebase(|place| place[0] = f64::NAN);
    assert!(camera.shot().eye.iter().all(|c| c.is_finite()));
    assert_eq!((camera.shot(), camera.counts().requests), (before, 3));
}

#[test]
fn the_axes_are_the_users_choice() {
    // The same ride in three worlds, compared in (right, ahead, up).
    type ToUser = fn([f64; 3]) -> [f64; 3];
    let worlds: [(ChaseSettings, ToUser); 3] = [
        (ChaseSettings::z_up(), |[r, a, u]| [r, a, u]),
        (ChaseSettings::y_up(), |[r, a, u]| [r, u, -a]),
        (ChaseSettings { up: [-2.0, 0.0, 0.0], ahead: [0.0, 0.0, 3.0], ..SMOOTH }, |[r, a, u]| [-u, -r, a]),
    ];
    let ride = |(settings, to_user): (ChaseSettings, ToUser)| {
        let mut camera = camera(settings);
        let up = settings.up.map(|c| c as f32);
        for i in 0..200 {
            let t = i as f64 * 0.02;
            let position = to_user([t.sin() * 5.0, t * 3.0, 0.3 * t]);
            let rotation = Rotation::from_axis_angle(up, (0.8 * t) as f32);
            frame(&mut camera, 0.02, Pose64::new(position, rotation));
        }
        camera.shot()
    };
    let reference = ride(worlds[0]);
    for world in worlds {
        let (settings, to_user) = world;
        let shot = ride(world);
        assert!(distance(shot.eye, to_user(reference.eye)) < 1e-5);
        assert!(distance(shot.forward, to_user(reference.forward)) < 1e-6);
        let unit = |v: [f64; 3]| v.map(|c| (c / distance(v, [0.0; 3])) as f32);
        let looks = shot.rotation.rotate(unit(settings.ahead)).map(f64::from);
        assert!(distance(looks, shot.forward) < 1e-6, "the rotation turns ahead into forward");
        let right = shot.rotation.rotate(to_user([1.0, 0.0, 0.0]).map(|c| c as f32));
        let tilt: f32 = right.iter().zip(unit(settings.up)).map(|(a, b)| a * b).sum();
        assert!(tilt.abs() < 1e-6, "the horizon is level");
    }
}

#[test]
fn behind_a_turning_body_the_heading_lags_the_same_at_every_frame_rate() {
    let lag = |frames_per_second: f64| {
        let mut camera = camera(SMOOTH);
        let dt = 1.0 / frames_per_second;
        let mut angle = 0.0;
        frame(&mut camera, 0.0, turned(0.0));
        for _ in 0..(6.0 * frames_per_second) as usize {
            angle += 2.0 * dt;
            frame(&mut camera, dt, turned(angle));
        }
        let [x, y, _] = camera.shot().forward;
        (angle - (-x).atan2(y)).rem_euclid(2.0 * PI)
    };
    for frames_per_second in [30.0, 60.0, 144.0, 240.0] {
        assert!((lag(frames_per_second) - 2.0 / 4.5).abs() < 1e-5, "{}", lag(frames_per_second));
    }
}

#[test]
fn an_about_turn_swings_around_on_a_level() {
    let mut camera = camera(SMOOTH);
    frame(&mut camera, 0.0, turned(0.0));
    let mut sideways = 0.0f64;
    for _ in 0..200 {
        let forward = frame(&mut camera, 1.0 / 60.0, turned(PI)).forward;
        assert!((forward[2] + 0.291f64.sin()).abs() < 1e-12, "{forward:?}");
        sideways = sideways.max(forward[0].abs());
    }
    assert!(sideways > 0.9);
    assert!(camera.shot().forward[1] < -0.9);
}

#[test]
fn orbit_and_pitch_are_turned_to_gently() {
    let mut camera = camera(SMOOTH);
    frame(&mut camera, 0.0, turned(0.0));
    camera.set_settings(ChaseSettings { orbit: FRAC_PI_2, pitch: 0.0, ..SMOOTH }).unwrap();
    let one = frame(&mut camera, 1.0 / 60.0, turned(0.0)).forward;
    assert!(one[0] < 0.0 && one[0] > -0.2, "{one:?}");
    for _ in 0..600 {
        frame(&mut camera, 1.0 / 60.0, turned(0.0));
    }
    assert!(distance(camera.shot().forward, [-1.0, 0.0, 0.0]) < 1e-15);
}

#[test]
fn a_body_upside_down_keeps_the_heading_it_had() {
    let mut camera = camera(SMOOTH);
    frame(&mut camera, 0.0, turned(1.0));
    let before = camera.shot();
    let over = Rotation::from_axis_angle([1.0, 0.0, 0.0], core::f32::consts::PI);
    let over = Rotation { w: 0.0, ..over };
    assert_eq!(frame(&mut camera, 0.02, Pose64::new([0.0; 3], over)).forward, before.forward);
}

#[test]
fn what_is_not_finite_is_ignored_and_counted() {
    let mut camera = camera(SMOOTH);
    let body = at([1.0, 2.0, 3.0]);
    frame(&mut camera, 0.0, body);
    let before = camera.shot();
    let bad = Rotation { w: f32::NAN, ..Rotation::IDENTITY };
    let targets = [at([f64::NAN, 0.0, 0.0]), at([0.0, f64::INFINITY, 0.0]), Pose64::new([0.0; 3], bad)];
    for target in targets {
        assert_eq!(frame(&mut camera, 0.02, target), before);
    }
    assert_eq!(camera.counts().targets, 3);
    for seconds in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.5] {
        assert_eq!(camera.advance(seconds, at([7.0; 3]).into_subject(), |_, eye| eye), before);
    }
    assert_eq!(camera.counts().times, 4);
    assert_eq!(frame(&mut camera, 0.02, body), before, "nothing of it left a trace");
}

#[test]
fn a_frame_in_which_no_time_passes_moves_nothing() {
    let mut camera = camera(SMOOTH);
    frame(&mut camera, 0.0, at([0.0; 3]));
    let eye = camera.shot().eye;
    assert_eq!(frame(&mut camera, 0.0, at([1.0, 0.0, 0.0])).eye, eye);
    assert_eq!(camera.counts().times, 0);
}

#[test]
fn a_rebase_is_not_seen() {
    let mut still = camera(ChaseSettings { height_hold: Some(9.0), ..SMOOTH });
    let mut moved = still.clone();
    for i in 0..100 {
        let [x, z] = [i as f64 * 0.1, (i % 10) as f64];
        let a = frame(&mut still, 0.016, at([x, 0.0, z]));
        let far = if i < 50 { 0.0 } else { 4096.0 };
        if i == 50 {
            moved.rebase(|place| *place = [place[0] + far, place[1] - far, place[2] + far]);
        }
        let b = frame(&mut moved, 0.016, at([x + far, -far, z + far]));
        assert!(distance(on_screen(a), on_screen(b)) < 1e-9);
    }
}

#[test]
fn what_can_never_work_is_refused_with_its_number() {
    let nan = f64::NAN;
    let bad: [(ChaseSettings, &str, &str); 12] = [
        (ChaseSettings { look_rate: -1.0, ..SMOOTH }, "look_rate", "-1"),
        (ChaseSettings { distance: -2.5, ..SMOOTH }, "distance", "-2.5"),
        (ChaseSettings { distance: nan, ..SMOOTH }, "distance", "NaN"),
        (ChaseSettings { rate: 0.0, ..SMOOTH }, "rate", "0"),
        (ChaseSettings { lift: f64::INFINITY, ..SMOOTH }, "lift", "inf"),
        (ChaseSettings { pitch: 1.6, ..SMOOTH }, "pitch", "1.6"),
        (ChaseSettings { orbit: nan, ..SMOOTH }, "orbit", "NaN"),
        (ChaseSettings { fade: [0.5, 0.4], ..SMOOTH }, "fade[1]", "0.4"),
        (ChaseSettings { height_hold: Some(-1.0), ..SMOOTH }, "height_hold", "-1"),
        (ChaseSettings { settle: -3.0, ..SMOOTH }, "settle", "-3"),
        (ChaseSettings { up: [0.0; 3], ..SMOOTH }, "up", "0"),
        (ChaseSettings { ahead: [0.0, 0.0, 5.0], ..SMOOTH }, "ahead", "0"),
    ];
    for (settings, what, number) in bad {
        let text = ChaseCamera::new(settings).unwrap_err().to_string();
        assert!(text.contains(what) && text.contains(&format!("is {number}: give")), "{text}");
        assert!(camera(SMOOTH).set_settings(settings).is_err());
    }
}

#[test]
fn a_clone_is_a_save() {
    let mut camera = camera(SMOOTH);
    frame(&mut camera, 0.0, at([0.0; 3]));
    let mut saved = camera.clone();
    let first = frame(&mut camera, 0.02, at([1.0, 0.0, 0.0]));
    assert_eq!(frame(&mut saved, 0.02, at([1.0, 0.0, 0.0])), first);
    #[cfg(feature = "serde")]
    {
        let text = serde_json::to_string(&camera).unwrap();
        assert_eq!(serde_json::from_str::<ChaseCamera>(&text).unwrap(), camera);
    }
}

proptest! {
    #[test]
    fn any_ride_gives_a_usable_shot(
        rule in prop_oneof![Just(ChaseRule::PerFrame), Just(ChaseRule::Smooth)],
        hold in prop::option::of(0.0..10.0f64),
        rigid in any::<bool>(), away in prop_oneof![Just(0.0), Just(2.61), Just(1e9)],
        ride in prop::collection::vec(
            (0..8u8, extreme(), [extreme(), extreme(), extreme()], any::<[f32; 4]>(), any::<bool>()), 1..40,
        ),
    ) {
        let look_rate = if rigid { f64::INFINITY } else { 4.5 };
        let mut camera = camera(ChaseSettings { rule, height_hold: hold, look_rate, distance: away, ..SMOOTH });
        for (what, number, position, [x, y, z, w], cut) in ride {
            match what {
                0 => camera.rebase(|place| *place = core::array::from_fn(|i| place[i] + position[i])),
                1 => camera.set_look(number, position[0]),
                2 => camera.release_height(),
                3 => {
                    let _ = camera.set_settings(ChaseSettings { lift: number, rate: position[0], ..*camera.settings() });
                }
                _ => {}
            }
            let pose = Pose64::new(position, Rotation { x, y, z, w });
            let wall = |_: [f64; 3], eye: [f64; 3]| if what == 4 { [number, eye[1], position[2]] } else { eye };
            let shot = camera.advance(number, Drawn { now: pose, before: pose, cut }, wall);
            prop_assert!(shot.eye.iter().chain(&shot.pivot).all(|c| c.is_finite()), "{shot:?}");
            prop_assert!((distance(shot.forward, [0.0; 3]) - 1.0).abs() < 1e-9, "{shot:?}");
            let length = shot.rotation.to_array().iter().map(|c| c * c).sum::<f32>();
            prop_assert!((length - 1.0).abs() < 1e-5, "{shot:?}");
            prop_assert!((0.0..=1.0).contains(&shot.body_opacity));
            #[cfg(feature = "serde")]
            {
                let text = serde_json::to_string(&camera).unwrap();
                prop_assert_eq!(&serde_json::from_str::<ChaseCamera>(&text).unwrap(), &camera);
            }
        }
        // Whatever it was: after a cut all is well.
        camera.cut();
        let body = at([1.0, 2.0, 3.0]);
        prop_assert!(camera.settings().rule != ChaseRule::Smooth || frame(&mut camera, 0.0, body) == camera.ideal(body));
    }

    #[test]
    fn more_frames_in_the_same_time_lead_to_the_same_place(
        ends in prop::collection::vec(prop::array::uniform3(-20.0..20.0f64), 2..6), parts in 2usize..7,
    ) {
        let (mut coarse, mut fine) = (camera(SMOOTH), camera(SMOOTH));
        frame(&mut coarse, 0.0, at(ends[0]));
        frame(&mut fine, 0.0, at(ends[0]));
        for pair in ends.windows(2) {
            frame(&mut coarse, 0.06, at(pair[1]));
            for part in 1..=parts {
                let t = part as f64 / parts as f64;
                let position = core::array::from_fn(|i| pair[0][i] + (pair[1][i] - pair[0][i]) * t);
                frame(&mut fine, 0.06 / parts as f64, at(position));
            }
            prop_assert!(distance(coarse.shot().eye, fine.shot().eye) < 1e-10);
        }
    }
}

#[test]
fn an_up_of_the_smallest_numbers_is_a_direction_too() {
    let settings =
        ChaseSettings { up: [0.0, 5e-324, 5e-324], ahead: [5e-324, 0.0, 0.0], ..ChaseSettings::y_up() };
    let mut camera = ChaseCamera::new(settings).unwrap();
    let shot = camera.update(Moment::newest(0.01), Pose64::default());
    let length: f64 = shot.forward.iter().map(|c| c * c).sum();
    assert!((length - 1.0).abs() < 1e-9, "{shot:?}");
}
