//! The server echoes your own movement, 200 ms late. What does it do to you?
//!
//! `cargo run -p portamento --example own_echo`
//!
//! Walking toward one's own echo is walking into the past: the first run does it, the way remote bodies are moved, and
//! stumbles. [`OwnPlayer`] has no queue to put an echo into; it is on a leash instead, which does nothing until the
//! echoes stay away.

use portamento::blend::Pose64;
use portamento::remote::waypoints::{
    Echo, OwnPlayer, WaypointReport, WaypointRules, WaypointStep, WaypointTick, Waypoints,
};

const DT: f64 = 1.0 / 30.0;
const SPEED: f64 = 4.0;
const LATE: usize = 6; // ticks: 200 ms

fn input() -> WaypointStep {
    WaypointStep { offset: [SPEED * DT, 0.0, 0.0], ..WaypointStep::NONE }
}

fn echo(x: f64) -> WaypointReport {
    WaypointReport::new(1, Pose64::at([x, 0.0, 0.0]))
}

/// Ten seconds of walking, an echo of what was 200 ms ago every 200 ms. `moves` is told of the echo, if one comes.
fn walk(mut moves: impl FnMut(&Pose64, Option<WaypointReport>) -> WaypointStep) -> Vec<f64> {
    let mut body = Pose64::at([0.0; 3]);
    let mut past = vec![0.0];
    for tick in 1..=300usize {
        let late = (tick % LATE == 0).then(|| echo(past[tick - LATE]));
        body = moves(&body, late).apply(&body);
        past.push(body.position[0]);
    }
    past
}

fn describe(name: &str, path: &[f64]) {
    let backward = path.windows(2).filter(|pair| pair[1] < pair[0] - 1e-9).count();
    println!("{name}: {:.1} units in 10 s, {backward} ticks backwards", path[path.len() - 1]);
    let steps = path.windows(2).skip(60).take(24).map(|pair| match pair[1] - pair[0] {
        d if d < -1e-9 => '<',
        d if d < 1e-9 => '.',
        _ => '>',
    });
    println!("    from 2.0 s to 2.8 s: {}", steps.collect::<String>());
}

fn main() {
    let rules = WaypointRules::y_up();

    let mut queue = Waypoints::new();
    let stumbling = walk(|body, late| {
        if let Some(report) = late {
            let _ = queue.enqueue(&rules, body, &WaypointReport { keep_heading: true, ..report });
        }
        // The queue's step replaces the player's own.
        queue.step(&rules, body, &WaypointTick::new(DT, SPEED)).ok().flatten().unwrap_or(input())
    });
    describe("toward the echo (never do this)", &stumbling);

    let mut me = OwnPlayer::new();
    let steady = walk(|body, late| {
        match late.map(|report| me.echo(&report)) {
            None | Some(Ok(Echo::Leashed | Echo::Stale)) => {}
            Some(Ok(Echo::Cut(pose) | Echo::Forced(pose))) => {
                println!("    in the world at {:?}", pose.position)
            }
            Some(Err(unusable)) => println!("    {unusable}"),
        }
        me.limit(&rules, body, input(), true).unwrap_or(WaypointStep::NONE)
    });
    describe("on a leash", &steady);

    let mut me = OwnPlayer::new();
    let mut echoes = 0;
    let silent = walk(|body, late| {
        // The connection breaks after the second echo.
        if let Some(report) = late.filter(|_| echoes < 2) {
            echoes += 1;
            let _ = me.echo(&WaypointReport { indoors: true, ..report });
        }
        me.limit(&rules, body, input(), true).unwrap_or(WaypointStep::NONE)
    });
    describe("on a leash of 20, the server silent", &silent);
    println!("    held: {}", me.is_held(&rules, &Pose64::at([silent[silent.len() - 1], 0.0, 0.0])));
}
