//! Invariant 1: a schema is closed, and its back references are the inverse of its references.

use std::collections::BTreeSet;

use portolan_schema::{ClosedSchema, Field, FieldType, Object, PathProblem, Violation, arbitrary};
use proptest::prelude::*;

proptest! {
    #[test]
    fn back_references_are_the_inverse_of_references(schema in arbitrary::closed_schema(8)) {
        let mut forward = BTreeSet::new();
        for object in schema.objects() {
            for field in &object.fields {
                for target in &field.references {
                    prop_assert!(schema.object(target).is_some(), "{target} is not in the schema");
                    forward.insert((target.clone(), object.name.clone(), field.name.clone()));
                }
            }
        }
        let backward: BTreeSet<_> = schema
            .iter()
            .flat_map(|(object, back)| back.iter().map(|back| (object.name.clone(), back.object.clone(), back.field.clone())))
            .collect();
        prop_assert_eq!(schema.edge_count(), backward.len());
        prop_assert_eq!(forward, backward);
    }

    #[test]
    fn the_order_of_objects_doesnt_matter(schema in arbitrary::closed_schema(6)) {
        let reversed = schema.objects().iter().rev().cloned().collect();
        let reversed = ClosedSchema::new(reversed).unwrap();
        prop_assert!(schema.iter().eq(reversed.iter()));
    }

    #[test]
    fn removing_a_target_breaks_it(schema in arbitrary::closed_schema(6)) {
        for (object, back) in schema.iter() {
            let others = || schema.objects().iter().filter(|other| other.name != object.name).cloned().collect();
            let from_others = back.iter().any(|back| back.object != object.name);
            prop_assert_eq!(ClosedSchema::new(others()).is_err(), from_others);
        }
    }
}

fn object(name: &str, fields: Vec<Field>) -> Object {
    Object { name: name.into(), fields, ..Object::default() }
}

fn reference(name: &str, targets: &[&str]) -> Field {
    let references = targets.iter().map(|target| (*target).to_owned()).collect();
    Field { references, ..Field::new(name, FieldType::Reference) }
}

#[test]
fn every_violation_is_reported() {
    let broken = vec![
        object("", vec![]),
        object("a", vec![Field::new("x.y", FieldType::Text), reference("to", &[])]),
        object("b", vec![Field::new("x", FieldType::Text), Field::new("x", FieldType::Text)]),
        object("b", vec![reference("to", &["z", "a"])]),
        Object { name_field: Some("n".into()), ..object("c", vec![]) },
    ];
    let violations = ClosedSchema::new(broken).unwrap_err();
    let expected = [
        Violation::DuplicateObject("b".into()),
        Violation::UnnamedObject,
        Violation::ReferenceToNothing("a".into(), "to".into()),
        Violation::UnsafeFieldName("a".into(), "x.y".into()),
        Violation::DuplicateField("b".into(), "x".into()),
        Violation::UnorderedTargets("b".into(), "to".into()),
        Violation::DanglingReference("b".into(), "to".into(), "z".into()),
        Violation::MissingRole("c".into(), "n".into(), "name"),
    ];
    assert_eq!(violations, expected);
}

#[test]
fn paths_follow_the_graph() {
    let schema = ClosedSchema::new(vec![
        object("contact", vec![reference("account", &["account"]), reference("owner", &["queue", "user"])]),
        object("account", vec![Field::new("region", FieldType::Text), reference("parent", &["account"])]),
        object("user", vec![Field::new("email", FieldType::Email)]),
        object("queue", vec![]),
    ])
    .unwrap();
    let found = |path| {
        schema.resolve_path("contact", path).map(|(object, field)| format!("{}.{}", object.name, field.name))
    };
    assert_eq!(found("account").unwrap(), "contact.account");
    assert_eq!(found("account.parent.parent.region").unwrap(), "account.region");
    assert_eq!(found("owner[user].email").unwrap(), "user.email");
    assert_eq!(
        found("owner.email").unwrap_err().to_string(),
        "'contact.owner' doesn't lead to one object: it points at queue, user; write 'owner[queue]'"
    );
    assert_eq!(
        found("account.region.name").unwrap_err().to_string(),
        "'account.region' doesn't lead to one object: it is not a reference"
    );
    assert!(
        matches!(found("account.nope").unwrap_err(), PathProblem::NoField { object, .. } if object == "account")
    );
    assert!(matches!(found("owner[account].email").unwrap_err(), PathProblem::NoSuchHop { .. }));
    for empty in ["", ".", "account.", "account[account]", "owner[", "[user]", "]"] {
        assert!(found(empty).is_err(), "{empty:?}");
    }
}

#[test]
fn a_name_that_no_system_has_is_refused() {
    let object = |name: String, field: String| Object {
        name,
        fields: vec![Field::new(field, FieldType::Text)],
        ..Object::default()
    };
    let longest = "é".repeat(127);
    assert!(ClosedSchema::new(vec![object(longest.clone(), longest.clone())]).is_ok());
    let longer = format!("{longest}ab");
    let refused =
        ClosedSchema::new(vec![object(longer.clone(), "a".into()), object("b".into(), longer.clone())]);
    assert_eq!(
        refused.unwrap_err(),
        [Violation::NameTooLong(longer.clone()), Violation::NameTooLong(longer)]
    );
}
