//! What do the moving trees consist of?
//!
//! Which entities, in which order, how deep, and where they lie: made once, used until other trees move, the hierarchy
//! changes, or one of them lies elsewhere.

use crate::nodes::{Open, Place};
use crate::scan::Since;
use bevy_ecs::entity::EntityLocation;
use bevy_ecs::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use core::ops::Range;
use core::slice::from_mut;

extern crate alloc;
use alloc::vec::Vec;

/// What can be in a tree, with what is below it.
pub(crate) type Nodes<'w, 's> =
    Query<'w, 's, (EntityLocation, Option<&'static Children>), (With<Transform>, With<GlobalTransform>)>;

#[derive(Default)]
pub(crate) struct Outline {
    /// What it was made for.
    tops: Vec<Entity>,
    roots: usize,
    with_descendants: bool,
    /// It is to be made anew, whatever it was made for.
    pub(crate) is_old: bool,
    /// The nodes, depth first.
    pub(crate) twigs: Vec<Twig>,
    /// So many of them, the first ones, are of tops without a parent.
    pub(crate) below_roots: usize,
    /// The largest depth.
    pub(crate) deepest: u32,
    /// The same nodes as they lie in their tables.
    pub(crate) entities: Vec<Entity>,
    runs: Vec<Run>,
    /// Had no transform.
    missing: Vec<Entity>,
    // Kept for their memory.
    waiting: Vec<(Entity, u32)>,
    walked: Vec<Entity>,
    /// Of each table, its newest run.
    newest: Vec<u32>,
}

#[derive(Clone, Copy)]
pub(crate) struct Twig {
    pub(crate) place: Place,
    /// 0 for a root.
    pub(crate) depth: u32,
    /// Which of the `entities` it is.
    pub(crate) slot: u32,
}

/// Entities that lie one behind the other.
struct Run {
    first: Place,
    count: u32,
    /// Which of the `entities` the first one is.
    slot: u32,
}

impl Run {
    fn slots(&self) -> Range<usize> {
        self.slot as usize..(self.slot + self.count) as usize
    }
}

impl Outline {
    /// Makes it for these trees, if it is not: the first `roots` of `tops` are without a parent.
    pub(crate) fn renew(
        &mut self,
        tops: &[Entity],
        roots: usize,
        with_descendants: bool,
        nodes: &Nodes,
        open: &mut Open,
    ) {
        let has_come = |missing: &Entity| nodes.contains(*missing);
        if !self.is_old
            && self.with_descendants == with_descendants
            && self.tops == tops
            && self.roots == roots
            && !self.missing.iter().any(has_come)
            && self.lies_as_it_did(open)
        {
            return;
        }
        (self.is_old, self.with_descendants, self.deepest) = (false, with_descendants, 0);
        self.roots = roots;
        self.tops.clear();
        self.tops.extend(tops);
        self.twigs.clear();
        self.runs.clear();
        self.missing.clear();
        self.walked.clear();
        self.newest.clear();
        for (k, &top) in tops.iter().enumerate() {
            if k == roots {
                self.below_roots = self.twigs.len();
            }
            self.waiting.push((top, u32::from(k >= roots)));
            while let Some((entity, depth)) = self.waiting.pop() {
                let Ok((location, children)) = nodes.get(entity) else {
                    self.missing.push(entity);
                    continue;
                };
                self.add(entity, depth, location.into());
                let below = children.filter(|_| with_descendants).into_iter();
                self.waiting
                    .extend(below.flat_map(|below| below.iter().rev()).map(|child| (child, depth + 1)));
            }
        }
        if roots == tops.len() {
            self.below_roots = self.twigs.len();
        }
        self.order_by_place();
    }

    fn lies_as_it_did(&self, open: &mut Open) -> bool {
        if !open.has_places() {
            return true;
        }
        self.runs.iter().all(|run| open.globals(&self.entities[run.slots()], run.first).is_some())
    }

    /// Whether none of the nodes was written or added since.
    pub(crate) fn is_older_than(&self, since: Since, open: &Open) -> bool {
        self.runs.iter().all(|run| open.are_older_than(since, run.count as usize, run.first))
    }

    fn add(&mut self, entity: Entity, depth: u32, place: Place) {
        let table = place.table as usize;
        if table >= self.newest.len() {
            self.newest.resize(table + 1, u32::MAX);
        }
        let run = match self.runs.get_mut(self.newest[table] as usize) {
            Some(run) if run.first.row + run.count == place.row => {
                run.count += 1;
                self.newest[table]
            }
            _ => {
                self.newest[table] = self.runs.len() as u32;
                self.runs.push(Run { first: place, count: 1, slot: 0 });
                self.newest[table]
            }
        };
        self.walked.push(entity);
        self.deepest = self.deepest.max(depth);
        // Its slot is known when all runs are.
        self.twigs.push(Twig { place, depth, slot: run });
    }

    fn order_by_place(&mut self) {
        let mut slot = 0;
        for run in &mut self.runs {
            run.slot = slot;
            slot += run.count;
        }
        self.entities.clear();
        self.entities.resize(self.twigs.len(), Entity::PLACEHOLDER);
        for (twig, &entity) in self.twigs.iter_mut().zip(&self.walked) {
            let run = &self.runs[twig.slot as usize];
            twig.slot = run.slot + (twig.place.row - run.first.row);
            self.entities[twig.slot as usize] = entity;
        }
    }

    /// The tops that are not roots, with their numbers among the twigs.
    pub(crate) fn tops_with_parent(&self) -> impl Iterator<Item = (usize, Entity)> {
        let twigs = self.twigs.iter().enumerate().skip(self.below_roots);
        let tops = twigs.filter(|(_, twig)| twig.depth == 1);
        tops.map(|(k, twig)| (k, self.entities[twig.slot as usize]))
    }

    /// Visits what nodes have in `GlobalTransform`, run by run, with the slots of each run. Those that lie elsewhere now are
    /// visited one by one, and those that are not there any more are left out.
    pub(crate) fn visit_globals(
        &self,
        nodes: &mut Open,
        mut visit: impl FnMut(Range<usize>, &mut [GlobalTransform]),
    ) {
        for run in &self.runs {
            let slots = run.slots();
            if let Some(globals) = nodes.globals(&self.entities[slots.clone()], run.first) {
                visit(slots, globals);
                continue;
            }
            for slot in slots {
                nodes.look_up(self.entities[slot], |node| visit(slot..slot + 1, from_mut(node.global)));
            }
        }
    }
}
