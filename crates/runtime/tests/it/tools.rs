//! What the tools answer, as a model reads it.

use portolan_schema::{Field, FieldType};
use serde_json::json;

use crate::support::{
    answer, artifact, call, crm, field, full_session, object, reference, schemas, sent, session, wide,
};

#[test]
fn the_objects_of_a_crm() {
    let session = session(crm());
    let list = |arguments| call(&session, "list_objects", &arguments).to_string();
    insta::assert_snapshot!(list(json!({})), @r#"{"schema":"1.4.0","count":6,"of":6,"objects":{"customer":"Customer","order":"Order","order_line":"Order Line","queue":"Queue","shipment":"Delivery","user":"User"}}"#);
    insta::assert_snapshot!(list(json!({"search": "ORDER"})), @r#"{"schema":"1.4.0","count":2,"of":6,"objects":{"order":"Order","order_line":"Order Line"}}"#);
    insta::assert_snapshot!(list(json!({"search": "line order"})), @r#"{"schema":"1.4.0","count":1,"of":6,"objects":{"order_line":"Order Line"}}"#);
    insta::assert_snapshot!(list(json!({"search": "délivery"})), @r#"{"schema":"1.4.0","count":1,"of":6,"objects":{"shipment":"Delivery"}}"#);
    insta::assert_snapshot!(list(json!({"search": "Shipmnt"})), @r#"{"schema":"1.4.0","count":0,"of":6,"note":"No object's name or label holds 'Shipmnt'. `nearest` has the likeliest.","nearest":["shipment"],"objects":{}}"#);
}

#[test]
fn a_schema_in_its_compact_form() {
    let session = session(crm());
    insta::assert_snapshot!(call(&session, "get_object_schema", &json!({"objects": ["order"]})), @r#"{"schema":"1.4.0","objects":{"order":{"label":"Order","fieldCount":7,"fields":{"id":"id","text":"name","date":"placed_on","picklist":"status","currency":"total"},"references":{"customer":"customer","owner":["queue","user"]},"labels":{"placed_on":"Order Date"},"referencedBy":["order_line.order","shipment.order"]}}}"#);
    insta::assert_snapshot!(call(&session, "get_object_schema", &json!({"objects": ["order", "shipment", "ordr"]})), @r#"{"schema":"1.4.0","objects":{"shipment":{"label":"Delivery","fieldCount":3,"fields":{"id":"id","text":"name"},"references":{"order":"order"},"referencedBy":[]}},"alreadyFetched":["order"],"unknown":{"ordr":["order","order_line"]},"note":"Objects listed in `alreadyFetched` were returned earlier in this conversation. Read that response instead of asking again."}"#);
}

#[test]
fn a_schema_in_its_full_form() {
    let mut order =
        object("order", "Order", vec![field("total", FieldType::Currency), reference("owner", &["order"])]);
    order.queryable = false;
    for field in &mut order.fields {
        field.required = field.name == "total";
        field.filterable = field.name != "total";
        field.scale = (field.name == "total").then_some(2);
        field.description = (field.name == "owner").then(|| "Who \"sold\" it".to_owned());
    }
    let session = full_session(vec![order]);
    insta::assert_snapshot!(call(&session, "get_object_schema", &json!({"objects": ["order"]})), @r#"{"schema":"1.4.0","objects":{"order":{"label":"Order","queryable":false,"fieldCount":4,"fields":[{"name":"id","label":"Id","type":"id"},{"name":"name","label":"Name","type":"text"},{"name":"total","label":"Total","type":"currency","required":true,"filterable":false,"scale":2},{"name":"owner","label":"Owner","type":"reference","references":["order"],"description":"Who \"sold\" it"}],"referencedBy":["order.owner"]}}}"#);
    insta::assert_snapshot!(call(&session, "list_objects", &json!({})), @r#"{"schema":"1.4.0","count":1,"of":1,"objects":{"order":"Order"},"notQueryable":["order"]}"#);
}

#[test]
fn descriptions_that_the_owner_asked_for_are_sent() {
    let described = Field { description: Some("x".repeat(300)), ..field("total", FieldType::Currency) };
    let mut order = object("order", "Order", vec![described]);
    order.description = Some("What customers buy".to_owned());
    let answer = schemas(&session(vec![order]), &["order"]);
    assert_eq!(answer["objects"]["order"]["description"], "What customers buy");
    assert_eq!(answer["objects"]["order"]["descriptions"]["total"], format!("{}…", "x".repeat(200)));
}

#[test]
fn what_an_object_is_searched_for_is_counted() {
    let mut account = wide("account", 100);
    account.fields.push(field("close_date", FieldType::Date));
    account.fields.push(Field { label: "Expected Close".to_owned(), ..field("cf_7__c", FieldType::Date) });
    let task = object(
        "task",
        "Task",
        vec![reference("closed_account", &["account"]), reference("account", &["account"])],
    );
    let session = session(vec![account, task]);
    let search = |words: &str| {
        let found =
            answer(&session, "get_object_schema", &json!({"objects": ["account"], "field_search": words}));
        found["objects"]["account"].clone()
    };
    let close = search("close");
    assert_eq!(close["fields"], json!({"date": "close_date cf_7__c"}));
    assert_eq!(close["labels"], json!({"cf_7__c": "Expected Close"}));
    assert_eq!(close["matched"], 2);
    assert_eq!(close["referencedBy"], json!(["task.closed_account"]));
    let many = search("field");
    assert_eq!((&many["matched"], &many["showing"]), (&json!(100), &json!(20)));
    assert_eq!(many.get("referencedBy"), None);
    let none = search("clse_dte");
    assert_eq!(none["nearest"], json!(["close_date"]));
    assert_eq!(none["fields"], json!({}));
}

/// Two objects that read alike: nothing is guessed.
#[test]
fn a_name_that_could_be_two_is_neither() {
    let session = session(vec![object("Order", "Order", vec![]), object("order", "Order", vec![])]);
    let answer = schemas(&session, &["ORDER"]);
    assert_eq!(answer["unknown"], json!({"ORDER": ["Order", "order"]}));
    assert_eq!(sent(&schemas(&session, &["order"])), ["order"]);
}

/// A label counts only where no name reads like it.
#[test]
fn a_name_goes_before_a_label() {
    let session = session(vec![object("invoice", "Order", vec![]), object("order", "Purchase", vec![])]);
    let answer = schemas(&session, &["Order", "purchase"]);
    assert_eq!(sent(&answer), ["order"]);
    assert_eq!(answer["understood"], json!({"Order": "order", "purchase": "order"}));
}

#[test]
fn an_answer_says_what_stands_for_the_schema() {
    use portolan_runtime::{Caller, Schema};
    use portolan_schema::Profile;
    let rep = Profile { name: "rep".to_owned(), objects: ["queue".to_owned()].into(), ..Profile::default() };
    let schema = Schema::open(artifact(crm(), vec![rep])).unwrap();
    let session = schema.session(Caller::new().profile("rep")).unwrap();
    let answer = schemas(&session, &["queue"]);
    let hash = answer["schema"].as_str().unwrap();
    assert!(hash.len() == 12 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    assert_eq!(
        answer["objects"]["queue"]["referencedBy"],
        json!([]),
        "order.owner points at it, and isn't permitted"
    );
}

/// An object whose name begins with a space is another one.
#[test]
fn names_are_taken_as_they_are_before_they_are_trimmed() {
    let session = session(vec![object(" user", "Other", vec![]), object("user", "User", vec![])]);
    assert_eq!(sent(&schemas(&session, &[" user"])), [" user"]);
    assert_eq!(sent(&schemas(&session, &["user "])), ["user"]);
    assert_eq!(answer(&session, "list_objects", &json!({"search": "™"}))["count"], 0);
}

#[test]
fn what_is_forgotten_is_named_as_in_a_call() {
    let session = session(crm());
    schemas(&session, &["Order Line", "user"]);
    assert_eq!(session.forget(["Order Line", "nothing"]), 1);
    assert_eq!(sent(&schemas(&session, &["order_line", "user"])), ["order_line"]);
}
