//! What every stepping policy does in a bad minute.

use portamento::Track;
use portamento::step::{FixedSettings, Frame, MomentParts, Snapping, Stepper};
use std::fmt::Write;

/// Frame times of a bad minute: steady, jittery, a hitch, stale time, nonsense, and tiny frames.
fn frames() -> Vec<f64> {
    let jitter = (0..120u32)
        .map(|i| (1.0 + 0.3 * f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 16_777_216.0) / 144.0);
    let steady = [1.0 / 60.0; 60].into_iter();
    let odd =
        [0.5, 0.01, f64::NAN, 0.02, 0.0, -1.0, 2.0, 0.1, 2.5, 0.03, 0.03, 0.0001, 0.00005, f64::INFINITY];
    steady.chain(jitter).chain(odd).chain([1.0 / 240.0; 60]).collect()
}

/// A fixed step whose frame times are snapped to a display of 60 Hz.
pub fn snapped() -> Stepper {
    Stepper::new(FixedSettings {
        snapping: Snapping::ToDisplay { hz: 60.0 },
        carry_drift: true,
        watch_display: false,
        max_ticks: Some(5),
        ..FixedSettings::at_hz(60.0)
    })
    .unwrap()
}

/// A line for each frame.
pub fn trace<const Q: usize>(mut stepper: Stepper<Q>) -> String {
    let mut track = Track::<f64>::new(0.0);
    let mut text = String::from("dt ticks lost alpha back presented truth view\n");
    for dt in frames() {
        let Frame { ticks, moment, lost } = stepper.frame(dt);
        let count = ticks.len();
        for tick in ticks {
            track.push(track.truth() + 3.0 * tick.dt);
        }
        writeln!(
            text,
            "{dt} {count} {} {} {} {} {} {}",
            lost.seconds,
            moment.alpha(),
            MomentParts::from(moment).back,
            moment.presented(),
            track.truth(),
            track.view(moment)
        )
        .unwrap();
    }
    text
}
