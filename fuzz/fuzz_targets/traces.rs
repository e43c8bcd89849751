//! The driver `traces` of the soak, with decisions from the fuzzer.
#![no_main]

use portamento_soak::{Source, drivers::traces};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    traces::drive(&mut Source::bytes(bytes));
});
