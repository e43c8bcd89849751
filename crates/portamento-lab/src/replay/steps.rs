//! System `steps`: a fixed step and one body that moves at a steady velocity.

use super::{Fields, System, line};
use portamento::blend::Blend;
use portamento::step::{FixedSettings, Frame, Snapping, Stepper};
use portamento::{Moment, Track};
use serde::Serialize;
use std::collections::VecDeque;

pub(super) type Point = [f64; 3];

/// A body on a straight line, and what is drawn of it. Shared with the gate: only their steppers differ.
pub(super) struct Body {
    pub(super) velocity: Point,
    track: Track<Point, ENDS>,
    /// The same places, newest first, for gates whose picture lies farther back than a track can hold.
    past: VecDeque<Point>,
}

/// What a track keeps, and what `past` does: for quanta that differ by a factor of four thousand.
const ENDS: usize = 64;
pub(super) const PAST: usize = 4096;

impl Body {
    pub(super) fn new(header: &mut Fields) -> Result<Self, String> {
        let start = header.vector("start")?.unwrap_or_default();
        let velocity = header.vector("velocity")?.unwrap_or_default();
        Ok(Self { velocity, track: Track::with_ends(start), past: [start; 2].into() })
    }

    /// Moves by `velocity * seconds`.
    pub(super) fn tick(&mut self, seconds: impl Fn(f64) -> f64) {
        let from = *self.track.truth();
        let to = std::array::from_fn(|i| from[i] + seconds(self.velocity[i]));
        self.track.push(to);
        self.past.truncate(PAST - 1);
        self.past.push_front(to);
    }

    fn cut(&mut self, to: Point) {
        self.track.cut(to);
        self.past = [to; 2].into();
    }

    /// Both ends become the present position.
    pub(super) fn stay(&mut self) {
        self.cut(self.position());
    }

    pub(super) fn position(&self) -> Point {
        *self.track.truth()
    }

    pub(super) fn view(&self, moment: Moment) -> Point {
        let back = moment.back() as usize;
        if back + 2 <= ENDS {
            return self.track.view(moment);
        }
        let end = |back: usize| self.past[back.min(self.past.len() - 1)];
        end(back + 1).blend(&end(back), moment.alpha())
    }

    /// The events that concern the body alone.
    pub(super) fn event(&mut self, kind: &str, event: &mut Fields) -> Result<(), String> {
        let value = event.vector(kind)?.expect("the kind is a key of the event");
        match kind {
            "velocity" => self.velocity = value,
            "cut" => self.cut(value),
            "correct" => {
                self.track.correct(value);
                self.past[0] = value;
            }
            _ => {
                let shift = |p: &mut Point| *p = std::array::from_fn(|i| p[i] + value[i]);
                self.track.rebase(shift);
                self.past.iter_mut().for_each(shift);
            }
        }
        Ok(())
    }
}

pub(super) const EVENTS: [&str; 5] = ["frame", "velocity", "cut", "correct", "rebase"];

pub(super) struct Steps {
    stepper: Stepper,
    hz: f64,
    body: Body,
}

#[derive(Serialize)]
struct Output {
    ticks: usize,
    alpha: f64,
    dropped: f64,
    position: Point,
    view: Point,
}

impl Steps {
    pub(super) fn new(header: &mut Fields) -> Result<Self, String> {
        let hz = match (header.number("hz")?, header.number("step")?) {
            (Some(_), Some(_)) => return Err("give hz or step, not both".into()),
            (Some(hz), None) => hz,
            (None, Some(step)) => 1.0 / step,
            (None, None) => 60.0,
        };
        let plain = FixedSettings::at_hz(hz);
        let max_frame = header.number("max_frame")?.unwrap_or(plain.max_frame);
        // A null display rate is the documented way to say that it is unknown.
        let display = match header.take("display_hz") {
            None | Some(serde_json::Value::Null) => None,
            Some(value) => Some(
                value
                    .as_f64()
                    .ok_or_else(|| format!("display_hz is {value}: it must be a number above 0, or null"))?,
            ),
        };
        let snap = header.flag("snap")?.unwrap_or(false);
        let watch_display = header.flag("watch")?.unwrap_or(false);
        let snapping = display.map_or(Snapping::ToStep, |hz| Snapping::ToDisplay { hz });
        let settings = FixedSettings { max_frame, snapping, watch_display, ..plain };
        let mut stepper = Stepper::new(settings).map_err(|e| e.to_string())?;
        // A display rate that makes no sense is a bad line also where nothing is snapped to it.
        if !snap {
            stepper.set_snapping(Snapping::Off).map_err(|e| e.to_string())?;
        }
        Ok(Self { stepper, hz, body: Body::new(header)? })
    }
}

impl System for Steps {
    fn event(&mut self, mut event: Fields) -> Result<String, String> {
        let kind = event.kind(&EVENTS)?;
        let (mut ticks, mut dropped) = (0, 0.0);
        if kind == "frame" {
            let dt = event.time(kind)?.expect("the kind is a key of the event");
            event.finish()?;
            let frame: Frame = self.stepper.frame(dt);
            ticks = frame.ticks.len();
            dropped = frame.lost.seconds;
            for _ in frame.ticks {
                self.body.tick(|v| v / self.hz);
            }
        } else {
            self.body.event(kind, &mut event)?;
            event.finish()?;
        }
        Ok(line(&Output {
            ticks,
            alpha: self.stepper.moment().alpha(),
            dropped,
            position: self.body.position(),
            view: self.body.view(self.stepper.moment()),
        }))
    }
}
