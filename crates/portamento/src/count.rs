//! Counters that stay at their largest value.

/// The numbers that count something.
pub(crate) trait Counter: Copy {
    /// One more, or the largest value.
    fn one_more(self) -> Self;
}

impl Counter for u32 {
    fn one_more(self) -> Self {
        self.saturating_add(1)
    }
}

impl Counter for u64 {
    fn one_more(self) -> Self {
        self.saturating_add(1)
    }
}

/// Adds one; a counter that is full stays full.
pub(crate) fn count(counter: &mut impl Counter) {
    *counter = counter.one_more();
}
