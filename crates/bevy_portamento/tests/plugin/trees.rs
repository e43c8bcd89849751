//! Descendants of what moves are drawn with it.

use crate::stage;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_portamento::Smooth;
use bevy_time::{Time, Virtual};
use bevy_transform::prelude::*;
use stage::{Goes, Stage, at, go, near};

#[derive(Component)]
struct Turns(f32);

fn turn(mut things: Query<(&mut Transform, &Turns)>) {
    for (mut transform, turns) in &mut things {
        transform.rotate_z(turns.0);
    }
}

#[test]
fn a_plain_child_follows_its_smooth_parent() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, (go, turn));
    let parent = stage.spawn((at(0.0), Smooth::default(), Goes(1.0), Turns(0.4)));
    let child = stage.spawn((at(10.0), ChildOf(parent)));
    let grandchild = stage.spawn((at(10.0), ChildOf(child)));
    stage.frame(0.15);
    let view = Transform { rotation: Quat::from_rotation_z(0.2), ..at(0.5) };
    for (thing, distance) in [(child, 10.0), (grandchild, 20.0)] {
        let want = view.transform_point(Vec3::X * distance);
        assert!(stage.drawn(thing).translation().abs_diff_eq(want, 1e-3), "{:?}", stage.drawn(thing));
    }
}

#[test]
fn a_smooth_child_of_a_smooth_parent_is_drawn_by_both_motions() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let ship = stage.spawn((at(100.0), Smooth::default(), Goes(1.0)));
    let deck = stage.spawn((at(5.0), ChildOf(ship)));
    let sailor = stage.spawn((at(0.0), Smooth::default(), Goes(-0.2), ChildOf(deck)));
    stage.frames(2, 0.1);
    for k in 0..20 {
        stage.frame(0.03);
        let ticks = 2.0 + 0.3 * (k + 1) as f32 - 1.0;
        assert!(near(stage.x(ship), 100.0 + ticks), "{}", stage.x(ship));
        assert!(near(stage.x(deck), 105.0 + ticks), "{}", stage.x(deck));
        assert!(near(stage.x(sailor), 105.0 + 0.8 * ticks), "{}", stage.x(sailor));
    }
}

#[test]
fn a_smooth_child_of_a_parent_at_rest_or_not_smooth_moves_in_its_space() {
    for parent_is_smooth in [false, true] {
        let mut stage = Stage::new(10.0).with(FixedUpdate, go);
        let parent =
            stage.spawn(at(100.0).with_rotation(Quat::from_rotation_z(1.0)).with_scale(Vec3::splat(2.0)));
        if parent_is_smooth {
            stage.app.world_mut().entity_mut(parent).insert(Smooth::default());
        }
        let child = stage.spawn((at(0.0), Smooth::default(), Goes(1.0), ChildOf(parent)));
        stage.frame(0.125);
        let want = stage.truth(parent).transform_point(Vec3::X * 0.25);
        assert!(stage.drawn(child).translation().abs_diff_eq(want, 1e-3));
        assert_eq!(stage.drawn(parent), GlobalTransform::from(stage.truth(parent)));
    }
}

#[test]
fn a_child_spawned_on_something_moving_appears_where_it_is_drawn() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let parent = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(0.15);
    let child = stage.spawn((at(3.0), ChildOf(parent)));
    let smooth = stage.spawn((at(3.0), Smooth::default(), ChildOf(parent)));
    stage.frame(0.025);
    for thing in [child, smooth] {
        assert!(near(stage.x(thing), 3.75), "{}", stage.x(thing));
    }
}

#[test]
fn a_new_parent_takes_over_at_once() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let slow = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let fast = stage.spawn((at(0.0), Smooth::default(), Goes(4.0)));
    let plain = stage.spawn((at(0.5), ChildOf(slow)));
    let smooth = stage.spawn((at(0.5), Smooth::default(), ChildOf(slow)));
    stage.frame(0.15);
    for thing in [plain, smooth] {
        assert!(near(stage.x(thing), 1.0));
        stage.app.world_mut().entity_mut(thing).insert(ChildOf(fast));
    }
    stage.frame(0.025);
    for thing in [plain, smooth] {
        assert!(near(stage.x(thing), 3.5), "{}", stage.x(thing));
        stage.app.world_mut().entity_mut(thing).remove::<ChildOf>();
    }
    stage.frame(0.025);
    for thing in [plain, smooth] {
        assert!(near(stage.x(thing), 0.5), "{}", stage.x(thing));
    }
    stage.frames(3, 0.07);
}

