//! How does a reader sleep until the next tick?
//!
//! By the kernel's futex on the block's word `latest`: two system calls, made only while a reader really sleeps.
#![allow(unsafe_code)]

use core::sync::atomic::AtomicU32;
use core::time::Duration;

use nix::libc;

/// Wakes everybody who sleeps on this word, in all processes.
pub(super) fn wake_all(word: &AtomicU32) {
    // SAFETY: the address is that of a live word; waking reads and writes nothing.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX);
    }
}

/// Sleeps while the word is `value`, at most for `timeout`, or a little less (a signal).
pub(super) fn sleep_while(word: &AtomicU32, value: u32, timeout: Duration) {
    let time = libc::timespec {
        tv_sec: timeout.as_secs().min(1 << 30) as libc::time_t,
        tv_nsec: timeout.subsec_nanos() as _,
    };
    let time: *const libc::timespec = &raw const time;
    // SAFETY: the address is that of a live word, which the kernel reads atomically; `time` outlives the call.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, time);
    }
}
