//! The browser package: its sources, the package as users install it, and both in a real browser.

use crate::browser;
use crate::job::{Job, root};
use crate::wasm_target::{self, Compiler, TARGET};

const FOLDER: &str = "packages/portamento";

/// Builds of the library in WebAssembly that the package's own JavaScript is compared with, and what the compiler is told.
const ORACLES: [(&str, &str); 2] = [("plain", ""), ("simd128", "-Ctarget-feature=+simd128")];

/// Tests the package in Node.js, packs and installs it, and runs it in Chromium. What is measured lands in
/// `target/web-report.txt`.
pub fn run() -> Result<(), String> {
    browser::chromium("web")?;
    if !Job::new("node --version").succeeds() || !Job::new("npm --version").succeeds() {
        return Err("the browser package needs Node.js 20.14 or newer with npm: install them (Debian: apt-get install \
                    nodejs npm), or leave this job out: cargo xtask test --without web"
            .into());
    }
    Job::new("npm ci --no-audit --no-fund --silent").within(FOLDER).run()?;
    // What the package is compared with.
    Job::new("cargo build --release --quiet -p portamento-lab --bin portamento --example exchange_bytes")
        .run()?;
    let kernel = root().join("target/web-kernel.wasm");
    // Not by an installed target: that would hide it if the compiler for machines without one no longer worked.
    Compiler::find(true)?
        .hand_to(Job::new("node tools/kernel.mjs").arg(&kernel).within(FOLDER))
        .env("CARGO_TARGET_DIR", root().join("target/web-kernel"))
        .run()?;
    let built = |name: &str| target().join("release").join(name);
    let oracles = oracles()?;
    Job::new("npm test --silent")
        .within(FOLDER)
        .env("PORTAMENTO", built("portamento"))
        .env("ORACLES", &oracles)
        .env("EXCHANGE_BYTES", built("examples/exchange_bytes"))
        .env("KERNEL", &kernel)
        .run()?;
    Job::new("node tests/package.mjs").arg(root().join("target/web-package")).within(FOLDER).run()?;
    Job::new("node tests/browser/run.mjs")
        .arg(root().join("target/web-package"))
        .arg(root().join("target/web-report.txt"))
        .within(FOLDER)
        .env("PORTAMENTO", built("portamento"))
        .env("ORACLES", &oracles)
        .run()
}

/// Builds `tests/web` with and without SIMD. Returns the files, separated by colons.
fn oracles() -> Result<String, String> {
    let compiler = Compiler::find(false)?;
    let mut files = Vec::new();
    for (name, flags) in ORACLES {
        let folder = root().join(format!("target/web-oracle/{}/{name}", compiler.name()));
        let job = Job::new(&format!("cargo build --quiet --release --locked --target {TARGET}"));
        let job = job.within("tests/web").env("CARGO_ENCODED_RUSTFLAGS", flags);
        compiler.hand_to(job.env("CARGO_TARGET_DIR", &folder)).run()?;
        files.push(folder.join(TARGET).join("release/web_oracle.wasm").display().to_string());
    }
    Ok(files.join(":"))
}

/// Where cargo puts what it builds.
fn target() -> std::path::PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into)
}

/// Returns what a run would fetch or install.
pub fn fetches() -> Option<String> {
    let package = browser::fetches_for(FOLDER, "the package's development dependencies (184 MB)");
    let compiler =
        wasm_target::fetches(true).map(|costs| format!("unpacks a compiler for {TARGET} ({costs})."));
    let all: Vec<String> = package.into_iter().chain(compiler).collect();
    (!all.is_empty()).then(|| all.join(" "))
}
