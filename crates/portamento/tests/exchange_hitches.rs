//! A simulation that hitches, a machine that sleeps: how long is it seen through the exchange?

use portamento::blend::Pose;
use portamento::exchange::{self, Shape};
use portamento::step::Stepper;

/// What stands still for the length of the hitch.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hitch {
    /// The simulation's thread: it loads something, or is not scheduled.
    Simulation,
    /// Both sides, while the clock goes on.
    Machine,
    /// The thread that draws.
    Picture,
}

/// How a simulation publishes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Publishing {
    /// Once in each turn of its loop.
    AfterTheTicks,
    /// In every tick: many at once after a hitch.
    InEveryTick,
}

/// The drawn speeds, as shares of the true one, from `settled` seconds after a hitch on; and the frames in which the
/// playhead asked for what had been overwritten.
fn speeds(
    ticks: usize,
    hz: f64,
    hitch: (Hitch, f64),
    publishing: Publishing,
    settled: f64,
) -> (Vec<f64>, u64) {
    const START: f64 = 3.0;
    let (mut writer, mut reader) = exchange::pair(Shape { ticks, ..Shape::entities(1) }, hz).unwrap();
    let mut stepper = Stepper::fixed(hz).unwrap();
    let (what, length) = hitch;
    let (mut speeds, mut last) = (Vec::new(), (0.0, 0.0));
    let mut behind = 0;
    for turn in 0..(144.0 * (START + length + 10.0)) as u32 {
        let real = f64::from(turn) / 144.0;
        let now = real + if what == Hitch::Machine && real >= START { length } else { 0.0 };
        let hitched = what != Hitch::Machine && (START..START + length).contains(&now);
        if !(hitched && what == Hitch::Simulation) {
            for tick in stepper.frame_at(now).ticks {
                writer.set(1, Pose::at([tick.time as f32, 0.0, 0.0])).unwrap();
                if publishing == Publishing::InEveryTick {
                    writer.publish(now, tick.time).unwrap();
                }
            }
            if publishing == Publishing::AfterTheTicks {
                writer.publish(now, &stepper).unwrap();
            }
        }
        if hitched && what == Hitch::Picture {
            continue;
        }
        let Some(world) = reader.frame(now) else { continue };
        let x = world.draw(1).map_or(0.0, |body| f64::from(body.now.position[0]));
        if now > START + length + settled {
            speeds.push((x - last.1) / (now - last.0));
        } else {
            behind = reader.counts().behind;
        }
        last = (now, x);
    }
    (speeds, reader.counts().behind - behind)
}

#[test]
fn a_hitch_is_over_when_it_is_over() {
    for ticks in [4, 8, 32] {
        for hz in [20.0, 60.0, 240.0] {
            for what in [Hitch::Simulation, Hitch::Machine, Hitch::Picture] {
                for length in [0.06, 0.2, 0.24, 3.0] {
                    for publishing in [Publishing::AfterTheTicks, Publishing::InEveryTick] {
                        let case = format!(
                            "{ticks} ticks of {hz} Hz, {what:?} stands for {length} s, {publishing:?}"
                        );
                        let (speeds, behind) = speeds(ticks, hz, (what, length), publishing, 0.5);
                        assert_eq!(behind, 0, "{case}: frames without their tick");
                        let uneven = speeds.iter().filter(|speed| (*speed - 1.0).abs() > 0.1).count();
                        assert_eq!(uneven, 0, "{case}: of {} frames", speeds.len());
                    }
                }
            }
        }
    }
}

/// The renderer stood still and the writer did not, so ticks were overwritten unseen. They were in time: the picture does not
/// stay farther behind for the seven seconds that lateness is remembered.
#[test]
fn a_hitch_of_the_renderer_is_no_lateness_of_the_writer() {
    for ticks in [4, 8] {
        for hitch in [0.1, 0.2, 0.4] {
            let (mut writer, mut reader) =
                exchange::pair(Shape { ticks, ..Shape::entities(1) }, 60.0).unwrap();
            let mut tick = 0_u32;
            let mut age = |from: f64, to: f64| {
                let mut oldest: f64 = 0.0;
                for frame in (from * 144.0).ceil() as u32..(to * 144.0) as u32 {
                    let now = f64::from(frame) / 144.0;
                    while f64::from(tick) / 60.0 <= now {
                        writer.set(1, Pose::at([tick as f32, 0.0, 0.0])).unwrap();
                        writer.publish(f64::from(tick) / 60.0, f64::from(tick) / 60.0).unwrap();
                        tick += 1;
                    }
                    let Some(world) = reader.frame(now) else { continue };
                    if now > to - 1.0 {
                        oldest = oldest.max(now - world.shown.at);
                    }
                }
                oldest
            };
            let before = age(0.0, 3.0);
            let after = age(3.0 + hitch, 5.0 + hitch);
            assert!(after < before + 0.002, "{ticks} ticks, {hitch} s: {before} became {after}");
        }
    }
}
