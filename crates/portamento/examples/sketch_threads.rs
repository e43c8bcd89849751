//! The simulation in another thread: all of it.
//!
//! `cargo run -p portamento --example sketch_threads`

use portamento::blend::Pose;
use portamento::exchange::{self, Shape};
use portamento::step::{Frame, Stepper};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // sketch
    let (mut writer, mut reader) = exchange::pair(Shape::entities(500), 60.0)?;
    // end

    let start = Instant::now(); // the clock that both threads share
    let mut stepper = Stepper::fixed(60.0)?;
    let simulation = std::thread::spawn(move || {
        let mut last = 0.0;
        while start.elapsed().as_secs_f64() < 1.0 {
            let now = start.elapsed().as_secs_f64();
            let Frame { ticks, .. } = stepper.frame(now - last);
            last = now;
            for tick in ticks {
                let (id, pose) = (7, Pose::at([5.0 * tick.time as f32, 0.0, 0.0])); // your simulation
                // sketch
                writer.set(id, pose).expect("there is room for 500");
            }
            writer.publish(now, &stepper).expect("time goes forward");
            // end
            std::thread::sleep(Duration::from_millis(4));
        }
    });

    let mut renderer = Renderer::default();
    while start.elapsed().as_secs_f64() < 1.0 {
        let now = start.elapsed().as_secs_f64();
        // sketch
        if let Some(world) = reader.frame(now) {
            for e in world.entities() {
                renderer.draw_entity(e.id, e.pose);
            }
        }
        // end
        std::thread::sleep(Duration::from_millis(7));
    }
    simulation.join().expect("the simulation does not panic");
    println!("{} pictures, the last at {:.1} m", renderer.pictures, renderer.x);
    Ok(())
}

/// Your renderer.
#[derive(Default)]
struct Renderer {
    pictures: u32,
    x: f32,
}

impl Renderer {
    fn draw_entity(&mut self, _id: u64, pose: Pose) {
        self.pictures += 1;
        self.x = pose.position[0];
    }
}
