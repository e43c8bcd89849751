//! A second, simple implementation, beside the plugin through thousands of random frames.
//!
//! It remembers every local transform at both ends of a tick, works out each frame's hierarchy from the roots in f64, and
//! knows nothing of change detection. What the plugin draws must be that; every change must be marked (the stage looks), and
//! nothing must be marked that was neither written nor drawn elsewhere.

use crate::stage;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemState;
use bevy_math::{DAffine3, DQuat, DVec3, Quat, Vec3};
use bevy_portamento::{CutCommand, PortamentoSystems, Rebase, Smooth};
use bevy_time::{Fixed, Time, Virtual};
use bevy_transform::prelude::*;
use stage::{Screen, Stage};
use std::collections::{HashMap, HashSet};

#[derive(Resource)]
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % end
    }

    fn unit(&mut self) -> f32 {
        self.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5
    }

    fn place(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit()) * 10.0
    }

    fn turn(&mut self) -> Quat {
        Quat::from_axis_angle((self.place() + Vec3::X * 0.01).normalize(), self.unit() * 2.5)
    }
}

/// What the model remembers of one entity.
#[derive(Clone, Copy)]
struct Memory {
    from: Option<Transform>,
    to: Transform,
    /// There is something to be played.
    moves: bool,
}

#[derive(Resource, Default)]
struct Model {
    things: HashMap<Entity, Memory>,
    /// Cut, or new, since the tick began.
    cut: HashSet<Entity>,
    drawn: HashMap<Entity, GlobalTransform>,
    /// Written since the last frame, so Bevy may mark it.
    written: HashSet<Entity>,
    /// Transforms written since the last frame.
    placed: HashSet<Entity>,
    /// With another parent since the last tick or frame: both ends in the world before that.
    moved: HashMap<Entity, (DAffine3, DAffine3)>,
    /// Cut, or new, since the last frame.
    fresh: HashSet<Entity>,
    in_tick: bool,
    /// Scales are uneven. Places below those cannot be converted exactly, so nothing gets another parent in place.
    is_uneven: bool,
    /// The hierarchy changed since the last frame.
    is_shuffled: bool,
    /// What moved in the last frame, and so may settle in this one.
    moving: HashSet<Entity>,
}

fn begin(mut model: ResMut<Model>, things: Query<(Entity, &Transform), With<Smooth>>) {
    model.cut.clear();
    model.moved.clear();
    model.in_tick = true;
    let known = things
        .iter()
        .map(|(entity, place)| (entity, Memory { from: Some(*place), to: *place, moves: false }));
    model.things = known.collect();
}

/// Both ends of the last tick, in the parent's space.
fn local_ends(world: &World, one: Entity) -> (DAffine3, DAffine3) {
    let (model, now) = (world.resource::<Model>(), affine(world.get::<Transform>(one).unwrap()));
    match model.things.get(&one).filter(|_| world.get::<Smooth>(one).is_some()) {
        Some(Memory { from: Some(from), .. }) if model.in_tick => (affine(from), now),
        memory @ Some(Memory { from: Some(_), moves: true, .. }) if !model.in_tick => {
            (local(memory, world.get::<Transform>(one).unwrap(), 0.0), now)
        }
        _ => (now, now),
    }
}

fn world_ends(world: &World, one: Entity) -> (DAffine3, DAffine3) {
    if let Some(moved) = world.resource::<Model>().moved.get(&one) {
        return *moved;
    }
    let (from, to) = local_ends(world, one);
    match world.get::<ChildOf>(one) {
        Some(parent) => {
            let above = world_ends(world, parent.parent());
            (above.0 * from, above.1 * to)
        }
        None => (from, to),
    }
}

fn transform(place: DAffine3) -> Transform {
    let (scale, rotation, translation) = place.to_scale_rotation_translation();
    Transform { translation: translation.as_vec3(), rotation: rotation.as_quat(), scale: scale.as_vec3() }
}

