//! What did one thing do in its last ticks?
//!
//! A [`Track`] holds the last few values that the simulation said, and draws between them. Values go in with
//! [`push`](Track::push), [`correct`](Track::correct) and [`cut`](Track::cut); [`view`](Track::view) comes out
//! by value, and nothing leads from it back to the truth.
//!
//! ```
//! use portamento::{Moment, Track};
//!
//! let mut door = Track::new([0.0f32; 3]);
//! door.push([1.0, 0.0, 0.0]); // a tick
//! assert_eq!(door.view(Moment::at(0.5, 0.0)), [0.5, 0.0, 0.0]);
//! assert_eq!(door.truth(), &[1.0, 0.0, 0.0]);
//!
//! door.cut([9.0, 0.0, 0.0]); // a teleport: no frame shows a place between
//! assert_eq!(door.view(Moment::at(0.5, 0.0)), [9.0, 0.0, 0.0]);
//! ```

mod offset;

pub(crate) use offset::Passing;
pub use offset::{Absorbed, OffsetFading, VisualOffset};

use crate::Drawn;
use crate::blend::Blend;
use crate::step::Moment;

/// The last values of one thing, and what is drawn of them.
///
/// `ENDS` is how many values are kept. Two are enough for a fixed step and for the `client` and `seed` gates; the
/// `even` gate draws a constant distance in the past, which after a hitch may be several ticks:
/// [`Stepper::ends_needed`] tells, and eight (what [`Track::new`] makes) serves every gate with its default lengths.
/// Other numbers are made by [`Track::with_ends`].
///
/// Values are compared when they are pushed, which is how rest is known: hence `PartialEq`. Of equal ones
/// [`Blend::rests`] knows the rest.
///
/// A clone is a save; putting the clone back is a restore (rollback, replays). Saved with `serde_json`, f64 values
/// come back bit for bit only with that crate's feature `float_roundtrip`.
///
/// A NaN that is pushed is the truth and is drawn as such, until it is no longer one of the two values that a view
/// lies between: after two more pushes at the newest moment, or at once after a [`cut`](Track::cut). Nothing of it
/// stays behind, and while it is the newest value the track never counts as being at rest.
///
/// [`Stepper::ends_needed`]: crate::step::Stepper::ends_needed
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "T: serde::Serialize + serde::de::DeserializeOwned"))]
pub struct Track<T, const ENDS: usize = 8> {
    /// A ring; `newest` is where the newest lies, the older ones before it.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_array"))]
    ends: [T; ENDS],
    newest: u32,
    /// How many of `ends` are this thing's own history since its last cut.
    known: u32,
    /// How many pushes in a row have repeated the newest value.
    still: u32,
    /// What the last `draw` showed.
    drawn: Option<T>,
    /// A cut happened since the last `draw`.
    cut: bool,
}

impl<T: Blend> Track<T> {
    /// A thing that appears at `start`, with the ends that every gate needs. Its first frame shows exactly `start`,
    /// however long its first tick takes.
    #[must_use]
    pub fn new(start: T) -> Self {
        Self::with_ends(start)
    }
}

impl<T: Blend, const ENDS: usize> Track<T, ENDS> {
    const ENOUGH: () = assert!(ENDS >= 2, "a track draws between two values: ENDS must be 2 or more");

    /// The same with a number of ends of your choice, which the type says.
    ///
    /// ```
    /// use portamento::{Moment, Track};
    /// let mut shell = Track::<_, 2>::with_ends([0.0f32; 3]); // a quarter of the memory, for a fixed step
    /// shell.push([2.0, 0.0, 0.0]);
    /// assert_eq!(shell.view(Moment::at(0.5, 0.0)), [1.0, 0.0, 0.0]);
    /// ```
    #[must_use]
    pub fn with_ends(start: T) -> Self {
        let () = Self::ENOUGH;
        Self {
            still: Self::stillness(&start),
            ends: core::array::from_fn(|_| start.clone()),
            newest: 0,
            known: 1,
            drawn: None,
            cut: true,
        }
    }

    /// How long a value has been there when it appears: for ever, unless it has a velocity of its own to go on with.
    fn stillness(value: &T) -> u32 {
        if value.rests(value) { u32::MAX } else { 0 }
    }

