//! What do the words of a block say, and is it a block at all?
//!
//! Only atomics, no `unsafe`: the header, the directory and the stamps, read with suspicion. Whatever memory says is
//! checked before it is used as an index or a length, and the sizes are read once, when the block is opened.

use super::layout::{Layout, MAGIC, MAX_TICKS, VERSION, header, stamp};
use super::sync::{AtomicU64, Memory, Ordering, fence};
use super::{PublisherState, TickStamp};

/// A directory word: the tick's sequence number in the block above the low 8 bits, its slot in them.
/// Zero is empty: sequence numbers start at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry(u64);

impl Entry {
    const LAST: u64 = u64::MAX >> 9;

    pub fn new(sequence: u64, slot: usize) -> Self {
        Self(sequence << 8 | slot as u64)
    }

    pub fn sequence(self) -> u64 {
        self.0 >> 8
    }

    pub fn slot(self) -> usize {
        (self.0 & 0xFF) as usize
    }

    pub fn bit(self) -> u64 {
        1 << self.slot()
    }
}

/// A complete tick that the directory named a moment ago: worth claiming.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub entry: Entry,
    pub stamp: TickStamp,
    pub rows: usize,
}

/// The block: its bytes, and where everything lies in them.
#[derive(Debug)]
pub(super) struct Block {
    memory: Memory,
    layout: Layout,
}

impl Block {
    /// Makes a block of memory that is all zeros.
    pub fn create(memory: Memory, layout: Layout) -> Self {
        let block = Self { memory, layout };
        let numbers = [
            (header::VERSION, VERSION),
            (header::LENGTH, layout.length as u64),
            (header::ENTITIES, layout.shape.entities as u64),
            (header::TICKS, layout.shape.ticks as u64),
            (header::SUBSCRIBERS, layout.shape.subscribers as u64),
            (header::SLOTS, layout.slots as u64),
            (header::SLOT_BYTES, layout.slot_bytes as u64),
        ];
        for (offset, number) in numbers {
            block.word(offset).store(number, Ordering::Relaxed);
        }
        // Last: whoever sees the magic number sees the rest.
        block.word(header::MAGIC).store(MAGIC, Ordering::Release);
        block
    }

