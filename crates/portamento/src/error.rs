//! What is wrong with a setting?

use core::fmt;

/// A setting that can never work: what it is, the value given, and what to give instead.
///
/// Every constructor of the crate that checks its settings returns this type. Saved state is checked by the same
/// rules, so a broken save is refused with the same words.
///
/// ```
/// use portamento::step::Stepper;
/// let error = Stepper::fixed(-60.0).unwrap_err();
/// assert_eq!(error.to_string(), "ticks per second (hz) is -60: give a rate from 0.000001 to 1000000, such as 60");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SettingError {
    /// Which setting.
    pub what: &'static str,
    /// What was given.
    pub value: f64,
    allowed: Allowed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Allowed {
    Text(&'static str),
    /// A least of `MIN_POSITIVE` means above 0.
    Range(f64, f64),
}

impl SettingError {
    /// `cure` completes the sentence "give ...".
    pub(crate) fn new(what: &'static str, value: f64, cure: &'static str) -> Self {
        Self { what, value, allowed: Allowed::Text(cure) }
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}: give ", self.what, Number(self.value))?;
        match self.allowed {
            Allowed::Text(cure) => f.write_str(cure),
            Allowed::Range(f64::MIN_POSITIVE, most) => {
                write!(f, "a number above 0, at most {}", Number(most))
            }
            Allowed::Range(least, f64::INFINITY) => write!(f, "a number from {} on", Number(least)),
            Allowed::Range(least, most) => write!(f, "a number from {} to {}", Number(least), Number(most)),
        }
    }
}

/// A number without needless digits: plain where that is short, with an exponent otherwise.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-6..1e9).contains(&size) { self.0.fmt(f) } else { write!(f, "{:?}", self.0) }
    }
}

impl core::error::Error for SettingError {}

/// `Ok` if `good`.
pub(crate) fn check(
    good: bool,
    what: &'static str,
    value: f64,
    cure: &'static str,
) -> Result<(), SettingError> {
    if good { Ok(()) } else { Err(SettingError::new(what, value, cure)) }
}

/// `hz` if it is a usable rate.
pub(crate) fn rate(what: &'static str, hz: f64) -> Result<f64, SettingError> {
    check(hz > 0.0 && hz <= 1e6, what, hz, "a rate above 0, at most 1000000, such as 20").map(|()| hz)
}

/// `value` if it lies from `least` to `most`. A least of `MIN_POSITIVE` means above 0.
pub(crate) fn within(what: &'static str, value: f64, least: f64, most: f64) -> Result<f64, SettingError> {
    if value >= least && value <= most {
        Ok(value)
    } else {
        Err(SettingError { what, value, allowed: Allowed::Range(least, most) })
    }
}
