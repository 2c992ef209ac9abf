//! Cases: a folder under `cases/passing/` or `cases/failing/` is one, and needs no code.
//!
//! A case holds what `build-schema` is run in:
//! - what is called `extract…` (files, folders): given to the command, in the order of names;
//! - `allowlist.toml`, `blocklist.toml`: where one is missing, the one in `cases/` is used;
//! - `args`: further arguments, one a line;
//! - `mkdir`: folders to make first, one a line (git keeps no empty ones);
//! - anything else: just there.
//!
//! and what is expected of it: `expected.txt`, the exit code and what was printed, and for a passing
//! case `expected.json`, the `schema.json` that was written. Content hashes are left out: they say
//! nothing to who reads them. With `UPDATE_SNAPSHOTS=` a part of its name in the
//! environment (or `1`: all of them) a case's are written anew; read the diff before you commit it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Org, workspace};

const SNAPSHOT: &str = "expected.txt";
const SCHEMA: &str = "expected.json";

#[test]
fn passing() {
    check_all("passing", 0);
}

#[test]
fn failing() {
    check_all("failing", 2);
}

/// Runs every case of a kind and reports all that differ.
fn check_all(kind: &str, code: i32) {
    let cases = workspace().join("tests/cases");
    let folders = names(&cases.join(kind));
    assert!(!folders.is_empty(), "there are no cases in {kind}");
    let mut problems = String::new();
    for name in &folders {
        let folder = cases.join(kind).join(name);
        for problem in check(&cases, &folder, code) {
            let _ = writeln!(problems, "\n== {kind}/{name}: {problem}");
        }
    }
    assert!(
        problems.is_empty(),
        "{problems}\nIf that is right: UPDATE_SNAPSHOTS=1 cargo test -p portolan-tests"
    );
}

fn check(cases: &Path, folder: &Path, code: i32) -> Vec<String> {
    let org = Org::new(&["account"]);
    for file in ["allowlist.toml", "blocklist.toml"] {
        fs::copy(cases.join(file), org.path(file)).unwrap();
    }
    copy(folder, &org.path(""));
    for made in lines(&folder.join("mkdir")) {
        fs::create_dir_all(org.path(&made)).unwrap();
    }
    let mut arguments: Vec<String> =
        org.names("").into_iter().filter(|name| name.starts_with("extract")).collect();
    arguments.extend(lines(&folder.join("args")));
    let run = org.run(&arguments);

    let mut problems = Vec::new();
    if run.code != Some(code) {
        problems.push(format!("exit code {:?} instead of {code}\n{}{}", run.code, run.out, run.err));
    }
    let written = org.names("artifacts");
    let expected: &[&str] = if code == 0 { &["manifest.json", "schema.json", "schema.msgpack"] } else { &[] };
    if written != expected {
        problems.push(format!("artifacts/ holds {written:?} instead of {expected:?}"));
    }
    let snapshot = format!("exit code {code}\n\n--- stdout\n{}\n--- stderr\n{}", run.out, run.err);
    // What ended the wrong way is never made the snapshot of a case.
    if problems.is_empty() {
        problems.extend(compare(&folder.join(SNAPSHOT), &snapshot));
    }
    if code == 0 && problems.is_empty() {
        let schema = String::from_utf8(org.read("artifacts/schema.json")).unwrap();
        problems.extend(compare(&folder.join(SCHEMA), &schema));
    }
    problems
}

/// What differs from a snapshot; with `UPDATE_SNAPSHOTS` the snapshot is made to fit.
fn compare(path: &Path, found: &str) -> Option<String> {
    let found = without_hashes(found);
    let expected = fs::read_to_string(path).unwrap_or_default();
    if found == expected {
        return None;
    }
    if updates(path) {
        fs::write(path, &found).unwrap();
        return None;
    }
    let name = path.file_name().unwrap().to_string_lossy();
    let at = found.lines().zip(expected.lines()).take_while(|(found, expected)| found == expected).count();
    Some(format!("{name} differs from line {} on.\n-- expected\n{expected}\n-- found\n{found}", at + 1))
}

fn updates(path: &Path) -> bool {
    let case = path.parent().unwrap().to_string_lossy();
    std::env::var("UPDATE_SNAPSHOTS").is_ok_and(|part| part == "1" || case.contains(&part))
}

/// The text with each hash of 64 digits as `…`.
fn without_hashes(text: &str) -> String {
    let mut parts = text.split("sha256:");
    let mut cut = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let _ = write!(cut, "sha256:…{}", part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    cut
}

fn copy(from: &Path, to: &Path) {
    for name in names(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            fs::create_dir_all(&to).unwrap();
            copy(&from, &to);
        } else if ![SNAPSHOT, SCHEMA, "args", "mkdir"].contains(&name.as_str()) {
            fs::copy(&from, &to).unwrap();
        }
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

fn lines(path: &PathBuf) -> Vec<String> {
    fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}
