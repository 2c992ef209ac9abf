//! What a build did: counted from what was read and built, never from what was expected.
//!
//! The same [`Report`] becomes `manifest.json` and the table that a person sees.

use std::fmt::Write as _;

use portolan_schema::ClosedSchema;
use portolan_schema::artifact::{Artifact, ContentHash, FORMAT_VERSION};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::close::{DroppedTarget, Losses};
use crate::config::{Config, TextFile};
use crate::filter::Tally;
use crate::ingest::{Ingested, Skipped, Source};

/// Longest list of advice: past it, more lines hide the important ones.
const MOST_ADVICE: usize = 10;

/// Provenance and report, as `manifest.json` holds them.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The artifact's format.
    pub format_version: u32,
    /// The schema's version.
    pub version: String,
    /// The artifact's content hash: another one means that this manifest is stale.
    pub content: String,
    /// The compiler's version.
    pub compiler: &'static str,
    /// What was read.
    pub extracts: Vec<ExtractUse>,
    /// What it was filtered by.
    pub filter: FilterFiles,
    /// What came of it.
    pub report: Report,
}

/// An extract that was read.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExtractUse {
    name: String,
    formats: Vec<FormatCount>,
    bytes: u64,
    fingerprint: String,
}

/// How many documents were read in one format.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FormatCount {
    format: &'static str,
    why: &'static str,
    documents: u64,
}

/// Hashes of the filter files.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterFiles {
    allowlist: String,
    blocklist: String,
}

/// Counts of one build.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Objects in the extract and in the artifact.
    pub objects: BeforeAfter,
    /// Fields.
    pub fields: BeforeAfter,
    /// Pairs of a field and an object it points at.
    pub edges: BeforeAfter,
    /// Bytes of the extract (decompressed) and of `schema.json`.
    pub bytes: BeforeAfter,
    /// Bytes of `schema.msgpack`.
    pub artifact_bytes: u64,
    /// Where the fields went.
    pub dropped_fields: DroppedFields,
    /// Edges of kept fields that lead out of the artifact.
    pub dropped_edges: DroppedEdges,
    /// What each entry of the blocklist did.
    pub rules: Vec<RuleUse>,
    /// What was cut unread.
    pub picklists: Picklists,
    /// Objects that some field points at.
    pub objects_with_back_references: u64,
    /// The median number of fields of an object.
    pub median_fields: u64,
    /// The object with the most fields.
    pub widest: Option<Widest>,
    /// Objects without an edge in either direction.
    pub isolated: Vec<String>,
    /// Files that hold no object.
    pub skipped: Vec<SkippedFiles>,
    /// Objects outside the allowlist that kept fields point at, the most edges first.
    pub would_restore: Vec<Restorable>,
    /// Objects that kept fields point at and that the extract doesn't have.
    pub not_in_extract: Vec<Restorable>,
    /// What is left out on purpose, and the number that would change that.
    pub deferrals: Vec<Deferral>,
}

/// A count before and after the filter.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct BeforeAfter {
    /// In the extract.
    pub before: u64,
    /// In the artifact.
    pub after: u64,
}

/// Where dropped fields went.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DroppedFields {
    /// With an object that isn't on the allowlist.
    pub with_their_object: u64,
    /// By the blocklist.
    pub by_blocklist: u64,
    /// By a `drop` of the allowlist.
    pub by_drop: u64,
}

/// Where dropped edges led.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DroppedEdges {
    /// To objects that aren't on the allowlist.
    pub outside_allowlist: u64,
    /// To objects that aren't in the extract.
    pub not_in_extract: u64,
    /// References left without a target: plain ids now.
    pub references_now_ids: u64,
}

/// What an entry of the blocklist did.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleUse {
    rule: String,
    matched: u64,
    dropped: u64,
}

/// Picklist values that were cut unread.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Picklists {
    /// How many.
    pub values: u64,
    /// Their bytes in the extract.
    pub bytes: u64,
}

