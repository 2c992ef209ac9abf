//! The artifact: the one file that the runtime loads.
//!
//! ```text
//! offset  bytes  what
//!      0      8  magic "PORTOLAN"
//!      8      4  format version, little-endian
//!     12      4  length of the index
//!     16      8  length of the whole file
//!     24     32  sha256 of bytes 0..24 followed by the index
//!     56      …  index: MessagePack; an entry an object with its name, label, counts and the length
//!                and sha256 of its record
//!      …      …  records, one an object, in the order of the index; then the profiles, then the tasks
//! ```
//!
//! Reading one object touches the header, the index and one record, and verifies just those:
//! [`Index`]. Reading everything verifies everything: [`decode`]. Nothing is decoded before its
//! hash held, and what was decoded still goes through [`ClosedSchema::new`], so a file that was
//! altered, truncated or made by hand gives an error and never a wrong schema.
//!
//! The content hash is the sha256 over the hashes of the records, the profiles and the tasks: two artifacts
//! hold the same schema exactly where it is equal, whatever version they carry.
//!
//! Files of older formats are read by way of [`upgrade`].

mod compiled;
mod json;
mod tasks;
mod v1;
mod wire;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use semver::Version;
use sha2::{Digest, Sha256};

pub use self::compiled::CompiledProfile;
use crate::{BackReference, ClosedSchema, Object, Profile, Task, Violation};

/// The format this build writes, and the newest it reads. Raise it with any change to `wire` or to
/// the layout above, and with it: keep what the old format has of its own in a module like `v1`,
/// freeze a file of the new format under `tests/frozen/`, and name the change in CHANGELOG.md.
///
/// - 1: the first.
/// - 2: profiles carry the hash of what their callers see, and how connected each object is for them;
///   there are tasks.
pub const FORMAT_VERSION: u32 = 2;

/// Bytes before the index.
pub const HEADER_LEN: usize = 56;

const MAGIC: &[u8; 8] = b"PORTOLAN";
/// The part of the header that the hash covers, besides the index.
const SIGNED_LEN: usize = 24;

/// A schema with its version and profiles: what an artifact holds.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// The semantic version of the schema.
    pub version: Version,
    /// The objects.
    pub schema: ClosedSchema,
    /// The profiles, in ascending order of name.
    pub profiles: Vec<Profile>,
    /// The tasks, in ascending order of keyword.
    pub tasks: Vec<Task>,
}

/// The sha256 of an artifact's canonical content. Written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why bytes are no artifact that can be used.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// The first bytes are not an artifact's.
    #[error("this is no Portolan artifact")]
    NotAnArtifact,
    /// Fewer (or more) bytes than the header announces.
    #[error("the artifact is cut off or has bytes appended: {found} bytes of {expected}")]
    Length {
        /// As the header says.
        expected: u64,
        /// As they are.
        found: u64,
    },
    /// A newer format.
    #[error(
        "the artifact has format {0}, and this version reads up to {FORMAT_VERSION}: use a newer Portolan, \
         or build the artifact again with this one"
    )]
    TooNew(u32),
    /// A format of which parts can't be read.
    #[error("the artifact has format {0}: upgrade the whole file before reading a part of it")]
    Outdated(u32),
    /// A format number that was never used.
    #[error("the artifact has format {0}, which never existed")]
    UnknownFormat(u32),
    /// A part whose bytes don't have the hash recorded for them.
    #[error("{0} is damaged: its sha256 is not the recorded one")]
    Damaged(String),
    /// Intact bytes that don't decode.
    #[error("{part} can't be decoded: {problem}")]
    Malformed {
        /// Which part.
        part: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Decodes, but is not a closed schema.
    #[error("the artifact's schema is not closed: {}", .0.first().map_or_else(String::new, ToString::to_string))]
    NotClosed(Vec<Violation>),
}

impl ArtifactError {
    fn malformed(part: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self::Malformed { part: part.into(), problem: problem.to_string() }
    }
}

