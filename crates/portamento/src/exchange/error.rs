//! Why is a block, a seat or a tick refused?

use core::fmt;

use super::layout::{MAX_SUBSCRIBERS, ShapeError, VERSION};

/// A block that is not taken, whoever wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockError {
    /// Shorter than the header alone.
    TooShort {
        /// How long it is.
        bytes: usize,
        /// How long a header is.
        needs: usize,
    },
    /// It does not begin as a block does.
    Magic {
        /// Its first eight bytes.
        found: [u8; 8],
    },
    /// Another version of the layout.
    Version {
        /// Its version.
        found: u64,
    },
    /// Its header asks for a shape that cannot be.
    Shape(ShapeError),
    /// A number in its header does not follow from the shape.
    Contradiction {
        /// Which number.
        what: &'static str,
        /// What the header says.
        found: u64,
        /// What follows from the shape.
        expected: u64,
    },
    /// Longer or shorter than its header says.
    Length {
        /// How long it is.
        bytes: usize,
        /// What follows from the header.
        expected: usize,
    },
    /// Its directory is not one that a publisher can go on from.
    Directory {
        /// The offending word.
        found: u64,
    },
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { bytes, needs } => {
                write!(f, "{bytes} bytes are no block: the header alone has {needs}")
            }
            Self::Magic { found } => {
                write!(f, "this is no block: it begins with \"{}\", not \"PORTMNTO\"", found.escape_ascii())
            }
            Self::Version { found } => {
                write!(
                    f,
                    "the block has layout version {found}, this library reads {VERSION}: update the older side"
                )
            }
            Self::Shape(error) => write!(f, "the block's header is nonsense: {error}"),
            Self::Contradiction { what, found, expected } => {
                write!(f, "the block's header contradicts itself: {found} {what}, its shape has {expected}")
            }
            Self::Length { bytes, expected } => {
                write!(
                    f,
                    "the block has {bytes} bytes, its header says {expected}: it was cut short or padded"
                )
            }
            Self::Directory { found } => {
                write!(f, "the block's directory is nonsense ({found:#x}): replace the block with a new one")
            }
        }
    }
}

impl core::error::Error for BlockError {}

/// Somebody cannot take part in an exchange.
#[derive(Debug)]
#[non_exhaustive]
pub enum AttachError {
    /// The block has a publisher that lives.
    PublisherLives,
    /// Every seat has a subscriber that lives.
    NoSeat {
        /// How many seats the block has.
        seats: usize,
    },
    /// The block is not usable.
    BlockError(BlockError),
    /// A block of this shape cannot be created.
    Shape(ShapeError),
    /// The file was replaced by another since it was opened.
    Replaced,
    /// The operating system refused.
    #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
    Os(std::io::Error),
}

impl fmt::Display for AttachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PublisherLives => {
                f.write_str("the block has a living publisher: end it first, or use another block")
            }
            Self::NoSeat { seats } => write!(
                f,
                "all {seats} seats have a living subscriber: create the block for more (at most {MAX_SUBSCRIBERS})"
            ),
            Self::BlockError(refused) => refused.fmt(f),
            Self::Shape(error) => error.fmt(f),
            Self::Replaced => f.write_str("the block's file was replaced by another: open it again"),
            #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
            Self::Os(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for AttachError {}

impl From<BlockError> for AttachError {
    fn from(refused: BlockError) -> Self {
        Self::BlockError(refused)
    }
}

impl From<ShapeError> for AttachError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

#[cfg(all(feature = "process", target_os = "linux", not(loom)))]
impl From<std::io::Error> for AttachError {
    fn from(error: std::io::Error) -> Self {
        Self::Os(error)
    }
}

/// There is nothing to read just now.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoTick {
    /// Nothing readable was ever published here.
    Empty,
    /// The publisher replaced the ticks faster than they could be claimed.
    Overtaken {
        /// How often it was tried.
        attempts: u32,
    },
    /// The time asked for is NaN.
    Time(f64),
}

impl fmt::Display for NoTick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                f.write_str("no tick was published yet: draw nothing, try again in the next frame")
            }
            Self::Overtaken { attempts } => write!(
                f,
                "the publisher overtook the reader {attempts} times: keep the last frame, or keep more ticks"
            ),
            Self::Time(at) => write!(f, "there is no tick around {at} s: ask for a number"),
        }
    }
}

impl core::error::Error for NoTick {}
