//! `demo`: what Portolan does, on the sample org, in a minute.
//!
//! An org's metadata becomes an artifact, and a scripted conversation goes through the tools, schemas first and
//! then records: what a model sends and what it gets, with what that costs.

#![expect(clippy::indexing_slicing, reason = "JSON indexed by a key gives null where there is none")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use chrono::DateTime;
use futures_executor::block_on;
use portolan_compile::tokens::count;
use portolan_compile::{Compiled, Config, Inputs, TextFile, compile, config, grouped, ingest};
use portolan_runtime::{Call, Caller, Dialect, Schema, Session, system_prompt_rules};
use portolan_sources::sqlite::{Options, Sqlite};
use serde_json::{Value, json};

use crate::plain::plain_json;
use crate::sample_org::{Layout, SampleOrg};

/// The profile in whose name the conversation is held.
const PROFILE: &str = "rep";
/// Of an answer, so many lines of so many characters are shown.
const SHOWN_LINES: usize = 5;
const LINE: usize = 108;

/// Show what Portolan does, on the sample org.
#[derive(clap::Args)]
pub struct Demo {
    /// Where the extract and the artifact go
    #[arg(long, value_name = "DIR", default_value = "target/demo")]
    out: PathBuf,
    /// Show answers whole
    #[arg(long)]
    full: bool,
}

impl Demo {
    /// Runs the demo.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let compiled = self.build(out)?;
        let (database, _) = SampleOrg::default().write_records(&self.out)?;
        let mapping = fs::read_to_string(database.with_file_name("source.toml"))?.parse()?;
        let source = Sqlite::open(database, &mapping, &Options::default())?;
        let session = Schema::open_file(self.out.join("artifacts/schema.msgpack"))?
            .session(caller())?
            .source(Arc::new(source));
        let mut talk = Talk { session: &session, out, full: self.full, steps: Vec::new() };
        converse(&mut talk)?;
        ask_for_records(&mut talk)?;
        let steps = talk.steps;
        summarise(&session, &compiled, &steps, out)
    }

    /// Generates the org's extract and builds its artifact.
    fn build(&self, out: &mut impl Write) -> anyhow::Result<Compiled> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = |name: &str| -> anyhow::Result<TextFile> {
            let path = workspace.join(name);
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            Ok(TextFile { name: name.into(), text: text.into() })
        };
        let (path, written) = SampleOrg::default().write(&self.out, Layout::File)?;
        let (allowlist, blocklist) = (text("allowlist.toml")?, text("blocklist.toml")?);
        let tasks = vec![text("tasks/brief.toml")?];
        let (config, _): (Config, _) = config::parse(&allowlist, &blocklist);
        let extracts = vec![ingest::Root { path: path.clone(), named_at: None }];
        let start = Instant::now();
        let inputs = Inputs { extracts, format: "auto".to_owned(), allowlist, blocklist, tasks, base: None };
        let (compiled, _) = compile(inputs, config);
        let compiled = compiled.context("the sample org doesn't compile")?;
        let taken = start.elapsed();
        compiled.outputs.write(&self.out.join("artifacts"))?;
        let schema = &compiled.artifact.schema;
        let fields: usize = schema.objects().iter().map(|object| object.fields.len()).sum();
        writeln!(out, "1. An org's metadata becomes an artifact\n")?;
        writeln!(
            out,
            "   {}: {} objects, {} fields, {:.1} MB",
            path.display(),
            written.objects,
            grouped(written.fields),
            written.bytes as f64 / 1e6
        )?;
        writeln!(
            out,
            "   {}: {} objects, {} fields, {} links between them, a task, {} KB, built in {} ms",
            self.out.join("artifacts/schema.msgpack").display(),
            schema.objects().len(),
            grouped(fields as u64),
            schema.edge_count(),
            compiled.outputs.artifact().len() / 1000,
            taken.as_millis()
        )?;
        Ok(compiled)
    }
}

/// The script: what a model sends in a conversation of a sales rep.
fn converse(talk: &mut Talk<'_, impl Write>) -> anyhow::Result<()> {
    let schemas = "get_object_schema";
    talk.step("the list", "What can be asked about? The names that this profile sees, and no others")?;
    talk.turn(&[("list_objects", json!({}))])?;
    talk.step("five schemas", "Five schemas in one call, two of them in the words of a person")?;
    talk.turn(&[(
        schemas,
        json!({"objects": ["order_line", "task", "call_plan", "Sample Drop", "TERRITORY"]}),
    )])?;
    talk.step(
        "the guard",
        "Two of them again, beside a new one: a schema is sent once, whatever a model was told",
    )?;
    talk.turn(&[(schemas, json!({"objects": ["order_line", "task", "segment"]}))])?;
    talk.step("an unknown name", "A name that isn't there, recovered in one hop by the nearest ones")?;
    let answer = talk.turn(&[(schemas, json!({"objects": ["speciality"]}))])?;
    let near = answer["unknown"]["speciality"][0].as_str().context("no nearest name")?.to_owned();
    talk.turn(&[(schemas, json!({ "objects": [near] }))])?;
    talk.step(
        "a wide object",
        "An object of 232 fields comes in parts; two calls of one turn carry two of them",
    )?;
    let account = json!({"objects": ["account"]});
    talk.turn(&[(schemas, account.clone()), (schemas, account)])?;
    talk.step("some of its fields", "Or just the fields that are looked for")?;
    talk.turn(&[(schemas, json!({"objects": ["account"], "field_search": "visit owner"}))])?;
    talk.step("hidden names", "What the filter removed is not there, however it is asked for")?;
    talk.turn(&[(schemas, json!({"objects": ["opportunity", "user_role", "account__Share"]}))])?;
    Ok(())
}

