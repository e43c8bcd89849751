//! What do the words of a block say, and is it a block at all?
//!
//! Only atomics, no `unsafe`: the header, the directory and the stamps, read with suspicion. Whatever memory says is
//! checked before it is used as an index or a length, and the sizes are read once, when the block is opened.

use super::offsets::{CLAIMS, F64_POSITIONS, Layout, MAGIC, MAX_TICKS, Shape, VERSION, header, seat, stamp};
use super::sync::{AtomicU32, Memory, Ordering, sequence_bits};
use super::{BlockError, TickStamp, WriterState};

/// A directory word: the low bits of the tick's sequence number above the low 8 bits, its slot + 1 in them.
/// Zero is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry(pub u32);

impl Entry {
    pub fn new(sequence: u32, slot: usize) -> Self {
        Self(low_bits(sequence) << 8 | (slot as u32 + 1))
    }

    /// Whether this may be the tick with that number: the number's low bits agree.
    pub fn may_be(self, sequence: u32) -> bool {
        self.0 >> 8 == low_bits(sequence)
    }

    pub fn slot(self) -> Option<usize> {
        ((self.0 & 0xFF) as usize).checked_sub(1)
    }
}

/// The part of a sequence number that fits a directory word.
pub(super) fn low_bits(sequence: u32) -> u32 {
    sequence & ((1 << sequence_bits()) - 1)
}

/// A complete tick, read under a claim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub sequence: u32,
    pub slot: usize,
    pub stamp: TickStamp,
    pub rows: usize,
    /// Changes whenever the table (ids, generations, epochs, flags) does, within a run.
    pub table: u64,
}

/// Why a tick could not be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missed {
    /// There never was one.
    Empty,
    /// The writer has replaced it.
    Overtaken,
    /// A word that no writer of ours wrote.
    Nonsense,
}

/// The block: its bytes, and where everything lies in them.
#[derive(Debug)]
pub(super) struct Block {
    memory: Memory,
    layout: Layout,
}

impl Block {
    /// Creates a block of any memory that no one else uses yet.
    pub fn create(memory: Memory, layout: Layout) -> Self {
        let block = Self { memory, layout };
        for offset in (0..layout.first_slot).step_by(4) {
            block.word(offset).store(0, Ordering::Relaxed);
        }
        for (offset, number) in numbers(&layout) {
            block.word(offset).store(number, Ordering::Relaxed);
        }
        #[cfg(loom)]
        block.word(header::LATEST).store(super::protocol::model::FIRST_SEQUENCE.get(), Ordering::Relaxed);
        block.word(header::MAGIC + 4).store(MAGIC[1], Ordering::Relaxed);
        // Last: whoever sees the magic number sees the rest.
        block.word(header::MAGIC).store(MAGIC[0], Ordering::Release);
        block
    }

