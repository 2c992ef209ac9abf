//! The sample org from outside: that it repeats, that what is committed is what is generated, and
//! that it has the shape it is said to have, counted without the compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use super::{Layout, SampleOrg, blueprint};

const COMMITTED: &str = "tests/sample-org/extract.json.gz";
const REGENERATE: &str =
    "cargo run --release --package portolan-lab -- sample-org --gzip --out tests/sample-org";

/// The default org, as one document.
static DOCUMENT: LazyLock<Vec<u8>> = LazyLock::new(|| document(SampleOrg::default()));

fn document(org: SampleOrg) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = org.write_document(&mut bytes).unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    bytes
}

/// The objects of a document, each from its line.
fn objects(document: &[u8]) -> impl Iterator<Item = Value> {
    let lines = std::str::from_utf8(document).unwrap().lines();
    lines.filter(|line| line.starts_with("{\"name\"")).map(|line| parse(line.trim_end_matches(',')))
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

fn of_workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    assert!(*DOCUMENT == document(SampleOrg::default()));
    assert!(*DOCUMENT != document(SampleOrg { seed: 2, ..SampleOrg::default() }));
}

#[test]
fn a_smaller_org_is_the_beginning_of_a_larger_one() {
    let small = document(SampleOrg { objects: 90, ..SampleOrg::default() });
    let of_small: Vec<Value> = objects(&small).collect();
    let of_large: Vec<Value> = objects(&DOCUMENT).take(90).collect();
    assert_eq!(of_small.len(), 90);
    assert!(of_small == of_large);
}

#[test]
fn the_document_is_whole_with_an_object_a_line() {
    let whole: Value = serde_json::from_slice(&DOCUMENT).unwrap();
    assert!(
        DOCUMENT.starts_with(b"{\"format\":\"portolan-extract/1\",\"objects\":[\n{\"name\":\"account\",")
    );
    assert_eq!(whole["objects"].as_array().unwrap().len(), objects(&DOCUMENT).count());
    let empty = document(SampleOrg { objects: 0, ..SampleOrg::default() });
    assert_eq!(
        serde_json::from_slice::<Value>(&empty).unwrap(),
        json!({ "format": "portolan-extract/1", "objects": [] })
    );
}

#[test]
fn every_layout_holds_the_same_objects() {
    let folder = tempfile::tempdir().unwrap();
    let org = SampleOrg { objects: 100, ..SampleOrg::default() };
    let write = |layout| org.write(folder.path(), layout).unwrap();
    let (file, counted) = write(Layout::File);
    let file = fs::read(file).unwrap();

    let (gzip, of_gzip) = write(Layout::Gzip);
    let compressed = fs::read(&gzip).unwrap();
    assert_eq!(compressed.get(4..8), Some([0; 4].as_slice()), "the time in the header");
    assert_eq!(of_gzip, counted);
    assert!(decompress(&gzip) == file);
    let (again, _) = write(Layout::Gzip);
    assert!(fs::read(again).unwrap() == compressed);

    let (folder, of_folder) = write(Layout::Folder);
    assert_eq!((of_folder.objects, of_folder.fields), (counted.objects, counted.fields));
    let mut from_folder = BTreeMap::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let document = parse(&fs::read_to_string(&path).unwrap());
        assert_eq!(document["format"], "portolan-extract/1");
        from_folder
            .insert(path.file_stem().unwrap().to_str().unwrap().to_owned(), document["object"].clone());
    }
    let name = |object: &Value| object["name"].as_str().unwrap().to_owned();
    let from_file: BTreeMap<_, _> = objects(&file).map(|object| (name(&object), object)).collect();
    assert_eq!(from_folder.len(), 100);
    assert!(from_folder == from_file);

    let smaller = SampleOrg { objects: 99, ..org };
    let error = smaller.write(folder.parent().unwrap(), Layout::Folder).unwrap_err();
    assert!(format!("{error:#}").contains("another run (1)"), "{error:#}");
}

