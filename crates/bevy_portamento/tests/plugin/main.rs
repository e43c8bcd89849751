//! What the plugin promises, one module for each question. One program: every further one would link all of Bevy again.

mod clock;
mod contract;
mod drawn;
mod hidden;
mod life;
mod misuse;
mod model;
mod parents;
mod places;
mod readme;
mod regrouped;
mod rest;
mod simulating;
mod stage;
mod trees;
mod truth;
