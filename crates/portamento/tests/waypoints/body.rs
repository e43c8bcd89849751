//! A remote body as a whole, and one's own player.

use portamento::Moment;
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    OwnPlayer, RemoteBody, Route, WaypointError, WaypointReport, WaypointRules, WaypointStep, WaypointTick,
    Waypoints,
};

const DT: f64 = 0.125;
const TICK: WaypointTick = WaypointTick::new(DT, 4.0);

fn at(x: f64) -> Pose64 {
    Pose64::at([x, 0.0, 0.0])
}

fn report(stamp: u16, x: f64) -> WaypointReport {
    WaypointReport::new(stamp, at(x))
}

/// A body in the world at 0, awake.
fn present(rules: &WaypointRules) -> RemoteBody {
    let mut body = RemoteBody::new();
    assert_eq!(body.report(rules, &report(1, 0.0), 10.0), Ok(Route::Cut));
    body.frame(rules, DT, 10.0);
    assert!(body.walk(rules, &TICK).is_ok());
    body
}

#[test]
fn the_view_glides_between_the_quanta_and_settles_on_the_truth() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    assert_eq!(body.report(&rules, &report(1, 1.5), 10.0), Ok(Route::Enqueue));
    let _ = body.walk(&rules, &TICK).unwrap();
    assert_eq!(body.truth(), Some(&at(1.0)));
    assert_eq!(body.view(Moment::at(0.25, 0.0)), Some(at(0.25)));
    let _ = body.walk(&rules, &TICK).unwrap();
    assert_eq!(body.view(Moment::at(0.5, 0.0)), Some(at(1.25)));
    let _ = body.walk(&rules, &TICK).unwrap();
    assert_eq!(body.view(Moment::at(0.37, 0.0)), Some(at(1.5)), "at rest, the truth's own bits");
}

#[test]
fn a_body_that_walks_straight_on_does_not_tremble() {
    let rules = WaypointRules::y_up();
    for k in 0..200 {
        let mut body = present(&rules);
        let angle = 0.017 * k as f32;
        let pose = Pose64::new([50.0, 0.0, 0.0], Rotation::from_axis_angle([0.3, -0.2, 1.0], angle));
        let _ = body.report(&rules, &WaypointReport::new(1, pose), 10.0).unwrap();
        let _ = body.walk(&rules, &TICK).unwrap();
        let turned = body.truth().unwrap().rotation;
        assert!(turned.angle_to(pose.rotation) < 1e-5);
        for _ in 0..20 {
            let _ = body.walk(&rules, &TICK).unwrap();
            assert_eq!(body.truth().unwrap().rotation, turned, "{angle}");
        }
    }
}

#[test]
fn after_a_portal_a_body_appears_at_once() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 5.0), 10.0).unwrap();
    let _ = body.walk(&rules, &TICK).unwrap();
    assert_eq!(body.report(&rules, &report(2, 60.0), 10.0), Ok(Route::Cut));
    for k in 0..=10 {
        assert_eq!(body.view(Moment::at(f64::from(k) / 10.0, 0.0)), Some(at(60.0)));
    }
    assert!(body.waypoints().is_empty(), "what was reported before the portal is forgotten");
    assert_eq!(body.report(&rules, &report(1, 5.0), 10.0), Ok(Route::Stale), "and stays so");
    assert_eq!(body.truth(), Some(&at(60.0)));
}

#[test]
fn far_from_the_viewer_a_body_is_placed_and_not_walked() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 2.0), 10.0).unwrap();
    assert_eq!(body.report(&rules, &report(1, 3.0), 96.0), Ok(Route::Place));
    assert_eq!((body.truth(), body.waypoints().len()), (Some(&at(3.0)), 0));
    assert_eq!(body.view(Moment::at(0.5, 0.0)), Some(at(3.0)));
}

#[test]
fn indoors_a_shorter_way_is_too_far_to_walk() {
    let rules = WaypointRules::y_up();
    for (indoors, x, walked) in
        [(false, 100.0, true), (false, 100.001, false), (true, 20.0, true), (true, 20.001, false)]
    {
        let mut body = present(&rules);
        let _ = body.report(&rules, &WaypointReport { indoors, ..report(1, x) }, 10.0).unwrap();
        let placed = body.walk(&rules, &TICK).unwrap().place.map(|placement| placement.pose);
        assert_eq!(placed, (!walked).then_some(at(x)), "indoors: {indoors}, {x}");
    }
}

#[test]
fn in_the_air_a_report_is_ignored() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let flying = WaypointReport { contact: false, ..report(1, 2.0) };
    assert_eq!(body.report(&rules, &flying, 10.0), Ok(Route::Ignore));
    assert_eq!((body.truth(), body.waypoints().len()), (Some(&at(0.0)), 0));
}

