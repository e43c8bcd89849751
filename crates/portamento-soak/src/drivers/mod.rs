//! One driver for each public type, or for a few that belong together.

pub mod batch;
pub mod blend;
pub mod chase;
pub mod claims;
pub mod exchange;
pub mod follow;
pub mod network;
pub mod offset;
pub mod playhead;
pub mod predicted;
#[cfg(feature = "lab")]
pub mod replay;
pub mod saves;
pub mod stepper;
#[cfg(feature = "lab")]
pub mod traces;
pub mod track;
mod value;
pub mod waypoints;

pub use value::Value;
