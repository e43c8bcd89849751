//! Law 4: rest is exact, and costs and reports nothing.

use crate::stage;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_portamento::Smooth;
use bevy_time::{Time, Virtual};
use bevy_transform::prelude::*;
use stage::{Goes, Stage, at, bits, go};

#[test]
fn a_hundred_motionless_things_report_no_change() {
    let mut stage = Stage::new(60.0).with(FixedUpdate, go);
    for k in 0..100 {
        let thing = stage.spawn((at(k as f32), Smooth::default()));
        if k % 2 == 0 {
            let child = stage.spawn((at(1.0), ChildOf(thing)));
            stage.spawn((at(1.0), Smooth::default(), ChildOf(child)));
        }
    }
    stage.frame(0.02);
    for _ in 0..100 {
        stage.frame(1.0 / 144.0);
        assert_eq!(stage.changes(), 0);
    }
}

#[test]
fn among_many_only_what_moves_reports() {
    let mut stage = Stage::new(20.0).with(FixedUpdate, go);
    for k in 0..95 {
        stage.spawn((at(k as f32), Smooth::default()));
    }
    for _ in 0..5 {
        stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    }
    stage.frames(10, 1.0 / 60.0);
    for _ in 0..60 {
        stage.frame(1.0 / 60.0);
        assert_eq!(stage.changes(), 5);
    }
}

#[derive(Component)]
struct StopsAt(f32);

fn stop(mut commands: Commands, things: Query<(Entity, &Transform, &StopsAt)>) {
    for (entity, transform, stops) in &things {
        if transform.translation.x >= stops.0 {
            commands.entity(entity).remove::<Goes>();
        }
    }
}

#[test]
fn what_stops_settles_on_the_truths_bits_and_falls_silent() {
    for fps in [60.0, 144.0, 30.0] {
        let mut stage = Stage::new(20.0).with(FixedUpdate, (go, stop).chain());
        let alone = stage.spawn((at(0.0), Smooth::default(), Goes(0.1), StopsAt(1.0)));
        let parent = stage.spawn((at(0.0), Smooth::default(), Goes(0.1), StopsAt(1.0)));
        let passenger = stage.spawn((at(0.3), ChildOf(parent)));
        let child = stage.spawn((at(0.3), Smooth::default(), ChildOf(passenger)));
        stage.frames(fps as usize, 1.0 / fps);
        for _ in 0..20 {
            stage.frame(1.0 / fps);
            assert_eq!(stage.changes(), 0, "{fps} frames/s");
        }
        let truth = stage.truth(alone);
        assert!(truth.translation.x >= 1.0);
        assert_eq!(stage.drawn(alone), GlobalTransform::from(truth));
        assert_eq!(bits(stage.drawn(alone).translation()), bits(truth.translation));
        let below = GlobalTransform::from(truth).mul_transform(stage.truth(passenger));
        assert_eq!(stage.drawn(passenger), below);
        assert_eq!(stage.drawn(child), below.mul_transform(stage.truth(child)));
    }
}

#[test]
fn a_paused_picture_stands_still_and_reports_nothing() {
    let mut stage = Stage::new(20.0).with(FixedUpdate, go);
    let parent = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.spawn((at(0.0), ChildOf(parent)));
    let alone = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frames(31, 1.0 / 60.0);
    let (shown, truth) = (stage.drawn(alone), stage.truth(alone));
    assert_ne!(shown, GlobalTransform::from(truth), "paused in the middle of a tick");
    stage.app.world_mut().resource_mut::<Time<Virtual>>().pause();
    for _ in 0..50 {
        stage.frame(1.0 / 60.0);
        assert_eq!((stage.drawn(alone), stage.changes()), (shown, 0));
        assert_eq!(stage.moment().presented(), 0.0);
    }
    stage.app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    stage.frame(1.0 / 60.0);
    assert!((stage.x(alone) - shown.translation().x - 1.0 / 3.0).abs() < 1e-3, "on from where it stood");
}

#[test]
fn what_update_writes_while_time_is_paused_is_seen() {
    fn write(mut things: Query<&mut Transform, With<Goes>>, mut frame: Local<f32>) {
        *frame += 1.0;
        for mut transform in &mut things {
            transform.translation.z = *frame;
            transform.rotate_z(0.1);
        }
    }
    let mut stage = Stage::new(20.0).with(FixedUpdate, go).with(Update, write);
    let parent = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let child = stage.spawn((at(0.5), ChildOf(parent)));
    let smooth = stage.spawn((at(0.5), Smooth::default(), Goes(1.0), ChildOf(child)));
    let alone = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frames(31, 1.0 / 60.0);
    stage.app.world_mut().resource_mut::<Time<Virtual>>().pause();
    for _ in 0..10 {
        let before = [parent, child, smooth, alone].map(|thing| stage.drawn(thing).translation());
        stage.frame(1.0 / 60.0); // which looks whether all changes were marked
        let now = [parent, child, smooth, alone].map(|thing| stage.drawn(thing).translation());
        for ((before, now), by) in before.into_iter().zip(now).zip([1.0, 1.0, 2.0, 1.0]) {
            assert!((now.z - before.z - by).abs() < 1e-4, "{before} {now}");
        }
    }
}

#[test]
fn many_that_move_alone_are_marked_as_in_a_world_without_the_plugin() {
    #[derive(Component)]
    struct Number(usize);
    #[derive(Resource, Default)]
    struct Seen(Vec<(usize, bool)>);
    fn see(mut seen: ResMut<Seen>, things: Query<(&Number, Ref<Transform>)>) {
        seen.0.extend(things.iter().map(|(number, transform)| (number.0, transform.is_changed())));
    }
    /// Of each hundred, other ones are moved in every tick.
    fn move_some(time: Res<Time>, mut things: Query<(&Number, &mut Transform)>) {
        let tick = (time.elapsed_secs() * 10.0).round() as usize;
        for (number, mut transform) in &mut things {
            if number.0 * tick % 100 < number.0 / 4 {
                transform.translation.x += 1.0;
            }
        }
    }
    let seen = |mut stage: Stage| {
        stage.app.init_resource::<Seen>().add_systems(FixedUpdate, (see, move_some).chain());
        stage.app.add_systems(Update, see).add_systems(Last, see);
        for k in 0..400 {
            stage.spawn((at(k as f32), Smooth::default(), Number(k)));
        }
        stage.frame(0.0);
        stage.frames(30, 0.04);
        stage.app.world_mut().remove_resource::<Seen>().unwrap().0
    };
    let mut bare = Stage::bare(10.0);
    bare.frame(0.0);
    let (with, without) = (seen(Stage::new(10.0)), seen(bare));
    assert!(with.iter().filter(|(_, changed)| *changed).count() > 2000);
    assert!(with == without);
}
