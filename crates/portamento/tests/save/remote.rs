//! A saved sender, its entities and what the server remembers of them.

use super::refused;
use portamento::blend::{Displace, OffsetSize};
use portamento::blend::{Pose, Pose2, Rotation, Scaled, Turn};
use portamento::remote::{Claim, History, Peer, Report, Snapshots, TickClock};
use portamento::track::{OffsetFading, VisualOffset};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// A sender, one of its entities, what the server remembers, and what comes out of all three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Remote {
    sender: Peer,
    thing: Snapshots<Pose>,
    history: History<Pose>,
    sent: u32,
}

impl Remote {
    const INTERVAL: f64 = 0.04;

    /// What is drawn and claimed in some frames of a bad link: losses, bursts, an outage, a cut, a rest.
    fn play(&mut self, frames: std::ops::Range<u32>) -> Vec<[u64; 10]> {
        let mut seen = Vec::new();
        for k in frames {
            let now = f64::from(k) / 144.0;
            let due = |sent: u32| {
                let late = f64::from(sent.wrapping_mul(2_654_435_761) >> 24) / 256.0 * 0.05;
                let held = if sent % 90 > 70 { f64::from(90 - sent % 90) * Self::INTERVAL } else { 0.0 };
                f64::from(sent) * Self::INTERVAL + 0.03 + late + held
            };
            while due(self.sent) <= now {
                let sent = f64::from(self.sent) * Self::INTERVAL;
                let moving = if self.sent % 50 > 40 { sent - sent % (50.0 * Self::INTERVAL) } else { sent };
                let turn = Rotation::from_axis_angle([0.2, 1.0, 0.1], moving.sin() as f32 * 2.0);
                let pose = Pose::new([moving.cos() as f32 * 9.0, moving as f32, 0.1], turn);
                let report = Report::new(pose).with_epoch(self.sent / 123);
                self.history.record(sent, report);
                if !self.sent.is_multiple_of(7) {
                    let _ = self.thing.insert(self.sender.receive(sent, now), report);
                }
                self.sent += 1;
            }
            let Some(frame) = self.sender.frame(now) else { continue };
            let claim = self.thing.claim(&frame);
            let Some(drawn) = self.thing.draw(&frame).here() else { continue };
            let rewound = claim.and_then(|claim| self.history.rewind(claim, now).ok());
            let claimed = claim.map_or([0; 12], |claim| claim.to_bytes());
            let at = rewound.map_or(0.0, |rewound| f64::from(rewound.value.position[0]));
            let [x, y, z] = drawn.now.position.map(f32::to_bits);
            let turned = drawn.now.rotation.to_array().map(f32::to_bits);
            let state = self.thing.statistics().state.unwrap() as u32
                + 10 * u32::from(drawn.cut)
                + 100 * u32::from(self.thing.statistics().moved);
            let numbers = [x, y, z, state, turned[0], turned[1], turned[2], turned[3]].map(u64::from);
            let mut row = [0; 10];
            row[..8].copy_from_slice(&numbers);
            (row[8], row[9]) = (u64::from_le_bytes(claimed[4..].try_into().unwrap()), at.to_bits());
            seen.push(row);
        }
        seen
    }
}

#[test]
fn a_restored_stream_is_drawn_and_judged_as_if_nothing_had_happened() {
    let mut remote = Remote {
        sender: Peer::at_hz(1.0 / Remote::INTERVAL).unwrap(),
        thing: Snapshots::new(),
        history: History::at_hz(1.0 / Remote::INTERVAL).unwrap(),
        sent: 0,
    };
    // Wherever it is saved: before anything came, while it blends, extrapolates, rests, and between a message and its
    // frame.
    for save in 0..60 {
        let saved = serde_json::to_string(&remote).unwrap();
        let mut again: Remote = serde_json::from_str(&saved).unwrap();
        assert_eq!(again, remote, "save {save}");
        let frames = save * 47..(save + 1) * 47;
        assert_eq!(again.play(frames.clone()), remote.play(frames), "after save {save}");
        assert_eq!(again, remote, "after save {save}");
    }
    let (counts, statistics) = (remote.thing.statistics(), remote.sender.statistics());
    assert!(
        counts.snaps > 0 && statistics.extrapolated > 1.0 && statistics.relocks > 0,
        "{counts:?} {statistics:?}"
    );
}

