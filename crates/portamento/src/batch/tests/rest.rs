//! What rests costs nothing, what is bad stays alone, and what it all weighs.

use super::*;
use crate::{Moment, blend::Blend};

#[test]
fn what_stops_is_shown_once_more_on_the_truths_bits_and_never_again() {
    let mut batch = Batch::<Pose>::new();
    let handle = batch.insert(Pose::at([0.0; 3]));
    let end = Pose::at([0.1, -0.0, 0.3]);
    batch.tick();
    batch.push(handle, end).unwrap();
    assert_eq!(batch.frame(Moment::at(0.7, 0.0)).moved(), [handle]);
    batch.tick(); // nobody pushes: it has stopped
    let frame = batch.frame(Moment::at(0.2, 0.0));
    assert_eq!(frame.moved(), [handle], "one more update after the last change");
    assert_eq!(frame.view(handle).unwrap().bits(), end.bits());
    for k in 0..10 {
        batch.tick();
        let frame = batch.frame(Moment::at(k as f64 / 10.0, 0.0));
        assert!(frame.moved().is_empty());
        assert_eq!(frame.view(handle).unwrap().bits(), end.bits());
    }
}

#[test]
fn pushing_the_same_pose_again_is_rest() {
    let mut batch = Batch::<Pose>::new();
    for i in 0..100 {
        batch.insert(Pose::at([i as f32, 0.0, 0.0]));
    }
    let _ = batch.frame(Moment::newest(0.0));
    for _ in 0..5 {
        batch.tick();
        batch.push_all(|_, pose| pose).unwrap();
        assert!(batch.frame(Moment::at(0.5, 0.0)).moved().is_empty());
    }
}

#[test]
fn a_paused_game_moves_nothing() {
    let mut batch = Batch::<Pose>::new();
    let handle = batch.insert(Pose::default());
    batch.tick();
    batch.push(handle, Pose::at([1.0; 3])).unwrap();
    assert_eq!(batch.frame(Moment::at(0.5, 0.0)).moved(), [handle]);
    let paused = batch.frame(Moment::at(0.5, 0.0));
    assert!(paused.moved().is_empty());
    assert_eq!(paused.view(handle).unwrap().position, [0.5; 3]);
    assert_eq!(batch.frame(Moment::at(0.6, 0.0)).moved(), [handle]);
}

#[test]
fn a_cut_never_shows_a_place_between() {
    let mut batch = Batch::<Pose>::with_settings(BatchSettings {
        ends: 3,
        remember_views: true,
        ..BatchSettings::default()
    })
    .unwrap();
    let handle = batch.insert(Pose::default());
    for x in 1..4 {
        batch.tick();
        batch.push(handle, Pose::at([x as f32, 0.0, 0.0])).unwrap();
    }
    let before = batch.frame(Moment::at(0.5, 0.0)).view(handle).unwrap();
    batch.cut(handle, Pose::at([100.0, 0.0, 0.0])).unwrap();
    for back in 0..4 {
        for k in 0..=10 {
            let frame = batch.frame(Moment::at(k as f64 / 10.0, 0.0).ticks_back(back));
            assert_eq!(frame.view(handle).unwrap().position[0], 100.0);
            if (back, k) == (0, 0) {
                let seen = frame.drawn(handle).unwrap().unwrap();
                assert_eq!((seen.before, seen.cut), (before, true), "motion vectors hear of it");
            }
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "`ends_needed`"))]
fn an_older_moment_than_all_that_is_kept_is_refused_or_shows_the_oldest_end() {
    let mut batch = Batch::<Pose>::new();
    let handle = batch.insert(Pose::default());
    for x in 1..4 {
        batch.tick();
        batch.push(handle, Pose::at([x as f32, 0.0, 0.0])).unwrap();
    }
    for (back, x) in [(0, 2.5), (1, 2.0), (2, 2.0), (u32::MAX, 2.0)] {
        let frame = batch.frame(Moment::at(0.5, 0.0).ticks_back(back));
        assert_eq!(frame.view(handle).unwrap().position[0], x, "{back}: never ahead of the truth");
    }
}

