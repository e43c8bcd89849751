//! What does each way of drawing look like, in figures, in the situations games are in?
//!
//! A [`Scenario`] is a situation; its [`Case`]s are that situation at particular rates, links or files. Every
//! case is drawn by all strategies that apply and measured with the same yardstick.

mod case;
pub mod json;
mod options;
mod own_loop;
mod scenarios;
pub mod table;

pub use case::{Case, Job, Kind, Row};
pub use options::Options;
pub use scenarios::Scenario;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Runs all jobs on as many threads as the machine has; the answer is in the order of the jobs, whatever
/// finished first. `done` is told the name of each finished case.
pub fn run(jobs: &[Job], options: &Options, done: impl Fn(&str) + Sync) -> Vec<Case> {
    let next = AtomicUsize::new(0);
    let finished: Mutex<Vec<(usize, Case)>> = Mutex::new(Vec::with_capacity(jobs.len()));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()).min(jobs.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, job)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    jobs.get(index).map(|job| (index, job))
                } {
                    let case = job.run(options);
                    done(&job.name);
                    finished.lock().unwrap_or_else(PoisonError::into_inner).push((index, case));
                }
            });
        }
    });
    let mut cases = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
    cases.sort_by_key(|(index, _)| *index);
    cases.into_iter().map(|(_, case)| case).collect()
}
