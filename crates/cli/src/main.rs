//! `portolan`: what the workspace's `cargo xtask` does, for people who don't keep the workspace.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;
use portolan_compile::cli::{BuildSchema, Console};

/// Charts a CRM for a language model.
#[derive(Parser)]
#[command(name = "portolan", version, disable_help_subcommand = true)]
enum Portolan {
    BuildSchema(BuildSchema),
}

fn main() -> ExitCode {
    let ended = match Portolan::parse() {
        Portolan::BuildSchema(build) => Console::standard(|console| build.run(console)),
    };
    ended.map_or_else(
        |problem| {
            let _ = writeln!(std::io::stderr(), "error: {problem}");
            ExitCode::from(2)
        },
        ExitCode::from,
    )
}
