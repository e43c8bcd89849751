//! Where is a remote entity drawn?
//!
//! ```text
//!                     moment                 sender's clock ─►
//!   ●───────●───────────┼───●───────●╌╌╌╌╌╌
//!        before   from  ▲   to    after          the last N snapshots
//!                       └── blended, and on top of it the visual offset:
//!                           whatever moved the curve under the picture since the frame before
//! ```

use super::claim::{Claim, Made, check_of};
use super::own_interval::{OwnInterval, RESTED, is_jump, is_unheard};
use super::peer::{MessageStamp, PeerFrame};
use super::settings::Pace;
use super::store::{Node, Put, Report, Store, Way, beyond};
use super::{Displace, OffsetSize, VisualOffset};
use crate::Drawn;
use crate::playhead::fading_out;
use crate::track::Absorbed;

/// What became of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inserted {
    /// It is in the buffer.
    In,
    /// One with this time is there already.
    Duplicate,
    /// Its time has passed on the screen, or it belongs to a life of the sender that is over.
    TooLate,
    /// Its time or one of its numbers is NaN or infinite.
    Unusable,
}

/// What an entity was drawn from: in a frame ([`SnapshotStatistics::state`]), or in the view that a [`Claim`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SnapshotState {
    /// Between two snapshots.
    Blending,
    /// Past the newest one that had come, onward as it moved.
    Extrapolating,
    /// Exactly at a snapshot: the drawn moment is its own, or nothing may be extrapolated.
    Holding,
}

/// What [`Snapshots::draw`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Seen<T> {
    /// The entity is there: draw it.
    Here(Drawn<T>),
    /// It has not appeared yet, or it vanished and will appear again.
    NotYet,
    /// It vanished, and nothing newer was reported; or its peer has not mentioned it for long
    /// ([`PeerSettings::forget`](super::PeerSettings::forget)).
    Gone,
}

impl<T> Seen<T> {
    /// Returns what to draw, if the entity is there.
    pub fn here(self) -> Option<Drawn<T>> {
        match self {
            Self::Here(drawn) => Some(drawn),
            Self::NotYet | Self::Gone => None,
        }
    }
}

/// How one entity was drawn in the last frame, and counts of its snapshots that were not taken or were dropped, and of
/// undeclared cuts. Counters stop at their largest value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SnapshotStatistics {
    /// What it was drawn from; `None` if nothing was drawn.
    pub state: Option<SnapshotState>,
    /// Whether the view has other bits than the one before it. If not, there is nothing to upload.
    pub moved: bool,
    /// How much later than the rest of its peer's entities this one is drawn, in seconds: 0 for an entity that is in
    /// every message. One that is in every fourth is drawn three send intervals later, so that it moves evenly.
    pub extra_delay: f64,
    /// How far the picture is from what the snapshots give: the visual offset that fades.
    pub offset: OffsetSize,
    /// Snapshots that were there already.
    pub duplicates: u32,
    /// Snapshots whose time had passed on the screen, or whose life of the sender was over.
    pub late: u32,
    /// Snapshots with a NaN or infinite number.
    pub unusable: u32,
    /// Snapshots dropped because all `N` places were taken, before the picture had passed them: `N` is too small for
    /// the delay, or no frame was drawn for long.
    pub evicted: u32,
    /// Snapshots that took the place of one stamped at almost the same time.
    pub crowded: u32,
    /// Undeclared cuts: after a long outage, or because a step was far too long for the entity's pace.
    pub snaps: u32,
    /// How often it disappeared because its peer had not mentioned it for long.
    pub unheard: u32,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Last<T> {
    /// Whose clock `shown` and `made` are of.
    life: u32,
    /// The moment that was drawn: the peer's, later by `extra`.
    shown: f64,
    extra: f64,
    skipped: f64,
    blended: T,
    /// `blended` and the visual offset: what was drawn.
    view: T,
    epoch: u32,
    state: SnapshotState,
    made: Made,
    on_truth: bool,
    /// Whether `view` has other bits than in the frame before.
    moved: bool,
    /// The peer's frame that it was drawn for, and what else was returned.
    number: u64,
    at: f64,
    before: T,
    cut: bool,
}

impl<T: Clone> Last<T> {
    fn drawn(&self) -> Drawn<T> {
        Drawn { now: self.view.clone(), before: self.before.clone(), cut: self.cut }
    }
}

