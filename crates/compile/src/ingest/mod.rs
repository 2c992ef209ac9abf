//! From the files of an extract to objects, one at a time.
//!
//! A `Format` recognises a document by what is in it and hands its objects to an `Intake`, which
//! passes them on to the [`Sink`] (the filter) and keeps the books: what was skipped and why, what
//! was cut unread, every fault. Formats don't know of each other; adding one is a module and a line
//! in `formats`.

mod files;
mod json;
mod native;
mod raw;
mod salesforce_describe;
mod salesforce_dx;
mod xml;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use self::files::{Document, Found};
use self::json::Outline;
pub(crate) use self::raw::label;
pub use self::raw::{RawField, RawObject};
use crate::diagnostic::{Diagnostic, Place, alternatives};

/// A broken extract can have a fault in each of its objects; past so many they are only counted.
const MOST_FAULTS: usize = 200;

/// What to do about a file that breaks off or breaks the rules of its format.
const FETCH_AGAIN: &str = "the file is damaged or incomplete: fetch it again";

fn invalid_utf8() -> Diagnostic {
    Diagnostic::error("invalid UTF-8").help("save the extract as UTF-8, or as UTF-16 with a byte order mark")
}

/// Takes the objects of an extract as they are read.
pub trait Sink {
    /// Takes an object that was found at that place.
    fn object(&mut self, object: &RawObject<'_>, place: Place, diagnostics: &mut Vec<Diagnostic>);
}

/// An extract to read.
#[derive(Clone, Debug)]
pub struct Root {
    /// A file or a folder.
    pub path: PathBuf,
    /// Where it was named, if in a file.
    pub named_at: Option<Place>,
}

/// What reading the extracts amounted to, besides the objects.
#[derive(Debug, Default)]
pub struct Ingested {
    /// The extracts, by name: the order in which they were given means nothing.
    pub sources: Vec<Source>,
    /// Files that hold no object, by reason.
    pub skipped: BTreeMap<&'static str, Skipped>,
    /// Objects and fields read.
    pub objects: u64,
    /// Picklist values that were cut unread.
    pub picklist_values: u64,
    /// Their bytes.
    pub picklist_bytes: u64,
    /// Every fault and warning.
    pub diagnostics: Vec<Diagnostic>,
    /// Something could not be read: nobody knows what it holds.
    pub incomplete: bool,
    /// Faults that were only counted.
    more_faults: usize,
}

/// One extract as it was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// The last part of its path: the same on every machine.
    pub name: String,
    /// How many documents were read, by format and by what told it.
    pub formats: BTreeMap<(&'static str, &'static str), u64>,
    /// Bytes read, decompressed.
    pub bytes: u64,
    /// XXH3-128 over paths and contents, in no particular order: changes exactly when what was read does.
    pub fingerprint: u128,
}

/// Files that were skipped for one reason.
#[derive(Clone, Debug, Default)]
pub struct Skipped {
    /// How many.
    pub count: u64,
    /// The first few.
    pub examples: Vec<String>,
}

/// One way in which an org's metadata is written down.
trait Format {
    /// The name on the command line and in reports.
    fn name(&self) -> &'static str;

    /// Whether this is a document of the format, judged by its content.
    fn recognise(&self, head: &Head) -> Recognised;

    /// Reads a recognised document.
    fn read(&mut self, document: &mut Document<'_>, head: &Head, intake: &mut Intake<'_>);

    /// Called after the last document, for formats whose objects are spread over several.
    fn finish(&mut self, _intake: &mut Intake<'_>) {}
}

/// A format's opinion of a document.
enum Recognised {
    /// It is one of the format's; what tells so.
    As(&'static str),
    /// It belongs to the format but holds no object; what it is instead.
    NoObject(&'static str),
    /// It is something else.
    Unknown,
}

/// Every format, in the order they are asked.
fn formats() -> Vec<Box<dyn Format>> {
    vec![
        Box::new(native::Native),
        Box::new(salesforce_describe::SalesforceDescribe),
        Box::new(salesforce_dx::SalesforceDx::default()),
    ]
}

/// The names that `--format` takes, `auto` first.
#[must_use]
pub fn format_names() -> Vec<&'static str> {
    std::iter::once("auto").chain(formats().iter().map(|format| format.name())).collect()
}

/// The start of a document, looked at in the ways the formats need.
struct Head {
    json: Option<Outline>,
    xml_root: Option<String>,
}

impl Head {
    fn of(bytes: &[u8]) -> Self {
        match bytes.trim_ascii_start().first() {
            Some(b'{' | b'[') => Self { json: Some(Outline::of(bytes)), xml_root: None },
            Some(b'<') => Self { json: None, xml_root: xml::root_element(bytes) },
            _ => Self { json: None, xml_root: None },
        }
    }

    const fn json(&self) -> Option<&Outline> {
        self.json.as_ref()
    }

