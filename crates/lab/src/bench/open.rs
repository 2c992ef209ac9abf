//! `open`: how soon a fresh process has one object's schema, verified.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use portolan_compile::ARTIFACT;
use portolan_schema::artifact::{Header, Index, Record, decode};

use super::Workbench;
use super::stats::{Spread, Unit};
use super::table::{Table, target};

const TARGET: &str = "200 µs";
const TARGET_SECONDS: f64 = 200e-6;
/// What is read at once: the header, and an index of some hundred objects. Fresh memory is what a cold
/// read costs most, so no more of it is touched than is likely needed.
const FIRST_READ: usize = 8 * 1024;

/// Open an artifact and print how many nanoseconds that took.
#[derive(clap::Args)]
pub struct OpenOne {
    /// The artifact
    file: PathBuf,
    /// The object to decode; all of them where none is named
    object: Option<String>,
    /// Parse the file as JSON instead
    #[arg(long, conflicts_with = "object")]
    json: bool,
}

impl OpenOne {
    /// Opens, and prints. The time is from here to the value, neither starting the process nor
    /// dropping the value included.
    pub fn run(&self) -> anyhow::Result<()> {
        let start = Instant::now();
        let nanoseconds = match &self.object {
            Some(object) => timed(start, &open(&self.file, object)?),
            None if self.json => {
                let value: serde_json::Value = serde_json::from_slice(&fs::read(&self.file)?)?;
                timed(start, &value)
            }
            None => timed(start, &decode(&fs::read(&self.file)?)?),
        };
        writeln!(std::io::stdout().lock(), "{nanoseconds}")?;
        Ok(())
    }
}

fn timed<T>(start: Instant, value: &T) -> u128 {
    black_box(value);
    start.elapsed().as_nanos()
}

/// One object, by reading the header, the index and its record.
fn open(path: &Path, object: &str) -> anyhow::Result<Record> {
    let mut file = File::open(path)?;
    let mut start = vec![0; FIRST_READ];
    let read = file.read(&mut start)?;
    start.truncate(read);
    let end = Header::parse(&start)?.index_end();
    if let Some(missing) = end.checked_sub(read) {
        (&file).take(missing as u64).read_to_end(&mut start)?;
    }
    let index = Index::read(&start)?;
    let entry = index.find(object).with_context(|| format!("there is no object '{object}'"))?;
    let range = entry.range();
    let mut record = vec![0; usize::try_from(range.end - range.start)?];
    file.seek(SeekFrom::Start(range.start))?;
    file.read_exact(&mut record)?;
    Ok(index.record(entry, &record)?)
}

/// What is timed: a name for the table, and the arguments of `open-one`.
struct Case {
    name: String,
    arguments: Vec<PathBuf>,
    has_target: bool,
    seconds: Vec<f64>,
}

/// Measures each case in turn, every time in a fresh process.
pub(super) fn run(bench: &Workbench, runs: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let folder = bench.temporary("ours");
    bench.build(&bench.extract.path, &folder)?;
    let mut cases = cases(&folder)?;
    for round in 0..=runs {
        for case in &mut cases {
            let taken = bench.runner.command("open-one").args(&case.arguments).output()?;
            ensure!(taken.status.success(), "{}", String::from_utf8_lossy(&taken.stderr).trim());
            let nanoseconds: f64 = String::from_utf8_lossy(&taken.stdout).trim().parse()?;
            if round > 0 {
                case.seconds.push(nanoseconds / 1e9);
            }
        }
    }
    writeln!(
        out,
        "\nopen: to a verified, decoded value in a fresh process, page cache warm; {runs} runs in turn after one uncounted"
    )?;
    let mut table = Table::default();
    table.row(["", "time", "to the first, pair by pair"]);
    let first = cases.first().map(|case| case.seconds.clone()).unwrap_or_default();
    for (at, case) in cases.iter().enumerate() {
        let time = Spread::of(case.seconds.iter().copied()).context("no run")?;
        let ratio = Spread::of_ratios(&case.seconds, &first).context("no run")?;
        let mut row = vec![case.name.clone(), time.show(Unit::Micros)];
        row.push(if at == 0 { String::new() } else { ratio.show(Unit::Times) });
        row.extend(case.has_target.then(|| target(TARGET, time.median <= TARGET_SECONDS)));
        table.row(row);
    }
    write!(out, "{table}")?;
    writeln!(out, "  from the start of the command to the value; starting the process is not included")?;
    Ok(())
}

fn cases(folder: &Path) -> anyhow::Result<Vec<Case>> {
    let artifact = folder.join(ARTIFACT);
    let json = folder.join("schema.json");
    let bytes = fs::read(&artifact)?;
    let index = Index::read(&bytes)?;
    let mut entries: Vec<_> = index.entries().iter().collect();
    entries.sort_by_key(|entry| entry.fields);
    let median = entries.get(entries.len() / 2).context("the artifact has no object")?;
    let widest = entries.last().context("the artifact has no object")?;
    let case = |name, arguments, has_target| Case { name, arguments, has_target, seconds: Vec::new() };
    let mut cases = Vec::new();
    for (which, entry) in [("median", median), ("widest", widest)] {
        let name = format!("one object, the {which}: {}, {} fields", entry.name, entry.fields);
        cases.push(case(name, vec![artifact.clone(), PathBuf::from(&entry.name)], true));
    }
    let whole = format!("the whole artifact: {} objects, {} bytes", entries.len(), bytes.len());
    cases.push(case(whole, vec![artifact], false));
    let parsed = format!("schema.json with serde_json, unverified: {} bytes", fs::metadata(&json)?.len());
    cases.push(case(parsed, vec![PathBuf::from("--json"), json], false));
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use portolan_schema::artifact::{Artifact, encode};
    use portolan_schema::{ClosedSchema, Object};

    use super::*;

    /// An index beyond the first read, and one within it.
    #[test]
    fn opens_what_was_encoded() {
        for objects in [1, 1000] {
            let objects: Vec<_> = (0..objects)
                .map(|at| Object {
                    name: format!("o{at:04}"),
                    label: "Label".to_owned(),
                    ..Object::default()
                })
                .collect();
            let schema = ClosedSchema::new(objects.clone()).unwrap();
            let artifact = Artifact {
                version: "1.0.0".parse().unwrap(),
                schema,
                profiles: Vec::new(),
                tasks: Vec::new(),
            };
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), encode(&artifact).bytes).unwrap();
            for object in &objects {
                assert_eq!(open(file.path(), &object.name).unwrap().object, *object);
            }
            assert!(open(file.path(), "absent").is_err());
        }
    }
}
