//! How is what changed found among a hundred thousand that did not?
//!
//! By rows of a table, [`FEW`] at a time: the processor compares several change ticks at once, and most groups are passed by.

use bevy_ecs::change_detection::{MAX_CHANGE_AGE, Tick};

/// So many rows at a time.
pub(crate) const FEW: usize = 16;

/// Which rows of a group are meant: one bit for each, the lowest for the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits(u16);

impl Bits {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(u16::MAX);

    /// Those of at most [`FEW`] rows.
    #[inline]
    pub(crate) fn of<T>(rows: &[T], is_one: impl Fn(&T) -> bool) -> Self {
        Self(rows.iter().enumerate().fold(0, |bits, (row, one)| bits | u16::from(is_one(one)) << row))
    }

    /// Those, and others that are asked for only if those are not all.
    #[inline]
    pub(crate) fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::ALL { self } else { Self(self.0 | other().0) }
    }

    /// Calls `with` for each, with its number if `start` is that of the first row.
    #[inline(always)] // it is a loop in somebody's loop
    pub(crate) fn each(self, start: usize, mut with: impl FnMut(usize)) {
        let mut bits = self.0;
        while bits != 0 {
            with(start + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// The first rows of all groups of so many rows.
pub(crate) fn groups(rows: usize) -> impl Iterator<Item = usize> {
    (0..rows).step_by(FEW)
}

/// A way along the rows of a table that stops where a few have been found.
#[derive(Default)]
pub(crate) struct Search {
    next: usize,
    found: [usize; 2 * FEW],
}

impl Search {
    /// The next few of so many rows that are meant; none at the end.
    #[inline(always)] // the question is a few instructions
    pub(crate) fn few(&mut self, rows: usize, which: impl Fn(usize) -> Bits) -> &[usize] {
        let mut count = 0;
        while count < FEW && self.next < rows {
            let start = self.next;
            self.next += FEW;
            match which(start) {
                Bits::ALL => {
                    for (row, found) in (start..).zip(&mut self.found[count..count + FEW]) {
                        *found = row;
                    }
                    count += FEW;
                }
                some => some.each(start, |row| {
                    self.found[count] = row;
                    count += 1;
                }),
            }
        }
        &self.found[..count]
    }
}

/// What is newer than a moment in the past, as Bevy's `Tick::is_newer_than` has it.
#[derive(Clone, Copy)]
pub(crate) struct Since {
    now: u32,
    age: u32,
}

impl Since {
    pub(crate) fn new(then: Tick, now: Tick) -> Self {
        Self { now: now.get(), age: now.get().wrapping_sub(then.get()).min(MAX_CHANGE_AGE) }
    }

    #[inline]
    pub(crate) fn is_newer(&self, tick: Tick) -> bool {
        self.now.wrapping_sub(tick.get()) < self.age
    }

    /// Whether any tick is newer.
    #[inline]
    pub(crate) fn is_any_newer(&self, ticks: &[Tick]) -> bool {
        ticks.iter().fold(false, |any, tick| any | self.is_newer(*tick))
    }

    /// Which are newer of the group that begins at a row.
    #[inline]
    pub(crate) fn newer(&self, ticks: &[Tick], start: usize) -> Bits {
        let is_one = |tick: &Tick| self.is_newer(*tick);
        // Mostly none is.
        match ticks[start..].first_chunk::<FEW>() {
            Some(group) if !self.is_any_newer(group) => Bits::NONE,
            Some(group) => Bits::of(group, is_one),
            None => Bits::of(&ticks[start..], is_one),
        }
    }

    /// How many are newer.
    #[inline]
    pub(crate) fn count_newer(&self, ticks: &[Tick; FEW]) -> usize {
        ticks.iter().map(|tick| u32::from(self.is_newer(*tick))).sum::<u32>() as usize
    }
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn newer_is_what_bevy_calls_newer() {
        let some = [0, 1, 2, 3, 1000, MAX_CHANGE_AGE, MAX_CHANGE_AGE + 1, u32::MAX - 1, u32::MAX];
        for now in some.map(Tick::new) {
            for then in some.map(Tick::new) {
                for tick in some.map(Tick::new) {
                    let wanted = tick.is_newer_than(then, now);
                    assert_eq!(Since::new(then, now).is_newer(tick), wanted, "{tick:?} {then:?} {now:?}");
                }
            }
        }
    }

    #[test]
    fn one_newer_tick_is_enough() {
        let (old, new) = (Tick::new(5), Tick::new(9));
        let since = Since::new(Tick::new(7), Tick::new(20));
        for count in [0, 1, 15, 16] {
            assert!(!since.is_any_newer(&[old; FEW][..count]));
            for which in 0..count {
                let mut ticks = [old; FEW];
                ticks[which] = new;
                assert!(since.is_any_newer(&ticks[..count]));
            }
        }
    }

    #[test]
    fn a_search_finds_all_in_their_order_and_nothing_else() {
        let mut seed = 1u32;
        for rows in 0..200 {
            for rare in [1, 2, 7, 40, 1000] {
                let ticks: [Tick; 200] = core::array::from_fn(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    Tick::new(if (seed >> 8).is_multiple_of(rare) { 9 } else { 5 })
                });
                let (ticks, since) = (&ticks[..rows], Since::new(Tick::new(7), Tick::new(20)));
                let wanted: Vec<_> = (0..rows).filter(|&row| since.is_newer(ticks[row])).collect();
                let (mut search, mut found) = (Search::default(), Vec::new());
                loop {
                    let few = search.few(rows, |start| since.newer(ticks, start));
                    if few.is_empty() {
                        break;
                    }
                    found.extend(few);
                }
                assert_eq!(found, wanted, "{rows} rows");
                found.clear();
                groups(rows).for_each(|start| since.newer(ticks, start).each(start, |row| found.push(row)));
                assert_eq!(found, wanted, "{rows} rows");
            }
        }
    }
}
