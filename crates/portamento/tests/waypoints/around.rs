//! What surrounds the queue: sticky, constraint, their order, routing, presets, other worlds.

use super::script::{heading, tilted};
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    Constraint, FlatSpace, Leash, Quantum, QuantumEnd, Route, Steering, Sticky, Surroundings, TeleportStamp,
    WaypointError, WaypointRules, WaypointSettings, WaypointStep, Waypoints, WorldSpace, route,
};

const QUANTUM: Quantum = Quantum { dt: 0.125, max_speed: 4.0, contact: true, sticky: false };

fn at(x: f64) -> Pose64 {
    Pose64::at([x, 0.0, 0.0])
}

fn near(a: [f64; 3], b: [f64; 3]) -> bool {
    (0..3).all(|i| (a[i] - b[i]).abs() < 1e-9)
}

#[test]
fn sticky_steps() {
    let rules = WaypointRules::client();
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
        let sticky = Sticky::to(&rules, target, radii, 0.0).unwrap();
        let step = sticky.adjust(&rules, &at(0.0), &Quantum { max_speed, ..QUANTUM }).unwrap();
        assert!(near(step.offset, [x, 0.0, 0.0]), "{name}: {step:?}");
    }
}

#[test]
fn sticky_faces_its_target_and_keeps_its_tilt() {
    let rules = WaypointRules::client();
    for degrees in [-170.0f32, -90.0, -10.0, 0.0, 45.0, 135.0, 180.0] {
        for own in [0.0f32, 77.0, -120.0] {
            for tilted_body in [false, true] {
                let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
                // Forward is y: a heading of 0 looks along y, 90 degrees to the left of it along -x.
                let sticky = Sticky::to(&rules, [-5.0 * sin, 5.0 * cos, 0.0], 1.0, 0.0).unwrap();
                let turned = if tilted_body { tilted(own) } else { heading(own) };
                let body = Pose64::new([0.0; 3], turned);
                let step = sticky.adjust(&rules, &body, &QUANTUM).unwrap();
                let want = if tilted_body { tilted(degrees) } else { heading(degrees) };
                let after = step.apply(&body).rotation;
                assert!(after.angle_to(want) < 1e-3, "{degrees} from {own}: {after:?}");
            }
        }
    }
}

#[test]
fn sticky_inside_its_target_stays() {
    let rules = WaypointRules::client();
    let sticky = Sticky::to(&rules, [0.0, 0.0, 2.0], 1.0, 0.0).unwrap();
    assert_eq!(sticky.adjust(&rules, &at(0.0), &QUANTUM), Ok(WaypointStep::NONE));
}

#[test]
fn the_sticky_lease_is_one_second_and_ends_after_its_deadline() {
    let rules = WaypointRules::client();
    let mut steering: Steering = Steering::default();
    for (now, holds) in [(11.0, true), (11.000_001, false)] {
        steering.sticky = Some(Sticky::to(&rules, [5.0, 0.0, 0.0], 1.0, 10.0).unwrap());
        let end = steering.use_time(&rules, &at(0.0), 0.1, now).unwrap();
        assert_eq!((end, steering.sticky.is_some()), (QuantumEnd::Nothing, holds), "{now}");
    }
    steering.sticky = Some(Sticky::to(&rules, [5.0, 0.0, 0.0], 1.0, 10.0).unwrap());
    assert!(steering.use_time(&rules, &at(0.0), f64::NAN, 99.0).is_err());
    assert!(steering.sticky.is_some(), "a quantum of unusable length is a pure read");
}

