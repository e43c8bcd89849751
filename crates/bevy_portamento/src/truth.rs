//! When is `GlobalTransform` the truth, and when the picture?
//!
//! ```text
//!  Last, First, PreUpdate │ RunFixedMainLoop                             │ Update  │ PostUpdate
//!  the picture            │ show_truth ── ticks ── show_picture, moment  │ picture │ draw: the next picture
//! ```
//!
//! The truth is made in frames that tick. Entities without parent and children keep it in `Shown`, as Bevy propagated it.
//! For the others the moving trees are walked once (`outline`), with Bevy's own arithmetic, and what was drawn is kept in a
//! list until the ticks are over. None of this is marked as a change.

use crate::between::Ends;
use crate::nodes::{Node, Nodes, Open};
use crate::outline::{self, Outline, Twig};
use crate::played::{Played, Shown};
use crate::plugin::PortamentoSettings;
use crate::scan::{Bits, FEW, Since, groups};
use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::entity_disabling::DefaultQueryFilters;
use bevy_ecs::prelude::*;
use bevy_ecs::system::{SystemChangeTick, SystemParam};
use bevy_ecs::world::DeferredWorld;
use bevy_math::Affine3A;
use bevy_time::{Fixed, Time, Virtual};
use bevy_transform::components::{GlobalTransform, Transform};

extern crate alloc;
use alloc::vec::Vec;
use core::iter::Peekable;
use core::slice;

/// What was drawn last, and what of it has to be put back.
#[derive(Resource, Default)]
pub(crate) struct Picture {
    pub(crate) truth_is_up: bool,
    /// A tick has begun and not ended.
    pub(crate) in_tick: bool,
    /// So many declared schedules run, one inside the other.
    pub(crate) simulating: u32,
    /// When the truth was put up.
    pub(crate) truth_since: Tick,
    /// When the last tick ended: what is newer in `Transform` was written by something else.
    pub(crate) ended: Tick,
    /// When this drawing began.
    pub(crate) began: Tick,
    /// When the last drawing ended: what is newer was written since.
    pub(crate) last_draw: Tick,
    /// Entities in trees whose `Transform` was replaced while Bevy propagated, with the truth.
    pub(crate) kept: Vec<Kept>,
    /// Left the picture in a tick.
    left: EntityHashSet,
    /// What of them renderers have to be told of after the tick.
    marks: Vec<Entity>,
    /// The picture of the moving trees while `GlobalTransform` is their truth: one for each node of the outline.
    saved: Vec<Shown>,
    /// Which of them are part of the picture.
    is_saved: Vec<bool>,
    outline: Outline,
    /// Entities got another parent since the last drawing.
    pub(crate) is_regrouped: bool,
    /// Hidden from queries in the last drawing, or below what was, and not any more.
    pub(crate) returned: EntityHashSet,
    /// Not part of the last picture, but moved by a tick: where the picture still shows them.
    pub(crate) woken: Vec<(Entity, Transform)>,
    /// They have the truth already, and are to be propagated in the next frame whatever has changed.
    pub(crate) disturbed: EntityHashMap<Disturbed>,
    /// Hidden from queries before renderers saw that they are elsewhere.
    hidden: EntityHashSet,
    // Kept for their memory.
    path: Vec<Above>,
    above: Vec<(usize, GlobalTransform)>,
    tops: Vec<Entity>,
    below: Vec<(Entity, Option<GlobalTransform>)>,
}

/// A parent's truth, and which of the saved pictures is its own; none if that is the truth.
#[derive(Clone, Copy, Default)]
struct Above {
    truth: GlobalTransform,
    picture: Option<usize>,
}

pub(crate) struct Kept {
    pub(crate) entity: Entity,
    pub(crate) truth: Transform,
    pub(crate) changed: Tick,
    pub(crate) is_marked: bool,
    pub(crate) is_displaced: bool,
    pub(crate) has_parent: bool,
}

