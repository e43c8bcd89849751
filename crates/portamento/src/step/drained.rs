//! The fixed step: every tick that is due runs.

use super::error::{extrapolation, max_ticks, rate};
use super::{FrameClock, Moment, Stepper};
use crate::SettingError;
use crate::math::floor;

/// Settings of a fixed step. [`Stepper::fixed`] is the short way to the usual ones.
///
/// ```
/// use portamento::step::{Fixed, FrameClock};
/// # fn main() -> Result<(), portamento::SettingError> {
/// let stepper = Fixed::new(30.0)?
///     .clock(FrameClock::new().max_frame(0.1)?.snapping())
///     .max_ticks(4)?
///     .stepper();
/// # let _ = stepper; Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fixed {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::rate"))]
    pub(super) hz: f64,
    pub(super) clock: FrameClock,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::max_ticks"))]
    max_ticks: u64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::extrapolation"))]
    extrapolate: f64,
}

impl Fixed {
    /// `hz` ticks per second.
    pub fn new(hz: f64) -> Result<Self, SettingError> {
        Ok(Self { hz: rate(hz)?, clock: FrameClock::new(), max_ticks: u64::MAX, extrapolate: 0.0 })
    }

    /// How frame times are bounded and evened.
    #[must_use]
    pub fn clock(self, clock: FrameClock) -> Self {
        Self { clock, ..self }
    }

    /// At most `limit` ticks in one frame; the time of the others is dropped and reported.
    pub fn max_ticks(self, limit: u32) -> Result<Self, SettingError> {
        Ok(Self { max_ticks: max_ticks(limit.into())?, ..self })
    }

    /// Draw the present instead of one tick behind it, continuing the last tick's motion for at most `ticks`
    /// ticks. Less latency, at the price of overshooting whenever the motion changes.
    pub fn extrapolating(self, ticks: f64) -> Result<Self, SettingError> {
        Ok(Self { extrapolate: extrapolation(ticks)?, ..self })
    }

    /// A stepper with these settings, at its start.
    #[must_use]
    pub fn stepper(self) -> Stepper {
        Stepper::with_policy(super::stepper::Policy::Drained(Drained {
            fixed: self,
            total: 0.0,
            remainder: 0.0,
            run: 0,
            base: 0.0,
            old_step: None,
        }))
    }
}

/// Tolerance for rounding in a sum of frame times: sixty frames of a sixtieth are sixty ticks.
const NANOSECOND: f64 = 1e-9;

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Drained {
    pub(super) fixed: Fixed,
    /// Time taken in since `base`. Ticks are counted from it, never subtracted from it.
    total: f64,
    /// What rounding took from `total` so far: a million frames of a sixtieth are a million ticks.
    remainder: f64,
    /// Ticks run since `base`.
    pub(super) run: u64,
    /// Simulated seconds before the tick rate was last changed.
    pub(super) base: f64,
    /// Length of the last tick, if it ran at another rate: what is drawn until the next one lies within it.
    old_step: Option<f64>,
}

/// Ticks due in a frame, and what was dropped for the limit's sake.
pub(super) struct Due {
    pub(super) ticks: u64,
    pub(super) over_limit: f64,
}

impl Drained {
    /// Time since tick number `tick` was due; negative before it is.
    fn since(&self, tick: u64) -> f64 {
        (self.total - tick as f64 / self.fixed.hz) + self.remainder
    }

    /// Written as it is defined: the difference of the two rounds otherwise, and a frame that is early by exactly
    /// the tolerance would miss its tick at some rates.
    fn is_due(&self, tick: u64) -> bool {
        self.total + self.remainder >= tick as f64 / self.fixed.hz - NANOSECOND
    }

    /// Adds without losing what does not fit (Knuth's two-sum).
    fn add(&mut self, seconds: f64) {
        let sum = self.total + seconds;
        let added = sum - self.total;
        self.remainder += (self.total - (sum - added)) + (seconds - added);
        self.total = sum;
    }

    pub(super) fn take_in(&mut self, seconds: f64) -> Due {
        self.add(seconds);
        // An estimate, then the definition: the tick's own time decides, not the product's rounding.
        let mut last = floor((self.total + NANOSECOND) * self.fixed.hz).max(self.run as f64) as u64;
        while last > self.run && !self.is_due(last) {
            last -= 1;
        }
        while last < u64::MAX / 2 && self.is_due(last + 1) {
            last += 1;
        }
        let due = last - self.run;
        let ticks = due.min(self.fixed.max_ticks);
        let over_limit = (due - ticks) as f64 / self.fixed.hz;
        self.add(-over_limit);
        self.run += ticks;
        if ticks > 0 {
            self.old_step = None;
        }
        Due { ticks, over_limit }
    }

    /// Whether frames can have led here: what was due has run, and no more. From a save that says otherwise, the next
    /// frame would run for years, or no frame would run for as long.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        let step = 1.0 / self.fixed.hz;
        let before = self.drawn_step();
        let owed = self.fixed.clock.owed();
        let since = self.since(self.run);
        [self.remainder, self.base, before, owed].into_iter().all(f64::is_finite)
            && since >= -(step + before)
            && since <= step + before
            && owed.abs() <= 2.0 * (step + before + self.fixed.clock.longest())
    }

    fn extrapolates(&self) -> bool {
        self.fixed.extrapolate > 0.0
    }

    /// Length of the tick whose motion is drawn.
    fn drawn_step(&self) -> f64 {
        self.old_step.unwrap_or(1.0 / self.fixed.hz)
    }

    fn fraction(&self) -> f64 {
        let fraction = match self.old_step {
            None => self.since(self.run) * self.fixed.hz,
            Some(step) if self.extrapolates() => self.since(self.run) / step,
            Some(step) => 1.0 + self.since(self.run + 1) / step,
        };
        fraction.clamp(0.0, 1.0)
    }

    /// Ticks that the drawn moment lies past the last tick's own.
    fn progress(&self) -> f64 {
        let fraction = self.fraction();
        if self.extrapolates() { fraction.min(self.fixed.extrapolate) } else { fraction }
    }

    /// The same in seconds.
    pub(super) fn drawn(&self) -> f64 {
        self.progress() * self.drawn_step()
    }

    pub(super) fn moment(&self) -> Moment {
        let progress = self.progress();
        if self.extrapolates() { Moment::past_newest(progress, 0.0) } else { Moment::at(progress, 0.0) }
    }

    /// How far the drawn moment advanced in a frame that took in `seconds`, having been drawn at `before`.
    pub(super) fn presented(&self, seconds: f64, due: &Due, before: f64) -> f64 {
        if self.extrapolates() {
            // The picture waits at the limit of extrapolation and skips the rest when the tick comes. What the limit of
            // ticks drops may lie before it.
            (due.ticks as f64 / self.fixed.hz + (self.drawn() - before)).max(0.0)
        } else {
            seconds - due.over_limit
        }
    }

    /// The tick under way ends when it would have, so that the picture keeps its place and its speed. A picture that is
    /// drawn ahead of it keeps both anyhow, and the next tick is as long as it says.
    pub(super) fn set_rate(&mut self, hz: f64) -> Result<(), SettingError> {
        let hz = rate(hz)?;
        let drawn_step = self.drawn_step();
        let left = (1.0 - self.fraction()) * drawn_step;
        let since = self.since(self.run).max(0.0);
        self.base += self.run as f64 / self.fixed.hz;
        self.run = 0;
        self.total = if self.extrapolates() { since } else { 1.0 / hz - left };
        self.remainder = 0.0;
        self.old_step = Some(drawn_step);
        self.fixed.hz = hz;
        Ok(())
    }
}
