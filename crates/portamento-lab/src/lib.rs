//! The measuring side of portamento: what a smooth picture is, in figures.
//!
//! | module | its question |
//! |---|---|
//! | [`yardstick`] | How smooth is what was drawn? |
//! | [`strategy`] | How does a method of drawing take part, and what would users pick instead? |
//! | [`synthetic`] | Motions, links and frame times made from a seed |
//! | [`traces`] | Motions, links and frame times recorded in files |
//! | [`lab`] | What does each way of drawing look like, in the situations games are in? |
//! | [`contest`] | Is the snapshot buffer better than what users would pick instead? |
//! | [`report`] | The same as an HTML page |
//! | [`replay`] | What does the library do with exactly these events? (The crate `portamento-replay`) |
//! | [`cli`] | The commands of the binary `portamento` |

pub mod cli;
pub mod contest;
mod files;
pub mod lab;
mod parallel;
pub mod report;
pub mod strategy;
pub mod synthetic;
mod text;
pub mod traces;
pub mod yardstick;

pub use portamento_replay as replay;
