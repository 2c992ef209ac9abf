//! Another artifact takes the place of the first, under running sessions.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use portolan_runtime::{Caller, CallerError, Schema};
use portolan_schema::artifact::{Artifact, encode};
use portolan_schema::{ClosedSchema, Field, FieldType, Object, Profile};
use serde_json::json;

use crate::support::{artifact, call, crm, field, object, parse, reference, schemas, sent};

fn published(version: &str, objects: Vec<Object>, profiles: Vec<Profile>) -> Vec<u8> {
    let schema = ClosedSchema::new(objects).unwrap();
    encode(&Artifact { version: version.parse().unwrap(), schema, profiles, tasks: Vec::new() }).bytes
}

/// The CRM with one more field in `order`, and with an object that points at `queue`.
fn changed() -> Vec<Object> {
    let mut objects = crm();
    let order = objects.iter_mut().find(|object| object.name == "order").unwrap();
    order.fields.push(field("discount", FieldType::Percent));
    objects.push(object("campaign", "Campaign", vec![reference("queue", &["queue"])]));
    objects
}

#[test]
fn changed_objects_are_sent_again_and_unchanged_ones_are_not() {
    let schema = Schema::open(published("1.0.0", crm(), vec![])).unwrap();
    let session = schema.session(Caller::new()).unwrap();
    schemas(&session, &["order", "customer", "queue", "user"]);
    schema.replace(published("1.1.0", changed(), vec![])).unwrap();
    let again = schemas(&session, &["order", "customer", "queue", "user", "campaign"]);
    assert_eq!(again["schema"], "1.1.0");
    assert_eq!(sent(&again), ["campaign", "order", "queue"], "queue has a back reference more");
    assert_eq!(again["alreadyFetched"], json!(["customer", "user"]));
    assert_eq!(again["objects"]["order"]["fields"]["percent"], "discount");
}

/// That another object is better connected now changes the order of back references, and nothing that
/// is said of the object.
#[test]
fn the_order_of_back_references_is_no_change() {
    let with = |extra: &[&str]| {
        let mut objects = crm();
        let queue_and_more: Vec<_> = extra.iter().map(|name| reference(name, &["queue"])).collect();
        objects.iter_mut().find(|object| object.name == "shipment").unwrap().fields.extend(queue_and_more);
        objects
    };
    let schema = Schema::open(artifact(with(&[]), vec![])).unwrap();
    let session = schema.session(Caller::new()).unwrap();
    let before = schemas(&session, &["order"]);
    assert_eq!(before["objects"]["order"]["referencedBy"], json!(["order_line.order", "shipment.order"]));
    schema.replace(artifact(with(&["a", "b"]), vec![])).unwrap();
    assert_eq!(schemas(&session, &["order"])["alreadyFetched"], json!(["order"]));
    let fresh = schema.session(Caller::new()).unwrap();
    let after = schemas(&fresh, &["order"]);
    assert_eq!(after["objects"]["order"]["referencedBy"], json!(["shipment.order", "order_line.order"]));
}

#[test]
fn a_change_that_the_profile_does_not_see_is_none() {
    let rep = Profile {
        name: "rep".to_owned(),
        objects: ["order", "customer"].map(str::to_owned).into(),
        hidden: [("order".to_owned(), ["discount".to_owned()].into())].into(),
        ..Profile::default()
    };
    let before = Profile { hidden: [].into(), ..rep.clone() };
    let schema = Schema::open(published("1.0.0", crm(), vec![before])).unwrap();
    let session = schema.session(Caller::new().profile("rep")).unwrap();
    let first = schemas(&session, &["order"]);
    schema.replace(published("2.0.0", changed(), vec![rep])).unwrap();
    let again = schemas(&session, &["order"]);
    assert_eq!(again["alreadyFetched"], json!(["order"]));
    assert_eq!(again["schema"], first["schema"], "nothing shows that anything changed");
}

#[test]
fn a_profile_that_is_gone_sees_nothing() {
    let rep = Profile { name: "rep".to_owned(), objects: ["order".to_owned()].into(), ..Profile::default() };
    let schema = Schema::open(published("1.0.0", crm(), vec![rep])).unwrap();
    let session = schema.session(Caller::new().profile("rep")).unwrap();
    for replacement in [vec![], vec![Profile { name: "other".to_owned(), ..Profile::default() }]] {
        schema.replace(published("2.0.0", crm(), replacement)).unwrap();
        for (tool, arguments) in
            [("list_objects", json!({})), ("get_object_schema", json!({"objects": ["order"]}))]
        {
            let answer = parse(&call(&session, tool, &arguments));
            assert_eq!(
                answer,
                json!({"error": "Nothing can be read any more: the permissions of this conversation were withdrawn. \
                                 Call no more tools, and say so."})
            );
        }
        assert_eq!(session.tool_definitions(portolan_runtime::Dialect::Mcp), "[]");
    }
}

#[test]
fn without_a_profile_nobody_sees_everything() {
    let rep = Profile { name: "rep".to_owned(), ..Profile::default() };
    let schema = Schema::open(published("1.0.0", crm(), vec![rep])).unwrap();
    assert_eq!(schema.session(Caller::new()).err(), Some(CallerError::NoProfile(vec!["rep".to_owned()])));
    let refused = schema.session(Caller::new().profile("boss")).err().unwrap();
    assert_eq!(refused.to_string(), "the artifact declares no profile 'boss'; it declares rep");
    let open = Schema::open(published("1.0.0", crm(), vec![])).unwrap();
    let refused = open.session(Caller::new().profile("boss")).err().unwrap();
    assert_eq!(refused.to_string(), "the artifact declares no profile 'boss'; it declares none at all");
}

