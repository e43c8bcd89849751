//! How is a batch built, and what does it refuse?

#[cfg(doc)]
use super::{Batch, Frame};
use super::{Gone, Kernel};
use core::fmt;

/// How a batch is built; see [`Batch::with`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// How many ticks are kept: 2 to 16. More than two only for the `even` gate. Default `2`.
    pub ends: usize,
    /// Also keep what was drawn in the frame before, for [`Frame::seen`] (motion vectors). Costs two more
    /// buffers of memory, and one more to be written in every frame. Default `false`.
    pub remember_views: bool,
    /// Which kernel runs. Not part of a save: another processor may read it. Default [`Kernel::widest`].
    #[cfg_attr(feature = "serde", serde(skip, default = "Kernel::widest"))]
    pub kernel: Kernel,
}

impl Default for Settings {
    fn default() -> Self {
        Self { ends: 2, remember_views: false, kernel: Kernel::widest() }
    }
}

/// A number of ends that no batch can keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadEnds(
    /// The number.
    pub usize,
);

impl fmt::Display for BadEnds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a batch cannot keep {} ends: it draws between two ticks, and keeps 2 to 16", self.0)
    }
}

impl core::error::Error for BadEnds {}

/// Why a pose was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// The handle names nothing.
    Gone(Gone),
    /// A pose can only be pushed in a tick.
    NoTick,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Gone(gone) => gone.fmt(f),
            Self::NoTick => write!(
                f,
                "push outside a tick: call tick() first, once for all poses (or correct() to change the newest one)"
            ),
        }
    }
}

impl core::error::Error for Refused {}

impl From<Gone> for Refused {
    fn from(gone: Gone) -> Self {
        Self::Gone(gone)
    }
}
