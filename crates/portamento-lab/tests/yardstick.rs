//! The yardstick against values known from elsewhere, and against itself turned, shifted and rescaled.

use portamento_lab::strategy::oracle::{OracleBlend, oracle};
use portamento_lab::strategy::rivals::{Curve, FixedDelay, MirrorLike, Newest, reference};
use portamento_lab::strategy::{Arrival, Drawn, Feed, Shown, Strategy, play};
use portamento_lab::synthetic::{Link, Random, circle, even_frames, runner, uniform};
use portamento_lab::yardstick::{Figures, Motion, Place, Rules, Sample, Turn, Wall, measure};

#[test]
fn a_constant_delay_is_latency_and_no_judder() {
    let motion = uniform(7.0, 10.0);
    for delay in [0.0, 0.0335, 0.1, 0.25] {
        let figures =
            measure(&motion, &oracle(&motion, &even_frames(144.0, 0.0, 10.0), delay), &Rules::default());
        assert!((figures.latency - delay).abs() < 1e-12, "{} for {delay}", figures.latency);
        assert!(figures.judder < 1e-9 && figures.judder2 < 1e-9);
        assert_eq!((figures.freeze, figures.jump, figures.reverse, figures.false_snaps), (0.0, 0.0, 0.0, 0));
        assert!((figures.age_p50.unwrap() - delay).abs() < 1e-12);
        assert!(figures.animation.unwrap().rms < 1e-12 && figures.wander.unwrap() < 1e-12);
    }
}

#[test]
fn the_newest_tick_held_has_the_known_judder() {
    // sqrt(frame rate / tick rate - 1); the frames of a tick come in the pattern 2, 3, 2, 2, 3.
    for (ticks, frames, known, frozen) in
        [(60.0, 144.0, 1.1832, 84.0 / 144.0), (20.0, 144.0, 2.4900, 124.0 / 144.0)]
    {
        let motion = uniform(3.0, 20.0);
        // Half a frame off, so that no frame coincides with a tick up to rounding.
        let times = even_frames(frames, 0.5 / frames, 20.0);
        let figures = measure(
            &motion,
            &play(&mut Newest::new(), &Feed::instant(&motion, ticks), &times),
            &Rules::default(),
        );
        assert!((figures.judder - known).abs() < 0.005, "{} at {ticks}/{frames}", figures.judder);
        assert!((figures.freeze - frozen).abs() < 0.01, "{}", figures.freeze);
    }
}

/// Draws the truth with a disturbance along the path.
fn disturbed(motion: &Motion<[f64; 3]>, times: &[f64], disturbance: impl Fn(f64) -> f64) -> Drawn<[f64; 3]> {
    let mut drawn = Drawn::new();
    for &t in times {
        let at = t - 0.05 + disturbance(t);
        drawn.push(t, motion.at(at), Some(at));
    }
    drawn
}

#[test]
fn a_known_judder_put_in_comes_out() {
    let motion = uniform(4.0, 20.0);
    let times = even_frames(1000.0, 0.0, 19.0);
    for (hz, amplitude) in [(3.0, 0.004), (10.0, 0.001), (0.5, 0.010)] {
        let turn = 2.0 * std::f64::consts::PI * hz;
        let figures = measure(
            &motion,
            &disturbed(&motion, &times, |t| amplitude * (turn * t).sin()),
            &Rules::default(),
        );
        let known = amplitude * turn / 2.0_f64.sqrt();
        assert!((figures.judder / known - 1.0).abs() < 0.01, "{} for {known} at {hz} Hz", figures.judder);
        assert_eq!(figures.latency, 0.05);
        let animation = figures.animation.unwrap().rms * 1000.0;
        assert!((animation / known - 1.0).abs() < 0.01, "{animation}");
    }
}

#[test]
fn one_frozen_and_one_double_frame_are_counted() {
    let motion = uniform(4.0, 12.0);
    let times = even_frames(100.0, 0.0, 11.0);
    let figures = measure(
        &motion,
        &disturbed(&motion, &times, |t| if (t - 5.0).abs() < 1e-6 { -0.010 } else { 0.0 }),
        &Rules::default(),
    );
    let one = 1.0 / 1000.0;
    assert!((figures.freeze - one).abs() < 1e-9, "{}", figures.freeze);
    assert_eq!((figures.jump, figures.reverse), (0.0, 0.0), "exactly double is not more than double");
    let back = measure(
        &motion,
        &disturbed(&motion, &times, |t| if (t - 5.0).abs() < 1e-6 { -0.015 } else { 0.0 }),
        &Rules::default(),
    );
    assert!((back.reverse - one).abs() < 1e-9 && (back.jump - one).abs() < 1e-9);
}

/// Every figure that does not have the motion's unit.
fn unitless(f: &Figures) -> [f64; 8] {
    [
        f.latency,
        f.judder,
        f.judder2 / f.ideal_speed,
        f.freeze,
        f.jump,
        f.reverse,
        f.off_path_p99 / f.ideal_speed,
        f.arc_length.unwrap(),
    ]
}

