//! Bytes become events, the worst of them included. Also the body of the fuzz target `waypoints`.

use portamento::Moment;
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    OwnPlayer, Placement, RemoteBody, Route, WaypointOutcome, WaypointReport, WaypointRule, WaypointRules,
    WaypointSettings, WaypointStep, WaypointTick, Waypoints,
};

/// A queue so short that evictions happen all the time.
const NODES: usize = 5;

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn flag(&mut self) -> Option<bool> {
        Some(self.byte()? & 1 == 1)
    }

    /// Any f64 there is, the odd ones often, the ordinary ones too.
    fn number(&mut self) -> Option<f64> {
        const ODD: [f64; 14] = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            5e-324,
            0.0,
            -0.0,
            0.05,
            0.2,
            1e300,
            -1e-300,
            999_999.0,
        ];
        Some(match self.byte()? {
            k @ 0..=13 => ODD[k as usize],
            14..=20 => {
                let mut bits = [0; 8];
                for byte in &mut bits {
                    *byte = self.byte()?;
                }
                f64::from_le_bytes(bits)
            }
            k => f64::from(k as i8) / 16.0,
        })
    }

    fn point(&mut self) -> Option<[f64; 3]> {
        Some([self.number()?, self.number()?, self.number()?])
    }

    fn rotation(&mut self) -> Option<Rotation> {
        Some(if self.byte()? < 200 {
            Rotation::from_axis_angle([0.0, 0.3, 1.0], self.number()? as f32)
        } else {
            let [x, y, z] = self.point()?.map(|c| c as f32);
            Rotation { x, y, z, w: self.number()? as f32 }
        })
    }

    fn pose(&mut self) -> Option<Pose64> {
        Some(Pose64::new(self.point()?, self.rotation()?))
    }

    fn tick(&mut self) -> Option<WaypointTick> {
        Some(WaypointTick {
            dt: if self.flag()? { 1.0 / 30.0 } else { self.number()? },
            max_speed: if self.flag()? { 4.0 } else { self.number()? },
            contact: self.byte()? > 30,
            sticky: self.byte()? < 30,
        })
    }

    fn step(&mut self) -> Option<WaypointStep> {
        Some(WaypointStep { offset: self.point()?, ..WaypointStep::NONE })
    }

    fn report(&mut self) -> Option<WaypointReport<u8>> {
        let stamps = self.byte()?;
        Some(WaypointReport {
            teleport: u16::from(stamps >> 6) << 14,
            sequence: (stamps & 1 == 1).then_some(u16::from(stamps) << 8),
            forced: u16::from(stamps >> 4 & 3) << 14,
            pose: self.pose()?,
            contact: self.flag()?,
            keep_heading: self.flag()?,
            indoors: self.flag()?,
            blip: if self.flag()? { Some(self.number()?) } else { None },
            payload: stamps,
        })
    }
}

fn finite(v: [f64; 3]) -> bool {
    v.iter().all(|c| c.is_finite())
}

fn sound(pose: &Pose64) -> bool {
    finite(pose.position) && unit(pose.rotation)
}

fn unit(rotation: Rotation) -> bool {
    (rotation.to_array().iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-3
}

fn check_step(step: &WaypointStep, limit: f64) {
    let length = step.offset.iter().fold(0.0, |sum: f64, c| sum.hypot(*c));
    assert!(finite(step.offset) && unit(step.turn), "{step:?}");
    // Rounding, also of the smallest numbers there are.
    let slack = limit * 1e-12 + f64::MIN_POSITIVE;
    assert!(length <= limit + slack || limit.is_infinite(), "{step:?} is longer than {limit}");
}

fn speed(factor: f64, max_speed: f64, fallback: f64) -> f64 {
    if factor * max_speed < 0.0002 { fallback } else { factor * max_speed }
}

fn check_outcome(outcome: &WaypointOutcome<u8>) {
    assert!(outcome.velocity.is_none_or(finite), "{outcome:?}");
    let good = |p: &Placement<u8>| sound(&p.pose) && p.velocity.is_none_or(finite);
    assert!(outcome.place.as_ref().is_none_or(good), "{outcome:?}");
}

fn check_queue<const N: usize>(queue: &Waypoints<u8, N>) {
    assert!(queue.len() <= N && queue.nodes().len() == queue.len());
    assert!(queue.baseline().is_none_or(|d| d.is_finite() && d >= 0.0), "{queue:?}");
}

#[derive(Default)]
struct World {
    queue: Waypoints<u8, NODES>,
    body: Pose64,
    asked: Option<Placement<u8>>,
    remote: RemoteBody<u8, NODES, 3>,
    remote_asked: Option<Placement<u8>>,
    me: OwnPlayer,
}

/// Plays `bytes` against a bare queue, a whole body and one's own player; panics when a promise is broken.
pub fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let rule = if input.flag().unwrap_or(false) { WaypointRule::ByTime } else { WaypointRule::BySpeed };
    let rules =
        WaypointRules::new(WaypointSettings { rule, ..WaypointSettings::z_up() }).expect("the presets work");
    let mut world = World::default();
    while event(&mut input, &rules, &mut world).is_some() {
        let World { queue, remote, .. } = &world;
        check_queue(queue);
        check_queue(remote.waypoints());
        assert!(remote.truth().is_none_or(sound), "{remote:?}");
        assert!(remote.view(Moment::at(0.3, 0.0)).is_none_or(|view| sound(&view)), "{remote:?}");
        assert!(
            remote.state(&rules).strayed.is_none_or(f64::is_finite)
                && remote.state(&rules).seconds_skipped.is_finite()
        );
    }
    check_save(&world);
}

