//! What a stepper refuses, and why.

use core::fmt;

/// A setting that can never work. The text holds the number and the cure.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// Ticks per second must be above 0 and at most a million.
    Rate(f64),
    /// A display draws more than 0 and at most a million frames per second.
    Display(f64),
    /// A length of time must be a positive, finite number of seconds.
    Length {
        /// Which setting.
        what: &'static str,
        /// What was given.
        seconds: f64,
    },
    /// The lengths of a gate must not decrease: min, max, huge.
    Order {
        /// The setting that must be the smaller one.
        smaller: &'static str,
        /// Its value.
        is: f64,
        /// The setting that must not be smaller.
        larger: &'static str,
        /// Its value.
        but: f64,
    },
    /// A gate's longest quantum is too short for its stale limit: a frame that is not stale could run for years.
    Short {
        /// The longest quantum.
        max: f64,
        /// The stale limit.
        huge: f64,
    },
    /// A time scale must lie within 0 and a million.
    Scale(f64),
    /// At least one tick must be allowed per frame.
    NoTicks,
    /// Extrapolation must be a finite number of ticks, 0 or more.
    Extrapolation(f64),
    /// A gate has no tick rate to set.
    NoRate(f64),
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::Rate(hz) => {
                write!(
                    f,
                    "{hz} ticks per second cannot run: give a rate above 0, at most 1000000, such as 60"
                )
            }
            Self::Display(hz) => {
                write!(f, "a display of {hz} Hz does not exist: give its frames per second, such as 144")
            }
            Self::Length { what, seconds } => {
                write!(f, "{what} is {seconds} s: give a positive, finite number of seconds")
            }
            Self::Order { smaller, is, larger, but } => {
                write!(f, "{smaller} ({is} s) is above {larger} ({but} s): give min <= max <= huge")
            }
            Self::Short { max, huge } => {
                write!(f, "max ({max} s) is too short for huge ({huge} s): give at least 1e-10 of huge")
            }
            Self::Scale(scale) => {
                write!(f, "a time scale of {scale} cannot run: give 0 to 1000000; 1 is real time")
            }
            Self::Extrapolation(ticks) => {
                write!(f, "{ticks} ticks of extrapolation make no sense: give a finite number, 0 or more")
            }
            Self::NoRate(hz) => {
                write!(f, "a gate cannot run at {hz} ticks per second: its quanta follow the frames")
            }
            Self::NoTicks => write!(f, "a limit of 0 ticks per frame would never run: give 1 or more"),
        }
    }
}

impl core::error::Error for StepError {}

/// `seconds` if it is a length of time.
pub(crate) fn length(what: &'static str, seconds: f64) -> Result<f64, StepError> {
    if seconds > 0.0 && seconds.is_finite() { Ok(seconds) } else { Err(StepError::Length { what, seconds }) }
}

/// `hz` if a display can have that rate.
pub(crate) fn display(hz: f64) -> Result<f64, StepError> {
    rate(hz).map_err(|_| StepError::Display(hz))
}

/// `ticks` if one can look so far ahead.
pub(crate) fn extrapolation(ticks: f64) -> Result<f64, StepError> {
    if ticks >= 0.0 && ticks.is_finite() { Ok(ticks) } else { Err(StepError::Extrapolation(ticks)) }
}

/// `scale` if time can run so fast.
pub(crate) fn scale(scale: f64) -> Result<f64, StepError> {
    if (0.0..=1e6).contains(&scale) { Ok(scale) } else { Err(StepError::Scale(scale)) }
}

/// `hz` if something can happen so often; its period must be representable too. Ticks are counted to the
/// nanosecond, and a frame must be able to run all that are due: more than a million a second make no sense.
pub(crate) fn rate(hz: f64) -> Result<f64, StepError> {
    if hz > 0.0 && hz <= 1e6 && (1.0 / hz).is_finite() { Ok(hz) } else { Err(StepError::Rate(hz)) }
}
