//! Chooses which moment of another clock is drawn, although its ticks arrive unevenly.
//!
//! Which moment of the writer's clock is drawn now? A writer (a thread, a process, a worker, a server) ticks by its own clock, and its ticks arrive early, late or in
//! bunches. The [`Playhead`] takes each arrival and, once per frame, returns which moment of the writer's clock to
//! draw:
//!
//! ```text
//!  writer's clock ──┬────────┬────────┬────────┬─────►   (estimated from the arrivals)
//!                   │        │        │ newest │ now
//!                            ▲◄─ tick ─┴─ late ─┤
//!                         playhead      margin
//! ```
//!
//! It only moves forward, at the writer's rate changed by a few percent at most, and never past the newest tick unless
//! told to. It does not handle poses: a [`Timeline`] keeps those of one entity and draws them at the playhead's moment,
//! and [`Cues`] fire when the playhead passes their moments.

mod clock;
mod cues;
mod lateness;
mod ring;
#[cfg(feature = "serde")]
mod saved;
pub(crate) mod settings;
#[cfg(test)]
mod tests;
mod timeline;

pub use cues::{Cue, Cues};
pub use settings::{Lateness, PlayheadRule, PlayheadSettings};
pub use timeline::{Timeline, TimelinePlace};

use crate::blend::Blend;
use crate::count::count;
use crate::error::{LeastRate, rate};
use crate::{IntoPresented, Presented, SettingError};
use clock::{Fitted, WriterClock};
use lateness::LatenessLog;

/// A clock reading farther behind the newest one than this is a clock that was set back.
const CLOCK_SET_BACK: f64 = 0.5;

/// Clock readings farther from zero than this, in seconds, count as this far: whatever is worked out from two of them
/// stays finite.
const FARTHEST: f64 = 1e200;

/// A clock reading that is near enough to calculate with.
pub(crate) fn bounded(time: f64) -> f64 {
    time.clamp(-FARTHEST, FARTHEST)
}

/// Ticks farther apart than this, in the writer's seconds, count as this far.
const LONGEST_TICK: f64 = 1e6;
/// Clocks that run slower than this are taken to stand.
const MIN_SCALE: f64 = 1e-9;

/// A game that keeps to another's clock changes its own speed by so much with each tick. That is no slow motion or fast
/// forward to prepare for.
fn is_usual(scale: f64) -> bool {
    (scale - 1.0).abs() <= 0.025
}

/// No writer announces that its clock runs faster than this.
const MAX_SCALE: f64 = 1e6;
/// How far ahead of its target the playhead may go on after it ran out of ticks, seconds of our clock.
const RUN_AHEAD: f64 = 0.008;
/// How far behind its target a playhead that extrapolated may stay when ticks come again, seconds of our clock. What it
/// extrapolates is drawn with a visual offset, which hides the jump; playing it away would take seconds.
const STAYS_BEHIND: f64 = 0.01;

/// The moment of another clock that a frame draws. Give the same one to everything that draws this writer's entities in
/// the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shown {
    /// The moment of the writer's clock.
    pub at: f64,
    /// How far the moment moved since the frame before: what a camera that follows the drawn entities advances by.
    pub presented: f64,
    /// How far `at` lies past the newest tick; 0 unless extrapolation was asked for.
    pub beyond: f64,
    /// How much of `presented` was skipped by a re-lock rather than played.
    pub skipped: f64,
}

impl Shown {
    /// Creates the moment `at` of the writer's clock, without presented time: for a still, a replay or a test. In a
    /// running game a [`Playhead`] chooses the moment.
    #[must_use]
    pub const fn still(at: f64) -> Self {
        Self { at, presented: 0.0, beyond: 0.0, skipped: 0.0 }
    }
}

impl IntoPresented for Shown {
    fn into_presented(self) -> Presented {
        Presented::from_seconds(self.presented)
    }
}

/// Which ticks can still be read of a writer that overwrites the oldest, in the writer's seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// The oldest: it goes when the next one comes.
    pub oldest: f64,
    /// The one after it.
    pub next: f64,
}

