//! `build`: the whole process of `build-schema` against a plain script that does the same.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::filter::Filter;
use super::measured::Usage;
use super::stats::{Spread, Unit};
use super::table::{Table, target};
use super::{Workbench, empty, mebibytes};

/// The baseline, below this crate.
const SCRIPT: &str = "crates/lab/baseline/build-schema.mjs";
/// The files that both make.
const FILES: [&str; 2] = ["schema.json", "schema.msgpack"];
const TARGET: &str = "at least 10x less CPU";
const TARGET_RATIO: f64 = 10.0;

/// Measures both programs in turn; only ours where there is no `node`.
pub(super) fn run(bench: &Workbench, runs: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let node = node_version();
    writeln!(out, "\nbuild: {}; {runs} runs in turn after one uncounted", bench.extract.show())?;
    if node.is_none() {
        writeln!(
            out,
            "  THERE IS NO `node` HERE: the baseline is not measured, and these figures stand alone"
        )?;
    }
    let (ours_out, theirs_out) = (bench.temporary("ours"), bench.temporary("theirs"));
    let baseline = node.as_ref().map(|_| baseline(bench, &theirs_out)).transpose()?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..=runs {
        let our = bench.build(&bench.extract.path, &ours_out)?;
        let their = match &baseline {
            Some(command) => {
                empty(&theirs_out)?;
                Some(bench.runner.measure(command)?)
            }
            None => None,
        };
        if round > 0 {
            ours.push(our);
            theirs.extend(their);
        } else if their.is_some() {
            let sizes = same_files(&ours_out, &theirs_out)?;
            writeln!(out, "  the files of both are byte-equal: {sizes}")?;
        }
    }
    let mut table = Table::default();
    let heading = ["", "build-schema", &node.map_or_else(String::new, |version| format!("node {version}"))];
    table.row(heading.into_iter().chain(baseline.is_some().then_some("ratio, pair by pair")));
    for (name, unit, figure) in FIGURES {
        let values = |usages: &[Usage]| usages.iter().map(figure).collect::<Vec<f64>>();
        let (ours, theirs) = (values(&ours), values(&theirs));
        let mut row =
            vec![(*name).to_owned(), Spread::of(ours.iter().copied()).context("no run")?.show(*unit)];
        row.extend(Spread::of(theirs.iter().copied()).map(|spread| spread.show(*unit)));
        if let Some(ratio) = Spread::of_ratios(&theirs, &ours) {
            row.push(ratio.show(Unit::Times));
            row.extend((*name == "CPU").then(|| target(TARGET, ratio.median >= TARGET_RATIO)));
        }
        table.row(row);
    }
    write!(out, "{table}")?;
    writeln!(
        out,
        "  CPU is user and system time of the whole process; wall includes flushing to disk (build-schema only);\n  \
         no peak can be below that of `true`: {:.2} MiB",
        mebibytes(bench.runner.floor()?)
    )?;
    Ok(())
}

/// A figure: its name, how it is shown, and what it is of a usage.
type Figure = (&'static str, Unit, fn(&Usage) -> f64);

const FIGURES: &[Figure] = &[
    ("CPU", Unit::Millis, |usage| usage.cpu),
    ("wall", Unit::Millis, |usage| usage.wall),
    ("peak memory", Unit::Mebibytes, |usage| usage.peak as f64),
];

/// The baseline's command, its filter written.
fn baseline(bench: &Workbench, out: &Path) -> anyhow::Result<Vec<OsString>> {
    let filter = Filter::parse(&bench.text("allowlist.toml")?, &bench.text("blocklist.toml")?)?;
    let path = bench.temporary("filter.json");
    fs::write(&path, serde_json::to_vec(&filter)?)?;
    let script = bench.workspace.join(SCRIPT);
    Ok(vec!["node".into(), script.into(), bench.extract.path.clone().into(), path.into(), out.into()])
}

fn node_version() -> Option<String> {
    let output = Command::new("node").arg("--version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Compares the files of two folders; says how long they are.
fn same_files(ours: &Path, theirs: &Path) -> anyhow::Result<String> {
    let mut sizes = Vec::new();
    for file in FILES {
        let (our, their) = (fs::read(ours.join(file))?, fs::read(theirs.join(file))?);
        if let Some(at) = first_difference(&our, &their) {
            ensure!(false, "{file} differs between build-schema and the baseline, from byte {at} on");
        }
        sizes.push(format!("{file} {} bytes", our.len()));
    }
    Ok(sizes.join(", "))
}

fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    (a.len() != b.len() || common < a.len()).then_some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference() {
        assert_eq!(first_difference(b"same", b"same"), None);
        assert_eq!(first_difference(b"same", b"some"), Some(1));
        assert_eq!(first_difference(b"same", b"sam"), Some(3));
        assert_eq!(first_difference(b"", b"s"), Some(0));
    }

    #[test]
    fn a_differing_file_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, text) in [("a", "x"), ("b", "x"), ("c", "y")] {
            fs::create_dir(at(name)).unwrap();
            for file in FILES {
                fs::write(at(name).join(file), text).unwrap();
            }
        }
        assert_eq!(same_files(&at("a"), &at("b")).unwrap(), "schema.json 1 bytes, schema.msgpack 1 bytes");
        let problem = same_files(&at("a"), &at("c")).unwrap_err().to_string();
        assert!(problem.starts_with("schema.json differs"), "{problem}");
    }
}
