//! How does a frame put views into `GlobalTransform`?
//!
//! One exclusive step in `PostUpdate`, in the place of Bevy's three systems of transform propagation. Nothing else runs
//! beside it, so nothing sees what `Transform` holds meanwhile:
//!
//! 1. Moving entities with a parent or children: the view is written into `Transform`.
//! 2. Bevy propagates, once, and without those that have neither parent nor children (`marks`).
//! 3. Value and change tick of those `Transform`s are put back.
//! 4. Entities without parent and children are propagated; of those that move, the view is written into
//!    `GlobalTransform` (`rows`).

use crate::between::{EIGHT, Ends, Share};
use crate::curve::Bend;
use crate::marks::Marks;
use crate::moment::FrameMoment;
use crate::parents;
use crate::played::{Played, Shown};
use crate::rows::{FlatRows, sync_others};
use crate::scan::{Search, Since};
use crate::truth::{Kept, Picture, show_picture};
use bevy_ecs::change_detection::{ContiguousMut, Tick};
use bevy_ecs::prelude::*;
use bevy_ecs::system::{BoxedSystem, SystemChangeTick};
use bevy_time::{Time, Virtual};
use bevy_transform::components::Transform;
use bevy_transform::systems::{mark_dirty_trees, propagate_parent_transforms};

extern crate alloc;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::slice::{from_mut, from_ref};

/// What the step consists of, in its order.
#[derive(Resource)]
pub(crate) struct Steps {
    before: Vec<BoxedSystem>,
    /// Visited twice, so that both visits are in the same order.
    trees: QueryState<TreeNode, InTrees>,
    marks: Marks,
    propagation: Vec<BoxedSystem>,
    after: Vec<BoxedSystem>,
}

impl Steps {
    pub(crate) fn new(world: &mut World) -> Self {
        fn step<M>(system: impl IntoSystem<(), (), M>) -> BoxedSystem {
            Box::new(IntoSystem::into_system(system))
        }
        let mut steps = Self {
            // Ticks that were run out of turn leave the truth behind.
            before: Vec::from([step(show_picture), step(parents::convert), step(take_at_their_word)]),
            trees: world.query_filtered(),
            marks: Marks::new(world),
            propagation: Vec::from([
                step(mark_dirty_trees),
                step(propagate_parent_transforms),
                step(sync_others),
            ]),
            after: Vec::from([step(draw_flat), step(remember_when)]),
        };
        let systems = [&mut steps.before, &mut steps.propagation, &mut steps.after];
        for system in systems.into_iter().flatten() {
            system.initialize(world);
        }
        steps
    }
}

fn run(systems: &mut [BoxedSystem], world: &mut World) {
    for system in systems {
        // A system that cannot run, for a resource that someone removed, is left out, as Bevy does.
        let _ = system.run((), world);
    }
}

/// Draws this frame.
pub(crate) fn draw(world: &mut World) {
    world.resource_scope(|world, mut steps: Mut<Steps>| {
        let steps = &mut *steps;
        run(&mut steps.before, world);
        world.resource_scope(|world, mut picture: Mut<Picture>| {
            put_views(world, &mut steps.trees, &mut picture);
            steps.marks.take(world, picture.last_draw);
            run(&mut steps.propagation, world);
            steps.marks.put_back(world);
            put_truth_back(world, &mut steps.trees, &mut picture);
        });
        run(&mut steps.after, world);
        take_back_marks(world);
    });
}

/// The entity's own view, in its parent's space.
pub(crate) fn view(share: &Share, ends: &Ends, bend: Option<&Bend>, now: &Transform) -> Transform {
    let curved = bend.filter(|_| !ends.are_mirrored()).and_then(|bend| bend.between(share));
    ends.under(curved.unwrap_or_else(|| share.between(ends)), now)
}

type InTrees = Or<(With<ChildOf>, With<Children>)>;

