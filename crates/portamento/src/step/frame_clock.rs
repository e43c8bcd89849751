//! From the time a frame took to the time that is simulated for it.

use super::error::{display, length};
use crate::SettingError;
use crate::math::{floor, round};

/// Bounds and evens frame times before they are added up.
///
/// Measured frame times scatter around the display's true interval. Added up as they are, they beat against the
/// tick length: now two ticks in a frame, now none. Snapping takes the nearest time that the display or the step
/// could mean, and leaves alone what fits nothing.
///
/// ```
/// use portamento::step::FrameClock;
/// # fn main() -> Result<(), portamento::SettingError> {
/// let mut clock = FrameClock::new().snapping_to_display(144.0)?;
/// let frame = clock.frame(0.008, 60.0);
/// assert_eq!(frame.taken, 1.0 / 144.0);
/// assert!((clock.drift() - (1.0 / 144.0 - 0.008)).abs() < 1e-12); // what snapping took away so far
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrameClock {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::max_frame"))]
    max_frame: f64,
    snap: bool,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::display"))]
    display_hz: Option<f64>,
    carry: bool,
    drift: f64,
    paying: bool,
}

/// What a [`FrameClock`] made of a frame's time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct FrameTime {
    /// Seconds to simulate.
    pub taken: f64,
    /// Seconds cut off because the frame was too long.
    pub dropped: f64,
}

impl Default for FrameClock {
    fn default() -> Self {
        Self { max_frame: 0.25, snap: false, display_hz: None, carry: false, drift: 0.0, paying: false }
    }
}

impl FrameClock {
    /// Frames of up to 0.25 s, as they are.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The longest frame that is taken in; what is longer is cut off and reported, or a slow simulation would
    /// make each frame longer than the one before. A very long one switches this off: the ticks of an hour's
    /// frame then all run.
    pub fn max_frame(self, seconds: f64) -> Result<Self, SettingError> {
        Ok(Self { max_frame: length("max_frame", seconds)?, ..self })
    }

    /// Snap to the step and its halves, thirds and quarters.
    #[must_use]
    pub fn snapping(self) -> Self {
        Self { snap: true, ..self }
    }

    /// Snap to the display's intervals first. Only where frames really wait for the display: with a software
    /// frame limiter they do not.
    pub fn snapping_to_display(self, hz: f64) -> Result<Self, SettingError> {
        let display_hz = Some(display(hz)?);
        Ok(Self { snap: true, display_hz, ..self })
    }

    /// Pay the drift back whenever a whole tick of it has gathered: real time is kept, at the price of one
    /// visible hitch per tick owed. Without it a display that runs 0.1 % fast makes the game run so.
    #[must_use]
    pub fn carrying_drift(self) -> Self {
        Self { carry: true, ..self }
    }

    /// Seconds that snapping has added (or, negative, taken away) and that were not paid back.
    #[must_use]
    pub fn drift(&self) -> f64 {
        self.drift
    }

    /// What of it will be paid back.
    #[cfg(feature = "serde")]
    pub(super) fn owed(&self) -> f64 {
        if self.carry { self.drift } else { 0.0 }
    }

    #[cfg(feature = "serde")]
    pub(super) fn longest(&self) -> f64 {
        self.max_frame
    }

    /// What to simulate for a frame of `dt` seconds at `hz` ticks per second. A `dt` that is not a positive,
    /// finite number gives nothing.
    pub fn frame(&mut self, dt: f64, hz: f64) -> FrameTime {
        if !(dt > 0.0 && dt.is_finite()) {
            return FrameTime { taken: 0.0, dropped: 0.0 };
        }
        let bounded = if dt > self.max_frame { self.max_frame } else { dt };
        let dropped = dt - bounded;
        if !self.snap {
            return FrameTime { taken: bounded, dropped };
        }
        let snapped = self.snapped(bounded, hz);
        self.drift += snapped - bounded;
        let taken = if self.carry { self.pay(snapped, 1.0 / hz) } else { snapped };
        FrameTime { taken, dropped }
    }

