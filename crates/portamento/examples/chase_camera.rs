//! A camera behind a runner: what the frame rate does to it, a wall, a teleport.
//!
//! `cargo run -p portamento --example chase_camera`

use portamento::SettingError;
use portamento::blend::{Blend, Pose, Rotation};
use portamento::camera::{ChaseCamera, ChaseRule, ChaseSettings, Shot};
use portamento::step::{Frame, Stepper};
use portamento::{Moment, Track};
use std::f64::consts::TAU;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("A runner ticked at 60 Hz, with a camera behind. Three cameras of the same");
    println!("stiffness (4.5 per second).\n");
    println!("Position: the runner goes at 10 m/s.");
    println!("          lag in metres at ... frames/s       shake, +-30 %   stands off at rest");
    println!("               30      60     144     240      frame jitter        (30, 240)");
    for kind in [Kind::PerFrame, Kind::Usual, Kind::Smooth] {
        print!("{:<9}", format!("{kind:?}").to_lowercase());
        for hz in [30.0, 60.0, 144.0, 240.0] {
            print!("{:>8.4}", behind(kind, hz, 0.0)?.0);
        }
        let shake = behind(kind, 60.0, 0.3)?.1;
        let [slow, fast] = [rest(kind, 30.0)?, rest(kind, 240.0)?];
        println!("{:>15.3} mm {:>9.2} {:>7.2} mm", shake * 1e3, slow * 1e3, fast * 1e3);
    }
    println!("shake: how far the runner moves on the screen, though runner and camera go at");
    println!("constant speed.\n");
    heading()?;
    wall()?;
    teleport()?;
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    PerFrame,
    Usual,
    Smooth,
}

/// Any of the three behind one face. "Usual" is what most games write: towards the newest target by `1 - e^(-k dt)`.
struct Camera {
    chase: ChaseCamera,
    usual: Option<[f64; 3]>,
    kind: Kind,
}

impl Camera {
    fn new(kind: Kind) -> Result<Self, SettingError> {
        let rule = if kind == Kind::PerFrame { ChaseRule::PerFrame } else { ChaseRule::Smooth };
        let chase = ChaseCamera::new(ChaseSettings { rule, ..ChaseSettings::z_up() })?;
        Ok(Camera { chase, usual: None, kind })
    }

    fn update(&mut self, moment: Moment, body: Pose) -> Shot {
        let shot = self.chase.update(moment, body);
        if self.kind != Kind::Usual {
            return shot;
        }
        let ideal = ideal(&self.chase, body);
        let share = 1.0 - (-4.5 * moment.presented()).exp();
        let eye = self.usual.get_or_insert(ideal.eye);
        *eye = eye.blend(&ideal.eye, share);
        Shot { eye: *eye, ..shot }
    }
}

/// The shot of a camera that has caught up with a standing body: the first of a new one.
fn ideal(camera: &ChaseCamera, body: Pose) -> Shot {
    let mut fresh = ChaseCamera::new(*camera.settings()).expect("they work for the other camera");
    fresh.update(Moment::newest(0.0), body)
}

/// How far behind its ideal place the eye is after 10 s, and how much the runner moved on the screen meanwhile.
fn behind(kind: Kind, hz: f64, jitter: f64) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let mut stepper = Stepper::fixed(60.0)?;
    let mut runner = Track::<Pose>::new(Pose::at([0.0; 3]));
    let mut camera = Camera::new(kind)?;
    let (mut lag, mut least, mut most) = (0.0, f64::MAX, f64::MIN);
    let frames = (10.0 * hz) as u32;
    let mut random = 1u32;
    for i in 0..frames {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let uneven = (random as f64 / u32::MAX as f64 - 0.5) * 2.0 * jitter;
        let Frame { ticks, moment, lost: _ } = stepper.frame((1.0 + uneven) / hz);
        for tick in ticks {
            runner.push(Pose::at([0.0, (10.0 * tick.time) as f32, 0.0]));
        }
        let shot = camera.update(moment, runner.view(moment));
        lag = ideal(&camera.chase, runner.view(moment)).eye[1] - shot.eye[1];
        if i > frames / 2 {
            let seen = shot.pivot[1] - shot.eye[1];
            (least, most) = (f64::min(least, seen), f64::max(most, seen));
        }
    }
    Ok((lag, most - least))
}

/// How far from its ideal place the eye stays for good, once the runner has moved a metre and stands.
fn rest(kind: Kind, hz: f64) -> Result<f64, SettingError> {
    let mut camera = Camera::new(kind)?;
    let stands = Pose::at([0.0, 1.0, 0.0]);
    let moment = Moment::newest(1.0 / hz);
    let mut shot = camera.update(moment, Pose::at([0.0; 3]));
    for _ in 0..(4.0 * hz) as u32 {
        shot = camera.update(moment, stands);
    }
    let ideal = ideal(&camera.chase, stands).eye;
    Ok((0..3).map(|i| (shot.eye[i] - ideal[i]).powi(2)).sum::<f64>().sqrt())
}

