//! Poses, moments and what was drawn, as rows of numbers.

use crate::border::Numbers;
use portamento::blend::{Pose64, Rotation};
use portamento::step::MomentParts;
use portamento::{Drawn, Moment};

/// Seven numbers: x, y, z and a quaternion x, y, z, w. A quaternion within 1e-3 of unit length is normalised; one at unit
/// length keeps its bits. `None` for what is no pose.
pub(crate) fn pose(from: &mut Numbers) -> Option<Pose64> {
    let position = from.take_all::<3>();
    let [x, y, z, w] = from.take_all::<4>().map(|c| c as f32);
    let off = ((x * x + y * y) + (z * z + w * w) - 1.0).abs();
    let rotation = match off {
        ..=1e-6 => Rotation { x, y, z, w },
        ..=2.001e-3 => Rotation::from_xyzw([x, y, z, w])?,
        _ => return None,
    };
    position.iter().all(|c| c.is_finite()).then(|| Pose64::new(position, rotation))
}

pub(crate) fn give_pose(to: &mut Numbers, pose: &Pose64) {
    to.give_all(pose.position);
    to.give_all(pose.rotation.to_array().map(f64::from));
}

/// Fifteen numbers: now, before, and whether a cut lies between.
pub(crate) fn give_drawn(drawn: &Drawn<Pose64>) {
    let to = &mut Numbers::from_the_start();
    give_pose(to, &drawn.now);
    give_pose(to, &drawn.before);
    to.give_flag(drawn.cut);
}

/// Six numbers: alpha, beyond, presented, back, tick + 1 (0: unknown), frame + 1 (0: unknown).
pub(crate) fn moment(from: &mut Numbers) -> Moment {
    let [alpha, beyond, presented, back, tick, frame] = from.take_all();
    let back = if beyond > 0.0 { 0 } else { back as u32 };
    let ticks = (tick > 0.0).then(|| tick as u64 - 1);
    let moment = MomentParts { alpha, back, beyond, presented, ticks, frame: None }.into();
    if frame > 0.0 { Moment::in_frame(moment, frame as u64 - 1) } else { moment }
}

/// The change of a position that `rebase` hands to everything remembered.
pub(crate) fn shift(from: &mut Numbers) -> impl Fn(&mut Pose64) + use<> {
    let by = from.take_all::<3>();
    move |pose| pose.position = core::array::from_fn(|i| pose.position[i] + by[i])
}
