//! Why can a reader never meet a half-written tick, and why does the writer never wait?
//!
//! The only file of this room with `unsafe` in it: the bytes of the block and the protocol that decides who may
//! touch which of them. Everything outside gets safe calls.
//!
//! ```text
//!   directory: the slots of the last K ticks      claims: a bit per slot, a word per subscriber
//!   ┌────┬────┬────┬────┐                         ┌──────────┐ ┌──────────┐
//!   │ t8 │ t5 │ t6 │ t7 │                         │ ..1..1.. │ │ ........ │
//!   └─┬──┴─┬──┴─┬──┴─┬──┘                         └────┼──┼──┘ └──────────┘
//!     ▼    ▼    ▼    ▼                                 ▼  ▼
//!   [ 4 ][ 0 ][ 1 ][ 2 ]  [ 3 ][ 5 ][ 6 ][ 7 ][ 8 ]    slots 1 and 4 stay as they are
//!                           ▲
//!                           └ the writer fills a slot that neither the directory nor a claim names
//! ```
//!
//! **Writer**: fence; read every claim word once; pick a slot that is neither claimed nor in its own copy of the
//! directory; fill it; store the directory word. The directory names K slots, S subscribers claim at most two
//! each, there are K + 2S + 1: one is always left, whatever the readers do or however many of them are dead. The
//! work is S loads and a copy; nothing a reader does makes it longer.
//!
//! **Reader**: read the directory word; store the claim; fence; read the directory word again. Unchanged: the
//! slot is the reader's until it drops the claim. Changed: the claim is taken back, nothing was read.
//!
//! Of the two fences one comes first. If the reader's does, the writer's next look at the claims sees the claim
//! and leaves the slot alone. If the writer's does, the reader's second look sees that the slot has left the
//! directory and gives up. There is no third case. A slot that left the directory and came back is told apart
//! by the sequence number in the word, which no later tick of the block repeats.
//!
//! The claim is dropped with a release store that the writer's load acquires: the reader's last byte was read
//! before the writer's first is written. The directory word is stored with release and loaded with acquire: the
//! reader sees everything the writer wrote before it.
//!
//! **Stamps** (the six words at the front of a slot) are atomics and are read without a claim: directory word,
//! stamp, fence, directory word again; unchanged means that the stamp is of that tick.
//!
//! **Deaths.** A claim is never taken from a living subscriber. Between threads it ends with the `Subscriber`,
//! also when its thread panics. Between processes the kernel ends the subscriber's file lock when its process is
//! gone, however it went, and the next one that takes the seat clears the claim. Until then the dead claim costs
//! the two slots that are there for it. A writer that dies while it fills a slot leaves a slot that no directory
//! word names: nobody will ever look at it, and the next writer finds it vacant.
#![allow(unsafe_code)]

#[cfg(all(loom, test))]
mod loom_tests;
#[cfg(loom)]
pub(super) mod model;

use alloc::sync::Arc;

use super::Lock;
use super::block::{Block, Entry, Found, Nonsense};
use super::layout::{CLAIMS, Layout, MAX_TICKS, POSE_BYTES, header, seat, stamp};
use super::sync::{AtomicU64, Ordering, fence};
use super::{PublisherState, TickStamp};
use crate::blend::{Pose, Rotation};

/// Types of which every bit pattern is a value, so that foreign bytes can be taken for one.
///
/// # Safety
/// As said, and without padding.
pub(super) unsafe trait Plain: Copy + 'static {}
// SAFETY: an integer has no padding and no forbidden bit patterns.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: `repr(C)`, seven floats, and (by the line below) nothing else.
unsafe impl Plain for Pose {}
const _: () = assert!(size_of::<Pose>() == POSE_BYTES && core::mem::offset_of!(Pose, rotation) == 12);
const _: () = assert!(core::mem::offset_of!(Rotation, x) == 0 && core::mem::offset_of!(Rotation, w) == 12);

/// What a tick consists of; every column has as many rows.
pub(super) struct Columns<'a> {
    /// Changes whenever anything but the poses does.
    pub version: u64,
    pub ids: &'a [u64],
    pub generations: &'a [u32],
    pub epochs: &'a [u32],
    pub flags: &'a [u32],
    pub poses: &'a [Pose],
}

