//! Everything that CI checks, in the order in which it is likely to fail.

use crate::job::{Job, root};
use crate::{arm, bevy, browser, c, docsrs, figures, loops, mutants, pack, surface, wasm, web};
use std::time::{Duration, Instant};

/// The features whose code a developer's loop compiles. Not the older two versions of glam: they are large, and one macro
/// makes the code for all three.
const QUICK_FEATURES: &str = "portamento/process,portamento/rayon,portamento/mint,portamento/serde,\
                              portamento/bytemuck,portamento/glam_0_34";

/// What a developer runs between edits: what gives most for its seconds. The tests leave out the optional features (to
/// compile how every type is saved and read back takes long), and the benchmarks have many dependencies of their own.
pub fn quick() -> Result<(), String> {
    locks()?;
    Job::new("cargo fmt --all --check").run()?;
    Job::new("cargo clippy --quiet -p portamento -p portamento-lab -p xtask --all-targets")
        .arg(format!("--features={QUICK_FEATURES}"))
        .words("-- -D warnings")
        .run()?;
    Job::new("cargo test --quiet -p portamento --tests").run()?;
    Job::new("cargo test --quiet -p portamento --doc").run()?;
    surface::run(&[])
}

type Check = (&'static str, fn() -> Result<(), String>);

const CHECKS: [Check; 17] = [
    ("style", style),
    ("tests", tests),
    ("soak", soak_of_this_commit),
    ("docs", docs),
    ("surface", || surface::run(&[])),
    ("features", features),
    ("no-std", without_std),
    ("wasm", || wasm::run(false)),
    ("arm", || arm::run(false)),
    ("loom", loom),
    ("c", c::run),
    ("loops", || loops::run(false)),
    ("bevy", bevy::run),
    ("pack", pack::run),
    ("figures", || figures::run(false)),
    ("browser", browser::run),
    ("web", web::run),
];

/// The jobs among CI's, in order.
pub fn names() -> String {
    CHECKS.map(|(name, _)| name).join(", ")
}

/// Everything that CI checks, but for the jobs that `options` leave out.
pub fn everything(options: &[&str]) -> Result<(), String> {
    let (pairs, odd) = options.as_chunks();
    let mut without = Vec::new();
    for pair in pairs {
        match *pair {
            ["--without", job] if CHECKS.iter().any(|(name, _)| *name == job) => without.push(job),
            ["--without", job] => {
                return Err(format!("there is no job {job:?} in it: give one of {}", names()));
            }
            [option, _] => return Err(format!("there is no option {option:?}: see cargo xtask help")),
        }
    }
    if let [option] = odd {
        return Err(format!("{option:?} is not understood: see cargo xtask help"));
    }
    announce(&without);
    mutants::list_is_current()?;
    let mut times = Vec::new();
    for (name, check) in CHECKS {
        if without.contains(&name) {
            println!("\nleft out: {name}");
            continue;
        }
        let start = Instant::now();
        let outcome = check();
        times.push((name, start.elapsed()));
        if let Err(why) = outcome {
            println!("{}", times_text(&times));
            return Err(format!("{why}\nThe job `{name}` failed; those after it did not run."));
        }
    }
    println!("{}\nEverything passed.", times_text(&times));
    Ok(())
}

/// Says what the jobs will fetch or install, and how to leave them out, before anything runs.
fn announce(without: &[&str]) {
    let needs = [
        ("wasm", wasm::fetches as fn() -> Option<String>),
        ("arm", arm::fetches),
        ("c", c::fetches),
        ("loops", loops::fetches),
        ("browser", browser::fetches),
        ("web", web::fetches),
    ];
    let mut anything = false;
    for (job, fetches) in needs {
        if without.contains(&job) {
            continue;
        }
        if let Some(what) = fetches() {
            println!("The job `{job}` {what}\n  To leave it out: cargo xtask test --without {job}");
            anything = true;
        }
    }
    if anything {
        println!("Everything else that cargo fetches comes from the registry, as the lock files say.");
    }
}

/// A line for each job, in the order in which they ran, and their sum.
fn times_text(times: &[(&str, Duration)]) -> String {
    let mut text = String::from("\nTimes:\n");
    for (name, time) in times {
        text += &format!("  {name:<10}{:>7.1} s\n", time.as_secs_f64());
    }
    let sum: Duration = times.iter().map(|(_, time)| *time).sum();
    text + &format!("  {:<10}{:>7.1} s", "all", sum.as_secs_f64())
}

fn tests() -> Result<(), String> {
    Job::new("cargo test --workspace --all-features").run()
}

fn docs() -> Result<(), String> {
    for what in ["--workspace --all-features --document-private-items", "-p portamento --no-default-features"]
    {
        Job::new(&format!("cargo doc --no-deps {what}")).env("RUSTDOCFLAGS", "-D warnings").run()?;
    }
    if docsrs::is_possible() {
        docsrs::run(false)
    } else {
        println!("\nleft out: documentation as docs.rs builds it, for want of a nightly toolchain");
        Ok(())
    }
}

/// The exchange's protocol and the C interface's table of handles, in every order that the memory model allows.
fn loom() -> Result<(), String> {
    for what in ["-p portamento --lib exchange::", "-p portamento-c --lib table::"] {
        Job::new(&format!("cargo test --release --quiet {what}"))
            .env("RUSTFLAGS", "--cfg loom")
            .env("CARGO_TARGET_DIR", root().join("target/loom"))
            .run()?;
    }
    Ok(())
}

/// The timed benchmarks. On a quiet machine, or the ratios are noise.
pub fn bench() -> Result<(), String> {
    for bench in ["track", "batch", "exchange", "waypoints", "snapshots"] {
        Job::new(&format!("cargo bench --quiet -p portamento-bench --bench {bench}")).run()?;
    }
    Ok(())
}

/// Drives every public type with random numbers; what fails prints the seed that leads there again.
pub fn soak(options: &[&str]) -> Result<(), String> {
    let (pairs, odd) = options.as_chunks();
    if let [option] = odd {
        return Err(format!("{option:?} needs a value: see cargo xtask help"));
    }
    let release = pairs.contains(&["--profile", "release"]);
    let mut job = Job::new("cargo run --quiet -p portamento-soak");
    if release {
        job = job.arg("--release").env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true");
    }
    job = job.arg("--");
    for [option, value] in pairs.iter().filter(|[option, _]| *option != "--profile") {
        job = job.arg(option).arg(value);
    }
    job.run()
}

/// A minute with the seed that this commit has: another one for each, and the same when it runs again.
fn soak_of_this_commit() -> Result<(), String> {
    let commit = std::process::Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root()).output();
    let name = commit.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    match name.get(..12).and_then(|digits| u64::from_str_radix(digits, 16).ok()) {
        Some(seed) => soak(&["--seed", &seed.to_string()]),
        // No checkout of git: a new one each time.
        None => soak(&[]),
    }
}

