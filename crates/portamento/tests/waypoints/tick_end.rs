//! The quantum ends: nodes that are done with, placements, velocities.

use super::script::{Do::*, Want::*, *};

fn after(first: &[Do], more: &[&[Do]]) -> Vec<Do> {
    first.iter().chain(more.iter().copied().flatten()).copied().collect()
}

const REFUSED: Do = Full(Ticking { place: false, ..TICK });
const REFUSED_STUCK: Do = Full(Ticking { place: false, moved: Some(0.0), ..TICK });

#[test]
fn a_node_completed() {
    let window: &[Do] = &STUCK_WINDOW;
    play(&[
        row(
            "success and empty: everything stops",
            BOTH,
            vec![Keep(1.0), Body(1.0), Tick],
            vec![Depth(0), Frames(0), NoBaseline, Failures(0), KeepsHeading(true)],
        ),
        row(
            "failure and empty: placed at the node that failed",
            BOTH,
            after(&[At(8.0)], &[window, window]),
            vec![Placed(8.0), NoBaseline, Failures(0)],
        ),
        row(
            "success, a velocity next: the baseline stays",
            BOTH,
            // Far, so that the failures keep end_tick from consuming the velocity; refused, so that all is kept.
            after(&[At(200.0), Velocity(3.0), At(20.0)], &[&[REFUSED_STUCK; 5], &[Body(200.0), REFUSED]]),
            vec![Baseline(200.0), Depth(2)],
        ),
        row(
            "failure, a velocity next: the baseline stays and the failed node is remembered",
            BOTH,
            // The velocity node is consumed in the same tick, then the stop node in the next.
            after(&[At(8.0), Velocity(3.0), StopNode], &[window, window]),
            vec![Baseline(8.0), Failures(1), VelocitySet(3.0), Depth(1), NotPlaced],
        ),
        row(
            "next a position: its distance from the body is the baseline",
            BOTH,
            vec![At(1.0), At(7.0), Body(0.97), Tick],
            vec![Baseline(7.0 - 0.97), Depth(1)],
        ),
        row(
            "frames and their time start anew",
            BOTH,
            vec![At(2.0), At(9.0), Tick, Tick, Tick],
            vec![Frames(0), Baseline(7.0)],
        ),
    ]);
}

#[test]
fn the_baseline_when_the_next_node_is_no_position() {
    // Four windows that fail in a row, so that end_tick asks for a placement instead of consuming the velocity.
    let mut stage = Stage::new(portamento::remote::waypoints::WaypointSettings::z_up());
    for event in [At(200.0), Velocity(3.0)] {
        stage.happen(event);
    }
    for _ in 0..5 {
        stage.happen(REFUSED_STUCK);
    }
    assert_eq!((stage.queue.baseline(), stage.queue.len()), (Some(200.0), 2));
    for _ in 0..5 {
        stage.happen(REFUSED_STUCK);
    }
    assert_eq!((stage.queue.baseline(), stage.queue.len(), stage.queue.failures()), (Some(200.0), 1, 5));
    // No position is left in the queue: the failed node is where the body goes, and without the velocity.
    stage.happen(Tick);
    assert!(stage.holds(Placed(200.0)) && stage.holds(NoVelocity));
}

#[test]
fn when_a_body_is_placed() {
    let window: &[Do] = &STUCK_WINDOW;
    play(&[
        row(
            "more than 3 failures: at the newest position",
            BOTH,
            vec![At(5.0), Blip(300.0, 10.0), Tick],
            vec![Placed(300.0), NoVelocity, Depth(0), Failures(0), Frames(0), NoBaseline],
        ),
        row(
            "3 failures with nodes left: not yet",
            BOTH,
            after(&[At(8.0), At(9.0), At(10.0), At(11.0)], &[window, window, window, window]),
            vec![Failures(3), NotPlaced, Depth(1)],
        ),
        row(
            "the fourth: placed at the newest",
            BOTH,
            after(
                &[At(8.0), At(9.0), At(10.0), At(11.0), At(12.0)],
                &[window, window, window, window, window],
            ),
            vec![Placed(12.0), Depth(0), Failures(0), Failed(4)],
        ),
        row(
            "one failure and nothing left: placed",
            BOTH,
            after(&[At(8.0)], &[window, window]),
            vec![Placed(8.0)],
        ),
        row("nothing left and no failure: nothing", BOTH, vec![Tick], vec![NotPlaced]),
        row(
            "a placement takes the whole rotation of its node",
            BOTH,
            vec![Turned(200.0, 77.0, false), Tick],
            vec![PlacedTurned(77.0), StillTurned(77.0)],
        ),
        row(
            "placed without contact too",
            BOTH,
            vec![At(200.0), Full(Ticking { contact: false, ..TICK })],
            vec![Placed(200.0), NoOffset],
        ),
        row(
            "the step is still a step, never the whole way",
            BOTH,
            vec![At(200.0), REFUSED],
            vec![Offset(1.0), X(1.0)],
        ),
    ]);
}

