//! Why does a batch refuse a call?

use super::BatchHandle;
#[cfg(doc)]
use super::{Batch, BatchFrame};
use core::fmt;

/// Why a call of a batch failed. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// The handle names no pose of this batch: the pose was removed, or the handle belongs to another batch. The latter
    /// is noticed only where this batch has no pose of the same index and generation.
    StaleHandle(BatchHandle),
    /// A pose can only be pushed in a tick.
    NoTick,
    /// The buffer given to [`BatchFrame::write`] is too short. Write again with a longer one in this frame, or call
    /// [`Batch::redraw`] before a later one: what moved in this frame is not reported again.
    BufferTooShort {
        /// How many numbers would be written.
        needed: usize,
        /// How many fit into the buffer.
        given: usize,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::StaleHandle(handle) => write!(
                f,
                "no pose has handle {} of generation {}: it was removed, or belongs to another batch",
                handle.index(),
                u64::from(*handle) >> 32
            ),
            Self::NoTick => f.write_str(
                "push outside a tick: call tick() first, once for all poses (or correct() to change the newest one)",
            ),
            Self::BufferTooShort { needed, given } => {
                write!(f, "the buffer has room for {given} floats and {needed} are needed: make it longer")
            }
        }
    }
}

impl core::error::Error for BatchError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_says_what_to_do() {
        assert_eq!(
            BatchError::NoTick.to_string(),
            "push outside a tick: call tick() first, once for all poses (or correct() to change the newest one)"
        );
    }
}