#[test]
fn the_leash() {
    let rules = WaypointRules::client();
    let leash =
        |body: f64, surroundings| Constraint::new(&rules, [0.0; 3], [body, 0.0, 0.0], surroundings).unwrap();
    use Surroundings::{Indoors, Outdoors};
    // (name, where, distance from the anchor, in contact, what is left of a step of 1)
    let rows = [
        ("outdoors, at its start: free", Outdoors, 10.0, true, 1.0),
        ("outdoors, just beyond: a little less", Outdoors, 12.0, true, 38.0 / 40.0),
        ("outdoors, in the middle: half", Outdoors, 30.0, true, 0.5),
        ("outdoors, just before its end", Outdoors, 49.0, true, 1.0 / 40.0),
        ("outdoors, at its end: nothing", Outdoors, 50.0, true, 0.0),
        ("outdoors, beyond its end: nothing", Outdoors, 90.0, true, 0.0),
        ("indoors, at its start: free", Indoors, 5.0, true, 1.0),
        ("indoors, in the middle: half", Indoors, 12.5, true, 0.5),
        ("indoors, at its end: nothing", Indoors, 20.0, true, 0.0),
        ("in the air, in the middle: free", Outdoors, 30.0, false, 1.0),
        ("in the air, beyond its end: free", Outdoors, 90.0, false, 1.0),
    ];
    for (name, surroundings, from, contact, left) in rows {
        let mut leash = leash(from, surroundings);
        assert_eq!(leash.travelled(), from, "{name}: it begins as the distance");
        let step = leash.adjust([0.0, 1.0, 0.0], contact);
        assert!(near(step, [0.0, left, 0.0]), "{name}: {step:?}");
        assert!((leash.travelled() - (from + left)).abs() < 1e-12, "{name}: what was travelled counts");
    }
}

#[test]
fn the_leash_accumulates_also_in_circles() {
    let rules = WaypointRules::client();
    let mut leash = Constraint::new(&rules, [0.0; 3], [0.0; 3], Surroundings::Outdoors).unwrap();
    for k in 0..10 {
        leash.adjust([if k % 2 == 0 { 1.0 } else { -1.0 }, 0.0, 0.0], true);
    }
    assert_eq!(leash.travelled(), 10.0);
    for _ in 0..10_000 {
        leash.adjust([1.0, 0.0, 0.0], true);
    }
    assert!(leash.travelled() <= 50.0 && leash.travelled() > 49.9, "{leash:?}");
}

#[test]
fn fully_constrained_beyond_nine_tenths() {
    let rules = WaypointRules::client();
    for (body, full) in [(45.0, false), (45.000_001, true), (50.0, true)] {
        let leash = Constraint::new(&rules, [0.0; 3], [body, 0.0, 0.0], Surroundings::Outdoors).unwrap();
        assert_eq!(leash.is_full(), full, "{body}");
    }
    for (body, full) in [(18.0, false), (18.000_001, true)] {
        let leash = Constraint::new(&rules, [0.0; 3], [body, 0.0, 0.0], Surroundings::Indoors).unwrap();
        assert_eq!(leash.is_full(), full, "{body}");
    }
}

#[test]
fn queue_then_sticky_then_constraint() {
    let rules = WaypointRules::client();
    let root = WaypointStep { offset: [0.0, 0.0, 0.25], turn: heading(5.0) };
    let mut steering: Steering = Steering::default();
    let adjust = |steering: &mut Steering| steering.adjust(&rules, &at(0.0), &QUANTUM, root).unwrap();

    assert_eq!(adjust(&mut steering), root, "nothing has a say: the animation's own motion stands");
    let _ = steering.queue.enqueue(&rules, &at(0.0), &at(50.0), false, 100.0).unwrap();
    let walked = adjust(&mut steering);
    assert_eq!(
        walked,
        WaypointStep { offset: [1.0, 0.0, 0.0], turn: Rotation::IDENTITY },
        "it replaces, it does not add"
    );

    steering.sticky = Some(Sticky::to(&rules, [0.0, 30.0, 0.0], 1.0, 0.0).unwrap());
    let beside = adjust(&mut steering);
    assert_eq!(beside.offset, [0.0, 2.5, 0.0], "the target has the word after the queue");

    let leash = Constraint::new(&rules, [0.0; 3], [30.0, 0.0, 0.0], Surroundings::Outdoors).unwrap();
    steering.constraint = Some(leash);
    assert_eq!(adjust(&mut steering).offset, [0.0, 1.25, 0.0], "the leash has the last word");
    assert_eq!(steering.constraint.unwrap().travelled(), 31.25, "and counts what is left of the step");
    assert_eq!(steering.queue.frames(), 3, "the queue counted every quantum it was asked in");
}

