//! A camera behind and above a body.

use super::damping::Glide;
use super::{CameraCounts, IntoSubject, is_place, usable};
use crate::blend::{Blend, Pose, Pose64, Rotation};
use crate::count::count;
use crate::error::{SettingError, check, within};
use crate::math::{self, atan2, sin_cos, wrap_angle};
use crate::{Drawn, IntoPresented};
use core::f64::consts::FRAC_PI_2;

/// How the camera moves towards where it wants to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ChaseRule {
    /// Damping solved exactly: equal lag at every frame rate, no shake from uneven frames, and rest on the exact place.
    #[default]
    Smooth,
    /// Each frame `rate * dt` of the way, and nothing at all once a frame would move the eye by less than 0.4 mm. The
    /// lag and the resting place depend on the frame rate. For programs built on it: `portamento::older_rules`.
    PerFrame,
}

/// Settings of a [`ChaseCamera`]. Begin with [`y_up`](Self::y_up) or [`z_up`](Self::z_up), and change what you like.
///
/// ```
/// # use portamento::camera::{ChaseCamera, ChaseSettings};
/// // The mouse turns the camera at once, the position stays damped.
/// let mouse_look = ChaseSettings { look_rate: f64::INFINITY, ..ChaseSettings::y_up() };
/// // First person: the eye is rigidly in the head, 1.7 above the body's position.
/// let rigid = ChaseSettings { rate: f64::INFINITY, look_rate: f64::INFINITY, ..ChaseSettings::y_up() };
/// let first_person = ChaseSettings { distance: 0.0, pitch: 0.0, lift: 1.7, ..rigid };
/// # ChaseCamera::new(mouse_look)?;
/// # ChaseCamera::new(first_person)?;
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ChaseSettings {
    /// How it moves. Default `Smooth`.
    pub rule: ChaseRule,
    /// How fast the camera's position closes its distance, per second. `1 / rate` is the time constant: after this many
    /// seconds 37 % of the way are left. Behind a body of speed v the camera lags by `v / rate`. Infinite is rigid.
    /// Default `4.5`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub rate: f64,
    /// The same for heading and pitch: behind a body that turns by w radians per second the camera lags by `w / rate`
    /// radians. Infinite for mouse look. `PerFrame` uses `rate` for both. Default `4.5`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub look_rate: f64,
    /// Which way is up, in the world and in every body. Default `[0.0, 1.0, 0.0]` for `y_up`.
    pub up: [f64; 3],
    /// Which way a body (and the camera itself) faces before any rotation. Default `[0.0, 0.0, -1.0]` for `y_up`.
    pub ahead: [f64; 3],
    /// Height of the look-at point above the body's position. Default `1.5`.
    pub lift: f64,
    /// From that point to the eye; 0 for a first-person camera. Default `2.61`.
    pub distance: f64,
    /// Radians that the camera looks down. Default `0.291`.
    pub pitch: f64,
    /// Angle in radians between the camera and straight behind, counterclockwise seen from above. Default `0.0`.
    pub orbit: f64,
    /// Two distances from the eye: up to the first the body is invisible, from the second on fully visible. So it never
    /// fills the screen. Default `[0.2, 0.45]`.
    pub fade: [f64; 2],
    /// While the body rises, the camera keeps its height and looks up at the body, until the body is this much higher
    /// (infinite: however high). When the body falls below, the camera follows at once. `None`: it follows both ways.
    /// If your game knows when the body lands, call [`ChaseCamera::release_height`]. Default `None`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub height_hold: Option<f64>,
    /// `Smooth` takes the last of the way in one step when the target stands still and no more than this is left.
    /// Default `0.0001`.
    pub settle: f64,
}

