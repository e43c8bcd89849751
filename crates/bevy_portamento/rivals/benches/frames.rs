//! What does a frame cost, beside Bevy alone and bevy_transform_interpolation?
//!
//! Whole updates of apps without a window. The apps of one case take turns, each for a few frames at a time, five rounds
//! of that; a time is the median of the rounds, and so is what an app takes on top of Bevy alone. "Propagation" is Bevy's
//! own propagation of everything that moves in a tick, timed by itself.
//!
//! `--features multi_threaded` lets Bevy, the rival and us use all threads. An argument runs only the cases whose name
//! contains it. The bounds are printed as held or OVER; nothing fails, because the machine may be busy.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_rivals::{By, Moves, app, simulate, spawn};
use bevy_tasks::ComputeTaskPool;
use bevy_time::TimeUpdateStrategy;
use bevy_transform::prelude::*;
use bevy_transform::systems::{mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms};
use portamento_bench::{machine, quantile, table};
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
/// Turns of each app in a round.
const TURNS: usize = 12;
/// An app's turn is at least so long, after some frames that are not timed.
const TURN: Duration = Duration::from_millis(3);

/// What is below each smooth entity.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    Nothing,
    Children(usize),
    /// Six limbs of ten bones in a row, which nothing writes, or which `Update` does.
    Bones {
        animated: bool,
    },
}

struct Case {
    name: &'static str,
    roots: usize,
    moving: usize,
    below: Below,
}

const CASES: [Case; 10] = [
    Case { name: "10k flat, moving", roots: 10_000, moving: 10_000, below: Below::Nothing },
    Case { name: "10k flat, 5 % moving", roots: 10_000, moving: 500, below: Below::Nothing },
    Case { name: "10k flat, at rest", roots: 10_000, moving: 0, below: Below::Nothing },
    Case { name: "100k flat, moving", roots: 100_000, moving: 100_000, below: Below::Nothing },
    Case { name: "100k flat, 5 % moving", roots: 100_000, moving: 5_000, below: Below::Nothing },
    Case { name: "100k flat, at rest", roots: 100_000, moving: 0, below: Below::Nothing },
    Case { name: "10k x 1 child", roots: 10_000, moving: 10_000, below: Below::Children(1) },
    Case { name: "10k x 5 children", roots: 10_000, moving: 10_000, below: Below::Children(5) },
    Case {
        name: "1k x 60 bones, still",
        roots: 1_000,
        moving: 1_000,
        below: Below::Bones { animated: false },
    },
    Case {
        name: "1k x 60 bones, animated",
        roots: 1_000,
        moving: 1_000,
        below: Below::Bones { animated: true },
    },
];

/// Ticks and frames a second.
const RATES: [(f64, u32); 2] = [(30.0, 120), (60.0, 60)];

#[derive(Component)]
struct Bone;

fn animate(mut bones: Query<&mut Transform, With<Bone>>) {
    for mut bone in &mut bones {
        bone.rotate_local_x(0.01);
    }
}

fn fill(app: &mut App, by: By, case: &Case) {
    for k in 0..case.roots {
        let place = Transform::from_xyz(k as f32, 1.0, 2.0).with_rotation(Quat::from_rotation_x(k as f32));
        // Those that move lie among the others, in the same table.
        let is_moving = k * case.moving / case.roots != (k + 1) * case.moving / case.roots;
        let way = if is_moving { Vec3::new(0.3, 0.1, -0.2) } else { Vec3::ZERO };
        let root = spawn(app, by, (place, Moves(way)));
        let world = app.world_mut();
        let limb = Transform::from_xyz(0.0, 1.0, 0.0).with_rotation(Quat::from_rotation_z(0.1));
        match case.below {
            Below::Nothing => {}
            Below::Children(count) => {
                for _ in 0..count {
                    world.spawn((limb, ChildOf(root)));
                }
            }
            Below::Bones { .. } => {
                for _ in 0..6 {
                    let mut parent = root;
                    for _ in 0..10 {
                        parent = world.spawn((limb, Bone, ChildOf(parent))).id();
                    }
                }
            }
        }
    }
}

fn filled(by: By, case: &Case, (hz, fps): (f64, u32)) -> App {
    let frame = Duration::from_secs(1) / fps;
    let mut app = app(by, hz, frame);
    app.add_systems(FixedUpdate, simulate);
    if case.below == (Below::Bones { animated: true }) {
        app.add_systems(Update, animate);
    }
    fill(&mut app, by, case);
    app.update();
    // Frames lie somewhere between ticks, not on them.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(0.4 / hz)));
    app.update();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    for _ in 0..16 {
        app.update();
    }
    app
}

/// One who takes turns: does it for one cycle, and returns how long that took.
type Turn = Box<dyn FnMut() -> Duration>;

fn updates(mut app: App, frames: u32) -> Turn {
    Box::new(move || {
        let start = Instant::now();
        for _ in 0..frames {
            app.update();
        }
        start.elapsed() / frames
    })
}

