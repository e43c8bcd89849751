//! What did the shooter see?
//!
//! The client names what it drew; the server, which knows what it sent, blends the same snapshots in the same way
//! and has the client's picture, bit for bit. The client is not trusted: a claim can only choose among pictures that
//! the server's own messages make possible.

use super::claim::{Claim, check_of, distance_code, interval_of, offset_bound, rate_code, stamp_code};
use super::store::{Node, Piece, Report, alpha_of, beyond};
use super::{Displace, SnapshotState};
use crate::error::{LeastRate, SettingError, rate, within};
use alloc::collections::VecDeque;
use core::fmt;

#[cfg(test)]
mod tests;

/// Settings of a [`History`]: the send rate, and which claims the server accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HistorySettings {
    /// The shortest nominal time from snapshot to snapshot, seconds. With the limits below it decides how many
    /// snapshots are remembered. Clients may have other send rates, and a claim says which: this one divided by a whole
    /// number up to 16, or any with at most seven binary digits, such as every whole number up to 128.
    pub interval: f64,
    /// The farthest back from now that a shot is judged, seconds: delay of the picture, and the way of the shot to the
    /// server. Default `1.0`.
    pub back: f64,
    /// The longest time, in seconds, in which a client may have missed every snapshot that was recorded: as long as
    /// losses explain, and no longer. Where a client is sent an entity less often than it is recorded, the time between
    /// two of its messages is part of it. Default `0.5`.
    pub gap: f64,
    /// The farthest that a client extrapolates, seconds. Default `0.25`.
    pub beyond: f64,
}

/// The most snapshots that one entity's history may need.
const MOST: f64 = 65_536.0;

impl HistorySettings {
    /// Creates the defaults for snapshots sent `hz` times per second.
    #[must_use]
    pub fn at_hz(hz: f64) -> Self {
        HistorySettings { interval: 1.0 / hz, back: 1.0, gap: 0.5, beyond: 0.25 }
    }

    fn check(&self) -> Result<(), SettingError> {
        within("interval", self.interval, f64::MIN_POSITIVE, 3600.0)?;
        for (name, value) in [("back", self.back), ("gap", self.gap), ("beyond", self.beyond)] {
            within(name, value, 0.0, 3600.0)?;
        }
        let needed = self.needed();
        if needed > MOST {
            let after =
                " snapshots is too long (at most 65536): give a smaller `back` or `gap`, or a lower rate";
            return Err(SettingError::sentence("snapshots to remember", needed, "a history of ", after));
        }
        Ok(())
    }

    /// How long a snapshot can be named in a claim: it may be the neighbour of a neighbour of what was drawn.
    fn remembered(&self) -> f64 {
        self.back + 2.0 * self.gap
    }

    fn needed(&self) -> f64 {
        crate::math::floor(self.remembered() / self.interval) + 4.0
    }
}

