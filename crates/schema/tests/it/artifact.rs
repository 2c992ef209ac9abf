//! Invariant 4: what is encoded decodes to itself, and nothing damaged decodes to anything.
//! Invariant 5: files of older formats still load, newer ones are refused.

use std::ops::Range;
use std::path::Path;

use portolan_schema::arbitrary;
use portolan_schema::artifact::{
    Artifact, ArtifactError, FORMAT_VERSION, HEADER_LEN, Header, Index, Record, decode, encode, upgrade,
};
use portolan_schema::query::Op;
use portolan_schema::{
    ClosedSchema, Field, FieldType, Object, Operand, Profile, RowCondition, RowOp, Task, TaskArgument,
    TaskCondition, TaskQuery, TaskRelated, Version,
};
use proptest::prelude::*;
use proptest::sample;

fn same(a: &Artifact, b: &Artifact) -> bool {
    (&a.version, &a.profiles, &a.tasks) == (&b.version, &b.profiles, &b.tasks)
        && a.schema.iter().eq(b.schema.iter())
}

fn part(bytes: &[u8], range: Range<u64>) -> &[u8] {
    &bytes[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()]
}

proptest! {
    #[test]
    fn decodes_to_what_was_encoded(artifact in arbitrary::artifact(6)) {
        let encoded = encode(&artifact);
        let decoded = decode(&encoded.bytes).unwrap();
        prop_assert!(same(&artifact, &decoded));
        prop_assert_eq!(encode(&decoded).bytes, encoded.bytes);
    }

    #[test]
    fn one_record_read_alone_is_the_record_of_the_whole(artifact in arbitrary::artifact(6)) {
        let bytes = encode(&artifact).bytes;
        let header = Header::parse(&bytes[..HEADER_LEN]).unwrap();
        let index = Index::read(&bytes[..header.index_end()]).unwrap();
        prop_assert_eq!(index.entries().len(), artifact.schema.objects().len());
        for (object, back) in artifact.schema.iter() {
            let entry = index.find(&object.name).unwrap();
            let record = index.record(entry, part(&bytes, entry.range())).unwrap();
            prop_assert_eq!(&record.object, object);
            prop_assert_eq!(record.referenced_by, back);
        }
        let profiles = index.profiles(part(&bytes, index.profiles_range())).unwrap();
        let named: Vec<_> = profiles.into_iter().map(|compiled| compiled.profile).collect();
        prop_assert_eq!(named, artifact.profiles);
        let tasks = index.tasks(part(&bytes, index.tasks_range())).unwrap();
        prop_assert_eq!(tasks, artifact.tasks);
    }

    /// What a profile's callers see is a closed schema itself, and what is compiled for them is counted
    /// and hashed over that alone.
    #[test]
    fn what_a_profile_sees_is_closed(artifact in arbitrary::artifact(6)) {
        let bytes = encode(&artifact).bytes;
        let index = Index::read(&bytes).unwrap();
        for compiled in index.profiles(part(&bytes, index.profiles_range())).unwrap() {
            let profile = &compiled.profile;
            let records = artifact.schema.iter().filter_map(|(object, back)| {
                profile.cut(Record { object: object.clone(), referenced_by: back.to_vec() })
            });
            let records: Vec<Record> = records.collect();
            let seen = ClosedSchema::new(records.iter().map(|record| record.object.clone()).collect()).unwrap();
            prop_assert!(seen.objects().iter().map(|object| &object.name).eq(&profile.objects));
            for (record, (object, back)) in records.iter().zip(seen.iter()) {
                prop_assert_eq!(&record.referenced_by, back);
                for field in profile.hidden.get(&object.name).into_iter().flatten() {
                    prop_assert!(object.field(field).is_none());
                }
            }
            let alone = Artifact { version: artifact.version.clone(), schema: seen, profiles: vec![], tasks: Vec::new() };
            let alone = encode(&alone).bytes;
            let alone = Index::read(&alone).unwrap();
            let connections: Vec<_> = alone
                .entries()
                .iter()
                .map(|entry| (entry.name.clone(), entry.references + entry.referenced_by))
                .collect();
            prop_assert_eq!(compiled.connections.into_iter().collect::<Vec<_>>(), connections);
        }
    }

    /// A profile's hash tells whether its callers see the same, and nothing of what they don't see.
    #[test]
    fn a_profiles_hash_is_of_what_it_sees(artifact in arbitrary::artifact(6)) {
        let hash = |schema: &ClosedSchema, profile: &Profile| {
            let artifact = Artifact {
                version: Version::new(1, 0, 0),
                schema: schema.clone(),
                profiles: vec![Profile { rows: [].into(), ..profile.clone() }],
                tasks: vec![],
            };
            let bytes = encode(&artifact).bytes;
            let index = Index::read(&bytes).unwrap();
            index.profiles(part(&bytes, index.profiles_range())).unwrap().remove(0).content
        };
        for profile in &artifact.profiles {
            let records = artifact.schema.iter().filter_map(|(object, back)| {
                profile.cut(Record { object: object.clone(), referenced_by: back.to_vec() })
            });
            let seen = ClosedSchema::new(records.map(|record| record.object).collect()).unwrap();
            let all = Profile { hidden: [].into(), ..profile.clone() };
            prop_assert_eq!(hash(&artifact.schema, profile), hash(&seen, &all));
            if let Some(object) = seen.objects().first() {
                let mut objects = seen.objects().to_vec();
                objects[0].label = format!("{}!", object.label);
                let changed = ClosedSchema::new(objects).unwrap();
                prop_assert_ne!(hash(&changed, &all), hash(&seen, &all));
            }
        }
    }

    #[test]
    fn one_changed_bit_is_an_error(artifact in arbitrary::artifact(4), at: sample::Index, bit in 0..8) {
        let mut bytes = encode(&artifact).bytes;
        let at = at.index(bytes.len());
        bytes[at] ^= 1u8 << bit;
        prop_assert!(decode(&bytes).is_err());
    }

    #[test]
    fn a_part_of_a_file_is_an_error(artifact in arbitrary::artifact(4), at: sample::Index) {
        let bytes = encode(&artifact).bytes;
        prop_assert!(decode(&bytes[..at.index(bytes.len())]).is_err());
    }

    #[test]
    fn a_file_with_more_behind_it_is_an_error(artifact in arbitrary::artifact(2), more in prop::collection::vec(any::<u8>(), 1..40)) {
        let mut bytes = encode(&artifact).bytes;
        bytes.extend(more);
        prop_assert!(decode(&bytes).is_err());
    }

    #[test]
    fn anything_is_decoded_without_a_panic(start in 0..3_usize, rest in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut bytes = [&b""[..], b"PORTOLAN\x01\0\0\0", b"PORTOLAN\x02\0\0\0"][start].to_vec();
        bytes.extend(rest);
        prop_assert!(decode(&bytes).is_err());
    }

    #[test]
    fn equal_content_is_equal_whatever_the_version(artifact in arbitrary::artifact(4)) {
        let other = Artifact { version: Version::new(9, 9, 9), ..artifact.clone() };
        prop_assert_eq!(encode(&artifact).content, encode(&other).content);
    }

    #[test]
    fn other_content_has_another_hash(one in arbitrary::artifact(3), other in arbitrary::artifact(3)) {
        // Each part changed alone, beside two artifacts that have nothing in common.
        let tasks = Artifact { tasks: other.tasks.clone(), ..one.clone() };
        let profiles = Artifact { profiles: other.profiles.clone(), ..one.clone() };
        for changed in [&tasks, &profiles, &other] {
            let equal = same(&one, &Artifact { version: one.version.clone(), ..changed.clone() });
            prop_assert_eq!(encode(&one).content == encode(changed).content, equal);
        }
    }
}

