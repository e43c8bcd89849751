//! Random calls with random and extreme numbers for every public type of portamento, with the laws checked after each call.
//!
//! Each driver is a function over a [`Source`] of decisions, so that the same code runs in three places:
//!
//! | where | how |
//! |---|---|
//! | property tests, seconds | `cargo test -p portamento-soak` |
//! | the soak, minutes to days | `cargo xtask soak --minutes 10` |
//! | libFuzzer targets | `cargo xtask fuzz` (`fuzz/fuzz_targets`) |
//!
//! A driver panics when a law is broken; the soak then prints the seed that leads there again. The laws: what is finite
//! leads to what is finite, drawn time only moves forward, counters add up, nothing grows, an own save comes back the same,
//! and a save that someone has edited is refused or harmless.

pub mod drivers;
pub mod laws;
pub mod saves;
mod source;

pub use source::{Source, mixed};

/// What drives one public type, or a few that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// Its name on the command line and in the records.
    pub name: &'static str,
    /// Makes calls until the source is empty; returns how many.
    pub drive: fn(&mut Source) -> u64,
    /// How many decisions one case of the soak is given.
    pub decisions: usize,
}

/// All drivers.
pub const DRIVERS: &[Driver] = &[
    Driver { name: "stepper", drive: drivers::stepper::drive, decisions: 20_000 },
    Driver { name: "blend", drive: drivers::blend::drive, decisions: 40_000 },
    Driver { name: "track", drive: drivers::track::drive, decisions: 40_000 },
    Driver { name: "predicted", drive: drivers::predicted::drive, decisions: 40_000 },
    Driver { name: "offset", drive: drivers::offset::drive, decisions: 20_000 },
    Driver { name: "batch", drive: drivers::batch::drive, decisions: 40_000 },
    Driver { name: "playhead", drive: drivers::playhead::drive, decisions: 20_000 },
    Driver { name: "follow", drive: drivers::follow::drive, decisions: 20_000 },
    Driver { name: "chase", drive: drivers::chase::drive, decisions: 20_000 },
    Driver { name: "network", drive: drivers::network::drive, decisions: 20_000 },
    Driver { name: "claims", drive: drivers::claims::drive, decisions: 20_000 },
    Driver { name: "waypoints", drive: drivers::waypoints::drive, decisions: 4_000 },
    Driver { name: "exchange", drive: drivers::exchange::drive, decisions: 20_000 },
    Driver { name: "saves", drive: drivers::saves::drive, decisions: 4_000 },
    #[cfg(feature = "lab")]
    Driver { name: "replay", drive: drivers::replay::drive, decisions: 2_000 },
    #[cfg(feature = "lab")]
    Driver { name: "traces", drive: drivers::traces::drive, decisions: 2_000 },
];

/// The driver with this name.
#[must_use]
pub fn driver(name: &str) -> Option<Driver> {
    DRIVERS.iter().copied().find(|driver| driver.name == name)
}

/// Runs one case of a driver; returns how many calls it made.
pub fn run_case(driver: &Driver, seed: u64, case: u64) -> u64 {
    let seed = mixed(
        seed ^ mixed(case ^ mixed(driver.name.bytes().fold(0, |sum, byte| sum * 31 + u64::from(byte)))),
    );
    (driver.drive)(&mut Source::seed(seed, driver.decisions))
}
