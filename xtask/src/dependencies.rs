//! The dependency rule: a crate may depend only on those that the table in ARCHITECTURE.md allows it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

/// What cargo says about the workspace, as far as it matters here.
#[derive(Deserialize)]
struct Metadata {
    workspace_root: String,
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
}

/// Compares the workspace's dependency edges with the table's.
pub(crate) fn check() -> anyhow::Result<ExitCode> {
    let metadata = metadata()?;
    let table = std::fs::read_to_string(format!("{}/ARCHITECTURE.md", metadata.workspace_root))
        .context("ARCHITECTURE.md")?;
    let allowed = allowed(&table);
    ensure!(!allowed.is_empty(), "ARCHITECTURE.md has no dependency table");
    let mut problems = Vec::new();
    for (package, dependencies) in edges(&metadata) {
        let Some(allowed) = allowed.get(package) else {
            problems.push(format!("{package} is not in the table of ARCHITECTURE.md"));
            continue;
        };
        for dependency in dependencies.into_iter().filter(|dependency| !allowed.contains(*dependency)) {
            problems.push(format!("{package} depends on {dependency}, which the table doesn't allow"));
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

fn metadata() -> anyhow::Result<Metadata> {
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

/// Which packages of the workspace each of them depends on, for its tests included.
fn edges(metadata: &Metadata) -> BTreeMap<&str, BTreeSet<&str>> {
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    metadata
        .packages
        .iter()
        .map(|package| {
            let named = package.dependencies.iter().map(|dependency| dependency.name.as_str());
            // A package may name itself to turn on features for its own tests.
            let others = named.filter(|name| ours.contains(name) && *name != package.name);
            (package.name.as_str(), others.collect())
        })
        .collect()
}
