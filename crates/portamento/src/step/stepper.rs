//! The one type a game loop talks to, whatever the policy.

use super::fixed::{FixedStep, TickTimes};
use super::gate::Gate;
use super::{FixedSettings, GateSettings, Moment, Snapping, checks};
use crate::SettingError;
use core::fmt;

/// Decides when ticks run and which moment is drawn.
///
/// Start with [`Stepper::fixed`], or with [`Stepper::gated`] for a quantum gate. See the [module](super) for the loop
/// around it. All state is plain data: a clone is a save. Saved with `serde_json`, it comes back bit for bit only with that
/// crate's feature `float_roundtrip`.
///
/// In a rollback the stepper usually goes on: simulate the ticks again whose numbers and lengths you have kept. Put back
/// to a clone and given the same frames, it runs the same ticks and draws the same moments, to the bit.
///
/// `MEMORY` is how many numbers the [`Even`](super::GateRule::Even) rule of a gate can remember. Everything else needs
/// no memory: a plain `Stepper` is small enough (about 200 bytes) for every body to have its own. [`GatedStepper`] has
/// room for a gate, and for a fixed step as well, if the choice is made at run time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stepper<const MEMORY: usize = 0> {
    policy: Policy<MEMORY>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::scale"))]
    scale: f64,
    paused: bool,
    /// Frames counted, for their moments to be told apart by; it comes round.
    #[cfg_attr(feature = "serde", serde(default))]
    frames: u32,
    ticks: u64,
    lost: f64,
    unusable: u64,
    stamp: Option<f64>,
}

/// A stepper with room for the [`Even`](super::GateRule::Even) rule of a gate whose longest quantum is up to 94 times its
/// shortest.
pub type GatedStepper = Stepper<128>;

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(clippy::large_enum_variant)] // a box would need an allocator; `MEMORY` is how users choose the size
enum Policy<const MEMORY: usize> {
    Fixed(#[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::fixed"))] FixedStep),
    Gate(#[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::gate"))] Gate<MEMORY>),
}

/// What a frame is to do: run `ticks`, check `lost`, draw `moment`. Take it apart by name, without `..`; the
/// compiler then reminds you of what you have left out.
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
    /// The tick's number, counted from 0.
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
    fixed: Option<TickTimes>,
}

impl Ticks {
    fn none() -> Self {
        Self { number: 0, equal: 0, dt: 0.0, last: None, time: 0.0, fixed: None }
    }

    fn fixed(number: u64, equal: u64, dt: f64, times: TickTimes) -> Self {
        Self { number, equal, dt, fixed: Some(times), ..Self::none() }
    }

    fn quanta(number: u64, equal: u64, dt: f64, last: Option<f64>, time: f64) -> Self {
        Self { number, equal, dt, last, time, fixed: None }
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
            Some(times) => self.time = times.next(),
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

/// What a [`Stepper`] has counted, and what it does now: see [`Stepper::counts`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepperCounts {
    /// Ticks run since the start.
    pub ticks: u64,
    /// Simulated seconds at the end of the newest tick.
    pub simulated: f64,
    /// Seconds lost, for whatever reason.
    pub lost: f64,
    /// How many unusable frame times were given (NaN, infinite, zero, negative).
    pub unusable: u64,
    /// Seconds that snapping has added (negative: taken away) and that were not paid back.
    pub drift: f64,
    /// Whether frame times are being snapped. False if [`Snapping`] is off, and while the display does not seem to be
    /// that of the settings ([`FixedSettings::watch_display`]).
    pub snapping: bool,
    /// Whether time is stopped by [`Stepper::pause`].
    pub paused: bool,
    /// Simulated seconds per real one, as set by [`Stepper::set_time_scale`]; 0 while paused.
    pub time_scale: f64,
}

/// Time of this frame that will never be simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use]
pub struct Lost {
    /// How much, in seconds of the simulation.
    pub seconds: f64,
    /// Why, if any was lost.
    pub reason: Option<LostReason>,
}

impl Lost {
    pub(super) fn new(seconds: f64, reason: LostReason) -> Self {
        Self { seconds, reason: Some(reason) }
    }
}

/// Why time was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostReason {
    /// The frame was longer than the clock's longest. If every frame is, its time is not in seconds.
    LongFrame,
    /// More ticks were due than a frame may run.
    TickLimit,
    /// More was pending than a gate simulates at all.
    Stale,
    /// No more than 0.2 ms was pending, which a gate consumes. Only frames shorter than that lead here.
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
    /// Creates a stepper that runs `hz` ticks per second, every one that is due, in frames of up to 0.25 s. For ticks of a
    /// given length `hz` is `1.0 / length`.
    ///
    /// [`Stepper::new`] takes the other settings.
    pub fn fixed(hz: f64) -> Result<Self, SettingError> {
        Self::new(FixedSettings::at_hz(hz))
    }

