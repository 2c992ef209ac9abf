//! What only the adapter itself can see: its pool, its plans, and how its statements are prepared.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_executor::block_on;
use futures_util::future::{Either, select};
use portolan_runtime::query::{Condition, Match, Order, Part, Path, Query, Test, Value};
use portolan_runtime::{Caller, Limits, RecordSource, Schema, SourceError};
use portolan_schema::artifact::{Artifact, encode};
use portolan_schema::{ClosedSchema, Field, FieldType, Object};
use rusqlite::{Connection, StatementStatus};
use serde_json::{Value as Json, json};

use super::{Habit, Options, Sqlite, answer, place, run, statement};
use crate::Mapping;

const ROWS: usize = 200_000;

/// Orders: enough of them for a look at each to take some time.
fn orders() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let database = Connection::open(&path).unwrap();
    database
        .execute_batch(&format!(
            "CREATE TABLE orders (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, region TEXT, placed_on TEXT) STRICT;
             CREATE INDEX orders_placed_on ON orders (placed_on);
             WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {ROWS})
             INSERT INTO orders
             SELECT printf('o%07d', n), 'Order Nº ' || n, CASE n % 3 WHEN 0 THEN NULL WHEN 1 THEN 'West' ELSE 'East' END,
                    CASE n % 100 WHEN 0 THEN NULL ELSE date('2020-01-01', '+' || (n % 2000) || ' days') END
             FROM number;"
        ))
        .unwrap();
    (folder, path)
}

fn mapping() -> Mapping {
    "[defaults.stored]\ndate = \"%Y-%m-%d\"\n[objects.order]\ntable = \"orders\"".parse().unwrap()
}

fn schema() -> Schema {
    let field = |name: &str, field_type| Field { label: name.to_owned(), ..Field::new(name, field_type) };
    let order = Object {
        name: "order".to_owned(),
        label: "Order".to_owned(),
        queryable: true,
        id_field: Some("id".to_owned()),
        name_field: Some("name".to_owned()),
        fields: vec![
            field("id", FieldType::Id),
            field("name", FieldType::Text),
            field("region", FieldType::Picklist),
            field("placed_on", FieldType::Date),
        ],
        ..Object::default()
    };
    let schema = ClosedSchema::new(vec![order]).unwrap();
    let artifact =
        Artifact { version: "1.0.0".parse().unwrap(), schema, profiles: Vec::new(), tasks: Vec::new() };
    Schema::open(encode(&artifact).bytes).unwrap()
}

fn path(field: &str, field_type: FieldType) -> Path {
    let (hops, targets) = (Vec::new(), Vec::new());
    Path {
        hops,
        object: "order".into(),
        field: field.into(),
        field_type,
        scale: None,
        targets,
        part: Part::Whole,
    }
}

/// A page of orders, the latest first.
fn latest() -> Query {
    let order = |field: &str, field_type, descending| Order { path: path(field, field_type), descending };
    Query {
        object: "order".to_owned(),
        columns: vec![path("id", FieldType::Id), path("placed_on", FieldType::Date)],
        order: vec![order("placed_on", FieldType::Date, true), order("id", FieldType::Id, false)],
        limit: 50,
        ..Query::default()
    }
}

/// All orders whose name has what none has: each of them is looked at.
fn slow() -> Query {
    let condition = Condition {
        path: path("name", FieldType::Text),
        test: Test::Contains("no order has this".to_owned()),
        negated: false,
    };
    Query { all: vec![condition], ..latest() }
}

