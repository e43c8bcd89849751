//! The README's figures are what a command prints, or they are wrong.

use crate::job::{Job, root};
use std::fs;

const COMMAND: &str = "cargo run --release --quiet -p portamento-lab -- lab --markdown --no-report";
const BEGIN: &str = "<!-- figures: printed by the command above -->\n";
const END: &str = "<!-- end of figures -->";

/// Compares the README's figures with what the lab prints; with `write`, puts them there.
pub fn run(write: bool) -> Result<(), String> {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).map_err(|error| format!("README.md: {error}"))?;
    let (before, rest) = readme.split_once(BEGIN).ok_or("README.md has no place for figures")?;
    let (old, after) = rest.split_once(END).ok_or("README.md: the figures have no end")?;
    let new = Job::new(COMMAND).output()?;
    if old.trim() == new.trim() {
        println!("the README's figures are those of the lab");
        return Ok(());
    }
    if write {
        return fs::write(&path, format!("{before}{BEGIN}\n{}\n\n{END}{after}", new.trim()))
            .map_err(|error| format!("README.md: {error}"));
    }
    let changed = new.lines().find(|line| !old.contains(*line)).unwrap_or("a line less");
    Err(format!(
        "the README's figures are not those of the lab, beginning with\n  {changed}\nIf the change is meant: cargo xtask figures --write"
    ))
}
