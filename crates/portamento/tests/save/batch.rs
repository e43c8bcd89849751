//! A saved crowd.

use super::refused;
use portamento::Moment;
use portamento::batch::{Batch, BatchSettings, OutputForm};
use portamento::blend::Pose;

/// Some come, some go, some rest, some jump.
fn play_crowd(crowd: &mut Batch<Pose>, ticks: std::ops::Range<u32>) -> Vec<Vec<u32>> {
    let mut drawn = Vec::new();
    for tick in ticks {
        crowd.insert(Pose::at([tick as f32, 0.0, 0.0]));
        if let Some(&handle) = crowd.handles().get(tick as usize % 7) {
            match tick % 5 {
                0 => drop(crowd.remove(handle).unwrap()),
                1 => crowd.cut(handle, Pose::at([9.0, tick as f32, 0.0])).unwrap(),
                2 => {
                    let [x, y, z] = crowd.truth(handle).unwrap().position;
                    crowd.reconcile(handle, Pose::at([x, y + 0.5, z])).unwrap(); // and glides
                }
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
            let frame = crowd.frame(Moment::at(alpha, 0.01));
            let mut rows = vec![0.0; frame.moved().len() * 7];
            let _ = frame.write(OutputForm::Poses, &mut rows).unwrap();
            let befores = frame.moved().iter().flat_map(|&handle| {
                let seen = frame.drawn(handle).unwrap().expect("views are remembered");
                [seen.before.position[1].to_bits(), u32::from(seen.cut)]
            });
            drawn.push(rows.iter().map(|x| x.to_bits()).chain(befores).collect());
        }
    }
    drawn
}

#[test]
fn a_restored_crowd_goes_on_as_if_nothing_had_happened() {
    let settings = BatchSettings { ends: 3, remember_views: true, ..BatchSettings::default() };
    let mut crowd = Batch::<Pose>::with_settings(settings).unwrap();
    let _ = play_crowd(&mut crowd, 0..100);
    crowd.tick(); // in the middle of a tick, too
    let saved = serde_json::to_string(&crowd).unwrap();
    let mut again: Batch<Pose> = serde_json::from_str(&saved).unwrap();
    // The restored one cannot know what is on the screen, so it draws everything once.
    crowd.redraw();
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
    let _ = crowd.frame(Moment::at(0.1, 0.0));
    crowd.reconcile(handles[8], Pose::at([8.0, 0.5, 0.0])).unwrap();
    crowd.reconcile(handles[9], Pose::at([9.0, 0.5, 0.0])).unwrap();
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
        ("/glides/0/handle/index", 3),
        ("/glides/0/handle/index", 9),
    ] {
        assert!(nonsense(path, value.into()).contains("do not fit"), "{path}");
    }
    for path in ["/ends/0", "/flags", "/still", "/owners", "/directory/entries", "/ends"] {
        assert!(nonsense(path, serde_json::json!([])).contains("do not fit"), "{path}");
    }
    assert!(nonsense("/settings/ends", 1.into()).contains("the ends of a batch is 1:"));
}

#[test]
fn a_saved_crowd_with_a_mark_that_no_pose_can_have_is_refused() {
    let settings = BatchSettings { remember_views: true, ..BatchSettings::default() };
    let mut crowd = Batch::<Pose>::with_settings(settings).unwrap();
    let handles: Vec<_> = (0..40).map(|i| crowd.insert(Pose::at([i as f32, 0.0, 0.0]))).collect();
    let _ = crowd.frame(Moment::at(0.1, 0.0));
    crowd.tick();
    crowd.push(handles[3], Pose::at([9.0; 3])).unwrap();
    let in_a_tick = crowd.clone();
    let _ = crowd.frame(Moment::at(0.2, 0.0));
    // Forty poses: the third tile is half empty. One moves, and lies in front.
    for (crowd, path, mark, why) in [
        (&in_a_tick, "/flags/2/fresh", 1 << 8, "slot 40 is marked as pushed or cut, and nobody lives in it"),
        (&in_a_tick, "/flags/2/cut", 1 << 15, "slot 47 is marked as pushed or cut, and nobody lives in it"),
        (&in_a_tick, "/flags/0/fresh", 1 << 1, "slot 1 is marked as pushed, and it rests"),
        (&crowd, "/flags/0/fresh", 1, "slot 0 is marked as pushed, and no tick is open"),
        (&crowd, "/flags/1/cut", 1, "slot 16 is marked as cut, and is not to be drawn"),
        (&crowd, "/flags/0/cut_shown", 1 << 3, "slot 3 is marked as cut in the last frame"),
    ] {
        refused(crowd, path, mark, why);
    }
    let forgetful = Batch::<Pose>::new();
    let mut saved = serde_json::to_value(&in_a_tick).unwrap();
    saved["settings"] = serde_json::to_value(&forgetful).unwrap()["settings"].clone();
    saved["views"] = serde_json::json!([[], []]);
    saved["flags"][0]["cut_shown"] = 1.into();
    let error = serde_json::from_value::<Batch<Pose>>(saved).unwrap_err().to_string();
    assert!(error.contains("its view is not remembered"), "{error}");
}

#[test]
fn a_crowd_can_be_saved_after_whatever_was_done_with_it() {
    for (ends, remember_views) in [(2, false), (2, true), (5, true)] {
        let mut crowd =
            Batch::<Pose>::with_settings(BatchSettings { ends, remember_views, ..BatchSettings::default() })
                .unwrap();
        let mut state = 1u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        for step in 0..3000 {
            let handle = crowd.handles().get(next(70)).copied();
            let pose = Pose::at([next(4) as f32, 0.0, 0.0]);
            match (next(10), handle) {
                (0 | 1, _) => drop(crowd.insert(pose)),
                (2, Some(handle)) => drop(crowd.remove(handle).unwrap()),
                (3, Some(handle)) => crowd.cut(handle, pose).unwrap(),
                (4, Some(handle)) => crowd.correct(handle, pose).unwrap(),
                (5, Some(handle)) => crowd.reconcile(handle, pose).unwrap(),
                (6, Some(handle)) => drop(crowd.push(handle, pose)),
                (7, _) => crowd.tick(),
                (8, _) => drop(crowd.push_all(|handle, pose| {
                    if handle.index() % 3 == 0 { Pose::at([pose.position[0] + 1.0; 3]) } else { pose }
                })),
                _ => drop(crowd.frame(Moment::at(next(9) as f64 / 8.0, 0.01))),
            }
            if step % 8 == 0 {
                let saved = serde_json::to_string(&crowd).unwrap();
                if let Err(error) = serde_json::from_str::<Batch<Pose>>(&saved) {
                    panic!("{ends} ends, step {step}: {error}\n{saved}");
                }
            }
        }
    }
}