#[test]
fn a_damaged_artifact_replaces_nothing() {
    let schema = Schema::open(published("1.0.0", crm(), vec![])).unwrap();
    let mut damaged = published("2.0.0", changed(), vec![]);
    let last = damaged.len() - 40;
    damaged[last] ^= 1;
    assert!(schema.replace(damaged).is_err());
    assert!(schema.replace("no artifact").is_err());
    assert_eq!(schema.version(), "1.0.0");
}

/// A record that was damaged on disk: the others can still be asked for.
#[test]
fn a_damaged_object_is_said_and_the_others_are_sent() {
    let mut bytes = published("1.0.0", crm(), vec![]);
    let at = bytes.windows(9).position(|window| window == b"placed_on").unwrap();
    bytes[at] = b'q';
    let schema = Schema::open(bytes).unwrap();
    let session = schema.session(Caller::new()).unwrap();
    let answer = schemas(&session, &["order", "queue"]);
    assert_eq!(
        answer["error"],
        "The schema of 'order' is damaged and can't be read. Don't ask for it again: go on without it, and say so."
    );
    assert_eq!(sent(&answer), ["queue"]);
}

/// A thousand calls from many threads while the artifact is replaced over and over: every answer is of
/// one artifact, and an object is sent once for each time that it changed.
#[test]
fn no_answer_is_torn() {
    const THREADS: usize = 8;
    const CALLS: usize = 125;
    let files = [published("1.0.0", crm(), vec![]), published("2.0.0", changed(), vec![])];
    let schema = Schema::open(files[0].clone()).unwrap();
    let session = schema.session(Caller::new()).unwrap();
    let (done, customers) = (AtomicBool::new(false), AtomicUsize::new(0));
    let replaced = thread::scope(|scope| {
        let replacing = scope.spawn(|| {
            let mut replaced = 0;
            while !done.load(Ordering::Relaxed) {
                replaced += 1;
                schema.replace(files[replaced % 2].clone()).unwrap();
            }
            replaced
        });
        let calling: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    for _ in 0..CALLS {
                        let answer = schemas(&session, &["order", "customer"]);
                        let is_new = answer["schema"] == "2.0.0";
                        assert!(is_new || answer["schema"] == "1.0.0");
                        if let Some(order) = answer["objects"].get("order") {
                            assert_eq!(order["fields"].get("percent").is_some(), is_new, "{answer}");
                        }
                        customers
                            .fetch_add(usize::from(sent(&answer).contains(&"customer")), Ordering::Relaxed);
                    }
                })
            })
            .collect();
        for thread in calling {
            thread.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
        replacing.join().unwrap()
    });
    assert!(replaced > 1, "it was replaced while it was asked");
    assert_eq!(customers.load(Ordering::Relaxed), 1, "an unchanged object goes out once");
}

/// What only one form shows, and what is too long for it, is a change, too.
#[test]
fn every_change_of_an_object_is_one() {
    let long = |label: &str| {
        let fields = (0..80).map(|at| Field {
            label: format!("{label} {}", "x".repeat(60)),
            unique: true,
            calculated: true,
            ..field(&format!("a_name_of_some_length_{at:02}"), FieldType::Text)
        });
        vec![Object {
            fields: fields.collect(),
            id_field: None,
            name_field: None,
            ..object("account", "Account", vec![])
        }]
    };
    let schema = Schema::open(artifact(long("First"), vec![])).unwrap();
    let session = schema.session(Caller::new()).unwrap();
    schemas(&session, &["account"]);
    schema.replace(artifact(long("Other"), vec![])).unwrap();
    assert_eq!(sent(&schemas(&session, &["account"])), ["account"]);

    let with_id = |id: Option<&str>| {
        vec![Object { id_field: id.map(str::to_owned), ..object("queue", "Queue", vec![]) }]
    };
    let schema = Schema::open(artifact(with_id(Some("id")), vec![])).unwrap();
    let session = schema.session(Caller::new()).unwrap();
    schemas(&session, &["queue"]);
    schema.replace(artifact(with_id(None), vec![])).unwrap();
    assert_eq!(sent(&schemas(&session, &["queue"])), ["queue"]);
}

/// A file that was damaged under us and mended again.
#[test]
fn damage_is_not_remembered() {
    let folder = std::env::temp_dir().join(format!("portolan-reload-{}", std::process::id()));
    let bytes = artifact(crm(), vec![]);
    std::fs::write(&folder, &bytes).unwrap();
    let session = Schema::open_file(&folder).unwrap().session(Caller::new()).unwrap();
    std::fs::write(&folder, &bytes[..2000.min(bytes.len() / 3)]).unwrap();
    assert!(schemas(&session, &["user"])["error"].as_str().unwrap().contains("damaged"));
    std::fs::write(&folder, &bytes).unwrap();
    assert_eq!(sent(&schemas(&session, &["user"])), ["user"]);
    std::fs::remove_file(&folder).unwrap();
}
