//! The quantum gate: simulation time is accepted in portions, and the picture is blended between their ends.

use super::error::length;
use super::{Lost, LostReason, Moment, Stepper};
use crate::error::{SettingError, check};

/// Which rule accepts time and places the picture.
///
/// `Client` and `Seed` are kept as they are for worlds that were built on them (the [front page](crate#two-older-rules)
/// says where they come from); they differ from [`GateRule::Even`] in how they look, and `Seed` also in what it
/// simulates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum GateRule {
    /// The quanta of `Client`, drawn a constant time behind what was accumulated: even motion at every frame
    /// rate.
    #[default]
    Even,
    /// All of the pending time becomes quanta as soon as it exceeds the shortest one; alpha is measured in the
    /// length of the last quantum. Freezes and doubles where frames come close to a quantum.
    Client,
    /// One quantum a frame at most; alpha is measured in the shortest quantum. Its drawn speed dips once in
    /// every tick.
    Seed,
}

/// Settings of a quantum gate. The defaults are the original program's: quanta of 1/30 to 0.2 s (0.1 s under
/// `Seed`), time beyond 2 s is stale.
///
/// ```
/// use portamento::step::{Frame, Gate, GateRule};
/// # fn main() -> Result<(), portamento::SettingError> {
/// let mut stepper = Gate::new(GateRule::Client).with_lengths(1.0 / 30.0, 0.2, 2.0)?.stepper();
/// let Frame { ticks, lost, .. } = stepper.frame(0.5);
/// let quanta: Vec<f64> = ticks.map(|tick| tick.dt).collect();
/// assert_eq!(quanta.len(), 3); // 0.2, 0.2 and the rest
/// assert_eq!(lost.seconds, 0.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::saved::UncheckedGate"))]
pub struct Gate {
    rule: GateRule,
    min: f64,
    max: f64,
    huge: f64,
}

impl Default for Gate {
    fn default() -> Self {
        Self::new(GateRule::default())
    }
}

impl Gate {
    /// The original lengths of `rule`.
    #[must_use]
    pub fn new(rule: GateRule) -> Self {
        let max = if rule == GateRule::Seed { 0.1 } else { 0.2 };
        Self { rule, min: 1.0 / 30.0, max, huge: 2.0 }
    }

    /// The shortest and the longest quantum, and the pending time beyond which everything is stale.
    pub fn with_lengths(self, min: f64, max: f64, huge: f64) -> Result<Self, SettingError> {
        let gate = Self {
            min: length("the shortest quantum (min)", min)?,
            max: length("the longest quantum (max)", max)?,
            huge: length("the stale limit (huge)", huge)?,
            ..self
        };
        check(min <= max, "the shortest quantum (min)", min, "a length of at most max")?;
        check(max <= huge, "the longest quantum (max)", max, "a length of at most huge")?;
        check(huge / max <= 1e10, "the longest quantum (max)", max, "at least 1e-10 of huge")?;
        Ok(gate)
    }

    /// Shortest quantum, longest quantum, stale limit, in seconds.
    #[must_use]
    pub fn lengths(&self) -> (f64, f64, f64) {
        (self.min, self.max, self.huge)
    }

    /// How many values a [`Track`](crate::track::Track) must keep so that every moment can be drawn. The gate
    /// remembers the times of 256 quanta; a picture that would lie farther back is drawn at the oldest of them.
    #[must_use]
    pub fn ends_needed(&self) -> usize {
        match self.rule {
            // Quanta are longer than `min` and the picture is at most `max` behind.
            GateRule::Even => ((self.max / self.min) as usize).saturating_add(2),
            _ => 2,
        }
    }

    /// A stepper with these settings, at its start.
    #[must_use]
    pub fn stepper(self) -> Stepper {
        Stepper::with_policy(super::stepper::Policy::Gated(GateState::new(self)))
    }
}

/// Pending time up to this is consumed, never saved up (`Client` and `Even`).
const TINY: f64 = 0.000199999995;

/// How far back the `even` picture looks for the longest quantum, in simulated seconds.
const WINDOW: f64 = 2.0;

/// How fast its distance may shrink: seconds per second. Slow enough not to be seen as a change of speed.
const SHRINK: f64 = 0.02;

