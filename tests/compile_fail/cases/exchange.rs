//! A subscriber takes what its playhead shows.
use portamento::Moment;
use portamento::exchange::Subscriber;
use portamento::remote::PeerFrame;

fn around(subscriber: &mut Subscriber, moment: Moment, frame: &PeerFrame) {
    let _ = subscriber.around(moment);
    let _ = subscriber.around(frame);
    let _ = subscriber.around(0.5);
}

fn main() {}