#[test]
fn one_bad_pose_never_spoils_its_neighbours() {
    for kernel in Kernel::available() {
        let build = |bad: Option<usize>| {
            let mut random = Random(3);
            let mut batch =
                Batch::<Scaled<Pose>>::with_settings(BatchSettings { kernel, ..BatchSettings::default() })
                    .unwrap();
            let handles: Vec<BatchHandle> = (0..48).map(|_| batch.insert(Member::any(&mut random))).collect();
            batch.tick();
            for (i, &handle) in handles.iter().enumerate() {
                let good = Scaled::<Pose>::any(&mut random);
                let odd = Scaled::<Pose>::odd(&mut random);
                batch.push(handle, if bad == Some(i) { odd } else { good }).unwrap();
            }
            let frame = batch.frame(Moment::at(0.4, 0.0));
            let views: Vec<_> = handles.iter().map(|&handle| frame.view(handle).unwrap().bits()).collect();
            let mut rows = vec![0.0; 48 * 10];
            let _ = frame.write_rows(OutputForm::Poses, &mut rows).unwrap();
            for (row, view) in rows.chunks(10).zip(&views) {
                let bits: Vec<_> =
                    row.iter().map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() }).collect();
                assert_eq!(&bits, view, "{}", kernel.name());
            }
            let mut positions = vec![0.0; 48 * 3];
            let _ = frame.write_rows(OutputForm::Positions, &mut positions).unwrap();
            for (position, row) in positions.chunks(3).zip(rows.chunks(10)) {
                let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                assert!(position.iter().zip(row).all(same), "{}: {position:?} {row:?}", kernel.name());
            }
            views
        };
        let good = build(None);
        for bad in 0..48 {
            let views = build(Some(bad));
            for i in (0..48).filter(|&i| i != bad) {
                assert_eq!(views[i], good[i], "{}: {bad} spoils {i}", kernel.name());
            }
        }
    }
}

#[test]
fn a_redrawn_crowd_shows_everything_once_and_nothing_moved() {
    let mut batch =
        Batch::<Pose>::with_settings(BatchSettings { remember_views: true, ..BatchSettings::default() })
            .unwrap();
    let handles: Vec<BatchHandle> = (0..40).map(|i| batch.insert(Pose::at([i as f32, 0.0, 0.0]))).collect();
    let _ = batch.frame(Moment::newest(0.0));
    batch.tick();
    batch.push(handles[7], Pose::at([7.0, 1.0, 0.0])).unwrap();
    let _ = batch.frame(Moment::at(0.5, 0.0));
    batch.redraw();
    let frame = batch.frame(Moment::at(0.5, 0.0));
    assert_eq!(frame.moved().len(), 40);
    for &handle in &handles {
        let seen = frame.drawn(handle).unwrap().unwrap();
        assert_eq!((seen.now, seen.cut), (seen.before, false), "{handle:?}");
    }
    let mut rows = vec![f32::NAN; 3 * frame.moved().len()];
    let _ = frame.write_rows(OutputForm::Positions, &mut rows).unwrap();
    assert!(rows.iter().all(|x| x.is_finite()));
    assert_eq!(batch.frame(Moment::at(0.5, 0.0)).moved().len(), 0);
}

#[test]
fn a_mirrored_scale_is_noticed_however_small() {
    for kernel in Kernel::available() {
        let mut batch =
            Batch::<Scaled<Pose>>::with_settings(BatchSettings { kernel, ..BatchSettings::default() })
                .unwrap();
        let scaled = |x: f32, scale: f32| Scaled { pose: Pose::at([x, 0.0, 0.0]), scale: [scale, 1.0, 1.0] };
        let handle = batch.insert(scaled(0.0, 1e-30));
        batch.tick();
        batch.push(handle, scaled(1.0, -1e-30)).unwrap();
        let frame = batch.frame(Moment::at(0.5, 0.0));
        let want = scaled(0.0, 1e-30).blend(&scaled(1.0, -1e-30), 0.5);
        let (mut pose, mut position) = ([0.0; 10], [0.0; 3]);
        let _ = frame.write(OutputForm::Poses, &mut pose).unwrap();
        let _ = frame.write(OutputForm::Positions, &mut position).unwrap();
        assert_eq!(pose.as_slice(), want.numbers(), "{}", kernel.name());
        assert_eq!(position, want.pose.position, "{}", kernel.name());
    }
}

