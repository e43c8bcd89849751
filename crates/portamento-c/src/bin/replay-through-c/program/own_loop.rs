//! Systems `steps` and `gate`: a stepper, and one body that moves at a steady velocity.

use super::border::{NO_POSE, at, done, found, result};
use portamento_c::*;
use portamento_replay::{
    BodyEvent, Drive, GateHeader, GateOutput, GateScriptRule, StepsHeader, StepsOutput, check_ticks,
};
use std::collections::VecDeque;

type Point = [f64; 3];

/// What the longest track keeps, and what is kept besides.
const ENDS: u32 = 64;
const PAST: usize = 4096;

struct Body {
    velocity: Point,
    track: portamento_track,
    /// The same places, newest first, for gates whose picture lies farther back than a track can hold.
    past: VecDeque<Point>,
}

impl Drop for Body {
    fn drop(&mut self) {
        let _ = portamento_track_free(self.track);
    }
}

impl Body {
    fn new(start: Point, velocity: Point) -> Result<Self, String> {
        let none = portamento_track { id: 0 };
        // SAFETY: a pose and a place for the handle.
        let track = result(none, |track| unsafe { portamento_track_with_ends(&at(start), ENDS, track) })?;
        Ok(Self { velocity, track, past: [start; 2].into() })
    }

    fn tick(&mut self, seconds: impl Fn(f64) -> f64) -> Result<(), String> {
        let from = self.position()?;
        let to = std::array::from_fn(|i| from[i] + seconds(self.velocity[i]));
        // SAFETY: a pose.
        done(unsafe { portamento_track_push(self.track, &at(to)) })?;
        self.past.truncate(PAST - 1);
        self.past.push_front(to);
        Ok(())
    }

    fn cut(&mut self, to: Point) -> Result<(), String> {
        // SAFETY: a pose.
        done(unsafe { portamento_track_cut(self.track, &at(to)) })?;
        self.past = [to; 2].into();
        Ok(())
    }

    fn position(&self) -> Result<Point, String> {
        // SAFETY: a place for a pose.
        Ok(result(NO_POSE, |pose| unsafe { portamento_track_truth(self.track, pose) })?.position)
    }

    fn view(&self, moment: &portamento_moment) -> Result<Point, String> {
        let back = moment.back as usize;
        let drawn = if back + 2 <= ENDS as usize {
            // SAFETY: a moment, and a place for a pose.
            result(NO_POSE, |view| unsafe { portamento_track_view(self.track, moment, view) })
        } else {
            let end = |back: usize| at(self.past[back.min(self.past.len() - 1)]);
            // SAFETY: two poses, and a place for one.
            result(NO_POSE, |view| unsafe {
                portamento_blend_poses(&end(back + 1), &end(back), moment.alpha, view)
            })
        };
        Ok(drawn?.position)
    }

    /// The events that concern the body alone.
    fn event(&mut self, event: BodyEvent) -> Result<(), String> {
        match event {
            BodyEvent::Frame(_) => Ok(()),
            BodyEvent::Velocity(value) => {
                self.velocity = value;
                Ok(())
            }
            BodyEvent::Cut(value) => self.cut(value),
            BodyEvent::Correct(value) => {
                self.past[0] = value;
                // SAFETY: a pose.
                done(unsafe { portamento_track_correct(self.track, &at(value)) })
            }
            BodyEvent::Rebase(value) => {
                let shift = |p: &mut Point| *p = std::array::from_fn(|i| p[i] + value[i]);
                self.past.iter_mut().for_each(shift);
                // SAFETY: three numbers.
                done(unsafe { portamento_track_rebase(self.track, value.as_ptr()) })
            }
        }
    }
}

/// A stepper, freed in the end.
struct Clock(portamento_stepper);

const NO_STEPPER: portamento_stepper = portamento_stepper { id: 0 };
const NO_MOMENT: portamento_moment =
    portamento_moment { alpha: 0.0, beyond: 0.0, presented: 0.0, tick: 0, back: 0, frame: 0 };
const NO_FRAME: portamento_frame =
    portamento_frame { moment: NO_MOMENT, ticks: 0, lost: 0.0, lost_reason: 0, reserved: 0 };
const NO_TICK: portamento_tick = portamento_tick { number: 0, dt: 0.0, time: 0.0 };
/// `lost_reason` of time that was thrown away as stale.
const STALE: u32 = 3;

impl Drop for Clock {
    fn drop(&mut self) {
        let _ = portamento_stepper_free(self.0);
    }
}

impl Clock {
    fn frame(&self, seconds: f64) -> Result<portamento_frame, String> {
        // SAFETY: a place for the frame.
        result(NO_FRAME, |frame| unsafe { portamento_stepper_frame(self.0, seconds, frame) })
    }

    fn tick(&self) -> Result<Option<portamento_tick>, String> {
        let mut tick = NO_TICK;
        // SAFETY: a place for the tick.
        Ok(found(unsafe { portamento_stepper_tick(self.0, &mut tick) })?.then_some(tick))
    }

