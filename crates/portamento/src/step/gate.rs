//! The quantum gate: simulation time is accepted in portions, and the picture is blended between their ends.

use super::even::{Even, memory_needed};
use super::{Lost, LostReason, Moment, checks};
use crate::error::{SettingError, check};

/// Which rule accepts time and places the picture.
///
/// [`Even`](Self::Even) is the one to use. The other two are for worlds that were built on them
/// ([`older_rules`](crate::older_rules)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum GateRule {
    /// The portions of `AllAtOnce`, drawn a constant time behind what was accumulated: even motion at every frame rate.
    /// No time is lost, however short the frames.
    #[default]
    Even,
    /// All of the pending time becomes quanta as soon as it exceeds the shortest one; alpha is measured in the length of
    /// the last quantum. Freezes and doubles where frames come close to a quantum. Frames below 0.2 ms are lost, and
    /// reported as [`LostReason::Tiny`].
    AllAtOnce,
    /// One quantum a frame at most; alpha is measured in the shortest quantum. The drawn speed dips once in every tick.
    OneAtATime,
}

/// Settings of a quantum gate. [`Stepper::gated`](super::Stepper::gated) is the short way to the defaults.
///
/// ```
/// use portamento::step::{Frame, GateSettings, GatedStepper};
/// # fn main() -> Result<(), portamento::SettingError> {
/// let mut stepper = GatedStepper::with_gate(GateSettings { max: 0.15, ..GateSettings::default() })?;
/// let Frame { ticks, lost, .. } = stepper.frame(0.4);
/// let quanta: Vec<f64> = ticks.map(|tick| tick.dt).collect();
/// assert_eq!(quanta.len(), 3); // 0.15, 0.15 and the rest
/// assert_eq!(lost.seconds, 0.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GateSettings {
    /// Which rule accepts time and places the picture. Default [`GateRule::Even`].
    pub rule: GateRule,
    /// The shortest quantum in seconds. Default `1.0 / 30.0`.
    pub min: f64,
    /// The longest quantum in seconds, at least `min`. Default `0.2` (`0.1` under [`GateRule::OneAtATime`]).
    pub max: f64,
    /// More pending time than this is stale and thrown away, in seconds. At least `max`, and at most a million times as
    /// long, because one frame may have to run it all. Default `2.0`.
    pub huge: f64,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self::from(GateRule::default())
    }
}

impl From<GateRule> for GateSettings {
    /// Settings with the default lengths of `rule`.
    fn from(rule: GateRule) -> Self {
        let max = if matches!(rule, GateRule::OneAtATime) { 0.1 } else { 0.2 };
        Self { rule, min: 1.0 / 30.0, max, huge: 2.0 }
    }
}

impl GateSettings {
    pub(super) fn check(&self, memory: usize) -> Result<(), SettingError> {
        let Self { min, max, huge, .. } = *self;
        checks::length("the shortest quantum (min)", min)?;
        checks::length("the longest quantum (max)", max)?;
        checks::length("the stale limit (huge)", huge)?;
        check(min <= max, "the shortest quantum (min)", min, "a length of at most max")?;
        check(max <= huge, "the longest quantum (max)", max, "a length of at most huge")?;
        check(huge / max <= 1e6, "the stale limit (huge)", huge, "at most a million times max")?;
        let needed = if self.rule == GateRule::Even { memory_needed(self.ends_needed()) } else { 0 };
        if needed <= memory { Ok(()) } else { Err(SettingError::memory(memory, needed)) }
    }

    /// How many values a track must keep so that every moment can be drawn.
    pub(super) fn ends_needed(&self) -> usize {
        match self.rule {
            // Quanta are longer than `min` and the picture is at most `max` behind.
            GateRule::Even => ((self.max / self.min) as usize).saturating_add(2),
            _ => 2,
        }
    }
}

/// Simulated time stops here, after three hundred thousand years; ticks and their lengths go on.
const AGES: f64 = 1e13;

/// Pending time up to this is consumed, never saved up (`AllAtOnce`).
const TINY: f64 = 0.000199999995;

/// What one frame's time did.
pub(super) struct Accepted {
    /// Quanta of the full length `max`.
    pub(super) full: u64,
    /// One more, of this length.
    pub(super) last: Option<f64>,
    pub(super) lost: Lost,
    pub(super) presented: f64,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Gate<const MEMORY: usize> {
    pub(super) settings: GateSettings,
    pending: f64,
    /// Sum of all quanta.
    pub(super) simulated: f64,
    /// Length of the last quantum.
    last: f64,
    /// Time was stale and no quantum ran since: the newest end is drawn, which equals moving both ends of
    /// every track there, at no cost.
    stale: bool,
    even: Even<MEMORY>,
}

impl<const MEMORY: usize> Gate<MEMORY> {
    pub(super) fn new(settings: GateSettings) -> Result<Self, SettingError> {
        settings.check(MEMORY)?;
        let (min, even) = (settings.min, Even::new(settings.min, settings.ends_needed()));
        Ok(Self { settings, pending: 0.0, simulated: 0.0, last: min, stale: false, even })
    }

