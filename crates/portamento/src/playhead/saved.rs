//! A playhead that comes from a file is only trusted if its numbers fit together.

use super::{
    FARTHEST, LONGEST_TICK, Life, MAX_SCALE, Playhead, PlayheadRule, PlayheadSettings, PlayheadStatistics,
};
use crate::SettingError;
use core::fmt;

#[derive(serde::Deserialize)]
pub(super) struct Unchecked {
    settings: PlayheadSettings,
    life: Option<Life>,
    last_now: Option<f64>,
    statistics: PlayheadStatistics,
}

/// Why a saved playhead was refused.
pub(super) enum Unsound {
    Settings(SettingError),
    State,
}

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsound::Settings(error) => error.fmt(f),
            Unsound::State => {
                f.write_str("a saved playhead whose numbers do not fit together: start a new one")
            }
        }
    }
}

impl TryFrom<Unchecked> for Playhead {
    type Error = Unsound;

    fn try_from(saved: Unchecked) -> Result<Self, Unsound> {
        let Unchecked { settings, life, last_now, statistics } = saved;
        settings.check().map_err(Unsound::Settings)?;
        let sound = life.as_ref().is_none_or(|life| life.is_sound(&settings))
            && last_now.is_none_or(is_near)
            && statistics.skipped.is_finite();
        if sound { Ok(Playhead { settings, life, last_now, statistics }) } else { Err(Unsound::State) }
    }
}

/// Whether clock readings can have led to this number of seconds.
pub(super) fn is_near(seconds: f64) -> bool {
    // A difference of two of them, or a little more than one.
    seconds.abs() <= 3.0 * FARTHEST
}

impl Life {
    fn is_sound(&self, settings: &PlayheadSettings) -> bool {
        let simulated = [self.previous, self.newest, self.shown];
        let times = match settings.rule {
            PlayheadRule::Locked => simulated.into_iter().all(is_near),
            PlayheadRule::SinceArrival => simulated.into_iter().all(f64::is_finite),
        };
        let near = [self.arrived, self.frame, self.paused_at].into_iter().chain(self.resumed).all(is_near);
        let tick = |seconds: &f64| *seconds > 0.0 && *seconds <= LONGEST_TICK;
        let turned = self.turned.is_none_or(|(at, rate)| is_near(at) && (0.0..=FASTEST).contains(&rate));
        let eases = self.eases.is_none_or(|ease| {
            is_near(ease.left) && is_near(ease.behind) && (0.0..=FASTEST).contains(&ease.rate)
        });
        // Rounding may lead a little past the limit.
        let limit = settings.extrapolate * (1.0 + 1e-9) + 1e-12 * self.newest.abs();
        let ahead = [self.shown - self.newest, self.paused_at];
        times
            && near
            && self.previous <= self.newest
            && ahead.iter().all(|ahead| *ahead <= limit)
            && turned
            && eases
            && (0.0..=MAX_SCALE).contains(&self.settled)
            && self.ticks_since <= 3
            && self.frame >= 0.0
            && (0.0..=1.0).contains(&self.into_tick)
            && self.spacings.iter().chain([&self.usual_tick]).all(tick)
            && self.clock.is_sound(settings)
            && self.lateness.is_sound()
    }
}

/// A rate is at most the announced one times the drift that the settings allow.
const FASTEST: f64 = 2.0 * MAX_SCALE * MAX_SCALE;
