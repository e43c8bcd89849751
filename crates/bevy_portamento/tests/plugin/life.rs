//! Things come and go, are hidden and copied, and the component is put on and taken off.

use crate::stage;

use bevy_app::prelude::*;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_portamento::{Rebase, Smooth, SmoothVelocity};
use bevy_transform::prelude::*;
use stage::{Goes, Stage, at, go, near};

#[derive(Resource, Default)]
struct Spawned(Option<Entity>);

#[test]
fn a_spawn_never_slides_and_its_first_tick_is_eased() {
    fn spawn(mut commands: Commands, mut tick: Local<u32>, mut spawned: ResMut<Spawned>) {
        *tick += 1;
        if *tick == 3 {
            spawned.0 = Some(commands.spawn((at(500.0), Smooth::default(), Goes(1.0))).id());
        }
    }
    for in_tick in [true, false] {
        let mut stage = Stage::new(10.0);
        stage.app.init_resource::<Spawned>();
        let mut stage = if in_tick {
            // Its first motion is in the tick after the one that spawns it.
            stage.with(FixedUpdate, go).with(FixedPostUpdate, spawn)
        } else {
            stage.with(FixedUpdate, go).with(Update, spawn)
        };
        let mut last = 500.0;
        for _ in 0..60 {
            stage.frame(0.04);
            if let Some(thing) = stage.app.world().resource::<Spawned>().0 {
                let x = stage.x(thing);
                assert!(x >= 500.0 && x - last <= 0.401, "from {last} to {x}");
                last = x;
            }
        }
        assert!(last > 510.0);
    }
}

#[test]
fn put_on_something_that_moves_it_eases_from_the_next_tick_on() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let thing = stage.spawn((at(0.0), Goes(1.0)));
    stage.frame(0.15);
    assert_eq!(stage.x(thing), 1.0);
    stage.app.world_mut().entity_mut(thing).insert(Smooth::default());
    stage.frame(0.01);
    assert_eq!(stage.x(thing), 1.0, "nothing is seen of it");
    stage.frame(0.09);
    assert!(near(stage.x(thing), 1.5), "{}", stage.x(thing));
}

#[test]
fn taken_off_it_stops_at_once_and_the_truth_is_drawn() {
    for in_update in [true, false] {
        let mut stage = Stage::new(10.0).with(FixedUpdate, go).with(
            Update,
            |mut commands: Commands, leaving: Query<Entity, With<Leaves>>| {
                for entity in &leaving {
                    commands.entity(entity).remove::<(Smooth, Leaves)>();
                }
            },
        );
        let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
        let parent = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
        let child = stage.spawn((at(1.0), ChildOf(parent)));
        stage.frame(0.15);
        assert!(near(stage.x(thing), 0.5) && near(stage.x(child), 1.5));
        for thing in [thing, parent] {
            if in_update {
                stage.app.world_mut().entity_mut(thing).insert(Leaves);
            } else {
                stage.app.world_mut().entity_mut(thing).remove::<Smooth>();
                assert_eq!(stage.x(thing), 1.0, "put back where it was taken off");
            }
        }
        stage.frame(0.01);
        assert_eq!((stage.x(thing), stage.x(parent), stage.x(child)), (1.0, 1.0, 2.0));
        stage.frame(0.09);
        assert_eq!((stage.x(thing), stage.x(parent), stage.x(child)), (2.0, 2.0, 3.0));
        assert_eq!(stage.app.world().entity(thing).archetype().component_count(), 4, "nothing stays behind");
    }
}

#[derive(Component)]
struct Leaves;

#[test]
fn put_on_once_more_it_goes_on_and_after_a_removal_from_the_truth() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(0.15);
    stage.app.world_mut().entity_mut(thing).insert(Smooth { rotation: false, ..Smooth::default() });
    stage.frame(0.02);
    assert!(near(stage.x(thing), 0.7), "{}", stage.x(thing));
    stage.frame(0.08);
    assert!(near(stage.x(thing), 1.5), "{}", stage.x(thing));
    stage.app.world_mut().entity_mut(thing).remove::<Smooth>().insert(Smooth::default());
    stage.frame(0.02);
    assert_eq!(stage.x(thing), 2.0);
    stage.frame(0.08);
    assert!(near(stage.x(thing), 2.5), "{}", stage.x(thing));
}

