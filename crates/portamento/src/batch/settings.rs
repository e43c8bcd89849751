//! How is a batch built, and what does it refuse?

use super::Kernel;
#[cfg(doc)]
use super::{Batch, BatchFrame};
use crate::track::ReconcileSettings;

/// How a batch is built; see [`Batch::with_settings`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BatchSettings {
    /// How many ticks are kept: 2 to 16. More than two only for the `even` gate. Default `2`.
    pub ends: usize,
    /// Also keep what was drawn in the frame before, for [`BatchFrame::drawn`] (motion vectors). Costs two more
    /// buffers of memory, and one more to be written in every frame. Default `false`.
    pub remember_views: bool,
    /// How [`Batch::reconcile`] hides corrections. The default is that of a
    /// [`PredictedTrack`](crate::track::PredictedTrack).
    #[cfg_attr(feature = "serde", serde(default))]
    pub reconcile: ReconcileSettings,
    /// After a [`Batch::restore`], what differs from before glides, as in a
    /// [`PredictedTrack`](crate::track::PredictedTrack), instead of being drawn at once. Views are then remembered too,
    /// and the first frame after a restore checks every pose by itself: for hundreds of poses, not for a hundred
    /// thousand. Default `false`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub glide_after_restore: bool,
    // Which kernel runs. Not part of a save: another processor may read it. Only benchmarks and parity tests choose one.
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(skip, default = "Kernel::widest"))]
    pub kernel: Kernel,
}

impl Default for BatchSettings {
    fn default() -> Self {
        Self {
            ends: 2,
            remember_views: false,
            reconcile: ReconcileSettings::default(),
            glide_after_restore: false,
            kernel: Kernel::widest(),
        }
    }
}
