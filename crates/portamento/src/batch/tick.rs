//! What does a tick bring?

use super::{
    Batch, BatchError, BatchHandle, BatchPose, WIDTH,
    dispatch::{Instructions, Job},
    store::{Flags, bit},
};

impl<P: BatchPose> Batch<P> {
    /// Begins a tick. What is not pushed before the next frame or tick stays where it is. O(1), plus the work to close
    /// the tick before: each pose that was moving and was not pushed gets its last pose again.
    pub fn tick(&mut self) {
        self.close_tick();
        self.settle_glides();
        self.ticks = self.ticks.wrapping_add(1);
        self.newest = (self.newest + 1) % self.ends.len();
        self.open = true;
        self.changed = true;
    }

    /// Takes the tick's result for one pose, after collision. Pushing the same pose again is the same as not pushing. A
    /// NaN is taken and drawn as it comes, as in a [`Track`](crate::Track); only the exchange refuses it, because there
    /// others draw it.
    #[inline]
    pub fn push(&mut self, handle: BatchHandle, pose: P) -> Result<(), BatchError> {
        if !self.open {
            return Err(BatchError::NoTick);
        }
        let slot = self.directory.slot(handle)?;
        self.push_at(slot, &pose);
        Ok(())
    }

    /// Takes the tick's result for all poses: `step` is given each handle with its last pose, in memory's order.
    ///
    /// ```
    /// # use portamento::{batch::Batch, blend::Pose};
    /// # let mut crowd = Batch::<Pose>::new();
    /// # let walker = crowd.insert(Pose::default());
    /// crowd.tick();
    /// crowd.push_all(|_, mut pose| {
    ///     pose.position[0] += 0.1;
    ///     pose
    /// })?;
    /// # assert_eq!(crowd.truth(walker).unwrap().position[0], 0.1);
    /// # Ok::<(), portamento::batch::BatchError>(())
    /// ```
    pub fn push_all(&mut self, mut step: impl FnMut(BatchHandle, P) -> P) -> Result<(), BatchError> {
        if !self.open {
            return Err(BatchError::NoTick);
        }
        let (before, newest) = (self.index_of(1), self.newest);
        let whole = self.moving / WIDTH;
        let mut next = 0;
        while next < whole {
            if self.flags[next].fresh != 0 {
                // Some were pushed before, and have another last pose.
                (next * WIDTH..(next + 1) * WIDTH).for_each(|slot| self.step_at(slot, &mut step));
                next += 1;
                continue;
            }
            let ahead = self.flags[next..whole].iter().take(SURVEYED);
            let tiles = next..next + ahead.take_while(|flags| flags.fresh == 0).count();
            let slots = tiles.start * WIDTH..tiles.end * WIDTH;
            let ends = self.ends.get_disjoint_mut([before, newest]).expect("two ends at least");
            let [old, new] = ends.map(|end| &mut end[tiles.clone()]);
            let owners = self.owners[slots.clone()].as_chunks::<WIDTH>().0;
            for ((owners, old), new) in owners.iter().zip(&*old).zip(&mut *new) {
                for (lane, &owner) in owners.iter().enumerate() {
                    step(owner, P::take(old, lane)).put(new, lane);
                }
            }
            let flags = &mut self.flags[tiles.clone()];
            self.settings.kernel.run(Look::<P> { old, new, flags });
            for (flags, still) in flags.iter().zip(self.still[slots].as_chunks_mut::<WIDTH>().0) {
                for (lane, still) in still.iter_mut().enumerate() {
                    *still = if flags.fresh & bit(lane) != 0 { 0 } else { *still };
                }
            }
            next = tiles.end;
        }
        // A pose that wakes changes places only with poses before it, which have had their turn.
        for slot in whole * WIDTH..self.len() {
            self.step_at(slot, &mut step);
        }
        Ok(())
    }

    fn step_at(&mut self, slot: usize, step: &mut impl FnMut(BatchHandle, P) -> P) {
        let pose = step(self.owners[slot], self.truth_at(slot));
        self.push_at(slot, &pose);
    }

