//! Another player walks around a wall; reports come now and then.

use super::Scenario;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::rivals::{Curve, Exponential, FixedDelay, Newest};
use crate::strategy::{Arrival, Shown, Strategy, play};
use crate::synthetic::{Link, patrol};
use crate::yardstick::{Place, Rules, Wall};
use portamento::blend::Pose64;
use portamento::remote::waypoints::{
    RemoteBody, WaypointError, WaypointReport, WaypointRule, WaypointRules, WaypointSettings, WaypointStep,
    WaypointTick,
};
use portamento::step::{GatedStepper, Stepper};

/// 6 m long, 0.6 m thick.
const WALL: Wall = Wall { low: [-3.0, -0.3, -1.0], high: [3.0, 0.3, 3.0] };
const SPEED: f64 = 3.0;

pub(super) fn jobs() -> Vec<Job> {
    let job = |(name, outage): (&'static str, bool)| {
        Job::new(name, move |name, options| case(name, outage, options))
    };
    [("around a wall, with outages", true), ("around a wall", false)].map(job).into()
}

fn case(name: &str, outage: bool, options: &Options) -> Case {
    let rate = options.tick_rate(3.0);
    let motion = patrol(3.0, 0.9, SPEED, options.seconds);
    let gaps = if outage { "; nothing for 1.8 s in every seven" } else { "" };
    let link =
        Link { outage: outage.then_some((2.0, 3.8, 7.0)), delay: 0.05, jitter: 0.02, ..Link::steady() };
    let feed = link.send(&motion, rate, &mut options.random(name));
    let frames = options.frames(60.0, 0.5, options.seconds);
    let setting = format!(
        "A walker at {SPEED} m/s around a wall, {rate} reports a second{gaps}; {}.",
        options.frames_name(60.0)
    );
    let rules = Rules { from: 3.0, path: 3.0, ..Rules::default() };
    let mut case = Case::new(Scenario::Wall, name, setting, motion.clone(), rules);
    case.wall = Some(WALL);
    case.add_floors(&feed, &frames, 0.3, Curve::Hermite);
    let mut draw = |kind, name: &str, strategy: &mut dyn Strategy<[f64; 3]>| {
        case.add(kind, name, play(strategy, &feed, &frames));
    };
    let clock = feed.delay_percentile(0.05);
    draw(Kind::Raw, "newest report drawn", &mut Newest::new());
    draw(Kind::Rival, "fixed delay, 1 interval", &mut FixedDelay::linear(clock, 1.0 / rate));
    draw(Kind::Rival, "Source-like", &mut FixedDelay::source_like(clock, 0.1));
    draw(Kind::Rival, "exponential 5/s", &mut Exponential::new(5.0));
    draw(Kind::Older, "waypoints, seed rule", &mut Walker::new(WaypointRule::ByTime));
    let client = || Walker::new(WaypointRule::BySpeed);
    draw(Kind::Ours, "portamento, waypoints", &mut client());
    let mut glided = Walker { glided: Some(Glided::default()), ..client() };
    draw(Kind::Ours, "portamento, glided waypoints", &mut glided);
    case
}

/// A remote body that walks in quanta and collides, drawn by the even gate.
struct Walker {
    rules: WaypointRules,
    body: RemoteBody,
    stepper: GatedStepper,
    last_frame: Option<f64>,
    glided: Option<Glided>,
}

/// The body runs to each report at twice its speed and waits for the next; a picture that glides after it does
/// neither.
#[derive(Default)]
struct Glided {
    drawn: [f64; 3],
    body: [f64; 3],
    started: bool,
}

impl Glided {
    fn follow(&mut self, body: [f64; 3], cut: bool, presented: f64) -> [f64; 3] {
        const RATE: f64 = 6.0;
        self.drawn = match self.started && !cut {
            true => {
                // Damping towards a body that moves in a straight line within the frame, solved exactly.
                let x = RATE * presented;
                let share = -libm::expm1(-x);
                let lead = if x > 0.0 { 1.0 / share - 1.0 / x } else { 1.0 };
                self.drawn.toward(self.body.toward(body, lead), share)
            }
            false => body,
        };
        (self.body, self.started) = (body, true);
        self.drawn
    }
}

impl Walker {
    fn new(rule: WaypointRule) -> Self {
        let settings = WaypointSettings { rule, ..WaypointSettings::z_up() };
        Self {
            rules: WaypointRules::new(settings).expect("the defaults work"),
            body: RemoteBody::new(),
            stepper: Stepper::gated(),
            last_frame: None,
            glided: None,
        }
    }

    fn tick(&mut self, dt: f64) -> Result<(), WaypointError> {
        let Some(&from) = self.body.truth() else { return Ok(()) };
        let tick = WaypointTick::new(dt, SPEED);
        let Some(step) = self.body.step(&self.rules, &tick, WaypointStep::NONE)? else { return Ok(()) };
        let there = Pose64 { position: slide(from.position, step.offset), ..step.apply(&from) };
        if let Some(placement) = self.body.moved(&self.rules, &there)?.place {
            self.body.accept(&placement);
        }
        Ok(())
    }
}

/// The physics of this world: a body of 0.3 m that slides along the wall, one axis after the other.
fn slide(from: [f64; 3], step: [f64; 3]) -> [f64; 3] {
    const RADIUS: f64 = 0.3;
    let thick = Wall { low: WALL.low.map(|c| c - RADIUS), high: WALL.high.map(|c| c + RADIUS) };
    let mut place = from;
    for axis in 0..3 {
        let mut next = place;
        next[axis] += step[axis];
        if thick.depth(next) == 0.0 {
            place = next;
        }
    }
    place
}

impl Strategy<[f64; 3]> for Walker {
    fn receive(&mut self, arrival: &Arrival<[f64; 3]>) {
        let report = WaypointReport::new(arrival.epoch as u16, Pose64::at(arrival.place));
        // Whether it walks or is put there does not matter to whoever only draws it.
        let _ = self.body.report(&self.rules, &report, 30.0).expect("the lab's reports are finite");
    }

    fn frame(&mut self, now: f64) -> Option<Shown<[f64; 3]>> {
        let dt = now - self.last_frame.replace(now).unwrap_or(now);
        let frame = self.stepper.frame(dt);
        for tick in frame.ticks {
            self.tick(tick.dt).expect("the lab's times are finite");
        }
        let view = self.body.draw(frame.moment)?;
        let place = match &mut self.glided {
            Some(glided) => glided.follow(view.now.position, view.cut, frame.moment.presented()),
            None => view.now.position,
        };
        Some(Shown { place, content: None })
    }
}
