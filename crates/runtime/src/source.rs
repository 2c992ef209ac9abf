//! Where records come from: the port that a host or a driver fills.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;

use crate::query::{Query, Value};

/// A future that a source returns. No executor is named: whoever awaits it runs it.
pub type Fetching<'a> = Pin<Box<dyn Future<Output = Result<Page, SourceError>> + Send + 'a>>;

/// Where records come from.
///
/// A source answers a checked [`Query`] exactly as [`Memory`](crate::Memory) would over the same records.
pub trait RecordSource: Send + Sync {
    /// Fetches the records that a query asks for.
    ///
    /// Dropping the future cancels what it was doing, wherever that is done: this is how a time limit ends a
    /// query. One that answers within its first poll can't be cancelled, and therefore must be short.
    fn fetch<'a>(&'a self, query: &'a Query) -> Fetching<'a>;

    /// Whether it keeps a field of an object; what it doesn't keep isn't asked of it, and a model is told so.
    /// An object of which it keeps no identifier can't be queried at all.
    fn keeps(&self, object: &str, field: &str) -> bool {
        let _ = (object, field);
        true
    }
}

/// What a source found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The records, in the query's order, each with a value a column of the query; one more than its limit
    /// where there are more.
    pub records: Vec<Vec<Value>>,
    /// How many match, where the query asks for it; [`Query::count_to`] stands for it and more.
    pub total: Option<u64>,
    /// How many records match but for being deleted, where the source marks such. They are counted where the
    /// total is, as long as all that match, deleted or not, are fewer than [`Query::count_to`].
    pub deleted: Option<u64>,
    /// The columns in which it found values that can't be read as their field's type. These are null.
    pub unreadable: BTreeSet<usize>,
}

/// Why a source has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It took longer than it may.
    #[error("it took longer than the time that a query has")]
    TimedOut,
    /// It can't be reached, or doesn't know what is asked for. The text is for the host's log, never for a
    /// model: it may name what the caller must not know of.
    #[error("{0}")]
    Failed(String),
}
