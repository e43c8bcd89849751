//! Everything that CI checks, in the order in which it is likely to fail.

use crate::job::{Job, root};
use crate::mutants;
use std::time::Instant;

/// What a developer runs between edits: under two minutes from cold, seconds when warm.
pub fn quick() -> Result<(), String> {
    style()?;
    Job::new("cargo test --quiet -p portamento --all-features").run()
}

/// Everything that CI checks.
pub fn everything() -> Result<(), String> {
    let start = Instant::now();
    mutants::list_is_current()?;
    style()?;
    Job::new("cargo test --workspace --all-features").run()?;
    Job::new("cargo doc --workspace --no-deps --all-features --document-private-items")
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()?;
    features()?;
    without_std()?;
    println!("\nEverything passed in {:.0} s.", start.elapsed().as_secs_f64());
    Ok(())
}

fn style() -> Result<(), String> {
    Job::new("cargo fmt --all --check").run()?;
    Job::new("cargo clippy --workspace --all-targets --all-features -- -D warnings").run()
}

/// The library must build with each feature alone and with none.
fn features() -> Result<(), String> {
    let manifest = std::fs::read_to_string(root().join("crates/portamento/Cargo.toml"))
        .map_err(|error| format!("crates/portamento/Cargo.toml: {error}"))?;
    let features = manifest
        .lines()
        .skip_while(|line| line.trim() != "[features]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| Some(line.split_once(" = ")?.0.trim()))
        .filter(|name| !name.starts_with('#') && *name != "default");
    for feature in std::iter::once("").chain(features) {
        Job::new(&format!(
            "cargo clippy --quiet -p portamento --no-default-features --features={feature} -- -D warnings"
        ))
        .run()?;
    }
    Ok(())
}

/// A program without std links and runs.
fn without_std() -> Result<(), String> {
    Job::new("cargo run --quiet --locked")
        .within("tests/no_std")
        .env("CARGO_TARGET_DIR", root().join("target/no_std"))
        .run()
}
