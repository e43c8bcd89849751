//! Other players over real UDP sockets: loss, jitter, a teleport, a player who leaves, a server that restarts.
//!
//! `cargo run -p portamento --example loopback` (nine seconds)
//!
//! A thread is the server. It sends 20 messages a second to a socket of this machine, of which every tenth is lost and
//! the others take 30 to 70 ms. The client draws 144 frames a second, and compares each with where the player really was
//! at the moment that the frame shows.

use portamento::blend::Pose;
use portamento::remote::{Peer, PeerFrame, Report, Seen, Snapshots};
use std::collections::BTreeMap;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

const HZ: f64 = 20.0;
const SECONDS: f64 = 9.0;
/// When one player teleports, one leaves, and the server goes down for half a second.
const TELEPORT: f64 = 3.0;
const LEAVES: f64 = 4.5;
const DOWN: std::ops::Range<f64> = 6.0..6.5;
const NAMES: [&str; 4] = ["runs in a circle", "teleports", "leaves", "stands"];

/// Where a player is, `t` seconds after the start.
fn truth(id: u32, t: f64) -> [f32; 3] {
    let (sin, cos) = (2.0 * t as f32).sin_cos();
    match id {
        0 => [4.0 * cos, 0.0, 4.0 * sin],
        1 => [3.0 * t as f32 + if t < TELEPORT { 0.0 } else { 80.0 }, 0.0, 0.0],
        2 => [0.0, 2.0 * sin, 0.0],
        _ => [7.0, 0.0, 7.0],
    }
}

// ---- the protocol

struct Entity {
    id: u32,
    pose: Pose,
    /// Counts the teleports of this player.
    teleports: u32,
    /// Repeated for a second, because one message may be lost.
    left: bool,
}

struct Message {
    server_time: f64,
    /// Grows with each start of the server.
    run: u32,
    entities: Vec<Entity>,
}

impl Message {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.server_time.to_le_bytes());
        bytes.extend(self.run.to_le_bytes());
        for entity in &self.entities {
            bytes.extend(entity.id.to_le_bytes());
            entity.pose.position.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            entity.pose.rotation.to_array().iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            bytes.extend((2 * entity.teleports + u32::from(entity.left)).to_le_bytes());
        }
        bytes
    }

    /// `None` for what no server of ours sent.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (server_time, rest) = bytes.split_first_chunk::<8>()?;
        let (words, []) = rest.as_chunks::<4>() else { return None };
        let (run, entities) = words.split_first()?;
        let (entities, []) = entities.as_chunks::<9>() else { return None };
        let entities = entities.iter().map(|[id, x, y, z, qx, qy, qz, qw, last]| {
            let rotation = [*qx, *qy, *qz, *qw].map(f32::from_le_bytes);
            let rotation = portamento::blend::Rotation::from_xyzw(rotation)?;
            let pose = Pose::new([*x, *y, *z].map(f32::from_le_bytes), rotation);
            let last = u32::from_le_bytes(*last);
            Some(Entity { id: u32::from_le_bytes(*id), pose, teleports: last / 2, left: last % 2 == 1 })
        });
        Some(Message {
            server_time: f64::from_le_bytes(*server_time),
            run: u32::from_le_bytes(*run),
            entities: entities.collect::<Option<_>>()?,
        })
    }
}

// ---- the client: the README's, with the error of each frame

#[derive(Default)]
struct Errors {
    sum: f64,
    worst: f64,
    frames: u32,
}

struct Others {
    server: Peer,
    run: u32,
    players: BTreeMap<u32, Snapshots<Pose>>,
    errors: [Errors; 4],
}

impl Others {
    fn receive(&mut self, message: Message, now: f64) {
        if message.run < self.run {
            return; // sent before a restart, and overtaken
        }
        if message.run > self.run {
            self.run = message.run;
            self.server.restart();
        }
        let stamp = self.server.receive(message.server_time, now);
        for e in message.entities {
            if !e.left {
                let report = Report::new(e.pose).with_epoch(e.teleports);
                self.players.entry(e.id).or_default().insert(stamp, report);
            } else if let Some(player) = self.players.get_mut(&e.id) {
                player.vanish(stamp);
            }
        }
    }

