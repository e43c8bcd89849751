//! Waypoint queues, remote bodies and one's own player: the driver of the library's own tests.

use crate::Source;

#[path = "../../../portamento/tests/waypoints/chaos.rs"]
mod chaos;

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    if let Some(bytes) = source.rest() {
        chaos::run(bytes);
        *source = Source::bytes(&[]);
        return bytes.len() as u64 / 8;
    }
    let mut calls = 0;
    let mut bytes = Vec::new();
    while !source.is_empty() {
        bytes.clear();
        while bytes.len() < 2048 && !source.is_empty() {
            bytes.extend_from_slice(&source.bits().to_le_bytes());
        }
        chaos::run(&bytes);
        // Each event takes about eight bytes.
        calls += bytes.len() as u64 / 8;
    }
    calls
}
