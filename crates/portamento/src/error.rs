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
    /// From the least rate to a million.
    Rate(LeastRate),
    /// At least this many numbers, for a stepper.
    Memory(f64),
    /// A whole sentence: what stands before the value and what after it.
    Sentence(&'static str, &'static str),
}

/// The lowest rate that is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LeastRate {
    /// One in eleven days, for what only counts.
    Millionth,
    /// One in an hour, the longest time that a playhead waits for.
    OneAnHour,
}

impl LeastRate {
    fn hz(self) -> f64 {
        match self {
            Self::Millionth => 1e-6,
            Self::OneAnHour => 1.0 / 3600.0,
        }
    }
}

/// A stepper that remembers more numbers than this is hardly wanted.
const LARGE_MEMORY: f64 = 65_536.0;

/// More times a second make no sense.
const MOST_HZ: f64 = 1e6;

impl SettingError {
    /// `cure` completes the sentence "give ...".
    pub(crate) fn new(what: &'static str, value: f64, cure: &'static str) -> Self {
        Self { what, value, allowed: Allowed::Text(cure) }
    }

    /// A stepper's memory of `given` numbers is too small for a gate that needs `needed`.
    pub(crate) fn memory(given: usize, needed: usize) -> Self {
        let what = "the memory of a stepper (MEMORY)";
        Self { what, value: given as f64, allowed: Allowed::Memory(needed as f64) }
    }

    /// A sentence of its own, with the value between `before` and `after`.
    pub(crate) fn sentence(
        what: &'static str,
        value: f64,
        before: &'static str,
        after: &'static str,
    ) -> Self {
        Self { what, value, allowed: Allowed::Sentence(before, after) }
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Allowed::Sentence(before, after) = self.allowed {
            return write!(f, "{before}{}{after}", Number(self.value));
        }
        write!(f, "{} is {}: give ", self.what, Number(self.value))?;
        match self.allowed {
            Allowed::Text(cure) => f.write_str(cure),
            Allowed::Range(f64::MIN_POSITIVE, most) => {
                write!(f, "a number above 0, at most {}", Number(most))
            }
            Allowed::Range(least, f64::INFINITY) => write!(f, "a number from {} on", Number(least)),
            Allowed::Range(least, most) => write!(f, "a number from {} to {}", Number(least), Number(most)),
            Allowed::Rate(least) => {
                let least = match least {
                    LeastRate::Millionth => "0.000001",
                    LeastRate::OneAnHour => "1/3600 (one an hour)",
                };
                write!(f, "a rate from {least} to {}, such as 60", Number(MOST_HZ))
            }
            Allowed::Memory(size) => {
                let needed = Number(size);
                write!(f, "at least {needed} (max / min + 34)")?;
                if size <= LARGE_MEMORY {
                    write!(f, ", such as Stepper::<{needed}>")
                } else {
                    f.write_str(", or a longer `min`")
                }
            }
            Allowed::Sentence(..) => Ok(()),
        }
    }
}

/// A number without needless digits: plain where that is short, with an exponent otherwise.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        let usual = size == 0.0 || (1e-6..1e9).contains(&size);
        let digits = || length(format_args!("{}", self.0)) <= length(format_args!("{:e}", self.0));
        if usual || size < 1e15 && digits() { self.0.fmt(f) } else { write!(f, "{:e}", self.0) }
    }
}

/// How many bytes a text has.
fn length(text: fmt::Arguments) -> usize {
    struct Count(usize);
    impl fmt::Write for Count {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.len();
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting cannot fail.
    let _ = fmt::write(&mut count, text);
    count.0
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
pub(crate) fn rate(what: &'static str, hz: f64, least: LeastRate) -> Result<f64, SettingError> {
    if hz >= least.hz() && hz <= MOST_HZ {
        Ok(hz)
    } else {
        Err(SettingError { what, value: hz, allowed: Allowed::Rate(least) })
    }
}

/// `value` if it lies from `least` to `most`. A least of `MIN_POSITIVE` means above 0.
pub(crate) fn within(what: &'static str, value: f64, least: f64, most: f64) -> Result<f64, SettingError> {
    if value >= least && value <= most {
        Ok(value)
    } else {
        Err(SettingError { what, value, allowed: Allowed::Range(least, most) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_needless_digits() {
        for (number, text) in [
            (60.0, "60"),
            (-0.5, "-0.5"),
            (999_999_999.0, "999999999"),
            (1e9, "1e9"),
            (-2_500_000_000.0, "-2.5e9"),
            (4_294_967_295.0, "4294967295"),
            (1e-7, "1e-7"),
            (f64::MAX, "1.7976931348623157e308"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            let error = SettingError::new("it", number, "another");
            assert_eq!(error.to_string(), std::format!("it is {text}: give another"));
        }
    }

    #[test]
    fn the_lowest_rate_is_taken_and_no_lower_one() {
        for (least, hz) in [(LeastRate::Millionth, 1e-6), (LeastRate::OneAnHour, 1.0 / 3600.0)] {
            assert_eq!(rate("rate", hz, least), Ok(hz));
            assert!(rate("rate", hz.next_down(), least).is_err());
            assert_eq!(rate("rate", 1e6, least), Ok(1e6));
        }
        let hour = rate("rate", 1e-5, LeastRate::OneAnHour).unwrap_err();
        assert_eq!(
            hour.to_string(),
            "rate is 0.00001: give a rate from 1/3600 (one an hour) to 1000000, such as 60"
        );
        assert_eq!(hour.value, 1e-5);
        assert!(1.0 / LeastRate::OneAnHour.hz() <= 3600.0, "its interval is one that playheads take");
    }
}
