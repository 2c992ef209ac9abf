//! The words of the query language, as they stand in arguments and in tasks: operators, and the texts
//! `month(close_date)`, `sum(amount)`, `amount desc`, `past 30 days`.
//!
//! Whether a field is there, and whether an operator suits its type, is for whoever has the schema.

use std::fmt;
use std::str::FromStr;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident $what:literal { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl $name {
            /// Every one, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word for it, in arguments and files.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                match word {
                    $($word => Ok(Self::$variant),)*
                    _ => Err(UnknownWord { what: $what, word: word.to_owned(), known: &[$($word),*] }),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// How a field is compared.
    Op "operator" {
        /// Equal.
        Eq = "eq",
        /// Not equal; true of empty fields.
        Ne = "ne",
        /// Equal to one of several.
        In = "in",
        /// Equal to none of several; true of empty fields.
        NotIn = "not_in",
        /// Less, or earlier.
        Lt = "lt",
        /// Less or equal.
        Lte = "lte",
        /// Greater, or later.
        Gt = "gt",
        /// Greater or equal.
        Gte = "gte",
        /// From one to another, both included.
        Between = "between",
        /// Holds a text.
        Contains = "contains",
        /// Begins with a text.
        StartsWith = "starts_with",
        /// Within a period.
        During = "during",
        /// Empty.
        IsNull = "is_null",
        /// Not empty.
        NotNull = "not_null",
        /// A multi-picklist with that value.
        Includes = "includes",
        /// A multi-picklist without that value; true of empty fields.
        Excludes = "excludes",
    }
}

words! {
    /// A calendar period that dates are grouped by.
    Bucket "period" {
        /// `2026-01-05`
        Day = "day",
        /// ISO weeks: `2026-W05`
        Week = "week",
        /// `2026-01`
        Month = "month",
        /// `2026-Q1`
        Quarter = "quarter",
        /// `2026`
        Year = "year",
    }
}

words! {
    /// What is computed over the records of a group.
    Function "measure" {
        /// How many records, or how many with a value.
        Count = "count",
        /// How many different values.
        CountDistinct = "count_distinct",
        /// The sum.
        Sum = "sum",
        /// The mean.
        Avg = "avg",
        /// The least.
        Min = "min",
        /// The greatest.
        Max = "max",
    }
}

mod period;

pub use period::{Period, PeriodProblem, Span, Unit, Which};

/// A word that is none of those that belong there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' is no {what}")]
pub struct UnknownWord {
    /// What belongs there: `operator`.
    pub what: &'static str,
    /// What was there.
    pub word: String,
    /// What may be there.
    pub known: &'static [&'static str],
}

/// What records are grouped by: `owner`, `account.region`, `month(close_date)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The period, of a date.
    pub bucket: Option<Bucket>,
    /// A field or a path.
    pub path: String,
}

/// `count`, `sum(amount)`, `avg(days_between(created_at, closed_at))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// What is computed.
    pub function: Function,
    /// Of what.
    pub of: Measured,
}

/// What a measure is computed of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measured {
    /// The records themselves: `count` alone.
    Records,
    /// A field or a path.
    Path(String),
    /// The days from one to the other, each a field or a path.
    DaysBetween(String, String),
}

/// `amount desc`, `name`, `sum(amount) asc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// A field, a path, a group or a measure, as written.
    pub key: String,
    /// From the greatest to the least.
    pub descending: bool,
}

/// Why a text is no group, measure or order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// A function or a period that isn't there.
    #[error(transparent)]
    Unknown(#[from] UnknownWord),
    /// Brackets that don't close, or with nothing in them.
    #[error("'{0}' is not of the form {1}")]
    Form(String, &'static str),
}

const DAYS_BETWEEN: &str = "days_between";

impl FromStr for Group {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        match text.trim().split_once('(') {
            None => Ok(Self { bucket: None, path: path(text, "field or period(field)")? }),
            Some((bucket, rest)) => Ok(Self {
                bucket: Some(bucket.trim().parse()?),
                path: path(closed(rest, text, "period(field)")?, "period(field)")?,
            }),
        }
    }
}

