//! Which object does a handle name?
//!
//! A handle is a number that C code keeps: 24 bits of index, 8 bits of kind, 32 bits of generation. The table checks
//! all three, so a handle that was freed, that belongs to another kind of object or that is made up is an error and
//! never undefined behaviour.
//!
//! ```text
//!   handle   [ generation : 32 | kind : 8 | index : 24 ]
//!
//!   slot     empty ──insert──► idle ──enter──► busy      one word: generation << 32 | phase
//!              ▲                │  ◄──leave──   │        every arrow is one compare-and-swap or store
//!              └────remove──────┴───────────────┘        remove raises the generation
//! ```
//!
//! Slots live in segments that double in size and never move, so a reference to a slot stays good while other threads
//! insert. Nothing ever waits: a second thread that enters a busy object gets [`Refusal::Busy`].

use crate::sync::{AtomicPtr, AtomicU32, AtomicU64, Ordering, UnsafeCell};
use core::mem::MaybeUninit;
use core::ptr;

const INDEX_BITS: u32 = 24;
/// The first segment holds 64 slots, each further one twice as many as the one before it.
const FIRST_BITS: u32 = 6;
const SEGMENTS: usize = (INDEX_BITS - FIRST_BITS) as usize;
/// One past the last index that the segments hold.
const CAPACITY: u32 = (1 << FIRST_BITS) * ((1 << SEGMENTS) - 1);
/// The generation at which a slot is not used again, so that no handle ever names two objects.
const LAST_GENERATION: u32 = u32::MAX;

const EMPTY: u64 = 0;
const IDLE: u64 = 1;
const BUSY: u64 = 2;

/// Why a handle was not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It names nothing of this kind: freed, of another kind, or made up.
    Unknown,
    /// Another call is inside the object.
    Busy,
    /// The table is full.
    Full,
}

struct Slot<T> {
    /// `generation << 32 | phase`.
    state: AtomicU64,
    /// While empty: the index after this one on the free list, plus 1; 0 ends the list.
    next: AtomicU32,
    value: UnsafeCell<MaybeUninit<T>>,
}

/// All objects of one kind.
pub struct Table<T> {
    kind: u8,
    segments: [AtomicPtr<Slot<T>>; SEGMENTS],
    /// Indices below this were handed out at least once.
    used: AtomicU32,
    /// Top of the list of empty slots: `tag << 32 | index + 1`. The tag changes with every pop and push, so that a
    /// compare-and-swap cannot mistake a list that was taken apart and rebuilt for the one it read.
    free: AtomicU64,
}

// SAFETY: a value is only touched by the thread that moved its slot from idle to busy, or before its handle exists.
unsafe impl<T: Send> Sync for Table<T> {}
// SAFETY: the table owns its values.
unsafe impl<T: Send> Send for Table<T> {}

impl<T> Table<T> {
    #[cfg(not(loom))]
    pub const fn new(kind: u8) -> Self {
        Self {
            kind,
            segments: [const { AtomicPtr::new(ptr::null_mut()) }; SEGMENTS],
            used: AtomicU32::new(0),
            free: AtomicU64::new(0),
        }
    }

    #[cfg(loom)]
    pub fn new(kind: u8) -> Self {
        Self {
            kind,
            segments: core::array::from_fn(|_| AtomicPtr::new(ptr::null_mut())),
            used: AtomicU32::new(0),
            free: AtomicU64::new(0),
        }
    }

    /// Takes `value` in and returns its handle, which is never 0.
    pub fn insert(&self, value: T) -> Result<u64, Refusal> {
        let index = self.pop_free().or_else(|| self.grow()).ok_or(Refusal::Full)?;
        let slot = self.slot(index).ok_or(Refusal::Full)?;
        let generation = (slot.state.load(Ordering::Relaxed) >> 32) as u32;
        // SAFETY: the slot is empty and off the free list: no other thread knows it.
        slot.value.with_mut(|place| unsafe { (*place).write(value) });
        slot.state.store(u64::from(generation) << 32 | IDLE, Ordering::Release);
        Ok(u64::from(generation) << 32 | u64::from(self.kind) << INDEX_BITS | u64::from(index))
    }

    /// Runs `call` on the object. Another call on the same object meanwhile is refused, also from within `call`.
    pub fn with<R>(&self, handle: u64, call: impl FnOnce(&mut T) -> R) -> Result<R, Refusal> {
        let slot = self.enter(handle)?;
        let _leave = Leave(&slot.state);
        // SAFETY: only who moved the slot to busy is here, and the value was written before it was idle.
        Ok(slot.value.with_mut(|place| call(unsafe { (*place).assume_init_mut() })))
    }

    /// Frees the object; its handle names nothing from then on.
    pub fn free(&self, handle: u64) -> Result<(), Refusal> {
        self.remove(handle).map(|_| ())
    }

