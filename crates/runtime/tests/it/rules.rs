//! Every hard rule is broken here, and holds; what the registry says is said where it belongs.

use portolan_runtime::{Dialect, Guard, RULES, Strength, system_prompt_rules};
use serde_json::{Value, json};

use crate::support::{answer, crm, schemas, sent, session, wide};

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
        Guard::KnownArguments => {
            let session = session(crm());
            for (tool, arguments) in [
                ("list_objects", json!({"search": "order", "limit": 3})),
                ("get_object_schema", json!({"objects": ["order"], "limit": 3})),
            ] {
                let refused = answer(&session, tool, &arguments);
                assert_eq!(refused["problems"][0]["at"], "limit");
                assert!(refused.get("objects").is_none(), "nothing is answered beside it");
            }
        }
    }
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
    assert_eq!(hard, 5, "each guard holds a rule");
}

#[test]
fn every_rule_is_said_where_it_belongs() {
    let prompt = system_prompt_rules();
    let definitions: Value = serde_json::from_str(&session(crm()).tool_definitions(Dialect::Mcp)).unwrap();
    let mut ids = Vec::new();
    for rule in RULES {
        assert!(prompt.contains(&rule.prompt.replace("{part_fields}", "80")), "{}", rule.id);
        if let Some((tool, words)) = rule.described {
            let definition =
                definitions.as_array().unwrap().iter().find(|definition| definition["name"] == tool.name());
            let description = definition.unwrap()["description"].as_str().unwrap();
            assert!(description.contains(&words.replace("{part_fields}", "80")), "{}", rule.id);
        }
        ids.push(rule.id);
    }
    assert!(!prompt.contains('{') && !definitions.to_string().contains("{part"));
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "ids are unique");
}
