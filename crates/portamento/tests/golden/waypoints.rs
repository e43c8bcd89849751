//! What a body that follows waypoints does in a bad minute.

// The table tests of the module are played on the same stage, and use all of it.
#[allow(dead_code)]
#[path = "../waypoints/script.rs"]
mod script;

use portamento::remote::waypoints::{WaypointRule, WaypointSettings};
use script::{Do, Do::*, STUCK_WINDOW, Stage, TICK, Ticking};
use std::fmt::Write;

/// Walks, turns, stalls, blips, velocities and nonsense, at uneven quanta.
fn minute() -> Vec<Do> {
    let uneven = |k: u32| Ticking { dt: (1.0 + f64::from(k % 7) / 5.0) / 30.0, max_speed: 3.1, ..TICK };
    let mut events = vec![BodyTurned(20.0)];
    for k in 0..60u32 {
        if k % 5 == 0 {
            events.push(Turned(f64::from(k) * 0.37 + 0.1, k as f32 * 11.3, k % 3 == 0));
        }
        events.push(Full(uneven(k)));
        match k {
            9 => events.push(Velocity(1.7)),
            17 => events.extend([StopNode, Full(Ticking { contact: false, ..uneven(k) })]),
            23 => events.extend([Full(Ticking { dt: f64::NAN, ..TICK }), At(f64::NAN)]),
            31 => events.extend(STUCK_WINDOW.repeat(3)),
            40 => events.extend([At(700.3), Full(Ticking { place: false, ..uneven(k) }), Velocity(0.1)]),
            47 => events.extend([Full(Ticking { dt: 3.3, ..TICK }), Full(Ticking { sticky: true, ..TICK })]),
            52 => events.extend((0..30).map(|n| At(15.0 + f64::from(n) * 0.3))),
            _ => {}
        }
    }
    events
}

/// A line for each event, and at the end what was counted.
pub fn trace(rule: WaypointRule) -> String {
    let mut stage = Stage::new(WaypointSettings { rule, ..WaypointSettings::z_up() });
    stage.body.position = [0.0, 0.7, -0.3];
    let mut text = String::from("x y z qx qy qz qw step depth failures frames baseline\n");
    for event in minute() {
        stage.happen(event);
        let (queue, [x, y, z]) = (&stage.queue, stage.body.position);
        let [qx, qy, qz, qw] = stage.body.rotation.to_array();
        let baseline = queue.baseline().unwrap_or(999_999.0);
        let state = format!("{} {} {} {baseline}", queue.len(), queue.failures(), queue.frames());
        let step = stage.step.map(|step| step.offset);
        writeln!(text, "{x} {y} {z} {qx} {qy} {qz} {qw} {step:?} {state}").unwrap();
    }
    let counts = format!("{:?}", stage.queue.counts());
    writeln!(text, "{}", counts.replace(", stale: 0", "")).unwrap(); // a queue has no stale reports
    text
}