impl ChaseSettings {
    /// Creates settings for a world where y is up and bodies face -z: OpenGL, glTF, Bevy.
    #[must_use]
    pub const fn y_up() -> Self {
        Self {
            rule: ChaseRule::Smooth,
            rate: 4.5,
            look_rate: 4.5,
            up: [0.0, 1.0, 0.0],
            ahead: [0.0, 0.0, -1.0],
            lift: 1.5,
            distance: 2.61,
            pitch: 0.291,
            orbit: 0.0,
            fade: [0.20, 0.45],
            height_hold: None,
            settle: 1e-4,
        }
    }

    /// Creates settings for a world where z is up and bodies face +y.
    #[must_use]
    pub const fn z_up() -> Self {
        Self { up: [0.0, 0.0, 1.0], ahead: [0.0, 1.0, 0.0], ..Self::y_up() }
    }

    fn check(&self) -> Result<Axes, SettingError> {
        let rigid = "a number above 0, infinity for a rigid camera";
        check(self.rate > 0.0, "rate", self.rate, rigid)?;
        check(self.look_rate > 0.0, "look_rate", self.look_rate, rigid)?;
        within("lift", self.lift, -LONGEST, LONGEST)?;
        within("distance", self.distance, 0.0, LONGEST)?;
        check(
            self.pitch.abs() < FRAC_PI_2,
            "pitch",
            self.pitch,
            "an angle within a quarter turn, in radians",
        )?;
        check(self.orbit.is_finite(), "orbit", self.orbit, "a finite angle in radians")?;
        let [gone, full] = self.fade;
        check(gone >= 0.0, "fade[0]", gone, "a distance of 0 or more")?;
        check(full > gone && full <= LONGEST, "fade[1]", full, "a distance above fade[0]")?;
        if let Some(slack) = self.height_hold {
            check(slack >= 0.0, "height_hold", slack, "a height of 0 or more, infinity for any height")?;
        }
        within("settle", self.settle, 0.0, LONGEST)?;
        Axes::new(self.up, self.ahead)
    }
}

/// No length in the settings is above this, so that none can lead out of the numbers.
const LONGEST: f64 = 1e9;

/// Where the camera is in one frame.
///
/// For a view matrix give `eye`, `forward` and [`ChaseSettings::up`] to your math library's "look to" function (glam's
/// `Mat4::look_to_rh`). Or invert the matrix of [`Shot::pose`], if your camera faces along [`ChaseSettings::ahead`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shot {
    /// Where the eye is, after collision.
    pub eye: [f64; 3],
    /// The direction it looks in, a unit vector.
    pub forward: [f64; 3],
    /// The same as a rotation: it turns [`ChaseSettings::ahead`] into `forward` and keeps the horizon level.
    pub rotation: Rotation,
    /// The point of the body that it follows.
    pub pivot: [f64; 3],
    /// How much of the body to show: 0 (the eye is in it) to 1.
    pub body_opacity: f32,
}

impl Shot {
    /// Returns eye and rotation in single precision.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose::new(self.eye.map(|c| c as f32), self.rotation)
    }
}

/// A camera behind and above a body, at a constant distance once it has caught up; with a distance of 0, in its head.
///
/// Give it the body as drawn, never its truth: the truth stands still between ticks. The first update puts the camera
/// in place at once, and so does a cut. (Under [`ChaseRule::PerFrame`] a cut puts the eye into the body, which is
/// invisible then, see [`Shot::body_opacity`], and the eye draws back from there.)
///
/// The position that is damped is that of the look-at point; the eye swings about that point. A turn therefore leaves
/// the body where it is on the screen, whatever the two rates are.
///
/// ```
/// use portamento::Moment;
/// use portamento::blend::Pose;
/// use portamento::camera::{ChaseCamera, ChaseSettings};
///
/// let mut camera = ChaseCamera::new(ChaseSettings { distance: 4.0, ..ChaseSettings::z_up() })?;
/// let moment = Moment::at(0.5, 1.0 / 60.0);
/// let floor = 2.0;
/// let shot = camera.update_with(moment, Pose::at([0.0; 3]), |_pivot, wanted| {
///     [wanted[0], wanted[1], wanted[2].max(floor)] // your collision
/// });
/// assert!(shot.eye[1] < -3.0 && shot.eye[2] >= floor);
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ChaseCamera {
    #[cfg_attr(feature = "serde", serde(rename = "settings"))]
    tuned: Tuned,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "saved_state"))]
    state: Option<State>,
    cut: bool,
    counts: CameraCounts,
}

