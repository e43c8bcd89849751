//! Kinds of pose and random numbers for the tests of the module.

mod accuracy;
// Also a golden of `tests/golden`, from where WebAssembly draws it too.
#[path = "../../../tests/golden/crowd.rs"]
mod crowd;
mod glide;
mod model;
mod outputs;
mod parity;
#[path = "../../../tests/golden/random.rs"]
mod random;
mod rest;
mod rollback;

use super::*;
use crate::blend::{Pose, Pose2, Rotation, Scaled};
use crowd::Member;
use random::Random;

/// The truth of `batch`, in memory of its own.
fn saved<P: BatchPose>(batch: &Batch<P>) -> BatchTruth<P> {
    let mut truth = BatchTruth::default();
    batch.save(&mut truth);
    truth
}

/// What the tests need of every kind of pose.
pub(super) trait Sample: Member {
    fn shifted(&mut self, by: &[f32; 3]);

    fn any_shift(random: &mut Random) -> [f32; 3] {
        core::array::from_fn(|_| random.within(1000.0))
    }

    /// The bits, with one NaN standing for all: which NaN comes out is the compiler's choice.
    fn bits(&self) -> Vec<u32> {
        self.numbers().iter().map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() }).collect()
    }
}

impl Sample for Pose {
    fn shifted(&mut self, by: &[f32; 3]) {
        self.position.iter_mut().zip(by).for_each(|(x, by)| *x += by);
    }
}

impl Sample for Scaled<Pose> {
    fn shifted(&mut self, by: &[f32; 3]) {
        self.pose.shifted(by);
    }
}

impl Sample for Pose2 {
    fn shifted(&mut self, by: &[f32; 3]) {
        self.position.iter_mut().zip(by).for_each(|(x, by)| *x += by);
    }
}
