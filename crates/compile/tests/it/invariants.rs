//! The invariants of ARCHITECTURE.md, on random extracts and filters: 1 closure, 2 nothing dropped
//! shows anywhere, 3 same inputs give the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use portolan_compile::ingest::Root;
use portolan_compile::{Compiled, Inputs, TextFile, compile, config};
use portolan_schema::artifact::decode;
use portolan_schema::{FieldType, Profile};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

/// A random org: objects by name, fields by name.
type Org = BTreeMap<String, BTreeMap<String, Drafted>>;

#[derive(Clone, Debug)]
struct Drafted {
    field_type: &'static str,
    references: Vec<String>,
    values: usize,
}

/// What keeps what, in the plainest terms.
#[derive(Clone, Debug)]
struct Filter {
    objects: BTreeSet<String>,
    keep: BTreeSet<String>,
}

const OBJECTS: [&str; 7] = ["account", "contact", "Order__c", "sale.order", "κλήση", "user", "task"];
const FIELDS: [&str; 7] = ["id", "name", "owner", "Tier__c", "größe", "secret_salary", "secret_notes"];
/// In the texts that must never come out: picklist values, their labels, defaults.
const SENTINEL: &str = "S3NTIN3L";
/// What the blocklist's pattern takes out.
const BLOCKED: &str = "secret_";

fn org() -> impl Strategy<Value = Org> {
    let field = (
        select(&["text", "picklist", "multi_picklist", "reference", "id", "text"][..]),
        vec(select(&OBJECTS[..]), 0..3),
        0..4_usize,
    );
    let field = field.prop_map(|(field_type, targets, values)| Drafted {
        field_type,
        references: targets
            .into_iter()
            .chain((field_type == "reference").then_some("vanished"))
            .map(str::to_owned)
            .collect(),
        values,
    });
    let fields = btree_map(select(&FIELDS[..]).prop_map(str::to_owned), field, 0..FIELDS.len());
    btree_map(select(&OBJECTS[..]).prop_map(str::to_owned), fields, 1..OBJECTS.len())
}

fn org_and_filter() -> impl Strategy<Value = (Org, Filter)> {
    org().prop_flat_map(|org| {
        let names: Vec<String> = org.keys().cloned().collect();
        let count = names.len();
        let filter = (subsequence(names, 1..=count), btree_set(Just("secret_notes".to_owned()), 0..2));
        let filter =
            filter.prop_map(|(objects, keep)| Filter { objects: objects.into_iter().collect(), keep });
        (Just(org), filter)
    })
}

/// Brackets and quotes in the values, so that cutting them is put to the test.
fn picklist(values: usize) -> Vec<Value> {
    (0..values).map(|at| json!({ "value": format!("{SENTINEL}-{at} ]}}\"\\ [{{"), "label": SENTINEL, "validFor": [[at]] })).collect()
}

fn native(name: &str, fields: &BTreeMap<String, Drafted>, reversed: bool) -> Value {
    let mut fields: Vec<Value> = fields
        .iter()
        .map(|(name, field)| {
            json!({ "name": name, "label": format!("The {name}"), "type": field.field_type, "references": field.references,
                    "picklist": picklist(field.values), "default": [SENTINEL] })
        })
        .collect();
    if reversed {
        fields.reverse();
    }
    json!({ "name": name, "label": name, "fields": fields })
}

fn describe(name: &str, fields: &BTreeMap<String, Drafted>) -> Value {
    let native_type = |field_type| match field_type {
        "text" => "string",
        "multi_picklist" => "multipicklist",
        other => other,
    };
    let fields: Vec<Value> = fields
        .iter()
        .map(|(name, field)| {
            json!({ "name": name, "label": format!("The {name}"), "type": native_type(field.field_type),
                    "referenceTo": field.references, "picklistValues": picklist(field.values),
                    "defaultValue": SENTINEL, "nillable": true })
        })
        .collect();
    json!({ "childRelationships": [{ "childSObject": SENTINEL }], "fields": fields, "label": name, "name": name })
}

fn file(name: &str, text: String) -> TextFile {
    TextFile { name: name.into(), text: text.into() }
}

