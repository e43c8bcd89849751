//! A client that shoots at one target, and a server that judges.

use portamento::blend::{Displace, Hermite, Pose, Rotation};
use portamento::remote::{Claim, History, Peer, Report, RewindRefused, Snapshots};

/// Numbers that look random, the same in every run.
pub struct Dice(pub u64);

impl Dice {
    /// 0 to 1.
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }

    pub fn one_in(&mut self, sides: f64) -> bool {
        self.roll() * sides < 1.0
    }
}

/// Someone who runs about and turns.
pub fn runner(t: f64) -> Pose {
    let turn = Rotation::from_axis_angle([0.1, 1.0, 0.3], (t * 2.3).sin() as f32 * 2.0);
    Pose::new([(t * 1.7).sin() as f32 * 6.0, (t * 3.1).cos() as f32, (0.7 * t).sin() as f32 * 9.0], turn)
}

/// What a message says of the target.
#[derive(Clone, Copy)]
pub enum Word {
    Here(Report<Pose>),
    Gone,
    Nothing,
}

pub struct Client {
    pub peer: Peer,
    pub target: Snapshots<Pose, 32>,
    /// Arrival, stamp and word.
    inbox: Vec<(f64, f64, Word)>,
}

/// What left the client, and what it had on its screen.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    pub bytes: [u8; 12],
    pub value: Pose,
    pub view: Pose,
    pub shown: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    Same,
    /// Judged by another picture than the client had.
    Wrong,
    Refused(RewindRefused),
}

impl Client {
    pub fn at_hz(hz: f64) -> Self {
        Client { peer: Peer::at_hz(hz).unwrap(), target: Snapshots::default(), inbox: Vec::new() }
    }

    pub fn send(&mut self, arrives: f64, sent: f64, word: Word) {
        self.inbox.push((arrives, sent, word));
    }

    /// Takes in what has arrived, draws, and shoots; `None` if there is nothing to shoot at.
    pub fn shoot(&mut self, now: f64) -> Option<Result<Shot, &'static str>> {
        self.inbox.sort_by(|a, b| b.0.total_cmp(&a.0));
        while let Some((arrived, sent, word)) = self.inbox.pop_if(|message| message.0 <= now) {
            let stamp = self.peer.receive(sent, arrived);
            let _ = match word {
                Word::Here(report) => Some(self.target.insert(stamp, report)),
                Word::Gone => Some(self.target.vanish(stamp)),
                Word::Nothing => None,
            };
        }
        let frame = self.peer.frame(now)?;
        let view = self.target.draw(&frame).here()?.now;
        let Some(claim) = self.target.claim(&frame) else { return Some(Err("no claim")) };
        let shown = frame.shown - self.target.statistics().extra_delay;
        Some(Ok(Shot { bytes: claim.to_bytes(), value: *self.target.blended().unwrap(), view, shown }))
    }
}

pub fn bits(pose: &Pose) -> [u32; 7] {
    let ([x, y, z], [i, j, k, w]) = (pose.position, pose.rotation.to_array());
    [x, y, z, i, j, k, w].map(f32::to_bits)
}

/// The server's word on a shot that arrives at `now` by its clock.
pub fn judge(history: &History<Pose>, shot: &Shot, now: f64) -> Verdict {
    let claim = Claim::from_bytes(shot.bytes).expect("what we wrote we read");
    match history.rewind(claim, now) {
        Ok(rewound) => {
            let beside = Pose::size(&Pose::velocity(&rewound.value, &shot.view, 1.0)).length;
            let right = bits(&rewound.value) == bits(&shot.value) && beside <= rewound.offset + 1e-5;
            if right { Verdict::Same } else { Verdict::Wrong }
        }
        Err(refused) => Verdict::Refused(refused),
    }
}
