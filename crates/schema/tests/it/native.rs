//! The extract format's typed structs and its published JSON Schema say the same.

use std::path::Path;

use portolan_schema::native::NativeObject;
use serde_json::{Value, json};

fn validator() -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/native-extract.schema.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn full_field() -> Value {
    json!({
        "name": "amount", "label": "Amount", "type": "currency", "nativeType": "money", "references": ["account"],
        "relationshipName": "Account", "required": true, "unique": true, "calculated": false, "filterable": true,
        "sortable": false, "groupable": null, "length": 18, "precision": 18, "scale": 2, "currencyField": "code",
        "description": "Help", "stableId": "f1", "picklist": [{ "value": "a", "label": null }], "default": { "any": 1 }
    })
}

fn full_object() -> Value {
    json!({
        "name": "order", "label": "Order", "description": "Help", "stableId": "o1", "queryable": true,
        "nameField": "amount", "fields": [full_field()]
    })
}

/// Whether the schema and the structs take an object; they must agree.
fn is_taken(object: &Value) -> bool {
    let document = json!({ "format": "portolan-extract/1", "objects": [object] });
    let by_schema = validator().is_valid(&document);
    let text = object.to_string();
    let by_structs = serde_json::from_str::<NativeObject<'_>>(&text).is_ok();
    assert_eq!(by_schema, by_structs, "{object}");
    by_schema
}

#[test]
fn every_key_is_taken() {
    assert!(is_taken(&full_object()));
    assert!(is_taken(&json!({ "name": "order" })));
    assert!(is_taken(&json!({ "name": "order", "fields": [{ "name": "id", "type": "id" }] })));
}

#[test]
fn a_key_of_a_wrong_type_is_refused() {
    for (key, value) in full_field().as_object().unwrap() {
        if ["picklist", "default"].contains(&key.as_str()) {
            continue;
        }
        let wrong = if value.is_object() { json!("text") } else { json!({ "an": "object" }) };
        let mut object = full_object();
        object["fields"][0][key] = wrong;
        assert!(!is_taken(&object), "{key}");
    }
    for key in full_object().as_object().unwrap().keys() {
        let mut object = full_object();
        object[key] = json!(7);
        assert!(!is_taken(&object), "{key}");
    }
}

#[test]
fn what_must_be_there_and_what_must_not() {
    let mut unknown = full_object();
    unknown["fields"][0]["lable"] = json!("Amount");
    assert!(!is_taken(&unknown));
    let mut untyped = full_object();
    untyped["fields"][0].as_object_mut().unwrap().remove("type");
    assert!(!is_taken(&untyped));
    let mut other_type = full_object();
    other_type["fields"][0]["type"] = json!("colour");
    assert!(!is_taken(&other_type));
}
