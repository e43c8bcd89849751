//! Which part of a flat world is on the screen?

use super::is_place;
use crate::error::{SettingError, check};
use crate::math::floor;

/// Which way the world's y runs on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ScreenY {
    /// As on the screen itself, whose origin is its upper left corner.
    #[default]
    Down,
    /// Against it, as in mathematics (and Bevy).
    Up,
}

/// A rectangle of the world, edges included. A camera refuses bounds whose corners are the wrong way round.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rect {
    /// The corner with the smaller coordinates.
    pub min: [f64; 2],
    /// The corner with the larger ones.
    pub max: [f64; 2],
}

impl Rect {
    pub(super) fn check(&self) -> Result<(), SettingError> {
        const LEFT_TOP: [&str; 2] = ["rectangle's min[0]", "rectangle's min[1]"];
        const RIGHT_BOTTOM: [&str; 2] = ["rectangle's max[0]", "rectangle's max[1]"];
        for i in 0..2 {
            check(is_place([self.min[i]]), LEFT_TOP[i], self.min[i], "a finite number")?;
            let ordered = self.max[i] >= self.min[i] && is_place([self.max[i]]);
            check(ordered, RIGHT_BOTTOM[i], self.max[i], "a finite number, not below min")?;
        }
        Ok(())
    }

    /// Returns the rectangle with `margin` more on every side (less when it is negative).
    pub(super) fn grown(&self, margin: f64) -> Self {
        Self { min: self.min.map(|c| c - margin), max: self.max.map(|c| c + margin) }
    }

    /// Returns whether the two share a point; touching counts.
    fn overlaps(&self, other: &Self) -> bool {
        (0..2).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }
}

/// One frame's picture of a flat world: it converts places for drawing, and the mouse's position back into the world.
///
/// It holds the *drawn* centre, shake and bounds included, so what is under the pointer is what the player sees
/// there. Screen pixels count from the window's upper left corner, also in a split screen.
///
/// ```
/// use portamento::camera::{Framing, ScreenY};
/// let right_half = Framing {
///     centre: [100.0, 50.0],
///     zoom: 2.0,
///     origin: [640.0, 0.0],
///     viewport: [640.0, 360.0],
///     y: ScreenY::Down,
/// };
/// assert_eq!(right_half.visible().min, [-60.0, -40.0]);
/// assert_eq!(right_half.to_screen([100.0, 50.0]), [960.0, 180.0]);
/// assert_eq!(right_half.to_world([960.0, 180.0]), [100.0, 50.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Framing {
    /// The place in the world at the middle of the screen.
    pub centre: [f64; 2],
    /// Screen pixels per unit of the world.
    pub zoom: f64,
    /// The viewport's upper left corner in the window, in pixels.
    pub origin: [f64; 2],
    /// Width and height of the viewport in pixels.
    pub viewport: [f64; 2],
    /// Which way the world's y runs on the screen.
    pub y: ScreenY,
}

impl Framing {
    /// Half of what is visible, in units of the world.
    fn half(&self) -> [f64; 2] {
        self.viewport.map(|pixels| pixels / (2.0 * self.zoom))
    }

    /// The sign of the world's axes on the screen.
    fn signs(&self) -> [f64; 2] {
        match self.y {
            ScreenY::Down => [1.0, 1.0],
            ScreenY::Up => [1.0, -1.0],
        }
    }

    /// The viewport's middle on the screen.
    fn middle(&self) -> [f64; 2] {
        core::array::from_fn(|i| self.origin[i] + self.viewport[i] / 2.0)
    }

    /// Returns where on the screen a place in the world is; outside the viewport when it is not visible.
    #[must_use]
    pub fn to_screen(&self, world: [f64; 2]) -> [f64; 2] {
        let (sign, middle) = (self.signs(), self.middle());
        core::array::from_fn(|i| (world[i] - self.centre[i]) * self.zoom * sign[i] + middle[i])
    }

    /// Returns the whole pixel to draw a place in the world at, for pixel art.
    ///
    /// Rounding the camera and each sprite by themselves makes a sprite that the camera follows jump to and fro by a
    /// pixel. This rounds once, after the zoom, what lies between the two: a followed sprite stays on its pixel, and
    /// tiles of whole pixels keep together. Draw everything through it, and leave [`Framing::centre`] unrounded.
    ///
    /// ```
    /// # use portamento::camera::{Framing, ScreenY};
    /// # let framing = Framing {
    /// #     centre: [0.4, 0.0], zoom: 3.0, origin: [0.0; 2], viewport: [320.0, 180.0], y: ScreenY::Down,
    /// # };
    /// let [left, top] = framing.to_pixel([0.0, 0.0]); // a layer of tiles of 16 units starts here,
    /// let [x, y] = framing.to_pixel([16.0, 32.0]);    // and its tile (1, 2)
    /// assert_eq!([x - left, y - top], [48, 96]);      // lies on whole tiles of 48 pixels from there
    /// ```
    #[must_use]
    pub fn to_pixel(&self, world: [f64; 2]) -> [i32; 2] {
        let (sign, middle) = (self.signs(), self.middle());
        core::array::from_fn(|i| {
            let from_middle = (world[i] - self.centre[i]) * self.zoom * sign[i];
            // Halves are common (an odd dead zone, a sprite's middle), and rounding errors must not decide them: the
            // border is a little above.
            (floor(from_middle + (0.5 - 1.0 / 256.0)) + floor(middle[i])) as i32
        })
    }

    /// Returns the place in the world that is drawn at this place on the screen.
    #[must_use]
    pub fn to_world(&self, screen: [f64; 2]) -> [f64; 2] {
        let (sign, middle) = (self.signs(), self.middle());
        core::array::from_fn(|i| self.centre[i] + (screen[i] - middle[i]) / self.zoom * sign[i])
    }

    /// Returns the part of the world that is visible.
    #[must_use]
    pub fn visible(&self) -> Rect {
        let half = self.half();
        Rect {
            min: core::array::from_fn(|i| self.centre[i] - half[i]),
            max: core::array::from_fn(|i| self.centre[i] + half[i]),
        }
    }

    /// Returns whether any of `rect` is visible, its edges included, or would be with `margin` more of the world on every side.
    #[must_use]
    pub fn sees(&self, rect: &Rect, margin: f64) -> bool {
        self.visible().grown(margin).overlaps(rect)
    }

    /// The same picture moved as little as possible so that nothing outside `bounds` shows. Where the world is smaller than
    /// the picture, the world is in the middle.
    pub(super) fn within(&self, bounds: &Rect) -> Self {
        let half = self.half();
        let centre = core::array::from_fn(|i| {
            let (least, most) = (bounds.min[i] + half[i], bounds.max[i] - half[i]);
            if least <= most {
                self.centre[i].clamp(least, most)
            } else {
                // Halves first: the sum of two far ends could overflow.
                bounds.min[i] / 2.0 + bounds.max[i] / 2.0
            }
        });
        Self { centre, ..*self }
    }
}
