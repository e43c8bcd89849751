//! Hands whole ticks to another thread, process or worker, through shared memory and without locks.
//!
//! How does a tick reach the other side? A [`Writer`] simulates, up to 16 [`Reader`]s draw, and between them lies one block of memory that holds
//! the last few complete ticks. The writer never waits. A reader never waits for the writer, and what it draws is
//! always of whole ticks: timing, entity table and poses together.
//!
//! ```
//! use portamento::blend::Pose;
//! use portamento::exchange::{self, Shape};
//! use portamento::step::Stepper;
//!
//! // 500 entities, 60 ticks per second.
//! let (mut writer, mut reader) = exchange::pair(Shape::entities(500), 60.0)?;
//! let start = std::time::Instant::now(); // a clock that both sides share
//!
//! let simulation = std::thread::spawn(move || {
//!     let mut stepper = Stepper::fixed(60.0)?;
//!     let mut x = 0.0;
//!     for _ in 0..20 {
//!         let now = start.elapsed().as_secs_f64();
//!         for tick in stepper.frame_at(now).ticks {
//!             x += 10.0 * tick.dt as f32; // your simulation
//!         }
//!         writer.set(7, Pose::at([x, 0.0, 0.0]))?;
//!         writer.publish(now, &stepper)?;
//!         std::thread::sleep(std::time::Duration::from_millis(4));
//!     }
//!     Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
//! });
//!
//! // The thread that draws, in every frame:
//! while !simulation.is_finished() {
//!     if let Some(world) = reader.frame(start.elapsed().as_secs_f64()) {
//!         for entity in world.entities() {
//!             println!("draw {} at {:?}", entity.id, entity.pose.position);
//!         }
//!     }
//!     std::thread::sleep(std::time::Duration::from_millis(7));
//! }
//! # simulation.join().unwrap().map_err(|error| error.to_string())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What travels
//! Of each entity: its id, its pose, 32 bits of flags, and as many f32 and u32 numbers as the [`Shape`] declares
//! (health, an animation's weight). Positions are f32, or f64 for large worlds ([`Pose64`]).
//! Of each tick: the moment of the simulation it stands for, when it was published, and how fast the simulation's clock
//! runs. Slow motion and pause thus reach the picture with the first tick that reports them.
//!
//! # A camera
//! [`WorldFrame::draw`] gives one entity with the frame before, as a [`Track`](crate::Track) does; a camera takes it
//! together with the frame.
//!
//! # Between processes
//! The feature `process` (Linux) puts the same block into a memory-mapped file: `Exchange::create_file`,
//! `Exchange::open_file`. Every side may start late, die at any moment and come back; those functions and the example
//! `two_processes` show how. `machine_seconds` reads the clock that all processes share, and `Reader::wait` sleeps until
//! the next tick. (If these pages do not have them: `cargo doc -p portamento --features process`.)
//!
//! # One clock
//! `now` is read from the same clock on both sides. Between threads take one `Instant` and copy it to both; two of them,
//! each taken when its side started, are two clocks, and the picture becomes uneven or late. A [`TickStamp::age`] of
//! many seconds, or of 0 in every frame, is a sign of it.
//!
//! # Between languages
//! The block is an open format: [`layout`] describes it and the protocol, completely enough to write a reader or a
//! writer in another language. [`Exchange::create_in`] and [`Exchange::open_in`] use memory that you bring.
//!
//! # Events
//! | event | consequence |
//! |---|---|
//! | no tick was published yet | [`Reader::frame`] returns `None` |
//! | a reader is slow | it finds newer ticks; [`ReaderCounts::missed`] counts those it never saw |
//! | a reader dies while it reads | the writer goes on with its spare slots; the next reader on the seat clears the claims |
//! | the writer dies while it writes | the tick it wrote was never in the directory: the last complete ticks stay readable |
//! | the writer is gone | [`TickStamp::age`] grows; [`Reader::writer`] reports whether it ended properly |
//! | a new writer begins | same block, higher [`TickStamp::run`]; ticks of two runs are never blended |
//! | a row of the table is reused | the generation differs: nothing is blended, the new entity starts at its first pose |
//! | one entity or reader too many | [`WriteError::Full`], [`AttachError::NoSeat`]; nothing else changes |
//! | a block of another version or size, or a damaged one | [`BlockError`] names the reason; damage that appears later is ignored and counted |
//!
//! # When not to use this
//! Where both sides run in one loop, a [`Track`](crate::Track) is enough. Where every message counts, use a queue: here
//! the newest wins. A process that writes into a mapped block against the protocol can give readers wrong numbers, and
//! one that shortens the file ends them by a signal: new files are writable for their owner only.

