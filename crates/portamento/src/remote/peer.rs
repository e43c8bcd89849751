//! What is known of a sender as a whole: its clock, the moment drawn, whether it is silent or began anew?

use super::PeerSettings;
use super::claim::{interval_of, rate_code};
use crate::count::count;
use crate::error::{LeastRate, rate};
use crate::math::round;
use crate::playhead::{Playhead, PlayheadStatistics, bounded};
use crate::track::Passing;
use crate::{IntoPresented, Presented, SettingError};

/// A sender that began anew counts from an earlier time. This much earlier (seconds), it is hardly a message that was
/// overtaken, and this many in a row at a real pace are trusted.
const LONG_AGO: f64 = 1.0;
const BELIEVED: u32 = 3;
/// Less than that, and it may be: each must be this many send intervals late (within these bounds, seconds), more than so
/// many times as late as messages that were overtaken, and one more is asked for. If stamps repeat it is one more again,
/// over as long a time: what is sent twice comes in between what is new, or all at once.
const LATE: f64 = 0.1;
const VERY_LATE: f64 = 0.3;
const LATE_INTERVALS: f64 = 3.0;
const LATE_FOR_OVERTAKEN: f64 = 1.25;
const BELIEVED_WHEN_LATE: u32 = 4;
const BELIEVED_WHEN_REPEATED: u32 = 5;
/// Fewer are enough if they come over so many seconds: a slow sender would be unknown for long.
const BELIEVED_SLOW: (u32, f64) = (2, 0.15);
const BELIEVED_SLOW_WHEN_REPEATED: (u32, f64) = (3, 0.3);
/// After this many, stamps that pass the newest just as late are trusted too.
const BELIEVED_WHEN_PASSING: u32 = 2;
/// What a message leaves of the memory of those that were overtaken.
const OVERTAKEN_KEPT: f64 = 0.999;

/// Stamps that are remembered, to know a repeated message from a new life.
const STAMPS: usize = 32;

/// So many times longer than usual from one message to the next, and the sender was silent meanwhile.
const SILENCE: f64 = 2.5;

/// After this many messages in a row at another rate than the usual one, that is the rate. Each must come within this
/// share of the time that the one before took; a rate this near to the usual one is the usual one.
const ANOTHER_RATE: u32 = 8;
const STEADY: f64 = 0.15;
const SAME_RATE: f64 = 0.25;

/// Messages that may be sent at another rate than the usual one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct OtherRate {
    count: u32,
    /// The stamp that the first of them came after, and how long after it.
    since: f64,
    spacing: f64,
    /// What was taken for lost among them.
    lost: u64,
    /// The sender announced a rate, and the time to its first message at it is of neither.
    told: bool,
}

/// The time stamp of a received message. Pass it to [`Snapshots::insert`](super::Snapshots::insert) with each snapshot of
/// that message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageStamp {
    pub(super) sent: f64,
    pub(super) life: u32,
    pub(super) usable: bool,
    /// The newest stamp before this one, if this is the newest now.
    pub(super) before: Option<f64>,
    /// How long the sender was silent in all, up to this message and up to the one before it.
    pub(super) silent: f64,
    pub(super) silent_before: f64,
    /// The time from message to message, as measured.
    pub(super) spacing: f64,
    /// The settings' nominal one, and what counts as a jump.
    pub(super) interval: f64,
    pub(super) jump: f64,
}

/// What a frame shows of one sender. Draw all of its entities with it, so that they share one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PeerFrame {
    /// The moment of the sender's clock that is drawn.
    pub shown: f64,
    /// The sender's clock now, as its messages show it, minus `shown`: see [`PeerStatistics::delay`].
    pub delay: f64,
    /// How far the moment moved since the frame before, without what a re-lock skipped, which visual offsets hide: what
    /// a camera that follows one of its entities advances by. Cameras take `&frame`.
    pub presented: f64,
    /// Real seconds since the frame before.
    pub elapsed: f64,
    /// Which of the sender's lives it shows: the moment is one of that life's clock. Moments of two lives cannot be
    /// compared.
    pub life: u32,
    /// All that the playhead ever skipped, by re-locking after gaps.
    pub(super) skipped: f64,
    /// `elapsed`, as offsets see it.
    pub(super) passing: Passing,
    pub(super) newest: f64,
    pub(super) extrapolates: bool,
    /// The time from message to message, as measured.
    pub(super) spacing: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::settings"))]
    pub(super) settings: PeerSettings,
    /// The send rate, as claims name it.
    pub(super) rate: u16,
    /// Which of the peer's frames it is.
    pub(super) number: u64,
}

