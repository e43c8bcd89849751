//! The plain loop: 20 ticks a second, 60 frames a second, one ball.
//!
//! `cargo run -p portamento --example plain_loop`

use portamento::SettingError;
use portamento::Track;
use portamento::step::{Frame, Stepper};

fn main() -> Result<(), SettingError> {
    let mut stepper = Stepper::fixed(20.0)?;
    let mut ball = Track::<f32>::new(0.0);

    println!("one line is one frame; o is the simulation's ball, ● the one that is drawn\n");
    for frame in 0..24 {
        let Frame { ticks, moment, lost } = stepper.frame(1.0 / 60.0);
        for tick in ticks {
            // Your simulation: 24 units per second.
            let moved = ball.truth() + 24.0 * tick.dt as f32;
            ball.push(moved);
        }
        if let Some(why) = lost.reason {
            println!("{:.3} s were not simulated: {why}", lost.seconds);
        }

        let (truth, view) = (*ball.truth(), ball.view(moment));
        let mut line = [' '; 56];
        line[(truth * 5.0).round() as usize] = 'o';
        line[(view * 5.0).round() as usize] = '●';
        println!("{frame:>2} |{}| alpha {:.2}", line.iter().collect::<String>(), moment.alpha());
    }
    println!("\nThe simulation moved in jumps of 1.2 units every third frame;");
    println!("the picture moved 0.4 in each.");
    Ok(())
}