mod block;
mod error;
#[cfg(all(feature = "process", target_os = "linux", not(loom)))]
mod file;
mod memory;
mod offsets;
mod protocol;
mod reader;
mod sync;
mod table;
#[cfg(all(test, not(loom)))]
mod tests;
#[cfg(all(feature = "process", target_os = "linux", not(loom)))]
mod wake;
mod world;
mod writer;

#[doc = include_str!("../../docs/exchange-layout.md")]
pub mod layout {}

use alloc::sync::Arc;

pub use error::{AttachError, BlockError, WriteError};
#[cfg(all(feature = "process", target_os = "linux", not(loom)))]
pub use file::machine_seconds;
pub use offsets::Shape;
pub use reader::{Reader, ReaderCounts};
pub use world::{EntityView, WorldFrame};
pub use writer::{SimulationTime, Writer};

#[cfg(not(loom))]
use crate::SettingError;
use crate::blend::{Blend, NlerpWeights, Pose, Pose64, Rotation};
use crate::playhead::Playhead;
use block::Block;
use memory::Plain;
#[cfg(not(loom))]
use offsets::Layout;
use offsets::{header, seat};
use protocol::{ReadSide, Succession, WriteSide};
use sync::Ordering;

#[cfg(all(feature = "process", target_os = "linux", not(loom)))]
use file::{BlockFile, RecordLock as Lock};

#[cfg(all(feature = "process", not(target_os = "linux")))]
compile_error!("the feature `process` needs Linux: leave it out on other systems (threads need no feature)");

/// Without files there is nothing to lock.
#[cfg(not(all(feature = "process", target_os = "linux", not(loom))))]
#[derive(Debug)]
enum Lock {}

/// No simulation runs faster than this many times real time.
const MAX_SCALE: f64 = 1e6;

/// Creates a writer for the thread that simulates `hz` times per second, and a reader for the thread that draws. For more
/// readers make an [`Exchange`].
///
/// Positions are f32 or, for large worlds, f64, as the poses that you give to the writer: `pair::<Pose64>` where the
/// compiler cannot know. The shape's `f64_positions` need not be set.
///
/// Fails when the shape or the rate cannot work.
#[cfg(not(loom))]
pub fn pair<P: ExchangePose>(shape: Shape, hz: f64) -> Result<(Writer<P>, Reader<P>), SettingError> {
    let playhead = Playhead::at_hz(hz)?;
    let exchange = Exchange::new(Shape { f64_positions: P::IS_F64, ..shape })?;
    let new = "a new block has a writer's place and seats";
    Ok((exchange.writer().expect(new), exchange.reader(playhead).expect(new)))
}

/// A block that a writer and readers share. It is a handle: a clone is the same block.
#[derive(Clone, Debug)]
pub struct Exchange {
    block: Arc<Block>,
    #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
    file: Option<Arc<BlockFile>>,
}

impl Exchange {
    /// Creates a new block on the heap, for threads of one process.
    ///
    /// Fails when the shape cannot work.
    #[cfg(not(loom))]
    pub fn new(shape: Shape) -> Result<Self, SettingError> {
        let layout = Layout::new(shape)?;
        Ok(Self::over(Block::create(sync::Memory::heap(layout.length), layout)))
    }

    #[cfg(not(loom))]
    fn over(block: Block) -> Self {
        Self {
            block: Arc::new(block),
            #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
            file: None,
        }
    }

