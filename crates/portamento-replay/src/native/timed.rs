//! System `timed`.

use crate::{Drive, ScriptPose, TimedEvent, TimedFrame, TimedHeader};
use portamento::blend::{Blend, Pose64, Rotation};
use portamento::playhead::{Playhead, PlayheadRule, PlayheadSettings, Timeline};

/// More ticks than a playhead can lie behind, up to a kilohertz.
const KEPT: usize = 1024;

pub struct Timed {
    playhead: Playhead,
    poses: Poses,
}

/// What is kept to draw from.
enum Poses {
    /// `seed` draws between the last two, whatever moments they stand for.
    Seed(Option<[(f64, Value); 2]>),
    Locked(Box<Timeline<Value, KEPT>>),
}

impl Drive<TimedHeader, TimedEvent, Option<TimedFrame>> for Timed {
    fn begin(TimedHeader { seed, interval }: TimedHeader) -> Result<Self, String> {
        let (rule, poses) = if seed {
            (PlayheadRule::SinceArrival, Poses::Seed(None))
        } else {
            (PlayheadRule::Locked, Poses::Locked(Box::default()))
        };
        let settings = PlayheadSettings { rule, interval, ..PlayheadSettings::at_hz(1.0 / interval) };
        Ok(Self { playhead: Playhead::new(settings).map_err(|e| e.to_string())?, poses })
    }

    fn event(&mut self, event: TimedEvent) -> Result<Option<TimedFrame>, String> {
        match event {
            TimedEvent::Tick { at, sim, scale, pose, cut } => {
                self.tick(at, sim, scale, pose.into(), cut);
                Ok(None)
            }
            TimedEvent::Frame(now) => Ok(self.frame(now)),
        }
    }
}

impl Timed {
    fn tick(&mut self, at: f64, sim: f64, scale: f64, value: Value, cut: bool) {
        if cut {
            self.playhead.observe_cut(at, sim);
        } else {
            self.playhead.observe(at, sim);
        }
        self.playhead.set_time_scale(at, scale);
        match &mut self.poses {
            Poses::Seed(ends @ None) => *ends = Some([(sim, value); 2]),
            Poses::Seed(Some(ends)) => *ends = [if cut { (sim, value) } else { ends[1] }, (sim, value)],
            Poses::Locked(timeline) if cut => _ = timeline.cut(sim, value),
            Poses::Locked(timeline) => _ = timeline.push(sim, value),
        }
    }

    fn frame(&mut self, now: f64) -> Option<TimedFrame> {
        let shown = self.playhead.advance(now)?;
        Some(match &self.poses {
            Poses::Seed(ends) => {
                // Its moments are those of the two ticks, also where a script lets them run backwards.
                let alpha = self.playhead.alpha_since_arrival();
                let drawn = ends.zip(alpha).map(|([from, to], alpha)| from.blend(&to, alpha)).unzip();
                TimedFrame { alpha, shown: drawn.0, view: drawn.1.map(Value::numbers) }
            }
            Poses::Locked(timeline) => TimedFrame {
                alpha: timeline.place(shown).map(|place| place.alpha()),
                shown: Some(shown.at),
                view: timeline.view(shown).map(Value::numbers),
            },
        })
    }
}

/// A script's pose, with or without a rotation.
#[derive(Clone, Copy)]
enum Value {
    Point([f64; 3]),
    Pose(Pose64),
}

impl Value {
    fn numbers(self) -> Vec<f64> {
        match self {
            Self::Point(position) => position.to_vec(),
            Self::Pose(Pose64 { position, rotation }) => {
                position.into_iter().chain(rotation.to_array().map(f64::from)).collect()
            }
        }
    }
}

impl From<ScriptPose> for Value {
    fn from(pose: ScriptPose) -> Self {
        let Some(rotation) = pose.rotation else { return Self::Point(pose.position) };
        let [x, y, z, w] = rotation.map(|c| c as f32);
        Self::Pose(Pose64 { position: pose.position, rotation: Rotation { x, y, z, w } })
    }
}

impl Blend for Value {
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        match (self, to) {
            (Self::Point(from), Self::Point(to)) => Self::Point(from.blend(to, alpha)),
            // The definition itself rather than its fast approximation: scripts compare across languages.
            (Self::Pose(from), Self::Pose(to)) => Self::Pose(Pose64 {
                position: from.position.blend(&to.position, alpha),
                rotation: from.rotation.slerp(to.rotation, alpha),
            }),
            _ => *to,
        }
    }
}
