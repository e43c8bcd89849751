//! An arena of 64 players who run, rest, die and shoot, at 5 % loss: once with the messages handed over in the process, once
//! as bytes in UDP packets over loopback. What a shooter saw as a hit is a hit on the server; a forged claim never is one.
//!
//! ```text
//! SECONDS=20 cargo test --release -p portamento --test arena -- --nocapture
//! ```

use portamento::blend::{Pose, Rotation};
use portamento::remote::{Claim, History, Peer, Report, Seen, Snapshots};
use std::collections::VecDeque;
use std::net::UdpSocket;

const PLAYERS: usize = 64;
const HZ: f64 = 30.0;
const FRAME: f64 = 1.0 / 60.0;
const LOSS: f64 = 0.05;
/// How far a shot may miss the middle of a body, and how much more the server allows for a picture that glides.
const RADIUS: f32 = 0.5;
const ALLOWED: f64 = 0.5;
/// A tick's message does not fit into one packet: this many bodies are in each.
const PER_PACKET: usize = 32;
const PER_BODY: usize = 30;

struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }

    fn within(&mut self, range: f64) -> f32 {
        ((2.0 * self.roll() - 1.0) * range) as f32
    }
}

/// How packets get to someone: 0 is the server, then the players.
trait Wire {
    fn send(&mut self, from: usize, to: usize, bytes: &[u8]);
    fn receive(&mut self, at: usize) -> Option<Vec<u8>>;
}

#[derive(Default)]
struct InProcess(Vec<VecDeque<Vec<u8>>>);

impl Wire for InProcess {
    fn send(&mut self, _: usize, to: usize, bytes: &[u8]) {
        self.0.resize_with(PLAYERS + 1, VecDeque::new);
        self.0[to].push_back(bytes.to_vec());
    }

    fn receive(&mut self, at: usize) -> Option<Vec<u8>> {
        self.0.get_mut(at)?.pop_front()
    }
}

struct Udp(Vec<UdpSocket>);

impl Udp {
    fn new() -> Self {
        let socket = || {
            let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
            socket.set_nonblocking(true).unwrap();
            socket
        };
        Udp((0..=PLAYERS).map(|_| socket()).collect())
    }
}

impl Wire for Udp {
    fn send(&mut self, from: usize, to: usize, bytes: &[u8]) {
        let there = self.0[to].local_addr().unwrap();
        assert_eq!(self.0[from].send_to(bytes, there).unwrap(), bytes.len());
    }

    fn receive(&mut self, at: usize) -> Option<Vec<u8>> {
        let mut bytes = [0; 2048];
        let (len, _) = self.0[at].recv_from(&mut bytes).ok()?;
        Some(bytes[..len].to_vec())
    }
}

/// A body on the server.
struct Body {
    pose: Pose,
    heading: f32,
    pause: f64,
    epoch: u16,
    history: History<Pose>,
    /// Where it was in the last second and a half, each with its tick.
    trail: VecDeque<(u32, [f32; 3])>,
}

/// A player's machine.
struct Player {
    server: Peer,
    others: Vec<Snapshots<Pose>>,
    /// Packets that are not yet here, by their arrival.
    inbox: Vec<(f64, Vec<u8>)>,
    latency: f64,
    last_claim: Option<(f64, [u8; 12])>,
}

/// A shot as it travels: who, at whom, from where, in which direction, and the claim.
#[derive(Clone, Copy)]
struct Shot {
    target: u8,
    eye: [f32; 3],
    along: [f32; 3],
    claim: [u8; 12],
    /// How far it passed what the shooter saw; not sent, only to compare.
    saw: f32,
    forged: bool,
}

