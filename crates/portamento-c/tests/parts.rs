//! Does each part do through the C interface what it does in Rust?
#![allow(unsafe_code)] // it calls a C interface

use portamento::blend::{Pose64, Rotation};
use portamento::track::PredictedTrack;
use portamento::{Moment, exchange};
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
        ok(portamento_predicted_settings_default(&mut settings));
        settings.saves = 16;
        let mut predicted = portamento_predicted { id: 0 };
        ok(portamento_predicted_new(&at(0.0), &settings, &mut predicted));
        let mut rust = PredictedTrack::new(pose(0.0));
        let mut drawn: portamento_drawn = blank();
        for tick in 1..200u64 {
            let x = tick as f64 * 0.1;
            ok(portamento_predicted_push(predicted, &at(x)));
            rust.push(pose(x));
            ok(portamento_predicted_save(predicted, tick));
            if tick % 50 == 20 {
                ok(portamento_predicted_reconcile(predicted, &at(x + 0.4)));
                rust.reconcile(pose(x + 0.4));
            }
            if tick % 50 == 30 {
                ok(portamento_predicted_restore(predicted, tick - 3));
                for again in tick - 2..=tick {
                    ok(portamento_predicted_push(predicted, &at(again as f64 * 0.1)));
                }
            }
            for alpha in [0.2, 0.9] {
                ok(portamento_predicted_draw(predicted, &moment(alpha), &mut drawn));
                let want = rust.draw(Moment::at(alpha, 0.01));
                assert_eq!((drawn.now, drawn.cut), (want.now.into_c(), u32::from(want.cut)), "tick {tick}");
            }
        }
        assert_eq!(portamento_predicted_restore(predicted, 100), PORTAMENTO_NOTHING);
        let mut size = portamento_offset_size::default();
        ok(portamento_predicted_offset(predicted, &mut size));
        assert_eq!(size.length, rust.offset().length);
        ok(portamento_predicted_free(predicted));
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
            ok(portamento_shape_default(10, &mut shape));
            (shape.f64_positions, shape.f32_columns, shape.u32_columns) = (f64_positions, 1, 1);
            let mut block = portamento_exchange { id: 0 };
            ok(portamento_exchange_new(&shape, &mut block));
            let mut writer = portamento_writer { id: 0 };
            ok(portamento_writer_new(block, &mut writer));
            assert_eq!(portamento_writer_new(block, &mut portamento_writer { id: 0 }), PORTAMENTO_FULL);
            ok(portamento_playhead_settings_default(20.0, 0, &mut settings));
            let mut reader = portamento_reader { id: 0 };
            ok(portamento_reader_new(block, &settings, &mut reader));
            ok(portamento_exchange_free(block));
            let mut world: portamento_world = blank();
            assert_eq!(portamento_reader_frame(reader, 0.0, &mut world), PORTAMENTO_NOTHING);

            let rust_shape =
                exchange::Shape { f32_columns: 1, u32_columns: 1, ..exchange::Shape::entities(10) };
            let (mut rust_writer, mut rust_reader) = exchange::pair_f64(rust_shape, 20.0).unwrap();
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
                    assert_eq!((world.shown.at, world.rows), (rust.shown().at, 3));
                    let mut entities = [blank::<portamento_entity>(); 10];
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
            ok(portamento_reader_writer_state(reader, &mut state));
            assert_eq!(state, 2);
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
        ok(portamento_shape_default(4, &mut shape));
        ok(portamento_playhead_settings_default(20.0, 0, &mut settings));
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
        let mut offset = portamento_offset { id: 0 };
        ok(portamento_offset_new(&mut offset));
        let limit = portamento_offset_size { length: 4.0, angle: 4.0 };
        let mut became = 9;
        ok(portamento_offset_absorb(offset, &at(1.0), &at(1.5), &limit, &mut became));
        assert_eq!(became, 0);
        let mut view = blank();
        ok(portamento_offset_apply(offset, &at(1.5), &mut view));
        assert_eq!(view, at(1.0), "nothing is seen in this frame");
        for _ in 0..600 {
            ok(portamento_offset_fade(offset, 1.0 / 144.0, std::ptr::null()));
        }
        ok(portamento_offset_apply(offset, &at(1.5), &mut view));
        assert_eq!(view, at(1.5), "to the last bit");
        let mut fading: portamento_fading = blank();
        ok(portamento_fading_default(&mut fading));
        fading.slow = f64::NAN;
        assert_eq!(portamento_offset_fade(offset, 0.1, &fading), PORTAMENTO_BAD_SETTING);
        assert!(words().contains("slow is NaN"), "{}", words());
        ok(portamento_offset_free(offset));
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
        let mut rows = [portamento_row { index: 0, generation: 0 }; COUNT];
        let mut far_rows = rows;
        for i in 0..COUNT {
            ok(portamento_batch_add(batch, &pose(i, 0.0), &mut rows[i]));
            ok(portamento_batch64_add(wide, &far(i, 0.0), &mut far_rows[i]));
        }
        // Some go, and others come in their places.
        for i in (0..COUNT).step_by(7) {
            ok(portamento_batch_remove(batch, rows[i]));
            assert_eq!(portamento_batch_remove(batch, rows[i]), PORTAMENTO_UNKNOWN_HANDLE);
            ok(portamento_batch64_remove(wide, far_rows[i]));
            assert_eq!(portamento_batch64_cut(wide, far_rows[i], &far(0, 0.0)), PORTAMENTO_UNKNOWN_HANDLE);
        }
        for i in (0..COUNT).step_by(14) {
            ok(portamento_batch_add(batch, &pose(i, 0.0), &mut rows[i]));
            ok(portamento_batch64_add(wide, &far(i, 0.0), &mut far_rows[i]));
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
            (PORTAMENTO_POSES, 7),
            (PORTAMENTO_POSITIONS, 3),
            (PORTAMENTO_MATRICES_3X4, 12),
            (PORTAMENTO_MATRICES_4X4, 16),
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
                    PORTAMENTO_POSES => one.position.into_iter().chain(one.rotation.to_array()).collect(),
                    PORTAMENTO_POSITIONS => one.position.to_vec(),
                    PORTAMENTO_MATRICES_3X4 => one.to_matrix_3x4().concat(),
                    _ => one.to_matrix_4x4().concat(),
                }
            };
            let near = |got: &[f32], want: &[f32]| got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-6);
            let mut moved = [portamento_row { index: 9999, generation: 0 }; COUNT];
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
                PORTAMENTO_POSES64,
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
        let mut rows = [portamento_row { index: 0, generation: 0 }; 3];
        for row in &mut rows {
            ok(portamento_batch_add(batch, &at(0.0), row));
        }
        let mut out = [0.0; 9];
        let mut frame = |alpha: f64| {
            let mut count = 9;
            ok(portamento_batch_frame(
                batch,
                &moment(alpha),
                PORTAMENTO_POSITIONS,
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
        let gone = portamento_row { generation: 77, ..rows[0] };
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
            ok(portamento_history_settings_default(20.0, &mut settings));
            settings.points = points;
            let (mut history, mut peer) = (portamento_history { id: 0 }, portamento_peer { id: 0 });
            ok(portamento_history_new(&settings, &mut history));
            ok(portamento_peer_settings_default(20.0, &mut peer_settings));
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
                let pose = portamento_snapshot {
                    pose: at(x),
                    linear: [0.0; 3],
                    angular: [0.0; 3],
                    epoch: 0,
                    has_velocity: 0,
                };
                let point = portamento_point_snapshot {
                    position: at(x).position,
                    velocity: [0.0; 3],
                    epoch: 0,
                    has_velocity: 0,
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
                ok(portamento_peer_draw(peer, now, &mut frame));
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
