//! Kinds of pose and random numbers for the tests of the room.

mod accuracy;
mod model;
mod outputs;
mod parity;
mod rest;

use super::*;
use crate::blend::{Pose, Pose2, Rotation, Scaled, Turn};

/// Random numbers that are the same everywhere (splitmix64).
#[derive(Clone)]
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// Within 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Within -size..size.
    pub fn within(&mut self, size: f32) -> f32 {
        ((self.unit() * 2.0 - 1.0) * size as f64) as f32
    }

    pub fn rotation(&mut self) -> Rotation {
        loop {
            if let Some(q) = Rotation::from_xyzw(core::array::from_fn(|_| self.within(1.0))) {
                return q;
            }
        }
    }
}

/// What the tests need of every kind of pose.
pub(super) trait Sample: Body + PartialEq {
    fn any(random: &mut Random) -> Self;
    /// A pose that something is wrong with, or that sits on an edge.
    fn odd(random: &mut Random) -> Self;
    fn numbers(&self) -> Vec<f32>;
    fn shifted(&mut self, by: &Self::Position);
    fn any_shift(random: &mut Random) -> Self::Position;

    /// The bits, with one NaN standing for all: which NaN comes out is the compiler's choice.
    fn bits(&self) -> Vec<u32> {
        self.numbers().iter().map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() }).collect()
    }
}

/// Numbers where arithmetic is at its edges.
fn edge(random: &mut Random) -> f32 {
    const EDGES: [f32; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-45,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        3e38,
    ];
    EDGES[random.below(EDGES.len())]
}

impl Sample for Pose {
    fn any(random: &mut Random) -> Self {
        Pose::new(core::array::from_fn(|_| random.within(100.0)), random.rotation())
    }

    fn odd(random: &mut Random) -> Self {
        let mut pose = Self::any(random);
        match random.below(4) {
            0 => pose.position[random.below(3)] = edge(random),
            1 => pose.rotation = Rotation { x: edge(random), y: edge(random), z: 0.0, w: edge(random) },
            2 => pose.rotation = Rotation { x: -0.0, y: 0.0, z: -0.0, w: 1.0 },
            _ => pose.position = [-0.0; 3],
        }
        pose
    }

    fn numbers(&self) -> Vec<f32> {
        [self.position.as_slice(), &self.rotation.to_array()].concat()
    }

    fn shifted(&mut self, by: &[f32; 3]) {
        self.position.iter_mut().zip(by).for_each(|(x, by)| *x += by);
    }

    fn any_shift(random: &mut Random) -> [f32; 3] {
        core::array::from_fn(|_| random.within(1000.0))
    }
}

impl Sample for Scaled<Pose> {
    fn any(random: &mut Random) -> Self {
        Scaled { pose: Pose::any(random), scale: core::array::from_fn(|_| 1.0 + random.within(0.5)) }
    }

    fn odd(random: &mut Random) -> Self {
        let mut scaled = Scaled { pose: Pose::odd(random), ..Self::any(random) };
        scaled.scale[random.below(3)] *= if random.chance(2) { -1.0 } else { edge(random) };
        scaled
    }

    fn numbers(&self) -> Vec<f32> {
        [self.pose.numbers().as_slice(), &self.scale].concat()
    }

    fn shifted(&mut self, by: &[f32; 3]) {
        self.pose.shifted(by);
    }

    fn any_shift(random: &mut Random) -> [f32; 3] {
        Pose::any_shift(random)
    }
}

impl Sample for Pose2 {
    fn any(random: &mut Random) -> Self {
        Pose2::new([random.within(100.0), random.within(100.0)], Turn::from_angle(random.within(4.0)))
    }

    fn odd(random: &mut Random) -> Self {
        let mut pose = Self::any(random);
        match random.below(3) {
            0 => pose.position[random.below(2)] = edge(random),
            1 => pose.turn = Turn { z: edge(random), w: edge(random) },
            _ => pose.turn = Turn { z: -0.0, w: -1.0 },
        }
        pose
    }

    fn numbers(&self) -> Vec<f32> {
        vec![self.position[0], self.position[1], self.turn.z, self.turn.w]
    }

    fn shifted(&mut self, by: &[f32; 2]) {
        self.position.iter_mut().zip(by).for_each(|(x, by)| *x += by);
    }

    fn any_shift(random: &mut Random) -> [f32; 2] {
        core::array::from_fn(|_| random.within(1000.0))
    }
}
