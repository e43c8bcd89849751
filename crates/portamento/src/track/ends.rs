//! The last values of one entity, and what lies between them.

use crate::blend::{Blend, Displace};
use crate::step::Moment;

/// The last values of one entity: the truth of a [`Track`](super::Track), without what was drawn of it.
///
/// Two uses. Rollback: [`Track::ends`](super::Track::ends) is a save of the truth alone, and
/// [`Track::restore`](super::Track::restore) puts it back. Memory: where [`view`](TrackEnds::view) is all you need
/// (particles, bullets), keep the ends without a track around them: 20 bytes for a point in the plane and a fixed step.
///
/// ```
/// use portamento::{Moment, track::TrackEnds};
/// let mut spark = TrackEnds::<[f32; 2], 2>::new([0.0; 2]);
/// spark.push([2.0, 0.0]);
/// assert_eq!(spark.view(Moment::at(0.5, 0.0)), [1.0, 0.0]);
/// assert_eq!(size_of_val(&spark), 20);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "T: serde::Serialize + serde::de::DeserializeOwned"))]
pub struct TrackEnds<T, const ENDS: usize = 8> {
    /// Two ends lie in their order, the newest last; more are a ring, in which `serial` shows where the newest lies.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_array"))]
    ends: [T; ENDS],
    /// Pushes counted, modulo the largest multiple of `ENDS` that fits.
    serial: u8,
    /// How many of `ends` are this entity's own history since its last cut.
    known: u8,
    /// How many pushes in a row have repeated the newest value, at most `ENDS`; or [`ALONE`]. 0 where there is a
    /// between, so that this is all that the usual view has to check.
    still: u8,
    /// Cuts counted, modulo 256.
    cuts: u8,
}

impl<T: Displace, const ENDS: usize> TrackEnds<T, ENDS> {
    /// Makes `newest` the newest value, and shifts all others by as much.
    pub(super) fn displace(&mut self, newest: T) {
        let old = self.truth().clone();
        let by = T::velocity(&old, &newest, 1.0);
        for end in &mut self.ends {
            // What rests goes on resting, on the new bits.
            *end = if *end == old { newest.clone() } else { end.advance(&by, 1.0) };
        }
        let at = self.index(0);
        self.ends[at] = newest;
    }
}

/// For `still`: there is no value before the newest, and yet it does not rest, because it has a velocity.
const ALONE: u8 = u8::MAX;

/// Whether `ends` values are enough for `moment`.
pub(crate) fn reaches(moment: Moment, ends: usize) -> bool {
    let oldest = u64::from(moment.back()) + u64::from(moment.alpha() < 1.0);
    oldest < ends as u64
}

impl<T: Blend + PartialEq, const ENDS: usize> TrackEnds<T, ENDS> {
    const COUNT: u8 = {
        assert!(ENDS >= 2, "a track draws between two values: ENDS must be 2 or more");
        assert!(ENDS <= 64, "a track keeps at most 64 values");
        ENDS as u8
    };
    /// Where `serial` begins again.
    const SERIALS: u16 = 256 / ENDS as u16 * ENDS as u16;

    /// Creates the ends of an entity that appears at `start`.
    #[must_use]
    pub fn new(start: T) -> Self {
        Self {
            still: Self::stillness(&start),
            ends: core::array::from_fn(|_| start.clone()),
            serial: 0,
            known: 1,
            cuts: 0,
        }
    }

    /// How long a value has been there when it appears: forever, unless it has a velocity of its own to go on with.
    fn stillness(value: &T) -> u8 {
        if value.rests(value) { Self::COUNT } else { ALONE }
    }

    /// Where the value `back` ticks before the newest lies.
    #[inline]
    fn index(&self, back: usize) -> usize {
        if ENDS == 2 { 1 - back % 2 } else { (self.serial as usize + ENDS - back % ENDS) % ENDS }
    }

    /// The value `back` ticks before the newest; the oldest known where history ends.
    #[inline]
    fn end(&self, back: u32) -> &T {
        let oldest = self.known.max(1) - 1;
        &self.ends[self.index(back.min(oldest as u32) as usize)]
    }

    /// Returns the newest value: what the simulation computed last.
    #[inline]
    #[must_use]
    pub fn truth(&self) -> &T {
        &self.ends[self.index(0)]
    }

