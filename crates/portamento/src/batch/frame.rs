//! What does a frame draw, and in which form?

use super::{
    BatchError, BatchHandle, BatchPose, WIDTH,
    dispatch::{Instructions, Job, Narrow},
    kernel::{self, Apart, Weights},
    store::{Batch, Flags, bit},
    tile::Tile,
};
use crate::Drawn;
use crate::{
    blend::{ARRIVED, NlerpWeights},
    step::Moment,
};
use core::{array::from_mut, fmt, marker::PhantomData};

/// What is written for each pose. All numbers are f32, pose after pose without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputForm {
    /// The pose's own numbers: position, rotation and scale, if it has one. 7 for a pose, 10 with a scale, 4 in
    /// the plane.
    Poses,
    /// Its position alone: 3 numbers, 2 in the plane.
    Positions,
    /// A 3x4 matrix, row after row, 12 numbers: three columns of rotation (and scale), then the translation.
    Matrices3x4,
    /// A 4x4 matrix, column after column, 16 numbers: what most shading languages take.
    Matrices4x4,
}

/// Which ticks a frame draws between, and how.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pass {
    /// One tick, unblended.
    At { age: usize },
    /// Between two.
    Between { from: usize, to: usize, alpha: f64, weights: Weights },
    /// Beyond the newest.
    Beyond { ticks: f64 },
}

impl Pass {
    pub fn new(moment: Moment, ends: usize) -> Self {
        if moment.beyond() > 0.0 {
            return Self::Beyond { ticks: moment.beyond() };
        }
        let oldest = ends - 1;
        let to = (moment.back() as usize).min(oldest);
        let from = (to + 1).min(oldest);
        let alpha = moment.alpha();
        let line = alpha as f32;
        if !(line > 0.0) || from == to {
            return Self::At { age: from };
        }
        if line >= ARRIVED {
            return Self::At { age: to };
        }
        Self::Between { from, to, alpha, weights: Weights { line, curve: NlerpWeights::new(alpha) } }
    }

    pub fn ages(&self) -> (usize, usize) {
        match *self {
            Self::At { age } => (age, age),
            Self::Between { from, to, .. } => (from, to),
            Self::Beyond { .. } => (1, 0),
        }
    }

    /// One pose, as a track would draw it.
    pub fn one<P: BatchPose>(&self, from: &P::Tile, to: &P::Tile, lane: usize) -> P {
        let (a, b) = (P::take(from, lane), P::take(to, lane));
        match *self {
            Self::At { .. } => b,
            // What rests keeps its bits, whatever they are.
            _ if P::same(from, to, lane) => b,
            Self::Between { alpha, .. } => a.blend(&b, alpha),
            Self::Beyond { ticks } => a.extrapolate(&b, ticks),
        }
    }

    /// Some tiles together.
    #[inline(always)]
    fn tiles<P: BatchPose, const K: usize>(&self, ends: Ends<P, K>, out: &mut [P::Tile; K]) {
        match self {
            // A tile that is left over is not worth another copy of the steps.
            Self::Between { weights, to, .. } if K == BLOCK && ends.plain(*to) => {
                self.steps::<P, K, false>(ends, out, weights);
            }
            Self::Between { weights, .. } => self.steps::<P, K, true>(ends, out, weights),
            _ => self.without_kernel::<P>(ends.from, ends.to, out),
        }
    }

    #[inline(always)]
    fn steps<P: BatchPose, const K: usize, const LOOK: bool>(
        &self,
        Ends { from, to, .. }: Ends<P, K>,
        out: &mut [P::Tile; K],
        weights: &Weights,
    ) {
        let mut apart = [Apart::NONE; K];
        let mut length2 = [Tile::<1>::BLANK; K];
        for i in 0..K {
            P::measure(&from[i], &to[i], weights, &mut apart[i]);
        }
        for i in 0..K {
            P::mix::<LOOK>(&from[i], &to[i], &mut out[i], &apart[i], &mut length2[i].0[0]);
        }
        for i in 0..K {
            if !P::finish::<LOOK>(&from[i], &to[i], &mut out[i], weights, &length2[i].0[0]) {
                self.one_by_one::<P>(&from[i], &to[i], &mut out[i]);
            }
        }
    }

