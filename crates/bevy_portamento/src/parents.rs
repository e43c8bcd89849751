//! What if an entity gets another parent while its motion is being played?
//!
//! A new parent is another space. If the `Transform` is written with it, as `set_parent_in_place` does, the ends of the
//! last tick are converted, so that the picture goes on where it was. If only the parent is changed, the numbers stay and
//! the entity jumps, as without the plugin. Which of the two it is shows at once if both came together in one bundle;
//! else only later, when the `Transform` is written or not: see [`Move::end`].
//!
//! `set_parent_in_place` reads `GlobalTransform`. Outside of ticks that is the picture, which must not become part of the
//! truth: the entity and its new parent get the truth before Bevy looks, until the next propagation.

use crate::between::Ends;
use crate::curve::Bend;
use crate::played::Played;
use crate::truth::{Picture, disturb, is_out_of_sight, leave_the_picture, truth_of};
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Affine3A, Vec3, Vec3A};
use bevy_transform::components::{GlobalTransform, Transform};
use core::cmp::Ordering;

/// Entities with another parent since the last tick or frame.
#[derive(Resource, Default)]
pub(crate) struct Moves(EntityHashMap<Move>);

struct Move {
    /// Both ends of the last tick in the world, before the first move.
    from: Affine3A,
    to: Affine3A,
    /// What its `Transform` was before the last move.
    was: Transform,
    /// The new numbers came together with the new parent, so they are those of the new space.
    is_certain: bool,
    /// And until then it rested.
    rested: bool,
    /// What `set_parent_in_place` or `remove_parent_in_place` makes of it.
    in_place: Transform,
    /// Both ends in the new space. By the parent's ends of that moment: what happens to the parent later (a cut) moves
    /// both by the same.
    converted: Option<(Transform, Transform)>,
}

impl Move {
    /// Both ends in the new space, if that is what the numbers in `now` are of.
    fn ends(&self, now: &Transform) -> Option<Ends> {
        let (to, (from, _)) = (self.end(now)?, self.converted?);
        Some(Ends { from, to })
    }

    /// Where the tick ended in the new space; `None` if the numbers have stayed what they were in the old one.
    ///
    /// If `now` is far nearer to the one than to the other, that decides: an item that is picked up has other numbers in a
    /// hand, all of them or some. Else the numbers that `now` has in common with the one or the other do, because few who
    /// write a `Transform` write all of it; and if they are as many, distance.
    fn end(&self, now: &Transform) -> Option<Transform> {
        let (_, to) = self.converted?;
        let far = |place: &Transform| place.translation.distance_squared(now.translation);
        let common = |place: &Transform| in_common(place, now);
        // Bevy takes the places of its last propagation; others may have taken those of the tick.
        // If both are the same but for rounding, Bevy's have the bits.
        let is_bevys = match common(&to).cmp(&common(&self.in_place)) {
            _ if in_common(&to, &self.in_place) == ALL => true,
            Ordering::Equal => far(&to) >= far(&self.in_place),
            order => order == Ordering::Less,
        };
        let end = if is_bevys { self.in_place } else { to };
        if self.is_certain {
            // What rested goes on where it was if that is where it is; else it was put there from afar.
            return (!self.rested || common(&end) == ALL).then_some(end);
        }
        if in_common(&self.was, &self.in_place) == ALL {
            return None; // the same numbers in both spaces
        }
        let (far_was, far_end) = (far(&self.was), far(&end));
        if far_was.max(far_end) > FAR_NEARER * far_was.min(far_end) {
            return (far_end < far_was).then_some(end);
        }
        match common(&end).cmp(&common(&self.was)) {
            Ordering::Equal => (far_end < far_was).then_some(end),
            order => (order == Ordering::Greater).then_some(end),
        }
    }

    fn rebase(&mut self, offset: Vec3, is_root: bool) {
        self.from.translation += Vec3A::from(offset);
        self.to.translation += Vec3A::from(offset);
        if is_root {
            let local = [&mut self.was, &mut self.in_place];
            let ends = self.converted.iter_mut().flat_map(|(from, to)| [from, to]);
            local.into_iter().chain(ends).for_each(|place| place.translation += offset);
        }
    }
}

/// A place is far nearer than another if it is at a fifth of the distance: this is of squares.
const FAR_NEARER: f32 = 25.0;

/// So many numbers has a transform.
const ALL: usize = 5;

/// How many numbers are the same, but for rounding. A rotation counts as one.
fn in_common(a: &Transform, b: &Transform) -> usize {
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-5 * (1.0 + a.abs());
    let axes = (0..3).filter(|&axis| near(a.translation[axis], b.translation[axis])).count();
    let is_turn_same = near(a.rotation.dot(b.rotation).abs(), 1.0);
    let is_scale_same = (0..3).all(|axis| near(a.scale[axis], b.scale[axis]));
    axes + usize::from(is_turn_same) + usize::from(is_scale_same)
}