/// An encoded artifact beside the hash of what it holds.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The file.
    pub bytes: Vec<u8>,
    /// The content hash.
    pub content: ContentHash,
}

/// The records and profiles of an artifact, encoded but not yet under a version: a version depends
/// on how the content compares with a base, so the content has to be known first.
#[derive(Clone, Debug)]
pub struct EncodedContent {
    format: u32,
    entries: Vec<Entry>,
    profiles: Section,
    /// Format 1 has none.
    tasks: Option<Section>,
    body: Vec<u8>,
    /// The content hash.
    pub hash: ContentHash,
}

impl EncodedContent {
    /// Encodes records, profiles and tasks.
    #[must_use]
    pub fn new(schema: &ClosedSchema, profiles: &[Profile], tasks: &[Task]) -> Self {
        let profiles: Vec<_> = profiles.iter().map(|profile| CompiledProfile::new(profile, schema)).collect();
        Self::in_format(FORMAT_VERSION, schema, |body| wire::encode_profiles(&profiles, body), Some(tasks))
    }

    /// Encodes records, and the rest as a format has it.
    fn in_format(
        format: u32,
        schema: &ClosedSchema,
        encode_profiles: impl FnOnce(&mut Vec<u8>),
        tasks: Option<&[Task]>,
    ) -> Self {
        let mut body = Vec::with_capacity(schema.objects().len() * 4096);
        let mut content = Sha256::new();
        let mut entries = Vec::with_capacity(schema.objects().len());
        for (object, referenced_by) in schema.iter() {
            let start = body.len();
            wire::encode_record(object, referenced_by, &mut body);
            let record = Section::of(&body, start);
            content.update(record.hash.0);
            entries.push(Entry {
                name: object.name.clone(),
                label: object.label.clone(),
                queryable: object.queryable,
                fields: count(object.fields.len()),
                references: count(object.fields.iter().map(|field| field.references.len()).sum()),
                referenced_by: count(referenced_by.len()),
                record,
            });
        }
        let start = body.len();
        encode_profiles(&mut body);
        let profiles = Section::of(&body, start);
        content.update(profiles.hash.0);
        let tasks = tasks.map(|tasks| {
            let start = body.len();
            tasks::encode(tasks, &mut body);
            let tasks = Section::of(&body, start);
            content.update(tasks.hash.0);
            tasks
        });
        Self { format, entries, profiles, tasks, body, hash: ContentHash(content.finalize().into()) }
    }

    /// The whole file, under that version.
    #[must_use]
    pub fn into_file(self, version: &Version) -> Encoded {
        let index =
            wire::encode_index(version, self.hash, &self.entries, &self.profiles, self.tasks.as_ref());
        let total = HEADER_LEN + index.len() + self.body.len();
        let mut bytes = Vec::with_capacity(total);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.format.to_le_bytes());
        bytes.extend_from_slice(&count(index.len()).to_le_bytes());
        bytes.extend_from_slice(&(total as u64).to_le_bytes());
        let seal = seal(&bytes, &index);
        bytes.extend_from_slice(&seal.0);
        bytes.extend_from_slice(&index);
        bytes.extend_from_slice(&self.body);
        Encoded { bytes, content: self.hash }
    }
}

/// Encodes an artifact. The same artifact always gives the same bytes.
#[must_use]
pub fn encode(artifact: &Artifact) -> Encoded {
    EncodedContent::new(&artifact.schema, &artifact.profiles, &artifact.tasks).into_file(&artifact.version)
}