/// What follows from the rest and is only kept to save time: two buffers are the same with and without it.
#[derive(Clone, Debug)]
struct Remembered<W>(Option<W>);

impl<W> Default for Remembered<W> {
    fn default() -> Self {
        Remembered(None)
    }
}

impl<W> PartialEq for Remembered<W> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The snapshots of one entity, drawn a little in the past.
///
/// They all come from one [`Peer`](super::Peer), and are drawn with its frames; when another takes over, call
/// [`Snapshots::hand_over`].
///
/// `N` snapshots are held at most. Sixteen are enough for 60 messages a second and a quarter of a second of delay;
/// `Snapshots::<_, 32>::default()` has room for more.
///
/// ```
/// use portamento::remote::{Report, Peer, Snapshots};
///
/// let mut server = Peer::at_hz(20.0)?; // it sends 20 times a second: that is all there is to say
/// let mut player = Snapshots::new();
///
/// for frame in 0..600 {
///     let now = frame as f64 / 60.0;
///     if frame % 3 == 0 {
///         // A message came in, with the sender's time in it.
///         let sent = 500.0 + now - 0.030;
///         let stamp = server.receive(sent, now);
///         player.insert(stamp, Report::new([sent as f32, 0.0, 0.0]));
///     }
///     if let Some(frame) = server.frame(now) {
///         let drawn = player.draw(&frame).here().expect("it has appeared");
///         // Before the second message nobody knows how fast it moves; from then on it is where it was.
///         assert!(now < 1.0 || (drawn.now[0] - frame.shown as f32).abs() < 0.02);
///     }
/// }
/// # Ok::<(), portamento::SettingError>(())
/// ```
///
/// In two dimensions it is a [`Pose2`](crate::blend::Pose2). What spins by more than half a turn from one message to
/// the next is drawn right if its reports have velocities:
///
/// ```
/// use portamento::blend::{Hermite, Pose2, Turn, Velocity2};
/// use portamento::remote::{Report, Peer, Snapshots};
///
/// let mut server = Peer::at_hz(10.0)?;
/// let mut saw_blade = Snapshots::<Pose2>::new();
/// let velocity = Velocity2 { linear: [3.0, 0.0], angular: 40.0 }; // 4 radians between two messages
///
/// for frame in 0..240 {
///     let now = f64::from(frame) / 60.0;
///     if frame % 6 == 0 {
///         let blade = Pose2::new([3.0 * now as f32, 1.0], Turn::from_angle(40.0 * now as f32));
///         let stamp = server.receive(now, now + 0.03);
///         saw_blade.insert(stamp, Report::new(blade).with_velocity(velocity));
///     }
///     if let Some(frame) = server.frame(now + 0.03) {
///         let Pose2 { position, turn } = saw_blade.draw(&frame).here().expect("it has appeared").now;
///         let turned = Turn::from_angle(40.0 * frame.shown as f32);
///         let off = Turn::velocity(&turned, &turn, 1.0); // in one second from one to the other: the angle between
///         assert!(now < 1.0 || ((position[0] - 3.0 * frame.shown as f32).abs() < 1e-3 && off.abs() < 1e-3));
///     }
/// }
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: serde::Serialize, T::Velocity: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de>, T::Velocity: serde::Deserialize<'de>"
    ))
)]
pub struct Snapshots<T: Displace, const N: usize = 16> {
    store: Option<Store<T, N>>,
    /// The sender's life that the snapshots are of.
    life: u32,
    /// Another sender is to speak of the entity, and has not done so yet.
    handed_over: bool,
    /// The sender said that the entity vanished, and nothing else of it.
    #[cfg_attr(feature = "serde", serde(default))]
    ended: bool,
    /// How long the sender has been in another life and has not spoken of the entity, seconds.
    silence: f64,
    /// Something was put in since the last frame.
    changed: bool,
    /// The world's origin moved since the last frame.
    rebased: bool,
    last: Option<Last<T>>,
    /// What the last frame was drawn on, if it was a blend: the next one mostly is too.
    #[cfg_attr(feature = "serde", serde(skip))]
    way: Remembered<Way<T>>,
    /// How much the motion turns at the newest snapshot, once it was asked for.
    #[cfg_attr(feature = "serde", serde(skip))]
    bends: Remembered<f64>,
    offset: VisualOffset<T>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::pace"))]
    pace: Pace,
    own: OwnInterval,
    /// The counters; the rest is added when it is asked for.
    statistics: SnapshotStatistics,
}

