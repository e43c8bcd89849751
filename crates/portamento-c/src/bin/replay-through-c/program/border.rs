//! What every system needs of the C interface.

use portamento_c::*;
use portamento_replay::ScriptPose;
use portamento_status::{PORTAMENTO_NOTHING, PORTAMENTO_OK};

/// Turns a status into the words of the error.
pub(crate) fn done(status: portamento_status) -> Result<(), String> {
    if status == PORTAMENTO_OK { Ok(()) } else { Err(last_error()) }
}

/// Whether there is something: `PORTAMENTO_NOTHING` is not an error.
pub(crate) fn found(status: portamento_status) -> Result<bool, String> {
    if status == PORTAMENTO_NOTHING { Ok(false) } else { done(status).map(|()| true) }
}

fn last_error() -> String {
    let mut words = vec![0u8; 512];
    // SAFETY: the buffer is as long as it says.
    let length = unsafe { portamento_last_error(words.as_mut_ptr().cast(), words.len()) };
    words.truncate(length);
    String::from_utf8_lossy(&words).into_owned()
}

/// A result that a function fills in.
pub(crate) fn result<T: Copy>(blank: T, call: impl FnOnce(&mut T) -> portamento_status) -> Result<T, String> {
    let mut made = blank;
    done(call(&mut made))?;
    Ok(made)
}

pub(crate) const NO_POSE: portamento_pose64 =
    portamento_pose64 { position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };

pub(crate) fn at(position: [f64; 3]) -> portamento_pose64 {
    portamento_pose64 { position, ..NO_POSE }
}

/// A script's pose, its quaternion rounded to single precision and brought to unit length once more.
pub(crate) fn normalized(pose: ScriptPose) -> Result<portamento_pose64, String> {
    let Some(rotation) = pose.rotation else { return Ok(at(pose.position)) };
    let given = rotation.map(|c| c as f32);
    let mut rotation = [0.0; 4];
    // SAFETY: four numbers in, room for four.
    done(unsafe { portamento_normalize(given.as_ptr(), rotation.as_mut_ptr()) })?;
    Ok(portamento_pose64 { position: pose.position, rotation })
}

/// As many numbers as the script's poses have.
pub(crate) fn numbers(pose: &portamento_pose64, rotation: bool) -> Vec<f64> {
    let mut numbers = pose.position.to_vec();
    numbers.extend(pose.rotation.map(f64::from).iter().filter(|_| rotation));
    numbers
}
