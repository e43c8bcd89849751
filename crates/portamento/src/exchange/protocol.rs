//! Why can a reader never meet a half-written tick, and why does the writer never wait?
//!
//! ```text
//!   directory: the slots of the last K ticks      claims: two words per reader, each a slot
//!   ┌────┬────┬────┬────┐                         ┌───┬───┐ ┌───┬───┐
//!   │ t8 │ t5 │ t6 │ t7 │                         │ 1 │ 4 │ │ - │ - │
//!   └─┬──┴─┬──┴─┬──┴─┬──┘                         └─┼─┴─┼─┘ └───┴───┘
//!     ▼    ▼    ▼    ▼                              ▼   ▼
//!   [ 4 ][ 0 ][ 1 ][ 2 ]  [ 3 ][ 5 ][ 6 ][ 7 ][ 8 ]    slots 1 and 4 stay as they are
//!                           ▲
//!                           └ the writer fills a slot that neither the directory nor a claim names
//! ```
//!
//! **Writer**: fence; read every claim word once; pick a slot that is neither claimed nor in its own copy of the
//! directory; fill it; store the directory word, then the newest sequence number. The directory names K slots, S readers
//! claim at most two each, there are K + 2S + 1: one is always left, whatever the readers do or however many of them are
//! dead. The work is 2S loads and a copy; nothing a reader does makes it longer.
//!
//! **Reader**: read the directory word; store the claim; fence; read the directory word again. Unchanged: the slot is the
//! reader's until it drops the claim. Changed: the claim is taken back, nothing was read.
//!
//! Of the two fences one comes first. If the reader's does, the writer's next load of the claims sees the claim and
//! leaves the slot alone. If the writer's does, the reader's second look sees that the slot has left the directory and
//! gives up. There is no third case.
//!
//! **The wrap.** A directory word holds 24 bits of the sequence number, so after 2^24 ticks the same word can stand there
//! again: a reader that slept for exactly that long between its two looks finds it unchanged. That does no harm. At the
//! second look the word names a complete tick in this slot, and the argument above holds for *that* tick. It only
//! means that nothing read before the claim may be trusted: the stamp is read under the claim, never before. Places
//! in the directory do not jump when the number wraps, because K divides 2^24.
//!
//! The claim is dropped with a release store that the writer's load acquires: the reader's last byte was read before the
//! writer's first is written. The directory word is stored with release and loaded with acquire: the reader sees
//! everything the writer wrote before it.
//!
//! **Waiting.** A reader that sleeps marks its seat, fences, and lets the kernel compare the newest sequence number
//! once more. The writer stores that number, fences, and loads the seats: one of the two sees the other.
//!
//! **Deaths.** A claim is never taken from a living reader. Between threads it ends with the `Reader`, also when its
//! thread panics. Between processes the kernel ends the reader's file lock when its process is gone, however it went, and
//! the next one that takes the seat clears the claims. Until then the dead claims cost the two slots that are there for
//! them. A writer that dies while it fills a slot leaves a slot that no directory word names: no one will ever read
//! it, and the next writer finds it vacant.

#[cfg(all(loom, test))]
mod loom_tests;
#[cfg(loom)]
#[allow(unsafe_code)]
pub(super) mod model;

use alloc::sync::Arc;

use super::block::{Block, Entry, Found, Missed};
use super::memory::Image;
use super::offsets::{CLAIMS, Layout, MAX_TICKS, header, seat, stamp};
use super::sync::{Ordering, fence};
use super::{AttachError, Lock, TickStamp, WriterState};

/// The one that may fill slots. There is at most one per block at any time.
#[derive(Debug)]
pub(super) struct WriteSide {
    block: Arc<Block>,
    /// Our own copy of the directory (slot + 1, or 0): no one can talk us into overwriting a kept tick.
    ring: [u8; MAX_TICKS],
    sequence: u32,
    /// Version of the table that each slot holds, 0 for unknown: an unchanged table is not copied again.
    versions: [u64; 128],
    nonsense: u64,
    /// Between processes, what makes us the only one; released after everything else.
    _lock: Option<Lock>,
}