/// Why a claim was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RewindRefused {
    /// Nothing was recorded yet.
    Empty,
    /// It names a snapshot that was never sent, or is no longer remembered; or more than one could be meant.
    Unknown,
    /// The snapshots that it names give another value than the client drew: the client has other snapshots under the
    /// same stamps. The server restarted and the client has not noticed yet, or what was recorded is not, bit for bit,
    /// what the client decodes.
    Differs,
    /// It names snapshots on both sides of a cut, or one where the entity is gone.
    AcrossCut,
    /// It reaches back farther than allowed.
    TooOld {
        /// Seconds back from now.
        back: f64,
        /// What is allowed.
        limit: f64,
    },
    /// It is of a moment that has not come yet.
    Ahead {
        /// Seconds ahead of now.
        ahead: f64,
    },
    /// It skips more snapshots than losses explain.
    TooFarApart {
        /// Seconds from the first snapshot that was skipped.
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
        write!(f, "claim refused: ")?;
        match self {
            RewindRefused::Empty => write!(f, "nothing was recorded yet"),
            RewindRefused::Unknown => {
                write!(f, "it names a snapshot that is not in the history, or more than one could be meant")
            }
            RewindRefused::Differs => {
                write!(f, "its snapshots have other values here; record what the client decodes, to the bit")
            }
            RewindRefused::AcrossCut => {
                write!(f, "a cut lies between its snapshots, or the entity was gone")
            }
            RewindRefused::TooOld { back, limit } => {
                write!(f, "it reaches {back:.6} s back, {limit} s are allowed")
            }
            RewindRefused::Ahead { ahead } => write!(f, "it is of a moment {ahead:.6} s ahead of now"),
            RewindRefused::TooFarApart { gap, limit } => {
                write!(f, "it skips the snapshots of {gap:.6} s, {limit} s are allowed")
            }
            RewindRefused::TooFarBeyond { beyond, limit } => {
                write!(f, "it extrapolates {beyond:.6} s, {limit} s are allowed")
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
    /// The moment of the server's clock that it stands for. [`History::at`] has the rest of the world at this moment.
    pub moment: f64,
    /// What it was drawn from. An extrapolated view may show a place where the entity never was.
    pub seen: SnapshotState,
    /// The client drew it beside this place by at most so much, in the user's unit; 0 if it drew it exactly there. The
    /// client claims it, and nothing proves it: allow no more of it than you would let a shot miss by.
    pub offset: f64,
}

/// Counts of refused and evicted snapshots of one history, and of restarts. They stop at their largest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HistoryCounts {
    /// Snapshots that were not taken.
    pub refused: u32,
    /// Snapshots dropped because the memory was full, while a claim could still name them: snapshots were recorded more
    /// often than the settings' interval.
    pub evicted: u32,
    /// Times that the stamps went back, which ends a life of the server.
    pub restarts: u32,
}

/// The last snapshots that a server sent of one entity, to judge claims by: lag compensation.
///
/// How many are remembered follows from the settings; nothing is allocated after [`History::new`]. With a long `back` it
/// also plays a kill-cam or a demo, at any speed and backwards, by [`History::at`]: see the example `kill_cam`.
///
/// ```
/// use portamento::remote::{Claim, History, Report, Peer, Snapshots};
///
/// const INTERVAL: f64 = 1.0 / 20.0;
/// let mut history = History::at_hz(20.0)?;
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
/// // The player shoots at what is on the screen. Twelve bytes travel with the shot.
/// let frame = frame.unwrap();
/// let _drawn = target.draw(&frame);
/// let bytes = target.claim(&frame).unwrap().to_bytes();
///
/// let now = 20.0 * INTERVAL; // on the server, when the shot arrives
/// let claim = Claim::from_bytes(bytes).expect("written by our client");
/// assert_eq!(Some(&history.rewind(claim, now)?.value), target.blended()); // to the last bit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::saved::UncheckedHistory<T>",
        bound(
            serialize = "T: serde::Serialize, T::Velocity: serde::Serialize",
            deserialize = "T: serde::Deserialize<'de>, T::Velocity: serde::Deserialize<'de>"
        )
    )
)]
pub struct History<T: Displace> {
    /// Oldest first.
    pub(super) nodes: VecDeque<Node<T>>,
    pub(super) settings: HistorySettings,
    pub(super) counts: HistoryCounts,
}

impl<T: Displace> History<T> {
    /// Creates a history for snapshots sent `hz` times per second.
    pub fn at_hz(hz: f64) -> Result<Self, SettingError> {
        Self::new(HistorySettings::at_hz(rate("messages per second (hz)", hz, LeastRate::OneAnHour)?))
    }

    /// Creates a history with these settings.
    pub fn new(settings: HistorySettings) -> Result<Self, SettingError> {
        settings.check()?;
        let nodes = VecDeque::with_capacity(settings.needed() as usize);
        Ok(History { nodes, settings, counts: HistoryCounts::default() })
    }

