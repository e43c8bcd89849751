//! Does the compiler keep the kinds of time apart?
//!
//! Each file in `cases` hands every wrong kind of time to one taker; the file of the same name that ends in `.stderr`
//! holds what the compiler says. Renew them with `TRYBUILD=overwrite cargo test -p portamento-compile-fail`, and read the
//! difference: the message must name what to give instead.

#[test]
fn a_foreign_time_does_not_compile() {
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}
