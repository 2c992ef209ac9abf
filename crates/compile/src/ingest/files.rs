//! Where an extract's bytes come from: files, folders, compressed files, archives. The only place
//! of the compiler that reads the extract from disk.
//!
//! Everything is streamed. A compressed file may expand, but not without bound; the members of an
//! archive are read where they lie and never written anywhere.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Component, Path};
use std::sync::Arc;

use walkdir::WalkDir;
use xxhash_rust::xxh3::Xxh3;

/// What is looked at to tell what a file is.
const HEAD: usize = 64 * 1024;
/// White space at the start is looked past, up to here.
const MOST_BLANK: usize = 1 << 20;
/// What is the matter with a compressed file or an archive that can't be read to its end.
const BROKEN: &str = "it breaks off, or was damaged";
/// Enough to tell compression and archives: a tar header names itself at byte 257.
const MAGIC: usize = 512;
/// A compressed file may expand to this much whatever its size …
const FREE_EXPANSION: u64 = 64 << 20;
/// … and beyond it to so many times its size. Real metadata compresses 10 to 60 times.
const MOST_EXPANSION: u64 = 200;
/// More members than any export has.
const MOST_MEMBERS: usize = 1_000_000;

/// One document of an extract, decoded to UTF-8 and about to be read.
pub(crate) struct Document<'r> {
    /// The file as a person names it, a member of an archive after a colon.
    pub(crate) name: Arc<str>,
    /// The way to it, with `/`, for formats that keep facts in folder names: from the root that was named
    /// where that says which folder `objects` it is in, else from as far above as the root's name goes.
    pub(crate) path: String,
    /// The way to it from the root alone: the same however the root was named.
    pub(crate) below: String,
    /// Whether it lies in an archive.
    pub(crate) is_member: bool,
    /// The first bytes.
    pub(crate) head: Vec<u8>,
    content: Hashing<'r>,
}

impl Document<'_> {
    /// The whole document as a stream, its head included.
    pub(crate) fn reader(&mut self) -> &mut dyn Read {
        &mut self.content
    }

    /// The whole document as text.
    pub(crate) fn text(&mut self, most_bytes: u64) -> io::Result<String> {
        let mut bytes = Vec::new();
        self.reader().take(most_bytes + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most_bytes {
            return Err(io::Error::other(format!("it is longer than {} MiB", most_bytes >> 20)));
        }
        String::from_utf8(bytes).map_err(|problem| {
            let problem = problem.utf8_error();
            io::Error::new(io::ErrorKind::InvalidData, problem)
        })
    }

    /// How many bytes were read, and their fingerprint.
    pub(crate) fn read_so_far(&self) -> (u64, u128) {
        (self.content.bytes, self.content.hash.digest128())
    }
}

/// What a walk comes across.
pub(crate) enum Found<'r> {
    /// A document.
    Document(Document<'r>),
    /// A file that can't hold one, with the reason.
    Skipped(String, &'static str),
    /// Something that should have been readable and isn't.
    Unreadable(String, String),
}

/// A file on its way to become a document: how a person names it, and where it lies.
#[derive(Clone)]
struct Named<'n> {
    /// The folder that `below` leads on from.
    root: &'n Path,
    shown: String,
    below: String,
    is_member: bool,
}

/// Goes through every document at or below `root`, in the order of names.
pub(crate) fn walk(root: &Path, each: &mut dyn FnMut(Found<'_>)) {
    let named = |path: &Path| Named {
        root,
        shown: display(path),
        below: path.strip_prefix(root).map(slashed).unwrap_or_default(),
        is_member: false,
    };
    if !root.is_dir() {
        let name = root.file_name().map(Path::new).map(slashed).unwrap_or_default();
        let folder = root.parent().unwrap_or(Path::new(""));
        return open(root, &Named { root: folder, below: name, ..named(root) }, each);
    }
    let mut any = false;
    for entry in WalkDir::new(root).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(problem) => {
                let path = problem.path().unwrap_or(root);
                let cause = problem.io_error().map_or_else(|| problem.to_string(), ToString::to_string);
                any = true;
                each(Found::Unreadable(display(path), cause));
                continue;
            }
        };
        // A root that is a link to a folder is walked like the folder; links below it are not followed.
        if entry.file_type().is_dir() || entry.depth() == 0 {
            continue;
        }
        any = true;
        let named = named(entry.path());
        if entry.path_is_symlink() {
            each(Found::Skipped(named.shown, "a symbolic link, which is not followed"));
        } else if !entry.file_type().is_file() {
            each(Found::Skipped(named.shown, NO_FILE));
        } else if entry.file_name().to_string_lossy().starts_with('.') {
            each(Found::Skipped(named.shown, "a hidden file"));
        } else {
            open(entry.path(), &named, each);
        }
    }
    if !any {
        each(Found::Unreadable(display(root), "the folder is empty".to_owned()));
    }
}

