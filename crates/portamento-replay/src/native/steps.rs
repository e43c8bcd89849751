//! System `steps`.

use crate::{BodyEvent, Drive, StepsHeader, StepsOutput, check_ticks};
use portamento::blend::Blend;
use portamento::step::{FixedSettings, Frame, MomentParts, Snapping, Stepper};
use portamento::{Moment, Track};
use std::collections::VecDeque;

type Point = [f64; 3];

/// A body on a straight line, and what is drawn of it. Shared with the gate: only their steppers differ.
pub(super) struct Body {
    velocity: Point,
    track: Track<Point, ENDS>,
    /// The same places, newest first, for gates whose picture lies farther back than a track can hold.
    past: VecDeque<Point>,
}

/// What a track keeps, and what `past` does: for quanta that differ by a factor of four thousand.
const ENDS: usize = 64;
pub(super) const PAST: usize = 4096;

impl Body {
    pub(super) fn new(start: Point, velocity: Point) -> Self {
        Self { velocity, track: Track::with_ends(start), past: [start; 2].into() }
    }

    /// Moves by `velocity * seconds`.
    pub(super) fn tick(&mut self, seconds: impl Fn(f64) -> f64) {
        let from = *self.track.truth();
        let to = std::array::from_fn(|i| from[i] + seconds(self.velocity[i]));
        self.track.push(to);
        self.past.truncate(PAST - 1);
        self.past.push_front(to);
    }

    pub(super) fn cut(&mut self, to: Point) {
        self.track.cut(to);
        self.past = [to; 2].into();
    }

    pub(super) fn position(&self) -> Point {
        *self.track.truth()
    }

    pub(super) fn view(&self, moment: Moment) -> Point {
        let back = MomentParts::from(moment).back as usize;
        if back + 2 <= ENDS {
            return self.track.view(moment);
        }
        let end = |back: usize| self.past[back.min(self.past.len() - 1)];
        end(back + 1).blend(&end(back), moment.alpha())
    }

    /// The events that concern the body alone.
    pub(super) fn event(&mut self, event: BodyEvent) {
        match event {
            BodyEvent::Frame(_) => {}
            BodyEvent::Velocity(value) => self.velocity = value,
            BodyEvent::Cut(value) => self.cut(value),
            BodyEvent::Correct(value) => {
                self.track.correct(value);
                self.past[0] = value;
            }
            BodyEvent::Rebase(value) => {
                let shift = |p: &mut Point| *p = std::array::from_fn(|i| p[i] + value[i]);
                self.track.rebase(shift);
                self.past.iter_mut().for_each(shift);
            }
        }
    }
}

pub struct Steps {
    stepper: Stepper,
    hz: f64,
    body: Body,
}

impl Drive<StepsHeader, BodyEvent, StepsOutput> for Steps {
    fn begin(header: StepsHeader) -> Result<Self, String> {
        let plain = FixedSettings::at_hz(header.hz);
        let snapping = header.display_hz.map_or(Snapping::ToStep, |hz| Snapping::ToDisplay { hz });
        let max_frame = header.max_frame.unwrap_or(plain.max_frame);
        let settings = FixedSettings { max_frame, snapping, watch_display: header.watch, ..plain };
        let mut stepper = Stepper::new(settings).map_err(|e| e.to_string())?;
        // A display rate that makes no sense is a bad line also where nothing is snapped to it.
        if !header.snap {
            stepper.set_snapping(Snapping::Off).map_err(|e| e.to_string())?;
        }
        Ok(Self { stepper, hz: header.hz, body: Body::new(header.start, header.velocity) })
    }

    fn event(&mut self, event: BodyEvent) -> Result<StepsOutput, String> {
        let (mut ticks, mut dropped) = (0, 0.0);
        if let BodyEvent::Frame(dt) = event {
            let frame: Frame = self.stepper.frame(dt);
            ticks = frame.ticks.len() as u64;
            dropped = frame.lost.seconds;
            check_ticks(ticks)?;
            for _ in frame.ticks {
                self.body.tick(|v| v / self.hz);
            }
        } else {
            self.body.event(event);
        }
        let moment = self.stepper.moment();
        let (position, view) = (self.body.position(), self.body.view(moment));
        Ok(StepsOutput { ticks, alpha: moment.alpha(), dropped, position, view })
    }
}
