//! Whose atomics: the machine's, or the model checker's (`--cfg loom`)?

#[cfg(not(loom))]
pub(super) use super::slots::memory::Memory;
#[cfg(not(loom))]
pub(super) use core::sync::atomic::{AtomicU64, Ordering, fence};

#[cfg(loom)]
pub(super) use super::slots::model::{Memory, fence};
#[cfg(loom)]
pub(super) use loom::sync::atomic::{AtomicU64, Ordering};
