//! The dependency rule: a crate may depend only on those that the table in ARCHITECTURE.md allows it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, ensure};
use serde_json::Value;

/// Compares the workspace's dependency edges with the table's.
pub(crate) fn check() -> anyhow::Result<ExitCode> {
    let metadata = metadata()?;
    let root = metadata["workspace_root"].as_str().context("cargo names no workspace")?;
    let table = std::fs::read_to_string(format!("{root}/ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let allowed = allowed(&table);
    ensure!(!allowed.is_empty(), "ARCHITECTURE.md has no dependency table");
    let mut problems = Vec::new();
    for (package, dependencies) in edges(&metadata) {
        match allowed.get(&package) {
            None => problems.push(format!("{package} is not in the table of ARCHITECTURE.md")),
            Some(allowed) => problems.extend(dependencies.difference(allowed).map(|dependency| {
                format!("{package} depends on {dependency}, which the table doesn't allow")
            })),
        }
    }
    let mut out = std::io::stdout().lock();
    for problem in &problems {
        writeln!(out, "{problem}")?;
    }
    if problems.is_empty() {
        writeln!(out, "the dependencies are those of ARCHITECTURE.md")?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::from(1))
}

fn metadata() -> anyhow::Result<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["metadata", "--format-version", "1", "--no-deps"];
    let output = Command::new(cargo).args(arguments).output().context("cargo metadata can't be run")?;
    ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The table's rows: the package in the third column, what it may depend on in the fourth, by the
/// packages' names without `portolan-`; `all` stands for every other row.
fn allowed(architecture: &str) -> BTreeMap<String, BTreeSet<String>> {
    let rows: Vec<(String, Vec<String>)> = architecture
        .lines()
        .filter(|line| line.starts_with('|'))
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let package = cells.get(3)?.strip_prefix('`')?.strip_suffix('`')?.to_owned();
            let names = cells.get(4)?.split(',').map(|name| name.trim().trim_matches('`').to_owned());
            Some((package, names.collect()))
        })
        .collect();
    let every: BTreeSet<String> = rows.iter().map(|(package, _)| package.clone()).collect();
    let resolve = |name: &String| match name.as_str() {
        "all" => every.clone(),
        "–" => BTreeSet::new(),
        name => BTreeSet::from([format!("portolan-{name}")]),
    };
    rows.iter().map(|(package, names)| (package.clone(), names.iter().flat_map(resolve).collect())).collect()
}

/// Which packages of the workspace each of them depends on, tests included.
fn edges(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let packages = || metadata["packages"].as_array().into_iter().flatten();
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let ours: BTreeSet<String> = packages().map(name).collect();
    packages()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().into_iter().flatten().map(name);
            (name(package), dependencies.filter(|dependency| ours.contains(dependency)).collect())
        })
        .collect()
}