#[test]
fn a_placement_is_a_cut_for_the_picture() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 200.0), 10.0).unwrap();
    let outcome = body.walk(&rules, &TICK).unwrap();
    assert_eq!(outcome.place.map(|placement| placement.pose), Some(at(200.0)));
    for k in 0..=10 {
        assert_eq!(
            body.view(Moment::at(f64::from(k) / 10.0, 0.0)),
            Some(at(200.0)),
            "never through the wall"
        );
    }
    assert!(body.draw(Moment::newest(0.0)).unwrap().cut);
}

#[test]
fn a_late_answer_moves_neither_body_nor_picture() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 200.0), 10.0).unwrap();
    let there = *body.truth().unwrap();
    let ask = |body: &mut RemoteBody| {
        let _ = body.step(&rules, &TICK, WaypointStep::NONE).unwrap();
        body.moved(&rules, &there).unwrap().place.expect("it asks")
    };
    let old = ask(&mut body);
    let _ = body.report(&rules, &report(1, 210.0), 10.0).unwrap();
    assert!(!body.accept(&old));
    assert_eq!((body.truth(), body.waypoints().len()), (Some(&there), 2));
    let new = ask(&mut body);
    assert!(body.refuse(&new));
    assert_eq!(body.truth(), Some(&there));
    assert!(body.accept(&new));
    assert_eq!(body.truth(), Some(&at(210.0)));
}

#[test]
fn a_collision_decides_where_the_body_is() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 5.0), 10.0).unwrap();
    let step = body.step(&rules, &TICK, WaypointStep::NONE).unwrap().unwrap();
    assert_eq!(step.offset, [1.0, 0.0, 0.0]);
    let _ = body.moved(&rules, &at(0.4)).unwrap(); // the wall is at 0.4
    assert_eq!((body.truth(), body.view(Moment::at(0.5, 0.0))), (Some(&at(0.4)), Some(at(0.2))));
}

#[test]
fn beyond_96_time_is_consumed_and_not_saved_up() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 50.0), 10.0).unwrap();
    for _ in 0..100 {
        body.frame(&rules, DT, 96.000_001);
        let _ = body.walk(&rules, &TICK).unwrap();
    }
    assert_eq!((body.truth(), body.waypoints().frames()), (Some(&at(0.0)), 0));
    assert_eq!((body.state(&rules).seconds_skipped, body.state(&rules).is_simulated), (100.0 * DT, false));
    // Back at exactly 96, half a quantum before the world's next one: it lives that half.
    body.frame(&rules, DT / 2.0, 96.0);
    let _ = body.walk(&rules, &TICK).unwrap();
    assert_eq!(body.truth(), Some(&at(0.5)));
    body.frame(&rules, DT, 96.0);
    let _ = body.walk(&rules, &TICK).unwrap();
    assert_eq!(body.truth(), Some(&at(1.5)));
}

#[test]
fn a_body_walks_also_when_nobody_says_how_far_away_it_is() {
    let rules = WaypointRules::y_up();
    let mut body = RemoteBody::new();
    for x in [0.0, 3.0] {
        let _ = body.report(&rules, &report(1, x), 10.0).unwrap();
    }
    let _ = body.walk(&rules, &TICK).unwrap(); // no `frame` before it
    assert!(body.state(&rules).is_simulated);
    assert_eq!(body.truth(), Some(&at(1.0)));
}

#[test]
fn a_body_that_is_not_in_the_world_is_not_drawn_and_does_not_move() {
    let rules = WaypointRules::y_up();
    let mut body: RemoteBody = RemoteBody::new();
    assert_eq!(body.step(&rules, &TICK, WaypointStep { offset: [1.0; 3], ..WaypointStep::NONE }), Ok(None));
    assert!(body.walk(&rules, &TICK).is_ok());
    let moment = Moment::newest(0.0);
    assert!(body.truth().is_none() && body.view(moment).is_none() && body.draw(moment).is_none());
}

#[test]
fn a_truth_that_is_no_place_is_refused_and_the_track_misses_no_tick() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let mut stepper = portamento::step::Stepper::fixed(8.0).unwrap();
    let _ = body.report(&rules, &report(1, 50.0), 10.0).unwrap();
    for frame in 0..24 {
        let frame_of = stepper.frame(DT);
        for _ in frame_of.ticks {
            let step = body.step(&rules, &TICK, WaypointStep::NONE).unwrap().unwrap();
            let before = *body.truth().unwrap();
            if frame % 5 == 4 {
                assert!(body.moved(&rules, &Pose64::at([f64::NAN; 3])).is_err());
                assert_eq!(body.truth(), Some(&before));
            } else {
                let _ = body.moved(&rules, &step.apply(&before)).unwrap();
            }
        }
        let _ = body.draw(frame_of.moment); // a debug build panics here if a moving body missed a tick
    }
    assert!(body.state(&rules).counts.unusable == 4, "{body:?}");
}