/// Decodes a whole artifact of any format, verifying every byte of it.
pub fn decode(bytes: &[u8]) -> Result<Artifact, ArtifactError> {
    let header = Header::parse(bytes)?;
    let (artifact, written) = if header.format == v1::FORMAT {
        let artifact = decode_in_format(header, bytes, v1::decode_profiles)?;
        let written = v1::encode(&artifact);
        (artifact, written)
    } else {
        let profiles = |bytes: &[u8]| {
            let compiled = wire::decode_profiles(bytes)?;
            Ok(compiled.into_iter().map(|compiled| compiled.profile).collect())
        };
        let artifact = decode_in_format(header, bytes, profiles)?;
        let written = encode(&artifact);
        (artifact, written)
    };
    // Whatever the encoder wouldn't have written (repeated entries, of which one would win; counts that
    // aren't so; bytes that nobody reads) is not an artifact, even under the right hashes.
    if written.bytes == bytes {
        Ok(artifact)
    } else {
        Err(ArtifactError::malformed("the artifact", "it is not written as the compiler writes it"))
    }
}

/// A file of any format as one of the current format. One that is current already is not looked into.
pub fn upgrade(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ArtifactError> {
    if Header::parse(bytes)?.format == FORMAT_VERSION {
        Ok(Cow::Borrowed(bytes))
    } else {
        Ok(Cow::Owned(encode(&decode(bytes)?).bytes))
    }
}

/// What all formats have in common; `decode_profiles` is what they don't.
fn decode_in_format(
    header: Header,
    bytes: &[u8],
    decode_profiles: impl FnOnce(&[u8]) -> Result<Vec<Profile>, String>,
) -> Result<Artifact, ArtifactError> {
    let index = Index::of(header, bytes)?;
    if index.header.total_len != bytes.len() as u64 {
        return Err(ArtifactError::Length { expected: index.header.total_len, found: bytes.len() as u64 });
    }
    let mut content = Sha256::new();
    let mut objects = Vec::with_capacity(index.entries.len());
    let mut back_references = Vec::with_capacity(index.entries.len());
    for entry in &index.entries {
        let record = index.record(entry, section(bytes, &entry.range())?)?;
        content.update(entry.record.hash.0);
        back_references.push(record.referenced_by);
        objects.push(record.object);
    }
    let profiles = index.verified_profiles(section(bytes, &index.profiles_range())?, decode_profiles)?;
    content.update(index.profiles.hash.0);
    let tasks = match &index.tasks {
        None => Vec::new(),
        Some(tasks) => {
            content.update(tasks.hash.0);
            index.tasks(section(bytes, &index.tasks_range())?)?
        }
    };
    if <[u8; 32]>::from(content.finalize()) != index.content.0 {
        return Err(ArtifactError::Damaged("the content hash".to_owned()));
    }
    let schema = ClosedSchema::new(objects).map_err(ArtifactError::NotClosed)?;
    if !schema.iter().map(|(_, referenced_by)| referenced_by).eq(back_references.iter().map(Vec::as_slice)) {
        return Err(ArtifactError::malformed(
            "the graph",
            "back references are not the inverse of the references",
        ));
    }
    if !profiles.is_sorted_by(|a, b| a.name < b.name) {
        return Err(ArtifactError::malformed(PROFILES, "it is not in ascending order of name"));
    }
    for profile in &profiles {
        profile.check(&schema).map_err(|problem| ArtifactError::malformed(PROFILES, problem))?;
    }
    if !tasks.is_sorted_by(|a, b| a.keyword < b.keyword) {
        return Err(ArtifactError::malformed(TASKS, "it is not in ascending order of keyword"));
    }
    for task in &tasks {
        if let Some(problem) = task.check(&schema).first() {
            let problem = format!("task '{}', {}: {}", task.keyword, problem.at, problem.kind);
            return Err(ArtifactError::malformed(TASKS, problem));
        }
    }
    Ok(Artifact { version: index.version, schema, profiles, tasks })
}

/// What errors call the sections behind the records.
const PROFILES: &str = "the list of profiles";
const TASKS: &str = "the list of tasks";

/// The fixed start of an artifact.
#[derive(Clone, Debug)]
pub struct Header {
    format: u32,
    index_len: usize,
    total_len: u64,
    seal: ContentHash,
}

impl Header {
    /// Reads the first [`HEADER_LEN`] bytes; more are ignored.
    pub fn parse(bytes: &[u8]) -> Result<Self, ArtifactError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ArtifactError::NotAnArtifact);
        }
        let parsed = Self::split(bytes)
            .ok_or(ArtifactError::Length { expected: HEADER_LEN as u64, found: bytes.len() as u64 })?;
        match parsed.format {
            v1::FORMAT | FORMAT_VERSION => Ok(parsed),
            newer if newer > FORMAT_VERSION => Err(ArtifactError::TooNew(newer)),
            unknown => Err(ArtifactError::UnknownFormat(unknown)),
        }
    }

    fn split(bytes: &[u8]) -> Option<Self> {
        let (format, rest) = bytes.get(MAGIC.len()..)?.split_first_chunk()?;
        let (index_len, rest) = rest.split_first_chunk()?;
        let (total_len, rest) = rest.split_first_chunk()?;
        let (seal, _) = rest.split_first_chunk()?;
        Some(Self {
            format: u32::from_le_bytes(*format),
            index_len: u32::from_le_bytes(*index_len) as usize,
            total_len: u64::from_le_bytes(*total_len),
            seal: ContentHash(*seal),
        })
    }

    /// The format of the file.
    #[must_use]
    pub const fn format(&self) -> u32 {
        self.format
    }

    /// How many bytes from the start of the file hold the header and the index.
    #[must_use]
    pub const fn index_end(&self) -> usize {
        HEADER_LEN + self.index_len
    }
}

