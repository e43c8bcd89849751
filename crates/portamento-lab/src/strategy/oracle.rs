//! The floors: what a method could reach that knows everything.

use super::rivals::{Curve, History};
use super::{Arrival, Clock, Drawn, Feed, Shown, Strategy, play};
use crate::yardstick::motion::Motion;
use crate::yardstick::place::Place;

/// ORACLE: the truth itself, `delay` seconds late. Its judder is zero.
pub fn oracle<P: Place>(motion: &Motion<P>, frames: &[f64], delay: f64) -> Drawn<P> {
    let mut reader = motion.reader();
    let mut drawn = Drawn::new();
    for &now in frames {
        drawn.push(now, reader.at(now - delay), Some(now - delay));
    }
    drawn
}

/// ORACLE-BLEND: every message known from the start, blended `delay` seconds late: what remains is the price of
/// the send rate, and no clock or buffer can do better.
#[derive(Debug)]
pub struct OracleBlend<P> {
    history: History<P>,
    curve: Curve,
    delay: f64,
    clock: Clock,
}

impl<P: Place> OracleBlend<P> {
    /// Knows the whole feed.
    pub fn new(feed: &Feed<P>, delay: f64, curve: Curve) -> Self {
        let mut history = History::default();
        feed.arrivals.iter().for_each(|a| history.insert(a));
        Self { history, curve, delay, clock: feed.clock }
    }
}

impl<P: Place> Strategy<P> for OracleBlend<P> {
    fn receive(&mut self, _: &Arrival<P>) {}

    fn frame(&mut self, now: f64) -> Option<Shown<P>> {
        let at = self.clock.read(now - self.delay);
        Some(Shown { place: self.history.at(at, self.curve, 0.0)?, content: Some(at) })
    }
}

/// Both floors with their names, `delay` seconds late.
pub fn floors<P: Place>(
    motion: &Motion<P>,
    feed: &Feed<P>,
    frames: &[f64],
    delay: f64,
    curve: Curve,
) -> [(&'static str, Drawn<P>); 2] {
    [
        ("oracle", oracle(motion, frames, delay)),
        ("oracle-blend", play(&mut OracleBlend::new(feed, delay, curve), feed, frames)),
    ]
}
