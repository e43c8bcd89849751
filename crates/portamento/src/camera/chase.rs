//! A camera behind and above a body.

use super::damping::Glide;
use super::{Ignored, usable};
use crate::Drawn;
use crate::Presented;
use crate::blend::{Blend, Pose, Pose64, Rotation};
use crate::error::{SettingError, check};
use crate::math::{self, atan2, sin_cos, wrap_angle};
use core::f64::consts::FRAC_PI_2;

/// How the camera moves towards where it wants to be. The [front page](crate#two-older-rules) says where `Client` comes
/// from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ChaseRule {
    /// The original program's: each frame `rate * dt` of the way, and nothing at all once a frame would move it by
    /// less than 0.4 mm. Its lag and the place where it parks depend on the frame rate.
    Client,
    /// The same stiffness solved exactly ([`Glide`]): equal lag at every frame rate, no shake from uneven frames,
    /// and rest on the exact place.
    #[default]
    Smooth,
}

/// Distances from the eye between which the body fades, so that it never fills the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fade {
    /// At this distance or less the body is invisible. Default `0.2`.
    pub gone: f64,
    /// At this distance or more it is fully there. Default `0.45`.
    pub full: f64,
}

/// All that can be chosen about a [`ChaseCamera`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ChaseSettings {
    /// How it moves. Default `Smooth`.
    pub rule: ChaseRule,
    /// How fast the camera closes its distance, per second. `1 / rate` is the time constant: after so many seconds 37 %
    /// of the way are left. Behind a body of speed v the camera lags by `v / rate`. Infinite is rigid. Default `4.5`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub rate: f64,
    /// Which way is up, in the world and in every body. Default `[0.0, 1.0, 0.0]`.
    pub up: [f64; 3],
    /// Which way a body (and the camera itself) faces before any rotation. Default `[0.0, 0.0, -1.0]`.
    pub ahead: [f64; 3],
    /// How far above the body's position the point lies that the camera looks at. Default `1.5`.
    pub lift: f64,
    /// From that point to the eye. Default `2.61`.
    pub distance: f64,
    /// Radians that the camera looks down. Default `0.291`.
    pub pitch: f64,
    /// Radians that the camera stands away from straight behind, counterclockwise seen from above. Default `0.0`.
    pub orbit: f64,
    /// Where the body fades. The defaults stand in [`Fade`].
    pub fade: Fade,
    /// While the body rises, the camera keeps its height until the body is this much higher (infinite: however
    /// high); when the body falls below, it follows at once. `None`: it follows both ways. A game that knows
    /// when the body lands calls [`ChaseCamera::release_height`]. Default `None`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub height_hold: Option<f64>,
    /// `smooth` takes the last of the way in one step when the target stands still and no more than this is left.
    /// Default `0.0001`.
    pub settle: f64,
}

impl ChaseSettings {
    /// y is up and bodies face -z: OpenGL, glTF, Bevy.
    #[must_use]
    pub const fn y_up() -> Self {
        Self {
            rule: ChaseRule::Smooth,
            rate: 4.5,
            up: [0.0, 1.0, 0.0],
            ahead: [0.0, 0.0, -1.0],
            lift: 1.5,
            distance: 2.61,
            pitch: 0.291,
            orbit: 0.0,
            fade: Fade { gone: 0.20, full: 0.45 },
            height_hold: None,
            settle: 1e-4,
        }
    }

    /// z is up and bodies face +y.
    #[must_use]
    pub const fn z_up() -> Self {
        Self { up: [0.0, 0.0, 1.0], ahead: [0.0, 1.0, 0.0], ..Self::y_up() }
    }

    fn check(&self) -> Result<Axes, SettingError> {
        let finite = f64::is_finite;
        check(self.rate > 0.0, "rate", self.rate, "a number above 0, infinity for a rigid camera")?;
        check(finite(self.lift), "lift", self.lift, "a finite height")?;
        check(self.distance > 0.0 && finite(self.distance), "distance", self.distance, "a length above 0")?;
        check(
            self.pitch.abs() < FRAC_PI_2,
            "pitch",
            self.pitch,
            "an angle within a quarter turn, in radians",
        )?;
        check(finite(self.orbit), "orbit", self.orbit, "a finite angle in radians")?;
        let Fade { gone, full } = self.fade;
        check(gone >= 0.0 && finite(gone), "fade.gone", gone, "a distance of 0 or more")?;
        check(full > gone && finite(full), "fade.full", full, "a distance above fade.gone")?;
        if let Some(slack) = self.height_hold {
            check(slack >= 0.0, "height_hold", slack, "a height of 0 or more, infinity for any height")?;
        }
        check(self.settle >= 0.0 && finite(self.settle), "settle", self.settle, "a length of 0 or more")?;
        Axes::new(self.up, self.ahead)
    }
}

