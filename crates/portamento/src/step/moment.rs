//! What a frame hands to everything that is drawn.

use crate::{IntoPresented, Presented};
use core::num::NonZeroU64;

/// The moment of our own ticks that a frame draws: one per frame, for every track and batch.
///
/// A [`Stepper`](super::Stepper) returns it. If your engine runs the ticks itself, [`Moment::at`] makes one from its
/// alpha and its frame time:
///
/// ```
/// use portamento::{Moment, Track};
/// let mut ball = Track::new(0.0);
/// ball.push(10.0);
/// let moment = Moment::at(0.25, 1.0 / 144.0);
/// assert_eq!(ball.view(moment), 2.5);
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moment {
    /// Ticks back, and [`BEYOND`] if it lies beyond the newest tick: so one check finds the usual moments, which are 0.
    back: u32,
    /// Which frame; 0 for unknown.
    #[cfg_attr(feature = "serde", serde(default))]
    frame: u32,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::alpha"))]
    alpha: f64,
    #[cfg_attr(feature = "serde", serde(with = "super::saved::beyond"))]
    beyond: f64,
    #[cfg_attr(feature = "serde", serde(with = "super::saved::presented"))]
    presented: f64,
    /// One more than the ticks run, so that unset costs no memory.
    #[cfg_attr(feature = "serde", serde(default))]
    tick: Option<NonZeroU64>,
}

/// Moments are equal where the same is drawn, also in different frames.
impl PartialEq for Moment {
    fn eq(&self, other: &Self) -> bool {
        let Self { back, frame: _, alpha, beyond, presented, tick } = *self;
        (back, alpha, beyond, presented, tick)
            == (other.back, other.alpha, other.beyond, other.presented, other.tick)
    }
}

impl IntoPresented for Moment {
    fn into_presented(self) -> Presented {
        Presented::from_seconds(self.presented)
    }
}

/// See [`Moment::is_between_the_newest`].
const BEYOND: u32 = 1 << 31;

impl Moment {
    /// Creates the moment at `alpha` of the way from the tick before the newest to the newest, in a frame in which the
    /// picture advanced by `presented` seconds.
    ///
    /// An alpha outside 0..=1 counts as the nearer end; NaN counts as 1, the truth. `presented` is your engine's frame
    /// time, times its time scale: a camera moves by it. Negative and NaN count as 0.
    #[must_use]
    pub const fn at(alpha: f64, presented: f64) -> Self {
        let alpha = if alpha.is_nan() { 1.0 } else { alpha.clamp(0.0, 1.0) };
        Self { alpha, ..Self::newest(presented) }
    }

    /// Creates the moment of the newest tick itself: interpolation switched off.
    #[must_use]
    pub const fn newest(presented: f64) -> Self {
        let presented = if presented > 0.0 { presented } else { 0.0 };
        Self { back: 0, frame: 0, alpha: 1.0, beyond: 0.0, presented, tick: None }
    }

    /// Creates the moment `ticks` ticks past the newest, for extrapolation. Negative and NaN count as 0.
    #[must_use]
    pub const fn past_newest(ticks: f64, presented: f64) -> Self {
        if ticks > 0.0 {
            Self { back: BEYOND, beyond: ticks, ..Self::newest(presented) }
        } else {
            Self::newest(presented)
        }
    }

    /// Returns the same place between two ticks, `ticks` ticks earlier: 0 lies between the previous and the newest
    /// tick.
    #[must_use]
    pub(crate) const fn ticks_back(self, ticks: u32) -> Self {
        let ticks = if ticks < BEYOND { ticks } else { BEYOND - 1 };
        Self { back: self.back & BEYOND | ticks, ..self }
    }

    /// Whether it lies between the previous and the newest tick.
    #[inline]
    pub(crate) fn is_between_the_newest(&self) -> bool {
        self.back == 0
    }

    pub(crate) const fn presenting(self, seconds: f64) -> Self {
        Self { presented: if seconds > 0.0 { seconds } else { 0.0 }, ..self }
    }

