//! The binary passes its arguments on and ends with the command's exit code; what the command does is
//! tested in the workspace's `tests/`.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

use std::fs;
use std::process::{Command, Output};

fn portolan(folder: &std::path::Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portolan")).current_dir(folder).args(arguments).output().unwrap()
}

#[test]
fn a_schema_is_built_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fields = r#"[{ "name": "id", "type": "id" }]"#;
    let extract =
        format!(r#"{{ "format": "portolan-extract/1", "object": {{ "name": "a", "fields": {fields} }} }}"#);
    fs::write(folder.join("a.json"), extract).unwrap();
    fs::write(folder.join("allowlist.toml"), "extract = [\"a.json\"]\nobjects = [\"a\"]\n").unwrap();
    fs::write(folder.join("blocklist.toml"), "").unwrap();
    assert_eq!(portolan(folder, &["build-schema", "--check"]).status.code(), Some(1));
    assert_eq!(portolan(folder, &["build-schema"]).status.code(), Some(0));
    assert_eq!(portolan(folder, &["build-schema", "--check"]).status.code(), Some(0));
    let wrong = portolan(folder, &["build-schema", "--check", "b.json"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("the extract 'b.json' can't be read"));
}
