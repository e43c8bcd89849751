//! The same on all cores of a caller's thread pool?
//!
//! Every pose is computed by itself, so it does not matter which thread does it: any number of threads gives
//! the same bits. Call these inside `pool.install(..)` to use a pool of your own.

use super::{BatchError, BatchFrame, BatchPose, OutputForm, WIDTH};
use rayon::{iter::IndexedParallelIterator as _, iter::ParallelIterator as _, slice::ParallelSliceMut as _};

/// Tiles that a thread takes at once: some tens of kilobytes, enough to forget the cost of taking them.
const SHARE: usize = 64;

impl<P: BatchPose> BatchFrame<'_, P> {
    /// Does what [`BatchFrame::write`] does, on rayon's threads.
    pub fn par_write(&self, form: OutputForm, out: &mut [f32]) -> Result<usize, BatchError> {
        let out = self.buffer(self.moved, form, out)?;
        out.par_chunks_mut(SHARE * WIDTH * form.floats::<P>())
            .enumerate()
            .for_each(|(i, out)| self.write_tiles(form, i * SHARE, out));
        Ok(self.moved)
    }
}
