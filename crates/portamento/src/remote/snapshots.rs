//! Where is a remote thing drawn?
//!
//! ```text
//!                     moment                 sender's clock ─►
//!   ●───────●───────────┼───●───────●╌╌╌╌╌╌
//!        before   from  ▲   to    after          the last N snapshots
//!                       └── blended, and on top of it the visual offset:
//!                           whatever moved the curve under the picture since the frame before
//! ```

use super::claim::{Claim, Made};
use super::sender::{Frame, Stamp};
use super::settings::Pace;
use super::store::{Node, Put, Report, Store, Way, beyond};
use super::{Absorbed, Displace, Size, VisualOffset};

/// What became of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Taken {
    /// It is in the buffer.
    In,
    /// One with this time is there already.
    Duplicate,
    /// Its time has passed on the screen, or the sender's life that it is of.
    TooLate,
    /// Its time or one of its numbers is NaN or infinite.
    Unusable,
}

/// What a frame shows of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum State {
    /// Between two snapshots.
    Blending,
    /// Past the newest one, onward as it moved.
    Extrapolating,
    /// On one.
    Holding,
}

/// A thing as drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn<T> {
    /// Where the picture stands: `blended` and the visual offset.
    pub view: T,
    /// Where the snapshots say it is.
    pub blended: T,
    /// What it was drawn from.
    pub state: State,
    /// A jump lies between this frame and the one before: a cut, the first appearance, or an offset beyond its limit.
    /// Motion vectors must not span it.
    pub cut: bool,
    /// Whether the view has other bits than in the frame before.
    pub moved: bool,
}

/// What went other than planned with one thing. The counters stop at their ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    /// Snapshots that were there already.
    pub duplicates: u32,
    /// Snapshots whose time had passed on the screen, or whose life of the sender was over.
    pub late: u32,
    /// Snapshots with a NaN or infinite number.
    pub unusable: u32,
    /// Snapshots that went for want of room before the picture had passed them: `N` is too small for the delay, or
    /// no frame was drawn for long.
    pub evicted: u32,
    /// Jumps beyond the offset's limit, seen as such.
    pub snaps: u32,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Last<T> {
    /// Whose clock `shown` and `made` are of.
    life: u32,
    shown: f64,
    skipped: f64,
    blended: T,
    epoch: u32,
    state: State,
    made: Made,
    on_truth: bool,
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

/// The snapshots of one thing, drawn a little in the past.
///
/// They all come from one [`Sender`](super::Sender), and are drawn with its frames; when another takes over, say so
/// ([`Snapshots::hand_over`]).
///
/// `N` snapshots are held at most. Sixteen are enough for 60 messages a second and a quarter of a second of delay;
/// `Snapshots::<_, 32>::default()` has room for more.
///
/// ```
/// use portamento::remote::{Report, Sender, Snapshots};
///
/// let mut server = Sender::at_hz(20.0)?; // it sends 20 times a second: that is all there is to say
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
///         let drawn = player.draw(&frame).expect("it has appeared");
///         // Before the second message nobody knows how fast it moves; from then on it is where it was.
///         assert!(now < 1.0 || (drawn.view[0] - frame.shown as f32).abs() < 0.02);
///     }
/// }
/// # Ok::<(), portamento::playhead::SettingsError>(())
/// ```
///
/// In two dimensions it is a [`Pose2`](crate::blend::Pose2). What spins by more than half a turn from one message to the
/// next is drawn right if its reports say how fast:
///
/// ```
/// use portamento::blend::{Hermite, Pose2, Turn, Velocity2};
/// use portamento::remote::{Report, Sender, Snapshots};
///
/// let mut server = Sender::at_hz(10.0)?;
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
///         let Pose2 { position, turn } = saw_blade.draw(&frame).expect("it has appeared").view;
///         let turned = Turn::from_angle(40.0 * frame.shown as f32);
///         let off = Turn::velocity(&turned, &turn, 1.0); // in one second from one to the other: the angle between
///         assert!(now < 1.0 || ((position[0] - 3.0 * frame.shown as f32).abs() < 1e-3 && off.abs() < 1e-3));
///     }
/// }
/// # Ok::<(), portamento::playhead::SettingsError>(())
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
    /// Another sender is to speak of the thing, and has not done so yet.
    handed_over: bool,
    /// Something was put in since the last frame.
    changed: bool,
    /// The world's origin moved since the last frame.
    rebased: bool,
    last: Option<Last<T>>,
    /// What the last frame was drawn on, if it was a blend: the next one mostly is too.
    #[cfg_attr(feature = "serde", serde(skip))]
    way: Remembered<Way<T>>,
    offset: VisualOffset<T>,
    pace: Pace,
    counts: Counts,
}

