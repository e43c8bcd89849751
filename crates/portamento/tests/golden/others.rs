//! Things that live by another clock: a writer in another thread, and a player behind a bad network.

use super::Hash;
use super::input::Noise;
use portamento::blend::{Displace, Pose, Pose2, Rotation, Scaled, Turn, Velocity, Velocity2};
use portamento::playhead::{Playhead, PlayheadRule, PlayheadSettings, Timeline};
use portamento::remote::{History, Peer, PeerSettings, Report, Snapshots};

/// A minute of a writer's ticks: jitter, a drifting timer, bunches, a stall, a pause; drawn by every rule.
pub fn playhead() -> u64 {
    const TICK: f64 = 1.0 / 60.0;
    let mut hash = Hash::new();
    let tick = PlayheadSettings::at_hz(1.0 / TICK);
    for settings in [
        tick,
        PeerSettings::at_hz(1.0 / TICK).playhead,
        PlayheadSettings { rule: PlayheadRule::SinceArrival, ..tick },
        PlayheadSettings { extrapolate: 0.05, ..tick },
    ] {
        let mut playhead = Playhead::new(settings).unwrap();
        let mut timeline = Timeline::<[f64; 2]>::new();
        let mut noise = Noise(3);
        let (mut written, mut next_frame) = (0.0, 0.0);
        for k in 0..3600u32 {
            written += match k {
                1200 => 2.0,
                2400 => 0.3,
                _ => TICK * (1.0 + 1e-3 * f64::from(k % 900) / 900.0),
            };
            let bunch = if (600..900).contains(&k) { f64::from(k % 3) * TICK } else { 0.0 };
            let arrival = written - bunch + 0.002 * (1.0 + noise.next());
            while next_frame < arrival {
                if let Some(shown) = playhead.advance(next_frame) {
                    hash.numbers([shown.at, shown.presented, shown.beyond, shown.skipped]);
                    hash.numbers(timeline.view(shown).into_iter().flatten());
                }
                next_frame += (1.0 / 144.0) * (1.0 + 0.2 * noise.next());
            }
            let sim = f64::from(k) * TICK;
            playhead.observe(arrival, sim);
            timeline.push(sim, [sim * sim, noise.next()]);
        }
    }
    hash.0
}

/// What the reports are of.
pub trait Thing: Displace + Copy {
    /// Somewhere, turned by radians about an axis of its own.
    fn at(place: [f32; 3], turn: f32) -> Self;
    /// At a pace, and radians per second.
    fn moving(pace: [f32; 3], turning: f32) -> Self::Velocity;
    fn numbers(&self, hash: &mut Hash);
}

impl Thing for Pose {
    fn at(place: [f32; 3], turn: f32) -> Self {
        Pose::new(place, Rotation::from_axis_angle([0.1, 1.0, 0.3], turn))
    }

    fn moving(pace: [f32; 3], turning: f32) -> Velocity {
        Velocity { linear: pace, angular: [0.0, turning, 0.0] }
    }

    fn numbers(&self, hash: &mut Hash) {
        hash.pose(self);
    }
}

impl Thing for Pose2 {
    fn at([x, _, z]: [f32; 3], turn: f32) -> Self {
        Pose2::new([x, z], Turn::from_angle(turn))
    }

    /// Some of it more than half a turn from report to report.
    fn moving([x, _, z]: [f32; 3], turning: f32) -> Velocity2 {
        Velocity2 { linear: [x, z], angular: 200.0 * turning }
    }

    fn numbers(&self, hash: &mut Hash) {
        let Pose2 { position: [x, y], turn: Turn { z, w } } = *self;
        hash.numbers([x, y, z, w].map(f64::from));
    }
}

/// Grows where it goes, and turns over at the origin.
impl Thing for Scaled<Pose> {
    fn at(place: [f32; 3], turn: f32) -> Self {
        Scaled { pose: Thing::at(place, turn), scale: [1.0, place[0], 0.5 + place[1].abs()] }
    }

    fn moving(pace: [f32; 3], turning: f32) -> Velocity {
        Pose::moving(pace, turning)
    }

    fn numbers(&self, hash: &mut Hash) {
        hash.pose(&self.pose);
        hash.numbers(self.scale.map(f64::from));
    }
}

/// A minute of one entity's reports with loss, jitter, outages and cuts; what is drawn, what is claimed, and what
/// the server makes of the claim.
pub fn snapshots<T: Thing>() -> u64 {
    const INTERVAL: f64 = 1.0 / 30.0;
    let mut hash = Hash::new();
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut thing = Snapshots::<T>::new();
    let mut history = History::<T>::at_hz(1.0 / INTERVAL).unwrap();
    let mut noise = Noise(5);
    let (mut place, mut turn) = ([0.0f32; 3], 0.0f32);
    let mut on_the_way: Vec<(f64, f64, Report<T>)> = Vec::new();
    let mut sent = 0.0;
    for frame in 0..60 * 144 {
        let now = f64::from(frame) / 144.0;
        while sent <= now {
            let pace = [noise.next(), 0.2 * noise.next(), noise.next()].map(|c| 8.0 * c as f32);
            place = core::array::from_fn(|i| place[i] + pace[i] * INTERVAL as f32);
            turn += noise.next() as f32 * 0.3;
            let epoch = (sent / 7.0) as u32;
            let value = T::at([place[0] + 50.0 * epoch as f32, place[1], place[2]], turn);
            let report = Report::new(value).with_epoch(epoch);
            let known = T::moving(pace, noise.next() as f32);
            let report = if epoch.is_multiple_of(2) { report } else { report.with_velocity(known) };
            history.record(sent, report);
            if noise.next() > -0.9 {
                let outage = if sent % 20.0 > 19.0 { 1.0 } else { 0.0 };
                on_the_way.push((sent + outage + 0.04 + 0.02 * noise.next(), sent, report));
            }
            sent += INTERVAL;
        }
        on_the_way.sort_by(|a, b| b.0.total_cmp(&a.0));
        while let Some((arrived, sent, report)) = on_the_way.pop_if(|message| message.0 <= now) {
            thing.insert(sender.receive(sent, arrived), report);
        }
        let Some(frame) = sender.frame(now) else { continue };
        let Some(drawn) = thing.draw(&frame).here() else { continue };
        hash.numbers([frame.shown, frame.delay]);
        drawn.now.numbers(&mut hash);
        thing.blended().unwrap().numbers(&mut hash);
        if let Some(claim) = thing.claim(&frame) {
            claim
                .to_bytes()
                .chunks(4)
                .for_each(|c| hash.eat(u32::from_le_bytes(c.try_into().unwrap()).into()));
            if let Ok(rewound) = history.rewind(claim, sent) {
                rewound.value.numbers(&mut hash);
            }
        }
    }
    hash.0
}