    fn moment(&self) -> Result<portamento_moment, String> {
        // SAFETY: a place for the moment.
        result(NO_MOMENT, |moment| unsafe { portamento_stepper_moment(self.0, moment) })
    }
}

pub struct Steps {
    clock: Clock,
    hz: f64,
    body: Body,
}

impl Drive<StepsHeader, BodyEvent, StepsOutput> for Steps {
    fn begin(header: StepsHeader) -> Result<Self, String> {
        let mut settings = portamento_fixed_settings {
            size: 0,
            max_ticks: 0,
            hz: 0.0,
            max_frame: 0.0,
            extrapolate: 0.0,
            display_hz: 0.0,
            snapping: PORTAMENTO_SNAPPING_OFF,
            carry_drift: 0,
            watch_display: 0,
            reserved: 0,
        };
        // SAFETY: a place for the settings.
        done(unsafe { portamento_fixed_settings_at_hz(header.hz, &mut settings) })?;
        settings.max_frame = header.max_frame.unwrap_or(settings.max_frame);
        settings.watch_display = header.watch.into();
        (settings.snapping, settings.display_hz) = header
            .display_hz
            .map_or((PORTAMENTO_SNAPPING_TO_STEP, 0.0), |hz| (PORTAMENTO_SNAPPING_TO_DISPLAY, hz));
        // SAFETY: settings, and a place for the handle.
        let made = result(NO_STEPPER, |stepper| unsafe { portamento_stepper_fixed(&settings, stepper) })?;
        let clock = Clock(made);
        // A display rate that makes no sense is a bad line also where nothing is snapped to it.
        if !header.snap {
            done(portamento_stepper_set_snapping(clock.0, PORTAMENTO_SNAPPING_OFF, 0.0))?;
        }
        Ok(Self { clock, hz: header.hz, body: Body::new(header.start, header.velocity)? })
    }

    fn event(&mut self, event: BodyEvent) -> Result<StepsOutput, String> {
        let (mut ticks, mut dropped) = (0, 0.0);
        if let BodyEvent::Frame(seconds) = event {
            let frame = self.clock.frame(seconds)?;
            (ticks, dropped) = (frame.ticks, frame.lost);
            check_ticks(ticks)?;
            while self.clock.tick()?.is_some() {
                self.body.tick(|v| v / self.hz)?;
            }
        } else {
            self.body.event(event)?;
        }
        let moment = self.clock.moment()?;
        let (position, view) = (self.body.position()?, self.body.view(&moment)?);
        Ok(StepsOutput { ticks, alpha: moment.alpha, dropped, position, view })
    }
}

pub struct Gate {
    clock: Clock,
    body: Body,
}

impl Drive<GateHeader, BodyEvent, GateOutput> for Gate {
    fn begin(header: GateHeader) -> Result<Self, String> {
        let rule = match header.rule {
            GateScriptRule::Even => PORTAMENTO_GATE_RULE_EVEN,
            GateScriptRule::Client => PORTAMENTO_GATE_RULE_ALL_AT_ONCE,
            GateScriptRule::Seed => PORTAMENTO_GATE_RULE_ONE_AT_A_TIME,
        };
        let mut settings = portamento_gate_settings { size: 0, rule, min: 0.0, max: 0.0, huge: 0.0 };
        // SAFETY: a place for the settings.
        done(unsafe { portamento_gate_settings_with_rule(rule, &mut settings) })?;
        settings.min = header.min.unwrap_or(settings.min);
        settings.max = header.max.unwrap_or(settings.max);
        settings.huge = header.huge.unwrap_or(settings.huge);
        // SAFETY: settings, and a place for the handle.
        let made = result(NO_STEPPER, |stepper| unsafe { portamento_stepper_gated(&settings, stepper) })?;
        Ok(Self { clock: Clock(made), body: Body::new(header.start, header.velocity)? })
    }

    fn event(&mut self, event: BodyEvent) -> Result<GateOutput, String> {
        let (mut quanta, mut stale, mut presented) = (Vec::new(), false, 0.0);
        if let BodyEvent::Frame(seconds) = event {
            let frame = self.clock.frame(seconds)?;
            while let Some(tick) = self.clock.tick()? {
                quanta.push(tick.dt);
                self.body.tick(|v| v * tick.dt)?;
            }
            presented = frame.moment.presented;
            stale = frame.lost_reason == STALE;
            if stale {
                self.body.cut(self.body.position()?)?;
                done(portamento_stepper_cut(self.clock.0))?;
            }
        } else {
            self.body.event(event)?;
            if let BodyEvent::Cut(_) = event {
                done(portamento_stepper_cut(self.clock.0))?;
            }
        }
        let moment = self.clock.moment()?;
        let (position, view) = (self.body.position()?, self.body.view(&moment)?);
        Ok(GateOutput { quanta, stale, alpha: moment.alpha, presented, position, view })
    }
}
