//! Saves from strangers: refused, or harmless.

use super::Value;
use crate::Source;
use crate::saves::edited;
use portamento::batch::{Batch, BatchSettings};
use portamento::blend::{OffsetSize, Pose, Pose64};
use portamento::camera::{ChaseCamera, ChaseSettings, FollowCamera, FollowSettings};
use portamento::playhead::{Cues, Playhead, Timeline};
use portamento::remote::waypoints::{OwnPlayer, RemoteBody, WaypointRules, WaypointSettings, WaypointTick};
use portamento::remote::{Claim, History, Peer, PeerFrame, Report, Snapshots, TickClock};
use portamento::step::{GatedStepper, MomentParts, Stepper};
use portamento::track::{OffsetFading, PredictedTrack, VisualOffset};
use portamento::{Moment, Track};
use serde::{Serialize, de::DeserializeOwned};

/// Makes calls until the source is empty; returns how many. The bytes of a fuzzer are a kind and a text.
pub fn drive(source: &mut Source) -> u64 {
    if let Some(bytes) = source.rest() {
        if let Some((kind, text)) = bytes.split_first()
            && let Ok(text) = std::str::from_utf8(text)
        {
            KINDS[usize::from(*kind) % KINDS.len()].read(text);
        }
        *source = Source::bytes(&[]);
        return 1;
    }
    let mut calls = 0;
    while !source.is_empty() {
        let kind = &KINDS[source.below(KINDS.len())];
        calls += (kind.edit)(source);
    }
    calls
}

/// A type that can be saved.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// A sound save.
    pub sample: fn() -> String,
    read: fn(&str),
    edit: fn(&mut Source) -> u64,
}

impl Kind {
    /// Reads a save of this kind, and uses what it holds.
    pub fn read(&self, text: &str) {
        (self.read)(text);
    }
}

/// What is saved, and how it is used when it comes from a stranger.
trait Saved: Serialize + DeserializeOwned {
    fn sample() -> Self;
    fn use_it(self);
}

fn sample<T: Saved>() -> String {
    serde_json::to_string(&T::sample()).expect("plain data is written")
}

fn read<T: Saved>(text: &str) {
    if let Ok(saved) = serde_json::from_str::<T>(text) {
        saved.use_it();
    }
}

fn edit<T: Saved>(source: &mut Source) -> u64 {
    let text = sample::<T>();
    for _ in 0..8 {
        if let Some(saved) = edited::<T>(&text, source) {
            saved.use_it();
        }
    }
    8
}

macro_rules! saved {
    ($($type:ty: $name:literal, $sample:expr, |$it:ident| $use:block)*) => {
        $(impl Saved for $type {
            fn sample() -> Self {
                $sample
            }

            #[allow(unused_mut)]
            fn use_it(self) {
                let mut $it = self;
                $use
            }
        })*

        /// Every type that can be saved.
        pub const KINDS: &[Kind] =
            &[$(Kind { name: $name, sample: sample::<$type>, read: read::<$type>, edit: edit::<$type> }),*];
    };
}

fn times() -> impl Iterator<Item = f64> {
    (0..24).map(|k| f64::from(k) / 30.0)
}

