//! Which public enums may grow without breaking a user's `match`?
//!
//! Errors, refusals and reasons may, and so may choices among methods: a user names them and hardly ever matches on
//! them. Closed are those where a new case must stop the compiler, because the caller has to act on each, and those
//! that are complete by their nature. Each is listed here with which of the two it is.

use std::fs;
use std::path::{Path, PathBuf};

/// The caller acts on each.
const ANSWERS: [&str; 3] = ["Absorbed", "Enqueued", "Route"];
/// There can be no other.
const COMPLETE: [&str; 5] = ["WaypointNode", "ScreenY", "Seen", "SnapshotState", "TimelinePlace"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_public_enum_is_open_or_is_known_to_be_closed() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let (mut open, mut closed) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(name) = line.strip_prefix("pub enum ") else { continue };
            let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap();
            let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with(['#', ')', ' ']));
            if attributes.into_iter().any(|line| *line == "#[non_exhaustive]") {
                open += 1;
            } else {
                closed.push(name.to_string());
            }
        }
    }
    closed.sort_unstable();
    let mut known = [&ANSWERS[..], &COMPLETE[..]].concat();
    known.sort_unstable();
    assert_eq!(closed, known);
    assert!(open > 15, "{open} are open");
}
