//! The quantum gate and its three rules: same world, three pictures.
//!
//! `cargo run -p portamento --example quantum_gate`

use portamento::SettingError;
use portamento::Track;
use portamento::step::{Frame, GateRule, GateSettings, GatedStepper};

/// The drawn speed of a body that moves at speed 1, frame by frame.
fn drawn_speeds(rule: GateRule, frame_times: &[f64]) -> Result<Vec<f64>, SettingError> {
    let mut stepper = GatedStepper::with_gate(GateSettings::from(rule))?;
    let mut body = Track::<f64>::new(0.0);
    let mut last = 0.0;
    let mut speeds = Vec::new();
    for &dt in frame_times {
        let Frame { ticks, moment, .. } = stepper.frame(dt);
        for tick in ticks {
            body.push(body.truth() + tick.dt);
        }
        let view = body.view(moment);
        speeds.push((view - last) / dt);
        last = view;
    }
    Ok(speeds)
}

fn main() -> Result<(), SettingError> {
    for rate in [60.0, 144.0] {
        // Real frame times are never quite even: 0.1 % is a very good clock.
        let noise =
            |i: u32| 1.0 + 0.001 * (f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 8_388_608.0 - 1.0);
        let frames: Vec<f64> = (0..400).map(|i| noise(i) / rate).collect();
        println!("\n{rate} frames/s, drawn speed of a body that moves at 1");
        println!("(a column is a frame: blank is 0, ▄ is 1, █ is 2)");
        for rule in [GateRule::OneAtATime, GateRule::AllAtOnce, GateRule::Even] {
            let speeds = &drawn_speeds(rule, &frames)?[350..];
            let bars: String = speeds
                .iter()
                .map(|speed| {
                    [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
                        [(speed * 4.0).clamp(0.0, 8.0).round() as usize]
                })
                .collect();
            let worst = speeds.iter().map(|speed| (speed - 1.0).abs()).fold(0.0, f64::max);
            println!("{:>10}  {bars}  worst {:>5.1} %", format!("{rule:?}"), worst * 100.0);
        }
    }
    println!("\nThe quanta of `AllAtOnce` and `Even` are the same, bit for bit:");
    println!("only the picture differs.");
    Ok(())
}