/// What a playhead measured, and counts of ticks, frames and clock readings. Counters never shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayheadStatistics {
    /// The newest simulation time observed; `None` before the first tick.
    pub newest: Option<f64>,
    /// The estimated speed of the writer's clock, in its seconds per second of ours; `None` before the first tick.
    pub rate: Option<f64>,
    /// The time from tick to tick as measured, in the writer's seconds; a single lost tick does not change it. `None`
    /// before the first tick.
    pub spacing: Option<f64>,
    /// Ticks observed with a new simulation time.
    pub ticks: u64,
    /// Ticks that stood for the newest moment seen, or an earlier one.
    pub old: u64,
    /// Ticks that arrived after the playhead had run out of them.
    pub late: u64,
    /// Frames that were held at the newest tick, or slowed down past it, because no newer one had come.
    pub held: u64,
    /// Times that were NaN or infinite.
    pub unusable: u64,
    /// Clock readings before the newest one; they counted as that one.
    pub backward: u64,
    /// Times that the estimate started anew: a pause, a suspended machine, a clock that was set, another rate.
    pub relocks: u64,
    /// Jumps of the drawn moment.
    pub jumps: u64,
    /// Seconds of the writer's clock that those jumps left out.
    pub skipped: f64,
    /// New lives of the writer.
    pub restarts: u64,
}

/// Chooses the moment of the writer's clock that is drawn.
///
/// ```
/// use portamento::playhead::Playhead;
///
/// let mut playhead = Playhead::at_hz(60.0)?;
/// assert_eq!(playhead.advance(0.0), None, "nothing to draw yet");
/// let mut last = 0.0;
/// for frame in 0..1440 {
///     let now = f64::from(frame) / 144.0;
///     if frame % 12 == 0 {
///         // Five ticks in a bunch: the writer's thread was not scheduled in time.
///         for tick in 0..5 {
///             playhead.observe(now, f64::from(frame / 12 * 5 + tick) / 60.0);
///         }
///     }
///     let shown = playhead.advance(now).expect("a tick has arrived");
///     assert!(shown.at >= last && shown.at <= playhead.statistics().newest.unwrap());
///     last = shown.at;
/// }
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "saved::Unchecked"))]
pub struct Playhead {
    settings: PlayheadSettings,
    life: Option<Life>,
    last_now: Option<f64>,
    /// The counters; what is measured is added when it is asked for.
    statistics: PlayheadStatistics,
}

/// What is known of one life of the writer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Life {
    clock: WriterClock,
    lateness: LatenessLog,
    /// The last three distances between ticks, in the writer's seconds.
    spacings: [f64; 3],
    /// The tick before the newest, and the newest.
    previous: f64,
    newest: f64,
    arrived: f64,
    shown: f64,
    /// What share of a nominal tick had passed since the newest arrived, at the last frame; for `SinceArrival` only.
    into_tick: f64,
    /// How long the last frame took.
    frame: f64,
    /// No frame was drawn yet.
    fresh: bool,
    /// It stands at the first tick until that is as old as the margin: to set off at once, slower and slower, would run out
    /// of ticks with each of the first ones.
    #[cfg_attr(feature = "serde", serde(default))]
    waits: bool,
    /// No tick arrived since the last frame.
    silent: bool,
    /// When a tick ended the wait of a playhead that had run out of them.
    resumed: Option<f64>,
    /// The last frame ran out of ticks.
    starved: bool,
    /// The tick length when the writer's clock last ran at its normal speed.
    usual_tick: f64,
    /// The announced speed; while it is about the usual one, what that was first.
    #[cfg_attr(feature = "serde", serde(default = "normal_speed"))]
    settled: f64,
    /// How many ticks came since then, counted up to three.
    #[cfg_attr(feature = "serde", serde(default))]
    ticks_since: u8,
    /// Whether ticks get longer with the time scale instead of more frequent: assumed until the contrary is measured.
    #[cfg_attr(feature = "serde", serde(default = "longer_ticks"))]
    stretches: bool,
    /// After a change of speed: the old speed goes on, until the picture is as far behind as the new one wants.
    #[cfg_attr(feature = "serde", serde(default))]
    eases: Option<Ease>,
    /// Since when the writer's clock runs at another speed, and at which it did until then; until the next frame.
    turned: Option<(f64, f64)>,
    /// How far before the newest tick the picture stood when the writer announced a pause.
    paused_at: f64,
}