    fn draw(&mut self, now: f64) {
        let Some(frame) = self.server.frame(now) else { return };
        let shown = server_started(&frame) + frame.shown;
        let settled = (1.0..DOWN.start).contains(&now) || now > DOWN.end + 1.0;
        // Until the first message from after a teleport has come, no one can know of it.
        let unknown = (TELEPORT..TELEPORT + 0.2).contains(&shown);
        self.players.retain(|id, player| match player.draw(&frame) {
            Seen::Here(drawn) => {
                if drawn.cut {
                    println!("{now:6.3} s  {} is drawn at {:.2?}", NAMES[*id as usize], drawn.now.position);
                }
                let there = truth(*id, shown);
                let off = [0, 1, 2].map(|axis| f64::from(drawn.now.position[axis] - there[axis]));
                let off = off.iter().map(|off| off * off).sum::<f64>().sqrt();
                let errors = &mut self.errors[*id as usize];
                if settled && !(*id == 1 && unknown) {
                    errors.sum += off;
                    errors.worst = errors.worst.max(off);
                    errors.frames += 1;
                }
                true
            }
            Seen::NotYet => true,
            Seen::Gone => {
                println!("{now:6.3} s  {} is gone", NAMES[*id as usize]);
                false
            }
        });
    }
}

/// When the server's clock that the frame shows was at 0: its first life begins at 1000.
fn server_started(frame: &PeerFrame) -> f64 {
    if frame.shown > 500.0 { -1000.0 } else { DOWN.end }
}

// ---- the server

fn serve(to: SocketAddr, start: Instant) -> std::io::Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let mut dice = 1_u64;
    let mut roll = || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut under_way: Vec<(f64, Vec<u8>)> = Vec::new();
    let mut next = 0.0;
    loop {
        let now = start.elapsed().as_secs_f64();
        if now > SECONDS {
            return Ok(());
        }
        if now >= next && !DOWN.contains(&now) {
            next = now + 1.0 / HZ;
            let (run, server_time) = if now < DOWN.start { (1, 1000.0 + now) } else { (2, now - DOWN.end) };
            let there = (0..4).filter(|id| *id != 2 || now < LEAVES + 1.0);
            let entities = there.map(|id| Entity {
                id,
                pose: Pose::at(truth(id, now)),
                teleports: u32::from(id == 1 && now >= TELEPORT),
                left: id == 2 && now >= LEAVES,
            });
            let message = Message { server_time, run, entities: entities.collect() };
            let (lost, way) = (roll() < 0.1, 0.03 + 0.04 * roll());
            if !lost {
                under_way.push((now + way, message.to_bytes()));
            }
        }
        for (_, message) in under_way.extract_if(.., |(arrives, _)| *arrives <= now) {
            socket.send_to(&message, to)?;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_nonblocking(true)?;
    let (to, start) = (socket.local_addr()?, Instant::now());
    let server = std::thread::spawn(move || serve(to, start));

    let players = BTreeMap::new();
    let mut others = Others { server: Peer::at_hz(HZ)?, run: 0, players, errors: Default::default() };
    let mut packet = [0; 1500];
    for frame in 1_u32.. {
        let now = start.elapsed().as_secs_f64();
        if server.is_finished() {
            break;
        }
        while let Ok((length, _)) = socket.recv_from(&mut packet) {
            if let Some(message) = Message::from_bytes(&packet[..length]) {
                others.receive(message, now);
            }
        }
        others.draw(now);
        let due = Duration::from_secs_f64(f64::from(frame) / 144.0); // your renderer waits for the display
        std::thread::sleep(due.saturating_sub(start.elapsed()));
    }
    server.join().expect("the server's thread ended")?;

    println!("\nhow far a player was drawn from where it was at the moment shown:");
    for (name, errors) in NAMES.iter().zip(&others.errors) {
        let mean = errors.sum / f64::from(errors.frames.max(1));
        println!(
            "  {name:<16}  {mean:.3} m on average, {:.3} m at worst, {} frames",
            errors.worst, errors.frames
        );
    }
    let graph = others.server.statistics();
    println!(
        "{} messages came, {:.0} % were lost; restarts: {}",
        graph.received,
        100.0 * graph.loss,
        graph.restarts
    );
    Ok(())
}
