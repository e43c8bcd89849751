//! Where the older rules come from, what they do, and what to use instead. This module holds documentation only.
//!
//! Gates, playheads, chase cameras and waypoints have rules beside the library's own. This library began with them and
//! keeps them, bit for bit, for games that were built on them. New games are well served by each type's default.
//!
//! They come from two sources:
//!
//! - **the 1999 client**: the client program of an online role-playing game of 1999, and its maintained remake. What the
//!   program does was measured, and is followed to the letter.
//! - **the first descriptions**: what was first written down about such methods, before someone compared it with the
//!   programs. Some of it was misread, and some of it looks worse.
//!
//! | setting | rule | source | what it does | use instead |
//! |---|---|---|---|---|
//! | [`GateRule`](crate::step::GateRule) | `AllAtOnce` | 1999 client | As soon as more than the shortest quantum is pending, all of it is simulated. Alpha is measured in the last quantum. At 60 frames/s, 10 % of the frames freeze and 10 % move double. Frames below 0.2 ms are dropped (and reported) | `Even`: the same quanta, drawn evenly |
//! | | `OneAtATime` | first descriptions | One quantum in a frame. Alpha is measured in the shortest quantum, so the drawn speed dips once in every tick | `Even` |
//! | [`PlayheadRule`](crate::playhead::PlayheadRule) | `SinceArrival` | first descriptions | Alpha is the time since the newest tick arrived, divided by the nominal interval. Every late tick is seen | `Locked`: follows the other clock |
//! | [`ChaseRule`](crate::camera::ChaseRule) | `PerFrame` | 1999 client | The eye moves by a share of the way in each frame. How far it lags depends on the frame rate | `Smooth`: the same lag at every frame rate |
//! | [`WaypointRule`](crate::remote::waypoints::WaypointRule) | `BySpeed` | 1999 client | Progress is measured as a share of the expected speed | this is the default |
//! | | `ByTime` | first descriptions | Progress is divided by the tick's length, a misreading: a body that slides along a wall counts as moving | `BySpeed` |
//!
//! `portamento replay` and the lab call the rules of the 1999 client `client`, those of the first descriptions `seed`, and
//! the library's own `even` and `locked`.
