//! What was drawn, and by how much did the picture advance?

/// One entity as drawn in this frame, with the frame before for motion vectors.
///
/// Whatever draws one entity returns it: tracks and timelines directly, snapshots inside
/// [`Seen::Here`](crate::remote::Seen::Here), batches by `BatchFrame::drawn`, the exchange by `WorldFrame::draw`. Draw
/// once per frame and hand the copy to every camera.
///
/// ```
/// use portamento::{Moment, Track};
/// let mut ball = Track::new([0.0f32; 3]);
/// ball.push([1.0, 0.0, 0.0]);
/// let drawn = ball.draw(Moment::at(0.5, 1.0 / 144.0));
/// assert_eq!(drawn.map(|position| position[0]).now, 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Drawn<T> {
    /// The view of this frame.
    pub now: T,
    /// The view of the frame before; equal to `now` in the first frame.
    pub before: T,
    /// A cut lies between the two, or there was no frame before. Motion blur, sound sweeps and camera damping must not
    /// span it.
    pub cut: bool,
}

impl<T> Drawn<T> {
    /// Converts both views, for example from your own struct to the pose that a camera follows.
    pub fn map<U>(self, mut convert: impl FnMut(T) -> U) -> Drawn<U> {
        Drawn { now: convert(self.now), before: convert(self.before), cut: self.cut }
    }
}

/// How many seconds the picture advanced in this frame: a camera's dt.
///
/// A camera that follows a drawn entity must advance by as much as the entity's picture does, not by the wall time, or
/// the entity shakes on the screen. What draws the entity has it: [`IntoPresented`] lists the types. So you rarely name
/// this one.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Presented(f64);

impl Presented {
    /// Creates presented time from a number of seconds, for pictures that this library did not draw.
    ///
    /// Negative and NaN count as 0. Infinite time moves nothing; cameras count it as ignored.
    #[must_use]
    pub fn from_seconds(seconds: f64) -> Self {
        Self(if seconds > 0.0 { seconds } else { 0.0 })
    }

    /// Returns the number of seconds, never negative or NaN.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.0
    }
}

/// A frame's time, as cameras take it: [`Moment`](crate::Moment), [`Shown`](crate::playhead::Shown),
/// [`&PeerFrame`](crate::remote::PeerFrame), `&WorldFrame` of the exchange, or [`Presented`].
///
/// A bare number is not taken: seconds from another clock are what makes a camera shake.
#[diagnostic::on_unimplemented(
    message = "a camera cannot take `{Self}` as the frame's time",
    label = "give the frame's `Moment`, `Shown`, `&PeerFrame` or `&WorldFrame`",
    note = "give what drew the entity: the `moment` of `Stepper::frame`, the `Shown` of a playhead, a peer's `&PeerFrame`, or the exchange's `&WorldFrame`",
    note = "for pictures that this library did not draw, `Presented::from_seconds(seconds)`"
)]
pub trait IntoPresented {
    /// Returns how far the picture advanced in this frame.
    fn into_presented(self) -> Presented;
}

impl IntoPresented for Presented {
    fn into_presented(self) -> Presented {
        self
    }
}
