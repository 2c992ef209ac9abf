//! Ways in which databases keep one and the same world.

use std::path::Path;

use chrono::NaiveDate;
use portolan_runtime::query::Value;
use portolan_schema::{Field, FieldType};
use portolan_sources::Mapping;
use rusqlite::Connection;
use rusqlite::types::Value as Sql;

use super::world::{Dice, NUMBERED, Records, Traits, fields};

/// A way of keeping records in `SQLite`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Tables of one type a column, as a careful designer makes them.
    Strict,
    /// Everything is text, and nothing is an empty text.
    Text,
    /// No column has a type, and each row has its values in another form.
    Mixed,
    /// Numbers and moments as such, said in the mapping; other names.
    Declared,
}

impl Way {
    pub(super) const ALL: [Self; 4] = [Self::Strict, Self::Text, Self::Mixed, Self::Declared];

    pub(super) const fn traits(self) -> Traits {
        Traits {
            empty_texts: matches!(self, Self::Strict | Self::Mixed),
            microseconds: !matches!(self, Self::Declared),
            long_numbers: !matches!(self, Self::Declared),
        }
    }

    pub(super) fn mapping(self) -> Mapping {
        let text = match self {
            Self::Strict => "[defaults]\ndeleted = \"gone\"\nobject-column = \"{field}_object\"",
            Self::Text => {
                "[defaults]\ndeleted = \"gone\"\nobject-column = \"{field}_object\"\nempty-is-null = true\n\
                 [defaults.stored]\ndate = \"%Y-%m-%d\"\ndatetime = \"%Y-%m-%dT%H:%M:%S%.6fZ\""
            }
            Self::Mixed => {
                "[defaults]\ndeleted = \"gone\"\n[objects.user]\nnamed = \"base.user\"\n[objects.queue]\nnamed = \"base.queue\"\n\
                 [objects.account.fields]\nowner = { stored = \"object,id\" }\n\
                 [objects.deal.fields]\nowner = { stored = \"object,id\" }"
            }
            Self::Declared => {
                "[defaults]\ndeleted = \"gone\"\nobject-column = \"{field}_object\"\n[defaults.stored]\ndecimal = \"number\"\n\
                 currency = \"number\"\ninteger = \"number\"\ndate = \"%Y/%m/%d\"\ndatetime = \"epoch-ms\"\n\
                 [objects.deal]\ntable = \"The Deals\"\n[objects.deal.fields]\ngroup = 'a\"b select'\ncloses = \"closes on\""
            }
        };
        // Fractions of a second are no part of a pattern.
        text.replace("\ndatetime = \"%Y-%m-%dT%H:%M:%S%.6fZ\"", "").parse().unwrap()
    }

    fn table(self, object: &str) -> String {
        if self == Self::Declared && object == "deal" { "The Deals".to_owned() } else { object.to_owned() }
    }

    fn column(self, field: &str) -> String {
        match (self, field) {
            (Self::Declared, "group") => "a\"b select".to_owned(),
            (Self::Declared, "closes") => "closes on".to_owned(),
            (_, field) => field.to_owned(),
        }
    }

