//! A camera over a flat world.

use super::damping::Glide;
use super::framing::{Framing, Rect, ScreenY};
use super::shake::{ShakeSettings, Shaking};
use super::{CameraCounts, IntoSubject, count, usable};
use crate::Drawn;
use crate::Presented;
use crate::error::{SettingError, check};
use crate::math::ln;

/// How the picture's centre moves after its target.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FollowRule {
    /// Damping solved exactly: the same lag at every frame rate, no shake from uneven frames.
    Smooth {
        /// How fast the centre closes its distance, per second. `1 / rate` is the time constant: after so many seconds
        /// 37 % of the way are left. Behind a target of speed v it lags by `v / rate`. Infinite is rigid.
        #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
        rate: f64,
    },
    /// The usual rule: each frame `1 - smoothing^(60 speed dt)` of the way to where the target is now. A standing
    /// target is reached alike at every frame rate; behind a moving one the lag differs, and uneven frames shake
    /// it.
    Exponential {
        /// What is left of the way after a 60th of a second at speed 1, 0 to below 1.
        smoothing: f64,
        /// How many times as fast.
        speed: f64,
    },
}

impl Default for FollowRule {
    fn default() -> Self {
        Self::Smooth { rate: 8.0 }
    }
}

impl FollowRule {
    fn check(&self) -> Result<(), SettingError> {
        match *self {
            Self::Smooth { rate } => {
                check(rate > 0.0, "rate", rate, "a number above 0, infinity for a rigid camera")
            }
            Self::Exponential { smoothing, speed } => {
                check((0.0..1.0).contains(&smoothing), "smoothing", smoothing, "a number from 0 to below 1")?;
                check(speed > 0.0 && speed.is_finite(), "speed", speed, "a number above 0")
            }
        }
    }

    fn glide(&self, seconds: f64) -> Glide {
        match *self {
            Self::Smooth { rate } => Glide::over(seconds, rate),
            Self::Exponential { smoothing, speed } => {
                Glide::over(seconds, -ln(smoothing) * 60.0 * speed).without_lead()
            }
        }
    }
}

/// All that can be chosen about a [`FollowCamera`]. `FollowSettings::new([width, height])`, and change what you
/// like.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FollowSettings {
    /// How the centre moves. Default `Smooth { rate: 8.0 }`.
    pub rule: FollowRule,
    /// Width and height of the screen in pixels.
    pub viewport: [f64; 2],
    /// Screen pixels per unit of the world. Default `1.0`.
    pub zoom: f64,
    /// The least and the most that zooming reaches. Default `[0.015625, 64.0]`.
    pub zoom_within: [f64; 2],
    /// The world's edges: nothing beyond them shows, unless the picture shakes. Default `None`.
    pub bounds: Option<Rect>,
    /// Width and height, in screen pixels around the centre, in which the target moves without moving the
    /// picture. Default `[0.0, 0.0]`.
    pub dead_zone: [f64; 2],
    /// Which way the world's y runs on the screen. Default `Down`.
    pub y: ScreenY,
    /// How the picture shakes when it does. The defaults stand in [`ShakeSettings`].
    pub shake: ShakeSettings,
    /// The last of the way is taken in one step when the target stands still and no more pixels than this are
    /// left. Default `0.015625`.
    pub settle: f64,
}

impl FollowSettings {
    /// For a screen of `viewport` pixels, one unit of the world to a pixel.
    #[must_use]
    pub fn new(viewport: [f64; 2]) -> Self {
        Self {
            rule: FollowRule::default(),
            viewport,
            zoom: 1.0,
            zoom_within: [1.0 / 64.0, 64.0],
            bounds: None,
            dead_zone: [0.0; 2],
            y: ScreenY::Down,
            shake: ShakeSettings::default(),
            settle: 1.0 / 64.0,
        }
    }

