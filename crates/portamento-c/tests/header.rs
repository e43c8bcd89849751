//! Is the committed header the one that the source describes?

use std::fs;
use std::path::Path;

#[test]
fn the_committed_header_is_made_from_the_source() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).expect("cbindgen.toml is sound");
    let mut made = Vec::new();
    cbindgen::Builder::new()
        .with_crate(here)
        .with_config(config)
        .generate()
        .expect("the source can be read")
        .write(&mut made);
    // Rust's section about promises repeats what the sentences before it say in C's words.
    let made = without_safety(&String::from_utf8(made).expect("the header is text"));
    let made = with_thread_rules(&made);
    let committed = here.join("portamento.h");
    if std::env::var_os("PORTAMENTO_BLESS").is_some() {
        fs::write(&committed, &made).expect("the header can be written");
    }
    let found = fs::read_to_string(&committed).unwrap_or_default();
    assert!(
        found == made,
        "bindings/portamento.h differs from the source: PORTAMENTO_BLESS=1 cargo test -p portamento-c --test header"
    );
}

/// The heading "Safety" becomes a plain word.
fn without_safety(header: &str) -> String {
    let lines = header.lines().map(|line| line.replace("# Safety", "Pointers:"));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    text.push('\n');
    text
}

/// Every function says which threads may call it: the handles that it takes decide.
fn with_thread_rules(header: &str) -> String {
    let handles: Vec<&str> = header
        .split("} ")
        .skip(1)
        .zip(header.split("} "))
        .filter(|(_, before)| before.ends_with("// The handle; 0 names nothing.\n  uint64_t id;\n"))
        .filter_map(|(after, _)| after.split(';').next())
        .collect();
    assert!(handles.len() >= 16 && handles.contains(&"portamento_stepper"), "{handles:?}");
    let mut text = String::new();
    let mut lines = header.lines().peekable();
    while let Some(line) = lines.next() {
        let comment_ends = line.starts_with("//");
        text.push_str(line);
        text.push('\n');
        let Some(next) = lines.peek().filter(|next| comment_ends && is_function(next)) else { continue };
        // The parameters may go on over several lines.
        let declaration: String = std::iter::once(*next)
            .chain(lines.clone().skip(1))
            .scan(false, |ended, line| {
                let goes_on = !*ended;
                *ended |= line.ends_with(';');
                goes_on.then(|| format!("{line} "))
            })
            .collect();
        let taken: Vec<&str> = handles
            .iter()
            .filter(|handle| {
                let by_value = format!("struct {handle} ");
                declaration.split(['(', ',']).any(|parameter| {
                    let parameter = parameter.trim_start();
                    parameter.starts_with(&by_value) && !parameter.contains('*')
                })
            })
            .copied()
            .collect();
        text.push_str("//\n// Threads: ");
        text.push_str(&match taken.as_slice() {
            [] => "any.".to_string(),
            [one] => format!("any, one at a time for each {one}; a second one gets PORTAMENTO_BUSY."),
            several => {
                let several = several.join(" and each ");
                format!("any, one at a time for each {several}; a second one gets PORTAMENTO_BUSY.")
            }
        });
        text.push('\n');
    }
    text
}

fn is_function(line: &str) -> bool {
    let mut words = line.strip_prefix("enum ").unwrap_or(line).split(' ');
    let result = words.next().unwrap_or_default();
    let name = words.next().unwrap_or_default();
    ["portamento_status", "uint32_t", "size_t"].contains(&result)
        && name.starts_with("portamento_")
        && name.contains('(')
}
