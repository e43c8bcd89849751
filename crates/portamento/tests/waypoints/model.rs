//! The queue once more, as plainly as it can be said: growing vectors, f64 throughout, no care for speed, nothing
//! of the library. What it and the library disagree about is a mistake in one of them.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub at: [f64; 3],
    /// x y z w
    pub turned: [f64; 4],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    Position(Pose),
    Velocity([f64; 3]),
    Stop,
}

#[derive(Clone, Debug)]
pub struct Model {
    pub client: bool,
    pub body: Pose,
    pub nodes: Vec<Node>,
    pub keep_heading: bool,
    pub frames: u32,
    pub sum_dt: f64,
    pub baseline: f64,
    pub failures: u32,
    pub blip_to: Option<Pose>,
}

#[derive(Clone, Copy, Debug)]
pub struct Tick {
    pub dt: f64,
    pub max_speed: f64,
    pub contact: bool,
    pub sticky: bool,
    pub moved: Option<[f64; 3]>,
    pub place: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    pub offset: Option<[f64; 3]>,
    pub turn: Option<[f64; 4]>,
    pub placed: Option<Pose>,
    pub velocity: Option<[f64; 3]>,
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2) + (b[2] - a[2]).powi(2)).sqrt()
}

fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn conjugate([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

/// The turn about z alone.
fn heading([_, _, z, w]: [f64; 4]) -> [f64; 4] {
    let length = z.hypot(w);
    if length < 1e-6 { [0.0, 0.0, 0.0, 1.0] } else { [0.0, 0.0, z / length, w / length] }
}

impl Model {
    pub fn new(client: bool, body: Pose) -> Self {
        Self {
            client,
            body,
            nodes: vec![],
            keep_heading: false,
            frames: 0,
            sum_dt: 0.0,
            baseline: 999_999.0,
            failures: 0,
            blip_to: None,
        }
    }

    pub fn append(&mut self, node: Node) {
        self.nodes.push(node);
        if self.nodes.len() > 32 {
            self.nodes.remove(0);
        }
    }

    pub fn enqueue(&mut self, mut target: Pose, keep: bool, blip: f64) {
        let reference = match self.nodes.last() {
            Some(Node::Position(pose)) => pose.at,
            _ => self.body.at,
        };
        if distance(reference, target.at) > blip {
            if if self.client { self.keep_heading } else { keep } {
                target.turned = heading(self.body.turned);
            }
            self.append(Node::Position(target));
            self.failures = 4;
            return;
        }
        if distance(self.body.at, target.at) <= 0.05 {
            if !keep {
                self.body.turned = heading(target.turned);
            }
            self.stop();
            return;
        }
        while let Some(Node::Position(newest)) = self.nodes.last() {
            let d = distance(newest.at, target.at);
            if d < 0.05 || !self.client && d == 0.05 {
                self.nodes.pop();
            } else {
                break;
            }
        }
        if self.client {
            while self.nodes.len() >= 20 {
                self.nodes.remove(0);
            }
        } else if self.nodes.len() >= 20 {
            self.nodes.remove(0);
        }
        self.keep_heading = keep;
        self.append(Node::Position(target));
    }

    pub fn stop(&mut self) {
        self.nodes.clear();
        self.frames = 0;
        self.sum_dt = 0.0;
        self.failures = 0;
        self.blip_to = None;
        self.baseline = 999_999.0;
    }

    fn completed(&mut self, success: bool) {
        self.frames = 0;
        self.sum_dt = 0.0;
        let removed = self.nodes.remove(0);
        let remember = match removed {
            Node::Position(pose) => Some(pose),
            _ => None,
        };
        match self.nodes.first() {
            None => {
                self.baseline = 999_999.0;
                if success {
                    self.stop();
                } else {
                    self.blip_to = remember;
                }
            }
            Some(Node::Position(next)) => self.baseline = distance(self.body.at, next.at),
            Some(_) => {
                if !success {
                    self.blip_to = remember;
                }
            }
        }
    }

    fn adjust(&mut self, tick: &Tick) -> Option<([f64; 3], [f64; 4])> {
        let Some(&Node::Position(node)) = self.nodes.first() else { return None };
        if !tick.contact {
            return None;
        }
        let d = distance(self.body.at, node.at);
        if d < 0.05 || !self.client && d == 0.05 {
            self.completed(true);
            return None;
        }
        let mut speed = 2.0 * tick.max_speed;
        if speed < 0.0002 {
            speed = 7.5;
        }
        self.sum_dt += tick.dt;
        self.frames += 1;
        if self.frames >= 5 {
            let progress = self.baseline - d;
            let passed = if tick.sticky {
                true
            } else if self.client {
                progress >= 0.0002 && progress / self.sum_dt / speed >= 0.30
            } else {
                progress >= 0.20 || progress > 0.0002 && progress / self.sum_dt / tick.dt >= 0.30
            };
            if passed {
                self.frames = 0;
                self.sum_dt = 0.0;
                self.baseline = d;
            } else if self.client && d < 0.20 {
                self.completed(true);
                return None;
            } else {
                self.failures += 1;
                self.completed(false);
                return None;
            }
        }
        let length = (speed * tick.dt).min(d);
        let offset = [0, 1, 2].map(|i| (node.at[i] - self.body.at[i]) / d * length);
        let turn = if self.keep_heading {
            [0.0, 0.0, 0.0, 1.0]
        } else {
            product(conjugate(self.body.turned), node.turned)
        };
        if d == 0.05 {
            self.completed(true);
        }
        Some((offset, turn))
    }

    fn use_time(&mut self, place: bool, outcome: &mut Outcome) {
        if self.failures > 3 || self.nodes.is_empty() && self.failures > 0 {
            let (there, velocity) = match self.nodes.last() {
                None => (self.blip_to, None),
                Some(&Node::Position(pose)) => (Some(pose), None),
                Some(&newest) => {
                    let last_position = self.nodes.iter().rev().find_map(|node| match node {
                        Node::Position(pose) => Some(*pose),
                        _ => None,
                    });
                    let velocity = match newest {
                        Node::Velocity(velocity) => velocity,
                        _ => [0.0; 3],
                    };
                    match last_position {
                        Some(pose) => (Some(pose), Some(velocity)),
                        None => (self.blip_to, None),
                    }
                }
            };
            match there {
                None => self.failures = 0,
                Some(pose) if place => {
                    self.body = pose;
                    outcome.placed = Some(pose);
                    outcome.velocity = velocity;
                    self.stop();
                }
                Some(_) => {}
            }
            return;
        }
        match self.nodes.first() {
            Some(&Node::Velocity(velocity)) => {
                outcome.velocity = Some(velocity);
                self.completed(true);
            }
            Some(Node::Stop) => self.completed(true),
            _ => {}
        }
    }

    pub fn tick(&mut self, tick: &Tick) -> Outcome {
        let mut outcome = Outcome::default();
        if !tick.dt.is_finite() || tick.dt <= 0.0 {
            return outcome;
        }
        let step = self.adjust(tick);
        if let Some((offset, turn)) = step {
            outcome.offset = Some(offset);
            outcome.turn = Some(turn);
            self.body.turned = product(self.body.turned, turn);
        }
        let moved = tick.moved.or(outcome.offset).unwrap_or_default();
        self.body.at = [0, 1, 2].map(|i| self.body.at[i] + moved[i]);
        self.use_time(tick.place, &mut outcome);
        outcome
    }
}