impl<T: Displace, const N: usize> Default for Snapshots<T, N> {
    fn default() -> Self {
        Snapshots {
            store: None,
            life: 0,
            handed_over: false,
            changed: false,
            rebased: false,
            last: None,
            way: Remembered::default(),
            offset: VisualOffset::default(),
            pace: Pace::default(),
            counts: Counts::default(),
        }
    }
}

impl<T: Displace> Snapshots<T> {
    /// Nothing known yet, and room for sixteen.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T: Displace, const N: usize> Snapshots<T, N> {
    /// The message with this stamp says so of the thing. Any order will do.
    pub fn insert(&mut self, stamp: Stamp, report: Report<T>) -> Taken {
        if !report.is_finite() {
            self.counts.unusable = self.counts.unusable.saturating_add(1);
            return Taken::Unusable;
        }
        self.put(stamp, Some(report))
    }

    /// The thing is not there from the moment of this message on. Snapshots from before it are still played; one
    /// from after it makes the thing appear again, which is a cut. (With another epoch then, it is one also where this
    /// message was lost.)
    pub fn vanish(&mut self, stamp: Stamp) -> Taken {
        self.put(stamp, None)
    }

    fn put(&mut self, stamp: Stamp, report: Option<Report<T>>) -> Taken {
        if !stamp.usable {
            self.counts.unusable = self.counts.unusable.saturating_add(1);
            return Taken::Unusable;
        }
        let gone = report.is_none();
        let store = self.store.as_ref();
        // A thing that vanishes keeps the value it had; of one that was never seen there is nothing to say.
        let Some(report) = report.or_else(|| store.map(|store| store.newest().report.clone())) else {
            return Taken::In;
        };
        let node = Node { sent: stamp.sent, report, gone };
        if self.handed_over {
            self.handed_over = false;
            self.life = stamp.life;
            self.store = None;
            if let Some(last) = &mut self.last {
                // Its moment is none of this life's clock.
                last.life = stamp.life.wrapping_sub(1);
            }
        } else if stamp.life != self.life {
            if store.is_some() && is_before(stamp.life, self.life) {
                self.counts.late = self.counts.late.saturating_add(1);
                return Taken::TooLate;
            }
            self.life = stamp.life;
            self.store = None;
        }
        let Some(store) = &mut self.store else {
            self.store = Some(Store::new(node));
            self.changed = true;
            return Taken::In;
        };
        let drawn = self.last.as_ref().filter(|last| last.life == self.life).map(|last| last.shown);
        if let Some(drawn) = drawn
            && store.at_or_before(drawn).is_some_and(|i| node.sent < store.get(i).sent)
        {
            self.counts.late = self.counts.late.saturating_add(1);
            return Taken::TooLate;
        }
        let before = store.newest().clone();
        match store.put(node) {
            Put::Duplicate => {
                self.counts.duplicates = self.counts.duplicates.saturating_add(1);
                return Taken::Duplicate;
            }
            Put::TooOld => {
                self.counts.late = self.counts.late.saturating_add(1);
                return Taken::TooLate;
            }
            Put::Evicting if !passed(store, drawn) => {
                self.counts.evicted = self.counts.evicted.saturating_add(1);
            }
            Put::Evicting | Put::In => {}
        }
        self.changed = true;
        let newest = store.newest();
        if newest.sent > before.sent && newest.joins(&before) {
            let span = newest.sent - before.sent;
            self.pace.learn(T::size(&T::velocity(&before.report.value, &newest.report.value, span)));
        }
        Taken::In
    }

