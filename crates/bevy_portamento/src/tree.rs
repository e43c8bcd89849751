//! And what hangs on what moves?
//!
//! A view is passed down as Bevy passes a transform down: parent's times own. Whoever has [`Smooth`] keeps the truth in its
//! own component; the others are passengers, who come and go with the hierarchy, and are kept in a list.

use crate::between::Ends;
use crate::between::Share;
use crate::curve::Bend;
use crate::moment::FrameMoment;
use crate::smooth::Smooth;
use crate::view::{Picture, Shown, show, view};
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use core::mem;

extern crate alloc;
use alloc::vec::Vec;

/// Who is drawn elsewhere only because something above moves.
#[derive(Resource, Default)]
pub(crate) struct Passengers {
    now: Vec<Passenger>,
    /// Those of the frame before.
    before: Vec<Passenger>,
    /// The next one of `before`, if nobody came or went.
    next: usize,
    /// Where in `before` each is; made when somebody did.
    index: EntityHashMap<usize>,
}

struct Passenger {
    entity: Entity,
    truth: GlobalTransform,
    /// It is a passenger in this frame too.
    stays: bool,
}

impl Passengers {
    /// Puts the truth back.
    pub(crate) fn restore(&mut self, globals: &mut Query<&mut GlobalTransform, Allow<Disabled>>) {
        for passenger in &mut self.now {
            if let Ok(mut global) = globals.get_mut(passenger.entity) {
                *global.bypass_change_detection() = passenger.truth;
            }
        }
    }

    fn begin_frame(&mut self) {
        mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        self.index.clear();
        self.next = 0;
    }

    /// Whether it was one in the frame before.
    fn was_aboard(&mut self, entity: Entity) -> bool {
        if self.before.get(self.next).is_none_or(|expected| expected.entity != entity) {
            if self.index.is_empty() {
                let places = self.before.iter().enumerate();
                self.index.extend(places.map(|(place, passenger)| (passenger.entity, place)));
            }
            let Some(place) = self.index.get(&entity) else { return false };
            self.next = *place;
        }
        self.before[self.next].stays = true;
        self.next += 1;
        true
    }

    fn show(
        &mut self,
        entity: Entity,
        global: &mut Mut<GlobalTransform>,
        view: GlobalTransform,
        is_new: bool,
    ) {
        if !self.was_aboard(entity) || is_new {
            global.set_changed();
        }
        let truth = mem::replace(global.bypass_change_detection(), view);
        self.now.push(Passenger { entity, truth, stays: false });
    }
}

type Node<'w> = (
    &'w Transform,
    &'w mut GlobalTransform,
    Option<&'w Children>,
    Option<(&'w mut Smooth, &'w Ends, Option<&'w Bend>, &'w mut Shown)>,
);

/// Draws everything that moves and has parents or children, with all that hangs on it.
pub(crate) fn draw_trees(
    moment: Res<FrameMoment>,
    picture: Res<Picture>,
    mut passengers: ResMut<Passengers>,
    parents: Query<&ChildOf>,
    mut nodes: ParamSet<(
        Query<(Entity, &Smooth), Or<(With<ChildOf>, With<Children>)>>,
        Query<&GlobalTransform>,
        Query<Node>,
        Query<&mut GlobalTransform>,
    )>,
    // Kept for their memory.
    mut tops: Local<Vec<Entity>>,
    mut waiting: Local<Vec<(Entity, Option<GlobalTransform>)>>,
) {
    let movers = nodes.p0();
    let moves = |entity| movers.get(entity).is_ok_and(|(_, smooth)| smooth.is_moving());
    tops.extend(movers.iter().filter_map(|(entity, smooth)| {
        // Below another one that moves, it is reached from there.
        (smooth.is_moving() && !parents.iter_ancestors(entity).any(moves)).then_some(entity)
    }));
    for top in tops.drain(..) {
        match parents.get(top) {
            Ok(parent) => {
                // Under a parent without a transform Bevy places nothing, and neither do we.
                if let Ok(global) = nodes.p1().get(parent.parent()) {
                    waiting.push((top, Some(*global)));
                }
            }
            Err(_) => waiting.push((top, None)),
        }
    }
    let share = Share::of(&moment);
    let mut query = nodes.p2();
    passengers.begin_frame();
    while let Some((entity, parent)) = waiting.pop() {
        let Ok((transform, mut global, children, smooth)) = query.get_mut(entity) else { continue };
        let place = |local: Transform| match parent {
            Some(parent) => parent.mul_transform(local),
            None => GlobalTransform::from(local),
        };
        match smooth {
            Some((mut smooth, ends, bend, mut shown)) => {
                let moving = smooth.is_moving();
                let view = place(if moving { view(&share, ends, bend, transform) } else { *transform });
                let (smooth, shown) = (smooth.bypass_change_detection(), shown.bypass_change_detection());
                if show(smooth, shown, global.bypass_change_detection(), view, picture.is_new) {
                    global.set_changed();
                }
            }
            None => passengers.show(entity, &mut global, place(*transform), picture.is_new),
        }
        let view = *global;
        waiting.extend(children.into_iter().flatten().map(|&child| (child, Some(view))));
    }
    // Whoever is no longer carried stands where the truth is, and the renderer must hear of it.
    let mut globals = nodes.p3();
    for passenger in passengers.before.iter().filter(|passenger| !passenger.stays) {
        if let Ok(mut global) = globals.get_mut(passenger.entity) {
            global.set_changed();
        }
    }
}
