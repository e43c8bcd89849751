//! The server echoes your own movement, 200 ms late. What does it do to you?
//!
//! `cargo run -p portamento --example own_echo`
//!
//! Walking toward one's own echo is walking into the past: the first run does it, the way remote bodies are moved, and
//! stumbles. [`OwnPlayer`] has no queue to put an echo into; it is on a leash instead, which does nothing until the
//! echoes stay away.

use portamento::blend::Pose64;
use portamento::remote::waypoints::{
    OwnPlayer, RemoteBody, Route, WaypointReport, WaypointRules, WaypointStep, WaypointTick,
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

    let mut remote = RemoteBody::new();
    let _ = remote.report(&rules, &echo(0.0), 0.0); // into the world
    let stumbling = walk(|body, late| {
        if let Some(report) = late {
            let _ = remote.report(&rules, &WaypointReport { keep_heading: true, ..report }, 0.0);
        }
        // The step toward the echo replaces the player's own.
        let step =
            remote.step(&rules, &WaypointTick::new(DT, SPEED), input()).ok().flatten().unwrap_or(input());
        let _ = remote.moved(&rules, &step.apply(body));
        step
    });
    describe("toward the echo (never do this)", &stumbling);

    let mut me = OwnPlayer::new();
    let steady = walk(|body, late| {
        let mut there = *body;
        match late.map(|report| me.echo(&report, &mut there)) {
            Some(Ok(Route::Cut | Route::Place)) => println!("    in the world at {:?}", there.position),
            Some(Err(unusable)) => println!("    {unusable}"),
            _ => {}
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
            let _ = me.echo(&WaypointReport { indoors: true, ..report }, &mut body.clone());
        }
        me.limit(&rules, body, input(), true).unwrap_or(WaypointStep::NONE)
    });
    describe("on a leash of 20, the server silent", &silent);
    let end = Pose64::at([silent[silent.len() - 1], 0.0, 0.0]);
    println!("    held: {}", me.state(&rules, &end).is_held);
}