#[test]
fn placed_with_velocity_or_stop_as_the_newest() {
    play(&[
        row(
            "a velocity: at the last position before it, with it",
            BOTH,
            vec![At(200.0), Velocity(3.0), Tick],
            vec![Placed(200.0), VelocitySet(3.0), Depth(0)],
        ),
        row(
            "a stop: at the last position before it, with none",
            BOTH,
            vec![At(200.0), StopNode, Tick],
            vec![Placed(200.0), VelocitySet(0.0), Depth(0)],
        ),
        row(
            "the velocity is the newest's, not one between",
            BOTH,
            vec![At(200.0), Velocity(3.0), Velocity(5.0), StopNode, Velocity(7.0), Tick],
            vec![Placed(200.0), VelocitySet(7.0)],
        ),
        row(
            "the last position, not the first",
            BOTH,
            vec![At(200.0), At(210.0), Velocity(3.0), Tick],
            vec![Placed(210.0), VelocitySet(3.0)],
        ),
    ]);
}

/// Far sets the failures, then the far node itself is reached on foot: a velocity is left without any position.
#[test]
fn no_place_at_all_forgives_the_failures() {
    let reached: &[Do] = &[At(200.0), Velocity(3.0), Body(200.0)];
    play(&[
        row(
            "nothing is placed, no velocity set, the failures are gone",
            BOTH,
            after(reached, &[&[Tick]]),
            vec![NotPlaced, NoVelocity, Failures(0), Depth(1), X(200.0)],
        ),
        row(
            "in the next tick the velocity's turn comes",
            BOTH,
            after(reached, &[&[Tick, Tick]]),
            vec![VelocitySet(3.0), Depth(0)],
        ),
    ]);
}

#[test]
fn refused_placements() {
    play(&[
        row(
            "everything is kept",
            BOTH,
            vec![At(200.0), REFUSED],
            vec![NotPlaced, Failures(4), Depth(1), Frames(1), Refused(1)],
        ),
        row(
            "it is tried again in the next tick",
            BOTH,
            vec![At(200.0), REFUSED, REFUSED, Tick],
            vec![Placed(200.0), Refused(2)],
        ),
        row(
            "an empty queue has no baseline, placed or not",
            BOTH,
            after(&[At(8.0)], &[&STUCK_WINDOW, &STUCK_WINDOW[..4], &[REFUSED_STUCK]]),
            vec![NoBaseline, Failures(1), Depth(0)],
        ),
        row(
            "an empty queue keeps what it remembers",
            BOTH,
            after(&[At(8.0)], &[&STUCK_WINDOW, &STUCK_WINDOW[..4], &[REFUSED_STUCK, REFUSED, Tick]]),
            vec![Placed(8.0), Refused(2)],
        ),
        row(
            "a refused velocity is not set",
            BOTH,
            vec![At(200.0), Velocity(3.0), REFUSED],
            vec![NoVelocity, Depth(2)],
        ),
        row(
            "a newer report changes where it will be",
            BOTH,
            vec![At(200.0), REFUSED, At(220.0), Tick],
            vec![Placed(220.0)],
        ),
    ]);
}

#[test]
fn velocity_and_stop_nodes_in_their_turn() {
    play(&[
        row(
            "a velocity at the front is set and completed",
            BOTH,
            vec![Velocity(3.0), Velocity(4.0), Tick],
            vec![VelocitySet(3.0), Depth(1)],
        ),
        row(
            "one a tick",
            BOTH,
            vec![Velocity(3.0), Velocity(4.0), Tick, Tick],
            vec![VelocitySet(4.0), Depth(0)],
        ),
        row(
            "a stop at the front is completed and sets none",
            BOTH,
            vec![StopNode, Velocity(4.0), Tick],
            vec![NoVelocity, Depth(1)],
        ),
        row(
            "completed as a success: the last one stops everything, failures too",
            BOTH,
            after(&[At(8.0), Velocity(3.0)], &[&STUCK_WINDOW, &STUCK_WINDOW]),
            vec![VelocitySet(3.0), Failures(0), Depth(0), NoBaseline, NotPlaced],
        ),
        row(
            "the next position's distance is the baseline",
            BOTH,
            vec![Velocity(3.0), At(6.0), Tick],
            vec![Baseline(6.0), Depth(1)],
        ),
        row(
            "also without contact",
            BOTH,
            vec![Velocity(3.0), Full(Ticking { contact: false, ..TICK })],
            vec![VelocitySet(3.0)],
        ),
        row(
            "a node that completes in adjust makes way in the same tick",
            BOTH,
            vec![At(1.0), Velocity(3.0), Body(1.0), Tick],
            vec![VelocitySet(3.0), Depth(0)],
        ),
    ]);
}

#[test]
fn stop_forgets_everything_but_the_flag() {
    let window: &[Do] = &STUCK_WINDOW;
    play(&[
        row(
            "nodes, window, failures, baseline",
            BOTH,
            after(&[Keep(8.0), Keep(9.0)], &[window, window, &[Tick, Stop]]),
            vec![Depth(0), Frames(0), Failures(0), NoBaseline, KeepsHeading(true)],
        ),
        row(
            "the place that was remembered, too",
            BOTH,
            // After the stop: a far node that is reached on foot, so that nothing but the memory is left to go to.
            after(
                &[At(8.0)],
                &[window, &window[..4], &[REFUSED_STUCK, Stop, At(200.0), Velocity(3.0), Body(200.0), Tick]],
            ),
            vec![NotPlaced, Failures(0), Depth(1)],
        ),
        row(
            "the time of the window, too",
            BY_SPEED,
            // So long that even a first window, measured from 999999, would fail with it.
            after(&[At(8.0), Full(Ticking { dt: 1e6, moved: Some(0.0), ..TICK }), Stop, At(8.0)], &[window]),
            vec![Failed(0), Baseline(8.0)],
        ),
    ]);
}
