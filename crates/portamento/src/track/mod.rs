//! Interpolates one entity between the ticks of your simulation; predicts and corrects it.
//!
//! What did one entity do in its last ticks? A [`Track`] holds the last few values that the simulation computed, and draws between them. Values go in with
//! [`push`](Track::push), [`correct`](Track::correct) and [`cut`](Track::cut); [`draw`](Track::draw) and
//! [`view`](Track::view) return what to show, by value: what is drawn cannot change the truth.
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
//!
//! | you have | use |
//! |---|---|
//! | an entity of your own simulation | [`Track`] |
//! | thousands of poses | [`Batch`][crowd] |
//! | thousands of small values that no camera follows | [`TrackEnds`] |
//! | an entity that is predicted, and corrected by a server or rolled back | [`PredictedTrack`] |
//! | another jump of the truth that should not be seen | [`VisualOffset`] |
//!
#![cfg_attr(feature = "alloc", doc = "[crowd]: crate::batch::Batch")]
#![cfg_attr(not(feature = "alloc"), doc = "[crowd]: crate#features")]

mod ends;
mod offset;
mod picture;
mod predicted;
#[cfg(test)]
mod tests;

pub use ends::TrackEnds;
#[cfg(feature = "alloc")]
pub(crate) use ends::reaches;
pub(crate) use offset::Passing;
pub use offset::{Absorbed, OffsetFading, VisualOffset};
pub use predicted::{PredictedTrack, ReconcileSettings};
#[cfg(feature = "alloc")]
pub(crate) use predicted::{again, reach};

use crate::Drawn;
use crate::blend::Blend;
use crate::step::Moment;
use picture::Picture;

/// The last values of one entity, and what is drawn of them.
///
/// `ENDS` is how many values are kept. Two are enough for a fixed step. A gate that draws a constant distance in the
/// past reaches back several ticks after a hitch; [`Stepper::ends_needed`] returns how many it needs. [`Track::new`]
/// keeps eight, enough for every gate with its default lengths. For another number use [`Track::with_ends`]. With too
/// few ends the oldest is drawn, and a debug build panics.
///
/// Values are compared when they are pushed, to find out whether the entity rests: hence `PartialEq`. For equal values,
/// [`Blend::rests`] decides.
///
/// # Saves and rollback
///
/// A clone is a save of everything, what was drawn included: put it back to continue a saved game. For rollback, save
/// the truth alone with [`ends`](Track::ends) and put it back with [`restore`](Track::restore). Saved with
/// `serde_json`, f64 values come back bit for bit only with that crate's feature `float_roundtrip`.
///
/// # NaN
///
/// A NaN that is pushed is the truth and is drawn as such, while it is one of the two values that a view lies between.
/// At the newest moment that ends after two more pushes, or at once after a [`cut`](Track::cut). Nothing of it stays
/// behind, and while it is the newest value the track never counts as being at rest.
///
/// [`Stepper::ends_needed`]: crate::step::Stepper::ends_needed
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "T: serde::Serialize + serde::de::DeserializeOwned"))]
pub struct Track<T, const ENDS: usize = 8> {
    ends: TrackEnds<T, ENDS>,
    picture: Picture<T>,
}

impl<T: Blend + PartialEq> Track<T> {
    /// Creates the track of an entity that appears at `start`, keeping eight values: enough for a fixed step and for a gate
    /// with its default lengths.
    ///
    /// Its first frame shows exactly `start`, however long its first tick takes.
    #[must_use]
    pub fn new(start: T) -> Self {
        Self::with_ends(start)
    }
}

impl<T: Blend + PartialEq, const ENDS: usize> Track<T, ENDS> {
    /// Creates a track with a number of ends of your choice, from 2 to 64, which the type gives.
    ///
    /// ```
    /// use portamento::{Moment, Track};
    /// let mut shell = Track::<_, 2>::with_ends([0.0f32; 3]); // less memory, for a fixed step
    /// shell.push([2.0, 0.0, 0.0]);
    /// assert_eq!(shell.view(Moment::at(0.5, 0.0)), [1.0, 0.0, 0.0]);
    /// ```
    #[must_use]
    pub fn with_ends(start: T) -> Self {
        Self { picture: Picture::new(&start), ends: TrackEnds::new(start) }
    }

    /// Returns what the simulation says now: all that physics, game logic and the network see.
    #[inline]
    #[must_use]
    pub fn truth(&self) -> &T {
        self.ends.truth()
    }

