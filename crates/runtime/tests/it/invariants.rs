//! For any artifact and any profile: what an answer names can be asked for, what the profile hides is
//! nowhere in it, and no answer is longer than the budget.

use std::collections::BTreeSet;

use portolan_runtime::{Caller, Rendering, Schema, Session};
use portolan_schema::arbitrary::artifact;
use portolan_schema::artifact::{Artifact, encode};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::support::{answer, sent};

/// Every session that callers of the artifact can have.
fn sessions(artifact: &Artifact) -> Vec<Session> {
    let schema = Schema::open(encode(artifact).bytes).unwrap();
    if artifact.profiles.is_empty() {
        return vec![schema.session(Caller::new()).unwrap()];
    }
    artifact
        .profiles
        .iter()
        .map(|profile| schema.session(Caller::new().profile(&profile.name)).unwrap())
        .collect()
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(list) => list.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The objects that an answer's schemas name.
fn named(answer: &Value) -> BTreeSet<String> {
    let mut named: BTreeSet<String> = sent(answer).into_iter().map(str::to_owned).collect();
    for object in answer["objects"].as_object().into_iter().flat_map(|objects| objects.values()) {
        let compact = object["references"].as_object().into_iter().flat_map(|references| references.values());
        let full =
            object["fields"].as_array().into_iter().flatten().filter_map(|field| field.get("references"));
        named.extend(compact.chain(full).flat_map(texts));
        for back in texts(&object["referencedBy"]) {
            named.insert(back.rsplit_once('.').unwrap().0.to_owned());
        }
    }
    named.extend(answer["unknown"].as_object().into_iter().flatten().flat_map(|(_, near)| texts(near)));
    named
}

/// Asks for an object until all its parts went out.
fn all_parts(session: &Session, object: &str) -> Vec<Value> {
    let mut parts = Vec::new();
    loop {
        let part = answer(session, "get_object_schema", &json!({"objects": [object]}));
        if part.get("alreadyFetched").is_some() {
            return parts;
        }
        parts.push(part);
    }
}

fn misspelt(name: &str, at: Index) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let at = at.index(letters.len());
    letters.remove(at);
    letters.into_iter().collect()
}