#[test]
fn a_newer_format_is_refused_with_what_to_do() {
    let mut bytes = encode(&sample()).bytes;
    bytes[8..12].copy_from_slice(&(FORMAT_VERSION + 1).to_le_bytes());
    let refused = decode(&bytes).unwrap_err();
    assert!(matches!(refused, ArtifactError::TooNew(newer) if newer == FORMAT_VERSION + 1));
    assert!(refused.to_string().contains("use a newer Portolan"), "{refused}");
}

/// The frozen file of each format holds what it can of [`sample`]. It is written once, when the format is
/// published, by running this test with `FREEZE=1`, and never again.
#[test]
fn every_published_format_loads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen");
    if std::env::var_os("FREEZE").is_some() {
        let path = folder.join(format!("v{FORMAT_VERSION}.msgpack"));
        assert!(!path.exists(), "{} is frozen", path.display());
        std::fs::write(path, encode(&sample()).bytes).unwrap();
    }
    for version in 1..=FORMAT_VERSION {
        let bytes = std::fs::read(folder.join(format!("v{version}.msgpack"))).unwrap();
        let mut held = sample();
        if version == 1 {
            held.tasks.clear();
        }
        assert!(same(&decode(&bytes).unwrap(), &held), "format {version}");
        assert_eq!(*upgrade(&bytes).unwrap(), *encode(&held).bytes, "format {version}");
        let part = Index::read(&bytes);
        assert_eq!(part.is_ok(), version == FORMAT_VERSION, "format {version}");
        let mut damaged = bytes;
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        assert!(decode(&damaged).is_err(), "format {version}");
    }
}

