//! However much there is, an answer is short, and what it leaves out is counted.

use portolan_schema::{Field, FieldType, Object};
use serde_json::{Value, json};

use crate::support::{
    answer, call, field, full_session, object, parse, reference, schemas, sent, session, wide,
};

/// Names as long as they may be, labels longer than anyone reads.
fn monstrous(objects: usize, fields: usize) -> Vec<Object> {
    let long = |prefix: &str, at: usize| format!("{prefix}{at:04}_{}", "x".repeat(255 - prefix.len() - 5));
    let names: Vec<String> = (0..objects).map(|at| long("o", at)).collect();
    let build = |name: &String| {
        let fields = (0..fields).map(|at| Field {
            label: "\"Ärger\" \u{1}".repeat(100),
            description: Some("\\".repeat(1000)),
            references: if at == 1 { names.clone() } else { Vec::new() },
            ..Field::new(long("f", at), if at == 1 { FieldType::Reference } else { FieldType::Text })
        });
        Object {
            name: name.clone(),
            label: "\u{7}".repeat(500),
            description: Some("\u{7}".repeat(500)),
            queryable: false,
            fields: fields.collect(),
            ..Object::default()
        }
    };
    names.iter().map(build).collect()
}

#[test]
fn five_hundred_thirty_objects_are_listed_in_16_000_bytes() {
    let name = |at: usize| format!("object_number_{at:03}");
    let objects: Vec<_> =
        (0..530).map(|at| object(&name(at), &format!("Object Number {at:03}"), vec![])).collect();
    let answer = call(&session(objects), "list_objects", &json!({}));
    assert!(answer.as_str().len() <= 16_000, "{}", answer.as_str().len());
    let list = parse(&answer);
    assert_eq!(list["objects"].as_object().unwrap().len(), 530);
    assert_eq!(list["note"], "A label that the name gives away is left empty.");
}

#[test]
fn of_more_objects_than_fit_the_most_connected_are_listed() {
    let mut objects: Vec<_> =
        (0..2000).map(|at| object(&format!("object_number_{at:04}"), "Thing", vec![])).collect();
    objects[1999].fields.push(reference("other", &["object_number_1998"]));
    let session = session(objects);
    let answer = call(&session, "list_objects", &json!({}));
    assert!(answer.as_str().len() <= 16_000);
    let list = parse(&answer);
    let shown = list["objects"].as_object().unwrap();
    assert_eq!(list["count"], 2000);
    assert_eq!(list["showing"], shown.len());
    assert_eq!(list["omitted"], 2000 - shown.len());
    assert!(shown.contains_key("object_number_1999") && shown.contains_key("object_number_1998"));
    assert!(list["note"].as_str().unwrap().contains("narrow by `search`"));
    let found = self::answer(&session, "list_objects", &json!({"search": "number_1500"}));
    assert_eq!(found["objects"], json!({"object_number_1500": "Thing"}), "what was left out can be found");
}

#[test]
fn a_hub_takes_2_500_bytes() {
    let hub = object(
        "employee_master_record",
        "Employee Master Record",
        (0..20).map(|at| field(&format!("field_{at}"), FieldType::Text)).collect(),
    );
    let pointing = (0..529).map(|at| {
        object(
            &format!("transaction_kind_{at:03}"),
            "",
            vec![reference("responsible_employee", &["employee_master_record"])],
        )
    });
    let session = session(std::iter::once(hub).chain(pointing).collect());
    let answer = call(&session, "get_object_schema", &json!({"objects": ["employee_master_record"]}));
    assert!(answer.as_str().len() <= 2_500, "{} bytes", answer.as_str().len());
    let hub = &parse(&answer)["objects"]["employee_master_record"];
    assert_eq!(hub["referencedBy"].as_array().unwrap().len(), 25);
    assert_eq!(hub["referencedByCount"], 529);
    let found = self::answer(
        &session,
        "get_object_schema",
        &json!({"objects": ["employee_master_record"], "field_search": "transaction kind 444"}),
    );
    let found = &found["objects"]["employee_master_record"]["referencedBy"];
    assert_eq!(found[0], "transaction_kind_444.responsible_employee", "what was left out can be found");
}

