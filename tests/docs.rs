//! The examples of README.md and `docs/` do what they say.
//!
//! A block marked `console` is run: a line that begins with `$ cargo xtask`, the exit code after `?`
//! where it isn't 0, then what the command prints. `[..]` stands for any text in a line, `...` alone
//! for any lines.

use std::fs;

use crate::support::{Org, Run, isolated, workspace, xtask};

#[test]
fn console_blocks_are_what_happens() {
    let mut run = 0;
    for file in ["README.md", "docs/build-schema.md"] {
        let text = fs::read_to_string(workspace().join(file)).unwrap();
        for block in blocks(&text, "console") {
            check_console(file, block);
            run += 1;
        }
    }
    assert!(run >= 2, "the documents have lost their examples");
}

#[test]
fn the_filter_files_of_the_documentation_build_the_sample_org() {
    let text = fs::read_to_string(workspace().join("docs/build-schema.md")).unwrap();
    let [allowlist, blocklist] = blocks(&text, "toml")[..] else { panic!("one block a file") };
    let org = copy_of_the_workspace();
    org.write("allowlist.toml", allowlist);
    org.write("blocklist.toml", blocklist);
    org.run(&["--check"]).expect(1, &["it is not there"]);
    let run = org.run(&[] as &[&str]);
    run.expect(0, &[]);
    assert!(!run.err.contains("error"), "{}", run.err);
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
    ] {
        org.write(file, fs::read(workspace().join(file)).unwrap());
    }
    org
}

fn check_console(file: &str, block: &str) {
    let org = copy_of_the_workspace();
    let mut lines = block.lines().peekable();
    let command = lines.next().and_then(|line| line.strip_prefix("$ cargo xtask ")).expect("a command");
    let code = lines.next_if(|line| line.starts_with("? ")).map_or(0, |line| line[2..].parse().unwrap());
    let expected: Vec<&str> = lines.collect();
    let output = isolated(xtask(), &org.path("")).args(command.split(' ')).output().unwrap();
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
