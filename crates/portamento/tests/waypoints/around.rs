//! What surrounds the queue: target, leash, their order, routing, settings, other worlds.

use super::script::{heading, tilted};
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    Enqueued, OwnPlayer, RemoteBody, Route, WaypointError, WaypointReport, WaypointRule, WaypointRules,
    WaypointSettings, WaypointStep, WaypointTick, Waypoints, WorldSpace,
};

const TICK: WaypointTick = WaypointTick::new(0.125, 4.0);

fn at(x: f64) -> Pose64 {
    Pose64::at([x, 0.0, 0.0])
}

fn near(a: [f64; 3], b: [f64; 3]) -> bool {
    (0..3).all(|i| (a[i] - b[i]).abs() < 1e-9)
}

/// A body in the world at `pose`.
fn present(rules: &WaypointRules, pose: Pose64) -> RemoteBody {
    let mut body = RemoteBody::new();
    assert_eq!(body.report(rules, &WaypointReport::new(1, pose), 10.0), Ok(Route::Cut));
    body
}

fn root(offset: [f64; 3]) -> WaypointStep {
    WaypointStep { offset, ..WaypointStep::NONE }
}

#[test]
fn sticky_steps() {
    let rules = WaypointRules::z_up();
    // (name, where the target is, both radii, top speed, what of the way x the body goes)
    let rows = [
        ("closing in at five times its speed", [10.0, 0.0, 0.0], 1.0, 4.0, 2.5),
        ("no farther than the gap: 3 - 1 - 0.3", [3.0, 0.0, 0.0], 1.0, 4.0, 1.7),
        ("in place", [1.3, 0.0, 0.0], 1.0, 4.0, 0.0),
        ("backing off by the gap when too close", [1.0, 0.0, 0.0], 1.0, 4.0, -0.3),
        ("backing off no faster than it walks", [5.0, 0.0, 0.0], 20.0, 4.0, -2.5),
        ("backing off farther than the two are apart", [0.5, 0.0, 0.0], 5.0, 4.0, -2.5),
        ("no speed of its own: 15", [10.0, 0.0, 0.0], 1.0, 0.0, 1.875),
        ("five times that just below 0.0002: 15", [10.0, 0.0, 0.0], 1.0, 0.000_039_9, 1.875),
        ("five times that at 0.0002: as it is", [10.0, 0.0, 0.0], 1.0, 0.000_04, 0.000_025),
        ("height does not count", [3.0, 0.0, 40.0], 1.0, 4.0, 1.7),
    ];
    for (name, target, radii, max_speed, x) in rows {
        let mut body = present(&rules, at(0.0));
        body.stick_to(&rules, target, radii).unwrap();
        let step =
            body.step(&rules, &WaypointTick { max_speed, ..TICK }, WaypointStep::NONE).unwrap().unwrap();
        assert!(near(step.offset, [x, 0.0, 0.0]), "{name}: {step:?}");
    }
}

#[test]
fn sticky_faces_its_target_and_keeps_its_tilt() {
    let rules = WaypointRules::z_up();
    for degrees in [-170.0f32, -90.0, -10.0, 0.0, 45.0, 135.0, 180.0] {
        for own in [0.0f32, 77.0, -120.0] {
            for tilted_body in [false, true] {
                let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
                let turned = if tilted_body { tilted(own) } else { heading(own) };
                let mut body = present(&rules, Pose64::new([0.0; 3], turned));
                // Ahead is y: a heading of 0 looks along y, 90 degrees to the left of it along -x.
                body.stick_to(&rules, [-5.0 * sin, 5.0 * cos, 0.0], 1.0).unwrap();
                let _ = body.walk(&rules, &TICK).unwrap();
                let want = if tilted_body { tilted(degrees) } else { heading(degrees) };
                let after = body.truth().unwrap().rotation;
                assert!(after.angle_to(want) < 1e-3, "{degrees} from {own}: {after:?}");
            }
        }
    }
}