#[test]
fn every_one_of_ten_thousand_queries_ends_and_the_pool_is_whole_after() {
    const SESSIONS: usize = 100;
    const CALLS: usize = 100;
    let (_folder, path) = orders();
    let source = Arc::new(Sqlite::open(path, &mapping(), &Options::default()).unwrap());
    let (schema, counts) = (schema(), <[AtomicUsize; 4]>::default());
    let [answered, timed_out, cancelled, dropped] = &counts;
    std::thread::scope(|scope| {
        for session in 0..SESSIONS {
            let (schema, source) = (&schema, Arc::clone(&source));
            scope.spawn(move || {
                let of = |time| {
                    let limits = Limits { time, ..Limits::default() };
                    let source: Arc<dyn RecordSource> = source.clone();
                    schema.session(Caller::new()).unwrap().source_within(source, limits)
                };
                let (patient, hasty) = (of(Duration::from_mins(2)), of(Duration::from_millis(5)));
                for call in 0..CALLS {
                    let number = (session * CALLS + call) * 7 % ROWS + 1;
                    let point = json!({"object": "order", "where": [
                        {"field": "id", "op": "eq", "value": format!("o{number:07}")}]});
                    let scan = json!({"object": "order", "where": [
                        {"field": "name", "op": "contains", "value": format!("no {number}")}]});
                    match call % 20 {
                        // One that has no time for what it asks.
                        0 | 10 => {
                            let answer = block_on(hasty.call("query_records", &scan));
                            let answer: Json = serde_json::from_str(answer.as_str()).unwrap();
                            assert!(answer["error"].as_str().unwrap().contains("took longer"), "{answer}");
                            timed_out.fetch_add(1, Ordering::Relaxed);
                        }
                        // One that nobody waits for any more.
                        5 | 15 => {
                            let pause = futures_timer::Delay::new(Duration::from_millis(2));
                            match block_on(select(Box::pin(patient.call("query_records", &scan)), pause)) {
                                Either::Left(_) => answered.fetch_add(1, Ordering::Relaxed),
                                Either::Right(_) => cancelled.fetch_add(1, Ordering::Relaxed),
                            };
                        }
                        // One that is dropped before it is begun.
                        7 => {
                            drop(patient.call("query_records", &point));
                            dropped.fetch_add(1, Ordering::Relaxed);
                        }
                        _ => {
                            let answer = block_on(patient.call("query_records", &point));
                            let answer: Json = serde_json::from_str(answer.as_str()).unwrap();
                            let name = format!("Order Nº {number}");
                            assert_eq!(answer["records"][0]["name"], json!(name), "{answer}");
                            answered.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    let counts = counts.map(AtomicUsize::into_inner);
    assert_eq!(counts.iter().sum::<usize>(), SESSIONS * CALLS, "{counts:?}");
    let [answered, timed_out, cancelled, _] = counts;
    assert!(answered >= 7_000 && timed_out == 1_000 && cancelled > 0, "{counts:?}");

    // What was cancelled last may still be ending.
    let until = std::time::Instant::now() + Duration::from_mins(1);
    while source.pool.idle().0 < 4 && std::time::Instant::now() < until {
        std::thread::yield_now();
    }
    let (permits, idle) = source.pool.idle();
    assert_eq!(permits, 4);
    assert!((1..=4).contains(&idle), "{idle}");
    // And each connection is as good as new.
    let page = block_on(source.fetch(&latest())).unwrap();
    assert_eq!(page.records.len(), 51);
}

#[test]
fn a_slow_query_leaves_its_callers_thread_and_ends_when_nobody_waits() {
    let (_folder, path) = orders();
    let options = Options { connections: 1, ..Options::default() };
    let source = Sqlite::open(path, &mapping(), &options).unwrap();
    let query = slow();
    for _ in 0..3 {
        let mut fetching = source.fetch(&query);
        let waker = futures_util::task::noop_waker();
        let pending = fetching.as_mut().poll(&mut std::task::Context::from_waker(&waker)).is_pending();
        assert!(pending, "a look at {ROWS} records was taken at once");
        drop(fetching);
    }
    // The only connection comes back, though none of the three was waited for.
    assert_eq!(block_on(source.fetch(&latest())).unwrap().records.len(), 51);
    assert_eq!(block_on(source.fetch(&query)).unwrap().records.len(), 0);
}

#[test]
fn nothing_is_prepared_anew_and_a_page_begins_where_an_index_finds_it() {
    let (_folder, path) = orders();
    let database = Connection::open(&path).unwrap();
    // With statistics, a planner is tempted to look at what is bound.
    database.execute_batch("ANALYZE").unwrap();
    let source = Sqlite::open(path, &mapping(), &Options::default()).unwrap();
    let connection_of = |work: &mut dyn FnMut(&Connection)| {
        let lease = block_on(source.pool.lease()).unwrap();
        let done: Result<(), run::Failure> = lease.run(None, &Arc::default(), |connection| {
            work(connection);
            Ok(())
        });
        done.unwrap();
    };
    let last =
        |day: &str, id: &str| Some(vec![Value::Date(day.parse().unwrap()), Value::Text(id.to_owned())]);
    let pages: Vec<Query> = [None, last("2024-01-01", "o0001000"), last("2021-05-05", "o0150000")]
        .into_iter()
        .map(|after| Query { after, ..latest() })
        .collect();
    connection_of(&mut |connection| {
        for query in &pages {
            answer(connection, &source.known.catalog, query, &mut 0, |_| Habit::default()).unwrap();
            let probe = |_: &super::catalog::Kept<'_>| false;
            let places = place::Places { catalog: &source.known.catalog, probe: &probe };
            let statements = statement::Builder::new(&places, query).build().unwrap();
            for (part, sql) in statements.pages.iter().enumerate() {
                let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
                for (at, value) in statements.params.values().iter().take(plan.parameter_count()).enumerate()
                {
                    plan.raw_bind_parameter(at + 1, value).unwrap();
                }
                let mut rows = plan.raw_query();
                let mut steps = Vec::new();
                while let Some(row) = rows.next().unwrap() {
                    steps.push(row.get::<_, String>("detail").unwrap());
                }
                assert!(steps.iter().any(|step| step.contains("orders_placed_on")), "{sql}\n{steps:?}");
                let prepared = connection.prepare_cached(sql).unwrap();
                assert_eq!(prepared.get_status(StatementStatus::RePrepare), 0, "{sql}");
                // The later parts of a page were only asked where the first left room.
                assert!(part > 0 || prepared.get_status(StatementStatus::Run) > 0, "{sql} wasn't run");
            }
        }
    });
}

#[test]
fn what_fails_is_told_to_the_host() {
    let (_folder, path) = orders();
    let source = Sqlite::open(&path, &mapping(), &Options::default()).unwrap();
    let unknown = Query { columns: vec![path_of_nothing()], ..latest() };
    let Err(SourceError::Failed(what)) = block_on(source.fetch(&unknown)) else { panic!("it was answered") };
    assert_eq!(what, format!("{}: there is no column for order.nothing", path.display()));

    // A table that goes away while the database is open.
    Connection::open(&path).unwrap().execute_batch("DROP TABLE orders").unwrap();
    let Err(SourceError::Failed(what)) = block_on(source.fetch(&latest())) else { panic!("it was answered") };
    assert!(what.contains("no such table: orders"), "{what}");
}

fn path_of_nothing() -> Path {
    path("nothing", FieldType::Text)
}

#[test]
fn ranges_are_those_of_the_values_whatever_stands_for_their_ends() {
    // A half cent is between two whole numbers of cents, and a moment between two seconds.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers.db");
    let database = Connection::open(&path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, name REAL);
             INSERT INTO orders (name) VALUES (0.1), (0.1 + 0.2), (0.3), (9007199254740993), (1e300), (-5), (NULL);",
        )
        .unwrap();
    let mapping: Mapping = "[objects.order]\ntable = \"orders\"".parse().unwrap();
    let source = Sqlite::open(&path, &mapping, &Options::default()).unwrap();
    let field = self::path("name", FieldType::Decimal);
    let found = |test: Test| {
        let condition = Condition { path: field.clone(), test, negated: false };
        let order = vec![Order { path: self::path("id", FieldType::Id), descending: false }];
        let query = Query { all: vec![condition], columns: vec![field.clone()], order, ..latest() };
        let page = block_on(source.fetch(&query)).unwrap();
        let text = |value: &Value| match value {
            Value::Number(number) => number.to_plain_string(),
            value => panic!("{value:?}"),
        };
        page.records.iter().map(|record| text(&record[0])).collect::<Vec<_>>()
    };
    let number = |text: &str| Value::Number(text.parse().unwrap());
    assert_eq!(found(Test::OneOf(vec![Match::Exactly(number("0.3"))])), ["0.3"]);
    assert_eq!(found(Test::OneOf(vec![Match::Exactly(number("0.30000000000000001"))])), [""; 0]);
    let above = |text: &str, inclusive| {
        let low = Some(portolan_runtime::query::Bound { value: number(text), inclusive });
        found(Test::Range { low, high: None })
    };
    assert_eq!(above("0.3", false)[..2], ["0.30000000000000004", "9007199254740992"]);
    assert_eq!(above("0.29999999999999999", true)[0], "0.30000000000000004");
    assert_eq!(above("9007199254740993", true).len(), 1, "a binary number is what it is, not what was meant");
}

#[test]
fn what_matches_is_counted_alike_whatever_is_expected() {
    const MOST: u64 = 100;
    let folder = tempfile::tempdir().unwrap();
    for (deletable, gone) in [
        (false, "0"),
        (true, "0"),
        (true, "n % 3 = 0"),
        (true, "n % 70 = 0"),
        (true, "n <= 120"),
        (true, "n > 20"),
        (true, "1"),
    ] {
        for rows in [0_u64, 1, 40, 99, 100, 101, 102, 150, 400] {
            let path = folder.path().join(format!("{deletable} {rows} {}.db", gone.len()));
            let _ = std::fs::remove_file(&path);
            let database = Connection::open(&path).unwrap();
            database
                .execute_batch(&format!(
                    "CREATE TABLE orders (id INTEGER PRIMARY KEY, placed_on TEXT, is_deleted INTEGER) STRICT;
                     WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n <= {rows})
                     INSERT INTO orders (id, is_deleted) SELECT n, {gone} FROM number WHERE n <= {rows};"
                ))
                .unwrap();
            let deleted = if deletable { "deleted = \"is_deleted\"" } else { "" };
            let mapping: Mapping = format!("[objects.order]\ntable = \"orders\"\n{deleted}").parse().unwrap();
            let source = Sqlite::open(&path, &mapping, &Options::default()).unwrap();
            let of_all = |what: &str| -> u64 {
                let sql = format!("SELECT count(*) FROM orders WHERE {what}");
                database.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap().unsigned_abs()
            };
            let (live, gone_rows) = (of_all("NOT is_deleted"), of_all("is_deleted"));
            let query = Query { limit: 10, count_to: Some(MOST), ..latest() };
            // The first answer makes what is expected of the second.
            for time in 0..2 {
                let page = block_on(source.fetch(&query)).unwrap();
                let expected =
                    (Some(live.min(MOST)), Some(gone_rows).filter(|_| !deletable || live + gone_rows < MOST));
                assert_eq!((page.total, page.deleted), expected, "{gone} of {rows} deleted, time {time}");
            }
        }
    }
}

#[test]
fn values_that_are_asked_about_are_found_each_once() {
    let (_folder, path) = orders();
    let source = Sqlite::open(path, &mapping(), &Options::default()).unwrap();
    let found = |field: &str, wanted: &[&str], others: Vec<Condition>| {
        let field = self::path(field, FieldType::Picklist);
        let exactly = |text: &&str| Match::Exactly(Value::Text((*text).to_owned()));
        let test = Test::OneOf(wanted.iter().map(exactly).collect());
        let condition = Condition { path: field.clone(), test, negated: false };
        let all = std::iter::once(condition).chain(others).collect();
        let query = Query {
            object: "order".to_owned(),
            columns: vec![field],
            all,
            limit: wanted.len() - 1,
            distinct: true,
            ..Query::default()
        };
        block_on(source.fetch(&query)).unwrap().records.concat()
    };
    let texts = |texts: &[&str]| texts.iter().map(|text| Value::Text((*text).to_owned())).collect::<Vec<_>>();
    assert_eq!(found("region", &["West"], vec![]), texts(&["West"]));
    assert_eq!(found("region", &["West", "North", "East"], vec![]), texts(&["East", "West"]));
    assert_eq!(found("region", &["west"], vec![]), []);
    // 'West' are the first of three.
    let second = Match::Exactly(Value::Text("o0000002".to_owned()));
    let id = self::path("id", FieldType::Id);
    let only = Condition { path: id, test: Test::OneOf(vec![second]), negated: false };
    assert_eq!(found("region", &["West", "East"], vec![only]), texts(&["East"]));
}