#[test]
fn moved_without_a_step_is_noticed() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let error = body.moved(&rules, &at(0.5)).unwrap_err();
    assert_eq!(error, WaypointError::NoStep([0.5, 0.0, 0.0]));
    assert!(error.to_string().contains("[0.5, 0.0, 0.0]") && error.to_string().contains("call `step` first"));
    assert_eq!((body.truth(), body.state(&rules).counts.unusable), (Some(&at(0.0)), 1));

    // The physics began at the old place: its result must not undo the teleport.
    let _ = body.step(&rules, &TICK, WaypointStep::NONE).unwrap().unwrap();
    let _ = body.report(&rules, &report(2, 60.0), 10.0).unwrap();
    assert_eq!(body.moved(&rules, &at(0.5)), Err(WaypointError::NoStep([0.5, 0.0, 0.0])));
    assert_eq!(body.truth(), Some(&at(60.0)));
}

#[test]
fn root_motion_is_only_lived_in_part_by_a_body_that_just_came_back() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    body.frame(&rules, DT, 200.0);
    body.frame(&rules, DT / 4.0, 20.0);
    let root = WaypointStep { offset: [1.0, 0.0, 0.0], ..WaypointStep::NONE };
    assert_eq!(body.step(&rules, &TICK, root).unwrap().unwrap().offset, [0.25, 0.0, 0.0]);
    let _ = body.moved(&rules, &at(0.25)).unwrap();
    assert_eq!(body.step(&rules, &TICK, root).unwrap().unwrap().offset, [1.0, 0.0, 0.0]);
}

#[test]
fn times_and_distances_that_make_no_sense() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 50.0), 10.0).unwrap();
    body.frame(&rules, DT, f64::NAN);
    assert!(!body.state(&rules).is_simulated, "who knows where it is");
    body.frame(&rules, f64::INFINITY, f64::INFINITY);
    assert_eq!(body.state(&rules).seconds_skipped, DT);
    body.frame(&rules, f64::NAN, 1.0);
    let _ = body.walk(&rules, &TICK).unwrap();
    assert_eq!(body.truth(), Some(&at(0.0)), "back, but no time has passed");
    for dt in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
        assert!(body.walk(&rules, &WaypointTick { dt, ..TICK }).is_err());
    }
    let _ = body.walk(&rules, &TICK).unwrap();
    assert_eq!(body.truth(), Some(&at(1.0)));
}

#[test]
fn a_rebase_is_not_seen() {
    let rules = WaypointRules::y_up();
    let (mut here, mut moved) = (present(&rules), present(&rules));
    for body in [&mut here, &mut moved] {
        for x in [4.0, 5.0] {
            let _ = body.report(&rules, &report(1, x), 10.0).unwrap();
        }
        let _ = body.walk(&rules, &TICK).unwrap();
    }
    moved.rebase(|p| p.position[0] += 1024.0);
    for _ in 0..12 {
        let _ = here.walk(&rules, &TICK).unwrap();
        let _ = moved.walk(&rules, &TICK).unwrap();
        let [a, b] = [&here, &moved].map(|body| body.view(Moment::at(0.5, 0.0)).unwrap());
        assert_eq!(a.position[0] + 1024.0, b.position[0]);
    }
    assert_eq!(moved.truth(), Some(&at(1029.0)));
}

#[test]
fn a_clone_is_a_save() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    let _ = body.report(&rules, &report(1, 5.0), 10.0).unwrap();
    let saved = body.clone();
    let mut again = saved.clone();
    for _ in 0..20 {
        let _ = body.walk(&rules, &TICK).unwrap();
        let _ = again.walk(&rules, &TICK).unwrap();
        assert_eq!(body, again);
    }
    assert_ne!(body, saved);
}

#[cfg(feature = "serde")]
#[test]
fn a_body_survives_saving_and_loading() {
    let rules = WaypointRules::y_up();
    let mut body = present(&rules);
    for x in [3.0, 6.0, 400.0] {
        let _ = body.report(&rules, &report(1, x), 10.0).unwrap();
    }
    body.enqueue_velocity([1.0, 2.0, 3.0]).unwrap();
    body.enqueue_stop();
    let text = serde_json::to_string(&body).unwrap();
    assert_eq!(serde_json::from_str::<RemoteBody>(&text).unwrap(), body);
    let narrow = serde_json::from_str::<RemoteBody<(), 2>>(&text).unwrap_err().to_string();
    assert!(narrow.contains("at most 2 nodes"), "{narrow}");
}

