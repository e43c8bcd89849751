//! What did a call answer, and in which words?

use crate::table::Refusal;
use core::cell::Cell;
use core::fmt::{self, Write};
use portamento::SettingError;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What every function returns. Anything but `PORTAMENTO_OK` leaves the object as it was (except what it counts) and the
/// results unwritten; `portamento_last_error` has the text.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum portamento_status {
    /// It worked.
    PORTAMENTO_OK = 0,
    /// There is nothing to give yet: no message arrived, no tick was published, no more ticks are due.
    PORTAMENTO_NOTHING = 1,
    /// The handle names no object of this kind: it was freed, belongs to another kind, or is made up.
    PORTAMENTO_UNKNOWN_HANDLE = 2,
    /// Another thread (or a callback) is using this object at the moment.
    PORTAMENTO_BUSY = 3,
    /// A pointer that is needed is null.
    PORTAMENTO_NULL = 4,
    /// A struct's `size` is not the one that this library knows: recompile with the header of this library.
    PORTAMENTO_WRONG_SIZE = 5,
    /// A setting can never work.
    PORTAMENTO_BAD_SETTING = 6,
    /// A value cannot be used: not finite, a quaternion that is not of unit length, a number out of range.
    PORTAMENTO_BAD_VALUE = 7,
    /// A buffer is too short for the result.
    PORTAMENTO_TOO_SHORT = 8,
    /// There is no room for more.
    PORTAMENTO_FULL = 9,
    /// The operating system refused.
    PORTAMENTO_SYSTEM = 10,
    /// The library met a bug of its own. The object stays usable; please report the text of the error.
    PORTAMENTO_BUG = 11,
    /// Memory or a file is not a block of an exchange that this library can use.
    PORTAMENTO_BAD_BLOCK = 12,
    /// A claim was refused: the client cannot have seen what it names.
    PORTAMENTO_REFUSED = 13,
}

use portamento_status::{
    PORTAMENTO_BAD_SETTING, PORTAMENTO_BUG, PORTAMENTO_BUSY, PORTAMENTO_FULL, PORTAMENTO_NULL, PORTAMENTO_OK,
    PORTAMENTO_UNKNOWN_HANDLE, PORTAMENTO_WRONG_SIZE,
};

/// The words of the last error of this thread.
#[derive(Clone, Copy)]
struct Words {
    length: usize,
    bytes: [u8; 511],
}

thread_local! {
    static LAST: Cell<Words> = const { Cell::new(Words { length: 0, bytes: [0; 511] }) };
}

impl Write for Words {
    /// Takes what there is room for, whole characters only.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut end = text.len().min(self.bytes.len() - self.length);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.bytes[self.length..self.length + end].copy_from_slice(&text.as_bytes()[..end]);
        self.length += end;
        Ok(())
    }
}

/// An answer that is not `PORTAMENTO_OK`. Its words were kept when it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(pub(crate) portamento_status);

impl Failure {
    pub(crate) fn new(status: portamento_status, words: impl fmt::Display) -> Self {
        let mut kept = Words { length: 0, bytes: [0; 511] };
        // Writing into the buffer cannot fail; a Display that does leaves what it wrote.
        let _ = write!(kept, "{words}");
        LAST.set(kept);
        Self(status)
    }

    pub(crate) fn null(what: &str) -> Self {
        Self::new(PORTAMENTO_NULL, format_args!("{what} is null: give a pointer to one"))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unknown => Self::new(
                PORTAMENTO_UNKNOWN_HANDLE,
                "the handle names no such object: it was freed, or never made",
            ),
            Refusal::Busy => Self::new(
                PORTAMENTO_BUSY,
                "another call is using the object: use it from one thread at a time, and not from its own callback",
            ),
            Refusal::Full => Self::new(PORTAMENTO_FULL, "there are too many objects of this kind: free some"),
        }
    }
}

impl From<SettingError> for Failure {
    fn from(error: SettingError) -> Self {
        Self::new(PORTAMENTO_BAD_SETTING, error)
    }
}

/// The border: no panic crosses it.
#[inline]
pub(crate) fn answer(body: impl FnOnce() -> Result<(), Failure>) -> portamento_status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => PORTAMENTO_OK,
        Ok(Err(Failure(status))) => status,
        Err(_) => Failure::new(PORTAMENTO_BUG, "the library panicked; its message is on standard error").0,
    }
}

/// Copies the text of this thread's last error into `buffer`, at most `capacity` bytes with the ending zero.
/// Returns how many bytes the text has, without the zero; call it with a null `buffer` to ask.
///
/// Each thread has its own last error.
///
/// # Safety
/// `buffer` is null or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_last_error(buffer: *mut core::ffi::c_char, capacity: usize) -> usize {
    let words = LAST.get();
    if !buffer.is_null() && capacity > 0 {
        let length = words.length.min(capacity - 1);
        // SAFETY: the caller promises `capacity` bytes, and `length` is below it.
        unsafe {
            core::ptr::copy_nonoverlapping(words.bytes.as_ptr(), buffer.cast(), length);
            buffer.add(length).write(0);
        }
    }
    words.length
}

/// The version of this interface. It changes when a struct or a function changes; compare it with
/// `PORTAMENTO_ABI_VERSION` of the header you compiled with.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_abi_version() -> u32 {
    PORTAMENTO_ABI_VERSION
}

/// Compares the version that you were compiled with, `PORTAMENTO_ABI_VERSION`, with the library's:
/// `PORTAMENTO_WRONG_SIZE` if they differ, with an error text that says what to do. Call it once, before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_require_abi(version: u32) -> portamento_status {
    answer(|| {
        if version == PORTAMENTO_ABI_VERSION {
            return Ok(());
        }
        let words = format_args!(
            "compiled for version {version} of the interface, the library has {PORTAMENTO_ABI_VERSION}: use the header \
             that came with the library"
        );
        Err(Failure::new(PORTAMENTO_WRONG_SIZE, words))
    })
}

/// The version that this header describes.
pub const PORTAMENTO_ABI_VERSION: u32 = 1;
