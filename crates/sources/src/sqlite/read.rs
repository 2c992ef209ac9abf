//! What a column holds, read as what its field's type says that it means.

use std::borrow::Cow;
use std::fmt::Write as _;

use bigdecimal::BigDecimal;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;
use rusqlite::types::ValueRef;

use crate::Stored;
use crate::reading::{self, Digits, Numeric};

/// A value that can't be read as its field's type.
#[derive(Debug)]
pub(super) struct Unreadable;

/// What was read: nothing where there is nothing, or an empty text in the place of anything but a text.
pub(super) type Read<T> = Result<Option<T>, Unreadable>;

/// How days and moments are stored, as the arguments of functions have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moments<'p> {
    /// Each is looked at.
    Auto,
    /// Seconds since 1970.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// Texts of one form.
    Pattern(&'p str),
}

impl<'p> Moments<'p> {
    pub(super) fn of(stored: &'p Stored) -> Self {
        match stored {
            Stored::Epoch => Self::Seconds,
            Stored::EpochMilliseconds => Self::Milliseconds,
            Stored::Pattern(pattern) => Self::Pattern(pattern),
            Stored::Auto | Stored::Number | Stored::ObjectAndId => Self::Auto,
        }
    }

    /// As a function takes it.
    pub(super) const fn name(self) -> &'p str {
        match self {
            Self::Auto => "",
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Pattern(pattern) => pattern,
        }
    }

    pub(super) fn named(name: &'p str) -> Self {
        match name {
            "" => Self::Auto,
            "s" => Self::Seconds,
            "ms" => Self::Milliseconds,
            pattern => Self::Pattern(pattern),
        }
    }
}

