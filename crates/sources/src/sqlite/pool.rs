//! Connections, each used by one query at a time, and how a query that takes long is taken off its caller's
//! hands and stopped.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono_tz::Tz;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::run::Failure;
use super::{Options, functions};

/// So many statements are kept prepared, a connection.
const STATEMENTS: usize = 128;
/// So much of the database is kept in memory, a connection: in KiB, as `SQLite` takes it, a negative number. Its own
/// default, an eighth of that, is less than one page of records with their names can touch.
const CACHE: i32 = -16_000;
/// So many steps of its virtual machine a statement makes between two looks at whether it must stop: some
/// ten microseconds of work.
const STEPS: i32 = 1_000;

/// Connections to one database file.
#[derive(Debug)]
pub(super) struct Pool {
    path: PathBuf,
    immutable: bool,
    zone: Tz,
    idle: Mutex<Vec<Database>>,
    permits: Arc<Semaphore>,
}

/// A connection, and what stops it.
#[derive(Debug)]
struct Database {
    connection: Connection,
    /// Whether its cache is as large as it shall be. To say so reads the database, which may be locked.
    has_cache: Cell<bool>,
    watch: Arc<Mutex<Watch>>,
}

/// When what a connection does must end.
#[derive(Debug, Default)]
struct Watch {
    until: Option<Instant>,
    cancelled: Arc<AtomicBool>,
}

impl Pool {
    pub(super) fn new(path: &Path, zone: Tz, options: &Options) -> Self {
        let permits = Arc::new(Semaphore::new(options.connections.clamp(1, Semaphore::MAX_PERMITS)));
        let idle = Mutex::default();
        Self { path: path.to_owned(), immutable: options.immutable, zone, idle, permits }
    }

    /// A connection, once there is one to be had.
    pub(super) async fn lease(self: &Arc<Self>) -> Result<Lease> {
        // It is never closed.
        let permit =
            Arc::clone(&self.permits).acquire_owned().await.map_err(|_| rusqlite::Error::InvalidQuery)?;
        let idle = locked(&self.idle).pop();
        let database = match idle {
            Some(database) => database,
            None => self.connect()?,
        };
        Ok(Lease { database: Some(database), pool: Arc::clone(self), _permit: permit })
    }

    /// Does something with a connection of its own, which stays.
    pub(super) fn once<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T, Failure> {
        let database = self.connect()?;
        let done = work(&database.connection)?;
        locked(&self.idle).push(database);
        Ok(done)
    }

    fn connect(&self) -> Result<Database> {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let mut connection = Connection::open_with_flags(uri(&self.path, self.immutable), flags)?;
        // Without it, a statement is prepared anew, in silence, each time that a value is bound that a
        // planner with statistics would look at.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.busy_timeout(Duration::ZERO)?;
        connection.pragma_update(None, "query_only", true)?;
        functions::register(&connection, self.zone)?;
        let watch = Arc::new(Mutex::new(Watch::default()));
        let watched = Arc::clone(&watch);
        let must_stop = move || {
            let watch = locked(&watched);
            watch.cancelled.load(Ordering::Relaxed)
                || watch.until.is_some_and(|until| Instant::now() >= until)
        };
        connection.progress_handler(STEPS, Some(must_stop))?;
        Ok(Database { connection, has_cache: Cell::new(false), watch })
    }

    /// How many connections could be had at once, and how many there are to be had now without opening any.
    #[cfg(test)]
    pub(super) fn idle(&self) -> (usize, usize) {
        (self.permits.available_permits(), locked(&self.idle).len())
    }
}

/// The path as a URI, in which every other sign stands for itself.
fn uri(path: &Path, immutable: bool) -> String {
    use std::fmt::Write as _;
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut uri = "file://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte);
        if plain {
            uri.push(char::from(*byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri.push_str(if immutable { "?immutable=1" } else { "?mode=ro" });
    uri
}

/// A connection, and the right to use it. It goes back whole, whatever became of what it was used for.
#[derive(Debug)]
pub(super) struct Lease {
    database: Option<Database>,
    pool: Arc<Pool>,
    _permit: OwnedSemaphorePermit,
}

impl Lease {
    /// Does something with the connection that ends when the time is over or it is cancelled.
    pub(super) fn run<T>(
        &self,
        until: Option<Instant>,
        cancelled: &Arc<AtomicBool>,
        work: impl FnOnce(&Connection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        // There is one until this is dropped.
        let Some(Database { connection, has_cache, watch }) = &self.database else {
            return Err(rusqlite::Error::InvalidQuery.into());
        };
        if !has_cache.get() {
            connection.pragma_update(None, "cache_size", CACHE)?;
            has_cache.set(true);
        }
        *locked(watch) = Watch { until, cancelled: Arc::clone(cancelled) };
        let done = work(connection);
        // What was stopped leaves its transaction open; ending that must not be stopped as well.
        *locked(watch) = Watch::default();
        if !connection.is_autocommit() {
            connection.execute_batch("ROLLBACK")?;
        }
        done
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // One that something panicked in the midst of may be in any state, and isn't used again.
        let Some(database) = self.database.take().filter(|_| !std::thread::panicking()) else { return };
        if database.connection.is_autocommit() {
            locked(&self.pool.idle).push(database);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What they hold is whole at every moment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
