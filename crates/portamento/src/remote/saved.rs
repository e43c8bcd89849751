//! What comes from a file is only trusted if its numbers fit together.

use super::settings::Pace;
use super::store::{Node, Store};
use super::{Claim, Displace, Peer, PeerSettings, tick_clock};
#[cfg(feature = "alloc")]
use super::{History, HistoryCounts, HistorySettings};
use crate::playhead::bounded;
use crate::saved::checked;
use core::fmt;
use serde::{Deserialize, Deserializer};

/// A saved sender's settings: refused if a new sender would refuse them.
pub(super) fn settings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PeerSettings, D::Error> {
    checked(deserializer, |settings: &PeerSettings| Peer::new(*settings).map(drop))
}

const TOO_FAR: &str = "a saved time beyond all that a clock reads: start a new one";

/// Seconds that clock readings can have led to: adding more of them stays finite.
pub(super) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    checked(from, |seconds: &f64| if seconds.abs() <= 1e300 { Ok(()) } else { Err(TOO_FAR) })
}

/// A clock reading, as a peer keeps it.
pub(super) fn reading<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    checked(
        from,
        |reading: &Option<f64>| {
            if reading.is_none_or(|time| bounded(time) == time) { Ok(()) } else { Err(TOO_FAR) }
        },
    )
}

/// A pace that snapshots can have taught.
pub(super) fn pace<'de, D: Deserializer<'de>>(from: D) -> Result<Pace, D::Error> {
    checked(from, |pace: &Pace| {
        if pace.can_be_learned() {
            Ok(())
        } else {
            Err("a saved pace beyond all that is learned: start anew")
        }
    })
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, T::Velocity: Deserialize<'de>"))]
pub(super) struct UncheckedStore<T: Displace, const N: usize> {
    #[serde(with = "crate::serde_array")]
    nodes: [Node<T>; N],
    first: usize,
    len: usize,
}

#[cfg(feature = "alloc")]
#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, T::Velocity: Deserialize<'de>"))]
pub(super) struct UncheckedHistory<T: Displace> {
    nodes: alloc::collections::VecDeque<Node<T>>,
    settings: HistorySettings,
    counts: HistoryCounts,
}

/// Why a save was refused.
pub(super) struct Unsound;

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("saved snapshots that are not finite, or not in the order of their stamps: start anew")
    }
}

impl<T: Displace, const N: usize> TryFrom<UncheckedStore<T, N>> for Store<T, N> {
    type Error = Unsound;

    fn try_from(saved: UncheckedStore<T, N>) -> Result<Self, Unsound> {
        Store::restored(saved.nodes, saved.first, saved.len).ok_or(Unsound)
    }
}

#[cfg(feature = "alloc")]
impl<T: Displace> TryFrom<UncheckedHistory<T>> for History<T> {
    type Error = alloc::string::String;

    fn try_from(saved: UncheckedHistory<T>) -> Result<Self, Self::Error> {
        let UncheckedHistory { nodes, settings, counts } = saved;
        let mut history = History::new(settings).map_err(|error| alloc::format!("{error}"))?;
        let mut rising = nodes.iter().zip(nodes.iter().skip(1)).map(|(a, b)| a.sent < b.sent);
        let sound = |node: &Node<T>| node.sent.is_finite() && node.report.is_finite();
        if !rising.all(|rises| rises) || !nodes.iter().all(sound) || nodes.len() > history.nodes.capacity() {
            return Err(alloc::format!("{Unsound}"));
        }
        history.nodes.extend(nodes);
        Ok(History { counts, ..history })
    }
}

#[derive(Deserialize)]
pub(super) struct UncheckedClaim([u8; 12]);

impl TryFrom<UncheckedClaim> for Claim {
    type Error = &'static str;

    fn try_from(saved: UncheckedClaim) -> Result<Self, Self::Error> {
        Claim::from_bytes(saved.0).ok_or("a claim that no client makes: do not trust its sender")
    }
}

/// The readings of a counter of whole bits; without this, reading a counter could divide by zero.
pub(super) fn turn<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    checked(deserializer, |turn| {
        let fits = (1..=32).any(|bits| tick_clock::turn(bits) == *turn);
        if fits {
            Ok(())
        } else {
            Err("a saved tick counter has 1 to 32 bits, and a power of two of readings")
        }
    })
}

/// The newest reading and its arrival: no farther than ticks can be told apart.
pub(super) fn newest_reading<'de, D: Deserializer<'de>>(from: D) -> Result<Option<(f64, f64)>, D::Error> {
    checked(from, |newest: &Option<(f64, f64)>| match newest {
        Some((reading, at)) if !(reading.abs() <= tick_clock::LAST_TICK && at.is_finite()) => {
            Err("a saved tick counter beyond all ticks that can be told apart: start a new one")
        }
        _ => Ok(()),
    })
}

pub(super) fn hz<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    checked(deserializer, |&hz| tick_clock::check_hz(hz))
}