#[test]
fn a_leash_also_holds_root_motion() {
    let rules = WaypointRules::client();
    let leash = Constraint::new(&rules, [0.0; 3], [30.0, 0.0, 0.0], Surroundings::Outdoors).unwrap();
    let mut steering: Steering = Steering { constraint: Some(leash), ..Steering::default() };
    let root = WaypointStep { offset: [0.0, 0.0, 1.0], turn: Rotation::IDENTITY };
    assert_eq!(steering.adjust(&rules, &at(0.0), &QUANTUM, root).unwrap().offset, [0.0, 0.0, 0.5]);
}

#[test]
fn while_it_sticks_a_body_is_not_stuck() {
    for rules in [WaypointRules::client(), WaypointRules::seed()] {
        for (sticks, placed) in [(true, false), (false, true)] {
            let mut steering: Steering = Steering::default();
            let _ = steering.queue.enqueue(&rules, &at(0.0), &at(50.0), false, 100.0).unwrap();
            let mut asked = false;
            for tick in 0..60 {
                let now = f64::from(tick) * 0.125;
                if sticks {
                    steering.sticky = Some(Sticky::to(&rules, [1.3, 0.0, 0.0], 1.0, now).unwrap());
                }
                let _ = steering.adjust(&rules, &at(0.0), &QUANTUM, WaypointStep::NONE).unwrap();
                let end = steering.use_time(&rules, &at(0.0), 0.125, now).unwrap();
                asked |= matches!(end, QuantumEnd::Place(_));
            }
            assert_eq!(asked, placed, "sticks: {sticks}");
        }
    }
}

#[test]
fn unusable_steps_change_nothing_at_all() {
    let rules = WaypointRules::client();
    let mut steering: Steering = Steering::default();
    let _ = steering.queue.enqueue(&rules, &at(0.0), &at(50.0), false, 100.0).unwrap();
    steering.sticky = Some(Sticky::to(&rules, [3.0, 0.0, 0.0], 1.0, 0.0).unwrap());
    steering.constraint =
        Some(Constraint::new(&rules, [0.0; 3], [30.0, 0.0, 0.0], Surroundings::Outdoors).unwrap());
    let before = steering.clone();
    let lost = Pose64::at([f64::NAN, 0.0, 0.0]);
    for (body, quantum) in [
        (at(0.0), Quantum { dt: -1.0, ..QUANTUM }),
        (at(0.0), Quantum { max_speed: f64::NAN, ..QUANTUM }),
        (lost, QUANTUM),
    ] {
        let root = WaypointStep { offset: [1.0, 0.0, 0.0], turn: Rotation::IDENTITY };
        assert!(steering.adjust(&rules, &body, &quantum, root).is_err());
    }
    assert_eq!(steering.queue.counts().unusable, 3);
    assert_eq!((steering.sticky, steering.constraint), (before.sticky, before.constraint));
    assert_eq!(steering.queue.frames(), 0);
}

