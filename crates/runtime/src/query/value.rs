//! Values of records, how they compare, and how they are written.

use std::cmp::Ordering;
use std::fmt;

use bigdecimal::BigDecimal;
use chrono::{
    DateTime, Datelike as _, NaiveDate, NaiveTime, Offset as _, SecondsFormat, TimeZone, Timelike as _, Utc,
};
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
        Z::Offset: fmt::Display,
    {
        match self {
            Self::Null => json.push_str("null"),
            Self::Boolean(true) => json.push_str("true"),
            Self::Boolean(false) => json.push_str("false"),
            Self::Number(number) => push_number(json, number),
            Self::Text(text) => push_text(json, text),
            // None of their signs is written in another way.
            Self::Date(date) => quoted(json, |json| push_day(json, *date)),
            Self::Datetime(moment) => quoted(json, |json| push_moment(json, &moment.with_timezone(zone))),
            Self::Time(time) => quoted(json, |json| push_time(json, *time)),
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

fn quoted(json: &mut String, write: impl FnOnce(&mut String)) {
    json.push('"');
    write(json);
    json.push('"');
}

/// Writes exact digits, and never an exponent.
fn push_number(json: &mut String, number: &BigDecimal) {
    /// The greatest power of ten that a `u64` holds.
    const MOST: u32 = 19;
    let (digits, scale) = number.as_bigint_and_scale();
    // Amounts need no number of any length, and there are hundreds of them in an answer.
    let small = i64::try_from(digits.as_ref()).ok().zip(u32::try_from(scale).ok());
    let Some((digits, scale)) = small.filter(|(_, scale)| *scale <= MOST) else {
        return json.push_str(&number.to_plain_string());
    };
    if digits < 0 {
        json.push('-');
    }
    let (digits, one) = (digits.unsigned_abs(), 10_u64.pow(scale));
    push_digits(json, digits / one, 1);
    if scale > 0 {
        json.push('.');
        push_digits(json, digits % one, scale as usize);
    }
}

/// Writes a day as ISO 8601 has it.
fn push_day(json: &mut String, day: NaiveDate) {
    match u64::try_from(day.year()) {
        Ok(year @ 0..=9999) => {
            push_digits(json, year, 4);
            json.push('-');
            push_digits(json, day.month().into(), 2);
            json.push('-');
            push_digits(json, day.day().into(), 2);
        }
        _ => json.push_str(&day.to_string()),
    }
}

/// Writes a time of day as ISO 8601 has it, with no more digits than it needs.
fn push_time(json: &mut String, time: NaiveTime) {
    if time.nanosecond() > 0 {
        return json.push_str(&time.to_string());
    }
    push_digits(json, time.hour().into(), 2);
    json.push(':');
    push_digits(json, time.minute().into(), 2);
    json.push(':');
    push_digits(json, time.second().into(), 2);
}

/// Writes a moment as RFC 3339 has it.
fn push_moment<Z: TimeZone>(json: &mut String, moment: &DateTime<Z>)
where
    Z::Offset: fmt::Display,
{
    let (local, offset) = (moment.naive_local(), moment.offset().fix().local_minus_utc());
    if !(0..=9999).contains(&local.year()) || offset % 60 != 0 {
        // Centuries ago clocks had offsets with seconds, which the library rounds.
        return json.push_str(&moment.to_rfc3339_opts(SecondsFormat::AutoSi, false));
    }
    push_day(json, local.date());
    json.push('T');
    push_time(json, local.time());
    json.push(if offset < 0 { '-' } else { '+' });
    let minutes = u64::from(offset.unsigned_abs() / 60);
    push_digits(json, minutes / 60, 2);
    json.push(':');
    push_digits(json, minutes % 60, 2);
}

/// Writes a number with at least so many digits.
fn push_digits(json: &mut String, number: u64, least: usize) {
    let mut digits = [b'0'; 20];
    let (mut from, mut rest) = (digits.len(), number);
    while rest > 0 || digits.len() - from < least {
        from -= 1;
        if let Some(digit) = digits.get_mut(from) {
            *digit = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        }
        rest /= 10;
    }
    json.extend(digits.iter().skip(from).map(|digit| char::from(*digit)));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_written_as_the_library_writes_them(digits in any::<i128>(), shift in 0_u32..128, scale in -3_i64..40) {
            let number = BigDecimal::new((digits >> shift).into(), scale);
            let mut json = String::new();
            push_number(&mut json, &number);
            prop_assert_eq!(json, number.to_plain_string());
        }

        #[test]
        fn moments_are_written_as_the_library_writes_them(
            seconds in -70_000_000_000_i64..260_000_000_000,
            microseconds in prop_oneof![Just(0), 0_u32..1_000_000],
            zone in prop::sample::select(vec![chrono_tz::UTC, chrono_tz::Europe::Berlin, chrono_tz::Asia::Kathmandu]),
        ) {
            let moment = DateTime::from_timestamp(seconds, microseconds * 1_000).unwrap().with_timezone(&zone);
            let mut json = String::new();
            push_moment(&mut json, &moment);
            prop_assert_eq!(json, moment.to_rfc3339_opts(SecondsFormat::AutoSi, false));
            let mut json = String::new();
            push_day(&mut json, moment.date_naive());
            json.push(' ');
            push_time(&mut json, moment.time());
            prop_assert_eq!(json, format!("{} {}", moment.date_naive(), moment.time()));
        }
    }
}