/// Gives it another parent. In place, both ends of the last tick go along; else the numbers stay.
fn reparent(world: &mut World, one: Entity, parent: Option<Entity>, in_place: bool) {
    let in_place = in_place && !world.resource::<Model>().is_uneven;
    let is_known = world.resource::<Model>().things.get(&one).is_some_and(|memory| memory.from.is_some());
    let is_known = is_known && world.get::<Smooth>(one).is_some();
    if is_known {
        let ends = world_ends(world, one);
        world.resource_mut::<Model>().moved.entry(one).or_insert(ends);
    }
    let was = *world.get::<Transform>(one).unwrap();
    match (parent, in_place) {
        (Some(parent), true) => world.entity_mut(one).set_parent_in_place(parent),
        (Some(parent), false) => world.entity_mut(one).insert(ChildOf(parent)),
        (None, true) => world.entity_mut(one).remove_parent_in_place(),
        (None, false) => world.entity_mut(one).remove::<ChildOf>(),
    };
    if in_place {
        world.resource_mut::<Model>().placed.insert(one);
    }
    let model = world.resource::<Model>();
    if !is_known || !in_place || !model.in_tick && model.fresh.contains(&one) {
        return;
    }
    let above = parent.map_or((DAffine3::IDENTITY, DAffine3::IDENTITY), |parent| world_ends(world, parent));
    let to = *world.get::<Transform>(one).unwrap();
    if affine(&was).abs_diff_eq(affine(&to), 1e-3) {
        return; // whether the numbers have stayed or the place cannot be told
    }
    let mut model = world.resource_mut::<Model>();
    let Model { things, moved, in_tick, .. } = &mut *model;
    let from = transform(above.0.inverse() * moved[&one].0);
    let memory = things.get_mut(&one).unwrap();
    memory.from = Some(from);
    if !*in_tick {
        (memory.to, memory.moves) = (to, from != to);
    }
}

/// While time stands still, a number that is written is drawn unchanged.
fn take_at_their_word(world: &mut World) {
    let placed = world.resource::<Model>().placed.clone();
    let is_still = world.resource::<Time<Virtual>>().effective_speed() == 0.0;
    for one in placed.into_iter().filter(|_| is_still) {
        let Some(now) = world.get::<Transform>(one).copied() else { continue };
        let mut model = world.resource_mut::<Model>();
        let Some(Memory { from: Some(from), to, moves: moves @ true }) = model.things.get_mut(&one) else {
            continue;
        };
        for axis in 0..3 {
            if now.translation[axis] != to.translation[axis] {
                (from.translation[axis], to.translation[axis]) =
                    (now.translation[axis], now.translation[axis]);
            }
            if now.scale[axis] != to.scale[axis] {
                (from.scale[axis], to.scale[axis]) = (now.scale[axis], now.scale[axis]);
            }
        }
        if now.rotation != to.rotation {
            (from.rotation, to.rotation) = (now.rotation, now.rotation);
        }
        *moves = from != to;
    }
}

fn end(mut model: ResMut<Model>, things: Query<(Entity, &Transform), With<Smooth>>) {
    model.in_tick = false;
    model.moved.clear();
    let Model { things: memories, cut, .. } = &mut *model;
    for (entity, place) in &things {
        let memory = memories.entry(entity).or_insert(Memory { from: None, to: *place, moves: false });
        memory.to = *place;
        memory.moves = memory.from.is_some_and(|from| from != *place) && !cut.contains(&entity);
        memory.from.get_or_insert(*place);
    }
}