type TreeNode = (
    Entity,
    Mut<'static, Transform>,
    &'static Ends,
    Option<&'static Bend>,
    &'static mut Played,
    &'static mut Shown,
    Has<ChildOf>,
);

/// While time stands still nothing is left to be played below a number that someone writes, say in an inspector.
fn take_at_their_word(
    time: Res<Time<Virtual>>,
    picture: Res<Picture>,
    ticks: SystemChangeTick,
    mut entities: Query<(Ref<Transform>, &mut Ends, &mut Played, Option<&mut Bend>)>,
) {
    if time.effective_speed() != 0.0 {
        return;
    }
    for (transform, mut ends, mut played, bend) in &mut entities {
        if !played.is_moving() || !transform.last_changed().is_newer_than(picture.last_draw, ticks.this_run())
        {
            continue;
        }
        let ends = ends.bypass_change_detection();
        for axis in 0..3 {
            if transform.translation[axis] != ends.to.translation[axis] {
                ends.from.translation[axis] = transform.translation[axis];
                ends.to.translation[axis] = transform.translation[axis];
            }
            if transform.scale[axis] != ends.to.scale[axis] {
                ends.from.scale[axis] = transform.scale[axis];
                ends.to.scale[axis] = transform.scale[axis];
            }
        }
        if transform.rotation != ends.to.rotation {
            (ends.from.rotation, ends.to.rotation) = (transform.rotation, transform.rotation);
        }
        if let Some(mut bend) = bend {
            *bend = Bend::default();
        }
        played.bypass_change_detection().play(ends);
    }
}

fn put_views(world: &mut World, trees: &mut QueryState<TreeNode, InTrees>, picture: &mut Picture) {
    picture.began = world.increment_change_tick();
    for (entity, disturbed) in &mut picture.disturbed {
        if let Some(mut transform) = world.get_mut::<Transform>(*entity) {
            disturbed.changed = transform.last_changed();
            transform.set_changed();
        }
    }
    picture.kept.clear();
    let Some(moment) = world.get_resource::<FrameMoment>() else { return };
    let share = Share::of(**moment);
    let now = world.change_tick();
    let ended = Since::new(picture.ended, now);
    if let Ok(tables) = trees.contiguous_iter_mut(world) {
        for (entities, transforms, ends, bends, mut played, mut shown, has_parent) in tables {
            let (transforms, mut ticks) = ContiguousMut::bypass_change_detection_split(transforms);
            let nodes = Nodes {
                entities,
                transforms,
                changed: ticks.changed_mut(),
                ends,
                bends,
                played: played.bypass_change_detection(),
                shown: shown.bypass_change_detection(),
                has_parent,
            };
            nodes.put_views(&share, ended, now, &mut picture.kept);
        }
        return;
    }
    // Where a marker for disabled entities is kept apart from the tables, queries have no slices.
    for (entity, mut transform, ends, bend, mut played, mut shown, has_parent) in trees.iter_mut(world) {
        let mut changed = transform.last_changed();
        let nodes = Nodes {
            entities: from_ref(&entity),
            transforms: from_mut(transform.bypass_change_detection()),
            changed: from_mut(&mut changed),
            ends: from_ref(ends),
            bends: bend.map(from_ref),
            played: from_mut(played.bypass_change_detection()),
            shown: from_mut(shown.bypass_change_detection()),
            has_parent,
        };
        nodes.put_views(&share, ended, now, &mut picture.kept);
        transform.set_last_changed(changed);
    }
}

/// Entities of one table that have a parent or children.
struct Nodes<'a> {
    entities: &'a [Entity],
    transforms: &'a mut [Transform],
    /// When each of `transforms` changed last.
    changed: &'a mut [Tick],
    ends: &'a [Ends],
    bends: Option<&'a [Bend]>,
    played: &'a mut [Played],
    shown: &'a mut [Shown],
    has_parent: bool,
}

