//! How does a client say what it drew, in a few bytes?

use super::Displace;
use super::store::Piece;
use crate::math::round;

/// What a view was made of, by the stamps of the snapshots.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Made {
    pub seen: ClaimKind,
    pub before: Option<f64>,
    /// `None` where it lies on or past `to`.
    pub from: Option<f64>,
    pub to: f64,
    pub after: Option<f64>,
    /// Of the way from `from` to `to`, or of a second past `to`.
    pub fraction: u16,
}

impl Made {
    pub fn blended<T: Displace>(piece: &Piece<'_, T>, fraction: u16) -> Self {
        Made {
            seen: ClaimKind::Blended,
            before: piece.before.map(|n| n.sent),
            from: Some(piece.from.sent),
            to: piece.to.sent,
            after: piece.after.map(|n| n.sent),
            fraction,
        }
    }

    pub fn beyond(before: Option<f64>, node: f64, fraction: u16) -> Self {
        Made { seen: ClaimKind::Extrapolated, before, fraction, ..Made::held(node) }
    }

    pub fn held(node: f64) -> Self {
        Made { seen: ClaimKind::Held, before: None, from: None, to: node, after: None, fraction: 0 }
    }

    /// The last snapshot at or before the moment.
    pub fn since(&self) -> f64 {
        self.from.unwrap_or(self.to)
    }
}

/// What kind of view a claim names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ClaimKind {
    /// Between two snapshots.
    Blended,
    /// Past the newest one the client had.
    Extrapolated,
    /// On one.
    Held,
}

/// What a client drew of one thing in one frame, in eight bytes.
///
/// It names the snapshots by their stamps in quarters of the send interval, the last 16 bits of that number for the
/// newer of the two and distances for the others, and the place between them in 65535ths (of the way, or of a
/// second when extrapolated).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::saved::UncheckedClaim"))]
pub struct Claim {
    pub(super) to: u16,
    /// Grains back from `to`; 0: none.
    pub(super) from: u8,
    /// Grains back from `from` (or from `to`); 0: none.
    pub(super) before: u8,
    /// Grains ahead of `to`; 0: none.
    pub(super) after: u8,
    pub(super) fraction: u16,
    pub(super) seen: ClaimKind,
    pub(super) offset: bool,
}

/// The number of a stamp. Stamps at least a quarter of an interval apart have different ones.
pub(super) fn grain(sent: f64, interval: f64) -> f64 {
    round(4.0 * sent / interval)
}

/// The last 16 bits of it.
pub(super) fn low_bits(grain: f64) -> u16 {
    let turns = crate::math::floor(grain / 65536.0);
    (grain - turns * 65536.0) as u16
}

impl Claim {
    pub(super) fn new(made: &Made, offset: bool, interval: f64) -> Option<Self> {
        let distance = |older: Option<f64>, newer: Option<f64>| {
            let (Some(older), Some(newer)) = (older, newer) else { return Some(0) };
            let grains = grain(newer, interval) - grain(older, interval);
            (1.0..=255.0).contains(&grains).then_some(grains as u8)
        };
        let Made { seen, before, from, to, after, fraction } = *made;
        Some(Claim {
            to: low_bits(grain(to, interval)),
            from: distance(from, Some(to))?,
            before: distance(before, from.or(Some(to)))?,
            after: distance(Some(to), after)?,
            fraction,
            seen,
            offset,
        })
    }

    /// For the wire.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 8] {
        let [t0, t1] = self.to.to_le_bytes();
        let [f0, f1] = self.fraction.to_le_bytes();
        let seen = match self.seen {
            ClaimKind::Blended => 0,
            ClaimKind::Extrapolated => 1,
            ClaimKind::Held => 2,
        };
        [t0, t1, self.from, self.before, self.after, f0, f1, seen | u8::from(self.offset) << 7]
    }

    /// From the wire; `None` for bytes that no client of ours writes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 8]) -> Option<Self> {
        let [t0, t1, from, before, after, f0, f1, kind] = bytes;
        let seen = match kind & 0x7f {
            0 => ClaimKind::Blended,
            1 => ClaimKind::Extrapolated,
            2 => ClaimKind::Held,
            _ => return None,
        };
        let (to, fraction) = (u16::from_le_bytes([t0, t1]), u16::from_le_bytes([f0, f1]));
        let claim = Claim { to, from, before, after, fraction, seen, offset: kind & 0x80 != 0 };
        claim.is_sound().then_some(claim)
    }

    /// Whether a client of ours can have made it.
    pub(super) fn is_sound(&self) -> bool {
        let Claim { from, before, after, fraction, .. } = *self;
        match self.seen {
            ClaimKind::Blended => from > 0,
            ClaimKind::Extrapolated => from == 0 && after == 0,
            ClaimKind::Held => from == 0 && before == 0 && after == 0 && fraction == 0,
        }
    }
}
