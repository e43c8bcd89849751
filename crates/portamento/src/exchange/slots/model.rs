//! The block's memory as the model checker sees it (`--cfg loom`): words that remember every store another thread
//! may still see, and slots that notice when a reader and a writer are in them without one having waited for
//! the other.

use core::cell::Cell;

use alloc::boxed::Box;
use alloc::vec::Vec;
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU64, Ordering};

use super::super::layout::{Layout, stamp};
use super::Plain;

std::thread_local! {
    /// Breaks the protocol on purpose: without its fences the checker must find a race.
    pub static FENCES: Cell<bool> = const { Cell::new(true) };
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
    words: Vec<AtomicU64>,
    slots: Vec<Slot>,
}

#[derive(Debug)]
struct Slot {
    stamp: Vec<AtomicU64>,
    columns: UnsafeCell<Box<[u64]>>,
}

impl Memory {
    pub fn heap(layout: &Layout) -> Self {
        let words = |bytes: usize| (0..bytes / 8).map(|_| AtomicU64::new(0)).collect();
        let columns = || UnsafeCell::new(alloc::vec![0; (layout.slot_bytes - stamp::END) / 8].into());
        let slots = (0..layout.slots).map(|_| Slot { stamp: words(stamp::END), columns: columns() });
        Self { layout: *layout, words: words(layout.first_slot), slots: slots.collect() }
    }

    pub fn is_shared_with_processes(&self) -> bool {
        false
    }

    fn slot(&self, offset: usize) -> (&Slot, usize) {
        let offset = offset - self.layout.first_slot;
        (&self.slots[offset / self.layout.slot_bytes], offset % self.layout.slot_bytes)
    }

    pub fn word(&self, offset: usize) -> &AtomicU64 {
        if offset < self.layout.first_slot {
            return &self.words[offset / 8];
        }
        let (slot, offset) = self.slot(offset);
        &slot.stamp[offset / 8]
    }

    pub unsafe fn write<T: Plain>(&self, offset: usize, values: &[T]) {
        let (slot, offset) = self.slot(offset);
        // SAFETY: the checker has just made sure that nobody else is there.
        slot.columns.with_mut(|columns| unsafe {
            let place: *mut T = place(columns, offset, values.len());
            place.copy_from_nonoverlapping(values.as_ptr(), values.len());
        });
    }

    /// The checker takes note of the reading here; a write is an error if it does not come after this by the
    /// protocol's own doing.
    pub unsafe fn read<T: Plain>(&self, offset: usize, count: usize) -> &[T] {
        let (slot, offset) = self.slot(offset);
        // SAFETY: as above, and as the caller promises.
        slot.columns.with(|columns| unsafe {
            core::slice::from_raw_parts(place(columns.cast_mut(), offset, count), count)
        })
    }
}

/// # Safety
/// `columns` may be accessed.
unsafe fn place<T>(columns: *mut Box<[u64]>, offset: usize, count: usize) -> *mut T {
    // SAFETY: as the caller promises, and in bounds by the check.
    unsafe {
        let first = (*columns).as_mut_ptr().cast::<u8>();
        let bytes = (&*columns).len() * 8;
        assert!(offset - stamp::END + size_of::<T>() * count <= bytes);
        first.add(offset - stamp::END).cast()
    }
}