#[cfg(feature = "serde")]
fn saved_state<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<State>, D::Error> {
    crate::saved::checked(from, |state: &Option<State>| -> Result<(), SettingError> {
        let Some(State { shot, boom, goal, push, along, .. }) = *state else { return Ok(()) };
        for place in [shot.pivot, boom.end, goal.end, [boom.length, goal.length, 0.0]] {
            check(is_place(place), "saved place", place[0], "what a camera saved")?;
        }
        // A wall at one end of the world pushes an eye at the other by more than a place may be out.
        for place in [shot.eye, push] {
            check(is_place(place.map(|c| c / 10.0)), "saved place", place[0], "what a camera saved")?;
        }
        let turn = shot.rotation;
        within("length of a saved rotation", turn.dot(turn).into(), 0.999, 1.001)?;
        within("saved opacity", shot.body_opacity.into(), 0.0, 1.0)?;
        for direction in [shot.forward, along] {
            within("length of a saved direction", math::length(direction), 1.0 - 1e-6, 1.0 + 1e-6)?;
        }
        Ok(())
    })
}

/// Settings that can work, and what follows from them; a save has only the settings.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "ChaseSettings", into = "ChaseSettings"))]
struct Tuned {
    settings: ChaseSettings,
    axes: Axes,
}

impl TryFrom<ChaseSettings> for Tuned {
    type Error = SettingError;

    fn try_from(settings: ChaseSettings) -> Result<Self, SettingError> {
        Ok(Self { settings, axes: settings.check()? })
    }
}

#[cfg(feature = "serde")]
impl From<Tuned> for ChaseSettings {
    fn from(tuned: Tuned) -> Self {
        tuned.settings
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct State {
    shot: Shot,
    /// Where the eye looks: along the boom, or at the body while the height is held.
    gaze: Look,
    boom: Boom,
    /// From the eye along the boom, a unit vector.
    along: [f64; 3],
    goal: Boom,
    /// What collision moved the eye by and is not yet made up for, along the boom's own right, forward and up: when the
    /// camera turns at a wall, the boom stays as short as it was.
    push: [f64; 3],
    /// The height of the body that the goal was built on; `None` when released.
    height: Option<f64>,
}

/// What the camera is mounted on: an eye at `length` from an end that follows the body's pivot. What is damped is
/// this, not the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Boom {
    end: [f64; 3],
    length: f64,
    look: Look,
}

impl Boom {
    /// The eye, `along` being the boom's direction.
    fn eye(&self, along: [f64; 3]) -> [f64; 3] {
        add(self.end, along, -self.length)
    }
}

/// What a target asks of the camera.
struct Aim {
    pivot: [f64; 3],
    height: f64,
    /// Where the boom would be if nothing lagged or blocked.
    goal: Boom,
}

/// A direction as a cameraman has it: turn about up, then tilt. Damped so, a camera swings around its body on a
/// level; a damped vector would look straight down halfway through an about-turn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Look {
    heading: f64,
    pitch: f64,
}

impl ChaseCamera {
    /// Creates a camera that will snap into place at its first update.
    pub fn new(settings: ChaseSettings) -> Result<Self, SettingError> {
        Ok(Self { tuned: settings.try_into()?, state: None, cut: false, counts: CameraCounts::default() })
    }

    /// Follows `target` through this frame; see [`ChaseCamera::update_with`] for walls.
    ///
    /// `target` is best what `draw` returned, because that reports cuts; see [`IntoSubject`].
    pub fn update(&mut self, presented: impl IntoPresented, target: impl IntoSubject<Pose64>) -> Shot {
        self.update_with(presented, target, |_, wanted| wanted)
    }

