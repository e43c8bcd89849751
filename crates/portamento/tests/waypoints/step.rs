//! A body takes its step.

use super::script::{Do::*, Want::*, *};
use portamento::remote::waypoints::WaypointSettings;

fn after(first: &[Do], more: &[&[Do]]) -> Vec<Do> {
    first.iter().chain(more.iter().copied().flatten()).copied().collect()
}

#[test]
fn when_nothing_is_written() {
    let air = Full(Ticking { contact: false, ..TICK });
    let mut rows = vec![
        row("an empty queue", BOTH, vec![Tick], vec![NoOffset, Frames(0)]),
        row("no ground contact", BOTH, vec![At(5.0), air], vec![NoOffset, Frames(0), Depth(1), X(0.0)]),
        row(
            "no contact completes nothing either",
            BOTH,
            vec![At(5.0), Body(5.0), air],
            vec![NoOffset, Depth(1)],
        ),
        row(
            "the first node is a velocity",
            BOTH,
            vec![Velocity(1.0), At(5.0), Tick],
            vec![NoOffset, VelocitySet(1.0), Depth(1), Frames(0)],
        ),
        row(
            "the first node is a stop",
            BOTH,
            vec![StopNode, At(5.0), Tick],
            vec![NoOffset, NoVelocity, Depth(1)],
        ),
    ];
    for dt in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -0.125] {
        let bad = Full(Ticking { dt, ..TICK });
        rows.push(row(
            "an unusable dt is a pure read",
            BOTH,
            vec![At(5.0), Tick, bad],
            vec![NoOffset, Frames(1), X(1.0), Depth(1), Unusable(2)],
        ));
        rows.push(row(
            "an unusable dt places nobody",
            BOTH,
            vec![At(500.0), bad],
            vec![NotPlaced, Failures(4)],
        ));
        rows.push(row(
            "an unusable dt sets no velocity",
            BOTH,
            vec![Velocity(1.0), bad],
            vec![NoVelocity, Depth(1)],
        ));
    }
    play(&rows);
}

#[test]
fn a_node_is_reached() {
    play(&[
        row("nearer than 0.05", BOTH, vec![At(5.0), Body(4.951), Tick], vec![NoOffset, Depth(0), X(4.951)]),
        row(
            "a step that reaches it completes it in the next tick",
            BOTH,
            vec![At(1.0), Tick],
            vec![Depth(1), X(1.0)],
        ),
        row("in the next tick", BOTH, vec![At(1.0), Tick, Tick], vec![Depth(0), X(1.0), NoOffset]),
        row(
            "exactly 0.05: by time it completes it and writes nothing",
            BY_TIME,
            vec![At(0.1), Body(0.05), Tick],
            vec![NoOffset, Depth(0), X(0.05)],
        ),
        row(
            "exactly 0.05: by speed it completes it and still writes the step",
            BY_SPEED,
            vec![At(0.1), Body(0.05), Tick],
            vec![Offset(0.05), Depth(0), X(0.1)],
        ),
        row(
            "exactly 0.05, slowly: the step is no longer than speed x dt",
            BY_SPEED,
            vec![At(0.1), Body(0.05), Full(Ticking { max_speed: 0.1, ..TICK })],
            vec![Offset(0.025), Depth(0)],
        ),
        row(
            "exactly 0.05 in a window that fails: completed, nothing written",
            BY_SPEED,
            after(&[At(0.1)], &[&STUCK_WINDOW, &STUCK_WINDOW[..4], &[Body(0.05), Moved(0.0)]]),
            vec![NoOffset, Depth(0), Failures(0)],
        ),
        row(
            "just above 0.05: walked",
            BOTH,
            vec![At(0.1), Body(0.0499), Tick],
            vec![Offset(0.0501), Depth(1)],
        ),
        row(
            "the next node's distance becomes the baseline",
            BOTH,
            vec![At(1.0), At(7.0), Body(1.0), Tick],
            vec![Baseline(6.0), Depth(1), Frames(0)],
        ),
    ]);
}

#[test]
fn how_fast() {
    let at = |max_speed: f64| vec![At(50.0), Full(Ticking { max_speed, ..TICK })];
    play(&[
        row("twice the body's own speed", BOTH, at(4.0), vec![Offset(1.0)]),
        row("none of its own: 7.5", BOTH, at(0.0), vec![Offset(7.5 * 0.125)]),
        row("twice that just below 0.0002: 7.5", BOTH, at(0.000_099_99), vec![Offset(7.5 * 0.125)]),
        row("twice that at 0.0002: as it is", BOTH, at(0.0001), vec![Offset(0.0002 * 0.125)]),
        row("never past the node", BOTH, vec![At(0.5), Tick], vec![Offset(0.5), X(0.5)]),
        row(
            "never past the node, however long the quantum",
            BOTH,
            vec![At(50.0), Full(Ticking { dt: 1e300, ..TICK })],
            vec![Offset(50.0)],
        ),
        row("an unusable speed is refused", BOTH, at(f64::NAN), vec![NoOffset, Unusable(1), Frames(0)]),
        row("an infinite speed is refused", BOTH, at(f64::INFINITY), vec![NoOffset, Unusable(1), Frames(0)]),
    ]);
}