    /// Creates a new block in memory that you bring: [`Shape::bytes`] bytes from `start` on, whatever is in them.
    ///
    /// # Safety
    /// The following must hold from now until the exchange, its clones and all writers and readers made from it are
    /// dropped. The memory stays valid for reads and writes. All other accesses to it, in this process or another, are
    /// atomic: words of 32 bits, in the columns words of 64 bits (or less, by code in another language). No Rust
    /// reference to it exists. Nothing else may use it before this function returns.
    ///
    /// Fails when the shape cannot work, the memory has another size, or does not start on a multiple of 64.
    #[cfg(not(loom))]
    #[allow(unsafe_code)]
    pub unsafe fn create_in(start: *mut u8, bytes: usize, shape: Shape) -> Result<Self, AttachError> {
        let layout = Layout::new(shape)?;
        if bytes != layout.length {
            return Err(BlockError::Length { bytes, expected: layout.length }.into());
        }
        aligned(start)?;
        // SAFETY: as the caller promises.
        let memory = unsafe { sync::Memory::foreign(start, bytes) };
        Ok(Self::over(Block::create(memory, layout)))
    }

    /// Opens a block in memory that you bring, which another part of your program or another process has made, for
    /// example by [`Exchange::create_in`].
    ///
    /// Here only the words of the block show whether a writer or reader lives. If you know that one died without giving
    /// its place back, see [`take_over`](Exchange::take_over) and [`free_seat`](Exchange::free_seat).
    ///
    /// # Safety
    /// As for [`Exchange::create_in`], except that others may use the memory already, by the protocol or not: a damaged
    /// block gives wrong numbers, never undefined behaviour.
    ///
    /// Fails when it is not a usable block.
    #[cfg(not(loom))]
    #[allow(unsafe_code)]
    pub unsafe fn open_in(start: *mut u8, bytes: usize) -> Result<Self, AttachError> {
        aligned(start)?;
        // SAFETY: as the caller promises.
        let memory = unsafe { sync::Memory::foreign(start, bytes) };
        Ok(Self::over(Block::open(memory)?))
    }

    /// Returns how much the block holds.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.block.layout().shape
    }

    /// The block's address and length, for tests that read it by the [`layout`].
    #[cfg(all(test, not(loom)))]
    fn address(&self) -> (*const u8, usize) {
        (self.block.memory().address(), self.block.layout().length)
    }

    /// Returns the block's writer and begins a new run. Where the compiler cannot know the poses, say `writer::<Pose>()`.
    ///
    /// Fails when the block has a writer that lives, has positions of the other precision, or is damaged.
    pub fn writer<P: ExchangePose>(&self) -> Result<Writer<P>, AttachError> {
        self.check_positions::<P>()?;
        #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
        if let Some(file) = &self.file {
            let (side, floor) = file.writer(&self.block)?;
            return Ok(Writer::new(side, floor));
        }
        Ok(Writer::new(WriteSide::take(Arc::clone(&self.block), Succession::Free)?, 0))
    }

    /// Frees the place of a writer that you know to be dead, so that [`writer`](Exchange::writer) succeeds. In memory
    /// that you brought, only you can know that. Not needed for threads (a writer gives its place back when it is
    /// dropped) and without effect on files (the operating system knows). If the writer lives after all, readers may
    /// draw mixed ticks.
    pub fn take_over(&self) {
        if !self.block.memory().is_file() {
            self.block.word(header::WRITER).store(0, Ordering::Release);
        }
    }

    /// Frees the seat (0..[`Shape::readers`]) of a reader that you know to be dead; otherwise as
    /// [`take_over`](Exchange::take_over).
    pub fn free_seat(&self, seat: usize) {
        if !self.block.memory().is_file() && seat < self.shape().readers {
            protocol::clear(&self.block, seat);
            self.block.word(self.block.layout().seat(seat) + seat::OWNER).store(0, Ordering::Release);
        }
    }

    /// Returns a reader on a free seat of the block. The `playhead` chooses what it draws: [`Playhead::at_hz`] with the writer's tick rate is
    /// right for most. Where the compiler cannot know the poses, say `reader::<Pose>(playhead)`.
    ///
    /// Fails when every seat has a reader that lives (one that was leaked with `mem::forget` counts as living), or the block
    /// has positions of the other precision.
    pub fn reader<P: ExchangePose>(&self, playhead: Playhead) -> Result<Reader<P>, AttachError> {
        self.check_positions::<P>()?;
        #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
        if let Some(file) = &self.file {
            return Ok(Reader::new(file.reader(&self.block)?, playhead));
        }
        let side = ReadSide::take(Arc::clone(&self.block));
        let side = side.ok_or(AttachError::NoSeat { seats: self.shape().readers })?;
        Ok(Reader::new(side, playhead))
    }

    fn check_positions<P: ExchangePose>(&self) -> Result<(), BlockError> {
        let f64_positions = self.shape().f64_positions;
        if f64_positions == P::IS_F64 { Ok(()) } else { Err(BlockError::Positions { f64_positions }) }
    }
}

