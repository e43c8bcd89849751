//! Random calls of the whole interface, from a seed: none of them may crash, meet a bug or write where it should not.
//!
//! `PORTAMENTO_CALLS` is how many; a million if it is not set.
#![allow(unsafe_code)] // it calls a C interface

mod driver;

use driver::{Driver, NAMES, OWN_WAY, Source, run};
use std::sync::Mutex;

/// A linear congruential generator with its better bits mixed down.
struct Seeded(u64);

impl Source for Seeded {
    fn next(&mut self) -> Option<u64> {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Some(x ^ (x >> 32))
    }
}

#[test]
fn random_calls_never_crash_and_never_write_where_they_should_not() {
    let calls = std::env::var("PORTAMENTO_CALLS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    const SEEDS: u64 = 10;
    let statuses = Mutex::new([0; 14]);
    std::thread::scope(|scope| {
        // Two at a time: they share the tables of handles, and nothing else.
        for half in 0..2 {
            let statuses = &statuses;
            scope.spawn(move || {
                for seed in (0..SEEDS).filter(|seed| seed % 2 == half) {
                    let mut driver = Driver::new(Seeded(seed * 7919 + 17));
                    run(&mut driver, calls / SEEDS);
                    let mut sum = statuses.lock().unwrap();
                    sum.iter_mut().zip(driver.statuses).for_each(|(sum, n)| *sum += n);
                }
            });
        }
    });
    let statuses = statuses.into_inner().unwrap();
    println!("calls by status: {statuses:?}");
    // Otherwise the calls would have tried nothing.
    assert!(statuses[0] * 4 > calls, "a quarter of the calls work");
    for status in [1, 2, 4, 5, 6, 7, 8] {
        assert!(statuses[status] > 0, "status {status} never came");
    }
}

#[test]
fn every_function_of_the_header_is_called() {
    let header = include_str!("../../../../bindings/portamento.h");
    let mut functions = 0;
    for line in header.lines().filter(|line| !line.starts_with("//") && !line.starts_with(' ')) {
        let Some(name) = line.split('(').next().and_then(|start| start.rsplit([' ', '*']).next()) else {
            continue;
        };
        if !name.starts_with("portamento_") || !line.contains('(') || line.starts_with("typedef") {
            continue;
        }
        functions += 1;
        let known = NAMES.contains(&name) || OWN_WAY.contains(&name) || name.ends_with("_free");
        assert!(known, "{name} is not called by tests/fuzz/driver.rs: add it to the list there");
    }
    assert!(functions > 150, "{functions}");
}
