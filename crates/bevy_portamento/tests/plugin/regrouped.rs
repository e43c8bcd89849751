//! Law 1 while the hierarchy changes: whatever gets another parent, in place or not, is hidden, spawned or written, in
//! whichever schedule, a simulation sees what it would see without the plugin.

use crate::stage::{self, Goes, Stage, at, go, near};

use bevy_app::prelude::*;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::{Quat, Vec3};
use bevy_portamento::{PortamentoPlugin, SimulatingSchedule, Smooth, SmoothVelocity, Views};
use bevy_time::TimeUpdateStrategy;
use bevy_transform::TransformSystems;
use bevy_transform::prelude::*;
use std::collections::HashSet;
use std::time::Duration;

/// Entities have other numbers where a plugin brings some of its own.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Number(u32);

/// What one tick saw of one entity.
struct Row {
    number: u32,
    transform: Transform,
    global: GlobalTransform,
    /// Bevy itself has not propagated it, because it was hidden when it was due.
    is_stale: bool,
}

#[derive(Resource, Default)]
struct Diary(Vec<Row>);

#[derive(Resource, Default)]
struct Stale(HashSet<u32>);

fn see(mut diary: ResMut<Diary>, stale: Res<Stale>, things: Query<(&Number, &Transform, &GlobalTransform)>) {
    let mut seen: Vec<_> = things.iter().collect();
    seen.sort_by_key(|thing| thing.0);
    diary.0.extend(seen.into_iter().map(|(number, transform, global)| Row {
        number: number.0,
        transform: *transform,
        global: *global,
        is_stale: stale.0.contains(&number.0),
    }));
}

type Thing<'w> = (Entity, &'w Number, &'w Transform, &'w GlobalTransform, Option<&'w ChildOf>, Has<Disabled>);

fn find_stale(mut stale: ResMut<Stale>, things: Query<Thing, Allow<Disabled>>) {
    stale.0.clear();
    for (mut entity, number, ..) in &things {
        loop {
            let (_, _, transform, global, parent, is_hidden) = things.get(entity).unwrap();
            let above = parent.map(|parent| things.get(parent.parent()).unwrap());
            let due =
                above.map_or((*transform).into(), |(_, _, _, above, ..)| above.mul_transform(*transform));
            if is_hidden || !due.affine().abs_diff_eq(global.affine(), 1e-3) {
                stale.0.insert(number.0);
                break;
            }
            match parent {
                Some(parent) => entity = parent.parent(),
                None => break,
            }
        }
    }
}

/// Which changes there are, besides new parents, spawns, despawns and `Smooth`.
#[derive(Clone, Copy, Debug, Default)]
struct Kinds {
    in_place: bool,
    writes: bool,
    hides: bool,
    /// A simulation outside of the fixed schedules runs and changes something too.
    rollback: bool,
}

#[derive(Resource)]
struct Changes {
    dice: u32,
    next: u32,
    kinds: Kinds,
}

impl Changes {
    fn below(&mut self, limit: u32) -> u32 {
        self.dice = self.dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.dice >> 8) % limit
    }
}

fn is_below(world: &World, mut low: Entity, high: Entity) -> bool {
    loop {
        if low == high {
            return true;
        }
        let Some(parent) = world.get::<ChildOf>(low) else { return false };
        low = parent.parent();
    }
}

