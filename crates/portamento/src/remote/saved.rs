//! What comes from a file is only believed if its numbers fit together.

use super::store::{Node, Store};
use super::{Claim, ClaimKind, Displace, History, HistorySettings, Peer, PeerSettings, stamps};
use crate::SettingError;
use crate::saved::checked;
use core::fmt;
use serde::{Deserialize, Deserializer};

/// A saved sender's settings: refused if a new sender would refuse them.
pub(super) fn settings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PeerSettings, D::Error> {
    checked(deserializer, |settings: &PeerSettings| Peer::new(*settings).map(drop))
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
    settings: HistorySettings,
    refused: u32,
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

impl<T: Displace, const N: usize> TryFrom<UncheckedHistory<T, N>> for History<T, N> {
    type Error = SettingError;

    fn try_from(saved: UncheckedHistory<T, N>) -> Result<Self, SettingError> {
        let UncheckedHistory { store, settings, refused } = saved;
        Ok(History { store, refused, ..History::new(settings)? })
    }
}

#[derive(Deserialize)]
pub(super) struct UncheckedClaim {
    to: u16,
    from: u8,
    before: u8,
    after: u8,
    fraction: u16,
    seen: ClaimKind,
    offset: bool,
}

impl TryFrom<UncheckedClaim> for Claim {
    type Error = &'static str;

    fn try_from(saved: UncheckedClaim) -> Result<Self, Self::Error> {
        let UncheckedClaim { to, from, before, after, fraction, seen, offset } = saved;
        let claim = Claim { to, from, before, after, fraction, seen, offset };
        if claim.is_sound() {
            Ok(claim)
        } else {
            Err("a claim that no client makes: do not trust its sender")
        }
    }
}

/// The readings of a counter of whole bits; without this, reading a counter could divide by zero.
pub(super) fn turn<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    checked(deserializer, |turn| {
        let fits = (1..=32).any(|bits| stamps::turn(bits) == *turn);
        if fits {
            Ok(())
        } else {
            Err("a saved tick counter has 1 to 32 bits, and a power of two of readings")
        }
    })
}

pub(super) fn tick<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    checked(deserializer, |&tick| stamps::check_tick(tick))
}