/// The second half: a model that knows the schemas asks for records.
fn ask_for_records(talk: &mut Talk<'_, impl Write>) -> anyhow::Result<()> {
    let query = "query_records";
    talk.step(
        "records, with names",
        "Last week's visits of Dana Whitfield: a name for an id, a period for two dates, and names come back",
    )?;
    talk.turn(&[(
        query,
        json!({
            "object": "call_report",
            "fields": ["started_at", "account", "contact", "status"],
            "where": [
                {"field": "rep", "op": "eq", "value": "dana whitfield"},
                {"field": "started_at", "op": "during", "value": "last week"},
            ],
            "order_by": ["started_at"],
            "limit": 3,
        }),
    )])?;
    talk.step("a misspelt field", "A field that isn't there, put right from the error")?;
    let mut orders = json!({
        "object": "order",
        "fields": ["name", "total", "account.reigon"],
        "where": [{"field": "placed_on", "op": "during", "value": "this year"}],
        "order_by": ["total desc"],
        "limit": 3,
    });
    let refused = talk.turn(&[(query, orders.clone())])?;
    let meant = refused["problems"][0]["nearest"][0].as_str().context("no nearest field")?;
    let meant = meant.split(' ').next().unwrap_or(meant).to_owned();
    orders["fields"][2] = json!(meant);
    let page = talk.turn(&[(query, orders.clone())])?;
    talk.step("the next page", "The next page of the same orders, her own, as the profile's rule has it")?;
    orders["cursor"] = page["cursor"].clone();
    talk.turn(&[(query, orders)])?;
    Ok(())
}

/// Dana Whitfield, on the day that the records are of.
fn caller() -> Caller {
    /// 2026-11-30 09:00 in UTC.
    const NOW: i64 = 1_796_029_200;
    Caller::new()
        .profile(PROFILE)
        .id("usr_e65c3e")
        .clock(|| DateTime::from_timestamp(NOW, 0).unwrap_or_default())
}

/// A conversation that is shown while it is held.
struct Talk<'t, W> {
    session: &'t Session,
    out: &'t mut W,
    full: bool,
    steps: Vec<Step>,
}

/// What a turn cost.
struct Step {
    name: &'static str,
    sent: Cost,
    received: Cost,
}

#[derive(Clone, Copy, Default)]
struct Cost {
    bytes: u64,
    tokens: u64,
}

impl Cost {
    fn of(text: &str) -> Self {
        Self { bytes: text.len() as u64, tokens: count(text) }
    }

    const fn plus(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, tokens: self.tokens + other.tokens }
    }
}

impl<W: Write> Talk<'_, W> {
    fn step(&mut self, name: &'static str, heading: &str) -> anyhow::Result<()> {
        // The artifact was the first step.
        writeln!(self.out, "\n{}. {heading}\n", self.steps.len() + 2)?;
        self.steps.push(Step { name, sent: Cost::default(), received: Cost::default() });
        Ok(())
    }

    /// Makes the calls of one model turn; the last answer is returned.
    fn turn(&mut self, calls: &[(&str, Value)]) -> anyhow::Result<Value> {
        let calls: Vec<Call> = calls
            .iter()
            .map(|(tool, arguments)| Call { tool: (*tool).to_owned(), arguments: arguments.clone() })
            .collect();
        let answers = block_on(self.session.call_all(&calls));
        let mut last = Value::Null;
        for (call, answer) in calls.iter().zip(&answers) {
            let (sent, received) = (Cost::of(&call.arguments.to_string()), Cost::of(answer.as_str()));
            writeln!(self.out, "   -> {} {}", call.tool, call.arguments)?;
            write!(
                self.out,
                "{}",
                excerpt(answer.as_str(), if self.full { usize::MAX } else { SHOWN_LINES })
            )?;
            writeln!(
                self.out,
                "      {} bytes, {} tokens",
                grouped(received.bytes),
                grouped(received.tokens)
            )?;
            if let Some(step) = self.steps.last_mut() {
                step.sent = step.sent.plus(sent);
                step.received = step.received.plus(received);
            }
            last = serde_json::from_str(answer.as_str())?;
        }
        Ok(last)
    }
}