/// Fast forward needs a larger distance to the newest tick, in the writer's seconds, than normal speed: it is gained by
/// going on at the slower speed for a while, and lost by going on at the faster one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Ease {
    /// The speed until the change.
    rate: f64,
    /// For how many seconds this may go on.
    left: f64,
    /// How far behind the picture may be because of it.
    #[cfg_attr(feature = "serde", serde(default))]
    behind: f64,
}

#[cfg(feature = "serde")]
fn longer_ticks() -> bool {
    true
}

#[cfg(feature = "serde")]
fn normal_speed() -> f64 {
    1.0
}

impl Playhead {
    /// Creates a playhead for a writer on this machine that ticks `hz` times per second of its own clock.
    ///
    /// ```
    /// use portamento::playhead::Playhead;
    /// assert!(Playhead::at_hz(60.0).is_ok());
    /// let error = Playhead::at_hz(0.0).unwrap_err();
    /// assert_eq!(error.to_string(), "ticks per second (hz) is 0: give a rate from 1/3600 (one an hour) to 1000000, such as 60");
    /// ```
    pub fn at_hz(hz: f64) -> Result<Self, SettingError> {
        Playhead::new(PlayheadSettings::at_hz(rate("ticks per second (hz)", hz, LeastRate::OneAnHour)?))
    }

    /// Creates a playhead with these settings.
    pub fn new(settings: PlayheadSettings) -> Result<Self, SettingError> {
        settings.check()?;
        Ok(Playhead { settings, life: None, last_now: None, statistics: PlayheadStatistics::default() })
    }

    /// Takes the arrival of a tick: `sim` is its time on the writer's clock, `arrival` when it came on ours. Returns
    /// whether it is the newest now. A tick that is not newer than the newest, or whose times are not finite, is ignored
    /// and counted.
    pub fn observe(&mut self, arrival: f64, sim: f64) -> bool {
        self.observe_after(arrival, sim, false)
    }

    /// The same for a tick before which others were `missed`: published in time, and overwritten before anyone looked.
    pub(crate) fn observe_after(&mut self, arrival: f64, sim: f64, missed: bool) -> bool {
        if !arrival.is_finite() || !sim.is_finite() {
            count(&mut self.statistics.unusable);
            return false;
        }
        let arrival = bounded(arrival);
        // The other rule only blends it, which any number stands.
        let sim = if self.settings.rule == PlayheadRule::Locked { bounded(sim) } else { sim };
        let Some(life) = &mut self.life else {
            self.life = Some(Life::new(arrival, sim, &self.settings));
            count(&mut self.statistics.ticks);
            return true;
        };
        if sim <= life.newest {
            count(&mut self.statistics.old);
            if self.settings.rule == PlayheadRule::SinceArrival {
                life.previous = life.newest;
                life.arrived = arrival.max(life.arrived);
                life.silent = false;
            }
            return false;
        }
        let mut arrival = arrival;
        if arrival < life.arrived {
            count(&mut self.statistics.backward);
            if life.arrived - arrival <= CLOCK_SET_BACK {
                arrival = life.arrived;
            }
        }
        count(&mut self.statistics.ticks);
        if life.starved {
            count(&mut self.statistics.late);
        }
        if life.observe(arrival, sim, missed, &self.settings) {
            count(&mut self.statistics.relocks);
        }
        true
    }

    /// Does the same for a tick that is a teleport. `SinceArrival` shows it at once; under `Locked` its moment comes
    /// like any other.
    pub fn observe_cut(&mut self, arrival: f64, sim: f64) -> bool {
        let newest = self.observe(arrival, sim);
        if let Some(life) = &mut self.life
            && arrival.is_finite()
            && sim.is_finite()
        {
            life.previous = life.newest;
        }
        newest
    }

    /// Returns the moment to draw in a frame at `now` on our clock; `None` before the first tick. A time that is NaN or
    /// infinite repeats the last frame. One beyond 1e200 seconds counts as 1e200.
    pub fn advance(&mut self, now: f64) -> Option<Shown> {
        self.advance_within(now, None)
    }