    /// Records what was sent, with the message's stamp and the very numbers that the client decodes. Returns false, and
    /// counts it, if it was not taken: an unusable number, or a stamp that is there already.
    ///
    /// Stamps rise. One that is earlier than the newest means that the server's clock was set back, or that it began
    /// anew: all that was recorded before is forgotten, because its stamps will come again with other values.
    pub fn record(&mut self, sent: f64, report: Report<T>) -> bool {
        self.put(sent, Some(report))
    }

    /// Records that the entity is gone from this stamp on. Until it is recorded again it was not seen, and neither was
    /// a way from before to after. Give it another epoch when it comes back: then clients that lost this message agree.
    /// Returns false, and counts it, if it was not taken: as for [`History::record`], or of an entity that was never
    /// there.
    pub fn vanish(&mut self, sent: f64) -> bool {
        self.put(sent, None)
    }

    fn put(&mut self, sent: f64, report: Option<Report<T>>) -> bool {
        let gone = report.is_none();
        let newest = self.nodes.back();
        let report = report.or_else(|| newest.map(|node| node.report.clone()));
        let there = newest.is_some_and(|node| node.sent == sent);
        let Some(report) = report.filter(|report| sent.is_finite() && !there && report.is_finite()) else {
            self.counts.refused = self.counts.refused.saturating_add(1);
            return false;
        };
        if newest.is_some_and(|node| sent < node.sent) {
            self.nodes.clear();
            self.counts.restarts = self.counts.restarts.saturating_add(1);
        }
        if self.nodes.len() >= self.settings.needed() as usize
            && let (Some(_), Some(oldest)) = (self.nodes.pop_front(), self.nodes.front())
        {
            // The one that went was needed until the next was too old.
            let early = sent - oldest.sent <= self.settings.remembered();
            self.counts.evicted = self.counts.evicted.saturating_add(u32::from(early));
        }
        self.nodes.push_back(Node { sent, report, gone, jumped: false });
        true
    }

    /// Returns the counts of refused and evicted snapshots and of restarts.
    #[must_use]
    pub fn counts(&self) -> &HistoryCounts {
        &self.counts
    }

    /// Returns what the claim's client saw, or why it cannot have seen it or is not trusted. `now` is the server's
    /// clock, of which the stamps are, when the claim arrives.
    pub fn rewind(&self, claim: Claim, now: f64) -> Result<Rewound<T>, RewindRefused> {
        if self.nodes.is_empty() {
            return Err(RewindRefused::Empty);
        }
        let mut refused = RewindRefused::Unknown;
        let mut found: Option<(Row<'_, T>, f64, T)> = None;
        let mut tried = 0;
        for row in self.rows(&claim) {
            for interval in self.intervals(claim.rate) {
                tried += 1;
                if tried > TRIED {
                    return Err(RewindRefused::Unknown);
                }
                let value = row.value(&claim, interval);
                if check_of(&value, row.to.report.epoch) != claim.check {
                    refused = RewindRefused::Differs;
                    continue;
                }
                match &found {
                    Some((_, _, other)) if *other != value => return Err(RewindRefused::Unknown),
                    Some(_) => {}
                    None => found = Some((row, interval, value)),
                }
                break;
            }
        }
        let (row, interval, value) = found.ok_or(refused)?;
        let moment = row.moment(&claim, interval, now);
        self.check(&row, &claim, moment, now)?;
        Ok(Rewound { value, moment, seen: claim.seen, offset: offset_bound(claim.offset) })
    }

    /// The send intervals that a claim may mean: our own, a whole number of it, or the one that the code names exactly.
    fn intervals(&self, rate: u16) -> impl Iterator<Item = f64> {
        let own = self.settings.interval;
        let hz = crate::math::round(1e6 / own) * 1e-6;
        let slower = (2..=SLOWEST).map(move |k| 1.0 / (hz / f64::from(k)));
        let fitting =
            core::iter::once(own).chain(slower).filter(move |&interval| rate_code(interval) == rate);
        let named = interval_of(rate);
        fitting.filter(move |&interval| interval != named).chain(core::iter::once(named))
    }

    /// All snapshots that a claim may mean, newest first.
    fn rows(&self, claim: &Claim) -> impl Iterator<Item = Row<'_, T>> {
        let &Claim { from, before, after, .. } = claim;
        let (before, after) = if claim.seen == SnapshotState::Holding { (0, 0) } else { (before, after) };
        let named = claim.to;
        let nodes = &self.nodes;
        let to = (0..nodes.len()).rev().filter(move |&i| stamp_code(nodes[i].sent) == named);
        to.flat_map(move |to| {
            earlier(nodes, to, from).flat_map(move |from| {
                let base = from.unwrap_or(to);
                earlier(nodes, base, before).flat_map(move |before| {
                    later(nodes, to, after).map(move |after| Row {
                        at: [before, from, Some(to), after],
                        before: before.map(|i| &nodes[i]),
                        from: from.map(|i| &nodes[i]),
                        to: &nodes[to],
                        after: after.map(|i| &nodes[i]),
                    })
                })
            })
        })
    }

