//! Snapshots take the frame of their peer.
use portamento::Moment;
use portamento::blend::Pose;
use portamento::playhead::Shown;
use portamento::remote::Snapshots;

fn draw(snapshots: &mut Snapshots<Pose>, moment: Moment, shown: Shown) {
    let _ = snapshots.draw(moment);
    let _ = snapshots.draw(shown);
    let _ = snapshots.draw(0.5);
}

fn main() {}
