//! A game loop with macroquad, as the page `portamento::recipes` shows it.

// recipe
use macroquad::prelude::*;
use portamento::Track;
use portamento::step::{Frame, Stepper};

#[macroquad::main("ball")]
async fn main() {
    let mut stepper = Stepper::fixed(60.0).expect("a rate that works");
    let mut ball = Track::new([0.0f32, 300.0]);
    loop {
        let Frame { ticks, moment, lost: _ } = stepper.frame(get_frame_time().into());
        for tick in ticks {
            let [x, y] = *ball.truth();
            ball.push([x + 200.0 * tick.dt as f32, y]); // your simulation
        }
        let [x, y] = ball.view(moment);
        clear_background(BLACK);
        draw_circle(x, y, 20.0, WHITE);
        next_frame().await; // waits for the display
    }
}
// end
