//! The driver `claims` of the soak, with decisions from the fuzzer.
#![no_main]

use portamento_soak::{Source, drivers::claims};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    claims::drive(&mut Source::bytes(bytes));
});
