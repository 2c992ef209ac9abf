//! What a command takes: its processor time, its wall time and its peak memory.
//!
//! The system counts these for finished children of a process, all together and for good. So each
//! command is run by a process of its own, this program with the hidden command `measured`, which
//! has no other child.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};

/// What a command took, the commands that it ran itself included.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Usage {
    /// Processor time, the system's on its behalf included; seconds.
    pub cpu: f64,
    /// From its start to its end; seconds.
    pub wall: f64,
    /// The most memory that one of the processes had resident, pages of its program included; bytes.
    /// On Linux never below what the process that started it had: [`Runner::floor`].
    pub peak: u64,
    /// Whether it exited with 0.
    success: bool,
}

/// Run a command and print what it took, as JSON.
#[derive(clap::Args)]
pub struct Measured {
    /// The command and its arguments; what it prints to standard output is thrown away
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

impl Measured {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<()> {
        let usage = measure(&self.command)?;
        writeln!(std::io::stdout().lock(), "{}", serde_json::to_string(&usage)?)?;
        Ok(())
    }
}

#[cfg(unix)]
fn measure(command: &[OsString]) -> anyhow::Result<Usage> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike as _;

    /// `ru_maxrss` counts these: bytes on Apple's systems, KiB elsewhere.
    const RSS_UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

    let (program, arguments) = command.split_first().context("no command")?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
    let start = std::time::Instant::now();
    let status = command.status().with_context(|| format!("{} can't be run", program.display()))?;
    let wall = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("the system doesn't tell")?;
    let cpu = usage.user_time() + usage.system_time();
    Ok(Usage {
        cpu: cpu.num_microseconds() as f64 / 1e6,
        wall,
        peak: u64::try_from(usage.max_rss()).unwrap_or(0) * RSS_UNIT,
        success: status.success(),
    })
}

#[cfg(not(unix))]
fn measure(_: &[OsString]) -> anyhow::Result<Usage> {
    anyhow::bail!("processor time and memory of a command can be measured on Unix only")
}

/// Runs commands, each below a `measured` of its own.
pub(super) struct Runner {
    this: PathBuf,
}

impl Runner {
    /// A runner that is this program.
    pub(super) fn new() -> anyhow::Result<Self> {
        Ok(Self { this: std::env::current_exe().context("this program can't be found")? })
    }

    /// Runs a command and says what it took. One that fails is an error, with what it wrote.
    pub(super) fn measure<A: AsRef<OsStr>>(&self, command: &[A]) -> anyhow::Result<Usage> {
        let output = Command::new(&self.this).args(["measured", "--"]).args(command).output()?;
        let said = || String::from_utf8_lossy(&output.stderr).trim().trim_start_matches("error: ").to_owned();
        ensure!(output.status.success(), "{}", said());
        let usage: Usage = serde_json::from_slice(&output.stdout)?;
        let shown =
            || command.iter().map(|word| word.as_ref().to_string_lossy()).collect::<Vec<_>>().join(" ");
        ensure!(usage.success, "failed: {}\n{}", shown(), said());
        Ok(usage)
    }

    /// The peak memory of a command that does nothing, in bytes: no figure can be below it.
    ///
    /// A child on Linux is charged with the memory of its parent until it is a program of its own.
    pub(super) fn floor(&self) -> anyhow::Result<u64> {
        Ok(self.measure(&["true"])?.peak)
    }

    /// This program.
    pub(super) fn this(&self) -> &std::path::Path {
        &self.this
    }

    /// A command of this program, for measurements that it takes of itself.
    pub(super) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.this);
        command.arg(name);
        command
    }
}
