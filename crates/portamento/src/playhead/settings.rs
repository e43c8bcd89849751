//! How should the playhead run?

use crate::error::{SettingError, within};

/// No setting is longer.
pub(super) const LONGEST_SECONDS: f64 = 3600.0;
/// An arrival's trust divides by the square of this setting.
const LEAST_LATE_SCALE: f64 = 1e-3;

/// Which rule chooses the moment that is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PlayheadRule {
    /// From the arrival of the newest tick on, one nominal tick length takes the picture from the tick before to it.
    /// Every late or early arrival shakes the picture.
    SinceArrival,
    /// Estimates the writer's clock, stays a margin behind it, and follows with gentle changes of speed.
    #[default]
    Locked,
}

/// Which lateness the margin covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Lateness {
    /// The worst of the last seconds: hardly ever out of ticks. For threads, processes and workers.
    #[default]
    Worst,
    /// The median of the last ticks: less delay, where something else (extrapolation, a visual offset) hides
    /// what comes later. For networks.
    Median,
}

/// Settings of a [`Playhead`](super::Playhead). [`PlayheadSettings::at_hz`] is for a writer on the same machine, and
/// has the values that the fields call default. Those for a network are the `playhead` of
/// [`PeerSettings::at_hz`](crate::remote::PeerSettings::at_hz).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayheadSettings {
    /// The nominal time from tick to tick, in seconds of the writer's clock; up to an hour. `SinceArrival` always uses
    /// it, `Locked` until it has measured the real one.
    pub interval: f64,
    /// Which rule chooses the moment. Default `Locked`.
    pub rule: PlayheadRule,
    /// Which lateness the margin covers: the playhead stays `margin_ticks` ticks and this lateness behind the writer's
    /// clock. Default `Worst`, for a network `Median`.
    pub lateness: Lateness,
    /// For how many seconds the worst lateness is remembered. Default `7.0`.
    pub margin_memory: f64,
    /// The least lateness assumed, seconds. Default `0.003`.
    pub margin_floor: f64,
    /// Tick lengths kept besides: one, so that there is always a tick to move towards. Default `1.0`.
    pub margin_ticks: f64,
    /// The farthest that the picture goes on past the newest tick, in seconds of the writer's clock. It slows down on the
    /// way: the speed falls with the square of the share of this limit that is used up. With 0 it stays at the newest
    /// tick. Default `0.0`, for a network `0.155`.
    pub extrapolate: f64,
    /// How fast an error of the playhead is corrected, per second: it shrinks with the time constant `1 / pull`, as far as
    /// `bend` allows. Default `1.0`, for a network `2.0`.
    pub pull: f64,
    /// The same for a playhead that is ahead by the whole margin; less in proportion when it is ahead by less. Stronger
    /// than `pull`, because running out of ticks is seen. Default `8.0`, for a network `2.0`.
    pub brake: f64,
    /// The most that the drawn speed is changed, as a share of it. Default `0.06`.
    pub bend: f64,
    /// An error beyond this many seconds is corrected at once, by a jump. Default `0.25`, for a network `0.12`.
    pub relock: f64,
    /// The writer's seconds per second of ours lie between `1 / (1 + rate_within)` and `1 + rate_within`. Small
    /// for clocks that only drift; large for a simulation that may run in slow motion. Default `99.0`, for a
    /// network `0.01`.
    pub rate_within: f64,
    /// What share of a surprise moves the estimated offset. Default `0.4`, for a network `0.1`.
    pub offset_gain: f64,
    /// What share of a surprise, in ticks, moves the estimated rate when it has long been known. Default `0.001`,
    /// for a network `0.002`.
    pub rate_gain: f64,
    /// Arrivals later than this many times the usual spread count for less than half; a thousandth at least. Default
    /// `12.0`, for a network `2.0`.
    pub late_scale: f64,
}

impl PlayheadSettings {
    /// Creates settings for a writer on this machine that ticks `hz` times per second of its clock.
    #[must_use]
    pub fn at_hz(hz: f64) -> Self {
        PlayheadSettings {
            interval: 1.0 / hz,
            rule: PlayheadRule::Locked,
            lateness: Lateness::Worst,
            margin_memory: 7.0,
            margin_floor: 0.003,
            margin_ticks: 1.0,
            extrapolate: 0.0,
            pull: 1.0,
            brake: 8.0,
            bend: 0.06,
            relock: 0.25,
            rate_within: 99.0,
            offset_gain: 0.4,
            rate_gain: 0.001,
            late_scale: 12.0,
        }
    }

    /// For a peer behind a network that sends `hz` times per second: the median lateness as margin, 0.155 s of
    /// extrapolation that fades, re-locking at 120 ms, a rate that may only drift.
    pub(crate) fn network(hz: f64) -> Self {
        PlayheadSettings {
            lateness: Lateness::Median,
            extrapolate: 0.155,
            relock: 0.12,
            rate_within: 0.01,
            offset_gain: 0.1,
            rate_gain: 0.002,
            late_scale: 2.0,
            pull: 2.0,
            brake: 2.0,
            ..PlayheadSettings::at_hz(hz)
        }
    }

    pub(super) fn bounded_rate(&self, rate: f64) -> f64 {
        rate.clamp(1.0 / (1.0 + self.rate_within), 1.0 + self.rate_within)
    }

    pub(super) fn check(&self) -> Result<(), SettingError> {
        let numbers = [
            ("interval", self.interval, f64::MIN_POSITIVE, LONGEST_SECONDS),
            ("margin_floor", self.margin_floor, 0.0, LONGEST_SECONDS),
            ("margin_memory", self.margin_memory, f64::MIN_POSITIVE, LONGEST_SECONDS),
            ("margin_ticks", self.margin_ticks, 0.0, 1000.0),
            ("extrapolate", self.extrapolate, 0.0, LONGEST_SECONDS),
            ("brake", self.brake, 0.0, 1000.0),
            ("pull", self.pull, 0.0, 1000.0),
            ("bend", self.bend, 0.0, 1.0),
            ("relock", self.relock, f64::MIN_POSITIVE, LONGEST_SECONDS),
            ("rate_within", self.rate_within, 0.0, 1e6),
            ("offset_gain", self.offset_gain, 0.0, 1.0),
            ("rate_gain", self.rate_gain, 0.0, 1.0),
            ("late_scale", self.late_scale, LEAST_LATE_SCALE, 1e6),
        ];
        for (name, value, least, most) in numbers {
            within(name, value, least, most)?;
        }
        Ok(())
    }
}