proptest! {
    #[test]
    fn what_is_named_can_be_asked_for(artifact in artifact(6), full in any::<bool>(), at in any::<Index>()) {
        for session in sessions(&artifact) {
            let session = session.rendering(if full { Rendering::Full } else { Rendering::Compact });
            let list = answer(&session, "list_objects", &json!({}));
            let listed: BTreeSet<String> = sent(&list).into_iter().map(str::to_owned).collect();
            let mut names = BTreeSet::new();
            for object in &listed {
                let parts = all_parts(&session, object);
                prop_assert!(!parts.is_empty());
                for part in &parts {
                    prop_assert!(part.get("error").is_none() && part.get("unknown").is_none());
                    names.extend(named(part));
                }
                let search = json!({"objects": [object], "field_search": object});
                names.extend(named(&answer(&session, "get_object_schema", &search)));
            }
            for object in artifact.schema.objects() {
                let wrong = misspelt(&object.name, at);
                let found = answer(&session, "get_object_schema", &json!({"objects": [object.name, wrong]}));
                names.extend(named(&found));
                let searched = answer(&session, "list_objects", &json!({"search": object.name}));
                names.extend(sent(&searched).into_iter().map(str::to_owned));
                names.extend(texts(&searched["nearest"]));
            }
            prop_assert!(names.is_subset(&listed), "{:?}", names.difference(&listed));
        }
    }

    #[test]
    fn what_is_hidden_is_nowhere(artifact in artifact(6)) {
        for (session, profile) in sessions(&artifact).into_iter().zip(&artifact.profiles) {
            let list = answer(&session, "list_objects", &json!({}));
            let listed: BTreeSet<&str> = sent(&list).into_iter().collect();
            prop_assert_eq!(&listed, &profile.objects.iter().map(String::as_str).collect());
            for object in artifact.schema.objects() {
                let parts = all_parts_if_known(&session, &object.name);
                prop_assert_eq!(parts.is_some(), profile.objects.contains(&object.name));
                let fields: BTreeSet<String> = parts.iter().flatten().flat_map(|part| field_names(&part["objects"][&object.name])).collect();
                let hidden = profile.hidden.get(&object.name);
                let visible: BTreeSet<String> = object
                    .fields
                    .iter()
                    .map(|field| field.name.clone())
                    .filter(|field| parts.is_some() && !hidden.is_some_and(|hidden| hidden.contains(field)))
                    .collect();
                prop_assert_eq!(fields, visible);
                for back in parts.iter().flatten().flat_map(|part| texts(&part["objects"][&object.name]["referencedBy"])) {
                    let (from, field) = back.rsplit_once('.').unwrap();
                    prop_assert!(profile.objects.contains(from));
                    prop_assert!(!profile.hidden.get(from).is_some_and(|hidden| hidden.contains(field)));
                }
            }
        }
    }

    #[test]
    fn nothing_a_model_sends_brings_it_down(artifact in artifact(6), tool in "(list_objects|get_object_schema|\\PC{0,8})", text in ".{0,12}") {
        let session = sessions(&artifact).remove(0);
        let name = artifact.schema.objects().first().map_or("", |object| object.name.as_str());
        for arguments in [
            json!({"objects": [text, name]}),
            json!({"objects": text, "field_search": text}),
            json!({"search": text}),
            json!({"search": [text], text.clone(): text}),
            json!([text]),
            json!(text),
        ] {
            answer(&session, &tool, &arguments);
        }
    }
}

/// An unpermitted name and one that isn't there are told in the same words.
#[test]
fn hidden_and_absent_look_the_same() {
    use portolan_schema::{ClosedSchema, Object, Profile};
    let object = |name: &str| Object {
        name: name.to_owned(),
        label: name.to_owned(),
        queryable: true,
        ..Object::default()
    };
    let rep = Profile { name: "rep".to_owned(), objects: ["order".to_owned()].into(), ..Profile::default() };
    let publish = |names: &[&str]| {
        let schema = ClosedSchema::new(names.iter().map(|name| object(name)).collect()).unwrap();
        let artifact = Artifact {
            version: "1.0.0".parse().unwrap(),
            schema,
            profiles: vec![rep.clone()],
            tasks: Vec::new(),
        };
        Schema::open(encode(&artifact).bytes).unwrap().session(Caller::new().profile("rep")).unwrap()
    };
    let (with, without) = (publish(&["order", "orders_secret", "salary"]), publish(&["order"]));
    for (tool, arguments) in [
        ("list_objects", json!({})),
        ("list_objects", json!({"search": "secret"})),
        ("get_object_schema", json!({"objects": ["salary", "orders_secret", "ORDERS_SECRET"]})),
        ("get_object_schema", json!({"objects": ["order", "salary"]})),
        ("get_object_schema", json!({"objects": ["order"], "field_search": "salary"})),
    ] {
        assert_eq!(answer(&with, tool, &arguments), answer(&without, tool, &arguments));
    }
}

fn all_parts_if_known(session: &Session, object: &str) -> Option<Vec<Value>> {
    let first = answer(session, "get_object_schema", &json!({"objects": [object], "field_search": "x"}));
    sent(&first).contains(&object).then(|| all_parts(session, object))
}

fn field_names(object: &Value) -> Vec<String> {
    let grouped = object["fields"].as_object().into_iter().flat_map(|types| types.values());
    let grouped = grouped.flat_map(|names| names.as_str().unwrap().split(' ').map(str::to_owned));
    grouped
        .chain(object["references"].as_object().into_iter().flat_map(|references| references.keys().cloned()))
        .collect()
}
