//! Twenty thousand walkers in a terminal: ticks at 10 Hz, frames at 60, most of them standing still.
//!
//! `cargo run --release -p portamento --example crowd` plays ten seconds; a number after `--` plays that many. Below the
//! picture stands what a frame costs and how little of the crowd it touches. Without a terminal it prints one
//! line per second.

use portamento::{
    batch::{Batch, BatchHandle, OutputForm},
    blend::{Pose2, Turn},
    step::{Frame, Stepper},
};
use std::{
    fmt::Write as _,
    io::{IsTerminal as _, Write as _, stdout},
    time::{Duration, Instant},
};

const WALKERS: usize = 20_000;
const COLUMNS: usize = 78;
const ROWS: usize = 20;
const RANKS: usize = 7;
/// Half the width of the wave that runs through them.
const REACH: f32 = 0.09;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: f64 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 10.0,
    };
    let mut crowd = Batch::<Pose2>::new();
    let walkers: Vec<BatchHandle> = (0..WALKERS).map(|i| crowd.insert(home(i))).collect();
    // A buffer as a renderer would keep it: a row per walker, rewritten only where something moved.
    let mut instances = vec![0.0f32; 4 * crowd.rows()];
    let mut stepper = Stepper::fixed(10.0)?;
    let terminal = stdout().is_terminal();

    let start = Instant::now();
    let mut last = start;
    let (mut spent, mut frames, mut moved_in_all, mut second) = (Duration::ZERO, 0u32, 0usize, 0);
    while start.elapsed().as_secs_f64() < seconds {
        let now = Instant::now();
        let Frame { ticks, moment, .. } = stepper.frame((now - last).as_secs_f64());
        last = now;
        for tick in ticks {
            crowd.tick();
            // A wave runs through the ranks; who stands outside it is not pushed, and costs nothing.
            let front = (tick.number as f32 * 0.03) % 1.6 - 0.3;
            for (i, &walker) in walkers.iter().enumerate() {
                let at = home(i);
                let lag = front - at.position[0];
                if lag.abs() < REACH {
                    let hop = (1.0 - (lag / REACH) * (lag / REACH)) * 0.06;
                    let position = [at.position[0], at.position[1] + hop];
                    crowd.push(walker, Pose2::new(position, Turn::from_angle(hop * 20.0)))?;
                } else if crowd.truth(walker)? != at {
                    crowd.push(walker, at)?;
                }
            }
        }

        let drawing = Instant::now();
        let frame = crowd.frame(moment);
        frame.write_rows(OutputForm::Poses, &mut instances)?;
        spent += drawing.elapsed();
        let moved = frame.moved().len();
        moved_in_all += moved;
        frames += 1;

        let status = format!(
            "alpha {:.2}  moved {moved:>5} of {WALKERS}  a frame {:>6.1} us",
            moment.alpha(),
            spent.as_secs_f64() / f64::from(frames) * 1e6,
        );
        if terminal {
            println!("\x1b[H\x1b[J{}{status}", picture(&instances));
            stdout().flush()?;
        } else if start.elapsed().as_secs() > second {
            second += 1;
            println!("{status}");
        }
        std::thread::sleep(Duration::from_micros(16_667).saturating_sub(now.elapsed()));
    }
    let share = moved_in_all as f64 / f64::from(frames) / WALKERS as f64;
    println!("{frames} frames touched {:.1} % of the crowd on average.", share * 100.0);
    Ok(())
}

/// Where walker `i` stands: in one of the ranks, which are 1 wide.
fn home(i: usize) -> Pose2 {
    let across = (i * 7919 % WALKERS) as f32 / WALKERS as f32;
    Pose2::new([across, (i % RANKS) as f32 * 0.075], Turn::IDENTITY)
}

/// How many stand in each cell, as light and shade.
fn picture(instances: &[f32]) -> String {
    let mut cells = [[0u32; COLUMNS]; ROWS];
    for pose in instances.chunks_exact(4) {
        let column = (pose[0] * COLUMNS as f32) as usize;
        let row = ROWS as f32 - 1.0 - pose[1] * ROWS as f32 / 0.55;
        if let Some(cell) = cells.get_mut(row.max(0.0) as usize).and_then(|row| row.get_mut(column)) {
            *cell += 1;
        }
    }
    let mut text = String::new();
    for row in cells {
        for count in row {
            text.push(
                [' ', '.', ':', '-', '=', '+', '*', '#', '%', '@'][(count as usize * 10).div_ceil(40).min(9)],
            );
        }
        let _ = writeln!(text);
    }
    text
}