/// One change in a few of the frames, in whichever schedules have this system; the same with the plugin and without it.
fn change(world: &mut World) {
    let mut all = world.query_filtered::<(&Number, Entity), Allow<Disabled>>();
    let mut things: Vec<_> = all.iter(world).map(|(number, entity)| (*number, entity)).collect();
    things.sort();
    let mut changes = world.resource_mut::<Changes>();
    let mut pick = || things[changes.below(things.len() as u32) as usize].1;
    let (one, other) = (pick(), pick());
    let (what, height) = (changes.below(50), changes.below(100) as f32 * 0.1);
    changes.next += 1;
    let (next, Kinds { in_place, writes, hides, .. }) = (changes.next, changes.kinds);
    let has_plugin = world.contains_resource::<bevy_portamento::FrameMoment>();
    let may_go_below = !is_below(world, other, one);
    let has_parent = world.get::<ChildOf>(one).is_some();
    let is_hidden = world.get::<Disabled>(one).is_some();
    let mut one = world.entity_mut(one);
    match what {
        0..3 if may_go_below => _ = one.insert(ChildOf(other)),
        3 => _ = one.remove::<ChildOf>(),
        4 if things.len() < 20 => {
            let goes = Goes((next % 3) as f32);
            world.spawn((Number(next), at((next % 10) as f32), goes, ChildOf(other)));
        }
        5 if things.len() > 8 && one.get::<Children>().is_none() => one.despawn(),
        6 if has_plugin => _ = one.insert(Smooth::default()),
        7 if has_plugin => _ = one.remove::<Smooth>(),
        8..11 if in_place && may_go_below => _ = one.set_parent_in_place(other),
        11..13 if in_place && has_parent => _ = one.remove_parent_in_place(),
        13 | 14 if writes => one.get_mut::<Transform>().unwrap().translation.y = height,
        15 if hides && is_hidden => _ = one.remove::<Disabled>(),
        15 | 16 if hides => _ = one.insert(Disabled),
        _ => {}
    }
}

/// Goes this way on its own axes, so that no two ways are the same.
fn move_on(mut things: Query<(&mut Transform, &Goes)>) {
    for (mut transform, goes) in things.iter_mut().filter(|thing| thing.1.0 != 0.0) {
        transform.translation.x += goes.0;
    }
}

/// A simulation outside of the fixed schedules.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Rollback;

fn run_rollback(world: &mut World, mut frames: Local<u32>) {
    *frames += 1;
    if frames.is_multiple_of(3) {
        world.run_schedule(Rollback);
    }
}

fn play(plugin: bool, seed: u32, kinds: Kinds) -> Vec<Row> {
    let mut stage = Stage::bare(60.0)
        .with(First, change)
        .with(PreUpdate, change)
        .with(RunFixedMainLoop, change.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop))
        .with(FixedUpdate, (see, move_on, change).chain())
        .with(Update, change)
        .with(PostUpdate, change.before(TransformSystems::Propagate))
        .with(PostUpdate, find_stale.after(TransformSystems::Propagate))
        .with(Last, change.before(stage::extract));
    if kinds.rollback {
        stage = stage.with(PreUpdate, run_rollback).with(Update, run_rollback);
    }
    stage.app.init_schedule(Rollback).add_systems(Rollback, (see, change).chain());
    stage.app.init_resource::<Diary>().init_resource::<Stale>();
    stage.app.insert_resource(Changes { dice: seed, next: 100, kinds });
    if plugin {
        stage.app.add_plugins((PortamentoPlugin, SimulatingSchedule(Rollback)));
    }
    for n in 0..10 {
        let turned = Quat::from_rotation_y(n as f32 * 0.2);
        let thing = stage.spawn((Number(n), at(n as f32).with_rotation(turned), Goes((n % 3) as f32)));
        if plugin && n % 2 == 0 {
            stage.app.world_mut().entity_mut(thing).insert(Smooth::default());
        }
    }
    for seconds in stage::uneven(100.0, seed).take(150) {
        if kinds.hides {
            // A renderer does not see marks of what is hidden again before it looks, without the plugin either.
            stage.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(seconds)));
            stage.app.update();
        } else {
            stage.frame(seconds);
        }
    }
    std::mem::take(&mut stage.app.world_mut().resource_mut::<Diary>().0)
}

/// Compares what ticks saw: to the bit, or to within rounding.
fn compare(seeds: u32, kinds: Kinds, is_exact: bool) {
    let seeds = std::env::var("SEEDS").map_or(seeds, |seeds| seeds.parse().unwrap());
    let mut seen = 0;
    for seed in 0..seeds {
        let (with, without) = (play(true, seed, kinds), play(false, seed, kinds));
        assert_eq!(with.len(), without.len(), "{kinds:?}, seed {seed}");
        for (k, (with, without)) in with.iter().zip(&without).enumerate() {
            assert_eq!(with.number, without.number, "{kinds:?}, seed {seed}, row {k}");
            let far = 2e-3 * (1.0 + without.global.translation().abs().max_element());
            let far = if is_exact { 0.0 } else { far };
            let local = |row: &Row| row.transform.compute_affine();
            let is_right = local(with).abs_diff_eq(local(without), far)
                && with.global.affine().abs_diff_eq(without.global.affine(), far);
            assert!(
                without.is_stale || is_right,
                "{kinds:?}, seed {seed}, row {k}, entity {}: {:?} and {:?}, without the plugin {:?} and {:?}",
                with.number,
                with.transform.translation,
                with.global.translation(),
                without.transform.translation,
                without.global.translation()
            );
            seen += u32::from(!without.is_stale);
        }
    }
    assert!(seen > 300 * seeds, "only {seen} rows were compared");
}

