//! A game loop with SDL2, as the page `portamento::recipes` shows it.

// recipe
use portamento::step::{Frame, Stepper};
use sdl2::{event::Event, pixels::Color, rect::FRect};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sdl = sdl2::init()?;
    let window = sdl.video()?.window("ball", 800, 600).build()?;
    let mut canvas = window.into_canvas().present_vsync().build()?;
    let mut events = sdl.event_pump()?;

    let mut stepper = Stepper::fixed(60.0)?;
    let mut ball = portamento::Track::new([0.0f32, 300.0]);
    let start = std::time::Instant::now();
    while !events.poll_iter().any(|event| matches!(event, Event::Quit { .. })) {
        let Frame { ticks, moment, lost: _ } = stepper.frame_at(start.elapsed().as_secs_f64());
        for tick in ticks {
            let [x, y] = *ball.truth();
            ball.push([x + 200.0 * tick.dt as f32, y]); // your simulation
        }
        let [x, y] = ball.view(moment);
        canvas.set_draw_color(Color::BLACK);
        canvas.clear();
        canvas.set_draw_color(Color::WHITE);
        canvas.fill_frect(FRect::new(x, y, 40.0, 40.0))?; // whole pixels would shake again
        canvas.present(); // waits for the display
    }
    Ok(())
}
// end