    /// Checks that a client can have drawn it, and that the claim is neither too old nor ahead.
    fn check(&self, row: &Row<'_, T>, claim: &Claim, moment: f64, now: f64) -> Result<(), RewindRefused> {
        let HistorySettings { interval, back: limit, gap, beyond } = self.settings;
        let back = now - moment;
        // No comparison with NaN is true.
        if !(back <= limit) {
            return Err(RewindRefused::TooOld { back, limit });
        }
        if back < -interval {
            return Err(RewindRefused::Ahead { ahead: -back });
        }
        let mut last: Option<usize> = None;
        for i in row.at.into_iter().flatten() {
            if let Some(last) = last {
                let mut passed = self.nodes.range(last..=i);
                if passed.any(|node| !node.joins(&self.nodes[last])) {
                    return Err(RewindRefused::AcrossCut);
                }
                self.skips(last, self.nodes[i].sent)?;
            }
            last = Some(i);
        }
        if row.to.gone {
            return Err(RewindRefused::AcrossCut);
        }
        let seconds = alpha_of(claim.fraction);
        match claim.seen {
            SnapshotState::Extrapolating if seconds > beyond => {
                return Err(RewindRefused::TooFarBeyond { beyond: seconds, limit: beyond });
            }
            SnapshotState::Holding => {
                let early = row.to.sent - moment;
                if early > gap {
                    return Err(RewindRefused::TooFarApart { gap: early, limit: gap });
                }
                self.skips(row.at[2].unwrap_or(0), moment)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a client can have had nothing between a snapshot and a moment.
    fn skips(&self, at: usize, until: f64) -> Result<(), RewindRefused> {
        let limit = self.settings.gap;
        let node = &self.nodes[at];
        // That it rests may be said more than once: who misses that misses nothing.
        let again = |other: &&Node<T>| {
            node.report.rests
                && other.report.rests
                && other.joins(node)
                && other.report.value == node.report.value
        };
        let Some(skipped) = self.nodes.range(at + 1..).find(|other| !again(other)) else { return Ok(()) };
        let gap = until - skipped.sent;
        if gap > limit { Err(RewindRefused::TooFarApart { gap, limit }) } else { Ok(()) }
    }

    /// Returns where the entity was at a moment of the server's clock, as a client without losses draws it; past the
    /// newest snapshot it stays there. `None` if it was not there, or the moment is older than what is remembered.
    ///
    /// For what a shot meets on its way and the claim does not name: cover, doors, other players. Give it the moment of
    /// the [`Rewound`] target. A shot without a target brings the client's
    /// [`PeerFrame::shown`](super::PeerFrame::shown); judge it like a claim, by how far back it is.
    ///
    /// ```
    /// use portamento::remote::{History, Report};
    ///
    /// let mut door = History::at_hz(20.0)?;
    /// for tick in 0..10 {
    ///     let sent = f64::from(tick) / 20.0;
    ///     door.record(sent, Report::new(f64::from(tick))); // opens by 20 degrees a second
    /// }
    /// assert!((door.at(0.22).unwrap() - 4.4).abs() < 1e-3);
    /// assert_eq!(door.at(-1.0), None);
    /// # Ok::<(), portamento::SettingError>(())
    /// ```
    #[must_use]
    pub fn at(&self, moment: f64) -> Option<T> {
        let at = self.nodes.partition_point(|node| node.sent <= moment).checked_sub(1)?;
        let node = &self.nodes[at];
        if node.gone {
            return None;
        }
        let joining = |a: Option<&'_ Node<T>>, b: Option<&'_ Node<T>>| b?.joins(a?).then_some(());
        let get = |i: Option<usize>| self.nodes.get(i?);
        let (before, to, after) = (get(at.checked_sub(1)), get(Some(at + 1)), get(Some(at + 2)));
        let Some(to) = to.filter(|to| to.joins(node)) else { return Some(node.report.value.clone()) };
        let before = before.filter(|before| node.joins(before));
        let after = after.filter(|after| joining(Some(to), Some(after)).is_some());
        let way = Piece { before, from: node, to, after }.way(self.settings.interval);
        Some(way.value(way.fraction(moment)))
    }
}

/// The most rows of snapshots that are tried for one claim. Honest ones need one or two.
const TRIED: usize = 1024;

/// Clients that are sent every so manyth message have the rate of the history divided by as much.
const SLOWEST: u32 = 16;

/// Snapshots that a claim may mean.
struct Row<'a, T: Displace> {
    /// Where they are in the history.
    at: [Option<usize>; 4],
    before: Option<&'a Node<T>>,
    from: Option<&'a Node<T>>,
    to: &'a Node<T>,
    after: Option<&'a Node<T>>,
}

impl<'a, T: Displace> Row<'a, T> {
    fn piece(&self, from: &'a Node<T>) -> Piece<'a, T> {
        Piece { before: self.before, from, to: self.to, after: self.after }
    }

    fn value(&self, claim: &Claim, interval: f64) -> T {
        match (claim.seen, self.from) {
            (SnapshotState::Blending, Some(from)) => self.piece(from).way(interval).value(claim.fraction),
            (SnapshotState::Extrapolating, _) => beyond(self.before, self.to, claim.fraction, interval),
            _ => self.to.report.value.clone(),
        }
    }

    fn moment(&self, claim: &Claim, interval: f64, now: f64) -> f64 {
        match (claim.seen, self.from) {
            (SnapshotState::Blending, Some(from)) => self.piece(from).way(interval).moment(claim.fraction),
            (SnapshotState::Extrapolating, _) => self.to.sent + alpha_of(claim.fraction),
            _ => claim.held_at(now),
        }
    }
}

/// The snapshots before one that lie this many steps back, or none at all for 0.
fn earlier<T: Displace>(
    nodes: &VecDeque<Node<T>>,
    of: usize,
    steps: u8,
) -> impl Iterator<Item = Option<usize>> {
    let step = move |i: usize| distance_code(nodes[of].sent - nodes[i].sent);
    let far = (0..if steps == 0 { 0 } else { of }).rev().skip_while(move |&i| step(i) < steps);
    let fitting = far.take_while(move |&i| step(i) == steps).map(Some);
    (steps == 0).then_some(None).into_iter().chain(fitting)
}

/// The snapshots after one that lie this many steps ahead, or none at all for 0.
fn later<T: Displace>(
    nodes: &VecDeque<Node<T>>,
    of: usize,
    steps: u8,
) -> impl Iterator<Item = Option<usize>> {
    let step = move |i: usize| distance_code(nodes[i].sent - nodes[of].sent);
    let far =
        (if steps == 0 { nodes.len() } else { of + 1 }..nodes.len()).skip_while(move |&i| step(i) < steps);
    let fitting = far.take_while(move |&i| step(i) == steps).map(Some);
    (steps == 0).then_some(None).into_iter().chain(fitting)
}
