//! Values in SQL: how a column is compared, and what it is compared with, so that the order and the equality
//! are the values', and an index is used where there can be one.

use std::cmp::Ordering;

use bigdecimal::{BigDecimal, ToPrimitive as _};
use chrono::{DateTime, NaiveTime, Utc};
use chrono_tz::Tz;
use portolan_runtime::query::{Bound, Match, Test, Value};
use rusqlite::types::{Value as Sql, ValueRef};

use super::catalog::{Affinity, Column};
use super::functions::several_key;
use super::read::{self, Moments, Unreadable};
use crate::reading::{self, Digits};

/// Values that are bound to a statement, each with its number.
#[derive(Debug, Default)]
pub(super) struct Params(Vec<Sql>);

impl Params {
    /// Adds a value, and gives what stands for it.
    pub(super) fn push(&mut self, value: impl Into<Sql>) -> String {
        self.0.push(value.into());
        format!("?{}", self.0.len())
    }

    pub(super) fn values(&self) -> &[Sql] {
        &self.0
    }

    /// `= ?` or `IN (?, ?)`.
    fn equal(&mut self, values: Vec<Sql>) -> String {
        let mut each: Vec<String> = values.into_iter().map(|value| self.push(value)).collect();
        match each.len() {
            1 => format!(" = {}", each.remove(0)),
            _ => format!(" IN ({})", each.join(",")),
        }
    }
}

/// A value of a row, as SQL.
#[derive(Clone, Debug)]
pub(super) struct Term<'c> {
    /// What is stored.
    pub(super) raw: String,
    pub(super) form: Form<'c>,
    /// The value itself can be compared: all that is stored is of one form, whose order is the values'.
    pub(super) plain: bool,
    /// An empty text is no value.
    pub(super) empty_is_null: bool,
    /// The column that it is in, unless it is computed.
    pub(super) column: Option<&'c Column>,
    /// What makes comparisons those of code points.
    pub(super) collate: &'static str,
    /// The zone of moments without an offset.
    pub(super) zone: Tz,
}

