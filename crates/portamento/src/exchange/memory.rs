//! How are the bytes of a block touched?
//!
//! The only file of the exchange with `unsafe` in it, apart from the two system calls of `wake.rs`. Everything in a
//! block is accessed atomically, always: the header, the directory, the seats and the stamps in words of 32 bits, the
//! columns in words of 64 bits. Columns start on a cache line and end on one, so there is no odd rest. So whatever
//! another process does to the bytes, by the protocol or against it, no access of ours is a data race: a liar can give
//! us wrong numbers, nothing worse. The columns are copied out, and only these copies are handed out as slices.
#![allow(unsafe_code)]
#![cfg_attr(loom, allow(dead_code))] // the model checker has a memory of its own

use core::sync::atomic::{AtomicU32, AtomicU64};

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::offsets::LINE;
use crate::blend::{Pose, Pose64, Rotation};

/// Types of which every bit pattern is a value, so that foreign bytes can be taken for one.
///
/// # Safety
/// As said, without padding, and aligned to at most 8 bytes.
#[allow(missing_docs)]
pub unsafe trait Plain: Copy + 'static {}
// SAFETY: an integer has no padding and no forbidden bit patterns.
unsafe impl Plain for u32 {}
// SAFETY: nor has a float.
unsafe impl Plain for f32 {}
// SAFETY: `repr(C)`, seven floats, and (by the lines below) nothing else.
unsafe impl Plain for Pose {}
// SAFETY: `repr(C)`, three doubles and four floats, and (by the lines below) nothing else.
unsafe impl Plain for Pose64 {}
const _: () = assert!(size_of::<Pose>() == 28 && core::mem::offset_of!(Pose, rotation) == 12);
const _: () = assert!(size_of::<Pose64>() == 40 && core::mem::offset_of!(Pose64, rotation) == 24);
const _: () = assert!(core::mem::offset_of!(Rotation, x) == 0 && core::mem::offset_of!(Rotation, w) == 12);

/// A copy of a slot's columns that is ours alone. Offsets are those of the slot.
#[derive(Clone, Debug)]
pub(super) struct Image(Vec<OwnLine>);

/// Aligned as the block's columns are: copies to where a cache line begins are faster.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct OwnLine([u64; LINE / 8]);

impl Image {
    pub fn new(slot_bytes: usize) -> Self {
        Self(alloc::vec![OwnLine([0; LINE / 8]); slot_bytes.div_ceil(LINE)])
    }

    pub fn words(&self, offset: usize, bytes: usize) -> &[u64] {
        // SAFETY: a line is its words and nothing else.
        let words: &[u64] =
            unsafe { core::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * (LINE / 8)) };
        &words[offset / 8..][..bytes.div_ceil(8)]
    }

    pub fn words_mut(&mut self, offset: usize, bytes: usize) -> &mut [u64] {
        // SAFETY: as above.
        let words: &mut [u64] =
            unsafe { core::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len() * (LINE / 8)) };
        &mut words[offset / 8..][..bytes.div_ceil(8)]
    }

    /// `count` values from `offset` on, which is a multiple of 8.
    #[inline]
    pub fn column<T: Plain>(&self, offset: usize, count: usize) -> &[T] {
        let words = self.words(offset, size_of::<T>() * count);
        // SAFETY: this many bytes are there by the line above, aligned to 8, and any bytes are a `T`.
        unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), count) }
    }

    #[inline]
    pub fn column_mut<T: Plain>(&mut self, offset: usize, count: usize) -> &mut [T] {
        let words = self.words_mut(offset, size_of::<T>() * count);
        // SAFETY: as above, and any `T` is bytes without padding.
        unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), count) }
    }
}

/// A cache line. Made of atomics, so that writing through a shared reference is allowed at all.
#[derive(Debug, Default)]
#[repr(C, align(64))]
struct Line([AtomicU64; LINE / 8]);

/// The bytes of a block: on the heap, in a mapped file, or someone else's.
#[derive(Debug)]
pub(super) struct Memory {
    start: *mut u8,
    length: usize,
    home: Home,
}