fn filter_files(filter: &Filter) -> (TextFile, TextFile) {
    let mut allowlist = format!("objects = {:?}\n", filter.objects);
    allowlist = allowlist.replace('{', "[").replace('}', "]");
    for (object, keep) in
        filter.objects.iter().flat_map(|object| filter.keep.iter().map(move |keep| (object, keep)))
    {
        let _ = writeln!(allowlist, "[fields.\"{object}\"]\nkeep = [\"{keep}\"]");
    }
    let blocklist = format!("[fields]\npatterns = [\"{BLOCKED}*\"]\n");
    (file("allowlist.toml", allowlist), file("blocklist.toml", blocklist))
}

fn build(extract: &Path, filter: &Filter) -> Compiled {
    let (allowlist, blocklist) = filter_files(filter);
    let (config, faults) = config::parse(&allowlist, &blocklist);
    assert!(faults.is_empty(), "{faults:#?}\n{}", allowlist.text);
    let extracts = vec![Root { path: extract.to_owned(), named_at: None }];
    let inputs =
        Inputs { extracts, format: "auto".into(), allowlist, blocklist, tasks: Vec::new(), base: None };
    let (compiled, diagnostics) = compile(inputs, config);
    compiled.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

/// `keep` may name a field only where the object has it.
fn tidy(org: &Org, mut filter: Filter) -> Filter {
    if !filter.objects.iter().all(|object| org[object].contains_key("secret_notes")) {
        filter.keep.clear();
    }
    filter
}

fn write_all(compiled: &Compiled) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    compiled.outputs.write(folder.path()).unwrap();
    let files = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap()))
        .collect()
}

fn write_json(path: PathBuf, value: &Value) -> PathBuf {
    fs::write(&path, value.to_string()).unwrap();
    path
}