#[test]
fn sticky_inside_its_target_stays() {
    let rules = WaypointRules::z_up();
    let mut body = present(&rules, at(0.0));
    body.stick_to(&rules, [0.0, 0.0, 2.0], 1.0).unwrap();
    assert_eq!(body.step(&rules, &TICK, root([1.0; 3])), Ok(Some(WaypointStep::NONE)));
}

#[test]
fn the_sticky_lease_is_one_second_and_its_end_is_reported() {
    let rules = WaypointRules::z_up();
    let mut body = present(&rules, at(0.0));
    body.stick_to(&rules, [5.0, 0.0, 0.0], 1.0).unwrap();
    for tick in 1..=8 {
        assert!(!body.walk(&rules, &TICK).unwrap().released, "tick {tick} ends within the second");
    }
    assert!(body.state(&rules).is_sticking, "up to and including its last moment");
    assert!(body.walk(&rules, &WaypointTick { dt: f64::NAN, ..TICK }).is_err());
    assert!(body.state(&rules).is_sticking, "a tick of unusable length is a pure read");
    assert!(body.walk(&rules, &WaypointTick { dt: 1e-6, ..TICK }).unwrap().released);
    assert!(!body.state(&rules).is_sticking);
    assert!(!body.walk(&rules, &TICK).unwrap().released, "reported once");

    body.stick_to(&rules, [5.0, 0.0, 0.0], 1.0).unwrap();
    for tick in 0..40 {
        if tick % 8 == 0 {
            body.stick_to(&rules, [5.0, 0.0, 0.0], 1.0).unwrap();
        }
        body.follow([5.0, f64::from(tick), 0.0]).unwrap();
        assert!(!body.walk(&rules, &TICK).unwrap().released, "renewed in time");
    }
    body.release();
    assert!(!body.state(&rules).is_sticking && !body.walk(&rules, &TICK).unwrap().released, "you know that");
}

#[test]
fn a_lease_that_ends_far_from_the_viewer_is_reported_when_the_body_is_back() {
    let rules = WaypointRules::z_up();
    let mut body = present(&rules, at(0.0));
    body.stick_to(&rules, [5.0, 0.0, 0.0], 1.0).unwrap();
    for _ in 0..20 {
        body.frame(&rules, 0.125, 200.0);
        assert!(!body.walk(&rules, &TICK).unwrap().released);
    }
    assert!(!body.state(&rules).is_sticking);
    body.frame(&rules, 0.125, 20.0);
    assert!(body.walk(&rules, &TICK).unwrap().released);
    assert_eq!(body.truth(), Some(&at(0.0)), "and it did not move any more");
}

/// A player that the leash knows to be `from` units from its last echo.
fn leashed(indoors: bool) -> OwnPlayer {
    let mut me = OwnPlayer::new();
    for _ in 0..2 {
        let report = WaypointReport { indoors, ..WaypointReport::new(1, at(0.0)) };
        let _ = me.echo(&report, &mut at(0.0)).unwrap();
    }
    me
}

#[test]
fn the_leash() {
    let rules = WaypointRules::z_up();
    // (name, indoors, distance from the anchor, in contact, what is left of a step of 1)
    let rows = [
        ("outdoors, at its start: free", false, 10.0, true, 1.0),
        ("outdoors, just beyond: a little less", false, 12.0, true, 38.0 / 40.0),
        ("outdoors, in the middle: half", false, 30.0, true, 0.5),
        ("outdoors, just before its end", false, 49.0, true, 1.0 / 40.0),
        ("outdoors, at its end: nothing", false, 50.0, true, 0.0),
        ("outdoors, beyond its end: nothing", false, 90.0, true, 0.0),
        ("indoors, at its start: free", true, 5.0, true, 1.0),
        ("indoors, in the middle: half", true, 12.5, true, 0.5),
        ("indoors, at its end: nothing", true, 20.0, true, 0.0),
        ("in the air, in the middle: free", false, 30.0, false, 1.0),
        ("in the air, beyond its end: free", false, 90.0, false, 1.0),
    ];
    for (name, indoors, from, contact, left) in rows {
        let mut me = leashed(indoors);
        assert_eq!(me.state(&rules, &at(from)).strayed, Some(from), "{name}: it begins as the distance");
        let step = me.limit(&rules, &at(from), root([0.0, 1.0, 0.0]), contact).unwrap();
        assert!(near(step.offset, [0.0, left, 0.0]), "{name}: {step:?}");
        let strayed = me.state(&rules, &at(0.0)).strayed.unwrap();
        assert!((strayed - (from + left)).abs() < 1e-12, "{name}: what was travelled counts");
    }
}

