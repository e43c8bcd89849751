//! The library itself, one file per system.

mod gate;
mod snapshots;
mod steps;
mod timed;
mod waypoints;

use crate::Backend;

/// Calls the library itself.
#[derive(Clone, Copy, Debug)]
pub struct Native;

impl Backend for Native {
    type Steps = steps::Steps;
    type Gate = gate::Gate;
    type Timed = timed::Timed;
    type Waypoints = waypoints::Body;
    type Snapshots = snapshots::Entity;
}
