//! How are a hundred thousand of them drawn?
//!
//! Entities with the same components lie in one table, each component in a row of its own. We go along these rows instead
//! of asking for entity after entity: what rests is passed by at two bytes each.

use crate::between::{Ends, Share};
use crate::curve::Bend;
use crate::smooth::Smooth;
use crate::view::{Shown, place, show};
use bevy_ecs::change_detection::{ContiguousMut, Tick};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Quat;
use bevy_tasks::{ComputeTaskPool, TaskPool};
use bevy_transform::components::{GlobalTransform, Transform};
use core::mem;
use core::slice::{from_mut, from_ref};

/// Below twice this many, telling other threads takes longer than the work.
const CHUNK: usize = 2048;

/// So many at a time.
const FEW: usize = 16;

/// Everything with [`Smooth`], whatever it hangs on.
#[derive(SystemParam)]
pub(crate) struct SmoothRows<'w, 's> {
    things: Query<'w, 's, (&'static mut Smooth, &'static mut Shown, &'static mut GlobalTransform)>,
}

impl SmoothRows<'_, '_> {
    /// Puts the truth back and keeps the view, unmarked.
    pub(crate) fn restore(&mut self) {
        let restore = |smooth: &mut Smooth, shown: &mut Shown, global: &mut GlobalTransform| {
            if smooth.is_shown() {
                mem::swap(&mut shown.0, global);
                smooth.restore();
            }
        };
        if let Ok(tables) = self.things.contiguous_iter_mut() {
            for (mut smooth, mut shown, mut globals) in tables {
                let shown = shown.bypass_change_detection().iter_mut();
                let rest = shown.zip(globals.bypass_change_detection());
                for (smooth, (shown, global)) in smooth.bypass_change_detection().iter_mut().zip(rest) {
                    restore(smooth, shown, global);
                }
            }
        } else {
            for (mut smooth, mut shown, mut global) in &mut self.things {
                let (smooth, shown) = (smooth.bypass_change_detection(), shown.bypass_change_detection());
                restore(smooth, shown, global.bypass_change_detection());
            }
        }
    }
}

type Thing<'w> = (
    &'w mut Smooth,
    &'w Transform,
    &'w Ends,
    Option<&'w Bend>,
    &'w mut Shown,
    &'w mut GlobalTransform,
    Has<ChildOf>,
    Has<Children>,
);

/// Everything with [`Smooth`] that a frame has to look at when the trees are done.
#[derive(SystemParam)]
pub(crate) struct FlatRows<'w, 's> {
    things: Query<'w, 's, Thing<'static>>,
}

impl FlatRows<'_, '_> {
    pub(crate) fn draw(&mut self, share: &Share) {
        if let Ok(tables) = self.things.contiguous_iter_mut() {
            for (mut smooth, transforms, ends, bends, mut shown, globals, has_parent, has_children) in tables
            {
                let now = globals.this_run_tick();
                let (globals, mut ticks) = ContiguousMut::bypass_change_detection_split(globals);
                let rows = Rows {
                    smooth: smooth.bypass_change_detection(),
                    transforms,
                    ends,
                    bends,
                    shown: shown.bypass_change_detection(),
                    globals,
                    changed: ticks.changed_mut(),
                    now,
                    in_tree: has_parent || has_children,
                };
                rows.draw_on_all_threads(share);
            }
            return;
        }
        // Where a marker for disabled entities is kept apart from the tables, so are all queries: one by one, then.
        for (mut smooth, transform, ends, bend, mut shown, mut global, has_parent, has_children) in
            &mut self.things
        {
            let (before, now) = (Tick::new(0), Tick::new(1));
            let mut changed = before;
            let rows = Rows {
                smooth: from_mut(smooth.bypass_change_detection()),
                transforms: from_ref(transform),
                ends: from_ref(ends),
                bends: bend.map(from_ref),
                shown: from_mut(shown.bypass_change_detection()),
                globals: from_mut(global.bypass_change_detection()),
                changed: from_mut(&mut changed),
                now,
                in_tree: has_parent || has_children,
            };
            rows.draw(share);
            if changed == now {
                global.set_changed();
            }
        }
    }
}

