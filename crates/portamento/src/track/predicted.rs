//! Client-side prediction: the truth is corrected or rolled back, and the picture glides.
//!
//! ```text
//!   frame n-1 showed      the same moment,           the difference joins the offset,
//!   this                  by the truth as it is now  which fades
//!      ●  ────────────────────  ○  ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▶ frame n: view + offset
//! ```
//! Whatever changes the past, a correction or a rollback, is found in one way: what the last frame showed is compared with
//! what it would show of the truth now. Where the past is the same, so are the bits, and nothing is kept.

use super::{Absorbed, OffsetFading, TrackEnds, VisualOffset, picture::Picture};
use crate::Drawn;
use crate::blend::{Displace, OffsetSize};
use crate::step::Moment;

/// How a [`PredictedTrack`] hides corrections.
///
/// Lengths are in metres; in another unit multiply `limit` and use [`OffsetFading::with_unit`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReconcileSettings {
    /// How the difference fades. Default [`OffsetFading::CORRECTION`].
    pub fading: OffsetFading,
    /// The farthest that the picture may be from the truth: beyond it, a correction is a cut. Default 5 metres, and any
    /// angle.
    pub limit: OffsetSize,
    /// How fast the picture may catch up, as a multiple of the entity's own speed; never slower than `slow` times
    /// `large` of the fading (3.1 m/s). Default 1.9.
    pub pace: f64,
}

impl Default for ReconcileSettings {
    fn default() -> Self {
        Self {
            fading: OffsetFading::CORRECTION,
            limit: OffsetSize { length: 5.0, angle: f64::MAX },
            pace: 1.9,
        }
    }
}

impl ReconcileSettings {
    /// The fading of a frame in which the entity itself went `way` in `seconds`.
    pub(crate) fn fading(&self, way: OffsetSize, seconds: f64) -> OffsetFading {
        let fading = self.fading;
        let top_speed =
            fading.large.zip(way, |large, way| (self.pace * way / seconds).max(fading.slow * large));
        OffsetFading { top_speed: top_speed.zip(fading.top_speed, f64::min), ..fading }
    }
}

/// A [`Track`](super::Track) for what is predicted and then corrected: client-side prediction, server reconciliation,
/// rollback.
///
/// The truth jumps, the picture glides. [`reconcile`](PredictedTrack::reconcile) takes a corrected newest value;
/// [`restore`](PredictedTrack::restore) takes the truth back for ticks to be simulated again. Either way the picture goes
/// on from where it was drawn, and the difference fades. Motion vectors and cameras see the picture's own motion. Beyond
/// [`ReconcileSettings::limit`] a correction is a cut.
///
/// It is a type of its own because a plain track should not pay for it: it is larger by the offset, and a frame takes a
/// second comparison with the last one.
#[cfg_attr(feature = "derive", doc = "```")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// use portamento::blend::{Blend, Displace, Hermite};
/// use portamento::{Moment, track::PredictedTrack};
///
/// #[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
/// struct Player {
///     position: [f32; 2],
///     #[blend(angle)]
///     heading: f32,
///     #[blend(snap)]
///     weapon: u8,
/// }
///
/// let start = Player { position: [0.0; 2], heading: 0.0, weapon: 1 };
/// let mut player = PredictedTrack::new(start.clone());
/// let before = player.draw(Moment::newest(0.0));
///
/// // The server says otherwise. Simulated to the newest tick with the inputs since then, it comes to this:
/// player.reconcile(Player { position: [0.5, 0.0], weapon: 2, ..start });
/// assert_eq!(player.truth().position, [0.5, 0.0]);
/// let after = player.draw(Moment::newest(1.0 / 144.0));
/// let moved = after.now.position[0] - before.now.position[0];
/// assert!(moved > 0.0 && moved < 0.02); // two centimetres in this frame, less in each that follows
/// assert_eq!(after.now.weapon, 2); // what does not move is as the truth has it
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound = "T: serde::Serialize + serde::de::DeserializeOwned, \
                   T::Velocity: serde::Serialize + serde::de::DeserializeOwned")
)]
pub struct PredictedTrack<T: Displace, const ENDS: usize = 8> {
    ends: TrackEnds<T, ENDS>,
    picture: Picture<T>,
    offset: VisualOffset<T>,
    last: Option<Last<T>>,
    settings: ReconcileSettings,
}

