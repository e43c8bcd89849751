//! Cameras follow poses and places.
use portamento::camera::{ChaseCamera, FollowCamera};
use portamento::{Moment, Track};

struct Tank;

fn main() {}

fn cameras(chase: &mut ChaseCamera, follow: &mut FollowCamera, moment: Moment, mut body: Track<[f32; 3]>) {
    let drawn = body.draw(moment);
    chase.update(moment, drawn); // a position has no heading
    follow.update(moment, drawn); // three numbers in the plane
    chase.update(moment, Tank);
    chase.update(moment, drawn.map(portamento::blend::Pose::at)); // this is right
}
