//! What a forger can reach: claims with the right checksum, which only this crate can write without a client.

use crate::remote::claim::{check_of, distance_code, rate_code, stamp_code};
use crate::remote::{Claim, History, HistorySettings, Report, RewindRefused, SnapshotState};
use proptest::prelude::*;

const INTERVAL: f64 = 1.0 / 30.0;
/// When the claims arrive.
const NOW: f64 = 49.5 * INTERVAL;

/// Fifty ticks of an entity that moves one unit a tick, cut at the fortieth.
fn history(settings: HistorySettings) -> History<f64> {
    let mut history = History::new(settings).unwrap();
    for tick in 0..50u32 {
        let report = Report::new(f64::from(tick)).with_epoch(u32::from(tick >= 40));
        assert!(history.record(f64::from(tick) * INTERVAL, report));
    }
    history
}

/// A claim by ticks, as a client would write it, but for the checksum.
fn claim(to: u32, from: u32, before: u32, after: u32, fraction: u16, seen: SnapshotState) -> Claim {
    let stamp = |tick: i64| tick as f64 * INTERVAL;
    let [t, f, b, a] = [to, from, before, after].map(i64::from);
    let code = |ticks: i64, newer: i64| match ticks {
        0 => 0,
        ticks => distance_code(stamp(newer) - stamp(newer - ticks)),
    };
    Claim {
        seen,
        to: stamp_code(stamp(t)),
        from: code(f, t),
        before: code(b, t - f),
        after: code(a, t + a),
        fraction,
        rate: rate_code(INTERVAL),
        offset: 0,
        check: 0,
    }
}

fn blended(to: u32, from: u32, before: u32, after: u32) -> Claim {
    claim(to, from, before, after, 32768, SnapshotState::Blending)
}

/// With the checksum that the server's own snapshots give: all that a forger needs.
fn forged(history: &History<f64>, claim: Claim) -> Claim {
    let interval = crate::remote::claim::interval_of(claim.rate);
    let check =
        history.rows(&claim).next().map(|row| check_of(&row.value(&claim, interval), row.to.report.epoch));
    Claim { check: check.unwrap_or(0), ..claim }
}

fn judge(history: &History<f64>, claim: Claim) -> Result<f64, RewindRefused> {
    let claim = Claim::from_bytes(claim.to_bytes()).expect("what we wrote we read");
    history.rewind(forged(history, claim), NOW).map(|rewound| rewound.value)
}

#[test]
fn forged_claims_are_refused() {
    let history = history(HistorySettings::at_hz(1.0 / INTERVAL));
    assert!((judge(&history, blended(35, 1, 1, 1)).unwrap() - 34.5).abs() < 1e-4, "an honest one");
    let judge = |claim| judge(&history, claim).unwrap_err();
    assert_eq!(judge(blended(60, 1, 0, 0)), RewindRefused::Unknown, "never sent");
    assert_eq!(judge(blended(1, 2, 0, 0)), RewindRefused::Unknown, "before the first");
    assert_eq!(judge(blended(40, 1, 0, 0)), RewindRefused::AcrossCut, "between both sides of the cut");
    assert_eq!(judge(blended(39, 1, 0, 1)), RewindRefused::AcrossCut, "a neighbour from behind the cut");
    assert!(matches!(judge(blended(10, 1, 1, 1)), RewindRefused::TooOld { back, .. } if back > 1.3));
    assert!(matches!(judge(blended(39, 20, 0, 0)), RewindRefused::TooFarApart { gap, .. } if gap > 0.6));
    let far = claim(49, 0, 1, 0, 65535, SnapshotState::Extrapolating);
    assert!(matches!(judge(far), RewindRefused::Ahead { .. }), "{:?}", judge(far));
    let far = claim(41, 0, 1, 0, 20_000, SnapshotState::Extrapolating);
    assert!(matches!(judge(far), RewindRefused::TooFarBeyond { beyond, .. } if beyond > 0.3));
    let empty = History::<f64>::at_hz(1.0 / INTERVAL).unwrap();
    assert_eq!(empty.rewind(blended(1, 1, 0, 0), NOW), Err(RewindRefused::Empty));
    let strict = self::history(HistorySettings { back: 0.3, ..HistorySettings::at_hz(1.0 / INTERVAL) });
    assert!(matches!(self::judge(&strict, blended(39, 1, 1, 1)), Err(RewindRefused::TooOld { .. })));
    assert!(RewindRefused::TooOld { back: 1.5, limit: 1.0 }.to_string().contains("reaches 1.500000 s back"));
    for now in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let claim = forged(&history, blended(48, 1, 1, 1));
        assert!(history.rewind(claim, now).is_err(), "{now}");
    }
}

