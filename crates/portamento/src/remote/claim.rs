//! How does a client say what it drew, in a few bytes?
//!
//! ```text
//!   before      from     moment   to       after
//!     ●──────────●─────────┼───────●──────────●      to: its stamp in 256ths of a second, the last 16 bits
//!     └─ u8 ─────┴──────── u8 ─────┴── u8 ────┘      the others: how far apart, one of 255 steps
//!                └─ u16 ───┘                         and where between them
//! ```
//!
//! Steps are coarse, so two snapshots may fit one. The checksum of what was drawn decides between them: the server
//! tries all that fit, and takes the one that gives the client's bits.

use super::store::Piece;
use super::{Displace, SnapshotState};
use crate::math::floor;

/// What a view was made of, by the stamps of the snapshots.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Made {
    pub seen: SnapshotState,
    pub before: Option<f64>,
    /// `None` where it lies on or past `to`.
    pub from: Option<f64>,
    pub to: f64,
    pub after: Option<f64>,
    /// Of the way from `from` to `to`, or of a second past `to`.
    pub fraction: u16,
    /// The code of the send rate that it was drawn with.
    pub rate: u16,
}

impl Made {
    pub fn blended<T: Displace>(piece: &Piece<'_, T>, fraction: u16, rate: u16) -> Self {
        Made {
            seen: SnapshotState::Blending,
            before: piece.before.map(|n| n.sent),
            from: Some(piece.from.sent),
            to: piece.to.sent,
            after: piece.after.map(|n| n.sent),
            fraction,
            rate,
        }
    }

    pub fn beyond(before: Option<f64>, node: f64, fraction: u16, rate: u16) -> Self {
        Made { seen: SnapshotState::Extrapolating, before, fraction, ..Made::held(node, rate) }
    }

    pub fn held(node: f64, rate: u16) -> Self {
        Made {
            seen: SnapshotState::Holding,
            before: None,
            from: None,
            to: node,
            after: None,
            fraction: 0,
            rate,
        }
    }

    /// The last snapshot at or before the moment.
    pub fn since(&self) -> f64 {
        self.from.unwrap_or(self.to)
    }
}

/// What a client drew of one entity in one frame, in twelve bytes.
///
/// It names the snapshots by their stamps, the place between them in 65535ths (of the way, or of a second when
/// extrapolated), the send rate that the client drew with, how far beside the snapshots it drew, and a checksum of the
/// value that the snapshots gave. Where two snapshots could be meant, or the client has others than the server under
/// the same stamps (it restarted, or the numbers were rounded on the way), the checksum decides: see
/// [`Displace::checksum`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "[u8; 12]", try_from = "super::saved::UncheckedClaim"))]
pub struct Claim {
    pub(super) seen: SnapshotState,
    pub(super) to: u16,
    /// Steps back from `to`; 0: none.
    pub(super) from: u8,
    /// Steps back from `from` (or from `to`); 0: none.
    pub(super) before: u8,
    /// Steps ahead of `to`; 0: none.
    pub(super) after: u8,
    pub(super) fraction: u16,
    /// 11 bits.
    pub(super) rate: u16,
    /// 7 bits; 0: none.
    pub(super) offset: u8,
    /// 20 bits.
    pub(super) check: u32,
}

/// The last 16 bits of a stamp in 256ths of a second.
pub(super) fn stamp_code(sent: f64) -> u16 {
    floor(sent * 256.0) as i64 as u16
}

/// The step that a distance of this many seconds is: eight steps an octave, from 61 us to 60 hours.
pub(super) fn distance_code(seconds: f64) -> u8 {
    step_code(seconds, 3, -14, 255)
}

/// The step that an offset is, four steps an octave, from 1/65536 of the user's unit on.
fn offset_code(size: f64) -> u8 {
    step_code(size, 2, -16, 127)
}

/// The farthest offset of a step.
pub(super) fn offset_bound(code: u8) -> f64 {
    match code {
        0 => 0.0,
        127.. => f64::INFINITY,
        code => f64::from_bits((u64::from(code) + ((1023 - 16) << 2)) << 50),
    }
}

/// 1 up to `2^least`, then `2^bits` steps an octave: the exponent and the first bits of the fraction.
fn step_code(value: f64, bits: u32, least: i64, most: i64) -> u8 {
    let step = (value.to_bits() >> (52 - bits)) as i64 - ((1023 + least) << bits);
    (step + 1).clamp(1, most) as u8
}

/// The code of a send rate: its first seven binary digits, so that whole numbers up to 128 are exact.
pub(super) fn rate_code(interval: f64) -> u16 {
    let rounded = ((1.0 / interval).to_bits() + (1 << 45)) >> 46;
    (rounded as i64 - ((1023 - 12) << 6)).clamp(0, 2047) as u16
}

/// The send interval that a code stands for.
pub(super) fn interval_of(rate: u16) -> f64 {
    1.0 / f64::from_bits((u64::from(rate) + ((1023 - 12) << 6)) << 46)
}

/// The last 32 bits of a moment in 65536ths of a second.
fn moment_code(moment: f64) -> u32 {
    floor(moment * 65536.0) as i64 as u32
}

/// The last moment up to `now` with this code.
fn moment_of(code: u32, now: f64) -> f64 {
    let now = floor(now * 65536.0) as i64;
    now.wrapping_sub(i64::from((now as u32).wrapping_sub(code))) as f64 / 65536.0
}

