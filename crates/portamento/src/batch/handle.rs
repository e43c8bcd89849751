//! Which pose lies where?
//!
//! Poses move about in memory (what moves lies in front, what rests behind), handles stay. A handle is a number
//! in this directory and a generation; when its pose is removed the generation goes up, and the old handle no
//! longer fits, whoever moves in.

use super::BatchError;
use alloc::vec::Vec;

/// Names one pose of a batch for as long as it lives. Never names another, also after its number is reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BatchHandle {
    index: u32,
    generation: u32,
}

impl BatchHandle {
    /// Returns a small number that no other living pose of the batch has: the place of this pose in an array of yours.
    /// It is given to another pose after this one is removed.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl From<BatchHandle> for u64 {
    /// A number that no other pose of the batch ever has: the index in its lower half, in its upper half how often the
    /// index had been used before.
    fn from(handle: BatchHandle) -> Self {
        Self::from(handle.generation) << 32 | Self::from(handle.index)
    }
}

#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Entry {
    generation: u32,
    /// Of a living pose: its slot. Of a free entry: the next free one, or `NONE`.
    slot: u32,
    alive: bool,
}

const NONE: u32 = u32::MAX;

/// From handles to slots, both ways in O(1).
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Directory {
    entries: Vec<Entry>,
    free: u32,
}

/// By hand, because a derived `clone_from` allocates.
impl Clone for Directory {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), free: self.free }
    }

    fn clone_from(&mut self, source: &Self) {
        self.entries.clone_from(&source.entries);
        self.free = source.free;
    }
}

impl Directory {
    pub const fn new() -> Self {
        Self { entries: Vec::new(), free: NONE }
    }

    pub fn reserve(&mut self, more: usize) {
        self.entries.reserve(more);
    }

    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// One more than the largest index in use or ever used: the rows of an array by index.
    pub fn indices(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub fn slot(&self, handle: BatchHandle) -> Result<usize, BatchError> {
        match self.entries.get(handle.index()) {
            Some(entry) if entry.alive && entry.generation == handle.generation => Ok(entry.slot as usize),
            _ => Err(BatchError::StaleHandle(handle)),
        }
    }

    #[cfg(feature = "serde")]
    pub fn living(&self) -> usize {
        self.entries.iter().filter(|entry| entry.alive).count()
    }

    /// Whether every free number leads to another free one, and some time to the last.
    #[cfg(feature = "serde")]
    pub fn free_numbers_end(&self) -> bool {
        let mut free = self.free;
        for _ in 0..=self.entries.len() {
            if free == NONE {
                return true;
            }
            match self.entries.get(free as usize) {
                Some(entry) if !entry.alive => free = entry.slot,
                _ => return false,
            }
        }
        false
    }

    #[inline]
    pub fn moved(&mut self, handle: BatchHandle, slot: usize) {
        self.entries[handle.index()].slot = slot as u32;
    }

    pub fn insert(&mut self, slot: usize) -> BatchHandle {
        let slot = slot as u32;
        if self.free != NONE {
            let index = self.free;
            let entry = &mut self.entries[index as usize];
            self.free = entry.slot;
            *entry = Entry { slot, alive: true, ..*entry };
            return BatchHandle { index, generation: entry.generation };
        }
        let index = self.entries.len() as u32;
        assert!(index != NONE, "a batch holds at most {NONE} poses");
        self.entries.push(Entry { generation: 0, slot, alive: true });
        BatchHandle { index, generation: 0 }
    }

    pub fn remove(&mut self, handle: BatchHandle) {
        let entry = &mut self.entries[handle.index()];
        entry.alive = false;
        // An entry whose generations are used up is never given away again: no handle ever comes back to life.
        if let Some(next) = entry.generation.checked_add(1) {
            entry.generation = next;
            entry.slot = self.free;
            self.free = handle.index;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_handle_never_comes_back_to_life() {
        let mut directory = Directory::new();
        let first = directory.insert(0);
        directory.remove(first);
        let second = directory.insert(0);
        assert_eq!(second.index(), first.index());
        assert_eq!(directory.slot(first), Err(BatchError::StaleHandle(first)));
        assert_eq!(directory.slot(second), Ok(0));
        assert_eq!(
            BatchError::StaleHandle(first).to_string(),
            "no pose has handle 0 of generation 0: it was removed, or belongs to another batch"
        );
    }

    #[test]
    fn a_number_whose_generations_are_used_up_retires() {
        let mut directory = Directory::new();
        let first = directory.insert(0);
        directory.entries[0].generation = u32::MAX;
        let last = BatchHandle { generation: u32::MAX, ..first };
        directory.remove(last);
        assert_eq!(directory.slot(last), Err(BatchError::StaleHandle(last)));
        assert_eq!(directory.insert(0).index(), 1);
    }
}
