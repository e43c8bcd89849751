//! How does a corrected pose glide to where it belongs?
//!
//! As in a [`PredictedTrack`](crate::track::PredictedTrack), to the bit: what the last frame showed is compared with what
//! it would show of the truth now, the difference joins an offset, and the offset fades. Only poses that glide have a
//! record here. They lie among those that move, although their truth may rest, so that every frame draws them. The
//! kernels blend them as all others; their rows are then written again, with the offset.

use super::{Batch, BatchError, BatchHandle, BatchPose, WIDTH, frame::Pass, store::bit};
use crate::step::Moment;
use crate::track::{Absorbed, Passing, VisualOffset, again, reach};
use alloc::vec::Vec;

/// One pose that glides.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "P: serde::Serialize, P::Velocity: serde::Serialize",
        deserialize = "P: serde::de::DeserializeOwned, P::Velocity: serde::de::DeserializeOwned"
    ))
)]
pub(super) struct Glide<P: BatchPose> {
    handle: BatchHandle,
    offset: VisualOffset<P>,
    /// What the last frame showed, without the offset.
    view: P,
}

impl<P: BatchPose> Glide<P> {
    pub fn drawn(&self) -> P {
        self.offset.drawn(&self.view)
    }
}

/// All that glide.
#[derive(Clone, Debug)]
pub(super) struct Glides<P: BatchPose> {
    all: Vec<Glide<P>>,
    /// By the index of a handle: where in `all` it may be.
    places: Vec<u32>,
    /// Of each tile, the poses that glide in the last frame. Empty if none does.
    marks: Vec<u16>,
}

impl<P: BatchPose> Default for Glides<P> {
    fn default() -> Self {
        Self { all: Vec::new(), places: Vec::new(), marks: Vec::new() }
    }
}

impl<P: BatchPose> Glides<P> {
    /// `None` if two of them are one.
    #[cfg(feature = "serde")]
    pub fn from_saved(saved: Vec<Glide<P>>) -> Option<Self> {
        let mut glides = Self::default();
        for glide in saved {
            if glides.get(glide.handle).is_some() {
                return None;
            }
            glides.insert(glide);
        }
        Some(glides)
    }

    #[cfg(any(feature = "serde", test))]
    pub fn all_handles(&self) -> impl Iterator<Item = BatchHandle> {
        self.all.iter().map(|glide| glide.handle)
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    #[inline]
    pub fn get(&self, handle: BatchHandle) -> Option<&Glide<P>> {
        self.place(handle).map(|place| &self.all[place])
    }

    #[inline]
    fn place(&self, handle: BatchHandle) -> Option<usize> {
        let place = *self.places.get(handle.index())? as usize;
        self.all.get(place).is_some_and(|glide| glide.handle == handle).then_some(place)
    }

    fn insert(&mut self, glide: Glide<P>) {
        let index = glide.handle.index();
        if index >= self.places.len() {
            self.places.resize(index + 1, 0);
        }
        self.places[index] = self.all.len() as u32;
        self.all.push(glide);
    }

    pub fn remove(&mut self, handle: BatchHandle) {
        let Some(place) = self.place(handle) else { return };
        self.all.swap_remove(place);
        if let Some(moved) = self.all.get(place) {
            self.places[moved.handle.index()] = place as u32;
        }
    }

    pub fn rebase(&mut self, shift: impl Fn(&mut P)) {
        self.all.iter_mut().for_each(|glide| shift(&mut glide.view));
    }

    pub fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Glide<P>>() + self.places.capacity() * 4 + self.marks.capacity() * 2
    }

    /// The slots from tile `first` on that glide in the last frame, in order.
    pub fn slots(&self, first: usize, tiles: usize) -> impl Iterator<Item = usize> {
        let marks = self.marks.iter().enumerate().skip(first).take(tiles);
        marks.flat_map(|(tile, &mark)| {
            let mut mark = mark;
            core::iter::from_fn(move || {
                let lane = (mark != 0).then(|| mark.trailing_zeros() as usize)?;
                mark &= mark - 1;
                Some(tile * WIDTH + lane)
            })
        })
    }
}

#[cfg(feature = "serde")]
impl<P: BatchPose> serde::Serialize for Glides<P>
where
    P: serde::Serialize,
    P::Velocity: serde::Serialize,
{
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.all)
    }
}

