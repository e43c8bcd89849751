//! How does a picture get over a jump of the truth that was not meant to be seen?
//!
//! The truth snaps, the picture stays where it was, and the distance between the two, the visual offset, fades
//! away. Only the drawing knows of it.
//!
//! ```text
//!  truth  ────────┐                     offset = drawn - truth
//!                 └──────────────────   fades, sooner when large, the same at every frame rate
//!  drawn  ────────╲
//!                  `·-.___            ─ beyond the limit it is not kept at all: the picture snaps
//! ```

use crate::blend::{Displace, OffsetSize};
use crate::math::{exp, ln, sqrt};

/// How an offset fades: at the rate `slow` while it is small, `fast` from `large` on, blended between, and never
/// more of it per second than `top_speed`. [`OffsetFading::CORRECTION`] has numbers to begin with.
///
/// Lengths are in the user's unit times `unit`; angles in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OffsetFading {
    /// How fast it fades while small, per second: after `1 / slow` seconds, the time constant, 37 % of it are left.
    pub slow: f64,
    /// How fast it fades when large, per second.
    pub fast: f64,
    /// Up to here `slow` holds.
    pub small: OffsetSize,
    /// From here on `fast` holds.
    pub large: OffsetSize,
    /// The most that fades in a second; `f64::MAX` for no bound (JSON has no infinity, and settings are saved).
    pub top_speed: OffsetSize,
    /// An offset below this counts as zero: the picture is then the truth, bit for bit.
    pub gone: OffsetSize,
}

impl OffsetFading {
    /// For corrections of a predicted entity, lengths in metres: a quarter of a metre fades gently, at 3.1/s, a metre
    /// and more quickly, at 9.8/s.
    pub const CORRECTION: OffsetFading = OffsetFading {
        slow: 3.1,
        fast: 9.8,
        small: OffsetSize::both(0.25),
        large: OffsetSize::both(1.0),
        top_speed: OffsetSize::both(f64::MAX),
        gone: OffsetSize::both(1e-4),
    };

    /// Returns the same with all lengths multiplied, for a world whose unit is not the metre: 100 for centimetres.
    #[must_use]
    pub fn with_unit(self, unit: f64) -> Self {
        let scale = |size: OffsetSize| OffsetSize { length: size.length * unit, ..size };
        OffsetFading {
            small: scale(self.small),
            large: scale(self.large),
            top_speed: scale(self.top_speed),
            gone: scale(self.gone),
            ..self
        }
    }

    fn of_lengths(&self) -> Curve {
        let OffsetFading { slow, fast, small, large, top_speed, gone } = *self;
        Curve {
            slow,
            fast,
            small: small.length,
            large: large.length,
            top_speed: top_speed.length,
            gone: gone.length,
        }
    }

    fn of_angles(&self) -> Curve {
        let OffsetFading { slow, fast, small, large, top_speed, gone } = *self;
        Curve {
            slow,
            fast,
            small: small.angle,
            large: large.angle,
            top_speed: top_speed.angle,
            gone: gone.angle,
        }
    }
}

/// Some time that passes, with the exponentials that do not depend on an offset's size: a frame works them out once
/// for everything that it draws.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Passing {
    seconds: f64,
    slow: f64,
    fast: f64,
    between: OffsetSize,
}

impl Passing {
    /// The unit of the fading's lengths does not matter. Anything but a positive time is no time.
    pub fn new(seconds: f64, fading: &OffsetFading) -> Self {
        let seconds = if seconds > 0.0 { seconds } else { 0.0 };
        let left = |rate: f64| exp(-rate * seconds);
        let between = |curve: Curve| left(curve.between().0);
        Passing {
            seconds,
            slow: left(fading.slow),
            fast: left(fading.fast),
            between: OffsetSize { length: between(fading.of_lengths()), angle: between(fading.of_angles()) },
        }
    }
}

/// `de/dt = -min(rate(e) e, top_speed)`, solved piece by piece in closed form: two frames of half the length
/// give what one frame gives.
#[derive(Clone, Copy)]
struct Curve {
    slow: f64,
    fast: f64,
    small: f64,
    large: f64,
    top_speed: f64,
    gone: f64,
}