    /// The same, of the positions alone; whatever else is in the tiles is of no use.
    #[inline(always)]
    fn positions<P: BatchPose, const K: usize>(
        &self,
        Ends { from, to, .. }: Ends<P, K>,
        out: &mut [P::Tile; K],
    ) {
        let Self::Between { weights, .. } = self else { return self.without_kernel::<P>(from, to, out) };
        for i in 0..K {
            if !P::blend_positions(&from[i], &to[i], &mut out[i], weights) {
                self.one_by_one::<P>(&from[i], &to[i], &mut out[i]);
            }
        }
    }

    #[inline(never)]
    fn without_kernel<P: BatchPose>(&self, from: &[P::Tile], to: &[P::Tile], out: &mut [P::Tile]) {
        if let Self::At { .. } = self {
            return out.copy_from_slice(to);
        }
        for ((from, to), out) in from.iter().zip(to).zip(out) {
            self.one_by_one::<P>(from, to, out);
        }
    }

    #[cold]
    #[inline(never)]
    fn one_by_one<P: BatchPose>(&self, from: &P::Tile, to: &P::Tile, out: &mut P::Tile) {
        for lane in 0..WIDTH {
            self.one::<P>(from, to, lane).put(out, lane);
        }
    }
}

/// One frame of a batch: what moved since the last one, to be written where you need it.
#[derive(Clone, Copy)]
#[must_use = "a frame tells once what moved"]
pub struct BatchFrame<'a, P: BatchPose> {
    pub(super) batch: &'a Batch<P>,
    pub(super) moved: usize,
    pub(super) pass: Pass,
}

impl<P: BatchPose> fmt::Debug for BatchFrame<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("BatchFrame")
            .field("moved", &self.moved)
            .field("pass", &self.pass)
            .finish_non_exhaustive()
    }
}

