//! Walks bodies from report to report, with collision, and places them when they cannot get there.
//!
//! A server reports now and then where another player is. Each report becomes a waypoint. In every tick of your simulation
//! the body walks toward the oldest waypoint at up to twice its own top speed, and collides like all others. A body
//! without progress is noticed after five ticks; at last it asks to be *placed* at the newest report.
//!
//! ```text
//!  report ─► cut, place or │ waypoint │ waypoint │ waypoint │
//!                               │
//!  each tick:   root motion ─► step: waypoints, target, leash ─► your physics ─► moved ─► placement? ─► accept
//! ```
//!
//! * [`RemoteBody`] does all of it for the body of another player, drawing included. Start there.
//! * [`OwnPlayer`] is for the one body that must never walk toward its own reports: yours.
//! * [`Waypoints`] is the queue alone, for bodies that live elsewhere and have their own routing and drawing.
//!
//! # Remote players
//!
//! ```
//! use portamento::blend::Pose64;
//! use portamento::remote::waypoints::{RemoteBody, WaypointReport, WaypointRules, WaypointTick};
//! use portamento::step::Stepper;
//! use std::collections::HashMap;
//!
//! let rules = WaypointRules::y_up(); // shared by all bodies
//! let mut stepper = Stepper::fixed(60.0)?;
//! let mut others: HashMap<u32, RemoteBody<u16>> = HashMap::new(); // the payload here: a cell id
//!
//! for frame in 0..120 {
//!     if frame % 20 == 0 {
//!         // A message: player 7, teleported once so far, walks along x and is now in cell 3.
//!         let report = WaypointReport::new(1, Pose64::at([f64::from(frame) / 20.0, 0.0, 0.0])).with_payload(3);
//!         let _ = others.entry(7).or_default().report(&rules, &report, 25.0)?; // 25 m from the viewer
//!     }
//!     let frame = stepper.frame(1.0 / 60.0);
//!     for tick in frame.ticks {
//!         for other in others.values_mut() {
//!             other.walk(&rules, &WaypointTick::new(tick.dt, 4.0))?; // top speed 4 m/s
//!         }
//!     }
//!     for other in others.values_mut() {
//!         let Some(_drawn) = other.draw(frame.moment) else { continue }; // not in the world yet
//!     }
//! }
//! assert_eq!(others[&7].truth().unwrap().position, [5.0, 0.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With collision, replace `walk` by [`step`](RemoteBody::step), your physics, and [`moved`](RemoteBody::moved).
//!
//! [`WaypointRule`] has two ways to recognise a stuck body; the default is right unless your world was tuned for the
//! other.

mod body;
mod leash;
mod nodes;
mod own_player;
mod queue;
mod report;
mod settings;
mod sticky;
mod tick;

pub use body::RemoteBody;
pub use nodes::WaypointNode;
pub use own_player::{Echo, OwnPlayer};
pub use queue::{Enqueued, WaypointCounts, Waypoints};
pub use report::{Route, WaypointError, WaypointReport};
pub use settings::{WaypointRule, WaypointRules, WaypointSettings, WorldSpace};
pub use tick::{Placement, WaypointOutcome, WaypointStep, WaypointTick};
