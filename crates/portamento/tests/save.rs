//! State can be saved and restored: what goes on from a save is the same, bit for bit.
#![cfg(feature = "serde")]

use portamento::Track;
use portamento::blend::{Pose, Rotation};
use portamento::step::{Fixed, Frame, FrameClock, GateRule, Stepper};

fn play(stepper: &mut Stepper, track: &mut Track<Pose>, frames: std::ops::Range<u32>) -> Vec<[u32; 7]> {
    let mut views = Vec::new();
    for i in frames {
        let dt = f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 16_777_216.0 * 0.03;
        let Frame { ticks, moment, .. } = stepper.frame(dt);
        for tick in ticks {
            let turn = Rotation::from_axis_angle([0.0, 1.0, 0.0], tick.time as f32);
            track.push(Pose::new([tick.time as f32, 0.0, 1.0 / 3.0], turn));
        }
        let Pose { position: [x, y, z], rotation } = track.view(&moment);
        let [qx, qy, qz, qw] = rotation.to_array();
        views.push([x, y, z, qx, qy, qz, qw].map(f32::to_bits));
    }
    views
}

#[test]
fn a_restored_game_goes_on_as_if_nothing_had_happened() {
    let clock = FrameClock::new().snapping_to_display(75.0).unwrap().carrying_drift();
    for mut stepper in [
        Stepper::fixed(60.0).unwrap(),
        Fixed::new(30.0).unwrap().clock(clock).max_ticks(2).unwrap().stepper(),
        Stepper::gated(GateRule::Even),
        Stepper::gated(GateRule::Client),
        Stepper::gated(GateRule::Seed),
    ] {
        let mut track = Track::<Pose>::new(Pose::default());
        let _ = play(&mut stepper, &mut track, 0..500);

        let saved = serde_json::to_string(&(&stepper, &track)).unwrap();
        let (mut stepper_again, mut track_again): (Stepper, Track<Pose>) =
            serde_json::from_str(&saved).unwrap();
        assert_eq!((&stepper, &track), (&stepper_again, &track_again));

        let going_on = play(&mut stepper, &mut track, 500..1000);
        assert_eq!(going_on, play(&mut stepper_again, &mut track_again, 500..1000));
    }
}

#[test]
fn a_save_with_too_few_values_is_refused() {
    let saved = serde_json::to_string(&Track::<f32, 4>::new(0.5)).unwrap();
    let error = serde_json::from_str::<Track<f32, 8>>(&saved).unwrap_err();
    assert!(error.to_string().contains('8'), "{error}");
}

#[test]
fn a_save_with_nonsense_in_it_harms_nobody() {
    let saved = serde_json::to_string(&Track::<f32, 4>::new(0.5)).unwrap();
    let nonsense =
        saved.replace("\"newest\":0", "\"newest\":4000000000").replace("\"known\":2", "\"known\":77");
    assert_ne!(saved, nonsense);
    let mut track: Track<f32, 4> = serde_json::from_str(&nonsense).unwrap();
    track.push(1.0);
    track.cut(2.0);
    track.correct(3.0);
    assert_eq!(track.truth(), &3.0);
}
