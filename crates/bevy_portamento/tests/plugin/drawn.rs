//! What is drawn of one entity: between its ticks, when something else writes it, across a jump.

use crate::stage;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_portamento::{Cut, CutCommand, Smooth, SmoothVelocity};
use bevy_transform::prelude::*;
use stage::{Goes, Stage, at, go, near};

#[test]
fn the_picture_goes_evenly_whatever_the_two_rates() {
    for (hz, fps) in [(20.0, 60.0), (60.0, 144.0), (20.0, 240.0), (60.0, 30.0), (64.0, 60.0), (60.0, 60.0)] {
        let mut stage = Stage::new(hz).with(FixedUpdate, go);
        // Ten units a second.
        let ball = stage.spawn((at(0.0), Smooth::default(), Goes((10.0 / hz) as f32)));
        stage.frames((0.5 * fps) as usize, 1.0 / fps);
        for _ in 0..200 {
            let before = stage.x(ball);
            stage.frame(1.0 / fps);
            let step = stage.x(ball) - before;
            assert!((f64::from(step) - 10.0 / fps).abs() < 1e-4, "{hz} Hz, {fps} frames/s: {step}");
            let behind = stage.truth(ball).translation.x - stage.x(ball);
            assert!((-1e-4..=10.0 / hz as f32 + 1e-4).contains(&behind), "one tick behind at most: {behind}");
        }
    }
}

#[test]
fn uneven_frames_are_drawn_at_their_own_time() {
    let mut stage = Stage::new(60.0).with(FixedUpdate, go);
    let ball = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let mut time = 0.0;
    for seconds in stage::uneven(100.0, 5).take(500) {
        stage.frame(seconds);
        time += (seconds * 1e9).floor() / 1e9;
        let place = (time * 60.0 - 1.0).max(0.0);
        assert!((f64::from(stage.x(ball)) - place).abs() < 1e-3, "{} is not {place}", stage.x(ball));
    }
}

#[test]
fn ten_thousand_are_drawn_like_one() {
    let mut stage = Stage::new(20.0).with(FixedUpdate, go);
    let one = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.app.update();
    let many: Vec<_> = (0..10_000)
        .map(|k| {
            let thing = stage.spawn((at(0.0), Smooth::default()));
            if k % 3 != 0 {
                stage.app.world_mut().entity_mut(thing).insert(Goes(1.0));
            }
            thing
        })
        .collect();
    for _ in 0..7 {
        stage.frame(0.02);
        for (k, thing) in many.iter().enumerate() {
            let want = if k % 3 == 0 { 0.0 } else { stage.x(one) };
            assert_eq!(stage.x(*thing), want, "{k}");
        }
    }
    assert!(stage.x(one) > 1.0);
}

#[derive(Component)]
struct Looks;

fn look(mut heads: Query<&mut Transform, With<Looks>>) {
    for mut transform in &mut heads {
        transform.rotate_y(0.05);
    }
}

#[derive(Component)]
struct Layered;

fn layer(mut sprites: Query<&mut Transform, With<Layered>>, mut frame: Local<f32>) {
    *frame += 1.0;
    for mut transform in &mut sprites {
        transform.translation.z = *frame;
    }
}

#[test]
fn what_update_turns_or_layers_loses_no_motion() {
    for (hz, fps) in [(60.0, 144.0), (20.0, 60.0), (60.0, 30.0)] {
        let mut stage = Stage::new(hz).with(FixedUpdate, go).with(Update, (look, layer));
        let goes = Goes((60.0 / hz) as f32); // 600 in ten seconds
        let plain = stage.spawn((at(0.0), Smooth::default(), goes));
        let looking = stage.spawn((at(0.0), Smooth::default(), goes, Looks));
        let layered = stage.spawn((at(0.0), Smooth::default(), goes, Layered));
        for frame in 1..=(10.0 * fps) as usize {
            stage.frame(1.0 / fps);
            assert_eq!(stage.x(looking), stage.x(plain), "to the bit");
            assert_eq!(stage.x(layered), stage.x(plain), "to the bit");
            let turned = Quat::from_rotation_y(0.05 * frame as f32);
            assert!(stage.drawn(looking).rotation().angle_between(turned) < 1e-2, "drawn at once");
            assert_eq!(stage.drawn(layered).translation().z, frame as f32, "drawn at once");
        }
        for thing in [plain, looking, layered] {
            let x = stage.truth(thing).translation.x;
            assert!((x - 600.0).abs() <= goes.0 + 1e-3, "{hz} Hz, {fps} frames/s: {x}");
        }
    }
}