/// What a pipe, a device or a socket is reported as: to open one can take for ever.
const NO_FILE: &str = "neither a file nor a folder";

fn open(path: &Path, named: &Named<'_>, each: &mut dyn FnMut(Found<'_>)) {
    let opened = path.metadata().and_then(|metadata| {
        if !metadata.is_file() {
            return Err(io::Error::other(format!("it is {NO_FILE}")));
        }
        layers(File::open(path)?, metadata.len(), named, each)
    });
    if let Err(problem) = opened {
        each(Found::Unreadable(named.shown.clone(), problem.to_string()));
    }
}

/// Takes off compression and archive, as the first bytes tell.
fn layers(mut file: File, len: u64, named: &Named<'_>, each: &mut dyn FnMut(Found<'_>)) -> io::Result<()> {
    let magic = peek(&mut file, MAGIC)?;
    if magic.starts_with(b"PK\x03\x04") || magic.starts_with(b"PK\x05\x06") {
        file.rewind()?;
        return zip_members(file, named, each);
    }
    let compression = Compression::of(&magic);
    let raw = Cursor::new(magic).chain(file);
    match compression {
        None => tar_or_document(Box::new(raw), named, each),
        Some(compression) => {
            let left = FREE_EXPANSION.saturating_add(len.saturating_mul(MOST_EXPANSION));
            tar_or_document(Box::new(Bounded { inner: compression.decoder(raw)?, left }), named, each)
        }
    }
}

fn tar_or_document(
    mut stream: Box<dyn Read + '_>,
    named: &Named<'_>,
    each: &mut dyn FnMut(Found<'_>),
) -> io::Result<()> {
    let magic = peek(&mut stream, MAGIC)?;
    let is_tar = magic.get(257..262) == Some(b"ustar");
    let stream = Cursor::new(magic).chain(stream);
    if is_tar { tar_members(stream, named, each) } else { document(stream, named, each) }
}

fn zip_members(file: File, named: &Named<'_>, each: &mut dyn FnMut(Found<'_>)) -> io::Result<()> {
    let broken = |_| io::Error::other(BROKEN);
    let mut archive = zip::ZipArchive::new(file).map_err(broken)?;
    let mut members = Vec::with_capacity(archive.len().min(MOST_MEMBERS));
    for at in 0..archive.len() {
        if let Some(name) = archive.name_for_index(at) {
            members.push((at, name.map_err(broken)?.into_owned()));
        }
    }
    members.retain(|(_, name)| !name.ends_with('/'));
    if members.len() > MOST_MEMBERS {
        return Err(io::Error::other(format!("the archive has more than {MOST_MEMBERS} members")));
    }
    members.sort_by(|a, b| a.1.cmp(&b.1));
    for (at, name) in members {
        let member = archive.by_index(at).map_err(broken)?;
        let left = FREE_EXPANSION.saturating_add(member.compressed_size().saturating_mul(MOST_EXPANSION));
        in_archive(Bounded { inner: Box::new(member), left }, named, &name, each);
    }
    Ok(())
}

