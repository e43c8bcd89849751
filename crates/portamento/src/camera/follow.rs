//! A camera over a flat world.

use super::damping::Glide;
use super::framing::{Framing, Rect, ScreenY};
use super::shake::{ShakeSettings, Shaking};
use super::{CameraCounts, IntoSubject, is_place, usable};
use crate::count::count;
use crate::error::{SettingError, check, within};
use crate::math::ln;
use crate::{Drawn, IntoPresented};

/// More pixels than any screen has.
const MOST_PIXELS: f64 = 1e9;

/// How the picture's centre moves after its target.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FollowRule {
    /// Damping solved exactly: the same lag at every frame rate, no shake from uneven frames.
    Smooth {
        /// How fast the centre closes its distance, per second, along each axis. `1 / rate` is the time constant: after
        /// this many seconds 37 % of the way are left. Behind a target of speed v it lags by `v / rate`. Infinite is
        /// rigid.
        #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
        rate: [f64; 2],
    },
    /// The usual rule: each frame `1 - smoothing^(60 speed dt)` of the way to where the target is now. A standing
    /// target is reached in the same way at every frame rate; behind a moving one the lag differs, and uneven frames shake
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
        Self::Smooth { rate: [8.0; 2] }
    }
}

impl FollowRule {
    fn check(&self) -> Result<(), SettingError> {
        match *self {
            Self::Smooth { rate } => {
                let rigid = "a number above 0, infinity for a rigid camera";
                rate.into_iter().try_for_each(|rate| check(rate > 0.0, "rate", rate, rigid))
            }
            Self::Exponential { smoothing, speed } => {
                check((0.0..1.0).contains(&smoothing), "smoothing", smoothing, "a number from 0 to below 1")?;
                check(speed > 0.0 && speed.is_finite(), "speed", speed, "a number above 0")
            }
        }
    }

    fn glides(&self, seconds: f64) -> [Glide; 2] {
        match *self {
            Self::Smooth { rate: [x, y] } if x == y => [Glide::over(seconds, x); 2],
            Self::Smooth { rate } => rate.map(|rate| Glide::over(seconds, rate)),
            Self::Exponential { smoothing, speed } => {
                [Glide::over(seconds, -ln(smoothing) * 60.0 * speed).without_lead(); 2]
            }
        }
    }
}

/// Settings of a [`FollowCamera`]. Begin with `FollowSettings::new([width, height])`, and change what you like.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FollowSettings {
    /// How the centre moves. Default `Smooth { rate: [8.0, 8.0] }`.
    pub rule: FollowRule,
    /// Width and height of the viewport in pixels.
    pub viewport: [f64; 2],
    /// The viewport's upper left corner in the window, for a split screen. Default `[0.0, 0.0]`.
    pub origin: [f64; 2],
    /// Screen pixels per unit of the world; while several targets are framed, the most. Default `1.0`.
    pub zoom: f64,
    /// The least and the most that zooming reaches. Default `[0.015625, 64.0]`.
    pub zoom_within: [f64; 2],
    /// The world's edges: nothing beyond them shows, unless the picture shakes or scrolls in from other bounds.
    /// Default `None`.
    pub bounds: Option<Rect>,
    /// Width and height, in screen pixels around the centre, in which the target moves without moving the
    /// picture. Default `[0.0, 0.0]`.
    pub dead_zone: [f64; 2],
    /// How far ahead of a moving target to look along each axis: this many seconds of its motion, at most a quarter of
    /// the viewport. Default `[0.0, 0.0]`.
    pub look_ahead: [f64; 2],
    /// Screen pixels kept free around several targets. Default `48.0`.
    pub fit_margin: f64,
    /// How fast everything else glides, per second, as a rate like that of the rule: the look-ahead, the zoom back in
    /// when several targets come closer, the scroll to new bounds. Default `3.0`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub ease_rate: f64,
    /// Which way the world's y runs on the screen. Default `Down`.
    pub y: ScreenY,
    /// How the picture shakes. The defaults are in [`ShakeSettings`].
    pub shake: ShakeSettings,
    /// The last of the way is taken in one step when the target stands still and no more pixels than this are
    /// left. Default `0.015625`.
    pub settle: f64,
}

