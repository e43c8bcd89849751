//! Law 7: the same input gives the same bits. Here on this machine, on its widest kernel; `cargo xtask wasm` does the
//! same in WebAssembly, and `cargo xtask arm` on ARM.
//!
//! After a wanted change of a trace: `PORTAMENTO_BLESS=1 cargo test -p portamento --test golden`, and read the
//! difference before committing it.

// Named by its path, as in `tests/wasm`: its modules lie beside it.
#[path = "goldens.rs"]
mod goldens;

use goldens::{NUMBERS, Number, TRACES, Trace};
use std::path::Path;

#[test]
fn law_7_the_same_input_gives_the_same_bits() {
    let found = NUMBERS.map(|Number { name, golden, now }| (name, golden, now()));
    let wrong: Vec<String> = found
        .iter()
        .filter(|(_, golden, now)| now != golden)
        .map(|(name, golden, now)| format!("{name}: {now:#018x} instead of {golden:#018x}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn law_7_everything_follows_its_golden_trace() {
    for Trace { name, golden, now } in TRACES {
        let now = now();
        if std::env::var_os("PORTAMENTO_BLESS").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
            std::fs::write(&path, now).unwrap();
            continue;
        }
        for (i, (golden, now)) in golden.lines().zip(now.lines()).enumerate() {
            assert_eq!(golden, now, "{name}.txt, line {}", i + 1);
        }
        assert_eq!(golden.lines().count(), now.lines().count(), "{name}.txt");
    }
}
