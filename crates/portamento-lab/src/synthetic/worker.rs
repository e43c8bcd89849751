//! A simulation on its own timer, in another thread or worker, that is never quite on time.

use super::Random;
use crate::strategy::{Arrival, Clock, Feed};
use crate::yardstick::{Motion, Place};

/// How the worker's timer misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worker {
    /// Ticks are due on time and published late: |N(0, 1.5 ms)|, and 4 to 12 ms for 2 % of them.
    Jittery,
    /// Every period is too long: |N(1.2, 0.6)| ms more, 0 or 1 ms of timer granularity, 2 % with 4 to 12 ms more.
    Drifting,
}

impl Worker {
    /// Ticks of a motion at `rate` Hz: stamped with simulation time, arriving when they are published.
    /// The simulation runs slow when the timer drifts; the feed's clock is the fitted rate.
    pub fn publish<P: Place>(self, motion: &Motion<P>, rate: f64, random: &mut Random) -> Feed<P> {
        let mut truth = motion.reader();
        let mut arrivals: Vec<Arrival<P>> = Vec::new();
        let mut due = 0.0;
        for k in 0.. {
            let sent = f64::from(k) / rate;
            if sent > motion.end() {
                break;
            }
            let late = if random.chance(0.02) { random.between(0.004, 0.012) } else { 0.0 };
            let arrived = match self {
                Worker::Jittery if late > 0.0 => sent + late,
                Worker::Jittery => sent + random.normal(0.0, 0.0015).abs(),
                Worker::Drifting => due,
            };
            let arrived = arrived.max(arrivals.last().map_or(f64::NEG_INFINITY, |a| a.arrived));
            let epoch = motion.epoch(sent);
            arrivals.push(Arrival { sent, arrived, place: truth.at(sent), epoch });
            let coarse = if random.chance(0.5) { 0.001 } else { 0.0 };
            due += 1.0 / rate + random.normal(0.0012, 0.0006).abs() + coarse + late;
        }
        let clock = match self {
            Worker::Jittery => Clock::TRUE,
            Worker::Drifting => Clock::fitted(arrivals.iter().map(|a| (a.arrived, a.sent))),
        };
        Feed { interval: 1.0 / rate, arrivals, clock }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::uniform;

    #[test]
    fn a_jittery_worker_is_late_but_keeps_its_rate() {
        let feed = Worker::Jittery.publish(&uniform(1.0, 60.0), 60.0, &mut Random::new(2));
        let lates: Vec<f64> = feed.arrivals.iter().map(|a| a.arrived - a.sent).collect();
        assert!(lates.iter().all(|&l| (0.0..=0.013).contains(&l)));
        let slow = lates.iter().filter(|&&l| l >= 0.0065).count() as f64 / lates.len() as f64;
        assert!((0.005..0.03).contains(&slow), "{slow}");
    }

    #[test]
    fn a_drifting_worker_runs_slow_by_the_fitted_rate() {
        let feed = Worker::Drifting.publish(&uniform(1.0, 60.0), 60.0, &mut Random::new(2));
        // A period is 16.67 + 1.2 + 0.5 + 0.16 ms.
        let expected = 16.667 / (16.667 + 1.2 + 0.5 + 0.16);
        assert!((feed.clock.rate - expected).abs() < 0.005, "{}", feed.clock.rate);
    }
}
