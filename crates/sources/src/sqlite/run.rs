//! A query's statements, run.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use portolan_runtime::Page;
use portolan_runtime::query::{Query, Value};
use rusqlite::{CachedStatement, Connection, Rows};

use super::catalog::{Affinity, Catalog, Kept};
use super::place::{Missing, Places};
use super::statement::{Builder, Statements};
use super::term::Params;

/// Why a query has no answer.
#[derive(Debug)]
pub(super) enum Failure {
    Missing(Missing),
    Database(rusqlite::Error),
    /// It is known to take longer than it now has.
    Slow,
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// What makes two queries take about the same time: their statements, whatever is bound to them.
pub(super) type Shape = u64;

/// Answers a query, unless its shape is refused. The transaction is left open where it fails.
pub(super) fn answer(
    connection: &Connection,
    catalog: &Catalog,
    query: &Query,
    shape: &mut Shape,
    refuses: impl FnOnce(Shape) -> bool,
) -> Result<Page, Failure> {
    connection.prepare_cached("BEGIN")?.raw_execute()?;
    let probed = RefCell::default();
    let probe = |kept: &Kept<'_>| is_of_one_type(connection, kept, &probed);
    let places = Places { catalog, probe: &probe };
    let statements = Builder::new(&places, query).build().map_err(Failure::Missing)?;
    *shape = shape_of(&statements);
    if refuses(*shape) {
        return Err(Failure::Slow);
    }
    let mut page = records(connection, &places, query, &statements)?;
    if let Some(most) = query.count_to {
        count(connection, query, &statements, most, &mut page)?;
    }
    connection.prepare_cached("COMMIT")?.raw_execute()?;
    Ok(page)
}

fn shape_of(statements: &Statements<'_>) -> Shape {
    let mut hasher = DefaultHasher::new();
    (&statements.pages, &statements.matching).hash(&mut hasher);
    hasher.finish()
}

fn records(
    connection: &Connection,
    places: &Places<'_, '_>,
    query: &Query,
    statements: &Statements<'_>,
) -> Result<Page, Failure> {
    /// So many records are made room for at first.
    const MOST: usize = 100;
    let mut page = Page::default();
    page.records.reserve(query.limit.saturating_add(1).min(MOST));
    for sql in &statements.pages {
        if page.records.len() > query.limit {
            break;
        }
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = asked(&mut statement, &statements.params)?;
        while page.records.len() <= query.limit
            && let Some(row) = rows.next()?
        {
            let mut record = Vec::with_capacity(statements.columns.len());
            for (at, column) in statements.columns.iter().enumerate() {
                record.push(column.read(row, places)?.unwrap_or_else(|_| {
                    page.unreadable.insert(at);
                    Value::Null
                }));
            }
            page.records.push(record);
        }
    }
    Ok(page)
}

/// Counts what matches, and what would but for being deleted.
fn count(
    connection: &Connection,
    query: &Query,
    statements: &Statements<'_>,
    most: u64,
    page: &mut Page,
) -> Result<(), Failure> {
    let matching = &statements.matching;
    if !statements.deletable {
        page.deleted = Some(0);
        let is_all = query.after.is_none() && page.records.len() <= query.limit;
        let total = if is_all {
            page.records.len() as u64
        } else {
            let mut statement =
                connection.prepare_cached(&format!("SELECT count(*) FROM ({matching} LIMIT {most})"))?;
            let mut rows = asked(&mut statement, &statements.params)?;
            let counted: i64 = rows.next()?.map_or(Ok(0), |row| row.get(0))?;
            counted.unsigned_abs()
        };
        page.total = Some(total.min(most));
        return Ok(());
    }
    let (mut live, mut deleted) = (0, 0);
    let mut statement = connection.prepare_cached(matching)?;
    let mut rows = asked(&mut statement, &statements.params)?;
    while live < most
        && let Some(row) = rows.next()?
    {
        if row.get(0)? {
            live += 1;
        } else {
            deleted += 1;
        }
    }
    page.total = Some(live);
    page.deleted = Some(deleted).filter(|deleted| live + deleted < most);
    Ok(())
}

/// Runs a statement with as many of the parameters as it has.
fn asked<'s>(statement: &'s mut CachedStatement<'_>, params: &Params) -> rusqlite::Result<Rows<'s>> {
    for (at, value) in params.values().iter().take(statement.parameter_count()).enumerate() {
        statement.raw_bind_parameter(at + 1, value)?;
    }
    Ok(statement.raw_query())
}

/// Whether a column that an index begins with has no values but those of its own type, or nothing: texts,
/// or numbers. The others stand at one end of the index.
fn is_of_one_type(connection: &Connection, kept: &Kept<'_>, known: &RefCell<Vec<(String, bool)>>) -> bool {
    let column = kept.column;
    if !column.indexed {
        return false;
    }
    let others = match column.affinity {
        Affinity::Numeric => ">= ''",
        Affinity::Text => ">= x''",
        // Numbers are below every text.
        Affinity::Blob => "< ''",
    };
    let probe = |others: &str| {
        let sql = format!("SELECT 1 FROM {} WHERE {} {others} LIMIT 1", kept.table.sql, column.sql);
        if let Some((_, answer)) = known.borrow().iter().find(|(asked, _)| *asked == sql) {
            return *answer;
        }
        // Where it can't be asked, what isn't known isn't assumed.
        let is_free =
            connection.prepare_cached(&sql).and_then(|mut probe| probe.exists([])).is_ok_and(|found| !found);
        known.borrow_mut().push((sql, is_free));
        is_free
    };
    probe(others) && (column.affinity != Affinity::Blob || probe(">= x''"))
}
