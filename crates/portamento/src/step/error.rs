//! What each number of a stepper's settings must be.

use crate::error::{SettingError, check};

/// `seconds` if it is a length of time.
pub(crate) fn length(what: &'static str, seconds: f64) -> Result<f64, SettingError> {
    check(seconds > 0.0 && seconds.is_finite(), what, seconds, "a positive, finite number of seconds")?;
    Ok(seconds)
}

/// `hz` if a display can have that rate.
pub(crate) fn display(hz: f64) -> Result<f64, SettingError> {
    check(is_rate(hz), "the display's rate", hz, "its frames per second, such as 144")?;
    Ok(hz)
}

/// `ticks` if one can look so far ahead.
pub(crate) fn extrapolation(ticks: f64) -> Result<f64, SettingError> {
    check(ticks >= 0.0 && ticks.is_finite(), "ticks of extrapolation", ticks, "a finite number, 0 or more")?;
    Ok(ticks)
}

/// `scale` if time can run so fast.
pub(crate) fn scale(scale: f64) -> Result<f64, SettingError> {
    check((0.0..=1e6).contains(&scale), "time scale", scale, "0 to 1000000; 1 is real time")?;
    Ok(scale)
}

/// `limit` if a frame can run that many ticks.
pub(crate) fn max_ticks(limit: u64) -> Result<u64, SettingError> {
    check(limit > 0, "max_ticks", limit as f64, "1 or more: a limit of 0 would never run a tick")
        .map(|_| limit)?;
    Ok(limit)
}

/// `hz` if ticks can run so often.
pub(crate) fn rate(hz: f64) -> Result<f64, SettingError> {
    check(is_rate(hz), "ticks per second (hz)", hz, "a rate above 0, at most 1000000, such as 60")?;
    Ok(hz)
}

/// The period must be representable too. Ticks are counted to the nanosecond, and a frame must be able to run all that
/// are due: more than a million a second make no sense.
fn is_rate(hz: f64) -> bool {
    hz > 0.0 && hz <= 1e6 && (1.0 / hz).is_finite()
}