    /// The same for ticks of which only the last ones can still be read.
    pub(crate) fn advance_within(&mut self, now: f64, kept: Option<Kept>) -> Option<Shown> {
        let life = self.life.as_mut()?;
        let mut now = if now.is_finite() { bounded(now) } else { now };
        if !now.is_finite() {
            count(&mut self.statistics.unusable);
            now = self.last_now.unwrap_or(life.arrived);
        }
        let last = self.last_now.unwrap_or(now);
        if now < last {
            count(&mut self.statistics.backward);
            if last - now <= CLOCK_SET_BACK {
                now = last;
            }
        }
        self.last_now = Some(now);
        let elapsed = (now - last).max(0.0);
        let before = life.shown;
        let skipped = match self.settings.rule {
            PlayheadRule::SinceArrival => {
                let into_tick = ((now - life.arrived) / self.settings.interval).clamp(0.0, 1.0);
                // A clock that was set back takes nothing back of what was shown.
                life.into_tick = if life.silent { into_tick.max(life.into_tick) } else { into_tick };
                life.shown = life.previous.blend(&life.newest, life.into_tick).max(life.shown);
                0.0
            }
            PlayheadRule::Locked => {
                life.follow(now, elapsed, kept, &self.settings) + kept.map_or(0.0, |kept| life.keep_to(kept))
            }
        };
        if skipped > 0.0 {
            count(&mut self.statistics.jumps);
            self.statistics.skipped += skipped;
        }
        if life.starved {
            count(&mut self.statistics.held);
        }
        life.silent = true;
        Some(Shown {
            at: life.shown,
            presented: (life.shown - before).min(f64::MAX),
            beyond: (life.shown - life.newest).max(0.0),
            skipped,
        })
    }

    /// Sets how fast the writer's clock runs from `at` (by our clock) on: `scale` of its seconds per second of ours. It
    /// is 1 at first, and 0 (or less than a billionth) for a pause. The picture follows at once, without having to
    /// measure it.
    ///
    /// In slow motion the picture stays as many of the writer's seconds behind as before, so that the way back to normal
    /// speed needs no stop. For a writer that runs fewer ticks then (a [`Stepper`](crate::step::Stepper) does) that is
    /// one tick still. One that makes its ticks shorter instead is drawn later by our clock: at a scale of 0.2 and 60
    /// ticks per second 83 ms behind instead of 17.
    ///
    /// Call it after `observe` for the tick that reports the scale, with that tick's arrival. A scale that
    /// is negative, NaN or above a million is ignored and counted; [`PlayheadRule::SinceArrival`] and a playhead that
    /// has seen no tick ignore all.
    ///
    /// ```
    /// use portamento::playhead::Playhead;
    /// let mut playhead = Playhead::at_hz(60.0)?;
    /// let (mut sim, mut last) = (0.0, 0.0);
    /// for frame in 0..600 {
    ///     let now = f64::from(frame) / 60.0;
    ///     let scale = if frame < 300 { 1.0 } else { 0.2 }; // slow motion
    ///     sim += scale / 60.0;
    ///     playhead.observe(now, sim);
    ///     playhead.set_time_scale(now, scale);
    ///     let shown = playhead.advance(now).unwrap();
    ///     if frame > 310 {
    ///         assert!((shown.presented * 60.0 / scale - 1.0).abs() < 0.1);
    ///     }
    /// }
    /// # Ok::<(), portamento::SettingError>(())
    /// ```
    pub fn set_time_scale(&mut self, at: f64, scale: f64) {
        if !at.is_finite() || !(0.0..=MAX_SCALE).contains(&scale) {
            count(&mut self.statistics.unusable);
            return;
        }
        let at = bounded(at);
        let scale = if scale < MIN_SCALE { 0.0 } else { scale };
        let locked = self.settings.rule == PlayheadRule::Locked;
        if let Some(life) = self.life.as_mut().filter(|life| locked && life.clock.scale() != scale) {
            life.set_scale(at.max(life.arrived), scale, &self.settings);
        }
    }

    /// The writer ticks at another rate from now on; `told` if it said so, so that its next ticks are expected at it.
    pub(crate) fn set_interval(&mut self, interval: f64, told: bool) {
        self.settings.interval = interval;
        if let Some(life) = self.life.as_mut().filter(|_| told) {
            life.spacings = [interval; 3];
            life.usual_tick = interval;
        }
    }

    /// Forgets the writer's clock: call it when the writer began anew (its run number changed). The drawn moment may go
    /// back, once.
    pub fn restart(&mut self) {
        self.life = None;
        count(&mut self.statistics.restarts);
    }

