//! What happens at the border: two threads in one object, callbacks that leave another way, words, sizes.
#![allow(unsafe_code)] // it calls a C interface

use portamento_c::*;
use portamento_status::*;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
    portamento_pose64 { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] }
}

fn drawn(x: f64) -> portamento_drawn {
    portamento_drawn { now: at(x), before: at(x), cut: 0, reserved: 0 }
}

fn chase() -> portamento_chase_camera {
    let (mut settings, mut camera) = (blank(), portamento_chase_camera { id: 0 });
    // SAFETY: places for the settings and the handle.
    unsafe {
        ok(portamento_chase_settings_y_up(&mut settings));
        ok(portamento_chase_camera_new(&settings, &mut camera));
    }
    camera
}

/// Sleeps in the object until this thread, which tries to get in meanwhile, publishes a tick.
#[cfg(target_os = "linux")]
#[test]
fn a_second_thread_in_the_same_object_gets_a_status_and_another_object_is_free() {
    let (mut shape, mut settings) = (blank(), blank());
    let (mut exchange, mut writer) = (portamento_exchange { id: 0 }, portamento_writer { id: 0 });
    let (mut reader, mut other) = (portamento_reader { id: 0 }, portamento_reader { id: 0 });
    // SAFETY: places for what is asked.
    unsafe {
        ok(portamento_shape_entities(2, &mut shape));
        ok(portamento_playhead_settings_at_hz(60.0, &mut settings));
        ok(portamento_exchange_new(&shape, &mut exchange));
        ok(portamento_writer_new(exchange, &mut writer));
        ok(portamento_reader_new(exchange, &settings, &mut reader));
        ok(portamento_reader_new(exchange, &settings, &mut other));
    }
    let sleeper = std::thread::spawn(move || {
        loop {
            // Busy itself while the other thread asks: then it has not slept.
            match portamento_reader_wait(reader, 600.0) {
                PORTAMENTO_BUSY => std::thread::yield_now(),
                status => return status,
            }
        }
    });
    loop {
        let mut counts = blank();
        // SAFETY: a place for the result.
        let status = unsafe { portamento_reader_get_counts(reader, &mut counts) };
        // SAFETY: as above.
        ok(unsafe { portamento_reader_get_counts(other, &mut counts) });
        if status == PORTAMENTO_BUSY {
            break;
        }
        ok(status);
        std::thread::yield_now();
    }
    // It sleeps now, and nothing wakes it before the tick.
    assert_eq!(portamento_reader_free(reader), PORTAMENTO_BUSY, "it cannot be freed meanwhile");
    assert!(words().contains("one thread at a time"), "{}", words());
    // SAFETY: no place for a result is asked for.
    ok(unsafe { portamento_writer_publish(writer, 0.0, 0.0, 1.0, std::ptr::null_mut()) });
    assert_eq!(sleeper.join().unwrap(), PORTAMENTO_OK, "the tick has woken it");
    ok(portamento_reader_free(reader));
    ok(portamento_reader_free(other));
    ok(portamento_writer_free(writer));
    ok(portamento_exchange_free(exchange));
}

#[test]
fn each_thread_has_its_own_words() {
    assert_eq!(portamento_track_free(portamento_track { id: 5 }), PORTAMENTO_UNKNOWN_HANDLE);
    std::thread::spawn(|| assert_eq!(words(), "")).join().unwrap();
    assert!(words().contains("freed, or never made"), "{}", words());
    // SAFETY: null asks for the length, and a short buffer gets what fits and its zero.
    unsafe {
        let length = portamento_last_error(std::ptr::null_mut(), 0);
        assert_eq!(length, words().len());
        let mut short = [7u8; 6];
        assert_eq!(portamento_last_error(short.as_mut_ptr().cast(), 5), length);
        assert_eq!(&short, b"the \0\x07");
    }
}

