//! In which row is an entity?
//!
//! A hash table of fixed size (open addressing, linear probing, at most half full): nothing is allocated after it is
//! made, and a removal shifts what follows back, so that searches stay short however many come and go.

use alloc::vec::Vec;

#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// (id, row + 1), or row 0 for an empty place. The length is a power of two.
    places: Vec<(u64, u32)>,
}

impl Rows {
    pub fn new(capacity: usize) -> Self {
        Self { places: alloc::vec![(0, 0); (2 * capacity).next_power_of_two()] }
    }

    fn home(&self, id: u64) -> usize {
        // Fibonacci hashing: neighbouring ids, the usual case, spread over the whole table.
        let hash = id.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((hash ^ hash >> 32) as usize) & (self.places.len() - 1)
    }

    /// The place of `id`, or the empty one where it would be.
    fn place(&self, id: u64) -> usize {
        let mut place = self.home(id);
        while self.places[place].1 != 0 && self.places[place].0 != id {
            place = (place + 1) & (self.places.len() - 1);
        }
        place
    }

    #[inline]
    pub fn get(&self, id: u64) -> Option<usize> {
        (self.places[self.place(id)].1 as usize).checked_sub(1)
    }

    /// `id` is not there yet, and fewer than the capacity are.
    pub fn insert(&mut self, id: u64, row: usize) {
        let place = self.place(id);
        self.places[place] = (id, row as u32 + 1);
    }

    pub fn remove(&mut self, id: u64) -> Option<usize> {
        let mut hole = self.place(id);
        let row = (self.places[hole].1 as usize).checked_sub(1)?;
        let last = self.places.len() - 1;
        let mut next = (hole + 1) & last;
        while self.places[next].1 != 0 {
            // What follows moves into the hole unless its home lies behind the hole.
            let home = self.home(self.places[next].0);
            if next.wrapping_sub(home) & last >= next.wrapping_sub(hole) & last {
                self.places[hole] = self.places[next];
                hole = next;
            }
            next = (next + 1) & last;
        }
        self.places[hole] = (0, 0);
        Some(row)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_finds_what_a_tree_finds(actions in prop::collection::vec((any::<bool>(), 0_u64..40, any::<bool>()), 0..400)) {
            let (mut rows, mut tree) = (Rows::new(20), BTreeMap::new());
            for (insert, id, far) in actions {
                // Far ids collide with near ones in the low bits.
                let id = if far { id << 40 } else { id };
                if insert && tree.len() < 20 && !tree.contains_key(&id) {
                    rows.insert(id, tree.len());
                    tree.insert(id, tree.len());
                } else if !insert {
                    prop_assert_eq!(rows.remove(id), tree.remove(&id));
                }
                for id in (0..40).flat_map(|id| [id, id << 40]) {
                    prop_assert_eq!(rows.get(id), tree.get(&id).copied());
                }
            }
        }
    }
}