/// Ends whose times the gate remembers. Moments older than the oldest are drawn there.
pub(super) const ENDS: usize = 256;

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
pub(super) struct GateState {
    pub(super) gate: Gate,
    pending: f64,
    /// Sum of all quanta.
    pub(super) simulated: f64,
    /// Length of the last quantum.
    last: f64,
    /// Time was stale and no quantum ran since: the newest end is drawn, which equals moving both ends of
    /// every track there, at no cost.
    stale: bool,
    even: Even,
}

impl GateState {
    fn new(gate: Gate) -> Self {
        Self { gate, pending: 0.0, simulated: 0.0, last: gate.min, stale: false, even: Even::new(gate.min) }
    }

    /// Whether frames can have led here, as far as it matters: rings within their bounds, times that are times.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        let Even { drawn, distance, newest, known, ref longest, .. } = self.even;
        let (min, max, huge) = self.gate.lengths();
        let is_quantum = |length: f64| length > 0.0 && length <= max;
        (0.0..=huge).contains(&self.pending)
            && is_quantum(self.last)
            && is_quantum(distance)
            && self.simulated.is_finite()
            && (self.simulated - drawn).abs() <= min + max + huge
            && newest < ENDS
            && (1..=ENDS).contains(&known)
            && (1..known).all(|back| self.even.end(back) <= self.even.end(back - 1))
            && longest.first < CANDIDATES
            && longest.count <= CANDIDATES
            && longest.candidates().all(|(_, length)| is_quantum(length))
    }

    pub(super) fn accept(&mut self, dt: f64) -> Accepted {
        // The drawn moment relative to the simulated time, for the two rules that draw the last quantum.
        let lag = |state: &Self| state.pending.min(state.measure()) - state.measure();
        let before = lag(self);
        let total = self.pending + dt;
        if total > self.gate.huge {
            self.pending = 0.0;
            self.last = self.gate.min;
            self.stale = true;
            self.even.forget(self.simulated);
            let lost = Lost::new(total, LostReason::Stale);
            return Accepted { full: 0, last: None, lost, presented: dt };
        }
        let mut lost = Lost::default();
        let (full, last) = match self.gate.rule {
            GateRule::Seed => self.accept_one(total),
            _ if total <= TINY => {
                self.pending = 0.0;
                lost = Lost::new(total, LostReason::Tiny);
                (0, None)
            }
            GateRule::Client | GateRule::Even => self.accept_all(total),
        };
        let mut ran = 0.0;
        let max = self.gate.max;
        for quantum in (0..full).map(|_| max).chain(last) {
            ran += quantum;
            self.simulated += quantum;
            self.last = quantum;
            self.stale = false;
            self.even.quantum(self.simulated, quantum);
        }
        let even_advance = self.even.frame(self.simulated + self.pending, self.simulated, dt, self.gate.min);
        let presented = match self.gate.rule {
            GateRule::Even => even_advance,
            _ => (ran + lag(self) - before).max(0.0),
        };
        Accepted { full, last, lost, presented }
    }

    fn accept_one(&mut self, total: f64) -> (u64, Option<f64>) {
        if total >= self.gate.min {
            let quantum = total.min(self.gate.max);
            self.pending = total - quantum;
            (0, Some(quantum))
        } else {
            self.pending = total;
            (0, None)
        }
    }

    fn accept_all(&mut self, mut total: f64) -> (u64, Option<f64>) {
        let mut full = 0;
        while total > self.gate.max {
            total -= self.gate.max;
            full += 1;
        }
        if total > self.gate.min {
            self.pending = 0.0;
            (full, Some(total))
        } else {
            self.pending = total;
            (full, None)
        }
    }

    /// What alpha is measured in.
    fn measure(&self) -> f64 {
        if self.gate.rule == GateRule::Seed { self.gate.min } else { self.last }
    }

    pub(super) fn cut(&mut self) {
        self.pending = 0.0;
        self.last = self.gate.min;
        self.stale = false;
        self.even.restart(self.simulated, self.gate.min);
    }

    pub(super) fn moment(&self) -> Moment {
        match self.gate.rule {
            _ if self.stale => Moment::newest(0.0),
            GateRule::Even => self.even.moment(),
            _ => Moment::at(self.pending / self.measure(), 0.0),
        }
    }
}

