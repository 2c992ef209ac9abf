//! Whatever is wrong with a query, its answer says what, all of it, and what to do next. Nothing that a profile
//! hides is in any of them.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use futures_executor::block_on;
use portolan_runtime::query::Query;
use portolan_runtime::{Fetching, Limits, RecordSource, Schema, Session};
use serde_json::{Value as Json, json};

use crate::records::{asked, caller, org, records, rep};
use crate::support::{answer, artifact, call, parse};

fn session() -> Session {
    let schema = Schema::open(artifact(org(), vec![rep()])).unwrap();
    schema.session(caller().profile("rep")).unwrap().source(Arc::new(records()))
}

fn with(key: &str, value: Json) -> Json {
    let mut arguments = json!({"object": "opportunity", "fields": ["id"]});
    arguments[key] = value;
    arguments
}

fn table() -> Vec<(&'static str, Json)> {
    let condition = |field: &str, op: &str, value: &str| {
        with("where", json!([{"field": field, "op": op, "value": value}]))
    };
    let values = |field: &str, op: &str, values: Json| {
        with("where", json!([{"field": field, "op": op, "values": values}]))
    };
    let many: Vec<String> = (0..10_000).map(|at| format!("o{at}")).collect();
    vec![
        ("an unknown argument", with("filter", json!("stage = 'Open'"))),
        ("a misspelt argument", with("were", json!([]))),
        ("an unknown object", json!({"object": "oportunity"})),
        ("an object that the profile hides", json!({"object": "queue"})),
        ("a field of another object", with("fields", json!(["id", "region"]))),
        ("a field that nothing has", with("fields", json!(["weather"]))),
        ("a field that the profile hides", with("fields", json!(["owner[user].salary"]))),
        ("an unknown hop", with("fields", json!(["acount.region"]))),
        ("a hop over no reference", with("fields", json!(["stage.name"]))),
        ("a path through a hidden object", with("fields", json!(["owner[queue].name"]))),
        ("a path through a hidden field", with("fields", json!(["account.owner.name"]))),
        ("a path without its target", json!({"object": "opportunity", "fields": ["account.", ".name", ""]})),
        ("an operator against the type", condition("amount", "contains", "5")),
        ("another operator against the type", condition("stage", "gt", "Open")),
        ("an unknown operator", condition("stage", "===", "Open")),
        ("a number that is none", condition("amount", "gte", "a lot")),
        ("a date that is none", condition("close_date", "gt", "11/30/2026")),
        ("a date that never was", condition("close_date", "eq", "2026-02-30")),
        ("a period that is none", condition("close_date", "during", "the other day")),
        ("a moment that is none", condition("created_at", "lt", "noon")),
        ("empty values", values("stage", "in", json!([]))),
        ("no value", with("where", json!([{"field": "stage", "op": "eq"}]))),
        ("one value where there are two", values("amount", "between", json!(["1"]))),
        ("a list of 10,000 values", values("stage", "in", json!(many))),
        ("a list in a list", values("stage", "in", json!([["Open"]]))),
        ("a condition that is none", with("where", json!(["stage = Open"]))),
        (
            "a member of a condition that is none",
            with("where", json!([{"field": "stage", "operator": "eq", "value": "Open"}])),
        ),
        (
            "a field that can't be filtered by",
            json!({"object": "account", "where": [{"field": "notes", "op": "is_null"}]}),
        ),
        ("a field that can't be sorted by", json!({"object": "account", "order_by": ["notes"]})),
        ("an order by one of several objects", with("order_by", json!(["owner"]))),
        ("an order that is none", with("order_by", json!(["amount sideways"]))),
        ("an order as others write it", with("order_by", json!(["-amount"]))),
        ("an order in capitals", with("order_by", json!(["amount DESC"]))),
        ("a sign for an operator", condition("amount", ">=", "1000")),
        ("an operator of SQL", condition("name", "like", "%Deal%")),
        ("a null that isn't", condition("account", "is_null", "false")),
        ("a null with a value", condition("account", "is_null", "Acme")),
        ("an empty value", condition("stage", "eq", "")),
        ("a part of a name on a reference", condition("account", "contains", "Ac")),
        ("an id twice", values("account", "in", json!(["a1", "a1"]))),
        ("a name of several", condition("account", "eq", "Twin")),
        ("a field of an object that leads here", json!({"object": "account", "fields": ["amount"]})),
        ("a negative limit", with("limit", json!(-5))),
        ("a limit that is none", with("limit", json!("all"))),
        ("a limit above the host's", with("limit", json!(1_000_000))),
        ("an empty search", with("search", json!("   "))),
        ("a cursor that is none", with("cursor", json!("next"))),
        (
            "SQL in every text",
            json!({
                "object": "opportunity; DROP TABLE opportunity",
                "fields": ["id\"; DROP TABLE opportunity; --", "name' OR '1'='1"],
                "where": [{"field": "1=1; --", "op": "eq' OR 1=1", "value": "' OR '1'='1"}],
                "search": "'; DELETE FROM opportunity; --",
                "order_by": ["id; DROP TABLE opportunity"],
                "cursor": "' UNION SELECT * FROM user --",
            }),
        ),
        (
            "SQL in every literal",
            json!({
                "object": "opportunity",
                "fields": ["id"],
                "where": [
                    {"field": "name", "op": "eq", "value": "' OR '1'='1"},
                    {"field": "stage", "op": "not_in", "values": ["'); DROP TABLE opportunity; --", "%"]},
                    {"field": "account", "op": "eq", "value": "a1' OR 'a'='a"},
                ],
                "search": "'; DELETE FROM opportunity; --",
            }),
        ),
    ]
}

