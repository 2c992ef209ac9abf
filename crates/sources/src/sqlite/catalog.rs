//! What a database has: tables and views with their columns, and which of them are an artifact's objects and
//! fields.

use std::ffi::CString;

use hashbrown::HashMap;
use portolan_runtime::query::Kind;
use portolan_schema::FieldType;
use portolan_schema::nearest::nearest;
use rusqlite::{Connection, Result};

use crate::mapping::TypeName;
use crate::{FieldMapping, Mapping, ObjectMapping, Stored};

/// So many names that are like a wrong one are listed.
const MOST_NEAREST: usize = 3;

/// The tables and views of a database, and where objects and fields are among them.
#[derive(Debug)]
pub(super) struct Catalog {
    pub(super) mapping: Mapping,
    /// By name, in lower case: the names of `SQLite` have no case.
    tables: HashMap<String, Table>,
    /// Whether texts are stored as UTF-8, so that the order of their bytes is that of their characters.
    utf8: bool,
}

/// A table or a view.
#[derive(Debug)]
pub(super) struct Table {
    name: String,
    /// The name, quoted.
    pub(super) sql: String,
    columns: HashMap<String, Column>,
}

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    name: String,
    /// The name, quoted.
    pub(super) sql: String,
    pub(super) affinity: Affinity,
    /// Every value is of the type that the column was declared with, or nothing.
    pub(super) strict: bool,
    pub(super) not_null: bool,
    /// An index begins with it.
    pub(super) indexed: bool,
    /// What makes comparisons those of code points, where they aren't anyway.
    pub(super) collate: &'static str,
    /// The same for what is only tested for equality.
    pub(super) equal: &'static str,
}

/// What `SQLite` makes of the values that a column is given: section 3.1 of its "Datatypes".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Affinity {
    /// Numbers become texts.
    Text,
    /// Texts that are numbers become numbers.
    Numeric,
    /// Everything stays as it is.
    Blob,
}

/// Where a field is kept, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept<'c> {
    pub(super) table: &'c Table,
    pub(super) column: &'c Column,
    pub(super) stored: &'c Stored,
    pub(super) empty_is_null: bool,
    /// The column with the object that a reference leads to.
    pub(super) object_column: Option<&'c Column>,
}

impl Catalog {
    /// Reads what there is, and finds everything that the mapping names; all that isn't there is an error.
    pub(super) fn read(
        connection: &Connection,
        mapping: Mapping,
    ) -> Result<std::result::Result<Self, Vec<String>>> {
        let encoding: String = connection.query_row("PRAGMA encoding", [], |row| row.get(0))?;
        let utf8 = encoding == "UTF-8";
        let mut tables = HashMap::new();
        let mut list = connection.prepare("PRAGMA main.table_list")?;
        let rows = list.query_map([], |row| {
            Ok(Listed {
                name: row.get("name")?,
                kind: row.get("type")?,
                without_rowid: row.get("wr")?,
                strict: row.get("strict")?,
            })
        })?;
        for listed in rows {
            let listed = listed?;
            if listed.name.starts_with("sqlite_") || listed.kind == "shadow" {
                continue;
            }
            // A view of what isn't there any more has no columns, and can't be asked.
            if let Ok(table) = listed.table(connection, utf8) {
                tables.insert(table.name.to_ascii_lowercase(), table);
            }
        }
        let catalog = Self { mapping, tables, utf8 };
        let missing = catalog.missing();
        Ok(if missing.is_empty() { Ok(catalog) } else { Err(missing) })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    fn object(&self, object: &str) -> Option<&ObjectMapping> {
        self.mapping.objects.get(object)
    }

    /// The table of an object.
    pub(super) fn table(&self, object: &str) -> Option<&Table> {
        let name = self.object(object).and_then(|mapping| mapping.table.as_deref()).unwrap_or(object);
        find(&self.tables, name)
    }

    fn column(&self, object: &str, field: &str) -> Option<(&Table, &Column)> {
        let mapping = self.field(object, field);
        if mapping.is_some_and(|mapping| !mapping.kept) {
            return None;
        }
        let table = self.table(object)?;
        let name = mapping.and_then(|mapping| mapping.column.as_deref()).unwrap_or(field);
        Some((table, table.column(name)?))
    }

    fn field(&self, object: &str, field: &str) -> Option<&FieldMapping> {
        self.object(object)?.fields.get(field)
    }

    /// Whether a field is kept.
    pub(super) fn keeps(&self, object: &str, field: &str) -> bool {
        self.column(object, field).is_some()
    }

    /// Where a field is kept.
    pub(super) fn kept(&self, object: &str, field: &str, field_type: FieldType) -> Option<Kept<'_>> {
        const AUTO: &Stored = &Stored::Auto;
        let (table, column) = self.column(object, field)?;
        let mapping = self.field(object, field);
        let defaults = &self.mapping.defaults;
        let stored = mapping.and_then(|mapping| mapping.stored.as_ref());
        let stored = stored.or_else(|| defaults.stored.get(&TypeName(field_type))).unwrap_or(AUTO);
        let empty_is_null =
            mapping.and_then(|mapping| mapping.empty_is_null).unwrap_or(defaults.empty_is_null);
        let object_column = if Kind::of(field_type) == Kind::Reference {
            let own = mapping.and_then(|mapping| mapping.object_column.clone());
            let named =
                own.or_else(|| Some(defaults.object_column.as_ref()?.replace("{field}", &column.name)));
            named.and_then(|name| table.column(&name))
        } else {
            None
        };
        Some(Kept { table, column, stored, empty_is_null, object_column })
    }

