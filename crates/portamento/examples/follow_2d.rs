//! A camera over a flat world: bounds, dead zone, zoom, shake, and what is under the mouse.
//!
//! `cargo run -p portamento --example follow_2d`

use portamento::camera::{FollowCamera, FollowRule, FollowSettings, Framing, Rect};
use portamento::step::{Frame, Stepper};
use portamento::{Moment, SettingError, Track};
use std::error::Error;

/// One unit of the world is one character; a line is as high as two characters are wide.
const LEVEL: [&str; 8] = [
    "#..............................................................................................#",
    "#.........*....................................................................................#",
    "#..................===...........................*.............................................#",
    "#............................====..............................====............................#",
    "#.......===.....................................=====.....................*....................#",
    "#..............................................................................===.............#",
    "#..^^.............^^^^.........................................^^^^............................#",
    "################################################################################################",
];

fn main() -> Result<(), Box<dyn Error>> {
    let width = LEVEL[0].len() as f64;
    let world = Rect { min: [0.0, 0.0], max: [width, LEVEL.len() as f64] };
    let mut camera = FollowCamera::new(FollowSettings {
        bounds: Some(world),
        dead_zone: [8.0, 8.0],
        ..FollowSettings::new([40.0, 8.0])
    })?;
    let mut stepper = Stepper::fixed(30.0)?;
    let mut hero = Track::<[f32; 2]>::new([3.0, 5.5]);

    println!("A hero (@) runs right at 18 characters a second; a picture every 0.9 s of a");
    println!("144 Hz screen. The picture stops at the world's edges, and the hero has 4");
    println!("characters of play to either side:");
    for i in 0..=720 {
        let Frame { ticks, moment, lost: _ } = stepper.frame(1.0 / 144.0);
        for tick in ticks {
            let run = (3.0 + 18.0 * tick.time as f32).min(92.0);
            hero.push([run, 5.5]);
        }
        let drawn = hero.draw(moment);
        let framing = camera.update(moment, drawn);
        if i % 130 == 0 {
            let [left, _] = framing.visible().min;
            println!("\n{:.1} s, left edge {left:.3}, hero {:.3}", i as f64 / 144.0, drawn.now[0]);
            picture(&framing, drawn.now);
        }
    }

    println!("\nTwice as near, about the star that the mouse is over: it stays under the mouse,");
    println!("frame after frame, although the camera follows the hero:");
    let stands = hero.draw(stepper.moment()).now;
    let mouse = camera.framing().to_screen([74.5, 4.5]);
    for (factor, frames) in [(1.0, 0), (2.0, 1), (1.0, 30)] {
        camera.zoom_by(factor, Some(mouse));
        for _ in 0..frames {
            camera.update(Moment::newest(1.0 / 144.0), stands);
        }
        let framing = camera.framing();
        let [x, y] = framing.to_world(mouse);
        println!("  zoom {}: mouse at {mouse:.1?} is over ({x:.3}, {y:.3})", framing.zoom);
    }

    scrolled()?;
    on_pixels()?;
    shaken()?;
    rules()
}

/// What the camera shows of the level.
fn picture(framing: &Framing, hero: [f32; 2]) {
    let hero = framing.to_screen(hero.map(f64::from)).map(|c| c as usize);
    for row in 0..framing.viewport[1] as usize {
        let line = (0..framing.viewport[0] as usize).map(|column| {
            let [x, y] = framing.to_world([column as f64 + 0.5, row as f64 + 0.5]);
            let cell = LEVEL.get(y as usize).and_then(|line| line.as_bytes().get(x as usize));
            if hero == [column, row] { '@' } else { cell.map_or(' ', |c| *c as char) }
        });
        println!("    {}", line.collect::<String>());
    }
}

/// The hero goes through a door, and the camera may show the next room.
fn scrolled() -> Result<(), Box<dyn Error>> {
    println!("\nThe bounds change from one room to the next: the middle every 0.25 s");
    let room = |from: f64| -> Result<FollowSettings, SettingError> {
        let bounds = Some(Rect { min: [from, 0.0], max: [from + 640.0, 360.0] });
        Ok(FollowSettings { bounds, ..FollowSettings::new([640.0, 360.0]) })
    };
    let mut camera = FollowCamera::new(room(0.0)?)?;
    let moment = Moment::newest(1.0 / 60.0);
    camera.update(moment, [630.0, 180.0]);
    camera.set_settings(room(640.0)?)?;
    print!(" ");
    for i in 0..=120 {
        let framing = camera.update(moment, [650.0, 180.0]);
        if i % 15 == 0 {
            print!("{:>7.1}", framing.centre[0]);
        }
    }
    println!();
    Ok(())
}

