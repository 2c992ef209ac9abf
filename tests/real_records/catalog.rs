//! What the tables of a dump are, as objects: read off the catalog, the list of references that came with
//! the dump, and the values.

use std::collections::{BTreeMap, BTreeSet};

use portolan_schema::FieldType;
use rusqlite::Connection;
use serde_json::{Value, json};

/// A table, and the object that it is.
pub(super) struct Table {
    pub(super) name: String,
    pub(super) rows: u64,
    pub(super) columns: Vec<Column>,
    /// The column that identifies a row.
    pub(super) id: String,
    /// The column that people recognise a row by.
    pub(super) name_field: Option<String>,
    /// Where the object's records are, if that isn't the table.
    pub(super) view: Option<String>,
}

/// A column, and the field that it is.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) field_type: FieldType,
    /// The object that it leads to.
    pub(super) target: Option<String>,
}

/// A picklist has no more values than a person looks through.
const MOST_CHOICES: usize = 20;
/// Words that name what is chosen from a list.
const CHOSEN: [&str; 8] = ["stage", "status", "type", "role", "method", "period", "priority", "salutation"];

/// What `columns-*.tsv` has of a column: how many rows its table has, and where it leads.
type Listed = (u64, Option<String>);

pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The tables of a database, which are exactly those that are listed.
pub(super) fn tables(database: &Connection, listed: &str) -> Vec<Table> {
    let mut listed = read_list(listed);
    let names: Vec<String> =
        texts(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    let tables = names.into_iter().map(|name| table(database, name, &mut listed)).collect();
    assert!(listed.is_empty(), "listed, and not in the dump: {:?}", listed.keys());
    tables
}

fn read_list(listed: &str) -> BTreeMap<(String, String), Listed> {
    let column = |line: &str| {
        let [table, rows, column, _empty, _distinct, target] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("six columns, not {line:?}");
        };
        let target = Some(target.to_owned()).filter(|target| !target.is_empty());
        ((table.to_owned(), column.to_owned()), (rows.parse().unwrap(), target))
    };
    listed.lines().map(column).collect()
}

fn texts(database: &Connection, sql: &str) -> Vec<String> {
    let mut statement = database.prepare(sql).unwrap();
    let texts = statement.query_map([], |row| row.get(0)).unwrap();
    texts.map(Result::unwrap).collect()
}

fn table(database: &Connection, name: String, listed: &mut BTreeMap<(String, String), Listed>) -> Table {
    let info = format!("SELECT name FROM pragma_table_info('{name}')");
    let [id] = &texts(database, &format!("{info} WHERE pk > 0"))[..] else {
        panic!("{name} has no key of one column");
    };
    let count = format!("SELECT COUNT(*) FROM {}", quoted(&name));
    let rows: u32 = database.query_row(&count, [], |row| row.get(0)).unwrap();
    let rows = u64::from(rows);
    let mut columns = Vec::new();
    for column in texts(database, &info) {
        let Some((listed_rows, target)) = listed.remove(&(name.clone(), column.clone())) else {
            panic!("{name}.{column} is not listed");
        };
        assert_eq!(rows, listed_rows, "rows of {name}");
        let field_type = if column == *id {
            FieldType::Id
        } else if target.is_some() {
            FieldType::Reference
        } else {
            let (quoted_column, table) = (quoted(&column), quoted(&name));
            let distinct = format!(
                "SELECT DISTINCT CAST({quoted_column} AS TEXT) FROM {table} WHERE {quoted_column} <> ''"
            );
            type_of(&column, &texts(database, &distinct))
        };
        columns.push(Column { name: column, field_type, target });
    }
    let mut table = Table { id: id.clone(), name, rows, columns, name_field: None, view: None };
    table.find_name(database);
    table
}

impl Table {
    /// Where the object's records are.
    pub(super) fn source(&self) -> &str {
        self.view.as_deref().unwrap_or(&self.name)
    }

    /// What people recognise a record by. Persons have a first and a last name, of which a CRM makes the name
    /// that it shows; a database gets a view for that.
    fn find_name(&mut self, database: &Connection) {
        let find = |wanted: &str| {
            self.columns
                .iter()
                .map(|column| &column.name)
                .find(|name| name.eq_ignore_ascii_case(wanted))
                .cloned()
        };
        self.name_field = ["Name", "Subject", "Label", "developer_name"].into_iter().find_map(find);
        if let (None, Some(first), Some(last)) = (&self.name_field, find("FirstName"), find("LastName")) {
            let view = format!("{} with its name", self.name);
            let (quoted_view, table, first, last) =
                (quoted(&view), quoted(&self.name), quoted(&first), quoted(&last));
            database
                .execute_batch(&format!(
                    "CREATE VIEW {quoted_view} AS SELECT *, TRIM({first} || ' ' || {last}) AS \"Name\" FROM {table}"
                ))
                .unwrap();
            self.columns.push(Column { name: "Name".to_owned(), field_type: FieldType::Text, target: None });
            self.name_field = Some("Name".to_owned());
            self.view = Some(view);
        }
    }
}

