//! System `snapshots`: a remote entity drawn a little in the past.

use crate::{Drive, Fields, ScriptPose, System, line};
use serde::Serialize;
use std::collections::HashMap;

/// A set of settings that a header names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotPreset {
    /// None was named.
    Default,
    /// `action`.
    Action,
    /// `racing`.
    Racing,
    /// `strategy`.
    Strategy,
}

/// What the header of `snapshots` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapshotHeader {
    /// The nominal send interval in seconds, above 0.
    pub interval: f64,
    /// The settings to start from.
    pub preset: SnapshotPreset,
    /// How many seconds to extrapolate at most, 0 or more; `None` for the preset's own.
    pub extrapolate: Option<f64>,
}

/// An event of `snapshots`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SnapshotEvent {
    /// A message arrived.
    Receive {
        /// By the sender's clock. May be NaN or infinite.
        sent: f64,
        /// By ours. May be NaN or infinite.
        at: f64,
        /// What it says of the entity, if it speaks of it.
        report: Option<SnapshotReport>,
    },
    /// A frame is drawn at this time of our clock, finite.
    Frame(f64),
}

/// What a message says of the entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapshotReport {
    /// Where it is. All reports of a script have a rotation, or none has.
    pub pose: ScriptPose,
    /// How it moves.
    pub velocity: Option<SnapshotVelocity>,
    /// Another number than in the snapshot before is a teleport.
    pub epoch: u32,
}

/// How an entity moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapshotVelocity {
    /// Units per second.
    pub linear: [f64; 3],
    /// Radians per second. Without them a pose's velocity does not count: both are estimated.
    pub angular: Option<[f64; 3]>,
}

/// What became of an event of `snapshots`.
#[derive(Clone, Debug, PartialEq)]
pub enum SnapshotOutput {
    /// Whether the report was taken; either, without one.
    Accepted(bool),
    /// What a frame shows; `None` while there is nothing to show.
    Frame(Option<SnapshotFrame>),
}

/// What a frame shows of the entity.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotFrame {
    /// The pose, with as many numbers as the script's; empty if nothing is drawn, because the entity's first moment has
    /// not come yet or its peer has not mentioned it for long. The contract wants a pose even then.
    pub view: Vec<f64>,
    /// `blending`, `extrapolating` or `holding`.
    pub state: &'static str,
    /// The moment of the sender's clock that the frame shows.
    pub shown: f64,
    /// How far that lies behind the sender's clock.
    pub delay: f64,
    /// How much farther back this entity is drawn.
    pub extra_delay: f64,
    /// Which life of the sender it is.
    pub life: u32,
}

