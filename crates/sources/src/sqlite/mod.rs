//! Records in an `SQLite` database.
//!
//! A query becomes a few statements in one read transaction, so that a page and its count are of one state of
//! the database, and its file is locked once. What SQL can't compare as the artifact types it, functions of
//! this crate read value by value.
//!
//! Most queries are answered faster than a thread is woken: these are answered within the first poll. One that
//! isn't done within two milliseconds is begun anew on a thread of its own; the next of its kind goes there at
//! once.

mod catalog;
mod functions;
mod habits;
mod order;
mod place;
mod pool;
mod read;
mod run;
mod statement;
mod term;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use portolan_runtime::query::Query;
use portolan_runtime::{Fetching, Page, RecordSource, SourceError};
use rusqlite::{Connection, ErrorCode};
use tokio::sync::oneshot;

use self::catalog::Catalog;
use self::habits::{Habit, Habits, Shape};
use self::pool::{Lease, Pool};
use self::run::{Failure, answer};
use crate::Mapping;

/// How long a query may keep its caller from doing anything else. To go to another thread, and to a core whose
/// caches are cold, was measured to take a third of a millisecond.
const AT_ONCE: Duration = Duration::from_millis(2);
/// How long a database may be locked by another process.
const LOCKED: Duration = Duration::from_secs(30);
/// The same, while it is opened.
const LOCKED_AT_OPENING: Duration = Duration::from_secs(5);

/// Records in an `SQLite` database, read and never written.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("crm.db");
/// # rusqlite::Connection::open(&path)?.execute_batch("CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT)")?;
/// use portolan_runtime::RecordSource as _;
/// use portolan_sources::sqlite::{Options, Sqlite};
///
/// let mapping = "[objects.account]\ntable = \"accounts\"".parse()?;
/// let source = Sqlite::open(&path, &mapping, &Options::default())?;
/// assert!(source.keeps("account", "name") && !source.keeps("account", "revenue"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    pool: Arc<Pool>,
    known: Arc<Known>,
}

/// How a database is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Nobody writes to the file while it is open: no locks are taken, and changes would go unseen or worse.
    pub immutable: bool,
    /// So many queries are answered at once; others wait for their turn.
    pub connections: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { immutable: false, connections: 4 }
    }
}

/// Why a database can't be opened.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct OpenError {
    path: PathBuf,
    what: String,
}

impl Sqlite {
    /// Opens a database file. All that the mapping names must be there.
    pub fn open(path: impl AsRef<Path>, mapping: &Mapping, options: &Options) -> Result<Self, OpenError> {
        let path = path.as_ref().to_owned();
        let problem = |what: String| OpenError { path: path.clone(), what };
        match std::fs::metadata(&path) {
            Ok(found) if found.is_dir() => {
                return Err(problem("it is a folder, and no database file".to_owned()));
            }
            Ok(_) => {}
            Err(error) => return Err(problem(error.to_string())),
        }
        let zone = mapping.defaults.zone.unwrap_or(chrono_tz::Tz::UTC);
        let pool = Arc::new(Pool::new(&path, zone, options));
        let read = |connection: &Connection| Catalog::read(connection, mapping.clone());
        let until = Instant::now() + LOCKED_AT_OPENING;
        let read = while_locked(|| Instant::now() >= until, || pool.once(read));
        let catalog = read.map_err(|failure| problem(describe(&failure)))?;
        let catalog = catalog.map_err(|missing| problem(missing.join("\n  ")))?;
        if catalog.is_empty() {
            return Err(problem("there are no tables in it".to_owned()));
        }
        Ok(Self { path, pool, known: Arc::new(Known { catalog, habits: Habits::default() }) })
    }

    fn failed(&self, failure: &Failure) -> SourceError {
        SourceError::Failed(format!("{}: {}", self.path.display(), describe(failure)))
    }

    async fn answer(&self, query: &Query) -> Result<Page, SourceError> {
        let failed = |failure: Failure| self.failed(&failure);
        let lease = self.pool.lease().await.map_err(|error| failed(error.into()))?;
        match self.known.at_once(&lease, query) {
            Err(failure) if failure.passes() => {}
            done => return done.map_err(failed),
        }
        let cancel = Cancel::default();
        let (sender, receiver) = oneshot::channel();
        let (known, query, cancelled) = (Arc::clone(&self.known), query.clone(), Arc::clone(&cancel.0));
        let work = move || {
            let done = known.in_time(&lease, &query, &cancelled);
            // Who hears of the answer may ask for the next one, and finds the connection.
            drop(lease);
            // Nobody waits for what was cancelled.
            let _ = sender.send(done);
        };
        let spawned = thread::Builder::new().name("portolan-sqlite".to_owned()).spawn(work);
        spawned.map_err(|error| SourceError::Failed(format!("no thread for a query: {error}")))?;
        let done =
            receiver.await.map_err(|_| SourceError::Failed("the thread of a query ended".to_owned()))?;
        done.map_err(failed)
    }
}

