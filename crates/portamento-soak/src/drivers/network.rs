//! A peer, the snapshots of its entities, and the server's history of them.

use super::{Value, playhead};
use crate::Source;
use crate::laws::{Finite, finite};
use crate::saves::through_a_save;
use portamento::blend::{Displace, Pose, Pose2, Pose64};
use portamento::remote::{Claim, History, Inserted, Peer, PeerSettings, Report, Seen, Snapshots, TickClock};
use serde::{Serialize, de::DeserializeOwned};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += match source.below(5) {
            0 => one::<[f64; 3]>(source),
            1 => one::<Pose>(source),
            2 => one::<Pose2>(source),
            3 => one::<Pose64>(source),
            _ => stamps(source),
        };
    }
    calls
}

fn settings(source: &mut Source) -> PeerSettings {
    let usual = source.of(&[
        PeerSettings::at_hz as fn(f64) -> PeerSettings,
        PeerSettings::action,
        PeerSettings::racing,
        PeerSettings::strategy,
    ])(20.0);
    PeerSettings {
        playhead: if source.one_in(4) { playhead::settings(source) } else { usual.playhead },
        fade: source.mostly(usual.fade),
        glide: source.mostly(usual.glide),
        jump: source.mostly(usual.jump),
        forget: source.mostly(usual.forget),
    }
}

fn one<T>(source: &mut Source) -> u64
where
    T: Value + Displace + Serialize + DeserializeOwned,
    T::Velocity: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    // A world in which nothing odd happens: there the server must be able to repeat what was drawn.
    let regular = source.flag();
    let settings = if regular { PeerSettings::at_hz(20.0) } else { settings(source) };
    let Ok(mut peer) = Peer::new(settings) else { return 1 };
    let mut entity = Snapshots::<T>::new();
    let mut history = History::<T>::at_hz(20.0).expect("a rate");
    let (mut now, mut tick) = (0.0, 0u32);
    let (mut last_shown, mut last_life) = (f64::NEG_INFINITY, 0);
    let (mut inserted, mut edited) = ([0u64; 4], false);
    let steps = 100;
    for _ in 0..steps {
        now += if !regular && source.one_in(40) { source.number() } else { source.unit() / 30.0 };
        if !now.is_finite() {
            now = 0.0;
        }
        match source.below(24) {
            0..=8 => {
                tick += 1 + u32::from(source.one_in(16));
                // Now and then late, or twice.
                let late = if source.one_in(10) { source.below(6) as u32 } else { 0 };
                let mut sent = f64::from(tick.saturating_sub(late)) * 0.05;
                if !regular {
                    sent = source.mostly(sent);
                }
                let arrived = if regular { now } else { source.mostly(now) };
                let stamp = peer.receive(sent, arrived);
                let value = if regular { small(T::any(source), sent) } else { T::any(source) };
                let mut report = Report::new(value).with_epoch(u32::from(source.one_in(30)));
                if !regular && source.one_in(4) {
                    report = report.with_velocity(T::velocity(&T::any(source), &T::any(source), 1.0));
                }
                if source.one_in(10) {
                    report = report.at_rest();
                }
                if regular && !history.record(sent, report) {
                    // A stamp that was there already: what is in both is what came first.
                    continue;
                }
                let outcome = if source.one_in(40) && !regular {
                    entity.vanish(stamp)
                } else {
                    entity.insert(stamp, report)
                };
                inserted[match outcome {
                    Inserted::In => 0,
                    Inserted::Duplicate => 1,
                    Inserted::TooLate => 2,
                    _ => 3,
                }] += 1;
                if !edited {
                    let counts = entity.statistics();
                    assert_eq!(u64::from(counts.duplicates), inserted[1], "{counts:?}");
                    assert_eq!(u64::from(counts.late), inserted[2], "{counts:?}");
                    assert_eq!(u64::from(counts.unusable), inserted[3], "{counts:?}");
                }
            }
            9 if !regular && source.one_in(4) => peer.restart(),
            10 if !regular && source.one_in(4) => entity.hand_over(),
            11 if !regular => {
                let by = source.unit() * 1000.0;
                entity.rebase(|value| {
                    let mut moved = *value;
                    moved.shift(by);
                    if moved.finite() {
                        *value = moved;
                    }
                });
            }
            12 if source.one_in(24) => {
                let Some(again) = through_a_save(&peer, source) else { continue };
                if again != peer {
                    if regular {
                        continue;
                    }
                    edited = true;
                    last_shown = f64::NEG_INFINITY;
                }
                peer = again;
            }
            13 if source.one_in(24) => {
                let Some(again) = through_a_save(&entity, source) else { continue };
                if again != entity {
                    if regular {
                        continue;
                    }
                    edited = true;
                }
                entity = again;
            }
            14 if source.one_in(24) => {
                let Some(again) = through_a_save(&history, source) else { continue };
                if again == history {
                    history = again;
                } else {
                    let claim = Claim::from_bytes([1, 0, 4, 4, 4, 0, 1, 0, 0, 0, 0, 0]).expect("a claim");
                    let _ = (again.rewind(claim, now), again.at(now));
                }
            }
            _ => {
                let at = if regular { now } else { source.mostly(now) };
                let Some(frame) = peer.frame(at) else { continue };
                finite(&[frame.shown, frame.delay, frame.presented, frame.elapsed]);
                assert!(frame.elapsed >= 0.0 && frame.presented >= 0.0, "{frame:?}");
                if frame.life == last_life {
                    assert!(
                        frame.shown >= last_shown,
                        "drawn time goes back from {last_shown} to {}",
                        frame.shown
                    );
                }
                (last_shown, last_life) = (frame.shown, frame.life);
                if let Seen::Here(drawn) = entity.draw(&frame) {
                    if !edited {
                        finite(&drawn.now);
                        finite(&drawn.before);
                    }
                    if regular && let Some(claim) = entity.claim(&frame) {
                        assert_eq!(Claim::from_bytes(claim.to_bytes()), Some(claim));
                        let claimed = f64::from(tick) * 0.05;
                        if let Ok(rewound) = history.rewind(claim, claimed) {
                            assert!(
                                Some(&rewound.value) == entity.blended(),
                                "{rewound:?} {:?}",
                                entity.blended()
                            );
                        }
                    }
                }
                let about = peer.statistics();
                finite(&[about.delay, about.jitter, about.extrapolated]);
                assert!((0.0..=1.0).contains(&about.loss), "{about:?}");
                let drawn = entity.statistics();
                assert!(edited || (drawn.offset.finite() && drawn.extra_delay.is_finite()));
            }
        }
    }
    steps
}

/// Near the path of something that walks.
fn small<T: Value>(mut value: T, at: f64) -> T {
    value.shift(4.0 * at);
    value
}

fn stamps(source: &mut Source) -> u64 {
    let Ok(mut stamps) = TickClock::at_hz(source.mostly(64.0), 1 + u32::from(source.byte() % 33)) else {
        return 1;
    };
    let mut now = 0.0;
    for _ in 0..24 {
        now += if source.one_in(10) { source.number() } else { source.unit() };
        if !now.is_finite() {
            now = 0.0;
        }
        finite(&stamps.seconds(source.bits() as u32, source.mostly(now)));
        if source.one_in(20) {
            stamps.restart();
        }
        if source.one_in(12)
            && let Some(again) = through_a_save(&stamps, source)
        {
            stamps = again;
        }
    }
    24
}
