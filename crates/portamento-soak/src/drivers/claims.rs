//! What a stranger claims to have seen, before a server's history.

use super::Value;
use crate::Source;
use crate::laws::finite;
use portamento::blend::{Displace, Pose, Pose64};
use portamento::remote::{Claim, History, HistorySettings, Peer, Report, Snapshots};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += match source.below(3) {
            0 => one::<[f64; 3]>(source),
            1 => one::<Pose>(source),
            _ => one::<Pose64>(source),
        };
    }
    calls
}

fn one<T: Value + Displace>(source: &mut Source) -> u64 {
    let usual = HistorySettings::at_hz(20.0);
    let settings = HistorySettings {
        interval: source.mostly(usual.interval),
        back: source.mostly(usual.back),
        gap: source.mostly(usual.gap),
        beyond: source.mostly(usual.beyond),
    };
    let Ok(mut history) = History::<T>::new(settings) else { return 1 };
    let mut peer = Peer::at_hz(20.0).expect("a rate");
    let mut client = Snapshots::<T>::new();
    let mut sent = source.mostly(0.0);
    let (mut calls, mut refused) = (1, 0);
    for _ in 0..48 {
        sent = if source.one_in(24) { source.number() } else { sent + 0.05 };
        let mut report = Report::new(T::any(source)).with_epoch(u32::from(source.one_in(12)));
        if source.one_in(4) {
            report = report.with_velocity(T::velocity(&T::any(source), &T::any(source), 1.0));
        }
        if source.one_in(8) {
            report = report.at_rest();
        }
        let vanished = source.one_in(16);
        let taken = if vanished { history.vanish(sent) } else { history.record(sent, report) };
        assert!(!taken || sent.is_finite());
        refused += u32::from(!taken);
        assert_eq!(history.counts().refused, refused);
        if !source.one_in(6) {
            let stamp = peer.receive(sent, sent);
            let _ = if vanished { client.vanish(stamp) } else { client.insert(stamp, report) };
        }
        let now = source.mostly(sent);
        let claim = peer.frame(now + 0.02).and_then(|frame| {
            let _ = client.draw(&frame);
            client.claim(&frame)
        });
        let drawn = client.blended().copied();
        let mut bytes = claim.map_or([0; 12], Claim::to_bytes);
        calls += 5;
        for edit in 0..3 {
            calls += 1;
            if let Some(claim) = Claim::from_bytes(bytes) {
                assert_eq!(Claim::from_bytes(claim.to_bytes()), Some(claim), "a claim is its bytes");
                if let Ok(rewound) = history.rewind(claim, now) {
                    finite(&rewound.value);
                    finite(&rewound.moment);
                    assert!(edit > 0 || Some(rewound.value) == drawn, "{rewound:?} instead of {drawn:?}");
                }
            }
            if source.one_in(8) {
                let (low, high) = (source.bits().to_le_bytes(), source.bits().to_le_bytes());
                bytes = core::array::from_fn(|i| if i < 8 { low[i] } else { high[i - 8] });
            } else {
                bytes[source.below(12)] = source.byte();
            }
        }
        let moment = source.mostly(now);
        if let Some(value) = history.at(moment) {
            finite(&value);
        }
    }
    calls
}
