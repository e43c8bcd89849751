//! What each number of a stepper's settings must be.

use crate::error::{SettingError, check, within};

/// `seconds` if it is a length of time.
pub(super) fn length(what: &'static str, seconds: f64) -> Result<(), SettingError> {
    check(seconds > 0.0 && seconds <= 1e9, what, seconds, "a number of seconds above 0, at most 1e9")
}

/// `hz` if a display can have that rate.
pub(super) fn display(hz: f64) -> Result<(), SettingError> {
    check(is_rate(hz), "the display's rate", hz, "its frames per second, such as 144")
}

/// `scale` if time can run so fast.
pub(super) fn scale(scale: f64) -> Result<f64, SettingError> {
    within("time scale", scale, 0.0, 1e6)
}

/// `hz` if ticks can run so often.
pub(super) fn rate(hz: f64) -> Result<(), SettingError> {
    check(is_rate(hz), "ticks per second (hz)", hz, "a rate from 0.000001 to 1000000, such as 60")
}

/// Ticks are counted to the nanosecond, and a frame must be able to run all that are due: more than a million a second
/// make no sense, nor does a tick of many days.
fn is_rate(hz: f64) -> bool {
    (1e-6..=1e6).contains(&hz)
}
