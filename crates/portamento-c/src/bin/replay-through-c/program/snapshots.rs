//! System `snapshots`: a peer, and one of its entities.

use super::border::{done, found, normalized, numbers, result};
use portamento_c::*;
use portamento_replay::{
    Drive, SnapshotEvent, SnapshotFrame, SnapshotHeader, SnapshotOutput, SnapshotPreset, SnapshotReport,
};

pub struct Entity {
    peer: portamento_peer,
    /// Made at the first report, which shows whether there are rotations.
    body: Option<(portamento_snapshots, bool)>,
}

impl Drop for Entity {
    fn drop(&mut self) {
        let _ = portamento_peer_free(self.peer);
        if let Some((snapshots, _)) = self.body {
            let _ = portamento_snapshots_free(snapshots);
        }
    }
}

impl Drive<SnapshotHeader, SnapshotEvent, SnapshotOutput> for Entity {
    fn begin(header: SnapshotHeader) -> Result<Self, String> {
        // SAFETY: all zeros are numbers.
        let mut settings: portamento_peer_settings = unsafe { std::mem::zeroed() };
        let hz = 1.0 / header.interval;
        let fill = match header.preset {
            SnapshotPreset::Default => portamento_peer_settings_at_hz,
            SnapshotPreset::Action => portamento_peer_settings_action,
            SnapshotPreset::Racing => portamento_peer_settings_racing,
            SnapshotPreset::Strategy => portamento_peer_settings_strategy,
        };
        // SAFETY: a place for the settings.
        done(unsafe { fill(hz, &mut settings) })?;
        let playhead = &mut settings.playhead;
        playhead.interval = header.interval;
        playhead.extrapolate = header.extrapolate.unwrap_or(playhead.extrapolate);
        let none = portamento_peer { id: 0 };
        // SAFETY: settings, and a place for the handle.
        let peer = result(none, |peer| unsafe { portamento_peer_new(&settings, peer) })?;
        Ok(Self { peer, body: None })
    }

    fn event(&mut self, event: SnapshotEvent) -> Result<SnapshotOutput, String> {
        match event {
            SnapshotEvent::Receive { sent, at, report } => {
                done(portamento_peer_receive(self.peer, sent, at))?;
                let taken = report.map_or(Ok(false), |report| self.insert(report))?;
                Ok(SnapshotOutput::Accepted(taken))
            }
            SnapshotEvent::Frame(now) => self.frame(now).map(SnapshotOutput::Frame),
        }
    }
}

impl Entity {
    fn body(&mut self, rotations: bool) -> Result<portamento_snapshots, String> {
        if let Some((body, _)) = self.body {
            return Ok(body);
        }
        let none = portamento_snapshots { id: 0 };
        // SAFETY: a place for the handle.
        let made = result(none, |snapshots| unsafe {
            if rotations {
                portamento_snapshots_new(snapshots)
            } else {
                portamento_snapshots_new_points(snapshots)
            }
        })?;
        self.body = Some((made, rotations));
        Ok(made)
    }

    fn insert(&mut self, report: SnapshotReport) -> Result<bool, String> {
        let SnapshotReport { pose, velocity, epoch } = report;
        let rotations = pose.rotation.is_some();
        let body = self.body(rotations)?;
        let mut taken = PORTAMENTO_INSERTED_UNUSABLE;
        if rotations {
            // Without the angular velocity the linear one is left out too: both are estimated.
            let moves = velocity.and_then(|v| Some((v.linear, v.angular?)));
            let (linear, angular) = moves.unwrap_or_default();
            let report = portamento_report {
                pose: normalized(pose)?,
                linear: linear.map(|c| c as f32),
                angular: angular.map(|c| c as f32),
                epoch,
                has_velocity: moves.is_some().into(),
                rests: 0,
                reserved: 0,
            };
            // SAFETY: a report, and a place for the answer.
            done(unsafe { portamento_snapshots_insert(body, self.peer, &report, &mut taken) })?;
        } else {
            let report = portamento_point_report {
                position: pose.position,
                velocity: velocity.map(|v| v.linear).unwrap_or_default(),
                epoch,
                has_velocity: velocity.is_some().into(),
                rests: 0,
                reserved: 0,
            };
            // SAFETY: a report, and a place for the answer.
            done(unsafe { portamento_snapshots_insert_point(body, self.peer, &report, &mut taken) })?;
        }
        Ok(taken == PORTAMENTO_INSERTED_IN)
    }

    fn frame(&mut self, now: f64) -> Result<Option<SnapshotFrame>, String> {
        // SAFETY: all zeros are numbers.
        let (mut frame, mut drawn): (portamento_peer_frame, portamento_drawn) =
            unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
        // SAFETY: a place for the frame.
        if !found(unsafe { portamento_peer_frame_at(self.peer, now, &mut frame) })? {
            return Ok(None);
        }
        let Some((body, rotations)) = self.body else { return Ok(None) };
        let mut state = 0;
        // SAFETY: places for the results.
        let drawing = found(unsafe { portamento_snapshots_draw(body, self.peer, &mut drawn, &mut state) })?;
        // SAFETY: a place for the number.
        let extra_delay = result(0.0, |seconds| unsafe { portamento_snapshots_extra_delay(body, seconds) })?;
        Ok(Some(SnapshotFrame {
            view: if drawing { numbers(&drawn.now, rotations) } else { Vec::new() },
            state: match state {
                PORTAMENTO_SNAPSHOT_STATE_BLENDING => "blending",
                PORTAMENTO_SNAPSHOT_STATE_EXTRAPOLATING => "extrapolating",
                _ => "holding",
            },
            shown: frame.shown,
            delay: frame.delay,
            extra_delay,
            life: frame.life,
        }))
    }
}