struct Snapshots<D> {
    driver: D,
    /// Whether the script's poses have rotations.
    rotations: Option<bool>,
    /// The script's epochs, each with the one that stands for it: the library's have 32 bits.
    epochs: HashMap<i128, u32>,
    last: Frame,
    /// The sender's life that the last frame showed.
    life: Option<u32>,
    /// The earliest pose, while nothing was drawn.
    first: Option<(f64, Vec<f64>)>,
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

pub(crate) fn begin<D>(mut header: Fields) -> Result<Box<dyn System>, String>
where
    D: Drive<SnapshotHeader, SnapshotEvent, SnapshotOutput> + 'static,
{
    let interval = header.positive("interval")?.ok_or("the header gives no \"interval\"")?;
    let preset = match header.text("preset")?.as_deref() {
        None => SnapshotPreset::Default,
        Some("action") => SnapshotPreset::Action,
        Some("racing") => SnapshotPreset::Racing,
        Some("strategy") => SnapshotPreset::Strategy,
        Some(other) => {
            return Err(format!("preset is {other:?}: give \"action\", \"racing\" or \"strategy\""));
        }
    };
    let extrapolate = header.not_negative("extrapolate")?;
    // Lengths are measured by the entity's own pace: the key is allowed and means nothing any more.
    let _ = header.positive("metre")?;
    header.finish()?;
    let driver = D::begin(SnapshotHeader { interval, preset, extrapolate })?;
    Ok(Box::new(Snapshots {
        driver,
        rotations: None,
        epochs: HashMap::new(),
        last: WAITING,
        life: None,
        first: None,
    }))
}

impl<D: Drive<SnapshotHeader, SnapshotEvent, SnapshotOutput>> Snapshots<D> {
    fn receive(&mut self, mut event: Fields) -> Result<String, String> {
        let sent = event.time("receive")?.expect("the kind is a key of the event");
        let at = event.time("at")?.ok_or("a receive needs \"at\"")?;
        let Some(pose) = event.pose("pose")? else {
            // The message speaks of others: only the clock learns from it.
            event.finish().map_err(|error| format!("{error} in a message without a pose"))?;
            self.driver.event(SnapshotEvent::Receive { sent, at, report: None })?;
            return Ok(line(&Receive { accepted: sent.is_finite() && at.is_finite() }));
        };
        let velocity = velocity(&mut event)?;
        let epoch = epoch(&mut event)?;
        event.finish()?;
        // One script uses one length of poses throughout.
        if *self.rotations.get_or_insert(pose.rotation.is_some()) != pose.rotation.is_some() {
            let (is, was) = (pose.len(), 10 - pose.len());
            return Err(format!("pose has {is} numbers, the ones before it had {was}"));
        }
        let next = self.epochs.len() as u32;
        let epoch = *self.epochs.entry(epoch).or_insert(next);
        let report = Some(SnapshotReport { pose, velocity, epoch });
        let taken = self.driver.event(SnapshotEvent::Receive { sent, at, report })?;
        let accepted = taken == SnapshotOutput::Accepted(true);
        if accepted && self.last.view.is_none() && self.first.as_ref().is_none_or(|first| sent < first.0) {
            let rotation = pose.rotation.iter().flatten();
            self.first = Some((sent, pose.position.iter().chain(rotation).copied().collect()));
        }
        Ok(line(&Receive { accepted }))
    }

    fn frame(&mut self, now: f64) -> Result<Frame, String> {
        if !now.is_finite() {
            return Ok(self.last.clone());
        }
        let SnapshotOutput::Frame(Some(frame)) = self.driver.event(SnapshotEvent::Frame(now))? else {
            return Ok(WAITING);
        };
        // While the entity's own delay grows, its moment waits.
        let before = self.last.shown.filter(|_| self.life == Some(frame.life)).unwrap_or(f64::NEG_INFINITY);
        self.life = Some(frame.life);
        let shown = (frame.shown - frame.extra_delay).max(before);
        let delay = frame.delay + (frame.shown - shown);
        let first = || self.first.as_ref().map(|first| first.1.clone());
        let drawn = Some(frame.view).filter(|view| !view.is_empty());
        // Before the first pose that was taken there is nothing to show.
        let Some(view) = drawn.or_else(|| self.last.view.clone()).or_else(first) else { return Ok(WAITING) };
        Ok(Frame { view: Some(view), shown: Some(shown), delay: Some(delay), state: frame.state })
    }
}

/// Faster than this makes no sense, and could not be measured: squares of it still have room in 32 bits.
const FASTEST: f64 = 1e18;

/// Three numbers, units per second; or six, with radians per second after them.
fn velocity(event: &mut Fields) -> Result<Option<SnapshotVelocity>, String> {
    let Some(value) = event.take("velocity") else { return Ok(None) };
    let numbers: Option<Vec<f64>> =
        value.as_array().and_then(|a| a.iter().map(|v| v.as_f64().filter(|n| n.is_finite())).collect());
    if numbers.iter().flatten().any(|n| n.abs() > FASTEST) {
        return Err(format!("velocity is {value}: nothing is faster than {FASTEST:e} per second"));
    }
    match numbers.as_deref() {
        Some(&[x, y, z]) => Ok(Some(SnapshotVelocity { linear: [x, y, z], angular: None })),
        Some(&[x, y, z, a, b, c]) => {
            Ok(Some(SnapshotVelocity { linear: [x, y, z], angular: Some([a, b, c]) }))
        }
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

impl<D: Drive<SnapshotHeader, SnapshotEvent, SnapshotOutput>> System for Snapshots<D> {
    fn event(&mut self, mut event: Fields) -> Result<String, String> {
        if event.kind(&["receive", "frame"])? == "receive" {
            return self.receive(event);
        }
        let now = event.time("frame")?.expect("the kind is a key of the event");
        event.finish()?;
        self.last = self.frame(now)?;
        Ok(line(&self.last))
    }
}
