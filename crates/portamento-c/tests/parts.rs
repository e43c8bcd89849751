//! Does each part do through the C interface what it does in Rust?
#![allow(unsafe_code)] // it calls a C interface

use portamento::batch::{Batch, BatchSettings, BatchTruth};
use portamento::blend::{Pose, Pose64, Rotation};
use portamento::camera::{ChaseCamera, ChaseSettings, FollowCamera, FollowSettings};
use portamento::playhead::{Cues, Shown};
use portamento::remote::waypoints::{
    OwnPlayer, RemoteBody, WaypointReport, WaypointRules, WaypointStep, WaypointTick, Waypoints,
};
use portamento::remote::{Peer, TickClock};
use portamento::track::PredictedTrack;
use portamento::{Drawn, Moment, Presented, Track, exchange};
use portamento_c::*;
use portamento_status::*;
use std::ptr::null_mut;

fn blank<T>() -> T {
    // SAFETY: the structs of the interface are plain numbers.
    unsafe { std::mem::zeroed() }
}

#[track_caller]
fn ok(status: portamento_status) {
    assert_eq!(status, PORTAMENTO_OK, "{}", words());
}

fn words() -> String {
    let mut words = [0u8; 512];
    // SAFETY: the buffer is as long as it says.
    let length = unsafe { portamento_last_error(words.as_mut_ptr().cast(), words.len()) };
    String::from_utf8_lossy(&words[..length]).into_owned()
}

fn at(x: f64) -> portamento_pose64 {
    portamento_pose64 { position: [x, 0.5 * x, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] }
}

fn pose(x: f64) -> Pose64 {
    Pose64::new([x, 0.5 * x, 0.0], Rotation::IDENTITY)
}

fn moment(alpha: f64) -> portamento_moment {
    let mut moment = blank();
    // SAFETY: a place for the moment.
    ok(unsafe { portamento_moment_at(alpha, 0.01, &mut moment) });
    moment
}

#[test]
fn a_correction_glides_as_in_rust_and_a_rollback_that_changes_nothing_is_not_seen() {
    let mut settings = blank();
    // SAFETY: places for what is asked, here and below.
    unsafe {
        ok(portamento_reconcile_settings_default(&mut settings));
        let mut predicted = portamento_predicted_track { id: 0 };
        ok(portamento_predicted_track_new(&at(0.0), &settings, &mut predicted));
        assert_eq!(portamento_predicted_track_save(predicted, 0), PORTAMENTO_FULL, "{}", words());
        ok(portamento_predicted_track_reserve_saves(predicted, 16));
        let mut rust = PredictedTrack::new(pose(0.0));
        let mut drawn: portamento_drawn = blank();
        for tick in 1..200u64 {
            let x = tick as f64 * 0.1;
            ok(portamento_predicted_track_push(predicted, &at(x)));
            rust.push(pose(x));
            ok(portamento_predicted_track_save(predicted, tick));
            if tick % 50 == 20 {
                ok(portamento_predicted_track_reconcile(predicted, &at(x + 0.4)));
                rust.reconcile(pose(x + 0.4));
            }
            if tick % 50 == 30 {
                ok(portamento_predicted_track_restore(predicted, tick - 3));
                for again in tick - 2..=tick {
                    ok(portamento_predicted_track_push(predicted, &at(again as f64 * 0.1)));
                }
            }
            for alpha in [0.2, 0.9] {
                ok(portamento_predicted_track_draw(predicted, &moment(alpha), &mut drawn));
                let want = rust.draw(Moment::at(alpha, 0.01));
                assert_eq!((drawn.now, drawn.cut), (want.now.into_c(), u32::from(want.cut)), "tick {tick}");
            }
        }
        assert_eq!(portamento_predicted_track_restore(predicted, 100), PORTAMENTO_NOTHING);
        let mut size = portamento_offset_size::default();
        ok(portamento_predicted_track_offset(predicted, &mut size));
        assert_eq!(size.length, rust.offset().length);
        ok(portamento_predicted_track_free(predicted));
    }
}

trait IntoC {
    fn into_c(self) -> portamento_pose64;
}

impl IntoC for Pose64 {
    fn into_c(self) -> portamento_pose64 {
        portamento_pose64 { position: self.position, rotation: self.rotation.to_array() }
    }
}

