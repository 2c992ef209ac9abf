//! `portolan list | describe | verify`, as a person and as a program meet them.

use std::process::Command;

use serde_json::Value;

use crate::support::{Org, Run, built, isolated, workspace};

/// A folder with the sample org's artifact.
fn sample() -> Org {
    let org = Org::new(&["replaced below"]);
    for file in ["schema.msgpack", "schema.json", "manifest.json"] {
        org.write(
            &format!("artifacts/{file}"),
            std::fs::read(workspace().join("artifacts").join(file)).unwrap(),
        );
    }
    org
}

fn portolan(org: &Org, arguments: &[&str]) -> Run {
    let mut command: Command = isolated(built("portolan"), &org.path(""));
    Run::of(&command.args(arguments).output().unwrap())
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|problem| panic!("{problem}:\n{}", run.out))
}

#[test]
fn a_program_gets_what_a_model_gets() {
    let org = sample();
    let list = portolan(&org, &["list", "--profile", "rep"]);
    list.expect(0, &[]);
    assert_eq!(json(&list)["count"], 24);
    let found = portolan(&org, &["list", "order", "--profile", "rep"]);
    assert_eq!(json(&found)["objects"], serde_json::json!({"order": "Order", "order_line": "Order Line"}));
    let one = portolan(&org, &["describe", "territory", "--profile", "rep"]);
    one.expect(0, &[]);
    assert_eq!(json(&one)["objects"]["territory"]["label"], "Territory");
    portolan(&org, &["list", "weather", "--profile", "rep"]).expect(1, &["\"count\":0"]);
}

#[test]
fn a_wide_object_is_an_answer_a_line() {
    let org = sample();
    let run = portolan(&org, &["describe", "account", "--profile", "rep"]);
    run.expect(0, &[]);
    let parts: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let named = |part: &Value| part["objects"]["account"]["part"].as_str().unwrap().to_owned();
    assert_eq!(parts.iter().map(named).collect::<Vec<_>>(), ["1 of 3", "2 of 3", "3 of 3"]);
}

#[test]
fn a_person_gets_tables() {
    let org = sample();
    let list = portolan(&org, &["list", "order", "--profile", "rep", "--table"]);
    list.expect(0, &["order_line  Order Line", "2 of 24 objects"]);
    let run = portolan(&org, &["describe", "account", "territory", "--profile", "rep", "--table"]);
    run.expect(0, &["account (Account): 232 fields", "-> queue, user", "territory (Territory): 39 fields"]);
    let rows = run.out.lines().filter(|line| line.starts_with(' ') && !line.contains(" field ")).count();
    assert_eq!(rows, 232 + 39, "every field of every part has its row:\n{}", run.out);
    assert!(run.out.contains("referenced by "));
    portolan(
        &org,
        &["describe", "order", "--field-search", "customer reference", "--profile", "rep", "--table"],
    )
    .expect(0, &["po_number"]);
}

#[test]
fn what_is_not_there_is_a_finding_with_the_nearest() {
    let org = sample();
    let run = portolan(&org, &["describe", "ordr", "territory", "--profile", "rep", "--table"]);
    run.expect(
        1,
        &["error: there is no object 'ordr'; did you mean 'order' or 'order_line'?", "territory (Territory)"],
    );
    // What the profile doesn't see is not there either.
    portolan(&org, &["describe", "opportunity", "--profile", "rep"])
        .expect(1, &["there is no object 'opportunity'"]);
}

#[test]
fn without_a_profile_or_an_artifact_nothing_is_shown() {
    let org = sample();
    portolan(&org, &["list"]).expect(2, &["add --profile rep"]);
    portolan(&org, &["list", "--profile", "boss"]).expect(2, &["no profile 'boss'; it declares rep"]);
    portolan(&org, &["list", "--artifact", "nothing.msgpack"])
        .expect(2, &["nothing.msgpack can't be opened", "portolan build-schema"]);
    portolan(&org, &["list", "--artifact", "allowlist.toml"]).expect(2, &["this is no Portolan artifact"]);
}

#[test]
fn verify_finds_damage_and_foreign_companions() {
    let org = sample();
    let good = portolan(&org, &["verify"]);
    good.expect(0, &[]);
    let report = json(&good);
    assert_eq!((&report["objects"], &report["fields"]), (&85.into(), &3482.into()));
    assert_eq!(report["problems"], serde_json::json!([]));
    portolan(&org, &["verify", "--table"]).expect(0, &["version", "profiles", "rep"]);

    let json_file = String::from_utf8(org.read("artifacts/schema.json")).unwrap();
    org.write("artifacts/schema.json", json_file.replace('\n', "\r\n"));
    portolan(&org, &["verify"]).expect(0, &[]);
    org.write("artifacts/schema.json", json_file.replace("Territory", "Terrain"));
    portolan(&org, &["verify"])
        .expect(1, &["schema.json beside it is not this artifact's", "portolan build-schema"]);

    let mut bytes = org.read("artifacts/schema.msgpack");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    org.write("artifacts/schema.msgpack", bytes);
    portolan(&org, &["verify"]).expect(1, &["is damaged"]);
    portolan(&org, &["verify", "--artifact", "nothing"]).expect(2, &["can't be opened"]);
}
