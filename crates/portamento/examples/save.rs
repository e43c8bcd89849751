//! A game is saved in the middle of a frame's way, put back, and goes on as if nothing had happened.
//!
//! `cargo run -p portamento --features serde --example save`
//!
//! The stepper's pending time is an f64, and JSON is text. `serde_json` reads every f64 back as it was only with its
//! feature `float_roundtrip`:
//!
//! ```text
//! serde_json = { version = "1", features = ["float_roundtrip"] }
//! ```

use portamento::Track;
use portamento::step::{Frame, Stepper};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Game {
    stepper: Stepper,
    ball: Track<[f64; 2]>,
    speed: [f64; 2],
}

impl Game {
    fn frame(&mut self, dt: f64) -> [f64; 2] {
        let Frame { ticks, moment, .. } = self.stepper.frame(dt);
        for tick in ticks {
            let [x, y] = *self.ball.truth();
            self.speed[1] -= 40.0 * y * tick.dt; // a spring
            self.ball.push([x + self.speed[0] * tick.dt, y + self.speed[1] * tick.dt]);
        }
        self.ball.view(moment)
    }
}

/// Frames of no even length.
fn frame_time(frame: u32) -> f64 {
    (5.0 + f64::from(frame * 7 % 11)) / 1000.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game { stepper: Stepper::fixed(30.0)?, ball: Track::new([0.0, 2.0]), speed: [1.5, 0.0] };
    for frame in 0..500 {
        game.frame(frame_time(frame));
    }

    let saved = serde_json::to_string(&game)?;
    println!("saved, {} bytes; alpha {:.3}", saved.len(), game.stepper.moment().alpha());
    let mut restored: Game = serde_json::from_str(&saved)?;
    assert_eq!(game, restored);

    for frame in 500..1000 {
        let (here, there) = (game.frame(frame_time(frame)), restored.frame(frame_time(frame)));
        assert_eq!(here.map(f64::to_bits), there.map(f64::to_bits), "frame {frame}");
        if frame % 100 == 0 {
            println!("frame {frame}: went on {here:.4?}, restored {there:.4?}");
        }
    }
    println!("500 frames later both are the same, bit for bit");
    Ok(())
}