#[test]
fn what_update_moves_is_seen_at_once_and_the_tick_plays_on_below() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let lift = stage.spawn((at(0.0), Smooth::default(), Goes(8.0)));
    stage.frame(0.1);
    stage.frame(0.025);
    assert!(near(stage.x(lift), 2.0));
    stage.get_mut::<Transform>(lift).translation.x += 100.0;
    stage.frame(0.025);
    assert!(near(stage.x(lift), 104.0), "a hundred more, and on its way: {}", stage.x(lift));
    stage.frame(0.05);
    assert!(near(stage.x(lift), 108.0), "the next tick begins where Update has put it: {}", stage.x(lift));
    stage.frame(0.05);
    assert!(near(stage.x(lift), 112.0), "{}", stage.x(lift));
}

#[derive(Component)]
struct Teleports {
    at_tick: u32,
}

fn teleport(
    mut commands: Commands,
    mut tick: Local<u32>,
    mut things: Query<(Entity, &mut Transform, &Teleports)>,
) {
    *tick += 1;
    for (entity, mut transform, when) in &mut things {
        if *tick == when.at_tick {
            commands.entity(entity).insert(Cut);
            transform.translation.x += 1000.0;
        }
    }
}

#[test]
fn a_cut_never_shows_a_place_between() {
    for order in ["jump, then walk", "walk, then jump"] {
        let stage = Stage::new(20.0);
        let mut stage = if order == "jump, then walk" {
            stage.with(FixedUpdate, (teleport, go).chain())
        } else {
            stage.with(FixedUpdate, (go, teleport).chain())
        };
        let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0), Teleports { at_tick: 5 }));
        let mut last = 0.0;
        for _ in 0..120 {
            stage.frame(1.0 / 60.0);
            let x = stage.x(thing);
            assert!(x <= 5.0 || x >= 1000.0, "{order}: {x}");
            assert!(x >= last, "{order}: back from {last} to {x}");
            last = x;
        }
        assert!(last > 1030.0, "and it walks on, eased: {last}");
    }
}

#[test]
fn a_cut_in_one_of_several_ticks_of_a_frame_leaves_the_later_ones_eased() {
    let mut stage = Stage::new(60.0).with(FixedUpdate, (teleport, go).chain());
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0), Teleports { at_tick: 3 }));
    stage.frame(4.5 / 60.0);
    assert_eq!(stage.truth(thing).translation.x, 1004.0);
    assert!(near(stage.x(thing), 1003.5), "{}", stage.x(thing));
}

#[test]
fn a_cut_from_update_drops_what_was_still_to_be_played() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(0.125);
    assert!(near(stage.x(thing), 0.25));
    stage.app.world_mut().commands().entity(thing).insert(at(500.0)).cut();
    stage.frame(0.025);
    assert_eq!(stage.x(thing), 500.0);
    stage.frame(0.05 + 0.05);
    assert!(near(stage.x(thing), 500.5), "the tick after it is eased: {}", stage.x(thing));
}

#[test]
fn a_cut_of_what_is_not_smooth_or_not_there_is_nothing() {
    let mut stage = Stage::new(10.0);
    let plain = stage.spawn(at(1.0));
    let gone = stage.spawn(at(2.0));
    let mut commands = stage.app.world_mut().commands();
    commands.entity(plain).cut();
    commands.entity(gone).despawn();
    commands.entity(gone).cut();
    stage.frame(0.1);
    assert_eq!(stage.x(plain), 1.0);
}

