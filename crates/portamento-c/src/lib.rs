//! The C interface of portamento: `bindings/portamento.h` is made from it, and documents it.
//!
//! One file for each part; every function is a thin, checked border around the library. `table.rs` explains why a handle
//! cannot be misused.
#![allow(unsafe_code, non_camel_case_types)] // a C interface is made of pointers, and its types are named as in C
#![allow(clippy::unit_arg)] // `Ok(call?)` turns a refusal into a failure, also where the call returns nothing
#![cfg_attr(loom, allow(dead_code))] // for loom, the table alone

#[cfg(not(loom))]
mod batch;
#[cfg(not(loom))]
mod batch64;
#[cfg(not(loom))]
mod blend;
#[cfg(not(loom))]
mod camera;
#[cfg(not(loom))]
mod cues;
#[cfg(not(loom))]
mod exchange;
#[cfg(not(loom))]
mod history;
#[cfg(not(loom))]
mod own_player;
#[cfg(not(loom))]
mod playhead;
#[cfg(not(loom))]
mod pointers;
#[cfg(not(loom))]
mod predicted;
#[cfg(not(loom))]
mod remote;
#[cfg(not(loom))]
mod saves;
#[cfg(not(loom))]
mod status;
#[cfg(not(loom))]
mod stepper;
mod sync;
mod table;
#[cfg(not(loom))]
mod track;
#[cfg(not(loom))]
mod types;
#[cfg(not(loom))]
mod waypoints;

#[cfg(not(loom))]
pub use batch::*;
#[cfg(not(loom))]
pub use batch64::*;
#[cfg(not(loom))]
pub use blend::*;
#[cfg(not(loom))]
pub use camera::*;
#[cfg(not(loom))]
pub use cues::*;
#[cfg(not(loom))]
pub use exchange::*;
#[cfg(not(loom))]
pub use history::*;
#[cfg(not(loom))]
pub use own_player::*;
#[cfg(not(loom))]
pub use playhead::*;
#[cfg(not(loom))]
pub use predicted::*;
#[cfg(not(loom))]
pub use remote::*;
#[cfg(not(loom))]
pub use status::{
    PORTAMENTO_ABI_VERSION, portamento_abi_version, portamento_last_error, portamento_require_abi,
    portamento_status,
};
#[cfg(not(loom))]
pub use stepper::*;
#[cfg(not(loom))]
pub use track::*;
#[cfg(not(loom))]
pub use types::*;
#[cfg(not(loom))]
pub use waypoints::*;
