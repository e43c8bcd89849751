//! What if an entity gets another parent while its motion is being played?
//!
//! A new parent is another space. If the `Transform` is written with it, as `set_parent_in_place` does, the ends of the
//! last tick are converted, so that the picture goes on where it was. If only the parent is changed, the numbers stay and
//! the entity jumps, as without the plugin. Which of the two it is, distances tell: the ends are taken in the space in
//! which they are nearer to where the entity is now.
//!
//! `set_parent_in_place` reads `GlobalTransform`. Outside of ticks that is the picture, which must not become part of the
//! truth: the entity and its new parent get the truth before Bevy looks, until the next propagation.

use crate::between::Ends;
use crate::played::Played;
use crate::truth::{Picture, disturb, show_below, truth_of};
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Affine3A, Vec3, Vec3A};
use bevy_transform::components::{GlobalTransform, Transform};

extern crate alloc;
use alloc::vec::Vec;

/// Entities with another parent since the last tick or frame.
#[derive(Resource, Default)]
pub(crate) struct Moves(Vec<Move>);

struct Move {
    entity: Entity,
    /// Both ends of the last tick in the world.
    from: Affine3A,
    to: Affine3A,
    /// Where it was in its old space.
    was: Vec3,
}

impl Moves {
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    /// The world's origin moves.
    pub(crate) fn rebase(&mut self, offset: Vec3A) {
        for known in &mut self.0 {
            known.from.translation += offset;
            known.to.translation += offset;
        }
    }

    fn of(&self, entity: Entity) -> Option<(Affine3A, Affine3A)> {
        self.0.iter().find(|known| known.entity == entity).map(|known| (known.from, known.to))
    }
}

pub(crate) fn are_due(moves: Res<Moves>) -> bool {
    !moves.0.is_empty()
}

/// Both ends of an entity's last tick in its parent's space.
fn local_ends(world: &DeferredWorld, entity: Entity) -> Option<(Affine3A, Affine3A)> {
    let place = world.get::<Transform>(entity)?;
    let now = place.compute_affine();
    let in_tick = world.get_resource::<Picture>()?.in_tick;
    let (Some(ends), Some(played)) = (world.get::<Ends>(entity), world.get::<Played>(entity)) else {
        return Some((now, now));
    };
    Some(match (in_tick, played.is_moving()) {
        (true, _) if played.is_known() => (ends.from.compute_affine(), now),
        // What was written since moves both ends.
        (false, true) => (ends.under(ends.from, place).compute_affine(), now),
        _ => (now, now),
    })
}

/// The same in the world. The ends of what has another parent and is not yet converted are those of its old space.
fn world_ends(world: &DeferredWorld, mut entity: Entity) -> Option<(Affine3A, Affine3A)> {
    let moves = world.resource::<Moves>();
    let (mut from, mut to) = (Affine3A::IDENTITY, Affine3A::IDENTITY);
    loop {
        if let Some((above_from, above_to)) = moves.of(entity) {
            return Some((above_from * from, above_to * to));
        }
        let (above_from, above_to) = local_ends(world, entity)?;
        (from, to) = (above_from * from, above_to * to);
        let Some(parent) = world.get::<ChildOf>(entity).map(ChildOf::parent) else { return Some((from, to)) };
        entity = parent;
    }
}

fn depth(world: &World, mut entity: Entity) -> usize {
    let mut depth = 0;
    while let Some(parent) = world.get::<ChildOf>(entity).map(ChildOf::parent) {
        (entity, depth) = (parent, depth + 1);
    }
    depth
}

fn remember(world: &mut DeferredWorld, entity: Entity, ends: Option<(Affine3A, Affine3A)>) {
    let is_known = world.get::<Played>(entity).is_some_and(Played::is_known);
    let Some((from, to)) = ends.filter(|_| is_known) else { return };
    let Some(was) = world.get::<Transform>(entity).map(|place| place.translation) else { return };
    let moves = &mut world.resource_mut::<Moves>().0;
    if moves.iter().all(|known| known.entity != entity) {
        moves.push(Move { entity, from, to, was });
    }
}