/// Some seconds of each fuzz target, beginning with the committed corpus.
pub fn fuzz(seconds: &str) -> Result<(), String> {
    if !Job::new("cargo +nightly fuzz --version").succeeds() {
        return Err("fuzzing needs a nightly toolchain and cargo-fuzz: `rustup toolchain install nightly`, \
                    `cargo install cargo-fuzz`"
            .into());
    }
    seconds.parse::<u32>().map_err(|_| format!("{seconds:?} is no number of seconds"))?;
    for target in ["saves", "replay", "traces", "exchange", "claims", "snapshots", "waypoints", "c_abi"] {
        let seeds = root().join("fuzz/seeds").join(target);
        let corpus = root().join("fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        // New inputs go to the first folder.
        let mut job = Job::new(&format!("cargo +nightly fuzz run {target}")).arg(corpus);
        if seeds.is_dir() {
            job = job.arg(seeds);
        }
        job.words(&format!("-- -max_total_time={seconds}")).within("fuzz").run()?;
    }
    Ok(())
}

/// Longer than CI has patience for.
pub fn stress() -> Result<(), String> {
    Job::new("cargo test --release -p portamento --features process --test exchange_stress --test exchange_kills -- --nocapture")
        .env("PORTAMENTO_STRESS_SECONDS", "10")
        .env("PORTAMENTO_KILLS", "200")
        .run()
}

/// Every lock file is what its manifests say, also those of the projects beside the workspace: a change of the
/// library's dependencies is one of theirs.
fn locks() -> Result<(), String> {
    for project in
        [".", "tests/no_std", "tests/wasm", "fuzz", "crates/bevy_portamento", "packages/portamento/kernel"]
    {
        Job::new("cargo metadata --quiet --locked --format-version=1").within(project).output().map_err(
            |error| format!("{error}run `cargo update --workspace` in {project} and commit its Cargo.lock"),
        )?;
    }
    Ok(())
}

fn style() -> Result<(), String> {
    locks()?;
    Job::new("cargo fmt --all --check").run()?;
    Job::new("cargo clippy --workspace --all-targets --all-features -- -D warnings").run()?;
    // Fuzzing needs a nightly compiler, but that its targets compile does not.
    Job::new("cargo check --quiet --locked")
        .within("fuzz")
        .env("CARGO_TARGET_DIR", root().join("target/fuzz"))
        .run()
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
        // Alone, and as most users have it: a feature may need more of a dependency once there is an allocator.
        for others in ["--no-default-features ", ""] {
            Job::new(&format!(
                "cargo clippy --quiet -p portamento {others}--features={feature} -- -D warnings"
            ))
            .run()?;
        }
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