/// The one that may fill slots. There is at most one per block at any time.
#[derive(Debug)]
pub(super) struct Writer {
    block: Arc<Block>,
    /// Our own copy of the directory (bit of the slot, or 0): nobody can talk us into overwriting a kept tick.
    ring: [u64; MAX_TICKS],
    sequence: u64,
    /// Version of the table that each slot holds, 0 for unknown: an unchanged table is not copied again.
    versions: [u64; 64],
    nonsense: u64,
    /// Between processes, what makes us the only one; released after everything else.
    _lock: Option<Lock>,
}

impl Writer {
    /// Becomes the writer of a block, going on after the last complete tick of the writer before.
    /// A mapped block needs the lock on the publisher's line.
    pub fn take(block: Arc<Block>, lock: Option<Lock>) -> Result<Self, TakeWriter> {
        assert_eq!(block.memory().is_shared_with_processes(), lock.is_some(), "locks are for mapped blocks");
        let owner = block.word(header::PUBLISHER);
        if lock.is_none() {
            // Acquire: everything the writer before us did is done.
            owner
                .compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire)
                .map_err(|_| TakeWriter::Taken)?;
        } else {
            owner.store(1, Ordering::Release);
        }
        let mut writer =
            Self { block, ring: [0; MAX_TICKS], sequence: 0, versions: [0; 64], nonsense: 0, _lock: lock };
        for entry in writer.block.check_directory().map_err(TakeWriter::Nonsense)?.into_iter().flatten() {
            writer.ring[writer.block.position(entry)] = entry.bit();
            writer.sequence = writer.sequence.max(entry.sequence());
        }
        writer.block.set_state(PublisherState::Publishing);
        Ok(writer)
    }

    /// Begins a run: its number is above that of every run before, and at least `floor`.
    pub fn begin_run(&mut self, floor: u64) -> u64 {
        let word = self.block.word(header::RUN);
        let run = word.load(Ordering::Relaxed).saturating_add(1).max(floor);
        word.store(run, Ordering::Release);
        run
    }

    pub fn block(&self) -> &Arc<Block> {
        &self.block
    }

    /// Claim words that no subscriber of ours wrote, seen and passed over so far.
    pub fn nonsense(&self) -> u64 {
        self.nonsense
    }

    /// A slot that nobody reads and nobody may begin to read.
    fn vacant(&mut self) -> usize {
        // From here on every reader either shows its claim to the loads below, or will see that its slot has
        // left the directory (stored by the publish before this one, or by the writer before us).
        fence(Ordering::SeqCst);
        let layout = self.block.layout();
        let all = u64::MAX >> (64 - layout.slots);
        let mut used = self.ring.iter().fold(0, |used, bit| used | bit);
        // As many loads as there are seats: bounded by the shape of the block, not by what readers do.
        for index in 0..layout.shape.subscribers {
            let claim = self.block.word(layout.seat(index) + seat::CLAIM).load(Ordering::Acquire) & all;
            if claim.count_ones() as usize <= CLAIMS {
                used |= claim;
            } else {
                self.nonsense += 1;
            }
        }
        // K kept + at most 2 S claimed of K + 2 S + 1.
        (!used & all).trailing_zeros() as usize
    }

    /// Makes a tick readable.
    pub fn publish(&mut self, tick: &TickStamp, columns: &Columns<'_>) {
        let slot = self.vacant();
        let sequence = self.sequence + 1;
        let layout = *self.block.layout();
        let rows = columns.poses.len();
        assert!(rows <= layout.shape.entities);
        let at = layout.slot(slot);
        let words = [
            (stamp::SEQUENCE, sequence),
            (stamp::RUN, tick.run),
            (stamp::TICK, tick.tick),
            (stamp::PUBLISHED, tick.published.to_bits()),
            (stamp::SIMULATED, tick.simulated.to_bits()),
            (stamp::ROWS, rows as u64),
        ];
        for (offset, word) in words {
            self.block.word(at + offset).store(word, Ordering::Relaxed);
        }
        let memory = self.block.memory();
        // SAFETY: `vacant` gave a slot that no reader holds or can come to hold before the directory names it
        // (see the top of this file), there is no other writer, and the columns of a slot do not overlap.
        unsafe {
            if self.versions[slot] != columns.version {
                memory.write(at + layout.ids, &columns.ids[..rows]);
                memory.write(at + layout.generations, &columns.generations[..rows]);
                memory.write(at + layout.epochs, &columns.epochs[..rows]);
                memory.write(at + layout.flags, &columns.flags[..rows]);
            }
            memory.write(at + layout.poses, columns.poses);
        }
        self.versions[slot] = columns.version;
        let entry = Entry::new(sequence, slot);
        self.block.enter(entry);
        self.ring[self.block.position(entry)] = entry.bit();
        self.sequence = sequence;
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.block.set_state(PublisherState::Closed);
        self.block.word(header::PUBLISHER).store(0, Ordering::Release);
    }
}