fn mirror_on_a_lossy_link(change: impl Fn([f64; 3]) -> [f64; 3], shift: f64) -> Figures {
    let original = runner(20.0, Some(6.0), &mut Random::new(11));
    let moved = |s: &Sample<[f64; 3]>| Sample { time: s.time + shift, place: change(s.place), cut: s.cut };
    let motion = Motion::new(original.samples().iter().map(moved).collect());
    let feed = Link::lossy().send(&motion, 20.0, &mut Random::new(12));
    let frames = even_frames(60.0, shift + 0.5, shift + 20.0);
    let rules = Rules { from: shift + 1.5, ..Rules::default() };
    measure(&motion, &play(&mut MirrorLike::new(feed.interval), &feed, &frames), &rules)
}

#[test]
fn figures_do_not_depend_on_origin_direction_unit_or_epoch_of_time() {
    let plain = mirror_on_a_lossy_link(|p| p, 0.0);
    let (s, c) = (0.6, 0.8);
    let cases: [(&str, Figures); 4] = [
        ("shifted", mirror_on_a_lossy_link(|p| [p[0] + 1000.0, p[1] - 500.0, p[2] + 3.0], 0.0)),
        ("turned", mirror_on_a_lossy_link(|p| [c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]], 0.0)),
        ("in centimetres", mirror_on_a_lossy_link(|p| p.map(|c| c * 100.0), 0.0)),
        ("an hour later", mirror_on_a_lossy_link(|p| p, 4096.0)),
    ];
    for (name, figures) in cases {
        for (a, b) in unitless(&plain).into_iter().zip(unitless(&figures)) {
            assert!((a - b).abs() <= 1e-6 * a.abs().max(1.0), "{name}: {a} became {b}");
        }
        assert_eq!(plain.slide.cuts, figures.slide.cuts);
    }
}

#[test]
fn a_turning_head_is_measured_in_angles_as_a_path_is_in_lengths() {
    // A turn about one axis is a motion along a line: all figures agree.
    let angle = |t: f64| 0.8 * (1.3 * t).sin() + 0.2 * (4.0 * t).cos();
    let turning = Motion::sampled(12.0, 100.0, |t| Turn::from_vector([0.0, angle(t), 0.0]));
    let sliding = Motion::sampled(12.0, 100.0, |t| [0.0, angle(t), 0.0]);
    let frames = even_frames(90.0, 0.5, 12.0);
    let turned = measure(
        &turning,
        &play(&mut FixedDelay::source_like(0.0, 0.1), &Feed::instant(&turning, 20.0), &frames),
        &Rules::default(),
    );
    let slid = measure(
        &sliding,
        &play(&mut FixedDelay::source_like(0.0, 0.1), &Feed::instant(&sliding, 20.0), &frames),
        &Rules::default(),
    );
    for (a, b) in unitless(&turned).into_iter().zip(unitless(&slid)) {
        assert!((a - b).abs() < 1e-6, "{a} and {b}");
    }
}

/// Blends straight from the message before to the newest, teleport or not, one interval late.
struct Careless {
    last: [Option<Arrival<[f64; 3]>>; 2],
}

impl Strategy<[f64; 3]> for Careless {
    fn receive(&mut self, arrival: &Arrival<[f64; 3]>) {
        self.last = [self.last[1], Some(*arrival)];
    }
    fn frame(&mut self, now: f64) -> Option<Shown<[f64; 3]>> {
        let [Some(old), Some(new)] = self.last else { return None };
        let alpha = ((now - new.arrived) / (new.sent - old.sent)).clamp(0.0, 1.0);
        Some(Shown { place: old.place.toward(new.place, alpha), content: None })
    }
}

#[test]
fn a_teleport_that_is_blended_shows_as_a_slide_and_one_that_is_cut_does_not() {
    let sample = |k: u32| Sample {
        time: f64::from(k) * 0.01,
        place: [f64::from(k) * 0.02 + if k >= 500 { 50.0 } else { 0.0 }, 0.0, 0.0],
        cut: k == 500,
    };
    let motion = Motion::new((0..1000).map(sample).collect());
    let frames = even_frames(100.0, 1.0, 9.0);
    let feed = Feed::instant(&motion, 10.0);
    let slid =
        measure(&motion, &play(&mut Careless { last: [None, None] }, &feed, &frames), &Rules::default())
            .slide;
    assert_eq!(slid.cuts, 1);
    assert!((0.07..=0.10).contains(&slid.time), "{slid:?}");
    assert!((0.4..=0.5).contains(&slid.depth), "{slid:?}");
    let cut =
        measure(&motion, &play(&mut FixedDelay::linear(0.0, 0.1), &feed, &frames), &Rules::default()).slide;
    assert_eq!((cut.time, cut.depth), (0.0, 0.0));
}

