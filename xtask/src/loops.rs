//! Do the game loops of the recipes compile against winit, macroquad and SDL, and does the page show the same code?
//!
//! The programs in `tests/loops` are checked, not linked: that needs no window system and no C library.

use crate::job::{Job, root, write};
use std::fs;

const HOME: &str = "tests/loops";
const PAGE: &str = "crates/portamento/src/recipes.md";
const LOOPS: [&str; 3] = ["winit", "macroquad", "sdl"];

/// Returns what a run would fetch.
pub fn fetches() -> Option<String> {
    let fetched = Job::new("cargo tree --offline --locked").within(HOME).succeeds();
    (!fetched).then(|| {
        "fetches winit, macroquad, sdl2 and what they need from the registry, once (71 crates, 31 MB)."
            .to_string()
    })
}

/// Compares the page with the programs (or puts them there), and checks the programs.
pub fn run(rewrite: bool) -> Result<(), String> {
    let page = read(PAGE)?;
    let wanted = with_loops(&page, |name| read(&file(name)))?;
    if rewrite && page != wanted {
        write(&root().join(PAGE), wanted)?;
        println!("{PAGE} shows the loops as they are now");
    } else if page != wanted {
        return Err(format!("{PAGE} shows other loops than {HOME} has: run `cargo xtask loops --write`"));
    }
    Job::new("cargo fmt --check").within(HOME).run()?;
    Job::new("cargo clippy --quiet --locked -- -D warnings")
        .within(HOME)
        .env("CARGO_TARGET_DIR", root().join("target/loops"))
        .run()
        .map_err(|error| {
            format!("{error}\nIf its lock file is out of date: `cargo update --workspace` in {HOME}")
        })
}

fn file(name: &str) -> String {
    format!("{HOME}/src/bin/{name}.rs")
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

/// The page with each program's part between `// recipe` and `// end` in the block after the comment that names its file.
fn with_loops(page: &str, source: impl Fn(&str) -> Result<String, String>) -> Result<String, String> {
    let mut page = page.to_string();
    for name in LOOPS {
        let file = file(name);
        let opening = format!("<!-- {file} -->\n```rust,ignore\n");
        let (start, end) =
            between(&page, &opening, "```\n").ok_or(format!("{PAGE} has no block for {file}"))?;
        let source = source(name)?;
        let (from, to) = between(&source, "// recipe\n", "// end\n")
            .ok_or(format!("{file} has no part between `// recipe` and `// end`"))?;
        page.replace_range(start..end, &source[from..to]);
    }
    Ok(page)
}

/// Where in `text` that lies which stands between the first `opening` and the next `closing`.
fn between(text: &str, opening: &str, closing: &str) -> Option<(usize, usize)> {
    let start = text.find(opening)? + opening.len();
    Some((start, start + text[start..].find(closing)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_the_loops_that_are_compiled() {
        let page = read(PAGE).unwrap();
        assert!(
            with_loops(&page, |name| read(&file(name))).unwrap() == page,
            "run `cargo xtask loops --write`"
        );
    }

    #[test]
    fn every_changed_loop_is_noticed_and_put_there() {
        let page = with_loops(&read(PAGE).unwrap(), |name| read(&file(name))).unwrap();
        for changed in LOOPS {
            let other = |name: &str| {
                let source = read(&file(name))?;
                Ok(if name == changed { source.replacen("200.0", "300.0", 1) } else { source })
            };
            let renewed = with_loops(&page, other).unwrap();
            let (old, new) = (loop_of(&page, changed), loop_of(&renewed, changed));
            assert!(old != new && new.contains("300.0"), "{changed}");
            assert!(renewed == page.replacen(&old, &new, 1), "{changed}: nothing else changes");
        }
    }

    fn loop_of(page: &str, name: &str) -> String {
        let opening = format!("<!-- {} -->\n```rust,ignore\n", file(name));
        let (start, end) = between(page, &opening, "```\n").unwrap();
        page[start..end].to_string()
    }
}
