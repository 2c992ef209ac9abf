//! Every source answers as the records in memory do, to the byte.

mod stored;
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;

use futures_executor::block_on;
use portolan_runtime::Session;
use portolan_sources::sqlite::{Options, Sqlite};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value as Json, json};

use self::stored::Way;
use self::world::{
    DAYS, Dice, MOMENTS, NUMBERS, OBJECTS, PICKED, TEXTS, TIMES, id, memory, records, schema, session,
};

/// So many queries are asked in each way and by each of two callers: ten thousand in all.
const QUERIES: u32 = 1_250;
/// So many pages are turned.
const MOST_PAGES: usize = 12;

const PERIODS: [&str; 6] =
    ["last month", "today", "2026-Q4", "past 30 days", "this fiscal year", "2026-10-15"];

/// What a path holds, for choosing what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Text,
    Picked,
    Several,
    Number,
    Flag,
    Day,
    Moment,
    Time,
    Id(&'static str),
    Object,
    Bytes,
}

/// The paths of an object that are asked for.
fn paths(object: &str) -> Vec<(&'static str, Holds)> {
    use Holds::{Bytes, Day, Flag, Id, Moment, Number, Object, Picked, Several, Text, Time};
    match object {
        "user" => vec![
            ("id", Id("user")),
            ("name", Text),
            ("email", Text),
            ("manager", Id("user")),
            ("manager.name", Text),
            ("manager.manager.email", Text),
            ("active", Flag),
            ("manager.active", Flag),
        ],
        "queue" => vec![("id", Id("queue")), ("name", Text)],
        "account" => vec![
            ("id", Id("account")),
            ("name", Text),
            ("order", Text),
            ("region", Picked),
            ("owner", Id("user")),
            ("owner.name", Text),
            ("owner.id", Id("queue")),
            ("owner.object", Object),
            ("owner[user].email", Text),
            ("owner[user].manager.name", Text),
            ("owner[queue].name", Text),
            ("parent", Id("account")),
            ("parent.region", Picked),
            ("parent.parent.revenue", Number),
            ("topics", Several),
            ("revenue", Number),
            ("size", Number),
        ],
        _ => vec![
            ("id", Id("deal")),
            ("name", Text),
            ("account", Id("account")),
            ("account.name", Text),
            ("account.topics", Several),
            ("account.parent.revenue", Number),
            ("account.owner[user].active", Flag),
            ("account.owner.name", Text),
            ("owner", Id("user")),
            ("owner.object", Object),
            ("group", Text),
            ("stage", Picked),
            ("amount", Number),
            ("closes", Day),
            ("created", Moment),
            ("at", Time),
            ("won", Flag),
            ("body", Text),
            ("contract", Bytes),
        ],
    }
}

fn ops(holds: Holds) -> &'static [&'static str] {
    match holds {
        Holds::Text | Holds::Picked => {
            &["eq", "ne", "in", "not_in", "contains", "starts_with", "is_null", "not_null"]
        }
        Holds::Several => &["includes", "excludes", "is_null", "not_null"],
        Holds::Number | Holds::Time => {
            &["eq", "ne", "in", "not_in", "lt", "lte", "gt", "gte", "between", "is_null", "not_null"]
        }
        Holds::Day | Holds::Moment => {
            &["eq", "ne", "lt", "lte", "gt", "gte", "between", "during", "is_null", "not_null"]
        }
        Holds::Flag | Holds::Id(_) | Holds::Object => &["eq", "ne", "in", "not_in", "is_null", "not_null"],
        Holds::Bytes => &["is_null", "not_null"],
    }
}

fn literal(holds: Holds) -> BoxedStrategy<String> {
    let of = |texts: &'static [&'static str]| select(texts).prop_map(str::to_owned);
    match holds {
        Holds::Text => prop_oneof![
            of(&TEXTS),
            of(&[
                "cme",
                "strasse",
                "istanbul",
                "wide",
                "%",
                "_",
                "\\",
                "北",
                "e",
                "nothing has this",
                "'; --"
            ])
        ]
        .boxed(),
        Holds::Picked | Holds::Several => prop_oneof![of(&PICKED), of(&["WEST", "sud", "Wets"])].boxed(),
        Holds::Number => {
            prop_oneof![of(&NUMBERS), of(&["0.1000", "0.29999999999999999", "811.00", "-4.99", "1e3", "3"])]
                .boxed()
        }
        Holds::Flag => of(&["true", "false", "yes"]).boxed(),
        Holds::Day => prop_oneof![of(&DAYS), of(&["2026-02-01", "30 Nov 2026"])].boxed(),
        Holds::Moment => {
            prop_oneof![of(&MOMENTS), of(&DAYS), of(&["2026-11-30T09:00:00", "2026-10-15"])].boxed()
        }
        Holds::Time => prop_oneof![of(&TIMES), of(&["09:30", "14:05:00.25", "2:05 pm"])].boxed(),
        Holds::Id(object) => {
            let ids = (0_usize..70).prop_map(move |at| id(object, at));
            prop_oneof![3 => ids, 1 => of(&TEXTS)].boxed()
        }
        Holds::Object => of(&["user", "queue", "User", "account"]).boxed(),
        Holds::Bytes => of(&["7"]).boxed(),
    }
}

fn condition(object: &'static str) -> impl Strategy<Value = Json> {
    select(paths(object)).prop_flat_map(|(path, holds)| {
        (select(ops(holds)), proptest::collection::vec(literal(holds), 1..4), select(PERIODS.as_slice()))
            .prop_map(move |(op, mut values, period)| match op {
                "is_null" | "not_null" => json!({"field": path, "op": op}),
                "during" => json!({"field": path, "op": op, "value": period}),
                "between" => {
                    values.resize(2, values[0].clone());
                    json!({"field": path, "op": op, "values": values})
                }
                "in" | "not_in" | "includes" | "excludes" => {
                    json!({"field": path, "op": op, "values": values})
                }
                _ => json!({"field": path, "op": op, "value": values[0]}),
            })
    })
}

