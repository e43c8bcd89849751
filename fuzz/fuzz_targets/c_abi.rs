//! Any calls of the C interface: handles, sizes, null pointers and numbers as the bytes say.
//!
//! The calls are those of `cargo test -p portamento-c --test fuzz`; here the fuzzer steers them.
#![no_main]

#[allow(dead_code)] // some of it is for the test alone
#[path = "../../crates/portamento-c/tests/fuzz/driver.rs"]
mod driver;

use driver::{Driver, Source, run};
use libfuzzer_sys::fuzz_target;

/// Two bytes make a number: enough for a choice, and short enough for the fuzzer to find its way.
struct Bytes<'a>(&'a [u8]);

impl Source for Bytes<'_> {
    fn next(&mut self) -> Option<u64> {
        let (pair, rest) = self.0.split_at_checked(2)?;
        self.0 = rest;
        let short = u64::from(u16::from_le_bytes([pair[0], pair[1]]));
        Some(short.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ short)
    }
}

fuzz_target!(|data: &[u8]| run(&mut Driver::new(Bytes(data)), u64::MAX));
