//! The records of the sample org: an `SQLite` database with a table for every object of the published
//! schema, and some fifty thousand rows that belong together.
//!
//! The records are as they were on 2026-11-30. They go three years back, and three months ahead where
//! something is planned. The same seed gives the same bytes.
//!
//! How they are stored:
//!
//! - A table is named as its object and a column as its field; `id` is the primary key. Every table has
//!   the columns `created_date` and `is_deleted` besides, which the artifact leaves out.
//! - Tables are `STRICT`. Integers are `INTEGER`, booleans `INTEGER` 0 and 1, binaries `BLOB`; all else is
//!   `TEXT`.
//! - Decimals, currencies and percentages are text with exact digits, four after the point of a decimal
//!   and two of the others. In a column of numeric affinity they would turn into floats.
//! - Dates are `2026-11-30`, datetimes `2026-11-30T17:05:00Z` in UTC, times `14:05:00`.
//! - The values of a multi-picklist stand in one text, between semicolons. A geolocation is latitude and
//!   longitude with a comma.
//! - A reference holds the id of its target. Where it can lead to several objects, the column
//!   `<field>_object` says to which. No foreign keys are declared.
//! - Every reference column and every name field has an index.
//!
//! The module's parts: `tables` says which tables there are, `story` what is in them, `fill` what stands
//! in the columns that no story is about, `database` writes, `value` and `calendar` are what all of them
//! speak of. [`ODDITIES`] is what a query layer must survive.

mod calendar;
mod database;
mod fill;
mod oddities;
mod story;
mod tables;
#[cfg(test)]
mod tests;
mod value;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

pub use self::oddities::{ODDITIES, Oddity};
use super::SampleOrg;

/// The name of the database file.
const FILE: &str = "records.sqlite";
/// What says how they are stored, beside it.
const MAPPING_FILE: &str = "source.toml";
const MAPPING: &str = r#"# How records.sqlite is kept. Whatever isn't said is as the artifact names it.
[defaults]
deleted = "is_deleted"
object-column = "{field}_object"

[defaults.stored]
date = "%Y-%m-%d"
datetime = "%Y-%m-%dT%H:%M:%SZ"
"#;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Records {
    /// The tables, in the order of the extract, with their rows.
    pub tables: Vec<(String, u64)>,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Records {
    /// Rows of all tables.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|(_, rows)| rows).sum()
    }
}

impl SampleOrg {
    /// Writes the records as `records.sqlite` into a folder, which is made where it is missing, and `source.toml`
    /// beside it; files of another run are replaced. Says what was written and where it stands.
    ///
    /// There is a table for every object of the workspace's allowlist, however many objects the org has.
    pub fn write_records(self, folder: &Path) -> anyhow::Result<(PathBuf, Records)> {
        let path = folder.join(FILE);
        let records =
            self.write_records_to(&path).with_context(|| format!("can't write {}", path.display()))?;
        Ok((path, records))
    }

    fn write_records_to(self, path: &Path) -> anyhow::Result<Records> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let tables = tables::tables(self)?;
        let story = story::tell(self.seed);
        // Whole or not at all: it is made in a folder of its own and moved.
        let apart = tempfile::tempdir_in(folder)?;
        let made = apart.path().join(FILE);
        let counts = database::write(&made, &tables, &story, self.seed)?;
        let bytes = fs::metadata(&made)?.len();
        fs::rename(&made, path)?;
        fs::write(folder.join(MAPPING_FILE), MAPPING)?;
        let tables = tables.into_iter().map(|table| table.name).zip(counts).collect();
        Ok(Records { tables, bytes })
    }
}
