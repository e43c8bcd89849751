//! What did everything do in its last ticks?

use super::{
    BatchError, BatchFrame, BatchHandle, BatchPose, BatchSettings, WIDTH, frame::Pass, glide::Glides,
    handle::Directory, rollback::Reports,
};
use crate::error::{SettingError, within};
use crate::step::Moment;
use alloc::{vec, vec::Vec};
use core::fmt;

/// Bits of the sixteen poses of one tile.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Flags {
    /// Pushed in the tick that is open, to another place than before.
    pub fresh: u16,
    /// Cut since the last frame.
    pub cut: u16,
    /// Cut as of the last frame.
    pub cut_shown: u16,
    /// How many of the newest ticks were plain for all of the tile (see `kernel::survey`). Only [`Batch::push_all`]
    /// finds out, because it has whole tiles at hand; whatever else happens in the tile makes it 0.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub plain: u8,
}

/// Many poses, their last ticks, and what is drawn of them: see the [module's page](super).
///
/// A clone is a save of everything, what was drawn included. After putting it back, call [`Batch::redraw`]: frames
/// report what moved since the last frame of the batch, and your buffer shows another one. For rollback there are
/// [`Batch::save`] and [`Batch::restore`]: the truth goes back, and the picture goes on. With the feature `serde` a
/// batch can be saved to a file; one that was read back draws everything in its first frame. With `serde_json`, its
/// feature `float_roundtrip` keeps every bit.
#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::saved::Unchecked<P>"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "P::Tile: serde::Serialize, P: serde::Serialize, P::Velocity: serde::Serialize",
        deserialize = "P::Tile: serde::de::DeserializeOwned, P: serde::de::DeserializeOwned, \
                       P::Velocity: serde::de::DeserializeOwned"
    ))
)]
pub struct Batch<P: BatchPose> {
    /// A ring of buffers, one per tick; `newest` is where the newest lies, the older ones before it.
    pub(super) ends: Vec<Vec<P::Tile>>,
    pub(super) newest: usize,
    /// What the last two frames drew of the slots that moved; the last one's first. Empty unless asked for.
    pub(super) views: [Vec<P::Tile>; 2],
    pub(super) owners: Vec<BatchHandle>,
    pub(super) flags: Vec<Flags>,
    /// For how many ticks a moving pose has not been pushed anywhere new.
    pub(super) still: Vec<u8>,
    pub(super) directory: Directory,
    /// Slots before this one have ends that differ.
    pub(super) moving: usize,
    /// Slots before this one are to be drawn.
    pub(super) drawn: usize,
    /// Slots before this one were drawn in the last frame.
    pub(super) was_drawn: usize,
    /// A tick has begun: the newest buffer still has old poses in it wherever nothing fresh was pushed.
    pub(super) open: bool,
    /// Something happened since the last frame, so that the same moment may show something else.
    pub(super) changed: bool,
    pub(super) last: Moment,
    /// Ticks counted, and how many there were in the last frame.
    pub(super) ticks: u32,
    pub(super) last_ticks: u32,
    /// How many slots the last frame drew.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) shown: usize,
    /// What the truth's cuts are counted by, for rollback.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) reports: Reports<P>,
    /// Something is marked as cut, in a batch that remembers no views.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) has_cuts: bool,
    pub(super) glides: Glides<P>,
    pub(super) settings: BatchSettings,
}

