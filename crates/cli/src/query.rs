//! `portolan query`.

use std::fmt;
use std::io::Read as _;

use anyhow::Context as _;
use futures_executor::block_on;
use portolan_compile::cli::{Console, Exit};
use portolan_compile::visible;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::opened::Opened;
use crate::show::{Show, table};
use crate::sourced::{Asking, Sourced};

/// Ask for records of one object.
///
/// JSON is what the tool `query_records` answers a model. Exit code 1: a query with problems.
#[derive(clap::Args, Debug)]
pub(crate) struct Query {
    /// The tool's arguments, as JSON: `{"object": "account", "limit": 5}`; `-` reads them from standard input
    arguments: String,
    #[command(flatten)]
    sourced: Sourced,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    opened: Opened,
    #[command(flatten)]
    show: Show,
}

impl Query {
    pub(crate) fn run(&self, console: &mut Console<'_>) -> anyhow::Result<Exit> {
        let arguments = self.arguments()?;
        let source = self.sourced.open()?;
        let session = self.opened.session_of(|caller| self.asking.caller(caller))?.source(source);
        let answer = block_on(session.call("query_records", &arguments));
        let value: Value = serde_json::from_str(answer.as_str())?;
        if !self.show.as_table() {
            console.print(format!("{answer}\n").as_bytes())?;
        }
        if let Some(error) = value["error"].as_str() {
            writeln!(console.err, "error: {}", visible(error))?;
            for problem in value["problems"].as_array().into_iter().flatten() {
                writeln!(console.err, "  {}", visible(&in_words(problem)))?;
            }
            if let Some(cause) = answer.cause() {
                writeln!(console.err, "cause: {}", visible(cause))?;
            }
            return Ok(if value["problems"].is_array() { Exit::Finding } else { Exit::Failed });
        }
        if self.show.as_table() {
            console.print(records(answer.as_str())?.as_bytes())?;
            write!(console.err, "\n{}", about(&value))?;
        }
        Ok(Exit::Good)
    }

    fn arguments(&self) -> anyhow::Result<Value> {
        let mut text = self.arguments.clone();
        if text == "-" {
            text.clear();
            std::io::stdin().read_to_string(&mut text).context("standard input can't be read")?;
        }
        serde_json::from_str(&text).context("the arguments are no JSON")
    }
}

/// What is wrong, and what to do.
fn in_words(problem: &Value) -> String {
    let text = |key: &str| problem[key].as_str().unwrap_or_default();
    format!("{}: {}; {}", text("at"), text("problem"), text("next"))
}

/// The records, in columns in the order in which they were sent.
fn records(answer: &str) -> anyhow::Result<String> {
    #[derive(serde::Deserialize)]
    struct Answer {
        records: Vec<Members>,
    }
    let Answer { records } = serde_json::from_str(answer)?;
    let Some(first) = records.first() else { return Ok(String::new()) };
    let heading: Vec<String> = first.0.iter().map(|(key, _)| key.clone()).collect();
    let rows = records.iter().map(|record| record.0.iter().map(|(_, value)| cell(value)).collect::<Vec<_>>());
    Ok(table(heading.iter().map(String::as_str), rows))
}

/// An object's members, in their order.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A value as a person reads it.
fn cell(value: &Value) -> String {
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match value {
        Value::Object(members) if members.contains_key("bytes") => format!("{} bytes", members["bytes"]),
        Value::Object(members) if members["name"].is_null() => text(&members["id"]),
        Value::Object(members) => format!("{} ({})", text(&members["name"]), text(&members["id"])),
        Value::Array(several) => several.iter().map(text).collect::<Vec<_>>().join("; "),
        value => text(value),
    }
}

/// What an answer says besides its records.
fn about(answer: &Value) -> String {
    let mut lines = vec![match (&answer["total"], &answer["totalAtLeast"]) {
        (Value::Null, Value::Null) => format!("{} records", answer["returned"]),
        (Value::Null, least) => format!("{} of at least {least} records", answer["returned"]),
        (total, _) => format!("{} of {total} records", answer["returned"]),
    }];
    for (what, count) in answer["excluded"].as_object().into_iter().flatten() {
        lines.push(format!("left out: {what}: {count}"));
    }
    for (written, meant) in answer["understood"].as_object().into_iter().flatten() {
        lines.push(format!("understood: {written}: {}", meant.as_str().unwrap_or_default()));
    }
    for note in answer["notes"].as_array().into_iter().flatten() {
        lines.push(format!("note: {}", note.as_str().unwrap_or_default()));
    }
    if let Some(cursor) = answer["cursor"].as_str() {
        lines.push(format!("more: \"cursor\": \"{cursor}\""));
    }
    let lines: Vec<String> = lines.iter().map(|line| visible(line)).collect();
    lines.join("\n") + "\n"
}
