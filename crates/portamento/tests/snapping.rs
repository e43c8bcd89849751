//! Frame times that are snapped to a display: on the right one, on a wrong one, and with clocks that are read badly.

#[path = "golden/input.rs"]
#[allow(dead_code)]
mod input;

use input::Noise;
use portamento::Track;
use portamento::step::{FixedSettings, Frame, Snapping, Stepper};

fn snapping_to(hz: f64) -> FixedSettings {
    FixedSettings { snapping: Snapping::ToDisplay { hz }, ..FixedSettings::at_hz(60.0) }
}

/// How real and simulated time differed over a run.
struct Drift {
    /// The most before snapping stopped, and when it did.
    before: f64,
    stopped: Option<f64>,
    /// The most over any 60 s after that, as a share.
    after: f64,
}

fn drift(stepper: &mut Stepper, frames: impl Iterator<Item = f64>) -> Drift {
    let (mut real, mut presented) = (0.0, 0.0);
    let mut found = Drift { before: 0.0, stopped: None, after: 0.0 };
    let mut minute: Vec<(f64, f64)> = Vec::new();
    let mut first = 0;
    for dt in frames {
        let Frame { moment, .. } = stepper.frame(dt);
        real += dt;
        presented += moment.presented();
        let off: f64 = presented - real;
        if stepper.counts().snapping {
            found.before = found.before.max(off.abs());
            continue;
        }
        found.stopped.get_or_insert(real);
        minute.push((real, off));
        while real - minute[first].0 > 60.0 {
            first += 1;
        }
        found.after = found.after.max((off - minute[first].1).abs() / 60.0);
    }
    found
}

#[test]
fn a_display_that_is_another_one_is_noticed_and_snapping_stops() {
    let step = FixedSettings { snapping: Snapping::ToStep, ..FixedSettings::at_hz(60.0) };
    println!(
        "{:>22} {:>8} {:>12} {:>12} {:>14}",
        "snapping", "display", "noticed (s)", "off by (s)", "unwatched"
    );
    for (settings, display) in [
        (snapping_to(60.0), 75.0),
        (snapping_to(60.0), 50.1),
        (snapping_to(60.0), 65.0),
        (snapping_to(60.0), 61.0),
        (snapping_to(60.0), 60.2),
        (snapping_to(60.0), 59.85),
        (snapping_to(144.0), 125.0),
        (snapping_to(144.0), 165.0),
        (snapping_to(144.0), 75.0),
        (snapping_to(120.0), 144.0),
        (snapping_to(240.0), 200.0),
        (snapping_to(30.0), 33.0),
        (step, 65.0),
        (step, 56.0),
        (step, 125.0),
    ] {
        for carry_drift in [false, true] {
            let mut noise = Noise(5);
            let mut read = 0.0;
            let mut frames = (0..(200.0 * display) as u32).map(move |_| {
                let (before, now) = (read, 0.0002 * noise.next());
                read = now;
                1.0 / display + now - before
            });
            let settings = FixedSettings { carry_drift, ..settings };
            let mut watching = Stepper::new(settings).unwrap();
            let found = drift(&mut watching, &mut frames.clone());
            let mut blind =
                Stepper::new(FixedSettings { watch_display: false, carry_drift: false, ..settings }).unwrap();
            let off = drift(&mut blind, &mut frames).before / 200.0;
            let name = format!("{:?}", settings.snapping);
            println!(
                "{name:>22} {display:>8} {:>12.2} {:>12.3} {:>12.1} %",
                found.stopped.unwrap_or(f64::NAN),
                found.before,
                100.0 * off
            );
            assert!(
                !watching.counts().snapping && found.before <= 0.25,
                "{name} on {display}: {}",
                found.before
            );
            assert!(found.after <= 0.002, "{name} on {display}: {}", found.after);
            assert!(off > 0.0019, "the test can tell: {off}");
        }
    }
}

#[test]
fn a_display_that_varies_is_noticed() {
    // Variable refresh: frames take as long as they take, 4 to 10 ms, over seconds.
    let frames = (0..30_000).map(|i| 1.0 / 140.0 + 0.003 * (f64::from(i) * 0.004).sin());
    let mut stepper = Stepper::new(snapping_to(144.0)).unwrap();
    let found = drift(&mut stepper, frames);
    println!("variable: noticed after {:.2} s, off by {:.3} s", found.stopped.unwrap(), found.before);
    assert!(found.before <= 0.25 && found.after <= 0.002);
}

#[test]
fn the_right_display_is_kept_also_when_it_is_a_little_off() {
    for (named, display) in [(60.0, 59.94), (60.0, 60.0), (60.0, 60.06), (144.0, 143.86), (240.0, 239.76)] {
        for noise_seconds in [0.0, 0.0002, 0.001] {
            let mut noise = Noise(9);
            let mut read = 0.0;
            let frames = (0..(1800.0 * display) as u32).map(|_| {
                let (before, now) = (read, noise_seconds * noise.next());
                read = now;
                1.0 / display + now - before
            });
            let mut stepper = Stepper::new(snapping_to(named)).unwrap();
            let found = drift(&mut stepper, frames);
            assert!(stepper.counts().snapping, "{named} on {display}: stopped at {:?}", found.stopped);
            assert!(found.before <= 1800.0 * 0.002, "{named} on {display}: {}", found.before);
        }
    }
}