#[test]
fn parts_can_be_left_out() {
    fn wriggle(mut things: Query<&mut Transform>) {
        for mut transform in &mut things {
            transform.translation.x += 1.0;
            transform.rotate_z(0.2);
            transform.scale *= 2.0;
        }
    }
    let mut stage = Stage::new(10.0).with(FixedUpdate, wriggle);
    let parts = [
        Smooth::default(),
        Smooth { translation: false, ..Smooth::default() },
        Smooth { rotation: false, ..Smooth::default() },
        Smooth { scale: false, ..Smooth::default() },
        Smooth { translation: false, rotation: false, scale: false },
    ];
    let things = parts.map(|part| stage.spawn((at(0.0), part)));
    stage.frame(0.15);
    let drawn = things.map(|thing| {
        let (scale, rotation, translation) = stage.drawn(thing).to_scale_rotation_translation();
        let [x, angle, scale] = [translation.x, rotation.to_scaled_axis().z, scale.x];
        [near(x, 0.5), near(x, 1.0), near(angle, 0.1), near(angle, 0.2), near(scale, 1.5), near(scale, 2.0)]
    });
    let (eased, newest) = ([true, false], [false, true]);
    let want = [
        [eased, eased, eased],
        [newest, eased, eased],
        [eased, newest, eased],
        [eased, eased, newest],
        [newest, newest, newest],
    ];
    for (drawn, want) in drawn.iter().zip(want) {
        assert_eq!(drawn.as_slice(), want.as_flattened());
    }
}

#[test]
fn a_mirrored_thing_snaps_instead_of_passing_through_nothing() {
    fn flip(mut things: Query<&mut Transform>) {
        for mut transform in &mut things {
            transform.scale.x *= -1.0;
        }
    }
    let mut stage = Stage::new(10.0).with(FixedUpdate, flip);
    let thing = stage.spawn((at(0.0), Smooth::default()));
    for _ in 0..50 {
        stage.frame(0.03);
        let det = stage.drawn(thing).affine().matrix3.determinant();
        assert!(near(det.abs(), 1.0), "{det}");
    }
    assert_eq!(stage.drawn(thing).translation(), Vec3::ZERO);
}

/// As sprites do.
#[test]
fn what_turns_round_by_its_scale_goes_on() {
    let mut ticks = 0;
    let turn = move |mut things: Query<&mut Transform>| {
        ticks += 1;
        for mut transform in &mut things {
            transform.translation.x += 1.0;
            if ticks == 5 {
                transform.scale.x = -1.0;
            }
        }
    };
    for is_bent in [false, true] {
        let mut stage = Stage::new(20.0).with(FixedUpdate, turn);
        let thing = stage.spawn((at(0.0), Smooth::default()));
        if is_bent {
            let velocity = SmoothVelocity { linear: Vec3::X * 20.0, ..SmoothVelocity::default() };
            stage.app.world_mut().entity_mut(thing).insert(velocity);
        }
        stage.frames(12, 0.01);
        for frame in 12..40 {
            let before = stage.x(thing);
            stage.frame(0.01);
            assert!(
                near(stage.x(thing) - before, 0.2),
                "{is_bent}, frame {frame}: {before}, {}",
                stage.x(thing)
            );
            // It has turned when the picture is where the tick has ended.
            let width = stage.drawn(thing).affine().matrix3.x_axis.x;
            assert_eq!(width, if frame < 29 { 1.0 } else { -1.0 }, "{is_bent}, frame {frame}");
        }
    }
}

#[test]
fn drawing_twice_loses_nothing() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let flat = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let parent = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let child = stage.spawn((at(0.5), ChildOf(parent)));
    stage.frame(0.15);
    stage.app.world_mut().run_schedule(PostUpdate);
    assert!(near(stage.x(flat), 0.5) && near(stage.x(child), 1.0));
    for e in [flat, parent] {
        stage.app.world_mut().entity_mut(e).remove::<Goes>();
    }
    for _ in 0..10 {
        stage.frame(0.06);
    }
    assert_eq!((stage.x(flat), stage.x(parent), stage.x(child)), (1.0, 1.0, 1.5));
}
