//! The commands of this workspace: `cargo xtask …`.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, ensure};
use clap::Parser;
use portolan_compile::cli::{BuildSchema, Console};

mod dependencies;

/// The commands of the Portolan workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, disable_help_subcommand = true)]
enum Xtask {
    BuildSchema(BuildSchema),
    /// Show what Portolan does, on the sample org
    #[command(disable_help_flag = true)]
    Demo(Passed),
    /// Generate the sample org's metadata extract, and its records
    #[command(disable_help_flag = true)]
    SampleOrg(Passed),
    /// Measure speed and memory against baselines, side by side
    #[command(disable_help_flag = true)]
    Bench(Passed),
    /// Check the crates' dependencies against the table in ARCHITECTURE.md
    Dependencies,
}

/// Arguments for the lab, which knows them.
#[derive(clap::Args)]
struct Passed {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

fn main() -> ExitCode {
    run(Xtask::parse()).unwrap_or_else(|problem| {
        let _ = writeln!(std::io::stderr(), "error: {problem:#}");
        ExitCode::from(2)
    })
}

fn run(command: Xtask) -> anyhow::Result<ExitCode> {
    match command {
        Xtask::BuildSchema(build) => {
            let exit = Console::standard(|console| build.run(console))?;
            Ok(exit.into())
        }
        Xtask::Demo(passed) => lab(&["demo".into()], passed),
        Xtask::SampleOrg(passed) => lab(&["sample-org".into()], passed),
        Xtask::Bench(passed) => {
            ensure!(
                !cfg!(debug_assertions),
                "this is a debug build, and its figures say nothing: use --release"
            );
            let this = std::env::current_exe().context("this program can't be found")?;
            lab(&["bench".into(), "--builder".into(), this.into()], passed)
        }
        Xtask::Dependencies => dependencies::check(),
    }
}

/// Runs the lab, a crate of its own so that this one builds in seconds.
fn lab(command: &[OsString], passed: Passed) -> anyhow::Result<ExitCode> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--package", "portolan-lab", "--"])
        .args(command)
        .args(passed.arguments)
        .status()
        .context("the lab can't be run")?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
}
