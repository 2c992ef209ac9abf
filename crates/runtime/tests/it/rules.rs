//! Every hard rule is broken here, and holds; what the registry says is said where it belongs.

use std::sync::Arc;

use portolan_runtime::query::{Reference, Value};
use portolan_runtime::{
    Caller, Dialect, Guard, Memory, RULES, Record, Schema, Session, Strength, system_prompt_rules,
};
use serde_json::json;

use crate::support::{answer, artifact, crm, schemas, sent, session, wide};

/// Breaks what a guard holds. A new guard needs an arm here: without one this doesn't compile.
fn break_it(guard: Guard) {
    match guard {
        Guard::SentOnce => {
            let session = session(crm());
            schemas(&session, &["order"]);
            let again = schemas(&session, &["order"]);
            assert!(sent(&again).is_empty());
            assert_eq!(again["note"], guard.says());
        }
        Guard::Replaced => {
            let schema = Schema::open(artifact(crm(), vec![])).unwrap();
            let session = schema.session(Caller::new()).unwrap();
            schemas(&session, &["order", "queue"]);
            let mut changed = crm();
            let order = changed.iter_mut().find(|object| object.name == "order").unwrap();
            order.label = String::from("Purchase");
            schema.replace(artifact(changed, vec![])).unwrap();
            let again = schemas(&session, &["order", "queue"]);
            assert_eq!(sent(&again), ["order"]);
            assert!(again["note"].as_str().unwrap().contains(guard.says()));
            assert!(schemas(&session, &["user"]).get("note").is_none(), "it is said once, where it matters");
        }
        Guard::Parts => {
            let session = session(vec![wide("account", 500)]);
            let first = schemas(&session, &["account"]);
            assert_eq!(first["objects"]["account"]["showing"], 80);
            assert_eq!(first["note"], guard.says());
        }
        Guard::Budget => {
            let names: Vec<String> = (0..40).map(|at| format!("object_{at}")).collect();
            let session = session(names.iter().map(|name| wide(name, 80)).collect());
            let answer = schemas(&session, &names.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(!answer["notSent"].as_array().unwrap().is_empty());
            assert!(answer["note"].as_str().unwrap().contains(guard.says()));
        }
        Guard::KnownNames => {
            let refused = schemas(&session(crm()), &["opportunity"]);
            assert_eq!(refused["error"], "Unknown object 'opportunity'. Call list_objects first.");
            assert!(sent(&refused).is_empty());
        }
        Guard::RecordLimit => {
            let queues = (0..150).map(|at| format!("q{at:03}"));
            let session = with_queues(queues);
            let page = answer(&session, "query_records", &json!({"object": "queue", "limit": 150}));
            assert_eq!(
                (&page["returned"], &page["truncated"], &page["total"]),
                (&json!(100), &json!(true), &json!(150))
            );
        }
        Guard::Names => {
            let session = with_queues(["q1".to_owned()]);
            let page = answer(&session, "query_records", &json!({"object": "order", "fields": ["owner"]}));
            assert_eq!(
                page["records"],
                json!([{"owner": {"id": "q1", "name": "Queue q1", "object": "queue"}}])
            );
        }
        Guard::KnownArguments => {
            let session = with_queues([]);
            for (tool, arguments) in [
                ("list_objects", json!({"search": "order", "limit": 3})),
                ("get_object_schema", json!({"objects": ["order"], "limit": 3})),
                ("query_records", json!({"object": "queue", "limit": 3, "sql": "select 1"})),
            ] {
                let refused = answer(&session, tool, &arguments);
                let at = &refused["problems"][0]["at"];
                assert!(at == "limit" || at == "sql", "{refused}");
                assert!(
                    refused.get("objects").or(refused.get("records")).is_none(),
                    "nothing is answered beside it"
                );
            }
        }
    }
}

/// A session with those queues, and an order of the first.
fn with_queues(ids: impl IntoIterator<Item = String>) -> Session {
    let text = |text: &str| Value::Text(text.to_owned());
    let ids: Vec<String> = ids.into_iter().collect();
    let owner =
        ids.first().map(|id| Value::Reference(Reference { object: "queue".to_owned(), id: id.clone() }));
    let queue = |id: &String| {
        Record::from([("id".to_owned(), text(id)), ("name".to_owned(), text(&format!("Queue {id}")))])
    };
    let order =
        Record::from([("id".to_owned(), text("o1")), ("owner".to_owned(), owner.unwrap_or(Value::Null))]);
    let memory = Memory::new().with("queue", "id", ids.iter().map(queue)).with("order", "id", [order]);
    session(crm()).source(Arc::new(memory))
}

#[test]
fn every_hard_rule_holds() {
    let mut hard = 0;
    for rule in RULES {
        if let Strength::Hard(guard) = rule.strength {
            hard += 1;
            break_it(guard);
        }
    }
    assert_eq!(hard, 8, "each guard holds a rule");
}

#[test]
fn every_rule_is_said_where_it_belongs() {
    let prompt = system_prompt_rules();
    let definitions: serde_json::Value =
        serde_json::from_str(&with_queues([]).tool_definitions(Dialect::Mcp)).unwrap();
    let mut ids = Vec::new();
    for rule in RULES {
        assert!(
            prompt.contains(&rule.prompt.replace("{part_fields}", "80").replace("{most_records}", "100")),
            "{}",
            rule.id
        );
        if let Some((tool, words)) = rule.described {
            let definition =
                definitions.as_array().unwrap().iter().find(|definition| definition["name"] == tool.name());
            let description = definition.unwrap()["description"].as_str().unwrap();
            assert!(
                description.contains(&words.replace("{part_fields}", "80").replace("{most_records}", "100")),
                "{}",
                rule.id
            );
        }
        ids.push(rule.id);
    }
    assert!(
        !prompt.contains('{')
            && !definitions.to_string().contains("{part")
            && !definitions.to_string().contains("{most")
    );
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "ids are unique");
}