    fn check(&self) -> Result<(), SettingError> {
        self.rule.check()?;
        let positive = |x: f64| x > 0.0 && x.is_finite();
        for pixels in self.viewport {
            check(positive(pixels), "viewport", pixels, "a number of pixels above 0")?;
        }
        let [least, most] = self.zoom_within;
        check(positive(least), "least zoom", least, "a number above 0")?;
        check(most >= least && most.is_finite(), "most zoom", most, "a number not below the least zoom")?;
        let reachable = (least..=most).contains(&self.zoom);
        check(reachable, "zoom", self.zoom, "a number within zoom_within, which is above 0")?;
        if let Some(bounds) = self.bounds {
            bounds.check()?;
        }
        for pixels in self.dead_zone {
            check(pixels >= 0.0 && pixels.is_finite(), "dead zone", pixels, "a number of pixels, 0 or more")?;
        }
        self.shake.check()?;
        check(self.settle >= 0.0 && self.settle.is_finite(), "settle", self.settle, "pixels, 0 or more")
    }
}

/// A camera over a flat world that follows a target's view.
///
/// The first update, and one after a cut, puts it there at once.
///
/// ```
/// use portamento::Moment;
/// use portamento::camera::{FollowCamera, FollowSettings, Rect};
///
/// let mut camera = FollowCamera::new(FollowSettings {
///     bounds: Some(Rect::new([0.0, 0.0], [4000.0, 1000.0])?),
///     dead_zone: [80.0, 40.0],
///     ..FollowSettings::new([640.0, 360.0])
/// })?;
/// let moment = Moment::at(0.5, 1.0 / 60.0);
/// let framing = camera.update(moment, [100.0f32, 500.0]);
/// assert_eq!(framing.offset(), [0.0, 320.0]); // stopped at the world's left edge
///
/// let under_mouse = framing.to_world([10.0, 20.0]);
/// camera.zoom_to(2.0, Some([10.0, 20.0]));
/// let closer = camera.update(moment, [100.0f32, 500.0]);
/// assert!(closer.visible().contains(under_mouse));
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FollowCamera {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "saved_settings"))]
    settings: FollowSettings,
    state: Option<State>,
    shaking: Shaking,
    drawn: Framing,
    cut: bool,
    counts: CameraCounts,
}

