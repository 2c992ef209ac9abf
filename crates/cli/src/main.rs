//! `portolan`: the command line. Each command is a module: parsed flags, one call into a library, and
//! what came of it as JSON for a program or as a table for a person.

#![allow(clippy::indexing_slicing, reason = "JSON indexed by a key gives null where there is none")]

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;
use portolan_compile::cli::{BuildSchema, Console};

mod describe;
mod list;
mod opened;
mod query;
mod show;
mod sourced;
mod verify;

/// Charts a CRM for a language model.
///
/// Exit codes, of every command: 0 good; 1 a finding; 2 it could not run.
#[derive(Parser)]
#[command(name = "portolan", version, disable_help_subcommand = true)]
enum Portolan {
    BuildSchema(BuildSchema),
    List(list::List),
    Describe(describe::Describe),
    Query(query::Query),
    Verify(verify::Verify),
}

fn main() -> ExitCode {
    let command = Portolan::parse();
    let ended = Console::standard(|console| match &command {
        Portolan::BuildSchema(build) => Ok(build.run(console)?),
        Portolan::List(list) => list.run(console),
        Portolan::Describe(describe) => describe.run(console),
        Portolan::Query(query) => query.run(console),
        Portolan::Verify(verify) => verify.run(console),
    });
    ended.map_or_else(
        |problem| {
            let _ = writeln!(std::io::stderr(), "error: {problem:#}");
            ExitCode::from(2)
        },
        ExitCode::from,
    )
}
