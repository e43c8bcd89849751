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

/// Samples taken every 10 ms of something that is moved on between them.
fn stepped(seconds: f64, mut step: impl FnMut(f64, f64) -> [f64; 3]) -> Motion<[f64; 3]> {
    const STEP: f64 = 0.01;
    let samples = (0..=(seconds / STEP).ceil() as u32).map(|k| {
        let time = f64::from(k) * STEP;
        Sample { time, place: step(time, STEP), cut: false }
    });
    Motion::new(samples.collect())
}

/// Moves `value` towards `goal` by at most `most`.
fn towards(value: f64, goal: f64, most: f64) -> f64 {
    value + (goal - value).clamp(-most, most)
}

/// A car in a city, in metres: up to 25 m/s, hard braking to a stop, corners at 2.5 rad/s, ramps that it leaps from.
pub fn vehicle(seconds: f64, random: &mut Random) -> Motion<[f64; 3]> {
    let (mut place, mut heading, mut speed, mut climb) = ([0.0; 3], 0.0, 10.0, 0.0f64);
    let (mut wish, mut corner, mut until) = (15.0, 0.0, 0.0);
    stepped(seconds, |time, step| {
        if time >= until {
            until = time + random.between(0.4, 2.5);
            wish = if random.chance(0.2) { 0.0 } else { random.between(5.0, 25.0) };
            corner = if random.chance(0.5) { random.between(-2.5, 2.5) } else { 0.0 };
            if place[2] == 0.0 && speed > 8.0 && random.chance(0.15) {
                climb = 5.0;
            }
        }
        let was = place;
        let push = if wish > speed { 6.0 } else { 12.0 };
        speed = towards(speed, wish, push * step);
        // In the air no one steers, and at a standstill neither.
        if place[2] == 0.0 {
            heading += corner * step * (speed / 5.0).min(1.0);
        }
        if place[2] > 0.0 || climb > 0.0 {
            climb -= 9.81 * step;
        }
        place = add(place, scale([speed * libm::cos(heading), speed * libm::sin(heading), climb], step));
        if place[2] <= 0.0 {
            (place[2], climb) = (0.0, 0.0);
        }
        was
    })
}

/// A bird, in metres: 6 to 16 m/s, beats of its wings that lift it, tight turns, dives, and rests on a branch.
pub fn bird(seconds: f64, random: &mut Random) -> Motion<[f64; 3]> {
    let (mut place, mut heading, mut speed, mut climb) = ([0.0, 0.0, 20.0], 0.0, 8.0, 0.0);
    let (mut wish, mut turn, mut rise, mut until) = (10.0, 0.0, 0.0, 0.0);
    stepped(seconds, |time, step| {
        if time >= until {
            until = time + random.between(0.3, 1.8);
            let kind = random.unit();
            (wish, rise) = if kind < 0.12 {
                (0.0, 0.0)
            } else if kind < 0.3 {
                (16.0, -10.0)
            } else {
                (random.between(6.0, 12.0), random.between(-2.0, 4.0))
            };
            turn = random.between(-4.0, 4.0);
        }
        let was = place;
        speed = towards(speed, wish, 25.0 * step);
        climb = towards(climb, rise, 30.0 * step);
        heading += turn * step;
        let beat = if wish > 0.0 && rise > -5.0 {
            0.8 * libm::sin(2.0 * std::f64::consts::PI * 5.0 * time)
        } else {
            0.0
        };
        place =
            add(place, scale([speed * libm::cos(heading), speed * libm::sin(heading), climb + beat], step));
        was
    })
}

/// A dancer's hips, in metres: steps to the beat at up to 3 m/s that start and end at a standstill, spins at twice that,
/// leaps and poses that are held.
pub fn dancer(seconds: f64, random: &mut Random) -> Motion<[f64; 3]> {
    const BEAT: f64 = 60.0 / 128.0;
    let (mut from, mut to, mut begun, mut takes) = ([0.0; 3], [0.0; 3], 0.0, 0.0);
    let (mut leap, mut spin) = (0.0, 0.0);
    stepped(seconds, |time, _| {
        if time >= begun + takes {
            (from, begun) = (to, begun + takes);
            takes = BEAT * if random.chance(0.3) { 0.5 } else { 1.0 };
            (leap, spin) = (0.0, 0.0);
            let kind = random.unit();
            if kind > 0.15 {
                let way = random.between(0.2, 1.9) * takes;
                let heading = random.between(0.0, 2.0 * std::f64::consts::PI);
                to = add(from, [way * libm::cos(heading), way * libm::sin(heading), 0.0]);
            }
            if kind > 0.75 {
                leap = random.between(0.2, 0.5);
            } else if kind > 0.6 {
                spin = 0.15;
            }
        }
        let part = ((time - begun) / takes).clamp(0.0, 1.0);
        let eased = part * part * (3.0 - 2.0 * part);
        let angle = 2.0 * std::f64::consts::PI * eased;
        let aside =
            [spin * libm::sin(angle), spin * (1.0 - libm::cos(angle)), 4.0 * leap * part * (1.0 - part)];
        add(add(from, scale(sub(to, from), eased)), aside)
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The highest speed over 50 ms, the share of those spans that stand still, the sharpest turn at speed in degrees.
    fn character(motion: &Motion<[f64; 3]>) -> (f64, f64, f64) {
        let mut truth = motion.reader();
        let places: Vec<_> = (0..1200).map(|k| truth.at(f64::from(k) * 0.05)).collect();
        let steps: Vec<_> = places.windows(2).map(|w| sub(w[1], w[0])).collect();
        let speeds: Vec<f64> = steps.iter().map(|&step| length(step) / 0.05).collect();
        let top = speeds.iter().copied().fold(0.0, f64::max);
        let still = speeds.iter().filter(|&&speed| speed < 0.02 * top).count();
        let turn = |w: &[[f64; 3]]| {
            let dot = w[0][0] * w[1][0] + w[0][1] * w[1][1] + w[0][2] * w[1][2];
            let lengths = length(w[0]) * length(w[1]);
            if lengths < (0.2 * top * 0.05).powi(2) { 0.0 } else { libm::acos((dot / lengths).min(1.0)) }
        };
        let sharpest = steps.windows(2).map(turn).fold(0.0, f64::max);
        (top, still as f64 / speeds.len() as f64, sharpest.to_degrees())
    }

    #[test]
    fn vehicle_bird_and_dancer_stop_and_turn_sharply() {
        for (name, motion, speeds, turn) in [
            ("vehicle", vehicle(60.0, &mut Random::new(1)), 15.0..26.0, 7.0),
            ("bird", bird(60.0, &mut Random::new(1)), 12.0..20.0, 15.0),
            ("dancer", dancer(60.0, &mut Random::new(1)), 2.0..7.0, 60.0),
        ] {
            let (top, still, sharpest) = character(&motion);
            let what =
                format!("{name}: {top:.1} m/s, {:.1} % still, turns by {sharpest:.0} degrees", still * 1e2);
            println!("{what}");
            assert!(speeds.contains(&top) && still > 0.01 && sharpest > turn, "{what}");
        }
    }
}
