//! How even is motion in the game's own loop? Uniform motion, five frame rates, frame times that jitter by 1 %.

use portamento::step::{GateRule, GateSettings, GatedStepper, Stepper};
use portamento_lab::strategy::ours::OwnLoop;
use portamento_lab::synthetic::{Random, jittered_frames, uniform};
use portamento_lab::yardstick::{Figures, Rules, measure};

fn gate(rule: GateRule) -> GatedStepper {
    GatedStepper::with_gate(GateSettings::from(rule)).unwrap()
}

fn figures(stepper: GatedStepper, rate: f64) -> Figures {
    let motion = uniform(5.0, 30.0);
    let frames = jittered_frames(rate, 0.01, 0.0, 30.0, &mut Random::new(4));
    let own = OwnLoop { truth: &|t| motion.at(t), display: &frames, readings: &frames };
    measure(&motion, &own.smooth(stepper), &Rules { from: 3.0, ..Rules::default() })
}

#[test]
fn a_drained_step_and_the_even_gate_draw_uniform_motion_evenly() {
    println!(
        "{:>8} {:>8} {:>8} {:>8} {:>8} {:>8}  (judder)",
        "frames/s", "60 Hz", "30 Hz", "even", "client", "seed"
    );
    for rate in [60.0, 75.0, 120.0, 144.0, 240.0] {
        let [fast, slow, even, client, seed] = [
            Stepper::fixed(60.0).unwrap().into(),
            Stepper::fixed(30.0).unwrap().into(),
            Stepper::gated(),
            gate(GateRule::AllAtOnce),
            gate(GateRule::OneAtATime),
        ]
        .map(|stepper| figures(stepper, rate));
        println!(
            "{rate:>8} {:>8.4} {:>8.4} {:>8.4} {:>8.4} {:>8.4}",
            fast.judder, slow.judder, even.judder, client.judder, seed.judder
        );
        for smooth in [&fast, &slow, &even] {
            assert!(smooth.judder <= 0.01, "{rate} frames/s: {}", smooth.judder);
            assert_eq!((smooth.freeze, smooth.jump, smooth.reverse), (0.0, 0.0, 0.0), "{rate} frames/s");
        }
        assert!(seed.judder > 0.05, "the seed rule is known to dip: {}", seed.judder);
        // One tick behind, and the gate one quantum: never more than that and a frame.
        assert!(fast.latency <= 1.0 / 60.0 + 0.001, "{}", fast.latency);
        assert!(even.latency <= 1.0 / 30.0 + 1.0 / rate + 0.003, "{}", even.latency);
    }
}