impl<T: Displace, const N: usize> Default for Snapshots<T, N> {
    fn default() -> Self {
        Snapshots {
            store: None,
            life: 0,
            handed_over: false,
            ended: false,
            silence: 0.0,
            changed: false,
            rebased: false,
            last: None,
            way: Remembered::default(),
            bends: Remembered::default(),
            offset: VisualOffset::default(),
            pace: Pace::default(),
            own: OwnInterval::default(),
            statistics: SnapshotStatistics::default(),
        }
    }
}

impl<T: Displace> Snapshots<T> {
    /// Creates an empty buffer for sixteen snapshots.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T: Displace, const N: usize> Snapshots<T, N> {
    /// Adds what the message with this stamp reports of the entity. Messages may come in any order.
    pub fn insert(&mut self, stamp: MessageStamp, report: Report<T>) -> Inserted {
        if !report.is_finite() {
            self.statistics.unusable = self.statistics.unusable.saturating_add(1);
            return Inserted::Unusable;
        }
        self.put(stamp, Some(report))
    }

    /// Removes the entity from the moment of this message on. Snapshots from before it are still played; one from after
    /// it makes the entity appear again, which is a cut. Give that one another epoch: then it is a cut even if this
    /// message was lost.
    ///
    /// Over a transport that loses messages, let the server repeat for a second that an entity left. A client that drops
    /// what is [`Seen::Gone`] and then gets an older message, which was overtaken on its way, shows the entity again until
    /// the next such report. Or choose [`PeerSettings::forget`](super::PeerSettings::forget), for a server that just stops
    /// mentioning an entity.
    pub fn vanish(&mut self, stamp: MessageStamp) -> Inserted {
        self.put(stamp, None)
    }

    fn put(&mut self, stamp: MessageStamp, report: Option<Report<T>>) -> Inserted {
        if !stamp.usable {
            self.statistics.unusable = self.statistics.unusable.saturating_add(1);
            return Inserted::Unusable;
        }
        let gone = report.is_none();
        let store = self.store.as_ref();
        // An entity that vanishes keeps the value it had; one that was never seen has none.
        let Some(report) = report.or_else(|| store.map(|store| store.newest().report.clone())) else {
            self.ended = true;
            return Inserted::In;
        };
        let node = Node { sent: stamp.sent, report, gone, jumped: false };
        if self.handed_over {
            self.handed_over = false;
            self.life = stamp.life;
            self.store = None;
            self.own = OwnInterval::default();
            if let Some(last) = &mut self.last {
                // Its moment belongs to the previous life's clock.
                last.life = stamp.life.wrapping_sub(1);
            }
        } else if stamp.life != self.life {
            if store.is_some() && is_before(stamp.life, self.life) {
                self.statistics.late = self.statistics.late.saturating_add(1);
                return Inserted::TooLate;
            }
            self.life = stamp.life;
            self.store = None;
        }
        self.silence = 0.0;
        self.bends = Remembered::default();
        let Some(store) = &mut self.store else {
            self.own.take(&stamp, node.sent, false);
            self.store = Some(Store::new(node));
            self.changed = true;
            return Inserted::In;
        };
        let drawn = self.last.as_ref().filter(|last| last.life == self.life).map(|last| last.shown);
        let drawn_from =
            self.last.as_ref().filter(|last| last.life == self.life).map(|last| last.made.since());
        if let Some(drawn) = drawn
            && (store.at_or_before(drawn).is_some_and(|i| node.sent < store.get(i).sent)
                || drawn_from.is_some_and(|from| node.sent < from))
        {
            self.statistics.late = self.statistics.late.saturating_add(1);
            return Inserted::TooLate;
        }
        let before = store.newest();
        let span = node.sent - before.sent;
        if span > 0.0 {
            self.own.take(&stamp, before.sent, !before.report.rests && !before.gone);
        }
        let step = (span > 0.0 && before.report.epoch == node.report.epoch && !gone && !before.gone)
            .then(|| T::size(&T::velocity(&before.report.value, &node.report.value, 1.0)));
        // Two ticks that were flushed at once, stamped by a wall clock: the later one is where it is.
        if step.is_some() && span < CROWDED * stamp.spacing && drawn.is_none_or(|drawn| drawn < before.sent) {
            store.replace_newest(node);
            self.statistics.crowded = self.statistics.crowded.saturating_add(1);
            self.changed = true;
            self.way = Remembered::default();
            return Inserted::In;
        }
        let sent = node.sent;
        let unseen = !passed(store, drawn);
        match store.put(node, unseen && drawn.is_some()) {
            Put::Duplicate => {
                self.statistics.duplicates = self.statistics.duplicates.saturating_add(1);
                return Inserted::Duplicate;
            }
            Put::TooOld => {
                self.statistics.late = self.statistics.late.saturating_add(1);
                return Inserted::TooLate;
            }
            Put::Evicting if unseen => {
                self.statistics.evicted = self.statistics.evicted.saturating_add(1);
            }
            Put::Evicting | Put::In => {}
        }
        self.changed = true;
        let pace = self.pace;
        store.judge(sent, |older, newer| is_jump(&pace, older, newer, &stamp));
        if let Some(step) = step
            && span >= CROWDED * stamp.spacing
            && span < RESTED * (self.own.extra + stamp.spacing.max(stamp.interval))
        {
            self.pace.learn(step.map(|step| step / span));
        }
        Inserted::In
    }

