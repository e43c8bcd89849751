//! Draws entities of another machine from its reports: snapshot interpolation, waypoints, lag compensation.
//!
//! What are others doing? The entities of another machine are known only from reports, which come late, in bunches or not at all.
//!
//! * [`Snapshots`] draws entities a little in the past, between the reports of their [`Peer`]; [`VisualOffset`] hides
//!   what cannot be known in time; [`History`][history] lets a server judge by what a client saw.
//! * [`waypoints`] makes a body walk from report to report, in the simulation, with collision.
//!
//! # Waypoints or snapshots?
//!
//! | | [`waypoints`] | [`Snapshots`] |
//! |---|---|---|
//! | reports | now and then, as on a change of course | steadily, 10 to 60 a second |
//! | a message must carry | where it is | where it is, and the sender's time |
//! | what moves | a body of your simulation: others bump into it, stand on it, hit it where it is | the picture alone: it is not part of your simulation |
//! | what can move | what walks: a pose, a top speed, collision | whatever has a between and a velocity: numbers, poses, your own type (derive [`Displace`](trait@crate::blend::Displace)) |
//! | the way between two reports | a straight walk at up to twice its top speed, sliding along walls | a curve through the reports, at the sender's own pace |
//! | how late | it sets off when the report comes, and has to walk there | the way through the network, which no one can measure from one side, and [`PeerStatistics::delay`]: one send interval and the usual lateness |
//! | nothing comes | it stays at the last report | it goes on for up to 0.155 s of its way, slower and slower, less if it turns; [`PeerSettings`] has other choices |
//! | it cannot get there | noticed after five quanta without progress; at last it is placed there | cannot happen: nothing stands in a picture's way |
//! | a server judges by what a client saw | no: every client walks another way | yes: [`Claim`] and [`History`][history] |
//! | time in a tick or frame | a move with collision, in every quantum | a look-up, in every frame |
//!
//! Use snapshots for many entities that are seen and shot at, with a message for all of them in every tick of the
//! server. Use waypoints for few messages and bodies that take part in your physics. Both can be used side by side.
//!
//! ```
//! use portamento::remote::{Report, Peer, Snapshots};
//!
//! let mut server = Peer::at_hz(20.0)?; // one for each peer: its clock, and the moment that is drawn
//! let mut door = Snapshots::new(); // one for each entity
//!
//! let mut drawn = Vec::new();
//! for frame in 0..12 {
//!     let now = 0.03 + f64::from(frame) / 60.0; // by our own clock
//!     if frame % 3 == 0 {
//!         // A message came in. It says when it was sent, by the server's clock, and how far the door is open.
//!         let stamp = server.receive(70.0 + f64::from(frame) / 60.0, now);
//!         door.insert(stamp, Report::new(frame as f32));
//!     }
//!     if let Some(frame) = server.frame(now) {
//!         drawn.extend(door.draw(&frame).here().map(|door| door.now));
//!     }
//! }
//! assert!(drawn.is_sorted() && drawn[11] > 6.0 && drawn[11] < 9.0); // between two messages, a little in the past
//! # Ok::<(), portamento::SettingError>(())
//! ```
//!
#![cfg_attr(feature = "alloc", doc = "[history]: History")]
#![cfg_attr(not(feature = "alloc"), doc = "[history]: crate#features")]

// Parts of both are for `History` alone.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))]
mod claim;
#[cfg(feature = "alloc")]
mod history;
mod own_interval;
mod peer;
#[cfg(feature = "serde")]
mod saved;
mod settings;
mod snapshots;
#[cfg_attr(not(feature = "alloc"), allow(dead_code))]
mod store;
mod tick_clock;
pub mod waypoints;

use crate::blend::{Displace, OffsetSize};
use crate::track::{OffsetFading, VisualOffset};

pub use claim::Claim;
#[cfg(feature = "alloc")]
pub use history::{History, HistoryCounts, HistorySettings, RewindRefused, Rewound};
pub use peer::{MessageStamp, Peer, PeerFrame, PeerStatistics};
pub use settings::PeerSettings;
pub use snapshots::{Inserted, Seen, SnapshotState, SnapshotStatistics, Snapshots};
pub use store::Report;
pub use tick_clock::TickClock;
