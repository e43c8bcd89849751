//! Random events: the library and the model must agree in every step, and nothing may ever break.

use super::model::{self, Model, Tick};
use super::numbers::Random;
use super::{chaos, script::Stage};
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    Enqueued, RemoteBody, WaypointError, WaypointNode, WaypointReport, WaypointRule, WaypointRules,
    WaypointSettings, WaypointStep, WaypointTick,
};

impl Random {
    fn percent(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next() % from.len() as u64) as usize]
    }

    /// Mostly places at chosen distances from `near`, boundaries among them; some on a grid, some anywhere.
    fn place(&mut self, near: [f64; 3]) -> [f64; 3] {
        let d = self
            .pick(&[0.0, 0.03, 0.05, 0.05, 0.051, 0.1, 0.15, 0.2, 0.21, 0.5, 1.0, 3.0, 20.0, 25.0, 100.0]);
        match self.next() % 5 {
            0 => [near[0] + d, near[1], near[2]],
            1 => [near[0], near[1] - d, near[2]],
            2 => [0.05 * (self.next() % 8) as f64, 0.0, 0.0],
            3 => [d, 0.0, 0.0],
            _ => [20.0 * self.unit() - 10.0, 20.0 * self.unit() - 10.0, 2.0 * self.unit()],
        }
    }

    fn turn(&mut self) -> Rotation {
        let axis = self.pick(&[[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.3, -0.5, 0.8]]);
        Rotation::from_axis_angle(axis, (6.0 * self.unit() - 3.0) as f32)
    }

    fn tick(&mut self, stuck: u64) -> Tick {
        let moved = if self.percent(stuck) {
            Some([self.pick(&[0.0, 0.0, 0.0002, 0.001, 0.05, -0.05, 0.3]), 0.0, 0.0])
        } else {
            None
        };
        Tick {
            dt: self.pick(&[
                1.0 / 60.0,
                1.0 / 30.0,
                0.05,
                0.1,
                0.125,
                0.2,
                1e-4,
                1.0,
                0.0,
                -0.1,
                f64::NAN,
                f64::INFINITY,
            ]),
            max_speed: self.pick(&[4.0, 4.0, 0.0, 0.5, 0.000_099, 0.0001, 20.0]),
            contact: self.percent(92),
            sticky: self.percent(6),
            moved,
            place: self.percent(70),
        }
    }
}

fn plain(pose: &Pose64) -> model::Pose {
    model::Pose { at: pose.position, turned: pose.rotation.to_array().map(f64::from) }
}

fn near(a: [f64; 3], b: [f64; 3]) -> bool {
    (0..3).all(|i| (a[i] - b[i]).abs() <= 1e-9 * (1.0 + b[i].abs()))
}

/// Equal rotations, whatever their sign.
fn same_turn(a: [f32; 4], b: [f64; 4]) -> bool {
    let dot: f64 = (0..4).map(|i| f64::from(a[i]) * b[i]).sum();
    let length: f64 = b.iter().map(|c| c * c).sum::<f64>().sqrt();
    (dot.abs() / length - 1.0).abs() < 1e-5
}

fn same_pose(a: &Pose64, b: &model::Pose) -> bool {
    near(a.position, b.at) && same_turn(a.rotation.to_array(), b.turned)
}

fn same_node(a: &WaypointNode, b: &model::Node) -> bool {
    match (a, b) {
        (WaypointNode::Position(a, ()), model::Node::Position(b)) => same_pose(a, b),
        (WaypointNode::Velocity(a), model::Node::Velocity(b)) => a == b,
        (WaypointNode::Stop, model::Node::Stop) => true,
        _ => false,
    }
}

