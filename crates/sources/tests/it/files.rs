//! Database files that can't be opened, or not as they are, and ones that only look as if they couldn't.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_executor::block_on;
use portolan_runtime::{Caller, Limits, Schema, Session};
use portolan_schema::artifact::{Artifact, encode};
use portolan_schema::{ClosedSchema, Field, FieldType, Object};
use portolan_sources::Mapping;
use portolan_sources::sqlite::{Options, Sqlite};
use rusqlite::Connection;
use serde_json::{Value, json};

fn mapping(text: &str) -> Mapping {
    text.parse().unwrap()
}

/// Why a database can't be opened; the folder that it is in is left out.
fn refusal(path: &Path, mapping: &Mapping) -> String {
    let problem = Sqlite::open(path, mapping, &Options::default()).unwrap_err().to_string();
    let folder = path.parent().unwrap().display().to_string();
    problem.replace(&format!("{folder}/"), "")
}

fn schema() -> Schema {
    let field = |name: &str, field_type| Field { label: name.to_owned(), ..Field::new(name, field_type) };
    let object = |name: &str| Object {
        name: name.to_owned(),
        label: name.to_owned(),
        queryable: true,
        id_field: Some("id".to_owned()),
        name_field: Some("name".to_owned()),
        fields: vec![
            field("id", FieldType::Id),
            field("name", FieldType::Text),
            field("margin", FieldType::Decimal),
        ],
        ..Object::default()
    };
    let schema = ClosedSchema::new(vec![object("account"), object("order")]).unwrap();
    let (profiles, tasks) = (Vec::new(), Vec::new());
    let artifact = Artifact { version: "1.0.0".parse().unwrap(), schema, profiles, tasks };
    Schema::open(encode(&artifact).bytes).unwrap()
}

fn session(source: Sqlite) -> Session {
    schema().session(Caller::new()).unwrap().source(Arc::new(source))
}

fn ask(session: &Session, arguments: &Value) -> Value {
    serde_json::from_str(block_on(session.call("query_records", arguments)).as_str()).unwrap()
}

fn accounts(path: &Path) -> Connection {
    let database = Connection::open(path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE account (id INTEGER PRIMARY KEY, name TEXT);
             INSERT INTO account (name) VALUES ('Acme'), ('Zeta');",
        )
        .unwrap();
    database
}

#[test]
fn what_is_no_database_is_said_to_be_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let plain = Mapping::default();
    assert_eq!(refusal(&at("missing.db"), &plain), "missing.db: No such file or directory (os error 2)");
    fs::create_dir(at("folder.db")).unwrap();
    assert_eq!(refusal(&at("folder.db"), &plain), "folder.db: it is a folder, and no database file");
    fs::write(at("text.db"), "name,amount\n".repeat(1_000)).unwrap();
    assert_eq!(
        refusal(&at("text.db"), &plain),
        "text.db: this is no SQLite database, or an encrypted one (file is not a database)"
    );
    fs::write(at("empty.db"), "").unwrap();
    assert_eq!(refusal(&at("empty.db"), &plain), "empty.db: there are no tables in it");

    accounts(&at("whole.db")).execute_batch("VACUUM").unwrap();
    let mut bytes = fs::read(at("whole.db")).unwrap();
    bytes[100..200].fill(0xff);
    fs::write(at("corrupt.db"), &bytes).unwrap();
    assert_eq!(
        refusal(&at("corrupt.db"), &plain),
        "corrupt.db: the database is corrupt: restore it, or run `.recover` of the sqlite3 shell (database disk image \
         is malformed)"
    );
}

#[test]
fn all_that_the_mapping_names_and_the_database_has_not_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crm.db");
    accounts(&path);
    let mapping = mapping(
        "[objects.account]\ndeleted = \"gone\"\n[objects.account.fields]\nname = \"nmae\"\nmargin = { kept = false }\n\
         owner = { column = \"id\", object-column = \"owner_type\" }\n[objects.order]\ntable = \"acount\"",
    );
    assert_eq!(
        refusal(&path, &mapping),
        "crm.db: [objects.account] deleted: 'account' has no column 'gone'\n  \
         [objects.account.fields] name: 'account' has no column 'nmae' (there is name)\n  \
         [objects.account.fields] owner, object-column: 'account' has no column 'owner_type'\n  \
         [objects.order]: there is no table or view 'acount' (there is account)"
    );
}

