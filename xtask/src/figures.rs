//! The README's figures are what a command prints, or they are wrong.

use crate::job::{Job, root, write as write_file};
use std::fs;

const COMMAND: &str = "cargo run --release --quiet -p portamento-lab -- lab --markdown --no-report";
const PICTURE: &str = "cargo run --release --quiet -p portamento-lab --example picture";
const BEGIN: &str = "<!-- figures: printed by the command above -->\n";
const END: &str = "<!-- end of figures -->";

/// Compares the README's figures and its moving picture with what the lab prints; with `write`, puts them there.
pub fn run(write: bool) -> Result<(), String> {
    picture(write)?;
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).map_err(|error| format!("README.md: {error}"))?;
    let (before, rest) = readme.split_once(BEGIN).ok_or("README.md has no place for figures")?;
    let (old, after) = rest.split_once(END).ok_or("README.md: the figures have no end")?;
    let new = Job::new(COMMAND).output()?;
    let changed = first_change(old.trim(), new.trim());
    if write && old.trim() != new.trim() {
        return write_file(&path, format!("{before}{BEGIN}\n{}\n\n{END}{after}", new.trim()));
    }
    match changed {
        None => {
            println!("  the README's figures are those of the lab");
            Ok(())
        }
        Some((old, new)) => Err(format!(
            "the README's figures are not those of the lab, beginning with\n  README: {old}\n  lab:    {new}\n\
             If the change is meant: cargo xtask figures --write"
        )),
    }
}

fn picture(write: bool) -> Result<(), String> {
    let path = root().join("docs/motion.svg");
    let new = Job::new(PICTURE).output()?;
    if write {
        return write_file(&path, new);
    }
    let old = fs::read_to_string(&path).map_err(|error| format!("docs/motion.svg: {error}"))?;
    if old.trim() == new.trim() {
        return Ok(());
    }
    Err("docs/motion.svg is not what the lab draws. If the change is meant: cargo xtask figures --write"
        .into())
}

/// The first line that is another one, in both texts. A number may differ by one in its last decimal: the lab is the same
/// to the last bit wherever it runs, but what is rounded at an edge need not fail whoever has another compiler.
fn first_change<'a>(old: &'a str, new: &'a str) -> Option<(&'a str, &'a str)> {
    let lines = old.lines().count().max(new.lines().count());
    let line = |text: &'a str, k| text.lines().nth(k).unwrap_or("(nothing)");
    (0..lines).map(|k| (line(old, k), line(new, k))).find(|(old, new)| !alike(old, new))
}

fn alike(old: &str, new: &str) -> bool {
    let (old, new) = (pieces(old), pieces(new));
    old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| old == new || a_digit_apart(old, new))
}

/// A line as runs of what numbers are made of and runs of everything else.
fn pieces(line: &str) -> Vec<&str> {
    let in_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| in_number(c) != in_number(first)).unwrap_or(rest.len());
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

/// Two numbers of as many decimals that differ by one in the last.
fn a_digit_apart(old: &str, new: &str) -> bool {
    let decimals = |text: &str| text.split_once('.').map(|(_, decimals)| decimals.len());
    let digits = |text: &str| text.replace('.', "").parse::<u64>().ok();
    let apart = digits(old).zip(digits(new)).map(|(old, new)| old.abs_diff(new));
    decimals(old).is_some() && decimals(old) == decimals(new) && apart == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_be_rounded_the_other_way_and_nothing_else_may_change() {
        let line = "| gate, 60 frames/s | 0.452 (41 ms, client rule) | **0.099 (50 ms)** |";
        assert!(alike(line, line));
        assert!(alike(line, &line.replace("0.099", "0.100")));
        for (old, new) in
            [("0.452", "0.454"), ("0.099", "0.1"), ("client", "seed"), ("41 ms", "42 ms"), ("41", "")]
        {
            assert!(!alike(line, &line.replace(old, new)), "{old} is not {new}");
        }
    }

    #[test]
    fn a_line_more_or_less_is_a_change() {
        assert_eq!(first_change("a\nb", "a\nb"), None);
        assert_eq!(first_change("a", "a\nb"), Some(("(nothing)", "b")));
        assert_eq!(first_change("a\nb", "a"), Some(("b", "(nothing)")));
    }
}