/// An artifact with something in every place that the format has.
fn sample() -> Artifact {
    let user = Object {
        name: "user".into(),
        label: "Mitarbeiter·in".into(),
        queryable: true,
        id_field: Some("id".into()),
        name_field: Some("id".into()),
        fields: vec![Field { required: true, unique: true, ..Field::new("id", FieldType::Id) }],
        ..Object::default()
    };
    let order = Object {
        name: "sale.order".into(),
        label: "注文".into(),
        description: Some("What was ordered".into()),
        stable_id: Some("01I000".into()),
        queryable: false,
        fields: vec![
            Field {
                source_name: Some("total.amount".into()),
                label: "Total".into(),
                native_type: "money".into(),
                calculated: true,
                filterable: false,
                sortable: false,
                groupable: false,
                precision: Some(18),
                scale: Some(2),
                currency_field: Some("currency".into()),
                description: Some("Without tax".into()),
                stable_id: Some("00N000".into()),
                ..Field::new("total", FieldType::Currency)
            },
            Field { length: Some(3), ..Field::new("currency", FieldType::Picklist) },
            Field {
                references: vec!["sale.order".into(), "user".into()],
                relationship_name: Some("Owner".into()),
                ..Field::new("owner", FieldType::Reference)
            },
        ],
        ..Object::default()
    };
    let condition = RowCondition {
        field: "owner[user].id".into(),
        op: RowOp::In,
        operands: vec![Operand::Caller("id".into()), Operand::Literal("u1".into())],
    };
    let rep = Profile {
        name: "rep".into(),
        objects: ["sale.order".to_owned(), "user".to_owned()].into(),
        hidden: [("sale.order".to_owned(), ["total".to_owned()].into())].into(),
        rows: [("sale.order".to_owned(), vec![condition])].into(),
    };
    let schema = ClosedSchema::new(vec![order, user]).unwrap();
    Artifact { version: Version::new(1, 2, 3), schema, profiles: vec![rep], tasks: vec![brief()] }
}

/// A task with something in every place that a task has.
fn brief() -> Task {
    let condition = |on: &str, op, values: &[&str]| TaskCondition {
        on: on.into(),
        op,
        values: values.iter().map(|v| (*v).into()).collect(),
    };
    let list = TaskQuery {
        object: "sale.order".into(),
        fields: vec!["owner[user].id".into()],
        conditions: vec![condition("owner", Op::In, &["{user}", "u2"]), condition("total", Op::NotNull, &[])],
        any: vec![condition("total", Op::Between, &["1", "2"])],
        related: vec![TaskRelated {
            object: "sale.order".into(),
            field: "owner".into(),
            via: Some("owner".into()),
            exists: false,
            conditions: vec![condition("currency", Op::Eq, &["EUR"])],
        }],
        search: Some("{user}".into()),
        order_by: vec!["total desc".into()],
        limit: Some(20),
        ..TaskQuery::default()
    };
    let count = TaskQuery {
        object: "sale.order".into(),
        group_by: vec!["owner".into()],
        measures: vec!["count".into(), "sum(total)".into()],
        having: vec![condition("count", Op::Gt, &["1"])],
        ..TaskQuery::default()
    };
    Task {
        keyword: "brief".into(),
        title: "Briefing".into(),
        description: "Before a visit".into(),
        arguments: vec![TaskArgument { name: "user".into(), description: "Whose".into(), required: true }],
        prompt: "About {user}".into(),
        objects: vec!["sale.order".into()],
        queries: vec![list, count],
        answer: "Short".into(),
    }
}

/// A file with the right hashes may still have been made by hand.
#[test]
fn what_the_compiler_would_not_write_is_refused() {
    let check = |spoil: &dyn Fn(&mut Artifact), says: &str| {
        let mut artifact = sample();
        spoil(&mut artifact);
        let refused = decode(&encode(&artifact).bytes).unwrap_err().to_string();
        assert!(refused.contains(says), "{refused}");
    };
    check(&|artifact| artifact.profiles = vec![artifact.profiles[0].clone(); 2], "not in ascending order");
    check(&|artifact| artifact.profiles[0].name.clear(), "has no name");
    check(
        &|artifact| {
            artifact.profiles[0].objects.insert("ghost".into());
        },
        "permits 'ghost'",
    );
    check(
        &|artifact| {
            artifact.profiles[0].objects.remove("sale.order");
        },
        "doesn't permit",
    );
    check(
        &|artifact| {
            artifact.profiles[0].hidden.insert("user".into(), ["ghost".to_owned()].into());
        },
        "hides 'user.ghost'",
    );
    check(
        &|artifact| artifact.profiles[0].rows.get_mut("sale.order").unwrap()[0].field = "ghost".into(),
        "no field 'ghost'",
    );
    check(
        &|artifact| artifact.profiles[0].rows.get_mut("sale.order").unwrap()[0].operands.clear(),
        "with 0 values",
    );
    check(&|artifact| artifact.version.major = u64::MAX, "out of bounds");
    check(&|artifact| artifact.tasks = vec![artifact.tasks[0].clone(); 2], "not in ascending order");
    check(
        &|artifact| artifact.tasks[0].queries[0].fields.push("ghost".into()),
        "task 'brief', queries[0].fields[1]: object 'sale.order' has no field 'ghost'",
    );
    check(&|artifact| artifact.tasks[0].keyword = "../brief".into(), "'../brief' is no keyword");
    check(&|artifact| artifact.tasks[0].prompt.clear(), "the task has no 'prompt'");
    check(
        &|artifact| {
            let user = artifact.tasks[0].arguments[0].clone();
            artifact.tasks[0].arguments.push(user);
        },
        "the argument 'user' is there twice",
    );
}