#[test]
fn no_two_objects_and_no_two_fields_of_an_object_share_a_name() {
    // In lower case: file systems and databases exist that don't tell them apart.
    let mut names = BTreeSet::new();
    for blueprint in blueprint::blueprints().take(53_000) {
        assert!(names.insert(blueprint.name.to_lowercase()), "{} is there twice", blueprint.name);
    }
    let beyond = document(SampleOrg { objects: 700, seed: 3 });
    for object in objects(&DOCUMENT).chain(objects(&beyond)) {
        let mut names = BTreeSet::new();
        for field in object["fields"].as_array().unwrap() {
            let name = field["name"].as_str().unwrap();
            assert!(names.insert(name.to_lowercase()), "{}.{name} is there twice", object["name"]);
            assert!(portolan_schema::Field::is_path_safe(name), "{name}");
        }
    }
}

#[test]
fn the_reader_of_the_format_takes_every_object() {
    for line in std::str::from_utf8(&DOCUMENT).unwrap().lines().filter(|line| line.starts_with("{\"name\"")) {
        let object: portolan_schema::native::NativeObject =
            serde_json::from_str(line.trim_end_matches(',')).unwrap();
        let has = |name: &str| object.fields.iter().any(|field| field.name == name);
        assert!(object.name_field.as_deref().is_none_or(has), "{}'s name field", object.name);
        for field in object.fields.iter() {
            assert!(field.currency_field.as_deref().is_none_or(has), "{}.{}", object.name, field.name);
        }
    }
}

/// What a reader of extracts has to cope with, and what questions are made harder by.
#[test]
fn the_oddities_of_a_real_org_are_there() {
    let all: Vec<Value> = objects(&DOCUMENT).collect();
    let names: BTreeSet<&str> = all.iter().map(|object| object["name"].as_str().unwrap()).collect();
    let fields: Vec<(&Value, &Value)> = all
        .iter()
        .flat_map(|object| object["fields"].as_array().unwrap().iter().map(move |field| (object, field)))
        .collect();
    let references = |field: &Value| field.get("references").map(|all| all.as_array().unwrap().clone());
    let any_field = |what: &str, has: &dyn Fn(&Value, &Value) -> bool| {
        assert!(fields.iter().any(|(object, field)| has(object, field)), "no field {what}");
    };
    any_field("points at its own object", &|object, field| {
        references(field).is_some_and(|targets| targets.contains(&object["name"]))
    });
    any_field("points at seven objects", &|_, field| references(field).is_some_and(|all| all.len() == 7));
    any_field("points at nothing in the extract", &|_, field| {
        references(field).is_some_and(|all| all.iter().all(|name| !names.contains(name.as_str().unwrap())))
    });
    for script in ['ß', 'é', '担', 'Ν', 'م', '⭐'] {
        any_field(&format!("has {script} in its label"), &|_, field| {
            field["label"].as_str().unwrap().contains(script)
        });
    }
    for kind in portolan_schema::FieldType::ALL {
        any_field(&format!("is of type {kind}"), &|_, field| field["type"] == kind.as_str());
    }
    assert!(all.iter().any(|object| object["queryable"] == false), "no object can't be queried");

    let text = std::str::from_utf8(&DOCUMENT).unwrap();
    for odd in [
        "\"label\":null",
        "\\\"",
        "\\\\",
        "\\n",
        "\\t",
        "{[}]",
        "<dana.whitfield@example.com>",
        "\"default\":\"",
    ] {
        assert!(text.contains(odd), "no {odd} anywhere");
    }
}

#[test]
fn the_committed_extract_is_the_generated_one() {
    let path = of_workspace(COMMITTED);
    assert!(path.exists(), "{COMMITTED} is missing; write it with `{REGENERATE}`");
    assert!(decompress(&path) == *DOCUMENT, "{COMMITTED} is stale; rewrite it with `{REGENERATE}`");
}

