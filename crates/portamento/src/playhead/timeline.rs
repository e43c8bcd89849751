//! What did one entity look like at a moment of the writer's clock?

use super::Shown;
use super::ring::Ring;
use crate::Drawn;
use crate::blend::Blend;

/// The last `K` values of one entity, each with its simulation time, drawn at the moment that a
/// [`Playhead`](super::Playhead) returns.
///
/// A cut is drawn from its own time on, the value before it until then; nothing between is ever drawn. Keep
/// enough: a playhead stays a tick and the worst lateness behind, so `K` ticks should span that (16 at 60 Hz span
/// the 250 ms beyond which a playhead jumps rather than lags; `Timeline::<_, 32>::default()` has room for more). Past the
/// newest value an extrapolating playhead goes on with [`Blend::extrapolate`]; with [`Moving`](crate::blend::Moving)
/// values that means their velocities.
///
/// A clone is a save of everything. For rollback, put the values of one back with [`restore`](Timeline::restore).
///
/// ```
/// use portamento::playhead::{Playhead, Timeline};
///
/// let mut playhead = Playhead::at_hz(10.0)?;
/// let mut ball = Timeline::new();
/// let mut drawn = Vec::new();
/// for frame in 0..144 {
///     let now = f64::from(frame) / 144.0;
///     if frame % 14 == 0 {
///         let tick = (frame / 14) as f32;
///         playhead.observe(now, f64::from(tick) * 0.1);
///         ball.push(f64::from(tick) * 0.1, [tick, 0.0]);
///     }
///     let shown = playhead.advance(now).unwrap();
///     drawn.push(ball.view(shown).unwrap()[0]);
/// }
/// assert!(drawn.windows(2).all(|pair| pair[0] <= pair[1]));
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "T: serde::Serialize + serde::de::DeserializeOwned"))]
pub struct Timeline<T, const K: usize = 16> {
    entries: Ring<Entry<T>, K>,
    /// An older value had to make room.
    #[cfg_attr(feature = "serde", serde(default))]
    is_cut_off: bool,
    /// What the last `draw` showed.
    drawn: Option<LastFrame<T>>,
    /// How many values were refused, because their times were NaN or infinite.
    pub refused: u64,
    /// How many frames [`draw`](Timeline::draw) showed the oldest value in place of one that was no longer kept: `K` is too
    /// small for how far the playhead stays behind.
    #[cfg_attr(feature = "serde", serde(default))]
    pub forgotten: u64,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct LastFrame<T> {
    at: f64,
    now: T,
    before: T,
    cut: bool,
    /// How many cuts lay before it.
    cuts: u32,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Entry<T> {
    sim: f64,
    value: T,
    cut: bool,
    /// How many cuts lead to it, itself included. Moments do not show whether a cut was seen: it may come in when its
    /// own is long past, or be pushed out of the ring before.
    cuts: u32,
}

/// Where a moment lies among the ticks that are known. For replays and our own bindings.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TimelinePlace {
    /// Before the oldest that is kept: that one is drawn. More ticks must be kept.
    Forgotten,
    /// Between two ticks, `alpha` of the way (0..1).
    Between {
        /// How far from the older to the newer.
        alpha: f64,
    },
    /// At the newest.
    Newest,
    /// Past the newest, by this many seconds of the writer's clock.
    Beyond {
        /// How far past.
        seconds: f64,
    },
}

impl TimelinePlace {
    /// Returns the place between the two ticks around the moment, 0..=1; 1 at the newest and beyond.
    #[must_use]
    pub fn alpha(self) -> f64 {
        match self {
            TimelinePlace::Forgotten => 0.0,
            TimelinePlace::Between { alpha } => alpha,
            TimelinePlace::Newest | TimelinePlace::Beyond { .. } => 1.0,
        }
    }
}

impl<T, const K: usize> Default for Timeline<T, K> {
    fn default() -> Self {
        let () = Self::ENOUGH;
        Timeline { entries: Ring::new(), is_cut_off: false, drawn: None, refused: 0, forgotten: 0 }
    }
}

impl<T> Timeline<T> {
    /// Creates an empty timeline for the last sixteen ticks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T, const K: usize> Timeline<T, K> {
    const ENOUGH: () = assert!(K >= 2, "a timeline draws between two values: K must be 2 or more");

