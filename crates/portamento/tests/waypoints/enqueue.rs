//! A report arrives.

use super::script::{Do::*, Want::*, *};
use portamento::remote::waypoints::WaypointSettings;

/// Position nodes at 1, 2, .. n.
fn line(n: usize) -> Vec<Do> {
    (1..=n).map(|x| At(x as f64)).collect()
}

fn after(mut events: Vec<Do>, more: &[Do]) -> Vec<Do> {
    events.extend_from_slice(more);
    events
}

#[test]
fn far_reports() {
    play(&[
        row(
            "the reference is the newest position node",
            BOTH,
            vec![At(90.0), At(180.0)],
            vec![Failures(0), Depth(2)],
        ),
        row(
            "with a velocity node as the newest the reference is the body",
            BOTH,
            vec![At(90.0), Velocity(1.0), At(180.0)],
            vec![Failures(4), Depth(3)],
        ),
        row(
            "with a stop node as the newest the reference is the body",
            BOTH,
            vec![At(90.0), StopNode, At(99.0)],
            vec![Failures(0), Depth(3)],
        ),
        row(
            "with no node the reference is the body",
            BOTH,
            vec![Body(50.0), At(149.0)],
            vec![Failures(0), Depth(1)],
        ),
        row("100 is not far", BOTH, vec![At(100.0)], vec![Failures(0), Depth(1)]),
        row("just above 100 is far", BOTH, vec![At(100.000001)], vec![Failures(4), Depth(1)]),
        row("20 indoors is not far", BOTH, vec![Blip(20.0, 20.0)], vec![Failures(0)]),
        row("just above 20 indoors is far", BOTH, vec![Blip(20.000001, 20.0)], vec![Failures(4)]),
        row("25 indoors is not far for one's own player", BOTH, vec![Blip(25.0, 25.0)], vec![Failures(0)]),
        row(
            "just above 25 indoors is far for one's own player",
            BOTH,
            vec![Blip(25.000001, 25.0)],
            vec![Failures(4)],
        ),
        row(
            "far sets the failures to 4, whatever they were",
            BOTH,
            vec![At(200.0), At(400.0)],
            vec![Failures(4)],
        ),
        row(
            "far comes before already there",
            BOTH,
            vec![At(50.0), Blip(0.0, 20.0)],
            vec![Depth(2), Failures(4), Positions(&[50.0, 0.0])],
        ),
        row(
            "far comes before the crowd is thinned",
            BOTH,
            after(line(20), &[At(500.0)]),
            vec![Depth(21), Evicted(0)],
        ),
        row("far does not begin a window", BOTH, vec![At(200.0)], vec![Frames(0), NoBaseline]),
    ]);
}

#[test]
fn the_heading_of_far_reports() {
    let placed = |events: Vec<Do>| after(events, &[Tick]);
    play(&[
        row(
            "neither asked nor stored: the report's own rotation",
            BOTH,
            placed(vec![BodyTurned(40.0), Turned(200.0, 90.0, false)]),
            vec![Placed(200.0), PlacedTurned(90.0)],
        ),
        row(
            "seed looks at the argument: the body's heading, without its tilt",
            BY_TIME,
            placed(vec![BodyTurned(40.0), Turned(200.0, 90.0, true)]),
            vec![PlacedHeading(40.0)],
        ),
        row(
            "client does not look at the argument",
            BY_SPEED,
            placed(vec![BodyTurned(40.0), Turned(200.0, 90.0, true)]),
            vec![PlacedTurned(90.0)],
        ),
        row(
            "client looks at the stored flag",
            BY_SPEED,
            placed(vec![BodyTurned(40.0), Keep(50.0), Turned(200.0, 90.0, false)]),
            vec![PlacedHeading(40.0)],
        ),
        row(
            "seed does not look at the stored flag",
            BY_TIME,
            placed(vec![BodyTurned(40.0), Keep(50.0), Turned(200.0, 90.0, false)]),
            vec![PlacedTurned(90.0)],
        ),
        row(
            "a far report does not set the stored flag",
            BOTH,
            vec![At(1.0), Turned(200.0, 90.0, true)],
            vec![KeepsHeading(false)],
        ),
        row(
            "a far report does not clear the stored flag",
            BOTH,
            vec![Keep(1.0), Turned(200.0, 90.0, false)],
            vec![KeepsHeading(true)],
        ),
    ]);
}

#[test]
fn reports_of_where_the_body_is() {
    play(&[
        row(
            "0.05 from the body is there: everything stops",
            BOTH,
            vec![At(10.0), Velocity(1.0), At(0.05)],
            vec![Depth(0), Failures(0), NoBaseline],
        ),
        row("just above 0.05 is not there", BOTH, vec![At(0.050001)], vec![Depth(1)]),
        row(
            "there, the body takes the heading alone, not the tilt",
            BOTH,
            vec![BodyTurned(40.0), Turned(0.03, 90.0, false)],
            vec![Heading(90.0), X(0.0)],
        ),
        row(
            "there and keeping the heading, the body does not turn",
            BOTH,
            vec![BodyTurned(40.0), Turned(0.03, 90.0, true)],
            vec![StillTurned(40.0), Depth(0)],
        ),
        row(
            "there also forgets failures",
            BOTH,
            vec![Blip(150.0, 100.0), Blip(0.0, 1000.0)],
            vec![Failures(0), Depth(0)],
        ),
        row("there leaves the stored flag alone", BOTH, vec![Keep(1.0), At(0.0)], vec![KeepsHeading(true)]),
        row("there also forgets the window", BOTH, vec![At(9.0), Tick, At(1.0)], vec![Frames(0), Depth(0)]),
    ]);
}

