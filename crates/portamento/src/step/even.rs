//! Where the `Even` rule of a gate draws: a constant distance behind the accumulated time.

use super::Moment;

/// How far back the picture looks for the longest quantum, in simulated seconds.
const WINDOW: f64 = 2.0;

/// How fast its distance may shrink: seconds per second. Slow enough not to be seen as a change of speed.
const SHRINK: f64 = 0.02;

/// The fewest quanta among which the longest is searched. Where frame times scatter, it is one of a dozen.
const FEWEST_CANDIDATES: usize = 16;

/// Numbers that must be remembered where a track keeps `ends` values.
pub(super) fn memory_needed(ends: usize) -> usize {
    ends.saturating_add(2 * FEWEST_CANDIDATES)
}

/// Remembers `MEMORY` numbers: when the last quanta ended, and the longest of them. With 0 there is no memory, for the rules
/// that need no memory.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Even<const MEMORY: usize> {
    /// The drawn moment, in simulated seconds. Never moves back.
    drawn: f64,
    /// How far behind the accumulated time that is.
    distance: f64,
    /// First a ring of `ends` simulated times at which quanta ended. Then a ring of pairs, end and length: quanta that may
    /// be the longest of the window, oldest and longest first. One that is followed by a longer one never matters again.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_array"))]
    memory: [f64; MEMORY],
    ends: u32,
    /// Where the newest end is, and how many are known.
    newest: u32,
    known: u32,
    /// Where the first candidate is, and how many there are.
    first: u32,
    count: u32,
}

/// `at + by` in a ring of this length; neither is longer.
fn around(at: u32, by: u32, length: u32) -> usize {
    let sum = at + by;
    (if sum >= length { sum - length } else { sum }) as usize
}

impl<const MEMORY: usize> Even<MEMORY> {
    /// At the start, as if a quantum of the shortest length had led there without moving.
    pub(super) fn new(min: f64, ends: usize) -> Self {
        let mut memory = [0.0; MEMORY];
        if let Some(before) = memory.first_mut() {
            *before = -min;
        }
        let ends = ends.min(MEMORY) as u32;
        Self { drawn: -min, distance: min, memory, ends, newest: 1, known: 2, first: 0, count: 0 }
    }

    fn end(&self, back: u32) -> f64 {
        self.memory[around(self.newest, self.ends - back, self.ends)]
    }

    fn push(&mut self, end: f64) {
        self.newest = around(self.newest, 1, self.ends) as u32;
        self.memory[self.newest as usize] = end;
        self.known = (self.known + 1).min(self.ends);
    }

    /// A quantum of this `length` ended.
    pub(super) fn quantum(&mut self, ended: f64, length: f64) {
        self.push(ended);
        while self.count > 0 && self.candidate(self.count - 1).1 <= length {
            self.count -= 1;
        }
        if self.count == self.room() {
            // Only dozens of ever shorter quanta within two seconds get here. The last candidate then stands for this
            // one too: its length is a bound for both.
            let at = self.place(self.count - 1);
            self.memory[at] = ended;
        } else {
            let at = self.place(self.count);
            (self.memory[at], self.memory[at + 1]) = (ended, length);
            self.count += 1;
        }
    }

    /// Nothing before `now` is drawn any more. The distance stays: the rhythm of the quanta has not changed.
    pub(super) fn forget(&mut self, now: f64) {
        self.memory[self.newest as usize] = now;
        self.known = 1;
    }

    /// Both ends are set at `now`, as if a quantum of the shortest length had led there without moving.
    pub(super) fn restart(&mut self, now: f64, min: f64) {
        self.forget(now - min);
        self.push(now);
    }

    /// Moves the drawn moment for a frame of `dt` seconds; by how much.
    pub(super) fn frame(&mut self, accumulated: f64, simulated: f64, dt: f64, min: f64) -> f64 {
        let longest = self.longest(simulated).unwrap_or(min);
        self.distance = longest.max(self.distance - SHRINK * dt);
        let before = self.drawn;
        self.drawn = before.max(accumulated - self.distance);
        self.drawn - before
    }

    pub(super) fn moment(&self) -> Moment {
        // Rounding must not show an end as the last bit of the interval before it.
        let drawn = self.drawn + 1e-9;
        if self.known < 2 || drawn >= self.end(0) {
            return Moment::newest(0.0);
        }
        let oldest = self.known - 2;
        let back = (0..oldest).find(|&back| self.end(back + 1) <= drawn).unwrap_or(oldest);
        let (from, to) = (self.end(back + 1), self.end(back));
        Moment::at((self.drawn - from) / (to - from), 0.0).ticks_back(back)
    }

    /// How many candidates there is room for.
    fn room(&self) -> u32 {
        (MEMORY as u32 - self.ends) / 2
    }

    /// Where a candidate is.
    fn place(&self, i: u32) -> usize {
        self.ends as usize + 2 * around(self.first, i, self.room())
    }

    /// When a candidate ended, and how long it was.
    fn candidate(&self, i: u32) -> (f64, f64) {
        let at = self.place(i);
        (self.memory[at], self.memory[at + 1])
    }

    /// The longest quantum that ended in the window before `now`.
    fn longest(&mut self, now: f64) -> Option<f64> {
        while self.count > 0 {
            let (ended, length) = self.candidate(0);
            if now - ended <= WINDOW {
                return Some(length);
            }
            self.first = around(self.first, 1, self.room()) as u32;
            self.count -= 1;
        }
        None
    }

    /// Whether frames can have led here: rings within their bounds, times that are times.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self, ends: usize, simulated: f64, farthest: f64, max: f64) -> bool {
        let is_quantum = |length: f64| length > 0.0 && length <= max;
        self.ends as usize == ends
            && self.newest < self.ends
            && (1..=self.ends).contains(&self.known)
            && self.first < self.room()
            && self.count <= self.room()
            && is_quantum(self.distance)
            && (simulated - self.drawn).abs() <= farthest
            && (simulated - self.end(0)).abs() <= farthest
            && (1..self.known).all(|back| self.end(back) <= self.end(back - 1))
            && (0..self.count)
                .map(|i| self.candidate(i))
                .all(|(ended, length)| ended <= simulated && is_quantum(length))
    }
}