#[test]
fn routes() {
    let rules = WaypointRules::client();
    let known = Some(TeleportStamp(100));
    // (name, known stamp, stamp, contact, distance from the viewer, route)
    let rows = [
        ("an older stamp is rejected", known, 99, true, 10.0, Route::Stale),
        ("an older stamp, even where it would be placed", known, 99, true, 200.0, Route::Stale),
        ("a newer stamp is a cut", known, 101, true, 10.0, Route::Cut),
        ("a newer stamp is a cut also in the air", known, 101, false, 10.0, Route::Cut),
        ("a newer stamp is a cut also far away", known, 101, true, 200.0, Route::Cut),
        ("not yet in the world: a cut", None, 5, true, 10.0, Route::Cut),
        ("not yet in the world, in the air: a cut", None, 5, false, 500.0, Route::Cut),
        ("no contact: ignored", known, 100, false, 10.0, Route::Ignore),
        ("no contact, far away: ignored", known, 100, false, 200.0, Route::Ignore),
        ("exactly 96: placed", known, 100, true, 96.0, Route::Place),
        ("beyond 96: placed", known, 100, true, 1e9, Route::Place),
        ("95.999: walked to", known, 100, true, 95.999, Route::Enqueue),
        ("at the viewer: walked to", known, 100, true, 0.0, Route::Enqueue),
    ];
    for (name, known, stamp, contact, distance, want) in rows {
        assert_eq!(route(&rules, known, TeleportStamp(stamp), contact, distance), Ok(want), "{name}");
    }
    for distance in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -1e-300] {
        for stamp in [99, 100, 101] {
            let routed = route(&rules, known, TeleportStamp(stamp), true, distance);
            assert!(matches!(routed, Err(WaypointError::Distance(_))), "{distance}");
        }
    }
}

#[test]
fn stamps_wrap_around() {
    for base in [0u16, 1, 0x7fff, 0x8000, 0xffff] {
        for ahead in 0..=0xffffu16 {
            let newer = TeleportStamp(base.wrapping_add(ahead)).is_newer_than(TeleportStamp(base));
            assert_eq!(newer, (1..=0x8000).contains(&ahead), "{ahead:#x} ahead of {base:#x}");
        }
    }
}

#[test]
fn presets_have_the_originals_numbers() {
    for rules in [WaypointRules::client(), WaypointRules::seed()] {
        let k = rules.constants();
        assert_eq!((k.there, k.close, k.window, k.patience, k.crowd), (0.05, 0.20, 5, 3, 20));
        assert_eq!((k.unmeasured, k.catch_up, k.fallback_speed), (999_999.0, 2.0, 7.5));
        assert_eq!((k.sticky_lease, k.sticky_gap, k.sticky_speed), (1.0, 0.3, 5.0));
        assert_eq!(rules.blip(Surroundings::Outdoors, false), 100.0);
        assert_eq!(rules.blip(Surroundings::Outdoors, true), 100.0);
        assert_eq!(rules.blip(Surroundings::Indoors, false), 20.0);
        assert_eq!(rules.blip(Surroundings::Indoors, true), 25.0);
        assert_eq!(rules.leash(Surroundings::Outdoors), Leash { start: 10.0, max: 50.0 });
        assert_eq!(rules.leash(Surroundings::Indoors), Leash { start: 5.0, max: 20.0 });
        assert_eq!(
            WaypointRules::with(*k, FlatSpace::Z_UP),
            Ok(rules.clone()),
            "the presets pass their own check"
        );
    }
}

#[test]
fn constants_that_cannot_work_are_refused_by_name_and_number() {
    let base = WaypointSettings::client();
    let bad = [
        (WaypointSettings { there: 0.0, ..base }, "there", "0"),
        (WaypointSettings { close: f64::NAN, ..base }, "close", "NaN"),
        (WaypointSettings { fallback_speed: -7.5, ..base }, "fallback_speed", "-7.5"),
        (WaypointSettings { blip_indoors: f64::INFINITY, ..base }, "blip_indoors", "inf"),
        (WaypointSettings { window: 0, ..base }, "window", "0"),
        (WaypointSettings { crowd: 0, ..base }, "crowd", "0"),
        (WaypointSettings { patience: u32::MAX, ..base }, "patience", "4294967295"),
        (
            WaypointSettings { leash_indoors: Leash { start: 5.0, max: 5.0 }, ..base },
            "leash_indoors.max",
            "5",
        ),
        (WaypointSettings { forward: [0.0; 3], ..base }, "forward", "0"),
    ];
    for (constants, name, number) in bad {
        let text = WaypointRules::with(constants, FlatSpace::Z_UP).unwrap_err().to_string();
        assert!(text.contains(name) && text.contains(number), "{text}");
    }
}

