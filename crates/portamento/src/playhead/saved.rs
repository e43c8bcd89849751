//! A playhead that comes from a file is only believed if its numbers fit together.

use super::{Life, Playhead, PlayheadCounts, PlayheadSettings};
use crate::SettingError;
use core::fmt;

#[derive(serde::Deserialize)]
pub(super) struct Unchecked {
    settings: PlayheadSettings,
    life: Option<Life>,
    last_now: Option<f64>,
    counts: PlayheadCounts,
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
        let Unchecked { settings, life, last_now, counts } = saved;
        settings.check().map_err(Unsound::Settings)?;
        let sound =
            life.as_ref().is_none_or(|life| life.is_sound(&settings)) && last_now.is_none_or(f64::is_finite);
        if sound { Ok(Playhead { settings, life, last_now, counts }) } else { Err(Unsound::State) }
    }
}

impl Life {
    fn is_sound(&self, settings: &PlayheadSettings) -> bool {
        let numbers = [
            self.previous,
            self.newest,
            self.arrived,
            self.shown,
            self.into_tick,
            self.frame,
            self.usual_tick,
            self.paused_at,
        ];
        let turned = self.turned.is_none_or(|(at, rate)| at.is_finite() && rate.is_finite());
        let all = numbers.iter().chain(&self.spacings).chain(self.resumed.iter());
        turned
            && all.copied().all(f64::is_finite)
            && self.clock.is_sound(settings)
            && self.lateness.is_sound()
    }
}