#[test]
fn how_it_turns() {
    play(&[
        row(
            "the whole turn at once",
            BOTH,
            vec![BodyTurned(10.0), Turned(50.0, 120.0, false), Tick],
            vec![TurnsTo(120.0), StillTurned(120.0)],
        ),
        row(
            "not at all when the heading is kept",
            BOTH,
            vec![BodyTurned(10.0), Turned(50.0, 120.0, true), Tick],
            vec![TurnsNot, StillTurned(10.0)],
        ),
        row(
            "the flag of the last report decides",
            BOTH,
            vec![Turned(50.0, 120.0, true), Turned(60.0, 90.0, false), Tick],
            vec![TurnsTo(120.0)],
        ),
        row(
            "the turn is applied whatever the body really moved",
            BOTH,
            vec![Turned(50.0, 120.0, false), Moved(0.0)],
            vec![StillTurned(120.0), X(0.0)],
        ),
    ]);
}

#[test]
fn the_stall_window() {
    let window: &[Do] = &STUCK_WINDOW;
    let four = &window[..4];
    // A measured window: five ticks at 0 give a baseline of 8, four more at 0, then the body is put somewhere.
    let measured = |x: f64, last: Do| after(&[At(8.0)], &[window, four, &[Body(x), last]]);
    play(&[
        row(
            "four quanta end no window",
            BOTH,
            after(&[At(8.0)], &[four]),
            vec![Frames(4), NoBaseline, Failures(0)],
        ),
        row(
            "the fifth does, and the first window passes",
            BOTH,
            after(&[At(8.0)], &[window]),
            vec![Frames(0), Baseline(8.0), Failures(0), Offset(1.0)],
        ),
        row(
            "the first window fails from beyond 999999",
            BOTH,
            after(&[Blip(1_000_000.0, 2e6)], &[window]),
            vec![Failures(0), Placed(1_000_000.0), Failed(1)],
        ),
        row(
            "the first window passes from well within 999999",
            BOTH,
            after(&[Blip(999_990.0, 2e6)], &[window]),
            vec![Baseline(999_990.0), NotPlaced],
        ),
        row(
            "no progress fails: placed, as nothing is left",
            BOTH,
            measured(0.0, Moved(0.0)),
            vec![NoOffset, Placed(8.0), Depth(0), Failures(0), Failed(1)],
        ),
        row(
            "going backwards fails",
            BOTH,
            measured(-1.0, Moved(0.0)),
            vec![NoOffset, Placed(8.0), Failed(1)],
        ),
        row(
            "sticky passes without progress",
            BOTH,
            measured(0.0, Full(Ticking { sticky: true, moved: Some(0.0), ..TICK })),
            vec![Offset(1.0), Failures(0), Baseline(8.0), Frames(0)],
        ),
        // 1.5 in 5 x 0.125 s is 2.4 units/s: exactly 0.30 of 8.
        row(
            "by speed: 0.30 of the speed passes",
            BY_SPEED,
            measured(1.5, Moved(0.0)),
            vec![Baseline(6.5), Failures(0), Failed(0)],
        ),
        row(
            "by speed: a hair less fails",
            BY_SPEED,
            measured(1.499_999, Moved(0.0)),
            vec![Failed(1), NoOffset],
        ),
        row("by time: 0.25 is ample", BY_TIME, measured(0.25, Moved(0.0)), vec![Baseline(7.75), Failed(0)]),
        // 3/128 / 0.625 / 0.125 is exactly 0.30.
        row(
            "by time: 0.30 by its own division passes",
            BY_TIME,
            measured(3.0 / 128.0, Moved(0.0)),
            vec![Failed(0), Frames(0)],
        ),
        row(
            "by time: a hair less fails",
            BY_TIME,
            measured(3.0 / 128.0 - 1e-9, Moved(0.0)),
            vec![Failed(1), NoOffset],
        ),
        row(
            "a failed node with another behind it",
            BOTH,
            after(&[At(8.0), At(9.0)], &[window, window]),
            vec![Failures(1), Depth(1), Positions(&[9.0]), Baseline(9.0), Frames(0), NotPlaced, NoOffset],
        ),
        row(
            "a passing window does not clear the failures",
            BOTH,
            after(&[At(8.0), At(9.0)], &[window, window, &[Tick, Tick, Tick, Tick, Tick]]),
            vec![Failures(1), Frames(0), Depth(1), Baseline(5.0)],
        ),
        row(
            "reaching the node at last does",
            BOTH,
            after(&[At(8.0), At(9.0)], &[window, window, &[Body(9.0), Tick]]),
            vec![Failures(0), Depth(0), NotPlaced],
        ),
    ]);
}

