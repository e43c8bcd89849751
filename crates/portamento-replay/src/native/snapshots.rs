//! System `snapshots`.

use crate::{
    Drive, SnapshotEvent, SnapshotFrame, SnapshotHeader, SnapshotOutput, SnapshotPreset, SnapshotReport,
};
use portamento::blend::{Displace, Pose64, Rotation, Velocity};
use portamento::remote::{
    Inserted, MessageStamp, Peer, PeerFrame, PeerSettings, Report, SnapshotState, Snapshots,
};

pub struct Entity {
    sender: Peer,
    body: Body,
}

/// The first pose in the script decides.
enum Body {
    Unknown,
    Point(Box<Snapshots<[f64; 3], 32>>),
    Pose(Box<Snapshots<Pose64, 32>>),
}

impl Drive<SnapshotHeader, SnapshotEvent, SnapshotOutput> for Entity {
    fn begin(header: SnapshotHeader) -> Result<Self, String> {
        let hz = 1.0 / header.interval;
        let mut settings = match header.preset {
            SnapshotPreset::Default => PeerSettings::at_hz(hz),
            SnapshotPreset::Action => PeerSettings::action(hz),
            SnapshotPreset::Racing => PeerSettings::racing(hz),
            SnapshotPreset::Strategy => PeerSettings::strategy(hz),
        };
        settings.playhead.interval = header.interval;
        if let Some(limit) = header.extrapolate {
            settings.playhead.extrapolate = limit.max(0.0);
        }
        Ok(Self { sender: Peer::new(settings).map_err(|e| e.to_string())?, body: Body::Unknown })
    }

    fn event(&mut self, event: SnapshotEvent) -> Result<SnapshotOutput, String> {
        Ok(match event {
            SnapshotEvent::Receive { sent, at, report } => {
                let stamp = self.sender.receive(sent, at);
                SnapshotOutput::Accepted(report.is_some_and(|report| self.insert(stamp, report)))
            }
            SnapshotEvent::Frame(now) => SnapshotOutput::Frame(self.frame(now)),
        })
    }
}

impl Entity {
    fn insert(&mut self, stamp: MessageStamp, given: SnapshotReport) -> bool {
        let SnapshotReport { pose, velocity, epoch } = given;
        let taken = match pose.rotation {
            None => {
                if let Body::Unknown = self.body {
                    self.body = Body::Point(Box::default());
                }
                let Body::Point(snapshots) = &mut self.body else { return false };
                let mut report = Report::new(pose.position).with_epoch(epoch);
                report.velocity = velocity.map(|v| v.linear);
                snapshots.insert(stamp, report)
            }
            Some(rotation) => {
                if let Body::Unknown = self.body {
                    self.body = Body::Pose(Box::default());
                }
                let Body::Pose(snapshots) = &mut self.body else { return false };
                let rotation = Rotation::from_xyzw(rotation.map(|c| c as f32)).unwrap_or_default();
                let mut report = Report::new(Pose64::new(pose.position, rotation)).with_epoch(epoch);
                // Half a velocity does not count: with how it turns unknown, both are estimated.
                report.velocity = velocity.and_then(|v| {
                    let angular = v.angular?.map(|c| c as f32);
                    Some(Velocity { linear: v.linear.map(|c| c as f32), angular })
                });
                snapshots.insert(stamp, report)
            }
        };
        taken == Inserted::In
    }

    fn frame(&mut self, now: f64) -> Option<SnapshotFrame> {
        let frame = self.sender.frame(now)?;
        match &mut self.body {
            Body::Unknown => None,
            Body::Point(snapshots) => draw(snapshots, &frame, |p| p.to_vec()),
            Body::Pose(snapshots) => draw(snapshots, &frame, |pose| {
                let rotation = pose.rotation.to_array().map(f64::from);
                pose.position.into_iter().chain(rotation).collect()
            }),
        }
    }
}

fn draw<T: Displace, const N: usize>(
    snapshots: &mut Snapshots<T, N>,
    frame: &PeerFrame,
    numbers: impl Fn(&T) -> Vec<f64>,
) -> Option<SnapshotFrame> {
    let drawn = snapshots.draw(frame).here();
    let statistics = snapshots.statistics();
    Some(SnapshotFrame {
        view: drawn.map_or_else(Vec::new, |drawn| numbers(&drawn.now)),
        state: match statistics.state {
            Some(SnapshotState::Blending) => "blending",
            Some(SnapshotState::Extrapolating) => "extrapolating",
            Some(SnapshotState::Holding) | None => "holding",
        },
        shown: frame.shown,
        delay: frame.delay,
        extra_delay: statistics.extra_delay,
        life: frame.life,
    })
}