#[test]
fn restored_flat_and_scaled_streams_are_drawn_on() {
    fn play<T>(at: impl Fn(f32) -> T)
    where
        T: Displace<Velocity: Serialize + DeserializeOwned> + Debug + Serialize + DeserializeOwned,
    {
        let mut stream = (Peer::at_hz(20.0).unwrap(), Snapshots::<T>::new());
        for k in 0..120 {
            let now = f64::from(k) / 60.0;
            let mut again: (Peer, Snapshots<T>) =
                serde_json::from_str(&serde_json::to_string(&stream).unwrap()).unwrap();
            let draw = |(sender, thing): &mut (Peer, Snapshots<T>)| {
                // Four messages on, two off: it is extrapolated, and the offset takes back what was wrong.
                if k % 3 == 0 && k % 18 < 12 {
                    thing.insert(sender.receive(now, now + 0.02), Report::new(at(now as f32)));
                }
                sender.frame(now + 0.02).map(|frame| thing.draw(&frame))
            };
            assert_eq!(draw(&mut again), draw(&mut stream), "frame {k}");
            assert_eq!(again, stream, "frame {k}");
        }
        assert!(stream.0.statistics().extrapolated > 0.0);
    }
    let flat = |t: f32| Pose2::new([t, t * t], Turn::from_angle(3.0 * t * t));
    play(flat);
    play(|t| flat(t).turn);
    let pose = |t: f32| Pose::new([t, t * t, 0.1], Rotation::from_axis_angle([0.2, 1.0, 0.1], 3.0 * t));
    play(|t| Scaled { pose: pose(t), scale: [1.0, t, 0.5 - t] });
}

#[test]
fn a_saved_offset_fades_on() {
    let mut offset = VisualOffset::<Pose>::default();
    let (predicted, corrected) = (Pose::at([1.0, 0.0, 0.0]), Pose::at([1.5, 0.3, 0.0]));
    let _ = offset.absorb(&predicted, &corrected, OffsetSize { length: 4.0, angle: 4.0 });
    offset.fade(0.01, &OffsetFading::CORRECTION);
    let saved = serde_json::to_string(&offset).unwrap();
    let mut again: VisualOffset<Pose> = serde_json::from_str(&saved).unwrap();
    for _ in 0..50 {
        offset.fade(0.01, &OffsetFading::CORRECTION);
        again.fade(0.01, &OffsetFading::CORRECTION);
        assert_eq!(again.drawn(&corrected), offset.drawn(&corrected));
    }
}

#[test]
fn a_saved_sender_is_refused_with_the_settings_that_a_new_one_refuses() {
    let saved = serde_json::to_value(Peer::at_hz(20.0).unwrap()).unwrap();
    assert!(serde_json::from_value::<Peer>(saved.clone()).is_ok());
    for (path, name) in [("/settings/fade", "fade"), ("/settings/playhead/interval", "interval")] {
        let mut broken = saved.clone();
        *broken.pointer_mut(path).unwrap() = (-1.0).into();
        let error = serde_json::from_value::<Peer>(broken).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("-1"), "{error}");
    }
}

#[test]
fn saved_snapshots_that_do_not_fit_together_are_refused() {
    let mut history = History::<f64>::at_hz(20.0).unwrap();
    for k in 0..3 {
        history.record(f64::from(k) * 0.05, Report::new(f64::from(k)));
    }
    let saved = serde_json::to_string(&history).unwrap();
    assert_eq!(serde_json::from_str::<History<f64>>(&saved).unwrap(), history);
    for (was, is) in [
        ("\"sent\":0.05", "\"sent\":7.0"),
        ("\"interval\":0.05", "\"interval\":0.0"),
        ("\"gap\":0.5", "\"gap\":-0.5"),
    ] {
        let broken = saved.replace(was, is);
        assert_ne!(saved, broken, "{was} is not in {saved}");
        assert!(serde_json::from_str::<History<f64>>(&broken).is_err(), "{is}");
    }
}

#[test]
fn a_save_is_refused_where_a_constructor_would_refuse() {
    let stamps = TickClock::at_hz(60.0, 16).unwrap();
    refused(&stamps, "/turn", 0.0, "1 to 32 bits");
    refused(&stamps, "/hz", 0.0, "from 0.000001");
    let claim = Claim::from_bytes([7, 0, 1, 0, 0, 9, 0, 0, 5, 5, 5, 5]).unwrap();
    refused(&claim, "/2", 0, "no client");
}
