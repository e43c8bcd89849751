//! A timeline takes what its playhead shows.
use portamento::Moment;
use portamento::playhead::Timeline;
use portamento::remote::PeerFrame;

fn view(timeline: &Timeline<f32>, moment: Moment, frame: &PeerFrame) {
    timeline.view(moment);
    timeline.view(frame);
    timeline.view(0.5);
}

fn draw(timeline: &mut Timeline<f32>, moment: Moment, frame: &PeerFrame) {
    timeline.draw(moment);
    timeline.draw(frame);
    timeline.draw(0.5);
}

fn main() {}