/// The index of an artifact: enough to list its objects, and to find and verify any of their records.
#[derive(Clone, Debug)]
pub struct Index {
    header: Header,
    version: Version,
    content: ContentHash,
    entries: Vec<Entry>,
    profiles: Section,
    /// Format 1 has none.
    tasks: Option<Section>,
}

/// An object as the index lists it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The API name.
    pub name: String,
    /// The label.
    pub label: String,
    /// Whether the org lets anyone query it.
    pub queryable: bool,
    /// How many fields it has.
    pub fields: u32,
    /// How many edges leave it.
    pub references: u32,
    /// How many edges reach it.
    pub referenced_by: u32,
    record: Section,
}

impl Entry {
    /// Where the record lies in the file.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.record.range.clone()
    }

    fn lists(&self, record: &Record) -> bool {
        let Record { object, referenced_by } = record;
        let references = object.fields.iter().map(|field| field.references.len()).sum();
        (&self.name, &self.label, self.queryable) == (&object.name, &object.label, object.queryable)
            && (self.fields, self.references, self.referenced_by)
                == (count(object.fields.len()), count(references), count(referenced_by.len()))
    }

    /// The sha256 of the record: equal exactly where the object's schema is.
    #[must_use]
    pub const fn hash(&self) -> ContentHash {
        self.record.hash
    }
}

/// Some bytes of the file with their hash. While encoding, the range counts from the first record.
#[derive(Clone, Debug)]
struct Section {
    range: Range<u64>,
    hash: ContentHash,
}

impl Section {
    fn of(body: &[u8], start: usize) -> Self {
        let hash = ContentHash::of(body.get(start..).unwrap_or_default());
        Self { range: start as u64..body.len() as u64, hash }
    }

    fn verify(&self, bytes: &[u8], what: impl FnOnce() -> String) -> Result<(), ArtifactError> {
        if ContentHash::of(bytes) == self.hash { Ok(()) } else { Err(ArtifactError::Damaged(what())) }
    }
}

/// One object with the fields that point at it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// The object.
    pub object: Object,
    /// Ascending.
    pub referenced_by: Vec<BackReference>,
}

