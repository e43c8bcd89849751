//! Kinds of pose and random numbers for the tests of the room.

mod accuracy;
// Also a golden of `tests/golden`, from where WebAssembly draws it too.
#[path = "../../../tests/golden/crowd.rs"]
mod crowd;
mod model;
mod outputs;
mod parity;
mod rest;

use super::*;
use crate::blend::{Pose, Pose2, Rotation, Scaled, Turn};
use crowd::{Member, Random};

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// What the tests need of every kind of pose.
pub(super) trait Sample: Member {
    /// A pose that something is wrong with, or that sits on an edge.
    fn odd(random: &mut Random) -> Self;
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

    fn shifted(&mut self, by: &[f32; 3]) {
        self.position.iter_mut().zip(by).for_each(|(x, by)| *x += by);
    }

    fn any_shift(random: &mut Random) -> [f32; 3] {
        core::array::from_fn(|_| random.within(1000.0))
    }
}

impl Sample for Scaled<Pose> {
    fn odd(random: &mut Random) -> Self {
        let mut scaled = Scaled { pose: Pose::odd(random), ..Self::any(random) };
        scaled.scale[random.below(3)] *= if random.chance(2) { -1.0 } else { edge(random) };
        scaled
    }

    fn shifted(&mut self, by: &[f32; 3]) {
        self.pose.shifted(by);
    }

    fn any_shift(random: &mut Random) -> [f32; 3] {
        Pose::any_shift(random)
    }
}

impl Sample for Pose2 {
    fn odd(random: &mut Random) -> Self {
        let mut pose = Self::any(random);
        match random.below(3) {
            0 => pose.position[random.below(2)] = edge(random),
            1 => pose.turn = Turn { z: edge(random), w: edge(random) },
            _ => pose.turn = Turn { z: -0.0, w: -1.0 },
        }
        pose
    }

    fn shifted(&mut self, by: &[f32; 2]) {
        self.position.iter_mut().zip(by).for_each(|(x, by)| *x += by);
    }

    fn any_shift(random: &mut Random) -> [f32; 2] {
        core::array::from_fn(|_| random.within(1000.0))
    }
}