impl Moves {
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    /// The world's origin moves.
    pub(crate) fn rebase(&mut self, offset: Vec3, is_root: impl Fn(Entity) -> bool) {
        for (&entity, known) in &mut self.0 {
            known.rebase(offset, is_root(entity));
        }
    }

    /// What is going to be played of an entity that has another parent since the last tick or frame, if it differs.
    pub(crate) fn ends_of(&self, entity: Entity, now: &Transform) -> Option<Ends> {
        self.of(entity)?.ends(now)
    }

    fn of(&self, entity: Entity) -> Option<&Move> {
        self.0.get(&entity)
    }
}

pub(crate) fn are_due(moves: Res<Moves>) -> bool {
    !moves.0.is_empty()
}

/// Where a tick began and where it ended.
type Both = (Affine3A, Affine3A);

const ORIGIN: Both = (Affine3A::IDENTITY, Affine3A::IDENTITY);

/// Both ends of an entity's last tick in its parent's space.
fn local_ends(world: &DeferredWorld, entity: Entity) -> Option<Both> {
    let place = world.get::<Transform>(entity)?;
    let now = place.compute_affine();
    let in_tick = world.get_resource::<Picture>()?.in_tick;
    let (Some(ends), Some(played)) = (world.get::<Ends>(entity), world.get::<Played>(entity)) else {
        return Some((now, now));
    };
    let from = match (in_tick, played.is_moving()) {
        (true, _) => played.beginning(ends),
        // What was written since moves both ends.
        (false, true) => Some(ends.under(ends.from, place)),
        (false, false) => None,
    };
    Some((from.map_or(now, |from| from.compute_affine()), now))
}

/// The same in the world. The ends of what has another parent and is not yet converted are those of its old space.
fn world_ends(world: &DeferredWorld, mut entity: Entity) -> Option<Both> {
    let moves = world.resource::<Moves>();
    let (mut from, mut to) = (Affine3A::IDENTITY, Affine3A::IDENTITY);
    loop {
        if let Some(known) = moves.of(entity) {
            return Some((known.from * from, known.to * to));
        }
        let (above_from, above_to) = local_ends(world, entity)?;
        (from, to) = (above_from * from, above_to * to);
        let Some(parent) = world.get::<ChildOf>(entity).map(ChildOf::parent) else { return Some((from, to)) };
        entity = parent;
    }
}

/// The same before `Transform` was written for another space. `None` if there is nothing between.
fn unwritten_ends(world: &DeferredWorld, entity: Entity) -> Option<(Transform, Transform)> {
    let (ends, played) = (world.get::<Ends>(entity)?, world.get::<Played>(entity)?);
    if world.get_resource::<Picture>()?.in_tick {
        return played.beginning(ends).map(|from| (from, from));
    }
    played.is_moving().then_some((ends.from, ends.to))
}

/// Whether it got its parent and its `Transform` at once: in one bundle, or by commands or world access that follow each
/// other without a system between.
fn is_written_with_its_parent(world: &DeferredWorld, entity: Entity) -> bool {
    let node = world.entity(entity);
    let (Some(place), Some(parent)) = (node.get_ref::<Transform>(), node.get_ref::<ChildOf>()) else {
        return false;
    };
    place.last_changed() == parent.last_changed()
}

/// It is about to have another parent than `above`, or (`arrives`) has just got the first.
fn remember(world: &mut DeferredWorld, entity: Entity, above: Option<Entity>, arrives: bool) {
    let is_known = world.get::<Played>(entity).is_some_and(Played::is_known);
    let Some(was) = world.get::<Transform>(entity).copied().filter(|_| is_known) else { return };
    let known = world.resource::<Moves>().of(entity).map(|known| known.was);
    let is_certain = arrives && known != Some(was) && is_written_with_its_parent(world, entity);
    if let Some(known) = world.resource_mut::<Moves>().0.remove(&entity) {
        // A second time: the numbers of the first are those that may stay now.
        if !is_certain {
            settle(world, entity, &known);
        }
        let known = Move { was, is_certain, rested: false, in_place: was, converted: None, ..known };
        world.resource_mut::<Moves>().0.insert(entity, known);
        return;
    }
    let mut rested = false;
    let ends = if is_certain {
        let ends = unwritten_ends(world, entity);
        rested = ends.is_none();
        let ends = ends.map(|(from, to)| (from.compute_affine(), to.compute_affine()));
        // It is drawn where it was, and had no parent.
        let place = world.get::<GlobalTransform>(entity).map(GlobalTransform::affine);
        ends.or_else(|| place.map(|place| (place, place)))
    } else {
        local_ends(world, entity)
    };
    if let Some((from, to)) = ends
        && let Some(above) = above.map_or(Some(ORIGIN), |above| world_ends(world, above))
    {
        let (from, to) = (above.0 * from, above.1 * to);
        let known = Move { from, to, was, is_certain, rested, in_place: was, converted: None };
        world.resource_mut::<Moves>().0.insert(entity, known);
    }
}