    /// Takes memory that someone else filled, or says what is wrong with it. From here on the layout is ours:
    /// the header's sizes are never read again.
    #[cfg_attr(loom, allow(dead_code))]
    pub fn open(memory: Memory) -> Result<Self, BlockError> {
        let bytes = memory.length();
        if bytes < header::END {
            return Err(BlockError::TooShort { bytes, needs: header::END });
        }
        let read = |offset: usize| memory.word(offset).load(Ordering::Acquire);
        let magic = [read(header::MAGIC), read(header::MAGIC + 4)];
        if magic != MAGIC {
            let mut found = [0; 8];
            found[..4].copy_from_slice(&magic[0].to_le_bytes());
            found[4..].copy_from_slice(&magic[1].to_le_bytes());
            return Err(BlockError::Magic { found });
        }
        let found = read(header::VERSION);
        if found != VERSION {
            return Err(BlockError::Version { found });
        }
        let features = read(header::FEATURES);
        if features & !F64_POSITIONS != 0 {
            return Err(BlockError::Features { found: features });
        }
        let number = |offset| read(offset) as usize;
        let layout = Layout::new(Shape {
            entities: number(header::ENTITIES),
            ticks: number(header::TICKS),
            readers: number(header::READERS),
            f32_columns: number(header::F32_COLUMNS),
            u32_columns: number(header::U32_COLUMNS),
            f64_positions: features & F64_POSITIONS != 0,
        })
        .map_err(BlockError::Shape)?;
        let reserved = (header::RESERVED..header::WRITER).step_by(4).map(|offset| (offset, 0));
        for (offset, expected) in numbers(&layout).into_iter().chain(reserved) {
            let found = read(offset);
            if found != expected {
                return Err(BlockError::Contradiction { offset, found, expected });
            }
        }
        if bytes != layout.length {
            return Err(BlockError::Length { bytes, expected: layout.length });
        }
        Ok(Self { memory, layout })
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    #[inline]
    pub fn word(&self, offset: usize) -> &AtomicU32 {
        self.memory.word(offset)
    }

    /// A number of two words; meaningful only if no one writes it meanwhile.
    pub fn wide(&self, offset: usize) -> u64 {
        let half = |offset| u64::from(self.word(offset).load(Ordering::Relaxed));
        half(offset) | half(offset + 4) << 32
    }

    pub fn set_wide(&self, offset: usize, value: u64) {
        self.word(offset).store(value as u32, Ordering::Relaxed);
        self.word(offset + 4).store((value >> 32) as u32, Ordering::Relaxed);
    }

    pub fn state(&self) -> WriterState {
        WriterState::from_word(self.word(header::STATE).load(Ordering::Acquire))
    }

    pub fn set_state(&self, state: WriterState) {
        self.word(header::STATE).store(state as u32, Ordering::Release);
    }

    /// Sequence number of the newest tick. A reader that sees it sees its directory word.
    pub fn latest(&self) -> u32 {
        self.word(header::LATEST).load(Ordering::Acquire)
    }

    /// The directory as a writer can go on from it: the newest sequence number, and the slot of each kept tick by
    /// place, 0 for none, else slot + 1.
    pub fn check_directory(&self) -> Result<(u32, [u8; MAX_TICKS]), BlockError> {
        let ticks = self.layout.shape.ticks as u32;
        let mut latest = self.latest();
        let at = |sequence: u32| Entry(self.word(self.layout.entry(sequence)).load(Ordering::Acquire));
        // A writer that died between its last two stores: the tick is complete.
        let next = latest.wrapping_add(1);
        if at(next).0 != 0 && at(next).may_be(next) && !at(next).may_be(next.wrapping_sub(ticks)) {
            latest = next;
        }
        let (mut slots, mut used) = ([0; MAX_TICKS], 0_u128);
        for age in 0..ticks {
            let sequence = latest.wrapping_sub(age);
            let entry = at(sequence);
            if entry.0 == 0 {
                continue;
            }
            let slot = entry.slot().filter(|slot| *slot < self.layout.slots && used & 1 << *slot == 0);
            let (Some(slot), true) = (slot, entry.may_be(sequence)) else {
                return Err(BlockError::Directory { found: entry.0 });
            };
            used |= 1 << slot;
            slots[sequence as usize % ticks as usize] = slot as u8 + 1;
        }
        Ok((latest, slots))
    }

    /// The stamp in a slot that the caller has claimed.
    pub fn stamp(&self, slot: usize) -> (u32, Found) {
        let at = self.layout.slot(slot);
        let read = |offset: usize| self.word(at + offset).load(Ordering::Relaxed);
        let sequence = read(stamp::SEQUENCE);
        let stamp = TickStamp {
            run: self.wide(at + stamp::RUN),
            tick: self.wide(at + stamp::TICK),
            published: f64::from_bits(self.wide(at + stamp::PUBLISHED)),
            simulated: f64::from_bits(self.wide(at + stamp::SIMULATED)),
            scale: f64::from_bits(self.wide(at + stamp::SCALE)),
        };
        let table = self.wide(at + stamp::TABLE);
        (sequence, Found { sequence, slot, stamp, rows: read(stamp::ROWS) as usize, table })
    }

    pub fn is_sound(&self, found: &Found) -> bool {
        let TickStamp { published, simulated, scale, .. } = found.stamp;
        found.rows <= self.layout.shape.entities
            && published.is_finite()
            && simulated.is_finite()
            && (0.0..=super::MAX_SCALE).contains(&scale)
    }

    pub fn claim_word(&self, seat: usize, which: usize) -> &AtomicU32 {
        debug_assert!(which < CLAIMS);
        self.word(self.layout.seat(seat) + seat::CLAIM + 4 * which)
    }
}

/// The header's words that follow from the shape.
fn numbers(layout: &Layout) -> [(usize, u32); 10] {
    let shape = layout.shape;
    [
        (header::VERSION, VERSION),
        (header::LINES, (layout.length / super::offsets::LINE) as u32),
        (header::ENTITIES, shape.entities as u32),
        (header::TICKS, shape.ticks as u32),
        (header::READERS, shape.readers as u32),
        (header::SLOTS, layout.slots as u32),
        (header::SLOT_LINES, (layout.slot_bytes / super::offsets::LINE) as u32),
        (header::FEATURES, if shape.f64_positions { F64_POSITIONS } else { 0 }),
        (header::F32_COLUMNS, shape.f32_columns as u32),
        (header::U32_COLUMNS, shape.u32_columns as u32),
    ]
}
