//! From the time a frame took to the time that is simulated for it.

use super::{FixedSettings, Snapping};
use crate::math::{floor, round};

/// The watch begins anew after this many seconds, so that what was right for hours does not hide a new display.
const WATCH: f64 = 60.0;
/// Seconds by which snapping may lead or lag within a watch: 0.19 %. A display of 59.94 Hz is 0.1 % off 60.
const MOST: f64 = 0.115;
/// If it would have been within this many seconds for a whole watch, snapping starts again.
const MOST_TO_RESUME: f64 = 0.08;
/// So many more frames that fit nothing than frames that do: the frames do not wait for this display.
const MISFITS: u32 = 30;
/// The share of a frame by which drift is paid back: too little to be seen as a change of speed.
const PAY: f64 = 0.02;
/// Debts of more than a tick are paid faster: this share of the rest in each frame.
const PAY_DEBT: f64 = 0.02;

/// Bounds and evens frame times before they are added up.
///
/// Measured frame times scatter around the display's true interval. Added up as they are, they beat against the tick
/// length: now two ticks in a frame, now none. Snapping takes the nearest time that the display or the step could mean,
/// and leaves alone what fits nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct FrameClock {
    /// Seconds that were taken in beyond what frames took.
    pub(super) drift: f64,
    /// Seconds of it that are being paid back: what is still to be added to frames.
    owed: f64,
    /// Seconds that snapping added since the watch began, or would have added, and how long ago that is.
    off: f64,
    watched: f64,
    /// Frames that fitted nothing, less those that did; 0 to twice `MISFITS`.
    misfits: u32,
    /// The display turned out to be another one.
    stopped: bool,
}

/// What became of a frame's time.
pub(super) struct FrameTime {
    /// Seconds to simulate.
    pub(super) taken: f64,
    /// Seconds cut off because the frame was too long.
    pub(super) dropped: f64,
}

impl FrameClock {
    /// What to simulate for a frame of `dt` seconds, a positive and finite number.
    pub(super) fn frame(&mut self, settings: &FixedSettings, dt: f64) -> FrameTime {
        let bounded = if dt > settings.max_frame { settings.max_frame } else { dt };
        let dropped = dt - bounded;
        if settings.snapping == Snapping::Off {
            return FrameTime { taken: bounded, dropped };
        }
        let fitting = fitting(settings, bounded);
        let evened = if settings.watch_display {
            self.watch(settings.snapping, bounded, fitting)
        } else {
            fitting.unwrap_or(bounded)
        };
        self.drift += evened - bounded;
        let taken = if settings.carry_drift { self.pay(evened, 1.0 / settings.hz) } else { evened };
        FrameTime { taken, dropped }
    }

    /// Whether frame times that fit are snapped at present.
    pub(super) fn trusts_display(&self) -> bool {
        !self.stopped && self.misfits <= MISFITS
    }

    /// What to take for a frame of `dt` seconds of which `fitting` may be the true length, as long as snapped and real
    /// time agree.
    fn watch(&mut self, snapping: Snapping, dt: f64, fitting: Option<f64>) -> f64 {
        self.misfits = match fitting {
            Some(_) => self.misfits.saturating_sub(1),
            None => (self.misfits + 1).min(2 * MISFITS),
        };
        if self.watched >= WATCH {
            (self.off, self.watched, self.stopped) = (0.0, 0.0, false);
        }
        let wanted = match fitting {
            _ if self.misfits > MISFITS => dt,
            Some(fitting) => fitting,
            None => self.nearer(snapping, dt),
        };
        self.off += wanted - dt;
        self.watched += dt;
        if self.off.abs() > if self.stopped { MOST_TO_RESUME } else { MOST } {
            (self.off, self.watched, self.stopped) = (0.0, 0.0, true);
        }
        if self.stopped { dt } else { wanted }
    }

    /// A time between `dt`, which fits nothing, and a whole number of intervals: never less even than `dt`. It makes up
    /// for what snapping has added, or real and snapped time would part at random.
    fn nearer(&self, snapping: Snapping, dt: f64) -> f64 {
        let Snapping::ToDisplay { hz } = snapping else { return dt };
        // Rounded down: whether a frame of 1.7 intervals was late or was shown twice, no one knows.
        let intervals = floor(dt * hz).clamp(1.0, 8.0);
        let whole = intervals / hz;
        if dt - whole > 1.0 / hz { dt } else { (dt - self.off).clamp(dt.min(whole), dt.max(whole)) }
    }

    /// Forgets what the watch has seen: the display is another one.
    pub(super) fn watch_anew(&mut self) {
        *self = Self { drift: self.drift, owed: self.owed, ..Self::default() };
    }

    /// Once a whole tick of drift has gathered, frames are made a little shorter or longer until it is paid. Whole
    /// ticks, so that frames lie in the same place between two ticks afterwards as before.
    fn pay(&mut self, snapped: f64, step: f64) -> f64 {
        let unpaid = self.drift + self.owed;
        if unpaid.abs() >= step {
            let ticks = floor(unpaid.abs() / step);
            self.owed -= if unpaid > 0.0 { ticks * step } else { -ticks * step };
        }
        let most = (PAY * snapped).max(PAY_DEBT * (self.owed.abs() - step));
        let piece = self.owed.clamp(-most, most).max(-snapped);
        self.owed -= piece;
        self.drift += piece;
        snapped + piece
    }