    /// Follows `target`, with `collide` to keep the eye out of walls: it is given the pivot and the eye's wanted
    /// place, and returns the place allowed. The next frame starts from that place.
    pub fn update_with(
        &mut self,
        presented: impl IntoPresented,
        target: impl IntoSubject<Pose64>,
        collide: impl FnOnce([f64; 3], [f64; 3]) -> [f64; 3],
    ) -> Shot {
        self.advance(presented.into_presented().seconds(), target.into_subject(), collide)
    }

    pub(super) fn advance(
        &mut self,
        seconds: f64,
        target: Drawn<Pose64>,
        collide: impl FnOnce([f64; 3], [f64; 3]) -> [f64; 3],
    ) -> Shot {
        self.cut |= target.cut;
        let Aim { pivot, height, goal } = self.aim(&target.now);
        if !(is_place(goal.end) && is_place(pivot) && is_place(target.now.rotation.to_array().map(f64::from)))
        {
            count(&mut self.counts.targets);
            return self.shot();
        }
        if !usable(seconds) && self.state.is_some() && !self.cut {
            count(&mut self.counts.times);
            return self.shot();
        }
        let mut next = match (self.state, self.tuned.settings.rule) {
            (Some(state), ChaseRule::Smooth) if !self.cut => self.move_smooth(&state, &goal, pivot, seconds),
            (Some(state), ChaseRule::PerFrame) if !self.cut => {
                self.move_per_frame(&state, &goal, pivot, seconds)
            }
            (Some(_), ChaseRule::PerFrame) => {
                let along = self.tuned.axes.direction(goal.look);
                let push = self.push(pivot, &goal, along);
                State { push, ..self.mounted(pivot, goal, goal.look, along) }
            }
            _ => self.placed(goal, pivot),
        };
        self.cut = false;
        let wanted = next.shot.eye;
        let allowed = collide(pivot, wanted);
        if !is_place(allowed) {
            count(&mut self.counts.places);
        } else if allowed != wanted {
            next.shot.eye = allowed;
            next.push = self.push(allowed, &next.boom, next.along);
        }
        next.shot.pivot = pivot;
        next.shot.body_opacity = self.opacity(next.shot.eye, pivot);
        next.goal = goal;
        next.height = Some(height);
        self.state = Some(next);
        next.shot
    }

    /// The camera with its boom exactly at `boom`.
    fn placed(&self, boom: Boom, pivot: [f64; 3]) -> State {
        let along = self.tuned.axes.direction(boom.look);
        let look = self.gaze(&boom, pivot);
        self.mounted(boom.eye(along), boom, look, along)
    }

    /// The camera with its eye at `eye`, looking along `look`, on a boom that lies `along`.
    fn mounted(&self, eye: [f64; 3], boom: Boom, look: Look, along: [f64; 3]) -> State {
        let axes = &self.tuned.axes;
        let (forward, rotation) = match &self.state {
            Some(before) if before.gaze == look => (before.shot.forward, before.shot.rotation),
            _ if look == boom.look => (along, axes.rotation(look)),
            _ => (axes.direction(look), axes.rotation(look)),
        };
        let shot = Shot { eye, forward, rotation, pivot: eye, body_opacity: 1.0 };
        State { shot, gaze: look, boom, along, goal: boom, push: [0.0; 3], height: None }
    }

    /// What brings the eye of `boom` to `eye`.
    fn push(&self, eye: [f64; 3], boom: &Boom, along: [f64; 3]) -> [f64; 3] {
        self.tuned.axes.in_view(boom.look, along, add(eye, boom.eye(along), -1.0))
    }

