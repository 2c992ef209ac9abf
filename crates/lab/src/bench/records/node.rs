//! The baseline in Node: a process that asks what it is told to, when it is told to.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, ensure};

use super::question::Question;

/// Below this crate; the lock file pins what is installed.
const BASELINE: &str = "crates/lab/baseline/records";
const FILES: [&str; 3] = ["package.json", "package-lock.json", "records.mjs"];
const LOCK: &str = "package-lock.json";
const INSTALLED: &str = "installed.json";

/// The running script.
pub(super) struct Node {
    process: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// `node v20.11.1`
    pub version: String,
}

impl Node {
    /// Starts the script in a folder, where what it needs is installed once.
    pub(super) fn start(
        workspace: &Path,
        folder: &Path,
        database: &Path,
        questions: &[Question],
    ) -> anyhow::Result<Self> {
        let version = said(Command::new("node").arg("--version"))?;
        let folder = install(&workspace.join(BASELINE), folder)?;
        let file = folder.join("questions.json");
        fs::write(&file, serde_json::to_vec(questions)?)?;
        let mut command = Command::new("node");
        command.arg(folder.join("records.mjs")).arg(database).arg(&file);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let commands = process.stdin.take().context("no input")?;
        let answers = BufReader::new(process.stdout.take().context("no output")?);
        Ok(Self { process, commands, answers, version: format!("node {version}") })
    }

    /// The answer to a question.
    pub(super) fn show(&mut self, question: usize, at: usize) -> anyhow::Result<String> {
        self.line(&format!("show {question} {at}"))
    }

    /// How long a call took, of so many, in seconds.
    pub(super) fn time(&mut self, question: usize, calls: u32) -> anyhow::Result<f64> {
        Ok(self.line(&format!("time {question} {calls}"))?.parse::<f64>()? / 1e9)
    }

    fn line(&mut self, command: &str) -> anyhow::Result<String> {
        writeln!(self.commands, "{command}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        ensure!(!line.is_empty(), "the script has ended");
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // Whether it runs or has ended already, it isn't needed any more.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn install(from: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    for file in FILES {
        fs::copy(from.join(file), folder.join(file)).with_context(|| format!("{file} can't be copied"))?;
    }
    let (lock, installed) = (fs::read(folder.join(LOCK))?, folder.join(INSTALLED));
    if fs::read(&installed).ok().as_ref() != Some(&lock) {
        said(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))?;
        fs::write(&installed, lock)?;
    }
    Ok(folder.to_owned())
}

/// What a command prints; an error, where it fails.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("{program} can't be run"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program} failed: {}", errors.trim());
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
