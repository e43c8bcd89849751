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
    let committed = here.join("../../bindings/portamento.h");
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