    /// What to draw in this frame; `None` before it appears and after it vanished.
    pub fn draw(&mut self, frame: &Frame) -> Option<Drawn<T>> {
        let store = self.store.as_ref()?;
        if frame.life != self.life || self.handed_over {
            return self.hold(frame);
        }
        let mut parted = false;
        let now = match (&self.last, &self.way.0) {
            (Some(last), Some(way)) if !self.changed && way.covers(frame.shown) => {
                let fraction = way.fraction(frame.shown);
                let made = Made { fraction, ..last.made };
                Look { value: way.value(fraction), epoch: last.epoch, state: State::Blending, made }
            }
            _ => {
                let Some((now, way)) = look(store, frame.shown, frame) else {
                    self.offset.clear();
                    self.last = None;
                    return None;
                };
                self.way = Remembered(way);
                // Two cuts in one frame may end with the number that was drawn before them.
                if let Some(last) = &self.last
                    && last.life == frame.life
                    && last.made.since() != now.made.since()
                {
                    parted = store.parts(last.made.since(), frame.shown);
                }
                now
            }
        };
        let mut cut = parted || self.last.as_ref().is_none_or(|last| last.epoch != now.epoch);
        if cut {
            self.offset.clear();
        } else if let Some(last) = &self.last {
            if !self.offset.is_gone() {
                self.offset.pass(&frame.passing, &self.pace.fading(&frame.settings));
            }
            // Did the curve move under the picture? New snapshots bend it, a skip of the playhead leads elsewhere on
            // it, and an extrapolation ends when the sender speaks.
            let skipped = frame.skipped - last.skipped;
            let shifted = self.changed || skipped != 0.0 || last.state == State::Extrapolating;
            // A moment of another life's clock means nothing on this one.
            let (since, moment) = if last.life == frame.life {
                (last.shown, last.shown + skipped)
            } else {
                (frame.shown, frame.shown)
            };
            if shifted && let Some(there) = self.there(moment, frame) {
                let limit = self.pace.limit(&frame.settings, store.longest_gap(since));
                if self.offset.absorb(&last.blended, &there, limit) != Absorbed::Kept {
                    self.counts.snaps = self.counts.snaps.saturating_add(1);
                    cut = true;
                }
            }
        }
        let on_truth = self.offset.is_gone();
        let moved = cut
            || core::mem::take(&mut self.rebased)
            || !on_truth
            || self.last.as_ref().is_none_or(|last| !last.on_truth || last.blended != now.value);
        self.changed = false;
        let view = self.offset.drawn(&now.value);
        self.last = Some(Last {
            life: frame.life,
            shown: frame.shown,
            skipped: frame.skipped,
            blended: now.value.clone(),
            epoch: now.epoch,
            state: now.state,
            made: now.made,
            on_truth,
        });
        Some(Drawn { view, blended: now.value, state: now.state, cut, moved })
    }

    /// The sender is in another life than the snapshots: until it speaks of the thing, the picture stays where it is,
    /// for its moment is none of their clock.
    fn hold(&mut self, frame: &Frame) -> Option<Drawn<T>> {
        self.way = Remembered::default();
        let newest = self.store.as_ref().map(Store::newest).filter(|newest| !newest.gone);
        let Some(newest) = newest else {
            self.offset.clear();
            self.last = None;
            return None;
        };
        let cut = self.last.is_none();
        let last = self.last.get_or_insert_with(|| Last {
            life: self.life,
            shown: newest.sent,
            skipped: frame.skipped,
            blended: newest.report.value.clone(),
            epoch: newest.report.epoch,
            state: State::Holding,
            made: Made::held(newest.sent),
            on_truth: true,
        });
        self.offset.pass(&frame.passing, &self.pace.fading(&frame.settings));
        let moved = cut || !last.on_truth;
        last.on_truth = self.offset.is_gone();
        let view = self.offset.drawn(&last.blended);
        Some(Drawn { view, blended: last.blended.clone(), state: State::Holding, cut, moved })
    }

    /// What the snapshots say of a moment other than the one that is drawn.
    fn there(&self, moment: f64, frame: &Frame) -> Option<T> {
        match &self.way.0 {
            Some(way) if way.covers(moment) => Some(way.value(way.fraction(moment))),
            _ => look(self.store.as_ref()?, moment, frame).map(|(look, _)| look.value),
        }
    }