/// The object with the most fields.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Widest {
    /// Which.
    pub object: String,
    /// How many.
    pub fields: u64,
}

/// Files skipped for one reason.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkippedFiles {
    reason: &'static str,
    count: u64,
    /// Paths differ from machine to machine, and a manifest must not.
    #[serde(skip)]
    examples: Vec<String>,
}

/// An object that isn't in the artifact, with the edges that its addition would bring.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Restorable {
    /// Which.
    pub object: String,
    /// How many edges lead to it.
    pub edges: u64,
    /// One of the fields that point at it.
    pub from: String,
}

/// Something left out on purpose, with the number that would change the decision.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deferral {
    /// What is left out.
    pub deferred: &'static str,
    /// What is measured.
    pub measure: &'static str,
    /// Its value in this build.
    pub value: u64,
    /// Past this it is time.
    pub threshold: u64,
    /// Whether it is.
    pub due: bool,
}

/// What a manifest is made of.
pub(crate) struct Built<'b> {
    pub(crate) config: &'b Config,
    pub(crate) allowlist: &'b TextFile,
    pub(crate) blocklist: &'b TextFile,
    pub(crate) ingested: &'b Ingested,
    pub(crate) tally: &'b Tally,
    pub(crate) losses: &'b Losses,
    pub(crate) artifact: &'b Artifact,
    pub(crate) content: ContentHash,
    pub(crate) json_bytes: usize,
    pub(crate) artifact_bytes: usize,
}

impl Manifest {
    pub(crate) fn new(built: &Built<'_>) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            version: built.artifact.version.to_string(),
            content: format!("sha256:{}", built.content),
            compiler: env!("CARGO_PKG_VERSION"),
            extracts: built.ingested.sources.iter().map(ExtractUse::new).collect(),
            filter: FilterFiles {
                allowlist: fingerprint(built.allowlist),
                blocklist: fingerprint(built.blocklist),
            },
            report: Report::new(built),
        }
    }

    /// The manifest as JSON text, ending in a newline.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        // Plain structs of numbers and strings: writing them into memory can't fail.
        let mut json = serde_json::to_vec_pretty(self).unwrap_or_default();
        json.push(b'\n');
        json
    }
}

/// Line ends are not content: a checkout may change them.
fn fingerprint(file: &TextFile) -> String {
    let digest = Sha256::digest(file.text.replace("\r\n", "\n").as_bytes());
    let hex = digest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    format!("sha256:{hex}")
}

impl ExtractUse {
    fn new(source: &Source) -> Self {
        let formats = source.formats.iter();
        Self {
            name: source.name.clone(),
            formats: formats
                .map(|((format, why), documents)| FormatCount { format, why, documents: *documents })
                .collect(),
            bytes: source.bytes,
            fingerprint: format!("xxh3-128:{:032x}", source.fingerprint),
        }
    }
}