    /// Whether frames can have led here, as far as it matters.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        let GateSettings { min, max, huge, .. } = self.settings;
        (0.0..=huge).contains(&self.pending)
            && self.last > 0.0
            && self.last <= max
            && self.simulated.abs() <= AGES
            && (!self.is_even()
                || self.even.is_sound(self.settings.ends_needed(), self.simulated, min + max + huge, max))
    }

    fn is_even(&self) -> bool {
        self.settings.rule == GateRule::Even
    }

    /// The drawn moment relative to the simulated time, for the two rules that draw the last quantum.
    fn lag(&self) -> f64 {
        self.pending.min(self.measure()) - self.measure()
    }

    pub(super) fn accept(&mut self, dt: f64) -> Accepted {
        let before = self.lag();
        let total = self.pending + dt;
        if total > self.settings.huge {
            self.pending = 0.0;
            self.last = self.settings.min;
            self.stale = true;
            if self.is_even() {
                self.even.forget(self.simulated);
            }
            let lost = Lost::new(total, LostReason::Stale);
            return Accepted { full: 0, last: None, lost, presented: dt };
        }
        let mut lost = Lost::default();
        let (full, last) = match self.settings.rule {
            GateRule::OneAtATime => self.accept_one(total),
            GateRule::AllAtOnce if total <= TINY => {
                self.pending = 0.0;
                lost = Lost::new(total, LostReason::Tiny);
                (0, None)
            }
            GateRule::AllAtOnce | GateRule::Even => self.accept_all(total),
        };
        let presented = self.run(full, last, before, dt);
        Accepted { full, last, lost, presented }
    }

    /// One quantum of the shortest length, besides what is pending.
    pub(super) fn step_once(&mut self) -> Accepted {
        let (before, min) = (self.lag(), self.settings.min);
        let presented = self.run(0, Some(min), before, min);
        Accepted { full: 0, last: Some(min), lost: Lost::default(), presented }
    }

    /// Runs quanta; how far the picture advanced in a frame of `dt` seconds.
    fn run(&mut self, full: u64, last: Option<f64>, lag_before: f64, dt: f64) -> f64 {
        let mut ran = 0.0;
        let (min, max) = (self.settings.min, self.settings.max);
        for quantum in (0..full).map(|_| max).chain(last) {
            ran += quantum;
            self.simulated = (self.simulated + quantum).min(AGES);
            self.last = quantum;
            self.stale = false;
            if self.is_even() {
                self.even.quantum(self.simulated, quantum);
            }
        }
        if self.is_even() {
            self.even.frame(self.simulated + self.pending, self.simulated, dt, min)
        } else {
            (ran + self.lag() - lag_before).max(0.0)
        }
    }

    fn accept_one(&mut self, total: f64) -> (u64, Option<f64>) {
        if total >= self.settings.min {
            let quantum = total.min(self.settings.max);
            self.pending = total - quantum;
            (0, Some(quantum))
        } else {
            self.pending = total;
            (0, None)
        }
    }

    fn accept_all(&mut self, mut total: f64) -> (u64, Option<f64>) {
        let mut full = 0;
        while total > self.settings.max {
            total -= self.settings.max;
            full += 1;
        }
        if total > self.settings.min {
            self.pending = 0.0;
            (full, Some(total))
        } else {
            self.pending = total;
            (full, None)
        }
    }

    /// What alpha is measured in.
    fn measure(&self) -> f64 {
        if self.settings.rule == GateRule::OneAtATime { self.settings.min } else { self.last }
    }

    pub(super) fn cut(&mut self) {
        self.pending = 0.0;
        self.last = self.settings.min;
        self.stale = false;
        if self.is_even() {
            self.even.restart(self.simulated, self.settings.min);
        }
    }

    pub(super) fn moment(&self) -> Moment {
        match self.settings.rule {
            _ if self.stale => Moment::newest(0.0),
            GateRule::Even => self.even.moment(),
            _ => Moment::at(self.pending / self.measure(), 0.0),
        }
    }

    /// The same gate in a stepper that remembers another number of quanta; only for rules that remember none.
    pub(super) fn moved<const OTHER: usize>(self) -> Gate<OTHER> {
        let Self { settings, pending, simulated, last, stale, .. } = self;
        Gate { settings, pending, simulated, last, stale, even: Even::new(settings.min, 0) }
    }
}
