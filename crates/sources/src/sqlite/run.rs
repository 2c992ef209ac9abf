//! A query's statements, run.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use portolan_runtime::Page;
use portolan_runtime::query::{Query, Value};
use rusqlite::{CachedStatement, Connection, Rows};

use super::catalog::{Affinity, Catalog, Kept};
use super::habits::{Habit, Shape};
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

/// Answers a query, unless its shape is known to be slow. The transaction is left open where it fails.
pub(super) fn answer(
    connection: &Connection,
    catalog: &Catalog,
    query: &Query,
    shape: &mut Shape,
    habit: impl FnOnce(Shape) -> Habit,
) -> Result<Page, Failure> {
    connection.prepare_cached("BEGIN")?.raw_execute()?;
    let probed = RefCell::default();
    let probe = |kept: &Kept<'_>| is_of_one_type(connection, kept, &probed);
    let places = Places { catalog, probe: &probe };
    let statements = Builder::new(&places, query).build().map_err(Failure::Missing)?;
    *shape = shape_of(&statements);
    let habit = habit(*shape);
    if habit.slow {
        return Err(Failure::Slow);
    }
    let mut page = records(connection, &places, query, &statements)?;
    if let Some(most) = query.count_to {
        let is_all = query.after.is_none() && page.records.len() <= query.limit;
        // Where none are deleted, those that are there are known by now.
        let counted = if is_all && !statements.deletable {
            Counted { total: page.records.len() as u64, deleted: Some(0) }
        } else {
            count(connection, &statements, most, habit.many && !is_all)?
        };
        page.total = Some(counted.total.min(most));
        page.deleted = if statements.deletable { counted.deleted } else { Some(0) };
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

/// How many records match.
struct Counted {
    total: u64,
    /// How many would but for being deleted, where all were looked at.
    deleted: Option<u64>,
}

/// Counts what matches, and what would but for being deleted. The database counts: to be handed each row takes as
/// long again.
fn count(
    connection: &Connection,
    statements: &Statements<'_>,
    most: u64,
    many: bool,
) -> Result<Counted, Failure> {
    let matching = &statements.matching;
    let ask = |sql: &str| -> rusqlite::Result<Option<(u64, u64)>> {
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = asked(&mut statement, &statements.params)?;
        let number = |row: &rusqlite::Row<'_>, at| row.get::<_, i64>(at).map(i64::unsigned_abs);
        rows.next()?.map(|row| Ok((number(row, 0)?, number(row, 1)?))).transpose()
    };
    let live = |selected: &str| format!("SELECT {selected} FROM ({matching}) WHERE gone IS NOT TRUE LIMIT");
    // Whether there is a last one to count is told in two thirds of the time that counting takes.
    if many && ask(&format!("{} 1 OFFSET {}", live("1, 1"), most.saturating_sub(1)))?.is_some() {
        return Ok(Counted { total: most, deleted: None });
    }
    // Both are counted in one go, as most often few are deleted.
    let reach = most.saturating_add(most / 64);
    let both = format!("SELECT count(*), count(*) FILTER (WHERE gone) FROM ({matching} LIMIT {reach})");
    let (matched, gone) = ask(&both)?.unwrap_or_default();
    let deleted = Some(gone).filter(|_| matched < most);
    let total = match matched.saturating_sub(gone) {
        few if few < most && matched == reach => {
            ask(&format!("SELECT count(*), 0 FROM ({} {most})", live("1")))?.unwrap_or_default().0
        }
        total => total,
    };
    Ok(Counted { total, deleted })
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