fn arguments() -> impl Strategy<Value = Json> {
    let objects: Vec<&'static str> =
        ["deal", "account"].into_iter().chain(OBJECTS.map(|(name, _)| name)).collect();
    select(objects).prop_flat_map(|object| {
        let names: Vec<&'static str> = paths(object).into_iter().map(|(path, _)| path).collect();
        let order = (select(names.clone()), any::<bool>())
            .prop_map(|(path, descending)| if descending { format!("{path} desc") } else { path.to_owned() });
        let conditions = |most: usize| proptest::collection::vec(condition(object), 0..=most);
        (
            proptest::collection::vec(select(names), 0..6),
            conditions(2),
            prop_oneof![3 => Just(Vec::new()), 1 => conditions(3).boxed()],
            prop_oneof![8 => Just(None), 1 => literal(Holds::Text).prop_map(Some)],
            proptest::collection::vec(order, 0..3),
            prop_oneof![Just(5), Just(17), Just(100)],
        )
            .prop_map(move |(fields, all, any, search, order, limit)| {
                let mut arguments = json!({"object": object, "limit": limit});
                for (key, list) in [
                    ("fields", json!(fields)),
                    ("where", json!(all)),
                    ("where_any", json!(any)),
                    ("order_by", json!(order)),
                ] {
                    if list.as_array().is_some_and(|list| !list.is_empty()) {
                        arguments[key] = list;
                    }
                }
                if let Some(search) = search {
                    arguments["search"] = json!(search);
                }
                arguments
            })
    })
}

fn ask(session: &Session, arguments: &Json) -> String {
    block_on(session.call("query_records", arguments)).to_string()
}

/// Asks both, page by page, and says what they answered where that isn't the same.
fn compare(
    memory: &Session,
    source: &Session,
    mut arguments: Json,
    seen: &Mutex<BTreeMap<String, usize>>,
) -> Result<(), TestCaseError> {
    let mut ids = Vec::new();
    for page in 0..MOST_PAGES {
        let (expected, found) = (ask(memory, &arguments), ask(source, &arguments));
        if expected != found {
            return Err(TestCaseError::fail(format!("{arguments}\n  memory: {expected}\n  source: {found}")));
        }
        let answer: Json = serde_json::from_str(&expected).unwrap();
        let mut seen = seen.lock().unwrap();
        let mut count = |what: &str, is: bool| *seen.entry(what.to_owned()).or_default() += usize::from(is);
        count("refused", answer.get("error").is_some());
        count("found", answer["returned"].as_u64().is_some_and(|returned| returned > 0));
        count("notes", answer["notes"].as_array().is_some_and(|notes| !notes.is_empty()));
        count(
            "understood",
            answer["understood"].as_object().is_some_and(|understood| !understood.is_empty()),
        );
        count("deleted", !answer["excluded"]["deleted"].is_null());
        count("later pages", page > 0);
        for condition in arguments["where"].as_array().into_iter().flatten() {
            count(
                condition["op"].as_str().unwrap(),
                answer["returned"].as_u64().is_some_and(|returned| returned > 0),
            );
        }
        drop(seen);
        for record in answer["records"].as_array().into_iter().flatten() {
            ids.extend(record.get("id").cloned());
        }
        match answer["cursor"].as_str() {
            Some(cursor) => arguments["cursor"] = json!(cursor),
            None => break,
        }
    }
    let all = ids.len();
    ids.sort_by_key(Json::to_string);
    ids.dedup();
    prop_assert_eq!(ids.len(), all, "a record came twice: {}", arguments);
    Ok(())
}

#[test]
fn sqlite_answers_as_records_in_memory_do() {
    let schema = schema();
    let (seen, mut queries) = (Mutex::default(), 0);
    let folder = tempfile::tempdir().unwrap();
    for (seed, way) in Way::ALL.into_iter().enumerate() {
        let mut dice = Dice::new(seed as u64);
        let records = records(way.traits(), &mut dice);
        let path = folder.path().join(format!("{way:?}.db"));
        way.write(&records, &path, &mut dice);
        let source = Arc::new(Sqlite::open(&path, &way.mapping(), &Options::default()).unwrap());
        let memory = Arc::new(memory(&records));
        for profile in ["everyone", "rep"] {
            let expected = session(&schema, profile, memory.clone());
            let found = session(&schema, profile, source.clone());
            let config = Config { cases: QUERIES, failure_persistence: None, ..Config::default() };
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[queries; 32]);
            queries += 1;
            let asked = TestRunner::new_with_rng(config, rng)
                .run(&arguments(), |arguments| compare(&expected, &found, arguments, &seen));
            if let Err(difference) = asked {
                panic!("{way:?}, {profile}: {difference}");
            }
        }
    }
    // Queries that find nothing prove nothing.
    let seen = seen.into_inner().unwrap();
    for (what, least) in
        [("found", 5_000), ("later pages", 1_500), ("notes", 400), ("understood", 400), ("deleted", 2_000)]
    {
        assert!(seen[what] >= least, "{what}: {seen:?}");
    }
    assert!(seen["refused"] < 5_000, "{seen:?}");
    for holds in [Holds::Text, Holds::Several, Holds::Number, Holds::Day] {
        for op in ops(holds) {
            assert!(seen[*op] >= 10, "{op}: {seen:?}");
        }
    }
}