    fn move_smooth(&self, state: &State, goal: &Boom, pivot: [f64; 3], seconds: f64) -> State {
        let settings = &self.tuned.settings;
        let glide = Glide::over(seconds, settings.rate);
        let turn = match settings.look_rate == settings.rate {
            true => glide,
            false => Glide::over(seconds, settings.look_rate),
        };
        let (boom, before) = (&state.boom, &state.goal);
        let mut end = glide.follow(&boom.end, &before.end, &goal.end);
        let mut length = glide.follow(&boom.length, &before.length, &goal.length);
        let mut push = state.push;
        if push != [0.0; 3] {
            push = glide.follow(&push, &[0.0; 3], &[0.0; 3]);
        }
        let stands = goal.end == before.end && goal.length == before.length && seconds > 0.0;
        let left = || distance(end, goal.end) + (length - goal.length).abs() + math::length(push);
        if stands && left() <= settings.settle {
            (end, length, push) = (goal.end, goal.length, [0.0; 3]);
        }
        let mut look = Look {
            heading: turn.follow_angle(boom.look.heading, before.look.heading, goal.look.heading),
            pitch: turn.follow(&boom.look.pitch, &before.look.pitch, &goal.look.pitch),
        };
        // An angle that moves the body on the screen no farther than `settle` moves the eye.
        let close = settings.settle / settings.distance.max(1.0);
        let off = |a: f64, b: f64| wrap_angle(a - b).abs() > close;
        if goal.look == before.look
            && seconds > 0.0
            && !off(look.heading, goal.look.heading)
            && !off(look.pitch, goal.look.pitch)
        {
            look = goal.look;
        }
        let along = if look == boom.look { state.along } else { self.tuned.axes.direction(look) };
        let boom = Boom { end, length, look };
        let mut eye = boom.eye(along);
        if push != [0.0; 3] {
            eye = add(eye, self.tuned.axes.out_of_view(look, along, push), 1.0);
        }
        State { push, ..self.mounted(eye, boom, self.gaze(&boom, pivot), along) }
    }

    fn move_per_frame(&self, state: &State, goal: &Boom, pivot: [f64; 3], seconds: f64) -> State {
        let (axes, share) = (&self.tuned.axes, (self.tuned.settings.rate * seconds).clamp(0.0, 1.0));
        let (from, looking) = (state.shot.eye, state.shot.forward);
        let along = axes.direction(goal.look);
        let to = goal.eye(along);
        // While the height is held, the body is not where the boom points.
        let wanted = if goal.end == pivot { along } else { axes.direction(self.gaze(goal, pivot)) };
        if share * distance(from, to) < 0.0004 && share * distance(looking, wanted) < 0.0002 {
            return *state;
        }
        let eye = from.blend(&to, share);
        let forward = normalized(looking.blend(&wanted, share)).unwrap_or(wanted);
        let look = axes.look(forward, state.boom.look.heading);
        let boom = Boom { end: add(eye, forward, goal.length), length: goal.length, look };
        self.mounted(eye, boom, look, forward)
    }

    /// Where the eye on `boom` looks: along it, but at the height of the body while that differs, if
    /// [`ChaseSettings::height_hold`] is in use.
    fn gaze(&self, boom: &Boom, pivot: [f64; 3]) -> Look {
        let rise = dot(add(pivot, boom.end, -1.0), self.tuned.axes.up);
        let held = self.tuned.settings.height_hold.is_some() && rise != 0.0;
        if !held || boom.length == 0.0 {
            return boom.look;
        }
        let (down, level) = sin_cos(boom.look.pitch);
        Look { pitch: atan2(boom.length * down - rise, boom.length * level), ..boom.look }
    }

    fn aim(&self, target: &Pose64) -> Aim {
        let (settings, up) = (&self.tuned.settings, self.tuned.axes.up);
        let real = dot(target.position, up);
        let held = if self.cut { None } else { self.state.and_then(|state| state.height) };
        let height = match (settings.height_hold, held) {
            (Some(slack), Some(height)) => height.min(real).max(real - slack),
            _ => real,
        };
        let heading = self.tuned.axes.heading(target.rotation).map(|h| wrap_angle(h + settings.orbit));
        let heading = heading.or(self.state.map(|s| s.goal.look.heading)).unwrap_or(0.0);
        let look = Look { heading, pitch: settings.pitch };
        let pivot = add(target.position, up, settings.lift);
        let end = if height == real { pivot } else { add(pivot, up, height - real) };
        Aim { pivot, height, goal: Boom { end, length: settings.distance, look } }
    }

