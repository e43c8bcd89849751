//! The driver `exchange` of the soak, with decisions from the fuzzer.
#![no_main]

use portamento_soak::{Source, drivers::exchange};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    exchange::drive(&mut Source::bytes(bytes));
});
