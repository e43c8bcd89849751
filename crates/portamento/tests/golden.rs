//! Golden traces: what every policy did, number by number, when it was last known to be right.
//!
//! The files hold the shortest decimal form that reads back exactly, so any change of arithmetic shows as a
//! changed line. After a wanted change: `PORTAMENTO_BLESS=1 cargo test -p portamento --test golden`, and read
//! the difference before committing it.

use portamento::Track;
use portamento::step::{Fixed, Frame, FrameClock, GateRule, Stepper};
use std::fmt::Write;
use std::path::Path;

/// Frame times of a bad minute: steady, jittery, a hitch, stale time, nonsense, and tiny frames.
fn frames() -> Vec<f64> {
    let jitter = (0..120u32)
        .map(|i| (1.0 + 0.3 * f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 16_777_216.0) / 144.0);
    let steady = [1.0 / 60.0; 60].into_iter();
    let odd =
        [0.5, 0.01, f64::NAN, 0.02, 0.0, -1.0, 2.0, 0.1, 2.5, 0.03, 0.03, 0.0001, 0.00005, f64::INFINITY];
    steady.chain(jitter).chain(odd).chain([1.0 / 240.0; 60]).collect()
}

fn trace(mut stepper: Stepper) -> String {
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
            moment.back(),
            moment.presented(),
            track.truth(),
            track.view(&moment)
        )
        .unwrap();
    }
    text
}

#[test]
fn every_policy_follows_its_golden_trace() {
    let snapping = FrameClock::new().snapping_to_display(60.0).unwrap().carrying_drift();
    for (name, stepper) in [
        ("fixed", Stepper::fixed(60.0).unwrap()),
        ("snapped", Fixed::new(60.0).unwrap().clock(snapping).max_ticks(5).unwrap().stepper()),
        ("even", Stepper::gated(GateRule::Even)),
        ("client", Stepper::gated(GateRule::Client)),
        ("seed", Stepper::gated(GateRule::Seed)),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
        let now = trace(stepper);
        if std::env::var_os("PORTAMENTO_BLESS").is_some() {
            std::fs::write(&path, &now).unwrap();
        }
        let golden = std::fs::read_to_string(&path).unwrap();
        for (i, (golden, now)) in golden.lines().zip(now.lines()).enumerate() {
            assert_eq!(golden, now, "{name}.txt, line {}", i + 1);
        }
        assert_eq!(golden.lines().count(), now.lines().count(), "{name}.txt");
    }
}