/// Members are read raw, so that a header that lies about a name's length costs nothing.
fn tar_members(stream: impl Read, named: &Named<'_>, each: &mut dyn FnMut(Found<'_>)) -> io::Result<()> {
    let broken = |_| io::Error::other(BROKEN);
    let mut archive = tar::Archive::new(Ending { inner: stream, zeros: 0 });
    let mut long_name = None;
    for (at, member) in archive.entries().map_err(broken)?.raw(true).enumerate() {
        if at >= MOST_MEMBERS {
            return Err(io::Error::other(format!("the archive has more than {MOST_MEMBERS} members")));
        }
        let mut member = member.map_err(broken)?;
        let kind = member.header().entry_type();
        if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
            let name = extension(&mut member).map_err(broken)?;
            long_name = if kind.is_gnu_longname() { gnu_name(&name) } else { pax_path(&name) };
            continue;
        }
        let name =
            long_name.take().unwrap_or_else(|| String::from_utf8_lossy(&member.path_bytes()).into_owned());
        if kind.is_file() || kind.is_contiguous() {
            in_archive(member, named, &name, each);
        } else if !(kind.is_dir() || kind.is_gnu_longlink() || kind.is_pax_global_extensions()) {
            each(Found::Skipped(format!("{}:{name}", named.shown), "a link or a special file in an archive"));
        }
    }
    // Checksums stand at the end of a compressed file, and a whole archive ends in zeros.
    let mut rest = archive.into_inner();
    io::copy(&mut rest, &mut io::sink())?;
    if rest.zeros < MAGIC as u64 { Err(io::Error::other(BROKEN)) } else { Ok(()) }
}

/// The content of a header that belongs to the next member: a name, or a few properties.
fn extension(member: &mut impl Read) -> io::Result<Vec<u8>> {
    let content = peek(member, HEAD)?;
    if content.len() == HEAD { Err(io::Error::other(BROKEN)) } else { Ok(content) }
}

fn gnu_name(content: &[u8]) -> Option<String> {
    let name = content.split(|byte| *byte == 0).next()?;
    Some(String::from_utf8_lossy(name).into_owned())
}

/// The property `path` among lines of the form `LENGTH KEY=VALUE`.
fn pax_path(content: &[u8]) -> Option<String> {
    let lines = content.split(|byte| *byte == b'\n');
    let mut paths = lines.filter_map(|line| {
        let at = line.windows(6).position(|window| window == b" path=")?;
        line.get(at + 6..)
    });
    paths.next_back().map(|path| String::from_utf8_lossy(path).into_owned())
}

/// Counts the zeros that a stream ends in.
struct Ending<R> {
    inner: R,
    zeros: u64,
}

impl<R: Read> Read for Ending<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        let bytes = into.get(..read).unwrap_or_default();
        self.zeros = match bytes.iter().rposition(|byte| *byte != 0) {
            Some(last) => (read - last - 1) as u64,
            None => self.zeros + read as u64,
        };
        Ok(read)
    }
}

fn in_archive(member: impl Read, archive: &Named<'_>, name: &str, each: &mut dyn FnMut(Found<'_>)) {
    let named = Named {
        shown: format!("{}:{name}", archive.shown),
        below: format!("{}/{}", archive.below, slashed(Path::new(name))),
        is_member: true,
        ..archive.clone()
    };
    let path = Path::new(name);
    let leaves = path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
    if leaves {
        each(Found::Unreadable(named.shown, "its name leads out of the archive".to_owned()));
    } else if path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.')) {
        each(Found::Skipped(named.shown, "a hidden file"));
    } else if let Err(problem) = document(member, &named, each) {
        each(Found::Unreadable(named.shown, problem.to_string()));
    }
}

