//! Which version a schema gets: a function of its content and of the base, in git and without it.

use std::fs;

use crate::support::{Org, Run, has, isolated, native};

const ID: &str = r#""name": "id", "type": "id""#;
const NAME: &str = r#""name": "name", "label": "Name", "type": "text""#;
const OWNER: &str = r#""name": "owner", "type": "reference", "references": ["user"]"#;
const STAGE: &str = r#""name": "stage", "type": "picklist", "picklist": [ { "value": "a" } ]"#;

/// An org of four objects, of which `account` and `user` are kept.
fn org() -> Org {
    let org = Org::new(&["account", "user"]);
    extract(&org, &[ID, NAME, OWNER, STAGE]);
    org
}

fn extract(org: &Org, account: &[&str]) {
    let small: &[&str] = &[ID, NAME];
    org.write(
        "extract.json",
        native(&[("account", account), ("user", small), ("queue", small), ("lead", small)]),
    );
}

/// Builds, and returns the version.
#[track_caller]
fn build(org: &Org, arguments: &[&str]) -> String {
    org.run(&[&["extract.json"], arguments].concat()).expect(0, &[]);
    let version = org.artifact().version.to_string();
    for companion in ["schema.json", "manifest.json"] {
        assert_eq!(org.json(&format!("artifacts/{companion}"))["version"], version.as_str(), "{companion}");
    }
    version
}

/// What becomes of version 1.0.0 with that change, in a folder without git.
#[track_caller]
fn check_change(expected: &str, change: impl Fn(&Org)) {
    let org = org();
    assert_eq!(build(&org, &[]), "1.0.0", "the first version");
    let before = org.read("artifacts/schema.msgpack");
    change(&org);
    assert_eq!(build(&org, &[]), expected);
    assert_eq!(
        before == org.read("artifacts/schema.msgpack"),
        expected == "1.0.0",
        "same version, same bytes"
    );
    let after = org.read("artifacts/schema.msgpack");
    assert_eq!(build(&org, &[]), expected, "a rebuild bumps nothing");
    assert!(after == org.read("artifacts/schema.msgpack"), "a rebuild changed bytes");
    org.run(&["extract.json", "--check"]).expect(0, &["is current"]);
}

