//! The fixed step: every tick that is due runs.

use super::frame_clock::FrameClock;
use super::{Lost, LostReason, Moment, checks};
use crate::error::{SettingError, check, within};
use crate::math::floor;

/// Settings of a fixed step. [`Stepper::fixed`](super::Stepper::fixed) is the short way to the defaults.
///
/// ```
/// use portamento::step::{FixedSettings, Snapping, Stepper};
/// # fn main() -> Result<(), portamento::SettingError> {
/// let stepper = Stepper::new(FixedSettings {
///     max_ticks: Some(4),
///     snapping: Snapping::ToDisplay { hz: 144.0 },
///     ..FixedSettings::at_hz(60.0)
/// })?;
/// # let _ = stepper; Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FixedSettings {
    /// Ticks per second (not the length of a tick), from 0.000001 to 1000000.
    pub hz: f64,
    /// The most that one frame takes in, in seconds, up to 1e9. The rest is dropped and reported; otherwise a slow
    /// simulation would make each frame longer than the one before. Default `0.25`.
    ///
    /// It bounds the real time of a frame, and the simulated time as well: with a time scale of 10, a frame of 0.25 s
    /// simulates 0.25 s, not 2.5.
    pub max_frame: f64,
    /// The most ticks in one frame; `None` is no limit. The time of the others is dropped and reported. Default `None`.
    pub max_ticks: Option<u32>,
    /// Draws the present instead of one tick behind it, by continuing the last tick's motion for at most this many ticks.
    /// Less latency, at the price of overshooting whenever the motion changes. Default `0.0`.
    pub extrapolate: f64,
    /// How measured frame times are evened. Default [`Snapping::Off`].
    pub snapping: Snapping,
    /// Pays back what snapping adds or takes away, so that real time is kept. Frames are up to 2 % longer or shorter
    /// while a tick is paid back. Without it, the game runs 0.1 % fast on a display that does. Default `false`.
    pub carry_drift: bool,
    /// Stops snapping when the display turns out to have another rate or a variable one, until frames have fitted again
    /// for a minute. [`StepperCounts::snapping`](super::StepperCounts::snapping) reports it. Default `true`.
    ///
    /// Before it is noticed, simulated time is off by less than 0.25 s in total. With false, `ToDisplay { hz: 60.0 }` on a
    /// 65 Hz monitor makes the game run 8 % fast.
    pub watch_display: bool,
}

/// How frame times are evened before they are added up.
///
/// Measured frame times scatter around the display's true interval. Added up unchanged, they beat against the tick
/// length: now two ticks in a frame, now none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Snapping {
    /// Frame times are used unchanged.
    #[default]
    Off,
    /// Snaps frame times to multiples of the step, its half, third or quarter, where one is near. For displays whose rate is not known.
    ToStep,
    /// Snaps frame times to multiples of the display's interval, where one is near. Only where frames really wait for the display: with a
    /// software frame limiter they do not.
    ToDisplay {
        /// The display's frames per second.
        hz: f64,
    },
}

impl FixedSettings {
    /// Creates the defaults for `hz` ticks per second.
    #[must_use]
    pub const fn at_hz(hz: f64) -> Self {
        Self {
            hz,
            max_frame: 0.25,
            max_ticks: None,
            extrapolate: 0.0,
            snapping: Snapping::Off,
            carry_drift: false,
            watch_display: true,
        }
    }

    pub(super) fn check(&self) -> Result<(), SettingError> {
        checks::rate(self.hz)?;
        within("max_frame", self.max_frame, f64::MIN_POSITIVE, 1e9)?;
        let cure = "Some(1) or more: a limit of 0 would never run a tick";
        check(self.max_ticks != Some(0), "max_ticks", 0.0, cure)?;
        within("extrapolate", self.extrapolate, 0.0, f64::MAX)?;
        self.snapping.check()
    }
}

impl Snapping {
    fn check(self) -> Result<(), SettingError> {
        if let Self::ToDisplay { hz } = self { checks::display(hz).map(|_| ()) } else { Ok(()) }
    }
}

/// Tolerance for rounding in a sum of frame times: sixty frames of a sixtieth are sixty ticks.
const NANOSECOND: f64 = 1e-9;

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct FixedStep {
    settings: FixedSettings,
    clock: FrameClock,
    /// Time taken in since `base`. Ticks are counted from it, never subtracted from it.
    total: f64,
    /// What rounding took from `total`: a million frames of a sixtieth are a million ticks.
    remainder: f64,
    /// Ticks run since `base`.
    run: u64,
    /// Simulated seconds before the tick rate was last changed.
    base: f64,
    /// Length of the last tick, if it ran at another rate: what is drawn until the next one lies within it.
    old_step: Option<f64>,
}