fn input(x: f64) -> WaypointStep {
    WaypointStep { offset: [x, 0.0, 0.0], ..WaypointStep::NONE }
}

/// A player at 4 m/s whose echoes come back 200 ms late, five a second, for ten seconds.
#[test]
fn ones_own_player_never_moves_backwards_toward_its_echo() {
    let rules = WaypointRules::y_up();
    let dt = 1.0 / 30.0;
    let mut me = OwnPlayer::new();
    let mut body = at(0.0);
    let mut past = Vec::new();
    assert_eq!((me.echo(&report(1, 0.0), &mut body), body), (Ok(Route::Cut), at(0.0)));
    for tick in 0..300usize {
        if tick % 6 == 0 && tick >= 6 {
            let echo = report(1, past[tick - 6]);
            let before = body;
            assert_eq!((me.echo(&echo, &mut body), body), (Ok(Route::Ignore), before));
        }
        past.push(body.position[0]);
        let step = me.limit(&rules, &body, input(4.0 * dt), true).unwrap();
        let before = body.position[0];
        body = step.apply(&body);
        assert_eq!(body.position[0], before + 4.0 * dt, "tick {tick}: an echo in time changes nothing");
    }
}

#[test]
fn without_echoes_ones_own_player_is_held_by_the_leash() {
    let rules = WaypointRules::y_up();
    let mut me = OwnPlayer::new();
    let mut body = at(0.0);
    let _ = me.echo(&report(1, 0.0), &mut body).unwrap();
    let _ = me.echo(&report(1, 0.0), &mut body).unwrap();
    for _ in 0..10_000 {
        let step = me.limit(&rules, &body, input(0.1), true).unwrap();
        assert!(step.offset[0] >= 0.0);
        body = step.apply(&body);
    }
    assert!(body.position[0] <= 50.0 && me.state(&rules, &body).is_held, "{body:?}");
    assert_eq!((me.echo(&report(2, 9.0), &mut body), body), (Ok(Route::Cut), at(9.0)));
    assert_eq!(me.state(&rules, &body).strayed, None, "a teleport takes the leash off");
    assert_eq!(me.echo(&report(1, 0.0), &mut body), Ok(Route::Stale));
    assert!(me.echo(&report(2, f64::NAN), &mut body).is_err() && body == at(9.0));
    let counts = me.state(&rules, &body).counts;
    assert_eq!((counts.unusable, counts.stale), (1, 1));
    let lost = Pose64::at([f64::NAN; 3]);
    assert!(me.limit(&rules, &lost, input(0.1), true).is_err());
    let error = me.limit(&rules, &body, input(f64::NAN), true).unwrap_err();
    assert!(
        matches!(error, WaypointError::Offset([x, ..]) if x.is_nan()) && error.to_string().contains("NaN")
    );
}

/// A body that lives elsewhere needs no queue of its own: beside it, a `RemoteBody` asks for the same steps and placements.
#[test]
fn a_body_walks_as_its_queue_alone_does() {
    let rules = WaypointRules::y_up();
    let (mut body, mut queue) = (RemoteBody::<()>::new(), Waypoints::<()>::new());
    let mut there = at(0.0);
    assert_eq!(body.report(&rules, &report(1, 0.0), 0.0), Ok(Route::Cut));
    queue.stop(); // as a cut does, so that requests have the same numbers
    let mut placed = 0;
    for tick in 0..600 {
        if tick % 40 == 0 {
            let report = report(1, f64::from(tick) / 10.0);
            assert_eq!(body.report(&rules, &report, 0.0), Ok(Route::Enqueue));
            let _ = queue.enqueue(&rules, &there, &report).unwrap();
        }
        if tick == 100 {
            body.enqueue_velocity([1.0, 0.0, 0.0]).unwrap();
            queue.enqueue_velocity([1.0, 0.0, 0.0]).unwrap();
        }
        let step = queue.step(&rules, &there, &TICK).unwrap();
        assert_eq!(body.step(&rules, &TICK, WaypointStep::NONE).unwrap(), step.or(Some(WaypointStep::NONE)));
        // A wall that nothing gets through until it is placed behind it.
        let next = step.map_or(there, |step| step.apply(&there));
        if next.position[0] < 12.0 || there.position[0] > 12.0 {
            there = next;
        }
        let outcome = queue.end_tick(&rules, &there, TICK.dt).unwrap();
        assert_eq!(body.moved(&rules, &there).unwrap(), outcome, "tick {tick}");
        if let Some(place) = outcome.place {
            assert!(body.accept(&place) && queue.accept(&place));
            there = place.pose;
            placed += 1;
        }
        assert_eq!(body.truth(), Some(&there));
    }
    assert_eq!((placed, body.state(&rules).counts), (2, queue.counts()));
}