#[test]
fn a_copy_does_not_inherit_the_view() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(0.15);
    let copy = stage.app.world_mut().entity_mut(thing).clone_and_spawn();
    stage.frame(0.02);
    assert_eq!((stage.truth(copy), stage.x(copy)), (stage.truth(thing), 1.0));
    stage.frame(0.08);
    assert!(near(stage.x(copy), 1.5) && near(stage.x(thing), 1.5));
}

#[test]
fn coming_back_from_hiding_is_a_cut() {
    fn drift(mut hidden: Query<&mut Transform, With<Disabled>>) {
        for mut transform in &mut hidden {
            transform.translation.x = 700.0;
        }
    }
    let mut stage = Stage::new(10.0).with(FixedUpdate, go).with(FixedPreUpdate, drift);
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(0.15);
    stage.app.world_mut().entity_mut(thing).insert(Disabled);
    stage.frames(10, 0.05);
    stage.app.world_mut().entity_mut(thing).remove::<Disabled>();
    for _ in 0..10 {
        stage.frame(0.04);
        // Bevy itself leaves what was hidden where it was, until it is written again.
        assert!(stage.x(thing) == 1.0 || stage.x(thing) >= 700.0, "{}", stage.x(thing));
    }
    assert!(stage.x(thing) > 701.0);
    assert!(stage.x(thing) < stage.truth(thing).translation.x, "and eased again");
}

#[test]
fn a_moved_origin_is_not_seen() {
    fn rebase(mut commands: Commands, mut count: Local<u32>, flag: Option<Res<Moves>>) {
        *count += 1;
        if flag.is_some() && count.is_multiple_of(3) {
            commands.queue(Rebase(Vec3::new(-1024.0, 0.0, 0.0)));
        }
    }
    #[derive(Resource)]
    struct Moves;
    for in_tick in [true, false] {
        let stages = [false, true].map(|moves| {
            let mut stage = Stage::new(20.0);
            if moves {
                stage.app.insert_resource(Moves);
            }
            if in_tick {
                stage.with(FixedUpdate, (go, rebase).chain())
            } else {
                stage.with(FixedUpdate, go).with(Update, rebase)
            }
        });
        let [mut still, mut moved] = stages;
        let [a, b] = [&mut still, &mut moved].map(|stage| {
            let ship = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
            let sailor = stage.spawn((at(2.0), Smooth::default(), Goes(-0.5), ChildOf(ship)));
            [ship, sailor, stage.spawn((at(7.0), Name::new("buoy")))]
        });
        for seconds in stage::uneven(60.0, 2).take(120) {
            still.frame(seconds);
            moved.frame(seconds);
            let origin = moved.x(b[2]) - 7.0;
            for (a, b) in a.into_iter().zip(b) {
                assert!((moved.x(b) - origin - still.x(a)).abs() < 2e-2, "{} {}", moved.x(b), still.x(a));
            }
        }
        assert!(moved.x(b[2]) < -10_000.0);
    }
}

#[test]
fn velocities_bend_the_way_between_ticks() {
    // A ball in free fall: what lies between two ticks of it is known.
    const G: f32 = -10.0;
    fn fall(mut balls: Query<(&mut Transform, &mut SmoothVelocity)>, mut time: Local<f32>) {
        *time += 0.1;
        for (mut transform, mut velocity) in &mut balls {
            transform.translation.y = G / 2.0 * *time * *time;
            transform.rotation = bevy_math::Quat::from_rotation_z(50.0 * *time);
            velocity.linear.y = G * *time;
        }
    }
    let mut stage = Stage::new(10.0).with(FixedUpdate, fall);
    let angular = Vec3::new(0.0, 0.0, 50.0); // five radians a tick: the short way is the wrong one
    let ball = stage.spawn((at(0.0), SmoothVelocity { linear: Vec3::ZERO, angular }));
    for frame in 1..200 {
        stage.frame(0.007);
        let t = (0.007 * frame as f32 - 0.1).max(0.0);
        let (_, rotation, translation) = stage.drawn(ball).to_scale_rotation_translation();
        assert!((translation.y - G / 2.0 * t * t).abs() < 1e-3, "{t}: {translation}");
        let turned = bevy_math::Quat::from_rotation_z(50.0 * t);
        assert!(rotation.angle_between(turned) < 1e-2, "{t}");
    }
}

