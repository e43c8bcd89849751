//! Law 8: no room allocates in its per-frame path. An allocator that counts is the judge.

use portamento::blend::{Pose, Rotation};
use portamento::camera::{ChaseCamera, ChaseRule, ChaseSettings, FollowCamera, FollowSettings};
use portamento::step::{Fixed, Frame, FrameClock, Gate, GateRule, Stepper};
use portamento::{Moment, Track};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// The allocator trait is unsafe to implement; this one hands everything to the system's.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(Box::new(1)))) > 0);
}

fn steppers() -> [Stepper; 5] {
    let clock = FrameClock::new().snapping_to_display(144.0).unwrap().carrying_drift();
    [
        Stepper::fixed(60.0).unwrap(),
        Fixed::new(60.0).unwrap().clock(clock).max_ticks(4).unwrap().stepper(),
        Gate::default().stepper(),
        Stepper::gated(GateRule::Client),
        Stepper::gated(GateRule::Seed),
    ]
}

#[test]
fn a_frame_of_a_stepper_and_its_tracks_allocates_nothing() {
    for mut stepper in steppers() {
        let mut pose = Track::<Pose>::new(Pose::default());
        let mut point = Track::<[f64; 3], 2>::new([0.0; 3]);
        let count = allocations(|| {
            for i in 0..5000 {
                let dt = [0.007, 0.016, f64::NAN, 0.3, 2.5, 0.001][i % 6];
                let Frame { ticks, moment, lost } = stepper.frame(dt);
                for tick in ticks {
                    let turn = Rotation::from_axis_angle([0.0, 0.0, 1.0], tick.time as f32);
                    pose.push(Pose::new([tick.time as f32, 0.0, 0.0], turn));
                    point.push([tick.time, 0.0, 0.0]);
                }
                if lost.is_stale() {
                    pose.cut(Pose::default());
                    point.rebase(|p| p[0] -= 1.0);
                }
                let _ =
                    std::hint::black_box((pose.draw(&moment), point.view(&moment), pose.at_rest(&moment)));
            }
        });
        assert_eq!(count, 0);
    }
    assert_eq!(Moment::NEWEST.alpha(), 1.0);
}

#[test]
fn a_frame_of_a_camera_allocates_nothing() {
    for rule in [ChaseRule::Client, ChaseRule::Smooth] {
        let mut chase = ChaseCamera::new(ChaseSettings { rule, ..ChaseSettings::default() }).unwrap();
        let mut follow = FollowCamera::new(FollowSettings::new([640.0, 360.0])).unwrap();
        let mut body = Track::<Pose>::new(Pose::default());
        let count = allocations(|| {
            for i in 0..2000 {
                let moment = Moment::at(0.5).presenting([0.007, 0.016, 0.0, f64::INFINITY][i % 4]);
                if i % 100 == 0 {
                    body.cut(Pose::at([i as f32, 0.0, 0.0]));
                    follow.shake(0.5);
                    follow.zoom_by(1.1, Some([10.0, 10.0]));
                } else {
                    body.push(Pose::at([0.0, i as f32, f32::NAN * (i % 7 / 6) as f32]));
                }
                let drawn = body.draw(&moment);
                let [x, y, _] = drawn.now.position;
                let framing = follow.update(&moment, [x, y]);
                let shot = chase.update_with(&moment, drawn, |_, eye| [eye[0], eye[1].max(0.0), eye[2]]);
                std::hint::black_box((shot, framing.to_world([0.0; 2]), chase.ignored()));
            }
        });
        assert_eq!(count, 0);
    }
}