impl<'a, P: BatchPose> BatchFrame<'a, P> {
    /// Returns the poses that look different than in the frame before, in the order in which they are written.
    #[inline]
    #[must_use]
    pub fn moved(&self) -> &'a [BatchHandle] {
        &self.batch.owners[..self.moved]
    }

    /// Returns the view of one pose, moved or not.
    pub fn view(&self, handle: BatchHandle) -> Result<P, BatchError> {
        let slot = self.batch.directory.slot(handle)?;
        if let Some(glide) = self.batch.glides.get(handle) {
            return Ok(glide.drawn());
        }
        let (from, to) = self.pass.ages();
        let tile = slot / WIDTH;
        Ok(self.pass.one(&self.batch.end(from)[tile], &self.batch.end(to)[tile], slot % WIDTH))
    }

    /// Returns the view of one pose with the one before it; `None` unless the batch remembers views
    /// ([`BatchSettings::remember_views`](super::BatchSettings::remember_views)).
    pub fn drawn(&self, handle: BatchHandle) -> Result<Option<Drawn<P>>, BatchError> {
        let slot = self.batch.directory.slot(handle)?;
        let now = self.view(handle)?;
        if !self.batch.settings.remember_views {
            return Ok(None);
        }
        if slot >= self.moved {
            return Ok(Some(Drawn { now, before: now, cut: false }));
        }
        let before = P::take(&self.batch.views[1][slot / WIDTH], slot % WIDTH);
        let cut = self.batch.flags[slot / WIDTH].cut_shown & bit(slot) != 0;
        Ok(Some(Drawn { now, before, cut }))
    }

    // Writes what moved as tiles, in the order of `moved`; returns how many. The last may be filled up with poses that
    // did not move, or with unspecified values. Benchmarks measure the kernels by it, without the way to other layouts.
    #[doc(hidden)]
    pub fn tiles(&self, out: &mut [P::Tile]) -> Result<usize, BatchError> {
        let needed = self.moved.div_ceil(WIDTH);
        let given = out.len();
        let out = out.get_mut(..needed).ok_or(BatchError::BufferTooShort { needed, given })?;
        self.blend_tiles(0, out);
        Ok(needed)
    }

    /// Blends from tile `first` on, until `out` is full.
    pub(super) fn blend_tiles(&self, first: usize, out: &mut [P::Tile]) {
        let sources = self.sources(first, first + out.len());
        self.batch.settings.kernel.run(Blend::<P> { sources, pass: &self.pass, out: &mut *out });
        for (slot, pose) in self.gliding(first, out.len()) {
            pose.put(&mut out[slot / WIDTH - first], slot % WIDTH);
        }
    }

    /// The slots that glide, with what is drawn there, in `tiles` tiles from `first` on.
    fn gliding(&self, first: usize, tiles: usize) -> impl Iterator<Item = (usize, P)> {
        let batch = self.batch;
        batch
            .glides
            .slots(first, tiles)
            .map(|slot| (slot, batch.glides.get(batch.owners[slot]).expect("what is marked glides").drawn()))
    }

    /// Writes again what glides, sixteen at a time, over what the kernel has written.
    #[cold]
    fn write_gliding<R: Rows<P>>(&self, first: usize, out: &mut [f32]) {
        let (rows, _) = out.split_at_mut(out.len() / R::FLOATS * R::FLOATS);
        let tiles = rows.len().div_ceil(WIDTH * R::FLOATS);
        let mut all = self.gliding(first, tiles);
        let (mut tile, mut places) = (P::BLANK, [0; WIDTH]);
        loop {
            let mut count = 0;
            for (slot, pose) in all.by_ref().take(WIDTH) {
                pose.put(&mut tile, count);
                places[count] = (slot - first * WIDTH) * R::FLOATS;
                count += 1;
            }
            let mut numbers = [0.0; WIDTH * 16];
            R::write::<Narrow>(&tile, &mut numbers[..WIDTH * R::FLOATS]);
            for (numbers, &place) in numbers.chunks_exact(R::FLOATS).zip(&places[..count]) {
                if let Some(row) = rows.get_mut(place..place + R::FLOATS) {
                    row.copy_from_slice(numbers);
                }
            }
            if count < WIDTH {
                return;
            }
        }
    }

    /// Writes what moved, one after the other in the order of [`moved`](BatchFrame::moved): a list to upload. Returns how
    /// many poses were written.
    ///
    /// ```
    /// use portamento::{Moment, batch::{Batch, OutputForm}, blend::Pose};
    /// let mut batch = Batch::<Pose>::new();
    /// batch.insert(Pose::at([1.0, 2.0, 3.0]));
    /// let mut positions = vec![0.0; 3 * batch.rows()];
    /// let moved = batch.frame(Moment::at(0.5, 0.0)).write(OutputForm::Positions, &mut positions)?;
    /// assert_eq!(positions[..3 * moved], [1.0, 2.0, 3.0]);
    /// # Ok::<(), portamento::batch::BatchError>(())
    /// ```
    pub fn write(&self, form: OutputForm, out: &mut [f32]) -> Result<usize, BatchError> {
        let out = self.buffer(self.moved, form, out)?;
        self.write_tiles(form, 0, out);
        Ok(self.moved)
    }

    /// Writes what moved, each pose at the row of its [`BatchHandle::index`]. Returns how many poses were written.
    ///
    /// For a buffer that you keep, with [`Batch::rows`] rows: rows of what did not move, or was removed, are left alone.
    /// Fill a new buffer after [`Batch::redraw`].
    ///
    /// ```
    /// use portamento::{Moment, batch::{Batch, OutputForm}, blend::Pose};
    /// let mut batch = Batch::<Pose>::new();
    /// let handle = batch.insert(Pose::at([1.0, 2.0, 3.0]));
    /// let mut positions = vec![0.0; 3 * batch.rows()];
    /// batch.frame(Moment::at(0.5, 0.0)).write_rows(OutputForm::Positions, &mut positions)?;
    /// assert_eq!(positions[3 * handle.index()..][..3], [1.0, 2.0, 3.0]);
    /// # Ok::<(), portamento::batch::BatchError>(())
    /// ```
    pub fn write_rows(&self, form: OutputForm, out: &mut [f32]) -> Result<usize, BatchError> {
        let out = self.buffer(self.batch.rows(), form, out)?;
        self.scatter(form, out);
        Ok(self.moved)
    }

    /// As much of `out` as `rows` poses take.
    pub(super) fn buffer<'b>(
        &self,
        rows: usize,
        form: OutputForm,
        out: &'b mut [f32],
    ) -> Result<&'b mut [f32], BatchError> {
        let needed = rows * form.floats::<P>();
        let given = out.len();
        out.get_mut(..needed).ok_or(BatchError::BufferTooShort { needed, given })
    }

    // Writes one after the other, from tile `first` on, until `out` is full. Public for bindings, which write into arrays
    // with gaps, some tiles at a time.
    #[doc(hidden)]
    pub fn write_tiles(&self, form: OutputForm, first: usize, out: &mut [f32]) {
        match form {
            OutputForm::Poses => self.write_as::<Poses>(first, out),
            OutputForm::Positions => self.write_as::<Positions>(first, out),
            OutputForm::Matrices3x4 => self.write_as::<Matrices3x4>(first, out),
            OutputForm::Matrices4x4 => self.write_as::<Matrices4x4>(first, out),
        }
    }

    #[inline]
    fn write_as<R: Rows<P>>(&self, first: usize, out: &mut [f32]) {
        let tiles = out.len().div_ceil(WIDTH * R::FLOATS);
        let (sources, pass) = (self.sources(first, first + tiles), &self.pass);
        self.batch.settings.kernel.run(Write::<P, R> { sources, pass, out: &mut *out, rows: PhantomData });
        if !self.batch.glides.is_empty() {
            self.write_gliding::<R>(first, out);
        }
    }

    /// Writes each pose at its own row.
    fn scatter(&self, form: OutputForm, out: &mut [f32]) {
        let floats = form.floats::<P>();
        let mut rows = [0.0; SCATTERED * 16];
        let mut done = 0;
        while let Some(&next) = self.moved().get(done) {
            let blocks = self.moved()[done..].chunks(SCATTERED);
            let in_a_row: usize = blocks
                .clone()
                .zip((next.index()..).step_by(SCATTERED))
                .take_while(|(handles, first)| are_rows_from(*first, handles))
                .map(|(handles, _)| handles.len())
                .sum();
            if in_a_row > 0 {
                let out = &mut out[next.index() * floats..][..in_a_row * floats];
                self.write_tiles(form, done / WIDTH, out);
                done += in_a_row;
                continue;
            }
            let handles = blocks.into_iter().next().expect("there is a next one");
            let rows = &mut rows[..handles.len() * floats];
            self.write_tiles(form, done / WIDTH, rows);
            done += handles.len();
            // Copies of a length known in advance, for every length there is.
            match floats {
                2 => place::<2>(rows, handles, out),
                3 => place::<3>(rows, handles, out),
                4 => place::<4>(rows, handles, out),
                7 => place::<7>(rows, handles, out),
                10 => place::<10>(rows, handles, out),
                12 => place::<12>(rows, handles, out),
                16 => place::<16>(rows, handles, out),
                _ => unreachable!("no form has {floats} numbers"),
            }
        }
    }

    /// The tiles to blend between.
    fn sources(&self, first: usize, end: usize) -> Sources<'a, P> {
        let (from, to) = self.pass.ages();
        Sources {
            from: &self.batch.end(from)[first..end],
            to: &self.batch.end(to)[first..end],
            flags: &self.batch.flags[first..end],
        }
    }
}