#[test]
fn a_velocity_without_motion_swings_nothing() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let velocity = SmoothVelocity { linear: Vec3::new(0.0, 9.0, 0.0), angular: Vec3::ONE };
    let pressed = stage.spawn((at(0.0), velocity));
    let slides = stage.spawn((at(0.0), velocity, Goes(1.0)));
    stage.frame(0.1);
    for _ in 0..20 {
        stage.frame(0.03);
        assert_eq!(stage.drawn(pressed), GlobalTransform::from(stage.truth(pressed)));
        assert_eq!(stage.drawn(slides).rotation(), bevy_math::Quat::IDENTITY, "it moves, but does not turn");
    }
}

#[test]
fn it_works_where_a_marker_for_disabled_things_is_kept_apart() {
    #[derive(Component)]
    #[component(storage = "SparseSet")]
    struct Asleep;

    let mut stage = Stage::bare(10.0).with(FixedUpdate, go);
    stage.app.world_mut().register_disabling_component::<Asleep>();
    stage.app.add_plugins(bevy_portamento::PortamentoPlugin);
    stage.frame(0.0);
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let still = stage.spawn((at(3.0), Smooth::default()));
    stage.spawn((at(3.0), Smooth::default(), Goes(1.0), Asleep));
    stage.frame(0.15);
    for k in 1..10 {
        stage.frame(0.02);
        assert!(near(stage.x(thing), 0.5 + 0.2 * k as f32), "{}", stage.x(thing));
        assert_eq!((stage.x(still), stage.changes()), (3.0, 1));
    }
}

#[test]
fn a_moved_origin_takes_the_curves_along() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    // A curve is made when the tick ends, and the origin moves later.
    let velocity = SmoothVelocity { linear: Vec3::X * 10.0, angular: Vec3::ZERO };
    let thing = stage.spawn((at(0.0), velocity, Goes(1.0)));
    stage.frame(0.1);
    stage.frame(0.05);
    assert!(near(stage.x(thing), 0.5), "{}", stage.x(thing));
    Rebase(Vec3::new(-1024.0, 0.0, 0.0)).apply(stage.app.world_mut());
    stage.frame(0.025);
    assert!(near(stage.x(thing), 0.75 - 1024.0), "{}", stage.x(thing));
}

#[test]
fn without_its_velocity_a_thing_goes_straight_again() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let velocity = SmoothVelocity { linear: Vec3::X * 10.0, angular: Vec3::ZERO };
    let thing = stage.spawn((at(0.0), velocity, Goes(1.0)));
    stage.frame(0.15);
    stage.app.world_mut().entity_mut(thing).remove::<SmoothVelocity>();
    stage.frame(0.1);
    assert!(near(stage.x(thing), 1.5), "{}", stage.x(thing));
}

#[test]
fn a_velocity_that_comes_in_the_middle_of_a_tick_does_not_hold_that_tick_up() {
    fn learn(mut commands: Commands, things: Query<Entity, With<Goes>>, mut tick: Local<u32>) {
        *tick += 1;
        if *tick == 3 {
            let velocity = SmoothVelocity { linear: Vec3::X * 10.0, angular: Vec3::ZERO };
            for thing in &things {
                commands.entity(thing).insert(velocity);
            }
        }
    }
    let mut stage = Stage::new(10.0).with(FixedUpdate, (go, learn));
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(0.1);
    for k in 1..60 {
        stage.frame(0.01);
        assert!((stage.x(thing) - 0.1 * k as f32).abs() < 1e-3, "frame {k}: {}", stage.x(thing));
    }
}
