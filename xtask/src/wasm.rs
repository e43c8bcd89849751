//! The same bits in WebAssembly?
//!
//! The program in `tests/wasm` does again what the golden tests do natively; Node.js runs it and compares.

use crate::job::{Job, root};
use crate::wasm_target::{self, Compiler, TARGET};

/// A name that begins with the kernel's, what the compiler is told, and features of the program. Without `std` the
/// square root comes from elsewhere.
const BUILDS: [(&str, &str, &str); 4] = [
    ("portable", "", "std"),
    ("portable-no-std", "", ""),
    ("simd128", "-Ctarget-feature=+simd128", "std"),
    ("simd128-no-std", "-Ctarget-feature=+simd128", ""),
];

/// Returns what a run would fetch.
pub fn fetches() -> Option<String> {
    wasm_target::fetches(false).map(|costs| {
        format!(
            "unpacks Debian's compiler and linker below target/ and nowhere else, once ({costs}): {TARGET} is not installed."
        )
    })
}

/// Builds the program with and without SIMD and has Node.js run each.
pub fn run(own_std: bool) -> Result<(), String> {
    if !Job::new("node --version").succeeds() {
        return Err(
            "the goldens in WebAssembly are run by Node.js 20 or newer: install it (Debian: apt-get install \
                    nodejs), or leave this job out (cargo xtask test --without wasm)"
                .into(),
        );
    }
    let compiler = Compiler::find(own_std)?;
    let mut run = String::from("node tests/wasm/run.mjs");
    for (build, flags, features) in BUILDS {
        let folder = format!("target/wasm/{}/{build}", compiler.name());
        let job = Job::new(&format!(
            "cargo build --quiet --release --locked --target {TARGET} --no-default-features --features={features}"
        ));
        // Above all other places that flags may come from, so that it is these that are compared.
        let job = job.within("tests/wasm").env("CARGO_ENCODED_RUSTFLAGS", flags);
        compiler.hand_to(job.env("CARGO_TARGET_DIR", root().join(&folder))).run()?;
        run += &format!(" {build} {folder}/{TARGET}/release/wasm_program.wasm");
    }
    Job::new(&run).run()
}
