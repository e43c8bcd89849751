//! How does the truth go back while the picture goes on?
//!
//! A restore brings back the poses, where they lie and who lives. What was drawn belongs to the handles: it follows them
//! to the slots that they have in the save. Cuts are counted per pose, so that a cut which is simulated again is known
//! to have been reported.

use super::{
    Batch, BatchHandle, BatchPose, WIDTH,
    handle::Directory,
    store::{Flags, bit},
};
use alloc::vec::Vec;

/// The truth of a [`Batch`] at one time: [`Batch::save`] writes it. The default is that of no batch.
#[derive(Clone, Debug)]
pub struct BatchTruth<P: BatchPose> {
    ends: Vec<Vec<P::Tile>>,
    newest: usize,
    owners: Vec<BatchHandle>,
    flags: Vec<Flags>,
    still: Vec<u8>,
    directory: Directory,
    moving: usize,
    open: bool,
    ticks: u32,
    cuts: Vec<u8>,
}

impl<P: BatchPose> Default for BatchTruth<P> {
    fn default() -> Self {
        Self {
            ends: Vec::new(),
            newest: 0,
            owners: Vec::new(),
            flags: Vec::new(),
            still: Vec::new(),
            directory: Directory::new(),
            moving: 0,
            open: false,
            ticks: 0,
            cuts: Vec::new(),
        }
    }
}

/// Cuts of each slot, its appearance among them, modulo 256, and how many of them were reported. Empty in a batch that
/// remembers no views: that reports no cuts.
#[derive(Clone, Debug)]
pub(super) struct Reports<P: BatchPose> {
    cuts: Vec<u8>,
    reported: Vec<u8>,
    /// What lived when the truth went back, and did not live then: what was drawn of it and how many cuts were reported,
    /// for when it comes to life again.
    orphans: Vec<(BatchHandle, P, u8)>,
    /// The truth went back since the last frame.
    restored: bool,
    spare: Spare<P>,
}

/// Memory that a restore works in, kept so that the next one allocates nothing.
#[derive(Clone, Debug)]
struct Spare<P: BatchPose> {
    reported: Vec<u8>,
    view: Vec<P::Tile>,
    /// Of each slot of the save: whether the picture shows something else.
    differ: Vec<bool>,
}

impl<P: BatchPose> Default for Spare<P> {
    fn default() -> Self {
        Self { reported: Vec::new(), view: Vec::new(), differ: Vec::new() }
    }
}

impl<P: BatchPose> Default for Reports<P> {
    fn default() -> Self {
        Self {
            cuts: Vec::new(),
            reported: Vec::new(),
            orphans: Vec::new(),
            restored: false,
            spare: Spare::default(),
        }
    }
}

impl<P: BatchPose> Reports<P> {
    /// A saved batch of `poses` poses that remembers views or not.
    #[cfg(feature = "serde")]
    pub fn count(&mut self, poses: usize, remembers: bool) {
        if remembers {
            self.cuts.resize(poses, 0);
            self.reported.resize(poses, 0);
        }
    }

    /// One more slot. What was drawn of the handle already, if it lives again.
    pub fn inserted(&mut self, handle: BatchHandle) -> Option<P> {
        self.cuts.push(1);
        let (seen, reported) = self.adopted(handle).unzip();
        self.reported.push(reported.unwrap_or(0));
        seen
    }

    /// What was drawn of an orphan, and how many of its cuts were reported; `None` if it was not drawn.
    fn adopted(&mut self, handle: BatchHandle) -> Option<(P, u8)> {
        let orphan = self.orphans.iter().position(|(other, ..)| *other == handle)?;
        let (_, seen, reported) = self.orphans.swap_remove(orphan);
        (reported != 0).then_some((seen, reported))
    }

    pub fn bytes(&self) -> usize {
        let Spare { reported, view, differ } = &self.spare;
        let spare = reported.capacity() + differ.capacity() + size_of::<P::Tile>() * view.capacity();
        self.cuts.capacity() + self.reported.capacity() + spare
    }

