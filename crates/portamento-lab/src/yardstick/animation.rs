//! Did the simulated time advance by as much as the displayed time?
//!
//! The animation error of a frame is (how far the content moved on) - (how long after the frame before it was
//! shown): the definition of PresentMon's `MsAnimationError`, so that figures compare with the tools people
//! use. A method that guesses ahead scores zero while it jerks: never rank by this figure alone.

use super::statistics::{percentile, rms};
use serde::Serialize;

/// Animation error of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AnimationError {
    /// Root mean square, seconds.
    pub rms: f64,
    /// 99th percentile of the magnitude, seconds.
    pub p99: f64,
    /// Sum of magnitudes per second of display time: seconds of error per second.
    pub per_second: f64,
}

impl AnimationError {
    /// From (displayed, content) times of consecutive frames; `None` with fewer than two frames.
    pub fn from_times(frames: &[(f64, f64)]) -> Option<Self> {
        let errors: Vec<f64> =
            frames.windows(2).map(|w| ((w[1].1 - w[0].1) - (w[1].0 - w[0].0)).abs()).collect();
        let shown = frames.last()?.0 - frames[0].0;
        Self::from_errors(errors, shown)
    }

    /// From the errors themselves (seconds, any sign) over `shown` seconds of display.
    pub fn from_errors(errors: Vec<f64>, shown: f64) -> Option<Self> {
        let magnitudes: Vec<f64> = errors.into_iter().map(f64::abs).collect();
        let rms = rms(&magnitudes)?;
        let sum: f64 = magnitudes.iter().sum();
        let p99 = percentile(magnitudes, 0.99)?;
        Some(Self { rms, p99, per_second: if shown > 0.0 { sum / shown } else { 0.0 } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_worked_frames() {
        // Shown 16, 16, 24 ms apart; content advanced 16, 20, 16 ms: errors 0, +4, -8 ms.
        let frames = [(0.0, 0.0), (0.016, 0.016), (0.032, 0.036), (0.056, 0.052)];
        let error = AnimationError::from_times(&frames).unwrap();
        assert!((error.rms - (80.0_f64 / 3.0).sqrt() / 1000.0).abs() < 1e-12);
        assert!((error.per_second - 0.012 / 0.056).abs() < 1e-12);
        assert!((error.p99 - 0.00792).abs() < 1e-12);
    }

    #[test]
    fn one_frame_has_no_error_to_speak_of() {
        assert_eq!(AnimationError::from_times(&[(0.0, 0.0)]), None);
    }
}