    /// The value `back` ticks before the newest; the oldest known where history ends.
    #[inline]
    fn end(&self, back: u32) -> &T {
        let back = back.min(self.known.saturating_sub(1)) as usize;
        &self.ends[(self.newest as usize + ENDS - back % ENDS) % ENDS]
    }

    /// What the simulation says now: the only thing that physics, game logic and the network see.
    #[inline]
    #[must_use]
    pub fn truth(&self) -> &T {
        self.end(0)
    }

    /// The simulation corrects its newest value (a collision after the move): the view glides there.
    ///
    /// It belongs into the tick, after [`push`](Track::push) and before the next frame. Between ticks a part of the
    /// way has been drawn already, and the view jumps by that part, without a cut: there, let a
    /// [`VisualOffset`](VisualOffset) fade the difference.
    ///
    /// ```
    /// use portamento::{Moment, Track};
    /// let mut body = Track::<f32>::new(0.0);
    /// body.push(1.0);
    /// body.correct(0.5); // in the tick: from 0 to 0.5, evenly
    /// assert_eq!(body.view(Moment::at(0.0, 0.0)), 0.0);
    /// assert_eq!(body.view(Moment::at(0.5, 0.0)), 0.25);
    ///
    /// body.correct(0.9); // between two frames: what was at 0.25 is now elsewhere
    /// assert_eq!(body.view(Moment::at(0.5, 0.0)), 0.45);
    /// ```
    pub fn correct(&mut self, value: T) {
        self.ends[self.newest as usize % ENDS] = value;
        // From the cut, if that was the last: it left its value in both ends.
        self.known = self.known.max(2);
        self.still = 0;
    }

    /// An intended jump: spawn, teleport, respawn, coming back from hiding. Nothing between is ever drawn.
    ///
    /// In its tick it stands instead of [`push`](Track::push) or after it, with the same result; a push after it is
    /// the first motion from the new place, and drawn as such.
    pub fn cut(&mut self, value: T) {
        let newest = self.newest as usize % ENDS;
        self.ends[(newest + ENDS - 1) % ENDS] = value.clone();
        self.still = Self::stillness(&value);
        self.ends[newest] = value;
        self.known = 1;
        self.cut = true;
    }

    /// The world's origin moves: the same change to everything remembered, so that nothing is seen.
    ///
    /// ```
    /// use portamento::{Moment, Track};
    /// let mut ship = Track::new([1_000_000.0, 0.0]);
    /// ship.push([1_000_001.0, 0.0]);
    /// ship.rebase(|p| p[0] -= 1_000_000.0);
    /// assert_eq!(ship.view(Moment::at(0.5, 0.0)), [0.5, 0.0]);
    /// ```
    pub fn rebase(&mut self, shift: impl Fn(&mut T)) {
        self.ends.iter_mut().for_each(&shift);
        self.drawn.iter_mut().for_each(shift);
    }

    /// What to draw at `moment`, without remembering it.
    #[inline]
    #[must_use]
    pub fn view(&self, moment: Moment) -> T {
        let back = moment.back();
        if self.still > back {
            return self.truth().clone();
        }
        if moment.beyond() > 0.0 {
            return self.end(1).extrapolate(self.end(0), moment.beyond());
        }
        if back.saturating_add(1) >= self.known {
            // Where history ends nothing lies between, also for what swings between equal values.
            return self.end(back).clone();
        }
        self.end(back + 1).blend(self.end(back), moment.alpha())
    }

    /// What to draw at `moment`, with the frame before it for motion vectors. Call it once a frame.
    pub fn draw(&mut self, moment: Moment) -> Drawn<T> {
        let now = self.view(moment);
        let before = self.drawn.replace(now.clone()).unwrap_or_else(|| now.clone());
        Drawn { now, before, cut: core::mem::take(&mut self.cut) }
    }
}

impl<T: Blend + PartialEq, const ENDS: usize> Track<T, ENDS> {
    /// The simulation ran a tick, and this is its result (after collision). Call it in every tick, also when
    /// nothing moved: that is how the view comes to rest.
    pub fn push(&mut self, value: T) {
        let newest = self.end(0);
        self.still = if value == *newest && newest.rests(&value) { self.still.saturating_add(1) } else { 0 };
        self.newest = self.newest.wrapping_add(1) % ENDS as u32;
        self.ends[self.newest as usize] = value;
        self.known = self.known.saturating_add(1).min(ENDS as u32);
    }

