//! What is remembered of where entities lie must never be out of date: entities change their tables and rows all the time,
//! in every schedule, and what ticks and frames see must not show it.

use crate::stage;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Quat;
use bevy_portamento::Smooth;
use bevy_time::{Fixed, Time};
use bevy_transform::prelude::*;
use stage::{Goes, Stage, at, go};
use std::collections::{BTreeMap, HashMap};

/// Entities have other numbers where a plugin brings some of its own.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Number(u32);

/// Moves an entity to another table.
#[derive(Component)]
struct Luggage;

/// Lies among the others, until it makes room.
#[derive(Component)]
struct Filler;

#[derive(Resource, Default)]
struct Random(u32);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % end
    }
}

type Places = BTreeMap<u32, [u32; 12]>;

/// What every tick saw.
#[derive(Resource, Default)]
struct Seen(Vec<Places>);

fn places<'a>(all: impl IntoIterator<Item = (&'a Number, &'a GlobalTransform)>) -> Places {
    all.into_iter().map(|(n, global)| (n.0, global.affine().to_cols_array().map(f32::to_bits))).collect()
}

fn see(mut seen: ResMut<Seen>, all: Query<(&Number, &GlobalTransform)>) {
    seen.0.push(places(all));
}

/// Moves some to other tables, and removes fillers, whose rows are taken by the last ones of their tables.
fn shuffle(world: &mut World) {
    let mut numbered = world.query::<(Entity, &Number)>();
    let numbered: BTreeMap<_, _> = numbered.iter(world).map(|(entity, n)| (*n, entity)).collect();
    for _ in 0..3 {
        let k = world.resource_mut::<Random>().below(numbered.len());
        // Some are gone already.
        let Ok(mut entity) = world.get_entity_mut(*numbered.values().nth(k).unwrap()) else { continue };
        match (entity.contains::<Filler>(), entity.contains::<Luggage>()) {
            (true, _) => entity.despawn(),
            (_, true) => {
                entity.remove::<Luggage>();
            }
            _ => {
                entity.insert(Luggage);
            }
        }
    }
}

/// Some stop, and some go on.
fn change_their_minds(mut random: ResMut<Random>, mut things: Query<(&Number, &mut Goes)>) {
    let mut things: Vec<_> = things.iter_mut().collect();
    things.sort_by_key(|(n, _)| **n);
    for _ in 0..2 {
        let k = random.below(things.len());
        let goes = &mut things[k].1.0;
        *goes = 0.7 - *goes;
    }
}

/// Only what moves is written.
fn go_on(mut things: Query<(&mut Transform, &Goes)>) {
    for (mut transform, goes) in things.iter_mut().filter(|(_, goes)| goes.0 != 0.0) {
        transform.translation.x += goes.0;
        transform.rotate_local_z(goes.0);
    }
}

fn fill(stage: &mut Stage) {
    let fixed = stage.spawn(at(1000.0));
    let mut numbers = (0..).map(Number);
    let mut number = || numbers.next().unwrap();
    let limb = at(0.5).with_rotation(Quat::from_rotation_y(0.3));
    for k in 0..12 {
        stage.spawn((at(k as f32), Smooth::default(), Goes(0.7), number()));
        stage.spawn((limb, ChildOf(fixed), Filler, number()));
        let root = stage.spawn((at(k as f32), Smooth::default(), Goes(0.7), number()));
        if k % 3 == 0 {
            stage.app.world_mut().entity_mut(root).insert(ChildOf(fixed));
        }
        for _ in 0..2 {
            let mut parent = root;
            for joint in 0..3 {
                parent = stage.spawn((limb, ChildOf(parent), number()));
                stage.spawn((limb, ChildOf(fixed), Filler, number()));
                if joint == 1 && k % 4 == 0 {
                    stage.app.world_mut().entity_mut(parent).insert((Smooth::default(), Goes(0.7)));
                }
            }
        }
    }
}

/// The same world with the plugin and without it, shuffled in one schedule: what every tick saw.
fn seen_by_ticks(mut stage: Stage, label: usize, seed: u32, frame: f64) -> Vec<Places> {
    let app = &mut stage.app;
    app.init_resource::<Seen>()
        .insert_resource(Random(seed))
        .add_systems(FixedUpdate, (see, go_on, change_their_minds).chain());
    match label {
        0 => app.add_systems(First, shuffle),
        1 => app.add_systems(PreUpdate, shuffle),
        2 => app.add_systems(FixedFirst, shuffle),
        3 => app.add_systems(FixedUpdate, shuffle.after(change_their_minds)),
        4 => app.add_systems(FixedLast, shuffle),
        5 => app.add_systems(Update, shuffle),
        6 => app.add_systems(PostUpdate, shuffle.after(TransformSystems::Propagate)),
        _ => app.add_systems(Last, shuffle),
    };
    fill(&mut stage);
    stage.frame(0.0);
    for _ in 0..60 {
        stage.frame(frame);
        let world = stage.app.world_mut();
        // Something for the next shuffles, at the end of the tables.
        for number in 0..2 {
            let number =
                Number(10_000 + 2 * world.resource::<Time<Fixed>>().elapsed().as_millis() as u32 + number);
            if !world.query::<&Number>().iter(world).any(|n| *n == number) {
                world.spawn((at(0.0), Filler, number));
            }
        }
    }
    stage.app.world_mut().remove_resource::<Seen>().unwrap().0
}

