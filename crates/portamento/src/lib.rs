//! Motion that looks smooth between the ticks of a simulation and the frames of a screen.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![warn(missing_docs)]

// So that the derive macro's paths also work in our own tests and docs.
extern crate self as portamento;

extern crate alloc;

pub mod blend;
pub mod camera;
#[cfg(all(target_has_atomic = "64", target_endian = "little"))]
pub mod exchange;
#[allow(dead_code)] // until the rooms that need the rest land
mod math;
#[cfg(feature = "serde")]
mod serde_array;
pub mod step;
pub mod track;

pub use step::Moment;
pub use track::Track;
pub mod playhead;
pub mod remote;