impl IntoPresented for &PeerFrame {
    fn into_presented(self) -> Presented {
        Presented::from_seconds(self.presented)
    }
}

/// Numbers about a peer, for a network graph. Counters never shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PeerStatistics {
    /// The sender's clock, as its messages show it, minus the drawn moment in the last frame, seconds. The picture is later
    /// than that by the usual way through the network, which messages in one direction do not reveal.
    pub delay: f64,
    /// How much the way through the network varies from message to message, a mean over the last sixteen or so, seconds.
    /// Near 1, or a delay that makes no sense: a time that was given is not in seconds.
    pub jitter: f64,
    /// Messages received, each once, however many packets it came in.
    pub received: u64,
    /// Messages that should have come between others and did not, by the send interval.
    pub lost: u64,
    /// The share of messages lost, 0 to 1.
    pub loss: f64,
    /// The time from message to message that is expected, seconds: by the settings, by [`set_hz`](Peer::set_hz), or as noticed.
    pub interval: f64,
    /// Messages older than what was drawn already.
    pub late: u64,
    /// Packets with a stamp that was there already, among the last 32 (and the last 4 that were overtaken):
    /// further parts of a message, or copies.
    pub duplicates: u64,
    /// Times that were NaN or infinite.
    pub unusable: u64,
    /// Seconds in which the picture was ahead of everything received.
    pub extrapolated: f64,
    /// Times that the drawn moment had to be taken elsewhere: outages, a sender's clock that was set.
    pub relocks: u64,
    /// Lives of the sender that ended.
    pub restarts: u64,
    /// What its playhead measured of the sender's clock, and counted.
    pub playhead: PlayheadStatistics,
}

/// Messages that might come from a new life of the sender.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Rumour {
    sent: f64,
    /// The last of their stamps.
    last: f64,
    arrived: f64,
    count: u32,
    /// How late the last of them was.
    late: f64,
}

impl Rumour {
    /// Whether a message continues it at a real pace.
    fn followed_by(&self, sent: f64, arrived: f64, slack: f64) -> bool {
        let (on, passed) = (sent - self.sent, arrived - self.arrived);
        self.count > 0 && on > 0.0 && (on - passed).abs() <= 0.5 * on.max(passed) + slack
    }
}

/// One sender: the clock and the playhead that all its entities share.
///
/// Call [`receive`](Peer::receive) once for each message, then enter the message's snapshots with the stamp that it
/// returns. Call [`frame`](Peer::frame) once per frame, then draw everything with its result.
/// [`Snapshots`](super::Snapshots) has an example.
///
/// The clock is learned from the messages alone. A sender that began anew, with stamps that start over, is recognised
/// without your help. It takes three messages if the stamps are more than a second back, four if less, five if they
/// were seen before; or two (three if they were seen before) that come at least 0.15 s (0.3 s) apart. Until then its entities stand still. Stamps that go back by up to three send intervals (0.3 s at
/// most), or by no more than overtaken messages were late recently, are not recognised: the picture waits until they
/// have passed. With a run number in the messages nothing needs to be guessed: call [`Peer::restart`] when it grows,
/// before the message is entered, and the new life is drawn at once. Drop messages with a smaller one: they were sent
/// before the restart, and overtaken.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Peer {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::settings"))]
    settings: PeerSettings,
    playhead: Playhead,
    life: u32,
    rumour: Option<Rumour>,
    /// How late messages come that others have overtaken, seconds: over two ways, all of one way do.
    overtaken: f64,
    /// The last stamps of this life that were the newest once, a ring.
    stamps: [f64; STAMPS],
    stamped: usize,
    /// The last ones that were not.
    late: [f64; 4],
    /// When the last message came, and how long it and the one before seemed to be on their way.
    heard: Option<(f64, f64)>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::reading"))]
    last_frame: Option<f64>,
    last: Option<PeerFrame>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::seconds"))]
    skipped: f64,
    /// For how long nothing came in all, by the stamps.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::seconds"))]
    silent: f64,
    other_rate: OtherRate,
    /// How many frames were asked for.
    frames: u64,
    /// What is not worked out when it is asked for.
    statistics: PeerStatistics,
}

