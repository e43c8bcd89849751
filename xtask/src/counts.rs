//! Did anything get more expensive?
//!
//! Instruction counts (`crates/portamento-bench/benches/counts.rs`) against those in `benchmarks/counts.txt`.
//! They do not depend on how busy the machine is, so a few percent are a finding, not noise.

use crate::job::{Job, root, write};
use std::{fmt::Write as _, fs, process::Command};

/// The runner must be of the version that the bench crate's dependency names.
const RUNNER: &str = "0.20.0";
/// How much more, in percent, is too much. Counts repeat exactly; this leaves room for another linker or libc.
const TOLERANCE: f64 = 2.0;
const BASELINE: &str = "benchmarks/counts.txt";

/// Counts and compares; with `save`, writes the new baseline instead.
pub fn run(save: bool) -> Result<(), String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Err(
            "instruction counts need valgrind, which is not installed: `apt-get install valgrind` (or your \
                    system's way), then again"
                .into(),
        );
    }
    let tools = root().join("target/tools");
    let runner = tools.join("bin/gungraun-runner");
    let installed = Command::new(&runner).arg("--version").output();
    if !installed.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(RUNNER)) {
        println!("installing the runner into target/tools, once; this takes some minutes");
        Job::new(&format!("cargo install --locked gungraun-runner --version {RUNNER} --root target/tools"))
            .run()?;
    }
    let found = count(&runner)?;
    if found.is_empty() {
        return Err("the benchmark printed no counts: has its output changed?".into());
    }
    border(&found)?;
    if save {
        let mut text =
            String::from("# Instructions, by `cargo xtask counts --save`. Compared with 2 % tolerance.\n");
        for (name, count) in &found {
            let _ = writeln!(text, "{name} {count}");
        }
        return write(&root().join(BASELINE), text);
    }
    let baseline =
        fs::read_to_string(root().join(BASELINE)).map_err(|error| format!("{BASELINE}: {error}"))?;
    compare(&parse_baseline(&baseline)?, &found)
}

type Counts = Vec<(String, u64)>;

fn count(runner: &std::path::Path) -> Result<Counts, String> {
    let line = "cargo bench --quiet -p portamento-bench --bench counts";
    println!("\n$ GUNGRAUN_RUNNER={} {line}", runner.display());
    let mut words = line.split_whitespace();
    let output = Command::new(words.next().expect("a program"))
        .args(words)
        .current_dir(root())
        .env("GUNGRAUN_RUNNER", runner)
        .output()
        .map_err(|error| format!("cannot run `{line}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{line}` failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    parse_output(&String::from_utf8_lossy(&output.stdout))
}

/// The runner prints a line `file::group::function case:(arguments)`, then figures, among them
/// `Instructions: new|old (change)`.
fn parse_output(text: &str) -> Result<Counts, String> {
    let mut counts = Counts::new();
    let mut name = None;
    for line in text.lines() {
        if let Some(figures) = line.trim_start().strip_prefix("Instructions:") {
            let name: String = name.take().ok_or_else(|| format!("a count without a name: {line}"))?;
            let number = figures.trim().split('|').next().unwrap_or_default();
            let number = number.parse().map_err(|_| format!("{name}: {number:?} is no count"))?;
            counts.push((name, number));
        } else if !line.starts_with(' ')
            && let Some((path, rest)) = line.split_once(' ')
            && let Some(function) = path.strip_prefix("counts::counts::")
            && let Some((case, _)) = rest.split_once(':')
        {
            name = Some(format!("{function}/{case}"));
        }
    }
    Ok(counts)
}

fn parse_baseline(text: &str) -> Result<Counts, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let (name, count) = line.split_once(' ').ok_or_else(|| format!("{BASELINE}: {line:?}"))?;
            Ok((name.into(), count.trim().parse().map_err(|_| format!("{BASELINE}: {line:?}"))?))
        })
        .collect()
}

/// What a call for many poses may cost more through the C interface than in Rust, in percent.
const BORDER: f64 = 3.0;