#[test]
fn another_version_and_another_size_are_refused_with_a_cure() {
    ok(portamento_require_abi(PORTAMENTO_ABI_VERSION));
    assert_eq!(portamento_require_abi(PORTAMENTO_ABI_VERSION + 1), PORTAMENTO_WRONG_SIZE);
    assert!(words().contains("use the header"), "{}", words());
    let (mut settings, mut stepper) = (blank::<portamento_fixed_settings>(), portamento_stepper { id: 0 });
    // SAFETY: places for the settings and the handle.
    unsafe {
        ok(portamento_fixed_settings_at_hz(60.0, &mut settings));
        settings.size -= 8;
        assert_eq!(portamento_stepper_fixed(&settings, &mut stepper), PORTAMENTO_WRONG_SIZE);
        assert!(words().contains("has size 48, this library knows 56"), "{}", words());
        settings.size += 8;
        settings.hz = -60.0;
        assert_eq!(portamento_stepper_fixed(&settings, &mut stepper), PORTAMENTO_BAD_SETTING);
        assert!(words().contains("is -60: give a rate"), "{}", words());
    }
    assert_eq!(stepper.id, 0);
}

unsafe extern "C-unwind" fn throws(_: *mut c_void, _: *const f64, _: *mut f64) {
    panic!("on purpose");
}

unsafe extern "C-unwind" fn calls_back(user: *mut c_void, _: *const f64, eye: *mut f64) {
    // SAFETY: `user` is the camera's handle, and there is room for three numbers.
    unsafe {
        let camera = *user.cast::<portamento_chase_camera>();
        assert_eq!(
            portamento_chase_camera_set_look(camera, 0.0, 0.5),
            PORTAMENTO_OK,
            "it is not in use meanwhile"
        );
        *eye = 99.0;
    }
}

#[test]
fn a_callback_that_throws_leaves_the_camera_as_it_was() {
    let (thrown, plain) = (chase(), chase());
    let mut shots = [blank::<portamento_shot>(); 2];
    for frame in 0..50 {
        let body = drawn(f64::from(frame) * 0.1);
        // SAFETY: what was drawn, and a place for the result.
        unsafe {
            if frame % 5 == 3 {
                let left = catch_unwind(AssertUnwindSafe(|| {
                    portamento_chase_camera_update(
                        thrown,
                        0.02,
                        &body,
                        Some(throws),
                        std::ptr::null_mut(),
                        &mut shots[0],
                    )
                }));
                assert!(left.is_err(), "it reaches the caller");
            }
            ok(portamento_chase_camera_update(
                thrown,
                0.02,
                &body,
                None,
                std::ptr::null_mut(),
                &mut shots[0],
            ));
            ok(portamento_chase_camera_update(plain, 0.02, &body, None, std::ptr::null_mut(), &mut shots[1]));
        }
        assert_eq!(shots[0], shots[1], "frame {frame}");
    }
    ok(portamento_chase_camera_free(thrown));
    ok(portamento_chase_camera_free(plain));
}

#[test]
fn a_callback_may_use_its_camera_and_its_place_is_taken() {
    let mut camera = chase();
    let mut shot = blank::<portamento_shot>();
    let user = (&raw mut camera).cast();
    // SAFETY: what was drawn, a callback with its user, and a place for the result.
    unsafe {
        ok(portamento_chase_camera_update(camera, 0.02, &drawn(1.0), Some(calls_back), user, &mut shot))
    };
    assert_eq!(shot.eye[0], 99.0);
    ok(portamento_chase_camera_free(camera));
}

#[test]
fn a_null_place_for_a_handle_makes_no_object() {
    // Were one made, its handle would be lost; the next object of the kind gets the slot instead.
    let (mut first, mut second) = (portamento_visual_offset { id: 0 }, portamento_visual_offset { id: 0 });
    // SAFETY: null, and places for handles.
    unsafe {
        ok(portamento_visual_offset_new(&mut first));
        ok(portamento_visual_offset_free(first));
        assert_eq!(portamento_visual_offset_new(std::ptr::null_mut()), PORTAMENTO_NULL);
        assert!(words().contains("offset is null"), "{}", words());
        ok(portamento_visual_offset_new(&mut second));
    }
    assert_eq!(second.id as u32, first.id as u32, "the same slot");
    ok(portamento_visual_offset_free(second));
}
