//! A schema goes out once in a conversation, however it is asked for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use futures_executor::block_on;
use portolan_runtime::{Call, Caller, Schema};
use serde_json::json;

use crate::support::{answer, artifact, call, crm, parse, schemas, sent, session, wide};

fn ask(objects: &[&str]) -> Call {
    Call { tool: "get_object_schema".to_owned(), arguments: json!({ "objects": objects }) }
}

#[test]
fn asked_again_it_is_named_and_not_sent() {
    let session = session(crm());
    assert_eq!(sent(&schemas(&session, &["order", "customer"])), ["customer", "order"]);
    let again = schemas(&session, &["customer", "queue", "Order"]);
    assert_eq!(sent(&again), ["queue"]);
    assert_eq!(again["alreadyFetched"], json!(["customer", "order"]));
    assert_eq!(
        again["note"],
        "Objects listed in `alreadyFetched` were returned earlier in this conversation. Read that response instead \
         of asking again."
    );
}

#[test]
fn of_one_turn_the_first_call_carries_it() {
    let session = session(crm());
    let answers =
        block_on(session.call_all(&[ask(&["order"]), ask(&["user", "order"]), ask(&["order", "user"])]));
    let answers: Vec<_> = answers.iter().map(parse).collect();
    assert_eq!(answers.iter().map(sent).collect::<Vec<_>>(), [vec!["order"], vec!["user"], vec![]]);
    assert_eq!(answers[1]["alreadyFetched"], json!(["order"]));
    assert_eq!(answers[2]["alreadyFetched"], json!(["order", "user"]));
}

/// More calls than a join polls in one go, and each names the same object.
#[test]
fn of_a_hundred_calls_of_one_turn_the_first_carries_it() {
    let session = session(crm());
    let calls = vec![ask(&["order"]); 100];
    let answers = block_on(session.call_all(&calls));
    let carried: Vec<_> = answers.iter().map(|answer| sent(&parse(answer)).len()).collect();
    assert_eq!(carried[0], 1);
    assert_eq!(carried.iter().sum::<usize>(), 1);
}

#[test]
fn a_refused_call_claims_nothing() {
    let session = session(crm());
    assert!(call(&session, "get_object_schema", &json!({"objects": ["order"], "limit": 3})).is_error());
    assert_eq!(sent(&schemas(&session, &["order"])), ["order"]);
}

#[test]
fn a_search_shows_what_was_sent_and_claims_nothing() {
    let session = session(crm());
    let search = json!({"objects": ["order"], "field_search": "date"});
    for _ in 0..2 {
        let found = answer(&session, "get_object_schema", &search);
        assert_eq!(found["objects"]["order"]["fields"], json!({"date": "placed_on"}));
    }
    assert_eq!(sent(&schemas(&session, &["order"])), ["order"]);
    assert_eq!(sent(&answer(&session, "get_object_schema", &search)), ["order"]);
}

#[test]
fn a_wide_object_goes_out_in_parts_and_then_not_again() {
    let session = session(vec![wide("account", 200)]);
    let parts: Vec<_> = (0..4).map(|_| schemas(&session, &["account"])).collect();
    let account = |at: usize| &parts[at]["objects"]["account"];
    let numbers =
        |at: usize| ["fieldCount", "showing", "omitted"].map(|key| account(at)[key].as_u64().unwrap());
    assert_eq!(numbers(0), [202, 80, 122]);
    assert_eq!(numbers(1), [202, 80, 42]);
    assert_eq!(numbers(2), [202, 42, 0]);
    assert_eq!(account(0)["part"], "1 of 3");
    assert!(parts[1]["note"].as_str().unwrap().contains("next part"));
    assert!(parts[2].get("note").is_none());
    assert_eq!(parts[3]["alreadyFetched"], json!(["account"]));

    let names =
        |at: usize| account(at)["fields"].as_object().unwrap().values().map(|names| names.as_str().unwrap());
    let mut all: Vec<_> = (0..3).flat_map(names).flat_map(|names| names.split(' ')).collect();
    assert_eq!(all.len(), 202);
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 202, "no field is sent twice");
}

/// Both calls of one turn ask for a wide object: each carries a part.
#[test]
fn parts_of_one_turn_come_in_call_order() {
    let session = session(vec![wide("account", 100)]);
    let answers = block_on(session.call_all(&[ask(&["account"]), ask(&["account"]), ask(&["account"])]));
    let parts: Vec<_> =
        answers.iter().map(|answer| parse(answer)["objects"]["account"]["part"].clone()).collect();
    assert_eq!(parts, [json!("1 of 2"), json!("2 of 2"), json!(null)]);
}

#[test]
fn what_was_forgotten_is_sent_again() {
    let session = session(vec![wide("account", 100), wide("contact", 3)]);
    schemas(&session, &["account", "contact"]);
    schemas(&session, &["account"]);
    session.forget(["account", "nothing"]);
    let again = schemas(&session, &["account", "contact"]);
    assert_eq!(again["objects"]["account"]["part"], "1 of 2");
    assert_eq!(again["alreadyFetched"], json!(["contact"]));
}

/// Two tasks of one session ask at once, a hundred thousand times: one gets it, the other is told.
#[test]
fn of_two_tasks_one_gets_it() {
    const ROUNDS: usize = 100_000;
    let schema = Schema::open(artifact(crm(), vec![])).unwrap();
    let caller = Arc::new(Caller::new());
    let sessions: Vec<_> = (0..ROUNDS).map(|_| schema.session(caller.clone()).unwrap()).collect();
    let payloads: Vec<_> = (0..ROUNDS).map(|_| AtomicUsize::new(0)).collect();
    let told: Vec<_> = (0..ROUNDS).map(|_| AtomicUsize::new(0)).collect();
    let (at, start) = (AtomicUsize::new(0), Barrier::new(2));
    thread::scope(|scope| {
        for task in 0..2 {
            let (sessions, payloads, told, at, start) = (&sessions, &payloads, &told, &at, &start);
            let wanted = if task == 0 {
                json!({"objects": ["order", "user"]})
            } else {
                json!({"objects": ["user", "order"]})
            };
            scope.spawn(move || {
                start.wait();
                for round in 0..ROUNDS {
                    // Neither runs ahead, so that most rounds are a race.
                    at.fetch_add(1, Ordering::SeqCst);
                    while at.load(Ordering::SeqCst) < 2 * round + 1 {
                        std::hint::spin_loop();
                    }
                    let answer = call(&sessions[round], "get_object_schema", &wanted);
                    payloads[round]
                        .fetch_add(answer.as_str().matches("\"fieldCount\"").count(), Ordering::Relaxed);
                    if answer.as_str().contains("alreadyFetched") {
                        told[round].fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    for round in 0..ROUNDS {
        assert_eq!(payloads[round].load(Ordering::Relaxed), 2, "round {round}: each schema once");
        assert_eq!(told[round].load(Ordering::Relaxed), 1, "round {round}: the later call is told");
    }
}
