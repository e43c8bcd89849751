//! How does a tick reach another thread, process or worker?
//!
//! A [`Publisher`] simulates, up to [`MAX_SUBSCRIBERS`] [`Subscriber`]s draw, and between them lies one block of
//! memory that holds the last few complete ticks. The publisher never waits. A subscriber never waits for the
//! publisher, and what it gets is always of one tick: timing, entity table and poses together.
//!
//! Of each entity there travel its number, a [`Pose`](crate::blend::Pose) and 32 bits of flags: nothing else. What more
//! there is to draw (a turret, a health bar) goes by another way of yours, and lies best in a column of its own, found by
//! [`Entity::row`], which stays the same while an entity lives.
//!
//! ```
//! use portamento::blend::{Pose, Rotation};
//! use portamento::exchange::{Exchange, Shape};
//! use portamento::playhead::Shown;
//!
//! // 100 entities, the last 8 ticks, up to 4 subscribers; this and the publisher allocate, nothing after does.
//! let exchange = Exchange::new(Shape::new(100))?;
//! let mut publisher = exchange.publisher()?;
//! let mut subscriber = exchange.subscriber()?; // moves to the thread that draws
//!
//! let car = publisher.spawn(7, Pose::default())?;
//! publisher.publish(10.000, 0.0)?; // when, by the shared clock, and the simulation time it stands for
//! publisher.set(car, Pose { position: [3.0, 0.0, 0.0], rotation: Rotation::IDENTITY })?;
//! publisher.publish(10.017, 1.0 / 60.0)?;
//!
//! let reading = subscriber.around(Shown::still(1.0 / 120.0))?; // halfway, as a playhead might say
//! let view = reading.views().next().unwrap();
//! assert_eq!((view.id, view.pose.position), (7, [1.5, 0.0, 0.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Which moment to ask for is the question of a [`Playhead`](crate::playhead::Playhead), which
//! [`Subscriber::feed`] keeps informed; see the example `two_threads`. A camera follows one entity by [`Followed`], in
//! the playhead's [moment](crate::playhead::Shown::moment).
//!
//! # Between processes
//! The feature `process` (Linux) puts the same block into a memory-mapped file: `Exchange::create_file`,
//! `Exchange::open_file`. Every side may come late, die at any moment and come back; see there, and the example
//! `two_processes`.
//!
//! # What can happen, and what then
//! | event | consequence |
//! |---|---|
//! | a subscriber is slow | it finds newer ticks; [`ReaderCounts::missed`] says how many went by |
//! | a subscriber dies with claims held | the publisher has spare slots for exactly that; the next subscriber on the seat clears them |
//! | the publisher dies while it writes | the tick it wrote was never in the directory: the last complete ticks stay readable |
//! | the publisher is gone | [`TickStamp::age`] grows; [`Subscriber::publisher`] says whether it ended properly |
//! | a new publisher begins | same block, higher [`TickStamp::run`]; ticks of two runs are never blended |
//! | a row of the table is reused | the generation differs: nothing is blended, the new entity starts at its first pose |
//! | one entity or subscriber too many | [`EntityError::Full`], [`AttachError::NoSeat`]; nothing else changes |
//! | a block of another version, size, or made of nonsense | [`BlockError`] says why; nonsense that appears later is passed over and counted |
//!
//! # When not to use this
//! Where both sides run in one loop a [`Track`](crate::Track) is enough. Where every message counts, use a queue: here
//! the newest wins. Whoever writes into a mapped block against the protocol can give readers wrong numbers, and who
//! shortens the file ends them by a signal: new files are writable for their owner only.
//!
//! # The layout, version 1
//! Everything is little-endian and starts on a multiple of 64 bytes. E, K, S are entities, ticks, subscribers;
//! N = K + 2 S + 1 slots; `pad` rounds up to a multiple of 64. Words (u64) outside of the columns are only ever
//! accessed atomically.
//!
//! | offset | type | what |
//! |---|---|---|
//! | 0 | `[u8; 8]` | `PORTMNTO`, written last |
//! | 8 | u64 | version of the layout: 1 |
//! | 16 | u64 | length of the block in bytes |
//! | 24, 32, 40 | u64 each | E, K, S |
//! | 48, 56 | u64 each | N, bytes of a slot |
//! | 64 | u64 | 1 while there is a publisher (in a file its lock counts, not this) |
//! | 72 | u64 | number of the last run that began |
//! | 80 | u64 | state: 0 no publisher yet, 1 publishing, 2 closed, 3 replaced by another file |
//! | 128 | u64 x K | directory: `sequence << 8 \| slot` of each kept tick, 0 for none; the tick with sequence number q stands at q mod K; numbers start at 1 and go on across runs |
//! | 128 + pad(8 K) | 64 bytes x S | seats: u64 claim (bit i: slot i, at most 2 bits), u64 owner (0 free) |
//! | after the seats | N slots | |
//!
//! | offset in a slot | type | what |
//! |---|---|---|
//! | 0 | u64 | sequence number |
//! | 8, 16 | u64 each | run number, tick number (from 0 in each run) |
//! | 24, 32 | f64 each | time of publishing, simulation time: seconds |
//! | 40 | u64 | R: rows of the table that are in use |
//! | 64 | u64 x E | ids |
//! | + pad(8 E) | u32 x E | generations: odd is live, even is an empty row |
//! | + pad(4 E) | u32 x E | cut epochs |
//! | + pad(4 E) | u32 x E | flags |
//! | + pad(4 E) | f32 x 7 E | poses: position x y z, rotation x y z w |
//!
//! For E = 100, K = 4, S = 2: seats at 192, slots at 320, 5056 bytes each; in a slot ids at 64, generations at
//! 896, epochs at 1344, flags at 1792, poses at 2240.
//!
//! To read a tick: take a seat (compare-and-swap its owner from 0 to 1), load the directory word, check that its
//! slot is below N, store the slot's bit as claim, load the directory word again; if it is the same, the slot is
//! yours to read until you store 0 as claim. All of these sequentially consistent (JavaScript's `Atomics` are).
//! The first R rows of the columns are valid.

