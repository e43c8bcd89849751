//! What does each way of drawing look like, in figures, in the situations games are in?
//!
//! A [`Scenario`] is a situation; its [`Case`]s are that situation at particular rates, links or files. Every
//! case is drawn by all strategies that apply and measured with the same yardstick.

mod case;
pub mod json;
mod options;
mod scenarios;
pub mod table;
pub mod verdict;

pub use case::{Case, Job, Kind, Row};
pub use options::Options;
pub use scenarios::Scenario;

use crate::parallel;

/// Runs all jobs; the answer is in the order of the jobs. `done` is told the name of each finished case.
pub fn run(jobs: &[Job], options: &Options, done: impl Fn(&str) + Sync) -> Vec<Case> {
    parallel::map(jobs, |job| {
        let case = job.run(options);
        done(&job.name);
        case
    })
}