#[test]
fn a_change_is_weighed() {
    let stage = r#""name": "stage", "type": "picklist""#;
    check_change("1.0.0", |_| ());
    // What the artifact doesn't hold changes nothing.
    check_change("1.0.0", |org| extract(org, &[STAGE, OWNER, NAME, ID]));
    check_change("1.0.0", |org| extract(org, &[ID, NAME, OWNER, stage]));
    check_change("1.0.0", |org| {
        org.write("blocklist.toml", "# a comment\n[fields]\npatterns = [\"zz_*\"]\n");
    });
    // A label: patch.
    check_change("1.0.1", |org| extract(org, &[ID, &NAME.replace("Name", "Full Name"), OWNER, STAGE]));
    check_change("1.0.1", |org| extract(org, &[ID, &format!("{NAME}, \"length\": 80"), OWNER, STAGE]));
    // More: minor.
    check_change("1.1.0", |org| org.allow(&["account", "user", "lead"]));
    check_change("1.1.0", |org| org.allow(&["account", "user", "queue"]));
    check_change("1.1.0", |org| extract(org, &[ID, NAME, OWNER, STAGE, r#""name": "new", "type": "date""#]));
    // Less, or something else: major.
    check_change("2.0.0", |org| org.allow(&["account"]));
    check_change("2.0.0", |org| extract(org, &[ID, NAME, OWNER]));
    check_change("2.0.0", |org| org.write("blocklist.toml", "[fields]\nexact = [\"stage\"]\n"));
    check_change("2.0.0", |org| extract(org, &[ID, &NAME.replace("text", "long_text"), OWNER, STAGE]));
    check_change("2.0.0", |org| extract(org, &[ID, NAME, &OWNER.replace("\"user\"", "\"account\""), STAGE]));
    // The heaviest change counts.
    check_change("2.0.0", |org| org.allow(&["account", "queue", "lead"]));
}

/// The version is the schema's: a task that comes, changes or goes breaks no query.
#[test]
fn a_task_is_a_patch() {
    let task = |title: &str| {
        format!(
            "title = \"{title}\"\nprompt = \"x\"\nanswer = \"x\"\nobjects = [\"account\"]\n[[queries]]\nobject = \"account\"\n"
        )
    };
    let org = org();
    assert_eq!(build(&org, &[]), "1.0.0");
    org.write("tasks/list.toml", task("List"));
    assert_eq!(build(&org, &[]), "1.0.1", "it came");
    assert_eq!(org.json("artifacts/manifest.json")["report"]["tasks"][0]["queries"], 1);
    org.run(&["extract.json", "--check"]).expect(0, &["is current"]);
    org.write("tasks/list.toml", format!("# A comment is nothing of a task's.\n{}", task("List")));
    assert_eq!(build(&org, &[]), "1.0.1", "it is the same");
    org.write("tasks/list.toml", task("Accounts"));
    org.run(&["extract.json", "--check"]).expect(1, &["is stale"]);
    assert_eq!(build(&org, &[]), "1.0.2", "it changed");
    org.write("tasks/second.toml", task("Accounts"));
    fs::remove_file(org.path("tasks/list.toml")).unwrap();
    assert_eq!(build(&org, &[]), "1.0.3", "one went, another came");
}

/// What a schema diff calls breaking is a major change: one table for both.
#[test]
fn lost_abilities_and_another_name_are_major() {
    check_change("2.0.0", |org| extract(org, &[ID, &format!("{NAME}, \"filterable\": false"), OWNER, STAGE]));
    check_change("2.0.0", |org| extract(org, &[ID, &format!("{NAME}, \"sortable\": false"), OWNER, STAGE]));
    check_change("2.0.0", |org| {
        let text = String::from_utf8(org.read("extract.json")).unwrap();
        org.write("extract.json", text.replacen("\"account\",", "\"account\", \"nameField\": \"name\",", 1));
    });
    check_change("2.0.0", |org| {
        let text = String::from_utf8(org.read("extract.json")).unwrap();
        org.write("extract.json", text.replacen("\"account\",", "\"account\", \"queryable\": false,", 1));
    });
}

#[test]
fn a_reference_that_is_restored_is_minor() {
    let org = org();
    org.allow(&["account"]);
    assert_eq!(build(&org, &[]), "1.0.0");
    // `owner` was a plain id as long as its target wasn't there.
    org.allow(&["account", "user"]);
    assert_eq!(build(&org, &[]), "1.1.0", "adding an object takes nothing away");
}

#[test]
fn more_targets_are_minor_and_fewer_are_major() {
    let targets = |targets: &str| OWNER.replace("\"user\"", targets);
    let org = org();
    org.allow(&["account", "user", "queue", "lead"]);
    extract(&org, &[ID, &targets("\"user\", \"queue\"")]);
    assert_eq!(build(&org, &[]), "1.0.0");
    extract(&org, &[ID, &targets("\"user\", \"queue\", \"lead\"")]);
    assert_eq!(build(&org, &[]), "1.1.0");
    extract(&org, &[ID, &targets("\"user\", \"lead\"")]);
    assert_eq!(build(&org, &[]), "2.0.0");
}

#[test]
fn a_reference_that_becomes_polymorphic_is_major() {
    let both = OWNER.replace("\"user\"", "\"user\", \"account\"");
    check_change("2.0.0", |org| extract(org, &[ID, NAME, &both, STAGE]));
}

#[test]
fn a_base_can_be_a_file_or_a_folder() {
    let org = org();
    build(&org, &["--out", "artifacts"]);
    org.write("old/schema.msgpack", org.read("artifacts/schema.msgpack"));
    org.allow(&["account", "user", "lead"]);
    assert_eq!(build(&org, &[]), "1.1.0");
    org.allow(&["account", "user", "lead", "queue"]);
    assert_eq!(build(&org, &["--base", "old"]), "1.1.0", "as if 1.1.0 had never been");
    assert_eq!(build(&org, &["--base", "old/schema.msgpack"]), "1.1.0");
    org.run(&["extract.json", "--check", "--base", "old"]).expect(0, &[]);
}

#[test]
fn a_base_that_cannot_be_used_is_a_fault() {
    let org = org();
    build(&org, &[]);
    let whole = org.read("artifacts/schema.msgpack");
    let mut flipped = whole.clone();
    let last = flipped.len() - 3;
    flipped[last] ^= 1;
    fs::create_dir(org.path("empty")).unwrap();
    org.write("flipped.msgpack", &flipped);
    org.write("cut.msgpack", &whole[..whole.len() / 2]);
    org.write("nothing.msgpack", "");
    let check = |base: &str, says: &[&str]| {
        org.run(&["extract.json", "--base", base]).expect(2, says);
        org.run(&["extract.json", "--base", base, "--check"]).expect(2, says);
        assert!(whole == org.read("artifacts/schema.msgpack"), "the artifact was touched");
    };
    check("nowhere", &["'nowhere' is neither a file nor a git revision"]);
    check("empty", &["the base can't be read", "empty"]);
    for damaged in ["flipped.msgpack", "cut.msgpack", "nothing.msgpack", "extract.json"] {
        check(damaged, &["the base can't be used", damaged]);
    }
    // A name is never an option of git.
    org.run(&["extract.json", "--base=--output=x"]).expect(2, &["'--output=x' is neither a file nor"]);
    assert!(!org.path("artifacts/x").exists(), "git took the name for an option");
}

#[test]
fn a_damaged_artifact_is_no_base_but_a_finding() {
    let org = org();
    build(&org, &[]);
    let mut damaged = org.read("artifacts/schema.msgpack");
    damaged[40] ^= 1;
    org.write("artifacts/schema.msgpack", &damaged);
    org.run(&["extract.json", "--check"]).expect(1, &["schema.msgpack is stale"]);
    org.run(&["extract.json"]).expect(2, &["the base can't be used", "delete it to start at 1.0.0"]);
    assert!(damaged == org.read("artifacts/schema.msgpack"), "the artifact was touched");
    fs::remove_file(org.path("artifacts/schema.msgpack")).unwrap();
    assert_eq!(build(&org, &[]), "1.0.0");
}

/// A repository with the first version on `main`, or nothing where there is no git.
fn repository() -> Option<Org> {
    if !has("git", &["--version"]) {
        return None;
    }
    let org = org();
    git(&org, &["init", "--quiet", "--initial-branch=main"]);
    assert_eq!(build(&org, &[]), "1.0.0");
    commit(&org, "first");
    Some(org)
}

#[track_caller]
fn git(org: &Org, arguments: &[&str]) {
    let mut command = isolated("git", &org.path(""));
    command.args(["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false"]);
    Run::of(&command.args(arguments).output().unwrap()).expect(0, &[]);
}

fn commit(org: &Org, message: &str) {
    git(org, &["add", "--all"]);
    git(org, &["commit", "--quiet", "--message", message]);
}

#[test]
fn a_branch_bumps_once_however_often_it_builds() {
    let Some(org) = repository() else { return };
    let first = org.read("artifacts/schema.msgpack");
    git(&org, &["switch", "--quiet", "--create", "feature"]);
    org.allow(&["account", "user", "lead"]);
    assert_eq!(build(&org, &[]), "1.1.0");
    commit(&org, "lead");
    org.allow(&["account", "user", "lead", "queue"]);
    assert_eq!(build(&org, &[]), "1.1.0", "the merge base counts, not the commit before");
    commit(&org, "queue");
    assert_eq!(build(&org, &[]), "1.1.0");
    org.run(&["extract.json", "--check"]).expect(0, &[]);
    org.allow(&["account", "lead"]);
    assert_eq!(build(&org, &[]), "2.0.0");
    // Back where it came from, it has its old version and bytes.
    org.allow(&["account", "user"]);
    assert_eq!(build(&org, &[]), "1.0.0");
    assert!(first == org.read("artifacts/schema.msgpack"), "equal content keeps its bytes");
}

#[test]
fn the_merge_base_counts_and_not_what_main_became() {
    let Some(org) = repository() else { return };
    git(&org, &["switch", "--quiet", "--create", "feature"]);
    org.allow(&["account", "user", "queue"]);
    assert_eq!(build(&org, &[]), "1.1.0");
    commit(&org, "queue");
    git(&org, &["switch", "--quiet", "main"]);
    extract(&org, &[ID, NAME, OWNER]);
    assert_eq!(build(&org, &[]), "2.0.0");
    commit(&org, "without stages");
    git(&org, &["switch", "--quiet", "feature"]);
    org.allow(&["account", "user", "queue", "lead"]);
    assert_eq!(build(&org, &[]), "1.1.0");
    assert_eq!(build(&org, &["--base", "main"]), "2.1.0");
}

#[test]
fn an_artifact_that_is_missing_or_damaged_is_made_anew_from_git() {
    let Some(org) = repository() else { return };
    org.allow(&["account", "user", "lead"]);
    assert_eq!(build(&org, &[]), "1.1.0");
    commit(&org, "second");
    let second = org.read("artifacts/schema.msgpack");
    org.write("artifacts/schema.msgpack", "damaged");
    org.run(&["extract.json", "--check"]).expect(1, &["schema.msgpack is stale"]);
    assert_eq!(build(&org, &[]), "1.1.0");
    fs::remove_file(org.path("artifacts/schema.msgpack")).unwrap();
    assert_eq!(build(&org, &[]), "1.1.0");
    assert!(second == org.read("artifacts/schema.msgpack"), "equal content keeps its bytes");
}

#[test]
fn a_folder_that_is_missing_is_made_anew_from_git() {
    let Some(org) = repository() else { return };
    org.allow(&["account", "user", "lead"]);
    assert_eq!(build(&org, &[]), "1.1.0");
    commit(&org, "second");
    let second = org.read("artifacts/schema.msgpack");
    fs::remove_dir_all(org.path("artifacts")).unwrap();
    org.run(&["extract.json", "--check"]).expect(1, &["schema.msgpack is stale"]);
    assert_eq!(build(&org, &[]), "1.1.0", "the folder is gone, the history isn't");
    assert!(second == org.read("artifacts/schema.msgpack"), "equal content keeps its bytes");
    fs::remove_dir_all(org.path("artifacts")).unwrap();
    assert_eq!(build(&org, &["--base", "HEAD"]), "1.1.0");
}

#[test]
fn a_base_can_be_a_revision() {
    let Some(org) = repository() else { return };
    git(&org, &["tag", "v1"]);
    org.allow(&["account", "user", "lead"]);
    assert_eq!(build(&org, &[]), "1.1.0");
    commit(&org, "second");
    org.allow(&["account", "user", "lead", "queue"]);
    assert_eq!(build(&org, &["--base", "v1"]), "1.1.0");
    assert_eq!(build(&org, &["--base", "HEAD"]), "1.2.0");
    assert_eq!(build(&org, &["--base", "HEAD~1"]), "1.1.0");
    org.run(&["extract.json", "--base", "no-such-revision"]).expect(2, &["'no-such-revision' is neither"]);
    git(&org, &["rm", "--quiet", "-r", "--cached", "artifacts"]);
    git(&org, &["commit", "--quiet", "--message", "without"]);
    org.run(&["extract.json", "--base", "HEAD"]).expect(2, &["revision 'HEAD' has no"]);
}

#[test]
fn a_damaged_artifact_in_git_is_a_fault() {
    let Some(org) = repository() else { return };
    org.write("artifacts/schema.msgpack", "damaged");
    commit(&org, "damaged");
    org.run(&["extract.json", "--base", "HEAD"]).expect(2, &["the base can't be used", "HEAD"]);
}

#[test]
fn a_clone_compares_with_the_branch_it_was_cloned_from() {
    let Some(origin) = repository() else { return };
    let clone = Org::new::<&str>(&[]);
    for file in ["allowlist.toml", "blocklist.toml"] {
        fs::remove_file(clone.path(file)).unwrap();
    }
    let source = origin.path("");
    git(&clone, &["clone", "--quiet", source.to_str().unwrap(), "."]);
    git(&clone, &["switch", "--quiet", "--create", "feature"]);
    git(&clone, &["branch", "--quiet", "-D", "main"]);
    for objects in [&["account", "user", "lead"][..], &["account", "user", "lead", "queue"]] {
        clone.allow(objects);
        assert_eq!(build(&clone, &[]), "1.1.0");
        commit(&clone, "more");
    }
}

/// Git sets these variables for its hooks; the base must be the same from inside one.
#[test]
fn a_hooks_environment_changes_no_version() {
    let Some(org) = repository() else { return };
    git(&org, &["switch", "--quiet", "--create", "feature"]);
    org.allow(&["account", "user", "lead"]);
    assert_eq!(build(&org, &[]), "1.1.0");
    org.allow(&["account", "user", "lead", "queue"]);
    let mut in_hook = org.command(&["extract.json"]);
    in_hook.env("GIT_DIR", ".git").env("GIT_WORK_TREE", ".").env("GIT_INDEX_FILE", ".git/index");
    Run::of(&in_hook.output().unwrap()).expect(0, &["the version continues from"]);
    assert_eq!(org.artifact().version.to_string(), "1.1.0");
}

/// A revision that looks like an option must not become one of git's.
#[test]
fn a_base_is_never_an_option() {
    let Some(org) = repository() else { return };
    org.run(&["extract.json", "--base=--output=pwned"]).expect(2, &["neither a file nor a git revision"]);
    assert!(!org.path("pwned").exists() && !org.path("artifacts/pwned").exists());
}
