//! The driver `waypoints` of the soak, with decisions from the fuzzer.
#![no_main]

use portamento_soak::{Source, drivers::waypoints};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    waypoints::drive(&mut Source::bytes(bytes));
});
