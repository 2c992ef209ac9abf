//! Writes tables and records into an `SQLite` database, in one transaction on one connection, so that
//! its bytes follow from the records.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use rusqlite::{Connection, Statement, Transaction};

use super::fill::Filling;
use super::story::{Row, Story};
use super::tables::{CREATED, DELETED, OBJECT_SUFFIX, Table, is_polymorphic, is_reference};
use super::value::Value;

/// Bytes of a page; what `SQLite` takes by default today, and must not come to depend on.
const PAGE_SIZE: u32 = 4_096;

/// Writes a database where no file is yet. Returns the rows of each table, in their order.
pub(super) fn write(path: &Path, tables: &[Table], story: &Story, seed: u64) -> anyhow::Result<Vec<u64>> {
    let mut connection = Connection::open(path)?;
    // The file is made apart and moved into place: a crash leaves nothing to roll back.
    connection.pragma_update(None, "page_size", PAGE_SIZE)?;
    connection.pragma_update(None, "journal_mode", "OFF")?;
    let transaction = connection.transaction()?;
    let mut counts = Vec::with_capacity(tables.len());
    for table in tables {
        let columns = table.columns();
        create(&transaction, table, &columns)?;
        let rows = story.rows(&table.name);
        Filler::new(&transaction, table, &columns, rows, seed)?
            .insert(rows)
            .with_context(|| format!("table {}", table.name))?;
        index(&transaction, table)?;
        counts.push(rows.len() as u64);
    }
    transaction.commit()?;
    connection.close().map_err(|(_, problem)| problem)?;
    Ok(counts)
}

fn create(transaction: &Transaction<'_>, table: &Table, columns: &[(String, &str)]) -> rusqlite::Result<()> {
    let columns: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(at, (name, storage))| {
            let constraint = if at == 0 { " NOT NULL PRIMARY KEY" } else { "" };
            format!("  {} {storage}{constraint}", quoted(name))
        })
        .collect();
    let create = format!("CREATE TABLE {} (\n{}\n) STRICT", quoted(&table.name), columns.join(",\n"));
    transaction.execute_batch(&create)
}

/// Indexes what is followed and what is ordered by, once the rows are there.
fn index(transaction: &Transaction<'_>, table: &Table) -> rusqlite::Result<()> {
    let references = table.fields.iter().filter(|field| is_reference(field));
    let references = references.map(|field| field.name.as_ref());
    for column in references.chain(table.name_field.as_deref()) {
        // With a dot: `product_family` is a table, and `product` has a field `family`.
        let name = quoted(&format!("{}.{column}", table.name));
        let (table, column) = (quoted(&table.name), quoted(column));
        transaction.execute_batch(&format!("CREATE INDEX {name} ON {table} ({column})"))?;
    }
    Ok(())
}

/// A name as an identifier: `order` and `case` are words of the language.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Where a table's values come from, by the place of their column.
struct Filler<'c> {
    insert: Statement<'c>,
    places: BTreeMap<&'c str, usize>,
    /// The columns with the object of a polymorphic reference, by the field's name.
    objects: BTreeMap<&'c str, usize>,
    fillings: Vec<(usize, Filling<'c>)>,
}

impl<'c> Filler<'c> {
    fn new(
        transaction: &'c Transaction<'_>,
        table: &'c Table,
        columns: &'c [(String, &str)],
        rows: &[Row],
        seed: u64,
    ) -> anyhow::Result<Self> {
        let marks = vec!["?"; columns.len()].join(",");
        let insert = transaction.prepare(&format!("INSERT INTO {} VALUES ({marks})", quoted(&table.name)))?;
        // Parameters count from 1.
        let places: BTreeMap<&str, usize> = columns.iter().map(|(name, _)| name.as_str()).zip(1..).collect();
        let object = |field: &str| places.get(format!("{field}{OBJECT_SUFFIX}").as_str()).copied();
        let objects = table
            .fields
            .iter()
            .filter(|field| is_polymorphic(field))
            .filter_map(|field| Some((field.name.as_ref(), object(&field.name)?)))
            .collect();
        // What the story fills in one record, it leaves empty in another on purpose.
        let told: BTreeSet<&str> =
            rows.iter().flat_map(|row| row.values.iter().map(|(field, _)| *field)).collect();
        let own = [columns.first().map_or("", |(name, _)| name), CREATED, DELETED];
        let fillings = table
            .fields
            .iter()
            .filter(|field| !own.contains(&field.name.as_ref()) && !told.contains(field.name.as_ref()))
            .filter_map(|field| {
                Some((*places.get(field.name.as_ref())?, Filling::new(field, &table.name, seed)))
            })
            .collect();
        Ok(Self { insert, places, objects, fillings })
    }

    fn insert(mut self, rows: &[Row]) -> anyhow::Result<()> {
        for (number, row) in rows.iter().enumerate() {
            self.insert.clear_bindings();
            self.insert.raw_bind_parameter(1, row.id.to_string())?;
            self.bind(CREATED, &row.created.into())?;
            self.bind(DELETED, &row.deleted.into())?;
            for (field, value) in &row.values {
                self.bind(field, value)?;
            }
            for (place, filling) in &mut self.fillings {
                let value = filling.next(number);
                if value != Value::Null {
                    self.insert.raw_bind_parameter(*place, value)?;
                }
            }
            self.insert.raw_execute()?;
        }
        Ok(())
    }

    fn bind(&mut self, column: &str, value: &Value) -> anyhow::Result<()> {
        let place = self.places.get(column);
        let place = place.with_context(|| format!("there is no column {column}"))?;
        self.insert.raw_bind_parameter(*place, value)?;
        if let Value::Link(id) = value
            && let Some(place) = self.objects.get(column)
        {
            self.insert.raw_bind_parameter(*place, id.kind.object)?;
        }
        Ok(())
    }
}