/// A part of a table.
struct Rows<'a> {
    smooth: &'a mut [Smooth],
    transforms: &'a [Transform],
    ends: &'a [Ends],
    bends: Option<&'a [Bend]>,
    shown: &'a mut [Shown],
    globals: &'a mut [GlobalTransform],
    /// When each of `globals` changed last, as everybody will see it.
    changed: &'a mut [Tick],
    now: Tick,
    in_tree: bool,
}

impl<'a> Rows<'a> {
    fn draw_on_all_threads(self, share: &Share) {
        let threads = ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num());
        if threads < 2 || self.smooth.len() < 2 * CHUNK {
            return self.draw(share);
        }
        let chunk = self.smooth.len().div_ceil(threads).max(CHUNK);
        ComputeTaskPool::get_or_init(TaskPool::default).scope(|scope| {
            let mut rest = self;
            while rest.smooth.len() > chunk {
                let (rows, others) = rest.split_at(chunk);
                scope.spawn(async move { rows.draw(share) });
                rest = others;
            }
            scope.spawn(async move { rest.draw(share) });
        });
    }

    fn split_at(self, row: usize) -> (Self, Self) {
        let (smooth, other_smooth) = self.smooth.split_at_mut(row);
        let (transforms, other_transforms) = self.transforms.split_at(row);
        let (ends, other_ends) = self.ends.split_at(row);
        let (bends, other_bends) = self.bends.map(|bends| bends.split_at(row)).unzip();
        let (shown, other_shown) = self.shown.split_at_mut(row);
        let (globals, other_globals) = self.globals.split_at_mut(row);
        let (changed, other_changed) = self.changed.split_at_mut(row);
        let rows = Self { smooth, transforms, ends, bends, shown, globals, changed, ..self };
        let others = Self {
            smooth: other_smooth,
            transforms: other_transforms,
            ends: other_ends,
            bends: other_bends,
            shown: other_shown,
            globals: other_globals,
            changed: other_changed,
            ..rows
        };
        (rows, others)
    }

    fn draw(mut self, share: &Share) {
        for start in (0..self.smooth.len()).step_by(FEW) {
            let few = start..self.smooth.len().min(start + FEW);
            if !self.smooth[few.clone()].iter().any(Smooth::concerns_a_frame) {
                continue;
            }
            // A rotation is a long chain of operations that wait for each other: by fours, and with nothing else between
            // them, so that the processor works on several at a time.
            let mut turns = [Quat::IDENTITY; FEW];
            let (fours, rest) = self.ends[few.clone()].as_chunks();
            let (turns_of_fours, turns_of_rest) = turns.as_chunks_mut().0.split_at_mut(fours.len());
            for (turns, ends) in turns_of_fours.iter_mut().zip(fours) {
                *turns = share.turns(ends);
            }
            for (turn, ends) in turns_of_rest.as_flattened_mut().iter_mut().zip(rest) {
                *turn = share.turn(ends);
            }
            for (row, turn) in few.zip(turns) {
                self.draw_one(row, share, turn);
            }
        }
    }

    #[inline]
    fn draw_one(&mut self, row: usize, share: &Share, turn: Quat) {
        let (smooth, shown, global) = (&mut self.smooth[row], &mut self.shown[row], &mut self.globals[row]);
        if !smooth.concerns_a_frame() {
            return;
        }
        if smooth.is_moving() && !self.in_tree {
            let (ends, now) = (&self.ends[row], &self.transforms[row]);
            let bend = self.bends.map(|bends| &bends[row]);
            let place = place(share, smooth, (ends, bend), || turn, now);
            if show(smooth, shown, global, GlobalTransform::from(place)) {
                self.changed[row] = self.now;
            }
        } else if !smooth.is_shown() {
            if smooth.is_stale() && shown.0 != *global {
                self.changed[row] = self.now;
            }
            smooth.settle();
        }
    }
}