mod block;
mod error;
#[cfg(all(feature = "process", target_os = "linux", not(loom)))]
mod file;
mod followed;
mod layout;
mod publisher;
mod reading;
mod slots;
mod subscriber;
mod sync;
#[cfg(all(test, not(loom)))]
mod tests;

use alloc::sync::Arc;

pub use error::{AttachError, BlockError, NoTick};
#[cfg(all(feature = "process", target_os = "linux", not(loom)))]
pub use file::machine_seconds;
pub use followed::Followed;
pub use layout::{MAX_ENTITIES, MAX_SUBSCRIBERS, MAX_TICKS, MIN_TICKS, Shape, ShapeError};
pub use publisher::{EntityError, PublishError, Publisher};
pub use reading::{EntityView, EntityViews, Reading};
pub use subscriber::{ReaderCounts, Stamps, Subscriber};

use block::{Block, Nonsense};
use layout::Layout;
use slots::{Reader, TakeWriter, Writer};

#[cfg(all(feature = "process", target_os = "linux", not(loom)))]
use file::{BlockFile, RecordLock as Lock};

/// Without files there is nothing to lock.
#[cfg(not(all(feature = "process", target_os = "linux", not(loom))))]
#[derive(Debug)]
enum Lock {}

/// A block that a publisher and subscribers meet at. A handle: clones mean the same block.
#[derive(Clone, Debug)]
pub struct Exchange {
    block: Arc<Block>,
    #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
    file: Option<Arc<BlockFile>>,
}

impl Exchange {
    /// A new block on the heap, for threads of one process.
    ///
    /// # Errors
    /// When the shape cannot work.
    pub fn new(shape: Shape) -> Result<Self, ShapeError> {
        let layout = Layout::new(shape)?;
        Ok(Self {
            block: Arc::new(Block::create(sync::Memory::heap(&layout), layout)),
            #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
            file: None,
        })
    }

    /// How much the block holds.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.block.layout().shape
    }

    /// The block's address and length, for whoever reads it by the layout of the module's documentation (a
    /// script beside a wasm module, a debugger).
    #[cfg(not(loom))]
    #[must_use]
    pub fn address(&self) -> (*const u8, usize) {
        (self.block.address(), self.block.layout().length)
    }

    /// Becomes the publisher and begins a new run.
    ///
    /// # Errors
    /// When the block has a publisher that lives, or its directory is nonsense.
    pub fn publisher(&self) -> Result<Publisher, AttachError> {
        #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
        if let Some(file) = &self.file {
            return file.publisher(&self.block);
        }
        let writer = Writer::take(Arc::clone(&self.block), None).map_err(AttachError::from)?;
        Ok(Publisher::new(writer, 0))
    }

    /// Takes a seat.
    ///
    /// # Errors
    /// When every seat has a subscriber that lives. (One that was leaked with `mem::forget` counts as living.)
    pub fn subscriber(&self) -> Result<Subscriber, AttachError> {
        #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
        if let Some(file) = &self.file {
            return file.subscriber(&self.block);
        }
        let reader = Reader::take(Arc::clone(&self.block));
        reader.map(Subscriber::new).ok_or(AttachError::NoSeat { seats: self.shape().subscribers })
    }
}

impl From<TakeWriter> for AttachError {
    fn from(error: TakeWriter) -> Self {
        match error {
            TakeWriter::Taken => Self::PublisherLives,
            TakeWriter::Nonsense(Nonsense(found)) => Self::BlockError(BlockError::Directory { found }),
        }
    }
}

/// Which tick this is, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickStamp {
    /// The publisher's life that it belongs to.
    pub run: u64,
    /// Its number in that life, from 0.
    pub tick: u64,
    /// When it was published, by the clock of the publisher: seconds.
    pub published: f64,
    /// The moment of the simulation that it stands for: seconds.
    pub simulated: f64,
}

impl TickStamp {
    /// How long ago it was published, if `now` is read from the publisher's clock; never negative.
    #[must_use]
    pub fn age(&self, now: f64) -> f64 {
        (now - self.published).max(0.0)
    }
}

/// A handle of an entity: its row in the table, and which of the row's successive owners it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entity {
    /// Its row: stays the same while it lives.
    pub row: u32,
    /// Goes up whenever somebody moves into the row or leaves it; odd while somebody is there.
    pub generation: u32,
}

impl Entity {
    fn is_live(self) -> bool {
        self.generation % 2 == 1
    }
}

/// What a publisher last said of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
#[non_exhaustive]
pub enum PublisherState {
    /// There was none yet.
    None = 0,
    /// It publishes, or was killed while it did.
    Publishing = 1,
    /// It ended properly; the last ticks stay readable.
    Closed = 2,
    /// The file was replaced by one of another shape: open it again.
    Replaced = 3,
    /// The block holds a number that means nothing.
    Unknown = u64::MAX,
}

impl PublisherState {
    fn from_word(word: u64) -> Self {
        match word {
            0 => Self::None,
            1 => Self::Publishing,
            2 => Self::Closed,
            3 => Self::Replaced,
            _ => Self::Unknown,
        }
    }
}
