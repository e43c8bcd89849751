//! How should a sender's things be drawn?

use super::{OffsetFading, OffsetSize};
use crate::error::{SettingError, within};
use crate::playhead::{self, Beyond};

/// What lengths mean: when an offset is a large one, and how far is too far.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LengthUnit {
    /// One metre is this many of the user's units.
    Metre(f64),
    /// Not known: each thing's own pace tells. What it usually covers in a tenth of a second stands for a metre, which
    /// is about right for a person who runs.
    Learned,
}

/// All that can be chosen about a [`Peer`](super::Peer) and its [`Snapshots`](super::Snapshots). The send
/// interval is enough: [`PeerSettings::at_hz`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PeerSettings {
    /// Which moment is drawn: delay, extrapolation, re-locking. Default [`playhead::PlayheadSettings::network`].
    pub playhead: playhead::PlayheadSettings,
    /// How an offset fades; lengths in metres. Its top speed is not used here: see `catch_up`. Default
    /// [`OffsetFading::CORRECTION`], with `slow` 10 and `fast` 12.
    pub fading: OffsetFading,
    /// How long a metre is. Default `Learned`.
    pub unit: LengthUnit,
    /// The picture never stands farther from what the snapshots say than this many metres and what
    /// `keep_growth` adds. Default `4.0`.
    pub keep: f64,
    /// It adds this many times what the thing usually covers in the longest time of which nothing is known. Default
    /// `0.4`.
    pub keep_growth: f64,
    /// How fast an offset may fade at most, in terms of the thing's usual pace. At 1.9 nothing moves at more than
    /// three times its pace while it comes back from a gap. Default `1.9`.
    pub catch_up: f64,
    /// After this many seconds without a word from the sender, extrapolated things settle on their last pose.
    /// Default `0.5`.
    pub settle_after: f64,
}

impl PeerSettings {
    /// The defaults, for a peer that sends `hz` times per second.
    #[must_use]
    pub fn at_hz(hz: f64) -> Self {
        PeerSettings {
            playhead: playhead::PlayheadSettings::network(hz),
            fading: OffsetFading { slow: 10.0, fast: 12.0, ..OffsetFading::CORRECTION },
            unit: LengthUnit::Learned,
            keep: 4.0,
            keep_growth: 0.4,
            catch_up: 1.9,
            settle_after: 0.5,
        }
    }

    /// For people who run and shoot, who turn at will: little is foreseen (40 ms), and what was foreseen wrongly is
    /// taken back soon. As late as the defaults and nearer to the true path, at the price of judder: on a runner 0.8
    /// (lossy link) and 0.6 (bursts) as far off the path, with 1.2 and 1.3 times the judder.
    #[must_use]
    pub fn action(hz: f64) -> Self {
        let defaults = PeerSettings::at_hz(hz);
        PeerSettings {
            playhead: playhead::PlayheadSettings {
                beyond: Beyond::Extrapolate { limit: 0.04 },
                ..defaults.playhead
            },
            fading: OffsetFading { slow: 14.0, fast: 20.0, ..defaults.fading },
            ..defaults
        }
    }

    /// For vehicles, which go on as they went: 200 ms are foreseen, and taken back gently. Smoother than the
    /// defaults (0.8 to 0.9 of the judder on a lossy link, two thirds with bursts) and a few milliseconds earlier,
    /// up to two and a half times as far off the path where it bends. Velocities in the reports keep it nearer.
    #[must_use]
    pub fn racing(hz: f64) -> Self {
        let defaults = PeerSettings::at_hz(hz);
        PeerSettings {
            playhead: playhead::PlayheadSettings {
                beyond: Beyond::Extrapolate { limit: 0.2 },
                ..defaults.playhead
            },
            fading: OffsetFading { slow: 5.0, fast: 10.0, ..defaults.fading },
            ..defaults
        }
    }

    /// For units seen from above, where a tenth of a second more is no loss: two send intervals later than the
    /// defaults, so that one or two lost or late messages change nothing, and nothing is foreseen. On a lossy link
    /// little more than half of the judder is left, and nothing steps back.
    #[must_use]
    pub fn strategy(hz: f64) -> Self {
        let defaults = PeerSettings::at_hz(hz);
        let mut playhead = playhead::PlayheadSettings { beyond: Beyond::Hold, ..defaults.playhead };
        playhead.margin.ticks += 2.0;
        PeerSettings {
            playhead,
            fading: OffsetFading { slow: 4.0, fast: 8.0, ..defaults.fading },
            ..defaults
        }
    }

    /// With lengths known: one metre is `metre` of the user's units.
    #[must_use]
    pub fn with_metre(self, metre: f64) -> Self {
        PeerSettings { unit: LengthUnit::Metre(metre), ..self }
    }

    /// The nominal send interval, seconds.
    #[must_use]
    pub fn interval(&self) -> f64 {
        self.playhead.interval
    }

    pub(super) fn check(&self) -> Result<(), SettingError> {
        let metre = match self.unit {
            LengthUnit::Metre(metre) => metre,
            LengthUnit::Learned => 1.0,
        };
        let numbers = [
            ("fading.slow", self.fading.slow, f64::MIN_POSITIVE, 1e6),
            ("fading.fast", self.fading.fast, self.fading.slow, 1e6),
            ("fading.small", self.fading.small.length, f64::MIN_POSITIVE, 1e12),
            ("fading.large", self.fading.large.length, self.fading.small.length, 1e12),
            ("unit", metre, f64::MIN_POSITIVE, 1e12),
            ("keep", self.keep, 0.0, 1e12),
            ("keep_growth", self.keep_growth, 0.0, 1e6),
            ("catch_up", self.catch_up, 0.01, 1e6),
            ("settle_after", self.settle_after, 0.0, 1e9),
        ];
        for (name, value, least, most) in numbers {
            within(name, value, least, most)?;
        }
        Ok(())
    }
}

/// The usual speed of a thing, learned from its snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pace {
    /// Root of the mean square.
    speed: OffsetSize,
}

impl Pace {
    /// Another speed was seen. Standing still says little about the pace, and so does one outlier.
    pub fn learn(&mut self, speed: OffsetSize) {
        self.speed = self.speed.zip(speed, |usual, speed| {
            let (square, new) = (usual * usual, speed * speed);
            if !new.is_finite() {
                usual
            } else if square == 0.0 {
                speed
            } else if new < 0.02 * square {
                usual * 0.999
            } else {
                crate::math::sqrt(square + 0.05 * (new.min(16.0 * square) - square))
            }
        });
    }

    fn metre(&self, settings: &PeerSettings) -> f64 {
        match settings.unit {
            LengthUnit::Metre(metre) => metre,
            // Something that never moved has no pace; any positive length will do for it.
            LengthUnit::Learned => (0.1 * self.speed.length).max(f64::MIN_POSITIVE),
        }
    }

    pub fn fading(&self, settings: &PeerSettings) -> OffsetFading {
        let fastest =
            self.speed.map(|pace| if pace > 0.0 { pace * settings.catch_up } else { f64::INFINITY });
        OffsetFading { top_speed: fastest, ..settings.fading.with_unit(self.metre(settings)) }
    }

    /// How far the picture may stand from what the snapshots say, when nothing is known of `gap` seconds.
    pub fn limit(&self, settings: &PeerSettings, gap: f64) -> OffsetSize {
        let length = settings.keep * self.metre(settings) + settings.keep_growth * self.speed.length * gap;
        OffsetSize { length, angle: core::f64::consts::PI }
    }
}