impl Index {
    /// Reads the index from the start of an artifact: at least [`Header::index_end`] bytes of it.
    pub fn read(bytes: &[u8]) -> Result<Self, ArtifactError> {
        let header = Header::parse(bytes)?;
        match header.format {
            FORMAT_VERSION => Self::of(header, bytes),
            outdated => Err(ArtifactError::Outdated(outdated)),
        }
    }

    fn of(header: Header, bytes: &[u8]) -> Result<Self, ArtifactError> {
        let index = bytes.get(HEADER_LEN..header.index_end()).ok_or_else(|| ArtifactError::Length {
            expected: header.index_end() as u64,
            found: bytes.len() as u64,
        })?;
        let signed = bytes.get(..SIGNED_LEN).unwrap_or_default();
        if seal(signed, index) != header.seal {
            return Err(ArtifactError::Damaged("the index".to_owned()));
        }
        wire::decode_index(header, index)
    }

    /// The schema's version.
    #[must_use]
    pub const fn version(&self) -> &Version {
        &self.version
    }

    /// The hash of the whole content.
    #[must_use]
    pub const fn content(&self) -> ContentHash {
        self.content
    }

    /// The length the whole file must have.
    #[must_use]
    pub const fn file_len(&self) -> u64 {
        self.header.total_len
    }

    /// The objects, in ascending order of name.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of that exact name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|entry| entry.name.as_str().cmp(name)).ok()?;
        self.entries.get(at)
    }

    /// Verifies and decodes a record from the bytes at [`Entry::range`].
    pub fn record(&self, entry: &Entry, bytes: &[u8]) -> Result<Record, ArtifactError> {
        let what = || format!("the record of '{}'", entry.name);
        entry.record.verify(bytes, what)?;
        let record =
            wire::decode_record(bytes).map_err(|problem| ArtifactError::malformed(what(), problem))?;
        if entry.lists(&record) {
            Ok(record)
        } else {
            Err(ArtifactError::malformed(what(), "it is another object's"))
        }
    }

    /// Where the profiles lie in the file.
    #[must_use]
    pub fn profiles_range(&self) -> Range<u64> {
        self.profiles.range.clone()
    }

    /// Verifies and decodes the profiles from the bytes at [`Index::profiles_range`].
    pub fn profiles(&self, bytes: &[u8]) -> Result<Vec<CompiledProfile>, ArtifactError> {
        self.verified_profiles(bytes, wire::decode_profiles)
    }

    /// Where the tasks lie in the file.
    #[must_use]
    pub fn tasks_range(&self) -> Range<u64> {
        self.tasks.as_ref().map_or(0..0, |tasks| tasks.range.clone())
    }

    /// Verifies and decodes the tasks from the bytes at [`Index::tasks_range`].
    pub fn tasks(&self, bytes: &[u8]) -> Result<Vec<Task>, ArtifactError> {
        let Some(tasks) = &self.tasks else { return Ok(Vec::new()) };
        tasks.verify(bytes, || TASKS.to_owned())?;
        tasks::decode(bytes).map_err(|problem| ArtifactError::malformed(TASKS, problem))
    }

    fn verified_profiles<T>(
        &self,
        bytes: &[u8],
        decode: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<T, ArtifactError> {
        self.profiles.verify(bytes, || PROFILES.to_owned())?;
        decode(bytes).map_err(|problem| ArtifactError::malformed(PROFILES, problem))
    }
}

fn section<'b>(bytes: &'b [u8], range: &Range<u64>) -> Result<&'b [u8], ArtifactError> {
    usize::try_from(range.start)
        .ok()
        .zip(usize::try_from(range.end).ok())
        .and_then(|(start, end)| bytes.get(start..end))
        .ok_or(ArtifactError::Length { expected: range.end, found: bytes.len() as u64 })
}

fn seal(signed: &[u8], index: &[u8]) -> ContentHash {
    let mut hash = Sha256::new();
    hash.update(signed);
    hash.update(index);
    ContentHash(hash.finalize().into())
}

/// Counts in the file have 32 bits; four milliard objects are not a schema.
fn count(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
