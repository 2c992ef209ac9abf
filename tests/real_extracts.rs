//! Real orgs' metadata, in `../shared/extracts`: what the compiler counts is what a Python program
//! counts that shares no code with it, and what the issue says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use portolan_schema::ClosedSchema;
use serde_json::Value;

use crate::runtime::check_budgets;
use crate::support::{Org, has, isolated, shared, workspace};

/// An extract, and what Python counts in it.
struct Counted {
    folder: PathBuf,
    counts: Value,
}

impl Counted {
    fn new(extract: &str, script: &str) -> Option<Self> {
        let folder = shared(&format!("extracts/{extract}"))?;
        if !has("python3", &["--version"]) {
            return None;
        }
        let script = workspace().join("tests/counts").join(script);
        let output = isolated("python3", &folder).arg(script).arg(&folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(Self { folder, counts: serde_json::from_slice(&output.stdout).unwrap() })
    }

    fn count(&self, of: &str) -> u64 {
        self.counts[of].as_u64().unwrap_or_else(|| panic!("Python counts no {of}"))
    }

    fn objects(&self) -> Vec<String> {
        self.counts["per_object"].as_object().unwrap().keys().cloned().collect()
    }

    fn missing(&self) -> BTreeSet<&str> {
        self.counts["missing_target_names"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
    }
}

/// Builds with those objects on the allowlist.
fn build<S: AsRef<str>>(folder: &Path, objects: &[S]) -> Org {
    let org = Org::new(objects);
    org.run(&[folder]).expect(0, &[]);
    org
}

/// The objects of `schema.json` by name.
type Objects = BTreeMap<String, Fields>;

/// How many fields an object has, and of those with targets the name and the targets.
type Fields = (u64, Vec<(String, BTreeSet<String>)>);

fn fields_of(schema: &Value) -> Objects {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let objects = array(&schema["objects"]).into_iter().map(|object| {
        let fields = array(&object["fields"]);
        let references = fields.iter().filter(|field| field.get("references").is_some());
        let references = references
            .map(|field| (text(&field["name"]), array(&field["references"]).iter().map(text).collect()))
            .collect();
        (text(&object["name"]), (fields.len() as u64, references))
    });
    objects.collect()
}

/// Builds with every object, and compares with Python's counts. `numbers` are the issue's: objects,
/// fields, reference fields, targets, self references.
fn check_all(counted: &Counted, numbers: [u64; 5]) -> Org {
    let org = build(&counted.folder, &counted.objects());
    let report = &org.json("artifacts/manifest.json")["report"];
    let [objects, fields, references, targets, selves] = numbers;
    for (name, expected) in [
        ("objects", objects),
        ("fields", fields),
        ("reference_fields", references),
        ("targets", targets),
        ("self_references", selves),
    ] {
        assert_eq!(counted.count(name), expected, "Python's {name}");
    }
    assert_eq!(report["objects"]["before"], objects, "objects read");
    assert_eq!(report["objects"]["after"], objects, "objects kept");
    assert_eq!(report["fields"]["before"], fields, "fields read");
    assert_eq!(report["fields"]["after"], fields, "fields kept");
    assert_eq!(report["edges"]["before"], targets, "targets read");
    assert_eq!(report["picklists"]["values"], counted.count("picklist_values"), "picklist values");
    // An object that describeGlobal lists and nothing describes is in the extract, by name.
    let targets_lost = ["notInExtract", "wouldRestore"].map(|list| report[list].as_array().unwrap());
    let missing: BTreeSet<&str> =
        targets_lost.into_iter().flatten().map(|each| each["object"].as_str().unwrap()).collect();
    assert_eq!(missing, counted.missing(), "objects that are pointed at and not described");
    let lost = ["notInExtract", "outsideAllowlist"].map(|why| report["droppedEdges"][why].as_u64().unwrap());
    let lost: u64 = lost.iter().sum();
    assert_eq!(report["edges"]["after"], targets - lost, "edges kept");

    let found = fields_of(&org.json("artifacts/schema.json"));
    let per_object = counted.counts["per_object"].as_object().unwrap();
    assert_eq!(found.len(), per_object.len(), "objects in schema.json");
    for (name, counts) in per_object {
        assert_eq!(found[name].0, counts["fields"], "fields of {name}");
    }
    let points_at = |(name, targets): (&String, &BTreeSet<String>)| u64::from(targets.contains(name));
    let found_selves: u64 = found
        .iter()
        .flat_map(|(name, (_, references))| {
            references.iter().map(move |(_, targets)| points_at((name, targets)))
        })
        .sum();
    assert_eq!(found_selves, selves, "references of an object to itself");
    check_closed(&org.artifact().schema);
    check_budgets(&org);
    org
}

/// Every reference leads to an object that is there, and is one of its back references; and no others are.
fn check_closed(schema: &ClosedSchema) {
    let mut forward = BTreeSet::new();
    for object in schema.objects() {
        for field in &object.fields {
            for target in &field.references {
                assert!(schema.object(target).is_some(), "{}.{} dangles: {target}", object.name, field.name);
                forward.insert((target.clone(), format!("{}.{}", object.name, field.name)));
            }
        }
    }
    let back = schema.iter().flat_map(|(object, back)| {
        back.iter().map(move |back| (object.name.clone(), format!("{}.{}", back.object, back.field)))
    });
    let back: Vec<_> = back.collect();
    assert_eq!(back.len(), forward.len(), "as many back references as references");
    assert_eq!(back.into_iter().collect::<BTreeSet<_>>(), forward, "the same edges in both directions");
}

#[test]
fn describe_results_of_cumulusci() {
    let Some(counted) = Counted::new("salesforce-describe-cumulusci", "describe.py") else { return };
    let org = check_all(&counted, [8, 318, 54, 137, counted.count("self_references")]);
    let manifest = org.json("artifacts/manifest.json");
    let skipped: Vec<&str> = manifest["report"]["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|each| each["reason"].as_str())
        .collect();
    assert!(skipped.contains(&"a record, not the metadata of an object"), "{skipped:?}");
    org.run(&[&counted.folder]).expect(0, &["Organization.json"]);

    // describeGlobal's 110 names are known, each by name only.
    let global = std::fs::read(counted.folder.join("Global_describe.json")).unwrap();
    let global: Value = serde_json::from_slice(&global).unwrap();
    let listed = global["sobjects"].as_array().or_else(|| global["result"]["sobjects"].as_array()).unwrap();
    let names: BTreeSet<&str> = listed.iter().map(|object| object["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 110, "names in describeGlobal");
    let described: BTreeSet<String> = counted.objects().into_iter().collect();
    let by_name_only: Vec<&str> = names.into_iter().filter(|name| !described.contains(*name)).collect();
    org.allow(&by_name_only);
    let run = org.run(&[&counted.folder]);
    run.expect(2, &["nothing was written"]);
    for name in by_name_only {
        assert!(run.err.contains(&format!("the extract lists '{name}' by name only")), "{name} isn't known");
    }
}

#[test]
fn source_of_npsp() {
    let Some(counted) = Counted::new("salesforce-dx-npsp", "dx.py") else { return };
    assert_eq!(counted.count("master_detail"), 9);
    assert_eq!(counted.count("metadata_relationships"), 18);
    let org = check_all(&counted, [65, 765, 77, 77, 4]);
    let native_types = |kind: &str| {
        let objects = org.artifact().schema;
        let fields = objects.objects().iter().flat_map(|object| &object.fields);
        fields.filter(|field| field.native_type.as_ref() == kind).count() as u64
    };
    assert_eq!(native_types("MasterDetail"), 9);
    assert_eq!(native_types("MetadataRelationship"), 18);
}

#[test]
fn source_of_eda() {
    let Some(counted) = Counted::new("salesforce-dx-eda", "dx.py") else { return };
    let org = check_all(&counted, [40, 444, 69, 69, 4]);
    assert_eq!(counted.count("missing_targets"), 0, "nothing is missing");
    assert_eq!(org.artifact().schema.edge_count(), 69, "no edge is dropped");
}

#[test]
fn a_part_of_npsp_is_closed() {
    let Some(counted) = Counted::new("salesforce-dx-npsp", "dx.py") else { return };
    let all = counted.objects();
    let whole = fields_of(&build(&counted.folder, &all).json("artifacts/schema.json"));
    // The twenty with the most references, so that there is something to drop.
    let mut part = all.clone();
    part.sort_by_key(|name| std::cmp::Reverse(counted.counts["per_object"][name]["references"].as_u64()));
    part.truncate(20);
    let kept: BTreeSet<&String> = part.iter().collect();
    let org = build(&counted.folder, &part);
    check_closed(&org.artifact().schema);

    let found = fields_of(&org.json("artifacts/schema.json"));
    let pairs = |objects: &Objects| -> BTreeSet<(String, String, String)> {
        let mut pairs = BTreeSet::new();
        for (object, (_, references)) in objects.iter().filter(|(object, _)| kept.contains(object)) {
            for (field, targets) in references {
                pairs.extend(targets.iter().map(|target| (object.clone(), field.clone(), target.clone())));
            }
        }
        pairs
    };
    let (before, after) = (pairs(&whole), pairs(&found));
    let expected: BTreeSet<_> =
        before.iter().filter(|(_, _, target)| kept.contains(target)).cloned().collect();
    assert_eq!(after, expected, "what is left is what leads to a kept object");
    assert!(after.len() < before.len(), "nothing was dropped: a poor test");

    let report = &org.json("artifacts/manifest.json")["report"];
    let references =
        part.iter().map(|name| counted.counts["per_object"][name]["references"].as_u64().unwrap());
    let dropped =
        ["outsideAllowlist", "notInExtract"].map(|why| report["droppedEdges"][why].as_u64().unwrap());
    // No field of NPSP has more than one target: Python's references are edges.
    assert_eq!(after.len() as u64 + dropped.iter().sum::<u64>(), references.sum::<u64>(), "edges in all");
    assert_eq!(dropped[0], (before.len() - after.len()) as u64, "edges to objects outside the allowlist");
    let fields: u64 =
        part.iter().map(|name| counted.counts["per_object"][name]["fields"].as_u64().unwrap()).sum();
    assert_eq!(report["fields"]["after"], fields, "fields kept");
    assert_eq!(report["edges"]["after"], after.len() as u64, "edges kept");
    for each in report["wouldRestore"].as_array().unwrap() {
        let target = each["object"].as_str().unwrap().to_owned();
        assert!(all.contains(&target) && !kept.contains(&target), "{target} can't be restored");
    }
    for each in report["notInExtract"].as_array().unwrap() {
        assert!(!all.contains(&each["object"].as_str().unwrap().to_owned()), "{each} is in the extract");
    }
}
