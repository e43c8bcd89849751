//! A saved stepper and its tracks.

use super::refused;
use portamento::blend::{Pose, Rotation};
use portamento::step::{Fixed, Frame, FrameClock, Gate, GateRule, Stepper};
use portamento::{Moment, Track};

fn play(stepper: &mut Stepper, track: &mut Track<Pose>, frames: std::ops::Range<u32>) -> Vec<[u32; 7]> {
    let mut views = Vec::new();
    for i in frames {
        let dt = f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 16_777_216.0 * 0.03;
        let Frame { ticks, moment, .. } = stepper.frame(dt);
        for tick in ticks {
            let turn = Rotation::from_axis_angle([0.0, 1.0, 0.0], tick.time as f32);
            track.push(Pose::new([tick.time as f32, 0.0, 1.0 / 3.0], turn));
        }
        let Pose { position: [x, y, z], rotation } = track.view(moment);
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
    let saved = serde_json::to_string(&Track::<f32, 4>::with_ends(0.5)).unwrap();
    let error = serde_json::from_str::<Track<f32, 8>>(&saved).unwrap_err();
    assert!(error.to_string().contains('8'), "{error}");
}

#[test]
fn a_save_with_nonsense_in_it_harms_nobody() {
    let saved = serde_json::to_string(&Track::<f32, 4>::with_ends(0.5)).unwrap();
    let nonsense =
        saved.replace("\"newest\":0", "\"newest\":4000000000").replace("\"known\":1", "\"known\":77");
    assert_ne!(saved, nonsense);
    let mut track: Track<f32, 4> = serde_json::from_str(&nonsense).unwrap();
    track.push(1.0);
    track.cut(2.0);
    track.correct(3.0);
    assert_eq!(track.truth(), &3.0);
}

#[test]
fn a_save_is_refused_where_a_constructor_would_refuse() {
    let clock = FrameClock::new().snapping_to_display(75.0).unwrap();
    refused(&clock, "/max_frame", -1.5, "max_frame is -1.5");
    refused(&clock, "/display_hz", 0.0, "the display's rate is 0");
    let fixed = Fixed::new(60.0).unwrap().extrapolating(0.5).unwrap();
    refused(&fixed, "/hz", 0.0, "ticks per second (hz) is 0");
    refused(&fixed, "/max_ticks", 0, "max_ticks is 0");
    refused(&fixed, "/extrapolate", -2.5, "ticks of extrapolation is -2.5");
    refused(&fixed.stepper(), "/scale", -3.0, "time scale is -3");
    let gate = Gate::new(GateRule::Even);
    refused(&gate, "/min", 0.0, "the shortest quantum (min) is 0");
    refused(&gate, "/max", 7.0, "at most huge");
}

#[test]
fn a_saved_stepper_whose_times_do_not_fit_together_is_refused() {
    const WHY: &str = "do not fit together";
    let mut fixed = Stepper::fixed(60.0).unwrap();
    let mut gated = Stepper::gated(GateRule::Even);
    for _ in 0..100 {
        let _ = (fixed.frame(0.0123), gated.frame(0.0123));
    }
    // Ticks for years, in one frame; and no tick for years.
    refused(&fixed, "/policy/Drained/total", 1e12, WHY);
    refused(&fixed, "/policy/Drained/total", -1e12, WHY);
    refused(&fixed, "/policy/Drained/run", 0, WHY);
    let carrying = Fixed::new(60.0).unwrap().clock(FrameClock::new().snapping().carrying_drift()).stepper();
    refused(&carrying, "/policy/Drained/fixed/clock/drift", -1e4, WHY);
    refused(&carrying, "/policy/Drained/fixed/clock/drift", 1e9, WHY);
    for (field, broken) in [
        ("pending", -1.0),
        ("pending", 1e9),
        ("last", 0.0),
        ("last", 1e9),
        ("even/distance", 1e9),
        ("even/drawn", 1e9),
        ("even/drawn", -1e9),
    ] {
        refused(&gated, &format!("/policy/Gated/{field}"), broken, WHY);
    }
    for (ring, broken) in
        [("newest", 256), ("known", 0), ("known", 257), ("longest/first", 256), ("longest/count", 257)]
    {
        refused(&gated, &format!("/policy/Gated/even/{ring}"), broken, WHY);
    }
    refused(&gated, "/policy/Gated/even/ends/1", 1e9, WHY);
    for candidate in 0..8 {
        let longest = format!("/policy/Gated/even/longest/candidates/{candidate}/1");
        let in_use = serde_json::to_value(&gated).unwrap().pointer(&longest).unwrap().as_f64().unwrap() > 0.0;
        if in_use {
            return refused(&gated, &longest, 1e9, WHY);
        }
    }
    panic!("no quantum is remembered");
}

#[test]
fn a_stepper_that_has_counted_all_the_numbers_there_are_goes_on() {
    let mut saved = serde_json::to_value(Stepper::fixed(60.0).unwrap()).unwrap();
    saved["ticks"] = u64::MAX.into();
    let mut stepper: Stepper = serde_json::from_value(saved).unwrap();
    assert_eq!(stepper.frame(0.1).ticks.count(), 6);
    assert_eq!(stepper.ticks(), u64::MAX);
}

#[test]
fn a_stepper_can_be_saved_after_whatever_its_frames_were() {
    let frame_times = [1.0 / 60.0, 1e-9, 0.25, 3.0, 0.1, 1e-3, 0.016, 1.9];
    for mut stepper in [
        Stepper::fixed(60.0).unwrap(),
        Stepper::fixed(0.01).unwrap(),
        Stepper::fixed(1e6).unwrap(),
        Fixed::new(30.3).unwrap().max_ticks(1).unwrap().stepper(),
        Fixed::new(30.0).unwrap().extrapolating(1.5).unwrap().stepper(),
        Fixed::new(50.0).unwrap().clock(FrameClock::new().snapping().carrying_drift()).stepper(),
        Stepper::gated(GateRule::Even),
        Stepper::gated(GateRule::Client),
        Stepper::gated(GateRule::Seed),
    ] {
        for i in 0..2000usize {
            let _ = stepper.frame(frame_times[(i * i / 7) % frame_times.len()]);
            match i % 300 {
                50 => drop(stepper.set_rate(0.3 * i as f64)),
                51 => drop(stepper.set_rate(0.2)),
                100 => stepper.cut(),
                150 => stepper.set_time_scale(1e-3 * i as f64).unwrap(),
                _ => {}
            }
            if i % 10 < 3 {
                let saved = serde_json::to_string(&stepper).unwrap();
                let again: Stepper =
                    serde_json::from_str(&saved).unwrap_or_else(|e| panic!("{i}: {e} {saved}"));
                assert_eq!(again, stepper);
            }
        }
    }
}

#[test]
fn a_saved_moment_is_what_its_makers_would_have_made() {
    let saved = r#"{"back":0,"alpha":7.5,"beyond":-1.0,"presented":-2.0}"#;
    assert_eq!(serde_json::from_str::<Moment>(saved).unwrap(), Moment::newest(0.0));
}