/// Why somebody cannot become the writer.
#[derive(Debug)]
pub(super) enum TakeWriter {
    Taken,
    Nonsense(Nonsense),
}

/// The one that may claim slots on one seat.
#[derive(Debug)]
pub(super) struct Reader {
    block: Arc<Block>,
    /// The number of the seat.
    seat: usize,
    /// Between processes, what makes the seat ours; released after everything else.
    _lock: Option<Lock>,
}

impl Reader {
    /// Takes a free seat of a block within this process.
    pub fn take(block: Arc<Block>) -> Option<Self> {
        assert!(!block.memory().is_shared_with_processes(), "a mapped block's seats are locked");
        let seat = (0..block.layout().shape.subscribers).find(|&index| {
            let owner = block.word(block.layout().seat(index) + seat::OWNER);
            // Acquire: the claim of the reader before us is gone.
            owner.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire).is_ok()
        })?;
        Some(Self { block, seat, _lock: None })
    }

    /// Takes the seat whose line `lock` locks. Whoever held it before is gone: its claim is void.
    #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
    pub fn inherit(block: Arc<Block>, seat: usize, lock: Lock) -> Self {
        let line = block.layout().seat(seat);
        block.word(line + seat::CLAIM).store(0, Ordering::Release);
        block.word(line + seat::OWNER).store(1, Ordering::Release);
        Self { block, seat, _lock: Some(lock) }
    }

    pub fn block(&self) -> &Arc<Block> {
        &self.block
    }

    fn word(&self) -> &AtomicU64 {
        self.block.word(self.block.layout().seat(self.seat) + seat::CLAIM)
    }

    /// Holds the slots of the two ticks that `choose` finds (they may be the same), asking it again while the
    /// writer goes past one of them first, up to `attempts` times.
    pub fn claim(
        &mut self,
        attempts: u32,
        mut choose: impl FnMut(&Block) -> Option<[Found; CLAIMS]>,
    ) -> Option<Claimed<'_>> {
        for _ in 0..attempts {
            let Some(ticks) = choose(&self.block) else { continue };
            if self.hold(ticks) {
                return Some(Claimed { reader: self, ticks });
            }
        }
        None
    }

    fn hold(&self, ticks: [Found; CLAIMS]) -> bool {
        // Release: whatever we read under an earlier claim that was never dropped (a forgotten guard) is read.
        self.word().store(ticks[0].entry.bit() | ticks[1].entry.bit(), Ordering::Release);
        fence(Ordering::SeqCst);
        let held = ticks.iter().all(|tick| self.block.still(tick.entry, Ordering::Acquire));
        if !held {
            self.word().store(0, Ordering::Release);
        }
        held
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.word().store(0, Ordering::Release);
        self.block.word(self.block.layout().seat(self.seat) + seat::OWNER).store(0, Ordering::Release);
    }
}

/// Two ticks (or twice the same) that stay as they are for as long as this lives.
#[derive(Debug)]
pub(super) struct Claimed<'a> {
    reader: &'a mut Reader,
    ticks: [Found; CLAIMS],
}

impl Claimed<'_> {
    pub fn tick(&self, which: usize) -> &Found {
        &self.ticks[which]
    }

    pub fn layout(&self) -> &Layout {
        self.reader.block.layout()
    }

    /// The column that starts at `offset` in the slot.
    pub fn column<T: Plain>(&self, which: usize, offset: usize) -> &[T] {
        let tick = &self.ticks[which];
        let at = self.reader.block.layout().slot(tick.entry.slot()) + offset;
        // SAFETY: the slot is claimed for as long as `self` is borrowed, so nobody writes it.
        unsafe { self.reader.block.memory().read(at, tick.rows) }
    }
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        self.reader.word().store(0, Ordering::Release);
    }
}

/// The bytes themselves.
#[cfg(not(loom))]
pub(super) mod memory {
    use alloc::boxed::Box;

