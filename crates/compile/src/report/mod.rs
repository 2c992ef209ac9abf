//! What a build did: counted from what was read and built, never from what was expected.
//!
//! The same [`Report`] becomes `manifest.json` and, in [`text`], the table that a person sees.

mod text;

pub use self::text::grouped;

use std::fmt::Write as _;

use portolan_schema::artifact::{Artifact, ContentHash, FORMAT_VERSION};
use portolan_schema::{ClosedSchema, Task};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::close::{DroppedTarget, Losses};
use crate::config::{Config, TextFile};
use crate::filter::Tally;
use crate::ingest::{Ingested, Skipped, Source};

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
    /// The tasks, in ascending order of keyword.
    pub tasks: Vec<TaskCount>,
    /// Files that hold no object.
    pub skipped: Vec<SkippedFiles>,
    /// Objects outside the allowlist that kept fields point at, the most edges first.
    pub would_restore: Vec<Restorable>,
    /// Objects that kept fields point at and that the extract doesn't have.
    pub not_in_extract: Vec<Restorable>,
    /// What is left out on purpose, and the number that would change that.
    pub deferrals: Vec<Deferral>,
}

/// A task that was compiled in.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskCount {
    /// What calls it up.
    pub keyword: String,
    /// How many queries it makes.
    pub queries: usize,
}

impl TaskCount {
    fn new(task: &Task) -> Self {
        Self { keyword: task.keyword.clone(), queries: task.queries.len() }
    }
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
    /// Of a field that was dropped itself, alone or with its object.
    pub with_their_field: u64,
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
            targets.map(|target| target.edges.len() as u64).sum::<u64>()
        };
        let fields = widths.iter().sum();
        let edges = BeforeAfter { before: tally.edges, after: schema.edge_count() as u64 };
        Self {
            objects: BeforeAfter { before: tally.objects, after: schema.objects().len() as u64 },
            fields: BeforeAfter { before: tally.fields, after: fields },
            edges,
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
                with_their_field: edges.before - edges.after - lost(true) - lost(false),
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
            tasks: built.artifact.tasks.iter().map(TaskCount::new).collect(),
            skipped: ingested.skipped.iter().map(SkippedFiles::new).collect(),
            would_restore: restorable(losses, true, |name| !built.config.blocked_objects.blocks(name)),
            not_in_extract: restorable(losses, false, |_| true),
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

/// What the blocklist blocks is no advice: nobody can add it, and its name need not be spread.
fn restorable(losses: &Losses, in_extract: bool, advisable: impl Fn(&str) -> bool) -> Vec<Restorable> {
    let targets = losses.dropped.iter().filter(|(_, target)| target.in_extract == in_extract);
    let targets = targets.filter(|(object, _)| advisable(object));
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
        deferral("paging of the list of objects", "bytes of all names and labels", listed, 16_000),
        deferral("an artifact in several files", "bytes of schema.msgpack", artifact_bytes, 64 << 20),
    ]
}
