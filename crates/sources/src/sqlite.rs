//! Records in an `SQLite` database.

use std::path::Path;

use portolan_runtime::query::Query;
use portolan_runtime::{Fetching, RecordSource, SourceError};

use crate::Mapping;

/// Records in an `SQLite` database, read and never written.
#[derive(Debug)]
pub struct Sqlite {}

/// How a database is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Nobody writes to the file while it is open: no locks are taken, and changes would go unseen or worse.
    pub immutable: bool,
    /// So many queries are answered at once.
    pub connections: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { immutable: false, connections: 4 }
    }
}

/// Why a database can't be opened.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(String);

impl Sqlite {
    /// Opens a database file.
    pub fn open(path: impl AsRef<Path>, mapping: &Mapping, options: &Options) -> Result<Self, OpenError> {
        let _ = (path, mapping, options);
        Err(OpenError("not yet".to_owned()))
    }
}

impl RecordSource for Sqlite {
    fn fetch<'a>(&'a self, _query: &'a Query) -> Fetching<'a> {
        Box::pin(std::future::ready(Err(SourceError::TimedOut)))
    }
}
