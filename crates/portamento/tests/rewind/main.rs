//! The contract of the history: bit for bit what the client saw, and nothing that it could not have seen.

use portamento::blend::{Displace, Hermite, Pose, Rotation};
use portamento::remote::{Claim, History, HistorySettings, Peer, Report, SnapshotState, Snapshots};

mod random;
mod shooting;
mod table;

const INTERVAL: f64 = 1.0 / 30.0;

fn roll(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 33) as f64 / (1u64 << 31) as f64
}

/// A player who runs about, turns, and is put elsewhere every few seconds; one in three reports has a velocity.
fn report(tick: u32) -> Report<Pose> {
    let t = f64::from(tick) * INTERVAL;
    let epoch = tick / 100;
    let turn = Rotation::from_axis_angle([0.1, 1.0, 0.3], (t * 2.3).sin() as f32 * 2.0);
    let place = [(t * 1.7).sin() as f32 * 6.0 + epoch as f32 * 50.0, (t * 3.1).cos() as f32, t as f32];
    let mut report = Report::new(Pose::new(place, turn)).with_epoch(epoch);
    if tick.is_multiple_of(3) {
        let linear = [(t * 1.7).cos() as f32 * 10.2, 0.1, 1.0];
        report.velocity = Some(portamento::blend::Velocity { linear, angular: [0.0, 0.4, 0.0] });
    }
    report
}

#[test]
fn the_server_repeats_what_the_client_drew_bit_for_bit_over_a_game_with_loss() {
    let mut history = History::<Pose>::at_hz(1.0 / INTERVAL).unwrap();
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut target = Snapshots::<Pose>::new();
    let mut on_the_way: Vec<(f64, u32)> = Vec::new();
    let mut seed = 11;
    let (mut blended, mut extrapolated, mut offset) = (0, 0, 0);
    let mut tick = 0;
    for frame in 0..144 * 60 {
        let now = f64::from(frame) / 144.0;
        while f64::from(tick) * INTERVAL <= now {
            let sent = f64::from(tick) * INTERVAL;
            assert!(history.record(sent, report(tick)));
            if roll(&mut seed) > 0.1 {
                on_the_way.push((sent + 0.03 + 0.04 * roll(&mut seed) * roll(&mut seed), tick));
            }
            tick += 1;
        }
        on_the_way.sort_by(|a, b| b.0.total_cmp(&a.0));
        while on_the_way.last().is_some_and(|m| m.0 <= now) {
            let (arrived, tick) = on_the_way.pop().unwrap();
            let stamp = sender.receive(f64::from(tick) * INTERVAL, arrived);
            target.insert(stamp, report(tick));
        }
        let Some(frame) = sender.frame(now) else { continue };
        let Some(drawn) = target.draw(&frame).here() else { continue };
        let claim = target.claim(&frame).expect("it is drawn");
        let claim = Claim::from_bytes(claim.to_bytes()).expect("what we wrote we read");
        let rewound = history.rewind(claim, now).unwrap_or_else(|e| panic!("at {now}: {e}"));
        let bits =
            |pose: &Pose| (pose.position.map(f32::to_bits), pose.rotation.to_array().map(f32::to_bits));
        assert_eq!(bits(&rewound.value), bits(target.blended().unwrap()), "at {now}: {rewound:?}");
        let size = Pose::size(&Pose::velocity(&rewound.value, &drawn.now, 1.0)).length;
        assert!(size <= rewound.offset + 1e-4, "at {now}: {size} beside it, {rewound:?}");
        if rewound.seen == SnapshotState::Blending {
            assert!((rewound.moment - frame.shown).abs() < 1e-5, "{} {}", rewound.moment, frame.shown);
        }
        blended += u32::from(rewound.seen == SnapshotState::Blending);
        extrapolated += u32::from(rewound.seen == SnapshotState::Extrapolating);
        offset += u32::from(rewound.offset > 0.0);
    }
    assert!(blended > 5000 && extrapolated > 50 && offset > 1000, "{blended} {extrapolated} {offset}");
}

#[test]
fn a_report_that_no_client_takes_is_not_recorded() {
    let mut history = History::<f64>::at_hz(1.0 / INTERVAL).unwrap();
    for (sent, report) in [
        (f64::NAN, Report::new(1.0)),
        (0.0, Report::new(f64::INFINITY)),
        (0.0, Report::new(1.0).with_velocity(f64::NAN)),
    ] {
        assert!(!history.record(sent, report), "{report:?} at {sent}");
    }
    assert!(history.record(0.0, Report::new(1.0).with_velocity(2.0)));
    assert!(!history.record(0.0, Report::new(3.0)), "its stamp is there already");
    assert_eq!(history.counts().refused, 4);
}

#[test]
fn a_history_that_could_judge_nothing_is_refused_with_its_number() {
    for interval in [0.0, -0.05, f64::NAN, f64::INFINITY, 3600.5] {
        let settings = HistorySettings { interval, ..HistorySettings::at_hz(20.0) };
        let error = History::<f64>::new(settings).unwrap_err().to_string();
        assert!(
            error.contains(&format!("is {interval}:")) && error.contains("give a number above 0"),
            "{error}"
        );
    }
    let limits = HistorySettings::at_hz(20.0);
    for (limits, name) in [
        (HistorySettings { back: f64::NAN, ..limits }, "back"),
        (HistorySettings { gap: -1.0, ..limits }, "gap"),
        (HistorySettings { beyond: f64::NAN, ..limits }, "beyond"),
    ] {
        let error = History::<f64>::new(limits).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}
