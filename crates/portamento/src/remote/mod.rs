//! What are others doing?
//!
//! Whoever lives on another machine is known by reports that come now and then, late, in bunches or not at all.
//!
//! * [`Snapshots`] draws things a little in the past, between the reports of their [`Sender`]; [`VisualOffset`] hides
//!   what cannot be known in time; [`History`] lets a server judge by what a client saw.
//! * [`waypoints`] makes a body walk from report to report, in the simulation, with collision.

mod claim;
mod displace;
mod history;
mod offset;
#[cfg(feature = "serde")]
mod saved;
mod sender;
mod settings;
mod snapshots;
mod stamps;
mod store;
pub mod waypoints;

pub use claim::{Claim, Seen};
pub use displace::{Displace, Size};
pub use history::{History, Refused, RewindLimits, Rewound};
pub use offset::{Absorbed, Fading, VisualOffset};
pub use sender::{Frame, Sender, Stamp, Statistics};
pub use settings::{Settings, Unit};
pub use snapshots::{Counts, Drawn, Snapshots, State, Taken};
pub use stamps::TickStamps;
pub use store::Report;