    fn xml_root(&self) -> Option<&str> {
        self.xml_root.as_deref()
    }
}

/// Where formats put what they read.
struct Intake<'s> {
    sink: &'s mut dyn Sink,
    ingested: Ingested,
}

impl Intake<'_> {
    fn object(&mut self, object: &RawObject<'_>, place: Place) {
        if object.name.trim().is_empty() {
            let fault = Diagnostic::error("an object has no name");
            return self.fault(fault.at(place).help("give it its API name, or take it out of the extract"));
        }
        if object.fields.is_some() {
            self.ingested.objects += 1;
        }
        let mut diagnostics = Vec::new();
        self.sink.object(object, place, &mut diagnostics);
        for diagnostic in diagnostics {
            self.report(diagnostic);
        }
    }

    /// Reports something that could not be read.
    fn fault(&mut self, fault: Diagnostic) {
        self.ingested.incomplete = true;
        self.report(fault);
    }

    fn report(&mut self, fault: Diagnostic) {
        if self.ingested.diagnostics.len() < MOST_FAULTS {
            self.ingested.diagnostics.push(fault);
        } else {
            self.ingested.more_faults += usize::from(fault.is_error());
        }
    }

    fn cut(&mut self, totals: json::CutTotals) {
        self.ingested.picklist_values += totals.picklist_values;
        self.ingested.picklist_bytes += totals.picklist_bytes;
    }

    fn skip(&mut self, file: String, reason: &'static str) {
        let skipped = self.ingested.skipped.entry(reason).or_default();
        skipped.count += 1;
        if skipped.examples.len() < 3 {
            skipped.examples.push(file);
        }
    }
}

/// Reads every extract, handing each object to the sink. `format` is one of [`format_names`].
pub fn read(roots: &[Root], format: &str, sink: &mut dyn Sink) -> Ingested {
    let mut formats = formats();
    formats.retain(|candidate| format == "auto" || candidate.name() == format);
    let mut intake = Intake { sink, ingested: Ingested::default() };
    if formats.is_empty() {
        let known = alternatives(&format_names());
        intake
            .fault(Diagnostic::error(format!("there is no format '{format}'")).help(format!("use {known}")));
        return intake.ingested;
    }
    for root in roots {
        read_root(root, &mut formats, &mut intake);
    }
    for format in &mut formats {
        format.finish(&mut intake);
    }
    intake.ingested.sources.sort_by(|a, b| (&a.name, a.fingerprint).cmp(&(&b.name, b.fingerprint)));
    let mut ingested = intake.ingested;
    if ingested.more_faults > 0 {
        let more = Diagnostic::error(format!("and {} more faults of the extract", ingested.more_faults));
        ingested.diagnostics.push(more);
    }
    if ingested.objects == 0 && !ingested.diagnostics.iter().any(Diagnostic::is_error) {
        ingested.diagnostics.push(nothing_found(roots, format, &ingested));
        ingested.incomplete = true;
    }
    ingested
}

/// Hands the text of every document to `each`, in pieces that end where a token does.
#[cfg(feature = "tokens")]
pub(crate) fn each_text(roots: &[Root], each: &mut dyn FnMut(&str)) {
    for root in roots {
        files::walk(&root.path, &mut |found| {
            let Found::Document(mut document) = found else { return };
            let mut rest = Vec::new();
            let mut piece = vec![0; 1 << 20];
            while let Ok(read @ 1..) = document.reader().read(&mut piece) {
                rest.extend_from_slice(piece.get(..read).unwrap_or_default());
                let end = rest.iter().rposition(|byte| b",\n> ".contains(byte)).map_or(0, |at| at + 1);
                let cut: Vec<u8> = rest.drain(..end).collect();
                each(&String::from_utf8_lossy(&cut));
            }
            each(&String::from_utf8_lossy(&rest));
        });
    }
}

fn read_root(root: &Root, formats: &mut [Box<dyn Format>], intake: &mut Intake<'_>) {
    if let Err(problem) = root.path.metadata() {
        let shown = root.path.display();
        let mut fault = Diagnostic::error(format!("the extract '{shown}' can't be read: {problem}"))
            .help("name an existing file or folder");
        fault.place.clone_from(&root.named_at);
        return intake.fault(fault);
    }
    let mut source = Source::new(&root.path);
    let only_file = !root.path.is_dir();
    files::walk(&root.path, &mut |found| match found {
        Found::Unreadable(file, problem) => {
            intake.fault(Diagnostic::error(problem).at(Place::file(file)).help(FETCH_AGAIN));
        }
        Found::Skipped(file, reason) => intake.skip(file, reason),
        Found::Document(mut document) => {
            let named_itself = only_file && !document.is_member;
            read_document(&mut document, named_itself, formats, &mut source, intake);
        }
    });
    intake.ingested.sources.push(source);
}