/// The camera's turn about up.
fn turn(shot: &Shot) -> f64 {
    (-shot.forward[0]).atan2(shot.forward[1])
}

fn heading() -> Result<(), SettingError> {
    println!("Heading: the runner turns by 2 rad/s on the spot, then by 1 rad at once.");
    println!("                          lag in rad at ... frames/s         shown of that turn");
    println!("                         30      60     144     240    in the next 60 Hz frame");
    let per_frame = ChaseSettings { rule: ChaseRule::PerFrame, ..ChaseSettings::z_up() };
    let rate = |look_rate| ChaseSettings { look_rate, ..ChaseSettings::z_up() };
    for (name, settings) in [
        ("perframe", per_frame),
        ("smooth", rate(4.5)),
        ("smooth, look_rate 20", rate(20.0)),
        ("smooth, mouse look", rate(f64::INFINITY)),
    ] {
        print!("{name:<21}");
        let turned =
            |angle: f64| Pose::new([0.0; 3], Rotation::from_axis_angle([0.0, 0.0, 1.0], angle as f32));
        for hz in [30.0, 60.0, 144.0, 240.0] {
            let mut camera = ChaseCamera::new(settings)?;
            let mut angle = 0.0f64;
            for _ in 0..(6.0 * hz) as u32 {
                angle += 2.0 / hz;
                camera.update(Moment::newest(1.0 / hz), turned(angle));
            }
            let lag = angle - turn(&camera.shot());
            print!("{:>8.4}", (lag - (lag / TAU).round() * TAU).abs());
        }
        let mut camera = ChaseCamera::new(settings)?;
        let moment = Moment::newest(1.0 / 60.0);
        camera.update(moment, turned(0.0));
        println!("{:>20.3} rad", turn(&camera.update(moment, turned(1.0))));
    }
    println!();
    Ok(())
}

/// Draws runner and eye along the way: `<` the eye, `@` the runner (`o` while faded), `|` a wall.
fn strip(shot: &Shot, origin: f64, wall: Option<f64>) -> String {
    let column = |y: f64| ((y - origin) * 15.0).round() as i64;
    let mut cells = vec![' '; 68];
    let mut put = |at: i64, c: char| {
        if let Some(cell) = usize::try_from(at).ok().and_then(|at| cells.get_mut(at)) {
            *cell = c;
        }
    };
    if let Some(wall) = wall {
        put(column(wall), '|');
    }
    put(column(shot.pivot[1]), if shot.body_opacity < 1.0 { 'o' } else { '@' });
    put(column(shot.eye[1]), '<');
    cells.into_iter().collect::<String>().trim_end().to_string()
}

fn wall() -> Result<(), SettingError> {
    println!("A runner who starts with the back to a wall. Your hook keeps the eye out of it;");
    println!("the next frame starts from where the hook let it be, so nothing jumps when");
    println!("there is room again:\n");
    let mut camera = ChaseCamera::new(ChaseSettings::z_up())?;
    let moment = Moment::newest(1.0 / 60.0);
    for i in 0..=140 {
        let runner = Pose::at([0.0, 0.8 + 0.03 * (i as f32 - 20.0).max(0.0), 0.0]);
        let shot = camera.update_with(moment, runner, |_, eye| [eye[0], eye[1].max(0.1), eye[2]]);
        if i % 20 == 0 {
            println!("  {:>5.2} s  {}", i as f64 / 60.0, strip(&shot, 0.0, Some(0.0)));
        }
    }
    println!();
    Ok(())
}

fn teleport() -> Result<(), Box<dyn std::error::Error>> {
    println!("A teleport of 1 km. A cut is a cut; under the older rule the camera starts in");
    println!("the body, which is hidden as long as it is in the way:\n");
    for rule in [ChaseRule::Smooth, ChaseRule::PerFrame] {
        let mut stepper = Stepper::fixed(60.0)?;
        let mut runner = Track::<Pose>::new(Pose::at([0.0; 3]));
        let mut camera = ChaseCamera::new(ChaseSettings { rule, ..ChaseSettings::z_up() })?;
        println!("  {rule:?}");
        for i in 0..=45 {
            let Frame { ticks, moment, .. } = stepper.frame(1.0 / 60.0);
            for _ in ticks {
                let stands = *runner.truth();
                runner.push(stands);
            }
            if i == 15 {
                runner.cut(Pose::at([0.0, 1000.0, 0.0]));
            }
            // `draw` reports the cut to the camera.
            let shot = camera.update(moment, runner.draw(moment));
            if i == 14 || i >= 15 && (i - 15) % 10 == 0 {
                let origin = if i < 15 { -3.0 } else { 997.0 };
                let shown = format!("{:>3.0} %", shot.body_opacity * 100.0);
                println!("  y {:>6.1}  body {shown}  {}", shot.pivot[1], strip(&shot, origin, None));
            }
        }
    }
    Ok(())
}