/// What a value is, and how it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form<'c> {
    Text,
    /// An identifier, ordered as a number or as a text.
    Id {
        numbered: bool,
    },
    Number,
    Flag,
    Day(Moments<'c>),
    Moment(Moments<'c>),
    Time,
    Several,
    /// Text that isn't compared.
    Opaque,
    /// A blob's length.
    Bytes,
}

impl Term<'_> {
    pub(super) fn affinity(&self) -> Affinity {
        self.column.map_or(Affinity::Text, |column| column.affinity)
    }

    /// What makes a test for equality one of bytes.
    pub(super) fn equal(&self) -> &'static str {
        self.column.map_or("", |column| column.equal)
    }

    /// Whether it is there in every row.
    pub(super) fn is_always_there(&self) -> bool {
        !self.may_be_empty() && self.column.is_some_and(|column| column.not_null)
    }

    /// Whether an index finds it.
    pub(super) fn is_indexed(&self) -> bool {
        self.is_stored_key() && self.column.is_some_and(|column| column.indexed)
    }

    /// Whether an empty text may stand in the place of nothing.
    pub(super) fn may_be_empty(&self) -> bool {
        let texts = self.affinity() != Affinity::Numeric;
        match self.form {
            Form::Text | Form::Opaque | Form::Bytes => self.empty_is_null,
            Form::Id { .. } => texts,
            Form::Day(Moments::Pattern(_)) | Form::Moment(Moments::Pattern(_)) => texts && self.empty_is_null,
            _ => false,
        }
    }

    /// What is read of a row for [`Term::decode`].
    pub(super) fn output(&self) -> String {
        match self.form {
            Form::Bytes if self.empty_is_null => format!("octet_length(NULLIF({}, ''))", self.raw),
            Form::Bytes => format!("octet_length({})", self.raw),
            _ => self.raw.clone(),
        }
    }

    /// The value that was read.
    pub(super) fn decode(&self, value: ValueRef<'_>) -> Result<Value, Unreadable> {
        /// Nothing is a value, too.
        fn of<T>(read: Option<T>, value: impl FnOnce(T) -> Value) -> Value {
            read.map_or(Value::Null, value)
        }
        let text = |text: std::borrow::Cow<'_, str>| Value::Text(text.into_owned());
        Ok(match self.form {
            Form::Text | Form::Opaque => {
                let read = read::text(value)?.filter(|text| !(self.empty_is_null && text.is_empty()));
                of(read, text)
            }
            Form::Id { .. } => of(read::id(value)?, text),
            Form::Number => of(read::number(value)?, Value::Number),
            Form::Flag => of(read::flag(value)?, Value::Boolean),
            Form::Day(stored) => of(read::day(value, stored, self.zone)?, Value::Date),
            Form::Moment(stored) => of(read::moment(value, stored, self.zone)?, Value::Datetime),
            Form::Time => of(read::time(value)?, Value::Time),
            Form::Several => of(read::several(value)?, Value::Texts),
            Form::Bytes => match value {
                ValueRef::Integer(length) => of(u64::try_from(length).ok(), Value::Bytes),
                _ => Value::Null,
            },
        })
    }

    /// What is compared: right whatever is stored.
    pub(super) fn key(&self) -> String {
        let raw = &self.raw;
        if self.plain {
            return match self.form {
                Form::Flag => format!("({raw} <> 0)"),
                Form::Id { numbered: true } if self.affinity() != Affinity::Numeric => {
                    format!("CAST(NULLIF({raw}, '') AS INTEGER)")
                }
                Form::Id { numbered: false } if self.affinity() == Affinity::Numeric => {
                    format!("CAST({raw} AS TEXT)")
                }
                _ if self.may_be_empty() => format!("NULLIF({raw}{}, ''){}", self.equal(), self.collate),
                _ => format!("{raw}{}", self.collate),
            };
        }
        match self.form {
            Form::Text if self.empty_is_null => format!("NULLIF(portolan_text({raw}), ''){}", self.collate),
            Form::Text => format!("portolan_text({raw}){}", self.collate),
            Form::Id { numbered: true } => format!("CAST(portolan_id({raw}) AS INTEGER)"),
            Form::Id { numbered: false } => format!("portolan_id({raw}){}", self.collate),
            Form::Number => format!("portolan_number({raw})"),
            Form::Flag => format!("portolan_flag({raw})"),
            Form::Day(stored) => format!("portolan_day({raw}, '{}')", stored.name().replace('\'', "''")),
            Form::Moment(stored) => {
                format!("portolan_moment({raw}, '{}')", stored.name().replace('\'', "''"))
            }
            Form::Time => format!("portolan_time({raw})"),
            Form::Several => format!("portolan_several({raw})"),
            Form::Opaque | Form::Bytes if self.empty_is_null => format!("NULLIF({raw}, '')"),
            Form::Opaque | Form::Bytes => raw.clone(),
        }
    }

    /// Whether what is stored is what is compared, but for empty texts: then an index can find it.
    pub(super) fn is_stored_key(&self) -> bool {
        let as_it_is = match self.form {
            Form::Flag => false,
            Form::Id { numbered } => numbered == (self.affinity() == Affinity::Numeric),
            _ => true,
        };
        self.plain && as_it_is
    }

    /// What is compared where it is known to be there.
    pub(super) fn present_key(&self) -> String {
        if self.is_stored_key() { format!("{}{}", self.raw, self.collate) } else { self.key() }
    }

    pub(super) fn is_null(&self) -> String {
        match (self.is_stored_key(), self.may_be_empty()) {
            (true, true) => format!("({0} IS NULL OR {0} = '')", self.raw),
            (true, false) => format!("{} IS NULL", self.raw),
            (false, _) => format!("{} IS NULL", self.key()),
        }
    }

    pub(super) fn is_there(&self) -> String {
        match (self.is_stored_key(), self.may_be_empty()) {
            (true, true) => format!("{} > ''", self.raw),
            (true, false) => format!("{} IS NOT NULL", self.raw),
            (false, _) => format!("{} IS NOT NULL", self.key()),
        }
    }

    /// A test of the value, true where it holds.
    pub(super) fn test(&self, test: &Test, params: &mut Params) -> String {
        match test {
            Test::Null => self.is_null(),
            Test::OneOf(wanted) => self.one_of(wanted, params),
            Test::Range { low, high } => self.range(low.as_ref(), high.as_ref(), params),
            Test::Contains(part) => self.with_text("portolan_contains", part, params),
            Test::StartsWith(part) => self.with_text("portolan_starts", part, params),
            Test::Never => "0".to_owned(),
        }
    }

    /// A test of the folded text.
    pub(super) fn with_text(&self, function: &str, part: &str, params: &mut Params) -> String {
        let text = if self.form == Form::Text && self.may_be_empty() { self.key() } else { self.raw.clone() };
        format!("{function}({text}, {})", params.push(part.to_owned()))
    }

    fn one_of(&self, wanted: &[Match], params: &mut Params) -> String {
        let exact = wanted.iter().filter_map(|wanted| match wanted {
            Match::Exactly(value) => Some(value),
            Match::Folded(_) => None,
        });
        let folded: Vec<&str> = wanted
            .iter()
            .filter_map(|wanted| match wanted {
                Match::Folded(text) => Some(text.as_str()),
                Match::Exactly(_) => None,
            })
            .collect();
        let json = |texts: &[&str]| serde_json::to_string(texts).unwrap_or_default();
        if self.form == Form::Several {
            let texts: Vec<&str> = exact.filter_map(text_of).collect();
            let (exact, folded) = (params.push(json(&texts)), params.push(json(&folded)));
            return format!("portolan_any_of({}, {exact}, {folded})", self.raw);
        }
        let mut any = Vec::new();
        let exact: Vec<&Value> = exact.collect();
        any.extend(self.equal_to(&exact, params));
        if !folded.is_empty() {
            any.push(self.with_text("portolan_folded_in", &json(&folded), params));
        }
        match any.len() {
            0 => "0".to_owned(),
            1 => any.remove(0),
            _ => format!("({})", any.join(" OR ")),
        }
    }

    /// Whether it is one of these values; nothing where it can be none of them.
    pub(super) fn equal_to(&self, values: &[&Value], params: &mut Params) -> Option<String> {
        match self.form {
            Form::Text => {
                let texts: Vec<&str> = values
                    .iter()
                    .filter_map(|value| text_of(value))
                    .filter(|text| !(self.empty_is_null && text.is_empty()))
                    .collect();
                self.equal_texts(&texts, "portolan_text", params)
            }
            Form::Id { .. } => {
                let ids: Vec<&str> =
                    values.iter().filter_map(|value| text_of(value)).filter(|id| !id.is_empty()).collect();
                if self.plain && self.affinity() == Affinity::Numeric {
                    let ids: Vec<Sql> = ids.into_iter().filter_map(whole).map(Sql::Integer).collect();
                    (!ids.is_empty()).then(|| format!("{}{}", self.raw, params.equal(ids)))
                } else {
                    self.equal_texts(&ids, "portolan_id", params)
                }
            }
            _ => {
                let encoded = values.iter().filter_map(|value| self.encode(value));
                let equal = encoded.filter(|(_, order)| order.is_eq()).map(|(value, _)| value);
                let equal: Vec<Sql> = equal.collect();
                (!equal.is_empty()).then(|| format!("{}{}", self.present_key(), params.equal(equal)))
            }
        }
    }

    /// Texts are looked for in every way in which they may be stored, so that an index finds them, and what
    /// was found is read before it counts.
    fn equal_texts(&self, texts: &[&str], read: &str, params: &mut Params) -> Option<String> {
        if texts.is_empty() {
            return None;
        }
        let as_texts = || texts.iter().map(|text| Sql::Text((*text).to_owned())).collect::<Vec<_>>();
        let raw = format!("{}{}", self.raw, self.equal());
        if self.plain {
            return Some(format!("{raw}{}", params.equal(as_texts())));
        }
        let mut stored = as_texts();
        for text in texts {
            stored.push(Sql::Blob(text.as_bytes().to_vec()));
            stored.extend(hexadecimal(text).map(Sql::Blob));
            if self.affinity() != Affinity::Text {
                stored.extend(text.parse().map(Sql::Integer));
                stored.extend(text.parse().map(Sql::Real));
            }
        }
        let (stored, meant) = (params.equal(stored), params.equal(as_texts()));
        Some(format!("({raw}{stored} AND {read}({}){}{meant})", self.raw, self.equal()))
    }

    fn range(&self, low: Option<&Bound>, high: Option<&Bound>, params: &mut Params) -> String {
        let (mut low, mut high) = (
            low.map(|low| self.compare(Side::Above, low, params)),
            high.map(|high| self.compare(Side::Below, high, params)),
        );
        let both: Vec<String> = low.take().into_iter().chain(high.take()).collect();
        if both.is_empty() { self.is_there() } else { both.join(" AND ") }
    }

    /// Whether it lies on one side of a value, or is that value.
    pub(super) fn compare(&self, side: Side, bound: &Bound, params: &mut Params) -> String {
        let Some((value, order)) = self.encode(&bound.value) else { return "0".to_owned() };
        // What is bound may be next to what is meant: a half cent is no whole number of cents.
        let inclusive = match (side, order) {
            (_, Ordering::Equal) => bound.inclusive,
            (Side::Above, order) => order.is_gt(),
            (Side::Below, order) => order.is_lt(),
        };
        let sign = match (side, inclusive) {
            (Side::Above, false) => ">",
            (Side::Above, true) => ">=",
            (Side::Below, false) => "<",
            (Side::Below, true) => "<=",
        };
        let compared = format!("{} {sign} {}", self.present_key(), params.push(value));
        let may_be_empty = self.is_stored_key() && self.may_be_empty() && side == Side::Below;
        if may_be_empty { format!("({compared} AND {} > '')", self.raw) } else { compared }
    }

    /// What stands for a value among keys, and how that compares with the value.
    fn encode(&self, value: &Value) -> Option<(Sql, Ordering)> {
        let exactly = |value| Some((value, Ordering::Equal));
        match (self.form, value) {
            (Form::Text, Value::Text(text)) => exactly(Sql::Text(text.clone())),
            (Form::Id { numbered: true }, Value::Text(id)) => {
                exactly(whole(id).map_or_else(|| Sql::Text(id.clone()), Sql::Integer))
            }
            (Form::Id { numbered: false }, Value::Text(id)) => exactly(Sql::Text(id.clone())),
            (Form::Number, Value::Number(number)) if self.plain => stored_number(number),
            (Form::Number, Value::Number(number)) => {
                exactly(Sql::Blob(Digits::read(number.to_plain_string().as_bytes())?.key()))
            }
            (Form::Flag, Value::Boolean(flag)) => exactly(Sql::Integer((*flag).into())),
            (Form::Day(Moments::Pattern(pattern)), Value::Date(day)) if self.plain => {
                exactly(Sql::Text(day.format(pattern).to_string()))
            }
            (Form::Day(_), Value::Date(day)) => exactly(Sql::Integer(reading::days(*day))),
            (Form::Moment(stored), Value::Datetime(moment)) if self.plain => stored_moment(stored, *moment),
            (Form::Moment(_), Value::Datetime(moment)) => exactly(Sql::Integer(moment.timestamp_micros())),
            (Form::Time, Value::Time(time)) => exactly(Sql::Integer(microseconds(*time))),
            (Form::Several, Value::Texts(texts)) => exactly(Sql::Blob(several_key(texts))),
            _ => None,
        }
    }
}