proptest! {
    #![proptest_config(crate::a_few_cases())]

    #[test]
    fn what_is_kept_is_what_a_plain_reading_keeps((org, filter) in org_and_filter()) {
        let filter = tidy(&org, filter);
        let folder = tempfile::tempdir().unwrap();
        let objects: Vec<Value> = org.iter().map(|(name, fields)| native(name, fields, false)).collect();
        let one = write_json(folder.path().join("one.json"), &json!({ "format": "portolan-extract/1", "objects": objects }));
        let compiled = build(&one, &filter);
        let artifact = decode(compiled.outputs.artifact()).unwrap();

        let kept: BTreeSet<&String> = artifact.schema.objects().iter().map(|object| &object.name).collect();
        prop_assert_eq!(kept, filter.objects.iter().collect::<BTreeSet<_>>());
        let mut edges = BTreeSet::new();
        for object in artifact.schema.objects() {
            let drafted = &org[&object.name];
            let expected: Vec<&String> =
                drafted.keys().filter(|name| !name.starts_with(BLOCKED) || filter.keep.contains(*name)).collect();
            prop_assert_eq!(object.fields.iter().map(|field| &field.name).collect::<BTreeSet<_>>(), expected.into_iter().collect());
            for field in &object.fields {
                let drafted = &drafted[&field.name];
                let expected: BTreeSet<&String> =
                    drafted.references.iter().filter(|target| filter.objects.contains(*target)).collect();
                prop_assert_eq!(field.references.iter().collect::<BTreeSet<_>>(), expected.clone());
                let a_link = drafted.field_type == "reference" && !expected.is_empty();
                prop_assert_eq!(field.field_type == FieldType::Reference, a_link);
                edges.extend(expected.into_iter().map(|target| (target.clone(), object.name.clone(), field.name.clone())));
            }
        }
        let back: BTreeSet<_> = artifact
            .schema
            .iter()
            .flat_map(|(object, back)| back.iter().map(|back| (object.name.clone(), back.object.clone(), back.field.clone())))
            .collect();
        prop_assert_eq!(back, edges);
        let values: usize = org.values().flat_map(BTreeMap::values).map(|field| field.values).sum();
        prop_assert_eq!(compiled.manifest.report.picklists.values, values as u64);
    }

    #[test]
    fn nothing_that_was_dropped_is_in_any_emitted_byte((org, filter) in org_and_filter()) {
        let filter = tidy(&org, filter);
        let filter = Filter { keep: BTreeSet::new(), ..filter };
        let folder = tempfile::tempdir().unwrap();
        let objects: Vec<Value> = org.iter().map(|(name, fields)| native(name, fields, false)).collect();
        write_json(folder.path().join("native.json"), &json!({ "format": "portolan-extract/1", "objects": objects }));
        let native = build(folder.path(), &filter);
        let folder = tempfile::tempdir().unwrap();
        for (at, (name, fields)) in org.iter().enumerate() {
            write_json(folder.path().join(format!("{at}.json")), &describe(name, fields));
        }
        let described = build(folder.path(), &filter);
        for (file, bytes) in write_all(&native).into_iter().chain(write_all(&described)) {
            let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
            prop_assert!(!holds(SENTINEL), "{file} holds a picklist value or a default");
            for blocked in FIELDS.iter().filter(|name| name.starts_with(BLOCKED)) {
                prop_assert!(!holds(blocked), "{file} holds '{blocked}'");
            }
        }
    }

    #[test]
    fn the_order_of_files_and_objects_changes_no_byte((org, filter) in org_and_filter(), names in vec("[a-z]{8}", OBJECTS.len())) {
        let filter = tidy(&org, filter);
        let folder = tempfile::tempdir().unwrap();
        let objects = |reversed| org.iter().map(move |(name, fields)| native(name, fields, reversed));
        let root = |objects: Vec<Value>| json!({ "format": "portolan-extract/1", "objects": objects });
        let forward = write_json(folder.path().join("a.json"), &root(objects(false).collect()));
        let backward = write_json(folder.path().join("b.json"), &root(objects(true).rev().collect()));
        let scattered = folder.path().join("c");
        fs::create_dir(&scattered).unwrap();
        for (at, object) in objects(true).enumerate() {
            let path = scattered.join(format!("{}{at}.json", names[at]));
            write_json(path, &json!({ "format": "portolan-extract/1", "object": object }));
        }
        let [forward, backward, scattered] = [&forward, &backward, &scattered].map(|extract| build(extract, &filter));
        let again = build(&folder.path().join("a.json"), &filter);
        prop_assert_eq!(write_all(&forward), write_all(&again));
        for other in [backward, scattered] {
            let (expected, found) = (write_all(&forward), write_all(&other));
            prop_assert_eq!(&expected["schema.msgpack"], &found["schema.msgpack"]);
            prop_assert_eq!(&expected["schema.json"], &found["schema.json"]);
        }
    }
}

#[test]
fn a_profile_is_compiled_into_the_artifact() {
    let folder = tempfile::tempdir().unwrap();
    let object = json!({ "name": "order", "fields": [
        { "name": "id", "type": "id" }, { "name": "owner", "type": "text" }, { "name": "margin", "type": "percent" }] });
    let extract = write_json(
        folder.path().join("x.json"),
        &json!({ "format": "portolan-extract/1", "objects": [object] }),
    );
    let allowlist = r#"
        objects = ["order"]
        [profiles.rep]
        drop = ["order.margin"]
        rows.order = [{ field = "owner", op = "eq", value = "$caller.id" }]
    "#;
    let (allowlist, blocklist) = (file("a", allowlist.to_owned()), file("b", String::new()));
    let (config, faults) = config::parse(&allowlist, &blocklist);
    assert!(faults.is_empty(), "{faults:#?}");
    let extracts = vec![Root { path: extract, named_at: None }];
    let (compiled, _) = compile(
        Inputs { extracts, format: "auto".into(), allowlist, blocklist, tasks: Vec::new(), base: None },
        config,
    );
    let artifact = decode(compiled.unwrap().outputs.artifact()).unwrap();
    let [Profile { name, objects, hidden, rows }] = artifact.profiles.as_slice() else {
        panic!("one profile")
    };
    assert_eq!(
        (name.as_str(), objects.len(), hidden["order"].contains("margin"), rows["order"].len()),
        ("rep", 1, true, 1)
    );
}
