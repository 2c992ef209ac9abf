//! What all tests share: the command, a folder to run it in, and what came of a run.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use portolan_schema::artifact::{Artifact, decode};
use serde_json::Value;
use tempfile::TempDir;

/// The executable of `cargo xtask`.
pub(crate) fn xtask() -> &'static Path {
    built("xtask")
}

/// A program of the workspace. All that tests run are built together, once, in the profile that the
/// tests are in.
pub(crate) fn built(program: &str) -> &'static Path {
    static BUILT: OnceLock<HashMap<String, PathBuf>> = OnceLock::new();
    &BUILT.get_or_init(build)[program]
}

fn build() -> HashMap<String, PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
    let mut build = Command::new(cargo);
    build.current_dir(workspace()).args(["build", "--message-format=json"]);
    build.args(["--package", "xtask", "--package", "portolan"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let output = build.output().unwrap();
    assert!(output.status.success(), "can't be built:\n{}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8(output.stdout).unwrap();
    let executables = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let name = message["target"]["name"].as_str()?.to_owned();
        Some((name, PathBuf::from(message["executable"].as_str()?)))
    });
    executables.collect()
}

/// The root of the workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A path beside the workspace, in `../shared`. Says so where it isn't there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let path = workspace().parent().unwrap().join("shared").join(path);
    if path.exists() {
        return Some(path);
    }
    skipped(&format!("{} is not there", path.display()));
    None
}

/// Says that a test, or a part of it, is left out.
pub(crate) fn skipped(why: &str) {
    let thread = std::thread::current();
    eprintln!("skipped: {}: {why}", thread.name().unwrap_or("a test"));
}

/// Whether a program is there, and runs. Says so where it doesn't.
pub(crate) fn has(program: &str, arguments: &[&str]) -> bool {
    let runs = Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success());
    if !runs {
        skipped(&format!("`{program}` is not there, or can't do what is asked of it"));
    }
    runs
}

/// A program as the tests run it: the git repository that the tests themselves lie in, and what the
/// user has configured, play no part.
pub(crate) fn isolated(program: impl AsRef<OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .env("GIT_CEILING_DIRECTORIES", folder.canonicalize().unwrap().parent().unwrap())
        .env("GIT_CONFIG_GLOBAL", "")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("NO_COLOR", "1");
    command
}

/// A folder with filter files and extracts, in which the command is run.
pub(crate) struct Org {
    folder: TempDir,
}

impl Org {
    /// A folder with those objects on the allowlist and an empty blocklist.
    pub(crate) fn new<S: AsRef<str>>(objects: &[S]) -> Self {
        let org = Self { folder: tempfile::tempdir().unwrap() };
        org.allow(objects);
        org.write("blocklist.toml", "");
        org
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// Writes a file, and the folders that it is in.
    pub(crate) fn write(&self, below: &str, content: impl AsRef<[u8]>) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, below: &str) -> Vec<u8> {
        fs::read(self.path(below)).unwrap_or_else(|problem| panic!("{below}: {problem}"))
    }

    pub(crate) fn json(&self, below: &str) -> Value {
        serde_json::from_slice(&self.read(below)).unwrap()
    }

    /// The artifact in `artifacts/`, decoded, every hash in it verified.
    pub(crate) fn artifact(&self) -> Artifact {
        decode(&self.read("artifacts/schema.msgpack")).unwrap()
    }

    /// Replaces the allowlist.
    pub(crate) fn allow<S: AsRef<str>>(&self, objects: &[S]) {
        let objects: Vec<_> = objects.iter().map(|name| format!("  \"{}\",\n", name.as_ref())).collect();
        self.write("allowlist.toml", format!("objects = [\n{}]\n", objects.concat()));
    }

    /// The command `build-schema`, not yet run.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = isolated(xtask(), self.folder.path());
        command.arg("build-schema").args(arguments);
        command
    }

    /// Runs `build-schema`.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        Run::of(&self.command(arguments).output().unwrap())
    }

    /// The names in a folder, ascending.
    pub(crate) fn names(&self, below: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(below)).into_iter().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }
}

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Fails unless the command ended with that exit code and said all of those things.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, says: &[&str]) -> &Self {
        let Self { out, err, .. } = self;
        assert_eq!(self.code, Some(code), "the exit code, of\n{out}\n{err}");
        for part in says {
            assert!(out.contains(part) || err.contains(part), "'{part}' is missing from\n{out}\n{err}");
        }
        self
    }
}

/// A native extract with those objects: a name, and the fields as JSON without the braces.
pub(crate) fn native(objects: &[(&str, &[&str])]) -> String {
    let objects: Vec<_> = objects
        .iter()
        .map(|(name, fields)| {
            let fields: Vec<_> = fields.iter().map(|field| format!("\n    {{ {field} }}")).collect();
            format!("\n  {{ \"name\": \"{name}\", \"fields\": [{}\n  ]}}", fields.join(","))
        })
        .collect();
    format!("{{ \"format\": \"portolan-extract/1\", \"objects\": [{}\n]}}\n", objects.join(","))
}
