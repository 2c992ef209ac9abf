//! The records from outside: that they repeat, that they fit the published schema, that they belong
//! together, and that what is odd about them is what they are said to have.

mod coherence;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use portolan_schema::artifact;
use portolan_schema::{Field, FieldType, Object};
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use super::super::SampleOrg;
use super::{ODDITIES, Records};

/// The records of a seed, in a folder that lives as long as they do.
struct Made {
    _folder: TempDir,
    path: PathBuf,
    records: Records,
}

fn make(seed: u64) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let (path, records) = SampleOrg { seed, ..SampleOrg::default() }.write_records(folder.path()).unwrap();
    Made { _folder: folder, path, records }
}

static DEFAULT: LazyLock<Made> = LazyLock::new(|| make(SampleOrg::default().seed));
static OTHER: LazyLock<Made> = LazyLock::new(|| make(2));

fn open(made: &Made) -> Connection {
    Connection::open_with_flags(&made.path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

#[track_caller]
fn count(database: &Connection, sql: &str) -> u64 {
    let counted: rusqlite::Result<i64> = database.query_row(sql, [], |row| row.get(0));
    let counted = counted.unwrap_or_else(|problem| panic!("{problem}: {sql}"));
    u64::try_from(counted).unwrap()
}

/// Counts what breaks a rule: there is to be none.
#[track_caller]
fn none(database: &Connection, rule: &str, violations: &str) {
    assert_eq!(count(database, &format!("SELECT count(*) FROM {violations}")), 0, "{rule}");
}

fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The objects of the committed artifact, which the default seed's records belong to.
static PUBLISHED: LazyLock<Vec<Object>> = LazyLock::new(|| {
    let bytes = fs::read(workspace("artifacts/schema.msgpack")).unwrap();
    artifact::decode(&bytes).unwrap().schema.objects().to_vec()
});

fn is_polymorphic(field: &Field) -> bool {
    field.references.len() > 1
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let (first, again) = (fs::read(&DEFAULT.path).unwrap(), make(SampleOrg::default().seed));
    assert!(first == fs::read(&again.path).unwrap());
    assert_eq!(again.records, DEFAULT.records);
    assert_eq!(first.len() as u64, DEFAULT.records.bytes);
    assert!(first != fs::read(&OTHER.path).unwrap());
}

#[test]
fn a_file_of_another_run_is_replaced_and_nothing_else_is_left() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("records.sqlite"), "something else").unwrap();
    let (path, _) = SampleOrg::default().write_records(folder.path()).unwrap();
    assert!(fs::read(path).unwrap() == fs::read(&DEFAULT.path).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the records, and how they are stored");
}

#[test]
fn a_column_is_a_field_of_the_published_schema() {
    let database = open(&DEFAULT);
    let mut tables: Vec<&str> = DEFAULT.records.tables.iter().map(|(name, _)| name.as_str()).collect();
    tables.sort_unstable();
    assert_eq!(tables, PUBLISHED.iter().map(|object| object.name.as_str()).collect::<Vec<_>>());
    for object in PUBLISHED.iter() {
        let mut expected =
            BTreeMap::from([("created_date".to_owned(), "TEXT"), ("is_deleted".to_owned(), "INTEGER")]);
        for field in &object.fields {
            let storage = match field.field_type {
                FieldType::Integer | FieldType::Boolean => "INTEGER",
                FieldType::Binary => "BLOB",
                _ => "TEXT",
            };
            expected.insert(field.name.clone(), storage);
            if is_polymorphic(field) {
                let collides = expected.insert(format!("{}_object", field.name), "TEXT");
                assert_eq!(collides, None, "{}.{}_object", object.name, field.name);
            }
        }
        let mut columns = database.prepare("SELECT name, type, pk FROM pragma_table_info(?1)").unwrap();
        let columns: Vec<(String, String, bool)> = columns
            .query_map([&object.name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let key = columns.iter().filter(|(_, _, key)| *key).map(|(name, ..)| name.as_str());
        assert_eq!(key.collect::<Vec<_>>(), ["id"], "{}", object.name);
        let found: BTreeMap<String, &str> =
            columns.iter().map(|(name, storage, _)| (name.clone(), storage.as_str())).collect();
        assert_eq!(found, expected, "{}", object.name);
    }
}

#[test]
fn references_and_name_fields_have_an_index() {
    let database = open(&DEFAULT);
    for object in PUBLISHED.iter() {
        let mut indexed = database
            .prepare(
                "SELECT DISTINCT of_index.name FROM pragma_index_list(?1) list, pragma_index_info(list.name) of_index
                 WHERE of_index.seqno = 0",
            )
            .unwrap();
        let indexed: BTreeSet<String> =
            indexed.query_map([&object.name], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let references = object.fields.iter().filter(|field| !field.references.is_empty());
        let expected = references.map(|field| &field.name).chain(&object.name_field).chain(&object.id_field);
        assert_eq!(indexed, expected.cloned().collect(), "{}", object.name);
    }
}

/// Where references dangle on purpose, and how many.
const DANGLING: [(&str, &str, u64); 3] =
    [("order", "contract", 5), ("call_report", "contact", 4), ("task", "related_to", 3)];

#[test]
fn references_lead_to_rows_of_an_object_they_may_lead_to() {
    for made in [&DEFAULT, &OTHER] {
        let database = open(made);
        for object in PUBLISHED.iter() {
            for field in object.fields.iter().filter(|field| !field.references.is_empty()) {
                let (table, column) = (&object.name, &field.name);
                let pointing = |target: &str| {
                    if is_polymorphic(field) {
                        format!("\"{column}_object\" = '{target}'")
                    } else {
                        "TRUE".to_owned()
                    }
                };
                let led: u64 = field
                    .references
                    .iter()
                    .map(|target| {
                        let at =
                            format!("{} AND \"{column}\" IN (SELECT id FROM \"{target}\")", pointing(target));
                        count(&database, &format!("SELECT count(*) FROM \"{table}\" WHERE {at}"))
                    })
                    .sum();
                let all = count(&database, &format!("SELECT count(\"{column}\") FROM \"{table}\""));
                let known = DANGLING.iter().find(|(object, field, _)| object == table && field == column);
                assert_eq!(all - led, known.map_or(0, |(.., dangling)| *dangling), "{table}.{column}");
                if is_polymorphic(field) {
                    let half =
                        format!("\"{table}\" WHERE (\"{column}\" IS NULL) <> (\"{column}_object\" IS NULL)");
                    none(&database, "a target has an object", &half);
                }
            }
        }
    }
}

#[test]
fn values_are_stored_as_documented() {
    let database = open(&DEFAULT);
    for object in PUBLISHED.iter() {
        for field in &object.fields {
            let column = format!("\"{}\"", field.name);
            let wrong = match field.field_type {
                FieldType::Boolean => format!("{column} NOT IN (0, 1)"),
                FieldType::Currency | FieldType::Percent if field.name == "freight" => {
                    format!("{column} GLOB '*[^0-9.]*'")
                }
                FieldType::Currency | FieldType::Percent => not_digits(&column, 2),
                FieldType::Decimal => not_digits(&column, 4),
                FieldType::Date => format!("{column} IS NOT date({column})"),
                FieldType::Datetime => format!("{column} IS NOT strftime('%Y-%m-%dT%H:%M:%SZ', {column})"),
                FieldType::Time => format!("{column} IS NOT strftime('%H:%M:%S', {column})"),
                FieldType::Json => format!("NOT json_valid({column})"),
                FieldType::MultiPicklist => {
                    format!("{column} = '' OR {column} GLOB ';*' OR {column} GLOB '*;;*'")
                }
                FieldType::Id | FieldType::Reference => {
                    format!(
                        "{column} NOT GLOB '[a-z][a-z][a-z]_[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'"
                    )
                }
                _ => continue,
            };
            let violations = format!("\"{}\" WHERE {column} IS NOT NULL AND ({wrong})", object.name);
            none(&database, &format!("{} is a {}", field.name, field.field_type), &violations);
        }
    }
}

/// That a text is no number with so many digits after the point.
fn not_digits(column: &str, scale: usize) -> String {
    let point = "[0-9]".repeat(scale);
    format!("{column} NOT GLOB '*[0-9].{point}' OR ltrim({column}, '-') GLOB '*[^0-9.]*'")
}

#[test]
fn texts_keep_to_their_length_and_distinct_fields_are_distinct() {
    let database = open(&DEFAULT);
    for object in PUBLISHED.iter() {
        let table = &object.name;
        for field in &object.fields {
            let column = &field.name;
            if let Some(length) = field.length {
                let violations = format!("\"{table}\" WHERE length(\"{column}\") > {length}");
                none(&database, &format!("{table}.{column} is no longer than {length}"), &violations);
            }
            if field.required {
                let violations = format!("\"{table}\" WHERE \"{column}\" IS NULL");
                none(&database, &format!("{table}.{column} is required"), &violations);
            }
            if field.unique {
                let twice = format!(
                    "(SELECT 1 FROM \"{table}\" WHERE \"{column}\" IS NOT NULL GROUP BY \"{column}\" HAVING count(*) > 1)"
                );
                none(&database, &format!("{table}.{column} is unique"), &twice);
            }
        }
    }
}

#[test]
fn the_oddities_are_as_many_as_they_are_said_to_be() {
    let database = open(&DEFAULT);
    let wrong: Vec<String> = ODDITIES
        .iter()
        .map(|oddity| (oddity, count(&database, oddity.sql)))
        .filter(|(oddity, found)| u64::from(oddity.count) != *found)
        .map(|(oddity, found)| format!("{found} and not {} {}", oddity.count, oddity.what))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(ODDITIES.iter().all(|oddity| oddity.count > 0));
}

#[test]
fn the_documentation_counts_what_is_there() {
    let text = fs::read_to_string(workspace("docs/sample-org.md")).unwrap();
    let mut missing: Vec<String> = ODDITIES
        .iter()
        .map(|oddity| format!("| {} | {} |", oddity.count, oddity.what))
        .filter(|line| !text.contains(line.as_str()))
        .collect();
    let filled = DEFAULT.records.tables.iter().filter(|(_, rows)| *rows > 0);
    missing.extend(
        filled
            .map(|(table, rows)| format!("`{table}` {}", thousands(*rows)))
            .filter(|entry| !text.contains(entry.as_str())),
    );
    let all = DEFAULT.records.rows();
    let empty = DEFAULT.records.tables.iter().filter(|(_, rows)| *rows == 0).count();
    missing.extend(
        [format!("{} rows", thousands(all)), format!("{empty} tables are empty")]
            .into_iter()
            .filter(|phrase| !text.contains(phrase.as_str())),
    );
    assert!(missing.is_empty(), "docs/sample-org.md doesn't say:\n{}", missing.join("\n"));
    assert!((30_000..=60_000).contains(&all), "{all} rows");
}

fn thousands(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    }
}

/// The queries of the documentation run, and print what stands beside them.
#[test]
fn the_queries_of_the_documentation_answer_what_they_are_said_to() {
    let text = fs::read_to_string(workspace("docs/sample-org.md")).unwrap();
    let database = open(&DEFAULT);
    let blocks: Vec<&str> =
        text.split("```sql\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    assert!(blocks.len() >= 3, "{blocks:?}");
    for block in blocks {
        let (lines, query): (Vec<&str>, Vec<&str>) = block.lines().partition(|line| line.starts_with("-- "));
        let mut statement = database.prepare(&query.join("\n")).unwrap();
        let columns = statement.column_count();
        let rows = statement
            .query_map([], |row| {
                let cells = (0..columns).map(|at| Ok(cell(row.get_ref(at)?)));
                Ok(format!("-- {}", cells.collect::<rusqlite::Result<Vec<String>>>()?.join(" | ")))
            })
            .unwrap();
        assert_eq!(lines, rows.map(Result::unwrap).collect::<Vec<String>>(), "{block}");
    }
}

fn cell(value: rusqlite::types::ValueRef<'_>) -> String {
    match value {
        rusqlite::types::ValueRef::Integer(number) => number.to_string(),
        value => value.as_str_or_null().unwrap().unwrap_or("null").to_owned(),
    }
}
