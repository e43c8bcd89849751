//! Other players over any transport: snapshot interpolation with teleports, loss and players who leave.
//!
//! `cargo run -p portamento --example sketch_network`

use portamento::SettingError;
use portamento::blend::Pose;
use portamento::remote::{Peer, Report, Seen, Snapshots};
use std::collections::HashMap;

type Id = u32;

fn main() -> Result<(), SettingError> {
    // sketch
    let mut server = Peer::at_hz(20.0)?;
    let mut others: HashMap<Id, Snapshots<Pose>> = HashMap::new();
    // end

    let mut renderer = Renderer::default();
    let mut messages = messages().into_iter().peekable();
    for now in (0..480).map(|k| f64::from(k) / 144.0) {
        while let Some((_, message)) = messages.next_if(|(arrives, _)| *arrives <= now) {
            // sketch
            let stamp = server.receive(message.server_time, now);
            for e in message.entities {
                others.entry(e.id).or_default().insert(stamp, Report::new(e.pose).with_epoch(e.teleports));
            }
            // end
        }
        // sketch
        if let Some(frame) = server.frame(now) {
            others.retain(|id, other| match other.draw(&frame) {
                Seen::Here(drawn) => {
                    renderer.draw_entity(id, drawn.now);
                    true
                }
                Seen::NotYet => true,
                Seen::Gone => false,
            });
        }
        // end
    }
    println!("{} pictures; the farthest at {:.2} m", renderer.pictures, renderer.farthest);
    Ok(())
}

/// What your protocol carries.
struct Message {
    server_time: f64,
    entities: Vec<Entity>,
}

struct Entity {
    id: Id,
    pose: Pose,
    /// Counts the teleports of this entity.
    teleports: u32,
}

/// Your transport: 20 messages a second that take 30 ms or, every third, 55 ms. One of the two players teleports.
fn messages() -> Vec<(f64, Message)> {
    let message = |k: u32| {
        let t = f64::from(k) / 20.0;
        let teleports = u32::from(k >= 40);
        let x = 3.0 * t as f32 + 50.0 * teleports as f32;
        let entities = vec![
            Entity { id: 1, pose: Pose::at([x, 0.0, 0.0]), teleports },
            Entity { id: 2, pose: Pose::at([0.0, t as f32, 0.0]), teleports: 0 },
        ];
        let delay = if k.is_multiple_of(3) { 0.055 } else { 0.030 };
        (t + delay, Message { server_time: 1000.0 + t, entities })
    };
    (0..60).map(message).collect()
}

/// Your renderer.
#[derive(Default)]
struct Renderer {
    pictures: u32,
    farthest: f32,
}

impl Renderer {
    fn draw_entity(&mut self, _id: &Id, pose: Pose) {
        self.pictures += 1;
        self.farthest = self.farthest.max(pose.position[0]);
    }
}