#[cfg(feature = "serde")]
fn saved_settings<'de, D: serde::Deserializer<'de>>(from: D) -> Result<FollowSettings, D::Error> {
    crate::saved::checked(from, |settings: &FollowSettings| settings.check())
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct State {
    /// The middle of the picture, within the bounds, before shaking.
    centre: [f64; 2],
    /// The target in the last frame. Not what it asked for: that changes with the zoom and the bounds.
    target: [f64; 2],
}

impl FollowCamera {
    /// A camera that will be over its target at its first update.
    pub fn new(settings: FollowSettings) -> Result<Self, SettingError> {
        settings.check()?;
        let mut camera = Self {
            settings,
            state: None,
            shaking: Shaking::default(),
            drawn: Framing {
                centre: [0.0; 2],
                zoom: settings.zoom,
                viewport: settings.viewport,
                y: settings.y,
            },
            cut: false,
            counts: CameraCounts::default(),
        };
        camera.drawn.centre = camera.confined([0.0; 2]);
        Ok(camera)
    }

    /// Follows `target` through this frame.
    pub fn update(&mut self, presented: impl Into<Presented>, target: impl IntoSubject<[f64; 2]>) -> Framing {
        self.advance(presented.into().seconds(), target.into_subject())
    }

    pub(super) fn advance(&mut self, seconds: f64, target: Drawn<[f64; 2]>) -> Framing {
        self.cut |= target.cut;
        if !target.now.iter().all(|c| c.is_finite()) {
            count(&mut self.counts.targets);
            return self.drawn;
        }
        if !usable(seconds) {
            count(&mut self.counts.times);
        }
        let state = match self.state {
            Some(state) if !self.cut => {
                if !usable(seconds) {
                    return self.drawn;
                }
                self.follow(&state, target.now, seconds)
            }
            _ => {
                let centre = self.confined(target.now);
                State { centre, target: target.now }
            }
        };
        self.cut = false;
        self.state = Some(state);
        if usable(seconds) {
            self.shaking.advance(seconds, &self.settings.shake);
        }
        self.drawn = self.frame(state.centre);
        self.drawn
    }

    fn follow(&self, state: &State, target: [f64; 2], seconds: f64) -> State {
        let FollowSettings { rule, zoom, settle, .. } = self.settings;
        let from = self.confined(state.centre); // the zoom or the bounds may have changed since
        let (before, goal) = (self.goal(from, state.target), self.goal(from, target));
        let glide = rule.glide(seconds);
        let centre = core::array::from_fn(|i| {
            let centre = glide.follow(&from[i], &before[i], &goal[i]);
            let arrived = goal[i] == before[i] && (centre - goal[i]).abs() * zoom <= settle;
            if arrived && seconds > 0.0 { goal[i] } else { centre }
        });
        State { centre, target }
    }

    /// The nearest place to `from` that has `target` in the dead zone and the picture in the world.
    fn goal(&self, from: [f64; 2], target: [f64; 2]) -> [f64; 2] {
        let FollowSettings { dead_zone, zoom, .. } = self.settings;
        let slack = dead_zone.map(|pixels| pixels / (2.0 * zoom));
        let goal = core::array::from_fn(|i| from[i].clamp(target[i] - slack[i], target[i] + slack[i]));
        self.confined(goal)
    }

    fn confined(&self, centre: [f64; 2]) -> [f64; 2] {
        let FollowSettings { bounds, viewport, zoom, y, .. } = self.settings;
        let framing = Framing { centre, zoom, viewport, y };
        bounds.map_or(framing, |bounds| framing.within(&bounds)).centre
    }

    /// The picture around `centre`, shaken.
    fn frame(&self, centre: [f64; 2]) -> Framing {
        let FollowSettings { viewport, zoom, y, .. } = self.settings;
        let centre = match self.shaking.pixels(&self.settings.shake) {
            Some(pixels) => core::array::from_fn(|i| centre[i] + pixels[i] / zoom),
            None => centre,
        };
        Framing { centre, zoom, viewport, y }
    }

    /// The picture last drawn: what the player sees, and so what a click means.
    #[must_use]
    pub fn framing(&self) -> Framing {
        self.drawn
    }

    /// The middle of the picture before shaking.
    #[must_use]
    pub fn centre(&self) -> [f64; 2] {
        self.state.map_or(self.drawn.centre, |state| state.centre)
    }

    /// Moves the picture at once, and forgets the motion before: the next frame starts here.
    pub fn set_centre(&mut self, centre: [f64; 2]) {
        if !centre.iter().all(|c| c.is_finite()) {
            count(&mut self.counts.requests);
            return;
        }
        let centre = self.confined(centre);
        self.state = Some(State { centre, target: centre });
        self.cut = false;
    }

    /// The target jumped: so will the picture at the next update. Not needed with what [`Track::draw`] gives.
    ///
    /// [`Track::draw`]: crate::Track::draw
    pub fn cut(&mut self) {
        self.cut = true;
    }

    /// The world's origin moves: the same shift as every track's. The bounds move along.
    pub fn rebase(&mut self, shift: [f64; 2]) {
        if !shift.iter().all(|c| c.is_finite()) {
            count(&mut self.counts.requests);
            return;
        }
        let moved = |place: &mut [f64; 2]| *place = core::array::from_fn(|i| place[i] + shift[i]);
        moved(&mut self.drawn.centre);
        if let Some(state) = &mut self.state {
            moved(&mut state.centre);
            moved(&mut state.target);
        }
        if let Some(bounds) = &mut self.settings.bounds {
            moved(&mut bounds.min);
            moved(&mut bounds.max);
        }
    }

    /// Shakes the picture: 1 is full strength, and shakes add up to it. What the camera follows, and where, is
    /// not touched.
    pub fn shake(&mut self, strength: f64) {
        if strength > 0.0 && strength.is_finite() {
            self.shaking.add(strength);
        } else {
            count(&mut self.counts.requests);
        }
    }

    /// Zooms to `zoom` screen pixels per unit of the world, or as near as [`FollowSettings::zoom_within`] lets.
    /// The place under `about` (screen pixels; `None`: the middle) stays under it, as far as the bounds let.
    pub fn zoom_to(&mut self, zoom: f64, about: Option<[f64; 2]>) {
        let finite = about.is_none_or(|about| about.iter().all(|c| c.is_finite()));
        if !(zoom > 0.0 && zoom.is_finite() && finite) {
            count(&mut self.counts.requests);
            return;
        }
        let centre = self.centre();
        let anchor = about.map(|about| (about, self.frame(centre).to_world(about)));
        let [least, most] = self.settings.zoom_within;
        self.settings.zoom = zoom.clamp(least, most);
        let Some(state) = self.state else { return };
        let centre = match anchor {
            Some((about, place)) => {
                // How far the place would be off, taken back.
                let off = self.frame(centre).to_world(about);
                core::array::from_fn(|i| centre[i] + (place[i] - off[i]))
            }
            None => centre,
        };
        // An anchor far off the screen can ask for a centre beyond every number.
        let centre = if centre.iter().all(|c: &f64| c.is_finite()) { centre } else { state.centre };
        self.state = Some(State { centre: self.confined(centre), ..state });
    }

    /// Zooms in by `factor` (below 1: out), like [`FollowCamera::zoom_to`].
    pub fn zoom_by(&mut self, factor: f64, about: Option<[f64; 2]>) {
        self.zoom_to(self.settings.zoom * factor, about);
    }

    /// Zooms `steps` levels in (negative: out) along `levels`, which must ascend; from between two levels the
    /// first step leads to the next one. The last level holds.
    ///
    /// ```
    /// # use portamento::camera::{FollowCamera, FollowSettings};
    /// # let mut camera = FollowCamera::new(FollowSettings::new([640.0, 360.0]))?;
    /// let levels = [0.5, 1.0, 2.0, 3.0];
    /// camera.zoom_steps(&levels, 2, None);
    /// assert_eq!(camera.settings().zoom, 3.0);
    /// camera.zoom_steps(&levels, -10, None);
    /// assert_eq!(camera.settings().zoom, 0.5);
    /// # Ok::<(), portamento::SettingError>(())
    /// ```
    pub fn zoom_steps(&mut self, levels: &[f64], steps: i32, about: Option<[f64; 2]>) {
        let zoom = self.settings.zoom;
        let hops = steps.unsigned_abs().saturating_sub(1) as usize;
        let level = if steps > 0 {
            let next = levels.iter().position(|level| *level > zoom);
            next.map(|next| levels[next.saturating_add(hops).min(levels.len() - 1)])
        } else if steps < 0 {
            let next = levels.iter().rposition(|level| *level < zoom);
            next.map(|next| levels[next.saturating_sub(hops)])
        } else {
            None
        };
        if let Some(level) = level {
            self.zoom_to(level, about);
        }
    }

    /// Other settings from the next frame on (a window of another size, another room's bounds).
    pub fn set_settings(&mut self, settings: FollowSettings) -> Result<(), SettingError> {
        settings.check()?;
        self.settings = settings;
        Ok(())
    }

    /// The settings in force; the zoom is where zooming has brought it.
    #[must_use]
    pub fn settings(&self) -> &FollowSettings {
        &self.settings
    }

    /// Returns what could not be used so far.
    #[must_use]
    pub fn counts(&self) -> CameraCounts {
        self.counts
    }
}
