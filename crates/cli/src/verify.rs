//! `portolan verify`.

use std::fs;
use std::path::PathBuf;

use portolan_compile::cli::{Console, Exit};
use portolan_compile::visible;
use portolan_schema::artifact::{Artifact, Encoded, decode, encode};
use serde::Serialize;
use serde_json::Value;

use crate::opened::read;
use crate::show::{Show, table};

/// Verify every byte of an artifact, and that the files beside it are its own.
///
/// Exit code 1: the artifact is damaged, or a file beside it (schema.json, manifest.json) belongs to
/// another one.
#[derive(clap::Args, Debug)]
pub(crate) struct Verify {
    /// The artifact
    #[arg(long, default_value = "artifacts/schema.msgpack", value_name = "FILE")]
    artifact: PathBuf,
    #[command(flatten)]
    show: Show,
}

/// What was found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    artifact: String,
    version: Option<String>,
    content: Option<String>,
    objects: usize,
    fields: usize,
    edges: usize,
    profiles: Vec<String>,
    problems: Vec<String>,
}

impl Verify {
    pub(crate) fn run(&self, console: &mut Console<'_>) -> anyhow::Result<Exit> {
        let bytes = read(&self.artifact)?;
        let artifact = self.artifact.display().to_string();
        let report = match decode(&bytes) {
            Ok(decoded) => self.report(artifact, &decoded),
            Err(problem) => Report {
                artifact,
                version: None,
                content: None,
                objects: 0,
                fields: 0,
                edges: 0,
                profiles: Vec::new(),
                problems: vec![problem.to_string()],
            },
        };
        for problem in &report.problems {
            writeln!(console.err, "error: {}", visible(problem))?;
        }
        if !self.show.as_table() {
            console.print(format!("{}\n", serde_json::to_string_pretty(&report)?).as_bytes())?;
        } else if report.version.is_some() {
            console.print(report.table().as_bytes())?;
        }
        Ok(if report.problems.is_empty() { Exit::Good } else { Exit::Finding })
    }

    fn report(&self, artifact: String, decoded: &Artifact) -> Report {
        let Encoded { content, .. } = encode(decoded);
        let beside = |file: &str| fs::read(self.artifact.with_file_name(file)).ok();
        let mut problems = Vec::new();
        let json = decoded.to_json(content);
        if beside("schema.json").is_some_and(|found| !found.iter().filter(|byte| **byte != b'\r').eq(&json)) {
            problems.push("schema.json beside it is not this artifact's".to_owned());
        }
        let of_manifest = beside("manifest.json").map(|found| {
            serde_json::from_slice(&found)
                .ok()
                .and_then(|manifest: Value| manifest["content"].as_str().map(str::to_owned))
        });
        if of_manifest.is_some_and(|found| found != Some(format!("sha256:{content}"))) {
            problems.push("manifest.json beside it is not this artifact's".to_owned());
        }
        if !problems.is_empty() {
            problems.push("build the artifact again: `portolan build-schema`".to_owned());
        }
        let schema = &decoded.schema;
        Report {
            artifact,
            version: Some(decoded.version.to_string()),
            content: Some(format!("sha256:{content}")),
            objects: schema.objects().len(),
            fields: schema.objects().iter().map(|object| object.fields.len()).sum(),
            edges: schema.edge_count(),
            profiles: decoded.profiles.iter().map(|profile| profile.name.clone()).collect(),
            problems,
        }
    }
}

impl Report {
    fn table(&self) -> String {
        let row = |key: &str, value: &dyn ToString| [key.to_owned(), value.to_string()];
        let rows = [
            row("version", &self.version.as_deref().unwrap_or_default()),
            row("content", &self.content.as_deref().unwrap_or_default()),
            row("objects", &self.objects),
            row("fields", &self.fields),
            row("edges", &self.edges),
            row("profiles", &self.profiles.join(", ")),
        ];
        table(["artifact", &self.artifact], rows)
    }
}