    /// The column that marks an object's rows as deleted.
    pub(super) fn deleted(&self, object: &str) -> Option<&Column> {
        let own = self.object(object).and_then(|mapping| mapping.deleted.as_deref());
        self.table(object)?.column(own.or(self.mapping.defaults.deleted.as_deref())?)
    }

    /// How references to one of several objects name an object.
    pub(super) fn alias<'n>(&'n self, object: &'n str) -> &'n str {
        self.object(object).and_then(|mapping| mapping.named.as_deref()).unwrap_or(object)
    }

    /// The object that such a name is of.
    pub(super) fn of_alias<'n>(&'n self, alias: &'n str) -> &'n str {
        let named = |mapping: &ObjectMapping| mapping.named.as_deref() == Some(alias);
        let of = self.mapping.objects.iter().find(|(_, mapping)| named(mapping));
        of.map_or(alias, |(object, _)| object)
    }

    /// What makes comparisons of computed texts those of code points.
    pub(super) const fn collate(&self) -> &'static str {
        if self.utf8 { "" } else { " COLLATE portolan" }
    }

    /// What the mapping names and the database doesn't have.
    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (object, mapping) in &self.mapping.objects {
            let Some(table) = self.table(object) else {
                let name = mapping.table.as_deref().unwrap_or(object);
                let like = like(name, self.tables.values().map(|table| table.name.as_str()));
                missing.push(format!("[objects.{object}]: there is no table or view '{name}'{like}"));
                continue;
            };
            let mut column = |place: String, name: &str| {
                if table.column(name).is_none() {
                    let like = like(name, table.columns.values().map(|column| column.name.as_str()));
                    missing.push(format!("{place}: '{}' has no column '{name}'{like}", table.name));
                }
            };
            if let Some(name) = mapping.deleted.as_deref().filter(|name| !name.is_empty()) {
                column(format!("[objects.{object}] deleted"), name);
            }
            for (field, mapping) in mapping.fields.iter().filter(|(_, mapping)| mapping.kept) {
                let place = format!("[objects.{object}.fields] {field}");
                column(place.clone(), mapping.column.as_deref().unwrap_or(field));
                if let Some(name) = &mapping.object_column {
                    column(format!("{place}, object-column"), name);
                }
            }
        }
        missing
    }
}

fn like<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    match nearest(name, names, MOST_NEAREST).as_slice() {
        [] => String::new(),
        near => format!(" (there is {})", near.join(", ")),
    }
}

impl Table {
    fn column(&self, name: &str) -> Option<&Column> {
        find(&self.columns, name)
    }
}

/// Finds by a name that most often is in lower case.
fn find<'m, T>(by_name: &'m HashMap<String, T>, name: &str) -> Option<&'m T> {
    by_name.get(name).or_else(|| by_name.get(&name.to_ascii_lowercase()))
}

