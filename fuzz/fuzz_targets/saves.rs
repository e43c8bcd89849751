//! The driver `saves` of the soak, with decisions from the fuzzer.
#![no_main]

use portamento_soak::{Source, drivers::saves};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    saves::drive(&mut Source::bytes(bytes));
});
