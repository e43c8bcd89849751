//! The Bevy plugin: a workspace of its own, so that Bevy's crates are built only where they are needed.

use crate::job::{Job, root};

const HOME: &str = "crates/bevy_portamento";

fn job(line: &str) -> Job {
    Job::new(line).within(HOME).env("CARGO_TARGET_DIR", root().join("target/bevy"))
}

/// Everything that is checked about the plugin, with Bevy on one thread and on all.
pub fn run() -> Result<(), String> {
    job("cargo fmt --check").run()?;
    for features in ["", " --features multi_threaded"] {
        job(&format!("cargo clippy --all-targets{features} -- -D warnings")).run()?;
        job(&format!("cargo test --quiet{features}")).run()?;
    }
    for example in ["even_steps", "chase_camera"] {
        job(&format!("cargo run --quiet --features multi_threaded --example {example}")).run()?;
    }
    job("cargo doc --no-deps --document-private-items --features multi_threaded")
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()
}

/// The plugin under avian, beside its rival and raced against it. Minutes of building.
pub fn rivals() -> Result<(), String> {
    job("cargo test --quiet -p bevy-rivals").run()?;
    job("cargo run --quiet -p bevy-rivals --example beside_the_rival").run()?;
    for features in ["", " --features multi_threaded"] {
        job(&format!("cargo bench --quiet -p bevy-rivals --bench frames{features}")).run()?;
    }
    Ok(())
}
