//! How are a hundred thousand entities without parent and children propagated and drawn?
//!
//! Entities with the same components lie in one table, each component in a row of its own. These rows are drawn as slices,
//! not entity by entity: what rests costs a few bytes of reading.
//!
//! Bevy would first write all that ticks moved into `GlobalTransform`, to be read and replaced by the view at once. So here
//! both is one step: `GlobalTransform` gets the view, and `Shown` the truth that Bevy would have written. Entities that are
//! not smooth are left to [`sync_others`], which is Bevy's `sync_simple_transforms` without them.

use crate::between::{EIGHT, Ends, Share};
use crate::curve::Bend;
use crate::draw::view;
use crate::played::{Played, Shown};
use crate::scan::{Search, Since, groups};
use bevy_ecs::change_detection::{ContiguousMut, ContiguousRef, Tick};
use bevy_ecs::prelude::*;
use bevy_ecs::system::{SystemChangeTick, SystemParam};
use bevy_math::{Affine3A, Quat};
use bevy_tasks::{ComputeTaskPool, TaskPool};
use bevy_transform::components::{GlobalTransform, Transform};
use core::slice::{from_mut, from_ref};

/// Below twice this many, telling other threads takes longer than the work.
const CHUNK: usize = 2048;

type Row<'w> =
    (&'w mut Played, Ref<'w, Transform>, &'w Ends, Option<&'w Bend>, &'w mut Shown, &'w mut GlobalTransform);

type Others = (Without<ChildOf>, Without<Children>, Without<Played>);

/// Bevy's `sync_simple_transforms` for what is not smooth, and for what has lost its parent and was not written.
pub(crate) fn sync_others(
    mut entities: ParamSet<(
        Query<(&Transform, &mut GlobalTransform), (Or<(Changed<Transform>, Added<GlobalTransform>)>, Others)>,
        Query<(Ref<Transform>, &mut GlobalTransform), (Without<ChildOf>, Without<Children>)>,
    )>,
    mut orphaned: RemovedComponents<ChildOf>,
) {
    let sync = |(transform, mut global): (&Transform, Mut<GlobalTransform>)| {
        *global = GlobalTransform::from(*transform);
    };
    #[cfg(feature = "multi_threaded")]
    entities.p0().par_iter_mut().for_each(sync);
    #[cfg(not(feature = "multi_threaded"))]
    entities.p0().iter_mut().for_each(sync);
    let mut rest = entities.p1();
    let mut rest = rest.iter_many_mut(orphaned.read());
    while let Some((transform, mut global)) = rest.fetch_next() {
        if !transform.is_changed() && !global.is_added() {
            *global = GlobalTransform::from(*transform);
        }
    }
}

/// Every smooth entity without parent and children.
#[derive(SystemParam)]
pub(crate) struct FlatRows<'w, 's> {
    entities: Query<'w, 's, Row<'static>, (Without<ChildOf>, Without<Children>)>,
    ticks: SystemChangeTick,
}

impl FlatRows<'_, '_> {
    /// What `Transform` got since the last drawing is not yet propagated. What `GlobalTransform` got after `began` is the
    /// truth, by propagation. What `Transform` got after `ended` was not written by the last tick.
    pub(crate) fn draw(&mut self, share: &Share, began: Tick, ended: Tick) {
        let now = self.ticks.this_run();
        let synced = Since::new(self.ticks.last_run(), now);
        let (began, ended) = (Since::new(began, now), Since::new(ended, now));
        if let Ok(tables) = self.entities.contiguous_iter_mut() {
            for (mut played, transforms, ends, bends, mut shown, globals) in tables {
                let (transforms, written) = ContiguousRef::split(transforms);
                let (globals, mut ticks) = ContiguousMut::bypass_change_detection_split(globals);
                if synced.is_any_newer(ticks.added()) {
                    for row in 0..globals.len() {
                        if synced.is_newer(ticks.added()[row]) {
                            globals[row] = transforms[row].into();
                            ticks.changed_mut()[row] = now;
                        }
                    }
                }
                let rows = Rows {
                    played: played.bypass_change_detection(),
                    transforms,
                    written: written.changed(),
                    ends,
                    bends,
                    shown: shown.bypass_change_detection(),
                    globals,
                    changed: ticks.changed_mut(),
                    synced,
                    began,
                    ended,
                    now,
                };
                rows.draw_on_all_threads(share);
            }
            return;
        }
        // Where a marker for disabled entities is kept apart from the tables, queries have no slices.
        for (mut played, transform, ends, bend, mut shown, mut global) in &mut self.entities {
            if synced.is_newer(global.added()) {
                *global = GlobalTransform::from(*transform);
            }
            let mut changed = global.last_changed();
            let (was, written) = (changed, transform.last_changed());
            let rows = Rows {
                played: from_mut(played.bypass_change_detection()),
                transforms: from_ref(&*transform),
                written: from_ref(&written),
                ends: from_ref(ends),
                bends: bend.map(from_ref),
                shown: from_mut(shown.bypass_change_detection()),
                globals: from_mut(global.bypass_change_detection()),
                changed: from_mut(&mut changed),
                synced,
                began,
                ended,
                now,
            };
            rows.draw(share);
            if changed != was {
                global.set_changed();
            }
        }
    }
}

