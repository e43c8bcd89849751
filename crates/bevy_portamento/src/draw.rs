//! How does a frame put views into `GlobalTransform`?
//!
//! One exclusive step in `PostUpdate`, in the place of Bevy's three systems of transform propagation. Nothing else runs
//! beside it, so nothing sees what `Transform` holds meanwhile:
//!
//! 1. Moving entities with a parent or children: the view is written into `Transform`.
//! 2. Bevy propagates, once.
//! 3. Value and change tick of those `Transform`s are put back.
//! 4. Moving entities without parent and children: the view is written into `GlobalTransform` (`rows`).

use crate::between::{Ends, Share};
use crate::curve::Bend;
use crate::moment::FrameMoment;
use crate::parents;
use crate::played::{Played, Shown};
use crate::rows::FlatRows;
use crate::truth::{Kept, Picture, show_picture};
use bevy_ecs::prelude::*;
use bevy_ecs::system::{BoxedSystem, SystemChangeTick};
use bevy_math::{Affine3A, Quat};
use bevy_time::{Time, Virtual};
use bevy_transform::components::Transform;
use bevy_transform::systems::{mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms};

extern crate alloc;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The systems of the step, in their order.
#[derive(Resource)]
pub(crate) struct Steps(Vec<BoxedSystem>);

impl Steps {
    pub(crate) fn new(world: &mut World) -> Self {
        fn step<M>(system: impl IntoSystem<(), (), M>) -> BoxedSystem {
            Box::new(IntoSystem::into_system(system))
        }
        let mut steps = Vec::from([
            // Ticks that were run out of turn leave the truth behind.
            step(show_picture),
            step(parents::convert),
            step(take_at_their_word),
            step(put_views),
            step(mark_dirty_trees),
            step(propagate_parent_transforms),
            step(sync_simple_transforms),
            step(put_truth_back),
            step(draw_flat),
            step(remember_when),
        ]);
        for system in &mut steps {
            system.initialize(world);
        }
        Self(steps)
    }
}

/// Draws this frame.
pub(crate) fn draw(world: &mut World) {
    world.resource_scope(|world, mut steps: Mut<Steps>| {
        for system in &mut steps.0 {
            // A system that cannot run, for a resource that somebody removed, is left out, as Bevy does.
            let _ = system.run((), world);
        }
    });
}

/// The entity's own view, in its parent's space.
pub(crate) fn view(share: &Share, ends: &Ends, bend: Option<&Bend>, now: &Transform) -> Transform {
    let curved = bend.and_then(|bend| bend.between(share));
    ends.under(curved.unwrap_or_else(|| share.between(ends)), now)
}

/// The same as a matrix, which for most is shorter; with its rotation, where that is known already.
#[inline]
pub(crate) fn place(
    share: &Share,
    played: &Played,
    (ends, bend): (&Ends, Option<&Bend>),
    turn: impl FnOnce() -> Quat,
    now: &Transform,
) -> Affine3A {
    let plain = if played.is_plain() && bend.is_none() { share.place(ends, turn, now) } else { None };
    plain.unwrap_or_else(|| view(share, ends, bend, now).compute_affine())
}

type InTrees = Or<(With<ChildOf>, With<Children>)>;

type TreeNode<'w> = (Entity, &'w mut Transform, &'w Ends, Option<&'w Bend>, &'w mut Played, &'w mut Shown);

/// While time stands still nothing is left to be played below a number that somebody writes, say in an inspector.
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

fn put_views(
    moment: Res<FrameMoment>,
    ticks: SystemChangeTick,
    mut picture: ResMut<Picture>,
    mut entities: ParamSet<(Query<&mut Transform>, Query<TreeNode, InTrees>)>,
) {
    let picture = &mut *picture;
    picture.began = ticks.this_run();
    let mut transforms = entities.p0();
    for (entity, changed) in &mut picture.disturbed {
        if let Ok(mut transform) = transforms.get_mut(*entity) {
            *changed = transform.last_changed();
            transform.set_changed();
        }
    }
    picture.kept.clear();
    let share = Share::of(**moment);
    for (entity, mut transform, ends, bend, mut played, mut shown) in &mut entities.p1() {
        if !played.concerns_a_frame() {
            continue;
        }
        let (played, shown) = (played.bypass_change_detection(), shown.bypass_change_detection());
        let truth = *transform;
        let view = if played.is_moving() { view(&share, ends, bend, &truth) } else { truth };
        let is_displaced = view != truth;
        let is_marked = match played.is_local() {
            true => shown.local() != view,
            false => is_displaced || played.is_displaced(),
        };
        if is_displaced {
            *transform.bypass_change_detection() = view;
            shown.set_local(&view);
            played.show(true);
        } else {
            played.settle();
        }
        if is_displaced || is_marked {
            picture.kept.push(Kept { entity, truth, changed: transform.last_changed(), is_marked });
        }
        if is_marked {
            transform.set_changed();
        }
    }
}

fn put_truth_back(mut picture: ResMut<Picture>, mut transforms: Query<&mut Transform>) {
    for kept in &picture.kept {
        if let Ok(mut transform) = transforms.get_mut(kept.entity) {
            *transform.bypass_change_detection() = kept.truth;
            if kept.is_marked {
                transform.set_last_changed(kept.changed);
            }
        }
    }
    // In reverse, for whatever is there twice.
    for (entity, changed) in picture.disturbed.drain(..).rev() {
        if let Ok(mut transform) = transforms.get_mut(entity) {
            transform.set_last_changed(changed);
        }
    }
}

fn draw_flat(moment: Res<FrameMoment>, picture: Res<Picture>, mut rows: FlatRows) {
    rows.draw(&Share::of(**moment), picture.began);
}

fn remember_when(ticks: SystemChangeTick, mut picture: ResMut<Picture>) {
    picture.last_draw = ticks.this_run();
}
