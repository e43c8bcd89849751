//! Ticks from someone else's clock, drawn smoothly: a playhead, a timeline, and a sound that waits for its moment.
//!
//! `cargo run -p portamento --example playhead`
//!
//! A thread that simulates 20 ticks a second is sometimes late, once not scheduled for 120 ms, and once paused for
//! half a second. The picture runs at 60 frames a second. Watch the distance between what is simulated and what is
//! shown, and the speed of the picture.

use portamento::playhead::{Cues, Playhead, Timeline};
use std::error::Error;

const TICK: f64 = 0.05;

/// When each tick reaches us, and what it stands for.
fn arrivals() -> Vec<(f64, f64)> {
    let mut ticks = Vec::new();
    let mut paused = 0.0;
    for n in 0..100 {
        let sim = f64::from(n) * TICK;
        if n == 70 {
            paused = 0.5;
        }
        let late = [0.0, 0.002, 0.001, 0.006, 0.0, 0.003][n as usize % 6];
        // Ticks 40 and 41 are made in time but only seen together with 42.
        let held_up = if (40..43).contains(&n) { f64::from(42 - n) * TICK + 0.020 } else { 0.0 };
        ticks.push((sim + late + held_up + paused, sim));
    }
    ticks
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut playhead = Playhead::at_hz(1.0 / TICK)?;
    let mut ball = Timeline::<[f32; 2]>::new();
    let mut sounds = Cues::<&str>::new();
    let mut ticks = arrivals().into_iter().peekable();

    println!("   now  simulated   shown   speed  ball");
    for frame in 0..330 {
        let now = f64::from(frame) / 60.0;
        while let Some((arrival, sim)) = ticks.next_if(|tick| tick.0 <= now) {
            playhead.observe(arrival, sim);
            // It bounces once a second.
            let phase = sim.fract();
            ball.push(sim, [3.0 * sim as f32, (4.0 * phase * (1.0 - phase)) as f32]);
            if sim >= 1.0 && phase < TICK - 1e-9 {
                sounds.add(sim - phase, "bounce").map_err(|_| "more sounds wait than there is room for")?;
            }
        }
        let Some(shown) = playhead.advance(now) else { continue };
        let view = ball.view(shown).ok_or("a tick has been seen")?;
        if frame % 12 == 0 {
            let newest = playhead.statistics().newest.ok_or("a tick has been seen")?;
            let [x, y] = view;
            let speed = shown.presented * 60.0;
            println!("{now:6.2} {newest:10.2} {:7.3} {speed:7.2}  ({x:6.3}, {y:.3})", shown.at);
        }
        while let Some(cue) = sounds.next(shown) {
            println!("{now:6.2}            {:7.3}          {} of {:.2}", shown.at, cue.event, cue.at);
        }
    }
    let counts = playhead.statistics();
    println!(
        "\nticks {}, frames held {}, re-locks {}, jumps {}",
        counts.ticks, counts.held, counts.relocks, counts.jumps
    );
    Ok(())
}
