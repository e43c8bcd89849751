//! Bytes become events, the worst of them included. Also the body of the fuzz target `waypoints`.

use portamento::Moment;
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    Constraint, FlatSpace, Placement, PlacementAnswer, Quantum, QuantumEnd, RemoteBody, Sticky, Surroundings,
    TeleportStamp, WaypointReport, WaypointRule, WaypointRules, WaypointSettings, WaypointStep, Waypoints,
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

    fn quantum(&mut self) -> Option<Quantum> {
        Some(Quantum {
            dt: if self.flag()? { 1.0 / 30.0 } else { self.number()? },
            max_speed: if self.flag()? { 4.0 } else { self.number()? },
            contact: self.byte()? > 30,
            sticky: self.byte()? < 30,
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
    (rotation.dot(rotation) - 1.0).abs() < 1e-3
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

fn check_placement(placement: &Placement) {
    assert!(sound(&placement.pose) && placement.velocity.is_none_or(finite), "{placement:?}");
}

fn check_queue<const N: usize>(queue: &Waypoints<N>) {
    assert!(queue.len() <= N && queue.nodes().len() == queue.len());
    assert!(queue.baseline().is_none_or(|d| d.is_finite() && d >= 0.0), "{queue:?}");
}

/// Plays `bytes` against a bare queue and a whole body; panics when a promise is broken.
pub fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let rule = if input.flag().unwrap_or(false) { WaypointRule::Seed } else { WaypointRule::Client };
    let rules = WaypointRules::with(WaypointSettings { rule, ..WaypointSettings::client() }, FlatSpace::Z_UP)
        .expect("the presets work");
    let mut queue = Waypoints::<NODES>::default();
    let mut body = Pose64::default();
    let mut asked: Option<Placement> = None;
    let mut remote = RemoteBody::<NODES, 3>::default();
    while event(&mut input, &rules, &mut queue, &mut body, &mut asked, &mut remote).is_some() {
        check_queue(&queue);
        check_queue(&remote.steering.queue);
        assert!(sound(remote.truth()) && sound(&remote.view(Moment::at(0.3, 0.0))), "{remote:?}");
    }
}

fn event(
    input: &mut Input,
    rules: &WaypointRules,
    queue: &mut Waypoints<NODES>,
    body: &mut Pose64,
    asked: &mut Option<Placement>,
    remote: &mut RemoteBody<NODES, 3>,
) -> Option<()> {
    match input.byte()? % 12 {
        0 | 1 => {
            let (target, keep, blip) = (input.pose()?, input.flag()?, input.number()?);
            let before = queue.clone();
            if queue.enqueue(rules, body, &target, keep, blip).is_err() {
                assert_eq!(queue.counts().unusable, before.counts().unusable + 1);
                assert!(queue.nodes().eq(before.nodes()), "what is refused changes nothing");
            }
        }
        2 => {
            let velocity = input.point()?;
            assert_eq!(queue.enqueue_velocity(velocity).is_ok(), finite(velocity));
        }
        3 => queue.enqueue_stop(),
        4 => *body = input.pose()?,
        5 => {
            if let Some(placement) = *asked {
                let answer = if input.flag()? { PlacementAnswer::Placed } else { PlacementAnswer::Refused };
                queue.acknowledge(placement.version, answer);
            }
        }
        6 | 7 => {
            let quantum = input.quantum()?;
            if let Ok(Some(step)) = queue.adjust(rules, body, &quantum) {
                check_step(&step, speed(2.0, quantum.max_speed, 7.5) * quantum.dt);
                *body = step.apply(body);
            }
            match queue.use_time(rules, body, quantum.dt) {
                Ok(QuantumEnd::Place(placement)) => {
                    check_placement(&placement);
                    *asked = Some(placement);
                }
                Ok(QuantumEnd::Velocity(velocity)) => assert!(finite(velocity)),
                _ => {}
            }
        }
        8 => {
            let report = WaypointReport {
                stamp: TeleportStamp(u16::from(input.byte()?) << 8),
                pose: input.pose()?,
                contact: input.flag()?,
                keep_heading: input.flag()?,
                surroundings: if input.flag()? { Surroundings::Indoors } else { Surroundings::Outdoors },
            };
            let before = remote.is_in_world();
            let routed = remote.report(rules, &report, input.number()?);
            assert!(before || routed.is_err() || remote.is_in_world());
        }
        9 => remote.frame(rules, input.number()?, input.number()?),
        10 => {
            let quantum = input.quantum()?;
            let settled = remote.walk(rules, &quantum, input.number()?);
            if let Ok(settled) = settled {
                assert!(settled.placed.is_none_or(|p| sound(&p)) && settled.velocity.is_none_or(finite));
            }
        }
        _ => {
            let quantum = input.quantum()?;
            if let Ok(mut sticky) = Sticky::to(rules, input.point()?, input.number()?, input.number()?) {
                let _ = sticky.follow(input.point()?);
                if let Ok(step) = sticky.adjust(rules, body, &quantum) {
                    check_step(&step, speed(5.0, quantum.max_speed, 15.0) * quantum.dt);
                }
                remote.steering.sticky = Some(sticky);
            }
            let (anchor, here) = (input.point()?, input.point()?);
            if let Ok(mut leash) = Constraint::new(rules, anchor, here, Surroundings::Indoors) {
                let offset = input.point()?;
                let left = leash.adjust(offset, quantum.contact);
                assert!(!finite(offset) || finite(left), "{offset:?} became {left:?}");
                assert!(!leash.travelled().is_nan());
                remote.steering.constraint = Some(leash);
            }
        }
    }
    Some(())
}
