//! Small orgs, and sessions over them.

use futures_executor::block_on;
use portolan_runtime::{Answer, Caller, Rendering, Schema, Session};
use portolan_schema::artifact::{Artifact, encode};
use portolan_schema::{ClosedSchema, Field, FieldType, Object, Profile};
use serde_json::{Value, json};

/// An artifact of those objects and profiles.
pub(crate) fn artifact(objects: Vec<Object>, profiles: Vec<Profile>) -> Vec<u8> {
    let schema = ClosedSchema::new(objects).unwrap();
    encode(&Artifact { version: "1.4.0".parse().unwrap(), schema, profiles, tasks: Vec::new() }).bytes
}

/// An object with an id, a name and those fields.
pub(crate) fn object(name: &str, label: &str, fields: Vec<Field>) -> Object {
    let own = [field("id", FieldType::Id), field("name", FieldType::Text)];
    Object {
        name: name.to_owned(),
        label: label.to_owned(),
        queryable: true,
        id_field: Some("id".to_owned()),
        name_field: Some("name".to_owned()),
        fields: own.into_iter().chain(fields).collect(),
        ..Object::default()
    }
}

/// A field whose label is its name with capitals.
pub(crate) fn field(name: &str, field_type: FieldType) -> Field {
    Field { label: title(name), ..Field::new(name, field_type) }
}

/// A field that points at those objects.
pub(crate) fn reference(name: &str, targets: &[&str]) -> Field {
    let mut references: Vec<String> = targets.iter().map(|target| (*target).to_owned()).collect();
    references.sort_unstable();
    Field { references, ..field(name, FieldType::Reference) }
}

fn title(name: &str) -> String {
    let word =
        |word: &str| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect();
    name.split('_').map(word).collect::<Vec<String>>().join(" ")
}

/// A few objects of a CRM.
pub(crate) fn crm() -> Vec<Object> {
    let labelled = |label: &str, field: Field| Field { label: label.to_owned(), ..field };
    vec![
        object(
            "customer",
            "Customer",
            vec![reference("owner", &["user"]), field("region", FieldType::Picklist)],
        ),
        object(
            "order",
            "Order",
            vec![
                field("status", FieldType::Picklist),
                field("total", FieldType::Currency),
                labelled("Order Date", field("placed_on", FieldType::Date)),
                reference("customer", &["customer"]),
                reference("owner", &["user", "queue"]),
            ],
        ),
        object("order_line", "Order Line", vec![reference("order", &["order"])]),
        object("shipment", "Delivery", vec![reference("order", &["order"])]),
        object("user", "User", vec![reference("manager", &["user"])]),
        object("queue", "Queue", vec![]),
    ]
}

/// An object with that many fields beside its id and name.
pub(crate) fn wide(name: &str, fields: usize) -> Object {
    object(
        name,
        &title(name),
        (0..fields).map(|at| field(&format!("field_{at:03}"), FieldType::Text)).collect(),
    )
}

/// A session of somebody without a profile over an artifact without profiles.
pub(crate) fn session(objects: Vec<Object>) -> Session {
    Schema::open(artifact(objects, vec![])).unwrap().session(Caller::new()).unwrap()
}

/// The same, with an object a field in its answers.
pub(crate) fn full_session(objects: Vec<Object>) -> Session {
    session(objects).rendering(Rendering::Full)
}

/// Calls a tool.
pub(crate) fn call(session: &Session, tool: &str, arguments: &Value) -> Answer {
    block_on(session.call(tool, arguments))
}

/// Calls a tool and reads its answer.
pub(crate) fn answer(session: &Session, tool: &str, arguments: &Value) -> Value {
    parse(&call(session, tool, arguments))
}

/// Asks for schemas.
pub(crate) fn schemas(session: &Session, objects: &[&str]) -> Value {
    answer(session, "get_object_schema", &json!({ "objects": objects }))
}

/// An answer as JSON; what every answer must hold is checked here, for every test.
pub(crate) fn parse(answer: &Answer) -> Value {
    assert!(answer.as_str().len() <= portolan_runtime::MOST_ANSWER_BYTES, "{} bytes", answer.as_str().len());
    let value: Value =
        serde_json::from_str(answer.as_str()).unwrap_or_else(|problem| panic!("{problem}: {answer}"));
    assert_eq!(value.get("error").is_some(), answer.is_error(), "{answer}");
    value
}

/// The names of an answer's objects.
pub(crate) fn sent(answer: &Value) -> Vec<&str> {
    answer["objects"]
        .as_object()
        .map(|objects| objects.keys().map(String::as_str).collect())
        .unwrap_or_default()
}
