//! And what hangs on what moves?
//!
//! A view is passed down as Bevy passes a transform down: parent's times own. Whoever has [`Smooth`] keeps the truth in its
//! own component; the others are passengers, who come and go with the hierarchy, and are kept in a list.

use crate::between::Ends;
use crate::between::Share;
use crate::curve::Bend;
use crate::moment::FrameMoment;
use crate::smooth::Smooth;
use crate::view::{Shown, place, show};
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_math::Affine3A;
use bevy_transform::components::{GlobalTransform, Transform};
use core::mem;

extern crate alloc;
use alloc::vec::Vec;

/// Who is drawn elsewhere only because something above moves.
#[derive(Resource, Default)]
pub(crate) struct Passengers {
    now: Vec<Passenger>,
    /// Those of the frame before, with what was drawn of them.
    before: Vec<Passenger>,
    /// The next one of `before`, if nobody came or went.
    next: usize,
    /// Where in `before` each is; made when somebody did.
    index: EntityHashMap<usize>,
}

struct Passenger {
    entity: Entity,
    /// As in [`Shown`]: what is not in `GlobalTransform`.
    other: GlobalTransform,
    /// It is a passenger in this frame too.
    stays: bool,
}

impl Passengers {
    /// Puts the truth back.
    pub(crate) fn restore(&mut self, globals: &mut Query<&mut GlobalTransform, Allow<Disabled>>) {
        for passenger in &mut self.now {
            if let Ok(mut global) = globals.get_mut(passenger.entity) {
                mem::swap(&mut passenger.other, global.bypass_change_detection());
            }
        }
    }

    fn begin_frame(&mut self) {
        mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        self.index.clear();
        self.next = 0;
    }

    /// What was drawn of it in the frame before, if it was one then.
    fn drawn_before(&mut self, entity: Entity) -> Option<GlobalTransform> {
        if self.before.get(self.next).is_none_or(|expected| expected.entity != entity) {
            if self.index.is_empty() {
                let places = self.before.iter().enumerate();
                self.index.extend(places.map(|(place, passenger)| (passenger.entity, place)));
            }
            self.next = *self.index.get(&entity)?;
        }
        let passenger = self.before.get_mut(self.next)?;
        self.next += 1;
        passenger.stays = true;
        Some(passenger.other)
    }

    /// As [`show`], for one without [`Smooth`].
    #[must_use]
    fn show(&mut self, entity: Entity, global: &mut GlobalTransform, view: GlobalTransform) -> bool {
        let news = self.drawn_before(entity) != Some(view);
        let truth = mem::replace(global, view);
        self.now.push(Passenger { entity, other: truth, stays: false });
        news
    }
}

type SmoothNode<'w> = (
    &'w Transform,
    &'w mut GlobalTransform,
    Option<&'w Children>,
    &'w mut Smooth,
    &'w Ends,
    Option<&'w Bend>,
    &'w mut Shown,
);

type PlainNode<'w> = (&'w Transform, &'w mut GlobalTransform, Option<&'w Children>);

/// Draws everything that moves and has parents or children, with all that hangs on it.
pub(crate) fn draw_trees(
    moment: Res<FrameMoment>,
    mut passengers: ResMut<Passengers>,
    parents: Query<&ChildOf>,
    mut nodes: ParamSet<(
        Query<(Entity, &Smooth, Option<&ChildOf>), Or<(With<ChildOf>, With<Children>)>>,
        Query<&GlobalTransform>,
        (Query<SmoothNode>, Query<PlainNode, Without<Smooth>>),
        Query<&mut GlobalTransform>,
    )>,
    // Kept for their memory.
    mut branches: Local<Vec<(Entity, Entity)>>,
    mut waiting: Local<Vec<(Entity, Option<Affine3A>)>>,
) {
    let movers = nodes.p0();
    let moves = |entity| movers.get(entity).is_ok_and(|(_, smooth, _)| smooth.is_moving());
    for (entity, smooth, child_of) in &movers {
        match child_of {
            _ if !smooth.is_moving() => {}
            None => waiting.push((entity, None)),
            // Below another one that moves, it is reached from there.
            Some(_) if parents.iter_ancestors(entity).any(moves) => {}
            Some(child_of) => branches.push((entity, child_of.parent())),
        }
    }
    for (entity, parent) in branches.drain(..) {
        let globals = nodes.p1();
        // Below anything without a transform Bevy places nothing, and neither do we.
        if parents.iter_ancestors(entity).all(|above| globals.contains(above))
            && let Ok(global) = globals.get(parent)
        {
            waiting.push((entity, Some(global.affine())));
        }
    }
    let share = Share::of(**moment);
    let (mut smooth_nodes, mut plain_nodes) = nodes.p2();
    passengers.begin_frame();
    while let Some((entity, above)) = waiting.pop() {
        let at = |local: Affine3A| above.map_or(local, |above| above * local);
        let (affine, children) = if let Ok((transform, mut global, children)) = plain_nodes.get_mut(entity) {
            let view = at(transform.compute_affine());
            if passengers.show(entity, global.bypass_change_detection(), view.into()) {
                global.set_changed();
            }
            (view, children)
        } else if let Ok((transform, mut global, children, mut smooth, ends, bend, mut shown)) =
            smooth_nodes.get_mut(entity)
        {
            let smooth = smooth.bypass_change_detection();
            let view = at(if smooth.is_moving() {
                place(&share, smooth, (ends, bend), || share.turn(ends), transform)
            } else {
                transform.compute_affine()
            });
            let (shown, truth) = (shown.bypass_change_detection(), global.bypass_change_detection());
            if show(smooth, shown, truth, view.into()) {
                global.set_changed();
            }
            (view, children)
        } else {
            continue;
        };
        for &child in children.into_iter().flatten() {
            waiting.push((child, Some(affine)));
        }
    }
    // Whoever is no longer carried stands where the truth is, and the renderer must hear of it.
    let mut globals = nodes.p3();
    for passenger in passengers.before.iter().filter(|passenger| !passenger.stays) {
        if let Ok(mut global) = globals.get_mut(passenger.entity)
            && *global != passenger.other
        {
            global.set_changed();
        }
    }
}
