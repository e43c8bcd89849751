//! The driver `network` of the soak, with decisions from the fuzzer.
#![no_main]

use portamento_soak::{Source, drivers::network};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    network::drive(&mut Source::bytes(bytes));
});
