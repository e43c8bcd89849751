//! Why is a block, a seat, an entity or a tick refused?

use core::fmt;

use super::MAX_SCALE;
use super::offsets::{LINE, MAX_READERS, VERSION};
use crate::SettingError;

/// Memory or a file that is not a usable block.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        found: u32,
    },
    /// It has features that this version of the library does not know.
    Features {
        /// Its feature bits.
        found: u32,
    },
    /// Its header asks for a shape that cannot work.
    Shape(SettingError),
    /// A word of its header does not follow from the shape.
    Contradiction {
        /// Where the word is.
        offset: usize,
        /// What the header says.
        found: u32,
        /// What follows from the shape.
        expected: u32,
    },
    /// Longer or shorter than its header says.
    Length {
        /// How long it is.
        bytes: usize,
        /// What follows from the header.
        expected: usize,
    },
    /// Its directory is not one that a writer can go on from.
    Directory {
        /// The offending word.
        found: u32,
    },
    /// The memory does not start on a multiple of 64.
    Alignment {
        /// Where it starts.
        address: usize,
    },
    /// Positions are f64 and f32 was asked for, or the other way round.
    Positions {
        /// Whether those of the block are f64.
        f64_positions: bool,
    },
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { bytes, needs } => {
                write!(f, "{bytes} bytes are not a block: the header alone has {needs}")
            }
            Self::Magic { found } => {
                write!(
                    f,
                    "this is not a block: it begins with \"{}\", not \"PORTMNTO\"",
                    found.escape_ascii()
                )
            }
            Self::Version { found } => write!(
                f,
                "the block has layout version {found}, this library reads {VERSION}: update the older side"
            ),
            Self::Features { found } => {
                write!(f, "the block has features this library does not know ({found:#x}): update this side")
            }
            Self::Shape(error) => write!(f, "the block's header is damaged: {error}"),
            Self::Contradiction { offset, found, expected } => write!(
                f,
                "the block's header is damaged: the word at {offset} is {found}, the others need {expected}"
            ),
            Self::Length { bytes, expected } => {
                write!(
                    f,
                    "the block has {bytes} bytes, its header says {expected}: it was cut short or padded"
                )
            }
            Self::Directory { found } => {
                write!(f, "the block's directory is damaged ({found:#x}): replace the block with a new one")
            }
            Self::Alignment { address } => write!(
                f,
                "the memory of a block starts at {address:#x}, {} bytes past a multiple of {LINE}: \
                 give memory that starts on one",
                address % LINE
            ),
            Self::Positions { f64_positions: true } => {
                f.write_str("the block has f64 positions: ask for a writer or reader of Pose64")
            }
            Self::Positions { f64_positions: false } => {
                f.write_str("the block has f32 positions: ask for a writer or reader of Pose")
            }
        }
    }
}

impl core::error::Error for BlockError {}

/// Attaching to a block failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum AttachError {
    /// The block has a writer that lives.
    WriterLives,
    /// Every seat has a reader that lives.
    NoSeat {
        /// How many seats the block has.
        seats: usize,
    },
    /// The memory is not a usable block.
    Block(BlockError),
    /// A block of this shape, or such a playhead, cannot work.
    Setting(SettingError),
    /// The file is not a usable block.
    #[cfg(all(feature = "process", not(loom)))]
    File {
        /// Which file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        error: BlockError,
    },
    /// The file was replaced by another since it was opened, or removed.
    #[cfg(all(feature = "process", not(loom)))]
    Replaced {
        /// Which file.
        path: std::path::PathBuf,
    },
    /// The operating system refused.
    #[cfg(all(feature = "process", not(loom)))]
    Os {
        /// Which file.
        path: std::path::PathBuf,
        /// What it answered.
        error: std::io::Error,
    },
}

impl fmt::Display for AttachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WriterLives => {
                f.write_str("the block has a living writer: end it first, or use another block")
            }
            Self::NoSeat { seats } => write!(
                f,
                "all {seats} seats have a living reader: create the block for more (at most {MAX_READERS})"
            ),
            Self::Block(error) => error.fmt(f),
            Self::Setting(error) => error.fmt(f),
            #[cfg(all(feature = "process", not(loom)))]
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            #[cfg(all(feature = "process", not(loom)))]
            Self::Replaced { path } => {
                write!(f, "{}: the file was replaced by another or removed: open it again", path.display())
            }
            #[cfg(all(feature = "process", not(loom)))]
            Self::Os { path, error } => {
                write!(f, "{}: {error}", path.display())?;
                if error.kind() == std::io::ErrorKind::PermissionDenied {
                    f.write_str(
                        ": readers too need permission to write, because they mark what they are reading",
                    )?;
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for AttachError {}

impl From<BlockError> for AttachError {
    fn from(error: BlockError) -> Self {
        Self::Block(error)
    }
}

impl From<SettingError> for AttachError {
    fn from(error: SettingError) -> Self {
        Self::Setting(error)
    }
}

/// Why a call of a [`Writer`](super::Writer) failed. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum WriteError {
    /// Every row of the table is taken.
    Full {
        /// How many rows there are.
        capacity: usize,
    },
    /// There is no entity with this id.
    Unknown {
        /// The id that was given.
        id: u64,
    },
    /// A number of the pose is NaN or infinite.
    Pose {
        /// The entity that it was meant for.
        id: u64,
        /// The first such number.
        number: f64,
    },
    /// The block has no such column.
    Column {
        /// The column that was asked for.
        column: usize,
        /// How many there are of this kind.
        columns: usize,
    },
    /// The publishing time is NaN or infinite.
    Now(f64),
    /// The simulation time is NaN or infinite.
    Simulated(f64),
    /// The time scale is negative, NaN or above a million.
    Scale(f64),
    /// Simulation time must not go back within a run.
    Backward {
        /// The time that was given.
        simulated: f64,
        /// The time of the tick before.
        newest: f64,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { capacity } => {
                write!(f, "all {capacity} rows are taken: remove an entity or create a larger block")
            }
            Self::Unknown { id } => write!(f, "there is no entity {id}: give it a pose first, with set"),
            Self::Pose { id, number } => {
                write!(f, "a number of the pose of entity {id} is {number}: give finite numbers")
            }
            Self::Column { column, columns } => write!(
                f,
                "there is no column {column}: the block has {columns} of this kind; \
                 set f32_columns or u32_columns of its Shape"
            ),
            Self::Now(now) => write!(f, "published at {now} s: give a finite reading of the shared clock"),
            Self::Simulated(simulated) => {
                write!(f, "simulation time {simulated} s: give a finite number of seconds")
            }
            Self::Scale(scale) => write!(f, "time scale {scale}: give a number from 0 to {MAX_SCALE}"),
            Self::Backward { simulated, newest } => write!(
                f,
                "simulation time {simulated} s is before that of the newest tick ({newest} s): \
                 to go back, drop this writer and make another"
            ),
        }
    }
}

impl core::error::Error for WriteError {}
