//! What comes from a file is only believed if its numbers fit together.

use super::store::{Node, Store};
use super::{Displace, History, RewindLimits, Sender, Settings};
use core::fmt;
use serde::{Deserialize, Deserializer, de::Error};

/// A saved sender's settings: refused if a new sender would refuse them.
pub(super) fn settings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Settings, D::Error> {
    let settings = Settings::deserialize(deserializer)?;
    Sender::with(settings).map(|_| settings).map_err(D::Error::custom)
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, T::Velocity: Deserialize<'de>"))]
pub(super) struct UncheckedStore<T: Displace, const N: usize> {
    #[serde(with = "crate::serde_array")]
    nodes: [Node<T>; N],
    first: usize,
    len: usize,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, T::Velocity: Deserialize<'de>"))]
pub(super) struct UncheckedHistory<T: Displace, const N: usize> {
    store: Option<Store<T, N>>,
    interval: f64,
    limits: RewindLimits,
}

/// Why a save was refused.
pub(super) enum Unsound {
    Store,
    Interval(f64),
}

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsound::Store => f.write_str(
                "saved snapshots that are not finite, or not in the order of their stamps: start anew",
            ),
            Unsound::Interval(interval) => {
                write!(f, "a saved history with a send interval of {interval} s: give a positive one")
            }
        }
    }
}

impl<T: Displace, const N: usize> TryFrom<UncheckedStore<T, N>> for Store<T, N> {
    type Error = Unsound;

    fn try_from(saved: UncheckedStore<T, N>) -> Result<Self, Unsound> {
        Store::restored(saved.nodes, saved.first, saved.len).ok_or(Unsound::Store)
    }
}

impl<T: Displace, const N: usize> TryFrom<UncheckedHistory<T, N>> for History<T, N> {
    type Error = Unsound;

    fn try_from(saved: UncheckedHistory<T, N>) -> Result<Self, Unsound> {
        let UncheckedHistory { store, interval, limits } = saved;
        if !(interval > 0.0 && interval.is_finite()) {
            return Err(Unsound::Interval(interval));
        }
        Ok(History { store, interval, limits })
    }
}
