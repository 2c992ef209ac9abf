//! The sample org that the workspace's own filter files cut down: the shape that it is documented to
//! have, and the artifact that is committed.

use std::ops::RangeInclusive;

use crate::support::{Run, isolated, skipped, workspace, xtask};

#[test]
fn the_sample_org_has_its_documented_shape() {
    let out = tempfile::tempdir().unwrap();
    let committed = workspace().join("artifacts/schema.msgpack");
    let mut command = isolated(xtask(), workspace());
    command.args(["build-schema", "--out"]).arg(out.path());
    if committed.exists() {
        // Its version is its own history; from there on, it must come out the same.
        command.arg("--base").arg(&committed);
    }
    let run = Run::of(&command.output().unwrap());
    run.expect(0, &["written to"]);
    assert!(run.err.is_empty(), "the workspace's own filter files have findings:\n{}", run.err);

    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.path().join("manifest.json")).unwrap()).unwrap();
    let report = &manifest["report"];
    let within = |what: &str, value: &serde_json::Value, range: RangeInclusive<u64>| {
        let value = value.as_u64().unwrap_or_else(|| panic!("{what} is {value}"));
        assert!(range.contains(&value), "{what}: {value} is not within {range:?}");
    };
    within("objects before", &report["objects"]["before"], 530..=530);
    within("fields before", &report["fields"]["before"], 12_740..=13_260);
    within("objects kept", &report["objects"]["after"], 85..=85);
    within("fields kept", &report["fields"]["after"], 3_413..=3_551);
    within("the median", &report["medianFields"], 30..=30);
    within("the widest", &report["widest"]["fields"], 232..=232);
    within("edges kept", &report["edges"]["after"], 359..=373);
    within("objects with back references", &report["objectsWithBackReferences"], 49..=49);

    if !committed.exists() {
        return skipped("there is no committed artifact");
    }
    for file in ["schema.json", "manifest.json", "schema.msgpack"] {
        let read = |path: &std::path::Path| std::fs::read(path.join(file)).unwrap_or_default();
        let (made, there) = (read(out.path()), read(committed.parent().unwrap()));
        let unix = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        let same = made == there || file != "schema.msgpack" && unix(&made) == unix(&there);
        assert!(same, "artifacts/{file} is stale: cargo xtask build-schema");
    }
}