impl FollowSettings {
    /// Creates settings for a screen of `viewport` pixels, one unit of the world to a pixel.
    #[must_use]
    pub fn new(viewport: [f64; 2]) -> Self {
        Self {
            rule: FollowRule::default(),
            viewport,
            origin: [0.0; 2],
            zoom: 1.0,
            zoom_within: [1.0 / 64.0, 64.0],
            bounds: None,
            dead_zone: [0.0; 2],
            look_ahead: [0.0; 2],
            fit_margin: 48.0,
            ease_rate: 3.0,
            y: ScreenY::Down,
            shake: ShakeSettings::default(),
            settle: 1.0 / 64.0,
        }
    }

    fn check(&self) -> Result<(), SettingError> {
        self.rule.check()?;
        for pixels in self.viewport {
            within("viewport", pixels, f64::MIN_POSITIVE, MOST_PIXELS)?;
        }
        for pixels in self.origin {
            within("origin", pixels, -MOST_PIXELS, MOST_PIXELS)?;
        }
        let [least, most] = self.zoom_within;
        within("least zoom", least, 1e-9, MOST_PIXELS)?;
        within("most zoom", most, least, MOST_PIXELS)?;
        within("zoom", self.zoom, least, most)?;
        if let Some(bounds) = self.bounds {
            bounds.check()?;
        }
        for pixels in self.dead_zone {
            within("dead zone", pixels, 0.0, MOST_PIXELS)?;
        }
        for seconds in self.look_ahead {
            within("look_ahead", seconds, 0.0, MOST_PIXELS)?;
        }
        within("fit_margin", self.fit_margin, 0.0, MOST_PIXELS)?;
        check(self.ease_rate > 0.0, "ease_rate", self.ease_rate, "a number above 0, infinity for at once")?;
        self.shake.check()?;
        within("settle", self.settle, 0.0, MOST_PIXELS)?;
        Ok(())
    }
}

/// A camera over a flat world that follows a target as drawn.
///
/// The first update, and one after a cut, puts it there at once.
///
/// ```
/// use portamento::Moment;
/// use portamento::camera::{FollowCamera, FollowSettings, Rect};
///
/// let mut camera = FollowCamera::new(FollowSettings {
///     bounds: Some(Rect { min: [0.0, 0.0], max: [4000.0, 1000.0] }),
///     dead_zone: [80.0, 40.0],
///     ..FollowSettings::new([640.0, 360.0])
/// })?;
/// let moment = Moment::at(0.5, 1.0 / 60.0);
/// let framing = camera.update(moment, [100.0f32, 500.0]);
/// assert_eq!(framing.visible().min, [0.0, 320.0]); // stopped at the world's left edge
///
/// let under_mouse = framing.to_world([10.0, 20.0]);
/// camera.zoom_to(2.0, Some([10.0, 20.0]));
/// let closer = camera.update(moment, [100.0f32, 500.0]);
/// assert_eq!(closer.to_world([10.0, 20.0]), under_mouse);
/// # Ok::<(), portamento::SettingError>(())
/// ```
///
/// | to | call |
/// |---|---|
/// | follow a target | [`update`](Self::update) |
/// | keep several in the picture | [`update_all`](Self::update_all) |
/// | stay, or move by hand | [`update_free`](Self::update_free), with [`pan`](Self::pan) or [`set_centre`](Self::set_centre) |
///
/// Change between the three as you like: the picture glides from where it is.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FollowCamera {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "saved_settings"))]
    settings: FollowSettings,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "saved_state"))]
    state: Option<State>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "saved_shaking"))]
    shaking: Shaking,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "saved_drawn"))]
    drawn: Framing,
    cut: bool,
    counts: CameraCounts,
}

#[cfg(feature = "serde")]
fn saved_shaking<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Shaking, D::Error> {
    crate::saved::checked(from, Shaking::check)
}