/// It is below `parent` now, and has the `GlobalTransform` that Bevy is about to take for its place.
fn prepare(world: &mut DeferredWorld, entity: Entity, parent: Option<Entity>) {
    let Some((from, to)) = world.resource::<Moves>().of(entity).map(|known| (known.from, known.to)) else {
        return;
    };
    let above = match parent {
        Some(parent) => world_ends(world, parent),
        None => Some(ORIGIN),
    };
    let Some(global) = world.get::<GlobalTransform>(entity) else { return };
    let in_place = match parent.and_then(|parent| world.get::<GlobalTransform>(parent)) {
        Some(above) => global.reparented_to(above),
        None => global.compute_transform(),
    };
    let local = |above: Affine3A, place: Affine3A| {
        let place = GlobalTransform::from(above.inverse() * place).compute_transform();
        (place.translation.is_finite() && place.rotation.is_finite()).then_some(place)
    };
    let converted = above.and_then(|above| Some((local(above.0, from)?, local(above.1, to)?)));
    let mut moves = world.resource_mut::<Moves>();
    if let Some(known) = moves.0.get_mut(&entity) {
        (known.in_place, known.converted) = (in_place, converted);
    }
}

fn regroup(world: &mut DeferredWorld) {
    if let Some(mut picture) = world.get_resource_mut::<Picture>() {
        picture.regroup();
    }
}

/// It is about to leave its parent.
pub(crate) fn leave(leaving: On<Discard, ChildOf>, mut world: DeferredWorld) {
    let entity = leaving.entity;
    regroup(&mut world);
    if is_out_of_sight(&world, entity)
        && let Some(mut picture) = world.get_resource_mut::<Picture>()
    {
        picture.returned.insert(entity);
    }
    let parent = world.get::<ChildOf>(entity).map(ChildOf::parent);
    remember(&mut world, entity, parent, false);
    take_out(&mut world, entity);
    prepare(&mut world, entity, None);
}

/// It has got a parent.
pub(crate) fn arrive(arriving: On<Insert, ChildOf>, mut world: DeferredWorld) {
    let entity = arriving.entity;
    regroup(&mut world);
    let Some(last_draw) = world.get_resource::<Picture>().map(|picture| picture.last_draw) else { return };
    let now = world.read_change_tick();
    // Without a parent before, its own ends are those in the world.
    remember(&mut world, entity, None, true);
    let parent = world.get::<ChildOf>(entity).map(ChildOf::parent);
    let node = world.entity(entity);
    let (Some(child_of), Some(global)) = (node.get_ref::<ChildOf>(), node.get_ref::<GlobalTransform>())
    else {
        return;
    };
    let is_new = global.added().is_newer_than(last_draw, now);
    let is_spawned = global.added() == child_of.last_changed() && *global == GlobalTransform::IDENTITY;
    if !is_new {
        take_out(&mut world, entity);
    }
    // What is spawned below its parent has no place yet that could be kept, and leaves the parent's picture alone.
    if let Some(parent) = parent.filter(|_| !is_spawned) {
        show_truth_to_bevy(&mut world, parent);
    }
    prepare(&mut world, entity, parent);
}

/// It goes into its new space with the truth, and what is below it too.
fn take_out(world: &mut DeferredWorld, entity: Entity) {
    leave_the_picture(world, entity);
    if let Some(mut played) = world.get_mut::<Played>(entity) {
        played.bypass_change_detection().leave_the_picture();
    }
}

fn show_truth_to_bevy(world: &mut DeferredWorld, parent: Entity) {
    if let Some(truth) = truth_of(world, parent)
        && let Some(mut global) = world.get_mut::<GlobalTransform>(parent)
    {
        let picture = core::mem::replace(&mut *global, truth);
        disturb(world, parent, picture);
    }
}

/// Converts the ends of whatever was also written.
pub(crate) fn convert(world: &mut World) {
    let mut world = DeferredWorld::from(world);
    let mut moves = core::mem::take(&mut world.resource_mut::<Moves>().0);
    for (entity, known) in moves.drain() {
        settle(&mut world, entity, &known);
    }
    // Its memory is used again.
    world.resource_mut::<Moves>().0 = moves;
}

fn settle(world: &mut DeferredWorld, entity: Entity, known: &Move) {
    let in_tick = world.resource::<Picture>().in_tick;
    let Ok(mut node) = world.get_entity_mut(entity) else { return };
    let Ok((now, mut ends, mut played, bend)) =
        node.get_components_mut::<(&Transform, &mut Ends, &mut Played, Option<&mut Bend>)>()
    else {
        return;
    };
    // Put on anew meanwhile; or cut, and so without a past.
    if !played.is_known() || !in_tick && played.was_cut() {
        return;
    }
    let Some(converted) = known.ends(now) else { return };
    // Its velocities are those of the old space.
    if let Some(mut bend) = bend {
        *bend = Bend::default();
    }
    let (ends, played) = (ends.bypass_change_detection(), played.bypass_change_detection());
    if in_tick {
        played.set_beginning(ends, converted.from);
    } else {
        *ends = converted;
        played.play(ends);
    }
}
