//! What users would pick instead of this library, in its purest form.
//!
//! All of them are kind versions: they know the teleports, and the fixed delays know the link's best delay
//! beforehand. No one blends across a teleport: the older side is held until the newer one is due.

use super::{Arrival, Feed, Shown, Strategy};
use crate::yardstick::place::{Place, Vector, add, scale};

/// A strategy with its name.
pub type Named<P> = (String, Box<dyn Strategy<P>>);

/// The reference strategies for a feed, each in its starting state: the published ones, with their settings.
pub fn reference<P: Place + 'static>(feed: &Feed<P>) -> Vec<Named<P>> {
    let clock = feed.delay_percentile(0.05);
    let mut all: Vec<Named<P>> = vec![("newest held".to_owned(), Box::new(Newest::new()))];
    for ms in [0, 50, 75, 100, 150, 200, 300] {
        all.push((format!("fixed {ms} ms"), Box::new(FixedDelay::linear(clock, f64::from(ms) / 1e3))));
    }
    all.push(("Source-like".to_owned(), Box::new(FixedDelay::source_like(clock, 0.1))));
    all.push(("3 intervals".to_owned(), Box::new(FixedDelay::linear(clock, 3.0 * feed.interval))));
    all.push(("Mirror-like".to_owned(), Box::new(MirrorLike::new(feed.interval))));
    all.push(("exponential 20/s".to_owned(), Box::new(Exponential::new(20.0))));
    all
}

/// How to draw between two messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// A straight line.
    Linear,
    /// A cubic with velocities from the neighbours, at their true spacing.
    Hermite,
}

/// Messages in sending order.
#[derive(Clone, Debug)]
pub struct History<P> {
    nodes: Vec<Arrival<P>>,
}

impl<P> Default for History<P> {
    fn default() -> Self {
        Self { nodes: Vec::new() }
    }
}

impl<P: Place> History<P> {
    /// Takes a message in; a second one with the same stamp is ignored.
    pub fn insert(&mut self, arrival: &Arrival<P>) {
        let place = self.nodes.partition_point(|n| n.sent < arrival.sent);
        if self.nodes.get(place).is_none_or(|n| n.sent != arrival.sent) {
            self.nodes.insert(place, *arrival);
        }
    }

    /// The newest message by stamp.
    pub fn newest(&self) -> Option<&Arrival<P>> {
        self.nodes.last()
    }

    /// The velocity at a node from its neighbours, exact for a parabola whatever their spacing; never taken
    /// across a teleport, one-sided at an end.
    fn velocity(&self, at: usize) -> Vector {
        let node = &self.nodes[at];
        let slope = |from: &Arrival<P>, to: &Arrival<P>| {
            let span = to.sent - from.sent;
            (scale(to.place.minus(from.place), 1.0 / span), span)
        };
        let same = |i: Option<usize>| i.and_then(|i| self.nodes.get(i)).filter(|n| n.epoch == node.epoch);
        match (same(at.checked_sub(1)), same(Some(at + 1))) {
            (Some(before), Some(after)) => {
                let ((left, h0), (right, h1)) = (slope(before, node), slope(node, after));
                add(scale(left, h1 / (h0 + h1)), scale(right, h0 / (h0 + h1)))
            }
            (Some(before), None) => slope(before, node).0,
            (None, Some(after)) => slope(node, after).0,
            (None, None) => [0.0; 3],
        }
    }

    /// The place at a sender's time, going on for at most `beyond` seconds past the newest message.
    pub fn at(&self, time: f64, curve: Curve, beyond: f64) -> Option<P> {
        let next = self.nodes.partition_point(|n| n.sent <= time);
        let Some(at) = next.checked_sub(1) else {
            return self.nodes.first().map(|n| n.place);
        };
        let old = &self.nodes[at];
        let Some(new) = self.nodes.get(next) else {
            let ahead = (time - old.sent).min(beyond);
            return Some(old.place.plus(scale(self.velocity(at), ahead)));
        };
        if new.epoch != old.epoch {
            return Some(old.place);
        }
        let span = new.sent - old.sent;
        let t = (time - old.sent) / span;
        Some(match curve {
            Curve::Linear => old.place.toward(new.place, t),
            Curve::Hermite => old.place.hermite(self.velocity(at), new.place, self.velocity(next), span, t),
        })
    }
}

/// Draws the newest message: no smoothing at all.
#[derive(Clone, Debug, Default)]
pub struct Newest<P> {
    history: History<P>,
}

impl<P> Newest<P> {
    /// Nothing received yet.
    pub fn new() -> Self {
        Self { history: History::default() }
    }
}

impl<P: Place> Strategy<P> for Newest<P> {
    fn receive(&mut self, arrival: &Arrival<P>) {
        self.history.insert(arrival);
    }

    fn frame(&mut self, _: f64) -> Option<Shown<P>> {
        self.history.newest().map(|n| Shown { place: n.place, content: Some(n.sent) })
    }
}

/// A fixed delay behind the sender's clock, as most tutorials and engines do it.
#[derive(Clone, Debug)]
pub struct FixedDelay<P> {
    history: History<P>,
    behind: f64,
    curve: Curve,
    beyond: f64,
}

impl<P: Place> FixedDelay<P> {
    /// Draws `now - clock - delay`; `clock` is what the sender's clock is behind ours, transit included.
    pub fn linear(clock: f64, delay: f64) -> Self {
        Self { history: History::default(), behind: clock + delay, curve: Curve::Linear, beyond: 0.0 }
    }