/// Which side of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn microseconds(time: NaiveTime) -> i64 {
    reading::microseconds_of_day(time)
}

/// The number that a text is, where it is written as `SQLite` writes it.
pub(super) fn whole(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// A number of a column that holds numbers alone: a whole one as such, any other as the nearest binary
/// one, and how that compares with it.
fn stored_number(number: &BigDecimal) -> Option<(Sql, Ordering)> {
    if number.is_integer()
        && let Some(whole) = number.to_i64()
    {
        return Some((Sql::Integer(whole), Ordering::Equal));
    }
    let nearest = number.to_plain_string().parse::<f64>().ok()?;
    let order = match reading::real(nearest) {
        Some(read) => Digits::read(read.as_bytes())?.number()?.cmp(number),
        None if nearest > 0.0 => Ordering::Greater,
        None => Ordering::Less,
    };
    Some((Sql::Real(nearest), order))
}

/// A moment of a column that holds moments of one form alone: the last such that isn't after it.
fn stored_moment(stored: Moments<'_>, moment: DateTime<Utc>) -> Option<(Sql, Ordering)> {
    let (value, stands_for) = match stored {
        Moments::Auto => return None,
        Moments::Seconds => (Sql::Integer(moment.timestamp()), reading::seconds(moment.timestamp())?),
        Moments::Milliseconds => {
            let milliseconds = moment.timestamp_millis();
            (Sql::Integer(milliseconds), reading::milliseconds(milliseconds)?)
        }
        Moments::Pattern(pattern) => {
            let text = moment.naive_utc().format(pattern).to_string();
            let stands_for = reading::of_pattern(&text, pattern)?.and_utc();
            (Sql::Text(text), stands_for)
        }
    };
    Some((value, stands_for.cmp(&moment)))
}

/// The bytes that an identifier of hexadecimal digits stands for.
fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let lower = |c: &u8| c.is_ascii_digit() || (b'a'..=b'f').contains(c);
    if digits.is_empty() || !digits.len().is_multiple_of(2) || !digits.iter().all(lower) {
        return None;
    }
    let pairs = digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    pairs.collect()
}
