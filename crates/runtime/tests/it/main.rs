//! The runtime as a host uses it: through sessions alone.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test that can't go on has failed"
)]

mod bad_input;
mod bad_queries;
mod budgets;
mod definitions;
mod invariants;
mod period;
mod records;
mod reload;
mod rules;
mod sent_once;
mod support;
mod tools;