#[cfg(not(loom))]
fn aligned(start: *mut u8) -> Result<(), BlockError> {
    if start.addr().is_multiple_of(offsets::LINE) {
        Ok(())
    } else {
        Err(BlockError::Alignment { address: start.addr() })
    }
}

/// The poses that a block can hold: [`Pose`] and [`Pose64`].
pub trait ExchangePose: Blend + Copy + PartialEq + core::fmt::Debug + Default + sealed::Sealed {}

mod sealed {
    use super::{NlerpWeights, Plain};

    /// What no one else can implement or call.
    #[allow(missing_docs)]
    pub trait Sealed: Plain {
        const IS_F64: bool;
        /// The first number that is NaN or infinite.
        fn not_finite(&self) -> Option<f64>;
        /// As `blend`, with weights that are the same for all entities.
        fn blend_on(&self, to: &Self, alpha: f64, curve: &NlerpWeights) -> Self;
    }
}

macro_rules! exchange_pose {
    ($pose:ident, $is_f64:literal) => {
        impl ExchangePose for $pose {}

        impl sealed::Sealed for $pose {
            const IS_F64: bool = $is_f64;

            fn not_finite(&self) -> Option<f64> {
                let Rotation { x, y, z, w } = self.rotation;
                let position = self.position.into_iter().map(f64::from);
                position.chain([x, y, z, w].map(f64::from)).find(|number| !number.is_finite())
            }

            #[inline(always)]
            fn blend_on(&self, to: &Self, alpha: f64, curve: &NlerpWeights) -> Self {
                Self {
                    position: self.position.blend(&to.position, alpha),
                    rotation: self.rotation.nlerp_on(to.rotation, curve),
                }
            }
        }
    };
}
exchange_pose!(Pose, false);
exchange_pose!(Pose64, true);

/// Identifies a published tick: its run, its number and its times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickStamp {
    /// The writer's life that it belongs to.
    pub run: u64,
    /// Its number in that life, from 0.
    pub tick: u64,
    /// When it was published, by the clock of the writer: seconds.
    pub published: f64,
    /// The moment of the simulation that it stands for: seconds.
    pub simulated: f64,
    /// Simulated seconds per real second from this tick on: 1 normally, below in slow motion, 0 while paused.
    pub scale: f64,
}

impl TickStamp {
    /// Returns how long ago it was published, if `now` is read from the writer's clock; never negative.
    #[must_use]
    pub fn age(&self, now: f64) -> f64 {
        (now - self.published).max(0.0)
    }
}

/// What a writer last reported of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[non_exhaustive]
pub enum WriterState {
    /// There was no writer yet.
    None = 0,
    /// It publishes, or was killed while it did.
    Publishing = 1,
    /// It ended properly; the last ticks stay readable.
    Closed = 2,
    /// The file was replaced by one of another shape: open it again.
    Replaced = 3,
    /// The block holds a number that means nothing.
    Unknown = u32::MAX,
}

impl WriterState {
    fn from_word(word: u32) -> Self {
        match word {
            0 => Self::None,
            1 => Self::Publishing,
            2 => Self::Closed,
            3 => Self::Replaced,
            _ => Self::Unknown,
        }
    }
}