    pub fn reserve(&mut self, more: usize) {
        self.cuts.reserve(more);
        self.reported.reserve(more);
    }

    pub fn removed(&mut self) {
        self.cuts.pop();
        self.reported.pop();
    }

    pub fn swap(&mut self, a: usize, b: usize) {
        if !self.cuts.is_empty() {
            self.cuts.swap(a, b);
            self.reported.swap(a, b);
        }
    }

    /// The slot is cut. Whether that is to be reported.
    pub fn cut(&mut self, slot: usize) -> bool {
        let Some(cuts) = self.cuts.get_mut(slot) else { return true };
        *cuts = cuts.wrapping_add(1);
        self.is_ahead(slot)
    }

    pub fn is_ahead(&self, slot: usize) -> bool {
        self.cuts[slot].wrapping_sub(self.reported[slot]) as i8 > 0
    }

    /// Whether there are other cuts than were reported: more, or fewer after the truth went back.
    pub fn is_apart(&self, slot: usize) -> bool {
        self.cuts.get(slot).is_some_and(|cuts| *cuts != self.reported[slot])
    }

    /// These tiles were drawn.
    pub fn reported(&mut self, tiles: &[Flags]) {
        for (tile, flags) in tiles.iter().enumerate() {
            let mut cut = flags.cut_shown;
            while cut != 0 {
                let slot = tile * WIDTH + cut.trailing_zeros() as usize;
                cut &= cut - 1;
                if let Some(reported) = self.reported.get_mut(slot) {
                    *reported = self.cuts[slot];
                }
            }
        }
    }
}

