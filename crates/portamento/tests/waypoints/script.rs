//! Rows of a table: what happens to one body on a line, and what must then be true.

use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{
    Enqueued, WaypointCounts, WaypointNode, WaypointReport, WaypointRule, WaypointRules, WaypointSettings,
    WaypointStep, WaypointTick, Waypoints,
};

pub const BOTH: &[WaypointRule] = &[WaypointRule::BySpeed, WaypointRule::ByTime];
pub const BY_SPEED: &[WaypointRule] = &[WaypointRule::BySpeed];
pub const BY_TIME: &[WaypointRule] = &[WaypointRule::ByTime];

/// What happens. Places are distances along x.
#[derive(Clone, Copy, Debug)]
pub enum Do {
    /// A report at x, blip distance 100, not keeping the heading.
    At(f64),
    /// The same, keeping the heading.
    Keep(f64),
    /// A report at x with this blip distance.
    Blip(f64, f64),
    /// A report at x, turned by this many degrees about z and then tilted by 30 about x; whether to keep the heading.
    Turned(f64, f32, bool),
    Velocity(f64),
    StopNode,
    Stop,
    /// A quantum of 0.125 s at top speed 4: the queue walks 1.0. The body takes the step.
    Tick,
    /// The same, but the body really moved by this.
    Moved(f64),
    /// The same, with everything chosen.
    Full(Ticking),
    /// The body is put at x, unseen by the queue.
    Body(f64),
    /// The body is turned by this many degrees about z, then tilted by 30 about x.
    BodyTurned(f32),
}

#[derive(Clone, Copy, Debug)]
pub struct Ticking {
    pub dt: f64,
    pub max_speed: f64,
    pub contact: bool,
    pub sticky: bool,
    pub moved: Option<f64>,
    pub place: bool,
}

pub const TICK: Ticking =
    Ticking { dt: 0.125, max_speed: 4.0, contact: true, sticky: false, moved: None, place: true };

/// Four quanta in which the body is stuck, and a fifth: a window ends.
pub const STUCK_WINDOW: [Do; 5] = [Do::Moved(0.0); 5];

/// What must be true after the last event. Places are distances along x.
#[derive(Clone, Copy, Debug)]
pub enum Want {
    Depth(usize),
    /// The positions in the queue; other nodes are left out.
    Positions(&'static [f64]),
    Failures(u32),
    Frames(u32),
    Baseline(f64),
    NoBaseline,
    X(f64),
    Offset(f64),
    NoOffset,
    /// The step turns to the heading and tilt of `Do::Turned`.
    TurnsTo(f32),
    TurnsNot,
    Placed(f64),
    /// The rotation of the placement is `Do::Turned`'s.
    PlacedTurned(f32),
    /// The rotation of the placement is a pure turn about up by this many degrees.
    PlacedHeading(f32),
    NotPlaced,
    VelocitySet(f64),
    NoVelocity,
    /// The body is turned by this many degrees about up, and not tilted.
    Heading(f32),
    /// The body is turned and tilted as by `Do::BodyTurned`.
    StillTurned(f32),
    KeepsHeading(bool),
    Evicted(u32),
    Replaced(u32),
    Failed(u32),
    Refused(u32),
    Unusable(u32),
}

pub struct Row {
    pub name: &'static str,
    pub rules: &'static [WaypointRule],
    pub events: Vec<Do>,
    pub want: Vec<Want>,
}

pub fn row(name: &'static str, rules: &'static [WaypointRule], events: Vec<Do>, want: Vec<Want>) -> Row {
    Row { name, rules, events, want }
}

pub fn tilted(degrees: f32) -> Rotation {
    let tilt = Rotation::from_axis_angle([1.0, 0.0, 0.0], 30f32.to_radians());
    heading(degrees) * tilt
}

pub fn heading(degrees: f32) -> Rotation {
    Rotation::from_axis_angle([0.0, 0.0, 1.0], degrees.to_radians())
}

fn at(x: f64) -> Pose64 {
    Pose64::at([x, 0.0, 0.0])
}

/// One body, its queue and what the last event did.
pub struct Stage {
    pub rules: WaypointRules,
    pub queue: Waypoints,
    pub body: Pose64,
    pub step: Option<WaypointStep>,
    placed: Option<Pose64>,
    velocity: Option<[f64; 3]>,
    before: Rotation,
}

impl Stage {
    pub fn new(constants: WaypointSettings) -> Self {
        Self {
            rules: WaypointRules::new(constants).expect("rows use constants that work"),
            queue: Waypoints::new(),
            body: at(0.0),
            step: None,
            placed: None,
            velocity: None,
            before: Rotation::IDENTITY,
        }
    }

    fn enqueue(&mut self, target: Pose64, keep: bool, blip: f64) {
        let enqueued = self.queue.enqueue(
            &self.rules,
            &self.body,
            &WaypointReport { keep_heading: keep, blip: Some(blip), ..WaypointReport::new(0, target) },
        );
        if let Ok(Enqueued::AlreadyThere { heading: Some(heading) }) = enqueued {
            self.body.rotation = heading;
        }
    }

