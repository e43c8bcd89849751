//! Schedules outside of the fixed ones that the user declares as simulating, as bevy_ggrs's in `PreUpdate`.

use crate::stage::{self, Goes, Stage, at, go};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Quat;
use bevy_portamento::prelude::*;
use bevy_transform::TransformSystems;
use bevy_transform::prelude::*;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
enum Rollback {
    Advance,
    Again,
}

#[derive(Component)]
struct Number(u32);

#[derive(Resource, Default)]
struct Seen(Vec<[u32; 13]>);

fn look(mut seen: ResMut<Seen>, all: Query<(&Number, &GlobalTransform)>) {
    let mut rows: Vec<_> = all
        .iter()
        .map(|(Number(number), global)| {
            let mut row = [*number; 13];
            row[1..].copy_from_slice(&global.affine().to_cols_array().map(f32::to_bits));
            row
        })
        .collect();
    rows.sort();
    seen.0.extend(rows);
}

/// In `PreUpdate`, as often as the frame wants; every third time inside another simulating schedule.
fn roll_back(world: &mut World, mut frame: Local<u32>) {
    *frame += 1;
    for _ in 0..*frame % 4 {
        world.run_schedule(Rollback::Advance);
    }
}

fn again(world: &mut World, mut run: Local<u32>) {
    *run += 1;
    if run.is_multiple_of(3) {
        world.run_schedule(Rollback::Again);
    }
}

/// Writes what it sees into the truth: a picture would never come out again.
fn steer(mut all: Query<(&mut Transform, &GlobalTransform), With<Goes>>) {
    for (mut transform, global) in &mut all {
        transform.translation.y += 0.01 * global.translation().x;
    }
}

fn forest(stage: &mut Stage) {
    for k in 0..4 {
        stage.spawn((at(k as f32), Number(k), Smooth::default(), Goes(1.0)));
        let root = stage.spawn((at(k as f32), Number(10 + k), Smooth::default(), Goes(0.5)));
        let middle = stage.spawn((at(1.0).with_rotation(Quat::from_rotation_y(0.3)), ChildOf(root)));
        let leaf = stage.spawn((at(1.0), Number(20 + k), Smooth::default(), Goes(0.25), ChildOf(middle)));
        stage.spawn((at(2.0), Number(30 + k), ChildOf(leaf)));
    }
}

fn seen(plugin: bool, declared: bool, fps: f64) -> Vec<[u32; 13]> {
    let mut stage = Stage::bare(30.0);
    // Systems before and after the declaration, none of them ordered against it.
    stage.app.init_schedule(Rollback::Advance).add_systems(Rollback::Advance, look);
    if plugin {
        stage.app.add_plugins(PortamentoPlugin);
    }
    if declared {
        stage.app.add_plugins((SimulatingSchedule(Rollback::Advance), SimulatingSchedule(Rollback::Again)));
    }
    let mut stage = stage
        .with(Rollback::Advance, (again, look, steer, look).chain())
        .with(Rollback::Again, look)
        .with(FixedUpdate, go)
        .with(FixedUpdate, |world: &mut World| {
            // Inside a tick the truth stays when the schedule is over.
            world.run_schedule(Rollback::Again);
            world.run_system_cached(look).unwrap();
        })
        .with(PreUpdate, roll_back);
    stage.app.init_resource::<Seen>();
    forest(&mut stage);
    for seconds in stage::uneven(fps, 5).take((3.0 * fps) as usize) {
        stage.frame(seconds);
    }
    std::mem::take(&mut stage.app.world_mut().resource_mut::<Seen>().0)
}

#[test]
fn in_a_declared_schedule_global_transform_is_the_truth_to_the_bit() {
    for fps in [20.0, 60.0, 144.0] {
        let (with, without) = (seen(true, true, fps), seen(false, false, fps));
        assert!(with.len() > 1000);
        assert_ne!(seen(true, false, fps), without, "undeclared, it has the picture");
        for (k, (with, without)) in with.iter().zip(&without).enumerate() {
            assert_eq!(with, without, "{fps} frames/s, look {k}");
        }
        assert_eq!(with.len(), without.len());
    }
}

#[test]
fn after_a_declared_schedule_it_is_what_was_drawn_last() {
    #[derive(Resource, Default)]
    struct Screen(Vec<(Entity, GlobalTransform)>, usize);
    fn photograph(mut screen: ResMut<Screen>, all: Query<(Entity, &GlobalTransform)>) {
        screen.0 = all.iter().map(|(entity, global)| (entity, *global)).collect();
    }
    fn compare(mut screen: ResMut<Screen>, all: Query<&GlobalTransform>) {
        for (entity, shown) in &screen.0 {
            assert_eq!(all.get(*entity).unwrap(), shown, "{entity}");
        }
        screen.1 += screen.0.len();
    }
    let mut stage = Stage::new(30.0);
    stage.app.add_plugins((SimulatingSchedule(Rollback::Advance), SimulatingSchedule(Rollback::Again)));
    let mut stage = stage
        .with(Rollback::Advance, again)
        .with(Rollback::Again, || {})
        .with(FixedUpdate, go)
        .with(PreUpdate, (roll_back, compare).chain())
        .with(Update, compare)
        .with(PostUpdate, photograph.after(TransformSystems::Propagate));
    stage.app.init_resource::<Screen>();
    forest(&mut stage);
    for seconds in stage::uneven(100.0, 4).take(300) {
        stage.frame(seconds);
    }
    assert!(stage.app.world().resource::<Screen>().1 > 10_000);
}