#[inline]
fn affine(local: &Transform) -> Affine3A {
    Affine3A::from_scale_rotation_translation(local.scale, local.rotation, local.translation)
}

/// Out of line: a transform that comes by way of memory makes the processor wait for it, also where it is not used.
#[cold]
#[inline(never)]
fn special(share: &Share, ends: &Ends, bend: Option<&Bend>, now: &Transform) -> Affine3A {
    affine(&view(share, ends, bend, now))
}

/// A part of a table.
struct Rows<'a> {
    played: &'a mut [Played],
    transforms: &'a [Transform],
    /// When each of `transforms` changed last.
    written: &'a [Tick],
    ends: &'a [Ends],
    bends: Option<&'a [Bend]>,
    shown: &'a mut [Shown],
    globals: &'a mut [GlobalTransform],
    /// When each of `globals` changed last, as everybody will see it.
    changed: &'a mut [Tick],
    /// Since it was propagated here last.
    synced: Since,
    began: Since,
    ended: Since,
    now: Tick,
}

impl<'a> Rows<'a> {
    fn draw_on_all_threads(self, share: &Share) {
        let threads = ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num());
        if threads < 2 || self.played.len() < 2 * CHUNK {
            return self.draw(share);
        }
        let chunk = self.played.len().div_ceil(threads).max(CHUNK);
        ComputeTaskPool::get_or_init(TaskPool::default).scope(|scope| {
            let mut rest = self;
            while rest.played.len() > chunk {
                let (rows, others) = rest.split_at(chunk);
                scope.spawn(async move { rows.draw(share) });
                rest = others;
            }
            scope.spawn(async move { rest.draw(share) });
        });
    }

    fn split_at(self, row: usize) -> (Self, Self) {
        let (played, other_played) = self.played.split_at_mut(row);
        let (transforms, other_transforms) = self.transforms.split_at(row);
        let (written, other_written) = self.written.split_at(row);
        let (ends, other_ends) = self.ends.split_at(row);
        let (bends, other_bends) = self.bends.map(|bends| bends.split_at(row)).unzip();
        let (shown, other_shown) = self.shown.split_at_mut(row);
        let (globals, other_globals) = self.globals.split_at_mut(row);
        let (changed, other_changed) = self.changed.split_at_mut(row);
        let rows = Self { played, transforms, written, ends, bends, shown, globals, changed, ..self };
        let others = Self {
            played: other_played,
            transforms: other_transforms,
            written: other_written,
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
        self.propagate();
        let mut search = Search::default();
        loop {
            let rows =
                search.few(self.played.len(), |start| Played::which_concern_a_frame(self.played, start));
            if rows.is_empty() {
                return;
            }
            for rows in rows.chunks(EIGHT) {
                for (&row, turn) in rows.iter().zip(share.turns_of(self.ends, rows)) {
                    self.draw_one(row, share, turn);
                }
            }
        }
    }

    /// The truth of all that was written goes to where it is kept while they move. By itself: one short loop after the
    /// other is faster than one long one.
    fn propagate(&mut self) {
        for start in groups(self.written.len()) {
            self.synced.newer(self.written, start).each(start, |row| {
                let truth = GlobalTransform::from(affine(&self.transforms[row]));
                if self.played[row].is_moving() {
                    self.shown[row].set_global(truth);
                } else {
                    self.globals[row] = truth;
                    self.changed[row] = self.now;
                }
            });
        }
    }

    /// `turn` is the rotation of its view, if that is plain. If it was written, it is propagated.
    #[inline]
    fn draw_one(&mut self, row: usize, share: &Share, turn: Quat) {
        let (played, shown, global) = (&mut self.played[row], &mut self.shown[row], &mut self.globals[row]);
        let is_written = self.synced.is_newer(self.written[row]);
        // Or propagated for another reason.
        let is_fresh = is_written || self.began.is_newer(self.changed[row]);
        let transform = &self.transforms[row];
        if !is_fresh && played.is_local() {
            // It had a parent or children when it was drawn last.
            shown.set_global(GlobalTransform::from(*transform));
        }
        if played.is_moving() {
            if !is_written && (is_fresh || !played.is_displaced()) {
                shown.set_global(*global);
            }
            let (ends, bend) = (&self.ends[row], self.bends.map(|bends| &bends[row]));
            let is_plain = played.is_plain() && bend.is_none() && !self.ended.is_newer(self.written[row]);
            let drawn = match share.plain(ends, turn) {
                Some(local) if is_plain => affine(&local),
                _ => special(share, ends, bend, transform),
            };
            let drawn = GlobalTransform::from(drawn);
            if is_fresh || drawn != *global {
                *global = drawn;
                self.changed[row] = self.now;
            }
            played.show(false);
        } else {
            if played.is_displaced() && !is_fresh && shown.global() != *global {
                *global = shown.global();
                self.changed[row] = self.now;
            }
            played.settle();
        }
    }
}
