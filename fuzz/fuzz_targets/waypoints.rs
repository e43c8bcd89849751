//! Reports, quanta and answers made of whatever the fuzzer thinks of: the same promises as in the tests.
#![no_main]

#[path = "../../crates/portamento/tests/waypoints/chaos.rs"]
mod chaos;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| chaos::run(bytes));