    /// Creates a stepper with a fixed step and these settings.
    pub fn new(settings: FixedSettings) -> Result<Self, SettingError> {
        FixedStep::new(settings).map(|fixed| Self::with_policy(Policy::Fixed(fixed)))
    }
}

impl GatedStepper {
    /// Creates a quantum gate with its defaults: ticks of 1/30 to 0.2 s that follow the frames, drawn evenly.
    ///
    /// [`GatedStepper::with_gate`] takes the other settings.
    #[must_use]
    pub fn gated() -> Self {
        Self::with_gate(GateSettings::default()).expect("the defaults can work")
    }
}

impl From<Stepper> for GatedStepper {
    /// The same stepper in the type that has room for all, for programs that choose at run time.
    fn from(small: Stepper) -> Self {
        let Stepper { policy, scale, paused, frames, ticks, lost, unusable, stamp } = small;
        let policy = match policy {
            Policy::Fixed(fixed) => Policy::Fixed(fixed),
            Policy::Gate(gate) => Policy::Gate(gate.moved()),
        };
        Self { policy, scale, paused, frames, ticks, lost, unusable, stamp }
    }
}

impl<const MEMORY: usize> Stepper<MEMORY> {
    /// Creates a quantum gate with these settings, usually as `GatedStepper::with_gate(settings)`.
    ///
    /// Under [`Even`](super::GateRule::Even), `MEMORY` must be at least `max / min + 34`: if your quanta differ by more than
    /// [`GatedStepper`] has room for, use `Stepper::<512>`. The older rules work in a plain `Stepper::<0>`.
    pub fn with_gate(settings: GateSettings) -> Result<Self, SettingError> {
        Gate::new(settings).map(|gate| Self::with_policy(Policy::Gate(gate)))
    }

    fn with_policy(policy: Policy<MEMORY>) -> Self {
        Self { policy, scale: 1.0, paused: false, frames: 0, ticks: 0, lost: 0.0, unusable: 0, stamp: None }
    }

    /// Takes in a frame of `dt` seconds, and returns its ticks and the moment to draw.
    pub fn frame(&mut self, dt: f64) -> Frame {
        self.next_frame();
        if !(dt > 0.0 && (dt * self.scale).is_finite()) {
            self.unusable = self.unusable.saturating_add(1);
            return self.standing_still();
        }
        if self.paused || dt * self.scale == 0.0 {
            return self.standing_still();
        }
        let number = self.ticks;
        let frame = match &mut self.policy {
            Policy::Fixed(fixed) => {
                let due = fixed.frame(dt, self.scale);
                let moment = fixed.moment().presenting(due.presented);
                Frame { ticks: Ticks::fixed(number, due.ticks, due.dt, due.times), moment, lost: due.lost }
            }
            Policy::Gate(gate) => {
                let time = gate.simulated;
                let accepted = gate.accept(dt * self.scale);
                let ticks = Ticks::quanta(number, accepted.full, gate.settings.max, accepted.last, time);
                Frame { ticks, moment: gate.moment().presenting(accepted.presented), lost: accepted.lost }
            }
        };
        self.counted(frame)
    }

    /// Runs exactly one tick, also while paused: to step through a game that stands still.
    ///
    /// The picture advances by that tick and keeps its place between two ticks. Under a gate it is a quantum of the
    /// shortest length; pending time stays pending.
    pub fn step_once(&mut self) -> Frame {
        self.next_frame();
        let number = self.ticks;
        let frame = match &mut self.policy {
            Policy::Fixed(fixed) => {
                let due = fixed.step_once();
                let moment = fixed.moment().presenting(due.presented);
                Frame { ticks: Ticks::fixed(number, due.ticks, due.dt, due.times), moment, lost: due.lost }
            }
            Policy::Gate(gate) => {
                let time = gate.simulated;
                let accepted = gate.step_once();
                let ticks = Ticks::quanta(number, 0, 0.0, accepted.last, time);
                Frame { ticks, moment: gate.moment().presenting(accepted.presented), lost: accepted.lost }
            }
        };
        self.counted(frame)
    }

    /// Moments distinguish all but one of 2^32 numbers: the last and the first would be the same frame to them.
    fn next_frame(&mut self) {
        self.frames = if self.frames < u32::MAX - 1 { self.frames + 1 } else { 0 };
    }

    fn counted(&mut self, mut frame: Frame) -> Frame {
        self.ticks = self.ticks.saturating_add(frame.ticks.count_left());
        self.lost = (self.lost + frame.lost.seconds).min(f64::MAX);
        frame.moment = frame.moment.after_ticks(self.ticks).in_frame(self.frames.into());
        frame
    }

