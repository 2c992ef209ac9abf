//! An artifact in memory, of which no more is decoded than is asked for.

use portolan_schema::artifact::{ArtifactError, CompiledProfile, Entry, Index, Record, upgrade};

/// The bytes of an artifact with its index and profiles; a record is verified and decoded when it is
/// first needed.
pub(crate) struct Opened {
    bytes: Vec<u8>,
    pub(crate) index: Index,
    pub(crate) profiles: Vec<CompiledProfile>,
}

impl Opened {
    pub(crate) fn new(bytes: Vec<u8>) -> Result<Self, ArtifactError> {
        let bytes = match upgrade(&bytes)? {
            std::borrow::Cow::Owned(upgraded) => upgraded,
            std::borrow::Cow::Borrowed(_) => bytes,
        };
        let index = Index::read(&bytes)?;
        let (expected, found) = (index.file_len(), bytes.len() as u64);
        if expected != found {
            return Err(ArtifactError::Length { expected, found });
        }
        let range = index.profiles_range();
        let profiles = index.profiles(slice(&bytes, &range))?;
        Ok(Self { bytes, index, profiles })
    }

    /// The record of an object, verified.
    pub(crate) fn record(&self, entry: &Entry) -> Result<Record, ArtifactError> {
        self.index.record(entry, slice(&self.bytes, &entry.range()))
    }
}

/// Nothing where the range isn't in the bytes: then its hash won't hold.
fn slice<'b>(bytes: &'b [u8], range: &std::ops::Range<u64>) -> &'b [u8] {
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    bytes.get(at(range.start)..at(range.end)).unwrap_or_default()
}
