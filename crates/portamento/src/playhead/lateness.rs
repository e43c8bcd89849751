//! How late do ticks arrive, by the measure that the margin follows?

use super::Lateness;

const BUCKETS: usize = 8;
/// Of the last second.
const BUCKET_SECONDS: f64 = 1.0 / BUCKETS as f64;
/// Arrivals that the median looks at.
const RECENT: usize = 31;

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct LatenessLog {
    /// The worst of each eighth of a second, a ring; the current one began at `began`.
    worst: [f64; BUCKETS],
    bucket: usize,
    began: f64,
    recent: [f64; RECENT],
    next: usize,
    filled: usize,
}

impl LatenessLog {
    pub(super) fn new(now: f64) -> Self {
        LatenessLog {
            worst: [0.0; BUCKETS],
            bucket: 0,
            began: now,
            recent: [0.0; RECENT],
            next: 0,
            filled: 0,
        }
    }

    pub(super) fn add(&mut self, arrival: f64, late: f64) {
        self.turn_to(arrival);
        self.worst[self.bucket] = self.worst[self.bucket].max(late);
        self.recent[self.next] = late;
        self.next = (self.next + 1) % RECENT;
        self.filled = (self.filled + 1).min(RECENT);
    }

    pub(super) fn measure(&mut self, now: f64, measure: Lateness) -> f64 {
        match measure {
            Lateness::Worst => {
                self.turn_to(now);
                self.worst.iter().fold(0.0, |worst, &late| if late > worst { late } else { worst })
            }
            Lateness::Median => self.median(),
        }
    }

    fn turn_to(&mut self, now: f64) {
        let passed = now - self.began;
        let near = passed < 2.0; // false for NaN too
        if !near {
            self.worst = [0.0; BUCKETS];
            self.began = now;
            return;
        }
        let mut passed = passed;
        while passed >= BUCKET_SECONDS {
            passed -= BUCKET_SECONDS;
            self.began += BUCKET_SECONDS;
            self.bucket = (self.bucket + 1) % BUCKETS;
            self.worst[self.bucket] = 0.0;
        }
    }

    fn median(&self) -> f64 {
        let mut sorted = self.recent;
        let sorted = &mut sorted[..self.filled];
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }
}