impl RecordSource for Sqlite {
    fn fetch<'a>(&'a self, query: &'a Query) -> Fetching<'a> {
        Box::pin(self.answer(query))
    }

    fn keeps(&self, object: &str, field: &str) -> bool {
        self.known.catalog.keeps(object, field)
    }
}

/// Stops what a thread does when nobody waits for it any more.
#[derive(Default)]
struct Cancel(Arc<AtomicBool>);

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What is known of the database.
#[derive(Debug)]
struct Known {
    catalog: Catalog,
    habits: Habits,
}

impl Known {
    /// Answers a query that doesn't take long.
    fn at_once(&self, lease: &Lease, query: &Query) -> Result<Page, Failure> {
        let (mut shape, until) = (Shape::default(), Instant::now() + AT_ONCE);
        let done = lease.run(Some(until), &Arc::default(), |connection| {
            answer(connection, &self.catalog, query, &mut shape, |shape| self.habits.of(shape))
        });
        match &done {
            Ok(page) => self.note_count(shape, query, page),
            Err(failure) if failure.is(ErrorCode::OperationInterrupted) => {
                self.habits.note_slow(shape, true);
            }
            Err(_) => {}
        }
        done
    }

    /// Answers a query, however long it takes, unless it is cancelled.
    fn in_time(&self, lease: &Lease, query: &Query, cancelled: &Arc<AtomicBool>) -> Result<Page, Failure> {
        let until = Instant::now() + LOCKED;
        let gives_up = || cancelled.load(Ordering::Relaxed) || Instant::now() >= until;
        while_locked(gives_up, || {
            let (mut shape, began) = (Shape::default(), Instant::now());
            let done = lease.run(None, cancelled, |connection| {
                answer(connection, &self.catalog, query, &mut shape, |shape| Habit {
                    slow: false,
                    ..self.habits.of(shape)
                })
            });
            if let Ok(page) = &done {
                self.note_count(shape, query, page);
                if began.elapsed() < AT_ONCE {
                    self.habits.note_slow(shape, false);
                }
            }
            done
        })
    }

    fn note_count(&self, shape: Shape, query: &Query, page: &Page) {
        if query.count_to.is_some() {
            self.habits.note_many(shape, page.total >= query.count_to);
        }
    }
}

impl Failure {
    fn is(&self, code: ErrorCode) -> bool {
        matches!(self, Self::Database(error) if error.sqlite_error_code() == Some(code))
    }

    fn is_locked(&self) -> bool {
        self.is(ErrorCode::DatabaseBusy) || self.is(ErrorCode::DatabaseLocked)
    }

    /// Whether it would not fail if it had more time.
    fn passes(&self) -> bool {
        matches!(self, Self::Slow) || self.is(ErrorCode::OperationInterrupted) || self.is_locked()
    }
}

/// Tries as long as the database is locked by another process.
fn while_locked<T>(
    gives_up: impl Fn() -> bool,
    attempt: impl Fn() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut pause = Duration::from_millis(1);
    loop {
        match attempt() {
            Err(failure) if failure.is_locked() && !gives_up() => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            done => return done,
        }
    }
}

/// What a host does about an error.
fn describe(failure: &Failure) -> String {
    let error = match failure {
        Failure::Missing(missing) => return missing.0.clone(),
        Failure::Slow => return "it took too long".to_owned(),
        Failure::Database(error) => error,
    };
    let hint = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "this is no SQLite database, or an encrypted one",
        Some(ErrorCode::DatabaseCorrupt) => {
            "the database is corrupt: restore it, or run `.recover` of the sqlite3 shell"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process keeps the database locked"
        }
        Some(ErrorCode::CannotOpen) => {
            "the database can't be opened; one in WAL mode needs a folder that can be written to, or to be opened as \
             immutable"
        }
        Some(ErrorCode::ReadOnly) => {
            "a program that wrote to the database ended without finishing: open it once with one that may write"
        }
        _ => return error.to_string(),
    };
    format!("{hint} ({error})")
}