impl<P: BatchPose> Default for Batch<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: BatchPose> fmt::Debug for Batch<P> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Batch")
            .field("len", &self.len())
            .field("moving", &self.moving)
            .field("settling", &(self.drawn - self.moving))
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl<P: BatchPose> Batch<P> {
    /// Creates an empty batch that keeps two ticks.
    #[must_use]
    pub fn new() -> Self {
        Self::build(BatchSettings::default())
    }

    /// Creates an empty batch with these settings.
    ///
    /// ```
    /// use portamento::{batch::{Batch, BatchSettings}, blend::Pose2};
    /// let sprites = Batch::<Pose2>::with_settings(BatchSettings { ends: 4, ..BatchSettings::default() })?;
    /// assert!(Batch::<Pose2>::with_settings(BatchSettings { ends: 1, ..BatchSettings::default() }).is_err());
    /// # Ok::<(), portamento::SettingError>(())
    /// ```
    pub fn with_settings(settings: BatchSettings) -> Result<Self, SettingError> {
        within("the ends of a batch", settings.ends as f64, 2.0, 16.0)?;
        let remember_views = settings.remember_views || settings.glide_after_restore;
        Ok(Self::build(BatchSettings { remember_views, ..settings }))
    }

    fn build(settings: BatchSettings) -> Self {
        Self {
            ends: vec![Vec::new(); settings.ends],
            newest: 0,
            views: [Vec::new(), Vec::new()],
            owners: Vec::new(),
            flags: Vec::new(),
            still: Vec::new(),
            directory: Directory::new(),
            moving: 0,
            drawn: 0,
            was_drawn: 0,
            open: false,
            changed: false,
            last: Moment::newest(0.0),
            ticks: 0,
            last_ticks: 0,
            shown: 0,
            reports: Reports::default(),
            has_cuts: false,
            glides: Glides::default(),
            settings,
        }
    }

    /// Reserves memory for `more` poses, so that inserting them allocates nothing.
    pub fn reserve(&mut self, more: usize) {
        let tiles = (self.len() + more).div_ceil(WIDTH).saturating_sub(self.flags.len());
        self.ends.iter_mut().for_each(|end| end.reserve(tiles));
        if self.settings.remember_views {
            self.views.iter_mut().for_each(|view| view.reserve(tiles));
            self.reports.reserve(more);
        }
        self.flags.reserve(tiles);
        self.owners.reserve(more);
        self.still.reserve(more);
        self.directory.reserve(more);
    }

    /// How many poses there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.owners.len()
    }

    /// Returns how many rows an array by [`BatchHandle::index`] needs.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.directory.indices()
    }

    // The bytes of memory held, used or reserved: for the soak test, in which they must not grow without end.
    #[doc(hidden)]
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tiles = self.ends.iter().chain(&self.views).map(Vec::capacity).sum::<usize>();
        tiles * size_of::<P::Tile>()
            + self.flags.capacity() * size_of::<Flags>()
            + self.owners.capacity() * size_of::<BatchHandle>()
            + self.still.capacity()
            + self.reports.bytes()
            + self.glides.bytes()
            + self.directory.bytes()
    }

    /// Returns the handle of every pose, in no particular order: as many as there are poses.
    #[must_use]
    pub fn handles(&self) -> &[BatchHandle] {
        &self.owners
    }

    /// Returns the newest pose: what the simulation computed last. An error if the pose was removed.
    #[inline]
    pub fn truth(&self, handle: BatchHandle) -> Result<P, BatchError> {
        self.directory.slot(handle).map(|slot| self.truth_at(slot))
    }

    #[inline]
    pub(super) fn truth_at(&self, slot: usize) -> P {
        // In an open tick, what has not been pushed yet has its last pose in the buffer before.
        let waiting = self.open && slot < self.moving && !self.is_fresh(slot);
        P::take(&self.end(waiting as usize)[slot / WIDTH], slot % WIDTH)
    }

    /// The buffer `age` ticks before the newest.
    #[inline]
    pub(super) fn end(&self, age: usize) -> &[P::Tile] {
        &self.ends[self.index_of(age)]
    }

    #[inline]
    pub(super) fn index_of(&self, age: usize) -> usize {
        let count = self.ends.len();
        (self.newest + count - age) % count
    }

    #[inline]
    pub(super) fn is_fresh(&self, slot: usize) -> bool {
        self.flags[slot / WIDTH].fresh & bit(slot) != 0
    }

    /// Adds a pose. Its first frame shows exactly this. O(1), except when memory has to grow ([`Batch::reserve`] avoids
    /// that).
    pub fn insert(&mut self, pose: P) -> BatchHandle {
        let slot = self.len();
        if slot.is_multiple_of(WIDTH) {
            self.ends.iter_mut().for_each(|end| end.push(P::BLANK));
            if self.settings.remember_views {
                self.views.iter_mut().for_each(|view| view.push(P::BLANK));
            }
            self.flags.push(Flags::default());
        }
        let handle = self.directory.insert(slot);
        self.owners.push(handle);
        self.still.push(0);
        self.put_everywhere(slot, &pose);
        if let Some(tile) = self.views[0].get_mut(slot / WIDTH) {
            let seen = self.reports.inserted(handle);
            seen.unwrap_or(pose).put(tile, slot % WIDTH);
            self.flags[slot / WIDTH].cut |= if self.reports.is_ahead(slot) { bit(slot) } else { 0 };
        } else {
            self.mark_cut(slot);
        }
        self.let_settle(slot);
        self.changed = true;
        handle
    }

    /// Removes a pose, and returns where the simulation last had it. O(1).
    ///
    /// A buffer written by [`BatchFrame::write_rows`](super::BatchFrame::write_rows) still has its row, and would draw it forever:
    ///
    /// ```
    /// # use portamento::{batch::Batch, blend::Pose};
    /// # let mut crowd = Batch::<Pose>::new();
    /// # let walker = crowd.insert(Pose::default());
    /// # let mut matrices = vec![1.0; 12 * crowd.rows()];
    /// crowd.remove(walker)?;
    /// matrices[12 * walker.index()..][..12].fill(0.0); // shrunk to nothing, until the row is used again
    /// # assert_eq!(matrices, [0.0; 12]);
    /// # Ok::<(), portamento::batch::BatchError>(())
    /// ```
    pub fn remove(&mut self, handle: BatchHandle) -> Result<P, BatchError> {
        let mut slot = self.directory.slot(handle)?;
        let truth = self.truth_at(slot);
        self.glides.remove(handle);
        if slot < self.moving {
            self.moving -= 1;
            self.swap(slot, self.moving);
            slot = self.moving;
        }
        if slot < self.drawn {
            self.drawn -= 1;
            self.swap(slot, self.drawn);
            slot = self.drawn;
        }
        let last = self.len() - 1;
        self.swap(slot, last);
        self.directory.remove(handle);
        self.owners.pop();
        self.still.pop();
        self.reports.removed();
        if last.is_multiple_of(WIDTH) {
            for buffer in self.ends.iter_mut().chain(&mut self.views) {
                buffer.pop();
            }
            self.flags.pop();
        } else {
            // A lane that no one lives in is zeros: whatever was there, no kernel stumbles over it.
            for buffer in &mut self.ends {
                P::copy(&P::BLANK, &mut buffer[last / WIDTH], last % WIDTH);
            }
            let flags = &mut self.flags[last / WIDTH];
            flags.fresh &= !bit(last);
            flags.cut &= !bit(last);
            flags.plain = 0;
        }
        self.changed = true;
        Ok(truth)
    }

    /// Jumps to `pose` (teleport, respawn): no frame shows a place between.
    pub fn cut(&mut self, handle: BatchHandle, pose: P) -> Result<(), BatchError> {
        let slot = self.directory.slot(handle)?;
        self.remember_rest(slot);
        self.put_everywhere(slot, &pose);
        if self.reports.cut(slot) {
            self.mark_cut(slot);
        }
        self.flags[slot / WIDTH].fresh &= !bit(slot);
        self.let_settle(slot);
        self.changed = true;
        Ok(())
    }

    /// Moves the world's origin: applies `shift` to everything remembered, in every tick kept and in the view of the
    /// last frame, so that nothing moves on the screen. One pass over all of memory; the next frame draws everything
    /// once.
    ///
    /// ```
    /// # use portamento::{batch::Batch, blend::Pose};
    /// # let mut crowd = Batch::<Pose>::new();
    /// # let walker = crowd.insert(Pose::at([1024.5, 0.0, 0.0]));
    /// crowd.rebase(|pose| pose.position[0] -= 1024.0);
    /// # assert_eq!(crowd.truth(walker).unwrap().position[0], 0.5);
    /// ```
    pub fn rebase(&mut self, shift: impl Fn(&mut P)) {
        self.redraw();
        let lanes = self.len();
        for tiles in self.ends.iter_mut().chain(&mut self.views[..1]) {
            for (i, tile) in tiles.iter_mut().enumerate() {
                for lane in 0..WIDTH.min(lanes - i * WIDTH) {
                    let mut pose = P::take(tile, lane);
                    shift(&mut pose);
                    pose.put(tile, lane);
                }
            }
        }
        self.flags.iter_mut().for_each(|flags| flags.plain = 0);
        self.glides.rebase(shift);
    }

    /// Lets the next frame draw everything, moved or not: for a buffer that is new, or that does not show what this
    /// batch drew last. O(1), unless views are remembered: then a pass over what rests.
    ///
    /// ```
    /// # use portamento::{Moment, batch::Batch, blend::Pose};
    /// # let mut crowd = Batch::<Pose>::new();
    /// # let statue = crowd.insert(Pose::default());
    /// # let _ = crowd.frame(Moment::newest(0.0));
    /// assert!(crowd.frame(Moment::newest(0.0)).moved().is_empty());
    /// crowd.redraw();
    /// assert_eq!(crowd.frame(Moment::newest(0.0)).moved(), [statue]);
    /// ```
    pub fn redraw(&mut self) {
        if self.settings.remember_views {
            // What rests was drawn where it rests; from here on its view is needed, because it will be drawn.
            for slot in self.drawn..self.len() {
                self.remember_rest(slot);
            }
        }
        self.drawn = self.len();
        self.changed = true;
    }

    /// Returns what to draw at `moment`: everything that changed since the last frame, and only in this frame.
    ///
    /// Called twice in a frame, it returns the same. Frames are distinguished by the number that a
    /// [`Stepper`](crate::step::Stepper) or [`Moment::in_frame`] gives the moment; a moment without a number counts as
    /// a new frame every time.
    pub fn frame(&mut self, moment: Moment) -> BatchFrame<'_, P> {
        self.close_tick();
        debug_assert!(
            self.moving == 0 || moment.beyond() > 0.0 || crate::track::reaches(moment, self.ends.len()),
            "a batch of {} ends was asked for a moment {} ticks back: give `BatchSettings::ends` what the stepper's \
             `ends_needed` returns",
            self.ends.len(),
            moment.back()
        );
        let same_moment = (moment.back(), moment.alpha(), moment.beyond())
            == (self.last.back(), self.last.alpha(), self.last.beyond());
        let pass = Pass::new(moment, self.ends.len());
        let again = moment.frame().is_some() && moment.frame() == self.last.frame() && !self.changed;
        if again {
            return BatchFrame { batch: self, moved: self.shown, pass };
        }
        let fades = !self.glides.is_empty() && moment.presented() > 0.0;
        if same_moment && !self.changed && !fades {
            (self.shown, self.last) = (0, moment);
            return BatchFrame { batch: self, moved: 0, pass };
        }
        self.report_what_did_not_happen_again();
        self.glide(moment, &pass);
        let moved = self.drawn;
        if self.settings.remember_views {
            self.views.swap(0, 1);
            let mut view = core::mem::take(&mut self.views[0]);
            BatchFrame { batch: self, moved, pass }.blend_tiles(0, &mut view[..moved.div_ceil(WIDTH)]);
            self.views[0] = view;
            let tiles = moved.max(self.was_drawn).div_ceil(WIDTH).min(self.flags.len());
            for flags in &mut self.flags[..tiles] {
                flags.cut_shown = core::mem::take(&mut flags.cut);
            }
            self.reports.reported(&self.flags[..moved.div_ceil(WIDTH).min(tiles)]);
        } else if core::mem::take(&mut self.has_cuts) {
            self.flags.iter_mut().for_each(|flags| flags.cut = 0);
        }
        // All that settled has been shown its last: it rests.
        self.drawn = self.moving;
        self.was_drawn = moved;
        self.shown = moved;
        self.changed = false;
        self.last = moment;
        self.last_ticks = self.ticks;
        BatchFrame { batch: self, moved, pass }
    }

    pub(super) fn put_everywhere(&mut self, slot: usize, pose: &P) {
        for end in &mut self.ends {
            pose.put(&mut end[slot / WIDTH], slot % WIDTH);
        }
        self.flags[slot / WIDTH].plain = 0;
    }

    /// What rests is not drawn, so its last view is its truth: written down before that changes.
    pub(super) fn remember_rest(&mut self, slot: usize) {
        if self.settings.remember_views && slot >= self.drawn {
            P::copy(&self.ends[self.newest][slot / WIDTH], &mut self.views[0][slot / WIDTH], slot % WIDTH);
        }
    }

    pub(super) fn let_move(&mut self, mut slot: usize) -> usize {
        if slot >= self.drawn {
            self.swap(slot, self.drawn);
            slot = self.drawn;
            self.drawn += 1;
        }
        self.swap(slot, self.moving);
        slot = self.moving;
        self.moving += 1;
        slot
    }

    pub(super) fn let_settle(&mut self, slot: usize) {
        if slot < self.moving {
            self.moving -= 1;
            self.swap(slot, self.moving);
        } else if slot >= self.drawn {
            self.swap(slot, self.drawn);
            self.drawn += 1;
        }
    }

    /// Two poses change places in memory; their handles follow.
    fn swap(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        for end in &mut self.ends {
            P::swap(end, a, b);
        }
        if self.settings.remember_views {
            P::swap(&mut self.views[0], a, b);
        }
        self.owners.swap(a, b);
        self.still.swap(a, b);
        self.reports.swap(a, b);
        self.directory.moved(self.owners[a], a);
        self.directory.moved(self.owners[b], b);
        let (old, new) = (self.flags[a / WIDTH], self.flags[b / WIDTH]);
        self.flags[a / WIDTH].take(a, new, b);
        self.flags[b / WIDTH].take(b, old, a);
    }
}

#[inline]
pub(super) fn bit(slot: usize) -> u16 {
    1 << (slot % WIDTH)
}

impl Flags {
    /// Takes the bits of slot `from` in `other` for slot `to` here.
    #[inline]
    fn take(&mut self, to: usize, other: Self, from: usize) {
        let move_bit = |mine: u16, theirs: u16| {
            let value = if theirs & bit(from) != 0 { bit(to) } else { 0 };
            mine & !bit(to) | value
        };
        self.fresh = move_bit(self.fresh, other.fresh);
        self.cut = move_bit(self.cut, other.cut);
        self.plain = 0;
    }
}