    /// Returns what to draw in this frame. Called again for the same frame, it returns the same.
    pub fn draw(&mut self, frame: &PeerFrame) -> Seen<T> {
        let Some(store) = &self.store else { return if self.ended { Seen::Gone } else { Seen::NotYet } };
        if let Some(last) = &self.last
            && last.number == frame.number
            && last.at == frame.shown
        {
            return Seen::Here(last.drawn());
        }
        if frame.life != self.life || self.handed_over {
            return self.hold(frame);
        }
        let extra = self.own.extra;
        let mut moment = frame.shown - extra;
        // A longer delay leads back, but not to the other side of a cut: what was seen of it is over.
        let began = match &self.last {
            Some(last) if last.life == frame.life && moment < last.shown => {
                store.beginning(last.made.since().max(last.shown))
            }
            _ => f64::NEG_INFINITY,
        };
        moment = moment.max(began);
        if let (Some(last), Some(way)) = (&mut self.last, &self.way.0)
            && !self.changed
            && last.skipped == frame.skipped
            && last.state == SnapshotState::Blending
            && way.covers(moment)
        {
            // The usual frame: on along the same way, and nothing has moved it.
            let fraction = way.fraction(moment);
            let stays = way.stays(last.made.fraction) && way.stays(fraction);
            if !self.offset.is_gone() {
                self.offset.pass(&frame.passing, &self.pace.fading(&frame.settings));
            }
            let (was_on_truth, on_truth) = (last.on_truth, self.offset.is_gone());
            let mut moved = core::mem::take(&mut self.rebased) || !on_truth || !was_on_truth;
            if !stays {
                let value = way.value(fraction);
                moved = moved || last.blended != value;
                last.blended = value;
            }
            last.before = core::mem::replace(&mut last.view, self.offset.drawn(&last.blended));
            (last.life, last.shown, last.extra) = (frame.life, moment, extra);
            (last.number, last.at, last.cut) = (frame.number, frame.shown, false);
            (last.made.fraction, last.on_truth, last.moved) = (fraction, on_truth, moved);
            return Seen::Here(last.drawn());
        }
        let mut parted = false;
        let now = match (&self.last, &self.way.0) {
            (Some(last), Some(way)) if !self.changed && way.covers(moment) => {
                let fraction = way.fraction(moment);
                let made = Made { fraction, ..last.made };
                Look { value: way.value(fraction), epoch: last.epoch, state: SnapshotState::Blending, made }
            }
            _ => {
                if self.last.is_none() && moment < store.get(0).sent {
                    return Seen::NotYet; // it appears at its own moment
                }
                if is_unheard(store.newest(), extra, frame) {
                    return self.unheard();
                }
                if self.bends.0.is_none() && moment > store.newest().sent {
                    self.bends = Remembered(Some(store.bends()));
                }
                let Some((now, way)) = look(store, moment, extra, self.bends.0, frame) else {
                    return self.absent();
                };
                self.way = Remembered(way);
                // Two cuts in one frame may end with the number that was drawn before them.
                if let Some(last) = &self.last
                    && last.life == frame.life
                    && last.made.since() != now.made.since()
                {
                    parted = store.parts(last.made.since(), moment.max(now.made.since()));
                }
                now
            }
        };
        let declared = self.last.as_ref().is_none_or(|last| last.epoch != now.epoch);
        let mut cut = parted || declared;
        if cut {
            self.offset.clear();
        } else if let Some(last) = &self.last {
            if !self.offset.is_gone() {
                self.offset.pass(&frame.passing, &self.pace.fading(&frame.settings));
            }
            // Did the curve move under the picture? New snapshots bend it, a skip of the playhead leads elsewhere on
            // it, and an extrapolation ends when the sender speaks.
            let skipped = frame.skipped - last.skipped;
            let shifted = self.changed || skipped != 0.0 || last.state == SnapshotState::Extrapolating;
            // A moment of another life's clock means nothing on this one.
            let since = if last.life == frame.life {
                (last.shown + skipped - (extra - last.extra)).max(began)
            } else {
                moment
            };
            if shifted && let Some(there) = self.there(since, frame) {
                let absorbed = self.offset.absorb(&last.blended, &there, OffsetSize::both(f64::INFINITY));
                if absorbed == Absorbed::Snapped
                    || self.offset.size().length > self.pace.glides(&frame.settings)
                {
                    self.offset.clear();
                    cut = true;
                    parted = true;
                }
            }
        }
        self.statistics.snaps = self.statistics.snaps.saturating_add(u32::from(parted && !declared));
        let on_truth = self.offset.is_gone();
        let moved = cut
            || core::mem::take(&mut self.rebased)
            || !on_truth
            || self.last.as_ref().is_none_or(|last| !last.on_truth || last.blended != now.value);
        self.changed = false;
        let view = self.offset.drawn(&now.value);
        let before = self.last.take().map_or_else(|| view.clone(), |last| last.view);
        let last = self.last.insert(Last {
            life: frame.life,
            shown: moment,
            extra,
            skipped: frame.skipped,
            blended: now.value,
            view,
            epoch: now.epoch,
            state: now.state,
            made: now.made,
            on_truth,
            moved,
            number: frame.number,
            at: frame.shown,
            before,
            cut,
        });
        Seen::Here(last.drawn())
    }

