//! Does any call that belongs into a frame allocate?
#![allow(unsafe_code)] // it calls a C interface, and counts allocations

use portamento_c::*;
use portamento_status::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

/// Counts the allocations of this thread.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn blank<T>() -> T {
    // SAFETY: the structs of the interface are plain numbers.
    unsafe { std::mem::zeroed() }
}

#[track_caller]
fn ok(status: portamento_status) {
    assert_eq!(status, PORTAMENTO_OK);
}

fn at(x: f64) -> portamento_pose64 {
    portamento_pose64 { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] }
}

unsafe extern "C-unwind" fn wall(_: *mut std::ffi::c_void, _: *const f64, eye: *mut f64) {
    // SAFETY: there is room for three numbers.
    unsafe { *eye += 0.1 };
}

const COUNT_OF_ENTITIES: usize = 100;

/// One of everything.
struct Everything {
    fixed: portamento_stepper,
    gated: portamento_stepper,
    track: portamento_track,
    predicted: portamento_predicted_track,
    offset: portamento_visual_offset,
    batch: portamento_batch,
    wide: portamento_batch64,
    chase: portamento_chase_camera,
    follow: portamento_follow_camera,
    playhead: portamento_playhead,
    timeline: portamento_timeline,
    writer: portamento_writer,
    reader: portamento_reader,
    peer: portamento_peer,
    poses: portamento_snapshots,
    points: portamento_snapshots,
    queue: portamento_waypoints,
    body: portamento_remote_body,
    own: portamento_own_player,
    stamps: portamento_tick_clock,
    cues: portamento_cues,
}

macro_rules! new {
    ($default:expr, $new:ident($($before:expr),*)) => {{
        let mut settings = blank();
        #[allow(clippy::redundant_closure_call)]
        ok(($default)(&mut settings));
        let mut handle = blank();
        ok($new($($before,)* &settings, &mut handle));
        handle
    }};
}

impl Everything {
    fn new() -> Self {
        // SAFETY: places for settings and handles.
        unsafe {
            let exchange = new!(|s| portamento_shape_entities(8, s), portamento_exchange_new());
            let (mut track, mut offset) = (blank(), blank());
            let (mut poses, mut points, mut writer) = (blank(), blank(), blank());
            ok(portamento_track_new(&at(0.0), &mut track));
            ok(portamento_visual_offset_new(&mut offset));
            ok(portamento_snapshots_new(&mut poses));
            ok(portamento_snapshots_new_points(&mut points));
            ok(portamento_writer_new(exchange, &mut writer));
            let mut wide = blank();
            let (mut stamps, mut cues) = (blank(), blank());
            ok(portamento_tick_clock_at_hz(60.0, 8, &mut stamps));
            ok(portamento_cues_new(&mut cues));
            ok(portamento_track_reserve_saves(track, 16));
            let batch_settings = |s: &mut portamento_batch_settings| {
                let status = portamento_batch_settings_default(s);
                s.remember_views = 1;
                status
            };
            let batch: portamento_batch = new!(batch_settings, portamento_batch_with_settings());
            ok(portamento_batch64_new(2, &mut wide));
            for i in 0..COUNT_OF_ENTITIES {
                let pose = portamento_pose { position: [i as f32, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] };
                ok(portamento_batch_insert(batch, &pose, &mut blank()));
                ok(portamento_batch64_insert(wide, &at(i as f64), &mut blank()));
            }
            let made = Self {
                fixed: new!(|s| portamento_fixed_settings_at_hz(60.0, s), portamento_stepper_fixed()),
                gated: new!(
                    |s| portamento_gate_settings_with_rule(PORTAMENTO_GATE_RULE_EVEN, s),
                    portamento_stepper_gated()
                ),
                track,
                predicted: new!(
                    |s| portamento_reconcile_settings_default(s),
                    portamento_predicted_track_new(&at(0.0))
                ),
                offset,
                batch,
                wide,
                chase: new!(|s| portamento_chase_settings_y_up(s), portamento_chase_camera_new()),
                follow: new!(
                    |s| portamento_follow_settings_new(800.0, 600.0, s),
                    portamento_follow_camera_new()
                ),
                playhead: new!(|s| portamento_playhead_settings_at_hz(60.0, s), portamento_playhead_new()),
                timeline: new!(|s| portamento_timeline_settings_default(s), portamento_timeline_new()),
                writer,
                reader: new!(
                    |s| portamento_playhead_settings_at_hz(60.0, s),
                    portamento_reader_new(exchange)
                ),
                peer: new!(|s| portamento_peer_settings_at_hz(20.0, s), portamento_peer_new()),
                poses,
                points,
                queue: new!(|s| portamento_waypoint_settings_y_up(s), portamento_waypoints_new()),
                body: new!(|s| portamento_waypoint_settings_y_up(s), portamento_remote_body_new()),
                own: new!(|s| portamento_waypoint_settings_y_up(s), portamento_own_player_new()),
                stamps,
                cues,
            };
            ok(portamento_predicted_track_reserve_saves(made.predicted, 16));
            ok(portamento_batch_reserve_saves(made.batch, 16));
            made
        }
    }

