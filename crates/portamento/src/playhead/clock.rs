//! What does the writer's clock read at a moment of ours?
//!
//! A straight line through (arrival, simulation time), followed by an alpha-beta filter. Three things it must
//! tell apart, because each moves an arrival away from the line:
//!
//! * **jitter**: this tick was late, the next will not be. Very late ones hardly move the line.
//! * **a shift**: every tick from here on is later (a pause, a slower path). The line moves there, all at once.
//! * **another rate**: each tick is later than the one before by the same amount. The line turns.

use super::Settings;

/// Points in each half of the window that shifts and rates are judged by.
const HALF: usize = 6;
const WINDOW: usize = 2 * HALF + 1;
/// Both halves of the window must disagree with the line by more than this share of the rate.
const RATE_DISAGREES: f64 = 0.15;
/// How many ticks' worth of trust the rate has after a re-lock.
const PRIOR_TICKS: f64 = 6.0;
/// The spread of a writer nobody has watched yet, and the least that is ever assumed; seconds of our clock.
const FIRST_SPREAD: f64 = 0.0015;
const LEAST_SPREAD: f64 = 0.0005;

/// What an arrival did to the line. Lateness is in seconds of our clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fitted {
    /// It was late by so much (0 for punctual).
    Followed { late: f64 },
    /// It was the last of several that were all later by at least so much: the line is now that much later.
    Shifted { by: f64, late: f64 },
    /// It was so far off, or the rate so different, that the line starts anew here.
    Relocked,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct WriterClock {
    at: f64,
    sim: f64,
    pub(super) rate: f64,
    samples: u32,
    /// Typical size of a surprise, seconds of our clock.
    spread: f64,
    /// The last arrivals, oldest first. Ticks that come in a bunch are one point: its last.
    recent: [Point; WINDOW],
    filled: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Point {
    began: f64,
    arrival: f64,
    sim: f64,
    late: f64,
}

impl WriterClock {
    pub(super) fn new(arrival: f64, sim: f64) -> Self {
        let first = Point { began: arrival, arrival, sim, late: 0.0 };
        WriterClock {
            at: arrival,
            sim,
            rate: 1.0,
            samples: 1,
            spread: FIRST_SPREAD,
            recent: [first; WINDOW],
            filled: 1,
        }
    }

    /// The writer's clock at `now`, as far as known.
    pub(super) fn reads(&self, now: f64) -> f64 {
        self.sim + self.rate * (now - self.at)
    }

    pub(super) fn observe(&mut self, arrival: f64, sim: f64, tick: f64, settings: &Settings) -> Fitted {
        let expected = self.reads(arrival);
        let surprise = sim - expected;
        let early = surprise / self.rate;
        let near = early.abs() <= settings.relock; // false for NaN too
        let late = if near { (-early).max(0.0) } else { 0.0 };
        self.remember(Point { began: arrival, arrival, sim, late }, tick);
        if let Some(rate) = self.another_rate(settings) {
            self.restart_at(arrival, sim);
            self.rate = rate;
            self.recent[0] = self.recent[self.filled - 1];
            self.filled = 1;
            return Fitted::Relocked;
        }
        if !near {
            self.restart_at(arrival, sim);
            return Fitted::Relocked;
        }
        if let Some(by) = self.shift(tick) {
            self.at = arrival;
            self.sim = expected - by * self.rate;
            for point in &mut self.recent {
                point.late = (point.late - by).max(0.0);
            }
            return Fitted::Shifted { by, late: late - by };
        }

        let scale = settings.late_scale * self.spread;
        let trust = scale * scale / (scale * scale + late * late);
        self.samples = self.samples.saturating_add(1);
        // The gains of a straight-line fit through all points so far, until the filter's own are larger.
        let n = f64::from(self.samples);
        let m = n + PRIOR_TICKS;
        let offset_gain = (2.0 * (2.0 * n - 1.0) / (n * (n + 1.0))).min(1.0).max(settings.offset_gain);
        let rate_gain = (6.0 / (m * (m + 1.0))).max(settings.rate_gain);
        self.at = arrival;
        self.sim = expected + offset_gain * trust * surprise;
        // No arrival may say more about the rate than a tick's length.
        let in_ticks = (surprise / tick).clamp(-1.0, 1.0);
        self.rate = settings.bounded_rate(self.rate * (1.0 + rate_gain * trust * in_ticks));
        self.spread += 0.02 * (early.abs().min(4.0 * self.spread) - self.spread);
        self.spread = self.spread.max(LEAST_SPREAD);
        Fitted::Followed { late }
    }

    fn restart_at(&mut self, arrival: f64, sim: f64) {
        self.at = arrival;
        self.sim = sim;
        self.samples = 1;
        for point in &mut self.recent {
            point.late = 0.0;
        }
    }

    fn remember(&mut self, point: Point, tick: f64) {
        let last = &mut self.recent[self.filled - 1];
        if point.arrival - last.began < 0.25 * tick / self.rate {
            *last = Point { began: last.began, ..point };
            return;
        }
        if self.filled == WINDOW {
            self.recent.copy_within(1.., 0);
            self.filled -= 1;
        }
        self.recent[self.filled] = point;
        self.filled += 1;
    }

    /// The rate of the last points, if the line's is plainly another. A late tick makes one half of the window slow
    /// and the other fast, a pause makes one half slow as a whole but not tick by tick; only a real change makes
    /// both halves differ the same way by both measures.
    fn another_rate(&self, settings: &Settings) -> Option<f64> {
        if self.filled < WINDOW {
            return None;
        }
        let (older, newer) = (&self.recent[..=HALF], &self.recent[HALF..]);
        let slopes = [slope(older), slope(newer), middle_slope(older), middle_slope(newer)];
        let slower = slopes.iter().all(|&slope| slope < self.rate * (1.0 - RATE_DISAGREES));
        let faster = slopes.iter().all(|&slope| slope > self.rate * (1.0 + RATE_DISAGREES));
        let rate = settings.bounded_rate(0.5 * (slopes[2] + slopes[3]));
        ((slower || faster) && rate != self.rate).then_some(rate)
    }

    /// How much later the last points all were, if that is far more than jitter.
    fn shift(&self, tick: f64) -> Option<f64> {
        if self.filled < HALF {
            return None;
        }
        let last = &self.recent[self.filled - HALF..self.filled];
        let all_late_by = last.iter().fold(f64::INFINITY, |least, point| point.late.min(least));
        (all_late_by > 0.5 * tick / self.rate && all_late_by > 4.0 * self.spread).then_some(all_late_by)
    }
}

fn slope(points: &[Point]) -> f64 {
    let (first, last) = (points[0], points[points.len() - 1]);
    (last.sim - first.sim) / (last.arrival - first.arrival)
}

fn middle_slope(points: &[Point]) -> f64 {
    let mut slopes = [0.0; HALF];
    for (slope_of_pair, pair) in slopes.iter_mut().zip(points.windows(2)) {
        *slope_of_pair = slope(pair);
    }
    slopes.sort_unstable_by(f64::total_cmp);
    0.5 * (slopes[(HALF - 1) / 2] + slopes[HALF / 2])
}