#[test]
fn the_leash_accumulates_also_in_circles() {
    let rules = WaypointRules::z_up();
    let mut me = leashed(false);
    for k in 0..10 {
        let x = if k % 2 == 0 { 1.0 } else { -1.0 };
        let _ = me.limit(&rules, &at(0.0), root([x, 0.0, 0.0]), true).unwrap();
    }
    assert_eq!(me.state(&rules, &at(0.0)).strayed, Some(10.0));
    for _ in 0..10_000 {
        let _ = me.limit(&rules, &at(0.0), root([1.0, 0.0, 0.0]), true).unwrap();
    }
    let strayed = me.state(&rules, &at(0.0)).strayed.unwrap();
    assert!(strayed <= 50.0 && strayed > 49.9, "{strayed}");
}

#[test]
fn held_beyond_nine_tenths() {
    let rules = WaypointRules::z_up();
    for (body, held) in [(45.0, false), (45.000_001, true), (50.0, true)] {
        assert_eq!(leashed(false).state(&rules, &at(body)).is_held, held, "{body}");
    }
    for (body, held) in [(18.0, false), (18.000_001, true)] {
        assert_eq!(leashed(true).state(&rules, &at(body)).is_held, held, "{body}");
    }
}

#[test]
fn waypoints_then_target_then_leash() {
    let rules = WaypointRules::z_up();
    let own = WaypointStep { offset: [0.0, 0.0, 0.25], turn: heading(5.0) };
    let mut body = present(&rules, at(0.0));
    // The body does not move: it only asks for its steps.
    let step = |body: &mut RemoteBody| body.step(&rules, &TICK, own).unwrap().unwrap();

    assert_eq!(step(&mut body), own, "nothing has a say: the animation's own motion stands");
    assert_eq!(body.state(&rules).strayed, Some(0.25), "and counts");
    let _ = body.report(&rules, &WaypointReport::new(1, at(30.0)), 10.0).unwrap();
    let walked = step(&mut body);
    assert_eq!(walked, root([1.0, 0.0, 0.0]), "waypoints replace it, they do not add");
    assert_eq!(body.state(&rules).strayed, Some(30.0), "the way to a report is no straying");

    body.stick_to(&rules, [0.0, 30.0, 0.0], 1.0).unwrap();
    let beside = step(&mut body);
    // Closing in by 2.5; 30 units from its last report, half of that is left.
    assert_eq!(beside.offset, [0.0, 1.25, 0.0], "the target comes after the waypoints, the leash after it");
    assert_eq!(body.state(&rules).strayed, Some(31.25), "what is left of the step counts");
    assert_eq!(body.waypoints().frames(), 2, "the queue counted every tick it was asked in");
}

