//! Tuning the frame clock: the beat between a display and a step, and what snapping does about it.
//!
//! `cargo run -p portamento --example frame_clock`

use portamento::SettingError;
use portamento::step::{FixedSettings, Snapping, Stepper};

/// Ticks in each of the frames, as digits.
fn beat(mut stepper: Stepper, frames: &[f64]) -> (String, usize, Stepper) {
    let counts: Vec<usize> = frames.iter().map(|dt| stepper.frame(*dt).ticks.len()).collect();
    let uneven = counts.iter().filter(|count| **count != 1).count();
    (counts[..48].iter().map(usize::to_string).collect(), uneven, stepper)
}

fn main() -> Result<(), SettingError> {
    // A 59.94 Hz display, measured by a clock with half a millisecond of noise.
    let noise = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 16_777_216.0 - 0.5;
    let frames: Vec<f64> = (0..36_000).map(|i| 1.0 / 59.94 + 0.001 * noise(i)).collect();
    let real: f64 = frames.iter().sum();

    let plain = FixedSettings::at_hz(60.0);
    let display = FixedSettings { snapping: Snapping::ToDisplay { hz: 60.0 }, ..plain };
    println!("ten minutes at 59.94 frames/s, 60 ticks/s; ticks in the first 48 frames:\n");
    for (name, settings) in [
        ("as measured", plain),
        ("snapped to the step", FixedSettings { snapping: Snapping::ToStep, ..plain }),
        ("snapped to the display", display),
        ("snapped, drift carried", FixedSettings { carry_drift: true, ..display }),
    ] {
        let (line, uneven, stepper) = beat(Stepper::new(settings)?, &frames);
        let behind = real - stepper.counts().ticks as f64 / 60.0;
        println!("{name:>23}  {line}");
        println!("{:>23}  {uneven} frames not of one tick, {behind:+.3} s behind real time\n", "");
    }
    println!("Snapping removes the beat and lets the game run with the display;");
    println!("carrying pays the drift back, two percent of a frame at a time.");
    Ok(())
}