fn document(mut stream: impl Read, named: &Named<'_>, each: &mut dyn FnMut(Found<'_>)) -> io::Result<()> {
    let bom = peek(&mut stream, 3)?;
    let encoding = match bom.as_slice() {
        [0xFF, 0xFE, ..] => Some(encoding_rs::UTF_16LE),
        [0xFE, 0xFF, ..] => Some(encoding_rs::UTF_16BE),
        _ => None,
    };
    let marked = bom.as_slice() == b"\xEF\xBB\xBF";
    let raw = Cursor::new(if marked { Vec::new() } else { bom }).chain(stream);
    let mut text: Box<dyn Read + '_> = match encoding {
        None => Box::new(raw),
        Some(encoding) => Box::new(Transcoding::new(raw, encoding)),
    };
    let mut head = peek(&mut text, HEAD)?;
    while head.trim_ascii().is_empty() && head.len().is_multiple_of(HEAD) && head.len() < MOST_BLANK {
        let more = peek(&mut text, HEAD)?;
        if more.is_empty() {
            break;
        }
        head.extend(more);
    }
    let content = Hashing::new(Box::new(Cursor::new(head.clone()).chain(text)));
    let says_folder = named.below.starts_with("objects/") || named.below.contains("/objects/");
    let path = if says_folder { named.below.clone() } else { slashed(&named.root.join(&named.below)) };
    each(Found::Document(Document {
        name: named.shown.as_str().into(),
        path,
        below: named.below.clone(),
        is_member: named.is_member,
        head,
        content,
    }));
    Ok(())
}

#[derive(Clone, Copy)]
enum Compression {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
}

impl Compression {
    fn of(magic: &[u8]) -> Option<Self> {
        match magic {
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    fn decoder<'r>(self, raw: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
        Ok(match self {
            Self::Gzip => Box::new(flate2::read::MultiGzDecoder::new(raw)),
            Self::Zstd => {
                Box::new(ruzstd::decoding::StreamingDecoder::new(raw).map_err(|_| io::Error::other(BROKEN))?)
            }
            Self::Xz => Box::new(lzma_rust2::XzReader::new(raw, true)),
            Self::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(raw)),
        })
    }
}

/// Ends with an error where more comes out than an honest file would hold.
struct Bounded<'r> {
    inner: Box<dyn Read + 'r>,
    left: u64,
}

impl Read for Bounded<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // Decoders name their trouble in words of their own, some of them meant for programmers.
        let read = self.inner.read(into).map_err(|problem| {
            if problem.kind() == io::ErrorKind::Interrupted { problem } else { io::Error::other(BROKEN) }
        })?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            io::Error::other(format!("it expands to more than {MOST_EXPANSION} times its size: refused"))
        })?;
        Ok(read)
    }
}

/// Fingerprints what is read through it.
struct Hashing<'r> {
    inner: Box<dyn Read + 'r>,
    hash: Box<Xxh3>,
    bytes: u64,
}

impl<'r> Hashing<'r> {
    fn new(inner: Box<dyn Read + 'r>) -> Self {
        Self { inner, hash: Box::new(Xxh3::new()), bytes: 0 }
    }
}

impl Read for Hashing<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.hash.update(into.get(..read).unwrap_or_default());
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Makes UTF-8 of UTF-16.
struct Transcoding<R> {
    inner: R,
    decoder: encoding_rs::Decoder,
    input: Vec<u8>,
    output: Vec<u8>,
    given: usize,
    at_end: bool,
}

impl<R: Read> Transcoding<R> {
    fn new(inner: R, encoding: &'static encoding_rs::Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        Self { inner, decoder, input: Vec::new(), output: Vec::new(), given: 0, at_end: false }
    }

    fn refill(&mut self) -> io::Result<()> {
        self.input.clear();
        let read = (&mut self.inner).take(HEAD as u64).read_to_end(&mut self.input)?;
        self.at_end = read == 0;
        let room = self.decoder.max_utf8_buffer_length_without_replacement(read).unwrap_or(4 * HEAD);
        self.output.resize(room, 0);
        self.given = 0;
        let (result, _, written) =
            self.decoder.decode_to_utf8_without_replacement(&self.input, &mut self.output, self.at_end);
        self.output.truncate(written);
        match result {
            encoding_rs::DecoderResult::Malformed(..) => Err(io::Error::other("it is not valid UTF-16")),
            _ => Ok(()),
        }
    }
}

impl<R: Read> Read for Transcoding<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.output.len() && !self.at_end {
            self.refill()?;
        }
        let read = self.output.get(self.given..).unwrap_or_default().read(into)?;
        self.given += read;
        Ok(read)
    }
}

fn peek(stream: &mut impl Read, bytes: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(bytes);
    stream.take(bytes as u64).read_to_end(&mut head)?;
    Ok(head)
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn display(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
