//! Input that is the same in every run and on every machine.

use portamento::step::{GateRule, GateSettings, GatedStepper, Stepper};

/// A small deterministic source of numbers in -1..1.
#[derive(Clone)]
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A quantum gate with the lengths of its rule.
pub fn gate(rule: GateRule) -> GatedStepper {
    GatedStepper::with_gate(GateSettings::from(rule)).unwrap()
}

pub fn steppers() -> Vec<(&'static str, GatedStepper)> {
    vec![
        ("fixed 60 Hz", Stepper::fixed(60.0).unwrap().into()),
        ("fixed 30 Hz", Stepper::fixed(30.0).unwrap().into()),
        ("even", Stepper::gated()),
        ("client", gate(GateRule::AllAtOnce)),
        ("seed", gate(GateRule::OneAtATime)),
    ]
}

/// Ten seconds of frame times at `rate` with +-30 % jitter; the last one completes the ten seconds exactly.
pub fn jittery_frames(rate: f64, seed: u64) -> Vec<f64> {
    let mut noise = Noise(seed);
    let mut frames = Vec::new();
    let mut total = 0.0;
    while total < 10.0 {
        let frame = (1.0 / rate) * (1.0 + 0.3 * noise.next());
        let frame = if total + frame >= 10.0 { 10.0 - total } else { frame };
        total += frame;
        frames.push(frame);
    }
    frames
}
