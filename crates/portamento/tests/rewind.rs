//! The contract of the history: bit for bit what the client saw, and nothing that it could not have seen.

use portamento::blend::{Pose, Rotation};
use portamento::remote::{
    Claim, ClaimKind, History, HistorySettings, Peer, Report, RewindRefused, Snapshots,
};
use proptest::prelude::*;

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
        let claim = target.claim(&frame).expect("snapshots are never far apart here");
        let claim = Claim::from_bytes(claim.to_bytes()).expect("what we wrote we read");
        let rewound = history.rewind(claim).unwrap_or_else(|e| panic!("at {now}: {e}"));
        let bits =
            |pose: &Pose| (pose.position.map(f32::to_bits), pose.rotation.to_array().map(f32::to_bits));
        assert_eq!(bits(&rewound.value), bits(target.blended().unwrap()), "at {now}: {rewound:?}");
        assert!(rewound.offset || Some(&drawn.now) == target.blended(), "at {now}: an offset must be marked");
        if rewound.seen == ClaimKind::Blended {
            assert!((rewound.moment - frame.shown).abs() < 1e-5, "{} {}", rewound.moment, frame.shown);
        }
        blended += u32::from(rewound.seen == ClaimKind::Blended);
        extrapolated += u32::from(rewound.seen == ClaimKind::Extrapolated);
        offset += u32::from(rewound.offset);
    }
    assert!(blended > 5000 && extrapolated > 50 && offset > 1000, "{blended} {extrapolated} {offset}");
}

/// Fifty ticks of a thing, cut at the fortieth.
fn history(settings: HistorySettings) -> History<f64> {
    let mut history = History::new(settings).unwrap();
    for tick in 0..50u32 {
        let report = Report::new(f64::from(tick)).with_epoch(u32::from(tick >= 40));
        assert!(history.record(f64::from(tick) * INTERVAL, report));
    }
    history
}

/// A blend between two ticks, as a client would write it.
fn claim(to: u16, from: u8, before: u8, after: u8, fraction: u16, kind: u8) -> Option<Claim> {
    let ([t0, t1], [f0, f1]) = ((to * 4).to_le_bytes(), fraction.to_le_bytes());
    Claim::from_bytes([t0, t1, from * 4, before * 4, after * 4, f0, f1, kind])
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
    assert_eq!(history.refused(), 4);
}

#[test]
fn over_a_long_gap_velocities_say_less_about_the_way() {
    // It leaves at 30 a second and comes back to where it was, `ticks` later.
    let bulge = |ticks: u8| {
        let limits = HistorySettings { gap: 9.0, ..HistorySettings::at_hz(1.0 / INTERVAL) };
        let mut history = History::<f64>::new(limits).unwrap();
        let _ = history.record(0.0, Report::new(0.0).with_velocity(30.0));
        let _ = history.record(f64::from(ticks) * INTERVAL, Report::new(0.0).with_velocity(-30.0));
        history.rewind(claim(ticks.into(), ticks, 0, 0, 32768, 0).unwrap()).unwrap().value
    };
    // A quarter of what it covers in the time, and from four ticks on no more.
    for (ticks, expected) in [(1, 0.25), (2, 0.5), (4, 1.0), (8, 1.0), (16, 1.0)] {
        assert!((bulge(ticks) - expected).abs() < 1e-3, "{ticks} ticks: {}", bulge(ticks));
    }
}