    /// Returns the alpha of rule `SinceArrival` in the last frame: where between the last two ticks it drew, even if
    /// both stand for the same moment. `None` before the first tick, and under `Locked`, where [`Timeline::place`]
    /// returns it.
    #[doc(hidden)] // output of a replay
    #[must_use]
    pub fn alpha_since_arrival(&self) -> Option<f64> {
        let life = self.life.as_ref()?;
        (self.settings.rule == PlayheadRule::SinceArrival).then_some(life.into_tick)
    }

    /// The newest simulation time observed.
    pub(crate) fn newest(&self) -> Option<f64> {
        self.life.as_ref().map(|life| life.newest)
    }

    /// Returns the estimated reading of the writer's clock at `now` on ours.
    #[doc(hidden)] // for a peer's delay, and for tests of the estimate
    #[must_use]
    pub fn writer_reads(&self, now: f64) -> Option<f64> {
        self.life
            .as_ref()
            .map(|life| life.clock.reads(if now.is_nan() { life.arrived } else { bounded(now) }))
    }

    /// The time from tick to tick as measured, in the writer's seconds.
    pub(crate) fn spacing(&self) -> Option<f64> {
        self.life.as_ref().map(Life::tick)
    }

    /// Returns what was measured of the writer's clock, and counts of ticks, held frames, jumps and restarts.
    #[must_use]
    pub fn statistics(&self) -> PlayheadStatistics {
        let rate = self.life.as_ref().map(|life| life.clock.rate());
        PlayheadStatistics { newest: self.newest(), rate, spacing: self.spacing(), ..self.statistics }
    }

    /// Jumps of the drawn moment.
    pub(crate) fn jumps(&self) -> u64 {
        self.statistics.jumps
    }
}

impl Life {
    fn new(arrival: f64, sim: f64, settings: &PlayheadSettings) -> Self {
        Life {
            clock: WriterClock::new(arrival, bounded(sim)),
            lateness: LatenessLog::new(arrival, settings.interval),
            spacings: [settings.interval; 3],
            previous: sim,
            newest: sim,
            arrived: arrival,
            shown: sim,
            into_tick: 0.0,
            frame: 0.0,
            fresh: true,
            waits: true,
            silent: false,
            resumed: None,
            starved: true,
            usual_tick: settings.interval,
            settled: 1.0,
            ticks_since: 3,
            stretches: true,
            eases: None,
            turned: None,
            paused_at: 0.0,
        }
    }

    /// The writer's clock runs at another speed from `at` on.
    fn set_scale(&mut self, at: f64, scale: f64, settings: &PlayheadSettings) {
        let (was, rate) = (self.clock.scale(), self.clock.rate());
        self.turned.get_or_insert((at, rate));
        let drift = rate / was;
        self.clock.set_scale(at, scale);
        if is_usual(scale) && is_usual(self.settled) {
            return;
        }
        let old = core::mem::replace(&mut self.settled, scale);
        let measured = core::mem::replace(&mut self.ticks_since, 0) >= 3;
        let tick = self.tick();
        let behind = if old > 0.0 {
            let (tick, cover) = self.margin(settings, rate, old);
            settings.margin_ticks * tick + cover
        } else {
            0.0
        };
        if is_usual(old) {
            if measured {
                self.usual_tick = tick;
            }
        } else if old > 1.0 {
            self.stretches = tick * tick > self.usual_tick * self.usual_tick * old;
        }
        if scale >= 1.0 || old > 1.0 {
            // Some simulations make their ticks shorter in slow motion, others make fewer; now they are as before. Which
            // of the two it is in fast forward shows only after the first ticks.
            let longer = if self.stretches { scale.max(1.0) } else { 1.0 };
            self.spacings = [(self.usual_tick * longer).min(LONGEST_TICK); 3];
        }
        if scale == 0.0 {
            self.paused_at = self.shown - self.newest;
            if old > 1.0 {
                // It comes to rest where it can go on at normal speed.
                let (tick, cover) = self.margin(settings, drift, 1.0);
                self.paused_at = self.paused_at.max(-settings.margin_ticks * tick - cover);
            }
        }
        if old.max(scale) > 1.0 {
            let drift = if scale > 0.0 { self.clock.rate() / scale } else { drift };
            let left = settings.relock + self.usual_tick / drift;
            let behind = self.eases.map_or(behind, |ease| behind.max(ease.behind));
            self.eases = Some(Ease { rate: drift * old.max(1.0), left, behind });
        }
    }

