//! The examples of README.md and `docs/` do what they say.
//!
//! A block marked `console` is run: lines that begin with `$ cargo xtask` or `$ portolan`, each followed by
//! the exit code after `?` where it isn't 0, and by what the command prints. `[..]` stands for any text in
//! a line, `...` alone for any lines.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use portolan_lab::sample_org::SampleOrg;
use portolan_schema::query::Op;
use portolan_sources::Mapping;

use crate::support::{Org, Run, built, isolated, workspace};

#[test]
fn console_blocks_are_what_happens() {
    let mut run = 0;
    for file in ["README.md", "docs/build-schema.md", "docs/runtime.md", "docs/query.md"] {
        let text = fs::read_to_string(workspace().join(file)).unwrap();
        for block in blocks(&text, "console") {
            check_console(file, block);
            run += 1;
        }
    }
    assert!(run >= 20, "the documents have lost their examples");
}

#[test]
fn every_argument_of_a_query_has_an_example() {
    let text = fs::read_to_string(workspace().join("docs/query.md")).unwrap();
    let examples = blocks(&text, "console").join("\n");
    for argument in ["object", "fields", "where", "where_any", "search", "order_by", "limit", "cursor"] {
        assert!(examples.contains(&format!("\"{argument}\": ")), "no example has `{argument}`");
    }
    for op in Op::ALL {
        let written = ["\"op\": \"".to_owned() + op.as_str() + "\"", format!("`{op}`")];
        assert!(written.iter().any(|op| text.contains(op)), "`{op}` isn't documented");
    }
    blocks(&text, "toml")[0].parse::<Mapping>().unwrap();
}

#[test]
fn the_filter_files_of_the_documentation_build_the_sample_org() {
    let text = fs::read_to_string(workspace().join("docs/build-schema.md")).unwrap();
    let [allowlist, blocklist, task] = blocks(&text, "toml")[..] else { panic!("one block a file") };
    let org = copy_of_the_workspace();
    std::fs::remove_dir_all(org.path("artifacts")).unwrap();
    std::fs::remove_dir_all(org.path("tasks")).unwrap();
    org.write("allowlist.toml", allowlist);
    org.write("blocklist.toml", blocklist);
    org.run(&["--check"]).expect(1, &["it is not there"]);
    org.run(&[] as &[&str]).expect(0, &[]);
    // The task is about objects that this allowlist leaves out: it is refused, and builds with the whole one.
    org.write("tasks/visits.toml", task);
    org.run(&[] as &[&str]).expect(2, &["there is no object 'call_report'", "tasks/visits.toml"]);
    org.write("allowlist.toml", fs::read(workspace().join("allowlist.toml")).unwrap());
    org.run(&["--out", "whole"]).expect(0, &["tasks: visits"]);
    let artifact = org.artifact();
    assert_eq!(artifact.profiles.len(), 1);
    assert!(artifact.schema.object("contact").unwrap().field("created_date").is_some());
}

#[test]
fn the_filter_files_of_the_readme_are_read() {
    let text = fs::read_to_string(workspace().join("README.md")).unwrap();
    let org = Org::new(&["replaced below"]);
    for block in blocks(&text.replace("\n   ", "\n"), "toml") {
        let name = block.lines().next().unwrap().trim_start_matches("# ").to_owned();
        org.write(&name, block);
    }
    org.run(&[] as &[&str]).expect(2, &["the extract 'describe/' can't be read"]);
}

/// What the examples need, where nothing but they will touch it.
fn copy_of_the_workspace() -> Org {
    let org = Org::new(&["replaced below"]);
    for file in [
        "allowlist.toml",
        "blocklist.toml",
        "tests/sample-org/extract.json.gz",
        "docs/examples/misspelt.toml",
        "tasks/brief.toml",
        "artifacts/schema.msgpack",
        "artifacts/schema.json",
        "artifacts/manifest.json",
    ] {
        org.write(file, fs::read(workspace().join(file)).unwrap());
    }
    org
}

fn check_console(file: &str, block: &str) {
    let org = copy_of_the_workspace();
    if block.contains("sqlite:org/") {
        fs::create_dir(org.path("org")).unwrap();
        for file in ["records.sqlite", "source.toml"] {
            fs::copy(records().join(file), org.path("org").join(file)).unwrap();
        }
        org.write("org/extract.json", "{}");
    }
    for example in format!("\n{block}").split("\n$ ").skip(1) {
        let mut lines = example.lines().peekable();
        let command = lines.next().unwrap();
        let (program, arguments) = match command.strip_prefix("cargo xtask ") {
            Some(arguments) => ("xtask", arguments),
            None => ("portolan", command.strip_prefix("portolan ").expect("a command of ours")),
        };
        let code = lines.next_if(|line| line.starts_with("? ")).map_or(0, |line| line[2..].parse().unwrap());
        let expected: Vec<&str> = lines.collect();
        let output = isolated(built(program), &org.path("")).args(words(arguments)).output().unwrap();
        let run = Run::of(&output);
        let printed = format!("{}{}", run.out, run.err);
        assert_eq!(run.code, Some(code), "{file}: {command}\n{printed}");
        let found: Vec<&str> = printed.lines().map(str::trim_end).collect();
        assert!(
            matches(&expected, &found),
            "{file}: `{command}` prints\n{printed}\nand not\n{}",
            expected.join("\n")
        );
    }
}

/// The sample org's records, made once.
fn records() -> &'static Path {
    static RECORDS: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = RECORDS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        SampleOrg::default().write_records(folder.path()).unwrap();
        folder
    });
    folder.path()
}

/// The words of a command line; quotes of either kind hold one together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), line.trim_start());
    while let Some(first) = rest.chars().next() {
        let (word, behind) = match first {
            '\'' | '"' => rest[1..].split_once(first).expect("a quote that ends"),
            _ => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = behind.trim_start();
    }
    words
}

/// Whether the lines are those of the pattern.
fn matches(pattern: &[&str], lines: &[&str]) -> bool {
    match (pattern, lines) {
        ([], []) => true,
        (["...", rest @ ..], _) => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        ([first, rest @ ..], [line, lines @ ..]) => matches_line(first, line) && matches(rest, lines),
        _ => false,
    }
}

fn matches_line(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.trim_end().split("[..]");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut open = false;
    for part in parts {
        open = part.is_empty();
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    open || rest.is_empty()
}

/// The fenced blocks of a language, without their fences.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let fence = format!("```{language}\n");
    text.split(fence.as_str()).skip(1).map(|rest| rest.split("\n```").next().unwrap_or_default()).collect()
}