    /// Another [`Sender`](super::Sender) speaks of the thing from now on: call it before its first message is entered.
    ///
    /// Senders have clocks and lives of their own, which stamps and frames of two senders do not tell apart. So after
    /// it enter no message of the old one, and draw with frames of the new one. Until that has spoken of the thing, the
    /// picture stays where it is; then it glides to where the new one has it, or is cut there if that is far, or the
    /// epoch is another.
    ///
    /// ```
    /// use portamento::remote::{Report, Sender, Snapshots, Taken};
    ///
    /// let (mut west, mut east) = (Sender::at_hz(20.0)?, Sender::at_hz(20.0)?);
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
    ///         assert_eq!(taken, Taken::In);
    ///     }
    ///     let frames = [west.frame(now), east.frame(now)];
    ///     let Some(frame) = frames[usize::from(walks_in_the_east)] else { continue };
    ///     let Some(walker) = walker.draw(&frame) else { continue };
    ///     assert!((0.0..0.05).contains(&(walker.view - drawn)), "no jump: {drawn} {}", walker.view);
    ///     drawn = walker.view;
    /// }
    /// assert!(drawn > 3.8);
    /// # Ok::<(), portamento::playhead::SettingsError>(())
    /// ```
    pub fn hand_over(&mut self) {
        self.handed_over = true;
    }

    /// What the last frame drew, in eight bytes for the server: see [`History`](super::History). `None` when
    /// nothing is drawn, or it was made of snapshots too far apart to be named, or of a life of the sender that is
    /// over.
    #[must_use]
    pub fn claim(&self, frame: &Frame) -> Option<Claim> {
        let last = self.last.as_ref().filter(|last| last.life == frame.life && !self.handed_over)?;
        Claim::new(&last.made, !last.on_truth, frame.settings.interval())
    }

    /// The world's origin moves: the same shift of everything remembered, so that nothing is seen, and the next frame
    /// counts as moved. Snapshots that come from now on are of the new world. A shift, no turn: velocities and the
    /// offset stay as they are.
    pub fn rebase(&mut self, shift: impl Fn(&mut T)) {
        if let Some(store) = &mut self.store {
            store.values_mut().for_each(&shift);
        }
        if let Some(last) = &mut self.last {
            shift(&mut last.blended);
        }
        self.way = Remembered::default();
        self.rebased = true;
    }

    /// How far the picture stands from what the snapshots say.
    #[must_use]
    pub fn offset(&self) -> Size {
        self.offset.size()
    }

    /// What went other than planned.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}

/// Whether one life ended before another; their numbers may wrap.
fn is_before(life: u32, other: u32) -> bool {
    other.wrapping_sub(life) < 1 << 31
}

/// Whether the picture needs nothing from before the oldest snapshot any more.
fn passed<T: Displace, const N: usize>(store: &Store<T, N>, drawn: Option<f64>) -> bool {
    match drawn {
        Some(shown) => shown >= store.get(0).sent,
        // Not on the screen: what was before it vanished has been seen.
        None => store.iter().any(|node| node.gone),
    }
}

struct Look<T> {
    value: T,
    epoch: u32,
    state: State,
    made: Made,
}

/// What the snapshots say of a moment, and the way that it lies on; `None` where the thing is gone.
fn look<T: Displace, const N: usize>(
    store: &Store<T, N>,
    moment: f64,
    frame: &Frame,
) -> Option<(Look<T>, Option<Way<T>>)> {
    let at = store.at_or_before(moment);
    let node = store.get(at.unwrap_or(0));
    if node.gone {
        return None;
    }
    let epoch = node.report.epoch;
    let held = || {
        let value = node.report.value.clone();
        (Look { value, epoch, state: State::Holding, made: Made::held(node.sent) }, None)
    };
    let Some(at) = at else { return Some(held()) };
    if let Some(piece) = store.piece(at) {
        let way = piece.way(frame.settings.interval());
        let fraction = way.fraction(moment);
        let made = Made::blended(&piece, fraction);
        return Some((Look { value: way.value(fraction), epoch, state: State::Blending, made }, Some(way)));
    }
    // Past the newest: onward only while everything from this sender is silent, or what rests would drift.
    let silent = frame.extrapolates && node.sent >= frame.newest;
    if !store.is_newest(at) || !silent || !(moment > node.sent) || node.report.rests {
        return Some(held());
    }
    let before = store.before(at);
    if before.is_none() && node.report.velocity.is_none() {
        // The first of its life, or after a cut, has no motion yet to go on with.
        return Some(held());
    }
    let fraction = ((moment - node.sent).min(1.0) * 65535.0 + 0.5) as u16;
    let value = beyond(before, node, fraction);
    let made = Made::beyond(before.map(|n| n.sent), node.sent, fraction);
    Some((Look { value, epoch, state: State::Extrapolating, made }, None))
}
