//! What do the moving trees consist of?
//!
//! Which entities, in which order, how deep, and where they lie: made once, used until other trees move or the hierarchy
//! changes.

use crate::nodes::{Open, Place, Run};
use bevy_ecs::entity::EntityLocation;
use bevy_ecs::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use core::ops::Range;

extern crate alloc;
use alloc::vec::Vec;

/// What can be in a tree, with what is below it.
pub(crate) type Nodes<'w, 's> =
    Query<'w, 's, (EntityLocation, Option<&'static Children>), (With<Transform>, With<GlobalTransform>)>;

#[derive(Default)]
pub(crate) struct Outline {
    /// What it was made for.
    tops: Vec<Entity>,
    with_descendants: bool,
    /// It is to be made anew, whatever it was made for.
    pub(crate) is_old: bool,
    /// Depth first.
    pub(crate) entities: Vec<Entity>,
    /// 0 for a root.
    depths: Vec<u32>,
    /// The largest of `depths`.
    pub(crate) deepest: u32,
    /// So many `entities`, the first ones, are of tops without a parent.
    pub(crate) below_roots: usize,
    /// Parts of `entities` that lie one behind the other, and where.
    runs: Vec<(Place, Range<usize>)>,
    /// Had no transform.
    missing: Vec<Entity>,
    // Kept for its memory.
    waiting: Vec<(Entity, u32)>,
}

/// Entities of one run.
#[derive(Clone, Copy)]
pub(crate) struct Twigs<'a> {
    pub(crate) entities: &'a [Entity],
    /// Theirs, and those of all that follow.
    pub(crate) depths: &'a [u32],
}

impl Outline {
    /// Makes it for these trees, if it is not: the first `roots` of `tops` are without a parent.
    pub(crate) fn renew(&mut self, tops: &[Entity], roots: usize, with_descendants: bool, nodes: &Nodes) {
        let has_come = |missing: &Entity| nodes.contains(*missing);
        if !self.is_old
            && self.with_descendants == with_descendants
            && self.tops == tops
            && !self.missing.iter().any(has_come)
        {
            return;
        }
        (self.is_old, self.with_descendants) = (false, with_descendants);
        self.tops.clear();
        self.tops.extend(tops);
        self.entities.clear();
        self.depths.clear();
        self.runs.clear();
        self.missing.clear();
        self.deepest = 0;
        for (k, &top) in tops.iter().enumerate() {
            if k == roots {
                self.below_roots = self.entities.len();
            }
            self.waiting.push((top, u32::from(k >= roots)));
            while let Some((entity, depth)) = self.waiting.pop() {
                let Ok((location, children)) = nodes.get(entity) else {
                    self.missing.push(entity);
                    continue;
                };
                self.add(entity, depth, location.into());
                let below =
                    children.filter(|_| with_descendants).into_iter().flat_map(|below| below.iter().rev());
                self.waiting.extend(below.map(|child| (child, depth + 1)));
            }
        }
        if roots == tops.len() {
            self.below_roots = self.entities.len();
        }
    }

    fn add(&mut self, entity: Entity, depth: u32, place: Place) {
        let k = self.entities.len();
        self.entities.push(entity);
        self.depths.push(depth);
        self.deepest = self.deepest.max(depth);
        if let Some((first, run)) = self.runs.last_mut()
            && place == (Place { row: first.row + run.len() as u32, ..*first })
        {
            run.end += 1;
        } else {
            self.runs.push((place, k..k + 1));
        }
    }

    /// Visits all entities in their order, run by run, with the number of the first one. Those that lie elsewhere now are
    /// visited one by one, and those that are not there any more without their run.
    #[inline]
    pub(crate) fn visit(&mut self, nodes: &mut Open, mut visit: impl FnMut(usize, Twigs, Option<Run>)) {
        for (place, run) in &self.runs {
            let entities = &self.entities[run.clone()];
            let twigs = Twigs { entities, depths: &self.depths[run.start..] };
            if nodes.visit(entities, *place, |columns| visit(run.start, twigs, Some(columns))).is_some() {
                continue;
            }
            // The next outline has better places.
            self.is_old |= nodes.has_runs();
            for (k, &entity) in run.clone().zip(entities) {
                let twigs = Twigs { entities: &self.entities[k..=k], depths: &self.depths[k..] };
                if nodes.look_up(entity, |columns| visit(k, twigs, Some(columns))).is_none() {
                    visit(k, twigs, None);
                }
            }
        }
    }

    /// The tops that are not roots, with their numbers among the entities.
    pub(crate) fn tops_with_parent(&self) -> impl Iterator<Item = (usize, Entity)> {
        let all = self.entities.iter().copied().enumerate().skip(self.below_roots);
        all.zip(&self.depths[self.below_roots..]).filter(|(_, depth)| **depth == 1).map(|(top, _)| top)
    }
}
