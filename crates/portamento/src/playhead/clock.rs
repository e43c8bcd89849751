//! What does the writer's clock read at a moment of ours?
//!
//! A straight line through (arrival, simulation time), followed by an alpha-beta filter. What it must tell apart,
//! because all of it moves arrivals away from the line:
//!
//! * **a bunch**: ticks that come together. The last of them was made last and says what the clock reads; how late
//!   the first came, the margin must cover.
//! * **jitter**: this tick was late, the next will not be. It moves the line a little, and the margin covers it.
//! * **a pause**: this tick and all that follow are much later. The line goes there at once: the picture goes on
//!   from where it stood.
//! * **a stall**: it looked like a pause, but then the missing ticks come faster than they are made. The line goes
//!   back.
//! * **a longer way**: several ticks in a row are later by more than jitter. The line goes there.
//! * **another rate**: each tick is later (or earlier) than the one before by the same amount. The line turns.

use super::PlayheadSettings;
#[cfg(feature = "serde")]
use super::{saved::is_near, settings::LONGEST_SECONDS};

/// Points in each half of the window that longer ways and other rates are judged by.
const HALF: usize = 6;
const WINDOW: usize = 2 * HALF + 1;
/// Both halves of the window must disagree with the line by more than this share of the rate.
const RATE_DISAGREES: f64 = 0.15;
/// Ticks that come within this many seconds are a bunch; so are those that follow each other within this share of a
/// tick (and this many seconds), up to this many ticks' time.
const BUNCH_SECONDS: f64 = 0.004;
const BUNCH_GAP: f64 = 0.25;
const BUNCH_TICKS: f64 = 8.0;
/// Later than this many ticks and seconds is a pause, until the contrary is seen.
const PAUSE_TICKS: f64 = 3.0;
const PAUSE_SECONDS: f64 = 0.03;
/// After a silence of so many ticks and seconds, this much of it may be the error of the rate: a few seconds of jittery
/// arrivals teach it no better.
const SILENCE_TICKS: f64 = 8.0;
const SILENCE_SECONDS: f64 = 2.0;
const RATE_DOUBT: f64 = 0.002;
/// How many points' worth of trust the rate has after a re-lock.
const PRIOR_POINTS: f64 = 6.0;
/// The rate's gain is at least this many offset gains divided by the points seen: a timer whose every delay lasts (each
/// period is too long by chance) is known no sooner, and a straight-line fit would stop listening to it too early.
const RATE_LISTENS: f64 = 2.0;
/// More points than this teach the rate nothing.
const MOST_POINTS: u32 = 2000;
/// Share of a surprise in the mean of the last ones, and in their spread.
const LEAN_GAIN: f64 = 0.05;
const SPREAD_GAIN: f64 = 0.02;
/// While surprises lean to one side by their whole spread, this many of the points are forgotten with each.
const POINTS_KEPT: (u32, u32) = (4, 5);
/// The spread of a writer no one has watched yet, and the least that is ever assumed; seconds of our clock.
const FIRST_SPREAD: f64 = 0.0015;
const LEAST_SPREAD: f64 = 0.0005;

/// What an arrival was taken for. Lateness is in seconds of our clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fitted {
    /// Punctual, jitter, or a stall that is over: the margin must cover this lateness.
    Followed { late: f64 },
    /// A longer way: the line is later by so much, and this tick was late by what is left.
    Shifted { by: f64, late: f64 },
    /// A pause, or a jump ahead: the line starts anew here.
    Relocked,
    /// Another rate: the line starts anew here, and lateness measured from the old one means nothing.
    Turned,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct WriterClock {
    line: Line,
    /// The line as it was before the bunch that is arriving: every tick of the bunch is fitted to it afresh, as if
    /// it had come alone.
    before: Line,
    bunch: Bunch,
    /// The last tick of each of the last bunches, oldest first.
    recent: [Point; WINDOW],
    filled: usize,
    /// The bunch that is arriving, as far as known, begins a new line.
    relocked: bool,
    /// The writer announced a pause: its clock stands at the line's `sim`.
    paused: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Line {
    at: f64,
    sim: f64,
    rate: f64,
    /// How much of the rate the writer has announced; the rest is drift.
    scale: f64,
    /// Points since it began.
    points: u32,
    /// Typical size of a surprise, seconds of our clock.
    spread: f64,
    /// The mean of the last surprises (early is positive): far from zero while the rate is wrong.
    lean: f64,
    pause: Option<Pause>,
}

/// Arrival and simulation time of the first tick of a bunch, and the arrival of its last.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Bunch {
    began: f64,
    sim: f64,
    last: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Point {
    arrival: f64,
    sim: f64,
    late: f64,
}

/// A pause that may yet turn out to be a stall.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Pause {
    /// Seconds by which the line was moved and is still.
    length: f64,
    /// Seconds that have been taken back.
    caught_up: f64,
    /// Points since then that took nothing back.
    kept: usize,
}

