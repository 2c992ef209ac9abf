//! The command `build-schema`, for every binary that has it.
//!
//! A command line becomes [`Inputs`], one call of [`compile`], and files. Data goes
//! to `out`, everything else to `err`.

mod base;
mod render;

use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use crate::config::{self, TextFile};
use crate::diagnostic::{Diagnostic, Place, visible};
use crate::ingest::{self, Root};
use crate::{Compiled, Inputs, Stale, compile};

/// Compile an org's metadata extract into the schema artifact.
///
/// Exit codes: 0 the artifact was written (or, with --check, is current); 1 with --check, it is
/// stale; 2 the build could not be done, and nothing was written.
#[derive(clap::Args, Debug)]
pub struct BuildSchema {
    /// Files or folders with the metadata, plain or compressed (.gz, .zst, .xz, .bz2, .zip, .tar);
    /// several are merged [default: `extract` of the allowlist]
    extracts: Vec<PathBuf>,
    /// The extract's format; auto looks inside the files
    #[arg(long, default_value = "auto", value_parser = clap::builder::PossibleValuesParser::new(ingest::format_names()))]
    format: String,
    /// The objects to keep
    #[arg(long, default_value = "allowlist.toml", value_name = "FILE")]
    allowlist: PathBuf,
    /// The fields and objects that no question needs
    #[arg(long, default_value = "blocklist.toml", value_name = "FILE")]
    blocklist: PathBuf,
    /// The folder with the tasks, a TOML file each [default: tasks, where there is one]
    #[arg(long, value_name = "FOLDER")]
    tasks: Option<PathBuf>,
    /// The folder of the artifact
    #[arg(long, default_value = "artifacts", value_name = "FOLDER")]
    out: PathBuf,
    /// What the version continues from: an artifact, a folder with one, or a git revision
    /// [default: the merge base with the default branch, else the artifact in --out]
    #[arg(long, value_name = "REV|PATH")]
    base: Option<String>,
    /// Write nothing; say whether the artifact is current
    #[arg(long)]
    check: bool,
    /// How to report
    #[arg(long, value_enum, default_value = "text")]
    report: ReportFormat,
    /// Count tokens (o200k) of the extract and of the schema
    #[arg(long)]
    tokens: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum ReportFormat {
    Text,
    Json,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: all is well.
    Good,
    /// 1: a finding.
    Finding,
    /// 2: it could not be done.
    Failed,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Good => Self::from(0),
            Exit::Finding => Self::from(1),
            Exit::Failed => Self::from(2),
        }
    }
}

/// Where a command writes, and whether a person sees colours there.
pub struct Console<'c> {
    /// Data.
    pub out: &'c mut dyn Write,
    /// Everything else.
    pub err: &'c mut dyn Write,
    /// Whether `err` takes colours.
    pub colour: bool,
}

impl Console<'_> {
    /// Prints data. That nobody reads on (`| head`) is no failure of what was done.
    pub fn print(&mut self, data: &[u8]) -> io::Result<()> {
        match self.out.write_all(data).and_then(|()| self.out.flush()) {
            Err(problem) if problem.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            printed => printed,
        }
    }

    /// Runs a command on the process's own standard output and error.
    pub fn standard<T>(run: impl FnOnce(&mut Console<'_>) -> T) -> T {
        let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
        let colour = err.is_terminal() && std::env::var_os("NO_COLOR").is_none();
        run(&mut Console { out: &mut out, err: &mut err, colour })
    }
}

impl BuildSchema {
    /// Runs the command.
    pub fn run(&self, console: &mut Console<'_>) -> io::Result<Exit> {
        let (compiled, diagnostics) = self.build();
        for diagnostic in &diagnostics {
            writeln!(console.err, "{}", render::diagnostic(diagnostic, console.colour))?;
        }
        let Some(compiled) = compiled else {
            let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
            writeln!(
                console.err,
                "{errors} error{}: nothing was written",
                if errors == 1 { "" } else { "s" }
            )?;
            return Ok(Exit::Failed);
        };
        if self.check {
            return self.report_check(&compiled, console);
        }
        if let Err(problem) = compiled.outputs.write(&self.out) {
            let fault = Diagnostic::error(format!("can't write {problem}"))
                .help("check that the folder can be written to and has room; what was there is as it was");
            writeln!(console.err, "{}", render::diagnostic(&fault, console.colour))?;
            return Ok(Exit::Failed);
        }
        console.print(&self.report(&compiled)).map_err(|problem| {
            let written =
                format!("{} was written, but the report can't be printed: {problem}", self.out.display());
            io::Error::new(problem.kind(), written)
        })?;
        self.report_tokens(&compiled, console)?;
        Ok(Exit::Good)
    }

    fn report(&self, compiled: &Compiled) -> Vec<u8> {
        match self.report {
            ReportFormat::Json => compiled.manifest.to_json(),
            ReportFormat::Text => {
                let mut text = compiled.manifest.to_text();
                let base = compiled.base.iter().map(|base| (visible(&base.name), &base.artifact.version));
                let lines =
                    base.map(|(name, version)| format!("\nthe version continues from {name} ({version})\n"));
                text.extend(lines);
                text.extend(["\nwritten to ", &visible(&self.out.display().to_string()), "\n"]);
                text.into_bytes()
            }
        }
    }