    /// The sender is in another life than the snapshots, and the frame's moment belongs to the new life's clock. Until
    /// the sender reports the entity again, the picture stays where it is.
    fn hold(&mut self, frame: &PeerFrame) -> Seen<T> {
        self.way = Remembered::default();
        let newest = self.store.as_ref().map(Store::newest).filter(|newest| !newest.gone);
        let Some(newest) = newest else { return self.absent() };
        self.silence += frame.elapsed;
        if self.silence > frame.settings.forget {
            return self.unheard();
        }
        let cut = self.last.is_none();
        let last = self.last.get_or_insert_with(|| Last {
            life: self.life,
            shown: newest.sent,
            extra: 0.0,
            skipped: frame.skipped,
            blended: newest.report.value.clone(),
            view: newest.report.value.clone(),
            epoch: newest.report.epoch,
            state: SnapshotState::Holding,
            made: Made::held(newest.sent, frame.rate),
            on_truth: true,
            moved: true,
            number: frame.number,
            at: frame.shown,
            before: newest.report.value.clone(),
            cut,
        });
        self.offset.pass(&frame.passing, &self.pace.fading(&frame.settings));
        last.moved = cut || core::mem::take(&mut self.rebased) || !last.on_truth;
        last.on_truth = self.offset.is_gone();
        last.state = SnapshotState::Holding;
        last.before = core::mem::replace(&mut last.view, self.offset.drawn(&last.blended));
        (last.number, last.at, last.cut) = (frame.number, frame.shown, cut);
        Seen::Here(last.drawn())
    }

    /// Nothing is drawn: the peer speaks, but not of this entity.
    fn unheard(&mut self) -> Seen<T> {
        self.statistics.unheard = self.statistics.unheard.saturating_add(1);
        if let Some(store) = &mut self.store {
            // As if it had been said: what comes later has nothing to do with what was.
            let node = Node { gone: true, ..store.newest().clone() };
            store.replace_newest(node);
        }
        self.absent()
    }

