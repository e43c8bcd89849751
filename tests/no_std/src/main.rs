//! A game loop without std: exits with 0 when a second of 144 frames drew what it must.
#![no_std]
#![no_main]

use core::panic::PanicInfo;
use portamento::blend::{Blend, Displace, Hermite, Pose, Rotation};
use portamento::remote::{Report, Peer, Snapshots};
use portamento::step::{Frame, Stepper};
use portamento::Track;

// The C library starts the program and copies memory; that is all it does.
#[link(name = "c")]
unsafe extern "C" {}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    loop {}
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let Ok(mut stepper) = Stepper::fixed(60.0) else { return 2 };
    let mut body = Track::<Pose>::new(Pose::default());
    let mut view = Pose::default();
    for _ in 0..144 {
        let Frame { ticks, moment, .. } = stepper.frame(1.0 / 144.0);
        for tick in ticks {
            let turn = Rotation::from_axis_angle([0.0, 0.0, 1.0], tick.time as f32);
            body.push(Pose::new([tick.time as f32, 0.0, 0.0], turn));
        }
        view = body.view(moment);
    }
    let behind = body.truth().position[0] - view.position[0];
    let turned = view.rotation.angle_to(Rotation::IDENTITY);
    let right = behind >= 0.0 && behind < 0.017 && (turned - view.position[0]).abs() < 1e-4;
    if !right {
        return 1;
    }
    match others() {
        Some(apart) if apart < 0.01 => 0,
        _ => 3,
    }
}

#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Tank {
    position: [f32; 2],
    #[blend(angle)]
    turret: f32,
    #[blend(snap)]
    ammo: u8,
}

/// Someone else's tank over a second: how far it is drawn from where it was.
fn others() -> Option<f32> {
    let mut server = Peer::at_hz(20.0).ok()?;
    let mut tank = Snapshots::<Tank>::new();
    let mut apart = f32::MAX;
    for frame in 0..60 {
        let now = f64::from(frame) / 60.0;
        if frame % 3 == 0 {
            let stamp = server.receive(now, now + 0.02);
            let at = now as f32;
            tank.insert(stamp, Report::new(Tank { position: [at, 0.0], turret: at, ammo: 9 }));
        }
        if let Some(frame) = server.frame(now + 0.02) {
            let view = tank.draw(&frame).here()?.now;
            apart = (view.position[0] - frame.shown as f32).abs() + (view.turret - view.position[0]).abs();
        }
    }
    Some(apart)
}
