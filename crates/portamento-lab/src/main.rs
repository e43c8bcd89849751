//! The binary `portamento`.
fn main() {}