impl Curve {
    /// What share of an offset, given by its square, is left. Small ones, which most are, need no root.
    #[inline]
    fn share(&self, square: f64, passing: &Passing, between: f64) -> f64 {
        if square <= self.small * self.small && self.slow * self.small <= self.top_speed {
            let left = square * (passing.slow * passing.slow);
            return if left >= self.gone * self.gone { passing.slow } else { 0.0 };
        }
        let size = sqrt(square);
        let left = self.left(size, passing, between);
        if left >= self.gone && size > 0.0 { left / size } else { 0.0 }
    }

    /// What is left of `size`. `between` is what the time leaves of the share between small and large.
    fn left(&self, size: f64, passing: &Passing, between: f64) -> f64 {
        if !(size > 0.0) {
            return 0.0;
        }
        let (mut e, mut t) = (size, passing.seconds);
        // The time that is left to pass is the whole of it until the curve changes.
        let faded = |rate: f64, whole: f64, t: f64| if t == passing.seconds { whole } else { exp(-rate * t) };
        let bounded_to = self.bounded_to();
        if e > bounded_to {
            let reached = (e - bounded_to) / self.top_speed;
            if t <= reached {
                return e - self.top_speed * t;
            }
            (e, t) = (bounded_to, t - reached);
        }
        if e > self.large {
            let left = e * faded(self.fast, passing.fast, t);
            if left >= self.large {
                return left;
            }
            (e, t) = (self.large, t - ln(e / self.large) / self.fast);
        }
        if e > self.small {
            // Between the two the rate is a + b e: a logistic curve.
            let (a, b) = self.between();
            let left = if a == 0.0 {
                e / (1.0 + b * e * t)
            } else {
                let faded = faded(a, between, t);
                a * e * faded / (a + b * e * (1.0 - faded))
            };
            if left >= self.small {
                return left;
            }
            let reached = if a == 0.0 {
                (e / self.small - 1.0) / (b * e)
            } else {
                -ln(self.small * (a + b * e) / (e * (a + b * self.small))) / a
            };
            (e, t) = (self.small, t - reached);
        }
        e * faded(self.slow, passing.slow, t.max(0.0))
    }

    /// The rate between small and large, `a + b e`.
    fn between(&self) -> (f64, f64) {
        if self.small == self.large {
            return (self.slow, 0.0); // nothing is between them
        }
        let b = (self.fast - self.slow) / (self.large - self.small);
        (self.slow - b * self.small, b)
    }

    /// The size below which the top speed does not bind.
    fn bounded_to(&self) -> f64 {
        if self.top_speed >= self.fast * self.large {
            self.top_speed / self.fast
        } else if self.top_speed <= self.slow * self.small {
            self.top_speed / self.slow
        } else {
            // (a + b e) e = top speed, its positive root, in the form that also holds where b is 0; where nothing
            // lies between small and large, the rate leaps over the top speed there.
            let (a, b) = self.between();
            (2.0 * self.top_speed / (a + sqrt(a * a + 4.0 * b * self.top_speed))).min(self.large)
        }
    }
}

/// What became of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absorbed {
    /// The picture stays; the offset holds the jump.
    Kept,
    /// The picture jumped to the limit, the offset holds the rest.
    Partly,
    /// Too far: the picture snapped, and no offset is left.
    Snapped,
}

/// A distance from the truth to its picture that fades. It is only drawn; the truth does not change.
///
/// For a predicted local player: when the server corrects it, snap the truth, keep the picture. After a cut begin with
/// a new one, `VisualOffset::default()`.
///
/// ```
/// use portamento::blend::Pose;
/// use portamento::blend::OffsetSize;
/// use portamento::track::{Absorbed, OffsetFading, VisualOffset};
///
/// let mut offset = VisualOffset::<Pose>::default();
/// let predicted = Pose::at([1.0, 0.0, 0.0]);
/// let corrected = Pose::at([1.5, 0.0, 0.0]); // the rollback's outcome
/// let limit = OffsetSize { length: 4.0, angle: f64::MAX };
/// assert_eq!(offset.absorb(&predicted, &corrected, limit), Absorbed::Kept);
///
/// assert_eq!(offset.drawn(&corrected), predicted); // nothing is seen in this frame
/// for _ in 0..600 {
///     offset.fade(1.0 / 144.0, &OffsetFading::CORRECTION);
/// }
/// assert_eq!(offset.drawn(&corrected), corrected); // to the last bit
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T::Velocity: serde::Serialize",
        deserialize = "T::Velocity: serde::Deserialize<'de>"
    ))
)]
pub struct VisualOffset<T: Displace> {
    by: Option<T::Velocity>,
}

