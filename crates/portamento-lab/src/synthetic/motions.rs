//! Motions to draw.

use super::Random;
use crate::yardstick::place::{add, length, scale, sub};
use crate::yardstick::{Motion, Sample};

/// Uniform motion along x.
pub fn uniform(speed: f64, seconds: f64) -> Motion<[f64; 3]> {
    Motion::sampled(seconds, 100.0, |t| [speed * t, 0.0, 0.0])
}

/// A circle in the xy plane, once in `period` seconds.
pub fn circle(radius: f64, period: f64, seconds: f64) -> Motion<[f64; 3]> {
    Motion::sampled(seconds, 1000.0, |t| {
        let angle = 2.0 * std::f64::consts::PI * t / period;
        [radius * libm::cos(angle), radius * libm::sin(angle), 0.0]
    })
}

/// A player of a fast game, sampled at 100 Hz in metres: runs at 8 m/s with changes of mind, short stops and
/// jumps; with `teleport_every` seconds (on average) it is put somewhere else.
pub fn runner(seconds: f64, teleport_every: Option<f64>, random: &mut Random) -> Motion<[f64; 3]> {
    const STEP: f64 = 0.01;
    const TOP_SPEED: f64 = 8.0;
    const ACCELERATION: f64 = 50.0;
    const GRAVITY: f64 = 20.0;
    let mut place = [0.0; 3];
    let mut velocity = [0.0; 3];
    let mut wish = [TOP_SPEED, 0.0, 0.0];
    let mut next_wish = 0.0;
    let mut next_teleport = teleport_every.map_or(f64::INFINITY, |mean| 1.5 + random.exponential(mean));
    let mut samples = Vec::new();
    for k in 0..=(seconds / STEP).ceil() as u32 {
        let time = f64::from(k) * STEP;
        let mut cut = false;
        if time >= next_wish {
            next_wish = time + random.between(0.15, 1.2);
            let heading = random.between(0.0, 2.0 * std::f64::consts::PI);
            let speed = if random.chance(0.12) { 0.0 } else { TOP_SPEED };
            wish = [speed * libm::cos(heading), speed * libm::sin(heading), 0.0];
            if place[2] == 0.0 && random.chance(0.3) {
                velocity[2] = 6.0;
            }
        }
        if time >= next_teleport {
            next_teleport = time + 2.5 + random.exponential(teleport_every.unwrap_or(f64::INFINITY));
            let heading = random.between(0.0, 2.0 * std::f64::consts::PI);
            let far = random.between(10.0, 40.0);
            place = add(place, [far * libm::cos(heading), far * libm::sin(heading), -place[2]]);
            (velocity, cut) = ([0.0; 3], true);
        }
        samples.push(Sample { time, place, cut });
        let change = sub([wish[0], wish[1], velocity[2]], velocity);
        let most = ACCELERATION * STEP;
        velocity = add(velocity, scale(change, (most / length(change).max(most)).min(1.0)));
        if place[2] > 0.0 || velocity[2] > 0.0 {
            velocity[2] -= GRAVITY * STEP;
        }
        place = add(place, scale(velocity, STEP));
        if place[2] <= 0.0 {
            (place[2], velocity[2]) = (0.0, 0.0);
        }
    }
    Motion::new(samples)
}

/// A lying eight in the xy plane, 8 m wide, once in five seconds: always moving, never at the same speed.
pub fn eight(seconds: f64) -> Motion<[f64; 3]> {
    Motion::sampled(seconds, 250.0, |t| {
        let angle = 2.0 * std::f64::consts::PI * t / 5.0;
        [4.0 * libm::sin(angle), 2.0 * libm::sin(2.0 * angle), 0.0]
    })
}

/// Around a wall that lies along x from `-half` to `half`: straight at `away` from it on both sides, in half
/// circles around its ends.
pub fn patrol(half: f64, away: f64, speed: f64, seconds: f64) -> Motion<[f64; 3]> {
    let (straight, bend) = (2.0 * half, std::f64::consts::PI * away);
    Motion::sampled(seconds, 100.0, |t| {
        let way = (speed * t).rem_euclid(2.0 * (straight + bend));
        // The second half of the lap is the first one turned around.
        let (way, turned) = if way < straight + bend { (way, 1.0) } else { (way - straight - bend, -1.0) };
        let (x, y) = if way < straight {
            (way - half, away)
        } else {
            let angle = (way - straight) / away;
            (half + away * libm::sin(angle), away * libm::cos(angle))
        };
        [turned * x, turned * y, 0.0]
    })
}
