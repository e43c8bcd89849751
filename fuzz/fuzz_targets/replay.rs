//! The driver `replay` of the soak, with decisions from the fuzzer.
#![no_main]

use portamento_soak::{Source, drivers::replay};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    replay::drive(&mut Source::bytes(bytes));
});