/// The same call in Rust and through the C interface.
fn border(found: &Counts) -> Result<(), String> {
    let count = |name: &str| {
        let found = found.iter().find(|(known, _)| known == name);
        found.map(|(_, count)| *count as f64).ok_or_else(|| format!("{name} was not counted"))
    };
    for call in ["frame", "push"] {
        let (rust, c) = (count(&format!("border_{call}_rust/rust"))?, count(&format!("border_{call}_c/c"))?);
        let more = (c / rust - 1.0) * 100.0;
        println!("{call} of all poses through the C interface: {more:+.2} % instructions");
        if more > BORDER {
            return Err(format!(
                "{call} of all poses costs {more:+.1} % more through C, {BORDER} % are allowed"
            ));
        }
    }
    Ok(())
}

fn compare(baseline: &Counts, found: &Counts) -> Result<(), String> {
    let mut worse = Vec::new();
    println!("{:<36} {:>10} {:>10} {:>8}", "", "baseline", "now", "change");
    for (name, now) in found {
        let Some((_, before)) = baseline.iter().find(|(known, _)| known == name) else {
            worse.push(format!("{name} is not in {BASELINE}"));
            continue;
        };
        let change = (*now as f64 / *before as f64 - 1.0) * 100.0;
        println!("{name:<36} {before:>10} {now:>10} {change:>+7.2}%");
        if change > TOLERANCE {
            worse.push(format!("{name}: {before} to {now} instructions, {change:+.1} %"));
        }
    }
    for (name, _) in baseline {
        if !found.iter().any(|(known, _)| known == name) {
            worse.push(format!("{name} is in {BASELINE} and was not counted"));
        }
    }
    if worse.is_empty() {
        return Ok(());
    }
    Err(format!(
        "more than {TOLERANCE} % dearer, or unknown:\n  {}\nIf it is meant: cargo xtask counts --save",
        worse.join("\n  ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
counts::counts::batch_into_tiles sse2:(crowd(\"sse2\"))
  Instructions:                  1000|N/A                  (*********)
  L1 Hits:                       2000|N/A                  (*********)
counts::counts::camera_update smooth:(following(ChaseRule :: Smooth))
  Instructions:                  300|290               (+3.4%)

Gungraun result: Ok. 2 without regressions; 0 regressed; 2 benchmarks finished in 1s
";

    #[test]
    fn the_runners_output_is_understood() {
        let counts = parse_output(OUTPUT).unwrap();
        assert_eq!(counts, [("batch_into_tiles/sse2".into(), 1000), ("camera_update/smooth".into(), 300)]);
    }

    #[test]
    fn a_border_that_costs_more_than_three_percent_is_an_error() {
        let counts = |c| {
            let names =
                ["border_frame_rust/rust", "border_frame_c/c", "border_push_rust/rust", "border_push_c/c"];
            names.map(String::from).into_iter().zip([1000, c, 1000, 900]).collect()
        };
        assert!(border(&counts(1029)).is_ok());
        assert!(border(&counts(1031)).unwrap_err().contains("frame of all poses"));
        assert!(border(&vec![]).is_err(), "what is not counted is not held");
    }

    #[test]
    fn more_than_the_tolerance_is_an_error_that_names_it() {
        let baseline = parse_baseline("# comment\nbatch_into_tiles/sse2 1000\n").unwrap();
        let now = |count| vec![("batch_into_tiles/sse2".to_string(), count)];
        assert!(compare(&baseline, &now(1019)).is_ok());
        assert!(compare(&baseline, &now(10)).is_ok());
        let error = compare(&baseline, &now(1021)).unwrap_err();
        assert!(error.contains("batch_into_tiles/sse2: 1000 to 1021"), "{error}");
        assert!(compare(&baseline, &vec![]).is_err(), "what is not counted is not held");
        assert!(compare(&vec![], &now(1)).is_err(), "what has no baseline is not held");
    }
}