#[test]
fn a_body_on_root_motion_without_reports_is_leashed_to_its_last_one() {
    let rules = WaypointRules::z_up();
    for (indoors, end) in [(false, 50.0), (true, 20.0)] {
        let mut body = present(&rules, at(0.0));
        let report = |x: f64| WaypointReport { indoors, ..WaypointReport::new(1, at(x)) };
        let _ = body.report(&rules, &report(2.0), 10.0).unwrap();
        let run = |body: &mut RemoteBody| {
            for _ in 0..3000 {
                let step = body.step(&rules, &TICK, root([0.5, 0.0, 0.0])).unwrap().unwrap();
                let there = step.apply(body.truth().unwrap());
                let _ = body.moved(&rules, &there).unwrap();
            }
            body.truth().unwrap().position[0]
        };
        let x = run(&mut body);
        assert!(x > 2.0 + 0.9 * end && x <= 2.0 + end, "{x}: the server is silent");
        let _ = body.report(&rules, &report(2.0 + end), 10.0).unwrap();
        let x = run(&mut body);
        assert!(x > 2.0 + 1.9 * end && x <= 2.0 + 2.0 * end, "{x}: a new report is a new leash");
        let flying = WaypointReport { contact: false, ..report(x) };
        assert_eq!(body.report(&rules, &flying, 10.0), Ok(Route::Ignore));
        assert!(run(&mut body) > x + 0.9 * end, "also one that is not walked to");
    }
}

#[test]
fn the_leash_does_not_hold_a_body_back_from_its_reports() {
    let rules = WaypointRules::z_up();
    let mut body = present(&rules, at(0.0));
    let _ = body.report(&rules, &WaypointReport::new(1, at(95.0)), 10.0).unwrap();
    for tick in 1..=95 {
        let outcome = body.walk(&rules, &TICK).unwrap();
        assert_eq!(outcome.place, None, "tick {tick}");
        assert_eq!(body.truth(), Some(&at(f64::from(tick))), "twice its speed all the way");
    }
}

#[test]
fn while_it_sticks_a_body_is_not_stuck() {
    for rule in [WaypointRule::BySpeed, WaypointRule::ByTime] {
        let rules = WaypointRules::new(WaypointSettings { rule, ..WaypointSettings::z_up() }).unwrap();
        for (sticks, placed) in [(true, false), (false, true)] {
            let mut body = present(&rules, at(0.0));
            let _ = body.report(&rules, &WaypointReport::new(1, at(50.0)), 10.0).unwrap();
            let mut asked = false;
            for _ in 0..60 {
                if sticks {
                    body.stick_to(&rules, [1.3, 0.0, 0.0], 1.0).unwrap();
                }
                let _ = body.step(&rules, &TICK, WaypointStep::NONE).unwrap();
                asked |= body.moved(&rules, &at(0.0)).unwrap().place.is_some();
            }
            assert_eq!(asked, placed, "sticks: {sticks}");
        }
    }
}

#[test]
fn unusable_steps_change_nothing_at_all() {
    let rules = WaypointRules::z_up();
    let mut body = present(&rules, at(0.0));
    let _ = body.report(&rules, &WaypointReport::new(1, at(50.0)), 10.0).unwrap();
    body.stick_to(&rules, [3.0, 0.0, 0.0], 1.0).unwrap();
    let text = |body: &RemoteBody| format!("{body:?}").replace("unusable: 3", "unusable: 0");
    let before = text(&body);
    let errors = [
        body.step(&rules, &WaypointTick { dt: -1.0, ..TICK }, root([1.0; 3])),
        body.step(&rules, &WaypointTick { max_speed: f64::INFINITY, ..TICK }, root([1.0; 3])),
        body.step(&rules, &TICK, root([1.0, f64::INFINITY, 0.0])),
    ];
    assert_eq!(
        errors,
        [
            Err(WaypointError::Time(-1.0)),
            Err(WaypointError::Speed(f64::INFINITY)),
            Err(WaypointError::Offset([1.0, f64::INFINITY, 0.0])),
        ]
    );
    assert_eq!(body.state(&rules).counts.unusable, 3);
    assert_eq!(text(&body), before);
    assert_eq!(body.stick_to(&rules, [0.0; 3], -2.5), Err(WaypointError::Distance(-2.5)));
    assert!(body.follow([f64::NAN; 3]).is_err() && body.state(&rules).is_sticking);
}

