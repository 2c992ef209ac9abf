//! The whole workspace, driven as its users drive it: every test runs the real command in a process
//! of its own.
//!
//! - [`cases`]: a folder under `cases/` is a case. New case, new folder, no code.
//! - [`generated`], [`archives`]: inputs that are too big or too binary to be a folder.
//! - [`process`], [`crash`]: what happens to the files, whatever happens to the process.
//! - [`hostile`]: inputs and surroundings that mean harm.
//! - [`docs`]: the examples of the documentation.
//! - [`cli`]: the commands that read an artifact. [`runtime`]: the runtime over whole orgs.
//! - [`versions`]: which version a schema gets, in a git repository and without one.
//! - [`real_extracts`], [`sample_org`]: against other programs' counts of the same metadata.
//! - [`real_records`]: questions about real records, against SQL.
//!
//! What isn't there (git, Python, `../shared`) skips a test, aloud.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test that can't go on has failed"
)]

mod archives;
mod cases;
mod cli;
mod crash;
mod docs;
mod generated;
mod hostile;
mod process;
mod query_command;
mod real_extracts;
mod real_records;
mod runtime;
mod sample_org;
mod support;
mod versions;