#[test]
fn a_step_that_panics_leaves_every_pose_where_it_was_or_where_it_went() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let step = |mut pose: Pose| {
        pose.position[1] += 1.0;
        pose
    };
    // Whole tiles that move, one with a pose that was pushed before, a part of a tile, and some at rest.
    for panics_at in [0, 5, 15, 16, 20, 47, 48, 55, 65] {
        let mut batch = Batch::<Pose>::new();
        let handles: Vec<BatchHandle> =
            (0..70).map(|i| batch.insert(Pose::at([i as f32, 0.0, 0.0]))).collect();
        for moving in [60, 1] {
            let _ = batch.frame(Moment::newest(0.0));
            batch.tick();
            for &handle in &handles[..moving] {
                batch.push(handle, step(batch.truth(handle).unwrap())).unwrap();
            }
        }
        let before: Vec<Pose> = handles.iter().map(|&handle| batch.truth(handle).unwrap()).collect();
        let mut steps = 0;
        let stepping = catch_unwind(AssertUnwindSafe(|| {
            batch.push_all(|_, pose| {
                assert!(steps < panics_at, "as the user's code may");
                steps += 1;
                step(pose)
            })
        }));
        assert!(stepping.is_err());
        let after: Vec<Pose> = handles.iter().map(|&handle| batch.truth(handle).unwrap()).collect();
        let went = before.iter().zip(&after).filter(|(before, after)| **after == step(**before)).count();
        let stayed = before.iter().zip(&after).filter(|(before, after)| before == after).count();
        assert!(went <= panics_at && went + stayed == 70, "{went} went, {stayed} stayed");
        let frame = batch.frame(Moment::newest(0.0));
        let shown = handles.iter().map(|&handle| frame.view(handle).unwrap());
        assert!(shown.eq(after), "what is drawn is the truth");
    }
}

#[test]
fn handles_hold_through_every_move_in_memory() {
    let mut batch = Batch::<Pose>::new();
    let name = |i: usize| Pose::at([i as f32, 0.0, 0.0]);
    let handles: Vec<BatchHandle> = (0..100).map(|i| batch.insert(name(i))).collect();
    for &handle in handles.iter().step_by(3) {
        batch.remove(handle).unwrap();
    }
    batch.tick();
    for (i, &handle) in handles.iter().enumerate() {
        match batch.push(handle, Pose::at([i as f32, 1.0, 0.0])) {
            Ok(()) => assert!(!i.is_multiple_of(3)),
            Err(refused) => assert_eq!(refused, BatchError::StaleHandle(handle)),
        }
    }
    let again = batch.insert(name(1000));
    assert!(handles.iter().any(|old| old.index() == again.index()), "numbers are reused");
    assert!(!handles.contains(&again), "handles are not");
    for (i, &handle) in handles.iter().enumerate().filter(|(i, _)| !i.is_multiple_of(3)) {
        assert_eq!(batch.truth(handle).unwrap().position, [i as f32, 1.0, 0.0]);
    }
    assert_eq!(batch.correct(handles[0], name(0)), Err(BatchError::StaleHandle(handles[0])));
    assert_eq!(batch.cut(handles[0], name(0)), Err(BatchError::StaleHandle(handles[0])));
    assert_eq!(batch.remove(handles[0]), Err(BatchError::StaleHandle(handles[0])));
}

#[test]
fn a_pose_weighs_what_the_documentation_says() {
    fn per_pose<P: BatchPose>(settings: BatchSettings, pose: P) -> f64 {
        let mut batch = Batch::<P>::with_settings(settings).unwrap();
        batch.reserve(16_000);
        for _ in 0..16_000 {
            batch.insert(pose);
        }
        batch.bytes() as f64 / batch.len() as f64
    }
    let plain = BatchSettings::default();
    let scaled = Scaled { pose: Pose::default(), scale: [1.0; 3] };
    // Numbers of a pose x 4 bytes x buffers, and 21.5 bytes of handles and bookkeeping.
    assert_eq!(per_pose(plain, Pose::default()), 7.0 * 4.0 * 2.0 + 21.5);
    assert_eq!(per_pose(plain, scaled), 10.0 * 4.0 * 2.0 + 21.5);
    assert_eq!(per_pose(plain, Pose2::default()), 4.0 * 4.0 * 2.0 + 21.5);
    assert_eq!(per_pose(BatchSettings { ends: 5, ..plain }, Pose::default()), 7.0 * 4.0 * 5.0 + 21.5);
    assert_eq!(
        per_pose(BatchSettings { remember_views: true, ..plain }, Pose::default()),
        7.0 * 4.0 * 4.0 + 23.5 // and the count of cuts
    );
}