/// What was reached by calls alone can be saved and read again.
#[cfg(feature = "serde")]
fn check_save(world: &World) {
    let text = serde_json::to_string(&(&world.queue, &world.remote, &world.me)).unwrap();
    let read: Result<(Waypoints<u8, NODES>, RemoteBody<u8, NODES, 3>, OwnPlayer), _> =
        serde_json::from_str(&text);
    let read = read.unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!((&read.0, &read.1, &read.2) == (&world.queue, &world.remote, &world.me), "{text}");
}

#[cfg(not(feature = "serde"))]
fn check_save(_: &World) {}

fn event(input: &mut Input, rules: &WaypointRules, world: &mut World) -> Option<()> {
    let World { queue, body, asked, remote, remote_asked, me } = world;
    match input.byte()? % 16 {
        0 | 1 => {
            let report = input.report()?;
            let before = queue.clone();
            if queue.enqueue(rules, body, &report).is_err() {
                assert_eq!(queue.counts().unusable, before.counts().unusable + 1);
                assert!(queue.nodes().eq(before.nodes()), "what is refused changes nothing");
            }
        }
        2 => {
            let velocity = input.point()?;
            assert_eq!(queue.enqueue_velocity(velocity).is_ok(), finite(velocity));
            let _ = remote.enqueue_velocity(velocity);
        }
        3 => {
            queue.enqueue_stop();
            remote.enqueue_stop();
        }
        4 => *body = input.pose()?,
        5 => {
            if let Some(placement) = asked {
                let _ = if input.flag()? { queue.accept(placement) } else { queue.refuse(placement) };
            }
        }
        6 | 7 => {
            let tick = input.tick()?;
            if let Ok(Some(step)) = queue.step(rules, body, &tick) {
                check_step(&step, speed(2.0, tick.max_speed, 7.5) * tick.dt);
                *body = step.apply(body);
                assert!(finite(body.position));
            }
            if let Ok(outcome) = queue.end_tick(rules, body, tick.dt) {
                check_outcome(&outcome);
                *asked = outcome.place.or(*asked);
            }
        }
        8 => {
            let report = input.report()?;
            let before = remote.clone();
            let routed = remote.report(rules, &report, input.number()?);
            assert_eq!(remote.truth().is_some(), before.truth().is_some() || routed.is_ok());
            if routed.is_err() {
                assert_eq!(remote.truth(), before.truth(), "what is refused changes nothing");
                assert!(remote.waypoints().nodes().eq(before.waypoints().nodes()));
            }
        }
        9 => remote.frame(rules, input.number()?, input.number()?),
        10 => {
            if let Ok(outcome) = remote.walk(rules, &input.tick()?) {
                check_outcome(&outcome);
            }
        }
        11 => {
            let (tick, root) = (input.tick()?, input.step()?);
            if let Ok(Some(step)) = remote.step(rules, &tick, root) {
                assert!(finite(step.offset) && unit(step.turn), "{step:?}");
            }
            let truth =
                if input.flag()? { input.pose()? } else { remote.truth().copied().unwrap_or_default() };
            if let Ok(outcome) = remote.moved(rules, &truth) {
                check_outcome(&outcome);
                *remote_asked = outcome.place.or(*remote_asked);
            }
        }
        12 => {
            if let Some(placement) = remote_asked {
                let placed = if input.flag()? { remote.accept(placement) } else { remote.refuse(placement) };
                assert!(!placed || sound(&placement.pose));
            }
        }
        13 => {
            let shift = input.point()?;
            if finite(shift) {
                let move_by = |pose: &mut Pose64| {
                    pose.position.iter_mut().zip(shift).for_each(|(place, shift)| *place += shift);
                };
                queue.rebase(move_by);
                remote.rebase(move_by);
                me.rebase(move_by);
            }
        }
        14 => {
            let mut put = Pose64::default();
            match me.echo(&input.report()?, &mut put) {
                Ok(Route::Cut | Route::Place) => assert!(sound(&put)),
                _ => {
                    let (body, step) = (input.pose()?, input.step()?);
                    match me.limit(rules, &body, step, input.flag()?) {
                        Ok(left) => {
                            assert!(finite(left.offset), "{step:?} became {left:?}");
                            assert!(me.state(rules, &body).strayed.is_none_or(f64::is_finite));
                        }
                        Err(_) => assert!(!finite(body.position) || !finite(step.offset)),
                    }
                }
            }
        }
        _ => {
            let (target, radii, tick) = (input.point()?, input.number()?, input.tick()?);
            let stuck = remote.stick_to(rules, target, radii);
            assert_eq!(stuck.is_ok(), finite(target) && radii.is_finite() && radii >= 0.0);
            let _ = remote.follow(input.point()?);
            if let Ok(Some(step)) = remote.step(rules, &tick, WaypointStep::NONE) {
                let fast = speed(5.0, tick.max_speed, 15.0).max(speed(2.0, tick.max_speed, 7.5));
                check_step(&step, fast * tick.dt);
            }
        }
    }
    Some(())
}