/// The last frame, without its offset.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Last<T> {
    view: T,
    moment: Moment,
    /// Ticks since then; below 0 if the truth has been taken back to before it.
    ticks: i64,
}

impl<T: Displace> PredictedTrack<T> {
    /// Creates the track of an entity that appears at `start`, with the default settings and eight ends.
    #[must_use]
    pub fn new(start: T) -> Self {
        Self::with_settings(start, ReconcileSettings::default())
    }
}

impl<T: Displace, const ENDS: usize> PredictedTrack<T, ENDS> {
    /// Creates a track with settings and a number of ends of your choice.
    #[must_use]
    pub fn with_settings(start: T, settings: ReconcileSettings) -> Self {
        Self {
            picture: Picture::new(&start),
            ends: TrackEnds::new(start),
            offset: VisualOffset::default(),
            last: None,
            settings,
        }
    }

    /// Returns the newest value: what the simulation computed last.
    #[inline]
    #[must_use]
    pub fn truth(&self) -> &T {
        self.ends.truth()
    }

    /// Takes the result of a tick, as [`Track::push`](super::Track::push) does.
    pub fn push(&mut self, value: T) {
        // After this push the last frame's values would be gone.
        if self.last.as_ref().is_some_and(|last| last.ticks == last.reach::<ENDS>()) {
            self.settle();
        }
        self.ends.push(value);
        self.picture.pushed();
        if let Some(last) = &mut self.last {
            last.ticks = last.ticks.saturating_add(1);
        }
    }

    /// Corrects the newest value during its tick, as [`Track::correct`](super::Track::correct) does.
    pub fn correct(&mut self, value: T) {
        self.ends.correct(value);
        self.picture.changed();
    }

    /// Jumps to `value`, as [`Track::cut`](super::Track::cut) does. No offset is left.
    pub fn cut(&mut self, value: T) {
        self.ends.cut(value);
        self.picture.cut(self.ends.cuts());
    }

    /// Replaces the newest value by a corrected one: the truth jumps, the picture glides.
    ///
    /// Call it when the server's answer, simulated to the newest tick, is not what was predicted. The values before the
    /// newest shift along, so that the entity keeps its speed.
    pub fn reconcile(&mut self, corrected: T) {
        let cuts = self.picture.is_cut(self.ends.cuts());
        if let Some(last) = self.last.as_mut().filter(|last| !cuts && last.ticks > last.reach::<ENDS>()) {
            // Too many ticks ago to be looked at again. All of the past shifts alike: the newest serves as well.
            let old = self.ends.truth().clone();
            last.view = last.view.advance(&T::velocity(&old, &corrected, 1.0), 1.0);
            if !self.absorb(&old, &corrected) {
                self.picture.cut_now();
            }
        }
        self.ends.displace(corrected);
        self.picture.changed();
    }

    /// Moves the world's origin, as [`Track::rebase`](super::Track::rebase) does.
    pub fn rebase(&mut self, shift: impl Fn(&mut T)) {
        self.ends.rebase(&shift);
        self.picture.rebase(&shift);
        self.last.iter_mut().for_each(|last| shift(&mut last.view));
    }

    /// Returns the truth without what was drawn of it: a save for rollback.
    #[inline]
    #[must_use]
    pub fn ends(&self) -> &TrackEnds<T, ENDS> {
        &self.ends
    }

    /// Puts the truth back, for the ticks since then to be simulated again before the next frame.
    ///
    /// What comes out as before is drawn as if nothing had happened, bit for bit; a cut that has been reported is not
    /// reported again. What comes out differently glides. The save may be up to 128 ticks old with the default eight
    /// ends, up to 104 with any number of them.
    pub fn restore(&mut self, ends: TrackEnds<T, ENDS>) {
        let back = self.ends.ticks_since(&ends);
        self.last.iter_mut().for_each(|last| last.ticks -= i64::from(back));
        self.ends = ends;
        self.picture.restored(self.ends.cuts());
    }