/// How a writer comes to a block.
#[derive(Debug)]
pub(super) enum Succession {
    /// There is no other.
    Free,
    /// This lock proves it.
    #[cfg_attr(not(all(feature = "process", target_os = "linux", not(loom))), allow(dead_code))]
    Locked(Lock),
}

impl WriteSide {
    /// Becomes the writer of a block, going on after the last complete tick of the writer before.
    pub fn take(block: Arc<Block>, how: Succession) -> Result<Self, AttachError> {
        let owner = block.word(header::WRITER);
        let lock = match how {
            Succession::Free => {
                assert!(!block.memory().is_file(), "a file's writer is locked");
                // Acquire: everything the writer before us did is done.
                let taken = owner.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire);
                taken.map_err(|_| AttachError::WriterLives)?;
                None
            }
            Succession::Locked(lock) => {
                owner.store(1, Ordering::Release);
                Some(lock)
            }
        };
        let (sequence, ring) = match block.check_directory() {
            Ok(found) => found,
            Err(error) => {
                owner.store(0, Ordering::Release);
                return Err(error.into());
            }
        };
        block.word(header::LATEST).store(sequence, Ordering::Release);
        block.set_state(WriterState::Publishing);
        Ok(Self { block, ring, sequence, versions: [0; 128], nonsense: 0, _lock: lock })
    }

    /// Begins a run: its number is above that of every run before, and at least `floor`.
    pub fn begin_run(&mut self, floor: u64) -> u64 {
        let run = self.block.wide(header::RUN).saturating_add(1).max(floor);
        self.block.set_wide(header::RUN, run);
        run
    }

    pub fn block(&self) -> &Arc<Block> {
        &self.block
    }

    /// Claim words that no reader of ours wrote, seen and passed over.
    pub fn nonsense(&self) -> u64 {
        self.nonsense
    }

    /// A slot that no one reads and no one may begin to read.
    fn vacant(&mut self) -> usize {
        // From here on every reader either shows its claim to the loads below, or will see that its slot has
        // left the directory (stored by the publish before this one, or by the writer before us).
        fence(Ordering::SeqCst);
        let layout = self.block.layout();
        let mut used =
            self.ring.iter().filter(|slot| **slot > 0).fold(0_u128, |used, slot| used | 1 << (slot - 1));
        // As many loads as there are claims: bounded by the shape of the block, not by what readers do.
        for seat in 0..layout.shape.readers {
            for which in 0..CLAIMS {
                let claim = self.block.claim_word(seat, which).load(Ordering::Acquire) as usize;
                if claim > layout.slots {
                    self.nonsense += 1;
                } else if claim > 0 {
                    used |= 1 << (claim - 1);
                }
            }
        }
        // K kept + at most 2 S claimed of K + 2 S + 1.
        (!used).trailing_zeros() as usize
    }

    /// Makes a tick readable: the first `rows` rows of `image`, whose table has this version. Returns whether a reader
    /// sleeps until then.
    pub fn publish(&mut self, tick: &TickStamp, rows: usize, table: u64, image: &Image) -> bool {
        let slot = self.vacant();
        let sequence = self.sequence.wrapping_add(1);
        let layout = *self.block.layout();
        assert!(rows <= layout.shape.entities && slot < layout.slots);
        let at = layout.slot(slot);
        self.block.word(at + stamp::SEQUENCE).store(sequence, Ordering::Relaxed);
        self.block.word(at + stamp::ROWS).store(rows as u32, Ordering::Relaxed);
        let numbers = [
            (stamp::RUN, tick.run),
            (stamp::TICK, tick.tick),
            (stamp::PUBLISHED, tick.published.to_bits()),
            (stamp::SIMULATED, tick.simulated.to_bits()),
            (stamp::SCALE, tick.scale.to_bits()),
            (stamp::TABLE, table),
        ];
        for (offset, number) in numbers {
            self.block.set_wide(at + offset, number);
        }
        let memory = self.block.memory();
        let with_table = self.versions[slot] != table;
        self.versions[slot] = 0;
        for (column, bytes) in columns(&layout, rows, with_table) {
            memory.write_column(at + column, image.words(column, bytes));
        }
        self.versions[slot] = table;
        // A reader that sees this sees the slot filled.
        self.block.word(layout.entry(sequence)).store(Entry::new(sequence, slot).0, Ordering::Release);
        self.block.word(header::LATEST).store(sequence, Ordering::Release);
        self.ring[sequence as usize % layout.shape.ticks] = slot as u8 + 1;
        self.sequence = sequence;
        // Either a reader that is about to sleep sees the new number, or we see that it sleeps.
        fence(Ordering::SeqCst);
        let waits = |seat| self.block.word(layout.seat(seat) + seat::WAITING).load(Ordering::Relaxed) != 0;
        (0..layout.shape.readers).any(waits)
    }
}

