//! Whatever a model sends, it gets something back that it can act on, and this is what.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{call, crm, session};

fn table() -> Vec<(&'static str, &'static str, Value)> {
    let names = |count: usize| (0..count).map(|at| format!("object_{at}")).collect::<Vec<_>>();
    let schema = "get_object_schema";
    vec![
        ("no arguments", schema, json!({})),
        ("null for the arguments", schema, Value::Null),
        ("an empty string for the arguments", schema, json!("")),
        ("a list for the arguments", schema, json!(["order"])),
        ("a number for the arguments", "list_objects", json!(7)),
        ("a string of JSON for the arguments", schema, json!("{\"objects\":[\"queue\"]}")),
        ("a string of broken JSON for the arguments", schema, json!("{\"objects\":[\"queue\"")),
        ("an unknown argument", schema, json!({"objects": ["order"], "fields": ["name"]})),
        ("a misspelt argument", schema, json!({"object": ["order"]})),
        ("an unknown argument of list_objects", "list_objects", json!({"limit": 5})),
        ("a string for a list", schema, json!({"objects": "queue"})),
        ("names between commas for a list", schema, json!({"objects": "queue, ordr"})),
        ("a string of JSON for a list", schema, json!({"objects": "[\"queue\"]"})),
        ("a number for a list", schema, json!({"objects": 7})),
        ("an object for a list", schema, json!({"objects": {"order": true}})),
        ("null for a list", schema, json!({"objects": null})),
        ("an empty list", schema, json!({"objects": []})),
        ("an empty string in a list", schema, json!({"objects": [""]})),
        ("an empty string for a list", schema, json!({"objects": ""})),
        ("other things in a list", schema, json!({"objects": ["order", 7, null, ["user"], {"a": 1}, true]})),
        ("a list for a text", schema, json!({"objects": ["order"], "field_search": ["a", "b"]})),
        ("an object for a text", "list_objects", json!({"search": {"like": "x"}})),
        ("an empty string for an optional text", schema, json!({"objects": ["queue"], "field_search": ""})),
        ("null for an optional text", schema, json!({"objects": ["queue"], "field_search": null})),
        ("a number for a text", "list_objects", json!({"search": 7})),
        ("many problems at once", schema, json!({"objects": 7, "field_search": {}, "a": 1, "b": 2})),
        ("more problems than are listed", schema, {
            let objects: Vec<u32> = (0..30).collect();
            json!({ "objects": objects })
        }),
        ("an unknown name", schema, json!({"objects": ["ordr"]})),
        ("unknown names", schema, json!({"objects": ["ordr", "weather"]})),
        ("an unknown name beside known ones", schema, json!({"objects": ["queue", "weather"]})),
        ("a name twice", schema, json!({"objects": ["queue", "queue", " queue "]})),
        ("an unknown name twice", schema, json!({"objects": ["weather", "weather"]})),
        ("a name in the wrong case", schema, json!({"objects": ["QUEUE"]})),
        ("a name with other separators", schema, json!({"objects": ["Order Line"]})),
        ("a label for a name", schema, json!({"objects": ["Delivery"]})),
        ("a name in full-width letters", schema, json!({"objects": ["ｑｕｅｕｅ"]})),
        ("a name with a Cyrillic look-alike", schema, json!({"objects": ["оrder"]})),
        ("a name with an invisible character", schema, json!({"objects": ["or\u{200b}der_line"]})),
        ("control characters and quotes in a name", schema, json!({"objects": ["a\"b\\c\u{7}\u{1b}[31m\n"]})),
        ("a thousand names", schema, json!({ "objects": names(1000) })),
        ("too many names", schema, json!({ "objects": names(1001) })),
        ("a string of 10 MB", schema, json!({ "objects": ["x".repeat(10_000_000)] })),
        ("two strings of 10 MB that begin alike", schema, {
            let long = "é".repeat(5_000_000);
            json!({ "objects": [format!("{long}a"), format!("{long}b")] })
        }),
        ("a search of 10 MB", "list_objects", json!({"search": "x".repeat(10_000_000)})),
        ("a search that finds nothing", "list_objects", json!({"search": "Custmer"})),
        ("a search without letters", "list_objects", json!({"search": "%_"})),
        (
            "a field search that finds nothing",
            schema,
            json!({"objects": ["order"], "field_search": "wheather"}),
        ),
        ("a field search of a misspelt word", schema, json!({"objects": ["order"], "field_search": "staus"})),
        ("an unknown tool", "get_object_schemas", json!({})),
        ("an empty tool name", "", json!({})),
        ("a tool name of 10 MB", "x", Value::Null),
        ("records without a source", "query_records", json!({"object": "order"})),
    ]
}

#[test]
fn every_bad_input_has_its_answer() {
    let mut report = String::new();
    for (what, tool, arguments) in table() {
        let tool = if what == "a tool name of 10 MB" { "x".repeat(10_000_000) } else { tool.to_owned() };
        let session = session(crm());
        let answer = call(&session, &tool, &arguments);
        crate::support::parse(&answer);
        let mut shown = arguments.to_string();
        if shown.len() > 120 {
            shown = format!("{}… ({} bytes)", shown.chars().take(60).collect::<String>(), shown.len());
        }
        let tool = tool.get(..40).unwrap_or(&tool);
        writeln!(report, "# {what}\n{tool} {shown}\n{answer}\n").unwrap();
    }
    insta::assert_snapshot!(report);
}