#[test]
fn whatever_is_regrouped_in_whichever_schedule_ticks_see_the_same_bits() {
    compare(60, Kinds::default(), true);
}

#[test]
fn what_is_regrouped_in_place_or_written_has_the_same_places_too() {
    compare(60, Kinds { in_place: true, rollback: true, ..Kinds::default() }, false);
    compare(60, Kinds { in_place: true, writes: true, ..Kinds::default() }, false);
}

/// What Bevy leaves stale is put right by the plugin as soon as something above it moves, and is not compared.
#[test]
fn what_is_hidden_and_comes_back_has_the_same_places_too() {
    compare(60, Kinds { hides: true, rollback: true, ..Kinds::default() }, false);
    compare(60, Kinds { hides: true, writes: true, ..Kinds::default() }, false);
}

/// Runs the same with the plugin and without it, and compares what `look` makes of both at the end.
fn both<R: PartialEq + std::fmt::Debug>(run: impl Fn(&mut Stage, bool) -> R, wanted: R) {
    for plugin in [false, true] {
        let mut stage = Stage::bare(10.0);
        if plugin {
            stage.app.add_plugins(PortamentoPlugin);
        }
        stage.frame(0.0);
        assert_eq!(run(&mut stage, plugin), wanted, "with the plugin: {plugin}");
    }
}

fn smooth(stage: &mut Stage, entity: Entity, plugin: bool) {
    if plugin {
        stage.app.world_mut().entity_mut(entity).insert(Smooth::default());
    }
}

/// The old parent is not there any more when the second change asks where the entity was.
#[test]
fn a_new_parent_in_a_tick_and_another_in_place_after_it() {
    type Change = fn(&mut World, [Entity; 4]);
    let in_update: [(Change, f32); 4] = [
        (|world, [_, body, _, other]| _ = world.entity_mut(body).set_parent_in_place(other), 156.0),
        (|world, [_, _, child, _]| _ = world.entity_mut(child).remove_parent_in_place(), 106.5),
        (|world, [_, body, _, other]| _ = world.entity_mut(other).set_parent_in_place(body), -156.0),
        (
            |world, [_, body, _, other]| {
                world.entity_mut(body).remove::<ChildOf>().set_parent_in_place(other);
            },
            156.0,
        ),
    ];
    for (k, (in_update, wanted)) in in_update.into_iter().enumerate() {
        both(
            |stage, plugin| {
                let car = stage.spawn(at(100.0));
                let next = stage.spawn(at(300.0));
                let other = stage.spawn(at(-50.0));
                let body = stage.spawn((at(1.0), Goes(1.0), ChildOf(car)));
                let child = stage.spawn((at(0.5), ChildOf(body)));
                smooth(stage, body, plugin);
                stage.app.add_systems(FixedUpdate, go);
                stage.frames(14, 0.04);
                stage.app.add_systems(FixedPostUpdate, move |world: &mut World| {
                    world.entity_mut(body).insert(ChildOf(next));
                });
                stage.app.add_systems(Update, move |world: &mut World| {
                    in_update(world, [next, body, child, other]);
                });
                // Five ticks so far, and the sixth in this frame.
                stage.frame(0.04);
                let changed = [body, child, other, body][k];
                stage.truth(changed).translation.x
            },
            wanted,
        );
    }
}