/// Anything, to anything.
fn meddle(world: &mut World, state: &mut SystemState<Query<Entity, With<Transform>>>) {
    let mut all: Vec<Entity> = state.get(world).unwrap().iter().collect();
    all.sort();
    world.resource_scope(|world, mut random: Mut<Random>| {
        let mut touched = HashSet::new();
        for _ in 0..random.below(4) {
            let one = all[random.below(all.len() as u32) as usize];
            let other = all[random.below(all.len() as u32) as usize];
            if world.get_entity(one).is_err() {
                continue;
            }
            let what = random.below(40);
            let mut written = true;
            // Numbers that are written right before a new parent are taken for those of its space.
            if !touched.insert(one) && matches!(what, 18..=22 | 36..=38) {
                continue;
            }
            if matches!(what, 18..=34 | 36..=38) {
                // Parents are propagated again when children come and go, whatever has changed.
                world.resource_mut::<Model>().is_shuffled = true;
            }
            if matches!(what, 0..=15) {
                world.resource_mut::<Model>().placed.insert(one);
            }
            match what {
                0..=7 => {
                    let mut way = random.place() * 0.1;
                    if world.resource::<Model>().moved.contains_key(&one) {
                        way *= Vec3::X; // y and z still tell what was meant
                    }
                    world.get_mut::<Transform>(one).unwrap().translation += way;
                }
                // If all numbers are written after a new parent, it cannot be known whether it was meant in place.
                8..=12 if world.resource::<Model>().moved.contains_key(&one) => written = false,
                8..=11 => {
                    let turn = random.turn();
                    world.get_mut::<Transform>(one).unwrap().rotate(turn);
                }
                12 => {
                    let is_uneven = world.resource::<Model>().is_uneven;
                    let uneven = Vec3::ONE + random.place() * 0.05;
                    let scale = if is_uneven { uneven } else { Vec3::splat(uneven.x) };
                    world.get_mut::<Transform>(one).unwrap().scale = scale;
                }
                13..=15 => {
                    let place = random.place() * 10.0;
                    world.get_mut::<Transform>(one).unwrap().translation = place;
                    cut(world, one);
                }
                16 | 17 => {
                    written = false;
                    cut(world, one);
                }
                18..=20 | 36 | 37 => {
                    let is_below = |mut entity: Entity| loop {
                        if entity == one {
                            return true;
                        }
                        let Some(parent) = world.get::<ChildOf>(entity) else { return false };
                        entity = parent.parent();
                    };
                    if world.get_entity(other).is_ok() && !is_below(other) {
                        reparent(world, one, Some(other), what > 20);
                    }
                }
                39 => {
                    // Assigned anywhere, it changes nothing.
                    written = false;
                    if let Some(mut smooth) = world.get_mut::<Smooth>(one) {
                        *smooth = Smooth::default();
                    }
                }
                21 | 22 | 38 if world.get::<ChildOf>(one).is_none() => written = false,
                21 | 22 | 38 => reparent(world, one, None, what == 38),
                23 | 24 => {
                    written = false;
                    world.entity_mut(one).remove::<Smooth>();
                    forget(world, one);
                }
                25..=27 => {
                    written = false;
                    if world.get::<Smooth>(one).is_none() {
                        world.entity_mut(one).insert(Smooth::default());
                        forget(world, one);
                    }
                }
                28 | 29 if all.len() > 12 => {
                    world.entity_mut(one).despawn();
                }
                30..=34 if all.len() < 40 => {
                    let place = Transform::from_translation(random.place()).with_rotation(random.turn());
                    let mut new = world.spawn(place);
                    if random.below(2) == 0 {
                        new.insert(Smooth::default());
                    }
                    let id = new.id();
                    if random.below(3) > 0 && world.get_entity(other).is_ok() {
                        world.entity_mut(id).insert(ChildOf(other));
                    }
                    world.resource_mut::<Model>().written.insert(id);
                    world.resource_mut::<Model>().fresh.insert(id);
                }
                35 if random.below(4) == 0 => {
                    let offset = random.place() * 8.0;
                    Rebase(offset).apply(world);
                    let roots: Vec<_> =
                        world.query_filtered::<Entity, Without<ChildOf>>().iter(world).collect();
                    let mut model = world.resource_mut::<Model>();
                    for (from, to) in model.moved.values_mut() {
                        from.translation += offset.as_dvec3();
                        to.translation += offset.as_dvec3();
                    }
                    for root in roots {
                        model.written.insert(root);
                        model.placed.insert(root);
                        touched.insert(root);
                        if let Some(memory) = model.things.get_mut(&root) {
                            memory.to.translation += offset;
                            if let Some(from) = &mut memory.from {
                                from.translation += offset;
                            }
                        }
                    }
                }
                _ => written = false,
            }
            if written {
                world.resource_mut::<Model>().written.insert(one);
            }
        }
    });
}

fn cut(world: &mut World, one: Entity) {
    if world.get::<Smooth>(one).is_some() {
        world.entity_mut(one).cut();
        let mut model = world.resource_mut::<Model>();
        model.cut.insert(one);
        model.fresh.insert(one);
        if let Some(memory) = model.things.get_mut(&one) {
            memory.moves = false;
        }
    }
}

/// On it or off it: what was is forgotten, and it may be marked once.
fn forget(world: &mut World, one: Entity) {
    let mut model = world.resource_mut::<Model>();
    model.things.remove(&one);
    model.fresh.insert(one);
    model.written.insert(one);
}