    /// Takes the object out; its handle names nothing from then on.
    pub fn remove(&self, handle: u64) -> Result<T, Refusal> {
        let slot = self.enter(handle)?;
        // SAFETY: as in `with`; the slot is empty afterwards, so the value is read once.
        let value = slot.value.with_mut(|place| unsafe { (*place).assume_init_read() });
        let generation = (handle >> 32) as u32 + 1;
        slot.state.store(u64::from(generation) << 32 | EMPTY, Ordering::Release);
        if generation != LAST_GENERATION {
            self.push_free(handle as u32 & ((1 << INDEX_BITS) - 1), slot);
        }
        Ok(value)
    }

    fn enter(&self, handle: u64) -> Result<&Slot<T>, Refusal> {
        let (generation, low) = (handle >> 32, handle as u32);
        if generation == 0 || low >> INDEX_BITS != u32::from(self.kind) {
            return Err(Refusal::Unknown);
        }
        let slot = self.slot(low & ((1 << INDEX_BITS) - 1)).ok_or(Refusal::Unknown)?;
        let (idle, busy) = (generation << 32 | IDLE, generation << 32 | BUSY);
        match slot.state.compare_exchange(idle, busy, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Ok(slot),
            Err(found) if found == busy => Err(Refusal::Busy),
            Err(_) => Err(Refusal::Unknown),
        }
    }

    /// The slot of an index, if its segment exists.
    fn slot(&self, index: u32) -> Option<&Slot<T>> {
        if index >= CAPACITY {
            return None;
        }
        let (segment, at) = place(index);
        let first = self.segments[segment].load(Ordering::Acquire);
        // SAFETY: a segment is allocated with all its slots and never freed while the table lives.
        (!first.is_null()).then(|| unsafe { &*first.add(at) })
    }

    fn pop_free(&self) -> Option<u32> {
        let mut top = self.free.load(Ordering::Acquire);
        loop {
            let index = (top as u32).checked_sub(1)?;
            let next = self.slot(index)?.next.load(Ordering::Relaxed);
            let tag = (top >> 32).wrapping_add(1) << 32;
            let swap = self.free.compare_exchange_weak(
                top,
                tag | u64::from(next),
                Ordering::Acquire,
                Ordering::Acquire,
            );
            match swap {
                Ok(_) => return Some(index),
                Err(found) => top = found,
            }
        }
    }

    fn push_free(&self, index: u32, slot: &Slot<T>) {
        let mut top = self.free.load(Ordering::Relaxed);
        loop {
            slot.next.store(top as u32, Ordering::Relaxed);
            let tag = (top >> 32).wrapping_add(1) << 32;
            let new = tag | u64::from(index + 1);
            match self.free.compare_exchange_weak(top, new, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(found) => top = found,
            }
        }
    }

    /// Hands out an index that was never used, allocating its segment if this is the first of it.
    fn grow(&self) -> Option<u32> {
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            if used >= CAPACITY {
                return None;
            }
            match self.used.compare_exchange_weak(used, used + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break,
                Err(found) => used = found,
            }
        }
        let segment = place(used).0;
        if self.segments[segment].load(Ordering::Acquire).is_null() {
            let slots: Box<[Slot<T>]> = (0..length(segment)).map(|_| Slot::empty()).collect();
            let first = Box::into_raw(slots).cast::<Slot<T>>();
            let ours = self.segments[segment].compare_exchange(
                ptr::null_mut(),
                first,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            if ours.is_err() {
                // SAFETY: no one else saw the segment, and all its slots are empty.
                drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(first, length(segment))) });
            }
        }
        Some(used)
    }
}

impl<T> Slot<T> {
    fn empty() -> Self {
        Self {
            state: AtomicU64::new(1 << 32 | EMPTY),
            next: AtomicU32::new(0),
            value: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }
}

/// The objects go with the table. (The tables of the interface are statics and stay.)
impl<T> Drop for Table<T> {
    fn drop(&mut self) {
        for (segment, first) in self.segments.iter().enumerate() {
            let first = first.load(Ordering::Acquire);
            if first.is_null() {
                continue;
            }
            // SAFETY: `&mut self`: no other thread is here, and each segment is freed once.
            let slots = unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(first, length(segment))) };
            for slot in slots {
                if slot.state.load(Ordering::Acquire) & 3 != EMPTY {
                    // SAFETY: not empty means written.
                    slot.value.with_mut(|place| unsafe { (*place).assume_init_drop() });
                }
            }
        }
    }
}

/// Makes the slot idle again, also when the call panics.
struct Leave<'a>(&'a AtomicU64);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        let busy = self.0.load(Ordering::Relaxed);
        self.0.store(busy & !3 | IDLE, Ordering::Release);
    }
}

fn length(segment: usize) -> usize {
    1 << (segment + FIRST_BITS as usize)
}

/// Segment of an index, and its place there.
fn place(index: u32) -> (usize, usize) {
    let shifted = index + (1 << FIRST_BITS);
    let bits = 31 - shifted.leading_zeros();
    ((bits - FIRST_BITS) as usize, (shifted - (1 << bits)) as usize)
}

#[cfg(test)]
mod tests;
