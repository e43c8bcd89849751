//! System `snapshots`: a remote entity drawn a little in the past.

use super::fields::ScriptPose;
use super::{Fields, System, line};
use portamento::blend::Displace;
use portamento::blend::{Pose64, Rotation, Velocity};
use portamento::playhead::Beyond;
use portamento::remote::{Inserted, Peer, PeerSettings, Report, SnapshotState, Snapshots};
use serde::Serialize;
use std::collections::HashMap;

/// Three or seven numbers a pose: the first one in the script decides, and the output has as many.
enum Body {
    Unknown,
    Point(Box<Snapshots<[f64; 3], 32>>),
    Pose(Box<Snapshots<Pose64, 32>>),
}

pub(super) struct SnapshotBuffer {
    sender: Peer,
    body: Body,
    /// The script's epochs, each with the one that stands for it: the library's have 32 bits.
    epochs: HashMap<i128, u32>,
    last: Frame,
    /// The peer's life that the last frame showed.
    life: Option<u32>,
}

#[derive(Serialize)]
struct Receive {
    accepted: bool,
}

#[derive(Clone, Serialize)]
struct Frame {
    view: Option<Vec<f64>>,
    shown: Option<f64>,
    delay: Option<f64>,
    state: &'static str,
}

const WAITING: Frame = Frame { view: None, shown: None, delay: None, state: "waiting" };

impl SnapshotBuffer {
    pub(super) fn new(header: &mut Fields) -> Result<Self, String> {
        let interval = header.positive("interval")?.ok_or("the header gives no \"interval\"")?;
        let mut settings = match header.text("preset")?.as_deref() {
            None => PeerSettings::at_hz(1.0 / interval),
            Some("action") => PeerSettings::action(1.0 / interval),
            Some("racing") => PeerSettings::racing(1.0 / interval),
            Some("strategy") => PeerSettings::strategy(1.0 / interval),
            Some(other) => {
                return Err(format!("preset is {other:?}: give \"action\", \"racing\" or \"strategy\""));
            }
        };
        settings.playhead.interval = interval;
        if let Some(limit) = header.not_negative("extrapolate")? {
            settings.playhead.beyond = if limit > 0.0 { Beyond::Extrapolate { limit } } else { Beyond::Hold };
        }
        // Lengths are measured by the entity's own pace: the key is allowed and means nothing any more.
        let _ = header.positive("metre")?;
        let sender = Peer::new(settings).map_err(|e| e.to_string())?;
        Ok(Self { sender, body: Body::Unknown, epochs: HashMap::new(), last: WAITING, life: None })
    }

    fn receive(&mut self, mut event: Fields) -> Result<String, String> {
        let sent = event.time("receive")?.expect("the kind is a key of the event");
        let arrived = event.time("at")?.ok_or("a receive needs \"at\"")?;
        let pose = event.pose("pose")?;
        let velocity = velocity(&mut event)?;
        let epoch = epoch(&mut event)?;
        event.finish()?;
        let Some(pose) = pose else {
            // The message speaks of others: only the clock learns from it.
            let _ = self.sender.receive(sent, arrived);
            return Ok(line(&Receive { accepted: sent.is_finite() && arrived.is_finite() }));
        };
        self.agree(pose)?;
        let next = self.epochs.len() as u32;
        let epoch = *self.epochs.entry(epoch).or_insert(next);
        let stamp = self.sender.receive(sent, arrived);
        let taken = match (&mut self.body, pose.rotation) {
            (Body::Point(snapshots), _) => {
                let mut report = Report::new(pose.position).with_epoch(epoch);
                report.velocity = velocity.map(|v| v.linear);
                snapshots.insert(stamp, report)
            }
            (Body::Pose(snapshots), Some(rotation)) => {
                let rotation = Rotation::from_xyzw(rotation.map(|c| c as f32)).unwrap_or_default();
                let mut report = Report::new(Pose64::new(pose.position, rotation)).with_epoch(epoch);
                // Half a velocity is none: with how it turns unknown, both are estimated.
                report.velocity = velocity.and_then(|v| {
                    let angular = v.angular?.map(|c| c as f32);
                    Some(Velocity { linear: v.linear.map(|c| c as f32), angular })
                });
                snapshots.insert(stamp, report)
            }
            _ => unreachable!("the poses of a script agree"),
        };
        Ok(line(&Receive { accepted: taken == Inserted::In }))
    }

