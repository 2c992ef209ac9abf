//! The runtime over whole orgs: the sample org and real ones. And its definitions before another
//! program's judge.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;

use futures_executor::block_on;
use portolan_runtime::{Caller, Dialect, MOST_ANSWER_BYTES, Memory, Rendering, Schema, Session};
use serde_json::{Value, json};

use crate::support::{Org, has, shared, workspace};

fn call(session: &Session, tool: &str, arguments: &Value) -> (usize, Value) {
    let answer = block_on(session.call(tool, arguments));
    assert!(answer.as_str().len() <= MOST_ANSWER_BYTES, "{} bytes", answer.as_str().len());
    (answer.as_str().chars().count(), serde_json::from_str(answer.as_str()).unwrap())
}

fn session(org: &Org) -> Session {
    Schema::open_file(org.path("artifacts/schema.msgpack")).unwrap().session(Caller::new()).unwrap()
}

/// The sample org with every object that it has on the allowlist.
fn whole_org() -> Org {
    let mut extract = String::new();
    let file = std::fs::File::open(workspace().join("tests/sample-org/extract.json.gz")).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut extract).unwrap();
    let objects: Value = serde_json::from_str(&extract).unwrap();
    let names: Vec<&str> = objects["objects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|object| object["name"].as_str().unwrap())
        .collect();
    let org = Org::new(&names);
    org.write("extract.json", &extract);
    org.run(&["extract.json"]).expect(0, &[]);
    org
}

#[test]
fn the_whole_sample_org_fits_its_budgets() {
    let org = whole_org();
    let (characters, list) = call(&session(&org), "list_objects", &json!({}));
    assert!(characters <= 16_000, "{characters}");
    assert_eq!(list["objects"].as_object().unwrap().len(), 530);
    check_budgets(&org);
}

/// Asks for every object of an org until all of it went out, in both forms; `call` holds each answer to
/// its budget. The usual object of 24 fields takes at most 1,000 characters.
pub(crate) fn check_budgets(org: &Org) {
    let schema = Schema::open_file(org.path("artifacts/schema.msgpack")).unwrap();
    let mut of_24_fields = Vec::new();
    for rendering in [Rendering::Compact, Rendering::Full] {
        let session = schema.session(Caller::new()).unwrap().rendering(rendering);
        for (name, fields) in names_and_fields(org) {
            let (mut sent, mut parts, mut omitted) = (0, 0, 1);
            while omitted > 0 {
                let (characters, answer) = call(&session, "get_object_schema", &json!({"objects": [name]}));
                let object = &answer["objects"][&name];
                assert_eq!(object["fieldCount"], fields, "{name}: {answer}");
                omitted = object["omitted"].as_u64().unwrap_or(0);
                parts += 1;
                sent += characters;
            }
            assert_eq!(parts, fields.div_ceil(80).max(1), "{name}");
            if rendering == Rendering::Compact && fields == 24 {
                of_24_fields.push(sent);
            }
        }
    }
    of_24_fields.sort_unstable();
    let usual = of_24_fields.get(of_24_fields.len() / 2);
    assert!(usual.is_none_or(|characters| *characters <= 1_000), "{of_24_fields:?}");
}

fn names_and_fields(org: &Org) -> Vec<(String, usize)> {
    let schema = org.json("artifacts/schema.json");
    let objects = schema["objects"].as_array().unwrap().iter();
    objects
        .map(|object| {
            (object["name"].as_str().unwrap().to_owned(), object["fields"].as_array().unwrap().len())
        })
        .collect()
}

/// `tool_schema_lint.py` checks the portable subset on a `tools/list` result, and prints what it finds.
#[test]
fn another_programs_judge_finds_nothing() {
    let Some(lint) = shared("cases/tool_schema_lint.py") else { return };
    if !has("python3", &["--version"]) {
        return;
    }
    let schema = Schema::open_file(workspace().join("artifacts/schema.msgpack")).unwrap();
    let session = schema.session(Caller::new().profile("rep")).unwrap().source(Arc::new(Memory::new()));
    let mut python =
        Command::new("python3").arg(lint).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let tools = format!("{{\"tools\": {}}}", session.tool_definitions(Dialect::Mcp));
    python.stdin.take().unwrap().write_all(tools.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "list_objects []\nget_object_schema []\nquery_records []\n"
    );
}
