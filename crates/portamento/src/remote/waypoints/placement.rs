//! What does a body ask for that cannot get there on foot, and what may the game answer?
//!
//! A placement takes effect when the game says so, which may be quanta later: there may be no room, the place may
//! still be loading. Meanwhile newer reports come in. So each request carries the version of the queue it was made
//! from, and an answer to an older one is void.

use crate::blend::Pose64;

/// Tells one placement from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlacementVersion(pub(super) u32);

/// The body gave up walking and asks to be placed. It asks again in every quantum until it is answered with
/// [`Waypoints::acknowledge`](super::Waypoints::acknowledge).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use = "a body that is stuck stays so until it is placed"]
pub struct Placement {
    /// To be given back with the answer.
    pub version: PlacementVersion,
    /// Where.
    pub pose: Pose64,
    /// The velocity to have from there on, units per second; none: leave it.
    pub velocity: Option<[f64; 3]>,
}

/// The game's answer to a [`Placement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementAnswer {
    /// The body stands there now.
    Placed,
    /// There is no room: try again.
    Refused,
}

/// What an answer did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acknowledged {
    /// The placement is done, and everything before it forgotten.
    Stopped,
    /// It was refused, and will be asked for again.
    Kept,
    /// A newer report came in between: nothing was touched.
    Late,
}

/// What the end of a quantum asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum QuantumEnd {
    /// Nothing.
    Nothing,
    /// A velocity node's turn came: the body moves like this from now on.
    Velocity([f64; 3]),
    /// A stop node's turn came.
    Stopped,
    /// Place the body, and answer.
    Place(Placement),
}

/// What [`Waypoints::settle`](super::Waypoints::settle) did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settled {
    /// The body was put here. For the picture this is a cut.
    pub placed: Option<Pose64>,
    /// The velocity to have from now on, units per second.
    pub velocity: Option<[f64; 3]>,
}