/// The library's side of a tick, put together from its two halves as a game does.
fn library_tick(stage: &mut Stage, tick: &Tick) -> (Option<WaypointStep>, Option<Pose64>, Option<[f64; 3]>) {
    let &Tick { dt, max_speed, contact, sticky, moved, place } = tick;
    let walking = WaypointTick { dt, max_speed, contact, sticky };
    let Ok(step) = stage.queue.step(&stage.rules, &stage.body, &walking) else { return (None, None, None) };
    let taken = step.unwrap_or(WaypointStep::NONE);
    stage.body = WaypointStep { offset: moved.unwrap_or(taken.offset), ..taken }.apply(&stage.body);
    let end = stage.queue.end_tick(&stage.rules, &stage.body, dt).expect("dt was good for the step");
    match end.place {
        None => (step, None, end.velocity),
        Some(p) if place => {
            assert!(stage.queue.accept(&p));
            stage.body = p.pose;
            (step, Some(p.pose), p.velocity)
        }
        Some(p) => {
            assert!(stage.queue.refuse(&p));
            (step, None, None)
        }
    }
}

/// What happened often enough to trust the comparison.
#[derive(Debug, Default)]
struct Seen {
    steps: u32,
    placed: u32,
    failed: u32,
    evicted: u32,
    replaced: u32,
    exact: u32,
}

fn compare(seed: u64, rule: WaypointRule, seen: &mut Seen) {
    let mut random = Random(seed);
    let mut stage = Stage::new(WaypointSettings { rule, ..WaypointSettings::z_up() });
    stage.body = Pose64::new(random.place([0.0; 3]), random.turn());
    let mut model = Model::new(rule == WaypointRule::BySpeed, plain(&stage.body));
    // Some sequences mostly report, some mostly tick, some are mostly stuck: queues fill, drain and fail.
    let reports = random.pick(&[10, 25, 60, 90]);
    let stuck = random.pick(&[5, 30, 95]);
    let far = random.pick(&[100.0, 100.0, 25.0, 20.0, 1.0]);
    for event in 0..90 {
        let mut happened = (None, None, None);
        let mut expected = model::Outcome::default();
        let what = if random.percent(reports) { random.next() % 8 } else { 9 };
        match what {
            0..=4 => {
                let reference = match stage.queue.nodes().last() {
                    Some(WaypointNode::Position(pose, ())) if random.percent(50) => pose.position,
                    _ => stage.body.position,
                };
                let target = Pose64::new(random.place(reference), random.turn());
                let keep = random.percent(30);
                let report =
                    WaypointReport { keep_heading: keep, blip: Some(far), ..WaypointReport::new(0, target) };
                let enqueued = stage.queue.enqueue(&stage.rules, &stage.body, &report).unwrap();
                if let Enqueued::AlreadyThere { heading: Some(heading) } = enqueued {
                    stage.body.rotation = heading;
                }
                model.enqueue(plain(&target), keep, far);
            }
            5 => {
                let velocity = [random.unit(), -random.unit(), 0.5];
                stage.queue.enqueue_velocity(velocity).unwrap();
                model.append(model::Node::Velocity(velocity));
            }
            6 => {
                stage.queue.enqueue_stop();
                model.append(model::Node::Stop);
            }
            7 if random.percent(10) => {
                stage.queue.stop();
                model.stop();
            }
            7 => {
                // Someone else moves the body: often to exactly where a node counts as reached.
                if let Some(WaypointNode::Position(first, ())) = stage.queue.nodes().next() {
                    let [x, y, z] = first.position;
                    stage.body.position = [x - random.pick(&[0.05, 0.05, 0.2, 0.4]), y, z];
                    model.body.at = stage.body.position;
                }
            }
            _ => {
                let tick = random.tick(stuck);
                if let Some(WaypointNode::Position(first, ())) = stage.queue.nodes().next() {
                    seen.exact +=
                        u32::from(stage.rules.distance(stage.body.position, first.position) == 0.05);
                }
                happened = library_tick(&mut stage, &tick);
                expected = model.tick(&tick);
            }
        }
        let (step, placed, velocity) = happened;
        let steps_agree = match (step, expected.offset, expected.turn) {
            (None, None, None) => true,
            (Some(step), Some(offset), Some(turn)) => {
                near(step.offset, offset) && same_turn(step.turn.to_array(), turn)
            }
            _ => false,
        };
        let placements_agree = match (placed, expected.placed) {
            (None, None) => true,
            (Some(a), Some(b)) => same_pose(&a, &b),
            _ => false,
        };
        let baseline = stage.queue.baseline().unwrap_or(999_999.0);
        let agree = steps_agree
            && placements_agree
            && velocity == expected.velocity
            && same_pose(&stage.body, &model.body)
            && stage.queue.len() == model.nodes.len()
            && stage.queue.nodes().zip(&model.nodes).all(|(a, b)| same_node(&a, b))
            && stage.queue.failures() == model.failures
            && stage.queue.frames() == model.frames
            && (baseline - model.baseline).abs() <= 1e-9 * (1.0 + baseline)
            && stage.queue.keeps_heading() == model.keep_heading;
        assert!(
            agree,
            "seed {seed}, {rule:?}, event {event}: {happened:?} against {expected:?}\n{:?}\n{:?}\n{model:?}",
            stage.body, stage.queue
        );
        // Rounding must not pile up until a comparison falls to the other side.
        model.body = plain(&stage.body);
        model.baseline = baseline;
        seen.steps += u32::from(step.is_some());
        seen.placed += u32::from(placed.is_some());
    }
    let counts = stage.queue.counts();
    seen.failed += counts.failed;
    seen.evicted += counts.evicted;
    seen.replaced += counts.replaced;
}

