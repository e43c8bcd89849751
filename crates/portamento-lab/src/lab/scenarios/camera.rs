//! A camera behind a runner at even speed, with frames that come as they like.

use super::Scenario;
use crate::lab::own_loop::Ends;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::oracle::{OracleBlend, oracle};
use crate::strategy::{Drawn, Feed, play};
use crate::synthetic::jittered_frames;
use crate::yardstick::{Motion, Place, Rules};
use portamento::blend::{Pose64, Rotation};
use portamento::camera::{ChaseCamera, ChaseRule, ChaseSettings};
use portamento::step::{Moment, Stepper};

const SPEED: f64 = 10.0;

pub(super) fn jobs(options: &Options) -> Vec<Job> {
    let mut rates = [30.0, 60.0, 144.0].map(|rate| options.frame_rate.unwrap_or(rate)).to_vec();
    if options.intervals.is_some() {
        rates.truncate(1);
    }
    rates.dedup();
    let job = |rate: f64| {
        let name = format!("chase camera, {}", options.frames_name(rate));
        Job::new(Scenario::Camera, name.clone(), move |options| case(&name, rate, options))
    };
    rates.into_iter().map(job).collect()
}

/// A camera: where its eye is, given the frame's moment, its wall time and the body.
type Eye = Box<dyn FnMut(&Moment, f64, &Body) -> [f64; 3]>;

/// The body as drawn in one frame, and its truth.
struct Body {
    drawn: [f64; 3],
    truth: [f64; 3],
}

fn case(name: &str, rate: f64, options: &Options) -> Case {
    let ticks = options.tick_rate(60.0);
    let display = match &options.intervals {
        Some(_) => options.frames(rate, 0.0, options.seconds),
        None => jittered_frames(rate, 0.3, 0.0, options.seconds, &mut options.random(name)),
    };
    let settings = ChaseSettings::z_up();
    let ideal = ChaseCamera::new(settings).expect("the default settings are good").ideal(pose([0.0; 3])).eye;
    let motion = Motion::sampled(options.seconds, 100.0, |t| [ideal[0], ideal[1] + SPEED * t, ideal[2]]);
    let jitter = if options.intervals.is_some() { "" } else { " that vary by 30 %" };
    let setting = format!(
        "A runner at {SPEED} m/s, ticks at {ticks} Hz, {}{jitter}; drawn is the camera's eye.",
        options.frames_name(rate)
    );
    // A camera is behind by design; how far is its latency, and only its shaking is judder.
    let rules = Rules { from: 3.0, ..Rules::default() };
    let mut case = Case::new(Scenario::Camera, name, setting, motion.clone(), rules);
    let mut chase = |kind: Kind, name: &str, mut eye: Eye| {
        case.add(kind, name, film(ticks, &display, &mut eye));
    };
    let behind = move |body: [f64; 3]| body.plus(ideal);
    chase(Kind::Raw, "rigid, behind the newest tick", Box::new(move |_, _, body| behind(body.truth)));
    let mut eye = behind([0.0; 3]);
    chase(
        Kind::Rival,
        "a tenth of the way per frame",
        Box::new(move |_, _, body| {
            eye = eye.toward(behind(body.drawn), 0.1);
            eye
        }),
    );
    let mut eye = behind([0.0; 3]);
    chase(
        Kind::Rival,
        "exponential 4.5/s",
        Box::new(move |_, seconds, body| {
            eye = eye.toward(behind(body.drawn), 1.0 - libm::exp(-4.5 * seconds));
            eye
        }),
    );
    for (kind, name, rule) in [
        (Kind::Rival, "client rule", ChaseRule::Client),
        (Kind::Ours, "portamento, smooth rule", ChaseRule::Smooth),
    ] {
        let mut camera =
            ChaseCamera::new(ChaseSettings { rule, ..settings }).expect("the default settings are good");
        chase(kind, name, Box::new(move |moment, _, body| camera.update(moment, pose(body.drawn)).eye));
    }
    let lag = case.ours().map_or(0.0, |row| row.figures.latency);
    case.add(Kind::Floor, "oracle", oracle(&motion, &display, lag));
    let known = Feed::instant(&motion, ticks);
    case.add(Kind::Floor, "oracle-blend", play(&mut OracleBlend::linear(&known, lag), &known, &display));
    case.rows.rotate_right(2);
    case
}

fn pose(place: [f64; 3]) -> Pose64 {
    Pose64::new(place, Rotation::IDENTITY)
}

/// Runs the loop and records where the eye is. Its picture shows the moment that the body is drawn at.
fn film(ticks: f64, display: &[f64], eye: &mut Eye) -> Drawn<[f64; 3]> {
    let mut stepper = Stepper::fixed(ticks).expect("the command line refuses rates that make no sense");
    let mut track = Ends::new([0.0; 3]);
    let mut times = Ends::new(0.0);
    let mut drawn = Drawn::new();
    let mut before = 0.0;
    for &now in display {
        let frame = stepper.frame(now - before);
        for tick in frame.ticks {
            track.push([0.0, SPEED * tick.time, 0.0]);
            times.push(tick.time);
        }
        let body = Body { drawn: track.view(&frame.moment), truth: *track.truth() };
        drawn.push(now, eye(&frame.moment, now - before, &body), Some(times.view(&frame.moment)));
        before = now;
    }
    drawn
}