    #[inline]
    fn push_at(&mut self, slot: usize, pose: &P) {
        let (tile, lane) = (slot / WIDTH, slot % WIDTH);
        let (newest, before) = (self.newest, self.index_of(1));
        let same = pose.is_at(&self.ends[before][tile], lane);
        if slot < self.moving {
            self.flags[tile].plain = 0;
            if same {
                // As if not pushed: closing the tick gives it the pose before.
                self.flags[tile].fresh &= !bit(slot);
            } else {
                pose.put(&mut self.ends[newest][tile], lane);
                self.flags[tile].fresh |= bit(slot);
                self.still[slot] = 0;
            }
        } else if !same {
            self.wake(slot, pose);
        }
    }

    /// Corrects the newest pose (a collision after the move): the view glides there.
    ///
    /// Call it during the tick, before the next frame. Between ticks a part of the way has been drawn already, and the
    /// view jumps by that part, without a cut (unless the pose is gliding): for that there is [`Batch::reconcile`].
    pub fn correct(&mut self, handle: BatchHandle, pose: P) -> Result<(), BatchError> {
        let slot = self.directory.slot(handle)?;
        self.changed = true;
        if self.open {
            self.push_at(slot, &pose);
        } else if slot < self.moving {
            pose.put(&mut self.ends[self.newest][slot / WIDTH], slot % WIDTH);
            self.flags[slot / WIDTH].plain = 0;
            self.still[slot] = 0;
        } else if !pose.is_at(&self.end(0)[slot / WIDTH], slot % WIDTH) {
            self.wake(slot, &pose);
        }
        Ok(())
    }

    /// Something at rest, or settling, gets a new newest pose.
    fn wake(&mut self, slot: usize, pose: &P) {
        self.remember_rest(slot);
        let slot = self.let_move(slot);
        pose.put(&mut self.ends[self.newest][slot / WIDTH], slot % WIDTH);
        if self.open {
            self.flags[slot / WIDTH].fresh |= bit(slot);
        }
        self.still[slot] = 0;
    }

    /// Gives what moved before and was not pushed its last pose again, and lets rest what has done so for as
    /// many ticks as there are to see.
    pub(super) fn close_tick(&mut self) {
        if !core::mem::take(&mut self.open) {
            return;
        }
        let (newest, before) = (self.newest, self.index_of(1));
        let enough = self.ends.len() - 1;
        let tiles = self.moving.div_ceil(WIDTH);
        // From the back, so that what comes to rest changes places with what has had its turn.
        for tile in (0..tiles).rev() {
            let here = (self.moving - tile * WIDTH).min(WIDTH);
            let flags = &mut self.flags[tile];
            let mut waiting = !flags.fresh & (u16::MAX >> (WIDTH - here));
            if waiting != 0 {
                flags.plain = 0;
            }
            while waiting != 0 {
                let lane = (u16::BITS - 1 - waiting.leading_zeros()) as usize;
                waiting &= !(1 << lane);
                let slot = tile * WIDTH + lane;
                let [from, to] = self.ends.get_disjoint_mut([before, newest]).expect("two ends at least");
                P::copy(&from[tile], &mut to[tile], lane);
                self.still[slot] = (self.still[slot] + 1).min(enough as u8);
                // What glides stays among what is drawn.
                if self.still[slot] as usize >= enough && self.glides.get(self.owners[slot]).is_none() {
                    self.let_settle(slot);
                }
            }
        }
        self.flags[..tiles].iter_mut().for_each(|flags| flags.fresh = 0);
    }
}

/// Tiles that are checked together: long enough after their poses were written for a processor to read them in whole
/// rows, and soon enough to be in the nearest caches.
const SURVEYED: usize = 16;

struct Look<'a, P: BatchPose> {
    old: &'a [P::Tile],
    new: &'a [P::Tile],
    flags: &'a mut [Flags],
}

impl<P: BatchPose> Job for Look<'_, P> {
    #[inline(always)]
    fn run<I: Instructions>(self) {
        for ((old, new), flags) in self.old.iter().zip(self.new).zip(self.flags) {
            let survey = P::survey(old, new);
            flags.fresh = survey.moved;
            flags.plain = if survey.plain { flags.plain.saturating_add(1) } else { 0 };
        }
    }
}
