//! What happens to the files of an artifact: written whole or not at all, the same bytes each time,
//! and `--check` tells what is stale.

use std::fs;
use std::process::Command;

use crate::support::{Org, Run, has, isolated, native, skipped, xtask};

const FILES: [&str; 3] = ["manifest.json", "schema.json", "schema.msgpack"];

/// A folder with an extract of two objects, wide enough that the files differ in size.
fn org() -> Org {
    let fields: Vec<String> =
        (0..60).map(|at| format!(r#""name": "field_{at}", "label": "Field {at}", "type": "text""#)).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let org = Org::new(&["account"]);
    org.write("extract.json", native(&[("account", &fields), ("contact", &fields)]));
    org
}

fn build(org: &Org) -> Run {
    org.run(&["extract.json"])
}

fn check(org: &Org) -> Run {
    org.run(&["extract.json", "--check"])
}

/// The files of `artifacts/`, hidden ones included.
fn contents(org: &Org) -> Vec<(String, Vec<u8>)> {
    org.names("artifacts")
        .into_iter()
        .map(|name| (name.clone(), org.read(&format!("artifacts/{name}"))))
        .collect()
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    let org = org();
    build(&org).expect(0, &["written to artifacts"]);
    let first = contents(&org);
    assert_eq!(first.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), FILES);
    build(&org).expect(0, &[]);
    assert!(first == contents(&org), "a second build differs");
    fs::remove_dir_all(org.path("artifacts")).unwrap();
    build(&org).expect(0, &[]);
    assert!(first == contents(&org), "a build from nothing differs");

    // Neither does the place: not of the extract, not of the output, not of the command.
    let elsewhere = self::org();
    let absolute = elsewhere.path("extract.json");
    elsewhere.run(&[absolute.as_os_str(), "--out".as_ref(), "deep/er/artifacts".as_ref()]).expect(0, &[]);
    for (name, bytes) in &first {
        assert!(*bytes == elsewhere.read(&format!("deep/er/artifacts/{name}")), "{name} depends on paths");
    }
}

#[test]
fn a_folder_is_the_same_however_it_is_written() {
    let org = org();
    let fields: &[&str] = &[r#""name": "id", "type": "id""#];
    org.write("extract/account.json", native(&[("account", fields)]));
    org.write("extract/deep/contact.json", native(&[("contact", fields)]));
    org.run(&["extract"]).expect(0, &[]);
    let absolute = org.path("extract");
    for folder in ["extract/", "./extract", "extract/.", absolute.to_str().unwrap(), "deep/../extract"] {
        fs::create_dir_all(org.path("deep")).unwrap();
        org.run(&[folder, "--check"]).expect(0, &["artifacts is current"]);
    }
}

#[test]
fn check_tells_what_is_stale_and_writes_nothing() {
    let org = org();
    check(&org)
        .expect(1, &["schema.msgpack is stale: it is not there", "run the same command without --check"]);
    assert!(!org.path("artifacts").exists(), "--check made a folder");
    build(&org).expect(0, &[]);
    let built = contents(&org);
    check(&org).expect(0, &["artifacts is current"]);

    org.allow(&["account", "contact"]);
    let stale = FILES.map(|file| format!("artifacts/{file} is stale"));
    let stale: Vec<&str> = stale.iter().map(String::as_str).chain(["without --check"]).collect();
    check(&org).expect(1, &stale);
    assert!(built == contents(&org), "--check wrote");
}

#[test]
fn faulty_inputs_are_no_finding_of_a_check() {
    let org = org();
    build(&org).expect(0, &[]);
    org.write("extract.json", "{");
    check(&org).expect(2, &["nothing was written"]);
}

#[test]
fn line_ends_that_a_checkout_changed_are_not_stale() {
    let org = org();
    build(&org).expect(0, &[]);
    for file in ["schema.json", "manifest.json"] {
        let path = format!("artifacts/{file}");
        let text = String::from_utf8(org.read(&path)).unwrap();
        org.write(&path, text.replace('\n', "\r\n"));
    }
    let allowlist = String::from_utf8(org.read("allowlist.toml")).unwrap();
    org.write("allowlist.toml", allowlist.replace('\n', "\r\n"));
    check(&org).expect(0, &["artifacts is current"]);
}

#[test]
fn a_companion_of_another_build_is_stale() {
    for file in ["schema.json", "manifest.json"] {
        let org = org();
        let path = format!("artifacts/{file}");
        build(&org).expect(0, &[]);
        let old = org.read(&path);
        org.allow(&["account", "contact"]);
        build(&org).expect(0, &[]);
        org.write(&path, old);
        let run = check(&org);
        run.expect(1, &[&format!("{path} is stale")]);
        assert!(!run.out.contains("schema.msgpack is stale"), "the artifact is not:\n{}", run.out);
        build(&org).expect(0, &[]);
        check(&org).expect(0, &[]);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_a_fault() {
    let org = org();
    org.run(&["extract.json", "--out", "blocklist.toml/below"]).expect(2, &["can't write", "blocklist.toml"]);
    org.run(&["extract.json", "--out", "blocklist.toml"]).expect(2, &["can't write", "blocklist.toml"]);
    assert_eq!(org.read("blocklist.toml"), b"", "the file in the way was changed");
    org.write("artifacts/schema.json/in/the/way", "");
    build(&org).expect(2, &["can't write", "schema.json"]);
    assert_eq!(org.names("artifacts"), ["schema.json"], "files were left behind");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_stays_as_it_was() {
    use std::os::unix::fs::PermissionsExt as _;
    let org = org();
    build(&org).expect(0, &[]);
    let built = contents(&org);
    org.allow(&["account", "contact"]);
    let mode =
        |path: &str, mode| fs::set_permissions(org.path(path), fs::Permissions::from_mode(mode)).unwrap();
    mode("", 0o755);
    mode("artifacts", 0o555);
    let mut command = org.command(&["extract.json"]);
    // Permissions don't hold for root, who has to become somebody else.
    if fs::write(org.path("artifacts/probe"), "").is_ok() {
        fs::remove_file(org.path("artifacts/probe")).unwrap();
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
        let xtask = xtask().to_str().unwrap();
        if !has("setpriv", &[&nobody[..], &[xtask, "--help"]].concat()) {
            return mode("artifacts", 0o755);
        }
        command = isolated("setpriv", &org.path(""));
        command.args(nobody).args([xtask, "build-schema", "extract.json"]);
    }
    let run = Run::of(&command.output().unwrap());
    mode("artifacts", 0o755);
    run.expect(2, &["can't write", "Permission denied"]);
    assert!(built == contents(&org), "files changed, or were left behind");
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    // A file may not grow past so many blocks of 512 bytes, and the write that would fails: to the
    // program the same as a disk that is full.
    let limited =
        |blocks: usize| ["-c".to_owned(), format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")];
    let mut failed = 0;
    for blocks in [0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 32, 64] {
        let org = org();
        build(&org).expect(0, &[]);
        let built = contents(&org);
        org.allow(&["account", "contact"]);
        let mut command = isolated("sh", &org.path(""));
        command.args(limited(blocks)).arg(xtask()).args(["build-schema", "extract.json"]);
        let Ok(output) = command.output() else { return skipped("there is no sh") };
        let run = Run::of(&output);
        if run.code == Some(0) {
            check(&org).expect(0, &[]);
            continue;
        }
        failed += 1;
        run.expect(2, &["can't write", "File too large"]);
        assert!(built == contents(&org), "with {blocks} blocks: files changed, or were left behind");
    }
    assert!(failed > 2, "the limit never held");
}

#[test]
fn a_first_build_that_fails_leaves_no_files() {
    let org = org();
    let mut command = isolated("sh", &org.path(""));
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    command.args(["-c", script]).arg(xtask()).args(["build-schema", "extract.json"]);
    let Ok(output) = command.output() else { return skipped("there is no sh") };
    Run::of(&output).expect(2, &["can't write"]);
    assert!(contents(&org).is_empty(), "files were left behind");
}

#[test]
fn the_command_line_says_what_it_takes() {
    let help = isolated(xtask(), &std::env::temp_dir()).args(["build-schema", "--help"]).output().unwrap();
    Run::of(&help).expect(
        0,
        &[
            "--format",
            "--allowlist",
            "--blocklist",
            "--out",
            "--base",
            "--check",
            "--report",
            "--tokens",
            "Exit codes",
        ],
    );
    let nonsense = Command::new(xtask()).args(["build-schema", "--nonsense"]).output().unwrap();
    Run::of(&nonsense).expect(2, &["--nonsense"]);
}

#[test]
fn data_goes_to_stdout_and_the_rest_to_stderr() {
    let org = org();
    org.write("blocklist.toml", "[fields]\nexact = [\"gone\"]\n");
    let run = org.run(&["extract.json", "--report", "json"]);
    run.expect(0, &["matches no field"]);
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("stdout is JSON and nothing else");
    assert_eq!(report, org.json("artifacts/manifest.json"), "the report is the manifest");
}
