//! What stands in an answer, in a truth and in a dump, written so that equal things are equal: by the rules
//! of the notes that came with the questions.

use portolan_schema::FieldType;
use rusqlite::types::ValueRef;
use serde_json::Value;
use serde_json::value::RawValue;

use super::catalog::is_numeric;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cell {
    Null,
    /// A whole number, in digits.
    Number(String),
    /// A text; a number that isn't whole, in digits without trailing zeros; `true` or `false`.
    Text(String),
}

impl Cell {
    /// A number as it is written, digit by digit: never through a float.
    pub(super) fn number(digits: &str) -> Self {
        let Some((whole, fraction)) = digits.split_once('.') else { return Self::Number(digits.to_owned()) };
        match fraction.trim_end_matches('0') {
            "" => Self::Number(whole.to_owned()),
            fraction => Self::Text(format!("{whole}.{fraction}")),
        }
    }

    /// An identifier. Some tables have numbers for them, and a truth then has, too.
    pub(super) fn id(text: &str) -> Self {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { Self::Number(text.to_owned()) } else { Self::Text(text.to_owned()) }
    }

    /// A value of an answer, as its bytes are.
    pub(super) fn answered(json: &RawValue, is_id: bool) -> Self {
        match json.get() {
            "null" => Self::Null,
            flag @ ("true" | "false") => Self::Text(flag.to_owned()),
            text if text.starts_with('"') => {
                let text: String = serde_json::from_str(text).unwrap();
                if is_id { Self::id(&text) } else { Self::Text(text) }
            }
            number if number.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => Self::number(number),
            other => panic!("a value, not {other}"),
        }
    }

    /// A value of a question's rows.
    pub(super) fn expected(json: &Value) -> Self {
        match json {
            Value::Null => Self::Null,
            Value::Number(number) => Self::Number(number.to_string()),
            Value::String(text) => Self::Text(text.clone()),
            other => panic!("a value, not {other}"),
        }
    }

    /// A value that SQL found.
    pub(super) fn found(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Number(number.to_string()),
            ValueRef::Real(number) => Self::number(&number.to_string()),
            ValueRef::Text(text) => Self::Text(String::from_utf8(text.to_vec()).unwrap()),
            ValueRef::Blob(_) => panic!("there are no blobs in the dumps"),
        }
    }

    /// What a value of a dump means as a value of a type: everything is text there, and nothing is `''`.
    pub(super) fn meant_as(self, field_type: FieldType) -> Self {
        let Self::Text(text) = self else { return self };
        match field_type {
            _ if text.is_empty() => Self::Null,
            FieldType::Id | FieldType::Reference => Self::id(&text),
            field_type if is_numeric(field_type) => Self::number(&text),
            // Both are the same moment in UTC, with and without its milliseconds.
            FieldType::Datetime => Self::Text(text.replace(".000Z", "+00:00")),
            _ => Self::Text(text),
        }
    }
}

pub(super) type Row = Vec<Cell>;

/// What is wrong with rows: equal as lists where they are ordered, else as multisets.
pub(super) fn compare(mut found: Vec<Row>, mut truth: Vec<Row>, ordered: bool) -> Result<(), String> {
    if !ordered {
        found.sort();
        truth.sort();
    }
    if found == truth {
        return Ok(());
    }
    let at = found.iter().zip(&truth).take_while(|(found, truth)| found == truth).count();
    Err(format!(
        "{} rows for {}; from row {at} on\n  found {:?}\n  truth {:?}",
        found.len(),
        truth.len(),
        found.get(at),
        truth.get(at)
    ))
}