pub(crate) struct Disturbed {
    /// Where the picture had it, and so what is below it.
    picture: GlobalTransform,
    /// When its `Transform` changed last.
    pub(crate) changed: Tick,
}

impl Picture {
    /// What the `Transform` of an entity that Bevy's propagation drew was when the last picture was drawn.
    pub(crate) fn old_local(&self, entity: Entity, played: &Played, shown: &Shown) -> Option<Transform> {
        let kept = self.kept.get(shown.index()).filter(|_| played.is_local())?;
        (kept.entity == entity).then_some(kept.truth)
    }

    /// The hierarchy has changed.
    pub(crate) fn regroup(&mut self) {
        (self.is_regrouped, self.outline.is_old) = (true, true);
    }

    /// Remembers an entity that a tick has set in motion, if something in the tick wrote its `GlobalTransform`.
    pub(crate) fn notice_waking(&mut self, entity: Entity, ends: &Ends, changed: Tick, now: Tick) {
        if self.truth_is_up && changed.is_newer_than(self.truth_since, now) {
            self.woken.push((entity, ends.from));
        }
    }
}

/// Everything that is drawn without Bevy's propagation: swaps truth and picture, unmarked.
#[derive(SystemParam)]
pub(crate) struct Swaps<'w, 's> {
    entities: Query<'w, 's, (&'static mut Played, &'static mut Shown, &'static mut GlobalTransform)>,
}

impl Swaps<'_, '_> {
    fn swap(&mut self, to_truth: bool) {
        let is_due =
            |played: &Played| if to_truth { played.has_picture_alone() } else { played.is_swapped() };
        let swap = |played: &mut Played, shown: &mut Shown, global: &mut GlobalTransform| {
            shown.swap(global);
            played.swap(to_truth);
        };
        if let Ok(tables) = self.entities.contiguous_iter_mut() {
            for (mut played, mut shown, mut globals) in tables {
                let (played, shown) = (played.bypass_change_detection(), shown.bypass_change_detection());
                let globals = globals.bypass_change_detection();
                for start in groups(played.len()) {
                    let due = match to_truth {
                        true => Played::which_have_the_picture(played, start),
                        false => Played::which_are_swapped(played, start),
                    };
                    if due == Bits::ALL {
                        let all = start..start + FEW;
                        let rest = shown[all.clone()].iter_mut().zip(&mut globals[all.clone()]);
                        for (played, (shown, global)) in played[all].iter_mut().zip(rest) {
                            swap(played, shown, global);
                        }
                    } else {
                        due.each(start, |row| swap(&mut played[row], &mut shown[row], &mut globals[row]));
                    }
                }
            }
        } else {
            for (mut played, mut shown, mut global) in &mut self.entities {
                if is_due(&played) {
                    let (played, shown) = (played.bypass_change_detection(), shown.bypass_change_detection());
                    swap(played, shown, global.bypass_change_detection());
                }
            }
        }
    }
}

/// Whether this frame will tick, by Bevy's own rule.
pub(crate) fn ticks_are_due(fixed: Res<Time<Fixed>>, time: Res<Time<Virtual>>) -> bool {
    fixed.overstep() + time.delta() >= fixed.timestep()
}

/// Whether `GlobalTransform` is the truth now.
pub(crate) fn is_up(picture: Res<Picture>) -> bool {
    picture.truth_is_up
}

/// Makes `GlobalTransform` what Bevy's last propagation would have made it without us.
pub(crate) fn show_truth(
    settings: Res<PortamentoSettings>,
    mut picture: ResMut<Picture>,
    ticks: SystemChangeTick,
    hierarchy: (Query<&ChildOf>, Query<Ref<ChildOf>>, outline::Nodes),
    mut entities: ParamSet<(Swaps, (Query<(&Played, &Shown)>, Nodes))>,
) {
    let picture = &mut *picture;
    if picture.truth_is_up {
        return;
    }
    picture.truth_is_up = true;
    picture.truth_since = ticks.this_run();
    entities.p0().swap(true);
    let (parents, arrivals, below) = hierarchy;
    let descendants = settings.truth_for_descendants;
    let Picture { kept, saved, is_saved, outline, path, above, tops, last_draw, returned, disturbed, .. } =
        picture;
    let may_be_new = picture.is_regrouped || !returned.is_empty();
    let (smooth, mut nodes) = entities.p1();
    let is_drawn = |entity| smooth.get(entity).is_ok_and(|(played, _)| played.is_local());
    tops.clear();
    tops.extend(kept.iter().filter(|kept| kept.is_displaced && !kept.has_parent).map(|kept| kept.entity));
    let roots = tops.len();
    let since = Since::new(*last_draw, ticks.this_run());
    let is_new = |entity| {
        let arrival = arrivals.get(entity);
        arrival.is_ok_and(|child_of| since.is_newer(child_of.last_changed())) || returned.contains(&entity)
    };
    // Below what is hidden, or has no transform, Bevy propagates nothing.
    let is_out = |above| !below.contains(above) || may_be_new && returned.contains(&above);
    // Below another one it is reached from there, if nothing between the two is new.
    let is_top = |entity| {
        let mut below = entity;
        for above in parents.iter_ancestors(entity) {
            if may_be_new && is_new(below) {
                break;
            } else if is_drawn(above) || is_out(above) {
                return false;
            }
            below = above;
        }
        true
    };
    let with_parent = kept.iter().filter(|kept| kept.is_displaced && kept.has_parent);
    let with_parent = with_parent.filter(|kept| descendants && is_top(kept.entity));
    tops.extend(with_parent.map(|kept| kept.entity));

    let kept_truth = |entity| {
        let (played, shown) = smooth.get(entity).ok()?;
        let kept = kept.get(shown.index())?;
        (played.is_local() && kept.entity == entity).then_some(kept.truth)
    };
    nodes.walk(|nodes| {
        outline.renew(tops, roots, descendants, &below, nodes);
        saved.resize(outline.entities.len(), Shown::default());
        path.resize(outline.deepest as usize + 1, Above::default());
        // What is above the moving trees does not move.
        above.clear();
        let mut is_old = !may_be_new && outline.is_older_than(since, nodes);
        for (k, top) in outline.tops_with_parent() {
            let parent = parents.get(top).ok();
            let parent = parent.and_then(|parent| nodes.look_up(parent.parent(), |parent| *parent.global));
            is_old &= parent.is_some();
            above.extend(parent.map(|truth| (k, truth)));
        }
        is_saved.clear();
        is_saved.resize(outline.entities.len(), is_old);
        if is_old {
            return walk_old(outline, nodes, saved, path, above);
        }
        let mut walk = Walk {
            since,
            may_be_new,
            is_new,
            kept_truth,
            disturbed,
            entities: &outline.entities,
            saved,
            is_saved,
            path,
            above: above.iter().peekable(),
            below_roots: outline.below_roots,
            deepest: u32::MAX,
        };
        for (k, twig) in outline.twigs.iter().enumerate() {
            let is_parent = outline.twigs.get(k + 1).is_some_and(|next| next.depth > twig.depth);
            let mut step = |node: Option<Node>| walk.step(k, twig, is_parent, node);
            if nodes.has_places() {
                step(nodes.at(twig.place));
            } else if nodes.look_up(outline.entities[twig.slot as usize], |node| step(Some(node))).is_none() {
                step(None);
            }
        }
    });
}

/// The way of [`Walk`] where no node was written, came or went since the picture was drawn, as it mostly is: nothing has to
/// be asked of them. Each truth is written twice, because one that is read back where it was just written is waited for.
fn walk_old(
    outline: &Outline,
    nodes: &mut Open,
    saved: &mut [Shown],
    path: &mut [Above],
    above: &[(usize, GlobalTransform)],
) {
    let mut above = above.iter();
    for (k, twig) in outline.twigs.iter().enumerate() {
        let depth = twig.depth as usize;
        if depth == 1 && k >= outline.below_roots {
            path[0].truth = above.next().map_or(GlobalTransform::IDENTITY, |(_, truth)| *truth);
        }
        let Some(Node { transform, global, .. }) = nodes.at(twig.place) else { continue };
        saved[twig.slot as usize].set_global(*global);
        if depth == 0 {
            *global = GlobalTransform::from(*transform);
            path[0].truth = *global;
        } else {
            let truth = path[depth - 1].truth.mul_transform(*transform);
            *global = truth;
            path[depth].truth = truth;
        }
    }
}

/// On the way along the moving trees, from their pictures to their truth.
struct Walk<'a, N, K> {
    /// Since the picture was drawn.
    since: Since,
    may_be_new: bool,
    /// What came below its parent after the picture was drawn, or came back, is not part of it.
    is_new: N,
    kept_truth: K,
    disturbed: &'a EntityHashMap<Disturbed>,
    entities: &'a [Entity],
    saved: &'a mut [Shown],
    is_saved: &'a mut [bool],
    path: &'a mut [Above],
    above: Peekable<slice::Iter<'a, (usize, GlobalTransform)>>,
    below_roots: usize,
    /// Nodes that are deeper are below one that is left out.
    deepest: u32,
}

