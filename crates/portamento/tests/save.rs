//! State can be saved and restored: what goes on from a save is the same, bit for bit.
#![cfg(feature = "serde")]

use portamento::batch::{Batch, Form, Order, Settings};
use portamento::blend::{Pose, Rotation};
use portamento::step::{Fixed, Frame, FrameClock, GateRule, Stepper};
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

/// Some come, some go, some rest, some jump.
fn play_crowd(crowd: &mut Batch<Pose>, ticks: std::ops::Range<u32>) -> Vec<Vec<u32>> {
    let mut drawn = Vec::new();
    for tick in ticks {
        crowd.insert(Pose::at([tick as f32, 0.0, 0.0]));
        if let Some(&handle) = crowd.handles().get(tick as usize % 7) {
            match tick % 5 {
                0 => drop(crowd.remove(handle).unwrap()),
                1 => crowd.cut(handle, Pose::at([9.0, tick as f32, 0.0])).unwrap(),
                _ => {}
            }
        }
        crowd.tick();
        crowd
            .push_all(|handle, mut pose| {
                pose.position[1] += if handle.index() as u32 % 3 == tick % 3 { 0.1 } else { 0.0 };
                pose
            })
            .unwrap();
        for alpha in [0.3, 0.9] {
            let frame = crowd.frame(&Moment::at(alpha));
            let mut rows = vec![0.0; frame.moved().len() * 7];
            let _ = frame.write(Form::Poses, Order::Moved, &mut rows).unwrap();
            let befores = frame.moved().iter().flat_map(|&handle| {
                let seen = frame.seen(handle).unwrap().expect("views are remembered");
                [seen.before.position[1].to_bits(), u32::from(seen.cut)]
            });
            drawn.push(rows.iter().map(|x| x.to_bits()).chain(befores).collect());
        }
    }
    drawn
}

#[test]
fn a_restored_crowd_goes_on_as_if_nothing_had_happened() {
    let settings = Settings { ends: 3, remember_views: true, ..Settings::default() };
    let mut crowd = Batch::<Pose>::with(settings).unwrap();
    let _ = play_crowd(&mut crowd, 0..100);
    crowd.tick(); // in the middle of a tick, too
    let saved = serde_json::to_string(&crowd).unwrap();
    let mut again: Batch<Pose> = serde_json::from_str(&saved).unwrap();
    assert_eq!(play_crowd(&mut crowd, 100..200), play_crowd(&mut again, 100..200));
}

#[test]
fn a_saved_crowd_whose_parts_do_not_fit_is_refused() {
    let mut crowd = Batch::<Pose>::new();
    let handles: Vec<_> = (0..40).map(|i| crowd.insert(Pose::at([i as f32, 0.0, 0.0]))).collect();
    crowd.remove(handles[3]).unwrap();
    crowd.remove(handles[5]).unwrap();
    crowd.tick();
    crowd.push(handles[7], Pose::at([1.0; 3])).unwrap();
    let saved = serde_json::to_value(&crowd).unwrap();
    assert!(serde_json::from_value::<Batch<Pose>>(saved.clone()).is_ok());

    let nonsense = |path: &str, value: serde_json::Value| {
        let mut broken = saved.clone();
        *broken.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        let error = serde_json::from_value::<Batch<Pose>>(broken).err();
        error.unwrap_or_else(|| panic!("{path} was believed")).to_string()
    };
    for (path, value) in [
        ("/newest", 2),
        ("/moving", 39),
        ("/drawn", 39),
        ("/still/0", 200),
        ("/owners/0/index", 39),
        ("/owners/1/generation", 1),
        ("/directory/entries/0/slot", 38),
        ("/directory/free", 0),
        ("/directory/free", 40),
        ("/directory/entries/5/slot", 5),
    ] {
        assert!(nonsense(path, value.into()).contains("do not fit"), "{path}");
    }
    for path in ["/ends/0", "/flags", "/still", "/owners", "/directory/entries", "/ends"] {
        assert!(nonsense(path, serde_json::json!([])).contains("do not fit"), "{path}");
    }
    assert!(nonsense("/settings/ends", 1.into()).contains("cannot keep 1 ends"));
}