#[test]
fn the_stall_window_close_to_the_node() {
    let window: &[Do] = &STUCK_WINDOW;
    let stuck = |x: f64| after(&[At(x)], &[window, window]);
    play(&[
        row(
            "by speed: nearer than 0.20 counts as arrived",
            BY_SPEED,
            stuck(0.199_999),
            vec![Depth(0), Failures(0), Failed(0), NoOffset, NotPlaced, X(0.0)],
        ),
        row("by speed: exactly 0.20 does not", BY_SPEED, stuck(0.20), vec![Failed(1), Placed(0.20)]),
        row(
            "by time: nearer than 0.20 does not",
            BY_TIME,
            stuck(0.199_999),
            vec![Failed(1), Placed(0.199_999)],
        ),
        row(
            "by time: 0.20 of progress is ample",
            BY_TIME,
            after(&[At(0.4)], &[window, &window[..4], &[Body(0.2), Moved(0.0)]]),
            vec![Baseline(0.2), Failed(0)],
        ),
        row(
            "by time: a little less is judged by its division, and fails in long quanta",
            BY_TIME,
            after(
                &[At(0.4)],
                &[
                    &[Full(Ticking { dt: 1.0, moved: Some(0.0), ..TICK }); 9],
                    &[Body(0.2 - 1e-9), Full(Ticking { dt: 1.0, moved: Some(0.0), ..TICK })],
                ],
            ),
            vec![Failed(1)],
        ),
        row(
            "by time: 0.20 is ample even in long quanta",
            BY_TIME,
            after(
                &[At(0.4)],
                &[
                    &[Full(Ticking { dt: 1.0, moved: Some(0.0), ..TICK }); 9],
                    &[Body(0.2), Full(Ticking { dt: 1.0, moved: Some(0.0), ..TICK })],
                ],
            ),
            vec![Failed(0), Baseline(0.2)],
        ),
    ]);
}

#[test]
fn the_least_progress() {
    // Tiny quanta and a slow body, so that only the least progress decides. 2^-12 can be hit exactly.
    let least = 1.0 / 4096.0;
    let tiny = Ticking { dt: 1.0 / 1024.0, max_speed: 0.001, moved: Some(0.0), ..TICK };
    let measured = |x: f64| after(&[At(8.0)], &[&[Full(tiny); 9], &[Body(x), Full(tiny)]]);
    let rows = [
        row("by speed: exactly the least is enough", BY_SPEED, measured(least), vec![Failed(0), Frames(0)]),
        row("by time: exactly the least is not", BY_TIME, measured(least), vec![Failed(1)]),
        row("a hair more is enough for both", BOTH, measured(least * 1.001), vec![Failed(0)]),
        row("a hair less is not for either", BOTH, measured(least * 0.999), vec![Failed(1)]),
    ];
    play_with(&rows, WaypointSettings { least_progress: least, ..WaypointSettings::z_up() });
    let rows = [
        row("0.00021 is enough", BOTH, measured(0.000_21), vec![Failed(0)]),
        row("0.00019 is not", BOTH, measured(0.000_19), vec![Failed(1)]),
    ];
    play(&rows);
}

/// The wall: one node behind it, 60 quanta a second, a body that slides along it by a millimetre in each window.
#[test]
fn behind_a_wall_by_speed_places_in_the_tenth_tick_and_by_time_never() {
    let slide = Ticking { dt: 1.0 / 60.0, moved: Some(0.001 / 5.0), ..TICK };
    for rule in [BY_SPEED, BY_TIME] {
        let mut stage = Stage::new(WaypointSettings { rule: rule[0], ..WaypointSettings::z_up() });
        stage.happen(At(5.0));
        let mut placed_in = None;
        for tick in 1..=600 {
            stage.happen(Full(slide));
            if stage.body.position[0] == 5.0 && placed_in.is_none() {
                placed_in = Some(tick);
            }
        }
        if rule == BY_SPEED {
            assert_eq!(placed_in, Some(10));
        } else {
            assert_eq!(placed_in, None, "the misreading takes a millimetre for motion");
            assert!((stage.body.position[0] - 0.12).abs() < 1e-9, "still sliding: {:?}", stage.body);
            assert_eq!(stage.queue.len(), 1);
        }
    }
}
