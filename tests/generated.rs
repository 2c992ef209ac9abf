//! Inputs that are too big to be a folder under `cases/`: deep, long, many.

use std::fmt::Write as _;

use crate::support::{Org, Run, native};

const ID: &str = r#""name": "id", "type": "id""#;

/// Builds one native or foreign file with `account` on the allowlist.
fn build(file: &str, content: impl AsRef<[u8]>) -> Run {
    let org = Org::new(&["account"]);
    org.write(file, content);
    let run = org.run(&[file]);
    assert!(run.code == Some(0) || org.names("artifacts").is_empty(), "a failed build wrote something");
    run
}

/// `line:column` of the first place in that file that was reported.
fn place(run: &Run, file: &str) -> (usize, usize) {
    let (_, rest) =
        run.err.split_once(&format!("{file}:")).unwrap_or_else(|| panic!("no place in\n{}", run.err));
    let mut numbers = rest.split(|c: char| !c.is_ascii_digit()).map(|number| number.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

#[test]
fn deep_nesting_is_a_fault_and_no_crash() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(200_000), close.repeat(200_000));
    let lists = deep("[", "]");
    let objects = deep("{\"a\":", "}").replacen(":}", ":1}", 1);
    for nested in [&lists, &objects] {
        build("a.json", nested).expect(2, &["a.json"]);
        build("a.json", format!("{{\"format\":\"portolan-extract/1\",\"x\":{nested},\"objects\":[]}}"))
            .expect(2, &["nested deeper than", "a.json:1:"]);
        let field = format!("{ID}, \"references\": {nested}");
        build("a.json", native(&[("account", &[&field])])).expect(2, &["nested deeper than", "a.json:"]);
        build(
            "a.json",
            format!("{{\"keyPrefix\":1,\"name\":\"account\",\"fields\":[{{\"name\":{nested}}}]}}"),
        )
        .expect(2, &["nested deeper than", "a.json:1:"]);
    }
    // What is cut is never looked into: its depth costs nothing.
    let field = format!(r#"{ID}, "picklist": {lists}"#);
    build("a.json", native(&[("account", &[&field])])).expect(0, &[]);
    let xml = format!("<CustomObject>{}</CustomObject>", deep("<a>", "</a>"));
    build("objects/account/account.object-meta.xml", xml).expect(2, &["nest deeper than"]);
}

/// A field with a fault after `picklists`, on one line with them: where it is reported.
fn check_place_after(picklist: &str) {
    let before = format!(
        r#"{{ "format": "portolan-extract/1", "objects": [ {{ "name": "account", "fields": [ {{ "name": "s", "type": "picklist", "picklist": {picklist} }}, {{ "name": "n", "type": "text", "length": "#
    );
    let run = build("a.json", format!("{before}\"12\" }} ] }} ] }}\n"));
    run.expect(2, &["expected u32"]);
    let line = 1 + before.matches('\n').count();
    let start = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    let (found_line, column) = place(&run, "a.json");
    assert_eq!(found_line, line, "the line");
    assert!(
        (start..=start + 4).contains(&column),
        "column {column} instead of {start}, where the value starts"
    );
}

#[test]
fn a_fault_after_a_big_picklist_has_the_right_place() {
    let values = |count: usize, between: &str| {
        let mut list = String::from("[");
        for at in 0..count {
            let comma = if at == 0 { "" } else { "," };
            let _ = write!(list, r#"{comma}{between}{{ "value": "v{at}", "label": "\"[{{ ö {at}" }}"#);
        }
        list + "]"
    };
    check_place_after("[]");
    for count in [1, 3, 1000, 20_000] {
        check_place_after(&values(count, ""));
        check_place_after(&values(count, "\n  "));
    }
    // Just around where buffers end.
    for length in (131_072 - 400..131_072 + 100).step_by(37) {
        check_place_after(&format!("[\"{}\"]", "x".repeat(length)));
    }
}

#[test]
fn many_faults_are_counted_and_not_all_shown() {
    let bad = [r#""name": "x", "type": "txt""#];
    let objects: Vec<String> = (0..5000).map(|at| format!("o{at}")).collect();
    let objects: Vec<(&str, &[&str])> = objects.iter().map(|name| (name.as_str(), &bad[..])).collect();
    let run = build("a.json", native(&objects));
    run.expect(2, &["more faults of the extract"]);
    assert!(run.err.matches("'txt' is not a field type").count() <= 200, "too many are shown");
}

#[test]
fn a_broken_extract_is_not_the_allowlists_fault() {
    // Which objects a broken file holds isn't known: to remove one from the allowlist is bad advice.
    let whole = native(&[("contact", &[ID]), ("account", &[ID])]);
    for cut in [60, whole.len() / 2, whole.len() - 20] {
        let run = build("a.json", &whole[..cut]);
        run.expect(2, &["the file is cut off"]);
        assert!(!run.err.contains("remove it from the allowlist"), "bad advice:\n{}", run.err);
    }
}

#[test]
fn every_cut_of_a_file_is_noticed() {
    let whole =
        native(&[("account", &[ID, r#""name": "s", "type": "picklist", "picklist": [ { "value": "a" } ]"#])]);
    let whole = whole.trim_end();
    let org = Org::new(&["account"]);
    for cut in (1..whole.len()).step_by(7) {
        org.write("a.json", &whole[..cut]);
        org.run(&["a.json"]).expect(2, &["nothing was written"]);
    }
}

#[test]
fn facts_may_come_late_in_a_long_file() {
    // The first bytes decide the format; what they don't hold is found all the same.
    let value = r#"{"active":true,"label":"x","value":"x"},"#.repeat(5000);
    let values = value.trim_end_matches(',');
    let describe = format!(
        r#"{{"fields":[{{"name":"Id","type":"id","picklistValues":[{values}]}}],"name":"account","label":"Late"}}"#
    );
    build("a.json", describe).expect(0, &["5,000 values"]);
}

#[test]
fn a_file_that_begins_with_blanks_is_not_empty() {
    let blank = " ".repeat(200_000);
    build("a.json", format!("{blank}{}", native(&[("account", &[ID])]))).expect(0, &[]);
}

#[test]
fn a_wide_object_and_many_objects_set_off_the_deferrals() {
    let fields: Vec<String> = (0..2000).map(|at| format!(r#""name": "f{at}", "type": "text""#)).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let names: Vec<String> = (0..300).map(|at| format!("object_{at:03}")).collect();
    let mut objects: Vec<(&str, &[&str])> = names.iter().map(|name| (name.as_str(), &[ID][..])).collect();
    objects.push(("account", &fields));
    let org = Org::new(&names);
    org.write("a.json", native(&objects));
    org.run(&["a.json"])
        .expect(0, &["vector search over object names was put off until objects kept pass 200"]);
    org.allow(&["account"]);
    org.run(&["a.json"]).expect(0, &["vector search over field names", "widest 2,000 (account)"]);
}