    /// Takes a tick's value. A time before the newest counts as the newest, whose value it then replaces. A time that
    /// is NaN or infinite is refused (false) and counted.
    pub fn push(&mut self, sim: f64, value: T) -> bool {
        self.add(sim, value, false)
    }

    /// Takes a tick's value that is a teleport.
    pub fn cut(&mut self, sim: f64, value: T) -> bool {
        self.add(sim, value, true)
    }

    fn add(&mut self, sim: f64, value: T, cut: bool) -> bool {
        if !sim.is_finite() {
            self.refused = self.refused.saturating_add(1);
            return false;
        }
        let (mut sim, mut cuts) = (sim, u32::from(cut));
        if let Some(newest) = self.entries.back_mut() {
            cuts = newest.cuts.wrapping_add(cuts);
            if sim <= newest.sim {
                if newest.cut || !cut {
                    (newest.value, newest.cuts) = (value, cuts);
                    return true;
                }
                // What is being drawn now may already be on its way to the newest value: that stays, up to the cut.
                sim = newest.sim;
            }
        }
        if self.entries.len() == K {
            self.entries.pop_front();
            self.is_cut_off = true;
        }
        let added = self.entries.push_back(Entry { sim, value, cut, cuts });
        debug_assert!(added.is_ok(), "room was made");
        true
    }

    /// Forgets everything: call it when the writer began a new life.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.is_cut_off = false;
        self.drawn = None;
    }

    /// Puts back the values of `saved`, an earlier clone of this timeline, and lets the picture go on: what was drawn
    /// stays drawn, and a cut that has been reported is not reported again when it is simulated again.
    ///
    /// For rollback. Simulate the ticks since then before the next frame, and [`push`](Timeline::push) them with the
    /// same times. What differs from before is drawn at once; a teleport that was drawn and did not happen again is a
    /// cut back. Leave the [`Playhead`](super::Playhead) alone: it has [observed](super::Playhead::observe) these ticks.
    ///
    /// ```
    /// use portamento::playhead::{Shown, Timeline};
    ///
    /// let mut ball = Timeline::new();
    /// ball.push(0.0, 0.0f32);
    /// let confirmed = ball.clone(); // as of the last tick that the server confirmed
    /// ball.cut(0.1, 50.0); // predicted: a teleport
    /// assert!(ball.draw(Shown::still(0.05)).is_some());
    ///
    /// ball.restore(confirmed); // other input came: simulate the tick again
    /// ball.push(0.1, 1.0);
    /// let drawn = ball.draw(Shown::still(0.05)).unwrap();
    /// assert_eq!((drawn.now, drawn.before, drawn.cut), (0.5, 0.0, false));
    /// ```
    pub fn restore(&mut self, saved: Self) {
        (self.entries, self.is_cut_off) = (saved.entries, saved.is_cut_off);
    }

    /// Returns the newest value: what the simulation computed last.
    #[must_use]
    pub fn truth(&self) -> Option<&T> {
        let last = self.entries.len().checked_sub(1)?;
        self.entries.get(last).map(|entry| &entry.value)
    }

    /// Moves the world's origin: applies `shift` to everything remembered, so that nothing moves on the screen.
    pub fn rebase(&mut self, shift: impl Fn(&mut T)) {
        self.entries.iter_mut().for_each(|entry| shift(&mut entry.value));
        if let Some(drawn) = &mut self.drawn {
            shift(&mut drawn.now);
            shift(&mut drawn.before);
        }
    }

    // Where `shown` lies among the ticks; `None` before the first. Public for replays and bindings.
    #[doc(hidden)]
    #[must_use]
    pub fn place(&self, shown: Shown) -> Option<TimelinePlace> {
        self.around(shown.at).map(|(_, place)| place)
    }

