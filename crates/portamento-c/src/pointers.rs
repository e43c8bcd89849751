//! How are pointers of the caller read and written?
//!
//! Every pointer is checked for null here; that it points to what its type says, for as long as the call lasts, is the
//! caller's promise, which each function's documentation repeats in C's words.

use crate::status::Failure;
use crate::status::portamento_status::{PORTAMENTO_NOTHING, PORTAMENTO_WRONG_SIZE};

/// Reads a struct of the caller.
///
/// # Safety
/// `from` is null, or points to a readable `T`.
#[inline]
pub(crate) unsafe fn read<T: Copy>(from: *const T, what: &str) -> Result<T, Failure> {
    if from.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: not null, and the caller's promise. Unaligned reads cost nothing where pointers are aligned.
    Ok(unsafe { from.read_unaligned() })
}

/// Writes a result for the caller.
///
/// # Safety
/// `to` is null, or points to a writable `T`.
#[inline]
pub(crate) unsafe fn write<T>(to: *mut T, value: T, what: &str) -> Result<(), Failure> {
    if to.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: not null, and the caller's promise.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// Writes a result that there may be none of: `PORTAMENTO_NOTHING` then.
///
/// # Safety
/// As [`write()`].
#[inline]
pub(crate) unsafe fn write_found<T>(to: *mut T, found: Option<T>, what: &str) -> Result<(), Failure> {
    let found = found.ok_or(Failure(PORTAMENTO_NOTHING))?;
    // SAFETY: the caller's promise.
    unsafe { write(to, found, what) }
}

/// Writes a result that the caller may leave out.
///
/// # Safety
/// As [`write()`].
#[inline]
pub(crate) unsafe fn write_if_wanted<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: not null, and the caller's promise.
        unsafe { to.write_unaligned(value) };
    }
}

/// Writes what `make` returns, which is not called if there is no place for it: whatever it does to an object is then not
/// done either.
///
/// # Safety
/// As [`write()`].
#[inline]
pub(crate) unsafe fn make<T>(
    to: *mut T,
    what: &str,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    if to.is_null() {
        return Err(Failure::null(what));
    }
    let made = make()?;
    // SAFETY: the caller's promise.
    unsafe { write(to, made, what) }
}

/// A settings struct that begins with its own size, so that a program compiled with another header is noticed.
pub(crate) trait Sized32: Copy {}

/// Reads settings and checks their size.
///
/// # Safety
/// `from` is null, or points to a struct whose first field is its size in bytes.
pub(crate) unsafe fn settings<T: Sized32>(from: *const T, what: &str) -> Result<T, Failure> {
    if from.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: the size is the first field of every version of every settings struct.
    let size = unsafe { from.cast::<u32>().read_unaligned() };
    let known = size_of::<T>();
    if size as usize != known {
        let words = format_args!(
            "{what} has size {size}, this library knows {known}: fill it with the function that its comment names, \
             and compile with the header of this library"
        );
        return Err(Failure::new(PORTAMENTO_WRONG_SIZE, words));
    }
    // SAFETY: the size fits, so a whole `T` is there.
    Ok(unsafe { from.read_unaligned() })
}

/// The values of a strided array of the caller: `count` of them, each `stride` bytes after the one before it.
#[derive(Clone, Copy)]
pub(crate) struct Strided<T> {
    first: *const T,
    stride: usize,
}

impl<T: Copy> Strided<T> {
    /// # Safety
    /// `first` points to `count` readable values, `stride` bytes apart, or `count` is 0. A stride of 0 means that they
    /// lie side by side.
    pub(crate) unsafe fn new(
        first: *const T,
        stride: usize,
        count: usize,
        what: &str,
    ) -> Result<Self, Failure> {
        if first.is_null() && count > 0 {
            return Err(Failure::null(what));
        }
        Ok(Self { first, stride: if stride == 0 { size_of::<T>() } else { stride } })
    }

    /// # Safety
    /// `index` is below the count that it was made with.
    #[inline]
    pub(crate) unsafe fn get(&self, index: usize) -> T {
        // SAFETY: the caller's promise to `new`.
        unsafe { self.first.cast::<u8>().add(index * self.stride).cast::<T>().read_unaligned() }
    }
}
