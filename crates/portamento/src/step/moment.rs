//! What a frame hands to everything that is drawn.

/// The moment a frame draws: one per frame, for every track, batch and camera alike.
///
/// A [`Stepper`](super::Stepper) makes it. If your engine runs the ticks itself, [`Moment::at`] makes one from
/// its alpha:
///
/// ```
/// use portamento::{Moment, Track};
/// let mut ball = Track::new(0.0);
/// ball.push(10.0);
/// let moment = Moment::at(0.25).presenting(1.0 / 144.0);
/// assert_eq!(ball.view(&moment), 2.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moment {
    back: u32,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::alpha"))]
    alpha: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::beyond"))]
    beyond: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::presented"))]
    presented: f64,
}

impl Moment {
    /// The newest tick itself.
    pub const NEWEST: Self = Self { back: 0, alpha: 1.0, beyond: 0.0, presented: 0.0 };

    /// `alpha` of the way from the tick before the newest to the newest. Outside 0..=1 counts as the nearer
    /// end; NaN as the newest, which is the truth.
    #[must_use]
    pub fn at(alpha: f64) -> Self {
        let alpha = if alpha.is_nan() { 1.0 } else { alpha.clamp(0.0, 1.0) };
        Self { alpha, ..Self::NEWEST }
    }

    /// The same, `ticks` intervals earlier: 0 lies between the previous and the newest tick.
    #[must_use]
    pub fn ticks_back(self, ticks: u32) -> Self {
        Self { back: ticks, ..self }
    }

    /// The newest tick and `ticks` more, for those who asked for extrapolation. Not positive or NaN: the newest
    /// tick.
    #[must_use]
    pub fn beyond_newest(ticks: f64) -> Self {
        Self { beyond: if ticks > 0.0 { ticks } else { 0.0 }, ..Self::NEWEST }
    }

    /// The same, with `seconds` of presented time. Not positive or NaN counts as 0.
    #[must_use]
    pub fn presenting(self, seconds: f64) -> Self {
        Self { presented: if seconds > 0.0 { seconds } else { 0.0 }, ..self }
    }

    /// Where between two ticks, 0..=1, never NaN.
    #[inline]
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Which two ticks: 0 is the previous and the newest, 1 the pair before them, and so on. Only the `even`
    /// gate reaches back; everything else says 0.
    #[inline]
    #[must_use]
    pub fn back(&self) -> u32 {
        self.back
    }

    /// How far beyond the newest tick, in ticks: 0 unless extrapolation was asked for.
    #[inline]
    #[must_use]
    pub fn beyond(&self) -> f64 {
        self.beyond
    }

    /// By how many seconds the drawn moment advanced in this frame. This, not the wall time, is a following
    /// camera's dt: with any other the two advance by different amounts, and the body shakes on the screen.
    #[inline]
    #[must_use]
    pub fn presented(&self) -> f64 {
        self.presented
    }
}
