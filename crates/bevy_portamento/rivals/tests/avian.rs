//! Physics does not know that it is drawn: avian 0.7 for a minute, with the plugin and without it, every row to the bit.

use avian3d::prelude::*;
use bevy_app::{TaskPoolPlugin, prelude::*};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_portamento::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::prelude::*;
use std::time::Duration;

/// Entities have other ids where a plugin brings observers of its own.
#[derive(Component, Clone, Copy)]
struct Number(u32);

/// One body or collider at the end of a tick.
type Row = (u32, [u32; 25]);

#[derive(Resource, Default)]
struct Diary(Vec<Row>);

fn note(
    mut diary: ResMut<Diary>,
    all: Query<(&Number, &Transform, &GlobalTransform, &Position, &avian3d::prelude::Rotation)>,
) {
    let mut rows: Vec<Row> = all
        .iter()
        .map(|(Number(number), local, _, position, rotation)| {
            let mut row = [0f32; 25];
            row[..3].copy_from_slice(&local.translation.to_array());
            row[3..7].copy_from_slice(&local.rotation.to_array());
            row[7..10].copy_from_slice(&local.scale.to_array());
            row[10..13].copy_from_slice(&position.0.to_array());
            row[13..17].copy_from_slice(&rotation.0.to_array());
            (*number, row.map(f32::to_bits))
        })
        .collect();
    rows.sort();
    diary.0.extend(rows);
}

#[derive(Component)]
struct Platform;

#[derive(Component)]
struct Walker;

fn drive(mut platforms: Query<&mut LinearVelocity, With<Platform>>, time: Res<Time>) {
    for mut velocity in &mut platforms {
        velocity.0 = Vec3::X * if time.elapsed_secs() % 4.0 < 2.0 { 1.5 } else { -1.5 };
    }
}

/// Turns back by its child's `GlobalTransform`, as a gun aims by its muzzle.
fn walk(mut walkers: Query<(&mut LinearVelocity, &Children), With<Walker>>, places: Query<&GlobalTransform>) {
    for (mut velocity, children) in &mut walkers {
        let aim = children.iter().find_map(|child| places.get(child).ok());
        let x = aim.map_or(0.0, |global| global.translation().x);
        velocity.x = if x > 4.0 {
            -2.0
        } else if x < -4.0 {
            2.0
        } else {
            velocity.x.signum() * 2.0
        };
    }
}

/// Spawns, gives other parents and adds colliders, in the schedule that it is added to.
fn meddle<const SCHEDULE: u32>(
    mut commands: Commands,
    mut run: Local<u32>,
    numbers: Query<(Entity, &Number)>,
) {
    *run += 1;
    let find = |wanted: u32| numbers.iter().find(|(_, n)| n.0 == wanted).map(|(entity, _)| entity);
    let base = 1000 * (SCHEDULE + 1);
    match *run % 97 {
        10 if *run < 900 => {
            let place = Transform::from_xyz(SCHEDULE as f32 - 4.0, 6.0, 0.3 * (*run % 7) as f32);
            let body = (RigidBody::Dynamic, Collider::cuboid(0.4, 0.4, 0.4), place, Number(base + *run));
            commands.spawn(body);
        }
        40 => {
            // A collider below the walker, which is on its way.
            if let (Some(walker), true) = (find(3), *run < 500) {
                let place = Transform::from_xyz(0.0, 0.2 * SCHEDULE as f32, 0.0);
                commands.spawn((Collider::sphere(0.2), place, ChildOf(walker), Number(base + 500 + *run)));
            }
        }
        60 => {
            if let (Some(child), Some(platform)) = (find(base + 10), find(2)) {
                commands.entity(child).insert(ChildOf(platform));
            }
        }
        80 => {
            if let Some(child) = find(base + 10) {
                commands.entity(child).remove::<ChildOf>();
            }
        }
        _ => {}
    }
}