#[test]
fn a_child_that_a_tick_moved_and_that_leaves_in_place_after_it() {
    both(
        |stage, plugin| {
            let body = stage.spawn((at(0.0), Goes(1.0)));
            let child = stage.spawn((at(10.0), Goes(5.0), ChildOf(body)));
            smooth(stage, body, plugin);
            stage.app.add_systems(FixedUpdate, go);
            stage.frames(9, 0.04);
            stage.app.add_systems(Update, move |world: &mut World| {
                world.entity_mut(child).remove_parent_in_place();
            });
            stage.frame(0.04);
            (stage.truth(child).translation.x * 1e3).round()
        },
        28e3,
    );
}

/// Nothing can be read from the picture of what has no size.
#[test]
fn a_child_that_is_written_below_a_scale_of_zero_has_a_place() {
    for scale in [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0)] {
        both(
            |stage, plugin| {
                let body = stage.spawn((at(0.0).with_scale(scale), Goes(1.0)));
                let child = stage.spawn((at(4.0), ChildOf(body)));
                smooth(stage, body, plugin);
                stage.app.add_systems(FixedUpdate, go).add_systems(
                    FixedPreUpdate,
                    move |world: &mut World| {
                        assert!(world.get::<GlobalTransform>(child).unwrap().affine().is_finite());
                    },
                );
                stage.app.add_systems(PreUpdate, move |world: &mut World| {
                    world.get_mut::<Transform>(child).unwrap().translation.x += 1.0;
                });
                stage.frames(9, 0.04);
                stage.get_mut::<Transform>(child).translation.x = 3.0;
                stage.app.world_mut().entity_mut(body).remove::<Smooth>();
                stage.app.world_mut().entity_mut(child).remove_parent_in_place();
                stage.truth(child).translation.is_finite()
            },
            true,
        );
    }
}

/// Below a hidden parent Bevy propagates nothing: what is there stays where Bevy would have left it.
#[test]
fn children_that_outlive_a_hidden_parent_have_the_truth() {
    for (in_tick, is_child_smooth) in [(true, false), (false, false), (false, true)] {
        both(
            |stage, plugin| {
                let body = stage.spawn(at(1.0));
                let child = stage.spawn((at(0.5), ChildOf(body)));
                let moving = if is_child_smooth { child } else { body };
                stage.app.world_mut().entity_mut(moving).insert(Goes(1.0));
                smooth(stage, moving, plugin);
                stage.app.add_systems(FixedUpdate, go);
                stage.frames(14, 0.04);
                if in_tick {
                    stage.app.add_systems(FixedPostUpdate, move |world: &mut World| {
                        world.entity_mut(body).insert(Disabled);
                    });
                    stage.frame(0.04);
                } else {
                    stage.app.world_mut().entity_mut(body).insert(Disabled);
                }
                let mut seen = vec![stage.x(child)];
                for _ in 0..6 {
                    stage.app.update();
                    seen.push(stage.x(child));
                }
                seen
            },
            vec![6.5; 7],
        );
    }
}

#[test]
fn a_fresh_entity_with_a_place_of_its_own_goes_below_a_moving_parent() {
    both(
        |stage, plugin| {
            let body = stage.spawn((at(0.0), Goes(1.0)));
            smooth(stage, body, plugin);
            stage.app.add_systems(FixedUpdate, go);
            stage.frames(9, 0.04);
            let fresh = stage.spawn((at(9.0), GlobalTransform::from(at(9.0))));
            stage.app.world_mut().entity_mut(fresh).set_parent_in_place(body);
            stage.truth(fresh).translation.x
        },
        6.0,
    );
}

#[test]
fn a_clone_that_a_tick_makes_has_the_place_that_was_propagated() {
    both(
        |stage, plugin| {
            let body = stage.spawn((at(0.0), Goes(1.0)));
            smooth(stage, body, plugin);
            stage.app.add_systems(FixedUpdate, go);
            stage.frames(14, 0.04);
            stage.app.add_systems(FixedPostUpdate, move |world: &mut World| {
                let clone = world.entity_mut(body).clone_and_spawn();
                assert_eq!(world.get::<GlobalTransform>(clone).unwrap().translation().x, 5.0);
            });
            stage.frame(0.04);
            stage.truth(body).translation.x
        },
        6.0,
    );
}