#[test]
fn holding_something_longer_than_losses_explain_is_refused() {
    let history = history(HistorySettings::at_hz(1.0 / INTERVAL));
    let held = |tick: u32, moment: f64| {
        let made = crate::remote::claim::Made::held(f64::from(tick) * INTERVAL, rate_code(INTERVAL));
        history.rewind(forged(&history, Claim::new(&made, moment, None, 0)), NOW)
    };
    assert_eq!(held(39, 39.5 * INTERVAL).unwrap().value, 39.0);
    assert!(held(30, 45.0 * INTERVAL).is_ok(), "14 lost in a row are within the limit");
    assert!(matches!(held(30, 47.0 * INTERVAL), Err(RewindRefused::TooFarApart { .. })));
    assert!(
        matches!(held(49, 33.0 * INTERVAL), Err(RewindRefused::TooFarApart { .. })),
        "long before its time"
    );
    assert!(matches!(held(10, 10.5 * INTERVAL), Err(RewindRefused::TooOld { .. })));
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
    assert!(!history.vanish(9.0 * INTERVAL), "its stamp is there already");
    assert!(!history.vanish(f64::NAN));
    assert_eq!(history.counts().refused, 3);
    let judge = |claim: Claim| history.rewind(forged(&history, claim), 9.5 * INTERVAL);
    for (to, from) in [(6, 2), (6, 1), (5, 1), (8, 4)] {
        let across = judge(blended(to, from, 0, 0));
        assert_eq!(across, Err(RewindRefused::AcrossCut), "{from} ticks before tick {to}");
    }
    assert_eq!(judge(blended(7, 1, 2, 0)), Err(RewindRefused::AcrossCut), "a neighbour");
    let foreseen = claim(5, 0, 0, 0, 99, SnapshotState::Extrapolating);
    assert_eq!(judge(foreseen), Err(RewindRefused::AcrossCut), "foreseen");
    for (to, from) in [(4, 1), (7, 1), (9, 2)] {
        assert!(judge(blended(to, from, 0, 0)).is_ok(), "{to} {from}");
    }
}

#[test]
fn over_a_long_gap_velocities_say_less_about_the_way() {
    // It leaves at 30 a second and comes back to where it was, `ticks` later.
    let bulge = |ticks: u32| {
        let limits = HistorySettings { gap: 9.0, ..HistorySettings::at_hz(1.0 / INTERVAL) };
        let mut history = History::<f64>::new(limits).unwrap();
        let _ = history.record(0.0, Report::new(0.0).with_velocity(30.0));
        let _ = history.record(f64::from(ticks) * INTERVAL, Report::new(0.0).with_velocity(-30.0));
        history.rewind(forged(&history, blended(ticks, ticks, 0, 0)), 0.5).unwrap().value
    };
    // A quarter of what it covers in the time, and from four ticks on no more.
    for (ticks, expected) in [(1, 0.25), (2, 0.5), (4, 1.0), (8, 1.0), (16, 1.0)] {
        assert!((bulge(ticks) - expected).abs() < 1e-3, "{ticks} ticks: {}", bulge(ticks));
    }
}

