//! `portolan query`, as a person and as a program meet it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{Org, Run, built, isolated, workspace};

/// A folder with the sample org's artifact, and a database with some of its accounts.
fn sample() -> Org {
    let org = Org::new(&["replaced below"]);
    org.write(
        "artifacts/schema.msgpack",
        std::fs::read(workspace().join("artifacts/schema.msgpack")).unwrap(),
    );
    let database = Connection::open(org.path("crm.db")).unwrap();
    database
        .execute_batch(
            "CREATE TABLE account (id TEXT PRIMARY KEY, name TEXT, owner TEXT, owner_type TEXT, gone INTEGER);
             CREATE TABLE user (id TEXT PRIMARY KEY, name TEXT);
             CREATE TABLE \"order\" (id TEXT PRIMARY KEY, name TEXT, owner TEXT, owner_type TEXT);
             INSERT INTO user VALUES ('u1', 'Dana Whitfield');
             INSERT INTO account VALUES ('a1', 'Acme' || char(27) || '[31m', 'u1', 'user', 0),
                 ('a2', 'Zeta', NULL, NULL, 0), ('a3', 'Gone', NULL, NULL, 1);
             INSERT INTO \"order\" VALUES ('o1', 'First', 'u1', 'user'), ('o2', 'Second', 'u2', 'user');",
        )
        .unwrap();
    org.write("source.toml", "[defaults]\ndeleted = \"gone\"\nobject-column = \"{field}_type\"\n");
    org
}

fn query(org: &Org, arguments: &Value, more: &[&str]) -> Run {
    let mut command: Command = isolated(built("portolan"), &org.path(""));
    command.args(["query", &arguments.to_string(), "--profile", "rep"]).args(more);
    Run::of(&command.output().unwrap())
}

const SOURCE: [&str; 2] = ["--source", "sqlite:crm.db"];

#[test]
fn a_program_gets_what_a_model_gets_and_a_person_a_table() {
    let org = sample();
    let arguments = json!({"object": "account", "fields": ["name", "owner"]});
    let run = query(&org, &arguments, &SOURCE);
    run.expect(0, &[]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        answer["records"][0]["owner"],
        json!({"id": "u1", "name": "Dana Whitfield", "object": "user"})
    );
    assert_eq!(answer["excluded"], json!({"deleted": 1}));
    let run = query(&org, &arguments, &[&SOURCE[..], &["--table"]].concat());
    run.expect(0, &["Dana Whitfield (u1)", "2 of 2 records", "left out: deleted: 1"]);
    assert!(!run.out.contains('\u{1b}'), "an escape reached the terminal: {:?}", run.out);
}

#[test]
fn row_rules_are_of_whoever_asks() {
    let org = sample();
    let orders = json!({"object": "order", "fields": ["id"]});
    for (who, total) in [(&[][..], 0), (&["--caller-id", "u1"][..], 1), (&["--caller", "id=u2"][..], 1)] {
        let run = query(&org, &orders, &[&SOURCE[..], who].concat());
        run.expect(0, &[&format!("\"total\":{total}")]);
    }
    query(&org, &orders, &[&SOURCE[..], &["--caller", "id"]].concat()).expect(2, &["NAME=VALUE"]);
}

#[test]
fn arguments_come_from_standard_input_too() {
    let org = sample();
    let mut command: Command = isolated(built("portolan"), &org.path(""));
    command.args(["query", "-", "--profile", "rep"]).args(SOURCE);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(br#"{"object": "account", "limit": 1}"#).unwrap();
    Run::of(&child.wait_with_output().unwrap()).expect(0, &["\"returned\":1"]);
}

#[test]
fn what_is_wrong_has_its_exit_code() {
    let org = sample();
    let accounts = json!({"object": "account"});
    query(&org, &json!({"object": "acount"}), &SOURCE).expect(
        1,
        &["error: 1 problem; nothing was queried.", "object: unknown object 'acount'; use account"],
    );
    query(&org, &accounts, &["--source", "sqlite:missing.db"]).expect(2, &["missing.db", "No such file"]);
    query(&org, &accounts, &["--source", "mysql://crm"])
        .expect(2, &["'mysql://crm' is no source: there is sqlite:PATH"]);
    org.write("wrong.toml", "[objects.account]\ntabel = \"accounts\"\n");
    query(&org, &accounts, &[&SOURCE[..], &["--mapping", "wrong.toml"]].concat())
        .expect(2, &["wrong.toml: line 2, column 1: unknown field `tabel`"]);
    org.write("other.toml", "[objects.account]\ntable = \"accounts\"\n");
    query(&org, &accounts, &[&SOURCE[..], &["--mapping", "other.toml"]].concat())
        .expect(2, &["[objects.account]: there is no table or view 'accounts' (there is account)"]);
    query(&org, &json!("not an object"), &SOURCE).expect(1, &["the arguments are a JSON object"]);
    let mut command: Command = isolated(built("portolan"), &org.path(""));
    command.args(["query", "{object: account}", "--profile", "rep"]).args(SOURCE);
    Run::of(&command.output().unwrap()).expect(2, &["the arguments are no JSON"]);

    // Another process has the database for itself; what the host hears of it is no model's business.
    let writer = Connection::open(org.path("crm.db")).unwrap();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    query(&org, &accounts, &SOURCE).expect(2, &["another process keeps the database locked"]);
}
