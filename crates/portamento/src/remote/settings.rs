//! How should a sender's entities be drawn?

use super::{OffsetFading, OffsetSize};
use crate::error::{SettingError, within};
use crate::playhead::PlayheadSettings;

/// Settings of a [`Peer`](super::Peer) and its [`Snapshots`](super::Snapshots). The send rate is enough:
/// [`PeerSettings::at_hz`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PeerSettings {
    /// Which moment is drawn: delay, extrapolation, re-locking. Other defaults than on the same
    /// machine: those that [`PlayheadSettings`] gives for a network.
    pub playhead: PlayheadSettings,
    /// How fast a large visual offset fades, per second: after `1 / fade` seconds 37 % of it are left; a small one fades
    /// somewhat faster. The offset hides a gap, a late message or a wrong extrapolation: the picture stays where it was
    /// and glides. Default `7.0`.
    pub fade: f64,
    /// The farthest that a picture glides, in seconds of the entity's own way at its top speed. Beyond it the picture
    /// is cut to where the snapshots have it. An entity that never moved has no such way and always glides. Default
    /// `1.5`.
    pub glide: f64,
    /// A step from one report to the next is an undeclared teleport, and drawn as a cut, if it is this many times
    /// longer than the entity's usual pace and its reported velocities explain. `f64::MAX` for never. Default `20.0`.
    pub jump: f64,
    /// An entity that does not rest, and that the peer has not mentioned for this many seconds while it reported
    /// others, is [`Seen::Gone`](super::Seen::Gone), and counted. Without this setting, the loss of the message that
    /// reports an entity as vanished leaves a ghost forever. Time is counted on the peer's clock, so a silent peer
    /// loses no entity. Set it, to 5 or 10 seconds, if your server mentions every entity now and then, or marks what
    /// rests with [`Report::at_rest`](super::Report::at_rest). Default `f64::MAX`, never.
    pub forget: f64,
}

impl PeerSettings {
    /// Creates the defaults for a peer that sends `hz` times per second.
    #[must_use]
    pub fn at_hz(hz: f64) -> Self {
        PeerSettings {
            playhead: PlayheadSettings::network(hz),
            fade: 7.0,
            glide: 1.5,
            jump: 20.0,
            forget: f64::MAX,
        }
    }

    /// Creates settings for players who run, shoot and turn at will: little is extrapolated (70 ms), and what was
    /// extrapolated wrongly is taken back soon. The latency is that of the defaults. The picture is nearer to the true
    /// path, at the price of judder: less than 1.4 times that of the defaults.
    #[must_use]
    pub fn action(hz: f64) -> Self {
        let defaults = PeerSettings::at_hz(hz);
        PeerSettings {
            playhead: PlayheadSettings { extrapolate: 0.07, ..defaults.playhead },
            fade: 9.0,
            ..defaults
        }
    }

    /// Creates settings for vehicles, which go on as they went: 200 ms are extrapolated, and taken back gently. The
    /// picture is smoother than with the defaults, at the same latency. Where the path bends it is up to two and a half
    /// times as far off; velocities in the reports keep it nearer.
    #[must_use]
    pub fn racing(hz: f64) -> Self {
        let defaults = PeerSettings::at_hz(hz);
        PeerSettings {
            playhead: PlayheadSettings { extrapolate: 0.2, ..defaults.playhead },
            fade: 4.0,
            ..defaults
        }
    }

    /// Creates settings for units seen from above, where a tenth of a second more does not matter. The picture is two
    /// send intervals later than with the defaults, so that one or two lost or late messages change nothing. Nothing is
    /// extrapolated. On a lossy link less than two thirds of the judder is left.
    #[must_use]
    pub fn strategy(hz: f64) -> Self {
        let defaults = PeerSettings::at_hz(hz);
        let margin_ticks = defaults.playhead.margin_ticks + 2.0;
        let playhead = PlayheadSettings { extrapolate: 0.0, margin_ticks, ..defaults.playhead };
        PeerSettings { playhead, fade: 4.0, ..defaults }
    }

