//! `portolan describe`.

use futures_executor::block_on;
use portolan_compile::cli::{Console, Exit};
use portolan_compile::{alternatives, visible};
use portolan_runtime::{Answer, Rendering, Session};
use serde_json::{Map, Value, json};

use crate::opened::Opened;
use crate::show::{Show, table};

/// Show fields, references and back references of objects.
///
/// JSON is what the tool `get_object_schema` answers a model, a line an answer: a wide object, or many,
/// take several. Exit code 1: an object that isn't there.
#[derive(clap::Args, Debug)]
pub(crate) struct Describe {
    /// API names
    #[arg(required = true)]
    objects: Vec<String>,
    /// Only the fields and back references that fit these words best
    #[arg(long, value_name = "WORDS")]
    field_search: Option<String>,
    /// An object a field, with everything that is known of it
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    opened: Opened,
    #[command(flatten)]
    show: Show,
}

impl Describe {
    pub(crate) fn run(&self, console: &mut Console<'_>) -> anyhow::Result<Exit> {
        let as_table = self.show.as_table();
        let rendering = if self.full || as_table { Rendering::Full } else { Rendering::Compact };
        let session = self.opened.session()?.rendering(rendering);
        let mut exit = Exit::Good;
        let mut objects: Map<String, Value> = Map::new();
        for answer in self.answers(&session) {
            let mut value: Value = serde_json::from_str(answer.as_str())?;
            if !as_table {
                console.print(format!("{answer}\n").as_bytes())?;
            }
            for (name, near) in value["unknown"].as_object().into_iter().flatten() {
                exit = Exit::Finding;
                writeln!(console.err, "error: there is no object '{}'{}", visible(name), meant(near))?;
            }
            if let Some(error) = value["error"].as_str().filter(|_| value["unknown"].is_null()) {
                exit = Exit::Finding;
                writeln!(console.err, "error: {}", visible(error))?;
            }
            if let Some(parts) = value["objects"].as_object_mut() {
                std::mem::take(parts).into_iter().for_each(|(name, part)| join(&mut objects, name, part));
            }
        }
        if !objects.is_empty() && objects.values().all(|object| object["matched"] == 0) {
            exit = Exit::Finding;
        }
        if as_table {
            let tables: Vec<String> = objects.iter().map(|(name, object)| one(name, object)).collect();
            console.print(tables.join("\n").as_bytes())?;
        }
        Ok(exit)
    }

    /// Asks until everything went out.
    fn answers(&self, session: &Session) -> Vec<Answer> {
        let mut answers = Vec::new();
        let mut wanted = json!({ "objects": self.objects, "field_search": self.field_search });
        loop {
            let answer = block_on(session.call("get_object_schema", &wanted));
            let value: Value = serde_json::from_str(answer.as_str()).unwrap_or_default();
            answers.push(answer);
            let parts = value["objects"].as_object().into_iter().flatten();
            let has_more = |part: &Value| part["part"].is_string() && part["omitted"].as_u64() > Some(0);
            let unfinished =
                parts.filter(|(_, part)| has_more(part)).map(|(name, _)| Value::from(name.as_str()));
            let left_out = value["notSent"].as_array().into_iter().flatten().cloned();
            let next: Vec<Value> = unfinished.chain(left_out).collect();
            if next.is_empty() || value["objects"].as_object().is_none_or(Map::is_empty) {
                return answers;
            }
            wanted = json!({ "objects": next, "field_search": self.field_search });
        }
    }
}

fn meant(near: &Value) -> String {
    let near: Vec<String> = texts(near).map(visible).collect();
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", alternatives(&near)) }
}

/// Puts a part behind those that came before it.
fn join(objects: &mut Map<String, Value>, name: String, mut part: Value) {
    match objects.get_mut(&name).and_then(|object| object["fields"].as_array_mut()) {
        Some(fields) => fields.extend(part["fields"].as_array_mut().map(std::mem::take).unwrap_or_default()),
        None => {
            objects.insert(name, part);
        }
    }
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn one(name: &str, object: &Value) -> String {
    let label = object["label"].as_str().map(|label| format!(" ({})", visible(label))).unwrap_or_default();
    let fields = &object["fieldCount"];
    let count = match &object["matched"] {
        Value::Null => format!("{fields} fields"),
        matched => format!("{} of the {matched} that match, of {fields} fields", object["showing"]),
    };
    let heading = format!("{}{label}: {count}\n", visible(name));
    let fields = object["fields"].as_array().into_iter().flatten().map(|field| {
        let text = |key: &str| field[key].as_str().unwrap_or_default().to_owned();
        let targets: Vec<&str> = texts(&field["references"]).collect();
        let kind = if targets.is_empty() { text("type") } else { format!("-> {}", targets.join(", ")) };
        let flags = ["required", "unique", "calculated"].into_iter().filter(|flag| field[*flag] == true);
        let unable = ["filterable", "sortable", "groupable"].into_iter().filter(|flag| field[*flag] == false);
        let flags: Vec<String> =
            flags.map(str::to_owned).chain(unable.map(|flag| format!("not {flag}"))).collect();
        [text("name"), kind, text("label"), flags.join(", ")]
    });
    let back: Vec<&str> = texts(&object["referencedBy"]).collect();
    let count = object["referencedByCount"].as_u64().unwrap_or(back.len() as u64);
    let back = if back.is_empty() {
        String::new()
    } else {
        let more = if count > back.len() as u64 { ", …" } else { "" };
        format!("referenced by {count}: {}{more}\n", visible(&back.join(", ")))
    };
    format!("{heading}\n{}\n{back}", table(["field", "type", "label", ""], fields))
}
