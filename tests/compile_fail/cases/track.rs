//! A track takes the moment of its own loop.
use portamento::playhead::Shown;
use portamento::remote::PeerFrame;
use portamento::Track;

fn view(track: &Track<f32>, shown: Shown, frame: &PeerFrame) {
    track.view(shown);
    track.view(frame);
    track.view(0.5);
}

fn draw(track: &mut Track<f32>, shown: Shown, frame: &PeerFrame) {
    let _ = track.draw(shown);
    let _ = track.draw(frame);
    let _ = track.draw(0.5);
}

fn main() {}
