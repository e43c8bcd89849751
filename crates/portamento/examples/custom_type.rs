//! Your own type, with `#[derive(Blend)]`.
//!
//! `cargo run -p portamento --example custom_type`

use portamento::SettingError;
use portamento::Track;
use portamento::blend::{Blend, Rotation};
use portamento::step::{Frame, Stepper};

#[derive(Clone, Debug, PartialEq, Blend)]
struct Tank {
    position: [f64; 2],
    /// The short way around, in radians.
    #[blend(angle)]
    heading: f64,
    turret: Rotation,
    /// Nothing lies between two gears.
    #[blend(snap)]
    gear: i8,
    /// Your own rule: a fuel gauge in whole litres.
    #[blend(with = whole_litres)]
    fuel: f64,
}

fn whole_litres(from: &f64, to: &f64, alpha: f64) -> f64 {
    from.blend(to, alpha).ceil()
}

fn main() -> Result<(), SettingError> {
    let start = Tank { position: [0.0; 2], heading: 3.0, turret: Rotation::IDENTITY, gear: 1, fuel: 100.0 };
    let mut stepper = Stepper::fixed(10.0)?;
    let mut tank = Track::new(start);
    println!("frame  position          heading  turret  gear  fuel");
    for frame in 0..24 {
        let Frame { ticks, moment, .. } = stepper.frame(1.0 / 60.0);
        for tick in ticks {
            let mut next = tank.truth().clone();
            next.heading += 0.3;
            if next.heading > std::f64::consts::PI {
                next.heading -= std::f64::consts::TAU;
            }
            let (sin, cos) = next.heading.sin_cos();
            next.position = [next.position[0] + cos, next.position[1] + sin];
            next.turret = Rotation::from_axis_angle([0.0, 0.0, 1.0], tick.time as f32);
            next.gear = if tick.number >= 2 { 2 } else { 1 };
            next.fuel -= 1.7;
            tank.push(next);
        }
        let view = tank.view(moment);
        println!(
            "{frame:>5}  ({:>6.2}, {:>6.2})  {:>7.2}  {:>5.1}°  {:>4}  {:>4}",
            view.position[0],
            view.position[1],
            view.heading,
            view.turret.angle_to(Rotation::IDENTITY).to_degrees(),
            view.gear,
            view.fuel
        );
    }
    Ok(())
}