impl<N: Fn(Entity) -> bool, K: Fn(Entity) -> Option<Transform>> Walk<'_, N, K> {
    #[inline(always)] // a call for each node takes a fifth of the time
    fn step(&mut self, k: usize, twig: &Twig, is_parent: bool, node: Option<Node>) {
        let (depth, slot) = (twig.depth, twig.slot as usize);
        let is_top = depth == 1 && k >= self.below_roots;
        if depth > self.deepest && !is_top {
            return;
        }
        self.deepest = depth;
        if is_top {
            while self.above.next_if(|(top, _)| *top < k).is_some() {}
            let Some(&(_, truth)) = self.above.next_if(|(top, _)| *top == k) else { return };
            self.path[0] = Above { truth, picture: None };
        }
        let Some(Node { transform, written, added, global }) = node else { return };
        let parent = depth.checked_sub(1).map(|above| &self.path[above as usize]);
        let drawn = *global;
        if self.since.is_newer(added) || self.may_be_new && (self.is_new)(self.entities[slot]) {
            return;
        }
        let is_written = self.since.is_newer(written);
        let local = if is_written { (self.kept_truth)(self.entities[slot]) } else { Some(*transform) };
        *global = match (local, parent) {
            (Some(local), _) => truth_below(parent, &local),
            (None, Some(Above { truth, picture })) if !self.disturbed.contains_key(&self.entities[slot]) => {
                let picture_of = |slot: usize| match self.disturbed.get(&self.entities[slot]) {
                    Some(disturbed) => disturbed.picture,
                    None => self.saved[slot].global(),
                };
                old_place(truth, &picture.map_or(*truth, picture_of), &drawn, transform)
            }
            _ => drawn,
        };
        self.saved[slot].set_global(drawn);
        if is_parent {
            self.path[depth as usize] = Above { truth: *global, picture: Some(slot) };
        }
        (self.is_saved[slot], self.deepest) = (true, u32::MAX);
    }
}