impl Line {
    fn reads(&self, now: f64) -> f64 {
        self.sim + self.rate * (now - self.at)
    }

    fn restart_at(&mut self, arrival: f64, sim: f64) {
        self.at = arrival;
        self.sim = sim;
        self.points = 1;
        self.lean = 0.0;
    }

    /// The announced part may be any, the rest only what the settings allow.
    fn bounded(&self, rate: f64, settings: &PlayheadSettings) -> f64 {
        settings.bounded_rate(rate / self.scale) * self.scale
    }

    /// The writer's clock runs at another speed from `at` on, of which it reads `sim` there.
    fn turn(&mut self, at: f64, sim: f64, scale: f64) {
        self.rate = self.rate / self.scale * scale;
        self.scale = scale;
        self.at = at;
        self.sim = sim;
        self.lean = 0.0;
        self.pause = None;
    }

    /// More than this is no jitter, seconds of our clock.
    fn jitter(&self, tick: f64) -> f64 {
        f64::max(0.5 * tick / self.rate, 4.0 * self.spread)
    }

    /// The alpha-beta filter.
    fn follow(&mut self, arrival: f64, surprise: f64, settings: &PlayheadSettings, tick: f64) {
        let early = surprise / self.rate;
        let late = (-early).max(0.0);
        let scale = settings.late_scale * self.spread;
        let trust = scale * scale / (scale * scale + late * late);
        self.points = self.points.saturating_add(1).min(MOST_POINTS);
        self.lean += LEAN_GAIN * (early.clamp(-4.0 * self.spread, 4.0 * self.spread) - self.lean);
        if self.lean.abs() > self.spread {
            let (kept, of) = POINTS_KEPT;
            self.points = (self.points * kept / of).max(HALF as u32);
        }
        // The gains of a straight-line fit through all points, until the filter's own are larger.
        let n = f64::from(self.points);
        let m = n + PRIOR_POINTS;
        let offset_gain = (2.0 * (2.0 * n - 1.0) / (n * (n + 1.0))).min(1.0).max(settings.offset_gain);
        let listens = RATE_LISTENS * settings.offset_gain / m;
        let rate_gain = (6.0 / (m * (m + 1.0))).max(listens).max(settings.rate_gain);
        let passed = self.rate * (arrival - self.at);
        self.sim = self.reads(arrival) + offset_gain * trust * surprise;
        self.at = arrival;
        // Two ticks at about the same time say nothing about the rate.
        if passed > 0.5 * tick {
            let share = (surprise / passed).clamp(-1.0, 1.0);
            self.rate = self.bounded(self.rate * (1.0 + rate_gain * trust * share), settings);
        }
        self.spread += SPREAD_GAIN * (early.abs().min(4.0 * self.spread) - self.spread);
        self.spread = self.spread.max(LEAST_SPREAD);
    }

    /// After a supposed pause: are the ticks that it left out coming after all? Nothing can arrive before it was
    /// made, so the line goes back through each at once.
    fn catch_up(&mut self, arrival: f64, sim: f64, early: f64, tick: f64) -> Option<Fitted> {
        let jitter = self.jitter(tick);
        let mut pause = self.pause.take()?;
        let caught_up = early > jitter.min(f64::max(0.5 * tick / self.rate, 0.25 * pause.length));
        if caught_up {
            pause.length -= early;
            pause.caught_up += early;
            pause.kept = 0;
            self.restart_at(arrival, sim);
        } else {
            pause.kept += 1;
        }
        let decided = pause.length < jitter || pause.kept >= HALF;
        if !decided {
            self.pause = Some(pause);
            return caught_up.then_some(Fitted::Followed { late: 0.0 });
        }
        (caught_up || pause.caught_up > 0.0).then_some(Fitted::Followed { late: pause.caught_up })
    }
}

