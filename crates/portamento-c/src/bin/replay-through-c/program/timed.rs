//! System `timed`: a playhead, and what it draws from.

use super::border::{NO_POSE, at, done, found, numbers, result};
use portamento_c::*;
use portamento_replay::{Drive, ScriptPose, TimedEvent, TimedFrame, TimedHeader};

/// More ticks than a playhead can lie behind, up to a kilohertz.
const KEPT: u32 = 1024;

pub struct Timed {
    playhead: portamento_playhead,
    poses: Poses,
    /// Whether the script's poses have rotations.
    rotations: bool,
}

/// What is kept to draw from.
enum Poses {
    /// `seed` draws between the last two, whatever moments they stand for.
    Seed(Option<[(f64, portamento_pose64); 2]>),
    Locked(portamento_timeline),
}

impl Drop for Timed {
    fn drop(&mut self) {
        let _ = portamento_playhead_free(self.playhead);
        if let Poses::Locked(timeline) = self.poses {
            let _ = portamento_timeline_free(timeline);
        }
    }
}

/// The quaternion as it was read, rounded to single precision.
fn plain(pose: ScriptPose) -> portamento_pose64 {
    let rotation = pose.rotation.map(|q| q.map(|c| c as f32));
    portamento_pose64 { rotation: rotation.unwrap_or(NO_POSE.rotation), ..at(pose.position) }
}

impl Drive<TimedHeader, TimedEvent, Option<TimedFrame>> for Timed {
    fn begin(TimedHeader { seed, interval }: TimedHeader) -> Result<Self, String> {
        // SAFETY: all zeros are numbers.
        let mut settings: portamento_playhead_settings = unsafe { std::mem::zeroed() };
        // SAFETY: a place for the settings.
        done(unsafe { portamento_playhead_settings_at_hz(1.0 / interval, &mut settings) })?;
        settings.interval = interval;
        settings.rule =
            if seed { PORTAMENTO_PLAYHEAD_RULE_SINCE_ARRIVAL } else { PORTAMENTO_PLAYHEAD_RULE_LOCKED };
        let none = portamento_playhead { id: 0 };
        // SAFETY: settings, and a place for the handle.
        let playhead = result(none, |playhead| unsafe { portamento_playhead_new(&settings, playhead) })?;
        let mut timed = Self { playhead, poses: Poses::Seed(None), rotations: false };
        if !seed {
            let mut settings = portamento_timeline_settings { size: 0, ticks: 0, slerp: 0, reserved: 0 };
            // SAFETY: a place for the settings.
            done(unsafe { portamento_timeline_settings_default(&mut settings) })?;
            (settings.ticks, settings.slerp) = (KEPT, 1);
            let none = portamento_timeline { id: 0 };
            // SAFETY: settings, and a place for the handle.
            let made = result(none, |timeline| unsafe { portamento_timeline_new(&settings, timeline) })?;
            timed.poses = Poses::Locked(made);
        }
        Ok(timed)
    }

    fn event(&mut self, event: TimedEvent) -> Result<Option<TimedFrame>, String> {
        match event {
            TimedEvent::Tick { at, sim, scale, pose, cut } => {
                self.rotations = pose.rotation.is_some();
                self.tick(at, sim, scale, plain(pose), cut)?;
                Ok(None)
            }
            TimedEvent::Frame(now) => self.frame(now),
        }
    }
}

impl Timed {
    fn tick(
        &mut self,
        at: f64,
        sim: f64,
        scale: f64,
        pose: portamento_pose64,
        cut: bool,
    ) -> Result<(), String> {
        let observe = if cut { portamento_playhead_observe_cut } else { portamento_playhead_observe };
        // SAFETY: nothing is asked of what the tick was.
        done(unsafe { observe(self.playhead, at, sim, std::ptr::null_mut()) })?;
        done(portamento_playhead_set_time_scale(self.playhead, at, scale))?;
        match &mut self.poses {
            Poses::Seed(ends @ None) => *ends = Some([(sim, pose); 2]),
            Poses::Seed(Some(ends)) => *ends = [if cut { (sim, pose) } else { ends[1] }, (sim, pose)],
            Poses::Locked(timeline) => {
                let take = if cut { portamento_timeline_cut } else { portamento_timeline_push };
                // SAFETY: a pose.
                done(unsafe { take(*timeline, sim, &pose) })?
            }
        }
        Ok(())
    }

    fn frame(&mut self, now: f64) -> Result<Option<TimedFrame>, String> {
        let mut shown = portamento_shown::default();
        // SAFETY: a place for the moment.
        if !found(unsafe { portamento_playhead_advance(self.playhead, now, &mut shown) })? {
            return Ok(None);
        }
        let mut alpha = 0.0;
        match &self.poses {
            Poses::Seed(ends) => {
                // SAFETY: a place for the number.
                let known =
                    found(unsafe { portamento_playhead_alpha_since_arrival(self.playhead, &mut alpha) })?;
                let Some([from, to]) = ends.filter(|_| known) else { return Ok(Some(TimedFrame::default())) };
                // Its moments are those of the two ticks, also where a script lets them run backwards.
                // SAFETY: one number each.
                let at = result(0.0, |at| unsafe { portamento_blend_numbers(&from.0, &to.0, 1, alpha, at) })?;
                // SAFETY: two poses, and a place for one.
                let view =
                    result(NO_POSE, |view| unsafe { portamento_slerp_poses(&from.1, &to.1, alpha, view) })?;
                let view = Some(numbers(&view, self.rotations));
                Ok(Some(TimedFrame { alpha: Some(alpha), shown: Some(at), view }))
            }
            Poses::Locked(timeline) => {
                let mut view = NO_POSE;
                // SAFETY: a moment, and places for what is asked.
                let there = found(unsafe {
                    portamento_timeline_view(*timeline, &shown, &mut view, std::ptr::null_mut(), &mut alpha)
                })?;
                let view = there.then(|| numbers(&view, self.rotations));
                Ok(Some(TimedFrame { alpha: there.then_some(alpha), shown: Some(shown.at), view }))
            }
        }
    }
}