/// A node's truth, below that of its parent.
#[inline(always)] // a transform that passes through memory is waited for
fn truth_below(parent: Option<&Above>, local: &Transform) -> GlobalTransform {
    match parent {
        None => GlobalTransform::from(*local),
        Some(parent) => parent.truth.mul_transform(*local),
    }
}

/// The truth of a node whose `Transform` already has new numbers: the picture still has its old place below its parent. Below
/// a scale of zero that cannot be read from it, and the new one has to do.
fn old_place(
    truth_above: &GlobalTransform,
    picture_above: &GlobalTransform,
    drawn: &GlobalTransform,
    local: &Transform,
) -> GlobalTransform {
    if truth_above == picture_above {
        return *drawn;
    }
    let above = picture_above.affine();
    let invertible = above.matrix3.determinant() != 0.0;
    let place = invertible.then(|| truth_above.affine() * (above.inverse() * drawn.affine()));
    place.filter(Affine3A::is_finite).map_or_else(|| truth_above.mul_transform(*local), Into::into)
}

type Tree<'w> = (&'w Transform, &'w mut GlobalTransform, Option<&'w Children>, Option<&'w Played>);

/// Makes `GlobalTransform` what was drawn last.
pub(crate) fn show_picture(
    mut picture: ResMut<Picture>,
    parents: Query<&ChildOf>,
    mut entities: ParamSet<(Swaps, Nodes, Query<Tree>)>,
) {
    let picture = &mut *picture;
    if !picture.truth_is_up {
        return;
    }
    (picture.truth_is_up, picture.in_tick, picture.simulating) = (false, false, 0);
    entities.p0().swap(false);
    let Picture { outline, saved, is_saved, woken, left, marks, below: waiting, .. } = picture;
    if !left.is_empty() {
        for (entity, is_saved) in outline.entities.iter().zip(&mut *is_saved) {
            if *is_saved && left.contains(entity) {
                *is_saved = false;
                marks.push(*entity);
            }
        }
        left.clear();
    }
    entities.p1().walk(|nodes| {
        outline.visit_globals(nodes, |slots, globals| {
            let pictures = saved[slots.clone()].iter().zip(&is_saved[slots]);
            for (global, (drawn, is_saved)) in globals.iter_mut().zip(pictures) {
                if *is_saved {
                    *global = drawn.global();
                }
            }
        });
    });
    // A simulation may propagate transforms as well, as avian does.
    let mut nodes = entities.p2();
    for entity in marks.drain(..) {
        if let Ok((_, mut global, ..)) = nodes.get_mut(entity) {
            global.set_changed();
        }
    }
    woken.sort_by_key(|woken| woken.0);
    woken.dedup_by_key(|woken| woken.0);
    let old = |entity: Entity| woken.binary_search_by_key(&entity, |woken| woken.0).ok().map(|k| woken[k].1);
    for &(entity, _) in woken.iter() {
        if !parents.iter_ancestors(entity).any(|above| old(above).is_some()) {
            let parent = parents.get(entity).ok().and_then(|parent| nodes.get(parent.parent()).ok());
            waiting.push((entity, parent.map(|(_, global, ..)| *global)));
        }
    }
    while let Some((entity, above)) = waiting.pop() {
        let Ok((transform, mut global, children, played)) = nodes.get_mut(entity) else { continue };
        if played.is_some_and(Played::is_displaced) {
            continue; // it has been put back
        }
        let local = old(entity).unwrap_or(*transform);
        let drawn = match above {
            None => GlobalTransform::from(local),
            Some(above) => above.mul_transform(local),
        };
        *global.bypass_change_detection() = drawn;
        waiting.extend(children.into_iter().flatten().map(|&child| (child, Some(drawn))));
    }
    woken.clear();
}

