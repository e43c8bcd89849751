//! The one type a game loop talks to, whatever the policy.

use super::drained::Drained;
use super::gate::GateState;
use super::{Fixed, FrameClock, Gate, GateRule, Moment};
use crate::SettingError;
use core::fmt;

/// Decides when ticks run and which moment is drawn.
///
/// All state is plain data: a clone is a save. See the [module](super) for the loop around it. Saved with
/// `serde_json`, it comes back bit for bit only with that crate's feature `float_roundtrip`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stepper {
    policy: Policy,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::scale"))]
    scale: f64,
    paused: bool,
    ticks: u64,
    lost: f64,
    unusable: u64,
    stamp: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(clippy::large_enum_variant)] // one stepper per game: a box would cost an allocator instead
pub(super) enum Policy {
    Drained(#[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::drained"))] Drained),
    Gated(#[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::gated"))] GateState),
}

/// What a frame is to do: run `ticks`, look at `lost`, draw `moment`. Take it apart by name, without `..`; the
/// compiler then reminds you of what you have not looked at.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Frame {
    /// The ticks to run, in order.
    pub ticks: Ticks,
    /// What to draw once they have run.
    pub moment: Moment,
    /// Time that will never be simulated.
    pub lost: Lost,
}

/// One step of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Counted from 0 over the stepper's life.
    pub number: u64,
    /// Length in seconds.
    pub dt: f64,
    /// Simulated seconds at its end.
    pub time: f64,
}

/// The ticks of one frame. Iterate over it; it holds no memory of its own.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "ticks that are not run leave the simulation behind its clock"]
pub struct Ticks {
    number: u64,
    equal: u64,
    dt: f64,
    last: Option<f64>,
    time: f64,
    /// For a fixed step: the time of each tick from its number, so that it does not depend on the frames.
    fixed: Option<(f64, u64, f64)>,
}

impl Ticks {
    fn none() -> Self {
        Self { number: 0, equal: 0, dt: 0.0, last: None, time: 0.0, fixed: None }
    }

    /// Where a `usize` has 32 bits, `len` may not have room for it.
    fn count_left(&self) -> u64 {
        self.equal + u64::from(self.last.is_some())
    }
}

impl Iterator for Ticks {
    type Item = Tick;

    fn next(&mut self) -> Option<Tick> {
        let dt = if self.equal > 0 {
            self.equal -= 1;
            self.dt
        } else {
            self.last.take()?
        };
        match &mut self.fixed {
            Some((base, run, hz)) => {
                *run += 1;
                self.time = *base + *run as f64 / *hz;
            }
            None => self.time += dt,
        }
        let number = self.number;
        self.number = number.saturating_add(1);
        Some(Tick { number, dt, time: self.time })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.count_left()).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Ticks {}

/// Time of this frame that will never be simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use]
pub struct Lost {
    /// How much, in seconds of the simulation.
    pub seconds: f64,
    reason: Option<LostReason>,
}

impl Lost {
    pub(super) fn new(seconds: f64, reason: LostReason) -> Self {
        Self { seconds, reason: Some(reason) }
    }

    /// Why, if anything was lost.
    #[must_use]
    pub fn reason(&self) -> Option<LostReason> {
        self.reason
    }

    /// Everything pending was thrown away: the world stood still for longer than it can catch up with.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.reason == Some(LostReason::Stale)
    }
}

/// Why time was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostReason {
    /// The frame was longer than the clock's longest.
    LongFrame,
    /// More ticks were due than a frame may run.
    TickLimit,
    /// More was pending than a gate simulates at all.
    Stale,
    /// So little was pending (0.2 ms) that a gate consumes it: only frames shorter than that get here.
    Tiny,
}

impl fmt::Display for LostReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::LongFrame => "the frame was too long",
            Self::TickLimit => "too many ticks were due in one frame",
            Self::Stale => "the time was stale",
            Self::Tiny => "the frame was too short",
        })
    }
}

impl Stepper {
    /// `hz` ticks per second, every one that is due; frames of up to 0.25 s. [`Fixed`] has the other settings.
    pub fn fixed(hz: f64) -> Result<Self, SettingError> {
        Ok(Fixed::new(hz)?.stepper())
    }

    /// A quantum gate with its default lengths. [`Gate`] has the other settings.
    #[must_use]
    pub fn gated(rule: GateRule) -> Self {
        Gate::new(rule).stepper()
    }

    pub(super) fn with_policy(policy: Policy) -> Self {
        Self { policy, scale: 1.0, paused: false, ticks: 0, lost: 0.0, unusable: 0, stamp: None }
    }