#[test]
fn what_a_database_has_not_is_told_to_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crm.db");
    accounts(&path);
    let session = session(Sqlite::open(&path, &Mapping::default(), &Options::default()).unwrap());
    assert_eq!(
        ask(&session, &json!({"object": "order"}))["problems"],
        json!([{
            "at": "object",
            "problem": "records of order can't be read here",
            "next": "ask for records of another object, or say that these can't be read",
        }])
    );
    assert_eq!(
        ask(&session, &json!({"object": "account", "fields": ["margin"]}))["problems"],
        json!([{
            "at": "fields[0]",
            "problem": "'margin' of account isn't kept with the records, and can't be read",
            "next": "leave it out, and say that it can't be read",
        }])
    );
    // What isn't named is what there is.
    assert_eq!(
        ask(&session, &json!({"object": "account"}))["records"][0],
        json!({"id": "1", "name": "Acme"})
    );
}

#[test]
fn a_locked_database_is_waited_for_and_then_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crm.db");
    let writer = accounts(&path);
    let source = Sqlite::open(&path, &Mapping::default(), &Options::default()).unwrap();
    let limits = Limits { time: Duration::from_millis(300), ..Limits::default() };
    let session = schema().session(Caller::new()).unwrap().source_within(Arc::new(source), limits);
    let ask_accounts = || ask(&session, &json!({"object": "account"}));

    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(
        ask_accounts()["error"],
        "The query took longer than it may, and was stopped. Narrow it with where, or ask for less."
    );
    // The lock goes while a query waits for it.
    std::thread::scope(|scope| {
        let waiting = scope.spawn(ask_accounts);
        std::thread::sleep(Duration::from_millis(50));
        writer.execute_batch("COMMIT").unwrap();
        assert_eq!(waiting.join().unwrap()["total"], 2);
    });
}

#[test]
fn what_is_written_meanwhile_is_seen_unless_the_file_is_immutable() {
    let folder = tempfile::tempdir().unwrap();
    // Signs that mean something in a URI mean nothing in a path.
    let path = folder.path().join("a b?mode=rw&c#d%41é.db");
    let writer = accounts(&path);
    writer.execute_batch("PRAGMA journal_mode = WAL").unwrap();
    let open = |immutable| {
        let options = Options { immutable, ..Options::default() };
        session(Sqlite::open(&path, &Mapping::default(), &options).unwrap())
    };
    let live = open(false);
    assert_eq!(ask(&live, &json!({"object": "account"}))["total"], 2);
    writer.execute_batch("INSERT INTO account (name) VALUES ('New')").unwrap();
    assert_eq!(ask(&live, &json!({"object": "account"}))["total"], 3);
    // What is only in the log isn't in the file.
    writer
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO account (name) VALUES ('Newer')")
        .unwrap();
    assert_eq!(ask(&open(true), &json!({"object": "account"}))["total"], 3);
    assert_eq!(ask(&live, &json!({"object": "account"}))["total"], 4);
}

#[test]
fn texts_are_in_the_order_of_their_characters_in_a_database_of_utf_16_too() {
    let folder = tempfile::tempdir().unwrap();
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        let path = folder.path().join(encoding);
        let database = Connection::open(&path).unwrap();
        database.execute_batch(&format!("PRAGMA encoding = '{encoding}'")).unwrap();
        database
            .execute_batch(
                "CREATE TABLE account (id TEXT PRIMARY KEY, name TEXT COLLATE NOCASE, margin);
                 CREATE INDEX by_name ON account (name);
                 INSERT INTO account VALUES ('1', 'ａ', '2152.00'), ('2', 'é', x'323135322e30'), ('3', 'b', 2152),
                     ('4', 'B', '0x10'), ('5', '😀', NULL), ('6', x'42', ''), ('7', 'Zoë', 12.5);",
            )
            .unwrap();
        let session = session(Sqlite::open(&path, &Mapping::default(), &Options::default()).unwrap());
        let found = |arguments: Value| {
            let answer = ask(&session, &arguments);
            let records = answer["records"].as_array().unwrap_or_else(|| panic!("{answer}"));
            records.iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect::<String>()
        };
        let all = json!({"object": "account", "order_by": ["name"]});
        assert_eq!(found(all.clone()), "4673215", "{encoding}");
        let mut paged = String::new();
        let mut page = json!({"object": "account", "order_by": ["name"], "limit": 2});
        loop {
            paged += &found(page.clone());
            match ask(&session, &page)["cursor"].as_str() {
                Some(cursor) => page["cursor"] = json!(cursor),
                None => break,
            }
        }
        assert_eq!(paged, "4673215", "{encoding}");
        let by = |op: &str, value: &str, field: &str| {
            found(json!({"object": "account", "where": [{"field": field, "op": op, "value": value}]}))
        };
        assert_eq!(by("eq", "B", "name"), "46", "{encoding}");
        assert_eq!(by("contains", "ZOE", "name"), "7", "{encoding}");
        assert_eq!(by("eq", "2152", "margin"), "123", "{encoding}");
        assert_eq!(by("is_null", "", "margin"), "456", "{encoding}");
        let answer = ask(&session, &all);
        assert_eq!(
            answer["notes"],
            json!(["Some values of margin can't be read as decimal; they are null here."])
        );
    }
}