/// Tiles to blend between, and what is known of each.
struct Sources<'a, P: BatchPose> {
    from: &'a [P::Tile],
    to: &'a [P::Tile],
    flags: &'a [Flags],
}

impl<'a, P: BatchPose> Sources<'a, P> {
    /// By `K`; what is left over is left out.
    #[inline(always)]
    fn by<const K: usize>(&self) -> impl Iterator<Item = Ends<'a, P, K>> + use<'a, P, K> {
        let (from, to) = (self.from.as_chunks().0, self.to.as_chunks().0);
        let flags = self.flags.as_chunks().0;
        from.iter().zip(to).zip(flags).map(|((from, to), flags)| Ends { from, to, flags })
    }

    /// Without the first.
    #[inline(always)]
    fn after(&self, first: usize) -> Self {
        Self { from: &self.from[first..], to: &self.to[first..], flags: &self.flags[first..] }
    }
}

/// `K` of them, to go through the kernel's steps together.
struct Ends<'a, P: BatchPose, const K: usize> {
    from: &'a [P::Tile; K],
    to: &'a [P::Tile; K],
    flags: &'a [Flags; K],
}

impl<P: BatchPose, const K: usize> Ends<'_, P, K> {
    /// Whether the kernel need not check what it blends: the ticks of age `to` and the one before were plain.
    #[inline(always)]
    fn plain(&self, to: usize) -> bool {
        self.flags.iter().all(|flags| usize::from(flags.plain) > to + 1)
    }
}