    fn tick(&mut self, tick: Ticking) {
        let Ticking { dt, max_speed, contact, sticky, moved, place } = tick;
        let tick = WaypointTick { dt, max_speed, contact, sticky };
        self.before = self.body.rotation;
        let Ok(step) = self.queue.step(&self.rules, &self.body, &tick) else {
            // A quantum of unusable length is a pure read from its beginning to its end.
            let end = self.queue.end_tick(&self.rules, &self.body, dt);
            assert_eq!(end.is_ok(), dt > 0.0 && dt.is_finite());
            return;
        };
        self.step = step;
        let taken = step.unwrap_or(WaypointStep::NONE);
        let offset = moved.map_or(taken.offset, |x| [x, 0.0, 0.0]);
        self.body = WaypointStep { offset, ..taken }.apply(&self.body);
        let end = self.queue.end_tick(&self.rules, &self.body, dt).expect("dt was good for the step");
        self.velocity = end.velocity;
        match end.place {
            Some(p) if place => {
                assert!(self.queue.accept(&p));
                (self.body, self.placed, self.velocity) = (p.pose, Some(p.pose), p.velocity);
            }
            Some(p) => assert!(self.queue.refuse(&p)),
            None => {}
        }
    }

    pub fn happen(&mut self, event: Do) {
        (self.step, self.placed, self.velocity) = (None, None, None);
        match event {
            Do::At(x) => self.enqueue(at(x), false, 100.0),
            Do::Keep(x) => self.enqueue(at(x), true, 100.0),
            Do::Blip(x, blip) => self.enqueue(at(x), false, blip),
            Do::Turned(x, degrees, keep) => {
                self.enqueue(Pose64::new([x, 0.0, 0.0], tilted(degrees)), keep, 100.0);
            }
            Do::Velocity(v) => {
                self.queue.enqueue_velocity([v, 0.0, 0.0]).expect("rows use finite velocities")
            }
            Do::StopNode => self.queue.enqueue_stop(),
            Do::Stop => self.queue.stop(),
            Do::Tick => self.tick(TICK),
            Do::Moved(x) => self.tick(Ticking { moved: Some(x), ..TICK }),
            Do::Full(tick) => self.tick(tick),
            Do::Body(x) => self.body.position = [x, 0.0, 0.0],
            Do::BodyTurned(degrees) => self.body.rotation = tilted(degrees),
        }
    }

    pub fn holds(&self, want: Want) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let same = |a: Rotation, b: Rotation| a.angle_to(b) < 1e-3;
        let WaypointCounts { evicted, replaced, failed, refused, unusable, .. } = self.queue.counts();
        match want {
            Want::Depth(n) => self.queue.len() == n && self.queue.nodes().count() == n,
            Want::Positions(xs) => {
                let positions = self.queue.nodes().filter_map(|node| match node {
                    WaypointNode::Position(pose, ()) => Some(pose.position[0]),
                    _ => None,
                });
                positions.eq(xs.iter().copied())
            }
            Want::Failures(n) => self.queue.failures() == n,
            Want::Frames(n) => self.queue.frames() == n,
            Want::Baseline(d) => self.queue.baseline().is_some_and(|b| near(b, d)),
            Want::NoBaseline => self.queue.baseline().is_none(),
            Want::X(x) => near(self.body.position[0], x),
            Want::Offset(x) => self.step.is_some_and(|s| near(s.offset[0], x)),
            Want::NoOffset => self.step.is_none(),
            Want::TurnsTo(degrees) => self.step.is_some_and(|s| same(self.before * s.turn, tilted(degrees))),
            Want::TurnsNot => self.step.is_some_and(|s| s.turn == Rotation::IDENTITY),
            Want::Placed(x) => {
                self.placed.is_some_and(|p| near(p.position[0], x)) && near(self.body.position[0], x)
            }
            Want::PlacedTurned(degrees) => self.placed.is_some_and(|p| same(p.rotation, tilted(degrees))),
            Want::PlacedHeading(degrees) => self.placed.is_some_and(|p| same(p.rotation, heading(degrees))),
            Want::NotPlaced => self.placed.is_none(),
            Want::VelocitySet(v) => self.velocity == Some([v, 0.0, 0.0]),
            Want::NoVelocity => self.velocity.is_none(),
            Want::Heading(degrees) => same(self.body.rotation, heading(degrees)),
            Want::StillTurned(degrees) => same(self.body.rotation, tilted(degrees)),
            Want::KeepsHeading(keeps) => self.queue.keeps_heading() == keeps,
            Want::Evicted(n) => evicted == n,
            Want::Replaced(n) => replaced == n,
            Want::Failed(n) => failed == n,
            Want::Refused(n) => refused == n,
            Want::Unusable(n) => unusable == n,
        }
    }
}

/// Plays every row under every rule it names, and lists all that do not hold.
pub fn play(rows: &[Row]) {
    play_with(rows, WaypointSettings::z_up());
}

pub fn play_with(rows: &[Row], constants: WaypointSettings) {
    let mut wrong = String::new();
    for row in rows {
        for &rule in row.rules {
            let mut stage = Stage::new(WaypointSettings { rule, ..constants });
            row.events.iter().for_each(|&event| stage.happen(event));
            for &want in &row.want {
                if !stage.holds(want) {
                    wrong += &format!(
                        "\n{rule:?}: {}: wanted {want:?}; body {:?}, step {:?}, placed {:?}, velocity {:?}, {:?}\n",
                        row.name, stage.body, stage.step, stage.placed, stage.velocity, stage.queue
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