    /// Returns the same moment of a stepper that has run this many ticks.
    #[must_use]
    pub(crate) const fn after_ticks(self, ticks: u64) -> Self {
        Self { tick: NonZeroU64::new(ticks.saturating_add(1)), ..self }
    }

    /// Returns the same moment with the number of the frame that it belongs to.
    ///
    /// A [`Stepper`](super::Stepper) numbers its moments itself. With your engine's frame number, a track or batch that
    /// is drawn twice in a frame (split screen, a mirror) returns the same both times. Without a number, every drawing
    /// counts as a new frame.
    ///
    /// ```
    /// use portamento::{Moment, Track};
    /// let mut ball = Track::new(0.0);
    /// let moment = Moment::at(0.5, 1.0 / 144.0).in_frame(77);
    /// let left = ball.draw(moment);
    /// let right = ball.draw(moment);
    /// assert!(left.cut && left == right); // it appeared in this frame, for both halves of the screen
    /// ```
    #[must_use]
    pub const fn in_frame(self, number: u64) -> Self {
        Self { frame: (number % u32::MAX as u64) as u32 + 1, ..self }
    }

    /// Returns the frame's number, for comparing with the last one; `None` if unknown. Numbers come round after 2^32
    /// frames.
    #[inline]
    #[must_use]
    pub(crate) fn frame(&self) -> Option<u32> {
        (self.frame > 0).then_some(self.frame)
    }

    /// Returns the place between two ticks, 0..=1, never NaN.
    #[inline]
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Returns which two ticks: 0 is the previous and the newest, 1 the pair before them, and so on. Only the `even`
    /// gate reaches back; otherwise it is 0.
    #[inline]
    #[must_use]
    pub(crate) fn back(&self) -> u32 {
        self.back & !BEYOND
    }

    /// Returns how far it lies beyond the newest tick, in ticks: 0 unless extrapolation was asked for.
    #[inline]
    #[must_use]
    pub(crate) fn beyond(&self) -> f64 {
        self.beyond
    }

    /// Returns how many seconds the picture advanced in this frame: a following camera's dt. Cameras take the whole
    /// moment and read it themselves.
    #[inline]
    #[must_use]
    pub fn presented(&self) -> f64 {
        self.presented
    }

    /// Returns how many ticks the stepper has run, this frame's included; `None` for a moment that did not come from a
    /// [`Stepper`](super::Stepper).
    ///
    /// A track compares it with the ticks that it was given, to notice that one is missing. It goes back only when
    /// another stepper or an older save takes over.
    #[inline]
    #[must_use]
    pub(crate) fn tick(&self) -> Option<u64> {
        self.tick.map(|one_more| one_more.get() - 1)
    }
}

/// All that a moment holds, for our own bindings: other languages pass moments by value.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MomentParts {
    pub alpha: f64,
    /// Which two ticks: 0 is the previous and the newest.
    pub back: u32,
    /// Ticks beyond the newest.
    pub beyond: f64,
    pub presented: f64,
    /// How many ticks the stepper has run, this frame's included.
    pub ticks: Option<u64>,
    pub frame: Option<u32>,
}

impl From<Moment> for MomentParts {
    #[inline]
    fn from(moment: Moment) -> Self {
        let Moment { alpha, beyond, presented, .. } = moment;
        Self { alpha, back: moment.back(), beyond, presented, ticks: moment.tick(), frame: moment.frame() }
    }
}

impl From<MomentParts> for Moment {
    /// Makes the best of any number, as the constructors do.
    #[inline]
    fn from(parts: MomentParts) -> Self {
        let MomentParts { alpha, back, beyond, presented, ticks, frame } = parts;
        let place =
            if beyond > 0.0 { Self::past_newest(beyond, presented) } else { Self::at(alpha, presented) };
        let place = place.ticks_back(back);
        let ticked = ticks.map_or(place, |ticks| place.after_ticks(ticks));
        frame.map_or(ticked, |frame| ticked.in_frame(frame.into()))
    }
}
