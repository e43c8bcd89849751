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
//!
//! A body that lives elsewhere (in your physics, with your own drawing) has a [`RemoteBody`] beside it: give it the reports,
//! take its step, and tell it where the body came to. What you do not call costs nothing.
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
mod state;
mod sticky;
mod tick;

pub use body::RemoteBody;
pub use own_player::OwnPlayer;
pub use queue::WaypointCounts;
pub use report::{Route, WaypointError, WaypointReport};
pub use settings::{WaypointRule, WaypointRules, WaypointSettings, WorldSpace};
pub use state::WaypointState;
pub use tick::{Placement, WaypointOutcome, WaypointStep, WaypointTick};

// The queue of a body by itself: the replay contract drives it call by call, and the C and JavaScript interfaces offer it.
#[doc(hidden)]
pub use nodes::WaypointNode;
#[doc(hidden)]
pub use queue::{Enqueued, Waypoints};
