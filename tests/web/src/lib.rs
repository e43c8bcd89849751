//! The library behind plain functions of numbers, for `packages/portamento/tests/parity.test.mjs`.
//!
//! JavaScript writes numbers into one shared row, calls, and reads the results from the same row ([`border`]). A handle is
//! the address of an object that is alive; objects are never freed, because a test ends soon.
#![no_std]

mod border;
mod camera;
mod remote;
mod step;
mod values;
mod waypoints;

/// A panic becomes a trap.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