/// The type of a column that is neither identifier nor reference. Digits alone are no number: a postal code
/// is made of them, too.
fn type_of(column: &str, values: &[String]) -> FieldType {
    let words: BTreeSet<String> = words(column).into_iter().map(str::to_lowercase).collect();
    let says = |any: &[&str]| any.iter().any(|word| words.contains(*word));
    let all = |test: fn(&str) -> bool| values.iter().all(|value| test(value));
    let counted = if all(is_whole) { FieldType::Integer } else { FieldType::Decimal };
    match values {
        [_, ..] if all(|value| matches!(value, "true" | "false")) => FieldType::Boolean,
        [_, ..] if all(is_day) => FieldType::Date,
        [_, ..] if all(is_moment) => FieldType::Datetime,
        // Where there is no value, the name alone has to say it.
        [] if says(&["date"]) => FieldType::Date,
        _ if all(is_number) && says(&["percent"]) => FieldType::Percent,
        _ if all(is_number) && says(&["number", "opps", "tasks", "installments"]) => counted,
        _ if all(is_number) && says(&["amount", "total", "credit", "allocation"]) => FieldType::Currency,
        _ if all(is_number) && says(&["day", "days", "month", "year", "order"]) => counted,
        // Few values, and a name that says that they are chosen.
        [_, ..] if values.len() <= MOST_CHOICES && says(&CHOSEN) => FieldType::Picklist,
        _ => FieldType::Text,
    }
}

/// Whether values of a type are numbers.
pub(super) const fn is_numeric(field_type: FieldType) -> bool {
    use FieldType::{Currency, Decimal, Integer, Percent};
    matches!(field_type, Integer | Decimal | Currency | Percent)
}

fn is_number(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole.strip_prefix('-').unwrap_or(whole)) && digits(fraction)
}

fn is_whole(text: &str) -> bool {
    text.split_once('.').is_none_or(|(_, fraction)| fraction.bytes().all(|byte| byte == b'0'))
}

fn is_day(text: &str) -> bool {
    text.parse::<chrono::NaiveDate>().is_ok()
}

fn is_moment(text: &str) -> bool {
    chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

/// The words of a name, without the namespace of the package that brought it and the mark of custom ones.
fn words(name: &str) -> Vec<&str> {
    let name = name.strip_suffix("__c").unwrap_or(name);
    let name = name.split_once("__").map_or(name, |(_namespace, name)| name);
    let mut words = Vec::new();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let bytes = part.as_bytes();
        let begins = |at: &usize| {
            let (before, this) = (bytes[*at - 1], bytes[*at]);
            (this.is_ascii_uppercase() && !before.is_ascii_uppercase())
                || this.is_ascii_digit() != before.is_ascii_digit()
        };
        let mut start = 0;
        for at in (1..part.len()).filter(begins) {
            words.push(&part[start..at]);
            start = at;
        }
        words.push(&part[start..]);
    }
    words
}

fn label(name: &str, is_reference: bool) -> String {
    let mut words = words(name);
    if is_reference {
        words.pop_if(|word| word.eq_ignore_ascii_case("id") && !name.eq_ignore_ascii_case("id"));
    }
    let capital = |word: &str| [word[..1].to_uppercase().as_str(), &word[1..]].concat();
    words.into_iter().map(capital).collect::<Vec<_>>().join(" ")
}

/// The tables as an extract of our own format.
pub(super) fn extract(tables: &[Table]) -> Value {
    let field = |column: &Column| {
        let mut field = json!({
            "name": column.name,
            "label": label(&column.name, column.target.is_some()),
            "type": column.field_type.as_str(),
        });
        if let Some(target) = &column.target {
            field["references"] = json!([target]);
        }
        field
    };
    let object = |table: &Table| {
        let fields: Vec<Value> = table.columns.iter().map(field).collect();
        let mut object = json!({"name": table.name, "label": label(&table.name, false), "fields": fields});
        if let Some(name) = &table.name_field {
            object["nameField"] = json!(name);
        }
        object
    };
    // `format` comes first in a file, and an object's members here are in the order of their names.
    let objects: Vec<Value> = tables.iter().map(object).collect();
    json!({"format": "portolan-extract/1", "objects": objects})
}

/// Where the objects' records are, as `source.toml` says it.
pub(super) fn mapping(tables: &[Table]) -> String {
    let defaults = "[defaults]\nempty-is-null = true\n".to_owned();
    let views = tables.iter().filter_map(|table| {
        Some(format!("[objects.{}]\ntable = \"{}\"\n", table.name, table.view.as_ref()?))
    });
    std::iter::once(defaults).chain(views).collect()
}
