//! System `gate`.

use super::steps::{Body, PAST};
use crate::{BodyEvent, Drive, GateHeader, GateOutput, GateScriptRule};
use portamento::step::{GateRule, GateSettings, LostReason, Stepper};

pub struct Gate {
    stepper: Box<Stepper<PAST>>,
    body: Body,
}

impl Drive<GateHeader, BodyEvent, GateOutput> for Gate {
    fn begin(header: GateHeader) -> Result<Self, String> {
        let rule = match header.rule {
            GateScriptRule::Even => GateRule::Even,
            GateScriptRule::Client => GateRule::AllAtOnce,
            GateScriptRule::Seed => GateRule::OneAtATime,
        };
        let GateSettings { min, max, huge, .. } = GateSettings::from(rule);
        let settings = GateSettings {
            rule,
            min: header.min.unwrap_or(min),
            max: header.max.unwrap_or(max),
            huge: header.huge.unwrap_or(huge),
        };
        let stepper = Stepper::with_gate(settings).map_err(|e| e.to_string())?;
        Ok(Self { stepper: Box::new(stepper), body: Body::new(header.start, header.velocity) })
    }

    fn event(&mut self, event: BodyEvent) -> Result<GateOutput, String> {
        let (mut quanta, mut stale, mut presented) = (Vec::new(), false, 0.0);
        if let BodyEvent::Frame(dt) = event {
            let frame = self.stepper.frame(dt);
            for tick in frame.ticks {
                quanta.push(tick.dt);
                self.body.tick(|v| v * tick.dt);
            }
            presented = frame.moment.presented();
            stale = frame.lost.reason == Some(LostReason::Stale);
            if stale {
                // A game with many tracks leaves them alone, for the moment then says "the newest end". A script
                // may correct its body before the next quantum and see it glide, so here both ends are set.
                self.body.cut(self.body.position());
                self.stepper.cut();
            }
        } else {
            self.body.event(event);
            if let BodyEvent::Cut(_) = event {
                self.stepper.cut();
            }
        }
        let moment = self.stepper.moment();
        let (position, view) = (self.body.position(), self.body.view(moment));
        Ok(GateOutput { quanta, stale, alpha: moment.alpha(), presented, position, view })
    }
}