    /// Nothing is drawn: the entity vanished, for good if nothing newer is known of it.
    fn absent(&mut self) -> Seen<T> {
        self.offset.clear();
        self.last = None;
        if self.store.as_ref().is_some_and(|store| store.newest().gone) { Seen::Gone } else { Seen::NotYet }
    }

    /// What the snapshots say of a moment other than the one that is drawn.
    fn there(&self, moment: f64, frame: &PeerFrame) -> Option<T> {
        match &self.way.0 {
            Some(way) if way.covers(moment) => Some(way.value(way.fraction(moment))),
            _ => look(self.store.as_ref()?, moment, self.own.extra, self.bends.0, frame)
                .map(|(look, _)| look.value),
        }
    }

    /// Hands the entity over to another [`Peer`](super::Peer). Call it before the first message of that peer is
    /// entered.
    ///
    /// Each peer has its own clock, and a stamp or frame does not name its peer. So after this call enter no message of
    /// the old peer, and draw with frames of the new one. Until the new peer reports the entity, the picture stays
    /// where it is. Then it glides to the reported place; it is cut there if that is far, or the epoch is another.
    ///
    /// ```
    /// use portamento::remote::{Report, Peer, Snapshots, Inserted};
    ///
    /// let (mut west, mut east) = (Peer::at_hz(20.0)?, Peer::at_hz(20.0)?);
    /// let mut walker = Snapshots::new();
    /// let mut walks_in_the_east = false;
    /// let mut drawn = 0.0;
    /// for frame in 0..240 {
    ///     let now = f64::from(frame) / 60.0;
    ///     if frame % 3 == 0 {
    ///         // It walks along x, and over the border at 2. The servers' clocks have nothing in common.
    ///         let stamps = [west.receive(7000.0 + now, now), east.receive(12.0 + now, now)];
    ///         if now > 2.0 && !walks_in_the_east {
    ///             walks_in_the_east = true;
    ///             walker.hand_over();
    ///         }
    ///         let taken = walker.insert(stamps[usize::from(walks_in_the_east)], Report::new(now));
    ///         assert_eq!(taken, Inserted::In);
    ///     }
    ///     let frames = [west.frame(now), east.frame(now)];
    ///     let Some(frame) = frames[usize::from(walks_in_the_east)] else { continue };
    ///     let Some(walker) = walker.draw(&frame).here() else { continue };
    ///     assert!((0.0..0.05).contains(&(walker.now - drawn)), "no jump: {drawn} {}", walker.now);
    ///     drawn = walker.now;
    /// }
    /// assert!(drawn > 3.8);
    /// # Ok::<(), portamento::SettingError>(())
    /// ```
    pub fn hand_over(&mut self) {
        self.handed_over = true;
    }

    /// Returns what the last frame drew, in twelve bytes for the server: see [`Claim`]. `None` when nothing is drawn,
    /// or what is drawn belongs to a life of the peer that is over.
    #[must_use]
    pub fn claim(&self, frame: &PeerFrame) -> Option<Claim> {
        let last = self.last.as_ref().filter(|last| last.life == frame.life && !self.handed_over)?;
        let offset = (!last.on_truth).then(|| self.offset.size().length);
        Some(Claim::new(&last.made, last.shown, offset, check_of(&last.blended, last.epoch)))
    }

    /// Moves the world's origin: applies `shift` to everything remembered, so that nothing moves on the screen; the
    /// next frame counts as moved. Snapshots that come from now on are relative to the new origin. `shift` must not
    /// rotate: velocities and the offset stay unchanged.
    pub fn rebase(&mut self, shift: impl Fn(&mut T)) {
        if let Some(store) = &mut self.store {
            store.values_mut().for_each(&shift);
        }
        if let Some(last) = &mut self.last {
            shift(&mut last.blended);
            shift(&mut last.view);
            shift(&mut last.before);
        }
        self.way = Remembered::default();
        self.bends = Remembered::default();
        self.rebased = true;
    }

    /// Returns where the snapshots had the entity in the last frame, without the visual offset; `None` if nothing was
    /// drawn.
    #[must_use]
    pub fn blended(&self) -> Option<&T> {
        self.last.as_ref().map(|last| &last.blended)
    }

