//! Inputs and surroundings that mean harm, or look as if they did: each of these once did some.

use std::fs;
use std::process::Stdio;

use crate::support::{Org, Run, has, native};

/// A folder with an extract of one object, `a.json`.
fn simple() -> Org {
    let org = Org::new(&["account"]);
    org.write("a.json", native(&[("account", &[r#""name": "id", "type": "id""#])]));
    org
}

#[test]
fn a_temporary_name_is_never_written_through() {
    // A checkout may hold a link where a build puts its temporary file.
    let org = simple();
    org.write("victim", "mine");
    fs::create_dir_all(org.path("artifacts")).unwrap();
    std::os::unix::fs::symlink("../victim", org.path("artifacts/.schema.json.tmp")).unwrap();
    org.run(&["a.json"]).expect(0, &[]);
    assert_eq!(org.read("victim"), b"mine");
    assert!(org.path("artifacts/schema.json").symlink_metadata().unwrap().is_file());
}

#[test]
fn a_folder_in_a_files_place_leaves_everything_as_it_was() {
    let org = simple();
    fs::create_dir_all(org.path("artifacts/manifest.json")).unwrap();
    org.run(&["a.json"]).expect(2, &["can't write artifacts/manifest.json"]);
    assert_eq!(org.names("artifacts"), ["manifest.json"]);
}

#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    let org = simple();
    for arguments in [&["a.json"][..], &["a.json", "--check"]] {
        let mut child = org.command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn pipes_and_devices_are_not_waited_for() {
    let org = simple();
    org.write("extract/a.json", org.read("a.json"));
    if !has("mkfifo", &[org.path("extract/pipe.json").to_str().unwrap()]) {
        return;
    }
    org.run(&["extract"]).expect(0, &["neither a file nor a folder"]);
    org.run(&["extract/pipe.json"]).expect(2, &["it is neither a file nor a folder"]);
    org.run(&["/dev/null"]).expect(2, &["it is neither a file nor a folder"]);
}

#[test]
fn the_order_and_spelling_of_extracts_changes_no_byte() {
    let org = Org::new(&["account", "contact"]);
    org.write("in/a.json", native(&[("account", &[r#""name": "id", "type": "id""#])]));
    org.write("in/b.json", native(&[("contact", &[r#""name": "id", "type": "id""#])]));
    org.run(&["in/a.json", "in/b.json"]).expect(0, &[]);
    org.run(&["in/b.json", "in/a.json", "--check"]).expect(0, &[]);
    org.run(&["in"]).expect(0, &[]);
    org.run(&["./in/", "--check"]).expect(0, &[]);
    org.run(&[org.path("in").to_str().unwrap(), "--check"]).expect(0, &[]);
    let inside = org
        .command(&[".", "--allowlist", "../allowlist.toml", "--blocklist", "../blocklist.toml"])
        .args(["--out", "../artifacts", "--check"])
        .current_dir(org.path("in"))
        .output()
        .unwrap();
    Run::of(&inside).expect(0, &[]);
}

#[test]
fn an_ancestor_called_objects_changes_nothing() {
    let org = Org::new(&["Account"]);
    let object = "<CustomObject><fields><fullName>Name</fullName><type>Text</type></fields></CustomObject>";
    org.write("objects/pkg/src/objects/Account.object", object);
    org.run(&["objects/pkg/src"]).expect(0, &[]);
    let absolute = org.path("objects/pkg/src");
    org.run(&[absolute.to_str().unwrap(), "--check"]).expect(0, &[]);
    org.run(&["objects"]).expect(0, &[]);
}

#[test]
fn a_colon_in_a_path_hides_no_fault() {
    let org = simple();
    org.write("a:b/bad.json", r#"{ "no": "metadata" }"#);
    org.run(&["a.json", "a:b/bad.json"]).expect(2, &["no known form of an object's metadata"]);
}

#[test]
fn names_move_no_cursor() {
    let org = Org::new(&["account"]);
    let evil = r"evil\u001b]0;pwned\u0007\u001b[2J\nfake line\u202e";
    let field = format!(r#""name": "to", "type": "reference", "references": ["{evil}"]"#);
    org.write("a.json", native(&[("account", &[&field])]));
    let run = org.run(&["a.json"]);
    run.expect(0, &["evil"]);
    assert!(
        !run.out.contains(['\u{1b}', '\u{7}', '\u{202e}']) && !run.out.contains("\nfake line"),
        "{}",
        run.out
    );
}

#[test]
fn what_the_blocklist_blocks_is_no_advice() {
    let org = Org::new(&["account"]);
    org.write("blocklist.toml", "[objects]\npatterns = [\"Secret*\"]\n");
    let field = r#""name": "to", "type": "reference", "references": ["SecretPay", "open"]"#;
    let id = r#""name": "id", "type": "id""#;
    org.write("a.json", native(&[("account", &[field]), ("SecretPay", &[id]), ("open", &[id])]));
    let run = org.run(&["a.json"]);
    run.expect(0, &["adding `open` would restore"]);
    assert!(!run.out.contains("SecretPay"), "{}", run.out);
    assert!(!String::from_utf8(org.read("artifacts/manifest.json")).unwrap().contains("SecretPay"));
}

#[test]
fn a_list_without_end_costs_no_memory() {
    let org = Org::new(&["account"]);
    let fields = r#"{"type":"id"},"#.repeat(400_000);
    org.write(
        "a.json",
        format!(
            r#"{{"format":"portolan-extract/1","objects":[{{"name":"account","fields":[{fields}{{}}]}}]}}"#
        ),
    );
    org.run(&["a.json"]).expect(2, &["a list of more than 10000 elements"]);
    org.write("a.json", format!(r#"{{"name":"account","fields":[{fields}{{}}]}}"#));
    org.run(&["a.json"]).expect(2, &["a list of more than 10000 elements"]);
}

#[test]
fn a_key_with_escapes_loses_no_object() {
    let org = simple();
    let hidden = native(&[("contact", &[])]).replace("\"objects\"", r#""objec\u0074s""#);
    org.write("b.json", hidden);
    org.run(&["a.json", "b.json"]).expect(2, &["written with escapes"]);
}

#[test]
fn a_pattern_that_could_not_match_is_an_error() {
    let org = simple();
    org.write("blocklist.toml", "[fields]\npatterns = [\"caf[éè]\"]\n");
    org.run(&["a.json"]).expect(2, &["may name ASCII characters only", "{é,è} instead of [éè]"]);
}
