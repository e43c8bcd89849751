//! Which part of a flat world is on the screen?

use crate::error::{SettingError, check};

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

/// A rectangle of the world, edges included.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rect {
    /// The corner with the smaller coordinates.
    pub min: [f64; 2],
    /// The corner with the larger ones.
    pub max: [f64; 2],
}

impl Rect {
    /// From `min` to `max`; refused when they are the wrong way round.
    pub fn new(min: [f64; 2], max: [f64; 2]) -> Result<Self, SettingError> {
        let rect = Self { min, max };
        rect.check()?;
        Ok(rect)
    }

    pub(super) fn check(&self) -> Result<(), SettingError> {
        const LEFT_TOP: [&str; 2] = ["rectangle's min[0]", "rectangle's min[1]"];
        const RIGHT_BOTTOM: [&str; 2] = ["rectangle's max[0]", "rectangle's max[1]"];
        for i in 0..2 {
            check(self.min[i].is_finite(), LEFT_TOP[i], self.min[i], "a finite number")?;
            let ordered = self.max[i] >= self.min[i] && self.max[i].is_finite();
            check(ordered, RIGHT_BOTTOM[i], self.max[i], "a finite number, not below min")?;
        }
        Ok(())
    }

    /// The rectangle with `margin` more on every side (less when it is negative).
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self { min: self.min.map(|c| c - margin), max: self.max.map(|c| c + margin) }
    }

    /// Whether `point` lies in it or on its edge.
    #[must_use]
    pub fn contains(&self, point: [f64; 2]) -> bool {
        (0..2).all(|i| self.min[i] <= point[i] && point[i] <= self.max[i])
    }

    /// Whether the two share a point; touching counts.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..2).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }
}

/// One frame's picture of a flat world: what to draw with, and what to ask where the mouse is.
///
/// It holds the *drawn* centre, shake and bounds included, so what is under the pointer is what the player sees
/// there.
///
/// ```
/// use portamento::camera::{Framing, ScreenY};
/// let framing = Framing { centre: [100.0, 50.0], zoom: 2.0, viewport: [640.0, 360.0], y: ScreenY::Down };
/// assert_eq!(framing.offset(), [-60.0, -40.0]);
/// assert_eq!(framing.to_screen([100.0, 50.0]), [320.0, 180.0]);
/// assert_eq!(framing.to_world([320.0, 180.0]), [100.0, 50.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Framing {
    /// The place in the world at the middle of the screen.
    pub centre: [f64; 2],
    /// Screen pixels per unit of the world.
    pub zoom: f64,
    /// Width and height of the screen in pixels.
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

    /// The place in the world at the screen's upper left corner.
    #[must_use]
    pub fn offset(&self) -> [f64; 2] {
        let (half, sign) = (self.half(), self.signs());
        core::array::from_fn(|i| self.centre[i] - sign[i] * half[i])
    }

    /// Where on the screen a place in the world is; outside the viewport when it is not visible.
    #[must_use]
    pub fn to_screen(&self, world: [f64; 2]) -> [f64; 2] {
        let sign = self.signs();
        core::array::from_fn(|i| (world[i] - self.centre[i]) * self.zoom * sign[i] + self.viewport[i] / 2.0)
    }

    /// What place in the world is drawn at this place on the screen.
    #[must_use]
    pub fn to_world(&self, screen: [f64; 2]) -> [f64; 2] {
        let sign = self.signs();
        core::array::from_fn(|i| self.centre[i] + (screen[i] - self.viewport[i] / 2.0) / self.zoom * sign[i])
    }

    /// What is visible.
    #[must_use]
    pub fn visible(&self) -> Rect {
        let half = self.half();
        Rect {
            min: core::array::from_fn(|i| self.centre[i] - half[i]),
            max: core::array::from_fn(|i| self.centre[i] + half[i]),
        }
    }

    /// Whether any of `rect` is visible, or would be with `margin` more of the world on every side.
    #[must_use]
    pub fn sees(&self, rect: &Rect, margin: f64) -> bool {
        self.visible().grown(margin).overlaps(rect)
    }

    /// The same picture moved as little as possible so that nothing outside `bounds` shows. Where the world is
    /// smaller than the picture, it is in the middle.
    #[must_use]
    pub fn within(&self, bounds: &Rect) -> Self {
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