#[test]
fn what_vanished_cannot_be_claimed_nor_the_way_across() {
    let mut history = History::<f64>::at_hz(1.0 / INTERVAL).unwrap();
    assert!(!history.vanish(0.0), "it was never there");
    for tick in 0..10u32 {
        let sent = f64::from(tick) * INTERVAL;
        let taken =
            if tick == 5 { history.vanish(sent) } else { history.record(sent, Report::new(f64::from(tick))) };
        assert!(taken, "{tick}");
    }
    assert!(!history.vanish(5.0 * INTERVAL), "its stamp is there already");
    assert!(!history.vanish(f64::NAN));
    assert_eq!(history.refused(), 3);
    for (to, from) in [(6, 2), (6, 1), (5, 1), (8, 4)] {
        let across = claim(to, from, 0, 0, 9, 0).unwrap();
        assert_eq!(history.rewind(across), Err(RewindRefused::AcrossCut), "{from} ticks before tick {to}");
    }
    assert_eq!(
        history.rewind(claim(7, 1, 2, 0, 9, 0).unwrap()),
        Err(RewindRefused::AcrossCut),
        "a neighbour"
    );
    assert_eq!(
        history.rewind(claim(5, 0, 0, 0, 0, 2).unwrap()),
        Err(RewindRefused::AcrossCut),
        "held while gone"
    );
    assert_eq!(history.rewind(claim(5, 0, 0, 0, 99, 1).unwrap()), Err(RewindRefused::AcrossCut), "foreseen");
    for (to, from) in [(4, 1), (7, 1), (9, 2)] {
        assert!(history.rewind(claim(to, from, 0, 0, 9, 0).unwrap()).is_ok(), "{to} {from}");
    }
}

#[test]
fn forged_claims_are_refused() {
    let history = history(HistorySettings::at_hz(1.0 / INTERVAL));
    let honest = history.rewind(claim(35, 1, 1, 1, 32768, 0).unwrap()).unwrap();
    assert!((honest.value - 34.5).abs() < 1e-4);
    let rewind = |c: Option<Claim>| history.rewind(c.unwrap()).unwrap_err();
    assert_eq!(rewind(claim(60, 1, 0, 0, 9, 0)), RewindRefused::Unknown, "never sent");
    assert_eq!(rewind(claim(1, 2, 0, 0, 9, 0)), RewindRefused::Unknown, "before the first");
    assert_eq!(rewind(claim(40, 1, 0, 0, 9, 0)), RewindRefused::AcrossCut, "between both sides of the cut");
    assert_eq!(rewind(claim(39, 1, 0, 1, 9, 0)), RewindRefused::AcrossCut, "a neighbour from behind the cut");
    assert!(matches!(rewind(claim(10, 1, 1, 1, 9, 0)), RewindRefused::TooOld { back, .. } if back > 1.3));
    assert!(matches!(rewind(claim(39, 20, 0, 0, 9, 0)), RewindRefused::TooFarApart { .. }));
    assert!(matches!(rewind(claim(49, 0, 1, 0, 65535, 1)), RewindRefused::TooFarBeyond { .. }));
    assert_eq!(
        History::<f64>::at_hz(1.0 / INTERVAL).unwrap().rewind(claim(1, 1, 0, 0, 0, 0).unwrap()),
        Err(RewindRefused::Empty)
    );
    for nonsense in [claim(35, 0, 1, 1, 9, 0), claim(35, 1, 1, 1, 9, 3), claim(35, 1, 1, 1, 9, 1)] {
        assert_eq!(nonsense, None);
    }
    let strict = self::history(HistorySettings { back: 0.3, ..HistorySettings::at_hz(1.0 / INTERVAL) });
    assert!(matches!(strict.rewind(claim(35, 1, 1, 1, 9, 0).unwrap()), Err(RewindRefused::TooOld { .. })));
    assert!(RewindRefused::TooOld { back: 1.5, limit: 1.0 }.to_string().contains("reaches 1.500000 s back"));
}

proptest! {
    #[test]
    fn whatever_the_bytes_the_answer_lies_on_the_servers_own_path(bytes in any::<[u8; 8]>(), near in 0u16..260) {
        let history = history(HistorySettings::at_hz(1.0 / INTERVAL));
        let mut bytes = bytes;
        [bytes[0], bytes[1]] = near.to_le_bytes();
        if let Some(claim) = Claim::from_bytes(bytes)
            && let Ok(rewound) = history.rewind(claim)
        {
            prop_assert!(rewound.moment >= 49.0 * INTERVAL - 1.0 && rewound.moment <= 49.0 * INTERVAL + 0.25);
            // The thing moves one unit a tick: nobody can claim it elsewhere.
            prop_assert!((rewound.value - rewound.moment / INTERVAL).abs() < 0.01, "{rewound:?}");
        }
    }
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