    /// Returns what to draw at `moment`, with the offset of the last frame, without remembering it.
    #[must_use]
    pub fn view(&self, moment: Moment) -> T {
        self.offset.drawn(&self.ends.view(moment))
    }

    /// Returns what to draw at `moment`, with the frame before it, as [`Track::draw`](super::Track::draw) does.
    ///
    /// The offset fades by the moment's presented time. Called twice in a frame, it returns the same.
    pub fn draw(&mut self, moment: Moment) -> Drawn<T> {
        if let Some(drawn) = self.picture.again(moment) {
            return drawn;
        }
        let (ends, last) = (&self.ends, self.last.as_ref());
        self.picture.watch(
            moment,
            || ends.at_rest(moment),
            |_| last.is_none_or(|last| last.view == *ends.truth()),
        );
        let now = self.ends.view(moment);
        let mut cut = self.picture.is_cut(self.ends.cuts());
        if cut {
            self.offset.clear();
        } else if let Some(last) = &self.last {
            // The past in which the last frame lies may not have been simulated again; then the picture stays.
            let there = last
                .again(&self.ends)
                .unwrap_or_else(|| if last.ticks < 0 { now.clone() } else { last.view.clone() });
            let from = last.view.clone();
            cut = !self.absorb(&from, &there);
            if !self.offset.is_gone() {
                let seconds = moment.presented();
                let way = T::size(&T::velocity(&there, &now, 1.0));
                self.offset.fade(seconds, &self.settings.fading(way, seconds));
            }
        }
        self.last = Some(Last { view: now.clone(), moment, ticks: 0 });
        self.picture.draw(self.offset.drawn(&now), self.ends.cuts(), cut, moment)
    }

    /// Returns how far the picture is from the truth.
    #[must_use]
    pub fn offset(&self) -> OffsetSize {
        self.offset.size()
    }

    /// Compares the last frame with the truth as it is now.
    fn settle(&mut self) {
        if self.picture.is_cut(self.ends.cuts()) {
            return;
        }
        let Some(last) = &mut self.last else { return };
        let Some(there) = last.again(&self.ends) else { return };
        let from = core::mem::replace(&mut last.view, there.clone());
        if !self.absorb(&from, &there) {
            self.picture.cut_now();
        }
    }

    /// The past moved from `from` to `to`. False where that is too far to glide.
    fn absorb(&mut self, from: &T, to: &T) -> bool {
        let kept = self.offset.absorb(from, to, self.settings.limit) == Absorbed::Kept;
        if !kept {
            self.offset.clear();
        }
        kept
    }
}

/// For how many ticks `ends` values hold those that `moment` lies between.
pub(crate) fn reach(moment: Moment, ends: usize) -> i64 {
    ends as i64 - 2 - i64::from(moment.back())
}

/// The same moment `ticks` ticks later, when it lies so far back; `None` where `ends` values do not hold it, or where the
/// ticks are below 0.
pub(crate) fn again(moment: Moment, ticks: i64, ends: usize) -> Option<Moment> {
    let since = u32::try_from(ticks).ok()?;
    if since == 0 {
        return Some(moment);
    }
    if moment.beyond() > 0.0 {
        // As many ticks later it lies that far before the newest.
        let before = f64::from(since) - moment.beyond();
        if before < 0.0 {
            return Some(Moment::past_newest(-before, 0.0));
        }
        let whole = before as u32;
        let again = Moment::at(1.0 - (before - f64::from(whole)), 0.0).ticks_back(whole);
        return (i64::from(whole) <= ends as i64 - 2).then_some(again);
    }
    (ticks <= reach(moment, ends)).then(|| moment.ticks_back(moment.back().saturating_add(since)))
}

impl<T: Displace> Last<T> {
    /// For how many ticks a ring of `ENDS` holds the values that it lies between.
    fn reach<const ENDS: usize>(&self) -> i64 {
        reach(self.moment, ENDS)
    }

    /// The same moment in the truth as it is now; `None` where that does not hold it.
    fn again<const ENDS: usize>(&self, ends: &TrackEnds<T, ENDS>) -> Option<T> {
        // A moment that no end reaches was reported when it was drawn, or comes from a save.
        again(self.moment, self.ticks, ENDS).map(|moment| ends.as_far_as_kept(moment))
    }
}