    fn declared(self, object: &str, field: &Field) -> &'static str {
        let numbered = field.name == "id" && object == NUMBERED;
        match self {
            Self::Strict | Self::Text | Self::Declared if numbered => "INTEGER PRIMARY KEY",
            Self::Strict if field.name == "id" => "TEXT PRIMARY KEY",
            Self::Strict => match field.field_type {
                FieldType::Boolean | FieldType::Integer => "INTEGER",
                FieldType::Binary => "BLOB",
                _ => "TEXT",
            },
            // References hold whole numbers as text.
            Self::Text => "VARCHAR(255)",
            Self::Mixed if numbered => "INTEGER NOT NULL",
            Self::Mixed => "",
            Self::Declared => match field.field_type {
                FieldType::Currency | FieldType::Decimal => "NUMERIC(18, 2)",
                FieldType::Integer | FieldType::Boolean => "INTEGER",
                FieldType::Datetime => "BIGINT",
                FieldType::Binary => "BLOB",
                FieldType::Reference if field.references == [NUMBERED] => "INTEGER",
                _ => "TEXT",
            },
        }
    }

    /// Writes a world into a new database.
    pub(super) fn write(self, records: &Records, path: &Path, dice: &mut Dice) {
        let database = Connection::open(path).unwrap();
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        for (object, records) in records {
            let (fields, table) = (fields(object), quoted(&self.table(object)));
            let two_columns = self != Self::Mixed;
            let is_one_of_several = |field: &Field| field.references.len() > 1;
            let mut columns = Vec::new();
            for field in &fields {
                let column = self.column(&field.name);
                columns.push(format!("{} {}", quoted(&column), self.declared(object, field)));
                if two_columns && is_one_of_several(field) {
                    columns.push(format!("{} TEXT", quoted(&format!("{column}_object"))));
                }
            }
            let deleted =
                if self == Self::Strict || self == Self::Declared { "gone INTEGER" } else { "gone TEXT" };
            columns.push(deleted.to_owned());
            let strict = if self == Self::Strict { " STRICT" } else { "" };
            database
                .execute_batch(&format!("CREATE TABLE {table} ({}){strict}", columns.join(", ")))
                .unwrap();
            for (at, field) in fields.iter().enumerate() {
                // Half of the columns have an index.
                if at % 2 == 0 && field.field_type != FieldType::Binary {
                    let column = quoted(&self.column(&field.name));
                    database
                        .execute_batch(&format!("CREATE INDEX \"{object}_{at}\" ON {table} ({column})"))
                        .unwrap();
                }
            }
            let marks = vec!["?"; columns.len()].join(", ");
            let mut insert = database.prepare(&format!("INSERT INTO {table} VALUES ({marks})")).unwrap();
            for (record, deleted) in records {
                let mut row = Vec::new();
                for field in &fields {
                    let value = &record[&field.name];
                    row.push(self.value(object, field, value, dice));
                    if two_columns && is_one_of_several(field) {
                        row.push(match value {
                            Value::Reference(reference) => Sql::Text(reference.object.clone()),
                            _ => Sql::Null,
                        });
                    }
                }
                row.push(match (self, deleted) {
                    (Self::Strict | Self::Declared, deleted) => Sql::Integer((*deleted).into()),
                    (Self::Text, true) => Sql::Text("true".to_owned()),
                    (Self::Text, false) => Sql::Text("false".to_owned()),
                    (Self::Mixed, true) => Sql::Text("2026-01-01 10:00:00".to_owned()),
                    (Self::Mixed, false) => Sql::Null,
                });
                insert.execute(rusqlite::params_from_iter(row)).unwrap();
            }
        }
    }

    fn value(self, object: &str, field: &Field, value: &Value, dice: &mut Dice) -> Sql {
        let text = |text: String| Sql::Text(text);
        match value {
            Value::Null if self == Self::Text && field.name != "id" => text(String::new()),
            Value::Null => Sql::Null,
            Value::Text(id) if field.name == "id" && object == NUMBERED => Sql::Integer(id.parse().unwrap()),
            Value::Text(of) => match self {
                Self::Mixed if dice.below(5) == 0 && field.name != "id" => Sql::Blob(of.clone().into_bytes()),
                Self::Mixed if of == "42" => Sql::Integer(42),
                Self::Mixed if of == "1.0" => Sql::Real(1.0),
                _ => text(of.clone()),
            },
            Value::Texts(texts) => match self {
                Self::Mixed if dice.below(2) == 0 => text(serde_json::to_string(texts).unwrap()),
                _ => text(texts.join(";")),
            },
            Value::Number(number) => {
                let digits = number.to_plain_string();
                let whole = digits.parse::<i64>();
                let real = digits.parse::<f64>().ok().filter(|real| real.to_string() == digits);
                match (self, whole, real) {
                    (Self::Strict, Ok(whole), _) if field.field_type == FieldType::Integer => {
                        Sql::Integer(whole)
                    }
                    (Self::Declared, Ok(whole), _) => Sql::Integer(whole),
                    (Self::Declared, _, Some(real)) => Sql::Real(real),
                    (Self::Mixed, whole, real) => match (dice.below(4), whole, real) {
                        (0, Ok(whole), _) => Sql::Integer(whole),
                        (1, _, Some(real)) => Sql::Real(real),
                        (2, ..) => Sql::Blob(digits.into_bytes()),
                        _ => text(digits),
                    },
                    _ => text(digits),
                }
            }
            Value::Boolean(flag) => match (self, dice.below(4)) {
                (Self::Strict | Self::Declared, _) | (Self::Mixed, 0) => Sql::Integer((*flag).into()),
                (Self::Mixed, 1) => text(if *flag { "t" } else { "f" }.to_owned()),
                (Self::Mixed, 2) => Sql::Real(f64::from(u8::from(*flag))),
                _ => text(flag.to_string()),
            },
            Value::Date(day) => {
                let epoch = NaiveDate::default();
                let days = day.signed_duration_since(epoch).num_days();
                let is_small = (0..36_500).contains(&days);
                match (self, dice.below(4)) {
                    (Self::Declared, _) => text(day.format("%Y/%m/%d").to_string()),
                    (Self::Mixed, 0) if is_small => Sql::Integer(days * 86_400),
                    (Self::Mixed, 1) if is_small => Sql::Real(days as f64 + 2_440_587.5),
                    (Self::Mixed, 2) => text(format!("{day} 00:00:00")),
                    _ => text(day.to_string()),
                }
            }
            Value::Datetime(moment) => {
                let whole = moment.timestamp_subsec_nanos() == 0;
                match (self, dice.below(4)) {
                    (Self::Declared, _) => Sql::Integer(moment.timestamp_millis()),
                    (Self::Mixed, 0) if whole => Sql::Integer(moment.timestamp()),
                    (Self::Mixed, 1) => text(moment.format("%Y-%m-%d %H:%M:%S%.6f").to_string()),
                    (Self::Mixed, 2) => {
                        let east = chrono::FixedOffset::east_opt(2 * 3_600).unwrap();
                        text(moment.with_timezone(&east).to_rfc3339())
                    }
                    _ => text(moment.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()),
                }
            }
            Value::Time(time) => text(time.to_string()),
            Value::Bytes(length) => Sql::Blob(vec![7; usize::try_from(*length).unwrap()]),
            Value::Reference(reference) => match self {
                Self::Mixed if field.references.len() > 1 => {
                    text(format!("base.{},{}", reference.object, reference.id))
                }
                Self::Mixed | Self::Declared if reference.object == NUMBERED => {
                    Sql::Integer(reference.id.parse().unwrap())
                }
                _ => text(reference.id.clone()),
            },
        }
    }
}