impl Drop for WriteSide {
    fn drop(&mut self) {
        self.block.set_state(WriterState::Closed);
        self.block.word(header::WRITER).store(0, Ordering::Release);
    }
}

/// The columns of a slot with what is used of them, in bytes.
fn columns(layout: &Layout, rows: usize, with_table: bool) -> impl Iterator<Item = (usize, usize)> {
    let Layout { ids_low, ids_high, generations, epochs, flags, poses, .. } = *layout;
    let table = [ids_low, ids_high, generations, epochs, flags].map(|column| (column, 4 * rows));
    let table = table.into_iter().take(if with_table { usize::MAX } else { 0 });
    let own = layout.shape.f32_columns + layout.shape.u32_columns;
    let (first, each) = (layout.f32_columns, layout.column_bytes());
    let own = (0..own).map(move |column| (first + column * each, 4 * rows));
    table.chain([(poses, layout.pose_bytes * rows)]).chain(own)
}

/// The one that may claim slots on one seat.
#[derive(Debug)]
pub(super) struct ReadSide {
    block: Arc<Block>,
    /// The number of the seat.
    seat: usize,
    /// Between processes, what makes the seat ours; released after everything else.
    _lock: Option<Lock>,
}

/// The kept ticks that a reader found, and what it met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Survey {
    found: [Option<Found>; MAX_TICKS],
    /// Words met that no writer of ours wrote.
    pub nonsense: u64,
    /// The writer replaced a tick while we looked.
    pub overtaken: bool,
}

impl Survey {
    /// Oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Found> {
        self.found.iter().flatten()
    }
}

/// Where a tick is copied to, and the version of the table (run and number) that is there already.
pub(super) type Wanted<'a> = (&'a mut Image, Option<(u64, u64)>);

