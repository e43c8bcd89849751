//! The library's own playhead as a strategy: ticks in a timeline, drawn where the playhead stands.

use super::{Arrival, Shown, Strategy};
use portamento::playhead::{Playhead, Settings, SettingsError, Timeline};

/// Draws a thing from the ticks of another clock. Measured against the original rule by giving either in the
/// settings.
#[derive(Clone, Debug)]
pub struct ByPlayhead {
    playhead: Playhead,
    timeline: Timeline<[f64; 3], 128>,
    epoch: Option<u32>,
}

impl ByPlayhead {
    /// A playhead with these settings.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        Ok(Self { playhead: Playhead::with(settings)?, timeline: Timeline::new(), epoch: None })
    }

    /// The playhead, for its counters.
    pub fn playhead(&self) -> &Playhead {
        &self.playhead
    }
}

impl Strategy<[f64; 3]> for ByPlayhead {
    fn receive(&mut self, arrival: &Arrival<[f64; 3]>) {
        let cut = self.epoch.replace(arrival.epoch).is_some_and(|epoch| epoch != arrival.epoch);
        if cut {
            self.playhead.observe_cut(arrival.arrived, arrival.sent);
            self.timeline.cut(arrival.sent, arrival.place);
        } else {
            self.playhead.observe(arrival.arrived, arrival.sent);
            self.timeline.push(arrival.sent, arrival.place);
        }
    }

    fn frame(&mut self, now: f64) -> Option<Shown<[f64; 3]>> {
        let shown = self.playhead.advance(now)?;
        self.timeline.view(&shown).map(|place| Shown { place, content: Some(shown.at) })
    }
}
