//! What happens when the drawn moment passes a time of the writer's clock?
//!
//! A sound belongs to the moment of its tick, but the picture lags behind: played on arrival it comes before the
//! hit is seen. A cue waits until its moment is drawn.

use super::Shown;
use super::ring::Ring;

/// Events stamped with simulation time that fire when the drawn moment reaches them: once each, in order of their
/// stamps (equal stamps in the order they came), at most `N` waiting.
///
/// ```
/// use portamento::playhead::{Cues, Playhead};
///
/// let mut playhead = Playhead::at_hz(10.0)?;
/// let mut cues = Cues::new();
/// playhead.observe(5.0, 0.0);
/// playhead.observe(5.1, 0.1);
/// cues.add(0.05, "splash").expect("there is room for 64");
/// let mut heard = None;
/// for frame in 0..30 {
///     let shown = playhead.advance(5.1 + f64::from(frame) / 144.0).unwrap();
///     while let Some(cue) = cues.next(shown) {
///         assert!(shown.at >= cue.at);
///         heard = Some(cue.event);
///     }
/// }
/// assert_eq!(heard, Some("splash"));
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "E: serde::Serialize + serde::de::DeserializeOwned"))]
pub struct Cues<E, const N: usize = 64> {
    waiting: Ring<Cue<E>, N>,
    /// How many cues were refused.
    pub refused: u64,
}

/// An event and the moment of the writer's clock it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cue<E> {
    /// The moment of the writer's clock.
    pub at: f64,
    /// The event.
    pub event: E,
}

impl<E, const N: usize> Default for Cues<E, N> {
    fn default() -> Self {
        Cues { waiting: Ring::new(), refused: 0 }
    }
}

impl<E> Cues<E> {
    /// Creates an empty queue for up to 64 cues.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<E, const N: usize> Cues<E, N> {
    /// Adds an event that fires at the moment `at`. If that moment has already been drawn, it fires at the next frame.
    ///
    /// A cue that is not taken comes back, and is counted: all `N` places are taken by cues that wait, or `at` is not
    /// finite, so that no moment would ever reach it.
    pub fn add(&mut self, at: f64, event: E) -> Result<(), Cue<E>> {
        let cue = Cue { at, event };
        let added = if at.is_finite() { self.waiting.push_back(cue) } else { Err(cue) };
        added.inspect_err(|_| self.refused = self.refused.saturating_add(1))?;
        // Cues come almost in order, so the new one seldom moves far.
        let mut i = self.waiting.len() - 1;
        while i > 0 && self.waiting.get(i - 1).is_some_and(|earlier| earlier.at > at) {
            self.waiting.swap(i - 1, i);
            i -= 1;
        }
        Ok(())
    }

    /// Returns the next cue that `shown` has reached. In every frame, call it until it returns `None`.
    #[must_use]
    pub fn next(&mut self, shown: Shown) -> Option<Cue<E>> {
        let due = self.waiting.get(0)?.at <= shown.at;
        if due { self.waiting.pop_front() } else { None }
    }

    /// Returns how many cues wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Forgets all waiting cues: call it when the writer began a new life.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }
}
