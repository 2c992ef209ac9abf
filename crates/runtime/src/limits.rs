//! What a host allows the queries of a conversation.

use std::time::Duration;

use crate::answer::MOST_ANSWER_BYTES;

/// What a host allows the queries of a conversation. A model can ask for less, and never for more.
///
/// ```
/// # use std::time::Duration;
/// use portolan_runtime::Limits;
/// let limits = Limits { time: Duration::from_secs(3), ..Limits::default() };
/// assert_eq!((limits.records, limits.default_records, limits.queries), (100, 20, 8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// So many records an answer, where a query says nothing.
    pub default_records: usize,
    /// So many records an answer, at most.
    pub records: usize,
    /// So many bytes an answer with records, at most; never more than [`MOST_ANSWER_BYTES`].
    pub bytes: usize,
    /// How long a call may take, its waiting and all its look-ups included.
    pub time: Duration,
    /// So many calls are answered at once; others wait for their turn.
    pub queries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            default_records: 20,
            records: 100,
            bytes: MOST_ANSWER_BYTES,
            time: Duration::from_secs(10),
            queries: 8,
        }
    }
}

impl Limits {
    /// The same, with nothing below what makes an answer possible, and nothing above what is ever sent.
    pub(crate) fn sensible(self) -> Self {
        /// What an answer needs besides its records.
        const LEAST_BYTES: usize = 8_000;
        let records = self.records.max(1);
        Self {
            records,
            default_records: self.default_records.clamp(1, records),
            bytes: self.bytes.clamp(LEAST_BYTES, MOST_ANSWER_BYTES),
            queries: self.queries.max(1),
            ..self
        }
    }

    /// Words in which the limits stand as they are enforced.
    pub(crate) fn filled(&self, words: &str) -> String {
        words
            .replace("{most_records}", &self.records.to_string())
            .replace("{default_records}", &self.default_records.to_string())
    }
}
