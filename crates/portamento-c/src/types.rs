//! The plain structs that cross the border.

use crate::status::{Failure, portamento_status::PORTAMENTO_BAD_VALUE};
use portamento::blend::{Pose, Pose64, Rotation};
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
    /// One more than the ticks run so far; 0 if unknown.
    pub tick: u64,
    /// Which two ticks: 0 is the previous and the newest one, 1 the pair before.
    pub back: u32,
    /// Zero.
    pub reserved: u32,
}

/// A pose as drawn in this frame and in the frame before, for motion vectors.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_drawn {
    /// This frame's view.
    pub now: portamento_pose64,
    /// The view of the frame before; equal to `now` when there was none.
    pub before: portamento_pose64,
    /// 1 if a cut lies between the two: no motion blur, no camera damping across it.
    pub cut: u32,
    /// Zero.
    pub reserved: u32,
}

/// A quaternion this far from unit length is normalised; farther is an error.
const UNIT: f32 = 1e-3;

fn rotation(xyzw: [f32; 4]) -> Result<Rotation, Failure> {
    let [x, y, z, w] = xyzw;
    let length = (x * x + y * y + z * z + w * w).sqrt();
    let unit = (length - 1.0).abs() <= UNIT;
    unit.then(|| Rotation::from_xyzw(xyzw)).flatten().ok_or_else(|| {
        let words =
            format_args!("the quaternion [{x}, {y}, {z}, {w}] has length {length}: give one of length 1");
        Failure::new(PORTAMENTO_BAD_VALUE, words)
    })
}

fn finite<const N: usize>(position: [f64; N]) -> Result<(), Failure> {
    match position.iter().find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(number) => {
            let words = format_args!("a position holds {number}: give finite numbers");
            Err(Failure::new(PORTAMENTO_BAD_VALUE, words))
        }
    }
}

impl TryFrom<portamento_pose> for Pose {
    type Error = Failure;

    fn try_from(pose: portamento_pose) -> Result<Self, Failure> {
        finite(pose.position.map(f64::from))?;
        Ok(Self::new(pose.position, rotation(pose.rotation)?))
    }
}

impl TryFrom<portamento_pose64> for Pose64 {
    type Error = Failure;

    fn try_from(pose: portamento_pose64) -> Result<Self, Failure> {
        finite(pose.position)?;
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
        let portamento_moment { alpha, beyond, presented, tick, back, .. } = moment;
        let between = if beyond > 0.0 {
            Moment::past_newest(beyond, presented)
        } else {
            Moment::at(alpha, presented).ticks_back(back)
        };
        match tick.checked_sub(1) {
            Some(ticks) => between.after_ticks(ticks),
            None => between,
        }
    }
}

impl From<Moment> for portamento_moment {
    fn from(moment: Moment) -> Self {
        Self {
            alpha: moment.alpha(),
            beyond: moment.beyond(),
            presented: moment.presented(),
            tick: moment.tick().map_or(0, |ticks| ticks.saturating_add(1)),
            back: moment.back(),
            reserved: 0,
        }
    }
}
