//! A game loop with winit, as the page `portamento::recipes` shows it.

// recipe
use portamento::step::{Frame, Stepper};
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

struct Game {
    window: Option<Window>,
    start: Instant,
    stepper: Stepper,
    ball: portamento::Track<[f32; 2]>,
}

impl ApplicationHandler for Game {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let window = event_loop.create_window(Window::default_attributes());
        self.window = Some(window.expect("no window: is there a display?"));
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if event == WindowEvent::CloseRequested {
            event_loop.exit();
        }
        if event == WindowEvent::RedrawRequested {
            let now = self.start.elapsed().as_secs_f64();
            let Frame { ticks, moment, lost: _ } = self.stepper.frame_at(now);
            for tick in ticks {
                let [x, y] = *self.ball.truth();
                self.ball.push([x + 200.0 * tick.dt as f32, y]); // your simulation
            }
            draw(self.ball.view(moment));
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        self.window.iter().for_each(Window::request_redraw); // a frame after every frame
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (stepper, ball) = (Stepper::fixed(60.0)?, portamento::Track::new([0.0, 300.0]));
    let mut game = Game { window: None, start: Instant::now(), stepper, ball };
    Ok(EventLoop::new()?.run_app(&mut game)?)
}

fn draw(_ball: [f32; 2]) {} // your renderer: must wait for the display
// end
