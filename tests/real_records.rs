//! Real records, in `../shared`: two SQLite dumps of a nonprofit's CRM, 18,659 synthetic records with the
//! oddities of real ones. What `query_records` answers over them is what SQL answers.
//!
//! - [`dataset`] loads a dump and builds an artifact for it, [`catalog`] tells what its columns are.
//! - [`conversation`] makes the calls, [`cell`] compares what they found.
//! - [`questions`]: the questions that came with the records, and how each is answered. [`own`]: ours. A new
//!   question is an entry of a table.
//! - [`columns`]: every column, whatever is in it. [`clock`], [`paging`]: what depends on the moment, and on who
//!   writes meanwhile.
//!
//! The only SQL is that of the truth, and the tests neither filter nor add up what the tool found.

mod catalog;
mod cell;
mod clock;
mod columns;
mod conversation;
mod dataset;
mod own;
mod paging;
mod questions;

use std::collections::BTreeSet;

use portolan_runtime::Caller;
use portolan_schema::FieldType;
use serde_json::json;

use self::catalog::{Column, Table, quoted};
use self::dataset::{DATASETS, Dataset};

#[test]
fn a_dump_becomes_an_artifact_with_every_reference_an_edge() {
    for (name, tables, rows, references) in [("1k", 14, 17_285, 20), ("trailhead", 30, 1_374, 65)] {
        let Some(dataset) = Dataset::open(name) else { return };
        assert_eq!(dataset.tables.len(), tables, "tables of {name}");
        assert_eq!(dataset.tables.iter().map(|table| table.rows).sum::<u64>(), rows, "rows of {name}");
        let listed: BTreeSet<(&str, &str, &str)> = dataset
            .tables
            .iter()
            .flat_map(|table| table.columns.iter().map(move |column| (table, column)))
            .filter_map(|(table, column)| Some((&*table.name, &*column.name, column.target.as_deref()?)))
            .collect();
        assert_eq!(listed.len(), references, "references of {name}");
        let schema = dataset.org.artifact().schema;
        let edges: BTreeSet<(&str, &str, &str)> = schema
            .objects()
            .iter()
            .flat_map(|object| object.fields.iter().map(move |field| (object, field)))
            .flat_map(|(object, field)| {
                field.references.iter().map(move |target| (&*object.name, &*field.name, &**target))
            })
            .collect();
        assert_eq!(edges, listed, "edges of {name}");
    }
}

/// What types columns are given is what all else builds on: a few of each, as a person reads them.
#[test]
fn columns_have_the_types_that_a_person_would_give_them() {
    use FieldType::{Boolean, Currency, Date, Datetime, Id, Integer, Percent, Picklist, Reference, Text};
    let Some(dataset) = Dataset::open("trailhead") else { return };
    for (object, field, field_type) in [
        ("Opportunity", "sf_id", Id),
        ("Opportunity", "account_id", Reference),
        ("Opportunity", "Amount", Currency),
        ("Opportunity", "StageName", Picklist),
        ("Opportunity", "CloseDate", Date),
        ("Opportunity", "IsPrivate", Boolean),
        ("Opportunity", "npe01__Contact_Id_for_Role__c", Text),
        ("Account", "npo02__NumberOfClosedOpps__c", Integer),
        ("Account", "npo02__OppsClosedLastYear__c", Integer),
        ("Account", "npo02__OppAmountLastYear__c", Currency),
        ("Account", "npo02__Best_Gift_Year__c", Integer),
        ("Account", "npo02__Best_Gift_Year_Total__c", Currency),
        ("Account", "BillingPostalCode", Text),
        ("Account", "npsp__Matching_Gift_Amount_Max__c", Currency),
        ("Account", "npo02__MembershipEndDate__c", Date),
        ("Contact", "npo02__Soft_Credit_Total__c", Currency),
        ("Contact", "Name", Text),
        ("Event", "StartDateTime", Datetime),
        ("npsp__Allocation__c", "npsp__Percent__c", Percent),
    ] {
        assert_eq!(dataset.field(object, field).field_type, field_type, "{object}.{field}");
    }
}

/// Every record of every object, and of each every field: what the dump has, read as what it means.
#[test]
fn every_value_of_every_record_is_read_as_it_is_stored() {
    for name in DATASETS {
        let Some(dataset) = Dataset::open(name) else { return };
        for table in &dataset.tables {
            // An answer shows at most 60 fields.
            for columns in table.columns.chunks(50) {
                check_values(&dataset, table, columns);
            }
        }
    }
}

fn check_values(dataset: &Dataset, table: &Table, columns: &[Column]) {
    let conversation = dataset.conversation(Caller::new());
    let fields: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    let (answer, pages) =
        conversation.all_pages(&json!({"object": table.name, "fields": fields, "limit": 100}));
    assert_eq!(answer.json["total"], table.rows, "{}: {}", table.name, answer.json);
    assert!(pages as u64 >= table.rows / 100, "{pages} pages of {}", table.name);

    let shown = columns.iter().flat_map(|column| match column.target {
        Some(_) => vec![format!("{}/id", column.name), format!("{}/name", column.name)],
        None => vec![column.name.clone()],
    });
    let found = answer.rows(&shown.collect::<Vec<_>>());
    let truth = dataset.truth(&select_all(dataset, table, columns));
    assert_eq!(found.len(), truth.len(), "records of {}", table.name);
    for (found, stored) in found.into_iter().zip(truth) {
        let mut stored = stored.into_iter();
        let mut meant = Vec::new();
        for column in columns {
            meant.extend(stored.next().map(|value| value.meant_as(column.field_type)));
            meant.extend(column.target.as_ref().and_then(|_| stored.next()));
        }
        assert_eq!(found, meant, "a record of {}, its {fields:?}", table.name);
    }
}

/// All of a table: of a reference its value, and the name of what it leads to.
fn select_all(dataset: &Dataset, table: &Table, columns: &[Column]) -> String {
    let (mut selected, mut joined) = (Vec::new(), Vec::new());
    for (at, column) in columns.iter().enumerate() {
        let value = format!("t.{}", quoted(&column.name));
        if let Some(target) = &column.target {
            let target = dataset.table(target);
            let name = target.name_field.as_deref();
            selected.extend([
                value.clone(),
                name.map_or("NULL".to_owned(), |name| format!("r{at}.{}", quoted(name))),
            ]);
            let (source, id) = (quoted(target.source()), quoted(&target.id));
            joined.push(format!(" LEFT JOIN {source} r{at} ON r{at}.{id} = {value}"));
        } else {
            selected.push(value);
        }
    }
    let (selected, joined) = (selected.join(", "), joined.concat());
    let (source, id) = (quoted(table.source()), quoted(&table.id));
    format!("SELECT {selected} FROM {source} t{joined} ORDER BY t.{id}")
}
