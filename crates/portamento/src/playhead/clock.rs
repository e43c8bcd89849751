//! What does the writer's clock read at a moment of ours?
//!
//! A straight line through (arrival, simulation time), followed by an alpha-beta filter. An arrival can only be
//! late, never early, so late ones pull less the later they are: the line settles near the punctual ones.

use super::Settings;

/// Ticks in each half of the window that notices a new rate.
const HALF: usize = 4;
const WINDOW: usize = 2 * HALF + 1;
/// Both halves of the window must disagree with the line by more than this share of the rate.
const RATE_DISAGREES: f64 = 0.12;
/// How many ticks' worth of trust the assumed rate has at the start.
const PRIOR_TICKS: f64 = 6.0;
/// The least spread assumed among punctual arrivals, seconds.
const LEAST_SPREAD: f64 = 0.0005;

/// What an arrival did to the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fitted {
    /// Late by so many seconds of our clock (0 for punctual).
    Followed { late: f64 },
    /// So far off that the line starts anew here.
    Relocked,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct WriterClock {
    at: f64,
    sim: f64,
    pub(super) rate: f64,
    samples: u32,
    /// Typical size of a residual, seconds of our clock.
    spread: f64,
    recent: [(f64, f64); WINDOW],
    filled: usize,
}

impl WriterClock {
    pub(super) fn new(arrival: f64, sim: f64) -> Self {
        let mut clock = WriterClock {
            at: arrival,
            sim,
            rate: 1.0,
            samples: 1,
            spread: 0.0015,
            recent: [(0.0, 0.0); WINDOW],
            filled: 0,
        };
        clock.remember(arrival, sim);
        clock
    }

    /// The writer's clock at `now`, as far as known.
    pub(super) fn reads(&self, now: f64) -> f64 {
        self.sim + self.rate * (now - self.at)
    }

    pub(super) fn observe(&mut self, arrival: f64, sim: f64, tick: f64, settings: &Settings) -> Fitted {
        self.remember(arrival, sim);
        let expected = self.reads(arrival);
        let residual = sim - expected;
        let in_our_time = residual / self.rate;
        let near = in_our_time.abs() <= settings.relock; // false for NaN too
        if !near {
            self.restart_at(arrival, sim);
            return Fitted::Relocked;
        }
        if let Some(rate) = self.new_rate(settings) {
            self.restart_at(arrival, sim);
            self.rate = rate;
            return Fitted::Relocked;
        }
        let late = (-in_our_time).max(0.0);
        let trust = if late > 0.0 {
            let scale = settings.late_scale * self.spread;
            scale * scale / (scale * scale + late * late)
        } else {
            1.0
        };
        self.samples = self.samples.saturating_add(1);
        let n = f64::from(self.samples);
        let m = n + PRIOR_TICKS;
        let offset_gain = (2.0 * (2.0 * n - 1.0) / (n * (n + 1.0))).min(1.0).max(settings.offset_gain);
        let rate_gain = (6.0 / (m * (m + 1.0))).max(settings.rate_gain);
        self.at = arrival;
        self.sim = expected + offset_gain * trust * residual;
        // One tick's length bounds what a single arrival can say about the rate.
        let bounded = residual.clamp(-tick, tick);
        self.rate = settings.bounded_rate(self.rate + rate_gain * trust * bounded / tick * self.rate);
        self.spread += 0.02 * (in_our_time.abs().min(4.0 * self.spread) - self.spread);
        self.spread = self.spread.max(LEAST_SPREAD);
        Fitted::Followed { late }
    }

    fn restart_at(&mut self, arrival: f64, sim: f64) {
        self.at = arrival;
        self.sim = sim;
        self.samples = 1;
    }

    fn remember(&mut self, arrival: f64, sim: f64) {
        if self.filled == WINDOW {
            self.recent.copy_within(1.., 0);
            self.filled -= 1;
        }
        self.recent[self.filled] = (arrival, sim);
        self.filled += 1;
    }

    /// The rate of the last ticks, if the line's is plainly another: a late tick makes one half of the window slow
    /// and the other fast; only a real change makes both differ the same way.
    fn new_rate(&mut self, settings: &Settings) -> Option<f64> {
        if self.filled < WINDOW {
            return None;
        }
        let slope = |from: (f64, f64), to: (f64, f64)| {
            let span = to.0 - from.0;
            if span > 0.0 { (to.1 - from.1) / span } else { f64::INFINITY }
        };
        let older = slope(self.recent[0], self.recent[HALF]) / self.rate;
        let newer = slope(self.recent[HALF], self.recent[2 * HALF]) / self.rate;
        let slower = older < 1.0 - RATE_DISAGREES && newer < 1.0 - RATE_DISAGREES;
        let faster = older > 1.0 + RATE_DISAGREES && newer > 1.0 + RATE_DISAGREES;
        if !slower && !faster {
            return None;
        }
        let whole = slope(self.recent[0], self.recent[2 * HALF]);
        let rate = settings.bounded_rate(whole);
        self.recent[0] = self.recent[2 * HALF];
        self.filled = 1;
        (rate.is_finite() && rate != self.rate).then_some(rate)
    }
}