/// The truth of one entity as of the last propagation, while the picture is up; `None` where `GlobalTransform` has it.
pub(crate) fn truth_of(world: &DeferredWorld, entity: Entity) -> Option<GlobalTransform> {
    (!is_hidden(world, entity)).then(|| truth_before_hiding(world, entity))?
}

/// The same for an entity that may just have been hidden.
fn truth_before_hiding(world: &DeferredWorld, entity: Entity) -> Option<GlobalTransform> {
    let picture = world.get_resource::<Picture>()?;
    let global = |entity: Entity| world.get::<GlobalTransform>(entity).copied();
    if picture.truth_is_up || picture.returned.contains(&entity) || picture.disturbed.contains_key(&entity) {
        return None;
    }
    // The entity and what is above it, up to one whose truth and picture are known.
    let mut chain = Vec::new();
    let mut next = Some(entity);
    let mut known = None;
    while let Some(entity) = next {
        if let Some(disturbed) = picture.disturbed.get(&entity) {
            known = Some((global(entity)?, disturbed.picture));
            break;
        }
        chain.push(entity);
        // What has come below its parent since is drawn where it was without it.
        next = match has_come(world, picture, entity) {
            true => None,
            false => world.get::<ChildOf>(entity).map(ChildOf::parent),
        };
        // What is below a hidden one is not drawn, and has kept the truth.
        if next.is_some_and(|above| is_hidden(world, above) || picture.returned.contains(&above)) {
            return None;
        }
    }
    let is_displaced = |entity: &Entity| world.get::<Played>(*entity).is_some_and(Played::is_displaced);
    if known.is_none_or(|(truth, picture)| truth == picture) && !chain.is_empty() {
        let top = chain.iter().rposition(is_displaced)?;
        known = match chain.get(top + 1) {
            Some(&above) => global(above).map(|above| (above, above)),
            None => known,
        };
        chain.truncate(top + 1);
    }
    for &entity in chain.iter().rev() {
        let (node, local) = (world.get_entity(entity).ok()?, world.get::<Transform>(entity)?);
        let drawn = *node.get::<GlobalTransform>()?;
        let truth = match (node.get::<Played>().zip(node.get::<Shown>()), known) {
            (Some((played, shown)), _) if played.is_displaced() && !played.is_local() => shown.global(),
            (_, None) => GlobalTransform::from(old_local(world, picture, entity).unwrap_or(*local)),
            (_, Some(above)) => truth_in(world, picture, entity, above)?,
        };
        known = Some((truth, drawn));
    }
    known.map(|(truth, _)| truth)
}