    /// The entry at or before `at` (else the oldest) and where that puts `at`.
    fn around(&self, at: f64) -> Option<(usize, TimelinePlace)> {
        let last = self.entries.len().checked_sub(1)?;
        let sim = |i: usize| self.entries.get(i).map_or(f64::NAN, |entry| entry.sim);
        if at >= sim(last) {
            let seconds = at - sim(last);
            return Some((
                last,
                if seconds > 0.0 { TimelinePlace::Beyond { seconds } } else { TimelinePlace::Newest },
            ));
        }
        // The drawn moment is near the newest end.
        let mut i = last;
        while i > 0 && sim(i) > at {
            i -= 1;
        }
        let (from, to) = (sim(i), sim(i + 1));
        if at < from {
            return Some((i, TimelinePlace::Forgotten));
        }
        // Halves where the whole of a huge span overflows; but half of the smallest span there is would be none.
        let span = to - from;
        let alpha = if span.is_finite() {
            (at - from) / span
        } else {
            (0.5 * at - 0.5 * from) / (0.5 * to - 0.5 * from)
        };
        Some((i, TimelinePlace::Between { alpha }))
    }
}

impl<T: Blend, const K: usize> Timeline<T, K> {
    /// Returns what to draw at `shown`, without remembering it; `None` before the first tick.
    #[must_use]
    pub fn view(&self, shown: Shown) -> Option<T> {
        self.look(shown).map(|(_, _, view)| view)
    }

    /// Returns what to draw at `shown`, with the frame before it for cameras and motion vectors; `None` before the first
    /// tick.
    ///
    /// It reports every cut that the picture passed, also one that came in after its moment had been shown: that cut is
    /// reported when it comes in. The first frame is a cut. Called twice in a frame in which the picture advanced, it
    /// returns the same. While the picture stands still, a second call counts as the next frame, without a cut.
    pub fn draw(&mut self, shown: Shown) -> Option<Drawn<T>> {
        let (place, cuts, now) = self.look(shown)?;
        let at = shown.at;
        // Presented time is how far the moment moved since the frame before: the same moment again is the same frame.
        let again = |last: &LastFrame<T>| shown.presented > 0.0 && last.at == at && last.cuts == cuts;
        let (before, cut) = match self.drawn.take() {
            Some(last) if again(&last) => (last.before, last.cut),
            last => {
                let older_than_all = place == TimelinePlace::Forgotten && self.is_cut_off;
                self.forgotten = self.forgotten.saturating_add(u64::from(older_than_all));
                last.map_or((now.clone(), true), |last| (last.now, last.cuts != cuts))
            }
        };
        self.drawn = Some(LastFrame { at, now: now.clone(), before: before.clone(), cut, cuts });
        Some(Drawn { now, before, cut })
    }

    /// Where `shown` lies, how many cuts lie before it, and the view.
    fn look(&self, shown: Shown) -> Option<(TimelinePlace, u32, T)> {
        let (i, place) = self.around(shown.at)?;
        let entry = self.entries.get(i)?;
        let view = match place {
            TimelinePlace::Forgotten | TimelinePlace::Newest => entry.value.clone(),
            TimelinePlace::Between { alpha } => match self.entries.get(i + 1) {
                Some(next) if !next.cut => entry.value.blend(&next.value, alpha),
                _ => entry.value.clone(),
            },
            TimelinePlace::Beyond { seconds } => {
                match i.checked_sub(1).and_then(|before| self.entries.get(before)) {
                    Some(before) if before.sim < entry.sim => {
                        // Of a teleport only the far side goes on: by its velocity, if it has one.
                        let from = if entry.cut { &entry.value } else { &before.value };
                        from.extrapolate(&entry.value, seconds / (entry.sim - before.sim))
                    }
                    _ => entry.value.clone(),
                }
            }
        };
        Some((place, entry.cuts, view))
    }
}