/// Where the `even` rule draws: a constant distance behind the accumulated time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Even {
    /// The drawn moment, in simulated seconds. Never moves back.
    drawn: f64,
    /// How far behind the accumulated time that is.
    distance: f64,
    /// A ring of the simulated times at which quanta ended; `newest` is the newest.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_array"))]
    ends: [f64; ENDS],
    newest: usize,
    known: usize,
    longest: Longest,
}

impl Even {
    fn new(min: f64) -> Self {
        let ends = [0.0; ENDS];
        let mut even =
            Self { drawn: -min, distance: min, ends, newest: 0, known: 1, longest: Longest::new() };
        even.restart(0.0, min);
        even
    }

    fn end(&self, back: usize) -> f64 {
        self.ends[(self.newest + ENDS - back) % ENDS]
    }

    fn quantum(&mut self, ended: f64, length: f64) {
        self.newest = (self.newest + 1) % ENDS;
        self.ends[self.newest] = ended;
        self.known = (self.known + 1).min(ENDS);
        self.longest.add(ended, length);
    }

    /// Nothing before `now` is drawn any more. The distance stays: the rhythm of the quanta has not changed.
    fn forget(&mut self, now: f64) {
        self.ends[self.newest] = now;
        self.known = 1;
    }

    /// Both ends are set at `now`, as if a quantum of the shortest length had led there without moving.
    fn restart(&mut self, now: f64, min: f64) {
        self.forget(now - min);
        self.newest = (self.newest + 1) % ENDS;
        self.ends[self.newest] = now;
        self.known = 2;
    }

    /// Moves the drawn moment for a frame of `dt` seconds; by how much.
    fn frame(&mut self, accumulated: f64, simulated: f64, dt: f64, min: f64) -> f64 {
        let longest = self.longest.within(WINDOW, simulated).unwrap_or(min);
        self.distance = longest.max(self.distance - SHRINK * dt);
        let before = self.drawn;
        self.drawn = before.max(accumulated - self.distance);
        self.drawn - before
    }

    fn moment(&self) -> Moment {
        // Rounding must not show an end as the last bit of the interval before it.
        let drawn = self.drawn + 1e-9;
        if self.known < 2 || drawn >= self.end(0) {
            return Moment::newest(0.0);
        }
        let oldest = self.known - 2;
        let back = (0..oldest).find(|&back| self.end(back + 1) <= drawn).unwrap_or(oldest);
        let (from, to) = (self.end(back + 1), self.end(back));
        Moment::at((self.drawn - from) / (to - from), 0.0).ticks_back(back as u32)
    }
}

/// Quanta that may be the longest of the window: each shorter and newer than the one before it.
const CANDIDATES: usize = 256;

/// The longest quantum of the last two seconds, without keeping them all: a quantum that is followed by a longer
/// one never matters again.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Longest {
    /// (end time, length), oldest and longest first.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_array"))]
    candidates: [(f64, f64); CANDIDATES],
    first: usize,
    count: usize,
}

impl Longest {
    fn new() -> Self {
        Self { candidates: [(0.0, 0.0); CANDIDATES], first: 0, count: 0 }
    }

    #[cfg(feature = "serde")]
    fn candidates(&self) -> impl Iterator<Item = (f64, f64)> {
        (0..self.count).map(|i| self.candidates[(self.first + i) % CANDIDATES])
    }

    fn at(&mut self, i: usize) -> &mut (f64, f64) {
        &mut self.candidates[(self.first + i) % CANDIDATES]
    }

    fn add(&mut self, ended: f64, length: f64) {
        while self.count > 0 && self.at(self.count - 1).1 <= length {
            self.count -= 1;
        }
        if self.count == CANDIDATES {
            // Only hundreds of ever shorter quanta within two seconds get here. The last candidate then stands for this one too:
            // its length is a bound for both.
            self.at(CANDIDATES - 1).0 = ended;
        } else {
            *self.at(self.count) = (ended, length);
            self.count += 1;
        }
    }

    /// The longest that ended in the `window` seconds before `now`.
    fn within(&mut self, window: f64, now: f64) -> Option<f64> {
        while self.count > 0 && now - self.at(0).0 > window {
            self.first = (self.first + 1) % CANDIDATES;
            self.count -= 1;
        }
        (self.count > 0).then(|| self.at(0).1)
    }
}