/// Bevy's propagation of what a tick moves, by itself.
fn propagation(case: &Case) -> Turn {
    let mut app = app(By::Nobody, 30.0, Duration::from_secs(1));
    fill(&mut app, By::Nobody, case);
    let mut schedule = Schedule::default();
    schedule.add_systems((mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms).chain());
    let mut moves = Schedule::default();
    moves.add_systems(simulate);
    if case.below == (Below::Bones { animated: true }) {
        moves.add_systems(animate);
    }
    Box::new(move || {
        moves.run(app.world_mut());
        let start = Instant::now();
        schedule.run(app.world_mut());
        start.elapsed()
    })
}

/// Seconds of each in every round.
fn rounds(mut turns: Vec<Turn>) -> Vec<[f64; ROUNDS]> {
    let mut taken = vec![[0.0; ROUNDS]; turns.len()];
    for round in 0..ROUNDS {
        let mut times = vec![Vec::new(); turns.len()];
        for _ in 0..TURNS {
            for (turn, times) in turns.iter_mut().zip(&mut times) {
                // The turn before has filled the caches with its own data.
                turn();
                let start = Instant::now();
                while start.elapsed() < TURN {
                    times.push(turn().as_secs_f64());
                }
            }
        }
        for (taken, times) in taken.iter_mut().zip(&times) {
            // What else the machine does only ever makes a turn longer.
            taken[round] = quantile(times, 0.1);
        }
    }
    taken
}

fn median_of(rounds: impl IntoIterator<Item = f64>) -> f64 {
    quantile(&rounds.into_iter().collect::<Vec<_>>(), 0.5)
}

fn verdict(is_held: bool, bound: f64) -> String {
    format!("{} ({:.1} µs)", if is_held { "held" } else { "OVER" }, bound * 1e6)
}

/// So many frames of one app, for a profiler: `profile CASE BY TICKS/FRAMES COUNT`, the case and who by their numbers.
fn profile(arguments: &[String]) {
    let number = |k: usize| arguments[k].parse::<usize>().expect("a number");
    let by = [By::Nobody, By::Rival, By::Us, By::UsWithoutDescendants][number(1)];
    let mut app = filled(by, &CASES[number(0)], RATES[number(2)]);
    for _ in 0..number(3) {
        app.update();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, rest @ ..] = &*arguments
        && first == "profile"
    {
        return profile(rest);
    }
    let only = arguments.iter().find(|argument| !argument.starts_with('-'));
    let load = || std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let before = load();
    let (mut flat, mut trees) = (Vec::new(), Vec::new());
    for case in CASES.iter().filter(|case| only.is_none_or(|only| case.name.contains(&**only))) {
        for rate @ (hz, fps) in RATES {
            let frames = fps / hz as u32;
            let name = vec![case.name.to_owned(), format!("{hz}/{fps}")];
            let is_flat = case.below == Below::Nothing;
            let mut who = vec![By::Nobody, By::Rival, By::Us];
            who.extend((!is_flat).then_some(By::UsWithoutDescendants));
            let mut turns: Vec<_> = who.iter().map(|&by| updates(filled(by, case, rate), frames)).collect();
            turns.extend((!is_flat).then(|| propagation(case)));
            let taken = rounds(turns);
            let nobody = taken[0];
            let extra = |k: usize| median_of(taken[k].iter().zip(nobody).map(|(time, nobody)| time - nobody));
            let (bevy, rival, us) = (median_of(nobody), extra(1), extra(2));
            let micros = |seconds: f64| format!("{:.1}", seconds * 1e6);
            if is_flat {
                let share = if case.moving == case.roots { 0.5 } else { 0.1 };
                flat.push(
                    [name, vec![micros(bevy), micros(rival), micros(us), format!("{:.3}", us / rival)]]
                        .concat(),
                );
                let row = flat.last_mut().expect("just pushed");
                row.push(verdict(us <= share * rival, share * rival));
            } else {
                let (off, propagation) = (extra(3), median_of(taken[4]));
                let bound = (1.2 * rival).max(0.1 * propagation);
                let more = propagation / f64::from(frames);
                trees.push(
                    [
                        name,
                        vec![
                            micros(bevy),
                            micros(propagation),
                            micros(rival),
                            micros(off),
                            verdict(off <= bound, bound),
                            micros(us - off),
                            verdict(us - off <= more, more),
                        ],
                    ]
                    .concat(),
                );
            }
        }
    }
    let threads = if cfg!(feature = "multi_threaded") {
        format!("multi-threaded, {} compute threads", ComputeTaskPool::get().thread_num())
    } else {
        "single-threaded".to_owned()
    };
    println!("{}; {threads}; load {} to {}.", machine(), before.trim(), load().trim());
    println!(
        "Microseconds of a frame on top of Bevy alone; medians of {ROUNDS} rounds. Bound for what moves: half of the \
         rival's, else a tenth.\n"
    );
    let head = ["flat", "ticks/frames", "Bevy alone", "rival", "bevy_portamento", "ratio", "bound"];
    println!("{}", table(&head, &flat));
    println!(
        "Bound without the truth for descendants: 1.2 times the rival's, or a tenth of Bevy's propagation. For the \
         truth: one propagation in each frame that ticks.\n"
    );
    let head = [
        "trees",
        "ticks/frames",
        "Bevy alone",
        "propagation",
        "rival",
        "bevy_portamento, truth off",
        "bound",
        "truth on: more",
        "bound",
    ];
    println!("{}", table(&head, &trees));
}
