//! A placement is a request: it can be refused, answered late, and replaced by something newer.

use portamento::Moment;
use portamento::blend::Pose64;
use portamento::remote::waypoints::{
    Placement, RemoteBody, WaypointNode, WaypointReport, WaypointRules, WaypointStep, WaypointTick, Waypoints,
};

const DT: f64 = 1.0 / 30.0;
const TICK: WaypointTick = WaypointTick::new(DT, 4.0);

fn at(x: f64) -> Pose64 {
    Pose64::at([x, 0.0, 0.0])
}

fn report(x: f64) -> WaypointReport {
    WaypointReport::new(1, at(x))
}

fn asking(rules: &WaypointRules) -> (Waypoints, Placement) {
    let mut queue = Waypoints::new();
    let _ = queue.enqueue(rules, &at(0.0), &report(500.0)).unwrap();
    let placement = ask(rules, &mut queue).expect("500 is too far to walk");
    assert_eq!((placement.pose, placement.velocity), (at(500.0), None));
    (queue, placement)
}

fn ask(rules: &WaypointRules, queue: &mut Waypoints) -> Option<Placement> {
    queue.end_tick(rules, &at(0.0), DT).unwrap().place
}

#[test]
fn a_late_answer_never_erases_a_newer_correction() {
    let rules = WaypointRules::y_up();
    let (mut queue, old) = asking(&rules);
    let _ = queue.enqueue(&rules, &at(0.0), &report(510.0)).unwrap();
    assert!(!queue.accept(&old));
    assert_eq!(queue.nodes().last(), Some(WaypointNode::Position(at(510.0), ())));
    assert_eq!((queue.len(), queue.counts().late, queue.counts().placed), (2, 1, 0));
    let newer = ask(&rules, &mut queue).expect("the newer correction is asked for instead");
    assert_eq!(newer.pose, at(510.0));
    assert!(queue.accept(&newer));
    assert!(queue.is_empty());
}

#[test]
fn every_kind_of_newer_report_makes_an_answer_late() {
    let rules = WaypointRules::y_up();
    type Event = fn(&WaypointRules, &mut Waypoints);
    let newer: [(&str, Event); 6] = [
        ("position", |rules, q| assert!(q.enqueue(rules, &at(0.0), &report(505.0)).is_ok())),
        ("velocity", |_, q| q.enqueue_velocity([1.0, 0.0, 0.0]).unwrap()),
        ("stop node", |_, q| q.enqueue_stop()),
        ("stop", |_, q| q.stop()),
        ("rebase", |_, q| q.rebase(|p| p.position[0] -= 100.0)),
        ("already there", |rules, q| {
            let there = WaypointReport { blip: Some(1000.0), ..report(0.0) };
            assert!(q.enqueue(rules, &at(0.0), &there).is_ok());
        }),
    ];
    for (name, report) in newer {
        for answer in [Waypoints::accept, Waypoints::refuse] {
            let (mut queue, old) = asking(&rules);
            report(&rules, &mut queue);
            let before = queue.clone();
            assert!(!answer(&mut queue, &old), "{name}");
            assert!(queue.nodes().eq(before.nodes()) && queue.failures() == before.failures(), "{name}");
        }
    }
}

#[test]
fn an_answer_may_come_many_ticks_later_if_nothing_newer_came() {
    let rules = WaypointRules::y_up();
    let (mut queue, asked) = asking(&rules);
    let mut body = at(0.0);
    for _ in 0..3 {
        let step = queue.step(&rules, &body, &TICK).unwrap().expect("it walks meanwhile");
        body = step.apply(&body);
        let again = ask(&rules, &mut queue).expect("it asks again until it is answered");
        assert_eq!(again, asked);
    }
    assert!(queue.accept(&asked));
    assert!(!queue.accept(&asked), "once is enough");
}

#[test]
fn a_refused_placement_keeps_everything_and_is_asked_for_again() {
    let rules = WaypointRules::y_up();
    let (mut queue, asked) = asking(&rules);
    let before = queue.clone();
    assert!(queue.refuse(&asked));
    assert_eq!(queue.counts().refused, 1);
    assert!(queue.nodes().eq(before.nodes()));
    assert_eq!((queue.failures(), queue.frames()), (before.failures(), before.frames()));
    assert_eq!(ask(&rules, &mut queue), Some(asked));
}

#[test]
fn a_placement_of_another_body_is_not_accepted() {
    let rules = WaypointRules::y_up();
    let (mut queue, asked) = asking(&rules);
    let mut other = Waypoints::new();
    let _ = other.enqueue(&rules, &at(0.0), &report(700.0)).unwrap();
    let others = ask(&rules, &mut other).unwrap();
    assert!(!queue.accept(&others) && !other.accept(&asked));
    assert_eq!((queue.len(), other.len()), (1, 1));
    assert!(queue.accept(&asked) && other.accept(&others));
}

