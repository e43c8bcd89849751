//! What does the writer's clock read at a moment of ours?
//!
//! A straight line through (arrival, simulation time), followed by an alpha-beta filter. What it must tell apart,
//! because all of it moves arrivals away from the line:
//!
//! * **jitter**: this tick was late, the next will not be. It moves the line a little, and the margin covers it.
//! * **a pause**: this tick and all that follow are much later. The line goes there at once: the picture goes on
//!   from where it stood.
//! * **a stall**: it looked like a pause, but then the missing ticks come all at once. The line goes back.
//! * **a longer way**: several ticks in a row are later by more than jitter. The line goes there.
//! * **another rate**: each tick is later (or earlier) than the one before by the same amount. The line turns.

use super::Settings;

/// Points in each half of the window that shifts and rates are judged by.
const HALF: usize = 6;
const WINDOW: usize = 2 * HALF + 1;
/// Both halves of the window must disagree with the line by more than this share of the rate.
const RATE_DISAGREES: f64 = 0.15;
/// Later than this many ticks at once is a pause, until the contrary is seen.
const PAUSE_TICKS: f64 = 3.0;
/// How many ticks' worth of trust the rate has after a re-lock.
const PRIOR_TICKS: f64 = 6.0;
/// The spread of a writer nobody has watched yet, and the least that is ever assumed; seconds of our clock.
const FIRST_SPREAD: f64 = 0.0015;
const LEAST_SPREAD: f64 = 0.0005;

/// What an arrival was taken for. Lateness is in seconds of our clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fitted {
    /// Jitter: late by so much (0 for punctual).
    Followed { late: f64 },
    /// A longer way: the line is later by so much, and this tick was late by what is left.
    Shifted { by: f64, late: f64 },
    /// A pause, or a jump ahead: the line starts anew here.
    Relocked,
    /// Another rate: the line starts anew here, and lateness measured from the old one means nothing.
    Turned,
    /// The pause was a stall: the tick that looked like one was this late.
    Stalled { late: f64 },
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
    pause: Option<Pause>,
}

/// A pause that may yet turn out to be a stall.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Pause {
    /// Seconds by which the line was moved and is still.
    length: f64,
    /// Seconds that have been taken back.
    caught_up: f64,
    /// Ticks since then that took nothing back.
    kept: usize,
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
            pause: None,
        }
    }

    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        let points = self.recent.iter().all(|point| {
            [point.began, point.arrival, point.sim, point.late].iter().all(|number| number.is_finite())
        });
        let line = self.at.is_finite() && self.sim.is_finite() && self.rate.is_finite() && self.rate > 0.0;
        points && line && self.spread > 0.0 && self.spread.is_finite() && (1..=WINDOW).contains(&self.filled)
    }

    /// The writer's clock at `now`, as far as known.
    pub(super) fn reads(&self, now: f64) -> f64 {
        self.sim + self.rate * (now - self.at)
    }

    pub(super) fn observe(&mut self, arrival: f64, sim: f64, tick: f64, settings: &Settings) -> Fitted {
        let expected = self.reads(arrival);
        let surprise = sim - expected;
        let early = surprise / self.rate;
        if !early.is_finite() {
            self.restart_at(arrival, sim);
            return Fitted::Relocked;
        }
        let late = (-early).max(0.0);
        self.remember(Point { began: arrival, arrival, sim, late }, tick);
        if let Some(rate) = self.another_rate(settings) {
            self.restart_at(arrival, sim);
            self.rate = rate;
            self.recent[0] = self.recent[self.filled - 1];
            self.filled = 1;
            self.pause = None;
            return Fitted::Turned;
        }
        let length_of_tick = tick / self.rate;
        let jitter = f64::max(0.5 * length_of_tick, 4.0 * self.spread);
        if let Some(stalled) = self.catch_up(arrival, sim, early, jitter) {
            return stalled;
        }
        if late > f64::max(PAUSE_TICKS * length_of_tick, jitter).min(settings.relock) {
            let before = self.pause.map_or(0.0, |pause| pause.length);
            self.pause = Some(Pause { length: before + late, caught_up: 0.0, kept: 0 });
            self.restart_at(arrival, sim);
            return Fitted::Relocked;
        }
        if early > settings.relock {
            self.restart_at(arrival, sim);
            return Fitted::Relocked;
        }
        if let Some(by) = self.longer_way(jitter) {
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
        // The older half may still hold ticks from before the change.
        let rate = settings.bounded_rate(slopes[3]);
        ((slower || faster) && rate != self.rate).then_some(rate)
    }

    /// How much later the last points all were, if that is more than jitter.
    fn longer_way(&self, jitter: f64) -> Option<f64> {
        let last = &self.recent[self.filled.checked_sub(HALF)?..self.filled];
        let all_late_by = last.iter().fold(f64::INFINITY, |least, point| point.late.min(least));
        (all_late_by > jitter).then_some(all_late_by)
    }

    /// After a supposed pause: are the ticks that it left out coming after all? Nothing can arrive before it was
    /// made, so the line goes back through each at once.
    fn catch_up(&mut self, arrival: f64, sim: f64, early: f64, jitter: f64) -> Option<Fitted> {
        let pause = self.pause.as_mut()?;
        if early > jitter {
            pause.length -= early;
            pause.caught_up += early;
            pause.kept = 0;
        } else {
            pause.kept += 1;
        }
        let Pause { length, caught_up, kept } = *pause;
        let decided = length < jitter || kept >= HALF;
        if decided {
            self.pause = None;
        }
        if early > jitter {
            self.restart_at(arrival, sim);
        }
        match (decided, early > jitter) {
            (true, _) if caught_up > 0.0 => Some(Fitted::Stalled { late: caught_up }),
            (_, true) => Some(Fitted::Followed { late: 0.0 }),
            _ => None,
        }
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