#[test]
fn routes() {
    let rules = WaypointRules::z_up();
    // (name, teleport stamp, contact, distance from the viewer, route)
    let rows = [
        ("an older stamp is rejected", 99, true, 10.0, Route::Stale),
        ("an older stamp, even where it would be placed", 99, true, 200.0, Route::Stale),
        ("a newer stamp is a cut", 101, true, 10.0, Route::Cut),
        ("a newer stamp is a cut also in the air", 101, false, 10.0, Route::Cut),
        ("a newer stamp is a cut also far away", 101, true, 200.0, Route::Cut),
        ("a newer stamp is a cut also at a distance of NaN", 101, true, f64::NAN, Route::Cut),
        ("a newer stamp is a cut also at an infinite distance", 101, false, f64::INFINITY, Route::Cut),
        ("a newer stamp is a cut also at a negative distance", 101, true, -1.0, Route::Cut),
        ("no contact: ignored", 100, false, 10.0, Route::Ignore),
        ("no contact, far away: ignored", 100, false, 200.0, Route::Ignore),
        ("exactly 96: placed", 100, true, 96.0, Route::Place),
        ("beyond 96: placed", 100, true, 1e9, Route::Place),
        ("95.999: walked to", 100, true, 95.999, Route::Enqueue),
        ("at the viewer: walked to", 100, true, 0.0, Route::Enqueue),
    ];
    let known = || {
        let mut body: RemoteBody = RemoteBody::new();
        assert_eq!(body.report(&rules, &WaypointReport::new(100, at(0.0)), 10.0), Ok(Route::Cut));
        body
    };
    for (name, teleport, contact, distance, want) in rows {
        let mut body = known();
        let report = WaypointReport { contact, ..WaypointReport::new(teleport, at(5.0)) };
        assert_eq!(body.report(&rules, &report, distance), Ok(want), "{name}");
        let there = matches!(want, Route::Cut | Route::Place);
        assert_eq!(body.truth(), Some(&at(if there { 5.0 } else { 0.0 })), "{name}");
    }
    for (contact, distance) in [(true, 10.0), (false, 500.0)] {
        let mut new: RemoteBody = RemoteBody::new();
        let report = WaypointReport { contact, ..WaypointReport::new(5, at(0.0)) };
        assert_eq!(new.report(&rules, &report, distance), Ok(Route::Cut), "not yet in the world");
    }
    for distance in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -1e-300] {
        for (mut body, teleport) in [(known(), 99), (known(), 100), (RemoteBody::new(), 101)] {
            let before = body.clone();
            let routed = body.report(&rules, &WaypointReport::new(teleport, at(5.0)), distance);
            assert!(matches!(routed, Err(WaypointError::Distance(d)) if d.to_bits() == distance.to_bits()));
            assert_eq!((body.truth(), body.waypoints().len()), (before.truth(), 0));
        }
    }
}

