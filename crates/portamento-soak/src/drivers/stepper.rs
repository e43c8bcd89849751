//! Steppers: fixed steps and gates.

use crate::Source;
use crate::saves::through_a_save;
use portamento::step::{
    FixedSettings, Frame, GateRule, GateSettings, GatedStepper, MomentParts, Snapping, Stepper,
};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += 1;
        let Some(mut stepper) = stepper(source) else { continue };
        for _ in 0..64 {
            step(&mut stepper, source);
            calls += 1;
        }
        calls += 1;
        if let Some(mut again) = through_a_save(&stepper, source) {
            for _ in 0..16 {
                step(&mut again, source);
                calls += 1;
            }
        }
    }
    calls
}

fn snapping(source: &mut Source) -> Snapping {
    match source.below(3) {
        0 => Snapping::Off,
        1 => Snapping::ToStep,
        _ => Snapping::ToDisplay { hz: source.mostly(60.0) },
    }
}

fn stepper(source: &mut Source) -> Option<GatedStepper> {
    if source.flag() {
        let settings = FixedSettings {
            max_frame: source.mostly(0.25),
            max_ticks: source.of(&[None, None, Some(0), Some(3), Some(u32::MAX)]),
            extrapolate: source.mostly(0.0),
            snapping: snapping(source),
            carry_drift: source.flag(),
            watch_display: source.flag(),
            ..FixedSettings::at_hz(source.mostly(60.0))
        };
        Stepper::new(settings).ok().map(GatedStepper::from)
    } else {
        let rule = source.of(&[GateRule::Even, GateRule::AllAtOnce, GateRule::OneAtATime]);
        let GateSettings { min, max, huge, .. } = GateSettings::from(rule);
        let mut settings = GateSettings {
            rule,
            min: source.mostly(min),
            max: source.mostly(max),
            huge: source.mostly(huge),
        };
        // A gate may run a million quanta in one frame: that is its bound, but no use of the soak's time.
        settings.huge = settings.huge.min(1000.0 * settings.max);
        GatedStepper::with_gate(settings).ok()
    }
}

fn step(stepper: &mut GatedStepper, source: &mut Source) {
    let before = stepper.counts();
    let x = if source.flag() { source.number() } else { source.unit() * 0.05 };
    let frame = match source.below(16) {
        0 => stepper.frame_at(x),
        1 => stepper.step_once(),
        2 => return stepper.cut(),
        3 if stepper.counts().paused => return stepper.resume(),
        3 => return stepper.pause(),
        4 => {
            let _ = stepper.set_time_scale(x);
            return;
        }
        5 => {
            let _ = stepper.set_hz(x);
            return;
        }
        6 => {
            let _ = stepper.set_snapping(snapping(source));
            return;
        }
        _ => stepper.frame(x),
    };
    sane(frame, stepper, before.ticks);
    let counts = stepper.counts();
    assert!(counts.simulated >= before.simulated, "simulated time goes back");
    assert!(counts.lost >= before.lost && counts.unusable >= before.unusable, "counters shrink");
    assert!(stepper.moment().presented() == 0.0);
}

fn sane(frame: Frame, stepper: &GatedStepper, before: u64) {
    let Frame { ticks, moment, lost } = frame;
    assert!((0.0..=1.0).contains(&moment.alpha()), "{moment:?}");
    assert!(moment.presented() >= 0.0 && moment.presented().is_finite(), "{moment:?}");
    let MomentParts { back, beyond, .. } = moment.into();
    assert!((0.0..=1.0).contains(&beyond), "{moment:?}");
    assert!(back as usize <= stepper.ends_needed() - 2, "{moment:?}");
    let counts = stepper.counts();
    assert!(lost.seconds >= 0.0 && lost.seconds.is_finite() && counts.lost.is_finite(), "{lost:?}");
    assert_eq!(lost.seconds > 0.0, lost.reason.is_some());
    assert!(counts.drift.is_finite() && counts.simulated.is_finite());
    assert_eq!(counts.ticks, before.saturating_add(ticks.len() as u64), "ticks add up");
    let mut last = f64::NEG_INFINITY;
    for tick in ticks.take(32) {
        assert!(
            tick.dt > 0.0 && tick.dt.is_finite() && tick.time.is_finite() && tick.time >= last,
            "{tick:?}"
        );
        last = tick.time;
    }
}
