//! The contract of `remote::waypoints`: every sentence a named row, both rules, every boundary from both sides; a
//! second, simple implementation compared on random events; and whatever else a network can send.

mod around;
mod body;
mod chaos;
mod enqueue;
mod model;
#[allow(dead_code)] // each kind of test draws its own kinds of numbers
#[path = "../golden/random.rs"]
mod numbers;
mod placement;
mod random;
mod script;
mod step;
mod tick_end;
