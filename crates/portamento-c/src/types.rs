//! The plain structs that cross the border.

use crate::pointers::{read, write};
use crate::status::{Failure, answer, portamento_status, portamento_status::PORTAMENTO_BAD_VALUE};
use portamento::blend::{Pose, Pose64, Rotation};
use portamento::step::MomentParts;
use portamento::{Drawn, Moment};

/// A position in single precision and an orientation: a unit quaternion x, y, z, w.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct portamento_pose {
    /// x, y, z.
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
}

/// A position in double precision and an orientation, for large worlds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct portamento_pose64 {
    /// x, y, z.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
}

/// The moment between two ticks that a frame draws. `portamento_stepper_frame` returns it; if your engine runs the
/// ticks, make one with `portamento_moment_at`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_moment {
    /// Place between the two ticks, 0 to 1.
    pub alpha: f64,
    /// How far past the newest tick, in ticks; 0 without extrapolation.
    pub beyond: f64,
    /// How many seconds the picture advanced in this frame: a camera's dt.
    pub presented: f64,
    /// One more than the ticks run; 0 if unknown.
    pub tick: u64,
    /// Which two ticks: 0 is the previous and the newest one, 1 the pair before.
    pub back: u32,
    /// Number of the frame, from 1; 0 if unknown. Asked twice in the same frame, `portamento_track_draw` gives the same.
    pub frame: u32,
}

/// A pose as drawn in this frame and in the frame before, for motion vectors.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_drawn {
    /// This frame's view.
    pub now: portamento_pose64,
    /// The view of the frame before; equal to `now` in the first frame.
    pub before: portamento_pose64,
    /// 1 if a cut lies between the two: no motion blur, no camera damping across it.
    pub cut: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// A quaternion this far from unit length keeps its bits: what the library returns can be given back to it unchanged.
const ROUNDED: f64 = 1e-6;
/// A quaternion this far from unit length is normalised; farther is an error.
const UNIT: f64 = 1e-3;

pub(crate) fn rotation(xyzw: [f32; 4]) -> Result<Rotation, Failure> {
    let square: f64 = xyzw.iter().map(|&c| f64::from(c) * f64::from(c)).sum();
    if (square - 1.0).abs() <= 2.0 * ROUNDED {
        return Ok(xyzw.into());
    }
    let unit = (square.sqrt() - 1.0).abs() <= UNIT;
    unit.then(|| Rotation::from_xyzw(xyzw)).flatten().ok_or_else(|| {
        let ([x, y, z, w], length) = (xyzw, square.sqrt());
        let words =
            format_args!("the quaternion [{x}, {y}, {z}, {w}] has length {length}: give one of length 1");
        Failure::new(PORTAMENTO_BAD_VALUE, words)
    })
}

/// Refuses NaN and infinities in a position, a shift, a velocity.
pub(crate) fn finite<const N: usize>(numbers: [f64; N], what: &str) -> Result<(), Failure> {
    match numbers.iter().find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(number) => {
            let words = format_args!("{what} holds {number}: give finite numbers");
            Err(Failure::new(PORTAMENTO_BAD_VALUE, words))
        }
    }
}

/// Reads how the world's origin moves, and returns what moves a place with it.
///
/// # Safety
/// `shift` is null, or points to `N` numbers.
pub(crate) unsafe fn moved_by<const N: usize>(
    shift: *const f64,
) -> Result<impl Fn(&mut [f64; N]) + Copy, Failure> {
    // SAFETY: the caller's promise.
    let shift = unsafe { read(shift.cast::<[f64; N]>(), "shift") }?;
    finite(shift, "the shift")?;
    Ok(move |place: &mut [f64; N]| *place = core::array::from_fn(|i| place[i] + shift[i]))
}

impl TryFrom<portamento_pose> for Pose {
    type Error = Failure;

    fn try_from(pose: portamento_pose) -> Result<Self, Failure> {
        finite(pose.position.map(f64::from), "a position")?;
        Ok(Self::new(pose.position, rotation(pose.rotation)?))
    }
}

impl TryFrom<portamento_pose64> for Pose64 {
    type Error = Failure;

    fn try_from(pose: portamento_pose64) -> Result<Self, Failure> {
        finite(pose.position, "a position")?;
        Ok(Self::new(pose.position, rotation(pose.rotation)?))
    }
}

impl From<Pose> for portamento_pose {
    fn from(pose: Pose) -> Self {
        Self { position: pose.position, rotation: pose.rotation.to_array() }
    }
}

impl From<Pose64> for portamento_pose64 {
    fn from(pose: Pose64) -> Self {
        Self { position: pose.position, rotation: pose.rotation.to_array() }
    }
}

impl From<Drawn<Pose64>> for portamento_drawn {
    fn from(drawn: Drawn<Pose64>) -> Self {
        Self { now: drawn.now.into(), before: drawn.before.into(), cut: drawn.cut.into(), reserved: 0 }
    }
}

impl TryFrom<portamento_drawn> for Drawn<Pose64> {
    type Error = Failure;

    fn try_from(drawn: portamento_drawn) -> Result<Self, Failure> {
        Ok(Self { now: drawn.now.try_into()?, before: drawn.before.try_into()?, cut: drawn.cut != 0 })
    }
}

impl From<portamento_moment> for Moment {
    fn from(moment: portamento_moment) -> Self {
        let portamento_moment { alpha, beyond, presented, tick, back, frame } = moment;
        let (ticks, frame) = (tick.checked_sub(1), frame.checked_sub(1));
        MomentParts { alpha, back, beyond, presented, ticks, frame }.into()
    }
}

impl From<Moment> for portamento_moment {
    fn from(moment: Moment) -> Self {
        let MomentParts { alpha, back, beyond, presented, ticks, frame } = moment.into();
        let tick = ticks.map_or(0, |ticks| ticks.saturating_add(1));
        Self { alpha, beyond, presented, tick, back, frame: frame.unwrap_or(0) }
    }
}

/// Makes the moment `alpha` of the way from the previous to the newest tick, for engines that run the ticks themselves.
/// `presented` is how many seconds the picture advanced in this frame. Set `frame` to your frame's number, from 1, if you
/// draw an entity more than once in a frame.
///
/// # Safety
/// `moment` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_moment_at(
    alpha: f64,
    presented: f64,
    moment: *mut portamento_moment,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(moment, Moment::at(alpha, presented).into(), "moment") })
}