impl Peer {
    /// Creates a peer that sends `hz` times per second.
    pub fn at_hz(hz: f64) -> Result<Self, SettingError> {
        Peer::new(PeerSettings::at_hz(rate("messages per second (hz)", hz, LeastRate::OneAnHour)?))
    }

    /// Creates a peer with these settings.
    pub fn new(settings: PeerSettings) -> Result<Self, SettingError> {
        settings.check()?;
        Ok(Peer {
            settings,
            playhead: Playhead::new(settings.playhead)?,
            life: 0,
            rumour: None,
            overtaken: 0.0,
            stamps: [0.0; STAMPS],
            stamped: 0,
            late: [f64::MAX; 4],
            heard: None,
            last_frame: None,
            last: None,
            skipped: 0.0,
            silent: 0.0,
            other_rate: OtherRate::default(),
            frames: 0,
            statistics: PeerStatistics::default(),
        })
    }

    /// Takes the arrival of a message: `sent` is its stamp by the sender's clock, `arrived` when it came by ours,
    /// both in seconds.
    pub fn receive(&mut self, sent: f64, arrived: f64) -> MessageStamp {
        if !sent.is_finite() || !arrived.is_finite() {
            count(&mut self.statistics.unusable);
            return self.stamp(sent, false, None, self.silent);
        }
        let (sent, arrived) = (bounded(sent), bounded(arrived));
        if self.passes_as_late(sent, arrived) {
            self.restart();
        }
        let before = self.playhead.newest();
        let silent_before = self.silent;
        let mut follows = None;
        let repeated = self.remembers(sent);
        count(if repeated { &mut self.statistics.duplicates } else { &mut self.statistics.received });
        if self.playhead.observe(arrived, sent) {
            follows = before;
            // The old life goes on, so those were only overtaken.
            let late = self.rumour.take().map_or(0.0, |rumour| rumour.late);
            self.overtaken = late.max(OVERTAKEN_KEPT * self.overtaken);
            self.remember(sent);
            self.count_newest(sent, arrived, before);
        } else if before != Some(sent) {
            if !repeated {
                self.late = [sent, self.late[0], self.late[1], self.late[2]];
                // It had been taken for lost.
                self.statistics.lost = self.statistics.lost.saturating_sub(1);
                if self.last.is_some_and(|last| sent < last.shown) {
                    count(&mut self.statistics.late);
                }
            }
            if self.began_anew(sent, arrived, repeated) {
                self.restart();
                self.playhead.observe(arrived, sent);
                self.remember(sent);
            }
        }
        let heard = self.heard.map_or(arrived, |(at, _)| at.max(arrived));
        self.heard = Some((heard, arrived - sent));
        self.stamp(sent, true, follows, silent_before)
    }

    fn stamp(&self, sent: f64, usable: bool, before: Option<f64>, silent_before: f64) -> MessageStamp {
        let PeerSettings { jump, .. } = self.settings;
        let interval = self.settings.interval();
        let spacing = self.playhead.spacing().unwrap_or(interval);
        MessageStamp {
            sent,
            life: self.life,
            usable,
            before,
            silent: self.silent,
            silent_before,
            spacing,
            interval,
            jump,
        }
    }