/// Reads a document in the first format that takes it for one of its own. One that holds no object is
/// skipped, unless somebody named that very file.
fn read_document(
    document: &mut Document<'_>,
    named_itself: bool,
    formats: &mut [Box<dyn Format>],
    source: &mut Source,
    intake: &mut Intake<'_>,
) {
    let head = Head::of(&document.head);
    let opinion = formats.iter_mut().find_map(|format| match format.recognise(&head) {
        Recognised::As(why) => Some(Ok((format, why))),
        Recognised::NoObject(reason) => Some(Err(reason)),
        Recognised::Unknown => None,
    });
    let skipped = match opinion {
        Some(Ok((format, why))) => {
            format.read(document, &head, intake);
            return source.read(document, format.name(), why);
        }
        Some(Err(reason)) if named_itself => {
            let fault = Diagnostic::error(format!("there is no object in it: it is {reason}"));
            Err(fault.at(Place::file(document.name.clone())))
        }
        Some(Err(reason)) => Ok(reason),
        None => unrecognised(&head, document, named_itself),
    };
    match skipped {
        Ok(reason) => intake.skip(document.name.to_string(), reason),
        Err(fault) => intake.fault(fault),
    }
}

impl Source {
    fn new(path: &Path) -> Self {
        // `.` and `..` have no name of their own.
        let real = path.file_name().map(Into::into).or_else(|| path.canonicalize().ok());
        let name = real.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        Self { name: name.unwrap_or_default(), formats: BTreeMap::new(), bytes: 0, fingerprint: 0 }
    }

    /// Takes a document that was read into account.
    fn read(&mut self, document: &Document<'_>, format: &'static str, why: &'static str) {
        *self.formats.entry((format, why)).or_default() += 1;
        let (bytes, hash) = document.read_so_far();
        self.bytes += bytes;
        // Adding up makes the order of documents meaningless.
        self.fingerprint = self.fingerprint.wrapping_add(keyed(&document.below, hash));
    }
}

/// The reason to skip a document of no known format, or the fault where that would hide something.
fn unrecognised(head: &Head, document: &Document<'_>, only_file: bool) -> Result<&'static str, Diagnostic> {
    let fault = |message: String| Diagnostic::error(message).at(Place::file(document.name.clone()));
    let looks_readable = [".json", ".xml", ".object"]
        .iter()
        .any(|ending| document.path.get(document.path.len().saturating_sub(ending.len())..) == Some(ending));
    if document.head.trim_ascii().is_empty() {
        if only_file || looks_readable {
            return Err(
                fault("the file is empty".to_owned()).help("fetch it again, or take it out of the extract")
            );
        }
        return Ok("an empty file");
    }
    match (&head.json, &head.xml_root) {
        (Some(json), _)
            if !json.is_complete() && json.root_keys().is_empty() && (only_file || looks_readable) =>
        {
            Err(fault("this is not JSON that can be read".to_owned()).help(FETCH_AGAIN))
        }
        (Some(json), _) if only_file => {
            let keys = json.root_keys().into_iter().take(8).collect::<Vec<_>>().join(", ");
            let keys = if keys.is_empty() { String::new() } else { format!(" (its root has {keys})") };
            Err(fault(format!("this is JSON, but no known form of an object's metadata{keys}"))
                .help("see docs/build-schema.md for the forms that are read"))
        }
        (Some(_), _) => Ok("JSON, but no known form of an object's metadata"),
        (None, Some(root)) if only_file => {
            Err(fault(format!("this is XML (<{root}>), but no known form of an object's metadata")))
        }
        (None, Some(_)) => Ok("XML, but no known form of an object's metadata"),
        (None, None) if looks_readable => {
            Err(fault("this is neither JSON nor XML that can be read".to_owned()).help(FETCH_AGAIN))
        }
        (None, None) if only_file => Err(fault("this is neither JSON nor XML".to_owned())
            .help("an extract is a .json or .xml file, an archive or a folder of them")),
        (None, None) => Ok("neither JSON nor XML"),
    }
}

/// The fingerprint of one document: its place below the root and its content.
fn keyed(below: &str, content: u128) -> u128 {
    let mut key = below.as_bytes().to_vec();
    key.extend_from_slice(&content.to_le_bytes());
    xxh3_128(&key)
}

fn nothing_found(roots: &[Root], format: &str, ingested: &Ingested) -> Diagnostic {
    let roots: Vec<_> = roots.iter().map(|root| root.path.to_string_lossy().into_owned()).collect();
    let why = match ingested.skipped.iter().max_by_key(|(_, skipped)| skipped.count) {
        Some((reason, _)) => format!(": what is there was skipped, most of it as {reason}"),
        None => String::new(),
    };
    Diagnostic::error(format!("there is no object in {}{why}", alternatives(&roots))).help(match format {
        "auto" => "name the file or folder that holds the metadata extract",
        _ => "it may be in another format: leave --format out to have it told by content",
    })
}
