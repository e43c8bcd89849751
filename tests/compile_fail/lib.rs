//! Nothing: see `tests/time_kinds.rs`.