/// It is about to leave its parent.
pub(crate) fn leave(leaving: On<Discard, ChildOf>, mut world: DeferredWorld) {
    let entity = leaving.entity;
    let ends = world_ends(&world, entity);
    remember(&mut world, entity, ends);
    if truth_of(&world, entity).is_some() {
        show_below(&mut world, entity, false);
        if let Some(mut played) = world.get_mut::<Played>(entity) {
            played.bypass_change_detection().leave_the_picture();
        }
    }
}

/// It has got a parent.
pub(crate) fn arrive(arriving: On<Insert, ChildOf>, mut world: DeferredWorld) {
    let entity = arriving.entity;
    let Some(last_draw) = world.get_resource::<Picture>().map(|picture| picture.last_draw) else { return };
    let now = world.read_change_tick();
    let is_new = world
        .entity(entity)
        .get_ref::<GlobalTransform>()
        .is_none_or(|global| global.added().is_newer_than(last_draw, now));
    // Without a parent before, its own ends are those in the world.
    let ends = local_ends(&world, entity);
    remember(&mut world, entity, ends);
    if is_new {
        return;
    }
    if let Some(truth) = truth_of_itself(&world, entity)
        && let Some(mut global) = world.get_mut::<GlobalTransform>(entity)
    {
        *global.bypass_change_detection() = truth;
        if let Some(mut played) = world.get_mut::<Played>(entity) {
            played.bypass_change_detection().leave_the_picture();
        }
    }
    let Some(parent) = world.get::<ChildOf>(entity).map(ChildOf::parent) else { return };
    if let Some(truth) = truth_of(&world, parent)
        && let Some(mut global) = world.get_mut::<GlobalTransform>(parent)
    {
        *global.bypass_change_detection() = truth;
        disturb(&mut world, parent);
    }
}

/// What had no parent so far is part of the picture by itself alone.
fn truth_of_itself(world: &DeferredWorld, entity: Entity) -> Option<GlobalTransform> {
    use crate::played::Shown;
    let picture = world.get_resource::<Picture>()?;
    let played = world.get::<Played>(entity)?;
    if picture.truth_is_up || !played.is_displaced() {
        return None;
    }
    match played.is_local() {
        true => picture.old_local(entity).map(GlobalTransform::from),
        false => world.get::<Shown>(entity).map(Shown::global),
    }
}

/// Converts the ends of whatever was also written.
pub(crate) fn convert(world: &mut World) {
    let mut moves = core::mem::take(&mut world.resource_mut::<Moves>().0);
    moves.sort_by_cached_key(|known| depth(world, known.entity)); // parents first
    for Move { entity, from, to, was } in moves.drain(..) {
        let view = DeferredWorld::from(&mut *world);
        let Ok(node) = view.get_entity(entity) else { continue };
        let Some(now_there) = node.get::<Transform>().copied() else { continue };
        let now = now_there.translation;
        let above = match node.get::<ChildOf>() {
            Some(parent) => world_ends(&view, parent.parent()),
            None => Some((Affine3A::IDENTITY, Affine3A::IDENTITY)),
        };
        let Some((above_from, above_to)) = above else { continue };
        let in_tick = view.resource::<Picture>().in_tick;
        let local = |above: Affine3A, place: Affine3A| {
            let place = GlobalTransform::from(above.inverse() * place).compute_transform();
            (place.translation.is_finite() && place.rotation.is_finite()).then_some(place)
        };
        let (Some(from), Some(to)) = (local(above_from, from), local(above_to, to)) else { continue };
        let Ok((mut ends, mut played)) =
            world.entity_mut(entity).into_components_mut::<(&mut Ends, &mut Played)>()
        else {
            continue;
        };
        if !played.is_known() {
            continue; // put on anew meanwhile
        }
        if in_tick {
            if from.translation.distance_squared(now) < ends.from.translation.distance_squared(now) {
                ends.bypass_change_detection().from = from;
            }
        } else {
            let unconverted = if played.is_moving() { ends.to.translation } else { was };
            if to.translation.distance_squared(now) < unconverted.distance_squared(now) {
                // Nobody has written it against the tick: it is where the tick ended, in another space.
                let ends = ends.bypass_change_detection();
                *ends = Ends { from, to: now_there };
                played.bypass_change_detection().play(ends);
            }
        }
    }
    // Its memory is used again.
    world.resource_mut::<Moves>().0 = moves;
}
