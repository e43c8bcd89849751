//! What did the shooter see?
//!
//! The client names what it drew; the server, which knows what it sent, blends the same snapshots in the same way
//! and has the client's picture, bit for bit. The client is not trusted: a claim can only choose among pictures that
//! the server's own messages make possible.

use super::Displace;
use super::claim::{Claim, ClaimKind, grain, low_bits};
use super::store::{Node, Piece, Put, Report, Store, alpha_of, beyond};
use crate::error::{SettingError, rate, within};
use core::fmt;

/// Settings of a [`History`]: the send rate, and what a server is ready to believe.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HistorySettings {
    /// The nominal time from snapshot to snapshot, seconds: the number that the clients' [`Peer`](super::Peer) has too.
    pub interval: f64,
    /// The farthest back from the newest recorded moment, seconds; `f64::INFINITY` for no limit. Default `1.0`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub back: f64,
    /// The farthest that two neighbouring snapshots of a claim may lie apart, seconds: losses, not inventions.
    /// Default `0.5`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub gap: f64,
    /// The farthest that a client extrapolates, seconds. Default `0.25`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub beyond: f64,
}

impl HistorySettings {
    /// The defaults, for snapshots sent `hz` times per second.
    #[must_use]
    pub fn at_hz(hz: f64) -> Self {
        HistorySettings { interval: 1.0 / hz, back: 1.0, gap: 0.5, beyond: 0.25 }
    }

    fn check(&self) -> Result<(), SettingError> {
        within("interval", self.interval, f64::MIN_POSITIVE, 3600.0)?;
        for (name, value) in [("back", self.back), ("gap", self.gap), ("beyond", self.beyond)] {
            // Nothing is above NaN: as a limit it would allow everything.
            within(name, value, 0.0, f64::INFINITY)?;
        }
        Ok(())
    }
}

/// Why a claim was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RewindRefused {
    /// Nothing was recorded yet.
    Empty,
    /// It names a snapshot that was never sent, or is no longer remembered.
    Unknown,
    /// It names snapshots on both sides of a cut, or one where the thing is gone.
    AcrossCut,
    /// It reaches back farther than allowed.
    TooOld {
        /// Seconds back from the newest recorded moment.
        back: f64,
        /// What is allowed.
        limit: f64,
    },
    /// It skips more snapshots than losses explain.
    TooFarApart {
        /// Seconds between two neighbouring snapshots of the claim.
        gap: f64,
        /// What is allowed.
        limit: f64,
    },
    /// It extrapolates farther than any client does.
    TooFarBeyond {
        /// Seconds past the snapshot.
        beyond: f64,
        /// What is allowed.
        limit: f64,
    },
}

impl fmt::Display for RewindRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RewindRefused::Empty => write!(f, "claim refused: nothing was recorded yet"),
            RewindRefused::Unknown => {
                write!(f, "claim refused: it names a snapshot that is not in the history")
            }
            RewindRefused::AcrossCut => {
                write!(f, "claim refused: a cut lies between its snapshots, or the thing was gone")
            }
            RewindRefused::TooOld { back, limit } => {
                write!(f, "claim refused: it reaches {back:.6} s back, {limit} s are allowed")
            }
            RewindRefused::TooFarApart { gap, limit } => {
                write!(f, "claim refused: its snapshots lie {gap:.6} s apart, {limit} s are allowed")
            }
            RewindRefused::TooFarBeyond { beyond, limit } => {
                write!(f, "claim refused: it extrapolates {beyond:.6} s, {limit} s are allowed")
            }
        }
    }
}

impl core::error::Error for RewindRefused {}

/// What the client saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewound<T> {
    /// The client's blended value, before its visual offset.
    pub value: T,
    /// The moment of the server's clock that it stands for.
    pub moment: f64,
    /// What kind of view it was. Extrapolated ones never were true.
    pub seen: ClaimKind,
    /// The client drew it somewhat beside this place.
    pub offset: bool,
}

/// The last `N` snapshots that a server sent of one thing, to judge claims by.
///
/// ```
/// use portamento::remote::{Claim, History, Report, Peer, Snapshots};
///
/// const INTERVAL: f64 = 1.0 / 20.0;
/// let mut history = History::<_>::at_hz(20.0)?;
/// let mut server = Peer::at_hz(20.0)?;
/// let mut target = Snapshots::new();
/// let mut frame = None;
/// for tick in 0..20 {
///     let sent = f64::from(tick) * INTERVAL;
///     let report = Report::new([(sent * sent) as f32, 0.0, 0.0]);
///     history.record(sent, report);
///     target.insert(server.receive(sent, sent + 0.03), report);
///     frame = server.frame(sent + 0.031);
///     target.draw(&frame.unwrap());
/// }
/// // The player shoots at what is on the screen. Eight bytes travel with the shot.
/// let frame = frame.unwrap();
/// let _drawn = target.draw(&frame);
/// let bytes = target.claim(&frame).unwrap().to_bytes();
///
/// let claim = Claim::from_bytes(bytes).expect("written by our client");
/// assert_eq!(Some(&history.rewind(claim)?.value), target.blended()); // to the last bit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::saved::UncheckedHistory<T, N>",
        bound(
            serialize = "T: serde::Serialize, T::Velocity: serde::Serialize",
            deserialize = "T: serde::Deserialize<'de>, T::Velocity: serde::Deserialize<'de>"
        )
    )
)]
pub struct History<T: Displace, const N: usize = 64> {
    pub(super) store: Option<Store<T, N>>,
    pub(super) settings: HistorySettings,
    /// What was not taken.
    pub(super) refused: u32,
}

