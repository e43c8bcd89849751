//! A teleport, a correction and a rebase: three changes of the truth that look different.
//!
//! `cargo run -p portamento --example teleport`

use portamento::SettingError;
use portamento::Track;
use portamento::step::{Frame, Stepper};

fn main() -> Result<(), SettingError> {
    let mut stepper = Stepper::fixed(20.0)?;
    let mut body = Track::<f64>::new(0.0);
    println!("frame   truth    view  before");
    for frame in 0..28 {
        let Frame { ticks, moment, .. } = stepper.frame(1.0 / 60.0);
        for tick in ticks {
            body.push(body.truth() + 20.0 * tick.dt);
            match tick.number {
                3 => {
                    println!("        cut to 100: nothing between is drawn");
                    body.cut(100.0);
                }
                5 => {
                    println!("        a wall, corrected back to 101.3: the picture glides");
                    body.correct(101.3);
                }
                7 => {
                    println!("        the world's origin moves by 100: nothing is seen but the numbers");
                    body.rebase(|x| *x -= 100.0);
                }
                _ => {}
            }
        }
        // `draw` also remembers the frame before, for motion vectors.
        let drawn = body.draw(moment);
        let mark = if drawn.cut && frame > 0 { "  cut: no motion blur" } else { "" };
        println!("{frame:>5} {:>7.2} {:>7.2} {:>7.2}{mark}", body.truth(), drawn.now, drawn.before);
    }
    Ok(())
}