#[test]
fn an_overtaken_report_is_refused_also_with_the_same_teleport_stamp() {
    let rules = WaypointRules::z_up();
    let mut body = present(&rules, at(0.0));
    let report = |sequence, x| WaypointReport { sequence: Some(sequence), ..WaypointReport::new(1, at(x)) };
    // (sequence, x, route)
    let rows = [
        (65_534, 1.0, Route::Enqueue),
        (1, 4.0, Route::Enqueue),
        (65_535, 2.0, Route::Stale),
        (0, 3.0, Route::Stale),
        (1, 4.5, Route::Stale),
        (2, 5.0, Route::Enqueue),
    ];
    for (sequence, x, want) in rows {
        assert_eq!(body.report(&rules, &report(sequence, x), 10.0), Ok(want), "{sequence}");
    }
    let xs: Vec<f64> = body
        .waypoints()
        .nodes()
        .map(|node| match node {
            portamento::remote::waypoints::WaypointNode::Position(pose, ()) => pose.position[0],
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(xs, [1.0, 4.0, 5.0]);
    assert_eq!(body.state(&rules).counts.stale, 3);

    let flying = WaypointReport { contact: false, ..report(10, 9.0) };
    assert_eq!(body.report(&rules, &flying, 10.0), Ok(Route::Ignore));
    assert_eq!(body.report(&rules, &report(9, 8.0), 10.0), Ok(Route::Stale), "ignored ones are news too");
    assert!(body.report(&rules, &report(11, f64::NAN), 10.0).is_err());
    assert_eq!(body.report(&rules, &report(11, 9.0), 10.0), Ok(Route::Enqueue), "refused ones are not");
    let unnumbered = WaypointReport { sequence: None, ..report(0, 9.5) };
    assert_eq!(
        body.report(&rules, &unnumbered, 10.0),
        Ok(Route::Enqueue),
        "no number: in the order of arrival"
    );
    assert_eq!(body.report(&rules, &report(11, 9.0), 10.0), Ok(Route::Stale), "the newest number is kept");

    let teleported = WaypointReport { teleport: 2, ..report(3, 50.0) };
    assert_eq!(body.report(&rules, &teleported, 10.0), Ok(Route::Cut), "a teleport begins anew");
    assert_eq!(
        body.report(&rules, &WaypointReport { teleport: 2, ..report(4, 51.0) }, 10.0),
        Ok(Route::Enqueue)
    );
}

#[test]
fn a_forced_position_cuts_ones_own_player_once() {
    let rules = WaypointRules::z_up();
    let mut me = OwnPlayer::new();
    let echo = |sequence, forced, x| WaypointReport {
        sequence: Some(sequence),
        forced,
        ..WaypointReport::new(1, at(x))
    };
    let mut body = at(-1.0);
    let mut echoed = |me: &mut OwnPlayer, report: &WaypointReport| (me.echo(report, &mut body), body);
    assert_eq!(echoed(&mut me, &echo(1, 65_535, 0.0)), (Ok(Route::Cut), at(0.0)), "into the world");
    assert_eq!(echoed(&mut me, &echo(2, 65_535, 1.0)), (Ok(Route::Ignore), at(0.0)));
    // The message with number 3 forced the position first, and was lost; the next one still does.
    assert_eq!(echoed(&mut me, &echo(4, 0, -20.0)), (Ok(Route::Place), at(-20.0)));
    assert_eq!(me.state(&rules, &at(-20.0)).strayed, Some(0.0), "the leash begins there");
    assert_eq!(echoed(&mut me, &echo(3, 0, -20.0)).0, Ok(Route::Stale), "once");
    assert_eq!(echoed(&mut me, &echo(5, 65_535, 1.5)).0, Ok(Route::Stale), "an echo from before it");
    assert_eq!(echoed(&mut me, &echo(5, 0, -19.0)), (Ok(Route::Ignore), at(-20.0)));
    let teleport = WaypointReport { teleport: 2, ..echo(6, 0, 70.0) };
    assert_eq!(echoed(&mut me, &teleport), (Ok(Route::Cut), at(70.0)));
    assert_eq!(me.state(&rules, &at(70.0)).counts.stale, 2);
}

#[test]
fn stamps_wrap_around() {
    for base in [0u16, 1, 0x7fff, 0x8000, 0xffff] {
        for ahead in 0..=0xffffu16 {
            let mut me = OwnPlayer::new();
            let mut body = at(0.0);
            let _ = me.echo(&WaypointReport::new(base, at(0.0)), &mut body).unwrap();
            let echo = WaypointReport::new(base.wrapping_add(ahead), at(0.0));
            let echo = me.echo(&echo, &mut body).unwrap();
            let want = match ahead {
                0 => Route::Ignore,
                1..=0x8000 => Route::Cut,
                _ => Route::Stale,
            };
            assert_eq!(echo, want, "{ahead:#x} ahead of {base:#x}");
        }
    }
}

#[test]
fn the_defaults_are_the_originals_numbers() {
    for k in [WaypointSettings::y_up(), WaypointSettings::z_up()] {
        assert_eq!((k.there, k.close, k.window, k.patience, k.crowd), (0.05, 0.20, 5, 3, 20));
        assert_eq!((k.unmeasured, k.catch_up, k.fallback_speed), (999_999.0, 2.0, 7.5));
        assert_eq!((k.sticky_lease, k.sticky_gap, k.sticky_speed), (1.0, 0.3, 5.0));
        assert_eq!((k.leash_outdoors, k.leash_indoors), ([10.0, 50.0], [5.0, 20.0]));
        assert_eq!((k.blip_outdoors, k.blip_indoors), (100.0, 20.0));
    }
    assert_eq!(WaypointRules::y_up(), WaypointRules::new(WaypointSettings::y_up()).unwrap());
    assert_eq!(WaypointRules::z_up(), WaypointRules::new(WaypointSettings::z_up()).unwrap());
}

#[test]
fn up_and_ahead_are_those_of_the_chase_camera() {
    use portamento::camera::ChaseSettings;
    for (body, camera) in
        [(WaypointSettings::y_up(), ChaseSettings::y_up()), (WaypointSettings::z_up(), ChaseSettings::z_up())]
    {
        assert_eq!((body.up, body.ahead), (camera.up, camera.ahead));
    }
}

#[test]
fn constants_that_cannot_work_are_refused_by_name_and_number() {
    let base = WaypointSettings::z_up();
    let bad = [
        (WaypointSettings { there: 0.0, ..base }, "there", "0"),
        (WaypointSettings { close: f64::NAN, ..base }, "close", "NaN"),
        (WaypointSettings { fallback_speed: -7.5, ..base }, "fallback_speed", "-7.5"),
        (WaypointSettings { blip_indoors: f64::INFINITY, ..base }, "blip_indoors", "inf"),
        (WaypointSettings { window: 0, ..base }, "window", "0"),
        (WaypointSettings { crowd: 0, ..base }, "crowd", "0"),
        (WaypointSettings { patience: u32::MAX, ..base }, "patience", "4294967295"),
        (WaypointSettings { leash_indoors: [5.0, 5.0], ..base }, "leash_indoors[1]", "5"),
        (WaypointSettings { leash_outdoors: [-1.0, 5.0], ..base }, "leash_outdoors[0]", "-1"),
        (WaypointSettings { ahead: [0.0; 3], ..base }, "ahead", "0"),
        (WaypointSettings { ahead: base.up, ..base }, "ahead", "1"),
        (WaypointSettings { up: [0.0, 3.0, 0.0], ..base }, "up", "3"),
    ];
    for (constants, name, number) in bad {
        let text = WaypointRules::new(constants).unwrap_err().to_string();
        assert!(text.contains(name) && text.contains(number), "{text}");
    }
}

#[test]
fn errors_say_the_number_and_the_cure() {
    let rules = WaypointRules::z_up();
    let mut queue: Waypoints = Waypoints::new();
    let bad = Pose64::at([1.0, f64::INFINITY, 0.0]);
    let error = queue.enqueue(&rules, &at(0.0), &WaypointReport::new(0, bad)).unwrap_err();
    assert!(error.to_string().contains("inf"), "{error}");
    let error = queue
        .enqueue(&rules, &at(0.0), &WaypointReport { blip: Some(-3.5), ..WaypointReport::new(0, at(1.0)) })
        .unwrap_err();
    assert!(error.to_string().contains("-3.5"), "{error}");
    let zero = Pose64::new([1.0; 3], Rotation { x: 0.0, y: 0.0, z: 0.0, w: 0.0 });
    assert!(matches!(
        queue.enqueue(&rules, &at(0.0), &WaypointReport::new(0, zero)),
        Err(WaypointError::Rotation(_))
    ));
    assert!(queue.enqueue_velocity([f64::NAN, 0.0, 0.0]).is_err());
    let opposite = Pose64::at([-f64::MAX, 0.0, 0.0]);
    let error = queue.enqueue(&rules, &Pose64::at([f64::MAX, 0.0, 0.0]), &WaypointReport::new(0, opposite));
    assert_eq!(error, Err(WaypointError::Distance(f64::INFINITY)), "finite ends can be infinitely far apart");
    assert_eq!((queue.len(), queue.counts().unusable), (0, 5));
}

/// A round world: the way is along the great circle, up is away from the centre.
struct Planet;

impl WorldSpace for Planet {
    fn way(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (r, s) = (dot(from, from).sqrt(), dot(to, to).sqrt());
        let cosine = (dot(from, to) / (r * s)).clamp(-1.0, 1.0);
        let across: [f64; 3] = std::array::from_fn(|i| to[i] / s - from[i] / r * cosine);
        let length = dot(across, across).sqrt();
        if length == 0.0 { [0.0; 3] } else { across.map(|c| c / length * (cosine.acos() * r)) }
    }

    fn up(&self, at: [f64; 3]) -> Option<[f64; 3]> {
        let r = (at[0] * at[0] + at[1] * at[1] + at[2] * at[2]).sqrt();
        Some(at.map(|c| c / r))
    }
}

#[test]
fn a_body_walks_around_a_planet_without_digging() {
    const RADIUS: f64 = 10.0;
    let rules = WaypointRules::in_space(WaypointSettings::z_up(), Planet).unwrap();
    let mut queue: Waypoints = Waypoints::new();
    let mut body = Pose64::at([RADIUS, 0.0, 0.0]);
    let goal = Pose64::at([0.0, RADIUS, 0.0]);
    assert!(
        (rules.distance(body.position, goal.position) - RADIUS * std::f64::consts::FRAC_PI_2).abs() < 1e-9
    );
    let _ = queue.enqueue(&rules, &body, &WaypointReport::new(0, goal)).unwrap();
    let mut travelled = 0.0;
    for _ in 0..200 {
        let tick = WaypointTick { dt: 0.05, ..TICK };
        if let Some(step) = queue.step(&rules, &body, &tick).unwrap() {
            let length = step.offset.iter().map(|c| c * c).sum::<f64>().sqrt();
            assert!(length <= 8.0 * 0.05 + 1e-12);
            travelled += length;
            body = step.apply(&body);
            // The ground: back to the surface, as collision does.
            let r = body.position.iter().map(|c| c * c).sum::<f64>().sqrt();
            body.position = body.position.map(|c| c / r * RADIUS);
        }
        assert_eq!(queue.settle(&rules, &mut body, 0.05).unwrap().place, None, "it never counts as stuck");
    }
    assert!(queue.is_empty());
    assert!(rules.distance(body.position, goal.position) <= 0.05);
    assert!((travelled - 15.7).abs() < 0.1, "along the surface, not through the planet: {travelled}");
}

#[test]
fn the_heading_on_a_planet_is_about_its_own_up() {
    let rules = WaypointRules::in_space(WaypointSettings::z_up(), Planet).unwrap();
    let up = [1.0f32, 0.0, 0.0];
    let turned = Rotation::from_axis_angle(up, 1.0);
    let tilted = turned * Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.4);
    let here = Pose64::new([10.0, 0.0, 0.0], tilted);
    let mut queue: Waypoints = Waypoints::new();
    match queue.enqueue(&rules, &Pose64::at(here.position), &WaypointReport::new(0, here)).unwrap() {
        Enqueued::AlreadyThere { heading: Some(heading) } => {
            assert!(heading.angle_to(turned) < 1e-4, "{heading:?}");
        }
        other => panic!("{other:?}"),
    }
}
