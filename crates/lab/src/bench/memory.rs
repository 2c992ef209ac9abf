//! `memory`: whether `build-schema` stays small, and linear, however large the extract.

use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::measured::Usage;
use super::stats::{Spread, Unit};
use super::table::{Table, target};
use super::{Extract, Workbench, mebibytes};
use crate::sample_org::SampleOrg;

const TARGET: &str = "peak below 16 MiB";
const TARGET_BYTES: f64 = 16.0 * 1024.0 * 1024.0;
/// A hundred times the sample org, and the disk that takes with something to spare.
const LARGE_OBJECTS: usize = 53_000;
const LARGE_BYTES: u64 = 2_200_000_000;
/// The large extract takes seconds to build: more runs would tell no more.
const LARGE_RUNS: u32 = 3;

/// Measures at the default size and, where asked, at a hundred times it.
pub(super) fn run(bench: &Workbench, runs: u32, large: bool, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\nmemory: build-schema, {runs} runs after one uncounted")?;
    let mut table = Table::default();
    table.row(["", "peak memory", "CPU", "CPU per GB of JSON"]);
    let small = measure(bench, &bench.extract, runs, &mut table)?;
    let mut grown = None;
    if large {
        let extract = generate_large(bench)?;
        let large = measure(bench, &extract, runs.min(LARGE_RUNS), &mut table)?;
        std::fs::remove_file(&extract.path)?;
        grown = Some((large.0 / small.0, large.1 / small.1));
    }
    write!(out, "{table}")?;
    if let Some((memory, pace)) = grown {
        writeln!(
            out,
            "  the large one, in {} runs: {memory:.2}x the memory, {pace:.2}x the CPU per GB (1 is linear, less is fixed cost spread thinner)",
            runs.min(LARGE_RUNS)
        )?;
    }
    let floor = bench.runner.floor()?;
    writeln!(out, "  no peak can be below that of `true`: {:.2} MiB", mebibytes(floor))?;
    if small.0 <= floor as f64 {
        writeln!(out, "  and these are not above it: they are upper bounds")?;
    }
    Ok(())
}

/// Builds an extract some times, and adds a row. The medians of peak memory and of CPU per GB.
fn measure(bench: &Workbench, extract: &Extract, runs: u32, table: &mut Table) -> anyhow::Result<(f64, f64)> {
    let out = bench.temporary("ours");
    let usages = (0..=runs).map(|_| bench.build(&extract.path, &out)).collect::<Result<Vec<_>, _>>()?;
    let of = |figure: fn(&Usage) -> f64| usages.iter().skip(1).map(figure).collect::<Vec<f64>>();
    let gigabytes = extract.written.bytes as f64 / 1e9;
    let cpu = of(|usage| usage.cpu);
    let peak = Spread::of(of(|usage| usage.peak as f64)).context("no run")?;
    let pace = Spread::of(cpu.iter().map(|cpu| cpu / gigabytes)).context("no run")?;
    let cpu = Spread::of(cpu).context("no run")?;
    table.row([
        extract.show(),
        peak.show(Unit::Mebibytes),
        cpu.show(Unit::Millis),
        pace.show(Unit::Seconds),
        target(TARGET, peak.median < TARGET_BYTES),
    ]);
    Ok((peak.median, pace.median))
}

fn generate_large(bench: &Workbench) -> anyhow::Result<Extract> {
    let folder = bench.temporary("large");
    std::fs::create_dir_all(&folder)?;
    if let Some(free) = free_bytes(&folder)? {
        ensure!(
            free >= LARGE_BYTES,
            "{} has {:.1} GB free, and the large extract needs {:.1}: make room, or set TMPDIR",
            folder.display(),
            free as f64 / 1e9,
            LARGE_BYTES as f64 / 1e9
        );
    }
    writeln!(std::io::stderr().lock(), "generating {LARGE_OBJECTS} objects …")?;
    Extract::generate(SampleOrg { objects: LARGE_OBJECTS, ..SampleOrg::default() }, &folder)
}

#[cfg(unix)]
#[allow(clippy::useless_conversion, reason = "the widths of these types differ between systems")]
fn free_bytes(folder: &Path) -> anyhow::Result<Option<u64>> {
    let disk = nix::sys::statvfs::statvfs(folder).context("the free disk space can't be told")?;
    Ok(Some(u64::from(disk.blocks_available()) * u64::from(disk.fragment_size())))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> anyhow::Result<Option<u64>> {
    Ok(None)
}
