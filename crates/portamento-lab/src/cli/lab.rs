//! `portamento lab`.

use super::Outcome;
use crate::lab::{self, Options, Scenario};
use clap::Args;
use std::error::Error;

/// Draw and measure the built-in scenarios, or your own files.
#[derive(Debug, Default, Args)]
pub(crate) struct Lab {
    #[arg(long)]
    json: bool,
}

impl Lab {
    pub fn run(self) -> Result<Outcome, Box<dyn Error>> {
        let options = Options::default();
        let jobs: Vec<_> = Scenario::BUILT_IN.iter().flat_map(|s| s.jobs(&options)).collect();
        let cases = lab::run(&jobs, &options, |_| {});
        if self.json {
            println!("{:#}", lab::json::render(&cases, &options));
        } else {
            print!("{}", lab::table::render(&cases));
            std::fs::write("/tmp/lab/report.html", crate::report::render(&cases, &options))?;
        }
        Ok(Outcome::Fine)
    }
}