/// Poses that are scattered together: few enough for their numbers to stay in the nearest cache.
const SCATTERED: usize = 4 * WIDTH;

/// Whether the rows follow one another: so they do wherever nothing has come or gone.
fn are_rows_from(first: usize, handles: &[BatchHandle]) -> bool {
    handles.iter().zip(first..).fold(0, |apart, (handle, row)| apart | handle.index() ^ row) == 0
}

fn place<const R: usize>(rows: &[f32], handles: &[BatchHandle], out: &mut [f32]) {
    let (rows, out) = (rows.as_chunks::<R>().0, out.as_chunks_mut::<R>().0);
    for (row, handle) in rows.iter().zip(handles) {
        out[handle.index()] = *row;
    }
}

impl OutputForm {
    /// Returns how many numbers one pose of kind `P` takes.
    #[must_use]
    pub fn floats<P: BatchPose>(self) -> usize {
        match self {
            Self::Poses => P::FLOATS,
            Self::Positions => P::AXES,
            Self::Matrices3x4 => 12,
            Self::Matrices4x4 => 16,
        }
    }
}

/// Tiles that go through the kernel's steps together: enough independent work in each for a processor to have something
/// to do while it waits. Three are no faster, and of four compilers make loops again, which are slower. In
/// WebAssembly one is faster than two, by a seventh.
const BLOCK: usize = if cfg!(target_arch = "wasm32") { 1 } else { 2 };

/// How many tiles ahead of the one being written the caller's buffer is fetched. A processor fetches by itself what is
/// read in order, but waits with what is written until it is written.
const AHEAD: usize = 4;

struct Blend<'a, P: BatchPose> {
    sources: Sources<'a, P>,
    pass: &'a Pass,
    out: &'a mut [P::Tile],
}

impl<P: BatchPose> Job for Blend<'_, P> {
    #[inline(always)]
    fn run<I: Instructions>(self) {
        let (out, last_out) = self.out.as_chunks_mut::<BLOCK>();
        let whole = out.len() * BLOCK;
        for (ends, out) in self.sources.by::<BLOCK>().zip(out) {
            self.pass.tiles(ends, out);
        }
        for (ends, out) in self.sources.after(whole).by::<1>().zip(last_out) {
            self.pass.tiles(ends, from_mut(out));
        }
    }
}

