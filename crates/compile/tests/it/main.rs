//! Tests of the compiler through its public face.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that can't go on has failed"
)]

mod documents;
mod invariants;

/// These cases write files: fewer than usual, unless the environment asks for a number.
fn a_few_cases() -> proptest::test_runner::Config {
    let config = proptest::test_runner::Config::default();
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    proptest::test_runner::Config { cases: if asked { config.cases } else { 96 }, ..config }
}