impl WriterClock {
    pub(super) fn new(arrival: f64, sim: f64) -> Self {
        let line = Line {
            at: arrival,
            sim,
            rate: 1.0,
            scale: 1.0,
            points: 1,
            spread: FIRST_SPREAD,
            lean: 0.0,
            pause: None,
        };
        WriterClock {
            line,
            before: line,
            bunch: Bunch { began: arrival, sim, last: arrival },
            recent: [Point { arrival, sim, late: 0.0 }; WINDOW],
            filled: 1,
            relocked: false,
            paused: false,
        }
    }

    /// The writer's clock at `now`, as far as known.
    pub(super) fn reads(&self, now: f64) -> f64 {
        if self.paused { self.line.sim } else { self.line.reads(now) }
    }

    /// The writer's seconds per second of ours.
    pub(super) fn rate(&self) -> f64 {
        if self.paused { 0.0 } else { self.line.rate }
    }

    /// The speed that the writer announced.
    pub(super) fn scale(&self) -> f64 {
        if self.paused { 0.0 } else { self.line.scale }
    }

    /// The writer announces that its clock runs at another speed from `at` on, 0 for a pause.
    pub(super) fn set_scale(&mut self, at: f64, scale: f64) {
        let sim = super::bounded(self.reads(at));
        self.paused = scale == 0.0;
        let scale = if self.paused { self.line.scale } else { scale };
        self.line.turn(at, sim, scale);
        self.before.turn(at, sim, scale);
        // What was measured at another speed says nothing of this one.
        self.recent[0] = Point { arrival: at, sim, late: 0.0 };
        self.filled = 1;
    }

    /// A tick in a pause: a single step, or the first one after it. The clock stands there.
    pub(super) fn step(&mut self, arrival: f64, sim: f64) {
        (self.line.at, self.line.sim) = (arrival, sim);
        (self.before.at, self.before.sim) = (arrival, sim);
    }

    /// Follows an arrival. The second answer: did the bunch before this tick's begin a new line?
    pub(super) fn observe(
        &mut self,
        arrival: f64,
        sim: f64,
        tick: f64,
        settings: &PlayheadSettings,
    ) -> (Fitted, bool) {
        let relocked = if self.is_of_the_bunch(arrival, tick) {
            self.line = self.before;
            self.bunch.last = arrival;
            false
        } else {
            self.before = self.line;
            self.bunch = Bunch { began: arrival, sim, last: arrival };
            self.make_room();
            core::mem::take(&mut self.relocked)
        };
        let mut fitted = self.fit(arrival, sim, tick, settings);
        self.relocked = matches!(fitted, Fitted::Relocked | Fitted::Turned);
        match &mut fitted {
            Fitted::Followed { late } => {
                let first = (self.line.reads(self.bunch.began) - self.bunch.sim) / self.line.rate;
                *late = late.max(first);
            }
            // These take several bunches, and a further tick of this one changes nothing about that.
            Fitted::Shifted { .. } | Fitted::Turned => self.before = self.line,
            Fitted::Relocked => {}
        }
        (fitted, relocked)
    }

    fn is_of_the_bunch(&self, arrival: f64, tick: f64) -> bool {
        let tick = tick / self.before.rate;
        let (gap, length) = (arrival - self.bunch.last, arrival - self.bunch.began);
        let close = gap < BUNCH_SECONDS.min(BUNCH_GAP * tick) && length < BUNCH_TICKS * tick;
        gap >= 0.0 && (length < BUNCH_SECONDS || close)
    }

    /// For the point of a new bunch, behind the others.
    fn make_room(&mut self) {
        if self.filled == WINDOW {
            self.recent.copy_within(1.., 0);
            self.filled -= 1;
        }
        self.filled += 1;
    }