#[derive(Debug)]
enum Home {
    Heap(#[allow(dead_code)] Box<[Line]>),
    #[cfg(all(feature = "process", target_os = "linux"))]
    Mapped(#[allow(dead_code)] memmap2::MmapRaw),
    Foreign,
}

// SAFETY: `start` points into memory that lives as long as this (the home, or as the caller of `foreign` promises),
// and every access through it is atomic.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// Zeros on the heap.
    pub fn heap(length: usize) -> Self {
        let lines: Box<[Line]> = (0..length / LINE).map(|_| Line::default()).collect();
        // The pointer may be written through: what it points to is atomics. A box's contents do not move.
        Self { start: lines.as_ptr().cast_mut().cast(), length, home: Home::Heap(lines) }
    }

    #[cfg(all(feature = "process", target_os = "linux"))]
    pub fn mapped(map: memmap2::MmapRaw) -> Self {
        Self { start: map.as_mut_ptr(), length: map.len(), home: Home::Mapped(map) }
    }

    /// # Safety
    /// `start` is valid for reads and writes of `length` bytes for as long as this value lives, and is only accessed
    /// atomically meanwhile, by whoever.
    pub unsafe fn foreign(start: *mut u8, length: usize) -> Self {
        assert!(start.addr().is_multiple_of(LINE), "the memory of a block starts on a multiple of 64");
        Self { start, length, home: Home::Foreign }
    }

    /// Whether file locks decide who is alive.
    pub fn is_file(&self) -> bool {
        #[cfg(all(feature = "process", target_os = "linux"))]
        return matches!(self.home, Home::Mapped(_));
        #[cfg(not(all(feature = "process", target_os = "linux")))]
        return {
            let _ = &self.home;
            false
        };
    }

    pub fn length(&self) -> usize {
        self.length
    }

    #[cfg(test)]
    pub fn address(&self) -> *const u8 {
        self.start
    }

    /// A word of the header, the directory, a seat or a stamp.
    #[inline]
    pub fn word(&self, offset: usize) -> &AtomicU32 {
        assert!(offset.is_multiple_of(4) && offset < self.length && self.length - offset >= 4);
        // SAFETY: in bounds and aligned by the line above, alive as long as `self`, always initialised, and only ever
        // accessed atomically, with this size: columns have no words of 32 bits, and all else has only those.
        unsafe { &*self.start.add(offset).cast::<AtomicU32>() }
    }

    /// Words of a column.
    #[inline]
    fn words(&self, offset: usize, count: usize) -> &[AtomicU64] {
        assert!(offset.is_multiple_of(8) && offset <= self.length && count <= (self.length - offset) / 8);
        // SAFETY: as above, with 64 bits.
        unsafe { core::slice::from_raw_parts(self.start.add(offset).cast::<AtomicU64>(), count) }
    }

    /// Fills a part of a column. The caller has made sure that no one who keeps to the protocol reads it.
    pub fn write_column(&self, offset: usize, values: &[u64]) {
        let words = self.words(offset, values.len());
        // SAFETY: both are this many words; the block's are atomics, which may be written through a shared reference.
        unsafe { copy_words(values.as_ptr(), words.as_ptr().cast::<u64>().cast_mut(), values.len()) }
    }

    /// Copies a part of a column out. The caller has made sure that no one who keeps to the protocol writes it.
    pub fn read_column(&self, offset: usize, values: &mut [u64]) {
        let words = self.words(offset, values.len());
        // SAFETY: both are this many words, and the second are ours alone.
        unsafe { copy_words(words.as_ptr().cast(), values.as_mut_ptr(), values.len()) }
    }
}

/// Copies words of which one side may be accessed by others meanwhile: for each word a relaxed atomic load and a relaxed
/// atomic store.
///
/// Compilers do not vectorise such loops, and 64 bits at a time take 1.8 times as long as a plain copy. On x86-64 a
/// string instruction does the same at the speed of a plain copy (`benchmarks/exchange.md`): it moves aligned words
/// whole, and the compiler may assume nothing about memory that assembly accesses. A loop of SSE2 loads and stores in
/// assembly was slower (1.8): the string instruction need not read the lines that it overwrites.
///
/// # Safety
/// `from` is valid for reads of `count` words and `to` for writes, both aligned to 8 bytes, apart from each other, and
/// whoever accesses them meanwhile does so atomically.
#[inline]
unsafe fn copy_words(from: *const u64, to: *mut u64, count: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: reads and writes what the caller vouches for, upwards (the direction flag is clear on entry, by asm!'s
    // rules). Aligned words are read and written whole: x86 has no smaller pieces of an aligned quadword.
    unsafe {
        core::arch::asm!(
            "rep movsq",
            inout("rcx") count => _,
            inout("rsi") from => _,
            inout("rdi") to => _,
            options(nostack, preserves_flags),
        );
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    for index in 0..count {
        // SAFETY: within what the caller vouches for. The side that is ours alone may be accessed atomically as well.
        unsafe {
            use core::sync::atomic::Ordering::Relaxed;
            let value = (*from.add(index).cast::<AtomicU64>()).load(Relaxed);
            (*to.add(index).cast::<AtomicU64>()).store(value, Relaxed);
        }
    }
}