#[test]
fn odd_tables_are_read_as_what_they_mean() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.db");
    let database = Connection::open(&path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE base (id INT, name, margin, extra AS (name || '!'));
             INSERT INTO base VALUES (1, 'a' || char(0) || 'b', '1e999'), (2, x'ff', 9223372036854775807),
                 (3, 'c', -9.0e999), (4, 'd', '-0.0'), (NULL, 'nobody', 1), ('', 'nobody', 1), (5, 'e', '1e400'),
                 ('six', 'f', '+1.50'), (7, 'g', 0), (8, CAST(x'c328' AS TEXT), '९');
             CREATE VIEW account AS SELECT id, name, margin FROM base;
             CREATE VIEW broken AS SELECT * FROM gone;
             CREATE VIEW \"order\" AS SELECT * FROM nowhere;",
        )
        .unwrap();
    let session = session(Sqlite::open(&path, &Mapping::default(), &Options::default()).unwrap());
    let mut ids = Vec::new();
    let mut page =
        json!({"object": "account", "fields": ["id", "margin"], "order_by": ["margin desc"], "limit": 2});
    for _ in 0..20 {
        let answer = ask(&session, &page);
        for record in answer["records"].as_array().unwrap_or_else(|| panic!("{answer}")) {
            ids.push(record["id"].as_str().unwrap().to_owned());
        }
        match answer["cursor"].as_str() {
            Some(cursor) => page["cursor"] = json!(cursor),
            None => break,
        }
    }
    assert_eq!(ids[..2], ["2", "six"], "the greatest first: {ids:?}");
    let unreadable = ["1", "3", "5", "8"];
    assert!(ids.ends_with(&unreadable.map(str::to_owned)), "what is no number comes last: {ids:?}");
    ids.sort();
    ids.dedup();
    assert_eq!(
        ids.len(),
        8,
        "a record was lost or came twice, or something without an identifier came: {ids:?}"
    );
    assert!(ask(&session, &json!({"object": "order"}))["error"].is_string());

    // A cursor that was tampered with is refused, or is one of a page that could be asked for.
    let first = json!({"object": "account", "fields": ["id"], "order_by": ["name"], "limit": 3});
    let cursor = ask(&session, &first)["cursor"].as_str().unwrap().to_owned();
    for at in 0..cursor.len() {
        for letter in ["A", "_", "9", "é"] {
            let mut forged = first.clone();
            forged["cursor"] = json!(format!("{}{letter}{}", &cursor[..at], &cursor[at + 1..]));
            let answer = ask(&session, &forged);
            assert!(answer["problems"].is_array() || answer["records"].is_array(), "{forged}: {answer}");
        }
    }
}

#[test]
fn a_database_that_changes_under_a_session_is_seen_as_it_is_then() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crm.db");
    let writer = accounts(&path);
    let session = session(Sqlite::open(&path, &Mapping::default(), &Options::default()).unwrap());
    let total = || ask(&session, &json!({"object": "account"}))["total"].clone();
    assert_eq!(total(), 2);
    writer
        .execute_batch(
            "CREATE INDEX by_name ON account (name); VACUUM; INSERT INTO account (name) VALUES ('New')",
        )
        .unwrap();
    assert_eq!(total(), 3);
    writer.execute_batch("ALTER TABLE account RENAME TO accounts").unwrap();
    let answer = block_on(session.call("query_records", &json!({"object": "account"})));
    assert!(answer.cause().is_some_and(|cause| cause.contains("no such table")), "{answer}");
    assert!(!answer.as_str().contains("table"), "a model learns nothing of the database: {answer}");
    writer.execute_batch("ALTER TABLE accounts RENAME TO account").unwrap();
    assert_eq!(total(), 3);
}
