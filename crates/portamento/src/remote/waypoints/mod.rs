//! How does a body walk from report to report, and what if it cannot?
//!
//! A server says now and then where somebody is. Each report becomes a [`Node`] of the body's [`Waypoints`]; in
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
pub use error::Unusable;
pub use nodes::Node;
pub use own::{Echo, OwnPlayer};
pub use placement::{Acknowledged, Answer, Placement, QuantumEnd, Settled, Version};
pub use quantum::{Quantum, Step};
pub use route::{Activity, Report, Route, Stamp, route};
pub use rules::{Constants, Leash, Rule, Rules, RulesError, Surroundings};
pub use space::{Flat, Space};
pub use steering::Steering;
pub use sticky::Sticky;
pub use walk::{Counts, Enqueued, Waypoints};