/// What the `Transform` of an entity that Bevy's propagation drew was when the last picture was drawn.
fn old_local(world: &DeferredWorld, picture: &Picture, entity: Entity) -> Option<Transform> {
    let node = world.get_entity(entity).ok()?;
    picture.old_local(entity, node.get::<Played>()?, node.get::<Shown>()?)
}

/// The truth of an entity below a parent of which truth and picture are known.
fn truth_in(
    world: &DeferredWorld,
    picture: &Picture,
    entity: Entity,
    (truth, drawn): (GlobalTransform, GlobalTransform),
) -> Option<GlobalTransform> {
    let node = world.get_entity(entity).ok()?;
    let (local, global) = (node.get_ref::<Transform>()?, node.get::<GlobalTransform>()?);
    let is_displaced = node.get::<Played>().is_some_and(Played::is_displaced);
    if truth == drawn && !is_displaced || picture.disturbed.contains_key(&entity) {
        return Some(*global);
    }
    let since = Since::new(picture.last_draw, world.read_change_tick());
    Some(match old_local(world, picture, entity) {
        Some(local) => truth.mul_transform(local),
        None if since.is_newer(local.last_changed()) => old_place(&truth, &drawn, global, &local),
        None => truth.mul_transform(*local),
    })
}

/// Whether it came below its parent, or into the world, after the picture was drawn.
fn has_come(world: &DeferredWorld, picture: &Picture, entity: Entity) -> bool {
    let Ok(node) = world.get_entity(entity) else { return false };
    let since = Since::new(picture.last_draw, world.read_change_tick());
    node.get_ref::<ChildOf>().is_some_and(|child_of| since.is_newer(child_of.last_changed()))
        || node.get_ref::<GlobalTransform>().is_some_and(|global| since.is_newer(global.added()))
}

/// Whether queries do not see it, and so Bevy does not propagate it.
fn is_hidden(world: &DeferredWorld, entity: Entity) -> bool {
    markers(world, entity) > 0
}

