//! What does a smooth entity cost in a frame, beside what bevy_transform_interpolation takes?
//!
//! Whole updates of apps without a window, at 30 ticks and 120 frames a second, in turns in one run: with nobody who
//! smooths, with the rival and with us. What nobody's app takes (Bevy's own schedules, the simulation, its propagation)
//! is subtracted. `--features multi_threaded` lets Bevy use all threads, also for us and the rival.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_rivals::{By, Moves, app, simulate, spawn};
use bevy_transform::prelude::*;
use portamento_bench::{machine, race, runner, table};
use std::time::Duration;

/// From one tick to the next.
const FRAMES: usize = 4;

struct Case {
    name: &'static str,
    things: usize,
    moving: usize,
    /// Each carries this many children.
    children: usize,
}

const CASES: [Case; 5] = [
    Case { name: "10 000, all moving", things: 10_000, moving: 10_000, children: 0 },
    Case { name: "100 000, all moving", things: 100_000, moving: 100_000, children: 0 },
    Case { name: "100 000, 5 % moving", things: 100_000, moving: 5_000, children: 0 },
    Case { name: "10 000 with a child each, all moving", things: 10_000, moving: 10_000, children: 1 },
    Case { name: "10 000, none moving", things: 10_000, moving: 0, children: 0 },
];

fn filled(by: By, case: &Case) -> App {
    let mut app = app(by, 30.0, Duration::from_secs(1) / 120);
    app.add_systems(FixedUpdate, simulate);
    for k in 0..case.things {
        let place = Transform::from_xyz(k as f32, 1.0, 2.0).with_rotation(Quat::from_rotation_x(k as f32));
        // Those that move lie among the others.
        let entity = if k * case.moving / case.things != (k + 1) * case.moving / case.things {
            spawn(&mut app, by, (place, Moves(Vec3::new(0.3, 0.1, -0.2))))
        } else {
            spawn(&mut app, by, place)
        };
        for _ in 0..case.children {
            app.world_mut().spawn((Transform::from_xyz(0.0, 1.0, 0.0), ChildOf(entity)));
        }
    }
    for _ in 0..FRAMES * 3 {
        app.update();
    }
    app
}

fn main() {
    let mut rows = Vec::new();
    for case in &CASES {
        let runners = [By::Nobody, By::Rival, By::Us].map(|by| {
            let mut app = filled(by, case);
            runner(format!("{by:?}"), move || (0..FRAMES).for_each(|_| app.update()))
        });
        let times = race(40, Duration::from_millis(20), runners.into());
        let frame = |k: usize| times[k].seconds / FRAMES as f64;
        let [rival, us] = [1, 2].map(|k| (frame(k) - frame(0)) * 1e9 / case.things as f64);
        rows.push(vec![
            case.name.to_owned(),
            format!("{:.3} ms", frame(0) * 1e3),
            format!("{rival:.1} ns"),
            format!("{us:.1} ns"),
            format!("{:.2}", us / rival),
        ]);
    }
    println!("{}.", machine());
    println!("A frame, for each smooth entity, on top of what Bevy itself takes; best of many rounds:\n");
    let head = ["entities", "Bevy itself", "bevy_transform_interpolation", "bevy_portamento", "ratio"];
    println!("{}", table(&head, &rows));
}