    /// Whether the view at `moment` is the truth's own bits and stays so until the next change: nothing to
    /// blend, nothing to upload.
    #[inline]
    #[must_use]
    pub fn at_rest(&self, moment: Moment) -> bool {
        self.still > moment.back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blend::Moving;

    #[test]
    fn a_cut_never_shows_a_place_between() {
        let mut track = Track::<f32>::new(0.0);
        for x in [1.0, 2.0, 3.0] {
            track.push(x);
        }
        track.cut(100.0);
        for back in 0..10 {
            for k in 0..=10 {
                assert_eq!(track.view(Moment::at(k as f64 / 10.0, 0.0).ticks_back(back)), 100.0);
            }
        }
        track.push(101.0);
        for back in 0..10 {
            for k in 0..=10 {
                let v = track.view(Moment::at(k as f64 / 10.0, 0.0).ticks_back(back));
                assert!((100.0..=101.0).contains(&v), "{v}");
            }
        }
    }

    #[test]
    fn a_cut_stands_instead_of_a_push_or_after_it() {
        let (mut instead, mut after) = (Track::<f32>::new(0.0), Track::<f32>::new(0.0));
        after.push(1.0);
        for x in [50.0, 51.0, 52.0] {
            for track in [&mut instead, &mut after] {
                if x == 50.0 { track.cut(x) } else { track.push(x) }
            }
            for back in 0..10 {
                for k in 0..=10 {
                    let moment = Moment::at(k as f64 / 10.0, 0.0).ticks_back(back);
                    assert_eq!(instead.view(moment), after.view(moment));
                    assert_eq!(instead.at_rest(moment), after.at_rest(moment));
                }
            }
        }
    }

    #[test]
    fn a_nan_is_drawn_while_it_is_an_end_and_leaves_nothing_behind() {
        let half = Moment::at(0.5, 0.0);
        let mut track = Track::<f32>::new(0.0);
        track.push(1.0);
        track.push(f32::NAN);
        assert!(track.view(half).is_nan() && track.truth().is_nan() && !track.at_rest(half));
        track.push(f32::NAN);
        assert!(!track.at_rest(half), "equal to nothing, not even itself");
        track.push(3.0);
        assert!(track.view(half).is_nan());
        track.push(4.0);
        assert_eq!(track.view(half), 3.5);
        track.push(f32::NAN);
        track.cut(9.0);
        assert_eq!(track.view(half), 9.0);
    }

    #[test]
    fn a_correction_glides_and_keeps_the_older_end() {
        let mut track = Track::<f32, 2>::with_ends(0.0);
        track.push(10.0);
        track.correct(6.0);
        assert_eq!(track.truth(), &6.0);
        assert_eq!(track.view(Moment::at(0.5, 0.0)), 3.0);
    }

    #[test]
    fn a_correction_after_a_cut_glides_from_the_cut() {
        let mut track = Track::<f32>::new(0.0);
        track.push(1.0);
        track.cut(10.0);
        track.correct(12.0);
        assert_eq!(track.view(Moment::at(0.5, 0.0)), 11.0);
    }

    #[test]
    fn a_moment_further_back_draws_older_ticks() {
        let mut track = Track::<f32, 4>::with_ends(0.0);
        for x in [10.0, 20.0, 30.0] {
            track.push(x);
        }
        for (back, want) in [(0, 25.0), (1, 15.0), (2, 5.0), (3, 0.0), (100, 0.0), (u32::MAX, 0.0)] {
            assert_eq!(track.view(Moment::at(0.5, 0.0).ticks_back(back)), want, "{back}");
        }
        track.push(40.0); // 0.0 falls out of the ring
        assert_eq!(track.view(Moment::at(0.5, 0.0).ticks_back(9)), 10.0);
    }

    #[test]
    fn what_stops_rests_on_the_truths_bits() {
        let odd = [0.1f32, 0.2, 0.3];
        let mut track = Track::<[f32; 3]>::new([0.0; 3]);
        let moment = Moment::at(0.3, 0.0);
        assert!(track.at_rest(moment), "what never moved rests");
        track.push(odd);
        assert!(!track.at_rest(moment));
        track.push(odd);
        assert!(track.at_rest(moment));
        assert!(!track.at_rest(moment.ticks_back(1)), "an older moment still shows the motion");
        assert_eq!(track.view(moment).map(f32::to_bits), odd.map(f32::to_bits));
        track.push(odd);
        assert!(track.at_rest(moment.ticks_back(1)));
        track.correct([0.0; 3]);
        assert!(!track.at_rest(moment));
    }

    #[test]
    fn rest_is_the_truths_bits_also_where_equal_is_not_the_same() {
        let moments =
            [Moment::at(0.0, 0.0), Moment::at(0.3, 0.0), Moment::at(1.0, 0.0), Moment::past_newest(0.5, 0.0)];
        let mut zero = Track::<[f32; 2]>::new([0.0; 2]);
        zero.push([0.0, -0.0]);
        assert!(!zero.at_rest(moments[1]), "0 and -0 are equal, their bits are not");
        zero.push([0.0, -0.0]);
        assert!(zero.at_rest(moments[1]));
        for moment in moments {
            assert_eq!(zero.view(moment).map(f32::to_bits), [0, 1 << 31]);
        }

        let swinging = Moving { value: 1.0f32, velocity: 5.0, step: 0.1 };
        let mut track = Track::<(Moving<f32>, f32)>::new((swinging, 7.0));
        for _ in 0..3 {
            assert!(moments.into_iter().all(|moment| !track.at_rest(moment)), "it has a velocity");
            track.push((swinging, 7.0));
        }
        assert_ne!(track.view(moments[1]).0, swinging);
        let standing = Moving { value: -0.0, velocity: 0.0, step: 0.1 };
        track.push((standing, 7.0));
        track.push((standing, 7.0));
        for moment in moments {
            assert!(track.at_rest(moment));
            assert_eq!(track.view(moment).0.value.to_bits(), (-0.0f32).to_bits());
        }
    }

    #[test]
    fn what_appears_with_a_velocity_does_not_swing_before_it_moves() {
        let thrown = |value: f32| Moving { value, velocity: 5.0, step: 0.1 };
        let mut track = Track::<Moving<f32>>::new(thrown(1.0));
        for value in [1.0, 80.0] {
            for back in 0..3 {
                for k in 0..=10 {
                    let view = track.view(Moment::at(k as f64 / 10.0, 0.0).ticks_back(back));
                    assert_eq!(view, thrown(value), "{back} {k}");
                }
            }
            track.cut(thrown(80.0));
        }
        track.push(thrown(80.5));
        assert_eq!(track.view(Moment::at(0.3, 0.0).ticks_back(1)), thrown(80.0));
        assert!((track.view(Moment::at(0.3, 0.0)).value - 80.15).abs() < 1e-4);
    }

    #[test]
    fn motion_vectors_see_the_frame_before_and_the_cut() {
        let mut track = Track::<f32>::new(0.0);
        let first = track.draw(Moment::newest(0.0));
        assert_eq!((first.now, first.before, first.cut), (0.0, 0.0, true));
        track.push(1.0);
        let second = track.draw(Moment::at(0.5, 0.0));
        assert_eq!((second.now, second.before, second.cut), (0.5, 0.0, false));
        track.cut(50.0);
        track.rebase(|x| *x += 1000.0);
        let third = track.draw(Moment::at(0.5, 0.0));
        assert_eq!((third.now, third.before, third.cut), (1050.0, 1000.5, true));
        assert!(!track.draw(Moment::at(0.5, 0.0)).cut);
    }

    #[test]
    fn extrapolation_only_where_it_was_asked_for_and_never_over_a_cut() {
        let mut track = Track::<f32>::new(0.0);
        track.push(2.0);
        assert_eq!(track.view(Moment::newest(0.0)), 2.0);
        assert_eq!(track.view(Moment::past_newest(0.5, 0.0)), 3.0);
        track.cut(50.0);
        assert_eq!(track.view(Moment::past_newest(0.5, 0.0)), 50.0);
    }

    #[test]
    fn a_clone_is_a_save() {
        let mut track = Track::<f32>::new(0.0);
        track.push(1.0);
        let saved = track.clone();
        track.cut(9.0);
        assert_eq!(saved.view(Moment::at(0.5, 0.0)), 0.5);
    }
}
