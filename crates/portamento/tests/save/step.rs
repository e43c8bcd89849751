//! A saved stepper and its tracks.

use super::refused;
use portamento::blend::{Pose, Rotation};
use portamento::step::{FixedSettings, Frame, GateRule, GateSettings, GatedStepper, Snapping, Stepper};
use portamento::{Moment, Track};

fn gate(rule: GateRule) -> GatedStepper {
    GatedStepper::with_gate(GateSettings::from(rule)).unwrap()
}

fn fixed(settings: FixedSettings) -> GatedStepper {
    Stepper::new(settings).unwrap().into()
}

fn play(stepper: &mut GatedStepper, track: &mut Track<Pose>, frames: std::ops::Range<u32>) -> Vec<[u32; 7]> {
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
    let snapping = FixedSettings {
        snapping: Snapping::ToDisplay { hz: 75.0 },
        carry_drift: true,
        max_ticks: Some(2),
        ..FixedSettings::at_hz(30.0)
    };
    for mut stepper in [
        fixed(FixedSettings::at_hz(60.0)),
        fixed(snapping),
        Stepper::gated(),
        gate(GateRule::AllAtOnce),
        gate(GateRule::OneAtATime),
    ] {
        let mut track = Track::<Pose>::new(Pose::default());
        let _ = play(&mut stepper, &mut track, 0..500);

        let saved = serde_json::to_string(&(&stepper, &track)).unwrap();
        let (mut stepper_again, mut track_again): (GatedStepper, Track<Pose>) =
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
    let snapping = Snapping::ToDisplay { hz: 75.0 };
    let fixed = Stepper::new(FixedSettings { snapping, ..FixedSettings::at_hz(60.0) }).unwrap();
    let settings = "/policy/Fixed/settings";
    refused(&fixed, &format!("{settings}/max_frame"), -1.5, "max_frame is -1.5");
    refused(
        &fixed,
        &format!("{settings}/snapping/ToDisplay/hz"),
        0.0,
        "the display's rate is 0: give a rate from 0.000001 to 1000000",
    );
    refused(&fixed, &format!("{settings}/hz"), 0.0, "ticks per second (hz) is 0");
    refused(&fixed, &format!("{settings}/max_ticks"), 0, "max_ticks is 0");
    refused(&fixed, &format!("{settings}/extrapolate"), -2.5, "extrapolate is -2.5");
    refused(&fixed, "/scale", -3.0, "time scale is -3");
    refused(&Stepper::gated(), "/policy/Gate/settings/min", 0.0, "the shortest quantum (min) is 0");
    refused(&Stepper::gated(), "/policy/Gate/settings/max", 7.0, "at most huge");
}

#[test]
fn a_saved_stepper_whose_times_do_not_fit_together_is_refused() {
    const WHY: &str = "do not fit together";
    let mut running = Stepper::fixed(60.0).unwrap();
    let mut gated = Stepper::gated();
    for _ in 0..100 {
        let _ = (running.frame(0.0123), gated.frame(0.0123));
    }
    // Ticks for years, in one frame; and no tick for years.
    refused(&running, "/policy/Fixed/total", 1e12, WHY);
    refused(&running, "/policy/Fixed/total", -1e12, WHY);
    refused(&running, "/policy/Fixed/run", 0, WHY);
    let carrying =
        FixedSettings { snapping: Snapping::ToStep, carry_drift: true, ..FixedSettings::at_hz(60.0) };
    let carrying = fixed(carrying);
    refused(&carrying, "/policy/Fixed/clock/drift", -1e4, WHY);
    refused(&carrying, "/policy/Fixed/clock/drift", 1e9, WHY);
    for (field, broken) in [
        ("pending", -1.0),
        ("pending", 1e9),
        ("last", 0.0),
        ("last", 1e9),
        ("even/distance", 1e9),
        ("even/drawn", 1e9),
        ("even/drawn", -1e9),
    ] {
        refused(&gated, &format!("/policy/Gate/{field}"), broken, WHY);
    }
    for (ring, broken) in
        [("ends", 9), ("newest", 8), ("known", 0), ("known", 9), ("first", 60), ("count", 61)]
    {
        refused(&gated, &format!("/policy/Gate/even/{ring}"), broken, WHY);
    }
    refused(&gated, "/policy/Gate/even/memory/1", 1e9, WHY);
    let even = &serde_json::to_value(&gated).unwrap()["policy"]["Gate"]["even"];
    assert!(even["count"].as_u64().unwrap() > 0, "a quantum is remembered");
    let longest = even["ends"].as_u64().unwrap() + 2 * even["first"].as_u64().unwrap() + 1;
    refused(&gated, &format!("/policy/Gate/even/memory/{longest}"), 1e9, WHY);
}

#[test]
fn a_stepper_that_has_counted_all_the_numbers_there_are_goes_on() {
    let mut saved = serde_json::to_value(Stepper::fixed(60.0).unwrap()).unwrap();
    saved["ticks"] = u64::MAX.into();
    let mut stepper: Stepper = serde_json::from_value(saved).unwrap();
    assert_eq!(stepper.frame(0.1).ticks.count(), 6);
    assert_eq!(stepper.counts().ticks, u64::MAX);
}

#[test]
fn a_stepper_can_be_saved_after_whatever_its_frames_were() {
    let frame_times = [1.0 / 60.0, 1e-9, 0.25, 3.0, 0.1, 1e-3, 0.016, 1.9];
    for mut stepper in [
        fixed(FixedSettings::at_hz(60.0)),
        fixed(FixedSettings::at_hz(0.01)),
        fixed(FixedSettings::at_hz(1e6)),
        fixed(FixedSettings { max_ticks: Some(1), ..FixedSettings::at_hz(30.3) }),
        fixed(FixedSettings { extrapolate: 1.5, ..FixedSettings::at_hz(30.0) }),
        fixed(FixedSettings { snapping: Snapping::ToStep, carry_drift: true, ..FixedSettings::at_hz(50.0) }),
        Stepper::gated(),
        gate(GateRule::AllAtOnce),
        gate(GateRule::OneAtATime),
    ] {
        for i in 0..2000usize {
            let _ = stepper.frame(frame_times[(i * i / 7) % frame_times.len()]);
            match i % 300 {
                50 => drop(stepper.set_hz(0.3 * i as f64)),
                51 => drop(stepper.set_hz(0.2)),
                100 => stepper.cut(),
                150 => stepper.set_time_scale(1e-3 * i as f64).unwrap(),
                _ => {}
            }
            if i % 10 < 3 {
                let saved = serde_json::to_string(&stepper).unwrap();
                let again: GatedStepper =
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