    fn build(&self) -> (Option<Compiled>, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let mut read = |path: &Path, what: &str| {
            read_text(path, what).unwrap_or_else(|fault| {
                diagnostics.push(fault);
                TextFile { name: "".into(), text: "".into() }
            })
        };
        let allowlist = read(&self.allowlist, "allowlist");
        let blocklist = read(&self.blocklist, "blocklist");
        let tasks = self.read_tasks().unwrap_or_else(|faults| {
            diagnostics.extend(faults);
            Vec::new()
        });
        let base = base::find(self.base.as_deref(), &self.out, self.check).unwrap_or_else(|fault| {
            diagnostics.push(fault);
            None
        });
        if !diagnostics.is_empty() {
            return (None, diagnostics);
        }
        let (config, mut diagnostics) = config::parse(&allowlist, &blocklist);
        let extracts = self.roots(&config, &allowlist, &mut diagnostics);
        // Without objects or an extract there is nothing to compare the rest with.
        if extracts.is_empty() || config.objects.is_empty() {
            return (None, diagnostics);
        }
        let inputs = Inputs { extracts, format: self.format.clone(), allowlist, blocklist, tasks, base };
        let (compiled, found) = compile(inputs, config);
        diagnostics.extend(found);
        (compiled.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)), diagnostics)
    }

    /// The tasks' files, in the order of their names.
    fn read_tasks(&self) -> Result<Vec<TextFile>, Vec<Diagnostic>> {
        let folder = self.tasks.as_deref().unwrap_or(Path::new("tasks"));
        if self.tasks.is_none() && fs::symlink_metadata(folder).is_err() {
            return Ok(Vec::new());
        }
        let unreadable = |problem: io::Error| {
            let fault = Diagnostic::error(format!("the tasks can't be read: {problem}"));
            vec![fault.at(Place::file(folder.to_string_lossy().into_owned()))]
        };
        let entries = fs::read_dir(folder).map_err(unreadable)?;
        let mut paths = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<_>>>()
            .map_err(unreadable)?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort_unstable();
        let (mut files, mut faults) = (Vec::new(), Vec::new());
        for path in paths {
            // A pipe would be waited for, and a device read for ever.
            if path.metadata().is_ok_and(|found| !found.is_file()) {
                let place = Place::file(path.to_string_lossy().into_owned());
                faults.push(Diagnostic::error("a task is a file").at(place));
                continue;
            }
            match read_text(&path, "task") {
                Ok(file) => files.push(file),
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() { Ok(files) } else { Err(faults) }
    }

    fn roots(
        &self,
        config: &config::Config,
        allowlist: &TextFile,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Root> {
        let root = |path: &PathBuf| Root { path: path.clone(), named_at: None };
        let roots = match self.extracts.as_slice() {
            [] => config.roots(self.allowlist.parent().unwrap_or(Path::new(""))),
            named => named.iter().map(root).collect(),
        };
        if roots.is_empty() && !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.push(
                Diagnostic::error("no extract is named")
                    .at(Place::file(allowlist.name.clone()))
                    .help("name it on the command line, or in the allowlist: extract = [\"…\"]"),
            );
        }
        roots
    }

    fn report_check(&self, compiled: &Compiled, console: &mut Console<'_>) -> io::Result<Exit> {
        let stale = compiled.outputs.compare(&self.out);
        let shown = |path: &Path| visible(&path.display().to_string());
        if stale.is_empty() {
            console.print(format!("{} is current\n", shown(&self.out)).as_bytes())?;
            return Ok(Exit::Good);
        }
        let lines = stale
            .iter()
            .map(|Stale { file, why }| format!("{} is stale: {why}\n", shown(&self.out.join(file))));
        let mend = "to mend it, run the same command without --check, and commit what it writes\n";
        console.print((lines.collect::<String>() + mend).as_bytes())?;
        Ok(Exit::Finding)
    }

    /// Counts tokens where that was asked for and this binary can.
    fn report_tokens(&self, compiled: &Compiled, console: &mut Console<'_>) -> io::Result<()> {
        if !self.tokens {
            return Ok(());
        }
        #[cfg(feature = "tokens")]
        return writeln!(console.err, "{}", crate::tokens::report(&compiled.extracts, &compiled.artifact));
        #[cfg(not(feature = "tokens"))]
        return writeln!(console.err, "this binary was built without a tokenizer: --tokens does nothing");
    }
}

fn read_text(path: &Path, what: &str) -> Result<TextFile, Diagnostic> {
    let name = path.to_string_lossy().into_owned();
    let fault = |message: String| Diagnostic::error(message).at(Place::file(name.as_str()));
    let bytes = fs::read(path).map_err(|problem| {
        let option = if what == "task" { "tasks" } else { what };
        fault(format!("the {what} can't be read: {problem}"))
            .help(format!("run this from the folder that holds it, or name it with --{option}"))
    })?;
    let text = String::from_utf8(bytes).map_err(|problem| {
        fault(format!("the {what} is not UTF-8, from byte {} on", problem.utf8_error().valid_up_to()))
            .help("save it as UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(TextFile { name: name.into(), text: text.into() })
}
