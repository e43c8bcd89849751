//! Whose atomics: the machine's, or the model checker's (`--cfg loom`)?

#[cfg(not(loom))]
pub(super) use super::memory::Memory;
#[cfg(not(loom))]
pub(super) use core::sync::atomic::{AtomicU32, Ordering, fence};

#[cfg(loom)]
pub(super) use super::protocol::model::{Memory, fence};
#[cfg(loom)]
pub(super) use loom::sync::atomic::{AtomicU32, Ordering};

/// How many bits of a tick's sequence number its directory word holds.
#[cfg(not(loom))]
pub(super) const fn sequence_bits() -> u32 {
    24
}
#[cfg(loom)]
pub(super) fn sequence_bits() -> u32 {
    super::protocol::model::SEQUENCE_BITS.get()
}