#[derive(Debug, Default)]
struct Outcome {
    seen: u32,
    hits: u32,
    /// Hits by where the target is when the shot arrives.
    without_rewind: u32,
    refused: u32,
    /// Shots that passed the picture by more than the server allows, and were hits.
    wrong: u32,
    forged: u32,
    forged_hits: u32,
    forged_accepted: u32,
}

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// How far a ray passes a place.
fn miss(shot: &Shot, place: [f32; 3]) -> f32 {
    let there = sub(place, shot.eye);
    let along = dot(there, shot.along).max(0.0);
    dot(sub(there, shot.along.map(|c| c * along)), sub(there, shot.along.map(|c| c * along))).sqrt()
}

fn aim(eye: [f32; 3], at: [f32; 3]) -> [f32; 3] {
    let way = sub(at, eye);
    let length = dot(way, way).sqrt().max(1e-3);
    way.map(|c| c / length)
}

fn body_bytes(id: usize, body: &Body, rests: bool) -> Vec<u8> {
    let mut bytes = vec![id as u8, u8::from(rests)];
    let numbers = body.pose.position.into_iter().chain(body.pose.rotation.to_array());
    bytes.extend(numbers.flat_map(f32::to_le_bytes));
    bytes[1] |= (body.epoch as u8) << 1;
    bytes
}

/// The same on both sides: what the server records is what the players decode.
fn decoded(bytes: &[u8]) -> (usize, Report<Pose>) {
    let number = |n: usize| f32::from_le_bytes(bytes[2 + 4 * n..6 + 4 * n].try_into().unwrap());
    let rotation = Rotation { x: number(3), y: number(4), z: number(5), w: number(6) };
    let pose = Pose::new([number(0), number(1), number(2)], rotation);
    let report = Report::new(pose).with_epoch(u32::from(bytes[1] >> 1));
    (bytes[0].into(), if bytes[1] & 1 == 1 { report.at_rest() } else { report })
}

fn play(wire: &mut impl Wire, seed: u64) -> Outcome {
    let mut dice = Dice(seed);
    let mut bodies: Vec<Body> = (0..PLAYERS)
        .map(|_| Body {
            pose: Pose::at([dice.within(40.0), 0.0, dice.within(40.0)]),
            heading: dice.within(3.0),
            pause: 0.0,
            epoch: 0,
            history: History::at_hz(HZ).unwrap(),
            trail: VecDeque::new(),
        })
        .collect();
    let mut players: Vec<Player> = (0..PLAYERS)
        .map(|_| Player {
            server: Peer::at_hz(HZ).unwrap(),
            others: (0..PLAYERS).map(|_| Snapshots::new()).collect(),
            inbox: Vec::new(),
            latency: 0.01 + 0.07 * dice.roll(),
            last_claim: None,
        })
        .collect();
    // Shots on their way to the server; they are sent until they arrive.
    let mut shots: Vec<(f64, Shot)> = Vec::new();
    let mut outcome = Outcome::default();
    let mut tick = 0u32;
    let seconds = std::env::var("SECONDS").map_or(5.0, |seconds| seconds.parse().unwrap());
    for frame in 0..(seconds / FRAME) as u32 {
        let now = f64::from(frame) * FRAME;
        while f64::from(tick) / HZ <= now {
            let sent = f64::from(tick) / HZ;
            judge(&mut shots, &mut bodies, now, tick, &mut dice, &mut outcome);
            let mut packets = vec![Vec::new(); PLAYERS.div_ceil(PER_PACKET)];
            for (id, body) in bodies.iter_mut().enumerate() {
                let rests = run(body, sent, &mut dice);
                let bytes = body_bytes(id, body, rests);
                assert!(body.history.record(sent, decoded(&bytes).1));
                body.trail.push_back((tick, body.pose.position));
                if body.trail.len() > (2.0 * HZ) as usize {
                    body.trail.pop_front();
                }
                packets[id / PER_PACKET].extend(bytes);
            }
            for to in 1..=PLAYERS {
                for packet in &packets {
                    if dice.roll() >= LOSS {
                        let bytes = [&tick.to_le_bytes()[..], packet].concat();
                        wire.send(0, to, &bytes);
                    }
                }
            }
            tick += 1;
        }
        for (me, player) in players.iter_mut().enumerate() {
            while let Some(bytes) = wire.receive(me + 1) {
                // The link's own delay, on top of the socket's.
                player.inbox.push((now + player.latency + 0.02 * dice.roll() * dice.roll(), bytes));
            }
            shots.extend(draw_and_shoot(me, player, &bodies, now, &mut dice));
        }
    }
    for player in &players {
        let statistics = player.server.statistics();
        // One part is enough: only one message in four hundred is lost as a whole.
        assert!(statistics.loss < 0.035, "{statistics:?}");
        assert_eq!((statistics.restarts, statistics.unusable), (0, 0));
    }
    outcome
}