    /// The tick length and the lateness to stay behind by, in the writer's seconds.
    fn margin(&self, settings: &PlayheadSettings, rate: f64, scale: f64) -> (f64, f64) {
        let late = self.lateness.measure(settings.lateness).max(settings.margin_floor);
        // In slow motion the margin stays what it was, in the writer's seconds: so the way back to normal speed, when
        // ticks are as late as ever, does not begin without one.
        if scale < 1.0 {
            (self.tick().max(self.usual_tick), rate / scale * late)
        } else {
            (self.tick(), rate * late)
        }
    }

    /// Follows a tick; true if the one before it had begun a new line.
    fn observe(&mut self, arrival: f64, sim: f64, missed: bool, settings: &PlayheadSettings) -> bool {
        if !missed {
            self.spacings = [self.spacings[1], self.spacings[2], (sim - self.newest).min(LONGEST_TICK)];
        }
        self.ticks_since = (self.ticks_since + 1).min(3);
        let tick = self.tick();
        self.previous = self.newest;
        self.newest = sim;
        self.arrived = arrival;
        self.silent = false;
        if self.clock.scale() == 0.0 {
            self.clock.step(arrival, bounded(sim));
            return false;
        }
        if self.starved {
            self.resumed.get_or_insert(arrival);
        }
        let (fitted, relocked) = self.clock.observe(arrival, bounded(sim), tick, settings);
        match fitted {
            Fitted::Followed { late } => self.cover(arrival, late, settings),
            Fitted::Shifted { by, late } => {
                self.lateness.shift(by);
                self.cover(arrival, late, settings);
            }
            Fitted::Turned => self.lateness = LatenessLog::new(arrival, settings.interval),
            Fitted::Relocked => {}
        }
        if !missed && self.spacings[1] > 1.5 * tick {
            // A tick was lost before the last one: to someone who waited for it, the next was late by so much.
            self.cover(arrival, (self.spacings[1] - tick) / self.clock.rate(), settings);
        }
        relocked
    }

    /// Lets the margin cover a lateness, unless it is one that is skipped instead.
    fn cover(&mut self, arrival: f64, late: f64, settings: &PlayheadSettings) {
        if late <= settings.relock {
            self.lateness.add(arrival, late, settings.margin_memory);
        }
    }

    /// The tick length that a single lost tick does not change: the middle one of the last three.
    fn tick(&self) -> f64 {
        let [a, b, c] = self.spacings;
        a.min(b).max(a.max(b).min(c))
    }

    /// Moves the playhead; returns what it skipped.
    fn follow(&mut self, now: f64, elapsed: f64, kept: Option<Kept>, settings: &PlayheadSettings) -> f64 {
        let elapsed = self.believable(elapsed, settings);
        let (rate, scale) = (self.clock.rate(), self.clock.scale());
        let turned = self.turned.take();
        if scale == 0.0 {
            return self.stand(elapsed);
        }
        let (tick, cover) = self.margin(settings, rate, self.settled);
        let mut target = self.clock.reads(now) - settings.margin_ticks * tick - cover;
        if let Some(kept) = kept {
            // The oldest tick is the next to be overwritten. Two ticks are left in any case.
            target = target.max(kept.next.min(self.newest - 2.0 * tick));
        }
        let played = match turned {
            Some((at, until_then)) => {
                let since = (now - at).clamp(0.0, elapsed);
                until_then * (elapsed - since) + rate * since
            }
            None => rate * elapsed,
        };
        let error = target - (self.shown + played);
        if core::mem::take(&mut self.fresh) && error > 0.0 {
            // Ticks came before anybody looked (a loading screen): the first frame shows the present.
            self.shown = target.min(self.newest).max(self.shown);
            self.starved = target >= self.newest;
            self.waits = false;
            return 0.0;
        }
        if self.waits {
            if target < self.shown {
                return 0.0;
            }
            (self.waits, self.resumed) = (false, None);
            if target - self.shown <= played && target <= self.newest {
                self.shown = target;
                self.starved = false;
                return 0.0;
            }
        }
        // After a wait, a playhead whose jumps are hidden takes even a small one at once.
        let extrapolates = settings.extrapolate > 0.0;
        let behind = if extrapolates && self.resumed.is_some() { STAYS_BEHIND } else { settings.relock };
        let eased = self.eases.map_or(0.0, |ease| ease.behind);
        // If the target lies past the newest tick, ticks are overdue and there is nothing to jump to.
        if error > behind.min(settings.relock) * rate.max(1.0) + eased && target <= self.newest {
            let skipped = target - self.shown;
            self.shown = target;
            self.starved = false;
            self.resumed = None;
            return skipped;
        }
        let bend = settings.bend * played;
        // How much of the margin a playhead that is ahead has used up.
        let used = if error < 0.0 { (-error / cover).min(1.0) } else { 0.0 };
        let pull = settings.pull + (settings.brake - settings.pull) * used;
        let mut step = played + (error * (pull * elapsed).min(1.0)).clamp(-bend, bend);
        if let Some(ease) = &mut self.eases {
            let wanted = target - self.shown;
            let slower = rate.min(ease.rate) * elapsed * (1.0 - settings.bend);
            let faster = rate.max(ease.rate) * elapsed * (1.0 + settings.bend);
            step = wanted.clamp(slower, faster);
            ease.left -= elapsed;
            if step == wanted || ease.left <= 0.0 {
                self.eases = None;
            }
        }
        if let Some(arrival) = self.resumed.take() {
            // It stood still until a tick came, however long the frame. A little of that time may still be played, so
            // that a short wait is hardly seen; more would only run out of ticks again.
            let since = rate * (now - arrival).clamp(0.0, elapsed);
            step = step.min((target + rate * RUN_AHEAD - self.shown).max(since));
        }
        self.starved = self.shown + step >= self.newest;
        self.shown = run_on(self.shown, step, self.newest, settings.extrapolate);
        0.0
    }

