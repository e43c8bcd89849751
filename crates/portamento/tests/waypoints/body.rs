//! A remote body as a whole, and one's own player.

use portamento::Moment;
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    Acknowledged, Activity, Echo, OwnPlayer, PlacementAnswer, Quantum, QuantumEnd, RemoteBody, Route,
    Surroundings, TeleportStamp, WaypointReport, WaypointRules, WaypointStep,
};

const DT: f64 = 0.125;
const QUANTUM: Quantum = Quantum { dt: DT, max_speed: 4.0, contact: true, sticky: false };

fn at(x: f64) -> Pose64 {
    Pose64::at([x, 0.0, 0.0])
}

fn report(stamp: u16, x: f64) -> WaypointReport {
    WaypointReport::new(TeleportStamp(stamp), at(x))
}

/// A body in the world at 0, awake.
fn present(rules: &WaypointRules) -> RemoteBody {
    let mut body = RemoteBody::new();
    assert_eq!(body.report(rules, &report(1, 0.0), 10.0), Ok(Route::Cut));
    body.frame(rules, DT, 10.0);
    assert!(body.walk(rules, &QUANTUM, 0.0).is_ok());
    body
}

#[test]
fn the_view_glides_between_the_quanta_and_settles_on_the_truth() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    assert_eq!(body.report(&rules, &report(1, 1.5), 10.0), Ok(Route::Enqueue));
    body.walk(&rules, &QUANTUM, 0.0).unwrap();
    assert_eq!(body.truth(), &at(1.0));
    assert_eq!(body.view(Moment::at(0.25, 0.0)), at(0.25));
    body.walk(&rules, &QUANTUM, 0.0).unwrap();
    assert_eq!(body.view(Moment::at(0.5, 0.0)), at(1.25));
    body.walk(&rules, &QUANTUM, 0.0).unwrap();
    assert_eq!(body.view(Moment::at(0.37, 0.0)), at(1.5), "at rest, the truth's own bits");
}

#[test]
fn a_body_that_walks_straight_on_does_not_tremble() {
    let rules = WaypointRules::client();
    for k in 0..200 {
        let mut body = present(&rules);
        let angle = 0.017 * k as f32;
        let pose = Pose64::new([50.0, 0.0, 0.0], Rotation::from_axis_angle([0.3, -0.2, 1.0], angle));
        let _ = body.report(&rules, &WaypointReport::new(TeleportStamp(1), pose), 10.0).unwrap();
        body.walk(&rules, &QUANTUM, 0.0).unwrap();
        let turned = body.truth().rotation;
        assert!(turned.angle_to(pose.rotation) < 1e-5);
        for _ in 0..20 {
            body.walk(&rules, &QUANTUM, 0.0).unwrap();
            assert_eq!(body.truth().rotation, turned, "{angle}");
        }
    }
}

#[test]
fn after_a_portal_a_body_appears_at_once() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 5.0), 10.0).unwrap();
    body.walk(&rules, &QUANTUM, 0.0).unwrap();
    assert_eq!(body.report(&rules, &report(2, 60.0), 10.0), Ok(Route::Cut));
    for k in 0..=10 {
        assert_eq!(body.view(Moment::at(f64::from(k) / 10.0, 0.0)), at(60.0));
    }
    assert!(body.steering.queue.is_empty(), "what was reported before the portal is forgotten");
    assert_eq!(body.report(&rules, &report(1, 5.0), 10.0), Ok(Route::Stale), "and stays so");
    assert_eq!(body.truth(), &at(60.0));
}

#[test]
fn far_from_the_viewer_a_body_is_placed_and_not_walked() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 2.0), 10.0).unwrap();
    assert_eq!(body.report(&rules, &report(1, 3.0), 96.0), Ok(Route::Place));
    assert_eq!((body.truth(), body.steering.queue.len()), (&at(3.0), 0));
    assert_eq!(body.view(Moment::at(0.5, 0.0)), at(3.0));
}

#[test]
fn indoors_a_shorter_way_is_too_far_to_walk() {
    let rules = WaypointRules::client();
    for (surroundings, x, walked) in [
        (Surroundings::Outdoors, 100.0, true),
        (Surroundings::Outdoors, 100.001, false),
        (Surroundings::Indoors, 20.0, true),
        (Surroundings::Indoors, 20.001, false),
    ] {
        let mut body = present(&rules);
        let _ = body.report(&rules, &WaypointReport { surroundings, ..report(1, x) }, 10.0).unwrap();
        let placed = body.walk(&rules, &QUANTUM, 0.0).unwrap().placed;
        assert_eq!(placed, (!walked).then_some(at(x)), "{surroundings:?} {x}");
    }
}

