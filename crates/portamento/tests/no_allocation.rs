//! Law 8: no room allocates in its per-frame path. An allocator that counts is the judge.

use portamento::blend::{Pose, Rotation};
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