/// How many markers hide it.
fn markers(world: &DeferredWorld, entity: Entity) -> usize {
    let (Ok(node), Some(filters)) = (world.get_entity(entity), world.get_resource::<DefaultQueryFilters>())
    else {
        return 0;
    };
    filters.disabling_ids().filter(|marker| node.contains_id(*marker)).count()
}

/// Whether something above it is hidden or has no transform, so that Bevy does not propagate it.
pub(crate) fn is_out_of_sight(world: &DeferredWorld, mut entity: Entity) -> bool {
    while let Some(above) = world.get::<ChildOf>(entity).map(ChildOf::parent) {
        if is_hidden(world, above) || world.get::<GlobalTransform>(above).is_none() {
            return true;
        }
        entity = above;
    }
    false
}

/// An entity leaves the picture, with its descendants: they get the truth.
pub(crate) fn leave_the_picture(world: &mut DeferredWorld, entity: Entity) {
    let Some(picture) = world.get_resource::<Picture>() else { return };
    if !picture.returned.contains(&entity) && !is_hidden(world, entity) {
        let truth = truth_of(world, entity);
        leave_with(world, entity, truth);
    }
}

/// The same; no `truth` if `GlobalTransform` has it.
fn leave_with(world: &mut DeferredWorld, entity: Entity, truth: Option<GlobalTransform>) {
    if world.get_resource::<Picture>().is_some_and(|picture| picture.truth_is_up) {
        stay_with_the_truth(world, entity);
    } else if let Some(truth) = truth.or_else(|| world.get::<GlobalTransform>(entity).copied()) {
        show_below(world, entity, truth);
    }
}

/// `GlobalTransform` is the truth, and remains so.
fn stay_with_the_truth(world: &mut DeferredWorld, entity: Entity) {
    let mut waiting = Vec::from([entity]);
    while let Some(entity) = waiting.pop() {
        let truth = world.get::<GlobalTransform>(entity).copied();
        if let Some(mut played) = world.get_mut::<Played>(entity)
            && let Some(truth) = truth
        {
            let played = played.bypass_change_detection();
            if played.is_swapped() {
                played.swap(false);
                played.leave_the_picture();
                world.resource_mut::<Picture>().marks.push(entity);
            } else if played.is_displaced() {
                disturb(world, entity, truth);
            }
        }
        let mut picture = world.resource_mut::<Picture>();
        picture.left.insert(entity);
        // What is below it has the truth too.
        if let (Some(disturbed), Some(truth)) = (picture.disturbed.get_mut(&entity), truth) {
            disturbed.picture = truth;
        }
        waiting.extend(world.get::<Children>(entity).into_iter().flatten());
    }
}

/// A clone has the `GlobalTransform` of the picture; it gets the truth's, and what is below it too.
pub(crate) fn show_truth_of_clone(world: &mut DeferredWorld, entity: Entity) {
    let Some(&local) = world.get::<Transform>(entity) else { return };
    if world.get_resource::<Picture>().is_none_or(|picture| picture.truth_is_up) {
        return; // it has been cloned too
    }
    let above = world.get::<ChildOf>(entity).map(ChildOf::parent);
    let above =
        above.map(|above| truth_of(world, above).or_else(|| world.get::<GlobalTransform>(above).copied()));
    match above {
        None => show_below(world, entity, local.into()),
        Some(Some(above)) => show_below(world, entity, above.mul_transform(local)),
        Some(None) => {}
    }
}