    fn fit(&mut self, arrival: f64, sim: f64, tick: f64, settings: &PlayheadSettings) -> Fitted {
        let line = &mut self.line;
        let surprise = sim - line.reads(arrival);
        let early = surprise / line.rate;
        let late = if early < 0.0 { -early } else { 0.0 };
        self.recent[self.filled - 1] = Point { arrival, sim, late: late.min(f64::MAX) };
        if !early.is_finite() {
            line.restart_at(arrival, sim);
            return Fitted::Relocked;
        }
        if let Some(rate) = another_rate(&self.recent[..self.filled], line.rate) {
            let rate = line.bounded(rate, settings);
            if rate != line.rate {
                *line = Line { at: arrival, sim, rate, points: 1, lean: 0.0, pause: None, ..*line };
                self.recent[0] = Point { arrival, sim, late: 0.0 };
                self.filled = 1;
                return Fitted::Turned;
            }
        }
        let silence = arrival - line.at;
        let is_silence = silence > SILENCE_SECONDS.max(SILENCE_TICKS * tick / line.rate);
        if is_silence && early.abs() < RATE_DOUBT * silence {
            line.restart_at(arrival, sim);
            line.pause = None;
            self.recent[0] = Point { arrival, sim, late: 0.0 };
            self.filled = 1;
            return Fitted::Followed { late: 0.0 };
        }
        if let Some(stall) = line.catch_up(arrival, sim, early, tick) {
            return stall;
        }
        let pause = f64::max(PAUSE_TICKS * tick / line.rate, PAUSE_SECONDS).max(line.jitter(tick));
        if late > pause.min(settings.relock) {
            let length = (late + line.pause.map_or(0.0, |pause| pause.length)).min(f64::MAX);
            line.pause = Some(Pause { length, caught_up: 0.0, kept: 0 });
            line.restart_at(arrival, sim);
            return Fitted::Relocked;
        }
        if early > settings.relock {
            line.restart_at(arrival, sim);
            return Fitted::Relocked;
        }
        if let Some(by) = longer_way(&self.recent[..self.filled], line.jitter(tick)) {
            line.sim = sim + (late - by) * line.rate;
            line.at = arrival;
            self.recent.iter_mut().for_each(|point| point.late = (point.late - by).max(0.0));
            return Fitted::Shifted { by, late: late - by };
        }
        line.follow(arrival, surprise, settings, tick);
        Fitted::Followed { late }
    }

    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self, settings: &PlayheadSettings) -> bool {
        let lines = [self.line, self.before].iter().all(|line| {
            // A surprise beyond what is re-locked at moves neither of them.
            let spread = line.spread >= LEAST_SPREAD && line.spread <= LONGEST_SECONDS;
            let lean = line.lean.abs() <= 4.0 * LONGEST_SECONDS;
            // What a scale divides and multiplies again may be off by a bit.
            let rate = (line.bounded(line.rate, settings) / line.rate - 1.0).abs() < 1e-9;
            let rate = rate && line.scale >= super::MIN_SCALE && line.scale <= super::MAX_SCALE;
            let pause = line.pause.is_none_or(|pause| {
                pause.length.is_finite() && pause.caught_up.is_finite() && pause.kept < HALF
            });
            is_near(line.at) && is_near(line.sim) && spread && lean && rate && pause
        });
        let points = self.recent.iter().flat_map(|point| [point.arrival, point.sim]);
        let late = self.recent.iter().all(|point| (0.0..=f64::MAX).contains(&point.late));
        let bunch = [self.bunch.began, self.bunch.sim, self.bunch.last];
        lines && points.chain(bunch).all(is_near) && late && (1..=WINDOW).contains(&self.filled)
    }
}

/// The rate of the newest points, if `rate` is plainly another. A late tick makes one half of the window slow and the
/// other fast, a pause makes one half slow as a whole but not point by point; only a real change makes both halves
/// differ the same way by both measures.
fn another_rate(points: &[Point], rate: f64) -> Option<f64> {
    if points.len() < WINDOW {
        return None;
    }
    let (older, newer) = (&points[..=HALF], &points[HALF..]);
    let slopes = [slope(older), slope(newer), middle_slope(older), middle_slope(newer)];
    let slower = slopes.iter().all(|&slope| slope < rate * (1.0 - RATE_DISAGREES));
    let faster = slopes.iter().all(|&slope| slope > rate * (1.0 + RATE_DISAGREES));
    // The older half may still hold ticks from before the change.
    (slower || faster).then_some(slopes[3])
}

/// How much later the last points all were, if that is more than jitter.
fn longer_way(points: &[Point], jitter: f64) -> Option<f64> {
    let last = &points[points.len().checked_sub(HALF)?..];
    let all_late_by = last.iter().fold(f64::INFINITY, |least, point| point.late.min(least));
    (all_late_by > jitter).then_some(all_late_by)
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