    /// Reports that the body jumped: the next update starts at it. Not needed with what [`Track::draw`] returns.
    ///
    /// [`Track::draw`]: crate::Track::draw
    pub fn cut(&mut self) {
        self.cut = true;
    }

    /// Moves everything with the world's origin. Give the same change of a position as to every track.
    ///
    /// A change that leads farther out than 1e150 is refused and counted.
    pub fn rebase(&mut self, shift: impl Fn(&mut [f64; 3])) {
        let Some(mut state) = self.state else { return };
        let before = state.shot.pivot;
        for place in [&mut state.shot.eye, &mut state.shot.pivot, &mut state.boom.end, &mut state.goal.end] {
            shift(place);
        }
        let moved = dot(add(state.shot.pivot, before, -1.0), self.tuned.axes.up);
        state.height = state.height.map(|height| height + moved);
        let places = [state.shot.eye, state.shot.pivot, state.boom.end, state.goal.end];
        if places.into_iter().all(is_place) {
            self.state = Some(state);
        } else {
            count(&mut self.counts.requests);
        }
    }

    /// Reports that the body has landed: with [`ChaseSettings::height_hold`], the camera may come up to it now.
    pub fn release_height(&mut self) {
        if let Some(state) = &mut self.state {
            state.height = None;
        }
    }

    /// Sets [`ChaseSettings::orbit`] and [`ChaseSettings::pitch`], for a mouse or stick that turns the camera in every
    /// frame. A pitch beyond straight up or down counts as just below that.
    pub fn set_look(&mut self, orbit: f64, pitch: f64) {
        if !(orbit.is_finite() && pitch.is_finite()) {
            count(&mut self.counts.requests);
            return;
        }
        let steepest = FRAC_PI_2 - 1e-3;
        self.tuned.settings.orbit = orbit;
        self.tuned.settings.pitch = pitch.clamp(-steepest, steepest);
    }

    /// Uses other settings from the next frame on; the camera glides there.
    pub fn set_settings(&mut self, settings: ChaseSettings) -> Result<(), SettingError> {
        self.tuned = settings.try_into()?;
        Ok(())
    }

    /// Returns the settings in force.
    #[must_use]
    pub fn settings(&self) -> &ChaseSettings {
        &self.tuned.settings
    }

    /// Returns the last frame's shot; before the first usable target, the shot of a body at the origin.
    #[must_use]
    pub fn shot(&self) -> Shot {
        self.state.map_or_else(|| self.ideal(Pose64::default()), |state| state.shot)
    }

    /// The shot once the camera has caught up with a standing `target`, with nothing in the way: the first of a new
    /// camera.
    pub(super) fn ideal(&self, target: impl IntoSubject<Pose64>) -> Shot {
        let fresh = Self { state: None, ..self.clone() };
        let Aim { pivot, goal, .. } = fresh.aim(&target.into_subject().now);
        let shot = fresh.placed(goal, pivot).shot;
        Shot { pivot, body_opacity: self.opacity(shot.eye, pivot), ..shot }
    }

    fn opacity(&self, eye: [f64; 3], pivot: [f64; 3]) -> f32 {
        let [gone, full] = self.tuned.settings.fade;
        ((distance(eye, pivot) - gone) / (full - gone)).clamp(0.0, 1.0) as f32
    }

    /// Returns what could not be used.
    #[must_use]
    pub fn counts(&self) -> CameraCounts {
        self.counts
    }
}

/// The world's directions: right, up and ahead of a body that is not turned.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axes {
    right: [f64; 3],
    up: [f64; 3],
    ahead: [f64; 3],
}

