//! The tools' definitions are our interface: every dialect is a snapshot, and keeps to what its
//! provider documents.

use std::sync::Arc;

use portolan_runtime::{Caller, Dialect, Memory, Schema, Session};
use portolan_schema::Profile;
use serde_json::Value;

use crate::support::{artifact, crm, session};

/// A session with all its tools.
fn full() -> Session {
    session(crm()).source(Arc::new(Memory::new()))
}

fn definitions(dialect: Dialect) -> Vec<Value> {
    serde_json::from_str(&full().tool_definitions(dialect)).unwrap()
}

#[test]
fn the_definitions_in_each_dialect() {
    // A member a line, so that a change is read as one.
    let shown = |dialect: &Dialect| {
        let json = full().tool_definitions(*dialect).replace(",\"", ",\n\"").replace("},{", "},\n{");
        format!("# {dialect:?}\n{json}\n\n")
    };
    insta::assert_snapshot!(Dialect::ALL.iter().map(shown).collect::<Vec<_>>().concat());
}

/// Walks a schema's nodes.
fn walk(schema: &Value, visit: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    let node = schema.as_object().expect("a schema is an object");
    visit(node);
    if let Some(properties) = node.get("properties") {
        properties.as_object().unwrap().values().for_each(|property| walk(property, visit));
    }
    if let Some(items) = node.get("items") {
        walk(items, visit);
    }
}

/// The portable subset: what every client takes.
#[test]
fn the_base_keeps_to_the_portable_subset() {
    for (dialect, key) in [(Dialect::Mcp, "inputSchema"), (Dialect::Anthropic, "input_schema")] {
        for definition in definitions(dialect) {
            let name = definition["name"].as_str().unwrap();
            assert!(name.len() <= 40 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
            assert_eq!(definition[key]["type"], "object");
            walk(&definition[key], &mut |node| {
                for known in node.keys() {
                    let allowed = ["type", "properties", "required", "items", "description", "enum"];
                    assert!(allowed.contains(&known.as_str()), "{name}: {known}");
                }
                let kind = node["type"].as_str().expect("one type a node");
                assert_eq!(node.contains_key("items"), kind == "array");
                assert!(!node.contains_key("enum") || kind == "string");
            });
        }
    }
    let plain: Vec<_> =
        definitions(Dialect::OpenAi).into_iter().map(|tool| tool["function"]["parameters"].clone()).collect();
    let base: Vec<_> =
        definitions(Dialect::Mcp).into_iter().map(|tool| tool["inputSchema"].clone()).collect();
    assert_eq!(plain, base);
}

/// <https://platform.openai.com/docs/guides/structured-outputs#supported-schemas>: in strict mode every
/// object closes itself with `additionalProperties: false` and requires all its properties; an optional
/// one is a union with null.
#[test]
fn the_strict_form_keeps_to_its_documented_subset() {
    for tool in definitions(Dialect::OpenAiStrict) {
        assert_eq!(
            (&tool["type"], &tool["function"]["strict"]),
            (&Value::from("function"), &Value::from(true))
        );
        walk(&tool["function"]["parameters"], &mut |node| {
            for known in node.keys() {
                let allowed = [
                    "type",
                    "properties",
                    "required",
                    "items",
                    "description",
                    "enum",
                    "additionalProperties",
                ];
                assert!(allowed.contains(&known.as_str()), "{known}");
            }
            if node["type"] == "object" {
                assert_eq!(node["additionalProperties"], false);
                let mut required: Vec<_> =
                    node["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
                let mut properties: Vec<_> =
                    node["properties"].as_object().unwrap().keys().map(String::as_str).collect();
                required.sort_unstable();
                properties.sort_unstable();
                assert_eq!(required, properties);
            }
            if let Some(types) = node["type"].as_array() {
                assert!(types.len() == 2 && types[1] == "null");
            }
        });
    }
}

/// <https://ai.google.dev/api/caching#FunctionDeclaration>: a name of at most 64 letters, digits,
/// underscores, dots and dashes, and `parametersJsonSchema`, whose keywords are listed with
/// `responseJsonSchema`.
#[test]
fn the_function_declarations_keep_to_their_documented_subset() {
    for declaration in definitions(Dialect::Gemini) {
        let keys: Vec<_> = declaration.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(
            keys.iter().all(|key| ["name", "description", "parametersJsonSchema"].contains(key)),
            "{keys:?}"
        );
        assert!(declaration["name"].as_str().unwrap().len() <= 64);
        walk(&declaration["parametersJsonSchema"], &mut |node| {
            for known in node.keys() {
                let allowed = [
                    "$id",
                    "$defs",
                    "$ref",
                    "$anchor",
                    "type",
                    "format",
                    "title",
                    "description",
                    "enum",
                    "items",
                    "prefixItems",
                    "minItems",
                    "maxItems",
                    "minimum",
                    "maximum",
                    "anyOf",
                    "oneOf",
                    "properties",
                    "additionalProperties",
                    "required",
                    "propertyOrdering",
                ];
                assert!(allowed.contains(&known.as_str()), "{known}");
            }
            if let Some(order) = node.get("propertyOrdering") {
                let mut order: Vec<_> =
                    order.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
                order.sort_unstable();
                let mut properties: Vec<_> =
                    node["properties"].as_object().unwrap().keys().map(String::as_str).collect();
                properties.sort_unstable();
                assert_eq!(order, properties);
            }
        });
    }
}

/// Without a source there are no records to ask for, and no tool that could be called in vain.
#[test]
fn without_a_source_two_tools_are_defined() {
    let names = |session: &Session| {
        let definitions: Vec<Value> = serde_json::from_str(&session.tool_definitions(Dialect::Mcp)).unwrap();
        definitions
            .iter()
            .map(|definition| definition["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&session(crm())), ["list_objects", "get_object_schema"]);
    assert_eq!(names(&full()), ["list_objects", "get_object_schema", "query_records"]);
}

#[test]
fn the_best_known_objects_are_those_of_the_profile() {
    let rep = Profile {
        name: "rep".to_owned(),
        objects: ["order", "customer"].map(str::to_owned).into(),
        ..Profile::default()
    };
    let schema = Schema::open(artifact(crm(), vec![rep])).unwrap();
    let session = schema.session(Caller::new().profile("rep")).unwrap();
    let definitions: Vec<Value> = serde_json::from_str(&session.tool_definitions(Dialect::Mcp)).unwrap();
    let description = definitions[0]["description"].as_str().unwrap();
    assert!(description.ends_with("The most connected ones: customer, order."), "{description}");
}