#[test]
fn what_does_not_fit_is_named_and_comes_next() {
    let names: Vec<String> = (0..60).map(|at| format!("object_{at:02}")).collect();
    let session = session(names.iter().map(|name| wide(name, 78)).collect());
    let mut wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut calls = 0;
    let mut got = Vec::new();
    while !wanted.is_empty() {
        calls += 1;
        let answer = schemas(&session, &wanted);
        assert!(answer.get("alreadyFetched").is_none(), "nothing counts as sent that wasn't");
        got.extend(sent(&answer).into_iter().map(str::to_owned));
        let not_sent: Vec<&str> =
            answer["notSent"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert_eq!(answer.get("note").is_some(), !not_sent.is_empty());
        wanted = names.iter().map(String::as_str).filter(|name| not_sent.contains(name)).collect();
    }
    assert_eq!(got, names);
    assert!(calls <= 4, "{calls}");
}

/// An object whose names are as long as they may be is sent as far as it can be; the rest is found.
#[test]
fn monsters_are_cut_to_size() {
    for session in [session(monstrous(60, 200)), full_session(monstrous(60, 200))] {
        let all = parse(&call(&session, "list_objects", &json!({})));
        assert_eq!(all["count"], 60);
        let names: Vec<String> = all["objects"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(all["showing"].as_u64().unwrap_or(60), names.len() as u64);
        for name in names.iter().take(3) {
            for part in 1..=3 {
                let answer = schemas(&session, &[name]);
                let object = &answer["objects"][name.as_str()];
                assert_eq!(object["part"], format!("{part} of 3"));
                assert!(object["showing"].as_u64().unwrap() >= 10, "{object}");
            }
            assert_eq!(schemas(&session, &[name])["alreadyFetched"], json!([name]));
        }
        let everything = json!({"objects": names, "field_search": "f0150"});
        let found = self::answer(&session, "get_object_schema", &everything);
        assert!(found["objects"][names[0].as_str()].to_string().contains("f0150_"));
        let shouted: Vec<String> = names
            .iter()
            .map(|name| name.to_uppercase())
            .chain((0..900).map(|at| format!("{at}").repeat(70)))
            .collect();
        parse(&call(&session, "get_object_schema", &json!({ "objects": shouted })));
    }
}

/// Fields that take too much room for their part are counted, and said to be found by a search.
#[test]
fn what_a_part_can_not_hold_is_counted_to_the_end() {
    let names: Vec<String> = (0..30).map(|at| format!("a_target_with_a_long_name_{at:02}")).collect();
    let targets: Vec<&str> = names.iter().map(String::as_str).collect();
    let hub =
        object("hub", "Hub", (0..100).map(|at| reference(&format!("reference_{at:03}"), &targets)).collect());
    let session = session(names.iter().map(|name| object(name, "", vec![])).chain([hub]).collect());
    let (mut shown, mut left) = (0, 0);
    for _ in 0..2 {
        let answer = schemas(&session, &["hub"]);
        let hub = &answer["objects"]["hub"];
        shown += hub["showing"].as_u64().unwrap();
        left = hub["omitted"].as_u64().unwrap();
        assert!(hub["notListed"].as_str().unwrap().contains("field_search"), "{hub}");
    }
    assert_eq!(shown + left, 102);
    assert!(left > 0);
    let found =
        answer(&session, "get_object_schema", &json!({"objects": ["hub"], "field_search": "reference_099"}));
    assert!(found["objects"]["hub"]["references"].get("reference_099").is_some());
}

/// Names of control characters take six bytes a character: errors stay short, too.
#[test]
fn damaged_objects_of_hostile_names_fit_beside_the_rest() {
    use portolan_runtime::{Caller, Schema};
    let hostile: Vec<String> = (0..6).map(|at| format!("{at}{}", "\u{1}".repeat(200))).collect();
    let objects = hostile.iter().map(|name| object(name, "", vec![])).chain([wide("account", 90)]);
    let objects = objects.chain((0..500).map(|at| object(&format!("object_{at:03}"), "", vec![])));
    let mut bytes = crate::support::artifact(objects.collect(), vec![]);
    let labels: Vec<usize> =
        bytes.windows(4).enumerate().filter(|(_, four)| *four == b"Name").map(|(at, _)| at).collect();
    for at in labels.into_iter().take(6) {
        bytes[at] = b'X';
    }
    let session = Schema::open(bytes).unwrap().session(Caller::new()).unwrap();
    let names: Vec<String> = hostile
        .into_iter()
        .chain(["account".to_owned()])
        .chain((0..500).map(|at| format!("object_{at:03}")))
        .collect();
    let answer = parse(&call(&session, "get_object_schema", &json!({ "objects": names })));
    assert!(answer["error"].as_str().unwrap().contains("damaged"));
}