#[cfg(feature = "serde")]
fn saved_drawn<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Framing, D::Error> {
    crate::saved::checked(from, |drawn: &Framing| -> Result<(), SettingError> {
        let Framing { centre, zoom, origin, viewport, .. } = *drawn;
        // A shake leads a little farther out than any place.
        check(is_place(centre.map(|c| c / 10.0)), "saved place", centre[0], "what a camera saved")?;
        within("saved zoom", zoom, 1e-30, MOST_PIXELS)?;
        for pixels in origin {
            within("saved origin", pixels, -MOST_PIXELS, MOST_PIXELS)?;
        }
        for pixels in viewport {
            within("saved viewport", pixels, f64::MIN_POSITIVE, MOST_PIXELS)?;
        }
        Ok(())
    })
}

#[cfg(feature = "serde")]
fn saved_settings<'de, D: serde::Deserializer<'de>>(from: D) -> Result<FollowSettings, D::Error> {
    crate::saved::checked(from, |settings: &FollowSettings| settings.check())
}

#[cfg(feature = "serde")]
fn saved_state<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<State>, D::Error> {
    crate::saved::checked(from, |state: &Option<State>| -> Result<(), SettingError> {
        let Some(State { centre, scroll, target, ahead, beside, span, span_wanted, .. }) = *state else {
            return Ok(());
        };
        for place in [centre, scroll, ahead, beside, target.unwrap_or_default()] {
            check(is_place(place), "saved place", place[0], "what a camera saved")?;
        }
        within("saved span", span, 1.0, 1e18)?;
        within("saved span", span_wanted, 1.0, 1e18).map(|_| ())
    })
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct State {
    /// The middle of the picture, within the bounds, before scrolling and shaking.
    centre: [f64; 2],
    /// How far the drawn middle still is from there, since the bounds changed.
    scroll: [f64; 2],
    /// The target in the last frame; `None` while nothing is followed. Not what it asked for: that changes with the
    /// zoom and the bounds.
    target: Option<[f64; 2]>,
    /// How many targets that was the middle of.
    targets: usize,
    /// How far ahead of the target the picture looks.
    ahead: [f64; 2],
    /// How far beside the target the user has put the picture, by zooming about a point or panning.
    beside: [f64; 2],
    /// How many times as much of the world is visible as the settings' zoom says, 1 or more.
    span: f64,
    /// The same as the last frame's targets ask for.
    span_wanted: f64,
}

/// What one frame's targets ask for.
struct Wanted {
    place: [f64; 2],
    span: f64,
    targets: usize,
    /// All of them jumped: so does the picture.
    cut: bool,
    /// Some of them jumped: the picture glides, but that was no motion to look ahead of.
    jumped: bool,
}

impl FollowCamera {
    /// Creates a camera that will be over its target at its first update.
    pub fn new(settings: FollowSettings) -> Result<Self, SettingError> {
        settings.check()?;
        let mut camera = Self {
            settings,
            state: None,
            shaking: Shaking::default(),
            drawn: Framing {
                centre: [0.0; 2],
                zoom: settings.zoom,
                origin: settings.origin,
                viewport: settings.viewport,
                y: settings.y,
            },
            cut: false,
            counts: CameraCounts::default(),
        };
        camera.drawn.centre = camera.confined([0.0; 2], settings.zoom);
        Ok(camera)
    }

    /// Follows `target` through this frame.
    ///
    /// `target` is best what `draw` returned, because that reports cuts; see [`IntoSubject`].
    pub fn update(&mut self, presented: impl IntoPresented, target: impl IntoSubject<[f64; 2]>) -> Framing {
        self.advance(presented.into_presented().seconds(), [target.into_subject()], true)
    }

    /// Follows the middle of all `targets`, and zooms out from [`FollowSettings::zoom`] as far as needed to show them
    /// all with [`FollowSettings::fit_margin`] around them. It zooms out as fast as it follows.
    ///
    /// The picture jumps when all of them have jumped; when only some have, it glides. Without a target it is
    /// [`FollowCamera::update_free`].
    ///
    /// ```
    /// # use portamento::Moment;
    /// # use portamento::camera::{FollowCamera, FollowSettings, Rect};
    /// # let mut camera = FollowCamera::new(FollowSettings::new([640.0, 360.0]))?;
    /// # let moment = Moment::newest(1.0 / 60.0);
    /// let players = [[0.0, 0.0], [900.0, 100.0], [300.0, 500.0]];
    /// let framing = camera.update_all(moment, players);
    /// assert!(players.iter().all(|&place| framing.sees(&Rect { min: place, max: place }, 0.0)));
    /// # Ok::<(), portamento::SettingError>(())
    /// ```
    pub fn update_all<T: IntoSubject<[f64; 2]>>(
        &mut self,
        presented: impl IntoPresented,
        targets: impl IntoIterator<Item = T>,
    ) -> Framing {
        self.advance(presented.into_presented().seconds(), targets.into_iter().map(T::into_subject), false)
    }

    /// Follows nothing in this frame: the picture stays where it is, or where [`FollowCamera::pan`] and
    /// [`FollowCamera::set_centre`] move it.
    pub fn update_free(&mut self, presented: impl IntoPresented) -> Framing {
        self.advance(presented.into_presented().seconds(), [], false)
    }

    /// `needed`: a frame without a usable target draws the last one again.
    pub(super) fn advance(
        &mut self,
        seconds: f64,
        targets: impl IntoIterator<Item = Drawn<[f64; 2]>>,
        needed: bool,
    ) -> Framing {
        let wanted = self.wanted(targets);
        if needed && wanted.is_none() {
            return self.drawn;
        }
        if !usable(seconds) {
            count(&mut self.counts.times);
        }
        self.cut |= wanted.as_ref().is_some_and(|wanted| wanted.cut);
        let state = match (self.state, &wanted) {
            (Some(state), wanted) if !self.cut || wanted.is_none() => {
                if !usable(seconds) {
                    return self.drawn;
                }
                self.follow(&state, wanted.as_ref(), seconds)
            }
            (_, wanted) => {
                self.cut = false;
                let (place, span, targets) =
                    wanted.as_ref().map_or((self.drawn.centre, 1.0, 0), |w| (w.place, w.span, w.targets));
                State {
                    centre: self.confined(place, self.zoom_at(span)),
                    target: wanted.is_some().then_some(place),
                    targets,
                    span,
                    span_wanted: span,
                    ..State::AT_REST
                }
            }
        };
        self.state = Some(state);
        if usable(seconds) && !self.settings.shake.own_time {
            self.shaking.advance(seconds, &self.settings.shake);
        }
        self.draw()
    }

    /// The middle of all targets and the span that shows them; `None` without a usable one.
    fn wanted(&mut self, targets: impl IntoIterator<Item = Drawn<[f64; 2]>>) -> Option<Wanted> {
        let FollowSettings { viewport, zoom, zoom_within, fit_margin, .. } = self.settings;
        let [mut min, mut max] = [[f64::MAX; 2], [f64::MIN; 2]];
        let (mut found, mut jumps) = (0usize, 0usize);
        for target in targets {
            if !is_place(target.now) {
                count(&mut self.counts.targets);
                // Its cut must not be lost, where it is the only one.
                self.cut |= target.cut;
                continue;
            }
            found += 1;
            jumps += usize::from(target.cut);
            for i in 0..2 {
                (min[i], max[i]) = (min[i].min(target.now[i]), max[i].max(target.now[i]));
            }
        }
        let (place, span) = match found {
            0 => return None,
            1 => (min, 1.0),
            _ => {
                // Halves first: the sum of two far ends could overflow.
                let place = core::array::from_fn(|i| min[i] / 2.0 + max[i] / 2.0);
                let spans = (0..2).map(|i| {
                    let room = (viewport[i] - 2.0 * fit_margin).max(viewport[i] / 4.0);
                    (max[i] - min[i]) * zoom / room
                });
                (place, spans.fold(1.0, f64::max).min(zoom / zoom_within[0]))
            }
        };
        Some(Wanted { place, span, targets: found, cut: jumps == found, jumped: jumps > 0 })
    }

    fn follow(&self, state: &State, wanted: Option<&Wanted>, seconds: f64) -> State {
        let FollowSettings { rule, look_ahead, ease_rate, settle, viewport, .. } = self.settings;
        // Most frames ease nothing.
        let ease = || Glide::over(seconds, ease_rate);
        let glides = rule.glides(seconds);
        let moves = seconds > 0.0;

        let span_wanted = wanted.map_or(state.span_wanted, |wanted| wanted.span);
        let mut span = state.span;
        if span != span_wanted || state.span_wanted != span_wanted {
            // Out as fast as it follows, lest a target gets out of the picture; in gently.
            let glide = if span_wanted > state.span { glides[0] } else { ease() };
            span = glide.follow(&state.span, &state.span_wanted, &span_wanted);
            let pixels = (span - span_wanted).abs() / span_wanted * viewport[0].max(viewport[1]);
            if state.span_wanted == span_wanted && moves && pixels <= settle {
                span = span_wanted;
            }
        }
        let zoom = self.zoom_at(span);

        let mut scroll = state.scroll;
        if scroll != [0.0; 2] {
            scroll = ease().follow(&scroll, &[0.0; 2], &[0.0; 2]);
            if moves && scroll.iter().all(|c| c.abs() * zoom <= settle) {
                scroll = [0.0; 2];
            }
        }
        let from = self.confined(state.centre, zoom); // the zoom or the viewport may have changed since
        let still = State { centre: from, scroll, span, span_wanted, ..*state };
        let Some(wanted) = wanted else {
            return State { target: None, targets: 0, ..still };
        };

        // A target that was not followed before, or not alone, has no motion yet.
        let known = !wanted.jumped && wanted.targets == state.targets;
        let before = state.target.filter(|_| known).unwrap_or(wanted.place);
        let ahead = match look_ahead {
            [0.0, 0.0] => [0.0; 2],
            _ if !moves => state.ahead,
            _ => core::array::from_fn(|i| {
                let way = wanted.place[i] - before[i];
                let most = viewport[i] / (4.0 * zoom);
                let to = if way == 0.0 { 0.0 } else { (way * look_ahead[i] / seconds).clamp(-most, most) };
                let ahead = ease().follow(&state.ahead[i], &to, &to);
                if to == 0.0 && ahead.abs() * zoom <= settle { 0.0 } else { ahead }
            }),
        };
        let beside = state.beside;
        let old = self.goal(from, core::array::from_fn(|i| before[i] + (beside[i] + state.ahead[i])), zoom);
        let goal = self.goal(from, core::array::from_fn(|i| wanted.place[i] + (beside[i] + ahead[i])), zoom);
        let centre = core::array::from_fn(|i| {
            let centre = glides[i].follow(&from[i], &old[i], &goal[i]);
            let arrived = goal[i] == old[i] && (centre - goal[i]).abs() * zoom <= settle;
            if arrived && moves { goal[i] } else { centre }
        });
        State { centre, target: Some(wanted.place), targets: wanted.targets, ahead, ..still }
    }

    /// The nearest place to `from` that has `target` in the dead zone and the picture in the world.
    fn goal(&self, from: [f64; 2], target: [f64; 2], zoom: f64) -> [f64; 2] {
        let slack = self.slack(zoom);
        let goal = core::array::from_fn(|i| from[i].clamp(target[i] - slack[i], target[i] + slack[i]));
        self.confined(goal, zoom)
    }

    /// Half the dead zone, in units of the world.
    fn slack(&self, zoom: f64) -> [f64; 2] {
        self.settings.dead_zone.map(|pixels| pixels / (2.0 * zoom))
    }

    fn confined(&self, centre: [f64; 2], zoom: f64) -> [f64; 2] {
        let framing = self.around(centre, zoom);
        self.settings.bounds.map_or(framing, |bounds| framing.within(&bounds)).centre
    }

    fn around(&self, centre: [f64; 2], zoom: f64) -> Framing {
        let FollowSettings { origin, viewport, y, .. } = self.settings;
        Framing { centre, zoom, origin, viewport, y }
    }

    /// The picture around `centre`, shaken.
    fn frame(&self, centre: [f64; 2], zoom: f64) -> Framing {
        let centre = match self.shaking.pixels(&self.settings.shake) {
            Some(pixels) => core::array::from_fn(|i| centre[i] + pixels[i] / zoom),
            None => centre,
        };
        self.around(centre, zoom)
    }

    fn draw(&mut self) -> Framing {
        self.drawn = self.frame(self.centre(), self.zoom());
        self.drawn
    }

    /// Returns the picture last drawn: what the player sees, and so what a click means.
    #[must_use]
    pub fn framing(&self) -> Framing {
        self.drawn
    }

    /// The middle of the picture before shaking.
    pub(super) fn centre(&self) -> [f64; 2] {
        let add = |State { centre, scroll, .. }: State| [centre[0] + scroll[0], centre[1] + scroll[1]];
        self.state.map_or(self.drawn.centre, add)
    }

    /// The zoom in force: that of the settings, or less for several targets.
    fn zoom(&self) -> f64 {
        self.zoom_at(self.state.map_or(1.0, |state| state.span))
    }

    fn zoom_at(&self, span: f64) -> f64 {
        (self.settings.zoom / span).max(self.settings.zoom_within[0])
    }

    /// Moves the picture at once, and forgets the motion before: the next frame starts here.
    pub fn set_centre(&mut self, centre: [f64; 2]) {
        if !is_place(centre) {
            count(&mut self.counts.requests);
            return;
        }
        let span = self.state.map_or(1.0, |state| state.span);
        let centre = self.confined(centre, self.zoom());
        self.state = Some(State { centre, span, span_wanted: span, ..State::AT_REST });
        self.cut = false;
    }

    /// Moves the picture at once by this many screen pixels, as a mouse drags it: what was under the pointer stays under
    /// it. While a target is followed, the picture stays that far beside it until [`FollowCamera::recentre`].
    pub fn pan(&mut self, pixels: [f64; 2]) {
        let Some(state) = self.state else { return };
        let from = self.frame(state.centre, self.zoom());
        let [here, there] = [from.origin, core::array::from_fn(|i| from.origin[i] + pixels[i])];
        let (here, there) = (from.to_world(here), from.to_world(there));
        let centre = core::array::from_fn(|i| state.centre[i] - (there[i] - here[i]));
        self.put(state, centre, self.zoom(), self.zoom());
    }

    /// Puts the middle of the picture to `centre` where the bounds let; the target stays where it is on the screen in
    /// relation to where it should be, so that following does not pull the picture back.
    fn put(&mut self, state: State, centre: [f64; 2], old_zoom: f64, zoom: f64) {
        let mut next = State { centre: self.confined(centre, zoom), ..state };
        if let Some(target) = state.target {
            let aim: [f64; 2] = core::array::from_fn(|i| target[i] + (state.beside[i] + state.ahead[i]));
            let old_goal = self.goal(state.centre, aim, old_zoom);
            let slack = self.slack(zoom);
            next.beside = core::array::from_fn(|i| {
                // Where in the dead zone it was, and how far the picture still had to go.
                let off = ((state.centre[i] - aim[i]) * (old_zoom / zoom)).clamp(-slack[i], slack[i]);
                let aim = next.centre[i] - off + (old_goal[i] - state.centre[i]);
                aim - target[i] - state.ahead[i]
            });
        }
        // Far off the screen, numbers end.
        if is_place(next.centre) && is_place(next.beside) {
            self.state = Some(next);
        } else {
            count(&mut self.counts.requests);
        }
    }

    /// Lets the picture glide back over its target after [`FollowCamera::pan`] and zooming about a point.
    pub fn recentre(&mut self) {
        if let Some(state) = &mut self.state {
            state.beside = [0.0; 2];
        }
    }

    /// Reports that the target jumped: the picture jumps at the next update. Not needed with what [`Track::draw`]
    /// returns.
    ///
    /// [`Track::draw`]: crate::Track::draw
    pub fn cut(&mut self) {
        self.cut = true;
    }

    /// Moves everything with the world's origin, the bounds too. Give the same change of a position as to every track.
    ///
    /// A change that leads farther out than 1e150 is refused and counted.
    pub fn rebase(&mut self, shift: impl Fn(&mut [f64; 2])) {
        let mut moved = self.clone();
        let mut finite = true;
        let mut shift = |place: &mut [f64; 2]| {
            shift(place);
            finite &= is_place(*place);
        };
        shift(&mut moved.drawn.centre);
        if let Some(state) = &mut moved.state {
            shift(&mut state.centre);
            state.target.as_mut().map(&mut shift);
        }
        if let Some(bounds) = &mut moved.settings.bounds {
            shift(&mut bounds.min);
            shift(&mut bounds.max);
        }
        if finite && moved.settings.check().is_ok() {
            *self = moved;
        } else {
            count(&mut self.counts.requests);
        }
    }

    /// Shakes the picture: 1 is full strength, and shakes add up to it. It does not change what the camera follows, nor
    /// where.
    pub fn shake(&mut self, strength: f64) {
        if strength > 0.0 && strength.is_finite() {
            self.shaking.add(strength);
        } else {
            count(&mut self.counts.requests);
        }
    }

    /// Advances the shake by `seconds` of another clock than the presented time, and returns the picture. Call it once
    /// per frame, with [`ShakeSettings::own_time`]; without that it is refused and counted.
    pub fn advance_shake(&mut self, seconds: f64) -> Framing {
        if usable(seconds) && self.settings.shake.own_time {
            self.shaking.advance(seconds, &self.settings.shake);
            self.draw()
        } else {
            count(&mut self.counts.requests);
            self.drawn
        }
    }

    /// Zooms to `zoom` screen pixels per unit of the world, or as near as [`FollowSettings::zoom_within`] lets.
    ///
    /// The place under `about` (screen pixels) stays under it, as far as the bounds let. While a target is followed,
    /// the picture then stays beside it until [`FollowCamera::recentre`]. `None` zooms about the middle, and the target
    /// comes back there.
    pub fn zoom_to(&mut self, zoom: f64, about: Option<[f64; 2]>) {
        if !(zoom > 0.0 && zoom.is_finite() && about.is_none_or(is_place)) {
            count(&mut self.counts.requests);
            return;
        }
        let old_zoom = self.zoom();
        let anchor = about.map(|about| (about, self.frame(self.centre(), old_zoom).to_world(about)));
        let [least, most] = self.settings.zoom_within;
        self.settings.zoom = zoom.clamp(least, most);
        let Some(mut state) = self.state else { return };
        let zoom = self.zoom();
        match anchor {
            Some((about, place)) => {
                // How far the place would be off, taken back.
                let off = self.frame(self.centre(), zoom).to_world(about);
                let centre = core::array::from_fn(|i| state.centre[i] + (place[i] - off[i]));
                self.put(state, centre, old_zoom, zoom);
            }
            None => {
                state.centre = self.confined(state.centre, zoom);
                self.state = Some(state);
            }
        }
    }

    /// Zooms in by `factor` (below 1: out), like [`FollowCamera::zoom_to`]. [`FollowSettings::zoom_within`] limits it.
    pub fn zoom_by(&mut self, factor: f64, about: Option<[f64; 2]>) {
        self.zoom_to(self.settings.zoom * factor, about);
    }

    /// Uses other settings from the next frame on (a window of another size, another room's bounds). The picture
    /// scrolls to new bounds at [`FollowSettings::ease_rate`]; call [`FollowCamera::cut`] as well to jump.
    pub fn set_settings(&mut self, settings: FollowSettings) -> Result<(), SettingError> {
        settings.check()?;
        let scrolls = settings.bounds != self.settings.bounds;
        self.settings = settings;
        let (drawn, zoom) = (self.centre(), self.zoom());
        if let Some(mut state) = self.state.filter(|_| scrolls) {
            state.centre = self.confined(state.centre, zoom);
            state.scroll = core::array::from_fn(|i| drawn[i] - state.centre[i]);
            self.state = Some(state);
        }
        Ok(())
    }

    /// Returns the settings in force; the zoom is where zooming has brought it.
    #[must_use]
    pub fn settings(&self) -> &FollowSettings {
        &self.settings
    }

    /// Returns what could not be used.
    #[must_use]
    pub fn counts(&self) -> CameraCounts {
        self.counts
    }
}

impl State {
    const AT_REST: Self = Self {
        centre: [0.0; 2],
        scroll: [0.0; 2],
        target: None,
        targets: 0,
        ahead: [0.0; 2],
        beside: [0.0; 2],
        span: 1.0,
        span_wanted: 1.0,
    };
}