#[test]
fn in_the_air_a_report_is_ignored() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    let flying = WaypointReport { contact: false, ..report(1, 2.0) };
    assert_eq!(body.report(&rules, &flying, 10.0), Ok(Route::Ignore));
    assert_eq!((body.truth(), body.steering.queue.len()), (&at(0.0), 0));
}

#[test]
fn a_placement_is_a_cut_for_the_picture() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 200.0), 10.0).unwrap();
    let settled = body.walk(&rules, &QUANTUM, 0.0).unwrap();
    assert_eq!(settled.placed, Some(at(200.0)));
    for k in 0..=10 {
        assert_eq!(body.view(Moment::at(f64::from(k) / 10.0, 0.0)), at(200.0), "never through the wall");
    }
    assert!(body.draw(Moment::newest(0.0)).cut);
}

#[test]
fn a_late_answer_moves_neither_body_nor_picture() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 200.0), 10.0).unwrap();
    let there = *body.truth();
    let Ok(QuantumEnd::Place(old)) = body.moved(&rules, &there, DT, 0.0) else { panic!("it asks") };
    let _ = body.report(&rules, &report(1, 210.0), 10.0).unwrap();
    assert_eq!(body.acknowledge(&old, PlacementAnswer::Placed), Acknowledged::Late);
    assert_eq!((body.truth(), body.steering.queue.len()), (&there, 2));
    let Ok(QuantumEnd::Place(new)) = body.moved(&rules, &there, DT, 0.0) else { panic!("it asks again") };
    assert_eq!(body.acknowledge(&new, PlacementAnswer::Refused), Acknowledged::Kept);
    assert_eq!(body.truth(), &there);
    assert_eq!(body.acknowledge(&new, PlacementAnswer::Placed), Acknowledged::Stopped);
    assert_eq!(body.truth(), &at(210.0));
}

#[test]
fn a_collision_decides_where_the_body_is() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 5.0), 10.0).unwrap();
    let step = body.adjust(&rules, &QUANTUM, WaypointStep::NONE).unwrap();
    assert_eq!(step.offset, [1.0, 0.0, 0.0]);
    let _ = body.moved(&rules, &at(0.4), DT, 0.0).unwrap(); // the wall is at 0.4
    assert_eq!((body.truth(), body.view(Moment::at(0.5, 0.0))), (&at(0.4), at(0.2)));
    assert!(body.moved(&rules, &Pose64::at([f64::NAN; 3]), DT, 0.0).is_err());
    assert_eq!(body.truth(), &at(0.4), "a truth that is no place is refused");
}

#[test]
fn beyond_96_time_is_consumed_and_not_saved_up() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 50.0), 10.0).unwrap();
    for _ in 0..100 {
        body.frame(&rules, DT, 96.000_001);
        body.walk(&rules, &QUANTUM, 0.0).unwrap();
    }
    assert_eq!((body.truth(), body.steering.queue.frames()), (&at(0.0), 0));
    assert_eq!(body.activity().consumed(), 100.0 * DT);
    // Back at exactly 96, half a quantum before the world's next one: it lives that half.
    body.frame(&rules, DT / 2.0, 96.0);
    body.walk(&rules, &QUANTUM, 0.0).unwrap();
    assert_eq!(body.truth(), &at(0.5));
    body.frame(&rules, DT, 96.0);
    body.walk(&rules, &QUANTUM, 0.0).unwrap();
    assert_eq!(body.truth(), &at(1.5));
}

#[test]
fn activity_with_times_and_distances_that_make_no_sense() {
    let rules = WaypointRules::client();
    let mut activity = Activity::default();
    activity.frame(&rules, f64::NAN, 1.0);
    assert_eq!(activity.quantum(0.1), None, "awake, but nothing has passed");
    assert_eq!(activity.quantum(0.1), Some(0.1));
    for dt in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
        assert_eq!(activity.quantum(dt), None);
    }
    activity.frame(&rules, 0.1, f64::NAN);
    assert!(!activity.is_awake(), "who knows where it is");
    activity.frame(&rules, f64::INFINITY, f64::INFINITY);
    assert_eq!(activity.consumed(), 0.1);
}