    /// A frame took `dt` seconds.
    pub fn frame(&mut self, dt: f64) -> Frame {
        if !(dt > 0.0 && (dt * self.scale).is_finite()) {
            self.unusable += 1;
            return self.standing_still();
        }
        if self.paused || self.scale == 0.0 {
            return self.standing_still();
        }
        let mut frame = match &mut self.policy {
            Policy::Drained(drained) => {
                let time = drained.fixed.clock.frame(dt, drained.fixed.hz);
                let taken = time.taken * self.scale;
                let (base, run, drawn) = (drained.base, drained.run, drained.drawn());
                let due = drained.take_in(taken);
                let seconds = time.dropped * self.scale + due.over_limit;
                let lost = match (due.over_limit > 0.0, seconds > 0.0) {
                    (true, _) => Lost::new(seconds, LostReason::TickLimit),
                    (_, true) => Lost::new(seconds, LostReason::LongFrame),
                    _ => Lost::default(),
                };
                let ticks = Ticks {
                    number: self.ticks,
                    equal: due.ticks,
                    dt: 1.0 / drained.fixed.hz,
                    fixed: Some((base, run, drained.fixed.hz)),
                    ..Ticks::none()
                };
                let moment = drained.moment().presenting(drained.presented(taken, &due, drawn));
                Frame { ticks, moment, lost }
            }
            Policy::Gated(gate) => {
                let dt = dt * self.scale;
                let time = gate.simulated;
                let accepted = gate.accept(dt);
                let ticks = Ticks {
                    number: self.ticks,
                    equal: accepted.full,
                    dt: gate.gate.lengths().1,
                    last: accepted.last,
                    time,
                    fixed: None,
                };
                Frame { ticks, moment: gate.moment().presenting(accepted.presented), lost: accepted.lost }
            }
        };
        self.ticks = self.ticks.saturating_add(frame.ticks.count_left());
        self.lost += frame.lost.seconds;
        frame.moment = frame.moment.after_ticks(self.ticks);
        frame
    }

    /// A frame is drawn at `now` by your clock, in seconds. The first only starts the clock; a clock that runs
    /// backwards is an unusable frame time, and what it says is the new start.
    pub fn frame_at(&mut self, now: f64) -> Frame {
        let before = self.stamp;
        if now.is_finite() {
            self.stamp = Some(now);
        }
        match before {
            None if now.is_finite() => self.standing_still(),
            before => self.frame(now - before.unwrap_or(now)),
        }
    }

    fn standing_still(&self) -> Frame {
        Frame { ticks: Ticks::none(), moment: self.moment(), lost: Lost::default() }
    }

    /// The moment drawn now, without moving it.
    #[must_use]
    pub fn moment(&self) -> Moment {
        match &self.policy {
            Policy::Drained(drained) => drained.moment(),
            Policy::Gated(gate) => gate.moment(),
        }
        .after_ticks(self.ticks)
    }

    /// The world itself was cut: a level loaded, the player activated. Cut every track too. A gate forgets its
    /// pending time; a fixed step keeps its phase, which says nothing of the world.
    pub fn cut(&mut self) {
        if let Policy::Gated(gate) = &mut self.policy {
            gate.cut();
        }
    }

    /// Stops time, or lets it go on. The picture keeps its place between two ticks.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// Whether time is stopped.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Simulated seconds per real one: 0.5 is slow motion, 0 stands still. A gate consumes frames that come to
    /// less than 0.2 ms ([`LostReason::Tiny`]): below about a hundredth nothing moves there.
    pub fn set_time_scale(&mut self, scale: f64) -> Result<(), SettingError> {
        self.scale = super::error::scale(scale)?;
        Ok(())
    }

    /// Another tick rate from the next tick on. The picture keeps its place between the last two ticks, and its
    /// speed. A gate has no rate: an error.
    pub fn set_rate(&mut self, hz: f64) -> Result<(), SettingError> {
        match &mut self.policy {
            Policy::Drained(drained) => drained.set_rate(hz),
            Policy::Gated(_) => {
                Err(SettingError::new("the tick rate of a gate", hz, "no rate: its ticks follow the frames"))
            }
        }
    }

    /// The clock of a fixed step, for its drift.
    #[must_use]
    pub fn clock(&self) -> Option<&FrameClock> {
        match &self.policy {
            Policy::Drained(drained) => Some(&drained.fixed.clock),
            Policy::Gated(_) => None,
        }
    }

    /// How many values a [`Track`](crate::track::Track) must keep to draw every moment of this stepper.
    #[must_use]
    pub fn ends_needed(&self) -> usize {
        match &self.policy {
            Policy::Drained(_) => 2,
            Policy::Gated(gate) => gate.gate.ends_needed(),
        }
    }

    /// Simulated seconds per real one as set by [`set_time_scale`](Self::set_time_scale); 0 while paused.
    #[must_use]
    pub fn time_scale(&self) -> f64 {
        if self.paused { 0.0 } else { self.scale }
    }

    /// Simulated seconds at the end of the newest tick.
    #[must_use]
    pub fn simulated(&self) -> f64 {
        match &self.policy {
            Policy::Drained(drained) => drained.base + drained.run as f64 / drained.fixed.hz,
            Policy::Gated(gate) => gate.simulated,
        }
    }

    /// Ticks so far.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Seconds lost so far, for whatever reason.
    #[must_use]
    pub fn lost(&self) -> f64 {
        self.lost
    }

    /// Frame times so far that no clock should give (NaN, infinite, zero, negative).
    #[must_use]
    pub fn unusable(&self) -> u64 {
        self.unusable
    }
}
