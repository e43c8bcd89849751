//! The block's memory as the model checker sees it (`--cfg loom`): words that remember every store another thread
//! may still see, and slots that notice when a reader and a writer are in them without one having waited for
//! the other.

use core::cell::Cell;
use core::mem::MaybeUninit;

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
    columns: UnsafeCell<Box<[u8]>>,
}

impl Memory {
    pub fn heap(layout: &Layout) -> Self {
        let words = |bytes: usize| (0..bytes / 8).map(|_| AtomicU64::new(0)).collect();
        let columns = || UnsafeCell::new(alloc::vec![0; layout.slot_bytes - stamp::END].into());
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
        // SAFETY: the checker has just made sure that nobody else is there; lengths are checked by the slice.
        slot.columns.with_mut(|columns| unsafe {
            let place = &mut (&mut *columns)[offset - stamp::END..][..size_of_val(values)];
            place.as_mut_ptr().copy_from_nonoverlapping(values.as_ptr().cast(), place.len());
        });
    }

    pub unsafe fn read<T: Plain>(&self, offset: usize, out: &mut [T]) {
        for (row, out) in out.iter_mut().enumerate() {
            // SAFETY: the caller's promise is the same.
            *out = unsafe { self.get(offset + row * size_of::<T>()) };
        }
    }

    pub unsafe fn get<T: Plain>(&self, offset: usize) -> T {
        let (slot, offset) = self.slot(offset);
        let mut value = MaybeUninit::<T>::uninit();
        // SAFETY: as in `write`; afterwards every byte of the value has been written.
        slot.columns.with(|columns| unsafe {
            let place = &(&*columns)[offset - stamp::END..][..size_of::<T>()];
            value.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(place.as_ptr(), place.len());
            value.assume_init()
        })
    }
}