fn affine(transform: &Transform) -> DAffine3 {
    let Transform { translation, rotation, scale } = transform;
    DAffine3::from_scale_rotation_translation(scale.as_dvec3(), rotation.as_dquat(), translation.as_dvec3())
}

/// `now` without what is not yet played.
fn local(memory: Option<&Memory>, now: &Transform, alpha: f64) -> DAffine3 {
    let Some(Memory { from: Some(from), to, moves: true }) = memory else { return affine(now) };
    let place = |t: &Transform| t.translation.as_dvec3();
    let unplayed = (place(from) - place(to)) * (1.0 - alpha);
    let (a, b, c) = (from.rotation.as_dquat(), to.rotation.as_dquat(), now.rotation.as_dquat());
    let turn: DQuat = a.slerp(b, alpha) * b.inverse() * c;
    let mut scale = now.scale.as_dvec3();
    for axis in 0..3 {
        let (from, to) = (f64::from(from.scale[axis]), f64::from(to.scale[axis]));
        scale[axis] *= (from + (to - from) * alpha) / to;
    }
    DAffine3::from_scale_rotation_translation(scale, turn.normalize(), place(now) + unplayed)
}

fn wanted(world: &World, entity: Entity, alpha: f64) -> DAffine3 {
    let model = world.resource::<Model>();
    let is_smooth = world.get::<Smooth>(entity).is_some();
    let memory = model.things.get(&entity).filter(|_| is_smooth);
    let own = local(memory, world.get::<Transform>(entity).unwrap(), alpha);
    match world.get::<ChildOf>(entity) {
        Some(parent) => wanted(world, parent.parent(), alpha) * own,
        None => own,
    }
}

/// It, or an ancestor. On many threads Bevy also writes a root whenever something below it is written.
fn is_written(world: &World, entity: Entity) -> bool {
    let written = &world.resource::<Model>().written;
    let above = |mut entity| {
        let mut chain = vec![entity];
        while let Some(parent) = world.get::<ChildOf>(entity) {
            entity = parent.parent();
            chain.push(entity);
        }
        chain
    };
    above(entity).iter().any(|one| written.contains(one))
        || world.get::<ChildOf>(entity).is_none() && written.iter().any(|&one| above(one).contains(&entity))
}

/// It, or something above it: whether that shows in the last bit of a place is not asked.
fn is_moving(world: &World, entity: Entity) -> bool {
    let moves = |one| world.resource::<Model>().things.get(&one).is_some_and(|memory| memory.moves);
    std::iter::successors(Some(entity), |one| Some(world.get::<ChildOf>(*one)?.parent())).any(moves)
}

/// On many threads Bevy writes a root whenever something below it moves, or moved in the frame before: its view was written.
fn is_root_of_motion(world: &World, entity: Entity) -> bool {
    if !cfg!(feature = "multi_threaded") || world.get::<ChildOf>(entity).is_some() {
        return false;
    }
    let root = |mut one: Entity| {
        while let Some(parent) = world.get::<ChildOf>(one) {
            one = parent.parent();
        }
        one
    };
    let model = world.resource::<Model>();
    let moves = model.things.iter().filter(|(_, memory)| memory.moves).map(|(one, _)| one);
    moves.chain(&model.moving).any(|&one| root(one) == entity)
}

#[derive(Resource, Default)]
struct Marked(Vec<Entity>);

fn watch(mut marked: ResMut<Marked>, changed: Query<Entity, Changed<GlobalTransform>>) {
    marked.0 = changed.iter().collect();
}

/// How long the way from the root to it is, place by place: as long as the lever of a small turn can be.
fn arms(world: &World, entity: Entity) -> f64 {
    let place = |entity| *world.get::<Transform>(entity).unwrap();
    let (mut below, mut long) = (entity, f64::from(place(entity).translation.length()));
    while let Some(parent) = world.get::<ChildOf>(below).map(ChildOf::parent) {
        let Transform { translation, scale, .. } = place(parent);
        long = f64::from(translation.length()) + f64::from(scale.abs().max_element()) * long;
        below = parent;
    }
    long
}

