//! Same input, same bits: what a body did in a bad minute, number by number, when it was last known to be right.
//!
//! The numbers are in their shortest form that reads back exactly, so any change of arithmetic shows. After a wanted
//! change: `PORTAMENTO_BLESS=1 cargo test -p portamento --test waypoints golden`, and read the difference.

use super::script::{Do, Do::*, STUCK_WINDOW, Stage, TICK, Ticking};
use portamento::remote::waypoints::{Constants, Rule};
use std::fmt::Write;
use std::path::Path;

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

#[test]
fn both_rules_follow_their_golden_traces() {
    for (name, rule) in [("client", Rule::Client), ("seed", Rule::Seed)] {
        let mut stage = Stage::new(Constants { rule, ..Constants::client() });
        stage.body.position = [0.0, 0.7, -0.3];
        let mut now = String::from("x y z qx qy qz qw step depth failures frames baseline\n");
        for event in minute() {
            stage.happen(event);
            let (queue, [x, y, z]) = (&stage.queue, stage.body.position);
            let [qx, qy, qz, qw] = stage.body.rotation.to_array();
            let baseline = queue.baseline().unwrap_or(999_999.0);
            let state = format!("{} {} {} {baseline}", queue.len(), queue.failures(), queue.frames());
            let step = stage.step.map(|step| step.offset);
            writeln!(now, "{x} {y} {z} {qx} {qy} {qz} {qw} {step:?} {state}").unwrap();
        }
        writeln!(now, "{:?}", stage.queue.counts()).unwrap();
        let path = format!("tests/golden/waypoints_{name}.txt");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        if std::env::var_os("PORTAMENTO_BLESS").is_some() {
            std::fs::write(&path, &now).unwrap();
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default();
        let differs = now.lines().zip(golden.lines()).position(|(a, b)| a != b);
        assert!(now == golden, "{name}: first difference in line {:?}", differs.map(|line| line + 1));
    }
}
