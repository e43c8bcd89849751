//! How is a body at the moment?

use super::queue::WaypointCounts;

/// How a [`RemoteBody`](super::RemoteBody) or an [`OwnPlayer`](super::OwnPlayer) is at the moment.
///
/// The own player has no waypoints and no target, and is always simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaypointState {
    /// How much of its leash the body has used, in units; `None` without a leash, as before its first report.
    pub strayed: Option<f64>,
    /// Whether the leash is nearly or wholly used up: the own player should wait for the next echo.
    pub is_held: bool,
    /// Whether the body sticks to a target.
    pub is_sticking: bool,
    /// Whether the body is near enough to the viewer to be simulated.
    pub is_simulated: bool,
    /// How many seconds passed without the body because it was too far away.
    pub seconds_skipped: f64,
    /// The number of waypoints that the body still has to walk to.
    pub waypoints: u32,
    /// The number of waypoints given up since it had none. With more than the settings' `patience`, or any and nothing
    /// left to walk to, the body asks to be placed.
    pub failures: u32,
    /// What was dropped, given up or refused.
    pub counts: WaypointCounts,
}