#[test]
fn settle_does_both_at_once() {
    let rules = WaypointRules::y_up();
    let (mut queue, _) = asking(&rules);
    queue.enqueue_velocity([2.0, 0.0, 0.0]).unwrap();
    let mut body = at(0.0);
    let placed = queue.settle(&rules, &mut body, DT).unwrap().place.unwrap();
    assert_eq!((placed.pose, placed.velocity), (at(500.0), Some([2.0, 0.0, 0.0])));
    assert_eq!((body, queue.len(), queue.counts().placed), (at(500.0), 0, 1));
    let after = queue.settle(&rules, &mut body, DT).unwrap();
    assert_eq!((after.place, after.velocity, after.stopped), (None, None, false));
}

#[test]
fn a_body_that_is_nowhere_can_still_be_placed() {
    let rules = WaypointRules::y_up();
    let (mut queue, _) = asking(&rules);
    let mut body = Pose64::at([f64::NAN; 3]);
    assert_eq!(queue.settle(&rules, &mut body, DT).unwrap().place.unwrap().pose, at(500.0));
    assert_eq!(body, at(500.0));
}

#[test]
fn the_payload_of_a_report_comes_back_with_its_placement() {
    let rules = WaypointRules::y_up();
    let mut queue = Waypoints::<u32>::new();
    let in_cell = |x: f64, cell: u32| report(x).with_payload(cell);
    let _ = queue.enqueue(&rules, &at(0.0), &in_cell(500.0, 7)).unwrap();
    let _ = queue.enqueue(&rules, &at(0.0), &in_cell(510.0, 8)).unwrap();
    assert_eq!(
        queue.end_tick(&rules, &at(0.0), DT).unwrap().place.unwrap().payload,
        8,
        "the newest position"
    );
    queue.enqueue_velocity([1.0, 0.0, 0.0]).unwrap();
    let placement = queue.end_tick(&rules, &at(0.0), DT).unwrap().place.unwrap();
    assert_eq!((placement.pose, placement.payload), (at(510.0), 8), "the last position before a velocity");
    queue.stop();

    // A waypoint that was given up is no longer in the queue; its payload still comes back.
    let _ = queue.enqueue(&rules, &at(0.0), &in_cell(8.0, 9)).unwrap();
    let stuck = (0..10).find_map(|_| {
        let _ = queue.step(&rules, &at(0.0), &TICK).unwrap();
        queue.end_tick(&rules, &at(0.0), DT).unwrap().place
    });
    assert_eq!(stuck.map(|p| (p.pose, p.payload)), Some((at(8.0), 9)));
}

/// A body that asks to be placed at 200.
fn body_asking(rules: &WaypointRules) -> (RemoteBody, Placement) {
    let mut body = RemoteBody::new();
    for x in [0.0, 200.0] {
        let _ = body.report(rules, &report(x), 10.0).unwrap();
    }
    let _ = body.step(rules, &TICK, WaypointStep::NONE).unwrap();
    let asked = body.moved(rules, &at(0.0)).unwrap().place.expect("200 is too far to walk");
    (body, asked)
}

#[test]
fn a_placement_accepted_after_the_bodys_cut_moves_nothing() {
    let rules = WaypointRules::y_up();
    let (mut body, asked) = body_asking(&rules);
    let _ = body.report(&rules, &WaypointReport::new(2, at(30.0)), 10.0).unwrap();
    let _ = body.draw(Moment::newest(0.0));
    assert!(!body.accept(&asked));
    assert_eq!(body.truth(), Some(&at(30.0)));
    let drawn = body.draw(Moment::newest(0.0)).unwrap();
    assert_eq!((drawn.now, drawn.cut), (at(30.0), false));
    assert_eq!(body.state(&rules).counts.late, 1);
}

#[test]
fn accepting_moves_body_and_picture_together() {
    let rules = WaypointRules::y_up();
    let (mut body, asked) = body_asking(&rules);
    let _ = body.draw(Moment::newest(0.0));
    assert!(body.accept(&asked));
    assert_eq!(body.truth(), Some(&at(200.0)));
    let drawn = body.draw(Moment::at(0.3, 0.0)).unwrap();
    assert_eq!((drawn.now, drawn.cut), (at(200.0), true));
    assert!(body.waypoints().is_empty());
}

#[test]
fn a_refused_body_keeps_place_queue_and_picture() {
    let rules = WaypointRules::y_up();
    let (mut body, asked) = body_asking(&rules);
    let before = body.clone();
    assert!(body.refuse(&asked));
    assert_eq!(body.truth(), before.truth());
    assert_eq!(body.view(Moment::at(0.3, 0.0)), before.view(Moment::at(0.3, 0.0)));
    assert!(body.waypoints().nodes().eq(before.waypoints().nodes()));
    assert_eq!(body.waypoints().failures(), before.waypoints().failures());
    assert!(body.accept(&asked), "it may still be accepted later");
}