#[test]
fn ticks_reach_another_thread_as_in_rust() {
    for f64_positions in [0, 1] {
        // SAFETY: places for what is asked.
        unsafe {
            let (mut shape, mut settings) = (blank(), blank());
            ok(portamento_shape_entities(10, &mut shape));
            (shape.f64_positions, shape.f32_columns, shape.u32_columns) = (f64_positions, 1, 1);
            let mut block = portamento_exchange { id: 0 };
            ok(portamento_exchange_new(&shape, &mut block));
            let mut writer = portamento_writer { id: 0 };
            ok(portamento_writer_new(block, &mut writer));
            assert_eq!(portamento_writer_new(block, &mut portamento_writer { id: 0 }), PORTAMENTO_FULL);
            ok(portamento_playhead_settings_at_hz(20.0, &mut settings));
            let mut reader = portamento_reader { id: 0 };
            ok(portamento_reader_new(block, &settings, &mut reader));
            ok(portamento_exchange_free(block));
            let mut world: portamento_world_frame = blank();
            assert_eq!(portamento_reader_frame(reader, 0.0, &mut world), PORTAMENTO_NOTHING);

            let rust_shape =
                exchange::Shape { f32_columns: 1, u32_columns: 1, ..exchange::Shape::entities(10) };
            let (mut rust_writer, mut rust_reader) = exchange::pair(rust_shape, 20.0).unwrap();
            for tick in 0..60 {
                let (now, x) = (f64::from(tick) * 0.05, f64::from(tick) * 0.25);
                let (ids, poses) = ([7u64, 8, 9], [at(x), at(-x), at(2.0 * x)]);
                ok(portamento_writer_set_many(writer, ids.as_ptr(), 0, poses.as_ptr(), 0, 3));
                ok(portamento_writer_set_f32(writer, 7, 0, x as f32));
                ok(portamento_writer_set_u32(writer, 7, 0, tick as u32));
                ok(portamento_writer_publish(writer, now, now, 1.0, null_mut()));
                for (id, x) in [(7, x), (8, -x), (9, 2.0 * x)] {
                    rust_writer.set(id, pose(x)).unwrap();
                }
                rust_writer.set_f32(7, 0, x as f32).unwrap();
                rust_writer.publish(now, now).unwrap();
                for now in [now + 0.01, now + 0.03] {
                    ok(portamento_reader_frame(reader, now, &mut world));
                    let rust = rust_reader.frame(now).unwrap();
                    assert_eq!((world.shown.at, world.rows), (rust.shown.at, 3));
                    let mut entities = [blank::<portamento_entity_view>(); 10];
                    let mut count = 0;
                    ok(portamento_reader_entities(reader, entities.as_mut_ptr(), 0, 10, &mut count));
                    assert_eq!(count, rust.entities().count());
                    for (got, want) in entities.iter().zip(rust.entities()) {
                        assert_eq!((got.id, got.row, got.generation), (want.id, want.row, want.generation));
                        let far = got.pose.position[0] - want.pose.position[0];
                        assert!(if f64_positions == 1 { far == 0.0 } else { far.abs() < 1e-5 }, "{far}");
                    }
                    let mut drawn: portamento_drawn = blank();
                    ok(portamento_reader_draw(reader, 7, &mut drawn));
                    let want = rust.draw(7).unwrap();
                    assert_eq!(drawn.cut, u32::from(want.cut));
                    assert!((drawn.before.position[0] - want.before.position[0]).abs() < 1e-5);
                    let mut number = 0.0;
                    ok(portamento_reader_f32(reader, entities[0].row, 0, &mut number));
                    assert_eq!(Some(number), rust.f32(0, 0));
                    assert_eq!(portamento_reader_f32(reader, 0, 5, &mut number), PORTAMENTO_NOTHING);
                    let small = portamento_reader_entities(reader, entities.as_mut_ptr(), 0, 2, &mut count);
                    assert_eq!(small, PORTAMENTO_TOO_SHORT);
                }
            }
            assert_eq!(portamento_writer_remove(writer, 99), PORTAMENTO_BAD_VALUE);
            assert_eq!(portamento_writer_publish(writer, 9.0, 0.0, 1.0, null_mut()), PORTAMENTO_BAD_VALUE);
            let mut state = 9;
            ok(portamento_writer_free(writer));
            ok(portamento_reader_writer(reader, &mut state));
            assert_eq!(state, PORTAMENTO_WRITER_STATE_CLOSED);
            ok(portamento_reader_free(reader));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_block_in_a_file_is_found_by_its_path_and_refused_with_words() {
    let folder = std::env::temp_dir().join(format!("portamento-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| std::ffi::CString::new(folder.join(name).to_str().unwrap()).unwrap();
    // SAFETY: paths that a zero ends, and places for what is asked.
    unsafe {
        let (mut shape, mut settings) = (blank(), blank());
        ok(portamento_shape_entities(4, &mut shape));
        ok(portamento_playhead_settings_at_hz(20.0, &mut settings));
        let (mut ours, mut theirs) = (portamento_exchange { id: 0 }, portamento_exchange { id: 0 });
        assert_eq!(portamento_exchange_open_file(path("block").as_ptr(), &mut theirs), PORTAMENTO_SYSTEM);
        assert!(words().contains("block"), "{}", words());
        ok(portamento_exchange_create_file(path("block").as_ptr(), &shape, &mut ours));
        ok(portamento_exchange_open_file(path("block").as_ptr(), &mut theirs));
        let (mut writer, mut reader) = (portamento_writer { id: 0 }, portamento_reader { id: 0 });
        ok(portamento_writer_new(ours, &mut writer));
        ok(portamento_reader_new(theirs, &settings, &mut reader));
        assert_eq!(portamento_reader_wait(reader, 0.01), PORTAMENTO_NOTHING);
        let mut now = 0.0;
        ok(portamento_machine_seconds(&mut now));
        ok(portamento_writer_set(writer, 1, &at(3.0)));
        ok(portamento_writer_publish(writer, now, 0.0, 1.0, null_mut()));
        ok(portamento_reader_wait(reader, 1.0));
        let mut world = blank();
        ok(portamento_reader_frame(reader, now, &mut world));
        assert_eq!(world.to.published, now);
        let mut replaced = 5;
        ok(portamento_exchange_is_replaced(theirs, &mut replaced));
        assert_eq!(replaced, 0);
        ok(portamento_writer_free(writer));
        ok(portamento_reader_free(reader));
        ok(portamento_exchange_free(ours));
        ok(portamento_exchange_free(theirs));
        std::fs::write(folder.join("other"), vec![b'x'; 4096]).unwrap();
        assert_eq!(portamento_exchange_open_file(path("other").as_ptr(), &mut theirs), PORTAMENTO_BAD_BLOCK);
        assert!(words().contains("not a block"), "{}", words());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_offset_hides_a_jump_and_fades() {
    // SAFETY: places for what is asked.
    unsafe {
        let mut offset = portamento_visual_offset { id: 0 };
        ok(portamento_visual_offset_new(&mut offset));
        let limit = portamento_offset_size { length: 4.0, angle: 4.0 };
        let mut became = 9;
        ok(portamento_visual_offset_absorb(offset, &at(1.0), &at(1.5), &limit, &mut became));
        assert_eq!(became, PORTAMENTO_ABSORBED_KEPT);
        let mut view = blank();
        ok(portamento_visual_offset_drawn(offset, &at(1.5), &mut view));
        assert_eq!(view, at(1.0), "nothing is seen in this frame");
        for _ in 0..600 {
            ok(portamento_visual_offset_fade(offset, 1.0 / 144.0, std::ptr::null()));
        }
        ok(portamento_visual_offset_drawn(offset, &at(1.5), &mut view));
        assert_eq!(view, at(1.5), "to the last bit");
        let mut fading: portamento_offset_fading = blank();
        ok(portamento_offset_fading_correction(&mut fading));
        fading.slow = f64::NAN;
        assert_eq!(portamento_visual_offset_fade(offset, 0.1, &fading), PORTAMENTO_BAD_SETTING);
        assert!(words().contains("slow is NaN"), "{}", words());
        ok(portamento_visual_offset_free(offset));
    }
}

/// What the batches draw in every form, against poses blended one by one.
#[test]
fn every_form_and_stride_of_a_batch_has_the_numbers_of_a_pose() {
    const COUNT: usize = 100;
    // SAFETY: places for what is asked, as long as said.
    unsafe {
        let (mut batch, mut wide) = (portamento_batch { id: 0 }, portamento_batch64 { id: 0 });
        ok(portamento_batch_new(2, &mut batch));
        ok(portamento_batch64_new(2, &mut wide));
        let turn =
            |i: usize, t: f64| Rotation::from_axis_angle([0.0, 0.0, 1.0], (0.01 * i as f64 + t) as f32);
        let pose = |i: usize, t: f64| portamento_pose {
            position: [i as f32, t as f32, 0.25],
            rotation: turn(i, t).to_array(),
        };
        let far = |i: usize, t: f64| portamento_pose64 {
            position: [i as f64 + 1e9, t, 0.25],
            rotation: turn(i, t).to_array(),
        };
        let mut rows = [portamento_batch_handle { index: 0, generation: 0 }; COUNT];
        let mut far_rows = rows;
        for i in 0..COUNT {
            ok(portamento_batch_insert(batch, &pose(i, 0.0), &mut rows[i]));
            ok(portamento_batch64_insert(wide, &far(i, 0.0), &mut far_rows[i]));
        }
        // Some go, and others come in their places.
        for i in (0..COUNT).step_by(7) {
            ok(portamento_batch_remove(batch, rows[i]));
            assert_eq!(portamento_batch_remove(batch, rows[i]), PORTAMENTO_UNKNOWN_HANDLE);
            ok(portamento_batch64_remove(wide, far_rows[i]));
            assert_eq!(portamento_batch64_cut(wide, far_rows[i], &far(0, 0.0)), PORTAMENTO_UNKNOWN_HANDLE);
        }
        for i in (0..COUNT).step_by(14) {
            ok(portamento_batch_insert(batch, &pose(i, 0.0), &mut rows[i]));
            ok(portamento_batch64_insert(wide, &far(i, 0.0), &mut far_rows[i]));
        }
        let (mut poses, mut fars) =
            ([blank::<portamento_pose>(); COUNT], [blank::<portamento_pose64>(); COUNT]);
        let lives = |i: usize| !i.is_multiple_of(7) || i.is_multiple_of(14);
        let mut where_to = [0; COUNT];
        for i in (0..COUNT).filter(|&i| lives(i)) {
            where_to[i] = rows[i].index as usize;
            poses[where_to[i]] = pose(i, 1.0);
            fars[far_rows[i].index as usize] = far(i, 1.0);
        }
        let living = (0..COUNT).filter(|&i| lives(i)).count();
        ok(portamento_batch_push_all(batch, poses.as_ptr(), 0, COUNT));
        ok(portamento_batch64_push_all(wide, fars.as_ptr(), 0, COUNT));
        assert_eq!(portamento_batch_push_all(batch, poses.as_ptr(), 0, COUNT - 1), PORTAMENTO_TOO_SHORT);

        let origin = [1e9, 0.0, 0.0];
        for (form, floats) in [
            (PORTAMENTO_OUTPUT_FORM_POSES, 7),
            (PORTAMENTO_OUTPUT_FORM_POSITIONS, 3),
            (PORTAMENTO_OUTPUT_FORM_MATRICES_3X4, 12),
            (PORTAMENTO_OUTPUT_FORM_MATRICES_4X4, 16),
        ] {
            let moment = moment(0.25 + 0.1 * f64::from(form));
            let want = |i: usize| -> Vec<f32> {
                let mut view = blank();
                let at = |t: f64| portamento_pose64 {
                    position: pose(i, t).position.map(f64::from),
                    rotation: pose(i, t).rotation,
                };
                ok(portamento_blend_poses(&at(0.0), &at(1.0), moment.alpha, &mut view));
                let one = portamento::blend::Pose::new(view.position.map(|c| c as f32), view.rotation.into());
                match form {
                    PORTAMENTO_OUTPUT_FORM_POSES => {
                        one.position.into_iter().chain(one.rotation.to_array()).collect()
                    }
                    PORTAMENTO_OUTPUT_FORM_POSITIONS => one.position.to_vec(),
                    PORTAMENTO_OUTPUT_FORM_MATRICES_3X4 => {
                        (0..12).map(|i| one.to_matrix_4x4()[i % 4][i / 4]).collect()
                    }
                    _ => one.to_matrix_4x4().concat(),
                }
            };
            let near = |got: &[f32], want: &[f32]| got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-6);
            let mut moved = [portamento_batch_handle { index: 9999, generation: 0 }; COUNT];
            let mut count = 0;
            let mut packed = vec![f32::NAN; COUNT * floats];
            let (out, length) = (packed.as_mut_ptr(), packed.len());
            ok(portamento_batch_frame_moved(
                batch,
                &moment,
                form,
                out,
                length,
                moved.as_mut_ptr(),
                COUNT,
                &mut count,
            ));
            assert_eq!(count, living);
            for (k, row) in moved[..count].iter().enumerate() {
                let i = (0..COUNT).find(|&i| lives(i) && rows[i] == *row).unwrap();
                assert!(near(&packed[k * floats..][..floats], &want(i)), "form {form}, entity {i}");
            }
            // The same moment again: nothing moved. After redraw everything did, each at its row.
            ok(portamento_batch_frame(batch, &moment, form, out, length, null_mut(), 0, &mut count));
            assert_eq!(count, 0);
            for stride in [0, 4 * floats + 20] {
                ok(portamento_batch_redraw(batch));
                let bytes = if stride == 0 { 4 * floats } else { stride };
                let mut gaps = vec![0xAAu8; bytes * COUNT];
                ok(portamento_batch_frame_strided(
                    batch,
                    &moment,
                    form,
                    gaps.as_mut_ptr().cast(),
                    stride,
                    COUNT,
                    null_mut(),
                    0,
                    &mut count,
                ));
                assert_eq!(count, living);
                let mut index = vec![f32::NAN; COUNT * floats];
                ok(portamento_batch_redraw(batch));
                ok(portamento_batch_frame(
                    batch,
                    &moment,
                    form,
                    index.as_mut_ptr(),
                    index.len(),
                    null_mut(),
                    0,
                    null_mut(),
                ));
                for i in (0..COUNT).filter(|&i| lives(i)) {
                    let row = &gaps[where_to[i] * bytes..][..bytes];
                    let numbers: Vec<f32> = row[..4 * floats]
                        .chunks(4)
                        .map(|b| f32::from_ne_bytes(b.try_into().unwrap()))
                        .collect();
                    assert_eq!(numbers, index[where_to[i] * floats..][..floats], "form {form}, entity {i}");
                    assert!(near(&numbers, &want(i)));
                    assert!(row[4 * floats..].iter().all(|&byte| byte == 0xAA), "gaps are left alone");
                }
            }
            // Too short a buffer changes nothing: the frame still comes.
            ok(portamento_batch_redraw(batch));
            let short =
                portamento_batch_frame(batch, &moment, form, out, length - 1, null_mut(), 0, &mut count);
            assert_eq!(short, PORTAMENTO_TOO_SHORT);
            ok(portamento_batch_frame(batch, &moment, form, out, length, null_mut(), 0, &mut count));
            assert_eq!(count, living);

            let mut seen = vec![f32::NAN; COUNT * floats];
            ok(portamento_batch64_frame(
                wide,
                &moment,
                origin.as_ptr(),
                form,
                seen.as_mut_ptr().cast(),
                0,
                COUNT,
                moved.as_mut_ptr(),
                COUNT,
                &mut count,
            ));
            assert_eq!(count, living);
            for i in (0..COUNT).filter(|&i| lives(i)) {
                let got = &seen[far_rows[i].index as usize * floats..][..floats];
                assert!(near(got, &want(i)), "form {form}, entity {i}: {got:?}");
            }
        }
        // At rest nothing moves, unless the origin does.
        for _ in 0..3 {
            ok(portamento_batch64_push_all(wide, fars.as_ptr(), 0, COUNT));
        }
        let mut views = [blank::<portamento_pose64>(); COUNT];
        let mut count = 0;
        for (alpha, origin, want) in
            [(0.5, origin, living), (0.6, origin, 0), (0.6, [0.0; 3], living), (0.7, [0.0; 3], 0)]
        {
            ok(portamento_batch64_frame(
                wide,
                &moment(alpha),
                origin.as_ptr(),
                PORTAMENTO_OUTPUT_FORM_POSES64,
                views.as_mut_ptr().cast(),
                0,
                COUNT,
                null_mut(),
                0,
                &mut count,
            ));
            assert_eq!(count, want, "{alpha}");
        }
        assert_eq!(views[far_rows[1].index as usize], far(1, 1.0));
        ok(portamento_batch_free(batch));
        ok(portamento_batch64_free(wide));
    }
}

#[test]
fn some_entities_of_a_batch_move_and_the_others_rest() {
    // SAFETY: places for what is asked.
    unsafe {
        let mut batch = portamento_batch { id: 0 };
        ok(portamento_batch_new(2, &mut batch));
        let at = |x: f32| portamento_pose { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] };
        let mut rows = [portamento_batch_handle { index: 0, generation: 0 }; 3];
        for row in &mut rows {
            ok(portamento_batch_insert(batch, &at(0.0), row));
        }
        let mut out = [0.0; 9];
        let mut frame = |alpha: f64| {
            let mut count = 9;
            ok(portamento_batch_frame(
                batch,
                &moment(alpha),
                PORTAMENTO_OUTPUT_FORM_POSITIONS,
                out.as_mut_ptr(),
                9,
                null_mut(),
                0,
                &mut count,
            ));
            (count, out[3])
        };
        assert_eq!(frame(0.5).0, 3);
        ok(portamento_batch_push_some(batch, &rows[1], 0, &at(4.0), 0, 1));
        assert_eq!(frame(0.5), (1, 2.0));
        ok(portamento_batch_correct(batch, rows[1], &at(8.0)));
        assert_eq!(frame(0.5), (1, 4.0));
        let mut truth = blank();
        ok(portamento_batch_truth(batch, rows[1], &mut truth));
        assert_eq!(truth, at(8.0));
        let gone = portamento_batch_handle { generation: 77, ..rows[0] };
        assert_eq!(portamento_batch_push_some(batch, &gone, 0, &at(1.0), 0, 1), PORTAMENTO_UNKNOWN_HANDLE);
        ok(portamento_batch_free(batch));
    }
}

/// What the client drew is what the server finds, to the bit, through the interface on both sides.
#[test]
fn the_server_sees_what_the_shooter_saw() {
    for points in [0, 1] {
        // SAFETY: places for what is asked.
        unsafe {
            let (mut settings, mut peer_settings) = (blank(), blank());
            ok(portamento_history_settings_at_hz(20.0, &mut settings));
            settings.points = points;
            let (mut history, mut peer) = (portamento_history { id: 0 }, portamento_peer { id: 0 });
            ok(portamento_history_new(&settings, &mut history));
            ok(portamento_peer_settings_at_hz(20.0, &mut peer_settings));
            ok(portamento_peer_new(&peer_settings, &mut peer));
            let mut target = portamento_snapshots { id: 0 };
            ok(if points == 0 {
                portamento_snapshots_new(&mut target)
            } else {
                portamento_snapshots_new_points(&mut target)
            });
            let (mut frame, mut drawn, mut claim) = (blank(), blank(), portamento_claim::default());
            let (mut rewound, mut first) = (blank::<portamento_rewound>(), None);
            let mut found = 0;
            for tick in 0..60 {
                let sent = f64::from(tick) / 20.0;
                let x = (3.0 * sent).sin();
                let mut recorded = 0;
                let pose = portamento_report {
                    pose: at(x),
                    linear: [0.0; 3],
                    angular: [0.0; 3],
                    epoch: 0,
                    has_velocity: 0,
                    rests: 0,
                    reserved: 0,
                };
                let point = portamento_point_report {
                    position: at(x).position,
                    velocity: [0.0; 3],
                    epoch: 0,
                    has_velocity: 0,
                    rests: 0,
                    reserved: 0,
                };
                if points == 0 {
                    ok(portamento_history_record(history, sent, &pose, &mut recorded));
                    let wrong = portamento_history_record_point(history, sent, &point, null_mut());
                    assert_eq!(wrong, PORTAMENTO_BAD_VALUE);
                } else {
                    ok(portamento_history_record_point(history, sent, &point, &mut recorded));
                }
                assert_eq!(recorded, 1);
                if tick % 7 != 3 {
                    ok(portamento_peer_receive(peer, sent, sent + 0.05));
                    ok(if points == 0 {
                        portamento_snapshots_insert(target, peer, &pose, null_mut())
                    } else {
                        portamento_snapshots_insert_point(target, peer, &point, null_mut())
                    });
                }
                let now = sent + 0.07;
                ok(portamento_peer_frame_at(peer, now, &mut frame));
                if portamento_snapshots_draw(target, peer, &mut drawn, null_mut()) != PORTAMENTO_OK {
                    continue;
                }
                ok(portamento_snapshots_claim(target, peer, &mut claim));
                first.get_or_insert(claim);
                ok(portamento_history_rewind(history, &claim, now + 0.02, &mut rewound));
                let mut blended = blank();
                ok(portamento_snapshots_blended(target, &mut blended));
                assert_eq!(rewound.pose, blended, "to the bit");
                let off = (blended.position[0] - drawn.now.position[0]).abs();
                assert!(off <= rewound.offset + 1e-9, "{off} {}", rewound.offset);
                found += 1;
            }
            assert!(found > 50, "{found}");
            assert_eq!(
                portamento_history_rewind(history, &first.unwrap(), 3.1, &mut rewound),
                PORTAMENTO_REFUSED
            );
            assert!(words().starts_with("claim refused: "), "{}", words());
            let mut pose = blank();
            ok(portamento_history_at(history, 2.5, &mut pose));
            assert!((pose.position[0] - 7.5f64.sin()).abs() < 0.01);
            assert_eq!(portamento_history_at(history, -5.0, &mut pose), PORTAMENTO_NOTHING);
            ok(portamento_history_free(history));
            ok(portamento_peer_free(peer));
            ok(portamento_snapshots_free(target));
        }
    }
}

#[test]
fn a_rollback_of_a_track_is_that_of_rust_and_its_saves_move_with_the_world() {
    // SAFETY: places for what is asked.
    unsafe {
        for ends in [8, 20] {
            let mut track = portamento_track { id: 0 };
            ok(portamento_track_with_ends(&at(0.0), ends, &mut track));
            let mut rust = Track::new(pose(0.0));
            assert_eq!(portamento_track_save(track, 1), PORTAMENTO_FULL);
            assert!(words().contains("_reserve_saves"), "{}", words());
            assert_eq!(portamento_track_reserve_saves(track, 5000), PORTAMENTO_BAD_VALUE);
            ok(portamento_track_reserve_saves(track, 4));
            let (mut saved, mut drawn) = (rust.ends().clone(), blank::<portamento_drawn>());
            for tick in 1..50u64 {
                let x = tick as f64 * 0.1;
                ok(portamento_track_push(track, &at(x)));
                rust.push(pose(x));
                if tick % 10 == 7 {
                    // Three ticks again, with another input.
                    ok(portamento_track_restore(track, tick - 3));
                    rust.restore(saved.clone());
                    for again in tick - 2..=tick {
                        ok(portamento_track_push(track, &at(again as f64 * 0.2)));
                        rust.push(pose(again as f64 * 0.2));
                    }
                }
                if tick % 10 == 4 {
                    saved = rust.ends().clone();
                }
                ok(portamento_track_save(track, tick));
                ok(portamento_track_draw(track, &moment(0.3), &mut drawn));
                let want = rust.draw(Moment::at(0.3, 0.01));
                assert_eq!((drawn.now, drawn.cut), (want.now.into_c(), u32::from(want.cut)), "tick {tick}");
            }
            assert_eq!(portamento_track_restore(track, 40), PORTAMENTO_NOTHING, "only four are kept");
            let mut truth = blank();
            ok(portamento_track_truth(track, &mut truth));
            ok(portamento_track_rebase(track, [10.0, 0.0, 0.0].as_ptr()));
            ok(portamento_track_restore(track, 49));
            let before = truth.position[0];
            ok(portamento_track_truth(track, &mut truth));
            assert_eq!(truth.position[0], before + 10.0);
            ok(portamento_track_free(track));
        }
    }
}

#[test]
fn a_batch_reconciles_rolls_back_and_shows_cameras_its_entities_as_in_rust() {
    let near = |x: f32| Pose::at([x, 0.0, 0.0]);
    let c = |x: f32| portamento_pose { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] };
    // SAFETY: places for what is asked, as long as said.
    unsafe {
        let mut settings = blank();
        ok(portamento_batch_settings_default(&mut settings));
        (settings.remember_views, settings.glide_after_restore) = (1, 1);
        let mut batch = portamento_batch { id: 0 };
        ok(portamento_batch_with_settings(&settings, &mut batch));
        let chosen =
            BatchSettings { remember_views: true, glide_after_restore: true, ..BatchSettings::default() };
        let mut rust = Batch::<Pose>::with_settings(chosen).unwrap();
        let (mut rows, mut handles) = ([blank::<portamento_batch_handle>(); 3], Vec::new());
        for (i, row) in rows.iter_mut().enumerate() {
            ok(portamento_batch_insert(batch, &c(i as f32), row));
            handles.push(rust.insert(near(i as f32)));
        }
        let mut late = blank();
        assert_eq!(portamento_batch_save(batch, 1), PORTAMENTO_FULL);
        ok(portamento_batch_reserve_saves(batch, 8));
        let (mut saved, mut out) = (BatchTruth::default(), [0.0f32; 30]);
        for tick in 1..60u64 {
            let x = tick as f32 * 0.1;
            let rollback = tick % 20 == 15;
            if rollback {
                ok(portamento_batch_restore(batch, tick - 3));
                rust.restore(&saved);
                assert_eq!(portamento_batch_truth(batch, late, &mut blank()), PORTAMENTO_UNKNOWN_HANDLE);
            }
            for again in if rollback { tick - 2..=tick } else { tick..=tick } {
                let shift = if rollback { again as f32 * 0.1 + 0.3 } else { x };
                let poses = [c(shift), c(1.0), c(2.0 - shift), c(shift)];
                ok(portamento_batch_push_all(batch, poses.as_ptr(), 0, 4));
                rust.tick();
                rust.push_all(|handle, _| near(poses[handle.index()].position[0])).unwrap();
            }
            if tick % 20 == 12 {
                rust.save(&mut saved);
                ok(portamento_batch_save(batch, tick));
                ok(portamento_batch_insert(batch, &c(9.0), &mut late));
                let _ = rust.insert(near(9.0));
            }
            if tick % 20 == 5 {
                ok(portamento_batch_reconcile(batch, rows[0], &c(x + 0.4)));
                rust.reconcile(handles[0], near(x + 0.4)).unwrap();
                assert_eq!(portamento_batch_drawn(batch, rows[0], &mut blank()), PORTAMENTO_NOTHING);
            }
            let (form, length) = (PORTAMENTO_OUTPUT_FORM_POSES, out.len());
            let (moved, out) = (null_mut(), out.as_mut_ptr());
            let drawn_now =
                portamento_batch_frame(batch, &moment(0.5), form, out, length, moved, 0, null_mut());
            ok(drawn_now);
            let frame = rust.frame(Moment::at(0.5, 0.01));
            for (row, handle) in rows.iter().zip(&handles) {
                let mut drawn: portamento_drawn = blank();
                // Twice: it is the same frame.
                ok(portamento_batch_drawn(batch, *row, &mut drawn));
                ok(portamento_batch_drawn(batch, *row, &mut drawn));
                let want = frame.drawn(*handle).unwrap().unwrap();
                assert_eq!(drawn.now.position, want.now.position.map(f64::from), "tick {tick}");
                assert_eq!(drawn.before.position, want.before.position.map(f64::from), "tick {tick}");
            }
        }
        assert_eq!(portamento_batch_restore(batch, 32), PORTAMENTO_OK, "there is room for eight saves");
        ok(portamento_batch_rebase(batch, [1.0f32, 0.0, 0.0].as_ptr()));
        assert_eq!(portamento_batch_restore(batch, 52), PORTAMENTO_NOTHING, "saves are forgotten");
        ok(portamento_batch_free(batch));
        ok(portamento_batch_new(2, &mut batch));
        ok(portamento_batch_insert(batch, &c(0.0), &mut rows[0]));
        let (form, length) = (PORTAMENTO_OUTPUT_FORM_POSES, out.len());
        let drawn = portamento_batch_frame(
            batch,
            &moment(0.5),
            form,
            out.as_mut_ptr(),
            length,
            null_mut(),
            0,
            null_mut(),
        );
        ok(drawn);
        assert_eq!(portamento_batch_drawn(batch, rows[0], &mut blank()), PORTAMENTO_BAD_SETTING);
        assert!(words().contains("remember_views"), "{}", words());
        ok(portamento_batch_free(batch));
    }
}

#[test]
fn the_cameras_do_what_those_of_rust_do() {
    // SAFETY: places for what is asked.
    unsafe {
        let mut settings = blank();
        ok(portamento_follow_settings_new(640.0, 360.0, &mut settings));
        settings.fit_margin = 20.0;
        (settings.bounded, settings.bounds_min, settings.bounds_max) = (1, [-5000.0; 2], [5000.0; 2]);
        let mut camera = portamento_follow_camera { id: 0 };
        ok(portamento_follow_camera_new(&settings, &mut camera));
        let bounds = portamento::camera::Rect { min: [-5000.0; 2], max: [5000.0; 2] };
        let mut rust = FollowCamera::new(FollowSettings {
            fit_margin: 20.0,
            bounds: Some(bounds),
            ..FollowSettings::new([640.0, 360.0])
        })
        .unwrap();
        let mut framing: portamento_framing = blank();
        let same = |framing: &portamento_framing, rust: &FollowCamera, what: &str| {
            let want = rust.framing();
            assert_eq!((framing.centre, framing.zoom), (want.centre, want.zoom), "{what}");
        };
        let presented = || Presented::from_seconds(0.01);
        for i in 0..40 {
            let x = f64::from(i) * 3.0;
            let targets = [[x, 0.0], [900.0 - x, 100.0], [300.0, 500.0]];
            let given = targets.map(|place| portamento_follow_target { place, cut: 0, reserved: 0 });
            ok(portamento_follow_camera_update_all(camera, 0.01, given.as_ptr(), 0, 3, &mut framing));
            let _ = rust.update_all(presented(), targets);
            same(&framing, &rust, "all");
        }
        ok(portamento_follow_camera_pan(camera, [30.0, -8.0].as_ptr()));
        rust.pan([30.0, -8.0]);
        ok(portamento_follow_camera_update_free(camera, 0.01, &mut framing));
        let _ = rust.update_free(presented());
        same(&framing, &rust, "panned");
        ok(portamento_follow_camera_recentre(camera));
        rust.recentre();
        ok(portamento_follow_camera_zoom_by(camera, 2.0, [10.0, 10.0].as_ptr()));
        rust.zoom_by(2.0, Some([10.0, 10.0]));
        ok(portamento_follow_camera_rebase(camera, [-100.0, 7.0].as_ptr()));
        rust.rebase(|place| *place = [place[0] - 100.0, place[1] + 7.0]);
        ok(portamento_follow_camera_update(camera, 0.01, [5.0, 6.0].as_ptr(), 0, &mut framing));
        let _ = rust.update(presented(), [5.0, 6.0]);
        same(&framing, &rust, "zoomed and moved");
        ok(portamento_follow_camera_set_centre(camera, [1.0, 2.0].as_ptr()));
        rust.set_centre([1.0, 2.0]);
        ok(portamento_follow_camera_update_free(camera, 0.01, &mut framing));
        let _ = rust.update_free(presented());
        same(&framing, &rust, "put");
        let (mut point, mut place) = ([0.0; 2], [0.0; 2]);
        ok(portamento_follow_camera_to_screen(camera, [3.0, 4.0].as_ptr(), point.as_mut_ptr()));
        ok(portamento_follow_camera_to_world(camera, point.as_ptr(), place.as_mut_ptr()));
        assert!((place[0] - 3.0).abs() + (place[1] - 4.0).abs() < 1e-9, "{place:?}");
        let mut now: portamento_follow_settings = blank();
        ok(portamento_follow_camera_settings(camera, &mut now));
        assert_eq!((now.zoom, now.bounds_min[0]), (rust.settings().zoom, -5100.0));
        // Every setting comes back as it was given.
        let mut other = blank();
        ok(portamento_follow_settings_new(640.0, 360.0, &mut other));
        (other.rule, other.smoothing, other.speed) = (PORTAMENTO_FOLLOW_RULE_EXPONENTIAL, 0.8, 2.0);
        (other.y, other.shake.own_time, other.shake.seed) = (PORTAMENTO_SCREEN_Y_UP, 1, 9);
        ok(portamento_follow_camera_set_settings(camera, &other));
        ok(portamento_follow_camera_settings(camera, &mut now));
        now.rate = other.rate; // which this rule does not use
        assert_eq!(now, other);
        ok(portamento_follow_camera_shake(camera, 1.0));
        ok(portamento_follow_camera_advance_shake(camera, 0.03, &mut framing));
        ok(portamento_follow_camera_set_centre(camera, [f64::NAN, 0.0].as_ptr()));
        let mut counts = blank();
        ok(portamento_follow_camera_get_counts(camera, &mut counts));
        assert_eq!(counts, portamento_camera_counts { targets: 0, times: 0, places: 0, requests: 1 });
        ok(portamento_follow_camera_free(camera));

        let (mut settings, mut chase) = (blank(), portamento_chase_camera { id: 0 });
        ok(portamento_chase_settings_y_up(&mut settings));
        settings.height_hold = 2.0;
        ok(portamento_chase_camera_new(&settings, &mut chase));
        let mut rust =
            ChaseCamera::new(ChaseSettings { height_hold: Some(2.0), ..ChaseSettings::y_up() }).unwrap();
        let mut shot: portamento_shot = blank();
        for i in 0..60 {
            let body = Pose64::at([f64::from(i) * 0.1, if i < 30 { 0.05 * f64::from(i) } else { 1.0 }, 0.0]);
            if i == 20 {
                ok(portamento_chase_camera_rebase(chase, [50.0, 1.0, 0.0].as_ptr()));
                rust.rebase(|place| *place = [place[0] + 50.0, place[1] + 1.0, place[2]]);
            }
            if i == 40 {
                ok(portamento_chase_camera_release_height(chase));
                rust.release_height();
            }
            let drawn = portamento_drawn { now: body.into_c(), before: body.into_c(), cut: 0, reserved: 0 };
            ok(portamento_chase_camera_update(chase, 0.01, &drawn, None, null_mut(), &mut shot));
            let want = rust.update(presented(), Drawn { now: body, before: body, cut: false });
            assert_eq!((shot.eye, shot.pivot), (want.eye, want.pivot), "frame {i}");
        }
        ok(portamento_chase_camera_set_look(chase, 0.5, 0.25));
        ok(portamento_chase_camera_settings(chase, &mut settings));
        assert_eq!((settings.orbit, settings.pitch, settings.height_hold), (0.5, 0.25, 2.0));
        ok(portamento_chase_camera_get_counts(chase, &mut counts));
        assert_eq!(counts.requests, 0);
        ok(portamento_chase_camera_free(chase));
    }
}

#[test]
fn connections_counters_and_cues_are_those_of_rust() {
    // SAFETY: places for what is asked.
    unsafe {
        let (mut settings, mut peer) = (blank(), portamento_peer { id: 0 });
        ok(portamento_peer_settings_at_hz(20.0, &mut settings));
        ok(portamento_peer_new(&settings, &mut peer));
        let mut rust = Peer::at_hz(20.0).unwrap();
        let (mut stamps, mut counter) = (portamento_tick_clock { id: 0 }, TickClock::at_hz(20.0, 4).unwrap());
        ok(portamento_tick_clock_at_hz(20.0, 4, &mut stamps));
        let mut target = portamento_snapshots { id: 0 };
        ok(portamento_snapshots_new(&mut target));
        let mut report: portamento_report = blank();
        for tick in (0..60u32).filter(|tick| tick % 9 != 4) {
            if tick == 30 {
                ok(portamento_peer_set_hz(peer, 10.0));
                rust.set_hz(10.0).unwrap();
                ok(portamento_tick_clock_set_tick(stamps, 1000, 1.6));
                counter.set_tick(1000, 1.6);
            }
            let arrived = f64::from(tick) / 20.0 + 0.03 + 0.01 * f64::from(tick % 3);
            let mut sent = 0.0;
            ok(portamento_tick_clock_seconds(stamps, tick % 16, arrived, &mut sent));
            assert_eq!(Some(sent), counter.seconds(tick % 16, arrived));
            ok(portamento_peer_receive(peer, sent, arrived));
            let _ = rust.receive(sent, arrived);
            report.pose = at(sent);
            ok(portamento_snapshots_insert(target, peer, &report, null_mut()));
            let mut frame = blank::<portamento_peer_frame>();
            ok(portamento_peer_frame_at(peer, arrived + 0.01, &mut frame));
            let want = rust.frame(arrived + 0.01).unwrap();
            assert_eq!((frame.shown, frame.elapsed), (want.shown, want.elapsed));
            let _ = portamento_snapshots_draw(target, peer, &mut blank(), null_mut());
        }
        let mut statistics = blank::<portamento_peer_statistics>();
        ok(portamento_peer_get_statistics(peer, &mut statistics));
        let want = rust.statistics();
        assert_eq!(
            (statistics.delay, statistics.jitter, statistics.loss),
            (want.delay, want.jitter, want.loss)
        );
        assert_eq!((statistics.received, statistics.lost), (want.received, want.lost));
        assert!(statistics.lost > 0 && statistics.received > 40);
        assert_eq!(portamento_peer_set_hz(peer, f64::NAN), PORTAMENTO_BAD_SETTING);
        let (mut counts, mut size) = (blank::<portamento_snapshot_counts>(), blank());
        ok(portamento_snapshots_insert(target, peer, &report, null_mut()));
        ok(portamento_snapshots_get_counts(target, &mut counts));
        assert_eq!((counts.duplicates, counts.unusable), (1, 0));
        ok(portamento_snapshots_offset(target, &mut size));
        assert!(size.length >= 0.0);
        let bad = portamento_tick_clock_seconds(stamps, 0, f64::INFINITY, &mut 0.0);
        assert_eq!(bad, PORTAMENTO_BAD_VALUE);
        ok(portamento_tick_clock_restart(stamps));
        assert_eq!(portamento_tick_clock_at_hz(20.0, 40, &mut stamps), PORTAMENTO_BAD_SETTING);
        ok(portamento_tick_clock_free(stamps));
        ok(portamento_snapshots_free(target));
        ok(portamento_peer_free(peer));

        let (mut cues, mut rust) = (portamento_cues { id: 0 }, Cues::new());
        ok(portamento_cues_new(&mut cues));
        for (at, event) in [(0.3, 3), (0.1, 1), (0.2, 2)] {
            ok(portamento_cues_add(cues, at, event));
            rust.add(at, event).unwrap();
        }
        assert_eq!(portamento_cues_add(cues, f64::NAN, 4), PORTAMENTO_BAD_VALUE);
        for at in [0.05, 0.15, 0.5] {
            let shown = portamento_shown { at, presented: 0.1, beyond: 0.0, skipped: 0.0 };
            let mut cue = portamento_cue { at: 0.0, event: 0 };
            while portamento_cues_next(cues, &shown, &mut cue) == PORTAMENTO_OK {
                let shown = Shown { at, presented: 0.1, beyond: 0.0, skipped: 0.0 };
                assert_eq!(rust.next(shown).map(|want| (want.at, want.event)), Some((cue.at, cue.event)));
            }
        }
        let (mut waiting, mut refused) = (9, 9);
        (0..64).for_each(|event| ok(portamento_cues_add(cues, 1.0, event)));
        assert_eq!(portamento_cues_add(cues, 1.0, 64), PORTAMENTO_FULL);
        ok(portamento_cues_waiting(cues, &mut waiting));
        ok(portamento_cues_refused(cues, &mut refused));
        assert_eq!((waiting, refused), (64, 2));
        ok(portamento_cues_clear(cues));
        ok(portamento_cues_waiting(cues, &mut waiting));
        assert_eq!(waiting, 0);
        ok(portamento_cues_free(cues));
    }
}

#[test]
fn remote_bodies_and_the_own_player_do_what_those_of_rust_do() {
    let rules = WaypointRules::y_up();
    let shift = [10.0, 0.0, -3.0];
    let moved = |pose: &mut Pose64| pose.position = std::array::from_fn(|i| pose.position[i] + shift[i]);
    // SAFETY: places for what is asked.
    unsafe {
        let (mut settings, mut report) = (blank(), blank());
        ok(portamento_waypoint_settings_y_up(&mut settings));
        let (mut body, mut rust) = (portamento_remote_body { id: 0 }, RemoteBody::<u64>::new());
        ok(portamento_remote_body_new(&settings, &mut body));
        let tick = portamento_waypoint_tick { dt: 0.05, max_speed: 4.0, contact: 1, sticky: 0 };
        let (mut outcome, mut state) = (blank(), blank::<portamento_remote_body_state>());
        for i in 0..60u32 {
            let place = Pose64::at([f64::from(i / 6), 0.0, if i > 40 { 7.0 } else { 0.0 }]);
            if i % 6 == 0 {
                ok(portamento_waypoint_report_new(1, &place.into_c(), &mut report));
                let mut route = 9;
                ok(portamento_remote_body_report(body, &report, 5.0, &mut route));
                let done = rust.report(&rules, &WaypointReport::new(1, place).with_payload(0), 5.0).unwrap();
                assert_eq!(route, [0, 1, 2, 3, 4][done as usize], "{done:?}");
            }
            if i == 20 {
                ok(portamento_remote_body_stick_to(body, [9.0, 0.0, 0.0].as_ptr(), 1.0));
                rust.stick_to(&rules, [9.0, 0.0, 0.0], 1.0).unwrap();
                ok(portamento_remote_body_follow(body, [9.0, 0.0, 2.0].as_ptr()));
                rust.follow([9.0, 0.0, 2.0]).unwrap();
            }
            if i == 25 {
                ok(portamento_remote_body_rebase(body, shift.as_ptr()));
                rust.rebase(moved);
                ok(portamento_remote_body_get_state(body, &mut state));
                assert_eq!(state.is_sticking, u32::from(rust.state(&rules).is_sticking));
                ok(portamento_remote_body_release(body));
                rust.release();
                ok(portamento_remote_body_enqueue_velocity(body, [0.0, 0.0, 1.0].as_ptr()));
                rust.enqueue_velocity([0.0, 0.0, 1.0]).unwrap();
                ok(portamento_remote_body_enqueue_stop(body));
                rust.enqueue_stop();
            }
            if i == 50 {
                ok(portamento_remote_body_stop(body));
                rust.stop();
            }
            ok(portamento_remote_body_walk(body, &tick, &mut outcome));
            let want = rust.walk(&rules, &WaypointTick::new(0.05, 4.0)).unwrap();
            assert_eq!((outcome.place, outcome.stopped), (want.place.is_some().into(), want.stopped.into()));
            let mut truth = blank();
            ok(portamento_remote_body_truth(body, &mut truth));
            assert_eq!(truth, rust.truth().unwrap().into_c(), "tick {i}");
            ok(portamento_remote_body_get_state(body, &mut state));
            assert_eq!(state.strayed, rust.state(&rules).strayed.unwrap_or(-1.0));
            assert_eq!((state.depth, state.is_simulated), (rust.state(&rules).waypoints, 1));
        }
        let mut counts = blank::<portamento_waypoint_counts>();
        ok(portamento_remote_body_get_counts(body, &mut counts));
        assert_eq!((counts.placed, counts.stale), (rust.state(&rules).counts.placed, 0));
        ok(portamento_remote_body_free(body));

        let (mut queue, mut rust) = (portamento_waypoints { id: 0 }, Waypoints::<u64>::new());
        ok(portamento_waypoints_new(&settings, &mut queue));
        let (from, to) = (Pose64::at([0.0; 3]), Pose64::at([3.0, 0.0, 0.0]));
        ok(portamento_waypoint_report_new(1, &to.into_c(), &mut report));
        ok(portamento_waypoints_enqueue(queue, &from.into_c(), &report, null_mut(), null_mut()));
        let _ = rust.enqueue(&rules, &from, &WaypointReport::new(1, to).with_payload(0)).unwrap();
        ok(portamento_waypoints_rebase(queue, shift.as_ptr()));
        rust.rebase(moved);
        let mut here = from;
        moved(&mut here);
        let mut step = blank::<portamento_waypoint_step>();
        ok(portamento_waypoints_step(queue, &here.into_c(), &tick, &mut step));
        let want = rust.step(&rules, &here, &WaypointTick::new(0.05, 4.0)).unwrap().unwrap();
        assert_eq!(step.offset, want.offset);
        ok(portamento_waypoints_get_counts(queue, &mut counts));
        assert_eq!(counts.evicted, 0);
        ok(portamento_waypoints_free(queue));

        let (mut own, mut rust) = (portamento_own_player { id: 0 }, OwnPlayer::new());
        ok(portamento_own_player_new(&settings, &mut own));
        let (mut echo, mut put) = (9, blank::<portamento_pose64>());
        let mut seen = |x: f64, forced: u16| {
            let place = Pose64::at([x, 0.0, 0.0]);
            ok(portamento_waypoint_report_new(1, &place.into_c(), &mut report));
            report.forced = forced;
            ok(portamento_own_player_echo(own, &report, &mut echo, &mut put));
            let _ = rust
                .echo(&WaypointReport { forced, ..WaypointReport::new(1, place) }, &mut Pose64::default())
                .unwrap();
            (echo, put.position[0])
        };
        assert_eq!(seen(40.0, 0), (PORTAMENTO_ECHO_CUT, 40.0));
        let body = Pose64::at([41.0, 0.0, 0.0]).into_c();
        let mut units = 0.0;
        assert_eq!(portamento_own_player_strayed(own, &body, &mut units), PORTAMENTO_NOTHING);
        assert_eq!(seen(40.5, 0).0, PORTAMENTO_ECHO_LEASHED);
        assert_eq!(seen(12.0, 1), (PORTAMENTO_ECHO_FORCED, 12.0));
        assert_eq!(seen(40.5, 0).0, PORTAMENTO_ECHO_STALE);
        ok(portamento_own_player_rebase(own, shift.as_ptr()));
        rust.rebase(moved);
        let (mut far, mut held) = (Pose64::at([22.5, 0.0, -3.0]), 9);
        for i in 0..200 {
            let walk = WaypointStep { offset: [0.5, 0.0, 0.0], ..WaypointStep::NONE };
            let given = portamento_waypoint_step { offset: walk.offset, turn: [0.0, 0.0, 0.0, 1.0] };
            ok(portamento_own_player_limit(own, &far.into_c(), &given, 1, &mut step));
            let want = rust.limit(&rules, &far, walk, true).unwrap();
            assert_eq!(step.offset, want.offset, "step {i}");
            far = want.apply(&far);
            ok(portamento_own_player_strayed(own, &far.into_c(), &mut units));
            assert_eq!(Some(units), rust.state(&rules, &far).strayed);
            ok(portamento_own_player_is_held(own, &far.into_c(), &mut held));
            assert_eq!(held, u32::from(rust.state(&rules, &far).is_held));
        }
        assert_eq!(held, 1, "the leash has an end");
        ok(portamento_own_player_get_counts(own, &mut counts));
        assert_eq!(counts.stale, 1);
        ok(portamento_own_player_free(own));
    }
}
