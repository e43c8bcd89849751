//! What are others doing?
//!
//! Whoever lives on another machine is known by reports that come now and then, late, in bunches or not at all.
//! [`waypoints`] makes a body walk from report to report, in the simulation, with collision.

pub mod waypoints;