impl Report {
    fn new(built: &Built<'_>) -> Self {
        let Built { ingested, tally, losses, .. } = built;
        let schema = &built.artifact.schema;
        let mut widths: Vec<u64> = schema.objects().iter().map(|object| object.fields.len() as u64).collect();
        widths.sort_unstable();
        let rules = built.config.blocked_fields.rules().iter().chain(built.config.blocked_objects.rules());
        let lost = |in_extract: bool| {
            let targets = losses.dropped.values().filter(move |target| target.in_extract == in_extract);
            targets.map(|target| target.edges.len() as u64).sum()
        };
        let fields = widths.iter().sum();
        Self {
            objects: BeforeAfter { before: tally.objects, after: schema.objects().len() as u64 },
            fields: BeforeAfter { before: tally.fields, after: fields },
            edges: BeforeAfter { before: tally.edges, after: schema.edge_count() as u64 },
            bytes: BeforeAfter {
                before: ingested.sources.iter().map(|source| source.bytes).sum(),
                after: built.json_bytes as u64,
            },
            artifact_bytes: built.artifact_bytes as u64,
            dropped_fields: DroppedFields {
                with_their_object: tally.fields_of_dropped_objects,
                by_blocklist: tally.blocked_fields,
                by_drop: tally.dropped_fields,
            },
            dropped_edges: DroppedEdges {
                outside_allowlist: lost(true),
                not_in_extract: lost(false),
                references_now_ids: losses.emptied,
            },
            rules: rules
                .map(|rule| RuleUse {
                    rule: format!("{} {}", rule.section, rule.written.text),
                    matched: rule.matched,
                    dropped: rule.dropped,
                })
                .collect(),
            picklists: Picklists { values: ingested.picklist_values, bytes: ingested.picklist_bytes },
            objects_with_back_references: schema.iter().filter(|(_, back)| !back.is_empty()).count() as u64,
            median_fields: widths.get(widths.len() / 2).copied().unwrap_or(0),
            widest: widest(schema),
            isolated: isolated(schema),
            skipped: ingested.skipped.iter().map(SkippedFiles::new).collect(),
            would_restore: restorable(losses, true),
            not_in_extract: restorable(losses, false),
            deferrals: deferrals(schema, built.artifact_bytes as u64),
        }
    }
}

fn widest(schema: &ClosedSchema) -> Option<Widest> {
    let widest = schema.objects().iter().rev().max_by_key(|object| object.fields.len())?;
    Some(Widest { object: widest.name.clone(), fields: widest.fields.len() as u64 })
}

fn isolated(schema: &ClosedSchema) -> Vec<String> {
    let alone = schema.iter().filter(|(object, back)| {
        back.is_empty() && object.fields.iter().all(|field| field.references.is_empty())
    });
    alone.map(|(object, _)| object.name.clone()).collect()
}

fn restorable(losses: &Losses, in_extract: bool) -> Vec<Restorable> {
    let targets = losses.dropped.iter().filter(|(_, target)| target.in_extract == in_extract);
    let mut found: Vec<Restorable> = targets
        .map(|(object, DroppedTarget { edges, .. })| Restorable {
            object: object.clone(),
            edges: edges.len() as u64,
            from: edges.first().cloned().unwrap_or_default(),
        })
        .collect();
    found.sort_by(|a, b| b.edges.cmp(&a.edges).then_with(|| a.object.cmp(&b.object)));
    found
}

impl SkippedFiles {
    fn new((reason, skipped): (&&'static str, &Skipped)) -> Self {
        Self { reason, count: skipped.count, examples: skipped.examples.clone() }
    }
}

/// What is left out on purpose. Each entry is decided by a number, and the number is checked here,
/// so that nobody has to remember the decision.
fn deferrals(schema: &ClosedSchema, artifact_bytes: u64) -> Vec<Deferral> {
    let deferral = |deferred, measure, value, threshold| Deferral {
        deferred,
        measure,
        value,
        threshold,
        due: value > threshold,
    };
    let objects = schema.objects();
    let widest = objects.iter().map(|object| object.fields.len() as u64).max().unwrap_or(0);
    let listed = objects.iter().map(|object| (object.name.len() + object.label.len() + 6) as u64).sum();
    vec![
        deferral("vector search over object names", "objects kept", objects.len() as u64, 200),
        deferral("vector search over field names", "fields of the widest object", widest, 800),
        deferral("paging of list_objects", "bytes of all names and labels", listed, 16_000),
        deferral("an artifact in several files", "bytes of schema.msgpack", artifact_bytes, 64 << 20),
    ]
}

impl Manifest {
    /// The table that a person reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a String can't fail.
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let report = &self.report;
        for extract in &self.extracts {
            for FormatCount { format, documents, why } in &extract.formats {
                let documents = plural(*documents, "document");
                writeln!(out, "{}: read as {format} ({why}), {documents}", extract.name)?;
            }
        }
        for SkippedFiles { reason, count, examples } in &report.skipped {
            let more = if *count > examples.len() as u64 { ", …" } else { "" };
            writeln!(out, "skipped {}: {reason} ({}{more})", plural(*count, "file"), examples.join(", "))?;
        }
        writeln!(out, "\n{:24} {:>12} {:>12} {:>8}", "", "before", "after", "share")?;
        for (what, counts) in [
            ("objects", report.objects),
            ("fields", report.fields),
            ("edges", report.edges),
            ("bytes (extract, JSON)", report.bytes),
        ] {
            writeln!(
                out,
                "{what:24} {:>12} {:>12} {:>8}",
                grouped(counts.before),
                grouped(counts.after),
                share(counts.after, counts.before)
            )?;
        }
        writeln!(out, "{:24} {:>12} {:>12}", "schema.msgpack", "", grouped(report.artifact_bytes))?;
        self.write_facts(out)?;
        self.write_advice(out)
    }

