//! Your own loop with a fixed timestep, a track and a camera: all of it.
//!
//! `cargo run -p portamento --example sketch_own_loop`

use portamento::blend::Pose;
use portamento::camera::{ChaseCamera, ChaseSettings, Shot};
use portamento::step::{Frame, Stepper};
use portamento::{SettingError, Track};

fn main() -> Result<(), SettingError> {
    // sketch
    let mut stepper = Stepper::fixed(60.0)?; // Hz
    let mut player = Track::new(Pose::default());
    let mut camera = ChaseCamera::new(ChaseSettings::y_up())?;
    // end

    let mut renderer = Renderer::default();
    for frame_time in [1.0 / 144.0; 144] {
        // sketch
        let Frame { ticks, moment, .. } = stepper.frame(frame_time);
        for tick in ticks {
            player.push(simulate(player.truth(), tick.dt));
        }
        let body = player.draw(moment);
        let shot = camera.update(moment, body); // a second camera gets the same body
        renderer.draw(body.now, shot);
        // end
    }
    println!("{} frames, the last at {:.3} m, the eye at {:.3?}", renderer.frames, renderer.x, renderer.eye);
    Ok(())
}

/// Your game: runs along x at 5 m/s.
fn simulate(pose: &Pose, dt: f64) -> Pose {
    let [x, y, z] = pose.position;
    Pose { position: [x + 5.0 * dt as f32, y, z], ..*pose }
}

/// Your renderer.
#[derive(Default)]
struct Renderer {
    frames: u32,
    x: f32,
    eye: [f64; 3],
}

impl Renderer {
    fn draw(&mut self, body: Pose, shot: Shot) {
        self.frames += 1;
        (self.x, self.eye) = (body.position[0], shot.eye);
    }
}