fn decompress(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn the_extract_has_the_size_of_a_real_one() {
    let (mut fields, mut picklists) = (0, 0);
    for object in objects(&DOCUMENT) {
        for field in object["fields"].as_array().unwrap() {
            fields += 1;
            picklists += field.get("picklist").map_or(0, |values| values.to_string().len());
        }
    }
    assert_eq!(objects(&DOCUMENT).count(), 530);
    near("fields", fields, 13_000, 1.0);
    near("bytes", DOCUMENT.len(), 19_300_000, 2.0);
    let share = picklists as f64 / DOCUMENT.len() as f64;
    assert!((0.785..=0.815).contains(&share), "picklist values are {share:.3} of the bytes");
}

#[test]
fn what_the_committed_filter_keeps_has_its_shape() {
    let filter = Filter::committed();
    let kept = filter.keep(&DOCUMENT);
    assert_eq!(kept.len(), filter.objects.len(), "an allowlisted object is missing or listed twice");
    assert_eq!(kept.len(), 85);

    let mut widths: Vec<usize> = kept.values().map(Vec::len).collect();
    widths.sort_unstable();
    near("kept fields", widths.iter().sum(), 3482, 2.0);
    near("the median of fields", widths[widths.len() / 2], 30, 2.0);
    near("the widest object", widths[widths.len() - 1], 232, 2.0);

    let targets = |field: &Value| -> Vec<String> {
        let all = field.get("references").and_then(Value::as_array).into_iter().flatten();
        all.map(|target| target.as_str().unwrap().to_owned())
            .filter(|target| kept.contains_key(target))
            .collect()
    };
    let edges: Vec<String> = kept.values().flatten().flat_map(targets).collect();
    near("edges", edges.len(), 366, 2.0);
    near("objects with back references", edges.iter().collect::<BTreeSet<_>>().len(), 49, 2.0);

    let bytes = kept.values().flatten().map(|field| line(field, &targets(field)).len()).sum();
    near("bytes of kept fields", bytes, 487_000, 2.0);
}

#[track_caller]
fn near(what: &str, found: usize, expected: usize, percent: f64) {
    let off = (found as f64 / expected as f64 - 1.0) * 100.0;
    assert!(off.abs() <= percent, "{what}: {found}, which is {off:+.2} % off {expected}");
}

/// A kept field as a line of the artifact's JSON.
fn line(field: &Value, targets: &[String]) -> String {
    let is_link = field["type"] == "reference" && !targets.is_empty();
    let kind = if field["type"] == "reference" && !is_link { "id" } else { field["type"].as_str().unwrap() };
    let mut kept = json!({ "name": field["name"], "label": field["label"], "type": kind });
    let native = field.get("nativeType").unwrap_or(&field["type"]);
    if native != kind {
        kept["nativeType"] = native.clone();
    }
    if is_link {
        kept["references"] = json!(targets);
    }
    for (flags, usual) in
        [(["required", "unique", "calculated"], false), (["filterable", "sortable", "groupable"], true)]
    {
        for flag in flags.into_iter().filter(|flag| field[flag] != usual) {
            kept[flag] = field[flag].clone();
        }
    }
    for key in ["length", "precision", "scale", "currencyField"] {
        if let Some(value) = field.get(key) {
            kept[key] = value.clone();
        }
    }
    format!("   {kept},\n")
}

#[test]
fn every_rule_of_the_committed_filter_does_something() {
    let filter = Filter::committed();
    let all: Vec<Value> = objects(&DOCUMENT).collect();
    let names: Vec<&str> = all.iter().map(|object| object["name"].as_str().unwrap()).collect();
    for pattern in &filter.object_patterns {
        assert!(names.iter().any(|name| matches(pattern, name)), "no object matches {pattern}");
        let clash = filter.objects.iter().find(|name| matches(pattern, name));
        assert_eq!(clash, None, "allowlisted, but matches {pattern}");
    }

    let allowed = all.iter().filter(|object| filter.objects.contains(object["name"].as_str().unwrap()));
    let fields: Vec<(&str, &str)> = allowed
        .flat_map(|object| object["fields"].as_array().unwrap().iter().map(move |field| (object, field)))
        .map(|(object, field)| (object["name"].as_str().unwrap(), field["name"].as_str().unwrap()))
        .collect();
    for rule in &filter.field_rules {
        assert!(fields.iter().any(|(_, name)| matches(rule, name)), "no field matches {rule}");
        let double = filter.field_rules.iter().filter(|other| *other != rule && matches(other, rule));
        assert_eq!(double.count(), 0, "{rule} is covered by a pattern");
    }
    for (object, name) in &filter.kept {
        assert!(fields.contains(&(object, name)), "{object} has no field {name} to keep");
        assert!(filter.blocks(name), "nothing takes out {object}.{name}");
    }
    for (object, name) in &filter.dropped {
        assert!(fields.contains(&(object, name)), "{object} has no field {name} to drop");
        assert!(!filter.blocks(name), "{object}.{name} is taken out already");
    }
}

#[test]
fn the_committed_profile_names_what_is_kept() {
    let allowlist = table("allowlist.toml");
    let kept = Filter::committed().keep(&DOCUMENT);
    let field = |object: &str, field: &str| {
        assert!(kept[object].iter().any(|kept| kept["name"] == field), "{object}.{field} isn't kept");
    };
    let rep = &allowlist["profiles"]["rep"];
    let objects = texts(&rep["objects"]);
    assert!(objects.iter().all(|name| kept.contains_key(name)), "{objects:?}");
    for path in texts(&rep["drop"]) {
        let (object, name) = path.split_once('.').unwrap();
        assert!(objects.contains(object), "{path}");
        field(object, name);
    }
    for (object, conditions) in rep["rows"].as_table().unwrap() {
        assert!(objects.contains(object), "{object}");
        for condition in conditions.as_array().unwrap() {
            field(object, condition["field"].as_str().unwrap());
        }
    }
}

/// What the committed `allowlist.toml` and `blocklist.toml` say.
struct Filter {
    objects: BTreeSet<String>,
    object_patterns: BTreeSet<String>,
    /// Exact names and patterns alike.
    field_rules: BTreeSet<String>,
    kept: BTreeSet<(String, String)>,
    dropped: BTreeSet<(String, String)>,
}

impl Filter {
    fn committed() -> Self {
        let (allowlist, blocklist) = (table("allowlist.toml"), table("blocklist.toml"));
        let exceptions = |key: &str| {
            let objects = allowlist["fields"].as_table().unwrap().iter();
            objects
                .filter_map(|(object, rules)| Some((object, rules.get(key)?)))
                .flat_map(|(object, names)| texts(names).into_iter().map(|name| (object.clone(), name)))
                .collect()
        };
        let fields = &blocklist["fields"];
        Self {
            objects: texts(&allowlist["objects"]),
            object_patterns: texts(&blocklist["objects"]["patterns"]),
            field_rules: texts(&fields["exact"]).into_iter().chain(texts(&fields["patterns"])).collect(),
            kept: exceptions("keep"),
            dropped: exceptions("drop"),
        }
    }

    fn blocks(&self, field: &str) -> bool {
        self.field_rules.iter().any(|rule| matches(rule, field))
    }

    /// The fields that are kept, by object.
    fn keep(&self, document: &[u8]) -> BTreeMap<String, Vec<Value>> {
        let mut kept = BTreeMap::new();
        for mut object in objects(document) {
            let name = object["name"].as_str().unwrap().to_owned();
            if !self.objects.contains(&name) {
                continue;
            }
            let mut fields = std::mem::take(object["fields"].as_array_mut().unwrap());
            fields.retain(|field| {
                let field = field["name"].as_str().unwrap();
                let key = (name.clone(), field.to_owned());
                (!self.blocks(field) || self.kept.contains(&key)) && !self.dropped.contains(&key)
            });
            assert!(kept.insert(name, fields).is_none());
        }
        kept
    }
}

fn table(path: &str) -> toml::Table {
    fs::read_to_string(of_workspace(path)).unwrap().parse().unwrap()
}

/// A list of strings, none of them twice.
fn texts(list: &toml::Value) -> BTreeSet<String> {
    let list = list.as_array().unwrap();
    let texts: BTreeSet<String> = list.iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    assert_eq!(texts.len(), list.len(), "{list:?}");
    texts
}

/// Whether a name is what a pattern describes. The committed ones have stars only at their ends.
fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => name.contains(pattern.trim_matches('*')),
        (Some(end), None) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => name == pattern,
    }
}
