//! `#[derive(Blend)]` for `portamento`.
