//! Links between a sender and us: steady, lossy, bursty, broken, and with a clock that runs off.

use super::Random;
use crate::strategy::{Arrival, Clock, Feed};
use crate::yardstick::{Motion, Place};

/// How a link treats messages. All parts add up; the fields may be set freely.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Shortest way through, seconds.
    pub delay: f64,
    /// Mean of the exponentially distributed extra delay, seconds.
    pub jitter: f64,
    /// Share of messages that never arrive.
    pub loss: f64,
    /// The link stops so often per second on average and then delivers everything at once ...
    pub stalls_per_second: f64,
    /// ... after this many seconds on average.
    pub stall: f64,
    /// Nothing gets through from .0 to .1 in every period of .2 seconds; what was sent then is lost.
    pub outage: Option<(f64, f64, f64)>,
    /// The sender's clock.
    pub clock: Clock,
    /// Whether messages overtake each other (datagrams) or arrive in order (one stream).
    pub in_order: bool,
}

impl Link {
    /// A good cable: 20 ms with 1 ms of jitter.
    pub fn steady() -> Self {
        Self {
            delay: 0.020,
            jitter: 0.001,
            loss: 0.0,
            stalls_per_second: 0.0,
            stall: 0.0,
            outage: None,
            clock: Clock { rate: 1.0, offset: 1000.0 },
            in_order: false,
        }
    }

    /// Wireless with 8 ms of jitter and 5 % loss.
    pub fn lossy() -> Self {
        Self { delay: 0.030, jitter: 0.008, loss: 0.05, ..Self::steady() }
    }

    /// A mobile link that stalls twice a second for about 80 ms and then delivers everything at once.
    pub fn bursts() -> Self {
        let base = Self::steady();
        Self { delay: 0.035, jitter: 0.006, stalls_per_second: 2.0, stall: 0.080, in_order: true, ..base }
    }

    /// Nothing for 1.2 s in every ten.
    pub fn outage() -> Self {
        Self { delay: 0.030, jitter: 0.006, outage: Some((6.0, 7.2, 10.0)), ..Self::steady() }
    }

    /// The sender's clock gains 0.2 % (a cheap timer): 2 ms in every second.
    pub fn drift() -> Self {
        Self { jitter: 0.003, clock: Clock { rate: 1.002, offset: 1000.0 }, ..Self::steady() }
    }

    /// Sends a motion at an even rate (messages per second) over this link.
    pub fn send<P: Place>(&self, motion: &Motion<P>, rate: f64, random: &mut Random) -> Feed<P> {
        let mut arrivals: Vec<Arrival<P>> = Vec::new();
        let mut truth = motion.reader();
        let mut stalled_until = f64::NEG_INFINITY;
        let mut last_arrival = f64::NEG_INFINITY;
        for k in 0.. {
            let time = motion.start() + f64::from(k) / rate;
            if time > motion.end() {
                break;
            }
            // Every message draws the same number of random numbers, so that two links with one seed differ
            // only in what they do with them.
            let (extra, lost) = (random.exponential(1.0), random.unit());
            let (stalls, stall) = (random.unit(), random.exponential(1.0));
            if stalls < self.stalls_per_second / rate {
                stalled_until = time + self.delay + stall * self.stall;
            }
            let out =
                self.outage.is_some_and(|(from, to, period)| (from..to).contains(&time.rem_euclid(period)));
            if out || lost < self.loss {
                continue;
            }
            let mut arrived = (time + self.delay + extra * self.jitter).max(stalled_until);
            if self.in_order {
                arrived = arrived.max(last_arrival);
                last_arrival = arrived;
            }
            let sent = self.clock.read(time);
            arrivals.push(Arrival { sent, arrived, place: truth.at(time), epoch: motion.epoch(time) });
        }
        arrivals.sort_by(|a, b| a.arrived.total_cmp(&b.arrived));
        Feed { interval: 1.0 / rate, arrivals, clock: self.clock }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::uniform;

    #[test]
    fn links_do_what_they_are_named_for() {
        let motion = uniform(1.0, 60.0);
        let send = |link: Link| link.send(&motion, 20.0, &mut Random::new(5));
        let steady = send(Link::steady());
        assert_eq!(steady.arrivals.len(), 1201);
        assert!(send(Link::lossy()).arrivals.len() < 1180);
        let left = send(Link::outage()).arrivals.len();
        assert!((1201 - 6 * 25..=1201 - 6 * 24).contains(&left), "{left}");
        let bursts = send(Link::bursts());
        let together = bursts.arrivals.windows(2).filter(|w| w[1].arrived == w[0].arrived).count();
        assert!(together > 20, "{together} pairs at once");
        let drift = send(Link::drift());
        let last = drift.arrivals.last().unwrap();
        assert!((last.sent - 1060.12).abs() < 1e-9, "{}", last.sent);
        assert!((drift.clock.true_time(last.sent) - 60.0).abs() < 1e-9);
    }

    #[test]
    fn the_same_seed_gives_the_same_feed() {
        let motion = uniform(1.0, 10.0);
        let feed = |seed| Link::lossy().send(&motion, 30.0, &mut Random::new(seed));
        assert_eq!(feed(3), feed(3));
        assert_ne!(feed(3), feed(4));
    }
}