    fn count_newest(&mut self, sent: f64, arrived: f64, before: Option<f64>) {
        let Some(before) = before else { return };
        let spacing = self.playhead.spacing().unwrap_or(self.settings.interval());
        if sent - before > SILENCE * spacing {
            self.silent = bounded(self.silent + (sent - before) - spacing);
        }
        if core::mem::take(&mut self.other_rate.told) {
            return;
        }
        let missing = round((sent - before) / self.settings.interval()) - 1.0;
        // Beyond ten seconds it was a break, not a loss.
        let lost =
            if missing > 0.0 && missing * self.settings.interval() < 10.0 { missing as u64 } else { 0 };
        self.statistics.lost = self.statistics.lost.saturating_add(lost);
        self.watch_rate(sent, before, lost);
        if let Some((_, way)) = self.heard {
            let change = (arrived - sent - way).abs().min(1.0);
            self.statistics.jitter += (change - self.statistics.jitter) / 16.0;
        }
    }

    /// Whether the sender has changed its rate without a word.
    fn watch_rate(&mut self, sent: f64, before: f64, lost: u64) {
        let spacing = sent - before;
        let within = |a: f64, b: f64, share: f64| (a - b).abs() <= share * a.max(b);
        if within(spacing, self.settings.interval(), SAME_RATE) {
            self.other_rate = OtherRate::default();
            return;
        }
        let mut rate = self.other_rate;
        if rate.count == 0 || !within(spacing, rate.spacing, STEADY) {
            rate = OtherRate { since: before, spacing, ..OtherRate::default() };
        }
        self.other_rate =
            OtherRate { count: rate.count.saturating_add(1), lost: rate.lost.saturating_add(lost), ..rate };
        if self.other_rate.count == ANOTHER_RATE {
            // As claims name it, so that the server can repeat what is drawn with it.
            let measured = (sent - rate.since) / f64::from(ANOTHER_RATE);
            self.set_interval(interval_of(rate_code(measured)), false);
            self.statistics.lost = self.statistics.lost.saturating_sub(self.other_rate.lost);
            self.other_rate = OtherRate::default();
        }
    }

    fn set_interval(&mut self, interval: f64, told: bool) {
        self.settings.playhead.interval = interval;
        self.playhead.set_interval(interval, told);
    }

    /// Sets the send rate from now on. Call it before the first message at the new rate is entered.
    ///
    /// A rate that changes without this call is noticed after eight messages. Until then what seems to be missing
    /// counts as lost; then it is taken back.
    pub fn set_hz(&mut self, hz: f64) -> Result<(), SettingError> {
        let settings = PeerSettings::at_hz(rate("messages per second (hz)", hz, LeastRate::OneAnHour)?);
        self.set_interval(settings.interval(), true);
        self.other_rate = OtherRate { told: true, ..OtherRate::default() };
        Ok(())
    }

    fn remember(&mut self, sent: f64) {
        self.stamps[self.stamped % STAMPS] = sent;
        self.stamped = self.stamped.wrapping_add(1);
    }

    fn remembers(&self, sent: f64) -> bool {
        self.stamps[..self.stamped.min(STAMPS)].contains(&sent) || self.late.contains(&sent)
    }

    /// How late a message must be to be no overtaken one.
    fn usual_lateness(&self) -> f64 {
        let intervals = LATE_INTERVALS * self.settings.interval();
        intervals.clamp(LATE, VERY_LATE).max(LATE_FOR_OVERTAKEN * self.overtaken)
    }

    fn lateness(&self, sent: f64, arrived: f64) -> f64 {
        self.playhead.writer_reads(arrived).map_or(0.0, |reads| reads - sent)
    }

    /// Messages from before the newest that follow each other at a real pace, with none of the old life between them.
    fn began_anew(&mut self, sent: f64, arrived: f64, repeated: bool) -> bool {
        if self.rumour.is_some_and(|rumour| rumour.last == sent) {
            return false; // another part of the same message
        }
        let newest = self.playhead.newest().unwrap_or(sent);
        let long_ago = sent <= newest - LONG_AGO;
        let mut late = 0.0;
        if !long_ago {
            // What was overtaken on the way is as late as others were.
            late = self.lateness(sent, arrived);
            if late < self.usual_lateness() {
                return false;
            }
        }
        let first = self.rumour.unwrap_or(Rumour { sent, last: sent, arrived, count: 0, late });
        let passed = arrived - first.arrived;
        let rumour = if first.followed_by(sent, arrived, if long_ago { 0.1 } else { 0.0 }) {
            Rumour { count: first.count.saturating_add(1), last: sent, late, ..first }
        } else {
            Rumour { sent, last: sent, arrived, count: 1, late }
        };
        self.rumour = Some(rumour);
        let late_enough = LATE_INTERVALS * self.settings.interval();
        let slow = |(count, seconds)| rumour.count >= count && passed >= seconds;
        if long_ago {
            rumour.count >= BELIEVED && passed > 0.0 || slow(BELIEVED_SLOW)
        } else if repeated {
            rumour.count >= BELIEVED_WHEN_REPEATED && passed >= late_enough.max(LATE)
                || slow(BELIEVED_SLOW_WHEN_REPEATED)
        } else {
            rumour.count >= BELIEVED_WHEN_LATE && passed >= 0.5 * late_enough || slow(BELIEVED_SLOW)
        }
    }