    /// The nominal send interval, in seconds.
    pub(super) fn interval(&self) -> f64 {
        self.playhead.interval
    }

    /// As the visual offset takes it.
    pub(super) fn fading(&self) -> OffsetFading {
        OffsetFading { slow: self.fade * QUICKER, fast: self.fade, ..PLAIN }
    }

    pub(super) fn check(&self) -> Result<(), SettingError> {
        within("fade", self.fade, f64::MIN_POSITIVE, 1e6)?;
        within("glide", self.glide, 0.0, 1e9)?;
        within("jump", self.jump, 1.0, f64::MAX)?;
        within("forget", self.forget, f64::MIN_POSITIVE, f64::MAX)?;
        Ok(())
    }
}

/// Small offsets, of which there are many, fade this much quicker than large ones: they are off the path for less time.
const QUICKER: f64 = 12.0 / 7.0;
/// Lengths in seconds of the entity's own way.
const PLAIN: OffsetFading = OffsetFading {
    slow: 1.0,
    fast: 1.0,
    small: OffsetSize::both(0.2),
    large: OffsetSize::both(0.8),
    // With the entity's own pace less than eight times that.
    top_speed: OffsetSize::both(6.8),
    gone: OffsetSize::both(1e-4),
};
/// An offset of less than this many seconds of an entity's way is gone.
const GONE: f64 = 1e-5;

/// How fast an entity's highest speed is forgotten, with each snapshot, and how far it may lie above the usual one.
const TOP_FADES: f64 = 0.002;
const TOP_OF_USUAL: f64 = 2.0;

/// The usual speed of an entity, learned from its snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pace {
    /// Root of the mean square.
    speed: OffsetSize,
    /// About the highest speed.
    top: f64,
}

impl Pace {
    /// Another speed was seen. Standing still says little about the pace, and so does one outlier.
    pub fn learn(&mut self, speed: OffsetSize) {
        let fastest = speed.length;
        self.speed = self.speed.zip(speed, |usual, speed| {
            let (square, new) = (usual * usual, speed * speed);
            if !new.is_finite() {
                usual
            } else if square == 0.0 {
                speed
            } else if new == 0.0 {
                usual
            } else if new < 0.02 * square {
                usual * 0.999
            } else {
                crate::math::sqrt(square + 0.05 * (new.min(16.0 * square) - square))
            }
        });
        let usual = self.speed.length;
        self.top =
            (self.top - TOP_FADES * (self.top - usual)).max(fastest.min(TOP_OF_USUAL * usual)).max(usual);
    }

    /// Whether [`learn`](Self::learn) can have led here: it ignores speeds whose squares are infinite.
    #[cfg(feature = "serde")]
    pub fn can_be_learned(&self) -> bool {
        let Self { speed: OffsetSize { length, angle }, top } = *self;
        [length, angle, top].iter().all(|speed| (0.0..=1e155).contains(speed))
    }

    pub fn fading(&self, settings: &PeerSettings) -> OffsetFading {
        let gone = OffsetSize { length: (GONE * self.speed.length).max(f64::MIN_POSITIVE), ..PLAIN.gone };
        let unit = self.speed.length.max(f64::MIN_POSITIVE);
        OffsetFading { gone, ..settings.fading().with_unit(unit) }
    }

    /// The farthest that the picture may glide.
    pub fn glides(&self, settings: &PeerSettings) -> f64 {
        if self.speed.length > 0.0 { settings.glide * self.top } else { f64::INFINITY }
    }

    /// Whether a step in this many seconds is a jump: more than `times` what the pace and these speeds explain.
    pub fn is_jump(&self, step: f64, seconds: f64, reported: f64, times: f64) -> bool {
        let usual = self.speed.length.max(reported);
        usual > 0.0 && step > times * usual * seconds // false for NaN too
    }
}