    /// What a game calls in a frame and its ticks, and some that fail.
    fn frame(&self, number: u64, buffers: &mut Buffers) {
        let now = number as f64 / 60.0;
        let x = (number as f64 * 0.05).sin() * 5.0;
        // SAFETY: places for what is asked, as long as said.
        unsafe {
            let (mut frame, mut tick, mut drawn) = (blank(), blank(), blank());
            ok(portamento_stepper_frame_at(self.gated, now, &mut frame));
            while portamento_stepper_tick(self.gated, &mut tick) == PORTAMENTO_OK {}
            ok(portamento_stepper_frame(self.fixed, 1.0 / 60.0, &mut frame));
            while portamento_stepper_tick(self.fixed, &mut tick) == PORTAMENTO_OK {
                ok(portamento_track_push(self.track, &at(x)));
                ok(portamento_predicted_track_push(self.predicted, &at(x)));
                ok(portamento_predicted_track_save(self.predicted, tick.number));
                ok(portamento_track_save(self.track, tick.number));
                buffers.poses.iter_mut().for_each(|pose| pose.position[1] = x as f32);
                buffers.wide.iter_mut().for_each(|pose| pose.position[1] = x);
                ok(portamento_batch_push_all(self.batch, buffers.poses.as_ptr(), 0, COUNT_OF_ENTITIES));
                ok(portamento_batch64_push_all(self.wide, buffers.wide.as_ptr(), 0, COUNT_OF_ENTITIES));
                ok(portamento_batch_save(self.batch, tick.number));
            }
            if number % 10 == 5 {
                ok(portamento_predicted_track_reconcile(self.predicted, &at(x + 0.2)));
                ok(portamento_predicted_track_restore(self.predicted, tick.number));
                ok(portamento_track_restore(self.track, tick.number));
                ok(portamento_batch_restore(self.batch, tick.number));
                ok(portamento_track_cut(self.track, &at(x + 50.0)));
                let first = portamento_batch_handle { index: 0, generation: 0 };
                ok(portamento_batch_reconcile(self.batch, first, &buffers.poses[1]));
                ok(portamento_chase_camera_rebase(self.chase, [1.0, 0.0, 0.0].as_ptr()));
                ok(portamento_follow_camera_rebase(self.follow, [1.0, 0.0].as_ptr()));
                ok(portamento_waypoints_rebase(self.queue, [0.1, 0.0, 0.0].as_ptr()));
                ok(portamento_remote_body_rebase(self.body, [0.1, 0.0, 0.0].as_ptr()));
            }
            ok(portamento_track_draw(self.track, &frame.moment, &mut drawn));
            ok(portamento_predicted_track_draw(self.predicted, &frame.moment, &mut drawn));
            let limit = portamento_offset_size { length: 4.0, angle: 4.0 };
            ok(portamento_visual_offset_absorb(self.offset, &at(x), &at(x + 0.1), &limit, null_mut()));
            ok(portamento_visual_offset_fade(self.offset, 0.01, std::ptr::null()));
            let (floats, length) = (buffers.floats.as_mut_ptr(), buffers.floats.len());
            let (moved, capacity) = (buffers.moved.as_mut_ptr(), buffers.moved.len());
            let moment = &frame.moment;
            let form = (number % 4) as u32;
            ok(portamento_batch_frame(self.batch, moment, form, floats, length, moved, capacity, null_mut()));
            ok(portamento_batch_drawn(self.batch, blank(), &mut drawn));
            ok(portamento_batch_redraw(self.batch));
            ok(portamento_batch_frame_strided(
                self.batch,
                moment,
                form,
                floats,
                68,
                COUNT_OF_ENTITIES,
                null_mut(),
                0,
                null_mut(),
            ));
            ok(portamento_batch64_frame(
                self.wide,
                moment,
                std::ptr::null(),
                form,
                floats.cast(),
                0,
                COUNT_OF_ENTITIES,
                moved,
                capacity,
                null_mut(),
            ));
            let mut shot = blank();
            ok(portamento_chase_camera_update(self.chase, 0.01, &drawn, Some(wall), null_mut(), &mut shot));
            ok(portamento_follow_camera_update(self.follow, 0.01, [x, 0.0].as_ptr(), 0, &mut blank()));
            let target = portamento_follow_target { place: [x, 1.0], cut: 0, reserved: 0 };
            ok(portamento_follow_camera_update_all(self.follow, 0.01, &target, 0, 1, &mut blank()));
            ok(portamento_follow_camera_pan(self.follow, [1.0, 1.0].as_ptr()));
            ok(portamento_follow_camera_update_free(self.follow, 0.01, &mut blank()));

            let mut shown = blank();
            ok(portamento_playhead_observe(self.playhead, now, now, null_mut()));
            ok(portamento_timeline_push(self.timeline, now, &at(x)));
            ok(portamento_playhead_advance(self.playhead, now + 0.01, &mut shown));
            ok(portamento_timeline_draw(self.timeline, &shown, &mut drawn));
            ok(portamento_cues_add(self.cues, now, number));
            while portamento_cues_next(self.cues, &shown, &mut blank()) == PORTAMENTO_OK {}

            ok(portamento_writer_set(self.writer, number / 30 % 4, &at(x)));
            ok(portamento_writer_cut(self.writer, 9, &at(x)));
            if number % 30 == 29 {
                ok(portamento_writer_remove(self.writer, number / 30 % 4));
            }
            ok(portamento_writer_publish_stepper(self.writer, now, self.fixed, null_mut()));
            let mut count = 0;
            ok(portamento_reader_frame(self.reader, now, &mut blank()));
            ok(portamento_reader_entities(self.reader, buffers.entities.as_mut_ptr(), 0, 8, &mut count));
            ok(portamento_reader_draw(self.reader, 9, &mut drawn));

            let mut sent = 0.0;
            ok(portamento_tick_clock_seconds(self.stamps, number as u32 % 256, now + 0.02, &mut sent));
            ok(portamento_peer_receive(self.peer, sent, now + 0.02));
            ok(portamento_peer_get_statistics(self.peer, &mut blank()));
            let mut report = blank::<portamento_report>();
            report.pose = at(x);
            ok(portamento_snapshots_insert(self.poses, self.peer, &report, null_mut()));
            let mut point = blank::<portamento_point_report>();
            point.position = [x, 0.0, 0.0];
            ok(portamento_snapshots_insert_point(self.points, self.peer, &point, null_mut()));
            ok(portamento_peer_frame_at(self.peer, now + 0.03, &mut blank()));
            ok(portamento_snapshots_draw(self.poses, self.peer, &mut drawn, null_mut()));
            ok(portamento_snapshots_draw(self.points, self.peer, &mut drawn, null_mut()));

            let mut seen = blank::<portamento_waypoint_report>();
            (seen.pose, seen.blip, seen.contact) = (at(x), -1.0, 1);
            let step_tick = portamento_waypoint_tick { dt: 0.016, max_speed: 4.0, contact: 1, sticky: 0 };
            let (mut step, mut outcome) = (blank(), blank());
            ok(portamento_waypoints_enqueue(self.queue, &at(0.0), &seen, null_mut(), null_mut()));
            let _ = portamento_waypoints_step(self.queue, &at(0.0), &step_tick, &mut step);
            ok(portamento_waypoints_end_tick(self.queue, &at(0.0), 0.016, &mut outcome));
            let _ = portamento_waypoints_refuse(self.queue);
            ok(portamento_remote_body_report(self.body, &seen, 3.0, null_mut()));
            ok(portamento_remote_body_frame(self.body, 0.016, 3.0));
            if number.is_multiple_of(2) {
                ok(portamento_remote_body_walk(self.body, &step_tick, &mut outcome));
            } else if portamento_remote_body_step(self.body, &step_tick, std::ptr::null(), &mut step)
                == PORTAMENTO_OK
            {
                ok(portamento_remote_body_moved(self.body, &at(0.0), &mut outcome));
            }
            let mut echo = 0;
            ok(portamento_own_player_echo(self.own, &seen, &mut echo, null_mut()));
            let still = portamento_waypoint_step { offset: [0.0; 3], turn: at(0.0).rotation };
            ok(portamento_own_player_limit(self.own, &at(0.0), &still, 1, &mut step));
            let _ = portamento_remote_body_draw(self.body, &frame.moment, &mut drawn);

            // Errors have words without allocating.
            assert_eq!(portamento_track_push(portamento_track { id: 3 }, &at(x)), PORTAMENTO_UNKNOWN_HANDLE);
            assert_eq!(portamento_track_push(self.track, &at(f64::NAN)), PORTAMENTO_BAD_VALUE);
            assert_eq!(
                portamento_batch_push_all(self.batch, buffers.poses.as_ptr(), 0, 3),
                PORTAMENTO_TOO_SHORT
            );
        }
    }
}

struct Buffers {
    poses: Vec<portamento_pose>,
    wide: Vec<portamento_pose64>,
    floats: Vec<f32>,
    moved: Vec<portamento_batch_handle>,
    entities: Vec<portamento_entity_view>,
}

#[test]
fn nothing_allocates_in_a_frame() {
    let everything = Everything::new();
    let mut buffers = Buffers {
        poses: (0..COUNT_OF_ENTITIES)
            .map(|i| portamento_pose { position: [i as f32, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] })
            .collect(),
        wide: (0..COUNT_OF_ENTITIES).map(|i| at(i as f64)).collect(),
        floats: vec![0.0; 17 * COUNT_OF_ENTITIES],
        moved: vec![blank(); COUNT_OF_ENTITIES],
        entities: vec![blank(); 8],
    };
    // The first rollback of a batch takes memory.
    (0..10).for_each(|number| everything.frame(number, &mut buffers));
    let before = COUNT.get();
    for number in 10..500 {
        everything.frame(number, &mut buffers);
        assert_eq!(COUNT.get(), before, "in frame {number}");
    }
    drop(vec![0u8; 1]);
    assert_eq!(COUNT.get(), before + 1, "allocations are counted");
}