    /// The clock was set back by so little that its stamps pass the newest before they are trusted. Going on from there
    /// would draw the whole way since as if it took one interval. The old life's next would be on time.
    fn passes_as_late(&self, sent: f64, arrived: f64) -> bool {
        let (Some(rumour), Some(newest)) = (self.rumour, self.playhead.newest()) else { return false };
        let late = self.lateness(sent, arrived);
        sent > newest
            && rumour.count >= BELIEVED_WHEN_PASSING
            && rumour.followed_by(sent, arrived, 0.0)
            && late >= self.usual_lateness()
            && (late - rumour.late).abs() <= 0.5 * self.settings.interval()
    }

    /// Starts a new life of the sender: its clock starts over, its entities appear anew. Where they are not far from
    /// where they were, their pictures glide there. Before the first message nothing ends, and nothing is counted.
    pub fn restart(&mut self) {
        if self.statistics.received > 0 {
            count(&mut self.statistics.restarts);
        }
        self.playhead.restart();
        self.life = self.life.wrapping_add(1);
        self.rumour = None;
        self.stamped = 0;
        self.late = [f64::MAX; 4];
    }

    /// Returns what to draw with in a frame at `now` by our clock; `None` before the first message. NaN and infinities
    /// repeat the last frame.
    pub fn frame(&mut self, now: f64) -> Option<PeerFrame> {
        if !now.is_finite() {
            count(&mut self.statistics.unusable);
            let passing = Passing::new(0.0, &self.settings.fading());
            return self.last.map(|frame| PeerFrame { presented: 0.0, elapsed: 0.0, passing, ..frame });
        }
        let now = bounded(now);
        let at = self.playhead.advance(now)?;
        self.frames = self.frames.wrapping_add(1);
        let elapsed = self.last_frame.map_or(0.0, |last| (now - last).max(0.0));
        self.last_frame = Some(now);
        // The frame itself is played, not skipped.
        let skipped = if at.skipped > 0.0 { (at.skipped - elapsed).max(0.0) } else { 0.0 };
        self.skipped += skipped;
        let ahead = at.beyond > 0.0;
        if ahead {
            self.statistics.extrapolated += elapsed;
        }
        let frame = PeerFrame {
            shown: at.at,
            delay: self.playhead.writer_reads(now)? - at.at,
            presented: at.presented - skipped,
            elapsed,
            life: self.life,
            skipped: self.skipped,
            passing: Passing::new(elapsed, &self.settings.fading()),
            newest: self.playhead.newest()?,
            extrapolates: ahead,
            spacing: self.playhead.spacing()?,
            settings: self.settings,
            rate: rate_code(self.settings.interval()),
            number: self.frames,
        };
        self.statistics.delay = frame.delay;
        self.statistics.relocks = self.playhead.jumps();
        self.last = Some(frame);
        Some(frame)
    }

    /// Returns the numbers for a network graph.
    #[must_use]
    pub fn statistics(&self) -> PeerStatistics {
        let (received, lost) = (self.statistics.received as f64, self.statistics.lost as f64);
        let loss = if lost > 0.0 { lost / (received + lost) } else { 0.0 };
        let playhead = self.playhead.statistics();
        PeerStatistics { loss, interval: self.settings.interval(), playhead, ..self.statistics }
    }
}
