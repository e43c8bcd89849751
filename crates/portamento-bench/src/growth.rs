//! Does twice the crowd take twice the time?
//!
//! Within one level of the memory hierarchy it should; from one level to the next nothing does. So crowds are compared
//! with those that live where they live.

use crate::{Cache, caches};

/// The data caches of this machine, smallest first, and main memory: their names and bytes.
#[derive(Clone, Debug)]
pub struct Levels(Vec<(String, usize)>);

impl Levels {
    /// As the system reports them; memory alone where it does not.
    #[must_use]
    pub fn of_this_machine() -> Self {
        let caches = caches().into_iter().map(|Cache { level, bytes }| (format!("L{level}"), bytes));
        Self(caches.chain([("memory".to_owned(), usize::MAX)]).collect())
    }

    /// The level in which this many bytes live: twice the level below at least, half of this one at most. What is
    /// between lives in two, and belongs to neither.
    fn of(&self, bytes: usize) -> Option<usize> {
        let below = |index: usize| if index == 0 { 0 } else { self.0[index - 1].1 * 2 };
        (0..self.0.len()).find(|&index| (below(index)..=self.0[index].1 / 2).contains(&bytes))
    }

    /// The name of that level.
    #[must_use]
    pub fn name(&self, bytes: usize) -> String {
        self.of(bytes).map_or("two levels".to_owned(), |index| self.0[index].0.clone())
    }

    /// Rows for a table: for each level in which at least two of the `crowds` (how many, seconds for all of them) live,
    /// `what`, the level, how many crowds, nanoseconds for one of `bytes`, and the dearest over the cheapest.
    #[must_use]
    pub fn growth(&self, what: &str, bytes: usize, crowds: &[(usize, f64)]) -> Vec<Vec<String>> {
        let row = |(index, (level, _)): (usize, &(String, usize))| {
            let inside = crowds.iter().filter(|(n, _)| self.of(n * bytes) == Some(index));
            let each: Vec<f64> = inside.map(|(n, seconds)| seconds / *n as f64).collect();
            let (low, high) = each.iter().fold((f64::MAX, 0.0f64), |(l, h), &s| (l.min(s), h.max(s)));
            (each.len() > 1).then(|| {
                vec![
                    what.to_owned(),
                    level.clone(),
                    each.len().to_string(),
                    format!("{:.1} to {:.1}", low * 1e9, high * 1e9),
                    format!("{:.2}", high / low),
                ]
            })
        };
        self.0.iter().enumerate().filter_map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crowds_are_compared_with_those_that_live_where_they_live() {
        let levels = Levels(vec![("L1".into(), 32 << 10), ("memory".into(), usize::MAX)]);
        let names = [1, 16 << 10, 20 << 10, 64 << 10].map(|bytes| levels.name(bytes));
        assert_eq!(names, ["L1", "L1", "two levels", "memory"]);
        let crowds = [(10, 10e-9), (20, 30e-9), (1000, 5e-6)];
        assert_eq!(levels.growth("x", 100, &crowds), [["x", "L1", "2", "1.0 to 1.5", "1.50"]]);
    }
}
