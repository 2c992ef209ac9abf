//! Values of records, how they compare, and how they are written.

use std::cmp::Ordering;

use bigdecimal::BigDecimal;
use chrono::{DateTime, NaiveDate, NaiveTime, SecondsFormat, TimeZone, Utc};
use portolan_schema::FieldType;

use crate::json::{Members, push_text, push_texts};

/// A value of a record, as the artifact types its field: what a column happens to store is the source's
/// matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing. An empty text is a value.
    Null,
    /// `boolean`
    Boolean(bool),
    /// `integer`, `decimal`, `currency`, `percent`: exact, with the digits that it is kept with.
    Number(BigDecimal),
    /// `text`, `picklist` and everything that is read as text, identifiers included.
    Text(String),
    /// `date`
    Date(NaiveDate),
    /// `datetime`
    Datetime(DateTime<Utc>),
    /// `time`
    Time(NaiveTime),
    /// `multi_picklist`
    Texts(Vec<String>),
    /// `reference`
    Reference(Reference),
    /// `binary`: how many bytes there are. The bytes themselves are never read.
    Bytes(u64),
}

/// Which record a reference leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// Its object.
    pub object: String,
    /// Its identifier.
    pub id: String,
}

/// What the values of a field are, for comparing and reading them: several types have one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text that is compared as such.
    Text,
    /// An identifier: compared exactly.
    Id,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// A day.
    Date,
    /// A moment.
    Datetime,
    /// A time of day.
    Time,
    /// Several texts.
    Texts,
    /// A reference.
    Reference,
    /// What is there or not, and isn't compared.
    Opaque,
}

impl Kind {
    /// The kind of a type.
    #[must_use]
    pub const fn of(field_type: FieldType) -> Self {
        match field_type {
            FieldType::Id => Self::Id,
            FieldType::Text
            | FieldType::LongText
            | FieldType::Picklist
            | FieldType::Email
            | FieldType::Phone
            | FieldType::Url
            | FieldType::Address
            | FieldType::Other => Self::Text,
            FieldType::Integer | FieldType::Decimal | FieldType::Currency | FieldType::Percent => {
                Self::Number
            }
            FieldType::Boolean => Self::Boolean,
            FieldType::Date => Self::Date,
            FieldType::Datetime => Self::Datetime,
            FieldType::Time => Self::Time,
            FieldType::MultiPicklist => Self::Texts,
            FieldType::Reference => Self::Reference,
            FieldType::Geolocation | FieldType::Binary | FieldType::Json => Self::Opaque,
        }
    }
}

impl Value {
    /// Whether there is nothing.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// How two values of one field compare; `None` where either is null, or they are of different kinds.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) => Some(a.cmp(b)),
            (Self::Number(a), Self::Number(b)) => Some(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            (Self::Date(a), Self::Date(b)) => Some(a.cmp(b)),
            (Self::Datetime(a), Self::Datetime(b)) => Some(a.cmp(b)),
            (Self::Time(a), Self::Time(b)) => Some(a.cmp(b)),
            (Self::Texts(a), Self::Texts(b)) => Some(a.cmp(b)),
            (Self::Reference(a), Self::Reference(b)) => {
                Some(a.id.cmp(&b.id).then_with(|| a.object.cmp(&b.object)))
            }
            (Self::Bytes(a), Self::Bytes(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }

    /// Writes the value as JSON; a moment in that time zone.
    pub(crate) fn write<Z: TimeZone>(&self, json: &mut String, zone: &Z)
    where
        Z::Offset: std::fmt::Display,
    {
        match self {
            Self::Null => json.push_str("null"),
            Self::Boolean(true) => json.push_str("true"),
            Self::Boolean(false) => json.push_str("false"),
            // Exact digits, and never an exponent.
            Self::Number(number) => json.push_str(&number.to_plain_string()),
            Self::Text(text) => push_text(json, text),
            Self::Date(date) => push_text(json, &date.to_string()),
            Self::Datetime(moment) => {
                let local = moment.with_timezone(zone);
                push_text(json, &local.to_rfc3339_opts(SecondsFormat::AutoSi, false));
            }
            Self::Time(time) => push_text(json, &time.to_string()),
            Self::Texts(texts) => push_texts(json, texts),
            Self::Reference(reference) => push_text(json, &reference.id),
            Self::Bytes(count) => {
                let mut members = Members::open(json);
                members.number("bytes", count);
                members.close();
            }
        }
    }
}