impl ReadSide {
    /// Takes a free seat of a block without files.
    pub fn take(block: Arc<Block>) -> Option<Self> {
        assert!(!block.memory().is_file(), "a file's seats are locked");
        let seat = (0..block.layout().shape.readers).find(|&index| {
            let owner = block.word(block.layout().seat(index) + seat::OWNER);
            // Acquire: the claims of the reader before us are gone.
            owner.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire).is_ok()
        })?;
        clear(&block, seat);
        Some(Self { block, seat, _lock: None })
    }

    /// Takes the seat whose line `lock` locks. Its last owner is gone: its claims are void.
    #[cfg_attr(not(all(feature = "process", target_os = "linux", not(loom))), allow(dead_code))]
    pub fn inherit(block: Arc<Block>, seat: usize, lock: Lock) -> Self {
        clear(&block, seat);
        block.word(block.layout().seat(seat) + seat::OWNER).store(1, Ordering::Release);
        Self { block, seat, _lock: Some(lock) }
    }

    pub fn block(&self) -> &Arc<Block> {
        &self.block
    }

    #[cfg_attr(not(all(feature = "process", target_os = "linux", not(loom))), allow(dead_code))]
    pub fn waiting(&self) -> &super::sync::AtomicU32 {
        self.block.word(self.block.layout().seat(self.seat) + seat::WAITING)
    }

    /// Holds the slot of the tick with this number in our claim `which`, and reads its stamp.
    fn claim(&self, which: usize, sequence: u32) -> Result<Found, Missed> {
        let block = &*self.block;
        let word = block.word(block.layout().entry(sequence));
        let entry = Entry(word.load(Ordering::Acquire));
        if entry.0 == 0 {
            return Err(Missed::Empty);
        }
        let slot = entry.slot().filter(|slot| *slot < block.layout().slots).ok_or(Missed::Nonsense)?;
        if !entry.may_be(sequence) {
            // Every tick in this place has a number that is the same modulo the ticks kept.
            let place = (entry.0 >> 8) as usize % block.layout().shape.ticks;
            let here = super::block::low_bits(sequence) as usize % block.layout().shape.ticks;
            return Err(if place == here { Missed::Overtaken } else { Missed::Nonsense });
        }
        let claim = block.claim_word(self.seat, which);
        // Release: whatever we read under an earlier claim is read.
        claim.store(slot as u32 + 1, Ordering::Release);
        fence(Ordering::SeqCst);
        if word.load(Ordering::Acquire) != entry.0 {
            claim.store(0, Ordering::Release);
            return Err(Missed::Overtaken);
        }
        // Only now: see "the wrap" above.
        let (number, found) = block.stamp(slot);
        let missed = if number != sequence && entry.may_be(number) {
            Missed::Overtaken
        } else if number != sequence || !block.is_sound(&found) {
            Missed::Nonsense
        } else {
            return Ok(found);
        };
        claim.store(0, Ordering::Release);
        Err(missed)
    }

    fn release(&self, which: usize) {
        self.block.claim_word(self.seat, which).store(0, Ordering::Release);
    }

    /// The kept ticks, oldest first, without a gap but for nonsense. What is published while we look is left for the
    /// next time: the last one is the tick that was newest when the call began, or an older one.
    pub fn survey(&mut self) -> Survey {
        let latest = self.block.latest();
        let mut survey = Survey { found: [None; MAX_TICKS], nonsense: 0, overtaken: false };
        let ticks = self.block.layout().shape.ticks;
        for (age, place) in survey.found.iter_mut().rev().enumerate().take(ticks) {
            match self.claim(0, latest.wrapping_sub(age as u32)) {
                Ok(found) => *place = Some(found),
                Err(Missed::Empty) => break,
                // So will be all that are older.
                Err(Missed::Overtaken) => {
                    survey.overtaken = true;
                    break;
                }
                Err(Missed::Nonsense) => survey.nonsense += 1,
            }
        }
        self.release(0);
        survey
    }

    /// Copies both ticks, as `survey` found them, while both are held; false if the writer has replaced one. A tick
    /// without an image is only held. With an image comes the version of the table (run and number) that it has.
    pub fn copy(&mut self, ticks: [(&Found, Option<Wanted<'_>>); CLAIMS]) -> bool {
        let held = ticks.iter().enumerate().all(|(which, (tick, _))| {
            // The same tick also after a wrap: its run and number in the run never repeat.
            let found = self.claim(which, tick.sequence);
            found.is_ok_and(|found| found.stamp == tick.stamp && found.slot == tick.slot)
        });
        if held {
            for (tick, image) in ticks {
                let Some((image, known)) = image else { continue };
                let layout = self.block.layout();
                let at = layout.slot(tick.slot);
                for (column, bytes) in columns(layout, tick.rows, known != Some((tick.stamp.run, tick.table)))
                {
                    self.block.memory().read_column(at + column, image.words_mut(column, bytes));
                }
            }
        }
        self.release(0);
        self.release(1);
        held
    }
}

/// Frees a seat of whatever its owner left there.
pub(super) fn clear(block: &Block, seat: usize) {
    for which in 0..CLAIMS {
        block.claim_word(seat, which).store(0, Ordering::Release);
    }
    block.word(block.layout().seat(seat) + seat::WAITING).store(0, Ordering::Release);
}

impl Drop for ReadSide {
    fn drop(&mut self) {
        clear(&self.block, self.seat);
        self.block.word(self.block.layout().seat(self.seat) + seat::OWNER).store(0, Ordering::Release);
    }
}