/// A text. Numbers are read as they are written; what isn't UTF-8 is replaced in a text, and makes a blob
/// unreadable.
pub(super) fn text(value: ValueRef<'_>) -> Read<Cow<'_, str>> {
    match value {
        ValueRef::Null => Ok(None),
        // The first is faster by far, and nearly always right.
        ValueRef::Text(text) => Ok(Some(match std::str::from_utf8(text) {
            Ok(text) => text.into(),
            Err(_) => String::from_utf8_lossy(text),
        })),
        ValueRef::Blob(blob) => {
            std::str::from_utf8(blob).map(|text| Some(text.into())).map_err(|_| Unreadable)
        }
        ValueRef::Integer(number) => Ok(Some(number.to_string().into())),
        ValueRef::Real(number) => Ok(Some(format!("{number:?}").into())),
    }
}

/// An identifier. A blob that is no printable text is read as its hexadecimal digits.
pub(super) fn id(value: ValueRef<'_>) -> Read<Cow<'_, str>> {
    let is_text = |blob: &[u8]| blob.iter().all(|byte| (b' '..=b'~').contains(byte));
    let read = match value {
        ValueRef::Blob(blob) if !is_text(blob) => {
            let hex = blob.iter().fold(String::with_capacity(blob.len() * 2), |mut hex, byte| {
                let _ = write!(hex, "{byte:02x}");
                hex
            });
            Some(hex.into())
        }
        // What stands for a whole number is one, however its column is typed.
        ValueRef::Real(number) if number.fract() == 0.0 => reading::real(number).map(Cow::from),
        value => text(value)?,
    };
    Ok(read.filter(|id| !id.is_empty()))
}

pub(super) fn number(value: ValueRef<'_>) -> Read<BigDecimal> {
    match value {
        ValueRef::Integer(number) => Ok(Some(number.into())),
        value => with_digits(value, |digits: &Digits<'_>| digits.number()),
    }
}

/// A number as bytes in the order of numbers.
pub(super) fn number_key(value: ValueRef<'_>) -> Read<Vec<u8>> {
    with_digits(value, |digits| Some(digits.key()))
}

fn with_digits<T>(value: ValueRef<'_>, read: impl Fn(&Digits<'_>) -> Option<T>) -> Read<T> {
    let of = |text: &[u8]| Digits::read(text).and_then(|digits| read(&digits)).ok_or(Unreadable).map(Some);
    match value {
        ValueRef::Null | ValueRef::Text(b"") | ValueRef::Blob(b"") => Ok(None),
        ValueRef::Text(text) | ValueRef::Blob(text) => of(text),
        ValueRef::Integer(number) => of(number.to_string().as_bytes()),
        ValueRef::Real(number) => of(reading::real(number).ok_or(Unreadable)?.as_bytes()),
    }
}

pub(super) fn flag(value: ValueRef<'_>) -> Read<bool> {
    match value {
        ValueRef::Integer(number) => Ok(Some(number != 0)),
        ValueRef::Real(number) => Ok(Some(number != 0.0)),
        value => of_text(value, reading::flag),
    }
}

/// Whether a row is marked as deleted: by anything that isn't nothing, zero or a word for no.
pub(super) fn mark(value: ValueRef<'_>) -> bool {
    match flag(value) {
        Ok(flag) => flag.unwrap_or(false),
        // Such as the moment when it was deleted.
        Err(Unreadable) => true,
    }
}

pub(super) fn day(value: ValueRef<'_>, stored: Moments<'_>, zone: Tz) -> Read<NaiveDate> {
    match (value, stored) {
        (ValueRef::Integer(_) | ValueRef::Real(_), _) => {
            Ok(moment(value, stored, zone)?.map(|moment| moment.with_timezone(&zone).date_naive()))
        }
        (value, Moments::Pattern(pattern)) => of_text(value, |text| {
            let of_pattern = reading::of_pattern(text, pattern).map(|local| local.date());
            of_pattern.or_else(|| reading::day(text, zone))
        }),
        (value, _) => of_text(value, |text| reading::day(text, zone)),
    }
}

pub(super) fn moment(value: ValueRef<'_>, stored: Moments<'_>, zone: Tz) -> Read<DateTime<Utc>> {
    let of_number = |number| {
        let read = match (number, stored) {
            (Numeric::Whole(number), Moments::Seconds) => reading::seconds(number),
            (Numeric::Whole(number), Moments::Milliseconds) => reading::milliseconds(number),
            (number, _) => reading::moment_of_number(number),
        };
        read.ok_or(Unreadable).map(Some)
    };
    match value {
        ValueRef::Integer(number) => of_number(Numeric::Whole(number)),
        ValueRef::Real(number) => of_number(Numeric::Real(number)),
        value => of_text(value, |text| {
            let of_pattern = match stored {
                Moments::Pattern(pattern) => reading::of_pattern(text, pattern),
                _ => None,
            };
            match of_pattern {
                Some(local) => Some(reading::instant(local, zone)),
                None => reading::moment(text, zone),
            }
        }),
    }
}

pub(super) fn time(value: ValueRef<'_>) -> Read<NaiveTime> {
    match value {
        ValueRef::Integer(number) => reading::time_of_number(number).ok_or(Unreadable).map(Some),
        ValueRef::Real(_) => Err(Unreadable),
        value => of_text(value, reading::time),
    }
}

/// Several texts: a JSON list, or texts between semicolons.
pub(super) fn several(value: ValueRef<'_>) -> Read<Vec<String>> {
    let Some(text) = text(value)? else { return Ok(None) };
    let list = text.trim().starts_with('[').then(|| serde_json::from_str::<Vec<String>>(&text).ok());
    let texts = list.flatten().unwrap_or_else(|| {
        let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    });
    Ok(Some(texts).filter(|texts| !texts.is_empty()))
}

fn of_text<T>(value: ValueRef<'_>, read: impl FnOnce(&str) -> Option<T>) -> Read<T> {
    match text(value)? {
        Some(text) if !text.is_empty() => read(&text).ok_or(Unreadable).map(Some),
        _ => Ok(None),
    }
}

/// The object and the identifier of `'object,id'`.
pub(super) fn pair(value: ValueRef<'_>) -> Read<(String, String)> {
    of_text(value, |text| {
        let (object, id) = text.split_once(',')?;
        (!id.is_empty()).then(|| (object.to_owned(), id.to_owned()))
    })
}
