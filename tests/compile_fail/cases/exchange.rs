//! A reader takes what its playhead shows.
use portamento::Moment;
use portamento::exchange::Reader;
use portamento::remote::PeerFrame;

fn at(reader: &mut Reader, moment: Moment, frame: &PeerFrame) {
    let _ = reader.at(moment);
    let _ = reader.at(frame);
    let _ = reader.at(0.5);
}

fn main() {}
