//! Which values move?

use crate::Source;
use crate::laws::Finite;
use portamento::blend::{Angle, Angle64, Pose, Pose2, Pose64, Rotation, Turn};
use std::fmt::Debug;

/// A value that a driver can make up, move and compare.
pub trait Value: Finite + Clone + Copy + PartialEq + Debug {
    /// Any finite one: mostly of a game's world, now and then an odd one.
    fn any(source: &mut Source) -> Self;
    /// Moves the world's origin.
    fn shift(&mut self, by: f64);
}

fn small(source: &mut Source) -> f32 {
    let place = source.place() as f32;
    if place.is_finite() { place } else { f32::MAX.copysign(place) }
}

impl Value for f32 {
    fn any(source: &mut Source) -> Self {
        small(source)
    }

    fn shift(&mut self, by: f64) {
        *self += by as f32;
    }
}

impl Value for f64 {
    fn any(source: &mut Source) -> Self {
        source.place()
    }

    fn shift(&mut self, by: f64) {
        *self += by;
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn any(source: &mut Source) -> Self {
        core::array::from_fn(|_| T::any(source))
    }

    fn shift(&mut self, by: f64) {
        self.iter_mut().for_each(|number| number.shift(by));
    }
}

impl Finite for Angle {
    fn finite(&self) -> bool {
        self.0.is_finite()
    }
}

impl Value for Angle {
    fn any(source: &mut Source) -> Self {
        Angle(small(source))
    }

    fn shift(&mut self, _: f64) {}
}

impl Finite for Angle64 {
    fn finite(&self) -> bool {
        self.0.is_finite()
    }
}

impl Value for Angle64 {
    fn any(source: &mut Source) -> Self {
        Angle64(source.place())
    }

    fn shift(&mut self, _: f64) {}
}

/// Mostly of unit length, now and then not.
fn rotation(source: &mut Source) -> Rotation {
    match source.byte() {
        0..=7 => {
            let [x, y, z, w] = <[f32; 4]>::any(source);
            Rotation { x, y, z, w }
        }
        8..=99 => Rotation::IDENTITY,
        _ => Rotation::from_axis_angle([0.3, 1.0, 0.2], (source.unit() * 7.0 - 3.5) as f32),
    }
}

impl Value for Pose {
    fn any(source: &mut Source) -> Self {
        Pose::new(Value::any(source), rotation(source))
    }

    fn shift(&mut self, by: f64) {
        self.position.shift(by);
    }
}

impl Value for Pose64 {
    fn any(source: &mut Source) -> Self {
        Pose64::new(Value::any(source), rotation(source))
    }

    fn shift(&mut self, by: f64) {
        self.position.shift(by);
    }
}

impl Value for Pose2 {
    fn any(source: &mut Source) -> Self {
        let turn = match source.byte() {
            0..=7 => Turn { z: small(source), w: small(source) },
            _ => Turn::from_angle((source.unit() * 7.0 - 3.5) as f32),
        };
        Pose2::new(Value::any(source), turn)
    }

    fn shift(&mut self, by: f64) {
        self.position.shift(by);
    }
}