/// A sprite of whole pixels, followed at 90 pixels a second.
fn on_pixels() -> Result<(), Box<dyn Error>> {
    println!("\nA sprite on whole pixels at 90 pixels/s, 10 s of 144 Hz: how often does it jump");
    println!("on the screen?");
    let mut camera = FollowCamera::new(FollowSettings { zoom: 3.0, ..FollowSettings::new([640.0, 360.0]) })?;
    let (mut apart, mut together) = ((0, 0), (0, 0));
    for i in 0..2160 {
        let x = 30.0 * i as f64 / 144.0;
        let framing = camera.update(Moment::newest(1.0 / 144.0), [x, 0.0]);
        let each = (x * 3.0).round() as i32 - (framing.centre[0] * 3.0).round() as i32;
        let [one, _] = framing.to_pixel([x, 0.0]);
        if i > 720 {
            apart.0 += i32::from(apart.1 != each);
            together.0 += i32::from(together.1 != one);
        }
        (apart.1, together.1) = (each, one);
    }
    println!("  camera and sprite rounded each by itself: {} times", apart.0);
    println!("  rounded together, by `to_pixel`:          {} times", together.0);
    Ok(())
}

/// The same shake drawn at three frame rates.
fn shaken() -> Result<(), Box<dyn Error>> {
    println!("\nAn explosion: pixels that the picture is off by, every 0.1 s. The same curve at");
    println!("every frame rate, and where the camera follows is not touched:");
    for hz in [30, 60, 240] {
        let mut camera = FollowCamera::new(FollowSettings::new([640.0, 360.0]))?;
        let mut stepper = Stepper::fixed(30.0)?;
        camera.update(stepper.moment(), [0.0f32, 0.0]);
        camera.shake(1.0);
        print!("  {hz:>3} frames/s ");
        for i in 1..=hz * 7 / 10 {
            let Frame { moment, .. } = stepper.frame(1.0 / hz as f64);
            let framing = camera.update(moment, [0.0f32, 0.0]);
            if i % (hz / 10) == 0 {
                print!("{:>7.2}", framing.centre[0]);
            }
        }
        println!("  at {:?}", camera.framing().centre);
    }
    Ok(())
}

fn rules() -> Result<(), Box<dyn Error>> {
    println!("\nA target at 600 pixels/s. Lag in pixels, and how far it shakes on the screen");
    println!("with +-30 % jitter:");
    println!("                  30       60      144      240 frames/s     shake");
    let exponential = FollowRule::Exponential { smoothing: (-8.0f64 / 60.0).exp(), speed: 1.0 };
    for (name, rule) in [("exponential", exponential), ("smooth", FollowRule::Smooth { rate: [8.0; 2] })] {
        print!("  {name:<12}");
        for hz in [30.0, 60.0, 144.0, 240.0] {
            print!("{:>9.3}", lag(rule, hz, 0.0)?.0);
        }
        println!("{:>20.4}", lag(rule, 60.0, 0.3)?.1);
    }
    Ok(())
}

/// Lag after 6 s, and how far the target moved on the screen in the last 3 s.
fn lag(rule: FollowRule, hz: f64, jitter: f64) -> Result<(f64, f64), Box<dyn Error>> {
    let mut camera = FollowCamera::new(FollowSettings { rule, ..FollowSettings::new([640.0, 360.0]) })?;
    let mut stepper = Stepper::fixed(60.0)?;
    let mut target = Track::<[f64; 2]>::new([0.0; 2]);
    let (mut lag, mut least, mut most) = (0.0, f64::MAX, f64::MIN);
    let frames = (6.0 * hz) as u32;
    let mut random = 1u32;
    for i in 0..frames {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let uneven = (random as f64 / u32::MAX as f64 - 0.5) * 2.0 * jitter;
        let Frame { ticks, moment, lost: _ } = stepper.frame((1.0 + uneven) / hz);
        for tick in ticks {
            target.push([600.0 * tick.time, 0.0]);
        }
        let drawn = target.draw(moment);
        let framing = camera.update(moment, drawn);
        lag = framing.to_screen(drawn.now)[0] - 320.0;
        if i > frames / 2 {
            (least, most) = (f64::min(least, lag), f64::max(most, lag));
        }
    }
    Ok((lag, most - least))
}
