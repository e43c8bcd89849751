//! Every job of CI and of a developer is a subcommand of this small tool.
fn main() {}