#[test]
fn two_snapshots_that_fit_one_claim_are_told_apart_by_the_checksum() {
    let mut history = History::<f64>::at_hz(60.0).unwrap();
    for (sent, at) in [(1.0, 0.0), (1.0301, 1.0), (1.0302, 2.0), (1.05, 3.0)] {
        assert!(history.record(sent, Report::new(at)));
    }
    let held = |sent: f64| {
        let made = crate::remote::claim::Made::held(sent, rate_code(1.0 / 60.0));
        Claim::new(&made, 1.06, None, 0)
    };
    let of = |sent, value: f64| Claim { check: check_of(&value, 0), ..held(sent) };
    assert_eq!(history.rewind(of(1.0301, 1.0), 1.1).unwrap().value, 1.0);
    assert_eq!(history.rewind(of(1.0302, 2.0), 1.1).unwrap().value, 2.0);
    assert_eq!(history.rewind(of(1.0302, 3.0), 1.1), Err(RewindRefused::Differs));
}

#[cfg(feature = "derive")]
#[test]
fn where_the_checksum_cannot_tell_two_snapshots_apart_the_claim_is_refused() {
    use crate::blend::{Blend, Displace, Hermite};

    /// Nothing of it moves, so that its checksum is always the same.
    #[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
    struct Sign {
        #[blend(snap)]
        text: u32,
    }
    let mut history = History::<Sign>::at_hz(60.0).unwrap();
    for (sent, text) in [(1.0, 7), (1.0301, 7), (1.0302, 8), (1.0701, 9), (1.0702, 9)] {
        assert!(history.record(sent, Report::new(Sign { text })));
    }
    let judge = |sent: f64| {
        let made = crate::remote::claim::Made::held(sent, rate_code(1.0 / 60.0));
        let check = check_of(&Sign { text: 0 }, 0);
        history.rewind(Claim::new(&made, 1.08, None, check), 1.1).map(|rewound| rewound.value.text)
    };
    assert_eq!(judge(1.0), Ok(7));
    assert_eq!(judge(1.0301), Err(RewindRefused::Unknown), "7 or 8?");
    assert_eq!(judge(1.0701), Ok(9), "9 both times");
}

proptest! {
    #[test]
    fn whatever_the_bytes_the_answer_lies_on_the_servers_own_path(
        bytes in any::<[u8; 12]>(), tick in 0u32..52, near in any::<bool>(),
    ) {
        let history = history(HistorySettings::at_hz(1.0 / INTERVAL));
        let mut bytes = bytes;
        let [t0, t1] = stamp_code(f64::from(tick) * INTERVAL).to_le_bytes();
        (bytes[0], bytes[1]) = (t0, t1);
        if near {
            // Distances that occur, and our rate.
            for b in &mut bytes[2..5] {
                *b = if *b < 64 { 0 } else { distance_code(f64::from(*b % 20 + 1) * INTERVAL) };
            }
        }
        let Some(claim) = Claim::from_bytes(bytes) else { return Ok(()) };
        let claim = Claim { rate: rate_code(INTERVAL), ..claim };
        if let Ok(rewound) = history.rewind(forged(&history, claim), NOW) {
            prop_assert!(rewound.moment >= NOW - 1.0 && rewound.moment <= NOW + INTERVAL, "{rewound:?}");
            // It moves one unit a tick: no one can claim it elsewhere, but where it was held for want of others, or
            // over a gap of up to 16 ticks, which starts and ends slower.
            let off = (rewound.value - rewound.moment / INTERVAL).abs();
            let held = rewound.seen != SnapshotState::Blending; // or foreseen with no neighbour to tell its speed
            prop_assert!(off < if held { 16.1 } else { 1.2 }, "{rewound:?}");
        }
    }
}

#[test]
fn a_history_that_is_too_long_is_refused_with_the_number_of_its_snapshots() {
    let error = History::<f64>::at_hz(1e6).unwrap_err();
    assert_eq!((error.what, error.value), ("snapshots to remember", 2_000_004.0));
    assert_eq!(
        error.to_string(),
        "a history of 2000004 snapshots is too long (at most 65536): \
         give a smaller `back` or `gap`, or a lower rate"
    );
    let error = History::<f64>::at_hz(1e-5).unwrap_err().to_string();
    assert_eq!(
        error,
        "messages per second (hz) is 0.00001: give a rate from 1/3600 (one an hour) to 1000000, such as 60"
    );
    assert!(History::<f64>::at_hz(1.0 / 3600.0).is_ok());
}