#[test]
fn ticks_see_the_truth_wherever_entities_lie() {
    for label in 0..8 {
        for (seed, frame) in [(1, 0.04), (2, 0.1), (3, 0.23)] {
            let with = seen_by_ticks(Stage::new(10.0), label, seed, frame);
            let mut bare = Stage::bare(10.0);
            bare.frame(0.0);
            let without = seen_by_ticks(bare, label, seed, frame);
            assert!(with.len() > 20);
            assert!(with == without, "shuffled in schedule {label}, {frame} s a frame");
        }
    }
}

/// What was drawn last.
#[derive(Resource, Default)]
struct Drawn(HashMap<u32, [u32; 12]>);

#[test]
fn update_sees_what_was_drawn_last_wherever_entities_lie() {
    fn remember(mut drawn: ResMut<Drawn>, all: Query<(&Number, &GlobalTransform)>) {
        drawn.0 = places(all).into_iter().collect();
    }
    fn compare(drawn: Res<Drawn>, all: Query<(&Number, &GlobalTransform)>) {
        for (number, place) in places(all) {
            assert!(drawn.0.get(&number).is_none_or(|drawn| *drawn == place), "number {number}");
        }
    }
    for (seed, frame) in [(1, 0.04), (2, 0.1), (3, 0.23)] {
        let mut stage = Stage::new(10.0)
            .with(FixedUpdate, (go_on, change_their_minds, shuffle).chain())
            .with(Update, compare)
            .with(Last, remember);
        stage.app.init_resource::<Drawn>().insert_resource(Random(seed));
        fill(&mut stage);
        stage.frame(0.0);
        stage.frames(60, frame);
    }
}

#[test]
fn a_node_that_gets_its_transform_late_has_the_truth_in_ticks() {
    #[derive(Resource, Default)]
    struct Hand(Vec<f32>);
    fn look(mut hand: ResMut<Hand>, late: Query<&GlobalTransform, With<Luggage>>) {
        hand.0.extend(late.iter().map(|global| global.translation().x));
    }
    for descendants in [1, 2] {
        let mut stage = Stage::new(10.0).with(FixedUpdate, (look, go).chain());
        stage.app.init_resource::<Hand>();
        let mut late = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
        for _ in 0..descendants {
            late = stage.spawn((ChildOf(late), Luggage));
        }
        stage.frames(5, 0.1);
        let chain: Vec<_> = {
            let world = stage.app.world_mut();
            world.query_filtered::<Entity, With<Luggage>>().iter(world).collect()
        };
        for one in chain {
            stage.app.world_mut().entity_mut(one).insert(at(0.25));
        }
        stage.frame(0.04);
        stage.app.world_mut().resource_mut::<Hand>().0.clear();
        for _ in 0..4 {
            stage.frame(0.1);
        }
        let hand = &stage.app.world().resource::<Hand>().0;
        assert_eq!(hand.len(), 4 * descendants);
        assert!(hand.iter().all(|x| x.fract() == 0.25 || x.fract() == 0.5), "{hand:?}");
    }
}

#[test]
fn what_is_at_rest_and_gets_a_new_global_transform_is_propagated() {
    for smooth in [true, false] {
        let mut stage = Stage::new(10.0);
        let thing = stage.spawn(at(7.0));
        if smooth {
            stage.app.world_mut().entity_mut(thing).insert(Smooth::default());
        }
        stage.frames(3, 0.1);
        stage.app.world_mut().entity_mut(thing).remove::<GlobalTransform>();
        stage.frames(2, 0.1);
        stage.app.world_mut().entity_mut(thing).insert(GlobalTransform::from_xyz(1.0, 2.0, 3.0));
        stage.frame(0.1);
        assert_eq!((stage.x(thing), stage.changes()), (7.0, 1));
        stage.frame(0.1);
        assert_eq!(stage.changes(), 0);
    }
}

#[test]
fn what_rests_and_loses_its_parent_is_propagated() {
    let mut stage = Stage::new(10.0);
    let parent = stage.spawn(at(7.0));
    let things =
        [stage.spawn((at(1.0), Smooth::default(), ChildOf(parent))), stage.spawn((at(1.0), ChildOf(parent)))];
    stage.frames(3, 0.1);
    assert_eq!(things.map(|thing| stage.x(thing)), [8.0; 2]);
    for thing in things {
        stage.app.world_mut().entity_mut(thing).remove::<ChildOf>();
    }
    stage.frame(0.1);
    assert_eq!(things.map(|thing| stage.x(thing)), [1.0; 2]);
    stage.frame(0.1);
    assert_eq!(stage.changes(), 0);
}
