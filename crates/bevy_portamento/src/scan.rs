//! How is what changed found among a hundred thousand that did not?
//!
//! By rows of a table, [`FEW`] at a time: the processor compares several change ticks at once, and most groups are passed by.

use bevy_ecs::change_detection::{MAX_CHANGE_AGE, Tick};

/// So many rows at a time.
pub(crate) const FEW: usize = 16;

/// Rows that were found, of one or more groups.
pub(crate) type Found = [usize; 2 * FEW];

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

    #[inline]
    fn is_any_newer(&self, ticks: &[Tick]) -> bool {
        ticks.iter().fold(false, |any, tick| any | self.is_newer(*tick))
    }

    /// Whether any tick is newer among both.
    #[inline]
    pub(crate) fn is_any_newer_of(&self, a: &[Tick], b: &[Tick]) -> bool {
        self.is_any_newer(a) | self.is_any_newer(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert!(!since.is_any_newer_of(&[old; FEW][..count], &[old; FEW][..count]));
            for which in 0..count {
                let mut ticks = [old; FEW];
                ticks[which] = new;
                assert!(since.is_any_newer_of(&ticks[..count], &[old; FEW][..count]));
                assert!(since.is_any_newer_of(&[old; FEW][..count], &ticks[..count]));
            }
        }
    }
}