    /// Takes in a frame that is drawn at `now` by your clock, in seconds.
    ///
    /// `now` is the reading of a clock, not the length of the frame: for that there is [`frame`](Self::frame). The first
    /// call only starts the clock. A clock that runs backwards is an unusable frame time, and `now` is the new start.
    ///
    /// Call it in every frame, also while paused: the time since the last call counts as one frame when you
    /// [`resume`](Self::resume).
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

    /// Returns the moment drawn now, without moving it.
    #[must_use]
    pub fn moment(&self) -> Moment {
        match &self.policy {
            Policy::Fixed(fixed) => fixed.moment(),
            Policy::Gate(gate) => gate.moment(),
        }
        .after_ticks(self.ticks)
        .in_frame(self.frames.into())
    }

    /// Drops a gate's pending time: call it when the whole world jumps, for example after loading a level. Cut every track
    /// too.
    ///
    /// A fixed step keeps its phase, which does not depend on the world.
    pub fn cut(&mut self) {
        if let Policy::Gate(gate) = &mut self.policy {
            gate.cut();
        }
    }

    /// Stops time. The picture keeps its place between two ticks.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Lets time go on after [`pause`](Self::pause).
    pub fn resume(&mut self) {
        self.paused = false;
    }

    /// Sets the simulated seconds per real one: 0.5 is slow motion, 0 stands still, at most 1000000.
    ///
    /// One frame never simulates more than [`FixedSettings::max_frame`], or a gate's [`GateSettings::huge`], whatever
    /// the scale: at 60 frames/s the default allows 15 times real time. What exceeds that is lost and reported.
    pub fn set_time_scale(&mut self, scale: f64) -> Result<(), SettingError> {
        self.scale = checks::scale(scale)?;
        Ok(())
    }

    /// Sets another tick rate from the next tick on. The picture keeps its place between the last two ticks, and its
    /// speed. An error for a gate, which has no rate.
    pub fn set_hz(&mut self, hz: f64) -> Result<(), SettingError> {
        match &mut self.policy {
            Policy::Fixed(fixed) => fixed.set_hz(hz),
            Policy::Gate(_) => Err(SettingError::sentence(
                "the tick rate of a gate",
                hz,
                "a gate has no tick rate (",
                " was given): set `min` and `max` of GateSettings",
            )),
        }
    }

    /// Sets how frame times are evened, for example when the window moves to another display. If snapping had stopped
    /// by itself, it starts again. A gate takes [`Snapping::Off`] only.
    pub fn set_snapping(&mut self, snapping: Snapping) -> Result<(), SettingError> {
        let what = "the snapping of a gate";
        match (&mut self.policy, snapping) {
            (Policy::Fixed(fixed), _) => fixed.set_snapping(snapping),
            (Policy::Gate(_), Snapping::Off) => Ok(()),
            (Policy::Gate(gate), Snapping::ToStep) => Err(SettingError::sentence(
                what,
                gate.settings.min,
                "a gate does not snap to steps (its shortest is ",
                " s): give Snapping::Off",
            )),
            (Policy::Gate(_), Snapping::ToDisplay { hz }) => Err(SettingError::sentence(
                what,
                hz,
                "a gate does not snap to a display (",
                " Hz): give Snapping::Off",
            )),
        }
    }

    /// Returns how many values a [`Track`](crate::track::Track) must keep to draw every moment of this stepper.
    #[must_use]
    pub fn ends_needed(&self) -> usize {
        match &self.policy {
            Policy::Fixed(_) => 2,
            Policy::Gate(gate) => gate.settings.ends_needed(),
        }
    }

    /// Returns what the stepper has counted, and what it does now.
    #[must_use]
    pub fn counts(&self) -> StepperCounts {
        let (drift, snapping) = match &self.policy {
            Policy::Fixed(fixed) => (fixed.drift(), fixed.is_snapping()),
            Policy::Gate(_) => (0.0, false),
        };
        StepperCounts {
            ticks: self.ticks,
            simulated: self.simulated(),
            lost: self.lost,
            unusable: self.unusable,
            drift,
            snapping,
            paused: self.paused,
            time_scale: self.time_scale(),
        }
    }

    /// See [`StepperCounts::simulated`].
    pub(crate) fn simulated(&self) -> f64 {
        match &self.policy {
            Policy::Fixed(fixed) => fixed.simulated(),
            Policy::Gate(gate) => gate.simulated,
        }
    }

    /// See [`StepperCounts::time_scale`].
    pub(crate) fn time_scale(&self) -> f64 {
        if self.paused { 0.0 } else { self.scale }
    }
}
