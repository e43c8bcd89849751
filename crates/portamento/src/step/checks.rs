//! What each number of a stepper's settings must be.

use crate::error::{self, LeastRate, SettingError, check, within};

/// `seconds` if it is a length of time.
pub(super) fn length(what: &'static str, seconds: f64) -> Result<(), SettingError> {
    check(seconds > 0.0 && seconds <= 1e9, what, seconds, "a number of seconds above 0, at most 1e9")
}

/// `hz` if a display can have that rate.
pub(super) fn display(hz: f64) -> Result<f64, SettingError> {
    error::rate("the display's rate", hz, LeastRate::Millionth)
}

/// `scale` if time can run so fast.
pub(super) fn scale(scale: f64) -> Result<f64, SettingError> {
    within("time scale", scale, 0.0, 1e6)
}

/// `hz` if ticks can run so often. They are counted to the nanosecond, and a frame must be able to run all that are due.
pub(super) fn rate(hz: f64) -> Result<f64, SettingError> {
    error::rate("ticks per second (hz)", hz, LeastRate::Millionth)
}