fn world(smooth: bool, seconds: f64, meddling: bool) -> Vec<Row> {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, PhysicsPlugins::default()))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .init_resource::<Diary>()
        .add_systems(FixedUpdate, (drive, walk))
        .add_systems(FixedLast, note);
    if meddling {
        app.add_systems(First, meddle::<0>)
            .add_systems(PreUpdate, meddle::<1>)
            .add_systems(FixedUpdate, meddle::<2>)
            .add_systems(Update, meddle::<3>)
            .add_systems(PostUpdate, meddle::<4>)
            .add_systems(Last, meddle::<5>);
    }
    let mut number = 10;
    let mut next = || {
        number += 1;
        Number(number)
    };
    let world = app.world_mut();
    world.spawn((
        RigidBody::Static,
        Collider::cuboid(40.0, 1.0, 40.0),
        Transform::from_xyz(0.0, -0.5, 0.0),
        Number(1),
    ));
    for level in 0..6 {
        let place = Transform::from_xyz(0.02 * level as f32, 0.5 + 1.01 * level as f32, 3.0);
        world.spawn((RigidBody::Dynamic, Collider::cuboid(1.0, 1.0, 1.0), place, next()));
    }
    let ball = Transform::from_xyz(-8.0, 2.0, 3.1).with_rotation(Quat::from_rotation_y(0.3));
    world.spawn((RigidBody::Dynamic, Collider::sphere(0.5), ball, LinearVelocity(Vec3::X * 9.0), next()));
    let platform = Transform::from_xyz(0.0, 1.0, -3.0);
    world.spawn((RigidBody::Kinematic, Collider::cuboid(3.0, 0.2, 3.0), platform, Platform, Number(2)));
    world.spawn((
        RigidBody::Dynamic,
        Collider::cuboid(0.5, 0.5, 0.5),
        Transform::from_xyz(0.0, 1.5, -3.0),
        next(),
    ));
    let walker = world
        .spawn((
            RigidBody::Dynamic,
            LockedAxes::ROTATION_LOCKED,
            Transform::from_xyz(0.0, 1.0, 0.0),
            LinearVelocity(Vec3::X * 2.0),
            Walker,
            Number(3),
        ))
        .id();
    world.spawn((Collider::capsule(0.3, 1.0), Transform::from_xyz(0.1, 0.0, 0.0), ChildOf(walker), next()));
    if smooth {
        // After everything was spawned: that must not matter.
        app.add_plugins((PortamentoPlugin, PortamentoAvianPlugin));
    }
    app.finish();
    app.cleanup();
    let mut random = 7u32;
    let mut time = 0.0;
    while time < seconds {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let frame = (0.5 + f64::from(random) / f64::from(u32::MAX)) / 144.0;
        time += frame;
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(frame)));
        app.update();
    }
    if smooth {
        let world = app.world_mut();
        let bodies = world.query_filtered::<Entity, (With<RigidBody>, With<Smooth>)>().iter(world).count();
        assert!(bodies > 9, "all but static ones are smooth: {bodies}");
    }
    std::mem::take(&mut app.world_mut().resource_mut::<Diary>().0)
}

fn compare(meddling: bool) {
    let (with, without) = (world(true, 60.0, meddling), world(false, 60.0, meddling));
    let differing = with.iter().zip(&without).filter(|(a, b)| a != b).count();
    println!("{} rows, {differing} differ, meddling: {meddling}", with.len());
    if let Some((row, (a, b))) = with.iter().zip(&without).enumerate().find(|(_, (a, b))| a != b) {
        let numbers = |row: &Row| row.1.map(f32::from_bits);
        panic!(
            "{differing} of {} differ, first row {row}: {} {:?}\n{} {:?}",
            with.len(),
            a.0,
            numbers(a),
            b.0,
            numbers(b)
        );
    }
    assert_eq!(with.len(), without.len());
    assert!(with.len() > 35_000);
}

#[test]
fn a_stack_a_ball_a_platform_and_a_character_are_bit_equal_for_a_minute() {
    compare(false);
}

#[test]
fn also_with_spawning_other_parents_and_colliders_in_every_schedule() {
    compare(true);
}

#[test]
fn a_jump_of_position_is_a_cut_in_every_schedule() {
    fn jump(mut bodies: Query<&mut Position, With<Walker>>, mut run: Local<u32>) {
        *run += 1;
        if *run == 20 {
            for mut position in &mut bodies {
                position.x += 500.0;
            }
        }
    }
    macro_rules! run {
        ($($schedule:expr),*) => {$({
            let mut app = App::new();
            app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, PhysicsPlugins::default()))
                .add_plugins((PortamentoPlugin, PortamentoAvianPlugin))
                .insert_resource(Gravity(Vec3::ZERO))
                .insert_resource(Time::<Fixed>::from_hz(60.0))
                .add_systems($schedule, jump);
            let velocity = LinearVelocity(Vec3::X * 6.0);
            let body = (RigidBody::Dynamic, Collider::sphere(0.5), Transform::default(), velocity, Walker);
            let body = app.world_mut().spawn(body).id();
            app.finish();
            app.cleanup();
            app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 144));
            let (mut last, mut jumps) = (0.0, 0);
            for frame in 0..200 {
                app.update();
                let x = app.world().get::<GlobalTransform>(body).unwrap().translation().x;
                let step = x - last;
                assert!((-0.001..0.11).contains(&step) || step > 499.0, "{:?}, frame {frame}: a step of {step}", $schedule);
                jumps += usize::from(step > 499.0);
                if frame > 150 {
                    assert!((step - 6.0 / 144.0).abs() < 1e-3, "{:?}: smooth again, {step}", $schedule);
                }
                last = x;
            }
            assert_eq!(jumps, 1, "{:?}", $schedule);
        })*};
    }
    run![First, PreUpdate, FixedUpdate, Update, PostUpdate, Last];
}