#[test]
fn a_batch_that_cannot_be_is_refused() {
    for ends in [0, 1, 17] {
        let refused =
            Batch::<Pose>::with_settings(BatchSettings { ends, ..BatchSettings::default() }).unwrap_err();
        let said = format!("the ends of a batch is {ends}: give a number from 2 to 16");
        assert_eq!(refused.to_string(), said);
    }
}

#[test]
fn whatever_happens_in_a_tile_has_the_kernels_look_at_it_again() {
    type Event = fn(&mut Batch<Pose>, BatchHandle);
    let events: [(&str, Event); 12] = [
        ("nothing", |_, _| ()),
        ("a pose that stays", |batch, handle| push(batch, handle, |pose| pose)),
        ("a rotation that stays", |batch, handle| {
            push(batch, handle, |pose| Pose { position: [1.0; 3], ..pose });
        }),
        ("a pose that is none", |batch, handle| push(batch, handle, |_| Pose::at([f32::NAN; 3]))),
        ("all but one pushed one by one", |batch, handle| {
            batch.tick();
            for other in batch.handles().to_vec() {
                if other != handle {
                    batch.push(other, moved(batch.truth(other).unwrap())).unwrap();
                }
            }
        }),
        ("none pushed", |batch, _| batch.tick()),
        ("a correction in the tick", |batch, handle| {
            batch.tick();
            batch.push_all(|_, pose| moved(pose)).unwrap();
            batch.correct(handle, Pose::at([f32::INFINITY; 3])).unwrap();
        }),
        ("a correction after the tick", |batch, handle| {
            let _ = batch.frame(Moment::at(0.1, 0.0));
            batch.correct(handle, Pose::at([f32::INFINITY; 3])).unwrap();
        }),
        ("a cut", |batch, handle| batch.cut(handle, Pose::default()).unwrap()),
        ("one gone", |batch, handle| {
            batch.remove(handle).unwrap();
        }),
        ("another one in its place", |batch, handle| {
            batch.remove(handle).unwrap();
            batch.insert(Pose::default());
        }),
        ("the origin far away", |batch, _| batch.rebase(|pose| pose.shifted(&[3e38, 3e38, -3e38]))),
    ];
    fn moved(pose: Pose) -> Pose {
        let turn = Rotation::from_rotation_vector([0.1, 0.2, 0.3]);
        Pose::new(pose.position.map(|x| x + 1.0), turn.mul(pose.rotation))
    }
    fn push(batch: &mut Batch<Pose>, handle: BatchHandle, change: impl Fn(Pose) -> Pose) {
        batch.tick();
        batch.push_all(|other, pose| if other == handle { change(pose) } else { moved(pose) }).unwrap();
    }
    for ends in [2, 3, 5] {
        for (what, event) in events {
            for one in [0, 17, 47] {
                let at = format!("{what}, number {one}, {ends} ends");
                let mut batch =
                    Batch::with_settings(BatchSettings { ends, ..BatchSettings::default() }).unwrap();
                let handles: Vec<_> = (0..48).map(|i| batch.insert(Pose::at([i as f32; 3]))).collect();
                // The first tick lets them move, and has them one by one.
                for _ in 0..=ends {
                    batch.tick();
                    batch.push_all(|_, pose| moved(pose)).unwrap();
                }
                for back in 0..ends - 1 {
                    let moment = Moment::at(0.5, 0.0).ticks_back(back as u32);
                    assert_eq!(model::plain_tiles(&batch, moment, &at), 3, "{at}");
                }
                event(&mut batch, handles[one]);
                let plain = model::plain_tiles(&batch, Moment::at(0.5, 0.0), &at);
                assert!((what == "nothing") == (plain == 3), "{at}: {plain} tiles are still plain");
            }
        }
    }
}
