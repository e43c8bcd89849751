//! How is Bevy's propagation kept from climbing trees that are none?
//!
//! Bevy looks up each entity whose `Transform` has changed, and marks it and all its ancestors as changed trees. For a smooth
//! entity without parent and children that is in vain: `rows` propagates it. So while Bevy propagates, their transforms do not
//! seem to have changed. Nothing else runs meanwhile.

use crate::played::Played;
use crate::scan::{FEW, Since};
use bevy_ecs::change_detection::{ContiguousMut, MAX_CHANGE_AGE, Tick};
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;

extern crate alloc;
use alloc::vec::Vec;

type Flat = (With<Played>, Without<ChildOf>, Without<Children>);

pub(crate) struct Marks {
    /// Visited twice, so that both visits are in the same order.
    flat: QueryState<&'static mut Transform, Flat>,
    /// Change ticks that were taken away, with the number of their group.
    taken: Vec<(usize, [Tick; FEW])>,
    /// How many groups of each table they are.
    counts: Vec<usize>,
}

impl Marks {
    pub(crate) fn new(world: &mut World) -> Self {
        Self { flat: world.query_filtered(), taken: Vec::new(), counts: Vec::new() }
    }

    /// Takes away what came after `since`, where that is many.
    pub(crate) fn take(&mut self, world: &mut World, since: Tick) {
        let now = world.change_tick();
        let (since, old) = (Since::new(since, now), Tick::new(now.get().wrapping_sub(MAX_CHANGE_AGE)));
        // Without slices, Bevy climbs.
        let Ok(tables) = self.flat.contiguous_iter_mut(world) else { return };
        for transforms in tables {
            let (_, mut ticks) = ContiguousMut::bypass_change_detection_split(transforms);
            let (changed, before) = (ticks.changed_mut(), self.taken.len());
            for (group, changed) in changed.as_chunks_mut::<FEW>().0.iter_mut().enumerate() {
                // For a few, climbing is cheaper. What is older goes with the others: it is old either way.
                if since.count_newer(changed) >= FEW / 2 {
                    self.taken.push((group, core::mem::replace(changed, [old; FEW])));
                }
            }
            self.counts.push(self.taken.len() - before);
        }
    }

    /// Puts it back.
    pub(crate) fn put_back(&mut self, world: &mut World) {
        let mut taken = self.taken.drain(..);
        let mut counts = self.counts.drain(..);
        let Ok(tables) = self.flat.contiguous_iter_mut(world) else { return };
        for transforms in tables {
            let (_, mut ticks) = ContiguousMut::bypass_change_detection_split(transforms);
            let changed = ticks.changed_mut();
            let (changed, _) = changed.as_chunks_mut::<FEW>();
            for (group, taken) in taken.by_ref().take(counts.next().unwrap_or(0)) {
                changed[group] = taken;
            }
        }
    }
}