/// Puts the truth into `GlobalTransform`, for an entity of which it is known and for its descendants.
fn show_below(world: &mut DeferredWorld, entity: Entity, truth: GlobalTransform) {
    if !world.contains_resource::<Picture>() {
        return;
    }
    let mut waiting = Vec::from([(entity, truth)]);
    while let Some((entity, truth)) = waiting.pop() {
        let mut picture = world.resource_mut::<Picture>();
        // Where the picture had it, which is what those below it are drawn by.
        let picture = picture.disturbed.get_mut(&entity);
        let drawn = picture.map(|disturbed| core::mem::replace(&mut disturbed.picture, truth));
        let Some(mut global) = world.get_mut::<GlobalTransform>(entity) else { continue };
        let drawn = drawn.unwrap_or(*global);
        // Marked: on many threads Bevy does not mark what already has the place that it propagates. And it passes by what
        // was not written below what is where it was.
        if global.set_if_neq(truth) && world.get::<Played>(entity).is_some_and(Played::is_displaced) {
            disturb(world, entity, truth);
        }
        let world = &*world;
        let picture = world.resource::<Picture>();
        for &child in world.get::<Children>(entity).into_iter().flatten() {
            // What is not part of the picture has the truth.
            let is_drawn = !has_come(world, picture, child)
                && !picture.returned.contains(&child)
                && !is_hidden(world, child);
            if let Some(truth) = is_drawn.then(|| truth_in(world, picture, child, (truth, drawn))).flatten() {
                waiting.push((child, truth));
            }
        }
    }
}

/// Has an entity, which has the truth instead of `picture`, propagated in the next frame, whatever has changed.
pub(crate) fn disturb(world: &mut DeferredWorld, entity: Entity, picture: GlobalTransform) {
    let changed = Tick::default(); // known when the frame begins
    if let Some(mut known) = world.get_resource_mut::<Picture>() {
        known.disturbed.entry(entity).or_insert(Disturbed { picture, changed });
    }
}

/// What is hidden from queries is drawn by no one, and what is below it neither: they go with the truth.
pub(crate) fn hide(hidden: On<Add>, mut world: DeferredWorld) {
    let entity = hidden.entity;
    if markers(&world, entity) > 1 {
        return; // it was hidden
    }
    let truth = truth_before_hiding(&world, entity);
    leave_with(&mut world, entity, truth);
    let Some(picture) = world.get_resource::<Picture>() else { return };
    let since = Since::new(picture.began, world.read_change_tick());
    let is_unseen = picture.truth_is_up
        || world.get_entity(entity).is_ok_and(|node| {
            node.get_ref::<GlobalTransform>().is_some_and(|global| since.is_newer(global.last_changed()))
        });
    if is_unseen {
        world.resource_mut::<Picture>().hidden.insert(entity);
    }
}

/// Ticks went by unseen: whoever comes back has jumped.
pub(crate) fn come_back(back: On<Remove>, mut world: DeferredWorld) {
    if markers(&world, back.entity) > 1 {
        return; // the others hide it still
    }
    let mut picture = world.resource_mut::<Picture>();
    picture.outline.is_old = true;
    picture.returned.insert(back.entity);
    let is_unseen = picture.hidden.remove(&back.entity);
    let Ok(mut entity) = world.get_entity_mut(back.entity) else { return };
    if let Ok((mut global, played)) =
        entity.get_components_mut::<(&mut GlobalTransform, Option<&mut Played>)>()
    {
        if is_unseen {
            global.set_changed();
        }
        if let Some(mut played) = played {
            played.cut();
            played.leave_the_picture();
            played.swap(false);
        }
    }
}

/// How many markers that hide entities from queries are known.
#[derive(Resource, Default)]
pub(crate) struct Disabling(usize);

/// Such markers may be registered at any time.
pub(crate) fn is_disabling_new(filters: Res<DefaultQueryFilters>, known: Res<Disabling>) -> bool {
    filters.disabling_ids().count() != known.0
}

pub(crate) fn watch_disabling(world: &mut World) {
    let known = world.get_resource_or_init::<Disabling>().0;
    let new: Vec<_> = world.resource::<DefaultQueryFilters>().disabling_ids().skip(known).collect();
    world.resource_mut::<Disabling>().0 += new.len();
    world.spawn(Observer::new(hide).with_components(new.clone()));
    world.spawn(Observer::new(come_back).with_components(new));
}