#[test]
fn a_rebase_is_not_seen() {
    let rules = WaypointRules::client();
    let (mut here, mut moved) = (present(&rules), present(&rules));
    for body in [&mut here, &mut moved] {
        for x in [4.0, 5.0] {
            let _ = body.report(&rules, &report(1, x), 10.0).unwrap();
        }
        body.walk(&rules, &QUANTUM, 0.0).unwrap();
    }
    moved.rebase(|p| p.position[0] += 1024.0);
    for _ in 0..12 {
        here.walk(&rules, &QUANTUM, 0.0).unwrap();
        moved.walk(&rules, &QUANTUM, 0.0).unwrap();
        let (a, b) = (here.view(Moment::at(0.5, 0.0)), moved.view(Moment::at(0.5, 0.0)));
        assert_eq!(a.position[0] + 1024.0, b.position[0]);
    }
    assert_eq!(moved.truth(), &at(1029.0));
}

#[test]
fn a_clone_is_a_save() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 5.0), 10.0).unwrap();
    let saved = body.clone();
    let mut again = saved.clone();
    for _ in 0..20 {
        body.walk(&rules, &QUANTUM, 0.0).unwrap();
        again.walk(&rules, &QUANTUM, 0.0).unwrap();
        assert_eq!(body, again);
    }
    assert_ne!(body, saved);
}

#[cfg(feature = "serde")]
#[test]
fn a_body_survives_saving_and_loading() {
    let rules = WaypointRules::client();
    let mut body = present(&rules);
    for x in [3.0, 6.0, 400.0] {
        let _ = body.report(&rules, &report(1, x), 10.0).unwrap();
    }
    body.steering.queue.enqueue_velocity([1.0, 2.0, 3.0]).unwrap();
    body.steering.queue.enqueue_stop();
    let text = serde_json::to_string(&body).unwrap();
    assert_eq!(serde_json::from_str::<RemoteBody>(&text).unwrap(), body);
    let narrow = serde_json::from_str::<RemoteBody<2>>(&text).unwrap_err().to_string();
    assert!(narrow.contains("at most 2 nodes"), "{narrow}");
}

/// A player at 4 m/s whose echoes come back 200 ms late, five a second, for ten seconds.
#[test]
fn ones_own_player_never_moves_backwards_toward_its_echo() {
    let rules = WaypointRules::client();
    let dt = 1.0 / 30.0;
    let mut me = OwnPlayer::new();
    let mut body = at(0.0);
    let mut past = Vec::new();
    assert_eq!(me.echo(&rules, &report(1, 0.0), &body), Ok(Echo::Cut(at(0.0))));
    for tick in 0..300usize {
        if tick % 6 == 0 && tick >= 6 {
            let echo = report(1, past[tick - 6]);
            assert_eq!(me.echo(&rules, &echo, &body), Ok(Echo::Leashed));
        }
        past.push(body.position[0]);
        let step = me.adjust(WaypointStep { offset: [4.0 * dt, 0.0, 0.0], ..WaypointStep::NONE }, true);
        let before = body.position[0];
        body = step.apply(&body);
        assert_eq!(body.position[0], before + 4.0 * dt, "tick {tick}: an echo in time changes nothing");
    }
}

#[test]
fn without_echoes_ones_own_player_is_held_by_the_leash() {
    let rules = WaypointRules::client();
    let mut me = OwnPlayer::new();
    let mut body = at(0.0);
    let _ = me.echo(&rules, &report(1, 0.0), &body).unwrap();
    let _ = me.echo(&rules, &report(1, 0.0), &body).unwrap();
    for _ in 0..10_000 {
        let step = me.adjust(WaypointStep { offset: [0.1, 0.0, 0.0], ..WaypointStep::NONE }, true);
        assert!(step.offset[0] >= 0.0);
        body = step.apply(&body);
    }
    assert!(body.position[0] <= 50.0 && me.leash().unwrap().is_full(), "{body:?}");
    assert_eq!(me.echo(&rules, &report(2, 9.0), &body), Ok(Echo::Cut(at(9.0))));
    assert_eq!(me.leash(), None, "a teleport takes the leash off");
    assert_eq!(me.echo(&rules, &report(1, 0.0), &body), Ok(Echo::Stale));
    assert!(me.echo(&rules, &report(2, f64::NAN), &body).is_err());
    assert_eq!(me.unusable(), 1);
}
