//! Which artifact a build continues: found in git, through the `git` program, or in a file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::diagnostic::{Diagnostic, Place};
use crate::emit::ARTIFACT;
use crate::version::Base;

/// Branches that a repository's work starts from, the likeliest first.
const DEFAULT_BRANCHES: [&str; 5] = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
];

/// Finds the base: the one that was named, else the artifact at the merge base with the default
/// branch, else the artifact in the output folder, else none.
///
/// While checking, a damaged artifact in the output folder is no base but a finding to come.
pub(super) fn find(named: Option<&str>, out: &Path, checking: bool) -> Result<Option<Base>, Diagnostic> {
    if let Some(named) = named {
        return find_named(named, out).map(Some);
    }
    if let Some(revision) = merge_base(out)
        && let Some(bytes) = artifact_at(&revision, out)
    {
        return decode(format!("{ARTIFACT} at {revision}"), &bytes).map(Some);
    }
    let path = out.join(ARTIFACT);
    match fs::read(&path) {
        Ok(bytes) => match decode(path.display().to_string(), &bytes) {
            Err(_) if checking => Ok(None),
            Err(fault) => {
                Err(fault.help("restore it, name another base with --base, or delete it to start at 1.0.0"))
            }
            Ok(base) => Ok(Some(base)),
        },
        Err(_) => Ok(None),
    }
}

fn find_named(named: &str, out: &Path) -> Result<Base, Diagnostic> {
    let path = PathBuf::from(named);
    if path.exists() {
        let path = if path.is_dir() { path.join(ARTIFACT) } else { path };
        let bytes = fs::read(&path).map_err(|problem| {
            Diagnostic::error(format!("the base can't be read: {problem}"))
                .at(Place::file(path.display().to_string()))
                .help("name an artifact, a folder with one, or a git revision")
        })?;
        return decode(path.display().to_string(), &bytes);
    }
    if git(out, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{named}^{{commit}}")])
        .is_none()
    {
        return Err(Diagnostic::error(format!("'{named}' is neither a file nor a git revision"))
            .help("fetch it, or name an artifact, a folder with one, or a revision that is here"));
    }
    let bytes = artifact_at(named, out).ok_or_else(|| {
        Diagnostic::error(format!("revision '{named}' has no {}", out.join(ARTIFACT).display()))
            .help("name a revision in which the artifact was committed")
    })?;
    decode(format!("{ARTIFACT} at {named}"), &bytes)
}

fn decode(name: String, bytes: &[u8]) -> Result<Base, Diagnostic> {
    Base::decode(name.clone(), bytes).map_err(|problem| {
        Diagnostic::error(format!("the base can't be used: {problem}"))
            .at(Place::file(name))
            .help(format!("name a whole {ARTIFACT}, a folder with one, or a git revision that has one"))
    })
}

fn merge_base(out: &Path) -> Option<String> {
    let list = [&["for-each-ref", "--format=%(refname)"], &DEFAULT_BRANCHES[..]].concat();
    let there = String::from_utf8(git(out, &list)?).ok()?;
    let branch = DEFAULT_BRANCHES.iter().find(|branch| there.lines().any(|line| line == **branch))?;
    let revision = git(out, &["merge-base", "HEAD", branch])?;
    Some(String::from_utf8_lossy(&revision).trim().to_owned())
}

fn artifact_at(revision: &str, out: &Path) -> Option<Vec<u8>> {
    let (_, below) = existing(out);
    git(out, &["show", "--end-of-options", &format!("{revision}:./{below}{ARTIFACT}")])
}

/// What a git command prints, run in the output folder; `None` where it fails: no git, no
/// repository, no such thing in it.
fn git(out: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let (folder, _) = existing(out);
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        // The repository is the one around the folder, whatever a hook says; nothing is fetched or asked.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then_some(output.stdout)
}

/// The nearest folder to `out` that there is, and the way from it to `out`, with `/`.
fn existing(out: &Path) -> (&Path, String) {
    let mut below = String::new();
    for folder in out.ancestors() {
        if folder.as_os_str().is_empty() {
            break;
        }
        if folder.is_dir() {
            return (folder, below);
        }
        if let Some(name) = folder.file_name() {
            below.insert_str(0, &format!("{}/", name.to_string_lossy()));
        }
    }
    (Path::new("."), below)
}