saved! {
    Stepper: "stepper", {
        let mut stepper = Stepper::fixed(60.0).expect("a rate");
        let _ = (stepper.frame(0.107), stepper.set_hz(30.0), stepper.frame(0.011));
        stepper
    }, |it| {
        for dt in times() {
            assert!((0.0..=1.0).contains(&it.frame(dt / 20.0).moment.alpha()));
        }
        let _ = (it.step_once(), it.frame_at(1.0), it.set_hz(50.0), it.frame(f64::MAX));
    }
    GatedStepper: "gate", {
        let mut gate = GatedStepper::gated();
        times().for_each(|dt| drop(gate.frame(dt / 10.0)));
        gate
    }, |it| {
        for dt in times() {
            assert!((0.0..=1.0).contains(&it.frame(dt / 20.0).moment.alpha()));
        }
        it.cut();
        let _ = (it.step_once(), it.frame(1.9));
    }
    Moment: "moment", {
        let behind = MomentParts { back: 2, ..Moment::at(0.5, 0.01).into() };
        Moment::from(behind).in_frame(7)
    }, |it| {
        assert!((0.0..=1.0).contains(&it.alpha()) && it.presented() >= 0.0 && MomentParts::from(it).beyond >= 0.0);
    }
    Track<Pose>: "track", {
        let mut track = Track::new(Pose::at([1.0, 2.0, 3.0]));
        (0..5).for_each(|k| track.push(Pose::at([k as f32; 3])));
        let _ = track.draw(Moment::at(0.5, 0.01));
        track
    }, |it| {
        for k in 0..12 {
            let _ = (it.draw(Moment::at(0.5, 0.01)), it.ends().at_rest(Moment::newest(0.0)));
            it.push(Pose::at([k as f32; 3]));
        }
        it.restore(it.ends().clone());
        it.cut(Pose::default());
        assert!(it.draw(Moment::at(0.5, 0.01)).now == Pose::default());
    }
    PredictedTrack<Pose>: "predicted_track", {
        let mut track = PredictedTrack::new(Pose::at([1.0, 2.0, 3.0]));
        (0..5).for_each(|k| track.push(Pose::at([k as f32; 3])));
        let _ = track.draw(Moment::at(0.5, 0.01));
        track.reconcile(Pose::at([9.0; 3]));
        let _ = track.draw(Moment::at(0.6, 0.01));
        track
    }, |it| {
        let before = it.ends().clone();
        for k in 0..12 {
            let _ = it.draw(Moment::at(0.5, 0.01));
            it.push(Pose::at([k as f32; 3]));
            if k % 4 == 0 {
                it.reconcile(Pose::at([k as f32; 3]));
            }
        }
        it.restore(before);
        let _ = it.draw(Moment::at(0.5, 0.01));
        it.cut(Pose::default());
        assert!(it.draw(Moment::at(0.5, 0.01)).now == Pose::default());
    }
    VisualOffset<Pose>: "visual_offset", {
        let mut offset = VisualOffset::default();
        let _ = offset.absorb(&Pose::at([1.0; 3]), &Pose::default(), OffsetSize { length: 9.0, angle: 9.0 });
        offset
    }, |it| {
        it.fade(0.1, &OffsetFading::CORRECTION);
        let _ = (it.drawn(&Pose::default()), it.absorb(&Pose::at([1.0; 3]), &Pose::default(), it.size()));
    }
    Batch<Pose>: "batch", {
        let settings = BatchSettings { ends: 3, remember_views: true, ..BatchSettings::default() };
        let mut batch = Batch::with_settings(settings).expect("three ends");
        let handles: Vec<_> = (0..5).map(|k| batch.insert(Pose::at([k as f32; 3]))).collect();
        batch.tick();
        batch.push(handles[1], Pose::at([9.0; 3])).expect("it lives");
        let _ = batch.frame(Moment::at(0.5, 0.01));
        batch.remove(handles[3]).expect("it lives");
        batch.cut(handles[2], Pose::default()).expect("it lives");
        batch
    }, |it| {
        for k in 0..4 {
            it.tick();
            for handle in it.handles().to_vec() {
                it.push(handle, Pose::at([k as f32; 3])).expect("it lives");
            }
            let new = it.insert(Pose::default());
            let frame = it.frame(Moment::at(0.5, 0.01));
            assert!(frame.view(new).is_ok() && frame.moved().len() <= it.handles().len());
        }
        for handle in it.handles().to_vec() {
            it.remove(handle).expect("it lives");
        }
        assert!(it.handles().is_empty());
    }
    Playhead: "playhead", {
        let mut playhead = Playhead::at_hz(30.0).expect("a rate");
        for now in times() {
            playhead.observe(now, 1.1 * now);
            playhead.advance(now);
        }
        playhead.set_time_scale(0.8, 0.5);
        playhead
    }, |it| {
        let mut last = f64::NEG_INFINITY;
        for now in times() {
            it.observe(1.0 + now, 1.0 + now);
            if let Some(shown) = it.advance(1.0 + now) {
                assert!(shown.at >= last && shown.at.is_finite() && shown.presented.is_finite());
                last = shown.at;
            }
        }
        it.set_time_scale(2.0, 0.0);
        let _ = (it.advance(2.0), it.advance(f64::MAX), it.statistics());
    }
    Timeline<f64>: "timeline", {
        let mut timeline = Timeline::new();
        for now in times() {
            timeline.push(now, now);
        }
        let _ = timeline.draw(portamento::playhead::Shown::still(0.4));
        timeline
    }, |it| {
        for now in times() {
            let _ = it.draw(portamento::playhead::Shown::still(now));
            it.cut(now, 1.0);
            it.push(now + 0.5, 1.0);
        }
    }
    Cues<u8>: "cues", {
        let mut cues = Cues::new();
        for now in times() {
            let _ = cues.add(now, 1);
        }
        cues
    }, |it| {
        let _ = it.add(0.5, 1);
        let waiting = it.waiting();
        let fired = std::iter::from_fn(|| it.next(portamento::playhead::Shown::still(1e9))).count();
        assert!(fired <= waiting);
    }
    FollowCamera: "follow_camera", {
        let mut camera = FollowCamera::new(FollowSettings::new([640.0, 360.0])).expect("a screen");
        camera.shake(0.5);
        for now in times() {
            camera.update(Moment::newest(1.0 / 30.0), [9.0 * now, now]);
        }
        camera
    }, |it| {
        for now in times() {
            let framing = it.update(Moment::newest(1.0 / 30.0), [9.0 * now, now]);
            assert!(framing.centre.iter().all(|c| c.is_finite()) && framing.zoom.is_finite());
        }
        it.pan([5.0, 5.0]);
        it.zoom_by(1.5, Some([3.0, 3.0]));
        it.shake(0.3);
        let framing = it.update_all(Moment::newest(0.01), [[0.0, 0.0], [500.0, 9.0]]);
        assert!(framing.to_world([0.0; 2]).iter().all(|c| c.is_finite()));
    }
    ChaseCamera: "chase_camera", {
        let mut camera = ChaseCamera::new(ChaseSettings::y_up()).expect("the defaults");
        for now in times() {
            camera.update(Moment::newest(1.0 / 30.0), Pose::at([9.0 * now as f32; 3]));
        }
        camera
    }, |it| {
        for now in times() {
            let shot = it.update(Moment::newest(1.0 / 30.0), Pose::at([9.0 * now as f32; 3]));
            assert!(shot.eye.iter().chain(&shot.forward).all(|c| c.is_finite()), "{shot:?}");
        }
    }
    Peer: "peer", network().0, |it| {
        for now in times() {
            it.receive(2.0 + now, 2.0 + now);
            if let Some(frame) = it.frame(2.0 + now) {
                assert!(frame.shown.is_finite() && frame.delay.is_finite());
            }
        }
        it.restart();
        it.receive(0.0, 3.0);
        assert!(it.frame(3.0).is_some() && (0.0..=1.0).contains(&it.statistics().loss));
    }
    PeerFrame: "peer_frame", network().0.frame(0.81).expect("it has spoken"), |it| {
        let mut entity = network().1;
        let _ = entity.draw(&it);
        let _ = (entity.claim(&it), entity.draw(&it));
    }
    Snapshots<Pose>: "snapshots", network().1, |it| {
        let mut peer = network().0;
        for now in times() {
            let stamp = peer.receive(0.85 + now, 0.85 + now);
            it.insert(stamp, Report::new(Pose::at([now as f32; 3])));
            if let Some(frame) = peer.frame(0.85 + now) {
                let _ = (it.draw(&frame).here(), it.claim(&frame));
            }
        }
        it.hand_over();
        let stamp = peer.receive(2.0, 2.0);
        it.insert(stamp, Report::new(Pose::default()).with_epoch(9));
    }
    History<Pose>: "history", {
        let mut history = History::at_hz(30.0).expect("a rate");
        for now in times() {
            history.record(now, Report::new(Pose::at([now as f32; 3])));
        }
        history
    }, |it| {
        let entity = network();
        let mut peer = entity.0;
        if let Some(frame) = peer.frame(0.82) {
            let _ = entity.1.claim(&frame).map(|claim| it.rewind(claim, 0.85).is_ok());
        }
        for back in 0..90u8 {
            if let Some(claim) = Claim::from_bytes([back, 0, 4, 4, 4, 9, 9, 0, 0, 0, 0, 0]) {
                let _ = (it.rewind(claim, 0.85), it.at(f64::from(back)));
            }
        }
        let _ = (it.record(0.9, Report::new(Pose::default())), it.vanish(1.0));
    }
    TickClock: "tick_clock", {
        let mut stamps = TickClock::at_hz(64.0, 8).expect("a rate");
        stamps.seconds(250, 1.0);
        stamps
    }, |it| {
        for k in 0..9 {
            assert!(it.seconds(40 * k, f64::from(k)).is_none_or(f64::is_finite));
        }
    }
    Claim: "claim", Claim::from_bytes([7, 0, 4, 4, 4, 9, 9, 0, 0, 0, 0, 0]).expect("a claim"), |it| {
        assert!(Claim::from_bytes(it.to_bytes()) == Some(it));
    }
    RemoteBody<u8>: "remote_body", {
        let rules = WaypointRules::new(WaypointSettings::z_up()).expect("the defaults");
        let mut body = RemoteBody::default();
        let _ = body.report(&rules, &report([0.0; 3]), 0.0);
        let _ = body.report(&rules, &report([4.0, 0.0, 0.0]), 0.1);
        let _ = body.walk(&rules, &tick());
        body
    }, |it| {
        let rules = WaypointRules::new(WaypointSettings::z_up()).expect("the defaults");
        for k in 0..12 {
            let _ = it.report(&rules, &report([f64::from(k), 0.0, 0.0]), f64::from(k));
            let _ = (it.walk(&rules, &tick()), it.draw(Moment::at(0.5, 0.01)));
            it.frame(&rules, f64::from(k), 0.01);
        }
    }
    OwnPlayer: "own_player", OwnPlayer::default(), |it| {
        let _ = it.echo(&report([1.0, 0.0, 0.0]), &mut Pose64::default());
    }
}

fn tick() -> WaypointTick {
    WaypointTick { dt: 1.0 / 30.0, max_speed: 4.0, contact: true, sticky: false }
}

fn report(position: [f64; 3]) -> portamento::remote::waypoints::WaypointReport<u8> {
    portamento::remote::waypoints::WaypointReport {
        teleport: 0,
        sequence: None,
        forced: 0,
        pose: Pose64::at(position),
        contact: true,
        keep_heading: false,
        indoors: false,
        blip: None,
        payload: 1,
    }
}

fn network() -> (Peer, Snapshots<Pose>) {
    let mut peer = Peer::at_hz(30.0).expect("a rate");
    let mut entity = Snapshots::new();
    for now in times() {
        let stamp = peer.receive(now, now);
        entity.insert(stamp, Report::new(Pose::any(&mut Source::seed(now.to_bits(), 40))));
        if let Some(frame) = peer.frame(now) {
            let _ = entity.draw(&frame);
        }
    }
    (peer, entity)
}
