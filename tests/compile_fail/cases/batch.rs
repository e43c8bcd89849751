//! A batch takes the moment of its own loop.
use portamento::batch::Batch;
use portamento::blend::Pose;
use portamento::playhead::Shown;
use portamento::remote::PeerFrame;

fn frame(batch: &mut Batch<Pose>, shown: Shown, frame: &PeerFrame) {
    batch.frame(shown);
    batch.frame(frame);
    batch.frame(0.5);
}

fn main() {}
