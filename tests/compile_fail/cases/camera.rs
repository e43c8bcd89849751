//! Cameras take presented time of any kind, but no bare number, and follow poses and places.
use portamento::camera::{ChaseCamera, FollowCamera};
use portamento::{Moment, Presented, Track};

struct Tank;

fn main() {}

fn cameras(chase: &mut ChaseCamera, follow: &mut FollowCamera, moment: Moment, mut body: Track<[f32; 3]>) {
    let drawn = body.draw(moment);
    chase.update(moment, drawn); // a position has no heading
    follow.update(moment, drawn); // three numbers in the plane
    chase.update(moment, Tank);
    chase.update(1.0 / 60.0, drawn.map(portamento::blend::Pose::at)); // seconds by their name only
    chase.update(Presented::from_seconds(1.0 / 60.0), drawn.map(portamento::blend::Pose::at)); // this is right
}