#[test]
fn every_wrong_query_has_its_answer() {
    let session = session();
    let mut report = String::new();
    let mut add = |what: &str, arguments: &Json| {
        let answer = call(&session, "query_records", arguments);
        parse(&answer);
        let shown: String = arguments.to_string().chars().take(400).collect();
        writeln!(report, "# {what}\n{shown}\n{answer}\n").unwrap();
        assert!(!answer.as_str().contains("salary (") && !answer.as_str().contains("Queue"), "{answer}");
    };
    for (what, arguments) in table() {
        add(what, &arguments);
    }

    // Cursors: of this query, of another one, of another content, and damaged.
    let first = json!({"object": "opportunity", "fields": ["id"], "order_by": ["amount desc"], "limit": 1});
    let page = answer(&session, "query_records", &first);
    let cursor = page["cursor"].as_str().unwrap();
    let next = |arguments: &Json, cursor: &str| {
        let mut arguments = arguments.clone();
        arguments["cursor"] = json!(cursor);
        arguments
    };
    let of_content = answer(&asked(), "query_records", &first)["cursor"].as_str().unwrap().to_owned();
    add("a cursor of another query", &next(&json!({"object": "account"}), cursor));
    add("a cursor of another order", &next(&with("order_by", json!(["amount"])), cursor));
    add("a cursor of another artifact", &next(&first, &of_content));
    add("a cursor without its end", &next(&first, &cursor[..cursor.len() - 3]));
    add("a cursor with another letter", &next(&first, &format!("{}A", &cursor[..cursor.len() - 1])));
    insta::assert_snapshot!(report);
}

/// A source whose answers never come.
struct Never;

impl RecordSource for Never {
    fn fetch<'a>(&'a self, _query: &'a Query) -> Fetching<'a> {
        Box::pin(std::future::pending())
    }
}

#[test]
fn a_query_that_takes_too_long_is_cut() {
    let schema = Schema::open(artifact(org(), vec![])).unwrap();
    let limits = Limits { time: Duration::from_millis(20), ..Limits::default() };
    let session = schema.session(caller()).unwrap().source_within(Arc::new(Never), limits);
    let answer = block_on(session.call("query_records", &json!({"object": "account"})));
    insta::assert_snapshot!(answer);
}
