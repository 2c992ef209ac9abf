//! What a column holds, and how it is stored: see the conventions in [`super`].

use std::fmt;

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

use super::calendar::{Day, Moment};

/// An object that has records, and what their ids begin with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) object: &'static str,
    pub(super) prefix: &'static str,
}

/// A record's identity. Shown, it tells nothing about the order in which records were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id {
    pub(super) kind: &'static Kind,
    /// Its place among the records of its object, from 0.
    pub(super) number: u32,
}

/// A decimal number with so many digits after the point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Digits<const SCALE: u32>(pub(super) i64);

/// An amount, in cents.
pub(super) type Money = Digits<2>;
/// A percentage, in hundredths of a percent.
pub(super) type Percent = Digits<2>;
/// Any other decimal number, in ten-thousandths.
pub(super) type Decimal = Digits<4>;

/// What one column of a record holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
    Link(Id),
}

impl Id {
    /// The number that people know the record by: `CR-000417`.
    pub(super) fn numbered(self, letters: &str) -> String {
        format!("{letters}-{:06}", self.number + 1)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Multiplying by an odd number modulo a power of two maps no two numbers to one. The prefix
        // keeps records of different objects from sharing their digits.
        let own = self.kind.prefix.bytes().fold(0, |own: u32, letter| own << 8 | u32::from(letter));
        let opaque = (self.number.wrapping_mul(0x9e37_79b1) ^ own.wrapping_mul(0x85eb_ca6b)) & 0xff_ffff;
        write!(f, "{}_{opaque:06x}", self.kind.prefix)
    }
}

impl Money {
    /// So many percent of it, rounded half away from zero.
    pub(super) const fn share(self, percent: Percent) -> Self {
        let exact = self.0 * percent.0;
        let half = if exact < 0 { -5_000 } else { 5_000 };
        Self((exact + half) / 10_000)
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<const SCALE: u32> fmt::Display for Digits<SCALE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, unit) = (if self.0 < 0 { "-" } else { "" }, 10_u64.pow(SCALE));
        let digits = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:0width$}", digits / unit, digits % unit, width = SCALE as usize)
    }
}

impl<const SCALE: u32> From<u32> for Digits<SCALE> {
    fn from(units: u32) -> Self {
        Self(units.into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Integer(flag.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<Id> for Value {
    fn from(id: Id) -> Self {
        Self::Link(id)
    }
}

impl<const SCALE: u32> From<Digits<SCALE>> for Value {
    fn from(number: Digits<SCALE>) -> Self {
        Self::Text(number.to_string())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Day> for Value {
    fn from(day: Day) -> Self {
        Self::Text(day.to_string())
    }
}

impl From<Moment> for Value {
    fn from(moment: Moment) -> Self {
        Self::Text(moment.to_string())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(some: Option<T>) -> Self {
        some.map_or(Self::Null, Into::into)
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Self::Integer(number) => ToSqlOutput::Borrowed(ValueRef::Integer(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            Self::Link(id) => ToSqlOutput::Owned(id.to_string().into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_exact_and_round_half_away_from_zero() {
        assert_eq!(Money::default().to_string(), "0.00");
        assert_eq!(Digits::<2>(-5).to_string(), "-0.05");
        assert_eq!(Digits::<4>(120_500).to_string(), "12.0500");
        assert_eq!(Digits::<2>(900_719_925_474_099_301).to_string(), "9007199254740993.01");
        let tenth = Digits::<2>(1_000);
        assert_eq!([5, 4, -5, -4].map(|cents| Money::share(Digits(cents), tenth).0), [1, 0, -1, 0]);
    }

    #[test]
    fn ids_are_distinct() {
        const KIND: &Kind = &Kind { object: "account", prefix: "acc" };
        let shown = |number| Id { kind: KIND, number }.to_string();
        let distinct: std::collections::BTreeSet<String> = (0..50_000).map(shown).collect();
        assert_eq!(distinct.len(), 50_000);
        assert!(distinct.iter().all(|id| id.len() == 10), "{:?}", distinct.first());
    }
}
