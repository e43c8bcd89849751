//! A remote walker goes through a gate that is shut on our side: what do we see?
//!
//! `cargo run -p portamento --example walker_behind_a_wall`
//!
//! `S` is where the walker is on the server, `o` where we draw it, `#` the gate. Our collision stops it there; all
//! that is left of each step is a fifth of a millimetre of sliding. By speed that counts as stuck, and the walker is
//! placed on the other side. By time it counts as walking, and the walker stands at the gate forever.

use portamento::blend::Pose64;
use portamento::remote::waypoints::{
    RemoteBody, WaypointReport, WaypointRule, WaypointRules, WaypointSettings, WaypointStep, WaypointTick,
};
use portamento::step::{Frame, Stepper};

const GATE: f64 = 6.0;
const SPEED: f64 = 4.0;
const GOAL: f64 = 13.0;

/// Where the walker is on the server.
fn server(time: f64) -> f64 {
    (SPEED * time).min(GOAL)
}

/// Our world: no one passes the gate on foot, but whoever presses against it slides a little.
fn collide(from: &Pose64, wish: Pose64) -> Pose64 {
    if from.position[0] >= GATE || wish.position[0] < GATE - 0.3 {
        return wish;
    }
    let slid = (from.position[0] + 0.0002).max(GATE - 0.3);
    Pose64 { position: [slid, wish.position[1], wish.position[2]], ..wish }
}

fn lane(shown: f64, real: f64) -> String {
    let cell = |x: f64| (x * 2.0).round() as usize;
    let mut lane = vec!['.'; cell(GOAL) + 2];
    lane[cell(GATE)] = '#';
    lane[cell(real)] = 'S';
    lane[cell(shown)] = 'o';
    lane.into_iter().collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = WaypointSettings::y_up();
    let by_time = WaypointSettings { rule: WaypointRule::ByTime, ..settings };
    let rules = [WaypointRules::new(settings)?, WaypointRules::new(by_time)?];
    let mut walkers = [RemoteBody::new(), RemoteBody::new()];
    let mut stepper = Stepper::fixed(60.0)?;
    println!("{:>6}   {:<28}   by time", "s", "by speed");
    for frame in 0..144 * 4 {
        let time = f64::from(frame) / 144.0;
        for (walker, rules) in walkers.iter_mut().zip(&rules) {
            if frame % 29 == 0 {
                // Five reports a second.
                let pose = Pose64::at([server(time), 0.0, 0.0]);
                let _ = walker.report(rules, &WaypointReport::new(1, pose), 10.0)?;
            }
        }
        let Frame { ticks, moment, .. } = stepper.frame(1.0 / 144.0);
        for tick in ticks {
            for (walker, rules) in walkers.iter_mut().zip(&rules) {
                let Some(&from) = walker.truth() else { continue };
                let tick = WaypointTick::new(tick.dt, SPEED);
                let Some(step) = walker.step(rules, &tick, WaypointStep::NONE)? else { continue };
                let truth = collide(&from, step.apply(&from));
                if let Some(placement) = walker.moved(rules, &truth)?.place {
                    walker.accept(&placement);
                }
            }
        }
        if frame % 29 == 14 {
            let drawn = walkers.each_mut().map(|w| w.draw(moment).map_or(0.0, |drawn| drawn.now.position[0]));
            let lanes = drawn.map(|x| lane(x, server(time)));
            println!("{time:>6.2}   {}   {}", lanes[0], lanes[1]);
        }
    }
    for (name, (walker, rules)) in ["by speed", "by time"].iter().zip(walkers.iter().zip(&rules)) {
        let counts = walker.state(rules).counts;
        println!("{name}: {} waypoints given up, placed {} times", counts.failed, counts.placed);
    }
    Ok(())
}