/// What it all cost, and what it would have cost.
fn summarise(
    session: &Session,
    compiled: &Compiled,
    steps: &[Step],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    writeln!(out, "\n{}. What it cost: tokens (o200k) that the model wrote and read\n", steps.len() + 2)?;
    writeln!(out, "   {:44} {:>8} {:>8} {:>9}", "", "wrote", "read", "bytes")?;
    let mut line = |what: &str, sent: &str, received: Cost| {
        let Cost { tokens, bytes } = received;
        writeln!(out, "   {what:44} {sent:>8} {:>8} {:>9}", grouped(tokens), grouped(bytes))
    };
    let definitions = session.tool_definitions(Dialect::Mcp) + &system_prompt_rules();
    line("definitions of the tools, and the rules", "", Cost::of(&definitions))?;
    for step in steps {
        line(step.name, &grouped(step.sent.tokens), step.received)?;
    }
    let sent: u64 = steps.iter().map(|step| step.sent.tokens).sum();
    let received = steps.iter().fold(Cost::default(), |sum, step| sum.plus(step.received));
    line("the conversation", &grouped(sent), received)?;
    let plain = Cost::of(&plain_json(compiled.artifact.schema.iter()));
    line("all 85 schemas as plain JSON, for comparison", "", plain)?;
    ensure!(received.tokens < plain.tokens, "the conversation cost more than everything");
    Ok(())
}

/// A text in lines, indented as an answer and broken between words where there are any: of a long one the
/// beginning and the end.
fn excerpt(text: &str, most: usize) -> String {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_at(line_end(rest));
        lines.push(line);
        rest = after;
    }
    let shown = |line: &&str, mark: &str| format!("   {mark} {}\n", line.trim_end());
    let left_out = if lines.len() > most { most / 2 + 1..lines.len() - most / 2 } else { 0..0 };
    let mut excerpt = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at == left_out.start && !left_out.is_empty() {
            let bytes: usize =
                lines.get(left_out.clone()).unwrap_or_default().iter().map(|line| line.len()).sum();
            let _ = writeln!(excerpt, "      … {} bytes …", grouped(bytes as u64));
        }
        if !left_out.contains(&at) {
            excerpt.push_str(&shown(line, if at == 0 { "<-" } else { "  " }));
        }
    }
    excerpt
}

/// Where the first line of a text ends: behind the last space or comma that fits, else where it is full.
fn line_end(text: &str) -> usize {
    let Some((full, _)) = text.char_indices().nth(LINE) else { return text.len() };
    let line = text.get(..full).unwrap_or(text);
    line.rfind([' ', ',']).filter(|at| *at > LINE / 2).map_or(full, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each step of the conversation shows what its heading says.
    #[test]
    fn the_demo_shows_what_it_promises() {
        let folder = tempfile::tempdir().unwrap();
        let mut shown = Vec::new();
        Demo { out: folder.path().to_owned(), full: true }.run(&mut shown).unwrap();
        let shown = String::from_utf8(shown).unwrap();
        let steps: Vec<&str> = shown.split("\n\n   ->").collect();
        for (step, says) in [
            (1, "\"count\":24,\"of\":24"),
            (2, "\"understood\":{\"Sample Drop\":\"sample_drop\",\"TERRITORY\":\"territory\"}"),
            (3, "\"alreadyFetched\":[\"order_line\",\"task\"]"),
            (4, "\"unknown\":{\"speciality\":[\"specialty\"]}"),
            (4, "\"specialty\":{\"label\":\"Specialty\""),
            (5, "\"part\":\"1 of 3\""),
            (5, "\"part\":\"2 of 3\""),
            (6, "\"matched\":"),
            (7, "Unknown objects"),
            (8, "\"rep = dana whitfield\":\"user 'Dana Whitfield' (usr_e65c3e)\""),
            (8, "\"account\":{\"id\":\"acc_"),
            (9, "\"nearest\":[\"account.region (picklist)\""),
            (9, "\"account.region\":\""),
            (10, "\"cursor\":\""),
        ] {
            // Lines are broken between words.
            let plain = |text: &str| text.split_whitespace().collect::<String>();
            assert!(plain(steps[step]).contains(&plain(says)), "{says}\n{}", steps[step]);
        }
        assert!(shown.contains("What it cost"));
    }

    #[test]
    fn a_line_is_broken_where_it_can_be() {
        let words = "word ".repeat(40);
        let shown = excerpt(&words, 5);
        assert!(shown.starts_with("   <- word word"), "{shown}");
        assert!(shown.lines().next().unwrap().ends_with("word"));
        let long = excerpt(&"word ".repeat(400), 4);
        assert_eq!(long.lines().count(), 6, "{long}");
        assert!(long.contains(" bytes …"));
        assert_eq!(excerpt(&"x".repeat(LINE + 1), 9).lines().count(), 2);
        assert_eq!(excerpt("short", 9), "   <- short\n");
    }
}