    /// What is older than the oldest tick cannot be drawn; two ticks are left in any case, so that there is something to
    /// play. Returns what it skipped.
    fn keep_to(&mut self, kept: Kept) -> f64 {
        let first = kept.oldest.min(self.newest - 2.0 * self.tick());
        let lost = (first - self.shown).max(0.0);
        self.shown = self.shown.max(first);
        lost
    }

    /// The writer announced a pause: so does the picture. Single steps are played at normal speed, what is left of fast
    /// forward at that.
    fn stand(&mut self, elapsed: f64) -> f64 {
        let end = self.newest + self.paused_at;
        let speed = self.eases.map_or(1.0, |ease| ease.rate);
        if end > self.shown {
            // Rounding must not lead past the end.
            self.shown = (self.shown + (end - self.shown).min(speed * elapsed)).min(end);
        }
        if self.shown >= end {
            self.eases = None;
        }
        self.starved = false;
        self.resumed = None;
        0.0
    }

    /// How long this frame took, as far as the picture is concerned.
    fn believable(&mut self, elapsed: f64, settings: &PlayheadSettings) -> f64 {
        let usual = core::mem::replace(&mut self.frame, elapsed);
        if self.silent && !self.starved && elapsed > settings.relock && elapsed > 4.0 * usual {
            // In the middle of a stream nothing arrives for far longer than a frame ever takes: our clock was set,
            // or the machine slept. Running on to the newest tick would be a jump; one usual frame is not.
            usual
        } else {
            elapsed
        }
    }
}

/// `shown` moved on by `step`: freely up to the newest tick, then fading out over `limit` past it, which is the farthest
/// that it gets.
fn run_on(shown: f64, step: f64, newest: f64, limit: f64) -> f64 {
    let free = shown + step;
    if free <= newest {
        return free;
    }
    if limit <= 0.0 {
        return newest.max(shown);
    }
    let beyond = (shown - newest).clamp(0.0, limit);
    (newest + fading_out(beyond, free - shown.max(newest), limit)).max(shown)
}

/// How far past the newest tick one gets that is `beyond` past it and goes on for `seconds`, slower and slower: the speed
/// is `1 - (beyond / limit)^2`, and so the way is a hyperbolic tangent. Two frames of half the length give what one frame
/// gives.
pub(crate) fn fading_out(beyond: f64, seconds: f64, limit: f64) -> f64 {
    let left = crate::math::exp(-2.0 * seconds / limit);
    let (there, on) = (beyond / limit, (1.0 - left) / (1.0 + left));
    limit * ((there + on) / (1.0 + there * on)).min(1.0)
}