impl FromStr for Measure {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        const FORM: &str = "count, function(field) or avg(days_between(field, field))";
        let Some((function, rest)) = text.trim().split_once('(') else {
            return match text.trim().parse()? {
                Function::Count => Ok(Self { function: Function::Count, of: Measured::Records }),
                _ => Err(Malformed::Form(text.to_owned(), FORM)),
            };
        };
        let function = function.trim().parse()?;
        let of = closed(rest, text, FORM)?.trim();
        let of = match of.strip_prefix(DAYS_BETWEEN).map(str::trim_start).and_then(|of| of.strip_prefix('('))
        {
            None => Measured::Path(path(of, FORM)?),
            Some(days) => match closed(days, text, FORM)?.split_once(',') {
                Some((from, to)) => Measured::DaysBetween(path(from, FORM)?, path(to, FORM)?),
                None => return Err(Malformed::Form(text.to_owned(), FORM)),
            },
        };
        Ok(Self { function, of })
    }
}

impl FromStr for Order {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let text = text.trim();
        let (key, descending) = match text.rsplit_once(char::is_whitespace) {
            Some((key, word)) if word.eq_ignore_ascii_case("desc") => (key, true),
            Some((key, word)) if word.eq_ignore_ascii_case("asc") => (key, false),
            _ => (text, false),
        };
        let key = key.trim();
        // A measure may have a space in it; a field has none.
        if key.is_empty() || (key.contains(char::is_whitespace) && !key.contains('(')) {
            return Err(Malformed::Form(text.to_owned(), "field, field asc or field desc"));
        }
        Ok(Self { key: key.to_owned(), descending })
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Measured::Records => write!(f, "{}", self.function),
            Measured::Path(path) => write!(f, "{}({path})", self.function),
            Measured::DaysBetween(from, to) => write!(f, "{}({DAYS_BETWEEN}({from}, {to}))", self.function),
        }
    }
}

/// What stands before the bracket that closes the text.
fn closed<'t>(rest: &'t str, whole: &str, form: &'static str) -> Result<&'t str, Malformed> {
    rest.trim_end().strip_suffix(')').ok_or_else(|| Malformed::Form(whole.to_owned(), form))
}

fn path(text: &str, form: &'static str) -> Result<String, Malformed> {
    let path = text.trim();
    if path.is_empty() || path.contains(|c: char| c.is_whitespace() || "(),".contains(c)) {
        return Err(Malformed::Form(text.to_owned(), form));
    }
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups() {
        let read = |text: &str| text.parse::<Group>().map(|group| (group.bucket, group.path));
        assert_eq!(read("account.region"), Ok((None, "account.region".to_owned())));
        assert_eq!(read(" month( close_date ) "), Ok((Some(Bucket::Month), "close_date".to_owned())));
        assert_eq!(read("moth(close_date)").unwrap_err().to_string(), "'moth' is no period");
        for wrong in ["", "month(", "month()", "month(a b)", "month(a))", "a b"] {
            assert!(matches!(read(wrong), Err(Malformed::Form(..))), "{wrong}");
        }
    }

    #[test]
    fn measures() {
        let read = |text: &str| text.parse::<Measure>();
        assert_eq!(read("count"), Ok(Measure { function: Function::Count, of: Measured::Records }));
        assert_eq!(
            read("sum( amount )"),
            Ok(Measure { function: Function::Sum, of: Measured::Path("amount".to_owned()) })
        );
        let days = Measured::DaysBetween("created_at".to_owned(), "closed_at".to_owned());
        let measure = Measure { function: Function::Avg, of: days };
        assert_eq!(read("avg(days_between(created_at,closed_at))"), Ok(measure.clone()));
        assert_eq!(measure.to_string().parse(), Ok(measure));
        assert_eq!(read("total(amount)").unwrap_err().to_string(), "'total' is no measure");
        for wrong in [
            "sum",
            "sum(",
            "sum()",
            "avg(days_between(a))",
            "avg(days_between(a,b)",
            "sum(a,b)",
            "sum(count(a))",
        ] {
            assert!(matches!(read(wrong), Err(Malformed::Form(..))), "{wrong}");
        }
    }

    #[test]
    fn orders() {
        let read = |text: &str| text.parse::<Order>().map(|order| (order.key, order.descending));
        assert_eq!(read("amount desc"), Ok(("amount".to_owned(), true)));
        assert_eq!(read(" amount  asc "), Ok(("amount".to_owned(), false)));
        assert_eq!(read("desc"), Ok(("desc".to_owned(), false)));
        assert_eq!(read("avg(days_between(a, b)) desc"), Ok(("avg(days_between(a, b))".to_owned(), true)));
        for wrong in ["", "amount descending", "a b desc"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