    /// Returns how the entity was drawn in the last frame, and what was counted.
    #[must_use]
    pub fn statistics(&self) -> SnapshotStatistics {
        SnapshotStatistics {
            state: self.last.as_ref().map(|last| last.state),
            moved: self.last.as_ref().is_some_and(|last| last.moved),
            extra_delay: self.own.extra,
            offset: self.offset.size(),
            ..self.statistics
        }
    }
}

/// Stamps closer than this share of the time from message to message are one.
const CROWDED: f64 = 0.25;

/// Whether one life ended before another; their numbers may wrap.
fn is_before(life: u32, other: u32) -> bool {
    other.wrapping_sub(life) < 1 << 31
}

/// Whether the picture needs nothing from before the second oldest snapshot any more, so that the oldest of a full
/// store may go.
fn passed<T: Displace, const N: usize>(store: &Store<T, N>, drawn: Option<f64>) -> bool {
    match drawn {
        Some(shown) => shown >= store.get(1).sent,
        // Not on the screen: what was before it vanished has been seen.
        None => store.iter().any(|node| node.gone),
    }
}

struct Look<T> {
    value: T,
    epoch: u32,
    state: SnapshotState,
    made: Made,
}

/// So many of its own intervals without a word of it, and it is taken to rest where it was.
const SELDOM: f64 = 2.5;

/// What the snapshots say of a moment, and the way that it lies on; `None` where the entity is gone.
fn look<T: Displace, const N: usize>(
    store: &Store<T, N>,
    moment: f64,
    extra: f64,
    bends: Option<f64>,
    frame: &PeerFrame,
) -> Option<(Look<T>, Option<Way<T>>)> {
    let interval = frame.settings.interval();
    let mut at = store.at_or_before(moment);
    let mut early = false;
    // Before a cut the old side stands for one send interval, however many messages are missing there.
    if let Some(old) = at
        && let Some(next) = store.next(old)
        && !next.gone
        && !store.get(old).gone
        && moment > store.get(old).sent + interval
        && !next.joins(store.get(old))
    {
        (at, early) = (Some(old + 1), true);
    }
    let node = store.get(at.unwrap_or(0));
    if node.gone {
        return None;
    }
    let epoch = node.report.epoch;
    let held = || {
        let value = node.report.value.clone();
        (Look { value, epoch, state: SnapshotState::Holding, made: Made::held(node.sent, frame.rate) }, None)
    };
    let Some(at) = at.filter(|_| !early) else { return Some(held()) };
    if let Some(piece) = store.piece(at) {
        let way = piece.way(interval);
        let fraction = way.fraction(moment);
        let made = Made::blended(&piece, fraction, frame.rate);
        return Some((
            Look { value: way.value(fraction), epoch, state: SnapshotState::Blending, made },
            Some(way),
        ));
    }
    // Past the newest: onward only while everything from this peer is silent, or what rests would drift. What is seldom
    // in a message is given more time.
    let silent = frame.extrapolates && node.sent >= frame.newest;
    let seldom = extra > 0.0 && frame.newest - node.sent < SELDOM * (extra + frame.spacing);
    if !store.is_newest(at) || !(silent || seldom) || !(moment > node.sent) || node.report.rests {
        return Some(held());
    }
    let before = store.before(at);
    if before.is_none() && node.report.velocity.is_none() {
        // The first of its life, or after a cut, has no motion yet to go on with.
        return Some(held());
    }
    let mut seconds = moment - node.sent;
    if !silent {
        // The playhead slows down past the peer's newest message, not past this entity's.
        let limit = frame.settings.playhead.extrapolate;
        seconds = if limit > 0.0 { fading_out(0.0, seconds, limit) } else { 0.0 };
    }
    // What turns does not go on as it went.
    seconds /= 1.0 + bends.unwrap_or_else(|| store.bends()) * seconds;
    let fraction = (seconds.min(1.0) * 65535.0 + 0.5) as u16;
    let value = beyond(before, node, fraction, interval);
    let made = Made::beyond(before.map(|n| n.sent), node.sent, fraction, frame.rate);
    Some((Look { value, epoch, state: SnapshotState::Extrapolating, made }, None))
}
