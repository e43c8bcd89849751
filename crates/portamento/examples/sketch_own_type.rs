//! Your own type, and your own player after a server correction (client-side prediction, reconciliation).
//!
//! `cargo run -p portamento --example sketch_own_type`

use portamento::blend::{Blend, Displace, Hermite, Pose, Rotation};
use portamento::camera::{ChaseCamera, ChaseSettings};
use portamento::step::{Frame, Stepper};
use portamento::track::PredictedTrack;
use portamento::{Moment, SettingError};

// sketch
#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Player {
    position: [f32; 3],
    #[blend(angle)]
    heading: f32,
    #[blend(snap)]
    weapon: u8,
    #[blend(gauge)]
    health: f32,
}
// end

impl Player {
    fn pose(self) -> Pose {
        Pose::new(self.position, Rotation::from_axis_angle([0.0, 1.0, 0.0], self.heading))
    }
}

fn main() -> Result<(), SettingError> {
    let mut stepper = Stepper::fixed(60.0)?;
    let start = Player { position: [0.0; 3], heading: 0.0, weapon: 1, health: 100.0 };
    let mut player = PredictedTrack::new(start);
    let mut camera = ChaseCamera::new(ChaseSettings::y_up())?;
    for k in 0..144 {
        let Frame { ticks, moment, .. } = stepper.frame(1.0 / 144.0);
        for tick in ticks {
            let mut next = player.truth().clone();
            next.position[0] += 5.0 * tick.dt as f32;
            player.push(next);
        }
        if k == 72 {
            let corrected = Player { position: [2.0, 0.0, 0.3], ..player.truth().clone() };
            // sketch
            player.reconcile(corrected); // truth jumps, the picture glides
            // end
        }
        draw(&mut player, &mut camera, moment, k);
    }
    Ok(())
}

fn draw(player: &mut PredictedTrack<Player>, camera: &mut ChaseCamera, moment: Moment, k: u32) {
    // sketch
    let body = player.draw(moment).map(|p| p.pose()); // for a camera
    // end
    let shot = camera.update(moment, body);
    if k.is_multiple_of(12) {
        println!("frame {k:>3}: drawn at {:.3?}, eye at {:.2?}", body.now.position, shot.eye);
    }
}
