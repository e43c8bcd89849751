//! The lab's report in a real browser.

use crate::job::{Job, root};
use std::path::Path;

const FOLDER: &str = "crates/portamento-lab/tests/browser";

/// Makes a report and has the browser test read it; screenshots land in `target/screenshots`.
pub fn run() -> Result<(), String> {
    chromium("browser")?;
    if !Job::new("node --version").succeeds() || !Job::new("npm --version").succeeds() {
        return Err("the browser test needs Node.js 20 or newer with npm: install them (Debian: apt-get install nodejs npm)".into());
    }
    Job::new("npm ci --no-audit --no-fund --silent").within(FOLDER).run()?;
    let report = root().join("target/report.html");
    Job::new("cargo run --release --quiet -p portamento-lab -- lab --quick --out").arg(&report).run()?;
    let screenshots = root().join("target/screenshots");
    Job::new("node report.mjs").arg(report).arg(screenshots).within(FOLDER).run()
}

/// Whether there is a browser already.
fn has_chromium() -> bool {
    let usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    std::env::var_os("CHROMIUM").is_some() || usual.iter().any(|path| Path::new(path).exists())
}

/// Returns what a run would fetch or install.
pub fn fetches() -> Option<String> {
    fetches_for(FOLDER, "playwright-core")
}

/// The same for a job whose packages are installed in `folder`.
pub fn fetches_for(folder: &str, packages: &str) -> Option<String> {
    let mut what = Vec::new();
    if !has_chromium() {
        what.push(
            "installs Chromium on this machine (apt-get install chromium fonts-dejavu-core; not if CHROMIUM names one)"
                .to_owned(),
        );
    }
    if !root().join(folder).join("node_modules").exists() {
        what.push(format!("fetches {packages} from npm"));
    }
    (!what.is_empty()).then(|| format!("{}.", what.join(" and ")))
}

/// Chromium, installed from Debian's packages where that is possible, for this job.
pub fn chromium(job: &str) -> Result<(), String> {
    if has_chromium() {
        return Ok(());
    }
    let cure = format!(
        "install Chromium (Debian: apt-get install chromium fonts-dejavu-core) or set CHROMIUM to its path; \
         or leave this job out: cargo xtask test --without {job}"
    );
    if !Job::new("apt-get --version").succeeds() {
        return Err(format!("the browser test needs Chromium: {cure}"));
    }
    Job::new("apt-get update -qq")
        .run()
        .and_then(|()| {
            Job::new("apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core")
                .env("DEBIAN_FRONTEND", "noninteractive")
                .run()
        })
        .map_err(|why| format!("{why}\nThe browser test needs Chromium: {cure}"))
}