    fn write_facts(&self, out: &mut String) -> std::fmt::Result {
        let report = &self.report;
        let DroppedFields { with_their_object, by_blocklist, by_drop } = report.dropped_fields;
        let DroppedEdges { outside_allowlist, not_in_extract, references_now_ids } = report.dropped_edges;
        writeln!(
            out,
            "\nfields dropped: {} with their object, {} by the blocklist, {} by the allowlist's drop",
            grouped(with_their_object),
            grouped(by_blocklist),
            grouped(by_drop)
        )?;
        writeln!(
            out,
            "edges dropped: {} to objects outside the allowlist, {} to objects not in the extract; {} left a plain id",
            grouped(outside_allowlist),
            grouped(not_in_extract),
            plural(references_now_ids, "reference")
        )?;
        writeln!(
            out,
            "picklists: {} values, {} bytes, {} of the extract: dropped unread",
            grouped(report.picklists.values),
            grouped(report.picklists.bytes),
            share(report.picklists.bytes, report.bytes.before)
        )?;
        write!(
            out,
            "objects with back references: {}; fields an object: median {}",
            grouped(report.objects_with_back_references),
            grouped(report.median_fields)
        )?;
        if let Some(Widest { object, fields }) = &report.widest {
            write!(out, ", widest {} ({object})", grouped(*fields))?;
        }
        writeln!(out, "\nversion {}, content {}", self.version, self.content)
    }

    fn write_advice(&self, out: &mut String) -> std::fmt::Result {
        let report = &self.report;
        let mut advice = Vec::new();
        for Restorable { object, edges, from } in report.would_restore.iter().take(5) {
            advice
                .push(format!("adding `{object}` would restore {} (such as {from})", plural(*edges, "edge")));
        }
        for Restorable { object, edges, from } in report.not_in_extract.iter().take(3) {
            let edges = plural(*edges, "edge");
            advice.push(format!("`{object}` is not in the extract; {edges} pointed at it (such as {from})"));
        }
        if !report.isolated.is_empty() {
            let shown: Vec<_> = report.isolated.iter().take(5).map(|name| format!("`{name}`")).collect();
            let more = if report.isolated.len() > shown.len() { ", …" } else { "" };
            let objects = plural(report.isolated.len() as u64, "object");
            advice.push(format!("{objects} without any edge: {}{more}", shown.join(", ")));
        }
        for deferral in report.deferrals.iter().filter(|deferral| deferral.due) {
            let Deferral { deferred, measure, value, threshold, .. } = deferral;
            let (value, threshold) = (grouped(*value), grouped(*threshold));
            advice.push(format!(
                "{deferred} was put off until {measure} pass {threshold}: they are {value} now"
            ));
        }
        if !advice.is_empty() {
            writeln!(out, "\nto look at:")?;
        }
        advice.iter().take(MOST_ADVICE).try_for_each(|line| writeln!(out, "  - {line}"))
    }
}

fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{} {what}s", grouped(count)) }
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
