//! How late do ticks arrive, by the measure that the margin follows?

use super::Lateness;
#[cfg(feature = "serde")]
use super::{saved::is_near, settings::LONGEST_SECONDS};

/// Pieces that the margin's memory is divided into; the oldest is forgotten at a time.
const PIECES: usize = 8;
/// Arrivals that the median is taken of.
const RECENT: usize = 31;
/// Lateness expected of a writer no one has watched yet, seconds; half a tick if that is less.
const AT_FIRST: f64 = 0.008;

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct LatenessLog {
    /// The worst of each piece of the memory, a ring; the current one began at `began`.
    worst: [f64; PIECES],
    piece: usize,
    began: f64,
    /// The last arrivals, a ring.
    recent: [f64; RECENT],
    next: usize,
    filled: usize,
}

impl LatenessLog {
    pub(super) fn new(now: f64, tick: f64) -> Self {
        let mut worst = [0.0; PIECES];
        worst[0] = AT_FIRST.min(0.5 * tick);
        LatenessLog { worst, piece: 0, began: now, recent: [0.0; RECENT], next: 0, filled: 0 }
    }

    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        // What is later than what is re-locked at was never entered.
        let numbers = self.worst.iter().chain(&self.recent).all(|late| late.abs() <= LONGEST_SECONDS);
        numbers && is_near(self.began) && self.piece < PIECES && self.next < RECENT && self.filled <= RECENT
    }

    /// Only arrivals turn the memory on: silence says nothing about lateness.
    pub(super) fn add(&mut self, arrival: f64, late: f64, memory: f64) {
        let length = memory / PIECES as f64;
        let mut passed = arrival - self.began;
        let usual = passed >= 0.0 && passed < 2.0 * memory; // false for NaN too
        if !usual {
            self.began = arrival;
            passed = 0.0;
        }
        while passed >= length {
            passed -= length;
            self.began += length;
            self.piece = (self.piece + 1) % PIECES;
            self.worst[self.piece] = 0.0;
        }
        self.worst[self.piece] = self.worst[self.piece].max(late);
        self.recent[self.next] = late;
        self.next = (self.next + 1) % RECENT;
        self.filled = (self.filled + 1).min(RECENT);
    }

    /// The line that lateness is measured from moved by `later` seconds.
    pub(super) fn shift(&mut self, later: f64) {
        for late in self.worst.iter_mut().chain(&mut self.recent) {
            *late = (*late - later).max(0.0);
        }
    }

    pub(super) fn measure(&self, measure: Lateness) -> f64 {
        match measure {
            Lateness::Worst => {
                self.worst.iter().fold(0.0, |worst, &late| if late > worst { late } else { worst })
            }
            Lateness::Median => self.median(),
        }
    }

    fn median(&self) -> f64 {
        let mut sorted = self.recent;
        let sorted = &mut sorted[..self.filled];
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }
}