impl Nodes<'_> {
    fn put_views(mut self, share: &Share, ended: Since, now: Tick, kept: &mut Vec<Kept>) {
        let mut search = Search::default();
        loop {
            let rows =
                search.few(self.played.len(), |start| Played::which_concern_a_frame(self.played, start));
            if rows.is_empty() {
                return;
            }
            for rows in rows.chunks(EIGHT) {
                for (&row, turn) in rows.iter().zip(share.turns_of(self.ends, rows)) {
                    let (ends, bend) = (&self.ends[row], self.bends.map(|bends| &bends[row]));
                    let truth = self.transforms[row];
                    let is_plain =
                        self.played[row].is_plain() && bend.is_none() && !ended.is_newer(self.changed[row]);
                    let view = match share.plain(ends, turn) {
                        _ if !self.played[row].is_moving() => truth,
                        Some(plain) if is_plain => plain,
                        _ => view(share, ends, bend, &truth),
                    };
                    self.put_view(row, view, now, kept);
                }
            }
        }
    }

    #[inline]
    fn put_view(&mut self, row: usize, view: Transform, now: Tick, kept: &mut Vec<Kept>) {
        let (played, shown) = (&mut self.played[row], &mut self.shown[row]);
        let (truth, changed) = (self.transforms[row], self.changed[row]);
        let is_displaced = view != truth;
        let is_marked = match played.is_local() {
            true => shown.local() != view,
            false => is_displaced || played.is_displaced(),
        };
        if is_displaced {
            self.transforms[row] = view;
            shown.set_local(&view, kept.len());
            played.show(true);
        } else {
            played.settle();
        }
        if is_displaced || is_marked {
            let (entity, has_parent) = (self.entities[row], self.has_parent);
            kept.push(Kept { entity, truth, changed, is_marked, is_displaced, has_parent });
        }
        if is_marked {
            self.changed[row] = now;
        }
    }
}

/// No one else had the world meanwhile, so the same entities come in the same order.
fn put_truth_back(world: &mut World, trees: &mut QueryState<TreeNode, InTrees>, picture: &mut Picture) {
    let mut kept = picture.kept.iter().peekable();
    if let Ok(tables) = trees.contiguous_iter_mut(world) {
        for (entities, transforms, ..) in tables {
            if kept.peek().is_none() {
                break;
            }
            let (transforms, mut ticks) = ContiguousMut::bypass_change_detection_split(transforms);
            let rows = transforms.iter_mut().zip(ticks.changed_mut());
            for (entity, (transform, changed)) in entities.iter().zip(rows) {
                if let Some(kept) = kept.next_if(|kept| kept.entity == *entity) {
                    *transform = kept.truth;
                    if kept.is_marked {
                        *changed = kept.changed;
                    }
                }
            }
        }
    } else {
        for (entity, mut transform, ..) in trees.iter_mut(world) {
            if let Some(kept) = kept.next_if(|kept| kept.entity == entity) {
                *transform.bypass_change_detection() = kept.truth;
                if kept.is_marked {
                    transform.set_last_changed(kept.changed);
                }
            }
        }
    }
    debug_assert!(kept.next().is_none(), "the truth of an entity was not put back");
}

/// What was only marked, so that it would be propagated.
fn take_back_marks(world: &mut World) {
    let mut disturbed = core::mem::take(&mut world.resource_mut::<Picture>().disturbed);
    for (entity, disturbed) in disturbed.drain() {
        if let Some(mut transform) = world.get_mut::<Transform>(entity) {
            transform.set_last_changed(disturbed.changed);
        }
    }
    // Its memory is used again.
    world.resource_mut::<Picture>().disturbed = disturbed;
}

fn draw_flat(moment: Res<FrameMoment>, picture: Res<Picture>, mut rows: FlatRows) {
    rows.draw(&Share::of(**moment), picture.began, picture.ended);
}

fn remember_when(ticks: SystemChangeTick, mut picture: ResMut<Picture>) {
    picture.last_draw = ticks.this_run();
    picture.is_regrouped = false;
    picture.returned.clear();
}