/// 20 bits of what was drawn, and of which life of the entity.
pub(super) fn check_of<T: Displace>(value: &T, epoch: u32) -> u32 {
    let mixed = value.checksum().rotate_left(17) ^ u64::from(epoch).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 44) as u32
}

impl Claim {
    /// `moment` is what was drawn; `offset` how far beside it, if at all.
    pub(super) fn new(made: &Made, moment: f64, offset: Option<f64>, check: u32) -> Self {
        let distance = |older: Option<f64>, newer: Option<f64>| match (older, newer) {
            (Some(older), Some(newer)) => distance_code(newer - older),
            _ => 0,
        };
        let Made { seen, before, from, to, after, fraction, rate } = *made;
        let claim = Claim {
            seen,
            to: stamp_code(to),
            from: distance(from, Some(to)),
            before: distance(before, from.or(Some(to))),
            after: distance(Some(to), after),
            fraction,
            rate,
            offset: offset.map_or(0, offset_code),
            check,
        };
        match seen {
            SnapshotState::Holding => claim.with_moment(moment_code(moment)),
            SnapshotState::Blending | SnapshotState::Extrapolating => claim,
        }
    }

    /// One that holds a snapshot has no neighbours: the moment is in their place.
    fn with_moment(self, code: u32) -> Self {
        let [before, after, f0, f1] = code.to_le_bytes();
        Claim { before, after, fraction: u16::from_le_bytes([f0, f1]), ..self }
    }

    /// The moment at which a snapshot was held.
    pub(super) fn held_at(&self, now: f64) -> f64 {
        let [f0, f1] = self.fraction.to_le_bytes();
        moment_of(u32::from_le_bytes([self.before, self.after, f0, f1]), now)
    }

    /// Returns the bytes for the wire.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 12] {
        let seen = match self.seen {
            SnapshotState::Blending => 0,
            SnapshotState::Extrapolating => 1,
            SnapshotState::Holding => 2,
        };
        let rest =
            seen | u64::from(self.offset) << 2 | u64::from(self.rate) << 9 | u64::from(self.check) << 20;
        let ([t0, t1], [f0, f1]) = (self.to.to_le_bytes(), self.fraction.to_le_bytes());
        let [r0, r1, r2, r3, r4, ..] = rest.to_le_bytes();
        [t0, t1, self.from, self.before, self.after, f0, f1, r0, r1, r2, r3, r4]
    }

    /// Reads a claim from the wire; `None` for bytes that no client of ours writes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 12]) -> Option<Self> {
        let [t0, t1, from, before, after, f0, f1, r0, r1, r2, r3, r4] = bytes;
        let rest = u64::from_le_bytes([r0, r1, r2, r3, r4, 0, 0, 0]);
        let seen = match rest & 3 {
            0 => SnapshotState::Blending,
            1 => SnapshotState::Extrapolating,
            2 => SnapshotState::Holding,
            _ => return None,
        };
        let sound = match seen {
            SnapshotState::Blending => from > 0,
            SnapshotState::Extrapolating => from == 0 && after == 0,
            SnapshotState::Holding => from == 0,
        };
        sound.then_some(Claim {
            seen,
            to: u16::from_le_bytes([t0, t1]),
            from,
            before,
            after,
            fraction: u16::from_le_bytes([f0, f1]),
            rate: (rest >> 9 & 0x7ff) as u16,
            offset: (rest >> 2 & 0x7f) as u8,
            check: (rest >> 20) as u32,
        })
    }
}

#[cfg(feature = "serde")]
impl From<Claim> for [u8; 12] {
    fn from(claim: Claim) -> Self {
        claim.to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_rise_with_what_they_measure_and_offsets_are_never_understated() {
        let mut last = (0, 0);
        for k in 0..4000 {
            let value = 1e-6 * f64::from(k).exp2_quarters();
            let codes = (distance_code(value), offset_code(value));
            assert!(codes.0 >= last.0.max(1) && codes.1 >= last.1.max(1), "{value}: {codes:?} {last:?}");
            let bound = offset_bound(codes.1);
            assert!(bound >= value && (bound <= 1.25 * value || value < 2e-5 || bound.is_infinite()));
            last = codes;
        }
        assert_eq!(last, (255, 127));
        assert_eq!(offset_bound(0), 0.0);
    }

    trait Spread {
        fn exp2_quarters(self) -> f64;
    }

    impl Spread for f64 {
        /// 2 to the power of this over 64.
        fn exp2_quarters(self) -> f64 {
            (self / 64.0).exp2()
        }
    }

    #[test]
    fn send_rates_that_people_use_are_named_exactly() {
        for hz in (1..=128).map(f64::from).chain([0.5, 2.5, 7.5, 12.5, 62.5, 144.0, 240.0, 480.0]) {
            assert_eq!(interval_of(rate_code(1.0 / hz)), 1.0 / hz, "{hz}");
        }
        for interval in [1e-300, 1e-7, 1e6, 1e300] {
            assert!(interval_of(rate_code(interval)).is_finite());
        }
    }

    #[test]
    fn a_moment_is_found_again_within_hours() {
        for now in [0.0, 3.5, 1e5, 1.7e9] {
            for back in [0.0, 0.1, 3.0, 60_000.0] {
                let found = moment_of(moment_code(now - back), now);
                assert!((found - (now - back)).abs() < 2e-5, "{now} {back}: {found}");
            }
        }
    }
}
