//! System `gate`: a quantum gate and one body that moves at a steady velocity.

use super::steps::{Body, EVENTS, PAST, Point};
use super::{Fields, System, line};
use portamento::step::{GateRule, GateSettings, Stepper};
use serde::Serialize;

pub(super) struct Gate {
    stepper: Box<Stepper<PAST>>,
    body: Body,
}

#[derive(Serialize)]
struct Output {
    quanta: Vec<f64>,
    stale: bool,
    alpha: f64,
    presented: f64,
    position: Point,
    view: Point,
}

impl Gate {
    pub(super) fn new(header: &mut Fields) -> Result<Self, String> {
        let rule = match header.text("rule")?.as_deref() {
            None | Some("even") => GateRule::Even,
            Some("client") => GateRule::AllAtOnce,
            Some("seed") => GateRule::OneAtATime,
            Some(other) => return Err(format!("unknown rule {other:?}: give even, client or seed")),
        };
        let GateSettings { min, max, huge, .. } = GateSettings::with_rule(rule);
        let settings = GateSettings {
            rule,
            min: header.number("min")?.unwrap_or(min),
            max: header.number("max")?.unwrap_or(max),
            huge: header.number("huge")?.unwrap_or(huge),
        };
        let stepper = Stepper::with_gate(settings).map_err(|e| e.to_string())?;
        Ok(Self { stepper: Box::new(stepper), body: Body::new(header)? })
    }
}

impl System for Gate {
    fn event(&mut self, mut event: Fields) -> Result<String, String> {
        let kind = event.kind(&EVENTS)?;
        let (mut quanta, mut stale, mut presented) = (Vec::new(), false, 0.0);
        if kind == "frame" {
            let dt = event.time(kind)?.expect("the kind is a key of the event");
            event.finish()?;
            let frame = self.stepper.frame(dt);
            for tick in frame.ticks {
                quanta.push(tick.dt);
                self.body.tick(|v| v * tick.dt);
            }
            presented = frame.moment.presented();
            stale = frame.lost.is_stale();
            if stale {
                // A game with many tracks leaves them alone, for the moment then says "the newest end". A script
                // may correct its body before the next quantum and see it glide, so here both ends are set.
                self.body.stay();
                self.stepper.cut();
            }
        } else {
            self.body.event(kind, &mut event)?;
            event.finish()?;
            if kind == "cut" {
                self.stepper.cut();
            }
        }
        Ok(line(&Output {
            quanta,
            stale,
            alpha: self.stepper.moment().alpha(),
            presented,
            position: self.body.position(),
            view: self.body.view(self.stepper.moment()),
        }))
    }
}
