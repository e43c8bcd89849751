//! Numbers in a save that a report could not have brought.

use super::error::{self, WaypointError};
use crate::blend::Pose64;
use crate::saved::checked;
use serde::Deserializer;

pub(super) fn position<'de, D: Deserializer<'de>>(from: D) -> Result<[f64; 3], D::Error> {
    checked(from, |&at| error::position(at))
}

pub(super) fn distance<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    checked(from, |&distance| error::distance(distance))
}

pub(super) fn maybe_distance<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    checked(from, |distance: &Option<f64>| distance.map_or(Ok(()), error::distance))
}

pub(super) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    checked(from, |&seconds| if f64::is_finite(seconds) { Ok(()) } else { Err(WaypointError::Time(seconds)) })
}

pub(super) fn maybe_pose<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Pose64>, D::Error> {
    checked(from, |pose: &Option<Pose64>| pose.map_or(Ok(()), |pose| error::pose(&pose).map(drop)))
}