impl Default for ChaseSettings {
    fn default() -> Self {
        Self::y_up()
    }
}

/// What the camera follows: a view, and whether a cut lies before it. Made from a pose, or better from what
/// [`Track::draw`](crate::Track::draw), [`Snapshots::draw`](crate::remote::Snapshots::draw) or `draw` of the exchange's
/// `Followed` gives, which know of cuts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subject {
    /// The body as drawn.
    pub pose: Pose64,
    /// It jumped: the camera starts anew at it.
    pub cut: bool,
}

/// What a [`ChaseCamera`] can follow. For a type of your own, say where its pose is:
///
/// ```
/// use portamento::blend::Pose;
/// use portamento::camera::{IntoSubject, Subject};
///
/// struct Tank {
///     hull: Pose,
/// }
///
/// impl IntoSubject for Tank {
///     fn into_subject(self) -> Subject {
///         self.hull.into_subject()
///     }
/// }
/// ```
///
/// A bare place is refused, with the cure in the compiler's words:
///
/// ```compile_fail,E0277
/// # use portamento::camera::{ChaseCamera, ChaseSettings};
/// # use portamento::{Moment, Track};
/// # let mut camera = ChaseCamera::new(ChaseSettings::default()).unwrap();
/// # let moment = Moment::newest(0.0);
/// let mut body = Track::new([0.0f32; 3]);
/// camera.update(moment, body.draw(moment)); // a chase camera cannot follow `[f32; 3]`
/// ```
#[diagnostic::on_unimplemented(
    message = "a chase camera cannot follow `{Self}`",
    label = "neither a pose nor what was drawn of one",
    note = "`ChaseCamera` follows a `Pose` or `Pose64`, best as `draw` of a `Track`, of `Snapshots` or of the exchange's `Followed` gives it: then it learns of cuts",
    note = "a place without a rotation becomes one by `Pose::at([x, y, z])`; in a flat world, `FollowCamera` follows `[x, y]`"
)]
pub trait IntoSubject {
    /// The body as drawn, and whether it jumped.
    fn into_subject(self) -> Subject;
}

impl IntoSubject for Subject {
    fn into_subject(self) -> Subject {
        self
    }
}

impl IntoSubject for Pose64 {
    fn into_subject(self) -> Subject {
        Subject { pose: self, cut: false }
    }
}

impl IntoSubject for Pose {
    fn into_subject(self) -> Subject {
        Pose64::new(self.position.map(f64::from), self.rotation).into_subject()
    }
}

impl<P: IntoSubject> IntoSubject for Drawn<P> {
    fn into_subject(self) -> Subject {
        Subject { cut: self.cut, ..self.now.into_subject() }
    }
}

/// Where the camera is in one frame.
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
    /// Eye and rotation in single precision.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose::new(self.eye.map(|c| c as f32), self.rotation)
    }

    /// Eye and rotation, for worlds too large for single precision.
    #[must_use]
    pub fn pose64(&self) -> Pose64 {
        Pose64::new(self.eye, self.rotation)
    }
}

/// A camera behind and above a body, at a constant distance once it has caught up.
///
/// Give it the body's view, never its truth: the truth stands still between ticks. The first update puts it in
/// place at once. After a cut it starts in the body (which is invisible then, see [`Shot::body_opacity`]) and
/// draws back.
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
    state: Option<State>,
    cut: bool,
    ignored: Ignored,
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
    look: Look,
    goal: Goal,
    /// The height of the body that the goal was built on; `None` when released.
    height: Option<f64>,
}

/// What a target asks of the camera.
struct Aim {
    pivot: [f64; 3],
    height: f64,
    goal: Goal,
}

