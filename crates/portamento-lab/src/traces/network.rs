//! Links: `sent,arrived`.

use super::TraceError;
use super::csv::Rows;
use crate::strategy::{Arrival, Clock, Feed};
use crate::yardstick::{Motion, Place};
use std::path::Path;

/// How long messages took on a real link, over the time they were sent at.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// (sent, delay) in seconds, by sending time.
    delays: Vec<(f64, f64)>,
}

/// Reads `sent,arrived` rows, both in seconds.
pub fn read_network(path: &Path) -> Result<Network, TraceError> {
    const NAMES: [&str; 2] = ["sent", "arrived"];
    /// Thirty thousand years, in seconds. Beyond it differences are no longer exact, and some are infinite.
    const MOST: f64 = 1e12;
    let mut rows = Rows::open(path)?;
    let header = rows.header("sent,arrived")?;
    if header != NAMES {
        let what = format!("columns are `{}`", header.join(","));
        return Err(rows.error(what, "a network has the columns sent,arrived"));
    }
    let mut delays: Vec<(f64, f64)> = Vec::new();
    while let Some([sent, arrived]) = rows.numbers(&NAMES)? {
        if let Some(far) = [sent, arrived].into_iter().find(|time| time.abs() > MOST) {
            let cure = format!("times are seconds, between -{MOST:e} and {MOST:e}");
            return Err(rows.error(format!("a time of {far}"), &cure));
        }
        if let Some(&(before, _)) = delays.last()
            && sent <= before
        {
            return Err(rows
                .error(format!("sent = {sent} does not follow {before}"), "rows must be in sending order"));
        }
        if arrived < sent {
            let what = format!("arrived at {arrived}, before it was sent at {sent}");
            return Err(rows.error(what, "both columns must come from one clock"));
        }
        delays.push((sent, arrived - sent));
    }
    if delays.len() < 2 {
        return Err(rows.file_error(format!("has {} rows", delays.len()), "a network needs at least two"));
    }
    Ok(Network { delays })
}

impl Network {
    /// The delay of a message sent at a time, straight between the recorded ones.
    pub fn delay(&self, sent: f64) -> f64 {
        let after = self.delays.partition_point(|d| d.0 <= sent);
        match (after.checked_sub(1).map(|i| self.delays[i]), self.delays.get(after)) {
            (None, Some(first)) => first.1,
            (Some(last), None) => last.1,
            (Some(a), Some(b)) => (a.1 + (b.1 - a.1) * (sent - a.0) / (b.0 - a.0)).max(0.0),
            (None, None) => unreachable!("a network has at least two rows"),
        }
    }

    /// Sends every sample of a motion at or after each multiple of `interval` over this link.
    /// Nothing is lost and nothing overtakes.
    pub fn send<P: Place>(&self, motion: &Motion<P>, interval: f64) -> Feed<P> {
        let mut arrivals: Vec<Arrival<P>> = Vec::new();
        for k in 0.. {
            let due = motion.start() + k as f64 * interval;
            let at = motion.samples().partition_point(|s| s.time < due - 1e-9);
            let Some(sample) = motion.samples().get(at) else { break };
            let before = arrivals.last().map_or((f64::NEG_INFINITY, 0.0), |a| (a.sent, a.arrived));
            if sample.time <= before.0 {
                continue; // a gap in the motion: this sample has gone out already
            }
            arrivals.push(Arrival {
                sent: sample.time,
                arrived: (sample.time + self.delay(sample.time)).max(before.1),
                place: sample.place,
                epoch: motion.epoch(sample.time),
            });
        }
        Feed { interval, arrivals, clock: Clock::TRUE }
    }
}
