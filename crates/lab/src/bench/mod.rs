//! `bench`: what building and opening an artifact takes, and answering from it and from records, beside baselines that
//! do the same job.
//!
//! Every figure is a median with its least and greatest. What is compared ran in turn, A B A B, after
//! one round that isn't counted, so that whatever the machine did meanwhile fell on both.
//!
//! - `build`, `memory`, `open`, `answers`, `records`: the benches.
//! - `measured`: processor time and memory of a command; `filter`: what the baseline reads.
//! - `stats`, `table`: figures and how they are shown.

mod answers;
mod build;
mod filter;
mod measured;
mod memory;
mod open;
mod records;
mod stats;
mod table;

use std::ffi::OsString;
use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use portolan_compile::TextFile;
use tempfile::TempDir;

pub use self::answers::{AnswerOne, Sessions};
pub use self::measured::Measured;
use self::measured::{Runner, Usage};
pub use self::open::OpenOne;
use crate::sample_org::{Layout, SampleOrg, Written};

/// Measure what building and opening an artifact takes, and answering from it and from records.
///
/// Exit codes: 0 it was measured; 2 it could not be, or the baseline's files differ from ours.
#[derive(clap::Args)]
pub struct Bench {
    /// What to measure [default: all]
    #[arg(value_enum)]
    benches: Vec<Which>,
    /// Measure memory at 53,000 objects, too: needs 2 GB of temporary disk
    #[arg(long)]
    large: bool,
    /// How often each is measured [default: build 15, memory 5, open 50, answers 25, records 25]
    #[arg(long, value_name = "N")]
    runs: Option<NonZeroU32>,
    /// The program with `build-schema` that is measured [default: xtask beside this program]
    #[arg(long, value_name = "PATH")]
    builder: Option<PathBuf>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Which {
    Build,
    Memory,
    Open,
    Answers,
    Records,
}

impl Bench {
    /// Measures, and prints tables.
    pub fn run(&self) -> anyhow::Result<()> {
        let bench = Workbench::new(self.builder.as_deref())?;
        let runs = |otherwise: u32| self.runs.map_or(otherwise, NonZeroU32::get);
        let wanted = |which| self.benches.is_empty() || self.benches.contains(&which);
        let mut out = std::io::stdout().lock();
        writeln!(out, "measured: {}", bench.builder.display())?;
        if wanted(Which::Build) {
            build::run(&bench, runs(15), &mut out)?;
        }
        if wanted(Which::Memory) {
            memory::run(&bench, runs(5), self.large, &mut out)?;
        }
        if wanted(Which::Open) {
            open::run(&bench, runs(50), &mut out)?;
        }
        if wanted(Which::Answers) {
            answers::run(&bench, runs(25), &mut out)?;
        }
        if wanted(Which::Records) {
            records::run(&bench, runs(25), &mut out)?;
        }
        Ok(())
    }
}

/// What all benches need: the program, the sample org's extract and a temporary folder.
struct Workbench {
    runner: Runner,
    builder: PathBuf,
    workspace: PathBuf,
    folder: TempDir,
    extract: Extract,
}

/// An extract with its size.
struct Extract {
    path: PathBuf,
    written: Written,
}

impl Workbench {
    fn new(builder: Option<&Path>) -> anyhow::Result<Self> {
        let builder = match builder {
            Some(named) => named.to_owned(),
            None => std::env::current_exe()?.with_file_name(format!("xtask{}", std::env::consts::EXE_SUFFIX)),
        };
        ensure!(
            builder.is_file(),
            "there is no {}: run `cargo xtask bench`, or name the program with --builder",
            builder.display()
        );
        // Outside any repository: the builder looks for git's idea of the version before this one.
        let folder = tempfile::Builder::new().prefix("portolan-bench-").tempdir()?;
        let extract = Extract::generate(SampleOrg::default(), folder.path())?;
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
        Ok(Self { runner: Runner::new()?, builder, workspace, folder, extract })
    }

    /// The command that builds that extract's artifact into a folder.
    fn build_schema(&self, extract: &Path, out: &Path) -> Vec<OsString> {
        let mut command: Vec<OsString> =
            vec![self.builder.clone().into(), "build-schema".into(), extract.into()];
        for (option, file) in [("--allowlist", "allowlist.toml"), ("--blocklist", "blocklist.toml")] {
            command.extend([option.into(), self.workspace.join(file).into()]);
        }
        command.extend(["--out".into(), out.into()]);
        command
    }

    /// Builds into an empty folder, and says what that took.
    fn build(&self, extract: &Path, out: &Path) -> anyhow::Result<Usage> {
        empty(out)?;
        self.runner.measure(&self.build_schema(extract, out))
    }

    /// A path in the temporary folder.
    fn temporary(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file of the workspace.
    fn text(&self, file: &str) -> anyhow::Result<TextFile> {
        let path = self.workspace.join(file);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok(TextFile { name: file.into(), text: text.into() })
    }
}

impl Extract {
    fn generate(org: SampleOrg, folder: &Path) -> anyhow::Result<Self> {
        let (path, written) = org.write(folder, Layout::File)?;
        Ok(Self { path, written })
    }

    /// `530 objects, 19.4 MB of JSON`.
    fn show(&self) -> String {
        format!("{} objects, {:.1} MB of JSON", self.written.objects, self.written.bytes as f64 / 1e6)
    }
}

/// Makes a folder that has nothing in it.
fn empty(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    Ok(std::fs::create_dir_all(folder)?)
}

/// A whole number of bytes in MiB.
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