/// Where the camera would be if nothing lagged or blocked.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Goal {
    eye: [f64; 3],
    look: Look,
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
    /// A camera that will snap into place at its first update.
    pub fn new(settings: ChaseSettings) -> Result<Self, SettingError> {
        Ok(Self { tuned: settings.try_into()?, state: None, cut: false, ignored: Ignored::default() })
    }

    /// Follows `target` through this frame; see [`ChaseCamera::update_with`] for walls.
    pub fn update(&mut self, presented: impl Into<Presented>, target: impl IntoSubject) -> Shot {
        self.update_with(presented, target, |_, wanted| wanted)
    }

    /// Follows `target`, with `collide` to keep the eye out of walls: it is given the pivot and the eye's wanted
    /// place, and answers with the place allowed. The next frame starts from that place.
    pub fn update_with(
        &mut self,
        presented: impl Into<Presented>,
        target: impl IntoSubject,
        collide: impl FnOnce([f64; 3], [f64; 3]) -> [f64; 3],
    ) -> Shot {
        self.advance(presented.into().seconds(), target.into_subject(), collide)
    }

    pub(super) fn advance(
        &mut self,
        seconds: f64,
        target: Subject,
        collide: impl FnOnce([f64; 3], [f64; 3]) -> [f64; 3],
    ) -> Shot {
        self.cut |= target.cut;
        let Aim { pivot, height, goal } = self.aim(&target.pose);
        // Also a finite target may be so far out that the eye is not.
        if !(is_finite(goal.eye) && is_finite(pivot) && is_finite(target.pose.rotation.to_array())) {
            self.ignored.targets += 1;
            return self.shot();
        }
        let (eye, look, forward) = match self.state {
            None => (goal.eye, goal.look, self.tuned.axes.direction(goal.look)),
            Some(_) if self.cut => (pivot, goal.look, self.tuned.axes.direction(goal.look)),
            Some(state) if !usable(seconds) => {
                self.ignored.times += 1;
                return state.shot;
            }
            Some(state) if seconds == 0.0 => (state.shot.eye, state.look, state.shot.forward),
            Some(state) => match self.tuned.settings.rule {
                ChaseRule::Client => self.move_client(&state, &goal, seconds),
                ChaseRule::Smooth => self.move_smooth(&state, &goal, seconds),
            },
        };
        self.cut = false;
        let allowed = collide(pivot, eye);
        let eye = if is_finite(allowed) {
            allowed
        } else {
            self.ignored.places += 1;
            eye
        };
        let rotation = match self.state {
            Some(state) if state.look == look => state.shot.rotation,
            _ => self.tuned.axes.rotation(look),
        };
        let shot = Shot { eye, forward, rotation, pivot, body_opacity: self.opacity(eye, pivot) };
        self.state = Some(State { shot, look, goal, height: Some(height) });
        shot
    }

    fn move_smooth(&self, state: &State, goal: &Goal, seconds: f64) -> ([f64; 3], Look, [f64; 3]) {
        let glide = Glide::over(seconds, self.tuned.settings.rate);
        let (before, settle) = (&state.goal, self.tuned.settings.settle);
        let mut eye = glide.follow(&state.shot.eye, &before.eye, &goal.eye);
        if goal.eye == before.eye && distance(eye, goal.eye) <= settle {
            eye = goal.eye;
        }
        let mut look = Look {
            heading: glide.follow_angle(state.look.heading, before.look.heading, goal.look.heading),
            pitch: glide.follow(&state.look.pitch, &before.look.pitch, &goal.look.pitch),
        };
        // An angle that moves the body on the screen as far as `settle` moves the eye.
        let close = settle / self.tuned.settings.distance;
        let off = |a: f64, b: f64| wrap_angle(a - b).abs() > close;
        if goal.look == before.look
            && !off(look.heading, goal.look.heading)
            && !off(look.pitch, goal.look.pitch)
        {
            look = goal.look;
        }
        let forward = if look == state.look { state.shot.forward } else { self.tuned.axes.direction(look) };
        (eye, look, forward)
    }

    fn move_client(&self, state: &State, goal: &Goal, seconds: f64) -> ([f64; 3], Look, [f64; 3]) {
        let share = (self.tuned.settings.rate * seconds).clamp(0.0, 1.0);
        let (from, looking) = (state.shot.eye, state.shot.forward);
        let wanted = self.tuned.axes.direction(goal.look);
        if share * distance(from, goal.eye) < 0.0004 && share * distance(looking, wanted) < 0.0002 {
            return (from, state.look, looking);
        }
        let eye = from.blend(&goal.eye, share);
        let forward = normalized(looking.blend(&wanted, share)).unwrap_or(wanted);
        (eye, self.tuned.axes.look(forward, state.look.heading), forward)
    }

    fn aim(&self, target: &Pose64) -> Aim {
        let up = self.tuned.axes.up;
        let real = dot(target.position, up);
        let held = if self.cut { None } else { self.state.and_then(|state| state.height) };
        let height = match (self.tuned.settings.height_hold, held) {
            (Some(slack), Some(height)) => height.min(real).max(real - slack),
            _ => real,
        };
        let heading =
            self.tuned.axes.heading(target.rotation).map(|h| wrap_angle(h + self.tuned.settings.orbit));
        let heading = heading.or(self.state.map(|s| s.goal.look.heading)).unwrap_or(0.0);
        let look = Look { heading, pitch: self.tuned.settings.pitch };
        let pivot = add(target.position, up, self.tuned.settings.lift);
        let level = if height == real { pivot } else { add(pivot, up, height - real) };
        let eye = add(level, self.tuned.axes.direction(look), -self.tuned.settings.distance);
        Aim { pivot, height, goal: Goal { eye, look } }
    }

    /// The body jumped: the next update starts at it. Not needed with what [`Track::draw`] gives.
    ///
    /// [`Track::draw`]: crate::Track::draw
    pub fn cut(&mut self) {
        self.cut = true;
    }

    /// The world's origin moves: the same shift as every track's.
    pub fn rebase(&mut self, shift: [f64; 3]) {
        if !is_finite(shift) {
            self.ignored.requests += 1;
            return;
        }
        let up = self.tuned.axes.up;
        if let Some(state) = &mut self.state {
            for place in [&mut state.shot.eye, &mut state.shot.pivot, &mut state.goal.eye] {
                *place = add(*place, shift, 1.0);
            }
            state.height = state.height.map(|height| height + dot(shift, up));
        }
    }

    /// The body stands on something: with [`ChaseSettings::height_hold`], the camera may come up to it now.
    pub fn release_height(&mut self) {
        if let Some(state) = &mut self.state {
            state.height = None;
        }
    }

    /// Other settings from the next frame on; the camera glides there.
    pub fn set_settings(&mut self, settings: ChaseSettings) -> Result<(), SettingError> {
        self.tuned = settings.try_into()?;
        Ok(())
    }

    /// The settings in force.
    #[must_use]
    pub fn settings(&self) -> &ChaseSettings {
        &self.tuned.settings
    }

    /// The last frame's shot. Before the first usable target: the shot of a body at the origin.
    #[must_use]
    pub fn shot(&self) -> Shot {
        self.state.map_or_else(|| self.ideal(Pose64::default()), |state| state.shot)
    }

    /// The shot once the camera has caught up with a standing `target`, with nothing in the way.
    #[must_use]
    pub fn ideal(&self, target: impl IntoSubject) -> Shot {
        let fresh = Self { state: None, ..self.clone() };
        let Aim { pivot, goal, .. } = fresh.aim(&target.into_subject().pose);
        Shot {
            eye: goal.eye,
            forward: self.tuned.axes.direction(goal.look),
            rotation: self.tuned.axes.rotation(goal.look),
            pivot,
            body_opacity: self.opacity(goal.eye, pivot),
        }
    }

    fn opacity(&self, eye: [f64; 3], pivot: [f64; 3]) -> f32 {
        let Fade { gone, full } = self.tuned.settings.fade;
        ((distance(eye, pivot) - gone) / (full - gone)).clamp(0.0, 1.0) as f32
    }

    /// What could not be used so far.
    #[must_use]
    pub fn ignored(&self) -> Ignored {
        self.ignored
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

fn is_finite<const N: usize>(v: [impl Into<f64>; N]) -> bool {
    v.into_iter().all(|c| c.into().is_finite())
}

fn normalized(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = math::length(v);
    (length > 0.0 && length.is_finite()).then(|| v.map(|c| c / length))
}
