//! After construction, no report and no quantum allocates. A program of its own: it counts for the whole process.
#![allow(unsafe_code)] // a global allocator is an unsafe trait; this one only counts and forwards

use portamento::Moment;
use portamento::blend::Pose64;
use portamento::remote::waypoints::{Quantum, RemoteBody, Report, Rules, Stamp, Sticky};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; counting touches a thread-local integer only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promises are passed on as they are.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

#[test]
fn no_event_allocates() {
    let before = allocations();
    let mut bodies: Vec<RemoteBody> = (0..100).map(|_| RemoteBody::new()).collect();
    assert!(allocations() > before, "the counter counts");

    let rules = Rules::client();
    let quantum = Quantum { dt: 1.0 / 30.0, max_speed: 4.0, contact: true, sticky: false };
    let before = allocations();
    let mut drawn = 0.0;
    for tick in 0..300u32 {
        for (i, body) in bodies.iter_mut().enumerate() {
            // Queues that run full, teleports, blips, bad numbers, velocities, stops: all of it.
            let x = f64::from(tick) * if i % 7 == 0 { 200.0 } else { 0.2 };
            let pose = Pose64::at([if i % 11 == 0 && tick % 5 == 0 { f64::NAN } else { x }, i as f64, 0.0]);
            let stamp = Stamp((tick / 50) as u16);
            let report = Report { stamp, pose, contact: true, keep_heading: i % 2 == 0, blip: 100.0 };
            if (tick as usize + i) % 3 == 0 || i % 5 == 0 {
                let _ = body.report(&rules, &report, 50.0);
            }
            if i % 13 == 0 {
                let _ = body.steering.queue.enqueue_velocity([1.0, 0.0, 0.0]);
                body.steering.queue.enqueue_stop();
                body.steering.sticky = Sticky::to(&rules, [x, 1.0, 0.0], 1.0, 0.0).ok();
            }
            body.frame(&rules, quantum.dt, if tick % 90 < 80 { 50.0 } else { 100.0 });
            let _ = body.walk(&rules, &quantum, f64::from(tick) / 30.0);
            drawn += body.draw(&Moment::at(0.5)).now.position[0];
        }
    }
    assert_eq!(allocations() - before, 0);
    assert!(drawn.is_finite());
}
