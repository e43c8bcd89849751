//! A camera behind a runner at even speed, with frames that come as they like.

use super::Scenario;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::Feed;
use crate::strategy::ours::{OwnFrame, OwnLoop};
use crate::strategy::rivals::Curve;
use crate::yardstick::{Motion, Place, Rules};
use portamento::blend::Pose64;
use portamento::camera::{ChaseCamera, ChaseRule, ChaseSettings};
use portamento::step::Stepper;

const SPEED: f64 = 10.0;

pub(super) fn jobs(options: &Options) -> Vec<Job> {
    let mut rates = [30.0, 60.0, 144.0].map(|rate| options.frame_rate(rate)).to_vec();
    rates.dedup();
    let job = |rate: f64| {
        let name = format!("chase camera, {}", options.frames_name(rate));
        Job::new(name, move |name, options| case(name, rate, options))
    };
    rates.into_iter().map(job).collect()
}

fn case(name: &str, rate: f64, options: &Options) -> Case {
    let ticks = options.tick_rate(60.0);
    let display = options.jittered_frames(rate, 0.3, name);
    let ideal = chase(ChaseRule::Smooth).shot().eye;
    let motion = Motion::sampled(options.seconds, 100.0, |t| [ideal[0], ideal[1] + SPEED * t, ideal[2]]);
    let jitter = if options.intervals.is_some() { "" } else { " that vary by 30 %" };
    let setting = format!(
        "A runner at {SPEED} m/s, ticks at {ticks} Hz, {}{jitter}; drawn is the camera's eye.",
        options.frames_name(rate)
    );
    // A camera is behind by design; how far is its latency, and only its shaking is judder.
    let rules = Rules { from: 3.0, ..Rules::default() };
    let mut case = Case::new(Scenario::Camera, name, setting, motion.clone(), rules);
    let body = OwnLoop { truth: &|t| [0.0, SPEED * t, 0.0], display: &display, readings: &display };
    // What is drawn is the eye; its picture shows the moment that the body is drawn at.
    let mut film = |kind, name: &str, eye: &mut dyn FnMut(&OwnFrame) -> [f64; 3]| {
        let stepper = Stepper::fixed(ticks).expect("the command line refuses rates that make no sense");
        case.add(kind, name, body.draw(stepper, |frame| (eye(frame), frame.times.view(frame.moment))));
    };
    let behind = |body: &[f64; 3]| body.plus(ideal);
    let view = |frame: &OwnFrame| frame.places.view(frame.moment);
    film(Kind::Raw, "rigid, behind the newest tick", &mut |frame| behind(frame.places.truth()));
    let mut eye = ideal;
    film(Kind::Rival, "a tenth of the way per frame", &mut |frame| {
        eye = eye.toward(behind(&view(frame)), 0.1);
        eye
    });
    let mut eye = ideal;
    film(Kind::Rival, "exponential 4.5/s", &mut |frame| {
        eye = eye.toward(behind(&view(frame)), 1.0 - libm::exp(-4.5 * frame.seconds));
        eye
    });
    for (kind, name, rule) in [
        (Kind::Older, "client rule", ChaseRule::PerFrame),
        (Kind::Ours, "portamento, smooth rule", ChaseRule::Smooth),
    ] {
        let mut camera = chase(rule);
        film(kind, name, &mut |frame| camera.update(frame.moment, Pose64::at(view(frame))).eye);
    }
    let lag = case.ours().map_or(0.0, |row| row.figures.latency);
    case.add_floors(&Feed::instant(&motion, ticks), &display, lag, Curve::Linear);
    case.rows.rotate_right(2);
    case
}

fn chase(rule: ChaseRule) -> ChaseCamera {
    ChaseCamera::new(ChaseSettings { rule, ..ChaseSettings::z_up() }).expect("the default settings are good")
}
