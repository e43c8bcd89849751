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
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::entity_disabling::DefaultQueryFilters;
use bevy_ecs::prelude::*;
use bevy_ecs::system::{SystemChangeTick, SystemParam};
use bevy_ecs::world::DeferredWorld;
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
    /// The picture of the moving trees while `GlobalTransform` is their truth: one for each node of the outline.
    saved: Vec<Shown>,
    /// Which of them are part of the picture.
    is_saved: Vec<bool>,
    outline: Outline,
    /// Entities got another parent since the last drawing.
    pub(crate) is_regrouped: bool,
    /// Hidden from queries in the last drawing, and not any more.
    pub(crate) returned: Vec<Entity>,
    /// Not part of the last picture, but moved by a tick: where the picture still shows them.
    pub(crate) woken: Vec<(Entity, Transform)>,
    /// To be propagated in the next frame whatever has changed.
    pub(crate) disturbed: Vec<(Entity, Tick)>,
    /// Hidden from queries while they were drawn elsewhere than the truth is.
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
    let Picture { kept, saved, is_saved, outline, path, above, tops, last_draw, returned, .. } = picture;
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
    // Below another one it is reached from there, if nothing between the two is new.
    let is_top = |entity| {
        let mut below = entity;
        for above in parents.iter_ancestors(entity) {
            if may_be_new && is_new(below) {
                break;
            } else if is_drawn(above) {
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
            saved,
            is_saved,
            path,
            above: above.iter().peekable(),
            below_roots: outline.below_roots,
            deepest: u32::MAX,
        };
        let entity_of = |twig: &Twig| outline.entities[twig.slot as usize];
        for (k, twig) in outline.twigs.iter().enumerate() {
            let is_parent = outline.twigs.get(k + 1).is_some_and(|next| next.depth > twig.depth);
            let mut step = |node: Option<Node>| walk.step(k, twig, is_parent, entity_of, node);
            if nodes.has_places() {
                step(nodes.at(twig.place));
            } else if nodes.look_up(entity_of(twig), |node| step(Some(node))).is_none() {
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
    fn step(
        &mut self,
        k: usize,
        twig: &Twig,
        is_parent: bool,
        entity_of: impl Fn(&Twig) -> Entity,
        node: Option<Node>,
    ) {
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
        if self.since.is_newer(added) || self.may_be_new && (self.is_new)(entity_of(twig)) {
            return;
        }
        let is_written = self.since.is_newer(written);
        let local = if is_written { (self.kept_truth)(entity_of(twig)) } else { Some(*transform) };
        *global = match (local, parent) {
            (Some(local), _) => truth_below(parent, &local),
            // The picture still has the old place below its parent.
            (None, Some(Above { truth, picture })) => {
                let picture = picture.map_or(*truth, |slot| self.saved[slot].global());
                (truth.affine() * (picture.affine().inverse() * drawn.affine())).into()
            }
            (None, None) => drawn,
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
    let Picture { outline, saved, is_saved, woken, below: waiting, .. } = picture;
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

/// The truth of one entity as of the last propagation, while the picture is up; `None` where the picture is the truth.
pub(crate) fn truth_of(world: &DeferredWorld, entity: Entity) -> Option<GlobalTransform> {
    let picture = world.get_resource::<Picture>()?;
    if picture.truth_is_up {
        return None;
    }
    let mut chain = Vec::from([entity]);
    // What has come below its parent since is drawn where it was without it.
    while let Some(&last) = chain.last()
        && !has_come(world, picture, last)
        && let Some(parent) = world.get::<ChildOf>(last)
    {
        chain.push(parent.parent());
    }
    let played = |entity: Entity| world.get::<Played>(entity);
    let top = chain.iter().rposition(|&entity| played(entity).is_some_and(Played::is_displaced))?;
    let mut global = match chain.get(top + 1) {
        Some(&above) => Some(*world.get::<GlobalTransform>(above)?),
        None => None,
    };
    for &entity in chain[..=top].iter().rev() {
        let (node, transform) = (world.get_entity(entity).ok()?, world.get::<Transform>(entity)?);
        let played = node.get::<Played>();
        if played.is_some_and(|played| played.is_displaced() && !played.is_local()) {
            global = node.get::<Shown>().map(Shown::global);
            continue;
        }
        let kept = played.zip(node.get::<Shown>());
        let kept = kept.and_then(|(played, shown)| picture.old_local(entity, played, shown));
        let local = kept.unwrap_or(*transform);
        global = Some(match global {
            None => GlobalTransform::from(local),
            Some(global) => global.mul_transform(local),
        });
    }
    global
}

/// Whether it came below its parent, or into the world, after the picture was drawn.
fn has_come(world: &DeferredWorld, picture: &Picture, entity: Entity) -> bool {
    let Ok(node) = world.get_entity(entity) else { return false };
    let since = Since::new(picture.last_draw, world.read_change_tick());
    node.get_ref::<ChildOf>().is_some_and(|child_of| since.is_newer(child_of.last_changed()))
        || node.get_ref::<GlobalTransform>().is_some_and(|global| since.is_newer(global.added()))
}

/// Puts the truth into `GlobalTransform`, for an entity that leaves the picture and for its descendants.
pub(crate) fn show_below(world: &mut DeferredWorld, entity: Entity, mark: bool) {
    let Some(picture) = world.get_resource::<Picture>() else { return };
    let is_up = picture.truth_is_up;
    let truth = truth_of(world, entity).or_else(|| {
        let local = *world.get::<Transform>(entity)?;
        let Some(parent) = world.get::<ChildOf>(entity).map(ChildOf::parent) else {
            return Some(local.into());
        };
        let above = truth_of(world, parent).or_else(|| world.get::<GlobalTransform>(parent).copied())?;
        Some(above.mul_transform(local))
    });
    let Some(truth) = truth else { return };
    let mut waiting = Vec::from([(entity, truth)]);
    let mut below = Vec::new();
    while let Some((entity, truth)) = waiting.pop() {
        below.push(entity);
        let Some(mut global) = world.get_mut::<GlobalTransform>(entity) else { continue };
        let drawn = *global;
        if !is_up {
            *global.bypass_change_detection() = truth;
        }
        if mark {
            global.set_changed();
        }
        let picture = world.resource::<Picture>();
        let since = Since::new(picture.last_draw, world.read_change_tick());
        for &child in world.get::<Children>(entity).into_iter().flatten() {
            let Ok(node) = world.get_entity(child) else { continue };
            let (Some(local), Some(global)) = (node.get_ref::<Transform>(), node.get::<GlobalTransform>())
            else {
                continue;
            };
            let old = node.get::<Played>().zip(node.get::<Shown>());
            let old = old.and_then(|(played, shown)| picture.old_local(child, played, shown));
            if !is_up && has_come(world, picture, child) {
                continue;
            }
            let truth = match old {
                Some(local) => truth.mul_transform(local),
                // The picture still has the old place below its parent.
                None if !is_up && since.is_newer(local.last_changed()) => {
                    (truth.affine() * (drawn.affine().inverse() * global.affine())).into()
                }
                None => truth.mul_transform(*local),
            };
            waiting.push((child, truth));
        }
    }
    if is_up {
        let picture = &mut *world.resource_mut::<Picture>();
        for (entity, is_saved) in picture.outline.entities.iter().zip(&mut picture.is_saved) {
            *is_saved &= !below.contains(entity);
        }
    }
}

/// Has an entity propagated in the next frame, whatever has changed.
pub(crate) fn disturb(world: &mut DeferredWorld, entity: Entity) {
    let mut picture = world.resource_mut::<Picture>();
    let tick = picture.last_draw;
    picture.disturbed.push((entity, tick));
}

/// What is hidden from queries is drawn by no one: it goes with the truth.
pub(crate) fn hide(hidden: On<Add>, mut world: DeferredWorld) {
    let entity = hidden.entity;
    if truth_of(&world, entity).is_some() {
        // Marked: what is below it may still be seen.
        show_below(&mut world, entity, true);
        world.resource_mut::<Picture>().hidden.insert(entity);
    }
}

/// Ticks went by unseen: whoever comes back has jumped.
pub(crate) fn come_back(back: On<Remove>, mut world: DeferredWorld) {
    let mut picture = world.resource_mut::<Picture>();
    picture.outline.is_old = true;
    picture.returned.push(back.entity);
    if world.resource_mut::<Picture>().hidden.remove(&back.entity) {
        // Renderers still have the picture.
        let mut below = Vec::from([back.entity]);
        while let Some(entity) = below.pop() {
            if let Some(mut global) = world.get_mut::<GlobalTransform>(entity) {
                global.set_changed();
            }
            below.extend(world.get::<Children>(entity).into_iter().flatten());
        }
    }
    let Ok(mut entity) = world.get_entity_mut(back.entity) else { return };
    if let Ok((mut played, mut shown, global)) =
        entity.get_components_mut::<(&mut Played, &mut Shown, &GlobalTransform)>()
    {
        played.cut();
        if played.is_swapped() {
            shown.set_global(*global);
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
