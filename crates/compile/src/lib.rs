//! From an org's metadata extract to a small, closed, versioned artifact.
//!
//! [`compile`] is the whole pipeline; each of its stages is a module:
//!
//! ```text
//! ingest ──▶ filter ──▶ close ──▶ profiles, tasks ──▶ version ──▶ report, emit
//! ```
//!
//! Values move forward only. Nothing here knows the time, a network or an environment; files are
//! read in `ingest` and written in `emit`, and with the feature `cli` the module [`cli`] reads the
//! configuration and git.

#[cfg(feature = "cli")]
pub mod cli;
mod close;
pub mod config;
mod diagnostic;
mod emit;
mod filter;
pub mod ingest;
mod known;
mod profiles;
mod report;
mod tasks;
#[cfg(feature = "tokens")]
pub mod tokens;
mod version;

use portolan_schema::artifact::{Artifact, EncodedContent};

pub use self::close::{Closed, DroppedTarget, Losses, close};
pub use self::config::{Config, TextFile};
pub use self::diagnostic::{Diagnostic, Excerpt, Place, Position, Severity, alternatives, visible};
pub use self::emit::{ARTIFACT, Outputs, Stale, WriteError};
pub use self::filter::{Filter, Selection, Tally};
pub use self::known::Known;
pub use self::report::{BeforeAfter, Deferral, Manifest, Report, Restorable, TaskCount, grouped};
pub use self::version::{Base, Bump, next, weigh};

/// What a build is made from.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The extracts; several are merged.
    pub extracts: Vec<ingest::Root>,
    /// One of [`ingest::format_names`].
    pub format: String,
    /// The objects to keep.
    pub allowlist: TextFile,
    /// The fields and objects that no question needs.
    pub blocklist: TextFile,
    /// The tasks, one a file, whose name up to its ending is the keyword.
    pub tasks: Vec<TextFile>,
    /// The artifact whose version this build continues.
    pub base: Option<Base>,
}

/// What a build makes.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The schema, its version, its profiles.
    pub artifact: Artifact,
    /// What was read and dropped.
    pub manifest: Manifest,
    /// The files.
    pub outputs: Outputs,
    /// What it was made from.
    pub extracts: Vec<ingest::Root>,
    /// What the version continues from.
    pub base: Option<Base>,
}

/// Compiles an extract. There is a result exactly where no diagnostic is an error.
///
/// `config` is what [`config::parse`] made of the two filter files.
#[must_use]
pub fn compile(inputs: Inputs, mut config: Config) -> (Option<Compiled>, Vec<Diagnostic>) {
    let mut filter = Filter::new(&mut config);
    let mut ingested = ingest::read(&inputs.extracts, &inputs.format, &mut filter);
    let mut diagnostics = std::mem::take(&mut ingested.diagnostics);
    let (selection, findings) = filter.finish(!ingested.incomplete);
    diagnostics.extend(findings);
    if ingested.incomplete {
        return (None, diagnostics);
    }

    let tally = selection.tally.clone();
    let (closed, faults) = close(selection);
    let Some(Closed { schema, losses }) = closed else {
        // What keeps a schema from being closed was reported where it was read.
        let known = diagnostics.iter().any(Diagnostic::is_error);
        diagnostics.extend(faults.into_iter().filter(|_| !known));
        return (None, diagnostics);
    };

    let is_whole = !diagnostics.iter().any(Diagnostic::is_error);
    let (profiles, faults) = profiles::compile(&config, &schema, is_whole);
    diagnostics.extend(faults);
    // Where something else is wrong, the schema isn't the one that the tasks are about.
    let meant = Some(&schema).filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    let (tasks, faults) = tasks::compile(&inputs.tasks, meant);
    diagnostics.extend(faults);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }

    let content = EncodedContent::new(&schema, &profiles, &tasks);
    let hash = content.hash;
    let version = next(inputs.base.as_ref(), &schema, hash);
    let encoded = content.into_file(&version);
    let artifact = Artifact { version, schema, profiles, tasks };
    let json = artifact.to_json(hash);
    let manifest = Manifest::new(&report::Built {
        config: &config,
        allowlist: &inputs.allowlist,
        blocklist: &inputs.blocklist,
        ingested: &ingested,
        tally: &tally,
        losses: &losses,
        artifact: &artifact,
        content: hash,
        json_bytes: json.len(),
        artifact_bytes: encoded.bytes.len(),
    });
    let outputs = Outputs::new(json, manifest.to_json(), encoded.bytes);
    let Inputs { extracts, base, .. } = inputs;
    (Some(Compiled { artifact, manifest, outputs, extracts, base }), diagnostics)
}
