//! The baseline in Rust: the statements, written and prepared by hand, and their rows as JSON.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row, params_from_iter};

use super::question::{Kind, LIMIT, Question};

/// In KiB, as `SQLite` takes it: a negative number. The adapter and better-sqlite3 have as much.
const CACHE: i32 = -16_000;

/// A connection with its prepared statements.
pub(super) struct ByHand {
    connection: Connection,
}

impl ByHand {
    pub(super) fn open(path: &Path) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        // As the adapter has it. Without the first, a statement is prepared anew each time that something is bound
        // that statistics would be asked about.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.pragma_update(None, "cache_size", CACHE)?;
        Ok(Self { connection })
    }

    /// Answers a question: `{"records":[…],"returned":50,"total":10000,"truncated":true}`.
    pub(super) fn answer(&self, question: &Question, at: usize) -> anyhow::Result<String> {
        let bound = question.bound.get(at).map(Vec::as_slice).unwrap_or_default();
        // What is counted is of the same state as the page.
        if question.count.is_some() {
            self.connection.prepare_cached("BEGIN")?.execute([])?;
        }
        let mut json = String::with_capacity(16 * 1024);
        json.push_str("{\"records\":[");
        let (mut returned, mut truncated) = (0, false);
        let mut page = self.connection.prepare_cached(question.page)?;
        let mut rows = page.query(params_from_iter(bound))?;
        while let Some(row) = rows.next()? {
            if returned == LIMIT {
                truncated = true;
                break;
            }
            if returned > 0 {
                json.push(',');
            }
            match question.kind {
                Kind::Point => write_point(&mut json, row)?,
                Kind::Page => write_order(&mut json, row)?,
            }
            returned += 1;
        }
        drop(rows);
        json.push_str("],\"returned\":");
        json.push_str(&returned.to_string());
        if let Some(count) = question.count {
            let mut count = self.connection.prepare_cached(count)?;
            let total: i64 = count.query_row(params_from_iter(bound), |row| row.get(0))?;
            self.connection.prepare_cached("COMMIT")?.execute([])?;
            json.push_str(",\"total\":");
            json.push_str(&total.to_string());
        }
        json.push_str(if truncated { ",\"truncated\":true}" } else { ",\"truncated\":false}" });
        Ok(json)
    }
}

fn write_point(json: &mut String, row: &Row<'_>) -> anyhow::Result<()> {
    text(json, "{\"id\":", row, 0)?;
    text(json, ",\"name\":", row, 1)?;
    number(json, ",\"total\":", row, 2)?;
    text(json, ",\"customer\":{\"id\":", row, 3)?;
    text(json, ",\"name\":", row, 4)?;
    json.push_str("}}");
    Ok(())
}

fn write_order(json: &mut String, row: &Row<'_>) -> anyhow::Result<()> {
    text(json, "{\"id\":", row, 0)?;
    text(json, ",\"name\":", row, 1)?;
    text(json, ",\"customer\":{\"id\":", row, 2)?;
    text(json, ",\"name\":", row, 3)?;
    text(json, "},\"owner\":{\"id\":", row, 4)?;
    text(json, ",\"name\":", row, 5)?;
    text(json, "},\"status\":", row, 6)?;
    number(json, ",\"total\":", row, 7)?;
    text(json, ",\"placed_on\":", row, 8)?;
    // Stored as 2026-11-30T17:05:00Z, shown with an offset.
    let moment = row.get_ref(9)?.as_str()?;
    json.push_str(",\"created_at\":\"");
    json.push_str(moment.strip_suffix('Z').unwrap_or(moment));
    json.push_str("+00:00\"}");
    Ok(())
}

fn text(json: &mut String, key: &str, row: &Row<'_>, at: usize) -> anyhow::Result<()> {
    json.push_str(key);
    match row.get_ref(at)? {
        ValueRef::Null => json.push_str("null"),
        value => {
            let text = value.as_str()?;
            if text.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
                json.push_str(&serde_json::to_string(text)?);
            } else {
                json.push('"');
                json.push_str(text);
                json.push('"');
            }
        }
    }
    Ok(())
}

/// The digits as they are stored: a number of JSON has any number of them.
fn number(json: &mut String, key: &str, row: &Row<'_>, at: usize) -> anyhow::Result<()> {
    json.push_str(key);
    json.push_str(match row.get_ref(at)? {
        ValueRef::Null => "null",
        value => value.as_str()?,
    });
    Ok(())
}