#[test]
fn errors_say_the_number_and_the_cure() {
    let rules = WaypointRules::client();
    let mut queue: Waypoints = Waypoints::new();
    let bad = Pose64::at([1.0, f64::INFINITY, 0.0]);
    let error = queue.enqueue(&rules, &at(0.0), &bad, false, 100.0).unwrap_err();
    assert!(error.to_string().contains("inf"), "{error}");
    let error = queue.enqueue(&rules, &at(0.0), &at(1.0), false, -3.5).unwrap_err();
    assert!(error.to_string().contains("-3.5"), "{error}");
    let zero = Pose64::new([1.0; 3], Rotation { x: 0.0, y: 0.0, z: 0.0, w: 0.0 });
    assert!(matches!(queue.enqueue(&rules, &at(0.0), &zero, false, 100.0), Err(WaypointError::Rotation(_))));
    assert!(queue.enqueue_velocity([f64::NAN, 0.0, 0.0]).is_err());
    let opposite = Pose64::at([-f64::MAX, 0.0, 0.0]);
    let error = queue.enqueue(&rules, &Pose64::at([f64::MAX, 0.0, 0.0]), &opposite, false, 100.0);
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

    fn up(&self, at: [f64; 3]) -> [f32; 3] {
        let r = (at[0] * at[0] + at[1] * at[1] + at[2] * at[2]).sqrt();
        at.map(|c| (c / r) as f32)
    }
}

#[test]
fn a_body_walks_around_a_planet_without_digging() {
    const RADIUS: f64 = 10.0;
    let rules = WaypointRules::with(WaypointSettings::client(), Planet).unwrap();
    let mut queue: Waypoints = Waypoints::new();
    let mut body = Pose64::at([RADIUS, 0.0, 0.0]);
    let goal = Pose64::at([0.0, RADIUS, 0.0]);
    assert!(
        (rules.distance(body.position, goal.position) - RADIUS * std::f64::consts::FRAC_PI_2).abs() < 1e-9
    );
    let _ = queue.enqueue(&rules, &body, &goal, false, 100.0).unwrap();
    let mut travelled = 0.0;
    for _ in 0..200 {
        let quantum = Quantum { dt: 0.05, ..QUANTUM };
        if let Some(step) = queue.adjust(&rules, &body, &quantum).unwrap() {
            let length = step.offset.iter().map(|c| c * c).sum::<f64>().sqrt();
            assert!(length <= 8.0 * 0.05 + 1e-12);
            travelled += length;
            body = step.apply(&body);
            // The ground: back to the surface, as collision does.
            let r = body.position.iter().map(|c| c * c).sum::<f64>().sqrt();
            body.position = body.position.map(|c| c / r * RADIUS);
        }
        assert_eq!(queue.settle(&rules, &mut body, 0.05).unwrap().placed, None, "it never counts as stuck");
    }
    assert!(queue.is_empty());
    assert!(rules.distance(body.position, goal.position) <= 0.05);
    assert!((travelled - 15.7).abs() < 0.1, "along the surface, not through the planet: {travelled}");
}

#[test]
fn the_heading_on_a_planet_is_about_its_own_up() {
    let rules = WaypointRules::with(WaypointSettings::client(), Planet).unwrap();
    let up = [1.0f32, 0.0, 0.0];
    let turned = Rotation::from_axis_angle(up, 1.0);
    let tilted = turned.mul(Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.4));
    let heading = rules.heading(&Pose64::new([10.0, 0.0, 0.0], tilted));
    assert!(heading.angle_to(turned) < 1e-4, "{heading:?}");
}
