//! How does a body walk from report to report, and what if it cannot?
//!
//! A server says now and then where somebody is. Each report becomes a [`WaypointNode`] of the body's [`Waypoints`]; in
//! every quantum of the simulation the body walks toward the oldest at up to twice its own top speed, with
//! collision like everybody else. What is stuck is noticed (too little progress in five quanta), and at last
//! the body is *placed* at the newest report.
//!
//! ```text
//!  report ─► route ─► enqueue ─► │ node │ node │ node │
//!                                    │
//!  each quantum:   root motion ─► adjust: queue, sticky, constraint ─► integrate, collide
//!                                 use_time: queue, constraint, sticky ─► place? ─► acknowledge
//! ```
//!
//! [`RemoteBody`] does all of it, drawing included. [`Waypoints`], [`Sticky`] and [`Constraint`] are its parts, for
//! those whose bodies live in a physics engine. [`OwnPlayer`] is for the one body that must never be pulled toward
//! its reports: your own.

mod body;
mod constraint;
mod error;
mod nodes;
mod own;
mod placement;
mod quantum;
mod route;
mod rules;
#[cfg(feature = "serde")]
mod saved;
mod space;
mod steering;
mod sticky;
mod walk;

pub use body::RemoteBody;
pub use constraint::Constraint;
pub use error::WaypointError;
pub use nodes::WaypointNode;
pub use own::{Echo, OwnPlayer};
pub use placement::{Acknowledged, Placement, PlacementAnswer, PlacementVersion, QuantumEnd, Settled};
pub use quantum::{Quantum, WaypointStep};
pub use route::{Activity, Route, TeleportStamp, WaypointReport, route};
pub use rules::{Leash, Surroundings, WaypointRule, WaypointRules, WaypointSettings};
pub use space::{FlatSpace, WorldSpace};
pub use steering::Steering;
pub use sticky::Sticky;
pub use walk::{Enqueued, WaypointCounts, Waypoints};
