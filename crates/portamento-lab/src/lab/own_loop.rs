//! A loop of one's own around this library's stepper and tracks, as the lab drives it.

use crate::strategy::Drawn;
use crate::yardstick::Motion;
use portamento::Track;
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