impl<T: Displace, const N: usize> History<T, N> {
    /// Creates a history for snapshots sent `hz` times per second: the rate that the clients' [`Peer`](super::Peer)
    /// has too.
    pub fn at_hz(hz: f64) -> Result<Self, SettingError> {
        Self::new(HistorySettings::at_hz(rate("messages per second (hz)", hz)?))
    }

    /// Creates a history with everything chosen.
    pub fn new(settings: HistorySettings) -> Result<Self, SettingError> {
        settings.check()?;
        Ok(History { store: None, settings, refused: 0 })
    }

    /// This was sent, stamped so, with the very numbers that the client decodes. False if it was not taken, and
    /// counted: an unusable number, a stamp that is there already, or one older than all that is remembered.
    pub fn record(&mut self, sent: f64, report: Report<T>) -> bool {
        self.put(sent, Some(report))
    }

    /// The thing was said to be gone from this stamp on: nobody saw it until it is recorded again, and nobody saw a
    /// way from before to after. (With another epoch when it comes back, clients that lose this message agree.) False
    /// if it was not taken, and counted: as for [`History::record`], or of a thing that was never there.
    pub fn vanish(&mut self, sent: f64) -> bool {
        self.put(sent, None)
    }

    fn put(&mut self, sent: f64, report: Option<Report<T>>) -> bool {
        let gone = report.is_none();
        let report = report.or_else(|| self.store.as_ref().map(|store| store.newest().report.clone()));
        let node = report.filter(|report| sent.is_finite() && report.is_finite());
        let node = node.map(|report| Node { sent, report, gone, jumped: false });
        let taken = match (&mut self.store, node) {
            (_, None) => false,
            (store @ None, Some(node)) => {
                *store = Some(Store::new(node));
                true
            }
            (Some(store), Some(node)) => matches!(store.put(node, false), Put::In | Put::Evicting),
        };
        self.refused = self.refused.saturating_add(u32::from(!taken));
        taken
    }

    /// How often something was not taken. The counter stops at its end.
    #[must_use]
    pub fn refused(&self) -> u32 {
        self.refused
    }

    /// What the claim's client saw, or why it cannot have seen it.
    pub fn rewind(&self, claim: Claim) -> Result<Rewound<T>, RewindRefused> {
        let store = self.store.as_ref().ok_or(RewindRefused::Empty)?;
        let numbered = |node: &&Node<T>, number: f64| grain(node.sent, self.settings.interval) == number;
        let to = store
            .iter()
            .rev()
            .find(|node| low_bits(grain(node.sent, self.settings.interval)) == claim.to)
            .ok_or(RewindRefused::Unknown)?;
        let number = grain(to.sent, self.settings.interval);
        let named =
            |number: f64| store.iter().rev().find(|n| numbered(n, number)).ok_or(RewindRefused::Unknown);
        let maybe = |base: f64, grains: f64| {
            if grains == 0.0 { Ok(None) } else { named(base + grains).map(Some) }
        };
        let from = maybe(number, -f64::from(claim.from))?;
        let base = grain(from.map_or(to.sent, |from| from.sent), self.settings.interval);
        let before = maybe(base, -f64::from(claim.before))?;
        let after = maybe(number, f64::from(claim.after))?;
        let row = [before, from, Some(to), after];
        self.check(row.into_iter().flatten(), store)?;

        let (value, moment) = match (claim.seen, from) {
            (ClaimKind::Blended, Some(from)) => {
                let way = Piece { before, from, to, after }.way(self.settings.interval);
                (way.value(claim.fraction), way.moment(claim.fraction))
            }
            (ClaimKind::Extrapolated, _) => {
                let seconds = alpha_of(claim.fraction);
                if seconds > self.settings.beyond {
                    return Err(RewindRefused::TooFarBeyond { beyond: seconds, limit: self.settings.beyond });
                }
                (beyond(before, to, claim.fraction, self.settings.interval), to.sent + seconds)
            }
            _ => (to.report.value.clone(), to.sent),
        };
        let back = store.newest().sent - moment;
        if back > self.settings.back {
            return Err(RewindRefused::TooOld { back, limit: self.settings.back });
        }
        Ok(Rewound { value, moment, seen: claim.seen, offset: claim.offset })
    }

    /// Neighbours in a claim must lie in one life of the thing, and not too far apart.
    fn check<'a>(
        &self,
        row: impl Iterator<Item = &'a Node<T>>,
        store: &Store<T, N>,
    ) -> Result<(), RewindRefused>
    where
        T: 'a,
    {
        let mut last: Option<&Node<T>> = None;
        for node in row {
            if node.gone {
                return Err(RewindRefused::AcrossCut);
            }
            if let Some(last) = last {
                let between = |n: &&Node<T>| n.sent >= last.sent && n.sent <= node.sent;
                if store.iter().filter(between).any(|n| !n.joins(last)) {
                    return Err(RewindRefused::AcrossCut);
                }
                let gap = node.sent - last.sent;
                if gap > self.settings.gap && !last.report.rests {
                    return Err(RewindRefused::TooFarApart { gap, limit: self.settings.gap });
                }
            }
            last = Some(node);
        }
        Ok(())
    }
}
