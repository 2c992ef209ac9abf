//! Functions that `SQLite` calls where a column's values can't be compared as they are stored.
//!
//! Each is a value as [`read`](super::read) reads it, in a form whose order and equality are the value's;
//! what is nothing and what can't be read is `NULL`.

use std::collections::BTreeSet;

use chrono_tz::Tz;
use portolan_runtime::query::folded;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSql, ValueRef};
use rusqlite::{Connection, Result};

use super::read::{self, Moments, Read};
use crate::reading;

/// Gives a connection the functions. Moments without an offset are of the zone.
pub(super) fn register(connection: &Connection, zone: Tz) -> Result<()> {
    one(connection, "portolan_text", |value| owned(read::text(value)))?;
    one(connection, "portolan_id", |value| owned(read::id(value)))?;
    one(connection, "portolan_number", read::number_key)?;
    one(connection, "portolan_flag", read::flag)?;
    one(connection, "portolan_mark", |value| Ok(Some(read::mark(value))))?;
    one(connection, "portolan_time", |value| Ok(read::time(value)?.map(reading::microseconds_of_day)))?;
    one(connection, "portolan_several", |value| Ok(read::several(value)?.map(|texts| several_key(&texts))))?;
    one(connection, "portolan_pair_object", |value| Ok(read::pair(value)?.map(|(object, _)| object)))?;
    one(connection, "portolan_pair_id", |value| Ok(read::pair(value)?.map(|(_, id)| id)))?;
    of_moments(connection, "portolan_day", move |value, stored| {
        Ok(read::day(value, stored, zone)?.map(reading::days))
    })?;
    of_moments(connection, "portolan_moment", move |value, stored| {
        Ok(read::moment(value, stored, zone)?.map(|moment| moment.timestamp_micros()))
    })?;

    with_text(connection, "portolan_contains", |value, part| value.contains(part))?;
    with_text(connection, "portolan_starts", |value, part| value.starts_with(part))?;
    scalar(connection, "portolan_folded_in", 2, |context| {
        let wanted = list(context, 1)?;
        Ok(read::text(context.get_raw(0)).ok().flatten().map(|text| wanted.contains(&folded(&text))))
    })?;
    scalar(connection, "portolan_any_of", 3, |context| {
        let (exact, alike) = (list(context, 1)?, list(context, 2)?);
        let is_wanted =
            |text: &String| exact.contains(text) || (!alike.is_empty() && alike.contains(&folded(text)));
        Ok(read::several(context.get_raw(0)).ok().flatten().map(|texts| texts.iter().any(is_wanted)))
    })?;
    // The order of code points, in a database whose texts aren't UTF-8.
    connection.create_collation("portolan", |a: &str, b: &str| a.cmp(b))
}

/// Several texts in the order of lists of texts.
pub(super) fn several_key(texts: &[String]) -> Vec<u8> {
    texts.join("\0").into_bytes()
}

fn owned(read: Read<std::borrow::Cow<'_, str>>) -> Read<String> {
    Ok(read?.map(std::borrow::Cow::into_owned))
}

fn scalar<T: ToSql>(
    connection: &Connection,
    name: &str,
    arguments: i32,
    call: impl Fn(&Context<'_>) -> Result<T> + Send + 'static,
) -> Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function(name, arguments, flags, move |context| call(context))
}

fn one<T: ToSql>(
    connection: &Connection,
    name: &str,
    read: impl Fn(ValueRef<'_>) -> Read<T> + Send + 'static,
) -> Result<()> {
    scalar(connection, name, 1, move |context| Ok(read(context.get_raw(0)).ok().flatten()))
}

fn of_moments(
    connection: &Connection,
    name: &str,
    read: impl Fn(ValueRef<'_>, Moments<'_>) -> Read<i64> + Send + 'static,
) -> Result<()> {
    scalar(connection, name, 2, move |context| {
        let stored = Moments::named(context.get_raw(1).as_str()?);
        Ok(read(context.get_raw(0), stored).ok().flatten())
    })
}

/// A test of a text, case and accents aside, with a text that is folded already.
fn with_text(
    connection: &Connection,
    name: &str,
    test: impl Fn(&str, &str) -> bool + Send + 'static,
) -> Result<()> {
    scalar(connection, name, 2, move |context| {
        let part = context.get_raw(1).as_str()?;
        Ok(read::text(context.get_raw(0)).ok().flatten().map(|text| test(&folded(&text), part)))
    })
}

/// A JSON list of texts, which is read once a statement.
fn list(context: &Context<'_>, at: usize) -> Result<std::sync::Arc<BTreeSet<String>>> {
    let argument = i32::try_from(at).unwrap_or(i32::MAX);
    context.get_or_create_aux(
        argument,
        |value| -> std::result::Result<_, Box<dyn std::error::Error + Send + Sync>> {
            Ok(serde_json::from_str(value.as_str()?)?)
        },
    )
}