#[test]
fn despawns_in_a_moving_tree_are_survived_in_every_schedule() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    for _ in 0..5 {
        let parent = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
        let middle = stage.spawn((at(1.0), ChildOf(parent)));
        let leaf = stage.spawn((at(1.0), Smooth::default(), Goes(1.0), ChildOf(middle)));
        let twig = stage.spawn((at(1.0), ChildOf(leaf)));
        stage.frames(3, 0.07);
        for thing in [twig, leaf, middle, parent] {
            // Between the picture and its taking back.
            stage.app.world_mut().entity_mut(thing).despawn();
            stage.frame(0.03);
        }
    }
}

#[test]
fn things_that_start_and_stop_in_changing_order_keep_their_passengers() {
    fn jerk(mut tick: Local<u32>, mut things: Query<(&mut Transform, &Goes)>) {
        *tick += 1;
        for (k, (mut transform, goes)) in things.iter_mut().enumerate() {
            if (*tick + k as u32 * 7) % 5 < 2 {
                transform.translation.x += goes.0;
            }
        }
    }
    let mut stage = Stage::new(10.0).with(FixedUpdate, jerk);
    let pairs: Vec<_> = (0..20)
        .map(|k| {
            let parent = stage.spawn((at(k as f32), Smooth::default(), Goes(1.0)));
            (parent, stage.spawn((at(0.5), ChildOf(parent))))
        })
        .collect();
    let mut most = 0;
    stage.frame(0.03);
    for _ in 0..200 {
        // `frame` also looks whether every change was marked.
        stage.frame(0.03);
        for &(parent, child) in &pairs {
            assert!(near(stage.x(child), stage.x(parent) + 0.5));
        }
        most = most.max(stage.changes());
    }
    assert!(most < 40, "not everything at once: {most}");
}

#[test]
fn below_anything_without_a_transform_nothing_is_placed() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let folder = stage.app.world_mut().spawn_empty().id();
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0), ChildOf(folder)));
    let shelf = stage.spawn((at(5.0), ChildOf(folder)));
    let other = stage.spawn((at(0.0), Smooth::default(), Goes(1.0), ChildOf(shelf)));
    for _ in 0..10 {
        stage.frame(0.03);
        assert_eq!((stage.x(thing), stage.x(other)), (0.0, 0.0), "as without the plugin");
    }
    assert_eq!((stage.truth(thing).translation.x, stage.truth(other).translation.x), (3.0, 3.0));
}

#[test]
fn a_cut_in_the_middle_of_a_tree_is_marked_below_it_while_time_stands() {
    for way in ["cut", "taken off", "put on again"] {
        let mut stage = Stage::new(10.0).with(FixedUpdate, go);
        let ship = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
        let sailor = stage.spawn((at(0.0), Smooth::default(), Goes(1.0), ChildOf(ship)));
        let hat = stage.spawn((at(0.0), ChildOf(sailor)));
        let parrot = stage.spawn((at(0.0), Smooth::default(), ChildOf(hat)));
        stage.frame(0.15);
        assert!([sailor, hat, parrot].into_iter().all(|thing| near(stage.x(thing), 1.0)));
        stage.app.world_mut().resource_mut::<Time<Virtual>>().pause();
        stage.frame(0.02);
        match way {
            "cut" => stage.cut(sailor),
            "taken off" => drop(stage.app.world_mut().entity_mut(sailor).remove::<Smooth>()),
            _ => drop(stage.app.world_mut().entity_mut(sailor).remove::<Smooth>().insert(Smooth::default())),
        }
        // `frame` looks whether the change was marked.
        stage.frame(0.02);
        for thing in [sailor, hat, parrot] {
            assert!(near(stage.x(thing), 1.5), "{way}: {}", stage.x(thing));
        }
    }
}

#[test]
fn what_moves_alone_and_gets_a_child_takes_it_along_at_once() {
    for late in [0, 1, 2, 3] {
        let mut stage = Stage::new(10.0).with(FixedUpdate, go);
        let things: Vec<_> =
            (0..40).map(|k| stage.spawn((at(k as f32), Smooth::default(), Goes(1.0)))).collect();
        stage.frames(4 + late, 0.04);
        let children: Vec<_> = things.iter().map(|&thing| stage.spawn((at(0.5), ChildOf(thing)))).collect();
        for _ in 0..8 {
            stage.frame(0.04);
            for (&thing, &child) in things.iter().zip(&children) {
                assert_eq!(stage.x(child), stage.x(thing) + 0.5);
            }
        }
        // And alone again.
        for &child in &children {
            stage.app.world_mut().entity_mut(child).despawn();
        }
        let before: Vec<_> = things.iter().map(|&thing| stage.x(thing)).collect();
        stage.frames(3, 0.1);
        for (&thing, before) in things.iter().zip(before) {
            assert!(near(stage.x(thing), before + 3.0), "{} {before}", stage.x(thing));
        }
    }
}
