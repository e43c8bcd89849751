//! A placement is a request with a version.

use portamento::blend::Pose64;
use portamento::remote::waypoints::{
    Acknowledged, Placement, PlacementAnswer, Quantum, QuantumEnd, Settled, WaypointNode, WaypointRules,
    Waypoints,
};

const DT: f64 = 1.0 / 30.0;

fn at(x: f64) -> Pose64 {
    Pose64::at([x, 0.0, 0.0])
}

fn asking(rules: &WaypointRules) -> (Waypoints, Placement) {
    let mut queue = Waypoints::new();
    let _ = queue.enqueue(rules, &at(0.0), &at(500.0), false, 100.0).unwrap();
    let placement = ask(rules, &mut queue).expect("500 is too far to walk");
    assert_eq!((placement.pose, placement.velocity), (at(500.0), None));
    (queue, placement)
}

fn ask(rules: &WaypointRules, queue: &mut Waypoints) -> Option<Placement> {
    match queue.use_time(rules, &at(0.0), DT).unwrap() {
        QuantumEnd::Place(placement) => Some(placement),
        _ => None,
    }
}

#[test]
fn a_late_acknowledgement_never_erases_a_newer_correction() {
    let rules = WaypointRules::client();
    let (mut queue, old) = asking(&rules);
    let _ = queue.enqueue(&rules, &at(0.0), &at(510.0), false, 100.0).unwrap();
    assert_eq!(queue.acknowledge(old.version, PlacementAnswer::Placed), Acknowledged::Late);
    assert_eq!(queue.nodes().last(), Some(WaypointNode::Position(at(510.0))));
    assert_eq!((queue.len(), queue.counts().late, queue.counts().placed), (2, 1, 0));
    let newer = ask(&rules, &mut queue).expect("the newer correction is asked for instead");
    assert_eq!(newer.pose, at(510.0));
    assert_eq!(queue.acknowledge(newer.version, PlacementAnswer::Placed), Acknowledged::Stopped);
    assert!(queue.is_empty());
}

#[test]
fn every_kind_of_newer_report_makes_an_answer_late() {
    let rules = WaypointRules::client();
    type Event = fn(&WaypointRules, &mut Waypoints);
    let newer: [(&str, Event); 6] = [
        ("position", |rules, q| assert!(q.enqueue(rules, &at(0.0), &at(505.0), false, 100.0).is_ok())),
        ("velocity", |_, q| q.enqueue_velocity([1.0, 0.0, 0.0]).unwrap()),
        ("stop node", |_, q| q.enqueue_stop()),
        ("stop", |_, q| q.stop()),
        ("rebase", |_, q| q.rebase(|p| p.position[0] -= 100.0)),
        ("already there", |rules, q| assert!(q.enqueue(rules, &at(0.0), &at(0.0), false, 1000.0).is_ok())),
    ];
    for (name, report) in newer {
        for answer in [PlacementAnswer::Placed, PlacementAnswer::Refused] {
            let (mut queue, old) = asking(&rules);
            report(&rules, &mut queue);
            let before = queue.clone();
            assert_eq!(queue.acknowledge(old.version, answer), Acknowledged::Late, "{name}");
            assert!(queue.nodes().eq(before.nodes()) && queue.failures() == before.failures(), "{name}");
        }
    }
}

#[test]
fn an_answer_may_come_many_quanta_later_if_nothing_newer_came() {
    let rules = WaypointRules::client();
    let (mut queue, asked) = asking(&rules);
    let mut body = at(0.0);
    for _ in 0..3 {
        let quantum = Quantum { dt: DT, max_speed: 4.0, contact: true, sticky: false };
        let step = queue.adjust(&rules, &body, &quantum).unwrap().expect("it walks meanwhile");
        body = step.apply(&body);
        let again = ask(&rules, &mut queue).expect("it asks again until it is answered");
        assert_eq!(again, asked);
    }
    assert_eq!(queue.acknowledge(asked.version, PlacementAnswer::Placed), Acknowledged::Stopped);
    assert_eq!(
        queue.acknowledge(asked.version, PlacementAnswer::Placed),
        Acknowledged::Late,
        "once is enough"
    );
}

#[test]
fn a_refused_placement_is_kept_and_asked_for_again() {
    let rules = WaypointRules::client();
    let (mut queue, asked) = asking(&rules);
    let before = queue.clone();
    assert_eq!(queue.acknowledge(asked.version, PlacementAnswer::Refused), Acknowledged::Kept);
    assert_eq!(queue.counts().refused, 1);
    assert!(queue.nodes().eq(before.nodes()));
    assert_eq!(ask(&rules, &mut queue), Some(asked));
}

#[test]
fn settle_does_both_at_once() {
    let rules = WaypointRules::client();
    let (mut queue, _) = asking(&rules);
    queue.enqueue_velocity([2.0, 0.0, 0.0]).unwrap();
    let mut body = at(0.0);
    let settled = queue.settle(&rules, &mut body, DT).unwrap();
    assert_eq!(settled, Settled { placed: Some(at(500.0)), velocity: Some([2.0, 0.0, 0.0]) });
    assert_eq!((body, queue.len(), queue.counts().placed), (at(500.0), 0, 1));
    assert_eq!(queue.settle(&rules, &mut body, DT).unwrap(), Settled::default());
}

#[test]
fn a_body_that_is_nowhere_can_still_be_placed() {
    let rules = WaypointRules::client();
    let (mut queue, _) = asking(&rules);
    let mut body = Pose64::at([f64::NAN; 3]);
    assert_eq!(queue.settle(&rules, &mut body, DT).unwrap().placed, Some(at(500.0)));
    assert_eq!(body, at(500.0));
}