    /// One script uses one length of poses throughout.
    fn agree(&mut self, pose: ScriptPose) -> Result<(), String> {
        match (&self.body, pose.rotation.is_some()) {
            (Body::Unknown, false) => self.body = Body::Point(Box::default()),
            (Body::Unknown, true) => self.body = Body::Pose(Box::default()),
            (Body::Point(_), false) | (Body::Pose(_), true) => {}
            (Body::Point(_), true) => return Err("pose has 7 numbers, the ones before it had 3".into()),
            (Body::Pose(_), false) => return Err("pose has 3 numbers, the ones before it had 7".into()),
        }
        Ok(())
    }

    fn frame(&mut self, now: f64) -> Frame {
        if !now.is_finite() {
            return self.last.clone();
        }
        let Some(frame) = self.sender.frame(now) else { return WAITING };
        let drawn = match &mut self.body {
            Body::Unknown => None,
            Body::Point(snapshots) => draw(snapshots, &frame, |p| p.to_vec()),
            Body::Pose(snapshots) => draw(snapshots, &frame, |pose| {
                let rotation = pose.rotation.to_array().map(f64::from);
                pose.position.into_iter().chain(rotation).collect()
            }),
        };
        let Some((view, state, extra)) = drawn else { return WAITING };
        let state = match state {
            SnapshotState::Blending => "blending",
            SnapshotState::Extrapolating => "extrapolating",
            SnapshotState::Holding => "holding",
        };
        // While the entity's own delay grows, its moment waits.
        let before = self.last.shown.filter(|_| self.life == Some(frame.life())).unwrap_or(f64::NEG_INFINITY);
        self.life = Some(frame.life());
        let shown = (frame.shown - extra).max(before);
        let delay = frame.delay + (frame.shown - shown);
        Frame { view: Some(view), shown: Some(shown), delay: Some(delay), state }
    }
}

struct ScriptVelocity {
    linear: [f64; 3],
    angular: Option<[f64; 3]>,
}

/// Three numbers, units per second; or six, with radians per second after them.
fn velocity(event: &mut Fields) -> Result<Option<ScriptVelocity>, String> {
    let Some(value) = event.take("velocity") else { return Ok(None) };
    let numbers: Option<Vec<f64>> =
        value.as_array().and_then(|a| a.iter().map(|v| v.as_f64().filter(|n| n.is_finite())).collect());
    match numbers.as_deref() {
        Some(&[x, y, z]) => Ok(Some(ScriptVelocity { linear: [x, y, z], angular: None })),
        Some(&[x, y, z, a, b, c]) => Ok(Some(ScriptVelocity { linear: [x, y, z], angular: Some([a, b, c]) })),
        _ => Err(format!("velocity is {value}: it must be an array of 3 or 6 finite numbers")),
    }
}

/// A whole number of any size.
fn epoch(event: &mut Fields) -> Result<i128, String> {
    let Some(value) = event.take("epoch") else { return Ok(0) };
    let whole = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    let written_as_float = || value.as_f64().filter(|n| n.fract() == 0.0).map(|n| n as i128);
    whole.or_else(written_as_float).ok_or_else(|| format!("epoch is {value}: it must be a whole number"))
}

fn draw<T: Displace, const N: usize>(
    snapshots: &mut Snapshots<T, N>,
    frame: &portamento::remote::PeerFrame,
    numbers: impl Fn(&T) -> Vec<f64>,
) -> Option<(Vec<f64>, SnapshotState, f64)> {
    let drawn = snapshots.draw(frame).here()?;
    Some((numbers(&drawn.now), snapshots.state()?, snapshots.extra_delay()))
}

impl System for SnapshotBuffer {
    fn event(&mut self, mut event: Fields) -> Result<String, String> {
        if event.kind(&["receive", "frame"])? == "receive" {
            return self.receive(event);
        }
        let now = event.time("frame")?.expect("the kind is a key of the event");
        event.finish()?;
        self.last = self.frame(now);
        Ok(line(&self.last))
    }
}
