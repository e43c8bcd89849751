//! Cameras take presented time, which every frame's time converts into, and a number does not.
use portamento::blend::Pose;
use portamento::camera::{ChaseCamera, FollowCamera};

fn chase(camera: &mut ChaseCamera) {
    camera.update(0.016, Pose::default());
    camera.update_with(0.016, Pose::default(), |_, eye| eye);
}

fn follow(camera: &mut FollowCamera) {
    camera.update(0.016, [0.0, 0.0]);
}

fn main() {}