/// A body's tick: it runs, turns, stands still now and then. True if it rests.
fn run(body: &mut Body, sent: f64, dice: &mut Dice) -> bool {
    if dice.roll() < 0.004 {
        body.pause = sent + 2.0 * dice.roll();
    }
    if body.pause > sent {
        return true;
    }
    body.heading += dice.within(0.25);
    let [x, _, z] = body.pose.position;
    if x.abs() > 40.0 || z.abs() > 40.0 {
        body.heading = (-x).atan2(-z);
    }
    let (sin, cos) = body.heading.sin_cos();
    let step = (6.0 / HZ) as f32;
    body.pose.position = [x + sin * step, 0.0, z + cos * step];
    body.pose.rotation = Rotation::from_axis_angle([0.0, 1.0, 0.0], body.heading);
    false
}

fn draw_and_shoot(
    me: usize,
    player: &mut Player,
    bodies: &[Body],
    now: f64,
    dice: &mut Dice,
) -> Option<(f64, Shot)> {
    player.inbox.sort_by(|a, b| b.0.total_cmp(&a.0));
    while let Some((arrived, bytes)) = player.inbox.pop_if(|packet| packet.0 <= now) {
        let tick = u32::from_le_bytes(bytes[..4].try_into().unwrap());
        let stamp = player.server.receive(f64::from(tick) / HZ, arrived);
        for body in bytes[4..].chunks(PER_BODY) {
            let (id, report) = decoded(body);
            let _ = player.others[id].insert(stamp, report);
        }
    }
    let frame = player.server.frame(now)?;
    let mut drawn: Vec<Option<Pose>> = Vec::with_capacity(PLAYERS);
    for other in &mut player.others {
        drawn.push(match other.draw(&frame) {
            Seen::Here(drawn) => Some(drawn.now),
            Seen::NotYet | Seen::Gone => None,
        });
    }
    if now < 1.0 || dice.roll() > 0.05 {
        return None;
    }
    // Aims at someone near, well or badly.
    let eye = bodies[me].pose.position;
    let target = (0..6).map(|_| (dice.roll() * PLAYERS as f64) as usize).find(|&id| id != me)?;
    let place = drawn[target]?.position;
    let aimed = [place[0] + dice.within(0.8), 0.0, place[2] + dice.within(0.8)];
    let claim = player.others[target].claim(&frame)?.to_bytes();
    let mut shot = Shot { target: target as u8, eye, along: aim(eye, aimed), claim, saw: 0.0, forged: false };
    shot.saw = miss(&shot, place);
    if dice.roll() < 0.2 {
        forge(&mut shot, player, bodies, now, dice);
    }
    if player.last_claim.is_none_or(|(at, _)| now - at > 3.0) {
        player.last_claim = Some((now, claim));
    }
    Some((now + player.latency + 0.01, shot))
}

