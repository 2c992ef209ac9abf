//! Cursors: where a page ended, bound to the query that it is a page of.
//!
//! A cursor holds nothing that its query couldn't say as well, so that a forged one reaches nothing more. It
//! carries what the query's literals were decided to be: the next page is of the same query, whatever was
//! written meanwhile.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bigdecimal::BigDecimal;
use portolan_schema::artifact::ContentHash;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::check::Open;
use super::value::{Kind, Reference, Value};
use super::{Condition, Match, Query, Test};
use crate::fold::fold_text;

/// Where a page ended.
#[derive(Debug, PartialEq)]
pub(crate) struct Cursor {
    /// What the open literals were decided to be equal to, by condition.
    pub(crate) decided: Vec<Vec<Option<Match>>>,
    /// The last record's values of the order.
    pub(crate) last: Vec<Value>,
}

#[derive(Deserialize, Serialize)]
struct Wire(Vec<Vec<String>>, Vec<String>);

/// What a cursor is bound to: the query, but for where it begins, how much it asks for and what it reads of
/// each record, and what the caller sees. Of open literals it is what is written, whether they are decided yet or not.
pub(crate) fn binding(query: &Query, open: &[Open], content: ContentHash) -> String {
    let Query { object, all, any, search, order, rows, .. } = query;
    let undecided = |of_any: bool, conditions: &[Condition]| {
        let mut conditions = conditions.to_vec();
        for open in open.iter().filter(|open| open.any == of_any) {
            if let Some(Condition { test: Test::OneOf(wanted), .. }) = conditions.get_mut(open.at) {
                wanted.clear();
            }
        }
        conditions
    };
    let (all, any) = (undecided(false, all), undecided(true, any));
    let texts: Vec<_> = open.iter().map(|open| (open.any, open.at, &open.texts)).collect();
    let digest = Sha256::digest(format!("{content} {object} {:?}", (all, any, search, order, rows, texts)));
    digest.iter().take(6).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

impl Cursor {
    /// The text that a model gives back.
    pub(crate) fn write(&self, binding: &str) -> String {
        let decided = self
            .decided
            .iter()
            .map(|matches| matches.iter().map(|found| write_match(found.as_ref())).collect())
            .collect();
        let wire = Wire(decided, self.last.iter().map(write_value).collect());
        // Texts alone are always written.
        format!("{binding}{}", URL_SAFE_NO_PAD.encode(serde_json::to_vec(&wire).unwrap_or_default()))
    }

    /// What a text says, where it is a cursor of this query and whole.
    pub(crate) fn read(text: &str, binding: &str, query: &Query, open: &[Open]) -> Option<Self> {
        let encoded = text.trim().strip_prefix(binding)?;
        let Wire(decided, last) = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(encoded).ok()?).ok()?;
        let of = |(open, matches): (&Open, &Vec<String>)| {
            let each = open.texts.iter().zip(matches);
            let read = each.map(|(text, wire)| read_match(wire, text, open)).collect::<Option<Vec<_>>>()?;
            (read.len() == open.texts.len() && read.len() == matches.len()).then_some(read)
        };
        let decided_for = decided.len();
        let decided = open.iter().zip(&decided).map(of).collect::<Option<Vec<_>>>()?;
        let last = last.iter().map(|value| read_value(value)).collect::<Option<Vec<_>>>()?;
        let fits = decided_for == open.len() && last.len() == query.order.len();
        fits.then_some(Self { decided, last })
    }
}

fn write_match(found: Option<&Match>) -> String {
    match found {
        None => "-".to_owned(),
        Some(Match::Folded(_)) => "f".to_owned(),
        Some(Match::Exactly(value @ Value::Reference(_))) => write_value(value),
        Some(Match::Exactly(_)) => "e".to_owned(),
    }
}

#[expect(clippy::option_option, reason = "a literal that means nothing is not one that can't be read")]
fn read_match(wire: &str, text: &str, open: &Open) -> Option<Option<Match>> {
    let is_reference = Kind::of(open.path.field_type) == Kind::Reference;
    match wire {
        "-" if is_reference => Some(None),
        "f" if !is_reference => Some(Some(Match::Folded(fold_text(text)))),
        "e" if !is_reference => Some(Some(Match::Exactly(Value::Text(text.to_owned())))),
        _ => match read_value(wire)? {
            Value::Reference(to) if open.path.target(&to.object).is_some() => {
                Some(Some(Match::Exactly(Value::Reference(to))))
            }
            _ => None,
        },
    }
}

fn write_value(value: &Value) -> String {
    match value {
        Value::Boolean(flag) => format!("b{flag}"),
        Value::Number(number) => format!("n{}", number.to_plain_string()),
        Value::Text(text) => format!("t{text}"),
        Value::Date(date) => format!("d{date}"),
        Value::Datetime(moment) => format!("m{}", moment.to_rfc3339()),
        Value::Time(time) => format!("c{time}"),
        Value::Reference(reference) => format!("r{}\u{0}{}", reference.object, reference.id),
        // Nothing is ordered by several texts or by bytes.
        Value::Null | Value::Texts(_) | Value::Bytes(_) => "z".to_owned(),
    }
}

/// A number that a record had, which may be longer than any that a model writes.
fn number(text: &str) -> Option<BigDecimal> {
    const MOST: usize = 2_500;
    let plain = text.len() <= MOST && text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'-' | b'.'));
    plain.then(|| text.parse().ok()).flatten()
}

fn read_value(wire: &str) -> Option<Value> {
    let mut letters = wire.chars();
    let kind = letters.next()?;
    let text = letters.as_str();
    Some(match kind {
        'z' => Value::Null,
        'b' => Value::Boolean(text.parse().ok()?),
        'n' => Value::Number(number(text)?),
        't' => Value::Text(text.to_owned()),
        'd' => Value::Date(text.parse().ok()?),
        'm' => Value::Datetime(chrono::DateTime::parse_from_rfc3339(text).ok()?.to_utc()),
        'c' => Value::Time(text.parse().ok()?),
        'r' => {
            let (object, id) = text.split_once('\u{0}')?;
            Value::Reference(Reference { object: object.to_owned(), id: id.to_owned() })
        }
        _ => return None,
    })
}
