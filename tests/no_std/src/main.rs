//! A game loop without std: exits with 0 when a second of 144 frames drew what it must.
#![no_std]
#![no_main]

use core::panic::PanicInfo;
use portamento::blend::{Pose, Rotation};
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
        view = body.view(&moment);
    }
    let behind = body.truth().position[0] - view.position[0];
    let turned = view.rotation.angle_to(Rotation::IDENTITY);
    let right = behind >= 0.0 && behind < 0.017 && (turned - view.position[0]).abs() < 1e-4;
    if right { 0 } else { 1 }
}
