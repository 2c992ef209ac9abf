//! Tests of the schema crate through its public face.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that can't go on has failed"
)]

mod artifact;
mod closed;
mod native;
mod period;