/// Someone who cheats: aims where the target has not been, and bends the claim.
fn forge(shot: &mut Shot, player: &Player, bodies: &[Body], now: f64, dice: &mut Dice) {
    let trail = &bodies[usize::from(shot.target)].trail;
    let near =
        |shot: &Shot| trail.iter().any(|(_, place)| miss(shot, *place) < RADIUS + ALLOWED as f32 + 0.3);
    for _ in 0..20 {
        let somewhere = [dice.within(40.0), 0.0, dice.within(40.0)];
        shot.along = aim(shot.eye, somewhere);
        if !near(shot) {
            break;
        }
    }
    if near(shot) {
        return;
    }
    shot.forged = true;
    match (dice.roll() * 4.0) as u32 {
        // Says that it was drawn far beside.
        0 => shot.claim[7] |= 0xfc,
        // Other snapshots, or another place between them.
        1 => shot.claim[(dice.roll() * 7.0) as usize] = (dice.roll() * 256.0) as u8,
        // An old one, once more.
        2 => {
            shot.claim = player.last_claim.filter(|(at, _)| now - at > 1.0).map_or(shot.claim, |(_, old)| old)
        }
        _ => shot.claim = core::array::from_fn(|_| (dice.roll() * 256.0) as u8),
    }
}

/// The server's word on the shots that have arrived.
fn judge(
    shots: &mut Vec<(f64, Shot)>,
    bodies: &mut [Body],
    now: f64,
    tick: u32,
    dice: &mut Dice,
    outcome: &mut Outcome,
) {
    let arrived = shots.extract_if(.., |shot| shot.0 <= now).map(|(_, shot)| shot);
    for shot in arrived {
        let body = &mut bodies[usize::from(shot.target)];
        let rewound = Claim::from_bytes(shot.claim).map(|claim| body.history.rewind(claim, now));
        let by = rewound.as_ref().and_then(|rewound| rewound.as_ref().ok());
        let allowed = |offset: f64| RADIUS + offset.min(ALLOWED) as f32;
        let hit = by.is_some_and(|by| miss(&shot, by.value.position) <= allowed(by.offset) + 1e-3);
        if shot.forged {
            outcome.forged += 1;
            outcome.forged_accepted += u32::from(by.is_some());
            outcome.forged_hits += u32::from(hit);
            continue;
        }
        let saw_hit = shot.saw <= RADIUS;
        outcome.seen += u32::from(saw_hit);
        outcome.hits += u32::from(saw_hit && hit);
        outcome.refused += u32::from(by.is_none());
        outcome.wrong += u32::from(hit && shot.saw > RADIUS + 2.0 * ALLOWED as f32 + 0.01);
        outcome.without_rewind += u32::from(saw_hit && miss(&shot, body.pose.position) <= RADIUS);
        // One in four dies of it, and is elsewhere.
        if hit && dice.roll() < 0.25 {
            body.pose.position = [dice.within(40.0), 0.0, dice.within(40.0)];
            body.epoch = (body.epoch + 1) % 128;
            body.trail.retain(|(at, _)| tick - at < 60);
        }
    }
}

fn show(name: &str, outcome: &Outcome) {
    let share = |n: u32| 100.0 * f64::from(n) / f64::from(outcome.seen);
    println!(
        "{name}: {} shots that the shooter saw hit: {:.2} % hit on the server ({:.1} % without rewinding), {} refused; {} forged \
         claims, {} accepted, {} hit",
        outcome.seen,
        share(outcome.hits),
        share(outcome.without_rewind),
        outcome.refused,
        outcome.forged,
        outcome.forged_accepted,
        outcome.forged_hits
    );
    assert!(outcome.seen > 300 && outcome.forged > 100, "{outcome:?}");
    assert!(share(outcome.hits) >= 99.5, "{outcome:?}");
    assert!(share(outcome.without_rewind) < 75.0, "lag is felt: {outcome:?}");
    assert_eq!((outcome.forged_hits, outcome.wrong), (0, 0), "{outcome:?}");
}

#[test]
fn what_a_shooter_saw_as_a_hit_is_a_hit_in_one_process() {
    show("in process", &play(&mut InProcess::default(), 1));
}

#[test]
fn what_a_shooter_saw_as_a_hit_is_a_hit_over_udp() {
    show("over UDP", &play(&mut Udp::new(), 2));
}
