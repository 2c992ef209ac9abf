//! A dump, loaded, with an artifact built for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use portolan_runtime::{Caller, Schema};
use portolan_sources::sqlite::{Options, Sqlite};
use rusqlite::Connection;

use super::catalog::{Column, Table, extract, mapping, tables};
use super::cell::{Cell, Row};
use super::conversation::Conversation;
use crate::support::{Org, shared};

pub(super) const DATASETS: [&str; 2] = ["1k", "trailhead"];

pub(super) struct Dataset {
    pub(super) tables: Vec<Table>,
    pub(super) org: Org,
    schema: Schema,
    /// The database file. Nobody writes to it.
    database: PathBuf,
}

impl Dataset {
    /// Loads a dump as it is, and builds an artifact from what is in it.
    pub(super) fn open(name: &str) -> Option<Self> {
        let dump = shared(&format!("extracts/records-npsp/{name}/test_data.sql"))?;
        let listed = shared(&format!("cases/npsp/columns-{name}.tsv"))?;
        let [dump, listed] = [dump, listed].map(|path| std::fs::read_to_string(path).unwrap());
        // Which tables are allowed is known when they are read, and the folder is there before.
        let org = Org::new::<&str>(&[]);
        let database = org.path("records.db");
        let connection = Connection::open(&database).unwrap();
        connection.execute_batch(&dump).unwrap();
        let tables = tables(&connection, &listed);
        org.allow(&tables.iter().map(|table| &*table.name).collect::<Vec<_>>());
        org.write("extract.json", extract(&tables).to_string());
        org.run(&["extract.json"]).expect(0, &[]);
        let schema = Schema::open_file(org.path("artifacts/schema.msgpack")).unwrap();
        Some(Self { tables, org, schema, database })
    }

    pub(super) fn table(&self, name: &str) -> &Table {
        self.tables.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no table {name}"))
    }

    pub(super) fn field(&self, object: &str, name: &str) -> &Column {
        let columns = &self.table(object).columns;
        columns.iter().find(|column| column.name == name).unwrap_or_else(|| panic!("no {object}.{name}"))
    }

    /// A copy of the database file, to write to.
    pub(super) fn copy(&self, name: &str) -> PathBuf {
        let copy = self.org.path(name);
        std::fs::copy(&self.database, &copy).unwrap();
        copy
    }

    /// What SQL finds.
    pub(super) fn truth(&self, sql: &str) -> Vec<Row> {
        let database = Connection::open(&self.database).unwrap();
        let mut statement = database.prepare(sql).unwrap_or_else(|problem| panic!("{problem}: {sql}"));
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            (0..columns).map(|at| row.get_ref(at).map(Cell::found)).collect::<rusqlite::Result<Row>>()
        });
        rows.unwrap().map(Result::unwrap).collect()
    }

    /// A conversation of a caller over the records.
    pub(super) fn conversation(&self, caller: Caller) -> Conversation {
        self.conversation_over(&self.database, caller)
    }

    /// The same over a copy of the database.
    pub(super) fn conversation_over(&self, database: &Path, caller: Caller) -> Conversation {
        let mapping = mapping(&self.tables).parse().unwrap();
        let source = Sqlite::open(database, &mapping, &Options::default()).unwrap();
        Conversation::new(self.schema.session(caller).unwrap().source(Arc::new(source)))
    }
}