    /// Whether a stepper with these settings can have come here.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self, settings: &FixedSettings) -> bool {
        let most = 100.0 * (1.0 / settings.hz + settings.max_frame);
        let owes = !settings.carry_drift || (self.drift.abs() <= most && self.owed.abs() <= most);
        self.drift.is_finite() && owes && self.off.is_finite() && self.watched.is_finite()
    }
}

/// The time near `dt` that the display or the step could mean.
fn fitting(settings: &FixedSettings, dt: f64) -> Option<f64> {
    if let Snapping::ToDisplay { hz: display } = settings.snapping {
        for n in 1..=8 {
            let interval = f64::from(n) / display;
            if (dt - interval).abs() <= 0.20 / display {
                return Some(interval);
            }
        }
        // The display cannot show a fraction of its interval: what looks like one is noise.
        if settings.watch_display {
            return None;
        }
    }
    for parts in 1..=4 {
        let part_hz = f64::from(parts) * settings.hz;
        let nearest = round(dt * part_hz);
        let multiple = if nearest < 1.0 { 1.0 } else { nearest } / part_hz;
        if (dt - multiple).abs() < 0.10 / part_hz {
            return Some(multiple);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 60.0;

    fn settings(snapping: Snapping) -> FixedSettings {
        FixedSettings { snapping, ..FixedSettings::at_hz(60.0) }
    }

    /// What the first frame of a clock takes in.
    fn first(settings: FixedSettings, dt: f64) -> f64 {
        FrameClock::default().frame(&settings, dt).taken
    }

    #[test]
    fn frame_times_snap_as_the_table_says() {
        let ms = |x: f64| x / 1000.0;
        let display = Snapping::ToDisplay { hz: 144.0 };
        for (snapping, given, want) in [
            (Snapping::ToStep, ms(16.0), STEP),
            (Snapping::ToStep, ms(18.3), STEP),
            (Snapping::ToStep, ms(18.4), ms(18.4)),
            (Snapping::ToStep, ms(33.0), 2.0 * STEP),
            (Snapping::ToStep, ms(8.33), STEP / 2.0),
            (Snapping::ToStep, ms(7.0), ms(7.0)),
            (display, ms(8.0), 1.0 / 144.0),
            (display, ms(10.0), ms(10.0)),
            (Snapping::Off, ms(16.0), ms(16.0)),
        ] {
            for watch_display in [false, true] {
                let taken = first(FixedSettings { watch_display, ..settings(snapping) }, given);
                assert!((taken - want).abs() < 1e-12, "{snapping:?} {given}: {taken}");
            }
        }
    }

    #[test]
    fn snapping_bounds_are_as_written() {
        let display = settings(Snapping::ToDisplay { hz: 100.0 });
        let taken = first(FixedSettings { hz: 1000.0, ..display }, 0.01 + 0.20 / 100.0);
        assert_eq!(taken, 0.01, "the display's bound is inclusive");
        let slow = FixedSettings { hz: 4.0, max_frame: 1.0, ..settings(Snapping::ToStep) };
        assert_eq!(first(slow, 0.25), 0.25);
        assert_ne!(first(slow, 0.25 + 0.025), 0.25, "the step's bound is exclusive");
    }

    #[test]
    fn what_is_cut_off_is_reported() {
        let short = FixedSettings { max_frame: 0.1, ..settings(Snapping::Off) };
        let frame = FrameClock::default().frame(&short, 0.35);
        assert_eq!(frame.taken, 0.1);
        assert!((frame.dropped - 0.25).abs() < 1e-12);
    }

    #[test]
    fn carried_drift_keeps_real_time_and_is_not_seen() {
        let display = settings(Snapping::ToDisplay { hz: 60.0 });
        let carrying = FixedSettings { carry_drift: true, ..display };
        for rate in [59.9, 60.1] {
            let mut clock = FrameClock::default();
            let (mut real, mut taken) = (0.0, 0.0);
            for _ in 0..60_000 {
                real += 1.0 / rate;
                let frame = clock.frame(&carrying, 1.0 / rate).taken;
                assert!((frame * 60.0 - 1.0).abs() < 0.0201, "{rate}: a frame of {frame}");
                taken += frame;
                assert!((real - taken).abs() < 2.1 * STEP, "{rate}: {real} {taken}");
            }
            assert!((taken - real - clock.drift).abs() < 1e-6);
        }
        let mut clock = FrameClock::default();
        let taken: f64 = (0..60_000).map(|_| clock.frame(&display, 1.0 / 59.9).taken).sum();
        assert!((taken - 60_000.0 / 59.9).abs() > 1.0, "without carrying it drifts");
    }

    #[test]
    fn a_debt_of_any_size_is_paid_and_never_by_a_frame_that_runs_back() {
        // Unwatched, a display that is a tenth off: more than two percent of a frame can pay.
        let carrying = FixedSettings {
            carry_drift: true,
            watch_display: false,
            ..settings(Snapping::ToDisplay { hz: 60.0 })
        };
        for rate in [55.0, 66.0] {
            let mut clock = FrameClock::default();
            for _ in 0..60_000 {
                assert!(clock.frame(&carrying, 1.0 / rate).taken >= 0.0);
                assert!(clock.drift.abs() < 10.0 * STEP, "{rate}: {}", clock.drift);
            }
        }
    }
}
