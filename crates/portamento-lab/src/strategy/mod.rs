//! How does a method of drawing take part in a measurement?
//!
//! A [`Strategy`] is fed what a receiver would see, in the order in which it would see it: messages as
//! they arrive and frames as they are drawn. [`play`] merges the two; nothing can peek ahead, except
//! [`oracle`] which exists to do so.
//!
//! ```
//! use portamento_lab::strategy::{Arrival, Shown, Strategy, play};
//! use portamento_lab::synthetic::{Link, Random, even_frames, runner};
//! use portamento_lab::yardstick::{Rules, measure};
//!
//! /// Draws whatever came last.
//! #[derive(Default)]
//! struct Last(Option<Arrival<[f64; 3]>>);
//!
//! impl Strategy<[f64; 3]> for Last {
//!     fn receive(&mut self, arrival: &Arrival<[f64; 3]>) {
//!         self.0 = Some(*arrival);
//!     }
//!     fn frame(&mut self, _now: f64) -> Option<Shown<[f64; 3]>> {
//!         self.0.map(|last| Shown { place: last.place, content: Some(last.sent) })
//!     }
//! }
//!
//! let motion = runner(20.0, None, &mut Random::new(1));
//! let feed = Link::lossy().send(&motion, 20.0, &mut Random::new(2));
//! let drawn = play(&mut Last::default(), &feed, &even_frames(60.0, 0.5, 20.0));
//! let figures = measure(&motion, &drawn, &Rules::default());
//! assert!(figures.judder > 1.0, "anybody would see that");
//! ```

pub mod oracle;
pub mod ours;
pub mod rivals;

use crate::yardstick::motion::Motion;
use crate::yardstick::place::Place;

/// One message about a moving entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival<P> {
    /// The sender's stamp: when the place was true, on the sender's clock, in seconds.
    pub sent: f64,
    /// When it came in, on our clock, in seconds.
    pub arrived: f64,
    /// Where the entity was.
    pub place: P,
    /// Counts the cuts; another number than in the message before means a teleport.
    pub epoch: u32,
}

/// Messages on their way, and how the sender's clock reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Feed<P> {
    /// The nominal time between two messages, in seconds.
    pub interval: f64,
    /// In order of arrival.
    pub arrivals: Vec<Arrival<P>>,
    /// The sender's clock as a function of true time.
    pub clock: Clock,
}

/// A clock that reads `rate * true time + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Seconds on this clock per true second.
    pub rate: f64,
    /// What it reads at true time zero.
    pub offset: f64,
}

impl Clock {
    /// A clock that is right.
    pub const TRUE: Clock = Clock { rate: 1.0, offset: 0.0 };

    /// What this clock reads at a true time.
    pub fn read(&self, true_time: f64) -> f64 {
        self.rate * true_time + self.offset
    }

    /// The true time at which this clock reads so.
    pub fn true_time(&self, reading: f64) -> f64 {
        (reading - self.offset) / self.rate
    }

    /// The straight line through (true time, reading) pairs, by least squares: the rate of a simulation
    /// whose timer is always late. Two pairs at different times are needed; with fewer the clock is true.
    pub fn fitted(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Clock {
        let (mut n, mut mean_x, mut mean_y) = (0.0, 0.0, 0.0);
        for (x, y) in pairs.clone() {
            n += 1.0;
            mean_x += (x - mean_x) / n;
            mean_y += (y - mean_y) / n;
        }
        let (mut xx, mut xy) = (0.0, 0.0);
        for (x, y) in pairs {
            xx += (x - mean_x) * (x - mean_x);
            xy += (x - mean_x) * (y - mean_y);
        }
        if xx <= 0.0 {
            return Clock::TRUE;
        }
        Clock { rate: xy / xx, offset: mean_y - xy / xx * mean_x }
    }
}

impl<P: Place> Feed<P> {
    /// Every tick of a motion at `rate` Hz, known the moment it happens: what a loop of one's own sees.
    pub fn instant(motion: &Motion<P>, rate: f64) -> Self {
        let mut truth = motion.reader();
        let mut tick = |k: u32| {
            let time = motion.start() + f64::from(k) / rate;
            Arrival { sent: time, arrived: time, place: truth.at(time), epoch: motion.epoch(time) }
        };
        let count = ((motion.end() - motion.start()) * rate) as u32;
        Self { interval: 1.0 / rate, arrivals: (0..=count).map(&mut tick).collect(), clock: Clock::TRUE }
    }
}

impl<P> Feed<P> {
    /// The given percentile (0..=1) of `arrived - sent`: the clock difference that fixed delays are built on.
    pub fn delay_percentile(&self, share: f64) -> f64 {
        let delays = self.arrivals.iter().map(|a| a.arrived - a.sent).collect();
        crate::yardstick::statistics::percentile(delays, share).unwrap_or(0.0)
    }
}

/// What a strategy draws in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown<P> {
    /// Where the entity is drawn.
    pub place: P,
    /// The moment on the sender's clock that the picture stands for, if the method knows one.
    pub content: Option<f64>,
}

/// A method of drawing something that others report.
pub trait Strategy<P: Place> {
    /// A message has arrived.
    fn receive(&mut self, arrival: &Arrival<P>);
    /// A frame is drawn at this time on our clock. `None`: nothing can be drawn yet.
    fn frame(&mut self, now: f64) -> Option<Shown<P>>;
}

/// What was drawn, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn<P> {
    /// When each frame was displayed, in seconds, rising.
    pub times: Vec<f64>,
    /// Where the entity was drawn.
    pub places: Vec<P>,
    /// The true time that the frame stands for, if known.
    pub content: Vec<Option<f64>>,
}

impl<P> Drawn<P> {
    /// Returns a recording without frames.
    pub fn new() -> Self {
        Self { times: Vec::new(), places: Vec::new(), content: Vec::new() }
    }

    /// Adds a frame.
    pub fn push(&mut self, time: f64, place: P, content: Option<f64>) {
        self.times.push(time);
        self.places.push(place);
        self.content.push(content);
    }

    /// The same frames with all times read from another clock: for a simulation that itself runs slow, whose
    /// motion is known only over its own time.
    #[must_use]
    pub fn on_clock(mut self, clock: &Clock) -> Self {
        self.times.iter_mut().chain(self.content.iter_mut().flatten()).for_each(|t| *t = clock.read(*t));
        self
    }
}

/// Lets a strategy watch a feed and draw at these times: every message that arrived at or before a frame is
/// seen before it. Frames for which it draws nothing are left out.
pub fn play<P: Place>(
    strategy: &mut (impl Strategy<P> + ?Sized),
    feed: &Feed<P>,
    frames: &[f64],
) -> Drawn<P> {
    let mut arrivals = feed.arrivals.iter().peekable();
    let mut drawn = Drawn::new();
    for &now in frames {
        while let Some(arrival) = arrivals.next_if(|a| a.arrived <= now) {
            strategy.receive(arrival);
        }
        if let Some(shown) = strategy.frame(now) {
            drawn.push(now, shown.place, shown.content.map(|c| feed.clock.true_time(c)));
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_clock_is_the_line_through_its_points() {
        let points = [(0.0, 3.0), (10.0, 8.0), (20.0, 13.0)];
        let clock = Clock::fitted(points.into_iter());
        assert!((clock.rate - 0.5).abs() < 1e-12 && (clock.offset - 3.0).abs() < 1e-12);
        assert!((clock.true_time(clock.read(7.5)) - 7.5).abs() < 1e-12);
    }
}