#[test]
fn ten_thousand_random_sequences_agree_with_the_model() {
    let mut seen = Seen::default();
    for seed in 0..10_000 {
        compare(seed, WaypointRule::BySpeed, &mut seen);
        compare(seed, WaypointRule::ByTime, &mut seen);
    }
    let Seen { steps, placed, failed, evicted, replaced, exact } = seen;
    assert!([steps, placed, failed, evicted, replaced, exact].iter().all(|&n| n > 1000), "{seen:?}");
}

#[test]
fn no_input_whatsoever_breaks_it() {
    let mut random = Random(7);
    let mut bytes = [0u8; 512];
    for _ in 0..20_000 {
        bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&random.next().to_le_bytes()));
        chaos::run(&bytes);
    }
}

/// Half of all bytes choose one of the odd numbers: radii, speeds, ticks and shifts at the ends of f64 meet.
#[test]
fn no_meeting_of_extremes_breaks_it() {
    let mut random = Random(8);
    let mut bytes = [0u8; 512];
    for _ in 0..20_000 {
        for byte in &mut bytes {
            let bits = random.next();
            *byte = if bits >> 32 & 1 == 0 { (bits % 14) as u8 } else { bits as u8 };
        }
        chaos::run(&bytes);
    }
}

#[test]
fn radii_and_speeds_at_the_end_of_f64_give_finite_steps() {
    let rules = WaypointRules::z_up();
    for x in [1e-3, 0.5, 1.0, 1e10, 1e300, f64::MAX] {
        for radii in [0.0, 1e300, f64::MAX] {
            for (dt, max_speed) in [(f64::MAX, f64::MAX), (1.0, f64::MAX), (f64::MAX, 1.0), (5e-324, 5e-324)]
            {
                let mut body = RemoteBody::new();
                let _ = body.report(&rules, &WaypointReport::new(1, Pose64::at([0.0; 3])), 10.0).unwrap();
                body.stick_to(&rules, [x, -x, 0.0], radii).unwrap();
                match body.step(&rules, &WaypointTick::new(dt, max_speed), WaypointStep::NONE) {
                    Ok(Some(step)) => assert!(
                        step.offset.iter().all(|c| c.is_finite())
                            && step.turn.to_array().iter().all(|c| c.is_finite()),
                        "{x}, {radii}, {dt}, {max_speed}: {step:?}"
                    ),
                    Ok(None) => panic!("it is simulated"),
                    Err(error) => assert_eq!(error, WaypointError::Distance(f64::INFINITY), "{x}"),
                }
            }
        }
    }
}