    /// Takes memory that somebody else filled, or says what is wrong with it. From here on the layout is ours:
    /// the header's sizes are never read again.
    #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
    pub fn open(mut memory: Memory) -> Result<Self, super::BlockError> {
        use super::{BlockError, Shape};
        let bytes = memory.length();
        if bytes < header::END {
            return Err(BlockError::TooShort { bytes, needs: header::END });
        }
        let read = |offset: usize| memory.word(offset).load(Ordering::Acquire);
        let found = read(header::MAGIC);
        if found != MAGIC {
            return Err(BlockError::Magic { found: found.to_le_bytes() });
        }
        let found = read(header::VERSION);
        if found != VERSION {
            return Err(BlockError::Version { found });
        }
        let number = |offset| usize::try_from(read(offset)).unwrap_or(usize::MAX);
        let layout = Layout::new(Shape {
            entities: number(header::ENTITIES),
            ticks: number(header::TICKS),
            subscribers: number(header::SUBSCRIBERS),
        })
        .map_err(BlockError::Shape)?;
        let claimed = [
            ("slots", header::SLOTS, layout.slots),
            ("bytes of a slot", header::SLOT_BYTES, layout.slot_bytes),
            ("bytes of the block", header::LENGTH, layout.length),
        ];
        for (what, offset, expected) in claimed {
            let found = read(offset);
            if found != expected as u64 {
                return Err(BlockError::Contradiction { what, found, expected: expected as u64 });
            }
        }
        if bytes != layout.length {
            return Err(BlockError::Length { bytes, expected: layout.length });
        }
        memory.lay_out(&layout);
        Ok(Self { memory, layout })
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    #[cfg(not(loom))]
    pub fn address(&self) -> *const u8 {
        self.memory.address()
    }

    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    pub fn word(&self, offset: usize) -> &AtomicU64 {
        self.memory.word(offset)
    }

    pub fn state(&self) -> PublisherState {
        PublisherState::from_word(self.word(header::STATE).load(Ordering::Acquire))
    }

    pub fn set_state(&self, state: PublisherState) {
        self.word(header::STATE).store(state as u64, Ordering::Release);
    }

    /// What the directory says at this position: nothing, a tick, or (`Err`) nonsense.
    fn entry(&self, position: usize) -> Result<Option<Entry>, Nonsense> {
        let word = self.word(self.layout.entry(position)).load(Ordering::Acquire);
        let entry = Entry(word);
        if word == 0 {
            return Ok(None);
        }
        let sound = entry.slot() < self.layout.slots
            && (1..=Entry::LAST).contains(&entry.sequence())
            && self.position(entry) == position;
        if sound { Ok(Some(entry)) } else { Err(Nonsense(word)) }
    }

    /// The directory, if a writer can go on from it.
    pub fn check_directory(&self) -> Result<[Option<Entry>; MAX_TICKS], Nonsense> {
        let mut directory = [None; MAX_TICKS];
        let mut used = 0;
        for (position, place) in directory.iter_mut().enumerate().take(self.layout.shape.ticks) {
            let Some(entry) = self.entry(position)? else { continue };
            // Half of the numbers: no block gets there, and one that says so would run out of them.
            if used & entry.bit() != 0 || entry.sequence() > Entry::LAST / 2 {
                return Err(Nonsense(entry.0));
            }
            used |= entry.bit();
            *place = Some(entry);
        }
        Ok(directory)
    }

    /// The stamp of the tick that `entry` names: nothing if the writer replaced the tick meanwhile.
    fn stamp(&self, entry: Entry) -> Result<Option<Found>, Nonsense> {
        let slot = self.layout.slot(entry.slot());
        let read = |offset: usize| self.word(slot + offset).load(Ordering::Relaxed);
        let sequence = read(stamp::SEQUENCE);
        let rows = read(stamp::ROWS);
        let stamp = TickStamp {
            run: read(stamp::RUN),
            tick: read(stamp::TICK),
            published: f64::from_bits(read(stamp::PUBLISHED)),
            simulated: f64::from_bits(read(stamp::SIMULATED)),
        };
        // Pairs with the writer's fence before it refills a slot: who read one of its new words sees below that
        // the slot has left the directory.
        fence(Ordering::Acquire);
        if !self.still(entry, Ordering::Relaxed) {
            return Ok(None);
        }
        let sound = sequence == entry.sequence()
            && rows <= self.layout.shape.entities as u64
            && stamp.published.is_finite()
            && stamp.simulated.is_finite();
        if sound { Ok(Some(Found { entry, stamp, rows: rows as usize })) } else { Err(Nonsense(entry.0)) }
    }

    /// Makes the directory name this tick instead of the one K ticks before.
    pub fn enter(&self, entry: Entry) {
        self.word(self.layout.entry(self.position(entry))).store(entry.0, Ordering::Release);
    }

    /// Whether the directory still names this tick.
    pub fn still(&self, entry: Entry, order: Ordering) -> bool {
        self.word(self.layout.entry(self.position(entry))).load(order) == entry.0
    }

    pub fn position(&self, entry: Entry) -> usize {
        (entry.sequence() % self.layout.shape.ticks as u64) as usize
    }

    /// The kept ticks, oldest first, without a gap but for nonsense. What is published while we look is left
    /// for the next time: the last one is the tick that was newest when the call began, or an older one.
    pub fn survey(&self) -> Ticks {
        let mut ticks = Ticks { found: [None; MAX_TICKS], nonsense: 0, overtaken: false };
        let entries = (0..self.layout.shape.ticks).filter_map(|position| match self.entry(position) {
            Ok(entry) => entry,
            Err(Nonsense(_)) => {
                ticks.nonsense += 1;
                None
            }
        });
        let Some(newest) = entries.max_by_key(|entry| entry.sequence()) else { return ticks };
        for (age, place) in ticks.found.iter_mut().rev().enumerate().take(self.layout.shape.ticks) {
            let Some(sequence) = newest.sequence().checked_sub(age as u64).filter(|number| *number > 0)
            else {
                break;
            };
            let position = (sequence % self.layout.shape.ticks as u64) as usize;
            match self.entry(position) {
                Ok(Some(entry)) if entry.sequence() == sequence => match self.stamp(entry) {
                    Ok(None) => {
                        ticks.overtaken = true;
                        break;
                    }
                    Ok(found) => *place = found,
                    Err(Nonsense(_)) => ticks.nonsense += 1,
                },
                // Replaced by a newer one, and so will be all that are older.
                Ok(Some(entry)) if entry.sequence() > sequence => {
                    ticks.overtaken = true;
                    break;
                }
                _ => {}
            }
        }
        ticks
    }
}

/// The ticks that a reader found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    found: [Option<Found>; MAX_TICKS],
    /// Words met that no publisher of ours wrote.
    pub nonsense: u64,
    /// The writer replaced a tick while we looked.
    pub overtaken: bool,
}

impl Ticks {
    /// Oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Found> {
        self.found.iter().flatten()
    }
}

/// A directory word, or the stamp it leads to, that no publisher of ours wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nonsense(pub u64);
