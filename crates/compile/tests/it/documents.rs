//! How documents are taken apart: sizes, places and damage, against an ordinary parser.

use std::fmt::Write as _;
use std::fs;

use portolan_compile::ingest::{Ingested, RawObject, Root, Sink, read};
use portolan_compile::{Diagnostic, Place, Position};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// Takes down the names of objects and fields.
#[derive(Default)]
struct Names(Vec<(String, Vec<String>)>);

impl Sink for Names {
    fn object(&mut self, object: &RawObject<'_>, _: Place, _: &mut Vec<Diagnostic>) {
        let fields = object.fields.iter().flatten().map(|field| field.name.to_owned()).collect();
        self.0.push((object.name.to_owned(), fields));
    }
}

fn read_bytes(bytes: &[u8]) -> (Names, Ingested) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("extract.json");
    fs::write(&path, bytes).unwrap();
    let mut names = Names::default();
    let ingested = read(&[Root { path, named_at: None }], "auto", &mut names);
    (names, ingested)
}

fn only_fault(bytes: &[u8]) -> (String, Option<Position>) {
    let (_, ingested) = read_bytes(bytes);
    let [fault] = ingested.diagnostics.as_slice() else { panic!("{:#?}", ingested.diagnostics) };
    (fault.message.clone(), fault.place.as_ref().and_then(|place| place.position))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z ]{0,20}", r#"[\\\\"{}\[\],:/ \n\t\u{e9}\u{1F600}]{0,30}"#, "x{100,400}"]
}

fn object() -> impl Strategy<Value = Value> {
    let values = prop::collection::vec((text(), text()), 0..40);
    let field = (text(), values, any::<bool>());
    let fields = prop::collection::vec(field, 0..12);
    (text(), fields).prop_map(|(label, fields)| {
        let fields: Vec<Value> = fields
            .into_iter()
            .enumerate()
            .map(|(at, (label, values, as_text))| {
                let values: Vec<Value> = values
                    .into_iter()
                    .map(|(value, label)| if as_text { json!(value) } else { json!({ "value": value, "label": label, "tags": [label] }) })
                    .collect();
                json!({ "name": format!("f{at}"), "label": label, "type": "picklist", "picklist": values, "default": { "v": label } })
            })
            .collect();
        json!({ "label": label, "fields": fields })
    })
}

proptest! {
    #![proptest_config(crate::a_few_cases())]

    /// Enough objects that a document passes the read buffer's end at any place.
    #[test]
    fn every_object_and_value_is_found(drafts in prop::collection::vec(object(), 0..60), pretty: bool, crlf: bool) {
        let mut objects = drafts;
        for (at, object) in objects.iter_mut().enumerate() {
            object["name"] = json!(format!("o{at}"));
        }
        let values: usize = objects
            .iter()
            .flat_map(|object| object["fields"].as_array().unwrap())
            .map(|field| field["picklist"].as_array().unwrap().len())
            .sum();
        let document = json!({ "format": "portolan-extract/1", "objects": objects });
        let mut text = if pretty { serde_json::to_string_pretty(&document).unwrap() } else { document.to_string() };
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let (names, ingested) = read_bytes(text.as_bytes());
        if !objects.is_empty() {
            prop_assert_eq!(&ingested.diagnostics, &vec![]);
        }
        let expected: Vec<(String, usize)> = objects
            .iter()
            .map(|object| (object["name"].as_str().unwrap().to_owned(), object["fields"].as_array().unwrap().len()))
            .collect();
        let found: Vec<(String, usize)> = names.0.into_iter().map(|(name, fields)| (name, fields.len())).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(ingested.picklist_values, values as u64);
    }

    #[test]
    fn a_document_cut_off_anywhere_is_a_fault(object in object(), at: Index) {
        let mut object = object;
        object["name"] = json!("o");
        let text = json!({ "format": "portolan-extract/1", "objects": [object] }).to_string();
        let (_, ingested) = read_bytes(&text.as_bytes()[..at.index(text.len())]);
        prop_assert!(ingested.diagnostics.iter().any(Diagnostic::is_error));
    }

    #[test]
    fn any_change_of_a_byte_is_read_without_a_panic(object in object(), at: Index, byte: u8) {
        let mut object = object;
        object["name"] = json!("o");
        let mut text = json!({ "format": "portolan-extract/1", "objects": [object] }).to_string().into_bytes();
        let at = at.index(text.len());
        text[at] = byte;
        read_bytes(&text);
    }

    /// A fault's place is the file's own, however much was cut before it.
    #[test]
    fn a_fault_has_its_line_and_column(values in prop::collection::vec("[a-z\\[\"]{0,200}", 0..1500), lines in 0..5_usize) {
        let before = json!({ "name": "f", "type": "picklist", "picklist": values }).to_string();
        let before = format!(r#"{{"format":"portolan-extract/1",{} "objects":[{{"name":"o","fields":[{before},"#, "\n".repeat(lines));
        let text = format!(r#"{before}{{"name":"g","type":"colour"}}]}}]}}"#);
        let (message, position) = only_fault(text.as_bytes());
        prop_assert!(message.starts_with("'colour' is not a field type"), "{}", message);
        let line_start = text.find("\"objects\"").filter(|_| lines > 0).map_or(0, |at| at - 1);
        // The parser notices at the end of the field.
        let column = text.rfind("\"colour\"}").unwrap() + "\"colour\"}".len() - line_start;
        prop_assert_eq!(position, Some(Position { line: u32::try_from(lines).unwrap() + 1, column: u32::try_from(column).unwrap() }));
    }
}

#[test]
fn deep_nesting_is_a_fault_and_not_a_crash() {
    let deep = "[".repeat(100_000_000);
    let (message, position) =
        only_fault(format!(r#"{{"format":"portolan-extract/1","objects":{deep}"#).as_bytes());
    assert_eq!(message, "brackets are nested deeper than 100 levels");
    assert_eq!(position.unwrap().line, 1);
    let (message, _) = only_fault(&deep.as_bytes()[..1_000_000]);
    assert!(message.contains("not JSON"), "{message}");
}

#[test]
fn nesting_inside_what_is_cut_is_only_counted() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let text = format!(
        r#"{{"format":"portolan-extract/1","objects":[{{"name":"o","fields":[{{"name":"f","type":"text","picklist":[{deep}]}}]}}]}}"#
    );
    let (names, ingested) = read_bytes(text.as_bytes());
    assert_eq!((names.0.len(), ingested.diagnostics, ingested.picklist_values), (1, vec![], 1));
}

#[test]
fn one_broken_object_hides_no_other() {
    let mut objects = String::new();
    for at in 0..500 {
        let kind = if at % 100 == 7 { "colour" } else { "text" };
        let _ = write!(
            objects,
            r#"{}{{"name":"o{at}","fields":[{{"name":"f","type":"{kind}"}}]}}"#,
            if at > 0 { ",\n" } else { "" }
        );
    }
    let (names, ingested) =
        read_bytes(format!(r#"{{"format":"portolan-extract/1","objects":[{objects}]}}"#).as_bytes());
    assert_eq!(names.0.len(), 495);
    let lines: Vec<u32> = ingested
        .diagnostics
        .iter()
        .map(|fault| fault.place.as_ref().unwrap().position.unwrap().line)
        .collect();
    assert_eq!(lines, [8, 108, 208, 308, 408]);
}
