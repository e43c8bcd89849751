//! The block's memory as the model checker sees it (`--cfg loom`): words that remember every store another thread
//! may still see, and slots that notice when a reader and a writer are in them without one having waited for
//! the other.

use core::cell::Cell;

use alloc::boxed::Box;
use alloc::vec::Vec;
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU32, Ordering};

use super::super::offsets::{Layout, stamp};

std::thread_local! {
    /// Breaks the protocol on purpose: without its fences the checker must find a race.
    pub static FENCES: Cell<bool> = const { Cell::new(true) };
    /// How many bits of the sequence number a directory word holds: few, so that words repeat soon.
    pub static SEQUENCE_BITS: Cell<u32> = const { Cell::new(24) };
    /// What the newest tick of a new block is numbered: near the end, so that the numbers wrap.
    pub static FIRST_SEQUENCE: Cell<u32> = const { Cell::new(0) };
}

pub fn fence(order: Ordering) {
    if FENCES.get() {
        loom::sync::atomic::fence(order);
    }
}

#[derive(Debug)]
pub struct Memory {
    layout: Layout,
    /// All words before the slots.
    words: Vec<AtomicU32>,
    slots: Vec<Slot>,
}

#[derive(Debug)]
struct Slot {
    stamp: Vec<AtomicU32>,
    columns: UnsafeCell<Box<[u64]>>,
}

impl Memory {
    pub fn model(layout: &Layout) -> Self {
        let words = |bytes: usize| (0..bytes / 4).map(|_| AtomicU32::new(0)).collect();
        let columns = || UnsafeCell::new(alloc::vec![0; (layout.slot_bytes - stamp::END) / 8].into());
        let slots = (0..layout.slots).map(|_| Slot { stamp: words(stamp::END), columns: columns() });
        Self { layout: *layout, words: words(layout.first_slot), slots: slots.collect() }
    }

    pub fn is_file(&self) -> bool {
        false
    }

    pub fn length(&self) -> usize {
        self.layout.length
    }

    fn slot(&self, offset: usize) -> (&Slot, usize) {
        let offset = offset - self.layout.first_slot;
        (&self.slots[offset / self.layout.slot_bytes], offset % self.layout.slot_bytes)
    }

    pub fn word(&self, offset: usize) -> &AtomicU32 {
        if offset < self.layout.first_slot {
            return &self.words[offset / 4];
        }
        let (slot, offset) = self.slot(offset);
        &slot.stamp[offset / 4]
    }

    /// The checker takes note of the writing: an error if a reading does not come before or after it by the
    /// protocol's own doing.
    pub fn write_column(&self, offset: usize, values: &[u64]) {
        let (slot, offset) = self.slot(offset);
        // SAFETY: the checker has just made sure that no one else is there.
        slot.columns.with_mut(|columns| unsafe {
            let columns: &mut Box<[u64]> = &mut *columns;
            columns[(offset - stamp::END) / 8..][..values.len()].copy_from_slice(values);
        });
    }

    /// The same for a reading.
    pub fn read_column(&self, offset: usize, values: &mut [u64]) {
        let (slot, offset) = self.slot(offset);
        // SAFETY: as above.
        slot.columns.with(|columns| unsafe {
            let columns: &Box<[u64]> = &*columns;
            values.copy_from_slice(&columns[(offset - stamp::END) / 8..][..values.len()]);
        });
    }
}