impl<P: BatchPose> Batch<P> {
    /// Replaces the newest pose by a corrected one: the truth jumps, the picture glides (client-side prediction, server
    /// reconciliation).
    ///
    /// It does what [`PredictedTrack::reconcile`](crate::track::PredictedTrack::reconcile) does, by
    /// [`BatchSettings::reconcile`](super::BatchSettings::reconcile). Call it when the server's answer, simulated to the
    /// newest tick, is not what was predicted, at most once per pose and tick. The poses before the newest shift along, so
    /// that the entity keeps its speed; the picture goes on from where it was drawn, and the difference fades. Beyond the
    /// limit the correction is a cut. What glides counts as moved in every frame, also while its truth rests.
    ///
    /// A pose that glides takes 64 bytes more and is drawn by itself; all others cost the same as before.
    ///
    /// ```
    /// use portamento::{Moment, batch::Batch, blend::Pose};
    /// let mut crowd = Batch::<Pose>::new();
    /// let walker = crowd.insert(Pose::default());
    /// let _ = crowd.frame(Moment::newest(1.0 / 144.0));
    ///
    /// crowd.reconcile(walker, Pose::at([0.5, 0.0, 0.0]))?;
    /// assert_eq!(crowd.truth(walker)?.position[0], 0.5);
    /// let drawn = crowd.frame(Moment::newest(1.0 / 144.0)).view(walker)?;
    /// assert!(drawn.position[0] > 0.0 && drawn.position[0] < 0.02); // two centimetres in this frame
    ///
    /// for _ in 0..600 {
    ///     let _ = crowd.frame(Moment::newest(1.0 / 144.0));
    /// }
    /// assert_eq!(crowd.frame(Moment::newest(1.0 / 144.0)).view(walker)?.position[0], 0.5); // to the last bit
    /// # Ok::<(), portamento::batch::BatchError>(())
    /// ```
    pub fn reconcile(&mut self, handle: BatchHandle, corrected: P) -> Result<(), BatchError> {
        let mut slot = self.directory.slot(handle)?;
        let (newest, before) = (self.newest, self.index_of(1));
        if self.open && slot < self.moving && !self.is_fresh(slot) {
            // Not pushed in this tick: until it is, it stays where it is.
            let [from, to] = self.ends.get_disjoint_mut([before, newest]).expect("two ends at least");
            P::copy(&from[slot / WIDTH], &mut to[slot / WIDTH], slot % WIDTH);
            self.flags[slot / WIDTH].plain = 0;
        }
        let old = self.truth_at(slot);
        if corrected.is_at(&self.end(0)[slot / WIDTH], slot % WIDTH) {
            return Ok(());
        }
        self.changed = true;
        let glides = !self.is_cut(slot) && self.begin_glide(slot);
        let by = P::velocity(&old, &corrected, 1.0);
        if glides && self.since() > reach(self.last, self.ends.len()) {
            // Too many ticks ago to be checked again. All of the past shifts by the same: the newest serves as well.
            let limit = self.settings.reconcile.limit;
            let place = self.glides.place(handle).expect("it has just begun");
            let glide = &mut self.glides.all[place];
            glide.view = glide.view.advance(&by, 1.0);
            if glide.offset.absorb(&old, &corrected, limit) != Absorbed::Kept {
                glide.offset.clear();
                self.mark_cut(slot);
            }
        }
        self.remember_rest(slot);
        for end in &mut self.ends {
            let tile = &mut end[slot / WIDTH];
            let pose = P::take(tile, slot % WIDTH);
            // What rests goes on resting, on the new bits.
            let pose = if pose == old { corrected } else { pose.advance(&by, 1.0) };
            pose.put(tile, slot % WIDTH);
        }
        corrected.put(&mut self.ends[newest][slot / WIDTH], slot % WIDTH);
        self.flags[slot / WIDTH].plain = 0;
        if slot >= self.moving {
            // All of its ends are equal.
            self.put_everywhere(slot, &corrected);
            slot = self.let_move(slot);
            self.still[slot] = (self.ends.len() - 1) as u8;
        }
        Ok(())
    }

    /// Ticks since the last frame; below 0 if the truth has been taken back to before it.
    pub(super) fn since(&self) -> i64 {
        i64::from(self.ticks.wrapping_sub(self.last_ticks) as i32)
    }

    /// Whether the next frame cuts to it.
    fn is_cut(&self, slot: usize) -> bool {
        self.flags[slot / WIDTH].cut & bit(slot) != 0 || self.reports.is_apart(slot)
    }

    pub(super) fn mark_cut(&mut self, slot: usize) {
        self.flags[slot / WIDTH].cut |= bit(slot);
        self.has_cuts = true;
    }

    /// The pose at the moment of the last frame, by the present truth; `None` where that does not hold it.
    fn last_pass(&self) -> Option<Pass> {
        again(self.last, self.since(), self.ends.len()).map(|moment| Pass::new(moment, self.ends.len()))
    }

