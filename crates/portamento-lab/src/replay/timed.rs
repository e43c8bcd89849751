//! System `timed`: poses with timestamps, drawn by another clock.

use super::fields::ScriptPose;
use super::{Fields, System, line};
use portamento::blend::{Blend, Pose64, Rotation};
use portamento::playhead::{Playhead, PlayheadRule, PlayheadSettings, Timeline};
use serde::{Serialize, Serializer};

/// More ticks than a playhead can lie behind, up to a kilohertz.
const KEPT: usize = 1024;

pub(super) struct Timed {
    interval: f64,
    playhead: Playhead,
    poses: Poses,
    /// How many the script's poses have.
    numbers: Option<usize>,
    /// Ticks and cuts so far.
    count: u32,
    /// The newest time of the reader's clock.
    newest: f64,
    last: Output,
}

/// What is kept to draw from.
enum Poses {
    /// `seed` draws between the last two, whatever moments they stand for.
    Seed(Option<[(f64, Value); 2]>),
    Locked(Box<Timeline<Value, KEPT>>),
}

#[derive(Clone, Default, Serialize)]
struct Output {
    alpha: Option<f64>,
    shown: Option<f64>,
    view: Option<Value>,
}

impl Timed {
    pub(super) fn new(header: &mut Fields) -> Result<Self, String> {
        let (rule, poses) = match header.text("rule")?.as_deref() {
            None | Some("locked") => (PlayheadRule::Locked, Poses::Locked(Box::default())),
            Some("seed") => (PlayheadRule::SinceArrival, Poses::Seed(None)),
            Some(other) => return Err(format!("unknown rule {other:?}: give locked or seed")),
        };
        let interval =
            header.positive("interval")?.ok_or("the header has no \"interval\": give seconds a tick")?;
        let playhead =
            Playhead::new(PlayheadSettings { rule, interval, ..PlayheadSettings::at_hz(1.0 / interval) })
                .map_err(|e| e.to_string())?;
        let (newest, last) = (f64::NEG_INFINITY, Output::default());
        Ok(Self { interval, playhead, poses, numbers: None, count: 0, newest, last })
    }

    fn tick(&mut self, time: f64, sim: Option<f64>, scale: f64, value: Value, cut: bool) {
        let sim = sim.unwrap_or(f64::from(self.count) * self.interval);
        if !time.is_finite() || !sim.is_finite() {
            return;
        }
        self.count += 1;
        self.newest = self.newest.max(time);
        if cut {
            self.playhead.observe_cut(self.newest, sim);
        } else {
            self.playhead.observe(self.newest, sim);
        }
        self.playhead.set_time_scale(self.newest, scale);
        match &mut self.poses {
            Poses::Seed(ends @ None) => *ends = Some([(sim, value); 2]),
            Poses::Seed(Some(ends)) => *ends = [if cut { (sim, value) } else { ends[1] }, (sim, value)],
            Poses::Locked(timeline) if cut => _ = timeline.cut(sim, value),
            Poses::Locked(timeline) => _ = timeline.push(sim, value),
        }
    }

    fn frame(&mut self, time: f64) {
        if !time.is_finite() {
            return;
        }
        self.newest = self.newest.max(time);
        let Some(shown) = self.playhead.advance(self.newest) else { return };
        self.last = match &self.poses {
            Poses::Seed(ends) => {
                // Its moments are those of the two ticks, also where a script lets them run backwards.
                let alpha = self.playhead.alpha_since_arrival();
                let drawn = ends.zip(alpha).map(|([from, to], alpha)| from.blend(&to, alpha)).unzip();
                Output { alpha, shown: drawn.0, view: drawn.1 }
            }
            Poses::Locked(timeline) => Output {
                alpha: timeline.place(shown).map(|place| place.alpha()),
                shown: Some(shown.at),
                view: timeline.view(shown),
            },
        };
    }

    /// All poses of a script have one length; the first tells, also that of a tick at no time.
    fn same_kind(&mut self, value: &Value) -> Result<(), String> {
        let (is, was) = (value.len(), *self.numbers.get_or_insert(value.len()));
        if is == was { Ok(()) } else { Err(format!("a pose of {is} numbers after poses of {was}")) }
    }
}

impl System for Timed {
    fn event(&mut self, mut event: Fields) -> Result<String, String> {
        let kind = event.kind(&["tick", "cut", "frame"])?;
        let time = event.time(kind)?.expect("the kind is a key of the event");
        if kind == "frame" {
            event.finish()?;
            self.frame(time);
            return Ok(line(&self.last));
        }
        let sim = event.time("sim")?;
        let scale = event.positive("scale")?.unwrap_or(1.0);
        let value = Value::from(event.pose("pose")?.ok_or_else(|| format!("a {kind} has no \"pose\""))?);
        event.finish()?;
        self.same_kind(&value)?;
        self.tick(time, sim, scale, value, kind == "cut");
        Ok("{}".into())
    }
}

/// A script's pose, with or without a rotation.
#[derive(Clone, Copy)]
enum Value {
    Point([f64; 3]),
    Pose(Pose64),
}

impl Value {
    fn len(&self) -> usize {
        match self {
            Self::Point(_) => 3,
            Self::Pose(_) => 7,
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
            // The definition itself rather than its fast kin: scripts compare across languages.
            (Self::Pose(from), Self::Pose(to)) => Self::Pose(Pose64 {
                position: from.position.blend(&to.position, alpha),
                rotation: from.rotation.slerp(to.rotation, alpha),
            }),
            _ => *to,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Point(position) => position.serialize(serializer),
            Self::Pose(Pose64 { position: [x, y, z], rotation: r }) => {
                let [qx, qy, qz, qw] = [r.x, r.y, r.z, r.w].map(f64::from);
                [*x, *y, *z, qx, qy, qz, qw].serialize(serializer)
            }
        }
    }
}