    /// Takes the result of a tick; see [`Track::push`](super::Track::push).
    #[inline]
    pub fn push(&mut self, value: T) {
        let newest = self.truth();
        let rests = value == *newest && newest.rests(&value);
        let stood = if self.still == ALONE { 0 } else { self.still };
        self.still = if rests { (stood + 1).min(Self::COUNT) } else { 0 };
        self.serial = ((self.serial as u16 + 1) % Self::SERIALS) as u8;
        if ENDS == 2 {
            self.ends.swap(0, 1);
        }
        let newest = self.index(0);
        self.ends[newest] = value;
        self.known = self.known.saturating_add(1).min(Self::COUNT);
    }

    /// Corrects the newest value; see [`Track::correct`](super::Track::correct).
    pub fn correct(&mut self, value: T) {
        let newest = self.index(0);
        self.ends[newest] = value;
        // From the cut, if that was the last: it left its value in both ends.
        self.known = self.known.max(2);
        self.still = 0;
    }

    /// Jumps to `value`; see [`Track::cut`](super::Track::cut).
    pub fn cut(&mut self, value: T) {
        let (newest, before) = (self.index(0), self.index(1));
        self.ends[before] = value.clone();
        self.still = Self::stillness(&value);
        self.ends[newest] = value;
        self.known = 1;
        self.cuts = self.cuts.wrapping_add(1);
    }

    /// Applies `shift` to every value; see [`Track::rebase`](super::Track::rebase).
    pub fn rebase(&mut self, shift: impl Fn(&mut T)) {
        self.ends.iter_mut().for_each(shift);
    }

    /// Returns what to draw at `moment`; see [`Track::view`](super::Track::view).
    #[inline]
    #[must_use]
    pub fn view(&self, moment: Moment) -> T {
        // The usual case first: it moves, and the moment lies between its last two values.
        if self.still == 0 && moment.is_between_the_newest() {
            return self.ends[self.index(1)].blend(&self.ends[self.index(0)], moment.alpha());
        }
        self.view_of_the_rest(moment)
    }

    #[inline(never)]
    fn view_of_the_rest(&self, moment: Moment) -> T {
        debug_assert!(
            self.known < Self::COUNT
                || reaches(moment, ENDS)
                || moment.beyond() > 0.0
                || self.at_rest(moment),
            "a track of {ENDS} ends was asked for a moment {} ticks back, which needs {}: use a \
             `Track::<_, N>::with_ends` whose N is at least the stepper's `ends_needed`",
            moment.back(),
            moment.back() as u64 + 2
        );
        self.as_far_as_kept(moment)
    }

    /// The view, without a word about a moment that lies farther back than the ends do.
    pub(super) fn as_far_as_kept(&self, moment: Moment) -> T {
        let back = moment.back();
        if self.at_rest(moment) {
            return self.truth().clone();
        }
        if moment.beyond() > 0.0 {
            return self.end(1).extrapolate(self.end(0), moment.beyond());
        }
        if back.saturating_add(1) >= self.known as u32 {
            // Where history ends nothing lies between, also for what swings between equal values.
            return self.end(back).clone();
        }
        self.end(back + 1).blend(self.end(back), moment.alpha())
    }

    /// Returns whether the view at `moment` is the truth's own bits and stays so until the next change: nothing to
    /// blend, nothing to upload.
    ///
    /// For a track ask its [`ends`](super::Track::ends). A [`PredictedTrack`](super::PredictedTrack) rests when its
    /// [`offset`](super::PredictedTrack::offset) is gone, too.
    #[inline]
    #[must_use]
    pub fn at_rest(&self, moment: Moment) -> bool {
        self.still != ALONE && self.still as u32 > moment.back().min(ENDS as u32 - 1)
    }

    /// How many ticks `older` lies back; below 0 if it is newer. Right for less than half of what `serial` counts.
    pub(super) fn ticks_since(&self, older: &Self) -> i16 {
        let serials = Self::SERIALS as i16;
        let ticks = (self.serial as i16 - older.serial as i16).rem_euclid(serials);
        if ticks <= serials / 2 { ticks } else { ticks - serials }
    }

    /// Cuts counted, modulo 256.
    #[inline]
    pub(super) fn cuts(&self) -> u8 {
        self.cuts
    }
}
