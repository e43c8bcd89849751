//! The library's own snapshot buffer as a method among others.

use super::{Arrival, Shown, Strategy};
use crate::yardstick::Turn;
use crate::yardstick::place::Place;
use portamento::blend::Rotation;
use portamento::remote::{Displace, Report, Sender, Settings, Snapshots};

/// A measurable place that the library can draw.
pub trait Drawable: Place {
    /// The library's type for it.
    type Value: Displace;
    /// As the library takes it.
    fn value(self) -> Self::Value;
    /// As the yardstick takes it.
    fn place(value: &Self::Value) -> Self;
}

impl Drawable for [f64; 3] {
    type Value = [f64; 3];
    fn value(self) -> [f64; 3] {
        self
    }
    fn place(value: &[f64; 3]) -> Self {
        *value
    }
}

impl Drawable for Turn {
    type Value = Rotation;
    fn value(self) -> Rotation {
        Rotation::from_xyzw(self.0.map(|c| c as f32)).unwrap_or_default()
    }
    fn place(value: &Rotation) -> Self {
        Turn::normalized(value.to_array().map(f64::from)).unwrap_or(Turn::IDENTITY)
    }
}

/// [`Snapshots`] of one thing, as a game would use them.
#[derive(Debug)]
pub struct SnapshotBuffer<P: Drawable> {
    sender: Sender,
    snapshots: Snapshots<P::Value>,
}

impl<P: Drawable> SnapshotBuffer<P> {
    /// With the defaults for this send interval.
    ///
    /// # Panics
    /// When the interval is not a positive time: feeds have been checked before.
    pub fn new(interval: f64) -> Self {
        Self::with(Settings::new(interval))
    }

    /// With everything chosen.
    ///
    /// # Panics
    /// When the settings can never work.
    pub fn with(settings: Settings) -> Self {
        let sender = Sender::with(settings).expect("the settings were checked before");
        Self { sender, snapshots: Snapshots::new() }
    }
}

impl<P: Drawable> Strategy<P> for SnapshotBuffer<P> {
    fn receive(&mut self, arrival: &Arrival<P>) {
        let stamp = self.sender.receive(arrival.sent, arrival.arrived);
        self.snapshots.insert(stamp, Report::new(arrival.place.value()).with_epoch(arrival.epoch));
    }

    fn frame(&mut self, now: f64) -> Option<Shown<P>> {
        let frame = self.sender.frame(now)?;
        let drawn = self.snapshots.draw(&frame)?;
        Some(Shown { place: P::place(&drawn.view), content: Some(frame.shown) })
    }
}