struct Write<'a, P: BatchPose, R> {
    sources: Sources<'a, P>,
    pass: &'a Pass,
    out: &'a mut [f32],
    rows: PhantomData<R>,
}

impl<P: BatchPose, R: Rows<P>> Job for Write<'_, P, R> {
    #[inline(always)]
    fn run<I: Instructions>(self) {
        let floats = WIDTH * R::FLOATS;
        let mut views = [P::BLANK; BLOCK];
        let mut blocks = self.out.chunks_exact_mut(BLOCK * floats);
        let whole = blocks.len() * BLOCK;
        for (ends, out) in self.sources.by::<BLOCK>().zip(&mut blocks) {
            R::blend(self.pass, ends, &mut views);
            for (view, out) in views.iter().zip(out.chunks_exact_mut(floats)) {
                let ahead = out.as_ptr().wrapping_add(AHEAD * floats);
                for line in 0..R::FLOATS {
                    I::fetch(ahead.wrapping_add(line * WIDTH));
                }
                R::write::<I>(view, out);
            }
        }
        let rest = blocks.into_remainder().chunks_mut(floats);
        for (ends, out) in self.sources.after(whole).by::<1>().zip(rest) {
            R::blend(self.pass, ends, from_mut(&mut views[0]));
            let mut rows = [0.0; WIDTH * 16];
            R::write::<I>(&views[0], &mut rows[..floats]);
            out.copy_from_slice(&rows[..out.len()]);
        }
    }
}

/// A form, known when the kernel is compiled: a function that was only called would not get its wide vectors.
trait Rows<P: BatchPose> {
    const FLOATS: usize;

    /// What has to be known of the poses.
    #[inline(always)]
    fn blend<const K: usize>(pass: &Pass, ends: Ends<P, K>, out: &mut [P::Tile; K]) {
        pass.tiles(ends, out);
    }

    /// The sixteen poses of a tile, one after the other.
    fn write<I: Instructions>(tile: &P::Tile, out: &mut [f32]);
}

struct Poses;
struct Positions;
struct Matrices3x4;
struct Matrices4x4;

impl<P: BatchPose> Rows<P> for Poses {
    const FLOATS: usize = P::FLOATS;

    #[inline(always)]
    fn write<I: Instructions>(tile: &P::Tile, out: &mut [f32]) {
        P::poses::<I>(tile, out);
    }
}

impl<P: BatchPose> Rows<P> for Positions {
    const FLOATS: usize = P::AXES;

    #[inline(always)]
    fn blend<const K: usize>(pass: &Pass, ends: Ends<P, K>, out: &mut [P::Tile; K]) {
        pass.positions(ends, out);
    }

    #[inline(always)]
    fn write<I: Instructions>(tile: &P::Tile, out: &mut [f32]) {
        P::positions::<I>(tile, out);
    }
}

impl<P: BatchPose> Rows<P> for Matrices3x4 {
    const FLOATS: usize = 12;

    #[inline(always)]
    fn write<I: Instructions>(tile: &P::Tile, out: &mut [f32]) {
        let mut turned = Tile::BLANK;
        kernel::interleave::<I, 12>(P::matrices(tile, &mut turned.0), out);
    }
}

impl<P: BatchPose> Rows<P> for Matrices4x4 {
    const FLOATS: usize = 16;

    #[inline(always)]
    fn write<I: Instructions>(tile: &P::Tile, out: &mut [f32]) {
        let mut turned = Tile::BLANK;
        let columns = kernel::columns_of_4x4(P::matrices(tile, &mut turned.0));
        kernel::interleave::<I, 16>(columns, out);
    }
}
