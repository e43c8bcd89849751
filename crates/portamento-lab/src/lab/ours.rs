//! This library's own ways of drawing, as the lab drives them.

use crate::strategy::{Arrival, Drawn, Shown, Strategy};
use crate::yardstick::Motion;
use portamento::Track;
use portamento::playhead::{Playhead, Rule, Settings, Timeline};
use portamento::step::{Moment, Stepper};

/// A loop around a stepper: what is simulated in each tick is the true motion at the tick's time.
pub(super) struct OwnLoop<'a> {
    pub motion: &'a Motion<[f64; 3]>,
    /// When frames are displayed.
    pub display: &'a [f64],
    /// What the loop's clock says then.
    pub readings: &'a [f64],
}

impl OwnLoop<'_> {
    /// Runs the loop; `draw` gets the track of places, that of simulated times, and the moment of the frame.
    pub fn draw(
        &self,
        mut stepper: Stepper,
        mut draw: impl FnMut(&Ends<[f64; 3]>, &Ends<f64>, &Moment) -> ([f64; 3], f64),
    ) -> Drawn<[f64; 3]> {
        let mut places = Ends::new(self.motion.at(0.0));
        let mut times = Ends::new(0.0);
        let mut truth = self.motion.reader();
        let mut drawn = Drawn::new();
        let mut before = 0.0;
        for (&shown_at, &reading) in self.display.iter().zip(self.readings) {
            let frame = stepper.frame(reading - before);
            before = reading;
            for tick in frame.ticks {
                places.push(truth.at(tick.time));
                times.push(tick.time);
            }
            let (place, content) = draw(&places, &times, &frame.moment);
            drawn.push(shown_at, place, Some(content));
        }
        drawn
    }

    /// Draws the moment the stepper asks for.
    pub fn smooth(&self, stepper: Stepper) -> Drawn<[f64; 3]> {
        self.draw(stepper, |places, times, moment| (places.view(moment), times.view(moment)))
    }

    /// Draws the newest tick.
    pub fn raw(&self, stepper: Stepper) -> Drawn<[f64; 3]> {
        self.draw(stepper, |places, times, _| (*places.truth(), *times.truth()))
    }
}

/// Enough ends for every policy at every frame rate of the lab.
pub(super) type Ends<T> = Track<T, 32>;

/// A playhead over ticks with timestamps.
pub(super) struct TimedTicks {
    playhead: Playhead,
    ticks: Timeline<[f64; 3], 32>,
    epoch: Option<u32>,
}

impl TimedTicks {
    pub fn new(interval: f64, rule: Rule) -> Self {
        let settings = Settings::new(interval).with_rule(rule);
        let playhead = Playhead::with(settings).expect("the lab's rates make sensible intervals");
        Self { playhead, ticks: Timeline::new(), epoch: None }
    }
}

impl Strategy<[f64; 3]> for TimedTicks {
    fn receive(&mut self, arrival: &Arrival<[f64; 3]>) {
        let jumped = self.epoch.replace(arrival.epoch).is_some_and(|epoch| epoch != arrival.epoch);
        if jumped {
            self.ticks.cut(arrival.sent, arrival.place);
            self.playhead.observe_cut(arrival.arrived, arrival.sent);
        } else {
            self.ticks.push(arrival.sent, arrival.place);
            self.playhead.observe(arrival.arrived, arrival.sent);
        }
    }

    fn frame(&mut self, now: f64) -> Option<Shown<[f64; 3]>> {
        let shown = self.playhead.advance(now)?;
        Some(Shown { place: self.ticks.view(&shown)?, content: Some(shown.at) })
    }
}