#[test]
fn reports_to_walk_to() {
    play(&[
        row(
            "client keeps a node exactly 0.05 away",
            BY_SPEED,
            vec![Body(-5.0), At(0.1), At(0.05)],
            vec![Depth(2), Replaced(0)],
        ),
        row(
            "seed drops a node exactly 0.05 away",
            BY_TIME,
            vec![Body(-5.0), At(0.1), At(0.05)],
            vec![Positions(&[0.05]), Replaced(1)],
        ),
        row(
            "both drop a node 0.049 away",
            BOTH,
            vec![At(1.0), At(1.049)],
            vec![Positions(&[1.049]), Replaced(1)],
        ),
        row("both keep a node 0.051 away", BOTH, vec![At(1.0), At(1.051)], vec![Depth(2)]),
        row(
            "several in a row are dropped",
            BOTH,
            vec![At(9.0), At(1.0), At(1.06), At(1.03)],
            vec![Positions(&[9.0, 1.03]), Replaced(2)],
        ),
        row(
            "a node farther away ends the dropping",
            BOTH,
            vec![At(1.0), At(5.0), At(1.01)],
            vec![Positions(&[1.0, 5.0, 1.01])],
        ),
        row(
            "a velocity node ends the dropping",
            BOTH,
            vec![At(1.0), Velocity(1.0), At(1.0)],
            vec![Positions(&[1.0, 1.0]), Depth(3)],
        ),
        row("a stop node ends the dropping", BOTH, vec![At(1.0), StopNode, At(1.0)], vec![Depth(3)]),
        row("19 nodes take a 20th", BOTH, line(20), vec![Depth(20), Evicted(0)]),
        row("the 21st drops the oldest", BOTH, line(21), vec![Depth(20), Evicted(1)]),
        row(
            "client drops the oldest until there is room in a crowd",
            BY_SPEED,
            after(vec![Velocity(1.0); 25], &[At(1.0)]),
            vec![Depth(20), Evicted(6)],
        ),
        row(
            "seed drops one at most",
            BY_TIME,
            after(vec![Velocity(1.0); 25], &[At(1.0)]),
            vec![Depth(25), Evicted(1)],
        ),
        row(
            "the stored flag is the report's: kept",
            BOTH,
            vec![At(1.0), Keep(2.0)],
            vec![KeepsHeading(true)],
        ),
        row(
            "the stored flag is the report's: turned",
            BOTH,
            vec![Keep(1.0), At(2.0)],
            vec![KeepsHeading(false)],
        ),
    ]);
}

#[test]
fn two_nodes_at_exactly_the_same_distance_as_a_reach() {
    // 0.25 can be hit exactly everywhere on a line, 0.05 cannot.
    let rows = [
        row("client keeps it", BY_SPEED, vec![At(1.0), At(1.25)], vec![Depth(2)]),
        row("seed drops it", BY_TIME, vec![At(1.0), At(1.25)], vec![Depth(1)]),
        row("a hair nearer is dropped by both", BOTH, vec![At(1.0), At(1.249)], vec![Depth(1)]),
        row("a hair farther is kept by both", BOTH, vec![At(1.0), At(1.251)], vec![Depth(2)]),
    ];
    play_with(&rows, WaypointSettings { there: 0.25, ..WaypointSettings::z_up() });
}

#[test]
fn never_more_than_32_nodes() {
    play(&[
        row("32 velocity nodes fit", BOTH, vec![Velocity(1.0); 32], vec![Depth(32), Evicted(0)]),
        row("the 33rd drops the oldest", BOTH, vec![Velocity(1.0); 33], vec![Depth(32), Evicted(1)]),
        row("stop nodes count too", BOTH, vec![StopNode; 40], vec![Depth(32), Evicted(8)]),
        row(
            "far reports count too",
            BOTH,
            (1..=40).map(|k| At(200.0 * k as f64)).collect(),
            vec![Depth(32), Evicted(8), Failures(4)],
        ),
        row(
            "the oldest goes, not the newest",
            BOTH,
            after(vec![At(7.0)], &[Velocity(1.0); 32]),
            vec![Depth(32), Positions(&[])],
        ),
        row(
            "an evicted node leaves the window as it is",
            BOTH,
            after(vec![At(9.0), At(10.0), Tick, Tick], &[StopNode; 31]),
            vec![Depth(32), Frames(2), Evicted(1)],
        ),
    ]);
}