    fn by_pass(&self, pass: &Pass, slot: usize) -> P {
        let (from, to) = pass.ages();
        pass.one(&self.end(from)[slot / WIDTH], &self.end(to)[slot / WIDTH], slot % WIDTH)
    }

    /// Keeps what the last frame showed of the pose, before its past changes. False if no one knows what that was.
    pub(super) fn begin_glide(&mut self, slot: usize) -> bool {
        let handle = self.owners[slot];
        if self.glides.get(handle).is_some() {
            return true;
        }
        let view = if self.settings.remember_views || slot >= self.drawn {
            self.last_view(slot)
        } else if let Some(pass) = self.last_pass() {
            self.by_pass(&pass, slot)
        } else if self.since() < 0 {
            return false;
        } else {
            // Only how far it went since then is asked of it: about as far as in its last tick.
            let last = self.last;
            let back = (self.since() + i64::from(last.back())) as f64 - last.alpha() - last.beyond();
            let [newest, before] = [0, 1].map(|age| P::take(&self.end(age)[slot / WIDTH], slot % WIDTH));
            newest.extrapolate(&before, back)
        };
        self.glides.insert(Glide { handle, offset: VisualOffset::default(), view });
        true
    }

    /// Compares the last frame with the present truth, because a tick is about to drop its values.
    pub(super) fn settle_glides(&mut self) {
        if self.glides.is_empty() || self.since() != reach(self.last, self.ends.len()) {
            return;
        }
        let Some(pass) = self.last_pass() else { return };
        let mut glides = core::mem::take(&mut self.glides.all);
        for glide in &mut glides {
            let Ok(slot) = self.directory.slot(glide.handle) else { continue };
            if self.is_cut(slot) {
                continue;
            }
            let there = self.by_pass(&pass, slot);
            let from = core::mem::replace(&mut glide.view, there);
            if glide.offset.absorb(&from, &there, self.settings.reconcile.limit) != Absorbed::Kept {
                glide.offset.clear();
                self.mark_cut(slot);
            }
        }
        self.glides.all = glides;
    }

    /// A new frame: offsets take in what changed, and fade.
    pub(super) fn glide(&mut self, moment: Moment, pass: &Pass) {
        self.glides.marks.clear();
        if self.glides.is_empty() {
            return;
        }
        let last = self.last_pass();
        let seconds = moment.presented();
        let passing = Passing::new(seconds, &self.settings.reconcile.fading);
        let mut glides = core::mem::take(&mut self.glides.all);
        glides.retain_mut(|glide| self.glide_on(glide, pass, last.as_ref(), seconds, &passing));
        self.glides.all = glides;
        if self.glides.is_empty() {
            return;
        }
        self.glides.marks.resize(self.flags.len(), 0);
        for (place, glide) in self.glides.all.iter().enumerate() {
            let slot = self.directory.slot(glide.handle).expect("what is gone does not glide");
            self.glides.places[glide.handle.index()] = place as u32;
            self.glides.marks[slot / WIDTH] |= bit(slot);
        }
    }

    /// Returns whether it still glides.
    fn glide_on(
        &mut self,
        glide: &mut Glide<P>,
        pass: &Pass,
        last: Option<&Pass>,
        seconds: f64,
        passing: &Passing,
    ) -> bool {
        // What lived when the truth went back need not live again.
        let Ok(slot) = self.directory.slot(glide.handle) else { return false };
        let settings = self.settings.reconcile;
        let now = self.by_pass(pass, slot);
        if self.is_cut(slot) {
            glide.offset.clear();
        } else {
            let there = match last {
                Some(last) => self.by_pass(last, slot),
                // The past in which the last frame lies was not simulated again; then the picture stays.
                None if self.since() < 0 => now,
                None => glide.view,
            };
            if glide.offset.absorb(&glide.view, &there, settings.limit) != Absorbed::Kept {
                glide.offset.clear();
                self.mark_cut(slot);
            } else if !glide.offset.is_gone() {
                let way = P::size(&P::velocity(&there, &now, 1.0));
                glide.offset.pass(passing, &settings.fading(way, seconds));
            }
        }
        glide.view = now;
        let rests = self.still[slot] as usize >= self.ends.len() - 1;
        if glide.offset.is_gone() {
            if slot < self.moving && rests || slot >= self.drawn && self.is_cut(slot) {
                self.let_settle(slot);
            }
            return false;
        }
        if slot >= self.moving {
            self.remember_rest(slot);
            let slot = self.let_move(slot);
            self.still[slot] = (self.ends.len() - 1) as u8;
        }
        true
    }
}