#[test]
fn a_window_that_moves_to_another_display_after_an_hour_is_noticed_at_once() {
    for first in [59.94, 60.0, 60.06] {
        for second in [75.0, 56.0, 144.0] {
            let mut stepper = Stepper::new(snapping_to(60.0)).unwrap();
            let hour = drift(&mut stepper, (0..216_000).map(|_| 1.0 / first));
            assert!(stepper.counts().snapping && hour.stopped.is_none());
            let before = stepper.counts().drift;
            let found = drift(&mut stepper, (0..20_000).map(|_| 1.0 / second));
            let off = (stepper.counts().drift - before).abs();
            assert!(found.before <= 0.25 && off <= 0.25, "{first} to {second}: {} {off}", found.before);
            assert!(!stepper.counts().snapping);
            // The engine reports the new display: snapping starts again.
            let mut told = stepper.clone();
            told.set_snapping(Snapping::ToDisplay { hz: second }).unwrap();
            let found = drift(&mut told, (0..20_000).map(|_| 1.0 / second));
            assert!(told.counts().snapping && found.before < 1e-6);
            // Or the window moves back.
            let found = drift(&mut stepper, (0..10_000).map(|_| 1.0 / first));
            assert!(stepper.counts().snapping && found.after <= 0.002, "{first} to {second} and back");
        }
    }
    assert!(Stepper::fixed(60.0).unwrap().set_snapping(Snapping::ToDisplay { hz: -75.0 }).is_err());
}

/// Deviation of the drawn speed and the farthest step, both in steps that are right.
fn evenness(settings: FixedSettings, interval: f64, dts: &[f64]) -> (f64, f64) {
    let mut stepper = Stepper::new(settings).unwrap();
    let mut time = Track::<f64, 2>::with_ends(0.0);
    let (mut last, mut squares, mut farthest) = (0.0, 0.0, 0.0f64);
    for (i, &dt) in dts.iter().enumerate() {
        let Frame { ticks, moment, .. } = stepper.frame(dt);
        for tick in ticks {
            time.push(tick.time);
        }
        let view = time.view(moment);
        if i > 60 {
            let step = (view - last) / interval;
            squares += (step - 1.0) * (step - 1.0);
            farthest = farthest.max(step);
        }
        last = view;
    }
    ((squares / (dts.len() - 61) as f64).sqrt(), farthest)
}

#[test]
fn on_the_right_display_snapped_frames_are_never_less_even_than_raw_ones() {
    println!(
        "{:>6} {:>9} {:>8} {:>8} {:>8} {:>8}   (deviation)",
        "Hz", "noise ms", "raw", "snapped", "carried", "before"
    );
    for display in [60.0, 75.0, 144.0, 240.0, 360.0] {
        for noise_seconds in [0.0, 0.0001, 0.0003, 0.0005, 0.001, 0.002, 0.004, 0.01] {
            for stamps in [true, false] {
                let mut noise = Noise(17);
                // Nearly normal.
                let mut random = || (0..4).map(|_| noise.next()).sum::<f64>() * 0.866 * noise_seconds;
                let interval = 1.0 / display;
                let mut newest = 0.0f64;
                let dts: Vec<f64> = (0..12_000)
                    .map(|i| {
                        if !stamps {
                            return (interval + random()).max(1e-6);
                        }
                        // A clock that is read late, never backwards.
                        let before = newest;
                        newest = newest.max(f64::from(i + 1) * interval + random());
                        newest - before
                    })
                    .collect();
                let snapping = snapping_to(display);
                let raw = evenness(FixedSettings::at_hz(60.0), interval, &dts);
                let snapped = evenness(snapping, interval, &dts);
                let carried = evenness(FixedSettings { carry_drift: true, ..snapping }, interval, &dts);
                let before = evenness(FixedSettings { watch_display: false, ..snapping }, interval, &dts);
                println!(
                    "{display:>6} {:>9} {:>8.4} {:>8.4} {:>8.4} {:>8.4}   farthest {:.2} {:.2} {:.2}",
                    1e3 * noise_seconds,
                    raw.0,
                    snapped.0,
                    carried.0,
                    before.0,
                    raw.1,
                    snapped.1,
                    carried.1
                );
                for (name, (deviation, farthest)) in [("snapped", snapped), ("carried", carried)] {
                    assert!(
                        deviation <= raw.0 * 1.001 + 1e-9,
                        "{name} to {display} Hz, {noise_seconds} s, stamps {stamps}: {deviation} and raw {}",
                        raw.0
                    );
                    assert!(farthest <= raw.1.max(1.0) * 1.25 + 1e-9, "{name} to {display} Hz: {farthest}");
                }
            }
        }
    }
}