    use super::super::layout::{LINE, Layout, stamp};
    use super::{AtomicU64, Plain};

    /// A cache line. Made of atomics, so that writing through a shared reference is allowed at all.
    #[derive(Debug, Default)]
    #[repr(C, align(64))]
    pub struct Line([AtomicU64; LINE / 8]);

    /// Memory on the heap, or a mapped file, and where in it the slots are.
    #[derive(Debug)]
    pub struct Memory {
        kind: Kind,
        first_slot: usize,
        slot_bytes: usize,
    }

    #[derive(Debug)]
    enum Kind {
        Heap(Box<[Line]>),
        #[cfg(all(feature = "process", target_os = "linux"))]
        Mapped(memmap2::MmapRaw),
    }

    impl Memory {
        /// Zeros for a block of this layout.
        pub fn heap(layout: &Layout) -> Self {
            let lines = (0..layout.length / LINE).map(|_| Line::default()).collect();
            Self { kind: Kind::Heap(lines), first_slot: layout.first_slot, slot_bytes: layout.slot_bytes }
        }

        /// A file, of which nothing but the header may be looked at until its layout is known.
        #[cfg(all(feature = "process", target_os = "linux"))]
        pub fn mapped(map: memmap2::MmapRaw) -> Self {
            Self { kind: Kind::Mapped(map), first_slot: super::header::END, slot_bytes: usize::MAX }
        }

        /// From now on it is used by this layout.
        #[cfg(all(feature = "process", target_os = "linux"))]
        pub fn lay_out(&mut self, layout: &Layout) {
            self.first_slot = layout.first_slot;
            self.slot_bytes = layout.slot_bytes;
        }

        pub fn is_shared_with_processes(&self) -> bool {
            !matches!(self.kind, Kind::Heap(_))
        }

        pub fn length(&self) -> usize {
            match &self.kind {
                Kind::Heap(lines) => size_of_val::<[Line]>(lines),
                #[cfg(all(feature = "process", target_os = "linux"))]
                Kind::Mapped(map) => map.len(),
            }
        }

        pub fn address(&self) -> *mut u8 {
            match &self.kind {
                // The pointer may be written through: what it points to is atomics.
                Kind::Heap(lines) => lines.as_ptr().cast_mut().cast(),
                #[cfg(all(feature = "process", target_os = "linux"))]
                Kind::Mapped(map) => map.as_mut_ptr(),
            }
        }

        /// The place of `count` values at `offset`, which are inside and aligned.
        fn place<T>(&self, offset: usize, count: usize) -> *mut T {
            let bytes = size_of::<T>() * count;
            assert!(offset.is_multiple_of(align_of::<T>()), "offset {offset} is not aligned");
            assert!(offset <= self.length() && bytes <= self.length() - offset, "outside of the block");
            // SAFETY: in bounds by the line above. Both kinds of memory start at a cache line or a page.
            unsafe { self.address().add(offset).cast() }
        }

        /// A word that all sides only ever touch atomically: the header, the directory, claims, stamps.
        pub fn word(&self, offset: usize) -> &AtomicU64 {
            let atomic = offset < self.first_slot
                || (offset - self.first_slot) % self.slot_bytes <= stamp::END - size_of::<u64>();
            assert!(atomic, "offset {offset} is in a column");
            let place: *mut AtomicU64 = self.place(offset, 1);
            // SAFETY: in bounds and aligned; it lives as long as `self`; all its bytes are always initialised.
            // By the check above it is none of the columns, and nothing else is ever accessed otherwise.
            unsafe { &*place }
        }

        /// # Safety
        /// Nobody else reads or writes these bytes meanwhile.
        pub unsafe fn write<T: Plain>(&self, offset: usize, values: &[T]) {
            let place: *mut T = self.place(offset, values.len());
            // SAFETY: in bounds and aligned; `values` is a Rust slice and so no part of the block; the caller
            // keeps others away.
            unsafe { place.copy_from_nonoverlapping(values.as_ptr(), values.len()) }
        }

        /// # Safety
        /// Nobody writes these bytes while the values are borrowed.
        pub unsafe fn read<T: Plain>(&self, offset: usize, count: usize) -> &[T] {
            let place: *const T = self.place(offset, count);
            // SAFETY: in bounds and aligned; any bytes are a `T`; the caller keeps writers away.
            unsafe { core::slice::from_raw_parts(place, count) }
        }
    }
}