impl<T: Displace> Default for VisualOffset<T> {
    fn default() -> Self {
        VisualOffset { by: None }
    }
}

impl<T: Displace> VisualOffset<T> {
    /// Hides a jump of the truth from `from` to `to`: the picture stays where it is, but never farther from the truth
    /// than `limit`. What exceeds the limit is seen as a jump. A jump of more than four limits counts as an undeclared
    /// cut: nothing is kept of it.
    pub fn absorb(&mut self, from: &T, to: &T, limit: OffsetSize) -> Absorbed {
        if from.same_place(to) {
            return Absorbed::Kept; // and no rounding is kept either
        }
        let (there, limits) = (self.size(), limit.map(|limit| 4.0 * limit));
        let place = self.drawn(from);
        let whole = T::velocity(to, &place, 1.0);
        let size = T::size(&whole);
        if !size.is_finite() || Self::overflows(to, &place, size) {
            // From one end of the numbers to the other: no length, so nothing to glide along.
            self.by = None;
            return Absorbed::Snapped;
        }
        // A jump is no longer than the offsets before and after it together: mostly that is enough to know.
        let within = |size: OffsetSize| size.length <= limits.length && size.angle <= limits.angle; // false for NaN too
        if !within(size.zip(there, |a, b| a + b)) && !within(T::size(&T::velocity(to, from, 1.0))) {
            self.by = None;
            return Absorbed::Snapped;
        }
        // What is there already may stay: a limit that shrinks must not make a jump of its own.
        let limit = limit.zip(there, f64::max);
        if size.length <= limit.length && size.angle <= limit.angle {
            self.by = (!size.is_zero()).then_some(whole);
            return Absorbed::Kept;
        }
        let kept = size.zip(limit, |size, limit| if size > limit { limit / size } else { 1.0 });
        self.by = Some(T::scaled(&whole, kept));
        Absorbed::Partly
    }

    /// Whether the way between two values is longer than its type can say: it then counts as none, and half of it, which
    /// can be said, is longer than that.
    fn overflows(from: &T, to: &T, size: OffsetSize) -> bool {
        let half = T::size(&T::velocity(from, &from.blend(to, 0.5), 1.0)).length;
        // The differences of f32 overflow from 3.4e38 on, those of f64 much later. No smaller way is in question.
        !(half <= size.length.max(f64::from(f32::MAX) * 0.25))
    }

    /// Lets `seconds` pass. Anything but a positive time changes nothing.
    pub fn fade(&mut self, seconds: f64, fading: &OffsetFading) {
        self.pass(&Passing::new(seconds, fading), fading);
    }

    /// The same with the time's own numbers worked out.
    pub(crate) fn pass(&mut self, passing: &Passing, fading: &OffsetFading) {
        let Some(by) = &self.by else { return };
        let square = T::inner(by, by);
        let share = OffsetSize {
            length: fading.of_lengths().share(square.length, passing, passing.between.length),
            angle: fading.of_angles().share(square.angle, passing, passing.between.angle),
        };
        // Of a fading whose numbers make no sense nothing is left.
        let share = share.map(|share| if share > 0.0 { share.min(1.0) } else { 0.0 });
        self.by = (!share.is_zero()).then(|| T::scaled(by, share));
    }

    /// Returns what is drawn for this truth.
    #[must_use]
    pub fn drawn(&self, truth: &T) -> T {
        match &self.by {
            Some(by) => truth.advance(by, 1.0),
            None => truth.clone(),
        }
    }

    /// Puts the picture on the truth at once.
    pub(crate) fn clear(&mut self) {
        self.by = None;
    }

    /// Returns how far the picture is from the truth: zero when it is exactly there.
    #[must_use]
    pub fn size(&self) -> OffsetSize {
        self.by.as_ref().map_or(OffsetSize::default(), T::size)
    }

    /// Whether the picture is exactly on the truth.
    pub(crate) fn is_gone(&self) -> bool {
        self.by.is_none()
    }
}
