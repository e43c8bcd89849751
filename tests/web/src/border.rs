//! How do numbers cross between JavaScript and Rust?
//!
//! Through one row of f64 that both sides see. JavaScript writes the arguments from its start, and the results are
//! written from its start again. Everything is an f64 there: flags are 0 and 1, counts are exact up to 2^53.

use core::cell::UnsafeCell;
use portamento::SettingError;

/// How many numbers fit.
const ROOM: usize = 512;

struct Row(UnsafeCell<[f64; ROOM]>);

// SAFETY: this module has one thread: its memory is not shared.
unsafe impl Sync for Row {}

static ROW: Row = Row(UnsafeCell::new([0.0; ROOM]));

/// Returns the address of the row.
#[unsafe(no_mangle)]
pub extern "C" fn row() -> *mut f64 {
    ROW.0.get().cast()
}

/// A place in the row, from which numbers are taken or to which they are given, one after the other.
pub(crate) struct Numbers(*mut f64);

impl Numbers {
    pub(crate) fn from_the_start() -> Self {
        Self(row())
    }

    #[inline]
    pub(crate) fn take(&mut self) -> f64 {
        // SAFETY: no call takes or gives more than `ROOM` numbers: the longest list is checked by JavaScript.
        unsafe {
            let number = self.0.read();
            self.0 = self.0.add(1);
            number
        }
    }

    #[inline]
    pub(crate) fn take_all<const N: usize>(&mut self) -> [f64; N] {
        core::array::from_fn(|_| self.take())
    }

    pub(crate) fn take_flag(&mut self) -> bool {
        self.take() != 0.0
    }

    #[inline]
    pub(crate) fn give(&mut self, number: f64) {
        // SAFETY: as above.
        unsafe {
            self.0.write(number);
            self.0 = self.0.add(1);
        }
    }

    #[inline]
    pub(crate) fn give_all<const N: usize>(&mut self, numbers: [f64; N]) {
        numbers.into_iter().for_each(|number| self.give(number));
    }

    pub(crate) fn give_flag(&mut self, flag: bool) {
        self.give(if flag { 1.0 } else { 0.0 });
    }
}

/// Moves an object to memory of its own and returns its address.
pub(crate) fn keep<T>(object: T) -> *mut T {
    const PAGE: usize = 65536;
    let before = core::arch::wasm32::memory_grow(0, size_of::<T>().div_ceil(PAGE));
    let at = (before * PAGE) as *mut T;
    // SAFETY: the pages are new, large enough, and no one else's.
    unsafe { at.write(object) };
    at
}

/// The address of a new object; null where its settings were refused.
pub(crate) fn made<T>(object: Result<T, SettingError>) -> *mut T {
    object.map_or(core::ptr::null_mut(), keep)
}

/// Whether it was not refused.
pub(crate) fn done(result: Result<(), SettingError>) -> bool {
    result.is_ok()
}