/// A table as it is listed.
struct Listed {
    name: String,
    kind: String,
    without_rowid: bool,
    strict: bool,
}

impl Listed {
    fn table(self, connection: &Connection, utf8: bool) -> Result<Table> {
        let sql = quoted(&self.name);
        let leading = self.leading(connection)?;
        let mut described = connection.prepare(&format!("PRAGMA main.table_xinfo({sql})"))?;
        let rows = described.query_map([], |row| {
            Ok((
                row.get::<_, String>("name")?,
                row.get::<_, String>("type")?,
                row.get::<_, bool>("notnull")?,
                row.get::<_, i64>("pk")?,
            ))
        })?;
        let rows = rows.collect::<Result<Vec<_>>>()?;
        let keys = rows.iter().filter(|(.., key)| *key > 0).count();
        let mut columns = HashMap::new();
        for (name, declared, not_null, key) in rows {
            let affinity = affinity(&declared, self.strict);
            // A lone INTEGER PRIMARY KEY is the rowid itself: it holds whole numbers, whatever the table is.
            let rowid = self.kind == "table"
                && !self.without_rowid
                && keys == 1
                && key == 1
                && declared.eq_ignore_ascii_case("INTEGER");
            let binary = self.kind == "table" && is_binary(connection, &self.name, &name);
            let text = affinity != Affinity::Numeric;
            let equal = if text && !binary { " COLLATE BINARY" } else { "" };
            let column = Column {
                sql: quoted(&name),
                affinity,
                strict: rowid || (self.strict && !matches!(declared.as_str(), "ANY" | "BLOB")),
                not_null: not_null || rowid || (key > 0 && (self.strict || self.without_rowid)),
                indexed: rowid || leading.contains(&name),
                collate: if text && !utf8 { " COLLATE portolan" } else { equal },
                equal,
                name,
            };
            columns.insert(column.name.to_ascii_lowercase(), column);
        }
        Ok(Table { sql, name: self.name, columns })
    }

    /// The columns that an index of the whole table begins with, in the order of their bytes.
    fn leading(&self, connection: &Connection) -> Result<Vec<String>> {
        let mut leading = Vec::new();
        let mut indexes = connection.prepare(&format!("PRAGMA main.index_list({})", quoted(&self.name)))?;
        let indexes = indexes
            .query_map([], |row| Ok((row.get::<_, String>("name")?, row.get::<_, bool>("partial")?)))?;
        for index in indexes {
            let (index, partial) = index?;
            if partial {
                continue;
            }
            let mut columns = connection.prepare(&format!("PRAGMA main.index_xinfo({})", quoted(&index)))?;
            let mut columns = columns.query_map([], |row| {
                Ok((
                    row.get::<_, i64>("seqno")?,
                    row.get::<_, Option<String>>("name")?,
                    row.get::<_, Option<String>>("coll")?,
                ))
            })?;
            let first = columns.find_map(|column| column.ok().filter(|(place, ..)| *place == 0));
            if let Some((_, Some(name), Some(collation))) = first
                && collation.eq_ignore_ascii_case("BINARY")
            {
                leading.push(name);
            }
        }
        Ok(leading)
    }
}

/// Whether a column's texts are compared byte by byte.
fn is_binary(connection: &Connection, table: &str, column: &str) -> bool {
    let collation = (|| {
        let names = (CString::new(table).ok()?, CString::new(column).ok()?);
        connection.column_metadata(Some(c"main"), names.0.as_c_str(), names.1.as_c_str()).ok()?.1
    })();
    collation.is_some_and(|collation| collation.as_bytes().eq_ignore_ascii_case(b"BINARY"))
}

/// A name, quoted.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The affinity of a declared type: section 3.1 of "Datatypes In `SQLite`".
fn affinity(declared: &str, strict: bool) -> Affinity {
    let declared = declared.to_ascii_uppercase();
    let has = |part: &str| declared.contains(part);
    if has("INT") {
        Affinity::Numeric
    } else if has("CHAR") || has("CLOB") || has("TEXT") {
        Affinity::Text
    } else if declared.is_empty() || has("BLOB") || (strict && declared == "ANY") {
        Affinity::Blob
    } else {
        Affinity::Numeric
    }
}