impl Axes {
    fn new(up: [f64; 3], ahead: [f64; 3]) -> Result<Self, SettingError> {
        let length = math::length(up);
        let error = SettingError::new("the length of up", length, "a finite vector that is not zero");
        let up = normalized(up).ok_or(error)?;
        // Only what is across up: a body's nose may point a little down.
        let across = add(ahead, up, -dot(ahead, up));
        let cure = "a finite vector that is not along up";
        let error = SettingError::new("ahead (its part across up)", math::length(across), cure);
        let ahead = normalized(across).filter(|_| math::length(across) > 1e-6 * math::length(ahead));
        let ahead = ahead.ok_or(error)?;
        Ok(Self { right: cross(ahead, up), up, ahead })
    }

    /// The turn of `rotation` about up, counterclockwise; `None` for one that turns the body upside down, which
    /// has none.
    fn heading(&self, rotation: Rotation) -> Option<f64> {
        let along = dot([rotation.x, rotation.y, rotation.z].map(f64::from), self.up);
        let w = f64::from(rotation.w);
        (along * along + w * w > 1e-12).then(|| 2.0 * atan2(along, w))
    }

    fn direction(&self, look: Look) -> [f64; 3] {
        let (turn, straight) = sin_cos(look.heading);
        let (down, level) = sin_cos(look.pitch);
        let flat = add(self.ahead.map(|c| c * straight), self.right, -turn);
        add(flat.map(|c| c * level), self.up, -down)
    }

    /// Right, forward and up of a camera that looks along `look`, which is the direction `along`.
    fn view(&self, look: Look, along: [f64; 3]) -> [[f64; 3]; 3] {
        let (turn, straight) = sin_cos(look.heading);
        let right = add(self.right.map(|c| c * straight), self.ahead, turn);
        [right, along, cross(right, along)]
    }

    /// `v` in those directions.
    fn in_view(&self, look: Look, along: [f64; 3], v: [f64; 3]) -> [f64; 3] {
        if v == [0.0; 3] { v } else { self.view(look, along).map(|axis| dot(axis, v)) }
    }

    /// And back.
    fn out_of_view(&self, look: Look, along: [f64; 3], v: [f64; 3]) -> [f64; 3] {
        let [right, forward, up] = self.view(look, along);
        add(add(right.map(|c| c * v[0]), forward, v[1]), up, v[2])
    }

    /// The other way round; `heading` for a direction straight up or down, which has none.
    fn look(&self, direction: [f64; 3], heading: f64) -> Look {
        let [right, up, ahead] = [self.right, self.up, self.ahead].map(|axis| dot(direction, axis));
        let level = math::length([right, ahead]);
        let heading = if level > 1e-9 { atan2(-right, ahead) } else { heading };
        Look { heading, pitch: atan2(-up, level) }
    }

    /// The turn about up after the tilt about right, as one quaternion.
    fn rotation(&self, look: Look) -> Rotation {
        let (sy, cy) = sin_cos(look.heading / 2.0);
        let (sp, cp) = sin_cos(-look.pitch / 2.0);
        let v = add(add(self.right.map(|c| c * (cy * sp)), self.up, sy * cp), self.ahead, sy * sp);
        let [x, y, z] = v.map(|c| c as f32);
        Rotation { x, y, z, w: (cy * cp) as f32 }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a + b * k`.
fn add(a: [f64; 3], b: [f64; 3], k: f64) -> [f64; 3] {
    core::array::from_fn(|i| a[i] + b[i] * k)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    math::length(add(a, b, -1.0))
}

fn normalized(v: [f64; 3]) -> Option<[f64; 3]> {
    let mut length = math::length(v);
    let mut v = v;
    // A length among the last few numbers above 0 is rounded to one of them.
    if length > 0.0 && length < 1e-290 {
        v = v.map(|c| c * 1e300);
        length = math::length(v);
    }
    (length > 0.0 && length.is_finite()).then(|| v.map(|c| c / length))
}