#[test]
fn a_cut_that_jumps_no_farther_than_a_few_frames_shows_no_slide() {
    let sample =
        |k: u32| Sample { time: f64::from(k) * 0.01, place: [f64::from(k) * 0.02, 0.0, 0.0], cut: k == 500 };
    let motion = Motion::new((0..1000).map(sample).collect());
    let drawn = play(
        &mut Careless { last: [None, None] },
        &Feed::instant(&motion, 10.0),
        &even_frames(100.0, 1.0, 9.0),
    );
    let slide = measure(&motion, &drawn, &Rules::default()).slide;
    assert_eq!((slide.cuts, slide.time), (0, 0.0));
}

#[test]
fn a_turn_that_rests_neither_reverses_nor_creeps() {
    let motion = Motion::sampled(6.0, 100.0, |t| Turn::from_vector([0.3 * t, 0.1, 0.7]));
    let figures = measure(
        &motion,
        &play(&mut Newest::new(), &Feed::instant(&motion, 10.0), &even_frames(60.0, 0.5, 6.0)),
        &Rules::default(),
    );
    assert_eq!(figures.reverse, 0.0);
    assert!(figures.freeze > 0.8, "{}", figures.freeze);
}

#[test]
fn a_jump_that_never_happened_is_a_false_snap() {
    let motion = uniform(2.0, 10.0);
    let mut drawn = oracle(&motion, &even_frames(60.0, 1.0, 9.0), 0.1);
    drawn.places[200][1] += 0.5;
    assert_eq!(measure(&motion, &drawn, &Rules::default()).false_snaps, 2, "there and back");
}

#[test]
fn guessing_through_a_wall_is_penetration() {
    // Runs at a wall at x = 10, stops there.
    let motion = Motion::sampled(6.0, 100.0, |t| [(5.0 * t).min(10.0), 0.0, 0.0]);
    let far = f64::INFINITY;
    let wall = Wall { low: [10.0, -far, -far], high: [far; 3] };
    let frames = even_frames(60.0, 0.5, 6.0);
    let feed = Feed::instant(&motion, 10.0);
    let behind = play(&mut FixedDelay::source_like(0.0, 0.1), &feed, &frames);
    let overshoot = wall.penetration(&motion, &behind, 0.1);
    assert!(
        (0.03..0.04).contains(&overshoot),
        "a cubic swings over a sudden stop by 2/27 of a step: {overshoot}"
    );
    let mut late = Link::steady();
    late.delay = 0.15;
    let feed = late.send(&motion, 10.0, &mut Random::new(1));
    let through = play(&mut FixedDelay::source_like(-1000.0, 0.0), &feed, &frames);
    let depth = wall.penetration(&motion, &through, 0.0);
    assert!((0.5..1.3).contains(&depth), "{depth}");
    let held = play(&mut FixedDelay::linear(-1000.0, 0.0), &feed, &frames);
    assert_eq!(wall.penetration(&motion, &held, 0.0), 0.0);
}

#[test]
fn cutting_corners_is_off_path() {
    let motion = circle(5.0, 4.0, 12.0);
    let drawn =
        play(&mut FixedDelay::linear(0.0, 0.5), &Feed::instant(&motion, 2.0), &even_frames(60.0, 1.0, 12.0));
    let figures = measure(&motion, &drawn, &Rules::default());
    // The chord of an eighth of a circle runs r (1 - cos(pi/8)) inside it.
    assert!(
        (figures.off_path_max - 5.0 * (1.0 - (std::f64::consts::PI / 8.0).cos())).abs() < 0.01,
        "{}",
        figures.off_path_max
    );
}

#[test]
fn the_reference_strategies_keep_their_figures() {
    let motion = runner(40.0, Some(8.0), &mut Random::new(1));
    let feed = Link::bursts().send(&motion, 20.0, &mut Random::new(2));
    let frames = even_frames(60.0, 1.0, 40.0);
    let rules = Rules { from: 3.0, ..Rules::default() };
    let mut all = reference(&feed);
    all.push(("oracle-blend".into(), Box::new(OracleBlend::new(&feed, 0.1, Curve::Hermite))));
    let want = [
        ("oracle-blend", [0.1000, 0.0448, 0.0000, 0.0216]),
        ("newest held", [0.0840, 1.8218, 0.7051, 0.0000]),
        ("fixed 100 ms", [0.1425, 0.8988, 0.0745, 0.0363]),
        ("Source-like", [0.1375, 0.5918, 0.0033, 0.7082]),
        ("Mirror-like", [0.2595, 0.2934, 0.0305, 0.0344]),
        ("exponential 20/s", [0.1255, 0.5672, 0.0577, 0.1740]),
    ];
    let mut wrong = String::new();
    for (name, want) in want {
        let (_, strategy) = all.iter_mut().find(|(known, _)| known == name).expect(name);
        let f = measure(&motion, &play(strategy.as_mut(), &feed, &frames), &rules);
        let got = [f.latency, f.judder, f.freeze, f.off_path_p99];
        if got.iter().zip(want).any(|(g, w)| (g - w).abs() > 2e-4) {
            wrong += &format!("{name}: [{:.4}, {:.4}, {:.4}, {:.4}]\n", got[0], got[1], got[2], got[3]);
        }
    }
    assert!(wrong.is_empty(), "figures have moved; these are the new ones:\n{wrong}");
}