/// A second marker on what is hidden already changes nothing of what Bevy has left, and neither does taking one away.
#[test]
fn what_is_hidden_twice_is_left_alone() {
    #[derive(Component)]
    struct Asleep;
    both(
        |stage, plugin| {
            stage.app.world_mut().register_disabling_component::<Asleep>();
            let body = stage.spawn((at(0.0), Goes(1.0)));
            let child = stage.spawn((at(0.5), ChildOf(body)));
            smooth(stage, body, plugin);
            stage.app.add_systems(FixedUpdate, go);
            stage.frames(14, 0.04);
            let mut seen = Vec::new();
            for step in 0..4 {
                match step {
                    0 => _ = stage.app.world_mut().entity_mut(body).insert(Disabled),
                    1 => stage.get_mut::<Transform>(body).translation.x = 70.0,
                    2 => _ = stage.app.world_mut().entity_mut(body).insert(Asleep),
                    _ => _ = stage.app.world_mut().entity_mut(body).remove::<Asleep>(),
                }
                seen.extend([stage.x(body), stage.x(child)]);
                stage.app.update();
                seen.extend([stage.x(body), stage.x(child)]);
            }
            seen
        },
        [5.0, 5.5].repeat(8),
    );
}

/// The camera of the frame looks where the frame will be.
#[test]
fn views_know_a_new_parent_in_place_in_the_same_frame() {
    #[derive(Resource, Default)]
    struct Seen(Vec<Vec3>);

    for bent in [false, true] {
        let mut stage = Stage::new(10.0).with(FixedUpdate, go);
        stage.app.init_resource::<Seen>();
        let half_turn = Quat::from_rotation_y(std::f32::consts::PI);
        let car =
            stage.spawn((Transform::from_xyz(50.0, 0.0, 3.0).with_rotation(half_turn), Smooth::default()));
        let body = stage.spawn((at(0.0), Goes(1.0), Smooth::default()));
        if bent {
            stage
                .app
                .world_mut()
                .entity_mut(body)
                .insert(SmoothVelocity { linear: Vec3::X * 10.0, ..SmoothVelocity::default() });
        }
        stage.frames(12, 0.04);
        let before = stage.drawn(body).translation();
        stage.app.add_systems(
            Update,
            (
                move |world: &mut World, mut is_done: Local<bool>| {
                    if !std::mem::replace(&mut *is_done, true) {
                        world.get_mut::<Goes>(body).unwrap().0 = 0.0;
                        world.entity_mut(body).set_parent_in_place(car);
                    }
                },
                move |views: Views, mut seen: ResMut<Seen>| {
                    seen.0.push(views.global(body).unwrap().translation());
                },
            )
                .chain(),
        );
        // No tick in this frame: 4.8 ticks have passed, and now 4.9.
        stage.frame(0.01);
        let drawn = stage.drawn(body).translation();
        let seen = stage.app.world().resource::<Seen>().0[0];
        assert!(seen.abs_diff_eq(drawn, 1e-4), "bent: {bent}, seen {seen}, drawn {drawn}");
        assert!(near(drawn.x - before.x, 0.1), "bent: {bent}, {before} to {drawn}");
    }
}

/// And every change of what is drawn is marked.
#[test]
fn thousands_may_be_regrouped_hidden_and_despawned_in_one_frame() {
    for in_tick in [false, true] {
        let mut stage = Stage::new(10.0).with(FixedUpdate, go);
        let roots = [stage.spawn(at(0.0)), stage.spawn(at(9.0))];
        let mut things = Vec::new();
        for n in 0..3000 {
            let thing = stage.spawn((at(n as f32), Goes(1.0), Smooth::default(), ChildOf(roots[0])));
            stage.spawn((at(1.0), ChildOf(thing)));
            things.push(thing);
        }
        stage.frames(9, 0.04);
        let all = move |world: &mut World, mut is_done: Local<bool>| {
            if std::mem::replace(&mut *is_done, true) {
                return;
            }
            for (k, &thing) in things.iter().enumerate() {
                match k % 3 {
                    0 => _ = world.entity_mut(thing).set_parent_in_place(roots[1]),
                    1 => _ = world.entity_mut(thing).insert(Disabled).remove::<Disabled>(),
                    _ => world.entity_mut(thing).despawn(),
                }
            }
        };
        stage = if in_tick { stage.with(FixedPostUpdate, all) } else { stage.with(Update, all) };
        stage.frames(9, 0.04);
    }
}