    /// Takes the result of a tick, after collision.
    ///
    /// Call it once in every tick, in the loop over the ticks, also when nothing moved: that is how the view comes to
    /// rest. If a moving entity missed a tick, or got a value too many, a debug build panics in the next
    /// [`draw`](Track::draw) with a moment of a [`Stepper`](crate::step::Stepper). ([`view`](Track::view) does not check.)
    #[inline]
    pub fn push(&mut self, value: T) {
        self.ends.push(value);
        self.picture.pushed();
    }

    /// Corrects the newest value during its tick (a collision after the move): the view glides there.
    ///
    /// Call it during the tick, after [`push`](Track::push) and before the next frame. Between ticks a part of the
    /// way has been drawn already, and the view jumps by that part, without a cut: for that there is
    /// [`PredictedTrack::reconcile`].
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
        self.ends.correct(value);
        self.picture.changed();
    }

    /// Jumps to `value`: spawn, teleport, respawn, coming back from hiding. Nothing between is ever drawn.
    ///
    /// Call it in the tick instead of [`push`](Track::push) or after it, with the same result. A push after it is the
    /// first motion from the new place, and drawn as such.
    pub fn cut(&mut self, value: T) {
        self.ends.cut(value);
        self.picture.cut(self.ends.cuts());
    }

    /// Moves the world's origin: applies `shift` to everything remembered, so that nothing moves on the screen.
    ///
    /// ```
    /// use portamento::{Moment, Track};
    /// let mut ship = Track::new([1_000_000.0, 0.0]);
    /// ship.push([1_000_001.0, 0.0]);
    /// ship.rebase(|p| p[0] -= 1_000_000.0);
    /// assert_eq!(ship.view(Moment::at(0.5, 0.0)), [0.5, 0.0]);
    /// ```
    pub fn rebase(&mut self, shift: impl Fn(&mut T)) {
        self.ends.rebase(&shift);
        self.picture.rebase(shift);
    }

    /// Returns the truth without what was drawn of it: a save for rollback.
    ///
    /// ```
    /// use portamento::{Moment, Track};
    /// let mut player = Track::new(0.0f32);
    /// for _ in 0..3 {
    ///     let confirmed = player.ends().clone(); // as of the last tick that the server confirmed
    ///     player.push(player.truth() + 1.0); // predicted
    ///     let drawn = player.draw(Moment::at(0.5, 0.016));
    ///
    ///     player.restore(confirmed); // other input came: simulate the tick again
    ///     player.push(player.truth() + 1.0);
    ///     assert_eq!(player.view(Moment::at(0.5, 0.0)), drawn.now);
    /// }
    /// ```
    #[inline]
    #[must_use]
    pub fn ends(&self) -> &TrackEnds<T, ENDS> {
        &self.ends
    }

    /// Puts the truth back, and lets the picture go on: what was drawn stays drawn, and a cut that has been reported is
    /// not reported again when it is simulated again.
    ///
    /// Simulate the ticks since then before the next frame. What differs from before is drawn at once; a
    /// [`PredictedTrack`] lets it glide.
    pub fn restore(&mut self, ends: TrackEnds<T, ENDS>) {
        self.ends = ends;
        self.picture.restored(self.ends.cuts());
    }

    /// Returns what to draw at `moment`, without remembering it.
    ///
    /// For a camera that follows the entity use [`draw`](Track::draw) instead: it also reports cuts, and where the
    /// entity was in the frame before.
    #[inline]
    #[must_use]
    pub fn view(&self, moment: Moment) -> T {
        self.ends.view(moment)
    }

    /// Returns what to draw at `moment`, with the frame before it for cameras and motion vectors.
    ///
    /// Called twice in a frame, it returns the same: one drawing serves every camera of a split screen. Frames are
    /// distinguished by the number that a [`Stepper`](crate::step::Stepper) or [`Moment::in_frame`] gives the moment. A
    /// moment without a number counts as a new frame every time.
    pub fn draw(&mut self, moment: Moment) -> Drawn<T> {
        if let Some(drawn) = self.picture.again(moment) {
            return drawn;
        }
        self.picture.watch(moment, || self.ends.at_rest(moment), |last| last == self.ends.truth());
        let cut = self.picture.is_cut(self.ends.cuts());
        self.picture.draw(self.ends.view(moment), self.ends.cuts(), cut, moment)
    }
}