/// Times of ticks by their number: they do not depend on the frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TickTimes {
    base: f64,
    run: u64,
    hz: f64,
}

impl TickTimes {
    /// When the next tick ends.
    pub(super) fn next(&mut self) -> f64 {
        self.run = self.run.saturating_add(1);
        self.base + self.run as f64 / self.hz
    }
}

/// What a frame is to do.
pub(super) struct Due {
    pub(super) ticks: u64,
    pub(super) dt: f64,
    pub(super) times: TickTimes,
    pub(super) lost: Lost,
    /// How far the drawn moment advances.
    pub(super) presented: f64,
}

impl FixedStep {
    pub(super) fn new(settings: FixedSettings) -> Result<Self, SettingError> {
        settings.check()?;
        let clock = FrameClock::default();
        Ok(Self { settings, clock, total: 0.0, remainder: 0.0, run: 0, base: 0.0, old_step: None })
    }

    /// Time since tick number `tick` was due; negative before it is.
    fn since(&self, tick: u64) -> f64 {
        (self.total - tick as f64 / self.settings.hz) + self.remainder
    }

    /// Written as defined: the difference of the two rounds otherwise, and a frame that is early by exactly
    /// the tolerance would miss its tick at some rates.
    fn is_due(&self, tick: u64) -> bool {
        self.total + self.remainder >= tick as f64 / self.settings.hz - NANOSECOND
    }

    /// Adds without losing what does not fit (Knuth's two-sum).
    fn add(&mut self, seconds: f64) {
        let sum = self.total + seconds;
        let added = sum - self.total;
        self.remainder += (self.total - (sum - added)) + (seconds - added);
        self.total = sum;
    }

    /// A frame took `dt` real seconds, at `scale` simulated seconds for each.
    pub(super) fn frame(&mut self, dt: f64, scale: f64) -> Due {
        let time = self.clock.frame(&self.settings, dt);
        let scaled = time.taken * scale;
        // A frame that was taken in at scale 1 is never cut again, though snapping may have made it a little longer.
        let longest = self.settings.max_frame.max(time.taken);
        let seconds = if scaled > longest { longest } else { scaled };
        let dropped = time.dropped * scale + (scaled - seconds);

        let times = self.tick_times();
        let drawn = if self.extrapolates() { self.drawn() } else { 0.0 };
        let (ticks, over_limit) = self.take_in(seconds);
        let lost = match (over_limit > 0.0, dropped + over_limit) {
            (true, lost) => Lost::new(lost, LostReason::TickLimit),
            (_, lost) if lost > 0.0 => Lost::new(lost, LostReason::LongFrame),
            _ => Lost::default(),
        };
        let presented = if self.extrapolates() {
            // The picture waits at the limit of extrapolation and skips the rest when the tick comes. What the limit of
            // ticks drops may lie before it.
            (ticks as f64 / self.settings.hz + (self.drawn() - drawn)).max(0.0)
        } else {
            seconds - over_limit
        };
        Due { ticks, dt: 1.0 / self.settings.hz, times, lost, presented }
    }

    /// Ticks due after `seconds` more, and the time dropped for the limit's sake.
    fn take_in(&mut self, seconds: f64) -> (u64, f64) {
        self.add(seconds);
        // An estimate, then the definition: the tick's own time decides, not the product's rounding.
        let mut last = floor((self.total + NANOSECOND) * self.settings.hz).max(self.run as f64) as u64;
        while last > self.run && !self.is_due(last) {
            last -= 1;
        }
        while last < u64::MAX / 2 && self.is_due(last + 1) {
            last += 1;
        }
        let due = last - self.run;
        let ticks = due.min(self.settings.max_ticks.map_or(u64::MAX, u64::from));
        let mut over_limit = 0.0;
        if due > ticks {
            over_limit = (due - ticks) as f64 / self.settings.hz;
            self.add(-over_limit);
        }
        self.run += ticks;
        if ticks > 0 {
            self.old_step = None;
        }
        (ticks, over_limit)
    }

    /// One tick, and as much time: the picture keeps its place between two ticks.
    pub(super) fn step_once(&mut self) -> Due {
        let dt = 1.0 / self.settings.hz;
        let (times, behind) = (self.tick_times(), self.behind());
        self.add(dt);
        self.run = self.run.saturating_add(1);
        if (0.0..=dt).contains(&self.since(self.run)) {
            self.old_step = None;
        }
        let presented = (dt + behind - self.behind()).max(0.0);
        Due { ticks: 1, dt, times, lost: Lost::default(), presented }
    }