impl<P: BatchPose> Batch<P> {
    /// Saves the truth, without what was drawn of it, for rollback.
    ///
    /// It copies all ticks that are kept, into the memory of an older save: it allocates only where the batch has grown
    /// since then.
    ///
    /// ```
    /// use portamento::{Moment, batch::{Batch, BatchTruth}, blend::Pose};
    /// let mut crowd = Batch::<Pose>::new();
    /// let walker = crowd.insert(Pose::default());
    /// let mut confirmed = BatchTruth::default();
    /// crowd.save(&mut confirmed);
    ///
    /// crowd.tick();
    /// crowd.push(walker, Pose::at([1.0, 0.0, 0.0]))?; // predicted, and wrong
    /// let _ = crowd.frame(Moment::newest(0.016));
    ///
    /// crowd.restore(&confirmed);
    /// crowd.tick();
    /// crowd.push(walker, Pose::at([1.5, 0.0, 0.0]))?; // simulated again
    /// assert_eq!(crowd.frame(Moment::newest(0.016)).view(walker)?.position[0], 1.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, truth: &mut BatchTruth<P>) {
        truth.ends.clone_from(&self.ends);
        truth.newest = self.newest;
        truth.owners.clone_from(&self.owners);
        truth.flags.clone_from(&self.flags);
        truth.still.clone_from(&self.still);
        truth.directory.clone_from(&self.directory);
        (truth.moving, truth.open, truth.ticks) = (self.moving, self.open, self.ticks);
        truth.cuts.clone_from(&self.reports.cuts);
    }

    /// Puts the truth back, and lets the picture go on: what was drawn stays drawn, and a cut that has been reported is
    /// not reported again when it is simulated again. One pass over all of memory. It allocates only the first time,
    /// and for what was inserted since the save.
    ///
    /// Simulate the ticks since then before the next frame. What differs from before is drawn at once, or glides if
    /// [`BatchSettings::glide_after_restore`](super::BatchSettings::glide_after_restore) is set. What was inserted since
    /// the save is gone; inserted again in the same order, it gets the same handles. The save must be of this batch.
    pub fn restore(&mut self, truth: &BatchTruth<P>) {
        assert_eq!(truth.ends.len(), self.ends.len(), "no save, or one of a batch with other settings");
        let poses = truth.owners.len();
        let remembers = self.settings.remember_views;
        if self.settings.glide_after_restore {
            // Whatever is simulated again may come out otherwise.
            for slot in 0..self.len() {
                let _ = self.begin_glide(slot);
            }
        }
        let Spare { mut view, mut differ, mut reported } = core::mem::take(&mut self.reports.spare);
        let mut cuts = core::mem::take(&mut self.reports.cuts);
        cuts.clone_from(&truth.cuts);
        // Of what lives again, it is to be reported that it appears.
        reported.clear();
        reported.extend(truth.cuts.iter().map(|cuts| cuts.wrapping_sub(1)));
        let orphans = core::mem::take(&mut self.reports.orphans);
        let mut next = Reports { cuts, reported, orphans, restored: true, spare: Spare::default() };
        view.clear();
        if remembers {
            view.resize(poses.div_ceil(WIDTH), P::BLANK);
            for (slot, &handle) in self.owners.iter().enumerate() {
                if truth.directory.slot(handle).is_err() {
                    next.orphans.push((handle, self.last_view(slot), self.reports.reported[slot]));
                }
            }
        }
        differ.clear();
        for (slot, handle) in truth.owners.iter().enumerate() {
            let now = self.directory.slot(*handle).ok();
            let pose = P::take(&truth.ends[truth.newest][slot / WIDTH], slot % WIDTH);
            let rests = |now: usize| now >= self.drawn && pose.is_at(&self.end(0)[now / WIDTH], now % WIDTH);
            differ.push(!now.is_some_and(rests));
            if remembers {
                let seen = match now {
                    Some(now) => Some((self.last_view(now), self.reports.reported[now])),
                    None => next.adopted(*handle),
                };
                let (last, reported) = seen.unwrap_or((pose, next.reported[slot]));
                last.put(&mut view[slot / WIDTH], slot % WIDTH);
                next.reported[slot] = reported;
                // A cut that was shown and is taken back is reported, also where the pose stands as it stood.
                differ[slot] |= reported != truth.cuts[slot];
            }
        }
        self.ends.clone_from(&truth.ends);
        self.newest = truth.newest;
        self.owners.clone_from(&truth.owners);
        self.flags.clone_from(&truth.flags);
        self.still.clone_from(&truth.still);
        self.directory.clone_from(&truth.directory);
        (self.moving, self.open, self.ticks) = (truth.moving, truth.open, truth.ticks);
        reported = core::mem::take(&mut self.reports.reported);
        self.reports = next;
        for flags in &mut self.flags {
            (flags.cut, flags.cut_shown) = (0, 0);
        }
        if remembers {
            self.views[1].resize(view.len(), P::BLANK);
            core::mem::swap(&mut self.views[0], &mut view);
            for slot in 0..poses {
                self.flags[slot / WIDTH].cut |= if self.reports.is_ahead(slot) { bit(slot) } else { 0 };
            }
        }
        self.drawn = self.moving;
        // What changes places with a slot has had its turn.
        for slot in (self.moving..poses).filter(|&slot| differ[slot]) {
            self.let_settle(slot);
        }
        self.reports.spare = Spare { reported, view, differ };
        self.was_drawn = 0;
        self.changed = true;
    }

    /// What the last frame showed.
    pub(super) fn last_view(&self, slot: usize) -> P {
        // What rests is not drawn: its last view is its truth.
        let tiles = if slot < self.drawn { &self.views[0] } else { self.end(0) };
        P::take(&tiles[slot / WIDTH], slot % WIDTH)
    }

    /// Fewer cuts than were reported: one that was simulated again did not happen again, and the picture jumps back.
    pub(super) fn report_what_did_not_happen_again(&mut self) {
        if !core::mem::take(&mut self.reports.restored) {
            return;
        }
        self.reports.orphans.clear();
        for slot in 0..self.reports.cuts.len() {
            if self.reports.cuts[slot] != self.reports.reported[slot] {
                self.reports.reported[slot] = self.reports.cuts[slot];
                self.flags[slot / WIDTH].cut |= if slot < self.drawn { bit(slot) } else { 0 };
            }
        }
    }
}
