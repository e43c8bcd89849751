//! `replay-through-c FILE`: the program `portamento replay`, with everything that the library does reached through the
//! functions of `portamento.h`. Scripts in, the same numbers out, bit for bit.
//!
//! Reading and printing is the replay format's own crate; the files here are the C side of its systems.

#[cfg(not(any(loom, target_family = "wasm")))]
mod program;

#[cfg(not(any(loom, target_family = "wasm")))]
fn main() -> std::process::ExitCode {
    program::main()
}

#[cfg(any(loom, target_family = "wasm"))]
fn main() {}