    fn tick_times(&self) -> TickTimes {
        TickTimes { base: self.base, run: self.run, hz: self.settings.hz }
    }

    /// Simulated seconds at the end of the newest tick.
    pub(super) fn simulated(&self) -> f64 {
        self.base + self.run as f64 / self.settings.hz
    }

    pub(super) fn drift(&self) -> f64 {
        self.clock.drift
    }

    pub(super) fn is_snapping(&self) -> bool {
        self.settings.snapping != Snapping::Off && self.clock.trusts_display()
    }

    pub(super) fn set_snapping(&mut self, snapping: Snapping) -> Result<(), SettingError> {
        snapping.check()?;
        self.settings.snapping = snapping;
        self.clock.watch_anew();
        Ok(())
    }

    /// Whether frames can have led here: what was due has run, and no more. From a save that says otherwise, the next
    /// frame would run for years, or no frame would run for as long.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        const AGES: f64 = 1e13;
        let step = 1.0 / self.settings.hz;
        let old = self.old_step.unwrap_or(step);
        let since = self.since(self.run);
        // After a change of rate, the tick under way ends when it would have at the old rate.
        let (early, late) =
            if self.extrapolates() { (0.0, self.most_pending(old)) } else { (step - old, step) };
        let rounding = 2.0 * NANOSECOND + 1e-9 * step + 1e-15 * self.total.abs();
        (1e-6..=1e6 + 1.0).contains(&old)
            && self.total.abs() <= AGES
            && self.base.abs() <= AGES
            && self.remainder.abs() <= 1.0
            && since >= early.min(0.0) - rounding
            && since <= late.max(step) + rounding
            && self.clock.is_sound(&self.settings)
    }

    #[cfg(feature = "serde")]
    pub(super) fn settings(&self) -> &FixedSettings {
        &self.settings
    }

    /// The most time that waits for its tick when the picture is drawn ahead and the rate changes. A tick much longer than
    /// `max_frame` may have waited longer; running it as thousands of short ones would be a frame of its own.
    fn most_pending(&self, old_step: f64) -> f64 {
        old_step.max(self.settings.max_frame)
    }

    fn extrapolates(&self) -> bool {
        self.settings.extrapolate > 0.0
    }

    /// Length of the tick whose motion is drawn.
    fn drawn_step(&self) -> f64 {
        self.old_step.unwrap_or(1.0 / self.settings.hz)
    }

    fn fraction(&self) -> f64 {
        let fraction = match self.old_step {
            None => self.since(self.run) * self.settings.hz,
            Some(step) if self.extrapolates() => self.since(self.run) / step,
            Some(step) => 1.0 + self.since(self.run.saturating_add(1)) / step,
        };
        fraction.clamp(0.0, 1.0)
    }

    /// Ticks that the drawn moment lies past the last tick's own.
    fn progress(&self) -> f64 {
        let fraction = self.fraction();
        if self.extrapolates() { fraction.min(self.settings.extrapolate) } else { fraction }
    }

    /// The same in seconds.
    fn drawn(&self) -> f64 {
        self.progress() * self.drawn_step()
    }

    /// How far the drawn moment lies behind the newest tick, in seconds; negative ahead of it.
    fn behind(&self) -> f64 {
        if self.extrapolates() { -self.drawn() } else { self.drawn_step() - self.drawn() }
    }

    pub(super) fn moment(&self) -> Moment {
        let progress = self.progress();
        if self.extrapolates() { Moment::past_newest(progress, 0.0) } else { Moment::at(progress, 0.0) }
    }

    /// The tick under way ends when it would have, so that the picture keeps its place and its speed. A picture that is
    /// drawn ahead of it keeps both anyhow, and the next tick is as long as it says.
    pub(super) fn set_hz(&mut self, hz: f64) -> Result<(), SettingError> {
        checks::rate(hz)?;
        let drawn_step = self.drawn_step();
        let left = (1.0 - self.fraction()) * drawn_step;
        let since = self.since(self.run).clamp(0.0, self.most_pending(drawn_step));
        self.base += self.run as f64 / self.settings.hz;
        self.run = 0;
        self.total = if self.extrapolates() { since } else { 1.0 / hz - left };
        self.remainder = 0.0;
        self.old_step = Some(drawn_step);
        self.settings.hz = hz;
        Ok(())
    }
}