    fn snapped(&self, dt: f64, hz: f64) -> f64 {
        if let Some(display) = self.display_hz {
            for n in 1..=8 {
                let interval = f64::from(n) / display;
                if (dt - interval).abs() <= 0.20 / display {
                    return interval;
                }
            }
        }
        for parts in 1..=4 {
            let part_hz = f64::from(parts) * hz;
            let nearest = round(dt * part_hz);
            let multiple = if nearest < 1.0 { 1.0 } else { nearest } / part_hz;
            if (dt - multiple).abs() < 0.10 / part_hz {
                return multiple;
            }
        }
        dt
    }

    /// Too much counted: frames stand still until a tick is paid. Too little: whole ticks at once.
    fn pay(&mut self, snapped: f64, step: f64) -> f64 {
        if self.drift <= -step {
            let owed = floor(-self.drift / step) * step;
            self.drift += owed;
            return snapped + owed;
        }
        self.paying = self.drift >= if self.paying { snapped } else { step };
        if self.paying && self.drift >= snapped {
            self.drift -= snapped;
            return 0.0;
        }
        snapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 60.0;

    #[test]
    fn frame_times_snap_as_the_table_says() {
        let ms = |x: f64| x / 1000.0;
        for (display, given, want) in [
            (None, ms(16.0), STEP),
            (None, ms(18.3), STEP),
            (None, ms(18.4), ms(18.4)),
            (None, ms(33.0), 2.0 * STEP),
            (None, ms(8.33), STEP / 2.0),
            (None, ms(7.0), ms(7.0)),
            (Some(144.0), ms(8.0), 1.0 / 144.0),
            (Some(144.0), ms(10.0), ms(10.0)),
        ] {
            let mut clock = FrameClock { snap: true, display_hz: display, ..FrameClock::new() };
            let taken = clock.frame(given, 60.0).taken;
            assert!((taken - want).abs() < 1e-12, "{display:?} {given}: {taken}");
        }
    }

    #[test]
    fn snapping_bounds_are_as_written() {
        let mut clock = FrameClock::new().snapping_to_display(100.0).unwrap();
        assert_eq!(clock.frame(0.01 + 0.20 / 100.0, 1000.0).taken, 0.01, "the display's bound is inclusive");
        let mut clock = FrameClock::new().max_frame(1.0).unwrap().snapping();
        assert_eq!(clock.frame(0.25, 4.0).taken, 0.25);
        assert_ne!(clock.frame(0.25 + 0.025, 4.0).taken, 0.25, "the step's bound is exclusive");
    }

    #[test]
    fn what_is_cut_off_is_reported() {
        let mut clock = FrameClock::new().max_frame(0.1).unwrap();
        let frame = clock.frame(0.35, 60.0);
        assert_eq!(frame.taken, 0.1);
        assert!((frame.dropped - 0.25).abs() < 1e-12);
    }

    #[test]
    fn carried_drift_keeps_real_time() {
        for display in [59.9, 60.1] {
            let mut clock = FrameClock::new().snapping_to_display(60.0).unwrap().carrying_drift();
            let (mut real, mut taken) = (0.0, 0.0);
            for _ in 0..60_000 {
                real += 1.0 / display;
                taken += clock.frame(1.0 / display, 60.0).taken;
                assert!((real - taken).abs() < 2.1 * STEP, "{display}: {real} {taken}");
            }
            assert!((taken - real - clock.drift()).abs() < 1e-6);
        }
        let mut clock = FrameClock::new().snapping_to_display(60.0).unwrap();
        let taken: f64 = (0..60_000).map(|_| clock.frame(1.0 / 59.9, 60.0).taken).sum();
        assert!((taken - 60_000.0 / 59.9).abs() > 1.0, "without carrying it drifts");
    }

    #[test]
    fn settings_that_cannot_work_are_refused_with_their_number() {
        assert!(FrameClock::new().max_frame(-1.5).unwrap_err().to_string().contains("-1.5"));
        assert!(FrameClock::new().snapping_to_display(0.0).unwrap_err().to_string().contains('0'));
    }
}
