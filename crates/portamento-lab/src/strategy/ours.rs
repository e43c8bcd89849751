//! This library as a method among others: in a loop of one's own, over the ticks of another clock, and over messages.

use super::{Arrival, Drawn, Shown, Strategy};
use crate::yardstick::Turn;
use crate::yardstick::place::Place;
use portamento::Track;
use portamento::blend::Displace;
use portamento::blend::Rotation;
use portamento::playhead::{self, Playhead, Timeline};
use portamento::remote::{Peer, PeerSettings, Report, Snapshots};
use portamento::step::{Moment, Stepper};

/// A game's own loop around a stepper: every tick simulates the truth at its time.
#[derive(Clone, Copy)]
pub struct OwnLoop<'a> {
    /// Where the entity is at a time.
    pub truth: &'a dyn Fn(f64) -> [f64; 3],
    /// When frames are displayed.
    pub display: &'a [f64],
    /// What the loop's clock says then.
    pub readings: &'a [f64],
}

/// Enough ends for every policy at every frame rate of the lab.
type Ends<T> = Track<T, 32>;

/// What a frame of an [`OwnLoop`] can draw from.
#[derive(Debug)]
pub struct OwnFrame<'a> {
    /// Where the entity was in its last ticks.
    pub places: &'a Ends<[f64; 3]>,
    /// The times of these ticks.
    pub times: &'a Ends<f64>,
    /// The moment that the stepper asks for.
    pub moment: Moment,
    /// The frame time that the loop's clock gave.
    pub seconds: f64,
}

impl OwnLoop<'_> {
    /// Runs the loop; `draw` says where the entity is drawn and which time that stands for.
    pub fn draw<const Q: usize>(
        &self,
        mut stepper: Stepper<Q>,
        mut draw: impl FnMut(&OwnFrame) -> ([f64; 3], f64),
    ) -> Drawn<[f64; 3]> {
        let mut places = Ends::with_ends((self.truth)(0.0));
        let mut times = Ends::with_ends(0.0);
        let mut drawn = Drawn::new();
        let mut before = 0.0;
        for (&shown_at, &reading) in self.display.iter().zip(self.readings) {
            let seconds = reading - before;
            before = reading;
            let frame = stepper.frame(seconds);
            for tick in frame.ticks {
                places.push((self.truth)(tick.time));
                times.push(tick.time);
            }
            let frame = OwnFrame { places: &places, times: &times, moment: frame.moment, seconds };
            let (place, content) = draw(&frame);
            drawn.push(shown_at, place, Some(content));
        }
        drawn
    }

    /// Draws the moment that the stepper asks for.
    pub fn smooth<const Q: usize>(&self, stepper: Stepper<Q>) -> Drawn<[f64; 3]> {
        self.draw(stepper, |frame| (frame.places.view(frame.moment), frame.times.view(frame.moment)))
    }

    /// Draws the newest tick.
    pub fn raw<const Q: usize>(&self, stepper: Stepper<Q>) -> Drawn<[f64; 3]> {
        self.draw(stepper, |frame| (*frame.places.truth(), *frame.times.truth()))
    }
}

/// The ticks of another clock in a timeline, drawn where a playhead stands. The original rule and ours differ in the
/// settings alone.
#[derive(Clone, Debug)]
pub struct ByPlayhead {
    playhead: Playhead,
    timeline: Timeline<[f64; 3], 128>,
    epoch: Option<u32>,
}

impl ByPlayhead {
    /// A playhead with these settings.
    ///
    /// # Panics
    /// When the settings can never work: feeds have been checked before.
    pub fn new(settings: playhead::PlayheadSettings) -> Self {
        let playhead = Playhead::new(settings).expect("the settings were checked before");
        Self { playhead, timeline: Timeline::default(), epoch: None }
    }
}

impl Strategy<[f64; 3]> for ByPlayhead {
    fn receive(&mut self, arrival: &Arrival<[f64; 3]>) {
        let cut = self.epoch.replace(arrival.epoch).is_some_and(|epoch| epoch != arrival.epoch);
        if cut {
            self.playhead.observe_cut(arrival.arrived, arrival.sent);
            self.timeline.cut(arrival.sent, arrival.place);
        } else {
            self.playhead.observe(arrival.arrived, arrival.sent);
            self.timeline.push(arrival.sent, arrival.place);
        }
    }

    fn frame(&mut self, now: f64) -> Option<Shown<[f64; 3]>> {
        let shown = self.playhead.advance(now)?;
        self.timeline.view(shown).map(|place| Shown { place, content: Some(shown.at) })
    }
}

/// [`Snapshots`] of one entity, as a game would use them.
#[derive(Debug)]
pub struct SnapshotBuffer<P: Drawable> {
    peer: Peer,
    snapshots: Snapshots<P::Value>,
}

impl<P: Drawable> SnapshotBuffer<P> {
    /// With the defaults for this send interval.
    ///
    /// # Panics
    /// When the interval is not a positive time: feeds have been checked before.
    pub fn new(interval: f64) -> Self {
        Self::with(PeerSettings::at_hz(1.0 / interval))
    }

    /// With everything chosen.
    ///
    /// # Panics
    /// When the settings can never work.
    pub fn with(settings: PeerSettings) -> Self {
        let peer = Peer::new(settings).expect("the settings were checked before");
        Self { peer, snapshots: Snapshots::new() }
    }
}

impl<P: Drawable> Strategy<P> for SnapshotBuffer<P> {
    fn receive(&mut self, arrival: &Arrival<P>) {
        let stamp = self.peer.receive(arrival.sent, arrival.arrived);
        self.snapshots.insert(stamp, Report::new(arrival.place.value()).with_epoch(arrival.epoch));
    }

    fn frame(&mut self, now: f64) -> Option<Shown<P>> {
        let frame = self.peer.frame(now)?;
        let drawn = self.snapshots.draw(&frame).here()?;
        Some(Shown { place: P::place(&drawn.now), content: Some(frame.shown) })
    }
}

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
