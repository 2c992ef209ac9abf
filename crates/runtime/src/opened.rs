//! An artifact of which no more is read and decoded than is asked for.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use portolan_schema::ClosedSchema;
use portolan_schema::artifact::{
    ArtifactError, CompiledProfile, Entry, FORMAT_VERSION, Header, Index, Record, decode, upgrade,
};

/// What is read of a file at once: the header, and an index of some hundred objects. Fresh memory is
/// what a cold read costs most, so no more of it is touched than is likely needed.
const FIRST_READ: usize = 8 * 1024;

/// No index is longer: a length that was damaged must not be read for.
const MOST_INDEX: usize = 256 * 1024 * 1024;

/// An artifact with its index and profiles; a record is read, verified and decoded when it is first
/// needed.
pub(crate) struct Opened {
    source: Source,
    schema: OnceLock<Option<ClosedSchema>>,
    pub(crate) index: Index,
    pub(crate) profiles: Vec<CompiledProfile>,
}

/// Where the bytes are.
enum Source {
    Memory(Vec<u8>),
    /// An open file stays what it was when another is moved into its place; what is changed under us
    /// no longer has its hash.
    File(Mutex<File>),
}

/// Why an artifact can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file can't be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// What was read is no artifact that can be used.
    #[error(transparent)]
    Unusable(#[from] ArtifactError),
}

impl Opened {
    pub(crate) fn bytes(bytes: Vec<u8>) -> Result<Self, OpenError> {
        let bytes = match upgrade(&bytes)? {
            Cow::Owned(upgraded) => upgraded,
            Cow::Borrowed(_) => bytes,
        };
        let index = Index::read(&bytes)?;
        let len = bytes.len() as u64;
        Self::new(Source::Memory(bytes), index, len)
    }

    pub(crate) fn file(path: &Path) -> Result<Self, OpenError> {
        Self::open(path).map_err(|problem| match problem {
            OpenError::Unreadable(problem) => {
                io::Error::new(problem.kind(), format!("{}: {problem}", path.display())).into()
            }
            unusable @ OpenError::Unusable(_) => unusable,
        })
    }

    fn open(path: &Path) -> Result<Self, OpenError> {
        // A pipe would be waited for, and a device read for ever.
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file").into());
        }
        let mut file = File::open(path)?;
        let len = file.metadata()?.len();
        let mut start = Vec::with_capacity(FIRST_READ);
        (&mut file).take(FIRST_READ as u64).read_to_end(&mut start)?;
        let header = Header::parse(&start)?;
        if header.format() != FORMAT_VERSION {
            file.read_to_end(&mut start)?;
            return Self::bytes(start);
        }
        let index_end = header.index_end();
        if index_end as u64 > len || index_end > MOST_INDEX {
            return Err(ArtifactError::Length { expected: index_end as u64, found: len }.into());
        }
        if let Some(missing) = header.index_end().checked_sub(start.len()) {
            (&mut file).take(missing as u64).read_to_end(&mut start)?;
        }
        Self::new(Source::File(Mutex::new(file)), Index::read(&start)?, len)
    }

    fn new(source: Source, index: Index, found: u64) -> Result<Self, OpenError> {
        let expected = index.file_len();
        if expected != found {
            return Err(ArtifactError::Length { expected, found }.into());
        }
        let profiles = index.profiles(&source.read(&index.profiles_range())?)?;
        Ok(Self { source, schema: OnceLock::new(), index, profiles })
    }

    /// Reads and verifies everything.
    pub(crate) fn verify(&self) -> Result<(), OpenError> {
        decode(&self.source.read(&(0..self.index.file_len()))?)?;
        Ok(())
    }

    /// All objects; `None` where a record is damaged. Row rules are written over it, which may look at what
    /// a profile's callers don't see.
    pub(crate) fn schema(&self) -> Option<&ClosedSchema> {
        let build = || {
            let records = self.index.entries().iter().map(|entry| Some(self.record(entry).ok()?.object));
            ClosedSchema::new(records.collect::<Option<Vec<_>>>()?).ok()
        };
        self.schema.get_or_init(build).as_ref()
    }

    /// The record of an object, verified.
    pub(crate) fn record(&self, entry: &Entry) -> Result<Record, OpenError> {
        Ok(self.index.record(entry, &self.source.read(&entry.range())?)?)
    }
}

impl Source {
    fn read(&self, range: &Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Memory(bytes) => {
                let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
                // Nothing where the range isn't in the bytes: then its hash won't hold.
                Ok(Cow::Borrowed(bytes.get(at(range.start)..at(range.end)).unwrap_or_default()))
            }
            Self::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let len = range.end.saturating_sub(range.start);
                let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
                file.seek(SeekFrom::Start(range.start))?;
                (&mut *file).take(len).read_to_end(&mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}