    /// The same with Hermite curves and 0.25 s of extrapolation: what the Source engine does, with 0.1 s.
    pub fn source_like(clock: f64, delay: f64) -> Self {
        Self { history: History::default(), behind: clock + delay, curve: Curve::Hermite, beyond: 0.25 }
    }
}

impl<P: Place> Strategy<P> for FixedDelay<P> {
    fn receive(&mut self, arrival: &Arrival<P>) {
        self.history.insert(arrival);
    }

    fn frame(&mut self, now: f64) -> Option<Shown<P>> {
        let newest = self.history.newest()?.sent;
        let at = now - self.behind;
        let place = self.history.at(at, self.curve, self.beyond)?;
        Some(Shown { place, content: Some(at.min(newest + self.beyond)) })
    }
}

/// Mirror's dynamic buffer: the timeline runs a little faster or slower as an average of the backlog says.
/// Messages are taken in at the beginning of a frame, so their times are those of frames.
#[derive(Clone, Debug)]
pub struct MirrorLike<P> {
    history: History<P>,
    waiting: Vec<Arrival<P>>,
    interval: f64,
    buffer: f64,
    timeline: f64,
    speed: f64,
    backlog: Average,
    delivery: Average,
    last_arrival: Option<f64>,
    last_frame: Option<f64>,
}

impl<P: Place> MirrorLike<P> {
    /// For messages sent every `interval` seconds.
    pub fn new(interval: f64) -> Self {
        Self {
            history: History::default(),
            waiting: Vec::new(),
            interval,
            buffer: 2.0 * interval,
            timeline: 0.0,
            speed: 1.0,
            backlog: Average::over(1.0 / interval),
            delivery: Average::over(2.0 / interval),
            last_arrival: None,
            last_frame: None,
        }
    }

    fn take_in(&mut self, arrival: &Arrival<P>, now: f64) {
        let newer = self.history.newest().is_none_or(|n| arrival.sent > n.sent);
        self.history.insert(arrival);
        if !newer {
            return;
        }
        match self.last_arrival.replace(now) {
            None => self.timeline = arrival.sent - self.buffer,
            Some(before) => self.delivery.add(now - before),
        }
        self.buffer = self.interval * ((self.interval + self.delivery.deviation()) / self.interval + 1.0);
        let target = arrival.sent - self.buffer;
        self.timeline = self.timeline.clamp(target - self.buffer, target + self.buffer);
        self.backlog.add(arrival.sent - self.timeline);
        let drift = self.backlog.mean - self.buffer;
        self.speed = match drift {
            d if d > self.interval => 1.02,
            d if d < -self.interval => 0.96,
            _ => 1.0,
        };
    }
}

impl<P: Place> Strategy<P> for MirrorLike<P> {
    fn receive(&mut self, arrival: &Arrival<P>) {
        self.waiting.push(*arrival);
    }

    fn frame(&mut self, now: f64) -> Option<Shown<P>> {
        self.timeline += self.speed * (now - self.last_frame.unwrap_or(now));
        self.last_frame = Some(now);
        for arrival in std::mem::take(&mut self.waiting) {
            self.take_in(&arrival, now);
        }
        let newest = self.history.newest()?.sent;
        let place = self.history.at(self.timeline, Curve::Linear, 0.0)?;
        Some(Shown { place, content: Some(self.timeline.min(newest)) })
    }
}

/// An exponential moving average with variance that counts samples, not time.
#[derive(Clone, Debug)]
struct Average {
    gain: f64,
    mean: f64,
    variance: f64,
    started: bool,
}

impl Average {
    fn over(samples: f64) -> Self {
        Self { gain: 2.0 / (samples + 1.0), mean: 0.0, variance: 0.0, started: false }
    }

    fn add(&mut self, value: f64) {
        if !self.started {
            self.started = true;
            self.mean = value;
            return;
        }
        let off = value - self.mean;
        self.mean += self.gain * off;
        self.variance = (1.0 - self.gain) * (self.variance + self.gain * off * off);
    }

    fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }
}

/// Exponential smoothing toward the newest message.
#[derive(Clone, Debug)]
pub struct Exponential<P> {
    newest: Option<Arrival<P>>,
    drawn: Option<(P, u32)>,
    rate: f64,
    last_frame: f64,
}

impl<P: Place> Exponential<P> {
    /// Covers a share of 1 - exp(-rate dt) of the way in a frame.
    pub fn new(rate: f64) -> Self {
        Self { newest: None, drawn: None, rate, last_frame: 0.0 }
    }
}

impl<P: Place> Strategy<P> for Exponential<P> {
    fn receive(&mut self, arrival: &Arrival<P>) {
        if self.newest.is_none_or(|n| arrival.sent > n.sent) {
            self.newest = Some(*arrival);
        }
    }

    fn frame(&mut self, now: f64) -> Option<Shown<P>> {
        let newest = self.newest?;
        let place = match self.drawn {
            Some((drawn, epoch)) if epoch == newest.epoch => {
                drawn.toward(newest.place, 1.0 - libm::exp(-self.rate * (now - self.last_frame)))
            }
            _ => newest.place,
        };
        self.drawn = Some((place, newest.epoch));
        self.last_frame = now;
        Some(Shown { place, content: None })
    }
}
