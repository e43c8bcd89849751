//! Motions, links, workers and frame times made from a seed: the same seed gives the same bits everywhere.

mod frames;
mod link;
mod motions;
mod random;
mod worker;

pub use frames::{even_frames, frames_from_intervals, jittered_frames};
pub use link::Link;
pub use motions::{bird, circle, dancer, eight, patrol, runner, uniform, vehicle};
pub use random::Random;
pub use worker::Worker;