fn go_through(seed: u64, frames: usize) {
    let mut stage = Stage::new(30.0);
    stage.app.init_resource::<Model>().init_resource::<Marked>().insert_resource(Random(seed));
    stage
        .app
        .add_systems(FixedFirst, begin.in_set(PortamentoSystems::Begin))
        .add_systems(FixedLast, end.in_set(PortamentoSystems::End))
        .add_systems(FixedPreUpdate, meddle)
        .add_systems(FixedUpdate, meddle)
        .add_systems(FixedPostUpdate, meddle)
        .add_systems(Update, meddle)
        .add_systems(PostUpdate, meddle.before(bevy_transform::TransformSystems::Propagate))
        .add_systems(First, meddle)
        .add_systems(PreUpdate, meddle)
        .add_systems(PostUpdate, take_at_their_word.before(PortamentoSystems::Draw).after(meddle))
        .add_systems(Last, watch);
    stage.app.world_mut().resource_mut::<Model>().is_uneven = seed % 3 == 2;
    for _ in 0..20 {
        let id = stage.spawn((Transform::default(), Smooth::default()));
        stage.app.world_mut().resource_mut::<Model>().fresh.insert(id);
    }
    for frame in 0..frames {
        let seconds = {
            let mut random = stage.app.world_mut().resource_mut::<Random>();
            match random.below(12) {
                0 => 0.0,
                1 => 0.2,
                _ => f64::from(random.unit() + 0.5) * 0.03,
            }
        };
        let event = stage.app.world_mut().resource_mut::<Random>().below(60);
        let world = stage.app.world_mut();
        match event {
            0..=2 => world.resource_mut::<Time<Virtual>>().pause(),
            3..=6 => world.resource_mut::<Time<Virtual>>().unpause(),
            7 => world.resource_mut::<Time<Virtual>>().set_relative_speed(0.25),
            8 => world.resource_mut::<Time<Virtual>>().set_relative_speed(1.0),
            9 => world.resource_mut::<Time<Fixed>>().set_timestep_hz(20.0),
            10 => world.resource_mut::<Time<Fixed>>().set_timestep_hz(60.0),
            _ => {}
        }
        stage.frame(seconds);
        let alpha = stage.moment().alpha();
        let world = stage.app.world_mut();
        let all: Vec<_> =
            world.query::<(Entity, &GlobalTransform)>().iter(world).map(|(e, g)| (e, *g)).collect();
        for &(entity, drawn) in &all {
            let want = wanted(world, entity, alpha);
            let got = drawn.affine();
            let size = 1.0 + want.matrix3.to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
            let reach = size + arms(world, entity);
            for k in 0..4 {
                let (got, want): (DVec3, DVec3) = match k {
                    3 => (got.translation.as_dvec3(), want.translation),
                    _ => (got.matrix3.col(k).as_dvec3(), want.matrix3.col(k)),
                };
                let limit = 2e-3 * reach;
                assert!(
                    (got - want).length() < limit,
                    "seed {seed}, frame {frame}, {entity}: {got} is not {want}"
                );
            }
        }
        let marked = core::mem::take(&mut world.resource_mut::<Marked>().0);
        for entity in marked {
            let Some((_, now)) = all.iter().find(|(e, _)| *e == entity) else { continue };
            let before = world.resource::<Model>().drawn.get(&entity);
            assert!(
                before != Some(now)
                    || is_written(world, entity)
                    || world.resource::<Model>().is_shuffled
                    || is_moving(world, entity)
                    || is_root_of_motion(world, entity)
                    || world.resource::<Model>().moving.contains(&entity),
                "seed {seed}, frame {frame}, {entity}: marked, but neither moved nor written"
            );
        }
        let moving =
            all.iter().map(|(entity, _)| *entity).filter(|&entity| is_moving(world, entity)).collect();
        let mut model = world.resource_mut::<Model>();
        model.moving = moving;
        model.drawn = all.into_iter().collect();
        model.written.clear();
        model.placed.clear();
        model.fresh.clear();
        model.moved.clear();
        model.is_shuffled = false;
        let gone: Vec<_> = world.resource::<Screen>().shows.keys().copied().collect();
        for entity in gone {
            if world.get_entity(entity).is_err() {
                world.resource_mut::<Screen>().shows.remove(&entity);
            }
        }
    }
}

#[test]
fn random_worlds_are_drawn_as_the_simple_model_draws_them() {
    for seed in 0..100 {
        go_through(seed, 500);
    }
}
